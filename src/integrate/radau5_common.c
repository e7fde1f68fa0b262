/* SPDX-License-Identifier: MIT */
/* What the parts of RADAU5 share: rates, stored quantities, the transform of the stages and the
 * polynomial through them [IV.8]. */
/* Loops over all unknowns become vectors by -O3 only. The pragma would else lose the command line's
 * contraction. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "integrate/radau5.h"

#include "base/loops.h"

#include <string.h>

int ln_radau5_rates(ln_run *run, ln_side side, const double *x, double *q_nl, double *g) {
    ln_system *system = run->system;
    if (ln_system_sources(system, side, run->s) != LINNET_OK)
        return 0;
    ln_matrix_apply(&system->A, x, g);
    if (q_nl != NULL)
        memset(q_nl, 0, (size_t)run->n * sizeof *q_nl);
    run->statistics->evaluations++;
    if (ln_system_value(system, &(ln_moment){side, x}, run->rests, system->linear_q ? NULL : q_nl,
                        g) != LINNET_OK)
        return 0;
    const double *s = run->s;
    LN_APART
    for (int i = 0; i < run->n; i++)
        g[i] = s[i] - g[i];
    return 1;
}

void ln_radau5_q_increment(const ln_run *run, ln_radau5 *radau, int j) {
    double *increment = radau->stages.q_increment[j], *linear = radau->y;
    ln_matrix_apply(&run->system->E, radau->stages.z[j], linear);
    if (run->system->linear_q) {
        memcpy(increment, linear, (size_t)run->n * sizeof *increment);
        return;
    }
    const double *start = radau->stages.q_nl_start;
    LN_APART
    for (int i = 0; i < run->n; i++)
        increment[i] = increment[i] - start[i] + linear[i];
}

void ln_radau5_transform_stages(ln_radau5 *radau, int n) {
    const double *z1 = radau->stages.z[0], *z2 = radau->stages.z[1], *z3 = radau->stages.z[2];
    double *w1 = radau->stages.w[0], *w2 = radau->stages.w[1], *w3 = radau->stages.w[2];
    LN_APART
    for (int i = 0; i < n; i++) {
        const double z[3] = {z1[i], z2[i], z3[i]};
        double complex_part[2];
        ln_radau5_transform(z, &w1[i], complex_part);
        w2[i] = complex_part[0];
        w3[i] = complex_part[1];
    }
}

void ln_radau5_find_differences(ln_radau5 *radau, int n) {
    const double *z1 = radau->stages.z[0], *z2 = radau->stages.z[1], *z3 = radau->stages.z[2];
    double *to1 = radau->last.differences[0], *to2 = radau->last.differences[1],
           *to3 = radau->last.differences[2];
    LN_APART
    for (int i = 0; i < n; i++) {
        const double ak = (z1[i] - z2[i]) / (c1 - c2), first = (z2[i] - z3[i]) / (c2 - 1),
                     second = (ak - first) / (c1 - 1);
        to1[i] = first;
        to2[i] = second;
        to3[i] = second - (ak - z1[i] / c1) / c2;
    }
    for (int i = 0; radau->estimate.has_layer && i < n; i++)
        to3[i] -= radau->estimate.layer[i] / (c1 * c2);
    for (int i = 0; radau->leaves_start && i < n; i++)
        if (!radau->jacobian.stored[i])
            to3[i] = 0;
}
