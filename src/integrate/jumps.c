/* SPDX-License-Identifier: MIT */
/* Does anything jump at an instant? Sources and what nonlinear parts give are compared on both of
 * its sides, and what rounding makes of the times is left out. */
#include "integrate/drive.h"
#include "integrate/rounding.h"

#include <math.h>
#include <string.h>

linnet_status ln_drive_jumps_init(ln_drive *d) {
    const ln_system *system = d->run.system;
    ln_equations_left *left = &d->left;
    left->memory = LN_NEW(d->run.arena, double, system->network->nmemories);
    left->df = LN_NEW(d->run.arena, double, system->ndf);
    left->dq = LN_NEW(d->run.arena, double, system->ndq);
    return left->memory != NULL && left->df != NULL && left->dq != NULL
               ? LINNET_OK
               : ln_no_memory(d->run.report);
}

/* The equations near x, as events leave them: sources, what nonlinear parts give, and its slopes.
 */
static int look_at(ln_drive *d, ln_side side, const double *x, double *s, double *f, double *q) {
    ln_system *system = d->run.system;
    const size_t bytes = (size_t)system->n * sizeof *f;
    memset(f, 0, bytes);
    memset(q, 0, bytes);
    return ln_system_sources(system, side, s) == LINNET_OK &&
           ln_system_eval(system, &(ln_moment){side, x}, LN_LIMIT_OFF, q, f, NULL) == LINNET_OK;
}

static int are_equal(const double *a, const double *b, int count) {
    for (int k = 0; k < count; k++)
        if (a[k] < b[k] || a[k] > b[k])
            return 0;
    return 1;
}

int ln_drive_equations_stay(ln_drive *d, ln_side side, const double *x) {
    ln_run *run = &d->run;
    ln_system *system = run->system;
    const ln_equations_left *left = &d->left;
    const size_t memories = (size_t)system->network->nmemories * sizeof *left->memory;
    double *s[] = {run->w, run->s}, *f[] = {d->f_left, run->f1}, *q[] = {d->work, run->q1};
    if (d->slopes_jump || !are_equal(x, d->events.x_before, run->n))
        return 0;
    memcpy(left->memory, system->memory, memories);
    memcpy(system->memory, d->events.m_before, memories);
    const int seen = look_at(d, run->side, x, s[0], f[0], q[0]);
    memcpy(system->memory, left->memory, memories);
    memcpy(left->df, system->df, (size_t)system->ndf * sizeof *left->df);
    memcpy(left->dq, system->dq, (size_t)system->ndq * sizeof *left->dq);
    return seen && look_at(d, side, x, s[1], f[1], q[1]) && are_equal(s[0], s[1], run->n) &&
           are_equal(f[0], f[1], run->n) && are_equal(q[0], q[1], run->n) &&
           are_equal(left->df, system->df, system->ndf) &&
           are_equal(left->dq, system->dq, system->ndq);
}

/* What nonlinear parts give on both sides; zero where none of them depends on the time. Within
 * rounding of a crossing a branch may have no value (a root of -1e-17). */
static linnet_status look_at_both_sides(ln_run *run, ln_side side, double *before, double *after) {
    const size_t bytes = (size_t)run->n * sizeof(double);
    memset(before, 0, bytes);
    memset(after, 0, bytes);
    if (!ln_system_is_told_time(run->system))
        return LINNET_OK;
    const ln_moment left = {ln_side_with(run->side, LN_MODES_YIELDING), run->x},
                    right = {ln_side_with(side, LN_MODES_YIELDING), run->x};
    LN_TRY(ln_system_eval(run->system, &left, LN_LIMIT_OFF, NULL, before, NULL));
    return ln_system_eval(run->system, &right, LN_LIMIT_OFF, NULL, after, NULL);
}

/* The differences of rows up to which nothing has jumped, into d->work: those of generated code
 * where events act at the ends of steps, elsewhere zero. alpha: of what is compared, as
 * ln_system_least_jumps(). */
static void find_thresholds(const ln_drive *d, double alpha) {
    if (d->events_at_steps)
        ln_system_least_jumps(d->run.system, alpha, d->work);
    else
        memset(d->work, 0, (size_t)d->run.n * sizeof *d->work);
}

/* By how much the two sides of a row may differ without a jump, into d->work; after: the sources on
 * the right side. Where events act at the ends of steps: find_thresholds(). Elsewhere: how
 * much the sources change over the rounding of t. Steps begin anew at anything more, also at the
 * kink of a ramp that begins at zero, because a method keeps its order over smooth intervals only.
 */
static linnet_status find_rounding(ln_drive *d, ln_side side, const double *after) {
    ln_run *run = &d->run;
    ln_system *system = run->system;
    const ln_side beside = ln_side_at(side, side.t + LN_SAME_TIME * fabs(side.t));
    if (d->events_at_steps) {
        find_thresholds(d, 0);
        return LINNET_OK;
    }
    LN_TRY(ln_system_final_sources(system, beside, d->work, run->report));
    for (int i = 0; i < run->n; i++)
        d->work[i] = fabs(d->work[i] - after[i]);
    return LINNET_OK;
}

/* The size of a row is that of both sides: a ramp that ends at zero leaves rounding there, which is
 * no jump. */
linnet_status ln_drive_jumps(ln_drive *d, ln_side side, int *jumps) {
    ln_run *run = &d->run;
    double *s_before = run->w, *s_after = run->s, *f_before = run->f1, *f_after = run->q1;
    LN_TRY(ln_system_final_sources(run->system, run->side, s_before, run->report));
    LN_TRY(ln_system_final_sources(run->system, side, s_after, run->report));
    LN_TRY(look_at_both_sides(run, side, f_before, f_after));
    LN_TRY(find_rounding(d, side, s_after));
    *jumps = 0;
    for (int i = 0; i < run->n && !*jumps; i++) {
        double size = fabs(s_before[i]) + fabs(s_after[i]) + fabs(f_before[i]) + fabs(f_after[i]);
        *jumps =
            fabs(s_after[i] - s_before[i] - f_after[i] + f_before[i]) > 1e-9 * size + d->work[i];
    }
    return LINNET_OK;
}

/* ---- f ---- */

/* Does f jump by more than d->work? The size of a row that passes through zero at the very instant
 * is what it was where the step began. */
static int f_jumps_beyond(const ln_drive *d) {
    const double *a = d->f_left, *b = d->run.f, *before = d->step_start.f;
    for (int i = 0; i < d->run.n; i++) {
        const double threshold = 1e-9 * (fabs(a[i]) + fabs(b[i]) + fabs(before[i]));
        if (fabs(a[i] - b[i]) > threshold + d->work[i])
            return 1;
    }
    return 0;
}

/* Adds to d->work what rounding makes of f: on the left side by the matrix of the step that led
 * there, on the right side by that of the algebra. d->noise is work. 0: it is not known. */
static int find_noise_of_f(ln_drive *d) {
    ln_run *run = &d->run;
    ln_system *system = run->system;
    const size_t bytes = (size_t)run->n * sizeof *d->noise;
    const double h = run->side.t - d->step_begin;
    if (!ln_run_find_noise(run, h, run->side, run->x, d->noise))
        return 0;
    ln_system_jacobian(system, 1 / h, run->newton.values);
    ln_add_abs_product(&system->pattern, run->newton.values, 1, d->noise, d->work);
    memset(d->noise, 0, bytes);
    if (ln_consistency_is_index_1(&d->consistency) &&
        !ln_consistency_add_noise(&d->consistency, run->side, run->x, d->noise))
        return 0;
    ln_system_jacobian(system, 0, run->newton.values);
    ln_add_abs_product(&system->pattern, run->newton.values, 1, d->noise, d->work);
    return 1;
}

/* Rates are rounding of what is stored, over the step. */
int ln_drive_f_jumps(ln_drive *d) {
    const ln_settings *settings = d->run.settings;
    find_thresholds(d, settings->method->order / settings->step);
    return f_jumps_beyond(d) && (d->run.adaptive || !find_noise_of_f(d) || f_jumps_beyond(d));
}
