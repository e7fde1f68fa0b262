/* SPDX-License-Identifier: MIT */
/* What time drives: sources, and what equations make of the time beside unknowns. */
#include "system/active.h"

#include <math.h>
#include <string.h>

/* The f of an instance at t, with x and memories as they are `from`; 0 where it has no value. */
static int evaluate_at(ln_system *system, const ln_active *active, const ln_moment *from,
                       double t) {
    struct ln_system_private *own = system->own;
    const linnet_block *block = &active->instance->block;
    const linnet_block_class *type = block->type;
    (void)ln_gather(active, from->x, own->x);
    const double *m = active->no_memories ? NULL
                                          : ln_memories_at(system, active->instance, active->hybrid,
                                                           from->side, own->x);
    linnet_out out = {own->q, own->f, own->entry};
    memset(own->q, 0, (size_t)active->nlocal * sizeof *own->q);
    memset(own->f, 0, (size_t)active->nlocal * sizeof *own->f);
    memset(own->entry, 0, (size_t)type->nentries * sizeof *own->entry);
    return (type->value != NULL ? type->value : type->eval)(
               block, &(linnet_point){t, from->side.within, own->x, m}, &out) == LINNET_OK;
}

static void take(double *s, int row, double value) {
    if (row >= 0)
        s[row] -= value;
}

linnet_status ln_system_driven(ln_system *system, const ln_moment *from, double t, double *s) {
    LN_TRY(ln_system_sources(system, ln_side_at(from->side, t), s));
    for (int k = 0; k < system->nnonlinear; k++) {
        const ln_active *active = &system->nonlinear[k];
        const char *timed = active->instance->block.type->timed_rows;
        if (timed == NULL)
            continue;
        const int known = evaluate_at(system, active, from, t);
        for (int j = 0; j < active->nlocal; j++) {
            const double value = known ? system->own->f[j] : NAN;
            if (timed[j] != '1')
                continue;
            take(s, active->row[j], value);
            take(s, active->balance_row[j], value);
        }
    }
    return LINNET_OK;
}

static void mark_rows(const ln_active *active, const char *marks, int *rows) {
    for (int j = 0; j < active->nlocal; j++) {
        if (marks != NULL && marks[j] != '1')
            continue;
        if (active->row[j] >= 0)
            rows[active->row[j]] = 1;
        if (active->balance_row[j] >= 0)
            rows[active->balance_row[j]] = 1;
    }
}

int ln_system_driven_rows(const ln_system *system, int *rows) {
    int count = 0;
    memset(rows, 0, (size_t)system->n * sizeof *rows);
    for (int k = 0; k < system->nsources; k++) {
        const linnet_block_class *type = system->sources[k].instance->block.type;
        if (type->source != NULL && type->source_varies)
            mark_rows(&system->sources[k], type->source_rows, rows);
    }
    for (int k = 0; k < system->nnonlinear; k++) {
        const char *timed = system->nonlinear[k].instance->block.type->timed_rows;
        if (timed != NULL)
            mark_rows(&system->nonlinear[k], timed, rows);
    }
    for (int i = 0; i < system->n; i++)
        if (rows[i])
            rows[count++] = i;
    return count;
}
