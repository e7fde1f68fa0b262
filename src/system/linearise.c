/* SPDX-License-Identifier: MIT */
/* The linearised system: its matrices and the rows of outputs, from the entries of the blocks;
 * never by differences, with one exception: a block's observed values come without derivatives and
 * are differentiated by Ridders' extrapolation. */
#include "system/linearise.h"

#include "base/domain.h"
#include "system/active.h"
#include <math.h>
#include <string.h>

linnet_status ln_system_linearise(ln_system *system, ln_moment at, double *E, double *A) {
    /* modes as they are at this very point */
    LN_TRY(ln_system_eval(system, &(ln_moment){ln_side_with(at.side, LN_MODES_FREE), at.x},
                          LN_LIMIT_OFF, NULL, NULL, NULL));
    if (system->own->secants > 0)
        return LINNET_RETRY; /* the blame stands: there is no tangent */
    ln_system_jacobian(system, 0, A);
    ln_system_mass_matrix(system, E);
    return LINNET_OK;
}

/* ---- one block at the point ---- */

static double local_value(const ln_network *network, const ln_instance *instance, int local,
                          const double *x) {
    int nports = instance->block.type->nports;
    if (local >= nports)
        return x[instance->first_own + local - nports];
    int link = instance->links[local];
    int unknown = link < 0 ? -1 : network->links[link].unknown;
    return unknown < 0 ? 0 : x[unknown];
}

int ln_local_unknown(const ln_network *network, const ln_instance *instance, int local) {
    int nports = instance->block.type->nports;
    if (local >= nports)
        return instance->first_own + local - nports;
    return instance->links[local] < 0 ? -1 : network->links[instance->links[local]].unknown;
}

int ln_balance_row(const ln_system *system, int row) {
    const int balance = system->balance_row != NULL && row >= 0 ? system->balance_row[row] : -1;
    return balance != row ? balance : -1;
}

int ln_local_row(const ln_network *network, int instance, int local) {
    const ln_instance *block = &network->instances[instance];
    const linnet_block_class *type = block->block.type;
    if (local < type->nports && type->ports[local].domain == LINNET_SIGNAL &&
        (type->ports[local].flags & LINNET_INPUT))
        return -1;
    const ln_extra *extra = local < type->nports ? ln_find_extra(network, instance, local) : NULL;
    return extra != NULL ? extra->unknown : ln_local_unknown(network, block, local);
}

/* The block prepared, its local unknowns and memories gathered. Analyses ask for one block
 * at a time; a run evaluates all of them by its lists (active.h). */
static linnet_status place_block(ln_system *system, int instance, ln_moment at, linnet_block *block,
                                 linnet_point *point) {
    struct ln_system_private *own = system->own;
    ln_instance *part = &system->network->instances[instance];
    LN_TRY(ln_prepare(system, part, block, NULL));
    const linnet_block_class *type = block->type;
    for (int j = 0; j < type->nports + type->nvars; j++)
        own->x[j] = local_value(system->network, part, j, at.x);
    /* modes as they are at this very point */
    const ln_side side = ln_side_with(at.side, LN_MODES_FREE);
    *point = (linnet_point){side.t, side.within, own->x,
                            ln_memories_at(system, part, own->hybrid[instance], side, own->x)};
    return LINNET_OK;
}

/* All entries of the block, constant and at the point, in system->own->entry. */
linnet_status ln_local_entries(ln_system *system, int instance, ln_moment at) {
    struct ln_system_private *own = system->own;
    linnet_block block;
    linnet_point point;
    LN_TRY(place_block(system, instance, at, &block, &point));
    const linnet_block_class *type = block.type;
    size_t nlocal = (size_t)(type->nports + type->nvars);
    memset(own->entry, 0, (size_t)type->nentries * sizeof *own->entry);
    if (type->linear != NULL)
        type->linear(&block, own->entry);
    if (type->eval == NULL)
        return LINNET_OK;
    memset(own->q, 0, nlocal * sizeof *own->q);
    memset(own->f, 0, nlocal * sizeof *own->f);
    LN_TRY(type->eval(&block, &point, &(linnet_out){own->q, own->f, own->entry}));
    for (int k = 0; k < type->nentries; k++)
        if (!isfinite(own->entry[k]))
            return LINNET_RETRY;
    return LINNET_OK;
}

const double *ln_system_block_entries(ln_system *system, int instance, ln_moment at) {
    return ln_local_entries(system, instance, at) == LINNET_OK ? system->own->entry : NULL;
}

/* The storage of each block by itself, before blocks are summed: which block a state belongs to is
 * seen here and not in E. */
linnet_status ln_system_storage(ln_system *system, ln_moment at, ln_storage_visit *visit,
                                void *context) {
    const ln_network *network = system->network;
    for (int i = 0; i < network->ninstances; i++) {
        const ln_instance *instance = &network->instances[i];
        const linnet_block_class *type = instance->block.type;
        int stores = 0;
        for (int k = 0; k < type->nentries && !stores; k++)
            stores = type->entries[k].kind == LINNET_E;
        if (!stores)
            continue;
        LN_TRY(ln_local_entries(system, i, at));
        for (int k = 0; k < type->nentries; k++) {
            const linnet_entry *e = &type->entries[k];
            int unknown = ln_local_unknown(network, instance, e->col),
                row = ln_local_row(network, i, e->row);
            if (e->kind == LINNET_E && unknown >= 0 && row >= 0)
                visit(context, i, e->col, row, unknown, system->own->entry[k]);
        }
    }
    return LINNET_OK;
}

linnet_status ln_system_entries(ln_system *system, ln_moment at, ln_entry_visit *visit,
                                void *context) {
    const ln_network *network = system->network;
    for (int i = 0; i < network->ninstances; i++) {
        const ln_instance *instance = &network->instances[i];
        const linnet_block_class *type = instance->block.type;
        if (type->reference_port >= 0)
            continue;
        LN_TRY(ln_local_entries(system, i, at));
        for (int k = 0; k < type->nentries; k++) {
            const linnet_entry *e = &type->entries[k];
            const int unknown = ln_local_unknown(network, instance, e->col),
                      row = ln_local_row(network, i, e->row);
            if (unknown >= 0 && row >= 0)
                visit(context, i, e->kind, row, unknown, system->own->entry[k]);
        }
    }
    for (int k = 0; k < network->nextras; k++) {
        const ln_extra *extra = &network->extras[k];
        const int link = network->instances[extra->instance].links[extra->port];
        visit(context, extra->instance, LINNET_A, extra->unknown, extra->unknown, -1);
        if (link >= 0 && network->links[link].unknown >= 0)
            visit(context, extra->instance, LINNET_A, network->links[link].unknown, extra->unknown,
                  1);
    }
    return LINNET_OK;
}

/* ---- outputs ---- */

static linnet_status add_flux(const ln_output_row *out, int instance, int port, double scale);

/* As a reference block's flux is observed: the first one of a link takes what the others leave. */
static linnet_status add_reference_flux(const ln_output_row *out, int instance, int port,
                                        double scale) {
    const ln_network *network = out->system->network;
    const ln_link *link = &network->links[network->instances[instance].links[port]];
    for (int k = 0; k < link->nports; k++) {
        const ln_joint *joint = &network->joints[link->first + k];
        if (network->instances[joint->instance].block.type->reference_port >= 0 &&
            joint->instance < instance)
            return LINNET_OK;
    }
    for (int k = 0; k < link->nports; k++) {
        const ln_joint *joint = &network->joints[link->first + k];
        if (network->instances[joint->instance].block.type->reference_port < 0)
            LN_TRY(add_flux(out, joint->instance, joint->port, -scale));
    }
    return LINNET_OK;
}

/* The flux into a block's port: an unknown where it has been made one, else the block's own row,
 * f = A x + f_nl - s, by its entries. An input that enters this row stands in s, and so comes
 * through directly (d), with the other sign. */
static linnet_status add_flux(const ln_output_row *out, int instance, int port, double scale) {
    ln_system *system = out->system;
    const ln_network *network = system->network;
    const ln_instance *block = &network->instances[instance];
    const linnet_block_class *type = block->block.type;
    const ln_extra *extra = ln_find_extra(network, instance, port);
    if (extra != NULL) {
        out->c[extra->unknown] += scale;
        return LINNET_OK;
    }
    if (block->links[port] < 0)
        return LINNET_OK;
    if (type->reference_port >= 0)
        return add_reference_flux(out, instance, port, scale);
    LN_TRY(ln_local_entries(system, instance, out->at));
    for (int k = 0; k < type->nentries; k++) {
        const linnet_entry *e = &type->entries[k];
        int unknown =
            e->row == port && e->kind == LINNET_A ? ln_local_unknown(network, block, e->col) : -1;
        if (unknown >= 0)
            out->c[unknown] += scale * system->own->entry[k];
    }
    for (int k = 0; k < out->ninputs; k++)
        for (int j = 0; j < out->inputs[k].nshares; j++) {
            const ln_share *share = &out->inputs[k].shares[j];
            if (share->instance == instance && share->local == port)
                out->d[k] -= scale * share->value;
        }
    return LINNET_OK;
}

static void add_unknown(const ln_output_row *out, int unknown, double scale) {
    if (unknown < 0)
        return;
    out->c[unknown] += scale;
    for (int k = 0; k < out->ninputs; k++)
        if (out->inputs[k].added == unknown)
            out->d[k] += scale;
}

/* Power is the sum over the ports of flux times potential, so its linear part has two terms a port:
 * potential times change of flux, and flux times change of potential. In domains whose flux is a
 * power already (heat) it is the flux. */
static linnet_status add_power(const ln_output_row *out, int instance, double scale) {
    const ln_network *network = out->system->network;
    const ln_instance *block = &network->instances[instance];
    for (int port = 0; port < block->block.type->nports; port++) {
        ln_power rule = ln_domain(block->block.type->ports[port].domain)->power;
        if (rule == LN_POWER_NONE)
            continue;
        if (rule == LN_POWER_FLUX) {
            LN_TRY(add_flux(out, instance, port, scale));
            continue;
        }
        ln_quantity flux = {.kind = LN_Q_FLUX, .index = instance, .item = port};
        double value = ln_system_observe(out->system, &flux, out->at.side, out->at.x);
        LN_TRY(add_flux(out, instance, port, scale * local_value(network, block, port, out->at.x)));
        add_unknown(out, ln_local_unknown(network, block, port), scale * value);
    }
    return LINNET_OK;
}

/* Derivative of an observed value by one local unknown: central differences, extrapolated to a step
 * of zero (Ridders, Adv. Eng. Software 4, 1982), the best of the table by its own estimate. The
 * error of a central difference is a series in h^2; a step halved at each level lets 4^j remove the
 * j-th term. Ten levels go from 5 % of the size of the unknown down to 1e-4 of it, where rounding
 * is what is left; the estimate tells where the two meet. */
static double observed_slope(const linnet_block *block, const linnet_point *point, int item,
                             int local, double scale) {
    enum { LEVELS = 10 };
    double table[LEVELS][LEVELS], best = NAN, error = INFINITY, h = 0.05 * scale;
    double *x = (double *)point->x; /* the system's own work array */
    const double middle = x[local];
    for (int i = 0; i < LEVELS; i++, h /= 2) {
        x[local] = middle + h;
        double above = block->type->observe(block, point, item);
        x[local] = middle - h;
        table[i][0] = (above - block->type->observe(block, point, item)) / (2 * h);
        double power = 1;
        for (int j = 1; j <= i; j++) {
            power *= 4;
            table[i][j] = table[i][j - 1] + (table[i][j - 1] - table[i - 1][j - 1]) / (power - 1);
            double estimate =
                fmax(fabs(table[i][j] - table[i][j - 1]), fabs(table[i][j] - table[i - 1][j - 1]));
            if (estimate <= error) {
                error = estimate;
                best = table[i][j];
            }
        }
    }
    x[local] = middle;
    return best;
}

static linnet_status add_observed(const ln_output_row *out, int instance, int item, double scale) {
    ln_system *system = out->system;
    const ln_instance *part = &system->network->instances[instance];
    linnet_block block;
    linnet_point point;
    LN_TRY(place_block(system, instance, out->at, &block, &point));
    for (int j = 0; j < block.type->nports + block.type->nvars; j++) {
        int unknown = ln_local_unknown(system->network, part, j);
        if (unknown < 0)
            continue;
        double size = fmax(fabs(point.x[j]), 1e-3 * system->nominal[unknown]);
        double slope = observed_slope(&block, &point, item, j, size);
        if (!isfinite(slope))
            return LINNET_RETRY;
        add_unknown(out, unknown, scale * slope);
    }
    return LINNET_OK;
}

linnet_status ln_system_output(const ln_output_row *out, const ln_quantity *output) {
    const ln_network *network = out->system->network;
    double sign = output->sign != 0 ? output->sign : 1;
    memset(out->c, 0, (size_t)out->system->n * sizeof *out->c);
    for (int k = 0; k < out->ninputs; k++)
        out->d[k] = 0;
    switch (output->kind) {
    case LN_Q_UNKNOWN: add_unknown(out, output->index, sign); break;
    case LN_Q_FLUX: return add_flux(out, output->index, output->item, sign);
    case LN_Q_DROP:
        add_unknown(
            out, ln_local_unknown(network, &network->instances[output->index], output->item), sign);
        add_unknown(out,
                    ln_local_unknown(network, &network->instances[output->index], output->other),
                    -sign);
        break;
    case LN_Q_POWER: return add_power(out, output->index, sign);
    case LN_Q_OBSERVED: return add_observed(out, output->index, output->item, sign);
    case LN_Q_MEMORY:
    case LN_Q_CONSTANT:
    case LN_Q_ZERO:
    case LN_Q_NONE: break;
    }
    return LINNET_OK;
}
