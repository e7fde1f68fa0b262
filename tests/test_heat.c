/* SPDX-License-Identifier: MIT */
/* Heat transfer and devices that heat: closed forms, the mean logarithmic temperature difference, balances of energy. */
#include "physics.h"

#define ZERO "<absolute-zero id='z' p='0'/>"

static double steady(const char *xml, const char *signal) { return harness_end(xml, signal, "backward-euler", 1, 0.5); }

static void test_conduction(void) {
    CHECK_CLOSE(steady(MODEL(ZERO "<heat-source id='Q' p='0' n='a' Q='100'/><temperature-source id='T' p='b' n='0' T='300'/>"
                             "<wall-conduction id='w' p='a' n='b' k='0.8' A='2' length='0.2'/>"), "a"), 300 + 100 * 0.2 / 1.6, 1e-12);
    CHECK_CLOSE(steady(MODEL(ZERO "<heat-source id='Q' p='0' n='a' Q='100'/><temperature-source id='T' p='b' n='0' T='300'/>"
                             "<tube-conduction id='w' p='a' n='b' k='0.5' length='3' r_inner='0.02' r_outer='0.05'/>"), "a"),
                300 + 100 * log(2.5) / (2 * pi * 0.5 * 3), 1e-12);
    CHECK_CLOSE(steady(MODEL(ZERO "<heat-source id='Q' p='0' n='a' Q='100'/><temperature-source id='T' p='b' n='0' T='300'/>"
                             "<constant id='k' out='g' value='4'/><signal-conductance id='w' p='a' n='b' in='g'/>"), "a"), 325, 1e-12);
    /* c A dT^1.25 = Q */
    CHECK_CLOSE(steady(MODEL(ZERO "<heat-source id='Q' p='0' n='a' Q='100'/><temperature-source id='T' p='b' n='0' T='300'/>"
                             "<natural-convection id='w' p='a' n='b' c='1.5' A='2'/>"), "a"), 300 + pow(100 / 3.0, 0.8), 1e-6);
    check_refused(MODEL(ZERO "<tube-conduction id='w' p='a' n='0' k='0.5' length='3' r_inner='0.05' r_outer='0.02'/>"),
                  "the inner radius must be below the outer one");
}

/* An exchanger between 360 K and 290 K; the heat must be UA times the logarithmic mean of the differences at its ends. */
static void check_exchanger(const char *type, int counter, double ua, double hot, double cold) {
    char xml[600];
    snprintf(xml, sizeof xml, MODEL(ZERO "<temperature-source id='T1' p='h' n='0' T='360'/><temperature-source id='T2' p='c' n='0' T='290'/>"
             "<constant id='w' out='rate' value='%.17g'/>"
             "<%s id='x' hot='h' cold='c' UA='%.17g' rate_hot='%.17g' cold_flow='rate' hot_out='ho' cold_out='co'/>"),
             cold, type, ua, hot);
    harness h = harness_run(xml, "x.heat ho co x.effectiveness", "backward-euler", 1, 1);
    const double q = harness_last(&h, 0), ho = harness_last(&h, 1), co = harness_last(&h, 2);
    const double a = counter ? 360 - co : 360 - 290, b = counter ? ho - 290 : ho - co;
    const double mean = fabs(a - b) < 1e-3 * a ? (a + b) / 2 : (a - b) / log(a / b);
    CHECK_CLOSE(q, hot * (360 - ho), 1e-9);
    CHECK_CLOSE(q, cold * (co - 290), 1e-9);
    CHECK_CLOSE(q / (ua * mean), 1, b < 1e-3 ? 1e-4 : 1e-6);
    CU_ASSERT(harness_last(&h, 3) > 0 && harness_last(&h, 3) < 1);
    harness_free(&h);
}

static void test_exchangers(void) {
    for (double ua = 10; ua < 3000; ua *= 3)
        for (double cold = 100; cold < 2000; cold *= 1.7) {
            check_exchanger("counter-flow-exchanger", 1, ua, 500, cold);
            check_exchanger("parallel-flow-exchanger", 0, ua, 500, cold);
        }
    check_exchanger("counter-flow-exchanger", 1, 700, 500, 500);
    check_exchanger("counter-flow-exchanger", 1, 700, 500, 500 * (1 + 1e-7));
    /* Incropera, table 11.3: both streams unmixed, equal rates, one transfer unit */
    CHECK_CLOSE(steady(MODEL(ZERO "<temperature-source id='T1' p='h' n='0' T='360'/><temperature-source id='T2' p='c' n='0' T='290'/>"
                             "<cross-flow-exchanger id='x' hot='h' cold='c' UA='500' rate_hot='500' rate_cold='500'/>"),
                       "x.effectiveness"), 1 - exp(exp(-1) - 1), 1e-12);
    check_refused(MODEL(ZERO "<counter-flow-exchanger id='x' hot='0' cold='0' UA='1' rate_hot='1'/>"), "rate_cold");
}

/* 1 mA through a diode: v from its formula, about -2 mV/K; all its power is heat. */
static void test_diode(void) {
    double before = NAN;
    for (double T = 250; T <= 400; T += 50) {
        char xml[500];
        snprintf(xml, sizeof xml, MODEL(ZERO "<ground id='g' p='n'/><temperature-source id='T' p='body' n='0' T='%g'/>"
                 "<current-source id='I' p='n' n='a' I='1e-3'/><heating-diode id='D' p='a' n='n' heat='body' Rs='2'/>"), T);
        harness h = harness_run(xml, "a D.heat.Q", "backward-euler", 1, 1);
        const double Vt = 8.617333262e-5 * T, Is = 1e-14 * exp(3 * log(T / 300.15) + (T / 300.15 - 1) * 1.11 / Vt);
        const double v = Vt * log(1e-3 / Is + 1) + 2e-3;
        CHECK_CLOSE(harness_last(&h, 0), v, 1e-9);
        CHECK_CLOSE(harness_last(&h, 1), -1e-3 * v, 1e-12);
        if (T > 250) CU_ASSERT((v - before) / 50 < -1.4e-3 && (v - before) / 50 > -2.4e-3);
        before = v;
        harness_free(&h);
    }
    /* from far away: 100 V either way */
    for (int sign = -1; sign <= 1; sign += 2) {
        char xml[500];
        snprintf(xml, sizeof xml, MODEL(ZERO "<ground id='g' p='n'/><heat-capacity id='C' p='body' C='1'/>"
                 "<voltage-source id='V' p='s' n='n' V='%d'/><resistor id='R' p='s' n='a' R='1000'/>"
                 "<heating-diode id='D' p='a' n='n' heat='body'/>"), 100 * sign);
        const double v = harness_end(xml, "a", "crank-nicolson", 0.01, 0.001);
        CU_ASSERT(sign > 0 ? v > 0.6 && v < 0.8 : v < -99);
    }
}

/* With an insulated cold side the greatest difference is alpha^2 Tc^2/(2 R G), at I = alpha Tc/R. */
static void test_peltier(void) {
    double cold = 300;
    for (int k = 0; k < 200; k++) cold += 0.1 * (300 - 0.05 * 0.05 * cold * cold / (2 * 2 * 0.5) - cold);
    char xml[500];
    snprintf(xml, sizeof xml, MODEL(ZERO "<ground id='g' p='n'/><temperature-source id='T' p='hot' n='0' T='300'/>"
             "<current-source id='I' p='n' n='a' I='%.17g'/><heat-capacity id='C' p='cold' C='5' T0='300'/>"
             "<peltier-element id='P' p='a' n='n' cold='cold' hot='hot' alpha='0.05' R='2' G='0.5'/>"), 0.05 * cold / 2);
    harness h = harness_run_with(xml, "cold P.hot.Q P.cold.Q a",
                                 (ln_settings){.method = ln_method_find("radau5"), .end = 500, .tolerance = 1e-8});
    CHECK_CLOSE(harness_last(&h, 0), cold, 1e-6);
    for (size_t row = 0; row < h.rows; row++)
        CHECK_CLOSE(value(&h, row, 1) + value(&h, row, 2) + value(&h, row, 3) * 0.05 * cold / 2, 0, 1e-9);
    harness_free(&h);
}

/* A kettle: what the heater gives is in the water, in the wall, or gone to the room. */
static void test_balance(void) {
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(MODEL(ZERO "<temperature-source id='room' p='air' n='0' T='293.15'/><step-heat id='Q' p='0' n='water' height='2000'/>"
                      "<heat-capacity id='W' p='water' C='4000' T0='293.15'/><wall-conduction id='w' p='water' n='shell' k='0.2' A='0.1' length='0.003'/>"
                      "<heat-capacity id='S' p='shell' C='300' T0='293.15'/><natural-convection id='c' p='shell' n='skin' c='1.5' A='0.1'/>"
                      "<radiation id='r' p='shell' n='skin' A='0.1' emissivity='0.9'/>"
                      "<heat-flow-sensor id='s' p='skin' n='air' out='loss'/><integrator id='I' in='loss' out='lost'/>"),
                "water shell lost", r, 5);
        CHECK_CLOSE(4000 * (harness_last(&h, 0) - 293.15) + 300 * (harness_last(&h, 1) - 293.15) + harness_last(&h, 2), 2000 * 5,
                    r == 0 || r == 2 ? 1e-8 : 1e-6);
        harness_free(&h);
    }
}

UNIT_MAIN({"conduction and convection", test_conduction}, {"heat exchangers", test_exchangers}, {"diode with a heat port", test_diode},
          {"Peltier element", test_peltier}, {"balance of energy", test_balance})
