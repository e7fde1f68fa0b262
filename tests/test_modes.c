/* SPDX-License-Identifier: MIT */
/* Modes of models by name, stable steps, zeros and gain: closed forms, and our own simulation. */
#include "analysis/modes.h"
#include "model/model.h"
#include "unit.h"
#include <complex.h>
#include <stdlib.h>

typedef struct bench {
    ln_report *report;
    ln_model *model;
    ln_simulation simulation;
    ln_small_signal small;
    ln_modes modes;
} bench;

static char said[512];
static void note(void *context, ln_severity severity, ln_place place, const char *text) {
    (void)severity;
    (void)place;
    snprintf(context, 512, "%s", text);
}

static bench solved(const char *xml, const char *outputs, int count) {
    bench rig = {.report = ln_report_new(note, said)};
    char names[256];
    snprintf(names, sizeof names, "%s", outputs);
    linnet_status status =
        ln_model_read_memory("test.xml", xml, strlen(xml), NULL, rig.report, &rig.model);
    if (status == LINNET_OK)
        status =
            ln_simulation_prepare(&rig.simulation, rig.model, &(ln_request){0}, 0,
                                  &(ln_record_choice){ln_small_signal_choose, names}, rig.report);
    if (status == LINNET_OK)
        status = ln_small_signal_at_rest(&rig.simulation, &rig.small);
    if (status == LINNET_OK)
        status = ln_modes_find(&rig.small, count, 0, 0, &rig.modes);
    if (status != LINNET_OK)
        printf("\n    %s\n", said);
    CU_ASSERT_EQUAL_FATAL(status, LINNET_OK);
    return rig;
}

static void done(bench *rig) {
    ln_modes_free(&rig->modes);
    ln_small_signal_free(&rig->small);
    ln_simulation_free(&rig->simulation);
    ln_model_free(rig->model);
    ln_report_free(rig->report);
}

static ln_transfer transfer(bench *rig, const char *from, const char *to) {
    ln_input input;
    ln_quantity output;
    ln_transfer found;
    rig->modes.small = &rig->small; /* the bench has been copied since */
    CU_ASSERT_EQUAL_FATAL(ln_small_signal_input(&rig->small, from, &input), LINNET_OK);
    CU_ASSERT_FATAL(ln_network_find(rig->simulation.network, to, &output, NULL));
    CU_ASSERT_EQUAL_FATAL(ln_transfer_find(&rig->modes, &input, &output, &found), LINNET_OK);
    return found;
}

/* R = 10 Ohm, L = 1 mH, C = 1 uF: s = -R/2L +- i sqrt(1/LC - (R/2L)^2). */
static const char rlc[] =
    "<model xmlns='urn:linnet:model:1'><ground id='gnd' p='0'/><voltage-source id='V1' p='in' "
    "n='0' V='1 V'/>"
    "<resistor id='R1' p='in' n='a' R='10 Ohm'/><inductor id='L1' p='a' n='out' L='1 mH'/>"
    "<capacitor id='C1' p='out' n='0' C='1 uF'/></model>";

static void test_rlc(void) {
    bench rig = solved(rlc, "out", 0);
    CU_ASSERT_EQUAL_FATAL(rig.modes.count, 2);
    CU_ASSERT_EQUAL(rig.modes.index, 1);
    const ln_eigenmode *mode = &rig.modes.modes[0];
    CHECK_CLOSE(mode->re, -5000, 1e-12);
    CHECK_CLOSE(mode->im, sqrt(1e9 - 25e6), 1e-12);
    CHECK_CLOSE(ln_mode_damping(mode), 5e3 / sqrt(1e9), 1e-12);
    CHECK_CLOSE(ln_mode_frequency(mode), sqrt(1e9) / (2 * acos(-1)), 1e-12);
    CU_ASSERT_EQUAL_FATAL(mode->nstates, 2);
    CHECK_CLOSE(mode->states[0].share, 0.5, 1e-12);
    CU_ASSERT(strcmp(mode->states[0].name, "C1.v") == 0 ||
              strcmp(mode->states[1].name, "C1.v") == 0);
    CU_ASSERT(strcmp(mode->states[0].name, "L1.i") == 0 ||
              strcmp(mode->states[1].name, "L1.i") == 0);
    int limiting;
    /* Euler: |1 + h s| = 1 at h = -2 re/|s|^2 */
    CHECK_CLOSE(ln_modes_step(&rig.modes, ln_method_find("euler"), &limiting) * 1e5, 1, 1e-10);
    ln_transfer low = transfer(&rig, "V1", "out"), band = transfer(&rig, "V1", "R1.v"),
                none = transfer(&rig, "V1", "0");
    CU_ASSERT_EQUAL(low.nzeros, 0);
    CHECK_CLOSE(low.gain / 1e9, 1, 1e-12); /* 1/(LC) */
    CHECK_CLOSE(low.at_zero, 1, 1e-13);
    CU_ASSERT_EQUAL_FATAL(band.nzeros, 1);
    CU_ASSERT_EQUAL(band.zeros[0], 0);
    CHECK_CLOSE(band.gain / 1e4, 1, 1e-12); /* R/L */
    CU_ASSERT(none.none);
    done(&rig);
}

/* y/u = 5 (s + 2)(s - 3)/(s (s + 1)(s^2 + 0.2 s + 4)): zeros in the right half plane, a pole at 0.
 */
static void test_zeros(void) {
    bench rig = solved("<model xmlns='urn:linnet:model:1'><constant id='c' value='0' "
                       "out='u'/><transfer-function id='P' in='u' out='y' "
                       "numerator='5 -5 -30' denominator='1 1.2 4.2 4 0'/></model>",
                       "y", 0);
    CU_ASSERT_EQUAL_FATAL(rig.modes.count, 4);
    CU_ASSERT_EQUAL(rig.modes.modes[0].re, 0);
    CHECK_CLOSE(rig.modes.modes[1].re, -1, 1e-12);
    CHECK_CLOSE(rig.modes.modes[2].re, -0.1, 1e-12);
    CHECK_CLOSE(rig.modes.modes[2].im, sqrt(3.99), 1e-12);
    ln_transfer found = transfer(&rig, "c", "y");
    CU_ASSERT_EQUAL_FATAL(found.nzeros, 2);
    CHECK_CLOSE(found.zeros[0], -2, 1e-12);
    CHECK_CLOSE(found.zeros[2], 3, 1e-12);
    CHECK_CLOSE(found.gain, 5, 1e-12);
    done(&rig);
}

/* Stability intervals on the negative real axis, known to more digits than are printed in books:
 * euler and heun 2, rk4 2.785293563405282; on the imaginary axis rk4 2 sqrt 2, euler and heun none.
 */
static void test_regions(void) {
    const double pi = acos(-1);
    CHECK_CLOSE(ln_stability_radius(ln_tableau_find("euler"), pi), 2, 1e-11);
    CHECK_CLOSE(ln_stability_radius(ln_tableau_find("heun"), pi), 2, 1e-11);
    CHECK_CLOSE(ln_stability_radius(ln_tableau_find("rk4"), pi), 2.785293563405282, 1e-11);
    CHECK_CLOSE(ln_stability_radius(ln_tableau_find("rk4"), pi / 2), 2 * sqrt(2), 1e-11);
    CU_ASSERT_EQUAL(ln_stability_radius(ln_tableau_find("euler"), pi / 2), 0);
    CU_ASSERT_EQUAL(ln_stability_radius(ln_tableau_find("heun"), pi / 2), 0);
    CHECK_CLOSE(ln_stability_radius(ln_tableau_find("rk45"), pi), 3.306568, 1e-5);
    int limiting;
    CU_ASSERT(
        isinf(ln_stable_step(ln_tableau_find("rk4"), (const double[]){3, 1, 0, 0}, 2, &limiting)));
    CU_ASSERT_EQUAL(limiting, -1);
}

/* A capacitor across a source beside an RC: index 2, by name. */
static void test_index(void) {
    bench rig =
        solved("<model xmlns='urn:linnet:model:1'><ground id='gnd' p='0'/><voltage-source id='V1' "
               "p='a' n='0' V='1 V'/>"
               "<capacitor id='C1' p='a' n='0' C='1 uF'/><resistor id='R1' p='a' n='b' R='1 kOhm'/>"
               "<capacitor id='C2' p='b' n='0' C='1 uF'/></model>",
               "b", 0);
    CU_ASSERT_EQUAL(rig.modes.index, 2);
    CU_ASSERT_EQUAL_FATAL(rig.modes.count, 1);
    CHECK_CLOSE(rig.modes.modes[0].re, -1000, 1e-12);
    CHECK_TEXT(rig.modes.modes[0].states[0].name, "C2.v");
    CU_ASSERT_EQUAL_FATAL(rig.modes.nhidden, 1);
    CHECK_TEXT(rig.modes.hidden[0], "V1.p.i");
    CU_ASSERT_EQUAL_FATAL(rig.modes.ntied, 1);
    CHECK_TEXT(rig.modes.tied[0], "C1");
    done(&rig);
}

/* A ladder of 1000 equal sections from XML: s_k = -4/(RC) sin^2((2k - 1) pi/(2 (2 N + 1))). */
static void test_ladder(void) {
    enum { N = 1000, FEW = 8 };
    size_t room = 200 * N, length = 0;
    char *xml = malloc(room);
    CU_ASSERT_PTR_NOT_NULL_FATAL(xml);
    length += (size_t)snprintf(xml, room,
                               "<model xmlns='urn:linnet:model:1'><ground id='gnd' p='0'/>"
                               "<voltage-source id='V1' p='n0' n='0' V='1 V'/>");
    for (int k = 1; k <= N; k++)
        length += (size_t)snprintf(xml + length, room - length,
                                   "<resistor id='R%d' p='n%d' n='n%d' R='1 kOhm'/>"
                                   "<capacitor id='C%d' p='n%d' n='0' C='1 uF'/>",
                                   k, k - 1, k, k, k);
    snprintf(xml + length, room - length, "</model>");
    bench rig = solved(xml, "n1", FEW);
    free(xml);
    CU_ASSERT_EQUAL_FATAL(rig.modes.count, FEW);
    for (int k = 1; k <= FEW; k++) {
        double sine = sin((2 * k - 1) * acos(-1) / (2 * (2 * N + 1)));
        CHECK_CLOSE(rig.modes.modes[k - 1].re / (-4000 * sine * sine), 1, 1e-9);
    }
    CHECK_TEXT(rig.modes.modes[0].states[0].name, "C1000.v"); /* the far end moves most */
    done(&rig);
}

UNIT_MAIN({"an RLC circuit", test_rlc}, {"zeros and a pole at 0", test_zeros},
          {"stability regions", test_regions}, {"index 2", test_index},
          {"a ladder of 1000 sections", test_ladder})
