/* SPDX-License-Identifier: MIT */
/* Breakpoints, crossings and events: the run is taken to the instant, what jumps there is made
 * consistent, both sides are told, and the steps begin anew. */
#include "integrate/drive.h"
#include "integrate/rest.h"
#include "integrate/global_error.h"
#include "integrate/saltation.h"
#include "system/active.h"
#include "system/delay.h"

#include <math.h>
#include <string.h>

/* Where the index is above 1, what follows from a derivative of a source jumps where the source has
 * a kink. The end of the run has no right side. */
static linnet_status find_slope_jumps(ln_drive *d, ln_side side) {
    ln_run *run = &d->run;
    if (!d->index_above_1 || d->events_at_steps || side.t >= d->grid.end)
        return LINNET_OK;
    const linnet_status status = ln_prolonged_slope_jumps(
        run->system, run->side, side, &d->consistency.cache, run->x, &d->slopes_jump);
    return status == LINNET_MEMORY ? ln_no_memory(run->report) : LINNET_OK;
}

linnet_status ln_instants_init(ln_drive *d) {
    ln_run *run = &d->run;
    ln_step_start *from = &d->step_start;
    double **vectors[] = {&from->x,   &from->q, &from->f, &from->x_third,
                          &d->f_left, &d->work, &d->noise};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if ((*vectors[k] = LN_NEW(run->arena, double, run->n)) == NULL)
            return ln_no_memory(run->report);
    if ((d->stored = LN_NEW(run->arena, char, run->n)) == NULL)
        return ln_no_memory(run->report);
    if (ln_events_init(&d->events, run->system, run->arena, run->settings, run->report) !=
            LINNET_OK ||
        ln_root_finder_init(&d->finder, &d->events, run->arena) != LINNET_OK)
        return ln_no_memory(run->report);
    d->events.algebra = ln_instant_algebra(d);
    return LINNET_OK;
}

/* ---- steps that are taken anew ---- */

void ln_instants_save_start(ln_drive *d) {
    const ln_run *run = &d->run;
    ln_step_start *from = &d->step_start;
    const size_t bytes = (size_t)run->n * sizeof *run->x;
    const int is_explicit = d->stepper->explicit_ops != NULL;
    from->t_third = d->finder.after_instant ? NAN : from->t; /* the start of the step before */
    from->t = run->side.t;
    if (is_explicit && run->system->nguards == 0 && run->system->delays == NULL)
        return; /* nothing brings the run back */
    if (!is_explicit) {
        memcpy(from->x_third, from->x, bytes);
        memcpy(from->q, run->q, bytes);
        memcpy(from->f, run->f, bytes);
    }
    memcpy(from->x, run->x, bytes);
    ln_global_error_save(run);
    from->previous_h = d->previous_h;
    from->damp = run->damp;
    from->inconsistent = d->inconsistent;
    from->steps = run->statistics->steps;
    from->rejected = run->statistics->rejected;
    from->smallest = run->statistics->smallest;
    from->largest = run->statistics->largest;
}

void ln_instants_go_back(ln_drive *d) {
    ln_run *run = &d->run;
    const ln_step_start *from = &d->step_start;
    const size_t bytes = (size_t)run->n * sizeof *run->x;
    memcpy(run->x, from->x, bytes);
    if (d->stepper->explicit_ops != NULL) {
        d->stepper->explicit_ops->take(run, d->stepper_data, from->x);
    } else {
        memcpy(run->q, from->q, bytes);
        memcpy(run->f, from->f, bytes);
    }
    ln_global_error_restore(run);
    run->side.t = from->t;
    d->previous_h = from->previous_h;
    run->damp = from->damp;
    d->inconsistent = from->inconsistent;
    run->statistics->steps = from->steps;
    run->statistics->rejected = from->rejected;
    run->statistics->smallest = from->smallest;
    run->statistics->largest = from->largest;
}

/* The first step after a restart, after an instant or of a step that is taken again, may have a
 * known length by an explicit method, which estimates the error of that one as of any, and in a
 * linear system of index 1 without delays, where just states and sources jump. */
static int restart_may_know_h(const ln_drive *d) {
    const ln_run *run = &d->run;
    return run->adaptive &&
           (d->stepper->explicit_ops != NULL ||
            (run->system->linear && run->index == NULL && run->system->delays == NULL));
}

/* Takes the run again from its step_start to *t, in as many steps as the method needs. While
 * searching it stops at the first step whose end has crossed a guard, and sets *t to it; when
 * d->replays_to_record it goes all the way and passes interpolated rows to the watcher. */
static linnet_status take_again(ln_drive *d, double *t) {
    ln_run *run = &d->run;
    ln_instants_go_back(d);
    if (!run->adaptive) {
        LN_TRY(ln_drive_fixed_step(d, *t));
        return ln_drive_compute_across(d);
    }
    ln_progress progress = {0};
    run->bound.first_h =
        restart_may_know_h(d) ? *t - run->side.t : 0; /* a part of a step that was short enough */
    const linnet_status begun = d->stepper->restart(run, d->stepper_data);
    run->bound.first_h = 0;
    LN_TRY(begun);
    while (run->side.t < *t) {
        LN_TRY(ln_check_limits(run));
        LN_TRY(ln_drive_advance(d, ln_side_at(run->side, *t)));
        LN_TRY(ln_drive_compute_across(d));
        LN_TRY(ln_drive_note_progress(d, &progress, d->step_begin));
        if (d->replays_to_record && run->side.t < *t) {
            LN_TRY(ln_drive_output_within(d, NULL));
            LN_TRY(ln_drive_record_part(d));
        } else if (!d->replays_to_record &&
                   ln_root_finder_is_crossed(&d->finder, run->side, run->x))
            *t = run->side.t;
    }
    return LINNET_OK;
}

/* The same. Where a crossing is looked for right behind the step's begin, as of diodes that rest
 * and come to block, a step of 1e-16 s may be singular in numbers, or be all rounding: *t becomes
 * the end of one that can be taken, no later than the next stop. */
static linnet_status redo_step(ln_drive *d, double *t) {
    const double begin = d->step_start.t;
    for (;;) {
        const double h = *t - begin;
        d->run.no_step = LN_NO_STEP_IS_TRIED;
        const linnet_status status = take_again(d, t);
        const int none = status != LINNET_OK && d->run.no_step == LN_NO_STEP_WAS_MET;
        d->run.no_step = LN_NO_STEP_IS_TOLD;
        if (!none)
            return status;
        if (!(begin + 10 * h < d->next_stop))
            return take_again(d, t); /* and tell why not */
        *t = begin + 10 * h;
    }
}

static linnet_status redo(void *context, double *t, const double **x) {
    ln_drive *d = context;
    LN_TRY(redo_step(d, t));
    d->finder.steps = d->stepper->explicit_ops != NULL
                          ? 0 /* these find a frozen branch without a value beyond */
                          : (int)(d->run.statistics->steps - d->step_start.steps);
    *x = d->run.x; /* a step may have exchanged arrays */
    return LINNET_OK;
}

/* ---- within a step ---- */

/* Implicit steps of fixed length: the parabola through its ends and a third point, or the line. */
static linnet_status between_fixed(void *context, double t, const double **x) {
    ln_drive *d = context;
    const ln_step_start *from = &d->step_start;
    const double h = d->run.side.t - from->t, back = from->t_third - from->t, s = t - from->t;
    *x = d->between;
    for (int i = 0; i < d->run.n; i++) {
        const double first = (d->run.x[i] - from->x[i]) / h;
        const double second =
            isnan(back) ? 0 : (first - (from->x_third[i] - from->x[i]) / back) / (h - back);
        d->between[i] = from->x[i] + s * (first + (s - h) * second);
    }
    return LINNET_OK;
}

/* The middle of the first step after an instant, as a true step finds it. */
static linnet_status take_middle(void *context) {
    ln_drive *d = context;
    ln_step_start *from = &d->step_start;
    double end = d->run.side.t, middle = from->t + (end - from->t) / 2;
    LN_TRY(redo_step(d, &middle));
    memcpy(from->x_third, d->run.x, (size_t)d->run.n * sizeof *from->x_third);
    from->t_third = middle;
    return redo_step(d, &end);
}

linnet_status ln_instants_find_root(ln_drive *d, int *crossed) {
    ln_run *run = &d->run;
    const int parabola = !run->adaptive && d->stepper->explicit_ops == NULL;
    const ln_stepping stepping = {d, redo, parabola ? between_fixed : ln_drive_interpolate,
                                  parabola ? take_middle : NULL,
                                  run->adaptive ? d->next_stop : run->side.t};
    double t = run->side.t;
    *crossed = 0;
    if (run->system->nguards == 0)
        return LINNET_OK;
    LN_TRY(ln_drive_compute_across(d));
    LN_TRY(ln_root_finder_step(&d->finder, &stepping, d->step_start.t,
                               &(ln_moment){run->side, run->x}, &t, crossed));
    const int tells =
        run->settings->interval > 0 || run->watcher->within != NULL || run->system->delays != NULL;
    if (!d->finder.redone || !run->adaptive || !tells || d->step_begin == d->step_start.t)
        return LINNET_OK;
    /* once more: the method interpolates within its last step only, and took several */
    d->replays_to_record = 1;
    linnet_status status = redo_step(d, &t);
    d->replays_to_record = 0;
    return status;
}

/* ---- the instant ---- */

/* The left side of the instant just passed goes to the watcher, with the memories of that side. */
static linnet_status output_left(ln_drive *d, ln_side side) {
    const ln_events *ev = &d->events;
    double *memory = d->run.system->memory;
    const size_t bytes = (size_t)d->run.system->network->nmemories * sizeof *memory;
    memcpy(ev->m_next, memory, bytes);
    memcpy(memory, ev->m_before, bytes);
    linnet_status status = ln_drive_output(d, side, ev->x_before);
    memcpy(memory, ev->m_next, bytes);
    return status;
}

/* Bound of the first step after an instant: the last step, uncut; for each row whose f
 * changed, 5 % of its stored size over that change; a quarter of the expected time to the next
 * firing of an event that fired here. */
static double first_step_after(const ln_drive *d) {
    static const double PART = 0.05; /* chosen: of a stored quantity, over the first step */
    const ln_run *run = &d->run;
    const ln_matrix *E = &run->system->E;
    double *size = d->work, longest = d->uncut_h;
    memset(size, 0, (size_t)run->n * sizeof *size);
    ln_add_abs_product(&E->pattern, E->value, 1, run->errors.peak, size);
    for (int i = 0; i < run->n; i++) {
        const double change = fabs(run->f[i] - d->f_left[i]);
        if (change > 1e-9 * (fabs(run->f[i]) + fabs(d->f_left[i])))
            longest = fmin(longest, PART * fmax(size[i], fabs(run->q[i])) / change);
    }
    return fmin(longest, ln_events_soonest(&d->events) / 4);
}

static int stored_jumped(ln_drive *d) {
    const ln_run *run = &d->run;
    const char *stored = ln_instant_find_stored(d);
    for (int i = 0; i < run->n; i++)
        if (stored[i] && fabs(run->x[i] - d->events.x_before[i]) > 0)
            return 1;
    return 0;
}

/* The steps go on at the right side of a kink of a source: what is stored has another slope there,
 * and what follows from slopes has jumped. */
static linnet_status resume_after_kink(ln_drive *d) {
    ln_run *run = &d->run;
    LN_TRY(ln_run_restart(run, run->side));
    if (ln_is_hybrid(d))
        ln_root_finder_begin(&d->finder, run->side, run->x);
    return d->stepper->resume == NULL
               ? LINNET_OK
               : d->stepper->resume(run, d->stepper_data, LN_RESUME_SLOPES_AND_X);
}

/* The steps begin anew at the right side. Crank-Nicolson is damped (two halves of backward Euler)
 * where something jumps, and only there; with fixed steps a jump of f alone counts, since they
 * average f of both ends. */
static linnet_status begin_anew(ln_drive *d, int jumps) {
    ln_run *run = &d->run;
    if (d->stepper->explicit_ops != NULL) {
        d->unknowns_known = 1;
        ln_root_finder_begin(&d->finder, run->side, run->x);
        return d->stepper->restart(run, d->stepper_data);
    }
    ln_global_error_jump(run, d->events.x_before);
    memcpy(d->f_left, run->f, (size_t)run->n * sizeof *run->f);
    if (run->index != NULL && ln_is_hybrid(d))
        LN_TRY(ln_run_find_index(run)); /* other modes may raise it */
    LN_TRY(ln_run_restart(run, run->side));
    LN_TRY(ln_saltation_end(d));
    if (jumps || ln_drive_f_jumps(d)) {
        run->damp = 1;
        d->previous_h = 0;
    }
    for (int k = 0; !run->system->linear && k < LN_KEPT_FACTORS; k++)
        run->cache.factors[k].matrix.usable = 0;
    ln_root_finder_begin(&d->finder, run->side, run->x);
    run->bound.first_h = restart_may_know_h(d) ? first_step_after(d) : 0;
    linnet_status status = d->stepper->restart(run, d->stepper_data);
    run->bound.first_h = 0;
    return status;
}

static linnet_status end_by(ln_drive *d, const ln_event_outcome *outcome, int *ended) {
    *ended = 1;
    return ln_end_run_by_event(outcome, d->run.side.t, d->run.statistics, d->run.report);
}

/* What jumps at an instant, beside what events do: *jumps, the equations themselves;
 * d->slopes_jump, only a derivative of them that x follows from. */
static linnet_status find_jumps(ln_drive *d, ln_side side, int is_breakpoint, int *jumps) {
    *jumps = d->slopes_jump = 0;
    if (d->stepper->explicit_ops != NULL)
        return LINNET_OK;
    if (is_breakpoint)
        LN_TRY(ln_drive_jumps(d, side, jumps));
    *jumps |= d->changed_in_pause;
    return is_breakpoint && !*jumps ? find_slope_jumps(d, side) : LINNET_OK;
}

/* Nothing has jumped, and no event has acted. */
static linnet_status pass_unchanged(ln_drive *d) {
    ln_run *run = &d->run;
    if (ln_is_hybrid(d))
        ln_root_finder_pass_unchanged(&d->finder, run->side, run->x);
    if (d->stepper->explicit_ops != NULL) /* rates may jump where no unknown does */
        return d->stepper->restart(run, d->stepper_data);
    if (!run->adaptive) { /* a polynomial through the corner says nothing of a step's error */
        ln_predictor_forget(&run->predictor);
        return LINNET_OK;
    }
    return d->stepper->resume != NULL ? d->stepper->resume(run, d->stepper_data, LN_RESUME_SLOPES)
                                      : LINNET_OK;
}

/* Events act, and what the equations make of it becomes consistent. At a crossing x is what located
 * it; at a breakpoint what comes back from delays has another side. moves: something moves without
 * events. */
static linnet_status act(ln_drive *d, ln_side side, int is_breakpoint, int moves,
                         ln_event_outcome *outcome) {
    const int is_explicit = d->stepper->explicit_ops != NULL;
    linnet_status status = LINNET_OK;
    d->events.x_is_consistent =
        !is_explicit && !moves && (!is_breakpoint || !ln_consistency_is_index_1(&d->consistency));
    if (ln_is_hybrid(d) || is_explicit || moves)
        status = ln_events_iterate(&d->events, side, d->run.x, outcome);
    d->run.statistics->events = d->events.count;
    return status;
}

/* The run goes on right of the instant, where something is other than before. */
static linnet_status continue_on_right_side(ln_drive *d, ln_side side,
                                            const ln_event_outcome *outcome, int jumps) {
    d->run.side = side;
    return d->slopes_jump && !outcome->changed && !stored_jumped(d)
               ? resume_after_kink(d)
               : begin_anew(d, jumps || (outcome->moved && d->run.adaptive));
}

static int tells_moves(const ln_drive *d, int is_explicit) { /* else Newton's method had left it */
    return !d->events_at_steps || is_explicit || d->run.system->delays != NULL;
}

/* Where events act at steps, modes that have come back in passing have changed nothing: generated
 * code, which does the same, sees what they were before the instant and after it. */
static int has_changed(const ln_drive *d, const ln_event_outcome *outcome) {
    if (!d->events_at_steps || !outcome->changed)
        return outcome->changed;
    for (int k = 0; k < d->run.system->nhybrid; k++)
        if (d->events.acted[k])
            return 1;
    return 0;
}

/* What the left side has to tell: the step that led here, before an event cut it, and what it
 * misses of the algebra. */
static void note_left(ln_drive *d, ln_side left) {
    const ln_run *run = &d->run;
    d->events.step = run->adaptive ? d->uncut_h : run->settings->step;
    if (run->adaptive && d->stepper->explicit_ops == NULL)
        ln_consistency_note_left(&d->consistency, left, run->x, run->settings->tolerance);
}

/* What jumps at the instant, and whether x moves by it. */
static linnet_status find_moves(ln_drive *d, ln_side side, int is_breakpoint, int *jumps,
                                int *moves) {
    const ln_side left = d->run.side;
    d->projected = 0;
    LN_TRY(ln_drive_compute_across(d));
    ln_saltation_begin(d);
    LN_TRY(find_jumps(d, side, is_breakpoint, jumps));
    note_left(d, left);
    const int rests = !is_breakpoint && ln_rest_at_guards(d, side);
    *moves = *jumps || d->slopes_jump || rests;
    return LINNET_OK;
}

linnet_status ln_instant(ln_drive *d, ln_side side, int is_breakpoint, int quiet, int *ended) {
    ln_run *run = &d->run;
    const ln_side left = run->side;
    ln_event_outcome outcome = {.only_ticks = 1};
    int jumps, moves;
    LN_TRY(find_moves(d, side, is_breakpoint, &jumps, &moves));
    LN_TRY(act(d, side, is_breakpoint, moves, &outcome));
    outcome.changed = has_changed(d, &outcome);
    outcome.moved &= moves || outcome.changed || tells_moves(d, d->stepper->explicit_ops != NULL);
    if (!outcome.changed && !outcome.moved && !jumps) {
        LN_TRY(pass_unchanged(d));
        return quiet ? LINNET_OK : ln_drive_output(d, left, run->x);
    }
    if (d->projected)
        ln_instant_relax(d, side);
    const int by_ticks = outcome.only_ticks && !run->settings->record_before_ticks && !moves;
    if (!by_ticks)
        LN_TRY(output_left(d, left));
    LN_TRY(continue_on_right_side(d, side, &outcome, jumps));
    if (!quiet || !by_ticks)
        LN_TRY(ln_drive_output(d, run->side, run->x));
    return outcome.ends != NULL ? end_by(d, &outcome, ended) : LINNET_OK;
}

linnet_status ln_instants_begin(ln_drive *d, int *ended) {
    ln_run *run = &d->run;
    ln_event_outcome outcome;
    const int from_operating_point = run->settings->start == LN_START_OPERATING_POINT;
    /* after an operating point, and before any sample that the events may now set */
    const ln_side left = run->side, right = d->events_at_steps
                                                ? ln_drive_side_after(d, left.t)
                                                : ln_side_right(left.t, d->grid.same);
    int jumps;
    LN_TRY(find_jumps(d, right, from_operating_point, &jumps));
    if (run->system->delays != NULL && ln_delays_begin_run(run->system, right, run->x) != LINNET_OK)
        return ln_no_memory(run->report);
    LN_TRY(ln_events_start(&d->events, right, run->x));
    LN_TRY(ln_events_iterate(&d->events, right, run->x, &outcome));
    run->side = right;
    if (run->system->delays != NULL &&
        ln_delays_begin_run(run->system, run->side, run->x) != LINNET_OK)
        return ln_no_memory(run->report); /* what has acted was so before the start already */
    outcome.only_ticks &= !run->settings->record_before_ticks;
    if (from_operating_point && (outcome.changed || outcome.moved) && !outcome.only_ticks)
        LN_TRY(output_left(d, left));
    if (d->stepper->explicit_ops == NULL)
        LN_TRY(ln_run_restart(run, run->side));
    ln_grid_changed(&d->grid, run->side.t);
    run->side = ln_drive_side_after(d, run->side.t);
    ln_root_finder_begin(&d->finder, run->side, run->x);
    LN_TRY(ln_drive_output(d, run->side, run->x));
    return outcome.ends != NULL ? end_by(d, &outcome, ended) : LINNET_OK;
}
