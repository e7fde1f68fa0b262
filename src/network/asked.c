/* SPDX-License-Identifier: MIT */
/* Which states on request an instance has: see asked.h. The words of all texts that may name one
 * are collected once, when the first instance of such a type comes up: plain names in a map,
 * patterns in a list. */
#include "network/asked.h"

#include "base/sys.h"

#include <string.h>

struct ln_asked {
    ln_arena *arena;
    ln_map *names;
    const char **patterns;
    size_t npatterns, room;
    int failed;
};

void ln_asked_free(ln_asked *asked) {
    if (asked == NULL)
        return;
    ln_map_free(asked->names);
    ln_sys->release((void *)asked->patterns);
    ln_arena_free(asked->arena);
}

/* ---- the words ---- */

static void add_name(ln_asked *asked, const char *name) {
    if (ln_map_get(asked->names, name) < 0 && ln_map_put(asked->names, name, 1) < 0)
        asked->failed = 1;
}

static void add_pattern(ln_asked *asked, const char *pattern) {
    if (LN_GROW(asked->patterns, asked->npatterns, asked->room))
        asked->patterns[asked->npatterns++] = pattern;
    else
        asked->failed = 1;
}

/* "m[2].x" also asks the block m that works on each element of a vector. */
static void add_element(ln_asked *asked, const char *word, const char *dot) {
    const char *bracket = dot;
    while (bracket > word && *bracket != '[')
        bracket--;
    if (dot == word || dot[-1] != ']' || bracket == word)
        return;
    const char *name = ln_arena_printf(asked->arena, "%.*s%s", (int)(bracket - word), word, dot);
    if (name == NULL)
        asked->failed = 1;
    else
        add_name(asked, name);
}

/* In "v0-m1.x" and "2*m1.x" the name begins behind the operator, in "left-cart.x" it does not: both
 * readings count. */
static void add_word(ln_asked *asked, const char *text, size_t length) {
    const char *word = ln_arena_text(asked->arena, text, length);
    const char *dot = word == NULL ? NULL : strrchr(word, '.');
    if (word == NULL)
        asked->failed = 1;
    if (dot == NULL)
        return;
    if (strpbrk(word, "*?") != NULL)
        add_pattern(asked, word);
    for (const char *part = word; part != NULL && part < dot; part = strpbrk(part, "*?-")) {
        part += strspn(part, "*?-");
        add_name(asked, part);
        add_element(asked, part, dot);
    }
}

static void add_text(ln_asked *asked, const char *text) {
    static const char of_names[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                   "_.[]*?-";
    while (text != NULL && *text != '\0') {
        const size_t length = strspn(text, of_names);
        if (length > 0)
            add_word(asked, text, length);
        text += length > 0 ? length : 1;
    }
}

static void add_element_texts(ln_asked *asked, const ln_element *element) {
    if (element == NULL)
        return;
    for (int k = 0; k < element->nattributes; k++)
        add_text(asked, element->attributes[k].value);
    add_text(asked, element->text);
    for (const ln_element *child = element->first; child != NULL; child = child->next)
        add_element_texts(asked, child);
}

static void add_all(ln_asked *asked, const ln_element *const *elements, int count) {
    for (int k = 0; k < count; k++)
        add_element_texts(asked, elements[k]);
}

static void collect(ln_asked *asked, const ln_model *model) {
    add_text(asked, model->options.asked);
    add_element_texts(asked, model->trim);
    add_element_texts(asked, model->sweep);
    add_all(asked, model->analyses, model->nanalyses);
    add_all(asked, model->rests, model->nrests);
    add_all(asked, model->records, model->nrecords);
    add_all(asked, model->references, model->nreferences);
    add_all(asked, model->tolerances, model->ntolerances);
    add_all(asked, model->measures, model->nmeasures);
}

static linnet_status look(ln_build *build) {
    ln_arena *arena = ln_arena_new();
    ln_asked *asked = arena == NULL ? NULL : LN_NEW(arena, ln_asked, 1);
    if (asked == NULL) {
        ln_arena_free(arena);
        return ln_no_memory(build->report);
    }
    *asked = (ln_asked){.arena = arena, .names = ln_map_new()};
    build->asked = asked;
    if (asked->names != NULL)
        collect(asked, build->network->model);
    return asked->names == NULL || asked->failed ? ln_no_memory(build->report) : LINNET_OK;
}

/* ---- an instance ---- */

static int is_asked(const ln_asked *asked, const char *name, const char *state) {
    if (ln_map_get(asked->names, name) >= 0)
        return 1;
    for (size_t k = 0; k < asked->npatterns; k++) {
        const char *pattern = asked->patterns[k];
        if (strcmp(strrchr(pattern, '.') + 1, state) == 0 && ln_matches(pattern, name))
            return 1;
    }
    return 0;
}

/* Whether the model, or what stands for it, gives the start value of variable `var`. */
static int has_start(const ln_build *build, const ln_kind *kind, int var) {
    const linnet_block_class *face = kind->type->face;
    for (int k = 0; k < face->nstarts; k++) {
        if (face->starts[k].col[0] != face->nports + var || face->starts[k].name == NULL)
            continue;
        for (int p = 0; p < face->nparams; p++)
            if (strcmp(face->params[p].name, face->starts[k].name) == 0)
                return build->values.written[p] != NULL;
    }
    return 0;
}

linnet_status ln_wanted_states(ln_build *build, const ln_kind *kind, const char *instance,
                               const char *const **wanted) {
    const linnet_block_class *face = kind->type->face;
    *wanted = NULL;
    if (!ln_type_offers(kind->type))
        return LINNET_OK;
    if (build->asked == NULL)
        LN_TRY(look(build));
    const char **list = LN_NEW(build->scratch, const char *, face->nvars + 1);
    if (list == NULL)
        return ln_no_memory(build->report);
    int count = 0;
    for (int k = 0; k < face->nvars; k++) {
        const char *state = face->vars[k].name;
        if (!(face->vars[k].flags & LINNET_ON_REQUEST))
            continue;
        const char *name = ln_arena_printf(build->scratch, "%s.%s", instance, state);
        if (name == NULL)
            return ln_no_memory(build->report);
        if (has_start(build, kind, k) || is_asked(build->asked, name, state))
            list[count++] = state;
    }
    list[count] = NULL;
    *wanted = list;
    return LINNET_OK;
}
