/* SPDX-License-Identifier: MIT */
/* An operating point as text for people, as JSON, and as a result of one row. */
#ifndef LN_CLI_POINT_TEXT_H
#define LN_CLI_POINT_TEXT_H

#include "analysis/trim.h"
#include "result/document.h"
#include "result/sink.h"

/* trim: NULL if it was none. */
void ln_point_text(const ln_operating *op, const ln_trim *trim, ln_text *text);
void ln_point_json(const ln_operating *op, const ln_trim *trim, ln_text *text);
void ln_point_csv(const ln_operating *op, ln_text *text);

/* A rawfile of one point; is_next: as another plot of one that has some. */
linnet_status ln_point_raw(const ln_operating *op, const char *path, int as_text, int is_next);

#endif
