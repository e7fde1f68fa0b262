/* SPDX-License-Identifier: MIT */
/* Paths of neighbouring problems, on one equation each, and what holds potentials on such a path: a
 * conductance of each domain's own size. */
#include "harness.h"
#include "unit.h"

#include "base/domain.h"
#include "integrate/continuation.h"
#include "integrate/dc_solver.h"

#include <stdlib.h>

/* r(x) = shape(x) + pseudo_conductance (x - anchor) - goal, by Newton's method in at most 20
 * iterations. */
typedef struct equation {
    double (*shape)(double x, double *slope);
    double goal, position, pseudo_conductance, *solved_x;
    int solved;
} equation;

static int solve(void *problem, double *x, int damped) {
    equation *set = problem;
    (void)damped;
    for (int k = 0; k < 20; k++) {
        double slope, r = set->shape(*x, &slope) - set->position * set->goal;
        if (set->solved_x != NULL)
            r += set->pseudo_conductance * (*x - *set->solved_x);
        const double dx = r / (slope + set->pseudo_conductance);
        if (!isfinite(dx))
            return 0;
        *x -= dx;
        if (fabs(dx) < 1e-12 * (1 + fabs(*x)))
            return ++set->solved;
    }
    return 0;
}

static void set_position(void *problem, double position) {
    ((equation *)problem)->position = position;
}
static void set_inverse_step(void *problem, double inverse_step) {
    ((equation *)problem)->pseudo_conductance = 100 * inverse_step;
}

/* Newton's method from 0 runs away from atan(20 (x - 3)) = goal. */
static double step_up(double x, double *slope) {
    *slope = 20 / (1 + 400 * (x - 3) * (x - 3));
    return atan(20 * (x - 3)) + atan(60);
}
/* Two folds: at x = 1, 4, and at x = 3, 0. */
static double fold(double x, double *slope) {
    *slope = 3 * x * x - 12 * x + 9;
    return x * (x * x - 6 * x + 9);
}

static void test_homotopy(void) {
    double x = 0, solved_x, solved_before;
    equation set = {.shape = step_up, .goal = 2.5};
    ln_continuation path = {1, &solved_x, &solved_before, &set, solve, 0};
    set.position = 1;
    CU_ASSERT(!solve(&set, &x, 0));
    CU_ASSERT(ln_continue(&path, set_position, &x));
    CHECK_CLOSE(x, 3 + tan(2.5 - atan(60)) / 20, 1e-9);
    CHECK_CLOSE(set.position, 1, 0);
    CHECK_CLOSE(path.reached, 1, 0);
}

/* The path stays on its branch until the fold. */
static void test_fold(void) {
    double x = 0, solved_x, solved_before;
    equation set = {.shape = fold, .goal = 3.9};
    ln_continuation path = {1, &solved_x, &solved_before, &set, solve, 0};
    CU_ASSERT(ln_continue(&path, set_position, &x));
    CU_ASSERT(x < 1);
    CHECK_CLOSE(x * (x - 3) * (x - 3), 3.9, 1e-9);
}

/* atan(20 (x - 3 position)) = 0: Newton's method converges from a distance of 0.0696 (where atan(y)
 * is 2 y/(1 + y^2)), which makes 43 steps. But the path is straight, and behind its first step two
 * points say where it leads, so that the steps behind may be of any length. */
static int straight(void *problem, double *x, int damped) {
    equation *set = problem;
    (void)damped;
    for (int k = 0; k < 20; k++) {
        const double y = 20 * (*x - 3 * set->position), dx = atan(y) * (1 + y * y) / 20;
        if (!isfinite(dx))
            return 0;
        *x -= dx;
        if (fabs(dx) < 1e-12)
            return ++set->solved;
    }
    return 0;
}
static void test_straight(void) {
    double x = 0, solved_x, solved_before;
    equation set = {0};
    ln_continuation path = {1, &solved_x, &solved_before, &set, straight, 0};
    CU_ASSERT(ln_continue(&path, set_position, &x));
    CHECK_CLOSE(x, 3, 1e-9);
    CU_ASSERT(set.solved <= 8);
}

/* x = 3 position - 1: every problem is given what the last two solutions lead to, the second one,
 * behind which there is no direction yet, the first solution. */
static int told_where(void *problem, double *x, int damped) {
    equation *set = problem;
    const double solution = 3 * set->position - 1;
    (void)damped;
    if (set->solved > 0)
        CHECK_CLOSE(*x, set->solved == 1 ? -1 : solution, 1e-14);
    *x = solution;
    return ++set->solved;
}
static void test_guesses(void) {
    double x = 0, solved_x, solved_before;
    equation set = {0};
    ln_continuation path = {1, &solved_x, &solved_before, &set, told_where, 0};
    CU_ASSERT(ln_continue(&path, set_position, &x));
    CHECK_CLOSE(x, 2, 1e-14);
    CU_ASSERT(set.solved > 3);
}

static const ln_pseudo_time pseudo_time = {
    .set_inverse_step = set_inverse_step, .smallest = 1e-12, .largest = 1e3, .try_below = 1e-12};

/* In pseudo-time x runs past the folds to where -shape(x) + goal pulls it: the branch beyond 3. */
static void test_pseudo_time(void) {
    double x = 0, solved_x = 0, solved_before;
    equation set = {.shape = fold, .goal = 4.5, .position = 1, .solved_x = &solved_x};
    ln_continuation path = {1, &solved_x, &solved_before, &set, solve, 0};
    CU_ASSERT(ln_continue_in_time(&path, &pseudo_time, &x));
    CU_ASSERT(x > 3);
    CHECK_CLOSE(x * (x - 3) * (x - 3), 4.5, 1e-9);
    CHECK_CLOSE(set.pseudo_conductance, 0, 0);
}

/* What a problem without a solution leaves: the real problem, and no success. */
static double square(double x, double *slope) {
    *slope = 2 * x;
    return x * x + 1;
}
static void test_none(void) {
    double x = 0, solved_x = 1, solved_before;
    equation set = {.shape = square, .goal = 0, .position = 1, .solved_x = &solved_x};
    ln_continuation path = {1, &solved_x, &solved_before, &set, solve, 0};
    CU_ASSERT(!ln_continue_in_time(&path, &pseudo_time, &x));
    CHECK_CLOSE(set.pseudo_conductance, 0, 0);
    set.solved_x = NULL;
    CU_ASSERT(!ln_continue(&path, set_position, &x));
    CHECK_CLOSE(set.position, 1, 0);
    CU_ASSERT(path.reached < 0);
}

/* A path on which steps of 1e-4 at most succeed creeps, and is given up before it is at its end. */
typedef struct crawl {
    double position, before;
    int tries;
} crawl;
static int crawls(void *problem, double *x, int damped) {
    crawl *path = problem;
    (void)damped;
    path->tries++;
    if (path->position - path->before > 1e-4)
        return 0;
    path->before = *x = path->position;
    return 1;
}
static void set_crawl(void *problem, double position) {
    ((crawl *)problem)->position = position;
}
static void test_crawl(void) {
    double x = 0, solved_x, solved_before;
    crawl set = {0, 0, 0};
    ln_continuation path = {1, &solved_x, &solved_before, &set, crawls, 0};
    CU_ASSERT(!ln_continue(&path, set_crawl, &x));
    CU_ASSERT(set.tries == 400 && path.reached < 0.1);
    CHECK_CLOSE(set.position, 1, 0);
}

/* A conductance of 1 in units of each domain draws its nominal flux at its nominal potential; 1 S
 * in every domain would draw 3e5 times the nominal heat, and 1e11 times the nominal mass flow. */
static void test_scales(void) {
    static const char xml[] =
        "<model xmlns='urn:linnet:model:1'><ground id='g' p='0'/><resistor id='R' p='a' n='0' "
        "R='1'/><heat-capacity id='C' p='b' C='1'/><vacuum id='v' p='c0'/><tank id='T' p='c' "
        "A='1'/><mass id='m' p='d' m='1'/></model>";
    harness h = harness_run(xml, "a", "backward-euler", 1e-3, 1e-3);
    const ln_settings settings = {.end = 1};
    ln_statistics statistics = {0};
    ln_run run;
    ln_dc_solver solver;
    CU_ASSERT_EQUAL_FATAL(ln_run_init(&run, h.system, &settings, NULL, h.report, &statistics),
                          LINNET_OK);
    CU_ASSERT_FATAL(ln_dc_begin(&solver, &run, 0, ln_side_right(0, 1e-9)));
    int seen = 0;
    for (int k = 0; k < h.network->nlinks; k++) {
        const ln_link *link = &h.network->links[k];
        const int i = link->unknown;
        if (i < 0 || link->domain == LINNET_SIGNAL)
            continue;
        const ln_domain_info *domain = ln_domain(link->domain);
        double r[2];
        memset(run.x, 0, (size_t)run.n * sizeof *run.x);
        run.x[i] = domain->potential_nominal;
        for (int on = 0; on < 2; on++) {
            int limited;
            solver.equations.gmin = on;
            CU_ASSERT_EQUAL(solver.equations.set.residual(&solver.equations.set, run.x,
                                                          LN_LIMIT_OFF, run.w, &limited),
                            LINNET_OK);
            r[on] = run.w[i];
        }
        CU_ASSERT(fabs(r[1] - r[0] - domain->flux_nominal) <= 1e-9 * (fabs(r[0]) + fabs(r[1])));
        seen |= 1 << link->domain;
    }
    CU_ASSERT_EQUAL(seen, 1 << LINNET_ELECTRICAL | 1 << LINNET_THERMAL | 1 << LINNET_HYDRAULIC |
                              1 << LINNET_TRANSLATIONAL);
    ln_linear_free(solver.linear);
    ln_run_free(&run);
    harness_free(&h);
}

/* Of the holds the first are those to the end; one that goes leaves the others in their order. */
static void test_holds(void) {
    ln_hold_conductance holds[4] = {{10, -1, 0, 1}, {11, -1, 0, 1}, {12, -1, 0, 1}, {13, -1, 0, 1}};
    ln_dc_solver solver = {.holds = holds, .nholds = 4, .nfixed = 2};
    ln_dc_drop_hold(&solver, 2); /* the first that is let go at last */
    CU_ASSERT(solver.nfixed == 2 && solver.nholds == 3 && solver.equations.nholds == 2);
    CU_ASSERT(holds[0].a == 10 && holds[1].a == 11 && holds[2].a == 13);
    ln_dc_drop_hold(&solver, 1); /* the last that is held to the end */
    CU_ASSERT(solver.nfixed == 1 && solver.nholds == 2 && solver.equations.nholds == 1);
    CU_ASSERT(holds[0].a == 10 && holds[1].a == 13);
}

static int solve_any(void *problem, double *x, int damped) {
    (void)x, (void)damped;
    return ++*(int *)problem > 0;
}
static void forget_step(void *problem, double inverse_step) {
    (void)problem, (void)inverse_step;
}

/* A path in time has reached its end where the step is as long as was asked, to the last bit: 0.4
 * of the first. */
static void test_end_of_time(void) {
    double x = 0, solved = 0, before = 0;
    int solved_times = 0;
    ln_continuation path = {1, &solved, &before, &solved_times, solve_any, 0};
    const ln_pseudo_time time = {
        .set_inverse_step = forget_step, .smallest = 1 * 0.4, .largest = 1e9, .try_below = 0};
    CU_ASSERT(!ln_continue_in_time(&path, &time, &x));
    CU_ASSERT_EQUAL(solved_times, 1);
    CHECK_CLOSE(path.reached, 1, 0);
}

/* On the way each link of any domain, the first by name as well as the last, has its conductance:
 * Newton's matrix is the derivative of the residual, with gmin, in pseudo-time and with holds. */
static void test_path_matrix(void) {
    static const char xml[] =
        "<model xmlns='urn:linnet:model:1'><ground id='g' p='x'/><resistor id='R1' p='a' n='b' "
        "R='2'/><diode id='D' p='b' n='c'/><resistor id='R2' p='c' n='x' R='3'/><resistor id='R3' "
        "p='a' n='x' R='5'/><fixed-shaft id='f' p='u'/><rotational-damper id='d1' p='v' n='w' "
        "d='2'/><rotational-damper id='d2' p='w' n='u' d='3'/><torque-source id='T' p='v' n='u' "
        "tau='1'/></model>";
    static const double STEP = 1e-6;
    harness h = harness_built(xml, "", ln_report_new(harness_print, &harness_verbose));
    CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
    ln_settings settings = {.method = ln_method_find("radau5"), .end = 1, .tolerance = 1e-4};
    ln_watcher watcher = {.context = NULL};
    ln_run run;
    ln_dc_solver solver;
    const ln_hold_conductance hold = {0, 1, 0.25, 4};
    CU_ASSERT_FATAL(ln_run_init(&run, h.system, &settings, &watcher, h.report, &h.statistics) ==
                    LINNET_OK);
    CU_ASSERT_FATAL(ln_dc_begin(&solver, &run, 0, ln_side_right(0, 0)));
    const int n = h.system->n;
    ln_dc_equations *dc = &solver.equations;
    double *values = calloc((size_t)h.system->pattern.start[n], sizeof *values),
           *x = calloc(4 * (size_t)n, sizeof *x), *ahead = x + n, *behind = x + 2 * n;
    dc->anchor = x + 3 * n;
    for (int i = 0; i < n; i++)
        x[i] = 0.2 + 0.1 * sin(1 + i);
    for (int way = 0; way < 4; way++) {
        dc->gmin = way == 0 || way == 2 ? 0.3 : 0;
        dc->pseudo_conductance = way == 1 || way == 2 ? 0.7 : 0;
        dc->holds = &hold;
        dc->nholds = way == 3;
        CU_ASSERT(dc->set.residual(&dc->set, x, LN_LIMIT_OFF, ahead, NULL) == LINNET_OK);
        dc->set.jacobian(&dc->set, values);
        for (int j = 0; j < n; j++) {
            const double at = x[j];
            x[j] = at + STEP;
            CU_ASSERT(dc->set.residual(&dc->set, x, LN_LIMIT_OFF, ahead, NULL) == LINNET_OK);
            x[j] = at - STEP;
            CU_ASSERT(dc->set.residual(&dc->set, x, LN_LIMIT_OFF, behind, NULL) == LINNET_OK);
            x[j] = at;
            for (int i = 0; i < n; i++) {
                const int k = ln_pattern_position(&h.system->pattern, i, j);
                CHECK_CLOSE(k < 0 ? 0 : values[k], (ahead[i] - behind[i]) / (2 * STEP), 1e-6);
            }
        }
    }
    free(x);
    free(values);
    ln_linear_free(solver.linear);
    ln_run_free(&run);
    harness_free(&h);
}

UNIT_MAIN({"end of time", test_end_of_time}, {"matrix on the way", test_path_matrix},
          {"homotopy", test_homotopy}, {"fold", test_fold}, {"straight", test_straight},
          {"guesses", test_guesses}, {"pseudo-time", test_pseudo_time}, {"no solution", test_none},
          {"a path that creeps", test_crawl}, {"scales", test_scales}, {"holds", test_holds})
