/* SPDX-License-Identifier: MIT */
/* All finite modes of a pencil: reduction, spectrum, vectors of the whole pencil, and how good they
 * are. */
#include "linear/eigen.h"

#include "linear/lapack.h"
#include "linear/spectrum.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double PERFECT = 1e-13; /* a residual that is not refined */
/* relative distance of the shift from the value that is refined */
static const double ASIDE = 1e-9;
enum { ROUNDS = 4 }; /* of inverse iteration */

/* ---- how good a mode is ---- */

typedef struct judged {
    double complex product, stored; /* w^H (s E + A) x, w^H E x */
    /* sum |w||r|, sum |l||x| with the left residual l, sum |w| |..| |x| */
    double right, left, size;
} judged;

/* work: 2 n complex numbers. */
static judged judge(const ln_pencil *pencil, double complex s, const double complex *x,
                    const double complex *w, double complex *work) {
    const int n = pencil->pattern->n;
    double complex *residual = work;
    judged out = {0};
    memset(residual, 0, (size_t)n * sizeof *residual);
    for (int j = 0; j < n; j++) {
        double complex left = 0;
        for (int k = pencil->pattern->start[j]; k < pencil->pattern->start[j + 1]; k++) {
            const int i = pencil->pattern->row[k];
            const double complex entry = s * pencil->E[k] + pencil->A[k];
            residual[i] += entry * x[j];
            left += conj(w[i]) * entry;
            out.stored += conj(w[i]) * pencil->E[k] * x[j];
            out.size +=
                cabs(w[i]) * (cabs(s) * fabs(pencil->E[k]) + fabs(pencil->A[k])) * cabs(x[j]);
        }
        out.left += cabs(left) * cabs(x[j]);
    }
    for (int i = 0; i < n; i++) {
        out.product += conj(w[i]) * residual[i];
        out.right += cabs(w[i]) * cabs(residual[i]);
    }
    return out;
}

static double residual_of(const judged *pair) {
    return pair->size > 0 ? fmax(pair->right, pair->left) / pair->size : 0;
}

/* A real part that rounding alone tells from 0 is 0; where a value is as uncertain as can be, since
 * it meets another, only what is far below its size. */
static const double NOTHING = 1e-15;

static void round_real_parts(ln_eigen *out) {
    for (int k = 0; k < out->count; k++) {
        double *value = out->value + 2 * k;
        const double size = hypot(value[0], value[1]);
        const double unsure = fmin(4 * out->uncertainty[k], 1e-9 * size);
        if (fabs(value[0]) <= fmax(unsure, NOTHING * size))
            value[0] = 0;
    }
}

linnet_status ln_eigen_judge(const ln_pencil *pencil, ln_arena *arena, ln_eigen *out) {
    const size_t n = (size_t)out->n;
    double complex *work = LN_NEW(arena, double complex, 2 * n);
    out->residual = LN_NEW(arena, double, out->count);
    out->uncertainty = LN_NEW(arena, double, out->count);
    if (work == NULL || out->residual == NULL || out->uncertainty == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < out->count; k++) {
        const size_t from = 2 * n * (size_t)k;
        const double complex s = out->value[2 * k] + out->value[2 * k + 1] * I;
        const judged pair = judge(pencil, s, (const double complex *)(out->right + from),
                                  (const double complex *)(out->left + from), work);
        out->residual[k] = residual_of(&pair);
        out->uncertainty[k] = pair.size == 0 ? 0 : DBL_EPSILON / 2 * pair.size / cabs(pair.stored);
    }
    round_real_parts(out);
    return LINNET_OK;
}

/* ---- refinement ---- */

/* Largest entry 1. */
static void normalise(double complex *x, int n) {
    int largest = 0;
    for (int i = 1; i < n; i++)
        if (cabs(x[i]) > (1 + 1e-9) * cabs(x[largest]))
            largest = i;
    const double complex by = n > 0 ? x[largest] : 1;
    for (int i = 0; i < n && by != 0; i++)
        x[i] /= by;
}

typedef struct refining {
    const ln_pencil *pencil;
    ln_linear *solver; /* of s E + A, complex; made when it is needed */
    double *values;
    double complex *work, *x, *w; /* 2 n, n, n */
} refining;

static linnet_status factor_near(refining *target, double complex s, double aside) {
    const ln_pencil *pencil = target->pencil;
    s += aside * fmax(cabs(s), DBL_MIN / ASIDE);
    for (int k = 0; k < pencil->pattern->start[pencil->pattern->n]; k++) {
        target->values[2 * k] = creal(s) * pencil->E[k] + pencil->A[k];
        target->values[2 * k + 1] = cimag(s) * pencil->E[k];
    }
    const ln_factored outcome = ln_linear_factor(target->solver, target->values);
    return outcome == LN_FACTORED   ? LINNET_OK
           : outcome == LN_SINGULAR ? LINNET_RETRY
                                    : LINNET_MEMORY;
}

/* out = E x, or conj(E' w). */
static void times_E(const ln_pencil *pencil, const double complex *x, int transposed,
                    double complex *out) {
    memset(out, 0, (size_t)pencil->pattern->n * sizeof *out);
    for (int j = 0; j < pencil->pattern->n; j++)
        for (int k = pencil->pattern->start[j]; k < pencil->pattern->start[j + 1]; k++) {
            const int i = pencil->pattern->row[k];
            if (transposed)
                out[j] += pencil->E[k] * conj(x[i]);
            else
                out[i] += pencil->E[k] * x[j];
        }
}

/* One step of inverse iteration for both vectors. LINNET_RETRY: the shift is a value to the last
 * digit. */
static linnet_status step_inverse(refining *target, double complex s) {
    const int n = target->pencil->pattern->n;
    linnet_status status = factor_near(target, s, ASIDE);
    if (status == LINNET_RETRY)
        status = factor_near(target, s, 1e3 * ASIDE);
    LN_TRY(status);
    times_E(target->pencil, target->x, 0, target->work);
    ln_linear_solve(target->solver, (double *)target->work);
    memcpy(target->x, target->work, (size_t)n * sizeof *target->x);
    times_E(target->pencil, target->w, 1, target->work);
    ln_linear_solve_transposed(target->solver, (double *)target->work);
    for (int i = 0; i < n; i++)
        target->w[i] = conj(target->work[i]);
    normalise(target->x, n);
    normalise(target->w, n);
    return LINNET_OK;
}

static linnet_status make_solver(refining *target, ln_arena *arena) {
    const ln_pattern *pattern = target->pencil->pattern;
    if (target->solver != NULL)
        return LINNET_OK;
    target->values = LN_NEW(arena, double, 2 * (size_t)pattern->start[pattern->n]);
    target->solver = ln_linear_new_complex(pattern, LN_LINEAR_AUTO);
    return target->values != NULL && target->solver != NULL ? LINNET_OK : LINNET_MEMORY;
}

/* Improves it->x and it->w, and the value unless it is right already (`precise`): the value that
 * stays within `reach` of where it began, so that no two become one. */
static linnet_status refine(refining *target, ln_arena *arena, int precise, double reach,
                            double complex *value) {
    double complex s = *value;
    for (int round = 0;; round++) {
        const judged now = judge(target->pencil, s, target->x, target->w, target->work);
        const double complex better = s - now.product / now.stored;
        if (!precise && cabs(better - *value) < reach)
            s = better;
        if (residual_of(&now) <= PERFECT || round == ROUNDS)
            break;
        LN_TRY(make_solver(target, arena));
        linnet_status status = step_inverse(target, s);
        if (status == LINNET_RETRY)
            break;
        LN_TRY(status);
    }
    *value = s;
    return LINNET_OK;
}

/* Half the way to the nearest other value. */
static double reach_of(const ln_spectrum *found, int m, int k) {
    double nearest = INFINITY;
    for (int j = 0; j < m; j++)
        if (j != k)
            nearest = fmin(nearest, cabs(found->value[j] - found->value[k]));
    return nearest / 2;
}

/* ---- the whole ---- */

static void take(ln_eigen *out, int k, double complex s, const double complex *x,
                 const double complex *w, int conjugate) {
    const size_t n = (size_t)out->n;
    double complex *right = (double complex *)(out->right + 2 * n * (size_t)k),
                   *left = (double complex *)(out->left + 2 * n * (size_t)k);
    out->value[2 * k] = creal(s);
    out->value[2 * k + 1] = conjugate ? -cimag(s) : cimag(s);
    for (size_t i = 0; i < n; i++) {
        right[i] = conjugate ? conj(x[i]) : x[i];
        left[i] = conjugate ? conj(w[i]) : w[i];
    }
}

/* Vectors of the whole pencil for mode k, refined; the next one is its conjugate where it has one.
 */
static linnet_status lift(const ln_reduced *reduced, const ln_spectrum *found, refining *target,
                          ln_arena *arena, int k, ln_eigen *out) {
    const size_t m = (size_t)reduced->m;
    double complex s = found->value[k];
    const int is_real = cimag(s) == 0;
    ln_reduced_right(reduced, found->right + m * (size_t)k, target->x);
    ln_reduced_left(reduced, found->left + m * (size_t)k, s, target->w);
    normalise(target->x, out->n);
    normalise(target->w, out->n);
    LN_TRY(refine(target, arena, found->precise[k], reach_of(found, reduced->m, k), &s));
    if (is_real)
        s = creal(s);
    take(out, k, s, target->x, target->w, 0);
    if (!is_real)
        take(out, k + 1, s, target->x, target->w, 1);
    return LINNET_OK;
}

static linnet_status lift_all(const ln_pencil *pencil, const ln_reduced *reduced,
                              const ln_spectrum *found, ln_arena *scratch, ln_arena *arena,
                              ln_eigen *out) {
    const size_t n = (size_t)out->n, m = (size_t)reduced->m;
    refining target = {.pencil = pencil,
                       .work = LN_NEW(scratch, double complex, 2 * n),
                       .x = LN_NEW(scratch, double complex, n),
                       .w = LN_NEW(scratch, double complex, n)};
    out->right = LN_NEW(arena, double, 2 * n * m);
    out->left = LN_NEW(arena, double, 2 * n * m);
    linnet_status status =
        target.work && target.x && target.w && out->right && out->left ? LINNET_OK : LINNET_MEMORY;
    for (int k = 0; k < reduced->m && status == LINNET_OK; k += cimag(found->value[k]) == 0 ? 1 : 2)
        status = lift(reduced, found, &target, scratch, k, out);
    ln_linear_free(target.solver);
    return status == LINNET_OK ? ln_eigen_judge(pencil, arena, out) : status;
}

/* A value becomes 0; the other of a pair is real then. */
static void set_zero(double complex *value, int k) {
    const double im = cimag(value[k]);
    value[k] = 0;
    if (im != 0)
        value[im > 0 ? k + 1 : k - 1] = creal(value[im > 0 ? k + 1 : k - 1]);
}

/* Values that are 0: as many as the pencil with E and A exchanged has infinite ones beyond those of
 * its own. The smallest are taken for them. */
static linnet_status find_zeros(const ln_pencil *pencil, int count, double complex *value) {
    const ln_pencil reversed = {pencil->pattern, pencil->A,      pencil->E,     pencil->A_low,
                                pencil->E_low,   pencil->A_size, pencil->E_size};
    int degree = 0, zeros = 0;
    const linnet_status status = ln_reduced_degree(&reversed, &degree);
    if (status == LINNET_RETRY)
        return LINNET_OK; /* rounding hides how many there are: they stay as they were found */
    LN_TRY(status);
    for (int k = 0; k < count; k++)
        zeros += value[k] == 0;
    for (; zeros < pencil->pattern->n - degree && zeros < count; zeros++) {
        int least = -1;
        for (int k = 0; k < count; k++)
            if (value[k] != 0 && (least < 0 || cabs(value[k]) < cabs(value[least])))
                least = k;
        set_zero(value, least);
    }
    return LINNET_OK;
}

static linnet_status solve(const ln_pencil *pencil, int vectors, ln_arena *scratch, ln_arena *arena,
                           ln_eigen *out) {
    ln_reduced reduced;
    ln_spectrum found;
    linnet_status status = ln_reduce(pencil, NULL, scratch, &reduced);
    out->index = reduced.index;
    LN_TRY(status);
    LN_TRY(ln_spectrum_find(&reduced, scratch, &found));
    LN_TRY(find_zeros(pencil, reduced.m, found.value));
    char *unknown = LN_NEW(arena, char, out->n), *row = LN_NEW(arena, char, out->n);
    out->value = LN_NEW(arena, double, 2 * (size_t)reduced.m);
    if (unknown == NULL || row == NULL || out->value == NULL)
        return LINNET_MEMORY;
    memcpy(unknown, reduced.late_unknown, (size_t)out->n);
    memcpy(row, reduced.late_row, (size_t)out->n);
    out->hidden_unknown = unknown;
    out->hidden_row = row;
    out->count = reduced.m;
    for (int k = 0; k < reduced.m; k++) {
        out->value[2 * k] = creal(found.value[k]);
        out->value[2 * k + 1] = cimag(found.value[k]);
    }
    return vectors ? lift_all(pencil, &reduced, &found, scratch, arena, out) : LINNET_OK;
}

linnet_status ln_eigen_dense(const ln_pencil *pencil, int vectors, ln_arena *arena, ln_eigen *out) {
    LN_TRY(ln_blas_begin());
    *out = (ln_eigen){.n = pencil->pattern->n};
    ln_arena *scratch = ln_arena_new();
    linnet_status status =
        scratch == NULL ? LINNET_MEMORY : solve(pencil, vectors, scratch, arena, out);
    ln_arena_free(scratch);
    return status;
}

int ln_eigen_by_size(const void *a, const void *b) {
    const double *x = a, *y = b;
    const double sx = hypot(x[0], x[1]), sy = hypot(y[0], y[1]);
    if (sx != sy)
        return sx < sy ? -1 : 1;
    if (x[0] != y[0])
        return x[0] < y[0] ? -1 : 1;
    return (x[1] < y[1]) - (x[1] > y[1]);
}
