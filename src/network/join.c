/* SPDX-License-Identifier: MIT */
/* Joining and numbering: raw instances and links become the network's arrays, ordered by name.
 *
 * Everything that follows - unknowns, rows, the order of sums - derives from the order of names, so
 * a model written in another order gives the same numbers bit by bit. */
#include "network/flatten.h"

#include "base/loops.h"
#include "base/sys.h"
#include "network/check.h"
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- order by name ---- */

/* The first eight bytes of a name as a number compare as the bytes do; most names need no more. */
typedef struct sort_key {
    uint64_t head;
    const char *name;
    int index;
} sort_key;

static sort_key key_of(const char *name, int index) {
    sort_key key = {0, name, index};
    int k = 0;
    while (k < 8 && name[k] != '\0')
        key.head = key.head << 8 | (unsigned char)name[k++];
    key.head <<= 8 * (8 - k) % 64;
    return key;
}

static int compare_keys(const void *left, const void *right) {
    const sort_key *a = left, *b = right;
    if (a->head != b->head)
        return a->head < b->head ? -1 : 1;
    return (a->head & 0xff) == 0 ? 0 : strcmp(a->name + 8, b->name + 8);
}

static void sort_keys(sort_key *keys, int count) {
    int sorted = 1;
    for (int k = 1; sorted && k < count; k++)
        sorted = compare_keys(&keys[k - 1], &keys[k]) <= 0;
    if (!sorted)
        qsort(keys, (size_t)count, sizeof *keys, compare_keys);
}

static sort_key *keys_new(ln_build *build, size_t count) {
    sort_key *keys = ln_sys->allocate((count + 1) * sizeof *keys);
    if (keys == NULL)
        ln_build_failed(build);
    return keys;
}

/* How many items ahead what is met in the order of names is fetched from memory. */
enum { AHEAD = 8 };

static int ahead(int i, int n) {
    return i + AHEAD < n ? i + AHEAD : n - 1;
}

/* ---- links ---- */

/* Ports per raw link; port_link is replaced by the links behind all other names. */
static int *count_ports(ln_build *build) {
    int *count = ln_sys->allocate((build->nlinks + 1) * sizeof *count);
    if (count == NULL) {
        ln_build_failed(build);
        return NULL;
    }
    memset(count, 0, (build->nlinks + 1) * sizeof *count);
    for (size_t k = 0; k < build->nport_links; k++) {
        build->port_link[k] = ln_raw_root(build, build->port_link[k]);
        if (build->port_link[k] >= 0)
            count[build->port_link[k]]++;
    }
    return count;
}

/* Fills network->links; rank[raw link], its number of ports, becomes its index there. A link
 * without ports is left out and gets -1. */
static int join_links(ln_build *build, int *rank) {
    ln_network *network = build->network;
    sort_key *keys = keys_new(build, build->nlinks);
    if (keys == NULL)
        return 0;
    int n = 0;
    for (size_t k = 0; k < build->nlinks; k++) {
        const ln_raw_link *link = &build->links[k];
        if (link->same_as >= 0)
            continue;
        if (link->flags & LN_RAW_VECTOR) {
            rank[k] = -1;
            continue;
        }
        if (rank[k] > 0) {
            keys[n++] = key_of(link->name, (int)k);
            continue;
        }
        ln_warn(build->report, ln_raw_place(build, (int)k), "link '%s' joins no port of any block",
                link->name);
        rank[k] = -1;
    }
    sort_keys(keys, n);
    network->links = LN_NEW(network->arena, ln_link, n);
    network->nlinks = n;
    int first = 0;
    for (int i = 0; network->links != NULL && i < n; i++) {
        int raw = keys[i].index;
        LN_SOON(&build->links[keys[ahead(i, n)].index]);
        network->links[i] = (ln_link){.name = keys[i].name,
                                      .place = ln_raw_place(build, raw),
                                      .nports = rank[raw],
                                      .first = first};
        first += rank[raw];
        rank[raw] = i;
    }
    for (size_t k = 0; k < build->nlinks; k++)
        if (build->links[k].same_as >= 0)
            rank[k] = rank[ln_raw_root(build, (int)k)];
    ln_sys->release(keys);
    return network->links != NULL || ln_build_failed(build);
}

/* ---- instances ---- */

/* One instance's ports: its links, and its joints at the next free places of each link. */
static void join_ports(ln_build *build, const int *rank, const ln_raw_instance *raw, int instance,
                       int *links, int *filled) {
    ln_network *network = build->network;
    for (int j = 0; j < raw->class->nports; j++) {
        int link = build->port_link[raw->first + j];
        links[j] = link < 0 ? -1 : rank[link];
        if (link < 0)
            continue;
        ln_joint *joint = &network->joints[network->links[links[j]].first + filled[links[j]]++];
        const signed char arrow = build->port_arrow[raw->first + j];
        *joint = (ln_joint){instance, j & (LN_MOST_PORTS - 1), arrow > 0 ? 1 : arrow < 0 ? -1 : 0};
    }
}

static int join_instances(ln_build *build, const int *rank) {
    static const ln_besides nothing;
    ln_network *network = build->network;
    int n = (int)build->ninstances;
    sort_key *keys = keys_new(build, build->ninstances);
    int *filled = ln_sys->allocate(((size_t)network->nlinks + 1) * sizeof *filled);
    int *links = LN_NEW(network->arena, int, build->nport_links);
    network->instances = LN_NEW(network->arena, ln_instance, n);
    network->joints = LN_NEW(network->arena, ln_joint, build->nport_links);
    network->ninstances = n;
    network->njoints = (int)build->nport_links;
    int going = keys != NULL && filled != NULL && links != NULL && network->instances != NULL &&
                network->joints != NULL;
    if (going) {
        memset(filled, 0, ((size_t)network->nlinks + 1) * sizeof *filled);
        for (int i = 0; i < n; i++)
            keys[i] = key_of(build->instances[i].name, i);
        sort_keys(keys, n);
    }
    for (int i = 0; going && i < n; i++) {
        const ln_raw_instance *raw = &build->instances[keys[i].index];
        LN_SOON(&build->instances[keys[ahead(ahead(i, n), n)].index]);
        LN_SOON(build->instances[keys[ahead(i, n)].index].element);
        network->instances[i] =
            (ln_instance){.block = {raw->class, raw->p, NULL},
                          .name = raw->name,
                          .place = ln_place_of(raw->element),
                          .links = links,
                          .besides = raw->besides != NULL ? raw->besides : &nothing};
        join_ports(build, rank, raw, i, links, filled);
        links += raw->class->nports;
    }
    ln_sys->release(keys);
    ln_sys->release(filled);
    return going || ln_build_failed(build);
}

static int join_components(ln_build *build, const int *rank) {
    ln_network *network = build->network;
    size_t n = build->ncomponents;
    sort_key *keys = keys_new(build, n);
    network->names->components = LN_NEW(network->arena, ln_component, n);
    int going = keys != NULL && (network->names->components != NULL || ln_build_failed(build));
    for (size_t i = 0; going && i < n; i++)
        keys[i] = key_of(build->components[i].name, (int)i);
    if (going)
        sort_keys(keys, (int)n);
    for (size_t i = 0; going && i < n; i++) {
        ln_component *component = &network->names->components[i];
        *component = build->components[keys[i].index];
        for (int j = 0; j < component->nports; j++) {
            if (component->links[j] >= 0)
                component->links[j] = rank[ln_raw_root(build, component->links[j])];
        }
    }
    network->names->ncomponents = going ? (int)n : 0;
    ln_sys->release(keys);
    return going;
}

/* ---- numbers ---- */

static void mark_references(ln_network *network) {
    for (int i = 0; i < network->ninstances; i++) {
        const ln_instance *instance = &network->instances[i];
        int port = instance->block.type->reference_port;
        if (port >= 0 && instance->links[port] >= 0)
            network->links[instance->links[port]].unknown = -1;
    }
}

/* Is the link what the one output of the block drives? Then both may bear one name: it means the
 * signal. */
static int is_only_output(const ln_instance *instance, int link) {
    const linnet_block_class *type = instance->block.type;
    int outputs = 0, drives = 0;
    for (int j = 0; j < type->nports; j++) {
        if (type->ports[j].domain != LINNET_SIGNAL || !(type->ports[j].flags & LINNET_OUTPUT))
            continue;
        outputs++;
        drives |= instance->links[j] == link;
    }
    return outputs == 1 && drives;
}

/* Numbers the unknowns of links and instances in one order of names. An id that is a link's name
 * too shows here. */
static void number(ln_build *build, int *owner) {
    ln_network *network = build->network;
    int k = 0, i = 0, n = 0;
    while (k < network->nlinks || i < network->ninstances) {
        if (k < network->nlinks && i < network->ninstances) {
            LN_SOON(network->links[ahead(k, network->nlinks)].name);
            LN_SOON(network->instances[ahead(i, network->ninstances)].name);
        }
        int order = k == network->nlinks ? 1
                    : i == network->ninstances
                        ? -1
                        : strcmp(network->links[k].name, network->instances[i].name);
        if (order == 0 && !is_only_output(&network->instances[i], k))
            LN_WRONG(build, network->instances[i].place,
                     "id '%s' is the name of a link too (line %d); choose another",
                     network->instances[i].name, network->links[k].place.line);
        if (order <= 0) {
            ln_link *link = &network->links[k++];
            if (link->unknown < 0)
                continue;
            owner[n] = -k; /* -1 - index */
            link->unknown = n++;
        } else {
            ln_instance *instance = &network->instances[i];
            instance->first_own = n;
            instance->first_memory = network->nmemories;
            network->nmemories += instance->block.type->nmemories;
            for (int v = 0; v < instance->block.type->nvars; v++)
                owner[n++] = i;
            i++;
        }
    }
    network->n = n;
}

static int number_all(ln_build *build) {
    ln_network *network = build->network;
    size_t most = (size_t)network->nlinks;
    for (int i = 0; i < network->ninstances; i++)
        most += (size_t)network->instances[i].block.type->nvars;
    if (most > INT_MAX) {
        LN_WRONG(build, LN_NOWHERE, "the model has more than %d unknowns", INT_MAX);
        return 0;
    }
    int *owner = LN_NEW(network->arena, int, most);
    if (owner == NULL)
        return ln_build_failed(build);
    mark_references(network);
    number(build, owner);
    network->names->owner = owner;
    network->names->nowned = network->n;
    return build->status == LINNET_OK;
}

int ln_join(ln_build *build) {
    int *rank = count_ports(build);
    int going = rank != NULL && join_links(build, rank) && join_instances(build, rank) &&
                join_components(build, rank) && ln_check_links(build) && number_all(build) &&
                ln_take_guesses(build, rank);
    ln_sys->release(rank);
    return going;
}
