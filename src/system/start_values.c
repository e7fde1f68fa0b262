/* SPDX-License-Identifier: MIT */
/* Start values: from the conditions of all blocks, `x[a] - x[b] = value`, to one vector that meets
 * them.
 *
 * The conditions are edges of a graph over the unknowns and one more node, zero. A union-find with
 * offsets joins them: first those that the model wrote for blocks, then those for links, then the
 * defaults. A default that contradicts what is joined already is dropped; one that the model wrote
 * and that contradicts another is an error. */
#include "base/sys.h"
#include "system/active.h"
#include "system/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct difference_forest {
    int *parent;    /* n + 1 nodes; node n is zero */
    double *offset; /* x[node] - x[parent] */
} difference_forest;

/* Root of a node; *offset becomes x[node] - x[root]. Halves the path on the way. */
static int root_of(difference_forest *all, int node, double *offset) {
    *offset = 0;
    while (all->parent[node] != node) {
        int up = all->parent[node];
        if (all->parent[up] != up) {
            all->offset[node] += all->offset[up];
            all->parent[node] = all->parent[up];
        }
        *offset += all->offset[node];
        node = all->parent[node];
    }
    return node;
}

/* instance -1: of a link. */
typedef struct start_row {
    int a, b, instance;
    double value;
    const char *name;
    const ln_link *link;
} start_row;

/* Joins two nodes; returns 0 when they are joined already at another difference. */
static int join(difference_forest *all, const start_row *given) {
    double offset_a, offset_b;
    int a = root_of(all, given->a, &offset_a), b = root_of(all, given->b, &offset_b);
    double difference = given->value + offset_b - offset_a; /* x[a root] - x[b root] */
    if (a == b)
        return fabs(difference) <=
               1e-9 * (fabs(given->value) + fabs(offset_a) + fabs(offset_b)) + 1e-300;
    all->parent[a] = b;
    all->offset[a] = difference;
    return 1;
}

/* The node of a local unknown: its number, or zero's for a reference or an open port. */
static int node_of(const ln_network *network, const ln_instance *instance, int col) {
    int nports = instance->block.type->nports;
    if (col < 0)
        return network->n;
    if (col >= nports)
        return instance->first_own + col - nports;
    int unknown = instance->links[col] < 0 ? -1 : network->links[instance->links[col]].unknown;
    return unknown < 0 ? network->n : unknown;
}

/* Another written condition, of a block or a link, that holds node a: for the message. Its block or
 * link as text. */
static int rival(const ln_network *network, difference_forest *all, const start_row *difference,
                 char text[160], ln_place *place) {
    double unused;
    const int root = root_of(all, difference->a, &unused);
    for (int i = 0; i < network->ninstances; i++) {
        const ln_instance *other = &network->instances[i];
        const linnet_block_class *type = other->block.type;
        for (int k = 0; i != difference->instance && k < type->nstarts; k++) {
            if (!ln_is_given(other, k))
                continue;
            if (root_of(all, node_of(network, other, type->starts[k].col[0]), &unused) != root)
                continue;
            snprintf(text, 160, "%s of %.100s",
                     type->starts[k].name != NULL ? type->starts[k].name : "that", other->name);
            *place = other->place;
            return 1;
        }
    }
    for (int k = 0; k < network->nlinks; k++) {
        const ln_link *link = &network->links[k];
        if (!ln_link_is_fixed(link) || link == difference->link || link->unknown < 0 ||
            root_of(all, link->unknown, &unused) != root)
            continue;
        snprintf(text, 160, "the start of link %.100s", link->name);
        *place = link->start->place;
        return 1;
    }
    return 0;
}

static linnet_status contradiction(const ln_network *network, difference_forest *all,
                                   const start_row *difference, ln_report *report) {
    char other[160] = "the others", line[32] = "";
    double at_a, at_b;
    ln_place place = LN_NOWHERE;
    (void)root_of(all, difference->a, &at_a);
    (void)root_of(all, difference->b, &at_b);
    if (rival(network, all, difference, other, &place) && place.line > 0)
        snprintf(line, sizeof line, " (line %d)", place.line);
    if (difference->link != NULL)
        return ln_fail(report, LINNET_MODEL, difference->link->start->place,
                       "link %s: its start %.9g contradicts %s%s, by which it is %.9g; give only "
                       "one of them, or equal ones",
                       difference->link->name, difference->value, other, line, at_a - at_b);
    const ln_instance *block = &network->instances[difference->instance];
    return ln_fail(report, LINNET_MODEL, block->place,
                   "%s (%s): its start value %s = %.9g contradicts %s%s, by which it is %.9g; give "
                   "only one of them, or "
                   "equal ones",
                   block->name, block->block.type->name,
                   difference->name != NULL ? difference->name : "", difference->value, other, line,
                   at_a - at_b);
}

/* What the model wrote for links. */
static linnet_status join_links(ln_system *system, difference_forest *all, ln_report *report) {
    ln_network *network = system->network;
    linnet_status result = LINNET_OK;
    for (int k = 0; k < network->nlinks; k++) {
        const ln_link *link = &network->links[k];
        if (!ln_link_is_fixed(link))
            continue;
        start_row one = {link->unknown < 0 ? network->n : link->unknown,
                         network->n,
                         -1,
                         link->start->value,
                         "",
                         link};
        if (!join(all, &one))
            result = contradiction(network, all, &one, report);
    }
    return result;
}

/* Visits every condition that is written (or not, as asked) and joins it. */
static linnet_status join_conditions(ln_system *system, difference_forest *all, int written,
                                     ln_report *report) {
    ln_network *network = system->network;
    double *value = system->own->f;
    linnet_status result = LINNET_OK;
    for (int i = 0; i < network->ninstances; i++) {
        ln_instance *instance = &network->instances[i];
        const linnet_block_class *type = instance->block.type;
        if (type->nstarts == 0 || type->start == NULL ||
            (written && instance->besides->given == NULL))
            continue;
        linnet_block block;
        LN_TRY(ln_prepare(system, instance, &block, report));
        double *values = type->nstarts <= type->nports + type->nvars ? value : NULL;
        if (values == NULL)
            return ln_fail(report, LINNET_INTERNAL, instance->place,
                           "%s has more starts than unknowns", instance->name);
        type->start(&block, values);
        for (int k = 0; k < type->nstarts; k++) {
            int given = ln_is_given(instance, k);
            const linnet_start *start = &type->starts[k];
            if (given != written || (start->flags & LINNET_START_OPTIONAL && !given))
                continue;
            start_row one = {node_of(network, instance, start->col[0]),
                             node_of(network, instance, start->col[1]),
                             i,
                             values[k],
                             start->name,
                             NULL};
            if (!join(all, &one) && written)
                result = contradiction(network, all, &one, report);
        }
    }
    return result;
}

/* First guesses: the blocks', then what the model wrote for links. */
static linnet_status guess(ln_system *system, double *x, ln_report *report) {
    ln_network *network = system->network;
    double *local = system->own->x;
    for (int i = 0; i < network->ninstances; i++) {
        ln_instance *instance = &network->instances[i];
        const linnet_block_class *type = instance->block.type;
        if (type->guess == NULL)
            continue;
        linnet_block block;
        LN_TRY(ln_prepare(system, instance, &block, report));
        memset(local, 0, (size_t)(type->nports + type->nvars) * sizeof *local);
        type->guess(&block, local);
        for (int k = 0; k < type->nvars; k++)
            x[instance->first_own + k] = local[type->nports + k];
    }
    for (int k = 0; k < network->nlinks; k++)
        if (network->links[k].start != NULL && network->links[k].unknown >= 0)
            x[network->links[k].unknown] = network->links[k].start->value;
    return LINNET_OK;
}

/* Values from the forest: a tree that holds the zero node is fixed; another keeps the guess at its
 * root. */
static void spread(const ln_system *system, difference_forest *all, double *x) {
    int n = system->n;
    double zero_offset;
    int zero = root_of(all, n, &zero_offset);
    for (int i = 0; i < n; i++) {
        double offset;
        int root = root_of(all, i, &offset);
        if (root == i && root != zero)
            continue;
        if (root == zero)
            x[i] = offset - zero_offset;
        else
            x[i] = x[root] + offset;
    }
}

linnet_status ln_system_start_values(ln_system *system, double *x, ln_report *report) {
    size_t n = (size_t)system->n + 1;
    difference_forest all = {ln_sys->allocate(n * sizeof(int)),
                             ln_sys->allocate(n * sizeof(double))};
    linnet_status status = LINNET_MEMORY;
    if (all.parent == NULL || all.offset == NULL) {
        ln_no_memory(report);
        goto done;
    }
    for (size_t i = 0; i < n; i++) {
        all.parent[i] = (int)i;
        all.offset[i] = 0;
    }
    memset(x, 0, (size_t)system->n * sizeof *x);
    status = guess(system, x, report);
    if (status == LINNET_OK)
        status = join_conditions(system, &all, 1, report);
    if (status == LINNET_OK)
        status = join_links(system, &all, report);
    if (status == LINNET_OK)
        status = join_conditions(system, &all, 0, report);
    if (status == LINNET_OK)
        spread(system, &all, x);
done:
    ln_sys->release(all.parent);
    ln_sys->release(all.offset);
    return status;
}
