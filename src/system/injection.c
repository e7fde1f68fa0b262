/* SPDX-License-Identifier: MIT */
/* Inputs of the linearised system: a user's name becomes the rows that u enters, and with which
 * factors (linearise.h).
 *
 * The column of B belonging to u is ds/du, minus the derivative of the residuals d/dt q + f by u
 * while X is held. It is read off the Jacobian's entries, never found by differences. A column may
 * have several entries ("shares"): a source of flux takes out of one node what it brings into
 * another. */
#include "system/linearise.h"

#include "base/domain.h"
#include "system/active.h"
#include <string.h>

typedef struct input_search {
    ln_system *system;
    ln_moment at;
    ln_arena *arena;
    ln_report *report;
    ln_input *input;
} input_search;

static linnet_status append_share(input_search *in, int instance, int local, int row,
                                  double value) {
    ln_input *input = in->input;
    if (value == 0)
        return LINNET_OK;
    ln_share *more = ln_arena_alloc(in->arena, (size_t)input->nshares + 1, sizeof *more);
    if (more == NULL)
        return ln_no_memory(in->report);
    if (input->nshares > 0)
        memcpy(more, input->shares, (size_t)input->nshares * sizeof *more);
    more[input->nshares++] = (ln_share){instance, local, row, value};
    input->shares = more;
    return LINNET_OK;
}

static linnet_status add_share(input_search *in, int instance, int local, int row, double value) {
    const int balance = ln_balance_row(in->system, row);
    LN_TRY(append_share(in, instance, local, row, value));
    return balance >= 0 ? append_share(in, instance, -1, balance, value) : LINNET_OK;
}

static linnet_status refused(const input_search *in, int instance, const char *why) {
    const ln_instance *block = &in->system->network->instances[instance];
    return ln_fail(in->report, LINNET_USAGE, block->place, "%s (%s): %s", block->name,
                   block->block.type->name, why);
}

/* u is added to what this block reads at a signal input: its rows see f(x + u), so B gains -df/dx
 * in each row that reads the port. A row that takes the signal's derivative would need du/dt. */
static linnet_status input_at_port(input_search *in, int instance, int port) {
    ln_system *system = in->system;
    const linnet_block_class *type = system->network->instances[instance].block.type;
    if (ln_local_entries(system, instance, in->at) != LINNET_OK)
        return refused(in, instance, "it has no derivative at this point");
    for (int k = 0; k < type->nentries; k++) {
        const linnet_entry *e = &type->entries[k];
        if (e->col != port)
            continue;
        if (e->kind == LINNET_E && system->own->entry[k] != 0)
            return refused(in, instance,
                           "it takes the derivative of this signal; choose an input before it");
        if (e->kind == LINNET_A)
            LN_TRY(add_share(in, instance, e->row, ln_local_row(system->network, instance, e->row),
                             -system->own->entry[k]));
    }
    return LINNET_OK;
}

/* The coefficient of an output in its own row, if nothing else in the block looks at the output and
 * it is not stored; else 0. */
static linnet_status output_coefficient(input_search *in, int instance, int port, double *value) {
    const linnet_block_class *type = in->system->network->instances[instance].block.type;
    *value = 0;
    if (ln_local_entries(in->system, instance, in->at) != LINNET_OK)
        return refused(in, instance, "it has no derivative at this point");
    double own = 0;
    for (int k = 0; k < type->nentries; k++) {
        const linnet_entry *e = &type->entries[k];
        if (e->col != port)
            continue;
        if (e->kind == LINNET_E || e->row != port)
            return LINNET_OK;
        own += in->system->own->entry[k];
    }
    *value = own;
    return LINNET_OK;
}

/* u is added to a signal y. Where y is the output of a row c y = g(...), and nothing else in its
 * block looks at y, adding c u to that row makes the unknown itself y + u. Else (an integrator,
 * whose output is its state) the block must keep y for itself: all who read the signal see y + u,
 * and so does an output y, by `added`. */
static linnet_status input_at_signal(input_search *in, int link) {
    const ln_network *network = in->system->network;
    const ln_link *joined = &network->links[link];
    double value = 0;
    int driver = -1;
    for (int k = 0; k < joined->nports; k++) {
        const ln_joint *joint = &network->joints[joined->first + k];
        if (!(network->instances[joint->instance].block.type->ports[joint->port].flags &
              LINNET_OUTPUT))
            continue;
        driver = k;
        LN_TRY(output_coefficient(in, joint->instance, joint->port, &value));
    }
    if (driver >= 0 && value != 0) {
        const ln_joint *joint = &network->joints[joined->first + driver];
        return add_share(in, joint->instance, joint->port, joined->unknown, value);
    }
    for (int k = 0; k < joined->nports; k++) {
        const ln_joint *joint = &network->joints[joined->first + k];
        if (k != driver)
            LN_TRY(input_at_port(in, joint->instance, joint->port));
    }
    in->input->added = joined->unknown;
    return LINNET_OK;
}

static linnet_status input_at_link(input_search *in, int link) {
    const ln_network *network = in->system->network;
    const ln_link *joined = &network->links[link];
    const ln_domain_info *domain = ln_domain(joined->domain);
    if (joined->domain == LINNET_SIGNAL)
        return input_at_signal(in, link);
    in->input->unit = domain->flux_unit;
    if (joined->unknown < 0)
        return ln_fail(in->report, LINNET_USAGE, joined->place,
                       "link %s is held at zero: a flux brought into it changes nothing",
                       joined->name);
    return add_share(in, -1, -1, joined->unknown, 1);
}

/* The local rows that a source writes: own rows, outputs, or port fluxes. */
static int writes_source(const linnet_block_class *type, int local) {
    return type->source != NULL && (type->source_rows == NULL || type->source_rows[local] == '1');
}

/* An own row that drives: u comes with the coefficient of the first potential in it, so that p - n
 * gains u. */
static linnet_status input_in_own_row(input_search *in, int instance, int row) {
    const linnet_block_class *type = in->system->network->instances[instance].block.type;
    int column = -1;
    double value = 0;
    for (int k = 0; k < type->nentries; k++) {
        const linnet_entry *e = &type->entries[k];
        if (e->row != row || e->kind != LINNET_A || in->system->own->entry[k] == 0)
            continue;
        if (column >= 0 && e->col >= column)
            continue;
        column = e->col;
        value = in->system->own->entry[k];
    }
    if (column < 0)
        return refused(in, instance, "what its source drives has no name");
    in->input->unit = column >= type->nports
                          ? type->vars[column - type->nports].unit
                          : ln_domain(type->ports[column].domain)->potential_unit;
    return add_share(in, instance, row, ln_local_row(in->system->network, instance, row), value);
}

/* Does the block drive by a row of its own, with its other ports of the domain held at zero? Such a
 * source holds the potential of the link; a flux brought in there would change nothing. */
static int is_holder(const ln_network *network, int instance, int link) {
    const ln_instance *block = &network->instances[instance];
    const linnet_block_class *type = block->block.type;
    int drives = 0;
    for (int row = type->nports; row < type->nports + type->nvars; row++)
        drives |= writes_source(type, row);
    for (int port = 0; port < type->nports; port++) {
        const int other = block->links[port];
        if (other >= 0 && other != link && network->links[other].unknown >= 0 &&
            network->links[other].domain == network->links[link].domain)
            return 0;
    }
    return drives;
}

int ln_system_holder(const ln_network *network, const char *link) {
    for (int k = 0; k < network->nlinks; k++) {
        const ln_link *joined = &network->links[k];
        if (strcmp(joined->name, link) != 0 || joined->domain == LINNET_SIGNAL)
            continue;
        for (int j = 0; j < joined->nports; j++)
            if (is_holder(network, network->joints[joined->first + j].instance, k))
                return network->joints[joined->first + j].instance;
    }
    return -1;
}

/* A source of flux: into the first port of its domain, out of the second. */
static linnet_status input_as_flux(input_search *in, int instance, int port) {
    const ln_network *network = in->system->network;
    const linnet_block_class *type = network->instances[instance].block.type;
    in->input->unit = ln_domain(type->ports[port].domain)->flux_unit;
    LN_TRY(add_share(in, instance, port, ln_local_row(network, instance, port), -1));
    for (int other = port + 1; other < type->nports; other++)
        if (type->ports[other].domain == type->ports[port].domain && writes_source(type, other))
            return add_share(in, instance, other, ln_local_row(network, instance, other), 1);
    return LINNET_OK;
}

static linnet_status input_at_block(input_search *in, int instance) {
    const ln_instance *block = &in->system->network->instances[instance];
    const linnet_block_class *type = block->block.type;
    for (int port = 0; port < type->nports; port++)
        if (writes_source(type, port) && (type->ports[port].flags & LINNET_OUTPUT) &&
            block->links[port] >= 0)
            return input_at_link(in, block->links[port]);
    if (ln_local_entries(in->system, instance, in->at) != LINNET_OK)
        return refused(in, instance, "it has no derivative at this point");
    for (int row = type->nports; row < type->nports + type->nvars; row++)
        if (writes_source(type, row))
            return input_in_own_row(in, instance, row);
    for (int port = 0; port < type->nports; port++)
        if (writes_source(type, port) && type->ports[port].domain != LINNET_SIGNAL)
            return input_as_flux(in, instance, port);
    return refused(
        in, instance,
        "it is no source; an input is a source, a link, or a signal input such as G1.in");
}

static int input_port(const linnet_block_class *type, const char *name) {
    for (int port = 0; port < type->nports; port++)
        if (strcmp(type->ports[port].name, name) == 0 && (type->ports[port].flags & LINNET_INPUT))
            return port;
    return -1;
}

static int link_of(const ln_network *network, const ln_quantity *quantity) {
    for (int k = 0; k < network->nlinks; k++)
        if (quantity->kind == LN_Q_UNKNOWN && network->links[k].unknown == quantity->index)
            return k;
    return -1;
}

/* Names are tried as those of a block, of a signal input "block.port", of a link, and of a quantity
 * that is a link's unknown under another name. */
linnet_status ln_system_input(ln_system *system, const char *name, ln_moment at, ln_arena *arena,
                              ln_report *report, ln_input *input) {
    const ln_network *network = system->network;
    *input = (ln_input){.name = ln_arena_string(arena, name), .added = -1};
    if (input->name == NULL)
        return ln_no_memory(report);
    input_search in = {system, at, arena, report, input};
    int instance = ln_find_instance(network, name, strlen(name));
    if (instance >= 0)
        return input_at_block(&in, instance);
    const char *dot = strrchr(name, '.');
    int block = dot != NULL ? ln_find_instance(network, name, (size_t)(dot - name)) : -1;
    int port = block >= 0 ? input_port(network->instances[block].block.type, dot + 1) : -1;
    if (port >= 0)
        return input_at_port(&in, block, port);
    ln_quantity quantity;
    const char *nearest = NULL;
    int found = ln_network_find(network, name, &quantity, &nearest);
    for (int k = 0; k < network->nlinks; k++)
        if (strcmp(network->links[k].name, name) == 0)
            return input_at_link(&in, k);
    int link = found ? link_of(network, &quantity) : -1;
    if (link >= 0)
        return input_at_link(&in, link);
    if (found)
        return ln_fail(report, LINNET_USAGE, LN_NOWHERE,
                       "%s is nothing that could be driven; an input is a source, a link, or a "
                       "signal input such as G1.in",
                       name);
    return ln_fail(report, LINNET_USAGE, LN_NOWHERE,
                   "no source, link or signal input is called %s%s%s%s", name,
                   nearest != NULL ? "; did you mean " : "", nearest != NULL ? nearest : "",
                   nearest != NULL ? "?" : "");
}

void ln_system_input_column(const ln_input *input, double *b, int stride) {
    for (int k = 0; k < input->nshares; k++)
        if (input->shares[k].row >= 0)
            b[input->shares[k].row * stride] += input->shares[k].value;
}
