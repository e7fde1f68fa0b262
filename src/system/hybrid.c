/* SPDX-License-Identifier: MIT */
/* Modes, guards and events of the whole system: each question is put to the hybrid instances one
 * after the other, in their local arrays.
 *
 * A hybrid instance has memories in this order: what its equations remember, the slots of its
 * delays (LN_DELAY_OUTPUTS each), its modes. A mode is a whole number that selects a branch of its
 * equations, and changes only at events; in between it is frozen, so that an evaluation is smooth
 * and Newton's method and the error estimates of a step are those of an ordinary differential
 * equation. A guard is a function of the point that is positive while its mode holds and negative
 * where the mode has to change: its zero crossing is what the driver locates. Guards and events are
 * numbered through all instances, first_guard and first_event of an instance being its own first.
 */
#include "system/hybrid.h"

#include "system/active.h"
#include "system/delay.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Where an instance is looked at. Delays are looked up; modes are as they stand, or, on a side that
 * says LN_MODES_FREE, as they would be decided at the point. */
static linnet_point point_of(ln_system *system, const ln_active *active, const ln_moment *moment) {
    const double *local = ln_gather(active, moment->x, system->own->x);
    const double *m = ln_memories_at(system, active->instance, active->hybrid, moment->side, local);
    return (linnet_point){moment->side.t, moment->side.within, local, m};
}

static double *modes_of(const ln_system *system, const ln_active *active) {
    const linnet_block_class *type = active->instance->block.type;
    return system->memory + active->instance->first_memory + type->nmemories - type->nmodes;
}

const double *ln_memories_at(ln_system *system, const ln_instance *instance, int index,
                             ln_side side, const double *local) {
    const linnet_block_class *type = instance->block.type;
    const double *m = ln_memories_of(system, instance);
    const int follow = side.modes == LN_MODES_FREE && type->nmodes > 0;
    if (index < 0 || !(follow || type->ndelays > 0))
        return m;
    double *with = system->own->memory;
    const linnet_point point = {side.t, side.within, local, with};
    memcpy(with, m, (size_t)type->nmemories * sizeof *with);
    if (type->ndelays > 0)
        ln_delays_evaluate(system, index, &point, with);
    if (follow)
        type->modes(&instance->block, &point, with + type->nmemories - type->nmodes);
    return with;
}

void ln_system_reset_memories(ln_system *system, double t) {
    memset(system->memory, 0, (size_t)system->network->nmemories * sizeof *system->memory);
    for (int i = 0; i < system->network->ninstances; i++) {
        const ln_instance *instance = &system->network->instances[i];
        const linnet_block_class *type = instance->block.type;
        if (type->remember != NULL && instance->block.work != NULL)
            type->remember(&instance->block, t, system->memory + instance->first_memory);
    }
}

static int decide_delays(ln_system *system, const ln_active *active, const linnet_point *point,
                         const char *may_change, int *last) {
    const int first = active->first_guard + active->instance->block.type->nmodes;
    int which;
    const int changed = ln_delays_decide(system, active->hybrid, point,
                                         may_change != NULL ? may_change + first : NULL, &which);
    if (changed > 0 && last != NULL)
        *last = first + which;
    return changed;
}

/* One pass: a mode that changes may make another one change that was asked before it, so the caller
 * repeats the call, with x found anew, until none does (event iteration). The stretches that
 * varying delays see are modes as well, whose guards stand behind the instance's own. */
int ln_system_decide_modes(ln_system *system, const ln_moment *moment, const char *may_change,
                           int *last) {
    double *decided = system->own->mode;
    int changed = 0;
    for (int k = 0; k < system->nhybrid; k++) {
        const ln_active *active = &system->hybrid[k];
        const linnet_block_class *type = active->instance->block.type;
        if (ln_guards_of(type) == 0)
            continue;
        double *mode = modes_of(system, active);
        const linnet_point point = point_of(system, active, moment);
        if (type->lags_vary)
            changed += decide_delays(system, active, &point, may_change, last);
        if (type->nmodes > 0)
            type->modes(&active->instance->block, &point, decided);
        for (int i = 0; i < type->nmodes; i++) {
            if (mode[i] == decided[i] ||
                (may_change != NULL && !may_change[active->first_guard + i]))
                continue;
            mode[i] = decided[i];
            if (last != NULL)
                *last = active->first_guard + i;
            changed++;
        }
    }
    return changed;
}

void ln_system_modes(const ln_system *system, double *mode) {
    for (int k = 0; k < system->nguards; k++)
        mode[k] = NAN;
    for (int k = 0; k < system->nhybrid; k++) {
        const ln_active *active = &system->hybrid[k];
        const linnet_block_class *type = active->instance->block.type;
        memcpy(mode + active->first_guard, modes_of(system, active),
               (size_t)type->nmodes * sizeof *mode);
    }
}

void ln_system_set_modes(ln_system *system, const double *mode) {
    for (int k = 0; k < system->nhybrid; k++) {
        const ln_active *active = &system->hybrid[k];
        const linnet_block_class *type = active->instance->block.type;
        memcpy(modes_of(system, active), mode + active->first_guard,
               (size_t)type->nmodes * sizeof *mode);
    }
}

/* wanted: see ln_system_guards(). */
static int is_wanted(const ln_active *active, const char *wanted, int nguards) {
    return wanted == NULL || memchr(wanted + active->first_guard, 1, (size_t)nguards) != NULL;
}

void ln_system_guards(ln_system *system, const ln_moment *moment, const char *wanted,
                      double *guard) {
    for (int k = 0; k < system->nhybrid; k++) {
        const ln_active *active = &system->hybrid[k];
        const linnet_block_class *type = active->instance->block.type;
        const int nguards = ln_guards_of(type);
        if (nguards == 0 || !is_wanted(active, wanted, nguards))
            continue;
        const linnet_point point = point_of(system, active, moment);
        if (type->nmodes > 0)
            type->guards(&active->instance->block, &point, guard + active->first_guard);
        if (type->lags_vary)
            ln_delays_guards(system, active->hybrid, &point,
                             guard + active->first_guard + type->nmodes);
    }
}

int ln_system_has_turns(const ln_system *system) {
    for (int k = 0; k < system->nhybrid; k++)
        if (system->hybrid[k].instance->block.type->turns != NULL)
            return 1;
    return 0;
}

void ln_system_turns(ln_system *system, const ln_stretch *stretch, double *turn) {
    const ln_side side = stretch->from.side;
    for (int k = 0; k < system->nguards; k++)
        turn[k] = -1;
    for (int k = 0; k < system->nhybrid; k++) {
        const ln_active *active = &system->hybrid[k];
        const linnet_block_class *type = active->instance->block.type;
        if (type->turns == NULL)
            continue;
        const linnet_point point = point_of(system, active, &stretch->from);
        type->turns(&active->instance->block,
                    &(linnet_stretch){side.t, stretch->to, side.within, point.x,
                                      ln_gather(active, stretch->x_end, system->own->moved),
                                      point.m},
                    turn + active->first_guard);
    }
}

/* A guard of exactly zero says neither. "x > 0" and "x >= 0" have the same guard, and differ in
 * what their mode is there: that is decided, and this number stands for "just beyond". Smaller ones
 * are values like any other: what decays ends among the denormal numbers. */
static const double JUST_BEYOND = -DBL_MIN;

int ln_guard_is_just_beyond(double guard) {
    return guard <= JUST_BEYOND && guard >= JUST_BEYOND;
}

void ln_system_resolve_zero_guards(ln_system *system, const ln_moment *moment, double *guard) {
    double *decided = system->own->mode;
    for (int k = 0; k < system->nhybrid; k++) {
        const ln_active *active = &system->hybrid[k];
        const linnet_block_class *type = active->instance->block.type;
        const double *mode = modes_of(system, active);
        double *its = guard + active->first_guard;
        int any = 0;
        for (int i = 0; i < type->nmodes; i++)
            any |= its[i] == 0;
        if (!any)
            continue;
        const linnet_point point = point_of(system, active, moment);
        type->modes(&active->instance->block, &point, decided);
        for (int i = 0; i < type->nmodes; i++)
            if (its[i] == 0 && decided[i] != mode[i])
                its[i] = JUST_BEYOND;
    }
}

void ln_system_note_changed_modes(const ln_system *system, const double *before, char *changed) {
    for (int k = 0; k < system->nhybrid; k++) {
        const ln_active *active = &system->hybrid[k];
        const linnet_block_class *type = active->instance->block.type;
        const size_t first =
            (size_t)(active->instance->first_memory + type->nmemories - type->nmodes);
        for (int i = 0; i < type->nmodes; i++)
            if (system->memory[first + (size_t)i] != before[first + (size_t)i])
                changed[active->first_guard + i] = 1;
    }
}

void ln_system_guard_noise(ln_system *system, const ln_moment *moment, const char *wanted,
                           const double *guard, const double *least, double *noise) {
    for (int k = 0; k < system->nhybrid; k++) {
        const ln_active *active = &system->hybrid[k];
        const linnet_block_class *type = active->instance->block.type;
        const int first = active->first_guard;
        if (type->nmodes == 0 || !is_wanted(active, wanted, type->nmodes))
            continue;
        const linnet_point point = point_of(system, active, moment);
        double *moved = system->own->mode, *x = system->own->x;
        memset(noise + first, 0, (size_t)type->nmodes * sizeof *noise);
        for (int j = 0; j < active->nlocal; j++) {
            const double at = x[j];
            if (active->unknown[j] < 0)
                continue;
            const double own = ln_system_noise_of(system, active->unknown[j], at);
            x[j] = at + (least != NULL ? fmax(own, least[active->unknown[j]]) : own);
            if (type->ndelays > 0)
                ln_delays_evaluate_noisy(system, active->hybrid, &point, system->own->memory);
            type->guards(&active->instance->block, &point, moved);
            for (int i = 0; i < type->nmodes; i++)
                noise[first + i] += fabs(moved[i] - guard[first + i]);
            x[j] = at;
        }
    }
}

/* Where guard i of the instance is zero, by its slope in local unknown j; NAN: here, or not near:
 * what is in noise is crossed just beyond that. */
static const double JUST_BEYOND_NOISE = 2;
static double zero_near(ln_system *system, const ln_active *active, const linnet_point *point,
                        int i, int j) {
    const linnet_block *block = &active->instance->block;
    double *x = system->own->x, *guard = system->own->mode;
    const double at = x[j], own = ln_system_noise_of(system, active->unknown[j], at),
                 past = at + own;
    block->type->guards(block, point, guard);
    const double here = guard[i];
    x[j] = past;
    block->type->guards(block, point, guard);
    const double zero = at - here / (guard[i] - here) * (past - at);
    x[j] = zero;
    block->type->guards(block, point, guard);
    const int is_zero = fabs(zero - at) <= JUST_BEYOND_NOISE * own && guard[i] == 0 && !(here == 0);
    x[j] = at;
    return is_zero ? zero : NAN;
}

void ln_system_guard_zeros(ln_system *system, const ln_moment *moment, const char *wanted,
                           double *zero) {
    for (int i = 0; i < system->n; i++)
        zero[i] = NAN;
    for (int k = 0; k < system->nhybrid; k++) {
        const ln_active *active = &system->hybrid[k];
        const linnet_block_class *type = active->instance->block.type;
        if (type->nmodes == 0 || !is_wanted(active, wanted, type->nmodes))
            continue;
        const linnet_point point = point_of(system, active, moment);
        for (int i = 0; i < type->nmodes; i++)
            for (int j = 0; wanted[active->first_guard + i] && j < active->nlocal; j++) {
                const int unknown = active->unknown[j];
                if (unknown >= 0 && isnan(zero[unknown]))
                    zero[unknown] = zero_near(system, active, &point, i, j);
            }
    }
}

void ln_system_conditions(ln_system *system, const ln_moment *moment, char *holds) {
    for (int k = 0; k < system->nhybrid; k++) {
        const ln_active *active = &system->hybrid[k];
        const linnet_block_class *type = active->instance->block.type;
        if (type->nevents == 0)
            continue;
        const linnet_point point = point_of(system, active, moment);
        type->conditions(&active->instance->block, &point, holds + active->first_event);
    }
}

/* The events of one instance; returns 1 when a state was set. `here` holds the memories before the
 * events of this round, which conditions and assignments read, m what the events leave: all events
 * of a round see the same values, and their order does not matter. pre(x) reads `before`, the point
 * before any event of this time. */
static int act(ln_system *system, const ln_active *active, const ln_moment *moment,
               const ln_before_event *previous, const char *fired, const ln_after_event *after) {
    const linnet_block *block = &active->instance->block;
    const linnet_block_class *type = block->type;
    const int first = active->instance->first_memory;
    double *m = system->own->memory, *x = system->own->moved;
    double *here = system->own->mode; /* the memories before, with the delays as they are now */
    const linnet_point point = {moment->side.t, moment->side.within,
                                ln_gather(active, moment->x, system->own->x), here};
    memcpy(here, previous->m_round + first, (size_t)type->nmemories * sizeof *here);
    if (type->ndelays > 0)
        ln_delays_evaluate(system, active->hybrid, &point, here);
    const linnet_point before = {moment->side.t, moment->side.within,
                                 ln_gather(active, previous->x, system->own->x_before),
                                 previous->m + first};
    memcpy(m, previous->m_round + first, (size_t)type->nmemories * sizeof *m);
    memcpy(x, point.x, (size_t)active->nlocal * sizeof *x);
    type->act(block, &point, &before, fired, m, x);
    /* what delays give, and the stretches of their past, are decided as modes are, and no event's
     */
    memcpy(after->memory + first, m, (size_t)ln_delays_first_memory(type) * sizeof *m);
    int set = 0;
    for (int i = 0; i < type->nset; i++) {
        int local = type->set[i], unknown = active->unknown[local];
        if (unknown < 0 || x[local] == point.x[local])
            continue;
        after->x_set[unknown] = x[local];
        set = 1;
    }
    return set;
}

int ln_system_act(ln_system *system, const ln_moment *moment, const ln_before_event *previous,
                  const char *fired, const ln_after_event *after) {
    int set = 0;
    memcpy(after->memory, system->memory,
           (size_t)system->network->nmemories * sizeof *after->memory);
    memcpy(after->x_set, moment->x, (size_t)system->n * sizeof *after->x_set);
    if (after->sets != NULL)
        memset(after->sets, 0, (size_t)system->nhybrid);
    for (int k = 0; k < system->nhybrid; k++) {
        const ln_active *active = &system->hybrid[k];
        const int nevents = active->instance->block.type->nevents;
        if (nevents > 0 && active->instance->block.type->act != NULL &&
            memchr(fired + active->first_event, 1, (size_t)nevents) != NULL) {
            const int sets =
                act(system, active, moment, previous, fired + active->first_event, after);
            set |= sets;
            if (after->sets != NULL)
                after->sets[k] = (char)sets;
        }
    }
    return set;
}

const ln_instance *ln_hybrid_instance(const ln_system *system, int index) {
    return system->hybrid[index].instance;
}

int ln_hybrid_index(const ln_system *system, const ln_instance *instance) {
    return system->own->hybrid[instance - system->network->instances];
}

const ln_instance *ln_guard_owner(const ln_system *system, int guard) {
    int k = system->nhybrid - 1;
    while (k > 0 && (system->hybrid[k].first_guard > guard ||
                     ln_guards_of(system->hybrid[k].instance->block.type) == 0))
        k--;
    return system->hybrid[k].instance;
}

const ln_instance *ln_event_owner(const ln_system *system, int number, const linnet_event **event) {
    int k = system->nhybrid - 1;
    while (k > 0 && (system->hybrid[k].first_event > number ||
                     system->hybrid[k].instance->block.type->nevents == 0))
        k--;
    *event =
        &system->hybrid[k].instance->block.type->events[number - system->hybrid[k].first_event];
    return system->hybrid[k].instance;
}
