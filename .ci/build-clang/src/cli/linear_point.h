/* SPDX-License-Identifier: MIT */
/* What commands about a linearised model share: reading it, going to the point, writing what was
 * found. */
#ifndef LN_CLI_LINEAR_POINT_H
#define LN_CLI_LINEAR_POINT_H

#include "result/formats.h"
#include "analysis/pade.h"
#include "cli/job.h"

/* A row for option tables. */
/* clang-format off */
#define LN_OPTION_AT \
    {"at", 0, "TIME", "at this time of a run instead of at the operating point"}
/* clang-format on */

/* clang-format off */
#define LN_OPTION_PADE \
    {"pade", 0, "ORDER", "order of the Pade approximants of transport delays (default: 6)"}
/* clang-format on */

typedef struct ln_linear_point {
    const ln_model *model; /* borrowed */
    ln_simulation simulation;
    ln_small_signal small;
} ln_linear_point;

/* A command about a linearised model, from its command line to its exit status: the line is read
 * and checked, the model read and linearised at the operating point, or at --at of a run, which is
 * made to that time; then comes the work. `outputs` is the option that names what will be asked
 * for, names and patterns that become the columns of the simulation's recorder; NULL: nothing. */
typedef struct ln_linear_command {
    const char *outputs;
    linnet_status (*check)(const ln_job *job);
    /* what no option says, by the model; or NULL */
    linnet_status (*complete)(ln_job *job, const ln_model *model);
    linnet_status (*work)(const ln_job *job, ln_linear_point *point);
} ln_linear_command;
/* from a model on */
linnet_status ln_linear_command_on(const ln_linear_command *what, ln_job *job,
                                   const ln_model *model);
linnet_status ln_linear_command_run(const ln_linear_command *what, const ln_command *command,
                                    int argc, char **argv);

/* A document to --result, or to the standard output; the text is freed. */
linnet_status ln_linear_write(const ln_job *job, ln_text *text);
/* The place of --format among the names, "text, csv or json", the first of which is the default; -1
 * after a complaint. */
int ln_linear_format(const ln_job *job, const char *names);
/* The value of LN_OPTION_PADE. 0 after a complaint. */
int ln_linear_point_pade(const ln_job *job);
/* Says that and how delays are approximated: a whole line, or nothing without delays. */
void ln_linear_point_delays(int delays, int order, char text[96]);

/* "at its operating point (Newton)", "at 10 ms". */
void ln_linear_point_text(const ln_linear_point *point, char text[96]);

#endif
