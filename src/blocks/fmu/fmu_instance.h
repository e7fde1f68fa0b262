/* SPDX-License-Identifier: MIT */
/* An FMU of another program, unpacked, loaded and running as co-simulation (FMI 2.0, 3.0). Its code
 * runs in this process: what it does is nobody's business but its maker's, and when it crashes,
 * Linnet does. */
#ifndef LN_BLOCKS_FMU_FMU_INSTANCE_H
#define LN_BLOCKS_FMU_FMU_INSTANCE_H

#include "foreign/fmi_description.h"

/* The library of an FMU, for any number of instances one after the other or at once. */
typedef struct ln_fmu_library ln_fmu_library;

/* Unpacks the library and the resources into a folder of their own ($TMPDIR) and loads the one;
 * without resources the folder is removed then. LINNET_IO, reported: no library for this machine,
 * or one that lacks functions. */
linnet_status ln_fmu_library_open(const char *path, ln_report *report, ln_fmu_library **library);
/* Removes what is left of that. The code stays loaded, for threads of it may live on. NULL is
 * allowed. */
void ln_fmu_library_close(ln_fmu_library *library);

/* A number of an FMU: an element of a variable. */
typedef struct ln_fmu_slot {
    const ln_fmi_variable *variable;
    int element;
} ln_fmu_slot;

typedef struct ln_fmu_slots {
    ln_fmu_slot *slot;
    int count;
} ln_fmu_slots;

typedef struct ln_fmu_instance ln_fmu_instance;

/* An instance in initialization mode at a time, its parameters set to as many values. NULL: `why`
 * says why. */
ln_fmu_instance *ln_fmu_instance_new(ln_fmu_library *library, const char *name, double start,
                                     const ln_fmu_slots *parameters, const double *values,
                                     char why[256]);
void ln_fmu_instance_free(ln_fmu_instance *instance);

/* 0: the FMU refuses, `why` says what. An instance that has refused is good for nothing more. */
int ln_fmu_set(ln_fmu_instance *instance, const ln_fmu_slot *slots, const double *values, int count,
               char why[256]);
int ln_fmu_get(ln_fmu_instance *instance, const ln_fmu_slot *slots, double *values, int count,
               char why[256]);
/* Ends initialization at first. *ended: the FMU wants the simulation to end there. */
int ln_fmu_step(ln_fmu_instance *instance, double time, double step, int *ended, char why[256]);

#endif
