/* SPDX-License-Identifier: MIT */
/* Sparse LU by KLU: the only file that includes it.
 *
 * The pattern is analysed once: block triangular form, in each block AMD (twisted_order.c turns
 * half of it where it makes a long chain), or COLAMD where it may give less fill and does: AMD
 * orders the pattern of A + A', which says all of a symmetric A whose pivots stay on the diagonal.
 * A grid of a power supply has twice to four times the entries by COLAMD. A refactorisation
 * keeps the pivot order; pivots.c looks whether it is still good, and if not new pivots are chosen.
 * Where the factors are as sparse as a chain's it follows a list of operations (replay.c).
 * Factors that serve several solves are copied into a stream, over which a solve takes a third to
 * two thirds of klu_solve's time (bench/linear.c). */
#include "base/invariant.h"
#include "base/sys.h"
#include "linear/backend.h"
#include "linear/factors.h"
#include "linear/replay.h"
#include "linear/stream.h"
#include "linear/twisted_order.h"

#include <assert.h>
#include <math.h>
#include <suitesparse/amd.h>
#include <suitesparse/klu.h>

static const double SLACK = 10; /* how far old pivots may exceed what new ones are bound by */
enum {
    STREAM_AFTER = 6,          /* solves with the same factors that pay for the copy */
    TRY_COLAMD_BELOW = 200000, /* rows up to which a second ordering is tried ... */
    /* ... when AMD's factors have this many entries per entry of the matrix */
    TRY_COLAMD_FILL = 3
};
/* ... and no more of its entries than this have their mirror image in it, as in networks of
 * amplifiers, where COLAMD makes a sixth to five sixths fewer */
static const double TRY_COLAMD_SYMMETRY = 0.5;

typedef struct sparse {
    const ln_pattern *pattern;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double ordered, mirrored; /* entries off the diagonal of blocks that AMD has ordered; those
                               * whose mirror image is an entry, too */
    int solves;               /* with the present factors */
    ln_stream *stream;
    ln_replay *replay;      /* NULL: KLU refactors and solves */
    int is_built, is_ahead; /* its list is made; its factors are newer than KLU's */
} sparse;

static void release(void *state) {
    sparse *factors = state;
    klu_free_numeric(&factors->numeric, &factors->common);
    klu_free_symbolic(&factors->symbolic, &factors->common);
    ln_stream_free(factors->stream);
    ln_replay_free(factors->replay);
    ln_sys->release(factors);
}

enum { BY_COLAMD = 1, BY_FUNCTION = 3 }; /* klu_common.ordering */

/* KLU's hook for the order within a block; returns the entries of L to expect, 0 for failure, which
 * is for want of memory: by which order results round must not depend on what is free. */
static int order_block(int n, int *start, int *row, int *order, klu_common *common) {
    double info[AMD_INFO];
    sparse *factors = common->user_data;
    if (amd_order(n, start, row, order, NULL, info) < AMD_OK)
        return 0;
    const double off_diagonal = info[AMD_NZ] - info[AMD_NZDIAG];
    factors->ordered += off_diagonal;
    factors->mirrored += info[AMD_SYMMETRY] * off_diagonal;
    assert(ln_is_permutation(order, n));
    if (ln_twisted_order(n, start, row, order) < 0)
        return 0;
    assert(ln_is_permutation(order, n)); /* it turns AMD's about */
    return (int)info[AMD_LNZ] + n;
}

static void *create(const ln_pattern *pattern) {
    sparse *factors = ln_sys->allocate(sizeof *factors);
    if (factors == NULL)
        return NULL;
    *factors = (sparse){.pattern = pattern};
    /* threshold 0.001 for pivots on the diagonal, rows scaled to largest entry 1 */
    klu_defaults(&factors->common);
    factors->common.ordering = BY_FUNCTION;
    factors->common.user_order = order_block;
    factors->common.user_data = factors;
    return factors;
}

static ln_factors view(const sparse *factors) {
    const klu_symbolic *s = factors->symbolic;
    const klu_numeric *n = factors->numeric;
    return (ln_factors){.n = s->n,
                        .blocks = s->nblocks,
                        .first = s->R,
                        .row = n->Pnum,
                        .column = s->Q,
                        .scale = n->Rs,
                        .pivot = n->Udiag,
                        .data = n->LUbx,
                        .lower_at = n->Lip,
                        .lower_length = n->Llen,
                        .upper_at = n->Uip,
                        .upper_length = n->Ulen,
                        .beside_start = n->Offp,
                        .beside_row = n->Offi,
                        .beside_value = n->Offx};
}

static long fill(const void *state) {
    const sparse *factors = state;
    return factors->numeric == NULL
               ? 0
               : (long)factors->numeric->lnz + factors->numeric->unz + factors->numeric->nzoff;
}

/* ---- factorisation ---- */

static ln_factored failure(const sparse *factors) {
    return factors->common.status < KLU_OK ? LN_FACTOR_MEMORY : LN_SINGULAR;
}

/* KLU's interface is older than const; it writes neither pattern nor values. */
static ln_factored pivot_anew(sparse *solver, const double *values) {
    klu_free_numeric(&solver->numeric, &solver->common);
    solver->numeric = klu_factor((int *)solver->pattern->start, (int *)solver->pattern->row,
                                 (double *)values, solver->symbolic, &solver->common);
    if (solver->numeric == NULL || solver->common.status != KLU_OK)
        return failure(solver);
    ln_factors factors = view(solver);
    return ln_factors_check(&factors, INFINITY) == LN_SOUND ? LN_FACTORED : LN_SINGULAR;
}

/* Keeps the factors of the other ordering if they have fewer entries. */
static ln_factored try_colamd(sparse *factors, const double *values) {
    sparse other = {.pattern = factors->pattern, .common = factors->common};
    other.common.ordering = BY_COLAMD;
    other.symbolic = klu_analyze(factors->pattern->n, (int *)factors->pattern->start,
                                 (int *)factors->pattern->row, &other.common);
    if (other.symbolic != NULL && pivot_anew(&other, values) == LN_FACTORED &&
        fill(&other) < fill(factors)) {
        sparse worse = *factors;
        *factors = other;
        other = worse;
    }
    const int memory_is_short = other.common.status == KLU_OUT_OF_MEMORY;
    klu_free_numeric(&other.numeric, &other.common);
    klu_free_symbolic(&other.symbolic, &other.common);
    return memory_is_short ? LN_FACTOR_MEMORY : LN_FACTORED;
}

static int may_colamd_be_better(const sparse *factors) {
    const int n = factors->pattern->n;
    return n <= TRY_COLAMD_BELOW && factors->mirrored <= TRY_COLAMD_SYMMETRY * factors->ordered &&
           fill(factors) > (long)TRY_COLAMD_FILL * factors->pattern->start[n];
}

static ln_factored factor_first(sparse *factors, const double *values) {
    int n = factors->pattern->n;
    if (factors->symbolic != NULL)
        return pivot_anew(factors, values);
    factors->symbolic = klu_analyze(n, (int *)factors->pattern->start, (int *)factors->pattern->row,
                                    &factors->common);
    if (factors->symbolic == NULL)
        return failure(factors);
    ln_factored outcome = pivot_anew(factors, values);
    return outcome == LN_FACTORED && may_colamd_be_better(factors) ? try_colamd(factors, values)
                                                                   : outcome;
}

/* Old pivots on new values, by KLU; 0 when they no longer serve. */
static int refactor(sparse *solver, const double *values) {
    int done = klu_refactor((int *)solver->pattern->start, (int *)solver->pattern->row,
                            (double *)values, solver->symbolic, solver->numeric, &solver->common);
    if (!done || solver->common.status != KLU_OK)
        return 0;
    ln_factors factors = view(solver);
    return ln_factors_check(&factors, SLACK / solver->common.tol) == LN_SOUND;
}

/* KLU's own factors as they are now. */
static ln_factors present(sparse *solver) {
    const ln_factors factors = view(solver);
    if (solver->is_ahead)
        ln_replay_copy(solver->replay, &factors);
    solver->is_ahead = 0;
    return factors;
}

/* The same as refactor() by the list of operations. */
static int replay(sparse *solver, const double *values) {
    const ln_factors factors = view(solver);
    double growth;
    int doubtful;
    if (!solver->is_built)
        ln_replay_build(solver->replay, &factors, solver->pattern);
    solver->is_built = solver->is_ahead = 1;
    if (!ln_replay_run(solver->replay, values, &growth, &doubtful) ||
        growth > SLACK / solver->common.tol)
        return 0;
    if (!doubtful)
        return 1;
    present(solver);
    return ln_factors_check(&factors, INFINITY) == LN_SOUND;
}

static void forget_copies(sparse *solver) {
    ln_stream_free(solver->stream);
    ln_replay_free(solver->replay);
    solver->stream = NULL;
    solver->replay = NULL;
    solver->is_built = solver->is_ahead = 0;
}

/* Room for what solves and factors again faster than KLU. */
static int make_copies(sparse *solver) {
    const ln_factors factors = view(solver);
    const int serves = ln_replay_serves(&factors);
    solver->stream = ln_stream_new(&factors);
    if (serves)
        solver->replay = ln_replay_new(&factors, solver->pattern);
    return solver->stream != NULL && (!serves || solver->replay != NULL);
}

static ln_factored factor(void *state, const double *values, int *again) {
    sparse *solver = state;
    solver->solves = 0;
    *again =
        solver->numeric != NULL && (solver->replay != NULL ? replay : refactor)(solver, values);
    if (*again || solver->pattern->n == 0)
        return LN_FACTORED;
    forget_copies(solver);
    ln_factored outcome = factor_first(solver, values);
    if (outcome == LN_FACTORED && !make_copies(solver))
        outcome = LN_FACTOR_MEMORY;
    if (outcome != LN_FACTORED)
        klu_free_numeric(&solver->numeric, &solver->common);
    return outcome;
}

/* ---- solving ---- */

/* By the way that has been chosen already. */
static void solve_aside(void *state, double *b) {
    sparse *solver = state;
    if (solver->pattern->n == 0)
        return;
    if (solver->solves == STREAM_AFTER)
        ln_stream_solve(solver->stream, b);
    else if (solver->is_ahead)
        ln_replay_solve(solver->replay, b);
    else
        klu_solve(solver->symbolic, solver->numeric, solver->pattern->n, 1, b, &solver->common);
}

static void solve(void *state, double *b) {
    sparse *solver = state;
    if (solver->pattern->n > 0 && solver->solves < STREAM_AFTER &&
        ++solver->solves == STREAM_AFTER) {
        const ln_factors factors = present(solver);
        ln_stream_build(solver->stream, &factors);
    }
    solve_aside(solver, b);
}

static void solve_transposed(void *state, double *b) {
    sparse *solver = state;
    if (solver->pattern->n == 0)
        return;
    present(solver);
    klu_tsolve(solver->symbolic, solver->numeric, solver->pattern->n, 1, b, &solver->common);
}

/* klu_flops counts into `common`, which the caller does not see change. */
static double products(const void *state) {
    const sparse *factors = state;
    klu_common common = factors->common;
    return factors->numeric != NULL && klu_flops(factors->symbolic, factors->numeric, &common)
               ? 0.5 * common.flops
               : 0;
}

const ln_backend ln_backend_sparse = {LN_LINEAR_SPARSE, create, release,  factor,     solve,
                                      solve_transposed, fill,   products, solve_aside};
