/* SPDX-License-Identifier: MIT */
/* What both ways to solve the stages of RADAU5 compute: rates, stored quantities, the transform of
 * the stages [IV.8]. */
#include "integrate/radau5.h"

#include <string.h>

int ln_radau5_rates(ln_run *run, ln_side side, const double *x, double *charge, double *g) {
    ln_system *system = run->system;
    if (ln_system_sources(system, side, run->s) != LINNET_OK)
        return 0;
    ln_matrix_apply(&system->A, x, g);
    if (charge != NULL)
        memset(charge, 0, (size_t)run->n * sizeof *charge);
    run->statistics->evaluations++;
    if (ln_system_value(system, side, x, run->bypass, system->linear_q ? NULL : charge, g) !=
        LINNET_OK)
        return 0;
    for (int i = 0; i < run->n; i++)
        g[i] = run->s[i] - g[i];
    return 1;
}

void ln_radau5_transform(const double *z, double *real, double *pair) {
    *real = ti11 * z[0] + ti12 * z[1] + ti13 * z[2];
    pair[0] = ti21 * z[0] + ti22 * z[1] + ti23 * z[2];
    pair[1] = ti31 * z[0] + ti32 * z[1] + ti33 * z[2];
}

void ln_radau5_stored(const ln_run *run, ln_radau5 *radau, int j) {
    double *dq = radau->stages.dq[j], *linear = radau->y;
    ln_matrix_apply(&run->system->E, radau->stages.z[j], linear);
    for (int i = 0; i < run->n; i++)
        dq[i] = run->system->linear_q ? linear[i] : dq[i] - radau->stages.charge[i] + linear[i];
}
