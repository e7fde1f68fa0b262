/* SPDX-License-Identifier: MIT */
/* Into how many blocks a model expands, counted in its definitions before anything is expanded: a
 * short file of components that hold each other twice would otherwise fill the memory. */
#include "network/flatten.h"

#include "base/sys.h"
#include <string.h>

/* Levels of components within each other. */
enum { MAX_DEPTH = 64 };

typedef struct expansion {
    ln_build *build;
    ln_map *index;               /* of the definitions by name */
    double *count;               /* per definition: blocks inside; -1: not known yet */
    int *height;                 /* per definition: levels inside */
    int chain[MAX_DEPTH], depth; /* definitions that are being counted */
    int failed;
} expansion;

static double count_body(expansion *all, const ln_body *body, int *height);

/* A component within itself would never end. */
static void tell_cycle(expansion *all, int definition, ln_place place) {
    const ln_definition *definitions = all->build->network->model->definitions;
    const char *name = definitions[definition].name;
    ln_text chain = {0};
    int k = all->depth;
    do
        ln_text_printf(&chain, " in %s", definitions[all->chain[--k]].name);
    while (k > 0 && all->chain[k] != definition);
    LN_WRONG(all->build, place, "component %s contains itself: %s%s; take one of them out", name,
             name, chain.data != NULL ? chain.data : "");
    ln_text_free(&chain);
    all->failed = 1;
}

static double count_definition(expansion *all, int definition, ln_place place) {
    for (int k = 0; k < all->depth; k++) {
        if (all->chain[k] != definition)
            continue;
        tell_cycle(all, definition, place);
        return 0;
    }
    int known = all->count[definition] >= 0;
    if (all->depth + (known ? all->height[definition] : 0) >= MAX_DEPTH) {
        LN_WRONG(all->build, place, "components are nested deeper than %d", MAX_DEPTH);
        all->failed = 1;
        return 0;
    }
    if (known)
        return all->count[definition];
    all->chain[all->depth++] = definition;
    all->count[definition] = count_body(
        all, &all->build->network->model->definitions[definition].body, &all->height[definition]);
    all->depth--;
    return all->count[definition];
}

/* What is repeated counts once here: how often is known when the parameters are. */
static double count_body(expansion *all, const ln_body *body, int *height) {
    double count = body->nblocks;
    *height = 0;
    for (int i = 0; i < body->nrepeats && !all->failed; i++) {
        int inside;
        count += count_body(all, &body->repeats[i].body, &inside);
        if (inside > *height)
            *height = inside;
    }
    for (int i = 0; i < body->nblocks && !all->failed; i++) {
        int definition = ln_map_get(all->index, body->blocks[i]->name);
        if (definition < 0)
            continue;
        count += count_definition(all, definition, ln_place_of(body->blocks[i]));
        if (all->height[definition] >= *height)
            *height = all->height[definition] + 1;
    }
    return count;
}

static int prepare(expansion *all) {
    const ln_model *model = all->build->network->model;
    size_t n = (size_t)model->ndefinitions;
    all->index = ln_map_new();
    all->count = LN_NEW(all->build->scratch, double, n);
    all->height = LN_NEW(all->build->scratch, int, n);
    if (all->index == NULL || all->count == NULL || all->height == NULL)
        return ln_build_failed(all->build);
    for (int k = 0; k < model->ndefinitions; k++) {
        all->count[k] = -1;
        if (!model->definitions[k].is_component)
            continue;
        if (ln_map_put(all->index, model->definitions[k].name, k) < 0)
            return ln_build_failed(all->build);
    }
    return 1;
}

int ln_check_expansion(ln_build *build) {
    const ln_model *model = build->network->model;
    if (model->ndefinitions == 0)
        return 1;
    expansion all = {.build = build};
    int height, going = prepare(&all);
    double count = going ? count_body(&all, &model->body, &height) : 0;
    if (going && !all.failed && count > LN_MOST_BLOCKS)
        LN_WRONG(build, (ln_place){model->path, 0, 0},
                 "the model expands into %.3g blocks, more than %d; nest fewer "
                 "components",
                 count, LN_MOST_BLOCKS);
    ln_map_free(all.index);
    return going && !all.failed && count <= LN_MOST_BLOCKS;
}
