/* SPDX-License-Identifier: MIT */
/* The functions of classes made of equations that concern memories, modes and events: they run the
 * programs that events.c has compiled. */
#include "blocks/compile.h"

#include "expression/poles.h"
#include "expression/range.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ln_hybrid *hybrid_of(const linnet_block *block) {
    return &((const ln_compiled_type *)block->type->data)->hybrid;
}

static int named(const linnet_block_class *class) {
    return class->nmemories - class->nmodes - LN_DELAY_MEMORIES * class->ndelays;
}

static const double *run(const linnet_block *block, const ln_program *program, size_t at,
                         const linnet_point *point) {
    double *file = block->work + at;
    ln_program_run(program, file, block->p, point);
    return file;
}

/* An <assert> about parameters alone is one about the model. */
static linnet_status check_claims(const linnet_block *block, char message[256]) {
    const ln_hybrid *hybrid = hybrid_of(block);
    for (int k = 0; k < hybrid->nclaims; k++) {
        if (block->work[hybrid->conditions_at +
                        (size_t)hybrid->conditions->output[hybrid->claims[k]]] == 0)
            continue;
        snprintf(message, 256, "%s", block->type->events[hybrid->claims[k]].message);
        return LINNET_MODEL;
    }
    return LINNET_OK;
}

linnet_status ln_hybrid_prepare(const linnet_block *block, char message[256]) {
    const ln_hybrid *hybrid = hybrid_of(block);
    const struct {
        const ln_program *program;
        size_t at;
    } all[] = {{hybrid->remember, hybrid->remember_at}, {hybrid->modes, hybrid->modes_at},
               {hybrid->guards, hybrid->guards_at},     {hybrid->conditions, hybrid->conditions_at},
               {hybrid->act, hybrid->act_at},           {hybrid->delays, hybrid->delays_at},
               {hybrid->bends, hybrid->bends_at}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k].program != NULL)
            ln_program_start(all[k].program, block->work + all[k].at, block->p);
    return check_claims(block, message);
}

static void remember(const linnet_block *block, double t, double *m) {
    const ln_hybrid *hybrid = hybrid_of(block);
    const double *file =
        run(block, hybrid->remember, hybrid->remember_at, &(linnet_point){.t = t, .decide = t});
    for (int k = 0; k < named(block->type); k++)
        m[k] = file[hybrid->remember->output[k]];
}

static void modes(const linnet_block *block, const linnet_point *point, double *mode) {
    const ln_hybrid *hybrid = hybrid_of(block);
    const double *file = run(block, hybrid->modes, hybrid->modes_at, point);
    for (int k = 0; k < block->type->nmodes; k++)
        mode[k] = file[hybrid->modes->output[k]];
}

/* A guard without a value belongs to a condition that is not reached now (the root in the branch
 * not taken). */
static void guards(const linnet_block *block, const linnet_point *point, double *guard) {
    const ln_hybrid *hybrid = hybrid_of(block);
    const double *file = run(block, hybrid->guards, hybrid->guards_at, point);
    for (int k = 0; k < block->type->nmodes; k++) {
        double value = file[hybrid->guards->output[k]];
        guard[k] = isnan(value) ? 1 : value;
    }
}

/* By how much a guard may turn whose range is this and whose change over the stretch is made of
 * values in `change`: by no more than its range is wide. Through a pole it may turn by anything; a
 * range without either end tells nothing. */
static double turn_of(ln_interval range, ln_interval change) {
    if (ln_interval_is_outer(range))
        return ln_interval_has_zero(range) ? INFINITY : -1;
    if (range.low >= 0 || range.high < 0)
        return -1;
    if (isinf(range.low) && isinf(range.high))
        return 0;
    change = ln_poles_whole(change);
    return fmin(fmin(fmax(change.high, 0), fmax(-change.low, 0)), range.high - range.low);
}

static ln_interval way_times(const linnet_stretch *stretch, int by, ln_interval slope) {
    const double way =
        by == LN_BEND_BY_TIME ? stretch->to - stretch->from : stretch->x_end[by] - stretch->x[by];
    return ln_poles_product((ln_interval){way, way}, slope);
}

/* The first output of a guard is itself; its slopes times the ways add up to its change. */
static void turns(const linnet_block *block, const linnet_stretch *stretch, double *turn) {
    const ln_hybrid *hybrid = hybrid_of(block);
    const ln_program *bends = hybrid->bends;
    ln_interval *range = (ln_interval *)(block->work + hybrid->ranges_at);
    const ln_box box = {.t = {stretch->from, stretch->to},
                        .decide = stretch->decide,
                        .x = stretch->x,
                        .x_end = stretch->x_end,
                        .m = stretch->m,
                        .parameters = block->p};
    for (int k = 0; k < block->type->nmodes; k++)
        turn[k] = -1;
    ln_program_range(bends, block->work + hybrid->bends_at, &box, range);
    for (int first = 0, k = 0; first < bends->noutputs; first = k) {
        ln_interval change = LN_ZERO;
        for (k = first + 1; k < bends->noutputs && hybrid->bend_by[k] != LN_BEND_ITSELF; k++)
            change = ln_poles_sum(change,
                                  way_times(stretch, hybrid->bend_by[k], range[bends->output[k]]));
        turn[hybrid->bend_guard[first]] = turn_of(range[bends->output[first]], change);
    }
}

static void conditions(const linnet_block *block, const linnet_point *point, char *holds) {
    const ln_hybrid *hybrid = hybrid_of(block);
    const double *file = run(block, hybrid->conditions, hybrid->conditions_at, point);
    for (int k = 0; k < block->type->nevents; k++)
        holds[k] = file[hybrid->conditions->output[k]] != 0;
}

/* Unknowns and memories as they are, and behind them those of the point before, which pre() reads.
 */
static void act(const linnet_block *block, const linnet_point *point, const linnet_point *before,
                const char *fired, double *m, double *x) {
    const linnet_block_class *class = block->type;
    const ln_hybrid *hybrid = hybrid_of(block);
    const size_t n = (size_t)(class->nports + class->nvars), memories = (size_t) class->nmemories;
    double *unknown = block->work + hybrid->both_at, *memory = unknown + 2 * n;
    memcpy(unknown, point->x, n * sizeof *unknown);
    memcpy(unknown + n, before->x, n * sizeof *unknown);
    if (memories > 0)
        memcpy(memory, point->m, memories * sizeof *memory);
    if (memories > 0)
        memcpy(memory + memories, before->m, memories * sizeof *memory);
    const double *file = run(block, hybrid->act, hybrid->act_at,
                             &(linnet_point){point->t, point->decide, unknown, memory});
    for (int k = 0; k < hybrid->nsets; k++) {
        if (!fired[hybrid->set_event[k]])
            continue;
        double value = file[hybrid->act->output[k]];
        if (hybrid->set_memory[k] >= 0)
            m[hybrid->set_memory[k]] = value;
        else
            x[hybrid->set_unknown[k]] = value;
    }
}

static void delays(const linnet_block *block, const linnet_point *point, linnet_delay *delay) {
    const ln_hybrid *hybrid = hybrid_of(block);
    const double *file = run(block, hybrid->delays, hybrid->delays_at, point);
    for (int k = 0; k < block->type->ndelays; k++) {
        const double lag = file[hybrid->delays->output[2 * k + 1]];
        delay[k] = (linnet_delay){.input = file[hybrid->delays->output[2 * k]],
                                  .lag = lag,
                                  .most = hybrid->lag_is_fixed[k] ? lag : INFINITY,
                                  .before = NAN,
                                  .rate = hybrid->is_rate[k]};
    }
}

void ln_hybrid_functions(linnet_block_class *class, const ln_hybrid *hybrid) {
    if (hybrid->remember != NULL)
        class->remember = remember;
    if (hybrid->modes != NULL)
        class->modes = modes;
    if (hybrid->guards != NULL)
        class->guards = guards;
    if (hybrid->bends != NULL)
        class->turns = turns;
    if (hybrid->conditions != NULL)
        class->conditions = conditions;
    if (hybrid->act != NULL)
        class->act = act;
    if (hybrid->delays != NULL)
        class->delays = delays;
}
