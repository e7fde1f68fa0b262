/* SPDX-License-Identifier: MIT */
/* What devices read: where nothing but devices' own nodes belongs to a group of them, and none is a
 * reference, only differences of their potentials count. One node of such a group is then the one
 * that the others are counted from, and Newton's method iterates on differences to it: one unknown
 * less, and of a diode between two linear parts of a network its voltage alone (tearing: H.
 * Elmqvist, M. Otter, Methods for tearing systems of equations, 1994). Their potentials follow when
 * it is done.
 */
#include "codegen/network_across.h"

#include <string.h>

/* ---- groups of nodes ---- */

/* Nodes of one device belong together; those of a reference are no unknowns. */
typedef struct groups {
    int *joined; /* per unknown: another one of its group, or itself; -1: no device's node */
    char *tied;  /* per unknown that stands for its group: the group has a node of a reference */
    int *uses;   /* per unknown: devices' nodes there */
} groups;

static int leader(const groups *g, int u) {
    while (g->joined[u] != u)
        u = g->joined[u];
    return u;
}

static void join_device(groups *g, const ln_network *network, const ln_network_device *device) {
    const ln_instance *instance = &network->instances[device->instance];
    int first = -1, tied = 0;
    for (int k = 0; k < device->carried.nnodes; k++) {
        const int u = ln_diagram_unknown(network, instance, device->carried.unknown[k]);
        tied |= u < 0;
        if (u < 0)
            continue;
        g->uses[u]++;
        if (g->joined[u] < 0)
            g->joined[u] = u;
        if (first < 0)
            first = leader(g, u);
        const int other = leader(g, u);
        g->tied[first] = (char)(g->tied[first] | g->tied[other]);
        g->joined[other] = first;
    }
    if (first >= 0)
        g->tied[first] = (char)(g->tied[first] | tied);
}

/* The node that most devices of a group meet, so that few of them subtract. */
static int find_base(const groups *g, int group, int n) {
    int base = -1;
    for (int u = 0; u < n; u++)
        if (g->joined[u] >= 0 && leader(g, u) == group && (base < 0 || g->uses[u] > g->uses[base]))
            base = u;
    return base;
}

/* ---- members ---- */

static linnet_status add_member(ln_plan *plan, int number, ln_across across) {
    ln_arena *arena = plan->arena;
    const char *name = ln_arena_printf(arena, "%s above %s",
                                       ln_network_unknown_name(plan->network, across.unknown),
                                       ln_network_unknown_name(plan->network, across.base));
    if (name == NULL)
        return ln_no_memory(plan->report);
    plan->state_of[number] = -1;
    plan->member[number] = ln_fields_add(&plan->signals, ln_identifier(arena, name), name);
    ln_fields_set_unit(&plan->signals, plan->member[number],
                       plan->signals.field[plan->member[across.unknown].field].unit);
    return LINNET_OK;
}

static linnet_status add_members(ln_plan *plan, ln_network_plan *out) {
    const int n = plan->network->n;
    ln_member *member = LN_NEW(plan->arena, ln_member, n + out->nacross);
    int *state_of = LN_NEW(plan->arena, int, n + out->nacross);
    if (member == NULL || state_of == NULL)
        return ln_no_memory(plan->report);
    memcpy(member, plan->member, (size_t)n * sizeof *member);
    memcpy(state_of, plan->state_of, (size_t)n * sizeof *state_of);
    plan->member = member;
    plan->state_of = state_of;
    for (int k = 0; k < out->nacross; k++)
        LN_TRY(add_member(plan, n + k, out->across[k]));
    return LINNET_OK;
}

linnet_status ln_network_find_across(ln_plan *plan, ln_network_plan *out) {
    const int n = plan->network->n;
    ln_arena *scratch = plan->diagram.scratch;
    groups g = {LN_NEW(scratch, int, n), LN_NEW(scratch, char, n), LN_NEW(scratch, int, n)};
    out->seen_as = LN_NEW(plan->arena, int, n);
    out->across = LN_NEW(plan->arena, ln_across, n);
    if (g.joined == NULL || g.tied == NULL || g.uses == NULL || out->seen_as == NULL ||
        out->across == NULL)
        return ln_no_memory(plan->report);
    for (int u = 0; u < n; u++)
        g.joined[u] = -1;
    for (int k = 0; k < out->ndevices; k++)
        join_device(&g, plan->network, &out->devices[k]);
    for (int u = 0; u < n; u++) {
        const int group = g.joined[u] >= 0 ? leader(&g, u) : -1;
        out->seen_as[u] = u;
        if (group < 0 || g.tied[group])
            continue;
        const int base = find_base(&g, group, n);
        out->seen_as[u] = base == u ? LN_SEEN_AS_ZERO : n + out->nacross;
        if (base != u)
            out->across[out->nacross++] = (ln_across){u, base};
    }
    return add_members(plan, out);
}

/* ---- use ---- */

int ln_network_seen(const ln_plan *plan, const ln_network_device *device, int node) {
    const ln_instance *instance = &plan->network->instances[device->instance];
    const int u = ln_diagram_unknown(plan->network, instance, device->carried.unknown[node]);
    return u < 0 ? LN_SEEN_AS_ZERO : plan->implicit->seen_as[u];
}

double ln_network_value(const ln_plan *plan, const double *x, int unknown) {
    const int n = plan->network->n;
    if (unknown < n)
        return unknown < 0 ? 0 : x[unknown];
    if (unknown >= n + plan->implicit->nacross) /* a derivative or impulse: found when asked for */
        return 0;
    const ln_across across = plan->implicit->across[unknown - n];
    return x[across.unknown] - x[across.base];
}
