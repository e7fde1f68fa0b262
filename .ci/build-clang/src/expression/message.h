/* SPDX-License-Identifier: MIT */
/* The one form of a message about an expression: `in "2 x" at column 3: what is wrong; what to do`.
 */
#ifndef LN_EXPRESSION_MESSAGE_H
#define LN_EXPRESSION_MESSAGE_H

#include "base/report.h"

/* Tells an error at `column` (bytes from 1) of the expression `text`, which stands at `place`. A
 * long expression is cut to the surroundings of the column. */
void ln_expression_error(ln_report *report, ln_place place, const char *text, int column,
                         const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
