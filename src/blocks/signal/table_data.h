/* SPDX-License-Identifier: MIT */
/* Where the numbers of a table come from: written in the model, or columns of a CSV file in the
 * folder of the model's file where the block stands. */
#ifndef LN_BLOCKS_SIGNAL_TABLE_DATA_H
#define LN_BLOCKS_SIGNAL_TABLE_DATA_H

#include "blocks/signal/sized.h"

/* The path of a file that an instance names: from the folder of its model's file, and not out of
 * it. LINNET_MODEL and LINNET_IO: reported. */
linnet_status ln_file_beside(const ln_shape *shape, const char *file, ln_arena *arena,
                             ln_report *report, const char **path);

/* n pairs. */
typedef struct ln_table_curve {
    int n;
    const double *x, *y;
} ln_table_curve;
/* Parameters of the face: points, file, key and column, by index. `jumps`: equal abscissas may
 * stand twice. LINNET_MODEL and LINNET_IO: reported. */
typedef struct ln_curve_source {
    int points, file, key, column;
} ln_curve_source;
linnet_status ln_read_curve(const ln_shape *shape, ln_curve_source source, int jumps,
                            ln_arena *arena, ln_report *report, ln_table_curve *curve);

/* nx rows by ny columns. */
typedef struct ln_map_data {
    int nx, ny;
    const double *x, *y, *z;
} ln_map_data;
/* Parameters of the face: x, y, values, and file, whose first column is x and whose other columns
 * bear y as names. */
typedef struct ln_map_source {
    int x, y, values, file;
} ln_map_source;
linnet_status ln_read_map(const ln_shape *shape, ln_map_source source, ln_arena *arena,
                          ln_report *report, ln_map_data *data);

#endif
