/* SPDX-License-Identifier: MIT */
/* The sized signal types: rows computed by hand, frequency responses against the formula, and what
 * must be refused. */
#include "blocks_kit.h"
#include "model/model.h"
#include "unit.h"

#include <complex.h>

static ln_catalogue *catalogue;
static ln_report *report;

/* Sets up one instance; on return it is good, or the test has failed. */
static void make(kit *setup, const char *element) {
    if (report == NULL)
        report = ln_report_new(NULL, NULL);
    if (catalogue == NULL)
        catalogue = ln_catalogue_new(NULL, report, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(catalogue);
    kit_instance(setup, catalogue, report, element);
    if (setup->class == NULL)
        for (int k = 0; ln_report_text(report, k) != NULL; k++)
            printf("\n    %s", ln_report_text(report, k));
    CU_ASSERT_PTR_NOT_NULL_FATAL(setup->class);
}

static void refuse(const char *element, const char *message) {
    kit setup;
    ln_report *own = ln_report_new(NULL, NULL);
    ln_catalogue *all = ln_catalogue_new(NULL, own, NULL);
    kit_instance(&setup, all, own, element);
    CU_ASSERT_EQUAL(setup.status, LINNET_MODEL);
    CU_ASSERT(kit_said(&setup, message));
    kit_free(&setup);
    ln_catalogue_free(all);
    ln_report_free(own);
}

/* ---- arithmetic ---- */

static void test_sum(void) {
    kit setup;
    make(&setup, "<sum in=\"a b c\" signs=\"+--\" out=\"y\"/>");
    CU_ASSERT_EQUAL(setup.class->nports, 4);
    CHECK_TEXT(setup.class->ports[1].name, "in[2]");
    CU_ASSERT_PTR_NULL(setup.class->eval);
    kit_at(&setup, 0, 0, (double[]){10, 3, 2, 0});
    CHECK_CLOSE(setup.f[3], -5, 0);
    kit_free(&setup);
    make(&setup, "<sum in=\"a b c d e\" out=\"y\"/>");
    kit_at(&setup, 0, 0, (double[]){1, 2, 3, 4, 5, 0});
    CHECK_CLOSE(setup.f[5], -15, 0);
    kit_free(&setup);
    refuse("<sum in=\"a b\" signs=\"+-+\" out=\"y\"/>",
           "it (sum): signs=\"+-+\" has 3 characters for 2 inputs");
    refuse("<sum in=\"a b\" signs=\"*-\" out=\"y\"/>",
           "'*' in signs=\"*-\" is neither '+' nor '-'");
    refuse("<sum in=\"a b\" signs=\"+*\" out=\"y\"/>",
           "'*' in signs=\"+*\" is neither '+' nor '-'");
}

static void test_product(void) {
    kit setup;
    make(&setup, "<product in=\"a b c\" operations=\"**/\" out=\"y\"/>");
    kit_at(&setup, 0, 0, (double[]){3, 4, 8, 0});
    CHECK_CLOSE(setup.f[3], -1.5, 0);
    CHECK_CLOSE(kit_entry(&setup, LINNET_A, 3, 2), 3 * 4 / 64.0, 0);
    CU_ASSERT_EQUAL(kit_at(&setup, 0, 0, (double[]){3, 4, 0, 0}), LINNET_RETRY);
    kit_free(&setup);
}

static void test_extremes(void) {
    kit setup;
    make(&setup, "<max in=\"a b c\" out=\"y\"/>");
    kit_at(&setup, 0, 0, (double[]){1, 7, 3, 0});
    CHECK_CLOSE(setup.f[3], -7, 0);
    CHECK_CLOSE(kit_entry(&setup, LINNET_A, 3, 1), -1, 0);
    CHECK_CLOSE(kit_entry(&setup, LINNET_A, 3, 0), 0, 0);
    kit_free(&setup);
    make(&setup, "<min in=\"a b c\" out=\"y\"/>");
    kit_at(&setup, 0, 0, (double[]){5, 7, 3, 0});
    CHECK_CLOSE(setup.f[3], -3, 0);
    kit_free(&setup);
}

static void test_function(void) {
    kit setup;
    make(&setup, "<function in=\"a\" out=\"y\" expression=\"2*u + sqrt(cos(u))\"/>");
    kit_at(&setup, 0, 0, (double[]){0, 0});
    CHECK_CLOSE(setup.f[1], -1, 1e-15);
    kit_free(&setup);
    make(&setup, "<function in=\"a b\" out=\"y\" expression=\"u1*u2 + t\"/>");
    kit_at(&setup, 5, 5, (double[]){3, 4, 0});
    CHECK_CLOSE(setup.f[2], -17, 0);
    kit_free(&setup);
    make(&setup, "<function out=\"y\" expression=\"if(t lt 2, 1, 3)\"/>");
    CHECK_CLOSE(setup.class->next_breakpoint(&setup.block, 0, NULL), 2, 0);
    kit_free(&setup);
    refuse("<function in=\"a\" out=\"y\" expression=\"u1 + u2\"/>", "u2");
    refuse("<function in=\"a\" out=\"y\" expression=\"der(u)\"/>", "der() has no place here");
}

/* ---- transfer functions ---- */

static double complex polynomial(const double *c, int count, double complex s) {
    double complex sum = 0;
    for (int k = 0; k < count; k++)
        sum = sum * s + c[k];
    return sum;
}

static void check_response(kit *setup, const double *b, int nb, const double *a, int na,
                           double size, double tolerance) {
    for (int k = 0; k < 20; k++) {
        double w = size * pow(10, -2 + 0.2 * k), s[2] = {0.1 * w, w}, gain[2];
        double complex exact =
            polynomial(b, nb, s[0] + s[1] * I) / polynomial(a, na, s[0] + s[1] * I);
        CU_ASSERT_FATAL(kit_response(setup, 0, 0, s, gain));
        CU_ASSERT(cabs(gain[0] + gain[1] * I - exact) <= tolerance * cabs(exact));
    }
}

static void test_transfer_function(void) {
    kit setup;
    make(&setup, "<transfer-function in=\"u\" out=\"y\" numerator=\"5 7\" denominator=\"2 6 4\"/>");
    CU_ASSERT_EQUAL_FATAL(setup.class->nvars, 2);
    CU_ASSERT_PTR_NULL(setup.class->eval);
    CHECK_TEXT(setup.class->ports[0].name, "in");
    CHECK_TEXT(setup.class->vars[1].name, "x2");
    kit_at(&setup, 0, 0, (double[]){10, 100, 3, 11}); /* u y x1 x2 */
    CHECK_CLOSE(setup.f[1], 100 - (5 * 11 + 7 * 3), 0);
    CHECK_CLOSE(setup.q[2], 3, 0);
    CHECK_CLOSE(setup.f[2], -11, 0);
    CHECK_CLOSE(setup.q[3], 2 * 11, 0);
    CHECK_CLOSE(setup.f[3], 6 * 11 + 4 * 3 - 10, 0);
    check_response(&setup, (double[]){5, 7}, 2, (double[]){2, 6, 4}, 3, 1, 1e-12);
    kit_free(&setup);
    make(
        &setup,
        "<transfer-function in=\"u\" out=\"y\" numerator=\"3 -1 0 2\" denominator=\"0.5 1 7 4\"/>");
    check_response(&setup, (double[]){3, -1, 0, 2}, 4, (double[]){0.5, 1, 7, 4}, 4, 2, 1e-12);
    kit_free(&setup);
}

/* Leading zeros change nothing: 1/(0 s + 1) is a gain (case V3). */
static void test_leading_zeros(void) {
    kit setup;
    make(&setup, "<transfer-function in=\"u\" out=\"y\" numerator=\"1\" denominator=\"0 1\"/>");
    CU_ASSERT_EQUAL(setup.class->nvars, 0);
    kit_at(&setup, 0, 0, (double[]){4, 9});
    CHECK_CLOSE(setup.f[1], 5, 0);
    kit_free(&setup);
    make(&setup,
         "<transfer-function in=\"u\" out=\"y\" numerator=\"0 0 0 2\" denominator=\"0 0 1 3\"/>");
    check_response(&setup, (double[]){2}, 1, (double[]){1, 3}, 2, 3, 1e-12);
    kit_free(&setup);
    make(&setup, "<transfer-function in=\"u\" out=\"y\" numerator=\"0 0 0\" denominator=\"1 3\"/>");
    kit_at(&setup, 0, 0, (double[]){4, 9, 5});
    CHECK_CLOSE(setup.f[1], 9, 0);
    kit_free(&setup);
}

/* Coefficients of very different size (case O25) and an order of ten. */
static void test_scaling(void) {
    kit setup;
    make(&setup,
         "<transfer-function in=\"u\" out=\"y\" numerator=\"1e5\" denominator=\"1e-10 1\"/>");
    check_response(&setup, (double[]){1e5}, 1, (double[]){1e-10, 1}, 2, 1e10, 1e-12);
    CHECK_CLOSE(setup.class->vars[0].nominal, 1, 1e-12);
    kit_free(&setup);
    make(&setup,
         "<transfer-function in=\"u\" out=\"y\" numerator=\"1e12\" denominator=\"1 1e6 1e12\"/>");
    CHECK_CLOSE(setup.class->vars[0].nominal * 1e12, 1, 1e-9); /* x1 = u/1e12, x2 = x1' */
    CHECK_CLOSE(setup.class->vars[1].nominal * 1e6, 1, 1e-9);
    kit_free(&setup);
    make(&setup, "<transfer-function in=\"u\" out=\"y\" numerator=\"1\" denominator=\"1 10 45 120 "
                 "210 252 210 120 45 10 1\"/>");
    check_response(&setup, (double[]){1}, 1,
                   (double[]){1, 10, 45, 120, 210, 252, 210, 120, 45, 10, 1}, 11, 0.03, 1e-9);
    kit_free(&setup);
}

static void test_transfer_starts(void) {
    kit setup;
    double start[2];
    make(&setup, "<transfer-function in=\"u\" out=\"y\" numerator=\"5 7\" denominator=\"2 6 4\" "
                 "x0=\"3 4\"/>");
    CU_ASSERT_EQUAL_FATAL(setup.class->nstarts, 2);
    CHECK_TEXT(setup.class->starts[0].name, "x0");
    setup.class->start(&setup.block, start);
    CHECK_CLOSE(start[0], 3, 0);
    CHECK_CLOSE(start[1], 4, 0);
    kit_free(&setup);
    make(&setup, "<transfer-function in=\"u\" out=\"y\" numerator=\"5 7\" denominator=\"2 6 4\" "
                 "y0=\"14\"/>");
    setup.class->start(&setup.block, start);
    CHECK_TEXT(setup.class->starts[0].name, "y0");
    CHECK_CLOSE(start[0], 2, 0);
    CHECK_CLOSE(start[1], 0, 0);
    kit_free(&setup);
    refuse("<transfer-function in=\"u\" out=\"y\" numerator=\"1\" denominator=\"1 2\" x0=\"1 2\"/>",
           "x0 has 2 values for 1 states");
    refuse("<transfer-function in=\"u\" out=\"y\" numerator=\"1\" denominator=\"1 2 3\" x0=\"1\"/>",
           "x0 has 1 values for 2 states");
    refuse("<transfer-function in=\"u\" out=\"y\" numerator=\"1\" denominator=\"1 2\" x0=\"1\" "
           "y0=\"2\"/>",
           "keep one");
    refuse("<transfer-function in=\"u\" out=\"y\" numerator=\"1 0\" denominator=\"1 2\" y0=\"2\"/>",
           "cannot be held in a steady state");
    refuse("<transfer-function in=\"u\" out=\"y\" numerator=\"1 2 3\" denominator=\"1 2\"/>",
           "it (transfer-function): its numerator has degree 2, its denominator 1");
    refuse("<transfer-function in=\"u\" out=\"y\" numerator=\"1\" denominator=\"0 0\"/>",
           "its denominator is zero");
}

static void test_zero_pole_gain(void) {
    kit setup;
    make(&setup,
         "<zero-pole-gain in=\"u\" out=\"y\" zeros=\"-1\" poles=\"-2+3i -2-3i\" gain=\"2\"/>");
    check_response(&setup, (double[]){2, 2}, 2, (double[]){1, 4, 13}, 3, 3, 1e-12);
    CU_ASSERT_EQUAL(setup.class->nvars, 2);
    kit_free(&setup);
    /* (s^2 + 4)(s - 1) / ((s + 1)(s + 2)(s + 3)(s^2 + 2 s + 5)), written with j, commas and a bare
     * unit */
    make(&setup, "<zero-pole-gain in=\"u\" out=\"y\" zeros=\"2j, -2j, 1\" "
                 "poles=\"-1,-2,-3,-1+2j,-1-2j\" gain=\"-3\"/>");
    CU_ASSERT_EQUAL(setup.class->nvars, 5);
    const double complex s = 0.3 + 1.7 * I;
    double complex exact =
        -3 * (s * s + 4) * (s - 1) / ((s + 1) * (s + 2) * (s + 3) * (s * s + 2 * s + 5));
    double gain[2];
    CU_ASSERT_FATAL(kit_response(&setup, 0, 0, (double[]){0.3, 1.7}, gain));
    CU_ASSERT(cabs(gain[0] + gain[1] * I - exact) <= 1e-13 * cabs(exact));
    kit_free(&setup);
    make(&setup, "<zero-pole-gain in=\"u\" out=\"y\" gain=\"4\"/>");
    kit_at(&setup, 0, 0, (double[]){2, 9});
    CHECK_CLOSE(setup.f[1], 1, 0);
    kit_free(&setup);
    /* ten poles of 1e6 rad/s and a gain that makes the whole one at rest: every state keeps a size
     * near one */
    make(&setup, "<zero-pole-gain in=\"u\" out=\"y\" gain=\"1e60\" "
                 "poles=\"-1e6 -1e6 -1e6 -1e6 -1e6 -1e6 -1e6 -1e6 -1e6 -1e6\"/>");
    CU_ASSERT_FATAL(kit_response(&setup, 0, 0, (double[]){0, 0}, gain));
    CHECK_CLOSE(gain[0], 1, 1e-12);
    kit_free(&setup);
    refuse("<zero-pole-gain in=\"u\" out=\"y\" poles=\"-1+2i\"/>",
           "poles: -1+2i stands without its conjugate; add -1-2i");
    refuse("<zero-pole-gain in=\"u\" out=\"y\" poles=\"-1 abc\"/>",
           "poles: 'abc' is no number like -2 or -1+3i");
    refuse("<zero-pole-gain in=\"u\" out=\"y\" zeros=\"1 2\" poles=\"-1\"/>",
           "2 zeros and 1 poles");
}

static void test_state_space(void) {
    kit setup;
    make(&setup, "<state-space in=\"u1 u2\" out=\"y1 y2 y3\" A=\"1 2; 0 4\" B=\"5 6; 7 8\" C=\"1 "
                 "0; 0 1; 2 3\" "
                 "D=\"0 0; 0 9; 0 0\" x0=\"-1 -2\"/>");
    CU_ASSERT_EQUAL(setup.class->nports, 5);
    CU_ASSERT_EQUAL_FATAL(setup.class->nvars, 2);
    kit_at(&setup, 0, 0, (double[]){10, 20, 0, 0, 0, 3, 4}); /* u1 u2 y1 y2 y3 x1 x2 */
    const double f[] = {0, 0, -3, -(4 + 180), -(6 + 12), -(3 + 8 + 50 + 120), -(16 + 70 + 160)};
    for (int k = 0; k < 7; k++)
        CHECK_CLOSE(setup.f[k], f[k], 0);
    CHECK_CLOSE(setup.q[5], 3, 0);
    CHECK_CLOSE(setup.q[6], 4, 0);
    /* y, and A, B, C, D without zeros, E */
    CU_ASSERT_EQUAL(setup.class->nentries, 3 + 3 + 4 + 4 + 1 + 2);
    double start[2];
    setup.class->start(&setup.block, start);
    CHECK_CLOSE(start[1], -2, 0);
    kit_free(&setup);
    refuse("<state-space in=\"u\" out=\"y\" A=\"1 2; 3 4\" B=\"1 2\" C=\"1 1\"/>",
           "B is 1 x 2 where 2 x 1 is needed");
    refuse("<state-space in=\"u\" out=\"y\" A=\"1 2; 3 4\" B=\"1; 2\" C=\"1 1\" D=\"1 2\"/>",
           "D is 1 x 2 where 1 x 1 is needed");
    refuse("<state-space in=\"u\" out=\"y\" A=\"1 2; 3 4\" B=\"1; 2\" C=\"1 1\" x0=\"1\"/>",
           "x0 has 1 values for 2 states");
}

/* ---- filters and delays ---- */

static double response(const char *element, double frequency) {
    kit setup;
    double gain[2];
    make(&setup, element);
    CU_ASSERT(
        kit_response(&setup, 0, 0, (double[]){0, 2 * 3.14159265358979323846 * frequency}, gain));
    kit_free(&setup);
    return hypot(gain[0], gain[1]);
}
#define FILTER(attributes) "<analog-filter in=\"u\" out=\"y\" " attributes "/>"

/* The reverse Bessel polynomial by its coefficients (2n-k)!/(2^(n-k) k! (n-k)!), over that of s^0,
 * at i w. */
static double bessel_size(int n, double w) {
    double complex sum = 0, term = 1;
    for (int k = 0; k <= n; k++) {
        sum += term;
        term *= I * w * 2 * (n - k) / ((k + 1.0) * (2 * n - k));
    }
    return cabs(sum);
}

static double bessel(int n, double relative) {
    double low = 0, high = 100;
    for (int k = 0; k < 200; k++)
        if (bessel_size(n, (low + high) / 2) < sqrt(2))
            low = (low + high) / 2;
        else
            high = (low + high) / 2;
    return 1 / bessel_size(n, relative * low);
}

static void test_filter(void) {
    for (int k = 1; k < 30; k++) { /* 1/sqrt(1 + (f/f0)^2n), and with f0/f */
        double f = 0.2 * k, x = pow(f / 3, 10), band = (f * f - 2 * 5) / (f * 3);
        CHECK_CLOSE(response(FILTER("order=\"5\" frequency=\"3\""), f), 1 / sqrt(1 + x), 1e-12);
        CHECK_CLOSE(response(FILTER("order=\"5\" frequency=\"3\" pass=\"high\""), f),
                    1 / sqrt(1 + 1 / x), 1e-12);
        CHECK_CLOSE(response(FILTER("order=\"3\" frequency=\"2\" upper=\"5\" pass=\"band\""), f),
                    1 / sqrt(1 + pow(band, 6)), 1e-12);
        CHECK_CLOSE(response(FILTER("order=\"4\" frequency=\"2\" upper=\"5\" pass=\"stop\""), f),
                    1 / sqrt(1 + pow(band, -8)), 1e-12);
        CHECK_CLOSE(response(FILTER("order=\"3\" frequency=\"3\" design=\"critical\""), f),
                    pow(1 + (cbrt(2) - 1) * f * f / 9, -1.5), 1e-12);
    }
    for (int order = 2; order < 8; order++) { /* 1/sqrt(1 + e^2 T(f/fr)^2), 3 dB down at 3 Hz */
        char text[128];
        snprintf(text, sizeof text,
                 FILTER("design=\"chebyshev\" ripple=\"0.5\" frequency=\"3\" order=\"%d\""), order);
        const double size = sqrt(pow(10, 0.05) - 1), end = 3 / cosh(acosh(1 / size) / order);
        CHECK_CLOSE(response(text, 3), sqrt(0.5), 1e-12);
        for (double f = 0; f < 5; f += 0.19) {
            double x = f / end, T = x <= 1 ? cos(order * acos(x)) : cosh(order * acosh(x));
            CHECK_CLOSE(response(text, f), 1 / sqrt(1 + size * size * T * T), 1e-11);
        }
    }
    for (int order = 1; order <= 20; order++) {
        char text[128];
        snprintf(text, sizeof text, FILTER("design=\"bessel\" frequency=\"3\" order=\"%d\""),
                 order);
        for (double f = 0; f < 6; f += 0.75)
            CHECK_CLOSE(response(text, f), bessel(order, f / 3),
                        order < 8    ? 1e-12
                        : order < 16 ? 1e-9
                                     : 1e-6);
    }
    refuse(FILTER("frequency=\"1\" design=\"bessel\" order=\"21\""), "at most 20");
    refuse(FILTER("frequency=\"1\" design=\"butterworht\""), "did you mean 'butterworth'?");
    refuse(FILTER("frequency=\"2\" upper=\"1\" pass=\"band\""), "which must be above it");
}

/* All-pass when the degrees agree, and the phase of exp(-s T) to the order of the approximation. */
static void test_pade(void) {
    kit setup;
    double gain[2];
    for (double w = 0; w < 10; w += 0.7) {
        make(&setup, "<pade-delay in=\"u\" out=\"y\" delay=\"0.3\" order=\"8\"/>");
        CU_ASSERT(kit_response(&setup, 0, 0, (double[]){0, w}, gain));
        CHECK_CLOSE(gain[0], cos(0.3 * w), 1e-9);
        CHECK_CLOSE(gain[1], -sin(0.3 * w), 1e-9);
        kit_free(&setup);
        make(&setup, "<pade-delay in=\"u\" out=\"y\" delay=\"0.3\" order=\"2\" numerator=\"1\"/>");
        CU_ASSERT(kit_response(&setup, 0, 0, (double[]){0, w}, gain));
        const double complex z = 0.3 * w * I, exact = (1 - z / 3) / (1 + 2 * z / 3 + z * z / 6);
        CU_ASSERT(cabs(gain[0] + gain[1] * I - exact) < 1e-13);
        kit_free(&setup);
    }
    refuse("<pade-delay in=\"u\" out=\"y\" delay=\"1\" order=\"2\" numerator=\"3\"/>",
           "is above order");
}

/* ---- piecewise linear ---- */

static void test_piecewise(void) {
    kit setup;
    make(&setup, "<piecewise-linear out=\"r\" points=\"0 0; 1 2; 1 5; 4 -1\"/>");
    const double zero[1] = {0}, breakpoints[] = {0, 1, 4};
    double t = -1;
    for (int k = 0; k < 3; k++) {
        t = setup.class->next_breakpoint(&setup.block, t, NULL);
        CHECK_CLOSE(t, breakpoints[k], 0);
    }
    CU_ASSERT(isinf(setup.class->next_breakpoint(&setup.block, t, NULL)));
    const struct {
        double t, decide, value;
    } points[] = {{-3, -3, 0},   {0.5, 0.5, 1}, {1, 0.9, 2}, {1, 1.1, 5},
                  {2.5, 2.5, 2}, {4, 3.9, -1},  {9, 9, -1}};
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) {
        kit_at(&setup, points[k].t, points[k].decide, zero);
        CHECK_CLOSE(-setup.f[0], points[k].value, 1e-15);
    }
    kit_free(&setup);
    make(&setup, "<piecewise-linear-current p=\"a\" n=\"b\" points=\"0 0; 2 4\"/>");
    kit_at(&setup, 1, 1, (double[]){0, 0});
    CHECK_CLOSE(setup.f[0], 2, 0);
    CHECK_CLOSE(setup.f[1], -2, 0);
    CU_ASSERT_EQUAL(setup.class->nvars, 0);
    kit_free(&setup);
    make(&setup, "<piecewise-linear-voltage p=\"a\" n=\"b\" points=\"0 0; 2 4\"/>");
    kit_at(&setup, 1, 1, (double[]){5, 1, 3});
    CHECK_CLOSE(setup.f[0], 3, 0);
    CHECK_CLOSE(setup.f[1], -3, 0);
    CHECK_CLOSE(setup.f[2], 4 - 2, 0);
    kit_free(&setup);
    refuse("<piecewise-linear out=\"r\" points=\"0 0; 2 2; 1 5\"/>",
           "time 1 follows 2 (point 3); times must rise");
    refuse("<piecewise-linear out=\"r\" points=\"0 0; 1 2; 1 5; 1 6\"/>",
           "three points have the time 1 (point 4)");
    refuse("<piecewise-linear out=\"r\" points=\"0 0 1 2\"/>", "points is 1 x 4");
}

/* ---- the catalogue ---- */

static void test_catalogue(void) {
    kit one, two, three;
    make(&one, "<sum in=\"a b\" signs=\"+-\" out=\"y\"/>");
    make(&two, "<sum in=\"c d\" signs=\"+-\" out=\"z\"/>");
    make(&three, "<sum in=\"c d\" signs=\"++\" out=\"z\"/>");
    CU_ASSERT_PTR_EQUAL(one.class, two.class); /* equal shapes share their class */
    CU_ASSERT_PTR_NOT_EQUAL(one.class, three.class);
    kit_free(&one), kit_free(&two), kit_free(&three);
    linnet_status status;
    CU_ASSERT_PTR_NULL(ln_catalogue_find(catalogue, "resitor", &status));
    CU_ASSERT_EQUAL(status, LINNET_OK);
    CHECK_TEXT(ln_catalogue_nearest(catalogue, "resitor"), "resistor");
    const char *group, *before = "", *name;
    int count = 0;
    for (; (name = ln_catalogue_name(catalogue, count, &group)) != NULL; count++) {
        CU_ASSERT(strcmp(before, group) <= 0);
        before = group;
    }
    CU_ASSERT(count > 60);
    linnet_block_class wrong = *ln_catalogue_find(catalogue, "resistor", &status)->face;
    /* the name is taken */
    CU_ASSERT_EQUAL(ln_catalogue_register(catalogue, &wrong, report), LINNET_USAGE);
    wrong.name = "another";
    const linnet_entry entries[] = {{0, 5, LINNET_A, LINNET_CONSTANT}};
    wrong.entries = entries, wrong.nentries = 1;
    CU_ASSERT_EQUAL(ln_catalogue_register(catalogue, &wrong, report), LINNET_USAGE);
    wrong.abi = 77;
    CU_ASSERT_EQUAL(ln_catalogue_register(catalogue, &wrong, report), LINNET_USAGE);
    wrong = *ln_catalogue_find(catalogue, "resistor", &status)->face;
    wrong.name = "another";
    CU_ASSERT_EQUAL(ln_catalogue_register(catalogue, &wrong, report), LINNET_OK);
    CU_ASSERT_PTR_EQUAL(ln_catalogue_find(catalogue, "another", &status)->face, &wrong);
    CU_ASSERT_PTR_EQUAL(ln_catalogue_find(catalogue, "capacitor", &status),
                        ln_catalogue_find(catalogue, "capacitor", &status));
}

/* A model's own types: found, refused under a built-in name, and reported once when they are wrong.
 */
static void test_own_types(void) {
    static const char good[] =
        "<model><block-type name=\"twice\"><input name=\"in\"/><output name=\"out\"/>"
        "<equation>out = 2*in</equation></block-type>"
        "<block-type name=\"bad\"><output name=\"out\"/><equation>out = "
        "nothing</equation></block-type>"
        "</model>";
    static const char taken[] =
        "<model><block-type name=\"resistor\"><output name=\"out\"/>\n<equation>out = 1</equation>"
        "</block-type></model>";
    ln_report *own = ln_report_new(NULL, NULL);
    ln_model *model;
    linnet_status status;
    CU_ASSERT_EQUAL_FATAL(ln_model_read_memory("m.xml", good, strlen(good), NULL, own, &model),
                          LINNET_OK);
    ln_catalogue *all = ln_catalogue_new(model, own, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(all);
    const ln_type *type = ln_catalogue_find(all, "twice", &status);
    CU_ASSERT_PTR_NOT_NULL_FATAL(type);
    CHECK_TEXT(type->group, "model");
    CU_ASSERT_PTR_NULL(ln_catalogue_find(all, "bad", &status));
    CU_ASSERT_EQUAL(status, LINNET_MODEL);
    CU_ASSERT_PTR_NULL(ln_catalogue_find(all, "bad", &status));
    CU_ASSERT_EQUAL(status, LINNET_MODEL);
    CU_ASSERT_EQUAL(ln_report_errors(own), 1);
    ln_catalogue_free(all);
    ln_model_free(model);
    CU_ASSERT_EQUAL_FATAL(ln_model_read_memory("m.xml", taken, strlen(taken), NULL, own, &model),
                          LINNET_OK);
    all = ln_catalogue_new(model, own, &status);
    CU_ASSERT_PTR_NOT_NULL_FATAL(all);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(ln_report_text(own, 1), "type 'resistor' takes the place of the built-in one"));
    type = ln_catalogue_find(all, "resistor", &status);
    CU_ASSERT(type != NULL && strcmp(type->group, "model") == 0);
    ln_catalogue_free(all);
    ln_model_free(model);
    ln_report_free(own);
}

static void test_end(void) { /* the shared catalogue, for the leak checker */
    ln_catalogue_free(catalogue);
    ln_report_free(report);
}

UNIT_MAIN({"filter", test_filter}, {"pade", test_pade}, {"sum", test_sum},
          {"product", test_product}, {"min and max", test_extremes}, {"function", test_function},
          {"transfer function", test_transfer_function}, {"leading zeros", test_leading_zeros},
          {"scaling", test_scaling}, {"starts of transfer functions", test_transfer_starts},
          {"zeros, poles, gain", test_zero_pole_gain}, {"state space", test_state_space},
          {"piecewise linear", test_piecewise}, {"catalogue", test_catalogue},
          {"types of a model", test_own_types}, {"end", test_end})
