/* SPDX-License-Identifier: MIT */
/* radau5 against closed forms and against the figures of Hairer's RADAU5 on problems of the
 * Bari/CWI test set: as accurate, in as many steps and factorisations. */
#include "harness.h"
#include "unit.h"

#include <stdlib.h>

#define MODEL(body) "<model xmlns='urn:linnet:model:1'>" body "</model>"

static harness adaptive(const char *xml, const char *signals, const char *method, double end,
                        double tolerance) {
    harness h = harness_run_with(
        xml, signals,
        (ln_settings){
            .method = ln_method_find(method), .end = end, .tolerance = tolerance, .interval = end});
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    return h;
}

static double scd(const harness *h, int count, const double *exact) {
    double worst = 0;
    for (int k = 0; k < count; k++)
        worst = fmax(worst, fabs(harness_last(h, k) / exact[k] - 1));
    return -log10(worst);
}

/* scd, steps and pairs of factorisations of RADAU5 at 1e-4, 1e-7 and 1e-10 */
typedef struct figures {
    double scd;
    long steps, factored;
} figures;

static void as_radau5(const char *name, const char *xml, const char *signals, double end, int count,
                      const double *exact, const figures *published) {
    static const double tolerances[] = {1e-4, 1e-7, 1e-10};
    for (int k = 0; k < 3; k++) {
        harness h = adaptive(xml, signals, "radau5", end, tolerances[k]);
        const ln_statistics *run = &h.statistics;
        double accuracy = scd(&h, count, exact);
        long steps = run->steps + run->rejected, factored = run->factored + run->refactored;
        printf("    %s at %g: scd %.2f (%.2f), steps %ld (%ld), factored %ld (%ld)\n", name,
               tolerances[k], accuracy, published[k].scd, steps, published[k].steps, factored,
               published[k].factored);
        CU_ASSERT(accuracy >= published[k].scd - 0.2);
        CU_ASSERT((double)steps <= 1.1 * (double)published[k].steps);
        CU_ASSERT((double)factored <= 1.1 * (double)published[k].factored);
        harness_free(&h);
    }
}

static void circuit(void) {
    static const char xml[] = MODEL(
        "<ground id='gnd' p='0'/><voltage-source id='V' p='in' n='0' V='1 V'/>"
        "<inductor id='L' p='in' n='out' L='1 mH'/><capacitor id='C' p='out' n='0' C='1 uF'/>"
        "<tolerance signals='out' absolute='0.1 uV'/><tolerance signals='L.i' absolute='0.1 uA'/>");
    const double exact[] = {1.477409638038681, .02778632824803910}; /* 1 - cos, sin/sqrt(L/C) */
    const figures published[] = {{3.43, 1231, 856}, {5.92, 3275, 1411}, {8.42, 10100, 2843}};
    as_radau5("LC, 50 periods", xml, "out L.i", 0.01, 2, exact, published);
}

static void concentrations(void) {
    static const char xml[] = MODEL(
        "<block-type name='hires'><state name='y1' start='1'/><state name='y2'/>"
        "<state name='y3'/><state name='y4'/><state name='y5'/><state name='y6'/><state name='y7'/>"
        "<state name='y8' start='0.0057'/><let name='r' value='280*y6*y8 - 1.81*y7'/>"
        "<equation>der(y1) = -1.71*y1 + 0.43*y2 + 8.32*y3 + 0.0007</equation><equation>der(y2) = "
        "1.71*y1 - 8.75*y2</equation>"
        "<equation>der(y3) = -10.03*y3 + 0.43*y4 + 0.035*y5</equation>"
        "<equation>der(y4) = 8.32*y2 + 1.71*y3 - 1.12*y4</equation><equation>der(y5) = -1.745*y5 + "
        "0.43*(y6 + y7)</equation>"
        "<equation>der(y6) = -280*y6*y8 + 0.69*y4 + 1.71*y5 - 0.43*y6 + 0.69*y7</equation>"
        "<equation>der(y7) = r</equation><equation>der(y8) = -r</equation></block-type><hires "
        "id='h'/>");
    const double exact[] = {7.371312573325668e-04, 1.442485726316185e-04, 5.888729740967575e-05,
                            1.175651343283149e-03, 2.386356198831330e-03, 6.238968252742796e-03,
                            2.849998395185769e-03, 2.850001604814231e-03};
    const figures published[] = {{3.19, 51, 46}, {5.97, 132, 86}, {8.40, 385, 184}};
    as_radau5("HIRES", xml, "h.y1 h.y2 h.y3 h.y4 h.y5 h.y6 h.y7 h.y8", 321.8122, 8, exact,
              published);
}

/* An unknown that is not stored does not set the step unless the model gives it a tolerance; either
 * way it is solved for to the tolerance. w is a thousand times more sensitive than what it follows
 * from. */
static void judged(void) {
    static const char format[] = MODEL(
        "<block-type name='a'><state name='y' start='1' absolute='1e-4'/><variable name='w' %s/>"
        "<equation>der(y) = -y - y^3</equation><equation>w = 1000*(y - 1) + "
        "0.1*y^2</equation></block-type><a id='s'/>");
    char xml[2][400];
    long steps[2];
    double y = 1 / sqrt(2 * exp(2) - 1);
    for (int k = 0; k < 2; k++) {
        snprintf(xml[k], sizeof xml[k], format, k ? "absolute='1e-4'" : "");
        harness h = adaptive(xml[k], "s.y s.w", "radau5", 1, 1e-6);
        CHECK_CLOSE(harness_last(&h, 0), y, 1e-5);
        CHECK_CLOSE(harness_last(&h, 1),
                    1000 * (harness_last(&h, 0) - 1) + 0.1 * pow(harness_last(&h, 0), 2), 1e-5);
        steps[k] = h.statistics.steps;
        harness_free(&h);
    }
    CU_ASSERT(steps[1] > steps[0]);
}

/* ---- counts ---- */

/* A trial of radau5 is a pair of solutions an iteration and one for its estimate (two after a
 * rejection), with at most one pair of factorisations; its residual is evaluated at three stages an
 * iteration, the right-hand side at each new point. A look between its nodes is an evaluation and
 * two solutions. */
static void counts_of_radau5(void) {
    static const char xml[] =
        MODEL("<block-type name='swing'><state name='x' start='1'/><state name='v'/>"
              "<equation>der(x) = v</equation><equation>der(v) = -x</equation></block-type><swing "
              "id='s'/>");
    harness h = adaptive(xml, "s.x", "radau5", 20, 1e-6);
    const ln_statistics *run = &h.statistics;
    long trials = run->steps + run->rejected, factored = run->factored + run->refactored;
    CHECK_CLOSE(harness_last(&h, 0), cos(20), 1e-5);
    /* second estimates, each with an evaluation and a solution, and looks between nodes */
    const long solved = run->solved - run->newton - trials;
    const long evaluated = run->evaluations - 3 * run->newton - run->steps - 1;
    const long looks = solved - evaluated, again = evaluated - looks;
    CU_ASSERT(run->newton >= trials && run->newton <= 2 * trials);
    CU_ASSERT(again >= 0 && again <= run->rejected + 1);
    CU_ASSERT(factored > 0 && factored <= trials);
    CU_ASSERT(looks >= 0 && looks <= run->steps);
    harness_free(&h);
}

/* Every implicit method counts its evaluations and factorisations, linear or not. */
static void counts_of_all(void) {
    static const char *const methods[] = {"backward-euler", "crank-nicolson", "tr-bdf2",
                                          "bdf2",           "radau5",         "ida"};
    static const char *const models[] = {
        MODEL("<block-type name='a'><state name='y' start='1'/><equation>der(y) = "
              "-y</equation></block-type><a id='s'/>"),
        MODEL("<block-type name='a'><state name='y' start='1'/><equation>der(y) = "
              "-y^3</equation></block-type><a id='s'/>")};
    for (size_t k = 0; k < 2 * sizeof methods / sizeof *methods; k++) {
        harness h = adaptive(models[k % 2], "s.y", methods[k / 2], 1, 1e-4);
        const ln_statistics *run = &h.statistics;
        long factored = run->factored + run->refactored;
        CHECK_CLOSE(harness_last(&h, 0), k % 2 ? 1 / sqrt(3) : exp(-1), 1e-2);
        CU_ASSERT(run->evaluations >= run->newton && run->newton >= run->steps);
        CU_ASSERT(run->solved >= run->newton && factored > 0 && factored <= run->solved);
        harness_free(&h);
    }
}

/* A pressure of 2 Pa beside one of 1e7 follows from masses to eight digits only: no iteration gets
 * closer. */
static void rounding(void) {
    static const char xml[] =
        MODEL("<vacuum id='z' p='t'/><flow-source id='F' p='t' n='a' flow='0.17'/>"
              "<relief-valve id='v' p='a' n='t' A='5e-5' crack='1e7' full='1.1e7'/><sine id='s' "
              "out='u' amplitude='1' frequency='0.5'/>"
              "<directional-valve id='dv' supply='a' tank='t' a='ca' b='cb' in='u' A='2e-5' "
              "overlap='0.05'/>"
              "<cylinder id='x' a='ca' b='cb' rod='rod' A_a='2e-3' A_b='1.2e-3' stroke='0.05' "
              "x0='0.01' p0_a='1e5' p0_b='1e5'/>"
              "<fluid-volume id='fv' p='a' V='1e-4'/><mass id='m' p='rod' m='100'/><dry-friction "
              "id='f' p='rod' F='500' peak='1.2'/>");
    harness coarse = adaptive(xml, "a cb", "radau5", 1, 1e-6),
            fine = adaptive(xml, "a cb", "radau5", 1, 1e-10);
    CHECK_CLOSE(harness_last(&coarse, 0) / harness_last(&fine, 0), 1, 1e-5);
    CU_ASSERT(fabs(harness_last(&fine, 1)) < 100 && harness_last(&fine, 0) > 1e7);
    harness_free(&coarse);
    harness_free(&fine);
}

/* A mesh of side x side nodes behind a source of five periods, tau about a tenth of one. */
static char *mesh_of(int side) {
    const size_t room = 400 * (size_t)side * (size_t)side;
    char *xml = malloc(room);
    size_t length = 0;
    if (xml == NULL)
        return NULL;
#define ADD(...) length += (size_t)snprintf(xml + length, room - length, __VA_ARGS__)
    ADD("<model xmlns='urn:linnet:model:1'><ground id='g' p='0'/><sine-voltage id='V' p='in' n='0' "
        "amplitude='1 V' frequency='5'/><resistor id='R' p='in' n='n0_0' R='1'/>");
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            ADD("<capacitor id='C%d_%d' p='n%d_%d' n='0' C='%g'/>", i, j, i, j,
                0.02 / (side * side));
            if (i > 0)
                ADD("<resistor id='A%d_%d' p='n%d_%d' n='n%d_%d' R='1'/>", i, j, i - 1, j, i, j);
            if (j > 0)
                ADD("<resistor id='B%d_%d' p='n%d_%d' n='n%d_%d' R='1'/>", i, j, i, j - 1, i, j);
        }
    ADD("</model>");
#undef ADD
    return xml;
}

/* Where factors fill, steps come from a ladder of sizes and meet their factorisations again; in a
 * chain, whose factorisation costs as little as a step, they do not. */
static void kept_factorisations(void) {
    char *xml = mesh_of(16);
    CU_ASSERT_FATAL(xml != NULL);
    harness coarse = adaptive(xml, "n15_15 n3_8", "radau5", 1.03, 1e-4),
            fine = adaptive(xml, "n15_15 n3_8", "radau5", 1.03, 1e-8);
    const ln_statistics *run = &coarse.statistics;
    printf("    %ld steps, %ld factored\n", run->steps + run->rejected,
           run->factored + run->refactored);
    CU_ASSERT(run->steps > 60 && 3 * (run->factored + run->refactored) < run->steps);
    for (int k = 0; k < 2; k++)
        CHECK_CLOSE(harness_last(&coarse, k), harness_last(&fine, k), 1e-4);
    harness_free(&coarse);
    harness_free(&fine);
    /* a largest step that is none of the ladder's is taken as it is: 100 and the few of the start,
     * where the next rung below would make 113 */
    coarse = harness_run_with(xml, "n3_8",
                              (ln_settings){.method = ln_method_find("radau5"),
                                            .end = 1,
                                            .tolerance = 0.1,
                                            .step = 0.01,
                                            .interval = 1});
    printf("    %ld steps\n", coarse.statistics.steps);
    CU_ASSERT(coarse.statistics.steps < 106);
    CHECK_CLOSE(coarse.statistics.largest, 0.01, 1e-12);
    harness_free(&coarse);
    free(xml);
}

/* Index 3 behind a combination of rows (w from the first and the derivative of the second, x = v =
 * -2 w'): x = -3 sin t. No step was short enough while the derivative in the combination was not
 * counted. */
static void index_behind_a_combination(void) {
    static const char xml[] =
        "<model xmlns='urn:linnet:model:1'><block-type name='F'><variable name='x'/><variable "
        "name='y'/><variable name='w'/><variable name='v'/><equation>3*der(x) + 3*der(y) + w = "
        "0</equation><equation>2*x + 2*y = sin(t)</equation><equation>2*der(w) + v = "
        "0</equation><equation>v = x</equation></block-type><F id='f'/></model>";
    harness h = harness_run_with(
        xml, "f.x f.w",
        (ln_settings){.method = ln_method_find("radau5"), .end = 1, .tolerance = 1e-4});
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    CHECK_CLOSE(harness_last(&h, 0), -3 * sin(1), 1e-6);
    CHECK_CLOSE(harness_last(&h, 1), -1.5 * cos(1), 1e-6);
    harness_free(&h);
}

UNIT_MAIN({"index behind a combination", index_behind_a_combination},
          {"LC circuit as RADAU5", circuit}, {"HIRES as RADAU5", concentrations},
          {"kept factorisations", kept_factorisations}, {"what rounding leaves", rounding},
          {"what is judged", judged}, {"counts of radau5", counts_of_radau5},
          {"counts of all", counts_of_all})
