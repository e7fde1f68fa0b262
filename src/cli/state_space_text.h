/* SPDX-License-Identifier: MIT */
/* State matrices as a table for people, as JSON (matrices as lists of rows), as CSV (an entry a
 * line: matrix, row, column, value), and as a MATLAB file (A, B, C, D, E; names and units as lists
 * of texts). */
#ifndef LN_CLI_STATE_SPACE_TEXT_H
#define LN_CLI_STATE_SPACE_TEXT_H

#include "analysis/state_space.h"
#include "base/arena.h"
#include "cli/linear_point.h"

typedef struct ln_text ln_text;

void ln_state_space_text(const ln_linear_point *point, const ln_state_space *space, ln_text *text);
void ln_state_space_json(const ln_linear_point *point, const ln_state_space *space, ln_text *text);
void ln_state_space_csv(const ln_state_space *space, ln_text *text);
linnet_status ln_state_space_mat(const ln_state_space *space, const char *path, ln_report *report);

#endif
