/* SPDX-License-Identifier: MIT */
/* A model checks itself: a run is compared with every <reference>.
 *
 * A reference is an expression (of t, parameters, and whatever has a name) or a column of a CSV
 * file. It is met when |y - ref| <= tolerance * max(1, |ref|) at every recorded time, or at the
 * times of `at`, or at the file's times that lie within the run; the integrator is made to stop at
 * these. Where a signal jumps, a written time is met by either side. */
#ifndef LN_ANALYSIS_VERIFY_H
#define LN_ANALYSIS_VERIFY_H

#include "analysis/simulation.h"
#include "model/model.h"

/* A time at which a reference is compared. */
typedef struct ln_reference_point {
    double t;
    double value; /* of a file */
    double error; /* the least found here; INFINITY before */
} ln_reference_point;

typedef struct ln_reference {
    const char *signal;
    ln_place place;
    double tolerance;
    int column;                 /* of the signal */
    int expected;               /* column of the expression, -1: a file */
    ln_reference_point *points; /* rising in t; NULL: every recorded time */
    size_t npoints, next;
    double worst, worst_t; /* largest |y - ref| / max(1, |ref|), and where */
    long compared;         /* times */
    int met;
} ln_reference;

/* The references of a model in document order, once they are resolved. */
typedef struct ln_references {
    ln_reference *items;
    int count;
    double *stops;
    size_t nstops; /* all written times, rising */
} ln_references;

/* Resolves the model's references against a simulation's network and recorder (a ln_choose_record
 * does it): columns are added, files read. Lives in the arena. All errors are reported. */
linnet_status ln_references_read(ln_simulation *simulation, const ln_model_options *options,
                                 ln_arena *arena, ln_references *references);

/* A ln_choose_record: what the model records and what its references need. The context is a
 * ln_references_choice. */
typedef struct ln_references_choice {
    const ln_model_options *options;
    ln_arena *arena;
    ln_references *references;
} ln_references_choice;
linnet_status ln_references_choose(void *context, ln_simulation *simulation);

/* Times this close to t are one: not a part of the whole run, for a run may span many decades. */
double ln_same_time(double begin, double t);

/* Prepares a run that meets the times of the references, which are resolved into the choice's.
 * These are valid in its arena whatever the outcome, with count 0 when it came to nothing.
 * LINNET_MODEL when the model has none. The simulation is the caller's to free in any case. */
linnet_status ln_verify_prepare(ln_simulation *simulation, const ln_model *model,
                                const ln_request *request, const ln_references_choice *choice,
                                ln_report *report);
/* Runs what was so prepared and compares; the references tell how each fared. LINNET_MISSED when
 * one was not met. stop: as of ln_simulation_run(). */
linnet_status ln_verify_run(ln_simulation *simulation, ln_references *references,
                            int (*stop)(void *context), void *context);

#endif
