/* SPDX-License-Identifier: MIT */
/* Private to margins: the curve L(jw), sampled as finely as it turns, and its crossings. */
#ifndef LN_ANALYSIS_LOOP_CURVE_H
#define LN_ANALYSIS_LOOP_CURVE_H

#include "analysis/loop_probe.h"
#include "analysis/margins.h"
#include "analysis/state_space.h"

typedef struct ln_loop_curve ln_loop_curve;

/* L and dL/dw at w. LINNET_RETRY: a pole, or 1 + L infinite. */
typedef linnet_status ln_loop_at(const ln_loop_curve *curve, double w, ln_loop_point *point);

struct ln_loop_curve {
    ln_loop_at *at;
    ln_response *response;         /* of a signal: from what is added to what its driver gives */
    ln_loop_probe *probe;          /* of physical ports, in its place */
    const ln_state_space *sampled; /* of a sampled loop, in its place, with */
    ln_linear *solver;             /* z - A */
    double *values;
    ln_loop_point *points;
    size_t count, room; /* by rising w; to be released */
    double faint; /* where |L| is less, its turns are not followed: delays make it turn for ever */
    int ends;     /* L at the end is known and real: */
    double end, end_w; /* at infinite frequency, or half of the sampling frequency */
};

/* Of a signal: from the response to what is added to it. */
linnet_status ln_loop_at_signal(const ln_loop_curve *curve, double w, ln_loop_point *point);
/* At physical ports (loop_probe.h). */
linnet_status ln_loop_at_probe(const ln_loop_curve *curve, double w, ln_loop_point *point);
/* Samples from low to high, with the frequencies given (any order) among the points, until the
 * curve between neighbours is what their derivatives say. */
linnet_status ln_loop_sample(ln_loop_curve *curve, double low, double high, const double *also,
                             size_t nalso);
/* The crossings and the decisive ones of a sampled curve. */
linnet_status ln_loop_crossings(ln_loop_curve *curve, ln_margins *out);

#endif
