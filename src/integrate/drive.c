/* SPDX-License-Identifier: MIT */
/* A run from start to end: which step, what at a breakpoint, who is told.
 *
 * Fixed step: the run walks from stop to stop (grid point, breakpoint of a source, asked-for time);
 * between two stops it takes one step, or, when Newton fails, shorter ones. Adaptive: a stepper
 * advances by accepted steps and is asked for values between them. Either way a step that crosses
 * an event is taken back to it. A step sees the side of the stretch between two stops, so that
 * conditions on time alone are constant within it. */
#include "integrate/drive.h"
#include "integrate/growth.h"
#include "integrate/pause.h"
#include "system/delay.h"

#include <math.h>
#include <string.h>

static const ln_stepper_class *const steppers[] = {
    &ln_stepper_backward_euler, &ln_stepper_crank_nicolson, &ln_stepper_tr_bdf2,
    &ln_stepper_bdf2,           &ln_stepper_radau5,         &ln_stepper_ida};

static double next_breakpoint(const void *context, double t) {
    return ln_system_next_breakpoint(context, t);
}

/* ---- telling ---- */

linnet_status ln_drive_accept(const ln_drive *d, ln_side side, const double *x) {
    d->run.statistics->t = side.t;
    return d->run.watcher->accept(d->run.watcher->context, side, x);
}

/* The point a step has reached; wanted: an asked-for time, or every point is. */
static linnet_status tell(const ln_drive *d, int wanted) {
    d->run.statistics->t = d->run.side.t;
    return wanted ? ln_drive_accept(d, d->run.side, d->run.x) : LINNET_OK;
}

linnet_status ln_drive_advance(ln_drive *d, ln_side stop) {
    d->step_begin = d->run.side.t;
    const linnet_status status = d->stepper->advance(&d->run, d->state, stop);
    d->leapt = status == LINNET_RETRY;
    return d->leapt ? d->stepper->restart(&d->run, d->state) : status;
}

void ln_drive_interpolate(const ln_drive *d, double t) {
    if (d->leapt)
        memcpy(d->between, d->run.x, (size_t)d->run.n * sizeof *d->between);
    else
        d->stepper->interpolate(&d->run, d->state, t, d->between);
}

static linnet_status at_within(void *context, double t, const double **x) {
    ln_drive *d = context;
    ln_drive_interpolate(d, t);
    *x = d->between;
    return LINNET_OK;
}

linnet_status ln_drive_tell_between(ln_drive *d, int *wanted) {
    const ln_run *run = &d->run;
    const double interval = run->settings->interval;
    const ln_stretch step = {d->step_begin, run->side, d, at_within};
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
        ln_drive_interpolate(d, t);
        LN_TRY(ln_drive_accept(d, ln_side_at(run->side, t), d->between));
    }
    if (wanted != NULL)
        *wanted = at_end;
    return LINNET_OK;
}

/* ---- what delays remember ---- */

/* parts of a step of an adaptive method, whose ends alone would say too little */
enum { REMEMBERED = 4 };

/* What a delay gives enters no error estimate: the next step must let it be known to the tolerance.
 * Leaving a sample out costs about ten times the accuracy; the polynomials are of degree 5. */
static double recalled_step(const ln_drive *d, double h) {
    double excess = ln_delays_roughness(d->run.system) / (10 * d->run.settings->tolerance);
    return excess > 0 ? h * fmin(5, fmax(0.2, 0.9 * pow(excess, -1.0 / 6))) : INFINITY;
}

static linnet_status remember(ln_drive *d, double from) {
    ln_run *run = &d->run;
    linnet_status status = LINNET_OK;
    if (run->system->delays == NULL)
        return LINNET_OK;
    for (int k = 1; run->settings->tolerance > 0 && k < REMEMBERED && status == LINNET_OK; k++) {
        double t = from + (run->side.t - from) * k / REMEMBERED;
        ln_drive_interpolate(d, t);
        status = ln_delays_accept(run->system, ln_side_at(run->side, t), d->between, LN_NO_BREAK);
    }
    if (status == LINNET_OK)
        status = ln_delays_accept(run->system, run->side, run->x, LN_NO_BREAK);
    if (run->settings->tolerance > 0)
        d->recalled = recalled_step(d, run->side.t - from);
    return status == LINNET_OK ? LINNET_OK : ln_no_memory(run->report);
}

/* ---- stops ---- */

ln_side ln_drive_side_after(ln_drive *d, double t) {
    int why;
    return t < d->grid.end ? ln_side_between(t, ln_grid_next(&d->grid, t, &why))
                           : ln_side_right(t, d->grid.same);
}

/* The end of a step: told, and, at a breakpoint or an event, what happens there. wanted: to be told
 * whatever happens. */
static linnet_status arrive(ln_drive *d, int why, int crossed, int wanted, int *ended) {
    ln_run *run = &d->run;
    const int breakpoint = (why & LN_STOP_BREAKPOINT) != 0;
    if (!ln_is_hybrid(d)) {
        LN_TRY(tell(d, wanted || breakpoint));
        return breakpoint && run->side.t < run->settings->end
                   ? ln_pass_breakpoint(d, ln_drive_side_after(d, run->side.t))
                   : LINNET_OK;
    }
    if (!breakpoint && !crossed)
        return tell(d, wanted);
    const ln_side side = breakpoint ? ln_side_right(run->side.t, d->grid.same) : run->side;
    const ln_break what = ln_delays_cause(run->system, run->side.t, d->grid.same, crossed);
    LN_TRY(ln_instant(d, side, breakpoint, !wanted, ended));
    if (ln_delays_accept(run->system, side, run->x, what) != LINNET_OK)
        return ln_no_memory(run->report);
    ln_grid_changed(&d->grid, run->side.t);
    run->side = ln_drive_side_after(d, run->side.t);
    return LINNET_OK;
}

/* ---- the two drivers ---- */

static linnet_status drive_fixed(ln_drive *d) {
    ln_run *run = &d->run;
    const int asked = LN_STOP_OUTPUT | LN_STOP_END;
    for (int ended = 0; run->side.t < run->settings->end && !ended &&
                        !ln_pause_is_due(run->settings->pause, run->side.t);) {
        LN_TRY(ln_check_limits(run));
        int why, crossed = 0;
        double target = ln_grid_next(&d->grid, run->side.t, &why);
        if (ln_is_hybrid(d))
            ln_instants_depart(d);
        LN_TRY(ln_walk(d, target, run->settings->step));
        if (ln_is_hybrid(d)) {
            LN_TRY(ln_instants_find_root(d, &crossed));
            LN_TRY(ln_events_check_bounds(&d->events, run->side.t));
        }
        LN_TRY(remember(d, d->departure.t));
        if (run->side.t < target)
            why = 0;
        else
            ln_grid_reached(&d->grid, target, why);
        LN_TRY(arrive(d, why, crossed, (why & asked) || !(run->settings->interval > 0), &ended));
    }
    return LINNET_OK;
}

linnet_status ln_drive_note_progress(ln_drive *d, ln_progress *progress, double from) {
    const ln_run *run = &d->run;
    progress->same = d->grid.same;
    return ln_progress_step(progress, run->side.t, run->side.t - from,
                            ln_network_unknown_name(run->system->network, run->dominant),
                            ln_is_hybrid(d) ? &d->events : NULL, run->report);
}

/* The longest step from here: what the user allows, else a fiftieth of the run for a method of low
 * order, whose points are looked at, and the error alone decides for others; not so long that it
 * passes over what a source does. Steppers grow by a factor of 8 at most, so no more is looked at.
 */
static double longest_step(ln_drive *d, ln_side stop) {
    ln_run *run = &d->run;
    const ln_settings *settings = run->settings;
    double span = settings->end - settings->begin, left = stop.t - run->side.t;
    double most =
        settings->step > 0 ? settings->step : span / (settings->method->order > 2 ? 1 : 50);
    if (d->run.system->delays != NULL)
        most = fmin(most, d->recalled > 0 ? d->recalled : 1e-3 * span);
    double near = fmin(fmin(most, left), d->last_h > 0 ? 10 * d->last_h : 1e-3 * span);
    double bound = ln_source_step_bound(run, near, stop);
    return bound < near ? bound : most;
}

static linnet_status drive_adaptive(ln_drive *d) {
    ln_run *run = &d->run;
    for (int ended = 0; run->side.t < run->settings->end && !ended &&
                        !ln_pause_is_due(run->settings->pause, run->side.t);) {
        int why, crossed = 0, wanted;
        const double target = ln_grid_next(&d->grid, run->side.t, &why), before = run->side.t;
        LN_TRY(ln_check_limits(run));
        if (ln_is_hybrid(d))
            ln_instants_depart(d);
        const ln_side stop = ln_side_at(ln_side_between(before, target), target);
        run->most = longest_step(d, stop);
        LN_TRY(ln_drive_advance(d, stop));
        d->last_h = run->side.t - before;
        if (ln_is_hybrid(d)) {
            LN_TRY(ln_instants_find_root(d, &crossed));
            LN_TRY(ln_events_check_bounds(&d->events, run->side.t));
        }
        LN_TRY(ln_drive_note_progress(d, &d->progress, before));
        LN_TRY(remember(d, before));
        LN_TRY(ln_drive_tell_between(d, &wanted));
        if (run->side.t < target)
            why = 0;
        else
            ln_grid_reached(&d->grid, target, why);
        LN_TRY(arrive(d, why, crossed, wanted || (why & LN_STOP_OUTPUT) || (why & LN_STOP_END),
                      &ended));
    }
    return LINNET_OK;
}

/* ---- assembling a run ---- */

/* The stepper of the method; none where the driver steps itself: backward Euler and Crank-Nicolson
 * with a fixed step. */
static linnet_status make_stepper(ln_drive *d) {
    ln_run *run = &d->run;
    const char *name = run->settings->method->name;
    d->f_before = LN_NEW(run->arena, double, run->n);
    if (d->f_before == NULL)
        return ln_no_memory(run->report);
    for (size_t k = 0; k < sizeof steppers / sizeof *steppers; k++)
        if (strcmp(steppers[k]->method, name) == 0)
            d->stepper = steppers[k];
    if (run->settings->tolerance == 0 && d->stepper != NULL && d->stepper->fixed == NULL)
        d->stepper = NULL;
    if (d->stepper == NULL)
        return LINNET_OK;
    d->state = ln_arena_alloc(run->arena, 1, d->stepper->size);
    d->between = LN_NEW(run->arena, double, run->n);
    if (d->state == NULL || d->between == NULL)
        return ln_no_memory(run->report);
    return d->stepper->create(run, d->state);
}

/* Modes follow the search for a start and are decided at its end. */
static linnet_status start(ln_drive *d) {
    ln_run *run = &d->run;
    if (ln_is_hybrid(d))
        LN_TRY(ln_instants_init(d));
    if (run->system->delays != NULL && run->settings->start == LN_START_VALUES)
        ln_delays_start(run->system);
    run->side.modes = LN_MODES_FOLLOW;
    linnet_status status = ln_start(run, &d->solver);
    run->side.modes = LN_MODES_FROZEN;
    if (status == LINNET_OK && ln_is_hybrid(d))
        (void)ln_system_decide_modes(run->system, &(ln_moment){run->side, run->x}, NULL, NULL);
    return status;
}

/* What a run that goes on has of its events; the point is loaded already. */
static linnet_status go_on(ln_drive *d) {
    if (!ln_is_hybrid(d))
        return LINNET_OK;
    LN_TRY(ln_instants_init(d));
    return ln_pause_load_events(&d->run.settings->pause->state, &d->events)
               ? LINNET_OK
               : ln_pause_unfit(d->run.report);
}

/* From the start to where steps begin: its point is told. */
static linnet_status depart(ln_drive *d, int *ended) {
    ln_run *run = &d->run;
    LN_TRY(ln_is_hybrid(d) ? ln_instants_begin(d, ended) : ln_drive_accept(d, run->side, run->x));
    if (d->stepper != NULL)
        LN_TRY(d->stepper->restart(run, d->state));
    if (!ln_is_hybrid(d) && run->settings->start == LN_START_OPERATING_POINT) {
        LN_TRY(ln_pass_breakpoint(d, ln_drive_side_after(d, run->side.t)));
        run->statistics->breakpoints--; /* nobody has come to it */
    }
    const int averages =
        run->settings->tolerance == 0 && d->stepper == NULL && run->settings->method->order == 2;
    if (averages && !run->system->linear && !d->damp)
        d->damp = ln_start_is_violent(d, run->settings->step / 2);
    return LINNET_OK;
}

/* The same where a run goes on: the point has been told, and nothing happens there any more. */
static linnet_status depart_again(ln_drive *d) {
    ln_run *run = &d->run;
    const double interval = run->settings->interval;
    if (interval > 0)
        d->outputs = (long)floor((run->side.t - run->settings->begin) / interval + 1e-9);
    if (ln_is_hybrid(d))
        ln_root_finder_begin(&d->finder, run->side, run->x);
    return d->stepper != NULL ? d->stepper->restart(run, d->state) : LINNET_OK;
}

static void pause_here(ln_drive *d) {
    ln_pause *pause = d->run.settings->pause;
    if (!ln_pause_is_due(pause, d->run.side.t) || d->run.side.t >= d->run.settings->end)
        return;
    ln_bytes_clear(&pause->state);
    ln_pause_save(&pause->state, d->run.system, d->run.side.t, d->run.x);
    if (ln_is_hybrid(d))
        ln_pause_save_events(&pause->state, &d->events);
    pause->paused = 1;
}

static linnet_status run_implicit(ln_drive *d, int goes_on) {
    ln_run *run = &d->run;
    if (run->settings->events_at_steps && ln_is_hybrid(d))
        return ln_fail(run->report, LINNET_USAGE, LN_NOWHERE,
                       "events at-steps needs an explicit method where a model has events: "
                       "%s finds them within its steps; take euler, heun or rk4",
                       run->settings->method->name);
    run->side = ln_drive_side_after(d, run->side.t);
    LN_TRY(make_stepper(d));
    if (ln_source_step_bound_init(run) != LINNET_OK)
        return ln_no_memory(run->report);
    run->most = run->settings->end - run->settings->begin;
    LN_TRY(ln_consistent_init(&d->solver, run->system, run->settings->linear, run->side, run->x,
                              run->report));
    LN_TRY(goes_on ? go_on(d) : start(d));
    d->damp = d->solver.transform == NULL;
    run->statistics->states = d->solver.transform != NULL ? d->solver.transform->rank : 0;
    if (d->solver.transform == NULL)
        LN_TRY(ln_run_find_index(run));
    if (!goes_on)
        ln_warn_of_ringing(run);
    LN_TRY(ln_run_restart(run));
    int ended = 0;
    LN_TRY(goes_on ? depart_again(d) : depart(d, &ended));
    if (ended)
        return LINNET_OK;
    linnet_status status = run->settings->tolerance > 0 ? drive_adaptive(d) : drive_fixed(d);
    if (status == LINNET_OK)
        pause_here(d);
    if (run->system->delays != NULL)
        ln_delays_end(run->system);
    ln_run_count(run);
    if (d->stepper != NULL && d->stepper->count != NULL)
        d->stepper->count(run, d->state);
    return status;
}

/* Explicit: a plain diagram as one program, else the split network. */
static linnet_status run_explicit(ln_drive *d, int goes_on) {
    ln_run *run = &d->run;
    ln_system *system = run->system;
    ln_ode *ode = NULL;
    linnet_status status = LINNET_USAGE;
    if (system->network->purely_signal)
        status = ln_diagram_new(system->network, run->report, &ode);
    const int is_diagram = status == LINNET_OK;
    if (status == LINNET_USAGE)
        status = ln_split_new(system, run->settings, run->report, &ode);
    LN_TRY(status);
    ode->memory = system->memory;
    run->side = ln_drive_side_after(d, run->side.t);
    if (goes_on) {
        status = LINNET_OK;
    } else if (is_diagram && run->settings->start == LN_START_VALUES) {
        status = ln_start_states(run, ode);
    } else {
        status = ln_consistent_init(&d->solver, system, run->settings->linear, run->side, run->x,
                                    run->report);
        if (system->delays != NULL && run->settings->start == LN_START_VALUES)
            ln_delays_start(system);
        run->side.modes = LN_MODES_FOLLOW;
        if (status == LINNET_OK)
            status = ln_start(run, &d->solver);
        run->side.modes = LN_MODES_FROZEN;
    }
    if (status == LINNET_OK)
        status = ln_integrate_explicit(
            ode, system->network, system, run->settings->events_at_steps ? NULL : next_breakpoint,
            system, run->x, run->settings, run->watcher, run->report, run->statistics);
    if (system->delays != NULL)
        ln_delays_end(system);
    ode->free(ode);
    return status;
}

linnet_status ln_integrate(ln_system *system, const ln_settings *settings,
                           const ln_watcher *watcher, ln_report *report,
                           ln_statistics *statistics) {
    *statistics = (ln_statistics){.method = settings->method,
                                  .unknowns = system->n,
                                  .nonlinear = system->nnonlinear,
                                  .linear = settings->linear,
                                  .start_means = "",
                                  .t = settings->begin};
    if (!(settings->end > settings->begin))
        return ln_fail(report, LINNET_MODEL, LN_NOWHERE, "the duration must be positive");
    ln_drive d = {.damp = 0};
    ln_growth growth;
    const ln_watcher watched = ln_growth_watch(&growth, system, watcher);
    linnet_status status = ln_run_init(&d.run, system, settings, &watched, report, statistics);
    if (status == LINNET_OK) {
        int adaptive = settings->method->implicit && settings->tolerance > 0;
        ln_pause *pause = settings->pause;
        const int goes_on = pause != NULL && pause->state.length > 0;
        d.run.side.t = settings->begin;
        ln_start_memories(system, settings);
        if (pause != NULL)
            pause->paused = 0;
        if (goes_on && !ln_pause_load(pause, system, d.run.x))
            status = ln_pause_unfit(report);
        if (goes_on)
            statistics->t = d.run.side.t = pause->t;
        ln_grid_begin(&d.grid, settings->begin, settings->end, adaptive ? 0 : settings->step,
                      next_breakpoint, system);
        ln_grid_want(&d.grid, adaptive ? 0 : settings->interval, settings->stops, settings->nstops);
        if (goes_on)
            ln_grid_skip(&d.grid, d.run.side.t);
        if (status == LINNET_OK)
            status =
                settings->method->implicit ? run_implicit(&d, goes_on) : run_explicit(&d, goes_on);
        if (goes_on)
            ln_pause_add_counts(statistics, &pause->counts);
        if (pause != NULL)
            pause->counts = *statistics;
        if (status == LINNET_OK && (pause == NULL || !pause->paused))
            ln_warn_of_step(settings, statistics, report);
    }
    ln_growth_warn(&growth, report);
    if (d.state != NULL && d.stepper->release != NULL)
        d.stepper->release(d.state);
    ln_consistent_free(&d.solver);
    ln_run_free(&d.run);
    return status;
}
