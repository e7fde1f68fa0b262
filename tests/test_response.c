/* SPDX-License-Identifier: MIT */
/* Frequency responses against formulas, the derivative and the group delay too, and the phase over
 * many turns. */
#include "analysis/response.h"
#include "heard.h"
#include "model/model.h"
#include "unit.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct bench {
    ln_report *report;
    ln_model *model;
    ln_simulation simulation;
    ln_small_signal small;
    ln_response response;
} bench;

static linnet_status begin(bench *rig, const char *xml, const char *input, const char *outputs) {
    char names[128];
    *rig = (bench){.report = ln_report_new(hear, NULL)};
    snprintf(names, sizeof names, "%s", outputs);
    said[0] = '\0';
    LN_TRY(ln_model_read_memory("test.xml", xml, strlen(xml), NULL, rig->report, &rig->model));
    LN_TRY(ln_simulation_prepare(&rig->simulation, rig->model, &(ln_request){0}, 0,
                                 &(ln_record_choice){ln_small_signal_choose, names}, rig->report));
    LN_TRY(ln_small_signal_at_rest(&rig->simulation, &rig->small));
    return ln_response_begin(&rig->response, &rig->small, input, outputs, LN_LINEAR_AUTO);
}

static void end(bench *rig) {
    ln_response_free(&rig->response);
    ln_small_signal_free(&rig->small);
    ln_simulation_free(&rig->simulation);
    ln_model_free(rig->model);
    ln_report_free(rig->report);
}

/* H = 1/(1 + s R C + s^2 L C), and the current s C H, over eight decades. */
static void rlc_filter(void) {
    bench rig;
    const double R = 50, L = 10e-3, C = 1e-6;
    CU_ASSERT_EQUAL_FATAL(
        begin(
            &rig,
            "<model xmlns='urn:linnet:model:1'><ground id='gnd' p='0'/>"
            "<voltage-source id='V1' p='in' n='0' V='1 V'/><resistor id='R1' p='in' n='a' R='50 "
            "Ohm'/>"
            "<inductor id='L1' p='a' n='out' L='10 mH'/><capacitor id='C1' p='out' n='0' C='1 uF'/>"
            "</model>",
            "V1", "out,C1.i"),
        LINNET_OK);
    double worst = 0, worst_slope = 0;
    for (int k = 0; k <= 160; k++) {
        double complex s = pow(10, k / 20.0) * I, h[2], dh[2];
        CU_ASSERT_EQUAL(ln_response_at(&rig.response, s, h, dh), LINNET_OK);
        double complex den = 1 + s * R * C + s * s * L * C,
                       slope = -(R * C + 2 * s * L * C) / (den * den);
        worst = fmax(worst, cabs(h[0] * den - 1));
        worst = fmax(worst, cabs(h[1] * den / (s * C) - 1));
        worst_slope = fmax(worst_slope, cabs(dh[0] / slope - 1));
        worst_slope = fmax(worst_slope, cabs(dh[1] / (C / den + s * C * slope) - 1));
    }
    CHECK_CLOSE(worst, 0, 1e-12);
    CHECK_CLOSE(worst_slope, 0, 1e-11);
    end(&rig);
}

/* Five lags (1/(1 + s))^5 in a chain: phase -5 atan w, group delay 5/(1 + w^2), on a grid of three
 * points a decade, whose steps of the phase are up to 125 degrees; and the poles of an oscillator
 * are told. */
static void phase_and_delay(void) {
    bench rig;
    CU_ASSERT_EQUAL_FATAL(
        begin(&rig,
              "<model xmlns='urn:linnet:model:1'><constant id='c' out='u' value='1'/>"
              "<transfer-function id='P' in='u' out='y' numerator='1' denominator='1 5 10 10 5 "
              "1'/></model>",
              "u", "y"),
        LINNET_OK);
    double frequency[10];
    for (int k = 0; k < 10; k++)
        frequency[k] = pow(10, k / 3.0 - 2) / 6.283185307179586;
    ln_bode bode;
    CU_ASSERT_EQUAL_FATAL(ln_bode_sweep(&rig.response, frequency, 10, NULL, NULL, &bode),
                          LINNET_OK);
    for (int k = 0; k < 10; k++) {
        double w = pow(10, k / 3.0 - 2);
        CHECK_CLOSE(bode.phase[k], -5 * atan(w) * 180 / acos(-1.0), 1e-9);
        CHECK_CLOSE(bode.delay[k], 5 / (1 + w * w), 1e-9);
        CHECK_CLOSE(bode.decibel[k], -50 * log10(1 + w * w), 1e-9);
    }
    end(&rig);
    CU_ASSERT_EQUAL_FATAL(
        begin(
            &rig,
            "<model xmlns='urn:linnet:model:1'><constant id='c' out='u' value='0'/>"
            "<transfer-function id='P' in='u' out='y' numerator='1' denominator='1 0 1'/></model>",
            "u", "y"),
        LINNET_OK);
    frequency[0] = 0;
    CU_ASSERT_EQUAL(ln_bode_sweep(&rig.response, frequency, 1, NULL, NULL, &bode), LINNET_OK);
    CHECK_CLOSE(creal(bode.h[0]), 1, 1e-15);
    double complex h;
    CU_ASSERT_EQUAL(ln_response_at(&rig.response, 1.0 * I, &h, NULL), LINNET_RETRY);
    end(&rig);
}

static void wrong_names(void) {
    static const char xml[] =
        "<model xmlns='urn:linnet:model:1'><constant id='c' out='u' value='1'/>"
        "<gain id='G' in='u' out='y' k='2'/></model>";
    bench rig;
    CU_ASSERT_EQUAL(begin(&rig, xml, "w", "y"), LINNET_USAGE);
    end(&rig);
    CU_ASSERT_EQUAL(begin(&rig, xml, "u", ","), LINNET_USAGE);
    end(&rig);
}

/* Nodes that store their difference only, g at one of them: a flux into the other one goes through
 * both, z = 1/g + 1/(s C), wherever the part's balance stands. So does what a line brings to its
 * end behind a capacitor: H = Z0 exp(-s T)/(2 Z0 + 1/(s C)) of a matched one. */
static void floating_parts(void) {
    static const char *const inputs[] = {"z", "I1"};
    static const char *const order[] = {"p='x' n='z'", "p='z' n='x'"};
    const double complex s = 700 * I;
    char xml[600];
    bench rig;
    double complex h[2];
    for (int k = 0; k < 4; k++) {
        snprintf(xml, sizeof xml,
                 "<model xmlns='urn:linnet:model:1'><ground id='gnd' p='0'/>"
                 "<capacitor id='C' %s C='2e-6'/><conductor id='g' p='x' n='0' G='1e-3'/>"
                 "<current-source id='I1' p='0' n='z' I='0'/></model>",
                 order[k / 2]);
        CU_ASSERT_EQUAL_FATAL(begin(&rig, xml, inputs[k % 2], "x z"), LINNET_OK);
        CU_ASSERT_EQUAL(ln_response_at(&rig.response, s, h, NULL), LINNET_OK);
        CHECK_CLOSE(cabs(h[0] / 1e3 - 1), 0, 1e-12);
        CHECK_CLOSE(cabs(h[1] / (1e3 + 1 / (2e-6 * s)) - 1), 0, 1e-12);
        end(&rig);
    }
    CU_ASSERT_EQUAL_FATAL(
        begin(&rig,
              "<model xmlns='urn:linnet:model:1'><ground id='gnd' p='0'/>"
              "<voltage-source id='V1' p='i' n='0' V='0'/><resistor id='Rs' p='i' n='a' R='50'/>"
              "<transmission-line id='T' p1='a' n1='0' p2='x' n2='0' Z0='50' TD='1 ms'/>"
              "<capacitor id='C' p='x' n='z' C='20 uF'/><resistor id='R' p='z' n='0' R='50'/>"
              "</model>",
              "V1", "z"),
        LINNET_OK);
    CU_ASSERT_EQUAL(ln_response_at(&rig.response, s, h, NULL), LINNET_OK);
    CHECK_CLOSE(cabs(h[0] * (100 + 1 / (20e-6 * s)) / (50 * cexp(-s * 1e-3)) - 1), 0, 1e-12);
    end(&rig);
}

UNIT_MAIN({"RLC filter", rlc_filter}, {"phase and delay", phase_and_delay},
          {"wrong names", wrong_names}, {"floating parts", floating_parts})
