/* SPDX-License-Identifier: MIT */
/* Private to the FMU target: what its files share.
 *
 *     fmu.c              the way in: texts, binary, archive
 *     fmu_variables.c    the variables of the description, and where they stand in the model
 *     fmu_description.c  modelDescription.xml, buildDescription.xml
 *     fmu_model.c        model.h, by which share/fmi finds its way in the generated code
 *     fmu_page.c         documentation/index.html */
#ifndef LN_CODEGEN_FMU_WRITER_H
#define LN_CODEGEN_FMU_WRITER_H

#include "codegen/c_writer.h"
#include "codegen/fmu.h"

typedef enum ln_fmu_kind {
    LN_FMU_TIME,
    LN_FMU_INPUT,
    LN_FMU_PARAMETER,
    LN_FMU_STATE,
    LN_FMU_OUTPUT,
    LN_FMU_RATE,
    LN_FMU_INDICATOR
} ln_fmu_kind;

/* Of FMI 3; in FMI 2 all are real. */
typedef enum ln_fmu_type { LN_FMU_FLOAT64, LN_FMU_INT32, LN_FMU_BOOLEAN } ln_fmu_type;

/* A variable of the description; its value reference is its place in the list. */
typedef struct ln_fmu_variable {
    ln_fmu_kind kind;
    const char *name, *unit, *about; /* unit, about: may be NULL */
    const char *member;        /* "inputs.u[0]": within the model; a rate: within the states */
    int rows, cols;            /* of an array (FMI 3), as in ln_field; 0 0: a number */
    int count;                 /* elements */
    const double *start;       /* count of them; NULL: computed */
    double nominal;            /* of a state; else 0 */
    const linnet_param *param; /* of a parameter: its range; else NULL */
    int of;                    /* of a rate: the state's reference; else -1 */
    int is_output;             /* a state that is recorded, too */
    int is_discrete;           /* it changes at events alone */
    ln_fmu_type type;
} ln_fmu_variable;

typedef struct ln_fmu_writer {
    ln_c_writer *c;
    int version, exchange;
    ln_fmu_variable *variable;
    int nvariables;
    char token[48];
    const char *const *source; /* the files of sources/ that are compiled, ended by NULL */
} ln_fmu_writer;

/* Fills variable[]. LINNET_MEMORY is reported. */
linnet_status ln_fmu_variables(ln_fmu_writer *w, ln_report *report);
void ln_fmu_description(const ln_fmu_writer *w, ln_text *out);
void ln_fmu_build(const ln_fmu_writer *w, ln_text *out);
void ln_fmu_model(const ln_fmu_writer *w, ln_text *out);
void ln_fmu_page(const ln_fmu_writer *w, ln_text *out);

#endif
