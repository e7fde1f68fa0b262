/* SPDX-License-Identifier: MIT */
/* Every function: values from closed forms and from C99, derivatives from finite differences,
 * units, kinks. */
#include "expression_fixture.h"
#include "expression_tests.h"

#include "expression/special.h"
#include "base/text.h"

#define PI 3.14159265358979323846

/* cases.md V9 and the scalar cases of O24 that our grammar has. */
void test_cases(void) {
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"sin(0)", 0},
        {"cos(0)", 1},
        {"exp(1)", 2.71828182845904523536},
        {"sqrt(cos(0))", 1},
        {"2*0+sqrt(cos(0))", 1},
        {"clamp(2,0,1)", 1},
        {"clamp(-1,0,1)", 0},
        {"sinc(0)", 1},
        {"sinc(1)", 0},
        {"min(1,2)", 1},
        {"max(1,2,3)", 3},
        {"5 + 3*2", 11},
        {"if(-5 lt 0, 5, -5)", 5},
        {"5 > 4 && 3 < 4", 1},
        {"(10-5)*(3+1)", 20},
        {"sqrt(9)", 3},
        {"ceil(4.3)", 5},
        {"floor(4.7)", 4},
        {"round(4.5)", 5},
        {"trunc(4.7)", 4},
        {"sqrt(3^2+4^2)", 5},
        {"!5", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_CLOSE(value_of(cases[i].text), cases[i].value, 1e-10);
}

/* Closed forms and identities, to the last bits. */
void test_values(void) {
    static const struct {
        const char *text;
        double value;
    } values[] = {
        {"sqrt(2)^2", 2},
        {"cbrt(-27)", -3},
        {"exp2(10)", 1024},
        {"expm1(1e-20)/1e-20", 1},
        {"log(e)", 1},
        {"log2(8)", 3},
        {"log10(1000)", 3},
        {"log1p(1e-20)*1e20", 1},
        {"pow(2, 10)", 1024},
        {"hypot(3, 4)", 5},
        {"hypot(3e200, 4e200)/1e200", 5},
        {"sin(pi/6)", 0.5},
        {"cos(pi/3)", 0.5},
        {"tan(pi/4)", 1},
        {"asin(1)", PI / 2},
        {"acos(-1)", PI},
        {"atan(1)", PI / 4},
        {"atan2(1, -1)", 0.75 * PI},
        {"sinh(log(2))", 0.75},
        {"cosh(log(2))", 1.25},
        {"tanh(log(2))", 0.6},
        {"asinh(0.75)", 0.69314718055994531},
        {"acosh(1.25)", 0.69314718055994531},
        {"atanh(0.6)", 0.69314718055994531},
        {"erf(0.5)", 0.52049987781304654},
        {"erfc(0.5)", 0.47950012218695346},
        {"tgamma(0.5)^2", PI},
        {"tgamma(6)", 120},
        {"lgamma(7)", 6.5792512120101010},
        {"abs(-3)", 3},
        {"fabs(3)", 3},
        {"sign(-2)", -1},
        {"sign(0)", 0},
        {"sign(9)", 1},
        {"floor(-1.5)", -2},
        {"ceil(-1.5)", -1},
        {"round(-2.5)", -3},
        {"trunc(-1.5)", -1},
        {"mod(-1, 3)", 2},
        {"mod(7, 3)", 1},
        {"mod(7, -3)", -2},
        {"fmod(-7, 3)", -1},
        {"fmin(2, 1)", 1},
        {"fmax(2, 1)", 2},
        {"fdim(5, 3)", 2},
        {"fdim(3, 5)", 0},
        {"sinc(0.5)", 2 / PI},
        {"min(3, 1, 2)", 1},
        {"clamp(0.5, 0, 1)", 0.5},
        {"2^0.5 - sqrt(2)", 0},
        {"3^4", 81},
        {"2^-2", 0.25},
        {"(-2)^3", -8},
        {"0^0", 1},
        {"5 deg/deg", NAN},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (!isnan(values[i].value))
            CHECK_CLOSE(value_of(values[i].text), values[i].value, 4e-16);
}

/* Central difference with two steps and one extrapolation; relative error about 1e-9 here. */
static double difference(fixture *f, ln_node node, const double *parameters, const double *point,
                         int variable) {
    double slope[2], h = 1e-3 * fmax(1, fabs(point[variable]));
    for (int k = 0; k < 2; k++, h /= 2) {
        double up[FIXTURE_UNKNOWNS], down[FIXTURE_UNKNOWNS];
        memcpy(up, point, sizeof up);
        memcpy(down, point, sizeof down);
        up[variable] += h;
        down[variable] -= h;
        slope[k] = (fixture_run(f, node, parameters, up, 0.3) -
                    fixture_run(f, node, parameters, down, 0.3)) /
                   (2 * h);
    }
    return (4 * slope[1] - slope[0]) / 3;
}

/* x, y, z at which each text has a value and no kink within 1e-3. */
static const struct {
    const char *text;
    double x, y, z;
} differentiable[] = {
    {"x + y", 1, 2, 0},
    {"x - 3*y", 1, 2, 0},
    {"x*y*z", 1, 2, 3},
    {"x/y", 1, 2, 0},
    {"(x + y)/(x*y)", 1.5, 2, 0},
    {"-x", 1, 0, 0},
    {"x^2", 1.3, 0, 0},
    {"x^3", -1.3, 0, 0},
    {"x^4", 1.3, 0, 0},
    {"x^-1", 1.3, 0, 0},
    {"x^-2", 1.3, 0, 0},
    {"x^0.5", 1.3, 0, 0},
    {"x^1.7", 1.3, 0, 0},
    {"x^5", -1.3, 0, 0},
    {"2^x", 1.3, 0, 0},
    {"x^y", 1.3, 2.2, 0},
    {"pow(x, p)", 1.3, 0, 0},
    {"sqrt(x)", 2, 0, 0},
    {"cbrt(x)", -2, 0, 0},
    {"exp(x*y)", 0.3, 2, 0},
    {"exp2(x)", 0.7, 0, 0},
    {"expm1(x)", 0.7, 0, 0},
    {"log(x)", 0.7, 0, 0},
    {"log2(x)", 0.7, 0, 0},
    {"log10(x)", 0.7, 0, 0},
    {"log1p(x)", 0.7, 0, 0},
    {"sin(x*y)", 0.7, 2, 0},
    {"cos(x)", 0.7, 0, 0},
    {"tan(x)", 0.7, 0, 0},
    {"asin(x)", 0.7, 0, 0},
    {"acos(x)", 0.7, 0, 0},
    {"atan(x)", 0.7, 0, 0},
    {"atan2(x, y)", 0.7, -2, 0},
    {"sinh(x)", 0.7, 0, 0},
    {"cosh(x)", 0.7, 0, 0},
    {"tanh(x)", 0.7, 0, 0},
    {"asinh(x)", 0.7, 0, 0},
    {"acosh(x)", 1.7, 0, 0},
    {"atanh(x)", 0.7, 0, 0},
    {"erf(x)", 0.7, 0, 0},
    {"erfc(x)", 0.7, 0, 0},
    {"tgamma(x)", 2.7, 0, 0},
    {"tgamma(x)", -1.5, 0, 0},
    {"lgamma(x)", 0.2, 0, 0},
    {"lgamma(x)", 30, 0, 0},
    {"lgamma(x)", -2.4, 0, 0},
    {"sinc(x)", 0.01, 0, 0},
    {"sinc(x)", 0.7, 0, 0},
    {"sinc(x)", -5.2, 0, 0},
    {"hypot(x, y)", 0.7, -2, 0},
    {"abs(x)", -0.7, 0, 0},
    {"sign(x)*x", -0.7, 0, 0},
    {"min(x, y, z)", 3, 1, 2},
    {"max(x, y, z)", 1, 3, 2},
    {"clamp(x, y, z)", 0.5, 0, 1},
    {"clamp(x, y, z)", -0.5, 0, 1},
    {"clamp(x, y, z)", 2, 0, 1},
    {"fdim(x, y)", 3, 1, 0},
    {"mod(x, y)", 7.3, 2, 0},
    {"fmod(x, y)", -7.3, 2, 0},
    {"floor(x) + x", 1.5, 0, 0},
    {"ceil(x)*y", 1.5, 2, 0},
    {"round(x)*y", 1.2, 2, 0},
    {"trunc(x)*y", -1.2, 2, 0},
    {"if(x lt y, x^2, y^2)", 1, 2, 0},
    {"if(x ge y, x^2, y^2)", 1, 2, 0},
    {"(x lt y)*x", 1, 2, 0},
    {"(x gt 0 and not (y eq z))*x", 1, 2, 3},
    {"x*sin(t) + p*y", 1, 2, 0},
    {"exp(-x^2/(2*q^2))/(q*sqrt(2*pi))", 0.4, 0, 0},
    {"sqrt(x^2 + y^2)*tanh(x/y) - log(1 + exp(z))", 0.4, 1.1, -0.3},
};

void test_derivatives(void) {
    const double parameters[FIXTURE_PARAMETERS] = {2.5, 0.8, 100, 0.02};
    for (size_t i = 0; i < sizeof differentiable / sizeof *differentiable; i++) {
        const double point[FIXTURE_UNKNOWNS] = {differentiable[i].x, differentiable[i].y,
                                                differentiable[i].z};
        fixture f;
        fixture_open(&f);
        ln_node node = fixture_lower(&f, differentiable[i].text, NULL);
        CU_ASSERT_NOT_EQUAL_FATAL(node, LN_NONE);
        for (int variable = 0; variable < 3; variable++) {
            ln_node slope = ln_derivative(f.graph, node, fixture_unknown(&f, variable));
            double exact = fixture_run(&f, slope, parameters, point, 0.3);
            double close = difference(&f, node, parameters, point, variable);
            if (!(fabs(exact - close) <= 2e-8 * fmax(1, fabs(close))))
                printf("\n    d %s / d %c", differentiable[i].text, "xyz"[variable]);
            CHECK_CLOSE(exact, close, 2e-8);
            /* and the derivative of the derivative is exact again */
            ln_node second = ln_derivative(f.graph, slope, fixture_unknown(&f, variable));
            CHECK_CLOSE(fixture_run(&f, second, parameters, point, 0.3),
                        difference(&f, slope, parameters, point, variable), 2e-7);
        }
        fixture_close(&f);
    }
}

/* Closed forms of derivatives at points where differences are of no use, and of their text. */
void test_derivative_texts(void) {
    static const struct {
        const char *text, *slope;
    } table[] = {
        {"5", "0"},
        {"y", "0"},
        {"x", "1"},
        {"3*x", "3"},
        {"x*3 + y", "3"},
        {"x*y", "y"},
        {"x/y", "1/y"},
        {"-x", "-1"},
        {"x^2", "x + x"},
        {"sin(x)", "cos(x)"},
        {"cos(x)", "-sin(x)"},
        {"exp(x)", "exp(x)"},
        {"log(x)", "1/x"},
        {"p*x + q", "p"},
        {"floor(x)", "0"},
        {"x lt y", "0"},
        {"if(y lt 0, 2*x, x)", "if(y lt 0, 2, 1)"},
        {"if(x lt 0, 2*x + 1, 2*x)", "2"},
        {"der(x)", "0"},
        {"x*der(x)", "der(x)"},
        {"sqrt(x)", "0.5/sqrt(x)"},
        {"y/x", "-(y/x/x)"},
        {"exp(2*x)", "2*exp(2*x)"},
        {"x^1.5", "1.5*sqrt(x)"},
        {"(x - y)*(x - y)", "x - y + (x - y)"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        fixture f;
        ln_text text = {0};
        fixture_open(&f);
        ln_node node = fixture_lower(&f, table[i].text, NULL);
        ln_node_print(f.graph, ln_derivative(f.graph, node, fixture_unknown(&f, 0)), &text,
                      fixture_leaf, NULL);
        CHECK_TEXT(text.data, table[i].slope);
        ln_text_free(&text);
        fixture_close(&f);
    }
}

/* With respect to a derivative, which is a variable of its own, and where a formula would be 0/0.
 */
void test_derivative_special(void) {
    const double zero[FIXTURE_UNKNOWNS] = {0};
    fixture f;
    fixture_open(&f);
    ln_node der = ln_operation(f.graph, LN_OP_DER, fixture_unknown(&f, 0), LN_NONE, LN_NONE);
    ln_node node = fixture_lower(&f, "p*der(x) + x*y", NULL);
    ln_node slope = ln_derivative(f.graph, node, der);
    int index;
    CU_ASSERT_EQUAL(ln_node_op(f.graph, slope), LN_OP_LEAF);
    CU_ASSERT_EQUAL(ln_node_leaf(f.graph, slope, &index), LN_LEAF_PARAMETER);
    CU_ASSERT_EQUAL(ln_derivative(f.graph, node, fixture_unknown(&f, 0)), fixture_unknown(&f, 1));
    static const char *const texts[] = {"hypot(x, y)", "x^y", "sinc(x)", "abs(x)*x"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double at[FIXTURE_UNKNOWNS] = {0, 2};
        node = fixture_lower(&f, texts[i], NULL);
        slope = ln_derivative(f.graph, node, fixture_unknown(&f, 0));
        CU_ASSERT_EQUAL(fixture_run(&f, slope, zero, i == 1 ? at : zero, 0), 0);
    }
    node = fixture_lower(&f, "x^y", NULL);
    double at[FIXTURE_UNKNOWNS] = {0, 2};
    CU_ASSERT_EQUAL(
        fixture_run(&f, ln_derivative(f.graph, node, fixture_unknown(&f, 1)), zero, at, 0), 0);
    fixture_close(&f);
}

/* Derivatives of sinc and of digamma of every order against closed forms (Abramowitz and
 * Stegun 6.3, 6.4). */
/* Where scale t + shift passes zero, or a whole number, next; never where it does not move, or is
 * no number. */
static void check_breakpoints(void) {
    CHECK_CLOSE(linnet_next_breakpoint(0, 2, -3, NULL, 0, 1), 1.5, 0);
    CU_ASSERT(isinf(linnet_next_breakpoint(0, 2, -3, NULL, 0, 1.5)));
    CHECK_CLOSE(linnet_next_breakpoint(1, -2, 0.5, NULL, 0, 0), 0.25, 0);
    CHECK_CLOSE(linnet_next_breakpoint(2, 1, 0, NULL, 0, 0), 0.5, 0);
    for (int kind = 0; kind < 3; kind++) {
        CU_ASSERT(isinf(linnet_next_breakpoint(kind, 0, -1, NULL, 0, -1)));
        CU_ASSERT(isinf(linnet_next_breakpoint(kind, INFINITY, -1, NULL, 0, -1)));
        CU_ASSERT(isinf(linnet_next_breakpoint(kind, 1, NAN, NULL, 0, -1)));
    }
}

void test_special(void) {
    check_breakpoints();
    const double euler = 0.57721566490153286061;
    CHECK_CLOSE(linnet_polygamma(0, 1), -euler, 1e-15);
    CHECK_CLOSE(linnet_polygamma(0, 0.5), -euler - 2 * log(2), 1e-15);
    CHECK_CLOSE(linnet_polygamma(0, 5), -euler + 25.0 / 12, 1e-15);
    CHECK_CLOSE(linnet_polygamma(0, -0.5), -euler - 2 * log(2) + 2, 1e-14);
    CHECK_CLOSE(linnet_polygamma(0, 1e10), log(1e10) - 0.5e-10, 1e-15);
    CHECK_CLOSE(linnet_polygamma(1, 1), PI * PI / 6, 1e-14);
    CHECK_CLOSE(linnet_polygamma(1, 0.5), PI * PI / 2, 1e-14);
    CHECK_CLOSE(linnet_polygamma(1, -0.5), PI * PI / 2 + 4, 1e-14);
    CHECK_CLOSE(linnet_polygamma(2, 1), -2 * 1.20205690315959428540, 1e-14);
    CHECK_CLOSE(linnet_polygamma(3, 1), pow(PI, 4) / 15, 1e-13);
    CHECK_CLOSE(linnet_polygamma(2, 0.5), -14 * 1.20205690315959428540, 1e-14);
    CU_ASSERT(isnan(linnet_polygamma(0, 0)));
    CU_ASSERT(isnan(linnet_polygamma(0, -3)));
    CU_ASSERT(isnan(linnet_polygamma(1, -1e6 - 0.5)));
    double x = 0.7;
    CHECK_CLOSE(linnet_sinc(0, 0), 1, 0);
    CHECK_CLOSE(linnet_sinc(1, 0), 0, 0);
    CHECK_CLOSE(linnet_sinc(2, 0), -PI * PI / 3, 1e-15);
    CHECK_CLOSE(linnet_sinc(4, 0), pow(PI, 4) / 5, 1e-15);
    CHECK_CLOSE(linnet_sinc(1, x), (cos(PI * x) - linnet_sinc(0, x)) / x, 1e-14);
    CHECK_CLOSE(linnet_sinc(2, x), -(PI * PI * linnet_sinc(0, x) + 2 * linnet_sinc(1, x) / x),
                1e-13);
    for (int n = 0; n <= 4; n++) { /* both ways of computation meet at |pi x| = n + 1 */
        double border = (n + 1) / PI, sign = n % 2 ? -1 : 1;
        CHECK_CLOSE(linnet_sinc(n, border * (1 + 1e-9)), linnet_sinc(n, border * (1 - 1e-9)), 1e-7);
        CU_ASSERT_EQUAL(linnet_sinc(n, -1.3), sign * linnet_sinc(n, 1.3));
    }
}

/* psi_n(x + 1) - psi_n(x) = (-1)^n n! x^-(n+1), also where no recurrence is used but the asymptotic
 * series; z s_n + n s_(n-1) = pi^n sin(z + n pi/2) for the derivatives of sinc. */
void test_special_recurrences(void) {
    double factorial = 1;
    for (int n = 0; n <= 7; factorial *= ++n) {
        for (double x = 0.3; x < 60; x *= 1.3) {
            const double step = (n % 2 ? -1 : 1) * factorial * pow(x, -(n + 1)),
                         size = fabs(linnet_polygamma(n, x));
            CHECK_CLOSE((linnet_polygamma(n, x + 1) - linnet_polygamma(n, x) - step) / size, 0,
                        2e-14);
        }
        const double far = 1e6, /* (n-1)!/x^n + n!/(2 x^(n+1)), the sign turns */
            leading = n == 0
                          ? log(far) - 0.5 / far
                          : (n % 2 ? 1 : -1) * factorial / n * pow(far, -n) * (1 + n / 2.0 / far);
        CHECK_CLOSE(linnet_polygamma(n, far) / leading, 1, 1e-11);
        for (double x = 0.05; n > 0 && x < 9; x += 0.17) {
            const double z = PI * x, scale = pow(PI, n);
            CHECK_CLOSE((z * linnet_sinc(n, x) / scale + n * linnet_sinc(n - 1, x) / (scale / PI)) -
                            sin(z + n * PI / 2),
                        0, 2e-13);
        }
    }
    CU_ASSERT(isnan(linnet_polygamma(0, NAN)) && isnan(linnet_polygamma(1, -INFINITY)));
    for (double x = -7.3; x < 0; x += 0.83) /* reflection: psi(1 - x) - psi(x) = pi cot(pi x) */
        CHECK_CLOSE(linnet_polygamma(0, 1 - x) - linnet_polygamma(0, x), PI / tan(PI * x), 1e-12);
}

void test_table_function(void) {
    const double table[] = {0, 1, 1, 3, 1, 5, 3, 1}; /* with a jump from 3 to 5 at 1 */
    static const double expected[][3] = {            /* x, value, slope */
                                         {-1, 1, 0}, {0, 1, 2}, {0.5, 2, 2}, {1, 5, -2},
                                         {2, 3, -2}, {3, 1, 0}, {9, 1, 0}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        CU_ASSERT_EQUAL(linnet_table(expected[i][0], expected[i][0], table, 4), expected[i][1]);
        CU_ASSERT_EQUAL(linnet_table_slope(expected[i][0], table, 4), expected[i][2]);
    }
    CU_ASSERT_EQUAL(linnet_table(1, 0.9, table, 4), 3); /* the left side of the jump */
    CU_ASSERT_EQUAL(linnet_table(7, 7, table, 1), 1);
    /* An abscissa stands for its segment: it decides as what it stands for; the room is the
     * distance to the nearer end. */
    static const double rooms[][2] = {{-1, 1},    {0, 0},     {0.25, 0.25}, {0.75, 0.25}, {1, 0},
                                      {1.5, 0.5}, {2.5, 0.5}, {3, 0},       {9, 6}};
    const double shifted[] = {-5, 0, -2, 1, 0, 5};
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        const double x = rooms[i][0], middle = linnet_table_middle(x, table, 4);
        CU_ASSERT_EQUAL(linnet_table_middle(middle, table, 4), middle);
        CU_ASSERT_EQUAL(linnet_table_slope(middle, table, 4), linnet_table_slope(x, table, 4));
        CU_ASSERT_EQUAL(linnet_table(x, middle, table, 4), linnet_table(x, x, table, 4));
        CU_ASSERT((middle < 0) == (x < 0) && (middle < 1) == (x < 1) && (middle < 3) == (x < 3));
        CU_ASSERT_EQUAL(linnet_table_room(x, x, table, 4), rooms[i][1]);
    }
    CU_ASSERT(linnet_table_middle(-6, shifted, 3) < -5 && linnet_table_middle(0, shifted, 3) > 0);
    CU_ASSERT_EQUAL(linnet_table_middle(-5, shifted, 3), -3.5);
    CU_ASSERT_EQUAL(linnet_table_middle(-2, shifted, 3), -1);
}

/* ---- units through expressions ---- */

void test_unit_rules(void) {
    static const ln_event_names everywhere = {.pre = 1};
    static const struct {
        const char *text, *unit;
    } rules[] = {
        {"v/R", "A"},
        {"v*i", "W"},
        {"2*v", "V"},
        {"v + 3", "V"},
        {"v + x", "V"},
        {"x*v + 3 A", "A"},
        {"t*v", "a plain number"},
        {"v^2/R", "W"},
        {"sqrt(v^2)", "V"},
        {"cbrt(v^3)", "V"},
        {"v^0.5*v^0.5", "V"},
        {"der(v)", "V/s"},
        {"abs(v)", "V"},
        {"min(v, 3, 5 V)", "V"},
        {"clamp(v, 0, 1)", "V"},
        {"hypot(v, 1 mV)", "V"},
        {"atan2(v, 1 V)", "a plain number"},
        {"sign(v)*i", "A"},
        {"v gt 0", "a plain number"},
        {"if(v gt 1 V, i, 0)", "A"},
        {"mod(t, T)", "s"},
        {"exp(v/(1 V))*i", "A"},
        {"-v", "V"},
        {"(v gt 0)*v", "V"},
        {"fdim(v, 2)", "V"},
        {"v*sin(2*pi*t)", "V"},
        {"(v/(1 V))^x", "a plain number"},
        {"1/T", "1/s"},
        {"floor(t/T)*v", "V"},
        {"exp(v/(1 V))*v", "V"},
        {"delay(v, T)", "V"},
        {"delay(v, 2)", "V"},
        {"delay(T, 2 ms)", "s"},
        {"pre(v)", "V"},
        {"noevent(v)", "V"},
        {"rate(v)", "V/s"},
        {"smooth_abs(v, 1 mV)", "V"},
        {"smooth_sign(v, 1 mV)", "a plain number"},
        {"smooth_max(v, 3, 1 mV)", "V"},
        {"pow(v, 2)/R", "W"},
        {"fmod(t, T)", "s"},
        {"uniform(1, 2)*v", "V"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        fixture f;
        char text[64] = "";
        ln_dimension dimension;
        fixture_open(&f);
        f.names.has_history = 1;
        f.names.events = &everywhere;
        if (fixture_lower(&f, rules[i].text, &dimension) != LN_NONE)
            ln_dimension_text(dimension, text);
        else
            printf("\n    %s", fixture_message(&f));
        CHECK_TEXT(text, rules[i].unit);
        fixture_close(&f);
    }
    static const char *const wrong[] = {"v + i",
                                        "2*v + 3 A",
                                        "v lt i",
                                        "exp(v)",
                                        "v^x",
                                        "v*2 + i*3",
                                        "sin(t/T) + v*i + v",
                                        "5 V*sin(2*pi*t) + 1 A",
                                        "floor(v)",
                                        "if(v, 1, 2)",
                                        "mod(v, T)",
                                        "delay(v, v)",
                                        "delay(T, v)",
                                        "v and 1",
                                        "1 or v",
                                        "not v",
                                        "max(v, 1, i)",
                                        "smooth_max(v, 1, i)",
                                        "v eq i",
                                        "clamp(v, 0, i)",
                                        "uniform(1, v)",
                                        "if(1, v, i)",
                                        "if(1, 2, 3, v)",
                                        "2^v"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fixture f;
        fixture_open(&f);
        f.names.has_history = 1;
        f.names.events = &everywhere;
        ln_node node = fixture_lower(&f, wrong[i], NULL);
        if (node != LN_NONE)
            printf("\n    '%s' is accepted\n", wrong[i]);
        CU_ASSERT_EQUAL(node, LN_NONE);
        CU_ASSERT_EQUAL(ln_report_errors(f.report), 1);
        fixture_close(&f);
    }
}
