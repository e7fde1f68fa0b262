/* SPDX-License-Identifier: MIT */
/* Friction that sticks, contact, gears and loads against closed forms, by explicit and implicit
 * methods. */
#include "physics.h"

/* ---- friction ---- */

/* What sticks creeps by 5e-16 m/s at most, which lets contacts on one body share what they carry.
 */
static const double STILL = 1e-15;

/* A sliding mass comes to rest at v^2 m/(2 F) and stays there, exactly as nothing pulls. */
static void test_stop(void) {
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(MODEL("<mass id='m' p='a' m='2' v0='1'/><dry-friction id='f' p='a' F='4'/>"
                              "<position-sensor id='x' p='a' out='pos'/>"),
                        "a pos f.mode", r, 2);
        double rest = NAN;
        CHECK_CLOSE(harness_last(&h, 1), 0.25, 1e-9);
        for (size_t row = 0; row < h.rows; row++) {
            if (h.time[row] < 0.5)
                CHECK_CLOSE(value(&h, row, 0), 1 - 2 * h.time[row], 1e-9);
            if (value(&h, row, 2) != 0)
                continue;
            if (isnan(rest))
                rest = value(&h, row, 1);
            CHECK_CLOSE(value(&h, row, 0), 0, 0);
            CHECK_CLOSE(value(&h, row, 1), rest, 0);
        }
        harness_free(&h);
    }
}

/* A load below the break-away force moves nothing, and makes no event but the start. */
static void test_hold(void) {
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(MODEL("<fixed-point id='g' p='0'/><mass id='m' p='a' m='2'/>"
                              "<dry-friction id='f' p='a' n='0' F='4' peak='1.5'/>"
                              "<sine-force id='F' p='0' n='a' amplitude='5.99' frequency='3'/>"),
                        "a f.s", r, 2);
        CU_ASSERT(h.statistics.events <= 1);
        for (size_t row = 0; row < h.rows; row++) {
            CHECK_CLOSE(value(&h, row, 0), 0, STILL);
            CHECK_CLOSE(value(&h, row, 1), 5.99 * sin(6 * pi * h.time[row]), 1e-9);
        }
        harness_free(&h);
    }
}

/* 10 N sin(wt) against 4 N: it slips from sin = 0.4 on, with m v = integral of the excess, until v
 * is zero again. */
static void test_stick_slip(void) {
    const double w = 0.2 * pi, t0 = asin(0.4) / w, t1 = 4;
    const double v = (10 * (cos(w * t0) - cos(w * t1)) / w - 4 * (t1 - t0)) / 2;
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(MODEL("<fixed-point id='g' p='0'/><mass id='m' p='a' m='2'/><dry-friction "
                              "id='f' p='a' F='4'/>"
                              "<sine-force id='F' p='0' n='a' amplitude='10' frequency='0.1'/>"),
                        "a f.mode", r, t1);
        CHECK_CLOSE(harness_last(&h, 0), v, runs[r].within);
        for (size_t row = 0; row < h.rows; row++)
            CU_ASSERT(h.time[row] >= t0 - 1e-9 || fabs(value(&h, row, 0)) < STILL);
        harness_free(&h);
    }
}

/* A mass on a spring rides on a belt: it sticks for 2 (Fs - Fk)/(k v), and slips for 2/w (pi -
 * atan((Fs - Fk) w/(k v))) when friction falls from Fs to Fk at once. */
static void test_belt(void) {
    const double k = 100, w = 10, vb = 0.1, drop = 2;
    const double slip = 2 / w * (pi - atan(drop * w / (k * vb))), stick = 2 * drop / (k * vb);
    for (size_t r = EXPLICIT; r < RUNS; r++) {
        harness h = run(
            MODEL("<velocity-source id='belt' p='b' n='0' v='0.1'/><fixed-point id='wall' p='0'/>"
                  "<mass id='m' p='a' m='1' v0='0.1'/><spring id='s' p='a' n='0' k='100'/>"
                  "<dry-friction id='f' p='a' n='b' F='4' peak='1.5' v_stribeck='1e-6'/>"),
            "f.mode s.x", r, 2.5);
        double left = NAN, met = NAN;
        int phases = 0;
        for (size_t row = 1; row < h.rows; row++) {
            double before = value(&h, row - 1, 0), mode = value(&h, row, 0);
            if (before == mode)
                continue;
            if (mode == -1) { /* breaks away */
                if (phases == 0)
                    CHECK_CLOSE(h.time[row], 0.6, 1e-3);
                else
                    CHECK_CLOSE(h.time[row] - met, stick, 2e-3);
                CHECK_CLOSE(value(&h, row, 1), 0.06, 1e-6);
                left = h.time[row];
            } else if (before == -1) { /* sticks again */
                met = h.time[row];
                CHECK_CLOSE(met - left, slip, 2e-3);
                phases++;
            }
        }
        CHECK_CLOSE(phases, 2, 0);
        harness_free(&h);
    }
}

/* Two flywheels: the clutch slips at 5 N.m until both turn alike; what is lost, J1 J2/(J1 + J2)
 * dw^2/2, is heat. */
static void test_clutch(void) {
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(MODEL("<inertia id='J1' p='a' J='1' w0='10'/><inertia id='J2' p='b' J='3'/>"
                              "<step id='u' out='on' delay='1'/><clutch id='c' p='a' n='b' in='on' "
                              "torque='5' heat='disc'/>"
                              "<heat-capacity id='C' p='disc' C='100' T0='300'/>"),
                        "a b c.mode disc", r, 4);
        CHECK_CLOSE(harness_last(&h, 0), 2.5, 1e-9);
        CHECK_CLOSE(harness_last(&h, 1), harness_last(&h, 0), 1e-14);
        CHECK_CLOSE(harness_last(&h, 2), 0, 0);
        CHECK_CLOSE((harness_last(&h, 3) - 300) * 100, 37.5, r == 1 ? 1e-4 : 1e-5);
        for (size_t row = 0; row < h.rows; row++)
            if (h.time[row] > 1 && h.time[row] < 2.5)
                CHECK_CLOSE(value(&h, row, 0), 10 - 5 * (h.time[row] - 1), 1e-9);
        harness_free(&h);
    }
}

/* A brake holds a load that it can hold, and lets it slip by the excess when it is eased to a
 * quarter. */
static void test_brake(void) {
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(MODEL("<fixed-shaft id='g' p='0'/><inertia id='J' p='a' J='0.5'/>"
                              "<torque-source id='M' p='0' n='a' tau='3'/><step id='u' out='on' "
                              "offset='1' height='-0.75' delay='1'/>"
                              "<brake id='b' p='a' in='on' torque='4'/>"),
                        "a", r, 2);
        CHECK_CLOSE(harness_at(&h, 0, 1), 0, STILL);
        CHECK_CLOSE(harness_last(&h, 0), (3 - 1) / 0.5, 1e-9);
        harness_free(&h);
    }
}

/* Driven forward both sides turn alike; when the motor is reversed the load coasts on. */
static void test_one_way(void) {
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(MODEL("<fixed-shaft id='g' p='0'/><inertia id='J1' p='a' J='0.1'/><inertia "
                              "id='J2' p='b' J='0.3'/>"
                              "<step-torque id='M' p='0' n='a' offset='2' height='-3' delay='1'/>"
                              "<one-way-clutch id='c' p='a' n='b' torque='100'/>"),
                        "a b c.s", r, 2);
        CHECK_CLOSE(harness_at(&h, 0, 1), 5, 1e-9);
        CHECK_CLOSE(harness_last(&h, 0), 5 - 10, 1e-9);
        CHECK_CLOSE(harness_last(&h, 1), 5, 1e-9);
        CHECK_CLOSE(h.value[2], 1.5, 1e-9); /* 2 N.m * 0.3/0.4 */
        harness_free(&h);
    }
}

/* From p: 0.8 of the torque less the bearings' arrives; from n: 0.7; in between it sticks. */
static void test_lossy_gear(void) {
    for (size_t r = EXPLICIT; r < RUNS; r++) {
        harness h = run(
            MODEL(
                "<fixed-shaft id='g' p='0'/><inertia id='J1' p='a' J='0.1'/>"
                "<step-torque id='M' p='0' n='a' offset='2' height='-2' delay='1'/>"
                "<lossy-gear id='G' p='a' n='b' ratio='10' eta='0.8' eta_back='0.7' torque='0.1'/>"
                "<inertia id='J2' p='b' J='3'/>"
                "<step-torque id='L' p='b' n='0' height='40' delay='2'/>"),
            "a G.p.tau G.n.tau G.heat.Q", r, 3);
        /* forward, driven: 0.1 w' = 2 - tau, 3 w'/10 = 10 (0.8 tau - 0.1) */
        double rate = (0.8 * 2 - 0.1) / (0.08 + 0.03), tau = 2 - 0.1 * rate;
        CHECK_CLOSE(h.value[1], tau, 1e-6);
        CHECK_CLOSE(h.value[2], -10 * (0.8 * tau - 0.1), 1e-6);
        /* then both flywheels coast, the fast one driving: 0.1 w' = -tau, 3 w'/100 = 0.8 tau - 0.1
         */
        CHECK_CLOSE(harness_at(&h, 0, 2), rate - 0.1 / (0.08 + 0.03), 1e-6);
        harness_free(&h);
        /* 40 N.m at n are 2.8 at p with eta_back: 2 N.m of the motor cannot lift, nor the load fall
         * at 2.8 N.m */
        h = run(
            MODEL("<fixed-shaft id='g' p='0'/><inertia id='J1' p='a' J='0.1'/>"
                  "<step-torque id='M' p='0' n='a' offset='2' height='0.9' delay='1'/>"
                  "<lossy-gear id='G' p='a' n='b' ratio='10' eta='0.5' eta_back='0.2' torque='0.1' "
                  "creep='5e-16'/><torque-source id='L' p='b' n='0' tau='10'/>"),
            "a", r, 2);
        CHECK_CLOSE(harness_at(&h, 0, 1), 0, STILL);
        CHECK_CLOSE(harness_last(&h, 0), (2.9 - 1.1 / 0.5) / 0.1, 1e-6);
        harness_free(&h);
    }
}

/* Rolling resistance stops a car on a slope and holds it there; air drag alone: v0/(1 + v0 t/L). */
static void test_vehicle(void) {
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(
            MODEL("<mass id='m' p='a' m='1000' v0='2'/><constant id='g' out='grade' value='0.05'/>"
                  "<road-slope id='s' p='a' in='grade' m='1000'/><rolling-resistance id='r' p='a' "
                  "cr='0.06' N='10000'/>"),
            "a r.s", r, 5);
        const double pull = 1000 * 9.80665 * 0.05 / sqrt(1.0025);
        CHECK_CLOSE(harness_last(&h, 0), 0, STILL);
        CHECK_CLOSE(harness_last(&h, 1), -pull, 1e-9);
        harness_free(&h);
        h = run(MODEL("<mass id='m' p='a' m='1000' v0='30'/><air-drag id='d' p='a' cd='0.3' A='2' "
                      "rho='1.25'/>"),
                "a", r, 5);
        CHECK_CLOSE(harness_last(&h, 0), 30 / (1 + 30 * 5 * 0.375 / 1000), runs[r].within);
        harness_free(&h);
    }
}

/* Two contacts hold one body: each carries its share, 4 and 6 of 10 N, and both break away at 10 N.
 */
static void test_shared(void) {
    const double w = 2 * pi, t0 = asin(10.0 / 15) / w;
    for (size_t r = 0; r < RUNS; r++) {
        harness h =
            run(MODEL("<fixed-point id='g' p='0'/><mass id='m' p='a' m='2'/>"
                      "<dry-friction id='f1' p='a' F='4'/><dry-friction id='f2' p='a' F='6'/>"
                      "<sine-force id='F' p='0' n='a' amplitude='15' frequency='1'/>"),
                "a f1.s f2.s f1.mode f2.mode", r, 0.3);
        for (size_t row = 0; row < h.rows; row++) {
            const int holds = h.time[row] < t0 - 1e-9;
            if (holds)
                CHECK_CLOSE(value(&h, row, 0), 0, STILL);
            CHECK_CLOSE(value(&h, row, 1) / 4, value(&h, row, 2) / 6, 1e-9);
            if (h.time[row] > t0 + 1e-9)
                CU_ASSERT(value(&h, row, 3) == 1 && value(&h, row, 4) == 1);
        }
        CHECK_CLOSE(harness_last(&h, 0),
                    (15 * (cos(w * t0) - cos(w * 0.3)) / w - 10 * (0.3 - t0)) / 2, runs[r].within);
        harness_free(&h);
    }
}

/* Thrown back by a stop it slips on the other way: v^2 = 9 - 4 before, (v/2)^2/4 is how far it
 * comes. */
static void test_thrown(void) {
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(MODEL("<mass id='m' p='a' m='2' v0='3'/><dry-friction id='f' p='a' F='4'/>"
                              "<rigid-stop id='st' p='a' low='-1' high='1' restitution='0.5'/>"),
                        "a st.x f.mode", r, 2);
        CHECK_CLOSE(harness_last(&h, 1), 1 - 5.0 / 4 / 4, 10 * runs[r].within);
        CHECK_CLOSE(harness_last(&h, 2), 0, 0);
        harness_free(&h);
    }
}

/* An open clutch behind a gear that sticks and breaks away takes nothing; closed, it locks: 2 N.m
 * less the gear's loss accelerate 1e-3 25 + 0.01 + 0.05 kg.m^2 (seen from its slow side). */
static void test_open_clutch(void) {
    for (size_t r = EXPLICIT; r < RUNS; r++) {
        harness h = run(
            MODEL(
                "<fixed-shaft id='g' p='0'/><step-torque id='M' p='0' n='a' height='0.4' "
                "delay='0.1'/>"
                "<inertia id='J1' p='a' J='1e-3'/><lossy-gear id='G' p='a' n='b' ratio='5' "
                "eta='0.9' torque='0.02'/>"
                "<inertia id='J2' p='b' J='0.01'/><step id='s' out='u' delay='0.5'/>"
                "<clutch id='C' p='b' n='c' in='u' torque='20'/><inertia id='J3' p='c' J='0.05'/>"),
            "b c C.mode C.s", r, 2);
        const double tau = 0.4, rate = (0.9 * tau - 0.02) * 5 / (0.9 * 25e-3 + 0.06);
        const double alone = (0.9 * tau - 0.02) * 5 / (0.9 * 25e-3 + 0.01) * 0.4;
        for (size_t row = 0; row < h.rows; row++)
            if (h.time[row] > 0 && h.time[row] < 0.5) {
                CHECK_CLOSE(value(&h, row, 1), 0, 0);
                CHECK_CLOSE(value(&h, row, 2), 3, 0);
            }
        CHECK_CLOSE(harness_at(&h, 0, 0.5), alone, runs[r].within);
        CHECK_CLOSE(harness_last(&h, 0), harness_last(&h, 1), 1e-9);
        /* while it slips, 20 N.m drive c: 400 t = alone + (b's rate) t; then together */
        const double b = ((0.9 * tau - 0.02) * 5 - 20) / (0.9 * 25e-3 + 0.01), c = 20 / 0.05,
                     meet = alone / (c - b);
        CHECK_CLOSE(harness_last(&h, 0), c * meet + rate * (1.5 - meet), 10 * runs[r].within);
        harness_free(&h);
    }
}

/* Open clutch and brake on a planetary gear, from rest: they hold nothing at the start, though all
 * that keeps their force at zero is where they begin to slip, at zero. */
static void test_open_at_start(void) {
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(
            MODEL("<fixed-shaft id='f' p='0'/><inertia id='Js' p='s' J='0.01'/><inertia id='Jc' "
                  "p='c' J='0.5'/><inertia id='Jr' p='r' J='0.05'/><planetary-gear id='P' "
                  "sun='s' carrier='c' ring='r' ratio='2.5'/><torque-source id='T' p='0' n='s' "
                  "tau='5'/><constant id='o' out='off' value='0'/><brake id='B' p='r' in='off' "
                  "torque='40' peak='1.1'/><clutch id='K' p='s' n='r' in='off' torque='30'/>"),
            "s c r", r, 1);
        const double lambda = -500 / (1 / 0.01 + 6.25 / 0.05 + 12.25 / 0.5);
        CHECK_CLOSE(harness_last(&h, 0), (5 + lambda) / 0.01, 1e-6);
        CHECK_CLOSE(harness_last(&h, 1), -3.5 * lambda / 0.5, 1e-6);
        CHECK_CLOSE(harness_last(&h, 2), 2.5 * lambda / 0.05, 1e-6);
        harness_free(&h);
    }
}

/* A brake on what is moved by force: it cannot stick where the motion turns, only turn with it. */
static void test_forced(void) {
    for (size_t r = EXPLICIT + 1; r < RUNS; r++) {
        harness h = run(
            MODEL("<fixed-point id='g' p='0'/><sine id='s' out='u' amplitude='0.01' frequency='1'/>"
                  "<constant id='c' out='on' value='0.5'/><signal-position id='x' p='a' n='0' "
                  "in='u'/>"
                  "<translational-brake id='b' p='a' in='on' F='40'/>"),
            "b.s b.mode", r, 3);
        CU_ASSERT(h.statistics.events < 100);
        for (size_t row = 0; row < h.rows; row++)
            if (fabs(cos(2 * pi * h.time[row])) > 0.05)
                CHECK_CLOSE(value(&h, row, 0), cos(2 * pi * h.time[row]) > 0 ? 20 : -20, 1e-5);
        harness_free(&h);
    }
}

/* A hoist: a motor lifts 300 kg by a gear with losses, and a brake on the motor's shaft stops it.
 * Gear and brake come to rest at once, and the load then hangs still, by whatever method and
 * tolerance. */
static void test_hoist(void) {
    static const struct {
        const char *method;
        double tolerance;
    } ways[] = {{"radau5", 1e-3}, {"radau5", 2e-4}, {"radau5", 1e-4},  {"radau5", 5e-5},
                {"radau5", 1e-5}, {"rk45", 1e-5},   {"tr-bdf2", 1e-4}, {"ida", 1e-4}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        harness h = harness_run_with(
            MODEL(
                "<fixed-shaft id='f' p='0'/><ground id='g' p='e'/><dc-machine id='M' p='u' n='e' "
                "shaft='s' R='0.5' L='2e-3' k='0.5' J='0.05'/><piecewise-linear-voltage id='V' "
                "p='u' n='e' points='0 0; 0.5 0; 1.5 60; 3 60; 4 0; 6 0'/><lossy-gear id='G' p='s' "
                "n='d' ratio='20' eta='0.8' eta_back='0.6' torque='0.1'/><rack-and-pinion id='D' "
                "shaft='d' rod='r' radius='0.2'/><spring-damper id='rope' p='r' n='c' k='50e3' "
                "d='500'/><mass id='m' p='c' m='300'/><weight id='W' p='c' m='300' g='10'/>"
                "<time-table id='b' out='on' points='0 1; 0.5 1; 0.6 0; 4.2 0; 4.3 1; 8 1'/>"
                "<brake id='B' p='s' in='on' torque='60'/>"),
            "s rope.f B.mode",
            (ln_settings){.method = ln_method_find(ways[k].method),
                          .end = 8,
                          .tolerance = ways[k].tolerance});
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_last(&h, 0), 0, 1e-9);
        CHECK_CLOSE(fabs(harness_last(&h, 1)), 3000, 30);
        CHECK_CLOSE(harness_last(&h, 2), 0, 0);
        harness_free(&h);
    }
}

/* ---- contact ---- */

/* A mass falls 0.2 m on a spring: it is thrown back to the height it came from, after t = 2 sqrt(2
 * h/g) in the air and (pi + 2 atan(w sqrt(2 m/(g k) h w)...)) in contact: the turning point follows
 * from energy. */
static void test_gap(void) {
    const double g = 10, m = 2, k = 2e4, h0 = 0.2, v = sqrt(2 * g * h0), w = sqrt(k / m),
                 x0 = m * g / k;
    const double deepest = x0 + sqrt(x0 * x0 + v * v / (w * w)), fall = sqrt(2 * h0 / g);
    const double contact = 2 * (pi - atan(v / (w * x0))) / w;
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(MODEL("<mass id='m' p='a' m='2'/><weight id='w' p='a' m='2' g='10'/>"
                              "<elastic-gap id='g' p='a' k='2e4' x0='0.2'/>"),
                        "g.x g.push", r, 2 * fall + contact);
        double lowest = 0;
        for (size_t row = 0; row < h.rows; row++) {
            lowest = fmin(lowest, value(&h, row, 0));
            CU_ASSERT(value(&h, row, 1) >= -1e-9);
        }
        CHECK_CLOSE(harness_last(&h, 0), h0, r == 1 ? 1e-4 : 1e-5);
        CHECK_CLOSE(lowest, -deepest, 2e-4);
        harness_free(&h);
    }
}

/* Two spheres: F = K x^1.5 stops m v^2/2 at x = (5 m v^2/(4 K))^0.4 and gives all of it back. */
static void test_hertz(void) {
    const double K = 1e5 * 1e-3 / pow(1e-3, 1.5), deepest = pow(5 * 2 / (4 * K), 0.4);
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(MODEL("<mass id='m' p='a' m='2' v0='-1'/><elastic-gap id='g' p='a' k='1e5' "
                              "exponent='1.5' x0='0'/>"),
                        "a g.x", r, 0.05);
        double lowest = 0;
        for (size_t row = 0; row < h.rows; row++)
            lowest = fmin(lowest, value(&h, row, 1));
        CHECK_CLOSE(lowest / -deepest, 1, 3e-2); /* at the steps */
        CHECK_CLOSE(harness_last(&h, 0), 1, r < 2 ? 5e-3 : 1e-4);
        harness_free(&h);
    }
}

/* Damping in a stop takes energy, but never pulls, and the stop on the other side is the same. */
static void test_hard_stop(void) {
    for (size_t r = 0; r < RUNS; r++)
        for (int side = -1; side <= 1; side += 2) {
            char xml[400];
            snprintf(xml, sizeof xml,
                     MODEL("<mass id='m' p='a' m='1' v0='%d'/>"
                           "<hard-stop id='s' p='a' low='-0.1' high='0.1' k='1e4' d='50'/>"),
                     side);
            harness h = run(xml, "a s.f s.x", r, 0.2);
            CU_ASSERT(side * harness_last(&h, 0) < 0 && fabs(harness_last(&h, 0)) < 0.9);
            for (size_t row = 0; row < h.rows; row++)
                CU_ASSERT(side * value(&h, row, 1) >= -1e-9);
            harness_free(&h);
        }
    check_refused(
        MODEL("<mass id='m' p='a' m='1'/><hard-stop id='s' p='a' low='1' high='-1' k='1'/>"),
        "s (hard-stop): the lower stop must be below the upper one");
}

/* Restitution 0.5: the second flight lasts as long as the first fall; then it lies still, and the
 * floor carries it. */
static void test_rigid_stop(void) {
    const double fall = sqrt(2 * 0.2 / 10);
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(MODEL("<mass id='m' p='a' m='2'/><weight id='w' p='a' m='2' g='10'/>"
                              "<rigid-stop id='g' p='a' low='0' x0='0.2' restitution='0.5'/>"),
                        "a g.x g.s g.at", r, 2);
        double highest = 0;
        for (size_t row = 0; row < h.rows; row++) {
            if (h.time[row] > fall + 1e-6)
                highest = fmax(highest, value(&h, row, 1));
            CU_ASSERT(value(&h, row, 1) > -1e-9);
        }
        CHECK_CLOSE(highest, 0.2 * 0.25, 1e-4);
        CHECK_CLOSE(harness_last(&h, 0), 0, 0);
        CHECK_CLOSE(harness_last(&h, 1), 0, 0);
        CHECK_CLOSE(harness_last(&h, 2), -20, 1e-9);
        harness_free(&h);
    }
    check_refused(MODEL("<mass id='m' p='a' m='1'/><rigid-stop id='s' p='a' low='0' x0='-1'/>"),
                  "x0 must lie between");
}

/* Turned to and fro by +-0.1 rad, a brake behind 0.05 rad of play follows by 0.2 - 0.05 from end to
 * end. */
static void test_backlash(void) {
    for (size_t r = EXPLICIT; r < RUNS; r++) {
        harness h =
            run(MODEL("<fixed-shaft id='g' p='0'/><sine id='s' out='u' "
                      "amplitude='0.62831853071795865' frequency='1'/>"
                      "<signal-speed id='w' p='a' n='0' in='u'/>"
                      "<torsion-backlash id='b' p='a' n='c' play='0.05' k='1e5' d='1'/>"
                      "<inertia id='J' p='c' J='1e-3'/><bearing-friction id='f' p='c' torque='5'/>"
                      "<angle-sensor id='x' p='c' out='phi'/>"),
                "phi", r, 3);
        double low = INFINITY, high = -INFINITY;
        for (size_t row = 0; row < h.rows; row++) {
            if (h.time[row] < 1)
                continue;
            low = fmin(low, value(&h, row, 0));
            high = fmax(high, value(&h, row, 0));
        }
        CHECK_CLOSE(high - low, 0.2 - 0.05, 3e-4);
        harness_free(&h);
    }
}

/* A position forced to and fro by 10 mm moves a body that rubs through 1 mm of play: it follows by
 * 20 - 1 mm. */
static void test_forced_backlash(void) {
    for (size_t r = EXPLICIT + 1; r < RUNS; r++)
        for (int play = 0; play <= 1; play++) {
            char xml[700];
            snprintf(xml, sizeof xml,
                     MODEL("<fixed-point id='g' p='0'/><triangle id='s' out='u' amplitude='0.01' "
                           "frequency='1'/>"
                           "<first-order id='lag' in='u' out='u2' T='0.002'/><signal-position "
                           "id='x' p='a' n='0' in='u2'/>"
                           "<elastic-backlash id='b' p='a' n='c' play='%d mm' k='1e6' "
                           "d='100'/><mass id='m' p='c' m='1'/>"
                           "<dry-friction id='f' p='c' n='0' F='30' peak='1.3'/><position-sensor "
                           "id='y' p='c' out='pos'/>"),
                     play);
            harness h = run(xml, "pos", r, 2);
            double low = INFINITY, high = -INFINITY;
            for (size_t row = 0; row < h.rows; row++) {
                if (h.time[row] < 0.5)
                    continue;
                low = fmin(low, value(&h, row, 0));
                high = fmax(high, value(&h, row, 0));
            }
            CHECK_CLOSE(high - low, 2 * (0.01 - 0.04 * 0.002 * log(2)) - 1e-3 * play - 6e-5, 1e-4);
            harness_free(&h);
        }
}

/* ---- gears and loads ---- */

static void test_gears(void) {
    /* a torque on the sun, the ring held: the carrier's inertia counts (1 + r)^-2 */
    CHECK_CLOSE(
        harness_end(MODEL("<fixed-shaft id='g' p='0'/><torque-source id='M' p='0' n='s' tau='1'/>"
                          "<inertia id='J1' p='s' J='0.1'/><planetary-gear id='G' sun='s' "
                          "carrier='c' ring='0' ratio='3'/>"
                          "<inertia id='J2' p='c' J='0.8'/>"),
                    "c", "crank-nicolson", 2, 0.01),
        2 * 4 / (0.1 * 16 + 0.8), 1e-9);
    /* a differential of ratio 4: wheels of 1 and 3 kg.m^2 take the same torque */
    harness h =
        harness_run(MODEL("<fixed-shaft id='g' p='0'/><torque-source id='M' p='0' n='s' tau='1'/>"
                          "<differential id='D' shaft='s' left='l' right='r' ratio='4'/>"
                          "<inertia id='J1' p='l' J='1'/><inertia id='J2' p='r' J='3'/>"),
                    "l r s", "crank-nicolson", 3, 0.01);
    CHECK_CLOSE(harness_last(&h, 0), 6, 1e-9);
    CHECK_CLOSE(harness_last(&h, 1), 2, 1e-9);
    CHECK_CLOSE(harness_last(&h, 2), 16, 1e-9);
    harness_free(&h);
}

/* What a signal moves, and what that takes. */
static void test_moved(void) {
    for (size_t r = EXPLICIT; r < RUNS; r++) {
        harness h = run(MODEL("<sine id='s' out='u' amplitude='0.5' frequency='1'/><signal-angle "
                              "id='x' p='a' in='u'/><inertia id='J' p='a' J='2'/>"
                              "<constant id='k' out='acc' value='3'/><signal-acceleration id='y' "
                              "p='b' in='acc' v0='1'/><mass id='m' p='c' m='2'/>"
                              "<rod-power-sensor id='P' p='b' n='c' out='power'/>"
                              "<signal-angular-acceleration id='z' p='d' in='acc' "
                              "w0='-1'/><inertia id='K' p='d' J='4'/>"),
                        "a b y.f d z.tau power", r, 1.25);
        CHECK_CLOSE(harness_last(&h, 0), 0, 1e-3);
        CHECK_CLOSE(harness_last(&h, 1), 1 + 3 * 1.25, 1e-9);
        CHECK_CLOSE(harness_last(&h, 2), -6, 1e-6);
        CHECK_CLOSE(harness_last(&h, 3), -1 + 3 * 1.25, 1e-9);
        CHECK_CLOSE(harness_last(&h, 4), -12, 1e-6);
        CHECK_CLOSE(harness_last(&h, 5), 6 * (1 + 3 * 1.25), 1e-6);
        harness_free(&h);
    }
}

static void test_loads(void) {
    /* J w' = -2 T x/(1 + x^2), x = w/wn: x^2/2 + log x falls by 2 T/(J wn) a second */
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(MODEL("<inertia id='J' p='a' J='0.5' w0='20'/><eddy-current-brake id='b' "
                              "p='a' torque='2' w='10' heat='h'/>"
                              "<heat-capacity id='H' p='h' C='1' T0='0'/>"),
                        "a h", r, 2);
        const double x = harness_last(&h, 0) / 10;
        CHECK_CLOSE(2 + log(2) - x * x / 2 - log(x), 2 * 2 / (0.5 * 10) * 2, 10 * runs[r].within);
        CHECK_CLOSE(harness_last(&h, 1), 0.25 * (400 - 100 * x * x), 100 * runs[r].within);
        harness_free(&h);
    }
    for (size_t r = 0; r < RUNS; r++) {
        /* J w' = M - T (w/wn)^2: w = wn sqrt(M/T) tanh(sqrt(M T)/(J wn) t) */
        harness h = run(MODEL("<fixed-shaft id='g' p='0'/><torque-source id='M' p='0' n='a' "
                              "tau='2'/><inertia id='J' p='a' J='0.5'/>"
                              "<quadratic-load id='l' p='a' torque='8' w='10'/>"),
                        "a", r, 1);
        CHECK_CLOSE(harness_last(&h, 0), 5 * tanh(4 / 5.0), runs[r].within);
        harness_free(&h);
        /* J w w' = -P: w^2 falls in a straight line; below 5 rad/s exponentially */
        h = run(MODEL("<inertia id='J' p='a' J='0.5' w0='10'/><constant-power-load id='l' p='a' "
                      "P='15' w='5'/>"),
                "a", r, 2);
        CHECK_CLOSE(harness_at(&h, 0, 1) > 0 ? harness_at(&h, 0, 1) : sqrt(100 - 60),
                    sqrt(100 - 60), 10 * runs[r].within);
        CHECK_CLOSE(harness_last(&h, 0), 5 * exp(-1.2 * (2 - 1.25)), 10 * runs[r].within);
        harness_free(&h);
    }
    CHECK_CLOSE(harness_end(MODEL("<fixed-point id='g' p='0'/><force-source id='F' p='0' n='a' "
                                  "F='6'/><mass id='m' p='a' m='2'/>"
                                  "<acceleration-sensor id='s' p='a' out='acc'/>"),
                            "acc", "rk4", 1, 0.1),
                3, 1e-12);
}

static void test_refusals(void) {
    static const char *const gears[] = {
        "<gear id='g' p='a' n='b' ratio='0'/>", "<lossy-gear id='g' p='a' n='b' ratio='0'/>",
        "<differential id='g' shaft='a' left='b' right='b' ratio='0'/>"};
    for (size_t k = 0; k < sizeof gears / sizeof *gears; k++) {
        char xml[300];
        snprintf(xml, sizeof xml,
                 MODEL("<inertia id='J' p='a' J='1'/>%s<inertia id='K' p='b' J='1'/>"), gears[k]);
        check_refused(xml, "ratio must not be zero");
    }
    check_refused(MODEL("<mass id='m' p='a' m='1'/><lever id='l' p='a' n='b' ratio='0'/><mass "
                        "id='n' p='b' m='1'/>"),
                  "ratio must not be zero");
    check_refused(MODEL("<mass id='m' p='a' m='1'/><dry-friction id='f' p='a' F='1' peak='0.5'/>"),
                  "peak");
    check_refused(MODEL("<mass id='m' p='a' m='1'/><dry-friction id='f' p='a' F='-1'/>"), "F");
    check_refused(MODEL("<inertia id='m' p='a' J='1'/><lossy-gear id='f' p='a' n='b' ratio='2' "
                        "eta='1.1'/><inertia id='n' p='b' J='1'/>"),
                  "eta");
}

UNIT_MAIN({"sliding to a stop", test_stop}, {"held by friction", test_hold},
          {"stick and slip", test_stick_slip}, {"mass on a belt", test_belt},
          {"clutch", test_clutch}, {"brake", test_brake}, {"one-way clutch", test_one_way},
          {"shared load", test_shared}, {"thrown back", test_thrown},
          {"open clutch", test_open_clutch}, {"open at the start", test_open_at_start},
          {"forced motion", test_forced}, {"lossy gear", test_lossy_gear}, {"hoist", test_hoist},
          {"vehicle", test_vehicle}, {"elastic gap", test_gap}, {"Hertz contact", test_hertz},
          {"hard stop", test_hard_stop}, {"rigid stop", test_rigid_stop},
          {"backlash", test_backlash}, {"forced backlash", test_forced_backlash},
          {"gears of three shafts", test_gears}, {"loads and drag", test_loads},
          {"forced motions", test_moved}, {"what is refused", test_refusals})
