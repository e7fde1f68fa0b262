/* SPDX-License-Identifier: MIT */
/* A tree written as XML again. */
#ifndef LN_MODEL_WRITE_H
#define LN_MODEL_WRITE_H

#include "base/arena.h"
#include "model/tree.h"

typedef struct ln_text ln_text;

/* Character data and attribute values, escaped. */
void ln_xml_text(ln_text *out, const char *text);
void ln_xml_attribute(ln_text *out, const char *name, const char *value);
/* An element with all below it, from its line's start; the depth is limited by that of the file. */
void ln_xml_element(ln_text *out, const ln_element *element, int depth);

#endif
