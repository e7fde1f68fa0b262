/* SPDX-License-Identifier: MIT */
/* A sweep: one model, many cases, a row of measures for each.
 *
 * The model is read once; a case builds its network anew, with the types compiled before. Rows are
 * lines of CSV, made where the case is run and passed on as they are, so that the bytes of the
 * result depend neither on the number of threads and processes nor on interruptions: case, one
 * column a parameter, one a measure, status ("ok" or what it was), reason, and an empty column
 * whose title is the sweep's fingerprint. Everything that is read from rows (statistics, a sweep
 * that goes on) is read back from these lines. */
#ifndef LN_ANALYSIS_SWEEP_H
#define LN_ANALYSIS_SWEEP_H

#include "analysis/simulation.h"
#include "analysis/transport.h"
#include "analysis/vary.h"
#include "base/arena.h"

typedef struct ln_text ln_text;

typedef struct ln_sweep {
    const ln_model *model; /* borrowed; shared by all threads, never changed */
    ln_request request;
    ln_axes axes;
    const ln_measured *measures;
    int nmeasures;                  /* names and units */
    const char *header;             /* the first line */
    unsigned long long fingerprint; /* of the program, the model and all that decides a row */
    const char *runs;               /* folder for the cases' trajectories, or NULL */
    int (*stop)(void *context);     /* polled at every step, by all threads */
    void *context;
} ln_sweep;

/* Reads what is varied, and runs everything up to the first step once without and once with the
 * values of the first case, so that what is wrong with all cases is told before there are any.
 * Lives in the arena. */
linnet_status ln_sweep_prepare(ln_sweep *sweep, const ln_model *model, const ln_request *request,
                               const ln_vary_plan *plan, ln_arena *arena, ln_report *report);

/* ---- one case ---- */

/* What a thread needs to run cases, one after the other: the types compiled so far. */
typedef struct ln_sweep_worker {
    const ln_sweep *sweep;
    ln_catalogue *catalogue;
    ln_override *overrides;
    char (*values)[96];
    char reason[512]; /* of the case at hand */
} ln_sweep_worker;

linnet_status ln_sweep_worker_init(ln_sweep_worker *worker, const ln_sweep *sweep);
void ln_sweep_worker_free(ln_sweep_worker *worker);

/* Runs case `index` (from 0) and appends its line to `row`. A case that fails is a row, and
 * LINNET_OK; other statuses say why there is no row: INTERRUPTED, MEMORY, IO. */
linnet_status ln_sweep_case(ln_sweep_worker *worker, long index, ln_text *row, ln_report *report);

/* ---- what rows tell ---- */

/* A line read back. */
typedef struct ln_sweep_row {
    const char **varied; /* by axis: its value as text, within the line */
    double *measures;    /* by measure; NAN: what was measured did not happen */
    int failed;
    const char *reason; /* why it failed, within the line */
} ln_sweep_row;
/* Room for a row of the sweep, in the arena. 0 when memory is short. */
int ln_sweep_row_init(ln_sweep_row *row, const ln_sweep *sweep, ln_arena *arena);
/* Reads the line (without its newline, changed while it is read) of case `number`, from 1. 0 when
 * it is none. */
int ln_sweep_read_row(const ln_sweep *sweep, char *line, long number, ln_sweep_row *row);

typedef struct ln_spread { /* of a measure over the cases that have it */
    long n;
    double mean, squares; /* sum of squared deviations (Welford 1962) */
    double least, most;
    long least_case, most_case; /* from 1 */
} ln_spread;

typedef struct ln_sweep_statistics {
    long cases, failed;
    long first_failed;  /* from 1; 0: none */
    char reason[256];   /* of that one */
    ln_spread *spreads; /* by measure; in the caller's memory */
    ln_sweep_row row;   /* private: the last line read */
} ln_sweep_statistics;

/* Takes a line (without its newline, changed while it is read) into the statistics. 0 when it is
 * not the row of the next case. */
int ln_sweep_count_row(const ln_sweep *sweep, char *line, ln_sweep_statistics *statistics);

/* ---- the file ---- */

typedef struct ln_sweep_file {
    char *path; /* the file, as ln_part_target() has it */
    char *part; /* where rows go until all are there; NULL: the standard output, or in place */
    int fd;
    int in_place; /* path is a device or a pipe, which takes the rows itself */
    int complete; /* there was nothing left to do */
    ln_report *report;
} ln_sweep_file;

/* Opens `path`.part. `resume`: goes on where its rows end (counted into *statistics; a line that
 * was cut off is done anew), or begins if there is none. LINNET_USAGE, reported, when the file
 * there belongs to another sweep. */
linnet_status ln_sweep_file_open(ln_sweep_file *file, const ln_sweep *sweep, const char *path,
                                 int resume, ln_sweep_statistics *statistics, ln_report *report);
linnet_status ln_sweep_file_write(ln_sweep_file *file, const char *text, size_t length);
/* The file gets its name if it is complete; else it stays. */
linnet_status ln_sweep_file_close(ln_sweep_file *file, int complete);

/* ---- the work ---- */

typedef struct ln_sweep_watch {
    void (*progress)(void *context, long done, long cases); /* several times a second */
    void *context;
} ln_sweep_watch;

/* Who works: so many threads in each process, of which the transport knows (NULL: there is one). */
typedef struct ln_sweep_crew {
    int threads;
    const ln_transport *transport;
} ln_sweep_crew;

/* Runs the cases behind those that the statistics have counted, here and in the other processes;
 * rows go to the file in the order of cases. LINNET_INTERRUPTED when stopped: what is written is
 * whole. */
linnet_status ln_sweep_run(const ln_sweep *sweep, ln_sweep_crew crew, ln_sweep_file *file,
                           ln_sweep_statistics *statistics, const ln_sweep_watch *watch,
                           ln_report *report);

/* In a process that is not the first: works for the first one until that has no more. */
linnet_status ln_sweep_serve(const ln_sweep *sweep, ln_sweep_crew crew, ln_report *report);

#endif
