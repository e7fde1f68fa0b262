/* SPDX-License-Identifier: MIT */
/* Physical loops, opened at ports by double injection: the whole curve against closed forms of the
 * admittances of both sides, L = (y12 + y21)/(y11 + y22), and against the same loop cut at a signal
 * where that is ideal. */
#include "loop_bench.h"
#include "unit.h"
#include <complex.h>
#include <math.h>
#include <stdio.h>

#define MODEL(body) "<model xmlns='urn:linnet:model:1'>" body "</model>"
#define GROUNDED(body) MODEL("<ground id='gnd' p='0'/>" body)

/* The largest |L - closed form|/max(|closed form|, 1e-3) along the curve. */
static double error_of(const ln_margins *margins, double complex (*law)(double complex s)) {
    double worst = margins->npoints > 0 ? 0 : INFINITY;
    for (int k = 0; k < margins->npoints; k++) {
        const double complex L = law(margins->points[k].w * I);
        worst = fmax(worst, cabs(margins->points[k].L - L) / fmax(cabs(L), 1e-3));
    }
    return worst;
}

/* Opens the model at each of the places (the last one is NULL) and compares the curves. */
static void compare(const char *xml, const char *const *places,
                    double complex (*law)(double complex), double tolerance, int unstable) {
    for (; *places != NULL; places++) {
        bench rig = opened(xml, *places);
        CU_ASSERT_EQUAL_FATAL(rig.status, LINNET_OK);
        CU_ASSERT_TRUE(error_of(&rig.margins, law) <= tolerance);
        CU_ASSERT_EQUAL(ln_margins_growing(&rig.margins), unstable);
        end(&rig);
    }
}

/* An inverting stage with a load at its output, an output resistance and an input resistance:
 * L = A(s) b z/(Ro + z), b = R1 || Rin over R2 + (R1 || Rin), z = RL || CL || (R2 + R1 || Rin). The
 * amplifier's own input is a signal, where the cut is ideal; every other place gives the same. */
#define STAGE                                                                                    \
    GROUNDED(                                                                                    \
        "<resistor id='R1' p='0' n='m' R='1 kOhm'/><resistor id='Rin' p='m' n='0' R='50 kOhm'/>" \
        "<resistor id='R2' p='out' n='m' R='10 kOhm'/>"                                          \
        "<voltage-sensor id='S' p='m' n='0' out='vm'/>"                                          \
        "<transfer-function id='A' in='vm' out='va' numerator='-1e5' "                           \
        "denominator='1e-8 1e-1 1'/>"                                                            \
        "<signal-voltage id='E' p='a' n='0' in='va'/>"                                           \
        "<resistor id='Ro' p='a' n='out' R='100 Ohm'/>"                                          \
        "<resistor id='RL' p='out' n='0' R='2 kOhm'/>"                                           \
        "<capacitor id='CL' p='out' n='0' C='1 nF'/>")

static double complex stage_law(double complex s) {
    const double in = 1 / (1 / 1e3 + 1 / 50e3), around = 10e3 + in;
    const double complex z = 1 / (1 / 2e3 + 1e-9 * s + 1 / around);
    return 1e5 / (1 + 1e-1 * s + 1e-8 * s * s) * in / around * z / (100 + z);
}

static void loaded_stage(void) {
    static const char *const places[] = {"vm",   "S.p", "R2.n", "R2.p", "Ro.n",
                                         "Ro.p", "E.p", "a",    NULL};
    compare(STAGE, places, stage_law, 1e-8, 0);
}

/* What hangs at a node and gives nothing back is in no loop; neither is what a source holds. */
static void nothing_comes_back(void) {
    static const char *const places[] = {"RL.p", "CL.p", "R1.n"};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        bench rig = opened(STAGE, places[k]);
        CU_ASSERT_EQUAL(rig.status, LINNET_USAGE);
        CU_ASSERT_PTR_NOT_NULL(strstr(said, "in no loop"));
        end(&rig);
    }
    bench rig = opened(STAGE, "RL.n");
    CU_ASSERT_EQUAL(rig.status, LINNET_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "'RL.n' is held at zero"));
    end(&rig);
    rig = opened(STAGE, "out");
    CU_ASSERT_EQUAL(rig.status, LINNET_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "link 'out' joins CL.p, R2.p, RL.p, Ro.n"));
    end(&rig);
}

/* Both directions: ga, gb with C between them pass either way, a current of gm v2 passes backwards.
 * The port of the component has three blocks behind it. */
static double complex both_ways_law(double complex s) {
    const double ga = 1e-3, gb = 2e-3, gm = 5e-3, g1 = 1e-4, g2 = 3e-4;
    const double complex z = ga + gb + 1e-7 * s;
    const double complex y11 = g1 + ga - ga * ga / z, y22 = g2 + gb - gb * gb / z,
                         y21 = -ga * gb / z, y12 = y21 + gm;
    return (y12 + y21) / (y11 + y22);
}

static void both_ways(void) {
    static const char xml[] =
        GROUNDED("<component name='load'><port name='x' domain='electrical'/>"
                 "<port name='z' domain='electrical'/><port name='e' domain='electrical'/>"
                 "<output name='u'/><conductor id='b' p='x' n='z' G='2e-3'/>"
                 "<conductor id='g' p='x' n='e' G='3e-4'/>"
                 "<voltage-sensor id='s' p='x' n='e' out='u'/></component>"
                 "<load id='side' x='x' z='z' e='0' u='u'/><capacitor id='C' p='z' n='0' C='1e-7'/>"
                 "<conductor id='a' p='x' n='z' G='1e-3'/><conductor id='g1' p='x' n='0' G='1e-4'/>"
                 "<gain id='gm' in='u' out='i' k='5e-3'/>"
                 "<signal-current id='J' p='x' n='0' in='i'/>");
    static const char *const places[] = {"side.x", NULL};
    compare(xml, places, both_ways_law, 1e-10, 0);
}

/* A mass behind a port, of which a force is taken that its own speed gives: storage on the named
 * side. y22 = m s, y11 = d + k/s (damper and spring to the wall), y12 = g/(1 + T s). The force of
 * the other sign drives it: two modes grow. */
#define MASS(gain)                                                                              \
    MODEL("<fixed-point id='wall' p='0'/><component name='plant'>"                              \
          "<port name='p' domain='translational'/><output name='v'/><mass id='m' p='p' m='2'/>" \
          "<velocity-sensor id='s' p='p' out='v'/></component><plant id='plant' p='x' v='v'/>"  \
          "<damper id='d' p='x' n='0' d='0.5'/><spring id='c' p='x' n='0' k='300'/>"            \
          "<first-order id='F' in='v' out='f' k='" gain "' T='0.05'/>"                          \
          "<signal-force id='J' p='x' n='0' in='f'/>")

static double complex mass_law(double complex s) {
    return 40 / (1 + 0.05 * s) / (2 * s + 0.5 + 300 / s);
}

static double complex driven_mass_law(double complex s) {
    return -mass_law(s);
}

static void mechanical(void) {
    static const char *const places[] = {"plant.p", "v", "J.p", NULL};
    compare(MASS("40"), places, mass_law, 1e-9, 0);
    compare(MASS("-40"), places, driven_mass_law, 1e-9, 2);
}

/* A matched line between an amplifier and the load: L = k exp(-s T)/2 at the load, which without
 * any lag has infinitely many growing modes from k = 2 on. */
static double complex line_law(double complex s) {
    return 1.5 * cexp(-s * 1e-6) / 2;
}

static double complex wild_line_law(double complex s) {
    return 3 * cexp(-s * 1e-6) / 2;
}

#define LINE(gain)                                                                               \
    GROUNDED("<voltage-sensor id='S' p='x' n='0' out='u'/><gain id='k' in='u' out='a' k='" gain  \
             "'/>"                                                                               \
             "<signal-voltage id='E' p='e' n='0' in='a'/><resistor id='Rs' p='e' n='f' R='50'/>" \
             "<transmission-line id='T' p1='f' n1='0' p2='x' n2='0' Z0='50' TD='1 us'/>"         \
             "<resistor id='RL' p='x' n='0' R='50'/>")

static void line(void) {
    static const char *const places[] = {"T.p2", "u", "f", NULL};
    compare(LINE("-1.5"), places, line_law, 1e-9, 0);
    compare(LINE("-3"), places + 2, wild_line_law, 1e-9, LN_NYQUIST_ENDLESS);
}

/* A room, its heater and a thermometer: the loop of heat. */
static double complex heat_law(double complex s) {
    return 2000 / (1 + 60 * s) / (20 + 1e5 * s);
}

static void thermal(void) {
    static const char xml[] =
        MODEL("<temperature-source id='A' p='air' n='0' T='273'/><absolute-zero id='zero' p='0'/>"
              "<heat-capacity id='R' p='room' C='1e5'/>"
              "<thermal-conductance id='wall' p='room' n='air' G='20'/>"
              "<temperature-sensor id='S' p='room' out='T'/><constant id='r' out='r' value='293'/>"
              "<sum id='e' in='r T' signs='+-' out='e'/>"
              "<first-order id='H' in='e' out='q' k='2000' T='60'/>"
              "<signal-heat id='J' p='air' n='room' in='q'/>");
    static const char *const places[] = {"S.p", "e", "J.n", NULL};
    compare(xml, places, heat_law, 1e-9, 0);
}

/* Where L ends. Two capacitors pass C s/2 either way, L = -C s/((C + c) s + 2 g) with c to ground:
 * -1/2 at infinite frequency with c = C. Without c the nodes store their difference only, L ends at
 * -1, and the common potential of both is what the conductances make of it. */
#define HALVES(more)                                                                       \
    GROUNDED(                                                                              \
        "<component name='half'><port name='x' domain='electrical'/>"                      \
        "<port name='z' domain='electrical'/><port name='e' domain='electrical'/>"         \
        "<capacitor id='c' p='x' n='z' C='2e-6'/><conductor id='g' p='x' n='e' G='1e-3'/>" \
        "</component><half id='side' x='x' z='z' e='0'/>"                                  \
        "<capacitor id='c' p='x' n='z' C='2e-6'/><conductor id='g' p='x' n='0' G='1e-3'/>" more)

static double complex floating_law(double complex s) {
    return -2e-6 * s / (2e-6 * s + 2e-3);
}

static void at_infinity(void) {
    static const char *const places[] = {"side.x", NULL};
    bench rig = opened(HALVES("<capacitor id='c0' p='x' n='0' C='2e-6'/>"), "side.x");
    CU_ASSERT_EQUAL_FATAL(rig.status, LINNET_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rig.margins.gain);
    CHECK_CLOSE(rig.margins.gain->margin, 2, 1e-7);
    CU_ASSERT_TRUE(isinf(rig.margins.gain->w));
    end(&rig);
    compare(HALVES(""), places, floating_law, 1e-10, 0);
}

UNIT_MAIN({"loaded stage", loaded_stage}, {"nothing comes back", nothing_comes_back},
          {"both ways", both_ways}, {"mechanical", mechanical}, {"line", line},
          {"thermal", thermal}, {"at infinity", at_infinity})
