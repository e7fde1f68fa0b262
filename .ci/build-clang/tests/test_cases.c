/* SPDX-License-Identifier: MIT */
/* The numbers other systems state or fail (shared/cases.md): each case by its label, against its
 * closed form or the reference printed there. */
#include "harness.h"
#include "unit.h"

#define MODEL(body) "<model xmlns='urn:linnet:model:1'>" body "</model>"

/* ---- B: one state, Crank-Nicolson and backward Euler ---- */

#define DECAY(rate)                                \
    MODEL("<gain id='g' in='y' out='dy' k='-" rate \
          "'/><integrator id='y1' in='dy' out='y' y0='1'/>")

static void b1_decay(void) {
    CHECK_CLOSE(harness_end(DECAY("1"), "y", "crank-nicolson", 1, 0.1), pow(0.95 / 1.05, 10),
                1e-12);
    CHECK_CLOSE(harness_end(DECAY("1"), "y", "backward-euler", 1, 0.1), pow(1.1, -10), 1e-12);
}

static void b2_orders(void) {
    double exact = exp(-1);
    CHECK_CLOSE(harness_order(DECAY("1"), "y", "crank-nicolson", 1, 0.02, exact), 2, 0.05);
    CHECK_CLOSE(harness_order(DECAY("1"), "y", "backward-euler", 1, 0.005, exact), 1, 0.05);
}

static void b3_stiff(void) {
    CHECK_CLOSE(harness_end(DECAY("1000"), "y", "crank-nicolson", 0.1, 0.1), -49.0 / 51, 1e-12);
    CHECK_CLOSE(harness_end(DECAY("1000"), "y", "backward-euler", 0.1, 0.1), 1.0 / 101, 1e-12);
}

/* Kirchhoff at a link where five ends meet, storing and not, at every accepted point. */
static void b5_flux_sum(void) {
    const char *xml = MODEL(
        "<ground id='g' p='0'/><sine-voltage id='V' p='a' n='0' amplitude='3' frequency='50'/>"
        "<resistor id='R1' p='a' n='b' R='100'/><capacitor id='C' p='b' n='0' C='10 uF'/>"
        "<inductor id='L' p='b' n='0' L='0.1'/><resistor id='R2' p='b' n='0' R='1 kOhm'/>"
        "<diode id='D' p='b' n='0'/>");
    static const char *const methods[] = {"crank-nicolson", "backward-euler", "rk4"};
    for (size_t m = 0; m < 3; m++) {
        harness h =
            harness_run(xml, "R1.n.i C.i L.i R2.i D.i", methods[m], 0.02, m < 2 ? 1e-4 : 1e-6);
        CU_ASSERT(h.status == LINNET_OK);
        for (size_t row = 0; row < h.rows; row++) {
            const double *i = h.value + 5 * row;
            CU_ASSERT(fabs(i[0] + i[1] + i[2] + i[3] + i[4]) <= 1e-9);
        }
        harness_free(&h);
    }
}

/* ---- algebraic loops ---- */

#define LOOP(gain)                                                                 \
    MODEL("<constant id='c' out='one' value='1'/><sum id='s' in='one g' out='x'/>" \
          "<gain id='k' in='x' out='g' k='" gain "'/>")

static void v1_v2_algebraic_loops(void) {
    static const struct {
        const char *xml;
        double gain;
    } loops[] = {{LOOP("-1"), -1},     {LOOP("0.3"), 0.3},   {LOOP("0.48"), 0.48},
                 {LOOP("0.5"), 0.5},   {LOOP("-0.5"), -0.5}, {LOOP("0.9"), 0.9},
                 {LOOP("-0.9"), -0.9}, {LOOP("-20"), -20},   {LOOP("3"), 3}};
    static const char *const methods[] = {"rk4", "euler", "backward-euler", "crank-nicolson"};
    for (size_t k = 0; k < sizeof loops / sizeof *loops; k++)
        for (size_t m = 0; m < 4; m++)
            CHECK_CLOSE(harness_end(loops[k].xml, "x", methods[m], 0.1, 0.05),
                        1 / (1 - loops[k].gain), 1e-12);
}

static void v2_singular_loop(void) {
    harness_verbose = 0;
    for (int k = 0; k < 2; k++) {
        harness h = harness_run(LOOP("1"), "x", k ? "rk4" : "backward-euler", 0.1, 0.05);
        CU_ASSERT(h.status == LINNET_MODEL || h.status == LINNET_FAILED);
        const char *text = ln_report_text(h.report, 0);
        CU_ASSERT_PTR_NOT_NULL(text);
        if (text != NULL)
            CU_ASSERT(strstr(text, "x") != NULL);
        harness_free(&h);
    }
    harness_verbose = 1;
}

/* ---- Vibesim ---- */

static void v3_leading_zero(void) {
    const char *xml =
        MODEL("<sine id='s' out='u' amplitude='2' frequency='1'/>"
              "<transfer-function id='t' in='u' out='y' numerator='1' denominator='0 1'/>"
              "<transfer-function id='r' in='u' out='z' numerator='1' denominator='1'/>");
    harness h = harness_run(xml, "y z u", "rk4", 0.4, 0.01);
    CU_ASSERT(h.status == LINNET_OK && h.rows == 41);
    for (size_t row = 0; row < h.rows; row++) {
        CHECK_CLOSE(h.value[3 * row], h.value[3 * row + 2], 1e-12);
        CHECK_CLOSE(h.value[3 * row + 1], h.value[3 * row + 2], 1e-12);
    }
    harness_free(&h);
}

static void v13_anti_windup(void) {
    const char *xml =
        MODEL("<step id='ref' out='r' delay='2'/><sum id='err' in='r y' signs='+-' out='e'/>"
              "<sum id='aw' in='e us u' signs='++-' out='di'/><integrator id='I' in='di' out='i'/>"
              "<gain id='ki' in='i' out='i2' k='2'/><sum id='pi' in='e i2' out='u'/>"
              "<saturation id='sat' in='u' out='us' min='-1' max='1'/>"
              "<transfer-function id='plant' in='us' out='y' numerator='1' denominator='1 3 1'/>");
    static const struct {
        double t, y;
    } ref[] = {{2.5, 0.07887}, {3, 0.21335}, {4, 0.45550},
               {6, 0.74594},   {8, 0.88165}, {10, 0.94487}};
    static const char *const methods[] = {"rk4", "crank-nicolson"};
    for (size_t m = 0; m < 2; m++) {
        harness h = harness_run(xml, "y u", methods[m], 10, 0.01);
        CU_ASSERT(h.status == LINNET_OK);
        for (size_t k = 0; k < sizeof ref / sizeof *ref; k++)
            CHECK_CLOSE(harness_at(&h, 0, ref[k].t), ref[k].y, 2e-5);
        CHECK_CLOSE(harness_at(&h, 1, 2.5), 1.55325, 2e-5);
        CHECK_CLOSE(harness_at(&h, 1, 4), 1.52618, 2e-5);
        CHECK_CLOSE(harness_at(&h, 1, 10), 1.05513, 2e-5);
        harness_free(&h);
    }
}

static void v14_pendulum(void) {
    /* P C = (2 s^2 + 20 s + 1) / (s (s^2 - 9.81)) */
    const char *xml =
        MODEL("<step id='src' out='u' delay='1'/><sum id='err' in='u th' signs='+-' out='e'/>"
              "<transfer-function id='pc' in='e' out='th' numerator='2 20 1' denominator='1 0 "
              "-9.81 0'/>");
    static const struct {
        double t, theta;
    } ref[] = {{1.1, 0.271229}, {1.5, 1.912958}, {2, 2.672858},
               {3, 1.525095},   {6, 1.619633},   {10, 1.405919}};
    harness h = harness_run(xml, "th", "rk4", 10, 0.01);
    CU_ASSERT(h.status == LINNET_OK);
    for (size_t k = 0; k < sizeof ref / sizeof *ref; k++)
        CHECK_CLOSE(harness_at(&h, 0, ref[k].t), ref[k].theta, 2e-6);
    harness_free(&h);
}

/* ---- MoDyPy ---- */

static void m1_lag(void) {
    const char *xml =
        MODEL("<gain id='g' in='x' out='dx' k='-1'/><integrator id='i' in='dx' out='x' y0='10'/>");
    CHECK_CLOSE(harness_end(xml, "x", "rk4", 3, 1e-3), 10 * exp(-3), 1e-10);
}

static void m2_oscillator(void) {
    const char *xml =
        MODEL("<fixed-point id='wall' p='0'/><mass id='m' p='a' m='100'/>"
              "<spring id='k' p='a' n='0' k='1' x0='10'/><damper id='c' p='a' n='0' d='20'/>");
    harness h = harness_run(xml, "k.x a", "rk4", 30, 0.01);
    CU_ASSERT(h.status == LINNET_OK);
    CHECK_CLOSE(harness_at(&h, 0, 10), 7.35758882, 1e-8);
    CHECK_CLOSE(harness_at(&h, 1, 10), -0.36787944, 1e-8);
    CHECK_CLOSE(harness_at(&h, 0, 30), 1.99148273, 1e-8);
    CHECK_CLOSE(harness_at(&h, 1, 30), -0.14936121, 1e-8);
    harness_free(&h);
}

static void m10_m11_integrators(void) {
    CHECK_CLOSE(
        harness_end(
            MODEL("<constant id='c' out='u' value='1'/><integrator id='i' in='u' out='y'/>"), "y",
            "rk4", 10, 0.1),
        10, 1e-12);
    harness h = harness_run(
        MODEL("<function id='c' out='u' expression='cos(t)'/><integrator id='i' in='u' out='y'/>"),
        "y", "rk4", 10, 0.001);
    CU_ASSERT(h.status == LINNET_OK);
    CHECK_CLOSE(harness_at(&h, 0, 10), sin(10), 1e-9);
    CHECK_CLOSE(harness_at(&h, 0, 4.513), sin(4.513), 1e-9);
    harness_free(&h);
}

static void m14_motor_with_propeller(void) {
    const char *xml =
        MODEL("<block-type name='propeller'><port name='shaft' domain='rotational'/><parameter "
              "name='D' unit='m'/>"
              "<parameter name='cp'/><parameter name='ct'/><parameter name='rho' unit='kg/m^3'/>"
              "<let name='n' value='shaft.w/(2*pi)'/><let name='thrust' value='ct*rho*D^4*n^2'/>"
              "<equation>shaft.tau = cp*rho*D^5*n*abs(n)/(2*pi)</equation></block-type>"
              "<ground id='g' p='0'/><voltage-source id='U' p='a' n='0' V='3.5 V'/>"
              "<resistor id='R' p='a' n='b' R='0.0433'/><inductor id='L' p='b' n='c' L='1.9 mH'/>"
              "<motor-constant id='K' p='c' n='0' shaft='w' k='789e-6'/><inertia id='J' p='w' "
              "J='5.284e-6'/>"
              "<propeller id='prop' shaft='w' D='0.2032' cp='0.04' ct='0.09' rho='1.29'/>");
    static const struct {
        double t, w;
    } ref[] = {{0.01, 12.754157},
               {0.05, 231.998569},
               {0.1, 572.632050},
               {0.2, 825.479081},
               {0.5, 846.285616}};
    harness h = harness_run(xml, "w L.i prop.thrust", "rk4", 0.5, 1e-4);
    CU_ASSERT(h.status == LINNET_OK);
    for (size_t k = 0; k < sizeof ref / sizeof *ref; k++)
        CHECK_CLOSE(harness_at(&h, 0, ref[k].t), ref[k].w, 2e-8 + 5e-7 / ref[k].w);
    CHECK_CLOSE(harness_at(&h, 1, 0.1), 66.641201, 1e-8);
    CHECK_CLOSE(harness_at(&h, 1, 0.5), 65.411144, 1e-8);
    CHECK_CLOSE(harness_at(&h, 2, 0.1), 1.644064, 1e-6);
    CHECK_CLOSE(harness_at(&h, 2, 0.2), 3.416484, 1e-6);
    CHECK_CLOSE(harness_at(&h, 2, 0.5), 3.590883, 1e-6);
    harness_free(&h);
    CHECK_CLOSE(harness_end(xml, "w", "crank-nicolson", 0.5, 1e-4), 846.285616, 1e-6);
}

/* ---- obliq-2 ---- */

static void o1_to_o19_algebra(void) {
    static const struct {
        const char *xml;
        double expected;
    } cases[] = {
#define C(id, value) "<constant id='c_" id "' out='" id "' value='" value "'/>"
        {MODEL(C("a", "5") C("b", "3") "<sum id='s' in='a b' out='y'/>"), 8},
        {MODEL(C("a", "10") C("b", "3") C("c", "2") "<sum id='s' in='a b c' signs='+--' out='y'/>"),
         5},
        {MODEL(C("a", "1") C("b", "2") C("c", "3") C("d", "4")
                   C("f", "5") "<sum id='s' in='a b c d f' out='y'/>"),
         15},
        {MODEL(C("a", "4") C("b", "5") "<product id='s' in='a b' out='y'/>"), 20},
        {MODEL(C("a", "2") C("b", "3") C("c", "4") "<product id='s' in='a b c' out='y'/>"), 24},
        {MODEL(C("a", "-3") C("b", "4") C("c", "-2") "<product id='s' in='a b c' out='y'/>"), 24},
        {MODEL(C("a", "7") "<gain id='s' in='a' out='y' k='3'/>"), 21},
        {MODEL(C("a", "10") "<gain id='s' in='a' out='y' k='0.25'/>"), 2.5},
        {MODEL(C("a", "5") "<gain id='s' in='a' out='y' k='-3'/>"), -15},
        {MODEL(C("a", "5") C("b", "3") C("c", "4")
                   C("d", "2") "<sum id='s' in='a b' out='u'/>"
                               "<product id='p' in='u c' out='v'/><sum id='s2' in='v d' out='y'/>"),
         34},
        {MODEL(C("a", "1e-10") "<gain id='s' in='a' out='y' k='2'/>"), 2e-10},
        {MODEL(C("a", "1e10") "<gain id='s' in='a' out='y' k='3'/>"), 3e10},
        {MODEL(C("a", "5") "<sum id='s' in='a a' signs='+-' out='y'/>"), 0},
        {MODEL(C("a", "-123.45") "<gain id='s' in='a' out='y' k='1'/>"), -123.45},
        {MODEL(C("a", "3") C(
             "b", "4") "<product id='p' in='a b' out='u'/><gain id='s' in='u' out='y' k='2.5'/>"),
         30},
        {MODEL(C("a", "5")
                   C("b", "3") "<gain id='g' in='a' out='u' k='2'/><sum id='s' in='u b' out='y'/>"),
         13},
        {MODEL(C("a", "5")
                   C("b", "3") "<function id='f' in='a b' out='y' expression='u1 + u2*2'/>"),
         11},
        {MODEL(C("a", "-5") "<function id='f' in='a' out='y' expression='if(u lt 0, -u, u)'/>"), 5},
        {MODEL(C("a", "3") C(
             "b", "4") "<function id='f' in='a b' out='y' expression='sqrt(u1^2 + u2^2)'/>"),
         5},
        {MODEL(C("a", "5") C(
             "b", "3") "<function id='f' in='a b' out='y' expression='u1 gt 4 and u2 lt 4'/>"),
         1},
        {MODEL(C("a", "0") "<function id='f' in='a' out='y' expression='2*u + sqrt(cos(u))'/>"), 1},
        {MODEL(C("a", "10") C("b", "2") "<division id='d' in='a' by='b' out='y'/>"), 5},
#undef C
    };
    static const char *const methods[] = {"rk4", "backward-euler"};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (size_t m = 0; m < 2; m++)
            CHECK_CLOSE(harness_end(cases[k].xml, "y", methods[m], 0.02, 0.01), cases[k].expected,
                        1e-12);
}

static void o8_lag(void) {
    const char *xml = MODEL("<step id='s' out='u'/><transfer-function id='g' in='u' out='y' "
                            "numerator='1' denominator='1 1'/>");
    static const double at[] = {0.1, 0.5, 1, 2, 5};
    harness fine = harness_run(xml, "y", "rk4", 5, 0.01),
            coarse = harness_run(xml, "y", "rk4", 5, 0.1);
    harness euler = harness_run(xml, "y", "euler", 5, 0.01);
    for (size_t k = 0; k < 5; k++) {
        double exact = 1 - exp(-at[k]);
        CHECK_CLOSE(harness_at(&fine, 0, at[k]), exact, 1e-9);
        CHECK_CLOSE(harness_at(&coarse, 0, at[k]), exact, 1e-4 * exact);
        CHECK_CLOSE(harness_at(&euler, 0, at[k]), exact, 0.01);
    }
    CHECK_CLOSE(harness_last(&coarse, 0), 0.993262022, 1e-9);
    harness_free(&fine);
    harness_free(&coarse);
    harness_free(&euler);
}

static void o9_to_o13_transfer_functions(void) {
#define TF(den, num)                                                                       \
    MODEL("<step id='s' out='u'/><transfer-function id='g' in='u' out='y' numerator='" num \
          "' denominator='" den "'/>")
    for (int t = 1; t <= 5; t += 4)
        CHECK_CLOSE(harness_end(TF("1 3 2", "1"), "y", "rk4", t, 0.01),
                    0.5 - exp(-t) + 0.5 * exp(-2.0 * t), 1e-9);
    CHECK_CLOSE(harness_end(TF("1 2 1", "1"), "y", "rk4", 10, 0.01), 1 - 11 * exp(-10), 1e-9);
    CHECK_CLOSE(harness_end(TF("1 10", "10"), "y", "rk4", 0.5, 0.001), 1 - exp(-5), 1e-9);
#undef TF
}

static void o22_pi(void) {
    /* e = r - y, u = 2 e + I, I' = 0.5 e on a lag 1/(s+1): closed form of y'' + 3 y' + 0.5 y = 0.5,
     * y(0)=0, y'(0)=2 */
    const char *xml =
        MODEL("<step id='src' out='r'/><sum id='s' in='r y' signs='+-' out='e'/>"
              "<gain id='ki' in='e' out='di' k='0.5'/><integrator id='I' in='di' out='i'/>"
              "<gain id='kp' in='e' out='p' k='2'/><sum id='su' in='p i' out='u'/>"
              "<first-order id='plant' in='u' out='y' T='1'/>");
    double root = sqrt(9 - 2.0), a = (-3 + root) / 2, b = (-3 - root) / 2;
    /* y = 1 + ca e^at + cb e^bt, y(0)=0, y'(0)=2 */
    double cb = (2 + a) / (b - a), ca = -1 - cb;
    double exact = 1 + ca * exp(2 * a) + cb * exp(2 * b);
    CHECK_CLOSE(harness_end(xml, "y", "rk4", 2, 0.001), exact, 1e-10);
    CHECK_CLOSE(harness_end(xml, "y", "crank-nicolson", 2, 0.001), exact, 1e-6);
}

static void o25_badly_scaled(void) {
    const char *xml =
        MODEL("<constant id='c' out='u' value='1e10'/>"
              "<transfer-function id='g' in='u' out='y' numerator='1e5' denominator='1e-10 1'/>");
    CHECK_CLOSE(harness_end(xml, "y", "backward-euler", 1, 0.01) / 1e15, 1, 1e-9);
}

static void o26_long_chain(void) {
    char xml[16384];
    int length =
        snprintf(xml, sizeof xml, "<model xmlns='urn:linnet:model:1'><step id='s' out='u0'/>");
    for (int k = 1; k <= 100; k++)
        length += snprintf(xml + length, sizeof xml - (size_t)length,
                           "<first-order id='g%d' in='u%d' out='u%d' T='0.01'/>", k, k - 1, k);
    snprintf(xml + length, sizeof xml - (size_t)length, "</model>");
    /* y(t) = P(100, t/T): the regularised lower incomplete gamma function, by its Poisson sum */
    double m = 1.05 / 0.01, term = exp(-m), sum = 0;
    for (int k = 0; k < 100; k++) {
        sum += term;
        term *= m / (k + 1);
    }
    CHECK_CLOSE(harness_end(xml, "u100", "rk4", 1.05, 0.001), 1 - sum, 1e-6);
}

UNIT_MAIN({"B1 decay", b1_decay}, {"B2 orders", b2_orders}, {"B3 stiff", b3_stiff},
          {"B5 flux sum", b5_flux_sum}, {"V1 V2 loops", v1_v2_algebraic_loops},
          {"V2 singular loop", v2_singular_loop}, {"V3 leading zero", v3_leading_zero},
          {"V13 anti-windup", v13_anti_windup}, {"V14 pendulum", v14_pendulum}, {"M1 lag", m1_lag},
          {"M2 oscillator", m2_oscillator}, {"M10 M11 integrators", m10_m11_integrators},
          {"M14 motor", m14_motor_with_propeller}, {"O1..O24 algebra", o1_to_o19_algebra},
          {"O8 lag", o8_lag}, {"O9 O10 O13", o9_to_o13_transfer_functions}, {"O22 PI", o22_pi},
          {"O25 scaled", o25_badly_scaled}, {"O26 chain", o26_long_chain})
