/* SPDX-License-Identifier: MIT */
/* A CSV file read back: names and numbers; RFC 4180 with any line ending, also
 * with ; or tab between columns; a last line without its
 * end is dropped with a warning. For references, starts and tables. A SPICE rawfile, told by how it
 * begins, is as good (raw_read.h). */
#ifndef LN_BASE_CSV_H
#define LN_BASE_CSV_H

#include "base/arena.h"
#include "base/input.h"

typedef struct ln_csv {
    int ncolumns;
    size_t nrows;
    const char **names;
    const double *data;
} ln_csv;

/* Would a spreadsheet take the text for a formula: does it begin with = + - or @, and is no number?
 * Such texts are written with an apostrophe before them, as spreadsheets have it, and read without;
 * so are those that begin with apostrophes before these signs. */
int ln_csv_is_formula(const char *text);

/* A trajectory: the first column is "time" or "t" and never falls. Lives in the arena. */
linnet_status ln_csv_read(const char *path, ln_input_from from, ln_arena *arena, ln_report *report,
                          ln_csv *csv);
/* Any columns of numbers. */
linnet_status ln_csv_read_columns(const char *path, ln_input_from from, ln_arena *arena,
                                  ln_report *report, ln_csv *csv);
/* The same of a table in which some cells are texts: these are NAN. */
linnet_status ln_csv_read_table(const char *path, ln_input_from from, ln_arena *arena,
                                ln_report *report, ln_csv *csv);

#endif
