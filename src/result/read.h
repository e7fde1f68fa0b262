/* SPDX-License-Identifier: MIT */
/* Results read back, in whatever format: CSV, SPICE rawfiles, trajectories of Dymola and
 * OpenModelica, HDF5. */
#ifndef LN_RESULT_READ_H
#define LN_RESULT_READ_H

#include "base/arena.h"
#include "base/report.h"

/* A result: the first column is time, or frequency. Lives in an arena. */
typedef struct ln_result_table {
    int ncolumns; /* with the first */
    const char **names;
    const char **units; /* NULL: the file does not say */
    const char *held;   /* per column: 1 for a value that stays until the next row; NULL: unknown */
    const double *data; /* row by row */
    size_t nrows;
} ln_result_table;

/* Reads it; names and units are fit to be shown (visible.h). LINNET_IO or LINNET_MODEL is reported
 * with what is wrong. */
linnet_status ln_result_read(const char *path, ln_arena *arena, ln_report *report,
                             ln_result_table *table);

/* The value of a column at t: on the line between rows, or held. Where a time has two rows, an
 * event, `side` < 0 takes the first of them, else the last. NAN outside. */
double ln_result_at(const ln_result_table *table, int column, double t, int side);
/* The first row whose time is not below t. */
size_t ln_result_row_at(const ln_result_table *table, double t);

#endif
