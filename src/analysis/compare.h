/* SPDX-License-Identifier: MIT */
/* Which method, which step, how accurate, at what cost: one model run by many methods at many steps
 * and tolerances, each run held against a reference.
 *
 * The reference is exact where the model brings its own <reference> expressions; otherwise every
 * run keeps some of its own points, and a run at a tight tolerance is afterwards made to step onto
 * all of them. So no run is disturbed by the comparison and no interpolation error enters it. A
 * second, different method confirms that reference.
 *
 * Errors are relative to the signal's largest size in the reference. Nothing in a comparison is
 * NaN: what is not known is absent by a flag. */
#ifndef LN_ANALYSIS_COMPARE_H
#define LN_ANALYSIS_COMPARE_H

#include "analysis/simulation.h"
#include "model/model.h"

/* What is asked for. Texts are expressions as in a model, "10 us". */
typedef struct ln_compare_options {
    const char *const *methods;
    int nmethods; /* 0: the usual ones */
    /* 0: the model's or a thousandth of the run, a half, a quarter */
    const char *const *steps;
    int nsteps;
    const char *const *tolerances;
    int ntolerances; /* 0: 1e-4, 1e-6, 1e-8 */
    /* names and patterns; NULL: those with a reference, else what the model records */
    const char *signals;
    /* a CSV file, "model", "computed"; NULL: the model's if it has any, else computed */
    const char *reference;
    double limit; /* s that one run may take */
    const ln_model_options *folders;
    const ln_request *request; /* the rest; its method, step and tolerance are not used */
} ln_compare_options;

typedef enum ln_compare_outcome {
    LN_COMPARE_NOT_RUN, /* interrupted before or in it */
    LN_COMPARE_RAN,
    LN_COMPARE_UNSTABLE, /* its step is beyond the method's limit of stability */
    LN_COMPARE_FAILED
} ln_compare_outcome;

/* Of one signal in one run. */
typedef struct ln_compare_error {
    double largest, largest_t; /* |y - ref|, and where */
    double end, end_reference; /* at the end; has_end */
    double size;               /* largest |ref| met */
    long compared;             /* points */
    int has_end;
} ln_compare_error;

typedef struct ln_compare_row {
    const ln_method *method;
    int fixed; /* size is a step in s, else a tolerance */
    double size;
    const char *text; /* as it was asked for */
    ln_compare_outcome outcome;
    const char *remark; /* why it did not go well, or what to know; NULL */
    ln_statistics work;
    double seconds;
    int has_errors, has_end, has_order;
    double largest, largest_t; /* error, relative; worst_signal has it */
    int worst_signal;
    /* at the end: relative to the size; -log10 of the largest relative error */
    double end, scd;
    double limit;             /* longest stable step, s; 0: not known or none */
    double order;             /* against the row before, of the same method */
    ln_compare_error *errors; /* per signal */
    double *samples;
    size_t nsamples; /* kept points: t, values */
} ln_compare_row;

/* Least squares over the rows of one method at fixed or adaptive steps. */
typedef struct ln_compare_summary {
    const ln_method *method;
    int fixed, rows, has_order;
    double order;
} ln_compare_summary;

typedef struct ln_comparison {
    ln_arena *arena; /* owned */
    ln_report *report;
    const ln_model *model;
    const ln_compare_options *options;
    double begin, end;
    const char **names, **units;
    int nsignals;
    ln_compare_row *rows;
    int nrows;
    ln_compare_summary *summaries;
    int nsummaries;
    const char *reference; /* what the errors are against, in words */
    double doubt;          /* by how much two methods differ on the reference; 0: an exact one */
    int has_reference;
    /* reference values where they are points: t, values; NAN where none */
    double *truth;
    size_t ntruth;
    /* times onto which every run steps, for a reference that is a file or `at` */
    double *stops;
    size_t nstops;
} ln_comparison;

/* Watches over the runs. tell (may be NULL) hears what begins: the row, or NULL for the reference.
 */
typedef struct ln_compare_watch {
    void (*tell)(void *context, const ln_compare_row *row, int index, int count);
    int (*stop)(void *context);
    void *context;
} ln_compare_watch;

/* Compares. What could be done is in *comparison whatever the status: LINNET_INTERRUPTED keeps the
 * rows so far; LINNET_FAILED when no run came to its end. *comparison is the caller's, to be freed;
 * model, options and report outlive it. */
linnet_status ln_compare(const ln_model *model, const ln_compare_options *options,
                         const ln_compare_watch *watch, ln_report *report,
                         ln_comparison *comparison);
void ln_comparison_free(ln_comparison *comparison);

#endif
