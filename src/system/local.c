/* SPDX-License-Identifier: MIT */
/* Instances in the numbers of the network: their unknowns and rows, and their derived parameters.
 */
#include "system/active.h"

#include <string.h>

/* The unknown that recording has made of the flux into a port; NULL: there is none. Extras are
 * ordered by instance and port. */
const ln_extra *ln_find_extra(const ln_network *network, int instance, int port) {
    int low = 0, high = network->nextras;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const ln_extra *extra = &network->extras[middle];
        if (extra->instance == instance && extra->port == port)
            return extra;
        if (extra->instance < instance || (extra->instance == instance && extra->port < port))
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

void ln_local_unknowns(const ln_network *network, int instance, int *unknown) {
    const ln_instance *block = &network->instances[instance];
    const linnet_block_class *type = block->block.type;
    for (int j = 0; j < type->nports; j++)
        unknown[j] = block->links[j] < 0 ? -1 : network->links[block->links[j]].unknown;
    for (int k = 0; k < type->nvars; k++)
        unknown[type->nports + k] = block->first_own + k;
}

void ln_local_rows(const ln_network *network, int instance, int *row) {
    const linnet_block_class *type = network->instances[instance].block.type;
    ln_local_unknowns(network, instance, row);
    for (int j = 0; j < type->nports; j++) {
        if (type->ports[j].domain == LINNET_SIGNAL) {
            if (type->ports[j].flags & LINNET_INPUT)
                row[j] = -1;
            continue;
        }
        const ln_extra *extra = network->nextras > 0 ? ln_find_extra(network, instance, j) : NULL;
        if (extra != NULL)
            row[j] = extra->unknown;
    }
}

linnet_status ln_prepare(ln_system *system, ln_instance *instance, linnet_block *block,
                         ln_report *report) {
    struct ln_system_private *own = system->own;
    *block = instance->block;
    if (block->work != NULL)
        return LINNET_OK;
    block->work = own->work;
    if (own->prepared == instance || block->type->prepare == NULL)
        return LINNET_OK;
    own->prepared = NULL;
    char message[256] = "";
    if (block->type->prepare(block, message) != LINNET_OK)
        return ln_fail(report, LINNET_MODEL, instance->place, "%s (%s): %s", instance->name,
                       block->type->name, message);
    own->prepared = instance;
    return LINNET_OK;
}
