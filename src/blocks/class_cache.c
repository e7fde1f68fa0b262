/* SPDX-License-Identifier: MIT */
/* Classes made to order: see class_cache.h. */
#include "blocks/class_cache.h"

#include "base/sys.h"
#include "blocks/read_type.h"
#include "base/text.h"

#include <string.h>

/* A list, which loses nothing when memory is short. */
struct ln_kept {
    ln_equations *equations;
    ln_kept *next;
};

int ln_class_cache_open(ln_class_cache *cache) {
    cache->arena = ln_arena_new();
    cache->shapes = ln_map_new();
    return cache->arena != NULL && cache->shapes != NULL;
}

void ln_class_cache_close(ln_class_cache *cache) {
    for (const ln_kept *kept = cache->kept; kept != NULL; kept = kept->next)
        ln_equations_free(kept->equations);
    ln_sys->release(cache->classes);
    ln_map_free(cache->shapes);
    ln_arena_free(cache->arena);
    *cache = (ln_class_cache){.arena = NULL};
}

/* ---- by shape ---- */

/* The links of port k, and the sizes of what is joined to it. */
static void add_port_key(ln_text *key, const ln_shape *shape, int k) {
    ln_text_printf(key, " %d", shape->links[k]);
    for (int i = 0; shape->sizes != NULL && i < shape->joined[k]; i++)
        ln_text_printf(key, ":%dx%d", shape->sizes[k][i].rows, shape->sizes[k][i].cols);
}

/* The text of parameter k, or its size, and where it is structural its values. */
static void add_param_key(ln_text *key, const ln_shape *shape, unsigned flags, int k) {
    const int is_text = (flags & LINNET_TEXT) != 0, decides = (flags & LINNET_STRUCTURAL) != 0;
    if (is_text)
        ln_text_printf(key, " \"%s\"", shape->texts[k] != NULL ? shape->texts[k] : "");
    else
        ln_text_printf(key, " %dx%d", shape->rows[k], shape->cols[k]);
    /* the same name means another file elsewhere */
    if ((flags & LINNET_FILE) && shape->texts[k] != NULL)
        ln_text_printf(key, " in %s", shape->place.file != NULL ? shape->place.file : "");
    if (is_text && !decides && shape->names != NULL)
        ln_text_printf(key, " %p", shape->names->context);
    for (int i = 0; !is_text && decides && i < shape->rows[k] * shape->cols[k]; i++)
        ln_text_printf(key, " %a", shape->values[k][i]);
}

/* All that decides an instance's tables, as text. */
static void add_shape_key(ln_text *key, const ln_type *type, const ln_shape *shape) {
    const linnet_block_class *face = type->face;
    ln_text_add(key, type->name);
    for (int k = 0; type->definition == NULL && k < face->nports; k++)
        add_port_key(key, shape, k);
    for (int k = 0; k < face->nparams; k++)
        add_param_key(key, shape, face->params[k].flags, k);
    for (int k = 0; shape->wanted != NULL && shape->wanted[k] != NULL; k++)
        ln_text_printf(key, " with %s", shape->wanted[k]);
}

/* What is kept under the key; NULL in *class: nothing yet. */
static linnet_status find_kept(const ln_class_cache *cache, const ln_text *key, ln_report *report,
                               const linnet_block_class **class) {
    *class = NULL;
    if (key->failed || cache->arena == NULL || cache->shapes == NULL)
        return ln_no_memory(report);
    const int index = ln_map_get(cache->shapes, key->data);
    if (index >= 0)
        *class = cache->classes[index];
    return LINNET_OK;
}

linnet_status ln_class_cache_compile(ln_class_cache *cache, ln_equations *equations,
                                     ln_report *report, const linnet_block_class **class) {
    linnet_status status = ln_equations_class(equations, report, class);
    const int can = status == LINNET_OK && cache->arena != NULL;
    ln_kept *kept = can ? LN_NEW(cache->arena, ln_kept, 1) : NULL;
    if (kept == NULL) {
        ln_equations_free(equations);
        return status == LINNET_OK ? ln_no_memory(report) : status;
    }
    *kept = (ln_kept){equations, cache->kept};
    cache->kept = kept;
    return LINNET_OK;
}

static linnet_status keep(ln_class_cache *cache, const ln_text *text,
                          const linnet_block_class *class, ln_report *report) {
    const char *key = ln_arena_string(cache->arena, text->data);
    if (key == NULL || !LN_GROW(cache->classes, cache->nclasses, cache->classes_room))
        return ln_no_memory(report);
    cache->classes[cache->nclasses++] = class;
    return ln_map_put(cache->shapes, key, (int)cache->nclasses - 1) >= 0 ? LINNET_OK
                                                                         : ln_no_memory(report);
}

static linnet_status describe(ln_class_cache *cache, const ln_type *type, const ln_shape *shape,
                              ln_report *report, const linnet_block_class **class) {
    ln_equations *equations;
    if (type->definition != NULL) {
        LN_TRY(ln_read_type(type->definition, shape->values, shape->wanted, report, &equations));
        return ln_class_cache_compile(cache, equations, report, class);
    }
    if ((equations = ln_equations_new(type->name)) == NULL)
        return ln_no_memory(report);
    const ln_subject before = ln_report_about(report, (ln_subject){shape->block, type->name, NULL});
    linnet_status status = type->describe(shape, equations, report);
    ln_report_about(report, before);
    if (status != LINNET_OK) {
        ln_equations_free(equations);
        return status;
    }
    return ln_class_cache_compile(cache, equations, report, class);
}

static void *from_arena(void *arena, size_t bytes) {
    return ln_arena_alloc(arena, 1, bytes);
}

static linnet_status make_variant(ln_class_cache *cache, const linnet_block_class *face,
                                  int variant, ln_report *report,
                                  const linnet_block_class **class) {
    linnet_block_class *made = LN_NEW(cache->arena, linnet_block_class, 1);
    if (made == NULL)
        return ln_no_memory(report);
    *made = *face;
    made->variant = NULL;
    made->tables = NULL;
    if (!face->tables(variant, made, from_arena, cache->arena))
        return ln_no_memory(report);
    *class = made;
    return LINNET_OK;
}

linnet_status ln_class_cache_variant(ln_class_cache *cache, const ln_type *type,
                                     const ln_shape *shape, ln_report *report,
                                     const linnet_block_class **class) {
    const linnet_block_class *face = type->face;
    char message[256] = "";
    ln_text key = {0};
    const int variant = face->variant(shape->values, shape->texts, message);
    if (variant < 0)
        return ln_fail(report, LINNET_MODEL, shape->place, "%s (%s): %s", shape->block, type->name,
                       message);
    ln_text_printf(&key, "%s #%d", type->name, variant);
    linnet_status status = find_kept(cache, &key, report, class);
    if (status == LINNET_OK && *class == NULL) {
        status = make_variant(cache, face, variant, report, class);
        if (status == LINNET_OK)
            status = keep(cache, &key, *class, report);
    }
    ln_text_free(&key);
    return status;
}

linnet_status ln_class_cache_class(ln_class_cache *cache, const ln_type *type,
                                   const ln_shape *shape, ln_report *report,
                                   const linnet_block_class **class) {
    ln_text key = {0};
    add_shape_key(&key, type, shape);
    linnet_status status = find_kept(cache, &key, report, class);
    if (status == LINNET_OK && *class == NULL) {
        status = describe(cache, type, shape, report, class);
        if (status == LINNET_OK)
            status = keep(cache, &key, *class, report);
    }
    ln_text_free(&key);
    return status;
}

/* ---- enables and triggers ---- */

/* A class made from another one, as a class cache keeps it: what it is made from may pass, too. */
static linnet_status make(ln_class_cache *cache, ln_equations *equations, const ln_text *key,
                          ln_report *report, const linnet_block_class **class) {
    if (equations == NULL)
        return ln_no_memory(report);
    LN_TRY(ln_class_cache_compile(cache, equations, report, class));
    return keep(cache, key, *class, report);
}

linnet_status ln_class_cache_enabled(ln_class_cache *cache, const linnet_block_class *class,
                                     const ln_enable *enables, int nenables, ln_report *report,
                                     const linnet_block_class **enabled) {
    const ln_equations *from = ln_class_equations(class);
    ln_text key = {0};
    *enabled = NULL;
    if (from == NULL || from->has_delay || from->finish != NULL)
        return LINNET_OK;
    ln_text_printf(&key, "%p enabled", (const void *)class);
    for (int k = 0; k < nenables; k++)
        ln_text_printf(&key, " %d%d", enables[k].resets_states, enables[k].resets_outputs);
    linnet_status status = find_kept(cache, &key, report, enabled);
    if (status == LINNET_OK && *enabled == NULL)
        status = make(cache, ln_equations_enabled(from, enables, nenables), &key, report, enabled);
    ln_text_free(&key);
    return status;
}

linnet_status ln_class_cache_triggered(ln_class_cache *cache, const linnet_block_class *class,
                                       ln_trigger_edge edge, ln_report *report,
                                       const linnet_block_class **triggered, const char **reason) {
    const ln_equations *from = ln_class_equations(class);
    ln_text key = {0};
    *triggered = NULL;
    *reason = from == NULL ? "it is a type in C" : ln_equations_untriggerable(from);
    if (*reason != NULL)
        return LINNET_OK;
    ln_text_printf(&key, "%p triggered %d", (const void *)class, (int)edge);
    linnet_status status = find_kept(cache, &key, report, triggered);
    if (status == LINNET_OK && *triggered == NULL)
        status = make(cache, ln_equations_triggered(from, edge), &key, report, triggered);
    ln_text_free(&key);
    return status;
}
