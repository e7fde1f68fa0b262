/* SPDX-License-Identifier: MIT */
/* Measures of results that are no trajectory: <measure analysis="frequency-response"> and
 * "dc-sweep". */
#ifndef LN_ANALYSIS_CURVE_MEASURES_H
#define LN_ANALYSIS_CURVE_MEASURES_H

#include "analysis/measure.h"
#include "model/model.h"

/* A column over the axis: `values` lie `stride` apart. */
typedef struct ln_measured_column {
    const char *name, *unit;
    const double *values;
    int stride;
} ln_measured_column;

/* What is measured: `count` rising values of the axis, which takes the place of time, and columns
 * over it. */
typedef struct ln_measured_curves {
    const char *analysis; /* of the elements that are meant */
    const char *unit;     /* of the axis */
    const double *x;
    int count, stride;
    const ln_measured_column *columns;
    int ncolumns;
} ln_measured_curves;

/* Takes the model's measures of this analysis; a signal is a column or a sum of columns ("out.dB -
 * in.dB"). *measures (NULL: there are none) is the caller's, to be read by ln_measures_at() and
 * freed. LINNET_MODEL, reported. */
linnet_status ln_curve_measures_take(const ln_model *model, const ln_measured_curves *curves,
                                     ln_report *report, ln_measures **measures);

#endif
