/* SPDX-License-Identifier: MIT */
/* See the header. */
#include "integrate/few_nonlinear.h"

#include "integrate/update_norm.h"

#include "base/finite.h"
#include "base/sys.h"

#include <math.h>
#include <string.h>

enum {
    MOST_ROWS = 16,    /* of nonlinear blocks; a small system is dense */
    LINEAR_SHARE = 20, /* unknowns for each of them, at least: else little is saved */
    KEPT = 2,          /* step lengths: that of the run, and of halves behind corners */
    ITERATIONS = 12    /* Newton's method from a step's prediction takes two to four */
};
/* So many failures are not held against it: each costs a factorisation, solutions save one. */
enum { MOST_FAILURES = 4 };
/* What rows give against their kept slopes may be so many times the unknowns themselves: six digits
 * of the answer are lost then, and the slopes are taken anew. */
static const double MOST_RESPONSE = 1e6;

/* The network's response to the nonlinear rows, for one alpha. */
typedef struct response {
    double alpha; /* 0: none */
    int usable, seen;
    ln_linear *linear;
    double *slopes; /* nrows x ncols, by columns: J */
    double *way;    /* n x nrows, by columns: W */
    unsigned long used;
} response;

typedef struct ln_few {
    int nrows, ncols;
    int *row, *col;               /* unknowns */
    int *df_place, *dq_place;     /* in a matrix of nrows x ncols, of each entry */
    double *x, *q, *f, *d;        /* n each */
    double *z0, *target, *z, *dz; /* ncols each */
    double *given0, *g;           /* nrows each: of the blocks at the guess; beyond slopes */
    double *slopes;               /* as of a response, at the point at hand */
    ln_linear *small;             /* ncols x ncols, dense */
    response kept[KEPT];
    unsigned long clock;
    long solved, failed;
    int useless; /* the response costs more than solutions do, or the iteration fails too often */
} ln_few;

/* ---- set-up ---- */

/* The distinct numbers in two lists, rising, into one; -1: more than MOST_ROWS. */
static int distinct(const int *a, int na, const int *b, int nb, int found[MOST_ROWS]) {
    int count = 0;
    for (int k = 0; k < na + nb; k++) {
        const int value = k < na ? a[k] : b[k - na];
        int at = 0;
        while (at < count && found[at] < value)
            at++;
        if (at < count && found[at] == value)
            continue;
        if (count == MOST_ROWS)
            return -1;
        memmove(found + at + 1, found + at, (size_t)(count - at) * sizeof *found);
        found[at] = value;
        count++;
    }
    return count;
}

static int position(const int *sorted, int count, int value) {
    int at = 0;
    while (at < count && sorted[at] != value)
        at++;
    return at;
}

static int *places_of(const ln_few *few, ln_arena *arena, const int *row, const int *col,
                      int count) {
    int *place = LN_NEW(arena, int, count);
    for (int k = 0; place != NULL && k < count; k++)
        place[k] = position(few->row, few->nrows, row[k]) +
                   few->nrows * position(few->col, few->ncols, col[k]);
    return place;
}

static ln_pattern *dense_pattern(ln_arena *arena, int n) {
    ln_pattern *pattern = LN_NEW(arena, ln_pattern, 1);
    int *start = LN_NEW(arena, int, n + 1), *row = LN_NEW(arena, int, n *n);
    if (pattern == NULL || start == NULL || row == NULL)
        return NULL;
    for (int k = 0; k < n * n; k++)
        row[k] = k % n;
    for (int j = 0; j <= n; j++)
        start[j] = j * n;
    *pattern = (ln_pattern){n, start, row};
    return pattern;
}

static int allocate(ln_few *few, ln_run *run) {
    ln_arena *arena = run->arena;
    const size_t n = (size_t)run->n, rows = (size_t)few->nrows, cols = (size_t)few->ncols;
    double **of_n[] = {&few->x, &few->q, &few->f, &few->d},
           **of_cols[] = {&few->z0, &few->target, &few->z, &few->dz};
    for (size_t k = 0; k < 4; k++) {
        *of_n[k] = LN_NEW(arena, double, n);
        *of_cols[k] = LN_NEW(arena, double, cols);
    }
    few->given0 = LN_NEW(arena, double, rows);
    few->g = LN_NEW(arena, double, rows);
    few->slopes = LN_NEW(arena, double, rows *cols);
    for (int k = 0; k < KEPT; k++)
        few->kept[k].slopes = LN_NEW(arena, double, rows *cols);
    const ln_pattern *pattern = dense_pattern(arena, few->ncols);
    few->small = pattern != NULL ? ln_linear_new(pattern, LN_LINEAR_DENSE) : NULL;
    return few->small != NULL && !ln_arena_failed(arena);
}

linnet_status ln_few_init(ln_run *run) {
    const ln_system *s = run->system;
    int row[MOST_ROWS], col[MOST_ROWS];
    run->few = NULL;
    if (s->linear || s->nnonlinear * LINEAR_SHARE > s->n)
        return LINNET_OK;
    const int nrows = distinct(s->df_row, s->ndf, s->dq_row, s->ndq, row),
              ncols = distinct(s->df_col, s->ndf, s->dq_col, s->ndq, col);
    if (nrows <= 0 || ncols <= 0 || nrows * LINEAR_SHARE > s->n)
        return LINNET_OK;
    ln_few *few = run->few = LN_NEW(run->arena, ln_few, 1);
    if (few == NULL)
        return LINNET_MEMORY;
    *few = (ln_few){.nrows = nrows,
                    .ncols = ncols,
                    .row = LN_NEW(run->arena, int, nrows),
                    .col = LN_NEW(run->arena, int, ncols)};
    if (few->row == NULL || few->col == NULL)
        return LINNET_MEMORY;
    memcpy(few->row, row, (size_t)nrows * sizeof *row);
    memcpy(few->col, col, (size_t)ncols * sizeof *col);
    few->df_place = places_of(few, run->arena, s->df_row, s->df_col, s->ndf);
    few->dq_place = places_of(few, run->arena, s->dq_row, s->dq_col, s->ndq);
    return few->df_place && few->dq_place && allocate(few, run) ? LINNET_OK : LINNET_MEMORY;
}

void ln_few_free(ln_run *run) {
    if (run->few == NULL)
        return;
    for (int k = 0; k < KEPT; k++) {
        ln_linear_free(run->few->kept[k].linear);
        ln_sys->release(run->few->kept[k].way);
    }
    ln_linear_free(run->few->small);
}

const ln_linear *ln_few_factors(const ln_run *run, int k) {
    return run->few != NULL && k < KEPT ? run->few->kept[k].linear : NULL;
}

/* ---- what the blocks give ---- */

/* At few->x: values of the nonlinear rows into given[], slopes into few->slopes; q and f of these
 * rows stand in few->q and few->f, and what blocks add to others is added to what stands there. */
static int evaluate(ln_run *run, double alpha, ln_side side, double *given, int *limited) {
    ln_few *few = run->few;
    ln_system *system = run->system;
    for (int i = 0; i < few->nrows; i++)
        few->q[few->row[i]] = few->f[few->row[i]] = 0;
    run->statistics->evaluations++;
    if (ln_system_eval(system, &(ln_moment){side, few->x}, LN_LIMIT_ON,
                       system->linear_q ? NULL : few->q, few->f, limited) != LINNET_OK)
        return 0;
    for (int i = 0; i < few->nrows; i++)
        given[i] = few->f[few->row[i]] + alpha * few->q[few->row[i]];
    memset(few->slopes, 0, (size_t)(few->nrows * few->ncols) * sizeof *few->slopes);
    for (int k = 0; k < system->ndf; k++)
        few->slopes[few->df_place[k]] += system->df[k];
    for (int k = 0; k < system->ndq; k++)
        few->slopes[few->dq_place[k]] += alpha * system->dq[k];
    return 1;
}

/* ---- the network's response ---- */

/* What is kept for this alpha; one that was asked for once gets a place, since lengths of steps
 * that do not come back are not worth a factorisation of their own. */
static response *kept_for(ln_few *few, double alpha) {
    response *oldest = &few->kept[0];
    for (int k = 0; k < KEPT; k++) {
        response *kept = &few->kept[k];
        if (ln_same_alpha(kept->alpha, alpha)) {
            kept->used = ++few->clock;
            return kept;
        }
        if (kept->used < oldest->used)
            oldest = kept;
    }
    *oldest = (response){.alpha = alpha,
                         .linear = oldest->linear,
                         .slopes = oldest->slopes,
                         .way = oldest->way,
                         .used = ++few->clock};
    return oldest;
}

/* M with the slopes as they are at the guess. */
static int factor(ln_run *run, response *kept) {
    if (kept->linear == NULL) {
        kept->linear = ln_linear_new(&run->system->pattern, run->settings->linear);
        if (kept->linear == NULL)
            return 0;
        ln_linear_profile(kept->linear, run->settings->profile);
    }
    ln_system_jacobian(run->system, kept->alpha, run->newton.values);
    return ln_linear_factor(kept->linear, run->newton.values) == LN_FACTORED;
}

/* M and W. The product with W must not cost more than the solution that it saves, nor W more memory
 * than the factors. */
static int make(ln_run *run, response *kept) {
    ln_few *few = run->few;
    const size_t n = (size_t)run->n, count = n * (size_t)few->nrows;
    if (!factor(run, kept))
        return 0;
    few->useless = count > (size_t)ln_linear_count(kept->linear).fill;
    if (!few->useless && kept->way == NULL)
        kept->way = ln_sys->allocate(count * sizeof *kept->way);
    if (few->useless || kept->way == NULL)
        return 0;
    memcpy(kept->slopes, few->slopes, (size_t)(few->nrows * few->ncols) * sizeof *kept->slopes);
    for (int i = 0; i < few->nrows; i++) {
        double *way = kept->way + (size_t)i * n;
        memset(way, 0, n * sizeof *way);
        way[few->row[i]] = 1;
        ln_linear_solve(kept->linear, way);
    }
    return kept->usable = 1;
}

/* ---- the small system ---- */

/* Element (i, j) of W_C (slopes - J). */
static double response_of(const ln_run *run, const response *kept, int i, int j) {
    const ln_few *few = run->few;
    double sum = 0;
    for (int r = 0; r < few->nrows; r++)
        sum += kept->way[(size_t)r * (size_t)run->n + (size_t)few->col[i]] *
               (few->slopes[r + few->nrows * j] - kept->slopes[r + few->nrows * j]);
    return sum;
}

/* dz by Newton's method at z. 0: the matrix is singular. */
static int find_update(const ln_run *run, const response *kept) {
    const ln_few *few = run->few;
    double *values = ln_linear_room(few->small);
    for (int j = 0; j < few->ncols; j++)
        for (int i = 0; i < few->ncols; i++)
            values[i + few->ncols * j] = (i == j) + response_of(run, kept, i, j);
    for (int i = 0; i < few->ncols; i++) {
        few->dz[i] = few->z[i] - few->target[i];
        for (int r = 0; r < few->nrows; r++)
            few->dz[i] += kept->way[(size_t)r * (size_t)run->n + (size_t)few->col[i]] * few->g[r];
    }
    if (ln_linear_factor(few->small, values) != LN_FACTORED)
        return 0;
    ln_linear_solve(few->small, few->dz);
    return 1;
}

/* g at z, and the slopes there. */
static int move_to(ln_run *run, const response *kept, ln_side side, int *limited) {
    ln_few *few = run->few;
    for (int j = 0; j < few->ncols; j++)
        few->x[few->col[j]] = few->z[j];
    if (!evaluate(run, kept->alpha, side, few->g, limited))
        return 0;
    for (int r = 0; r < few->nrows; r++) {
        few->g[r] -= few->given0[r];
        for (int j = 0; j < few->ncols; j++)
            few->g[r] -= kept->slopes[r + few->nrows * j] * (few->z[j] - few->z0[j]);
    }
    return 1;
}

/* As Newton's method elsewhere, without what a step's own error would allow. */
static int is_met(const ln_run *run) {
    const ln_few *few = run->few;
    for (int j = 0; j < few->ncols; j++)
        if (!(fabs(few->dz[j]) <=
              ln_update_unit(&run->newton, fabs(few->z[j]), run->system->abstol[few->col[j]])))
            return 0;
    return 1;
}

static int iterate(ln_run *run, const response *kept, ln_side side) {
    ln_few *few = run->few;
    memset(few->g, 0, (size_t)few->nrows * sizeof *few->g);
    memcpy(few->z, few->z0, (size_t)few->ncols * sizeof *few->z);
    for (int k = 0; k < ITERATIONS; k++) {
        int limited = 0;
        run->newton.iterations++;
        if (!find_update(run, kept))
            return 0;
        for (int j = 0; j < few->ncols; j++)
            few->z[j] -= few->dz[j];
        if (!move_to(run, kept, side, &limited))
            return 0;
        if (!limited && is_met(run))
            return 1;
    }
    return 0;
}

/* ---- a step ---- */

/* r(x0) into few->d; E x0 is left in at.q. */
static int find_residual(ln_run *run, double alpha, const double *q_near, const double *w,
                         ln_side side, ln_point at) {
    ln_few *few = run->few;
    const size_t bytes = (size_t)run->n * sizeof *at.x;
    int limited = 0;
    memcpy(few->x, at.x, bytes);
    memset(few->q, 0, bytes);
    memset(few->f, 0, bytes);
    if (!evaluate(run, alpha, side, few->given0, &limited))
        return 0;
    ln_matrix_apply(&run->system->E, at.x, at.q);
    ln_matrix_apply(&run->system->A, at.x, few->d);
    for (int i = 0; i < run->n; i++)
        few->d[i] += few->f[i] + alpha * (at.q[i] + few->q[i] - q_near[i]) + w[i] - run->s[i];
    for (int j = 0; j < few->ncols; j++)
        few->z0[j] = at.x[few->col[j]];
    return 1;
}

/* x = x0 - d - W g; q and f there. */
static int finish(ln_run *run, const response *kept, const double *q_near, const double *w,
                  ln_point at) {
    const ln_few *few = run->few;
    const ln_system *system = run->system;
    for (int j = 0; j < few->ncols; j++)
        if (!(fabs(few->target[j] - few->z[j]) <=
              MOST_RESPONSE * (fabs(few->z[j]) + system->abstol[few->col[j]])))
            return 0;
    memcpy(few->x, at.x, (size_t)run->n * sizeof *at.x);
    for (int i = 0; i < run->n; i++)
        at.x[i] -= few->d[i];
    for (int r = 0; r < few->nrows; r++) {
        const double *way = kept->way + (size_t)r * (size_t)run->n, g = few->g[r];
        for (int i = 0; i < run->n; i++)
            at.x[i] -= way[i] * g;
    }
    if (!ln_all_finite(at.x, (size_t)run->n)) {
        memcpy(at.x, few->x, (size_t)run->n * sizeof *at.x);
        return 0;
    }
    ln_matrix_apply(&system->E, at.x, at.q);
    for (int r = 0; r < few->nrows; r++)
        at.q[few->row[r]] += few->q[few->row[r]];
    for (int i = 0; i < run->n; i++)
        at.f[i] = system->dynamic[i] ? -(kept->alpha * (at.q[i] - q_near[i]) + w[i]) : 0;
    return 1;
}

/* The small system led nowhere: the ordinary way goes on, the slopes are taken anew next time. */
static int fail(ln_few *few, response *kept) {
    kept->usable = 0;
    few->useless = ++few->failed > MOST_FAILURES + few->solved / MOST_FAILURES;
    return 0;
}

int ln_few_solve(ln_run *run, double alpha, const double *q_near, const double *w, ln_side side,
                 ln_point at) {
    ln_few *few = run->few;
    if (few->useless)
        return 0;
    response *kept = kept_for(few, alpha);
    if (!kept->usable && !kept->seen++)
        return 0;
    if (!find_residual(run, alpha, q_near, w, side, at) || (!kept->usable && !make(run, kept)))
        return fail(few, kept);
    ln_linear_solve(kept->linear, few->d);
    for (int j = 0; j < few->ncols; j++)
        few->target[j] = few->z0[j] - few->d[few->col[j]];
    if (!iterate(run, kept, side) || !finish(run, kept, q_near, w, at))
        return fail(few, kept);
    few->solved++;
    return 1;
}
