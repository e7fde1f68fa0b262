/* SPDX-License-Identifier: MIT */
/* Diagrams from text to trajectory by explicit methods: orders with loops inside, corners, starts,
 * and the order of blocks in the file. */
#include "harness.h"
#include "unit.h"

#define MODEL(body) "<model xmlns='urn:linnet:model:1'>" body "</model>"

/* A loop without closed form stands between plant and controller: u = 2 (r - y) - 0.5 sin(u). */
static const char with_loop[] =
    MODEL("<sine id='source' out='r' frequency='0.2' offset='1'/><sum id='error' in='r y' "
          "signs='+-' out='e'/>"
          "<function id='law' in='e v' out='u' expression='2*u1 - 0.5*sin(u2)'/><gain id='back' "
          "in='u' out='v' k='1'/>"
          "<first-order id='plant' in='u' out='x' T='0.8'/><second-order id='sensor' in='x' "
          "out='y' w='9' d='0.7'/>");

static void loops_keep_the_order(void) {
    harness fine = harness_run(with_loop, "y u", "rk4", 1.6, 2e-4);
    CU_ASSERT_EQUAL_FATAL(fine.status, LINNET_OK);
    CU_ASSERT_EQUAL(fine.statistics.loops, 1);
    CU_ASSERT(fine.statistics.newton > 0);
    double y = harness_last(&fine, 0);
    harness_free(&fine);
    CHECK_CLOSE(harness_order(with_loop, "y", "rk4", 1.6, 0.02, y), 4, 0.05);
    CHECK_CLOSE(harness_order(with_loop, "y", "heun", 1.6, 0.005, y), 2, 0.05);
    CHECK_CLOSE(harness_order(with_loop, "y", "euler", 1.6, 0.001, y), 1, 0.05);
    ln_settings settings = {.method = ln_method_find("rk45"), .end = 1.6, .tolerance = 1e-9};
    harness adaptive = harness_run_with(with_loop, "y", settings);
    CU_ASSERT_EQUAL(adaptive.status, LINNET_OK);
    CHECK_CLOSE(harness_last(&adaptive, 0), y, 2e-8);
    harness_free(&adaptive);
}

/* The same diagram written backwards, with steps on and off the grid. */
static const char forwards[] = MODEL(
    "<step id='s1' out='a' delay='0.3'/><step id='s2' out='b' delay='0.777' height='-2'/>"
    "<sum id='sum' in='a b y' out='e'/><pid id='c' in='e' out='u' kp='-1.5' ki='-0.4' kd='-0.1'/>"
    "<transfer-function id='g' in='u' out='y' numerator='2 1' denominator='1 3 2'/>");
static const char backwards[] = MODEL(
    "<transfer-function id='g' out='y' in='u' denominator='1 3 2' numerator='2 1'/>"
    "<pid id='c' out='u' in='e' kd='-0.1' ki='-0.4' kp='-1.5'/><sum id='sum' in='a b y' out='e'/>"
    "<step id='s2' height='-2' out='b' delay='0.777'/><step id='s1' out='a' delay='0.3'/>");

static void order_of_blocks_means_nothing(void) {
    static const char *const methods[] = {"euler", "rk4", "rk45"};
    for (int m = 0; m < 3; m++) {
        ln_settings settings = {.method = ln_method_find(methods[m]), .end = 2, .step = 0.01};
        settings.tolerance = m == 2 ? 1e-7 : 0;
        harness a = harness_run_with(forwards, "y u e", settings),
                b = harness_run_with(backwards, "y u e", settings);
        CU_ASSERT_FATAL(a.status == LINNET_OK && b.status == LINNET_OK && a.values == b.values &&
                        a.rows > 200);
        CU_ASSERT(memcmp(a.time, b.time, a.rows * sizeof *a.time) == 0);
        CU_ASSERT(memcmp(a.value, b.value, a.values * sizeof *a.value) == 0);
        harness_free(&a);
        harness_free(&b);
    }
}

/* y' = -sqrt(y) from 1 is (1 - t/2)^2: the root has no slope at the first guess, zero. */
static void starts_where_a_slope_is_infinite(void) {
    const char *xml = MODEL("<function id='f' in='y' out='dy' expression='-sqrt(u)'/>"
                            "<integrator id='i' in='dy' out='y' y0='1'/>");
    CHECK_CLOSE(harness_end(xml, "y", "rk4", 1.5, 0.01), 0.0625, 1e-9);
}

/* The first guess of a loop's unknown chooses among its solutions: x^2 = 4. */
static void a_guess_chooses_the_solution(void) {
    const char *xml = MODEL("<function id='f' in='x' out='g' expression='u - u^2 + 4'/>"
                            "<gain id='k' in='g' out='x' k='1'/>"
                            "<start link='x' value='%g'/><start link='g' value='%g'/>");
    for (int sign = -1; sign <= 1; sign += 2) {
        char text[400];
        snprintf(text, sizeof text, xml, 3.0 * sign, 3.0 * sign);
        CHECK_CLOSE(harness_end(text, "x", "rk4", 0.1, 0.05), 2.0 * sign, 1e-14);
    }
}

/* An implicit method starts where the signals are, not at zero, which log() and a division refuse.
 */
static void start_off_zero(void) {
    static const char model[] =
        "<model name='m' xmlns='urn:linnet:model:1'><constant id='c' value='2' out='u'/>"
        "<function id='f' in='u' expression='log(u) + 1/u' out='y'/><integrator id='i' in='y' "
        "out='z'/></model>";
    CHECK_CLOSE(harness_end(model, "z", "crank-nicolson", 1, 0.1), log(2) + 0.5, 1e-12);
    CHECK_CLOSE(harness_end(model, "z", "backward-euler", 1, 0.1), log(2) + 0.5, 1e-12);
}

/* Rows in which derivatives stand twice: of one state, 2 x' + x' = 3 - 3 x, which is still plain
 * (no loop), and of two, z' = 1 - y - y' behind y' = 3. */
static void derivatives_within_rows(void) {
    harness h = harness_run(
        MODEL("<block-type name='F'><state name='x'/><equation>der(2*x) + der(x) = 3 - 3*x"
              "</equation></block-type><F id='f'/>"),
        "f.x", "rk4", 1.5, 0.01);
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    CU_ASSERT_EQUAL(h.statistics.newton, 0);
    CHECK_CLOSE(harness_last(&h, 0), 1 - exp(-1.5), 1e-9);
    harness_free(&h);
    h = harness_run(MODEL("<block-type name='F'><state name='y'/><state name='z'/><equation>der(y) "
                          "+ der(z) = 1 - y</equation><equation>der(y) = 3</equation></block-type>"
                          "<F id='f'/>"),
                    "f.y f.z", "rk4", 1.5, 0.01);
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    CHECK_CLOSE(harness_last(&h, 0), 4.5, 1e-9);
    CHECK_CLOSE(harness_last(&h, 1), -2 * 1.5 - 1.5 * 1.5 * 1.5, 1e-9);
    harness_free(&h);
}

/* x1 to x4 = 1 to 4 of four equations: with x1 out of the rest, the second pivot of what is left is
 * zero. Linear loops take no iterations. */
static void a_linear_loop_is_pivoted(void) {
    static const char xml[] =
        MODEL("<constant id='k' out='c' value='1'/><function id='f1' in='x2 x3 x4 c' out='x1' "
              "expression='10*u4 - u1 - u2 - u3'/><function id='f2' in='x1 x3 x4 c' out='x2' "
              "expression='(12*u4 - u1 - u2 - u3)/2'/><function id='f3' in='x1 x2 x4 c' out='x3' "
              "expression='14*u4 - u1 - u2 - 2*u3'/><function id='f4' in='x1 x2 x3 c' out='x4' "
              "expression='13*u4 - u1 - u2 - 2*u3'/><integrator id='i' in='x4' out='y'/>");
    harness h = harness_run(xml, "x1 x2 x3 x4 y", "rk4", 1, 0.1);
    CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
    CU_ASSERT_EQUAL(h.statistics.newton, 0);
    for (int k = 0; k < 4; k++)
        CHECK_CLOSE(harness_last(&h, k), k + 1, 1e-12);
    CHECK_CLOSE(harness_last(&h, 4), 4, 1e-12);
    harness_free(&h);
}

/* Derivatives of signals need what makes the rates below them, wherever that stands in the file: x'
 * = cos t - x, z = 3 x + sin t, w = z', v = w'. */
static void derivatives_in_any_order(void) {
    static const char type[] =
        "<block-type name='D'><input name='u'/><output name='y'/><equation>y = der(u)</equation>"
        "</block-type>";
    static const char *const blocks[] = {
        "<function id='f' in='x q' out='r' expression='u2 - u1'/>",
        "<function id='c' in='one' out='q' expression='u*cos(t)'/>",
        "<integrator id='i' in='r' out='x'/>",
        "<function id='z' in='x one' out='z' expression='3*u1 + u2*sin(t)'/>",
        "<D id='d' u='z' y='w'/>",
        "<D id='e' u='w' y='v'/>",
        "<constant id='one' out='one' value='1'/>"};
    enum { BLOCKS = sizeof blocks / sizeof *blocks };
    const double t = 1.2, x = (cos(t) + sin(t) - exp(-t)) / 2, dx = cos(t) - x, ddx = -sin(t) - dx;
    for (int first = 0; first < 2 * BLOCKS; first++) {
        char xml[2000] = "<model xmlns='urn:linnet:model:1'>";
        strcat(xml, type);
        for (int k = 0; k < BLOCKS; k++)
            strcat(xml, blocks[(first < BLOCKS ? first + k : 2 * BLOCKS - 1 - k + first) % BLOCKS]);
        strcat(xml, "</model>");
        harness h = harness_run(xml, "x w v", "rk4", t, 0.01);
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_last(&h, 0), x, 1e-8);
        CHECK_CLOSE(harness_last(&h, 1), 3 * dx + cos(t), 1e-8);
        CHECK_CLOSE(harness_last(&h, 2), 3 * ddx - sin(t), 1e-8);
        harness_free(&h);
    }
}

UNIT_MAIN({"a linear loop is pivoted", a_linear_loop_is_pivoted},
          {"derivatives in any order", derivatives_in_any_order},
          {"derivatives within rows", derivatives_within_rows},
          {"a start off zero", start_off_zero}, {"loops keep the order", loops_keep_the_order},
          {"order of blocks means nothing", order_of_blocks_means_nothing},
          {"starts where a slope is infinite", starts_where_a_slope_is_infinite},
          {"a guess chooses the solution", a_guess_chooses_the_solution})
