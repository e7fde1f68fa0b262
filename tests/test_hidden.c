/* SPDX-License-Identifier: MIT */
/* Starts and events where the index is above 1: what the equations hide (constraints on speeds,
 * forces, currents that charge at once) against closed forms, to rounding. */
#include "harness.h"
#include "unit.h"

#define MODEL(body) "<model xmlns='urn:linnet:model:1'>" body "</model>"
#define GROUND "<ground id='gnd' p='0'/>"
#define EXACT 1e-13

/* The first row of a run that begins at a time. */
static harness start(const char *xml, const char *signals, double begin) {
    return harness_run_with(xml, signals,
                            (ln_settings){.method = ln_method_find("radau5"),
                                          .begin = begin,
                                          .end = begin + 1e-3,
                                          .tolerance = 1e-6});
}

#define PENDULUM(u, v)                                                                         \
    MODEL("<block-type name='pendulum'><state name='x' start='0.6'/><state name='y' "          \
          "start='-0.8'/><state name='u' start='" u "'/><state name='v' start='" v "'/>"       \
          "<variable name='s'/><equation>der(x) = u</equation><equation>der(y) = v</equation>" \
          "<equation>der(u) = -s*x</equation><equation>der(v) = -s*y - 9.81</equation>"        \
          "<equation>x*x + y*y = 1</equation></block-type><pendulum id='p'/>")

/* Index 3: the force is as the speed and the weight ask. A speed that nothing binds (a default) is
 * projected: what is along the rod goes. */
static void pendulum(void) {
    harness h = start(PENDULUM("1.6", "1.2"), "p.s p.u", 0);
    CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
    CHECK_CLOSE(h.value[0], 4 + 9.81 * 0.8, EXACT);
    CHECK_CLOSE(h.value[1], 1.6, EXACT);
    harness_free(&h);
}

/* Index 2: the current through a capacitor is C dV/dt of its source, also across a floating part.
 */
static void charging(void) {
    const double t = 3e-4, w = 2 * 3.14159265358979323846 * 1e3;
    harness h = start(MODEL(GROUND "<sine-voltage id='V' p='a' n='b' amplitude='5' "
                                   "frequency='1 kHz'/><capacitor id='C' p='a' n='b' C='2 mF'/>"
                                   "<resistor id='R' p='b' n='0' R='1'/>"),
                      "V.i a b", t);
    CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
    CHECK_CLOSE(h.value[0], -2e-3 * 5 * w * cos(w * t), 1e-12);
    CHECK_CLOSE(h.value[1] - h.value[2], 5 * sin(w * t), EXACT);
    CHECK_CLOSE(h.value[2], 0, EXACT);
    harness_free(&h);
}

/* A source that comes on across capacitors in series: what flows charges both alike. */
static void sharing(void) {
    harness h = start(MODEL(GROUND "<voltage-source id='V' p='a' n='0' V='6'/><capacitor id='C1' "
                                   "p='a' n='b' C='1 uF'/><capacitor id='C2' p='b' n='0' C='2 "
                                   "uF'/>"),
                      "b V.i", 0);
    CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
    CHECK_CLOSE(h.value[0], 2, EXACT);
    CHECK_CLOSE(h.value[1], 0, EXACT);
    harness_free(&h);
}

/* A pulse that acts at once charges what it is joined to. A slope that becomes zero to the last
 * bit, here through R3, which leads nowhere, has settled. */
static void pulse_at_once(void) {
    harness h = start(MODEL(GROUND "<pulse-voltage id='V' p='a' n='0' high='15.31' width='1 ms'/>"
                                   "<resistor id='R' p='a' n='b' R='167.4'/><resistor id='R3' "
                                   "p='b' n='c' R='255.8'/><capacitor id='C0' "
                                   "p='a' n='b' C='14.17 nF'/><capacitor id='C1' p='a' n='0' "
                                   "C='146 nF'/>"),
                      "c V.i", 0);
    CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
    CHECK_CLOSE(h.value[0], 15.31, EXACT);
    CHECK_CLOSE(h.value[1], 0, EXACT);
    harness_free(&h);
}

/* The same behind a closed switch and before a junction, which 5 V find 190 times its
 * kT/q away: both take what is left of the source, one 5 V on 10 uOhm, the other the
 * current that its exponential and 250 Ohm agree upon. */
static void junction_behind_a_source(void) {
    harness h = start(MODEL(GROUND "<voltage-source id='V' p='a' n='0' V='5'/><capacitor id='C1' "
                                   "p='a' n='0' C='1 nF'/><capacitor id='C2' p='a' n='b' C='1 uF'/>"
                                   "<resistor id='S' p='b' n='0' R='1e-5'/><resistor id='R' p='b' "
                                   "n='d' R='250'/><diode id='D' p='d' n='0'/>"),
                      "b S.i d R.i", 0);
    CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
    CHECK_CLOSE(h.value[0], 5, EXACT);
    CHECK_CLOSE(h.value[1], 5e5, EXACT);
    CHECK_CLOSE(h.value[3], (5 - h.value[2]) / 250, EXACT);
    CHECK_CLOSE(h.value[3], 1e-14 * (exp(h.value[2] / 0.02585) - 1) + 1e-12 * h.value[2], 1e-11);
    harness_free(&h);
}

/* Derivatives of a known signal, one after the other: index 4. */
static void derivatives(void) {
    harness h = start(MODEL("<block-type name='chain'><variable name='a'/><variable "
                            "name='b'/><variable name='c'/><variable name='d'/><equation>a = "
                            "sin(t)</equation><equation>b = der(a)</equation><equation>c = "
                            "der(b)</equation><equation>d = der(c)</equation></block-type><chain "
                            "id='k'/>"),
                      "k.a k.b k.c k.d", 0.3);
    CU_ASSERT_FATAL(h.rows > 0);
    CHECK_CLOSE(h.value[0], sin(0.3), EXACT);
    CHECK_CLOSE(h.value[1], cos(0.3), EXACT);
    CHECK_CLOSE(h.value[2], -sin(0.3), EXACT);
    CHECK_CLOSE(h.value[3], -cos(0.3), EXACT);
    harness_free(&h);
}

/* Two flywheels on a gear turn as their momentum asks; the torque between them is known at once. */
static void gear(void) {
    harness h = start(MODEL("<fixed-shaft id='g' p='0'/><inertia id='J1' p='a' J='2'/><gear id='G' "
                            "p='a' n='b' ratio='3'/><inertia id='J2' p='b' J='9'/><torque-source "
                            "id='T' p='0' n='a' tau='6'/>"),
                      "a b G.p.tau", 0);
    CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
    CHECK_CLOSE(h.value[0], 0, EXACT);
    CHECK_CLOSE(h.value[2], 6 - 2 * (6 / (2 + 9.0 / 9)), EXACT);
    harness_free(&h);
}

/* A kink of an unknown of index 2: cos t = l - min(l, 0.5)/2. Rows that a crossing was looked for
 * in steps of femtoseconds are left out: rounding of v, over such a step, is all that l then is. By
 * methods of order 2, l is as good as their longest step: nothing but v sets it, which is exact. */
static void kink(void) {
    static const char *const methods[] = {"radau5", "tr-bdf2", "bdf2"};
    for (size_t m = 0; m < 3; m++) {
        harness h = harness_run_with(
            MODEL(
                "<block-type name='problem'><state name='v'/><variable name='l'/><equation>der(v) "
                "= l - min(l, 0.5)/2</equation><equation>v = sin(t)</equation></block-type>"
                "<problem id='r'/>"),
            "r.l",
            (ln_settings){.method = ln_method_find(methods[m]), .end = 10, .tolerance = 1e-7});
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        CU_ASSERT(h.statistics.events < 100);
        for (size_t row = 1; row < h.rows; row++) {
            if (h.time[row] - h.time[row - 1] < 1e-9)
                continue;
            const double c = cos(h.time[row]);
            CHECK_CLOSE(h.value[row], c <= 0.25 ? 2 * c : c + 0.25, m == 0 ? 1e-4 : 0.05);
        }
        harness_free(&h);
    }
}

/* A state within a nonlinear der() starts where its start value says: a mass that falls away takes
 * its speed along; a rocket in free ascent follows Tsiolkovsky's equation. */
static void moving_mass(void) {
#define MASS(v, force)                                                                         \
    MODEL("<block-type name='problem'><state name='m' start='1000'/><state name='v' start='" v \
          "'/><equation>der(m) = -10</equation><equation>der(m*v) = " force                    \
          "</equation></block-type><problem id='r'/>")
    static const char *const methods[] = {"radau5", "tr-bdf2", "crank-nicolson"};
    for (size_t k = 0; k < 3; k++) {
        const ln_settings settings = {
            .method = ln_method_find(methods[k]), .end = 90, .tolerance = 1e-7};
        harness h = harness_run_with(MASS("5", "-10*v"), "r.v", settings);
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        CHECK_CLOSE(h.value[0], 5, EXACT);
        CHECK_CLOSE(harness_last(&h, 0), 5, 1e-6);
        harness_free(&h);
        h = harness_run_with(MASS("0", "-10*(v - 2000) - m*9.81"), "r.v", settings);
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        CHECK_CLOSE(h.value[0], 0, EXACT);
        CHECK_CLOSE(harness_last(&h, 0), 2000 * log(10) - 9.81 * 90, 1e-4);
        harness_free(&h);
    }
}

/* Capacitors in series beside a delay: what is delayed is a memory to those who differentiate the
 * rows. */
static void beside_a_delay(void) {
    harness h = start(MODEL("<constant id='k' value='3' out='u'/><block-type name='late'><input "
                            "name='u'/><output name='y'/><state name='c'/><equation>der(c) = "
                            "u</equation><equation>y = c - delay(c, 1 ms)</equation></block-type>"
                            "<late id='l' u='u' y='y'/>" GROUND
                            "<voltage-source id='V' p='a' n='0' V='6'/><capacitor id='C1' p='a' "
                            "n='b' C='1 uF'/><capacitor id='C2' p='b' n='0' C='2 uF'/>"),
                      "b V.i y", 0);
    CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
    CHECK_CLOSE(h.value[0], 2, EXACT);
    CHECK_CLOSE(h.value[1], 0, EXACT);
    CHECK_CLOSE(h.value[2], 0, EXACT);
    harness_free(&h);
}

/* The force of a pendulum in Cartesian coordinates, of index 3, follows from places and speeds in
 * every row, also within steps: s = u^2 + v^2 - g y, which are as good as the tolerance. By energy
 * s = -3 g y. */
static void force_of_a_pendulum(void) {
    static const char *const methods[] = {"radau5", "tr-bdf2", "bdf2", "ida"};
    static const double off[] = {1e-4, 2e-2, 4e-2, 2e-3};
    for (size_t m = 0; m < 4; m++) {
        harness h = harness_run_with(PENDULUM("0", "0"), "p.s p.x p.y p.u p.v",
                                     (ln_settings){.method = ln_method_find(methods[m]),
                                                   .end = 5,
                                                   .tolerance = 1e-5,
                                                   .interval = 0.05});
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        for (size_t row = 0; row < h.rows; row++) {
            const double *at = h.value + 5 * row, y = at[2], u = at[3], v = at[4];
            CHECK_CLOSE(at[1] * u + y * v, 0, 1e-12);
            CHECK_CLOSE(at[0], u * u + v * v - 9.81 * y, 1e-10);
            CHECK_CLOSE(at[0], 2 * 9.81 * (-0.8 - y) - 9.81 * y, off[m]);
        }
        harness_free(&h);
    }
}

/* A double pendulum in Cartesian coordinates. In short steps rounding of its places, over h^2, is
 * more than Newton's method may leave of its forces; they need not settle. Its energy stays. */
static void double_pendulum(void) {
    static const char *const methods[] = {"radau5", "tr-bdf2", "bdf2"};
    static const double lost[] = {1e-5, 1e-3, 2e-3};
    for (size_t m = 0; m < 3; m++) {
        harness h = harness_run_with(
            MODEL(
                "<block-type name='pair'><state name='x' start='1'/><state name='y' start='0'/>"
                "<state name='u'/><state name='v'/><state name='X' start='1'/><state name='Y' "
                "start='-1'/><state name='U'/><state name='V'/><variable name='s'/><variable "
                "name='S'/><equation>der(x) = u</equation><equation>der(y) = v</equation>"
                "<equation>der(X) = U</equation><equation>der(Y) = V</equation><equation>der(u) "
                "= S*(X - x) - s*x</equation><equation>der(v) = S*(Y - y) - s*y - 9.81</equation>"
                "<equation>der(U) = -S*(X - x)</equation><equation>der(V) = -S*(Y - y) - "
                "9.81</equation><equation>x^2 + y^2 = 1</equation><equation>(X - x)^2 + (Y - y)^2 "
                "= 1</equation></block-type><pair id='p'/>"),
            "p.y p.Y p.u p.v p.U p.V",
            (ln_settings){.method = ln_method_find(methods[m]), .end = 1, .tolerance = 1e-6});
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        CU_ASSERT(h.statistics.steps < 1000);
        for (size_t row = 0; row < h.rows; row++) {
            const double *at = h.value + 6 * row;
            const double moves = at[2] * at[2] + at[3] * at[3] + at[4] * at[4] + at[5] * at[5];
            CHECK_CLOSE(moves / 2 + 9.81 * (at[0] + at[1]), -9.81, lost[m]);
        }
        harness_free(&h);
    }
}

/* Rows left of t, or at t the first of two. */
static int is_left(const harness *h, size_t row, double t) {
    return h->time[row] < t - 1e-12 ||
           (h->time[row] < t + 1e-12 && row + 1 < h->rows && h->time[row + 1] < t + 1e-12);
}

/* The corners of a source: what charges a capacitor beside it jumps there, on both sides, and is
 * C dV/dt in between, by every method, also where it is told within steps or after steps of a given
 * length that do not meet the corners. */
static void corners(void) {
    static const char *const methods[] = {"radau5", "tr-bdf2",        "bdf2",
                                          "ida",    "crank-nicolson", "backward-euler"};
    for (size_t m = 0; m < 12; m++) {
        const ln_method *method = ln_method_find(methods[m % 6]);
        const int fixed = m >= 6;
        if (fixed && method->steps == LN_STEPS_ADAPTIVE)
            continue;
        harness h = harness_run_with(
            MODEL(GROUND
                  "<pulse-voltage id='V' p='a' n='0' high='1' delay='1 ms' rise='1 ms' fall='1 ms' "
                  "width='2 ms'/><capacitor id='C' p='a' n='0' C='1 uF'/>"
                  "<resistor id='R' p='a' n='0' R='1 kOhm'/>"),
            "V.i",
            (ln_settings){.method = method,
                          .end = 7e-3,
                          .tolerance = fixed ? 0 : 1e-4,
                          .step = fixed ? 0.3e-3 : 0,
                          .interval = fixed ? 0 : 0.1e-3});
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        int corners = 0;
        for (size_t row = 0; row < h.rows; row++) {
            const double t = h.time[row] * 1e3;
            const int rises = !is_left(&h, row, 1e-3) && is_left(&h, row, 2e-3),
                      falls = !is_left(&h, row, 4e-3) && is_left(&h, row, 5e-3);
            const double v = fmax(0, fmin(1, fmin(t - 1, 5 - t)));
            CHECK_CLOSE(h.value[row], -1e-3 * (v + rises - falls), 1e-9);
            corners += row > 0 && h.time[row] - h.time[row - 1] < 1e-12;
        }
        CU_ASSERT_EQUAL(corners, 4);
        harness_free(&h);
    }
}

/* The same of a force, two derivatives behind the place that it enforces (index 3). */
static void corner_of_a_speed(void) {
    static const char *const methods[] = {"radau5", "tr-bdf2"};
    for (size_t m = 0; m < 2; m++) {
        harness h = harness_run_with(
            MODEL("<block-type name='driven'><state name='x'/><state name='v'/><variable name='F'/>"
                  "<equation>der(x) = v</equation><equation>2*der(v) = F</equation><equation>x = "
                  "if(t lt 1, 0, if(t lt 2, (t - 1)^2/2, t - 1.5))</equation></block-type>"
                  "<driven id='d'/>"),
            "d.F d.v",
            (ln_settings){.method = ln_method_find(methods[m]), .end = 3, .tolerance = 1e-5});
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        for (size_t row = 0; row < h.rows; row++) {
            const int moves = !is_left(&h, row, 1), pushed = moves && is_left(&h, row, 2);
            CHECK_CLOSE(h.value[2 * row], 2 * pushed, 1e-9);
            CHECK_CLOSE(h.value[2 * row + 1], moves ? fmin(h.time[row] - 1, 1) : 0, 1e-9);
        }
        harness_free(&h);
    }
}

/* A rod that lets go at 0.3 s: the force's index falls from 3 to 1, and the body flies on with the
 * speed it has. */
static void rod_that_lets_go(void) {
    static const char *const methods[] = {"radau5", "tr-bdf2", "bdf2"};
    for (size_t m = 0; m < 3; m++) {
        harness h = harness_run_with(
            MODEL("<block-type name='pendulum'><state name='x' start='0.6'/><state name='y' "
                  "start='-0.8'/><state name='u' start='1.6'/><state name='v' start='1.2'/>"
                  "<variable name='s'/><equation>der(x) = u</equation><equation>der(y) = "
                  "v</equation><equation>der(u) = -s*x</equation><equation>der(v) = -s*y - "
                  "9.81</equation><equation>if(t lt 0.3, x*x + y*y - 1, s) = 0</equation>"
                  "</block-type><pendulum id='p'/>"),
            "p.s p.x p.y p.u p.v",
            (ln_settings){.method = ln_method_find(methods[m]), .end = 0.6, .tolerance = 1e-6});
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        const double *off = NULL; /* where it lets go */
        for (size_t row = 0; row < h.rows; row++) {
            const double *at = h.value + 5 * row, since = h.time[row] - 0.3;
            if (is_left(&h, row, 0.3)) {
                CHECK_CLOSE(at[0], at[3] * at[3] + at[4] * at[4] - 9.81 * at[2], 1e-9);
                continue;
            }
            off = off == NULL ? at : off;
            CHECK_CLOSE(at[0], 0, 1e-12);
            CHECK_CLOSE(at[1], off[1] + off[3] * since, 1e-9);
            CHECK_CLOSE(at[2], off[2] + off[4] * since - 9.81 / 2 * since * since, 1e-9);
        }
        CU_ASSERT_PTR_NOT_NULL(off);
        harness_free(&h);
    }
}

/* From point to point what a consistent point consists of is kept, and numbers alone are found
 * anew: each point of a pendulum took a hundred requests for memory. */
static void structure_is_kept(void) {
    const unsigned long before = ln_sys_allocations();
    harness h = harness_run_with(
        PENDULUM("1.6", "1.2"), "p.s",
        (ln_settings){
            .method = ln_method_find("radau5"), .end = 5, .tolerance = 1e-5, .interval = 0.01});
    CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
    CU_ASSERT(ln_sys_allocations() - before < 8 * h.rows);
    harness_free(&h);
}

/* What jumps as a run leaves its operating point, beside a mode that changes there: the row behind
 * it satisfies the equations. (Both sides were taken to be the right one, so that nothing seemed to
 * have jumped, and the voltage stayed 0 at 1 A.) */
static void jump_from_rest(void) {
    harness h = harness_run_with(
        MODEL(GROUND "<step-current id='I' p='0' n='a' height='1 A'/><resistor id='R' p='a' n='0' "
                     "R='1 kOhm'/><voltage-source id='V' p='b' n='0' V='1'/><capacitor id='C' "
                     "p='b' n='0' C='1 uF'/><sine id='s' out='u' frequency='50'/><floor id='f' "
                     "in='u' out='y'/>"),
        "a I.i R.i",
        (ln_settings){.method = ln_method_find("backward-euler"),
                      .start = LN_START_OPERATING_POINT,
                      .end = 1e-3,
                      .tolerance = 1e-6});
    CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
    for (int row = 0; row < 2; row++) {
        CHECK_CLOSE(h.time[row], 0, 0);
        CHECK_CLOSE(h.value[row * 3], 1e3 * row, EXACT);
        CHECK_CLOSE(h.value[row * 3 + 1], row, EXACT);
        CHECK_CLOSE(h.value[row * 3 + 2], row, EXACT);
    }
    harness_free(&h);
}

UNIT_MAIN({"pendulum", pendulum}, {"charging", charging}, {"a jump from rest", jump_from_rest},
          {"sharing", sharing}, {"pulse at once", pulse_at_once},
          {"junction behind a source", junction_behind_a_source},
          {"beside a delay", beside_a_delay}, {"derivatives of a signal", derivatives},
          {"gear", gear}, {"kink at index 2", kink}, {"moving mass", moving_mass},
          {"force of a pendulum", force_of_a_pendulum}, {"double pendulum", double_pendulum},
          {"corners of a source", corners}, {"corner of a speed", corner_of_a_speed},
          {"rod that lets go", rod_that_lets_go}, {"structure is kept", structure_is_kept})
