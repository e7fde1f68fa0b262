/* SPDX-License-Identifier: MIT */
/* How wrong a run is, by its own means: it is repeated with half the step, or with a tolerance ten
 * times tighter, and compared with itself. An adaptive second run also takes no step longer than
 * half the longest of the first: where something else than the tolerance kept the steps short, they
 * would be the same again.
 *
 * At a fixed step h of a method of order p the error of the run is about (y_h - y_h/2) 2^p/(2^p -
 * 1) (Richardson); that of an adaptive run is about its difference from the better one. Compared
 * are up to some thousand of the run's own points, onto which the second run steps; where a signal
 * jumps, the nearer side counts. */
#ifndef LN_ANALYSIS_ESTIMATE_H
#define LN_ANALYSIS_ESTIMATE_H

#include "analysis/simulation.h"

/* Points of a run, thinned evenly. Zero-initialise; free `data` with ln_sys. */
typedef struct ln_points {
    int ncolumns;
    size_t count, room;
    long seen, stride;
    double *data; /* t and ncolumns values each */
} ln_points;

/* A sink that passes everything on to another, which it closes, and keeps points. NULL when memory
 * is short (reported; the other one is then the caller's still). */
ln_sink *ln_sink_keeping(ln_sink *other, ln_points *points, ln_report *report);

typedef struct ln_estimate_signal {
    const char *name, *unit;
    double error, t; /* largest, and where */
    double size;     /* largest |y| */
    long compared;   /* points */
} ln_estimate_signal;

typedef struct ln_estimate {
    ln_arena *arena; /* the caller's, given: holds the results */
    int fixed, order;
    double size;    /* step or tolerance of the second run */
    double seconds; /* it took */
    ln_estimate_signal *signals;
    int count;
} ln_estimate;

/* The request for the second run: as the first, which is over, but twice or ten times as careful.
 * Strings live in the arena. */
linnet_status ln_estimate_request(const ln_simulation *first, const ln_request *request,
                                  ln_arena *arena, ln_report *report, ln_request *second);

/* Runs the second simulation, prepared from that request, and compares. Names and units are those
 * of the second simulation's recorder. */
linnet_status ln_estimate_errors(const ln_simulation *first, const ln_points *points,
                                 ln_simulation *second, int (*stop)(void *context), void *context,
                                 ln_estimate *out);

#endif
