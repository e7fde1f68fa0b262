/* SPDX-License-Identifier: MIT */
/* An operating point as text for people, as JSON, and as a result of one row. */
#ifndef LN_CLI_POINT_TEXT_H
#define LN_CLI_POINT_TEXT_H

#include "analysis/operating.h"
#include "result/document.h"

void ln_point_text(const ln_operating *op, ln_text *text);
void ln_point_json(const ln_operating *op, ln_text *text);
void ln_point_csv(const ln_operating *op, ln_text *text);

#endif
