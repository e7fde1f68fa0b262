/* SPDX-License-Identifier: MIT */
/* Widths are counted in UTF-8 characters, so that a micro sign or an umlaut does not shift a
 * column. */
#include "cli/listing.h"
#include "base/text.h"

#include <stdarg.h>

static int width_of(const char *text) {
    int width = 0;
    for (; *text != '\0'; text++)
        if (((unsigned char)*text & 0xC0) != 0x80)
            width++;
    return width;
}

/* A row, behind the one before. */
typedef struct ln_listing_line {
    struct ln_listing_line *next;
    const char *cells[LN_LISTING_COLUMNS];
} line;

static line *add_line(ln_listing *listing) {
    line *row = LN_NEW(listing->arena, line, 1);
    if (row == NULL)
        return NULL;
    if (listing->last != NULL)
        listing->last->next = row;
    else
        listing->first = row;
    listing->last = row;
    listing->nrows++;
    return row;
}

void ln_listing_row(ln_listing *listing, ...) {
    line *row = add_line(listing);
    if (row == NULL) {
        listing->failed = 1;
        return;
    }
    va_list list;
    va_start(list, listing);
    const char *cell = va_arg(list, const char *);
    for (int k = 0; k < LN_LISTING_COLUMNS; k++) {
        row->cells[k] = cell == NULL ? "" : ln_arena_string(listing->arena, cell);
        if (row->cells[k] == NULL) {
            row->cells[k] = "";
            listing->failed = 1;
        }
        if (cell != NULL)
            cell = va_arg(list, const char *);
    }
    va_end(list);
}

static void put_row(const char *const *row, const int *widths, int indent, ln_text *text) {
    int pending = indent; /* blanks are written only when something follows */
    for (int k = 0; k < LN_LISTING_COLUMNS; k++) {
        if (widths[k] == 0)
            continue;
        int width = width_of(row[k]);
        if (width > 0) {
            ln_text_printf(text, "%*s%s", pending, "", row[k]);
            pending = 0;
        }
        pending += widths[k] - width + 2;
    }
    ln_text_add(text, "\n");
}

void ln_listing_text(ln_listing *listing, int indent, ln_text *text) {
    int widths[LN_LISTING_COLUMNS] = {0};
    for (const line *row = listing->first; row != NULL; row = row->next)
        for (int k = 0; k < LN_LISTING_COLUMNS; k++) {
            int width = width_of(row->cells[k]);
            if (width > widths[k])
                widths[k] = width;
        }
    for (const line *row = listing->first; row != NULL; row = row->next)
        put_row(row->cells, widths, indent, text);
    text->failed |= listing->failed;
    *listing = (ln_listing){.arena = listing->arena};
}

int ln_listing_print(ln_listing *listing, int indent, FILE *file) {
    ln_text text = {0};
    ln_listing_text(listing, indent, &text);
    const int whole = !text.failed;
    if (whole && text.length > 0)
        fwrite(text.data, 1, text.length, file);
    ln_text_free(&text);
    return whole;
}
