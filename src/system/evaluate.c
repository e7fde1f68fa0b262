/* SPDX-License-Identifier: MIT */
/* The system at a point: sources, nonlinear parts, Jacobian. Runs in the step loop: no search, no
 * allocation.
 *
 * A block works in local arrays; what it leaves there is tested for NaN before it reaches the
 * global ones, so that a failure bears the block's name. */
#include "system/active.h"
#include "system/delay.h"
#include "system/system.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void gather(const ln_active *active, const double *x, double *local) {
    for (int j = 0; j < active->nlocal; j++)
        local[j] = active->unknown[j] < 0 ? 0.0 : x[active->unknown[j]];
}

static void blame(ln_system *system, const ln_active *active, const char *what, double t) {
    const linnet_block *block = &active->instance->block;
    char detail[128] = "";
    int known = block->type->explain != NULL && block->type->explain(block, detail);
    snprintf(system->own->blame, sizeof system->own->blame, "%s (%s): %s at t = %.9g s%s%s",
             active->instance->name, block->type->name, what, t, known ? ": " : "",
             known ? detail : "");
    system->own->blame_place = active->instance->place;
}

void ln_system_blame(const ln_system *system, char text[256], ln_place *place) {
    memcpy(text, system->own->blame, 256);
    *place = system->own->blame_place;
}

static linnet_status add_sources(ln_system *system, ln_side side, double *s, ln_report *report) {
    memcpy(s, system->s_constant, (size_t)system->n * sizeof *s);
    double *local = system->own->f;
    for (int k = 0; k < system->nsources; k++) {
        const ln_active *active = &system->sources[k];
        const linnet_block *block = &active->instance->block;
        if (block->type->source == NULL || !block->type->source_varies)
            continue;
        memset(local, 0, (size_t)active->nlocal * sizeof *local);
        block->type->source(
            block,
            &(linnet_point){side.t, side.within, NULL, ln_memories_of(system, active->instance)},
            local);
        for (int j = 0; j < active->nlocal; j++) {
            if ((active->row[j] < 0 && active->across[j] < 0) || local[j] == 0)
                continue;
            if (!isfinite(local[j])) {
                blame(system, active, "its source is not finite", side.t);
                return ln_fail(report, LINNET_FAILED, active->instance->place, "%s",
                               system->own->blame);
            }
            if (active->row[j] >= 0)
                s[active->row[j]] += local[j];
            if (active->across[j] >= 0)
                s[active->across[j]] += local[j];
        }
    }
    return LINNET_OK;
}

linnet_status ln_system_sources(ln_system *system, ln_side side, double *s, ln_report *report) {
    const ln_profile_part before = ln_profile_enter(system->profile, LN_PART_DEVICES);
    const linnet_status status = add_sources(system, side, s, report);
    ln_profile_leave(system->profile, before);
    return status;
}

int ln_system_source_rows(const ln_system *system, int *rows) {
    int count = 0;
    memset(rows, 0, (size_t)system->n * sizeof *rows);
    for (int k = 0; k < system->nsources; k++) {
        const ln_active *active = &system->sources[k];
        const linnet_block_class *type = active->instance->block.type;
        for (int j = 0; type->source != NULL && type->source_varies && j < active->nlocal; j++) {
            if (type->source_rows != NULL && type->source_rows[j] != '1')
                continue;
            if (active->row[j] >= 0)
                rows[active->row[j]] = 1;
            if (active->across[j] >= 0)
                rows[active->across[j]] = 1;
        }
    }
    for (int i = 0; i < system->n; i++)
        if (rows[i])
            rows[count++] = i;
    return count;
}

double ln_system_source_break(const ln_system *system, double t) {
    double next = INFINITY;
    for (int k = 0; k < system->nsources; k++) {
        const linnet_block *block = &system->sources[k].instance->block;
        if (block->type->next_breakpoint == NULL)
            continue;
        double breakpoint = block->type->next_breakpoint(
            block, t, ln_memories_of(system, system->sources[k].instance));
        if (breakpoint < next)
            next = breakpoint;
    }
    return next;
}

double ln_system_next_breakpoint(const ln_system *system, double t) {
    const double next = ln_system_source_break(system, t);
    return system->delays != NULL ? fmin(next, ln_delays_next_breakpoint(system->delays, t)) : next;
}

/* ---- nonlinear parts ---- */

static int all_finite(const double *value, int n) {
    double sum = 0;
    for (int j = 0; j < n; j++)
        sum += value[j] * 0.0; /* NaN and infinities turn into NaN */
    return sum == 0;
}

/* Are all n values finite? A finite sum proves it; else each is tested. */
static int are_finite(const double *value, int n) {
    double even = 0, odd = 0;
    for (int j = 0; j + 1 < n; j += 2) {
        even += value[j];
        odd += value[j + 1];
    }
    if (n % 2 > 0)
        even += value[n - 1];
    return (even + odd) * 0.0 == 0 || all_finite(value, n);
}

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

linnet_status ln_system_stored(ln_system *system, ln_side side, const double *x, double *q) {
    ln_matrix_apply(&system->E, x, q);
    if (system->linear_q ||
        ln_system_eval(system, side, x, LN_LIMIT_OFF, q, NULL, NULL) == LINNET_OK)
        return LINNET_OK;
    ln_matrix_apply(&system->E, x, q);
    return LINNET_RETRY;
}

int ln_system_asks_off(const ln_system *system) {
    for (int k = 0; k < system->nnonlinear; k++)
        if (ln_asks_off(&system->nonlinear[k].instance->block))
            return 1;
    return 0;
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
    if (active->instance->block.type->ndelays > 0 && ln_delays_ask_ahead(system, active->hybrid))
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
    blame(system, active, "its equations have no finite derivative", point->t);
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
    if (status == LINNET_OK && are_finite(out->q, written))
        return LINNET_OK;
    if (status == LINNET_OK && !all_finite(out->q, 2 * active->nlocal))
        status = LINNET_RETRY;
    if (status != LINNET_OK)
        blame(system, active, why_not(system, active), at->side.t);
    else if (at->entries)
        at->secants += mend_entries(system, active, &point, out);
    return status;
}

static int rests(const ln_active *active, const double *local) {
    for (int j = 0; j < active->nlocal; j++)
        if (!(fabs(local[j] - active->last[j]) <= LN_RESTS))
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
        ln_scatter_subtract(&active->less_q, q, at->q);
        if (moved) {
            add_way(active, &active->to_dq, 1, system->dq_row, local, at->q);
            add_way(active, &active->less_dq, -1, system->dq_row, local, at->q);
        }
    }
    if (at->f != NULL) {
        ln_scatter_add(&active->to_f, f, at->f);
        ln_scatter_subtract(&active->less_f, f, at->f);
        if (moved) {
            add_way(active, &active->to_df, 1, system->df_row, local, at->f);
            add_way(active, &active->less_df, -1, system->df_row, local, at->f);
        }
    }
}

linnet_status ln_system_visit(ln_system *system, ln_active *active, ln_look *at) {
    struct ln_system_private *own = system->own;
    const linnet_block *block = &active->instance->block;
    const int n = active->nlocal;
    double *written = active->written != NULL ? active->written : own->written;
    linnet_out out = {written, written + n, written + 2 * n};
    gather(active, at->x, own->x);
    if ((at->manner & LN_KEEP_RESTING) && active->kept && rests(active, own->x)) {
        give_again(system, active, own->x, at);
        return LINNET_OK;
    }
    active->kept = 0;
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
        ln_scatter_subtract(&active->less_q, out.q, at->q);
    }
    if (at->f != NULL) {
        ln_scatter_add(&active->to_f, out.f, at->f);
        ln_scatter_subtract(&active->less_f, out.f, at->f);
    }
    if (at->entries) {
        ln_scatter_set(&active->to_df, out.entry, system->df);
        ln_scatter_set(&active->to_dq, out.entry, system->dq);
        ln_scatter_set_negative(&active->less_df, out.entry, system->df);
        ln_scatter_set_negative(&active->less_dq, out.entry, system->dq);
        active->kept = active->last != NULL && !moved;
    }
    return LINNET_OK;
}

static linnet_status visit_singles(ln_system *system, ln_look *at) {
    for (int k = 0; k < system->own->nsingle; k++)
        LN_TRY(ln_system_visit(system, system->own->single[k], at));
    return LINNET_OK;
}

static linnet_status visit_all(ln_system *system, ln_look *at) {
    const ln_profile_part before = ln_profile_enter(system->profile, LN_PART_DEVICES);
    linnet_status status = visit_singles(system, at);
    if (status == LINNET_OK)
        status = ln_batches_visit(system, at);
    ln_profile_leave(system->profile, before);
    return status;
}

linnet_status ln_system_eval(ln_system *system, ln_side side, const double *x, int manner,
                             double *q, double *f, int *limited) {
    ln_look at = {.side = side, .x = x, .manner = manner, .entries = 1, .q = q, .f = f};
    const linnet_status status = visit_all(system, &at);
    if (limited != NULL)
        *limited = at.limited;
    system->own->secants = at.secants;
    return status;
}

static int row_of(const ln_active *active, int local) {
    return active->row[local] >= 0 ? active->row[local] : active->across[local];
}

double ln_bend_of(const ln_active *active, int n, const double *f, const double *change,
                  const double *rounding, const double *sizes) {
    double size = 0, carried = 0, most = 0;
    for (int j = 0; j < n; j++)
        if (row_of(active, j) >= 0) {
            size = fmax(size, fabs(f[j]));
            carried = fmax(carried, sizes[row_of(active, j)]);
        }
    if (carried > 0)
        size = fmin(size, LN_BEYOND * carried);
    for (int j = 0; j < n; j++) {
        if (row_of(active, j) < 0)
            continue;
        const double small = LN_BENDS_FROM * (size + sizes[row_of(active, j)]) + rounding[j];
        if (!(fabs(change[j]) <= most * small))
            most = fabs(change[j]) / small;
    }
    return most;
}

/* Of one block. */
static double bends(const ln_system *system, const ln_active *active, const double *x,
                    const double *dx, const double *sizes) {
    const int n = active->nlocal;
    const double *f = active->written + n, *slope = f + n;
    double *change = system->own->f, *rounding = system->own->q;
    memset(change, 0, (size_t)n * sizeof *change);
    memset(rounding, 0, (size_t)n * sizeof *rounding);
    for (int k = 0; k < active->nentries; k++) {
        const linnet_entry *e = &active->instance->block.type->entries[k];
        const int from = active->unknown[e->col];
        if (e->kind != LINNET_A || e->change != LINNET_STATE || from < 0)
            continue;
        change[e->row] += slope[k] * dx[from];
        rounding[e->row] += LN_ROUNDING * fabs(slope[k] * x[from]);
    }
    return ln_bend_of(active, n, f, change, rounding, sizes);
}

double ln_system_bends(const ln_system *system, const double *x, const double *dx,
                       const double *sizes) {
    double most = 0;
    for (int k = 0; k < system->own->nsingle; k++)
        if (system->own->single[k]->written != NULL)
            most = fmax(most, bends(system, system->own->single[k], x, dx, sizes));
    return fmax(most, ln_batches_bends(system, x, dx, sizes));
}

double ln_system_bends_here(const ln_system *system, const double *x, const double *dx,
                            double *sizes) {
    ln_matrix_apply(&system->A, x, sizes);
    for (int i = 0; i < system->n; i++)
        sizes[i] = fabs(sizes[i]);
    return ln_system_bends(system, x, dx, sizes);
}

linnet_status ln_system_value(ln_system *system, ln_side side, const double *x, int manner,
                              double *q, double *f) {
    ln_look at = {.side = side, .x = x, .manner = manner, .q = q, .f = f};
    return visit_all(system, &at);
}

/* ---- places ---- */

size_t ln_system_places(const ln_system *system) {
    size_t count = ln_batches_places(system);
    for (int k = 0; k < system->own->nsingle; k++)
        if (system->own->single[k]->last != NULL)
            count += (size_t)system->own->single[k]->nlocal;
    return count;
}

void ln_system_save_places(const ln_system *system, double *places) {
    for (int k = 0; k < system->own->nsingle; k++) {
        const ln_active *active = system->own->single[k];
        if (active->last == NULL)
            continue;
        memcpy(places, active->last, (size_t)active->nlocal * sizeof *places);
        places += active->nlocal;
    }
    ln_batches_save_places(system, places);
}

void ln_system_restore_places(ln_system *system, const double *places) {
    for (int k = 0; k < system->own->nsingle; k++) {
        ln_active *active = system->own->single[k];
        if (active->last == NULL)
            continue;
        memcpy(active->last, places, (size_t)active->nlocal * sizeof *places);
        active->kept = 0;
        places += active->nlocal;
    }
    ln_batches_restore_places(system, places);
}

/* ---- the Jacobian ---- */

void ln_system_jacobian(const ln_system *system, double alpha, double *values) {
    struct ln_system_private *own = system->own;
    size_t size = (size_t)system->pattern.start[system->n];
    const ln_profile_part before = ln_profile_enter(system->profile, LN_PART_ASSEMBLY);
    if (!own->base_valid || own->base_alpha != alpha) {
        int ne = system->E.pattern.start[system->n], na = system->A.pattern.start[system->n];
        memset(own->base, 0, size * sizeof *own->base);
        for (int k = 0; k < na; k++)
            own->base[system->a_slot[k]] += system->A.value[k];
        for (int k = 0; k < ne; k++)
            own->base[system->e_slot[k]] += alpha * system->E.value[k];
        own->base_alpha = alpha;
        own->base_valid = 1;
    }
    memcpy(values, own->base, size * sizeof *values);
    ln_add_slopes(system, alpha, values);
    ln_profile_leave(system->profile, before);
}

void ln_system_dq(const ln_system *system, double *values) {
    const int ne = system->E.pattern.start[system->n];
    memset(values, 0, (size_t)system->pattern.start[system->n] * sizeof *values);
    for (int k = 0; k < ne; k++)
        values[system->e_slot[k]] += system->E.value[k];
    for (int k = 0; k < system->ndq; k++)
        values[system->dq_slot[k]] += system->dq[k];
}
