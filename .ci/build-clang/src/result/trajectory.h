/* SPDX-License-Identifier: MIT */
/* Results in MATLAB files as Dymola and OpenModelica write and read them (trajectory.c). */
#ifndef LN_RESULT_TRAJECTORY_H
#define LN_RESULT_TRAJECTORY_H

#include "result/read.h"
#include "result/sink.h"

/* The sink; `head` is borrowed until open(). Columns must outlive it. */
ln_sink *ln_sink_trajectory(const char *path, const ln_result_head *head, ln_report *report);
/* Such a file read back, into the arena. LINNET_IO is reported. */
linnet_status ln_trajectory_read(const char *path, ln_arena *arena, ln_report *report,
                                 ln_result_table *table);

#endif
