/* SPDX-License-Identifier: MIT */
/* Trim: a steady state that is asked for something, by the model's <trim>, a command line, or both.
 *
 *     minimise J(x, p)  with  f(x; p) = 0,  holds g(x, p) = 0,  bounds on x and p
 *
 * p are parameters that are set free (the voltage of a source, a throttle), x all unknowns of the
 * model. Without an objective the point nearest to the guess is taken. NLopt's SLSQP does it (D.
 * Kraft, ACM TOMS 20 (1994) 262), with exact derivatives of f by x; parameters and expressions are
 * differenced. */
#ifndef LN_ANALYSIS_TRIM_H
#define LN_ANALYSIS_TRIM_H

#include "analysis/operating.h"

typedef struct ln_trim_request {
    /* "battery.V=3.5:0:12": NAME[=GUESS][:MIN:MAX]; a parameter is set free, an unknown gets a
     * guess and bounds */
    const char *const *free_names;
    int nfree;
    const char *const *holds;
    int nholds;           /* "thrust = 3.7 N" */
    const char *minimise; /* an expression, or NULL */
} ln_trim_request;

/* Whether the model or the request asks for a trim at all. */
int ln_trim_asked(const ln_model *model, const ln_trim_request *trim);
/* Reads all of it and builds the model, no more: errors are reported. */
linnet_status ln_trim_check(const ln_model *model, const ln_request *request, ln_report *report);

/* More unknowns than this are not trimmed: the matrices are dense. */
enum { LN_TRIM_MOST = 400 };

typedef struct ln_trim_value {
    const char *name, *unit;
    double value;
    int at_bound;
} ln_trim_value;

typedef struct ln_trim {
    ln_arena *arena; /* owned: what follows */
    ln_trim_value *found;
    int nfound; /* the parameters that were free */
    const char *minimised;
    double objective; /* NULL: nothing was */
    double residual;  /* largest of f and holds left, relative to the terms they consist of */
    int evaluations;
} ln_trim;

/* Trims: *op becomes the operating point with the parameters found, prepared and observed. Both
 * results are the caller's in any case. LINNET_USAGE (LINNET_MODEL, of a <trim>) for a request that
 * makes no sense, LINNET_FAILED when there is no such point; reported. */
linnet_status ln_trim_find(const ln_model *model, const ln_request *request,
                           const ln_trim_request *trim, ln_report *report, ln_operating *op,
                           ln_trim *out);
void ln_trim_free(ln_trim *trim);

#endif
