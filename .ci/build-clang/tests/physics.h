/* SPDX-License-Identifier: MIT */
/* For tests of the physical library: a model run by an explicit and by implicit methods, and one
 * that must be refused. */
#ifndef TESTS_PHYSICS_H
#define TESTS_PHYSICS_H

#include "harness.h"
#include "unit.h"

#define MODEL(body) "<model name='m' xmlns='urn:linnet:model:1'>" body "</model>"
static const double pi = 3.14159265358979323846;

static const struct run {
    const char *method;
    double step, tolerance, within;
} runs[] = {{"rk4", 0.002, 0, 1e-8},
            {"crank-nicolson", 0.001, 0, 1e-5},
            {"radau5", 0, 1e-8, 1e-7},
            {"tr-bdf2", 0, 1e-6, 1e-4}};
enum { RUNS = sizeof runs / sizeof *runs, EXPLICIT = 1 };

static inline harness run(const char *xml, const char *signals, size_t k, double end) {
    harness h = harness_run_with(xml, signals,
                                 (ln_settings){.method = ln_method_find(runs[k].method),
                                               .end = end,
                                               .step = runs[k].step,
                                               .tolerance = runs[k].tolerance});
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    if (h.status != LINNET_OK)
        printf("\n    ^ by %s\n", runs[k].method);
    return h;
}

static inline double value(const harness *h, size_t row, int k) {
    return h->value[row * (size_t)h->nsignals + (size_t)k];
}

/* The model is refused with this text among the messages. */
static inline void check_refused(const char *xml, const char *text) {
    int said = 0;
    harness_verbose = 0;
    harness h = harness_run(xml, "", "crank-nicolson", 1, 0.1);
    CU_ASSERT_EQUAL(h.status, LINNET_MODEL);
    for (int k = 0; ln_report_text(h.report, k) != NULL; k++)
        said |= strstr(ln_report_text(h.report, k), text) != NULL;
    CU_ASSERT(said);
    if (!said && ln_report_text(h.report, 0) != NULL)
        printf("\n    it said: %s\n", ln_report_text(h.report, 0));
    harness_free(&h);
    harness_verbose = 1;
}

#endif
