/* SPDX-License-Identifier: MIT */
/* Results that are no trajectory (an operating point, a frequency response): built as text, written
 * whole. */
#ifndef LN_RESULT_DOCUMENT_H
#define LN_RESULT_DOCUMENT_H

#include "base/json.h"
#include "base/report.h"

/* Begins a document about a model: an object with its model and origin. */
void ln_json_head(ln_json *json, const char *model, const char *origin);
/* Append a CSV cell (RFC 4180; no formula of a spreadsheet, base/csv.h). */
void ln_csv_text(ln_text *text, const char *value);
void ln_csv_number(ln_text *text, double value);

/* The text to a file, which appears whole or not at all, or to the standard output ("-"). LINNET_IO
 * is reported; LINNET_MEMORY when the text failed for want of it. */
linnet_status ln_document_write(const char *path, const ln_text *text, ln_report *report);

#endif
