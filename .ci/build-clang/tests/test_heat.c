/* SPDX-License-Identifier: MIT */
/* Heat transfer and devices that heat: closed forms, the mean logarithmic temperature difference,
 * balances of energy. */
#include "physics.h"

#define ZERO "<absolute-zero id='z' p='0'/>"

static double steady(const char *xml, const char *signal) {
    return harness_end(xml, signal, "backward-euler", 1, 0.5);
}

static void test_conduction(void) {
    /* a heater that weakens as it warms: Q = 100 (1 - 0.01 (T - 293.15)), carried off by 2 W/K to
     * 293.15 K */
    CHECK_CLOSE(
        steady(MODEL(ZERO "<heat-source id='Q' p='0' n='a' Q='100' "
                          "alpha='-0.01'/><temperature-source id='T' p='b' n='0' T='293.15'/>"
                          "<thermal-conductance id='G' p='a' n='b' G='2'/>"),
               "a"),
        293.15 + 100 / 3.0, 1e-9);
    CHECK_CLOSE(
        steady(MODEL(ZERO "<heat-source id='Q' p='0' n='a' Q='100'/><temperature-source id='T' "
                          "p='b' n='0' T='300'/>"
                          "<wall-conduction id='w' p='a' n='b' k='0.8' A='2' length='0.2'/>"),
               "a"),
        300 + 100 * 0.2 / 1.6, 1e-12);
    CHECK_CLOSE(steady(MODEL(ZERO "<heat-source id='Q' p='0' n='a' Q='100'/><temperature-source "
                                  "id='T' p='b' n='0' T='300'/>"
                                  "<tube-conduction id='w' p='a' n='b' k='0.5' length='3' "
                                  "r_inner='0.02' r_outer='0.05'/>"),
                       "a"),
                300 + 100 * log(2.5) / (2 * pi * 0.5 * 3), 1e-12);
    CHECK_CLOSE(steady(MODEL(ZERO "<heat-source id='Q' p='0' n='a' Q='100'/><temperature-source "
                                  "id='T' p='b' n='0' T='300'/>"
                                  "<constant id='k' out='g' value='4'/><signal-conductance id='w' "
                                  "p='a' n='b' in='g'/>"),
                       "a"),
                325, 1e-12);
    /* c A dT^1.25 = Q */
    CHECK_CLOSE(steady(MODEL(ZERO "<heat-source id='Q' p='0' n='a' Q='100'/><temperature-source "
                                  "id='T' p='b' n='0' T='300'/>"
                                  "<natural-convection id='w' p='a' n='b' c='1.5' A='2'/>"),
                       "a"),
                300 + pow(100 / 3.0, 0.8), 1e-6);
    check_refused(MODEL(ZERO "<tube-conduction id='w' p='a' n='0' k='0.5' length='3' "
                             "r_inner='0.05' r_outer='0.02'/>"),
                  "the inner radius must be below the outer one");
}

/* An exchanger between 360 K and 290 K; the heat must be UA times the logarithmic mean of the
 * differences at its ends. */
static void check_exchanger(const char *type, int counter, double ua, double hot, double cold) {
    char xml[600];
    snprintf(xml, sizeof xml,
             MODEL(ZERO "<temperature-source id='T1' p='h' n='0' T='360'/><temperature-source "
                        "id='T2' p='c' n='0' T='290'/>"
                        "<constant id='w' out='rate' value='%.17g'/>"
                        "<%s id='x' hot='h' cold='c' UA='%.17g' rate_hot='%.17g' cold_flow='rate' "
                        "hot_out='ho' cold_out='co'/>"),
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
    CHECK_CLOSE(steady(MODEL(ZERO "<temperature-source id='T1' p='h' n='0' "
                                  "T='360'/><temperature-source id='T2' p='c' n='0' T='290'/>"
                                  "<cross-flow-exchanger id='x' hot='h' cold='c' UA='500' "
                                  "rate_hot='500' rate_cold='500'/>"),
                       "x.effectiveness"),
                1 - exp(exp(-1) - 1), 1e-12);
    check_refused(
        MODEL(ZERO "<counter-flow-exchanger id='x' hot='0' cold='0' UA='1' rate_hot='1'/>"),
        "rate_cold");
}

/* 1 mA through a diode: v from its formula, about -2 mV/K; all its power is heat. */
static void test_diode(void) {
    double before = NAN;
    for (double T = 250; T <= 400; T += 50) {
        char xml[500];
        snprintf(xml, sizeof xml,
                 MODEL(ZERO
                       "<ground id='g' p='n'/><temperature-source id='T' p='body' n='0' T='%g'/>"
                       "<current-source id='I' p='n' n='a' I='1e-3'/><heating-diode id='D' p='a' "
                       "n='n' heat='body' Rs='2'/>"),
                 T);
        harness h = harness_run(xml, "a D.heat.Q", "backward-euler", 1, 1);
        const double Vt = 8.617333262e-5 * T,
                     Is = 1e-14 * exp(3 * log(T / 300.15) + (T / 300.15 - 1) * 1.11 / Vt);
        const double v = Vt * log(1e-3 / Is + 1) + 2e-3;
        CHECK_CLOSE(harness_last(&h, 0), v, 1e-9);
        CHECK_CLOSE(harness_last(&h, 1), -1e-3 * v, 1e-12);
        if (T > 250)
            CU_ASSERT((v - before) / 50 < -1.4e-3 && (v - before) / 50 > -2.4e-3);
        before = v;
        harness_free(&h);
    }
    /* from far away: 100 V either way */
    for (int sign = -1; sign <= 1; sign += 2) {
        char xml[500];
        snprintf(
            xml, sizeof xml,
            MODEL(
                ZERO
                "<ground id='g' p='n'/><heat-capacity id='C' p='body' C='1'/>"
                "<voltage-source id='V' p='s' n='n' V='%d'/><resistor id='R' p='s' n='a' R='1000'/>"
                "<heating-diode id='D' p='a' n='n' heat='body'/>"),
            100 * sign);
        const double v = harness_end(xml, "a", "crank-nicolson", 0.01, 0.001);
        CU_ASSERT(sign > 0 ? v > 0.6 && v < 0.8 : v < -99);
    }
}

/* With an insulated cold side the greatest difference is alpha^2 Tc^2/(2 R G), at I = alpha Tc/R.
 */
static void test_peltier(void) {
    double cold = 300;
    for (int k = 0; k < 200; k++)
        cold += 0.1 * (300 - 0.05 * 0.05 * cold * cold / (2 * 2 * 0.5) - cold);
    char xml[500];
    snprintf(xml, sizeof xml,
             MODEL(ZERO "<ground id='g' p='n'/><temperature-source id='T' p='hot' n='0' T='300'/>"
                        "<current-source id='I' p='n' n='a' I='%.17g'/><heat-capacity id='C' "
                        "p='cold' C='5' T0='300'/>"
                        "<peltier-element id='P' p='a' n='n' cold='cold' hot='hot' alpha='0.05' "
                        "R='2' G='0.5'/>"),
             0.05 * cold / 2);
    harness h = harness_run_with(
        xml, "cold P.hot.Q P.cold.Q a",
        (ln_settings){.method = ln_method_find("radau5"), .end = 500, .tolerance = 1e-8});
    CHECK_CLOSE(harness_last(&h, 0), cold, 1e-6);
    for (size_t row = 0; row < h.rows; row++)
        CHECK_CLOSE(value(&h, row, 1) + value(&h, row, 2) + value(&h, row, 3) * 0.05 * cold / 2, 0,
                    1e-9);
    harness_free(&h);
}

/* A kettle: what the heater gives is in the water, in the wall, or gone to the room. */
static void test_balance(void) {
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(
            MODEL(ZERO "<temperature-source id='room' p='air' n='0' T='293.15'/><step-heat id='Q' "
                       "p='0' n='water' height='2000'/>"
                       "<heat-capacity id='W' p='water' C='4000' T0='293.15'/><wall-conduction "
                       "id='w' p='water' n='shell' k='0.2' A='0.1' length='0.003'/>"
                       "<heat-capacity id='S' p='shell' C='300' T0='293.15'/><natural-convection "
                       "id='c' p='shell' n='skin' c='1.5' A='0.1'/>"
                       "<radiation id='r' p='shell' n='skin' A='0.1' emissivity='0.9'/>"
                       "<heat-flow-sensor id='s' p='skin' n='air' out='loss'/><integrator id='I' "
                       "in='loss' out='lost'/>"),
            "water shell lost", r, 5);
        CHECK_CLOSE(4000 * (harness_last(&h, 0) - 293.15) + 300 * (harness_last(&h, 1) - 293.15) +
                        harness_last(&h, 2),
                    2000 * 5, r == 0 || r == 2 ? 1e-8 : 1e-6);
        harness_free(&h);
    }
}

/* Devices under voltages at a, b, c, d of 0, 0.7, 3 and -1 V. */
static const struct {
    const char *type, *rest;
} devices[] = {
    {"spice-diode", "p='b' n='a' IS='1e-14' RS='2' BV='5' TT='1e-9'"},
    {"bjt", "c='c' b='b' e='a' s='d' IS='1e-16' BF='80' VAF='50' RB='50' RC='10' RE='1' XTB='1.5' "
            "CJS='1e-12' ISS='1e-15'"},
    {"bjt", "c='c' b='b' e='a' IS='1e-16' RCO='100' GAMMA='1e-9' TF='1e-9' PTF='20' RE='1'"},
    {"bjt", "type='pnp' c='d' b='a' e='b' IS='1e-16' RC='10'"},
    {"jfet",
     "d='c' g='d' s='a' VTO='-2' BETA='1e-3' LAMBDA='0.02' RD='10' BEX='1.1' VTOTC='-2e-3'"},
    {"mosfet",
     "d='c' g='c' s='a' b='d' VTO='0.7' KP='1e-4' GAMMA='0.4' RD='20' RS='20' TOX='40 nm'"},
    {"mosfet", "LEVEL='2' d='c' g='c' s='a' b='d' VTO='0.7' TOX='40 nm' NSUB='1e16' UEXP='0.1'"},
    {"mosfet", "type='pmos' LEVEL='3' d='d' g='d' s='b' b='b' VTO='-0.7' NSUB='1e15' THETA='0.1'"}};
enum { DEVICES = sizeof devices / sizeof *devices };
#define AROUND                                                                                \
    ZERO "<ground id='g' p='a'/><voltage-source id='B' p='b' n='a' V='0.7'/><voltage-source " \
         "id='C' p='c' n='a' V='3'/>"                                                         \
         "<voltage-source id='D' p='d' n='a' V='-1'/>"
static const char supplies[] = "B.i C.i D.i";

/* At the temperature of its heat port a device is what its parameter `temp` makes it, and gives off
 * all that it takes. */
static void test_devices(void) {
    for (int k = 0; k < DEVICES; k++) {
        char with[900], without[900];
        snprintf(
            with, sizeof with,
            MODEL(AROUND
                  "<temperature-source id='T' p='body' n='0' T='360'/><%s id='x' heat='body' %s/>"),
            devices[k].type, devices[k].rest);
        snprintf(
            without, sizeof without,
            MODEL(AROUND
                  "<temperature-source id='T' p='body' n='0' T='360'/><%s id='x' temp='360' %s/>"),
            devices[k].type, devices[k].rest);
        harness a = harness_run(with, "B.i C.i D.i x.heat.Q", "backward-euler", 5e-3, 1e-3);
        harness b = harness_run(without, supplies, "backward-euler", 5e-3, 1e-3);
        for (int i = 0; i < 3; i++)
            CU_ASSERT(fabs(harness_last(&a, i) - harness_last(&b, i)) <=
                      1e-9 * fabs(harness_last(&b, i)) + 1e-20);
        const double power =
            -(0.7 * harness_last(&a, 0) + 3 * harness_last(&a, 1) - harness_last(&a, 2));
        CU_ASSERT(power > 1e-9);
        CU_ASSERT(fabs(harness_last(&a, 3) + power) <= 1e-9 * power);
        if (fabs(harness_last(&a, 3) + power) > 1e-9 * power)
            printf("\n    ^ %s %d: %g, %g\n", devices[k].type, k, harness_last(&a, 3), power);
        harness_free(&a);
        harness_free(&b);
    }
}

/* Each heats its body: the work of the sources is in it and gone to the air. */
static void test_devices_balance(void) {
    for (int k = 0; k < DEVICES; k++) {
        char xml[1200];
        snprintf(
            xml, sizeof xml,
            MODEL(AROUND
                  "<%s id='x' heat='body' %s/><heat-capacity id='H' p='body' C='1e-4' T0='300'/>"
                  "<thermal-resistance id='R' p='body' n='air' R='200'/><temperature-source id='T' "
                  "p='air' n='0' T='300'/>"),
            devices[k].type, devices[k].rest);
        harness h = harness_run_with(
            xml, "B.i C.i D.i body",
            (ln_settings){.method = ln_method_find("backward-euler"), .end = 0.05, .step = 1e-4});
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        double work = 0, lost = 0;
        for (size_t row = 1; row < h.rows; row++) { /* as backward Euler has it, exactly */
            const double dt = h.time[row] - h.time[row - 1];
            work -= dt * (0.7 * value(&h, row, 0) + 3 * value(&h, row, 1) - value(&h, row, 2));
            lost += dt * (value(&h, row, 3) - 300) / 200;
        }
        const double kept = 1e-4 * (harness_last(&h, 3) - 300);
        CU_ASSERT(fabs(work - kept - lost) <= 1e-5 * work);
        if (!(fabs(work - kept - lost) <= 1e-5 * work))
            printf("\n    ^ %s %d: %g, %g + %g\n", devices[k].type, k, work, kept, lost);
        harness_free(&h);
    }
}

/* What moves comes to rest in a damper or a brake: the energy of its motion is all in the body that
 * this heats. */
static void test_mechanical_losses(void) {
    static const struct {
        const char *xml;
        double energy;
    } some[] = {
        {"<mass id='m' p='a' m='2' v0='3'/><fixed-point id='Z' p='f'/><heating-damper id='x' p='a' "
         "n='f' heat='body' d='4'/>",
         9},
        {"<mass id='m' p='a' m='2' v0='3'/><fixed-point id='Z' p='f'/><spring id='s' p='a' n='f' "
         "k='30'/>"
         "<heating-damper id='x' p='a' n='f' heat='body' d='4'/>",
         9},
        {"<mass id='m' p='a' m='2' v0='3'/><fixed-point id='Z' p='f'/><friction id='x' p='a' n='f' "
         "heat='body' F='2' v_smooth='0.1'/>",
         9},
        {"<mass id='m' p='a' m='2' v0='3'/><dry-friction id='x' p='a' heat='body' F='2' d='1'/>",
         9},
        {"<mass id='m' p='a' m='2' v0='-3'/><elastic-gap id='x' p='a' heat='body' k='1000' d='20' "
         "x0='0.1'/>"
         "<force-source id='F' p='f' n='a' F='-10'/><fixed-point id='Z' p='f'/>",
         9 + 10 * 0.11 - 0.05},
        {"<mass id='m' p='a' m='2' v0='3'/><hard-stop id='x' p='a' heat='body' low='-0.1' "
         "high='0.1' k='1000' d='30'/>"
         "<heating-damper id='y' p='a' n='f' heat='body' d='0.1'/><fixed-point id='Z' p='f'/>",
         9},
        {"<inertia id='m' p='a' J='2' w0='3'/><fixed-shaft id='Z' "
         "p='f'/><heating-rotational-damper id='x' p='a' n='f' heat='body' d='4'/>",
         9},
        {"<inertia id='m' p='a' J='2' w0='3'/><fixed-shaft id='Z' p='f'/><rotational-friction "
         "id='x' p='a' n='f' heat='body' torque='2' w_smooth='0.1'/>",
         9},
        {"<inertia id='m' p='a' J='2' w0='3'/><torsion-backlash id='x' p='a' n='f' heat='body' "
         "play='0.1' k='1000' d='30'/><fixed-shaft id='Z' p='f'/>"
         "<heating-rotational-damper id='y' p='a' n='f' heat='body' d='0.1'/>",
         9},
        {"<inertia id='m' p='a' J='2' w0='3'/><constant id='U' out='u' value='1'/><brake id='x' "
         "p='a' in='u' heat='body' torque='2'/>",
         9},
        {"<inertia id='m' p='a' J='2' w0='3'/><inertia id='k' p='b' J='2' w0='-3'/><constant "
         "id='U' out='u' value='1'/>"
         "<clutch id='x' p='a' n='b' in='u' heat='body' torque='2'/>",
         18}};
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        char xml[900];
        snprintf(xml, sizeof xml, MODEL("%s<heat-capacity id='H' p='body' C='0.5' T0='300'/>"),
                 some[k].xml);
        harness h = harness_run_with(
            xml, "body",
            (ln_settings){.method = ln_method_find("radau5"), .end = 100, .tolerance = 1e-8});
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CHECK_CLOSE(0.5 * (harness_last(&h, 0) - 300), some[k].energy, 1e-4);
        harness_free(&h);
    }
}

UNIT_MAIN({"conduction and convection", test_conduction}, {"heat exchangers", test_exchangers},
          {"diode with a heat port", test_diode}, {"Peltier element", test_peltier},
          {"balance of energy", test_balance}, {"devices at a temperature", test_devices},
          {"devices that heat themselves", test_devices_balance},
          {"dampers and brakes", test_mechanical_losses})
