/* SPDX-License-Identifier: MIT */
/* models/examples/electrical/half-wave-rectifier.xml by hand: a diode charges C v' = i - v/R by
 * Crank-Nicolson; i by Newton's method on the diode's voltage, limited as SPICE does, to the same
 * tolerance as generated code; outputs in, out, i, v/R, and the load's power at the step's end. */
#include "hand.h"

#include <math.h>
#include <string.h>

enum { V, RATE, DIODE }; /* of the capacitor, its current, the diode's voltage */

void hand_init(hand_t *model) {
    memset(model, 0, sizeof *model);
}

static double limited(double old, double wanted, double scale) {
    if (wanted <= 0.0 || wanted - old <= 2.0 * scale)
        return wanted;
    const double from = old > 0.0 ? old : 0.0;
    return from + scale * log1p((wanted - from) / scale);
}

int hand_step(hand_t *model) {
    static const double h = 10e-6, C = 100e-6, R = 1e3, Ri = 1.0, Is = 1e-12, Vt = 0.04;
    static const double gmin = 1e-12, turns = 314.15926535897932;
    const double t = (double)(model->steps + 1) * h, in = 10.0 * sin(turns * t);
    const double g = C / (0.5 * h) + 1.0 / R;
    const double known = (C / (0.5 * h) * model->states[V] + model->states[RATE]) / g;
    double v = model->states[DIODE], last = 0.0, i = 0.0;
    for (int k = 0; k < 50; k++) {
        const double x = exp(v / Vt), slope = Is / Vt * x + gmin;
        i = Is * (x - 1.0) + gmin * v;
        /* the mesh: in - Ri i - v - (known + i/g) = 0 */
        const double change =
            (in - v - known - (Ri + 1.0 / g) * i) / (1.0 + (Ri + 1.0 / g) * slope);
        const double to = limited(v, v + change, Vt);
        const int moved = to < v + change;
        const double size = fabs(change) / (1e-13 * fabs(v + change) + 1e-17);
        v = to;
        i += slope * change;
        if (!moved &&
            (size <= 1.0 || (k > 0 && (size < last ? size * (size / last) <= 1.0 : size <= 1e6))))
            break;
        last = size;
    }
    const double out = known + i / g;
    if (!isfinite(out))
        return 1;
    model->states[V] = out;
    model->states[RATE] = i - out / R;
    model->states[DIODE] = v;
    model->outputs[0] = in;
    model->outputs[1] = out;
    model->outputs[2] = i;
    model->outputs[3] = out / R;
    model->outputs[4] = out * out / R;
    model->steps++;
    return 0;
}
