/* SPDX-License-Identifier: MIT */
/* An index in words: which rows raise it, and what they determine together. */
#include "base/text.h"
#include "system/index.h"

/* A row, or the rows that a combination sums. */
static void describe_row(const ln_system *system, const ln_index *index, int k, ln_text *text) {
    enum { MOST = 3 };
    char row[160];
    const int first = index->start[k], count = index->start[k + 1] - first;
    for (int i = 0; i < count && i < MOST; i++) {
        ln_network_row_text(system->network, index->row[first + i], row);
        ln_text_printf(text, "%s%s", i == 0 ? "" : i == count - 1 ? " and " : ", ", row);
    }
    if (count > MOST)
        ln_text_printf(text, " and %d more", count - MOST);
    ln_text_add(text, count > 1 ? " together determine " : " determines ");
}

void ln_index_describe(const ln_system *system, const ln_index *index, ln_text *text,
                       ln_place *place) {
    enum { MOST = 3 }; /* rows that a message describes */
    char unknown[160];
    int named = 0;
    for (int k = 0; k < index->n; k++) {
        /* what is differentiated only for another's sake stores something itself */
        if (index->c[k] == 0 || index->d[index->col_of[k]] != index->c[k])
            continue;
        if (named++ >= MOST)
            continue;
        if (named == 1)
            *place = ln_network_unknown_place(system->network, index->row[index->start[k]]);
        else
            ln_text_add(text, "; ");
        describe_row(system, index, k, text);
        ln_network_unknown_text(system->network, index->col_of[k], unknown);
        ln_text_printf(text, "%s, a derivative of which stands elsewhere", unknown);
    }
    if (named > MOST)
        ln_text_printf(text, "; and %d more", named - MOST);
}
