/* SPDX-License-Identifier: MIT */
/* Private to the public API: what the opaque types are. */
#ifndef LN_ANALYSIS_API_H
#define LN_ANALYSIS_API_H

#include "analysis/simulation.h"
#include "base/text.h"
#include <linnet/linnet.h>

struct linnet_model {
    ln_arena *arena; /* strings of settings */
    ln_model *model; /* NULL until loaded */
    ln_request request;
    ln_override *overrides;
    size_t noverrides, overrides_room;
    const linnet_block_class **natives;
    size_t nnatives, natives_room;
    const char **folders;
    size_t nfolders, folders_room;
    const char *record; /* signals asked for, or NULL */
    ln_arena *messages; /* of the diagnostics */
    linnet_diagnostic *diagnostics;
    size_t ndiagnostics, diagnostics_room;
    linnet_statistics statistics;
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

/* An empty result; NULL when memory is short. */
linnet_result *ln_result_new(void);

#endif
