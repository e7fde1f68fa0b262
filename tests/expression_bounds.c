/* SPDX-License-Identifier: MIT */
/* Values of expressions as intervals: by hand for what must be told under a condition, and against
 * sampled values for what must never be excluded. */
#include "expression/bounds.h"
#include "expression/poles.h"
#include "expression/range.h"
#include "expression_fixture.h"
#include "expression_tests.h"

#include <math.h>
#include <string.h>

static const double parameters[FIXTURE_PARAMETERS] = {2, -3, 0.5, 4}; /* p q R T */

static ln_bounds bounds_of(fixture *f) {
    return (ln_bounds){.graph = f->graph, .p = parameters, .variable = fixture_unknown(f, 0)};
}

#define INF INFINITY

void test_bounds(void) {
    static const double pi = 3.14159265358979323846;
    static const struct {
        const char *condition, *text; /* the condition holds */
        double low, high;
    } cases[] = {
        {"1", "x", -INF, INF},
        {"1", "p + q", -1, -1},
        {"x gt 2 and x lt 3", "x", 2, 3},
        {"2 lt x and 3 ge x", "x", 2, 3},
        {"not (x lt 2 or x gt 3)", "x", 2, 3},
        {"x gt 2 and x lt 3", "x + 1", 3, 4},
        {"x gt 2 and x lt 3", "1 - x", -2, -1},
        {"x gt 2 and x lt 3", "-x", -3, -2},
        {"x gt 2 and x lt 3", "2*x", 4, 6},
        {"x gt 2 and x lt 3", "-2*x", -6, -4},
        {"x gt 2 and x lt 4", "x/8", 0.25, 0.5},
        {"x gt 2 and x lt 4", "8/x", 2, 4},
        {"x gt -2 and x lt 4", "8/x", -INF, INF},
        {"x gt 0 and x lt 4", "8/x", 2, INF},
        {"x lt 0 and x gt -4", "8/x", -INF, -2},
        {"x gt -2 and x lt 3", "x*x", 0, 9},
        {"x gt -4 and x lt 3", "x*x", 0, 16},
        {"x gt 2 and x lt 3", "x*x", 4, 9},
        {"x gt -3 and x lt -2", "x*x", 4, 9},
        {"x gt -2 and x lt 3", "x*y", -INF, INF},
        {"x gt -2 and x lt 3 and y gt -5 and y lt 7", "x*y", -15, 21},
        {"x gt -2 and x lt 3 and y gt 5 and y lt 7", "x*y", -14, 21},
        {"x gt -2 and x lt 3 and y gt 5 and y lt 7", "x - y", -9, -2},
        {"x gt -2 and x lt 3 and y gt 5 and y lt 7", "x + y", 3, 10},
        {"x gt 0 and y gt 0", "x*y", 0, INF},
        {"y gt 0", "0*y", 0, 0},
        {"x gt 2 and x lt 3", "x - x", 0, 0},
        {"x gt 2 and x lt 3", "x^y", 0, INF},
        {"x lt 0", "x^2", 0, INF},
        {"x lt 0", "x^3", -INF, 0},
        {"x lt 0", "x^y", -INF, INF},
        /* what holds for an expression of x holds for x in its way */
        {"x + 1 gt 3", "x", 2, INF},
        {"x - 1 gt 3", "x", 4, INF},
        {"1 - x gt 3", "x", -INF, -2},
        {"-x gt 3", "x", -INF, -3},
        {"4*x gt 2", "x", 0.5, INF},
        {"-4*x gt 2", "x", -INF, -0.5},
        {"x/4 gt 2", "x", 8, INF},
        {"x/-4 gt 2", "x", -INF, -8},
        {"1/x gt 2", "x", -INF, INF},
        {"1 - 2*x gt 5 and 1 - 2*x lt 9", "x", -4, -2},
        {"x + y gt 3", "x", -INF, INF},
        {"0*x lt 3", "x", -INF, INF},
        {"x gt y and y gt 2", "y", 2, INF},
        {"y gt 2 and x gt y", "x", 2, INF},
        {"y lt 2 and x le y", "x", -INF, 2},
        {"x lt -2 and x gt y", "y", -INF, -2},
        /* conditions and choices */
        {"x gt 2", "x gt 1", 1, 1},
        {"x gt 2", "x lt 1", 0, 0},
        {"x gt 2", "x gt 3", 0, 1},
        {"x gt 2", "if(x gt 1, 7, 9)", 7, 7},
        {"x gt 2", "if(x lt 1, 7, 9)", 9, 9},
        {"x gt 2", "if(x gt 3, 7, 9)", 7, 9},
        /* a truth beside a number: it is at most 1, and less than 1 where it does not hold */
        {"x gt 2", "if((x gt 1) le 1, 7, 9)", 7, 9},
        {"x gt 2", "if((x gt 1) le 0.5, 7, 9)", 9, 9},
        {"x gt 2", "if((x gt 1) gt 0.5, 7, 9)", 7, 7},
        {"1", "if(x gt 3, x, 3)", 3, INF},
        {"1", "if(x gt 3, 3, x)", -INF, 3},
        {"1", "if(x gt -1 and x lt 1, x, 0)", -1, 1},
        {"1", "if(not (x lt -1 or x gt 1), x, 0)", -1, 1},
        {"1", "max(x, 3)", 3, INF},
        {"1", "min(x, 3)", -INF, 3},
        {"1", "clamp(x, -1, 2)", -1, 2},
        {"1", "noevent(clamp(x, -1, 2))", -1, 2},
        {"1", "abs(x)", 0, INF},
        {"x gt 2 and x lt 3", "abs(x)", 2, 3},
        {"x gt -3 and x lt -2", "abs(x)", 2, 3},
        {"x gt -3 and x lt 2", "sign(x)", -1, 1},
        {"x gt 3", "sign(x)", 1, 1},
        {"1", "(x gt 0) + (y gt 0)", 0, 2},
        {"1", "x == y", 0, 1},
        /* functions: rising, falling, of a fixed range */
        {"x gt 4 and x lt 9", "sqrt(x)", 2, 3},
        {"x lt 9", "sqrt(x)", 0, 3},
        {"x gt -8 and x lt 8", "cbrt(x)", -2, 2},
        {"x lt 0", "exp(x)", 0, 1},
        {"x lt 3", "exp2(x)", 0, 8},
        {"x lt 0", "expm1(x)", -1, 0},
        {"x gt 1", "log(x)", 0, INF},
        {"x lt 1", "log(x)", -INF, 0},
        {"x gt 4 and x lt 8", "log2(x)", 2, 3},
        {"x gt 10 and x lt 1000", "log10(x)", 1, 3},
        {"x lt 0", "log1p(x)", -INF, 0},
        {"x gt 0", "asin(x)", 0, INF},
        {"x gt 0 and x lt 1", "acos(x)", 0, 1.5707963267948966},
        {"x gt 0", "atan(x)", 0, 1.5707963267948966},
        {"1", "tanh(x)", -1, 1},
        {"x gt 0", "tanh(x)", 0, 1},
        {"x gt 0", "sinh(x)", 0, INF},
        {"x gt 0", "asinh(x)", 0, INF},
        {"1", "acosh(x)", 0, INF},
        {"x gt 0 and x lt 1", "atanh(x)", 0, INF},
        {"1", "erf(x)", -1, 1},
        {"x gt 0", "erf(x)", 0, 1},
        {"1", "erfc(x)", 0, 2},
        {"x gt 0", "erfc(x)", 0, 1},
        {"x gt 1.5 and x lt 3.5", "floor(x)", 1, 3},
        {"x gt 1.5 and x lt 3.5", "ceil(x)", 2, 4},
        {"x gt 1.4 and x lt 3.6", "round(x)", 1, 4},
        {"x gt -1.5 and x lt 3.5", "trunc(x)", -1, 3},
        {"1", "hypot(x, y)", 0, INF},
        {"1", "cosh(x)", 1, INF},
        {"1", "sin(x)", -1, 1},
        {"1", "cos(x)", -1, 1},
        {"1", "atan2(x, y)", -pi, pi},
        {"1", "tan(x)", -INF, INF},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        fixture f;
        fixture_open(&f);
        const ln_node condition = fixture_lower(&f, cases[k].condition, NULL),
                      node = fixture_lower(&f, cases[k].text, NULL);
        CU_ASSERT_FATAL(condition != LN_NONE && node != LN_NONE);
        ln_bounds b = bounds_of(&f);
        CU_ASSERT(ln_bounds_assume(&b, condition, 1));
        const ln_interval is = ln_bounds_of(&b, node);
        if (is.low != cases[k].low || is.high != cases[k].high)
            printf("\n    %s where %s: [%.17g, %.17g], not [%g, %g]\n", cases[k].text,
                   cases[k].condition, is.low, is.high, cases[k].low, cases[k].high);
        CU_ASSERT(is.low == cases[k].low && is.high == cases[k].high && b.depth == 0);
        fixture_close(&f);
    }
}

/* Conditions that cannot hold together, and such that can. */
void test_bounds_impossible(void) {
    static const struct {
        const char *condition;
        int possible;
    } cases[] = {{"x gt 2 and x lt 1", 0},
                 {"x ge 2 and x le 2", 1},
                 {"x gt 2 and 2*x lt 3", 0},
                 {"x gt 2 and -x gt 1", 0},
                 {"x gt 2 and x - 3 lt -2", 0},
                 {"x gt 2 and 1 - x gt 0", 0},
                 {"x gt 2 and x/2 lt 0.5", 0},
                 {"x gt 2 and x + 3 lt 4", 0},
                 {"x gt 2 and y lt 1", 1},
                 {"y gt 2 and x gt y and x lt 1", 0},
                 {"exp(x) lt 0", 1},
                 {"exp(x) lt -1", 0},
                 {"not (x gt 2) and x gt 3", 0},
                 {"x*x lt -1", 0},
                 {"x == 3", 1},
                 {"x gt 2 and (x gt 1) lt 0.5", 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        fixture f;
        fixture_open(&f);
        ln_bounds b = bounds_of(&f);
        const ln_node condition = fixture_lower(&f, cases[k].condition, NULL);
        if (ln_bounds_assume(&b, condition, 1) != cases[k].possible)
            printf("\n    %s\n", cases[k].condition);
        CU_ASSERT(ln_bounds_assume(&b, condition, 1) == cases[k].possible);
        fixture_close(&f);
    }
}

/* ---- whatever is claimed, no value contradicts it ---- */

static unsigned long long state;
static unsigned draw(unsigned below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

/* A random expression of x, y, small numbers and functions, as text. Its parts have values
 * everywhere. */
static void write(char *to, size_t room, int depth) {
    static const char *const leaves[] = {"x", "x", "y", "2", "0.5", "-1", "p", "q"};
    /* before and behind the first argument, and behind the second */
    static const char *const forms[][3] = {{"abs(", ")", NULL},
                                           {"tanh(", ")", NULL},
                                           {"exp(min(", ", 3))", NULL},
                                           {"sqrt(abs(", "))", NULL},
                                           {"floor(", ")", NULL},
                                           {"round(", ")", NULL},
                                           {"sin(", ")", NULL},
                                           {"cos(", ")", NULL},
                                           {"cosh(tanh(", "))", NULL},
                                           {"atan(", ")", NULL},
                                           {"sign(", ")", NULL},
                                           {"cbrt(", ")", NULL},
                                           {"erf(", ")", NULL},
                                           {"erfc(", ")", NULL},
                                           {"acos(tanh(", "))", NULL},
                                           {"log(0.1 + abs(", "))", NULL},
                                           {"(-", ")", NULL},
                                           {"(", ")^3", NULL},
                                           {"(", ")^2", NULL},
                                           {"noevent(", ")", NULL},
                                           {"(", " + ", ")"},
                                           {"(", " - ", ")"},
                                           {"(", "*", ")"},
                                           {"(", "*", ")"},
                                           {"((", ")/(1 + abs(", ")))"},
                                           {"((", ")/ (", "))"}, /* a pole where there is a space */
                                           {"tan (", ")", NULL},
                                           {"((", ")/(-2 - cosh(tanh(", "))))"},
                                           {"min(", ", ", ")"},
                                           {"max(", ", ", ")"},
                                           {"hypot(", ", ", ")"},
                                           {"atan2(", ", 1 + abs(", "))"},
                                           {"if(x*y gt 0.4, ", ", ", ")"},
                                           {"if(x lt y or 2*x gt 3, ", ", ", ")"},
                                           {"if(not (x lt 0.3 and y gt 1), ", ", ", ")"}};
    char a[400] = "", b[400] = "";
    if (depth == 0 || draw(6) == 0) {
        snprintf(to, room, "%s", leaves[draw(8)]);
        return;
    }
    const char *const *form = forms[draw(sizeof forms / sizeof *forms)];
    write(a, sizeof a, depth - 1);
    if (form[2] != NULL)
        write(b, sizeof b, depth - 1);
    snprintf(to, room, "%s%.150s%s%.150s%s", form[0], a, form[1], b,
             form[2] != NULL ? form[2] : "");
}

static int is_inside(double value, ln_interval is) {
    const double slack = 1e-9 * fmax(1, fabs(value));
    const int is_above = value >= is.low - slack, is_below = value <= is.high + slack;
    return isnan(value) || (is.low > is.high ? is_above || is_below : is_above && is_below);
}

/* Of the program of a node, with its unknowns between low[] and high[] and the time in t. */
static ln_interval range_in(const fixture *f, ln_node node, const ln_box *box) {
    const ln_program *program = ln_program_compile(f->arena, f->graph, &node, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(program);
    double *file = LN_NEW(f->arena, double, program->registers);
    ln_interval *range = LN_NEW(f->arena, ln_interval, program->registers);
    ln_program_start(program, file, box->parameters);
    ln_program_range(program, file, box, range);
    return range[program->output[0]];
}

/* x in [-1, 2], y in [0.5, 1.5], t in [0, 1], or nearer together. */
void test_ranges(void) {
    static const double low[FIXTURE_UNKNOWNS] = {-1, 0.5}, high[FIXTURE_UNKNOWNS] = {2, 1.5};
    static const double pi = 3.14159265358979323846;
    const struct {
        const char *text;
        double low, high;
    } cases[] = {
        {"x", -1, 2},
        {"t", 0, 1},
        {"p*x + t", -2, 5},
        {"p*x - t", -3, 4},
        {"t - p*x", -4, 3},
        {"x*x", 0, 4},
        {"x^5", -1, 32},
        {"x^4", 0, 16},
        {"y^0.5 - y^0.5", 0, 0},
        {"y^-2", 1 / 2.25, 4},
        {"x^0.5", 0, sqrt(2)},
        {"x^1.5", -INF, INF},
        {"tgamma(y)*x", -INF, INF},
        /* through a pole: all from low up and all from high down */
        {"x^-3", 1. / 8, -1},
        {"1/x", 0.5, -1},
        {"-2/x", 2, -1},
        {"1 + 2/x", 2, -1},
        {"0.25 - 2/x", 2.25, -0.75},
        {"y/x", 0.25, -0.5},
        {"-y/x", 0.5, -0.25},
        {"x/x", -INF, INF},
        {"1/(1/x)", -1, 2},
        {"1/(1 + 1/x)", -INF, 2. / 3},
        {"(1/x)^2", 0.25, INF},
        {"abs(1/x)", 0.5, INF},
        {"1/x + y", 1, 0.5},
        {"1/x + 2*y", DBL_MIN, 0}, /* around: the gap has closed */
        {"1/x - 1/x", 0, 0},
        {"1/x + 1/(x - 1)", -INF, INF},
        {"max(1/x, 0)", DBL_MIN, 0},
        {"atan(1/x)", -pi / 2, pi / 2},
        {"tan(0.25*pi*t)", 0, 1},
        {"tan(0.5*t + 1.4)", tan(1.4), tan(1.9)},
        {"tan(-2*pi*t + 0.25)", DBL_MIN, 0},
        /* the sine of what passes its top, its bottom, both, none */
        {"sin(pi*t)", 0, 1},
        {"sin(0.25*pi*t)", 0, sqrt(0.5)},
        {"sin(pi*t + pi/2)", -1, 1},
        {"sin(0.5*pi*t + 1.25*pi)", -1, -sqrt(0.5)},
        {"sin(7*t)", -1, 1},
        {"cos(pi/4 - 0.75*pi*t)", 0, 1},
        {"cos(2000*pi + 0.5*pi*t)", 0, 1},
        {"cosh(x)", 1, cosh(2)},
        {"hypot(x, y)", 0.5, 2.5},
        {"atan2(x, y)", -pi, pi},
        {"exp(-(10*(t - 3))^2)", exp(-900), exp(-400)},
        /* choices and logic */
        {"if(y gt 0.25, x, 7)", -1, 2},
        {"if(y lt 0.25, x, 7)", 7, 7},
        {"if(y lt 1, x, 7)", -1, 7},
        {"if(y gt 0.25 and x lt 3, 1, 2)", 1, 1},
        {"if(y gt 0.25 and x lt 1, 1, 2)", 1, 2},
        {"if(y lt 0.25 and x lt 1, 1, 2)", 2, 2},
        {"if(y lt 0.25 or x gt 3, 1, 2)", 2, 2},
        {"if(y gt 0.25 or x gt 3, 1, 2)", 1, 1},
        {"if(not (y gt 0.25), 1, 2)", 2, 2},
        {"if(not (y lt 0.25), 1, 2)", 1, 1},
        {"if(x == 3, 1, 2)", 2, 2},
        {"if(x == 1, 1, 2)", 1, 2},
        {"min(x, y)", -1, 1.5},
        {"max(x, y)", 0.5, 2},
        {"abs(x)", 0, 2},
        {"abs(x - 3)", 1, 4},
        {"log(x - 3)", -INF, INF},
        {"tgamma(y)", -INF, INF},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        fixture f;
        fixture_open(&f);
        const ln_node node = fixture_lower(&f, cases[k].text, NULL);
        CU_ASSERT_FATAL(node != LN_NONE);
        const ln_interval is = range_in(
            &f, node, &(ln_box){.t = {0, 1}, .x = low, .x_end = high, .parameters = parameters});
        const int fine = (is.low == cases[k].low || fabs(is.low - cases[k].low) < 1e-12) &&
                         (is.high == cases[k].high || fabs(is.high - cases[k].high) < 1e-12);
        if (!fine)
            printf("\n    %s: [%.17g, %.17g], not [%.17g, %.17g]\n", cases[k].text, is.low, is.high,
                   cases[k].low, cases[k].high);
        CU_ASSERT(fine);
        fixture_close(&f);
    }
}

void test_bounds_random(void) {
    enum { COUNT = 600 };
    int told = 0, steep = 0, narrow = 0;
    state = 7;
    for (int k = 0; k < COUNT; k++) {
        char text[400];
        fixture f;
        write(text, sizeof text, 3);
        fixture_open(&f);
        const ln_node node = fixture_lower(&f, text, NULL);
        if (node == LN_NONE) { /* cut short */
            fixture_close(&f);
            continue;
        }
        const ln_node condition =
            fixture_lower(&f, "x ge -1 and x le 2 and y gt 0.5 and y le 1.5", NULL);
        const ln_interval slopes =
            ln_slope_bounds(f.graph, node, fixture_unknown(&f, 0), parameters);
        ln_bounds b = bounds_of(&f);
        CU_ASSERT_FATAL(ln_bounds_assume(&b, condition, 1));
        const ln_interval values = ln_bounds_of(&b, node);
        const double low[FIXTURE_UNKNOWNS] = {-1, 0.5 + 0.0625 * (k % 17)},
                     high[FIXTURE_UNKNOWNS] = {2, low[1]};
        const ln_interval range =
            range_in(&f, node, &(ln_box){.x = low, .x_end = high, .parameters = parameters});
        narrow += isfinite(range.low) && isfinite(range.high);
        told += isfinite(values.low) || isfinite(values.high);
        steep += isfinite(slopes.low) || isfinite(slopes.high);
        double last = NAN;
        const int has_poles = strstr(text, ")/ (") != NULL || strstr(text, "tan (") != NULL;
        for (int i = 0; i <= 12; i++) {
            const double x[FIXTURE_UNKNOWNS] = {-1 + i * 0.25, 0.5 + 0.0625 * (k % 17)};
            const double value = fixture_run(&f, node, parameters, x, 0),
                         slope = (value - last) / 0.25;
            const int fine = is_inside(value, values) && is_inside(value, range) &&
                             (has_poles || is_inside(slope, slopes));
            if (!fine)
                printf("\n    %s at x = %g, y = %g: %g in [%g, %g] and [%g, %g], slope %g in [%g, "
                       "%g]\n",
                       text, x[0], x[1], value, values.low, values.high, range.low, range.high,
                       slope, slopes.low, slopes.high);
            CU_ASSERT(fine);
            last = value;
        }
        fixture_close(&f);
    }
    /* something is told of most */
    printf("(bounds of %d, slopes of %d, ranges of %d) ", told, steep, narrow);
    CU_ASSERT(told > COUNT / 2 && steep > COUNT / 4 && narrow > COUNT * 9 / 10);
}

/* ---- tables ---- */

/* Slopes of a table, of another one over it, and of choices made by its pieces. 0 1, 1 3, 3 -1 */
void test_bounds_tables(void) {
    static const double p[] = {0, 1, 1, 3, 3, -1};
    fixture f;
    fixture_open(&f);
    const ln_node x = fixture_unknown(&f, 0), step = ln_table_step(f.graph, x, 0, 3),
                  table = ln_table(f.graph, x, step, 0, 3);
    ln_bounds b = {.graph = f.graph, .p = p, .variable = x};
    ln_interval is = ln_bounds_of(&b, table);
    CU_ASSERT(is.low == -1 && is.high == 3);
    static const struct {
        double x, value;
    } points[] = {{-1, 1}, {0, 1}, {0.25, 1.5}, {1, 3}, {2, 1}, {3, -1}, {4, -1}};
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        const int before = b.nknown;
        CU_ASSERT(ln_bounds_narrow(&b, x, (ln_interval){points[k].x, points[k].x}));
        is = ln_bounds_of(&b, table);
        CU_ASSERT(is.low == points[k].value && is.high == points[k].value);
        b.nknown = before;
    }
    const ln_node two_on = ln_table(f.graph, x, ln_constant(f.graph, 2), 0, 3),
                  room = ln_table_room(f.graph, table, x, ln_constant(f.graph, 2));
    static const double from[FIXTURE_UNKNOWNS] = {1.5}, to[FIXTURE_UNKNOWNS] = {2.5};
    const ln_box box = {.x = from, .x_end = to, .parameters = p};
    is = range_in(&f, two_on, &box);
    CU_ASSERT(is.low == 0 && is.high == 2);
    is = range_in(&f, room, &box);
    CU_ASSERT(is.low == 0.5 && is.high == 1);
    is = range_in(&f, table, &box);
    CU_ASSERT(is.low == -INFINITY && is.high == INFINITY);
    is = ln_slope_bounds(f.graph, table, x, p);
    CU_ASSERT(is.low == -2 && is.high == 2);
    const ln_node twice =
        ln_operation(f.graph, LN_OP_MUL, ln_constant(f.graph, -2), table, LN_NONE);
    is = ln_slope_bounds(f.graph, twice, x, p);
    CU_ASSERT(is.low == -4 && is.high == 4);
    /* rising pieces only: 0 0, 1 1, 3 2, and what jumps: at 1 from 1 to 2 */
    static const double rises[] = {0, 0, 1, 1, 3, 2}, jumps[] = {0, 0, 1, 1, 1, 2};
    is = ln_slope_bounds(f.graph, table, x, rises);
    CU_ASSERT(is.low == 0 && is.high == 1);
    is = ln_slope_bounds(f.graph, table, x, jumps);
    CU_ASSERT(is.low == 0 && is.high == INFINITY);
    fixture_close(&f);
}
