/* SPDX-License-Identifier: MIT */
/* A search in breadth from the blocks that have acted, along links: an output leads to the inputs
 * that read it, a physical port to all ports of its link, and who is reached leads on. */
#include "system/touched.h"

#include <string.h>

int ln_touched_init(ln_touched *touched, const ln_system *system, ln_arena *arena) {
    const int n = system->network->ninstances;
    *touched = (ln_touched){LN_NEW(arena, int, n), LN_NEW(arena, char, n), LN_NEW(arena, char, n)};
    return touched->queue != NULL && touched->queued != NULL && touched->reached != NULL;
}

/* Those who see what the instance does at one of its ports follow it, once each; returns how many
 * there are to be followed. A reference moves nobody. */
static int lead_on(ln_touched *touched, const ln_network *network, int instance, int port,
                   int count) {
    const ln_instance *from = &network->instances[instance];
    const ln_link *link = from->links[port] < 0 ? NULL : &network->links[from->links[port]];
    if (link == NULL || link->unknown < 0 ||
        (from->block.type->ports[port].flags & LINNET_INPUT) != 0)
        return count;
    for (int k = link->first; k < link->first + link->nports; k++) {
        const ln_joint *joint = &network->joints[k];
        const linnet_block_class *type = network->instances[joint->instance].block.type;
        if (type->ports[joint->port].flags & LINNET_OUTPUT)
            continue;
        touched->reached[joint->instance] = 1;
        if (!touched->queued[joint->instance])
            touched->queue[count++] = joint->instance;
        touched->queued[joint->instance] = 1;
    }
    return count;
}

void ln_touched_find(ln_touched *touched, const ln_system *system, const char *acts) {
    const ln_network *network = system->network;
    int count = 0;
    memcpy(touched->queued, acts, (size_t)network->ninstances);
    memset(touched->reached, 0, (size_t)network->ninstances);
    for (int k = 0; k < network->ninstances; k++)
        if (acts[k])
            touched->queue[count++] = k;
    for (int k = 0; k < count; k++)
        for (int port = 0; port < network->instances[touched->queue[k]].block.type->nports; port++)
            count = lead_on(touched, network, touched->queue[k], port, count);
}
