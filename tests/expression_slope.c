/* SPDX-License-Identifier: MIT */
/* Bounds of slopes: by hand for what they must tell, and against sampled differences for what they
 * must never exclude. */
#include "expression/slope.h"
#include "expression_fixture.h"
#include "expression_tests.h"

#include <math.h>

static const double parameters[FIXTURE_PARAMETERS] = {2, -3, 0.5, 4}; /* p q R T */

void test_slopes(void) {
    static const struct {
        const char *text;
        double low, high;
    } cases[] = {
        {"5", 0, 0},
        {"3*x - y", 3, 3},
        {"x/p", 0.5, 0.5},
        {"q*x", -3, -3},
        {"x*y", -INFINITY, INFINITY},
        {"x^3", 0, INFINITY},
        {"-x^5", -INFINITY, 0},
        {"(x^2 + 2)*x", 2, INFINITY},
        {"x*(y^2 + x^2*(1 + x^2))", 0, INFINITY},
        {"x^2", -INFINITY, INFINITY},
        {"x*abs(x)", 0, INFINITY},
        {"abs(x)", -1, 1},
        {"clamp(x, -1, 2)", 0, 1},
        {"min(x, y)", 0, 1},
        {"max(2*x, y, 3*x)", 0, 3},
        {"tanh(2*x)", 0, 2},
        {"exp(-x)", -INFINITY, 0},
        {"log(3 - x)", -INFINITY, 0},
        {"atan(x) - x", -1, 0},
        {"x - tanh(x)", 0, 1},
        {"sqrt(x) + x^3", 0, INFINITY},
        {"1/(1 + exp(-x))", 0, INFINITY},
        {"x/sqrt(1 + y^2)", 0, 1},
        {"sin(x)", -1, 1},
        {"sin(atan(x))", 0, 1},
        {"x + 0.5*sin(x)", 0.5, 1.5},
        /* jumps, and what only looks like one */
        {"if(x gt 0, 1, -1)", 0, INFINITY},
        {"if(x gt 0, -1, 1)", -INFINITY, 0},
        {"sign(x)", 0, INFINITY},
        {"if(x gt 1, x - 1, if(x lt -1, x + 1, 0))", 0, 1},
        {"if(x gt 1, x + 1, x)", 1, INFINITY},
        {"if(x gt 1, x - 1, x)", -INFINITY, 1},
        {"floor(x)", 0, INFINITY},
        {"round(x/p)*p", 0, INFINITY},
        {"if(x gt y, x, y)", 0, 1},
        {"if(x gt y, 7, 2)", 0, INFINITY},
        {"if(y gt x, 7, 2)", -INFINITY, 0},
        {"if(x gt 0 and x lt 1, x, 0)", -INFINITY, 1},
        {"if(x gt 0 and y lt 1, 2, 1)", 0, INFINITY},
        {"if((x gt 0 or y gt 0) gt 0.5, 2, 1)", 0, INFINITY},
        {"if(not x gt 0, 2, 1)", -INFINITY, 0},
        {"3*(not (x gt 0 and y lt 1))", -INFINITY, 0},
        {"if((not (x lt 0 or y lt 1)) gt 0.5, 2, 1)", 0, INFINITY},
        {"if(y gt 0, x, 3*x)", 1, 3},
        {"noevent(max(x, 0))", 0, 1},
        {"hypot(x, 3)", -1, 1},
        {"if(x lt 0, 0, x*x)", 0, INFINITY},
        {"der(x^2) + 2*x", 2, 2},
        {"mod(x, 2)", -INFINITY, 1},
        {"if(x lt 0, 2*x, x)*3", 3, 6},
        {"y^2*x", 0, INFINITY},
        {"exp(y)*tanh(x)", 0, INFINITY},
        /* every function that rises or falls throughout, by the least and the greatest slope */
        {"sinh(x)", 1, INFINITY},
        {"asinh(x)", 0, 1},
        {"tan(x)", 1, INFINITY},
        {"asin(x)", 1, INFINITY},
        {"acos(x)", -INFINITY, -1},
        {"atanh(x)", 1, INFINITY},
        {"acosh(x)", 0, INFINITY},
        {"expm1(x)", 0, INFINITY},
        {"log1p(x)", 0, INFINITY},
        {"log2(x)", 0, INFINITY},
        {"log10(x)", 0, INFINITY},
        {"cbrt(x)", 0, INFINITY},
        {"erf(x)", 0, 1.1283791670955126},
        {"erfc(x)", -1.1283791670955126, 0},
        {"ceil(x)", 0, INFINITY},
        {"trunc(x)", 0, INFINITY},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        fixture f;
        fixture_open(&f);
        ln_node node = fixture_lower(&f, cases[k].text, NULL);
        CU_ASSERT_FATAL(node != LN_NONE);
        ln_interval is = ln_slope_bounds(f.graph, node, fixture_unknown(&f, 0), parameters);
        if (is.low != cases[k].low || is.high != cases[k].high)
            printf("\n    %s: [%g, %g], not [%g, %g]\n", cases[k].text, is.low, is.high,
                   cases[k].low, cases[k].high);
        CU_ASSERT(is.low == cases[k].low && is.high == cases[k].high);
        fixture_close(&f);
    }
}

/* Whatever is claimed, no difference quotient may contradict it. */
void test_slopes_sampled(void) {
    static const char *const texts[] = {"x*(1 - x)",
                                        "tanh(x)*exp(y)",
                                        "if(x*y gt 1, x, y)",
                                        "clamp(x*y, -1, 1)",
                                        "x^3 - 2*x",
                                        "abs(x - y) + x",
                                        "x/(1 + x^2)",
                                        "atan2(x, 1 + y^2)",
                                        "hypot(x, y)",
                                        "if(x lt 0, exp(x), 1 + x)",
                                        "max(x, min(y, 2*x))",
                                        "floor(x) + x",
                                        "x*sign(x)",
                                        "cbrt(x) - x",
                                        "if(abs(x) gt 1, sign(x), x)",
                                        "sinh(x)*p",
                                        "acos(tanh(x))",
                                        "x*noevent(if(y gt 0, 1, 2))",
                                        "mod(x, 3) - x",
                                        "if(x gt 0, if(y gt x, 1, 2), 0)",
                                        "cosh(max(x, 0))",
                                        "log1p(exp(x))",
                                        "p^x",
                                        "(1 + exp(y))^x",
                                        "x^-3 + 0*y"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        fixture f;
        fixture_open(&f);
        ln_node node = fixture_lower(&f, texts[k], NULL);
        CU_ASSERT_FATAL(node != LN_NONE);
        ln_interval is = ln_slope_bounds(f.graph, node, fixture_unknown(&f, 0), parameters);
        for (double y = -2.1; y < 3; y += 0.7)
            for (double from = -3.05; from < 3; from += 0.1) {
                const double to = from + 0.08, a[FIXTURE_UNKNOWNS] = {from, y},
                             b[FIXTURE_UNKNOWNS] = {to, y};
                const double way = fixture_run(&f, node, parameters, b, 0) -
                                   fixture_run(&f, node, parameters, a, 0);
                const double steep = way / 0.08, slack = 1e-9 * fmax(1, fabs(steep));
                /* across a pole */
                if (from * to < 0 && k + 1 == sizeof texts / sizeof *texts)
                    continue;
                if (!(steep >= is.low - slack && steep <= is.high + slack))
                    printf("\n    %s: %g at x = %g, y = %g lies outside [%g, %g]\n", texts[k],
                           steep, from, y, is.low, is.high);
                CU_ASSERT(steep >= is.low - slack && steep <= is.high + slack);
            }
        fixture_close(&f);
    }
}

/* Deep or shared expressions end in "anything", soon. */
void test_slopes_long(void) {
    fixture f;
    fixture_open(&f);
    ln_node x = fixture_unknown(&f, 0), node = x;
    for (int k = 0; k < 5000; k++)
        node = ln_operation(f.graph, LN_OP_TANH, node, LN_NONE, LN_NONE);
    CU_ASSERT(ln_slope_bounds(f.graph, node, x, parameters).low == -INFINITY);
    node = x;
    for (int k = 0; k < 100; k++) {
        const ln_node both[2] = {
            node, ln_operation(f.graph, LN_OP_SUB, ln_constant(f.graph, k), node, LN_NONE)};
        node = ln_function(f.graph, "max", both, 2);
    }
    (void)ln_slope_bounds(f.graph, node, x, parameters);
    fixture_close(&f);
}
