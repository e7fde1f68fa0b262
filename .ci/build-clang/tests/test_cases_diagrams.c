/* SPDX-License-Identifier: MIT */
/* The numbers other systems state or fail (shared/cases.md), second part: components and labels,
 * single blocks against their true values (not a step late), vectors, switched components.
 * test_cases.c has the others. */
#include "harness.h"
#include "unit.h"

#define PI 3.14159265358979323846
#define MODEL(body) "<model xmlns='urn:linnet:model:1'>" body "</model>"
#define C(link, value) "<constant id='c_" link "' out='" link "' value='" value "'/>"
#define TIMES(name, k)       \
    "<component name='" name \
    "'><input name='u'/><output name='y'/><gain id='g' in='u' out='y' k='" k "'/></component>"

static const char *const methods[] = {"rk4", "crank-nicolson", "backward-euler"};
enum { METHODS = sizeof methods / sizeof *methods };

/* Every row of the signal has the value, whatever the method. */
static void check_constant(const char *xml, const char *signal, double value) {
    for (size_t m = 0; m < METHODS; m++) {
        harness h = harness_run(xml, signal, methods[m], 0.1, 0.01);
        CU_ASSERT(h.status == LINNET_OK && h.rows == 11);
        for (size_t row = 0; row < h.rows; row++)
            CHECK_CLOSE(h.value[row], value, 1e-12);
        harness_free(&h);
    }
}

/* ---- Vibesim ---- */

static void v4_to_v6_components(void) {
    check_constant(MODEL(TIMES("twice", "2") C("one", "1") "<twice id='s' u='one' y='out'/>"),
                   "out", 2);
    const char *several = MODEL(
        "<component name='fan'><input name='u'/><output name='a'/><output name='b'/><output "
        "name='c'/>"
        "<gain id='ga' in='u' out='a' k='1'/><gain id='gb' in='u' out='b' k='2'/>"
        "<gain id='gc' in='u' out='c' k='3'/></component>" C("two", "2") "<fan id='s' u='two'/>");
    check_constant(several, "s.a", 2);
    check_constant(several, "s.b", 4);
    check_constant(several, "s.c", 6);
    check_constant(MODEL(TIMES("thrice", "3") C("two", "2") "<thrice id='s' u='two' y='y'/>"), "y",
                   6);
    check_constant(MODEL(C("two", "2") "<gain id='g' in='two' out='y' k='3'/>"), "y", 6);
}

/* A label inside a component that bears the name of the one outside, which is driven from outside.
 */
static void v7_labels(void) {
    const char *xml = MODEL("<component name='box'><input name='u'/><output name='y'/><gain id='g' "
                            "in='u' out='signal' k='-5'/>"
                            "<gain id='h' in='signal' out='y' k='2'/></component>" C(
                                "signal", "3") "<box id='b' u='signal' y='z'/>");
    check_constant(xml, "signal", 3);
    check_constant(xml, "b.signal", -15);
    check_constant(xml, "z", -30);
}

static void v8_label_follows(void) {
    const char *xml =
        MODEL("<step id='s' out='label' delay='0.05'/><gain id='g' in='label' out='y' k='1'/>");
    for (size_t m = 0; m < METHODS; m++) {
        harness h = harness_run(xml, "y", methods[m], 0.1, 0.01);
        CHECK_CLOSE(h.value[0], 0, 0);
        CHECK_CLOSE(harness_at(&h, 0, 0.04), 0, 0);
        CHECK_CLOSE(harness_at(&h, 0, 0.05), 1, 0); /* the later of its two rows */
        CHECK_CLOSE(harness_last(&h, 0), 1, 0);
        harness_free(&h);
    }
}

#define ANTI_WINDUP(kb)                                                                        \
    MODEL("<step id='ref' out='r' delay='2' height='0.8'/><sum id='err' in='r y' signs='+-' "  \
          "out='e'/>"                                                                          \
          "<sum id='over' in='us u' signs='+-' out='d'/><gain id='back' in='d' out='b' k='" kb \
          "'/>"                                                                                \
          "<sum id='aw' in='e b' out='di'/><integrator id='I' in='di' out='i'/>"               \
          "<gain id='ki' in='i' out='i2' k='2'/><sum id='pi' in='e i2' out='u'/>"              \
          "<saturation id='sat' in='u' out='us' min='-1' max='1'/>"                            \
          "<transfer-function id='plant' in='us' out='y' numerator='1' denominator='1 3 1'/>")

/* A gain of zero around the limit is no special case. (The set point of the example is
 * the limit itself, which then is never left; with 0.8 it is.) */
static void v12_no_back_calculation(void) {
    harness without = harness_run(ANTI_WINDUP("0"), "y", "rk4", 20, 0.01);
    harness little = harness_run(ANTI_WINDUP("0.001"), "y", "rk4", 20, 0.01);
    double worst = 0;
    CU_ASSERT(without.status == LINNET_OK && little.status == LINNET_OK);
    for (int k = 0; k <= 2000; k++)
        worst =
            fmax(worst, fabs(harness_at(&without, 0, k * 0.01) - harness_at(&little, 0, k * 0.01)));
    CU_ASSERT(worst < 0.05 && worst > 1e-6);
    harness_free(&without);
    harness_free(&little);
}

/* Single blocks, h = 0.01: the true values. */
static void v21_blocks(void) {
    for (size_t m = 0; m < 2; m++) {
        const double within = m == 0 ? 3e-8 : 1e-4;
        harness h = harness_run(
            MODEL(C("one", "1") "<pid id='p' in='one' out='u' kp='2' ki='1' kd='0.1' "
                                "x0='1'/><low-pass id='f' in='one' out='y' frequency='1'/>"
                                "<impulse id='d' out='i' width='0.1' delay='0.2'/><integrator "
                                "id='a' in='i' out='area'/>"
                                "<chirp id='c' out='s' f0='1' f1='5' duration='10' repeat='1'/>"),
            "u y area s", methods[m], 11, 0.01);
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        for (int k = 0; k <= 1100; k += 50)
            CHECK_CLOSE(harness_at(&h, 0, 0.01 * k), 2 + 0.01 * k, 1e-10);
        CHECK_CLOSE(harness_at(&h, 1, 0.5), 0.956786, m == 0 ? 1e-6 : 1e-4);
        CHECK_CLOSE(harness_at(&h, 1, 0.5), 1 - exp(-PI), within);
        CHECK_CLOSE(harness_last(&h, 2), 1, 1e-12);
        CHECK_CLOSE(harness_at(&h, 3, 1), 0.951057, 1e-6);
        CHECK_CLOSE(harness_at(&h, 3, 11), 0.951057, 1e-6);
        harness_free(&h);
    }
}

/* ---- MoDyPy: the weighted sums of M22; its products stand in test_vectors.c ---- */

static void m22_weighted_sums(void) {
    check_constant(MODEL(C("u", "1, -1") "<matrix-gain id='g' in='u' out='y' K='1 1'/>"), "y", 0);
#define PAIR(vectors, weights) \
    MODEL(vectors "<matrix-product id='p' in='m w' out='y'/>" C("w", weights))
    const char *two = PAIR(
        "<constant id='a' out='r' value='1 2; 3 4'/><transpose id='t' in='r' out='m'/>", "1 2");
    check_constant(two, "y[1]", 7);
    check_constant(two, "y[2]", 10);
    const char *three = PAIR("<constant id='a' out='m' value='1 4 7; 2 5 8; 3 6 9'/>", "1 2 3");
    check_constant(three, "y[1]", 30);
    check_constant(three, "y[2]", 36);
    check_constant(three, "y[3]", 42);
#undef PAIR
    const char *scaled =
        MODEL("<constant id='a' out='m' value='3 4; 5 6'/><gain id='g' in='m' out='y' k='3'/>");
    check_constant(scaled, "y[1,1]", 9);
    check_constant(scaled, "y[1,2]", 12);
    check_constant(scaled, "y[2,1]", 15);
    check_constant(scaled, "y[2,2]", 18);
}

/* ---- obliq-2 ---- */

static void o16_component(void) {
    check_constant(MODEL(TIMES("twice", "2") C("five", "5") "<twice id='s' u='five' y='y'/>"), "y",
                   10);
    check_constant(MODEL("<component name='twice'><input name='u'/><output name='y'/><gain id='in' "
                         "in='u' out='a' k='1'/>"
                         "<gain id='g' in='a' out='b' k='2'/><gain id='out' in='b' out='y' "
                         "k='1'/></component>" C("five", "5") "<twice id='s' u='five' y='y'/>"),
                   "y", 10);
}

/* Enable rises at 0.5: the integral of 1 begins there; a child is on while its parent is; what is
 * off stands still. */
static void o23_enable(void) {
    const char *xml =
        MODEL("<component name='inner'><input name='u'/><output name='y'/><integrator id='I' "
              "in='u' out='y'/></component>"
              "<component name='outer'><input name='u'/><input name='on'/><output "
              "name='y'/><output name='z'/>"
              "<inner id='child' u='u' y='y' enable='on'/><integrator id='J' in='u' out='z' "
              "y0='2'/></component>" C(
                  "one", "1") "<step id='s' out='late' delay='0.5'/>"
                              "<pulse id='p' out='parent' delay='0' width='1.5' period='100'/>"
                              "<inner id='single' u='one' y='a' enable='late'/><outer id='nest' "
                              "u='one' on='late' y='b' z='c' enable='parent'/>");
    for (size_t m = 0; m < METHODS; m++) {
        harness h = harness_run(xml, "a b c", methods[m], 2, 0.01);
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_at(&h, 0, 0.4), 0, 0);
        CHECK_CLOSE(harness_at(&h, 0, 0.7), 0.2, 1e-12);
        CHECK_CLOSE(harness_last(&h, 0), 1.5, 1e-12);
        CHECK_CLOSE(harness_at(&h, 1, 0.4), 0, 0); /* parent on, child off */
        CHECK_CLOSE(harness_at(&h, 1, 1.5), 1, 1e-12);
        CHECK_CLOSE(harness_last(&h, 1), 1, 1e-12); /* child on, parent off: frozen */
        CHECK_CLOSE(harness_at(&h, 2, 1.5), 3.5, 1e-12);
        CHECK_CLOSE(harness_last(&h, 2), 3.5, 1e-12);
        harness_free(&h);
    }
}

UNIT_MAIN({"V4 V5 V6 components", v4_to_v6_components}, {"V7 labels", v7_labels},
          {"V8 label", v8_label_follows}, {"V12 no back-calculation", v12_no_back_calculation},
          {"V21 blocks", v21_blocks}, {"M22 weighted sums", m22_weighted_sums},
          {"O16 component", o16_component}, {"O23 enable", o23_enable})
