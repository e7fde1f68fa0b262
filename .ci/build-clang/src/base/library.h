/* SPDX-License-Identifier: MIT */
/* Shared libraries that few commands need. They are not linked, but loaded when they are first
 * used: HDF5 and Arb with all they rest on took two thirds of a small run's time. A library is a
 * list of names, from which LN_LIBRARY_MEMBER makes a struct of pointers to functions of the types
 * in the library's header, and LN_LIBRARY_NAME the names to look up. */
#ifndef LN_BASE_LIBRARY_H
#define LN_BASE_LIBRARY_H

#include "base/report.h"

#include <stdatomic.h>

typedef struct ln_library {
    const char *file;           /* as the dynamic linker finds it: libmatio.so.11 */
    const char *package, *what; /* who brings it; what it is for: "MATLAB files" */
    const char *const *names;   /* of functions and variables; NULL after the last */
    void *members;              /* a pointer for each name comes here */
    atomic_int loaded;
} ln_library;

/* X(name) of a list: a member of the struct, a string of the names. */
#define LN_LIBRARY_MEMBER(name) __typeof__(name) *name;
#define LN_LIBRARY_NAME(name) #name,

/* Loads it, once in a process, from any thread. LINNET_IO, told: it is missing, or it is another
 * version. Without a report it is told on stderr, where the dynamic linker tells what is missing
 * at a start. */
linnet_status ln_library_load(ln_library *library, ln_report *report);

#endif
