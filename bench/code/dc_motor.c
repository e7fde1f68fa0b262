/* SPDX-License-Identifier: MIT */
/* models/examples/mixed/dc-motor-pi.xml by hand: L i' = u - R i - k w, J w' = k i - d w - load,
 * z' = 100 - w, u = 0.5 (100 - w) + 5 z, by Crank-Nicolson: z is eliminated, the two equations left
 * by Cramer's rule; outputs w, u, i, z and u i at the step's end. */
#include "hand.h"

#include <math.h>
#include <string.h>

enum { I, W, Z };

void hand_init(hand_t *model) {
    memset(model, 0, sizeof *model);
}

int hand_step(hand_t *model) {
    static const double h = 50e-6, R = 1.0, L = 10e-3, k = 0.1, J = 1e-3, d = 1e-4, load = 0.05;
    const double *x = model->states, half = 0.5 * h;
    const double e = 100.0 - x[W], u = 0.5 * e + 5.0 * x[Z];
    /* at the end z1 = z + half (e + e1), u1 = 0.5 e1 + 5 z1, e1 = 100 - w1 */
    const double a11 = L / half + R, a12 = k + 0.5 + 5.0 * half, a21 = -k, a22 = J / half + d;
    const double z_part = x[Z] + half * (e + 100.0);
    const double b1 = L / half * x[I] + (u - R * x[I] - k * x[W]) + 50.0 + 5.0 * z_part;
    const double b2 = J / half * x[W] + (k * x[I] - d * x[W] - load) - load;
    const double det = a11 * a22 - a12 * a21;
    double y[3];
    y[I] = (b1 * a22 - a12 * b2) / det;
    y[W] = (a11 * b2 - a21 * b1) / det;
    y[Z] = x[Z] + half * (e + 100.0 - y[W]);
    if (!isfinite(y[I]) || !isfinite(y[W]) || !isfinite(y[Z]))
        return 1;
    memcpy(model->states, y, sizeof y);
    model->outputs[0] = y[W];
    model->outputs[1] = 0.5 * (100.0 - y[W]) + 5.0 * y[Z];
    model->outputs[2] = y[I];
    model->outputs[3] = y[Z];
    model->outputs[4] = model->outputs[1] * y[I];
    model->steps++;
    return 0;
}
