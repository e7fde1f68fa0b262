/* SPDX-License-Identifier: MIT */
/* How the files of the room report and allocate: an error goes to the reader's report with the
 * place of its card, memory comes from the arena of the model, and the status keeps the first
 * failure. */
#include "spice/deck.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>

/* An error on a card; the status keeps the first failure. */
static void say(ln_spice *spice, ln_place place, const char *name, const char *format,
                va_list arguments) {
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    if (name != NULL && name[0] != '\0')
        ln_error(spice->report, place, "%s: %s", name, text);
    else
        ln_error(spice->report, place, "%s", text);
    if (spice->status == LINNET_OK)
        spice->status = LINNET_MODEL;
}

void ln_spice_error(ln_spice *spice, ln_place place, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(spice, place, NULL, format, arguments);
    va_end(arguments);
}

void ln_card_error(const ln_cursor *cursor, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(cursor->spice, cursor->card->place, cursor->name, format, arguments);
    va_end(arguments);
}

void *ln_spice_no_memory(ln_spice *spice) {
    if (spice->status != LINNET_MEMORY)
        spice->status = ln_no_memory(spice->report);
    return NULL;
}

void ln_spice_text_free(ln_spice *spice, ln_text *text) {
    if (text->failed)
        (void)ln_spice_no_memory(spice);
    ln_text_free(text);
}

void *ln_spice_alloc(ln_spice *spice, size_t count, size_t size) {
    void *memory = ln_arena_alloc(spice->arena, count, size);
    return memory != NULL ? memory : ln_spice_no_memory(spice);
}

const char *ln_spice_text(ln_spice *spice, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = ln_arena_vprintf(spice->arena, format, arguments);
    va_end(arguments);
    if (text != NULL)
        return text;
    (void)ln_spice_no_memory(spice);
    return "";
}
