/* SPDX-License-Identifier: MIT */
/* Values a user can name, at a point: potentials, signals, variables, fluxes, drops, powers, lets.
 *
 * A flux is the block's row evaluated alone. If it stores, its derivative belongs to the method,
 * and if it is nonlinear, Newton's method meets it up to the error that is left: such a flux is an
 * unknown (ln_observe_request), so that fluxes add up to zero at a link, and reading it costs
 * nothing. */
#include "base/domain.h"
#include "system/active.h"
#include "system/system.h"

#include <math.h>
#include <string.h>

/* ---- before the system is built ---- */

/* With modes a flux stays what its row says: modes that depend on it would have one unknown more to
 * agree with. */
static int stores_or_bends(const linnet_block_class *type, int port) {
    for (int k = 0; k < type->nentries; k++)
        if (type->entries[k].row == port && type->entries[k].kind == LINNET_E)
            return 1;
    return type->nonlinear_rows != NULL && type->nonlinear_rows[port] != '0' &&
           (type->nonlinear_rows[port] != '1' || type->nmodes == 0);
}

/* A reference block takes what the others at its link leave: their fluxes must be known. */
static linnet_status request_flux(ln_network *network, int instance, int port, ln_report *report) {
    const ln_instance *block = &network->instances[instance];
    const linnet_block_class *type = block->block.type;
    if (type->ports[port].domain == LINNET_SIGNAL)
        return LINNET_OK;
    if (type->reference_port >= 0 && block->links[port] >= 0) {
        const ln_link *link = &network->links[block->links[port]];
        for (int k = 0; k < link->nports; k++) {
            const ln_joint *joint = &network->joints[link->first + k];
            if (network->instances[joint->instance].block.type->reference_port >= 0)
                continue;
            LN_TRY(request_flux(network, joint->instance, joint->port, report));
        }
        return LINNET_OK;
    }
    if (!stores_or_bends(type, port))
        return LINNET_OK;
    return ln_network_add_flux(network, instance, port) < 0 ? ln_no_memory(report) : LINNET_OK;
}

linnet_status ln_observe_request(ln_network *network, const ln_quantity *quantity,
                                 ln_report *report) {
    if (quantity->kind == LN_Q_FLUX)
        return request_flux(network, quantity->index, quantity->item, report);
    if (quantity->kind != LN_Q_POWER)
        return LINNET_OK;
    int nports = network->instances[quantity->index].block.type->nports;
    for (int port = 0; port < nports; port++)
        LN_TRY(request_flux(network, quantity->index, port, report));
    return LINNET_OK;
}

int ln_system_rows_read(const ln_system *system, char *read) {
    int count = 0;
    memset(read, 0, (size_t)system->n);
    for (int k = 0; k < system->nnonlinear; k++) {
        const ln_active *active = &system->nonlinear[k];
        const linnet_block_class *type = active->instance->block.type;
        for (int port = 0; port < type->nports; port++) {
            const int row = ln_row_of(active, port);
            if (row < 0 || system->dynamic[row] || type->nonlinear_rows == NULL ||
                type->nonlinear_rows[port] == '0' || type->ports[port].domain == LINNET_SIGNAL ||
                stores_or_bends(type, port))
                continue;
            count += !read[row];
            read[row] = 1;
        }
    }
    return count;
}

/* ---- at a point ---- */

static double potential_at(const ln_network *network, const ln_instance *instance, int port,
                           const double *x) {
    int link = instance->links[port];
    int unknown = link < 0 ? -1 : network->links[link].unknown;
    return unknown < 0 ? 0 : x[unknown];
}

static void gather(const ln_network *network, const ln_instance *instance, const double *x,
                   double *local) {
    const linnet_block_class *type = instance->block.type;
    for (int j = 0; j < type->nports; j++)
        local[j] = potential_at(network, instance, j, x);
    for (int k = 0; k < type->nvars; k++)
        local[type->nports + k] = x[instance->first_own + k];
}

static const double *memories_at(ln_system *system, const ln_instance *instance, ln_side side) {
    int index = system->own->hybrid[instance - system->network->instances];
    return ln_memories_at(system, instance, index, side, system->own->x);
}

/* The static part of a block's row: constant entries, sources and nonlinear part. */
static double row_value(ln_system *system, ln_instance *instance, int row,
                        const linnet_point *point) {
    struct ln_system_private *own = system->own;
    linnet_block block;
    if (ln_prepare(system, instance, &block, NULL) != LINNET_OK)
        return NAN;
    const linnet_block_class *type = block.type;
    size_t n = (size_t)(type->nports + type->nvars);
    double value = 0;
    memset(own->entry, 0, (size_t)type->nentries * sizeof *own->entry);
    if (type->linear != NULL)
        type->linear(&block, own->entry);
    for (int k = 0; k < type->nentries; k++) {
        const linnet_entry *e = &type->entries[k];
        if (e->row == row && e->kind == LINNET_A && e->change == LINNET_CONSTANT)
            value += own->entry[k] * point->x[e->col];
    }
    if (type->source != NULL) {
        memset(own->f, 0, n * sizeof *own->f);
        type->source(&block, point, own->f);
        value -= own->f[row];
    }
    if (type->eval != NULL) {
        memset(own->q, 0, n * sizeof *own->q);
        memset(own->f, 0, n * sizeof *own->f);
        memset(own->entry, 0, (size_t)type->nentries * sizeof *own->entry);
        if (type->eval(&block, point, &(linnet_out){own->q, own->f, own->entry}) != LINNET_OK)
            return NAN;
        value += own->f[row];
    }
    return value;
}

/* The value of a row or an item of an instance at x. Branches that have none within rounding of a
 * crossing (a root) yield to those of the point itself, as in a step. */
typedef double looker(ln_system *system, ln_instance *instance, int which,
                      const linnet_point *point);

static double look(ln_system *system, ln_instance *instance, int which, const ln_moment *at,
                   looker *value_of) {
    const ln_side side = at->side;
    gather(system->network, instance, at->x, system->own->x);
    const double value = value_of(
        system, instance, which,
        &(linnet_point){side.t, side.within, system->own->x, memories_at(system, instance, side)});
    return isfinite(value) || instance->block.type->nmodes == 0 || side.modes == LN_MODES_FREE
               ? value
               : look(system, instance, which,
                      &(ln_moment){ln_side_with(side, LN_MODES_FREE), at->x}, value_of);
}

static double flux_at(ln_system *system, int instance, int port, ln_side side, const double *x);

/* The first reference block of a link takes minus the sum of the others' fluxes, further ones
 * nothing. */
static double reference_flux(ln_system *system, int instance, int port, ln_side side,
                             const double *x) {
    const ln_network *network = system->network;
    const ln_link *link = &network->links[network->instances[instance].links[port]];
    double sum = 0;
    for (int k = 0; k < link->nports; k++) {
        const ln_joint *joint = &network->joints[link->first + k];
        if (network->instances[joint->instance].block.type->reference_port < 0)
            sum += flux_at(system, joint->instance, joint->port, side, x);
        else if (joint->instance < instance)
            return 0;
    }
    return -sum;
}

static double flux_at(ln_system *system, int instance, int port, ln_side side, const double *x) {
    ln_network *network = system->network;
    ln_instance *block = &network->instances[instance];
    const ln_extra *extra = ln_find_extra(network, instance, port);
    if (extra != NULL)
        return x[extra->unknown];
    if (block->links[port] < 0)
        return 0;
    if (block->block.type->reference_port >= 0)
        return reference_flux(system, instance, port, side, x);
    return look(system, block, port, &(ln_moment){side, x}, row_value);
}

static double power_at(ln_system *system, int instance, ln_side side, const double *x) {
    const ln_network *network = system->network;
    const ln_instance *block = &network->instances[instance];
    double sum = 0;
    for (int port = 0; port < block->block.type->nports; port++) {
        ln_power rule = ln_domain(block->block.type->ports[port].domain)->power;
        if (rule == LN_POWER_NONE)
            continue;
        double flux = flux_at(system, instance, port, side, x);
        sum += rule == LN_POWER_FLUX ? flux : flux * potential_at(network, block, port, x);
    }
    return sum;
}

static double item_value(ln_system *system, ln_instance *instance, int item,
                         const linnet_point *point) {
    linnet_block block;
    if (ln_prepare(system, instance, &block, NULL) != LINNET_OK)
        return NAN;
    return block.type->observe(&block, point, item);
}

double ln_system_observe(ln_system *system, const ln_quantity *quantity, ln_side side,
                         const double *x) {
    const ln_network *network = system->network;
    double value = 0;
    switch (quantity->kind) {
    case LN_Q_UNKNOWN: value = x[quantity->index]; break;
    case LN_Q_MEMORY: value = system->memory[quantity->index]; break;
    case LN_Q_CONSTANT: value = quantity->value; break;
    case LN_Q_FLUX: value = flux_at(system, quantity->index, quantity->item, side, x); break;
    case LN_Q_DROP:
        value = potential_at(network, &network->instances[quantity->index], quantity->item, x) -
                potential_at(network, &network->instances[quantity->index], quantity->other, x);
        break;
    case LN_Q_POWER: value = power_at(system, quantity->index, side, x); break;
    case LN_Q_OBSERVED:
        value = look(system, &network->instances[quantity->index], quantity->item,
                     &(ln_moment){side, x}, item_value);
        break;
    case LN_Q_ZERO:
    case LN_Q_NONE: break;
    }
    return quantity->sign != 0 ? quantity->sign * value : value;
}
