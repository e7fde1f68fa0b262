/* SPDX-License-Identifier: MIT */
/* What rounding makes of the stages of a radau5 step. */
#include "integrate/radau5.h"

#include <math.h>

/* What rounding makes of the real system's solution: of E z (ln_radau5_q_increment), of charges at
 * their own size, of all else at the size of x. */
static void find_noise(ln_run *run, ln_radau5 *radau) {
    const ln_system *system = run->system;
    const double fac = gamma_ / radau->h;
    double *magnitude = radau->stages.convergence.magnitude;
    for (int i = 0; i < run->n; i++)
        magnitude[i] = fabs(run->s[i]);
    ln_add_abs_product(&system->pattern, radau->jacobian.statics, 1, run->x, magnitude);
    ln_add_abs_product(&system->E.pattern, system->E.value, fac, radau->stages.z[2], magnitude);
    for (int k = 0; k < system->ndq; k++)
        magnitude[system->dq_row[k]] += fac * fabs(system->dq[k] * run->x[system->dq_col[k]]);
    for (int i = 0; !system->linear_q && i < run->n; i++)
        magnitude[i] = fmax(magnitude[i], fac * fabs(radau->stages.q_nl_start[i]));
    ln_convergence_find_noise(&radau->stages.convergence, radau->cache.real);
}

int ln_radau5_is_rounding(ln_run *run, ln_radau5 *radau, int i, double value) {
    if (!radau->stages.convergence.noise_is_known)
        find_noise(run, radau);
    return ln_convergence_is_noise(&radau->stages.convergence, i, value);
}

/* How far the last update has moved the stage that it moved farthest. */
static double farthest_move(const ln_radau5 *radau, int i) {
    const double a = radau->stages.real_update[i], b = radau->complex_update[2 * i],
                 c = radau->complex_update[2 * i + 1];
    return fmax(fabs(t11 * a + t12 * b + t13 * c),
                fmax(fabs(t21 * a + t22 * b + t23 * c), fabs(t31 * a + b)));
}

/* In every stage: the last one is at rest on one side of a knee where those before it leap to and
 * fro across it, and what is between the ends of the step is theirs. */
int ln_radau5_update_is_noise(ln_run *run, ln_radau5 *radau) {
    for (int i = 0; i < run->n; i++) {
        const double update = farthest_move(radau, i);
        const double met = radau->estimate.scale[i] *
                           (run->errors.in_error_test[i] ? radau->stages.newton_tolerance : 1);
        if (!(update <= met || ln_radau5_is_rounding(run, radau, i, update)))
            return 0;
    }
    return 1;
}
