/* SPDX-License-Identifier: MIT */
/* Checks of single links and blocks: one domain, one driver of a signal, no loose ends, no block
 * across nothing. */
#include "network/check.h"

#include "base/domain.h"
#include "model/scope.h"
#include <string.h>
#include <strings.h>

static const linnet_port *port_of(const ln_network *network, const ln_joint *joint) {
    return &network->instances[joint->instance].block.type->ports[joint->port];
}

static const ln_instance *block_of(const ln_network *network, const ln_joint *joint) {
    return &network->instances[joint->instance];
}

/* All ports of a link are of one domain, which becomes the link's. */
static int check_domain(ln_build *build, ln_link *link) {
    const ln_network *network = build->network;
    const ln_joint *first = &network->joints[link->first];
    link->domain = port_of(network, first)->domain;
    for (int k = 1; k < link->nports; k++) {
        const ln_joint *joint = first + k;
        linnet_domain domain = port_of(network, joint)->domain;
        if (domain == link->domain)
            continue;
        LN_WRONG(
            build, block_of(network, joint)->place,
            "link '%s' joins %s.%s (%s) and %s.%s (%s, line %d); ports of one link have one domain",
            link->name, block_of(network, joint)->name, port_of(network, joint)->name,
            ln_domain(domain)->name, block_of(network, first)->name, port_of(network, first)->name,
            ln_domain(link->domain)->name, block_of(network, first)->place.line);
        return 0;
    }
    return 1;
}

static void check_signal(ln_build *build, const ln_link *link) {
    const ln_network *network = build->network;
    const ln_joint *driver = NULL;
    for (int k = 0; k < link->nports; k++) {
        const ln_joint *joint = &network->joints[link->first + k];
        if (!(port_of(network, joint)->flags & LINNET_OUTPUT))
            continue;
        if (driver != NULL)
            LN_WRONG(
                build, block_of(network, joint)->place,
                "signal '%s' is driven by %s.%s and by %s.%s (line %d); a signal has one source",
                link->name, block_of(network, driver)->name, port_of(network, driver)->name,
                block_of(network, joint)->name, port_of(network, joint)->name,
                block_of(network, driver)->place.line);
        driver = joint;
    }
    if (driver != NULL)
        return;
    const ln_joint *reader = &network->joints[link->first];
    const ln_instance *block = block_of(network, reader);
    const char *port = port_of(network, reader)->name;
    size_t length = strlen(block->name);
    int own = strncmp(link->name, block->name, length) == 0 && link->name[length] == '.';
    if (own)
        LN_WRONG(build, block->place,
                 "%s (%s): input %s has no source; write %s=\"...\" with the name of a signal",
                 block->name, block->block.type->name, port, port);
    else
        LN_WRONG(build, block->place,
                 "%s (%s): input %s reads signal '%s', which has no source; join it to an output",
                 block->name, block->block.type->name, port, link->name);
}

/* A physical link with a single port carries no flux. */
static void check_loose(ln_build *build, const ln_link *link, unsigned flags) {
    const ln_network *network = build->network;
    const ln_joint *joint = &network->joints[link->first];
    const ln_instance *block = block_of(network, joint);
    const char *port = port_of(network, joint)->name;
    if (link->nports > 1)
        return;
    if (flags & LN_RAW_OPEN)
        ln_warn(build->report, link->place, "%s (%s): port %s is not connected", block->name,
                block->block.type->name, port);
    else if (flags & LN_RAW_WRITTEN)
        LN_WRONG(build, link->place, "link '%s' joins fewer than two ports; add the other end",
                 link->name);
    else
        ln_warn(build->report, link->place, "link '%s' joins only %s.%s; is its name misspelt%s?",
                link->name, block->name, port,
                strcasecmp(link->name, "o") == 0 ? ": a letter for the digit 0" : "");
}

/* A block of two ports with both at one link does nothing: most often a name was copied. */
static void check_shorted(ln_build *build, const ln_instance *block) {
    const linnet_block_class *type = block->block.type;
    if (type->nports != 2 || block->links[0] < 0 || block->links[0] != block->links[1] ||
        type->ports[0].domain == LINNET_SIGNAL || type->ports[1].domain == LINNET_SIGNAL)
        return;
    ln_warn(build->report, block->place,
            "%s (%s): both of its ports join link '%s', so that it does nothing there; is one of "
            "the names wrong?",
            block->name, type->name, build->network->links[block->links[0]].name);
}

/* What a component says of its ports must be what joins them. */
static void check_component(ln_build *build, const ln_component *component) {
    for (int j = 0; j < component->nports; j++) {
        if (component->links[j] < 0)
            continue;
        const ln_link *link = &build->network->links[component->links[j]];
        if (link->domain == component->ports[j].domain)
            continue;
        const ln_joint *joint = &build->network->joints[link->first];
        LN_WRONG(build, ln_place_of(component->element),
                 "%s (%s): its port %s (%s) joins link '%s', which is %s at %s.%s", component->name,
                 component->element->name, component->ports[j].name,
                 ln_domain(component->ports[j].domain)->name, link->name,
                 ln_domain(link->domain)->name, block_of(build->network, joint)->name,
                 port_of(build->network, joint)->name);
    }
}

int ln_check_links(ln_build *build) {
    ln_network *network = build->network;
    for (int k = 0; k < network->nlinks; k++) {
        ln_link *link = &network->links[k];
        if (!check_domain(build, link))
            continue;
        if (link->domain == LINNET_SIGNAL) {
            check_signal(build, link);
        } else if (link->nports == 1) {
            int raw = ln_map_get(build->link_map, link->name);
            check_loose(build, link, raw < 0 ? 0 : build->links[raw].flags);
        }
    }
    for (int i = 0; i < network->ninstances; i++)
        check_shorted(build, &network->instances[i]);
    for (int i = 0; i < network->names->ncomponents; i++)
        check_component(build, &network->names->components[i]);
    return build->status == LINNET_OK;
}

int ln_take_guesses(ln_build *build, const int *rank) {
    ln_network *network = build->network;
    for (size_t i = 0; i < build->nguesses; i++) {
        const ln_guess *guess = &build->guesses[i];
        int index = rank[ln_raw_root(build, guess->link)];
        if (index < 0)
            continue; /* joins nothing: told already */
        ln_link *link = &network->links[index];
        ln_link_start *start = LN_NEW(network->arena, ln_link_start, 1);
        if (start == NULL)
            return ln_build_failed(build);
        const char *unit =
            link->domain == LINNET_SIGNAL ? NULL : ln_domain(link->domain)->potential_unit;
        linnet_status status =
            ln_scope_value(guess->scope, ln_attribute_of(guess->element, "value"), unit,
                           ln_place_of(guess->element), &start->value);
        const char *fixed = ln_attribute_of(guess->element, "fixed");
        if (link->start != NULL)
            LN_WRONG(build, ln_place_of(guess->element),
                     "link %s has a start at line %d already; keep one of them", link->name,
                     link->start->place.line);
        if (status == LINNET_OK && fixed != NULL && strcmp(fixed, "yes") != 0 &&
            strcmp(fixed, "no") != 0)
            LN_WRONG(build, ln_place_of(guess->element), "<start>: fixed=\"%s\" must be yes or no",
                     fixed);
        if (status != LINNET_OK)
            build->status = status;
        start->fixed = fixed != NULL && strcmp(fixed, "yes") == 0;
        start->place = ln_place_of(guess->element);
        link->start = start;
        if (status == LINNET_MEMORY)
            return 0;
    }
    return build->status == LINNET_OK;
}
