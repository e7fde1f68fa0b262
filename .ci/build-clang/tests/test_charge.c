/* SPDX-License-Identifier: MIT */
/* Devices lose no charge: nodes that only charges reach, driven over many periods through a
 * capacitor, come back to the same voltage. Capacitances in place of charges (J. E. Meyer, RCA
 * Review 32, 1971) drift by millivolts a period here. LINNET_PERIODS in the environment asks for
 * another number of periods than the short default: make check-charge. */
#include "harness.h"
#include "unit.h"

#include <stdlib.h>

enum { PERIODS = 300, SETTLED = 5, STEPS = 20 };

static int periods(void) {
    const char *wanted = getenv("LINNET_PERIODS");
    return wanted != NULL && atoi(wanted) > SETTLED ? atoi(wanted) : PERIODS;
}

#define DRIVE(amplitude)                                                                        \
    "<model name='charge' xmlns='urn:linnet:model:1'><ground id='gnd' p='0'/>"                  \
    "<sine-voltage id='V1' p='in' n='0' amplitude='" amplitude "' frequency='1 MHz'/>"          \
    "<voltage-source id='V2' p='vdd' n='0' V='5 V'/>"                                           \
    "<capacitor id='C1' p='in' n='g' C='0.1 pF'/><resistor id='R1' p='vdd' n='d' R='20 kOhm'/>" \
    "<capacitor id='C2' p='d' n='0' C='1 pF' v0='5 V'/>"

static const char mos_1[] =
    DRIVE("3 V") "<mosfet id='M1' d='d' g='g' s='0' b='0' L='2 um' W='20 um' VTO='0.7' KP='60e-6' "
                 "GAMMA='0.5' LAMBDA='0.03' TOX='25 nm' "
                 "CGSO='3e-10' CGDO='3e-10' GMIN='0'/></model>";
static const char mos_3[] =
    DRIVE("3 V") "<mosfet id='M1' LEVEL='3' d='d' g='g' s='0' b='0' L='2 um' W='20 um' VTO='0.7' "
                 "TOX='25 nm' NSUB='1e16' XJ='0.3 um' LD='0.1 um' "
                 "THETA='0.1' ETA='0.03' VMAX='1.5e5' KAPPA='0.3' CGSO='3e-10' CGDO='3e-10' "
                 "GMIN='0'/></model>";
/* gains without end leave the base to its charges */
static const char bipolar[] =
    DRIVE("1.5 V") "<bjt id='Q1' c='d' b='g' e='0' IS='1e-17' BF='1e30' BR='1e30' VAF='50' "
                   "IKF='1e-3' TF='0.1 ns' XTF='2' VTF='3' ITF='1e-3' TR='1 ns' "
                   "CJE='0.1 pF' CJC='0.05 pF' XCJC='0.5' GMIN='0'/></model>";

/* How far the isolated node has come from where it was after a few periods. */
static double drift(const char *xml, const char *method, double tolerance, int count) {
    const double period = 1e-6;
    double at[2] = {NAN, NAN};
    const int after[2] = {SETTLED, count};
    for (int k = 0; k < 2; k++) {
        harness h = harness_run_with(xml, "g",
                                     (ln_settings){.method = ln_method_find(method),
                                                   .end = after[k] * period,
                                                   .step = period / STEPS,
                                                   .tolerance = tolerance});
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        at[k] = harness_last(&h, 0);
        harness_free(&h);
    }
    return fabs(at[1] - at[0]);
}

/* Newton's tolerance is 1e-10 of the voltage with fixed steps, and a part of the run's tolerance
 * with adaptive ones. */
static void check(const char *xml) {
    const int n = periods();
    const double euler = drift(xml, "backward-euler", 0, n),
                 trapezoidal = drift(xml, "crank-nicolson", 0, n);
    CU_ASSERT(euler <= n * STEPS * 1e-10);
    CU_ASSERT(trapezoidal <= n * STEPS * 1e-10);
    const double loose = drift(xml, "radau5", 1e-3, n), tight = drift(xml, "radau5", 1e-6, n);
    CU_ASSERT(loose <= n * 1e-3);
    CU_ASSERT(tight <= n * 1e-6);
    printf("\n    drift over %d periods: %.1e, %.1e V with fixed steps, %.1e and %.1e V at "
           "tolerances 1e-3 and 1e-6 ",
           n, euler, trapezoidal, loose, tight);
}

static void test_mos_level_1(void) {
    check(mos_1);
}
static void test_mos_level_3(void) {
    check(mos_3);
}
static void test_bipolar(void) {
    check(bipolar);
}

UNIT_MAIN({"MOS transistor, level 1", test_mos_level_1},
          {"MOS transistor, level 3", test_mos_level_3}, {"bipolar transistor", test_bipolar})
