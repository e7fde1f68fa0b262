/* SPDX-License-Identifier: MIT */
/* Private to the room `model`: a look at the bytes of a file before the XML parser sees them.
 *
 * The parser's time grows with the square of the attributes of one tag, and it holds a tag or a
 * document type whole before it tells us anything. So a small automaton runs ahead of it: it knows
 * only whether a byte stands in text, in a tag, in a quoted value, or in a comment and the like,
 * and stops at the first tag beyond the limits and at any document type. It relies on the bytes
 * being ASCII-compatible; a file in another encoding than UTF-8 is refused. */
#ifndef LN_MODEL_SCAN_H
#define LN_MODEL_SCAN_H

#include "model/tree.h"

typedef enum ln_scan_state {
    LN_SCAN_TEXT,
    LN_SCAN_OPEN, /* behind '<', not yet known of what kind */
    LN_SCAN_TAG,
    LN_SCAN_VALUE, /* a quoted value in a tag */
    LN_SCAN_COMMENT,
    LN_SCAN_CDATA,
    LN_SCAN_INSTRUCTION
} ln_scan_state;

typedef struct ln_scan {
    const char *file;
    const ln_limits *limits;
    ln_scan_state state;
    char quote;
    char mark[12]; /* the first bytes behind '<' */
    int nmark;
    char before[2];        /* the last two bytes of a comment, CDATA section or instruction */
    char declaration[256]; /* the text of <?xml ... ?> */
    size_t ndeclaration;
    size_t bytes; /* of the file so far */
    /* of the present tag or section; its offset in the present chunk */
    size_t tag_bytes, tag_start;
    int attributes;
    int line, tag_line; /* line reached; line where what is open began (after ln_scan_feed) */
    int blank;          /* nothing but white space so far */
} ln_scan;

void ln_scan_start(ln_scan *scan, const char *file, const ln_limits *limits);
/* Looks at the next bytes of the file. Anything but LINNET_OK has been reported. O(length). */
linnet_status ln_scan_feed(ln_scan *scan, const char *bytes, size_t length, ln_report *report);

#endif
