/* SPDX-License-Identifier: MIT */
/* One step of the method, from a point to the next: what a run's driver and its instants both
 * take. The unknowns at a point, values within the step, and what of them is told. */
#include "integrate/drive.h"

#include "integrate/euler_start.h"
#include "integrate/project.h"

#include <math.h>
#include <string.h>

ln_side ln_drive_side_after(ln_drive *d, double t) {
    int why;
    return t < d->grid.end ? ln_side_after(t, ln_grid_next(&d->grid, t, &why))
                           : ln_side_right(t, d->grid.same);
}

linnet_status ln_drive_note_progress(ln_drive *d, ln_progress *progress, double from) {
    const ln_run *run = &d->run;
    progress->network = run->system->network;
    progress->same = d->grid.same;
    return ln_progress_step(progress, run->side.t, run->side.t - from, run->errors.dominant,
                            ln_is_hybrid(d) ? &d->events : NULL, run->report);
}

/* ---- steps ---- */

/* Where forces enforce position constraints (index 3), x is projected onto what follows from the
 * derivatives of the constraints: 1. A method finds the forces worse than the positions by a power
 * of its step [Hairer, Wanner II, VII.4]. */
static int constrain(ln_drive *d, ln_side side, double *x) {
    ln_run *run = &d->run;
    double *q_star = d->consistency.q_star;
    return ln_run_has_index_3(run) && ln_system_q(run->system, side, x, q_star) == LINNET_OK &&
           ln_project_near(run, &d->consistency, side, q_star, x);
}

/* The same of the point that a step has reached. */
static linnet_status constrain_step(ln_drive *d) {
    ln_run *run = &d->run;
    if (!constrain(d, run->side, run->x))
        return LINNET_OK;
    LN_TRY(ln_run_restart(run, run->side));
    return d->stepper->resume == NULL
               ? LINNET_OK
               : d->stepper->resume(run, d->stepper_data, LN_RESUME_PROJECTED);
}

/* The first step where the algebra had no solution; *taken tells whether there is one. */
static linnet_status start_by_euler(ln_drive *d, ln_side stop, int *taken) {
    ln_run *run = &d->run;
    const double span = run->settings->end - run->settings->begin;
    double h = fmin(run->bound.longest, d->uncut_h > 0 ? d->uncut_h : 1e-3 * span);
    d->inconsistent = 0;
    *taken = ln_euler_start(run, &d->consistency, stop, &h);
    if (run->out_of_memory)
        return ln_no_memory(run->report);
    d->leapt = *taken;
    if (!*taken)
        return LINNET_OK;
    run->bound.first_h = h;
    const linnet_status status = d->stepper->restart(run, d->stepper_data);
    run->bound.first_h = 0;
    return status;
}

linnet_status ln_drive_advance(ln_drive *d, ln_side stop) {
    d->step_begin = d->run.side.t;
    ln_between_begin_step(&d->equations_between, &d->run, !(d->previous_h > 0));
    d->unknowns_known = 0;
    if (d->inconsistent) {
        int taken;
        const linnet_status begun = start_by_euler(d, stop, &taken);
        if (begun != LINNET_OK || taken)
            return begun;
    }
    const linnet_status status = d->stepper->advance(&d->run, d->stepper_data, stop);
    if (d->run.out_of_memory)
        return ln_no_memory(d->run.report);
    d->leapt = status == LINNET_RETRY;
    if (status == LINNET_OK)
        return constrain_step(d);
    return d->leapt ? d->stepper->restart(&d->run, d->stepper_data) : status;
}

/* ---- what is seen of them ---- */

static linnet_status pass_on(const ln_drive *d, ln_side side, const double *x) {
    if (d->run.out_of_memory) /* another way was taken to this point than with enough memory */
        return ln_no_memory(d->run.report);
    d->run.statistics->t = side.t;
    return d->run.watcher->accept(d->run.watcher->context, side, x);
}

linnet_status ln_drive_output(ln_drive *d, ln_side side, const double *x) {
    if (d->equations_between.nread == 0 || d->leapt || !(side.t > d->step_begin))
        return pass_on(d, side, x);
    memcpy(d->between, x, (size_t)d->run.n * sizeof *x);
    ln_between_meet_end(&d->equations_between, &d->run, side, side.t - d->step_begin, d->between);
    return pass_on(d, side, d->between);
}

static linnet_status find_unknowns(ln_drive *d, ln_mode_use modes) {
    ln_run *run = &d->run;
    if (d->stepper->explicit_ops == NULL || d->unknowns_known)
        return LINNET_OK;
    const linnet_status status = d->stepper->explicit_ops->unknowns(
        run, d->stepper_data, ln_side_with(run->side, modes), run->x);
    d->unknowns_known = status == LINNET_OK;
    return status;
}

static linnet_status report_if_no_value(const ln_drive *d, linnet_status status) {
    return status == LINNET_RETRY
               ? d->stepper->explicit_ops->report_no_value(&d->run, d->stepper_data, 0)
               : status;
}

linnet_status ln_drive_compute_unknowns(ln_drive *d) {
    return report_if_no_value(d, find_unknowns(d, LN_MODES_FROZEN));
}

linnet_status ln_drive_compute_across(ln_drive *d) {
    linnet_status status = find_unknowns(d, LN_MODES_FROZEN);
    if (status == LINNET_RETRY && d->run.system->nguards > 0)
        status = find_unknowns(d, LN_MODES_FREE);
    return report_if_no_value(d, status);
}

linnet_status ln_drive_interpolate(void *context, double t, const double **x) {
    ln_drive *d = context;
    linnet_status status = LINNET_OK;
    if (d->leapt)
        memcpy(d->between, d->run.x, (size_t)d->run.n * sizeof *d->between);
    else
        status = d->stepper->interpolate(&d->run, d->stepper_data, t, d->between);
    if (status == LINNET_OK && !d->leapt)
        (void)constrain(d, ln_side_at(d->run.side, t), d->between);
    *x = status == LINNET_OK ? d->between : NULL;
    return status == LINNET_RETRY ? LINNET_OK : status;
}

linnet_status ln_drive_between(void *context, double t, const double **x) {
    ln_drive *d = context;
    LN_TRY(ln_drive_interpolate(d, t, x));
    if (*x != NULL && !d->leapt)
        ln_between_solve(&d->equations_between, &d->run, ln_side_at(d->run.side, t),
                         d->run.side.t - d->step_begin, d->between);
    return LINNET_OK;
}

linnet_status ln_drive_output_within(ln_drive *d, int *wanted) {
    const ln_run *run = &d->run;
    const double interval = run->settings->interval;
    const ln_step_view step = {d->step_begin, run->side, d, ln_drive_between};
    const double *x;
    int at_end = !(interval > 0);
    if (run->watcher->within != NULL && !d->leapt)
        LN_TRY(run->watcher->within(run->watcher->context, &step));
    for (; interval > 0; d->outputs++) {
        double t = run->settings->begin + (double)(d->outputs + 1) * interval;
        if (t > run->side.t - 1e-9 * interval) {
            at_end = wanted != NULL && t < run->side.t + 1e-9 * interval;
            d->outputs += at_end;
            break;
        }
        /* a step may be as long as the run, and hold all its rows */
        if (run->watcher->stop != NULL && run->watcher->stop(run->watcher->context))
            return LINNET_INTERRUPTED;
        LN_TRY(ln_drive_between(d, t, &x));
        if (x == NULL)
            return d->stepper->explicit_ops->report_no_value(run, d->stepper_data, 0);
        LN_TRY(pass_on(d, ln_side_at(run->side, t), x));
    }
    if (wanted != NULL)
        *wanted = at_end;
    return LINNET_OK;
}
