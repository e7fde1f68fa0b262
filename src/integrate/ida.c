/* SPDX-License-Identifier: MIT */
/* The method `ida`: the variable-order BDF of SUNDIALS IDA (orders 1 to 5) on our equations, to
 * compare with and for smooth index-1 networks. It, ida_system.c and ida_newton.c are the only
 * files that know SUNDIALS; its memory is the one that does not pass ln_sys.
 *
 * What it integrates is ida_system.c's. Index above 1 is outside IDA's design: index 2 works
 * mostly, index 3 mostly not. */
#include "integrate/global_error.h"
#include "integrate/ida_newton.h"
#include "integrate/layer.h"
#include "integrate/leap.h"
#include "integrate/ida_system.h"

#include <float.h>
#include <ida/ida.h>
#include <math.h>
#include <string.h>

/* Newton's update in units of the step's error. Gain stages amplify what Newton leaves, the
 * differences of order 5 do so 64 times, and IDA takes it for an error of the step: on the
 * transistor amplifier at 1e-7, IDA's own test (0.33, the rate of convergence remembered from steps
 * before) takes 52 000 steps and rejects 39 000, this one 5 000 and 300. */
static const double NEWTON_PART = 1e-5;
enum { FAILURES = 30, ITERATIONS = 12, SHORTEST = 100 };

typedef struct ida {
    ln_ida_system system; /* first: what IDA hands to residual and matrix */
    ln_run *run;
    SUNContext context;
    void *memory;
    SUNNonlinearSolver newton_solver;
    ln_ida_newton newton_way;
    ln_convergence convergence; /* of Newton's iteration */
    ln_relaxation relaxation;
    N_Vector y, rate, work;
    double tolerance; /* of the mean over all values that IDA takes */
    /* of the present integration, as IDA counts */
    long steps, errors, failures, newton, evaluations;
    int begun;
    ln_control first; /* of the step before IDA begins */
    int starts;       /* that step comes next */
    int revived;      /* it came for a step that IDA could not take, and IDA has taken none since */
    int idle;         /* so many steps in a row were shorter than times are told apart */
    int blind;        /* what is read alone holds no step, for it jumps here */
    double euler;     /* length of the last step, if it was one of backward Euler; else 0 */
} ida;

/* ---- what Newton's method asks ---- */

static int is_limited(const void *owner) {
    const ida *solver = owner;
    return solver->system.limited;
}

/* Is an update that shrinks no more noise, for every unknown that is not converged by itself? */
static int is_noise(void *owner, N_Vector update, N_Vector weights) {
    ida *solver = owner;
    const ln_system *system = solver->run->system;
    const double *by = N_VGetArrayPointer(update), *weight = N_VGetArrayPointer(weights);
    ln_convergence *judge = &solver->convergence;
    for (int i = 0; i < system->n; i++)
        judge->magnitude[i] = fabs(solver->run->s[i]);
    ln_add_abs_product(&system->pattern, SUNSparseMatrix_Data(solver->system.matrix), 1,
                       solver->system.point, judge->magnitude);
    ln_convergence_find_noise_by(judge, ln_ida_solve, &solver->system);
    for (int i = 0; i < system->n; i++)
        if (!(fabs(by[i]) * weight[i] <= NEWTON_PART || ln_convergence_is_noise(judge, i, by[i])))
            return 0;
    /* a junction that is not its own tangent over the update makes noise of anything (newton.c) */
    ln_ida_to_x(&solver->system, update, solver->system.slope);
    return ln_system_nonlinearity_here(system, solver->system.point, solver->system.slope,
                                       judge->magnitude) <= 1;
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
    ln_ida_system_free(&solver->system);
    N_Vector vectors[] = {solver->y, solver->rate, solver->work, solver->newton_way.update};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if (vectors[k] != NULL)
            N_VDestroy(vectors[k]);
    if (solver->context != NULL)
        SUNContext_Free(&solver->context);
}

static linnet_status create(ln_run *run, void *stepper_data) {
    ida *solver = stepper_data;
    solver->run = run;
    ln_control_begin(&solver->first, 2, 0);
    if (run->n == 0) /* SUNDIALS makes no matrix of size 0 */
        return ln_fail(run->report, LINNET_USAGE, LN_NOWHERE,
                       "ida needs an unknown to solve for, and the model has none; take tr-bdf2");
    if (SUNContext_Create(NULL, &solver->context) != 0)
        return ln_no_memory(run->report);
    if (ln_ida_system_init(&solver->system, run, solver->context) != LINNET_OK ||
        ln_convergence_init(&solver->convergence, run->arena, run->n) != LINNET_OK ||
        ln_relaxation_init(&solver->relaxation, run->arena, (int)ln_ida_size(&solver->system)) !=
            LINNET_OK)
        return ln_no_memory(run->report);
    N_Vector *vectors[] = {&solver->y, &solver->rate, &solver->work, &solver->newton_way.update};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if ((*vectors[k] = N_VNew_Serial(ln_ida_size(&solver->system), solver->context)) == NULL)
            return ln_no_memory(run->report);
    ln_linear_profile(solver->system.linear, run->settings->profile);
    solver->memory = IDACreate(solver->context);
    if (solver->memory == NULL)
        return ln_no_memory(run->report);
    solver->newton_way.equations =
        (ln_ida_equations){solver, run->system->linear, is_limited, judge, is_noise};
    solver->newton_way.convergence = &solver->convergence;
    solver->newton_way.relaxation = &solver->relaxation;
    solver->newton_way.most = ITERATIONS;
    solver->newton_solver = ln_ida_newton_new(&solver->newton_way, solver->context);
    return solver->newton_solver != NULL ? LINNET_OK : ln_no_memory(run->report);
}

/* Is it what the members of a floating part have in common? */
static int is_common(const ln_run *run, int i) {
    return run->system->common_unknown != NULL && run->system->common_unknown[i] == i;
}

/* What follows from sources at once has no error but that of the interpolation, which IDA's test is
 * about, too. */
static int is_sourced(const ln_run *run, int i) {
    return (!run->errors.in_error_test[i] || is_common(run, i)) &&
           run->predictor.origin[i] == LN_FROM_SOURCES_LINEARLY;
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
    for (int k = 0; k < solver->system.ncharges; k++) {
        const double unit = ln_ida_charge_unit(&solver->system, k, fabs(y[run->n + k]));
        weight[run->n + k] = unit > 0 ? 1 / (solver->tolerance * unit) : 0;
    }
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
 * and 3 does not fall with the step. The mean that IDA takes is over all values, whoever is
 * tested: the tolerance makes up for that.
 */
static int set_tested(ida *solver) {
    ln_run *run = solver->run;
    double *tested = N_VGetArrayPointer(solver->work);
    const int size = ln_ida_size(&solver->system);
    int count = 0;
    for (int k = 0; k < solver->system.ncharges; k++) {
        tested[run->n + k] = ln_ida_charge_unit(&solver->system, k, 0) > 0;
        count += tested[run->n + k] > 0;
    }
    for (int i = 0; i < run->n; i++) {
        tested[i] =
            (run->errors.in_error_test[i] || is_sourced(run, i) || ln_error_is_of_read(run, i)) &&
            ln_run_index_of_judged(run, i) == 1 && (is_sourced(run, i) || !is_common(run, i));
        count += tested[i] > 0 && !is_common(run, i); /* which would loosen what others may err */
    }
    const double share = sqrt((double)(count > 0 ? count : size) / size);
    solver->tolerance = run->settings->tolerance * share;
    return IDAWFtolerances(solver->memory, weigh) == IDA_SUCCESS &&
           IDASetId(solver->memory, solver->work) == IDA_SUCCESS &&
           IDASetSuppressAlg(solver->memory, SUNTRUE) == IDA_SUCCESS;
}

/* The first call of IDA, with a start in x and rate. */
static int begin(ida *solver) {
    const ln_run *run = solver->run;
    solver->begun = 1;
    return IDAInit(solver->memory, ln_ida_residual, run->side.t, solver->y, solver->rate) ==
               IDA_SUCCESS &&
           IDASetErrHandlerFn(solver->memory, be_silent, NULL) == IDA_SUCCESS &&
           IDASetUserData(solver->memory, &solver->system) == IDA_SUCCESS &&
           IDASetLinearSolver(solver->memory, solver->system.solver, solver->system.matrix) ==
               IDALS_SUCCESS &&
           IDASetJacFn(solver->memory, ln_ida_jacobian) == IDALS_SUCCESS &&
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
    double *rate = run->w;
    for (int i = 0; i < run->n; i++)
        rate[i] = (x[i] - before[i]) / solver->euler;
    solver->system.side = run->side;
    LN_TRY(ln_ida_begin_at(&solver->system, x, rate, solver->y, solver->rate));
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
    for (int i = 0; i < run->n; i++)
        error[i] = is_common(run, i) && !is_sourced(run, i) ? 0 : error[i];
    ln_error_norm(run, error);
}

/* The errors of the last step, of h, which stand in solver->work, are added to those so far. */
static void sum_errors(ln_run *run, ida *solver, double h) {
    double *stored = run->w;
    ln_ida_errors_stored(&solver->system, solver->work, stored);
    ln_global_error_step_by(
        run, solver->system.linear,
        &(ln_error_step){solver->system.factored, h, NULL, stored, solver->system.dq, 0});
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

/* Where one of backward Euler has led on, and IDA still finds none, a solution may end: what comes
 * then is a jump. */
static linnet_status leap_or_fail(ln_run *run, ida *solver, int flag, ln_side stop) {
    char note[256];
    const int may_leap = flag == IDA_CONV_FAIL || flag == IDA_ERR_FAIL;
    return may_leap && ln_leap(run, stop, note) ? LINNET_RETRY : fail(run, solver, flag);
}

/* Behind a step that IDA cannot solve, or whose error does not fall (what is read alone jumps), one
 * of backward Euler leads on, with limiting and a start of its own: once, until IDA steps again. */
static int may_revive(ida *solver, int flag) {
    if ((flag != IDA_CONV_FAIL && flag != IDA_ERR_FAIL) || solver->revived)
        return 0;
    solver->blind = flag == IDA_ERR_FAIL;
    return solver->revived = 1;
}

/* Steps shorter than times are told apart may lead through a layer, where they grow. At a fold, at
 * which something is about to jump, they lead nowhere: behind so many in a row IDA is to fail. */
static void forbid_idling(const ln_run *run, const ida *solver) {
    enum { MOST_IDLE = 300 }; /* chosen; IDA doubles its steps every few */
    const double least = solver->idle > MOST_IDLE ? ln_shortest_step(run->side.t) : 0;
    IDASetMinStep(solver->memory, fmin(least, run->bound.longest));
}

static void note_idle(ida *solver, double before, double t) {
    solver->idle = t - before < ln_shortest_step(before) ? solver->idle + 1 : 0;
}

static linnet_status advance(ln_run *run, void *stepper_data, ln_side stop) {
    ida *solver = stepper_data;
    double t = run->side.t, before = run->side.t;
    solver->system.side = stop;
    if (stop.t - run->side.t < SHORTEST * DBL_EPSILON * fabs(stop.t))
        return pass_by(run, solver, stop);
    if (solver->starts)
        return take_first(run, solver, stop);
    solver->euler = 0;
    IDASetStopTime(solver->memory, stop.t);
    IDASetMaxStep(solver->memory, run->bound.longest);
    forbid_idling(run, solver);
    int flag = IDASolve(solver->memory, stop.t, &t, solver->y, solver->rate, IDA_ONE_STEP);
    if (flag < 0) {
        count_work(run, solver);
        if (!may_revive(solver, flag))
            return leap_or_fail(run, solver, flag, stop);
        LN_TRY(restart(run, solver));
        return take_first(run, solver, stop);
    }
    solver->revived = solver->blind = 0;
    note_idle(solver, before, t);
    memcpy(run->x1, run->x, (size_t)run->n * sizeof *run->x);
    ln_ida_to_x(&solver->system, solver->y, run->x);
    ln_ida_note_charges(&solver->system, solver->y);
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
        ln_ida_to_x(&solver->system, solver->work, x);
    return LINNET_OK;
}

static void count(ln_run *run, const void *stepper_data) {
    const ida *solver = stepper_data;
    if (solver->system.linear != NULL)
        ln_run_count_linear(run, solver->system.linear);
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
