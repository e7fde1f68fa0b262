/* SPDX-License-Identifier: MIT */
/* DC transfer curves: the operating point at each value of a parameter, each found from the one
 * before, memories included, so that of several points the one is found that a slow change leads
 * to, and hysteresis shows. The last axis runs the fastest; each of its curves begins from the
 * first point of the curve before. */
#ifndef LN_ANALYSIS_DC_CURVE_H
#define LN_ANALYSIS_DC_CURVE_H

#include "analysis/settings.h"
#include "analysis/vary.h"
#include "model/model.h"
#include "result/sink.h"

typedef struct ln_dc_curve {
    const ln_model *model; /* borrowed, as all below but what prepare fills in */
    ln_request request;
    int back;                                            /* 1: each curve also back again */
    int (*stop)(void *context);                          /* asked before every point; may be NULL */
    void (*show)(void *context, long done, long points); /* may be NULL */
    void *context;
    ln_arena *arena;
    ln_report *report;
    ln_axes axes;             /* filled by prepare */
    ln_column *swept;         /* per axis: its name and unit */
    const ln_column *columns; /* of the sink, once a point is found */
    long points, done, aided; /* in all; found; found by more than Newton's method */
} ln_dc_curve;

/* Reads NAME=VALUES texts as ln_axes_read() does; random values are refused (LINNET_USAGE). */
linnet_status ln_dc_curve_prepare(ln_dc_curve *curve, const char *const *texts, int ntexts);
/* Goes through all points into the sink, which is closed whatever happens: the last axis takes the
 * place of time, before what is recorded come the other axes. A point that is not found ends it
 * (LINNET_FAILED, reported with the values); what was found stays. */
linnet_status ln_dc_curve_run(ln_dc_curve *curve, ln_sink *sink);

#endif
