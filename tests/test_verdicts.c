/* SPDX-License-Identifier: MIT */
/* Verdicts and margins where approximants, far frequencies and infinity mislead: loops whose border
 * of stability has a closed form. */
#include "analysis/sampled_loop.h"
#include "heard.h"
#include "model/model.h"
#include "unit.h"
#include <stdlib.h>

typedef struct bench {
    ln_report *report;
    ln_model *model;
    ln_simulation simulation;
    ln_small_signal small;
    ln_margins margins;
} bench;

static linnet_status find(bench *rig, const char *xml, const char *signal) {
    LN_TRY(ln_model_read_memory("test.xml", xml, strlen(xml), NULL, rig->report, &rig->model));
    LN_TRY(ln_simulation_prepare(&rig->simulation, rig->model, &(ln_request){0}, 0,
                                 &(ln_record_choice){ln_small_signal_choose, NULL}, rig->report));
    LN_TRY(ln_small_signal_at_rest(&rig->simulation, &rig->small));
    return ln_margins_find_any(&rig->small, &rig->simulation.settings, signal, LN_LINEAR_AUTO,
                               &rig->margins);
}

/* A loop of the blocks between e and y, opened at e. */
static bench loop_of(const char *blocks) {
    bench rig = {.report = ln_report_new(hear, NULL)};
    char xml[4000];
    said[0] = '\0';
    snprintf(xml, sizeof xml,
             "<model xmlns='urn:linnet:model:1'><constant id='ref' out='r' value='0'/>"
             "<sum id='s' in='r y' signs='+-' out='e'/>%s</model>",
             blocks);
    const linnet_status status = find(&rig, xml, "e");
    if (status != LINNET_OK)
        printf("\n    %s\n", said);
    CU_ASSERT_EQUAL_FATAL(status, LINNET_OK);
    return rig;
}

static void end(bench *rig) {
    ln_margins_free(&rig->margins);
    ln_small_signal_free(&rig->small);
    ln_simulation_free(&rig->simulation);
    ln_model_free(rig->model);
    ln_report_free(rig->report);
}

/* The n-th frequency at which exp(-s T)/(1 + s tau) is real and negative. */
static double crossing_of(double T, double lag, int n) {
    const double turn = (2 * n + 1) * acos(-1.0);
    double low = (turn - acos(-1.0) / 2) / T, high = turn / T;
    for (int k = 0; k < 200; k++) {
        const double w = (low + high) / 2;
        *(w * T + atan(w * lag) < turn ? &low : &high) = w;
    }
    return low;
}

/* k exp(-s T)/(1 + s tau): w T + atan(w tau) = pi and k^2 = 1 + (w tau)^2 is the border; a pair
 * more grows with each further crossing of -180 degrees where |L| is above 1. */
static void one_dead_time(double T, double lag) {
    static const double by[] = {0.9, 0.999, 1.001, 1.5};
    const double w = crossing_of(T, lag, 0), border = hypot(1, w * lag);
    for (int side = 0; side < 4; side++) {
        int grow = 0;
        while (hypot(1, crossing_of(T, lag, grow / 2) * lag) < by[side] * border)
            grow += 2;
        char blocks[400];
        snprintf(blocks, sizeof blocks,
                 "<first-order id='G' in='e' out='x' K='%.17g' T='%.17g s'/>"
                 "<transport-delay id='D' in='x' out='y' delay='%.17g s'/>",
                 by[side] * border, lag, T);
        bench rig = loop_of(blocks);
        CU_ASSERT_EQUAL(rig.margins.unstable, grow);
        CU_ASSERT_PTR_NOT_NULL_FATAL(rig.margins.gain);
        if (grow <= 2) { /* else another crossing is nearer */
            CHECK_CLOSE(rig.margins.gain->margin, 1 / by[side], 1e-9);
            CHECK_CLOSE(rig.margins.gain->w / w, 1, 1e-9);
        }
        end(&rig);
    }
}

/* `make check-full` takes more of them. */
static void dead_time_and_lag(void) {
    const int full = getenv("LINNET_FULL") != NULL;
    for (int scale = -9; scale <= 5; scale += full ? 1 : 7)
        for (int ratio = -2; ratio <= 2; ratio += full ? 1 : 2)
            one_dead_time(pow(10, scale), pow(10, scale + ratio));
}

/* An integrator with dead time: k T < pi/2. Then each 2 pi more of k T two more grow. */
static void dead_time_and_integrator(void) {
    static const double kT[] = {1.5, 1.6, 7.8, 7.9, 14};
    static const int grow[] = {0, 2, 2, 4, 4};
    for (int k = 0; k < 5; k++) {
        char blocks[300];
        snprintf(blocks, sizeof blocks,
                 "<transport-delay id='D' in='e' out='x' delay='20 ms'/>"
                 "<integrator id='I' in='x' out='y' k='%.17g'/>",
                 kT[k] / 0.02);
        bench rig = loop_of(blocks);
        CU_ASSERT_EQUAL(rig.margins.unstable, grow[k]);
        end(&rig);
    }
}

/* Resonances of damping 0.01 at 30 rad/s behind dead times of some 10 periods, where approximants
 * of any usual order judge wrongly: the poles are those of s^2 + 0.6 s + 900 + 36 exp(-s T), of
 * which those near 30i, s = 30i + d, follow from d = -0.3 + 0.6i exp(-s T) but for small terms. */
static void resonance_and_dead_time(void) {
    static const double turns[] = {6.25, 9.75}; /* T in periods: exp(-30i T) is -i, i */
    static const int grow[] = {2, 0};
    for (int k = 0; k < 2; k++) {
        char blocks[400];
        snprintf(blocks, sizeof blocks,
                 "<transfer-function id='G' in='e' out='x' numerator='36' denominator='1 0.6 900'/>"
                 "<transport-delay id='D' in='x' out='y' delay='%.17g s'/>",
                 turns[k] * 2 * acos(-1.0) / 30);
        bench rig = loop_of(blocks);
        CU_ASSERT_EQUAL(rig.margins.unstable, grow[k]);
        end(&rig);
    }
}

/* Dead time around a gain without lag: no mode grows below a gain of 1, infinitely many above. */
static void dead_time_alone(void) {
    static const double gain[] = {0.99, 1.01};
    static const int grow[] = {0, LN_NYQUIST_ENDLESS};
    for (int k = 0; k < 2; k++) {
        char blocks[300];
        snprintf(blocks, sizeof blocks,
                 "<gain id='G' in='e' out='x' k='%.17g'/>"
                 "<transport-delay id='D' in='x' out='y' delay='3 ms'/>",
                 gain[k]);
        bench rig = loop_of(blocks);
        CU_ASSERT_EQUAL(rig.margins.unstable, grow[k]);
        end(&rig);
    }
}

/* Five lags of 10 us: the border is 1/cos(pi/5)^-5 = (1/cos(36 degrees))^5 at tan(36 degrees)/10
 * us; written with 1 at s = 0, so that coefficients reach down to 1e-25. */
static void five_lags(void) {
    const double border = pow(1 / cos(acos(-1.0) / 5), 5), w = tan(acos(-1.0) / 5) * 1e5;
    static const double gain[] = {2.88, 2.89, 10, 50};
    for (int k = 0; k < 4; k++) {
        char blocks[300];
        snprintf(blocks, sizeof blocks,
                 "<transfer-function id='G' in='e' out='y' numerator='%.17g' "
                 "denominator='1e-25 5e-20 1e-14 1e-9 5e-5 1'/>",
                 gain[k]);
        bench rig = loop_of(blocks);
        CU_ASSERT_EQUAL(rig.margins.unstable, gain[k] > border ? 2 : 0);
        CU_ASSERT_EQUAL(rig.margins.growing, gain[k] > border ? 2 : 0);
        CHECK_CLOSE(rig.margins.gain->margin, border / gain[k], 1e-9);
        CHECK_CLOSE(rig.margins.gain->w / w, 1, 1e-9);
        end(&rig);
    }
}

/* L = k (1 - s)/(1 + s) is -k at infinite frequency: the gain margin is 1/k there, the distance
 * from -1 is |1 - k|, and one mode, (1 + k)/(k - 1), grows beyond k = 1. */
static void at_infinity(void) {
    static const double gain[] = {0.5, 0.99, 1.25};
    for (int k = 0; k < 3; k++) {
        char blocks[300];
        snprintf(blocks, sizeof blocks,
                 "<transfer-function id='G' in='e' out='x' numerator='-1 1' denominator='1 1'/>"
                 "<gain id='K' in='x' out='y' k='%.17g'/>",
                 gain[k]);
        bench rig = loop_of(blocks);
        CU_ASSERT_EQUAL(rig.margins.unstable, gain[k] > 1);
        CU_ASSERT_PTR_NOT_NULL_FATAL(rig.margins.gain);
        CU_ASSERT_PTR_NOT_NULL_FATAL(rig.margins.modulus);
        CHECK_CLOSE(rig.margins.gain->margin, 1 / gain[k], 1e-12);
        CU_ASSERT(isinf(rig.margins.gain->w));
        CHECK_CLOSE(rig.margins.modulus->margin, fabs(1 - gain[k]), 1e-12);
        CU_ASSERT(isinf(rig.margins.modulus->w));
        CU_ASSERT_EQUAL(rig.margins.ncrossings, 2);
        end(&rig);
    }
    /* (1 + s)/(1 + s/4) times 3: L goes from 3 to 12, and the least distance is 4, at 0 */
    bench rig = loop_of("<transfer-function id='G' in='e' out='y' numerator='3 3' "
                        "denominator='0.25 1'/>");
    CU_ASSERT_PTR_NOT_NULL_FATAL(rig.margins.modulus);
    CHECK_CLOSE(rig.margins.modulus->margin, 4, 1e-12);
    CHECK_CLOSE(rig.margins.modulus->w, 0, 0);
    end(&rig);
}

/* |L| = 1 everywhere, but for rounding: no crossing. And crossings far from 1 rad/s. */
static void rounding_and_range(void) {
    bench rig = loop_of("<transfer-function id='G' in='e' out='x' numerator='-1 1' "
                        "denominator='1 1'/><transfer-function id='H' in='x' out='y' "
                        "numerator='1 -0.7 2' denominator='1 0.7 2'/>");
    for (int k = 0; k < rig.margins.ncrossings; k++)
        CU_ASSERT_NOT_EQUAL(rig.margins.crossings[k].kind, LN_CROSSING_GAIN);
    end(&rig);
    for (int scale = -13; scale <= 13; scale += 2) { /* 0.5 w0/s/(1 + s/w0)^2: margin 4 at w0 */
        const double w0 = pow(10, scale);
        char blocks[400];
        snprintf(blocks, sizeof blocks,
                 "<transfer-function id='G' in='e' out='y' numerator='%.17g' "
                 "denominator='%.17g %.17g 1 0'/>",
                 0.5 * w0, 1 / w0 / w0, 2 / w0);
        rig = loop_of(blocks);
        CU_ASSERT_EQUAL(rig.margins.unstable, 0);
        CU_ASSERT_PTR_NOT_NULL_FATAL(rig.margins.gain);
        CHECK_CLOSE(rig.margins.gain->margin, 4, 1e-11);
        CHECK_CLOSE(rig.margins.gain->w / w0, 1, 1e-11);
        end(&rig);
    }
}

/* A hold of period T before k/(1 + s): L = k (1 - a)/(z - a), a = exp(-T). The multiplier of the
 * closed loop is a - k (1 - a), the border k = (1 + a)/(1 - a) at z = -1. |L| = 1 where
 * (z - a)(1/z - a) = k^2 (1 - a)^2, so cos w T = (1 + a^2 - k^2 (1 - a)^2)/(2 a). */
static void held_lag(void) {
    static const double gain[] = {3, 9.9, 10.1, 12};
    const double T = 0.2, a = exp(-T), border = (1 + a) / (1 - a);
    for (int k = 0; k < 8; k++) {
        const int rates = k / 4; /* a clock of half the period elsewhere: the common period is T */
        char blocks[600];
        snprintf(blocks, sizeof blocks,
                 "<zero-order-hold id='h' in='e' out='v' period='0.2'/>%s"
                 "<transfer-function id='G' in='v' out='y' numerator='%.17g' denominator='1 1'/>",
                 rates ? "<zero-order-hold id='f' in='r' out='q' period='0.1'/>" : "", gain[k % 4]);
        bench rig = loop_of(blocks);
        const ln_margins *margins = &rig.margins;
        ln_multipliers all;
        CHECK_CLOSE(margins->period, T, 1e-12);
        CU_ASSERT_EQUAL(margins->unstable, gain[k % 4] > border);
        CU_ASSERT_PTR_NOT_NULL_FATAL(margins->gain);
        CHECK_CLOSE(margins->gain->margin, border / gain[k % 4], 1e-9);
        CHECK_CLOSE(margins->gain->w, acos(-1.0) / T, 1e-9);
        const double ratio = gain[k % 4] * (1 - a), cosine = (1 + a * a - ratio * ratio) / (2 * a);
        if (cosine > -1) {
            const double w = acos(cosine) / T;
            CU_ASSERT_PTR_NOT_NULL_FATAL(margins->phase);
            CHECK_CLOSE(margins->phase->w / w, 1, 1e-9);
            const double complex L = ratio / (cexp(w * T * I) - a);
            CHECK_CLOSE(margins->phase->margin, 180 + carg(L) * 180 / acos(-1.0), 1e-7);
        } else {
            CU_ASSERT_PTR_NULL(margins->phase);
        }
        CU_ASSERT_EQUAL(ln_multipliers_find(&rig.small, &rig.simulation.settings, &all), LINNET_OK);
        CU_ASSERT_FATAL(all.count >= 1);
        double nearest = INFINITY;
        for (int j = 0; j < all.count; j++)
            nearest = fmin(nearest, hypot(all.value[2 * j] - (a - ratio), all.value[2 * j + 1]));
        CU_ASSERT(nearest < 1e-9);
        CU_ASSERT_EQUAL(all.growing, gain[k % 4] > border);
        end(&rig);
    }
}

UNIT_MAIN({"dead time and a lag", dead_time_and_lag},
          {"dead time and an integrator", dead_time_and_integrator},
          {"dead time and a resonance", resonance_and_dead_time},
          {"dead time alone", dead_time_alone}, {"five lags", five_lags},
          {"at infinite frequency", at_infinity}, {"rounding and range", rounding_and_range},
          {"a held lag", held_lag})
