/* SPDX-License-Identifier: MIT */
/* The integrator as a whole: orders, starts, discontinuities, counts, and results that depend on
 * nothing they should not depend on: the order of blocks, the notation of links, the linear solver.
 */
#include "harness.h"
#include "unit.h"

#define MODEL(body) "<model xmlns='urn:linnet:model:1'>" body "</model>"
#define GROUND "<ground id='gnd' p='0'/>"

/* ---- the same model, written differently ---- */

static const char named[] = MODEL(
    GROUND "<sine-voltage id='V' p='in' n='0' amplitude='5' frequency='50'/>"
           "<diode id='D' p='in' n='out'/><capacitor id='C' p='out' n='0' C='100 uF'/>"
           "<resistor id='R' p='out' n='0' R='1 kOhm'/><inductor id='L' p='out' n='z' L='1 mH'/>"
           "<resistor id='Rz' p='z' n='0' R='50'/>");
static const char shuffled[] =
    MODEL("<resistor id='Rz' n='0' p='z' R='50'/><inductor id='L' n='z' p='out' L='1 mH'/>"
          "<resistor id='R' p='out' n='0' R='1 kOhm'/><sine-voltage id='V' n='0' p='in' "
          "frequency='50' amplitude='5'/>"
          "<capacitor id='C' p='out' n='0' C='100 uF'/><diode id='D' n='out' p='in'/>" GROUND);
static const char arrows[] =
    MODEL("<ground id='gnd'/><sine-voltage id='V' amplitude='5' frequency='50'/><diode id='D'/>"
          "<capacitor id='C' C='100 uF'/><resistor id='R' R='1 kOhm'/><inductor id='L' L='1 "
          "mH'/><resistor id='Rz' R='50'/>"
          "<link id='in' from='V.p' to='D.p'/><link id='out' from='D.n' to='C.p R.p L.p'/><link "
          "id='z' from='L.n' to='Rz.p'/>"
          "<link id='0' from='C.n R.n Rz.n V.n' to='gnd.p'/>");

static int same_bits(const harness *a, const harness *b) {
    return a->rows == b->rows && a->values == b->values && a->rows > 0 &&
           memcmp(a->time, b->time, a->rows * sizeof(double)) == 0 &&
           memcmp(a->value, b->value, a->values * sizeof(double)) == 0;
}

static void order_of_blocks(void) {
    static const char *const methods[] = {"crank-nicolson", "backward-euler", "tr-bdf2"};
    for (size_t m = 0; m < 3; m++) {
        harness a = harness_run(named, "out z D.i L.i", methods[m], 0.04, 1e-4);
        harness b = harness_run(shuffled, "out z D.i L.i", methods[m], 0.04, 1e-4);
        harness c = harness_run(arrows, "out z D.i L.i", methods[m], 0.04, 1e-4);
        CU_ASSERT(a.status == LINNET_OK);
        CU_ASSERT(same_bits(&a, &b));
        CU_ASSERT(same_bits(&a, &c));
        harness_free(&a);
        harness_free(&b);
        harness_free(&c);
    }
}

static void dense_and_sparse(void) {
    ln_settings settings = {.method = ln_method_find("crank-nicolson"),
                            .end = 0.04,
                            .step = 1e-4,
                            .linear = LN_LINEAR_DENSE};
    harness dense = harness_run_with(named, "out z D.i L.i", settings);
    settings.linear = LN_LINEAR_SPARSE;
    harness sparse = harness_run_with(named, "out z D.i L.i", settings);
    CU_ASSERT(dense.status == LINNET_OK && sparse.status == LINNET_OK &&
              dense.values == sparse.values);
    CU_ASSERT_EQUAL(dense.statistics.linear, LN_LINEAR_DENSE);
    CU_ASSERT_EQUAL(sparse.statistics.linear, LN_LINEAR_SPARSE);
    for (size_t k = 0; k < dense.values && k < sparse.values; k++)
        CHECK_CLOSE(dense.value[k], sparse.value[k], 1e-10);
    harness_free(&dense);
    harness_free(&sparse);
}

/* ---- orders of every method, with a time-varying source, in a cascade and in closed loop ---- */

/* y'' + 0.6 y' + y = sin(2 t) as a closed loop of sum and integrators, behind it a lag (a cascade).
 */
static const char loop[] =
    MODEL("<sine id='src' out='u' amplitude='1' frequency='0.3183098861837907'/>"
          "<gain id='d' in='v' out='dv' k='0.6'/><sum id='s' in='u dv y' signs='+--' out='a'/>"
          "<integrator id='iv' in='a' out='v'/><integrator id='iy' in='v' out='y'/>"
          "<first-order id='lag' in='y' out='z' T='0.5'/>");

static void orders(void) {
    harness fine = harness_run(loop, "y z", "rk4", 4, 1e-4);
    double y = harness_last(&fine, 0), z = harness_last(&fine, 1);
    harness_free(&fine);
    /* y in closed form: A sin 2t + B cos 2t + e^(-0.3t) (C cos wt + D sin wt) */
    double A = -3 / (9 + 1.44), B = -1.2 / (9 + 1.44), w = sqrt(1 - 0.09), C = -B,
           D = (0.3 * C - 2 * A) / w, t = 4;
    CHECK_CLOSE(y,
                A * sin(2 * t) + B * cos(2 * t) + exp(-0.3 * t) * (C * cos(w * t) + D * sin(w * t)),
                1e-12);
    static const struct {
        const char *method;
        double step, order;
    } methods[] = {{"backward-euler", 0.005, 1}, {"crank-nicolson", 0.02, 2}, {"tr-bdf2", 0.02, 2},
                   {"euler", 0.0025, 1},         {"heun", 0.01, 2},           {"rk4", 0.02, 4}};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        CHECK_CLOSE(harness_order(loop, "y", methods[m].method, 4, methods[m].step, y),
                    methods[m].order, 0.05);
        CHECK_CLOSE(harness_order(loop, "z", methods[m].method, 4, methods[m].step, z),
                    methods[m].order, 0.05);
    }
}

/* A step input in mid-run, off the grid: both sides of the breakpoint keep the order. */
static void order_across_corner(void) {
    const char *xml = MODEL(
        "<step id='src' out='u' delay='0.31'/><first-order id='lag' in='u' out='y' T='0.5'/>");
    double exact = 1 - exp(-(1 - 0.31) / 0.5);
    CHECK_CLOSE(harness_order(xml, "y", "rk4", 1, 0.05, exact), 4, 0.2);
    CHECK_CLOSE(harness_order(xml, "y", "heun", 1, 0.01, exact), 2, 0.1);
    CHECK_CLOSE(harness_order(xml, "y", "crank-nicolson", 1, 0.01, exact), 2, 0.2);
    CHECK_CLOSE(harness_order(xml, "y", "backward-euler", 1, 0.002, exact), 1, 0.1);
}

/* ---- discontinuities ---- */

/* At its breakpoint a step source is told twice: 0 on the left, 1 on the right; the divider behind
 * it follows at once. */
static void two_sides(void) {
    const char *xml =
        MODEL(GROUND "<step-voltage id='V' p='a' n='0' height='1' delay='0.5'/><resistor id='R1' "
                     "p='a' n='b' R='1'/>"
                     "<resistor id='R2' p='b' n='0' R='3'/><capacitor id='C' p='b' n='0' C='0.1'/>"
                     "<resistor id='R3' p='a' n='c' R='1'/><resistor id='R4' p='c' n='0' R='1'/>");
    static const char *const methods[] = {"crank-nicolson", "backward-euler", "rk4", "tr-bdf2"};
    for (size_t m = 0; m < 4; m++) {
        harness h = harness_run(xml, "a c b", methods[m], 1, 0.1);
        CU_ASSERT(h.status == LINNET_OK);
        int found = 0;
        for (size_t row = 0; row + 1 < h.rows; row++) {
            if (fabs(h.time[row] - 0.5) > 1e-12 || h.time[row + 1] != h.time[row])
                continue;
            const double *left = h.value + 3 * row, *right = left + 3;
            found++;
            CHECK_CLOSE(left[0], 0, 1e-12);
            CHECK_CLOSE(left[1], 0, 1e-12);
            CHECK_CLOSE(right[0], 1, 1e-12);
            CHECK_CLOSE(right[1], 0.5, 1e-12);
            CHECK_CLOSE(right[2], left[2], 1e-12);
        }
        CU_ASSERT_EQUAL(found, 1);
        harness_free(&h);
    }
}

/* Stiff lag after a step: without damping Crank-Nicolson would ring with factor -0.96; two halves
 * of backward Euler leave (1/51)^2 of it. */
static void damped_restart(void) {
    const char *xml = MODEL(GROUND "<step-voltage id='V' p='a' n='0' height='1' "
                                   "delay='1'/><resistor id='R' p='a' n='b' R='1'/>"
                                   "<capacitor id='C' p='b' n='0' C='1e-3'/>");
    harness h = harness_run(xml, "b", "crank-nicolson", 2, 0.1);
    CU_ASSERT(h.status == LINNET_OK);
    CU_ASSERT_EQUAL(h.statistics.damped, 1);
    CHECK_CLOSE(harness_at(&h, 0, 1.1), 1 - 1.0 / (51 * 51), 1e-9);
    CHECK_CLOSE(harness_at(&h, 0, 1.5), 1, 1e-3);
    harness_free(&h);
}

/* 5 V through a diode into an empty capacitor: the junction's current at the start is beyond all
 * measure, the voltage after the first step is not. */
static void violent_start(void) {
    harness h = harness_run(
        MODEL(GROUND
              "<voltage-source id='V' p='a' n='0' V='5'/><diode id='D' p='a' n='b'/>"
              "<capacitor id='C' p='b' n='0' C='1 uF'/><resistor id='R' p='b' n='0' R='1 kOhm'/>"),
        "b", "crank-nicolson", 1e-3, 1e-5);
    CU_ASSERT(h.status == LINNET_OK);
    for (size_t row = 1; row < h.rows; row++)
        CU_ASSERT(h.value[row] > 3.5 && h.value[row] < 5);
    harness_free(&h);
}

/* ---- starts ---- */

static void floating_capacitor(void) {
    /* two capacitors in series with a start of their own, a resistor across one: only v1 decays, v2
     * stays */
    const char *xml = MODEL(GROUND "<capacitor id='C1' p='a' n='b' C='1e-3' v0='2'/><capacitor "
                                   "id='C2' p='b' n='0' C='2e-3' v0='3'/>"
                                   "<resistor id='R' p='a' n='b' R='1000'/>");
    static const char *const methods[] = {"crank-nicolson", "rk4"};
    for (size_t m = 0; m < 2; m++) {
        harness h = harness_run(xml, "a b", methods[m], 1, 1e-3);
        CU_ASSERT(h.status == LINNET_OK);
        CHECK_CLOSE(harness_at(&h, 0, 0), 5, 1e-12);
        CHECK_CLOSE(harness_last(&h, 1), 3, 1e-9);
        CHECK_CLOSE(harness_last(&h, 0), 3 + 2 * exp(-1), 1e-6);
        harness_free(&h);
    }
}

static void contradicting_starts(void) {
    harness_verbose = 0;
    harness h = harness_run(MODEL(GROUND "<capacitor id='C1' p='a' n='0' C='1' v0='5'/><capacitor "
                                         "id='C2' p='a' n='0' C='1' v0='3'/>"
                                         "<resistor id='R' p='a' n='0' R='1'/>"),
                            "a", "crank-nicolson", 1, 0.1);
    CU_ASSERT_EQUAL(h.status, LINNET_MODEL);
    const char *text = ln_report_text(h.report, 0);
    CU_ASSERT(text != NULL && strstr(text, "C1") != NULL && strstr(text, "C2") != NULL);
    harness_free(&h);
    harness_verbose = 1;
}

/* Index 2: a capacitor across a source, whose current is C dV/dt. */
static void capacitor_across_source(void) {
    const char *xml =
        MODEL(GROUND "<sine-voltage id='V' p='a' n='0' amplitude='1' frequency='1'/>"
                     "<capacitor id='C' p='a' n='0' C='2'/><resistor id='R' p='a' n='0' R='1'/>");
    double w = 2 * acos(-1.0);
    for (int k = 0; k < 2; k++) {
        harness h = harness_run(xml, "C.i a", k == 0 ? "crank-nicolson" : "rk4", 1, 1e-3);
        CU_ASSERT(h.status == LINNET_OK);
        CHECK_CLOSE(harness_last(&h, 0), 2 * w, k == 0 ? 1e-3 : 1e-9);
        harness_free(&h);
    }
}

static void operating_points(void) {
    ln_settings settings = {.method = ln_method_find("crank-nicolson"),
                            .end = 1,
                            .step = 0.5,
                            .start = LN_START_OPERATING_POINT};
    /* a bridge of diodes fed by 10 V: two drops in series with 1 kOhm */
    harness h = harness_run_with(
        MODEL(
            GROUND
            "<voltage-source id='V' p='a' n='b' V='10'/><resistor id='Rg' p='b' n='0' R='1 MOhm'/>"
            "<diode id='D1' p='a' n='x'/><diode id='D2' p='b' n='x'/><diode id='D3' p='y' "
            "n='a'/><diode id='D4' p='y' n='b'/>"
            "<resistor id='R' p='x' n='y' R='1 kOhm'/><capacitor id='C' p='x' n='y' C='1 mF'/>"),
        "R.v D1.v D4.v D1.i R.i", settings);
    CU_ASSERT(h.status == LINNET_OK);
    CHECK_CLOSE(harness_at(&h, 0, 0) + harness_at(&h, 1, 0) + harness_at(&h, 2, 0), 10, 1e-9);
    CHECK_CLOSE(harness_at(&h, 3, 0) / harness_at(&h, 4, 0), 1, 1e-2);
    harness_free(&h);
    /* what q' = 0 leaves free keeps its start: the split of two parallel inductors is that of their
     * start values */
    h = harness_run_with(
        MODEL(GROUND
              "<voltage-source id='V' p='a' n='0' V='6'/><resistor id='R' p='a' n='b' R='2'/>"
              "<inductor id='L1' p='b' n='0' L='1'/><inductor id='L2' p='b' n='0' L='2'/>"),
        "L1.i L2.i b", settings);
    CU_ASSERT(h.status == LINNET_OK);
    CHECK_CLOSE(harness_at(&h, 0, 0) + harness_at(&h, 1, 0), 3, 1e-9);
    CHECK_CLOSE(harness_at(&h, 0, 0), 2, 1e-6);
    harness_free(&h);
}

/* ---- economy ---- */

static void one_factorisation(void) {
    const char *xml = MODEL(
        GROUND "<sine-voltage id='V' p='a' n='0' amplitude='1' frequency='50'/>"
               "<resistor id='R' p='a' n='b' R='100'/><capacitor id='C' p='b' n='0' C='10 uF'/>");
    harness h = harness_run(xml, "b", "crank-nicolson", 0.1, 1e-4);
    CU_ASSERT(h.status == LINNET_OK);
    CU_ASSERT_EQUAL(h.statistics.steps, 1000);
    CU_ASSERT_EQUAL(h.statistics.factored, 1);
    CU_ASSERT_EQUAL(h.statistics.refactored, 0);
    /* one step in 32 is sampled for its error */
    CU_ASSERT_EQUAL(h.statistics.solved, 1000 + 1000 / 32);
    harness_free(&h);
}

static unsigned long allocations_seen;
static size_t points_seen, allocations_late;
static linnet_status count_allocations(void *context, ln_side side, const double *x) {
    (void)context, (void)side.t, (void)side.within, (void)x;
    unsigned long now = ln_sys_allocations();
    if (points_seen > 20 && now != allocations_seen)
        allocations_late++;
    allocations_seen = now;
    points_seen++;
    return LINNET_OK;
}

static void no_allocation_between_steps(void) {
    static const char *const methods[] = {
        "crank-nicolson", "backward-euler", "tr-bdf2", "rk4", "euler", "heun"};
    const char *const models[] = {named, loop};
    for (size_t k = 0; k < 2; k++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            /* builds the system */
            harness h = harness_run(models[k], "", methods[m], 1e-9, 1e-9);
            CU_ASSERT_FATAL(h.status == LINNET_OK);
            ln_settings settings = {.method = ln_method_find(methods[m]),
                                    .end = 0.02,
                                    .step = k == 0 && m > 2 ? 2e-6 : 1e-4};
            points_seen = allocations_late = 0;
            ln_watcher watcher = {.accept = count_allocations};
            CU_ASSERT_EQUAL(ln_integrate(h.system, &settings, &watcher, h.report, &h.statistics),
                            LINNET_OK);
            CU_ASSERT(points_seen > 100);
            if (allocations_late > 0)
                printf("\n    %s: %zu steps allocated\n", methods[m], allocations_late);
            CU_ASSERT_EQUAL(allocations_late, 0);
            harness_free(&h);
        }
}

/* The adaptive default: the error follows the tolerance. */
static void adaptive_follows_tolerance(void) {
    const char *xml =
        MODEL("<gain id='g' in='y' out='dy' k='-1'/><integrator id='i' in='dy' out='y' y0='1'/>");
    double before = 1;
    for (double tolerance = 1e-3; tolerance > 1e-8; tolerance /= 100) {
        harness h = harness_run_with(
            xml, "y",
            (ln_settings){.method = ln_method_find("tr-bdf2"), .end = 5, .tolerance = tolerance});
        CU_ASSERT(h.status == LINNET_OK);
        double error = fabs(harness_last(&h, 0) - exp(-5));
        printf("    tolerance %g: error %.2g in %ld steps\n", tolerance, error, h.statistics.steps);
        CU_ASSERT(error < 10 * tolerance && error < before);
        before = error;
        harness_free(&h);
    }
}

/* Steps of exactly one period see a constant source: they must not be taken. */
static void no_aliasing(void) {
    const char *xml =
        MODEL(GROUND
              "<sine-voltage id='V' p='a' n='0' amplitude='5' frequency='50'/>"
              "<resistor id='R' p='a' n='b' R='1 kOhm'/><capacitor id='C' p='b' n='0' C='10 uF'/>");
    static const char *const methods[] = {"radau5", "tr-bdf2"};
    for (size_t m = 0; m < 2; m++) {
        harness h = harness_run_with(
            xml, "b",
            (ln_settings){.method = ln_method_find(methods[m]), .end = 2, .tolerance = 1e-4});
        double w = 100 * acos(-1.0), tau = 0.01, worst = 0;
        for (size_t row = 0; row < h.rows; row++) {
            double t = h.time[row];
            double exact = 5 * (sin(w * t) - w * tau * cos(w * t) + w * tau * exp(-t / tau)) /
                           (1 + w * w * tau * tau);
            worst = fmax(worst, fabs(h.value[row] - exact));
        }
        CU_ASSERT(h.status == LINNET_OK && worst < 5e-3);
        harness_free(&h);
    }
}

UNIT_MAIN({"order of blocks", order_of_blocks}, {"dense and sparse", dense_and_sparse},
          {"orders", orders}, {"order across a corner", order_across_corner},
          {"two sides", two_sides}, {"damped restart", damped_restart},
          {"violent start", violent_start}, {"floating capacitor", floating_capacitor},
          {"contradicting starts", contradicting_starts},
          {"capacitor across a source", capacitor_across_source},
          {"operating points", operating_points}, {"one factorisation", one_factorisation},
          {"no allocation", no_allocation_between_steps}, {"adaptive", adaptive_follows_tolerance},
          {"no aliasing", no_aliasing})
