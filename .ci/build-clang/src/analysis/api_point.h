/* SPDX-License-Identifier: MIT */
/* Private to the public API: a model linearised at the point that a caller asked for. */
#ifndef LN_ANALYSIS_API_POINT_H
#define LN_ANALYSIS_API_POINT_H

#include "analysis/api.h"
#include "analysis/operating.h"
#include "analysis/small_signal.h"

typedef struct ln_api_point {
    ln_simulation simulation; /* owned; its recorder has the outputs as columns */
    ln_small_signal small;    /* owned */
} ln_api_point;

/* `at`: NULL for the operating point, else a time of the run as text; outputs: names, or NULL. The
 * point is the caller's in any case. Failures are reported; LINNET_USAGE for names and times. */
linnet_status ln_api_point_reach(ln_api_point *point, linnet_model *model, const char *at,
                                 const char *outputs, ln_report *report);
void ln_api_point_free(ln_api_point *point);

#endif
