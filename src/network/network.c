/* SPDX-License-Identifier: MIT */
/* Building a network: model -> flatten -> join and number -> diagnose. Also the fluxes that become
 * unknowns. */
#include "network/asked.h"
#include "network/network.h"

#include "base/sys.h"
#include "blocks/equations.h"
#include "model/scope.h"
#include "network/flatten.h"
#include <assert.h>
#include <string.h>

static void release(ln_build *build) {
    ln_map_free(build->link_map);
    ln_map_free(build->block_map);
    build->link_map = build->block_map = NULL;
    ln_sys->release(build->kinds);
    ln_sys->release(build->instances);
    ln_sys->release(build->links);
    ln_sys->release(build->port_link);
    ln_sys->release(build->port_arrow);
    ln_sys->release(build->components);
    ln_sys->release(build->guesses);
    ln_sys->release(build->elements);
    ln_sys->release(build->filled);
    ln_text_free(&build->name);
    ln_text_free(&build->spelled);
    ln_asked_free(build->asked);
    ln_arena_free(build->scratch);
}

/* The names and values of the model's own parameters. */
static int keep_parameters(ln_build *build) {
    ln_network *network = build->network;
    int count = ln_scope_count(network->scope);
    network->parameters = LN_NEW(network->arena, ln_constant_name, count);
    if (network->parameters == NULL)
        return ln_build_failed(build);
    for (int i = 0; i < count; i++) {
        ln_constant_name *constant = &network->parameters[i];
        constant->name = ln_scope_name(network->scope, i, &constant->value, &constant->unit);
    }
    network->nparameters = count;
    return 1;
}

static int has_only_signals(const ln_network *network) {
    for (int k = 0; k < network->nlinks; k++)
        if (network->links[k].domain != LINNET_SIGNAL)
            return 0;
    for (int i = 0; i < network->ninstances; i++) {
        const linnet_block_class *type = network->instances[i].block.type;
        for (int j = 0; j < type->nports; j++)
            if (type->ports[j].domain != LINNET_SIGNAL)
                return 0;
    }
    return 1;
}

/* Every class is known as equations, as the diagram compiler needs them. */
static int is_in_equations(const ln_network *network) {
    for (int i = 0; i < network->ninstances; i++)
        if (ln_class_residuals(network->instances[i].block.type) == NULL)
            return 0;
    return 1;
}

#ifndef NDEBUG
/* The promise of find.c's binary searches: full names rise, no two are the same. */
static int are_names_sorted(const ln_network *network) {
    for (int k = 1; k < network->ninstances; k++)
        if (strcmp(network->instances[k - 1].name, network->instances[k].name) >= 0)
            return 0;
    for (int k = 1; k < network->nlinks; k++)
        if (strcmp(network->links[k - 1].name, network->links[k].name) >= 0)
            return 0;
    return 1;
}
#endif

/* The network may outlive the elements of blocks (ln_model_forget_blocks()). */
static void leave_elements(struct ln_network_names *names) {
    for (int k = 0; k < names->ncomponents; k++)
        names->components[k].element = NULL;
}

static linnet_status build_all(ln_build *build) {
    ln_network *network = build->network;
    network->names = LN_NEW(network->arena, struct ln_network_names, 1);
    network->scope = ln_scope_new(network->arena, "", build->report);
    build->blank = ln_scope_new(build->scratch, "", build->report);
    build->literals = ln_literals_new(build->scratch);
    build->link_map = ln_map_new();
    build->block_map = ln_map_new();
    build->override_used = LN_NEW(build->scratch, char, build->noverrides + 1);
    if (!network->names || !network->scope || !build->blank || !build->literals ||
        !build->link_map || !build->block_map || !build->override_used)
        return ln_no_memory(build->report);
    if (!ln_flatten(build) || build->status != LINNET_OK)
        return build->status;
    if ((build->nvector_blocks > 0 || ln_has_gathered(build)) && !ln_scalarise(build))
        return build->status;
    (void)(ln_open_enables(build) && ln_join(build) && keep_parameters(build));
    leave_elements(network->names);
    return build->status;
}

/* With the types of a catalogue. */
static linnet_status build_with(ln_catalogue *catalogue, const ln_model *model,
                                const ln_override *overrides, int noverrides, ln_report *report,
                                ln_network **result) {
    ln_arena *arena = ln_arena_new();
    ln_network *network = arena == NULL ? NULL : LN_NEW(arena, ln_network, 1);
    ln_build build = {.network = network,
                      .report = report,
                      .overrides = overrides,
                      .noverrides = noverrides,
                      .scratch = ln_arena_new()};
    if (network == NULL || build.scratch == NULL) {
        ln_arena_free(arena);
        ln_arena_free(build.scratch);
        return ln_no_memory(report);
    }
    *network =
        (ln_network){.arena = arena, .name = model->name, .catalogue = catalogue, .model = model};
    linnet_status status = build_all(&build);
    release(&build);
    if (status == LINNET_OK)
        status = ln_diagnose(network, report);
    if (status == LINNET_OK)
        status = ln_take_tolerances(network, report);
    if (status != LINNET_OK) {
        ln_network_free(network);
        return status;
    }
    assert(are_names_sorted(network));
    network->only_signals = has_only_signals(network);
    network->purely_signal = network->only_signals && is_in_equations(network);
    *result = network;
    return LINNET_OK;
}

linnet_status ln_network_build(ln_catalogue *catalogue, const ln_model *model,
                               const ln_override *overrides, int noverrides, ln_report *report,
                               ln_network **network) {
    if (catalogue != NULL)
        return build_with(catalogue, model, overrides, noverrides, report, network);
    linnet_status status;
    catalogue = ln_catalogue_new(model, report, &status);
    if (catalogue == NULL)
        return status;
    status = build_with(catalogue, model, overrides, noverrides, report, network);
    if (status == LINNET_OK)
        (*network)->owns_catalogue = 1;
    else
        ln_catalogue_free(catalogue);
    return status;
}

void ln_network_free(ln_network *network) {
    if (network == NULL)
        return;
    if (network->owns_catalogue)
        ln_catalogue_free(network->catalogue);
    ln_arena_free(network->arena);
}

/* ---- fluxes that become unknowns ---- */

/* Where an extra flux stands, or would stand, in their order by instance and port. */
static int place_of_extra(const ln_network *network, int instance, int port) {
    int low = 0, high = network->nextras;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const ln_extra *extra = &network->extras[middle];
        if (extra->instance < instance || (extra->instance == instance && extra->port < port))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int ln_network_add_flux(ln_network *network, int instance, int port) {
    int at = place_of_extra(network, instance, port), count = network->nextras;
    if (at < count && network->extras[at].instance == instance && network->extras[at].port == port)
        return network->extras[at].unknown;
    ln_extra *extras = network->extras;
    if ((count & (count - 1)) == 0) { /* room doubles at each power of two */
        extras = LN_NEW(network->arena, ln_extra, count == 0 ? 1 : 2 * count);
        if (extras == NULL)
            return -1;
        if (count > 0)
            memcpy(extras, network->extras, (size_t)count * sizeof *extras);
    }
    memmove(&extras[at + 1], &extras[at], (size_t)(count - at) * sizeof *extras);
    extras[at] = (ln_extra){instance, port, 0};
    for (int k = at; k <= count; k++)
        extras[k].unknown = network->names->nowned + k;
    network->extras = extras;
    network->nextras = count + 1;
    network->n = network->names->nowned + network->nextras;
    return extras[at].unknown;
}
