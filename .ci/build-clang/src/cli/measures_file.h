/* SPDX-License-Identifier: MIT */
/* The measures of a run for other programs: CSV (name, value, unit; no value: empty) or JSON
 * (null). */
#ifndef LN_CLI_MEASURES_FILE_H
#define LN_CLI_MEASURES_FILE_H

#include "analysis/measure.h"

/* Whether the name ends in .json or .csv. */
int ln_measures_file_is_known(const char *path);
/* Writes the file whole. LINNET_IO is reported. */
linnet_status ln_measures_file_write(const char *path, const char *model,
                                     const ln_measures *measures, ln_report *report);

#endif
