/* SPDX-License-Identifier: MIT */
/* The words of the model language for programs that complete and explain them. */
#include "cli/catalogue_view.h"

#include "analysis/measure.h"
#include "base/domain.h"
#include "cli/json.h"
#include "integrate/integrate.h"
#include "model/language.h"
#include <stdio.h>

static void print_contexts(unsigned contexts) {
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
    const char *separator = "";
    fputs(", \"in\": [", stdout);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (contexts & names[k].context) {
            fputs(separator, stdout);
            ln_json_string(names[k].name);
            separator = ", ";
        }
    fputs("]", stdout);
}

static void print_word(const ln_word *word) {
    ln_json_member("{", "name", word->name);
    print_contexts(word->contexts);
    printf(", \"text\": %s, \"attributes\": [", word->takes_text ? "true" : "false");
    for (int k = 0; k < LN_WORD_ATTRIBUTES && word->attributes[k] != NULL; k++) {
        const int required = word->attributes[k][0] == '!';
        ln_json_member(k > 0 ? ", {" : "{", "name", word->attributes[k] + required);
        printf(", \"required\": %s}", required ? "true" : "false");
    }
    fputs("]}", stdout);
}

/* {NAME: [{"name", "doc"}, ...] */
static void print_named(const char *title, const char *(*at)(int index, const char **doc)) {
    const char *name, *doc = NULL;
    printf(",\n \"%s\": [", title);
    for (int k = 0; (name = at(k, &doc)) != NULL; k++) {
        ln_json_member(k > 0 ? ",\n  {" : "\n  {", "name", name);
        ln_json_member(", ", "doc", doc);
        fputs("}", stdout);
    }
    fputs("]", stdout);
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

void ln_language_json(void) {
    const ln_word *word;
    fputs("{\"words\": [", stdout);
    for (size_t k = 0; (word = ln_word_at(k)) != NULL; k++) {
        fputs(k > 0 ? ",\n  " : "\n  ", stdout);
        print_word(word);
    }
    fputs("]", stdout);
    print_named("methods", method_at);
    print_named("measures", ln_measure_kind_at);
    print_named("domains", domain_at);
    puts("}");
}
