/* SPDX-License-Identifier: MIT */
/* SPICE rawfiles read back, those of ngspice and its relatives as our own. */
#ifndef LN_BASE_RAW_READ_H
#define LN_BASE_RAW_READ_H

#include "base/csv.h"

/* Do these bytes begin a rawfile? */
int ln_raw_is(const char *bytes, size_t length);

/* The columns of the file's first transient plot, or of its first one of real numbers. Where all
 * are complex, of its first one: the frequency, then NAME.dB, NAME.phase (degrees, each row on the
 * branch nearest to the row before), NAME.re and NAME.im of each variable. As ngspice calls the
 * potential of a node v(out) and the current of a source i(v1), these become "out" and "v1.i".
 * `file`: for messages. */
linnet_status ln_raw_read(const char *file, const char *bytes, size_t length, ln_arena *arena,
                          ln_report *report, ln_csv *csv);

/* "v(out)" -> "out", "i(v1)" -> "v1.i"; any other as it stands. NULL when memory is short. */
const char *ln_raw_plain_name(ln_arena *arena, const char *name);

#endif
