/* SPDX-License-Identifier: MIT */
/* What an FMU of another program says about itself: its modelDescription.xml, FMI 2.0 and 3.0, as
 * far as co-simulation needs it. */
#ifndef LN_FOREIGN_FMI_DESCRIPTION_H
#define LN_FOREIGN_FMI_DESCRIPTION_H

#include "base/archive.h"
#include "base/arena.h"

typedef struct ln_text ln_text;

/* Types of numbers; FMI 2 has Real (FLOAT64), Integer and Enumeration (INT32) and Boolean. */
/* clang-format off */
#define LN_FMI_TYPES(X) \
    X(Float64) X(Float32) X(Int8) X(UInt8) X(Int16) X(UInt16) X(Int32) X(UInt32) X(Int64) \
    X(UInt64) X(Boolean)
/* clang-format on */
typedef enum ln_fmi_type {
#define LN_FMI_TYPE(name) LN_FMI_##name,
    LN_FMI_TYPES(LN_FMI_TYPE)
#undef LN_FMI_TYPE
        LN_FMI_NO_NUMBER /* texts, clocks */
} ln_fmi_type;

typedef enum ln_fmi_causality {
    LN_FMI_OTHER,
    LN_FMI_INPUT,
    LN_FMI_OUTPUT,
    LN_FMI_PARAMETER
} ln_fmi_causality;

typedef struct ln_fmi_variable {
    const char *name, *about; /* about may be NULL */
    unsigned reference;
    ln_fmi_type type;
    ln_fmi_causality causality;
    int count;           /* elements, 1 at least; 1: a number */
    const double *start; /* count of them */
} ln_fmi_variable;

typedef struct ln_fmi_description {
    int version;                            /* 2 or 3 */
    const char *model, *identifier, *token; /* its name, that of its library, GUID */
    int only_once;                          /* one instance in a process */
    double start, stop, step;               /* default experiment; NAN: not said */
    /* inputs, outputs and parameters that are numbers: in their order, and by name */
    const ln_fmi_variable *variables, *const *by_name;
    int nvariables;
} ln_fmi_description;

/* Reads an FMU's archive into *bytes, opens it and reads its description into the arena. Both are
 * the caller's to free, in any case. LINNET_IO: cannot be read, or is not trusted (archive.h).
 * LINNET_MODEL: no description, no co-simulation, another version. Reported. */
linnet_status ln_fmi_open(const char *path, ln_arena *arena, ln_report *report, ln_text *bytes,
                          ln_archive **archive, ln_fmi_description *description);
/* The same, and no archive any more. */
linnet_status ln_fmi_describe(const char *path, ln_arena *arena, ln_report *report,
                              ln_fmi_description *description);

/* An element of a variable of this causality by its name: "y", or, of an array counted from 1 row
 * by row, "v[2]", as a state beside it may be called, too; where no variable has it, of one that
 * has a blank or comma in the place of '_'; NULL when there is none. */
const ln_fmi_variable *ln_fmi_find(const ln_fmi_description *description,
                                   ln_fmi_causality causality, const char *name, size_t length,
                                   int *element);

/* The folder of an FMU's archive in which libraries for this machine lie; version: 2 or 3. */
const char *ln_fmi_platform(int version);

#endif
