/* SPDX-License-Identifier: MIT */
/* Messages between processes, behind a table of functions: the module linnet-mpi.so fills it
 * (src/mpi), and is loaded only when the program was started by mpirun, so that nobody else needs
 * MPI. */
#ifndef LN_ANALYSIS_TRANSPORT_H
#define LN_ANALYSIS_TRANSPORT_H

#include "base/report.h"

typedef struct ln_transport {
    int rank, size; /* this process, and how many there are */
    /* Bytes to a process, under a tag; 0 when it failed. */
    int (*send)(const void *data, size_t length, int to, int tag);
    /* A message that has come with this tag, from whom and how long; 0: there is none. *from < 0:
     * from anyone. */
    int (*look)(int *from, int tag, size_t *length);
    /* Takes it; 0 when it failed. */
    int (*receive)(void *data, size_t length, int from, int tag);
    void (*close)(void);
} ln_transport;

/* The transport of a program started by mpirun, loaded; *transport has size 1 when it was not.
 * LINNET_USAGE, reported, when the module is not there. */
linnet_status ln_transport_open(ln_transport *transport, ln_report *report);

enum { LN_TRANSPORT_VERSION = 1 };
/* The one symbol of the module: starts MPI and fills the table; 0 when that fails or the versions
 * differ. */
typedef int ln_transport_open_function(int version, ln_transport *transport);

#endif
