/* SPDX-License-Identifier: MIT */
/* See the header. */
#include "integrate/saltation.h"

#include "blocks/equations.h"
#include "integrate/drive.h"
#include "integrate/global_error.h"
#include "system/delay.h"

#include <math.h>
#include <string.h>

/* f on all rows at (side, run->x); run->q1 and s are work. 0: it has no value. */
static int find_rows(ln_run *run, ln_side side, double *f) {
    ln_system *system = run->system;
    ln_matrix_apply(&system->A, run->x, f);
    if (ln_system_sources(system, side, run->s) != LINNET_OK ||
        ln_system_eval(system, &(ln_moment){side, run->x}, LN_LIMIT_OFF, run->q1, f, NULL) !=
            LINNET_OK)
        return 0;
    for (int i = 0; i < run->n; i++)
        f[i] -= run->s[i];
    return 1;
}

/* The same on dynamic rows, 0 on the others. */
static int find_rates(ln_run *run, ln_side side, double *f) {
    const int found = find_rows(run, side, f);
    for (int i = 0; i < run->n; i++)
        f[i] = run->system->dynamic[i] ? f[i] : 0;
    return found;
}

/* Does a block do in C what equations cannot say? What it does at an instant may move more than
 * unknowns and memories (an FMU is given its inputs), and is not to be done beside it. */
static int moves_more(const ln_network *network) {
    for (int k = 0; k < network->ninstances; k++) {
        const ln_equations *equations = ln_class_equations(network->instances[k].block.type);
        if (equations != NULL && equations->finish != NULL)
            return 1;
    }
    return 0;
}

linnet_status ln_saltation_init(ln_drive *d) {
    const ln_run *run = &d->run;
    ln_saltation *salt = &d->saltation;
    if (run->global_error == NULL || !ln_is_hybrid(d) || moves_more(run->system->network))
        return LINNET_OK;
    double **vectors[] = {&salt->rate,    &salt->error,    &salt->x,
                          &salt->before,  &salt->x_set[0], &salt->x_set[1],
                          &salt->rows[0], &salt->stored,   &salt->rows[1]};
    double **memories[] = {&salt->held, &salt->memory,   &salt->round,
                           &salt->now,  &salt->after[0], &salt->after[1]};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if ((*vectors[k] = LN_NEW(run->arena, double, run->n)) == NULL)
            return LINNET_MEMORY;
    salt->set = LN_NEW(run->arena, char, run->n);
    for (size_t k = 0; k < sizeof memories / sizeof *memories; k++)
        *memories[k] = LN_NEW(run->arena, double, run->system->network->nmemories);
    if (ln_arena_failed(run->arena))
        return LINNET_MEMORY;
    d->events.saltation = salt;
    return LINNET_OK;
}

/* ---- when the crossing would come ---- */

static void add(int n, const double *x, double part, const double *e, double *sum) {
    for (int i = 0; i < n; i++)
        sum[i] = x[i] + part * e[i];
}

/* The slope at its end of the parabola through three points, the last first, each h/2 before. */
static double slope_of(const double v[3], double h) {
    return (3 * v[0] - 4 * v[1] + v[2]) / h;
}

/* x at the end of the last step, in its middle and at its start. */
static int points_along(ln_drive *d, const double *point[3]) {
    const ln_run *run = &d->run;
    double *const kept[] = {NULL, d->saltation.x_set[0], d->saltation.x_set[1]};
    const double h = run->side.t - d->step_begin;
    point[0] = run->x;
    for (int k = 1; k < 3; k++) {
        const double *x;
        if (ln_drive_interpolate(d, run->side.t - k * h / 2, &x) != LINNET_OK || x == NULL)
            return 0;
        memcpy(kept[k], x, (size_t)run->n * sizeof *x);
        point[k] = kept[k];
    }
    return 1;
}

/* By how much the crossing is late, where several have come at once that which is so least;
 * INFINITY: it is not known. */
static double find_late(ln_drive *d, const double *const point[3]) {
    const ln_run *run = &d->run;
    const ln_saltation *salt = &d->saltation;
    const int nmemories = run->system->network->nmemories;
    const double *e = run->global_error->error, h = run->side.t - d->step_begin;
    double *const along[] = {d->finder.guards_a, d->finder.guards_b, d->finder.guards_trial},
                  *const beside[] = {d->finder.work, d->finder.fall}, late = INFINITY;
    for (int k = 0; k < 3; k++)
        ln_system_guards(run->system,
                         &(ln_moment){ln_side_at(run->side, run->side.t - k * h / 2), point[k]},
                         NULL, along[k]);
    memcpy(salt->memory, run->system->memory, (size_t)nmemories * sizeof *salt->memory);
    for (int k = 0; k < 2; k++) {
        add(run->n, run->x, k == 0 ? salt->part : -salt->part, e, salt->x);
        add(nmemories, salt->memory, k == 0 ? salt->part : -salt->part, salt->held,
            run->system->memory);
        ln_delays_shift(run->system, k == 0 ? salt->part : -salt->part);
        ln_system_guards(run->system, &(ln_moment){run->side, salt->x}, NULL, beside[k]);
    }
    ln_delays_shift(run->system, 0);
    memcpy(run->system->memory, salt->memory, (size_t)nmemories * sizeof *salt->memory);
    for (int k = 0; k < run->system->nguards; k++) {
        const double slope = slope_of((double[]){along[0][k], along[1][k], along[2][k]}, h),
                     now = (beside[1][k] - beside[0][k]) / (2 * salt->part * slope);
        if (d->events.crossed[k] && slope < 0 && fabs(now) < fabs(late))
            late = now;
    }
    return late;
}

void ln_saltation_begin(ln_drive *d) {
    ln_run *run = &d->run;
    ln_saltation *salt = &d->saltation;
    const double h = run->side.t - d->step_begin;
    const double *point[3];
    salt->late = salt->part = 0;
    if (d->events.saltation == NULL || run->global_error->lost)
        return;
    memcpy(salt->error, run->global_error->error, (size_t)run->n * sizeof *salt->error);
    memset(salt->set, 0, (size_t)run->n);
    salt->part = ln_global_error_part(run);
    if (d->leapt || !(h > 0) || !(salt->part > 0))
        return;
    const int crossed = memchr(d->events.crossed, 1, (size_t)run->system->nguards) != NULL;
    double late = crossed ? 0 : ln_delays_find_late(run->system, run->side.t);
    if (!(crossed || fabs(late) > 0) || !points_along(d, point))
        return;
    if (crossed)
        late = find_late(d, point);
    if (!isfinite(late) || !find_rates(run, run->side, salt->rate))
        return;
    salt->late = late;
    for (int i = 0; i < run->n; i++)
        salt->error[i] += late * slope_of((double[]){point[0][i], point[1][i], point[2][i]}, h);
}

/* ---- what events and other rates make of it ---- */

/* The unknowns beside the instant that follow from its states and memories. 0, and x as it was:
 * there is no such point, or it takes more than these. */
static int follow_beside(ln_drive *d, ln_side side, double *x) {
    ln_run *run = &d->run;
    const size_t bytes = (size_t)run->n * sizeof *x;
    if (!ln_consistency_is_index_1(&d->consistency))
        return 0;
    memcpy(d->saltation.stored, run->q, bytes);
    memcpy(d->saltation.rows[0], x, bytes);
    const int done = ln_consistency_keep(&d->consistency, side, d->saltation.rows[0], run->q, x);
    memcpy(run->q, d->saltation.stored, bytes);
    if (!done)
        memcpy(x, d->saltation.rows[0], bytes);
    return done;
}

/* What fired events make of errors, on one side (+1 or -1): their data flows through as many blocks
 * as at the instant itself, which mostly takes a few passes. 0: it does not come to rest, or there
 * is nothing to follow it by; then x_set is what events alone set. */
static int act_beside(const ln_events *events, const ln_moment *moment,
                      const ln_before_event *previous, double by, double *x_set, double *after) {
    enum { MOST_PASSES = 30 };
    const ln_saltation *salt = events->saltation;
    ln_system *system = events->system;
    const int n = system->n, nmemories = system->network->nmemories;
    const size_t bytes = (size_t)nmemories * sizeof *after;
    const double part = by * salt->part;
    const ln_side side = ln_side_at(moment->side, moment->side.t + part * salt->late);
    const ln_before_event beside = {salt->before, salt->memory, salt->round};
    int rests = 0, follows = 1;
    add(n, moment->x, part, salt->error, salt->x);
    add(n, previous->x, part, salt->error, salt->before);
    add(nmemories, previous->m, part, salt->held, salt->memory);
    add(nmemories, previous->m_round, part, salt->held, salt->round);
    memcpy(salt->now, system->memory, bytes);
    add(nmemories, salt->now, part, salt->held, system->memory);
    ln_delays_shift(system, part);
    for (int pass = 0; pass < MOST_PASSES && follows && !rests; pass++) {
        follows = follow_beside(events->algebra.context, side, salt->x);
        (void)ln_system_act(system, &(ln_moment){side, salt->x}, &beside, events->fired,
                            &(ln_after_event){after, x_set, NULL});
        rests = follows && memcmp(after, system->memory, bytes) == 0;
        memcpy(system->memory, after, bytes);
    }
    ln_delays_shift(system, 0);
    memcpy(system->memory, salt->now, bytes);
    return rests;
}

/* The slope of what is `at` between its sides, if it has one: a condition that has just turned true
 * is not beside itself. */
static double slope_between(double below, double at, double above, double part) {
    const double first = above - at, second = at - below;
    return fabs(first - second) <= 0.5 * fmax(fabs(first), fabs(second))
               ? (first + second) / (2 * part)
               : 0;
}

/* Of the memories of an event's block. */
static void hold_errors(const ln_events *events, int number, int rests) {
    ln_saltation *salt = events->saltation;
    const linnet_event *event;
    const ln_instance *owner = ln_event_owner(events->system, number, &event);
    for (int i = 0; i < owner->block.type->nmemories; i++) {
        const int k = owner->first_memory + i;
        salt->held[k] = rests ? slope_between(salt->after[1][k], events->m_next[k],
                                              salt->after[0][k], salt->part)
                              : 0;
    }
}

void ln_saltation_act(const ln_events *events, const ln_moment *moment,
                      const ln_before_event *previous) {
    ln_saltation *salt = events->saltation;
    if (salt == NULL || !(salt->part > 0))
        return;
    int rests = 1;
    for (int k = 0; k < 2; k++)
        rests &=
            act_beside(events, moment, previous, k == 0 ? 1 : -1, salt->x_set[k], salt->after[k]);
    for (int i = 0; i < events->system->n; i++) {
        if (memcmp(&events->x_set[i], &moment->x[i], sizeof *moment->x) == 0)
            continue;
        salt->error[i] =
            slope_between(salt->x_set[1][i], events->x_set[i], salt->x_set[0][i], salt->part);
        salt->set[i] = 1;
    }
    for (int k = 0; k < events->system->nevents; k++)
        if (events->fired[k])
            hold_errors(events, k, rests);
}

/* How fast errors of what is held drive those of what is stored, and what they make of the rest. */
static void find_forcing(ln_drive *d) {
    ln_run *run = &d->run;
    ln_saltation *salt = &d->saltation;
    ln_global_error *global = run->global_error;
    ln_system *system = run->system;
    const int nmemories = system->network->nmemories;
    const size_t bytes = (size_t)nmemories * sizeof *salt->memory;
    global->forced = 0;
    for (int k = 0; k < nmemories; k++)
        global->forced |= fabs(salt->held[k]) > 0;
    if (!global->forced)
        return;
    memcpy(salt->memory, system->memory, bytes);
    for (int k = 0; k < 2; k++) {
        add(nmemories, salt->memory, k == 0 ? salt->part : -salt->part, salt->held, system->memory);
        global->forced &= find_rows(run, run->side, salt->rows[k]);
    }
    memcpy(system->memory, salt->memory, bytes);
    for (int i = 0; i < run->n; i++)
        global->forcing[i] = (salt->rows[1][i] - salt->rows[0][i]) / (2 * salt->part);
}

linnet_status ln_saltation_end(ln_drive *d) {
    const ln_run *run = &d->run;
    const ln_matrix *E = &run->system->E;
    ln_saltation *salt = &d->saltation;
    ln_global_error *global = run->global_error;
    double *set = d->work, *stored = salt->x_set[0];
    if (d->events.saltation == NULL || !(salt->part > 0))
        return LINNET_OK;
    for (int i = 0; i < run->n; i++)
        salt->x[i] = salt->set[i];
    memset(set, 0, (size_t)run->n * sizeof *set);
    ln_add_abs_product(&E->pattern, E->value, 1, salt->x, set);
    ln_matrix_apply(E, salt->error, stored);
    for (int i = 0; i < run->n; i++) {
        if (set[i] > 0)
            global->charge[i] = stored[i] + run->f[i] * salt->late;
        else if (fabs(salt->late) > 0)
            global->charge[i] += (run->f[i] - salt->rate[i]) * salt->late;
    }
    find_forcing(d);
    const int is_late = fabs(salt->late) > 0;
    const linnet_status status =
        is_late ? ln_delays_record_late(run->system, run->side.t, salt->late) : LINNET_OK;
    salt->late = salt->part = 0;
    return status == LINNET_OK ? LINNET_OK : ln_no_memory(run->report);
}
