/* SPDX-License-Identifier: MIT */
/* Partial derivatives that are not finite where the values are: acos(u) at u = 1, cbrt(u) and
 * sqrt(u) at u = 0. The point is regular for the equations and not for their tangent, so Newton's
 * method gets the slope of a secant in its place: from the point to one at a small distance on the
 * side where the block has a value (a secant step in that variable [Ortega and Rheinboldt,
 * Iterative Solution of Nonlinear Equations, 7.2]). A linearised model has no use for it and
 * refuses the point, see ln_system_linearise(). */
#include "base/finite.h"
#include "system/active.h"
#include "system/system.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The block's values with local unknown j moved by h, in own->q_moved, own->f_moved; 1 when finite.
 */
static int evaluate_moved(ln_system *system, const ln_active *active, const linnet_point *point,
                          int j, double h) {
    struct ln_system_private *own = system->own;
    const linnet_block *block = &active->instance->block;
    const linnet_block_class *type = block->type;
    linnet_out out = {own->q_moved, own->f_moved, own->entry_moved};
    const double x = own->x[j];
    const size_t bytes = (size_t)active->nlocal * sizeof(double);
    memset(own->q_moved, 0, bytes);
    memset(own->f_moved, 0, bytes);
    own->x[j] = x + h;
    const linnet_status status =
        (type->value != NULL ? type->value : type->eval)(block, point, &out);
    own->x[j] = x;
    return status == LINNET_OK && ln_all_finite(own->q_moved, (size_t)active->nlocal) &&
           ln_all_finite(own->f_moved, (size_t)active->nlocal);
}

/* The entries of column j that are not finite; 0 where the block has a value on neither side. */
static void fill_column(ln_system *system, const ln_active *active, const linnet_point *point,
                        int j) {
    struct ln_system_private *own = system->own;
    const linnet_block_class *type = active->instance->block.type;
    const int unknown = active->unknown[j];
    const double size = unknown < 0 ? 1 : fmax(fabs(own->x[j]), system->nominal[unknown]);
    double h = sqrt(DBL_EPSILON) * size;
    int found = evaluate_moved(system, active, point, j, h);
    if (!found) {
        h = -h;
        found = evaluate_moved(system, active, point, j, h);
    }
    for (int k = 0; k < type->nentries; k++) {
        const linnet_entry *e = &type->entries[k];
        if (e->col != j || isfinite(own->entry[k]))
            continue;
        const double *from = e->kind == LINNET_E ? own->q : own->f;
        const double *to = e->kind == LINNET_E ? own->q_moved : own->f_moved;
        own->entry[k] = found ? (to[e->row] - from[e->row]) / h : 0;
    }
}

int ln_secant_entries(ln_system *system, const ln_active *active, const linnet_point *point) {
    struct ln_system_private *own = system->own;
    const linnet_block_class *type = active->instance->block.type;
    int count = 0;
    for (int k = 0; k < type->nentries; k++) {
        if (isfinite(own->entry[k]))
            continue;
        fill_column(system, active, point, type->entries[k].col);
        count++;
    }
    return count;
}
