/* SPDX-License-Identifier: MIT */
/* Sources that begin below rounding or in denormal numbers, sources much faster than a run, clocks
 * far from zero, and results that nobody meant: against closed forms. */
#include "harness.h"
#include "heard.h"
#include "unit.h"

#define LAG(source)                                                                  \
    "<model xmlns='urn:linnet:model:1'><block-type name='problem'><state name='y'/>" \
    "<equation>der(y) = -y + " source "</equation></block-type><problem id='r'/></model>"

static harness adaptive(const char *xml, const char *signals, double end, double tolerance) {
    return harness_run_with(
        xml, signals,
        (ln_settings){.method = ln_method_find("radau5"), .end = end, .tolerance = tolerance});
}

static double slow_cosine(double t) {
    const double w = 1 / 3600.0, size = 1 + w * w;
    return 1 - exp(-t) - (cos(w * t) + w * sin(w * t) - exp(-t)) / size;
}
static double pulse(double t) {
    return sqrt(M_PI) / 2 * exp(0.25 - (t - 30)) * (1 + erf(t - 30.5));
}
static double decay(double t) {
    return t * exp(-t);
}

/* 1 - cos(t/3600) is stairs of 1e-16 at first, the pulse begins at 1e-391, the decay ends at
 * 1e-435.
 */
static void test_small(void) {
    static const struct {
        const char *xml;
        double end, (*exact)(double t);
    } cases[] = {{LAG("1 - cos(t/3600)"), 1e6, slow_cosine},
                 {LAG("exp(-(t - 30)^2)"), 60, pulse},
                 {LAG("exp(-t)"), 1000, decay}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        harness h = adaptive(cases[k].xml, "r.y", cases[k].end, 1e-4);
        double off = 0, largest = 0;
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        for (size_t row = 0; row < h.rows; row++) {
            off = fmax(off, fabs(h.value[row] - cases[k].exact(h.time[row])));
            largest = fmax(largest, h.value[row]);
        }
        CU_ASSERT(off <= 1e-3 * largest);
        CU_ASSERT(largest > 0.3);
        CU_ASSERT(h.statistics.steps < 500);
        harness_free(&h);
    }
}

/* A step that sees a sine at its own period sees a constant: between the points of the run, which a
 * user joins, the sine must be there. */
static void test_alias(void) {
    harness h = harness_run_with(
        "<model xmlns='urn:linnet:model:1'><ground id='g' p='0'/><sine-voltage id='V' p='a' n='0' "
        "amplitude='1 V' frequency='1 kHz'/><resistor id='R' p='a' n='b' R='1 kOhm'/><capacitor "
        "id='C' p='b' n='0' C='1 nF'/></model>",
        "b",
        (ln_settings){.method = ln_method_find("radau5"),
                      .end = 0.1,
                      .tolerance = 1e-3,
                      .interval = 1.03e-4});
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    const double w = 2e3 * M_PI, tau = 1e-6, size = 1 + w * w * tau * tau;
    double off = 0;
    for (size_t row = 0; row < h.rows; row++) {
        const double t = h.time[row],
                     exact = (sin(w * t) - w * tau * cos(w * t) + w * tau * exp(-t / tau)) / size;
        off = fmax(off, fabs(h.value[row] - exact));
    }
    CU_ASSERT(off < 0.01);
    CU_ASSERT(h.statistics.largest < 0.5e-3);
    harness_free(&h);
}

/* Steps begin anew at corners of a source that come when a clock's last digit is 1e-13 s, or 4 ns:
 * the first of them moves the clock. */
static void test_late(void) {
    static const char xml[] =
        "<model xmlns='urn:linnet:model:1'><ground id='g' p='0'/><pulse-voltage id='V' p='in' "
        "n='0' low='0' high='1 V' rise='1 ns' fall='1 ns' width='10 ns' period='100 ns'/><resistor "
        "id='R' p='in' n='out' R='1 kOhm'/><capacitor id='C' p='out' n='0' C='10 pF'/></model>";
    double last[2];
    for (int late = 0; late < 2; late++) {
        const double begin = late ? 1000 : 0;
        harness h = harness_run_with(xml, "out",
                                     (ln_settings){.method = ln_method_find("radau5"),
                                                   .begin = begin,
                                                   .end = begin + 0.96e-6,
                                                   .tolerance = 1e-4});
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        last[late] = harness_last(&h, 0);
        harness_free(&h);
    }
    CHECK_CLOSE(last[1], last[0], 1e-3); /* 1e-13 s of 10 ns are 1e-5 */
    CU_ASSERT(last[0] > 1e-3);
    static const double tolerances[] = {1e-4, 1e-6, 1e-8};
    for (int k = 0; k < 3; k++) {
        harness h =
            adaptive("<model xmlns='urn:linnet:model:1'><block-type name='house'><state name='T' "
                     "start='0'/><equation>1e7*der(T) = if(mod(t, 86400) lt 43200, 2000, 0) - "
                     "T/0.01</equation></block-type><house id='r'/></model>",
                     "r.T", 150 * 86400.0, tolerances[k]);
        const double keep = exp(-43200 / 1e5), day = keep * keep;
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_last(&h, 0), 20 * (1 - keep) * keep / (1 - day), 20 * tolerances[k]);
        harness_free(&h);
    }
}

/* x' = 1000 x passes 1e155, whose square is infinite, and ends where it does. */
static void test_overflow(void) {
    harness_verbose = 0;
    harness h = adaptive("<model xmlns='urn:linnet:model:1'><gain id='g' in='x' out='d' k='1000'/>"
                         "<integrator id='i' in='d' out='x' y0='1'/></model>",
                         "x", 10, 1e-6);
    harness_verbose = 1;
    CU_ASSERT_EQUAL(h.status, LINNET_FAILED);
    CU_ASSERT(harness_last(&h, 0) > 1e300 && isfinite(harness_last(&h, 0)));
    CHECK_CLOSE(log(harness_last(&h, 0)), 1000 * h.time[h.rows - 1], 1e-4);
    harness_free(&h);
}

/* What grows beyond 1e12 times what is typical is told, by every method; what does not is not. */
static void test_growth(void) {
    static const struct {
        const char *method;
        double step, tolerance;
    } runs[] = {{"rk4", 0.01, 0}, {"crank-nicolson", 0.01, 0}, {"radau5", 0, 1e-4}};
    for (int grows = 0; grows < 2; grows++)
        for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
            char xml[300];
            snprintf(xml, sizeof xml,
                     "<model xmlns='urn:linnet:model:1'><gain id='g' in='x' out='d' k='%d'/>"
                     "<integrator id='i' in='d' out='x' y0='1'/></model>",
                     grows ? 3 : 2);
            said[0] = '\0';
            ln_report *report = ln_report_new(hear, NULL);
            ln_model *model = NULL;
            ln_network *network = NULL;
            ln_system *system = NULL;
            ln_statistics statistics;
            ln_settings settings = {.method = ln_method_find(runs[k].method),
                                    .end = 10,
                                    .step = runs[k].step,
                                    .tolerance = runs[k].tolerance};
            harness h = {.system = NULL};
            ln_watcher watcher = {.context = &h, .accept = harness_accept};
            CU_ASSERT_EQUAL_FATAL(
                ln_model_read_memory("g.xml", xml, strlen(xml), NULL, report, &model), LINNET_OK);
            CU_ASSERT_EQUAL_FATAL(harness_build(model, report, &network), LINNET_OK);
            CU_ASSERT_EQUAL_FATAL(ln_system_new(network, report, &system), LINNET_OK);
            CU_ASSERT_EQUAL(ln_integrate(system, &settings, &watcher, report, &statistics),
                            LINNET_OK);
            CU_ASSERT_EQUAL(strstr(said, "times what is typical") != NULL, grows);
            CU_ASSERT_EQUAL(
                strstr(said, "from t = 9.") != NULL || strstr(said, "from t = 8.") != NULL, grows);
            ln_system_free(system);
            ln_network_free(network);
            ln_model_free(model);
            ln_report_free(report);
            ln_sys->release(h.time);
        }
}

UNIT_MAIN({"below rounding", test_small}, {"aliasing", test_alias}, {"late", test_late},
          {"overflow", test_overflow}, {"growth", test_growth})
