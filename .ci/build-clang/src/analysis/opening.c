/* SPDX-License-Identifier: MIT */
/* From the shares of the delays (pade.h) and the column of the loop to the opened model. */
#include "analysis/opening.h"

#include "linear/wide.h"
#include <string.h>

/* A copy of the pencil whose A can be changed. */
static linnet_status copy_pencil(const ln_pencil *from, ln_arena *arena, ln_pencil *out) {
    const size_t count = (size_t)from->pattern->start[from->pattern->n];
    double *A = LN_NEW(arena, double, count), *low = LN_NEW(arena, double, count),
           *size = LN_NEW(arena, double, count);
    if (A == NULL || low == NULL || size == NULL)
        return LINNET_MEMORY;
    memcpy(A, from->A, count * sizeof *A);
    memcpy(low, from->A_low, count * sizeof *low);
    memcpy(size, from->A_size, count * sizeof *size);
    *out = *from;
    out->A = A;
    out->A_low = low;
    out->A_size = size;
    return LINNET_OK;
}

/* A[row, col] += value; the place is there, since what is taken away has been added there. */
static void add_to(ln_pencil *pencil, int row, int col, double value) {
    double *A = (double *)pencil->A, *low = (double *)pencil->A_low,
           *size = (double *)pencil->A_size;
    for (int k = pencil->pattern->start[col]; k < pencil->pattern->start[col + 1]; k++) {
        if (pencil->pattern->row[k] != row)
            continue;
        const ln_wide sum = ln_wide_add((ln_wide){A[k], low[k]}, (ln_wide){value, 0});
        A[k] = sum.hi;
        low[k] = sum.lo;
        size[k] += fabs(value);
    }
}

typedef struct opening_work {
    ln_opening *out;
    const ln_pade *pade;
    const ln_opened_loop *loop;
    double *B, *C, *D;
} opening_work;

/* The delay of a chain gives nothing: f loses beta gamma x, and beta d takes its place. */
static void cut_delay(const opening_work *work, int k) {
    const ln_pade_chain *chain = &work->pade->chains[k];
    const size_t n = (size_t)work->out->exact->n;
    for (int i = 0; i < chain->nrows; i++) {
        work->B[(size_t)k * n + (size_t)chain->rows[i]] = -chain->beta[i];
        for (int j = 0; j < chain->ncols; j++)
            add_to(&work->out->cut, chain->rows[i], chain->cols[j],
                   -chain->beta[i] * chain->gamma[j]);
    }
    for (int j = 0; j < chain->ncols; j++)
        work->C[(size_t)k * n + (size_t)chain->cols[j]] = chain->gamma[j];
}

/* Readers see u in place of the signal: those outside of delays in their rows, delays in what they
 * read. delta: of each delay, what it reads of an input at the readers. */
static void open_loop(const opening_work *work, const double *delta) {
    ln_opening *out = work->out;
    const int last = out->ndelays, unknown = work->loop->unknown;
    const size_t n = (size_t)out->exact->n;
    double *b = work->B + (size_t)last * n;
    memcpy(b, work->loop->b, n * sizeof *b);
    for (int k = 0; k < last; k++) {
        const ln_pade_chain *chain = &work->pade->chains[k];
        for (int i = 0; i < chain->nrows && delta[k] != 0; i++) {
            b[chain->rows[i]] += chain->beta[i] * delta[k];
            if (fabs(b[chain->rows[i]]) <= 1e-14 * fabs(chain->beta[i] * delta[k]))
                b[chain->rows[i]] = 0;
        }
        work->C[(size_t)k * n + (size_t)unknown] -= delta[k];
        work->D[k * out->count + last] = delta[k];
    }
    for (int i = 0; i < out->exact->n; i++)
        if (b[i] != 0)
            add_to(&out->open, i, unknown, b[i]);
    work->C[(size_t)last * n + (size_t)unknown] = 1;
}

static linnet_status read_deltas(const opening_work *work, double *delta, double *one) {
    for (int k = 0; k < work->loop->nreaders; k++) {
        LN_TRY(ln_pade_input(work->pade, work->loop->readers[k], one));
        for (int j = 0; j < work->out->ndelays; j++)
            delta[j] += one[j];
    }
    return LINNET_OK;
}

static linnet_status make(ln_small_signal *exact, const ln_opened_loop *loop, const ln_pade *pade,
                          ln_opening *out) {
    const size_t n = (size_t)exact->n, count = (size_t)out->count;
    ln_arena *arena = exact->arena;
    const ln_pencil *pencil;
    opening_work work = {.out = out,
                         .pade = pade,
                         .loop = loop,
                         .B = LN_NEW(arena, double, n *count),
                         .C = LN_NEW(arena, double, n *count),
                         .D = LN_NEW(arena, double, count *count)};
    double *delta = LN_NEW(arena, double, count), *one = LN_NEW(arena, double, count),
           *lag = LN_NEW(arena, double, count);
    if (!work.B || !work.C || !work.D || !delta || !one || !lag)
        return ln_no_memory(exact->report);
    LN_TRY(ln_small_signal_exact(exact, &pencil));
    if (copy_pencil(pencil, arena, &out->cut) != LINNET_OK)
        return ln_no_memory(exact->report);
    for (int k = 0; k < out->ndelays; k++) {
        lag[k] = pade->chains[k].lag;
        cut_delay(&work, k);
    }
    if (copy_pencil(&out->cut, arena, &out->open) != LINNET_OK)
        return ln_no_memory(exact->report);
    if (loop != NULL) {
        LN_TRY(read_deltas(&work, delta, one));
        open_loop(&work, delta);
    }
    out->lag = lag;
    out->B = work.B;
    out->C = work.C;
    out->D = work.D;
    return LINNET_OK;
}

linnet_status ln_opening_make(ln_small_signal *exact, const ln_opened_loop *loop, ln_opening *out) {
    ln_pade pade;
    *out = (ln_opening){.exact = exact};
    LN_TRY(ln_pade_make(exact, 1, &pade));
    out->ndelays = pade.nchains;
    out->count = pade.nchains + (loop != NULL);
    return out->count > LN_OPENING_MOST ? LINNET_RETRY : make(exact, loop, &pade, out);
}
