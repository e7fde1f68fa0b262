/* SPDX-License-Identifier: MIT */
/* Results in MATLAB files as Dymola and OpenModelica write and read them (trajectory.c). */
#ifndef LN_RESULT_TRAJECTORY_H
#define LN_RESULT_TRAJECTORY_H

#include "result/read.h"

/* Such a file, which ln_format_trajectory (formats.h) writes, read back, into the arena. LINNET_IO
 * is reported. */
linnet_status ln_trajectory_read(const char *path, ln_arena *arena, ln_report *report,
                                 ln_result_table *table);

#endif
