/* SPDX-License-Identifier: MIT */
/* Block types in equations: their tables and values against what is computed by hand. */
#include "blocks_kit.h"
#include "unit.h"
#include "base/report.h"
#include "blocks/equations.h"
#include "expression/graph.h"

#define TWO_PORTS "<port name=\"p\" domain=\"electrical\"/><port name=\"n\" domain=\"electrical\"/>"

/* ---- linear elements ---- */

static void test_resistor(void) {
    kit setup;
    kit_type(
        &setup,
        "<block-type name=\"r\">" TWO_PORTS "<parameter name=\"R\" unit=\"Ohm\"/>"
        "<equation>p.i = (p.v - n.v)/R</equation><equation>n.i = -p.i</equation></block-type>");
    kit_prepare(&setup, (double[]){4}, 1);
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    CU_ASSERT_EQUAL(setup.class->nvars, 0);
    CU_ASSERT_EQUAL(setup.class->nentries, 4);
    CU_ASSERT_EQUAL(kit_count(&setup, LINNET_CONSTANT), 4);
    CU_ASSERT_PTR_NULL(setup.class->eval);
    CU_ASSERT_PTR_NULL(setup.class->source);
    CU_ASSERT_EQUAL(setup.class->reference_port, -1);
    kit_at(&setup, 0, 0, (double[]){10, 2});
    const double g[2][2] = {{0.25, -0.25}, {-0.25, 0.25}};
    for (int row = 0; row < 2; row++)
        for (int col = 0; col < 2; col++)
            CHECK_CLOSE(kit_entry(&setup, LINNET_A, row, col), g[row][col], 0);
    CHECK_CLOSE(setup.f[0], 2, 0);
    CHECK_CLOSE(setup.f[1], -2, 0);
    CHECK_TEXT(setup.class->formula, "p.i = (p.v - n.v)/R\nn.i = -p.i");
    kit_free(&setup);
}

static void test_capacitor(void) {
    kit setup;
    kit_type(
        &setup,
        "<block-type name=\"c\">" TWO_PORTS "<parameter name=\"C\" unit=\"F\" above=\"0\"/>"
        "<parameter name=\"v0\" unit=\"V\" default=\"0\"/><start of=\"p.v - n.v\" value=\"v0\"/>"
        "<equation>p.i = C*der(p.v - n.v)</equation><equation>n.i = -p.i</equation></block-type>");
    kit_prepare(&setup, (double[]){3, 5}, 2);
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    CU_ASSERT_EQUAL(setup.class->nvars, 0);
    CU_ASSERT_EQUAL(setup.class->nentries, 4);
    kit_at(&setup, 0, 0, (double[]){7, 1});
    const double c[2][2] = {{3, -3}, {-3, 3}};
    for (int row = 0; row < 2; row++)
        for (int col = 0; col < 2; col++) {
            CHECK_CLOSE(kit_entry(&setup, LINNET_E, row, col), c[row][col], 0);
            CHECK_CLOSE(kit_entry(&setup, LINNET_A, row, col), 0, 0);
        }
    CU_ASSERT_EQUAL_FATAL(setup.class->nstarts, 1);
    CHECK_TEXT(setup.class->starts[0].name, "v0");
    CU_ASSERT_EQUAL(setup.class->starts[0].col[0], 0);
    CU_ASSERT_EQUAL(setup.class->starts[0].col[1], 1);
    double start;
    setup.class->start(&setup.block, &start);
    CHECK_CLOSE(start, 5, 0);
    CU_ASSERT(setup.class->params[0].flags & LINNET_OPEN_MIN);
    CU_ASSERT(setup.class->params[0].flags & LINNET_REQUIRED);
    CU_ASSERT(!(setup.class->params[1].flags & LINNET_REQUIRED));
    kit_free(&setup);
}

static void test_gyrator(void) {
    kit setup;
    kit_type(&setup,
             "<block-type name=\"y\"><port name=\"p1\" domain=\"electrical\"/><port name=\"n1\" "
             "domain=\"electrical\"/>"
             "<port name=\"p2\" domain=\"electrical\"/><port name=\"n2\" domain=\"electrical\"/>"
             "<parameter name=\"G\" unit=\"S\"/><equation>p1.i = G*(p2.v - n2.v)</equation>"
             "<equation>n1.i = -p1.i</equation><equation>p2.i = -G*(p1.v - n1.v)</equation>"
             "<equation>n2.i = -p2.i</equation></block-type>");
    kit_prepare(&setup, (double[]){0.5}, 1);
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    CU_ASSERT_EQUAL(setup.class->nvars, 0);
    CU_ASSERT_EQUAL(setup.class->nentries, 8);
    kit_at(&setup, 0, 0, (double[]){1, 2, 4, 8});
    const double f[] = {0.5 * (4 - 8), -0.5 * (4 - 8), -0.5 * (1 - 2), 0.5 * (1 - 2)};
    for (int row = 0; row < 4; row++)
        CHECK_CLOSE(setup.f[row], f[row], 0);
    kit_free(&setup);
}

/* ---- fluxes that are unknown ---- */

static void test_implicit_flux(void) {
    kit setup;
    kit_type(
        &setup,
        "<block-type name=\"r\">" TWO_PORTS "<parameter name=\"R\" unit=\"Ohm\"/>"
        "<equation>p.v - n.v = R*p.i</equation><equation>p.i + n.i = 0</equation></block-type>");
    kit_prepare(&setup, (double[]){4}, 1);
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    /* n.i follows from p.i, which has a factor that is no number */
    CU_ASSERT_EQUAL_FATAL(setup.class->nvars, 1);
    CHECK_TEXT(setup.class->vars[0].name, "p.i");
    CHECK_TEXT(setup.class->vars[0].unit, "A");
    CHECK_TEXT(setup.class->rows[0].name, "p.v - n.v = R*p.i");
    CHECK_TEXT(setup.class->rows[0].unit, "V");
    kit_at(&setup, 0, 0, (double[]){10, 2, 3});
    CHECK_CLOSE(setup.f[0], 3, 0);
    CHECK_CLOSE(setup.f[1], -3, 0);
    CHECK_CLOSE(setup.f[2], 10 - 2 - 4 * 3, 0);
    kit_free(&setup);
}

static void test_voltage_source(void) {
    kit setup;
    kit_type(&setup, "<block-type name=\"v\">" TWO_PORTS "<parameter name=\"V\" unit=\"V\"/>"
                     "<equation>0 = p.v - n.v - V*sin(2*t)</equation><equation>n.i = "
                     "-p.i</equation></block-type>");
    kit_prepare(&setup, (double[]){3}, 1);
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    CU_ASSERT_EQUAL_FATAL(setup.class->nvars, 1);
    CU_ASSERT_EQUAL(setup.class->source_varies, 1);
    CHECK_TEXT(setup.class->source_rows, "001");
    CU_ASSERT_PTR_NULL(setup.class->eval);
    kit_at(&setup, 0.7, 0.7, (double[]){1, 0.5, 2});
    CHECK_CLOSE(setup.f[2], -(0.5 - 3 * sin(1.4)), 1e-15);
    CHECK_TEXT(setup.class->rows[0].unit, "V");
    CHECK_CLOSE(kit_entry(&setup, LINNET_A, 0, 2), 1, 0);
    CHECK_CLOSE(kit_entry(&setup, LINNET_A, 1, 2), -1, 0);
    kit_free(&setup);
}

/* The row's unit comes from whichever side has one; an output keeps its equation where a flux could
 * take it. */
static void test_signal_and_flux(void) {
    kit setup;
    kit_type(&setup, "<block-type name=\"v\">" TWO_PORTS "<input name=\"u\"/><output name=\"y\"/>"
                     "<equation>p.v - n.v = u</equation><equation>n.i = -p.i</equation><equation>y "
                     "= p.i</equation></block-type>");
    kit_prepare(&setup, NULL, 0);
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    CU_ASSERT_EQUAL_FATAL(setup.class->nvars, 1);
    CHECK_TEXT(setup.class->rows[0].unit, "V");
    kit_at(&setup, 0, 0, (double[]){10, 4, 5, 2, 3}); /* p.v n.v u y p.i */
    CHECK_CLOSE(setup.f[3], 2 - 3, 0);
    CHECK_CLOSE(setup.f[4], 6 - 5, 0);
    kit_free(&setup);
}

/* Fluxes given in terms of each other, in the wrong order and in a circle. */
static void test_explicit_chains(void) {
    kit setup;
    kit_type(
        &setup,
        "<block-type name=\"x\">" TWO_PORTS
        "<equation>n.i = -p.i</equation><equation>p.i = (p.v - n.v)*1 S</equation></block-type>");
    kit_prepare(&setup, NULL, 0);
    CU_ASSERT_EQUAL(setup.class->nvars, 0);
    CU_ASSERT_EQUAL(setup.class->nentries, 4);
    kit_free(&setup);
    kit_type(&setup, "<block-type name=\"x\">" TWO_PORTS
                     "<equation>p.i = 1 S*p.v + 2*n.i</equation><equation>n.i = 3*p.i + 1 "
                     "S*n.v</equation></block-type>");
    kit_prepare(&setup, NULL, 0);
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    /* n.i - 6 n.i = 3 p.v + n.v after the first is put in */
    CU_ASSERT_EQUAL_FATAL(setup.class->nvars, 0);
    kit_at(&setup, 0, 0, (double[]){1, 1});
    CHECK_CLOSE(setup.f[0], 1 + 2 * setup.f[1], 1e-15); /* p.i = -3/5, n.i = -4/5 */
    CHECK_CLOSE(setup.f[1], 3 * setup.f[0] + 1, 1e-15);
    kit_free(&setup);
}

/* ---- nonlinear elements ---- */

/* The thermistor of the design. */
static void test_thermistor(void) {
    kit setup;
    kit_type(&setup,
             "<block-type name=\"thermistor\">" TWO_PORTS "<port name=\"heat\" domain=\"thermal\"/>"
             "<parameter name=\"R0\" unit=\"Ohm\" min=\"0\" default=\"10 kOhm\"/>"
             "<parameter name=\"B\" unit=\"K\" default=\"3950 K\"/>"
             "<let name=\"R\" value=\"R0*exp(B*(1/heat.T - 1/298.15))\"/>"
             "<equation>p.i = (p.v - n.v)/R</equation><equation>n.i = -p.i</equation>"
             "<equation>heat.Q = -(p.v - n.v)*p.i</equation></block-type>");
    kit_prepare(&setup, (double[]){1e4, 3950}, 2);
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    CU_ASSERT_EQUAL(setup.class->nvars, 0);
    CHECK_TEXT(setup.class->nonlinear_rows, "111");
    double x[] = {5, 1, 350}, resistance = 1e4 * exp(3950 * (1 / 350.0 - 1 / 298.15));
    CU_ASSERT_EQUAL(kit_at(&setup, 0, 0, x), LINNET_OK);
    CHECK_CLOSE(setup.f[0], 4 / resistance, 1e-14);
    CHECK_CLOSE(setup.f[1], -4 / resistance, 1e-14);
    CHECK_CLOSE(setup.f[2], -16 / resistance, 1e-14);
    CHECK_CLOSE(kit_entry(&setup, LINNET_A, 0, 0) * resistance, 1, 1e-14);
    CHECK_CLOSE(kit_entry(&setup, LINNET_A, 0, 2), 4 / resistance * 3950 / (350.0 * 350), 1e-14);
    CHECK_CLOSE(kit_entry(&setup, LINNET_A, 2, 0), -8 / resistance, 1e-14);
    CU_ASSERT_EQUAL_FATAL(setup.class->nobserved, 1);
    CHECK_TEXT(setup.class->observed[0], "R");
    CHECK_CLOSE(setup.class->observe(&setup.block, &(linnet_point){0, 0, x, NULL}, 0), resistance,
                1e-14);
    /* at 0 K the resistance is infinite and the current 0; with B below 0 it is the current */
    CU_ASSERT_EQUAL(kit_at(&setup, 0, 0, (double[]){5, 1, 0}), LINNET_OK);
    CHECK_CLOSE(setup.f[0], 0, 0);
    kit_prepare(&setup, (double[]){1e4, -3950}, 2);
    CU_ASSERT_EQUAL(kit_at(&setup, 0, 0, (double[]){5, 1, 0}), LINNET_RETRY);
    char text[128];
    CU_ASSERT_EQUAL(setup.class->explain(&setup.block, text), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "4 / 0"));
    kit_free(&setup);
}

/* i = G v + Is (exp(v/Vt) - 1): one entry covers the linear and the nonlinear part. */
static void test_mixed_row(void) {
    kit setup;
    kit_type(&setup,
             "<block-type name=\"d\">" TWO_PORTS "<parameter name=\"G\"/>"
             "<equation>p.i = G*(p.v - n.v) + 1e-12 A*(exp((p.v - n.v)/0.025 V) - 1)</equation>"
             "<equation>n.i = -p.i</equation></block-type>");
    kit_prepare(&setup, (double[]){0.5}, 1);
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    CU_ASSERT_EQUAL(setup.class->nentries, 4);
    CU_ASSERT_EQUAL(kit_count(&setup, LINNET_STATE), 4);
    kit_at(&setup, 0, 0, (double[]){0.6, 0});
    CHECK_CLOSE(setup.f[0], 0.3 + 1e-12 * (exp(24) - 1), 1e-14);
    CHECK_CLOSE(kit_entry(&setup, LINNET_A, 0, 0), 0.5 + 1e-12 * exp(24) / 0.025, 1e-14);
    kit_free(&setup);
}

/* Branches that a parameter chooses are linear; a sign of an unknown is not, though its slope is
 * constant. */
static void test_conditionals(void) {
    kit setup;
    kit_type(&setup,
             "<block-type name=\"x\"><input name=\"u\"/><output name=\"y\"/><parameter name=\"k\"/>"
             "<equation>y = if(k gt 0, 2*u, 3*u)</equation></block-type>");
    kit_prepare(&setup, (double[]){-1}, 1);
    CU_ASSERT_PTR_NULL(setup.class->eval);
    kit_at(&setup, 0, 0, (double[]){5, 1});
    CHECK_CLOSE(setup.f[1], 1 - 15, 0);
    kit_free(&setup);
    kit_type(&setup, "<block-type name=\"x\"><input name=\"u\"/><output name=\"y\"/>"
                     "<equation>y = 2*u + sign(u)</equation></block-type>");
    kit_prepare(&setup, NULL, 0);
    CU_ASSERT_PTR_NOT_NULL(setup.class->eval);
    kit_at(&setup, 0, 0, (double[]){5, 1});
    CHECK_CLOSE(setup.f[1], 1 - 11, 0);
    kit_at(&setup, 0, 0, (double[]){-5, 1});
    CHECK_CLOSE(setup.f[1], 1 + 11, 0);
    CHECK_CLOSE(kit_entry(&setup, LINNET_A, 1, 0), -2, 0);
    kit_free(&setup);
}

/* ---- derivatives ---- */

static void test_nonlinear_charge(void) {
    kit setup;
    kit_type(
        &setup,
        "<block-type name=\"c\">" TWO_PORTS "<parameter name=\"C\"/><parameter name=\"k\"/>"
        "<let name=\"v\" value=\"p.v - n.v\"/>"
        "<equation>p.i = der(C*v + k*v^3)</equation><equation>n.i = -p.i</equation></block-type>");
    kit_prepare(&setup, (double[]){3, 0.5}, 2);
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    CU_ASSERT_EQUAL(setup.class->nvars, 0);
    CHECK_TEXT(setup.class->nonlinear_rows, "22");
    kit_at(&setup, 0, 0, (double[]){3, 1});
    CHECK_CLOSE(setup.q[0], 3 * 2 + 0.5 * 8, 1e-15);
    CHECK_CLOSE(setup.q[1], -10, 1e-15);
    CHECK_CLOSE(kit_entry(&setup, LINNET_E, 0, 0), 3 + 1.5 * 4, 1e-15);
    CHECK_CLOSE(kit_entry(&setup, LINNET_E, 0, 1), -9, 1e-15);
    kit_free(&setup);
}

/* Heat of a capacitor's power: C dv/dt stands with the factor v, so dv/dt becomes a variable; the
 * current's row keeps its entries of q. */
static void test_factored_derivative(void) {
    kit setup;
    kit_type(&setup,
             "<block-type name=\"c\"><input name=\"u\"/><output name=\"y\"/><parameter name=\"a\"/>"
             "<parameter name=\"b\"/><parameter name=\"c\"/><equation>y = u*der(b*u + "
             "t)</equation></block-type>");
    CHECK_TEXT(setup.class->vars[0].name, "der(b*u + t)");
    kit_free(&setup);
    kit_type(&setup, "<block-type name=\"c\">" TWO_PORTS "<port name=\"heat\" domain=\"thermal\"/>"
                     "<parameter name=\"C\" unit=\"F\"/><equation>p.i = C*der(p.v - n.v)</equation>"
                     "<equation>n.i = -p.i</equation><equation>heat.Q = -(p.v - "
                     "n.v)*p.i</equation></block-type>");
    kit_prepare(&setup, (double[]){2}, 1);
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    CU_ASSERT_EQUAL_FATAL(setup.class->nvars, 1);
    CHECK_TEXT(setup.class->vars[0].name, "der(p.v - n.v)");
    kit_at(&setup, 0, 0, (double[]){7, 4, 300, 11});
    CHECK_CLOSE(setup.q[0], 6, 0);
    CHECK_CLOSE(setup.f[0], 0, 0);
    CHECK_CLOSE(setup.f[2], -3 * 2 * 11, 0);
    CHECK_CLOSE(setup.f[3], 11, 0);
    CHECK_CLOSE(setup.q[3], -3, 0);
    kit_free(&setup);
}

/* der(der(x)) and a recorded derivative. */
static void test_nested_derivative(void) {
    kit setup;
    kit_type(&setup, "<block-type name=\"x\"><input name=\"u\"/><output name=\"y\"/><let "
                     "name=\"rate\" value=\"2*der(u)\"/>"
                     "<equation>y = 3*der(der(u)) + rate</equation></block-type>");
    kit_prepare(&setup, NULL, 0);
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    CU_ASSERT_EQUAL_FATAL(setup.class->nvars, 1);
    const double x[] = {5, 7, 11};
    kit_at(&setup, 0, 0, x); /* y - 3 der(d) - 2 d = 0, d - der(u) = 0 */
    CHECK_CLOSE(setup.f[1], 7 - 22, 0);
    CHECK_CLOSE(setup.q[1], -3 * 11, 0);
    CHECK_CLOSE(setup.f[2], 11, 0);
    CHECK_CLOSE(setup.q[2], -5, 0);
    CHECK_CLOSE(setup.class->observe(&setup.block, &(linnet_point){0, 0, x, NULL}, 0), 22, 0);
    kit_free(&setup);
}

/* A charge of time alone goes to eval(), for source() belongs to f. */
static void test_charge_of_time(void) {
    kit setup;
    kit_type(&setup, "<block-type name=\"x\"><input name=\"u\"/><output name=\"y\"/>"
                     "<equation>y = u + der(sin(t) + 2)</equation></block-type>");
    kit_prepare(&setup, NULL, 0);
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    kit_at(&setup, 0.5, 0.5, (double[]){1, 4});
    /* up to a constant, which has no derivative */
    CHECK_CLOSE(setup.q[1] - -sin(0.5), -2, 1e-15);
    CHECK_CLOSE(setup.f[1], 3, 0);
    kit_free(&setup);
}

/* ---- which equation for which unknown ---- */

static void test_matching(void) {
    kit setup;
    kit_type(&setup,
             "<block-type name=\"x\"><input name=\"u\"/><output name=\"y1\"/><output name=\"y2\"/>"
             "<variable name=\"z\"/><state name=\"h\" start=\"2\"/>"
             "<equation>y1 = y2 + z</equation><equation>y1 = 2*u</equation>"
             "<equation>z = 3*h</equation><equation>der(h) = u</equation></block-type>");
    kit_prepare(&setup, NULL, 0);
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    const ln_residuals *residuals = ln_class_residuals(setup.class);
    CU_ASSERT_PTR_NOT_NULL_FATAL(residuals);
    CU_ASSERT_EQUAL(residuals->row[0], LN_NONE);
    kit_at(&setup, 0, 0, (double[]){5, 7, 11, 13, 17}); /* u y1 y2 z h */
    CHECK_CLOSE(setup.f[1], 7 - 10, 0);
    CHECK_CLOSE(setup.f[2], 7 - 11 - 13, 0);
    CHECK_CLOSE(setup.f[3], 13 - 51, 0);
    CHECK_CLOSE(setup.f[4], -5, 0);
    CHECK_CLOSE(setup.q[4], 17, 0);
    CU_ASSERT_EQUAL(setup.class->nstarts, 1);
    CHECK_TEXT(setup.class->starts[0].name, "h");
    CU_ASSERT_EQUAL(setup.class->starts[0].col[0], 4);
    CU_ASSERT_EQUAL(setup.class->starts[0].col[1], -1);
    double start, guess[5] = {0};
    setup.class->start(&setup.block, &start);
    setup.class->guess(&setup.block, guess);
    CHECK_CLOSE(start, 2, 0);
    CHECK_CLOSE(guess[4], 2, 0);
    kit_free(&setup);
}

static void test_balance_errors(void) {
    kit setup;
    kit_type(&setup, "<block-type name=\"x\"><input name=\"u\"/><output name=\"y\"/>"
                     "<equation>y = u</equation>\n<equation>y = 2*u</equation></block-type>");
    CU_ASSERT_EQUAL(setup.status, LINNET_MODEL);
    CU_ASSERT(
        kit_said(&setup, "types.xml:2: error: block type 'x' has 2 equations for 1 unknown (y)"));
    kit_free(&setup);
    kit_type(&setup,
             "<block-type name=\"x\">" TWO_PORTS "<equation>p.i = -n.i</equation></block-type>");
    CU_ASSERT_EQUAL(setup.status, LINNET_MODEL);
    CU_ASSERT(kit_said(&setup, "has 0 equations for 1 unknown (n.i)"));
    kit_free(&setup);
    kit_type(&setup,
             "<block-type name=\"x\"><input name=\"u\"/><output name=\"y\"/><variable name=\"z\"/>"
             "<equation>y = u</equation><equation>y = 2*u</equation></block-type>");
    CU_ASSERT_EQUAL(setup.status, LINNET_MODEL);
    CU_ASSERT(kit_said(&setup, "variable 'z' stands in no equation"));
    kit_free(&setup);
    kit_type(&setup,
             "<block-type name=\"x\"><input name=\"u\"/><output name=\"y\"/><variable name=\"z\"/>"
             "<equation>y = u + z</equation>\n<equation>1 = 2</equation></block-type>");
    CU_ASSERT_EQUAL(setup.status, LINNET_MODEL);
    CU_ASSERT(kit_said(
        &setup, "types.xml:3: error: block type 'x': the equation '1 = 2' determines nothing"));
    kit_free(&setup);
    kit_type(&setup, "<block-type name=\"x\"><input name=\"u\"/><output name=\"y\"/>\n<equation>1 "
                     "= 2</equation></block-type>");
    CU_ASSERT_EQUAL(setup.status, LINNET_MODEL);
    CU_ASSERT(kit_said(
        &setup, "types.xml:3: error: block type 'x': the equation '1 = 2' determines nothing"));
    kit_free(&setup);
}

static void test_reference(void) {
    kit setup;
    kit_type(&setup, "<block-type name=\"g\"><port name=\"p\" domain=\"electrical\"/><equation>p.v "
                     "= 0</equation></block-type>");
    kit_prepare(&setup, NULL, 0);
    CU_ASSERT_EQUAL(setup.class->reference_port, 0);
    CU_ASSERT_EQUAL(setup.class->nvars + setup.class->nentries, 0);
    kit_free(&setup);
    kit_type(&setup,
             "<block-type name=\"g\"><port name=\"heat\" domain=\"thermal\"/><equation>0 K = "
             "heat.T</equation></block-type>");
    CU_ASSERT_EQUAL(setup.class->reference_port, 0);
    kit_free(&setup);
    kit_type(&setup, "<block-type name=\"g\"><port name=\"p\" domain=\"electrical\"/><equation>p.v "
                     "= 5 V</equation></block-type>");
    kit_prepare(&setup, NULL, 0);
    CU_ASSERT_EQUAL(setup.class->reference_port, -1);
    CU_ASSERT_EQUAL(setup.class->nvars, 1);
    kit_at(&setup, 0, 0, (double[]){8, 3});
    CHECK_CLOSE(setup.f[0], 3, 0);
    CHECK_CLOSE(setup.f[1], 3, 0); /* 8 V - 5 V */
    kit_free(&setup);
}

/* ---- time ---- */

static void test_corners(void) {
    kit setup;
    kit_type(
        &setup,
        "<block-type name=\"s\"><output name=\"y\"/><parameter name=\"t0\"/><parameter name=\"a\"/>"
        "<equation>y = if(t lt t0, 1, a)</equation></block-type>");
    kit_prepare(&setup, (double[]){0.1, 7}, 2);
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(setup.class->next_breakpoint);
    CHECK_CLOSE(setup.class->next_breakpoint(&setup.block, 0, NULL), 0.1, 0);
    CU_ASSERT(isinf(setup.class->next_breakpoint(&setup.block, 0.1, NULL)));
    kit_at(&setup, 0.1, 0.05, (double[]){0}); /* the step that ends there uses the left side */
    CHECK_CLOSE(setup.f[0], -1, 0);
    kit_at(&setup, 0.1, 0.15, (double[]){0});
    CHECK_CLOSE(setup.f[0], -7, 0);
    kit_free(&setup);
}

/* ---- what a reader must refuse ---- */

static void refuse(const char *xml, const char *message) {
    kit setup;
    kit_type(&setup, xml);
    CU_ASSERT_EQUAL(setup.status, LINNET_MODEL);
    CU_ASSERT(kit_said(&setup, message));
    kit_free(&setup);
}

static void test_refusals(void) {
    refuse("<block-type name=\"x\">" TWO_PORTS
           "\n<equation>p.i = p.v - n.v</equation><equation>n.i = -p.i</equation></block-type>",
           "types.xml:3: error: block type 'x': the sides of 'p.i = p.v - n.v' do not fit: A on "
           "the left, V on the right");
    refuse("<block-type name=\"x\"><input name=\"input\"/><output name=\"y\"/>\n<equation>y = "
           "2*imput</equation></block-type>",
           "types.xml:3: error: block type 'x': in \"y = 2*imput\" at column 7: unknown name "
           "'imput'; did you mean 'input'?");
    refuse("<block-type name=\"x\"><output name=\"y\"/>\n<parameter name=\"R\" "
           "unit=\"Ohms\"/><equation>y = "
           "R</equation></block-type>",
           "types.xml:3: error: block type 'x': parameter 'R' has the unknown unit 'Ohms'; the "
           "nearest is 'Ohm'");
    refuse("<block-type name=\"x\"><output name=\"y\"/><parameter name=\"R\" unit=\"Ohm\" min=\"1 "
           "V\"/><equation>y = "
           "1</equation></block-type>",
           "parameter 'R' is in Ohm, its value in V");
    refuse("<block-type name=\"x\"><output name=\"y\"/><parameter name=\"k\" min=\"2\" "
           "max=\"1\"/><equation>y = "
           "k</equation></block-type>",
           "has no value left");
    refuse("<block-type name=\"x\"><port name=\"p\" domain=\"electricle\"/><equation>p.v = "
           "0</equation></block-type>",
           "did you mean electrical");
    refuse("<block-type name=\"x\"><port name=\"p\" domain=\"signal\"/><equation>p.v = "
           "0</equation></block-type>",
           "signals are <input> and <output>");
    refuse("<block-type name=\"x\"><output name=\"y\"/><state name=\"h\" unit=\"mm\"/><equation>y "
           "= h</equation>"
           "<equation>der(h) = 1</equation></block-type>",
           "equations work in SI units; give state 'h' in m, not mm");
    refuse("<block-type name=\"x\"><input name=\"u\"/><output name=\"y\"/><start of=\"2*u\" "
           "value=\"1\"/><equation>y = "
           "u</equation></block-type>",
           "takes one unknown or the difference of two");
    refuse("<block-type name=\"x\"><input name=\"u\"/><output name=\"y\"/><state name=\"h\" "
           "start=\"u\"/><equation>y = "
           "h</equation>"
           "<equation>der(h) = u</equation></block-type>",
           "u");
}

/* ---- parameters ---- */

static void test_prepare(void) {
    kit setup;
    kit_type(
        &setup,
        "<block-type name=\"r\">" TWO_PORTS "<parameter name=\"R\" unit=\"Ohm\"/>"
        "<equation>p.i = (p.v - n.v)/R</equation><equation>n.i = -p.i</equation></block-type>");
    kit_prepare(&setup, (double[]){0}, 1);
    CU_ASSERT_EQUAL(setup.status, LINNET_MODEL);
    CHECK_TEXT(setup.message, "its parameters give the factor inf to p.v in p.i; change them");
    kit_free(&setup);
    kit_type(&setup, "<block-type name=\"x\"><output name=\"y\"/><parameter name=\"len\" "
                     "unit=\"mm\" min=\"5\" default=\"7\"/>"
                     "<state name=\"h\" unit=\"m\" start=\"2*len\" nominal=\"0.5\"/><variable "
                     "name=\"z\" start=\"3\"/>"
                     "<equation>y = z</equation><equation>der(h) = 0</equation><equation>z = "
                     "h</equation></block-type>");
    kit_prepare(&setup, (double[]){0.007}, 1);
    CHECK_CLOSE(setup.class->params[0].min, 0.005, 1e-18);
    double x[3] = {0}, start;
    setup.class->guess(&setup.block, x);
    setup.class->start(&setup.block, &start);
    CHECK_CLOSE(x[1], 0.014, 0);
    CHECK_CLOSE(start, 0.014, 0);
    CHECK_CLOSE(x[2], 3, 0);
    CHECK_CLOSE(setup.class->vars[0].nominal, 0.5, 0);
    CU_ASSERT(setup.class->vars[0].flags & LINNET_START_FIXED);
    CU_ASSERT(!(setup.class->vars[1].flags & LINNET_START_FIXED));
    kit_free(&setup);
}

UNIT_MAIN({"resistor", test_resistor}, {"capacitor", test_capacitor}, {"gyrator", test_gyrator},
          {"implicit flux", test_implicit_flux}, {"voltage source", test_voltage_source},
          {"signals and fluxes", test_signal_and_flux},
          {"explicit fluxes in chains", test_explicit_chains}, {"thermistor", test_thermistor},
          {"linear and nonlinear in one row", test_mixed_row}, {"conditionals", test_conditionals},
          {"nonlinear charge", test_nonlinear_charge},
          {"derivative with a factor", test_factored_derivative},
          {"nested derivative", test_nested_derivative}, {"charge of time", test_charge_of_time},
          {"matching", test_matching}, {"balance errors", test_balance_errors},
          {"reference", test_reference}, {"corners", test_corners}, {"refusals", test_refusals},
          {"prepare", test_prepare})
