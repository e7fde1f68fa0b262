/* SPDX-License-Identifier: MIT */
/* Magnetic circuits and electrical machines against closed forms: field lines, equivalent circuits,
 * balances of power. */
#include "physics.h"

#define GROUND "<ground id='gnd' p='0'/>"
#define MAGNETIC "<magnetic-ground id='mg' p='m'/>"
#define FRAME "<fixed-shaft id='frame' p='f'/>"
static const double mu_0 = 4e-7 * 3.14159265358979323846;

static harness run_radau(const char *xml, const char *signals, double end, double tolerance) {
    harness h = harness_run_with(
        xml, signals,
        (ln_settings){.method = ln_method_find("radau5"), .end = end, .tolerance = tolerance});
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    return h;
}

static double steady(const char *xml, const char *signal) {
    return harness_end(xml, signal, "backward-euler", 1, 0.5);
}

/* ---- magnetic circuits ---- */

static void test_reluctances(void) {
    const double A = 4e-4;
    CHECK_CLOSE(1e3 * steady(MODEL(MAGNETIC "<mmf-source id='F' p='a' n='m' mmf='200'/><air-gap "
                                            "id='g' p='a' n='m' length='1e-3' A='4e-4'/>"),
                             "g.phi"),
                1e3 * 200 * mu_0 * A / 1e-3, 1e-12);
    /* gap and core in series, leakage beside both */
    harness h =
        harness_run(MODEL(MAGNETIC "<flux-source id='F' p='m' n='a' phi='1e-3'/><core id='c' p='a' "
                                   "n='b' length='0.2' A='4e-4' mu_r='2000'/>"
                                   "<air-gap id='g' p='b' n='m' length='1e-3' A='4e-4'/><permeance "
                                   "id='l' p='a' n='m' G='1e-7'/>"
                                   "<mmf-sensor id='s' p='a' out='drop'/><flux-sensor id='x' p='a' "
                                   "n='m2' out='none'/><permeance id='o' p='m2' n='m' G='0'/>"),
                    "drop g.phi", "backward-euler", 1, 1);
    const double R = 0.2 / (mu_0 * 2000 * A) + 1e-3 / (mu_0 * A), drop = 1e-3 / (1 / R + 1e-7);
    CHECK_CLOSE(harness_last(&h, 0) / drop, 1, 1e-9);
    CHECK_CLOSE(harness_last(&h, 1) * R / drop, 1, 1e-9);
    harness_free(&h);
    CHECK_CLOSE(1e6 * steady(MODEL(MAGNETIC "<mmf-source id='F' p='a' n='m' mmf='1'/>"
                                            "<hollow-cylinder-radial id='g' p='a' n='m' "
                                            "length='0.04' r_inner='0.01' r_outer='0.011'/>"),
                             "g.phi"),
                1e6 * mu_0 * 2 * pi * 0.04 / log(1.1), 1e-10);
    CHECK_CLOSE(1e6 *
                    steady(MODEL(MAGNETIC "<mmf-source id='F' p='a' n='m' mmf='1'/>"
                                          "<hollow-cylinder-axial id='g' p='a' n='m' length='0.04' "
                                          "r_inner='0.01' r_outer='0.02' mu_r='500'/>"),
                           "g.phi"),
                1e6 * mu_0 * 500 * pi * 3e-4 / 0.04, 1e-10);
    check_refused(
        MODEL(MAGNETIC
              "<hollow-cylinder-axial id='g' p='m' n='m' length='1' r_inner='2' r_outer='1'/>"),
        "the inner radius");
}

/* A magnet across a gap of its own area: B = Br lm/(lm + mu_r lg). */
static void test_magnet(void) {
    CHECK_CLOSE(
        steady(
            MODEL(
                MAGNETIC
                "<permanent-magnet id='M' p='a' n='m' Br='1.2' length='5e-3' A='4e-4' mu_r='1.1'/>"
                "<air-gap id='g' p='a' n='m' length='1e-3' A='4e-4'/>"),
            "g.phi") /
            4e-4,
        1.2 * 5 / (5 + 1.1), 1e-9);
}

/* The curve itself; its slope at zero is mu_r, that far out mu_0. */
static void test_saturation(void) {
    for (double mmf = -1e5; mmf <= 1e5; mmf += 1e4) {
        char xml[300];
        snprintf(xml, sizeof xml,
                 MODEL(MAGNETIC "<mmf-source id='F' p='a' n='m' mmf='%g'/>"
                                "<saturating-core id='c' p='a' n='m' length='0.2' A='1e-3' "
                                "mu_r='3000' B_sat='1.5'/>"),
                 mmf);
        const double H = mmf / 0.2, polar = mu_0 * 2999 * H;
        CHECK_CLOSE(steady(xml, "c.B"), mu_0 * H + polar / (1 + fabs(polar) / 1.5), 1e-9);
    }
}

/* A table meets its points, both halves, rises between them, and goes on straight beyond. */
static void test_table(void) {
    static const double H[] = {100, 300, 1000, 1e4}, B[] = {0.8, 1.2, 1.45, 1.8};
    for (int k = 0; k < 8; k++) {
        const double sign = k < 4 ? 1 : -1;
        char xml[400];
        snprintf(xml, sizeof xml,
                 MODEL(MAGNETIC "<mmf-source id='F' p='a' n='m' mmf='%.17g'/>"
                                "<core-table id='c' p='a' n='m' length='0.2' A='1e-3' points='0 0; "
                                "100 0.8; 300 1.2; 1000 1.45; 1e4 1.8'/>"),
                 sign * 0.2 * H[k % 4]);
        harness h = harness_run(xml, "c.B c.phi", "backward-euler", 1, 1);
        CHECK_CLOSE(harness_last(&h, 0), sign * B[k % 4], 1e-12);
        CHECK_CLOSE(harness_last(&h, 1), 1e-3 * sign * B[k % 4], 1e-15);
        harness_free(&h);
    }
    /* its last points lead to rest; behind them the flux rises as in air, and a coil there has a
     * current: with the resistor alone, (60 V)/(5 Ohm) */
    const double beyond =
        steady(MODEL(MAGNETIC "<mmf-source id='F' p='a' n='m' mmf='4000'/>"
                              "<core-table id='c' p='a' n='m' length='0.2' A='1e-3' points='0 0; "
                              "100 0.8; 300 1.2; 1000 1.45; 1e4 1.8'/>"),
               "c.B");
    CHECK_CLOSE(beyond, 1.8 + mu_0 * 1e4, 1e-12);
    static const char *const methods[] = {"tr-bdf2", "bdf2", "rk4"};
    for (int k = 0; k < 3; k++) {
        const double i =
            harness_end(MODEL(GROUND MAGNETIC
                              "<voltage-source id='V' p='v' n='0' V='60'/><resistor id='R' p='v' "
                              "n='b' R='5'/><magnetic-coil id='L' p='b' n='0' north='a' south='m' "
                              "N='200'/><core-table id='c' p='a' n='m' length='0.2' A='1e-3' "
                              "points='0 0; 100 0.8; 300 1.2; 1000 1.45; 1e4 1.8'/>"),
                        "R.i", methods[k], 0.1, 5e-5);
        CHECK_CLOSE(i, 12, 1e-6);
    }
    /* driven by a flux the field follows: B = 1.0 T lies between 100 and 300 A/m */
    const double mmf =
        harness_end(MODEL(MAGNETIC "<flux-source id='F' p='m' n='a' phi='1e-3'/>"
                                   "<core-table id='c' p='a' n='m' length='0.2' A='1e-3' points='0 "
                                   "0; 100 0.8; 300 1.2; 1000 1.45; 1e4 1.8'/>"),
                    "a", "backward-euler", 1, 1);
    CU_ASSERT(mmf > 20 && mmf < 60);
    check_refused(MODEL(MAGNETIC "<core-table id='c' p='m' n='m' length='0.2' A='1e-3' points='0 "
                                 "0; 100 0.8; 300 0.7'/>"),
                  "the flux density does not rise from 100 to 300 A/m");
}

/* A coil on a gap is an inductor of N^2 mu0 A/l; two coils on one core a transformer. */
static void test_coils(void) {
    const double L = 200 * 200 * mu_0 * 4e-4 / 5e-4;
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(
            MODEL(GROUND MAGNETIC
                  "<voltage-source id='V' p='a' n='0' V='10'/><resistor id='R' p='a' n='b' R='2'/>"
                  "<magnetic-coil id='L' p='b' n='0' north='top' south='m' N='200'/><air-gap "
                  "id='g' p='top' n='m' length='5e-4' A='4e-4'/>"),
            "R.i", r, 0.05);
        CHECK_CLOSE(harness_last(&h, 0), 5 * (1 - exp(-2 * 0.05 / L)), 100 * runs[r].within);
        harness_free(&h);
    }
    harness h =
        run_radau(MODEL(GROUND MAGNETIC
                        "<sine-voltage id='V' p='a' n='0' amplitude='10' frequency='50'/>"
                        "<magnetic-coil id='L1' p='a' n='0' north='x' south='m' "
                        "N='200'/><magnetic-coil id='L2' p='b' n='0' north='top' south='x' N='50'/>"
                        "<core id='c' p='top' n='m' length='0.2' A='1e-3' mu_r='1e7'/><resistor "
                        "id='R' p='b' n='0' R='1'/>"),
                  "b R.i", 0.105, 1e-9);
    CHECK_CLOSE(harness_last(&h, 0), 10 / 4.0, 1e-4); /* the sine stands at 10 V */
    harness_free(&h);
}

/* A short-circuited turn around a core delays its flux by G times the permeance. */
static void test_eddy(void) {
    const double P = mu_0 * 1000 * 1e-3 / 0.1, G = 1e4;
    harness h =
        run_radau(MODEL(MAGNETIC "<mmf-source id='F' p='a' n='m' mmf='100'/><eddy-current-loop "
                                 "id='e' p='a' n='b' G='1e4'/>"
                                 "<core id='c' p='b' n='m' length='0.1' A='1e-3' mu_r='1000'/>"),
                  "e.flux", 0.2, 1e-9);
    CHECK_CLOSE(harness_last(&h, 0) / (100 * P * (1 - exp(-0.2 / (G * P)))), 1, 1e-6);
    harness_free(&h);
}

/* The electrical work less the loss is in the field or was done on the armature. */
static void test_actuator(void) {
    harness h = run_radau(
        MODEL(GROUND MAGNETIC
              "<voltage-source id='V' p='a' n='0' V='12'/><resistor id='R' p='a' n='b' R='4'/>"
              "<magnetic-coil id='L' p='b' n='0' north='top' south='m' N='800'/>"
              "<moving-gap id='g' p='top' n='m' rod='arm' A='2e-4' x0='3e-3'/><mass id='m1' "
              "p='arm' m='0.1'/>"
              "<voltage-sensor id='s' p='b' out='u'/><current-sensor id='z' p='b' n='c' "
              "out='none'/><resistor id='big' p='c' n='0' R='1e12'/>"
              "<function id='pw' in='u' out='power' expression='u*(12 - u)/4'/><integrator id='W' "
              "in='power' out='work'/>"),
        "work L.flux g.x arm g.pull", 0.008, 1e-9);
    const double flux = harness_last(&h, 1),
                 field = flux * flux * harness_last(&h, 2) / (2 * mu_0 * 2e-4);
    CU_ASSERT(harness_last(&h, 2) < 2.9e-3 && harness_last(&h, 2) > 0);
    CHECK_CLOSE(harness_last(&h, 0) / (field + 0.05 * harness_last(&h, 3) * harness_last(&h, 3)), 1,
                1e-6);
    CHECK_CLOSE(harness_last(&h, 4) / (flux * flux / (2 * mu_0 * 2e-4)), 1, 1e-9);
    harness_free(&h);
}

/* ---- DC machines ---- */

#define SUPPLY(v) GROUND FRAME "<voltage-source id='V' p='a' n='0' V='" v "'/>"

/* Locked rotor: V/R; free: V/k; in between the armature's power is heat, friction, load, and what
 * the rotor keeps. */
static void test_dc(void) {
    harness h =
        run_radau(MODEL(SUPPLY("24") "<dc-machine id='M' p='a' n='0' shaft='s' R='0.5' L='2e-3' "
                                     "k='0.1' J='1e-3'/><speed-source id='w' p='s' n='f' w='0'/>"),
                  "M.i M.torque", 0.1, 1e-8);
    CHECK_CLOSE(harness_last(&h, 0), 48, 1e-6);
    CHECK_CLOSE(harness_last(&h, 1), 4.8, 1e-6);
    harness_free(&h);
    h = run_radau(MODEL(SUPPLY("24") "<dc-machine id='M' p='a' n='0' shaft='s' heat='body' R='0.5' "
                                     "L='2e-3' k='0.1' J='1e-3' d='1e-4'/>"
                                     "<absolute-zero id='z' p='cold'/><temperature-source id='T' "
                                     "p='body' n='cold' T='300'/>"
                                     "<quadratic-load id='l' p='s' torque='0.3' w='200'/>"
                                     "<current-sensor id='i' p='a2' n='0' out='none'/><resistor "
                                     "id='dummy' p='a' n='a2' R='1e9'/>"),
                  "M.p.i s M.i M.heat.Q l.tau M.shaft.tau", 2, 1e-9);
    double w = harness_last(&h, 1), i = harness_last(&h, 2);
    CHECK_CLOSE(24 * i, 0.5 * i * i + 1e-4 * w * w + harness_last(&h, 4) * w, 1e-6);
    CHECK_CLOSE(harness_last(&h, 3), -0.5 * i * i - 1e-4 * w * w, 1e-9);
    harness_free(&h);
    /* speed rises with the electromechanical time constant J R/k^2, the coil's being short */
    h = run_radau(
        MODEL(SUPPLY(
            "24") "<dc-machine id='M' p='a' n='0' shaft='s' R='0.5' L='1e-9' k='0.1' J='1e-3'/>"),
        "s", 0.05, 1e-9);
    CHECK_CLOSE(harness_last(&h, 0), 240 * (1 - exp(-0.05 / 0.05)), 1e-4);
    harness_free(&h);
}

static void test_dc_fields(void) {
    /* series: torque k i^2, V = R i + k i w */
    harness h = run_radau(MODEL(SUPPLY("24") "<dc-machine-series id='M' p='a' n='0' shaft='s' "
                                             "R='0.5' L='0.01' k='0.02' J='0.02'/>"
                                             "<quadratic-load id='l' p='s' torque='1' w='100'/>"),
                          "M.i s", 30, 1e-8);
    double i = harness_last(&h, 0), w = harness_last(&h, 1);
    CHECK_CLOSE(0.5 * i + 0.02 * i * w, 24, 1e-6);
    CHECK_CLOSE(0.02 * i * i, w * w * 1e-4, 1e-6);
    harness_free(&h);
    /* shunt: the field takes V/Rf, no-load speed is Rf/k */
    h = run_radau(MODEL(SUPPLY("100") "<dc-machine-shunt id='M' p='a' n='0' shaft='s' R='0.5' "
                                      "L='2e-3' R_field='100' L_field='2' k='1' J='0.02'/>"),
                  "M.p.i s", 5, 1e-8);
    CHECK_CLOSE(harness_last(&h, 0), 1, 1e-5);
    CHECK_CLOSE(harness_last(&h, 1), 100, 1e-5);
    harness_free(&h);
    /* separate: half the field, twice the speed */
    h = run_radau(
        MODEL(
            SUPPLY("100") "<voltage-source id='F' p='e' n='0' V='50'/>"
                          "<dc-machine-excited id='M' p='a' n='0' field_p='e' field_n='0' "
                          "shaft='s' R='0.5' L='2e-3' R_field='100' L_field='2' k='1' J='0.02'/>"),
        "M.i_field s", 8, 1e-8);
    CHECK_CLOSE(harness_last(&h, 0), 0.5, 1e-6);
    CHECK_CLOSE(harness_last(&h, 1), 200, 1e-4);
    harness_free(&h);
}

/* ---- machines of three phases ---- */

/* At the synchronous speed: 0 = v - R i - w L i in rotor axes; the dq machine fed alike must agree.
 */
static void test_synchronous(void) {
    const double we = 100 * pi, R = 0.5, Ld = 2e-3, Lq = 3e-3, psi = 0.1, vd = 40 * cos(1.9),
                 vq = 40 * sin(1.9);
    const double det = R * R + we * we * Ld * Lq, id = (R * vd + we * Lq * (vq - we * psi)) / det;
    const double iq = (R * (vq - we * psi) - we * Ld * vd) / det,
                 torque = 4.5 * (psi * iq + (Ld - Lq) * id * iq);
    harness h =
        run_radau(MODEL(GROUND FRAME "<speed-source id='w' p='s' n='f' w='104.71975511965977'/>"
                                     "<three-phase-voltage id='V' a='a' b='b' c='c' n='0' "
                                     "amplitude='40' frequency='50' phase='1.9'/>"
                                     "<pm-synchronous-machine id='M' a='a' b='b' c='c' shaft='s' "
                                     "R='0.5' Ld='2e-3' Lq='3e-3' psi='0.1' pairs='3' J='1e-3'/>"),
                  "M.torque M.id M.iq M.a.i M.b.i M.c.i a b c", 0.2, 1e-8);
    CHECK_CLOSE(harness_last(&h, 0), torque, 1e-6);
    CHECK_CLOSE(harness_last(&h, 1), id, 1e-5);
    CHECK_CLOSE(harness_last(&h, 2), iq, 1e-6);
    double power = 0, sum = 0;
    for (int k = 3; k < 6; k++)
        sum += harness_last(&h, k), power += harness_last(&h, k) * harness_last(&h, k + 3);
    CHECK_CLOSE(sum, 0, 1e-12);
    CHECK_CLOSE(power, torque * we / 3 + 1.5 * R * (id * id + iq * iq), 1e-4);
    harness_free(&h);
    char xml[700];
    snprintf(xml, sizeof xml,
             MODEL(GROUND FRAME "<speed-source id='w' p='s' n='f' w='104.71975511965977'/>"
                                "<voltage-source id='D' p='d' n='0' V='%.17g'/><voltage-source "
                                "id='Q' p='q' n='0' V='%.17g'/>"
                                "<pm-synchronous-machine-dq id='M' d='d' q='q' n='0' shaft='s' "
                                "R='0.5' Ld='2e-3' Lq='3e-3' psi='0.1' pairs='3' J='1e-3'/>"),
             vd, vq);
    h = run_radau(xml, "M.torque", 0.2, 1e-8);
    CHECK_CLOSE(harness_last(&h, 0), torque, 1e-6);
    harness_free(&h);
}

/* The equivalent circuit of one phase at the slip s [Fitzgerald, chapter 6]: the torque from
 * standstill to generator. */
static double circuit_torque(double w, double *current) {
    const double we = 100 * pi, s = 1 - 2 * w / we, Xl = we * 2e-3, Xm = we * 60e-3,
                 V = 325 / sqrt(2);
    const double r = 0.4 / s, d = r * r + (Xl + Xm) * (Xl + Xm); /* Zm Zr/(Zm + Zr) */
    const double re = Xm * Xm * r / d, im = Xm * (r * r + Xl * (Xl + Xm)) / d;
    const double I2 = V * V / ((0.5 + re) * (0.5 + re) + (Xl + im) * (Xl + im));
    *current = sqrt(2 * I2);
    return 3 * I2 * re * 2 / we; /* air gap power over synchronous speed */
}

static void test_induction(void) {
    static const double speeds[] = {0, 50, 100, 130, 145, 150, 165};
    for (size_t k = 0; k < sizeof speeds / sizeof *speeds; k++) {
        char xml[800];
        double current, torque = circuit_torque(speeds[k], &current);
        snprintf(xml, sizeof xml,
                 MODEL(GROUND FRAME
                       "<speed-source id='w' p='s' n='f' w='%g'/>"
                       "<three-phase-voltage id='V' a='a' b='b' c='c' n='0' amplitude='325' "
                       "frequency='50'/>"
                       "<induction-machine id='M' a='a' b='b' c='c' shaft='s' Rs='0.5' Rr='0.4' "
                       "Ls_leak='2e-3' Lr_leak='2e-3' Lm='60e-3' pairs='2' J='0.1' w0='%g'/>"),
                 speeds[k], speeds[k]);
        /* at rest what magnetises decays with 0.27 s */
        harness h = run_radau(xml, "M.torque M.i_alpha M.i_beta", k == 0 ? 4 : 1.5, 1e-6);
        CHECK_CLOSE(harness_last(&h, 0), torque, 1e-4);
        CHECK_CLOSE(hypot(harness_last(&h, 1), harness_last(&h, 2)), current, 1e-4);
        harness_free(&h);
    }
}

/* Started on the net without load it ends at the synchronous speed; what it took is in the rotor or
 * became heat. */
static void test_direct_start(void) {
    harness h = run_radau(
        MODEL(GROUND FRAME
              "<three-phase-voltage id='V' a='a' b='b' c='c' n='0' amplitude='325' frequency='50'/>"
              "<induction-machine id='M' a='a' b='b' c='c' shaft='s' heat='body' Rs='0.5' Rr='0.4' "
              "Ls_leak='2e-3' Lr_leak='2e-3' Lm='60e-3' pairs='2' J='0.1'/>"
              "<heat-capacity id='C' p='body' C='1000' T0='300'/>"),
        "s body", 1.5, 1e-6);
    CHECK_CLOSE(harness_last(&h, 0), 50 * pi, 1e-4);
    /* rotor heat alone is the kinetic energy; with the stator's it is more, but not by much more
     * than Rs/Rr times it */
    const double kinetic = 0.05 * 2500 * pi * pi, heat = 1000 * (harness_last(&h, 1) - 300);
    CU_ASSERT(heat > kinetic && heat < 4 * kinetic);
    harness_free(&h);
}

/* A motor that hangs free between its shaft and its case: what one gets the other loses. Eddy
 * currents lose mmf^2/G. */
static void test_reactions(void) {
    harness h =
        harness_run(MODEL("<ground id='g' p='0'/><current-source id='I' p='0' n='a' "
                          "I='2'/><motor-constant id='M' p='a' n='0' shaft='s' case='c' k='0.5'/>"
                          "<inertia id='J1' p='s' J='1'/><inertia id='J2' p='c' J='4'/>"
                          "<current-source id='I2' p='0' n='b' I='2'/><linear-motor id='L' p='b' "
                          "n='0' rod='r' frame='f' k='3'/>"
                          "<mass id='m1' p='r' m='1'/><mass id='m2' p='f' m='3'/>"),
                    "s c r f a", "crank-nicolson", 2, 0.1);
    CHECK_CLOSE(harness_last(&h, 0), 2, 1e-9);
    CHECK_CLOSE(harness_last(&h, 1), -0.5, 1e-9);
    CHECK_CLOSE(harness_last(&h, 2), 12, 1e-9);
    CHECK_CLOSE(harness_last(&h, 3), -4, 1e-9);
    CHECK_CLOSE(harness_last(&h, 4), 0.5 * 2.5, 1e-9);
    harness_free(&h);
    h = harness_run(MODEL("<magnetic-ground id='g' p='0'/><mmf-source id='F' p='a' n='0' "
                          "mmf='100'/><reluctance id='R' p='a' n='b' R='1e6'/>"
                          "<eddy-current-loop id='e' p='b' n='0' G='1e4' heat='h'/><heat-capacity "
                          "id='H' p='h' C='1e-3' T0='0'/>"),
                    "h", "crank-nicolson", 0.2, 1e-5);
    /* as much as the reluctance keeps */
    CHECK_CLOSE(harness_last(&h, 0), 0.5 * 1e4 / 1e6 / 1e-3, 1e-5);
    harness_free(&h);
}

UNIT_MAIN({"reactions and losses", test_reactions}, {"reluctances", test_reluctances},
          {"permanent magnet", test_magnet}, {"saturation", test_saturation},
          {"table of a core", test_table}, {"coils", test_coils}, {"eddy currents", test_eddy},
          {"actuator", test_actuator}, {"DC machine", test_dc},
          {"DC machines by field", test_dc_fields}, {"synchronous machine", test_synchronous},
          {"induction machine", test_induction}, {"direct start", test_direct_start})
