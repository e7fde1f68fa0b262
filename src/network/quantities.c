/* SPDX-License-Identifier: MIT */
/* What a name means at one block: the type's own names, then those that follow from the domains of
 * its ports. */
#include "network/names.h"

#include "base/domain.h"
#include "blocks/catalogue.h"
#include <assert.h>
#include <string.h>

int ln_port_find(const linnet_port *ports, int nports, const char *name) {
    for (int j = 0; j < nports; j++)
        if (strcmp(ports[j].name, name) == 0)
            return j;
    return -1;
}

/* ---- quantities ---- */

int ln_quantity_constant(ln_quantity *quantity, double value, const char *unit) {
    *quantity = (ln_quantity){.kind = LN_Q_CONSTANT, .sign = 1, .value = value, .unit = unit};
    return 1;
}

int ln_quantity_link(const ln_network *network, int link, ln_quantity *quantity) {
    /* an input that may stay open */
    if (link < 0)
        return ln_quantity_constant(quantity, 0, NULL);
    assert(link < network->nlinks);
    const ln_link *joined = &network->links[link];
    const char *unit =
        joined->domain == LINNET_SIGNAL ? NULL : ln_domain(joined->domain)->potential_unit;
    *quantity = (ln_quantity){.kind = joined->unknown < 0 ? LN_Q_ZERO : LN_Q_UNKNOWN,
                              .index = joined->unknown,
                              .sign = 1,
                              .unit = unit};
    return 1;
}

/* The flux into a port: the own variable that bears its name, if the type has one, else the block's
 * row. */
int ln_quantity_flux(const ln_network *network, int instance, int port, ln_quantity *quantity) {
    const ln_instance *block = &network->instances[instance];
    const linnet_block_class *type = block->block.type;
    assert(port >= 0 && port < type->nports && type->ports[port].domain != LINNET_SIGNAL);
    const ln_domain_info *domain = ln_domain(type->ports[port].domain);
    size_t length = strlen(type->ports[port].name);
    *quantity = (ln_quantity){
        .kind = LN_Q_FLUX, .index = instance, .item = port, .sign = 1, .unit = domain->flux_unit};
    for (int k = 0; k < type->nvars; k++) {
        const char *name = type->vars[k].name;
        if (strncmp(name, type->ports[port].name, length) != 0 || name[length] != '.')
            continue;
        if (strcmp(name + length + 1, domain->flux) != 0)
            continue;
        quantity->kind = LN_Q_UNKNOWN;
        quantity->index = block->first_own + k;
    }
    return 1;
}

/* The type's own quantities by name; 0: none of that name. */

static int own_variable(const ln_instance *block, const char *name, ln_quantity *quantity) {
    const linnet_block_class *type = block->block.type;
    for (int k = 0; k < type->nvars; k++) {
        if (strcmp(type->vars[k].name, name) != 0)
            continue;
        *quantity = (ln_quantity){.kind = LN_Q_UNKNOWN,
                                  .index = block->first_own + k,
                                  .sign = 1,
                                  .unit = type->vars[k].unit};
        return 1;
    }
    return 0;
}

static int own_observed(const ln_instance *block, int instance, const char *name,
                        ln_quantity *quantity) {
    const linnet_block_class *type = block->block.type;
    for (int k = 0; k < type->nobserved; k++) {
        if (strcmp(type->observed[k], name) != 0)
            continue;
        const char *unit = type->observed_units != NULL ? type->observed_units[k] : NULL;
        if (unit != NULL && strchr(unit, '|') != NULL)
            unit = ""; /* words for numbers: "off|linear|saturated" */
        *quantity = (ln_quantity){
            .kind = LN_Q_OBSERVED, .index = instance, .item = k, .sign = 1, .unit = unit};
        return 1;
    }
    return 0;
}

static int own_memory(const ln_instance *block, const char *name, ln_quantity *quantity) {
    const linnet_block_class *type = block->block.type;
    for (int k = 0; k < type->nmemories; k++) {
        if (type->memories[k].name == NULL || strcmp(type->memories[k].name, name) != 0)
            continue;
        *quantity = (ln_quantity){.kind = LN_Q_MEMORY,
                                  .index = block->first_memory + k,
                                  .sign = 1,
                                  .unit = type->memories[k].unit};
        return 1;
    }
    return 0;
}

/* What the type itself calls so: variables, observed values, memories, parameters, signal ports.
 * (The bare name of a physical port comes last: `P1.p` of a pipe is its pressure drop.) */
static int own_name(const ln_network *network, const ln_instance *block, int instance,
                    const char *rest, ln_quantity *quantity) {
    const linnet_block_class *type = block->block.type;
    if (own_variable(block, rest, quantity) || own_observed(block, instance, rest, quantity) ||
        own_memory(block, rest, quantity))
        return 1;
    for (int k = 0; k < type->nparams; k++) {
        const linnet_param *param = &type->params[k];
        if (strcmp(param->name, rest) != 0)
            continue;
        if ((param->flags & LINNET_TEXT) || param->rows != 1 || param->cols != 1)
            return 0;
        return ln_quantity_constant(quantity, block->block.p[param->offset], param->unit);
    }
    int port = ln_port_find(type->ports, type->nports, rest);
    if (port < 0 || type->ports[port].domain != LINNET_SIGNAL)
        return 0;
    return ln_quantity_link(network, block->links[port], quantity);
}

/* `port.potential` and `port.flux`. */
static int at_port(const ln_network *network, const ln_instance *block, int instance,
                   const char *rest, ln_quantity *quantity) {
    const linnet_block_class *type = block->block.type;
    for (int j = 0; j < type->nports; j++) {
        const ln_domain_info *domain = ln_domain(type->ports[j].domain);
        size_t length = strlen(type->ports[j].name);
        if (type->ports[j].domain == LINNET_SIGNAL)
            continue;
        if (strncmp(rest, type->ports[j].name, length) != 0 || rest[length] != '.')
            continue;
        if (strcmp(rest + length + 1, domain->potential) == 0)
            return ln_quantity_link(network, block->links[j], quantity);
        if (strcmp(rest + length + 1, domain->flux) == 0)
            return ln_quantity_flux(network, instance, j, quantity);
    }
    return 0;
}

/* The next port of the same domain, or -1. */
static int next_port(const linnet_block_class *type, int port, linnet_domain domain) {
    do
        port++;
    while (port < type->nports && type->ports[port].domain != domain);
    return port < type->nports ? port : -1;
}

/* A domain's symbol alone: the flux into its first port, the potential between its first two or at
 * its only one. */
static int by_symbol(const ln_network *network, const ln_instance *block, int instance,
                     const char *rest, ln_quantity *quantity) {
    const linnet_block_class *type = block->block.type;
    for (int j = 0; j < type->nports; j++) {
        linnet_domain domain = type->ports[j].domain;
        if (domain == LINNET_SIGNAL)
            continue;
        if (strcmp(rest, ln_domain(domain)->flux) == 0)
            return ln_quantity_flux(network, instance, next_port(type, -1, domain), quantity);
        if (strcmp(rest, ln_domain(domain)->potential) != 0)
            continue;
        int first = next_port(type, -1, domain), second = next_port(type, first, domain);
        if (second < 0)
            return ln_quantity_link(network, block->links[first], quantity);
        *quantity = (ln_quantity){.kind = LN_Q_DROP,
                                  .index = instance,
                                  .item = first,
                                  .other = second,
                                  .sign = 1,
                                  .unit = ln_domain(domain)->potential_unit};
        return 1;
    }
    return 0;
}

/* A power is defined where every physical port has one. */
static int has_power(const linnet_block_class *type) {
    int some = 0;
    for (int j = 0; j < type->nports; j++) {
        if (type->ports[j].domain == LINNET_SIGNAL)
            continue;
        if (ln_domain(type->ports[j].domain)->power == LN_POWER_NONE)
            return 0;
        some = 1;
    }
    return some;
}

int ln_find_in_instance(const ln_network *network, int instance, const char *rest,
                        ln_quantity *quantity) {
    const ln_instance *block = &network->instances[instance];
    if (own_name(network, block, instance, rest, quantity) ||
        at_port(network, block, instance, rest, quantity) ||
        by_symbol(network, block, instance, rest, quantity))
        return 1;
    int port = ln_port_find(block->block.type->ports, block->block.type->nports, rest);
    /* a physical port: its potential */
    if (port >= 0)
        return ln_quantity_link(network, block->links[port], quantity);
    if (strcmp(rest, "P") != 0 || !has_power(block->block.type))
        return 0;
    *quantity = (ln_quantity){.kind = LN_Q_POWER, .index = instance, .sign = 1, .unit = "W"};
    return 1;
}

/* ---- what there is at an instance ---- */

static int is_port_flux(const linnet_block_class *type, const char *name) {
    const char *dot = strchr(name, '.');
    for (int j = 0; dot != NULL && j < type->nports; j++) {
        size_t length = strlen(type->ports[j].name);
        if (length == (size_t)(dot - name) && strncmp(name, type->ports[j].name, length) == 0)
            return 1;
    }
    return 0;
}

/* The symbols of one domain: of two ports their drop and the flux into the first, of more the flux
 * into each. */
static void domain_names(const ln_network *network, int instance, linnet_domain domain,
                         void (*visit)(void *context, const char *name), void *context) {
    const linnet_block_class *type = network->instances[instance].block.type;
    const ln_domain_info *info = ln_domain(domain);
    ln_quantity derived, found;
    int first = next_port(type, -1, domain), count = 0;
    if (first < 0)
        return;
    for (int j = first; j >= 0; j = next_port(type, j, domain))
        count++;
    const ln_instance *block = &network->instances[instance];
    if (by_symbol(network, block, instance, info->potential, &derived) &&
        !own_name(network, block, instance, info->potential, &found))
        visit(context, info->potential);
    if (!own_name(network, block, instance, info->flux, &found))
        visit(context, info->flux);
    for (int j = next_port(type, first, domain); count > 2 && j >= 0;
         j = next_port(type, j, domain)) {
        char *name = ln_arena_printf(network->arena, "%s.%s", type->ports[j].name, info->flux);
        if (name != NULL)
            visit(context, name);
    }
}

void ln_instance_names(const ln_network *network, int instance,
                       void (*visit)(void *context, const char *name), void *context) {
    const ln_instance *block = &network->instances[instance];
    const linnet_block_class *type = block->block.type;
    ln_quantity found;
    for (int k = 0; k < type->nvars; k++)
        if (!is_port_flux(type, type->vars[k].name))
            visit(context, type->vars[k].name);
    for (int k = 0; k < type->nmemories; k++)
        if (type->memories[k].name != NULL)
            visit(context, type->memories[k].name);
    for (int k = 0; k < type->nobserved; k++)
        visit(context, type->observed[k]);
    for (int j = 0; j < type->nports; j++)
        if (type->ports[j].flags & LINNET_OUTPUT)
            visit(context, type->ports[j].name);
    for (int d = LINNET_SIGNAL + 1; d < LINNET_DOMAINS; d++)
        domain_names(network, instance, (linnet_domain)d, visit, context);
    if (has_power(type) && !own_name(network, block, instance, "P", &found))
        visit(context, "P");
}

void ln_network_offered(const ln_network *network, int instance,
                        void (*visit)(void *context, const char *name, const char *unit),
                        void *context) {
    const ln_instance *block = &network->instances[instance];
    const linnet_block_class *class = block->block.type;
    linnet_status status;
    const ln_type *type = ln_catalogue_find(network->catalogue, class->name, &status);
    for (int k = 0; type != NULL && ln_type_offers(type) && k < type->face->nvars; k++) {
        const linnet_var *var = &type->face->vars[k];
        int there = !(var->flags & LINNET_ON_REQUEST);
        for (int own = 0; own < class->nvars; own++)
            there |= strcmp(class->vars[own].name, var->name) == 0;
        const char *name =
            there ? NULL : ln_arena_printf(network->arena, "%s.%s", block->name, var->name);
        if (name != NULL)
            visit(context, name, var->unit);
    }
}
