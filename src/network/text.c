/* SPDX-License-Identifier: MIT */
/* What messages and step control need to know of an unknown or a row: its names, its place, its
 * scale. */
#include "network/names.h"

#include "base/domain.h"
#include <stdio.h>
#include <string.h>

static const char no_unknown[] = "no unknown";

/* Whose unknown a number is. */
typedef struct owner {
    const ln_link *link; /* or */
    const ln_instance *instance;
    int var;  /* own variable of the instance, or -1 */
    int port; /* port whose flux it is, or -1 */
} owner;

/* A network may have no unknowns: then the one that a message is about is none. */
static int is_unknown(const ln_network *network, int number) {
    return number >= 0 && number < network->n;
}

static owner owner_of(const ln_network *network, int unknown) {
    const struct ln_network_names *names = network->names;
    if (unknown >= names->nowned) {
        const ln_extra *extra = &network->extras[unknown - names->nowned];
        return (owner){NULL, &network->instances[extra->instance], -1, extra->port};
    }
    int index = names->owner[unknown];
    if (index < 0)
        return (owner){&network->links[-1 - index], NULL, -1, -1};
    const ln_instance *instance = &network->instances[index];
    return (owner){NULL, instance, unknown - instance->first_own, -1};
}

/* The instance and port that drive a signal link. */
static const ln_joint *driver_of(const ln_network *network, const ln_link *link) {
    for (int k = 0; k < link->nports; k++) {
        const ln_joint *joint = &network->joints[link->first + k];
        if (network->instances[joint->instance].block.type->ports[joint->port].flags &
            LINNET_OUTPUT)
            return joint;
    }
    return NULL;
}

static const char *flux_name(const owner *subject) {
    return ln_domain(subject->instance->block.type->ports[subject->port].domain)->flux;
}

const char *ln_network_unknown_unit(const ln_network *network, int unknown) {
    const owner subject = owner_of(network, unknown);
    const char *unit =
        subject.link != NULL ? ln_domain(subject.link->domain)->potential_unit
        : subject.port >= 0
            ? ln_domain(subject.instance->block.type->ports[subject.port].domain)->flux_unit
            : subject.instance->block.type->vars[subject.var].unit;
    return unit != NULL ? unit : "";
}

void ln_network_unknown_text(const ln_network *network, int unknown, char text[160]) {
    if (!is_unknown(network, unknown)) {
        snprintf(text, 160, "%s", no_unknown);
        return;
    }
    owner subject = owner_of(network, unknown);
    if (subject.link != NULL && subject.link->domain == LINNET_SIGNAL) {
        snprintf(text, 160, "signal %s", subject.link->name);
    } else if (subject.link != NULL) {
        snprintf(text, 160, "potential of link %s [%s]", subject.link->name,
                 ln_domain(subject.link->domain)->potential_unit);
    } else if (subject.port >= 0) {
        const linnet_port *port = &subject.instance->block.type->ports[subject.port];
        snprintf(text, 160, "%s.%s.%s [%s]", subject.instance->name, port->name,
                 flux_name(&subject), ln_domain(port->domain)->flux_unit);
    } else {
        const linnet_var *var = &subject.instance->block.type->vars[subject.var];
        int with_unit = var->unit != NULL && var->unit[0] != '\0';
        snprintf(text, 160, "%s.%s%s%s%s", subject.instance->name, var->name, with_unit ? " [" : "",
                 with_unit ? var->unit : "", with_unit ? "]" : "");
    }
}

void ln_network_row_text(const ln_network *network, int row, char text[160]) {
    owner subject = owner_of(network, row);
    if (subject.link != NULL && subject.link->domain == LINNET_SIGNAL) {
        const ln_joint *driver = driver_of(network, subject.link);
        const ln_instance *block = driver == NULL ? NULL : &network->instances[driver->instance];
        if (block != NULL)
            snprintf(text, 160, "output %s.%s", block->name,
                     block->block.type->ports[driver->port].name);
        else
            snprintf(text, 160, "signal %s", subject.link->name);
    } else if (subject.link != NULL) {
        snprintf(text, 160, "flux sum at link %s", subject.link->name);
    } else if (subject.port >= 0) {
        snprintf(text, 160, "flux %s.%s.%s", subject.instance->name,
                 subject.instance->block.type->ports[subject.port].name, flux_name(&subject));
    } else {
        const linnet_row *own = &subject.instance->block.type->rows[subject.var];
        snprintf(text, 160, "equation '%s' of %s", own->name != NULL ? own->name : "",
                 subject.instance->name);
    }
}

const char *ln_network_unknown_name(const ln_network *network, int unknown) {
    if (!is_unknown(network, unknown))
        return no_unknown;
    owner subject = owner_of(network, unknown);
    if (subject.link != NULL)
        return subject.link->name;
    const linnet_block_class *type = subject.instance->block.type;
    const char *name = subject.port >= 0
                           ? ln_arena_printf(network->arena, "%s.%s.%s", subject.instance->name,
                                             type->ports[subject.port].name, flux_name(&subject))
                           : ln_arena_printf(network->arena, "%s.%s", subject.instance->name,
                                             type->vars[subject.var].name);
    return name != NULL ? name : subject.instance->name;
}

const ln_instance *ln_network_row_block(const ln_network *network, int row) {
    owner subject = owner_of(network, row);
    if (subject.link == NULL)
        return subject.instance;
    const ln_joint *driver =
        subject.link->domain == LINNET_SIGNAL ? driver_of(network, subject.link) : NULL;
    return driver != NULL ? &network->instances[driver->instance] : NULL;
}

ln_place ln_network_unknown_place(const ln_network *network, int unknown) {
    if (!is_unknown(network, unknown))
        return LN_NOWHERE;
    owner subject = owner_of(network, unknown);
    return subject.link != NULL ? subject.link->place : subject.instance->place;
}

/* ---- scales ---- */

/* Relative size of the absolute tolerance of a variable that no domain knows. */
static const double variable_tolerance = 1e-6;

int ln_unit_scale(const char *unit, double *abstol, double *nominal) {
    for (int d = 0; unit != NULL && unit[0] != '\0' && d < LINNET_DOMAINS; d++) {
        const ln_domain_info *domain = ln_domain((linnet_domain)d);
        if (domain->potential_unit == NULL || domain->flux_unit == NULL)
            continue; /* signal */
        if (strcmp(unit, domain->potential_unit) == 0) {
            *abstol = domain->potential_abstol;
            *nominal = domain->potential_nominal;
            return 1;
        }
        if (strcmp(unit, domain->flux_unit) == 0) {
            *abstol = domain->flux_abstol;
            *nominal = domain->flux_nominal;
            return 1;
        }
    }
    return 0;
}

/* From the domain or the variable. */
static void own_scale(const ln_network *network, int unknown, double *abstol, double *nominal) {
    owner subject = owner_of(network, unknown);
    if (subject.link != NULL) {
        const ln_domain_info *domain = ln_domain(subject.link->domain);
        *abstol = domain->potential_abstol;
        *nominal = domain->potential_nominal;
        return;
    }
    if (subject.port >= 0) {
        const ln_domain_info *domain =
            ln_domain(subject.instance->block.type->ports[subject.port].domain);
        *abstol = domain->flux_abstol;
        *nominal = domain->flux_nominal;
        return;
    }
    const linnet_var *var = &subject.instance->block.type->vars[subject.var];
    if (ln_unit_scale(var->unit, abstol, nominal)) {
        if (var->nominal > 0) {
            *abstol *= var->nominal / *nominal;
            *nominal = var->nominal;
        }
    } else {
        *nominal = var->nominal > 0 ? var->nominal : 1;
        *abstol = variable_tolerance * *nominal;
    }
    if (var->absolute > 0)
        *abstol = var->absolute;
}

/* From <tolerance>; 0 when there is none. */
static double asked_for(const ln_network *network, int unknown) {
    return network->absolute != NULL && unknown < network->names->nowned
               ? network->absolute[unknown]
               : 0;
}

void ln_network_unknown_scale(const ln_network *network, int unknown, double *abstol,
                              double *nominal) {
    own_scale(network, unknown, abstol, nominal);
    if (asked_for(network, unknown) > 0)
        *abstol = asked_for(network, unknown);
}

int ln_network_has_tolerance(const ln_network *network, int unknown) {
    owner subject = owner_of(network, unknown);
    int is_variable = subject.link == NULL && subject.port < 0;
    return (asked_for(network, unknown) > 0 && network->singled[unknown]) ||
           (is_variable && subject.instance->block.type->vars[subject.var].absolute > 0);
}

int ln_network_is_potential(const ln_network *network, int unknown) {
    const owner subject = owner_of(network, unknown);
    return subject.link != NULL && subject.link->domain != LINNET_SIGNAL;
}

int ln_network_is_physical(const ln_network *network, int unknown) {
    owner subject = owner_of(network, unknown);
    double abstol, nominal;
    if (subject.link != NULL)
        return subject.link->domain != LINNET_SIGNAL;
    const linnet_block_class *type = subject.instance->block.type;
    if (subject.port >= 0)
        return type->ports[subject.port].domain != LINNET_SIGNAL;
    for (int k = 0; k < type->nports; k++)
        if (type->ports[k].domain != LINNET_SIGNAL)
            return ln_unit_scale(type->vars[subject.var].unit, &abstol, &nominal);
    return 0;
}
