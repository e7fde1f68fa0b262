/* SPDX-License-Identifier: MIT */
/* An operating point as text for people, as JSON, and as a result of one row. */
#ifndef LN_CLI_POINT_TEXT_H
#define LN_CLI_POINT_TEXT_H

#include "analysis/trim.h"
#include "result/document.h"
#include "result/formats.h"

/* trim: NULL if it was none. */
void ln_point_text(const ln_operating *op, const ln_trim *trim, ln_text *text);
void ln_point_json(const ln_operating *op, const ln_trim *trim, ln_text *text);
void ln_point_csv(const ln_operating *op, ln_text *text);

/* A result of one row, in a format with LN_FORMAT_POINT. is_next, as_text: see ln_result_head. */
linnet_status ln_point_result(const ln_operating *op, const char *path, int as_text, int is_next);

#endif
