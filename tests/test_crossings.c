/* SPDX-License-Identifier: MIT */
/* All crossings within a step are found, by every method: an even number of one condition, several,
 * beside another one that nearly turns; and one that is reached exactly where the step ends. */
#include "harness.h"
#include "unit.h"

#define MODEL(blocks) "<model name='m' xmlns='urn:linnet:model:1'>" blocks "</model>"

typedef struct method {
    const char *name;
    double step, tolerance;
} method;
/* Steps as long as all that happens; the parabola by which implicit methods look within a step is
 * exact here. */
static const method coarse[] = {
    {"euler", 0.5, 0},          {"heun", 0.5, 0},           {"rk4", 0.5, 0},     {"rk45", 0.5, 0},
    {"backward-euler", 0.5, 0}, {"crank-nicolson", 0.5, 0}, {"tr-bdf2", 0.5, 0}, {"bdf2", 0.5, 0},
    {"radau5", 0, 1e-6},        {"ida", 0, 1e-6},           {"rk45", 0, 1e-6}};
enum { COARSE = sizeof coarse / sizeof *coarse };

static harness run(const char *xml, const char *signals, const method *by, double end) {
    harness h = harness_run_with(xml, signals,
                                 (ln_settings){.method = ln_method_find(by->name),
                                               .end = end,
                                               .step = by->step,
                                               .tolerance = by->tolerance});
    CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
    return h;
}

/* x = t; a condition that is true from 0.403 to 0.447 s, and one that turns at 0.1, 0.25 and 0.4 s.
 */
static const char poly[] =
    MODEL("<block-type name='poly'><output name='n'/><state name='x'/><memory name='on'/><memory "
          "name='off'/><memory name='three'/>"
          "<memory name='sum'/><equation>der(x) = 1</equation><equation>n = three</equation>"
          "<when condition='(x - 0.403)*(x - 0.447) lt 0'><set name='on' value='t'/></when>"
          "<when condition='(x - 0.403)*(x - 0.447) gt 0'><set name='off' value='t'/></when>"
          "<when condition='(x - 0.1)*(x - 0.25)*(x - 0.4) gt 0'><set name='three' value='three + "
          "1'/><set name='sum' value='sum + t'/></when>"
          "<when condition='(x - 0.1)*(x - 0.25)*(x - 0.4) lt 0'><set name='three' value='three + "
          "1'/><set name='sum' value='sum + t'/></when>"
          "</block-type><poly id='p' n='n'/>");

static void several_in_one_step(void) {
    for (int m = 0; m < COARSE; m++) {
        harness h = run(poly, "p.on p.off n p.sum", &coarse[m], 1);
        CHECK_CLOSE(harness_last(&h, 0), 0.403, 1e-12);
        CHECK_CLOSE(harness_last(&h, 1), 0.447, 1e-12);
        CHECK_CLOSE(harness_last(&h, 2), 3, 0);
        CHECK_CLOSE(harness_last(&h, 3), 0.1 + 0.25 + 0.4, 1e-11);
        harness_free(&h);
    }
}

/* x = sin t, with tops at pi/2 + 2 pi k, 0.2 s a step: it rises above 0.9995 for 0.06 s, and never
 * above 1.0001, and x + v/20 above 1.00105 for 0.04 s; the last never holds, but is looked at
 * first. */
static const char tops[] =
    MODEL("<block-type name='tops'><output name='n'/><state name='x'/><state name='v' "
          "start='1'/><memory name='a'/><memory name='b'/>"
          "<memory name='c'/><equation>der(x) = v</equation><equation>der(v) = "
          "-x</equation><equation>n = a</equation>"
          "<when condition='x gt 1.0001'><set name='b' value='b + 1'/></when>"
          "<when condition='x gt 0.9995'><set name='a' value='a + 1'/></when>"
          "<when condition='x + 0.05*v gt 1.00105'><set name='c' value='c + "
          "1'/></when></block-type><tops id='p' n='n'/>");

static void beside_one_that_nearly_turns(void) {
    static const method methods[] = {
        {"rk4", 0.2, 0},     {"rk45", 0.2, 0},  {"crank-nicolson", 0.1, 0},
        {"radau5", 0, 1e-7}, {"rk45", 0, 1e-7}, {"ida", 0, 1e-7}};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        harness h = run(tops, "p.a p.b p.c", &methods[m], 20);
        CHECK_CLOSE(harness_last(&h, 0), 3, 0);
        CHECK_CLOSE(harness_last(&h, 1), 0, 0);
        CHECK_CLOSE(harness_last(&h, 2), 3, 0);
        harness_free(&h);
    }
}

/* x = 1 - t comes to 0.5 exactly where the last step ends: `le` has turned true there, `lt` has
 * not. */
static void exactly_at_the_end(void) {
    static const char xml[] = MODEL("<block-type name='falls'><output name='n'/><state name='x' "
                                    "start='1'/><memory name='at'/><memory name='past'/>"
                                    "<equation>der(x) = -1</equation><equation>n = at</equation>"
                                    "<when condition='x le 0.5'><set name='at' value='t'/></when>"
                                    "<when condition='x lt 0.5'><set name='past' "
                                    "value='t'/></when></block-type><falls id='p' n='n'/>");
    for (int m = 0; m < 8; m++) {
        const method by = {coarse[m].name, 0.125, 0};
        if (strcmp(by.name, "rk45") == 0)
            continue; /* its sums round */
        harness h = run(xml, "p.at p.past", &by, 0.5);
        CHECK_CLOSE(harness_last(&h, 0), 0.5, 1e-15);
        CHECK_CLOSE(harness_last(&h, 1), 0, 0);
        harness_free(&h);
    }
}

/* A sample at 0.37 s, and a crossing that is found a few units in the last place later: no method
 * may be stopped by so short a step. The crossing comes again after 0.2 s more. */
static void close_together(void) {
    static const char xml[] =
        MODEL("<block-type name='closely'><output name='n'/><state name='x'/><memory "
              "name='k'/><memory name='r'/><equation>der(x) = 1</equation>"
              "<equation>n = k</equation><when condition='x gt 0.37'><set name='k' value='k + "
              "1'/><set name='x' value='x - 0.2'/></when>"
              "<when condition='sample(0.25, 0.12)'><set name='r' value='r + "
              "1'/></when></block-type><closely id='p' n='n'/>");
    for (int m = 0; m < COARSE; m++) {
        harness h = run(xml, "n p.r p.x", &coarse[m], 1);
        CHECK_CLOSE(harness_last(&h, 0), 4, 0);
        CHECK_CLOSE(harness_last(&h, 1), 4, 0);
        CHECK_CLOSE(harness_last(&h, 2), 0.2, 1e-11);
        harness_free(&h);
    }
}

/* A sine that nothing integrates: steps of radau5 are as short as it asks for, and what follows
 * from it algebraically is solved for. */
static void radau5_follows_sources(void) {
    static const char xml[] = MODEL(
        "<block-type name='counts'><input name='u'/><output name='n'/><memory "
        "name='k'/><equation>n = k</equation>"
        "<when condition='u gt 0'><set name='k' value='k + 1'/></when></block-type>"
        "<sine id='s' frequency='7' out='u'/><counts id='c' u='u' n='n'/><ramp id='r' out='v'/>%s"
        "<function id='f' in='u v' out='y' expression='u1*u2 + u1^3'/>");
    static const char *const beside[] = {"", "<integrator id='i' in='v' out='z'/>"};
    for (int k = 0; k < 2; k++) {
        char text[1024];
        snprintf(text, sizeof text, xml, beside[k]);
        harness h = run(text, "n y", &(method){"radau5", 0, 1e-6}, 2.01);
        CHECK_CLOSE(harness_last(&h, 0), 15, 0);
        for (size_t row = 0; row < h.rows; row++) {
            const double u = sin(14 * acos(-1) * h.time[row]);
            CHECK_CLOSE(h.value[2 * row + 1], u * h.time[row] + u * u * u, 1e-5);
        }
        harness_free(&h);
    }
}

/* a = -t through two backlashes, d = a + 0.25 while both push, and a root of |d + 1/2|: a step goes
 * past its kink, where the branch before has no value, and what stands before the root in the sums
 * has been added by then. */
static void root_behind_backlashes(void) {
    static const char xml[] =
        MODEL("<constant id='c' out='c' value='-1'/><integrator id='i' in='c' out='a'/>"
              "<backlash id='b1' in='a' out='b' width='0.2'/>"
              "<backlash id='b2' in='b' out='d' width='0.3'/>"
              "<function id='b3' in='d' out='s' expression='sqrt(abs(u + 0.5))'/>"
              "<first-order id='lag' in='s' out='y' T='0.3'/>");
    static const method methods[] = {{"rk4", 0.01, 0},     {"crank-nicolson", 0.01, 0},
                                     {"radau5", 0, 1e-5},  {"ida", 0, 1e-5},
                                     {"tr-bdf2", 0, 1e-5}, {"bdf2", 0, 1e-5}};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        harness h = run(xml, "a d s", &methods[m], 2);
        for (size_t row = 0; row < h.rows; row++) {
            const double *value = &h.value[3 * row];
            CHECK_CLOSE(value[1], fmin(value[0] + 0.25, 0), 1e-9);
            CHECK_CLOSE(value[2], sqrt(fabs(value[1] + 0.5)), 1e-4);
        }
        CHECK_CLOSE(harness_last(&h, 1), -1.75, 1e-12);
        harness_free(&h);
    }
}

/* Conditions that turn while the unknowns hardly move: of time alone, of a state that goes
 * straight, of both. Each has as many events as its formula has crossings. */
static void turns_of_conditions(void) {
    static const struct {
        const char *condition;
        double events;
    } cases[] = {{"sin(200*t) gt 0.5", 32},   /* one a period, of 31.8: the last at 31.2*2*pi */
                 {"cos(300*y) lt -0.9", 48},  /* 47.7 periods, the last at 47.57 of them */
                 {"u*sin(90*t) gt 0.1", 15}}; /* 14.3 periods, one crossing early in each */
    static const method methods[] = {
        {"radau5", 0, 1e-3}, {"radau5", 0, 1e-6}, {"tr-bdf2", 0, 1e-3}, {"bdf2", 0, 1e-3},
        {"rk45", 0, 1e-3},   {"ida", 0, 1e-3},    {"tr-bdf2", 0, 1e-5}, {"rk45", 0, 1e-6}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            char xml[1000];
            snprintf(xml, sizeof xml,
                     MODEL("<block-type name='turns'><state name='u' start='1'/><state name='y'/>"
                           "<memory name='n'/><equation>der(u) = -u/2</equation><equation>der(y) = "
                           "1</equation><when condition='%s'><set name='n' value='n + 1'/></when>"
                           "</block-type><turns id='s'/>"),
                     cases[k].condition);
            harness h = run(xml, "s.n s.u", &methods[m], 1);
            if (harness_last(&h, 0) != cases[k].events)
                printf("\n    %s by %s at %g: %g\n", cases[k].condition, methods[m].name,
                       methods[m].tolerance, harness_last(&h, 0));
            CHECK_CLOSE(harness_last(&h, 0), cases[k].events, 0);
            CHECK_CLOSE(harness_last(&h, 1), exp(-0.5), 10 * methods[m].tolerance);
            harness_free(&h);
        }
}

UNIT_MAIN({"several in one step", several_in_one_step}, {"turns", turns_of_conditions},
          {"beside one that nearly turns", beside_one_that_nearly_turns},
          {"exactly at the end", exactly_at_the_end}, {"close together", close_together},
          {"radau5 follows sources", radau5_follows_sources},
          {"root behind backlashes", root_behind_backlashes})
