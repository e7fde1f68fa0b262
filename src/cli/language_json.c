/* SPDX-License-Identifier: MIT */
/* The words of the model language for programs that complete and explain them. */
#include "cli/catalogue_view.h"

#include "analysis/measure.h"
#include "base/domain.h"
#include "integrate/integrate.h"
#include "model/language.h"

static void put_contexts(unsigned contexts, ln_json *json) {
    static const struct {
        ln_context context;
        const char *name;
    } names[] = {{LN_IN_MODEL, "model"},
                 {LN_IN_LIBRARY, "library"},
                 {LN_IN_COMPONENT, "component"},
                 {LN_IN_BLOCK_TYPE, "block-type"},
                 {LN_IN_REPEAT, "repeat"},
                 {LN_IN_WHEN, "when"},
                 {LN_IN_TRIM, "trim"}};
    ln_json_begin(json, "in", LN_JSON_LIST);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (contexts & names[k].context)
            ln_json_text(json, NULL, names[k].name);
    ln_json_end(json);
}

static void put_word(const ln_word *word, ln_json *json) {
    ln_json_begin(json, NULL, LN_JSON_OBJECT);
    ln_json_text(json, "name", word->name);
    put_contexts(word->contexts, json);
    ln_json_flag(json, "text", word->takes_text);
    ln_json_begin(json, "attributes", LN_JSON_LIST);
    for (int k = 0; word->attributes[k] != NULL; k++) {
        const int required = word->attributes[k][0] == '!';
        ln_json_begin(json, NULL, LN_JSON_OBJECT);
        ln_json_text(json, "name", word->attributes[k] + required);
        ln_json_flag(json, "required", required);
        ln_json_end(json);
    }
    ln_json_end(json);
    ln_json_end(json);
}

/* "TITLE": [{"name", "doc"}, ...] */
static void put_named(ln_json *json, const char *title,
                      const char *(*at)(int index, const char **doc)) {
    const char *name, *doc = NULL;
    ln_json_begin(json, title, LN_JSON_LIST_LINES);
    for (int k = 0; (name = at(k, &doc)) != NULL; k++) {
        ln_json_begin(json, NULL, LN_JSON_OBJECT);
        ln_json_text(json, "name", name);
        ln_json_text_if(json, "doc", doc);
        ln_json_end(json);
    }
    ln_json_end(json);
}

static const char *method_at(int index, const char **doc) {
    const ln_method *method = ln_method_at(index);
    *doc = method != NULL ? method->doc : NULL;
    return method != NULL ? method->name : NULL;
}

static const char *domain_at(int index, const char **doc) {
    *doc = NULL;
    return index < LINNET_DOMAINS ? ln_domain((linnet_domain)index)->name : NULL;
}

void ln_language_json(ln_text *text) {
    ln_json json = {.out = text};
    const ln_word *word;
    ln_json_begin(&json, NULL, LN_JSON_OBJECT_LINES);
    ln_json_begin(&json, "words", LN_JSON_LIST_LINES);
    for (size_t k = 0; (word = ln_word_at(k)) != NULL; k++)
        put_word(word, &json);
    ln_json_end(&json);
    put_named(&json, "methods", method_at);
    put_named(&json, "measures", ln_measure_kind_at);
    put_named(&json, "domains", domain_at);
    ln_json_finish(&json);
}
