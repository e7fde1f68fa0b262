/* SPDX-License-Identifier: MIT */
/* From a point of which only what is stored is known to a consistent one, by a step of implicit
 * Euler. A coil that ends at a diode without charge has its potential from the diode's leakage
 * alone, 1e-14 of the resistance beside it, which rounding takes for nothing: no point right of an
 * instant can be computed there, and what the left one says of f would mislead every method that
 * begins with it. */
#include "integrate/euler_start.h"

#include "integrate/layer.h"

#include <math.h>
#include <string.h>

/* The step in x1, q1, f1 and its error, relative to the tolerance. */
static int try_step(ln_run *run, ln_consistency_solver *consistency, double h, ln_side stop,
                    double *error) {
    const size_t bytes = (size_t)run->n * sizeof *run->x;
    const ln_side middle = ln_side_at(stop, run->side.t + h / 2);
    const ln_side end = ln_side_at(stop, run->side.t + h);
    double *whole = consistency->guess, *e = run->w;
    memcpy(whole, run->x, bytes);
    if (!ln_run_solve_euler(run, h, run->q, end, (ln_point){whole, consistency->q, consistency->f}))
        return 0;
    memcpy(run->x1, whole, bytes);
    if (!ln_run_solve_euler(run, h / 2, run->q, middle,
                            (ln_point){run->x1, consistency->q, consistency->f}) ||
        !ln_run_solve_euler(run, h / 2, consistency->q, end, ln_run_end(run)))
        return 0;
    for (int i = 0; i < run->n; i++)
        e[i] = run->x1[i] - whole[i];
    *error = ln_error_norm(run, e);
    return isfinite(*error);
}

int ln_euler_start(ln_run *run, ln_consistency_solver *consistency, ln_side stop, double *h) {
    const double left = stop.t - run->side.t, shortest = ln_shortest_step(run->side.t);
    double error;
    /* as in control.c: what would be left of the way is no step */
    for (double length = left <= *h * (1 + 1e-9) ? left : *h; length >= shortest;) {
        if (!try_step(run, consistency, length, stop, &error)) {
            if (run->outcome == LN_NEWTON_MEMORY)
                return 0;
            length /= 4;
            continue;
        }
        if (error > 1 && !ln_passes_layer(run, length, error, run->w)) {
            /* which falls with the square of the step */
            const double shorter = length * fmax(0.1, 0.9 / sqrt(error));
            length = length > shortest ? fmax(shortest, shorter) : shorter;
            continue;
        }
        ln_run_commit(run, length);
        if (length == left)
            run->side.t = stop.t;
        run->side.within = stop.within;
        ln_count_step(run, length);
        *h = length;
        return 1;
    }
    return 0;
}
