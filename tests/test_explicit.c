/* SPDX-License-Identifier: MIT */
/* Grids of time and explicit methods, on equations written by hand whose solutions are closed
 * forms. */
#include "base/sys.h"
#include "integrate/grid.h"
#include "integrate/integrate.h"
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
        ln_grid_reached(&grid, t, why);
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
        ln_grid_reached(&grid, t, why);
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
        ln_grid_reached(&grid, t, why);
    }
    CU_ASSERT_EQUAL(grid.breakpoints, 3);
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
    ln_grid_want(&grid, 0.4, stops, 3);
    for (int k = 0; k < 6; k++) {
        int why;
        t = ln_grid_next(&grid, t, &why);
        CU_ASSERT_EQUAL(t, expected[k].t);
        CU_ASSERT_EQUAL(why, expected[k].why);
        ln_grid_reached(&grid, t, why);
    }
}

/* ---- equations by hand: the unknowns are the states, then one output ---- */

typedef struct equations {
    ln_ode ode;
    double start[3];
    void (*g)(ln_side side, const double *z, double *dz);
    double (*output)(ln_side side, const double *z);
    double absolute, domain; /* rates are refused where a state is beyond the domain */
} equations;

static linnet_status rates(ln_ode *ode, ln_side side, const double *z, double *dz) {
    equations *system_under_test = (equations *)ode;
    ode->evaluations++;
    for (int i = 0; i < ode->n; i++) {
        if (!(fabs(z[i]) > system_under_test->domain))
            continue;
        snprintf(ode->blame, sizeof ode->blame, "rate of plant.x%d is not finite at t = %g: 1 / 0",
                 i + 1, side.t);
        ode->blame_place = (ln_place){"m.xml", 7, 0};
        return LINNET_RETRY;
    }
    system_under_test->g(side, z, dz);
    return LINNET_OK;
}

static linnet_status unknowns(ln_ode *ode, ln_side side, const double *z, double *x) {
    const equations *system_under_test = (const equations *)ode;
    memcpy(x, z, (size_t)ode->n * sizeof *x);
    x[ode->n] = system_under_test->output != NULL ? system_under_test->output(side, z) : 0.0;
    return LINNET_OK;
}

static void states(ln_ode *ode, const double *x, double *z) {
    memcpy(z, x, (size_t)ode->n * sizeof *z);
}
static double tolerance(const ln_ode *ode, int i) {
    return (void)i, ((const equations *)ode)->absolute;
}
static void name(const ln_ode *ode, int i, char text[160]) {
    (void)ode, snprintf(text, 160, "plant.x%d", i + 1);
}
static ln_place place(const ln_ode *ode, int i) {
    return (void)ode, (ln_place){"m.xml", 10 + i, 0};
}

static equations equations_of(int n, const double *start,
                              void (*g)(ln_side side, const double *z, double *dz)) {
    equations ode = {.ode = {.n = n,
                             .rates = rates,
                             .unknowns = unknowns,
                             .states = states,
                             .tolerance = tolerance,
                             .name = name,
                             .place = place},
                     .g = g,
                     .absolute = 1e-9,
                     .domain = INFINITY};
    memcpy(ode.start, start, (size_t)n * sizeof *start);
    return ode;
}

typedef struct record {
    int points, most;
    double t[2000], decide[2000], x[2000][4];
    double last[4];
    int n;
    int stop_after;            /* points, 0: never */
    linnet_status answer;      /* of accept */
    unsigned long allocations; /* at the first point and at the last */
    unsigned long allocations_end;
} record;

static linnet_status accept(void *context, ln_side side, const double *x) {
    record *log = context;
    if (log->points == 0)
        log->allocations = ln_sys_allocations();
    log->allocations_end = ln_sys_allocations();
    if (log->points < 2000) {
        log->t[log->points] = side.t;
        log->decide[log->points] = side.within;
        memcpy(log->x[log->points], x, (size_t)log->n * sizeof *x);
    }
    memcpy(log->last, x, (size_t)log->n * sizeof *x);
    log->points++;
    return log->answer;
}

static int stop(void *context) {
    const record *log = context;
    return log->stop_after > 0 && log->points >= log->stop_after;
}

static linnet_status run(equations *ode, const char *method, ln_settings settings,
                         const double *breakpoints, record *out, ln_report *report,
                         ln_statistics *statistics) {
    static const ln_method methods[] = {{"euler", "", 1, 0, 0},
                                        {"heun", "", 2, 0, 0},
                                        {"rk4", "", 4, 0, 0},
                                        {"rk45", "", 5, 0, 1},
                                        {"tr-bdf2", "", 2, 1, 1}};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        if (strcmp(methods[k].name, method) == 0)
            settings.method = &methods[k];
    ln_network network = {.n = ode->ode.n + 1};
    ln_watcher watcher = {.context = out, .accept = accept, .stop = stop};
    ln_statistics unused;
    if (statistics == NULL)
        statistics = &unused;
    *statistics = (ln_statistics){0};
    double x0[4] = {0};
    memcpy(x0, ode->start, sizeof ode->start);
    out->n = network.n;
    ode->ode.evaluations = 0;
    return ln_integrate_explicit(&ode->ode, &network, NULL, breakpoints != NULL ? corner_at : NULL,
                                 breakpoints, x0, &settings, &watcher, report, statistics);
}

/* ---- orders ---- */

/* A closed loop with a source that varies in time: y'' + 3 y' + 2 y = 10 sin t, y(0) = 1, y'(0) =
 * 0. */
static void closed_loop(ln_side side, const double *z, double *dz) {
    (void)side.within;
    dz[0] = z[1];
    dz[1] = 10.0 * sin(side.t) - 3.0 * z[1] - 2.0 * z[0];
}
static double closed_loop_exact(double t) {
    return sin(t) - 3.0 * cos(t) + 7.0 * exp(-t) - 3.0 * exp(-2.0 * t);
}

/* A nonlinear cascade: x1' = -x1, x2' = x1 x2, x3' = x1^2 x2 from 1, 1, 0. With u = exp(-t): x1 =
 * u, x2 = exp(1 - u), x3 = (1 + u) exp(1 - u) - 2. */
static void cascade(ln_side side, const double *z, double *dz) {
    (void)side.t, (void)side.within;
    dz[0] = -z[0];
    dz[1] = z[0] * z[1];
    dz[2] = z[0] * z[0] * z[1];
}
static double cascade_exact(double t) {
    return (1.0 + exp(-t)) * exp(1.0 - exp(-t)) - 2.0;
}

/* A step at 0.537, off the grid, into a lag: x' = s - x. */
static const double step_time = 0.537;
static double step_of(double decide) {
    return decide < step_time ? 0.0 : 1.0;
}
static void stepped(ln_side side, const double *z, double *dz) {
    (void)side.t;
    dz[0] = 3.0 * step_of(side.within) - z[0];
}
static double stepped_exact(double t) {
    return exp(-t) + (t > step_time ? 3.0 * (1.0 - exp(-(t - step_time))) : 0.0);
}

/* Error at the end of [0, 2] of one unknown. */
static double error_at_end(int n, const double *start,
                           void (*g)(ln_side side, const double *z, double *dz), int which,
                           double exact, const double *breakpoints, const char *method,
                           ln_settings settings) {
    equations ode = equations_of(n, start, g);
    if (settings.tolerance > 0)
        ode.absolute = settings.tolerance;
    record out = {0};
    settings.end = 2.0;
    CU_ASSERT_EQUAL(run(&ode, method, settings, breakpoints, &out, NULL, NULL), LINNET_OK);
    CU_ASSERT_EQUAL(out.t[out.points < 2000 ? out.points - 1 : 0], out.points < 2000 ? 2.0 : 0.0);
    return fabs(out.last[which] - exact);
}

typedef struct problem {
    int n;
    double start[3];
    void (*g)(ln_side side, const double *z, double *dz);
    int which;
    double (*exact)(double t);
    double breakpoints[2];
} problem;
static const problem problems[] = {
    {2, {1.0, 0.0}, closed_loop, 0, closed_loop_exact, {INFINITY, INFINITY}},
    {3, {1.0, 1.0, 0.0}, cascade, 2, cascade_exact, {INFINITY, INFINITY}},
    {1, {1.0}, stepped, 0, stepped_exact, {0.537, INFINITY}},
};

static double problem_error(const problem *p, const char *method, ln_settings settings) {
    return error_at_end(p->n, p->start, p->g, p->which, p->exact(2.0), p->breakpoints, method,
                        settings);
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
    equations ode = equations_of(2, problems[0].start, closed_loop);
    ln_statistics loose, tight;
    record *out = &(record){0}, *more = &(record){0};
    ln_settings settings = {.end = 20, .step = 20};
    ode.absolute = settings.tolerance = 1e-5;
    CU_ASSERT_EQUAL(run(&ode, "rk45", settings, NULL, out, NULL, &loose), LINNET_OK);
    ode.absolute = settings.tolerance = 1e-10;
    CU_ASSERT_EQUAL(run(&ode, "rk45", settings, NULL, more, NULL, &tight), LINNET_OK);
    double ratio = (double)tight.steps / (double)loose.steps;
    CU_ASSERT(ratio > 6 && ratio < 14);
    CU_ASSERT_EQUAL(tight.steps + 1, more->points);
    /* first same as last: six evaluations a trial, two more for the start */
    CU_ASSERT_EQUAL(tight.evaluations, 6 * (tight.steps + tight.rejected) + 2);
}

/* ---- breakpoints ---- */

static double step_output(ln_side side, const double *z) {
    return (void)side.t, (void)z, step_of(side.within);
}

/* The jump of the source is told twice, left and right; where nothing jumps, once. */
static void corners_are_told_from_both_sides(void) {
    const double breakpoints[] = {0.25, step_time, INFINITY};
    const char *const methods[] = {"euler", "rk4", "rk45"};
    for (int m = 0; m < 3; m++) {
        equations ode = equations_of(1, (double[]){0.0}, stepped);
        ode.output = step_output;
        record *out = &(record){0};
        ln_statistics statistics;
        ln_settings settings = {.end = 1.0, .step = 0.1, .tolerance = m == 2 ? 1e-6 : 0};
        CU_ASSERT_EQUAL(run(&ode, methods[m], settings, breakpoints, out, NULL, &statistics),
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
    equations ode = equations_of(2, (double[]){1.0, 0.0}, closed_loop);
    record *out = &(record){0};
    ln_statistics statistics;
    CU_ASSERT_EQUAL(
        run(&ode, "rk4", (ln_settings){.end = 5, .step = 0.01}, NULL, out, NULL, &statistics),
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
        equations ode = equations_of(2, (double[]){1.0, 0.0}, closed_loop);
        record *out = &(record){0};
        ln_settings settings = {.end = 1,
                                .step = 0.1,
                                .interval = 0.25,
                                .stops = stops,
                                .nstops = 1,
                                .tolerance = adaptive ? 1e-8 : 0};
        CU_ASSERT_EQUAL(run(&ode, adaptive ? "rk45" : "rk4", settings, NULL, out, NULL, NULL),
                        LINNET_OK);
        CU_ASSERT_EQUAL(out->points, 6);
        for (int k = 0; k < 6; k++) {
            CU_ASSERT_EQUAL(out->t[k], expected[k]);
            CHECK_CLOSE(out->x[k][0], closed_loop_exact(expected[k]), adaptive ? 1e-7 : 1e-4);
        }
    }
}

static void nothing(ln_side side, const double *z, double *dz) {
    (void)side.t, (void)side.within, (void)z, (void)dz;
}
static double ramp_output(ln_side side, const double *z) {
    return (void)side.within, (void)z, 3.0 * side.t;
}

/* A diagram without states is still told at every point. */
static void no_states(void) {
    for (int adaptive = 0; adaptive < 2; adaptive++) {
        equations ode = equations_of(0, (double[]){0.0}, nothing);
        ode.output = ramp_output;
        record *out = &(record){0};
        ln_settings settings = {.end = 1, .step = 0.25, .tolerance = adaptive ? 1e-4 : 0};
        CU_ASSERT_EQUAL(run(&ode, adaptive ? "rk45" : "euler", settings, NULL, out, NULL, NULL),
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

static void fast_decay(ln_side side, const double *z, double *dz) {
    (void)side.t, (void)side.within;
    dz[0] = 0.0;
    dz[1] = -1e6 * z[1];
}

static void instability_is_named(void) {
    equations ode = equations_of(2, (double[]){1.0, 1.0}, fast_decay);
    record *out = &(record){0};
    ln_report *report = ln_report_new(NULL, NULL);
    ln_statistics statistics;
    CU_ASSERT_EQUAL(
        run(&ode, "rk4", (ln_settings){.end = 10, .step = 0.01}, NULL, out, report, &statistics),
        LINNET_FAILED);
    const char *text = only_message(report);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "m.xml:11: error: plant.x2 grows beyond all bounds at t = "));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "stability limit of rk4, try a smaller step or an implicit method"));
    CU_ASSERT(out->points > 5 && statistics.t == out->t[out->points - 1]);
    for (int k = 0; k < out->points; k++)
        CU_ASSERT(isfinite(out->x[k][1]));
    ln_report_free(report);
}

/* x' = x^2 from 1 has its pole at 1. */
static void square(ln_side side, const double *z, double *dz) {
    (void)side.t, (void)side.within, dz[0] = z[0] * z[0];
}

static void a_pole_is_named(void) {
    equations ode = equations_of(1, (double[]){1.0}, square);
    record *out = &(record){0};
    ln_report *report = ln_report_new(NULL, NULL);
    CU_ASSERT_EQUAL(
        run(&ode, "rk45", (ln_settings){.end = 2, .tolerance = 1e-6}, NULL, out, report, NULL),
        LINNET_FAILED);
    const char *text = only_message(report);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "m.xml:10: error: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "plant.x1"));
    CHECK_CLOSE(out->t[out->points - 1], 1.0, 1e-5);
    ln_report_free(report);
}

/* A refusal ends a fixed run with its blame; an adaptive one tries shorter steps first. */
static void growth(ln_side side, const double *z, double *dz) {
    (void)side.t, (void)side.within, (void)z;
    dz[0] = 1.0;
}

static void refusals(void) {
    for (int adaptive = 0; adaptive < 2; adaptive++) {
        equations ode = equations_of(1, (double[]){0.0}, growth);
        ode.domain = 0.75;
        record *out = &(record){0};
        ln_report *report = ln_report_new(NULL, NULL);
        ln_statistics statistics;
        ln_settings settings = {.end = 1, .step = 0.1, .tolerance = adaptive ? 1e-6 : 0};
        CU_ASSERT_EQUAL(
            run(&ode, adaptive ? "rk45" : "heun", settings, NULL, out, report, &statistics),
            LINNET_FAILED);
        const char *text = only_message(report);
        CU_ASSERT_PTR_NOT_NULL(
            strstr(text, "m.xml:7: error: rate of plant.x1 is not finite at t = "));
        if (!adaptive)
            CU_ASSERT_PTR_NOT_NULL(
                strstr(text, "0.8: 1 / 0; the step of 0.1 s from t = 0.7 s cannot"));
        CHECK_CLOSE(out->last[0], adaptive ? 0.75 : 0.7, 1e-9);
        CU_ASSERT((statistics.rejected > 0) == adaptive);
        ln_report_free(report);
    }
}

static void ends_when_asked(void) {
    equations ode = equations_of(1, (double[]){0.0}, growth);
    record *out = &(record){.stop_after = 4};
    ln_settings settings = {.end = 1, .step = 0.1};
    CU_ASSERT_EQUAL(run(&ode, "rk4", settings, NULL, out, NULL, NULL), LINNET_INTERRUPTED);
    CU_ASSERT_EQUAL(out->points, 4);
    out = &(record){.answer = LINNET_IO};
    CU_ASSERT_EQUAL(run(&ode, "rk4", settings, NULL, out, NULL, NULL), LINNET_IO);
    CU_ASSERT_EQUAL(out->points, 1);
    ln_report *report = ln_report_new(NULL, NULL);
    out = &(record){0};
    settings.max_steps = 6;
    CU_ASSERT_EQUAL(run(&ode, "rk4", settings, NULL, out, report, NULL), LINNET_FAILED);
    CU_ASSERT_PTR_NOT_NULL(strstr(only_message(report), "after 6 steps"));
    CU_ASSERT_EQUAL(out->points, 7);
    CU_ASSERT_EQUAL(run(&ode, "tr-bdf2", settings, NULL, out, report, NULL), LINNET_USAGE);
    settings.step = 0;
    CU_ASSERT_EQUAL(run(&ode, "rk4", settings, NULL, out, report, NULL), LINNET_USAGE);
    ln_report_free(report);
}

UNIT_MAIN({"grid counts without rounding", grid_counts_without_rounding},
          {"grid shortens the last step", grid_shortens_the_last_step},
          {"grid snaps corners", grid_snaps_corners}, {"grid without step", grid_without_step},
          {"orders of convergence", orders_of_convergence},
          {"error follows the tolerance", error_follows_the_tolerance},
          {"corners are told from both sides", corners_are_told_from_both_sides},
          {"all grid points are told", all_grid_points_are_told},
          {"wanted times only", wanted_times_only}, {"no states", no_states},
          {"instability is named", instability_is_named}, {"a pole is named", a_pole_is_named},
          {"refusals", refusals}, {"ends when asked", ends_when_asked})
