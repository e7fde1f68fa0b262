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
static const double SAME = 1e-9;       /* of a period: times that are one                                             */
static const double NOTHING = 1e-11;   /* scaled entries below are rounding                                           */

typedef struct sampling {
    ln_small_signal *small;
    ln_arena *arena;
    ln_ticking *ticking;
    ln_state_space space;          /* between ticks; memories are inputs behind those asked for                       */
    ln_input *inputs;
    int *memories;                 /* their numbers in system->memory                                                 */
    const char **names, **units;   /* of them                                                                         */
    int n, states, nmemories, ninputs, size; /* size: states, then memories, then inputs                              */
    double t, start, period;       /* now; where the period begins                                                    */
    double *x, *memory; char *held;    /* just before the tick at hand, unvaried                                      */
    double *varied;                /* size: by how much; 0: it is not, a time that a block has noted                  */
    double *x_now, *z;             /* work: n; two of size                                                            */
    double *map;                   /* size x size, column by column: from the begin of the period to now              */
    double *part, *product;        /* work: the same                                                                  */
    double *seen;                  /* outputs x size: just after the first ticks                                      */
} sampling;

/* ---- what there is ---- */

/* Memories with a name; the others count samples, or are a type's own. Those of a clock count, and a little more than a
 * count is nothing. */
static linnet_status list_memories(sampling *it) {
    const ln_system *system = it->small->system;
    const size_t most = (size_t)system->network->nmemories;
    it->memories = LN_NEW(it->arena, int, most);
    it->names = LN_NEW(it->arena, const char *, most);
    it->units = LN_NEW(it->arena, const char *, most);
    if (!it->memories || !it->names || !it->units) return ln_no_memory(it->small->report);
    for (int i = 0; i < system->nhybrid; i++) {
        const ln_instance *block = ln_hybrid_instance(system, i);
        const linnet_block_class *type = block->block.type;
        for (int k = 0; k < type->nmemories - type->nmodes - 3 * type->ndelays; k++) {
            if (type->memories[k].name == NULL || ln_network_is_clock(system->network, block)) continue;
            it->memories[it->nmemories] = block->first_memory + k;
            it->units[it->nmemories] = type->memories[k].unit != NULL ? type->memories[k].unit : "";
            it->names[it->nmemories] = ln_arena_printf(it->arena, "%s.%s", block->name, type->memories[k].name);
            if (it->names[it->nmemories++] == NULL) return ln_no_memory(it->small->report);
        }
    }
    return LINNET_OK;
}

/* A discrete block reads its inputs at ticks, past the equations: u must move the signal itself. */
static linnet_status check_input(const sampling *it, const ln_input *input) {
    const ln_network *network = it->small->system->network;
    int hidden = input->nshares == 0;
    for (int k = 0; k < network->ninstances && !hidden; k++) {
        const ln_instance *block = &network->instances[k];
        const size_t length = strlen(block->name);
        if (block->block.type->nevents == 0) continue;
        hidden = strncmp(input->name, block->name, length) == 0 && input->name[length] == '.';
        for (int j = 0; j < block->block.type->nports && input->added >= 0; j++)
            hidden |= block->links[j] >= 0 && network->links[block->links[j]].unknown == input->added;
    }
    if (!hidden) return LINNET_OK;
    return ln_fail(it->small->report, LINNET_USAGE, LN_NOWHERE,
                   "%s cannot be the input of a sampled model: a discrete block "
                   "reads it at ticks; name the source, or the signal with the block that drives it",
                   input->name);
}

static linnet_status begin(sampling *it, const ln_settings *settings, const char *const *inputs, const ln_column *outputs,
                           int noutputs) {
    ln_small_signal *small = it->small;
    if (small->nterms > 0)
        return ln_fail(small->report, LINNET_FAILED, small->system->network->instances[small->terms[0].instance].place,
                       "%s: a model with transport delays is not sampled; put a pade-delay in its place, or whole periods of "
                       "a sample-delay", small->system->network->instances[small->terms[0].instance].name);
    LN_TRY(list_memories(it));
    LN_TRY(ln_state_space_make(small, inputs, it->ninputs, outputs, noutputs,
                               (ln_state_space_how){0, 1, it->memories, it->nmemories}, &it->space));
    it->n = small->n;
    it->states = it->space.n;
    it->size = it->states + it->nmemories + it->ninputs;
    const size_t size = (size_t)it->size, n = (size_t)it->n;
    it->inputs = LN_NEW(it->arena, ln_input, it->ninputs);
    it->x = LN_NEW(it->arena, double, n);
    it->x_now = LN_NEW(it->arena, double, n);
    it->memory = LN_NEW(it->arena, double, small->system->network->nmemories);
    it->held = LN_NEW(it->arena, char, small->system->nevents);
    it->varied = LN_NEW(it->arena, double, size);
    it->z = LN_NEW(it->arena, double, 2 * size);
    it->map = LN_NEW(it->arena, double, size * size);
    it->part = LN_NEW(it->arena, double, size * size);
    it->product = LN_NEW(it->arena, double, size * size);
    it->seen = LN_NEW(it->arena, double, size * (size_t)noutputs);
    if (!it->inputs || !it->x || !it->x_now || !it->memory || !it->held || !it->varied || !it->z || !it->map || !it->part ||
        !it->product || !it->seen)
        return ln_no_memory(small->report);
    for (int k = 0; k < it->ninputs; k++) {
        LN_TRY(ln_small_signal_input(small, inputs[k], &it->inputs[k]));
        LN_TRY(check_input(it, &it->inputs[k]));
    }
    memcpy(it->x, small->x, n * sizeof *it->x);
    it->t = small->at.t;
    return ln_ticking_new(small->system, settings, it->t, it->x, small->report, &it->ticking);
}

/* ---- when ---- */

static double next_of_all(const sampling *it, double t) {
    double next = INFINITY;
    for (int i = 0; i < it->small->system->nhybrid; i++) next = fmin(next, ln_ticking_next(it->ticking, i, t));
    return next;
}

/* Passes the ticks before `end`, the first of them being the next. */
static linnet_status pass_until(sampling *it, double end, int *left) {
    for (double next = next_of_all(it, it->t); next < end && (*left)-- > 0; next = next_of_all(it, it->t)) {
        LN_TRY(ln_ticking_pass(it->ticking, next, it->x));
        it->t = next;
    }
    return LINNET_OK;
}

/* The common multiple of two periods; 0: none up to so many of the first. */
static double common_multiple(double a, double b) {
    for (int k = 1; k <= MOST_MULTIPLE; k++) {
        const double ratio = k * a / b;
        if (fabs(ratio - round(ratio)) <= SAME * ratio && ratio > 0.5) return k * a;
    }
    return 0;
}

/* Every clock ticks twice, which tells its period, and past what is different at a first tick. */
static linnet_status find_period(sampling *it) {
    ln_report *report = it->small->report;
    const int count = it->small->system->nhybrid;
    double slowest = 0;
    int of = -1, left = MOST_TICKS;
    double *first = LN_NEW(it->arena, double, count), *second = LN_NEW(it->arena, double, count);
    if (first == NULL || second == NULL) return ln_no_memory(report);
    for (int i = 0; i < count; i++) {
        first[i] = ln_ticking_next(it->ticking, i, it->t);
        if (!isfinite(first[i])) continue;
        LN_TRY(pass_until(it, nextafter(first[i], INFINITY), &left));
        second[i] = ln_ticking_next(it->ticking, i, it->t);
        if (!isfinite(second[i])) continue; /* it has ended */
        LN_TRY(pass_until(it, nextafter(second[i], INFINITY), &left));
        const double period = second[i] - first[i];
        it->period = it->period == 0 ? period : common_multiple(it->period, period);
        if (!(it->period > 0) || left <= 0)
            return ln_fail(report, LINNET_FAILED, ln_hybrid_instance(it->small->system, i)->place,
                           "%s: its period of %.9g s and those of others have no common multiple that is short enough to be "
                           "sampled over", ln_hybrid_instance(it->small->system, i)->name, period);
        if (period > slowest) slowest = period, of = i;
    }
    if (of < 0)
        return ln_fail(report, LINNET_FAILED, LN_NOWHERE, "nothing in the model has a clock or period: there is nothing to "
                       "sample; leave --sampled out");
    it->start = ln_ticking_next(it->ticking, of, it->t);
    LN_TRY(pass_until(it, it->start - SAME * it->period, &left));
    return LINNET_OK;
}

/* ---- the maps ---- */

static void keep_base(sampling *it) {
    const ln_system *system = it->small->system;
    memcpy(it->memory, system->memory, (size_t)system->network->nmemories * sizeof(double));
    memcpy(it->held, ln_ticking_held(it->ticking), (size_t)system->nevents);
}

static void restore_base(sampling *it) {
    const ln_system *system = it->small->system;
    memcpy(system->memory, it->memory, (size_t)system->network->nmemories * sizeof(double));
    memcpy(ln_ticking_held(it->ticking), it->held, (size_t)system->nevents);
    memcpy(it->x_now, it->x, (size_t)it->n * sizeof *it->x);
}

/* Whether a value is one of the last times at which anything ticked. */
static int was_a_tick(const sampling *it, double value) {
    return value > it->start - 2 * it->period && fabs(value - it->t) <= SAME * it->period;
}

/* How far each is varied: states and inputs by their size, or that of what is nominal. */
static void choose_steps(sampling *it) {
    for (int k = 0; k < it->size; k++) {
        const double value = k < it->states ? it->space.states[k].value
                             : k < it->states + it->nmemories ? it->small->system->memory[it->memories[k - it->states]] : 1;
        it->varied[k] = ln_memory_step(value);
        const int own = k - it->states;
        if (own >= 0 && own < it->nmemories && strcmp(it->units[own], "s") == 0 && was_a_tick(it, value)) it->varied[k] = 0;
    }
}

/* One value more or less. An input is added to the sources; `by` 0 takes it away again. */
static void vary(sampling *it, int k, double by) {
    ln_system *system = it->small->system;
    if (k < it->states) {
        for (int i = 0; i < it->n; i++) it->x_now[i] += by * it->space.T[(size_t)k * (size_t)it->n + (size_t)i];
    } else if (k < it->states + it->nmemories) {
        system->memory[it->memories[k - it->states]] += by;
    } else {
        const ln_input *input = &it->inputs[k - it->states - it->nmemories];
        for (int j = 0; j < input->nshares; j++)
            if (input->shares[j].row >= 0) system->s_constant[input->shares[j].row] += by * input->shares[j].value;
    }
}

/* States and memories at x_now. */
static linnet_status read_values(sampling *it, double *z) {
    ln_system *system = it->small->system;
    double *q = it->small->arena != NULL ? LN_NEW(it->arena, double, it->n) : NULL;
    if (q == NULL) return ln_no_memory(it->small->report);
    ln_matrix_apply(&system->E, it->x_now, q);
    if (!system->linear_q) LN_TRY(ln_system_eval(system, it->t, it->t, it->x_now, LN_LIMIT_OFF, q, NULL, NULL));
    for (int k = 0; k < it->states; k++) z[k] = q[it->space.row[k]] / it->space.scale[k];
    for (int k = 0; k < it->nmemories; k++) z[it->states + k] = system->memory[it->memories[k]];
    return LINNET_OK;
}

/* map = part map */
static void compose(sampling *it) {
    const int n = it->size;
    memset(it->product, 0, (size_t)n * (size_t)n * sizeof *it->product);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) {
            const double factor = it->map[j * n + k];
            for (int i = 0; i < n && factor != 0; i++) it->product[j * n + i] += it->part[k * n + i] * factor;
        }
    double *swap = it->map;
    it->map = it->product;
    it->product = swap;
}

/* Through the ticks at it->t: the derivative of what they do; then they are passed. */
static linnet_status tick(sampling *it) {
    const int n = it->size, moving = it->states + it->nmemories;
    keep_base(it);
    memset(it->part, 0, (size_t)n * (size_t)n * sizeof *it->part);
    for (int k = 0; k < n; k++) {
        double *column = it->part + k * n;
        if (it->varied[k] == 0) continue;
        for (int side = 0; side < 2; side++) {
            const double by = side == 0 ? -it->varied[k] : it->varied[k];
            restore_base(it);
            vary(it, k, by);
            linnet_status status = ln_ticking_pass(it->ticking, it->t, it->x_now);
            if (k >= moving) vary(it, k, -by);
            LN_TRY(status);
            LN_TRY(read_values(it, it->z + side * n));
        }
        for (int i = 0; i < moving; i++) column[i] = (it->z[n + i] - it->z[i]) / (2 * it->varied[k]);
        if (k >= moving) column[k] = 1;
    }
    restore_base(it);
    LN_TRY(ln_ticking_pass(it->ticking, it->t, it->x_now));
    memcpy(it->x, it->x_now, (size_t)it->n * sizeof *it->x);
    compose(it);
    return LINNET_OK;
}

/* Column k of [A B] of the continuous part: its inputs are those asked for, then memories. */
static const double *rate_column(const sampling *it, int k) {
    const int s = it->states, m = it->nmemories;
    if (k < s) return it->space.A + k * s;
    return k < s + m ? it->space.B + (it->ninputs + k - s) * s : it->space.B + (k - s - m) * s;
}
static const double *output_column(const sampling *it, int k) {
    const int s = it->states, m = it->nmemories, p = it->space.noutputs;
    if (k < s) return it->space.C + k * p;
    return k < s + m ? it->space.D + (it->ninputs + k - s) * p : it->space.D + (k - s - m) * p;
}

/* Continuous time goes on. */
static linnet_status flow(sampling *it, double span) {
    const int n = it->size;
    memset(it->part, 0, (size_t)n * (size_t)n * sizeof *it->part);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < it->states; i++) it->part[k * n + i] = span * rate_column(it, k)[i];
    linnet_status status = ln_dense_exponential(n, it->part);
    if (status == LINNET_FAILED)
        return ln_fail(it->small->report, LINNET_FAILED, LN_NOWHERE,
                       "the model grows or decays too fast to be sampled over %.9g s", span);
    if (status != LINNET_OK) return ln_no_memory(it->small->report);
    compose(it);
    return LINNET_OK;
}

static void look_at_outputs(sampling *it) {
    const int n = it->size, p = it->space.noutputs;
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            for (int i = 0; i < p; i++) it->seen[j * p + i] += output_column(it, k)[i] * it->map[j * n + k];
}

/* Ticks and flows from it->start to the same tick a period later. */
static linnet_status go_round(sampling *it) {
    const double end = it->start + it->period * (1 - SAME);
    for (int k = 0; k < it->size; k++) it->map[k * it->size + k] = 1;
    choose_steps(it); /* it->t: the last tick so far */
    it->t = it->start;
    for (int ticks = 0;; ticks++) {
        LN_TRY(tick(it));
        if (ticks == 0) look_at_outputs(it);
        double next = next_of_all(it, it->t);
        if (ticks > MOST_MULTIPLE || !isfinite(next))
            return ln_fail(it->small->report, LINNET_FAILED, LN_NOWHERE, "the clocks do not repeat themselves");
        const int last = next >= end;
        LN_TRY(flow(it, last ? it->start + it->period - it->t : next - it->t));
        if (last) break;
        it->t = next;
    }
    return LINNET_OK;
}

/* ---- the result ---- */

static int is_nothing(const sampling *it, int row, int col) {
    return fabs(it->map[col * it->size + row]) * it->varied[col] <= NOTHING * it->varied[row];
}

/* Whether a kept state or an output sees this one. */
static int is_seen(const sampling *it, const char *kept, int k) {
    const int moving = it->states + it->nmemories, p = it->space.noutputs;
    for (int i = 0; i < moving; i++)
        if (i != k && kept[i] && !is_nothing(it, i, k)) return 1;
    double most = 0;
    for (int j = 0; j < it->size; j++)
        for (int i = 0; i < p; i++) most = fmax(most, fabs(it->seen[j * p + i]));
    for (int i = 0; i < p; i++)
        if (fabs(it->seen[k * p + i]) > NOTHING * most) return 1;
    return 0;
}

static linnet_status write_down(sampling *it, char *kept, ln_state_space *out) {
    const int moving = it->states + it->nmemories, p = it->space.noutputs, m = it->ninputs;
    int *from = LN_NEW(it->arena, int, moving);
    if (from == NULL) return LINNET_MEMORY;
    for (int k = 0; k < moving; k++)
        if (kept[k]) from[out->n++] = k;
    const size_t n = (size_t)out->n;
    out->states = LN_NEW(out->arena, ln_label, n);
    out->inputs = LN_NEW(out->arena, ln_label, m);
    out->outputs = LN_NEW(out->arena, ln_label, p);
    out->A = LN_NEW(out->arena, double, n * n);
    out->B = LN_NEW(out->arena, double, n * (size_t)m);
    out->C = LN_NEW(out->arena, double, n * (size_t)p);
    out->D = LN_NEW(out->arena, double, (size_t)m * (size_t)p);
    if (!out->states || !out->inputs || !out->outputs || !out->A || !out->B || !out->C || !out->D) return LINNET_MEMORY;
    for (int k = 0; k < out->n + m; k++) {
        const int col = k < out->n ? from[k] : moving + k - out->n;
        double *rates = k < out->n ? out->A + k * out->n : out->B + (k - out->n) * out->n;
        double *seen = k < out->n ? out->C + k * p : out->D + (k - out->n) * p;
        for (int i = 0; i < out->n; i++) rates[i] = is_nothing(it, from[i], col) ? 0 : it->map[col * it->size + from[i]];
        memcpy(seen, it->seen + col * p, (size_t)p * sizeof *seen);
    }
    for (int k = 0; k < out->n; k++) {
        const int own = from[k] - it->states;
        ln_label label = own < 0 ? it->space.states[from[k]]
                                 : (ln_label){it->names[own], it->units[own], it->memory[it->memories[own]]};
        label.name = ln_arena_string(out->arena, label.name);
        if (label.name == NULL) return LINNET_MEMORY;
        out->states[k] = label;
    }
    memcpy(out->inputs, it->space.inputs, (size_t)m * sizeof *out->inputs);
    memcpy(out->outputs, it->space.outputs, (size_t)p * sizeof *out->outputs);
    return LINNET_OK;
}

static linnet_status finish(sampling *it, ln_state_space *out) {
    const int moving = it->states + it->nmemories;
    char *kept = LN_NEW(it->arena, char, moving);
    if (kept == NULL) return LINNET_MEMORY;
    for (int k = 0; k < moving; k++) kept[k] = it->varied[k] > 0;
    for (int again = 1; again;) {
        again = 0;
        for (int k = 0; k < moving; k++)
            if (kept[k] && !is_seen(it, kept, k)) kept[k] = 0, again = 1;
    }
    out->period = it->period;
    return write_down(it, kept, out);
}

linnet_status ln_sampled_make(ln_small_signal *small, const ln_settings *settings, const char *const *inputs, int ninputs,
                              const ln_column *outputs, int noutputs, ln_state_space *out) {
    *out = (ln_state_space){.arena = ln_arena_new(), .ninputs = ninputs, .noutputs = noutputs};
    if (out->arena == NULL) return ln_no_memory(small->report);
    sampling it = {.small = small, .arena = small->arena, .ninputs = ninputs};
    linnet_status status = begin(&it, settings, inputs, outputs, noutputs);
    if (status == LINNET_OK) status = find_period(&it);
    if (status == LINNET_OK) status = go_round(&it);
    if (status == LINNET_OK) status = finish(&it, out);
    ln_state_space_free(&it.space);
    ln_ticking_free(it.ticking);
    return status == LINNET_MEMORY ? ln_no_memory(small->report) : status;
}
