/* SPDX-License-Identifier: MIT */
/* Blocks that act some time after an input has turned true, or keep what was at such instants,
 * against values counted by hand; attitudes against products of rotations computed here; the
 * standard atmosphere against its published table. */
#include "harness.h"
#include "unit.h"

#define MODEL(blocks) "<model name='m' xmlns='urn:linnet:model:1'>" blocks "</model>"
static const double pi = 3.14159265358979323846;

static const struct {
    const char *method;
    double step, tolerance;
} runs[] = {{"rk4", 0.03, 0}, {"crank-nicolson", 0.03, 0}, {"radau5", 0, 1e-7}};
enum { RUNS = sizeof runs / sizeof *runs };

static harness run(const char *xml, const char *signals, size_t k, double end) {
    return harness_run_with(xml, signals,
                            (ln_settings){.method = ln_method_find(runs[k].method),
                                          .end = end,
                                          .step = runs[k].step,
                                          .tolerance = runs[k].tolerance});
}

/* Signal k as it is after everything that happens at t: held between rows, or on the line through
 * them. */
static double at(const harness *h, int k, double t, int line) {
    size_t n = (size_t)h->nsignals, row = 0;
    while (row + 1 < h->rows && h->time[row + 1] <= t + 1e-9)
        row++;
    double value = h->value[row * n + (size_t)k];
    if (!line || row + 1 == h->rows || t - h->time[row] < 1e-9)
        return value;
    return value + (h->value[(row + 1) * n + (size_t)k] - value) * (t - h->time[row]) /
                       (h->time[row + 1] - h->time[row]);
}

typedef struct expectation {
    int signal;
    double t, value;
} expectation;

static void expect(const char *xml, const char *signals, double end, int line,
                   const expectation *expected, size_t count) {
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(xml, signals, r, end);
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        for (size_t k = 0; k < count; k++) {
            double value = at(&h, expected[k].signal, expected[k].t, line);
            if (fabs(value - expected[k].value) > 1e-9)
                printf("\n    %s: signal %d at %g is %.12g, not %g\n", runs[r].method,
                       expected[k].signal, expected[k].t, value, expected[k].value);
            CHECK_CLOSE(value, expected[k].value, 1e-9);
        }
        harness_free(&h);
    }
}

#define EXPECT(xml, signals, end, line, ...)                            \
    expect(xml, signals, end, line, (const expectation[]){__VA_ARGS__}, \
           sizeof(const expectation[]){__VA_ARGS__} / sizeof(expectation))

/* True in (1, 1.3), (2, 5), (5.2, 8). */
#define PULSES                                                                                \
    "<pulse id='p1' out='a1' delay='1 s' width='0.3 s'/><pulse id='p2' out='a2' delay='2 s' " \
    "width='3 s'/>"                                                                           \
    "<pulse id='p3' out='a3' delay='5.2 s' width='2.8 s'/><or id='o1' in='a1 a2 a3' out='a'/>"

static void logic_delay(void) {
    EXPECT(
        MODEL(PULSES
              "<logic-delay id='on' in='a' out='x' on='0.5 s'/><logic-delay id='off' in='a' "
              "out='y' off='0.5 s'/>"
              "<logic-delay id='both' in='a' out='z' on='0.5 s' off='1 s'/><logic-delay id='none' "
              "in='a' out='w'/>"
              "<not id='n1' in='a' out='na'/><logic-delay id='start' in='na' out='v' on='9 s'/>"),
        "x y z w v", 10, 0, {0, 0.9, 0}, {0, 1.2, 0}, {0, 1.6, 0}, {0, 2.4, 0}, {0, 2.5, 1},
        {0, 4.9, 1}, {0, 5, 0}, {0, 5.6, 0}, {0, 5.8, 1}, {1, 0.9, 0}, {1, 1, 1}, {1, 1.79, 1},
        {1, 1.9, 0}, {1, 2, 1}, {1, 5.1, 1}, {1, 8.4, 1}, {1, 8.5, 0}, {2, 1.9, 0}, {2, 2.6, 1},
        {2, 5.1, 1}, {2, 8.9, 1}, {2, 9, 0}, {3, 1, 1}, {3, 1.3, 0}, {3, 5, 0}, {3, 5.2, 1},
        {4, 0, 1}, {4, 0.9, 1}, {4, 1, 0}, {4, 1.5, 0});
}

/* Two nor gates, each of the other's output: a latch, which a loop of logic without memory is not.
 */
static void latch(void) {
    EXPECT(MODEL("<pulse id='ps' out='s' delay='1 s' width='0.5 s'/><pulse id='pr' out='r' "
                 "delay='3 s' width='0.5 s'/>"
                 "<nor id='g1' in='r nq' out='q'/><nor id='g2' in='s before' out='nq'/>"
                 "<logic-memory id='m1' in='q' out='before'/>"),
           "q nq", 5, 0, {0, 0.5, 0}, {1, 0.5, 1}, {0, 1, 1}, {1, 1, 0}, {0, 2, 1}, {0, 3, 0},
           {1, 3, 1}, {0, 4, 0}, {1, 4, 1});
}

static void one_shot(void) {
    EXPECT(MODEL("<pulse id='p' out='a' delay='1 s' width='0.1 s' period='1 s'/>"
                 "<one-shot id='f' trigger='a' out='x' width='1.5 s'/><one-shot id='g' trigger='a' "
                 "out='y' width='1.5 s' again='1'/>"
                 "<one-shot id='h' trigger='a' out='z' width='1 s'/><one-shot id='k' trigger='a' "
                 "out='w' width='0.25 s'/>"
                 "<pulse id='pr' out='r' delay='5.5 s' width='0.1 s'/><one-shot id='l' trigger='a' "
                 "out='v' width='0.7 s' reset='r'/>"),
           "x y z w v", 8, 0, {0, 0.9, 0}, {0, 1, 1}, {0, 2.4, 1}, {0, 2.5, 0}, {0, 2.9, 0},
           {0, 3, 1}, {0, 4.4, 1}, {0, 4.6, 0}, {0, 5, 1}, {1, 1, 1}, {1, 7.9, 1}, {2, 0.9, 0},
           {2, 1.5, 1}, {2, 2.5, 1}, {2, 7.9, 1}, {3, 1.2, 1}, {3, 1.25, 0}, {3, 1.9, 0}, {3, 2, 1},
           {4, 4.69, 1}, {4, 5.4, 1}, {4, 5.5, 0}, {4, 5.9, 0}, {4, 6, 1});
}

static void triggered_extrema(void) {
    /* looks at 1, 2, 3, ... : 0, -0.5, ..., of t sin(2 pi t/12) + 1 */
    harness h = run(
        MODEL("<pulse id='p' out='s' delay='1 s' width='0.1 s' period='1 s'/>"
              "<pulse id='pr' out='r' delay='10.5 s' width='0.1 s'/><function id='f' out='u' "
              "expression='t*sin(pi*t/6)'/>"
              "<triggered-extrema id='m' in='u' trigger='s' reset='r' low='l' high='h' peak='k'/>"),
        "l h k", 0, 16);
    CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
    double low = 0, high = 0;
    for (int k = 1; k < 16; k++) {
        double u = k * sin(pi * k / 6);
        low = k == 1 || k == 11 ? u : fmin(low, u);
        high = k == 1 || k == 11 ? u : fmax(high, u);
        CHECK_CLOSE(at(&h, 0, k + 0.4, 0), low, 1e-9);
        CHECK_CLOSE(at(&h, 1, k + 0.4, 0), high, 1e-9);
        CHECK_CLOSE(at(&h, 2, k + 0.4, 0), fmax(high, -low), 1e-9);
    }
    CHECK_CLOSE(at(&h, 1, 0.5, 0), 0, 0);
    CHECK_CLOSE(at(&h, 1, 10.6, 0), 0, 0);
    harness_free(&h);
}

static void triggered_trapezoid(void) {
    EXPECT(MODEL(PULSES "<triggered-trapezoid id='s' in='a' out='x' height='10' rising='1 s' "
                        "falling='0.5 s' offset='-2'/>"
                        "<triggered-trapezoid id='j' in='a' out='y'/><triggered-trapezoid id='k' "
                        "in='a' out='z' falling='4 s'/>"
                        "<not id='n1' in='a' out='na'/><triggered-trapezoid id='l' in='na' out='w' "
                        "rising='1 s'/>"),
           "x y z w", 10, 1, {0, 1, -2}, {0, 1.25, 0.5}, {0, 1.3, 1}, {0, 1.4, -1}, {0, 1.45, -2},
           {0, 1.9, -2}, {0, 2.5, 3}, {0, 3, 8}, {0, 4.7, 8}, {0, 5.1, 6}, {0, 5.2, 4}, {0, 5.3, 5},
           {0, 5.6, 8}, {0, 8.25, 3}, {0, 8.5, -2}, {0, 9, -2}, {1, 0.9, 0}, {1, 1, 1}, {1, 1.3, 0},
           {1, 2, 1}, {2, 1, 1}, {2, 1.9, 0.85}, {2, 2, 1}, {2, 9.5, 0.625}, {3, 0, 1}, {3, 0.5, 1},
           {3, 1.25, 0.75}, {3, 1.3, 0.7}, {3, 1.5, 0.9}, {3, 1.8, 1});
}

/* The time is located as a crossing is, whatever the step. */
static void zero_crossing(void) {
    EXPECT(MODEL("<sine id='s' out='u' frequency='0.7 Hz' phase='0.4'/><zero-crossing id='z' "
                 "in='u' up='n' down='m' time='l' period='T'/>"
                 "<zero-crossing id='y' in='u' up='k' level='0.5' period='S'/>"),
           "n m l T k S", 5, 0, {0, 0.1, 0}, {2, 0.1, 0}, {3, 2, 0}, {0, 4.9, 3}, {1, 4.9, 3},
           {3, 4.9, 1 / 0.7}, {2, 1, (pi - 0.4) / (2 * pi * 0.7)},
           {2, 2, (2 * pi - 0.4) / (2 * pi * 0.7)}, {4, 4.9, 4}, {5, 4.9, 1 / 0.7});
}

/* ---- attitudes ---- */

/* R = Rz(yaw) Ry(pitch) Rx(roll), multiplied out here. */
static void rotation(double roll, double pitch, double yaw, double R[3][3]) {
    double z[3][3] = {{cos(yaw), -sin(yaw), 0}, {sin(yaw), cos(yaw), 0}, {0, 0, 1}};
    double y[3][3] = {{cos(pitch), 0, sin(pitch)}, {0, 1, 0}, {-sin(pitch), 0, cos(pitch)}};
    double x[3][3] = {{1, 0, 0}, {0, cos(roll), -sin(roll)}, {0, sin(roll), cos(roll)}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            R[i][j] = 0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    R[i][j] += z[i][k] * y[k][l] * x[l][j];
        }
}

static void attitudes(void) {
    static const double angle[][3] = {{0.3, -0.4, 1.2},  {3, 0.1, 0.2},    {0.1, 0.2, 3},
                                      {-2.9, 1.2, -2.5}, {0.2, -1.5, 0.1}, {2, 0.8, -3}};
    for (size_t k = 0; k < sizeof angle / sizeof *angle; k++) {
        char xml[2048];
        double R[3][3];
        snprintf(
            xml, sizeof xml,
            MODEL(
                "<constant id='c1' out='phi' value='%.17g'/><constant id='c2' out='theta' "
                "value='%.17g'/><constant id='c3' out='psi' value='%.17g'/>"
                "<euler-to-matrix id='a' roll='phi' pitch='theta' yaw='psi' "
                "out='R'/><euler-to-quaternion id='b' roll='phi' pitch='theta' yaw='psi' out='q'/>"
                "<matrix-to-euler id='c' in='R' roll='r1' pitch='p1' "
                "yaw='y1'/><quaternion-to-euler id='d' in='q2' roll='r2' pitch='p2' yaw='y2'/>"
                "<quaternion-to-matrix id='e' in='q' out='S'/><matrix-to-quaternion id='f' in='S' "
                "out='q2'/>"
                "<transpose id='g' in='R' out='Rt'/><matrix-product id='h' in='Rt S' out='I'/>"),
            angle[k][0], angle[k][1], angle[k][2]);
        harness h =
            harness_run(xml, "R[1,2] R[3,1] R[2,3] r1 p1 y1 r2 p2 y2 I[1,1] I[2,2] I[3,3] I[1,2]",
                        "rk4", 0.1, 0.1);
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        rotation(angle[k][0], angle[k][1], angle[k][2], R);
        CHECK_CLOSE(harness_last(&h, 0), R[0][1], 1e-14);
        CHECK_CLOSE(harness_last(&h, 1), R[2][0], 1e-14);
        CHECK_CLOSE(harness_last(&h, 2), R[1][2], 1e-14);
        for (int i = 0; i < 3; i++) {
            CHECK_CLOSE(harness_last(&h, 3 + i), angle[k][i], 1e-13);
            CHECK_CLOSE(harness_last(&h, 6 + i), angle[k][i], 1e-13);
            CHECK_CLOSE(harness_last(&h, 9 + i), 1, 1e-14);
        }
        CHECK_CLOSE(harness_last(&h, 12), 0, 1e-14);
        harness_free(&h);
    }
}

/* A body that turns about a fixed axis: the quaternion of its rates, integrated, is the one of its
 * angle. */
static void rates(void) {
    EXPECT(MODEL("<constant id='c' out='w' value='0.5'/><quaternion-rates id='r' in='q' wx='w' "
                 "wy='w' out='dq'/>"
                 "<integrator id='i' in='dq' out='q' y0='1 0 0 0'/><rigid-body id='b' mass='1' "
                 "Ixx='1' Iyy='1' Izz='2' "
                 "rates='0.5 0.5 0' velocity='1 2 3'/>"),
           "b.wx b.wz b.vy b.y", 2, 0, {0, 2, 0.5}, {1, 2, 0}, {2, 2, 2}, {3, 2, 4});
    double turned = sqrt(0.5) * 2; /* rad in 2 s */
    CHECK_CLOSE(harness_end(MODEL("<constant id='c' out='w' value='0.5'/><quaternion-rates id='r' "
                                  "in='q' wx='w' wy='w' out='dq'/>"
                                  "<integrator id='i' in='dq' out='q' y0='1 0 0 0'/>"),
                            "q[2]", "rk4", 2, 0.01),
                sin(turned / 2) * sqrt(0.5), 1e-10);
}

/* dy/dt of a state is its rate; of sin, cos: by explicit methods exactly, by others to their order.
 */
static void exact_derivative(void) {
    static const char xml[] = MODEL(
        "<sine id='s' out='u' frequency='0.5'/><first-order id='f' in='u' out='x' T='0.25 s'/>"
        "<exact-derivative id='a' in='u' out='du'/><exact-derivative id='b' in='x' out='dx'/>"
        "<function id='g' in='u x dx' out='e' expression='u3 - (u1 - u2)/0.25'/>");
    harness h = harness_run_with(
        xml, "du e",
        (ln_settings){.method = ln_method_find("radau5"), .end = 3, .tolerance = 1e-9});
    CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
    CHECK_CLOSE(harness_last(&h, 0), pi * cos(3 * pi), 1e-6);
    CHECK_CLOSE(harness_last(&h, 1), 0, 1e-6);
    harness_free(&h);
    CHECK_CLOSE(harness_end(xml, "du", "rk4", 1, 0.01), pi * cos(pi), 1e-12);
    CHECK_CLOSE(harness_end(xml, "e", "rk4", 1, 0.01), 0, 1e-12);
    /* that of a state whose rate it gives: y' = r + (u - y)/T and r = y' say that y is u */
    static const char itself[] =
        MODEL("<sine id='s' out='u' frequency='0.5'/><exact-derivative id='d' in='y' out='r'/>"
              "<complementary-filter id='f' in='u' rate='r' out='y' T='2 s'/>");
    static const char *const methods[] = {"rk4", "tr-bdf2", "backward-euler"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        h = harness_run(itself, "y r", methods[k], 0.4, 0.001);
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_last(&h, 0), sin(0.4 * pi), 1e-6);
        CHECK_CLOSE(harness_last(&h, 1), pi * cos(0.4 * pi), 1e-2);
        harness_free(&h);
    }
}

/* Coefficients from a table of the speed, and the density from the air at an altitude. */
static void propeller(void) {
    static const char xml[] = MODEL("<fixed-shaft id='z' p='0'/><speed-source id='s' p='a' n='0' "
                                    "w='20 rad/s'/><constant id='h' value='1000' out='h1'/>"
                                    "<air-propeller id='p' shaft='a' thrust_factor='c' "
                                    "power_factor='d' density='rho' D='0.2' speed='n'/>"
                                    "<lookup id='l' in='n' out='c' points='0 0.1; 10 0.05'/><gain "
                                    "id='g' in='c' k='0.5' out='d'/>"
                                    "<standard-atmosphere id='air' altitude='h1' rho='rho'/>");
    harness h = harness_run(xml, "p.thrust p.torque", "crank-nicolson", 0.1, 0.1);
    CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
    const double n = 20 / (2 * pi), ct = 0.1 - 0.005 * n, rho = 1.1117; /* table I again */
    CHECK_CLOSE(harness_last(&h, 0) / (ct * rho * pow(0.2, 4) * n * n), 1, 5e-5);
    CHECK_CLOSE(harness_last(&h, 1) / (0.5 * ct * rho * pow(0.2, 5) * n * n / (2 * pi)), 1, 5e-5);
    harness_free(&h);
}

/* U.S. Standard Atmosphere 1976, table I, at geometric altitudes. */
static void atmosphere(void) {
    static const struct {
        double z, T, p, rho, a;
    } table[] = {
        {0, 288.15, 101325, 1.2250, 340.294},         {5000, 255.676, 54048, 0.73643, 320.545},
        {20000, 216.650, 5529.3, 0.088910, 295.069},  {30000, 226.509, 1197.0, 0.018410, 301.709},
        {50000, 270.650, 79.779, 1.0269e-3, 329.799}, {80000, 198.639, 1.0524, 1.8458e-5, 282.538}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        char xml[512];
        snprintf(
            xml, sizeof xml,
            MODEL(
                "<constant id='c' out='h' value='%g'/><standard-atmosphere id='a' altitude='h'/>"),
            table[k].z);
        harness h = harness_run(xml, "a.T a.p a.rho a.a", "rk4", 0.1, 0.1);
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_last(&h, 0), table[k].T, 3e-6);
        CHECK_CLOSE(harness_last(&h, 1) / table[k].p, 1, 1e-4);
        CHECK_CLOSE(harness_last(&h, 2) / table[k].rho, 1, 1e-4);
        CHECK_CLOSE(harness_last(&h, 3), table[k].a, 3e-6);
        harness_free(&h);
    }
}

UNIT_MAIN({"logic-delay", logic_delay}, {"logic-memory", latch}, {"one-shot", one_shot},
          {"triggered-extrema", triggered_extrema}, {"triggered-trapezoid", triggered_trapezoid},
          {"zero-crossing", zero_crossing}, {"attitudes", attitudes}, {"quaternion-rates", rates},
          {"standard-atmosphere", atmosphere}, {"exact-derivative", exact_derivative},
          {"propeller", propeller})
