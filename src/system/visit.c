/* SPDX-License-Identifier: MIT */
/* One nonlinear instance at a point: its values are added, its derivatives set. Runs in the step
 * loop: no search, no allocation.
 *
 * A block works in local arrays; what it leaves there is tested for NaN before it reaches the
 * global ones, so that a failure bears the block's name. */
#include "base/finite.h"
#include "system/active.h"
#include "system/delay.h"

#include <math.h>
#include <string.h>

/* Where the block is evaluated: moved by its own limit if asked. Returns 1 when it was moved. */
static int place_point(ln_system *system, const ln_active *active, int manner, double *local) {
    const linnet_block *block = &active->instance->block;
    double *last = active->last, *wanted = system->own->moved;
    int moved = 0;
    if (manner & LN_LIMIT_ON) {
        for (int j = 0; j < active->nlocal; j++)
            wanted[j] = local[j];
        moved = block->type->limit(block, last, local);
        for (int j = 0; moved && j < active->nlocal; j++)
            wanted[j] -= local[j];
    }
    for (int j = 0; j < active->nlocal; j++)
        last[j] = local[j];
    return moved;
}

int ln_asks_off(const linnet_block *block) {
    const linnet_block_class *type = block->type;
    return type->off > 0 && block->p[type->params[type->off - 1].offset] > 0;
}

/* A device that is OFF is evaluated at zero voltage; temperatures stay. */
static void take_off(ln_system *system, const ln_active *active, double *local) {
    memcpy(system->own->moved, local, (size_t)active->nlocal * sizeof *local);
    const linnet_block_class *type = active->instance->block.type;
    for (int j = 0; j < active->nlocal; j++)
        if (j >= type->nports || type->ports[j].domain == LINNET_ELECTRICAL)
            local[j] = 0;
    if (active->last != NULL)
        memcpy(active->last, local, (size_t)active->nlocal * sizeof *local);
}

/* The tangent at the moved point instead of the value: q and f gain J (wanted - moved). */
static void add_tangent(const ln_system *system, const ln_active *active, linnet_out *out) {
    const linnet_block_class *type = active->instance->block.type;
    const double *away = system->own->moved;
    for (int k = 0; k < active->nentries; k++) {
        const linnet_entry *e = &type->entries[k];
        if (e->change != LINNET_STATE)
            continue;
        (e->kind == LINNET_E ? out->q : out->f)[e->row] += out->entry[k] * away[e->col];
    }
}

/* Why a block just evaluated gives no numbers. */
static const char *why_not(const ln_system *system, const ln_active *active) {
    if (active->instance->block.type->ndelays > 0 && ln_delays_any_negative(system, active->hybrid))
        return "it is to look ahead, by a negative delay (keep it at 0 s or above),";
    return "its equations have no finite value";
}

/* Derivatives that are not finite become slopes of secants. */
static int mend_entries(ln_system *system, const ln_active *active, const linnet_point *point,
                        const linnet_out *out) {
    const struct ln_system_private *own = system->own;
    const linnet_block_class *type = active->instance->block.type;
    memcpy(own->q, out->q, (size_t)active->nlocal * sizeof *own->q);
    memcpy(own->f, out->f, (size_t)active->nlocal * sizeof *own->f);
    memcpy(own->entry, out->entry, (size_t)type->nentries * sizeof *own->entry);
    ln_blame(system, active, "its equations have no finite derivative", point->t);
    const int count = ln_secant_entries(system, active, point);
    memcpy(out->entry, own->entry, (size_t)type->nentries * sizeof *own->entry);
    return count;
}

/* One instance at its place, own->x, into out; `written` values from out->q on. */
static linnet_status write_out(ln_system *system, const ln_active *active, ln_look *at,
                               linnet_out *out, int written) {
    struct ln_system_private *own = system->own;
    const linnet_block *block = &active->instance->block;
    const linnet_block_class *type = block->type;
    const double *m = active->no_memories ? NULL
                                          : ln_memories_at(system, active->instance, active->hybrid,
                                                           at->side, own->x);
    const linnet_point point = {at->side.t, at->side.within, own->x, m};
    memset(out->q, 0, (size_t)written * sizeof *out->q);
    linnet_status status =
        (at->entries || type->value == NULL ? type->eval : type->value)(block, &point, out);
    if (status == LINNET_OK && ln_all_finite(out->q, (size_t)written))
        return LINNET_OK;
    if (at->side.modes == LN_MODES_YIELDING && type->nmodes > 0) {
        ln_look free = *at;
        free.side = ln_side_with(at->side, LN_MODES_FREE);
        status = write_out(system, active, &free, out, written);
        at->secants = free.secants;
        return status;
    }
    if (status == LINNET_OK && !ln_all_finite(out->q, 2 * (size_t)active->nlocal))
        status = LINNET_RETRY;
    if (status != LINNET_OK)
        ln_blame(system, active, why_not(system, active), at->side.t);
    else if (at->entries)
        at->secants += mend_entries(system, active, &point, out);
    return status;
}

static int rests(const ln_active *active, const double *local, double within) {
    for (int j = 0; j < active->nlocal; j++)
        if (!(fabs(local[j] - active->last[j]) <= within))
            return 0;
    return 1;
}

/* values += slopes times the way from where the block was evaluated, times `sign`. row: of the
 * system's entries that change, of this kind. */
static void add_way(const ln_active *active, const ln_scatter *entries, double sign, const int *row,
                    const double *local, double *values) {
    const linnet_entry *all = active->instance->block.type->entries;
    const double *slope = active->written + 2 * active->nlocal;
    for (int k = 0; k < entries->count; k++) {
        const int col = all[entries->from[k]].col;
        values[row[entries->to[k]]] +=
            sign * slope[entries->from[k]] * (local[col] - active->last[col]);
    }
}

/* A bypassed device adds its last evaluation and its tangent; dq and df stand as they are. */
static void give_again(const ln_system *system, const ln_active *active, const double *local,
                       const ln_look *at) {
    const int n = active->nlocal;
    const double *q = active->written, *f = q + n;
    int moved = 0;
    for (int j = 0; j < n; j++)
        moved |= local[j] < active->last[j] || local[j] > active->last[j];
    if (at->q != NULL) {
        ln_scatter_add(&active->to_q, q, at->q);
        ln_scatter_subtract(&active->outside_q, q, at->q);
        if (moved) {
            add_way(active, &active->to_dq, 1, system->dq_row, local, at->q);
            add_way(active, &active->outside_dq, -1, system->dq_row, local, at->q);
        }
    }
    if (at->f != NULL) {
        ln_scatter_add(&active->to_f, f, at->f);
        ln_scatter_subtract(&active->outside_f, f, at->f);
        if (moved) {
            add_way(active, &active->to_df, 1, system->df_row, local, at->f);
            add_way(active, &active->outside_df, -1, system->df_row, local, at->f);
        }
    }
}

/* Several entries of a device may be one of the system. */
static void set_entries(const ln_scatter *list, const ln_scatter *outside, const double *entry,
                        double *values) {
    ln_scatter_clear(list, values);
    ln_scatter_clear(outside, values);
    ln_scatter_add(list, entry, values);
    ln_scatter_subtract(outside, entry, values);
}

linnet_status ln_system_visit(ln_system *system, ln_active *active, ln_look *at) {
    struct ln_system_private *own = system->own;
    const linnet_block *block = &active->instance->block;
    const int n = active->nlocal;
    double *written = active->written != NULL ? active->written : own->written;
    linnet_out out = {written, written + n, written + 2 * n};
    (void)ln_gather(active, at->x, own->x);
    if (at->rests > 0 && active->is_whole && rests(active, own->x, at->rests)) {
        give_again(system, active, own->x, at);
        return LINNET_OK;
    }
    active->is_whole = 0;
    const int off = (at->manner & LN_DEVICES_OFF) && ln_asks_off(block);
    if (off)
        take_off(system, active, own->x);
    const int moved =
        off || (active->last != NULL && place_point(system, active, at->manner, own->x));
    LN_TRY(write_out(system, active, at, &out, 2 * n + (at->entries ? active->nentries : 0)));
    if (moved) {
        add_tangent(system, active, &out);
        at->limited += !off;
    }
    if (at->q != NULL) {
        ln_scatter_add(&active->to_q, out.q, at->q);
        ln_scatter_subtract(&active->outside_q, out.q, at->q);
    }
    if (at->f != NULL) {
        ln_scatter_add(&active->to_f, out.f, at->f);
        ln_scatter_subtract(&active->outside_f, out.f, at->f);
    }
    if (at->entries) {
        set_entries(&active->to_df, &active->outside_df, out.entry, system->df);
        set_entries(&active->to_dq, &active->outside_dq, out.entry, system->dq);
        active->is_whole = active->last != NULL && !moved;
    }
    return LINNET_OK;
}

/* Sums over each local row of |slope| |x|, into sum[]: what rounding and cancellation are measured
 * by. */
static void add_terms(const ln_active *active, const double *slope, const double *local,
                      double *sum) {
    const linnet_entry *all = active->instance->block.type->entries;
    memset(sum, 0, (size_t)active->nlocal * sizeof *sum);
    for (int k = 0; k < active->nentries; k++)
        if (all[k].kind == LINNET_A && all[k].change == LINNET_STATE)
            sum[all[k].row] += fabs(slope[k] * local[all[k].col]);
}

linnet_status ln_system_depart(ln_system *system, const ln_active *active, const double *x,
                               const double *dx, ln_departure *found) {
    struct ln_system_private *own = system->own;
    const linnet_entry *all = active->instance->block.type->entries;
    const int n = active->nlocal;
    const double *f = active->written + n, *slope = f + n;
    linnet_out out = {own->written, own->written + n, own->written + 2 * n};
    ln_look at = {.side = own->side, .entries = 1};
    *found = (ln_departure){out.f, own->f, own->q, own->moved};
    (void)ln_gather(active, x, own->x);
    add_terms(active, slope, own->x, found->before);
    for (int j = 0; j < n; j++)
        own->x[j] -= active->unknown[j] < 0 ? 0 : dx[active->unknown[j]];
    LN_TRY(write_out(system, active, &at, &out, 2 * n + active->nentries));
    add_terms(active, out.entry, own->x, found->after);
    for (int j = 0; j < n; j++)
        found->off[j] = out.f[j] - f[j];
    for (int k = 0; k < active->nentries; k++)
        if (all[k].kind == LINNET_A && all[k].change == LINNET_STATE &&
            active->unknown[all[k].col] >= 0)
            found->off[all[k].row] += slope[k] * dx[active->unknown[all[k].col]];
    return LINNET_OK;
}

int ln_bend_counts(const ln_active *active, int n, const double *sizes) {
    for (int j = 0; j < n; j++)
        if (ln_row_of(active, j) >= 0 && sizes[ln_row_of(active, j)] < INFINITY)
            return 1;
    return 0;
}

double ln_bend_of(const ln_active *active, int n, const double *f, const double *change,
                  const double *rounding, const double *sizes) {
    double size = 0, carried = 0, most = 0;
    for (int j = 0; j < n; j++)
        if (ln_row_of(active, j) >= 0) {
            size = fmax(size, fabs(f[j]));
            carried = fmax(carried, sizes[ln_row_of(active, j)]);
        }
    if (carried > 0)
        size = fmin(size, LN_BEYOND * carried);
    for (int j = 0; j < n; j++) {
        if (ln_row_of(active, j) < 0)
            continue;
        const double small = LN_BENDS_FROM * (size + sizes[ln_row_of(active, j)]) + rounding[j];
        if (!(fabs(change[j]) <= most * small))
            most = fabs(change[j]) / small;
    }
    return most;
}
