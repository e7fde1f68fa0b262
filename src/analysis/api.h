/* SPDX-License-Identifier: MIT */
/* Private to the public API: what the opaque types are. */
#ifndef LN_ANALYSIS_API_H
#define LN_ANALYSIS_API_H

#include "analysis/simulation.h"
#include "base/arena.h"
#include <linnet/analyses.h>

struct linnet_model {
    ln_arena *arena; /* strings of settings */
    ln_model *model; /* NULL until loaded */
    ln_request request;
    ln_override *overrides;
    size_t noverrides, overrides_room;
    int changed; /* linnet_set() was called since a run in steps has looked */
    const linnet_block_class **natives;
    size_t nnatives, natives_room;
    const char **folders;
    size_t nfolders, folders_room;
    const char *record; /* signals asked for, or NULL */
    ln_arena *messages; /* of the diagnostics */
    linnet_diagnostic *diagnostics;
    size_t ndiagnostics, diagnostics_room;
    const char **measures; /* asked for beside the model's */
    size_t nmeasures, measures_room;
    linnet_statistics statistics;
    ln_arena *after; /* what follows, of the last run */
    linnet_item *measured;
    int nmeasured;
};

/* A sink that fills a result (may be NULL), passes on to a file (may be NULL), and tells a watcher
 * (may be NULL). */
typedef struct ln_api_sink {
    ln_sink sink;
    ln_report *report;
    linnet_result *result;
    ln_sink *file;
    const linnet_watch *watch;
    linnet_signal *signals; /* for the watcher, in the arena */
    ln_arena *arena;
} ln_api_sink;
void ln_api_sink_init(ln_api_sink *sink, ln_report *report, ln_arena *arena,
                      const linnet_watch *watch);

/* A report for one call; the messages of the call before are gone. End closes and frees it, and
 * returns the status. */
ln_report *ln_api_begin(linnet_model *model);
linnet_status ln_api_end(ln_report *report, linnet_status status);
/* The messages of the call before are gone; a report that is kept goes on telling. */
void ln_api_forget(linnet_model *model);
/* A simulation of the model with all that was set. */
linnet_status ln_api_prepare(linnet_model *model, ln_simulation *simulation, int need_settings,
                             ln_report *report);
/* LINNET_USAGE, reported, when no model is loaded; else the request is made complete. */
/* asked: names of values that the call itself reads, or NULL */
linnet_status ln_api_request(linnet_model *model, const char *asked, ln_report *report);

/* Keeps what a run has measured; what finds no memory is not there. */
void ln_api_keep_measures(linnet_model *model, const ln_measures *measures);

/* An empty result; NULL when memory is short. */
linnet_result *ln_result_new(void);
/* Its columns, whose names are copied; then a row. LINNET_MEMORY is reported. */
linnet_status ln_result_open(linnet_result *result, const ln_column *columns, int ncolumns,
                             ln_report *report);
linnet_status ln_result_row(linnet_result *result, double t, const double *values,
                            ln_report *report);

#endif
