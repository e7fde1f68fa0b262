/* SPDX-License-Identifier: MIT */
/* The catalogue: one map from type names to entries, filled from four places - native classes,
 * sized types, the library carried in the program, the model's own definitions. A file of the
 * library is read when one of its types is first asked for, a type in equations compiled then; the
 * class of a sized type is made when its shape first comes up.
 * Entries and classes stay where they are until the end. */
#include "blocks/catalogue.h"

#include "base/domain.h"
#include "base/sys.h"
#include "blocks/discrete/sampled.h"
#include "blocks/embedded.h"
#include "blocks/native/native.h"
#include "blocks/read_type.h"
#include "blocks/class_cache.h"
#include "blocks/signal/sized.h"
#include "base/text.h"
#include "expression/graph.h"

#include <stdlib.h>
#include <string.h>

#define LN_ADDRESS(name) &ln_type_##name,
static const ln_type *const sized_types[] = {LN_SIZED_TYPES(LN_ADDRESS)};
#undef LN_ADDRESS

typedef struct entry {
    ln_type type;
    linnet_status status; /* of compiling the definition */
    int compiled;
    const ln_embedded_file *file; /* of the library: its definition is not read yet */
} entry;

struct ln_catalogue {
    ln_arena *arena;
    ln_report *report; /* where errors of definitions go */
    ln_map *names;     /* type name -> index of entries[] */
    entry **entries;
    size_t nentries, entries_room; /* ordered by group and name */
    ln_model **libraries;
    size_t nlibraries;
    ln_class_cache definitions; /* what the compiled definitions live in */
    /* classes by shape alone; by shape and the parameters in scope */
    ln_class_cache lasting, passing;
};

/* ---- filling ---- */

/* Adds an entry. Returns NULL when the name is taken (*taken is its owner) or memory is short
 * (*taken NULL). */
static entry *add_entry(ln_catalogue *c, const ln_type *type, entry **taken) {
    int old = ln_map_get(c->names, type->name);
    *taken = old >= 0 ? c->entries[old] : NULL;
    entry *record = old >= 0 ? NULL : LN_NEW(c->arena, entry, 1);
    if (record == NULL || !LN_GROW(c->entries, c->nentries, c->entries_room) ||
        ln_map_put(c->names, type->name, (int)c->nentries) < 0)
        return NULL;
    record->type = *type;
    record->compiled = type->definition == NULL;
    c->entries[c->nentries++] = record;
    return record;
}

/* A native class goes under the domain of its first physical port. */
static ln_type native_type(const linnet_block_class *class) {
    linnet_domain domain = LINNET_SIGNAL;
    for (int k = 0; k < class->nports && domain == LINNET_SIGNAL; k++)
        domain = class->ports[k].domain;
    return (ln_type){class->name, ln_domain(domain)->name, class, NULL, NULL, NULL, NULL, NULL};
}

/* The model's own types. */
static linnet_status add_definitions(ln_catalogue *c, const ln_model *model, ln_report *report) {
    linnet_status status = LINNET_OK;
    for (int k = 0; k < model->ndefinitions; k++) {
        const ln_definition *definition = &model->definitions[k];
        const ln_type type = {.name = definition->name, .group = "model", .definition = definition};
        entry *taken;
        if (add_entry(c, &type, &taken) != NULL)
            continue;
        if (taken == NULL)
            return ln_no_memory(report);
        if (strcmp(taken->type.group, "model") == 0) {
            status = ln_fail(report, LINNET_MODEL, ln_place_of(definition->element),
                             "type '%s' is defined already at line %d; choose another name",
                             definition->name, ln_place_of(taken->type.definition->element).line);
            continue;
        }
        ln_note(report, ln_place_of(definition->element),
                "type '%s' takes the place of the built-in one in this model", definition->name);
        *taken = (entry){.type = type};
    }
    return status;
}

/* The names in a file of the library, which is not read for them. */
static linnet_status add_library(ln_catalogue *c, const ln_embedded_file *file, ln_report *report) {
    for (const ln_embedded_type *named = file->types; named->name != NULL; named++) {
        const ln_type type = {.name = named->name, .group = named->group};
        entry *taken, *added = add_entry(c, &type, &taken);
        if (added == NULL && taken != NULL)
            return ln_fail(report, LINNET_INTERNAL, LN_NOWHERE, "type '%s' is in the library twice",
                           named->name);
        if (added == NULL)
            return ln_no_memory(report);
        added->compiled = 0;
        added->file = file;
    }
    return LINNET_OK;
}

/* Reads a file of the library: each of its types that the model has not replaced gets its
 * definition. */
static linnet_status read_library(ln_catalogue *c, const ln_embedded_file *file) {
    ln_model *model;
    LN_TRY(ln_library_read_memory(file->name, file->data, file->length, c->report, &model));
    c->libraries[c->nlibraries++] = model;
    for (int k = 0; k < model->ndefinitions; k++) {
        const ln_definition *definition = &model->definitions[k];
        const int index = ln_map_get(c->names, definition->name);
        if (index < 0)
            return ln_fail(c->report, LINNET_INTERNAL, ln_place_of(definition->element),
                           "type '%s' is missing in the list of the library", definition->name);
        if (c->entries[index]->file != file)
            continue;
        c->entries[index]->file = NULL;
        c->entries[index]->type.definition = definition;
    }
    return LINNET_OK;
}

static int compare_types(const void *a, const void *b) {
    const ln_type *left = &(*(entry *const *)a)->type, *right = &(*(entry *const *)b)->type;
    int by_group = strcmp(left->group, right->group);
    return by_group != 0 ? by_group : strcmp(left->name, right->name);
}

/* Orders entries for listing; the map follows. */
static linnet_status sort_entries(ln_catalogue *c, ln_report *report) {
    ln_map *names = ln_map_new();
    if (names == NULL)
        return ln_no_memory(report);
    qsort(c->entries, c->nentries, sizeof *c->entries, compare_types);
    for (size_t k = 0; k < c->nentries; k++) {
        if (ln_map_put(names, c->entries[k]->type.name, (int)k) >= 0)
            continue;
        ln_map_free(names);
        return ln_no_memory(report);
    }
    ln_map_free(c->names);
    c->names = names;
    return LINNET_OK;
}

static linnet_status fill(ln_catalogue *c, const ln_model *extra, ln_report *report) {
    entry *taken;
    for (const linnet_block_class *const *class = ln_native_classes; *class != NULL; class ++) {
        const ln_type type = native_type(*class);
        if (add_entry(c, &type, &taken) == NULL)
            return ln_no_memory(report);
    }
    for (size_t k = 0; k < sizeof sized_types / sizeof *sized_types; k++)
        if (add_entry(c, sized_types[k], &taken) == NULL)
            return ln_no_memory(report);
    size_t files = 0;
    while (ln_embedded_library[files].name != NULL)
        files++;
    if ((c->libraries = LN_NEW(c->arena, ln_model *, files)) == NULL)
        return ln_no_memory(report);
    for (const ln_embedded_file *file = ln_embedded_library; file->name != NULL; file++)
        LN_TRY(add_library(c, file, report));
    if (extra != NULL)
        LN_TRY(add_definitions(c, extra, report));
    return sort_entries(c, report);
}

ln_catalogue *ln_catalogue_new(const ln_model *extra, ln_report *report, linnet_status *status) {
    linnet_status result;
    ln_arena *arena = ln_arena_new();
    ln_catalogue *c = arena == NULL ? NULL : LN_NEW(arena, ln_catalogue, 1);
    if (c == NULL) {
        ln_arena_free(arena);
        result = ln_no_memory(report);
        if (status != NULL)
            *status = result;
        return NULL;
    }
    c->arena = arena;
    c->report = report;
    c->names = ln_map_new();
    result = LINNET_OK;
    if (c->names == NULL || !ln_class_cache_open(&c->definitions) ||
        !ln_class_cache_open(&c->lasting) || !ln_class_cache_open(&c->passing))
        result = ln_no_memory(report);
    if (result == LINNET_OK)
        result = fill(c, extra, report);
    if (status != NULL)
        *status = result;
    if (result == LINNET_OK)
        return c;
    ln_catalogue_free(c);
    return NULL;
}

void ln_catalogue_free(ln_catalogue *c) {
    if (c == NULL)
        return;
    for (size_t k = 0; k < c->nlibraries; k++)
        ln_model_free(c->libraries[k]);
    ln_sys->release(c->entries);
    ln_class_cache_close(&c->definitions);
    ln_class_cache_close(&c->lasting);
    ln_class_cache_close(&c->passing);
    ln_map_free(c->names);
    ln_arena_free(c->arena);
}

void ln_catalogue_tell(ln_catalogue *c, ln_report *report) {
    c->report = report;
}

/* A cache that cannot be made again is one without a shape, which the next class reports as want
 * of memory. */
void ln_catalogue_forget(ln_catalogue *c) {
    static const size_t many = 1000;
    ln_class_cache *const caches[] = {&c->passing, &c->lasting};
    for (int k = 0; k < 2; k++) {
        if (caches[k]->nclasses <= (k == 0 ? 0 : many))
            continue;
        ln_class_cache_close(caches[k]);
        (void)ln_class_cache_open(caches[k]);
    }
}

linnet_status ln_catalogue_register(ln_catalogue *c, const linnet_block_class *class,
                                    ln_report *report) {
    LN_TRY(ln_class_check(class, report));
    const ln_type type = native_type(class);
    entry *taken;
    if (add_entry(c, &type, &taken) != NULL)
        return sort_entries(c, report);
    if (taken == NULL)
        return ln_no_memory(report);
    return ln_fail(report, LINNET_USAGE, LN_NOWHERE,
                   "block type '%s' is in the catalogue already; choose another name", class->name);
}

/* ---- looking up ---- */

/* The name of an element of a port, "u[3]" or "m[2,1]", as the port's; its indices are sizes so
 * far. */
static size_t port_length(const char *name, ln_size *size) {
    const size_t length = strcspn(name, "[");
    *size = (ln_size){1, 1};
    if (name[length] != '[')
        return length;
    char *rest;
    size->rows = (int)strtol(name + length + 1, &rest, 10);
    if (*rest == ',')
        size->cols = (int)strtol(rest + 1, &rest, 10);
    return length;
}

/* A type with vectors at its ports: to a user these are single ports, which the face shows.
 * Elements follow each other, so the last one tells the size. */
static linnet_status fold_ports(ln_arena *arena, ln_type *type, ln_report *report) {
    const linnet_block_class *class = type->face;
    linnet_port *ports = LN_NEW(arena, linnet_port, class->nports);
    ln_size *sizes = LN_NEW(arena, ln_size, class->nports);
    linnet_block_class *face = LN_NEW(arena, linnet_block_class, 1);
    if (ports == NULL || sizes == NULL || face == NULL)
        return ln_no_memory(report);
    int n = 0, vectors = 0;
    for (int j = 0; j < class->nports; j++) {
        ln_size size;
        const size_t length = port_length(class->ports[j].name, &size);
        const char *name = ln_arena_text(arena, class->ports[j].name, length);
        if (name == NULL)
            return ln_no_memory(report);
        vectors |= class->ports[j].name[length] == '[';
        if (n == 0 || strcmp(ports[n - 1].name, name) != 0) {
            ports[n] = class->ports[j];
            ports[n++].name = name;
        }
        sizes[n - 1] = size;
    }
    if (!vectors)
        return LINNET_OK;
    *face = *class;
    face->ports = ports;
    face->nports = n;
    type->face = face;
    type->whole = class;
    type->sizes = sizes;
    return LINNET_OK;
}

static linnet_status compile_definition(ln_catalogue *c, entry *record) {
    ln_equations *equations;
    if (record->type.definition->is_component)
        return LINNET_OK;
    LN_TRY(ln_read_type(record->type.definition, NULL, NULL, c->report, &equations));
    LN_TRY(ln_class_cache_compile(&c->definitions, equations, c->report, &record->type.face));
    return fold_ports(c->arena, &record->type, c->report);
}

const ln_type *ln_catalogue_find(ln_catalogue *c, const char *name, linnet_status *status) {
    int index = ln_map_get(c->names, name);
    *status = LINNET_OK;
    if (index < 0)
        return NULL;
    entry *record = c->entries[index];
    if (!record->compiled) {
        record->status = record->file != NULL ? read_library(c, record->file) : LINNET_OK;
        if (record->status == LINNET_OK)
            record->status = compile_definition(c, record);
        record->compiled = 1;
    }
    *status = record->status;
    return record->status == LINNET_OK ? &record->type : NULL;
}

const char *ln_catalogue_nearest(const ln_catalogue *c, const char *name) {
    ln_nearness nearness = {.wrong = name};
    for (size_t k = 0; k < c->nentries; k++)
        ln_nearest_add(&nearness, c->entries[k]->type.name);
    return nearness.name;
}

const char *ln_catalogue_name(const ln_catalogue *c, int index, const char **group) {
    if (index < 0 || (size_t)index >= c->nentries)
        return NULL;
    *group = c->entries[index]->type.group;
    return c->entries[index]->type.name;
}

/* ---- sized types ---- */

int ln_type_is_sized(const ln_type *type) {
    if (type->describe != NULL)
        return 1;
    for (int k = 0; type->definition != NULL && type->face != NULL && k < type->face->nparams; k++)
        if (type->face->params[k].flags & LINNET_STRUCTURAL)
            return 1;
    return ln_type_offers(type);
}

int ln_type_offers(const ln_type *type) {
    for (int k = 0; type->definition != NULL && type->face != NULL && k < type->face->nvars; k++)
        if (type->face->vars[k].flags & LINNET_ON_REQUEST)
            return 1;
    return 0;
}

/* Whether the class depends on the parameters in scope, through a text that is an expression. */
static int is_passing(const ln_type *type, const ln_shape *shape) {
    const linnet_block_class *face = type->face;
    for (int k = 0; k < face->nparams; k++)
        if (shape->names != NULL && (face->params[k].flags & LINNET_TEXT) &&
            !(face->params[k].flags & LINNET_STRUCTURAL))
            return 1;
    return 0;
}

linnet_status ln_catalogue_class(ln_catalogue *c, const ln_type *type, const ln_shape *shape,
                                 ln_report *report, const linnet_block_class **class) {
    *class = type->whole != NULL ? type->whole : type->face;
    if (type->face != NULL && type->face->variant != NULL)
        return ln_class_cache_variant(&c->lasting, type, shape, report, class);
    if (!ln_type_is_sized(type))
        return LINNET_OK;
    return ln_class_cache_class(is_passing(type, shape) ? &c->passing : &c->lasting, type, shape,
                                report, class);
}

linnet_status ln_catalogue_sizes(ln_catalogue *c, const ln_type *type, const ln_shape *shape,
                                 ln_arena *arena, ln_report *report, const ln_size **sizes) {
    ln_type made = *type;
    *sizes = type->sizes;
    if (type->definition == NULL || !ln_type_is_sized(type))
        return LINNET_OK;
    LN_TRY(ln_catalogue_class(c, type, shape, report, &made.face));
    LN_TRY(fold_ports(arena, &made, report));
    *sizes = made.sizes;
    return LINNET_OK;
}

/* ---- enables and triggers ---- */

linnet_status ln_catalogue_enabled(ln_catalogue *c, const linnet_block_class *class,
                                   const ln_enable *enables, int nenables, ln_report *report,
                                   const linnet_block_class **enabled) {
    return ln_class_cache_enabled(&c->passing, class, enables, nenables, report, enabled);
}

linnet_status ln_catalogue_triggered(ln_catalogue *c, const linnet_block_class *class,
                                     ln_trigger_edge edge, ln_report *report,
                                     const linnet_block_class **triggered, const char **reason) {
    return ln_class_cache_triggered(&c->passing, class, edge, report, triggered, reason);
}
