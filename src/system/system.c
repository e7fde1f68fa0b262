/* SPDX-License-Identifier: MIT */
/* Set-up of a system: the one place where blocks' constant entries are stamped and slots are
 * computed.
 *
 * Instances come ordered by name, and sums are formed in that order, so results do not depend on
 * the order of blocks in the file. An instance that neither changes nor needs corners is visited
 * here once and never again. */
#include "system/system.h"

#include "base/sys.h"
#include "system/active.h"
#include "system/delay.h"
#include <assert.h>
#include <string.h>

/* ---- local to global ----
 *
 * A block's local unknowns are the potentials of its ports, then its own variables; its local rows
 * the fluxes into it at its ports, then its own equations. Ports joined by a link share the link's
 * unknown, and their fluxes add up in the link's row: Kirchhoff's laws are nothing but this
 * numbering. -1 stands for what has no unknown or row: a reference link, whose potential is zero,
 * an open port, a signal input, which only reads. */

/* ---- work arrays ---- */

static int is_active(const linnet_block_class *type) {
    return type->eval != NULL || type->next_breakpoint != NULL || ln_is_hybrid_type(type) ||
           (type->source != NULL && type->source_varies);
}

/* Local work arrays for the largest class, and own work for the instances that are evaluated while
 * running. A block's `work` holds its derived parameters: passive instances need theirs while they
 * are stamped only, and share one place. */
static linnet_status make_work(ln_system *system) {
    const ln_network *network = system->network;
    size_t locals = 1, entries = 1, work = 1, memories = 1;
    for (int i = 0; i < network->ninstances; i++) {
        linnet_block *block = &network->instances[i].block;
        const linnet_block_class *type = block->type;
        size_t n = (size_t)(type->nports + type->nvars);
        if (n > locals)
            locals = n;
        if ((size_t)type->nentries > entries)
            entries = (size_t)type->nentries;
        if (type->nwork > work)
            work = type->nwork;
        if ((size_t)type->nmemories > memories)
            memories = (size_t)type->nmemories;
        block->work = NULL;
        if (is_active(type))
            block->work = LN_NEW(system->arena, double, type->nwork + 1);
    }
    struct ln_system_private *own = system->own;
    own->x = LN_NEW(system->arena, double, locals);
    own->moved = LN_NEW(system->arena, double, locals);
    own->x_before = LN_NEW(system->arena, double, locals);
    own->memory = LN_NEW(system->arena, double, memories);
    own->mode = LN_NEW(system->arena, double, memories);
    system->memory = LN_NEW(system->arena, double, network->nmemories);
    own->q = LN_NEW(system->arena, double, locals);
    own->f = LN_NEW(system->arena, double, locals);
    own->entry = LN_NEW(system->arena, double, entries);
    own->written = LN_NEW(system->arena, double, 2 * locals + entries);
    own->q_moved = LN_NEW(system->arena, double, locals);
    own->f_moved = LN_NEW(system->arena, double, locals);
    own->entry_moved = LN_NEW(system->arena, double, entries);
    own->work = LN_NEW(system->arena, double, work);
    return ln_arena_failed(system->arena) ? LINNET_MEMORY : LINNET_OK;
}

/* ---- stamping ---- */

typedef struct stamps { /* what a walk over the instances collects */
    ln_scattered at[2]; /* constant entries by kind (LINNET_A, LINNET_E) */
    double *value[2];
    size_t room[2];
    ln_scattered state[2]; /* entries that change, by kind */
    ln_maps map;           /* of the instance at hand */
} stamps;

static int add_constant(stamps *all, linnet_kind kind, int row, int col, double value) {
    if (row < 0 || col < 0)
        return 1;
    size_t index = all->at[kind].count;
    if (!LN_GROW(all->value[kind], index, all->room[kind]))
        return 0;
    all->value[kind][index] = value;
    return ln_scattered_add(&all->at[kind], row, col);
}

/* Constant entries of E and A. A row that also enters the balance of a floating part
 * (`balance_row`, supernodes.c) gives that balance the sum of its entries in the columns there,
 * which is exactly zero for what passes between two nodes of the part. */
static int stamp_constant(ln_system *system, stamps *all, const linnet_block *block) {
    const linnet_block_class *type = block->type;
    double *entry = system->own->entry;
    if (type->linear == NULL)
        return 1;
    memset(entry, 0, (size_t)type->nentries * sizeof *entry);
    type->linear(block, entry);
    for (int k = 0; k < type->nentries; k++) {
        const linnet_entry *e = &type->entries[k];
        if (e->change != LINNET_CONSTANT)
            continue;
        if (!add_constant(all, e->kind, all->map.row[e->row], all->map.unknown[e->col], entry[k]))
            return 0;
        if (all->map.balance_row[e->row] < 0)
            continue;
        const double sum = ln_sum_across(type, entry, all->map.balance_row, all->map.unknown, k);
        if (sum != 0 && !add_constant(all, e->kind, all->map.balance_row[e->row],
                                      all->map.unknown[e->col], sum))
            return 0;
    }
    return 1;
}

/* Sources that never change are evaluated once, at no particular point, into s_constant. */
static void stamp_source(ln_system *system, const stamps *all, const linnet_block *block) {
    const linnet_block_class *type = block->type;
    if (type->source == NULL || type->source_varies)
        return;
    double *s = system->own->f;
    int n = type->nports + type->nvars;
    memset(s, 0, (size_t)n * sizeof *s);
    type->source(block, &(linnet_point){0}, s);
    for (int j = 0; j < n; j++) {
        if (all->map.row[j] >= 0)
            system->s_constant[all->map.row[j]] += s[j];
        if (all->map.balance_row[j] >= 0)
            system->s_constant[all->map.balance_row[j]] += s[j];
    }
}

/* An extra flux unknown i: its own row is "flux of the port by the block's equations - i = 0", and
 * i takes the flux's place in the row of the link: -1 in its own row, +1 in the row of its link. */
static int stamp_extras(const ln_system *system, stamps *all) {
    const ln_network *network = system->network;
    for (int k = 0; k < network->nextras; k++) {
        const ln_extra *extra = &network->extras[k];
        const int link = network->instances[extra->instance].links[extra->port];
        const int row[2] = {extra->unknown, link < 0 ? -1 : network->links[link].unknown};
        const int stays = ln_system_share_part(system, row[0], row[1]);
        for (int side = 0; side < 2; side++) {
            int entered[2];
            const int count = ln_system_entered(system, row[side], entered);
            for (int i = 0; i < count; i++)
                if (!(stays && entered[i] == system->balance_row[row[0]]) &&
                    !add_constant(all, LINNET_A, entered[i], extra->unknown, side == 0 ? -1 : 1))
                    return 0;
        }
    }
    return 1;
}

/* nonlinear_rows has a digit for each local row: bit 1 an f_nl, bit 2 a q_nl. Rows with storage are
 * dynamic: they are integrated, all others are algebraic. */
static void mark_nonlinear_rows(ln_system *system, char *dynamic, const ln_active *active) {
    const char *kinds = active->instance->block.type->nonlinear_rows;
    if (kinds == NULL)
        return;
    for (int j = 0; j < active->nlocal; j++) {
        if (kinds[j] != '2' && kinds[j] != '3')
            continue;
        if (active->row[j] >= 0)
            dynamic[active->row[j]] = 1;
        const int part = active->balance_row[j];
        if (part >= 0 && ln_stores_across(active->instance->block.type, active->balance_row, part))
            dynamic[part] = 1;
        system->linear_q &= active->row[j] < 0 && active->balance_row[j] < 0;
    }
}

/* Derived parameters of the instances that have a place of their own for them. */
static linnet_status prepare_all(const ln_system *system, ln_report *report) {
    for (int i = 0; i < system->network->ninstances; i++) {
        ln_instance *part = &system->network->instances[i];
        const linnet_block_class *type = part->block.type;
        char message[256] = "";
        if (part->block.work != NULL && type->prepare != NULL && type->reference_port < 0 &&
            type->prepare(&part->block, message) != LINNET_OK)
            return ln_fail(report, LINNET_MODEL, part->place, "%s (%s): %s", part->name, type->name,
                           message);
    }
    return LINNET_OK;
}

/* One instance: derived parameters, constant entries and sources, lists. */
static linnet_status visit(ln_system *system, stamps *all, int instance, char *dynamic,
                           ln_report *report) {
    ln_network *network = system->network;
    ln_instance *part = &network->instances[instance];
    const linnet_block_class *type = part->block.type;
    if (type->reference_port >= 0)
        return LINNET_OK;
    ln_local_unknowns(network, instance, all->map.unknown);
    LN_TRY(ln_place_rows(system, instance, all->map.row, all->map.balance_row));
    linnet_block block;
    LN_TRY(ln_prepare(system, part, &block, report));
    if (!stamp_constant(system, all, &block))
        return LINNET_MEMORY;
    stamp_source(system, all, &block);
    if (!is_active(type))
        return LINNET_OK;
    if (type->eval != NULL) {
        ln_active *active = &system->nonlinear[system->nnonlinear++];
        LN_TRY(ln_active_make(system, all->state, &all->map, instance, 1, active));
        mark_nonlinear_rows(system, dynamic, active);
    }
    if ((type->source != NULL && type->source_varies) || type->next_breakpoint != NULL)
        LN_TRY(ln_active_make(system, all->state, &all->map, instance, 0,
                              &system->sources[system->nsources++]));
    if (!ln_is_hybrid_type(type))
        return LINNET_OK;
    ln_active *hybrid = &system->hybrid[system->nhybrid];
    LN_TRY(ln_active_make(system, all->state, &all->map, instance, 0, hybrid));
    system->own->hybrid[instance] = system->nhybrid++;
    hybrid->first_guard = system->nguards;
    hybrid->first_event = system->nevents;
    system->nguards += ln_guards_of(type);
    system->nevents += type->nevents;
    return LINNET_OK;
}

static linnet_status list_algebraic(ln_system *system) {
    int *rows = LN_NEW(system->arena, int, system->n);
    if (rows == NULL)
        return LINNET_MEMORY;
    for (int i = 0; i < system->n; i++)
        if (!system->dynamic[i])
            rows[system->nalgebraic++] = i;
    system->algebraic = rows;
    return LINNET_OK;
}

static linnet_status finish_matrix(ln_system *system, stamps *all, linnet_kind kind,
                                   ln_matrix *matrix) {
    LN_TRY(ln_scattered_matrix(&all->at[kind], all->value[kind], system->n, system->arena, matrix));
    return ln_matrix_list_rows(matrix, system->arena);
}

static int add_pattern(ln_scattered *entries, const ln_pattern *pattern) {
    for (int j = 0; j < pattern->n; j++)
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            if (!ln_scattered_add(entries, pattern->row[k], j))
                return 0;
    return 1;
}

static int add_scattered(ln_scattered *entries, const ln_scattered *more) {
    for (size_t k = 0; k < more->count; k++)
        if (!ln_scattered_add(entries, more->row[k], more->col[k]))
            return 0;
    return 1;
}

/* Of a flux into a row's node that depends on an unknown. */
static int add_flux(const ln_system *system, ln_scattered *entries, int row, int col) {
    int entered[2];
    const int count = ln_system_entered(system, row, entered);
    for (int k = 0; k < count; k++)
        if (!ln_scattered_add(entries, entered[k], col))
            return 0;
    return 1;
}

/* Where start values of nonlinear blocks are held; those of linear ones store between their
 * unknowns anyway. */
static int add_holds(const ln_system *system, ln_scattered *entries, int *unknown) {
    const ln_network *network = system->network;
    for (int i = 0; i < network->ninstances; i++) {
        const ln_instance *instance = &network->instances[i];
        const linnet_block_class *type = instance->block.type;
        if (instance->besides->given == NULL || type->eval == NULL)
            continue;
        ln_local_unknowns(network, i, unknown);
        for (int k = 0; k < type->nstarts; k++) {
            for (int corner = 0; corner < 4; corner++) {
                const int row = type->starts[k].col[corner / 2],
                          col = type->starts[k].col[corner % 2];
                if (row < 0 || col < 0 || unknown[row] < 0 || unknown[col] < 0)
                    continue;
                if (!add_flux(system, entries, unknown[row], unknown[col]))
                    return 0;
            }
        }
    }
    return 1;
}

/* The union of all patterns, and the slot in it of every entry: of E, A, dq, df, in this order, so
 * that one array of positions serves all four. The iteration matrix alpha (E + dq) + A + df of any
 * method is a sum into these slots, and one symbolic factorisation serves the whole run. The
 * diagonal of physical links is in it where gmin stepping or a held start value adds there. */
static linnet_status finish_pattern(ln_system *system, stamps *all) {
    const ln_network *network = system->network;
    const ln_pattern *e = &system->E.pattern, *a = &system->A.pattern;
    ln_scattered entries = {0};
    int ok = add_pattern(&entries, e) && add_pattern(&entries, a) &&
             add_scattered(&entries, &all->state[LINNET_E]) &&
             add_scattered(&entries, &all->state[LINNET_A]) &&
             add_holds(system, &entries, all->map.unknown);
    for (int k = 0; ok && k < network->nlinks; k++)
        if (network->links[k].domain != LINNET_SIGNAL && network->links[k].unknown >= 0 &&
            (!system->linear || ln_link_is_fixed(&network->links[k])))
            ok = add_flux(system, &entries, network->links[k].unknown, network->links[k].unknown);
    int *position = LN_NEW(system->arena, int, entries.count);
    linnet_status status =
        ok ? ln_scattered_pattern(&entries, system->n, system->arena, &system->pattern, position)
           : LINNET_MEMORY;
    ln_scattered_free(&entries);
    LN_TRY(status);
    system->e_slot = position;
    system->a_slot = system->e_slot + e->start[e->n];
    system->dq_slot = system->a_slot + a->start[a->n];
    system->df_slot = system->dq_slot + system->ndq;
    assert(a->n == e->n && system->pattern.n == system->n);
    system->own->base = LN_NEW(system->arena, double, system->pattern.start[system->n]);
    return system->own->base != NULL ? LINNET_OK : LINNET_MEMORY;
}

static int *copy_ints(ln_arena *arena, const int *from, size_t count) {
    int *copy = LN_NEW(arena, int, count);
    if (copy != NULL && count > 0)
        memcpy(copy, from, count * sizeof *copy);
    return copy;
}

static linnet_status finish_states(ln_system *system, const stamps *all) {
    const ln_scattered *q = &all->state[LINNET_E], *f = &all->state[LINNET_A];
    ln_arena *arena = system->arena;
    system->ndq = (int)q->count;
    system->ndf = (int)f->count;
    system->dq = LN_NEW(arena, double, q->count);
    system->df = LN_NEW(arena, double, f->count);
    system->dq_row = copy_ints(arena, q->row, q->count);
    system->dq_col = copy_ints(arena, q->col, q->count);
    system->df_row = copy_ints(arena, f->row, f->count);
    system->df_col = copy_ints(arena, f->col, f->count);
    return system->dq && system->df && system->dq_row && system->dq_col && system->df_row &&
                   system->df_col
               ? LINNET_OK
               : LINNET_MEMORY;
}

/* The absolute tolerance and the usual size of each unknown. */
static linnet_status make_scales(ln_system *system) {
    double *abstol = LN_NEW(system->arena, double, system->n),
           *nominal = LN_NEW(system->arena, double, system->n);
    if (abstol == NULL || nominal == NULL)
        return LINNET_MEMORY;
    for (int i = 0; i < system->n; i++)
        ln_network_unknown_scale(system->network, i, &abstol[i], &nominal[i]);
    system->abstol = abstol;
    system->nominal = nominal;
    return LINNET_OK;
}

/* The order matters: floating parts must be known before rows are placed, E before rows are called
 * dynamic, batches number the entries that change, and all entries be known before the pattern. */
static linnet_status assemble(ln_system *system, stamps *all, ln_report *report) {
    ln_network *network = system->network;
    LN_TRY(make_work(system));
    int locals = 1, active = 0;
    for (int i = 0; i < network->ninstances; i++) {
        const linnet_block_class *type = network->instances[i].block.type;
        if (type->nports + type->nvars > locals)
            locals = type->nports + type->nvars;
        active += is_active(type);
        if (type->eval != NULL)
            system->linear = 0;
    }
    all->map.unknown = LN_NEW(system->arena, int, locals);
    all->map.row = LN_NEW(system->arena, int, locals);
    all->map.balance_row = LN_NEW(system->arena, int, locals);
    system->nonlinear = LN_NEW(system->arena, ln_active, active);
    system->sources = LN_NEW(system->arena, ln_active, active);
    system->hybrid = LN_NEW(system->arena, ln_active, active);
    system->s_constant = LN_NEW(system->arena, double, system->n);
    system->own->hybrid = LN_NEW(system->arena, int, network->ninstances);
    char *dynamic = LN_NEW(system->arena, char, system->n);
    if (ln_arena_failed(system->arena))
        return LINNET_MEMORY;
    system->dynamic = dynamic;
    for (int i = 0; i < network->ninstances; i++)
        system->own->hybrid[i] = -1;
    LN_TRY(prepare_all(system, report));
    LN_TRY(ln_supernodes_find(system, locals, report));
    for (int i = 0; i < network->ninstances; i++)
        LN_TRY(visit(system, all, i, dynamic, report));
    if (!stamp_extras(system, all))
        return LINNET_MEMORY;
    LN_TRY(finish_matrix(system, all, LINNET_A, &system->A));
    LN_TRY(finish_matrix(system, all, LINNET_E, &system->E));
    const ln_pattern *e = &system->E.pattern;
    for (int k = 0; k < e->start[e->n]; k++)
        if (system->E.value[k] != 0)
            dynamic[e->row[k]] = 1;
    LN_TRY(list_algebraic(system));
    LN_TRY(ln_batches_new(system, all->state));
    LN_TRY(finish_states(system, all));
    LN_TRY(finish_pattern(system, all));
    LN_TRY(ln_resting_new(system));
    LN_TRY(ln_find_loose_rows(system));
    LN_TRY(ln_delays_new(system, &system->delays));
    return make_scales(system);
}

linnet_status ln_system_new(ln_network *network, ln_report *report, ln_system **result) {
    ln_arena *arena = ln_arena_new();
    ln_system *system = arena == NULL ? NULL : LN_NEW(arena, ln_system, 1);
    struct ln_system_private *own =
        arena == NULL ? NULL : LN_NEW(arena, struct ln_system_private, 1);
    if (system == NULL || own == NULL) {
        ln_arena_free(arena);
        return ln_no_memory(report);
    }
    *system = (ln_system){.network = network,
                          .arena = arena,
                          .n = network->n,
                          .linear = 1,
                          .linear_q = 1,
                          .own = own};
    stamps all = {0};
    linnet_status status = assemble(system, &all, report);
    for (int kind = 0; kind < 2; kind++) {
        ln_scattered_free(&all.at[kind]);
        ln_scattered_free(&all.state[kind]);
        ln_sys->release(all.value[kind]);
    }
    if (status == LINNET_OK) {
        *result = system;
        return LINNET_OK;
    }
    if (status == LINNET_MEMORY)
        ln_no_memory(report);
    ln_arena_free(arena);
    return status;
}

void ln_system_free(ln_system *system) {
    if (system == NULL)
        return;
    ln_delays_free(system->delays);
    ln_threads_free(system);
    ln_arena_free(system->arena);
}
