/* SPDX-License-Identifier: MIT */
/* Newton's iteration inside IDA by itself: what a solution ends with, after how many updates, and
 * when the Jacobian is made anew. Equations, factorisation and solution are told here. */
#include "integrate/ida_newton.h"
#include "unit.h"

#include <math.h>
#include <nvector/nvector_serial.h>

enum { MOST = 4 };

/* What the owner answers, and what it was asked. */
typedef struct owner {
    ln_verdict verdict[MOST]; /* of update k */
    int noise[MOST], limited[MOST];
    double norm, rate;
    int fails_at; /* evaluation that fails, counted from 1; 0: none */
    int judged, asked, evaluated, factored;
    ln_convergence convergence;
    double factor; /* of an update against the residual, which is the point; 0: a half */
} owner;

static owner *told; /* IDA's memory is not ours to pass */

static int limited(const void *context) {
    const owner *is = context;
    return is->limited[is->judged];
}

static ln_verdict judge(void *context, N_Vector update, N_Vector weights) {
    owner *is = context;
    (void)update, (void)weights;
    is->convergence.updates++;
    is->convergence.norm = is->norm;
    is->convergence.rate = is->rate;
    return is->verdict[is->judged++];
}

static int is_noise(void *context, N_Vector update, N_Vector weights) {
    owner *is = context;
    (void)update, (void)weights;
    is->asked++;
    return is->noise[is->judged - 1];
}

static int residual(N_Vector at, N_Vector out, void *memory) {
    (void)memory;
    N_VScale(1, at, out);
    return ++told->evaluated == told->fails_at ? 7 : 0;
}

static int factor(booleantype bad, booleantype *current, void *memory) {
    (void)bad, (void)memory;
    told->factored++;
    *current = SUNTRUE;
    return 0;
}

static int solve(N_Vector update, void *memory) {
    (void)memory;
    N_VScale(told->factor > 0 ? told->factor : 0.5, update, update);
    return 0;
}

typedef struct ending {
    int status;
    long count, failures;
    double at;
} ending;

static ending run(owner *is, int linear, int set_up) {
    SUNContext context;
    ending it = {.status = -99};
    if (SUNContext_Create(NULL, &context) != 0)
        return it;
    N_Vector start = N_VNew_Serial(1, context), at = N_VNew_Serial(1, context),
             weights = N_VNew_Serial(1, context), update = N_VNew_Serial(1, context);
    double before;
    ln_relaxation relaxation = {.n = 1, .before = &before};
    ln_ida_newton newton = {.equations = {is, linear, limited, judge, is_noise},
                            .convergence = &is->convergence,
                            .relaxation = &relaxation,
                            .update = update,
                            .most = MOST};
    SUNNonlinearSolver solver = ln_ida_newton_new(&newton, context);
    told = is;
    N_VConst(1, at);
    N_VConst(1, weights);
    (void)SUNNonlinSolSetSysFn(solver, residual);
    (void)SUNNonlinSolSetLSetupFn(solver, factor);
    (void)SUNNonlinSolSetLSolveFn(solver, solve);
    it.status = SUNNonlinSolSolve(solver, start, at, weights, 1, set_up ? SUNTRUE : SUNFALSE, NULL);
    CU_ASSERT(SUNNonlinSolGetNumIters(solver, &it.count) == SUN_NLS_SUCCESS);
    CU_ASSERT(SUNNonlinSolGetNumConvFails(solver, &it.failures) == SUN_NLS_SUCCESS);
    CU_ASSERT(SUNNonlinSolGetType(solver) == SUNNONLINEARSOLVER_ROOTFIND);
    it.at = NV_Ith_S(at, 0);
    SUNNonlinSolFreeEmpty(solver);
    N_VDestroy(start), N_VDestroy(at), N_VDestroy(weights), N_VDestroy(update);
    SUNContext_Free(&context);
    return it;
}

/* An update that is noise though the updates fall is the end where no further one is granted, and
 * not before. */
static void last_update(void) {
    owner is = {.noise = {1, 1, 1, 1}, .norm = 1, .rate = 1};
    ending it = run(&is, 0, 1);
    CU_ASSERT(it.status == SUN_NLS_SUCCESS && it.count == MOST && it.failures == 0);
    CU_ASSERT(is.asked == 1);
    CHECK_CLOSE(it.at, 1. / 16, 1e-15); /* each update is taken, the last one too */
    is = (owner){.norm = 1, .rate = 1};
    it = run(&is, 0, 1);
    CU_ASSERT(it.status == SUN_NLS_CONV_RECVR && it.count == MOST && it.failures == 1);
    /* that no Jacobian of this point vouches for, is none */
    is = (owner){.noise = {1, 1, 1, 1}, .norm = 1, .rate = 0.01};
    it = run(&is, 0, 0);
    CU_ASSERT(it.status == SUN_NLS_CONV_RECVR && it.count == MOST && is.asked == 0);
}

/* Converged is the end, and so are noise and a stall, where the Jacobian is of this point. */
static void ends(void) {
    owner is = {.verdict = {LN_GOES_ON, LN_CONVERGED}, .norm = 1, .rate = 0.01, .noise = {0, 1}};
    ending it = run(&is, 1, 1);
    CU_ASSERT(it.status == SUN_NLS_SUCCESS && it.count == 2 && is.factored == 1);
    is = (owner){.verdict = {LN_STALLS}, .noise = {1}, .norm = 1};
    it = run(&is, 0, 1);
    CU_ASSERT(it.status == SUN_NLS_SUCCESS && it.count == 1 && is.asked == 1);
    is = (owner){.verdict = {LN_STALLS, LN_STALLS, LN_STALLS, LN_STALLS}, .norm = 1};
    it = run(&is, 0, 1);
    CU_ASSERT(it.status == SUN_NLS_CONV_RECVR && it.count == MOST && is.asked == MOST);
    is = (owner){.norm = INFINITY};
    it = run(&is, 0, 1);
    CU_ASSERT(it.status == SUN_NLS_CONV_RECVR && it.count == 1 && it.failures == 1);
    is = (owner){.fails_at = 2, .norm = 1};
    it = run(&is, 0, 1);
    CU_ASSERT(it.status == 7 && it.count == 1 && it.failures == 1);
    /* a device away from its voltages: never at this update */
    is = (owner){
        .verdict = {LN_CONVERGED, LN_CONVERGED}, .noise = {1, 1}, .limited = {1, 0}, .norm = 1};
    it = run(&is, 0, 1);
    CU_ASSERT(it.status == SUN_NLS_SUCCESS && it.count == 2);
}

/* The Jacobian is made anew where it was not asked for, and where the rate is above a tenth. */
static void factorises(void) {
    owner is = {.verdict = {LN_GOES_ON, LN_GOES_ON, LN_GOES_ON, LN_CONVERGED}, .norm = 1};
    is.rate = 0.05;
    CU_ASSERT(run(&is, 0, 0).count == MOST && is.factored == 0);
    is.judged = is.convergence.updates = 0;
    CU_ASSERT(run(&is, 0, 1).count == MOST && is.factored == 1);
    is.judged = is.factored = is.convergence.updates = 0;
    is.rate = 0.2; /* the second update tells it */
    CU_ASSERT(run(&is, 0, 1).count == MOST && is.factored >= 2);
    is.judged = is.factored = is.convergence.updates = 0;
    CU_ASSERT(run(&is, 1, 1).count == MOST && is.factored == 1);
}

/* Updates from x to -x, as of a square root: the second that leads back is taken by half, which is
 * the zero. */
static void to_and_fro(void) {
    owner is = {.verdict = {LN_STALLS, LN_STALLS, LN_STALLS, LN_CONVERGED}, .norm = 1, .factor = 2};
    const ending it = run(&is, 0, 1);
    CU_ASSERT(it.status == SUN_NLS_SUCCESS && it.count == 4);
    CHECK_CLOSE(it.at, 0, 1e-15);
}

UNIT_MAIN({"to and fro", to_and_fro}, {"last update", last_update}, {"ends", ends},
          {"factorises", factorises})
