/* SPDX-License-Identifier: MIT */
/* Switches and elements that a signal moves, against closed forms. */
#include "physics.h"
#include <float.h>

#define GROUND "<ground id='g' p='0'/>"
#define SOURCE(volts) "<voltage-source id='V' p='a' n='0' V='" volts "'/>"

/* A buck converter's half-bridge, by a switch with a diode and by a two-way switch: L i' = 10 u - 2
 * i. */
static void test_switches(void) {
    static const char *const bridges[] = {
        "<ideal-switch id='S' p='a' n='b' in='u' Goff='0' Ron='1e-9'/><ideal-diode id='D' p='0' "
        "n='b' Goff='0' Ron='1e-9'/>",
        "<ideal-switch id='S' p='a' n='b' in='w' opens='1' Goff='0' Ron='1e-9'/><ideal-diode "
        "id='D' p='0' n='b' Goff='0' Ron='1e-9'/>",
        "<two-way-switch id='S' p='b' n1='0' n2='a' in='u' Goff='0' Ron='1e-9'/>"};
    double i = 0, keep = exp(-2);
    for (int k = 0; k < 5; k++)
        i = (5 + (i - 5) * keep) * keep;
    for (size_t b = 0; b < 3; b++)
        for (size_t r = EXPLICIT; r < RUNS; r++) {
            char xml[900];
            snprintf(xml, sizeof xml,
                     MODEL(GROUND SOURCE(
                         "10") "<pulse id='P' out='u' high='1' width='1 ms' period='2 ms'/>"
                               "<not id='N' in='u' out='w'/>%s<inductor id='L' p='b' n='c' L='1 "
                               "mH'/><resistor id='R' p='c' n='0' R='2'/>"),
                     bridges[b]);
            harness h = harness_run_with(xml, "L.i",
                                         (ln_settings){.method = ln_method_find(runs[r].method),
                                                       .end = 0.01,
                                                       .step = runs[r].tolerance > 0 ? 0 : 1e-6,
                                                       .tolerance = runs[r].tolerance});
            CU_ASSERT_EQUAL(h.status, LINNET_OK);
            CHECK_CLOSE(harness_last(&h, 0), i, runs[r].within);
            harness_free(&h);
        }
}

/* A diode stops to conduct as its current falls through zero; behind that its voltage moves by
 * 1e-11 V, less than the junction beside it is off by, before it falls. That is no crossing to be
 * located to the last digit of t: steps of 1e-19 s are none that any method can take. Two crossings
 * are told apart by a hundred roundings of t, from the middle of one to that of the other by half
 * of them at least (ln_crossing_resolution). */
static void test_within_noise(void) {
    static const char xml[] =
        MODEL(GROUND
              "<sine-voltage id='V' p='a' n='0' amplitude='16.8' frequency='8442.380751371886'/>"
              "<resistor id='R2' p='a' n='b' R='5164'/><resistor id='R3' p='b' n='c' R='16.52'/>"
              "<capacitor id='C0' p='a' n='b' C='8.8 uF'/><capacitor id='C2' p='c' n='a' C='0.333 "
              "uF'/><resistor id='RL' p='a' n='l' R='2.27'/><inductor id='L' p='l' n='c' "
              "L='12.63 mH'/><resistor id='RS' p='b' n='q' R='1.053'/><spice-diode id='D2' p='q' "
              "n='c' IS='1e-14' CJO='1.891e-11' TT='4.639e-08'/><ideal-diode id='D' p='0' n='c'/>");
    static const char *const methods[] = {"radau5", "tr-bdf2", "bdf2"};
    static const double tolerances[] = {1e-3, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 1e-7};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (size_t k = 0; k < sizeof tolerances / sizeof *tolerances; k++) {
            harness h = harness_run_with(xml, "c",
                                         (ln_settings){.method = ln_method_find(methods[m]),
                                                       .end = 237e-6,
                                                       .tolerance = tolerances[k]});
            CU_ASSERT_EQUAL(h.status, LINNET_OK);
            CU_ASSERT(h.statistics.smallest > 50 * DBL_EPSILON * 237e-6);
            harness_free(&h);
        }
}

/* Opened under i0 the arc of 60 V takes i = -18 + (i0 + 18) exp(-200 t) to zero; its heat is 60 V
 * times the charge. */
static void test_breaker(void) {
    const double i0 = 12, zero = log((i0 + 18) / 18) / 200,
                 charge = (i0 + 18) * (1 - 18 / (i0 + 18)) / 200 - 18 * zero;
    for (size_t r = EXPLICIT; r < RUNS; r++) {
        harness h = harness_run_with(
            MODEL(GROUND SOURCE(
                "24") "<step id='P' out='u' offset='1' height='-1' delay='0.1'/>"
                      "<inductor id='L' p='a' n='c' L='10 mH' i0='12'/><resistor id='R' p='c' "
                      "n='d' R='2'/>"
                      "<breaker id='S' p='d' n='0' in='u' heat='h' V0='60' Vmax='60' Ron='0' "
                      "Goff='1 mS'/><heat-capacity id='H' p='h' C='0.01' T0='0'/>"),
            "L.i S.mode h",
            (ln_settings){.method = ln_method_find(runs[r].method),
                          .end = 0.12,
                          .step = runs[r].tolerance > 0 ? 0 : 1e-5,
                          .tolerance = runs[r].tolerance});
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        double quenched = NAN;
        for (size_t row = 1; row < h.rows; row++)
            if (value(&h, row, 1) == 2 && value(&h, row - 1, 1) == 1)
                quenched = h.time[row];
        CHECK_CLOSE(quenched, 0.1 + zero, 1e-6);
        /* and a little where it is open */
        CHECK_CLOSE(harness_last(&h, 2) * 0.01 / (60 * charge), 1, 2e-2);
        harness_free(&h);
    }
}

/* A triac fired at 3 of 10 ms carries the rest of each half wave, a thyristor with a gate only what
 * the gate lets through. */
static void test_thyristors(void) {
    for (size_t r = EXPLICIT; r < RUNS; r++) {
        harness h = harness_run_with(
            MODEL(GROUND "<sine-voltage id='V' p='a' n='0' amplitude='100' frequency='50'/>"
                         "<pulse id='P' out='u' high='1' width='0.1 ms' period='10 ms' delay='3 "
                         "ms'/><triac id='T' p='a' n='b' fire='u' Goff='0'/>"
                         "<resistor id='R' p='b' n='0' R='10'/><pulse id='Q' out='w' high='1' "
                         "width='2 ms' period='5 ms'/>"
                         "<turn-off-thyristor id='G' p='a' n='c' fire='w' Goff='0' Ron='0' "
                         "Vknee='1'/><resistor id='R2' p='c' n='0' R='10'/>"),
            "b c",
            (ln_settings){.method = ln_method_find(runs[r].method),
                          .end = 0.04,
                          .step = runs[r].tolerance > 0 ? 1e-4 : 1e-4,
                          .tolerance = runs[r].tolerance});
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        for (size_t row = 0; row < h.rows; row++) {
            const double v = 100 * sin(100 * pi * h.time[row]), half = fmod(h.time[row], 0.01),
                         gate = fmod(h.time[row], 0.005);
            if (half > 0.0031 && half < 0.0099)
                CHECK_CLOSE(value(&h, row, 0) / v, 1, 2e-6);
            if (half > 1e-4 && half < 0.0029)
                CHECK_CLOSE(value(&h, row, 0), 0, 1e-9);
            if (gate > 1e-4 && gate < 0.0019)
                CHECK_CLOSE(value(&h, row, 1), fmax(v - 1, 0), 1e-9);
            if (gate > 0.0021 && gate < 0.0049)
                CHECK_CLOSE(value(&h, row, 1), 0, 1e-9);
        }
        harness_free(&h);
    }
}

/* Twice the capacitance halves the voltage, twice the inductance the current: charge and flux stay.
 */
static void test_adjusted(void) {
    for (size_t r = EXPLICIT; r < RUNS; r++) {
        harness h = run(MODEL(GROUND "<step id='S' out='k' offset='1' height='1' "
                                     "delay='0.1'/><gain id='G' in='k' out='c' k='1e-6'/>"
                                     "<variable-capacitor id='C' p='a' n='0' in='c' "
                                     "v0='10'/><resistor id='R' p='a' n='0' R='1e12'/>"
                                     "<variable-inductor id='L' p='b' n='0' in='k' "
                                     "i0='2'/><resistor id='R2' p='b' n='0' R='1e-9'/>"),
                        "a L.i", r, 0.2);
        CHECK_CLOSE(h.value[0], 10, 1e-9);
        CHECK_CLOSE(harness_last(&h, 0), 5, 1e-6);
        CHECK_CLOSE(harness_last(&h, 1), 1, 1e-6);
        harness_free(&h);
    }
}

static void test_potentiometer(void) {
    /* loaded by R at half: 10/(2 + 0.5) V; its losses are what the source gives less the load's */
    harness h = harness_run(
        MODEL(GROUND SOURCE(
            "10") "<constant id='r' out='u' value='0.5'/><constant id='s' out='gl' value='1e-3'/>"
                  "<potentiometer id='P' p='a' n='0' tap='t' R='1000' in='u' "
                  "heat='h'/><variable-conductor id='G' p='t' n='0' in='gl'/>"
                  "<potentiometer id='Q' p='a' n='0' tap='t2' R='1000' r='0.3'/><voltage-sensor "
                  "id='M' p='t2' out='seen'/><heat-capacity id='H' p='h' C='1' T0='300'/>"),
        "t t2 P.heat.Q", "backward-euler", 0.1, 0.1);
    CHECK_CLOSE(harness_last(&h, 0), 4, 1e-9);
    CHECK_CLOSE(harness_last(&h, 1), 3, 1e-9);
    CHECK_CLOSE(harness_last(&h, 2), -(10 * 0.012 - 0.016), 1e-9);
    harness_free(&h);
    check_refused(MODEL(GROUND SOURCE("1") "<potentiometer id='P' p='a' n='0' tap='t' "
                                           "R='1'/><resistor id='R' p='t' n='0' R='1'/>"),
                  "r");
}

/* Gain 10 of 1 V, then at the rail; what the output gives comes out of a supply. */
static void test_supply(void) {
    for (int k = 1; k <= 2; k++) {
        char xml[800];
        snprintf(
            xml, sizeof xml,
            MODEL(GROUND
                  "<voltage-source id='Vp' p='vp' n='0' V='15'/><voltage-source id='Vn' p='vn' "
                  "n='0' V='-15'/>"
                  "<voltage-source id='V' p='a' n='0' V='%d'/><op-amp-with-supply id='U' p='a' "
                  "n='m' out='o' vp='vp' vn='vn'/>"
                  "<resistor id='R1' p='m' n='0' R='1k'/><resistor id='R2' p='o' n='m' R='9k'/>"),
            k);
        harness h = harness_run(xml, "o Vp.i Vn.i", "backward-euler", 0.1, 0.1);
        CHECK_CLOSE(harness_last(&h, 0), k == 1 ? 10 : 15, 2e-3);
        CHECK_CLOSE(harness_last(&h, 1), -harness_last(&h, 0) / 10e3, 1e-12);
        CHECK_CLOSE(harness_last(&h, 2), 0, 1e-12);
        harness_free(&h);
    }
}

UNIT_MAIN({"switches", test_switches}, {"within noise of a crossing", test_within_noise},
          {"breaker", test_breaker}, {"thyristors", test_thyristors},
          {"adjusted storage", test_adjusted}, {"potentiometer", test_potentiometer},
          {"supplied amplifier", test_supply})
