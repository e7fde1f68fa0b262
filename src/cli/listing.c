/* SPDX-License-Identifier: MIT */
/* Widths are counted in UTF-8 characters, so that a micro sign or an umlaut does not shift a
 * column. */
#include "cli/listing.h"

#include "base/sys.h"
#include <stdarg.h>

static int width_of(const char *text) {
    int width = 0;
    for (; *text != '\0'; text++)
        if (((unsigned char)*text & 0xC0) != 0x80)
            width++;
    return width;
}

void ln_listing_row(ln_listing *listing, ...) {
    if (!LN_GROW(listing->rows, listing->nrows, listing->room)) {
        listing->failed = 1;
        return;
    }
    const char **row = listing->rows[listing->nrows++];
    va_list list;
    va_start(list, listing);
    const char *cell = va_arg(list, const char *);
    for (int k = 0; k < LN_LISTING_COLUMNS; k++) {
        row[k] = cell == NULL ? "" : ln_arena_string(listing->arena, cell);
        if (row[k] == NULL) {
            row[k] = "";
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
    for (size_t i = 0; i < listing->nrows; i++)
        for (int k = 0; k < LN_LISTING_COLUMNS; k++) {
            int width = width_of(listing->rows[i][k]);
            if (width > widths[k])
                widths[k] = width;
        }
    for (size_t i = 0; i < listing->nrows; i++)
        put_row(listing->rows[i], widths, indent, text);
    ln_sys->release(listing->rows);
    listing->rows = NULL;
    listing->nrows = listing->room = 0;
}

void ln_listing_print(ln_listing *listing, int indent, FILE *file) {
    ln_text text = {0};
    ln_listing_text(listing, indent, &text);
    if (text.length > 0)
        fwrite(text.data, 1, text.length, file);
    listing->failed |= text.failed;
    ln_text_free(&text);
}
