/* SPDX-License-Identifier: MIT */
/* Linearised models with transport delays: frequency response and margins exact, eigenvalues and
 * state matrices by Pade approximants, all against closed forms. */
#include "analysis/margins.h"
#include "small_signal_kit.h"
#include <math.h>
#include <stdlib.h>

#define MODEL(body) \
    "<model xmlns='urn:linnet:model:1'><constant id='ref' out='r' value='0'/>" body "</model>"
/* L = 2 exp(-0.3 s)/s */
#define LOOP                                                                                 \
    MODEL("<sum id='s' in='r y' signs='+-' out='e'/><gain id='K' in='e' out='u' k='2'/>"     \
          "<transport-delay id='d' in='u' out='ud' delay='0.3'/><integrator id='P' in='ud' " \
          "out='y'/>")

/* Wherever the loop is opened: |L| = 1 at w = 2, where the phase margin is 90 degrees - 0.6; L is
 * real and negative first at 0.3 w = pi/2. Dead time that uses up the margin: (pi/2 - 0.6)/2. */
static void margins_of_a_delay(void) {
    static const char *const places[] = {"y", "e", "u", "ud", "d.in", "P.in", "K.in"};
    const double pi = acos(-1.0);
    bench rig = linearised(LOOP, "", -1);
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        ln_margins margins;
        CU_ASSERT_EQUAL_FATAL(ln_margins_find(&rig.small, places[k], LN_LINEAR_AUTO, &margins),
                              LINNET_OK);
        CU_ASSERT_EQUAL(margins.unstable, 0);
        CHECK_CLOSE(margins.phase->w, 2, 1e-12);
        CHECK_CLOSE(margins.phase->margin, 90 - 0.6 * 180 / pi, 1e-10);
        CHECK_CLOSE(margins.delay->delay, (pi / 2 - 0.6) / 2, 1e-12);
        CHECK_CLOSE(margins.gain->w, pi / 0.6, 1e-12);
        CHECK_CLOSE(margins.gain->margin, pi / 1.2, 1e-12);
        int phases = 0; /* at (pi/2 + 2 pi k)/0.3 while |L| = 2/w is above 0.01 */
        for (int i = 0; i < margins.ncrossings; i++)
            phases += margins.crossings[i].kind == LN_CROSSING_PHASE;
        CU_ASSERT(abs(phases - (int)floor((200 * 0.3 - pi / 2) / (2 * pi)) - 1) <= 1);
        ln_margins_free(&margins);
    }
    done(&rig);
}

/* Two delays in one loop, K = 0.5: exp(-s 0.2) in front of the plant, exp(-s 0.7) behind it; L =
 * 0.5 exp(-0.9 s)/(1 + s). */
static void two_delays(void) {
    bench rig = linearised(
        MODEL("<sum id='s' in='r z' signs='+-' out='e'/><transport-delay id='d1' in='e' out='u' "
              "delay='0.2'/>"
              "<transfer-function id='P' in='u' out='y' numerator='3' denominator='1 1'/>"
              "<transport-delay id='d2' in='y' out='z' delay='0.7'/>"),
        "", -1);
    ln_margins margins;
    CU_ASSERT_EQUAL_FATAL(ln_margins_find(&rig.small, "z", LN_LINEAR_AUTO, &margins), LINNET_OK);
    const double w = sqrt(8.0), pm = acos(-1.0) - 0.9 * w - atan(w);
    CHECK_CLOSE(margins.phase->w, w, 1e-12);
    CHECK_CLOSE(margins.phase->margin, pm * 180 / acos(-1.0), 1e-10);
    CU_ASSERT_EQUAL(margins.unstable, 2);                             /* pm < 0 */
    CHECK_CLOSE(tan(0.9 * margins.gain->w), -margins.gain->w, 1e-10); /* 0.9 w + atan w = pi */
    ln_margins_free(&margins);
    done(&rig);
}

/* The delay as input, inside and as output of the response, with the derivative: y/d.in = exp(-0.3
 * s)/(s + 2 exp(-0.3 s)). */
static void response_of_a_loop(void) {
    bench rig = linearised(LOOP, "ud,y,u", -1);
    ln_response response;
    CU_ASSERT_EQUAL_FATAL(
        ln_response_begin(&response, &rig.small, "d.in", "ud,y,u", LN_LINEAR_AUTO), LINNET_OK);
    for (int k = 0; k < 50; k++) {
        const double complex s = pow(10, k / 10.0 - 2) * I, p = cexp(-0.3 * s), den = s + 2 * p;
        double complex h[3], dh[3];
        CU_ASSERT_EQUAL(ln_response_at(&response, s, h, dh), LINNET_OK);
        CHECK_CLOSE(cabs(h[0] - s * p / den), 0, 1e-12);
        CHECK_CLOSE(cabs(h[1] * den / p - 1), 0, 1e-12);
        CHECK_CLOSE(cabs(h[2] + 2 * p / den), 0, 1e-12);
        const double complex slope = (-0.3 * p * den - p * (1 - 0.6 * p)) / (den * den);
        CHECK_CLOSE(cabs(dh[1] / slope - 1), 0, 1e-10);
    }
    ln_response_free(&response);
    done(&rig);
}

/* Lambert's function by Newton's method: w exp(w) = z. */
static double complex lambert(double complex z, double complex w) {
    for (int k = 0; k < 60; k++)
        w -= (w * cexp(w) - z) / (cexp(w) * (w + 1));
    return w;
}

/* s + 2 exp(-0.3 s) = 0: s = W(-0.6)/0.3. Higher orders of Pade come to it, and the past is named.
 */
static void eigenvalues(void) {
    const double complex exact = lambert(-0.6, -0.67 + 0.96 * I) / 0.3;
    static const struct {
        int order;
        double error;
    } rows[] = {{2, 2e-2}, {4, 1e-5}, {6, 1e-9}, {7, 1e-11}, {16, 1e-11}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        bench rig = linearised(LOOP, "", -1);
        ln_small_signal expanded;
        ln_modes modes;
        CU_ASSERT_EQUAL_FATAL(ln_pade_expand(&rig.small, rows[k].order, &expanded), LINNET_OK);
        CU_ASSERT_EQUAL_FATAL(ln_modes_find(&expanded, 0, 0, 0, &modes), LINNET_OK);
        CU_ASSERT_EQUAL(modes.count, 1 + rows[k].order);
        CHECK_CLOSE(cabs(modes.modes[0].re + modes.modes[0].im * I - exact) / cabs(exact), 0,
                    rows[k].error);
        int past = 0;
        for (int i = 0; i < modes.modes[0].nstates; i++)
            past |= strcmp(modes.modes[0].states[i].name, "d.past") == 0;
        CU_ASSERT(past);
        ln_modes_free(&modes);
        ln_small_signal_free(&expanded);
        done(&rig);
    }
}

/* Pade of order N over N by its textbook sum. */
static double complex pade(int n, double complex s) {
    double complex above = 0, below = 0, power = 1;
    double c = 1;
    for (int k = 0; k <= n; k++) {
        above += (k % 2 ? -1 : 1) * c * power;
        below += c * power;
        c *= (double)(n - k) / ((2.0 * n - k) * (k + 1));
        power *= s;
    }
    return above / below;
}

static void state_matrices(void) {
    static const char *const inputs[] = {"d.in", "r"};
    for (int order = 1; order <= 9; order += 2 - (order == 5))
        for (int descriptor = 0; descriptor < 2; descriptor++) {
            bench rig = linearised(LOOP, "ud y u", -1);
            ln_state_space m;
            int noutputs;
            const ln_column *outputs = ln_recorder_columns(rig.simulation.recorder, &noutputs);
            CU_ASSERT_EQUAL_FATAL(
                ln_state_space_make(&rig.small, &(ln_space_ports){inputs, 2, outputs, noutputs},
                                    (ln_state_space_how){descriptor, order, NULL, 0}, &m),
                LINNET_OK);
            if (!descriptor)
                CU_ASSERT_EQUAL(m.n, 1 + order);
            for (double w = 0.1; w < 100; w *= 3) {
                const double complex s = w * I, p = pade(order, 0.3 * s), den = s + 2 * p;
                CHECK_CLOSE(cabs(response_of(&m, 0, 0, s) - s * p / den), 0, 1e-10);
                CHECK_CLOSE(cabs(response_of(&m, 0, 1, s) * den / p - 1), 0, 1e-10);
                CHECK_CLOSE(cabs(response_of(&m, 1, 1, s) * den / (2 * p) - 1), 0, 1e-10);
                CHECK_CLOSE(cabs(response_of(&m, 1, 2, s) - 2 * s / den), 0, 1e-10);
            }
            ln_state_space_free(&m);
            done(&rig);
        }
}

/* In a run the delayed value is what it was then, and a time that varies enters with its slope: out
 * = in(t - T), in = t^2, T = 0.1 + 0.05 t at t = 2 is 0.2; d out/d lag = -2 (t - T) = -3.6, y =
 * out^2 with out = 1.8^2. */
static void within_a_run(void) {
    bench rig = linearised(
        MODEL(
            "<simulation duration='2 s' step='1 ms' method='rk4'/>"
            "<function id='s' in='r' out='u' expression='t^2'/><ramp id='T0' out='q' slope='0.05'/>"
            "<constant id='k0' out='k' value='0.1'/><sum id='T1' in='q k' out='T' signs='++'/>"
            "<variable-delay id='d' in='u' lag='T' out='x' longest='1'/>"
            "<function id='Y' in='x' out='y' expression='u1^2'/>"),
        "y", 2);
    static const char *const inputs[] = {"u", "T"};
    for (int k = 0; k < 2; k++) {
        ln_response response;
        double complex h, s = 3 * I, out = 1.8 * 1.8;
        CU_ASSERT_EQUAL_FATAL(
            ln_response_begin(&response, &rig.small, inputs[k], "y", LN_LINEAR_AUTO), LINNET_OK);
        CU_ASSERT_EQUAL(ln_response_at(&response, s, &h, NULL), LINNET_OK);
        CHECK_CLOSE(cabs(h - 2 * out * (k == 0 ? cexp(-0.2 * s) : -3.6)), 0, 1e-8);
        ln_response_free(&response);
    }
    done(&rig);
}

UNIT_MAIN({"margins", margins_of_a_delay}, {"two delays", two_delays},
          {"response", response_of_a_loop}, {"eigenvalues", eigenvalues},
          {"state matrices", state_matrices}, {"within a run", within_a_run})
