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
static char *shape_key(ln_arena *arena, const ln_type *type, const ln_shape *shape) {
    const linnet_block_class *face = type->face;
    ln_text text = {0};
    ln_text_add(&text, type->name);
    for (int k = 0; type->definition == NULL && k < face->nports; k++)
        add_port_key(&text, shape, k);
    for (int k = 0; k < face->nparams; k++)
        add_param_key(&text, shape, face->params[k].flags, k);
    for (int k = 0; shape->wanted != NULL && shape->wanted[k] != NULL; k++)
        ln_text_printf(&text, " with %s", shape->wanted[k]);
    char *key = text.failed ? NULL : ln_arena_string(arena, text.data);
    ln_text_free(&text);
    return key;
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

static linnet_status keep_shape(ln_class_cache *cache, const char *key,
                                const linnet_block_class *class, ln_report *report) {
    if (!LN_GROW(cache->classes, cache->nclasses, cache->classes_room))
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

linnet_status ln_class_cache_variant(ln_class_cache *cache, const ln_type *type,
                                     const ln_shape *shape, ln_report *report,
                                     const linnet_block_class **class) {
    const linnet_block_class *face = type->face;
    char message[256] = "";
    const int variant = face->variant(shape->values, shape->texts, message);
    if (variant < 0)
        return ln_fail(report, LINNET_MODEL, shape->place, "%s (%s): %s", shape->block, type->name,
                       message);
    char *key = cache->arena == NULL || cache->shapes == NULL
                    ? NULL
                    : ln_arena_printf(cache->arena, "%s #%d", type->name, variant);
    if (key == NULL)
        return ln_no_memory(report);
    const int index = ln_map_get(cache->shapes, key);
    if (index >= 0) {
        *class = cache->classes[index];
        return LINNET_OK;
    }
    linnet_block_class *made = LN_NEW(cache->arena, linnet_block_class, 1);
    if (made == NULL)
        return ln_no_memory(report);
    *made = *face;
    made->variant = NULL;
    made->tables = NULL;
    if (!face->tables(variant, made, from_arena, cache->arena))
        return ln_no_memory(report);
    *class = made;
    return keep_shape(cache, key, made, report);
}

linnet_status ln_class_cache_class(ln_class_cache *cache, const ln_type *type,
                                   const ln_shape *shape, ln_report *report,
                                   const linnet_block_class **class) {
    char *key =
        cache->arena == NULL || cache->shapes == NULL ? NULL : shape_key(cache->arena, type, shape);
    if (key == NULL)
        return ln_no_memory(report);
    int index = ln_map_get(cache->shapes, key);
    if (index >= 0) {
        *class = cache->classes[index];
        return LINNET_OK;
    }
    LN_TRY(describe(cache, type, shape, report, class));
    return keep_shape(cache, key, *class, report);
}

/* ---- enables and triggers ---- */

/* A class made from another one, as a class cache keeps it: what it is made from may pass, too. The
 * text is freed. NULL in *class: there is none yet. */
static linnet_status find_made(ln_class_cache *cache, ln_text *text, char **key,
                               const linnet_block_class **class, ln_report *report) {
    const int failed = text->failed || cache->arena == NULL || cache->shapes == NULL;
    *key = failed ? NULL : ln_arena_string(cache->arena, text->data);
    ln_text_free(text);
    if (*key == NULL)
        return ln_no_memory(report);
    const int index = ln_map_get(cache->shapes, *key);
    *class = index >= 0 ? cache->classes[index] : NULL;
    return LINNET_OK;
}

static linnet_status make(ln_class_cache *cache, ln_equations *equations, const char *key,
                          ln_report *report, const linnet_block_class **class) {
    if (equations == NULL)
        return ln_no_memory(report);
    LN_TRY(ln_class_cache_compile(cache, equations, report, class));
    return keep_shape(cache, key, *class, report);
}

linnet_status ln_class_cache_enabled(ln_class_cache *cache, const linnet_block_class *class,
                                     const ln_enable *enables, int nenables, ln_report *report,
                                     const linnet_block_class **enabled) {
    const ln_equations *from = ln_class_equations(class);
    ln_text text = {0};
    char *key;
    *enabled = NULL;
    if (from == NULL || from->has_delay || from->finish != NULL)
        return LINNET_OK;
    ln_text_printf(&text, "%p enabled", (const void *)class);
    for (int k = 0; k < nenables; k++)
        ln_text_printf(&text, " %d%d", enables[k].resets_states, enables[k].resets_outputs);
    LN_TRY(find_made(cache, &text, &key, enabled, report));
    if (*enabled != NULL)
        return LINNET_OK;
    return make(cache, ln_equations_enabled(from, enables, nenables), key, report, enabled);
}

linnet_status ln_class_cache_triggered(ln_class_cache *cache, const linnet_block_class *class,
                                       ln_trigger_edge edge, ln_report *report,
                                       const linnet_block_class **triggered, const char **reason) {
    const ln_equations *from = ln_class_equations(class);
    ln_text text = {0};
    char *key;
    *triggered = NULL;
    *reason = from == NULL ? "it is a type in C" : ln_equations_untriggerable(from);
    if (*reason != NULL)
        return LINNET_OK;
    ln_text_printf(&text, "%p triggered %d", (const void *)class, (int)edge);
    LN_TRY(find_made(cache, &text, &key, triggered, report));
    if (*triggered != NULL)
        return LINNET_OK;
    return make(cache, ln_equations_triggered(from, edge), key, report, triggered);
}
