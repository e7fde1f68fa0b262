/* SPDX-License-Identifier: MIT */
/* Sweeps in pictures: the runs of a sweep as a fan of curves coloured by a parameter, and the table
 * of a sweep as measures against a parameter. */
#ifndef LN_CLI_PLOT_SWEEP_H
#define LN_CLI_PLOT_SWEEP_H

#include "cli/job.h"
#include "cli/picture.h"

/* With the option --sweep, which names the sweep's table: gives each result the value of the
 * parameter --colour (default: the first) in the row whose number ends the name of its file, and
 * the picture its scale. Without the option nothing happens. */
linnet_status ln_plot_shades(const ln_job *job, ln_picture *picture, ln_trajectory *results,
                             char *const *files, int count);

/* Is the result a table of `linnet sweep`? */
int ln_is_sweep_table(const ln_trajectory *result);
/* The table as results of their own, one for each value of the parameter --colour (all in one
 * without it), each in the order of the parameter on the horizontal axis, which becomes the first
 * column. *results, in the arena. */
linnet_status ln_plot_sweep_table(const ln_job *job, ln_picture *picture,
                                  const ln_trajectory *table, ln_trajectory **results, int *count);

#endif
