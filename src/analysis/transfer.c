/* SPDX-License-Identifier: MIT */
/* Zeros and gain from one input to one output. */
#include "analysis/modes.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The pencil [s E + A, -b; c, d] over the pattern with one row and one column more. */
typedef struct bordering {
    int count, *row;
    double *E, *A, *E_low, *A_low, *E_size, *A_size;
} bordering;

static void put(bordering *border, int row, double value) {
    border->row[border->count] = row;
    border->A_size[border->count] = fabs(value);
    border->A[border->count++] = value;
}

static void copy_entry(bordering *border, const ln_pencil *from, int k) {
    border->row[border->count] = from->pattern->row[k];
    border->E[border->count] = from->E[k];
    border->A[border->count] = from->A[k];
    border->E_low[border->count] = from->E_low[k];
    border->A_low[border->count] = from->A_low[k];
    border->E_size[border->count] = from->E_size[k];
    border->A_size[border->count++] = from->A_size[k];
}

static linnet_status border(const ln_pencil *pencil, const double *b, const double *c, double d,
                            ln_arena *arena, ln_pencil *out) {
    const int n = pencil->pattern->n;
    const size_t most = (size_t)pencil->pattern->start[n] + 2 * (size_t)n + 1;
    int *start = LN_NEW(arena, int, n + 2);
    ln_pattern *pattern = LN_NEW(arena, ln_pattern, 1);
    double *values = LN_NEW(arena, double, 6 * most);
    bordering border = {0,
                        LN_NEW(arena, int, most),
                        values,
                        values + most,
                        values + 2 * most,
                        values + 3 * most,
                        values + 4 * most,
                        values + 5 * most};
    if (start == NULL || border.row == NULL || values == NULL || pattern == NULL)
        return LINNET_MEMORY;
    for (int j = 0; j <= n; j++) {
        for (int k = j < n ? pencil->pattern->start[j] : 0;
             j < n && k < pencil->pattern->start[j + 1]; k++)
            copy_entry(&border, pencil, k);
        for (int i = 0; j == n && i < n; i++)
            put(&border, i, -b[i]);
        put(&border, n, j < n ? c[j] : d);
        start[j + 1] = border.count;
    }
    *pattern = (ln_pattern){n + 1, start, border.row};
    *out = (ln_pencil){pattern,      border.E,      border.A,     border.E_low,
                       border.A_low, border.E_size, border.A_size};
    return LINNET_OK;
}

/* H(s); NAN where s is a pole, and where memory is short, which the arena then tells. */
static double complex response(const ln_small_signal *small, const double *b, const double *c,
                               double d, double s, ln_arena *arena) {
    size_t n = (size_t)small->n;
    double *values = LN_NEW(arena, double, 2 * (size_t)small->pattern->start[n]),
           *x = LN_NEW(arena, double, 2 * n);
    ln_linear *linear = ln_linear_new_complex(small->pattern, LN_LINEAR_AUTO);
    double complex y = NAN;
    if (linear == NULL)
        ln_arena_fail(arena);
    if (values != NULL && x != NULL && linear != NULL) {
        ln_small_signal_pencil(small, s, 0, values);
        for (size_t i = 0; i < n; i++)
            x[2 * i] = b[i];
        const ln_factored factored = ln_linear_factor(linear, values);
        if (factored == LN_FACTOR_MEMORY)
            ln_arena_fail(arena);
        if (factored == LN_FACTORED) {
            ln_linear_solve(linear, x);
            y = d;
            for (size_t i = 0; i < n; i++)
                y += c[i] * (x[2 * i] + x[2 * i + 1] * I);
        }
    }
    ln_linear_free(linear);
    return y;
}

/* gain = H(s) prod(s - pole)/prod(s - zero) at a point to the right of all; logarithms, because
 * products of hundreds of factors overflow. */
static double gain_of(const ln_modes *modes, const ln_transfer *transfer, double complex h,
                      double s) {
    double size = log(fabs(creal(h))), turns = 0;
    for (int k = 0; k < modes->count; k++) {
        double complex factor = s - (modes->modes[k].re + modes->modes[k].im * I);
        size += log(cabs(factor));
        turns += carg(factor);
    }
    for (int k = 0; k < transfer->nzeros; k++) {
        double complex factor = s - (transfer->zeros[2 * k] + transfer->zeros[2 * k + 1] * I);
        size -= log(cabs(factor));
        turns -= carg(factor);
    }
    /* real factors lie right or left of s: turns is k pi */
    return (creal(h) < 0 ? -1 : 1) * exp(size) * cos(turns);
}

static linnet_status find(ln_modes *modes, const ln_input *input, const ln_quantity *output,
                          ln_transfer *out) {
    ln_small_signal *small = modes->small;
    double *b = LN_NEW(modes->arena, double, small->n), *c = LN_NEW(modes->arena, double, small->n),
           d;
    if (b == NULL || c == NULL)
        return LINNET_MEMORY;
    LN_TRY(ln_small_signal_column(small, input, b));
    LN_TRY(ln_small_signal_output(small, output, input, 1, c, &d));
    double far = 1;
    for (int k = 0; k < modes->count; k++)
        far = fmax(far, hypot(modes->modes[k].re, modes->modes[k].im));
    const ln_pencil *exact;
    ln_pencil pencil;
    LN_TRY(ln_small_signal_exact(small, &exact));
    LN_TRY(border(exact, b, c, d, modes->arena, &pencil));
    ln_eigen eigen;
    linnet_status status = ln_eigen_dense(&pencil, 0, modes->arena, &eigen);
    out->at_zero = creal(response(small, b, c, d, 0, modes->arena));
    out->none = status == LINNET_RETRY;
    if (out->none)
        return LINNET_OK;
    LN_TRY(status);
    out->zeros = eigen.value;
    out->nzeros = eigen.count;
    qsort(out->zeros, (size_t)out->nzeros, 2 * sizeof *out->zeros, ln_eigen_by_size);
    for (int k = 0; k < out->nzeros; k++)
        far = fmax(far, hypot(out->zeros[2 * k], out->zeros[2 * k + 1]));
    /* a response that vanishes at 0 has a zero there, rounding or not */
    double *least = out->zeros;
    if (out->nzeros > 0 && out->at_zero == 0 && hypot(least[0], least[1]) < 1e-9 * far)
        least[0] = least[1] = 0;
    const double s = 1.37 * far;
    const double complex h = response(small, b, c, d, s, modes->arena);
    /* zeros of a pencil that rounding alone keeps from being singular mean nothing */
    out->none = h == 0;
    if (out->none)
        out->nzeros = 0;
    else
        out->gain = gain_of(modes, out, h, s);
    return LINNET_OK;
}

linnet_status ln_transfer_find(ln_modes *modes, const ln_input *input, const ln_quantity *output,
                               ln_transfer *out) {
    *out = (ln_transfer){.gain = 0};
    linnet_status status = find(modes, input, output, out);
    if (status == LINNET_OK && ln_arena_failed(modes->arena))
        status = LINNET_MEMORY;
    if (status == LINNET_FAILED)
        return ln_fail(modes->small->report, LINNET_FAILED, LN_NOWHERE,
                       "the search for zeros has not converged");
    return status == LINNET_MEMORY ? ln_no_memory(modes->small->report) : status;
}
