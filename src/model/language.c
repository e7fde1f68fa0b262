/* SPDX-License-Identifier: MIT */
/* The table of words and the checks that follow from it; see language.h. */
#include "model/language.h"

#include "base/foreign.h"
#include "base/text.h"
#include "expression/graph.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define IN_BODY (LN_IN_MODEL | LN_IN_COMPONENT | LN_IN_REPEAT)
#define IN_FILE (LN_IN_MODEL | LN_IN_LIBRARY)

static const ln_word words[] = {
    {"parameter",
     LN_IN_MODEL,
     LN_WORD_PARAMETER,
     LN_NAME_VALUE,
     {"!name", "!value", "unit", "min", "max", "above", "below", "doc", "type", "choices"},
     0},
    {"parameter",
     LN_IN_COMPONENT,
     LN_WORD_PARAMETER,
     LN_NAME_VALUE,
     {"!name", "default", "unit", "min", "max", "above", "below", "doc", "type", "choices"},
     0},
    {"parameter",
     LN_IN_BLOCK_TYPE,
     LN_WORD_PARAMETER,
     LN_NAME_VALUE,
     {"!name", "default", "unit", "min", "max", "above", "below", "integer", "size", "unless",
      "also", "doc"},
     0},
    {"link", IN_BODY, LN_WORD_LINK, LN_NAME_NONE, {"!id", "from", "to", "if", "doc"}, 0},
    {"repeat", IN_BODY, LN_WORD_REPEAT, LN_NAME_NONE, {"!index", "!from", "!to", "if", "doc"}, 0},
    {"port", LN_IN_COMPONENT, LN_WORD_PORT, LN_NAME_PORT, {"!name", "!domain", "doc"}, 0},
    {"port",
     LN_IN_BLOCK_TYPE,
     LN_WORD_PORT,
     LN_NAME_PORT,
     {"!name", "!domain", "optional", "doc"},
     0},
    {"input", LN_IN_COMPONENT, LN_WORD_PORT, LN_NAME_PORT, {"!name", "doc"}, 0},
    {"output", LN_IN_COMPONENT, LN_WORD_PORT, LN_NAME_PORT, {"!name", "doc"}, 0},
    {"input",
     LN_IN_BLOCK_TYPE,
     LN_WORD_PORT,
     LN_NAME_VALUE,
     {"!name", "optional", "width", "shape", "doc"},
     0},
    {"output",
     LN_IN_BLOCK_TYPE,
     LN_WORD_PORT,
     LN_NAME_VALUE,
     {"!name", "width", "shape", "doc"},
     0},
    {"start", IN_BODY, LN_WORD_START, LN_NAME_NONE, {"!link", "!value", "fixed", "if"}, 0},
    {"start", LN_IN_BLOCK_TYPE, LN_WORD_START, LN_NAME_NONE, {"!of", "!value"}, 0},
    {"number", LN_IN_BLOCK_TYPE, LN_WORD_NUMBER, LN_NAME_VALUE, {"!name", "!value", "doc"}, 0},
    {"state",
     LN_IN_BLOCK_TYPE,
     LN_WORD_STATE,
     LN_NAME_VALUE,
     {"!name", "start", "unit", "nominal", "absolute", "size", "index", "optional", "doc"},
     0},
    {"variable",
     LN_IN_BLOCK_TYPE,
     LN_WORD_STATE,
     LN_NAME_VALUE,
     {"!name", "start", "unit", "nominal", "absolute", "size", "index", "doc"},
     0},
    {"let",
     LN_IN_BLOCK_TYPE,
     LN_WORD_LET,
     LN_NAME_VALUE,
     {"!name", "!value", "size", "index", "doc"},
     0},
    {"equation",
     LN_IN_BLOCK_TYPE,
     LN_WORD_EQUATION,
     LN_NAME_NONE,
     {"name", "for", "where", "with"},
     1},
    {"memory",
     LN_IN_BLOCK_TYPE,
     LN_WORD_MEMORY,
     LN_NAME_VALUE,
     {"!name", "start", "unit", "size", "index", "counts", "doc"},
     0},
    {"when",
     LN_IN_BLOCK_TYPE,
     LN_WORD_EVENT,
     LN_NAME_NONE,
     {"!condition", "name", "together", "for", "where", "doc"},
     0},
    {"assert",
     LN_IN_BLOCK_TYPE,
     LN_WORD_EVENT,
     LN_NAME_NONE,
     {"!condition", "!message", "name", "for", "where", "doc"},
     0},
    {"set",
     LN_IN_WHEN,
     LN_WORD_ACTION,
     LN_NAME_NONE,
     {"!name", "!value", "for", "where", "doc"},
     0},
    {"stop", LN_IN_WHEN, LN_WORD_ACTION, LN_NAME_NONE, {"!message", "doc"}, 0},
    {"fail", LN_IN_WHEN, LN_WORD_ACTION, LN_NAME_NONE, {"!message", "doc"}, 0},
    {"simulation",
     LN_IN_MODEL,
     LN_WORD_SIMULATION,
     LN_NAME_NONE,
     {"duration", "step", "tolerance", "method", "start-time", "start", "interval", "points",
      "event-limit", "ticks", "record-from"},
     0},
    {"at-rest", LN_IN_MODEL, LN_WORD_AT_REST, LN_NAME_NONE, {"!parameter", "!value", "doc"}, 0},
    {"operating-point", LN_IN_MODEL, LN_WORD_ANALYSIS, LN_NAME_NONE, {"doc"}, 0},
    {"frequency-response",
     LN_IN_MODEL,
     LN_WORD_ANALYSIS,
     LN_NAME_NONE,
     {"!input", "!output", "from", "to", "points", "per", "linear", "list", "doc"},
     0},
    {"dc-gain",
     LN_IN_MODEL,
     LN_WORD_ANALYSIS,
     LN_NAME_NONE,
     {"!input", "!output", "minus", "doc"},
     0},
    {"parameter-sweep", LN_IN_MODEL, LN_WORD_ANALYSIS, LN_NAME_NONE, {"!vary", "doc"}, 0},
    {"dc-sweep", LN_IN_MODEL, LN_WORD_ANALYSIS, LN_NAME_NONE, {"!vary", "doc"}, 0},
    {"tolerance",
     LN_IN_MODEL,
     LN_WORD_TOLERANCE,
     LN_NAME_NONE,
     {"signals", "unit", "!absolute", "doc"},
     0},
    {"record",
     LN_IN_MODEL,
     LN_WORD_RECORD,
     LN_NAME_NONE,
     {"signals", "name", "expression", "unit"},
     0},
    {"reference",
     LN_IN_MODEL,
     LN_WORD_REFERENCE,
     LN_NAME_NONE,
     {"!signal", "value", "file", "tolerance", "at", "doc"},
     0},
    {"measure",
     LN_IN_MODEL,
     LN_WORD_MEASURE,
     LN_NAME_NONE,
     {"!name",     "!kind", "analysis", "signal", "condition", "at",    "level",
      "direction", "count", "low",      "high",   "initial",   "final", "band",
      "from",      "to",    "value",    "unit",   "when",      "doc"},
     0},
    {"trim", LN_IN_MODEL, LN_WORD_TRIM, LN_NAME_NONE, {"doc"}, 0},
    {"free", LN_IN_TRIM, LN_WORD_ACTION, LN_NAME_NONE, {"!name", "guess", "min", "max", "doc"}, 0},
    {"hold", LN_IN_TRIM, LN_WORD_ACTION, LN_NAME_NONE, {"!equation", "doc"}, 0},
    {"minimise", LN_IN_TRIM, LN_WORD_ACTION, LN_NAME_NONE, {"!expression", "doc"}, 0},
    {"include", IN_FILE, LN_WORD_INCLUDE, LN_NAME_NONE, {"!href"}, 0},
    {"block-type",
     IN_FILE,
     LN_WORD_DEFINITION,
     LN_NAME_TYPE,
     {"!name", "like", "group", "symbol", "doc", "example"},
     0},
    {"component",
     IN_FILE,
     LN_WORD_DEFINITION,
     LN_NAME_TYPE,
     {"!name", "group", "symbol", "doc", "example"},
     0},
    {"model", 0, LN_WORD_ROOT, LN_NAME_NONE, {"name", "version", "flat", "doc"}, 0},
    {"library", 0, LN_WORD_ROOT, LN_NAME_NONE, {"name", "version", "doc"}, 0},
};
enum { WORDS = sizeof words / sizeof *words };

/* Words that the language will have, or will never have; as the name of a block they would only
 * mislead. */
static const struct {
    const char *name, *text;
} refused[] = {
    {"enable", "a component is switched by an attribute of its instance, enable=\"signal\""},
    {"plugin", "a model names no plug-ins; they are loaded by the command line only"},
};

const ln_word *ln_word_find(const char *name, ln_context context) {
    for (int k = 0; k < WORDS; k++)
        if (words[k].name[0] == name[0] && (words[k].contexts & context) != 0 &&
            strcmp(words[k].name, name) == 0)
            return &words[k];
    return NULL;
}

int ln_is_block_name(ln_block_names *known, const char *name) {
    const size_t place = ((uintptr_t)name >> 2) % LN_BLOCKS_KNOWN;
    if (known->name[place] != name) {
        known->name[place] = name;
        known->is_block[place] = ln_word_find(name, LN_IN_MODEL) == NULL;
    }
    return known->is_block[place];
}

const ln_word *ln_word_at(size_t index) {
    return index < WORDS ? &words[index] : NULL;
}

const ln_word *ln_word_root(const char *name) {
    for (int k = 0; k < WORDS; k++)
        if (words[k].kind == LN_WORD_ROOT && strcmp(words[k].name, name) == 0)
            return &words[k];
    return NULL;
}

/* Where a word of the language belongs, "<model> or <component>"; 0 if it is none. The words of a
 * <trim> may name types too: <hold> is a likely one. */
static int describe_contexts(const char *name, char text[128]) {
    static const struct {
        ln_context context;
        const char *name;
    } names[] = {
        {LN_IN_MODEL, "<model>"},         {LN_IN_LIBRARY, "<library>"},
        {LN_IN_COMPONENT, "<component>"}, {LN_IN_BLOCK_TYPE, "<block-type>"},
        {LN_IN_REPEAT, "<repeat>"},       {LN_IN_WHEN, "<when>"},
    };
    unsigned contexts = 0;
    int known = 0;
    for (int k = 0; k < WORDS; k++)
        if (words[k].name[0] == name[0] && words[k].contexts != LN_IN_TRIM &&
            strcmp(words[k].name, name) == 0) {
            contexts |= words[k].contexts;
            known = 1;
        }
    size_t at = 0;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (contexts & names[k].context)
            at +=
                (size_t)snprintf(text + at, 128 - at, "%s%s", at > 0 ? " or " : "", names[k].name);
    if (known && at == 0)
        snprintf(text, 128, "the root of a file");
    return known;
}

/* The nearest word that may stand in the context, or NULL. */
static const char *nearest_word(const char *name, ln_context context) {
    const char *names[WORDS];
    for (int k = 0; k < WORDS; k++)
        names[k] = words[k].contexts & context ? words[k].name : NULL;
    return ln_nearest(name, names, WORDS);
}

/* Types only; what else a model may hold is named so that a misspelt <component> is told from a
 * block. */
static void refuse_in_library(const ln_element *element, const char *where, ln_report *report) {
    const char *nearest = nearest_word(element->name, LN_IN_LIBRARY);
    if (nearest != NULL)
        ln_error(report, ln_place_of(element), "unknown element <%s> in %s; did you mean <%s>?",
                 element->name, where, nearest);
    else
        ln_error(report, ln_place_of(element),
                 "<%s> has no meaning in %s, which gives types only; it belongs in the "
                 "model that is run",
                 element->name, where);
}

static void refuse_in_type(const ln_element *element, ln_context context, const char *where,
                           ln_report *report) {
    const char *nearest = nearest_word(element->name, context);
    if (nearest != NULL)
        ln_error(report, ln_place_of(element), "unknown element <%s> in %s; did you mean <%s>?",
                 element->name, where, nearest);
    else
        ln_error(report, ln_place_of(element), "unknown element <%s> in %s; %s", element->name,
                 where,
                 context == LN_IN_WHEN   ? "it holds <set>, <stop> and <fail>"
                 : context == LN_IN_TRIM ? "it holds <free>, <hold> and <minimise>"
                                         : "blocks belong in a <component>");
}

int ln_word_refuse(const ln_element *element, ln_context context, const char *where,
                   ln_report *report) {
    ln_place place = ln_place_of(element);
    char text[128];
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        if (strcmp(refused[k].name, element->name) == 0) {
            ln_error(report, place, "%s: %s", where, refused[k].text);
            return 1;
        }
    if (context == LN_IN_LIBRARY) {
        refuse_in_library(element, where, report);
        return 1;
    }
    if (describe_contexts(element->name, text)) {
        ln_error(report, place, "<%s> has no meaning in %s; it belongs in %s", element->name, where,
                 text);
        return 1;
    }
    if (context == LN_IN_BLOCK_TYPE || context == LN_IN_WHEN || context == LN_IN_TRIM) {
        refuse_in_type(element, context, where, report);
        return 1;
    }
    /* A block, unless it looks like a misspelt word: then it has no id. */
    const char *nearest =
        ln_attribute_of(element, "id") != NULL ? NULL : nearest_word(element->name, context);
    if (nearest == NULL)
        return 0;
    ln_error(report, place,
             "unknown element <%s>: it is no block, as it has no id; did you mean <%s>?",
             element->name, nearest);
    return 1;
}

/* ---- attributes ---- */

static const char *plain(const char *attribute) {
    return attribute[0] == '!' ? attribute + 1 : attribute;
}

static int check_attribute(const ln_word *word, const ln_element *element, const char *name,
                           ln_report *report) {
    const char *names[LN_WORD_ATTRIBUTES + 1] = {NULL};
    ln_text list = {0};
    for (int k = 0; word->attributes[k] != NULL; k++) {
        names[k] = plain(word->attributes[k]);
        if (strcmp(names[k], name) == 0)
            return 1;
    }
    for (int k = 0; names[k] != NULL; k++)
        ln_text_printf(&list, "%s%s", k > 0 ? ", " : "", names[k]);
    const char *nearest = NULL;
    if (strcmp(element->name, "simulation") == 0)
        nearest = ln_foreign_word(LN_FOREIGN_SETTING, name);
    if (nearest == NULL)
        nearest = ln_nearest(name, names, LN_WORD_ATTRIBUTES);
    if (nearest != NULL)
        ln_error(report, ln_place_of(element), "<%s> has no attribute '%s'; did you mean '%s'?",
                 element->name, name, nearest);
    else
        ln_error(report, ln_place_of(element), "<%s> has no attribute '%s'; it has: %s",
                 element->name, name, list.data != NULL ? list.data : "none");
    ln_text_free(&list);
    return 0;
}

static int is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int check_name(const ln_word *word, const ln_element *element, const char *name,
                      ln_report *report) {
    ln_place place = ln_place_of(element);
    char text[128];
    int dash = word->rule == LN_NAME_TYPE;
    int fine = is_letter(name[0]) && strlen(name) <= 255;
    for (const char *at = name; fine && *at != '\0'; at++)
        fine = is_letter(*at) || (*at >= '0' && *at <= '9') || (dash && *at == '-');
    if (!fine)
        ln_error(
            report, place,
            "<%s>: name '%.300s' is not accepted; a name begins with a letter and holds letters, "
            "digits%s and '_', at most 255",
            element->name, name, dash ? ", '-'" : "");
    else if (word->rule == LN_NAME_VALUE && (strcmp(name, "t") == 0 || ln_is_reserved(name)))
        ln_error(report, place, "<%s>: the name '%s' is reserved in expressions; choose another",
                 element->name, name);
    else if (word->rule == LN_NAME_TYPE && describe_contexts(name, text))
        ln_error(report, place, "<%s>: '%s' is a word of the language; choose another name",
                 element->name, name);
    else
        return 1;
    return 0;
}

int ln_word_check_index(const ln_element *element, ln_report *report) {
    const char *name = ln_attribute_of(element, "index");
    static const ln_word index = {"repeat", 0, LN_WORD_REPEAT, LN_NAME_VALUE, {NULL}, 0};
    return check_name(&index, element, name, report);
}

/* An attribute that must be there is there and not empty. */
static int check_needed(const ln_element *element, const char *attribute, ln_report *report) {
    const char *value = ln_attribute_of(element, attribute);
    if (value != NULL && value[strspn(value, " \t\n\r")] != '\0')
        return 1;
    ln_error(report, ln_place_of(element), "<%s> %s; write %s=\"...\"", element->name,
             value == NULL ? "lacks an attribute" : "has an empty attribute", attribute);
    return 0;
}

/* Most often the text is what the first attribute that is missing should say. */
static void refuse_text(const ln_word *word, const ln_element *element, ln_report *report) {
    const char *meant = NULL;
    for (int k = 0; word->attributes[k] != NULL && meant == NULL; k++) {
        const char *name = word->attributes[k] + (word->attributes[k][0] == '!');
        meant = ln_attribute_of(element, name) == NULL ? name : NULL;
    }
    ln_error(report, ln_place_of(element), "text '%.40s' inside <%s> has no meaning; %s%s%s",
             element->text, element->name,
             meant != NULL ? "values stand in attributes, such as " : "remove it",
             meant != NULL ? meant : "", meant != NULL ? "=\"...\"" : "");
}

/* Text stands in those elements that take it, and only there. */
static int check_text(const ln_word *word, const ln_element *element, ln_report *report) {
    const int has_text = element->text != NULL;
    if (word->takes_text && !has_text)
        ln_error(report, ln_place_of(element), "<%s> is empty; write <%s>left = right</%s>",
                 element->name, element->name, element->name);
    else if (!word->takes_text && has_text)
        refuse_text(word, element, report);
    return !word->takes_text == !has_text;
}

int ln_word_check(const ln_word *word, const ln_element *element, int children, ln_report *report) {
    int fine = 1;
    for (int k = 0; k < element->nattributes; k++)
        fine &= check_attribute(word, element, element->attributes[k].name, report);
    for (int k = 0; word->attributes[k] != NULL; k++)
        if (word->attributes[k][0] == '!')
            fine &= check_needed(element, plain(word->attributes[k]), report);
    const char *name = word->rule != LN_NAME_NONE ? ln_attribute_of(element, "name") : NULL;
    if (name != NULL && name[0] != '\0')
        fine &= check_name(word, element, name, report);
    fine &= check_text(word, element, report);
    if (!children && element->first != NULL) {
        ln_error(report, ln_place_of(element->first),
                 "<%s> has no meaning inside <%s>, which holds no elements", element->first->name,
                 element->name);
        fine = 0;
    }
    return fine;
}
