/* SPDX-License-Identifier: MIT */
/* What both ways to solve the stages of RADAU5 compute: rates, stored quantities, the transform of
 * the stages [IV.8]. */
#include "integrate/radau5.h"

#include <string.h>

int ln_radau5_rates(ln_run *run, ln_side side, const double *x, double *q_nl, double *g) {
    ln_system *system = run->system;
    if (ln_system_sources(system, side, run->s) != LINNET_OK)
        return 0;
    ln_matrix_apply(&system->A, x, g);
    if (q_nl != NULL)
        memset(q_nl, 0, (size_t)run->n * sizeof *q_nl);
    run->statistics->evaluations++;
    if (ln_system_value(system, side, x, run->bypass, system->linear_q ? NULL : q_nl, g) !=
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

void ln_radau5_q_increment(const ln_run *run, ln_radau5 *radau, int j) {
    double *increment = radau->stages.q_increment[j], *linear = radau->y;
    ln_matrix_apply(&run->system->E, radau->stages.z[j], linear);
    for (int i = 0; i < run->n; i++)
        increment[i] = run->system->linear_q
                           ? linear[i]
                           : increment[i] - radau->stages.q_nl_start[i] + linear[i];
}
