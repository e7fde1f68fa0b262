/* SPDX-License-Identifier: MIT */
#include "linear/relaxation.h"

#include <math.h>
#include <string.h>

linnet_status ln_relaxation_init(ln_relaxation *relaxation, ln_arena *arena, int n) {
    *relaxation = (ln_relaxation){.n = n, .before = LN_NEW(arena, double, n)};
    return relaxation->before != NULL || n == 0 ? LINNET_OK : LINNET_MEMORY;
}

void ln_relaxation_forget(ln_relaxation *relaxation) {
    relaxation->part = 0;
    relaxation->turns = 0;
}

void ln_relaxation_begin(ln_relaxation *relaxation) {
    ln_relaxation_forget(relaxation);
    relaxation->turn = INFINITY;
}

/* By the secant: 1 where this update goes on the way of the one before. */
static double part_by_secant(ln_relaxation *relaxation, const double *update,
                             const double *weight) {
    double along = 0, change = 0, turn = 0;
    for (int i = 0; i < relaxation->n; i++) {
        const double before = weight[i] * relaxation->before[i], now = weight[i] * update[i];
        along += before * (before - now);
        change += (before - now) * (before - now);
        turn += now * now;
    }
    const double part = relaxation->part * along / change;
    if (!(part > 0 && part < 1)) {
        relaxation->turns = 0;
        return 1;
    }
    if (relaxation->turns++ == 0)
        return 1;
    const int shorter = turn < relaxation->turn / 4;
    relaxation->turn = shorter ? turn : 0;
    return shorter ? part : 1;
}

double ln_relaxation_part(ln_relaxation *relaxation, const double *update, const double *weight,
                          int falls) {
    double part = 1;
    if (falls && relaxation->part == 1)
        relaxation->turns = 0;
    if (!falls && relaxation->part > 0)
        part = part_by_secant(relaxation, update, weight);
    memcpy(relaxation->before, update, (size_t)relaxation->n * sizeof *update);
    relaxation->part = part;
    return part;
}
