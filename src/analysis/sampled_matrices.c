/* SPDX-License-Identifier: MIT */
/* From the map of a period to A, B, C, D: the states that are seen by the outputs or by one
 * another, and moved, in scales of like size (sampled.h). */
#include "analysis/sampling.h"

#include "linear/linear.h"
#include <math.h>
#include <string.h>

/* Scales in which the map from period to period has rows and columns of like size. */
static linnet_status balance(ln_sampling *sampler) {
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

static double scaled(const ln_sampling *sampler, int row, int col) {
    return fabs(sampler->map[col * sampler->size + row]) * sampler->scale[col] /
           sampler->scale[row];
}

/* An entry that is rounding beside the largest of its column, or of its row. */
static int is_nothing(const ln_sampling *sampler, int row, int col) {
    const int moving = sampler->states + sampler->nmemories;
    double most = 0;
    for (int i = 0; i < moving; i++)
        most = fmax(most, sampler->varied[i] > 0 ? scaled(sampler, i, col) : 0);
    for (int j = 0; j < moving; j++)
        most = fmax(most, sampler->varied[j] > 0 && col < moving ? scaled(sampler, row, j) : 0);
    return scaled(sampler, row, col) <= LN_SAMPLING_NOTHING * most;
}

/* Whether a kept state or an output sees this one. */
static int is_seen(const ln_sampling *sampler, const char *kept, int k) {
    const int moving = sampler->states + sampler->nmemories, p = sampler->space.noutputs;
    for (int i = 0; i < moving; i++)
        if (i != k && kept[i] && !is_nothing(sampler, i, k))
            return 1;
    double most = 0;
    for (int j = 0; j < sampler->size; j++)
        for (int i = 0; i < p; i++)
            most = fmax(most, fabs(sampler->seen[j * p + i]));
    for (int i = 0; i < p; i++)
        if (fabs(sampler->seen[k * p + i]) > LN_SAMPLING_NOTHING * most)
            return 1;
    return 0;
}

/* Whether a kept state or an input moves this memory: one that keeps its value, or takes a fixed
 * one, is a constant (the integral of a controller without integral part). */
static int is_moved(const ln_sampling *sampler, const char *kept, int k) {
    const int moving = sampler->states + sampler->nmemories;
    for (int j = 0; j < moving; j++)
        if (j != k && kept[j] && !is_nothing(sampler, k, j))
            return 1;
    for (int j = moving; j < sampler->size; j++)
        if (!is_nothing(sampler, k, j))
            return 1;
    const double own = sampler->map[k * sampler->size + k];
    return k < sampler->states ||
           (fabs(own - 1) > LN_SAMPLING_NOTHING && !is_nothing(sampler, k, k));
}

/* A state of the sampled system: one of the continuous system, or a memory. */
static ln_state_label label_of(const ln_sampling *sampler, int state) {
    const int own = state - sampler->states;
    if (own < 0)
        return sampler->space.states[state];
    return (ln_state_label){sampler->names[own], sampler->units[own],
                            sampler->memory[sampler->memories[own]]};
}

/* The columns of the map that belong to the kept states and the inputs, as A, B, C, D. */
static void write_matrices(const ln_sampling *sampler, const int *from, ln_state_space *out) {
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

static linnet_status write_down(ln_sampling *sampler, char *kept, ln_state_space *out) {
    const int moving = sampler->states + sampler->nmemories, p = sampler->space.noutputs;
    int *from = LN_NEW(sampler->arena, int, moving);
    if (from == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < moving; k++)
        if (kept[k])
            from[out->n++] = k;
    LN_TRY(ln_state_space_allocate(out));
    write_matrices(sampler, from, out);
    for (int k = 0; k < out->n; k++) {
        out->states[k] = label_of(sampler, from[k]);
        out->states[k].name = ln_arena_string(out->arena, out->states[k].name);
        if (out->states[k].name == NULL)
            return LINNET_MEMORY;
    }
    memcpy(out->inputs, sampler->space.inputs, (size_t)sampler->named * sizeof *out->inputs);
    memcpy(out->outputs, sampler->space.outputs, (size_t)p * sizeof *out->outputs);
    return LINNET_OK;
}

linnet_status ln_sampling_finish(ln_sampling *sampler, ln_state_space *out) {
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
            if (kept[k] && !(is_seen(sampler, kept, k) && is_moved(sampler, kept, k)))
                kept[k] = 0, again = 1;
    }
    out->period = sampler->period;
    return write_down(sampler, kept, out);
}
