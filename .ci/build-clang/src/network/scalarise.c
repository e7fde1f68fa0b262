/* SPDX-License-Identifier: MIT */
/* Vectors become scalars: a link x of size 3 is replaced by links x[1], x[2], x[3], a matrix by
 * x[1,1], x[1,2], ..., a block g that works element by element by blocks g[1], g[2], g[3], all of
 * one class; a type that knows sizes gets its class. From here on there are scalars only, so
 * nothing behind this file knows of vectors.
 *
 * A link that was named like an element of a vector is that element. */
#include "network/flatten.h"

#include "base/sys.h"
#include "blocks/signal/sized.h"
#include <stdlib.h>
#include <string.h>

typedef struct scalarising {
    ln_build *build;
    size_t nlinks;       /* before there were any for elements */
    const ln_size *size; /* per raw link */
    int **element;       /* per raw link: its elements, row by row; NULL: a scalar */
    ln_raw_instance *instances;
    size_t ninstances, instances_room;
    int *port_link;
    size_t nport_links, port_links_room;
    signed char *port_arrow;
    size_t port_arrows_room;
} scalarising;

/* "x[3]" or "x[2,3]" for the k-th element, in build->name. */
static const char *element_name(ln_build *build, const char *name, ln_size size, int k) {
    build->name.length = 0;
    if (size.cols == 1)
        ln_text_printf(&build->name, "%s[%d]", name, k + 1);
    else
        ln_text_printf(&build->name, "%s[%d,%d]", name, k / size.cols + 1, k % size.cols + 1);
    if (build->name.failed)
        ln_build_failed(build);
    return build->name.failed ? NULL : build->name.data;
}

static int count_of(ln_size size) {
    return size.rows * size.cols;
}

/* ---- links ---- */

static int add_elements(scalarising *all, int link) {
    ln_build *build = all->build;
    const ln_size size = all->size[link];
    int *element = all->element[link] = LN_NEW(build->scratch, int, count_of(size));
    if (element == NULL)
        return ln_build_failed(build);
    for (int k = 0; k < count_of(size); k++) {
        const char *name = element_name(build, build->links[link].name, size, k);
        element[k] = name == NULL
                         ? -1
                         : ln_raw_root(build, ln_link_of(build, name, build->links[link].element));
        if (element[k] < 0)
            return 0;
    }
    build->links[link].flags |= LN_RAW_VECTOR;
    return 1;
}

/* A name like that of an element, but of none that there is. */
static int check_name(scalarising *all, int link) {
    ln_build *build = all->build;
    const char *name = build->links[link].name, *bracket = strrchr(name, '[');
    char text[64];
    if (bracket == NULL || all->element[link] != NULL)
        return 1;
    const char *base = ln_arena_text(build->scratch, name, (size_t)(bracket - name));
    if (base == NULL)
        return ln_build_failed(build);
    const int vector = ln_raw_root(build, ln_map_get(build->link_map, base));
    if (vector < 0 || (size_t)vector >= all->nlinks || all->element[vector] == NULL)
        return 1;
    for (int k = 0; k < count_of(all->size[vector]); k++)
        if (all->element[vector][k] == ln_raw_root(build, link))
            return 1;
    LN_WRONG(build, ln_raw_place(build, link), "'%s' is not there: '%s' is %s; write %s", name,
             base, ln_size_text(text, all->size[vector]),
             all->size[vector].cols == 1 ? "one index, from 1"
                                         : "two indices, from 1, as in m[2,1]");
    return 1;
}

/* `g.out[2]`, and a port of a component with an index, where the vector is met by another name. */
static int join_aliases(scalarising *all) {
    ln_build *build = all->build;
    for (size_t k = 0; k < build->nelements; k++) {
        const ln_element_name *entry = &build->elements[k];
        const int vector = ln_raw_root(build, entry->of), link = ln_raw_root(build, entry->link);
        if (vector < 0 || (size_t)vector >= all->nlinks || all->element[vector] == NULL)
            continue;
        const ln_size size = all->size[vector];
        int found = -1;
        for (int i = 0; found < 0 && i < count_of(size); i++) {
            const char *name = element_name(build, "", size, i);
            if (name == NULL)
                return 0;
            if (strcmp(name, entry->index) == 0)
                found = all->element[vector][i];
        }
        char text[64];
        if (found < 0)
            LN_WRONG(build, ln_raw_place(build, link), "'%s' is not there: '%s' is %s",
                     build->links[link].name, build->links[vector].name, ln_size_text(text, size));
        else if (found != link)
            build->links[link].same_as = found;
    }
    return 1;
}

static int scalarise_links(scalarising *all) {
    ln_build *build = all->build;
    for (size_t k = 0; k < all->nlinks; k++)
        if (build->links[k].same_as < 0 && count_of(all->size[k]) > 1 && !add_elements(all, (int)k))
            return 0;
    if (!join_aliases(all))
        return 0;
    for (size_t k = 0; k < all->nlinks; k++)
        if (!check_name(all, (int)k))
            return 0;
    return build->status == LINNET_OK;
}

/* Start values of a vector are those of each element. */
static int scalarise_guesses(scalarising *all) {
    ln_build *build = all->build;
    const size_t n = build->nguesses;
    for (size_t i = 0; i < n; i++) {
        const int link = ln_raw_root(build, build->guesses[i].link);
        if ((size_t)link >= all->nlinks || all->element[link] == NULL)
            continue;
        for (int k = count_of(all->size[link]) - 1; k >= 0; k--) {
            size_t at = k == 0 ? i : build->nguesses;
            if (!LN_GROW(build->guesses, build->nguesses, build->guesses_room))
                return ln_build_failed(build);
            build->guesses[at] = (ln_guess){all->element[link][k], build->guesses[i].element,
                                            build->guesses[i].scope};
            if (at == build->nguesses)
                build->nguesses++;
        }
    }
    return 1;
}

/* ---- instances ---- */

static int push_port(scalarising *all, int link, signed char arrow) {
    const size_t at = all->nport_links;
    if (!LN_GROW(all->port_link, at, all->port_links_room) ||
        !LN_GROW(all->port_arrow, at, all->port_arrows_room))
        return ln_build_failed(all->build);
    all->port_link[at] = link;
    all->port_arrow[at] = arrow;
    all->nport_links++;
    return 1;
}

static int push_instance(scalarising *all, ln_raw_instance raw) {
    if (!LN_GROW(all->instances, all->ninstances, all->instances_room))
        return ln_build_failed(all->build);
    all->instances[all->ninstances++] = raw;
    return 1;
}

/* Port j's link before spreading, and its elements or NULL. */
static int link_at(const scalarising *all, const ln_raw_instance *raw, int j, const int **element) {
    const int link = ln_raw_root(all->build, all->build->port_link[raw->first + j]);
    *element = link < 0 || (size_t)link >= all->nlinks ? NULL : all->element[link];
    return link;
}

/* The block for the k-th element; k = -1: for all, as nothing about it is a vector. */
static int push_element(scalarising *all, const ln_raw_instance *raw, ln_size size, int k) {
    ln_build *build = all->build;
    ln_raw_instance copy = *raw;
    copy.first = (int)all->nport_links;
    if (k >= 0) {
        const char *name = element_name(build, raw->name, size, k);
        copy.name = name == NULL ? NULL : ln_arena_string(build->network->arena, name);
        if (copy.name == NULL)
            return ln_build_failed(build);
        if (raw->vector_block != NULL)
            copy.p = raw->vector_block->p[k];
    }
    for (int j = 0; j < raw->class->nports; j++) {
        const int *element;
        const int link = link_at(all, raw, j, &element);
        if (!push_port(all, k >= 0 && element != NULL ? element[k] : link,
                       build->port_arrow[raw->first + j]))
            return 0;
    }
    return push_instance(all, copy);
}

static int scalarise_plain(scalarising *all, const ln_raw_instance *raw) {
    ln_size size = raw->vector_block != NULL ? raw->vector_block->size : (ln_size){1, 1};
    for (int j = 0; j < raw->class->nports; j++) {
        const int *element;
        const int link = link_at(all, raw, j, &element);
        if (element != NULL)
            size = all->size[link];
    }
    if (count_of(size) == 1)
        return push_element(all, raw, size, -1);
    for (int k = 0; k < count_of(size); k++)
        if (!push_element(all, raw, size, k))
            return 0;
    return 1;
}

/* A type that knows sizes: its ports join all elements, and its class follows from them. */
static int scalarise_sized(scalarising *all, const ln_raw_instance *raw) {
    ln_build *build = all->build;
    const ln_vector_block *vector_block = raw->vector_block;
    const int nports = vector_block->kind->nports, first = (int)all->nport_links;
    int *links = LN_NEW(build->scratch, int, nports), at = 0;
    ln_size *size = LN_NEW(build->scratch, ln_size, vector_block->nports);
    const ln_size **sizes = LN_NEW(build->scratch, const ln_size *, nports);
    if (links == NULL || size == NULL || sizes == NULL)
        return ln_build_failed(build);
    for (int j = 0; j < nports; j++) {
        sizes[j] = size + at;
        for (int k = 0; k < vector_block->joined[j]; k++, at++) {
            const int *element;
            const int link = link_at(all, raw, at, &element);
            size[at] = element == NULL ? (ln_size){1, 1} : all->size[link];
            /* left open */
            if (link < 0 && vector_block->own != NULL)
                size[at] = vector_block->own[j];
            for (int e = 0; e < count_of(size[at]); e++, links[j]++)
                if (!push_port(all, element == NULL ? link : element[e],
                               build->port_arrow[raw->first + at]))
                    return 0;
        }
    }
    const ln_values *values = &vector_block->values;
    const ln_shape shape = {.links = links,
                            .joined = vector_block->joined,
                            .sizes = sizes,
                            .rows = values->rows,
                            .cols = values->cols,
                            .texts = values->texts,
                            .values = (const double *const *)values->list,
                            .place = ln_place_of(raw->element),
                            .block = raw->name,
                            .allow_native = build->network->model->options.allow_native};
    ln_raw_instance sized = *raw;
    sized.first = first;
    linnet_status status = ln_values_late(build, &sized, &shape);
    if (status != LINNET_OK)
        build->status = status;
    if (status != LINNET_OK)
        return status != LINNET_MEMORY && status != LINNET_INTERNAL;
    return push_instance(all, sized);
}

static int scalarise_instances(scalarising *all) {
    ln_build *build = all->build;
    for (size_t i = 0; i < build->ninstances; i++) {
        const ln_raw_instance *raw = &build->instances[i];
        if (!(raw->vector_block != NULL && raw->vector_block->kind != NULL
                  ? scalarise_sized(all, raw)
                  : scalarise_plain(all, raw)))
            return 0;
    }
    return build->status == LINNET_OK;
}

/* Components remember which vectors their ports join: `motor.x[2]` is a name. */
static int scalarise_components(scalarising *all) {
    ln_build *build = all->build;
    for (size_t i = 0; i < build->ncomponents; i++) {
        ln_component *component = &build->components[i];
        const char **vectors = NULL;
        for (int j = 0; j < component->nports; j++) {
            const int link = ln_raw_root(build, component->links[j]);
            if (link < 0 || (size_t)link >= all->nlinks || all->element[link] == NULL)
                continue;
            if (vectors == NULL)
                vectors = LN_NEW(build->network->arena, const char *, component->nports);
            if (vectors == NULL)
                return ln_build_failed(build);
            vectors[j] = build->links[link].name;
            component->links[j] = -1;
        }
        component->vectors = vectors;
    }
    return 1;
}

int ln_scalarise(ln_build *build) {
    scalarising all = {.build = build, .nlinks = build->nlinks};
    all.size = ln_find_sizes(build);
    if (all.size == NULL)
        return 0;
    all.element = LN_NEW(build->scratch, int *, all.nlinks + 1);
    if (all.element == NULL)
        return ln_build_failed(build);
    int going = scalarise_links(&all) && scalarise_guesses(&all) && scalarise_components(&all) &&
                scalarise_instances(&all);
    if (!going) {
        ln_sys->release(all.instances);
        ln_sys->release(all.port_link);
        ln_sys->release(all.port_arrow);
        return 0;
    }
    ln_sys->release(build->instances);
    ln_sys->release(build->port_link);
    ln_sys->release(build->port_arrow);
    build->instances = all.instances;
    build->ninstances = all.ninstances;
    build->instances_room = all.instances_room;
    build->port_link = all.port_link;
    build->nport_links = all.nport_links;
    build->port_links_room = all.port_links_room;
    build->port_arrow = all.port_arrow;
    build->port_arrows_room = all.port_arrows_room;
    return 1;
}
