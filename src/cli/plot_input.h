/* SPDX-License-Identifier: MIT */
/* What `linnet plot` draws: results that are read, and models and decks that are run for it. */
#ifndef LN_CLI_PLOT_INPUT_H
#define LN_CLI_PLOT_INPUT_H

#include "cli/job.h"
#include "cli/picture.h"

/* Fills *trajectory from a file, told by its name and by how it begins. Of a model is recorded what
 * it asks for and what the picture needs; *title, if it is NULL, becomes the model's name. What a
 * run that failed or was interrupted got to is there, with its status; else reported. The numbers
 * live in the arena. */
linnet_status ln_plot_input(const ln_job *job, const ln_picture *picture, const char *path,
                            const char **title, ln_trajectory *trajectory);

/* A picture is made of rows in memory. Where they are known to be more than any picture can show,
 * that is told before the run, not by the system when there is no memory left: LINNET_USAGE. */
linnet_status ln_plot_check_rows(const ln_job *job, const ln_simulation *simulation);

#endif
