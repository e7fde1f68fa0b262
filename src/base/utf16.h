/* SPDX-License-Identifier: MIT */
/* Text of other systems in UTF-16. */
#ifndef LN_BASE_UTF16_H
#define LN_BASE_UTF16_H

#include "base/arena.h"

typedef struct ln_text ln_text;

/* Text in UTF-16, of either order of bytes, with a byte order mark or an ASCII character first,
 * becomes UTF-8; any other stays. Half a pair of surrogates becomes U+FFFD. A text that memory is
 * short for has `failed`. */
void ln_utf16_decode(ln_text *text);

#endif
