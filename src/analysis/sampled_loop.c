/* SPDX-License-Identifier: MIT */
/* Multipliers, and the curve of a sampled loop. */
#include "analysis/sampled_loop.h"

#include "analysis/loop_curve.h"
#include "base/sys.h"
#include "integrate/ticks.h"
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ON_CIRCLE = 1e-9; /* | |z| - 1 |: neither grows nor decays */

/* ---- multipliers ---- */

/* Eigenvalues of A (n x n, column by column): those of the pencil s - A. */
static linnet_status eigenvalues(const double *A, int n, ln_arena *arena, ln_eigen *out) {
    const size_t size = (size_t)n * (size_t)n;
    int *start = LN_NEW(arena, int, n + 1), *row = LN_NEW(arena, int, size);
    double *one = LN_NEW(arena, double, size), *minus = LN_NEW(arena, double, size);
    if (start == NULL || row == NULL || one == NULL || minus == NULL)
        return LINNET_MEMORY;
    for (int j = 0; j < n; j++) {
        start[j + 1] = (j + 1) * n;
        for (int i = 0; i < n; i++) {
            row[j * n + i] = i;
            one[j * n + i] = i == j;
            minus[j * n + i] = -A[j * n + i];
        }
    }
    const ln_pattern pattern = {n, start, row};
    return ln_eigen_dense(&(ln_pencil){.pattern = &pattern, .E = one, .A = minus}, 0, arena, out);
}

static int by_size(const void *a, const void *b) {
    const double *x = a, *y = b;
    const double sx = hypot(x[0], x[1]), sy = hypot(y[0], y[1]);
    return sx > sy ? -1 : sx < sy ? 1 : ln_eigen_by_size(a, b);
}

static linnet_status take(const ln_state_space *space, ln_arena *arena, ln_multipliers *out) {
    ln_eigen eigen;
    LN_TRY(eigenvalues(space->A, space->n, arena, &eigen));
    *out = (ln_multipliers){.period = space->period, .value = eigen.value, .count = eigen.count};
    if (eigen.count > 0)
        qsort(eigen.value, (size_t)eigen.count, 2 * sizeof *eigen.value, by_size);
    for (int k = 0; k < eigen.count; k++) {
        const double over = hypot(eigen.value[2 * k], eigen.value[2 * k + 1]) - 1;
        out->growing += over > ON_CIRCLE;
        out->marginal += fabs(over) <= ON_CIRCLE;
    }
    return LINNET_OK;
}

/* Does anything tick? */
static int has_clocks(const ln_small_signal *small) {
    for (int i = 0; i < small->system->nhybrid; i++)
        if (isfinite(ln_tick_from(small->system, i, small->at.side.t)))
            return 1;
    return 0;
}

static linnet_status find_multipliers(ln_small_signal *small, const ln_settings *settings,
                                      ln_multipliers *out) {
    const ln_network *network = small->system->network;
    ln_column *columns = LN_NEW(small->arena, ln_column, network->nlinks);
    ln_state_space space;
    int count = 0;
    if (columns == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < network->nlinks; k++)
        if (network->links[k].unknown >= 0)
            columns[count++].name = network->links[k].name;
    linnet_status status =
        ln_sampled_make(small, settings, &(ln_space_ports){NULL, 0, columns, count}, &space);
    if (status == LINNET_OK)
        status = take(&space, small->arena, out);
    ln_state_space_free(&space);
    return status;
}

linnet_status ln_multipliers_find(ln_small_signal *small, const ln_settings *settings,
                                  ln_multipliers *out) {
    ln_small_signal quiet = *small;
    *out = (ln_multipliers){.period = 0};
    if (!has_clocks(small))
        return LINNET_OK;
    quiet.report = ln_report_new(NULL, NULL);
    if (quiet.report == NULL)
        return ln_no_memory(small->report);
    linnet_status status = find_multipliers(&quiet, settings, out);
    if (status != LINNET_OK && (ln_report_has_lost(quiet.report) ||
                                ln_report_status(quiet.report, LINNET_MODEL) == LINNET_MEMORY))
        status = LINNET_MEMORY;
    const char *why = status != LINNET_OK ? ln_report_first_error(quiet.report) : NULL;
    if (why != NULL && (out->why_none = ln_arena_string(small->arena, why)) == NULL)
        status = LINNET_MEMORY;
    ln_report_free(quiet.report);
    if (status == LINNET_MEMORY)
        return ln_no_memory(small->report);
    return status == LINNET_INTERNAL ? status : LINNET_OK;
}

/* ---- the loop ---- */

/* H and dH/dz at z by elimination of z - A. LINNET_RETRY: a pole. */
static linnet_status response_at(const ln_state_space *space, ln_linear *solver, double *values,
                                 double complex z, double complex H[2]) {
    const int n = space->n;
    double complex *x = (double complex *)(values + 2 * (size_t)n * (size_t)n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            values[2 * (j * n + i)] = (i == j ? creal(z) : 0) - space->A[j * n + i];
            values[2 * (j * n + i) + 1] = i == j ? cimag(z) : 0;
        }
    const ln_factored outcome = ln_linear_factor(solver, values);
    if (outcome != LN_FACTORED)
        return outcome == LN_SINGULAR ? LINNET_RETRY : LINNET_MEMORY;
    H[0] = space->D[0];
    H[1] = 0;
    for (int i = 0; i < n; i++)
        x[i] = space->B[i];
    for (int power = 0; power < 2; power++) {
        ln_linear_solve(solver, (double *)x);
        for (int i = 0; i < n; i++)
            H[power] += (power == 0 ? 1 : -1) * space->C[i] * x[i];
    }
    return LINNET_OK;
}

static linnet_status at_sampled(const ln_loop_curve *curve, double w, ln_loop_point *point) {
    const double P = curve->sampled->period;
    const double complex z = cexp(w * P * I);
    double complex H[2];
    LN_TRY(response_at(curve->sampled, curve->solver, curve->values, z, H));
    if (H[0] == 0)
        return LINNET_RETRY;
    *point = (ln_loop_point){w, 1 / H[0] - 1, -H[1] / (H[0] * H[0]) * P * z * I};
    return LINNET_OK;
}

/* Frequencies of the multipliers: |ln z| / P, and their angles. */
static linnet_status list_frequencies(const ln_multipliers *all, ln_frequencies *list) {
    for (int k = 0; k < all->count; k++) {
        const double complex z = all->value[2 * k] + all->value[2 * k + 1] * I;
        if (z == 0 || cimag(z) < 0)
            continue;
        const double complex s = clog(z) / all->period;
        const double pair[2] = {creal(s), cimag(s)};
        LN_TRY(ln_frequencies_add(list, pair, 1));
    }
    return LINNET_OK;
}

static linnet_status prepare(ln_loop_curve *curve, ln_arena *arena) {
    const int n = curve->sampled->n;
    const size_t size = (size_t)n * (size_t)n;
    int *start = LN_NEW(arena, int, n + 1), *row = LN_NEW(arena, int, size);
    ln_pattern *pattern = LN_NEW(arena, ln_pattern, 1);
    curve->values = LN_NEW(arena, double, 2 * size + 2 * (size_t)n);
    if (start == NULL || row == NULL || pattern == NULL || curve->values == NULL)
        return LINNET_MEMORY;
    for (int j = 0; j < n; j++) {
        start[j + 1] = (j + 1) * n;
        for (int i = 0; i < n; i++)
            row[j * n + i] = i;
    }
    *pattern = (ln_pattern){n, start, row};
    curve->solver = ln_linear_new_complex(pattern, LN_LINEAR_DENSE);
    return curve->solver != NULL ? LINNET_OK : LINNET_MEMORY;
}

static linnet_status follow(const ln_small_signal *small, const char *signal, ln_loop_curve *curve,
                            ln_frequencies *list, ln_margins *out) {
    const double last = acos(-1) / curve->sampled->period;
    ln_multipliers all;
    ln_loop_point end;
    LN_TRY(take(curve->sampled, out->arena, &all));
    LN_TRY(list_frequencies(&all, list));
    LN_TRY(prepare(curve, out->arena));
    size_t kept = 0;
    for (size_t k = 0; k < list->count; k++)
        if (list->w[k] < last)
            list->w[kept++] = list->w[k];
    const double low = 1e-4 * fmin(list->low > 0 ? list->low : last, last);
    LN_TRY(ln_loop_sample(curve, low, last * (1 - 1e-12), list->w, kept));
    int closed = 0;
    for (size_t k = 0; k < curve->count && !closed; k++)
        closed = cabs(curve->points[k].L) > 1e-12;
    if (!closed)
        return ln_fail(small->report, LINNET_USAGE, LN_NOWHERE,
                       "nothing comes back to '%s', at the clocks neither: it is in no loop; "
                       "linnet loops lists those there are",
                       signal);
    linnet_status status = curve->at(curve, last, &end); /* z = -1: L is real there */
    curve->ends = status == LINNET_OK;
    curve->end = creal(end.L);
    curve->end_w = last;
    LN_TRY(status == LINNET_RETRY ? LINNET_OK : status);
    LN_TRY(ln_loop_crossings(curve, out));
    out->period = curve->sampled->period;
    out->unstable = out->growing = all.growing;
    out->marginal = all.marginal;
    out->points = curve->points;
    out->npoints = (int)curve->count;
    curve->points = NULL;
    return LINNET_OK;
}

static linnet_status find_sampled(ln_small_signal *small, const ln_settings *settings,
                                  const char *signal, ln_margins *out) {
    const ln_column column = {.name = signal};
    ln_state_space space;
    ln_loop_curve curve = {.at = at_sampled, .sampled = &space, .faint = 1e-9};
    ln_frequencies list = {.count = 0};
    *out = (ln_margins){.arena = ln_arena_new(), .unstable = -1};
    if (out->arena == NULL)
        return ln_no_memory(small->report);
    linnet_status status =
        ln_sampled_make(small, settings, &(ln_space_ports){&signal, 1, &column, 1}, &space);
    if (status == LINNET_OK)
        status = follow(small, signal, &curve, &list, out);
    ln_linear_free(curve.solver);
    ln_sys->release(curve.points);
    ln_sys->release(list.w);
    ln_state_space_free(&space);
    return status == LINNET_MEMORY ? ln_no_memory(small->report) : status;
}

linnet_status ln_margins_find_any(ln_small_signal *small, const ln_settings *settings,
                                  const char *signal, ln_linear_kind kind, ln_margins *out) {
    if (!has_clocks(small))
        return ln_margins_find(small, signal, kind, out);
    ln_small_signal quiet = *small;
    quiet.report = ln_report_new(NULL, NULL);
    if (quiet.report == NULL)
        return ln_no_memory(small->report);
    const linnet_status status = ln_margins_find(&quiet, signal, kind, out);
    ln_report_free(quiet.report);
    if (status == LINNET_OK)
        return LINNET_OK;
    ln_margins_free(out);
    return find_sampled(small, settings, signal, out);
}
