/* SPDX-License-Identifier: MIT */
/* Look-up: what a user's name means. No table of names is kept: a name is taken apart at its dots, and the parts are
 * searched in the ordered arrays and in the block's own tables. */
#include "network/names.h"

#include "base/domain.h"
#include "base/sys.h"
#include "base/text.h"
#include <string.h>

/* ---- ordered arrays ---- */

static int compare(const char *name, const char *wanted, size_t length) {
    int order = strncmp(name, wanted, length);
    return order != 0 ? order : name[length] != '\0';
}

/* Binary search over `count` records of `size` bytes that begin with their name. */
static int search(const void *records, int count, size_t size, size_t name_at, const char *name, size_t length) {
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const char *record = (const char *)records + (size_t)middle * size;
        const char *other;
        memcpy(&other, record + name_at, sizeof other);
        int order = compare(other, name, length);
        if (order == 0) return middle;
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return -1;
}

int ln_find_instance(const ln_network *network, const char *name, size_t length) {
    return search(network->instances, network->ninstances, sizeof(ln_instance), offsetof(ln_instance, name), name,
                  length);
}

int ln_find_link(const ln_network *network, const char *name, size_t length) {
    return search(network->links, network->nlinks, sizeof(ln_link), offsetof(ln_link, name), name, length);
}

int ln_find_component(const ln_network *network, const char *name, size_t length) {
    return search(network->names->components, network->names->ncomponents, sizeof(ln_component),
                  offsetof(ln_component, name), name, length);
}

int ln_port_find(const linnet_port *ports, int nports, const char *name) {
    for (int j = 0; j < nports; j++)
        if (strcmp(ports[j].name, name) == 0) return j;
    return -1;
}

/* ---- quantities ---- */

static int constant(ln_quantity *quantity, double value, const char *unit) {
    *quantity = (ln_quantity){.kind = LN_Q_CONSTANT, .sign = 1, .value = value, .unit = unit};
    return 1;
}

static int link_value(const ln_network *network, int link, ln_quantity *quantity) {
    if (link < 0) return constant(quantity, 0, NULL); /* an input that may stay open */
    const ln_link *it = &network->links[link];
    const char *unit = it->domain == LINNET_SIGNAL ? NULL : ln_domain(it->domain)->potential_unit;
    *quantity = (ln_quantity){.kind = it->unknown < 0 ? LN_Q_ZERO : LN_Q_UNKNOWN, .index = it->unknown, .sign = 1,
                              .unit = unit};
    return 1;
}

/* The flux into a port: the own variable that bears its name, if the type has one, else the block's row. */
static int flux(const ln_network *network, int instance, int port, ln_quantity *quantity) {
    const ln_instance *it = &network->instances[instance];
    const linnet_block_class *type = it->block.type;
    const ln_domain_info *domain = ln_domain(type->ports[port].domain);
    size_t length = strlen(type->ports[port].name);
    *quantity = (ln_quantity){.kind = LN_Q_FLUX, .index = instance, .item = port, .sign = 1, .unit = domain->flux_unit};
    for (int k = 0; k < type->nvars; k++) {
        const char *name = type->vars[k].name;
        if (strncmp(name, type->ports[port].name, length) != 0 || name[length] != '.') continue;
        if (strcmp(name + length + 1, domain->flux) != 0) continue;
        quantity->kind = LN_Q_UNKNOWN;
        quantity->index = it->first_own + k;
    }
    return 1;
}

/* What the type itself calls so: variables, observed values, parameters, signal ports. (The bare name of a physical
 * port comes last: `P1.p` of a pipe is its pressure drop.) */
static int own_name(const ln_network *network, const ln_instance *it, int instance, const char *rest,
                    ln_quantity *quantity) {
    const linnet_block_class *type = it->block.type;
    for (int k = 0; k < type->nvars; k++) {
        if (strcmp(type->vars[k].name, rest) != 0) continue;
        *quantity = (ln_quantity){.kind = LN_Q_UNKNOWN, .index = it->first_own + k, .sign = 1,
                                  .unit = type->vars[k].unit};
        return 1;
    }
    for (int k = 0; k < type->nobserved; k++) {
        if (strcmp(type->observed[k], rest) != 0) continue;
        *quantity = (ln_quantity){.kind = LN_Q_OBSERVED, .index = instance, .item = k, .sign = 1};
        return 1;
    }
    for (int k = 0; k < type->nparams; k++) {
        const linnet_param *param = &type->params[k];
        if (strcmp(param->name, rest) != 0) continue;
        if ((param->flags & LINNET_TEXT) || param->rows != 1 || param->cols != 1) return 0;
        return constant(quantity, it->block.p[param->offset], param->unit);
    }
    int port = ln_port_find(type->ports, type->nports, rest);
    if (port < 0 || type->ports[port].domain != LINNET_SIGNAL) return 0;
    return link_value(network, it->links[port], quantity);
}

/* `port.potential` and `port.flux`. */
static int at_port(const ln_network *network, const ln_instance *it, int instance, const char *rest,
                   ln_quantity *quantity) {
    const linnet_block_class *type = it->block.type;
    for (int j = 0; j < type->nports; j++) {
        const ln_domain_info *domain = ln_domain(type->ports[j].domain);
        size_t length = strlen(type->ports[j].name);
        if (type->ports[j].domain == LINNET_SIGNAL) continue;
        if (strncmp(rest, type->ports[j].name, length) != 0 || rest[length] != '.') continue;
        if (strcmp(rest + length + 1, domain->potential) == 0) return link_value(network, it->links[j], quantity);
        if (strcmp(rest + length + 1, domain->flux) == 0) return flux(network, instance, j, quantity);
    }
    return 0;
}

/* The next port of the same domain, or -1. */
static int next_port(const linnet_block_class *type, int port, linnet_domain domain) {
    do port++;
    while (port < type->nports && type->ports[port].domain != domain);
    return port < type->nports ? port : -1;
}

/* A domain's symbol alone: the flux into its first port, the potential between its first two or at its only one. */
static int by_symbol(const ln_network *network, const ln_instance *it, int instance, const char *rest,
                     ln_quantity *quantity) {
    const linnet_block_class *type = it->block.type;
    for (int j = 0; j < type->nports; j++) {
        linnet_domain domain = type->ports[j].domain;
        if (domain == LINNET_SIGNAL) continue;
        if (strcmp(rest, ln_domain(domain)->flux) == 0) return flux(network, instance, next_port(type, -1, domain), quantity);
        if (strcmp(rest, ln_domain(domain)->potential) != 0) continue;
        int first = next_port(type, -1, domain), second = next_port(type, first, domain);
        if (second < 0) return link_value(network, it->links[first], quantity);
        *quantity = (ln_quantity){.kind = LN_Q_DROP, .index = instance, .item = first, .other = second, .sign = 1,
                                  .unit = ln_domain(domain)->potential_unit};
        return 1;
    }
    return 0;
}

/* A power is defined where every physical port has one. */
static int has_power(const linnet_block_class *type) {
    int some = 0;
    for (int j = 0; j < type->nports; j++) {
        if (type->ports[j].domain == LINNET_SIGNAL) continue;
        if (ln_domain(type->ports[j].domain)->power == LN_POWER_NONE) return 0;
        some = 1;
    }
    return some;
}

int ln_find_in_instance(const ln_network *network, int instance, const char *rest, ln_quantity *quantity) {
    const ln_instance *it = &network->instances[instance];
    if (own_name(network, it, instance, rest, quantity) || at_port(network, it, instance, rest, quantity) ||
        by_symbol(network, it, instance, rest, quantity))
        return 1;
    int port = ln_port_find(it->block.type->ports, it->block.type->nports, rest);
    if (port >= 0) return link_value(network, it->links[port], quantity); /* a physical port: its potential */
    if (strcmp(rest, "P") != 0 || !has_power(it->block.type)) return 0;
    *quantity = (ln_quantity){.kind = LN_Q_POWER, .index = instance, .sign = 1, .unit = "W"};
    return 1;
}

static int in_component(const ln_network *network, const ln_component *it, const char *rest, ln_quantity *quantity) {
    int port = ln_port_find(it->ports, it->nports, rest);
    if (port >= 0) return it->links[port] >= 0 && link_value(network, it->links[port], quantity);
    for (int i = 0; i < ln_scope_count(it->scope); i++) {
        double value;
        const char *unit, *name = ln_scope_name(it->scope, i, &value, &unit);
        if (strcmp(name, rest) == 0) return constant(quantity, value, unit);
    }
    return 0;
}

/* ---- fluxes along a link ---- */

/* The one joint of a link at a port of a component's inside, or NULL. */
static const ln_joint *joint_inside(const ln_network *network, const ln_component *it, int link) {
    const ln_joint *found = NULL;
    size_t length = strlen(it->name);
    for (int k = 0; k < network->links[link].nports; k++) {
        const ln_joint *joint = &network->joints[network->links[link].first + k];
        const char *name = network->instances[joint->instance].name;
        if (strncmp(name, it->name, length) != 0 || name[length] != '.') continue;
        if (found != NULL) return NULL;
        found = joint;
    }
    return found;
}

/* `n1@R1.n`: positive along the arrow: out of a `from` port, into any other. */
static int along_link(const ln_network *network, const char *name, const char *at, ln_quantity *quantity) {
    ln_quantity potential;
    const char *dot = strrchr(at, '.');
    if (dot == NULL) return 0;
    size_t length = (size_t)(dot - at - 1);
    int link = ln_find_link(network, name, (size_t)(at - name));
    int instance = ln_find_instance(network, at + 1, length), component = ln_find_component(network, at + 1, length);
    const ln_joint *joint = NULL;
    int arrow = 0;
    if (instance >= 0) {
        const ln_instance *it = &network->instances[instance];
        int port = ln_port_find(it->block.type->ports, it->block.type->nports, dot + 1);
        if (port < 0 || it->links[port] < 0) return 0;
        const ln_link *joined = &network->links[it->links[port]];
        for (int k = 0; k < joined->nports; k++) {
            const ln_joint *each = &network->joints[joined->first + k];
            if (each->instance == instance && each->port == port) joint = each;
        }
        if (link >= 0 && joined != &network->links[link]) return 0;
        arrow = joint->arrow;
    } else if (component >= 0) {
        const ln_component *it = &network->names->components[component];
        int port = ln_port_find(it->ports, it->nports, dot + 1);
        if (port < 0 || it->links[port] < 0 || (link >= 0 && link != it->links[port])) return 0;
        joint = joint_inside(network, it, it->links[port]);
        arrow = it->arrows[port];
    }
    if (joint == NULL || network->instances[joint->instance].block.type->ports[joint->port].domain == LINNET_SIGNAL)
        return 0;
    if (link < 0) { /* perhaps another name of the link: a component's port */
        char *other = ln_arena_text(network->arena, name, (size_t)(at - name));
        if (other == NULL || !ln_network_find(network, other, &potential, NULL)) return 0;
        ln_quantity same;
        link_value(network, network->instances[joint->instance].links[joint->port], &same);
        if (same.kind != potential.kind || same.index != potential.index) return 0;
    }
    flux(network, joint->instance, joint->port, quantity);
    quantity->sign = arrow < 0 ? -1 : 1;
    return 1;
}

/* ---- the nearest name ---- */

typedef struct name_list { const char **names; size_t count, room; } name_list;

static void add_name(void *context, const char *name) {
    name_list *list = context;
    if (LN_GROW(list->names, list->count, list->room)) list->names[list->count++] = name;
    else list->count = 0;
}

/* Within the block whose name is right, else among links, blocks and parameters. */
static const char *nearest_name(const ln_network *network, const char *name) {
    name_list list = {0};
    const char *dot = strrchr(name, '.'), *nearest;
    int instance = dot == NULL ? -1 : ln_find_instance(network, name, (size_t)(dot - name));
    if (instance >= 0) {
        const ln_instance *it = &network->instances[instance];
        ln_instance_names(network, instance, add_name, &list);
        for (int k = 0; k < it->block.type->nparams; k++) add_name(&list, it->block.type->params[k].name);
        nearest = list.names == NULL ? NULL : ln_nearest(dot + 1, list.names, list.count);
        if (nearest != NULL) nearest = ln_arena_printf(network->arena, "%s.%s", it->name, nearest);
    } else {
        for (int k = 0; k < network->nlinks; k++) add_name(&list, network->links[k].name);
        for (int k = 0; dot == NULL && k < network->nparameters; k++) add_name(&list, network->parameters[k].name);
        for (int i = 0; dot != NULL && i < network->ninstances; i++) add_name(&list, network->instances[i].name);
        char *block = ln_arena_text(network->arena, name, dot == NULL ? strlen(name) : (size_t)(dot - name));
        nearest = list.names == NULL || block == NULL ? NULL : ln_nearest(block, list.names, list.count);
        if (nearest != NULL && dot != NULL && ln_find_link(network, nearest, strlen(nearest)) < 0)
            nearest = ln_arena_printf(network->arena, "%s%s", nearest, dot);
    }
    ln_sys->release(list.names);
    return nearest;
}

/* ---- the whole name ---- */

static int find(const ln_network *network, const char *name, ln_quantity *quantity) {
    const char *at = strchr(name, '@');
    if (at != NULL) return along_link(network, name, at, quantity);
    for (int k = 0; k < network->nparameters; k++)
        if (strcmp(network->parameters[k].name, name) == 0)
            return constant(quantity, network->parameters[k].value, network->parameters[k].unit);
    size_t length = strlen(name);
    int link = ln_find_link(network, name, length);
    if (link >= 0) return link_value(network, link, quantity);
    while (length-- > 0) {
        if (name[length] != '.') continue;
        int instance = ln_find_instance(network, name, length);
        if (instance >= 0) return ln_find_in_instance(network, instance, name + length + 1, quantity);
        int component = ln_find_component(network, name, length);
        if (component >= 0)
            return in_component(network, &network->names->components[component], name + length + 1, quantity);
    }
    return 0;
}

int ln_network_find(const ln_network *network, const char *name, ln_quantity *quantity, const char **nearest) {
    *quantity = (ln_quantity){.kind = LN_Q_NONE};
    if (nearest != NULL) *nearest = NULL;
    if (find(network, name, quantity)) return 1;
    if (nearest != NULL) *nearest = nearest_name(network, name);
    return 0;
}

/* ---- what there is at an instance ---- */

static int is_port_flux(const linnet_block_class *type, const char *name) {
    const char *dot = strchr(name, '.');
    for (int j = 0; dot != NULL && j < type->nports; j++) {
        size_t length = strlen(type->ports[j].name);
        if (length == (size_t)(dot - name) && strncmp(name, type->ports[j].name, length) == 0) return 1;
    }
    return 0;
}

/* The symbols of one domain: of two ports their drop and the flux into the first, of more the flux into each. */
static void domain_names(const ln_network *network, int instance, linnet_domain domain,
                         void (*visit)(void *context, const char *name), void *context) {
    const linnet_block_class *type = network->instances[instance].block.type;
    const ln_domain_info *info = ln_domain(domain);
    ln_quantity derived, found;
    int first = next_port(type, -1, domain), count = 0;
    if (first < 0) return;
    for (int j = first; j >= 0; j = next_port(type, j, domain)) count++;
    const ln_instance *it = &network->instances[instance];
    if (by_symbol(network, it, instance, info->potential, &derived) &&
        !own_name(network, it, instance, info->potential, &found))
        visit(context, info->potential);
    if (!own_name(network, it, instance, info->flux, &found)) visit(context, info->flux);
    for (int j = next_port(type, first, domain); count > 2 && j >= 0; j = next_port(type, j, domain)) {
        char *name = ln_arena_printf(network->arena, "%s.%s", type->ports[j].name, info->flux);
        if (name != NULL) visit(context, name);
    }
}

void ln_instance_names(const ln_network *network, int instance, void (*visit)(void *context, const char *name),
                       void *context) {
    const ln_instance *it = &network->instances[instance];
    const linnet_block_class *type = it->block.type;
    ln_quantity found;
    for (int k = 0; k < type->nvars; k++)
        if (!is_port_flux(type, type->vars[k].name)) visit(context, type->vars[k].name);
    for (int k = 0; k < type->nobserved; k++) visit(context, type->observed[k]);
    for (int j = 0; j < type->nports; j++)
        if (type->ports[j].flags & LINNET_OUTPUT) visit(context, type->ports[j].name);
    for (int d = LINNET_SIGNAL + 1; d < LINNET_DOMAINS; d++)
        domain_names(network, instance, (linnet_domain)d, visit, context);
    if (has_power(type) && !own_name(network, it, instance, "P", &found)) visit(context, "P");
}
