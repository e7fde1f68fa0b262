/* SPDX-License-Identifier: MIT */
/* Adaptive bisection: a part of a step is compared with its chord at a quarter, a half and three
 * quarters; where a column is off, both halves are treated alike. Each value is computed once: a
 * middle is the end of the next parts, a quarter their middle. */
#include "analysis/dense.h"

#include "analysis/simulation.h"

#include <math.h>
#include <string.h>

enum {
    DEPTH = 9, /* bisections of a part: a 512th of it is the shortest line */
    /* of the run: what is faster than a 256th of it is followed by the steps themselves */
    PARTS = 64
};

struct ln_dense {
    ln_recorder *recorder;
    ln_system *system;
    double resolution, tolerance, longest;
    int ncolumns;
    double *range;       /* least and largest value of each column */
    const double *noise; /* per column: its absolute tolerance at the relative one of 1e-4 */
    double *buffer;      /* the points below, ncolumns each */
    double *begin, *middle, *end; /* of the part at hand */
    double begin_t;               /* NAN: nothing was told yet */
};

/* One step as it is being filled. */
typedef struct filling {
    ln_dense *dense;
    const ln_step_view *step;
    double from;
    ln_dense_row *row;
    void *context;
} filling;

ln_dense *ln_dense_new(ln_recorder *recorder, ln_system *system, const ln_settings *settings,
                       ln_arena *arena) {
    ln_dense *dense = LN_NEW(arena, ln_dense, 1);
    if (dense == NULL)
        return NULL;
    int ncolumns;
    (void)ln_recorder_columns(recorder, &ncolumns);
    const size_t n = (size_t)ncolumns;
    *dense = (ln_dense){.recorder = recorder,
                        .system = system,
                        .resolution = settings->resolution,
                        .ncolumns = ncolumns,
                        .longest = (settings->end - settings->begin) / PARTS,
                        .begin_t = NAN,
                        .noise = ln_recorder_noise(recorder, arena),
                        .tolerance = settings->tolerance,
                        .range = LN_NEW(arena, double, 2 * n + 1),
                        .buffer = LN_NEW(arena, double, (3 + 2 * DEPTH) * n + 1)};
    if (dense->range == NULL || dense->noise == NULL || dense->buffer == NULL)
        return NULL;
    for (size_t k = 0; k < n; k++) {
        dense->range[2 * k] = INFINITY;
        dense->range[2 * k + 1] = -INFINITY;
    }
    dense->begin = dense->buffer + 2 * DEPTH * n;
    dense->middle = dense->begin + n;
    dense->end = dense->middle + n;
    return dense;
}

static void widen(ln_dense *dense, const double *values) {
    for (int k = 0; k < dense->ncolumns; k++) {
        dense->range[2 * k] = fmin(dense->range[2 * k], values[k]);
        dense->range[2 * k + 1] = fmax(dense->range[2 * k + 1], values[k]);
    }
}

void ln_dense_told(ln_dense *dense, double t, const double *values) {
    widen(dense, values);
    dense->begin_t = t;
    if (dense->ncolumns > 0)
        memcpy(dense->begin, values, (size_t)dense->ncolumns * sizeof *values);
}

/* ---- looking ---- */

/* The columns at t; *known 0 where the step has no value. */
static linnet_status look(const filling *filler, double t, double *values, int *known) {
    ln_dense *dense = filler->dense;
    const double *x;
    LN_TRY(filler->step->at(filler->step->source, t, &x));
    *known = x != NULL;
    if (!*known)
        return LINNET_OK;
    const double *seen =
        ln_recorder_observe(dense->recorder, dense->system, ln_side_at(filler->step->end, t), x);
    if (dense->ncolumns > 0)
        memcpy(values, seen, (size_t)dense->ncolumns * sizeof *values);
    widen(dense, values);
    return LINNET_OK;
}

/* Does the line from a to b miss m, at this share of the way, in some column, by more than is seen
 * and by more than the tolerance promises of the solution at all? Values that are no numbers show
 * nothing. */
static int misses(const ln_dense *dense, const double *a, const double *m, const double *b,
                  double share) {
    for (int k = 0; k < dense->ncolumns; k++) {
        const double line = a[k] + share * (b[k] - a[k]), low = dense->range[2 * k],
                     high = dense->range[2 * k + 1];
        const double unsolved = dense->tolerance * fmax(fabs(low), fabs(high)) +
                                dense->tolerance / 1e-4 * dense->noise[k];
        if (fabs(m[k] - line) > dense->resolution * (high - low) + unsolved)
            return 1;
    }
    return 0;
}

static linnet_status write(const filling *filler, double t, const double *values) {
    return t >= filler->from ? filler->row(filler->context, t, values) : LINNET_OK;
}

typedef struct part {
    double t[3];
    const double *values[3];
} part; /* begin, middle, end */

static linnet_status divide(const filling *filler, const part *whole, int depth) {
    const ln_dense *dense = filler->dense;
    const double *const *v = whole->values;
    const double left_t = whole->t[0] + (whole->t[1] - whole->t[0]) / 2;
    const double right_t = whole->t[1] + (whole->t[2] - whole->t[1]) / 2;
    double *left = dense->buffer + (size_t)(2 * depth) * (size_t)dense->ncolumns,
           *right = left + dense->ncolumns;
    int left_known, right_known;
    if (!(left_t > whole->t[0] && right_t < whole->t[2]))
        return LINNET_OK;
    LN_TRY(look(filler, left_t, left, &left_known));
    LN_TRY(look(filler, right_t, right, &right_known));
    if (!left_known || !right_known)
        return LINNET_OK;
    if (!misses(dense, v[0], v[1], v[2], 0.5) && !misses(dense, v[0], left, v[2], 0.25) &&
        !misses(dense, v[0], right, v[2], 0.75))
        return LINNET_OK;
    const part first = {{whole->t[0], left_t, whole->t[1]}, {v[0], left, v[1]}};
    const part second = {{whole->t[1], right_t, whole->t[2]}, {v[1], right, v[2]}};
    if (depth + 1 < DEPTH)
        LN_TRY(divide(filler, &first, depth + 1));
    LN_TRY(write(filler, whole->t[1], v[1]));
    return depth + 1 < DEPTH ? divide(filler, &second, depth + 1) : LINNET_OK;
}

linnet_status ln_dense_within(ln_dense *dense, const ln_step_view *step, double from,
                              ln_dense_row *row, void *context) {
    const filling filler = {dense, step, from, row, context};
    const double h = step->end.t - step->begin;
    const int parts = (int)fmax(1, ceil(h / dense->longest * (1 - 1e-9)));
    int known = 1;
    /* a step that was taken anew in several: where this one begins */
    if (dense->begin_t != step->begin) {
        LN_TRY(look(&filler, step->begin, dense->begin, &known));
        if (known && !isnan(dense->begin_t))
            LN_TRY(write(&filler, step->begin, dense->begin));
        dense->begin_t = step->begin;
    }
    for (int k = 1; k <= parts && known; k++) {
        const double t = dense->begin_t,
                     next = k < parts ? step->begin + h * k / parts : step->end.t;
        LN_TRY(look(&filler, t + (next - t) / 2, dense->middle, &known));
        if (known)
            LN_TRY(look(&filler, next, dense->end, &known));
        if (!known)
            break;
        const part whole = {{t, t + (next - t) / 2, next},
                            {dense->begin, dense->middle, dense->end}};
        LN_TRY(divide(&filler, &whole, 0));
        if (k < parts)
            LN_TRY(write(&filler, next, dense->end));
        ln_dense_told(dense, next, dense->end);
    }
    return LINNET_OK;
}

/* ---- a run that goes on later ---- */

void ln_dense_save(const ln_dense *dense, ln_bytes *bytes) {
    const size_t n = (size_t)dense->ncolumns;
    ln_bytes_put_double(bytes, dense->begin_t);
    ln_bytes_put(bytes, dense->begin, n * sizeof(double));
    ln_bytes_put(bytes, dense->range, 2 * n * sizeof(double));
}

int ln_dense_load(ln_dense *dense, ln_bytes *bytes) {
    const size_t n = (size_t)dense->ncolumns;
    dense->begin_t = ln_bytes_get_double(bytes);
    ln_bytes_get(bytes, dense->begin, n * sizeof(double));
    ln_bytes_get(bytes, dense->range, 2 * n * sizeof(double));
    return !bytes->failed;
}

linnet_status ln_simulation_make_dense(ln_simulation *simulation) {
    if (!(simulation->settings.resolution > 0) || simulation->dense != NULL)
        return LINNET_OK;
    /* lines between rows are then stairs */
    if (!simulation->settings.only_after_ticks)
        simulation->settings.record_before_ticks = 1;
    simulation->dense = ln_dense_new(simulation->recorder, simulation->system,
                                     &simulation->settings, simulation->network->arena);
    return simulation->dense != NULL ? LINNET_OK : ln_no_memory(simulation->report);
}
