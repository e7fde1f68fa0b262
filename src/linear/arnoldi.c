/* SPDX-License-Identifier: MIT */
/* Modes of a large pencil near a point z: Arnoldi's method (ARPACK-NG, the only file that includes
 * it) on
 *
 *     (z E + A)^-1 E x = theta x,      s = z - 1/theta
 *
 * so that values near z come first and infinite ones (theta = 0) last. Left vectors by inverse
 * iteration at the values found. Complex throughout: z may be anywhere. */
#include "linear/backend.h"
#include "linear/eigen.h"
#include "linear/lapack.h"

#include <arpack/arpack.h>
#include <math.h>
#include <string.h>

#define ARPACK(X) X(znaupd_c) X(zneupd_c)
static struct { ARPACK(LN_LIBRARY_MEMBER) } arpack;
static const char *const function_names[] = {ARPACK(LN_LIBRARY_NAME) NULL};
static ln_library library = {.file = LINNET_SONAME_ARPACK,
                             .package = "libarpack2",
                             .what = "modes of a large model",
                             .names = function_names,
                             .members = &arpack};

enum { SMALL = 60, MOST_RESTARTS = 600 };

typedef struct shifted {
    const ln_pencil *pencil;
    int n;
    ln_linear *solver; /* z E + A */
    double *values;
} shifted;

static linnet_status shift_to(shifted *operator, double re, double im) {
    const ln_pencil *pencil = operator->pencil;
    for (int k = 0; k < pencil->pattern->start[operator->n]; k++) {
        operator->values[2 * k] = re * pencil->E[k] + pencil->A[k];
        operator->values[2 * k + 1] = im * pencil->E[k];
    }
    ln_factored outcome = ln_linear_factor(operator->solver, operator->values);
    return outcome == LN_FACTORED   ? LINNET_OK
           : outcome == LN_SINGULAR ? LINNET_RETRY
                                    : LINNET_MEMORY;
}

/* y = E x or E' x, pairs. */
static void times_E(const ln_pencil *pencil, const double *x, double *y, int transposed) {
    const ln_pattern *pattern = pencil->pattern;
    memset(y, 0, 2 * (size_t)pattern->n * sizeof *y);
    for (int j = 0; j < pattern->n; j++)
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            int to = transposed ? j : pattern->row[k], from = transposed ? pattern->row[k] : j;
            y[2 * to] += pencil->E[k] * x[2 * from];
            y[2 * to + 1] += pencil->E[k] * x[2 * from + 1];
        }
}

static void operate(shifted *operator, const double * x, double *y) {
    times_E(operator->pencil, x, y, 0);
    ln_linear_solve(operator->solver, y);
}

typedef struct arnoldi {
    int n, wanted, basis;
    double _Complex *start, *V, *work, *workl, *theta, *workev;
    double *rwork;
    a_int *select;
    a_int iparam[11], ipntr[14], lworkl;
} arnoldi;

static linnet_status prepare(arnoldi *iteration, ln_arena *arena) {
    size_t n = (size_t)iteration->n, m = (size_t)iteration->basis;
    iteration->lworkl = (a_int)(3 * m * m + 5 * m);
    iteration->start = LN_NEW(arena, double _Complex, n);
    iteration->V = LN_NEW(arena, double _Complex, n *m);
    iteration->work = LN_NEW(arena, double _Complex, 3 * n);
    iteration->workl = LN_NEW(arena, double _Complex, iteration->lworkl);
    iteration->theta = LN_NEW(arena, double _Complex, iteration->wanted + 1);
    iteration->workev = LN_NEW(arena, double _Complex, 2 * m);
    iteration->rwork = LN_NEW(arena, double, m);
    iteration->select = LN_NEW(arena, a_int, m);
    return iteration->start && iteration->V && iteration->work && iteration->workl &&
                   iteration->theta && iteration->workev && iteration->rwork && iteration->select
               ? LINNET_OK
               : LINNET_MEMORY;
}

/* A start that is the same in every run and has a part in every mode; freed of what belongs to
 * infinite values. */
static void choose_start(arnoldi *iteration, shifted *shift) {
    double *first = (double *)iteration->work, *start = (double *)iteration->start;
    for (int i = 0; i < iteration->n; i++) {
        first[2 * i] = 1 + 0.5 * sin(1.7 * i + 0.3);
        first[2 * i + 1] = 0.5 * cos(2.3 * i);
    }
    operate(shift, first, start);
    operate(shift, start, first);
    memcpy(start, first, 2 * (size_t)iteration->n * sizeof *start);
}

/* The `wanted` largest theta with their vectors in V; returns how many, -1 when it has not
 * converged. */
static int iterate(arnoldi *iteration, shifted *shift) {
    a_int ido = 0, info = 1;
    iteration->iparam[0] = 1;
    iteration->iparam[2] = MOST_RESTARTS;
    iteration->iparam[6] = 1;
    for (;;) {
        arpack.znaupd_c(&ido, "I", iteration->n, "LM", iteration->wanted, 0, iteration->start,
                        iteration->basis, iteration->V, iteration->n, iteration->iparam,
                        iteration->ipntr, iteration->work, iteration->workl, iteration->lworkl,
                        iteration->rwork, &info);
        if (ido != 1 && ido != -1)
            break;
        operate(shift, (double *)(iteration->work + iteration->ipntr[0] - 1),
                (double *)(iteration->work + iteration->ipntr[1] - 1));
    }
    if (info < 0 || iteration->iparam[4] == 0)
        return -1;
    arpack.zneupd_c(1, "A", iteration->select, iteration->theta, iteration->V, iteration->n, 0,
                    iteration->workev, "I", iteration->n, "LM", iteration->wanted, 0,
                    iteration->start, iteration->basis, iteration->V, iteration->n,
                    iteration->iparam, iteration->ipntr, iteration->work, iteration->workl,
                    iteration->lworkl, iteration->rwork, &info);
    return info == 0 ? iteration->iparam[4] : -1;
}

/* ---- results ---- */

static void normalise(double *pairs, int n) {
    int largest = 0;
    for (int i = 1; i < n; i++)
        if (hypot(pairs[2 * i], pairs[2 * i + 1]) >
            (1 + 1e-9) * hypot(pairs[2 * largest], pairs[2 * largest + 1]))
            largest = i;
    double size = hypot(pairs[2 * largest], pairs[2 * largest + 1]);
    if (!(size > 0))
        return;
    double re = pairs[2 * largest] / size / size, im = -pairs[2 * largest + 1] / size / size;
    for (int i = 0; i < n; i++) {
        double a = pairs[2 * i], b = pairs[2 * i + 1];
        pairs[2 * i] = a * re - b * im;
        pairs[2 * i + 1] = a * im + b * re;
    }
}

/* w^H (s E + A) = 0 by two steps of inverse iteration close to s, from the right vector. */
static linnet_status left_vector(shifted *shift, const double *value, const double *right,
                                 double *left, double *work) {
    int n = shift->n;
    double away = 1e-8 * fmax(hypot(value[0], value[1]), 1e-30);
    linnet_status status = shift_to(shift, value[0] + away, value[1]);
    if (status == LINNET_RETRY)
        status = shift_to(shift, value[0] + 1e3 * away, value[1]);
    LN_TRY(status);
    for (int i = 0; i < n; i++) { /* conj(w), which solves the transposed equations */
        left[2 * i] = right[2 * i];
        left[2 * i + 1] = -right[2 * i + 1];
    }
    for (int k = 0; k < 3; k++) {
        times_E(shift->pencil, left, work, 1);
        ln_linear_solve_transposed(shift->solver, work);
        memcpy(left, work, 2 * (size_t)n * sizeof *left);
        normalise(left, n);
    }
    for (int i = 0; i < n; i++)
        left[2 * i + 1] = -left[2 * i + 1];
    return LINNET_OK;
}

static int present(const ln_eigen *out, double re, double im) {
    for (int k = 0; k < out->count; k++)
        if (hypot(out->value[2 * k] - re, out->value[2 * k + 1] - im) <= 1e-7 * hypot(re, im))
            return 1;
    return 0;
}

/* Appends a mode (room is there); its conjugate too when `conjugate`. */
static void append(ln_eigen *out, double re, double im, const double *vector, int conjugate) {
    size_t n = (size_t)out->n;
    for (int k = 0; k <= conjugate; k++) {
        double *right = out->right + 2 * n * (size_t)out->count, sign = k == 0 ? 1 : -1;
        out->value[2 * out->count] = re;
        out->value[2 * out->count++ + 1] = sign * im;
        for (size_t i = 0; i < n; i++) {
            right[2 * i] = vector[2 * i];
            right[2 * i + 1] = sign * vector[2 * i + 1];
        }
        normalise(right, out->n);
    }
}

/* s = point - 1/theta' of the k-th value found, theta' its conjugate; 0: it is infinite. */
static int value_found(const arnoldi *iteration, int k, double largest, const double point[2],
                       double s[2]) {
    const double *theta = (const double *)iteration->theta;
    const double size = hypot(theta[2 * k], theta[2 * k + 1]);
    if (size <= 1e-10 * largest || size == 0)
        return 0;
    s[0] = point[0] - theta[2 * k] / size / size;
    s[1] = point[1] + theta[2 * k + 1] / size / size;
    return 1;
}

/* From theta to s. With a real point a value whose conjugate has been cut off gets it back. */
static void collect(const arnoldi *iteration, int found, double re, double im, ln_eigen *out) {
    const double point[2] = {re, im};
    double largest = 0, s[2];
    const double *theta = (const double *)iteration->theta, *V = (const double *)iteration->V;
    const size_t length = 2 * (size_t)out->n;
    for (int k = 0; k < found; k++)
        largest = fmax(largest, hypot(theta[2 * k], theta[2 * k + 1]));
    for (int k = 0; k < found; k++) {
        if (!value_found(iteration, k, largest, point, s))
            continue;
        if (im == 0 && fabs(s[1]) <= 1e-10 * hypot(s[0] - re, s[1]))
            s[1] = 0;
        if (im == 0 && s[1] < 0)
            continue; /* comes with its conjugate */
        append(out, s[0], s[1], V + length * (size_t)k, im == 0 && s[1] > 0);
    }
    for (int k = 0; im == 0 && k < found; k++) /* the lower one of a pair alone */
        if (value_found(iteration, k, largest, point, s) && s[1] < 0 &&
            fabs(s[1]) > 1e-10 * hypot(s[0] - re, s[1]) && !present(out, s[0], s[1]))
            append(out, s[0], s[1], V + length * (size_t)k, 1);
}

static linnet_status all_left(shifted *shift, ln_arena *arena, ln_eigen *out) {
    size_t n = (size_t)out->n;
    double *work = LN_NEW(arena, double, 2 * n);
    out->left = LN_NEW(arena, double, 2 * n * (size_t)out->count);
    if (work == NULL || out->left == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < out->count; k++)
        LN_TRY(left_vector(shift, out->value + 2 * k, out->right + 2 * n * (size_t)k,
                           out->left + 2 * n * (size_t)k, work));
    return LINNET_OK;
}

static void swap(double *a, double *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

/* Puts values k and j, with their vectors, in each other's place. */
static void exchange(ln_eigen *out, int k, int j) {
    const size_t n = 2 * (size_t)out->n;
    swap(out->value + 2 * k, out->value + 2 * j, 2);
    if (out->right != NULL)
        swap(out->right + n * (size_t)k, out->right + n * (size_t)j, n);
    if (out->left != NULL)
        swap(out->left + n * (size_t)k, out->left + n * (size_t)j, n);
}

/* Would the first `count` values end between the two of a conjugate pair? */
static int splits_pair(const ln_eigen *out, int count) {
    const double *last = out->value + 2 * (count - 1), *next = last + 2;
    return last[1] != 0 && next[0] == last[0] && next[1] == -last[1] &&
           !(count > 1 && last[-2] == last[0] && last[-1] == -last[1]);
}

/* A small pencil, or one of which nearly all is asked for: all of it, the nearest first. */
static linnet_status nearest_of_all(const ln_pencil *pencil, const ln_eigen_wish *wish,
                                    ln_arena *arena, ln_eigen *out) {
    LN_TRY(ln_eigen_dense(pencil, wish->vectors, arena, out));
    for (int k = 0; k < out->count && k < wish->count; k++) {
        int best = k;
        for (int j = k + 1; j < out->count; j++) {
            const double *value = out->value + 2 * j, *other = out->value + 2 * best;
            const double here = hypot(value[0] - wish->re, value[1] - wish->im),
                         there = hypot(other[0] - wish->re, other[1] - wish->im);
            if (here < there * (1 - 1e-12))
                best = j;
        }
        if (best != k)
            exchange(out, k, best);
    }
    if (wish->count < out->count)
        out->count = wish->count + (wish->im == 0 && splits_pair(out, wish->count));
    return LINNET_OK;
}

static linnet_status search(shifted *shift, const ln_eigen_wish *wish, ln_arena *scratch,
                            ln_arena *arena, ln_eigen *out) {
    const int n = shift->n, count = wish->count;
    arnoldi iteration = {.n = n, .wanted = count, .basis = 2 * count + 20 < n ? 2 * count + 20 : n};
    LN_TRY(shift_to(shift, wish->re, wish->im));
    LN_TRY(prepare(&iteration, scratch));
    out->value = LN_NEW(arena, double, 4 * (size_t)count);
    out->right = LN_NEW(arena, double, 4 * (size_t)n * (size_t)count);
    if (out->value == NULL || out->right == NULL)
        return LINNET_MEMORY;
    choose_start(&iteration, shift);
    int found = iterate(&iteration, shift);
    if (found < 0)
        return LINNET_FAILED;
    collect(&iteration, found, wish->re, wish->im, out);
    if (!wish->vectors)
        return LINNET_OK;
    LN_TRY(all_left(shift, arena, out));
    return ln_eigen_judge(shift->pencil, arena, out);
}

linnet_status ln_eigen_near(const ln_pencil *pencil, const ln_eigen_wish *wish, ln_arena *arena,
                            ln_eigen *out) {
    int n = pencil->pattern->n;
    if (n <= SMALL || wish->count > n / 2)
        return nearest_of_all(pencil, wish, arena, out);
    *out = (ln_eigen){.n = n, .index = -1};
    LN_TRY(ln_library_load(&library, NULL));
    LN_TRY(ln_blas_begin());
    ln_arena *scratch = ln_arena_new();
    shifted shift = {.pencil = pencil, .n = n};
    if (scratch != NULL) {
        shift.values = LN_NEW(scratch, double, 2 * (size_t)pencil->pattern->start[n]);
        shift.solver = ln_linear_new_complex(pencil->pattern, LN_LINEAR_AUTO);
    }
    linnet_status status = shift.values == NULL || shift.solver == NULL
                               ? LINNET_MEMORY
                               : search(&shift, wish, scratch, arena, out);
    ln_linear_free(shift.solver);
    ln_arena_free(scratch);
    return status;
}
