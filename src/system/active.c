/* SPDX-License-Identifier: MIT */
/* Gather and scatter lists of an instance that is evaluated while running: from its local arrays to
 * rows and entries of the system, and to the balances of the parts that it meets (supernodes.c). */
#include "system/active.h"
#include "blocks/native/device.h"

#include <string.h>

static int new_list(ln_arena *arena, ln_scatter *list, int room) {
    *list = (ln_scatter){0, LN_NEW(arena, int, room), LN_NEW(arena, int, room)};
    return list->from != NULL && list->to != NULL;
}

static void add_to_list(ln_scatter *list, int from, int to) {
    if (to < 0)
        return;
    list->from[list->count] = from;
    list->to[list->count++] = to;
}

/* Where values go to: a row, and where the instance meets a part, the part's balance. */
static int ways_of(const ln_active *active) {
    for (int j = 0; j < active->nlocal; j++)
        if (active->balance_row[j] >= 0)
            return 2;
    return 1;
}

/* The balances that what local row j gives takes from, one for each part that the device crosses
 * the surface of and row j is not in: `next` goes through the device's rows. -1: no more. */
static int next_less(const ln_active *active, int j, int *next) {
    const linnet_block_class *type = active->instance->block.type;
    if (j >= active->nnodes || (j < type->nports && type->ports[j].domain == LINNET_THERMAL))
        return -1;
    for (; *next < active->nnodes; ++*next) {
        const int common = active->balance_row[*next];
        int counted = !active->from_outside[*next] || common == active->balance_row[j];
        for (int i = 0; i < *next && !counted; i++)
            counted = active->balance_row[i] == common;
        if (!counted)
            return active->balance_row[(*next)++];
    }
    return -1;
}

/* Does the instance add to the balance (-1: there is none) what is stored, or flows? */
static int enters(const ln_active *active, int stored, int common) {
    return common >= 0 &&
           (!stored || ln_stores_across(active->instance->block.type, active->balance_row, common));
}

/* The local rows whose kind in nonlinear_rows is `kind` or '3', and their global numbers. */
static int list_rows(ln_arena *arena, const ln_active *active, char kind, ln_scatter *list,
                     ln_scatter *less) {
    const char *kinds = active->instance->block.type->nonlinear_rows;
    if (!new_list(arena, list, ways_of(active) * active->nlocal) ||
        !new_list(arena, less, active->nnodes * active->nnodes))
        return 0;
    for (int j = 0; j < active->nlocal; j++) {
        if (kinds[j] != kind && kinds[j] != '3')
            continue;
        add_to_list(list, j, active->row[j]);
        if (!active->from_outside[j] && enters(active, kind == '2', active->balance_row[j]))
            add_to_list(list, j, active->balance_row[j]);
        for (int next = 0, common; (common = next_less(active, j, &next)) >= 0;)
            if (enters(active, kind == '2', common))
                add_to_list(less, j, common);
    }
    return 1;
}

/* The entry of the list that stands at the same row and unknown, or -1. */
static int same_entry(const ln_scattered *state, const ln_scatter *list, int row, int unknown) {
    for (int k = 0; k < list->count; k++)
        if (state->row[list->to[k]] == row && state->col[list->to[k]] == unknown)
            return list->to[k];
    return -1;
}

/* Where nodes of a device are joined by one link, their entries are one. */
static int add_state(ln_scattered *state, int is_device, ln_scatter *list, int from, int row,
                     int unknown) {
    if (row < 0)
        return 1;
    const int same = is_device ? same_entry(state, list, row, unknown) : -1;
    add_to_list(list, from, same >= 0 ? same : (int)state->count);
    return same >= 0 || ln_scattered_add(state, row, unknown);
}

/* The STATE entries of a kind that meet a row and an unknown; each gets its place among all. */
static int list_entries(ln_arena *arena, ln_scattered *state, const ln_active *active,
                        linnet_kind kind, ln_scatter *list, ln_scatter *less) {
    const linnet_block_class *type = active->instance->block.type;
    const int is_device = ln_device_shape_of(type) != NULL;
    if (!new_list(arena, list, ways_of(active) * type->nentries) ||
        !new_list(arena, less, active->nnodes * type->nentries))
        return 0;
    for (int k = 0; k < type->nentries; k++) {
        const linnet_entry *e = &type->entries[k];
        const int unknown = active->unknown[e->col];
        if (e->change != LINNET_STATE || e->kind != kind || unknown < 0)
            continue;
        const int stored = kind == LINNET_E, part = active->balance_row[e->row];
        if (!add_state(&state[kind], is_device, list, k, active->row[e->row], unknown) ||
            (!active->from_outside[e->row] && enters(active, stored, part) &&
             !add_state(&state[kind], is_device, list, k, part, unknown)))
            return 0;
        for (int next = 0, common; (common = next_less(active, e->row, &next)) >= 0;)
            if (enters(active, stored, common) &&
                !add_state(&state[kind], is_device, less, k, common, unknown))
                return 0;
    }
    return 1;
}

/* The entries that go where `to` says come next, from place `at` on; returns the place behind them.
 */
static int bring_forward(ln_scatter *list, int to, int at) {
    for (int k = at; k < list->count; k++) {
        if (list->to[k] != to)
            continue;
        const int from = list->from[k];
        list->from[k] = list->from[at];
        list->to[k] = list->to[at];
        list->from[at] = from;
        list->to[at++] = to;
    }
    return at;
}

/* Entries of a device at places where it has both df and dq come first in both lists, in one order:
 * in the Jacobian they are added together (resting.c). */
static void pair_up(const ln_scattered *state, ln_scatter *df, ln_scatter *dq) {
    const ln_scattered *f = &state[LINNET_A], *q = &state[LINNET_E];
    int at = 0, other_at = 0;
    for (int k = 0; k < df->count; k++) {
        const int to = df->to[k], other = k < at ? -1 : same_entry(q, dq, f->row[to], f->col[to]);
        if (other < 0)
            continue;
        at = bring_forward(df, to, at);
        other_at = bring_forward(dq, other, other_at);
    }
}

/* Entries up to the last one whose row and column are no open port. */
static int used_entries(const ln_instance *instance) {
    const linnet_block_class *type = instance->block.type;
    int count = type->nentries;
    for (; count > 0; count--) {
        const linnet_entry *e = &type->entries[count - 1];
        if ((e->row >= type->nports || instance->links[e->row] >= 0) &&
            (e->col >= type->nports || instance->links[e->col] >= 0))
            break;
    }
    return count;
}

/* NULL when memory is short. */
static int *copied(ln_arena *arena, const int *list, int n) {
    int *copy = LN_NEW(arena, int, n);
    if (copy != NULL)
        memcpy(copy, list, (size_t)n * sizeof *copy);
    return copy;
}

linnet_status ln_active_make(ln_system *system, ln_scattered *state, const ln_maps *map,
                             int instance, int with_entries, ln_active *active) {
    const linnet_block_class *type = system->network->instances[instance].block.type;
    ln_arena *arena = system->arena;
    int n = type->nports + type->nvars;
    const int *unknown = copied(arena, map->unknown, n), *row = copied(arena, map->row, n),
              *balance_row = copied(arena, map->balance_row, n);
    char *from_outside = LN_NEW(arena, char, n);
    if (ln_arena_failed(arena))
        return LINNET_MEMORY;
    int hybrid = ln_is_hybrid_type(type) ? system->nhybrid : -1;
    *active = (ln_active){.hybrid = hybrid,
                          .instance = &system->network->instances[instance],
                          .nlocal = n,
                          .unknown = unknown,
                          .row = row,
                          .balance_row = balance_row,
                          .from_outside = from_outside,
                          .nnodes = ln_choose_sides(type, balance_row, from_outside),
                          .nentries = used_entries(&system->network->instances[instance]),
                          .no_memories = type->nmemories == 0};
    if (active->nnodes > 0) /* what open ports give is needed, too */
        active->nentries = type->nentries;
    if (type->limit != NULL)
        active->last = LN_NEW(arena, double, n);
    if (type->eval != NULL)
        active->written = LN_NEW(arena, double, 2 * n + type->nentries);
    if (ln_arena_failed(arena))
        return LINNET_MEMORY;
    system->has_junctions |= type->limit != NULL;
    if (type->eval == NULL || !with_entries)
        return LINNET_OK;
    if (!list_rows(arena, active, '2', &active->to_q, &active->outside_q) ||
        !list_rows(arena, active, '1', &active->to_f, &active->outside_f) ||
        !list_entries(arena, state, active, LINNET_A, &active->to_df, &active->outside_df) ||
        !list_entries(arena, state, active, LINNET_E, &active->to_dq, &active->outside_dq))
        return LINNET_MEMORY;
    if (ln_device_shape_of(type) != NULL)
        pair_up(state, &active->to_df, &active->to_dq);
    return LINNET_OK;
}

/* Rounding, 1e-12 |x|, and 1e-6 of its absolute tolerance, a hundred times what newton.c's
 * OF_ABSTOL lets Newton's method leave. With ten times more, the search for extremes met 39
 * instants instead of 36; with ten times less, a diode of a circuit that has rung down changed its
 * mode 6 times instead of 2 (tests/stuck.sh). */
double ln_system_noise_of(const ln_system *system, int j, double x) {
    static const double OF_SIZE = 1e-12, OF_TOLERANCE = 1e-6;
    return OF_SIZE * fabs(x) + OF_TOLERANCE * system->abstol[j];
}
