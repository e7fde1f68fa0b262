/* SPDX-License-Identifier: MIT */
/* Vibesim's expressions in ours: \tau is tau, inf is a number; everything else is written and means
 * the same in both. */
#include "foreign/foreign.h"

#include <string.h>

static size_t name_length(const char *text) {
    size_t length = 0;
    while ((text[length] >= 'a' && text[length] <= 'z') ||
           (text[length] >= 'A' && text[length] <= 'Z') || text[length] == '_' ||
           (length > 0 && text[length] >= '0' && text[length] <= '9'))
        length++;
    return length;
}

static void put_name(ln_sketch *sketch, ln_text *to, const char *name, size_t length) {
    ln_draft *draft = sketch->draft;
    const char *copy = ln_draft_text(draft, "%.*s", (int)length, name);
    const int variable = ln_map_get(draft->variables, copy);
    if (variable >= 0 && sketch->uses != NULL)
        sketch->uses[variable] = 1;
    ln_text_add(to, variable < 0 && strcmp(copy, "inf") == 0 ? "1e308" : copy);
}

const char *ln_vibesim_formula(ln_sketch *sketch, const char *text) {
    ln_text to = {0};
    while (*text != '\0') {
        const size_t name = name_length(text);
        const char *end;
        (void)ln_number_read(text, &end); /* whole, for its exponent is no name */
        if (*text == '-' || *text == '+' || end == text)
            end = text + 1;
        if (name > 0) {
            put_name(sketch, &to, text, name);
            end = text + name;
        } else if (*text != '\\') {
            ln_text_add_bytes(&to, text, (size_t)(end - text));
        }
        text = end;
    }
    return ln_draft_keep(sketch->draft, &to);
}

const char *ln_vibesim_value(ln_sketch *sketch, const ln_foreign_part *part, const char *key,
                             const char *otherwise) {
    return ln_vibesim_formula(sketch, ln_datum_text(part->params, key, otherwise));
}
