/* SPDX-License-Identifier: MIT */
/* Arrays of states, sums over an index, lists of constants: the unrolled types against values by
 * hand, conditions on indices that ask for no element outside, and what is said about indices that
 * do. */
#include "blocks_kit.h"
#include "unit.h"

#define AT "types.xml:2: error: block type 'a': "
#define TYPE(inside) "<block-type name=\"a\">" inside "</block-type>"

static void said(const char *xml, const char *text) {
    kit setup;
    kit_type(&setup, xml);
    CU_ASSERT_PTR_NULL(setup.class);
    CHECK_TEXT(ln_report_text(setup.report, 0), text);
    kit_free(&setup);
}

/* der(x[i]) = sum_j A[i,j] x[j] + b[i] with numbers one can do in the head. */
static void test_matrix(void) {
    kit setup;
    kit_type(&setup, TYPE("<number name=\"n\" value=\"2\"/><number name=\"m\" value=\"n + 1\"/>"
                          "<parameter name=\"A\" size=\"n, m\" default=\"1 2 3; 4 5 6\"/>"
                          "<parameter name=\"b\" size=\"n\" default=\"7 8\"/>"
                          "<state name=\"x\" size=\"m\" index=\"i\" start=\"10*i\"/>"
                          "<equation for=\"i = 1 .. n\">der(x[i]) = sum(j = 1 .. m, A[i, j]*x[j]) "
                          "+ b[i]</equation>"
                          "<equation>der(x[m]) = sum(k = 1..n, sum(j = k..m, k*x[j]))</equation>"));
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    CU_ASSERT_EQUAL_FATAL(setup.class->nvars, 3);
    CU_ASSERT_EQUAL_FATAL(setup.class->nparams, 2);
    CU_ASSERT_EQUAL(setup.class->params[0].rows, 2);
    CU_ASSERT_EQUAL(setup.class->params[0].cols, 3);
    CU_ASSERT_EQUAL(setup.class->params[1].rows, 1);
    CU_ASSERT_EQUAL(setup.class->params[1].offset, 6);
    CHECK_TEXT(setup.class->vars[2].name, "x[3]");
    CHECK_TEXT(setup.class->formula,
               "der(x[i]) = sum(j = 1 .. m, A[i, j]*x[j]) + b[i]   for i = 1 .. n\n"
               "der(x[m]) = sum(k = 1..n, sum(j = k..m, k*x[j]))");
    kit_prepare(&setup, (double[]){1, 2, 3, 4, 5, 6, 7, 8}, 8);
    kit_at(&setup, 0, 0, (double[]){100, 10, 1});
    CHECK_CLOSE(setup.q[0], 100, 0);
    CHECK_CLOSE(fabs(setup.f[0]), 130, 0); /* 100 + 20 + 3 + 7 */
    CHECK_CLOSE(fabs(setup.f[1]), 464, 0); /* 400 + 50 + 6 + 8 */
    CHECK_CLOSE(fabs(setup.f[2]), 133, 0); /* 100 + 10 + 1 + 2 (10 + 1) */
    double start[3];
    CU_ASSERT_EQUAL_FATAL(setup.class->nstarts, 3);
    setup.class->start(&setup.block, start);
    for (int k = 0; k < 3; k++)
        CHECK_CLOSE(start[k], 10 * (k + 1), 0);
    kit_free(&setup);
}

/* Neighbours: the branch for an element that is not there is never read, by if, and, or. */
static void test_neighbours(void) {
    kit setup;
    kit_type(&setup, TYPE("<state name=\"x\" size=\"4\"/>"
                          "<let name=\"y\" size=\"4\" index=\"i\" value=\"if(i eq 1 or x[i-1] lt "
                          "0, 5, x[i-1])\"/>"
                          "<equation for=\"i = 1 .. 4\" where=\"i ne 2\">der(x[i]) = if(i eq 1, 0, "
                          "x[i-1]) + 2*y[i] + "
                          "if(i lt 4 and x[i+1 - (i eq 4)] gt 0, 100, 200)</equation>"
                          "<equation>der(x[2]) = sum(j = 3 .. 2, x[j])</equation>"));
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    CHECK_TEXT(setup.class->observed[3], "y[4]");
    kit_prepare(&setup, NULL, 0);
    kit_at(&setup, 0, 0, (double[]){1, -2, 3, 4});
    CHECK_CLOSE(fabs(setup.f[0]), 210, 0); /* 0 + 2*5 + 200 */
    CHECK_CLOSE(setup.f[1], 0, 0);         /* an empty sum */
    CHECK_CLOSE(fabs(setup.f[2]), 108, 0); /* -2 + 2*5 + 100 */
    CHECK_CLOSE(fabs(setup.f[3]), 209, 0); /* 3 + 2*3 + 200 */
    kit_free(&setup);
}

/* Two indices, one depending on the other; matrices of states. */
static void test_two_indices(void) {
    kit setup;
    kit_type(
        &setup,
        TYPE("<state name=\"u\" size=\"2, 2\" index=\"i, j\" start=\"10*i + j\"/>"
             "<equation for=\"i = 1..2, j = i..2\">der(u[i, j]) = i*u[j, i]</equation>"
             "<equation for=\"i = 1..2, j = 1..2\" where=\"j lt i\">der(u[i, j]) = 7</equation>"));
    CU_ASSERT_EQUAL_FATAL(setup.status, LINNET_OK);
    CHECK_TEXT(setup.class->vars[1].name, "u[1,2]");
    CHECK_TEXT(setup.class->vars[2].name, "u[2,1]");
    kit_prepare(&setup, NULL, 0);
    kit_at(&setup, 0, 0, (double[]){1, 2, 3, 4});
    const double expected[4] = {1, 3, 7, 8};
    for (int k = 0; k < 4; k++)
        CHECK_CLOSE(fabs(setup.f[k]), expected[k], 0);
    double start[4];
    setup.class->start(&setup.block, start);
    for (int k = 0; k < 4; k++)
        CHECK_CLOSE(start[k], ((double[]){11, 12, 21, 22})[k], 0);
    kit_free(&setup);
}

#define STATES "<state name=\"x\" size=\"3\"/>"
#define ALL(right) STATES "<equation for=\"i = 1 .. 3\">der(x[i]) = " right "</equation>"

static void test_outside(void) {
    said(TYPE(ALL("x[i-1]")), AT "in \"der(x[i]) = x[i-1]\" at column 13: x[0] is outside; "
                                 "its elements are x[1] to x[3] (i = 1)");
    said(TYPE(ALL("sum(j = i .. 4, x[j])")),
         AT "in \"der(x[i]) = sum(j = i .. 4, x[j])\" "
            "at column 29: x[4] is outside; its elements are x[1] to x[3] (i = 1, j = 4)");
    said(TYPE("<parameter name=\"M\" size=\"2, 3\" default=\"1 2 3; 4 5 6\"/>" ALL("M[i, 1]")),
         AT "in \"der(x[i]) = M[i, 1]\" at column 13: the first index 3 of 'M' is outside; "
            "it goes from 1 to 2 (i = 3)");
    said(TYPE(ALL("x[i/2]")), AT "in \"der(x[i]) = x[i/2]\" at column 16: an index is a "
                                 "whole number, not 0.5 (i = 1)");
    said(TYPE(ALL("x[t]")), AT "in \"der(x[i]) = x[t]\" at column 15: an index may be made "
                               "of numbers and other indices only (i = 1)");
}

static void test_shapes(void) {
    said(TYPE(ALL("x")), AT "in \"der(x[i]) = x\" at column 13: 'x' is an array; write an "
                            "element, x[i] (i = 1)");
    said(TYPE(ALL("x[i, 1]")), AT "in \"der(x[i]) = x[i, 1]\" at column 13: 'x' takes one "
                                  "index, not 2 (i = 1)");
    said(TYPE("<state name=\"speed\" size=\"3\"/><equation for=\"i = 1..3\">der(speed[i]) = "
              "sped[i]</equation>"),
         AT "in \"der(speed[i]) = sped[i]\" at column 17: 'sped' is no array; did you mean "
            "'speed'? (i = 1)");
    said(TYPE("<parameter name=\"b\" size=\"3\" default=\"1 2\"/>" ALL("b[i]")),
         AT "the default of 'b' has 1 x 2 elements, its size asks for 1 x 3");
    said(TYPE("<state name=\"x\" size=\"0\"/>"),
         AT "size of 'x' is '0'; an array has 1 to 1000000 elements");
    said(TYPE("<state name=\"x\" size=\"2000, 2000\"/>"),
         AT "size of 'x' is '2000, 2000'; an array has 1 to 1000000 elements");
    said(TYPE("<state name=\"x\" index=\"i\" start=\"i\"/><equation>der(x) = 1</equation>"),
         AT "index of 'x' is 'i'; it needs a size, too");
}

static void test_indices(void) {
    said(TYPE(STATES "<equation for=\"x = 1 .. 3\">der(x[x]) = 1</equation>"),
         AT "in \"x = 1 .. 3\" at column 1: the name 'x' is taken; choose another index");
    said(TYPE(ALL("sum(i = 1 .. 2, 1)")),
         AT "in \"der(x[i]) = sum(i = 1 .. 2, 1)\" at "
            "column 13: the name 'i' is taken; choose another index (i = 1)");
    said(TYPE(STATES "<equation for=\"i = 1, 3\">der(x[i]) = 1</equation>"),
         AT "in \"i = 1, 3\" at column 6: the .. of the range is missing; write i = 1 .. n");
    said(TYPE(STATES "<equation where=\"1\">der(x[1]) = 1</equation>"),
         AT "<equation> has where=\"1\" without indices; add for=\"i = 1 .. n\"");
    said(TYPE(STATES "<equation for=\"i = 1 .. 1e9\">der(x[1]) = 1</equation>"),
         AT "in \"i = 1 .. 1e9\" at column 5: the range from 1 to 1000000000 has more than "
            "1000000 values");
    said(TYPE("<state name=\"x\" size=\"2\" unit=\"V\"/><parameter name=\"b\" size=\"2\" "
              "unit=\"A\" default=\"1 2\"/>"
              "<equation for=\"i = 1 .. 2\">der(x[i]) = x[i]/(1 s) + b[i]/(1 s)</equation>"),
         AT "i = 1: in \"der(x[i]) = x[i]/(1 s) + b[i]/(1 s)\" at column 24: cannot add V/s "
            "and A/s");
    kit setup;
    kit_type(&setup,
             TYPE("<state name=\"x\"/>"
                  "<equation>der(x) = sum(i = 1 .. 9999, sum(j = 1 .. 9999, x*i*j))</equation>"));
    CU_ASSERT(kit_said(
        &setup, "the arrays of this type come to more than 4000000 operations; make them smaller"));
    kit_free(&setup);
}

UNIT_MAIN({"matrices and sums", test_matrix}, {"neighbours", test_neighbours},
          {"two indices", test_two_indices}, {"outside", test_outside}, {"shapes", test_shapes},
          {"indices", test_indices})
