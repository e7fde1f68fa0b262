/* SPDX-License-Identifier: MIT */
/* The studio: a page in the browser with a model's text, diagram, parameters, runs and plots,
 * served to this machine alone.
 *
 * The server reads and writes model files, and has everything else done by the program itself as a
 * child (`linnet check`, `run`, `sweep`, `plot`, ...): nothing that a model does can end it.
 * Whoever asks must know the random token in the address, must ask by the address itself (Host),
 * and must not be a page from elsewhere (Origin). Files are read and written inside one folder
 * only, results stand in a private folder that goes with the server. */
#ifndef LN_STUDIO_STUDIO_H
#define LN_STUDIO_STUDIO_H

#include "base/report.h"

typedef struct ln_studio_options {
    const char *program;  /* the path of this program, for its children */
    const char *model;    /* opened at first; NULL: none. Inside the folder where we are */
    const char *examples; /* folder of examples; NULL: none */
    int port;             /* 0: any that is free */
    /* called once the server listens, with the address to open, and a file that leads there: its
     * path may be seen by others on this machine, the address not */
    void (*ready)(void *context, const char *address, const char *file);
    /* asked a few times a second: nonzero ends the server */
    int (*stop)(void *context);
    void *context;
} ln_studio_options;

/* Serves until `stop` says so. LINNET_IO, reported, when the port is taken or a folder cannot be
 * read; LINNET_USAGE when the model lies outside the folder where the program was started. */
linnet_status ln_studio_serve(const ln_studio_options *options, ln_report *report);

#endif
