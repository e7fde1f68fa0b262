/* SPDX-License-Identifier: MIT */
/* What a run takes: steps, retries, iterations, evaluations, factorisations and solutions of
 * examples and decks by each method, against tests/work.txt. A change of the numerics that costs or
 * saves something shows there, in its own commit: `make work` writes the table anew. Rounding may
 * move single steps, a little is let pass; more where the C library rounds otherwise than where the
 * table was written (exp and pow with fused products), and what is chaotic takes other steps. */
#include "linnet/linnet.h"

#include "unit.h"

#include <stdlib.h>

enum { COUNTS = 8 };
static const char *const count_name[COUNTS] = {"steps",    "rejected",   "newton", "evaluations",
                                               "factored", "refactored", "solved", "rows"};
/* of a count, and so many beside: by the library of the table, by another */
static const double PART = 0.01, PART_OTHERWISE = 0.25;
enum { BESIDE = 1, BESIDE_OTHERWISE = 10 };

typedef struct request {
    char path[128], method[32], tolerance[32];
} request;

static const char *root(void) {
    const char *srcdir = getenv("srcdir");
    return srcdir != NULL ? srcdir : ".";
}

/* The last bits of the C library's functions, in a number (FNV-1a). */
static unsigned long library(void) {
    unsigned long sum = 2166136261u;
    for (int k = 1; k <= 2000; k++) {
        const double x = k / 70.0, all[] = {exp(x), log(x), pow(x, 1.3), sin(x), cos(x), tanh(x)};
        unsigned char bytes[sizeof all];
        memcpy(bytes, all, sizeof all);
        for (size_t i = 0; i < sizeof bytes; i++)
            sum = ((sum ^ bytes[i]) * 16777619u) & 0xffffffffu;
    }
    return sum;
}

/* 0: the run failed. */
static int run(const request *asked, long counts[COUNTS]) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root(), asked->path);
    linnet_model *model = linnet_model_new();
    CU_ASSERT_PTR_NOT_NULL_FATAL(model);
    int ok = linnet_load(model, path) == LINNET_OK &&
             linnet_option(model, "tolerance", asked->tolerance) == LINNET_OK;
    if (ok && strcmp(asked->method, "-") != 0)
        ok = linnet_option(model, "method", asked->method) == LINNET_OK;
    ok = ok && linnet_run(model, NULL) == LINNET_OK;
    const linnet_statistics took = linnet_last_run(model);
    const long all[COUNTS] = {took.steps,    took.rejected,   took.newton, took.evaluations,
                              took.factored, took.refactored, took.solved, took.points};
    memcpy(counts, all, sizeof all);
    linnet_model_free(model);
    return ok;
}

/* One line of the table: its beginning into *asked, its counts; what is missing is -1. */
static int read_line(const char *line, request *asked, long counts[COUNTS]) {
    for (int k = 0; k < COUNTS; k++)
        counts[k] = -1;
    return line[0] != '#' &&
           sscanf(line, "%127s %31s %31s %ld %ld %ld %ld %ld %ld %ld %ld", asked->path,
                  asked->method, asked->tolerance, &counts[0], &counts[1], &counts[2], &counts[3],
                  &counts[4], &counts[5], &counts[6], &counts[7]) >= 3;
}

static void compare(const request *asked, const long *expected, const long *counts, int alike) {
    const double part = alike ? PART : PART_OTHERWISE;
    for (int k = 0; k < COUNTS; k++) {
        const int ok = (double)labs(counts[k] - expected[k]) <=
                       (alike ? BESIDE : BESIDE_OTHERWISE) + part * (double)expected[k];
        if (!ok)
            printf("\n    %s by %s at %s: %ld %s, expected %ld", asked->path, asked->method,
                   asked->tolerance, counts[k], count_name[k], expected[k]);
        CU_ASSERT(ok);
    }
}

static void table(void) {
    char line[512];
    snprintf(line, sizeof line, "%s/tests/work.txt", root());
    FILE *in = fopen(line, "r");
    const char *anew = getenv("LINNET_WORK"); /* the table as it now is, there */
    FILE *out = anew != NULL ? fopen(anew, "w") : NULL;
    unsigned long of_table = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(in);
    while (fgets(line, sizeof line, in) != NULL) {
        request asked;
        long expected[COUNTS], counts[COUNTS];
        if (sscanf(line, "# library %lx", &of_table) == 1) {
            if (out != NULL)
                fprintf(out, "# library %lx\n", library());
            continue;
        }
        if (!read_line(line, &asked, expected)) {
            if (out != NULL)
                fputs(line, out);
            continue;
        }
        const int ok = run(&asked, counts);
        if (!ok)
            printf("\n    %s by %s at %s: failed", asked.path, asked.method, asked.tolerance);
        CU_ASSERT(ok);
        if (out == NULL)
            compare(&asked, expected, counts, of_table == library());
        else if (ok)
            fprintf(out, "%s %s %s %ld %ld %ld %ld %ld %ld %ld %ld\n", asked.path, asked.method,
                    asked.tolerance, counts[0], counts[1], counts[2], counts[3], counts[4],
                    counts[5], counts[6], counts[7]);
    }
    fclose(in);
    if (out != NULL)
        CU_ASSERT_EQUAL(fclose(out), 0);
}

UNIT_MAIN({"what runs take", table})
