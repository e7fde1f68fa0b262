/* SPDX-License-Identifier: MIT */
/* The little that Linnet's tests add to CUnit: one suite per program, closeness, text. */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#if defined(__has_include) && !__has_include(<CUnit/Basic.h>)
#error "CUnit is missing; install libcunit1-dev, as ./bootstrap does"
#endif
#include <CUnit/Basic.h>
#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct unit_test {
    const char *name;
    void (*run)(void);
} unit_test;

/* |actual - expected| <= tolerance * max(1, |expected|); tells both numbers when it fails. */
#define CHECK_CLOSE(actual, expected, tolerance)                                                 \
    do {                                                                                         \
        double unit_a = (actual), unit_e = (expected), unit_t = (tolerance);                     \
        int unit_ok = fabs(unit_a - unit_e) <= unit_t * fmax(1.0, fabs(unit_e));                 \
        if (!unit_ok)                                                                            \
            printf("\n    %s:%d: %s is %.17g, expected %.17g within %g (off by %g)\n", __FILE__, \
                   __LINE__, #actual, unit_a, unit_e, unit_t, unit_a - unit_e);                  \
        CU_ASSERT(unit_ok);                                                                      \
    } while (0)

#define CHECK_TEXT(actual, expected)                                                         \
    do {                                                                                     \
        const char *unit_a = (actual), *unit_e = (expected);                                 \
        int unit_ok = unit_a != NULL && strcmp(unit_a, unit_e) == 0;                         \
        if (!unit_ok)                                                                        \
            printf("\n    %s:%d: is      \"%s\"\n    expected \"%s\"\n", __FILE__, __LINE__, \
                   unit_a != NULL ? unit_a : "(null)", unit_e);                              \
        CU_ASSERT(unit_ok);                                                                  \
    } while (0)

static inline int unit_run(const char *suite_name, const unit_test *tests, size_t count) {
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 2;
    CU_pSuite suite = CU_add_suite(suite_name, NULL, NULL);
    for (size_t k = 0; suite != NULL && k < count; k++)
        if (CU_add_test(suite, tests[k].name, tests[k].run) == NULL)
            return 2;
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    int failed =
        suite == NULL || CU_get_number_of_failures() > 0 || CU_get_number_of_tests_run() != count;
    CU_cleanup_registry();
    return failed;
}

/* main() of a test program: UNIT_MAIN({"name", function}, ...) */
#define UNIT_MAIN(...)                                                                 \
    int main(void) {                                                                   \
        static const unit_test unit_tests[] = {__VA_ARGS__};                           \
        return unit_run(__FILE__, unit_tests, sizeof unit_tests / sizeof *unit_tests); \
    }

#endif
