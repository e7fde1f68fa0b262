/* SPDX-License-Identifier: MIT */
/* From alpha, q_near and w to the end of one implicit step: residual, Jacobian, Newton's method
 * with kept factorisations. On a linear network a step is one right-hand side and one solve,
 * with the factorisation of its alpha; the last few are kept, so that a short step to a
 * breakpoint and back costs no more than once. */
#include "integrate/implicit.h"

#include "integrate/few_nonlinear.h"
#include "system/hybrid.h"

#include <math.h>
#include <string.h>

typedef struct step_equations {
    ln_equation_set set;
    double alpha;
    ln_side side;
    const double *q_near, *w, *s;
    double *q;    /* out: q(x) of the last residual */
    double rests; /* V */
    long *evaluations;
} step_equations;

/* r = alpha (q(x) - q_near) + w + A x + f_nl - s; on rows without q both q are zero. */
static linnet_status step_residual(ln_equation_set *set, const double *x, int manner, double *r,
                                   int *limited) {
    step_equations *step = (step_equations *)set;
    ln_system *system = set->system;
    ++*step->evaluations;
    ln_matrix_apply(&system->E, x, step->q);
    ln_matrix_apply(&system->A, x, r);
    linnet_status status =
        ln_system_eval_within(system, &(ln_moment){step->side, x}, (ln_leeway){manner, step->rests},
                              system->linear_q ? NULL : step->q, r, limited);
    for (int i = 0; i < system->n; i++)
        r[i] += step->alpha * (step->q[i] - step->q_near[i]) + step->w[i] - step->s[i];
    return status;
}

static void step_jacobian(ln_equation_set *set, double *values) {
    ln_system_jacobian(set->system, ((step_equations *)set)->alpha, values);
}

/* ---- memory ---- */

linnet_status ln_run_init(ln_run *run, ln_system *system, const ln_settings *settings,
                          const ln_watcher *watcher, ln_report *report, ln_statistics *statistics) {
    *run = (ln_run){.system = system,
                    .settings = settings,
                    .watcher = watcher,
                    .report = report,
                    .statistics = statistics,
                    .n = system->n};
    *statistics = (ln_statistics){.method = settings->method,
                                  .unknowns = system->n,
                                  .nonlinear = system->nnonlinear,
                                  .linear = settings->linear,
                                  .start_means = "",
                                  .t = settings->begin};
    run->arena = ln_arena_new();
    if (run->arena == NULL)
        return ln_no_memory(report);
    double **vectors[] = {&run->x,
                          &run->q,
                          &run->f,
                          &run->x1,
                          &run->q1,
                          &run->f1,
                          &run->s,
                          &run->w,
                          &run->guess,
                          &run->far_guess,
                          &run->errors.peak,
                          &run->errors.least_share,
                          &run->accuracy.allowed,
                          &run->products.x,
                          &run->products.Ex,
                          &run->products.Ax};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if ((*vectors[k] = LN_NEW(run->arena, double, system->n)) == NULL)
            return ln_no_memory(report);
    run->accuracy.guard = LN_NEW(run->arena, double, system->nguards);
    run->errors.errs_least = LN_NEW(run->arena, int, system->n);
    run->errors.rejections = LN_NEW(run->arena, long, system->n);
    run->errors.dominations = LN_NEW(run->arena, long, system->n);
    run->errors.unseen = LN_NEW(run->arena, int, system->ndq);
    run->errors.unsolved = LN_NEW(run->arena, long, system->n);
    run->errors.in_error_test = LN_NEW(run->arena, char, system->n);
    run->errors.is_potential = LN_NEW(run->arena, char, system->n);
    if (ln_arena_failed(run->arena))
        return ln_no_memory(report);
    if (ln_newton_init(&run->newton, run->arena, system->n, system->pattern.start[system->n]) !=
        LINNET_OK)
        return ln_no_memory(report);
    if (ln_few_init(run) != LINNET_OK)
        return ln_no_memory(report);
    return ln_predictor_init(&run->predictor, system, run->arena) == LINNET_OK
               ? LINNET_OK
               : ln_no_memory(report);
}

void ln_run_free(ln_run *run) {
    for (int k = 0; k < LN_KEPT_FACTORS; k++)
        ln_linear_free(run->cache.factors[k].matrix.linear);
    ln_few_free(run);
    ln_arena_free(run->arena);
    *run = (ln_run){0};
}

/* ---- factorisations ---- */

/* The solver kept for this alpha; else an unused one, else the one unused for longest. */
ln_step_factors *ln_run_factors_for(ln_run *run, double alpha) {
    ln_step_factors *chosen = NULL;
    for (int k = 0; k < LN_KEPT_FACTORS; k++) {
        ln_step_factors *factors = &run->cache.factors[k];
        if (factors->matrix.linear != NULL && ln_same_alpha(factors->alpha, alpha)) {
            chosen = factors;
            break;
        }
        if (chosen == NULL || factors->used < chosen->used)
            chosen = factors;
    }
    if (chosen->matrix.linear == NULL) {
        chosen->matrix.linear = ln_linear_new(&run->system->pattern, run->settings->linear);
        if (chosen->matrix.linear == NULL) {
            run->out_of_memory = 1;
            return NULL;
        }
        ln_linear_profile(chosen->matrix.linear, run->settings->profile);
    }
    if (!ln_same_alpha(chosen->alpha, alpha)) {
        chosen->alpha = alpha;
        chosen->matrix.usable = 0;
    }
    chosen->used = ++run->cache.clock;
    return chosen;
}

/* ---- solving ---- */

/* Newton's error stays at a ten-thousandth of a step's tolerance: of 1e-3, 1e-7. What is left of it
 * is amplified by gain stages until the error test sees it; another factor of 100 costs a 741
 * amplifier a fifth more steps. */
static const double STRICT_BELOW = 1e-6, MOST_LOOSE = 1e3;
enum { MOST_ITERATIONS = 25 }; /* unless Newton's method goes on to rounding */

/* Does a new factorisation at every iteration pay? An iteration evaluates the blocks, which gives
 * the Jacobian, too, and solves once. By kept factors a step took three iterations more than by new
 * ones, of which it needs one or two. Costs are counted in multiplications, so that the decision is
 * the same in every run: `PER_ENTRY` of an entry that a block evaluates, two of an entry of the
 * factors that are solved with, `PER_COPY` of an entry that is assembled and scaled, all measured
 * against those of a factorisation. */
static int renewing_pays(const ln_run *run, const ln_step_factors *factors) {
    enum { PER_ENTRY = 8, PER_COPY = 4, SAVED = 3, MADE = 2 };
    const ln_system *system = run->system;
    const ln_linear_counts counts = ln_linear_count(factors->matrix.linear);
    const double made = counts.products + PER_COPY * (double)system->pattern.start[system->n];
    const double saved =
        PER_ENTRY * ((double)system->ndf + (double)system->ndq) + 2 * (double)counts.fill;
    return MADE * made <= SAVED * saved;
}

/* Newton's method by the error of the step, where that is known, and with a Jacobian for each point
 * where that pays, and where it goes on to rounding: there it goes the way of generated code
 * (codegen/c_newton.c), also where it finds nothing. */
static void aim_newton(ln_run *run, ln_step_factors *factors) {
    run->newton.allowance = run->accuracy.allowance;
    run->newton.renew = run->settings->newton_exact ||
                        ((run->accuracy.allowance != NULL || run->accuracy.predicts) &&
                         renewing_pays(run, factors));
    if ((run->renews = run->newton.renew))
        factors->matrix.usable = 0;
}

/* q at x, the solution. Where the step's own error ends Newton's method, that has evaluated the
 * point before, x + dx, and has met the equations linearised there: so q is that of the linearised
 * equations, too, and what flows into a node is what it stores. An evaluation at x would cost as
 * much as an iteration and leave charge over. */
static int find_q_of_chain(ln_run *run, ln_side side, const double *x, double *q) {
    const ln_system *system = run->system;
    const double *dx = run->newton.dx;
    double *less = run->newton.trial;
    if (system->linear_q || run->accuracy.allowance == NULL)
        return ln_system_q(run->system, side, x, q) == LINNET_OK;
    ln_matrix_apply(&system->E, dx, less);
    ln_system_add_stored(system, dx, less);
    for (int i = 0; i < run->n; i++)
        q[i] -= less[i];
    return 1;
}

static double rests_now(const ln_run *run) {
    if (run->accuracy.allowance == NULL || run->settings->evaluate_all)
        return 0;
    return run->adaptive ? run->rests : ln_rests_within(LN_RESTS);
}

static ln_newton_outcome solve_nonlinear(ln_run *run, ln_step_factors *factors,
                                         const double *q_near, const double *w, ln_side side,
                                         ln_point at) {
    step_equations step = {.set = {run->system,
                                   &run->system->pattern,
                                   step_residual,
                                   step_jacobian,
                                   0,
                                   {w, run->s},
                                   run->system->linear_q ? NULL : at.q,
                                   factors->alpha},
                           .alpha = factors->alpha,
                           .side = side,
                           .q_near = q_near,
                           .w = w,
                           .s = run->s,
                           .q = at.q,
                           .rests = rests_now(run),
                           .evaluations = &run->statistics->evaluations};
    const int most = run->settings->newton_exact ? LN_EXACT_ITERATIONS : MOST_ITERATIONS;
    memcpy(run->guess, at.x, (size_t)run->n * sizeof *at.x);
    run->newton.tolerance_factor =
        run->settings->newton_exact
            ? LN_EXACT_TOLERANCE_FACTOR
            : fmin(MOST_LOOSE, fmax(1, run->settings->tolerance / STRICT_BELOW));
    aim_newton(run, factors);
    const int was_usable = factors->matrix.usable;
    ln_newton_outcome outcome =
        ln_newton_solve(&run->newton, &step.set, &factors->matrix, at.x, most, 0);
    if (outcome != LN_NEWTON_CONVERGED && outcome != LN_NEWTON_MEMORY && was_usable) {
        factors->matrix.usable = 0;
        memcpy(at.x, run->guess, (size_t)run->n * sizeof *at.x);
        outcome = ln_newton_solve(&run->newton, &step.set, &factors->matrix, at.x, most, 0);
    }
    run->out_of_memory |= outcome == LN_NEWTON_MEMORY;
    run->newton.tolerance_factor = 1;
    run->newton.allowance = NULL;
    run->newton.renew = 0;
    if (outcome != LN_NEWTON_CONVERGED)
        return outcome;
    if (!find_q_of_chain(run, side, at.x, at.q))
        return LN_NEWTON_REFUSED;
    for (int i = 0; i < run->n; i++)
        at.f[i] = run->system->dynamic[i] ? -(factors->alpha * (at.q[i] - q_near[i]) + w[i]) : 0;
    return LN_NEWTON_CONVERGED;
}

int ln_run_follow(const ln_run *run, ln_side *side) {
    if (run->outcome != LN_NEWTON_REFUSED || run->system->nguards == 0 ||
        side->modes != LN_MODES_FROZEN)
        return 0;
    *side = ln_side_with(*side, run->adaptive ? LN_MODES_YIELDING : LN_MODES_FREE);
    return 1;
}

/* The few nonlinear unknowns on their own, at steps whose lengths come back. Not where Newton's
 * method goes the way of generated code, nor with an index above 1, of which forces need not
 * converge. */
static int solve_few(ln_run *run, double alpha, const double *q_near, const double *w, ln_side side,
                     ln_point at) {
    return run->few != NULL && !run->adaptive && !run->settings->newton_exact &&
           run->newton.index == NULL && ln_few_solve(run, alpha, q_near, w, side, at);
}

int ln_run_solve(ln_run *run, double alpha, const double *q_near, const double *w, ln_side side,
                 ln_point at) {
    ln_step_factors *factors = ln_run_factors_for(run, alpha);
    run->outcome = LN_NEWTON_MEMORY;
    if (factors == NULL)
        return 0;
    if (ln_system_sources(run->system, side, run->s) != LINNET_OK) {
        run->outcome = LN_NEWTON_REFUSED;
        return 0;
    }
    if (run->system->linear)
        run->outcome = ln_run_solve_linear(run, factors, q_near, w, at);
    else if (solve_few(run, alpha, q_near, w, side, at))
        run->outcome = LN_NEWTON_CONVERGED;
    else
        run->outcome = solve_nonlinear(run, factors, q_near, w, side, at);
    return run->outcome == LN_NEWTON_CONVERGED;
}

int ln_run_solve_euler(ln_run *run, double h, const double *q, ln_side end, ln_point at) {
    memset(run->w, 0, (size_t)run->n * sizeof *run->w);
    return ln_run_solve(run, 1 / h, q, run->w, end, at);
}

/* At steps of fixed length the start decides by its rounding whether a crossing lies at a point of
 * the grid. */
int ln_run_guesses(const ln_run *run) {
    return !run->system->linear && !run->settings->newton_exact &&
           (run->system->nguards == 0 || (run->adaptive && run->system->has_junctions));
}

int ln_run_keeps_branch(const ln_run *run, ln_side side, const double *start) {
    double *guard = run->accuracy.guard;
    if (run->system->nguards == 0)
        return 1;
    ln_system_guards(run->system, &(ln_moment){side, start}, NULL, guard);
    for (int k = 0; k < run->system->nguards; k++)
        if (!(guard[k] >= 0))
            return 0;
    return 1;
}

int ln_run_ends_by_error(const ln_run *run) {
    return ln_run_guesses(run) && run->system->nguards == 0;
}

/* From where the last steps lead. Steps of fixed length are solved to the tolerance before enough
 * is known. */
static int solve_from_guess(ln_run *run, const ln_step_formula *formula, const double *w, double h,
                            ln_side end) {
    ln_predictor *predictor = &run->predictor;
    const double per =
        ln_predictor_guess(predictor, run->side.t, run->x, h, formula->order, run->x1);
    if ((!run->adaptive && per == 0) || !ln_run_keeps_branch(run, end, run->x1))
        return 0;
    run->accuracy.fixed_allowance = (ln_newton_allowance){.predicted = predictor->predicted,
                                                          .missed = predictor->missed,
                                                          .origin = predictor->origin,
                                                          .share = formula->error * per};
    if (!run->adaptive)
        run->accuracy.allowance = &run->accuracy.fixed_allowance;
    const int solved = ln_run_solve(run, formula->alpha, run->q, w, end, ln_run_end(run));
    if (!run->adaptive)
        run->accuracy.allowance = NULL;
    return solved;
}

int ln_run_solve_step(ln_run *run, const ln_step_formula *formula, const double *w, double h,
                      ln_side side) {
    const ln_side end = ln_side_at(side, run->side.t + h);
    const int guesses = ln_run_guesses(run);
    run->outcome = LN_NEWTON_CONVERGED;
    int solved = guesses && solve_from_guess(run, formula, w, h, end);
    if (!solved && run->outcome == LN_NEWTON_MEMORY)
        return 0;
    if (!solved) {
        memcpy(run->x1, run->x, (size_t)run->n * sizeof *run->x);
        if (!ln_run_solve(run, formula->alpha, run->q, w, end, ln_run_end(run)))
            return 0;
    }
    if (guesses && !run->adaptive)
        ln_predictor_note(&run->predictor, run->side.t, run->x, h, formula->order, run->x1);
    return 1;
}

void ln_predictor_note_step(ln_run *run, double h, int order) {
    if (ln_run_guesses(run))
        ln_predictor_note(&run->predictor, run->side.t - h, run->x1, h, order, run->x);
}

int ln_run_solve_again(ln_run *run, double alpha, double *b) {
    ln_step_factors *factors = ln_run_factors_for(run, alpha);
    if (factors == NULL)
        return 0;
    if (!factors->matrix.usable) {
        ln_system_jacobian(run->system, alpha, run->newton.values);
        if (!ln_run_factor(run, factors->matrix.linear, run->newton.values))
            return 0;
        factors->matrix.usable = 1;
    }
    ln_linear_solve(factors->matrix.linear, b);
    return 1;
}

ln_linear *ln_run_usable_factors(const ln_run *run, double alpha) {
    for (int k = 0; k < LN_KEPT_FACTORS; k++) {
        const ln_step_factors *factors = &run->cache.factors[k];
        if (factors->matrix.linear != NULL && ln_same_alpha(factors->alpha, alpha) &&
            factors->matrix.usable)
            return factors->matrix.linear;
    }
    return NULL;
}

/* rate + f at the point, and its Jacobian into newton.values. */
static int residual_at(ln_run *run, const ln_point_check *at, double *r) {
    ln_system *system = run->system;
    run->outcome = LN_NEWTON_REFUSED;
    if (ln_system_sources(system, at->side, run->s) != LINNET_OK)
        return 0;
    memset(at->q_nl, 0, (size_t)run->n * sizeof *at->q_nl);
    ln_matrix_apply(&system->A, at->x, at->f);
    run->statistics->evaluations++;
    if (ln_system_eval_within(system, &(ln_moment){at->side, at->x},
                              (ln_leeway){LN_LIMIT_OFF, run->rests},
                              system->linear_q ? NULL : at->q_nl, at->f, NULL) != LINNET_OK)
        return 0;
    for (int i = 0; i < run->n; i++) {
        r[i] = at->f[i] + (at->rate[i] - run->s[i]);
        at->f[i] -= run->s[i];
    }
    ln_system_jacobian(system, at->alpha, run->newton.values);
    return 1;
}

/* e = K^-1 r by one correction with the factors of a K nearby. 0 where that one is not near: a
 * correction of an unknown is no small part of what it corrects. Corrections may be no smaller
 * where they are far below what is allowed, but not all of them: where a slope at K's point is
 * infinite (a root at zero), any residual is none by its factors. */
static int solve_nearby(ln_run *run, ln_linear *near, const double *r, const double *allowed,
                        double *e) {
    static const double NEAR = 0.5;
    const ln_matrix K = {.pattern = run->system->pattern, .value = run->newton.values};
    double *more = run->newton.trial, first = 0, second = 0;
    memcpy(e, r, (size_t)run->n * sizeof *e);
    ln_linear_solve(near, e);
    ln_matrix_apply(&K, e, more);
    for (int i = 0; i < run->n; i++)
        more[i] = r[i] - more[i];
    ln_linear_solve(near, more);
    for (int i = 0; i < run->n; i++) {
        if (!(fabs(more[i]) <= fmax(NEAR * fabs(e[i]), allowed[i] / ln_convergence_worst)))
            return 0;
        first = fmax(first, fabs(e[i]) / allowed[i]);
        second = fmax(second, fabs(more[i]) / allowed[i]);
        e[i] += more[i];
    }
    return second <= NEAR * first;
}

/* How far the way e bends off, as ln_system_nonlinearity(). */
static double bends(ln_run *run, const ln_point_check *at, const double *e) {
    const ln_system *system = run->system;
    double *sizes = run->newton.convergence.magnitude;
    if (!system->has_junctions)
        return 0;
    double *way = run->newton.trial, *stored = run->newton.dx;
    for (int i = 0; i < run->n; i++)
        way[i] = at->alpha * (at->x[i] - run->x[i]);
    ln_matrix_apply(&system->E, way, stored);
    ln_matrix_apply(&system->A, at->x, sizes);
    for (int i = 0; i < run->n; i++)
        sizes[i] = fabs(sizes[i] - run->s[i]) + fabs(stored[i]);
    return ln_system_nonlinearity(system, at->x, e, sizes);
}

double ln_run_defect_norm(ln_run *run, const ln_point_check *at, ln_linear *near,
                          const double *allowed, double *e) {
    double *r = run->newton.r, largest = 0;
    ln_convergence *judge = &run->newton.convergence;
    if (!residual_at(run, at, r))
        return INFINITY;
    ln_step_factors *factors = ln_run_factors_for(run, at->alpha);
    if (factors == NULL)
        return INFINITY;
    factors->matrix.usable = judge->noise_is_known = 0;
    if (near == NULL || !solve_nearby(run, near, r, allowed, e)) {
        if (!ln_run_factor(run, near = factors->matrix.linear, run->newton.values))
            return INFINITY;
        factors->matrix.usable = 1;
        memcpy(e, r, (size_t)run->n * sizeof *e);
        ln_linear_solve(near, e);
    }
    run->outcome = LN_NEWTON_DIVERGED;
    for (int i = 0; i < run->n; i++) {
        if (fabs(e[i]) <= largest * allowed[i])
            continue;
        if (fabs(e[i]) > allowed[i] && !judge->noise_is_known) {
            for (int k = 0; k < run->n; k++)
                judge->magnitude[k] = fabs(run->s[k]);
            ln_add_abs_product(&run->system->pattern, run->newton.values, 1, at->x,
                               judge->magnitude);
            for (int k = 0; !run->system->linear_q && k < run->n; k++)
                judge->magnitude[k] = fmax(judge->magnitude[k], at->alpha * fabs(at->q_nl[k]));
            ln_convergence_find_noise(judge, near);
        }
        if (fabs(e[i]) > allowed[i] && ln_convergence_is_noise(judge, i, e[i]))
            continue;
        largest = fabs(e[i]) / allowed[i];
    }
    return fmax(largest, bends(run, at, e));
}

linnet_status ln_run_restart(ln_run *run, ln_side side) {
    ln_system *system = run->system;
    ln_predictor_forget(&run->predictor);
    run->is_after_step = 0;
    run->outcome = LN_NEWTON_REFUSED;
    LN_TRY(ln_system_sources(system, side, run->s));
    ln_matrix_apply(&system->E, run->x, run->q);
    ln_matrix_apply(&system->A, run->x, run->f);
    LN_TRY(ln_system_eval(system, &(ln_moment){side, run->x}, LN_LIMIT_OFF, run->q, run->f, NULL));
    run->outcome = LN_NEWTON_CONVERGED;
    for (int i = 0; i < run->n; i++)
        run->f[i] = system->dynamic[i] ? run->f[i] - run->s[i] : 0;
    return LINNET_OK;
}

/* ---- steps ---- */

static void swap(double **a, double **b) {
    double *kept = *a;
    *a = *b;
    *b = kept;
}

void ln_run_commit(ln_run *run, double h) {
    swap(&run->x, &run->x1);
    swap(&run->q, &run->q1);
    swap(&run->f, &run->f1);
    run->side.t += h;
    run->is_after_step = 1;
}
