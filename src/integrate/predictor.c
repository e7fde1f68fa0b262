/* SPDX-License-Identifier: MIT */
/* Start values of a step from the points before it: polynomials of degree 1 and 2, of which the
 * one that served best at the last step is taken; and what of the unknowns follows from sources
 * alone. */
/* Loops over all unknowns become vectors by -O3 only. The pragma would else lose the command line's
 * contraction. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "integrate/predictor.h"

#include "base/sys.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A point is a base for an extrapolation over h where it lies at least this part of h back. What is
 * nearer, as after a located crossing, would carry its rounding and its error far. */
static const double NEAREST = 0.25;

/* Through a longer chain against the order of the rows nothing is known to follow from sources. */
enum { PASSES = 64 };

/* What the last step missed by counts this much for the next, so that an error that passes through
 * zero does not ask for more. */
static const double FADES = 0.1;

void ln_past_drop(int room, double **x, double *t) {
    double *last = x[0];
    memmove(x, x + 1, (size_t)(room - 1) * sizeof(double *));
    memmove(t, t + 1, (size_t)(room - 1) * sizeof *t);
    x[room - 1] = last;
}

void ln_past_add(int room, double **x, double *t, double time, const double *values, int n) {
    double *oldest = x[room - 1];
    memmove(x + 1, x, (size_t)(room - 1) * sizeof(double *));
    memmove(t + 1, t, (size_t)(room - 1) * sizeof *t);
    x[0] = oldest;
    t[0] = time;
    memcpy(oldest, values, (size_t)n * sizeof *values);
}

/* The rows without storage, each with its unknowns. */
static linnet_status list_algebra(const ln_system *system, ln_arena *arena, ln_pattern *rows) {
    const ln_pattern *A = &system->A.pattern;
    ln_scattered entries = {0};
    int ok = 1;
    for (int j = 0; j < A->n; j++)
        for (int k = A->start[j]; ok && k < A->start[j + 1]; k++)
            ok = system->dynamic[A->row[k]] || ln_scattered_add(&entries, j, A->row[k]);
    for (int k = 0; ok && k < system->ndf; k++)
        ok = system->dynamic[system->df_row[k]] ||
             ln_scattered_add(&entries, system->df_col[k], system->df_row[k]);
    int *position = ln_sys->allocate((entries.count + 1) * sizeof *position);
    const linnet_status status =
        ok ? ln_scattered_pattern(&entries, system->n, arena, rows, position) : LINNET_MEMORY;
    ln_sys->release(position);
    ln_scattered_free(&entries);
    return status;
}

/* The only unknown of a row that is not marked, or -1. */
static int only_open(const ln_pattern *rows, int row, const char *marks) {
    int open = -1;
    for (int k = rows->start[row]; k < rows->start[row + 1]; k++) {
        if (marks[rows->row[k]])
            continue;
        if (open >= 0)
            return -1;
        open = rows->row[k];
    }
    return open;
}

/* A step makes no error in what follows from sources alone: a row without storage determines its
 * unknown where all others in it are determined. Without any storage that is everything. By linear
 * rows alone the first update of Newton's method determines it, whatever comes later. */
static linnet_status mark_sourced(ln_predictor *predictor, const ln_system *system,
                                  ln_arena *arena) {
    ln_pattern rows;
    int stored = 0, found = 1;
    char *bends = LN_NEW(arena, char, system->n);
    predictor->origin = LN_NEW(arena, char, system->n);
    if (predictor->origin == NULL || bends == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < system->ndf; k++)
        bends[system->df_row[k]] = 1;
    for (int i = 0; i < system->n; i++)
        stored |= system->dynamic[i];
    memset(predictor->origin, stored ? LN_FROM_STATES : LN_FROM_SOURCES, (size_t)system->n);
    LN_TRY(list_algebra(system, arena, &rows));
    for (int pass = 0; pass < PASSES && found; pass++) {
        found = 0;
        for (int row = 0; row < system->n; row++) {
            const int open = only_open(&rows, row, predictor->origin);
            if (open < 0)
                continue;
            found = 1;
            predictor->origin[open] = LN_FROM_SOURCES_LINEARLY;
            for (int k = rows.start[row]; k < rows.start[row + 1]; k++)
                if (bends[row] || predictor->origin[rows.row[k]] == LN_FROM_SOURCES)
                    predictor->origin[open] = LN_FROM_SOURCES;
        }
    }
    return LINNET_OK;
}

static linnet_status mark_bent(ln_predictor *predictor, const ln_system *system, ln_arena *arena) {
    predictor->bends = LN_NEW(arena, double, system->n);
    if (predictor->bends == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < system->ndf; k++)
        predictor->bends[system->df_col[k]] = 1;
    for (int k = 0; k < system->ndq; k++)
        predictor->bends[system->dq_col[k]] = 1;
    return LINNET_OK;
}

linnet_status ln_predictor_init(ln_predictor *predictor, const ln_system *system, ln_arena *arena) {
    *predictor = (ln_predictor){.n = system->n, .abstol = system->abstol};
    for (int k = 0; k < LN_PREDICTOR_KEPT; k++)
        if ((predictor->x[k] = LN_NEW(arena, double, system->n)) == NULL)
            return LINNET_MEMORY;
    predictor->predicted = LN_NEW(arena, double, system->n);
    predictor->missed = LN_NEW(arena, double, system->n);
    if (predictor->predicted == NULL || predictor->missed == NULL)
        return LINNET_MEMORY;
    LN_TRY(mark_sourced(predictor, system, arena));
    return mark_bent(predictor, system, arena);
}

void ln_predictor_forget(ln_predictor *predictor) {
    predictor->count = predictor->degree = 0;
    memset(predictor->missed, 0, (size_t)predictor->n * sizeof *predictor->missed);
}

/* Weights of x[0] and x[1] in the polynomial of a degree at t + h; that of the present point is one
 * less their sum. */
typedef struct lagrange_weights {
    double first, second;
} lagrange_weights;

static lagrange_weights weights_of(const ln_predictor *p, double t, double h, int degree) {
    const double a = t - p->t[0], b = t - p->t[1];
    if (degree == 0)
        return (lagrange_weights){0, 0};
    if (degree == 1)
        return (lagrange_weights){-h / a, 0};
    return (lagrange_weights){-h * (h + b) / (a * (b - a)), h * (h + a) / (b * (b - a))};
}

static inline double value_of(lagrange_weights w, double x, double first, double second) {
    return x + w.first * (first - x) + w.second * (second - x);
}

/* The polynomial with these weights, n values. */
static void find_values(const ln_predictor *p, lagrange_weights w, const double *restrict x,
                        double *restrict values) {
    const double *restrict first = p->x[0], *restrict second = p->x[1];
    for (int i = 0; i < p->n; i++)
        values[i] = value_of(w, x[i], first[i], second[i]);
}

/* Drops points of a way that has been taken back. Returns the highest degree that is known. */
static int drop_undone_points(ln_predictor *p, double t, double h) {
    for (; p->count > 0 && p->t[0] >= t; p->count--)
        ln_past_drop(LN_PREDICTOR_KEPT, p->x, p->t);
    if (p->count == 0 || t - p->t[0] < NEAREST * h)
        return 0;
    return p->count > 1 && p->t[0] - p->t[1] >= NEAREST * h ? 2 : 1;
}

double ln_predictor_guess(ln_predictor *p, double t, const double *x, double h, int order,
                          double *guess) {
    const int known = drop_undone_points(p, t, h), degree = p->degree < known ? p->degree : known;
    const lagrange_weights nearest = weights_of(p, t, h, degree);
    if (degree == 0)
        memcpy(guess, x, (size_t)p->n * sizeof *guess);
    else
        find_values(p, nearest, x, guess);
    if (known < order)
        return 0;
    if (order == degree)
        memcpy(p->predicted, guess, (size_t)p->n * sizeof *guess);
    else
        find_values(p, weights_of(p, t, h, order), x, p->predicted);
    const double a = t - p->t[0], b = t - p->t[1];
    return order == 1 ? 2 * h / (h + a) : 6 * h * h / ((h + a) * (h + b));
}

void ln_predictor_go_on(const ln_predictor *p, double t, const double *x, double h,
                        const ln_inner_stage *stage, double *guess) {
    const double *inner = stage->x;
    const int degree = p->count > 0 ? p->degree : p->degree > 0;
    const double first = stage->part * h, rest = h - first, back = t - p->t[0];
    if (degree == 0) {
        memcpy(guess, inner, (size_t)p->n * sizeof *guess);
        return;
    }
    for (int i = 0; i < p->n; i++) {
        const double slope = (inner[i] - x[i]) / first;
        const double bend = degree > 1 ? (slope - (x[i] - p->x[0][i]) / back) / (first + back) : 0;
        guess[i] = inner[i] + rest * (slope + h * bend);
    }
}

enum { DEGREES = LN_PREDICTOR_POINTS + 1, LANES = 4 };

/* A step from x to x1. */
typedef struct arrival {
    const double *x, *x1;
} arrival;

/* How far the polynomials miss the unknowns i to i + width - 1; each lane has maxima of its own, so
 * that the loop becomes vectors. */
static inline void find_misses(const ln_predictor *p, const lagrange_weights *by,
                               const arrival *way, int i, int width, double (*off)[LANES]) {
    const double *x = way->x, *x1 = way->x1;
    for (int l = 0; l < width; l++, i++) {
        const double unit = p->bends[i] / (LN_DEFAULT_TOLERANCE * fabs(x1[i]) + p->abstol[i]);
        for (int degree = 0; degree < DEGREES; degree++) {
            const double value = value_of(by[degree], x[i], p->x[0][i], p->x[1][i]);
            const double miss = unit * fabs(x1[i] - value);
            off[degree][l] = miss > off[degree][l] ? miss : off[degree][l];
        }
    }
}

/* The degree whose polynomial comes nearest to x1 in its worst unknown. */
static int best_degree(const ln_predictor *p, double t, const double *x, double h, int known,
                       const double *x1) {
    const lagrange_weights by[DEGREES] = {
        {0, 0}, weights_of(p, t, h, known > 0), weights_of(p, t, h, known)};
    const arrival way = {x, x1};
    double off[DEGREES][LANES] = {{0}}, worst[DEGREES] = {0};
    int i = 0, best = 0;
    for (; i + LANES <= p->n; i += LANES)
        find_misses(p, by, &way, i, LANES, off);
    find_misses(p, by, &way, i, p->n - i, off);
    for (int degree = 0; degree <= known; degree++)
        for (int l = 0; l < LANES; l++)
            worst[degree] = off[degree][l] > worst[degree] ? off[degree][l] : worst[degree];
    for (int degree = 1; degree <= known; degree++)
        if (worst[degree] < worst[best])
            best = degree;
    return best;
}

/* missed = the larger of missed and |x1 - predicted|, times FADES. */
static void note_missed(const ln_predictor *p, const double *restrict x1) {
    double *restrict missed = p->missed;
    const double *restrict predicted = p->predicted;
    for (int i = 0; i < p->n; i++) {
        const double miss = fabs(x1[i] - predicted[i]);
        missed[i] = FADES * (miss > missed[i] ? miss : missed[i]);
    }
}

void ln_predictor_note(ln_predictor *p, double t, const double *x, double h, int order,
                       const double *x1) {
    const int known = drop_undone_points(p, t, h);
    assert(h > 0 && (order == 1 || order == 2));
    p->degree = best_degree(p, t, x, h, known, x1); /* none that has not been seen to serve */
    if (known >= order)
        note_missed(p, x1);
    ln_past_add(LN_PREDICTOR_KEPT, p->x, p->t, t, x, p->n);
    p->count += p->count < LN_PREDICTOR_KEPT;
}
