/* SPDX-License-Identifier: MIT */
/* The linearised model: transfer functions between what inputs and outputs may be, against closed
 * forms. */
#include "small_signal_kit.h"

/* Y/U at s. */
static double complex response(bench *rig, const char *input, const char *output,
                               double complex s) {
    ln_small_signal *small = &rig->small;
    size_t n = (size_t)small->n, entries = (size_t)small->pattern->start[n];
    ln_arena *arena = small->arena;
    double *values = LN_NEW(arena, double, 2 * entries), *x = LN_NEW(arena, double, 2 * n),
           *c = LN_NEW(arena, double, n), d;
    ln_input in;
    ln_quantity quantity;
    CU_ASSERT_EQUAL_FATAL(ln_small_signal_input(small, input, &in), LINNET_OK);
    CU_ASSERT_FATAL(ln_network_find(rig->simulation.network, output, &quantity, NULL));
    CU_ASSERT_EQUAL_FATAL(ln_small_signal_output(small, &quantity, &in, 1, c, &d), LINNET_OK);
    ln_small_signal_pencil(small, creal(s), cimag(s), values);
    ln_system_input_column(&in, x, 2);
    ln_linear *linear = ln_linear_new_complex(small->pattern, LN_LINEAR_AUTO);
    CU_ASSERT_EQUAL_FATAL(ln_linear_factor(linear, values), LN_FACTORED);
    ln_linear_solve(linear, x);
    ln_linear_free(linear);
    double complex y = d;
    for (size_t i = 0; i < n; i++)
        y += c[i] * (x[2 * i] + x[2 * i + 1] * I);
    return y;
}

#define CHECK_RESPONSE(bench, input, output, expected, tolerance)                     \
    do {                                                                              \
        double complex got = response(&(bench), input, output, s), want = (expected); \
        CHECK_CLOSE(creal(got), creal(want), tolerance);                              \
        CHECK_CLOSE(cimag(got), cimag(want), tolerance);                              \
    } while (0)

static const double complex s = 30.0 + 700.0 * I;

static const char rc[] = "<model xmlns='urn:linnet:model:1'><ground id='gnd' "
                         "p='0'/><voltage-source id='V1' p='in' n='0' V='5 V'/>"
                         "<resistor id='R1' p='in' n='out' R='1 kOhm'/><capacitor id='C1' p='out' "
                         "n='0' C='1 uF'/></model>";

static void test_circuit(void) {
    bench rig = linearised(rc, "out C1.i R1.i gnd.i V1.P", -1);
    CU_ASSERT(rig.small.at_rest);
    double complex h = 1 / (1 + s * 1e-3);
    CHECK_RESPONSE(rig, "V1", "out", h, 1e-13);
    CHECK_RESPONSE(rig, "V1", "R1.v", 1 - h, 1e-13);
    CHECK_RESPONSE(rig, "V1", "V1.v", 1, 1e-13);
    CHECK_RESPONSE(rig, "V1", "C1.i", s * 1e-6 * h, 1e-15);
    CHECK_RESPONSE(rig, "V1", "R1.i", (1 - h) / 1e3, 1e-15);
    /* what comes back through C1 leaves through V1 */
    CHECK_RESPONSE(rig, "V1", "gnd.i", 0, 1e-15);
    CHECK_RESPONSE(rig, "out", "out", 1e3 * h, 1e-10); /* an impedance */
    /* at rest no current: only V di counts */
    CHECK_RESPONSE(rig, "V1", "V1.P", -5 * (1 - h) / 1e3, 1e-14);
    done(&rig);
}

static void test_current_source(void) {
    bench rig = linearised("<model xmlns='urn:linnet:model:1'><ground id='gnd' "
                           "p='0'/><current-source id='I1' p='0' n='a' I='2 A'/>"
                           "<resistor id='R1' p='a' n='0' R='10 Ohm'/></model>",
                           "I1.i R1.P", -1);
    CHECK_RESPONSE(rig, "I1", "a", 10, 1e-13);
    CHECK_RESPONSE(rig, "I1", "I1.i", 1, 1e-13);
    CHECK_RESPONSE(rig, "I1", "I1.n.i", -1, 1e-13);
    CHECK_RESPONSE(rig, "I1", "R1.P", 2 * 10 * 2, 1e-12); /* d(R i^2)/di = 2 R i */
    done(&rig);
}

/* A diode's resistance where 1 mA flows is n Vt/(i + Is): 25.85 Ohm at 300 K and n = 1. */
static void test_diode(void) {
    bench rig = linearised("<model xmlns='urn:linnet:model:1'><ground id='gnd' "
                           "p='0'/><current-source id='I1' p='0' n='a' I='1 mA'/>"
                           "<diode id='D1' p='a' n='0'/></model>",
                           "a", -1);
    CHECK_CLOSE(creal(response(&rig, "I1", "a", 0)), 25.85, 2e-3);
    done(&rig);
}

static const char loop[] =
    "<model xmlns='urn:linnet:model:1'><step id='r' out='w'/><sum id='S' in='w y' signs='+-' "
    "out='e'/>"
    "<gain id='G' in='e' k='3' out='v'/><integrator id='I' in='v' out='y'/></model>";

/* x' = 3 (w - y): u on what is read of the integrator's output, on the error, and on one input
 * alone. */
static void test_diagram(void) {
    bench rig = linearised(loop, "y e v", -1);
    CHECK_RESPONSE(rig, "r", "y", 3 / (s + 3), 1e-14);
    CHECK_RESPONSE(rig, "w", "y", 3 / (s + 3), 1e-14);
    CHECK_RESPONSE(rig, "e", "y", 3 / (s + 3), 1e-14);
    CHECK_RESPONSE(rig, "e", "e", s / (s + 3), 1e-14);
    CHECK_RESPONSE(rig, "y", "y", s / (s + 3), 1e-14);
    CHECK_RESPONSE(rig, "y", "e", -s / (s + 3), 1e-14);
    CHECK_RESPONSE(rig, "G.in", "v", 3 * s / (s + 3), 1e-14);
    CHECK_RESPONSE(rig, "G.in", "e", -3 / (s + 3), 1e-14);
    done(&rig);
}

/* d/dt (x^3) = u - x at x = 2: 12 s dx + dx = du; a let x^2*u is seen as 4 du + 4 u dx. */
static void test_nonlinear_storage(void) {
    bench rig = linearised(
        "<model xmlns='urn:linnet:model:1'><block-type name='cube'><input name='in'/><output "
        "name='out'/>"
        "<let name='both' value='out^2*in'/><equation>der(out^3) = in - out</equation></block-type>"
        "<constant id='c' value='2' out='u'/><cube id='Q' in='u' out='x'/></model>",
        "x Q.both", -1);
    CHECK_RESPONSE(rig, "c", "x", 1 / (12 * s + 1), 1e-13);
    CHECK_RESPONSE(rig, "c", "Q.both", 4 + 8 / (12 * s + 1), 1e-9);
    done(&rig);
}

/* A capacitor across a source: index 2; the current is the derivative. */
static void test_index_2(void) {
    bench rig = linearised("<model xmlns='urn:linnet:model:1'><ground id='gnd' "
                           "p='0'/><voltage-source id='V1' p='a' n='0' V='1 V'/>"
                           "<capacitor id='C1' p='a' n='0' C='1 mF'/></model>",
                           "V1.i", -1);
    CHECK_RESPONSE(rig, "V1", "V1.i", -s * 1e-3, 1e-13);
    done(&rig);
}

/* At a time of a run: x' = -x^2 from 1 is 1/(1 + t), its linearisation there s + 2 x. */
static void test_at_time(void) {
    static const char model[] =
        "<model xmlns='urn:linnet:model:1'><block-type name='decay'><input name='in'/><output "
        "name='out'/>"
        "<state name='x' start='1'/><equation>der(x) = in - x^2</equation><equation>out = "
        "x</equation></block-type>"
        "<constant id='c' value='0' out='u'/><decay id='Q' in='u' out='x'/>"
        "<simulation duration='4' tolerance='1e-9' method='radau5'/></model>";
    bench rig = linearised(model, "x", 1);
    CU_ASSERT(!rig.small.at_rest);
    CHECK_CLOSE(rig.small.at.side.t, 1, 1e-15);
    CHECK_RESPONSE(rig, "c", "x", 1 / (s + 1), 1e-8);
    done(&rig);
    rig = linearised(model, "x", 0);
    CHECK_RESPONSE(rig, "c", "x", 1 / (s + 2), 1e-13);
    done(&rig);
}

static void test_refusals(void) {
    bench rig = linearised(rc, "out", -1);
    ln_input in;
    CU_ASSERT_EQUAL(ln_small_signal_input(&rig.small, "V2", &in), LINNET_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "V2"));
    CU_ASSERT_EQUAL(ln_small_signal_input(&rig.small, "R1", &in), LINNET_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "is no source"));
    CU_ASSERT_EQUAL(ln_small_signal_input(&rig.small, "0", &in), LINNET_USAGE);
    CU_ASSERT_EQUAL(ln_small_signal_input(&rig.small, "R1.R", &in), LINNET_USAGE);
    done(&rig);
}

UNIT_MAIN({"sources, links, fluxes and powers of a circuit", test_circuit},
          {"a current source", test_current_source}, {"a diode's conductance", test_diode},
          {"signals of a diagram", test_diagram},
          {"storage that is not linear, and a let", test_nonlinear_storage},
          {"index 2", test_index_2}, {"at a time of a run", test_at_time},
          {"what is no input", test_refusals})
