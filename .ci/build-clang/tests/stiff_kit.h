/* SPDX-License-Identifier: MIT */
/* The stiff examples (models/examples/stiff) run by any method: the model's text as it stands, and
 * its accuracy at the end
 *
 *     scd = -log10 max |y - ref|/|ref|
 *
 * over the <reference> elements that give a number at the end time ("significant correct digits" of
 * the Bari/CWI set). */
#ifndef TESTS_STIFF_KIT_H
#define TESTS_STIFF_KIT_H

#include "harness.h"
#include "unit.h"
#include <stdlib.h>
#include <time.h>

typedef struct stiff_problem {
    const char *name; /* of the file */
    const char *at;   /* end, as the references write it */
    double end;       /* s */
    const char *only; /* the references that begin so are scored; NULL: all */
} stiff_problem;

/* Pleiades: positions only, beam: angles only, as everywhere in the literature; the forces of the
 * car axis are not. */
static const stiff_problem stiff_problems[] = {
    {"robertson", "1e11", 1e11, NULL},
    {"robertson-dae", "1e11", 1e11, NULL},
    {"hires", "321.8122", 321.8122, NULL},
    {"van-der-pol", "2000", 2000, NULL},
    {"van-der-pol-scaled", "2", 2, NULL},
    {"transistor-amplifier", "0.2", 0.2, NULL},
    {"chemical-akzo", "180", 180, NULL},
    {"car-axis", "3", 3, NULL},
    {"pleiades", "3", 3, NULL},
    {"beam", "5", 5, NULL},
    {"rlc-ringing", "100 us", 1e-4, NULL},
    {"rlc-creeping", "100 us", 1e-4, NULL},
    {"lc-50-periods", "10 ms", 1e-2, NULL},
    {"brusselator", "20", 20, NULL},
    {"lorenz", "5", 5, NULL},
    {"prothero-robinson", "10", 10, NULL},
    {"diffusion", "0.2", 0.2, NULL},
    {"detest-a1", "20", 20, NULL},
    {"detest-a2", "120", 120, NULL},
    {"detest-a3", "20", 20, NULL},
    {"detest-a4", "1", 1, NULL},
    {"detest-c1", "20", 20, NULL},
    {"detest-c2-c5", "20", 20, NULL},
    {"detest-e2", "1", 1, NULL},
};
enum { STIFF_PROBLEMS = sizeof stiff_problems / sizeof *stiff_problems };

static inline const stiff_problem *stiff_find(const char *name) {
    for (size_t k = 0; k < STIFF_PROBLEMS; k++)
        if (strcmp(stiff_problems[k].name, name) == 0)
            return &stiff_problems[k];
    return NULL;
}

/* The text of the example; the caller's to free. NULL when it cannot be read. */
static inline char *stiff_text(const char *name) {
    char path[512];
    const char *srcdir = getenv("srcdir");
    snprintf(path, sizeof path, "%s/models/examples/stiff/%s.xml", srcdir != NULL ? srcdir : ".",
             name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "cannot read %s\n", path);
        return NULL;
    }
    char *text = calloc(1, 1 << 16);
    size_t length = text != NULL ? fread(text, 1, (1 << 16) - 1, file) : 0;
    fclose(file);
    if (length > 0)
        return text;
    free(text);
    return NULL;
}

/* The value of an attribute within an element's text, up to `room` - 1 characters; 0 when there is
 * none. */
static inline int stiff_attribute(const char *element, const char *name, char *out, size_t room) {
    char key[32];
    const char *end = strstr(element, "/>");
    snprintf(key, sizeof key, " %s=\"", name);
    const char *from = strstr(element, key);
    if (from == NULL || end == NULL || from > end)
        return 0;
    from += strlen(key);
    snprintf(out, room, "%.*s", (int)strcspn(from, "\""), from);
    return 1;
}

/* The numbers given for the end: names separated by blanks, and values. */
static inline int stiff_references(const stiff_problem *problem, const char *text, char *names,
                                   size_t room, double *values) {
    int count = 0;
    names[0] = '\0';
    for (const char *at = text; (at = strstr(at, "<reference")) != NULL && count < HARNESS_SIGNALS;
         at++) {
        char signal[64], value[64], when[32], *rest;
        if (!stiff_attribute(at, "at", when, sizeof when) || strcmp(when, problem->at) != 0)
            continue;
        if (!stiff_attribute(at, "signal", signal, sizeof signal) ||
            !stiff_attribute(at, "value", value, sizeof value))
            continue;
        values[count] = strtod(value, &rest);
        if (*rest != '\0' ||
            (problem->only != NULL && strncmp(signal, problem->only, strlen(problem->only)) != 0))
            continue;
        size_t used = strlen(names);
        snprintf(names + used, room - used, "%s%s", count > 0 ? " " : "", signal);
        count++;
    }
    return count;
}

typedef struct stiff_score {
    linnet_status status;
    int failed;
    double scd, seconds; /* scd: -99 after a failure */
    ln_statistics statistics;
} stiff_score;

/* Runs one problem; step > 0 and tolerance 0: fixed step; both: the largest step. max_steps 0: no
 * limit. */
static inline stiff_score stiff_run(const stiff_problem *problem, const char *method,
                                    double tolerance, double step, long max_steps) {
    char names[512], *text = stiff_text(problem->name);
    double values[HARNESS_SIGNALS], worst = 0;
    stiff_score score = {.failed = 1, .scd = -99};
    if (text == NULL)
        return score;
    int count = stiff_references(problem, text, names, sizeof names, values);
    clock_t before = clock();
    harness h = harness_run_with(text, names,
                                 (ln_settings){.method = ln_method_find(method),
                                               .end = problem->end,
                                               .tolerance = tolerance,
                                               .step = step,
                                               .max_steps = max_steps});
    score.seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    score.status = h.status;
    score.statistics = h.statistics;
    if (h.status == LINNET_OK && count > 0) {
        for (int k = 0; k < count; k++)
            worst = fmax(worst, fabs(harness_last(&h, k) / values[k] - 1));
        score.scd = isfinite(worst) ? fmin(16, -log10(worst)) : -99;
        score.failed = !isfinite(worst);
    }
    harness_free(&h);
    free(text);
    return score;
}

#endif
