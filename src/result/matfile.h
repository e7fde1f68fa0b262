/* SPDX-License-Identifier: MIT */
/* MATLAB files through matio: matrices of numbers and lists of texts in version 5; trajectories as
 * Dymola and OpenModelica write them in version 4. */
#ifndef LN_RESULT_MATFILE_H
#define LN_RESULT_MATFILE_H

#include "base/arena.h"
#include "base/report.h"
#include "base/text.h"

/* What a matrix holds where it is not numbers or a list of texts: texts as rows or as columns of a
 * matrix of characters, filled with blanks; whole numbers of 32 bits. Of version 4. */
typedef enum ln_mat_kind {
    LN_MAT_PLAIN,
    LN_MAT_LINES,
    LN_MAT_COLUMNS,
    LN_MAT_INTEGERS
} ln_mat_kind;

typedef struct ln_mat_item {
    const char *name;
    int rows, cols;
    const double *values;     /* column by column; NULL: a column of texts */
    const char *const *texts; /* rows of them */
    ln_mat_kind kind;
} ln_mat_item;

/* The file appears whole or not at all. LINNET_IO is reported. */
linnet_status ln_matfile_write(const char *path, const ln_mat_item *items, int count,
                               ln_report *report);
/* A file that will be written later, held so long that no other process writes it. */
typedef struct ln_matfile_held {
    ln_text path, part;
    int fd; /* -1: not held */
} ln_matfile_held;
/* LINNET_IO is reported, also when another process holds it; there is then nothing to drop. */
linnet_status ln_matfile_hold(const char *path, ln_matfile_held *held, ln_report *report);
/* Not to be written after all. */
void ln_matfile_drop(ln_matfile_held *held);
/* As ln_matfile_write() in version 4, into a file that is held; it is not held afterwards. */
linnet_status ln_matfile_write_old(ln_matfile_held *held, const ln_mat_item *items, int count,
                                   ln_report *report);

/* The matrices of a trajectory as they stand in the file. */
typedef struct ln_mat_trajectory {
    int nnames;
    const char **names, **descriptions;
    const double *info; /* 4 a name */
    int nconstants;
    const double *constants; /* at the first time */
    int nrows;
    size_t ntimes;
    const double *values; /* nrows a time */
} ln_mat_trajectory;

/* Reads "Aclass", "name", "description", "dataInfo", "data_1" and "data_2", in either arrangement
 * ("binTrans", "binNormal"), into the arena. LINNET_IO, reported, when it is no such file. */
linnet_status ln_matfile_read_trajectory(const char *path, ln_arena *arena, ln_report *report,
                                         ln_mat_trajectory *trajectory);

#endif
