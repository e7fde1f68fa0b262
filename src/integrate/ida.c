/* SPDX-License-Identifier: MIT */
/* The method `ida`: the variable-order BDF of SUNDIALS IDA (orders 1 to 5) on our equations, to
 * compare with and for smooth index-1 networks. It and ida_newton.c are the only files that know
 * SUNDIALS; its memory is the one that does not pass ln_sys.
 *
 * IDA wants F(t, x, x') = 0 and dF/dx + cj dF/dx'. Ours is
 *
 *     F = (E + dq(x)) x' + A x + f_nl(x, t) - s(t),     K(cj) = cj (E + dq) + A + df,
 *
 * where K leaves out d(dq)/dx x' of a nonlinear q: Newton converges somewhat slower, to the same
 * point. Its way is ida_newton.c's. q must not depend on the time by itself; blocks' q does not.
 * Index above 1 is outside IDA's design: index 2 works mostly, index 3 mostly not.
 *
 * Of a part of which only differences are stored (system/supernodes.c) IDA is given the differences
 * to one of its unknowns, y = x - x[common], and that one as it is. It stores nothing, may move as
 * fast as a diode turns, and its error is no error of the differences: so it is not tested. */
#include "integrate/global_error.h"
#include "integrate/ida_newton.h"
#include "integrate/stepper.h"

#include <ida/ida.h>
#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunmatrix/sunmatrix_sparse.h>

/* Newton's update in units of the step's error. Gain stages amplify what Newton leaves, the
 * differences of order 5 do so 64 times, and IDA takes it for an error of the step: on the
 * transistor amplifier at 1e-7, IDA's own test (0.33, the rate of convergence remembered from steps
 * before) takes 52 000 steps and rejects 39 000, this one 5 000 and 300. */
static const double NEWTON_PART = 1e-5;
enum { FAILURES = 30, ITERATIONS = 12, SHORTEST = 100 };

typedef struct ida {
    ln_run *run;
    SUNContext context;
    void *memory;
    SUNMatrix matrix;
    ln_linear *linear;
    SUNLinearSolver solver; /* around it */
    SUNNonlinearSolver newton_solver;
    ln_ida_newton newton_way;
    ln_convergence convergence; /* of Newton's iteration */
    int limited;                /* a device was evaluated away from its voltages */
    N_Vector y, rate, work;
    double *point, *slope; /* n: x and x' of what IDA looks at */
    double tolerance;      /* of the mean over all unknowns that IDA takes */
    ln_side side;
    /* of the present integration, as IDA counts */
    long steps, errors, failures, newton, evaluations;
    int begun;
    ln_control first; /* of the step before IDA begins */
    int starts;       /* that step comes next */
    int revived;      /* it came for a step that IDA could not take, and IDA has taken none since */
    int blind;        /* what is read alone holds no step, for it jumps here */
    double euler;     /* length of the last step, if it was one of backward Euler; else 0 */
    double factored;  /* cj of the last matrix */
} ida;

/* ---- what IDA integrates ---- */

/* y becomes x (sign 1), or x becomes y (sign -1), in place; likewise rates and updates. */
static void shift(const ln_system *system, double sign, double *values) {
    for (int i = 0; system->common_unknown != NULL && i < system->n; i++)
        if (system->common_unknown[i] >= 0 && system->common_unknown[i] != i)
            values[i] += sign * values[system->common_unknown[i]];
}

static void to_x(const ln_system *system, N_Vector y, double *x) {
    memcpy(x, N_VGetArrayPointer(y), (size_t)system->n * sizeof *x);
    shift(system, 1, x);
}

/* ---- what IDA calls ---- */

/* The residual to r and the system's entries, at the point and the rates of change that stand in
 * the solver. */
static linnet_status fill_residual(ida *solver, ln_side side, double *r) {
    ln_run *run = solver->run;
    ln_system *system = run->system;
    LN_TRY(ln_system_sources(system, side, run->s));
    ln_matrix_apply(&system->A, solver->point, r);
    ln_matrix_add(&system->E, solver->slope, r);
    LN_TRY(ln_system_eval(system, &(ln_moment){side, solver->point}, LN_LIMIT_ON, NULL, r,
                          &solver->limited));
    for (int k = 0; k < system->ndq; k++)
        r[system->dq_row[k]] += system->dq[k] * solver->slope[system->dq_col[k]];
    for (int i = 0; i < system->n; i++)
        r[i] -= run->s[i];
    return LINNET_OK;
}

/* Where a frozen branch has no value it is taken anew, whole: what was refused has added a part of
 * its terms already. */
static int residual(sunrealtype t, N_Vector at, N_Vector rates, N_Vector out, void *data) {
    ida *solver = data;
    ln_run *run = solver->run;
    ln_side side = ln_side_at(solver->side, t);
    linnet_status status;
    to_x(run->system, at, solver->point);
    to_x(run->system, rates, solver->slope);
    do {
        status = fill_residual(solver, side, N_VGetArrayPointer(out));
        run->outcome = status == LINNET_RETRY ? LN_NEWTON_REFUSED : LN_NEWTON_CONVERGED;
    } while (ln_run_follow(run, &side));
    return status == LINNET_OK ? 0 : status == LINNET_MEMORY ? -1 : 1;
}

/* The values of K at the positions of the system's pattern, which the solver below knows; at the
 * point of the last residual. */
static int jacobian(sunrealtype t, sunrealtype cj, N_Vector at, N_Vector rates, N_Vector r,
                    SUNMatrix matrix, void *data, N_Vector work1, N_Vector work2, N_Vector work3) {
    (void)t, (void)at, (void)rates, (void)r, (void)work1, (void)work2, (void)work3;
    ida *solver = data;
    solver->factored = cj;
    ln_system_jacobian(solver->run->system, cj, SUNSparseMatrix_Data(matrix));
    return 0;
}

/* ---- the linear solver, as IDA sees it ---- */

static SUNLinearSolver_Type tell_type(SUNLinearSolver solver) {
    (void)solver;
    return SUNLINEARSOLVER_DIRECT;
}

/* A singular matrix (a junction that Newton has thrown far) asks for a shorter step. */
static int factor(SUNLinearSolver of, SUNMatrix matrix) {
    ida *solver = of->content;
    switch (ln_linear_factor(solver->linear, SUNSparseMatrix_Data(matrix))) {
    case LN_FACTORED: return 0;
    case LN_SINGULAR: return 1;
    case LN_FACTOR_MEMORY: break;
    }
    solver->run->out_of_memory = 1;
    return -1;
}

/* K x = b in place; y. */
static void solve(void *factors, double *b) {
    const ida *solver = factors;
    ln_linear_solve(solver->linear, b);
    shift(solver->run->system, -1, b);
}

static int solve_for(SUNLinearSolver of, SUNMatrix matrix, N_Vector y, N_Vector b,
                     sunrealtype tolerance) {
    (void)matrix, (void)tolerance;
    const ida *solver = of->content;
    memcpy(N_VGetArrayPointer(y), N_VGetArrayPointer(b), (size_t)solver->run->n * sizeof(double));
    solve(of->content, N_VGetArrayPointer(y));
    return 0;
}

static SUNLinearSolver make_solver(ida *solver) {
    SUNLinearSolver made = SUNLinSolNewEmpty(solver->context);
    if (made == NULL)
        return NULL;
    made->content = solver;
    made->ops->gettype = tell_type;
    made->ops->setup = factor;
    made->ops->solve = solve_for;
    return made;
}

/* ---- what Newton's method asks ---- */

static int is_limited(const void *owner) {
    const ida *solver = owner;
    return solver->limited;
}

/* Is an update that shrinks no more noise, for every unknown that is not converged by itself? */
static int is_noise(void *owner, N_Vector update, N_Vector weights) {
    ida *solver = owner;
    const ln_system *system = solver->run->system;
    const double *by = N_VGetArrayPointer(update), *weight = N_VGetArrayPointer(weights);
    ln_convergence *judge = &solver->convergence;
    for (int i = 0; i < system->n; i++)
        judge->magnitude[i] = fabs(solver->run->s[i]);
    ln_add_abs_product(&system->pattern, SUNSparseMatrix_Data(solver->matrix), 1, solver->point,
                       judge->magnitude);
    ln_convergence_find_noise_by(judge, solve, solver);
    for (int i = 0; i < system->n; i++)
        if (!(fabs(by[i]) * weight[i] <= NEWTON_PART || ln_convergence_is_noise(judge, i, by[i])))
            return 0;
    /* a junction that is not its own tangent over the update makes noise of anything (newton.c) */
    to_x(system, update, solver->slope);
    return ln_system_nonlinearity_here(system, solver->point, solver->slope, judge->magnitude) <= 1;
}

static ln_verdict judge(void *owner, N_Vector update, N_Vector weights) {
    ida *solver = owner;
    return ln_convergence_judge(&solver->convergence, N_VWrmsNorm(update, weights) / NEWTON_PART);
}

/* What IDA would print is told by fail(). */
static void be_silent(int code, const char *module, const char *function, char *text, void *data) {
    (void)code, (void)module, (void)function, (void)text, (void)data;
}

/* ---- memory ---- */

static void release(void *stepper_data) {
    ida *solver = stepper_data;
    if (solver->memory != NULL)
        IDAFree(&solver->memory);
    if (solver->newton_solver != NULL)
        SUNNonlinSolFreeEmpty(solver->newton_solver);
    if (solver->solver != NULL)
        SUNLinSolFreeEmpty(solver->solver);
    ln_linear_free(solver->linear);
    if (solver->matrix != NULL)
        SUNMatDestroy(solver->matrix);
    N_Vector vectors[] = {solver->y, solver->rate, solver->work, solver->newton_way.update};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if (vectors[k] != NULL)
            N_VDestroy(vectors[k]);
    if (solver->context != NULL)
        SUNContext_Free(&solver->context);
}

static linnet_status create(ln_run *run, void *stepper_data) {
    ida *solver = stepper_data;
    const ln_pattern *pattern = &run->system->pattern;
    solver->run = run;
    ln_control_begin(&solver->first, 2, 0);
    if (run->n == 0) /* SUNDIALS makes no matrix of size 0 */
        return ln_fail(run->report, LINNET_USAGE, LN_NOWHERE,
                       "ida needs an unknown to solve for, and the model has none; take tr-bdf2");
    if (SUNContext_Create(NULL, &solver->context) != 0)
        return ln_no_memory(run->report);
    N_Vector *vectors[] = {&solver->y, &solver->rate, &solver->work, &solver->newton_way.update};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if ((*vectors[k] = N_VNew_Serial(run->n, solver->context)) == NULL)
            return ln_no_memory(run->report);
    solver->point = LN_NEW(run->arena, double, run->n);
    solver->slope = LN_NEW(run->arena, double, run->n);
    solver->linear = ln_linear_new(pattern, run->settings->linear);
    if (solver->point == NULL || solver->slope == NULL || solver->linear == NULL ||
        ln_convergence_init(&solver->convergence, run->arena, run->n) != LINNET_OK)
        return ln_no_memory(run->report);
    ln_linear_profile(solver->linear, run->settings->profile);
    solver->matrix =
        SUNSparseMatrix(run->n, run->n, pattern->start[run->n], CSC_MAT, solver->context);
    solver->memory = IDACreate(solver->context);
    if (solver->matrix == NULL || solver->memory == NULL)
        return ln_no_memory(run->report);
    solver->solver = make_solver(solver);
    solver->newton_way.equations =
        (ln_ida_equations){solver, run->system->linear, is_limited, judge, is_noise};
    solver->newton_way.convergence = &solver->convergence;
    solver->newton_way.most = ITERATIONS;
    solver->newton_solver = ln_ida_newton_new(&solver->newton_way, solver->context);
    return solver->solver != NULL && solver->newton_solver != NULL ? LINNET_OK
                                                                   : ln_no_memory(run->report);
}

/* What follows from sources at once has no error but that of the interpolation, which IDA's test is
 * about, too. */
static int is_sourced(const ln_run *run, int i) {
    return !run->errors.in_error_test[i] && run->predictor.origin[i] == LN_FROM_SOURCES_LINEARLY;
}

/* One over what an unknown may err, as the other methods measure it. What follows from sources may
 * err as theirs does (source_step_bound.c), what is read alone as by the others; a jump of it,
 * whose error no step makes smaller, is passed by a step that they do not shorten any more. */
static int weigh(N_Vector at, N_Vector weights, void *data) {
    const ida *solver = data;
    const ln_run *run = solver->run;
    const double *y = N_VGetArrayPointer(at);
    double *weight = N_VGetArrayPointer(weights);
    for (int i = 0; i < run->n; i++)
        weight[i] = 1 / (solver->tolerance * ln_error_unit(run, i, fabs(y[i])));
    double h = 0, t = 0;
    IDAGetCurrentStep(solver->memory, &h);
    IDAGetCurrentTime(solver->memory, &t);
    const int none_read = solver->blind || ln_error_read_is_blurred(h, t);
    for (int i = 0; i < run->n; i++)
        if (is_sourced(run, i) || ln_error_is_of_read(run, i))
            weight[i] *=
                (is_sourced(run, i) ? h < ln_source_shortest(t) : none_read) ? 0 : 1 / LN_EXPECTED;
    return 0;
}

/* The error test follows what is judged, as that of the other methods: what is not stored may jump
 * (the cut of atan2, what a floating part has in common), and the estimate of unknowns of index 2
 * and 3 does not fall with the step. The mean that IDA takes is over all unknowns, whoever is
 * tested: the tolerance makes up for that.
 */
static int set_tested(ida *solver) {
    ln_run *run = solver->run;
    double *tested = N_VGetArrayPointer(solver->work);
    int count = 0;
    for (int i = 0; i < run->n; i++) {
        tested[i] =
            (run->errors.in_error_test[i] || is_sourced(run, i) || ln_error_is_of_read(run, i)) &&
            ln_run_index_of_judged(run, i) == 1 &&
            (run->system->common_unknown == NULL || run->system->common_unknown[i] != i);
        count += tested[i] > 0;
    }
    const double share = sqrt((double)(count > 0 ? count : run->n) / run->n);
    solver->tolerance = run->settings->tolerance * share;
    return IDAWFtolerances(solver->memory, weigh) == IDA_SUCCESS &&
           IDASetId(solver->memory, solver->work) == IDA_SUCCESS &&
           IDASetSuppressAlg(solver->memory, SUNTRUE) == IDA_SUCCESS;
}

/* The first call of IDA, with a start in x and rate. */
static int begin(ida *solver) {
    const ln_run *run = solver->run;
    solver->begun = 1;
    return IDAInit(solver->memory, residual, run->side.t, solver->y, solver->rate) == IDA_SUCCESS &&
           IDASetErrHandlerFn(solver->memory, be_silent, NULL) == IDA_SUCCESS &&
           IDASetUserData(solver->memory, solver) == IDA_SUCCESS &&
           IDASetLinearSolver(solver->memory, solver->solver, solver->matrix) == IDALS_SUCCESS &&
           IDASetJacFn(solver->memory, jacobian) == IDALS_SUCCESS &&
           IDASetDeltaCjLSetup(solver->memory, 0) == IDALS_SUCCESS &&
           IDASetNonlinearSolver(solver->memory, solver->newton_solver) == IDA_SUCCESS &&
           IDASetMaxErrTestFails(solver->memory, FAILURES) == IDA_SUCCESS &&
           IDASetMaxConvFails(solver->memory, FAILURES) == IDA_SUCCESS;
}

/* IDA wants a point and rates of change that satisfy the equations together. A consistent point
 * alone says nothing of the rates of what is not stored, and nothing near it of what settles within
 * picoseconds after a jump; but the end of a step of backward Euler satisfies them together with
 * the slope of that step, and what is faster has been damped. So the first step is one, as long as
 * its error allows, and IDA begins after it. */
static linnet_status restart(ln_run *run, void *stepper_data) {
    ida *solver = stepper_data;
    ln_control_restart(&solver->first, run);
    solver->first.h = 0; /* of order 1, however long those before were */
    solver->starts = 1;
    return LINNET_OK;
}

/* Its history stands where a point was projected: what IDA goes on from is its own. */
static linnet_status resume(ln_run *run, void *stepper_data, ln_resumption what) {
    return what == LN_RESUME_PROJECTED ? LINNET_OK : restart(run, stepper_data);
}

/* Backward Euler; K e = -h/2 f[t0, t1] (one_stage.c). */
static int attempt_first(ln_run *run, void *stepper_data, double h, ln_side side, double *error) {
    (void)stepper_data;
    if (!ln_solve_backward_euler(run, h, side))
        return 0;
    for (int i = 0; i < run->n; i++)
        run->w[i] = (run->f[i] - run->f1[i]) / 2;
    if (!ln_run_solve_again(run, 1 / h, run->w))
        return 0;
    *error = ln_error_norm(run, run->w);
    return 1;
}

/* IDA begins after a step of backward Euler. */
static linnet_status begin_after(ln_run *run, ida *solver) {
    const double *x = run->x, *before = run->x1;
    solver->starts = 0;
    double *rate = N_VGetArrayPointer(solver->rate);
    for (int i = 0; i < run->n; i++)
        rate[i] = (x[i] - before[i]) / solver->euler;
    memcpy(N_VGetArrayPointer(solver->y), x, (size_t)run->n * sizeof *x);
    shift(run->system, -1, rate);
    shift(run->system, -1, N_VGetArrayPointer(solver->y));
    solver->side = run->side;
    solver->steps = solver->errors = solver->failures = solver->newton = solver->evaluations = 0;
    const int ok = solver->begun ? IDAReInit(solver->memory, run->side.t, solver->y,
                                             solver->rate) == IDA_SUCCESS
                                 : begin(solver);
    return ok && set_tested(solver) &&
                   IDASetInitStep(solver->memory, fmin(solver->first.h, run->bound.longest)) ==
                       IDA_SUCCESS
               ? LINNET_OK
               : ln_no_memory(run->report);
}

static linnet_status take_first(ln_run *run, ida *solver, ln_side stop) {
    const double before = run->side.t;
    LN_TRY(ln_control_advance(&solver->first, run, attempt_first, solver, stop));
    solver->euler = run->side.t - before;
    const double tried = solver->first.tried_h;
    ln_global_error_step(run, 1 / tried, tried, run->w);
    return begin_after(run, solver);
}

/* ---- steps ---- */

/* What IDA has counted since the last call, into the statistics. */
static void count_work(ln_run *run, ida *solver) {
    long errors = 0, failures = 0, newton = 0, evaluations = 0;
    IDAGetNumErrTestFails(solver->memory, &errors);
    IDAGetNumNonlinSolvConvFails(solver->memory, &failures);
    IDAGetNumNonlinSolvIters(solver->memory, &newton);
    IDAGetNumResEvals(solver->memory, &evaluations);
    for (long k = solver->errors; k < errors; k++)
        ln_note_rejected(run);
    if (failures > solver->failures)
        run->bound.cause = LN_BY_NEWTON;
    run->statistics->rejected += errors - solver->errors + failures - solver->failures;
    run->newton.iterations += newton - solver->newton;
    run->statistics->evaluations += evaluations - solver->evaluations;
    solver->errors = errors;
    solver->failures = failures;
    solver->newton = newton;
    solver->evaluations = evaluations;
}

/* Which unknown has the largest error in IDA's last trial. */
static void find_dominant(ln_run *run, ida *solver) {
    double *error = N_VGetArrayPointer(solver->work);
    if (IDAGetEstLocalErrors(solver->memory, solver->work) != IDA_SUCCESS)
        return;
    for (int i = 0; run->system->common_unknown != NULL && i < run->n; i++)
        error[i] = run->system->common_unknown[i] == i ? 0 : error[i];
    ln_error_norm(run, error);
}

/* The errors of the last step, of h, which stand in solver->work, are added to those so far. */
static void sum_errors(ln_run *run, ida *solver, double h) {
    double *error = N_VGetArrayPointer(solver->work);
    shift(run->system, 1, error);
    ln_global_error_step_by(run, solver->linear, &(ln_error_step){solver->factored, h, error, 1});
}

static linnet_status fail(ln_run *run, ida *solver, int flag) {
    double h = 0;
    IDAGetCurrentStep(solver->memory, &h);
    if (flag == IDA_MEM_FAIL)
        return ln_no_memory(run->report);
    if (flag == IDA_REP_RES_ERR || flag == IDA_FIRST_RES_FAIL || flag == IDA_RES_FAIL) {
        run->outcome = LN_NEWTON_REFUSED;
        return ln_report_no_convergence(run, &run->newton, run->outcome, &run->system->pattern, h,
                                        "ida cannot take the step");
    }
    const char *why = flag == IDA_ERR_FAIL    ? "the error test fails again and again"
                      : flag == IDA_CONV_FAIL ? "Newton's iteration does not converge"
                      : flag == IDA_LSETUP_FAIL || flag == IDA_LSOLVE_FAIL
                          ? "the step's equations are singular"
                          : "it gives up";
    char name[160];
    memcpy(run->x1, run->x, (size_t)run->n * sizeof *run->x);
    find_dominant(run, solver);
    ln_network_unknown_text(run->system->network, run->errors.dominant, name);
    return ln_fail(run->report, LINNET_FAILED,
                   ln_network_unknown_place(run->system->network, run->errors.dominant),
                   "ida cannot take the step at t = %.9g s with steps down to %.3g s: %s; the "
                   "largest error is in %s; try "
                   "radau5, which also takes an index above 1",
                   run->side.t, h, why, name);
}

/* IDA refuses to begin with a step of a few units in the last place, as from one event to the next:
 * one of backward Euler, and it begins after it. */
static linnet_status pass_by(ln_run *run, ida *solver, ln_side stop) {
    const double h = stop.t - run->side.t;
    ln_side side = stop;
    if (!ln_step_backward_euler(run, h, side) &&
        !(ln_run_follow(run, &side) && ln_step_backward_euler(run, h, side)))
        return ln_report_no_convergence(run, &run->newton, run->outcome, &run->system->pattern, h,
                                        "the step cannot be taken");
    run->side.t = stop.t;
    solver->euler = 0; /* nothing can be between its ends */
    ln_count_step(run, h);
    return restart(run, solver);
}

/* Behind a step that IDA cannot solve, or whose error does not fall (what is read alone jumps), one
 * of backward Euler leads on, with limiting and a start of its own: once, until IDA steps again. */
static int may_revive(ida *solver, int flag) {
    if ((flag != IDA_CONV_FAIL && flag != IDA_ERR_FAIL) || solver->revived)
        return 0;
    solver->blind = flag == IDA_ERR_FAIL;
    return solver->revived = 1;
}

static linnet_status advance(ln_run *run, void *stepper_data, ln_side stop) {
    ida *solver = stepper_data;
    double t = run->side.t, before = run->side.t;
    solver->side = stop;
    if (stop.t - run->side.t < SHORTEST * DBL_EPSILON * fabs(stop.t))
        return pass_by(run, solver, stop);
    if (solver->starts)
        return take_first(run, solver, stop);
    solver->euler = 0;
    IDASetStopTime(solver->memory, stop.t);
    IDASetMaxStep(solver->memory, run->bound.longest);
    int flag = IDASolve(solver->memory, stop.t, &t, solver->y, solver->rate, IDA_ONE_STEP);
    if (flag < 0) {
        count_work(run, solver);
        if (!may_revive(solver, flag))
            return fail(run, solver, flag);
        LN_TRY(restart(run, solver));
        return take_first(run, solver, stop);
    }
    solver->revived = solver->blind = 0;
    memcpy(run->x1, run->x, (size_t)run->n * sizeof *run->x);
    to_x(run->system, solver->y, run->x);
    run->side.t = flag == IDA_TSTOP_RETURN ? stop.t : t;
    run->side.within = stop.within;
    find_dominant(run, solver);
    count_work(run, solver);
    ln_count_step(run, run->side.t - before);
    ln_side side = run->side; /* q and f at the new point */
    linnet_status status = ln_run_restart(run, side);
    if (ln_run_follow(run, &side))
        status = ln_run_restart(run, side);
    sum_errors(run, solver, run->side.t - before);
    return status;
}

static linnet_status interpolate(ln_run *run, void *stepper_data, double t, double *x) {
    ida *solver = stepper_data;
    memcpy(x, run->x, (size_t)run->n * sizeof *x);
    if (solver->euler > 0) {
        const double share = (run->side.t - t) / solver->euler;
        for (int i = 0; i < run->n; i++)
            x[i] -= share * (run->x[i] - run->x1[i]);
        return LINNET_OK;
    }
    if (IDAGetDky(solver->memory, t, 0, solver->work) == IDA_SUCCESS)
        to_x(run->system, solver->work, x);
    return LINNET_OK;
}

static void count(ln_run *run, const void *stepper_data) {
    const ida *solver = stepper_data;
    if (solver->linear != NULL)
        ln_run_count_linear(run, solver->linear);
}

const ln_stepper_class ln_stepper_ida = {
    .method = {"ida", "SUNDIALS IDA, adaptive: BDF of order 1 to 5, for smooth systems of index 1",
               5, 1, 2},
    .size = sizeof(ida),
    .create = create,
    .release = release,
    .restart = restart,
    .resume = resume,
    .advance = advance,
    .interpolate = interpolate,
    .count = count};
