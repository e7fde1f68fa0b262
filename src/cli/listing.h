/* SPDX-License-Identifier: MIT */
/* Columns of text, aligned. Cells are copied; columns that stay empty take no room. */
#ifndef LN_CLI_LISTING_H
#define LN_CLI_LISTING_H

#include "base/arena.h"
#include <stdio.h>

typedef struct ln_text ln_text;

enum { LN_LISTING_COLUMNS = 14 };

struct ln_listing_line;

typedef struct ln_listing {
    ln_arena *arena; /* of rows and cells (borrowed) */
    struct ln_listing_line *first, *last;
    size_t nrows;
    int failed; /* memory was short for a row */
} ln_listing;

/* Adds a row of up to fourteen cells; NULL ends it. */
void ln_listing_row(ln_listing *listing, ...) __attribute__((sentinel));
/* Writes all rows, `indent` blanks in front and two between columns, and empties the listing. Where
 * memory was short for a row the text fails. */
void ln_listing_text(ln_listing *listing, int indent, ln_text *text);
/* Likewise to a file; 0, and nothing is written, when memory was short. */
int ln_listing_print(ln_listing *listing, int indent, FILE *file);

#endif
