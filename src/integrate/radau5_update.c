/* SPDX-License-Identifier: MIT */
/* An update of the stages of a radau5 step: how long it is, how much of it is taken, and the stages
 * behind it. */
/* By -O3 only loops over all unknowns become vectors. The pragma would else lose the command line's
 * contraction. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "integrate/radau5.h"

#include "base/loops.h"

#include <math.h>
#include <string.h>

/* The square of an unknown's update, in units of its tolerance. */
static double size_of(const ln_radau5 *radau, int i) {
    const double *u = radau->stages.real_update, *v = radau->complex_update,
                 unit = 1 / radau->estimate.scale[i];
    /* squares of quotients: those of the numbers themselves leave their range at 1e154 */
    const double a = unit * u[i], b = unit * v[2 * i], c = unit * v[2 * i + 1];
    return a * a + b * b + c * c;
}

void ln_radau5_move_stages(ln_radau5 *radau, int n) {
    const double *u = radau->stages.real_update, *v = radau->complex_update;
    double *w1 = radau->stages.w[0], *w2 = radau->stages.w[1], *w3 = radau->stages.w[2],
           *z1 = radau->stages.z[0], *z2 = radau->stages.z[1], *z3 = radau->stages.z[2],
           *y = radau->y;
    LN_APART
    for (int i = 0; i < n; i++) {
        const double a = u[i], b = v[2 * i], c = v[2 * i + 1];
        y[i] = (d1 * t11 + d2 * t21 + d3 * t31) * a + (d1 * t12 + d2 * t22 + d3) * b +
               (d1 * t13 + d2 * t23) * c;
        w1[i] += a;
        w2[i] += b;
        w3[i] += c;
        z1[i] = t11 * w1[i] + t12 * w2[i] + t13 * w3[i];
        z2[i] = t21 * w1[i] + t22 * w2[i] + t23 * w3[i];
        z3[i] = t31 * w1[i] + w2[i];
    }
}

double ln_radau5_update_norm(ln_run *run, ln_radau5 *radau) {
    enum { OTHER, FOLLOWER, JUDGED, KINDS };
    double sum[KINDS] = {0}, norm[KINDS];
    int count[KINDS] = {0};
    for (int i = 0; i < run->n; i++) {
        const int kind = run->errors.in_error_test[i] ? JUDGED : radau->stages.follows[i];
        sum[kind] += size_of(radau, i);
        count[kind]++;
    }
    run->newton.iterations++;
    for (int k = 0; k < KINDS; k++)
        norm[k] = count[k] > 0 ? sqrt(sum[k] / (3.0 * count[k])) : 0;
    radau->stages.following = norm[FOLLOWER];
    return fmax(norm[JUDGED] / radau->stages.newton_tolerance, norm[OTHER]);
}

linnet_status ln_radau5_update_init(ln_radau5 *radau, ln_run *run) {
    const int n = 3 * run->n;
    if (run->system->linear)
        return LINNET_OK;
    radau->stages.whole = LN_NEW(run->arena, double, n);
    radau->stages.weight = LN_NEW(run->arena, double, n);
    if (radau->stages.whole == NULL || radau->stages.weight == NULL)
        return LINNET_MEMORY;
    return ln_relaxation_init(&radau->stages.relaxation, run->arena, n);
}

double ln_radau5_update_part(ln_radau5 *radau, int n, int falls) {
    if (!radau->stages.may_renew)
        return 1;
    double *whole = radau->stages.whole, *weight = radau->stages.weight;
    const size_t size = (size_t)n * sizeof *whole;
    memcpy(whole, radau->stages.real_update, size);
    memcpy(whole + n, radau->complex_update, 2 * size);
    for (int i = 0; i < n && !falls; i++)
        weight[i] = weight[n + 2 * i] = weight[n + 2 * i + 1] = 1 / radau->estimate.scale[i];
    return ln_relaxation_part(&radau->stages.relaxation, whole, weight, falls);
}

void ln_radau5_shorten_update(ln_radau5 *radau, int n, double part) {
    for (int i = 0; i < n; i++)
        radau->stages.real_update[i] *= part;
    for (int i = 0; i < 2 * n; i++)
        radau->complex_update[i] *= part;
}
