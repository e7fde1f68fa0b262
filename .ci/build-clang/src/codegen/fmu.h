/* SPDX-License-Identifier: MIT */
/* A model as an FMU (Functional Mock-up Unit, FMI 2.0 and 3.0): generated code with the functions
 * of the interface around it (share/fmi), compiled, with its description, sources and a page in a
 * ZIP archive. Co-simulation for all that can be generated; model exchange, too, for block diagrams
 * with an explicit method. */
#ifndef LN_CODEGEN_FMU_H
#define LN_CODEGEN_FMU_H

#include "codegen/codegen.h"

typedef struct ln_fmu_request {
    ln_codegen_request code; /* folder, is_float, with_main, exchange are not looked at */
    int version;             /* 2 or 3 */
    const char *output;      /* the file; NULL: NAME.fmu */
    const char *compiler;    /* "cc"; "none": sources alone */
} ln_fmu_request;

typedef struct ln_fmu_summary {
    ln_codegen_summary code;
    char file[256];
    int exchange; /* model exchange, too */
    int binary;   /* 0: sources alone */
} ln_fmu_summary;

/* Writes the file. LINNET_MODEL, LINNET_USAGE, LINNET_IO (no libzip, a compiler that fails):
 * reported. A compiler that is not there is a warning, and the FMU has its sources alone. */
linnet_status ln_fmu_export(const ln_fmu_request *request, ln_fmu_summary *summary,
                            ln_report *report);

#endif
