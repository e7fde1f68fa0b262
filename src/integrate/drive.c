/* SPDX-License-Identifier: MIT */
/* A run from start to end, by any method: which step, what at a breakpoint, who is told.
 *
 * Fixed step: the run walks from stop to stop (grid point, breakpoint of a source, asked-for time);
 * between two stops it takes one step, or, when Newton fails, shorter ones. Adaptive: the method
 * advances by accepted steps and is asked for values between them. Either way a step that crosses
 * an event is taken back to it. A step sees the side of the interval between two stops: conditions
 * on time alone are constant within a step, so that a method keeps its order. */
#include "integrate/drive.h"

#include "base/underflow.h"
#include "integrate/global_error.h"
#include "integrate/growth.h"
#include "integrate/pause.h"
#include "integrate/rounding.h"
#include "integrate/start_modes.h"
#include "system/delay.h"

#include <math.h>
#include <string.h>

static double next_breakpoint(const void *context, double t) {
    return ln_system_next_breakpoint(context, t);
}

/* ---- output ---- */

/* Passes the point a step has reached to the watcher, if it is wanted: at a requested time, or
 * each where no interval is set. */
static linnet_status output_if_wanted(ln_drive *d, int wanted) {
    d->run.statistics->t = d->run.side.t;
    if (!wanted)
        return LINNET_OK;
    LN_TRY(ln_drive_compute_unknowns(d));
    return ln_drive_output(d, d->run.side, d->run.x);
}

/* ---- stops ---- */

/* Is the run over without an instant? Generated code of a diagram, and of a network of an index
 * above 1, has the right side of each boundary, of the last one, too. */
static int is_done(const ln_drive *d) {
    const int last_boundary =
        d->events_at_steps && (d->stepper->explicit_ops != NULL || d->index_above_1);
    return d->run.side.t >= d->grid.end && !ln_is_hybrid(d) && !last_boundary;
}

/* The end of a step goes to the watcher; at a breakpoint or an event, what happens there acts.
 * wanted: the watcher is to have it whatever happens. */
static linnet_status end_step(ln_drive *d, int why, int crossed, int wanted, int *ended) {
    ln_run *run = &d->run;
    const int hybrid = ln_is_hybrid(d),
              breakpoint = d->events_at_steps || (why & LN_STOP_BREAKPOINT);
    const double t = run->side.t;
    if (!(breakpoint || crossed) || is_done(d))
        return output_if_wanted(d, wanted || breakpoint);
    run->statistics->t = t;
    ln_side side = run->side;
    int next;
    if (d->events_at_steps) /* behind the end would be a step, too */
        side = ln_side_after(t, t < d->grid.end ? ln_grid_next(&d->grid, t, &next)
                                                : t + run->settings->step);
    else if (breakpoint)
        side = ln_side_right(t, d->grid.same);
    const ln_point_kind what =
        d->events_at_steps ? LN_STEP_END
                           : ln_delays_classify_point(run->system, t, d->grid.same, crossed);
    const ln_profile_part before = ln_profile_enter(run->settings->profile, LN_PART_CORNER);
    const linnet_status status = ln_instant(d, side, breakpoint, hybrid && !wanted, ended);
    ln_profile_leave(run->settings->profile, before);
    LN_TRY(status);
    if (hybrid && ln_delays_record(run->system, side, run->x, what, d->events.acted) != LINNET_OK)
        return ln_no_memory(run->report);
    if (hybrid)
        ln_grid_changed(&d->grid, t);
    run->side = ln_drive_side_after(d, t);
    return LINNET_OK;
}

/* ---- steps ---- */

/* Counts why the step from `before` to here was no longer. LN_NO_CAUSE: for no reason, as a step of
 * fixed length has one only where it is shorter than requested. */
static void note_cause(ln_drive *d, double before, int crossed, int why) {
    ln_run *run = &d->run;
    const double h = run->side.t - before;
    const int is_full = !run->adaptive && h >= run->settings->step * (1 - 1e-9);
    ln_cause cause = LN_NO_CAUSE;
    if (crossed)
        cause = LN_BY_CROSSING;
    else if (why != 0)
        cause = (why & LN_STOP_BREAKPOINT) && !is_full ? LN_BY_BREAKPOINT : LN_NO_CAUSE;
    else if (run->adaptive)
        cause = h < run->bound.longest * (1 - 1e-9) ? run->bound.cause : d->longest_by;
    if (!run->adaptive && run->bound.cause == LN_BY_NEWTON)
        cause = LN_BY_NEWTON;
    if (cause == LN_BY_ERROR && run->n > 0)
        run->errors.dominations[run->errors.dominant]++;
    if (cause != LN_NO_CAUSE)
        run->statistics->by[cause]++;
}

static int is_before_end_and_pause(const ln_drive *d) {
    return d->run.side.t < d->run.settings->end &&
           !ln_pause_is_due(d->run.settings->pause, d->run.side.t);
}

/* Do steps of states follow each other with nothing to look at between two stops? */
static int walks(const ln_drive *d) {
    const ln_settings *settings = d->run.settings;
    return d->stepper->explicit_ops != NULL && !d->run.adaptive && settings->interval > 0 &&
           settings->pause == NULL && !ln_is_hybrid(d) && d->run.system->delays == NULL &&
           !d->events_at_steps && !d->turns.any;
}

/* One step, and what happens at its end. */
static linnet_status step(ln_drive *d, int *ended) {
    ln_run *run = &d->run;
    const double interval = run->settings->interval, before = run->side.t;
    int why, crossed = 0, wanted = !(interval > 0);
    const double target = ln_grid_next(&d->grid, before, &why);
    const int hybrid = ln_is_hybrid(d);
    d->next_stop = target;
    LN_TRY(ln_check_limits(run));
    if (hybrid || d->branch.serves)
        ln_instants_save_start(d);
    LN_TRY(ln_drive_step(d, target));
    /* IDA may take a step that is shorter than times are told apart: it leads nowhere */
    if (hybrid && !d->events_at_steps && run->side.t > before) {
        LN_TRY(ln_instants_find_root(d, &crossed));
        LN_TRY(ln_events_check_zeno(&d->events, run->side.t));
    }
    if (run->adaptive)
        LN_TRY(ln_drive_note_progress(d, &d->progress, before));
    LN_TRY(ln_drive_record_for_delays(d, &crossed));
    if (run->adaptive)
        LN_TRY(ln_drive_output_within(d, &wanted));
    if (run->side.t < target)
        why = 0;
    run->statistics->breakpoints += (why & LN_STOP_BREAKPOINT) != 0;
    note_cause(d, before, crossed, why);
    ln_global_error_note(run, run->side.t - before);
    wanted |= (why & (LN_STOP_OUTPUT | LN_STOP_END)) != 0;
    return end_step(d, why, crossed, wanted, ended);
}

/* ---- assembling a run ---- */

static linnet_status make_stepper(ln_drive *d) {
    ln_run *run = &d->run;
    const ln_settings *settings = run->settings;
    d->stepper = ln_stepper_of(settings->method);
    run->adaptive = settings->tolerance > 0 && d->stepper->advance != NULL;
    if (!run->adaptive && (d->stepper->fixed == NULL || !(settings->step > 0)))
        return ln_fail(run->report, LINNET_USAGE, LN_NOWHERE,
                       d->stepper->fixed == NULL
                           ? "method %s needs a tolerance"
                           : "method %s needs a step; give one, or use rk45 with a tolerance",
                       settings->method->name);
    ln_delays_set_tolerance(run->system, run->adaptive ? settings->tolerance : 0,
                            !settings->events_at_steps);
    d->events_at_steps = settings->events_at_steps;
    d->stepper_data = ln_arena_alloc(run->arena, 1, d->stepper->size);
    d->between = LN_NEW(run->arena, double, run->n);
    d->places = LN_NEW(run->arena, double, ln_system_places(run->system));
    if (d->stepper_data == NULL || d->between == NULL || d->places == NULL)
        return ln_no_memory(run->report);
    return d->stepper->create(run, d->stepper_data);
}

/* Modes are free in the search for a start, and decided at its end. */
static linnet_status start(ln_drive *d) {
    ln_run *run = &d->run;
    const ln_explicit_class *explicit_ops = d->stepper->explicit_ops;
    linnet_status status;
    if (run->system->delays != NULL && run->settings->start == LN_START_VALUES)
        ln_delays_enter_start_search(run->system);
    if (explicit_ops != NULL) {
        status = explicit_ops->start(run, d->stepper_data, &d->consistency);
    } else {
        status = ln_start_with_modes(run, &d->consistency, &d->events);
    }
    if (status == LINNET_OK && ln_is_hybrid(d))
        (void)ln_system_decide_modes(run->system, &(ln_moment){run->side, run->x}, NULL, NULL);
    return status;
}

/* From the start, whose point goes to the watcher, to where steps begin. Sources may jump as a run
 * leaves its operating point. */
static linnet_status begin_steps(ln_drive *d, int *ended) {
    ln_run *run = &d->run;
    const int hybrid = ln_is_hybrid(d),
              from_operating_point = run->settings->start == LN_START_OPERATING_POINT;
    if (hybrid)
        LN_TRY(ln_instants_begin(d, ended));
    else if (!from_operating_point)
        LN_TRY(ln_drive_output(d, run->side, run->x));
    LN_TRY(d->stepper->restart(run, d->stepper_data));
    return !hybrid && from_operating_point ? end_step(d, LN_STOP_BREAKPOINT, 0, 1, ended)
                                           : LINNET_OK;
}

/* The same after a pause: the watcher has the point, and nothing happens there
 * any more, unless the user changed something during the pause. */
static linnet_status begin_after_pause(ln_drive *d, int *ended) {
    ln_run *run = &d->run;
    const double interval = run->settings->interval;
    if (interval > 0)
        d->outputs = (long)floor((run->side.t - run->settings->begin) / interval + 1e-9);
    if (ln_is_hybrid(d) && !ln_pause_load_events(&run->settings->pause->bytes, &d->events))
        return ln_pause_report_misfit(run->report);
    ln_root_finder_begin(&d->finder, run->side, run->x);
    LN_TRY(d->stepper->restart(run, d->stepper_data));
    if (!run->settings->pause->jumped)
        return LINNET_OK;
    ln_instants_save_start(d);
    d->changed_in_pause = 1;
    LN_TRY(end_step(d, LN_STOP_BREAKPOINT, 0, 1, ended));
    d->changed_in_pause = 0;
    return LINNET_OK;
}

static linnet_status pause_here(ln_drive *d) {
    ln_pause *pause = d->run.settings->pause;
    if (!ln_pause_is_due(pause, d->run.side.t) || d->run.side.t >= d->run.settings->end)
        return LINNET_OK;
    LN_TRY(ln_drive_compute_unknowns(d));
    ln_bytes_clear(&pause->bytes);
    ln_pause_save(&pause->bytes, d->run.system, d->run.side.t, d->run.x);
    if (ln_is_hybrid(d))
        ln_pause_save_events(&pause->bytes, &d->events);
    pause->paused = 1;
    return LINNET_OK;
}

/* What steps of x need at their beginning. */
static linnet_status prepare_implicit(ln_drive *d, int after_pause) {
    ln_run *run = &d->run;
    const int is_index_1 = ln_consistency_is_index_1(&d->consistency);
    run->damp = d->index_above_1 = !is_index_1;
    run->statistics->states = is_index_1 ? d->consistency.transform->rank : 0;
    if (!is_index_1)
        LN_TRY(ln_run_find_index(run));
    if (!after_pause)
        ln_warn_of_ringing(run);
    if (ln_global_error_init(run) != LINNET_OK || ln_saltation_init(d) != LINNET_OK ||
        ln_between_init(&d->equations_between, run, d->stepper, d->stepper_data) != LINNET_OK ||
        ln_branch_init(&d->branch, run, &d->equations_between) != LINNET_OK)
        return ln_no_memory(run->report);
    return ln_run_restart(run, run->side);
}

/* What steps of states need. */
static linnet_status prepare_states(ln_drive *d) {
    d->stepper->explicit_ops->take(&d->run, d->stepper_data, d->run.x);
    return ln_drive_compute_unknowns(d);
}

/* All that comes before the first step. */
static linnet_status begin(ln_drive *d, int after_pause, int *ended) {
    ln_run *run = &d->run;
    const int is_explicit = d->stepper->explicit_ops != NULL;
    run->side = ln_drive_side_after(d, run->side.t);
    d->step_begin = run->side.t; /* no step has led here */
    if (ln_source_step_bound_init(run) != LINNET_OK)
        return ln_no_memory(run->report);
    run->bound.longest = run->settings->end - run->settings->begin;
    LN_TRY(ln_instants_init(d));
    LN_TRY(ln_drive_jumps_init(d));
    if (ln_drive_turns_init(d) != LINNET_OK)
        return ln_no_memory(run->report);
    if (!is_explicit)
        LN_TRY(ln_consistency_init(&d->consistency, run->system, run->settings->linear, run->side,
                                   run->x, run->report));
    if (!is_explicit && run->settings->newton_exact)
        d->consistency.newton.tolerance_factor = LN_EXACT_TOLERANCE_FACTOR;
    if (!after_pause)
        LN_TRY(start(d));
    LN_TRY(is_explicit ? prepare_states(d) : prepare_implicit(d, after_pause));
    return after_pause ? begin_after_pause(d, ended) : begin_steps(d, ended);
}

/* A run that nothing can interrupt has had its one consistent point. Its factors are as large as
 * those of the steps, which counts at a million unknowns. */
static void forget_start(ln_drive *d) {
    const ln_run *run = &d->run;
    if (!ln_is_hybrid(d) && !(next_breakpoint(run->system, run->side.t) < run->settings->end))
        ln_consistency_forget_factors(&d->consistency);
}

static linnet_status run_all(ln_drive *d, int after_pause) {
    ln_profile *profile = d->run.settings->profile;
    int ended = 0;
    const ln_profile_part before = ln_profile_enter(profile, LN_PART_START);
    linnet_status status = begin(d, after_pause, &ended);
    forget_start(d);
    const uint64_t underflow = ln_underflow_to_zero();
    (void)ln_profile_enter(profile, LN_PART_METHOD);
    const int walking = status == LINNET_OK && walks(d);
    while (status == LINNET_OK && !ended && is_before_end_and_pause(d)) {
        if (walking)
            status = d->stepper->explicit_ops->walk(&d->run, d->stepper_data, &d->grid);
        if (status == LINNET_OK)
            status = step(d, &ended);
    }
    ln_underflow_restore(underflow);
    if (status == LINNET_OK && d->run.out_of_memory)
        status = ln_no_memory(d->run.report);
    if (status == LINNET_OK && !ended)
        status = pause_here(d);
    ln_profile_leave(profile, before);
    return status;
}

/* What the run has cost, however it ended. */
static void count(ln_drive *d) {
    ln_run *run = &d->run;
    ln_run_count(run);
    if (d->stepper->count != NULL)
        d->stepper->count(run, d->stepper_data);
}

static void make_grid(ln_drive *d, int after_pause) {
    const ln_run *run = &d->run;
    const ln_settings *settings = run->settings;
    ln_grid_begin(&d->grid, settings->begin, settings->end, run->adaptive ? 0 : settings->step,
                  d->events_at_steps ? NULL : next_breakpoint, run->system);
    ln_grid_set_outputs(&d->grid, run->adaptive ? 0 : settings->interval, settings->stops,
                        settings->nstops);
    if (after_pause)
        ln_grid_skip(&d->grid, run->side.t);
}

static int is_paused(const ln_drive *d) {
    const ln_pause *pause = d->run.settings->pause;
    return pause != NULL && pause->paused;
}

static linnet_status run_and_count(ln_drive *d, int after_pause) {
    make_grid(d, after_pause);
    const linnet_status status = run_all(d, after_pause);
    count(d); /* before what only looks back */
    if (status == LINNET_OK && d->stepper->explicit_ops == NULL && !is_paused(d))
        ln_rounding_warn_at_end(&d->run);
    return status;
}

/* From settings->begin or a pause to the end, or to the next pause. */
static linnet_status run_from(ln_drive *d) {
    ln_run *run = &d->run;
    const ln_settings *settings = run->settings;
    ln_system *system = run->system;
    ln_pause *pause = settings->pause;
    const int after_pause = pause != NULL && pause->bytes.length > 0;
    linnet_status status = LINNET_OK;
    run->side.t = settings->begin;
    ln_start_memories(system, settings);
    if (pause != NULL)
        pause->paused = 0;
    if (after_pause && !ln_pause_load(pause, system, run->x))
        status = ln_pause_report_misfit(run->report);
    if (after_pause)
        run->statistics->t = run->side.t = pause->t;
    if (status == LINNET_OK)
        status = make_stepper(d);
    if (status == LINNET_OK)
        status = run_and_count(d, after_pause);
    if (system->delays != NULL)
        ln_delays_end(system);
    if (after_pause)
        ln_pause_add_counts(run->statistics, &pause->counts);
    if (pause != NULL)
        pause->counts = *run->statistics;
    if (status == LINNET_OK && !is_paused(d))
        ln_warn_of_step(settings, run->statistics, run->report);
    return status;
}

linnet_status ln_integrate(ln_system *system, const ln_settings *settings,
                           const ln_watcher *watcher, ln_report *report,
                           ln_statistics *statistics) {
    ln_drive d = {.events_at_steps = 0};
    ln_growth growth;
    system->profile = settings->profile;
    const ln_watcher watched = ln_growth_watch(&growth, system, watcher);
    linnet_status status = ln_run_init(&d.run, system, settings, &watched, report, statistics);
    if (status == LINNET_OK && ln_system_take_threads(system, settings->threads) != LINNET_OK)
        status = ln_no_memory(report);
    if (status == LINNET_OK && !(settings->end > settings->begin))
        status = ln_fail(report, LINNET_MODEL, LN_NOWHERE, "the duration must be positive");
    if (status == LINNET_OK)
        status = run_from(&d);
    ln_growth_warn(&growth, report);
    ln_global_error_warn(&d.run);
    if (d.stepper_data != NULL && d.stepper->release != NULL)
        d.stepper->release(d.stepper_data);
    ln_between_free(&d.equations_between);
    ln_consistency_free(&d.consistency);
    ln_run_free(&d.run);
    return status;
}
