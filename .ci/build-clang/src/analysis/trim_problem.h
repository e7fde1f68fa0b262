/* SPDX-License-Identifier: MIT */
/* Private to trim: the model as functions of z = (x, p), scaled. */
#ifndef LN_ANALYSIS_TRIM_PROBLEM_H
#define LN_ANALYSIS_TRIM_PROBLEM_H

#include "analysis/trim.h"

/* What is asked, as it was written; `wrong` is the status if it makes no sense. */
typedef struct ln_trim_wish {
    const char *name, *values[3]; /* guess, min, max; NULL: not given */
    ln_place place;
    linnet_status wrong;
} ln_trim_wish;
typedef struct ln_trim_goal {
    const char *text;
    ln_place place;
    linnet_status wrong;
} ln_trim_goal;

typedef struct ln_trim_freed {
    const char *name, *unit;
    int unknown; /* -1: a parameter */
    double guess, low, high;
} ln_trim_freed;

typedef struct ln_trim_problem {
    const ln_model *model;
    const ln_request *request;
    const ln_trim_request *texts; /* of the command line */
    ln_trim_wish *wishes;
    int nfree; /* those and the model's */
    ln_trim_goal *holds;
    int nholds;
    ln_trim_goal minimise; /* text NULL: nothing */
    ln_report *report;
    ln_arena *arena;
    ln_trim_freed *frees; /* nfree */
    int *parameters;
    int m; /* which of them are parameters */
    const char **expressions;
    int nexpressions;  /* holds as differences, then the objective */
    int n, size, rows; /* unknowns; n + m; n + holds */
    ln_simulation at;  /* the model at p */
    int built;
    double *p;                 /* m: what `at` was built with */
    double *scale, *row_scale; /* of z; of rows */
    double *low, *high;        /* bounds of z, scaled */
    /* rows + 1 (the objective); (rows + 1) x size, row by row; physical, unscaled */
    double *values, *jacobian;
    double *sources; /* work */
    double *z_at;    /* z of values, to evaluate a point once */
    int have_values, have_jacobian;
    int *use;
    int nuse; /* the rows that are posed: all, or independent ones */
    int evaluations;
    linnet_status status; /* the first failure to build */
} ln_trim_problem;

/* Fills wishes, holds and minimise. (trim_request.c) */
linnet_status ln_trim_gather(ln_trim_problem *problem);
/* Reads the request, builds the model at the guess, allocates. */
linnet_status ln_trim_begin(ln_trim_problem *problem);
/* Values, and with `slopes` their derivatives, at z (unscaled). LINNET_RETRY: not finite there. */
linnet_status ln_trim_evaluate(ln_trim_problem *problem, const double *z, int slopes);
/* Leads z (unscaled) from a guess to a point at which all rows are met, within low and high
 * (scaled), wherever rows depend on each other. *residual: the largest scaled one that is left.
 * LINNET_OK also where it does not get there. (trim_approach.c) */
linnet_status ln_trim_approach(ln_trim_problem *problem, const double *low, const double *high,
                               double *z, double *residual);
/* Builds `at` with the parameters p (m values) unless it is. */
linnet_status ln_trim_build(ln_trim_problem *problem, const double *p);

#endif
