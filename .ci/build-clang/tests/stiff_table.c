/* SPDX-License-Identifier: MIT */
/* The table of doc/stiff.md: every stiff example with every implicit method, accuracy and work, as
 * Markdown.
 *
 *     tests/stiff_table [NAME]...        the examples named, else all */
#include "stiff_kit.h"

static const char *const methods[] = {"radau5",         "ida",           "tr-bdf2", "bdf2",
                                      "crank-nicolson", "backward-euler"};
enum { METHODS = sizeof methods / sizeof *methods };
static const double tolerances[] = {1e-4, 1e-7};
static const long most_steps = 3000000; /* a run beyond is counted as failed */

static int is_wanted(const char *name, int count, char **names) {
    for (int k = 0; k < count; k++)
        if (strcmp(names[k], name) == 0)
            return 1;
    return count == 0;
}

static int is_cheap(const char *method, double tolerance) {
    return strcmp(method, "backward-euler") != 0 || tolerance > 1e-5;
}

int main(int count, char **names) {
    harness_verbose = getenv("STIFF_VERBOSE") != NULL;
    printf("| problem | tolerance |");
    for (size_t m = 0; m < METHODS; m++)
        printf(" %s |", methods[m]);
    printf("\n|---|---|");
    for (size_t m = 0; m < METHODS; m++)
        printf("---|");
    printf("\n");
    int failures = 0;
    for (size_t p = 0; p < STIFF_PROBLEMS; p++) {
        if (!is_wanted(stiff_problems[p].name, count - 1, names + 1))
            continue;
        for (size_t t = 0; t < sizeof tolerances / sizeof *tolerances; t++) {
            printf("| %s | %.0e |", stiff_problems[p].name, tolerances[t]);
            for (size_t m = 0; m < METHODS; m++) {
                if (!is_cheap(methods[m], tolerances[t])) {
                    printf(" - |");
                    continue;
                }
                stiff_score s =
                    stiff_run(&stiff_problems[p], methods[m], tolerances[t], 0, most_steps);
                if (s.failed)
                    printf(" fails at %.3g s |", s.statistics.t);
                else
                    printf(" %.2f, %ld, %.1f ms |", s.scd, s.statistics.steps, 1e3 * s.seconds);
                fflush(stdout);
                failures += s.failed && m == 0;
            }
            printf("\n");
        }
    }
    return failures > 0;
}
