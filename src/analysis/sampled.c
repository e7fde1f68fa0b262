/* SPDX-License-Identifier: MIT */
/* One period as a product of matrices on (states, memories, inputs): see sampled.h. */
#include "analysis/sampled.h"

#include "analysis/memory_input.h"
#include "integrate/ticks.h"
#include "linear/linear.h"
#include "system/hybrid.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TICKS = 100000, MOST_MULTIPLE = 10000 };
static const double SAME = 1e-9;     /* of a period: times that are one */
static const double NOTHING = 1e-11; /* scaled entries below are rounding */

typedef struct sampling {
    ln_small_signal *small;
    ln_arena *arena;
    ln_ticking *ticking;
    ln_state_space space; /* between ticks; memories are inputs behind those asked for */
    ln_input *inputs;
    int *memories;                           /* their numbers in system->memory */
    const char **names, **units;             /* of them */
    int n, states, nmemories, ninputs, size; /* size: states, then memories, then inputs */
    double t, start, period;                 /* now; where the period begins */
    double *x, *memory;
    char *held;             /* just before the tick at hand, unvaried */
    double *varied;         /* size: by how much; 0: it is not, a time that a block has noted */
    double *x_now, *z;      /* work: n; two of size */
    double *scale;          /* size: what is compared in `map` */
    double *map;            /* size x size, column by column: from the begin of the period to now */
    double *part, *product; /* work: the same */
    double *seen;           /* outputs x size: just after the first ticks */
} sampling;

/* ---- what there is ---- */

/* Memories with a name; the others count samples, or are a type's own. Those of a clock count, and
 * a little more than a count is nothing. */
static linnet_status list_memories(sampling *sampler) {
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

static linnet_status begin(sampling *sampler, const ln_settings *settings,
                           const ln_space_ports *ports) {
    ln_small_signal *small = sampler->small;
    if (small->nterms > 0)
        return ln_fail(small->report, LINNET_FAILED,
                       small->system->network->instances[small->terms[0].instance].place,
                       "%s: a model with transport delays is not sampled; put a pade-delay in its "
                       "place, or whole periods of "
                       "a sample-delay",
                       small->system->network->instances[small->terms[0].instance].name);
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
    for (int k = 0; k < sampler->ninputs; k++) {
        LN_TRY(ln_small_signal_input(small, ports->inputs[k], &sampler->inputs[k]));
        LN_TRY(ln_memory_check_input(small, &sampler->inputs[k]));
    }
    memcpy(sampler->x, small->x, n * sizeof *sampler->x);
    sampler->t = small->at.side.t;
    return ln_ticking_new(small->system, settings, sampler->t, sampler->x, small->report,
                          &sampler->ticking);
}

/* ---- when ---- */

static double next_of_all(const sampling *sampler, double t) {
    double next = INFINITY;
    for (int i = 0; i < sampler->small->system->nhybrid; i++)
        next = fmin(next, ln_tick_from(sampler->small->system, i, t));
    return next;
}

/* Passes the ticks before `end`, the first of them being the next. */
static linnet_status pass_until(sampling *sampler, double end, int *left) {
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
static linnet_status find_period(sampling *sampler) {
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

static void keep_base(sampling *sampler) {
    const ln_system *system = sampler->small->system;
    memcpy(sampler->memory, system->memory, (size_t)system->network->nmemories * sizeof(double));
    memcpy(sampler->held, ln_ticking_held(sampler->ticking), (size_t)system->nevents);
}

static void restore_base(sampling *sampler) {
    const ln_system *system = sampler->small->system;
    memcpy(system->memory, sampler->memory, (size_t)system->network->nmemories * sizeof(double));
    memcpy(ln_ticking_held(sampler->ticking), sampler->held, (size_t)system->nevents);
    memcpy(sampler->x_now, sampler->x, (size_t)sampler->n * sizeof *sampler->x);
}

/* Whether a value is one of the last times at which anything ticked. */
static int was_a_tick(const sampling *sampler, double value) {
    return value > sampler->start - 2 * sampler->period &&
           fabs(value - sampler->t) <= SAME * sampler->period;
}

/* How far each is varied: states and inputs by their size, or that of what is nominal. */
static void choose_steps(sampling *sampler) {
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
static void vary(sampling *sampler, int k, double by) {
    ln_system *system = sampler->small->system;
    if (k < sampler->states) {
        for (int i = 0; i < sampler->n; i++)
            sampler->x_now[i] += by * sampler->space.T[(size_t)k * (size_t)sampler->n + (size_t)i];
    } else if (k < sampler->states + sampler->nmemories) {
        system->memory[sampler->memories[k - sampler->states]] += by;
    } else {
        const ln_input *input = &sampler->inputs[k - sampler->states - sampler->nmemories];
        for (int j = 0; j < input->nshares; j++)
            if (input->shares[j].row >= 0)
                system->s_constant[input->shares[j].row] += by * input->shares[j].value;
    }
}

/* States and memories at x_now. */
static linnet_status read_values(sampling *sampler, double *z) {
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
static void compose(sampling *sampler) {
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
static linnet_status tick(sampling *sampler) {
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

/* Column k of [A B] of the continuous part: its inputs are those asked for, then memories. */
static const double *rate_column(const sampling *sampler, int k) {
    const int s = sampler->states, m = sampler->nmemories;
    if (k < s)
        return sampler->space.A + k * s;
    return k < s + m ? sampler->space.B + (sampler->ninputs + k - s) * s
                     : sampler->space.B + (k - s - m) * s;
}
static const double *output_column(const sampling *sampler, int k) {
    const int s = sampler->states, m = sampler->nmemories, p = sampler->space.noutputs;
    if (k < s)
        return sampler->space.C + k * p;
    return k < s + m ? sampler->space.D + (sampler->ninputs + k - s) * p
                     : sampler->space.D + (k - s - m) * p;
}

/* Continuous time goes on. */
static linnet_status flow(sampling *sampler, double span) {
    const int n = sampler->size;
    memset(sampler->part, 0, (size_t)n * (size_t)n * sizeof *sampler->part);
    for (int k = 0; k < n; k++)
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

static void look_at_outputs(sampling *sampler) {
    const int n = sampler->size, p = sampler->space.noutputs;
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            for (int i = 0; i < p; i++)
                sampler->seen[j * p + i] += output_column(sampler, k)[i] * sampler->map[j * n + k];
}

/* Ticks and flows from it->start to the same tick a period later. */
static linnet_status go_round(sampling *sampler) {
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
        LN_TRY(flow(sampler,
                    last ? sampler->start + sampler->period - sampler->t : next - sampler->t));
        if (last)
            break;
        sampler->t = next;
    }
    return LINNET_OK;
}

/* ---- the result ---- */

/* Scales in which the map from period to period has rows and columns of like size. */
static linnet_status balance(sampling *sampler) {
    const int moving = sampler->states + sampler->nmemories;
    double *map = LN_NEW(sampler->arena, double, (size_t)moving *(size_t)moving);
    if (map == NULL)
        return LINNET_MEMORY;
    for (int j = 0; j < moving; j++)
        for (int i = 0; i < moving && sampler->varied[j] > 0; i++)
            map[j * moving + i] = sampler->varied[i] > 0 ? sampler->map[j * sampler->size + i] : 0;
    for (int k = 0; k < sampler->size; k++)
        sampler->scale[k] = 1;
    ln_dense_balance(moving, map, sampler->scale);
    return LINNET_OK;
}

static double scaled(const sampling *sampler, int row, int col) {
    return fabs(sampler->map[col * sampler->size + row]) * sampler->scale[col] /
           sampler->scale[row];
}

/* An entry that is rounding beside the largest of its column, or of its row. */
static int is_nothing(const sampling *sampler, int row, int col) {
    const int moving = sampler->states + sampler->nmemories;
    double most = 0;
    for (int i = 0; i < moving; i++)
        most = fmax(most, sampler->varied[i] > 0 ? scaled(sampler, i, col) : 0);
    for (int j = 0; j < moving; j++)
        most = fmax(most, sampler->varied[j] > 0 && col < moving ? scaled(sampler, row, j) : 0);
    return scaled(sampler, row, col) <= NOTHING * most;
}

/* Whether a kept state or an output sees this one. */
static int is_seen(const sampling *sampler, const char *kept, int k) {
    const int moving = sampler->states + sampler->nmemories, p = sampler->space.noutputs;
    for (int i = 0; i < moving; i++)
        if (i != k && kept[i] && !is_nothing(sampler, i, k))
            return 1;
    double most = 0;
    for (int j = 0; j < sampler->size; j++)
        for (int i = 0; i < p; i++)
            most = fmax(most, fabs(sampler->seen[j * p + i]));
    for (int i = 0; i < p; i++)
        if (fabs(sampler->seen[k * p + i]) > NOTHING * most)
            return 1;
    return 0;
}

/* A state of the sampled system: one of the continuous system, or a memory. */
static ln_state_label label_of(const sampling *sampler, int state) {
    const int own = state - sampler->states;
    if (own < 0)
        return sampler->space.states[state];
    return (ln_state_label){sampler->names[own], sampler->units[own],
                            sampler->memory[sampler->memories[own]]};
}

/* The columns of the map that belong to the kept states and the inputs, as A, B, C, D. */
static void write_matrices(const sampling *sampler, const int *from, ln_state_space *out) {
    const int moving = sampler->states + sampler->nmemories, p = sampler->space.noutputs;
    for (int k = 0; k < out->n + sampler->ninputs; k++) {
        const int is_state = k < out->n, col = is_state ? from[k] : moving + k - out->n;
        double *rates = is_state ? out->A + k * out->n : out->B + (k - out->n) * out->n;
        double *seen = is_state ? out->C + k * p : out->D + (k - out->n) * p;
        for (int i = 0; i < out->n; i++)
            rates[i] =
                is_nothing(sampler, from[i], col) ? 0 : sampler->map[col * sampler->size + from[i]];
        memcpy(seen, sampler->seen + col * p, (size_t)p * sizeof *seen);
    }
}

static linnet_status write_down(sampling *sampler, char *kept, ln_state_space *out) {
    const int moving = sampler->states + sampler->nmemories, p = sampler->space.noutputs,
              m = sampler->ninputs;
    int *from = LN_NEW(sampler->arena, int, moving);
    if (from == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < moving; k++)
        if (kept[k])
            from[out->n++] = k;
    const size_t n = (size_t)out->n;
    out->states = LN_NEW(out->arena, ln_state_label, n);
    out->inputs = LN_NEW(out->arena, ln_state_label, m);
    out->outputs = LN_NEW(out->arena, ln_state_label, p);
    out->A = LN_NEW(out->arena, double, n *n);
    out->B = LN_NEW(out->arena, double, n *(size_t)m);
    out->C = LN_NEW(out->arena, double, n *(size_t)p);
    out->D = LN_NEW(out->arena, double, (size_t)m *(size_t)p);
    if (!LN_ALL_SET(out->states, out->inputs, out->outputs, out->A, out->B, out->C, out->D))
        return LINNET_MEMORY;
    write_matrices(sampler, from, out);
    for (int k = 0; k < out->n; k++) {
        out->states[k] = label_of(sampler, from[k]);
        out->states[k].name = ln_arena_string(out->arena, out->states[k].name);
        if (out->states[k].name == NULL)
            return LINNET_MEMORY;
    }
    memcpy(out->inputs, sampler->space.inputs, (size_t)m * sizeof *out->inputs);
    memcpy(out->outputs, sampler->space.outputs, (size_t)p * sizeof *out->outputs);
    return LINNET_OK;
}

static linnet_status finish(sampling *sampler, ln_state_space *out) {
    const int moving = sampler->states + sampler->nmemories;
    char *kept = LN_NEW(sampler->arena, char, moving);
    if (kept == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < moving; k++)
        kept[k] = sampler->varied[k] > 0;
    LN_TRY(balance(sampler));
    for (int again = 1; again;) {
        again = 0;
        for (int k = 0; k < moving; k++)
            if (kept[k] && !is_seen(sampler, kept, k))
                kept[k] = 0, again = 1;
    }
    out->period = sampler->period;
    return write_down(sampler, kept, out);
}

linnet_status ln_sampled_make(ln_small_signal *small, const ln_settings *settings,
                              const ln_space_ports *ports, ln_state_space *out) {
    *out = (ln_state_space){
        .arena = ln_arena_new(), .ninputs = ports->ninputs, .noutputs = ports->noutputs};
    if (out->arena == NULL)
        return ln_no_memory(small->report);
    sampling sampler = {.small = small, .arena = small->arena, .ninputs = ports->ninputs};
    linnet_status status = begin(&sampler, settings, ports);
    if (status == LINNET_OK)
        status = find_period(&sampler);
    if (status == LINNET_OK)
        status = go_round(&sampler);
    if (status == LINNET_OK)
        status = finish(&sampler, out);
    ln_state_space_free(&sampler.space);
    ln_ticking_free(sampler.ticking);
    return status == LINNET_MEMORY ? ln_no_memory(small->report) : status;
}
