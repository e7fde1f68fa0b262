/* SPDX-License-Identifier: MIT */
/* The stiff examples: the default method solves every one, and better than IDA does; orders of
 * convergence and what is left of them on a stiff problem; the fixed-step figures of the problem
 * notes (scd at so many steps), rk4's limit on HIRES; absolute tolerances count. `make check-long`
 * prints the whole table, all methods. */
#include "stiff_kit.h"

static const char *const method_by_default = "radau5";

/* ---- the default method ---- */

/* Radau IIA judges by 0.1 tolerance^(2/3), as its order is 5 and its estimate's 3. On the problem
 * of Prothero and Robinson, where its order is 3 (below), it has no more than that, 2e-6 at 1e-7;
 * IDA has twelve digits. */
static int is_reduced(const stiff_problem *problem) {
    return strcmp(problem->name, "prothero-robinson") == 0;
}

static void default_solves_all(void) {
    static const double tolerances[] = {1e-4, 1e-7};
    static const double least_of_the_reduced[] = {4, 5.6};
    for (size_t p = 0; p < STIFF_PROBLEMS; p++) {
        const stiff_problem *problem = &stiff_problems[p];
        for (int k = 0; k < 2; k++) {
            stiff_score ours = stiff_run(problem, method_by_default, tolerances[k], 0, 100000),
                        ida = {.failed = 1};
            int is_compared =
                strcmp(problem->name, "car-axis") != 0 && strcmp(problem->name, "beam") != 0;
            if (is_compared)
                ida = stiff_run(problem, "ida", tolerances[k], 0, 100000);
            printf("    %s at %g: scd %.2f in %ld steps; ida %.2f in %ld\n", problem->name,
                   tolerances[k], ours.scd, ours.statistics.steps, ida.scd, ida.statistics.steps);
            CU_ASSERT(!ours.failed);
            CU_ASSERT(!is_compared || !ida.failed);
            double least = is_reduced(problem) ? least_of_the_reduced[k]
                           : is_compared       ? ida.scd - 1.5
                                               : 0;
            CU_ASSERT(ours.scd > least);
        }
    }
}

/* What Hairer's RADAU5 and, for the beam, IDA reach [measured for the problem notes], less half a
 * digit. */
static void accuracy_of_the_references(void) {
    static const struct {
        const char *name;
        double at_4, at_7;
    } figures[] = {{"robertson", 1.94, 4.87},
                   {"hires", 3.19, 5.97},
                   {"van-der-pol-scaled", 5.14, 8.37},
                   {"van-der-pol", 3.52, 6.34},
                   {"transistor-amplifier", 4.39, 6.80},
                   {"chemical-akzo", 3.92, 6.25},
                   {"pleiades", 2.01, 4.52},
                   {"beam", 2.48, 5.55},
                   {"rlc-ringing", 3.64, 6.07},
                   {"rlc-creeping", 9.14, 10.39},
                   {"lc-50-periods", 3.43, 5.92},
                   {"car-axis", 0.19, 3.0}};
    for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
        const stiff_problem *problem = stiff_find(figures[k].name);
        CU_ASSERT(stiff_run(problem, method_by_default, 1e-4, 0, 100000).scd >
                  figures[k].at_4 - 0.5);
        CU_ASSERT(stiff_run(problem, method_by_default, 1e-7, 0, 100000).scd >
                  figures[k].at_7 - 0.5);
    }
}

/* The methods of low order keep loose tolerances on everything of index 1 that is not chaotic or of
 * fifty periods. Crank-Nicolson does not damp: did it not see what rings below the tolerance,
 * Robertson's reactions would end below zero. */
static void low_orders(void) {
    static const char *const methods[] = {"tr-bdf2", "bdf2", "crank-nicolson"};
    static const char *const names[] = {
        "robertson",     "hires",        "van-der-pol",       "transistor-amplifier",
        "chemical-akzo", "rlc-creeping", "prothero-robinson", "detest-a2",
        "detest-c1",     "detest-c2-c5"};
    for (size_t m = 0; m < 3; m++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            stiff_score score = stiff_run(stiff_find(names[k]), methods[m], 1e-5, 0, 100000);
            CU_ASSERT(score.scd > 2.3);
            if (!(score.scd > 2.3))
                printf("    %s by %s: scd %.2f\n", names[k], methods[m], score.scd);
        }
}

/* ---- orders ---- */

/* Lorenz's equations are smooth and nonlinear: digits gained over the growth of the number of
 * steps. */
static void order_of_radau5(void) {
    const stiff_problem *lorenz = stiff_find("lorenz");
    stiff_score coarse = stiff_run(lorenz, "radau5", 1e-5, 0, 0),
                fine = stiff_run(lorenz, "radau5", 1e-9, 0, 0);
    double order = (fine.scd - coarse.scd) /
                   log10((double)fine.statistics.steps / (double)coarse.statistics.steps);
    printf("    radau5 on Lorenz's equations: order %.2f\n", order);
    CHECK_CLOSE(order, 5, 0.06);
}

/* Largest error against cos t with steps of h. radau5 is held at h by a tolerance that never
 * rejects. */
static double prothero_robinson_error(const char *method, double L, double h) {
    char xml[400];
    double worst = 0;
    int adaptive = strcmp(method, "radau5") == 0;
    snprintf(
        xml, sizeof xml,
        "<model xmlns='urn:linnet:model:1'><block-type name='pr'><state name='y' start='1'/>"
        "<equation>der(y) = %g*(y - cos(t)) - sin(t)</equation></block-type><pr id='p'/></model>",
        L);
    harness run = harness_run_with(xml, "p.y",
                                   (ln_settings){.method = ln_method_find(method),
                                                 .end = 10,
                                                 .step = h,
                                                 .tolerance = adaptive ? 0.5 : 0});
    for (size_t row = 0; row < run.rows; row++)
        worst = fmax(worst, fabs(run.value[row] - cos(run.time[row])));
    /* its first step has order 1 */
    if (strcmp(method, "bdf2") == 0)
        worst = fabs(harness_last(&run, 0) - cos(10));
    CU_ASSERT_EQUAL(run.status, LINNET_OK);
    harness_free(&run);
    return worst;
}

/* y' = L (y - cos t) - sin t. Far into stiffness a method is left with its stage order [Hairer,
 * Wanner II, IV.15]: one-stage methods and TR-BDF2, whose stages have the order of the whole, keep
 * theirs; Radau IIA falls from 5 to 3. */
static void order_on_prothero_robinson(void) {
    static const struct {
        const char *method;
        double smooth, stiff;
    } orders[] = {{"backward-euler", 1, 1},
                  {"crank-nicolson", 2, 2},
                  {"tr-bdf2", 2, 2},
                  {"bdf2", 2, 2},
                  {"radau5", 5, 3}};
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        const char *method = orders[k].method;
        double smooth = log2(prothero_robinson_error(method, -1, 0.1) /
                             prothero_robinson_error(method, -1, 0.05));
        double stiff = log2(prothero_robinson_error(method, -1e4, 0.1) /
                            prothero_robinson_error(method, -1e4, 0.05));
        printf("    %s: order %.2f at L = -1, %.2f at L = -1e4\n", method, smooth, stiff);
        CU_ASSERT(fabs(smooth - orders[k].smooth) < 0.25);
        CU_ASSERT(fabs(stiff - orders[k].stiff) < 0.25);
    }
}

/* ---- index 2 and 3 ---- */

#define PENDULUM(more, push, constraint)                                                           \
    "<model xmlns='urn:linnet:model:1'><block-type name='pendulum'><state name='x' "               \
    "start='1'/><state name='y'/>"                                                                 \
    "<state name='u'/><state name='v'/><variable name='T'/>" more "<equation>der(x) = u" push      \
    "*x</equation>"                                                                                \
    "<equation>der(y) = v" push "*y</equation><equation>der(u) = -T*x</equation><equation>der(v) " \
    "= -T*y - 9.81</equation>" constraint "</block-type><pendulum id='p'/></model>"

/* A pendulum that starts level: the length, the speed along it, both (stabilised after Gear, Gupta
 * and Leimkuhler), or the force as the constraint; the last is the reference. The level start is a
 * special point, where the index of v is hidden. */
static void pendulums(void) {
    static const char *const forms[] = {
        PENDULUM("", " - 0", "<equation>u^2 + v^2 - 9.81*y = T*(x^2 + y^2)</equation>"),
        PENDULUM("", " - 0", "<equation>x*u + y*v = 0</equation>"),
        PENDULUM("<variable name='m'/>", " - m",
                 "<equation>x^2 + y^2 = 1</equation><equation>x*u + y*v = 0</equation>"),
        PENDULUM("", " - 0", "<equation>x^2 + y^2 = 1</equation>")};
    static const char *const methods[] = {"radau5", "ida", "tr-bdf2", "bdf2"};
    harness exact = harness_run_with(
        forms[0], "p.x p.y",
        (ln_settings){.method = ln_method_find("radau5"), .end = 2, .tolerance = 1e-11});
    for (size_t m = 0; m < 4; m++)
        for (size_t form = 1; form < 4; form++)
            for (double tolerance = 1e-4; tolerance > 5e-7; tolerance /= 10) {
                harness h = harness_run_with(forms[form], "p.x p.y",
                                             (ln_settings){.method = ln_method_find(methods[m]),
                                                           .end = 2,
                                                           .tolerance = tolerance,
                                                           .max_steps = 20000});
                double error = hypot(harness_last(&h, 0) - harness_last(&exact, 0),
                                     harness_last(&h, 1) - harness_last(&exact, 1));
                CU_ASSERT_EQUAL(h.status, LINNET_OK);
                /* of high order, of order 2 */
                double most = m < 2 ? 300 * tolerance : 10 * pow(tolerance, 2.0 / 3);
                CU_ASSERT(error < most);
                if (!(error < most))
                    printf("    form %zu by %s at %g: %g\n", form, methods[m], tolerance, error);
                harness_free(&h);
            }
    harness_free(&exact);
}

/* A slider-crank, driven, whose slide starts at rest though the crank turns: the start is
 * projected, and rounding of the length alone moves the rod's force by more than any tolerance
 * there. */
static void slider_crank(void) {
    static const char xml[] =
        "<model xmlns='urn:linnet:model:1'><block-type name='crank'><parameter name='s0'/><state "
        "name='a' start='0.5'/>"
        "<state name='s' start='s0'/><state name='w' start='2'/><state name='v'/><variable "
        "name='L'/>"
        "<equation>der(a) = w</equation><equation>der(s) = v</equation><equation>0.1*der(w) = 1 - "
        "L*(-(0.5*cos(a) - s)*sin(a) "
        "+ 0.5*sin(a)*cos(a))</equation><equation>der(v) = -0.5*v + 2*L*(0.5*cos(a) - s)</equation>"
        "<equation>(0.5*cos(a) - s)^2 + 0.25*sin(a)^2 = 1</equation></block-type>"
        "<crank id='c' s0='0.5*cos(0.5) + sqrt(1 - 0.25*sin(0.5)^2)'/></model>";
    static const struct {
        const char *method;
        double tolerance, error;
    } runs[] = {{"radau5", 1e-4, 0.02},
                {"radau5", 1e-7, 1e-3},
                {"tr-bdf2", 1e-7, 0.03},
                {"bdf2", 1e-7, 0.05}};
    harness exact = harness_run_with(
        xml, "c.a", (ln_settings){.method = ln_method_find("radau5"), .end = 5, .tolerance = 1e-9});
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        harness h = harness_run_with(xml, "c.a",
                                     (ln_settings){.method = ln_method_find(runs[k].method),
                                                   .end = 5,
                                                   .tolerance = runs[k].tolerance,
                                                   .max_steps = 20000});
        double error = fabs(harness_last(&h, 0) - harness_last(&exact, 0));
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CU_ASSERT(error < runs[k].error);
        if (!(error < runs[k].error))
            printf("    crank by %s at %g: %g\n", runs[k].method, runs[k].tolerance, error);
        harness_free(&h);
    }
    harness_free(&exact);
}

/* A bridge rectifier whose junctions are picofarads in a loop with the source (index 2), and whose
 * output hangs on the ground by a megohm and 100 uF: rounding alone moves it by 1e-8 V. */
static void bridge(void) {
    static const char xml[] = "<model xmlns='urn:linnet:model:1'><ground id='g' "
                              "p='0'/><sine-voltage id='V' p='a' n='b' amplitude='10 V' "
                              "frequency='50 Hz'/><resistor id='Rg' p='b' n='0' R='1 MOhm'/><diode "
                              "id='D1' p='a' n='o'/><diode id='D2' p='b' "
                              "n='o'/><diode id='D3' p='m' n='a'/><diode id='D4' p='m' "
                              "n='b'/><capacitor id='c1' p='a' n='o' C='1 pF'/>"
                              "<capacitor id='c2' p='b' n='o' C='1 pF'/><capacitor id='c3' p='m' "
                              "n='a' C='1 pF'/><capacitor id='c4' p='m' n='b' "
                              "C='1 pF'/><capacitor id='C' p='o' n='m' C='100 uF'/><resistor "
                              "id='R' p='o' n='m' R='1 kOhm'/></model>";
    static const char *const methods[] = {"radau5",         "ida",           "tr-bdf2", "bdf2",
                                          "crank-nicolson", "backward-euler"};
    double exact = NAN;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        harness h = harness_run_with(xml, "o m",
                                     (ln_settings){.method = ln_method_find(methods[m]),
                                                   .end = 0.1,
                                                   .tolerance = 1e-4,
                                                   .max_steps = 20000});
        double voltage = harness_last(&h, 0) - harness_last(&h, 1);
        if (m == 0)
            exact = voltage;
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CU_ASSERT(fabs(voltage - exact) < 1e-3 * exact);
        if (!(fabs(voltage - exact) < 1e-3 * exact))
            printf("    bridge by %s: %.9g V\n", methods[m], voltage);
        harness_free(&h);
    }
}

/* A rectifier with snubbers straight on its source and a coil behind: over microseconds the coil's
 * potential looks like one of index 3, and is none. */
static void snubber(void) {
    static const char xml[] = "<model xmlns='urn:linnet:model:1'><ground id='g' "
                              "p='0'/><sine-voltage id='V' p='a' n='0' amplitude='300 V' "
                              "frequency='50 Hz'/><capacitor id='C0' p='a' n='0' C='10 "
                              "pF'/><capacitor id='Cs' p='a' n='b' C='100 pF'/>"
                              "<diode id='D' p='a' n='b'/><inductor id='L' p='b' n='c' L='1 "
                              "uH'/><capacitor id='C' p='c' n='0' C='470 uF'/>"
                              "<resistor id='R' p='c' n='0' R='100 Ohm'/></model>";
    static const char *const methods[] = {"radau5", "ida", "tr-bdf2"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        harness h = harness_run_with(xml, "c",
                                     (ln_settings){.method = ln_method_find(methods[m]),
                                                   .end = 0.06,
                                                   .tolerance = 1e-4,
                                                   .max_steps = 20000});
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_last(&h, 0), 217.960313, 1e-4); /* radau5 and ida at 1e-7 */
        harness_free(&h);
    }
}

/* ---- fixed steps ---- */

/* hires and the transistor amplifier are in test_networks. */
static void fixed_steps(void) {
    static const struct {
        const char *name, *method;
        int steps;
        double scd;
    } figures[] = {{"robertson", "backward-euler", 1000, 1.98},
                   {"robertson", "backward-euler", 10000, 2.92},
                   {"robertson", "backward-euler", 100000, 3.86},
                   {"beam", "backward-euler", 1000, 1.94},
                   {"beam", "backward-euler", 10000, 2.56},
                   {"beam", "crank-nicolson", 1000, 3.10},
                   {"beam", "crank-nicolson", 10000, 5.06},
                   {"lc-50-periods", "backward-euler", 100000, 0.41},
                   {"lc-50-periods", "crank-nicolson", 10000, 1.80},
                   {"lc-50-periods", "crank-nicolson", 100000, 3.80},
                   {"lc-50-periods", "rk4", 10000, 5.80},
                   {"lc-50-periods", "rk4", 100000, 9.80},
                   {"pleiades", "crank-nicolson", 10000, 0.75},
                   {"pleiades", "rk4", 10000, 3.07},
                   {"pleiades", "rk4", 100000, 7.36}};
    for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
        const stiff_problem *problem = stiff_find(figures[k].name);
        double scd =
            stiff_run(problem, figures[k].method, 0, problem->end / figures[k].steps, 0).scd;
        printf("    %s, %s, %d steps: scd %.2f (%.2f)\n", figures[k].name, figures[k].method,
               figures[k].steps, scd, figures[k].scd);
        CU_ASSERT(scd > figures[k].scd - 0.01);
    }
}

/* rk4 on HIRES is stable from 24 500 steps on. Beyond that the run tells a sampled error of the
 * size of the solution, or ends with a message; no value that is not finite is ever told. */
static void limit_of_rk4(void) {
    const stiff_problem *hires = stiff_find("hires");
    stiff_score stable = stiff_run(hires, "rk4", 0, hires->end / 25000, 0);
    CU_ASSERT(stable.scd > 9);
    CU_ASSERT(stable.statistics.local_error < 1e-4);
    stiff_score unstable = stiff_run(hires, "rk4", 0, hires->end / 20000, 0);
    CU_ASSERT(unstable.statistics.local_error > 0.1);
    harness_verbose = 0;
    stiff_score wild = stiff_run(hires, "rk4", 0, hires->end / 10000, 0);
    harness_verbose = 1;
    CU_ASSERT_EQUAL(wild.status, LINNET_FAILED);
    CU_ASSERT(isfinite(wild.statistics.t) && wild.statistics.t < 5);
}

/* ---- absolute tolerances ---- */

#define DECAY(attribute, element)                                                 \
    "<model xmlns='urn:linnet:model:1'><block-type name='decay'><state name='y' " \
    "start='1' " attribute "/>"                                                   \
    "<equation>der(y) = -y</equation></block-type><decay id='d'/>" element "</model>"

static long steps_of(const char *xml) {
    harness h = harness_run_with(
        xml, "d.y",
        (ln_settings){.method = ln_method_find("tr-bdf2"), .end = 20, .tolerance = 1e-4});
    long steps = h.statistics.steps;
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    harness_free(&h);
    return steps;
}

/* While y decays to 2e-9 the relative tolerance would go on asking for steps; the absolute one says
 * when it is enough, on the state or in the model, and the model has the last word. */
static void absolute_tolerances(void) {
    long fine = steps_of(DECAY("absolute='1e-13'", "")), plain = steps_of(DECAY("", "")),
         coarse = steps_of(DECAY("absolute='1e-4'", ""));
    printf("    steps at an absolute tolerance of 1e-13, by default, of 1e-4: %ld, %ld, %ld\n",
           fine, plain, coarse);
    CU_ASSERT(fine > 3 * plain / 2 && plain > coarse);
    CU_ASSERT_EQUAL(steps_of(DECAY("", "<tolerance signals='d.y' absolute='1e-4'/>")), coarse);
    CU_ASSERT_EQUAL(
        steps_of(DECAY("absolute='1e-4'", "<tolerance signals='d.*' absolute='1e-13'/>")), fine);
}

UNIT_MAIN({"the default method solves all", default_solves_all},
          {"accuracy of the references", accuracy_of_the_references},
          {"methods of low order", low_orders}, {"order of radau5", order_of_radau5},
          {"orders on Prothero-Robinson", order_on_prothero_robinson}, {"pendulums", pendulums},
          {"slider-crank", slider_crank}, {"bridge", bridge}, {"snubber", snubber},
          {"fixed steps", fixed_steps}, {"limit of rk4", limit_of_rk4},
          {"absolute tolerances", absolute_tolerances})
