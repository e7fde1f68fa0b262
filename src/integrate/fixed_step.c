/* SPDX-License-Identifier: MIT */
/* Steps of fixed length: by which formula, what when Newton fails, and a sample of their error. */
#include "integrate/drive.h"

#include <math.h>
#include <string.h>

enum { SHORTENINGS = 20, EULER_AFTER = 3 };

/* Local error of the one-stage step just taken, from how f changed: backward Euler h^2/2 q'' = h/2
 * (f0 - f1), Crank-Nicolson -h^3/12 q''' = h/12 (f1 - 2 f0 + f_before); of x it is K^-1 alpha times
 * that. */
static void sample_error(ln_drive *d, double h, int order) {
    ln_run *run = &d->run;
    double *e = run->w, alpha = order / h;
    for (int i = 0; i < run->n; i++)
        e[i] = alpha * (order == 1 ? h / 2 * (run->f1[i] - run->f[i])
                                   : h / 12 * (run->f[i] - 2 * run->f1[i] + d->f_before[i]));
    if (ln_run_solve_again(run, alpha, e))
        ln_note_local_error(run, e);
}

/* A step by a one-stage method, now and then with its error; needs the step before it to be of the
 * same h. */
static int one_stage(ln_drive *d, double h, ln_side side, int order) {
    ln_run *run = &d->run;
    int sampled = run->statistics->steps % LN_SAMPLE == LN_SAMPLE - 1 && d->last_h == h;
    if (sampled)
        memcpy(d->f_before, run->f1, (size_t)run->n * sizeof *run->f1);
    if (!(order == 1 ? ln_step_backward_euler(run, h, side) : ln_step_crank_nicolson(run, h, side)))
        return 0;
    if (sampled)
        sample_error(d, h, order);
    d->last_h = h;
    return 1;
}

/* One step of h by the method, or by backward Euler if asked; committed. */
static int fixed_step(ln_drive *d, double h, ln_side side, int euler) {
    ln_run *run = &d->run;
    if (euler || run->settings->method->order == 1)
        return one_stage(d, h, side, 1);
    if (d->stepper != NULL)
        return d->stepper->fixed(run, d->state, h, side);
    if (!d->damp)
        return one_stage(d, h, side, 2);
    /* two halves of backward Euler share alpha = 2/h with the steps that follow */
    if (!ln_step_backward_euler(run, h / 2, side))
        return 0;
    d->damp = 0;
    d->last_h = 0;
    run->statistics->damped++;
    return ln_step_backward_euler(run, h / 2, side);
}

/* A step over which a frozen mode has no value (the root of what turns negative behind its
 * crossing) is taken with modes that follow: the crossing shows at its end, and is located between.
 */
static int live_step(ln_drive *d, double h, ln_side side) {
    ln_system *system = d->run.system;
    if (system->nguards == 0 || d->run.outcome != LN_NEWTON_REFUSED)
        return 0;
    return fixed_step(d, h, ln_side_with(side, LN_MODES_FOLLOW), 0);
}

linnet_status ln_walk(ln_drive *d, double target, double nominal) {
    ln_run *run = &d->run;
    const ln_side side = ln_side_between(run->side.t, target);
    double left = target - run->side.t;
    double whole = fabs(left - nominal) <= 1e-9 * nominal ? nominal : left, h = whole;
    int failures = 0;
    while (target - run->side.t > 1e-9 * whole) {
        left = target - run->side.t;
        if (h > left * (1 + 1e-9))
            h = left;
        double before = run->side.t;
        if (fixed_step(d, h, side, failures >= EULER_AFTER) || live_step(d, h, side)) {
            ln_note_step(run, run->side.t - before);
            if (failures > 0 && h < whole) {
                h *= 2;
                failures--;
            }
            continue;
        }
        if (run->outcome == LN_NEWTON_MEMORY || run->outcome == LN_NEWTON_SINGULAR ||
            failures >= SHORTENINGS) {
            linnet_status status = ln_no_step(run, h, ln_side_at(side, target));
            if (status != LINNET_RETRY)
                return status;
            failures = 0;
            h = whole;
            d->damp = 1;
            continue;
        }
        run->statistics->rejected++;
        failures++;
        h /= 2;
    }
    run->side.t = target;
    return LINNET_OK;
}

int ln_start_is_violent(ln_drive *d, double h) {
    ln_run *run = &d->run;
    double pulled = 0, gone = 0;
    memcpy(run->x1, run->x, (size_t)run->n * sizeof *run->x);
    memset(run->w, 0, (size_t)run->n * sizeof *run->w);
    if (!ln_run_solve(run, 1 / h, run->q, run->w, ln_side_at(run->side, run->side.t + h), run->x1,
                      run->q1, run->f1))
        return 1;
    for (int i = 0; i < run->n; i++) {
        if (fabs(run->f[i]) * h <= pulled)
            continue;
        pulled = fabs(run->f[i]) * h;
        gone = fabs(run->q1[i] - run->q[i]);
    }
    return pulled > 1e4 * gone;
}
