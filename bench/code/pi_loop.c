/* SPDX-License-Identifier: MIT */
/* models/examples/signal/pi-loop.xml by hand: u = 2 e + I, I' = 0.5 e, y' = u - y, by rk4; outputs
 * r, y, u at the step's begin. */
#include "hand.h"

#include <math.h>
#include <string.h>

static void rates(const double x[2], double dx[2]) {
    const double e = 1.0 - x[1], u = 2.0 * e + x[0];
    dx[0] = 0.5 * e;
    dx[1] = u - x[1];
}

void hand_init(hand_t *model) {
    memset(model, 0, sizeof *model);
}

int hand_step(hand_t *model) {
    const double h = 0.01, *x = model->states;
    double a[2], b[2], c[2], d[2], y[2];
    model->outputs[0] = 1.0;
    model->outputs[1] = x[1];
    model->outputs[2] = 2.0 * (1.0 - x[1]) + x[0];
    rates(x, a);
    for (int k = 0; k < 2; k++)
        y[k] = x[k] + 0.5 * h * a[k];
    rates(y, b);
    for (int k = 0; k < 2; k++)
        y[k] = x[k] + 0.5 * h * b[k];
    rates(y, c);
    for (int k = 0; k < 2; k++)
        y[k] = x[k] + h * c[k];
    rates(y, d);
    for (int k = 0; k < 2; k++)
        y[k] = x[k] + h / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]);
    if (!isfinite(y[0]) || !isfinite(y[1]))
        return 1;
    memcpy(model->states, y, sizeof y);
    model->steps++;
    return 0;
}
