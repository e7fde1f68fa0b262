/* SPDX-License-Identifier: MIT */
/* The measures of a run for other programs: CSV (name, value, unit; no value: empty) or JSON
 * (null). */
#ifndef LN_CLI_MEASURES_FILE_H
#define LN_CLI_MEASURES_FILE_H

#include "base/json.h"
#include "analysis/measure.h"

/* Whether the name ends in .json or .csv. */
int ln_measures_file_is_known(const char *path);
/* Writes the file whole. LINNET_IO is reported. */
linnet_status ln_measures_file_write(const char *path, const ln_model *model,
                                     const ln_measures *measures, ln_report *report);

/* The measures as the member "measures" of an object, a list of this kind. */
void ln_measures_json(const ln_measures *measures, ln_json_kind kind, ln_json *json);

#endif
