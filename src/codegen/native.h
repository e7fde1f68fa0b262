/* SPDX-License-Identifier: MIT */
/* A run of fixed steps by generated code, compiled here (base/compiled.h): what `linnet run
 * --native` does. What happens in such a run is what the code does: events and edges in time act at
 * ends of steps, and Newton's method goes on to rounding. */
#ifndef LN_CODEGEN_NATIVE_H
#define LN_CODEGEN_NATIVE_H

#include "base/compiled.h"
#include "codegen/codegen.h"

typedef struct ln_native ln_native;

/* The functions compiled in, for who takes steps one by one (tests/test_code_steps.c): model has
 * size() bytes, aligned as by malloc. A status is one of generated code, 0 is OK. x: all unknowns
 * of the network, memory: all its memories. */
typedef struct ln_native_code {
    size_t (*size)(void);
    void (*begin)(void *model);
    int (*evaluate)(void *model); /* what happens at the time, where decides */
    int (*steps)(void *model, long count);
    void (*read)(const void *model, double *t, double *x, double *memory);
    /* The point where the model is put to these values, and devices evaluated there. */
    void (*write)(void *model, const double *x, const double *memory);
    int decides; /* evaluate() does something: the values read belong to the right side */
} ln_native_code;

/* Generates and compiles the code of a request, of which network, system and settings are looked
 * at. LINNET_RETRY, nothing reported: it cannot be, and the run is to be interpreted; why (300
 * bytes) says the reason. LINNET_MEMORY is reported. To be freed in any case. */
linnet_status ln_native_make(const ln_codegen_request *request, ln_native **native, char *why,
                             ln_report *report);
void ln_native_free(ln_native *native);
const ln_native_code *ln_native_functions(const ln_native *native);
/* For ln_settings.integrator; borrows the native. */
ln_integrator ln_native_integrator(ln_native *native);

#endif
