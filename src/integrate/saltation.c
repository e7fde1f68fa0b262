/* SPDX-License-Identifier: MIT */
/* See the header. */
#include "integrate/saltation.h"

#include "integrate/drive.h"
#include "integrate/global_error.h"

#include <math.h>
#include <string.h>

/* A difference quotient is taken over this part of what an error of 1 is: the square root of
 * rounding, where it loses as much by curvature as by rounding. */
static const double PART = 1e-8;

linnet_status ln_saltation_init(ln_drive *d) {
    const ln_run *run = &d->run;
    ln_saltation *salt = &d->saltation;
    if (run->global_error == NULL || !ln_is_hybrid(d))
        return LINNET_OK;
    double **vectors[] = {&salt->rate, &salt->error, &salt->x, &salt->before, &salt->x_set};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if ((*vectors[k] = LN_NEW(run->arena, double, run->n)) == NULL)
            return LINNET_MEMORY;
    salt->set = LN_NEW(run->arena, char, run->n);
    salt->memory = LN_NEW(run->arena, double, run->system->network->nmemories);
    if (salt->set == NULL || salt->memory == NULL)
        return LINNET_MEMORY;
    d->events.saltation = salt;
    return LINNET_OK;
}

/* ---- when the crossing would come ---- */

/* How large errors are for what an error of 1 is. */
static double size_of_errors(const ln_run *run) {
    double size = 0;
    for (int i = 0; i < run->n; i++)
        size =
            fmax(size, fabs(run->global_error->error[i]) / ln_error_unit(run, i, fabs(run->x[i])));
    return size;
}

static void add(int n, const double *x, double part, const double *e, double *sum) {
    for (int i = 0; i < n; i++)
        sum[i] = x[i] + part * e[i];
}

/* The slope at its end of the parabola through three points, the last first, each h/2 before. */
static double slope_of(const double v[3], double h) {
    return (3 * v[0] - 4 * v[1] + v[2]) / h;
}

/* x at the end of the last step, in its middle and at its start. */
static int points_along(ln_drive *d, const double *point[3]) {
    const ln_run *run = &d->run;
    double *const kept[] = {NULL, d->saltation.before, d->saltation.x_set};
    const double h = run->side.t - d->step_begin;
    point[0] = run->x;
    for (int k = 1; k < 3; k++) {
        const double *x;
        if (ln_drive_interpolate(d, run->side.t - k * h / 2, &x) != LINNET_OK || x == NULL)
            return 0;
        memcpy(kept[k], x, (size_t)run->n * sizeof *x);
        point[k] = kept[k];
    }
    return 1;
}

/* By how much the crossing is late, where several have come at once that which is so least;
 * INFINITY: it is not known. */
static double find_late(ln_drive *d, const double *const point[3]) {
    const ln_run *run = &d->run;
    const ln_saltation *salt = &d->saltation;
    const double *e = run->global_error->error, h = run->side.t - d->step_begin;
    double *const along[] = {d->finder.guards_a, d->finder.guards_b, d->finder.guards_trial},
                  *const beside[] = {d->finder.work, d->finder.fall}, late = INFINITY;
    for (int k = 0; k < 3; k++)
        ln_system_guards(run->system,
                         &(ln_moment){ln_side_at(run->side, run->side.t - k * h / 2), point[k]},
                         NULL, along[k]);
    for (int k = 0; k < 2; k++) {
        add(run->n, run->x, k == 0 ? salt->part : -salt->part, e, salt->x);
        ln_system_guards(run->system, &(ln_moment){run->side, salt->x}, NULL, beside[k]);
    }
    for (int k = 0; k < run->system->nguards; k++) {
        const double slope = slope_of((double[]){along[0][k], along[1][k], along[2][k]}, h),
                     now = (beside[1][k] - beside[0][k]) / (2 * salt->part * slope);
        if (d->events.crossed[k] && slope < 0 && fabs(now) < fabs(late))
            late = now;
    }
    return late;
}

void ln_saltation_begin(ln_drive *d) {
    ln_run *run = &d->run;
    ln_saltation *salt = &d->saltation;
    const double h = run->side.t - d->step_begin;
    const double *point[3];
    salt->late = salt->part = 0;
    if (d->events.saltation == NULL || run->global_error->lost)
        return;
    const double size = size_of_errors(run);
    memcpy(salt->error, run->global_error->error, (size_t)run->n * sizeof *salt->error);
    memset(salt->set, 0, (size_t)run->n);
    salt->part = size > 0 ? PART / size : 0;
    if (d->leapt || !(h > 0) || !(size > 0) ||
        memchr(d->events.crossed, 1, (size_t)run->system->nguards) == NULL ||
        !points_along(d, point))
        return;
    const double late = find_late(d, point);
    if (!isfinite(late) || !ln_run_rates(run, run->side, salt->rate))
        return;
    salt->late = late;
    for (int i = 0; i < run->n; i++)
        salt->error[i] += late * slope_of((double[]){point[0][i], point[1][i], point[2][i]}, h);
}

/* ---- what events and other rates make of it ---- */

void ln_saltation_act(const ln_events *events, const ln_moment *moment,
                      const ln_before_event *previous) {
    ln_saltation *salt = events->saltation;
    const int n = events->system->n;
    if (salt == NULL || !(salt->part > 0))
        return;
    add(n, moment->x, salt->part, salt->error, salt->x);
    add(n, previous->x, salt->part, salt->error, salt->before);
    const ln_before_event beside = {salt->before, previous->m, previous->m_round};
    (void)ln_system_act(events->system, &(ln_moment){moment->side, salt->x}, &beside, events->fired,
                        &(ln_after_event){salt->memory, salt->x_set, NULL});
    for (int i = 0; i < n; i++) {
        if (memcmp(&events->x_set[i], &moment->x[i], sizeof *moment->x) == 0)
            continue;
        salt->error[i] = (salt->x_set[i] - events->x_set[i]) / salt->part;
        salt->set[i] = 1;
    }
}

void ln_saltation_end(ln_drive *d) {
    const ln_run *run = &d->run;
    const ln_matrix *E = &run->system->E;
    ln_saltation *salt = &d->saltation;
    ln_global_error *global = run->global_error;
    double *set = d->work, *stored = salt->x_set;
    if (d->events.saltation == NULL || !(salt->part > 0))
        return;
    for (int i = 0; i < run->n; i++)
        salt->x[i] = salt->set[i];
    memset(set, 0, (size_t)run->n * sizeof *set);
    ln_add_abs_product(&E->pattern, E->value, 1, salt->x, set);
    ln_matrix_apply(E, salt->error, stored);
    for (int i = 0; i < run->n; i++) {
        if (set[i] > 0)
            global->charge[i] = stored[i] + run->f[i] * salt->late;
        else if (fabs(salt->late) > 0)
            global->charge[i] += (run->f[i] - salt->rate[i]) * salt->late;
    }
    salt->late = salt->part = 0;
}
