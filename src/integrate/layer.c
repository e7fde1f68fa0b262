/* SPDX-License-Identifier: MIT */
/* See the header. */
#include "integrate/layer.h"

#include <float.h>
#include <math.h>

double ln_shortest_step(double t) {
    static const double ROUNDINGS = 10; /* of t */
    return ROUNDINGS * DBL_EPSILON * fabs(t) + DBL_MIN;
}

int ln_run_leaves_of(ln_run *run, double h, const double *e, double *left) {
    const ln_system *system = run->system;
    /* those of a nonlinear network are of other points, where what is stored has other slopes */
    for (int k = 0; k < LN_KEPT_FACTORS && !system->linear; k++)
        run->cache.factors[k].matrix.usable = 0;
    ln_matrix_apply(&system->E, e, left);
    for (int k = 0; k < system->ndq; k++)
        left[system->dq_row[k]] += system->dq[k] * e[system->dq_col[k]];
    for (int i = 0; i < run->n; i++)
        left[i] /= h;
    return ln_run_solve_again(run, 1 / h, left);
}
