/* SPDX-License-Identifier: MIT */
/* Results as HDF5 files (hdf5.c). */
#ifndef LN_RESULT_HDF5_H
#define LN_RESULT_HDF5_H

#include "result/read.h"

/* A data set for each column, the first one included, of doubles that can grow; attributes `unit`
 * and, of a signal that changes at events only, `held`. ln_format_hdf5 (formats.h) writes it; here
 * it is read back, into the arena: all data sets of one length at its root, in the order of their
 * making where the file tells it. LINNET_IO is reported. */
linnet_status ln_hdf5_read(const char *path, ln_arena *arena, ln_report *report,
                           ln_result_table *table);

#endif
