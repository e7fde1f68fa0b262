/* SPDX-License-Identifier: MIT */
/* What run, check and verify share: the options that say how a model is to be read and run, and its
 * reading. */
#ifndef LN_CLI_JOB_H
#define LN_CLI_JOB_H

#include "base/json.h"
#include "analysis/simulation.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "model/model.h"

/* Rows for the commands' option tables. */
/* clang-format off */
#define LN_OPTIONS_HOW \
    {"method", 'm', "NAME", "method of integration (below)"}, \
    {"step", 's', "TIME", "fixed step, such as 10us; replaces the model's step and tolerance"}, \
    {"tolerance", 't', "NUMBER", "adaptive step at this relative accuracy; replaces the model's\n" \
                                 "step and tolerance; with --step, that is the largest step"}, \
    {"duration", 'd', "TIME", "how long to simulate"}, \
    {"event-limit", 0, "NUMBER", "events in no time (a millionth of the run) before it is given " \
     "up; 1000"}, \
    {"linear-solver", 0, "NAME", "one of " LN_LINEAR_WORDS}
/* clang-format on */
/* clang-format off */
#define LN_OPTIONS_ROWS \
    {"interval", 0, "TIME|steps", "rows at these times and at events only, or one a step " \
     "(default: of an\n" \
                                  "adaptive method as many as lines between them need)"}, \
    {"points", 0, "NUMBER", "so many rows, evenly from start to end, and those at events"}
/* clang-format on */
/* clang-format off */
#define LN_OPTIONS_WHAT \
    {"set", 0, "NAME=VALUE", "set a parameter: --set load=2kOhm --set R1.R='2 kOhm'; repeatable"}, \
    {"include", 'I', "DIR", "also read included and reference files from here; repeatable"}, \
    {"allow-native", 0, NULL, "run code that the model names (FMUs), which can do anything"}, \
    {"max-seconds", 0, "NUMBER", "give up after this time; what was computed is kept"}, \
    {"max-memory", 0, "SIZE", "use no more memory than this: 500MB, 2GB"}
/* clang-format on */

/* clang-format off */
#define LN_OPTION_MEASURE \
    {"measure", 0, "NAME=KIND(SIGNAL)", "also measure this (below): --measure 't=rise-time(out, " \
     "low=20%)';\n" \
                                        "repeatable"}
/* clang-format on */

/* clang-format off */
#define LN_OPTION_PROGRESS \
    {"progress", 0, "HOW", "bar: on a terminal; lines: 'progress: 0.25' on stderr, for programs"}
/* clang-format on */

/* A command line, read. Strings belong to argv. */
typedef struct ln_job {
    const ln_command *command;
    ln_request request;
    ln_override *overrides; /* argc of them */
    const char **folders;
    int nfolders;
    char *const *files;
    int nfiles;
    /* of --measure (counted by the request) and --vary */
    const char **measures, **varied;
    int nvaried;
    const char *line;   /* the whole command line */
    const char *output; /* NULL: the default */
    /* by the command's table of options: the last value given, "" of one that takes none, NULL: not
     * given */
    const char **values;
    int *given;
    int ngiven;                /* every option given, in order, for those that repeat, ... */
    const char **given_values; /* ... and its value */
    int quiet;
    /* --format json of the commands that have it: what they tell, and their answer about each model
     */
    int json;
    ln_heard heard;
    ln_text answer;      /* a list, begun with the first model */
    ln_json answer_json; /* that writes it */
    ln_progress_form progress;
    int is_next; /* the result is another plot of a rawfile that has some (ln_result_head) */
    ln_arena *arena;
    ln_report *report;
} ln_job;

/* How many models a command takes. */
typedef enum ln_job_files { LN_JOB_SOME /* at least one */, LN_JOB_ONE, LN_JOB_ANY } ln_job_files;
/* Reads the command line. Returns 1 when there is work to do; else 0 with *status, after help or a
 * wrong option. The job is to be freed in any case. */
int ln_job_read(ln_job *job, const ln_command *command, int argc, char **argv, ln_job_files files,
                linnet_status *status);
void ln_job_free(ln_job *job);

/* clang-format off */
#define LN_OPTION_FORMAT \
    {"format", 'f', "NAME", \
     "text (default), or json: messages and what is found as one object on stdout"}
/* clang-format on */
/* Begins the answer about the next model with its file: an object in job->answer_json, to be ended
 * by the command. */
void ln_job_answer(ln_job *job, const char *path);
/* Prints it all, with the messages, the status and the exit status; the report is closed before.
 * Gives the status, or that memory was short for the answer. */
linnet_status ln_job_tell(ln_job *job, linnet_status status);
/* Does `one` for each file, and ends the command's report. status: so far. Returns the status of
 * all: the first failure, which counts more than a missed reference; an interruption ends the work.
 */
linnet_status ln_job_each(ln_job *job, linnet_status status,
                          linnet_status (*one)(ln_job *job, const char *path));

/* The value of the command's option of that name, as in `values`. */
const char *ln_job_value(const ln_job *job, const char *name);
/* What --format says; without it "csv" or "json" where the file of -o ends so; else NULL. */
const char *ln_job_format(const ln_job *job);

/* The work of another command on the same model: options that both know (--set, --include, ...) as
 * given here, the others not given. Shares all memory with `job`, which alone is to be freed. */
linnet_status ln_job_for(const ln_job *job, const ln_command *command, ln_job *other);
/* Gives an option of the command a value. */
void ln_job_give(ln_job *job, const char *name, const char *value);

/* All values of a repeatable option, in order, in the job's arena. NULL when memory is short. */
const char **ln_job_values(const ln_job *job, const char *name, int *count);

/* Reads a model as the job says. */
linnet_status ln_job_model(const ln_job *job, const char *path, ln_model **model);
/* What a result is called by default: the name of the model file without folder and ending, and the
 * suffix; NULL when memory is short. */
const char *ln_job_file_after(const ln_job *job, const char *path, const char *suffix);
ln_model_options ln_job_options(const ln_job *job);

/* Prints the kinds of measures with a line each, for help. */
void ln_help_measures(void);
/* Prints the methods with a line each, for help. */
void ln_help_methods(void);

#endif
