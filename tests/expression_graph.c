/* SPDX-License-Identifier: MIT */
/* The graph: sharing, folding, degrees, copies, breakpoints, text and back. */
#include "expression_fixture.h"
#include "expression_tests.h"
#include "base/text.h"

static void check_print(fixture *f, ln_node node, const char *expected) {
    ln_text text = {0};
    ln_node_print(f->graph, node, &text, fixture_leaf, NULL);
    CHECK_TEXT(text.data, expected);
    ln_text_free(&text);
}

/* What an expression folds to, as text. */
void test_folding(void) {
    static const struct {
        const char *text, *folded;
    } table[] = {
        {"1 + 2*3", "7"},
        {"x + 0", "x"},
        {"0 + x", "x"},
        {"x - 0", "x"},
        {"0 - x", "-x"},
        {"x*1", "x"},
        {"1*x", "x"},
        {"x*0", "0"},
        {"x/1", "x"},
        {"0/x", "0"},
        {"x^1", "x"},
        {"x^0", "1"},
        {"x^2", "x*x"},
        {"x^3", "x*x*x"},
        {"x^4", "x*x*(x*x)"},
        {"x^-1", "1/x"},
        {"x^-2", "1/(x*x)"},
        {"x^0.5", "sqrt(x)"},
        {"x^2.5", "x^2.5"},
        {"--x", ""},
        {"-(-x)", "x"},
        {"x - x", "0"},
        {"-(x - y)", "y - x"},
        {"x + -y", "x - y"},
        {"x - -y", "x + y"},
        {"-x + y", "y - x"},
        {"-x*y", "-(x*y)"},
        {"x*-y", "-(x*y)"},
        {"-x*-y", "x*y"},
        {"-x/y", "-(x/y)"},
        {"x*3", "3*x"},
        {"-1*x", "-x"},
        {"x/-1", "-x"},
        {"3*-x", "-3*x"},
        {"if(1, x, y)", "x"},
        {"if(0, x, y)", "y"},
        {"if(x, y, y)", "y"},
        {"if(not x, y, z)", "if(x, z, y)"},
        {"0 and x", "0"},
        {"x or 1", "1"},
        {"1 and x", "1 and x"},
        {"max(1, 2)", "2"},
        {"x*(1/0)", "x*(1/0)"},
        {"0*(1/0)", "0*(1/0)"},
        {"x + 1/0", "x + 1/0"},
        {"if(1, x, 1/0)", "x"},
        {"der(5 + p)", "0"},
        {"der(x)", "der(x)"},
        {"sin(0) + x", "x"},
        {"x - 1*x", "0"},
        {"(x + y) + (y + x)", "x + y + (x + y)"},
        {"x ne y", "not x eq y"},
        {"2 - x + 3", "2 - x + 3"},
        {"sinc(x)", "sinc(x)"},
        {"x gt y", "y lt x"},
        {"abs(x)", "if(x lt 0, -x, x)"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        fixture f;
        if (!*table[i].folded)
            continue;
        fixture_open(&f);
        check_print(&f, fixture_lower(&f, table[i].text, NULL), table[i].folded);
        fixture_close(&f);
    }
}

void test_sharing(void) {
    fixture f;
    fixture_open(&f);
    ln_node a = fixture_lower(&f, "sin(x*y) + p", NULL);
    int size = ln_graph_size(f.graph);
    CU_ASSERT_EQUAL(fixture_lower(&f, "sin(y*x) + p", NULL), a); /* products commute */
    CU_ASSERT_EQUAL(fixture_lower(&f, "p + sin(x*y)", NULL), a);
    CU_ASSERT_EQUAL(ln_graph_size(f.graph), size);
    for (int i = 0; i < 1000000; i++) /* asking again costs no memory */
        if (ln_operation(f.graph, LN_OP_MUL, fixture_unknown(&f, 0), fixture_unknown(&f, 1),
                         LN_NONE) == LN_NONE)
            break;
    CU_ASSERT_EQUAL(ln_graph_size(f.graph), size);
    /* a graph far beyond its first room finds all its nodes again */
    ln_node first = LN_NONE, sum = fixture_unknown(&f, 0);
    for (int i = 0; i < 20000; i++) {
        sum = ln_operation(f.graph, LN_OP_ADD, sum, ln_constant(f.graph, i + 0.5), LN_NONE);
        if (i == 10000)
            first = sum;
    }
    size = ln_graph_size(f.graph);
    sum = fixture_unknown(&f, 0);
    for (int i = 0; i <= 10000; i++)
        sum = ln_operation(f.graph, LN_OP_ADD, sum, ln_constant(f.graph, i + 0.5), LN_NONE);
    CU_ASSERT_EQUAL(sum, first);
    CU_ASSERT_EQUAL(ln_graph_size(f.graph), size);
    fixture_close(&f);
}

void test_depends(void) {
    static const struct {
        const char *text;
        unsigned mask;
    } table[] = {
        {"5", 0},
        {"p*q", 1u << LN_LEAF_PARAMETER},
        {"x + p", 1u << LN_LEAF_UNKNOWN | 1u << LN_LEAF_PARAMETER},
        {"sin(t)", 1u << LN_LEAF_TIME},
        {"der(x)", 1u << LN_LEAF_UNKNOWN | LN_DEPENDS_DER},
        {"1/0", 0},
    };
    fixture f;
    fixture_open(&f);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        CU_ASSERT_EQUAL(ln_depends(f.graph, fixture_lower(&f, table[i].text, NULL)), table[i].mask);
    ln_node node = fixture_lower(&f, "x*sin(y + p) + der(z)", NULL);
    CU_ASSERT(ln_contains(f.graph, node, fixture_unknown(&f, 1)));
    CU_ASSERT(ln_contains(f.graph, node, fixture_unknown(&f, 2)));
    CU_ASSERT(ln_contains(f.graph, node, fixture_lower(&f, "y + p", NULL)));
    CU_ASSERT(ln_contains(f.graph, node, node));
    CU_ASSERT_FALSE(ln_contains(f.graph, node, fixture_unknown(&f, 3)));
    CU_ASSERT_FALSE(ln_contains(f.graph, fixture_unknown(&f, 0), node));
    fixture_close(&f);
}

void test_degree(void) {
    static const struct {
        const char *text;
        ln_degree x;
    } table[] = {
        {"y", LN_DEGREE_NONE},
        {"5", LN_DEGREE_NONE},
        {"x", LN_DEGREE_LINEAR},
        {"-x + y", LN_DEGREE_LINEAR},
        {"p*x - q", LN_DEGREE_LINEAR},
        {"x/p", LN_DEGREE_LINEAR},
        {"x*sin(p)", LN_DEGREE_LINEAR},
        {"2*(x + 3*x)", LN_DEGREE_LINEAR},
        {"x + y^2", LN_DEGREE_LINEAR},
        {"if(p gt 0, 2*x, x)", LN_DEGREE_LINEAR},
        {"x + sin(t)", LN_DEGREE_LINEAR},
        {"x*y", LN_DEGREE_NONLINEAR},
        {"x*t", LN_DEGREE_NONLINEAR},
        {"p/x", LN_DEGREE_NONLINEAR},
        {"x^2", LN_DEGREE_NONLINEAR},
        {"sin(x)", LN_DEGREE_NONLINEAR},
        {"if(x gt 0, 2*x + 1, 2*x)", LN_DEGREE_NONLINEAR},
        {"floor(x)", LN_DEGREE_NONLINEAR},
        {"if(y gt 0, x, 2*x)", LN_DEGREE_NONLINEAR},
        {"if(t gt 1, x, 0)", LN_DEGREE_NONLINEAR},
        {"x*der(y)", LN_DEGREE_NONLINEAR},
        {"abs(x)", LN_DEGREE_NONLINEAR},
        {"p*der(y) + x", LN_DEGREE_LINEAR},
    };
    fixture f;
    fixture_open(&f);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        ln_degree degree =
            ln_degree_in(f.graph, fixture_lower(&f, table[i].text, NULL), fixture_unknown(&f, 0));
        if (degree != table[i].x)
            printf("\n    %s: %d\n", table[i].text, (int)degree);
        CU_ASSERT_EQUAL(degree, table[i].x);
    }
    ln_node der = ln_operation(f.graph, LN_OP_DER, fixture_unknown(&f, 1), LN_NONE, LN_NONE);
    CU_ASSERT_EQUAL(ln_degree_in(f.graph, fixture_lower(&f, "p*der(y) + x", NULL), der),
                    LN_DEGREE_LINEAR);
    CU_ASSERT_EQUAL(ln_degree_in(f.graph, fixture_lower(&f, "x*der(y)", NULL), der),
                    LN_DEGREE_NONLINEAR);
    CU_ASSERT_EQUAL(ln_degree_in(f.graph, fixture_lower(&f, "x*y", NULL), der), LN_DEGREE_NONE);
    fixture_close(&f);
}

/* ---- copies ---- */

/* x becomes sin(y), found by building in the graph it copies to; der(...) becomes the unknown 7. */
static ln_node replace(void *context, ln_graph *to, const ln_graph *from, ln_node node) {
    int index = -1, *calls = context;
    ++*calls;
    if (ln_node_op(from, node) == LN_OP_DER)
        return ln_leaf_node(to, LN_LEAF_UNKNOWN, 7);
    if (ln_node_leaf(from, node, &index) != LN_LEAF_UNKNOWN || index != 0)
        return LN_NONE;
    ln_node y = ln_leaf_node(to, LN_LEAF_UNKNOWN, 1);
    ln_node minus_cos = ln_operation(
        to, LN_OP_NEG, ln_operation(to, LN_OP_COS, y, LN_NONE, LN_NONE), LN_NONE, LN_NONE);
    return ln_derivative(to, minus_cos, y); /* a mapping may walk the graph itself */
}

void test_copy(void) {
    fixture f;
    int calls = 0;
    fixture_open(&f);
    ln_node nodes[3] = {fixture_lower(&f, "x*x + p*der(z)", NULL), LN_NONE,
                        fixture_lower(&f, "x + z", NULL)};
    ln_node table = ln_table(f.graph, fixture_unknown(&f, 0), fixture_unknown(&f, 0), 1, 2);
    ln_graph *other = ln_graph_new();
    ln_node copied[3] = {nodes[0], nodes[1], nodes[2]};
    ln_copy(other, f.graph, copied, 3, replace, &calls);
    CU_ASSERT_EQUAL(calls, 4); /* x, p, z, der(z), once each */
    CU_ASSERT_EQUAL(copied[1], LN_NONE);
    ln_graph *own = f.graph;
    f.graph = other;
    CU_ASSERT_EQUAL(ln_depends(other, copied[0]), 1u << LN_LEAF_UNKNOWN | 1u << LN_LEAF_PARAMETER);
    check_print(&f, copied[2], "sin(y) + z");
    f.graph = own;
    ln_copy(f.graph, f.graph, nodes + 2, 1, replace, &calls); /* substitution */
    check_print(&f, nodes[2], "sin(y) + z");
    ln_copy(other, f.graph, &table, 1, replace, &calls);
    CU_ASSERT_EQUAL(ln_node_op(other, table), LN_OP_TABLE);
    ln_graph_free(other);
    fixture_close(&f);
}

/* ---- breakpoints ---- */

typedef struct pulse {
    fixture f;
    ln_node node;
    const ln_breakpoints *breakpoints;
    double *file;
    double parameters[16];
} pulse;

static void pulse_decide(pulse *s) {
    const ln_breakpoint *breakpoints;
    int count = ln_decide_time(s->f.graph, &s->node, 1, s->f.arena, &breakpoints);
    s->breakpoints = ln_breakpoints_compile(s->f.arena, s->f.graph, breakpoints, count);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s->breakpoints);
    s->file = LN_NEW(s->f.arena, double, s->breakpoints->program->registers);
    ln_program_start(s->breakpoints->program, s->file, s->parameters);
}

static void pulse_open(pulse *s, const char *text, double p, double q, double T) {
    fixture_open(&s->f);
    const double parameters[16] = {p, q, 100, T, 0, 1, 1, 3, 1, 5, 3, 1};
    memcpy(s->parameters, parameters, sizeof parameters);
    s->node = fixture_lower(&s->f, text, NULL);
    CU_ASSERT_NOT_EQUAL_FATAL(s->node, LN_NONE);
}

static double pulse_next(pulse *s, double t) {
    return ln_breakpoints_next(s->breakpoints, s->file, s->parameters, NULL, t);
}

/* Value at t with conditions decided at `decide`. */
static double pulse_value(pulse *s, double t, double decide) {
    const ln_program *program = ln_program_compile(s->f.arena, s->f.graph, &s->node, 1);
    double *file = LN_NEW(s->f.arena, double, program->registers);
    ln_program_start(program, file, s->parameters);
    ln_program_run(program, file, s->parameters, &(linnet_point){t, decide, NULL, NULL});
    return file[program->output[0]];
}

/* The breakpoints of each text from a time on; NAN ends the list, INFINITY is "none". */
static const struct {
    const char *text;
    double p, q, T, from, next[5];
} corner_cases[] = {
    {"t lt p", 0.1, 0, 1, -1, {0.1, INFINITY, NAN}},
    {"if(p le t, 5, 0)", 0.3, 0, 1, 0, {0.3, INFINITY, NAN}},
    {"if(t ge p, 5, 0)", 0.7, 0, 1, 0.7, {INFINITY, NAN}},
    {"if(t ge 1, 5, if(t ge 2, 3, 0))", 0, 0, 1, 0, {1, 2, INFINITY, NAN}},
    {"abs(2*t - 3)", 0, 0, 1, 0, {1.5, INFINITY, NAN}},
    {"floor(t)", 0, 0, 1, -1.5, {-1, 0, 1, 2, NAN}},
    {"floor(-t)", 0, 0, 1, -1.5, {-1, 0, 1, 2, NAN}},
    {"ceil(t/T)", 0, 0, 0.1, 0, {0.1, 0.2, 0.3, 0.4, NAN}},
    {"round(t)", 0, 0, 1, 0, {0.5, 1.5, 2.5, NAN}},
    {"mod(t, T)", 0, 0, 0.25, 0, {0.25, 0.5, 0.75, NAN}},
    {"mod(t, T) lt p", 0.1, 0, 1, 0, {0.1, 1, 1.1, 2, NAN}},
    {"mod(t - q, T) lt p", 0.1, 0.05, 1, 0, {0.05, 0.15, 1.05, 1.15, NAN}},
    {"if(t lt q, 0, mod(t - q, T) lt p)", 0.1, 0.05, 1, 0, {0.05, 0.15, 1.05, 1.15, NAN}},
    {"clamp(mod(t, T)/p, 0, 1)", 0.25, 0, 1, 0, {0.25, 1, 1.25, 2, NAN}},
    {"if(mod(t, T) lt 0.5, mod(t, 0.125) lt 0.0625, 0)",
     0,
     0,
     1,
     0.4,
     {0.4375, 0.5, 0.5625, 0.625, NAN}},
    {"max(t, 2 - t)", 0, 0, 1, 0, {1, INFINITY, NAN}},
    {"if(if(t lt 1, 2*t, t + 1) lt 3, 0, 1)", 0, 0, 1, 0, {1, 2, INFINITY, NAN}},
    {"sin(t) lt 0", 0, 0, 1, 0, {INFINITY, NAN}},
    {"x lt t", 0, 0, 1, 0, {INFINITY, NAN}},
    {"t*t lt 2", 0, 0, 1, 0, {INFINITY, NAN}},
    {"if(sin(t) gt 0, t + 1, t) lt 2", 0, 0, 1, 0, {INFINITY, NAN}}, /* its derivative is 1, but it
                                                                        jumps */
    {"t + floor(sin(t)) lt 2", 0, 0, 1, 0, {INFINITY, NAN}},
    {"2*(t - p)/q lt 0", 3, 0.5, 1, 0, {3, INFINITY, NAN}},
};

void test_corners(void) {
    for (size_t i = 0; i < sizeof corner_cases / sizeof *corner_cases; i++) {
        pulse s;
        pulse_open(&s, corner_cases[i].text, corner_cases[i].p, corner_cases[i].q,
                   corner_cases[i].T);
        pulse_decide(&s);
        double t = corner_cases[i].from;
        for (int k = 0; !isnan(corner_cases[i].next[k]); k++) {
            double next = pulse_next(&s, t), expected = corner_cases[i].next[k];
            int good = isinf(expected) ? next == expected
                                       : fabs(next - expected) <= 4e-16 * fmax(1, fabs(expected));
            if (!good)
                printf("\n    %s after %.17g: %.17g, not %.17g\n", corner_cases[i].text, t, next,
                       expected);
            CU_ASSERT(good);
            t = next;
        }
        fixture_close(&s.f);
    }
}

/* Each side of a breakpoint, and no breakpoint met twice or left out on the way. */
void test_corner_sides(void) {
    pulse s;
    pulse_open(&s, "if(t lt p, 2, 3*t)", 0.1, 0, 1);
    pulse_decide(&s);
    CU_ASSERT_EQUAL(pulse_next(&s, 0), 0.1); /* exactly */
    CU_ASSERT_EQUAL(pulse_value(&s, 0.1, 0.05), 2);
    CU_ASSERT_EQUAL(pulse_value(&s, 0.1, 0.15), 3 * 0.1);
    fixture_close(&s.f);

    pulse_open(&s, "if(mod(t, T) lt p, 1, 0)", 0.003, 0, 0.01);
    pulse_decide(&s);
    double t = 0;
    for (int k = 1; k <= 20000; k++) { /* 10 000 periods: breakpoints at n T + p and n T */
        double next = pulse_next(&s, t), expected = 0.01 * (k / 2) + (k % 2 ? 0.003 : 0);
        if (!(fabs(next - expected) < 1e-12)) {
            printf("\n    corner %d at %.17g, expected %.17g\n", k, next, expected);
            CU_FAIL("corner");
            break;
        }
        CU_ASSERT_EQUAL(pulse_value(&s, next, 0.5 * (t + next)), k % 2);
        t = next;
    }
    fixture_close(&s.f);
}

void test_corner_table(void) {
    pulse s;
    pulse_open(&s, "t", 0, 0, 1);
    s.node = ln_table(s.f.graph, s.node, s.node, 4, 4); /* 0 1, 1 3, 1 5, 3 1 */
    pulse_decide(&s);
    CU_ASSERT_EQUAL(pulse_next(&s, -1), 0);
    CU_ASSERT_EQUAL(pulse_next(&s, 0), 1);
    CU_ASSERT_EQUAL(pulse_next(&s, 1), 3);
    CU_ASSERT_EQUAL(pulse_next(&s, 3), INFINITY);
    CU_ASSERT_EQUAL(pulse_value(&s, 1, 0.5), 3);
    CU_ASSERT_EQUAL(pulse_value(&s, 1, 1.5), 5);
    CU_ASSERT_EQUAL(pulse_value(&s, 2, 2), 3);
    fixture_close(&s.f);
    /* a table over a periodic time, and a condition on a table */
    pulse_open(&s, "mod(t, 4)", 0, 0, 1);
    s.node = ln_table(s.f.graph, s.node, s.node, 4, 4);
    s.node = ln_operation(s.f.graph, LN_OP_LT, s.node, ln_constant(s.f.graph, 2), LN_NONE);
    pulse_decide(&s);
    static const double expected[] = {0.5, 1, 2.5, 3, 4, 4.5, 5, 6.5};
    double t = 0;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        CHECK_CLOSE(pulse_next(&s, t), expected[i], 1e-15);
        t = pulse_next(&s, t);
    }
    fixture_close(&s.f);
}

/* The same instant asked for in several places is one breakpoint; the slope of a table changes
 * where the table does. */
void test_corner_shared(void) {
    fixture f;
    const ln_breakpoint *breakpoints;
    fixture_open(&f);
    ln_node nodes[3] = {fixture_lower(&f, "if(t lt p, 1, 2) + if(t le p, x, y)", NULL), LN_NONE,
                        fixture_lower(&f, "floor(t) + ceil(t)*x", NULL)};
    CU_ASSERT_EQUAL(ln_decide_time(f.graph, nodes, 3, f.arena, &breakpoints), 2);
    CU_ASSERT_EQUAL(breakpoints[0].kind, LN_BREAKPOINT_ZERO);
    CU_ASSERT_EQUAL(breakpoints[1].kind, LN_BREAKPOINT_INTEGER);
    CU_ASSERT_EQUAL(nodes[1], LN_NONE);
    CU_ASSERT_EQUAL(ln_depends(f.graph, nodes[2]), 1u << LN_LEAF_DECIDE | 1u << LN_LEAF_UNKNOWN);
    /* all is decided */
    CU_ASSERT_EQUAL(ln_decide_time(f.graph, nodes, 3, f.arena, &breakpoints), 0);

    ln_node t = fixture_time(&f), table = ln_table(f.graph, t, t, 4, 4);
    ln_node slope = ln_derivative(f.graph, table, t);
    CU_ASSERT_EQUAL(ln_decide_time(f.graph, &slope, 1, f.arena, &breakpoints), 1);
    CU_ASSERT_EQUAL(breakpoints[0].kind, LN_BREAKPOINT_TABLE);
    CU_ASSERT_EQUAL(ln_depends(f.graph, slope), 1u << LN_LEAF_DECIDE | 1u << LN_LEAF_PARAMETER);
    fixture_close(&f);
}

/* Breakpoints of rounded crossings: strictly after, and none a few units in the last place behind.
 */
void test_corner_next(void) {
    for (int i = 1; i <= 1000; i++) {
        double t0 = 0.1 * i, scale = 1.0 / 3, shift = -scale * t0;
        double crossing = ln_breakpoint_next(LN_BREAKPOINT_ZERO, scale, shift, NULL, 0, 0);
        CHECK_CLOSE(crossing / t0, 1, 4e-16);
        CU_ASSERT_EQUAL(ln_breakpoint_next(LN_BREAKPOINT_ZERO, scale, shift, NULL, 0, crossing),
                        INFINITY);
        CU_ASSERT_EQUAL(ln_breakpoint_next(LN_BREAKPOINT_ZERO, scale, shift, NULL, 0, t0),
                        INFINITY);
        CU_ASSERT_EQUAL(ln_breakpoint_next(LN_BREAKPOINT_ZERO, 1, -t0, NULL, 0, 0), t0);
        CU_ASSERT_EQUAL(ln_breakpoint_next(LN_BREAKPOINT_ZERO, -1, t0, NULL, 0, 0), t0);
    }
    double t = 0;
    for (int i = 1; i <= 100000; i++) {
        t = ln_breakpoint_next(LN_BREAKPOINT_INTEGER, 1 / 0.1, 0, NULL, 0, t);
        if (!(fabs(t - 0.1 * i) < 1e-9))
            break;
    }
    CHECK_CLOSE(t, 10000, 1e-15);
    CU_ASSERT_EQUAL(ln_breakpoint_next(LN_BREAKPOINT_INTEGER, 0, 0.5, NULL, 0, 0), INFINITY);
    CU_ASSERT_EQUAL(ln_breakpoint_next(LN_BREAKPOINT_INTEGER, 1, 0, NULL, 0, 1e300), INFINITY);
    CU_ASSERT_EQUAL(ln_breakpoint_next(LN_BREAKPOINT_ZERO, NAN, 0, NULL, 0, 0), INFINITY);
    CU_ASSERT_EQUAL(ln_breakpoint_next(LN_BREAKPOINT_ZERO, 1, INFINITY, NULL, 0, 0), INFINITY);
}

/* ---- random expressions ---- */

static unsigned long long seed = 1;

static unsigned random_below(unsigned limit) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(seed >> 33) % limit;
}

/* Writes a random expression and returns its value, computed here in C. */
static double random_expression(ln_text *text, int depth, const double *x) {
    static const char *const operators[] = {" + ", "-", "*", " - ", "/", " lt ", "^"};
    unsigned kind = depth == 0 ? random_below(2) : random_below(8);
    if (kind == 0) {
        unsigned k = random_below(3);
        ln_text_printf(text, "%c", "xyz"[k]);
        return x[k];
    }
    if (kind == 1) {
        double value = random_below(400) / 32.0;
        char number[32];
        ln_number_format(number, value);
        ln_text_add(text, number);
        return value;
    }
    if (kind == 2) {
        ln_text_add(text, "(-");
        double a = random_expression(text, depth - 1, x);
        ln_text_add(text, ")");
        return -a;
    }
    if (kind == 3) {
        ln_text_add(text, "if(");
        double c = random_expression(text, depth - 1, x);
        ln_text_add(text, ", ");
        double a = random_expression(text, depth - 1, x);
        ln_text_add(text, ", ");
        double b = random_expression(text, depth - 1, x);
        ln_text_add(text, ")");
        return c != 0 ? a : b;
    }
    if (kind == 4) {
        ln_text_add(text, "sin(");
        double a = random_expression(text, depth - 1, x);
        ln_text_add(text, ")");
        return sin(a);
    }
    unsigned which = random_below(7);
    ln_text_add(text, "(");
    double a = random_expression(text, depth - 1, x);
    ln_text_add(text, operators[which]);
    if (which == 6) {
        unsigned power = random_below(4) + 1;
        ln_text_printf(text, "%u)", power);
        return pow(a, power);
    }
    double b = random_expression(text, depth - 1, x);
    ln_text_add(text, ")");
    switch (which) {
    case 0: return a + b;
    case 1:
    case 3: return a - b;
    case 2: return a * b;
    case 4: return a / b;
    default: return a < b;
    }
}

/* Text, to graph, to value as computed in C; to text, to the very same node. */
void test_random(void) {
    const double x[FIXTURE_UNKNOWNS] = {0.75, -1.3, 2.1}, parameters[FIXTURE_PARAMETERS] = {0};
    int compared = 0;
    for (int i = 0; i < 3000; i++) {
        fixture f;
        ln_text text = {0}, printed = {0};
        fixture_open(&f);
        double expected = random_expression(&text, 5, x);
        ln_node node = fixture_lower(&f, text.data, NULL);
        if (node == LN_NONE)
            printf("\n    %s: %s\n", text.data, fixture_message(&f));
        CU_ASSERT_NOT_EQUAL_FATAL(node, LN_NONE);
        double value = fixture_run(&f, node, parameters, x, 0);
        if (isfinite(expected) && fabs(expected) < 1e6) {
            compared++;
            /* sin of a large value and differences of equal ones lose digits */
            if (!(fabs(value - expected) <= 1e-7 * fmax(1, fabs(expected))))
                printf("\n    %s\n    is %.17g, not %.17g\n", text.data, value, expected);
            CHECK_CLOSE(value, expected, 1e-7);
        }
        ln_node_print(f.graph, node, &printed, fixture_leaf, NULL);
        ln_node again = fixture_lower(&f, printed.data, NULL);
        if (again != node)
            printf("\n    %s\n    is read back differently\n", printed.data);
        CU_ASSERT_EQUAL(again, node);
        ln_text_free(&text);
        ln_text_free(&printed);
        fixture_close(&f);
    }
    CU_ASSERT(compared > 1500);
}

/* Random bytes and random tokens are refused or accepted, never worse. */
void test_garbage(void) {
    static const char *const tokens[] = {
        "x",    "1",   "2.5",  "(",      ")",    ",",    "+", "-",  "*",   "/",   "^", " ",
        "sin(", "if(", "lt",   "and",    "not",  "!",    "=", "kV", "%",   "`a`", ".", "e",
        "1e",   ";",   "\xC3", "10 m/s", "degC", "min(", "p", "&&", "1e5", "k"};
    fixture f;
    for (int i = 0; i < 20000; i++) {
        ln_text text = {0};
        int rows, cols;
        fixture_open(&f);
        for (unsigned n = random_below(12); n > 0; n--)
            ln_text_add(&text, tokens[random_below(sizeof tokens / sizeof *tokens)]);
        if (random_below(4) == 0 && text.length > 0)
            text.data[random_below((unsigned)text.length)] = (char)(1 + random_below(255));
        const char *data = text.data ? text.data : "";
        int errors = ln_report_errors(f.report);
        ln_node node = fixture_lower(&f, data, NULL);
        CU_ASSERT_EQUAL(node == LN_NONE, ln_report_errors(f.report) > errors);
        errors = ln_report_errors(f.report);
        const ln_ast **list = ln_ast_parse_list(f.arena, data, LN_NOWHERE, f.report, &rows, &cols);
        CU_ASSERT_EQUAL(list == NULL, ln_report_errors(f.report) > errors);
        ln_text_free(&text);
        fixture_close(&f);
    }
}

/* Deep and shared: no recursion, and a text that would double at every node ends. */
void test_deep(void) {
    fixture f;
    ln_text text = {0};
    const double x[FIXTURE_UNKNOWNS] = {1}, parameters[FIXTURE_PARAMETERS] = {0};
    fixture_open(&f);
    ln_node node = fixture_unknown(&f, 0), other = fixture_unknown(&f, 1);
    for (int i = 0; i < 200000; i++)
        node = ln_operation(f.graph, i % 2 ? LN_OP_SIN : LN_OP_COS, node, LN_NONE, LN_NONE);
    CU_ASSERT(isfinite(
        fixture_run(&f, ln_derivative(f.graph, node, fixture_unknown(&f, 0)), parameters, x, 0)));
    ln_node_print(f.graph, node, &text, fixture_leaf, NULL);
    CU_ASSERT(text.length < 70000);
    ln_text_free(&text);
    node = fixture_unknown(&f, 0);
    for (int i = 0; i < 100; i++)
        node = ln_operation(f.graph, LN_OP_SUB,
                            ln_operation(f.graph, LN_OP_MUL, node, node, LN_NONE), other, LN_NONE);
    ln_node_print(f.graph, node, &text, fixture_leaf, NULL);
    CU_ASSERT(text.length < 70000);
    CHECK_TEXT(text.data + text.length - 3, "...");
    ln_text_free(&text);
    CU_ASSERT_EQUAL(ln_degree_in(f.graph, node, other), LN_DEGREE_NONLINEAR);
    fixture_close(&f);
}

/* What overflows out of finite numbers stays an operation, which fails by its name; what is
 * infinite from the start is a number as any. */
void test_overflow(void) {
    fixture f;
    fixture_open(&f);
    ln_graph *graph = f.graph;
    const ln_node large = ln_constant(graph, 1e200), infinite = ln_constant(graph, INFINITY);
    CU_ASSERT(ln_operation(graph, LN_OP_MUL, large, large, LN_NONE) != infinite);
    CU_ASSERT(ln_operation(graph, LN_OP_EXP, ln_constant(graph, 1000), LN_NONE, LN_NONE) !=
              infinite);
    CU_ASSERT(ln_operation(graph, LN_OP_ADD, infinite, large, LN_NONE) == infinite);
    CU_ASSERT(ln_operation(graph, LN_OP_DIV, large, infinite, LN_NONE) == ln_constant(graph, 0));
    fixture_close(&f);
}

/* The gradient of a sum of random expressions, sums within it, is node for node what the
 * derivatives are; where one term has no value at all (0/0), the slope of another variable may
 * lack that. */
void test_gradient(void) {
    const double x[FIXTURE_UNKNOWNS] = {1, 2, 3}, parameters[FIXTURE_PARAMETERS] = {0};
    for (int round = 0; round < 300; round++) {
        fixture f;
        ln_text text = {0};
        fixture_open(&f);
        const ln_node variables[3] = {fixture_unknown(&f, 0), fixture_unknown(&f, 1),
                                      fixture_unknown(&f, 2)};
        for (unsigned n = 1 + random_below(6); n > 0; n--) {
            ln_text_add(&text, random_below(3) == 0 ? "-(" : "+(");
            (void)random_expression(&text, 3, x);
            ln_text_add(&text, random_below(3) == 0 ? ")/7" : ")");
        }
        const ln_node node = fixture_lower(&f, text.data + 1, NULL);
        ln_node slopes[3];
        CU_ASSERT(node == LN_NONE || ln_gradient(f.graph, node, variables, 3, slopes));
        for (int k = 0; k < 3 && node != LN_NONE; k++) {
            const ln_node slope = ln_derivative(f.graph, node, variables[k]);
            CU_ASSERT(slopes[k] == slope || !isfinite(fixture_run(&f, slope, parameters, x, 0)));
        }
        ln_text_free(&text);
        fixture_close(&f);
    }
}
