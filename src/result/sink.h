/* SPDX-License-Identifier: MIT */
/* Where a trajectory goes. Every call returns a status; a failure to write is LINNET_IO, reported
 * with the path and the system's reason, and what was written before stays. */
#ifndef LN_RESULT_SINK_H
#define LN_RESULT_SINK_H

#include "base/csv.h"
#include "base/report.h"

typedef struct ln_column {
    const char *name, *unit;
    int held; /* changes at events only: between rows it stays as it was, a stair */
} ln_column;

typedef struct ln_sink ln_sink;
struct ln_sink {
    /* Columns behind "time"; names and units must outlive the sink. Once, before the first row. */
    linnet_status (*open)(ln_sink *sink, const ln_column *columns, int ncolumns);
    /* One instant: ncolumns values. Times never fall; the same time twice is an event, before and
     * after. */
    linnet_status (*row)(ln_sink *sink, double time, const double *values);
    /* The end; `complete` 0 when the run stopped early. Frees the sink whatever the status. */
    linnet_status (*close)(ln_sink *sink, int complete);
    /* Everything so far is in the file, whole and safe: *length bytes whose CRC-32 is *sum. NULL:
     * not a file. */
    linnet_status (*mark)(ln_sink *sink, long long *length, unsigned long *sum);
};

/* What a result is about; title, origin and name may be NULL. */
typedef struct ln_result_head {
    const char *title; /* "half-wave rectifier" */
    /* by whom and from what, to outlive the sink: in formats with a place for it, which CSV is not
     */
    const char *origin;
    const char *name; /* "Transient Analysis" */
    ln_column first;  /* what sink->row() calls time: {"time", "s"}; {NULL}: no such column */
    int is_complex;   /* rows hold pairs, real and imaginary part */
    int is_next;      /* another result behind those that the file holds */
    int as_text;      /* numbers as text where the format has both */
} ln_result_head;

/* CSV: first column `time`, RFC 4180 quoting of names, shortest exact numbers, '.' in every locale.
 * Written to `path`.part and renamed at close, complete or not; what a crash or a full disk leaves
 * keeps the name .part, and a run that ends incomplete before its first row leaves nothing. Devices
 * and pipes are written in place; "-" is the standard output. A reader of ours that went away
 * (EPIPE) is LINNET_IO without a message. NULL when memory is short or the file cannot be opened
 * (reported). */
ln_sink *ln_sink_csv(const char *path, ln_report *report);
/* The same with head->first as the first column; `head` is borrowed until open(). */
ln_sink *ln_sink_csv_by(const char *path, const ln_result_head *head, ln_report *report);

/* The same, going on with a result of which the first `length` bytes, with this CRC-32, are kept:
 * the file itself or what a crash has left of it. LINNET_IO, reported, by NULL: there is no such
 * result. open() then writes no names. */
ln_sink *ln_sink_csv_resume(const char *path, long long length, unsigned long sum,
                            ln_report *report);

/* SPICE rawfile, as ngspice, gaw and others read it: binary (numbers as in memory) or as text. A
 * voltage x is called v(x) there, a current R1.i i(R1), others keep their names, blanks become '_';
 * units become SPICE's types. The number of points, at the top, is written at close: the target
 * must be a file, and what a crash leaves as .part says 0. As ln_sink_csv otherwise, without
 * mark(). `head` is borrowed until open(). */
ln_sink *ln_sink_raw(const char *path, const ln_result_head *head, ln_report *report);

/* Keeps nothing, for runs that are measured only; a sink that only looks at rows takes its open and
 * close. To be copied; it frees nothing. */
extern const ln_sink ln_sink_nowhere;

/* Rows kept in memory, for references, the public API and tests. Read before close. */
typedef struct ln_table_rows {
    int ncolumns;
    size_t nrows, room;
    double *data;        /* time, values... row by row */
    double most;         /* numbers; 0: as memory allows */
    const char *instead; /* what to do where there are more */
} ln_table_rows;
/* *rows is zeroed by the caller but for its limit; who frees rows->data with ln_sys. A row beyond
 * the limit is LINNET_USAGE. */
ln_sink *ln_sink_memory(ln_table_rows *rows, ln_report *report);

#endif
