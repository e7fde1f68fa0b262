/* SPDX-License-Identifier: MIT */
/* Memories, modes and events of block types, from XML text to the functions of the class, against
 * numbers computed by hand. */
#include "blocks_kit.h"
#include "unit.h"
#include "blocks/equations.h"
#include "expression/graph.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>

static linnet_point at(double t, double decide, const double *x, const double *m) {
    return (linnet_point){t, decide, x, m};
}

/* ---- modes ---- */

static void test_comparison(void) {
    kit setup;
    kit_type(&setup, "<block-type name='a'><input name='u'/><output name='y'/>"
                     "<equation>y = if(u lt 2, 3*u, 6)</equation></block-type>");
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    kit_prepare(&setup, NULL, 0);
    CU_ASSERT_EQUAL(setup.class->nmodes, 1);
    CU_ASSERT_EQUAL(setup.class->nmemories, 1);
    double x[2] = {1.5, 0}, guard;
    linnet_point here = at(0, 0, x, setup.m);
    setup.class->modes(&setup.block, &here, setup.m);
    CU_ASSERT_EQUAL(setup.m[0], 1);
    setup.class->guards(&setup.block, &here, &guard);
    CHECK_CLOSE(guard, 0.5, 1e-15);
    x[0] = 2.25; /* beyond, with the branch of before */
    setup.class->guards(&setup.block, &here, &guard);
    CHECK_CLOSE(guard, -0.25, 1e-15);
    linnet_out out = {setup.q, setup.f, setup.entry};
    memset(setup.f, 0, sizeof setup.f);
    setup.class->eval(&setup.block, &here, &out);
    CHECK_CLOSE(fabs(setup.f[1]), 6.75, 1e-15);
    setup.class->modes(&setup.block, &here, setup.m);
    CU_ASSERT_EQUAL(setup.m[0], 0);
    setup.class->guards(&setup.block, &here, &guard);
    CHECK_CLOSE(guard, 0.25, 1e-15);
    x[0] = 2; /* at equality a guard of 0 holds with either mode */
    setup.class->guards(&setup.block, &here, &guard);
    CU_ASSERT_EQUAL(guard, 0);
    kit_free(&setup);
}

/* floor, ceil, round, trunc: the guard is negative exactly where the function differs from the
 * mode. */
static void test_steps(void) {
    static const char *const names[] = {"floor", "ceil", "round", "trunc"};
    double (*const functions[])(double) = {floor, ceil, round, trunc};
    for (int k = 0; k < 4; k++) {
        kit setup;
        char xml[256];
        snprintf(xml, sizeof xml,
                 "<block-type name='a'><input name='u'/><output name='y'/>"
                 "<equation>y = %s(u)</equation></block-type>",
                 names[k]);
        kit_type(&setup, xml);
        CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
        kit_prepare(&setup, NULL, 0);
        CU_ASSERT_EQUAL_FATAL(setup.class->nmodes, 1);
        for (double from = -2.35; from < 2.4; from += 0.3)
            for (double to = -2.32; to < 2.4; to += 0.11) {
                double x[2] = {from, 0}, guard, mode;
                linnet_point here = at(0, 0, x, setup.m);
                setup.class->modes(&setup.block, &here, setup.m);
                CU_ASSERT_EQUAL(setup.m[0], functions[k](from));
                x[0] = to;
                setup.class->guards(&setup.block, &here, &guard);
                setup.class->modes(&setup.block, &here, &mode);
                if (fabs(guard) > 1e-9)
                    CU_ASSERT_EQUAL(guard < 0, mode != setup.m[0]);
            }
        kit_free(&setup);
    }
}

/* What depends on time alone and affinely is a breakpoint, what depends on parameters stands,
 * noevent() too, and a comparison that is used twice is one mode. */
static void test_what_becomes_a_mode(void) {
    static const struct {
        const char *value;
        int modes, breakpoints;
    } cases[] = {
        {"if(t lt 1, 0, u)", 0, 1},
        {"if(R lt 1, 0, u)", 0, 0},
        {"if(sin(t) gt 0, 0, u)", 1, 0},
        {"noevent(abs(u)) + noevent(floor(u))", 0, 0},
        {"noevent(abs(u)) + abs(u)", 1, 0},
        {"if(u lt 1, u, 2) + if(u lt 1, 3, u)", 1, 0},
        {"if(u lt 1 and u gt 0 or u eq 7, 1, 2)", 2, 0},
        {"clamp(u, -1, 1)", 2, 0},
        {"smooth_abs(u, 0.1) + smooth_max(u, 1, 0.1) + smooth_sign(u, 0.1) + smooth_min(u, 2, 1)",
         0, 0},
        {"if(if(u lt 0, 1, 2) lt R, 1, 2)", 1, 0}, /* the outer one is decided by the inner mode */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        kit setup;
        char xml[512];
        const double R = 5;
        snprintf(xml, sizeof xml,
                 "<block-type name='a'><input name='u'/><output name='y'/><parameter name='R'/>"
                 "<equation>y = u + %s</equation></block-type>",
                 cases[k].value);
        kit_type(&setup, xml);
        CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
        kit_prepare(&setup, &R, 1);
        CU_ASSERT_EQUAL(setup.class->nmodes, cases[k].modes);
        CU_ASSERT_EQUAL(setup.class->next_breakpoint != NULL, cases[k].breakpoints);
        if (setup.class->nmodes != cases[k].modes)
            printf("\n    %s: %d modes\n", cases[k].value, setup.class->nmodes);
        kit_free(&setup);
    }
}

/* A guard is made of frozen modes, a decision of conditions as they stand: s = |u| decides |u| - 2
 * > 0. */
static void test_nested(void) {
    kit setup;
    kit_type(&setup, "<block-type name='a'><input name='u'/><output name='y'/>"
                     "<equation>y = if(abs(u) gt 2, 1, 0)</equation></block-type>");
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    kit_prepare(&setup, NULL, 0);
    CU_ASSERT_EQUAL_FATAL(setup.class->nmodes, 2);
    double x[2] = {1, 0}, guard[2], mode[2];
    linnet_point here = at(0, 0, x, setup.m);
    setup.class->modes(&setup.block, &here, setup.m); /* u < 0: no; 2 < |u|: no */
    CU_ASSERT(setup.m[0] == 0 && setup.m[1] == 0);
    x[0] = -3;
    setup.class->guards(&setup.block, &here, guard);
    CHECK_CLOSE(fmin(guard[0], guard[1]), -3, 1e-15); /* u < 0 now */
    CHECK_CLOSE(fmax(guard[0], guard[1]), 5, 1e-15);  /* 2 - u with the sign of before */
    setup.class->modes(&setup.block, &here, mode);
    CU_ASSERT(mode[0] == 1 && mode[1] == 1);
    kit_free(&setup);
}

/* ---- events ---- */

static const char ball[] =
    "<block-type name='ball'><output name='height'/><parameter name='r' default='0.8'/>"
    "<state name='h' unit='m' start='1 m'/><state name='v' unit='m/s'/><memory name='count' "
    "start='3'/>"
    "<equation>der(h) = v</equation><equation>der(v) = -9.81 m/s^2</equation><equation>height = "
    "h</equation>"
    "<when condition='h lt 0'><set name='v' value='-r*v'/><set name='h' value='0'/>"
    "<set name='count' value='count + 1'/></when>"
    "<when condition='count ge 5' name='enough'><stop message='five bounces'/></when>"
    "<assert condition='h gt -1' message='through the floor'/></block-type>";

static void test_ball(void) {
    kit setup;
    const double r = 0.8;
    kit_type(&setup, ball);
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    kit_prepare(&setup, &r, 1);
    const linnet_block_class *c = setup.class;
    CU_ASSERT_EQUAL(c->nevents, 3);
    CU_ASSERT_EQUAL(c->nmemories - c->nmodes, 1);
    CU_ASSERT_EQUAL(c->nmodes, 2); /* h lt 0, h gt -1 */
    CU_ASSERT_EQUAL(setup.m[0], 3);
    CHECK_TEXT(c->memories[0].name, "count");
    CHECK_TEXT(c->events[0].name, "h lt 0");
    CHECK_TEXT(c->events[1].name, "enough");
    CU_ASSERT_EQUAL(c->events[1].flags, LINNET_ENDS);
    CHECK_TEXT(c->events[1].message, "five bounces");
    CU_ASSERT_EQUAL(c->events[2].flags, LINNET_FAILS | LINNET_TICK);
    CU_ASSERT_EQUAL(c->nset, 2);
    char holds[3];
    double x[3] = {0.5, 0.5, -4}, m[3] = {3, 0, 1}, after_x[3], after_m[3];
    linnet_point here = at(1, 1, x, m);
    c->conditions(&setup.block, &here, holds);
    CU_ASSERT(!holds[0] && !holds[1] && !holds[2]);
    x[1] = -1.5;
    c->conditions(&setup.block, &here, holds);
    CU_ASSERT(holds[0] && !holds[1] && holds[2]);
    memcpy(after_x, x, sizeof x), memcpy(after_m, m, sizeof m);
    c->act(&setup.block, &here, &here, (const char[]){1, 0, 0}, after_m, after_x);
    CU_ASSERT(after_x[0] == x[0] && after_x[1] == 0 && after_m[0] == 4);
    CHECK_CLOSE(after_x[2], 3.2, 1e-15);
    memcpy(after_x, x, sizeof x), memcpy(after_m, m, sizeof m);
    c->act(&setup.block, &here, &here, (const char[]){0, 1, 1}, after_m, after_x);
    CU_ASSERT(memcmp(after_x, x, sizeof x) == 0 && memcmp(after_m, m, sizeof m) == 0);
    CHECK_TEXT(strstr(c->formula, "when h lt 0"),
               "when h lt 0: v = -r*v, h = 0, count = count + 1\n"
               "when count ge 5: stop\nassert h gt -1");
    kit_free(&setup);
}

/* Later sets win; values are of before; pre() reads inputs of before, else they are of after. */
static void test_sets(void) {
    kit setup;
    kit_type(&setup,
             "<block-type name='a'><input name='u'/><output name='y'/><memory name='a' start='1'/>"
             "<memory name='b' start='2'/><memory name='c'/><equation>y = a</equation>"
             "<when condition='u gt 0'><set name='a' value='b'/><set name='b' value='a'/>"
             "<set name='c' value='pre(u)'/></when>"
             "<when condition='u gt 1'><set name='c' value='10*u + pre(b)'/></when></block-type>");
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    kit_prepare(&setup, NULL, 0);
    double before_x[2] = {-5, 1}, x[2] = {2, 1}, m[8], known[8] = {1, 2, 0, 0, 0};
    linnet_point before = at(1, 0.9, before_x, known), here = at(1, 1.1, x, known);
    memcpy(m, known, sizeof m);
    setup.class->act(&setup.block, &here, &before, (const char[]){1, 0}, m, x);
    CU_ASSERT(m[0] == 2 && m[1] == 1 && m[2] == -5);
    memcpy(m, known, sizeof m);
    setup.class->act(&setup.block, &here, &before, (const char[]){1, 1}, m, x);
    CU_ASSERT(m[2] == 22);
    CU_ASSERT(setup.class->source != NULL && setup.class->source_varies);
    double s[2] = {0, 0};
    known[0] = 7; /* y = a */
    setup.class->source(&setup.block, &(linnet_point){0, 0, NULL, known}, s);
    CHECK_CLOSE(fabs(s[1]), 7, 0);
    kit_free(&setup);
}

/* ---- samples ---- */

static void test_sample(void) {
    kit setup;
    const double values[2] = {0.1, 0.05};
    double m[8] = {0}, x[2] = {4, 0};
    char holds[2];
    kit_type(
        &setup,
        "<block-type name='hold'><input name='in'/><output name='out'/><parameter name='T' "
        "unit='s'/>"
        "<parameter name='from' unit='s'/><memory name='value'/><equation>out = value</equation>"
        "<when condition='sample(T, from)'><set name='value' value='in'/></when></block-type>");
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    kit_prepare(&setup, values, 2);
    const linnet_block_class *c = setup.class;
    CU_ASSERT(c->nevents == 1 && c->nmodes == 0 && c->nmemories == 2);
    CU_ASSERT_EQUAL(c->events[0].flags, LINNET_TICK);
    c->remember(&setup.block, 0, m);
    CU_ASSERT(m[0] == 0 && m[1] == 0);
    c->remember(&setup.block, 0.05, m); /* a sample at the start counts */
    CU_ASSERT(m[1] == 0);
    c->remember(&setup.block, 0.06, m);
    CU_ASSERT(m[1] == 1);
    m[1] = 0;
    for (int k = 0; k < 1000; k++) {
        double at_sample = 0.05 + k * 0.1;
        /* no rounding piles up */
        CU_ASSERT_EQUAL(c->next_breakpoint(&setup.block, at_sample - 0.02, m), at_sample);
        linnet_point left = at(at_sample, at_sample - 1e-3, x, m),
                     right = at(at_sample, at_sample + 1e-3, x, m);
        c->conditions(&setup.block, &left, holds);
        CU_ASSERT(!holds[0]);
        c->conditions(&setup.block, &right, holds);
        CU_ASSERT(holds[0]);
        double next[2] = {m[0], m[1]};
        c->act(&setup.block, &right, &left, (const char[]){1}, next, x);
        CU_ASSERT(next[0] == 4 && next[1] == k + 1);
        m[0] = next[0], m[1] = next[1];
        c->conditions(&setup.block, &right, holds);
        CU_ASSERT(!holds[0]);
    }
    const double wrong[3] = {0, -1, NAN};
    for (int k = 0; k < 3; k++) {
        kit_prepare(&setup, (const double[]){wrong[k], 0}, 2);
        CU_ASSERT_EQUAL(setup.status, LINNET_MODEL);
        CU_ASSERT_PTR_NOT_NULL(strstr(setup.message, "period of sample()"));
    }
    kit_free(&setup);
}

/* Where more is asked than the sample, the counter goes on by itself, and the rest is watched by no
 * guard. */
static void test_sample_and(void) {
    kit setup;
    kit_type(
        &setup,
        "<block-type name='a'><input name='u'/><output name='y'/><memory name='n'/><equation>y = "
        "n</equation>"
        "<when condition='sample(1) and u gt 0'><set name='n' value='n + 1'/></when></block-type>");
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    kit_prepare(&setup, NULL, 0);
    const linnet_block_class *c = setup.class;
    CU_ASSERT(c->nevents == 2 && c->nmodes == 0 && c->nmemories == 2);
    CU_ASSERT(c->events[0].flags == LINNET_TICK && c->events[1].flags == LINNET_TICK);
    double x[2] = {-1, 0}, m[2] = {0, 2}, next[2] = {0, 2};
    char holds[2];
    linnet_point here = at(2, 2.1, x, m);
    c->conditions(&setup.block, &here, holds);
    CU_ASSERT(!holds[0] && holds[1]);
    c->act(&setup.block, &here, &here, holds, next, x);
    CU_ASSERT(next[0] == 0 && next[1] == 3);
    x[0] = 1;
    c->conditions(&setup.block, &here, holds);
    c->act(&setup.block, &here, &here, holds, next, x);
    CU_ASSERT(next[0] == 1 && next[1] == 3);
    kit_free(&setup);
}

/* A time kept in a memory: exact, and a tick. */
static void test_next_time(void) {
    kit setup;
    kit_type(
        &setup,
        "<block-type name='a'><output name='y'/><memory name='next' unit='s' start='t + 0.25 s'/>"
        "<memory name='n'/><equation>y = n</equation>"
        "<when condition='t ge next'><set name='n' value='n + 1'/><set name='next' "
        "value='2*next'/></when>"
        "<when condition='t ge next and t ge 7 s'><set name='n' value='0'/></when></block-type>");
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    kit_prepare(&setup, NULL, 0);
    double m[2];
    setup.class->remember(&setup.block, 0.5, m);
    CHECK_CLOSE(m[0], 0.75, 0);
    CU_ASSERT_EQUAL(setup.class->events[0].flags, LINNET_TICK);
    CU_ASSERT_EQUAL(setup.class->events[1].flags, 0);
    CU_ASSERT_EQUAL(setup.class->next_breakpoint(&setup.block, 0.5, m), 0.75);
    m[0] = 1.5;
    CU_ASSERT_EQUAL(setup.class->next_breakpoint(&setup.block, 0.75, m), 1.5);
    CU_ASSERT_EQUAL(setup.class->next_breakpoint(&setup.block, 1.5, m), 7);
    kit_free(&setup);
}

static void test_arrays(void) {
    kit setup;
    kit_type(&setup,
             "<block-type name='a'><number name='n' value='3'/><input name='u'/><output name='y'/>"
             "<memory name='d' size='n' index='i' start='10*i'/><equation>y = d[n]</equation>"
             "<when condition='sample(1)'><set name='d[1]' value='u'/>"
             "<set for='i = 2 .. n' name='d[i]' value='d[i-1]'/></when>"
             "<when for='i = 1 .. n' condition='u gt i'><set name='d[i]' "
             "value='0'/></when></block-type>");
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    kit_prepare(&setup, NULL, 0);
    CU_ASSERT_EQUAL(setup.class->nevents, 4);
    CHECK_TEXT(setup.class->events[3].name, "u gt i (i = 3)");
    double x[2] = {7, 0}, known[8] = {10, 20, 30, 0, 1, 1, 1}, m[8];
    CU_ASSERT(setup.m[0] == 10 && setup.m[1] == 20 && setup.m[2] == 30 && setup.m[3] == 0);
    linnet_point here = at(0, 0.1, x, known);
    memcpy(m, known, sizeof m);
    setup.class->act(&setup.block, &here, &here, (const char[]){1, 0, 0, 0}, m, x);
    CU_ASSERT(m[0] == 7 && m[1] == 10 && m[2] == 20 && m[3] == 1);
    setup.class->act(&setup.block, &here, &here, (const char[]){0, 0, 1, 0}, m, x);
    CU_ASSERT(m[1] == 0 && m[2] == 20);
    kit_free(&setup);
}

/* ---- tables ---- */

/* A table read at a signal: the mode is inside the segment, the guard the way to its ends. */
static void test_table(void) {
    ln_report *report = ln_report_new(NULL, NULL);
    ln_equations *e = ln_equations_new("lookup");
    const linnet_block_class *class = NULL;
    ln_node u = ln_add_port(e, (linnet_port){"u", LINNET_SIGNAL, LINNET_INPUT, NULL});
    ln_node y = ln_add_port(e, (linnet_port){"y", LINNET_SIGNAL, LINNET_OUTPUT, NULL});
    ln_add_param(e, (linnet_param){.name = "points", .flags = LINNET_MATRIX, .rows = 3, .cols = 2});
    ln_add_equation(e, y, ln_table(e->graph, u, u, 0, 3));
    CU_ASSERT_EQUAL_FATAL(ln_equations_class(e, report, &class), LINNET_OK);
    CU_ASSERT_EQUAL_FATAL(class->nmodes, 1);
    const double p[6] = {0, 0, 1, 2, 3, 1};
    double *work = calloc(class->nwork + 1, sizeof *work), x[2], m, guard;
    linnet_block block = {class, p, work};
    char message[256];
    CU_ASSERT_EQUAL(class->prepare(&block, message), LINNET_OK);
    static const struct {
        double from, to, room;
    } moves[] = {{0.5, 0.75, 0.25}, {0.5, -0.5, -0.5}, {0.5, 2, -1},
                 {2, 1.25, 0.25},   {2, 3.5, -0.5},    {-1, -100, 100},
                 {-1, 1, -1},       {5, 4, 1},         {5, 2, -1}};
    for (size_t k = 0; k < sizeof moves / sizeof *moves; k++) {
        linnet_point here = at(0, 0, x, &m);
        x[0] = moves[k].from;
        class->modes(&block, &here, &m);
        x[0] = moves[k].to;
        class->guards(&block, &here, &guard);
        CHECK_CLOSE(guard, moves[k].room, 1e-15);
    }
    free(work);
    ln_equations_free(e);
    ln_report_free(report);
}

/* ---- what is refused ---- */

static void test_errors(void) {
#define TYPE(text)                                                                          \
    "<block-type name='a'><input name='u'/><output name='y'/><parameter name='R'/><memory " \
    "name='n'/>"                                                                            \
    "<memory name='d' unit='m'/><variable name='w'/><let name='l' value='2*u'/>"            \
    "<equation>y = n + w</equation><equation>w = u</equation>" text "</block-type>"
    static const struct {
        const char *text, *message;
    } cases[] = {
        {TYPE("<when condition='u gt 0'/>"), "<when> does nothing"},
        {TYPE("<when condition='u gt 0'><put name='n' value='1'/></when>"), "<put>"},
        {TYPE("<when condition='u gt 0'><set name='m' value='1'/></when>"), "unknown name 'm'"},
        {TYPE("<when condition='u gt 0'><set name='R' value='1'/></when>"), "a parameter"},
        {TYPE("<when condition='u gt 0'><set name='u' value='1'/></when>"), "an input"},
        {TYPE("<when condition='u gt 0'><set name='y' value='1'/></when>"), "an output"},
        {TYPE("<when condition='u gt 0'><set name='w' value='1'/></when>"), "a <variable>"},
        {TYPE("<when condition='u gt 0'><set name='l' value='1'/></when>"), "a <let>"},
        {TYPE("<when condition='u gt 0'><set name='d' value='1 s'/></when>"),
         "is in m, its value in s"},
        {TYPE("<when condition='pre(u) gt 0'><set name='n' value='1'/></when>"), "pre()"},
        {TYPE("<when condition='sample(u)'><set name='n' value='1'/></when>"),
         "made of parameters"},
        {TYPE("<when condition='sample(0)'><set name='n' value='1'/></when>"),
         "period of sample() is 0"},
        {TYPE("<when condition='sample(1 m)'><set name='n' value='1'/></when>"),
         "takes times in s, not m"},
        {TYPE("<when condition='sample()'><set name='n' value='1'/></when>"), "argument"},
        {TYPE("<when condition='u gt 0'><set name='n' value='sample(1)'/></when>"),
         "sample() stands in"},
        {TYPE("<let name='k' value='sample(1)'/>"), "sample() stands in"},
        {TYPE("<when condition='3 m'><set name='n' value='1'/></when>"), "is a comparison"},
        {TYPE("<when condition='u gt 0'><set name='n'/></when>"), "value="},
        {TYPE("<assert condition='u gt 0'/>"), "message="},
        {TYPE("<set name='n' value='1'/>"), "belongs in <when>"},
        {TYPE("<memory name='n'/>"), "already given"},
        {TYPE("<memory name='k' start='u'/>"), "unknown name 'u'"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        kit setup;
        kit_type(&setup, cases[k].text);
        CU_ASSERT_EQUAL(setup.status, LINNET_MODEL);
        CU_ASSERT(kit_said(&setup, cases[k].message));
        kit_free(&setup);
    }
}

UNIT_MAIN({"comparison", test_comparison}, {"floor, ceil, round, trunc", test_steps},
          {"what becomes a mode", test_what_becomes_a_mode}, {"nested conditions", test_nested},
          {"table", test_table}, {"bouncing ball", test_ball}, {"sets", test_sets},
          {"sample", test_sample}, {"sample and", test_sample_and},
          {"time in a memory", test_next_time}, {"arrays", test_arrays}, {"errors", test_errors})
