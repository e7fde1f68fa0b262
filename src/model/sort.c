/* SPDX-License-Identifier: MIT */
/* A tree sorted by the words of the language: children of <model>, <component> and <block-type>
 * into lists by kind, each element checked on the way. What is no word, in a model or component, is
 * a block; the network knows its type. */
#include "base/sys.h"
#include "model/reader.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void ln_reader_expect(ln_reader *reader, int fine) {
    if (!fine)
        ln_reader_note(reader, LINNET_MODEL);
}

static void put(ln_reader *reader, ln_word_kind kind, const ln_element *element) {
    ln_list *list = &reader->lists[kind];
    if (list->count == INT_MAX || !LN_GROW(list->items, list->count, list->room)) {
        ln_reader_note(reader, ln_no_memory(reader->report));
        return;
    }
    list->items[list->count++] = element;
}

/* A list as it stays in the arena; the growing one is emptied for the next body. */
static void keep_in(ln_reader *reader, ln_arena *arena, ln_word_kind kind,
                    const ln_element ***items, int *count) {
    ln_list *list = &reader->lists[kind];
    *items = arena != NULL ? LN_NEW(arena, const ln_element *, list->count) : NULL;
    *count = 0;
    if (*items == NULL) {
        ln_reader_note(reader, ln_no_memory(reader->report));
    } else if (list->count > 0) {
        memcpy((void *)*items, (const void *)list->items, list->count * sizeof **items);
        *count = (int)list->count;
    }
    list->count = 0;
}

static void keep(ln_reader *reader, ln_word_kind kind, const ln_element ***items, int *count) {
    keep_in(reader, reader->model->arena, kind, items, count);
}

static void sort_children(ln_reader *reader, const ln_element *parent, ln_context context,
                          const char *where);
static void keep_body(ln_reader *reader, ln_body *body);

/* The repetitions of a body, once its own lists are kept and empty. The depth is limited by that of
 * the file. */
static void keep_repeats(ln_reader *reader, ln_body *body) {
    const ln_element **elements;
    keep(reader, LN_WORD_REPEAT, &elements, &body->nrepeats);
    body->repeats = LN_NEW(reader->model->arena, ln_repeat, body->nrepeats);
    if (body->repeats == NULL) {
        body->nrepeats = 0;
        ln_reader_note(reader, ln_no_memory(reader->report));
    }
    for (int k = 0; k < body->nrepeats && reader->status != LINNET_MEMORY; k++) {
        body->repeats[k].element = elements[k];
        sort_children(reader, elements[k], LN_IN_REPEAT, "<repeat>");
        keep_body(reader, &body->repeats[k].body);
    }
}

static void keep_body(ln_reader *reader, ln_body *body) {
    keep(reader, LN_WORD_PARAMETER, &body->parameters, &body->nparameters);
    ln_model *model = reader->model;
    keep_in(reader, body == &model->body ? ln_arena_part(model->arena) : model->arena,
            LN_WORD_BLOCK, &body->blocks, &body->nblocks);
    keep(reader, LN_WORD_LINK, &body->links, &body->nlinks);
    keep(reader, LN_WORD_PORT, &body->ports, &body->nports);
    keep(reader, LN_WORD_START, &body->starts, &body->nstarts);
    keep(reader, LN_WORD_STATE, &body->states, &body->nstates);
    keep(reader, LN_WORD_LET, &body->lets, &body->nlets);
    keep(reader, LN_WORD_NUMBER, &body->numbers, &body->nnumbers);
    keep(reader, LN_WORD_MEMORY, &body->memories, &body->nmemories);
    keep(reader, LN_WORD_EVENT, &body->events, &body->nevents);
    keep(reader, LN_WORD_EQUATION, &body->equations, &body->nequations);
    keep_repeats(reader, body);
}

/* A block's attributes are the network's to check; elements inside it mean nothing. */
static void put_block(ln_reader *reader, const ln_element *element) {
    if (element->first != NULL) {
        ln_error(reader->report, ln_place_of(element->first),
                 "<%s> has no meaning inside the block <%s>; "
                 "close <%s> before it",
                 element->first->name, element->name, element->name);
        ln_reader_note(reader, LINNET_MODEL);
    }
    put(reader, LN_WORD_BLOCK, element);
}

/* ---- names of one definition are distinct ---- */

static const char *named_as(const ln_element *element) {
    return strcmp(element->name, "link") == 0 ? NULL : ln_attribute_of(element, "name");
}

/* Parameters, ports, states, variables and lets of one scope, in a map of its own. */
static void check_distinct(ln_reader *reader, const char *where) {
    static const ln_word_kind kinds[] = {LN_WORD_NUMBER, LN_WORD_PARAMETER, LN_WORD_PORT,
                                         LN_WORD_STATE,  LN_WORD_LET,       LN_WORD_MEMORY};
    const ln_element **first = NULL;
    size_t count = 0, room = 0;
    ln_map *names = ln_map_new();
    int fine = names != NULL;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds && fine; k++)
        for (size_t i = 0; i < reader->lists[kinds[k]].count && fine; i++) {
            const ln_element *element = reader->lists[kinds[k]].items[i];
            const char *name = named_as(element);
            if (name == NULL)
                continue;
            int old = ln_map_get(names, name);
            if (old >= 0) {
                ln_error(reader->report, ln_place_of(element),
                         "<%s>: the name '%s' is already given in %s at line %d; "
                         "names of one type are distinct",
                         element->name, name, where, first[old]->line);
                ln_reader_note(reader, LINNET_MODEL);
            } else {
                fine = LN_GROW(first, count, room) && ln_map_put(names, name, (int)count) >= 0;
                if (fine)
                    first[count++] = element;
            }
        }
    if (!fine)
        ln_reader_note(reader, ln_no_memory(reader->report));
    ln_map_free(names);
    ln_sys->release((void *)first);
}

/* ---- definitions ---- */

/* A word and its attributes; the index of a repetition is a name as expressions know them. */
static int check_word(ln_reader *reader, const ln_word *word, const ln_element *element) {
    const int children = word->kind == LN_WORD_REPEAT || word->kind == LN_WORD_TRIM ||
                         strcmp(word->name, "when") == 0;
    int fine = ln_word_check(word, element, children, reader->report);
    return fine && word->kind == LN_WORD_REPEAT ? ln_word_check_index(element, reader->report)
                                                : fine;
}

/* The elements in a <when> or <trim>, all words of its own. */
static void check_inside(ln_reader *reader, const ln_element *parent, ln_context context,
                         const char *what) {
    char where[32];
    snprintf(where, sizeof where, "<%s>", parent->name);
    for (const ln_element *child = parent->first; child != NULL; child = child->next) {
        const ln_word *word = ln_word_find(child->name, context);
        if (word != NULL)
            ln_reader_expect(reader, ln_word_check(word, child, 0, reader->report));
        else
            ln_reader_expect(reader, !ln_word_refuse(child, context, where, reader->report));
    }
    if (parent->first != NULL)
        return;
    ln_error(reader->report, ln_place_of(parent), "%s does nothing; write %s inside it", where,
             what);
    ln_reader_note(reader, LINNET_MODEL);
}

static void check_actions(ln_reader *reader, const ln_element *event) {
    if (strcmp(event->name, "when") == 0)
        check_inside(reader, event, LN_IN_WHEN,
                     "<set name=\"...\" value=\"...\"/>, <stop> or <fail>");
}

/* The place of an element's name among those found last to be no words. */
static ln_block_name *block_name_of(ln_reader *reader, const ln_element *element) {
    return &reader->block_names[((uintptr_t)element->name >> 4) % LN_BLOCK_NAMES];
}

static int is_known(const ln_block_name *name, const ln_element *element, ln_context context) {
    return name->name == element->name && name->context == context;
}

/* What is no word is a block, or told to be neither. */
static void put_block_or_refuse(ln_reader *reader, const ln_element *element, ln_context context,
                                const char *where) {
    if (ln_word_refuse(element, context, where, reader->report)) {
        ln_reader_note(reader, LINNET_MODEL);
        return;
    }
    *block_name_of(reader, element) = (ln_block_name){element->name, context, 1};
    put_block(reader, element);
}

/* A child of a body: a word of the language, or a block. NULL: it is a block, and kept. */
static const ln_word *find_word(ln_reader *reader, const ln_element *child, ln_context context,
                                const char *where) {
    const ln_block_name *name = block_name_of(reader, child);
    /* one without an id may be a misspelt word */
    if (name->is_block && is_known(name, child, context) && ln_attribute_of(child, "id") != NULL) {
        put_block(reader, child);
        return NULL;
    }
    const ln_word *word = ln_word_find(child->name, context);
    if (word == NULL)
        put_block_or_refuse(reader, child, context, where);
    return word;
}

static void sort_children(ln_reader *reader, const ln_element *parent, ln_context context,
                          const char *where) {
    for (const ln_element *child = parent->first; child != NULL; child = child->next) {
        const ln_word *word = find_word(reader, child, context, where);
        if (word != NULL) {
            ln_reader_expect(reader, check_word(reader, word, child));
            if (word->kind == LN_WORD_EVENT)
                check_actions(reader, child);
            put(reader, word->kind, child);
        }
        if (reader->status == LINNET_MEMORY)
            return;
    }
}

static const char *kind_of(const ln_definition *definition) {
    return definition->is_component ? "component" : "block type";
}

/* An earlier definition of the name is an error; returns 0 then. */
static int is_new(ln_reader *reader, const ln_definition *definition) {
    int old = ln_map_get(reader->definition_names, definition->name);
    if (old < 0)
        return 1;
    const ln_definition *other = &reader->definitions[old];
    if (strcmp(other->element->file, definition->element->file) == 0)
        ln_error(reader->report, ln_place_of(definition->element),
                 "%s '%s' is already defined at line %d", kind_of(definition), definition->name,
                 other->element->line);
    else
        ln_error(reader->report, ln_place_of(definition->element),
                 "%s '%s' is already defined at %s:%d", kind_of(definition), definition->name,
                 other->element->file, other->element->line);
    ln_reader_note(reader, LINNET_MODEL);
    return 0;
}

/* ---- types like another one ---- */

/* The place of the element of this word and name in a list; -1: there is none. */
static int place_of(const ln_element *const *items, int count, const ln_element *like) {
    const char *name = ln_attribute_of(like, "name");
    for (int k = 0; k < count && name != NULL; k++) {
        const char *own = ln_attribute_of(items[k], "name");
        if (strcmp(items[k]->name, like->name) == 0 && own != NULL && strcmp(own, name) == 0)
            return k;
    }
    return -1;
}

/* The other type's elements of one kind, each replaced by the type's own of the same name; before
 * that one stands what it needs of the own elements above it, behind all the rest. */
static void merge(ln_reader *reader, ln_word_kind kind, const ln_element **other, int count) {
    ln_list own = reader->lists[kind];
    const int nown = (int)own.count;
    int placed = 0;
    reader->lists[kind] = (ln_list){0};
    for (int k = 0; k < count; k++) {
        int mine = place_of(own.items, nown, other[k]);
        for (; placed < mine; placed++)
            if (place_of(other, count, own.items[placed]) < 0)
                put(reader, kind, own.items[placed]);
        put(reader, kind, mine >= 0 ? own.items[mine] : other[k]);
    }
    for (; placed < nown; placed++)
        if (place_of(other, count, own.items[placed]) < 0)
            put(reader, kind, own.items[placed]);
    ln_sys->release((void *)own.items);
}

static void merge_body(ln_reader *reader, const ln_body *other) {
    merge(reader, LN_WORD_PARAMETER, other->parameters, other->nparameters);
    merge(reader, LN_WORD_PORT, other->ports, other->nports);
    merge(reader, LN_WORD_START, other->starts, other->nstarts);
    merge(reader, LN_WORD_STATE, other->states, other->nstates);
    merge(reader, LN_WORD_LET, other->lets, other->nlets);
    merge(reader, LN_WORD_NUMBER, other->numbers, other->nnumbers);
    merge(reader, LN_WORD_MEMORY, other->memories, other->nmemories);
    merge(reader, LN_WORD_EVENT, other->events, other->nevents);
    merge(reader, LN_WORD_EQUATION, other->equations, other->nequations);
}

/* <block-type like="other">: what the other one says, told before, and what stands here. */
static void take_over(ln_reader *reader, const ln_element *element) {
    const char *like = ln_attribute_of(element, "like");
    int known = like != NULL ? ln_map_get(reader->definition_names, like) : -1;
    if (like == NULL)
        return;
    if (known >= 0 && !reader->definitions[known].is_component) {
        merge_body(reader, &reader->definitions[known].body);
        return;
    }
    ln_error(reader->report, ln_place_of(element),
             "<block-type>: like=\"%s\" names no block type that stands above in this "
             "file or in what it includes; the other type comes first",
             like);
    ln_reader_note(reader, LINNET_MODEL);
}

static void sort_definition(ln_reader *reader, const ln_word *word, const ln_element *element) {
    ln_reader_expect(reader, ln_word_check(word, element, 1, reader->report));
    ln_definition definition = {
        .name = ln_attribute_of(element, "name"),
        .doc = ln_attribute_of(element, "doc"),
        .is_component = strcmp(element->name, "component") == 0,
        .element = element,
    };
    char where[320];
    snprintf(where, sizeof where, "%s '%.255s'", kind_of(&definition),
             definition.name != NULL ? definition.name : "");
    sort_children(reader, element, definition.is_component ? LN_IN_COMPONENT : LN_IN_BLOCK_TYPE,
                  where);
    if (!definition.is_component)
        take_over(reader, element);
    check_distinct(reader, where);
    keep_body(reader, &definition.body);
    if (definition.name == NULL || reader->status == LINNET_MEMORY || !is_new(reader, &definition))
        return;
    if (!LN_GROW(reader->definitions, reader->ndefinitions, reader->definition_room) ||
        ln_map_put(reader->definition_names, definition.name, (int)reader->ndefinitions) < 0) {
        ln_reader_note(reader, ln_no_memory(reader->report));
        return;
    }
    reader->definitions[reader->ndefinitions++] = definition;
}

/* ---- the root ---- */

/* A word that a model holds once. */
static void put_single(ln_reader *reader, const ln_element **place, const ln_element *element) {
    const ln_element *old = *place;
    if (old == NULL) {
        *place = element;
        return;
    }
    ln_error(reader->report, ln_place_of(element), "a second <%s>; the first is at line %d",
             element->name, old->line);
    ln_reader_note(reader, LINNET_MODEL);
}

static void put_trim(ln_reader *reader, const ln_element *element) {
    const ln_element *objective = NULL;
    check_inside(reader, element, LN_IN_TRIM, "<free name=\"...\"/> and <hold equation=\"...\"/>");
    for (const ln_element *child = element->first; child != NULL; child = child->next)
        if (strcmp(child->name, "minimise") == 0)
            put_single(reader, &objective, child);
    put_single(reader, &reader->model->trim, element);
}

/* First pass: definitions, includes and <simulation>, which fill lists of their own or none. */
static void sort_definitions(ln_reader *reader, const ln_element *root, ln_context context,
                             int source) {
    for (const ln_element *child = root->first; child != NULL; child = child->next) {
        ln_block_name *name = block_name_of(reader, child);
        if (is_known(name, child, context))
            continue;
        const ln_word *word = ln_word_find(child->name, context);
        if (word == NULL)
            *name = (ln_block_name){child->name, context, 0};
        if (word == NULL || (word->kind != LN_WORD_DEFINITION && word->kind != LN_WORD_INCLUDE))
            continue;
        if (word->kind == LN_WORD_DEFINITION) {
            sort_definition(reader, word, child);
        } else if (ln_word_check(word, child, 0, reader->report)) {
            ln_include(reader, child, source);
        } else {
            ln_reader_note(reader, LINNET_MODEL);
        }
        if (reader->status == LINNET_MEMORY)
            return;
    }
}

static void sort_model(ln_reader *reader, const ln_element *root, ln_context context,
                       const char *where) {
    for (const ln_element *child = root->first; child != NULL; child = child->next) {
        const ln_word *word = find_word(reader, child, context, where);
        if (word != NULL && word->kind != LN_WORD_DEFINITION && word->kind != LN_WORD_INCLUDE) {
            ln_reader_expect(reader, check_word(reader, word, child));
            if (word->kind == LN_WORD_SIMULATION)
                put_single(reader, &reader->model->simulation, child);
            if (word->kind == LN_WORD_TRIM)
                put_trim(reader, child);
            else
                put(reader, word->kind == LN_WORD_SIMULATION ? LN_WORD_ANALYSIS : word->kind,
                    child);
        }
        if (reader->status == LINNET_MEMORY)
            return;
    }
}

static const ln_element *first_of(const ln_model *model, const char *analysis) {
    for (int k = 0; k < model->nanalyses; k++)
        if (strcmp(model->analyses[k]->name, analysis) == 0)
            return model->analyses[k];
    return NULL;
}

void ln_sort_root(ln_reader *reader, const ln_element *root, ln_context context, int source) {
    const char *where = context == LN_IN_MODEL ? "<model>"
                        : source > 0           ? "the included file"
                                               : "<library>";
    sort_definitions(reader, root, context, source);
    if (reader->status == LINNET_MEMORY)
        return;
    sort_model(reader, root, context, where);
    if (context != LN_IN_MODEL)
        return;
    check_distinct(reader, where);
    keep_body(reader, &reader->model->body);
    keep(reader, LN_WORD_RECORD, &reader->model->records, &reader->model->nrecords);
    keep(reader, LN_WORD_TOLERANCE, &reader->model->tolerances, &reader->model->ntolerances);
    keep(reader, LN_WORD_MEASURE, &reader->model->measures, &reader->model->nmeasures);
    keep(reader, LN_WORD_AT_REST, &reader->model->rests, &reader->model->nrests);
    keep(reader, LN_WORD_ANALYSIS, &reader->model->analyses, &reader->model->nanalyses);
    reader->model->response = first_of(reader->model, "frequency-response");
    reader->model->sweep = first_of(reader->model, "parameter-sweep");
    reader->model->dc_sweep = first_of(reader->model, "dc-sweep");
    keep(reader, LN_WORD_REFERENCE, &reader->model->references, &reader->model->nreferences);
}

/* ---- included files ---- */

static int check_root(ln_reader *reader, const ln_element *root) {
    if (strcmp(root->name, "model") == 0 || strcmp(root->name, "library") == 0)
        return ln_word_check(ln_word_root(root->name), root, 1, reader->report);
    ln_error(reader->report, ln_place_of(root),
             "the root of an included file is <%s>; expected <library> or <model>", root->name);
    return 0;
}

static void read_source(ln_reader *reader, int source, ln_place place) {
    linnet_status status;
    const ln_element *root = ln_tree_read_file(reader->model->arena, reader->sources[source].path,
                                               reader->limits, reader->report, &status);
    if (root == NULL) {
        if (status == LINNET_IO)
            ln_note(reader->report, place, "it is included here");
        ln_reader_note(reader, status);
        return;
    }
    if (check_root(reader, root))
        ln_sort_root(reader, root, LN_IN_LIBRARY, source);
    else
        ln_reader_note(reader, LINNET_MODEL);
}

void ln_include(ln_reader *reader, const ln_element *include, int source) {
    ln_place place = ln_place_of(include);
    int added = ln_include_open(reader, ln_attribute_of(include, "href"), source, 0, place);
    if (added < 0)
        return;
    read_source(reader, added, place);
    if (reader->sources != NULL)
        reader->sources[added].open = 0;
}
