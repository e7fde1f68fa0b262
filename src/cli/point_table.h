/* SPDX-License-Identifier: MIT */
/* Tables of device conditions at an operating point. */
#ifndef LN_CLI_POINT_TABLE_H
#define LN_CLI_POINT_TABLE_H

#include "analysis/operating.h"
#include "base/arena.h"

typedef struct ln_text ln_text;

/* Tells a type conditions, with units? Is this name one of them? */
int ln_point_has_conditions(const linnet_block_class *type);
int ln_point_is_condition(const linnet_block_class *type, const char *name);
/* A table for each type that does. */
void ln_point_conditions(const ln_operating *op, ln_text *text);

#endif
