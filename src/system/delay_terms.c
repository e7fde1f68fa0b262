/* SPDX-License-Identifier: MIT */
/* What delays add to the linearised system. Entries of a block are products of the weights of its
 * delays (a delay may feed another one in the same block), so the factor of each product is a sum
 * over all subsets with alternating signs (Moebius inversion); with one delay it is the entry with
 * the delay less the entry without. */
#include "system/linearise.h"

#include "system/active.h"
#include "system/delay.h"
#include <string.h>

enum { MOST_DELAYS = 8 }; /* of one block: it has 2^8 products */

static int delays_of(const ln_system *system, int instance) {
    return system->network->instances[instance].block.type->ndelays;
}

/* Changes come through the delays of the bit set `open`, not through the block's others. */
static void open_delays(ln_system *system, int instance, unsigned open) {
    const int first = ln_delays_first(system->delays, system->own->hybrid[instance]);
    for (int k = 0; k < delays_of(system, instance); k++)
        ln_delays_set_gain(system->delays, first + k, open >> k & 1);
}

void ln_system_delay_gain(ln_system *system, double gain) {
    for (int k = 0; k < ln_delays_count(system->delays); k++)
        ln_delays_set_gain(system->delays, k, gain);
}

static int is_odd(unsigned bits) {
    int odd = 0;
    for (; bits != 0; bits &= bits - 1)
        odd = !odd;
    return odd;
}

linnet_status ln_system_delay_difference(ln_system *system, const ln_delay_term *term,
                                         ln_delay_probe *probe, void *context) {
    linnet_status status = LINNET_OK;
    /* all subsets, the empty one last */
    for (unsigned subset = term->delays;; subset = (subset - 1) & term->delays) {
        open_delays(system, term->instance, subset);
        status = probe(context, is_odd(term->delays ^ subset) ? -1 : 1);
        if (subset == 0 || status != LINNET_OK)
            break;
    }
    open_delays(system, term->instance, ~0u);
    return status;
}

typedef struct gain_probe {
    ln_system *system;
    ln_moment at;
    int instance;
    double *entry;
} gain_probe;

static linnet_status read_entries(void *context, double sign) {
    gain_probe *reader = context;
    LN_TRY(ln_local_entries(reader->system, reader->instance, reader->at));
    const int count = reader->system->network->instances[reader->instance].block.type->nentries;
    for (int k = 0; k < count; k++)
        reader->entry[k] += sign * reader->system->own->entry[k];
    return LINNET_OK;
}

static linnet_status refuse(const ln_system *system, int instance, ln_report *report,
                            const char *why) {
    const ln_instance *block = &system->network->instances[instance];
    return ln_fail(report, LINNET_FAILED, block->place,
                   "%s (%s): %s, so the model cannot be linearised", block->name,
                   block->block.type->name, why);
}

/* One product of delays: *term is taken if it changes anything. */
static linnet_status look_at_term(ln_system *system, ln_moment at, ln_arena *arena,
                                  ln_report *report, ln_delay_term *term, int *taken) {
    const linnet_block_class *type = system->network->instances[term->instance].block.type;
    double *entry = LN_NEW(arena, double, type->nentries);
    if (entry == NULL)
        return ln_no_memory(report);
    linnet_status status = ln_system_delay_difference(
        system, term, read_entries, &(gain_probe){system, at, term->instance, entry});
    if (status == LINNET_RETRY)
        return refuse(system, term->instance, report, "it has no derivative at this point");
    LN_TRY(status);
    const int first = ln_delays_first(system->delays, system->own->hybrid[term->instance]);
    for (int k = 0; k < type->ndelays; k++)
        if (term->delays >> k & 1)
            term->lag += ln_delays_lag(system, first + k, at.side.t, at.x);
    for (int k = 0; k < type->nentries; k++) {
        if (entry[k] == 0)
            continue;
        if (type->entries[k].kind == LINNET_E)
            return refuse(system, term->instance, report, "what it stores depends on the past");
        *taken = term->lag > 0;
    }
    term->entry = entry;
    return LINNET_OK;
}

linnet_status ln_system_delay_terms(ln_system *system, ln_moment at, ln_arena *arena,
                                    ln_report *report, ln_delay_term **terms, int *count) {
    size_t most = 0;
    *count = 0;
    *terms = NULL;
    for (int i = 0; system->delays != NULL && i < system->network->ninstances; i++) {
        if (delays_of(system, i) > MOST_DELAYS)
            return refuse(system, i, report, "it has more than eight delays");
        most += ((size_t)1 << delays_of(system, i)) - 1;
    }
    if (most == 0)
        return LINNET_OK;
    *terms = LN_NEW(arena, ln_delay_term, most);
    if (*terms == NULL)
        return ln_no_memory(report);
    for (int i = 0; i < system->network->ninstances; i++)
        for (unsigned delays = 1; delays < 1u << delays_of(system, i); delays++) {
            ln_delay_term term = {i, delays, 0, NULL};
            int taken = 0;
            LN_TRY(look_at_term(system, at, arena, report, &term, &taken));
            if (taken)
                (*terms)[(*count)++] = term;
        }
    return LINNET_OK;
}
