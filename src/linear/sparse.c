/* SPDX-License-Identifier: MIT */
/* Sparse LU by KLU: the only file that includes it.
 *
 * The pattern is analysed once: block triangular form, in each block AMD (twist.c turns half of it where it makes a
 * long chain), or COLAMD where it gives less fill. A refactorisation keeps the pivot order; pivots.c looks whether it
 * is still good, and if not new pivots are chosen. Factors that serve several solves are copied into a stream, over
 * which a solve takes a third to two thirds of klu_solve's time (bench/linear.c). */
#include "base/sys.h"
#include "linear/backend.h"
#include "linear/factors.h"
#include "linear/stream.h"
#include "linear/twist.h"

#include <math.h>
#include <suitesparse/amd.h>
#include <suitesparse/klu.h>

static const double SLACK = 10;          /* how far old pivots may exceed what new ones are bound by                  */
enum {
    STREAM_AFTER = 6,                    /* solves with the same factors that pay for the copy                        */
    TRY_COLAMD_BELOW = 200000,           /* rows up to which a second ordering is tried ...                           */
    TRY_COLAMD_FILL = 3                  /* ... when AMD's factors have this many entries per entry of the matrix     */
};

typedef struct sparse {
    const ln_pattern *pattern;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    int solves;                    /* with the present factors                                                        */
    ln_stream *stream;
} sparse;

static void release(void *state) {
    sparse *it = state;
    klu_free_numeric(&it->numeric, &it->common);
    klu_free_symbolic(&it->symbolic, &it->common);
    ln_stream_free(it->stream);
    ln_sys->release(it);
}

enum { BY_COLAMD = 1, BY_FUNCTION = 3 }; /* klu_common.ordering                                                       */

/* KLU's hook for the order within a block; returns the entries of L to expect, 0 for failure. */
static int order_block(int n, int *start, int *row, int *order, klu_common *common) {
    double info[AMD_INFO];
    (void)common;
    if (amd_order(n, start, row, order, NULL, info) < AMD_OK) return 0;
    ln_twist(n, start, row, order);
    return (int)info[AMD_LNZ] + n;
}

static void *create(const ln_pattern *pattern) {
    sparse *it = ln_sys->allocate(sizeof *it);
    if (it == NULL) return NULL;
    *it = (sparse){.pattern = pattern};
    klu_defaults(&it->common); /* threshold 0.001 for pivots on the diagonal, rows scaled to largest entry 1         */
    it->common.ordering = BY_FUNCTION;
    it->common.user_order = order_block;
    return it;
}

static ln_factors view(const sparse *it) {
    const klu_symbolic *s = it->symbolic;
    const klu_numeric *n = it->numeric;
    return (ln_factors){.n = s->n, .blocks = s->nblocks, .first = s->R, .row = n->Pnum, .column = s->Q, .scale = n->Rs,
                        .pivot = n->Udiag, .data = n->LUbx, .lower_at = n->Lip, .lower_length = n->Llen,
                        .upper_at = n->Uip, .upper_length = n->Ulen, .beside_start = n->Offp, .beside_row = n->Offi,
                        .beside_value = n->Offx};
}

static long fill(const void *state) {
    const sparse *it = state;
    return it->numeric == NULL ? 0 : (long)it->numeric->lnz + it->numeric->unz + it->numeric->nzoff;
}

/* ---- factorisation ---- */

static ln_factored failure(const sparse *it) { return it->common.status < KLU_OK ? LN_FACTOR_MEMORY : LN_SINGULAR; }

/* KLU's interface is older than const; it writes neither pattern nor values. */
static ln_factored pivot_anew(sparse *it, const double *values) {
    klu_free_numeric(&it->numeric, &it->common);
    it->numeric =
        klu_factor((int *)it->pattern->start, (int *)it->pattern->row, (double *)values, it->symbolic, &it->common);
    if (it->numeric == NULL || it->common.status != KLU_OK) return failure(it);
    ln_factors factors = view(it);
    return ln_factors_check(&factors, INFINITY) == LN_SOUND ? LN_FACTORED : LN_SINGULAR;
}

/* Keeps the factors of the other ordering if they have fewer entries. */
static void try_colamd(sparse *it, const double *values) {
    sparse other = {.pattern = it->pattern, .common = it->common};
    other.common.ordering = BY_COLAMD;
    other.symbolic = klu_analyze(it->pattern->n, (int *)it->pattern->start, (int *)it->pattern->row, &other.common);
    if (other.symbolic != NULL && pivot_anew(&other, values) == LN_FACTORED && fill(&other) < fill(it)) {
        sparse worse = *it;
        *it = other;
        other = worse;
    }
    klu_free_numeric(&other.numeric, &other.common);
    klu_free_symbolic(&other.symbolic, &other.common);
}

static ln_factored factor_first(sparse *it, const double *values) {
    int n = it->pattern->n;
    if (it->symbolic != NULL) return pivot_anew(it, values);
    it->symbolic = klu_analyze(n, (int *)it->pattern->start, (int *)it->pattern->row, &it->common);
    if (it->symbolic == NULL) return failure(it);
    ln_factored outcome = pivot_anew(it, values);
    if (outcome == LN_FACTORED && n <= TRY_COLAMD_BELOW && fill(it) > (long)TRY_COLAMD_FILL * it->pattern->start[n])
        try_colamd(it, values);
    return outcome;
}

/* Old pivots on new values; 0 when they no longer serve. */
static int refactor(sparse *it, const double *values) {
    int done = klu_refactor((int *)it->pattern->start, (int *)it->pattern->row, (double *)values, it->symbolic,
                            it->numeric, &it->common);
    if (!done || it->common.status != KLU_OK) return 0;
    ln_factors factors = view(it);
    return ln_factors_check(&factors, SLACK / it->common.tol) == LN_SOUND;
}

static ln_factored factor(void *state, const double *values, int *again) {
    sparse *it = state;
    it->solves = 0;
    *again = it->numeric != NULL && refactor(it, values);
    if (*again || it->pattern->n == 0) return LN_FACTORED;
    ln_stream_free(it->stream);
    it->stream = NULL;
    ln_factored outcome = factor_first(it, values);
    if (outcome == LN_FACTORED) {
        ln_factors factors = view(it);
        it->stream = ln_stream_new(&factors);
        if (it->stream == NULL) outcome = LN_FACTOR_MEMORY;
    }
    if (outcome != LN_FACTORED) klu_free_numeric(&it->numeric, &it->common);
    return outcome;
}

/* ---- solving ---- */

static void solve(void *state, double *b) {
    sparse *it = state;
    if (it->pattern->n == 0) return;
    if (it->solves < STREAM_AFTER && ++it->solves == STREAM_AFTER) {
        ln_factors factors = view(it);
        ln_stream_build(it->stream, &factors);
    }
    if (it->solves == STREAM_AFTER) ln_stream_solve(it->stream, b);
    else klu_solve(it->symbolic, it->numeric, it->pattern->n, 1, b, &it->common);
}

static void solve_transposed(void *state, double *b) {
    sparse *it = state;
    if (it->pattern->n > 0) klu_tsolve(it->symbolic, it->numeric, it->pattern->n, 1, b, &it->common);
}

const ln_backend ln_backend_sparse = {LN_LINEAR_SPARSE, create, release, factor, solve, solve_transposed, fill};
