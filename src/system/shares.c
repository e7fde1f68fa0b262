/* SPDX-License-Identifier: MIT */
/* What each block contributes to a natural mode. With right and left vectors v, w of the pencil,
 *
 *     s w^H E v + w^H A v = 0,
 *
 * and both terms are sums over the blocks: those that store it (a capacitor) and those that drive
 * or drain it (a resistor). */
#include "system/active.h"
#include "system/linearise.h"

#include <math.h>

linnet_status ln_system_shares(ln_system *system, ln_moment at, const double *right,
                               const double *left, double *stored, double *rest) {
    const ln_network *network = system->network;
    for (int i = 0; i < network->ninstances; i++) {
        const linnet_block_class *type = network->instances[i].block.type;
        double sum[2][2] = {{0, 0}, {0, 0}}; /* by kind: re, im */
        stored[i] = rest[i] = 0;
        if (type->reference_port >= 0 || type->nentries == 0)
            continue;
        LN_TRY(ln_local_entries(system, i, at));
        for (int k = 0; k < type->nentries; k++) {
            const linnet_entry *e = &type->entries[k];
            int row = ln_local_row(network, i, e->row);
            int column = ln_local_unknown(network, &network->instances[i], e->col);
            if (row < 0 || column < 0)
                continue;
            const int balance = ln_balance_row(system, row);
            const double *v = right + 2 * (size_t)column, *across = left + 2 * (size_t)balance;
            const double w[2] = {left[2 * row] + (balance >= 0 ? across[0] : 0),
                                 left[2 * row + 1] + (balance >= 0 ? across[1] : 0)};
            double value = system->own->entry[k];
            sum[e->kind == LINNET_E][0] += value * (w[0] * v[0] + w[1] * v[1]);
            sum[e->kind == LINNET_E][1] += value * (w[0] * v[1] - w[1] * v[0]);
        }
        rest[i] = hypot(sum[0][0], sum[0][1]);
        stored[i] = hypot(sum[1][0], sum[1][1]);
    }
    return LINNET_OK;
}
