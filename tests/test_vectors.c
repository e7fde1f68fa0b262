/* SPDX-License-Identifier: MIT */
/* Vectors and matrices as signals, from XML to values: each block against what is computed by hand.
 */
#include "harness.h"
#include "unit.h"

#define MODEL(body) "<model name=\"m\" xmlns=\"urn:linnet:model:1\">" body "</model>"

/* Signals at the end of one second of rk4 against as many values. */
static void check_values(const char *xml, const char *signals, const double *expected, int count,
                         double tolerance) {
    harness h = harness_run(xml, signals, "rk4", 1, 0.125);
    CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
    CU_ASSERT_EQUAL_FATAL(h.nsignals, count);
    for (int k = 0; k < count; k++)
        CHECK_CLOSE(harness_last(&h, k), expected[k], tolerance);
    harness_free(&h);
}
#define CHECK_VALUES(xml, signals, ...)                       \
    check_values(xml, signals, (const double[]){__VA_ARGS__}, \
                 sizeof((double[]){__VA_ARGS__}) / sizeof(double), 1e-13)

#define SOURCES                                                                                \
    "<constant id=\"ca\" value=\"1 2 3\" out=\"a\"/><constant id=\"cb\" value=\"4, 5, 2*3\" "  \
    "out=\"b\"/>"                                                                              \
    "<constant id=\"cs\" value=\"10\" out=\"s\"/><constant id=\"cm\" value=\"1 2; 3 4; 5 6\" " \
    "out=\"m\"/>"

static void test_element_wise(void) {
    CHECK_VALUES(MODEL(SOURCES "<sum id=\"e\" in=\"a b\" out=\"y\"/>"), "y[1] y[2] y[3]", 5, 7, 9);
    CHECK_VALUES(MODEL(SOURCES "<sum id=\"e\" in=\"s a b\" signs=\"+--\" out=\"y\"/>"),
                 "y[1] y[2] y[3]", 5, 3, 1);
    CHECK_VALUES(MODEL("<constant id=\"p\" value=\"2 3 4\" out=\"a\"/><constant id=\"q\" value=\"5 "
                       "6 7\" out=\"b\"/>"
                       "<product id=\"e\" in=\"a b\" out=\"y\"/>"),
                 "y[1] y[2] y[3]", 10, 18, 28);
    CHECK_VALUES(MODEL(SOURCES "<gain id=\"g\" in=\"m\" k=\"3\" out=\"y\"/>"),
                 "y[1,1] y[2,1] y[3,2]", 3, 9, 18);
    CHECK_VALUES(MODEL(SOURCES "<gain id=\"g\" in=\"s\" k=\"1 -2.5\" out=\"y\"/>"),
                 "y[1] y[2] g.out[2] g[1].k", 10, -25, -25, 1);
    CHECK_VALUES(MODEL(SOURCES "<saturation id=\"g\" in=\"b\" min=\"0\" max=\"4.5\" out=\"y\"/>"),
                 "y[1] y[2]", 4, 4.5);
    CHECK_VALUES(MODEL("<constant id=\"c\" value=\"5\" out=\"y\"/>"), "y", 5);
}

/* Integrals and lags of each element, with starts of their own. */
static void test_states(void) {
    CHECK_VALUES(MODEL("<constant id=\"c\" value=\"0 1 2\" out=\"u\"/><integrator id=\"I\" "
                       "in=\"u\" y0=\"0 0 1\" out=\"x\"/>"),
                 "x[1] x[2] x[3]", 0, 1, 3);
    const double lag[] = {1 - exp(-1), 1 - exp(-0.5), 2 * (1 - exp(-1))};
    check_values(
        MODEL(
            "<constant id=\"c\" value=\"1 1\" out=\"u\"/><first-order id=\"l\" in=\"u\" T=\"1 2\" "
            "out=\"x\"/>"
            "<constant id=\"d\" value=\"2 0\" out=\"v\"/>"
            "<transfer-function id=\"f\" in=\"v\" out=\"w\" numerator=\"1\" denominator=\"1 1\"/>"),
        "x[1] x[2] w[1]", lag, 3, 1e-5);
}

/* x' = A x with A of a rotation: the loop's size comes from the start values; and with a source
 * alone. */
static void test_loops(void) {
    const double turn[] = {cos(1), -sin(1)};
    check_values(MODEL("<integrator id=\"I\" in=\"dx\" y0=\"1 0\" out=\"x\"/>"
                       "<matrix-gain id=\"A\" in=\"x\" K=\"0 1; -1 0\" out=\"dx\"/>"),
                 "x[1] x[2]", turn, 2, 1e-5);
    const double rise[] = {1 - exp(-1), 2 * (1 - exp(-1))};
    check_values(MODEL("<sum id=\"e\" in=\"u x\" signs=\"+-\" out=\"dx\"/><integrator id=\"I\" "
                       "in=\"dx\" out=\"x\"/>"
                       "<constant id=\"c\" value=\"1 2\" out=\"u\"/>"),
                 "x[1] x[2]", rise, 2, 1e-5);
}

static void test_structure(void) {
    CHECK_VALUES(MODEL(SOURCES "<mux id=\"x\" in=\"s a m\" out=\"y\"/>"), "y[1] y[4] y[5] y[10]",
                 10, 3, 1, 6);
    CHECK_VALUES(MODEL(SOURCES "<demux id=\"x\" in=\"a\" out=\"p q\" sizes=\"1 2\"/>"),
                 "p q[1] q[2]", 1, 2, 3);
    CHECK_VALUES(MODEL(SOURCES "<demux id=\"x\" in=\"b\" out=\"p q r\"/>"), "p q r", 4, 5, 6);
    CHECK_VALUES(MODEL(SOURCES "<selector id=\"x\" in=\"b\" indices=\"3 1 3\" out=\"y\"/>"),
                 "y[1] y[2] y[3]", 6, 4, 6);
    CHECK_VALUES(
        MODEL(SOURCES "<selector id=\"x\" in=\"m\" indices=\"3 1\" columns=\"2\" out=\"y\"/>"),
        "y[1] y[2]", 6, 2);
    CHECK_VALUES(MODEL(SOURCES "<transpose id=\"x\" in=\"m\" out=\"y\"/>"), "y[1,3] y[2,1]", 5, 2);
    CHECK_VALUES(MODEL(SOURCES "<reshape id=\"x\" in=\"m\" rows=\"2\" columns=\"3\" out=\"y\"/>"),
                 "y[1,3] y[2,1]", 3, 4);
    CHECK_VALUES(MODEL(SOURCES "<gain id=\"g\" in=\"b[2]\" k=\"2\" out=\"y\"/>"), "y", 10);
    CHECK_VALUES(MODEL(SOURCES "<mux id=\"x\" in=\"s b[2] m[3,1]\" out=\"y\"/>"), "y[1] y[2] y[3]",
                 10, 5, 5);
}

static void test_algebra(void) {
    CHECK_VALUES(MODEL("<constant id=\"c\" value=\"3 4\" out=\"u\"/><matrix-gain id=\"g\" in=\"u\" "
                       "K=\"1 2; 3 4\" out=\"y\"/>"),
                 "y[1] y[2]", 11, 25);
    CHECK_VALUES(MODEL(SOURCES "<matrix-gain id=\"g\" in=\"m\" K=\"1 0 1\" out=\"y\"/>"),
                 "y[1,1] y[1,2]", 6, 8);
    CHECK_VALUES(MODEL(SOURCES "<transpose id=\"t\" in=\"m\" out=\"n\"/><matrix-product id=\"p\" "
                               "in=\"n m s\" out=\"y\"/>"),
                 "y[1,1] y[1,2] y[2,1] y[2,2]", 350, 440, 440, 560);
    CHECK_VALUES(MODEL(SOURCES "<transpose id=\"t\" in=\"m\" out=\"n\"/><matrix-product id=\"p\" "
                               "in=\"n a\" out=\"y\"/>"),
                 "y[1] y[2]", 22, 28);
    CHECK_VALUES(MODEL(SOURCES "<dot id=\"x\" in=\"a b\" out=\"y\"/>"), "y", 32);
    CHECK_VALUES(MODEL(SOURCES "<cross id=\"x\" in=\"a b\" out=\"y\"/>"), "y[1] y[2] y[3]", -3, 6,
                 -3);
    CHECK_VALUES(MODEL(SOURCES "<norm id=\"x\" in=\"b\" out=\"y\"/>"), "y", sqrt(77));
    CHECK_VALUES(MODEL(SOURCES "<sum-of-elements id=\"x\" in=\"m\" out=\"y\"/>"), "y", 21);
    CHECK_VALUES(MODEL(SOURCES "<product-of-elements id=\"x\" in=\"b\" out=\"y\"/>"), "y", 120);
    CHECK_VALUES(MODEL(SOURCES "<min-of-elements id=\"x\" in=\"b\" out=\"y\"/>"), "y", 4);
    CHECK_VALUES(MODEL(SOURCES "<max-of-elements id=\"x\" in=\"m\" out=\"y\"/>"), "y", 6);
}

/* A vector at both sides of a state space is what lists of links are; x1' = -x1 + u1, x2' = -2 x2 +
 * x1 + u2. */
static void test_state_space(void) {
    const double exact[] = {1 - exp(-1), 0.5 - exp(-1) + exp(-2) / 2 + (1 - exp(-2)) / 2};
#define MATRICES "A=\"-1 0; 1 -2\" B=\"1 0; 0 1\" C=\"1 0; 0 1\""
    check_values(MODEL("<constant id=\"c\" value=\"1 1\" out=\"u\"/><state-space id=\"s\" in=\"u\" "
                       "out=\"y\" " MATRICES "/>"),
                 "y[1] y[2]", exact, 2, 1e-5);
    check_values(MODEL("<constant id=\"c\" value=\"1 1\" out=\"u\"/><state-space id=\"s\" "
                       "in=\"u[1] u[2]\" out=\"p q\" " MATRICES "/>"),
                 "p q", exact, 2, 1e-5);
    /* x(k + 1) = A x(k) + u: 2 1, then 0 1, then 2 -1 */
    const double sampled[] = {2, -1};
    check_values(MODEL("<constant id=\"c\" value=\"2 1\" out=\"u\"/><discrete-state-space id=\"s\" "
                       "in=\"u\" out=\"y\" period=\"0.3\" " MATRICES "/>"),
                 "y[1] y[2]", sampled, 2, 1e-12);
}

/* Components carry vectors through their ports; their own names of them work, too. */
static void test_components(void) {
    CHECK_VALUES(MODEL("<component name=\"twice\"><input name=\"u\"/><output name=\"y\"/>"
                       "<gain id=\"g\" in=\"u\" k=\"2\" out=\"y\"/><gain id=\"h\" in=\"u[2]\" "
                       "k=\"-1\" out=\"w\"/></component>"
                       "<constant id=\"c\" value=\"1 2\" out=\"u\"/><twice id=\"a\" u=\"u\" "
                       "y=\"v\"/><twice id=\"b\" u=\"v\" y=\"z\"/>"),
                 "z[1] z[2] b.y[2] a.y[1] b.w", 4, 8, 8, 2, -4);
    /* each element by the name that it has within */
    CHECK_VALUES(MODEL("<component name=\"turned\"><input name=\"u\"/><input name=\"m\"/>"
                       "<output name=\"y\"/><mux id=\"x\" in=\"u[3] u[2] u[1] m[1,1] m[2,2]\" "
                       "out=\"y\"/></component>"
                       "<constant id=\"c\" value=\"1 2 3\" out=\"v\"/><constant id=\"d\" "
                       "value=\"4 5; 6 7\" out=\"n\"/><turned id=\"a\" u=\"v\" m=\"n\" y=\"z\"/>"),
                 "z[1] z[2] z[3] z[4] z[5]", 3, 2, 1, 4, 7);
}

/* Ports with sizes of their own, in a type that also has scalars. */
static void test_own_types(void) {
#define TURN                                                                                 \
    "<block-type name=\"turn\"><number name=\"n\" value=\"2\"/><input name=\"phi\"/><input " \
    "name=\"r\" width=\"n\"/>"                                                               \
    "<output name=\"q\" width=\"n\"/><output name=\"R\" shape=\"2 2\"/>"                     \
    "<equation>R[1,1] = cos(phi)</equation><equation>R[1,2] = -sin(phi)</equation>"          \
    "<equation>R[2,1] = sin(phi)</equation><equation>R[2,2] = cos(phi)</equation>"           \
    "<equation for=\"i = 1 .. n\">q[i] = sum(j = 1 .. n, R[i,j]*r[j])</equation></block-type>"
    CHECK_VALUES(MODEL(TURN "<constant id=\"c\" value=\"3 4\" out=\"u\"/><constant id=\"d\" "
                            "value=\"pi/2\" out=\"p\"/>"
                            "<turn id=\"T\" phi=\"p\" r=\"u\" q=\"v\"/><matrix-product id=\"P\" "
                            "in=\"T.R u\" out=\"w\"/>"),
                 "v[1] v[2] T.q[2] T.R[2,1] w[1]", -4, 3, 3, 1, -4);
}

/* Elements that are driven one by one make a vector, also when they come from a repetition. */
static void test_gathered(void) {
    CHECK_VALUES(MODEL("<repeat index=\"k\" from=\"1\" to=\"3\"><constant id=\"c[k]\" "
                       "value=\"k^2\" out=\"x[k]\"/></repeat>"
                       "<matrix-gain id=\"g\" in=\"x\" K=\"1 1 1; 0 0 2\" out=\"y\"/><gain "
                       "id=\"h\" in=\"x\" k=\"2\" out=\"z\"/>"),
                 "y[1] y[2] z[3]", 14, 18, 18);
}

/* Implicit methods see the same scalars. */
static void test_implicit(void) {
    const char *xml = MODEL("<integrator id=\"I\" in=\"dx\" y0=\"1 0\" out=\"x\"/>"
                            "<matrix-gain id=\"A\" in=\"x\" K=\"0 1; -1 0\" out=\"dx\"/><norm "
                            "id=\"n\" in=\"x\" out=\"r\"/>");
    harness h = harness_run(xml, "x[1] r", "crank-nicolson", 1, 1e-3);
    CHECK_CLOSE(harness_last(&h, 0), cos(1), 1e-6);
    CHECK_CLOSE(harness_last(&h, 1), 1, 1e-12);
    harness_free(&h);
}

UNIT_MAIN({"each element on its own", test_element_wise}, {"states of vectors", test_states},
          {"sizes around loops", test_loops}, {"putting together and taking apart", test_structure},
          {"vector and matrix algebra", test_algebra}, {"state space of vectors", test_state_space},
          {"vectors through components", test_components}, {"types of one's own", test_own_types},
          {"vectors put together", test_gathered}, {"implicit methods", test_implicit})
