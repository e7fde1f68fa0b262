/* SPDX-License-Identifier: MIT */
/* One period as a product of matrices on (states, memories, inputs): see sampled.h. */
#include "analysis/sampling.h"

#include "analysis/memory_input.h"
#include "integrate/ticks.h"
#include "linear/linear.h"
#include "system/hybrid.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TICKS = 100000, MOST_MULTIPLE = 10000 };
static const double SAME = 1e-9; /* of a period: times that are one */

/* ---- what there is ---- */

/* Memories with a name; the others count samples, or are a type's own. Those of a clock count, and
 * a little more than a count is nothing. */
static linnet_status list_memories(ln_sampling *sampler) {
    const ln_system *system = sampler->small->system;
    const size_t most = (size_t)system->network->nmemories;
    sampler->memories = LN_NEW(sampler->arena, int, most);
    sampler->names = LN_NEW(sampler->arena, const char *, most);
    sampler->units = LN_NEW(sampler->arena, const char *, most);
    if (!sampler->memories || !sampler->names || !sampler->units)
        return ln_no_memory(sampler->small->report);
    for (int i = 0; i < system->nhybrid; i++) {
        const ln_instance *block = ln_hybrid_instance(system, i);
        const linnet_block_class *type = block->block.type;
        for (int k = 0; k < type->nmemories - type->nmodes - 3 * type->ndelays; k++) {
            if (type->memories[k].name == NULL || ln_network_is_clock(system->network, block))
                continue;
            sampler->memories[sampler->nmemories] = block->first_memory + k;
            sampler->units[sampler->nmemories] =
                type->memories[k].unit != NULL ? type->memories[k].unit : "";
            sampler->names[sampler->nmemories] =
                ln_arena_printf(sampler->arena, "%s.%s", block->name, type->memories[k].name);
            if (sampler->names[sampler->nmemories++] == NULL)
                return ln_no_memory(sampler->small->report);
        }
    }
    return LINNET_OK;
}

static linnet_status begin(ln_sampling *sampler, const ln_settings *settings,
                           const ln_space_ports *ports) {
    ln_small_signal *small = sampler->small;
    LN_TRY(list_memories(sampler));
    LN_TRY(ln_state_space_make(small, ports,
                               (ln_state_space_how){0, 1, sampler->memories, sampler->nmemories},
                               &sampler->space));
    if (sampler->space.T == NULL)
        return ln_fail(small->report, LINNET_FAILED, LN_NOWHERE,
                       "a model of index above 1 is not sampled (linnet eig names the blocks)");
    sampler->n = small->n;
    sampler->states = sampler->space.n;
    sampler->size = sampler->states + sampler->nmemories + sampler->ninputs;
    const size_t size = (size_t)sampler->size, n = (size_t)sampler->n;
    sampler->inputs = LN_NEW(sampler->arena, ln_input, sampler->ninputs);
    sampler->x = LN_NEW(sampler->arena, double, n);
    sampler->x_now = LN_NEW(sampler->arena, double, n);
    sampler->memory = LN_NEW(sampler->arena, double, small->system->network->nmemories);
    sampler->held = LN_NEW(sampler->arena, char, small->system->nevents);
    sampler->varied = LN_NEW(sampler->arena, double, size);
    sampler->scale = LN_NEW(sampler->arena, double, size);
    sampler->z = LN_NEW(sampler->arena, double, 2 * size);
    sampler->map = LN_NEW(sampler->arena, double, size *size);
    sampler->part = LN_NEW(sampler->arena, double, size *size);
    sampler->product = LN_NEW(sampler->arena, double, size *size);
    sampler->seen = LN_NEW(sampler->arena, double, size *(size_t)ports->noutputs);
    if (!LN_ALL_SET(sampler->inputs, sampler->x, sampler->x_now, sampler->memory, sampler->held,
                    sampler->varied, sampler->scale, sampler->z, sampler->map, sampler->part,
                    sampler->product, sampler->seen))
        return ln_no_memory(small->report);
    for (int k = 0; k < sampler->named; k++) {
        LN_TRY(ln_small_signal_input(small, ports->inputs[k], &sampler->inputs[k]));
        LN_TRY(ln_memory_check_input(small, &sampler->inputs[k]));
    }
    memcpy(sampler->x, small->x, n * sizeof *sampler->x);
    sampler->t = small->at.side.t;
    return ln_ticking_new(small->system, settings, sampler->t, sampler->x, small->report,
                          &sampler->ticking);
}

/* ---- when ---- */

static double next_of_all(const ln_sampling *sampler, double t) {
    double next = INFINITY;
    for (int i = 0; i < sampler->small->system->nhybrid; i++)
        next = fmin(next, ln_tick_from(sampler->small->system, i, t));
    return next;
}

/* Passes the ticks before `end`, the first of them being the next. */
static linnet_status pass_until(ln_sampling *sampler, double end, int *left) {
    for (double next = next_of_all(sampler, sampler->t); next < end && (*left)-- > 0;
         next = next_of_all(sampler, sampler->t)) {
        LN_TRY(ln_ticking_pass(sampler->ticking, next, sampler->x));
        sampler->t = next;
    }
    return LINNET_OK;
}

/* The common multiple of two periods; 0: none up to so many of the first. */
static double common_multiple(double a, double b) {
    for (int k = 1; k <= MOST_MULTIPLE; k++) {
        const double ratio = k * a / b;
        if (fabs(ratio - round(ratio)) <= SAME * ratio && ratio > 0.5)
            return k * a;
    }
    return 0;
}

/* Every clock ticks twice, which tells its period, and past what is different at a first tick. */
static linnet_status find_period(ln_sampling *sampler) {
    ln_report *report = sampler->small->report;
    const int count = sampler->small->system->nhybrid;
    double slowest = 0;
    int of = -1, left = MOST_TICKS;
    double *first = LN_NEW(sampler->arena, double, count),
           *second = LN_NEW(sampler->arena, double, count);
    if (first == NULL || second == NULL)
        return ln_no_memory(report);
    for (int i = 0; i < count; i++) {
        first[i] = ln_tick_from(sampler->small->system, i, sampler->t);
        if (!isfinite(first[i]))
            continue;
        LN_TRY(pass_until(sampler, nextafter(first[i], INFINITY), &left));
        second[i] = ln_tick_from(sampler->small->system, i, sampler->t);
        if (!isfinite(second[i]))
            continue; /* it has ended */
        LN_TRY(pass_until(sampler, nextafter(second[i], INFINITY), &left));
        const double period = second[i] - first[i];
        sampler->period = sampler->period == 0 ? period : common_multiple(sampler->period, period);
        if (!(sampler->period > 0) || left <= 0)
            return ln_fail(report, LINNET_FAILED,
                           ln_hybrid_instance(sampler->small->system, i)->place,
                           "%s: its period of %.9g s and those of others have no common multiple "
                           "that is short enough to be "
                           "sampled over",
                           ln_hybrid_instance(sampler->small->system, i)->name, period);
        if (period > slowest)
            slowest = period, of = i;
    }
    if (of < 0)
        return ln_fail(report, LINNET_FAILED, LN_NOWHERE,
                       "nothing in the model has a clock or period: there is nothing to "
                       "sample; leave --sampled out");
    sampler->start = ln_tick_from(sampler->small->system, of, sampler->t);
    LN_TRY(pass_until(sampler, sampler->start - SAME * sampler->period, &left));
    return LINNET_OK;
}

/* ---- the maps ---- */

static void keep_base(ln_sampling *sampler) {
    const ln_system *system = sampler->small->system;
    memcpy(sampler->memory, system->memory, (size_t)system->network->nmemories * sizeof(double));
    memcpy(sampler->held, ln_ticking_held(sampler->ticking), (size_t)system->nevents);
}

static void restore_base(ln_sampling *sampler) {
    const ln_system *system = sampler->small->system;
    memcpy(system->memory, sampler->memory, (size_t)system->network->nmemories * sizeof(double));
    memcpy(ln_ticking_held(sampler->ticking), sampler->held, (size_t)system->nevents);
    memcpy(sampler->x_now, sampler->x, (size_t)sampler->n * sizeof *sampler->x);
}

/* Whether a value is one of the last times at which anything ticked. */
static int was_a_tick(const ln_sampling *sampler, double value) {
    return value > sampler->start - 2 * sampler->period &&
           fabs(value - sampler->t) <= SAME * sampler->period;
}

/* How far each is varied: states and inputs by their size, or that of what is nominal. */
static void choose_steps(ln_sampling *sampler) {
    for (int k = 0; k < sampler->size; k++) {
        const double value =
            k < sampler->states ? sampler->space.states[k].value
            : k < sampler->states + sampler->nmemories
                ? sampler->small->system->memory[sampler->memories[k - sampler->states]]
                : 1;
        sampler->varied[k] = ln_memory_step(value);
        const int own = k - sampler->states;
        if (own >= 0 && own < sampler->nmemories && strcmp(sampler->units[own], "s") == 0 &&
            was_a_tick(sampler, value))
            sampler->varied[k] = 0;
    }
}

/* One value more or less. An input is added to the sources; `by` 0 takes it away again. */
static void vary(ln_sampling *sampler, int k, double by) {
    ln_system *system = sampler->small->system;
    if (k < sampler->states) {
        for (int i = 0; i < sampler->n; i++)
            sampler->x_now[i] += by * sampler->space.T[(size_t)k * (size_t)sampler->n + (size_t)i];
    } else if (k < sampler->states + sampler->nmemories) {
        system->memory[sampler->memories[k - sampler->states]] += by;
    } else if (k < sampler->states + sampler->nmemories + sampler->named) {
        const ln_input *input = &sampler->inputs[k - sampler->states - sampler->nmemories];
        for (int j = 0; j < input->nshares; j++)
            if (input->shares[j].row >= 0)
                system->s_constant[input->shares[j].row] += by * input->shares[j].value;
    }
}

/* States and memories at x_now. */
static linnet_status read_values(ln_sampling *sampler, double *z) {
    ln_system *system = sampler->small->system;
    double *q = sampler->small->arena != NULL ? LN_NEW(sampler->arena, double, sampler->n) : NULL;
    if (q == NULL)
        return ln_no_memory(sampler->small->report);
    ln_matrix_apply(&system->E, sampler->x_now, q);
    if (!system->linear_q)
        LN_TRY(ln_system_eval(system, &(ln_moment){ln_side_left(sampler->t, 0), sampler->x_now},
                              LN_LIMIT_OFF, q, NULL, NULL));
    for (int k = 0; k < sampler->states; k++)
        z[k] = q[sampler->space.row[k]] / sampler->space.scale[k];
    for (int k = 0; k < sampler->nmemories; k++)
        z[sampler->states + k] = system->memory[sampler->memories[k]];
    return LINNET_OK;
}

/* map = part map */
static void compose(ln_sampling *sampler) {
    const int n = sampler->size;
    memset(sampler->product, 0, (size_t)n * (size_t)n * sizeof *sampler->product);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) {
            const double factor = sampler->map[j * n + k];
            for (int i = 0; i < n && factor != 0; i++)
                sampler->product[j * n + i] += sampler->part[k * n + i] * factor;
        }
    double *swap = sampler->map;
    sampler->map = sampler->product;
    sampler->product = swap;
}

/* Through the ticks at it->t: the derivative of what they do; then they are passed. */
static linnet_status tick(ln_sampling *sampler) {
    const int n = sampler->size, moving = sampler->states + sampler->nmemories;
    keep_base(sampler);
    memset(sampler->part, 0, (size_t)n * (size_t)n * sizeof *sampler->part);
    for (int k = 0; k < n; k++) {
        double *column = sampler->part + k * n;
        if (sampler->varied[k] == 0)
            continue;
        for (int side = 0; side < 2; side++) {
            const double by = side == 0 ? -sampler->varied[k] : sampler->varied[k];
            restore_base(sampler);
            vary(sampler, k, by);
            linnet_status status = ln_ticking_pass(sampler->ticking, sampler->t, sampler->x_now);
            if (k >= moving)
                vary(sampler, k, -by);
            LN_TRY(status);
            LN_TRY(read_values(sampler, sampler->z + side * n));
        }
        for (int i = 0; i < moving; i++)
            column[i] = (sampler->z[n + i] - sampler->z[i]) / (2 * sampler->varied[k]);
        if (k >= moving)
            column[k] = 1;
    }
    restore_base(sampler);
    LN_TRY(ln_ticking_pass(sampler->ticking, sampler->t, sampler->x_now));
    memcpy(sampler->x, sampler->x_now, (size_t)sampler->n * sizeof *sampler->x);
    compose(sampler);
    return LINNET_OK;
}

/* How many of (states, memories, inputs) act by themselves: not those that others change to. */
static int acting(const ln_sampling *sampler) {
    return sampler->states + sampler->nmemories + sampler->named;
}

/* Column k of [A B] of the continuous part: its inputs are those asked for, then memories. */
static const double *rate_column(const ln_sampling *sampler, int k) {
    const int s = sampler->states, m = sampler->nmemories;
    if (k < s)
        return sampler->space.A + k * s;
    return k < s + m ? sampler->space.B + (sampler->named + k - s) * s
                     : sampler->space.B + (k - s - m) * s;
}
static const double *output_column(const ln_sampling *sampler, int k) {
    const int s = sampler->states, m = sampler->nmemories, p = sampler->space.noutputs;
    if (k < s)
        return sampler->space.C + k * p;
    return k < s + m ? sampler->space.D + (sampler->named + k - s) * p
                     : sampler->space.D + (k - s - m) * p;
}

/* Continuous time goes on. */
static linnet_status flow(ln_sampling *sampler, double span) {
    const int n = sampler->size;
    memset(sampler->part, 0, (size_t)n * (size_t)n * sizeof *sampler->part);
    for (int k = 0; k < acting(sampler); k++)
        for (int i = 0; i < sampler->states; i++)
            sampler->part[k * n + i] = span * rate_column(sampler, k)[i];
    linnet_status status = ln_dense_exponential(n, sampler->part);
    if (status == LINNET_FAILED)
        return ln_fail(sampler->small->report, LINNET_FAILED, LN_NOWHERE,
                       "the model grows or decays too fast to be sampled over %.9g s", span);
    if (status != LINNET_OK)
        return ln_no_memory(sampler->small->report);
    compose(sampler);
    return LINNET_OK;
}

static void look_at_outputs(ln_sampling *sampler) {
    const int n = sampler->size, p = sampler->space.noutputs;
    for (int j = 0; j < n; j++)
        for (int k = 0; k < acting(sampler); k++)
            for (int i = 0; i < p; i++)
                sampler->seen[j * p + i] += output_column(sampler, k)[i] * sampler->map[j * n + k];
}

/* ---- inputs that change within the period ---- */

int ln_whole_periods(double lag, double period) {
    return (int)ceil(lag / period - SAME) - 1;
}

static double change_at(const ln_sampling *sampler, int k) {
    const double lag = sampler->changes->items[k].lag;
    return lag - ln_whole_periods(lag, sampler->period) * sampler->period;
}

/* Input k of those that change takes its other value. */
static void change(ln_sampling *sampler, int k) {
    const int n = sampler->size, own = acting(sampler) - sampler->changes->count + k;
    memset(sampler->part, 0, (size_t)n * (size_t)n * sizeof *sampler->part);
    for (int i = 0; i < n; i++)
        sampler->part[(i == own ? own + sampler->changes->count : i) * n + i] = 1;
    compose(sampler);
}

/* Continuous time goes on from the ticks for a span, through the changes in their order. */
static linnet_status flow_through_changes(ln_sampling *sampler, double span) {
    const int count = sampler->changes != NULL ? sampler->changes->count : 0;
    double now = 0, last = -1;
    for (;;) {
        double next = INFINITY;
        for (int k = 0; k < count; k++)
            if (change_at(sampler, k) > last)
                next = fmin(next, change_at(sampler, k));
        if (!(next < span))
            return flow(sampler, span - now);
        if (next > now)
            LN_TRY(flow(sampler, next - now));
        for (int k = 0; k < count; k++)
            if (change_at(sampler, k) == next)
                change(sampler, k);
        now = last = next;
    }
}

/* Which of the last outputs see what moves between ticks. */
static void look_for_moves(const ln_sampling *sampler, int instants) {
    const int count = sampler->changes != NULL ? sampler->changes->count : 0,
              first = sampler->space.noutputs - count;
    for (int c = 0; c < count; c++) {
        ln_period_change *item = &sampler->changes->items[c];
        double most = 0, moving = 0;
        for (int k = 0; k < acting(sampler); k++) {
            const double part = fabs(output_column(sampler, k)[first + c]);
            most = fmax(most, part);
            if (k < sampler->states || k >= acting(sampler) - count)
                moving = fmax(moving, part);
        }
        item->moves = moving > LN_SAMPLING_NOTHING * most;
        item->instants = instants;
    }
}

/* Ticks and flows from it->start to the same tick a period later. */
static linnet_status go_round(ln_sampling *sampler) {
    const double end = sampler->start + sampler->period * (1 - SAME);
    for (int k = 0; k < sampler->size; k++)
        sampler->map[k * sampler->size + k] = 1;
    choose_steps(sampler); /* it->t: the last tick so far */
    sampler->t = sampler->start;
    for (int ticks = 0;; ticks++) {
        LN_TRY(tick(sampler));
        if (ticks == 0)
            look_at_outputs(sampler);
        double next = next_of_all(sampler, sampler->t);
        if (ticks > MOST_MULTIPLE || !isfinite(next))
            return ln_fail(sampler->small->report, LINNET_FAILED, LN_NOWHERE,
                           "the clocks do not repeat themselves");
        const int last = next >= end;
        LN_TRY(flow_through_changes(sampler, last ? sampler->start + sampler->period - sampler->t
                                                  : next - sampler->t));
        if (last) {
            look_for_moves(sampler, ticks + 1);
            break;
        }
        sampler->t = next;
    }
    return LINNET_OK;
}

linnet_status ln_sampled_period(ln_small_signal *small, const ln_settings *settings,
                                const ln_space_ports *ports, const ln_period_changes *changes,
                                ln_state_space *out) {
    const int ninputs = ports->ninputs + (changes != NULL ? changes->count : 0);
    *out =
        (ln_state_space){.arena = ln_arena_new(), .ninputs = ninputs, .noutputs = ports->noutputs};
    if (out->arena == NULL)
        return ln_no_memory(small->report);
    ln_sampling sampler = {.small = small,
                           .arena = small->arena,
                           .ninputs = ninputs,
                           .named = ports->ninputs,
                           .changes = changes};
    linnet_status status = begin(&sampler, settings, ports);
    if (status == LINNET_OK)
        status = find_period(&sampler);
    if (status == LINNET_OK)
        status = go_round(&sampler);
    if (status == LINNET_OK)
        status = ln_sampling_finish(&sampler, out);
    ln_state_space_free(&sampler.space);
    ln_ticking_free(sampler.ticking);
    return status == LINNET_MEMORY ? ln_no_memory(small->report) : status;
}
