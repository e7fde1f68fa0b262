/* SPDX-License-Identifier: MIT */
/* Rows and their derivatives, impulses and held values as one system for Newton's method. */
#include "system/prolonged_cache.h"

#include "base/sys.h"
#include "linear/convergence.h"
#include <math.h>
#include <string.h>

/* Derivatives that are zero (at rest) are rounding only, and never settle against their own size: x
 * that has stood still for so many iterations does not notice them. */
enum { MOST_ITERATIONS = 40, NOTICED = 3 };
/* Newton has converged when an unknown moves by less than this part of its tolerance, or of itself;
 * a derivative, of the largest of its order, which is all that samples give (derivatives.h). */
static const double SMALL_OF_TOLERANCE = 1e-8, SMALL = 1e-12, SMALL_DERIVATIVE = 1e-9;

typedef struct prolonged {
    ln_system *system;
    ln_consistency_conditions given;
    ln_arena *arena;
    ln_prolonged_cache *cache;
    const ln_prolonged_structure *structure;
    int n, most, depth;              /* as of the structure */
    const int *derivative, *impulse; /* likewise */
    int size;                        /* unknowns = equations: the structure's, and held values */
    double *value;    /* size: derivatives and impulses (of differences, in a floating part) */
    double *x, *rows; /* (most + 2) n, (most + 1) n: x and its derivatives; the rows' */
    double *impulses, *q_defect; /* (depth + 1) n: impulses of x, from 1 on; n: q - q* */
    double *flows, *sources;     /* n each */
    double *through, *through2;  /* n: work */
    const ln_matrix *E, *A;      /* E + dq and A + df by rows */
    double *residual;            /* size; then the update */
    ln_convergence judge;
} prolonged;

/* ---- unknowns ---- */

static linnet_status allocate(prolonged *all) {
    const size_t n = (size_t)all->n, orders = (size_t)all->most + 2, depth = (size_t)all->depth + 1;
    double **vectors[] = {&all->q_defect, &all->flows, &all->sources, &all->through,
                          &all->through2};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = LN_NEW(all->arena, double, n);
    all->value = LN_NEW(all->arena, double, all->size);
    all->residual = LN_NEW(all->arena, double, all->size);
    all->x = LN_NEW(all->arena, double, orders *n);
    all->rows = LN_NEW(all->arena, double, orders *n);
    all->impulses = LN_NEW(all->arena, double, depth *n);
    return ln_arena_failed(all->arena) ? LINNET_MEMORY
                                       : ln_convergence_init(&all->judge, all->arena, all->size);
}

/* The common unknown of the part that x[j] belongs to, if it is another; else -1. */
static int common_of(const prolonged *all, int j) {
    const ln_storage *storage = &all->structure->storage;
    const int part = storage->part[j];
    const int common = part < 0 ? j : storage->common[part];
    return common == j ? -1 : common;
}

/* From the unknowns to x, its derivatives and impulses: what a part has in common is added to the
 * differences. x itself is no difference. */
static void spread(prolonged *all) {
    for (int o = 0; o <= all->most + 1; o++)
        for (int j = 0; j < all->n; j++) {
            const int own = all->derivative[o * all->n + j],
                      common = o == 0 ? -1 : common_of(all, j);
            const int shared = common < 0 ? -1 : all->derivative[o * all->n + common];
            all->x[o * all->n + j] =
                (own < 0 ? 0 : all->value[own]) + (shared < 0 ? 0 : all->value[shared]);
        }
    for (int o = 1; o <= all->depth; o++)
        for (int j = 0; j < all->n; j++) {
            const int own = all->impulse[o * all->n + j], common = common_of(all, j);
            const int shared = common < 0 ? -1 : all->impulse[o * all->n + common];
            all->impulses[o * all->n + j] =
                (own < 0 ? 0 : all->value[own]) + (shared < 0 ? 0 : all->value[shared]);
        }
}

/* ---- equations ---- */

/* y = M v, with M by rows. */
static void apply(const ln_matrix *by_rows, const double *v, double *y) {
    for (int i = 0; i < by_rows->pattern.n; i++) {
        y[i] = 0;
        for (int k = by_rows->pattern.start[i]; k < by_rows->pattern.start[i + 1]; k++)
            y[i] += by_rows->value[k] * v[by_rows->pattern.row[k]];
    }
}

/* The rows and their derivatives where blocks have limited Newton's way: all as linear as the
 * tangents that stand for those blocks. */
static void take_tangents(prolonged *all) {
    for (int order = 0; order <= all->most; order++) {
        const double *x = all->x + order * all->n;
        double *rows = all->rows + order * all->n;
        if (order > 0)
            apply(all->A, x, all->flows);
        apply(all->E, x + all->n, rows);
        for (int i = 0; i < all->n; i++)
            rows[i] += all->flows[i];
    }
}

/* Evaluates everything at the present unknowns; *limited: blocks that have moved their point. */
static linnet_status evaluate(prolonged *all, int *limited) {
    ln_system *system = all->system;
    spread(all);
    ln_matrix_apply(&system->E, all->x, all->q_defect);
    ln_matrix_apply(&system->A, all->x, all->flows);
    LN_TRY(ln_system_eval(system, &(ln_moment){all->given.side, all->x}, LN_LIMIT_ON, all->q_defect,
                          all->flows, limited));
    for (int i = 0; i < all->n; i++) {
        all->q_defect[i] -= all->given.q_star[i];
        all->flows[i] -= all->sources[i];
    }
    LN_TRY(ln_prolonged_sort_by_rows(all->cache, system));
    if (*limited == 0)
        return ln_derivatives_find(all->cache->derivatives, all->given.side, all->x, all->rows);
    take_tangents(all);
    return LINNET_OK;
}

/* A row of a matrix, times a factor. */
typedef struct scaled_row {
    const ln_matrix *from;
    int row;
    double factor;
} scaled_row;

static int add_entries(prolonged *all, int equation, scaled_row scaled, const int *number,
                       int differences) {
    const ln_matrix *from = scaled.from;
    const int row = scaled.row;
    for (int k = from->pattern.start[row]; k < from->pattern.start[row + 1]; k++) {
        const int j = from->pattern.row[k], common = differences ? common_of(all, j) : -1;
        const double value = scaled.factor * from->value[k];
        if (number[j] >= 0 && !ln_reassembly_add(&all->cache->jacobian, equation, number[j], value))
            return 0;
        if (common >= 0 && number[common] >= 0 &&
            !ln_reassembly_add(&all->cache->jacobian, equation, number[common], value))
            return 0;
    }
    return 1;
}

/* The derivatives of row k: leading terms alone are differentiated, the others settle as the lower
 * derivatives do. */
static int add_derivatives(prolonged *all, int k, int *equation) {
    const ln_index *index = &all->structure->index;
    int going = 1;
    for (int times = 0; times <= index->c[k]; times++, (*equation)++)
        for (int i = index->start[k]; going && i < index->start[k + 1]; i++) {
            const int row = index->row[i], order = times + index->order[i];
            const double factor = index->coefficient[i];
            all->residual[*equation] += factor * all->rows[order * all->n + row];
            going = add_entries(all, *equation, (scaled_row){all->A, row, factor},
                                all->derivative + order * all->n, order > 0) &&
                    add_entries(all, *equation, (scaled_row){all->E, row, factor},
                                all->derivative + (order + 1) * all->n, 1);
        }
    return going;
}

static int enters(const prolonged *all, int node, int row) {
    int entered[2];
    const int count = ln_system_entered(all->system, node, entered);
    return (count > 0 && entered[0] == row) + (count > 1 && entered[1] == row);
}

/* What was held enters the balance of what is stored in its rows. */
static int add_held_impulses(prolonged *all, int equation, int row, double factor) {
    for (int h = 0; h < all->given.nheld; h++) {
        const int number = all->size - all->given.nheld + h;
        const double sign =
            enters(all, all->given.held[h].a, row) - enters(all, all->given.held[h].b, row);
        all->residual[equation] += sign * factor * all->value[number];
        if (sign != 0 && !ln_reassembly_add(&all->cache->jacobian, equation, number, sign * factor))
            return 0;
    }
    return 1;
}

/* Row k balances impulses of each order; `E_impulse`, `A_impulse`: products with those of this
 * order. */
static int add_balance(prolonged *all, int k, int order, int equation, const double *E_impulse,
                       const double *A_impulse) {
    const ln_index *index = &all->structure->index;
    int going = 1;
    for (int i = index->start[k]; going && i < index->start[k + 1]; i++) {
        const int row = index->row[i];
        const double factor = index->coefficient[i];
        all->residual[equation] += factor * (E_impulse[row] + A_impulse[row]);
        going = add_entries(all, equation, (scaled_row){all->E, row, factor},
                            order == 1 ? all->derivative : all->impulse + (order - 1) * all->n,
                            order > 1) &&
                (order > all->depth || add_entries(all, equation, (scaled_row){all->A, row, factor},
                                                   all->impulse + order * all->n, 1)) &&
                (order > 1 || add_held_impulses(all, equation, row, factor));
    }
    return going;
}

static int add_balances(prolonged *all, int *equation) {
    const size_t bytes = (size_t)all->n * sizeof(double);
    memcpy(all->through2, all->q_defect, bytes);
    for (int order = 1; order <= all->depth + 1; order++) {
        memset(all->through, 0, bytes);
        if (order <= all->depth)
            apply(all->A, all->impulses + order * all->n, all->through);
        for (int k = 0; k < all->n; k++)
            if (ln_prolonged_balances(all->structure, k) >= order &&
                !add_balance(all, k, order, (*equation)++, all->through2, all->through))
                return 0;
        if (order <= all->depth)
            apply(all->E, all->impulses + order * all->n, all->through2);
    }
    return 1;
}

static int add_held(prolonged *all, int *equation) {
    for (int h = 0; h < all->given.nheld; h++, (*equation)++) {
        const ln_held_difference *one = &all->given.held[h];
        const double other = one->b < 0 ? 0 : all->x[one->b];
        all->residual[*equation] = all->x[one->a] - other - one->value;
        if (!ln_reassembly_add(&all->cache->jacobian, *equation, all->derivative[one->a], 1))
            return 0;
        if (one->b >= 0 &&
            !ln_reassembly_add(&all->cache->jacobian, *equation, all->derivative[one->b], -1))
            return 0;
    }
    return 1;
}

/* ---- Newton ---- */

/* The Jacobian, and the solver of the last point or iteration where its pattern is the same: it
 * need not be analysed anew. NULL: no memory. */
static ln_linear *take_solver(prolonged *all) {
    ln_prolonged_cache *cache = all->cache;
    if (!ln_reassembly_is_known(&cache->jacobian))
        ln_prolonged_forget_factors(cache);
    if (ln_reassembly_finish(&cache->jacobian, all->size) != LINNET_OK)
        return NULL;
    if (cache->linear == NULL)
        cache->linear = ln_linear_new(&cache->jacobian.matrix.pattern, LN_LINEAR_AUTO);
    return cache->linear;
}

/* Solves for the update, in place of the residual. */
static ln_prolonged_outcome solve_linear(prolonged *all) {
    int equation = 0, going = 1;
    memset(all->residual, 0, (size_t)all->size * sizeof *all->residual);
    ln_reassembly_begin(&all->cache->jacobian);
    for (int k = 0; going && k < all->n; k++)
        going = add_derivatives(all, k, &equation);
    going = going && add_balances(all, &equation) && add_held(all, &equation);
    if (going && equation != all->size)
        return LN_PROLONGED_SINGULAR;
    ln_linear *linear = going ? take_solver(all) : NULL;
    if (linear == NULL)
        return LN_PROLONGED_MEMORY;
    const ln_factored factored = ln_linear_factor(linear, all->cache->jacobian.matrix.value);
    if (factored == LN_FACTORED)
        ln_linear_solve(linear, all->residual);
    return factored == LN_FACTORED   ? LN_PROLONGED_SOLVED
           : factored == LN_SINGULAR ? LN_PROLONGED_SINGULAR
                                     : LN_PROLONGED_MEMORY;
}

/* What an unknown of this order may move by at the end: x by a part of its tolerance and of itself,
 * a derivative by a part of the largest of its order, before the update or after it (what becomes
 * zero exactly has moved by all of itself). */
static double small_of(const prolonged *all, int order, int j) {
    if (order == 0)
        return SMALL_OF_TOLERANCE * all->system->abstol[j] + SMALL * fabs(all->value[j]);
    double size = 0;
    for (int k = 0; k < all->n; k++) {
        const int number = all->derivative[order * all->n + k];
        if (number < 0)
            continue;
        const double now = all->value[number];
        size = fmax(size, fmax(fabs(now), fabs(now + all->residual[number])));
    }
    return SMALL_DERIVATIVE * size;
}

/* The largest update of orders `first` to `last` in units of what is small; with `noisy`, of those
 * that are no noise. */
static double largest_update(const prolonged *all, int first, int last, int noisy) {
    double worst = 0;
    for (int o = first; o <= last; o++) {
        const double common = o == 0 ? 0 : small_of(all, o, 0);
        for (int j = 0; j < all->n; j++) {
            const int number = all->derivative[o * all->n + j];
            const double moved = number < 0 ? 0 : fabs(all->residual[number]);
            if (isnan(moved))
                return INFINITY;
            if (moved <= 0 || (noisy && ln_convergence_is_noise(&all->judge, number, moved)))
                continue;
            worst = fmax(worst, moved / (o == 0 ? small_of(all, o, j) : common));
        }
    }
    return worst;
}

/* Updates that fall no more: are they what rounding makes of them, and is every junction its own
 * tangent over them (newton.c)? */
static int is_noise(prolonged *all) {
    ln_convergence *judge = &all->judge;
    const ln_matrix *jacobian = &all->cache->jacobian.matrix;
    memset(judge->magnitude, 0, (size_t)all->size * sizeof *judge->magnitude);
    ln_add_abs_product(&jacobian->pattern, jacobian->value, 1, all->value, judge->magnitude);
    ln_convergence_find_noise(judge, all->cache->linear);
    if (largest_update(all, 0, all->most + 1, 1) > 1)
        return 0;
    return ln_system_nonlinearity_here(all->system, all->x, all->residual, all->flows) <= 1;
}

/* Takes the update; 1 when it was the last. */
static int take_update(prolonged *all, int limited, int *still) {
    for (int i = 0; i < all->size; i++)
        all->value[i] -= all->residual[i];
    const double moved = largest_update(all, 0, 0, 0),
                 norm = fmax(moved, largest_update(all, 1, all->most + 1, 0));
    if (limited) {
        ln_convergence_begin(&all->judge, 1);
        *still = 0;
        return 0;
    }
    const ln_verdict verdict = ln_convergence_judge(&all->judge, norm);
    *still = moved <= 1 ? *still + 1 : 0;
    if ((verdict == LN_CONVERGED && norm <= 1) || *still > NOTICED)
        return 1;
    return (verdict == LN_STALLS || verdict == LN_RUNS_AWAY) && isfinite(norm) && is_noise(all);
}

static ln_prolonged_outcome iterate(prolonged *all, long *iterations) {
    int still = 0;
    ln_convergence_begin(&all->judge, all->system->linear ? 0 : 1);
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        int limited = 0;
        const linnet_status status = evaluate(all, &limited);
        ++*iterations;
        if (status != LINNET_OK)
            return status == LINNET_MEMORY ? LN_PROLONGED_MEMORY : LN_PROLONGED_REFUSED;
        const ln_prolonged_outcome outcome = solve_linear(all);
        if (outcome != LN_PROLONGED_SOLVED)
            return outcome;
        if (take_update(all, limited, &still))
            return LN_PROLONGED_SOLVED;
        if (!isfinite(all->judge.norm))
            return LN_PROLONGED_DIVERGED;
    }
    return LN_PROLONGED_DIVERGED;
}

/* ---- the whole ---- */

static linnet_status take_structure(prolonged *all, const double *x) {
    LN_TRY(ln_prolonged_take_structure(all->cache, all->system, &all->given, x));
    const ln_prolonged_structure *structure = all->structure = all->cache->structure;
    all->E = &all->cache->E.matrix;
    all->A = &all->cache->A.matrix;
    all->n = structure->n;
    all->most = structure->most;
    all->depth = structure->depth;
    all->derivative = structure->derivative;
    all->impulse = structure->impulse;
    all->size = structure->size + all->given.nheld;
    return LINNET_OK;
}

/* Newton's method begins at x with the derivatives of the last point. */
static linnet_status prepare(prolonged *all, const double *x) {
    LN_TRY(take_structure(all, x));
    LN_TRY(allocate(all));
    LN_TRY(ln_prolonged_take_derivatives(all->cache, all->system));
    LN_TRY(ln_system_sources(all->system, all->given.side, all->sources));
    const ln_prolonged_structure *found = all->structure;
    memcpy(all->value, found->derivatives, (size_t)found->nderivatives * sizeof *x);
    memcpy(all->value, x, (size_t)all->n * sizeof *x);
    return LINNET_OK;
}

static void keep_derivatives(const prolonged *all) {
    ln_prolonged_structure *structure = all->cache->structure;
    memcpy(structure->derivatives, all->value,
           (size_t)structure->nderivatives * sizeof *structure->derivatives);
}

static ln_prolonged_outcome solve(prolonged *all, double *x, long *iterations) {
    ln_prolonged_cache *cache = all->cache;
    all->arena = ln_arena_new();
    const linnet_status status = all->arena == NULL ? LINNET_MEMORY : prepare(all, x);
    ln_prolonged_outcome outcome =
        status == LINNET_MEMORY ? LN_PROLONGED_MEMORY : LN_PROLONGED_SINGULAR;
    if (status == LINNET_OK) {
        outcome = iterate(all, iterations);
        memcpy(cache->update, all->residual, (size_t)all->n * sizeof *cache->update);
    }
    if (outcome == LN_PROLONGED_SOLVED) {
        keep_derivatives(all);
        memcpy(x, all->value, (size_t)all->n * sizeof *x);
    }
    ln_arena_free(all->arena);
    return outcome;
}

ln_prolonged_outcome ln_prolonged_solve(ln_system *system, const ln_consistency_conditions *given,
                                        ln_prolonged_cache *cache, double *x, long *iterations) {
    prolonged all = {.system = system, .cache = cache, .given = *given};
    const ln_prolonged_structure *before = cache->structure;
    const ln_prolonged_outcome outcome = solve(&all, x, iterations);
    if (outcome == LN_PROLONGED_SOLVED || outcome == LN_PROLONGED_MEMORY || before == NULL ||
        cache->structure != before)
        return outcome;
    ln_prolonged_forget_structure(cache); /* was it that of another point? */
    return solve(&all, x, iterations);
}

/* ---- corners ---- */

/* A motion through x in which nothing rests, so that a factor of what moves is seen, too. */
static void move_somehow(const prolonged *all, const double *x, double *motion) {
    memcpy(motion, x, (size_t)all->n * sizeof *x);
    for (int k = all->n; k < (all->most + 2) * all->n; k++)
        motion[k] = all->system->nominal[k % all->n] * sin(1 + 0.7 * k);
}

/* Of a derivative that is the same on both sides; samples of native types (derivatives.h) are so
 * bit by bit, where they do not depend on the side. */
static const double SAME_SLOPE = 1e-9;

static int derivatives_jump(const prolonged *all, const double *before, const double *after) {
    for (int i = 0; i < all->n; i++)
        for (int order = 1; order <= all->cache->wanted[i]; order++) {
            const double a = before[order * all->n + i], b = after[order * all->n + i];
            if (fabs(a - b) > SAME_SLOPE * (fabs(a) + fabs(b)))
                return 1;
        }
    return 0;
}

linnet_status ln_prolonged_slope_jumps(ln_system *system, ln_side left, ln_side right,
                                       ln_prolonged_cache *cache, const double *x, int *result) {
    prolonged all = {
        .system = system, .given = {.side = left}, .arena = ln_arena_new(), .cache = cache};
    double *after = NULL;
    *result = 0;
    linnet_status status = all.arena == NULL ? LINNET_MEMORY : prepare(&all, x);
    if (status == LINNET_OK && all.most > 0) {
        const size_t values = (size_t)(all.most + 1) * (size_t)all.n;
        after = LN_NEW(all.arena, double, values);
        move_somehow(&all, x, all.x);
        status = after == NULL ? LINNET_MEMORY
                               : ln_derivatives_find(cache->derivatives, left, all.x, all.rows);
        if (status == LINNET_OK)
            status = ln_derivatives_find(cache->derivatives, right, all.x, after);
        if (status == LINNET_OK)
            *result = derivatives_jump(&all, all.rows, after);
    }
    ln_arena_free(all.arena);
    return status;
}
