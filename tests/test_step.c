/* SPDX-License-Identifier: MIT */
/* The pieces of an adaptive step, each by itself: what the points before say about its end, the
 * length of an update of Newton's method, the law by which the step follows its error, and where
 * steps end. */
#include "integrate/grid.h"
#include "integrate/stepper.h"
#include "integrate/update_norm.h"
#include "system_kit.h"

#include <float.h>

/* Five equations that bend, with sizes and tolerances that differ: more than the four that are
 * taken at a time. */
static const char bent[] = "<block-type name='b'><state name='x' start='1' absolute='1e-4'/>"
                           "<equation>der(x) = -x^3</equation></block-type>"
                           "<block-type name='fine'><state name='x' start='1' absolute='1e-9'/>"
                           "<equation>der(x) = -x^3</equation></block-type>";
static const char five[] = "<b id='b1'/><b id='b2'/><fine id='b3'/><b id='b4'/><fine id='b5'/>";

typedef struct rig {
    bench bench;
    ln_settings settings;
    ln_watcher watcher;
    ln_statistics statistics;
    ln_run run;
} rig;

static void begin(rig *r, double tolerance, double end) {
    r->bench = built(bent, five);
    r->settings =
        (ln_settings){.method = ln_method_find("bdf2"), .tolerance = tolerance, .end = end};
    r->watcher = (ln_watcher){.context = NULL};
    CU_ASSERT_FATAL(ln_run_init(&r->run, r->bench.system, &r->settings, &r->watcher,
                                r->bench.report, &r->statistics) == LINNET_OK);
    CU_ASSERT_FATAL(r->run.n == 5);
    r->run.adaptive = 1;
    r->run.bound.longest = INFINITY;
}

static void finish(rig *r) {
    ln_run_free(&r->run);
    done(&r->bench);
}

/* ---- what the points before say ---- */

enum { N = 5 };

/* (k+1) (1 + 2 t - t^2 + bend t^3) to a degree, for each unknown k */
static void place(double t, int degree, double *x) {
    const double part[] = {1, 2 * t, -t * t, 3 * t * t * t};
    for (int k = 0; k < N; k++) {
        x[k] = 0;
        for (int d = 0; d <= degree; d++)
            x[k] += (k + 1) * part[d];
    }
}

/* The polynomial's highest derivative, of order `degree`, times h^degree. */
static double highest(double h, int degree, int k) {
    static const double factor[] = {1, 2, -2, 18};
    return (k + 1) * factor[degree] * pow(h, degree);
}

/* A step from `from` to `to` on a polynomial; its guess into guess. */
static double go(ln_predictor *p, double from, double to, int degree, int order, double *guess) {
    double x[N], x1[N];
    place(from, degree, x);
    place(to, degree, x1);
    const double share = ln_predictor_guess(p, from, x, to - from, order, guess);
    ln_predictor_note(p, from, x, to - from, order, x1);
    return share;
}

/* Guesses are exact on polynomials up to degree 2 from as many points as these need; how far the
 * prediction of the method's degree lies off tells h^(p+1) x^(p+1), by Milne's device, exactly on a
 * polynomial of degree p + 1. Steps are not alike. */
static void predictions(void) {
    static const double t[] = {0, 0.1, 0.25, 0.31, 0.5};
    rig r;
    begin(&r, 1e-4, 1);
    ln_predictor *p = &r.run.predictor;
    for (int degree = 0; degree <= 3; degree++)
        for (int order = 1; order <= 2; order++) {
            ln_predictor_forget(p);
            for (int k = 0; k < 4; k++) {
                double guess[N], x[N], wanted[N];
                const double share = go(p, t[k], t[k + 1], degree, order, guess);
                place(t[k], degree, x);
                place(t[k + 1], degree, wanted);
                CU_ASSERT((share > 0) == (k >= order));
                for (int i = 0; i < N; i++) {
                    /* a degree is taken when a step has shown that it serves */
                    CHECK_CLOSE(k == 0 ? guess[i] - x[i] : 0, 0, 0);
                    CHECK_CLOSE(k > degree && degree < 3 ? guess[i] - wanted[i] : 0, 0, 1e-14);
                    if (k >= order)
                        CHECK_CLOSE(share * (wanted[i] - p->predicted[i]),
                                    degree == order + 1 ? highest(t[k + 1] - t[k], degree, i)
                                    : degree > order    ? share * (wanted[i] - p->predicted[i])
                                                        : 0,
                                    1e-13);
                }
            }
        }
    finish(&r);
}

/* The degree that served best in the worst unknown is taken, and each unknown counts by its own
 * tolerance; what is linear in the equations does not count. */
static void degrees(void) {
    rig r;
    begin(&r, 1e-4, 1);
    ln_predictor *p = &r.run.predictor;
    double x[N], guess[N];
    for (int who = 0; who < N; who++) {
        ln_predictor_forget(p);
        for (int k = 0; k < 4; k++) { /* 0 0 1 1 | 1: at rest, a jump, at rest */
            double x1[N];
            for (int i = 0; i < N; i++) {
                x[i] = i == who ? k >= 2 : 1e-30;
                x1[i] = i == who ? k >= 1 : 1e-30;
            }
            ln_predictor_guess(p, k, x, 1, 2, guess);
            ln_predictor_note(p, k, x, 1, 2, x1);
        }
        CU_ASSERT(p->degree == 0);
        ln_predictor_guess(p, 4, x, 1, 2, guess);
        CHECK_CLOSE(guess[who], 1, 0);
        /* a line: 1, 2, 3 */
        for (int k = 4; k < 7; k++) {
            double x1[N];
            for (int i = 0; i < N; i++) {
                x[i] = i == who ? k - 3 : 1e-30;
                x1[i] = i == who ? k - 2 : 1e-30;
            }
            ln_predictor_guess(p, k, x, 1, 2, guess);
            ln_predictor_note(p, k, x, 1, 2, x1);
        }
        for (int i = 0; i < N; i++)
            x[i] = i == who ? 4 : 1e-30;
        ln_predictor_guess(p, 7, x, 1, 2, guess);
        CHECK_CLOSE(guess[who], 5, 1e-14);
    }
    finish(&r);
}

/* Points of a way that was taken back, and points closer than a quarter of the step, are no base.
 */
static void bases(void) {
    rig r;
    double guess[N], x[N];
    begin(&r, 1e-4, 1);
    ln_predictor *p = &r.run.predictor;
    for (int k = 0; k < 3; k++)
        (void)go(p, k, k + 1, 2, 2, guess);
    /* back to 1.5, where the points at 0 and 1 remain, and 2 does not */
    place(1.5, 2, x);
    CU_ASSERT(ln_predictor_guess(p, 1.5, x, 1, 2, guess) > 0 && p->count == 2 && p->t[0] == 1);
    /* the point at hand itself is none */
    CU_ASSERT(ln_predictor_guess(p, 1, x, 1, 2, guess) == 0 && p->count == 1 && p->t[0] == 0);
    CU_ASSERT(ln_predictor_guess(p, 1, x, 1, 1, guess) > 0);
    CU_ASSERT(ln_predictor_guess(p, 0, x, 1, 1, guess) == 0 && p->count == 0);
    for (int k = 0; k < 3; k++)
        (void)go(p, k, k + 1, 1, 1, guess);
    CU_ASSERT(p->t[0] == 2 && p->t[1] == 1);
    place(2.25, 1, x);
    CU_ASSERT(ln_predictor_guess(p, 2.25, x, 1, 1, guess) > 0);
    CU_ASSERT(ln_predictor_guess(p, 2.25, x, 1.01, 1, guess) == 0);
    CU_ASSERT(ln_predictor_guess(p, 3, x, 4, 2, guess) > 0);
    CU_ASSERT(ln_predictor_guess(p, 3, x, 4.01, 2, guess) == 0); /* 2 and 1 are too close */
    finish(&r);
}

/* Behind a first stage the polynomial goes through that, the present and the one before. */
static void second_stages(void) {
    rig r;
    double guess[N], x[N], inner[N], end[N];
    begin(&r, 1e-4, 1);
    ln_predictor *p = &r.run.predictor;
    const ln_inner_stage stage = {0.6, inner};
    for (int degree = 0; degree <= 2; degree++) {
        ln_predictor_forget(p);
        for (int k = 0; k < 3; k++)
            (void)go(p, 0.3 * k, 0.3 * (k + 1), degree, 2, guess);
        const double t = 0.3 * 3, h = 0.2;
        place(t, degree, x);
        place(t + 0.6 * h, degree, inner);
        place(t + h, degree, end);
        ln_predictor_go_on(p, t, x, h, &stage, guess);
        for (int i = 0; i < N; i++)
            CHECK_CLOSE(guess[i], end[i], 1e-14);
    }
    ln_predictor_forget(p); /* nothing known: as at the first stage */
    ln_predictor_go_on(p, 0, x, 1, &stage, guess);
    CU_ASSERT(memcmp(guess, inner, sizeof inner) == 0);
    /* one point known, which has shown that a line serves */
    ln_predictor_forget(p);
    p->degree = 2;
    place(0, 1, x);
    place(0.6, 1, inner);
    place(1, 1, end);
    ln_predictor_go_on(p, 0, x, 1, &stage, guess);
    for (int i = 0; i < N; i++)
        CHECK_CLOSE(guess[i], end[i], 1e-14);
    finish(&r);
}

/* How far ends lay off counts on by a tenth a step. */
static void misses(void) {
    rig r;
    begin(&r, 1e-4, 1);
    ln_predictor *p = &r.run.predictor;
    double x[N] = {0}, x1[N], guess[N];
    ln_predictor_note(p, 0, x, 1, 1, x);
    for (int k = 0; k < N; k++)
        CU_ASSERT(p->missed[k] == 0);
    (void)ln_predictor_guess(p, 1, x, 1, 1, guess);
    for (int k = 0; k < N; k++)
        x1[k] = k % 2 ? -1 : 2;
    ln_predictor_note(p, 1, x, 1, 1, x1);
    for (int k = 0; k < N; k++)
        CHECK_CLOSE(p->missed[k], k % 2 ? 0.1 : 0.2, 1e-15);
    (void)ln_predictor_guess(p, 2, x1, 1, 1, guess);
    memcpy(x, p->predicted, sizeof x);
    ln_predictor_note(p, 2, x1, 1, 1, x); /* no miss */
    for (int k = 0; k < N; k++)
        CHECK_CLOSE(p->missed[k], k % 2 ? 0.01 : 0.02, 1e-15);
    ln_predictor_forget(p);
    CU_ASSERT(p->missed[0] == 0 && p->count == 0 && p->degree == 0);
    finish(&r);
}

/* ---- the length of an update ---- */

static void update_lengths(void) {
    rig r;
    begin(&r, 1e-4, 1);
    ln_newton *newton = &r.run.newton;
    const double *abstol = r.run.system->abstol;
    double x[N], dx[N], way;
    newton->tolerance_factor = 2;
    newton->allowance = NULL;
    ln_update_weigh(newton);
    for (int who = 0; who < N; who++)
        for (int k = 0; k < 2; k++) {
            /* the larger end of the update counts: 3 */
            const double unit = 2 * (1e-10 * 3 + 1e-8 * abstol[who]);
            memset(dx, 0, sizeof dx);
            memset(x, 0, sizeof x);
            x[who] = k ? 3 : -1;
            dx[who] = k ? 1 : 2;
            CHECK_CLOSE(ln_update_unit(newton, 3, abstol[who]) / unit, 1, 1e-14);
            CHECK_CLOSE(ln_update_norm(newton, abstol, x, dx, &way) / (fabs(dx[who]) / unit), 1,
                        1e-14);
            CHECK_CLOSE(way / (fabs(dx[who]) / unit), 1, 1e-14);
            dx[who] = NAN;
            CU_ASSERT(isnan(ln_update_norm(newton, abstol, x, dx, NULL)));
        }
    /* an allowance adds a remainder, or a part of the step's error: to what follows from states,
     * and to what the first update makes exact, which is judged by how far it moves what follows
     * from it */
    const char origin[N] = {LN_FROM_STATES, LN_FROM_SOURCES, LN_FROM_SOURCES_LINEARLY,
                            LN_FROM_STATES, LN_FROM_STATES};
    const double remainder[N] = {.1, .2, .3, .4, .5}, missed[N] = {0, 0, 1e-5, 2e-5, 10},
                 predicted[N] = {2 - 3e-5, 2, 2, 2, 2};
    for (int who = 0; who < N; who++) {
        const double unit = 2 * (1e-10 * 3 + 1e-8 * abstol[who]), most = 1e-4 * 3 + abstol[who];
        const double parts[N] = {0.01 * 0.5 * 3e-5, 0, 0.01 * 0.5 * 1e-5, 0.01 * 0.5 * 2e-5, most};
        const ln_newton_allowance left = {.origin = origin, .allowed = remainder},
                                  part = {.origin = origin,
                                          .missed = missed,
                                          .predicted = predicted,
                                          .share = 0.5};
        memset(dx, 0, sizeof dx);
        for (int k = 0; k < N; k++)
            x[k] = 2;
        x[who] = 3;
        dx[who] = 1;
        newton->allowance = &left;
        ln_update_weigh(newton);
        const double allows = origin[who] != LN_FROM_SOURCES;
        CHECK_CLOSE(ln_update_norm(newton, abstol, x, dx, &way) * (unit + allows * remainder[who]),
                    1, 1e-14);
        CHECK_CLOSE(way * unit, 1, 1e-14);
        newton->allowance = &part;
        ln_update_weigh(newton);
        CHECK_CLOSE(ln_update_norm(newton, abstol, x, dx, &way) * (unit + parts[who]), 1, 1e-9);
        CHECK_CLOSE(way * unit, 1, 1e-14);
    }
    /* forces of index 3 need not converge */
    static const char index[N] = {3, 2, 1, 3, 3};
    newton->index = index;
    newton->allowance = NULL;
    ln_update_weigh(newton);
    for (int who = 0; who < N; who++) {
        memset(dx, 0, sizeof dx);
        dx[who] = 1;
        CU_ASSERT((ln_update_norm(newton, abstol, x, dx, NULL) > 0) == (index[who] < 3));
    }
    finish(&r);
}

/* ---- the law of the step ---- */

/* Errors that the trials will have, in turn; negative: not solved. */
typedef struct script {
    double error[8], tried[8];
    int at;
} script;

static int attempt(ln_run *run, void *state, double h, ln_side side, double *error) {
    script *all = state;
    (void)side;
    memcpy(run->x1, run->x, (size_t)run->n * sizeof *run->x);
    all->tried[all->at] = h;
    *error = all->error[all->at++];
    if (*error < 0) {
        memset(run->newton.dx, 0, (size_t)run->n * sizeof *run->newton.dx);
        run->newton.dx[3] = 1;
    }
    return *error >= 0;
}

static void advance(ln_control *control, rig *r, script *all, double stop) {
    all->at = 0;
    CU_ASSERT(ln_control_advance(control, &r->run, attempt, all, ln_side_right(stop, 0)) ==
              LINNET_OK);
}

/* What unknowns follow from: time alone, by linear rows or by one that bends (also further on), or
 * a state. */
static void origins(void) {
    static const char type[] =
        "<block-type name='F'><state name='x' start='1'/><variable name='u'/><variable "
        "name='v'/><variable name='w'/><variable name='y'/><variable name='z'/><equation>w = z + "
        "y</equation><equation>u = sin(t)</equation><equation>z = 2*u</equation><equation>y = "
        "u^2</equation><equation>v = x + u</equation><equation>der(x) = -x</equation></block-type>";
    static const struct {
        const char *name;
        int origin;
    } expected[] = {{"f.u", LN_FROM_SOURCES_LINEARLY}, {"f.v", LN_FROM_STATES},
                    {"f.w", LN_FROM_SOURCES},          {"f.x", LN_FROM_STATES},
                    {"f.y", LN_FROM_SOURCES},          {"f.z", LN_FROM_SOURCES_LINEARLY}};
    rig r = {.bench = built(type, "<F id='f'/>")};
    r.settings = (ln_settings){.method = ln_method_find("bdf2"), .tolerance = 1e-4, .end = 1};
    CU_ASSERT_FATAL(ln_run_init(&r.run, r.bench.system, &r.settings, &r.watcher, r.bench.report,
                                &r.statistics) == LINNET_OK);
    for (int i = 0; i < r.bench.system->n; i++)
        for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
            if (strcmp(ln_network_unknown_name(r.bench.network, i), expected[k].name) == 0)
                CU_ASSERT_EQUAL(r.run.predictor.origin[i], expected[k].origin);
    finish(&r);
}

/* Of an update that does not become small the largest part is to blame, in units of what may be
 * wrong; nobody is for what is zero. */
static void blame(void) {
    rig r;
    double dx[N] = {0};
    begin(&r, 1e-4, 10);
    for (int k = 0; k < N; k++)
        r.run.x[k] = 1;
    ln_note_unsolved(&r.run, dx);
    for (int k = 0; k < N; k++)
        CU_ASSERT_EQUAL(r.run.errors.unsolved[k], 0);
    for (int k = 0; k < N; k++)
        dx[k] = (k == 2 ? 3 : 2) * ln_error_unit(&r.run, k, 1);
    ln_note_unsolved(&r.run, dx);
    for (int k = 0; k < N; k++)
        CU_ASSERT_EQUAL(r.run.errors.unsolved[k], k == 2);
    finish(&r);
}

/* Hairer, Wanner: Solving ODEs II, IV.8: h times 0.9 error^(-1/k), and Gustafsson's predictive
 * control from the second step on, the smaller of both; from a fifth to four times, unchanged up to
 * 1.3 times; no growth behind a rejection, after which h shrinks by a tenth at least; a quarter
 * where the equations were not solved, or the error is no number. */
static void laws(void) {
    rig r;
    ln_control control;
    const int k = 3;
    begin(&r, 1e-4, 1e3);
    ln_control_begin(&control, k, 0);
    ln_control_restart(&control, &r.run);
    /* a first step: a thousandth of the run, times the tolerance's square root, 1e-3 at least */
    advance(&control, &r, &(script){.error = {0.05}}, 1e3);
    CHECK_CLOSE(r.run.side.t, 1e-3 * 1e3 * 1e-2, 1e-15);
    double h = control.h, last = 0.01;
    CHECK_CLOSE(h, last * 0.9 * pow(0.05, -1.0 / k), 1e-15);
    /* the error grows: less than by itself */
    advance(&control, &r, &(script){.error = {0.1}}, 1e3);
    CHECK_CLOSE(control.h,
                h * 0.9 * (h / last) * pow(0.05 / 0.01, 1.0 / k) < h * 0.9 * pow(0.1, -1.0 / k)
                    ? h * 0.9 * (h / last) * pow(0.05 / 0.01, 1.0 / k)
                    : h * 0.9 * pow(0.1, -1.0 / k),
                1e-14);
    last = h;
    h = control.h;
    advance(&control, &r, &(script){.error = {0.9}}, 1e3);
    const double predicted = 0.9 * h / last * pow(0.1 / (0.9 * 0.9), 1.0 / k);
    CU_ASSERT(predicted < 0.9 * pow(0.9, -1.0 / k));
    CHECK_CLOSE(control.h, h * predicted, 1e-14);
    CU_ASSERT(control.rejected == 0 && r.statistics.rejected == 0 && r.statistics.steps == 3);
    finish(&r);

    static const struct {
        double error, factor; /* of a first step of order 2 */
    } firsts[] = {{0.81, 1},
                  {0.5, 1},                   /* 1.27 */
                  {0.45, 1.3416407864998738}, /* 0.9 / sqrt(0.45) */
                  {0.01, 4},
                  {0, 4},
                  {1, 0.9}};
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
        begin(&r, 1e-8, 1);
        ln_control_begin(&control, 2, 0);
        ln_control_restart(&control, &r.run);
        advance(&control, &r, &(script){.error = {firsts[i].error}}, 1);
        CHECK_CLOSE(r.run.side.t, 1e-6, 1e-21); /* of 1e-3, a thousandth: the least */
        CHECK_CLOSE(control.h / r.run.side.t, firsts[i].factor, 1e-14);
        finish(&r);
    }
}

static void rejections(void) {
    rig r;
    ln_control control;
    begin(&r, 1e-4, 1);
    ln_control_begin(&control, 2, 0);
    ln_control_restart(&control, &r.run);
    r.run.errors.dominant = 2;
    control.h = 0.01;
    script all = {.error = {4, 1.0001, 1e9, -1, INFINITY, 0.001}};
    advance(&control, &r, &all, 1);
    static const double factor[] = {0.45, 0.9, 0.2, 0.25, 0.25};
    CHECK_CLOSE(all.tried[0], 0.01, 0);
    for (int k = 0; k < 5; k++)
        CHECK_CLOSE(all.tried[k + 1] / all.tried[k], factor[k], 1e-4);
    CU_ASSERT(all.at == 6 && r.statistics.rejected == 5 && r.statistics.steps == 1);
    CHECK_CLOSE(r.statistics.smallest, all.tried[5], 0);
    CHECK_CLOSE(r.statistics.largest, all.tried[5], 0);
    CHECK_CLOSE(control.h, all.tried[5], 0); /* no growth behind a rejection */
    CU_ASSERT(r.run.errors.rejections[2] == 3 && r.run.errors.unsolved[3] == 2);
    advance(&control, &r, &(script){.error = {0.001}}, 1);
    CHECK_CLOSE(control.h / all.tried[5], 4, 1e-15);
    /* what no step solves is told, with how small it had become */
    all = (script){.error = {0}};
    control.h = 1e-300;
    all.error[0] = -1;
    linnet_status status = LINNET_RETRY; /* at first, where pseudo-time leads on (leap.h) */
    for (int k = 0; k < 2 && status == LINNET_RETRY; k++) {
        all.at = 0;
        status = ln_control_advance(&control, &r.run, attempt, &all, ln_side_right(1, 0));
    }
    CU_ASSERT(status == LINNET_FAILED);
    CU_ASSERT(strstr(said, "the step cannot be taken") != NULL);
    finish(&r);
}

/* Steps end at stops exactly; a rest that is less than two steps is halved; what a stop has cut
 * does not count for the steps behind it. */
static void stops(void) {
    rig r;
    ln_control control;
    begin(&r, 1e-4, 1);
    ln_control_begin(&control, 2, 0);
    ln_control_restart(&control, &r.run);
    control.h = 0.1;
    script all = {.error = {0.9}};
    advance(&control, &r, &all, 0.1 * (1 + 5e-10));
    CU_ASSERT(r.run.side.t == 0.1 * (1 + 5e-10) && all.at == 1);
    control.h = 0.1;
    control.last_h = 0;
    advance(&control, &r, &all, r.run.side.t + 0.19);
    CHECK_CLOSE(all.tried[0], 0.095, 1e-15);
    CHECK_CLOSE(control.h, 0.1, 0);
    control.h = 0.1;
    advance(&control, &r, &all, r.run.side.t + 0.2);
    CHECK_CLOSE(all.tried[0], 0.1, 1e-15);
    control.h = 1;
    control.last_h = 0;
    r.run.bound.longest = 0.05;
    advance(&control, &r, &all, 1);
    CHECK_CLOSE(all.tried[0], 0.05, 0);
    /* at a restart: what is known to be short enough, no less than a first step */
    r.run.bound.longest = 0.3;
    r.run.bound.first_h = 0.2;
    ln_control_restart(&control, &r.run);
    CHECK_CLOSE(control.h, 0.2, 0);
    r.run.bound.first_h = 0.4;
    ln_control_restart(&control, &r.run);
    CHECK_CLOSE(control.h, 0.3, 0);
    r.run.bound.first_h = 1e-9;
    ln_control_restart(&control, &r.run);
    CHECK_CLOSE(control.h, 1e-5, 1e-20);
    r.run.bound.first_h = 0;
    ln_control_restart(&control, &r.run);
    CU_ASSERT(control.h == 0);
    finish(&r);
}

/* A ladder: 2^(k/2), the largest rung that is not above. */
static void ladders(void) {
    for (int k = -60; k < 20; k++) {
        const double rung = pow(2, k / 2.0);
        CHECK_CLOSE(ln_quantise_step(rung) / rung, 1, 1e-15);
        CHECK_CLOSE(ln_quantise_step(1.4 * rung) / rung, 1, 1e-15);
        CHECK_CLOSE(ln_quantise_step(0.999 * rung) / rung, sqrt(0.5), 1e-15);
    }
    rig r;
    ln_control control;
    begin(&r, 1e-4, 1);
    ln_control_begin(&control, 2, 1);
    ln_control_restart(&control, &r.run);
    control.h = 0.0625;
    advance(&control, &r, &(script){.error = {0.09}}, 1); /* three times: 2^1.5 */
    CHECK_CLOSE(control.h / 0.0625, pow(2, 1.5), 1e-14);
    finish(&r);
}

/* Of a step's error each unknown counts |e| / (tolerance (|x| + abstol / 1e-4)), the larger end;
 * those that are stored; of index 1. */
static void error_norms(void) {
    rig r;
    begin(&r, 1e-5, 1);
    ln_run *run = &r.run;
    ln_choose_error_test(run);
    for (int who = 0; who < N; who++) {
        double e[N] = {0};
        run->x[who] = who % 2 ? -3 : 1;
        run->x1[who] = who % 2 ? 1 : -3;
        e[who] = -2e-5;
        const double scale = 1e-5 * (3 + run->system->abstol[who] / 1e-4);
        CHECK_CLOSE(ln_error_norm(run, e) * scale, 2e-5, 1e-15);
        CU_ASSERT(run->errors.dominant == who);
        CHECK_CLOSE(ln_error_scale(run, who) / scale, 1, 1e-15);
        e[who] = NAN;
        CU_ASSERT(isnan(ln_error_norm(run, e)));
        e[who] = 1;
        run->errors.in_error_test[who] = 0;
        CU_ASSERT(ln_error_norm(run, e) == 0);
        run->errors.in_error_test[who] = 1;
        char index[N] = {1, 1, 1, 1, 1};
        run->index = index;
        CU_ASSERT(ln_error_norm(run, e) > 0 && !ln_run_has_index_3(run));
        index[who] = 2;
        CU_ASSERT(ln_error_norm(run, e) == 0 && !ln_run_has_index_3(run));
        index[who] = 3;
        CU_ASSERT(ln_run_has_index_3(run));
        run->index = NULL;
        /* told: relative to the largest size so far */
        const double size = 3 + run->system->abstol[who] / 1e-4;
        r.statistics.local_error = 0;
        ln_note_local_error(run, e);
        CHECK_CLOSE(r.statistics.local_error * size, 1, 1e-15);
        CHECK_TEXT(r.statistics.local_error_of, ln_network_unknown_name(run->system->network, who));
        e[who] = 0.5;
        ln_note_local_error(run, e);
        CHECK_CLOSE(r.statistics.local_error * size, 1, 1e-15);
    }
    /* a physical unknown counts for a thousandth of its peak at least */
    run->errors.least_share[0] = 1e-3;
    run->errors.peak[0] = 1e6;
    CHECK_CLOSE(ln_error_unit(run, 0, 3), 1e3 + run->system->abstol[0] / 1e-4, 1e-15);
    CHECK_CLOSE(ln_error_unit(run, 0, 3e3), 3e3 + run->system->abstol[0] / 1e-4, 1e-15);
    finish(&r);
}

/* What ends a run that goes on and on: the limit of steps, whoever asked, short memory. */
static int asked(void *context) {
    return *(int *)context;
}

static void limits(void) {
    rig r;
    int stop = 0;
    begin(&r, 1e-5, 1);
    r.watcher = (ln_watcher){.context = &stop, .stop = asked};
    r.settings.max_steps = 10;
    r.statistics.steps = 9;
    CU_ASSERT(ln_check_limits(&r.run) == LINNET_OK);
    r.statistics.steps = 10;
    r.run.side.t = 0.25;
    CU_ASSERT(ln_check_limits(&r.run) == LINNET_FAILED);
    CU_ASSERT(strstr(said, "stopped at t = 0.25 s after 10 steps, the limit; take a larger step or "
                           "a shorter duration") != NULL);
    r.settings.max_steps = 0;
    CU_ASSERT(ln_check_limits(&r.run) == LINNET_OK);
    r.statistics.steps = 1000000000L;
    CU_ASSERT(ln_check_limits(&r.run) == LINNET_FAILED);
    r.run.out_of_memory = 1;
    CU_ASSERT(ln_check_limits(&r.run) == LINNET_MEMORY);
    stop = 1;
    CU_ASSERT(ln_check_limits(&r.run) == LINNET_INTERRUPTED);
    finish(&r);
}

/* ---- where steps end ---- */

static double none_after(const void *context, double t) {
    const double at = *(const double *)context;
    return t < at ? at : INFINITY;
}

/* After a leap over many, the grid goes on as if it had met them. */
static void grid_skips(void) {
    const double corner = 0.725;
    for (int k = 0; k < 4; k++) {
        ln_grid grid;
        int why;
        const double step = k & 1 ? 0.1 : 0, interval = k & 2 ? 0.25 : 0;
        ln_grid_begin(&grid, 0, 1, step, none_after, &corner);
        ln_grid_set_outputs(&grid, interval, NULL, 0);
        ln_grid_skip(&grid, 0.6);
        double t = 0.6;
        if (k & 1) {
            t = ln_grid_next(&grid, t, &why);
            CHECK_CLOSE(t, 0.7, 1e-15);
            CU_ASSERT(why == LN_STOP_GRID);
        }
        t = ln_grid_next(&grid, t, &why);
        CU_ASSERT(t == corner && why == LN_STOP_BREAKPOINT);
        if (k & 2) {
            t = ln_grid_next(&grid, t, &why);
            CU_ASSERT(t == 0.75 && why == LN_STOP_OUTPUT);
        }
        while (t < 0.95 && k & 1)
            t = ln_grid_next(&grid, t, &why);
        t = ln_grid_next(&grid, t, &why);
        CU_ASSERT(t == 1 && (why & LN_STOP_END));
    }
    /* no further than to where the skip ends, and never back before the begin */
    ln_grid grid;
    int why;
    ln_grid_begin(&grid, 2, 1e9, 1, NULL, NULL);
    ln_grid_set_outputs(&grid, 3, NULL, 0);
    ln_grid_skip(&grid, 2);
    CU_ASSERT(grid.points_passed == 0 && grid.outputs_passed == 0);
    CU_ASSERT(ln_grid_next(&grid, 2, &why) == 3);
    ln_grid_skip(&grid, 1e8);
    CU_ASSERT(ln_grid_next(&grid, 1e8, &why) == 1e8 + 1 && (why & LN_STOP_GRID));
    CU_ASSERT(ln_grid_next(&grid, 1e8 + 1, &why) == 1e8 + 2);
}

UNIT_MAIN({"origins", origins}, {"blame", blame}, {"predictions", predictions},
          {"degrees", degrees}, {"bases", bases}, {"second stages", second_stages},
          {"misses", misses}, {"update lengths", update_lengths}, {"laws", laws},
          {"rejections", rejections}, {"stops", stops}, {"ladders", ladders},
          {"error norms", error_norms}, {"limits", limits}, {"grid skips", grid_skips})
