/* SPDX-License-Identifier: MIT */
/* Look-up: what a user's name means. No table of names is kept: a name is taken apart at its dots,
 * and the parts are searched in the ordered arrays and in the block's own tables. */
#include "network/names.h"

#include "base/domain.h"
#include "base/sys.h"
#include "base/text.h"
#include "model/scope.h"
#include <string.h>

/* ---- ordered arrays ---- */

static int compare(const char *name, const char *wanted, size_t length) {
    int order = strncmp(name, wanted, length);
    return order != 0 ? order : name[length] != '\0';
}

/* Binary search over `count` records of `size` bytes that begin with their name. */
static int search(const void *records, int count, size_t size, size_t name_at, const char *name,
                  size_t length) {
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const char *record = (const char *)records + (size_t)middle * size;
        const char *other;
        memcpy(&other, record + name_at, sizeof other);
        int order = compare(other, name, length);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

int ln_find_instance(const ln_network *network, const char *name, size_t length) {
    return search(network->instances, network->ninstances, sizeof(ln_instance),
                  offsetof(ln_instance, name), name, length);
}

int ln_find_link(const ln_network *network, const char *name, size_t length) {
    return search(network->links, network->nlinks, sizeof(ln_link), offsetof(ln_link, name), name,
                  length);
}

int ln_find_component(const ln_network *network, const char *name, size_t length) {
    return search(network->names->components, network->names->ncomponents, sizeof(ln_component),
                  offsetof(ln_component, name), name, length);
}

/* An element of a vector that a port of the component joins: "out[2]". */
static int in_vector(const ln_network *network, const ln_component *component, const char *rest,
                     ln_quantity *quantity) {
    const char *bracket = strchr(rest, '[');
    for (int j = 0; component->vectors != NULL && bracket != NULL && j < component->nports; j++) {
        const size_t length = (size_t)(bracket - rest);
        if (component->vectors[j] == NULL || strncmp(component->ports[j].name, rest, length) != 0)
            continue;
        if (component->ports[j].name[length] != '\0')
            continue;
        const char *name = ln_arena_printf(network->arena, "%s%s", component->vectors[j], bracket);
        const int link = name == NULL ? -1 : ln_find_link(network, name, strlen(name));
        return link >= 0 && ln_quantity_link(network, link, quantity);
    }
    return 0;
}

static int in_component(const ln_network *network, const ln_component *component, const char *rest,
                        ln_quantity *quantity) {
    int port = ln_port_find(component->ports, component->nports, rest);
    if (port >= 0)
        return component->links[port] >= 0 &&
               ln_quantity_link(network, component->links[port], quantity);
    if (in_vector(network, component, rest, quantity))
        return 1;
    for (int i = 0; i < ln_scope_count(component->scope); i++) {
        double value;
        const char *unit, *name = ln_scope_name(component->scope, i, &value, &unit);
        if (strcmp(name, rest) == 0)
            return ln_quantity_constant(quantity, value, unit);
    }
    return 0;
}

/* ---- fluxes along a link ---- */

/* The one joint of a link at a port of a component's inside, or NULL. */
static const ln_joint *joint_inside(const ln_network *network, const ln_component *component,
                                    int link) {
    const ln_joint *found = NULL;
    size_t length = strlen(component->name);
    for (int k = 0; k < network->links[link].nports; k++) {
        const ln_joint *joint = &network->joints[network->links[link].first + k];
        const char *name = network->instances[joint->instance].name;
        if (strncmp(name, component->name, length) != 0 || name[length] != '.')
            continue;
        if (found != NULL)
            return NULL;
        found = joint;
    }
    return found;
}

/* The joint of a port. */
static const ln_joint *joint_of(const ln_network *network, int instance, int port) {
    const ln_link *link = &network->links[network->instances[instance].links[port]];
    const ln_joint *joint = &network->joints[link->first];
    while (joint->instance != instance || joint->port != port)
        joint++;
    return joint;
}

/* The joint that `block.port` names, and the arrow there. NULL: there is none. */
static const ln_joint *named_joint(const ln_network *network, const char *name, int *arrow) {
    const char *dot = strrchr(name, '.');
    size_t length = dot == NULL ? 0 : (size_t)(dot - name);
    int instance = ln_find_instance(network, name, length),
        component = ln_find_component(network, name, length);
    const ln_joint *joint = NULL;
    if (instance >= 0) {
        const ln_instance *block = &network->instances[instance];
        int port = ln_port_find(block->block.type->ports, block->block.type->nports, dot + 1);
        if (port >= 0 && block->links[port] >= 0)
            joint = joint_of(network, instance, port);
        *arrow = joint != NULL ? joint->arrow : 0;
    } else if (component >= 0) {
        const ln_component *part = &network->names->components[component];
        int port = ln_port_find(part->ports, part->nports, dot + 1);
        if (port >= 0 && part->links[port] >= 0)
            joint = joint_inside(network, part, part->links[port]);
        *arrow = port >= 0 ? part->arrows[port] : 0;
    }
    return joint;
}

/* `n1@R1.n`: positive along the arrow: out of a `from` port, into any other. The link may bear any
 * of its names. */
static int along_link(const ln_network *network, const char *name, const char *at,
                      ln_quantity *quantity) {
    int arrow = 0;
    const ln_joint *joint = named_joint(network, at + 1, &arrow);
    if (joint == NULL)
        return 0;
    const ln_instance *instance = &network->instances[joint->instance];
    if (instance->block.type->ports[joint->port].domain == LINNET_SIGNAL)
        return 0;
    ln_quantity named, joined;
    char *link = ln_arena_text(network->arena, name, (size_t)(at - name));
    if (link == NULL || !ln_network_find(network, link, &named, NULL))
        return 0;
    ln_quantity_link(network, instance->links[joint->port], &joined);
    if (named.kind != joined.kind || named.index != joined.index)
        return 0;
    if (named.kind == LN_Q_ZERO &&
        strcmp(link, network->links[instance->links[joint->port]].name) != 0)
        return 0;
    ln_quantity_flux(network, joint->instance, joint->port, quantity);
    quantity->sign = arrow < 0 ? -1 : 1;
    return 1;
}

/* ---- the nearest name ---- */

typedef struct name_list {
    const char **names;
    size_t count, room;
} name_list;

static void add_name(void *context, const char *name) {
    name_list *list = context;
    if (LN_GROW(list->names, list->count, list->room))
        list->names[list->count++] = name;
}

static const char *nearest_of(const name_list *list, const char *name) {
    return list->names == NULL ? NULL : ln_nearest(name, list->names, list->count);
}

/* Among what the instance has: "R1.vv" -> "R1.v". */
static const char *nearest_within(const ln_network *network, int instance, const char *name,
                                  name_list *list) {
    const ln_instance *part = &network->instances[instance];
    ln_instance_names(network, instance, add_name, list);
    for (int k = 0; k < part->block.type->nparams; k++)
        if (strchr(part->block.type->params[k].name, ' ') == NULL)
            add_name(list, part->block.type->params[k].name);
    const char *nearest = nearest_of(list, name);
    return nearest != NULL ? ln_arena_printf(network->arena, "%s.%s", part->name, nearest) : NULL;
}

/* Among links, and parameters of the model or, for a name with a dot, blocks: "RR1.v" -> "R1.v". */
static const char *nearest_outside(const ln_network *network, const char *name, const char *dot,
                                   name_list *list) {
    for (int k = 0; k < network->nlinks; k++)
        add_name(list, network->links[k].name);
    for (int k = 0; dot == NULL && k < network->nparameters; k++)
        add_name(list, network->parameters[k].name);
    for (int i = 0; dot != NULL && i < network->ninstances; i++)
        add_name(list, network->instances[i].name);
    const char *block =
        ln_arena_text(network->arena, name, dot == NULL ? strlen(name) : (size_t)(dot - name));
    const char *nearest = block == NULL ? NULL : nearest_of(list, block);
    if (nearest != NULL && dot != NULL && ln_find_link(network, nearest, strlen(nearest)) < 0)
        nearest = ln_arena_printf(network->arena, "%s%s", nearest, dot);
    return nearest;
}

/* Within the block whose name is right, else among links, blocks and parameters. */
static const char *nearest_name(const ln_network *network, const char *name) {
    name_list list = {0};
    const char *dot = strrchr(name, '.');
    const int instance = dot == NULL ? -1 : ln_find_instance(network, name, (size_t)(dot - name));
    const char *nearest = instance >= 0 ? nearest_within(network, instance, dot + 1, &list)
                                        : nearest_outside(network, name, dot, &list);
    ln_sys->release(list.names);
    return nearest;
}

/* ---- the whole name ---- */

static int find(const ln_network *network, const char *name, ln_quantity *quantity);

/* `g.out[2]`, where g works element by element: the blocks are g[1], g[2], ... */
static int find_in_element(const ln_network *network, const char *name, ln_quantity *quantity) {
    const char *dot = strrchr(name, '.'), *bracket = dot == NULL ? NULL : strchr(dot, '[');
    if (bracket == NULL || (dot > name && dot[-1] == ']'))
        return 0;
    const char *other = ln_arena_printf(network->arena, "%.*s%s%.*s", (int)(dot - name), name,
                                        bracket, (int)(bracket - dot), dot);
    return other != NULL && find(network, other, quantity);
}

static int find(const ln_network *network, const char *name, ln_quantity *quantity) {
    for (int k = 0; k < network->nparameters; k++)
        if (strcmp(network->parameters[k].name, name) == 0)
            return ln_quantity_constant(quantity, network->parameters[k].value,
                                        network->parameters[k].unit);
    size_t length = strlen(name);
    int link = ln_find_link(network, name, length);
    if (link >= 0)
        return ln_quantity_link(network, link, quantity);
    const char *at = strrchr(name, '@'); /* nodes of decks may have one in their names, too */
    if (at != NULL)
        return along_link(network, name, at, quantity);
    while (length-- > 0) {
        if (name[length] != '.')
            continue;
        int instance = ln_find_instance(network, name, length);
        if (instance >= 0)
            return ln_find_in_instance(network, instance, name + length + 1, quantity);
        int component = ln_find_component(network, name, length);
        if (component >= 0)
            return in_component(network, &network->names->components[component], name + length + 1,
                                quantity);
    }
    return find_in_element(network, name, quantity);
}

int ln_network_find(const ln_network *network, const char *name, ln_quantity *quantity,
                    const char **nearest) {
    *quantity = (ln_quantity){.kind = LN_Q_NONE};
    if (nearest != NULL)
        *nearest = NULL;
    if (find(network, name, quantity))
        return 1;
    if (nearest != NULL)
        *nearest = nearest_name(network, name);
    return 0;
}

int ln_network_is_clock(const ln_network *network, const ln_instance *block) {
    for (int port = 0; port < block->block.type->nports; port++) {
        if (!(block->block.type->ports[port].flags & LINNET_OUTPUT) || block->links[port] < 0)
            continue;
        const ln_link *link = &network->links[block->links[port]];
        for (int k = 0; k < link->nports; k++) {
            const ln_joint *joint = &network->joints[link->first + k];
            if (strcmp(network->instances[joint->instance].block.type->ports[joint->port].name,
                       "clock") == 0)
                return 1;
        }
    }
    return 0;
}
