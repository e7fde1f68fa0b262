/* SPDX-License-Identifier: MIT */
/* Private to the comparison: one run, and the points it keeps. */
#ifndef LN_ANALYSIS_COMPARE_RUN_H
#define LN_ANALYSIS_COMPARE_RUN_H

#include "analysis/compare.h"

/* Where reference values come from. */
typedef enum ln_truth_source { LN_TRUTH_MODEL, LN_TRUTH_FILE, LN_TRUTH_COMPUTED } ln_truth_source;

typedef struct ln_comparing {
    ln_comparison *comparison;
    const ln_compare_watch *watch;
    ln_truth_source source;
    const int *chosen; /* MODEL: per signal the number of the model's reference */
    int has_points;    /* some reference values are points, not expressions */
} ln_comparing;

/* A run to be made. */
typedef struct ln_compare_task {
    const char *method, *step, *tolerance; /* for the request */
    /* onto which it steps, and which alone it keeps; NULL: points of its own */
    const double *stops;
    size_t nstops;
    double limit;   /* s; INFINITY */
    long max_steps; /* 0: no limit of its own */
} ln_compare_task;

/* Two times that differ by rounding only. */
int ln_compare_same_time(const ln_comparison *comparison, double a, double b);

/* A ln_choose_record with a ln_comparing as context: the columns that are compared. */
linnet_status ln_compare_choose(void *context, ln_simulation *simulation);

/* Runs; fills the row's outcome, remark, work, samples and, for signals with an expression, errors.
 * Only LINNET_MEMORY and LINNET_INTERRUPTED end the comparison; everything else is in the row. */
linnet_status ln_compare_run(const ln_comparing *all, const ln_compare_task *task,
                             ln_compare_row *row);

/* Takes one comparison into account. */
void ln_compare_note(ln_compare_error *error, double t, double actual, double expected, int at_end);

/* ---- compare_reference.c ---- */

/* The reference at the points that the rows kept: computed, or read already. */
linnet_status ln_compare_truth(ln_comparing *all);
/* The errors of all rows' samples against the truth, and what follows from them. */
void ln_compare_judge(ln_comparing *all);
/* The observed orders, of the runs that stand. */
void ln_compare_orders(ln_comparing *all);

#endif
