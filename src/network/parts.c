/* SPDX-License-Identifier: MIT */
/* Parts without reference.
 *
 * If every equation sees only differences of the potentials of a set of links, all of them may be
 * shifted by any constant: the network is singular. In each row of a block the ports of a domain
 * are taken in table order and closed into a group as soon as their coefficients sum to zero (p1 -
 * n1, then p2 - n2 of a transformer: two groups); the links of a group belong to one part. A group
 * that does not close anchors its part: a mass, a conductance to nowhere, a temperature source.
 * Entries of a row that change are one group, and see absolute potentials if their sum at some
 * point is not zero. Groups are rather too large than too small, so that no sound model is refused;
 * what escapes here meets the factorisation. */
#include "network/structure.h"

#include "base/domain.h"
#include "base/forest.h"
#include "base/sys.h"
#include "base/text.h"
#include "blocks/catalogue.h"
#include <math.h>
#include <string.h>

/* Coefficients that cancel up to rounding cancel. */
static const double cancelled = 1e-9;

static void join(ln_structure *all, int a, int b) {
    a = ln_root_of(all->part, a);
    b = ln_root_of(all->part, b);
    if (a == b)
        return;
    all->part[b] = a;
    all->anchored[a] |= all->anchored[b];
}

/* A signal that nobody reads holds nothing: a thermometer does not fix a temperature. */
static int counts(const ln_network *network, const ln_instance *instance, int row) {
    const linnet_block_class *type = instance->block.type;
    if (ln_row_at(network, instance, row) < 0)
        return 0;
    return row >= type->nports || type->ports[row].domain != LINNET_SIGNAL ||
           network->links[instance->links[row]].nports > 1;
}

/* Two ports see each other's potentials only as a difference. An open port has potential zero. */
static void tie(ln_structure *all, const ln_instance *instance, int port, int other) {
    int a = instance->links[port], b = instance->links[other];
    if (a >= 0 && b >= 0)
        join(all, a, b);
    else if (a >= 0 || b >= 0)
        all->anchored[ln_root_of(all->part, a >= 0 ? a : b)] = 1;
}

static void anchor(ln_structure *all, const ln_instance *instance, int port) {
    if (instance->links[port] >= 0)
        all->anchored[ln_root_of(all->part, instance->links[port])] = 1;
}

/* A group that is open in a row: ports whose coefficients do not cancel yet. */
typedef struct group {
    double sum, size;
    int port;
} group;

static void widen(ln_structure *all, const ln_instance *instance, group *to, int port,
                  double coefficient) {
    if (to->port >= 0)
        tie(all, instance, to->port, port);
    *to = (group){to->sum + coefficient, to->size + fabs(coefficient), port};
}

static int closes(const group *sum) {
    return fabs(sum->sum) <= cancelled * sum->size;
}

/* Entries of one row and kind of a block. */
typedef struct entries {
    int *index, count;
} entries;

static entries find_row(const linnet_block_class *type, int row, linnet_kind kind, int *room) {
    entries found = {room, 0};
    for (int k = 0; k < type->nentries; k++)
        if (type->entries[k].row == row && type->entries[k].kind == kind)
            room[found.count++] = k;
    return found;
}

/* One row and kind of a block, in one domain. */
static void join_row(ln_structure *all, const ln_instance *instance, const entries *of_row,
                     linnet_domain domain) {
    const linnet_block_class *type = instance->block.type;
    group open = {0, 0, -1}, changing = {0, 0, -1};
    for (int j = 0; j < type->nports && of_row->count > 0; j++) {
        if (type->ports[j].domain != domain)
            continue;
        for (int i = 0; i < of_row->count; i++) {
            const int k = of_row->index[i];
            const linnet_entry *e = &type->entries[k];
            if (e->col != j)
                continue;
            if (e->change == LINNET_STATE) {
                widen(all, instance, &changing, j, all->entry[k]);
            } else if (all->entry[k] != 0) {
                widen(all, instance, &open, j, all->entry[k]);
                if (closes(&open))
                    open = (group){0, 0, -1};
            }
        }
    }
    if (open.port >= 0)
        anchor(all, instance, open.port);
    if (changing.port >= 0 && !closes(&changing))
        anchor(all, instance, changing.port);
}

int ln_join_parts(ln_structure *all, int instance) {
    const ln_instance *block = &all->network->instances[instance];
    const linnet_block_class *type = block->block.type;
    unsigned domains = 0;
    for (int j = 0; j < type->nports; j++)
        domains |= 1u << type->ports[j].domain;
    for (int row = 0; domains > 1u && row < type->nports + type->nvars; row++) {
        if (!counts(all->network, block, row))
            continue;
        const entries by_potential = find_row(type, row, LINNET_A, all->of_row),
                      by_rate = find_row(type, row, LINNET_E, all->of_row + by_potential.count);
        for (int d = LINNET_SIGNAL + 1; d < LINNET_DOMAINS; d++) {
            if (!(domains >> d & 1u))
                continue;
            join_row(all, block, &by_potential, (linnet_domain)d);
            join_row(all, block, &by_rate, (linnet_domain)d);
        }
    }
    return 1;
}

/* ---- telling ---- */

typedef struct telling { /* links of each part, chained, and a mark per block told */
    int *first, *next;
    char *reported;
} telling;

/* "V1, R1 and R2", up to five blocks at the links of a part; *place is that of the first. */
static void list_blocks(const ln_structure *all, const telling *how, int root, ln_text *text,
                        ln_place *place) {
    const ln_network *network = all->network;
    const char *names[5];
    int count = 0;
    for (int link = how->first[root]; link >= 0; link = how->next[link]) {
        const ln_link *joined = &network->links[link];
        for (int k = 0; k < joined->nports; k++) {
            int instance = network->joints[joined->first + k].instance;
            if (how->reported[instance])
                continue;
            how->reported[instance] = 1;
            if (count == 0)
                *place = network->instances[instance].place;
            if (count < 5)
                names[count] = network->instances[instance].name;
            count++;
        }
    }
    for (int k = 0; k < count && k < 5; k++)
        ln_text_printf(text, "%s%s", k == 0 ? "" : k == count - 1 ? " and " : ", ", names[k]);
    if (count > 5)
        ln_text_printf(text, " and %d more", count - 5);
    for (int link = how->first[root]; link >= 0; link = how->next[link])
        for (int k = 0; k < network->links[link].nports; k++)
            how->reported[network->joints[network->links[link].first + k].instance] = 0;
}

/* No unknown in the flux sum of a link: sources alone meet there. */
static int only_sources(const ln_network *network, const ln_link *link) {
    for (int k = 0; k < link->nports; k++) {
        const ln_joint *joint = &network->joints[link->first + k];
        const linnet_block_class *type = network->instances[joint->instance].block.type;
        for (int i = 0; i < type->nentries; i++)
            if (type->entries[i].row == joint->port)
                return 0;
    }
    return 1;
}

/* `<ground id="..." p="a"/>`, the element that would give a part its reference; empty where the
 * domain has none. */
static void reference_hint(const ln_structure *all, const ln_link *link, ln_text *text) {
    const char *name = ln_domain(link->domain)->reference;
    linnet_status status;
    const ln_type *type =
        name == NULL ? NULL : ln_catalogue_find(all->network->catalogue, name, &status);
    if (type == NULL || type->face == NULL || type->face->nports == 0)
        return;
    ln_text_printf(text, "; add <%s id=\"...\" %s=\"%s\"/>", name, type->face->ports[0].name,
                   link->name);
}

static void tell_part(ln_structure *all, const telling *how, int root, const char *others) {
    const ln_network *network = all->network;
    const ln_link *link = &network->links[how->first[root]];
    const char *domain = ln_domain(link->domain)->name;
    ln_text blocks = {0}, hint = {0};
    ln_place place = link->place;
    list_blocks(all, how, root, &blocks, &place);
    reference_hint(all, link, &hint);
    const char *names = blocks.data != NULL ? blocks.data : "",
               *add = hint.data != NULL ? hint.data : "";
    all->status = LINNET_MODEL;
    if (how->next[how->first[root]] < 0 && only_sources(network, link))
        ln_error(all->report, place,
                 "link '%s': only flux sources meet there (%s), which leave its %s open; add a "
                 "path that takes the rest, such as a resistance",
                 link->name, names, ln_domain(link->domain)->potential);
    else if (others[link->domain])
        ln_error(all->report, place, "the %s part with %s floats: no path leads to a reference%s",
                 domain, names, add);
    else
        ln_error(all->report, place, "the %s part with %s has no reference%s", domain, names, add);
    ln_text_free(&blocks);
    ln_text_free(&hint);
}

/* Is there a link of a part without reference? others: the domains with a part that has one. */
static int find_loose(ln_structure *all, char others[LINNET_DOMAINS]) {
    const ln_network *network = all->network;
    int loose = 0;
    for (int k = 0; k < network->nlinks; k++) {
        if (network->links[k].domain == LINNET_SIGNAL)
            continue;
        if (all->anchored[ln_root_of(all->part, k)])
            others[network->links[k].domain] = 1;
        else
            loose = 1;
    }
    return loose;
}

/* The links of each part as a list that begins at its first. */
static void list_parts(ln_structure *all, const telling *how) {
    const ln_network *network = all->network;
    memset(how->reported, 0, (size_t)network->ninstances + 1);
    for (int k = 0; k <= network->nlinks; k++)
        how->first[k] = how->next[k] = -1;
    for (int k = network->nlinks - 1; k >= 0; k--) {
        const int root = ln_root_of(all->part, k);
        how->next[k] = how->first[root];
        how->first[root] = k;
    }
}

int ln_check_parts(ln_structure *all) {
    const ln_network *network = all->network;
    size_t n = (size_t)network->nlinks + 1;
    char others[LINNET_DOMAINS] = {0};
    if (!find_loose(all, others))
        return 1;
    telling how = {ln_sys->allocate(n * sizeof(int)), ln_sys->allocate(n * sizeof(int)),
                   ln_sys->allocate((size_t)network->ninstances + 1)};
    const int going = how.first != NULL && how.next != NULL && how.reported != NULL;
    if (going)
        list_parts(all, &how);
    for (int k = 0, reported = 0; going && k < network->nlinks && reported < LN_STRUCTURE_MESSAGES;
         k++) {
        int root = ln_root_of(all->part, k);
        if (network->links[k].domain == LINNET_SIGNAL || all->anchored[root] ||
            how.first[root] != k)
            continue;
        tell_part(all, &how, root, others);
        reported++;
    }
    ln_sys->release(how.first);
    ln_sys->release(how.next);
    ln_sys->release(how.reported);
    return going;
}
