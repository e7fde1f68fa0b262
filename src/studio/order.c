/* SPDX-License-Identifier: MIT */
/* Command lines: see order.h. A value follows its option as a word of its own, so that nothing in
 * it can be taken for another option. */
#include "studio/order.h"

#include "base/sys.h"
#include "base/text.h"
#include <string.h>

void ln_words_begin(ln_words *words, ln_arena *arena, const char *program, const char *command) {
    *words = (ln_words){.arena = arena};
    ln_words_add(words, program);
    ln_words_add(words, command);
}

/* A place behind the last word is always NULL. */
void ln_words_add(ln_words *words, const char *word) {
    const char *copy = word != NULL ? ln_arena_string(words->arena, word) : NULL;
    if (words->failed || copy == NULL || !LN_GROW(words->words, words->count + 1, words->room)) {
        words->failed = 1;
        return;
    }
    words->words[words->count++] = copy;
    words->words[words->count] = NULL;
}

void ln_words_free(ln_words *words) {
    ln_sys->release(words->words);
}

const char *ln_order_text(const json_t *body, const char *name) {
    const char *text = json_string_value(json_object_get(body, name));
    return text != NULL && text[0] != '\0' ? text : NULL;
}

static void add_option(ln_words *words, const char *option, const char *value) {
    const char *name = ln_arena_printf(words->arena, "--%s", option);
    if (name == NULL) {
        words->failed = 1;
        return;
    }
    ln_words_add(words, name);
    ln_words_add(words, value);
}

void ln_order_pairs(ln_words *words, const char *option, json_t *pairs) {
    const char *name;
    const json_t *value;
    json_object_foreach(pairs, name, value) {
        const char *pair = json_is_string(value) ? ln_arena_printf(words->arena, "%s=%s", name,
                                                                   json_string_value(value))
                                                 : NULL;
        if (pair != NULL)
            add_option(words, option, pair);
    }
}

void ln_order_how(ln_words *words, const json_t *body) {
    static const char *const options[] = {"duration", "step",     "tolerance",
                                          "method",   "interval", "points"};
    const json_t *how = json_object_get(body, "how");
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        const char *value = ln_order_text(how, options[k]);
        if (value != NULL)
            add_option(words, options[k], value);
    }
    ln_order_pairs(words, "set", json_object_get(body, "set"));
}

void ln_order_list(ln_words *words, const char *option, const json_t *names) {
    ln_text list = {0};
    for (size_t k = 0; k < json_array_size(names); k++) {
        const char *name = json_string_value(json_array_get(names, k));
        if (name != NULL && name[0] != '\0')
            ln_text_printf(&list, "%s%s", list.length > 0 ? "," : "", name);
    }
    if (list.data != NULL)
        add_option(words, option, list.data);
    words->failed |= list.failed;
    ln_text_free(&list);
}
