/* SPDX-License-Identifier: MIT */
/* The analyses that a model asks for beside its <simulation>, as `linnet run` performs them: each
 * by the command that is about it, on the model that was read once. */
#ifndef LN_CLI_ANALYSES_H
#define LN_CLI_ANALYSES_H

#include "cli/job.h"

/* Performs them in the order of the model; one that fails does not keep the others from running.
 * The operating point is printed, or goes to `output` where that is a rawfile; curves go to files
 * named after `output`, or into the same rawfile. The first failure is returned. job->is_next is
 * then set if the rawfile exists. */
linnet_status ln_analyses_run(ln_job *job, const ln_model *model, const char *output);
/* How many results they and the run itself put in files of their own, <simulation> counted if it
 * `runs`. */
int ln_analyses_files(const ln_model *model, int runs);

/* The commands linnet op and linnet ac on a model that has been read, for a job of theirs
 * (ln_job_for). */
linnet_status ln_op_of_model(ln_job *job, const ln_model *model);
linnet_status ln_ac_of_model(ln_job *job, const ln_model *model);
/* <dc-gain>, for a job of linnet ac (gain.c). */
linnet_status ln_gain_of_model(ln_job *job, const ln_model *model);

#endif
