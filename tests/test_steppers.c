/* SPDX-License-Identifier: MIT */
/* The adaptive implicit methods: errors that follow the tolerance, orders, discontinuities, values
 * between steps. */
#include "harness.h"
#include "unit.h"

#define MODEL(body) "<model xmlns='urn:linnet:model:1'>" body "</model>"
#define GROUND "<ground id='gnd' p='0'/>"

static const char *const methods[] = {"backward-euler", "crank-nicolson", "tr-bdf2",
                                      "bdf2",           "radau5",         "ida"};
enum { METHODS = sizeof methods / sizeof *methods };

static harness adaptive(const char *xml, const char *signals, const char *method, double end,
                        double tolerance, double step, double interval) {
    harness h = harness_run_with(xml, signals,
                                 (ln_settings){.method = ln_method_find(method),
                                               .end = end,
                                               .step = step,
                                               .tolerance = tolerance,
                                               .interval = interval});
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    return h;
}

/* RC fed by a sine: v = (sin wt - w tau cos wt + w tau e^(-t/tau)) / (1 + w^2 tau^2) */
static const char rc_sine[] =
    MODEL(GROUND
          "<sine-voltage id='V' p='in' n='0' amplitude='1' frequency='1000'/>"
          "<resistor id='R' p='in' n='out' R='1 kOhm'/><capacitor id='C' p='out' n='0' C='1 uF'/>");

static double rc_exact(double t) {
    double w = 2000 * acos(-1.0), tau = 1e-3;
    return (sin(w * t) - w * tau * cos(w * t) + w * tau * exp(-t / tau)) / (1 + w * w * tau * tau);
}

/* Largest error of signal 0 over all rows. */
static double worst(const harness *h, double (*exact)(double)) {
    double largest = 0;
    for (size_t row = 0; row < h->rows; row++)
        largest = fmax(largest, fabs(h->value[row * (size_t)h->nsignals] - exact(h->time[row])));
    return largest;
}

static void errors_follow_tolerance(void) {
    for (size_t m = 0; m < METHODS; m++) {
        double before = 1;
        for (double tolerance = 1e-3; tolerance > 2e-6; tolerance /= 10) {
            harness h = adaptive(rc_sine, "out", methods[m], 2.25e-3, tolerance, 0, 0);
            double error = worst(&h, rc_exact);
            printf("    %s at %g: error %.2g, %ld steps, %ld rejected\n", methods[m], tolerance,
                   error, h.statistics.steps, h.statistics.rejected);
            /* order 1: errors of the tolerance's size at each of many steps, in number like
             * 1/sqrt(tolerance) */
            CU_ASSERT(error < (m == 0 ? 0.3 * sqrt(tolerance) : 20 * tolerance));
            CU_ASSERT(error < before || error < 3 * tolerance);
            before = error;
            harness_free(&h);
        }
    }
}

/* Points asked for between the steps are as accurate as the steps. */
static void between_steps(void) {
    for (size_t m = 0; m < METHODS; m++) {
        harness h = adaptive(rc_sine, "out", methods[m], 2.25e-3, 1e-4, 0, 1e-5);
        CU_ASSERT_EQUAL(h.rows, 226);
        CU_ASSERT(worst(&h, rc_exact) < 50e-4);
        harness_free(&h);
    }
}

/* y' = -y^2 from 1: y = 1/(1+t), smooth and nonlinear. A loose tolerance and a largest step make
 * the steps constant. */
static const char decay[] =
    MODEL("<product id='p' in='y y' out='yy'/><gain id='g' in='yy' out='dy' k='-1'/>"
          "<integrator id='i' in='dy' out='y' y0='1'/>");

static void orders(void) {
    static const struct {
        const char *method;
        double step, order;
    } cases[] = {{"backward-euler", 0.01, 1},
                 {"crank-nicolson", 0.02, 2},
                 {"tr-bdf2", 0.02, 2},
                 {"bdf2", 0.02, 2}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        CHECK_CLOSE(harness_order(decay, "y", cases[k].method, 1, cases[k].step, 0.5),
                    cases[k].order, 0.1);
}

/* L (y - cos t) - sin t, y(0) = 1: y = cos t whatever L. Backward Euler, Crank-Nicolson and BDF2
 * keep their order where L h is far from 0. */
static void prothero_robinson(void) {
    static const char xml[] =
        MODEL("<block-type name='pr'><state name='y' start='1'/>"
              "<equation>der(y) = -1e4*(y - cos(t)) - sin(t)</equation></block-type><pr id='p'/>");
    CHECK_CLOSE(harness_order(xml, "p.y", "backward-euler", 10, 0.1, cos(10)), 1, 0.2);
    CHECK_CLOSE(harness_order(xml, "p.y", "bdf2", 10, 0.1, cos(10)), 2, 0.2);
    CHECK_CLOSE(harness_order(xml, "p.y", "crank-nicolson", 10, 0.1, cos(10)), 2, 0.2);
    for (size_t m = 1; m < METHODS; m++) {
        harness h = adaptive(xml, "p.y", methods[m], 10, 1e-5, 0, 0);
        printf("    %s: %ld steps, %ld rejected\n", methods[m], h.statistics.steps,
               h.statistics.rejected);
        CU_ASSERT(worst(&h, cos) < 20e-5);
        CU_ASSERT(h.statistics.steps < 300);
        harness_free(&h);
    }
}

/* A voltage step in mid-run: after it the capacitor charges as if it had just been started. */
static double step_response(double t) {
    return t <= 0.31 ? 0 : 1 - exp(-(t - 0.31) / 0.05);
}

static void across_a_step(void) {
    const char *xml = MODEL(
        GROUND "<step-voltage id='V' p='a' n='0' height='1' delay='0.31'/>"
               "<resistor id='R' p='a' n='b' R='50'/><capacitor id='C' p='b' n='0' C='1e-3'/>");
    for (size_t m = 0; m < METHODS; m++) {
        harness h = adaptive(xml, "b", methods[m], 1, 1e-5, 0, 0);
        CU_ASSERT(worst(&h, step_response) < (m == 0 ? 200e-5 : 20e-5));
        harness_free(&h);
    }
    CHECK_CLOSE(harness_order(xml, "b", "bdf2", 1, 0.005, step_response(1)), 2, 0.3);
}

/* radau5 at constant steps: halving them divides the error by 2^5. */
static void radau5_order(void) {
    double error[2];
    for (int k = 0; k < 2; k++) {
        harness h = adaptive(rc_sine, "out", "radau5", 2.25e-3, 0.5, 4e-5 / (1 << k), 0);
        error[k] = fabs(harness_last(&h, 0) - rc_exact(2.25e-3));
        printf("    radau5: %ld steps, error %.3g\n", h.statistics.steps, error[k]);
        harness_free(&h);
    }
    CHECK_CLOSE(log2(error[0] / error[1]), 5, 0.3);
}

/* ---- why steps were short ---- */

static void check_cause(const char *xml, const char *method, double tolerance, double largest,
                        ln_cause cause, double least) {
    harness h = adaptive(xml, "", method, 1, tolerance, largest, 0);
    const ln_statistics *run = &h.statistics;
    long all = 0;
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    for (int k = 0; k < LN_CAUSES; k++)
        all += run->by[k];
    CU_ASSERT(all <= run->steps);
    for (int k = 0; k < LN_DOMINANTS; k++)
        CU_ASSERT(run->dominant[k].share <= 1);
    if (!((double)run->by[cause] >= least * (double)run->steps))
        printf("\n    %s, cause %d: %ld of %ld steps\n", method, (int)cause, run->by[cause],
               run->steps);
    CU_ASSERT((double)run->by[cause] >= least * (double)run->steps);
    harness_free(&h);
}

static void causes(void) {
    const char *lag =
        "<transfer-function id='L' in='u' out='y' numerator='1' denominator='0.1 1'/>";
    char xml[600];
    snprintf(xml, sizeof xml, MODEL("<pulse id='P' out='u' period='0.02' width='0.01'/>%s"), lag);
    check_cause(xml, "radau5", 1e-1, 0, LN_BY_BREAKPOINT, 0.15);
    check_cause(xml, "rk45", 1e-1, 0, LN_BY_BREAKPOINT, 0.3);
    snprintf(xml, sizeof xml, MODEL("<sine id='S' out='u' frequency='1'/>%s"), lag);
    check_cause(xml, "tr-bdf2", 1e-6, 0, LN_BY_ERROR, 0.9);
    check_cause(xml, "rk45", 1e-2, 1e-3, LN_BY_LARGEST, 0.9);
    check_cause(xml, "bdf2", 1e-2, 1e-3, LN_BY_LARGEST, 0.9);
    snprintf(xml, sizeof xml, MODEL("<sine id='S' out='u' frequency='100'/>%s"), lag);
    check_cause(xml, "radau5", 1e-1, 0, LN_BY_SOURCE, 0.005);
    check_cause(MODEL("<step id='S' out='r' delay='0.1'/><sum id='E' in='r d' signs='+-' out='e'/>"
                      "<integrator id='I' in='e' out='y' k='5'/>"
                      "<transport-delay id='D' in='y' out='d' delay='0.05'/>"),
                "radau5", 1e-2, 0, LN_BY_DELAY, 0.1);
    check_cause(MODEL("<sine id='S' out='u' frequency='20'/><function id='R' in='u' out='v' "
                      "expression='if(u gt 0, 1, -1)'/>"
                      "<integrator id='I' in='v' out='y'/>"),
                "radau5", 1e-2, 0, LN_BY_CROSSING, 0.05);
    check_cause(MODEL(GROUND "<sine-voltage id='V' p='a' n='0' amplitude='5' frequency='5'/>"
                             "<diode id='D' p='a' n='b'/><resistor id='R' p='b' n='0' R='1e3'/>"
                             "<capacitor id='C' p='b' n='0' C='1e-4'/>"),
                "ida", 1e-4, 0, LN_BY_NEWTON, 1e-3); /* radau5 goes to where the diode turns */
}

UNIT_MAIN({"errors follow the tolerance", errors_follow_tolerance},
          {"between steps", between_steps}, {"orders", orders},
          {"Prothero-Robinson", prothero_robinson}, {"across a step", across_a_step},
          {"order of radau5", radau5_order}, {"causes", causes})
