/* SPDX-License-Identifier: MIT */
/* Each implicit method, a step at a time, on y' = -y and on an oscillator: the end of every step is
 * what the method's formula makes of its start, to rounding; its estimate is the local error; what
 * it tells between its points is the polynomial that it promises. */
#include "integrate/stepper.h"
#include "system_kit.h"

#include <complex.h>

static const char type[] =
    "<block-type name='pair'><state name='y' start='1'/><state name='u' start='1'/><state "
    "name='v'/><equation>der(y) = -y</equation><equation>der(u) = v</equation><equation>der(v) = "
    "-u</equation></block-type>";

typedef struct rig {
    bench bench;
    ln_settings settings;
    ln_watcher watcher;
    ln_statistics statistics;
    ln_run run;
    const ln_stepper_class *class;
    void *state;
    int y, u, v;
} rig;

static int unknown_of(const bench *b, const char *name) {
    for (int i = 0; i < b->system->n; i++)
        if (strcmp(ln_network_unknown_name(b->network, i), name) == 0)
            return i;
    CU_FAIL_FATAL("no such unknown");
    return -1;
}

/* step: of fixed length; 0: by the tolerance */
static void begin(rig *r, const char *method, double step, double tolerance) {
    r->bench = built(type, "<pair id='p'/>");
    r->settings = (ln_settings){
        .method = ln_method_find(method), .step = step, .tolerance = tolerance, .end = 10};
    r->watcher = (ln_watcher){.context = NULL};
    CU_ASSERT_FATAL(ln_run_init(&r->run, r->bench.system, &r->settings, &r->watcher,
                                r->bench.report, &r->statistics) == LINNET_OK);
    r->run.adaptive = step == 0;
    r->run.bound.longest = INFINITY;
    r->run.side = ln_side_right(0, 0);
    r->y = unknown_of(&r->bench, "p.y");
    r->u = unknown_of(&r->bench, "p.u");
    r->v = unknown_of(&r->bench, "p.v");
    r->run.x[r->y] = r->run.x[r->u] = 1;
    r->run.x[r->v] = 0;
    r->class = ln_stepper_of(r->settings.method);
    r->state = calloc(1, r->class->size);
    CU_ASSERT_FATAL(r->class->create(&r->run, r->state) == LINNET_OK);
    ln_choose_error_test(&r->run);
    CU_ASSERT_FATAL(ln_run_restart(&r->run, r->run.side) == LINNET_OK);
    CU_ASSERT_FATAL(r->class->restart(&r->run, r->state) == LINNET_OK);
}

static void finish(rig *r) {
    if (r->class->release != NULL)
        r->class->release(r->state);
    free(r->state);
    ln_run_free(&r->run);
    done(&r->bench);
}

/* y, and u + i v, of which the derivatives are -1 and -i times it. */
typedef struct point {
    double t;
    double complex of[2];
} point;
static const double complex rate[2] = {-1, -I};

static point here(const rig *r, double t, const double *x) {
    return (point){t, {x[r->y], x[r->u] + x[r->v] * I}};
}

/* ---- formulas: the end of a step of h from the points before ---- */

static double complex euler(double complex z) {
    return 1 / (1 - z);
}
static double complex average(double complex z) {
    return (1 + z / 2) / (1 - z / 2);
}
/* the trapezoidal rule over gamma, then BDF2 [Hosea, Shampine 1996] */
static double complex tr_bdf2(double complex z) {
    const double g = 2 - sqrt(2);
    const double complex inner = (1 + g * z / 2) / (1 - g * z / 2);
    return (inner / (g * (2 - g)) - (1 - g) * (1 - g) / (g * (2 - g))) /
           (1 - (1 - g) / (2 - g) * z);
}
/* Pade's approximant (2, 3) [Hairer, Wanner, Solving ODEs II, IV.3] */
static double complex radau(double complex z) {
    return (1 + 2 * z / 5 + z * z / 20) / (1 - 3 * z / 5 + 3 * z * z / 20 - z * z * z / 60);
}
/* (1 + 2r)/(1 + r) x1 - (1 + r) x + r^2/(1 + r) x_before = h f1 */
static double complex bdf2(double complex x, double complex before, double r, double complex z) {
    return ((1 + r) * x - r * r / (1 + r) * before) / ((1 + 2 * r) / (1 + r) - z);
}

typedef double complex stability(double complex z);
static const struct {
    const char *name;
    stability *of;
    int halves; /* the first step is two halves of backward Euler */
    int order;
    double error; /* of a step, per h^(order+1) x^(order+1) */
} methods[] = {{"backward-euler", euler, 0, 1, -0.5},
               {"crank-nicolson", average, 1, 2, -1.0 / 12},
               {"tr-bdf2", tr_bdf2, 0, 2, -0.0404401145198803},
               {"bdf2", NULL, 1, 2, 0}};
enum { METHODS = sizeof methods / sizeof *methods };

static void check_point(point is, const double complex *expected, double within) {
    for (int k = 0; k < 2; k++)
        if (!(cabs(is.of[k] - expected[k]) <= within)) {
            printf("\n    t = %g: part %d is off by %g\n", is.t, k, cabs(is.of[k] - expected[k]));
            CU_ASSERT(cabs(is.of[k] - expected[k]) <= within);
        }
}

/* What a step makes of the point `now`, behind `before`, and the point that it keeps as the one
 * before the next. */
static void expect(int method, int first, point before, point now, double h, double complex *end,
                   point *middle) {
    const int halves = first && methods[method].halves;
    *middle = now;
    for (int k = 0; k < 2; k++) {
        const double complex z = rate[k] * h;
        if (halves) {
            middle->of[k] = now.of[k] * euler(z / 2);
            middle->t = now.t + h / 2;
            end[k] = middle->of[k] * euler(z / 2);
        } else {
            end[k] = methods[method].of != NULL
                         ? now.of[k] * methods[method].of(z)
                         : bdf2(now.of[k], before.of[k], h / (now.t - before.t), z);
        }
    }
}

/* The local error of x, which the estimate is to be: of a step that is no first one. */
static double complex local_error(int method, point before, point now, double h, int k) {
    const double r = h / (now.t - before.t);
    const double factor = methods[method].of != NULL ? methods[method].error
                                                     : -(1 + r) * (1 + r) / (6 * r * (1 + 2 * r));
    return factor * cpow(rate[k] * h, methods[method].order + 1) * now.of[k];
}

static void check_estimate(const rig *r, int method, point before, point now, double h) {
    for (int k = 0; k < 2; k++) {
        const double complex told = k ? r->run.w[r->u] + r->run.w[r->v] * I : r->run.w[r->y],
                             true_one = local_error(method, before, now, h, k);
        /* to a part of order h, and either sign */
        const double off = fmin(cabs(told - true_one), cabs(told + true_one));
        if (!(off <= 3 * h * cabs(true_one) + 2e-16))
            printf("\n    %s: h = %g, error told %g, true %g\n", methods[method].name, h,
                   cabs(told), cabs(true_one));
        CU_ASSERT(off <= 3 * h * cabs(true_one) + 2e-16);
    }
}

/* What lies between the points: a line for order 1; for order 2 the parabola through the end, the
 * start and a third point, at the abscissa and with the value given. */
static void check_between(rig *r, int method, point third, point start, point end) {
    double x[8];
    CU_ASSERT_FATAL(r->bench.system->n <= 8);
    for (int i = 0; i <= 4; i++) {
        const double t = start.t + (end.t - start.t) * i / 4;
        const double c = (t - start.t) / (end.t - start.t);
        double complex expected[2];
        CU_ASSERT(r->class->interpolate(&r->run, r->state, t, x) == LINNET_OK);
        for (int k = 0; k < 2; k++) {
            const double complex line = start.of[k] + c * (end.of[k] - start.of[k]);
            const double complex at_third =
                start.of[k] + (third.t - start.t) / (end.t - start.t) * (end.of[k] - start.of[k]);
            const double bend =
                (t - start.t) * (t - end.t) / (third.t - start.t) / (third.t - end.t);
            expected[k] = line + (methods[method].order > 1 ? bend * (third.of[k] - at_third) : 0);
        }
        check_point(here(r, t, x), expected, 1e-13);
    }
}

/* The inner point of tr-bdf2, or the one before the start. */
static point third_of(int method, point before, point start, double h) {
    if (methods[method].of != tr_bdf2)
        return before;
    const double g = 2 - sqrt(2);
    point inner = {start.t + g * h, {0}};
    for (int k = 0; k < 2; k++)
        inner.of[k] = start.of[k] * average(g * rate[k] * h);
    return inner;
}

static void fixed_steps(void) {
    for (int m = 0; m < METHODS; m++) {
        rig r;
        begin(&r, methods[m].name, 0.125, 0);
        point before = {0, {0}}, now = here(&r, 0, r.run.x);
        for (int step = 0; step < 8; step++) {
            /* a shorter and a longer step, too: bdf2 begins anew beyond the ratio 1 + sqrt(2), up
             * to which it is stable [Grigorieff 1983] */
            const double h = step == 3 ? 0.05 : step == 5 ? 0.1 : 0.125;
            double complex end[2];
            point middle;
            CU_ASSERT(r.class->fixed(&r.run, r.state, h, r.run.side) == LINNET_OK);
            const int anew = step == 0 || h > (1 + sqrt(2)) * (now.t - before.t);
            expect(m, anew && methods[m].of == NULL, before, now, h, end, &middle);
            check_point(here(&r, r.run.side.t, r.run.x), end, 1e-14);
            CHECK_CLOSE(r.run.side.t, now.t + h, 1e-15);
            before = middle;
            now = here(&r, r.run.side.t, r.run.x);
            ln_count_step(&r.run, h);
        }
        finish(&r);
    }
}

static void adaptive_steps(void) {
    for (int m = 0; m < METHODS; m++) {
        rig r;
        begin(&r, methods[m].name, 0, methods[m].order == 1 ? 1e-4 : 1e-6);
        point before = {0, {0}}, now = here(&r, 0, r.run.x);
        int sizes = 0;
        for (int step = 0; step < 25; step++) {
            double complex end[2];
            point middle;
            CU_ASSERT(r.class->advance(&r.run, r.state, ln_side_right(10, 0)) == LINNET_OK);
            const double t = r.run.side.t, h = t - now.t;
            const point is = here(&r, t, r.run.x);
            expect(m, step == 0, before, now, h, end, &middle);
            check_point(is, end, 1e-13);
            if (step > 1)
                check_estimate(&r, m, before, now, h);
            if (step == 0 && methods[m].halves)
                check_between(&r, m, now, middle, is);
            else
                check_between(&r, m, third_of(m, before, now, h), now, is);
            sizes += fabs(h - (now.t - before.t)) > 1e-9 * h;
            before = middle;
            now = is;
        }
        CU_ASSERT(sizes > 3); /* of steps that differ */
        finish(&r);
    }
}

/* radau5: of order 5 at the end, and collocation between. */
static void collocation(void) {
    rig r;
    begin(&r, "radau5", 0, 1e-5);
    point now = here(&r, 0, r.run.x);
    for (int step = 0; step < 12; step++) {
        double complex end[2];
        double x[8];
        CU_ASSERT(r.class->advance(&r.run, r.state, ln_side_right(10, 0)) == LINNET_OK);
        const double h = r.run.side.t - now.t;
        for (int k = 0; k < 2; k++)
            end[k] = now.of[k] * radau(rate[k] * h);
        const point is = here(&r, r.run.side.t, r.run.x);
        check_point(is, end, 1e-12);
        for (int i = 0; i <= 6; i++) {
            /* the stages' polynomial of degree 3 has x0 and the slopes rate * x at three nodes; so
             * it is off by h^4/24 rate^4 x times a factor of at most one tenth */
            const double t = now.t + h * i / 6;
            CU_ASSERT(r.class->interpolate(&r.run, r.state, t, x) == LINNET_OK);
            const point between = here(&r, t, x);
            for (int k = 0; k < 2; k++)
                CU_ASSERT(cabs(between.of[k] - now.of[k] * cexp(rate[k] * (t - now.t))) <=
                          0.1 * pow(h, 4) / 24 * cabs(now.of[k]) + 1e-12);
        }
        now = is;
    }
    finish(&r);
}

/* ida begins behind a step of backward Euler, with its slope, from which nothing is rejected on
 * smooth equations; order 1 to 5. */
static void multistep(void) {
    rig r;
    begin(&r, "ida", 0, 1e-6);
    point now = here(&r, 0, r.run.x);
    double largest = 0;
    for (int step = 0; step < 60; step++) {
        double x[8];
        CU_ASSERT(r.class->advance(&r.run, r.state, ln_side_right(10, 0)) == LINNET_OK);
        const point is = here(&r, r.run.side.t, r.run.x);
        const double h = is.t - now.t;
        for (int i = 0; i <= 4; i++) {
            const double t = now.t + h * i / 4;
            CU_ASSERT(r.class->interpolate(&r.run, r.state, t, x) == LINNET_OK);
            const point between = here(&r, t, x);
            for (int k = 0; k < 2; k++) {
                const double complex line = now.of[k] + (is.of[k] - now.of[k]) * (t - now.t) / h;
                if (step == 0)
                    CU_ASSERT(cabs(between.of[k] - line) < 1e-15);
                CU_ASSERT(cabs(between.of[k] - cexp(rate[k] * t)) < 1e-4);
            }
        }
        if (step == 0)
            for (int k = 0; k < 2; k++)
                CU_ASSERT(cabs(is.of[k] - now.of[k] * euler(rate[k] * h)) < 1e-15);
        largest = fmax(largest, h);
        now = is;
    }
    CU_ASSERT(r.statistics.rejected <= 2 && r.statistics.steps == 60);
    CU_ASSERT(largest > 0.05); /* 1e-6 by order 1: 1e-3 */
    finish(&r);
}

/* Order, kind and step control of each method, as the literature has them. */
static void kinds(void) {
    static const struct {
        const char *name;
        int order, implicit;
        ln_steps steps;
    } all[] = {{"backward-euler", 1, 1, LN_STEPS_EITHER},
               {"crank-nicolson", 2, 1, LN_STEPS_EITHER},
               {"tr-bdf2", 2, 1, LN_STEPS_EITHER},
               {"bdf2", 2, 1, LN_STEPS_EITHER},
               {"radau5", 5, 1, LN_STEPS_ADAPTIVE},
               {"ida", 5, 1, LN_STEPS_ADAPTIVE},
               {"euler", 1, 0, LN_STEPS_FIXED},
               {"heun", 2, 0, LN_STEPS_FIXED},
               {"rk4", 4, 0, LN_STEPS_FIXED},
               {"rk45", 5, 0, LN_STEPS_EITHER}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const ln_method *method = ln_method_find(all[k].name);
        CU_ASSERT_FATAL(method != NULL && ln_stepper_of(method) != NULL);
        CU_ASSERT(method->order == all[k].order && method->implicit == all[k].implicit);
        CU_ASSERT(method->steps == all[k].steps);
    }
    CU_ASSERT(ln_method_at(sizeof all / sizeof *all) == NULL && ln_method_find("rk") == NULL);
}

UNIT_MAIN({"fixed steps", fixed_steps}, {"adaptive steps", adaptive_steps},
          {"collocation", collocation}, {"multistep", multistep}, {"kinds", kinds})
