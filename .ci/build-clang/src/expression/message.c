/* SPDX-License-Identifier: MIT */
/* Messages about expressions: the expression, cut to what matters, the column, and the text. */
#include "expression/message.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 72 }; /* longest piece of an expression in a message, bytes */

/* Moves back to the first byte of a UTF-8 character. */
static size_t character_start(const char *text, size_t at) {
    while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80)
        at--;
    return at;
}

/* The piece of `text` around `column`, on one line. */
static void excerpt(char piece[SHOWN + 8], const char *text, size_t column) {
    size_t length = strlen(text), begin = 0, end = length;
    if (length > SHOWN) {
        begin = column > SHOWN / 2 ? character_start(text, column - SHOWN / 2) : 0;
        end = begin + SHOWN < length ? character_start(text, begin + SHOWN) : length;
    }
    snprintf(piece, SHOWN + 8, "%s%.*s%s", begin > 0 ? "..." : "", (int)(end - begin), text + begin,
             end < length ? "..." : "");
    for (char *c = piece; *c; c++)
        if (*c == '\n' || *c == '\t' || *c == '\r')
            *c = ' ';
}

void ln_expression_error(ln_report *report, ln_place place, const char *text, int column,
                         const char *format, ...) {
    char piece[SHOWN + 8], message[512];
    va_list arguments;
    if (!report)
        return;
    excerpt(piece, text, (size_t)column);
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    place.column = (place.column > 0 ? place.column - 1 : 0) + column;
    ln_error(report, place, "in \"%s\" at column %d: %s", piece, column, message);
}
