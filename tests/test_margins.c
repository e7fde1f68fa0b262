/* SPDX-License-Identifier: MIT */
/* Margins of loops with closed forms, wherever they are opened. */
#include "loop_bench.h"
#include "unit.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MODEL(body) \
    "<model xmlns='urn:linnet:model:1'><constant id='ref' out='r' value='0'/>" body "</model>"
#define LOOP(blocks) MODEL("<sum id='s' in='r y' signs='+-' out='e'/>" blocks)

/* V10 of the notes: PID(13, 0, 1.95) with 1/(s^2 - 9), L = (1.95 s + 13)/(s^2 - 9). |L| = 1: with W
 * = w^2, (W + 9)^2 = 1.95^2 W + 169; L(0) = -13/9 is the only crossing of the negative axis. */
static void unstable_plant(void) {
    static const char *const places[] = {"y", "e", "P.in", "P.out"};
    double b = 18 - 1.95 * 1.95, w = sqrt((-b + sqrt(b * b + 4 * 88)) / 2);
    double pm = atan2(1.95 * w, 13) * 180 / acos(-1.0);
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        bench rig = opened(LOOP("<transfer-function id='P' in='e' out='y' numerator='1.95 13' "
                                "denominator='1 0 -9'/>"),
                           places[k]);
        CU_ASSERT_EQUAL_FATAL(rig.status, LINNET_OK);
        CU_ASSERT_EQUAL(rig.margins.ncrossings, 3);
        CU_ASSERT_EQUAL(rig.margins.unstable, 0);
        CHECK_CLOSE(rig.margins.gain->margin, 9.0 / 13, 1e-12);
        CHECK_CLOSE(rig.margins.gain->w, 0, 0);
        CHECK_CLOSE(rig.margins.phase->w, w, 1e-12);
        CHECK_CLOSE(rig.margins.phase->margin, pm, 1e-9);
        CHECK_CLOSE(rig.margins.delay->delay, pm * acos(-1.0) / 180 / w, 1e-11);
        CHECK_CLOSE(rig.margins.modulus->margin, 0.2933130, 1e-6);
        CHECK_CLOSE(rig.margins.modulus->w, 1.7729875, 1e-6);
        end(&rig);
    }
}

/* L = k/(s (1 + s)^2): -180 degrees at w = 1 where |L| = k/2. A resonance of damping 1e-6 at 100
 * rad/s on top of it, k/(s (1 + s)^2) (1 + 2e-4 s/(s^2 + 2e-4 s + 1e4)), has crossings within 1e-3
 * rad/s that no fixed grid meets. */
static void integrator_and_two_lags(void) {
    bench rig = opened(
        LOOP("<transfer-function id='P' in='e' out='y' numerator='0.5' denominator='1 2 1 0'/>"),
        "y");
    CU_ASSERT_EQUAL_FATAL(rig.status, LINNET_OK);
    CHECK_CLOSE(rig.margins.gain->margin, 4, 1e-12);
    CHECK_CLOSE(rig.margins.gain->w, 1, 1e-12);
    double w = rig.margins.phase->w; /* w (1 + w^2) = 0.5 */
    CHECK_CLOSE(w * (1 + w * w), 0.5, 1e-12);
    CHECK_CLOSE(rig.margins.phase->margin, 90 - 2 * atan(w) * 180 / acos(-1.0), 1e-11);
    end(&rig);
    rig = opened(
        LOOP("<transfer-function id='P' in='e' out='y' numerator='3' denominator='1 2 1 0'/>"),
        "y");
    CU_ASSERT_EQUAL_FATAL(rig.status, LINNET_OK);
    CU_ASSERT_EQUAL(rig.margins.unstable, 2);
    CHECK_CLOSE(rig.margins.gain->margin, 2.0 / 3, 1e-12);
    CU_ASSERT(rig.margins.phase->margin < 0);
    end(&rig);
}

static void narrow_resonance(void) {
    /* L = 0.01/(s + 1) + 2 z w0 g s/(s^2 + 2 z w0 s + w0^2) with w0 = 100, z = 1e-6, peak g = 20:
     * |L| is 1 on both flanks, where the resonance, 20/(1 + j d), d = (w^2 - w0^2)/(2 z w0 w), is
     * alone: 1 + d^2 = 400 but for the 1e-4 of the lag. */
    bench rig =
        opened(LOOP("<transfer-function id='A' in='e' out='a' numerator='0.01' denominator='1 1'/>"
                    "<transfer-function id='B' in='e' out='b' numerator='0.004 0' denominator='1 "
                    "0.0002 10000'/>"
                    "<sum id='t' in='a b' out='y'/>"),
               "y");
    CU_ASSERT_EQUAL_FATAL(rig.status, LINNET_OK);
    int gains = 0;
    for (int k = 0; k < rig.margins.ncrossings; k++) {
        const ln_loop_crossing *one = &rig.margins.crossings[k];
        if (one->kind != LN_CROSSING_GAIN)
            continue;
        gains++;
        double w = one->w, d = (w * w - 1e4) / (2e-4 * w);
        CHECK_CLOSE(d * d, 399, 0.02);
        double complex L = 0.01 / (1 + w * I) + 20 / (1 + d * I);
        CHECK_CLOSE(cabs(L), 1, 1e-7);
    }
    CU_ASSERT_EQUAL(gains, 2);
    end(&rig);
}

/* Loops without states: |1 + L| is the same everywhere. */
static void at_the_ends(void) {
    bench rig = opened(LOOP("<gain id='G' in='e' out='y' k='-0.5'/>"), "y");
    CU_ASSERT_EQUAL_FATAL(rig.status, LINNET_OK);
    CHECK_CLOSE(rig.margins.gain->margin, 2, 1e-12);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rig.margins.modulus);
    CHECK_CLOSE(rig.margins.modulus->margin, 0.5, 1e-12);
    end(&rig);
    rig = opened(LOOP("<integrator id='G' in='e' out='y' k='2'/>"), "y");
    CU_ASSERT_EQUAL_FATAL(rig.status, LINNET_OK);
    CHECK_CLOSE(rig.margins.phase->margin, 90, 1e-12);
    CHECK_CLOSE(rig.margins.delay->delay, acos(-1.0) / 4, 1e-12);
    CU_ASSERT_PTR_NULL(rig.margins.modulus);
    end(&rig);
}

static void no_loop(void) {
    static const char xml[] =
        LOOP("<transfer-function id='P' in='e' out='y' numerator='1' denominator='1 1'/>"
             "<gain id='G' in='y' out='z' k='2'/>");
    bench rig = opened(xml, "r");
    CU_ASSERT_EQUAL(rig.status, LINNET_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "in no loop"));
    end(&rig);
    rig = opened(xml, "z");
    CU_ASSERT_EQUAL(rig.status, LINNET_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "nothing reads 'z'"));
    end(&rig);
    rig = opened(xml, "yy");
    CU_ASSERT_EQUAL(rig.status, LINNET_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "no signal and no physical port 'yy'"));
    end(&rig);
}

UNIT_MAIN({"unstable plant", unstable_plant}, {"integrator and two lags", integrator_and_two_lags},
          {"narrow resonance", narrow_resonance}, {"at the ends", at_the_ends},
          {"no loop", no_loop})
