/* SPDX-License-Identifier: MIT */
/* linnet sweep --dc: DC transfer curves, a task of its own within `linnet sweep`. */
#ifndef LN_CLI_DC_COMMAND_H
#define LN_CLI_DC_COMMAND_H

#include "analysis/dc_curve.h"
#include "cli/job.h"

/* The whole of it, for a job whose --dc is given; tells how it ended. */
linnet_status ln_dc_command(ln_job *job);

/* The same on a model that has been read, into that file. */
linnet_status ln_dc_of_model(ln_job *job, const ln_model *model, const char *output,
                             ln_dc_curve *curve);

/* The words of the `vary` of <dc-sweep> or <parameter-sweep> (NULL: none), in the job's arena;
 * NULL: memory is short. */
const char **ln_vary_words(const ln_job *job, const ln_element *element, int *count);

#endif
