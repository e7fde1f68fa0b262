/* SPDX-License-Identifier: MIT */
/* Private to margins: the curve L(jw), sampled as finely as it turns. */
#ifndef LN_ANALYSIS_LOOP_CURVE_H
#define LN_ANALYSIS_LOOP_CURVE_H

#include "analysis/margins.h"

typedef struct ln_loop_curve {
    ln_response *response;
    ln_loop_point *points;
    size_t count, room; /* by rising w; to be released */
    /* where |L| is less, its turns are not followed: delays make it turn for ever */
    double faint;
} ln_loop_curve;

/* L and dL/dw at w. LINNET_RETRY: a pole, or 1 + L infinite. */
linnet_status ln_loop_at(ln_loop_curve *curve, double w, ln_loop_point *point);
/* Samples from low to high, with the frequencies given (any order) among the points, until the
 * curve between neighbours is what their derivatives say. */
linnet_status ln_loop_sample(ln_loop_curve *curve, double low, double high, const double *also,
                             int nalso);

#endif
