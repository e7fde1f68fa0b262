/* SPDX-License-Identifier: MIT */
/* Physical networks against closed forms and published references (shared/stiff.md, "Physical
 * networks with closed form"), each to the accuracy its method allows, and the fixed-step figures
 * of the stiff problems. */
#include "harness.h"
#include "unit.h"

#define MODEL(body) "<model xmlns='urn:linnet:model:1'>" body "</model>"
#define GROUND "<ground id='gnd' p='0'/>"

static void rc_step(void) {
    const char *xml = MODEL(
        GROUND
        "<voltage-source id='V' p='in' n='0' V='1'/><resistor id='R' p='in' n='out' R='1 kOhm'/>"
        "<capacitor id='C' p='out' n='0' C='1 uF'/>");
    const double exact = 0.6321205588285577;
    CHECK_CLOSE(harness_end(xml, "out", "crank-nicolson", 1e-3, 1e-7), exact, 2e-9);
    CHECK_CLOSE(harness_order(xml, "out", "crank-nicolson", 1e-3, 2e-5, exact), 2, 0.05);
    CHECK_CLOSE(harness_order(xml, "out", "backward-euler", 1e-3, 5e-6, exact), 1, 0.05);
    CHECK_CLOSE(harness_order(xml, "out", "tr-bdf2", 1e-3, 2e-5, exact), 2, 0.05);
    CHECK_CLOSE(harness_end(xml, "out", "rk4", 1e-3, 1e-6), exact, 1e-12);
}

static void rc_sine(void) {
    const char *xml = MODEL(
        GROUND
        "<sine-voltage id='V' p='in' n='0' amplitude='1' frequency='1 kHz'/>"
        "<resistor id='R' p='in' n='out' R='1 kOhm'/><capacitor id='C' p='out' n='0' C='1 uF'/>");
    const double exact = 0.04106491699854122;
    CHECK_CLOSE(harness_end(xml, "out", "crank-nicolson", 2.25e-3, 1e-7), exact, 1e-7);
    CHECK_CLOSE(harness_order(xml, "out", "crank-nicolson", 2.25e-3, 2.5e-6, exact), 2, 0.05);
    CHECK_CLOSE(harness_end(xml, "out", "rk4", 2.25e-3, 1e-6), exact, 1e-11);
}

#define RLC(R)                                                                                 \
    MODEL(GROUND                                                                               \
          "<voltage-source id='V' p='a' n='0' V='1'/><resistor id='R' p='a' n='b' R='" R "'/>" \
          "<inductor id='L' p='b' n='c' L='1 mH'/><capacitor id='C' p='c' n='0' C='1 uF'/>")

static void rlc(void) {
    static const struct {
        const char *xml;
        double v, i;
    } cases[] = {{RLC("10"), 1.604565789000015, 3.708626692986789e-4},
                 {RLC("63.24555320336759"), 0.8238140347899729, 4.2329219623205e-3},
                 {RLC("1000"), 0.09434577250788569, 9.065616975690499e-4}};
    for (size_t k = 0; k < 3; k++) {
        harness h = harness_run(cases[k].xml, "c L.i", "rk4", 1e-4, 1e-7), cn;
        CU_ASSERT(h.status == LINNET_OK);
        CHECK_CLOSE(harness_last(&h, 0), cases[k].v, 1e-9);
        CHECK_CLOSE(harness_last(&h, 1), cases[k].i, 1e-9);
        harness_free(&h);
        cn = harness_run(cases[k].xml, "c L.i", "crank-nicolson", 1e-4, 1e-8);
        CHECK_CLOSE(harness_last(&cn, 0), cases[k].v, 1e-7);
        CHECK_CLOSE(harness_last(&cn, 1), cases[k].i, 1e-8);
        harness_free(&cn);
    }
}

/* Energy about v = 1 stays 5e-7 J under Crank-Nicolson, to rounding, over 50 periods. */
static void lc_energy(void) {
    const char *xml = MODEL(
        GROUND "<voltage-source id='V' p='a' n='0' V='1'/><inductor id='L' p='a' n='c' L='1 mH'/>"
               "<capacitor id='C' p='c' n='0' C='1 uF'/>");
    harness h = harness_run(xml, "c L.i", "crank-nicolson", 0.01, 1e-6);
    CU_ASSERT(h.status == LINNET_OK && h.rows == 10001);
    double worst = 0;
    for (size_t row = 0; row < h.rows; row++) {
        double v = h.value[2 * row] - 1, i = h.value[2 * row + 1];
        worst = fmax(worst, fabs((0.5e-6 * v * v + 0.5e-3 * i * i) / 5e-7 - 1));
    }
    printf("    energy drift %.2g\n", worst);
    CU_ASSERT(worst <= 1e-12);
    harness_free(&h);
    CHECK_CLOSE(harness_end(xml, "c", "rk4", 0.01, 1e-7), 1.477409638038681, 1e-9);
    CHECK_CLOSE(harness_order(xml, "c", "crank-nicolson", 0.01, 1e-7, 1.477409638038681), 2, 0.05);
}

static void diode_operating_point(void) {
    const char *xml = MODEL(
        GROUND "<voltage-source id='V' p='a' n='0' V='5'/><resistor id='R' p='a' n='d' R='1 kOhm'/>"
               "<diode id='D' p='d' n='0' IS='1e-14' Vt='25.85 mV' GMIN='0'/>");
    CHECK_CLOSE(harness_end(xml, "d", "backward-euler", 1e-3, 1e-3), 0.692490375224185, 1e-11);
    harness h = harness_run_with(xml, "d",
                                 (ln_settings){.method = ln_method_find("crank-nicolson"),
                                               .end = 1e-3,
                                               .step = 1e-3,
                                               .start = LN_START_OPERATING_POINT});
    CHECK_CLOSE(harness_at(&h, 0, 0), 0.692490375224185, 1e-11);
    harness_free(&h);
}

static void half_wave_rectifier(void) {
    const char *xml = MODEL(
        GROUND
        "<sine-voltage id='V' p='s' n='0' amplitude='10' frequency='50'/>"
        "<resistor id='Rs' p='s' n='in' R='1'/><diode id='D' p='in' n='out' IS='1e-12' Vt='0.04' "
        "GMIN='0'/>"
        "<capacitor id='C' p='out' n='0' C='100 uF'/><resistor id='R' p='out' n='0' R='1 kOhm'/>");
    const double exact = 7.808169406249798;
    CHECK_CLOSE(harness_end(xml, "out", "crank-nicolson", 0.1, 1e-6), exact, 1e-7);
    CHECK_CLOSE(harness_order(xml, "out", "crank-nicolson", 0.1, 2e-5, exact), 2, 0.2);
    CHECK_CLOSE(harness_order(xml, "out", "backward-euler", 0.1, 1e-5, exact), 1, 0.05);
}

static char *ladder(int sections) {
    size_t room = 200 * (size_t)sections + 400;
    char *xml = ln_sys->allocate(room);
    if (xml == NULL)
        return NULL;
    int at = snprintf(xml, room,
                      "<model xmlns='urn:linnet:model:1'>" GROUND
                      "<voltage-source id='V' p='n0' n='0' V='1'/>");
    for (int k = 1; k <= sections; k++)
        at += snprintf(xml + at, room - (size_t)at,
                       "<resistor id='R%d' p='n%d' n='n%d' R='100'/><capacitor id='C%d' p='n%d' "
                       "n='0' C='1 uF'/>",
                       k, k - 1, k, k, k);
    snprintf(xml + at, room - (size_t)at, "</model>");
    return xml;
}

static void rc_ladder(void) {
    char *xml = ladder(10);
    CU_ASSERT_PTR_NOT_NULL_FATAL(xml);
    CHECK_CLOSE(harness_end(xml, "n10", "rk4", 5e-3, 1e-5), 0.5852459245325142, 1e-9);
    CHECK_CLOSE(harness_end(xml, "n10", "crank-nicolson", 5e-3, 1e-6), 0.5852459245325142, 1e-7);
    ln_sys->release(xml);
}

/* 100 nodes of u_t = u_xx on [0,1], ends 0: capacities of 1 J/K, conductances of 101^2 W/K. */
static void heat_rod(void) {
    size_t room = 40000;
    char *xml = ln_sys->allocate(room);
    CU_ASSERT_PTR_NOT_NULL_FATAL(xml);
    int at = snprintf(xml, room, "<model xmlns='urn:linnet:model:1'><absolute-zero id='z' p='e'/>");
    for (int k = 1; k <= 100; k++)
        at += snprintf(xml + at, room - (size_t)at,
                       "<heat-capacity id='C%d' p='u%d' C='1' T0='%.17g'/>", k, k,
                       sin(acos(-1.0) * k / 101));
    for (int k = 0; k <= 100; k++) {
        char a[16], b[16];
        snprintf(a, sizeof a, k == 0 ? "e" : "u%d", k);
        snprintf(b, sizeof b, k == 100 ? "e" : "u%d", k + 1);
        at += snprintf(xml + at, room - (size_t)at,
                       "<thermal-conductance id='G%d' p='%s' n='%s' G='10201'/>", k, a, b);
    }
    snprintf(xml + at, room - (size_t)at, "</model>");
    CHECK_CLOSE(harness_end(xml, "u50", "crank-nicolson", 0.1, 1e-4), 0.3726924195669410, 1e-6);
    CHECK_CLOSE(harness_end(xml, "u50", "rk4", 0.1, 5e-5), 0.3726924195669410, 1e-10);
    ln_sys->release(xml);
}

static void two_heat_capacities(void) {
    const char *xml = MODEL("<heat-capacity id='C1' p='a' C='1 kJ/K' T0='400'/><heat-capacity "
                            "id='C2' p='b' C='2 kJ/K' T0='300'/>"
                            "<thermal-conductance id='G' p='a' n='b' G='10'/>");
    CHECK_CLOSE(harness_end(xml, "a", "crank-nicolson", 100, 0.01), 348.2086773432287, 1e-8);
    CHECK_CLOSE(harness_end(xml, "a", "rk4", 100, 0.5), 348.2086773432287, 1e-11);
}

static void mass_spring_damper(void) {
    const char *xml = MODEL("<fixed-point id='w' p='0'/><mass id='m' p='a' m='1'/><spring id='k' "
                            "p='a' n='0' k='4' x0='1'/>"
                            "<damper id='c' p='a' n='0' d='0.4'/>");
    harness h = harness_run(xml, "k.x a", "rk4", 5, 0.005);
    CHECK_CLOSE(harness_last(&h, 0), -0.3368516805904134, 1e-9);
    CHECK_CLOSE(harness_last(&h, 1), 0.3706914139692118, 1e-9);
    harness_free(&h);
    CHECK_CLOSE(harness_end(xml, "k.x", "crank-nicolson", 5, 0.001), -0.3368516805904134, 2e-6);
}

static void motor_with_pi(void) {
    const char *xml = MODEL(
        GROUND
        "<constant id='ref' out='r' value='100'/><speed-sensor id='s' p='w' n='fr' out='wm'/>"
        "<sum id='err' in='r wm' signs='+-' out='e'/><integrator id='I' in='e' out='ie'/>"
        "<gain id='kp' in='e' out='p' k='0.5'/><gain id='ki' in='ie' out='i' k='5'/>"
        "<sum id='su' in='p i' out='u'/><signal-voltage id='U' p='a' n='0' in='u'/>"
        "<resistor id='R' p='a' n='b' R='1'/><inductor id='L' p='b' n='c' L='0.01'/>"
        "<motor-constant id='K' p='c' n='0' shaft='w' k='0.1'/><inertia id='J' p='w' J='1e-3'/>"
        "<fixed-shaft id='f' p='fr'/><rotational-damper id='bearing' p='w' n='fr' d='1e-4'/>"
        "<torque-source id='load' p='w' n='fr' tau='0.05'/>");
    static const char *const methods[] = {"rk4", "crank-nicolson"};
    for (size_t m = 0; m < 2; m++) {
        double tolerance = m == 0 ? 1e-8 : 2e-6;
        harness h = harness_run(xml, "L.i w ie", methods[m], 1, m == 0 ? 1e-3 : 1e-4);
        CU_ASSERT(h.status == LINNET_OK);
        CHECK_CLOSE(harness_last(&h, 0), 0.6000226237784798, tolerance);
        CHECK_CLOSE(harness_last(&h, 1), 99.99976550856831, tolerance);
        CHECK_CLOSE(harness_last(&h, 2), 2.119975944709837, tolerance);
        harness_free(&h);
    }
}

/* ---- fixed-step figures of the stiff problems: scd = -log10 of the largest relative error at the
 * end ---- */

static double scd(const harness *h, const double *reference, int n) {
    double worst = 0;
    for (int k = 0; k < n; k++)
        worst = fmax(worst, fabs(harness_last(h, k) / reference[k] - 1));
    return h->status == LINNET_OK ? -log10(worst) : -99;
}

/* The transistor amplifier as a network: each transistor is two dependent sources of g(v) (Bari
 * test set). */
static void transistor_amplifier(void) {
    const char *xml = MODEL(
        "<block-type name='transistor'><port name='b' domain='electrical'/><port name='c' "
        "domain='electrical'/>"
        "<port name='e' domain='electrical'/><let name='g' value='1 uA*(exp((b.v - e.v)/26 mV) - "
        "1)'/>"
        "<equation>b.i = 0.01*g</equation><equation>c.i = 0.99*g</equation><equation>e.i = "
        "-g</equation></block-type>" GROUND
        "<sine-voltage id='Ue' p='ue' n='0' amplitude='0.1' frequency='100'/><voltage-source "
        "id='Ub' p='ub' n='0' V='6'/>"
        "<resistor id='R0' p='ue' n='y1' R='1000'/><capacitor id='C1' p='y1' n='y2' C='1e-6' "
        "v0='-3'/>"
        "<resistor id='R1' p='y2' n='0' R='9000'/><resistor id='R2' p='y2' n='ub' R='9000'/>"
        "<transistor id='T1' b='y2' c='y4' e='y3'/><resistor id='R3' p='y3' n='0' R='9000'/>"
        "<capacitor id='C2' p='y3' n='0' C='2e-6' v0='3'/><resistor id='R4' p='y4' n='ub' "
        "R='9000'/>"
        "<capacitor id='C3' p='y4' n='y5' C='3e-6' v0='3'/><resistor id='R5' p='y5' n='0' "
        "R='9000'/>"
        "<resistor id='R6' p='y5' n='ub' R='9000'/><transistor id='T2' b='y5' c='y7' e='y6'/>"
        "<resistor id='R7' p='y6' n='0' R='9000'/><capacitor id='C4' p='y6' n='0' C='4e-6' v0='3'/>"
        "<resistor id='R8' p='y7' n='ub' R='9000'/><capacitor id='C5' p='y7' n='y8' C='5e-6' "
        "v0='6'/>"
        "<resistor id='R9' p='y8' n='0' R='9000'/>");
    static const double reference[] = {-.5562145012262709e-2, 3.006522471903042, 2.849958788608128,
                                       2.926422536206241,     2.704617865010554, 2.761837778393145,
                                       4.770927631616772,     1.236995868091548};
    static const struct {
        const char *method;
        double step, scd;
    } figures[] = {{"backward-euler", 2e-4, 1.52},
                   {"backward-euler", 2e-5, 2.52},
                   {"crank-nicolson", 2e-4, 3.13},
                   {"crank-nicolson", 2e-5, 5.13}};
    for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
        harness h =
            harness_run(xml, "y1 y2 y3 y4 y5 y6 y7 y8", figures[k].method, 0.2, figures[k].step);
        double reached = scd(&h, reference, 8);
        printf("    transistor amplifier %s %g: scd %.2f (%.2f)\n", figures[k].method,
               figures[k].step, reached, figures[k].scd);
        CU_ASSERT(reached >= figures[k].scd - 0.05);
        harness_free(&h);
    }
}

static const char hires[] =
    MODEL("<block-type name='hires'><output name='y1'/><state name='a1' start='1'/><state "
          "name='a2'/><state name='a3'/>"
          "<state name='a4'/><state name='a5'/><state name='a6'/><state name='a7'/><state "
          "name='a8' start='0.0057'/>"
          "<equation>y1 = a1</equation>"
          "<equation>der(a1) = -1.71*a1 + 0.43*a2 + 8.32*a3 + 0.0007</equation><equation>der(a2) = "
          "1.71*a1 - 8.75*a2</equation>"
          "<equation>der(a3) = -10.03*a3 + 0.43*a4 + 0.035*a5</equation><equation>der(a4) = "
          "8.32*a2 + 1.71*a3 - 1.12*a4</equation>"
          "<equation>der(a5) = -1.745*a5 + 0.43*(a6 + a7)</equation>"
          "<equation>der(a6) = -280*a6*a8 + 0.69*a4 + 1.71*a5 - 0.43*a6 + 0.69*a7</equation>"
          "<equation>der(a7) = 280*a6*a8 - 1.81*a7</equation><equation>der(a8) = -280*a6*a8 + "
          "1.81*a7</equation></block-type>"
          "<hires id='h'/>");

static void hires_fixed_step(void) {
    static const double reference[] = {
        7.371312573325668e-04, 1.442485726316185e-04, 5.888729740967575e-05, 1.175651343283149e-03,
        2.386356198831330e-03, 6.238968252742796e-03, 2.849998395185769e-03, 2.850001604814231e-03};
    static const struct {
        const char *method;
        int steps;
        double scd;
    } figures[] = {{"backward-euler", 1000, 1.74},
                   {"backward-euler", 10000, 2.45},
                   {"crank-nicolson", 1000, 3.71},
                   {"crank-nicolson", 10000, 5.28},
                   {"rk4", 100000, 12.3 - 0.5}};
    for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
        harness h = harness_run(hires, "h.a1 h.a2 h.a3 h.a4 h.a5 h.a6 h.a7 h.a8", figures[k].method,
                                321.8122, 321.8122 / figures[k].steps);
        double reached = scd(&h, reference, 8);
        printf("    hires %s %d steps: scd %.2f (%.2f)\n", figures[k].method, figures[k].steps,
               reached, figures[k].scd);
        CU_ASSERT(reached >= figures[k].scd - 0.05);
        harness_free(&h);
    }
}

UNIT_MAIN({"RC step", rc_step}, {"RC sine", rc_sine}, {"RLC", rlc}, {"LC energy", lc_energy},
          {"diode operating point", diode_operating_point},
          {"half-wave rectifier", half_wave_rectifier}, {"RC ladder", rc_ladder},
          {"heat rod", heat_rod}, {"two heat capacities", two_heat_capacities},
          {"mass, spring, damper", mass_spring_damper}, {"motor with PI control", motor_with_pi},
          {"transistor amplifier", transistor_amplifier}, {"hires", hires_fixed_step})
