/* SPDX-License-Identifier: MIT */
/* The catalogue: one map from type names to entries, filled from four places - native classes, sized types, the library
 * carried in the program, the model's own definitions. A type in equations is compiled when it is first asked for; the
 * class of a sized type when its shape first comes up. Entries and classes stay where they are until the end. */
#include "blocks/catalogue.h"

#include "base/domain.h"
#include "base/sys.h"
#include "blocks/discrete/sampled.h"
#include "blocks/embedded.h"
#include "blocks/native/native.h"
#include "blocks/read_type.h"
#include "blocks/signal/sized.h"

#include <stdlib.h>
#include <string.h>

static const ln_type *const sized_types[] = {
    &ln_type_sum, &ln_type_product, &ln_type_min, &ln_type_max, &ln_type_function, &ln_type_transfer_function,
    &ln_type_zero_pole_gain, &ln_type_state_space, &ln_type_piecewise_linear, &ln_type_piecewise_linear_voltage,
    &ln_type_piecewise_linear_current, &ln_type_integrator, &ln_type_sample_delay, &ln_type_fir_filter,
    &ln_type_moving_average, &ln_type_iir_filter, &ln_type_discrete_transfer_function, &ln_type_discrete_state_space,
    &ln_type_discrete_integrator, &ln_type_pid,
    &ln_type_and, &ln_type_nand, &ln_type_or, &ln_type_nor, &ln_type_xor, &ln_type_xnor, &ln_type_multi_switch,
    &ln_type_polynomial, &ln_type_convert,
    &ln_type_mux, &ln_type_demux, &ln_type_selector, &ln_type_transpose, &ln_type_reshape, &ln_type_matrix_gain,
    &ln_type_matrix_product, &ln_type_dot, &ln_type_cross, &ln_type_norm, &ln_type_sum_of_elements,
    &ln_type_product_of_elements, &ln_type_min_of_elements, &ln_type_max_of_elements,
    &ln_type_lookup, &ln_type_time_table, &ln_type_lookup_2d, &ln_type_core_table,
    &ln_type_filter, &ln_type_pade_delay};

typedef struct entry {
    ln_type type;
    linnet_status status;   /* of compiling the definition                                                            */
    int compiled;
} entry;

/* Classes of sized types, made for shapes. */
typedef struct shop {
    ln_arena *arena;        /* keys                                                                                   */
    ln_map *shapes;         /* key of a shape -> index of classes[]                                                   */
    const linnet_block_class **classes; size_t nclasses, classes_room;
    ln_equations **kept;    size_t nkept, kept_room; /* what they live in                                             */
} shop;

struct ln_catalogue {
    ln_arena *arena;
    ln_report *report;      /* where errors of definitions go                                                         */
    ln_map *names;          /* type name -> index of entries[]                                                        */
    entry **entries;        size_t nentries, entries_room; /* ordered by group and name                               */
    ln_model **libraries;   size_t nlibraries;
    ln_equations **kept;    size_t nkept, kept_room; /* what the compiled definitions live in                         */
    shop lasting, passing;  /* classes by shape alone; by shape and the parameters in scope                           */
};

/* ---- shops ---- */

static int open_shop(shop *it) {
    it->arena = ln_arena_new();
    it->shapes = ln_map_new();
    return it->arena != NULL && it->shapes != NULL;
}

static void close_shop(shop *it) {
    for (size_t k = 0; k < it->nkept; k++) ln_equations_free(it->kept[k]);
    ln_sys->release(it->kept);
    ln_sys->release(it->classes);
    ln_map_free(it->shapes);
    ln_arena_free(it->arena);
    *it = (shop){.arena = NULL};
}

/* ---- filling ---- */

/* Adds an entry. Returns NULL when the name is taken (*taken is its owner) or memory is short (*taken NULL). */
static entry *add_entry(ln_catalogue *c, const ln_type *type, entry **taken) {
    int old = ln_map_get(c->names, type->name);
    *taken = old >= 0 ? c->entries[old] : NULL;
    entry *it = old >= 0 ? NULL : LN_NEW(c->arena, entry, 1);
    if (it == NULL || !LN_GROW(c->entries, c->nentries, c->entries_room) ||
        ln_map_put(c->names, type->name, (int)c->nentries) < 0)
        return NULL;
    it->type = *type;
    it->compiled = type->definition == NULL;
    c->entries[c->nentries++] = it;
    return it;
}

/* A native class goes under the domain of its first physical port. */
static ln_type native_type(const linnet_block_class *class) {
    linnet_domain domain = LINNET_SIGNAL;
    for (int k = 0; k < class->nports && domain == LINNET_SIGNAL; k++) domain = class->ports[k].domain;
    return (ln_type){class->name, ln_domain(domain)->name, class, NULL, NULL, NULL, NULL, NULL};
}

static linnet_status add_definitions(ln_catalogue *c, const ln_model *model, int is_library, ln_report *report) {
    linnet_status status = LINNET_OK;
    for (int k = 0; k < model->ndefinitions; k++) {
        const ln_definition *it = &model->definitions[k];
        const char *group = is_library ? ln_attribute_of(it->element, "group") : "model";
        const ln_type type = {it->name, group != NULL ? group : "library", NULL, NULL, it, NULL, NULL, NULL};
        entry *taken;
        if (add_entry(c, &type, &taken) != NULL) continue;
        if (taken == NULL) return ln_no_memory(report);
        if (is_library)
            return ln_fail(report, LINNET_INTERNAL, ln_place_of(it->element), "type '%s' is in the library twice",
                           it->name);
        if (strcmp(taken->type.group, "model") == 0) {
            status = ln_fail(report, LINNET_MODEL, ln_place_of(it->element),
                             "type '%s' is defined already at line %d; choose another name", it->name,
                             ln_place_of(taken->type.definition->element).line);
            continue;
        }
        ln_note(report, ln_place_of(it->element), "type '%s' takes the place of the built-in one in this model", it->name);
        *taken = (entry){.type = type};
    }
    return status;
}

static linnet_status add_library(ln_catalogue *c, const ln_embedded_file *file, ln_report *report) {
    ln_model *model;
    LN_TRY(ln_library_read_memory(file->name, file->data, file->length, report, &model));
    c->libraries[c->nlibraries++] = model;
    return add_definitions(c, model, 1, report);
}

static int compare_types(const void *a, const void *b) {
    const ln_type *left = &(*(entry *const *)a)->type, *right = &(*(entry *const *)b)->type;
    int by_group = strcmp(left->group, right->group);
    return by_group != 0 ? by_group : strcmp(left->name, right->name);
}

/* Orders entries for listing; the map follows. */
static linnet_status sort_entries(ln_catalogue *c, ln_report *report) {
    ln_map *names = ln_map_new();
    if (names == NULL) return ln_no_memory(report);
    qsort(c->entries, c->nentries, sizeof *c->entries, compare_types);
    for (size_t k = 0; k < c->nentries; k++) {
        if (ln_map_put(names, c->entries[k]->type.name, (int)k) >= 0) continue;
        ln_map_free(names);
        return ln_no_memory(report);
    }
    ln_map_free(c->names);
    c->names = names;
    return LINNET_OK;
}

static linnet_status fill(ln_catalogue *c, const ln_model *extra, ln_report *report) {
    entry *taken;
    for (const linnet_block_class *const *class = ln_native_classes; *class != NULL; class++) {
        const ln_type type = native_type(*class);
        if (add_entry(c, &type, &taken) == NULL) return ln_no_memory(report);
    }
    for (size_t k = 0; k < sizeof sized_types / sizeof *sized_types; k++)
        if (add_entry(c, sized_types[k], &taken) == NULL) return ln_no_memory(report);
    size_t files = 0;
    while (ln_embedded_library[files].name != NULL) files++;
    if ((c->libraries = LN_NEW(c->arena, ln_model *, files)) == NULL) return ln_no_memory(report);
    for (const ln_embedded_file *file = ln_embedded_library; file->name != NULL; file++)
        LN_TRY(add_library(c, file, report));
    if (extra != NULL) LN_TRY(add_definitions(c, extra, 0, report));
    return sort_entries(c, report);
}

ln_catalogue *ln_catalogue_new(const ln_model *extra, ln_report *report, linnet_status *status) {
    linnet_status result;
    ln_arena *arena = ln_arena_new();
    ln_catalogue *c = arena == NULL ? NULL : LN_NEW(arena, ln_catalogue, 1);
    if (c == NULL) {
        ln_arena_free(arena);
        result = ln_no_memory(report);
        if (status != NULL) *status = result;
        return NULL;
    }
    c->arena = arena;
    c->report = report;
    c->names = ln_map_new();
    result = c->names == NULL || !open_shop(&c->lasting) || !open_shop(&c->passing) ? ln_no_memory(report)
                                                                                    : fill(c, extra, report);
    if (status != NULL) *status = result;
    if (result == LINNET_OK) return c;
    ln_catalogue_free(c);
    return NULL;
}

void ln_catalogue_free(ln_catalogue *c) {
    if (c == NULL) return;
    for (size_t k = 0; k < c->nkept; k++) ln_equations_free(c->kept[k]);
    for (size_t k = 0; k < c->nlibraries; k++) ln_model_free(c->libraries[k]);
    ln_sys->release(c->kept);
    ln_sys->release(c->entries);
    close_shop(&c->lasting);
    close_shop(&c->passing);
    ln_map_free(c->names);
    ln_arena_free(c->arena);
}

void ln_catalogue_tell(ln_catalogue *c, ln_report *report) { c->report = report; }

/* A shop that cannot be opened again is one without a shape, which the next class reports as want of memory. */
void ln_catalogue_forget(ln_catalogue *c) {
    static const size_t many = 1000;
    shop *const shops[] = {&c->passing, &c->lasting};
    for (int k = 0; k < 2; k++) {
        if (shops[k]->nclasses <= (k == 0 ? 0 : many)) continue;
        close_shop(shops[k]);
        (void)open_shop(shops[k]);
    }
}

linnet_status ln_catalogue_register(ln_catalogue *c, const linnet_block_class *class, ln_report *report) {
    LN_TRY(ln_class_check(class, report));
    const ln_type type = native_type(class);
    entry *taken;
    if (add_entry(c, &type, &taken) != NULL) return sort_entries(c, report);
    if (taken == NULL) return ln_no_memory(report);
    return ln_fail(report, LINNET_USAGE, LN_NOWHERE, "block type '%s' is in the catalogue already; choose another name",
                   class->name);
}

/* ---- looking up ---- */

/* Compiles equations; frees them when that fails. */
static linnet_status compile(ln_equations *equations, ln_report *report, const linnet_block_class **class) {
    linnet_status status = ln_equations_class(equations, report, class);
    if (status != LINNET_OK) ln_equations_free(equations);
    return status;
}

/* The name of an element of a port, "u[3]" or "m[2,1]", as the port's; its indices are sizes so far. */
static size_t port_length(const char *name, ln_size *size) {
    const size_t length = strcspn(name, "[");
    *size = (ln_size){1, 1};
    if (name[length] != '[') return length;
    char *rest;
    size->rows = (int)strtol(name + length + 1, &rest, 10);
    if (*rest == ',') size->cols = (int)strtol(rest + 1, &rest, 10);
    return length;
}

/* A type with vectors at its ports: to a user these are single ports, which the face shows. Elements follow each other,
 * so the last one tells the size. */
static linnet_status fold_ports(ln_arena *arena, ln_type *type, ln_report *report) {
    const linnet_block_class *class = type->face;
    linnet_port *ports = LN_NEW(arena, linnet_port, class->nports);
    ln_size *sizes = LN_NEW(arena, ln_size, class->nports);
    linnet_block_class *face = LN_NEW(arena, linnet_block_class, 1);
    if (ports == NULL || sizes == NULL || face == NULL) return ln_no_memory(report);
    int n = 0, vectors = 0;
    for (int j = 0; j < class->nports; j++) {
        ln_size size;
        const size_t length = port_length(class->ports[j].name, &size);
        const char *name = ln_arena_text(arena, class->ports[j].name, length);
        if (name == NULL) return ln_no_memory(report);
        vectors |= class->ports[j].name[length] == '[';
        if (n == 0 || strcmp(ports[n - 1].name, name) != 0) {
            ports[n] = class->ports[j];
            ports[n++].name = name;
        }
        sizes[n - 1] = size;
    }
    if (!vectors) return LINNET_OK;
    *face = *class;
    face->ports = ports;
    face->nports = n;
    type->face = face;
    type->whole = class;
    type->sizes = sizes;
    return LINNET_OK;
}

static linnet_status compile_definition(ln_catalogue *c, entry *it) {
    ln_equations *equations;
    if (it->type.definition->is_component) return LINNET_OK;
    LN_TRY(ln_read_type(it->type.definition, NULL, c->report, &equations));
    LN_TRY(compile(equations, c->report, &it->type.face));
    if (!LN_GROW(c->kept, c->nkept, c->kept_room)) {
        c->nkept = 0;
        ln_equations_free(equations);
        return ln_no_memory(c->report);
    }
    c->kept[c->nkept++] = equations;
    return fold_ports(c->arena, &it->type, c->report);
}

const ln_type *ln_catalogue_find(ln_catalogue *c, const char *name, linnet_status *status) {
    int index = ln_map_get(c->names, name);
    *status = LINNET_OK;
    if (index < 0) return NULL;
    entry *it = c->entries[index];
    if (!it->compiled) {
        it->status = compile_definition(c, it);
        it->compiled = 1;
    }
    *status = it->status;
    return it->status == LINNET_OK ? &it->type : NULL;
}

const char *ln_catalogue_nearest(const ln_catalogue *c, const char *name) {
    const char **names = ln_sys->allocate((c->nentries + 1) * sizeof *names);
    if (names == NULL) return NULL;
    for (size_t k = 0; k < c->nentries; k++) names[k] = c->entries[k]->type.name;
    const char *nearest = ln_nearest(name, names, c->nentries);
    ln_sys->release(names);
    return nearest;
}

const char *ln_catalogue_name(const ln_catalogue *c, int index, const char **group) {
    if (index < 0 || (size_t)index >= c->nentries) return NULL;
    *group = c->entries[index]->type.group;
    return c->entries[index]->type.name;
}

/* ---- sized types ---- */

int ln_type_is_sized(const ln_type *type) {
    if (type->describe != NULL) return 1;
    for (int k = 0; type->definition != NULL && type->face != NULL && k < type->face->nparams; k++)
        if (type->face->params[k].flags & LINNET_STRUCTURAL) return 1;
    return 0;
}

/* All that decides an instance's tables, as text. */
static char *shape_key(ln_arena *arena, const ln_type *type, const ln_shape *shape) {
    const linnet_block_class *face = type->face;
    ln_text text = {0};
    ln_text_add(&text, type->name);
    for (int k = 0; type->definition == NULL && k < face->nports; k++) {
        ln_text_printf(&text, " %d", shape->links[k]);
        for (int i = 0; shape->sizes != NULL && i < shape->joined[k]; i++)
            ln_text_printf(&text, ":%dx%d", shape->sizes[k][i].rows, shape->sizes[k][i].cols);
    }
    for (int k = 0; k < face->nparams; k++) {
        unsigned flags = face->params[k].flags;
        int is_text = (flags & LINNET_TEXT) != 0, decides = (flags & LINNET_STRUCTURAL) != 0;
        if (is_text) ln_text_printf(&text, " \"%s\"", shape->texts[k] != NULL ? shape->texts[k] : "");
        else ln_text_printf(&text, " %dx%d", shape->rows[k], shape->cols[k]);
        if ((flags & LINNET_FILE) && shape->texts[k] != NULL) /* the same name means another file elsewhere */
            ln_text_printf(&text, " in %s", shape->place.file != NULL ? shape->place.file : "");
        if (is_text && !decides && shape->names != NULL) ln_text_printf(&text, " %p", shape->names->context);
        for (int i = 0; !is_text && decides && i < shape->rows[k] * shape->cols[k]; i++)
            ln_text_printf(&text, " %a", shape->values[k][i]);
    }
    char *key = text.failed ? NULL : ln_arena_string(arena, text.data);
    ln_text_free(&text);
    return key;
}

/* Whether the class depends on the parameters in scope, through a text that is an expression. */
static int is_passing(const ln_type *type, const ln_shape *shape) {
    const linnet_block_class *face = type->face;
    for (int k = 0; k < face->nparams; k++)
        if (shape->names != NULL && (face->params[k].flags & LINNET_TEXT) && !(face->params[k].flags & LINNET_STRUCTURAL))
            return 1;
    return 0;
}

static linnet_status compile_and_keep(shop *it, ln_equations *equations, ln_report *report,
                                      const linnet_block_class **class) {
    LN_TRY(compile(equations, report, class));
    if (LN_GROW(it->kept, it->nkept, it->kept_room)) {
        it->kept[it->nkept++] = equations;
        return LINNET_OK;
    }
    it->nkept = 0;
    ln_equations_free(equations);
    return ln_no_memory(report);
}

static linnet_status keep_shape(shop *it, const char *key, const linnet_block_class *class, ln_report *report) {
    if (!LN_GROW(it->classes, it->nclasses, it->classes_room)) {
        it->nclasses = 0;
        return ln_no_memory(report);
    }
    it->classes[it->nclasses++] = class;
    return ln_map_put(it->shapes, key, (int)it->nclasses - 1) >= 0 ? LINNET_OK : ln_no_memory(report);
}

static linnet_status describe(shop *it, const ln_type *type, const ln_shape *shape, ln_report *report,
                              const linnet_block_class **class) {
    ln_equations *equations;
    if (type->definition != NULL) {
        LN_TRY(ln_read_type(type->definition, shape->values, report, &equations));
        return compile_and_keep(it, equations, report, class);
    }
    if ((equations = ln_equations_new(type->name)) == NULL) return ln_no_memory(report);
    const ln_subject before = ln_report_about(report, (ln_subject){shape->block, type->name, NULL});
    linnet_status status = type->describe(shape, equations, report);
    ln_report_about(report, before);
    if (status != LINNET_OK) {
        ln_equations_free(equations);
        return status;
    }
    return compile_and_keep(it, equations, report, class);
}

static void *from_arena(void *arena, size_t bytes) { return ln_arena_alloc(arena, 1, bytes); }

/* The class of an instance of a native type that has several. */
static linnet_status variant_class(shop *it, const ln_type *type, const ln_shape *shape, ln_report *report,
                                   const linnet_block_class **class) {
    const linnet_block_class *face = type->face;
    char message[256] = "";
    const int variant = face->variant(shape->values, shape->texts, message);
    if (variant < 0)
        return ln_fail(report, LINNET_MODEL, shape->place, "%s (%s): %s", shape->block, type->name, message);
    char *key = it->arena == NULL || it->shapes == NULL ? NULL : ln_arena_printf(it->arena, "%s #%d", type->name, variant);
    if (key == NULL) return ln_no_memory(report);
    const int index = ln_map_get(it->shapes, key);
    if (index >= 0) {
        *class = it->classes[index];
        return LINNET_OK;
    }
    linnet_block_class *made = LN_NEW(it->arena, linnet_block_class, 1);
    if (made == NULL) return ln_no_memory(report);
    *made = *face;
    made->variant = NULL;
    made->tables = NULL;
    if (!face->tables(variant, made, from_arena, it->arena)) return ln_no_memory(report);
    *class = made;
    return keep_shape(it, key, made, report);
}

linnet_status ln_catalogue_class(ln_catalogue *c, const ln_type *type, const ln_shape *shape, ln_report *report,
                                 const linnet_block_class **class) {
    *class = type->whole != NULL ? type->whole : type->face;
    if (type->face != NULL && type->face->variant != NULL) return variant_class(&c->lasting, type, shape, report, class);
    if (!ln_type_is_sized(type)) return LINNET_OK;
    shop *it = is_passing(type, shape) ? &c->passing : &c->lasting;
    char *key = it->arena == NULL || it->shapes == NULL ? NULL : shape_key(it->arena, type, shape);
    if (key == NULL) return ln_no_memory(report);
    int index = ln_map_get(it->shapes, key);
    if (index >= 0) {
        *class = it->classes[index];
        return LINNET_OK;
    }
    LN_TRY(describe(it, type, shape, report, class));
    return keep_shape(it, key, *class, report);
}

linnet_status ln_catalogue_sizes(ln_catalogue *c, const ln_type *type, const ln_shape *shape, ln_arena *arena,
                                 ln_report *report, const ln_size **sizes) {
    ln_type made = *type;
    *sizes = type->sizes;
    if (type->definition == NULL || !ln_type_is_sized(type)) return LINNET_OK;
    LN_TRY(ln_catalogue_class(c, type, shape, report, &made.face));
    LN_TRY(fold_ports(arena, &made, report));
    *sizes = made.sizes;
    return LINNET_OK;
}

/* ---- gates and triggers ---- */

/* A class made from another one, as a shop keeps it: what it is made from may pass, too. The text is freed. NULL in
 * *class: there is none yet. */
static linnet_status find_made(shop *it, ln_text *text, char **key, const linnet_block_class **class,
                               ln_report *report) {
    const int failed = text->failed || it->arena == NULL || it->shapes == NULL;
    *key = failed ? NULL : ln_arena_string(it->arena, text->data);
    ln_text_free(text);
    if (*key == NULL) return ln_no_memory(report);
    const int index = ln_map_get(it->shapes, *key);
    *class = index >= 0 ? it->classes[index] : NULL;
    return LINNET_OK;
}

static linnet_status make(shop *it, ln_equations *equations, const char *key, ln_report *report,
                          const linnet_block_class **class) {
    if (equations == NULL) return ln_no_memory(report);
    LN_TRY(compile_and_keep(it, equations, report, class));
    return keep_shape(it, key, *class, report);
}

linnet_status ln_catalogue_gated(ln_catalogue *c, const linnet_block_class *class, const ln_gate *gates, int ngates,
                                 ln_report *report, const linnet_block_class **gated) {
    const ln_equations *from = ln_class_equations(class);
    ln_text text = {0};
    char *key;
    *gated = NULL;
    if (from == NULL || from->has_delay) return LINNET_OK;
    ln_text_printf(&text, "%p enabled", (const void *)class);
    for (int k = 0; k < ngates; k++) ln_text_printf(&text, " %d%d", gates[k].resets_states, gates[k].resets_outputs);
    LN_TRY(find_made(&c->passing, &text, &key, gated, report));
    if (*gated != NULL) return LINNET_OK;
    return make(&c->passing, ln_equations_gated(from, gates, ngates), key, report, gated);
}

linnet_status ln_catalogue_triggered(ln_catalogue *c, const linnet_block_class *class, ln_trigger_edge edge,
                                     ln_report *report, const linnet_block_class **triggered, const char **reason) {
    const ln_equations *from = ln_class_equations(class);
    ln_text text = {0};
    char *key;
    *triggered = NULL;
    *reason = from == NULL ? "it is a type in C" : ln_equations_untriggerable(from);
    if (*reason != NULL) return LINNET_OK;
    ln_text_printf(&text, "%p triggered %d", (const void *)class, (int)edge);
    LN_TRY(find_made(&c->passing, &text, &key, triggered, report));
    if (*triggered != NULL) return LINNET_OK;
    return make(&c->passing, ln_equations_triggered(from, edge), key, report, triggered);
}
