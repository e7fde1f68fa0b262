/* SPDX-License-Identifier: MIT */
/* Which signals stand still between events: outputs that follow from memories alone (a hold, a
 * discrete controller, a latch), and what is computed from such signals alone.
 *
 * The tables of a class say what an output's row depends on: other unknowns by their entries,
 * memories and time by source() and eval(). The tables do not tell memories from time; so these
 * functions, which are pure, are asked at times of very different size with all else the same,
 * memories among it that are no round numbers. A signal counts as held only when everything that
 * its row names is held; the marks spread until nothing is added. */
#include "system/active.h"

#include "base/domain.h"

#include <math.h>
#include <string.h>

enum { PASSES = 64 }; /* signals held through a longer chain are not known to be */

static const double times[] = {0.1234567, 1.7320508e-6, 2.2360679e-3, 3.1415926e2, 5.7721566e5};
enum { TIMES = sizeof times / sizeof *times };

typedef struct held_search {
    ln_system *system;
    char *held;
    const int *unknown; /* of the instance at hand, per local unknown */
} held_search;

/* What source() and eval() add to a row at a time; NAN where they have no value. */
static double probe(const held_search *finder, const linnet_block *block, int row, double t) {
    const struct ln_system_private *own = finder->system->own;
    const linnet_block_class *type = block->type;
    const size_t n = (size_t)(type->nports + type->nvars);
    const linnet_point point = {t, t, own->x, own->memory};
    double value = 0;
    if (type->source != NULL) {
        memset(own->f, 0, n * sizeof *own->f);
        type->source(block, &(linnet_point){t, t, NULL, own->memory}, own->f);
        value = own->f[row];
    }
    if (type->eval == NULL)
        return value;
    memset(own->q, 0, n * sizeof *own->q);
    memset(own->f, 0, n * sizeof *own->f);
    memset(own->entry, 0, (size_t)type->nentries * sizeof *own->entry);
    if (type->eval(block, &point, &(linnet_out){own->q, own->f, own->entry}) != LINNET_OK)
        return NAN;
    return value - own->f[row];
}

/* Does the row change with time alone? */
static int varies(const held_search *finder, ln_instance *instance, int row) {
    const struct ln_system_private *own = finder->system->own;
    const linnet_block_class *type = instance->block.type;
    const double *memory = ln_memories_of(finder->system, instance);
    linnet_block block;
    if (ln_prepare(finder->system, instance, &block, NULL) != LINNET_OK)
        return 1;
    /* modes stay, they name branches; the rest is odd */
    for (int k = 0; k < type->nmemories; k++)
        own->memory[k] = k < type->nmemories - type->nmodes ? 0.7310586 + 1.3130353 * k : memory[k];
    for (int k = 0; k < type->nports + type->nvars; k++)
        own->x[k] = 0.5671433 + 0.1 * k;
    const double first = probe(finder, &block, row, times[0]);
    for (int k = 1; k < TIMES; k++)
        if (!(probe(finder, &block, row, times[k]) == first))
            return 1; /* also NAN */
    return 0;
}

/* Does a source that varies write this row? */
static int drives_row(const linnet_block_class *type, int row) {
    return type->source != NULL && type->source_varies &&
           (type->source_rows == NULL || type->source_rows[row] == '1');
}

/* Does an entry of the row bring in a state, or what is not known to be held? */
static int brings_motion(const held_search *finder, const linnet_block_class *type, int row) {
    for (int k = 0; k < type->nentries; k++) {
        const linnet_entry *e = &type->entries[k];
        if (e->row != row || (e->kind == LINNET_A && e->col == row))
            continue;
        if (e->kind == LINNET_E ||
            (finder->unknown[e->col] >= 0 && !finder->held[finder->unknown[e->col]]))
            return 1;
    }
    return 0;
}

/* Is the output held, given what is known to be? */
static int is_held(const held_search *finder, ln_instance *instance, int row) {
    const linnet_block_class *type = instance->block.type;
    const char computed = type->nonlinear_rows != NULL ? type->nonlinear_rows[row] : '0';
    const int drives = drives_row(type, row);
    if (type->ndelays > 0 || computed == '2' || computed == '3')
        return 0;
    if (drives && type->nmemories == 0)
        return 0; /* a function of time */
    return !brings_motion(finder, type, row) &&
           !((drives || computed == '1') && varies(finder, instance, row));
}

/* One look at all outputs; the number of signals found. */
static int spread(held_search *finder, int *unknown) {
    const ln_network *network = finder->system->network;
    int found = 0;
    finder->unknown = unknown;
    for (int k = 0; k < network->nlinks; k++) {
        const ln_link *link = &network->links[k];
        if (link->domain != LINNET_SIGNAL || link->unknown < 0 || finder->held[link->unknown])
            continue;
        for (int j = 0; j < link->nports; j++) {
            const ln_joint *joint = &network->joints[link->first + j];
            ln_instance *instance = &network->instances[joint->instance];
            if (!(instance->block.type->ports[joint->port].flags & LINNET_OUTPUT))
                continue;
            ln_local_unknowns(network, joint->instance, unknown);
            finder->held[link->unknown] = (char)is_held(finder, instance, joint->port);
            found += finder->held[link->unknown];
        }
    }
    return found;
}

linnet_status ln_system_event_signals(ln_system *system, char *held) {
    const ln_network *network = system->network;
    size_t longest = 1;
    memset(held, 0, (size_t)system->n);
    if (network->nmemories == 0)
        return LINNET_OK;
    for (int k = 0; k < network->ninstances; k++) {
        const linnet_block_class *type = network->instances[k].block.type;
        if ((size_t)(type->nports + type->nvars) > longest)
            longest = (size_t)(type->nports + type->nvars);
    }
    int *unknown = LN_NEW(system->arena, int, longest);
    if (unknown == NULL)
        return LINNET_MEMORY;
    held_search finder = {.system = system, .held = held};
    for (int pass = 0; pass < PASSES && spread(&finder, unknown) > 0; pass++) {
    }
    return LINNET_OK;
}
