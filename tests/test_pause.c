/* SPDX-License-Identifier: MIT */
/* Runs that pause: what they have cost adds up; at fixed steps they are the run
 * that does not pause, to the last bit, with its counts; bytes that are not
 * theirs are refused. */
#include "harness.h"
#include "integrate/pause.h"
#include "unit.h"

#include <stdlib.h>

#define MODEL(body) "<model xmlns='urn:linnet:model:1'>" body "</model>"

/* Statistics of which no two counts are alike. */
static ln_statistics some(long first) {
    ln_statistics is = {.steps = first,
                        .rejected = first + 1,
                        .newton = first + 2,
                        .factored = first + 3,
                        .refactored = first + 4,
                        .solved = first + 5,
                        .evaluations = first + 6,
                        .events = first + 7,
                        .breakpoints = first + 8,
                        .damped = first + 9,
                        .leaps = first + 10,
                        .smallest = (double)first,
                        .largest = (double)first + 1,
                        .local_error = (double)first / 1000};
    for (int k = 0; k < LN_CAUSES; k++)
        is.by[k] = first + 20 + k;
    snprintf(is.local_error_of, sizeof is.local_error_of, "of %ld", first);
    return is;
}

static void check_sum(const ln_statistics *sum, long by, int parts) {
    CU_ASSERT(sum->steps == by && sum->rejected == by + parts && sum->newton == by + 2 * parts);
    CU_ASSERT(sum->factored == by + 3 * parts && sum->refactored == by + 4 * parts);
    CU_ASSERT(sum->solved == by + 5 * parts && sum->evaluations == by + 6 * parts);
    CU_ASSERT(sum->events == by + 7 * parts && sum->breakpoints == by + 8 * parts);
    CU_ASSERT(sum->damped == by + 9 * parts && sum->leaps == by + 10 * parts);
    for (int k = 0; k < LN_CAUSES; k++)
        CU_ASSERT(sum->by[k] == by + (20 + k) * parts);
}

static void counts(void) {
    static const struct { long first, second; } pairs[] = {{100, 300}, {300, 100}, {100, 100}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        ln_statistics sum = {.steps = 0}, a = some(pairs[k].first), b = some(pairs[k].second);
        ln_pause_add_counts(&sum, &a);
        check_sum(&sum, pairs[k].first, 1);
        CU_ASSERT(sum.smallest == a.smallest && sum.largest == a.largest);
        CU_ASSERT(sum.local_error == a.local_error);
        CHECK_TEXT(sum.local_error_of, a.local_error_of);
        ln_pause_add_counts(&sum, &b);
        check_sum(&sum, pairs[k].first + pairs[k].second, 2);
        CU_ASSERT(sum.smallest == 100 && sum.largest == fmax(a.largest, b.largest));
        CU_ASSERT(sum.local_error == fmax(a.local_error, b.local_error));
        CHECK_TEXT(sum.local_error_of,
                   a.local_error >= b.local_error ? a.local_error_of : b.local_error_of);
        /* a part without a step has no smallest one */
        ln_statistics none = {.steps = 0};
        ln_pause_add_counts(&sum, &none);
        CU_ASSERT(sum.smallest == 100);
    }
    /* to bytes and back, and none that is negative */
    ln_bytes bytes = {0};
    ln_statistics back = {.steps = 0}, a = some(500);
    ln_pause_save_counts(&bytes, &a);
    ln_pause_load_counts(&bytes, &back);
    check_sum(&back, 500, 1);
    CU_ASSERT(!bytes.failed && bytes.at == bytes.length);
    CU_ASSERT(back.smallest == a.smallest && back.largest == a.largest);
    CU_ASSERT(back.local_error == a.local_error);
    CHECK_TEXT(back.local_error_of, a.local_error_of);
    for (int k = 0; k < 11 + LN_CAUSES; k++) {
        const long long negative = -1;
        ln_bytes wrong = {0};
        ln_pause_save_counts(&wrong, &a);
        memcpy(wrong.data + k * (int)sizeof negative, &negative, sizeof negative);
        ln_pause_load_counts(&wrong, &back);
        CU_ASSERT(wrong.failed);
        ln_bytes_free(&wrong);
    }
    for (int k = 0; k < 3; k++) { /* no length of a step and no error is negative, or no number */
        const double no[] = {-1, NAN};
        for (int kind = 0; kind < 2; kind++) {
            ln_bytes wrong = {0};
            ln_pause_save_counts(&wrong, &a);
            memcpy(wrong.data + (11 + LN_CAUSES) * sizeof(long long) + (size_t)k * sizeof *no,
                   &no[kind], sizeof *no);
            ln_pause_load_counts(&wrong, &back);
            CU_ASSERT(wrong.failed);
            ln_bytes_free(&wrong);
        }
    }
    ln_bytes_free(&bytes);
}

static const char *const models[] = {
    MODEL("<block-type name='vdp'><state name='x' start='2'/><state "
          "name='y'/><equation>der(x) = "
          "y</equation><equation>der(y) = 5*(1 - x*x)*y - "
          "x</equation></block-type><vdp id='s'/>"),
    MODEL("<block-type name='ball'><state name='x' start='1'/><state "
          "name='y'/><memory "
          "name='n'/><equation>der(x) = y</equation><equation>der(y) = "
          "-9.81</equation><when "
          "condition='x lt 0'><set name='y' value='-0.8*pre(y)'/><set name='n' "
          "value='n + "
          "1'/></when></block-type><ball id='s'/>"),
    MODEL("<block-type name='lag'><state name='x' start='1'/><state "
          "name='y'/><equation>der(x) = "
          "-2*delay(x, 0.3)</equation><equation>der(y) = "
          "x</equation></block-type><lag id='s'/>")};
enum { MODELS = sizeof models / sizeof *models };

/* Runs, and pauses at these times. */
static harness run(int m, const char *method, const double *at, int pauses, int *paused) {
    ln_pause pause = {.at = pauses > 0 ? at[0] : INFINITY};
    harness h = harness_built(models[m], "s.x s.y", ln_report_new(harness_print, &harness_verbose));
    const ln_watcher watcher = {.context = &h, .accept = harness_accept};
    const ln_settings settings = {
        .method = ln_method_find(method), .end = 2, .step = 0.0078125, .pause = &pause};
    *paused = 0;
    while (h.status == LINNET_OK) {
        h.status = ln_integrate(h.system, &settings, &watcher, h.report, &h.statistics);
        if (h.status != LINNET_OK || !pause.paused)
            break;
        const double t = ln_pause_time(&pause);
        CU_ASSERT(t >= pause.at && t < pause.at + 0.0078126);
        pause.at = ++*paused < pauses ? at[*paused] : INFINITY;
    }
    ln_bytes_free(&pause.bytes);
    return h;
}

static void fixed_steps(void) {
    static const char *const methods[] = {"backward-euler", "rk4", "heun"};
    static const double at[] = {0.25, 0.5, 0.501, 1.2, 1.99};
    enum { PAUSES = sizeof at / sizeof *at };
    for (int m = 0; m < MODELS; m++)
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            int none, paused;
            harness a = run(m, methods[k], NULL, 0, &none),
                    b = run(m, methods[k], at, PAUSES, &paused);
            CU_ASSERT(a.status == LINNET_OK && b.status == LINNET_OK);
            CU_ASSERT(none == 0 && paused == PAUSES);
            CU_ASSERT_FATAL(a.rows == b.rows);
            double worst = 0;
            for (size_t i = 0; i < a.values; i++)
                worst = fmax(worst, fabs(a.value[i] - b.value[i]));
            CHECK_CLOSE(worst, 0, strcmp(methods[k], "backward-euler") == 0 ? 1e-9 : 1e-12);
            CU_ASSERT(a.statistics.steps == b.statistics.steps);
            CU_ASSERT(a.statistics.events == b.statistics.events);
            CHECK_CLOSE(a.statistics.smallest, b.statistics.smallest, 1e-12);
            CHECK_CLOSE(a.statistics.largest, b.statistics.largest, 1e-12);
            harness_free(&a);
            harness_free(&b);
        }
}

UNIT_MAIN({"counts", counts}, {"fixed steps", fixed_steps})
