/* SPDX-License-Identifier: MIT */
/* Measures: numbers taken from a signal while a run goes on - its maximum, its rise time, when a
 * condition first held.
 *
 * Asked for by <measure> elements and by texts such as "t_rise=rise-time(out, low=20%)". They see
 * every accepted point of the run, also those that are not recorded, through a recorder of their
 * own, so that nothing is added to a result. Nothing is stored, except for measures that need a
 * value known only at the end (a rise time relative to the final value): these keep the points of
 * their signal. */
#ifndef LN_ANALYSIS_MEASURE_H
#define LN_ANALYSIS_MEASURE_H

#include "analysis/recorder.h"
#include "analysis/settings.h"
#include "integrate/integrate.h"

typedef struct ln_measures ln_measures;

typedef struct ln_measured {
    const char *name, *unit;
    double value; /* NAN: there is none (a level that was never reached) */
} ln_measured;

/* Reads the model's <measure> elements and then the texts of the request. All errors are reported;
 * LINNET_USAGE when a text is to blame. *measures is NULL when there are none; else the caller's.
 * Settings and network must outlive them. */
linnet_status ln_measures_new(ln_network *network, const ln_settings *settings,
                              const ln_request *request, ln_report *report, ln_measures **measures);
void ln_measures_free(ln_measures *measures);

/* As the recorder: before the system is built. */
linnet_status ln_measures_ready(ln_measures *measures);
/* An accepted point; allocates only for measures that wait for the end. */
linnet_status ln_measures_point(ln_measures *measures, ln_system *system, ln_side side,
                                const double *x);
/* What lies within an adaptive step, before its end is told: where what an expression decides
 * changes (max(y, 0), floor(y)) there is a corner or a jump. (measure_point.c) */
linnet_status ln_measures_within(ln_measures *measures, ln_system *system,
                                 const ln_step_view *step);
/* 0: nothing is decided, so that nothing within a step is asked for. NULL: there are none. */
int ln_measures_decide(const ln_measures *measures);
/* The run is over: the values are final. What a run that failed reached counts. */
void ln_measures_finish(ln_measures *measures);

/* What was seen so far as bytes, and back into the measures of the same model and request. 0: it
 * does not fit, or memory is short. (measure_state.c) */
void ln_measures_save(const ln_measures *measures, ln_bytes *bytes);
/* All that decides what is measured, for a fingerprint: visit gets it piece by piece. */
void ln_measures_mark(const ln_measures *measures,
                      void (*visit)(void *context, const void *data, size_t length), void *context);
int ln_measures_load(ln_measures *measures, ln_bytes *bytes);

int ln_measures_count(const ln_measures *measures);
const ln_measured *ln_measures_at(const ln_measures *measures, int index);

/* The kinds, for help: 0-based; NULL behind the last. */
const char *ln_measure_kind_at(int index, const char **doc);

#endif
