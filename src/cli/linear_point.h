/* SPDX-License-Identifier: MIT */
/* What commands about a linearised model share: reading it, and going to the point. */
#ifndef LN_CLI_LINEAR_POINT_H
#define LN_CLI_LINEAR_POINT_H

#include "analysis/pade.h"
#include "cli/job.h"

/* A row for option tables. */
#define LN_OPTION_AT                                                                                                 \
    {"at", 0, "TIME", "at this time of a run instead of at the operating point"}

#define LN_OPTION_PADE                                                                                               \
    {"pade", 0, "ORDER", "order of the Pade approximants of transport delays (default: 6)"}

typedef struct ln_linear_point {
    ln_model *model;
    ln_simulation simulation;
    ln_small_signal small;
} ln_linear_point;

/* Reads the job's model and linearises it at the operating point, or at --at of a run, which is made to that time.
 * outputs: names and patterns that will be asked for, or NULL; they are the columns of the simulation's recorder. The
 * point is to be freed in any case. Failures are reported. */
linnet_status ln_linear_point_reach(const ln_job *job, const char *outputs, ln_linear_point *point);
/* The value of LN_OPTION_PADE. 0 after a complaint. */
int ln_linear_point_pade(const ln_job *job);
/* Says that and how delays are approximated: a whole line, or nothing without delays. */
void ln_linear_point_delays(int delays, int order, char text[96]);
void ln_linear_point_free(ln_linear_point *point);

/* "at its operating point (Newton)", "at 10 ms". */
void ln_linear_point_text(const ln_linear_point *point, char text[96]);

#endif
