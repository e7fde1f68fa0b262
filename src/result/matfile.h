/* SPDX-License-Identifier: MIT */
/* MATLAB files (version 5) through matio: matrices of numbers and lists of texts. */
#ifndef LN_RESULT_MATFILE_H
#define LN_RESULT_MATFILE_H

#include "base/report.h"

typedef struct ln_mat_item {
    const char *name;
    int rows, cols;
    const double *values;     /* column by column; NULL: a column of texts */
    const char *const *texts; /* rows of them */
} ln_mat_item;

/* The file appears whole or not at all. LINNET_IO is reported. */
linnet_status ln_matfile_write(const char *path, const ln_mat_item *items, int count,
                               ln_report *report);

#endif
