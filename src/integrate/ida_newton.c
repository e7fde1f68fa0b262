/* SPDX-License-Identifier: MIT */
/* One solution of a step of IDA: residual, update and, where the rate asks for it, a Jacobian anew.
 */
#include "integrate/ida_newton.h"

#include <math.h>

static const double SLOW = 0.1; /* a rate above it asks for a new factorisation, as in newton.c */

static SUNNonlinearSolver_Type tell_type(SUNNonlinearSolver solver) {
    (void)solver;
    return SUNNONLINEARSOLVER_ROOTFIND;
}

/* One solution on its way. */
typedef struct ida_iteration {
    ln_ida_newton *newton;
    void *memory; /* IDA's */
    N_Vector at;  /* the correction so far */
    N_Vector weights;
    int fresh; /* the factorisation is that of this solution; here: of this very point */
    int here;
    int last; /* no further iteration is granted */
} ida_iteration;

/* The residual at the point as it is now, in newton->update. */
static int evaluate(ida_iteration *on) {
    on->here = 0;
    return on->newton->residual(on->at, on->newton->update, on->memory);
}

static int factor(ida_iteration *on) {
    booleantype current = SUNFALSE;
    const int failed = on->newton->factor(SUNTRUE, &current, on->memory);
    on->fresh = on->here = !failed;
    on->newton->convergence->noise_is_known = 0;
    return failed;
}

/* The part of an update by which the iteration goes on, as in newton.c. */
static double part_of(const ida_iteration *on, ln_verdict verdict, int limited) {
    ln_ida_newton *newton = on->newton;
    if (limited || !on->here || newton->equations.linear) {
        ln_relaxation_forget(newton->relaxation);
        return 1;
    }
    const double part = ln_relaxation_part(newton->relaxation, N_VGetArrayPointer(newton->update),
                                           N_VGetArrayPointer(on->weights), verdict == LN_GOES_ON);
    if (part < 1)
        ln_convergence_begin(newton->convergence, 1);
    return part;
}

/* From the residual to the next point; *needs_another: another one is needed. */
static int update(ida_iteration *on, int *needs_another) {
    ln_ida_newton *newton = on->newton;
    const ln_ida_equations *equations = &newton->equations;
    const int limited = equations->limited(equations->owner);
    newton->count++;
    N_VScale(-1, newton->update, newton->update);
    const int failed = newton->solve(newton->update, on->memory);
    if (failed != 0)
        return failed;
    const ln_verdict verdict = equations->judge(equations->owner, newton->update, on->weights);
    const int met = verdict == LN_CONVERGED ||
                    ((verdict != LN_GOES_ON || on->last) && (on->here || equations->linear) &&
                     equations->is_noise(equations->owner, newton->update, on->weights));
    *needs_another = limited || !met;
    N_VLinearSum(1, on->at, *needs_another ? part_of(on, verdict, limited) : 1, newton->update,
                 on->at);
    if (limited)
        ln_convergence_begin(newton->convergence, 1);
    if (!isfinite(newton->convergence->norm))
        return SUN_NLS_CONV_RECVR;
    on->fresh = on->fresh && !limited && verdict == LN_GOES_ON &&
                (newton->convergence->updates < 2 || newton->convergence->rate <= SLOW);
    return 0;
}

static int iterate(ida_iteration *on) {
    ln_ida_newton *newton = on->newton;
    for (int k = 0; k < newton->most; k++) {
        int failed = evaluate(on);
        if (failed == 0 && !on->fresh && !(newton->equations.linear && k > 0))
            failed = factor(on);
        if (failed != 0)
            return failed;
        if (k == 0)
            ln_convergence_begin(newton->convergence, newton->equations.linear ? 0
                                                      : on->here               ? 1
                                                                 : ln_convergence_worst);
        on->last = k == newton->most - 1;
        int needs_another;
        failed = update(on, &needs_another);
        if (failed != 0 || !needs_another)
            return failed;
    }
    return SUN_NLS_CONV_RECVR;
}

static int solve(SUNNonlinearSolver solver, N_Vector start, N_Vector at, N_Vector weights,
                 realtype tolerance, booleantype set_up, void *memory) {
    (void)start, (void)tolerance;
    ln_ida_newton *newton = solver->content;
    ida_iteration on = {newton, memory, at, weights, .fresh = !set_up};
    ln_relaxation_begin(newton->relaxation);
    newton->count = 0;
    const int failed = iterate(&on);
    newton->failures = failed != 0;
    return failed;
}

static int take_residual(SUNNonlinearSolver solver, SUNNonlinSolSysFn residual) {
    ln_ida_newton *newton = solver->content;
    newton->residual = residual;
    return SUN_NLS_SUCCESS;
}

static int take_factor(SUNNonlinearSolver solver, SUNNonlinSolLSetupFn setup) {
    ln_ida_newton *newton = solver->content;
    newton->factor = setup;
    return SUN_NLS_SUCCESS;
}

static int take_solve(SUNNonlinearSolver solver, SUNNonlinSolLSolveFn by) {
    ln_ida_newton *newton = solver->content;
    newton->solve = by;
    return SUN_NLS_SUCCESS;
}

static int tell_count(SUNNonlinearSolver solver, long *count) {
    const ln_ida_newton *newton = solver->content;
    *count = newton->count;
    return SUN_NLS_SUCCESS;
}

static int tell_failures(SUNNonlinearSolver solver, long *count) {
    const ln_ida_newton *newton = solver->content;
    *count = newton->failures;
    return SUN_NLS_SUCCESS;
}

SUNNonlinearSolver ln_ida_newton_new(ln_ida_newton *newton, SUNContext context) {
    SUNNonlinearSolver made = SUNNonlinSolNewEmpty(context);
    if (made == NULL)
        return NULL;
    made->content = newton;
    made->ops->gettype = tell_type;
    made->ops->solve = solve;
    made->ops->setsysfn = take_residual;
    made->ops->setlsetupfn = take_factor;
    made->ops->setlsolvefn = take_solve;
    made->ops->getnumiters = tell_count;
    made->ops->getnumconvfails = tell_failures;
    return made;
}
