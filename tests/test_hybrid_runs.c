/* SPDX-License-Identifier: MIT */
/* Models with events from text to trajectory, against closed forms and published numbers
 * (shared/cases.md). */
#include "harness.h"
#include "unit.h"

#include <stdlib.h>

#define MODEL(blocks) "<model name='m' xmlns='urn:linnet:model:1'>" blocks "</model>"
static const double pi = 3.14159265358979323846;

static const struct run {
    const char *method;
    double step, tolerance;
} runs[] = {{"rk4", 0.02, 0}, {"crank-nicolson", 0.002, 0}, {"radau5", 0, 1e-8}, {"rk45", 0, 1e-9}};
enum { RUNS = sizeof runs / sizeof *runs };

static harness run(const char *xml, const char *signals, size_t k, double end) {
    return harness_run_with(xml, signals,
                            (ln_settings){.method = ln_method_find(runs[k].method),
                                          .end = end,
                                          .step = runs[k].step,
                                          .tolerance = runs[k].tolerance});
}

static int said(const harness *h, const char *text) {
    for (int k = 0; ln_report_text(h->report, k) != NULL; k++)
        if (strstr(ln_report_text(h->report, k), text) != NULL)
            return 1;
    return 0;
}

/* ---- the step that ends at an event ---- */

/* der(x) = 1 + 16 g(x) with a narrow bell g at 3, which a step of rk45 passes without a look; the
 * one that ends at the event x = 3 stands on it, and its error counts. The bell's first half saves
 * the integral of 16 g/(1 + 16 g) of the three seconds. */
static double saved_by_bell(double width) {
    enum { PARTS = 4000 };
    const double h = 8 * width / PARTS;
    double sum = 0;
    for (int k = 0; k <= PARTS; k++) {
        const double g = 16 * exp(-pow(k * h / width, 2));
        sum += g / (1 + g) * (k == 0 || k == PARTS ? 1 : k % 2 ? 4 : 2);
    }
    return sum * h / 3;
}
static void test_error_at_event(void) {
    harness h = harness_run_with(
        MODEL("<block-type name='bell'><state name='x'/><memory name='at' unit='s'/>"
              "<equation>der(x) = (1 + 16*exp(-((x - 3)/1e-3)^2))/(1 s)</equation>"
              "<when condition='x gt 3'><set name='at' value='t'/></when></block-type>"
              "<bell id='b'/>"),
        "b.at", (ln_settings){.method = ln_method_find("rk45"), .end = 100, .tolerance = 1e-6});
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    CHECK_CLOSE(harness_last(&h, 0), 3 - saved_by_bell(1e-3), 1e-6);
    harness_free(&h);
}

/* ---- bounces ---- */

#define BALL(extra)                                                                               \
    MODEL("<block-type name='ball'><state name='h' unit='m' start='10 m'/><state name='v' "       \
          "unit='m/s'/>"                                                                          \
          "<memory name='n'/><memory name='at' unit='s'/><memory name='rests'/>"                  \
          "<equation>der(h) = if(rests gt 0, 0, v)</equation><equation>der(v) = if(rests gt 0, "  \
          "0, -9.81)</equation>"                                                                  \
          "<when condition='h lt 0'><set name='h' value='0'/><set name='v' value='-0.7*v'/><set " \
          "name='n' value='n + 1'/>"                                                              \
          "<set name='at' value='t'/>" extra "</when></block-type><ball id='b'/>")

#define PULSES(points)                                                                    \
    MODEL("<constant id='c' value='1' out='one'/><constant id='z' value='0' out='zero'/>" \
          "<time-table id='q' out='u' points='" points "'/>"                              \
          "<reset-integrator id='i' in='one' reset='u' to='zero' out='y'/>")

/* Pulses that come sooner each time, and then one without end, set an integrator anew: no series of
 * events that its own setting brings about (Zeno). y(10) = 10 - 2.9. */
static void test_pulses_come_closer(void) {
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(PULSES("0 0; 1 0; 1 1; 1.3 1; 1.3 0; 2 0; 2 1; 2.05 1; 2.05 0; 2.9 0; "
                               "2.9 1; 10 1"),
                        "y", r, 10);
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_last(&h, 0), 7.1, 1e-6);
        harness_free(&h);
    }
}

/* Three short pulses, the last without an end, count; an integrator is set at the third one. What
 * it sets is no setting of the counter's: n = 3, y(10) = 10 - 2.7. */
static void test_setting_of_another(void) {
    for (size_t r = 0; r < RUNS; r++) {
        harness h =
            run(MODEL("<constant id='c' value='1' out='one'/><constant id='z' value='0' "
                      "out='zero'/><time-table id='q' out='u' points='0 0; 1 0; 1 1; 1.0001 1; "
                      "1.0001 0; 1.9 0; 1.9 1; 1.9001 1; 1.9001 0; 2.7 0; 2.7 1; 10 1'/>"
                      "<time-table id='w' out='v' points='0 0; 2.7 0; 2.7 1; 10 1'/>"
                      "<counter id='n' up='u' out='k'/>"
                      "<reset-integrator id='i' in='one' reset='v' to='zero' out='y'/>"),
                "k y", r, 10);
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_last(&h, 0), 3, 0);
        CHECK_CLOSE(harness_last(&h, 1), 7.3, 1e-6);
        harness_free(&h);
    }
}

/* cases.md M5: 13 impacts before t = 8, without end at 8.0911. */
static void test_ball(void) {
    static const double impacts[] = {1.427843123, 3.426823495, 4.826109755,
                                     5.805610138, 6.491260405, 6.971215593};
    for (size_t r = 0; r < RUNS; r++) {
        const double within = r == 1 ? 1e-4 : 2e-8;
        harness h = run(BALL(""), "b.h b.n b.at", r, 8);
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_last(&h, 1), 13, 0);
        for (size_t row = 0; row < h.rows; row++) {
            int n = (int)h.value[3 * row + 1];
            if (n >= 1 && n <= 6)
                CHECK_CLOSE(h.value[3 * row + 2], impacts[n - 1], within);
            CU_ASSERT(h.value[3 * row] > -1e-9);
        }
        if (r < 2) {
            CHECK_CLOSE(harness_at(&h, 0, 2), 4.004280, r == 1 ? 1e-3 : 1e-6);
            CHECK_CLOSE(harness_at(&h, 0, 3), 3.291419, r == 1 ? 1e-3 : 1e-6);
        }
        harness_free(&h);
        harness_verbose = 0;
        h = run(BALL(""), "b.h", r, 10);
        CU_ASSERT_EQUAL(h.status, LINNET_FAILED);
        CHECK_CLOSE(h.statistics.t, 8.091111030, r == 1 ? 0.02 : 1e-3);
        CU_ASSERT(said(&h, "b (ball): 1001 events from t = 8.0") && said(&h, "(Zeno)") &&
                  said(&h, "(last: h lt 0)"));
        harness_free(&h);
        harness_verbose = 1;
        h = run(BALL("<set name='rests' value='if(abs(v) lt 1e-3, 1, 0)'/>"), "b.h b.rests", r, 10);
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_last(&h, 0), 0, 1e-12);
        CHECK_CLOSE(harness_last(&h, 1), 1, 0);
        harness_free(&h);
    }
}

/* cases.md M6: x' = -1 turned round at zero goes on doing so; the limit is the user's. */
static void test_retrigger(void) {
    static const char xml[] = MODEL(
        "<block-type name='falls'><state name='x' start='5'/><equation>der(x) = -1</equation>"
        "<when condition='x lt 0'><set name='x' value='-x'/></when></block-type><falls id='f'/>");
    harness_verbose = 0;
    for (size_t r = 0; r < RUNS; r++)
        for (long limit = 10; limit < 101; limit += 90) {
            char text[64];
            harness h = harness_run_with(xml, "f.x",
                                         (ln_settings){.method = ln_method_find(runs[r].method),
                                                       .end = 6,
                                                       .step = runs[r].step,
                                                       .tolerance = runs[r].tolerance,
                                                       .event_limit = limit});
            snprintf(text, sizeof text, "f (falls): %ld events from t = %d", limit + 1,
                     r == 0 || r == 3 ? 5 : 5);
            CU_ASSERT_EQUAL(h.status, LINNET_FAILED);
            CHECK_CLOSE(h.statistics.t, 5, 1e-4);
            text[strlen(text) - 1] = '\0'; /* 5 or 4.99999 */
            CU_ASSERT(said(&h, text));
            harness_free(&h);
        }
    harness_verbose = 1;
}

/* ---- crossings ---- */

/* (t - 0.53)^2 dips below zero for 0.02 s, within one step and by an even number of crossings; its
 * neighbour crosses too. */
static void test_dips(void) {
    static const char xml[] = MODEL(
        "<block-type name='dip'><state name='x' start='0.53^2 - 1e-4'/><state name='w' "
        "start='-1.06'/><memory name='n'/>"
        "<memory name='down'/><memory name='up'/><memory name='mid'/><equation>der(x) = "
        "w</equation>"
        "<equation>der(w) = 2</equation><when condition='x lt 0'><set name='n' value='n + 1'/><set "
        "name='down' value='t'/></when>"
        "<when condition='x gt 0'><set name='n' value='n + 1'/><set name='up' value='t'/></when>"
        "<when condition='w gt 0'><set name='mid' value='t'/></when></block-type><dip id='d'/>");
    static const struct {
        const char *method;
        double step, tolerance;
    } all[] = {{"rk4", 0.1, 0},   {"rk4", 0.3, 0},     {"crank-nicolson", 0.1, 0},
               {"heun", 0.25, 0}, {"radau5", 0, 1e-6}, {"tr-bdf2", 0, 1e-6},
               {"rk45", 0, 1e-6}, {"bdf2", 0, 1e-7}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        harness h = harness_run_with(xml, "d.n d.down d.mid d.up",
                                     (ln_settings){.method = ln_method_find(all[k].method),
                                                   .end = 1,
                                                   .step = all[k].step,
                                                   .tolerance = all[k].tolerance});
        const double within = all[k].tolerance > 0 ? 1e-3 : 1e-10;
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_last(&h, 0), 2, 0);
        CHECK_CLOSE(harness_last(&h, 1), 0.52, within);
        CHECK_CLOSE(harness_last(&h, 2), 0.53, within);
        CHECK_CLOSE(harness_last(&h, 3), 0.54, within);
        harness_free(&h);
    }
}

/* Order over three halvings: the step that is damped after a jump is as long as the grid leaves it,
 * here more, there less. */
static double order_over(const char *xml, const char *signal, const char *method, double end,
                         double step, double exact) {
    double coarse = fabs(harness_end(xml, signal, method, end, step) - exact);
    return log2(coarse / fabs(harness_end(xml, signal, method, end, step / 8) - exact)) / 3;
}

/* The order of a method holds across kinks and resets: w = cos(t) switches x' = max(w, 0), and sets
 * y' = y back to 1 as it falls through zero; 1 + (1 + sin(t)) and e^(t - pi/2) for 3 pi/2 < t < 5
 * pi/2. */
static void test_orders(void) {
    static const char xml[] = MODEL("<block-type name='kinks'><state name='c' start='1'/><state "
                                    "name='s'/><state name='x'/><state name='y' start='1'/>"
                                    "<equation>der(c) = -s</equation><equation>der(s) = "
                                    "c</equation><equation>der(x) = max(c, 0)</equation>"
                                    "<equation>der(y) = y</equation><when condition='c lt 0'><set "
                                    "name='y' value='1'/></when></block-type><kinks id='k'/>");
    const double x = 2 + sin(7), y = exp(7 - pi / 2);
    static const struct {
        const char *method;
        double step;
        int order;
    } all[] = {{"rk4", 0.1, 4},
               {"heun", 0.02, 2},
               {"crank-nicolson", 0.04, 2},
               {"euler", 4e-3, 1},
               {"backward-euler", 4e-3, 1}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        CHECK_CLOSE(order_over(xml, "k.x", all[k].method, 7, all[k].step, x), all[k].order, 0.2);
        CHECK_CLOSE(order_over(xml, "k.y", all[k].method, 7, all[k].step, y), all[k].order, 0.2);
    }
    CHECK_CLOSE(harness_end(xml, "k.x", "rk4", 7, 0.01), x, 1e-8);
}

/* ---- limits ---- */

/* The integral of sin(t) between -0.2 and 1.2: free, at the upper limit until pi, free, at the
 * lower one until 2 pi. */
static double limited(double t) {
    const double up = acos(-0.2), down = 2 * pi - acos(0.4);
    if (t < up)
        return 1 - cos(t);
    if (t < pi)
        return 1.2;
    if (t < down)
        return 0.2 - cos(t);
    return t < 2 * pi ? -0.2 : 0.8 - cos(t);
}

static void test_integrator(void) {
    static const char xml[] = MODEL("<sine id='s' out='u' frequency='1/(2*pi)'/>"
                                    "<integrator id='i' in='u' out='y' min='-0.2' max='1.2'/>");
    static const double within[] = {1e-8, 1e-6, 1e-7, 1e-7};
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(xml, "y i.limit", r, 8);
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        for (size_t row = 0; row < h.rows; row++) {
            CHECK_CLOSE(h.value[2 * row], limited(h.time[row]), within[r]);
            CU_ASSERT(h.value[2 * row] <= 1.2 + 1e-12 && h.value[2 * row] >= -0.2 - 1e-12);
            if (h.time[row] > 2 && h.time[row] < 3)
                CU_ASSERT(h.value[2 * row] == 1.2 && h.value[2 * row + 1] == 1);
        }
        CU_ASSERT(h.statistics.events <= 5);
        harness_free(&h);
    }
    CHECK_CLOSE(harness_order(xml, "y", "rk4", 8, 0.2, limited(8)), 4, 0.6);
    /* at the limit from the start, outwards and inwards; and beyond it */
    CHECK_CLOSE(harness_end(MODEL("<constant id='c' out='u' value='1'/><integrator id='i' in='u' "
                                  "out='y' y0='2' max='2'/>"),
                            "y", "crank-nicolson", 1, 0.1),
                2, 0);
    CHECK_CLOSE(harness_end(MODEL("<constant id='c' out='u' value='-1'/><integrator id='i' in='u' "
                                  "out='y' y0='2' max='2'/>"),
                            "y", "rk4", 1, 0.1),
                1, 1e-14);
    CHECK_CLOSE(harness_end(MODEL("<constant id='c' out='u' value='-1'/><integrator id='i' in='u' "
                                  "out='y' y0='5' max='2'/>"),
                            "y", "rk4", 1, 0.1),
                1, 1e-14);
}

/* A PI controller at its limit, against the solution of the two linear systems: e = 1 - y, y' = w,
 * w = clamp(e + i, 0.5), i' = 2 e + 4 (w - e - i), from rest. At the limit y = t/2 and i' = 2 e + 2
 * - 4 e - 4 i = t - 4 i; left where e + i is 0.5. */
static void test_anti_windup(void) {
    static const char xml[] =
        MODEL("<constant id='one' out='r' value='1'/><sum id='d' in='r y' signs='+-' out='e'/>"
              "<pid id='c' in='e' out='w' kp='1' ki='2' kb='4' min='-0.5' max='0.5'/><integrator "
              "id='p' in='w' out='y'/>");
    double left = 1, y, i; /* i(t) = t/4 - 1/16 + e^(-4 t)/16, e = 1 - t/2 */
    for (int k = 0; k < 50; k++) {
        double f = 1 - left / 2 + left / 4 - 1 / 16.0 + exp(-4 * left) / 16 - 0.5;
        left -= f / (-0.25 - exp(-4 * left) / 4);
    }
    y = left / 2, i = 0.5 - (1 - y);
    /* free: e' = -e - i, i' = 2 e: e'' + e' + 2 e = 0 */
    const double s = 3 - left, w = sqrt(7) / 2, e0 = 1 - y, de0 = -e0 - i;
    const double e = exp(-s / 2) * (e0 * cos(w * s) + (de0 + e0 / 2) / w * sin(w * s));
    CHECK_CLOSE(harness_end(xml, "y", "rk4", 3, 0.02), 1 - e, 1e-8);
    CHECK_CLOSE(harness_end(xml, "y", "crank-nicolson", 3, 0.002), 1 - e, 1e-5);
    CHECK_CLOSE(harness_order(xml, "y", "rk4", 3, 0.1, 1 - e), 4, 0.4);
}

/* ---- oscillators ---- */

/* Three lags in a ring with inverting relays that have a hysteresis of d: each stage is late by
 * tau, a period is 6 tau, and 2 q/(1 + q^3) = 1 - d with q = exp(-tau) (each x runs from -a to 1 as
 * its input turns, passes d after tau, turns after 3 tau at a). */
static void test_three_relays(void) {
    static const char xml[] =
        MODEL("<hysteresis-relay id='r1' in='x1' out='u1' off='-0.2' on='0.2' low='1' "
              "high='-1'/><first-order id='f2' in='u1' out='x2' T='1' y0='-0.5'/>"
              "<hysteresis-relay id='r2' in='x2' out='u2' off='-0.2' on='0.2' low='1' "
              "high='-1'/><first-order id='f3' in='u2' out='x3' T='1' y0='0.1'/>"
              "<hysteresis-relay id='r3' in='x3' out='u3' off='-0.2' on='0.2' low='1' "
              "high='-1'/><first-order id='f1' in='u3' out='x1' T='1' y0='0.9'/>");
    double q = 0.5;
    for (int k = 0; k < 50; k++)
        q -= (0.8 * q * q * q - 2 * q + 0.8) / (2.4 * q * q - 2);
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(xml, "u1 u2 u3", r, 60);
        double last[3] = {0, 0, 0}, period = 0, late = 0;
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        for (size_t row = 1; row < h.rows; row++)
            for (int k = 0; k < 3; k++) {
                if (!(h.value[3 * row + (size_t)k] > h.value[3 * row + (size_t)k - 3]))
                    continue;
                if (k == 0)
                    period = h.time[row] - last[0];
                if (k == 1)
                    late = h.time[row] - last[2];
                last[k] = h.time[row];
            }
        CHECK_CLOSE(period, -6 * log(q), r == 1 ? 1e-5 : 1e-6);
        CHECK_CLOSE(fmod(late, period), -2 * log(q), r == 1 ? 1e-5 : 1e-6);
        harness_free(&h);
    }
}

/* The period of a pendulum that swings to 2 rad: 2 pi sqrt(l/g)/agm(1, cos(1)). */
static void test_pendulum(void) {
    static const char xml[] =
        MODEL("<block-type name='pendulum'><state name='a' start='2'/><state name='w'/><memory "
              "name='n'/><memory name='first'/>"
              "<memory name='last'/><equation>der(a) = w</equation><equation>der(w) = "
              "-9.81*sin(a)</equation>"
              "<when condition='a gt 0'><set name='n' value='n + 1'/><set name='first' value='if(n "
              "eq 0, t, first)'/>"
              "<set name='last' value='t'/></when></block-type><pendulum id='p'/>");
    double a = 1, g = cos(1);
    for (int k = 0; k < 20; k++) {
        double mean = (a + g) / 2;
        g = sqrt(a * g);
        a = mean;
    }
    for (size_t r = 0; r < RUNS; r++) {
        static const double within[] = {1e-6, 1e-5, 1e-6, 1e-7};
        harness h = run(xml, "p.n p.first p.last", r, 30);
        CHECK_CLOSE((harness_last(&h, 2) - harness_last(&h, 1)) / (harness_last(&h, 0) - 1),
                    2 * pi / sqrt(9.81) / a, within[r]);
        harness_free(&h);
    }
}

/* ---- other cases ---- */

/* cases.md M23: saturation point by point; and rk4 keeps its order behind it. */
static void test_saturation(void) {
    static const char xml[] = MODEL("<sine id='s' out='u' frequency='1 Hz'/><saturation id='l' "
                                    "in='u' out='y' min='-0.5' max='0.6'/>"
                                    "<integrator id='i' in='y' out='z'/>");
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(xml, "y", r, 2);
        for (size_t row = 0; row < h.rows; row++)
            CHECK_CLOSE(h.value[row], fmin(fmax(sin(2 * pi * h.time[row]), -0.5), 0.6), 1e-9);
        harness_free(&h);
    }
    /* over a period of 1 */
    const double up = asin(0.6) / (2 * pi), down = asin(0.5) / (2 * pi);
    const double exact = 2 * ((1 - cos(2 * pi * up)) / pi + 0.6 * (0.5 - 2 * up) -
                              (1 - cos(2 * pi * down)) / pi - 0.5 * (0.5 - 2 * down));
    CHECK_CLOSE(harness_end(xml, "z", "rk4", 2, 0.01), exact, 1e-8);
    CHECK_CLOSE(harness_order(xml, "z", "rk4", 2, 0.05, exact), 4, 0.5);
}

/* cases.md M9: deviations as they are given; a tick that would come before the start is left out,
 * its deviation kept. */
static void test_given_jitter(void) {
    static const char xml[] =
        MODEL("<block-type name='jittered'><memory name='n'/><memory name='k' start='1'/><memory "
              "name='at'/>"
              "<let name='deviation' value='if(n eq 0, -0.6, if(n eq 1, 0.2, 0.3))'/>"
              "<when condition='t ge 0.5 + k + deviation and 0.5 + k + deviation le 3'><set "
              "name='at' value='t'/>"
              "<set name='n' value='n + 1'/><set name='k' value='k + "
              "1'/></when></block-type><jittered id='j'/>");
    harness h = harness_run(xml, "j.n j.at", "rk4", 5, 0.5);
    CHECK_CLOSE(harness_last(&h, 0), 2, 0);
    CHECK_CLOSE(harness_last(&h, 1), 2.7, 1e-15);
    CHECK_CLOSE(harness_at(&h, 0, 0.9), 1, 0);
    harness_free(&h);
}

/* Both sides of a tick, where asked for. */
static void test_both_sides(void) {
    static const char xml[] =
        MODEL("<clock id='c' out='n' period='1 s'/><sine id='s' out='u' frequency='0.1 Hz'/>"
              "<first-order id='f' in='u' out='y' T='1 s'/>");
    for (size_t r = 0; r < RUNS; r++)
        for (int both = 0; both < 2; both++) {
            harness h = harness_run_with(xml, "n",
                                         (ln_settings){.method = ln_method_find(runs[r].method),
                                                       .end = 3.5,
                                                       .step = runs[r].step,
                                                       .tolerance = runs[r].tolerance,
                                                       .record_before_ticks = both});
            int twice = 0;
            for (size_t row = 1; row < h.rows; row++)
                if (h.time[row] == h.time[row - 1]) {
                    CHECK_CLOSE(h.value[row], h.value[row - 1] + 1, 0);
                    twice++;
                }
            CU_ASSERT_EQUAL(twice, both ? 3 : 0);
            CHECK_CLOSE(harness_last(&h, 0), 4, 0);
            harness_free(&h);
        }
}

/* Results do not depend on the order of blocks: everything hybrid in one model, shuffled, to the
 * last bit. */
static void test_shuffled(void) {
    static const char *const parts[] = {
        "<sine id='s' out='u' frequency='0.5 Hz'/>",
        "<hysteresis-relay id='r' in='u' out='a' off='-0.3' on='0.4'/>",
        "<counter id='n' up='a' out='b' modulus='3'/>",
        "<t-flip-flop id='f' trigger='a' q='c'/>",
        "<sum id='d' in='u y' signs='+-' out='e'/>",
        "<discrete-pid id='p' in='e' out='v' kp='2' ki='1' period='0.07 s' min='-1' max='1'/>",
        "<first-order id='l' in='v' out='y' T='0.4 s'/>",
        "<clock id='k' out='t1' period='0.11 s' jitter='0.3'/>",
        "<unit-delay id='z' in='y' out='g' clock='t1'/>",
        "<moving-average id='m' in='g' out='h' clock='t1' n='3'/>",
        "<integrator id='i' in='h' out='q' min='-0.01' max='0.02'/>",
        "<saturation id='w' in='y' out='o' min='-0.2' max='0.2'/>",
        "<product id='x' in='a o' out='ao'/>",
        "<sample-and-hold id='j' in='y' trigger='c' out='jj'/>"};
    enum { PARTS = sizeof parts / sizeof *parts };
    static const char signals[] = "a b c v y g h q o ao jj t1";
    unsigned long long state = 42;
    for (size_t r = 0; r < RUNS; r++) {
        harness first = {0};
        for (int turn = 0; turn < 4; turn++) {
            int order[PARTS];
            char xml[2000] = "<model name='m' xmlns='urn:linnet:model:1'>";
            for (int k = 0; k < PARTS; k++) {
                state = state * 6364136223846793005ULL + 1442695040888963407ULL;
                int at = turn == 0 ? k : (int)((state >> 33) % (unsigned)(k + 1));
                order[k] = order[at], order[at] = k;
            }
            for (int k = 0; k < PARTS; k++)
                strcat(xml, parts[order[k]]);
            strcat(xml, "</model>");
            harness h = run(xml, signals, r, 5);
            CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
            if (turn == 0) {
                first = h;
                continue;
            }
            CU_ASSERT_EQUAL_FATAL(h.values, first.values);
            CU_ASSERT(memcmp(h.value, first.value, h.values * sizeof *h.value) == 0);
            CU_ASSERT(memcmp(h.time, first.time, h.rows * sizeof *h.time) == 0);
            harness_free(&h);
        }
        harness_free(&first);
    }
}

/* Two relays that drive each other's inputs across zero have no rest; a relay without hysteresis
 * chatters. */
static void test_chattering(void) {
    static const char xml[] =
        MODEL("<function id='f' in='x' out='u' expression='if(u gt 0, -1, 1)'/>"
              "<integrator id='i' in='u' out='x' y0='0.305'/>");
    harness_verbose = 0;
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(xml, "x", r, 1);
        CU_ASSERT_EQUAL(h.status, LINNET_FAILED);
        CU_ASSERT(said(&h, "f (function)") && said(&h, "t = 0.30") && said(&h, "hysteresis"));
        CHECK_CLOSE(h.statistics.t, 0.305, 1e-4);
        harness_free(&h);
    }
    harness_verbose = 1;
}

UNIT_MAIN({"error of the step that ends at an event", test_error_at_event},
          {"pulses that come closer", test_pulses_come_closer},
          {"what another block sets", test_setting_of_another},
          {"a ball, at rest or not", test_ball}, {"an event that triggers itself", test_retrigger},
          {"dips", test_dips}, {"order across kinks and resets", test_orders},
          {"limits of an integrator", test_integrator}, {"anti-windup", test_anti_windup},
          {"three relays", test_three_relays}, {"pendulum", test_pendulum},
          {"saturation", test_saturation}, {"given deviations", test_given_jitter},
          {"both sides of a tick", test_both_sides}, {"shuffled blocks", test_shuffled},
          {"chattering", test_chattering})
