/* SPDX-License-Identifier: MIT */
/* Grids of time and explicit methods, on equations whose solutions are closed forms. */
#include "base/sys.h"
#include "harness.h"
#include "integrate/grid.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- grid ---- */

static double corner_at(const void *context, double t) {
    const double *breakpoints = context;
    int k = 0;
    while (breakpoints[k] <= t)
        k++;
    return breakpoints[k];
}

static void grid_counts_without_rounding(void) {
    ln_grid grid;
    int why = 0;
    ln_grid_begin(&grid, 0.0, 5.0, 0.01, NULL, NULL);
    double t = 0.0;
    int steps = 0;
    while (t < 5.0 && steps < 1000) {
        t = ln_grid_next(&grid, t, &why);
        steps++;
        CU_ASSERT_EQUAL(t, steps < 500 ? steps * 0.01 : 5.0);
    }
    CU_ASSERT_EQUAL(steps, 500);
    CU_ASSERT_EQUAL(why, LN_STOP_GRID | LN_STOP_END);
}

static void grid_shortens_the_last_step(void) {
    ln_grid grid;
    int why;
    ln_grid_begin(&grid, 1.0, 1.25, 0.1, NULL, NULL);
    const double expected[] = {1.0 + 0.1, 1.0 + 2 * 0.1, 1.25};
    double t = 1.0;
    for (int k = 0; k < 3; k++) {
        t = ln_grid_next(&grid, t, &why);
        CU_ASSERT_EQUAL(t, expected[k]);
        CU_ASSERT_EQUAL(why, k < 2 ? LN_STOP_GRID : LN_STOP_END);
    }
}

/* 0.3 is not 3*0.1 in binary: the breakpoint is that grid point, met once; 0.55 splits a step; a
 * pair of breakpoints closer than rounding is one. */
static void grid_snaps_corners(void) {
    const double breakpoints[] = {0.3, 0.55, 0.55 + 1e-12, 0.7, INFINITY};
    const struct {
        double t;
        int why;
    } expected[] = {{0.1, LN_STOP_GRID},
                    {2 * 0.1, LN_STOP_GRID},
                    {3 * 0.1, LN_STOP_GRID | LN_STOP_BREAKPOINT},
                    {4 * 0.1, LN_STOP_GRID},
                    {5 * 0.1, LN_STOP_GRID},
                    {0.55, LN_STOP_BREAKPOINT},
                    {6 * 0.1, LN_STOP_GRID},
                    {0.7, LN_STOP_GRID | LN_STOP_BREAKPOINT | LN_STOP_END}};
    ln_grid grid;
    double t = 0.0;
    ln_grid_begin(&grid, 0.0, 0.7, 0.1, corner_at, breakpoints);
    for (int k = 0; k < 8; k++) {
        int why;
        t = ln_grid_next(&grid, t, &why);
        CU_ASSERT_EQUAL(t, expected[k].t);
        CU_ASSERT_EQUAL(why, expected[k].why);
    }
}

/* Breakpoints 1 ns apart stay apart when there is no fixed step. */
static void grid_without_step(void) {
    const double breakpoints[] = {0.5, 0.5 + 1e-9, INFINITY}, stops[] = {0.0, 0.25, 0.8};
    const struct {
        double t;
        int why;
    } expected[] = {{0.25, LN_STOP_OUTPUT},    {0.4, LN_STOP_OUTPUT},
                    {0.5, LN_STOP_BREAKPOINT}, {0.5 + 1e-9, LN_STOP_BREAKPOINT},
                    {0.8, LN_STOP_OUTPUT},     {1.0, LN_STOP_END}};
    ln_grid grid;
    double t = 0.0;
    ln_grid_begin(&grid, 0.0, 1.0, 0.0, corner_at, breakpoints);
    ln_grid_set_outputs(&grid, 0.4, stops, 3);
    for (int k = 0; k < 6; k++) {
        int why;
        t = ln_grid_next(&grid, t, &why);
        CU_ASSERT_EQUAL(t, expected[k].t);
        CU_ASSERT_EQUAL(why, expected[k].why);
    }
}

static int asked; /* how often the grid asks */

static double corners_without_end(const void *context, double t) {
    const double *apart = context;
    return ++asked > 100 ? INFINITY : (floor(t / *apart) + 1) * *apart;
}

/* Breakpoints closer than rounding are passed at once: one by one, the 1e185 of a source
 * of 1e200 Hz took for ever. */
static void grid_passes_many_corners(void) {
    const double apart = 1e-25;
    ln_grid grid;
    int why;
    asked = 0;
    ln_grid_begin(&grid, 0.0, 1.0, 0.0, corners_without_end, &apart);
    const double t = ln_grid_next(&grid, 0.0, &why);
    CU_ASSERT(t > 0 && t < 1e-13);
    CU_ASSERT_EQUAL(why, LN_STOP_BREAKPOINT);
    CU_ASSERT(asked <= 4);
}

/* ---- equations: states of one block, told with the model's other signals ---- */

#define MODEL(states, equations, blocks)                                                      \
    "<model name='m' xmlns='urn:linnet:model:1'>\n<block-type name='plant'>" states equations \
    "</block-type>\n" blocks "</model>"
#define STATE(name, start) "<state name='" name "' start='" start "' absolute='1e-5'/>"
#define EQUATION(text) "<equation>" text "</equation>"
#define PLANT "<plant id='plant'/>"

typedef struct record {
    int points, most;
    double t[2000], decide[2000], x[2000][4];
    double last[4];
    harness *of;
    int stop_after;            /* points, 0: never */
    linnet_status answer;      /* of accept */
    unsigned long allocations; /* at the first point and at the last */
    unsigned long allocations_end;
} record;

static linnet_status accept(void *context, ln_side side, const double *x) {
    record *log = context;
    const size_t kept = (size_t)log->of->nsignals * sizeof *x;
    if (log->points == 0)
        log->allocations = ln_sys_allocations();
    log->allocations_end = ln_sys_allocations();
    for (int k = 0; k < log->of->nsignals; k++)
        log->last[k] = ln_system_observe(log->of->system, &log->of->quantity[k], side, x);
    if (log->points < 2000) {
        log->t[log->points] = side.t;
        log->decide[log->points] = side.within;
        memcpy(log->x[log->points], log->last, kept);
    }
    log->points++;
    return log->answer;
}

static int stop(void *context) {
    const record *log = context;
    return log->stop_after > 0 && log->points >= log->stop_after;
}

/* Signals: names separated by blanks. What is reported stays in the report, which may be NULL. */
static linnet_status run(const char *xml, const char *signals, const char *method,
                         ln_settings settings, record *out, ln_report *report,
                         ln_statistics *statistics) {
    ln_statistics unused;
    ln_report *own = report != NULL ? report : ln_report_new(harness_print, &harness_verbose);
    harness h = harness_built(xml, signals, own);
    CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
    out->of = &h;
    settings.method = ln_method_find(method);
    ln_watcher watcher = {.context = out, .accept = accept, .stop = stop};
    const linnet_status status =
        ln_integrate(h.system, &settings, &watcher, own, statistics != NULL ? statistics : &unused);
    h.report = report != NULL ? NULL : own;
    harness_free(&h);
    return status;
}

/* ---- orders ---- */

/* A closed loop with a source that varies in time: y'' + 3 y' + 2 y = 10 sin t, y(0) = 1, y'(0) =
 * 0. */
#define CLOSED_LOOP                        \
    MODEL(STATE("y", "1") STATE("v", "0"), \
          EQUATION("der(y) = v") EQUATION("der(v) = 10*sin(t) - 3*v - 2*y"), PLANT)
static double closed_loop_exact(double t) {
    return sin(t) - 3.0 * cos(t) + 7.0 * exp(-t) - 3.0 * exp(-2.0 * t);
}

/* A nonlinear cascade: x1' = -x1, x2' = x1 x2, x3' = x1^2 x2 from 1, 1, 0. With u = exp(-t): x1 =
 * u, x2 = exp(1 - u), x3 = (1 + u) exp(1 - u) - 2. */
#define CASCADE                                                                                \
    MODEL(STATE("x1", "1") STATE("x2", "1") STATE("x3", "0"),                                  \
          EQUATION("der(x1) = -x1") EQUATION("der(x2) = x1*x2") EQUATION("der(x3) = x1^2*x2"), \
          PLANT)
static double cascade_exact(double t) {
    return (1.0 + exp(-t)) * exp(1.0 - exp(-t)) - 2.0;
}

/* A step at 0.537, off the grid, into a lag: x' = 3 s - x. Nothing jumps at 0.25. */
#define STEPPED(start)                                                              \
    MODEL("<input name='u'/>" STATE("x", start), EQUATION("der(x) = 3*u - x"),      \
          "<step id='s' out='u' delay='0.537'/><ramp id='r' out='w' delay='0.25'/>" \
          "<plant id='plant' u='u'/>")
static const double step_time = 0.537;
static double stepped_exact(double t) {
    return exp(-t) + (t > step_time ? 3.0 * (1.0 - exp(-(t - step_time))) : 0.0);
}

typedef struct problem {
    const char *xml, *signal;
    double (*exact)(double t);
} problem;
static const problem problems[] = {
    {CLOSED_LOOP, "plant.y", closed_loop_exact},
    {CASCADE, "plant.x3", cascade_exact},
    {STEPPED("1"), "plant.x", stepped_exact},
};

/* Error at the end of [0, 2]. */
static double problem_error(const problem *p, const char *method, ln_settings settings) {
    record out = {0};
    settings.end = 2.0;
    CU_ASSERT_EQUAL(run(p->xml, p->signal, method, settings, &out, NULL, NULL), LINNET_OK);
    CU_ASSERT_EQUAL(out.t[out.points < 2000 ? out.points - 1 : 0], out.points < 2000 ? 2.0 : 0.0);
    return fabs(out.last[0] - p->exact(2.0));
}

static void orders_of_convergence(void) {
    const struct {
        const char *method;
        double order, step, within;
    } cases[] = {{"euler", 1, 1.0 / 2048, 0.05},
                 {"heun", 2, 1.0 / 256, 0.05},
                 {"rk4", 4, 1.0 / 64, 0.05},
                 {"rk45", 5, 1.0 / 16, 0.1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
            double coarse =
                problem_error(&problems[p], cases[c].method, (ln_settings){.step = cases[c].step});
            double fine = problem_error(&problems[p], cases[c].method,
                                        (ln_settings){.step = cases[c].step / 2});
            double order = log2(coarse / fine);
            if (!(fabs(order - cases[c].order) <= cases[c].within))
                printf("\n%s, problem %zu: order %.3f (errors %.3g, %.3g)\n", cases[c].method, p,
                       order, coarse, fine);
            CU_ASSERT(fabs(order - cases[c].order) <= cases[c].within);
        }
}

static void error_follows_the_tolerance(void) {
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++)
        for (double tolerance = 1e-4; tolerance > 0.5e-10; tolerance /= 10) {
            double error =
                problem_error(&problems[p], "rk45", (ln_settings){.tolerance = tolerance});
            double scale = tolerance * fmax(1.0, fabs(problems[p].exact(2.0)));
            if (!(error < 20 * scale))
                printf("\nproblem %zu, tolerance %g: error %g\n", p, tolerance, error);
            CU_ASSERT(error < 20 * scale);
        }
    /* and the work follows the order: 10^5 times smaller errors cost about 10 times the steps */
    ln_statistics loose, tight;
    record *out = &(record){0}, *more = &(record){0};
    ln_settings settings = {.end = 20, .step = 20};
    settings.tolerance = 1e-5;
    CU_ASSERT_EQUAL(run(CLOSED_LOOP, "", "rk45", settings, out, NULL, &loose), LINNET_OK);
    settings.tolerance = 1e-10;
    CU_ASSERT_EQUAL(run(CLOSED_LOOP, "", "rk45", settings, more, NULL, &tight), LINNET_OK);
    double ratio = (double)tight.steps / (double)loose.steps;
    CU_ASSERT(ratio > 6 && ratio < 14);
    CU_ASSERT_EQUAL(tight.steps + 1, more->points);
    /* first same as last: six evaluations a trial, two more for the start; and all unknowns once
     * for the start and for each point that is told */
    CU_ASSERT_EQUAL(tight.evaluations, 6 * (tight.steps + tight.rejected) + 2 + 1 + more->points);
}

/* ---- breakpoints ---- */

/* The jump of the source is told twice, left and right; where nothing jumps, once. */
static void corners_are_told_from_both_sides(void) {
    const char *const methods[] = {"euler", "rk4", "rk45"};
    for (int m = 0; m < 3; m++) {
        record *out = &(record){0};
        ln_statistics statistics;
        ln_settings settings = {.end = 1.0, .step = 0.1, .tolerance = m == 2 ? 1e-6 : 0};
        CU_ASSERT_EQUAL(
            run(STEPPED("0"), "plant.x u", methods[m], settings, out, NULL, &statistics),
            LINNET_OK);
        CU_ASSERT_EQUAL(statistics.breakpoints, 2);
        int at_quarter = 0, at_step = 0;
        for (int k = 0; k < out->points; k++) {
            at_quarter += out->t[k] == 0.25;
            if (k > 0)
                CU_ASSERT(out->t[k] >= out->t[k - 1]);
            if (out->t[k] != step_time)
                continue;
            CU_ASSERT_EQUAL(out->x[k][1], at_step == 0 ? 0.0 : 1.0);
            CU_ASSERT(at_step == 0 ? out->decide[k] < step_time : out->decide[k] > step_time);
            at_step++;
        }
        CU_ASSERT_EQUAL(at_quarter, 1);
        CU_ASSERT_EQUAL(at_step, 2);
        if (m < 2) { /* start, ten grid points, three points at two breakpoints */
            CU_ASSERT_EQUAL(out->points, 14);
            CU_ASSERT_EQUAL(statistics.steps, 12);
            CU_ASSERT(statistics.smallest < 0.0371 && fabs(statistics.largest - 0.1) < 1e-15);
        }
    }
}

/* ---- what is told ---- */

static void all_grid_points_are_told(void) {
    record *out = &(record){0};
    ln_statistics statistics;
    CU_ASSERT_EQUAL(run(CLOSED_LOOP, "plant.y", "rk4", (ln_settings){.end = 5, .step = 0.01}, out,
                        NULL, &statistics),
                    LINNET_OK);
    CU_ASSERT_EQUAL(out->points, 501);
    CU_ASSERT_EQUAL(out->t[300], 300 * 0.01);
    CU_ASSERT_EQUAL(out->t[500], 5.0);
    CU_ASSERT_EQUAL(statistics.steps, 500);
    CU_ASSERT_EQUAL(statistics.states, 2);
    CU_ASSERT_EQUAL(statistics.t, 5.0);
    for (int k = 0; k <= 500; k++)
        CHECK_CLOSE(out->x[k][0], closed_loop_exact(k * 0.01), 1e-8);
    CU_ASSERT_EQUAL(out->allocations, out->allocations_end);
}

static void wanted_times_only(void) {
    const double stops[] = {0.33};
    const double expected[] = {0.0, 0.25, 0.33, 0.5, 0.75, 1.0};
    for (int adaptive = 0; adaptive < 2; adaptive++) {
        record *out = &(record){0};
        ln_settings settings = {.end = 1,
                                .step = 0.1,
                                .interval = 0.25,
                                .stops = stops,
                                .nstops = 1,
                                .tolerance = adaptive ? 1e-8 : 0};
        CU_ASSERT_EQUAL(
            run(CLOSED_LOOP, "plant.y", adaptive ? "rk45" : "rk4", settings, out, NULL, NULL),
            LINNET_OK);
        CU_ASSERT_EQUAL(out->points, 6);
        for (int k = 0; k < 6; k++) {
            CU_ASSERT_EQUAL(out->t[k], expected[k]);
            CHECK_CLOSE(out->x[k][0], closed_loop_exact(expected[k]), adaptive ? 1e-7 : 1e-4);
        }
    }
}

/* A diagram without states is still told at every point. */
static void no_states(void) {
    for (int adaptive = 0; adaptive < 2; adaptive++) {
        static const char xml[] =
            "<model name='m' xmlns='urn:linnet:model:1'><ramp id='r' out='y' slope='3'/></model>";
        record *out = &(record){0};
        ln_settings settings = {.end = 1, .step = 0.25, .tolerance = adaptive ? 1e-4 : 0};
        CU_ASSERT_EQUAL(run(xml, "y", adaptive ? "rk45" : "euler", settings, out, NULL, NULL),
                        LINNET_OK);
        CU_ASSERT_EQUAL(out->points, 5);
        for (int k = 0; k < 5; k++)
            CU_ASSERT_EQUAL(out->x[k][0], 0.75 * k);
    }
}

/* ---- ends before the end ---- */

static const char *only_message(ln_report *report) {
    CU_ASSERT_EQUAL(ln_report_errors(report), 1);
    return ln_report_errors(report) == 1 ? ln_report_text(report, 0) : "";
}

static void instability_is_named(void) {
    static const char xml[] = MODEL(STATE("x1", "1") STATE("x2", "1"),
                                    EQUATION("der(x1) = 0") EQUATION("der(x2) = -1e3*x2"),
                                    "<constant id='c' out='k' value='1'/>\n" PLANT);
    record *out = &(record){0};
    ln_report *report = ln_report_new(NULL, NULL);
    ln_statistics statistics;
    CU_ASSERT_EQUAL(run(xml, "plant.x1 plant.x2", "rk4", (ln_settings){.end = 10, .step = 0.01},
                        out, report, &statistics),
                    LINNET_FAILED);
    const char *text = only_message(report);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "test.xml:4: error: plant.x2 grows beyond all bounds at t = "));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "stability limit of rk4, try a smaller step or an implicit method"));
    CU_ASSERT(out->points > 5 && statistics.t == out->t[out->points - 1]);
    for (int k = 0; k < out->points; k++)
        CU_ASSERT(isfinite(out->x[k][1]));
    ln_report_free(report);
}

/* x' = x^2 from 1 has its pole at 1. */
static void a_pole_is_named(void) {
    static const char xml[] = MODEL(STATE("x1", "1"), EQUATION("der(x1) = x1^2"), PLANT);
    record *out = &(record){0};
    ln_report *report = ln_report_new(NULL, NULL);
    CU_ASSERT_EQUAL(
        run(xml, "plant.x1", "rk45", (ln_settings){.end = 2, .tolerance = 1e-6}, out, report, NULL),
        LINNET_FAILED);
    const char *text = only_message(report);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "test.xml:3: error: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "plant.x1"));
    CHECK_CLOSE(out->t[out->points - 1], 1.0, 1e-5);
    ln_report_free(report);
}

/* A refusal ends a fixed run with its blame; an adaptive one tries shorter steps first. */
#define GROWTH MODEL(STATE("x1", "0"), EQUATION("der(x1) = 1 + 1e-300*sqrt(0.75 - x1)"), PLANT)

static void refusals(void) {
    for (int adaptive = 0; adaptive < 2; adaptive++) {
        record *out = &(record){0};
        ln_report *report = ln_report_new(NULL, NULL);
        ln_statistics statistics;
        ln_settings settings = {.end = 1, .step = 0.1, .tolerance = adaptive ? 1e-6 : 0};
        CU_ASSERT_EQUAL(
            run(GROWTH, "plant.x1", adaptive ? "rk45" : "heun", settings, out, report, &statistics),
            LINNET_FAILED);
        const char *text = only_message(report);
        CU_ASSERT_PTR_NOT_NULL(strstr(
            text, "test.xml:3: error: plant (plant): rate of plant.x1 is not finite at t = "));
        if (!adaptive)
            CU_ASSERT_PTR_NOT_NULL(
                strstr(text, "0.8 s: sqrt(-0.050000000000000155); the step of 0.1 s from t = 0.7 s "
                             "cannot"));
        CHECK_CLOSE(out->last[0], adaptive ? 0.75 : 0.7, 1e-9);
        CU_ASSERT((statistics.rejected > 0) == adaptive);
        ln_report_free(report);
    }
}

static void ends_when_asked(void) {
    static const char xml[] = MODEL(STATE("x1", "0"), EQUATION("der(x1) = 1"), PLANT);
    record *out = &(record){.stop_after = 4};
    ln_settings settings = {.end = 1, .step = 0.1};
    CU_ASSERT_EQUAL(run(xml, "", "rk4", settings, out, NULL, NULL), LINNET_INTERRUPTED);
    CU_ASSERT_EQUAL(out->points, 4);
    out = &(record){.answer = LINNET_IO};
    CU_ASSERT_EQUAL(run(xml, "", "rk4", settings, out, NULL, NULL), LINNET_IO);
    CU_ASSERT_EQUAL(out->points, 1);
    ln_report *report = ln_report_new(NULL, NULL);
    out = &(record){0};
    settings.max_steps = 6;
    CU_ASSERT_EQUAL(run(xml, "", "rk4", settings, out, report, NULL), LINNET_FAILED);
    CU_ASSERT_PTR_NOT_NULL(strstr(only_message(report), "after 6 steps"));
    CU_ASSERT_EQUAL(out->points, 7);
    CU_ASSERT_EQUAL(run(xml, "", "radau5", settings, out, report, NULL), LINNET_USAGE);
    settings.step = 0;
    CU_ASSERT_EQUAL(run(xml, "", "rk4", settings, out, report, NULL), LINNET_USAGE);
    ln_report_free(report);
}

/* ---- networks that are no ODE as they stand ---- */

/* Index 2 (two inertias on a gear, a capacitor across a source, a capacitive divider) and storage
 * that bends, by closed forms; the last one says by -ln v - (v^2 - 1)/2 when it comes to v. */
static void networks_of_any_index(void) {
    static const struct {
        const char *xml, *signal;
        double end, value;
    } cases[] = {
        {"<fixed-shaft id='f' p='0'/><inertia id='J1' p='a' J='0.01'/><inertia id='J2' p='b' "
         "J='0.5'/><gear id='G' p='a' n='b' ratio='3'/><torque-source id='T' p='0' n='a' tau='5'/>",
         "b", 1, 15 / 0.59},
        {"<ground id='g' p='0'/><sine-voltage id='V' p='a' n='0' amplitude='2' "
         "frequency='1/(2*pi)'/><capacitor id='C' p='a' n='0' C='3'/><resistor id='R' p='a' n='b' "
         "R='0.5'/><capacitor id='D' p='b' n='0' C='2'/>",
         "V.i", 2, 1.7812504051990015},
        {"<ground id='g' p='0'/><sine-voltage id='V' p='a' n='0' amplitude='2' "
         "frequency='1/(2*pi)'/><capacitor id='C1' p='a' n='b' C='3'/><capacitor id='C2' p='b' "
         "n='0' C='1'/>",
         "b", 2, 1.5 * 0.90929742682568171},
        {"<block-type name='bent'><port name='p' domain='electrical'/><port name='n' "
         "domain='electrical'/><equation>p.i = der((p.v - n.v)*(1 F) + (p.v - n.v)^3*(1/3)*(1 "
         "F/V^2))</equation><equation>n.i = -p.i</equation></block-type><ground id='g' p='0'/>"
         "<bent id='C' p='a' n='0'/><resistor id='R' p='a' n='0' R='1'/><start link='a' value='1' "
         "fixed='yes'/>",
         "a", 0.6931471805599453 + 0.375, 0.5},
        /* a pendulum by its length, index 3, from rest at 90 degrees: quarter period K(1/sqrt 2) */
        {"<block-type name='pendulum'><state name='x' start='1'/><state name='y'/><state name='u'/>"
         "<state name='v'/><variable name='s'/><equation>der(x) = u</equation><equation>der(y) = "
         "v</equation><equation>der(u) = -s*x</equation><equation>der(v) = -s*y - 1</equation>"
         "<equation>x*x + y*y = 1</equation></block-type><pendulum id='p'/>",
         "p.s", 1.8540746773013719, 3},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int adaptive = 0; adaptive < 2; adaptive++) {
            char xml[2000];
            snprintf(xml, sizeof xml, "<model name='m' xmlns='urn:linnet:model:1'>%s</model>",
                     cases[k].xml);
            harness h =
                harness_run_with(xml, cases[k].signal,
                                 (ln_settings){.method = ln_method_find(adaptive ? "rk45" : "rk4"),
                                               .end = cases[k].end,
                                               .step = adaptive ? 0 : cases[k].end / 400,
                                               .tolerance = adaptive ? 1e-9 : 0});
            CU_ASSERT_EQUAL(h.status, LINNET_OK);
            CHECK_CLOSE(harness_last(&h, 0), cases[k].value, 1e-8 * fmax(1, fabs(cases[k].value)));
            harness_free(&h);
        }
}

/* Two windings on a core that saturates (index 2). From one point to the next the flux passes the
 * knee of the core, from where Newton's method does not come back at once: x is followed on the
 * way. Heun's method of 0.5 ms, rk4 of 1 ms, rk45 whose steps begin anew (all stopped there: "has
 * no solution") against radau5. */
static void follows_across_a_knee(void) {
    static const char xml[] =
        "<model name='m' xmlns='urn:linnet:model:1'><ground id='g' p='0'/><magnetic-ground id='z' "
        "p='f'/><sine-voltage id='V' p='l' n='0' amplitude='325' frequency='50'/><resistor id='R' "
        "p='l' n='a' R='2'/><magnetic-coil id='A' p='a' n='0' north='t' south='f' "
        "N='600'/><magnetic-coil id='B' p='b' n='0' north='s' south='t' N='30'/><saturating-core "
        "id='core' p='s' n='f' length='0.3' A='12e-4' mu_r='4000' B_sat='1.7'/><resistor id='Q' "
        "p='b' n='0' R='1000'/></model>";
    static const struct {
        const char *method;
        double step, within; /* of the largest flux, 2 V s */
    } runs[] = {
        {"radau5", 0, 0}, {"heun", 0.5e-3, 0.02}, {"rk4", 1e-3, 0.02}, {"rk4", 1.5e-3, 0.1}};
    double flux = 0;
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        harness h = harness_run_with(xml, "A.flux a b",
                                     (ln_settings){.method = ln_method_find(runs[k].method),
                                                   .end = 60e-3,
                                                   .step = runs[k].step,
                                                   .tolerance = k == 0 ? 1e-8 : 0});
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        if (k == 0)
            flux = harness_last(&h, 0);
        CU_ASSERT(fabs(harness_last(&h, 0) - flux) <= 2 * runs[k].within);
        if (k > 0)
            CHECK_CLOSE(20 * harness_last(&h, 2), harness_last(&h, 1), 1e-6);
        harness_free(&h);
    }
}

/* A capacitance that a signal gives, C0 (1 + a t), behind a resistor: the state is the charge,
 * whose tolerance was that of a first guess of the capacitance, the least, and no first step was
 * short enough. C0 = 10 uF, a = 100/s, R = 2 Ohm, p = 1/(R C0 a): q = V/(R a (p + 1)) (c - c^-p).
 */
static void capacitance_by_a_signal(void) {
    static const char xml[] =
        "<model xmlns='urn:linnet:model:1'><ground id='g' p='0'/>"
        "<voltage-source id='V' p='a' n='0' V='5 V'/><resistor id='R' p='a' n='b' R='2 Ohm'/>"
        "<ramp id='r' out='c' offset='10e-6' slope='1e-3'/>"
        "<variable-capacitor id='C' p='b' n='0' in='c'/></model>";
    for (int k = 3; k <= 8; k++) {
        const double tolerance = pow(10, -k);
        harness h = harness_run_with(
            xml, "b",
            (ln_settings){.method = ln_method_find("rk45"), .end = 1e-3, .tolerance = tolerance});
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        for (size_t row = 0; row < h.rows; row++) {
            const double c = 1 + 100 * h.time[row];
            const double q = 5 / (2 * 100 * 501.0) * (c - pow(c, -500));
            CHECK_CLOSE(h.value[row], q / (10e-6 * c), 10 * 5 * tolerance);
        }
        harness_free(&h);
    }
}

UNIT_MAIN({"follows across a knee", follows_across_a_knee},
          {"capacitance by a signal", capacitance_by_a_signal},
          {"networks of any index", networks_of_any_index},
          {"grid counts without rounding", grid_counts_without_rounding},
          {"grid shortens the last step", grid_shortens_the_last_step},
          {"grid snaps corners", grid_snaps_corners}, {"grid without step", grid_without_step},
          {"grid passes many corners", grid_passes_many_corners},
          {"orders of convergence", orders_of_convergence},
          {"error follows the tolerance", error_follows_the_tolerance},
          {"corners are told from both sides", corners_are_told_from_both_sides},
          {"all grid points are told", all_grid_points_are_told},
          {"wanted times only", wanted_times_only}, {"no states", no_states},
          {"instability is named", instability_is_named}, {"a pole is named", a_pole_is_named},
          {"refusals", refusals}, {"ends when asked", ends_when_asked})
