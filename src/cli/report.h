/* SPDX-License-Identifier: MIT */
/* A report: a page about a model, part by part. */
#ifndef LN_CLI_REPORT_H
#define LN_CLI_REPORT_H

#include "base/text.h"
#include "cli/job.h"
#include <linnet/analyses.h>

/* What the parts are made of. */
typedef struct ln_reporting {
    const ln_job *job;
    const char *path;       /* of the model */
    const ln_model *source; /* as it is written */
    linnet_model *model;    /* asked through the library */
    ln_text *page;
    ln_text messages; /* of the model, as list items */
    int nmessages;
    linnet_status status; /* the first that went wrong */
} ln_reporting;

/* Of a part that may be missing: only where memory was short for it there is no report. */
void ln_report_note_memory(ln_reporting *r, linnet_status status);
/* What the library had to say since the last time, in front of which `about` says which part asked.
 */
void ln_report_hear(ln_reporting *r, const char *about);
void ln_report_section(ln_reporting *r, const char *title);

/* ---- report_tables.c ---- */
void ln_report_run(ln_reporting *r, const linnet_statistics *statistics);
void ln_report_measures(ln_reporting *r);
void ln_report_parameters(ln_reporting *r);
void ln_report_point(ln_reporting *r);
void ln_report_modes(ln_reporting *r);

/* ---- report_diagram.c: the model drawn, and its feedback loops ---- */
linnet_status ln_report_diagram(ln_reporting *r);

/* ---- report_plots.c ---- */
linnet_status ln_report_plots(ln_reporting *r, const linnet_result *result);

#endif
