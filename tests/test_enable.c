/* SPDX-License-Identifier: MIT */
/* Enabled components: states that stand still, outputs that hold or go to zero, gates within gates,
 * samples that pass. */
#include "harness.h"
#include "unit.h"

#define MODEL(body)                                                                  \
    "<model name='m' xmlns='urn:linnet:model:1'>"                                    \
    "<component name='inside'><input name='u'/><output name='y'/><output name='g'/>" \
    "<integrator id='I' in='u' out='y' y0='1'/><gain id='G' in='u' k='2' "           \
    "out='g'/></component>" body "<simulation duration='3'/></model>"
/* The gate is 1, 0 from 1 s on, 1 from 2 s on. */
#define GATE                                                                                    \
    "<step id='a' delay='1' offset='1' height='-1' out='ga'/><step id='b' delay='2' out='gb'/>" \
    "<sum id='s' in='ga gb' out='gate'/><ramp id='r' slope='1' out='u'/>"

static const char *const methods[] = {"rk4", "crank-nicolson", "radau5"};
enum { METHODS = sizeof methods / sizeof *methods };

static char said[1024];
static void listen(void *context, ln_severity severity, ln_place place, const char *text) {
    (void)context, (void)severity;
    if (said[0] == '\0')
        snprintf(said, sizeof said, "%d: %s", place.line, text);
}

static void says(const char *xml, const char *expected) {
    ln_report *report = ln_report_new(listen, NULL);
    ln_model *model = NULL;
    ln_network *network = NULL;
    said[0] = '\0';
    if (ln_model_read_memory("m.xml", xml, strlen(xml), NULL, report, &model) == LINNET_OK)
        CU_ASSERT_EQUAL(harness_build(model, report, &network), LINNET_MODEL);
    if (strstr(said, expected) == NULL)
        fprintf(stderr, "said: %s\n", said);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, expected));
    ln_network_free(network);
    ln_model_free(model);
    ln_report_free(report);
}

/* y = 1 + t^2/2 until 1 s, 1.5 until 2 s, then 1.5 + (t^2 - 4)/2, or from 1 again. Implicit fixed
 * steps are damped behind each corner, which costs them h^2/4. */
static void test_frozen(void) {
    for (int m = 0; m < METHODS; m++) {
        const double tolerance = m == 0 ? 1e-12 : 1e-4;
        harness h = harness_run(MODEL(GATE "<inside id='X' u='u' y='y' g='g' enable='gate'/>"
                                           "<inside id='Z' u='u' y='y2' g='g2' enable='gate' "
                                           "states='reset' outputs='reset'/>"),
                                "y g y2 g2", methods[m], 3, 0.01);
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_at(&h, 0, 0.5), 1.125, tolerance);
        CHECK_CLOSE(harness_at(&h, 0, 1.5), 1.5, tolerance);
        CHECK_CLOSE(harness_at(&h, 0, 3), 4, tolerance);
        CHECK_CLOSE(harness_at(&h, 1, 0.5), 1, 1e-12);
        CHECK_CLOSE(harness_at(&h, 1, 1.5), 2, 1e-12); /* held as it was at 1 s */
        CHECK_CLOSE(harness_at(&h, 1, 2.5), 5, 1e-12);
        CHECK_CLOSE(harness_at(&h, 2, 1.5), 0, 1e-12);
        CHECK_CLOSE(harness_at(&h, 2, 3), 3.5, tolerance);
        CHECK_CLOSE(harness_at(&h, 3, 1.5), 0, 1e-12);
        CHECK_CLOSE(harness_at(&h, 3, 2.5), 5, 1e-12);
        harness_free(&h);
    }
}

/* cos t falls through 1/2 at pi/3: the integral of 1 stays at pi/3. The instant is told twice. */
static void test_crossing(void) {
    for (int m = 0; m < METHODS; m++) {
        harness h =
            harness_run(MODEL("<sine id='c' frequency='1/(2*pi)' phase='pi/2' "
                              "out='gate'/><constant id='one' value='1' out='u'/>"
                              "<inside id='X' u='u' y='y' g='g' enable='gate' outputs='reset'/>"
                              "<inside id='Z' u='u' y='y2' g='g2' enable='gate'/>"),
                        "y2 g", methods[m], 3, m == 1 ? 1e-3 : 0.01);
        int twice = 0;
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_last(&h, 0), 1 + acos(-1) / 3, m == 1 ? 1e-6 : 1e-11);
        for (size_t k = 1; k < h.rows; k++)
            if (h.time[k] == h.time[k - 1] && h.value[2 * k - 1] == 2 && h.value[2 * k + 1] == 0)
                twice++;
        CU_ASSERT_EQUAL(twice, 1);
        harness_free(&h);
    }
}

/* On where the parent (1 below 2 s) and the child (on from 1 s on) are: the integral of 1 over one
 * second. Named by an own gate of a block, and with outputs of the parent's choice. */
static void test_parent_and_child(void) {
    for (int m = 0; m < METHODS; m++) {
        harness h = harness_run(MODEL("<component name='outer'><input name='u'/><input "
                                      "name='on'/><output name='y'/><output name='z'/>"
                                      "<inside id='C' u='u' y='y' g='g' enable='on'/>"
                                      "<integrator id='J' in='u' out='z'/></component>"
                                      "<step id='a' delay='2' offset='1' height='-1' "
                                      "out='ga'/><step id='b' delay='1' out='gb'/>"
                                      "<constant id='one' value='1' out='u'/>"
                                      "<outer id='P' u='u' on='gb' y='y' z='z' enable='ga'/>"
                                      "<integrator id='K' in='u' out='k' enable='gb'/>"),
                                "y z k P.g", methods[m], 3, 0.01);
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_at(&h, 0, 0.5), 1, 1e-12);
        CHECK_CLOSE(harness_last(&h, 0), 2, 1e-11);
        CHECK_CLOSE(harness_last(&h, 1), 2, 1e-11);
        CHECK_CLOSE(harness_last(&h, 2), 2, 1e-11);
        CHECK_CLOSE(harness_at(&h, 3, 0.5), 0, 1e-12); /* off from the start on */
        CHECK_CLOSE(harness_last(&h, 3), 2, 1e-12);
        harness_free(&h);
    }
}

/* The parent is off from 1 s to 2 s and holds; the children reset. One is off from 0.5 to 1.2 and
 * from 1.5 to 2.5 s, the other from 1.3 to 1.6 s only: while the parent is off neither moves
 * anything, and states begin anew when all is on again. */
static void test_reset_within_hold(void) {
    for (int m = 0; m < METHODS; m++) {
        const double tolerance = m == 0 ? 1e-9 : 1e-4;
        harness h = harness_run(
            MODEL(GATE "<component name='outer'><input name='u'/><input name='on'/><output "
                       "name='y'/><output name='g'/>"
                       "<inside id='C' u='u' y='y' g='g' enable='on' states='reset' "
                       "outputs='reset'/></component>"
                       "<time-table id='p' out='pa' method='previous' points='0 1; 0.5 0; 1.2 1; "
                       "1.5 0; 2.5 1'/>"
                       "<time-table id='q' out='pb' method='previous' points='0 1; 1.3 0; 1.6 1'/>"
                       "<outer id='A' u='u' on='pa' y='ya' g='ga2' enable='gate'/>"
                       "<outer id='B' u='u' on='pb' y='yb' g='gb2' enable='gate'/>"),
            "ya ga2 yb gb2", methods[m], 3, 0.01);
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_at(&h, 0, 0.8), 0, 1e-12);
        CHECK_CLOSE(harness_at(&h, 1, 1.3), 0, 1e-12);
        CHECK_CLOSE(harness_at(&h, 0, 1.3), 0, 1e-12);
        CHECK_CLOSE(harness_at(&h, 1, 2.2), 0, 1e-12);
        CHECK_CLOSE(harness_at(&h, 1, 2.8), 5.6, 1e-9);
        CHECK_CLOSE(harness_last(&h, 0), 1 + (9 - 2.5 * 2.5) / 2, tolerance);
        CHECK_CLOSE(harness_at(&h, 3, 1.4), 2, 1e-9);
        CHECK_CLOSE(harness_at(&h, 2, 1.4), 1.5, tolerance);
        CHECK_CLOSE(harness_at(&h, 2, 1.8), 1.5, tolerance);
        CHECK_CLOSE(harness_at(&h, 3, 1.8), 2, 1e-9);
        CHECK_CLOSE(harness_last(&h, 2), 1 + (9.0 - 4) / 2, tolerance);
        CHECK_CLOSE(harness_last(&h, 3), 6, 1e-9);
        harness_free(&h);
    }
}

/* What samples needs no period within a trigger: the edges are at 0.25, 1.25, 2.25 s. */
static void test_triggered_without_period(void) {
    harness h = harness_run(MODEL("<ramp id='r' slope='1' out='u'/>"
                                  "<sine id='s' frequency='1' phase='-pi/2' offset='0.5' out='tr'/>"
                                  "<unit-delay id='d' in='u' out='y' trigger='tr'/>"
                                  "<discrete-integrator id='i' in='u' out='z' trigger='tr'/>"),
                            "y z", "rk4", 2.8, 0.03);
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    CHECK_CLOSE(harness_last(&h, 0), 1.25, 1e-9);
    /* rectangles of 0.25 and 1.25, a second wide each */
    CHECK_CLOSE(harness_last(&h, 1), 1.5, 1e-9);
    harness_free(&h);
}

/* Samples each 0.3 s: those at 1.2, 1.5 and 1.8 pass; at 2.1 the next one acts, on the grid. */
static void test_samples(void) {
    for (int m = 0; m < METHODS; m++) {
        harness h = harness_run(
            MODEL(GATE
                  "<block-type name='ticks'><output name='n'/><memory name='k'/><memory name='at'/>"
                  "<equation>n = k</equation><when condition='sample(0.3)'><set name='k' value='k "
                  "+ 1'/>"
                  "<set name='at' value='t'/></when></block-type>"
                  "<ticks id='T' n='n1' enable='gate'/><ticks id='R' n='n3' enable='gate' "
                  "states='reset'/>"),
            "n1 n3 T.at", methods[m], 3, 0.05);
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_at(&h, 0, 0.95), 4, 0); /* 0, 0.3, 0.6, 0.9 */
        CHECK_CLOSE(harness_at(&h, 0, 2.05), 4, 0);
        CHECK_CLOSE(harness_at(&h, 2, 2.15), 2.1, 1e-12);
        CHECK_CLOSE(harness_at(&h, 0, 2.95), 7, 0); /* and 2.1, 2.4, 2.7 */
        CHECK_CLOSE(harness_at(&h, 1, 1.95), 4, 0);
        CHECK_CLOSE(harness_at(&h, 1, 2.95), 3, 0);
        harness_free(&h);
    }
}

/* A clock in what is off passes its ticks, and what its type keeps is kept. */
static void test_clocks(void) {
    for (int m = 0; m < METHODS; m++) {
        harness h = harness_run(
            MODEL("<component name='sampled'><input name='u'/><output name='y'/><output name='n'/>"
                  "<clock id='c' period='0.3' out='n'/><zero-order-hold id='z' in='u' clock='n' "
                  "out='y'/></component>" GATE "<sampled id='S' u='u' y='y1' n='n1' "
                  "enable='gate'/><sampled id='R' u='u' y='y2' n='n2' enable='gate' "
                  "states='reset' outputs='reset'/>"),
            "n1 y1 n2 y2", methods[m], 3, 0.05);
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        const struct {
            double t, n1, y1, n2, y2;
        } wanted[] = {{0.95, 4, 0.9, 4, 0.9},
                      {1.5, 4, 0.9, 0, 0},
                      {2.05, 4, 0.9, 0, 0},
                      {2.15, 5, 2.1, 1, 2.1},
                      {2.95, 7, 2.7, 3, 2.7}};
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
            CHECK_CLOSE(harness_at(&h, 0, wanted[k].t), wanted[k].n1, 1e-12);
            CHECK_CLOSE(harness_at(&h, 1, wanted[k].t), wanted[k].y1, 1e-12);
            CHECK_CLOSE(harness_at(&h, 2, wanted[k].t), wanted[k].n2, 1e-12);
            CHECK_CLOSE(harness_at(&h, 3, wanted[k].t), wanted[k].y2, 1e-12);
        }
        harness_free(&h);
    }
}

/* A sample that is due as its block is switched on, and reset, acts on what has been reset; so does
 * what holds then. */
static void test_due_at_reset(void) {
    for (int m = 0; m < METHODS; m++) {
        harness h = harness_run(
            MODEL("<component name='sampled'><input name='u'/><output name='y'/><output name='s'/>"
                  "<output name='n'/><zero-order-hold id='z' in='u' period='0.25' out='y'/>"
                  "<discrete-integrator id='i' in='u' period='0.25' y0='1' out='s'/>"
                  "<counter id='c' up='u' out='n'/></component>" GATE
                  "<sampled id='S' u='u' y='y' s='w' n='n' enable='gate' states='reset'/>"),
            "y w n", methods[m], 3, 0.05);
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_at(&h, 0, 2.1), 2, 1e-12);
        CHECK_CLOSE(harness_at(&h, 1, 2.1), 1, 1e-12);
        CHECK_CLOSE(harness_at(&h, 1, 2.3), 1.5, 1e-12); /* 1 + 2*0.25 */
        CHECK_CLOSE(harness_at(&h, 2, 0.9), 1, 0);
        CHECK_CLOSE(harness_at(&h, 2, 2.1), 1, 0); /* as u is above one half */
        harness_free(&h);
    }
}

/* A clock in what is triggered ticks at its edges, as other blocks that sample do. */
static void test_triggered_clock(void) {
    harness h = harness_run(MODEL("<ramp id='r' slope='1' out='u'/><sine id='s' frequency='1' "
                                  "phase='pi/2' out='edge'/><clock id='c' period='7' out='n' "
                                  "trigger='edge'/>"),
                            "n", "rk4", 3, 0.05);
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    CHECK_CLOSE(harness_at(&h, 0, 0.5), 0, 0);
    CHECK_CLOSE(harness_at(&h, 0, 2), 2, 0); /* 5/6 and 11/6 */
    CHECK_CLOSE(harness_at(&h, 0, 3), 3, 0);
    harness_free(&h);
}

/* Blocks with limits are triggered as others are; that min is above max is an error still. */
static void test_triggered_limits(void) {
#define LIMITED(min)                                                                              \
    MODEL(                                                                                        \
        "<sine id='s' frequency='0.7' amplitude='2' out='u'/>"                                    \
        "<pulse id='p' high='1' width='0.05' period='0.1' delay='0.1' out='edge'/>"               \
        "<component name='limited'><input name='u'/><output name='y'/>"                           \
        "<saturation id='s' in='u' min='" min "' max='1' out='v'/><discrete-pid id='c' "          \
        "in='v' kp='2' ki='3' min='-1.5' max='1.5' out='y'/></component>"                         \
        "<limited id='T' u='u' y='y1' trigger='edge'/>"                                           \
        "<saturation id='z' in='u' min='-1' max='1' out='w'/><discrete-pid id='c' in='w' kp='2' " \
        "ki='3' min='-1.5' max='1.5' period='0.1' offset='0.1' out='y2'/>")
    harness h = harness_run(LIMITED("-1"), "y1 y2", "rk4", 3, 0.01);
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    for (int k = 0; k < 29; k++)
        CHECK_CLOSE(harness_at(&h, 0, 0.1 * k + 0.05), harness_at(&h, 1, 0.1 * k + 0.05), 1e-12);
    CU_ASSERT(fabs(harness_at(&h, 0, 0.55)) > 0.1);
    harness_free(&h);
    says(LIMITED("2"), "T.s (saturation): min must be below max");
#undef LIMITED
}

/* What is true at the start counts in what is on from the start, as it does elsewhere. */
static void test_start(void) {
    harness h = harness_run(
        MODEL("<constant id='k' value='1' out='on'/><ramp id='r' offset='2' slope='-1' out='u'/>"
              "<hysteresis-relay id='h' in='u' on='1.5' off='0.5' out='y' enable='on'/>"
              "<logic-delay id='d' in='u' on='9 s' out='l' enable='on'/>"),
        "y l", "rk4", 3, 0.05);
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    CHECK_CLOSE(harness_at(&h, 0, 1), 1, 0);
    CHECK_CLOSE(harness_at(&h, 0, 2), 0, 0);
    CHECK_CLOSE(harness_at(&h, 1, 1), 1, 0);
    harness_free(&h);
}

/* A root of what is negative while the block is off harms nobody; an output and its derivative in
 * one equation; limits. */
static void test_equations(void) {
    for (int m = 0; m < METHODS; m++) {
        harness h = harness_run(
            MODEL(GATE "<block-type name='rooted'><input name='u'/><output name='y'/>"
                       "<equation>y = sqrt(u)</equation></block-type>"
                       "<block-type name='lag'><input name='u'/><output name='y'/>"
                       "<equation>y + der(y) = u</equation></block-type>"
                       "<step id='n' delay='1.2' offset='4' height='-5' out='v'/><step id='p' "
                       "delay='1.8' height='10' out='w'/>"
                       "<sum id='q' in='v w' out='x'/><constant id='one' value='1' out='c'/>"
                       "<rooted id='R' u='x' y='root' enable='gate'/><lag id='L' u='c' y='l' "
                       "enable='gate'/>"
                       "<integrator id='J' in='c' out='j' max='1.5' enable='gate'/>"),
            "root l j", methods[m], 3, 0.01);
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_at(&h, 0, 1.5), 2, 1e-12);
        CHECK_CLOSE(harness_last(&h, 0), 3, 1e-12);
        CHECK_CLOSE(harness_at(&h, 1, 1.5), 1 - exp(-1), 2e-4);
        CHECK_CLOSE(harness_last(&h, 1), 1 - exp(-2), 2e-4);
        CHECK_CLOSE(harness_at(&h, 2, 1.9), 1, 1e-9);
        CHECK_CLOSE(harness_last(&h, 2), 1.5, 1e-5);
        harness_free(&h);
    }
}

/* ---- bad models ---- */

static void test_messages(void) {
    says(MODEL(GATE "<inside id='X' u='u' y='y' g='g' enable='nowhere'/>"), "nowhere");
    says(MODEL(GATE "<inside id='X' u='u' y='y' g='g' enable='gate' outputs='zero'/>"),
         "X (inside): outputs=\"zero\" is none; it must be hold or reset");
    says(MODEL(GATE "<inside id='X' u='u' y='y' g='g' enable='gate' states='keep'/>"),
         "X (inside): states=\"keep\" is none; it must be hold or reset");
    says(MODEL(GATE "<inside id='X' u='u' y='y' g='g' outputs='hold'/>"),
         "it has no port or parameter 'outputs'");
    says(MODEL(GATE "<component name='load'><port name='p' domain='electrical'/><resistor id='R' "
                    "p='p' n='0' R='1'/>"
                    "<ground id='g' p='0'/></component><voltage-source id='V' p='p' n='0' "
                    "V='1'/><ground id='g' p='0'/>"
                    "<load id='L' p='p' enable='gate'/>"),
         "L.R (resistor): it is to be switched or triggered by 'gate' (line 1), but port 'p' is "
         "physical, and what flows there cannot "
         "be held; enable signals only, and switch with a switch");
    says(MODEL(GATE "<transport-delay id='D' in='u' out='y' delay='1' enable='gate'/>"),
         "D (transport-delay): it is to be switched by 'gate' (line 1), which cannot be: it is a "
         "type in C; move it out");
    says(MODEL(GATE "<inside id='X' u='u' y='y' g='g' trigger='gate'/>"),
         "X.I (integrator): it is to be triggered by 'gate' (line 1), which cannot be: it has "
         "continuous states; move it out");
    says(MODEL(GATE "<gain id='X' in='u' out='y' k='2' trigger='gate' edge='up'/>"),
         "X (gain): edge=\"up\" is none; it must be rising, falling or both");
    says(MODEL(GATE "<component name='o'><input name='u'/><output name='y'/><gain id='H' in='u' "
                    "out='y' k='2' trigger='u'/>"
                    "</component><o id='O' u='u' y='y' trigger='gate'/>"),
         "O.H (gain): it stands in what 'gate' triggers (line 1) and is triggered itself; remove "
         "one of them");
    says(MODEL(GATE "<component name='o'><input name='u'/><output name='y'/><sample-and-hold "
                    "id='H' in='u' out='y' "
                    "trigger='u'/></component><o id='O' u='u' y='y' trigger='gate'/>"),
         "O.H (sample-and-hold): it is to be triggered by 'gate' (line 1), which cannot be: it has "
         "a trigger of its own");
    says(MODEL(GATE "<constant id='v' value='1 2' out='two'/><integrator id='J' in='u' out='y' "
                    "enable='two'/>"),
         "enable=\"two\" is a vector; one number is wanted");
    /* whatever link comes first */
    says(MODEL("<constant id='v' value='1 2' out='two'/><integrator id='J' in='w' out='y' "
               "enable='two'/><constant id='c' value='1' out='w'/>"),
         "enable=\"two\" is a vector; one number is wanted");
}

/* The trigger, 1/2 - cos(2 pi t), rises at 0.25, 1.25, 2.25 s and falls at 0.75, 1.75, 2.75 s. A
 * gain takes u = t there; a counter in it counts the edges, and what follows from both is not an
 * edge late. A sample stands for the trigger. */
static void test_triggered(void) {
    for (int m = 0; m < METHODS; m++) {
        harness h = harness_run(
            MODEL("<block-type name='counts'><input name='u'/><output name='n'/><output "
                  "name='p'/><memory name='k'/>"
                  "<equation>n = k</equation><equation>p = k*u</equation>"
                  "<when condition='sample(0.01)'><set name='k' value='k + 1'/></when></block-type>"
                  "<component name='sampler'><input name='u'/><output name='y'/><output "
                  "name='n'/><output name='p'/>"
                  "<output name='q'/><gain id='G' in='u' k='2' out='y'/><counts id='C' u='u' n='n' "
                  "p='p'/>"
                  "<sum id='S' in='y n' out='q'/></component>"
                  "<ramp id='r' slope='1' out='u'/><sine id='s' frequency='1' phase='-pi/2' "
                  "offset='0.5' out='tr'/>"
                  "<step id='a' delay='1.7' offset='1' height='-1' out='ga'/>"
                  "<sampler id='A' u='u' y='ya' n='na' p='pa' q='qa' trigger='tr'/>"
                  "<sampler id='B' u='u' y='yb' n='nb' p='pb' q='qb' trigger='tr' edge='both'/>"
                  "<sampler id='D' u='u' y='yd' n='nd' p='pd' q='qd' trigger='tr' edge='falling' "
                  "enable='ga'/>"),
            "ya na pa qa yb nb yd nd", methods[m], 2.8, 0.03);
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_last(&h, 0), 4.5, 1e-9);
        CHECK_CLOSE(harness_last(&h, 1), 3, 0);
        CHECK_CLOSE(harness_last(&h, 2), 6.75, 1e-9);
        CHECK_CLOSE(harness_last(&h, 3), 7.5, 1e-9);
        CHECK_CLOSE(harness_last(&h, 4), 5.5, 1e-9);
        CHECK_CLOSE(harness_last(&h, 5), 6, 0);
        CHECK_CLOSE(harness_last(&h, 6), 1.5, 1e-9);
        CHECK_CLOSE(harness_last(&h, 7), 1, 0);
        harness_free(&h);
    }
}

UNIT_MAIN({"frozen, held, reset", test_frozen}, {"crossing", test_crossing},
          {"parent and child", test_parent_and_child},
          {"reset within hold", test_reset_within_hold},
          {"no period", test_triggered_without_period}, {"samples", test_samples},
          {"clocks", test_clocks}, {"due at reset", test_due_at_reset},
          {"triggered clock", test_triggered_clock}, {"triggered limits", test_triggered_limits},
          {"start", test_start}, {"equations", test_equations}, {"triggered", test_triggered},
          {"messages", test_messages})
