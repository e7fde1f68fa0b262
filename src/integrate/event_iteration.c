/* SPDX-License-Identifier: MIT */
/* Instants: see event_iteration.h. */
#include "integrate/event_iteration.h"

#include "integrate/complementarity.h"
#include "integrate/saltation.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of MOST_PASSES at most, memories settle to SETTLED for PATIENT_PASSES, then to ROUGHLY_SETTLED;
 * or what they are set from is alike from FIRST_ALIKE on. The counts are chosen: what converges
 * needs fewer. */
enum {
    FIRST_ALIKE = 3,
    PATIENT_PASSES = 60,
    MOST_PASSES = 100,
    MOST_ROUNDS = 1000,
    MOST_IN_NO_TIME = 1000
};
/* of the run: instants closer than this are many in no time */
static const double NO_TIME = 1e-6;
/* of the largest value so far: a memory that moves by less has settled */
static const double SETTLED = 1e-14, ROUGHLY_SETTLED = 1e-9;

linnet_status ln_events_init(ln_events *ev, ln_system *system, ln_arena *arena,
                             const ln_settings *settings, ln_report *report) {
    const double span = settings->end - settings->begin;
    const long limit = settings->event_limit > 0 ? settings->event_limit : MOST_IN_NO_TIME;
    *ev = (ln_events){.system = system,
                      .report = report,
                      .span = span,
                      .instant_limit = limit,
                      .window_begin = -INFINITY,
                      .last_guard = -1,
                      .last_event = -1};
    const int nevents = system->nevents, nguards = system->nguards;
    const int nmemories = system->network->nmemories;
    char **flags[] = {&ev->was_true, &ev->is_true, &ev->fired, &ev->sets_states},
         **of_guards[] = {&ev->in_noise, &ev->crossed, &ev->mode_stayed};
    double **memories[] = {&ev->m_before, &ev->m_round, &ev->m_next, &ev->m_peak},
           **unknowns[] = {&ev->x_before, &ev->x_set, &ev->x_pass},
           **times[] = {&ev->fired_at, &ev->gap,      &ev->first_gap, &ev->led_by,
                        &ev->next_gap, &ev->held_for, &ev->least_held},
           **values[] = {&ev->guard, &ev->noise, &ev->guard_peak};
    for (size_t k = 0; k < 4; k++) {
        *flags[k] = LN_NEW(arena, char, nevents);
        *memories[k] = LN_NEW(arena, double, nmemories);
    }
    for (size_t k = 0; k < sizeof times / sizeof *times; k++)
        *times[k] = LN_NEW(arena, double, nevents);
    for (size_t k = 0; k < 3; k++) {
        *of_guards[k] = LN_NEW(arena, char, nguards);
        *values[k] = LN_NEW(arena, double, nguards);
    }
    for (size_t k = 0; k < sizeof unknowns / sizeof *unknowns; k++)
        *unknowns[k] = LN_NEW(arena, double, system->n);
    ev->crossings = LN_NEW(arena, int, nguards);
    ev->crossed_at = LN_NEW(arena, double, nguards);
    ev->shrinking = LN_NEW(arena, long, nevents);
    ev->acted = LN_NEW(arena, char, system->nhybrid);
    ev->instance_sets = LN_NEW(arena, char, system->nhybrid);
    ev->changed_in_round = LN_NEW(arena, char, nmemories);
    if (ln_agree_init(ev, arena) != LINNET_OK || ln_arena_failed(arena))
        return LINNET_MEMORY;
    for (int k = 0; k < nevents; k++) {
        const linnet_event *event;
        (void)ln_event_owner(system, k, &event);
        ev->any_joins |= (event->flags & LINNET_JOINS) != 0;
        ev->fired_at[k] = -INFINITY;
    }
    memset(ev->in_noise, 1, (size_t)nguards);
    return LINNET_OK;
}

/* ---- events ---- */

static linnet_status report_memory_loop(const ln_events *ev, double t) {
    for (int k = 0; k < ev->system->nhybrid; k++) {
        const ln_instance *instance = ln_hybrid_instance(ev->system, k);
        const size_t first = (size_t)instance->first_memory,
                     count = (size_t)instance->block.type->nmemories;
        if (memcmp(ev->m_next + first, ev->system->memory + first, count * sizeof(double)) == 0)
            continue;
        return ln_fail(ev->report, LINNET_FAILED, instance->place,
                       "%s (%s): at t = %.9g s what it sets depends on itself at the same instant, "
                       "through other blocks; "
                       "put a unit-delay into that loop",
                       instance->name, instance->block.type->name, t);
    }
    return LINNET_OK;
}

static void note_fired(const ln_events *ev, ln_event_outcome *outcome) {
    for (int k = 0; k < ev->system->nevents; k++) {
        const linnet_event *event;
        if (!ev->fired[k])
            continue;
        const ln_instance *by = ln_event_owner(ev->system, k, &event);
        ev->acted[ln_hybrid_index(ev->system, by)] = 1;
        outcome->only_ticks &= (event->flags & LINNET_TICK) != 0;
        if (!(event->flags & (LINNET_ENDS | LINNET_FAILS)) || outcome->ends != NULL)
            continue;
        outcome->ends = event;
        outcome->by = by;
    }
}

/* Events that join the round, since what has acted in it turned their condition true; returns how
 * many. */
static int join_events(ln_events *ev, const ln_moment *moment, ln_event_outcome *outcome) {
    const int only_ticks = outcome->only_ticks; /* what joins a tick belongs to it */
    int joined = 0;
    ln_system_conditions(ev->system, moment, ev->is_true);
    for (int k = 0; k < ev->system->nevents; k++) {
        const linnet_event *event;
        if (!ev->is_true[k] || ev->was_true[k] || ev->fired[k])
            continue;
        (void)ln_event_owner(ev->system, k, &event);
        if (!(event->flags & LINNET_JOINS))
            continue;
        ev->fired[k] = ev->was_true[k] = 1;
        ev->last_event = k;
        joined++;
    }
    if (joined > 0)
        note_fired(ev, outcome);
    outcome->only_ticks = only_ticks;
    return joined;
}

/* A memory that has changed already in this round and now moves by no more than rounding stands
 * still: the algebra between blocks is solved anew for each pass, and may come out differently in
 * its last digits. */
static int stands(const ln_events *ev, int k, int pass) {
    double move = fabs(ev->m_next[k] - ev->system->memory[k]);
    double size = fmax(fabs(ev->m_next[k]), ev->m_peak[k]);
    return move == 0 || (ev->changed_in_round[k] &&
                         move <= (pass < PATIENT_PASSES ? SETTLED : ROUGHLY_SETTLED) * size);
}

/* Takes over what has been set; returns whether that is news to anybody. */
static int take_memories(ln_events *ev, int pass) {
    int news = 0;
    for (int k = 0; k < ev->system->network->nmemories; k++) {
        const double next = ev->m_next[k];
        if (memcmp(&next, &ev->system->memory[k], sizeof next) == 0)
            continue;
        news |= !stands(ev, k, pass);
        ev->changed_in_round[k] = 1;
        if (isfinite(next))
            ev->m_peak[k] = fmax(ev->m_peak[k], fabs(next));
        ev->system->memory[k] = next;
    }
    return news;
}

/* Which of the fired events have set states: those of the blocks that did. */
static void note_setters(ln_events *ev) {
    for (int k = 0; k < ev->system->nevents; k++) {
        const linnet_event *event;
        if (ev->fired[k])
            ev->sets_states[k] = ev->instance_sets[ln_hybrid_index(
                ev->system, ln_event_owner(ev->system, k, &event))];
    }
}

/* The algebra anew with what has been set. *same: it has come to where it was in the pass before,
 * up to what rounding makes of its unknowns; what blocks make of them may differ by more (an error
 * of 0.1 K between two temperatures, a sum of gains that cancel), and is no news. */
static linnet_status solve_again(ln_events *ev, ln_side side, double *x, int pass, int *changed,
                                 int *same) {
    memcpy(ev->x_pass, x, (size_t)ev->system->n * sizeof *x);
    LN_TRY(ln_agree_modes(ev, side, NULL, x, 1, changed));
    const double *noise = pass >= FIRST_ALIKE && ev->algebra.noise != NULL
                              ? ev->algebra.noise(ev->algebra.context, &(ln_moment){side, x})
                              : NULL;
    *same = noise != NULL;
    for (int i = 0; *same && i < ev->system->n; i++)
        *same = fabs(x[i] - ev->x_pass[i]) <= noise[i];
    return LINNET_OK;
}

/* The fired events act until their data has flowed everywhere, then the states they set are taken.
 */
static linnet_status act(ln_events *ev, ln_side side, double *x, int *changed,
                         ln_event_outcome *outcome) {
    ln_system *system = ev->system;
    const ln_before_event previous = {ev->x_before, ev->m_before, ev->m_round};
    const ln_moment moment = {side, x};
    int set = 0, same = 0;
    memset(ev->changed_in_round, 0, (size_t)system->network->nmemories);
    for (int pass = 0;; pass++) {
        set = ln_system_act(system, &moment, &previous, ev->fired,
                            &(ln_after_event){ev->m_next, ev->x_set, ev->instance_sets});
        if (pass == MOST_PASSES)
            return report_memory_loop(ev, side.t);
        if (!take_memories(ev, pass) || same) {
            if (!ev->any_joins || join_events(ev, &moment, outcome) == 0)
                break;
            pass = same = 0;
            continue;
        }
        *changed = 1;
        LN_TRY(solve_again(ev, side, x, pass, changed, &same));
    }
    note_setters(ev);
    ln_saltation_act(ev, &moment, &previous);
    if (!set)
        return LINNET_OK;
    *changed = 1;
    memcpy(x, ev->x_set, (size_t)system->n * sizeof *x);
    return ln_agree_modes(ev, side, ev->x_set, x, 1, changed);
}

/* Which conditions have turned true since the last call, into ev->fired; returns how many, and
 * remembers the conditions and the last event. */
static int take_fired(ln_events *ev, const ln_moment *moment) {
    int fired = 0;
    ln_system_conditions(ev->system, moment, ev->is_true);
    for (int k = 0; k < ev->system->nevents; k++) {
        ev->fired[k] = ev->is_true[k] && !ev->was_true[k];
        if (ev->fired[k])
            ev->last_event = k;
        if (ev->was_true[k] && !ev->is_true[k])
            ev->held_for[k] = moment->side.t - ev->fired_at[k];
        fired += ev->fired[k];
    }
    memcpy(ev->was_true, ev->is_true, (size_t)ev->system->nevents);
    return fired;
}

/* What an instant begins with; returns how many events fire. Where x solves the algebra already,
 * they are told by x as it is: solved anew, it could come out on the other side of the crossing
 * that was located, and nothing would happen there. */
static linnet_status begin(ln_events *ev, ln_side side, double *x, int *changed, int *fired) {
    const ln_moment moment = {side, x};
    int decided = ev->x_is_consistent
                      ? ln_system_decide_modes(ev->system, &moment, NULL, &ev->last_guard)
                      : 0;
    *changed = decided > 0;
    *fired = ev->x_is_consistent ? take_fired(ev, &moment) : 0;
    if (*fired > 0)
        return LINNET_OK;
    /* time conditions on the right side */
    LN_TRY(ln_agree_modes(ev, side, NULL, x, !ev->x_is_consistent || decided > 0, changed));
    *fired = take_fired(ev, &moment);
    return LINNET_OK;
}

static linnet_status report_zeno(const ln_events *ev, int k, double t) {
    const linnet_event *event;
    const ln_instance *owner = ln_event_owner(ev->system, k, &event);
    return ln_fail(ev->report, LINNET_FAILED, owner->place,
                   "%s (%s): %ld events that come ever closer end at t = %.12g s (Zeno; %s); add a "
                   "threshold below which it rests",
                   owner->name, owner->block.type->name, ev->shrinking[k] + 2, t, event->name);
}

/* Does the condition hold until other events end it, as a friction's that rests? */
static int is_decided(const ln_events *ev, int k) {
    const linnet_event *event;
    (void)ln_event_owner(ev->system, k, &event);
    return (event->flags & LINNET_DECIDED) != 0;
}

/* Zeno is told of an event that sets states where (1) its last gap was shorter than the one before;
 * (2) in this series its condition was released at once after each firing, within AT_ONCE of the
 * gap, as by a ball that bounces; and (3) it has now been true for HELD_GAPS such gaps: the last
 * bounce was too low to be seen. A condition that is released later is so by something else (a
 * pulse that resets an integrator) and may stay true for as long as it likes. AT_ONCE is chosen:
 * the crossing of a ball is located to 1e-12 of a step, and only the last bounces are shorter than
 * a thousand such overshoots. Hence (4) the next gap would lie within a step, or be as short a part
 * of the first one: a pendulum in dry friction swings ever faster, and may rest. */
linnet_status ln_events_check_zeno(const ln_events *ev, double t) {
    enum { LEAST_SHRINKING = 1, HELD_GAPS = 2 };
    static const double AT_ONCE = 1e-3;
    for (int k = 0; k < ev->system->nevents; k++)
        if (ev->shrinking[k] >= LEAST_SHRINKING && ev->was_true[k] && ev->sets_states[k] &&
            ev->least_held[k] <= AT_ONCE && !is_decided(ev, k) &&
            ev->next_gap[k] <= fmax(ev->led_by[k], AT_ONCE * ev->first_gap[k]) &&
            t - ev->fired_at[k] > HELD_GAPS * ev->gap[k])
            return report_zeno(ev, k, ev->fired_at[k]);
    return LINNET_OK;
}

/* How the firings of each event follow each other, after a round of the instant t; a second one
 * within it is none of the series. */
static void note_series(ln_events *ev, double t) {
    /* gaps that shrink by less are those of a period, by the rounding of times */
    static const double PERIODIC = 1 - 1e-6;
    for (int k = 0; k < ev->system->nevents; k++) {
        const linnet_event *event;
        if (!ev->fired[k] || ev->fired_at[k] >= t)
            continue;
        (void)ln_event_owner(ev->system, k, &event);
        const double interval = t - ev->fired_at[k], ratio = interval / ev->gap[k];
        const int shrinks = ratio > 0 && ratio < PERIODIC && !(event->flags & LINNET_TICK);
        const double share = ev->held_for[k] / interval;
        ev->least_held[k] = shrinks ? fmin(ev->least_held[k], share) : share;
        ev->shrinking[k] = shrinks ? ev->shrinking[k] + 1 : 0;
        ev->first_gap[k] = shrinks ? ev->first_gap[k] : interval;
        ev->led_by[k] = ev->step;
        ev->next_gap[k] = interval * ratio;
        ev->fired_at[k] = t;
        ev->gap[k] = interval;
    }
}

double ln_events_soonest(const ln_events *ev) {
    double soonest = INFINITY;
    for (int k = 0; k < ev->system->nevents; k++)
        if (ev->latest == ev->fired_at[k] && isfinite(ev->gap[k]))
            soonest = fmin(soonest, fmin(ev->gap[k], ev->next_gap[k]));
    return soonest;
}

/* Events that come ever closer have a limit (Zeno), beyond which their times have no meaning. The
 * run ends before it where the condition still holds after they have acted: once the next one would
 * lie so near that it cannot be told from this one, a state that they keep above a bound would pass
 * through it. The series is taken as geometric, as that of a ball that bounces. */
static linnet_status check_series(const ln_events *ev, double t) {
    /* times the resolution: a bounce shorter than 4 is lost, and 16 is on the safe side */
    static const double INDISTINCT = 16;
    const double resolved = fmax(ev->resolution, 4 * DBL_EPSILON * fabs(t));
    for (int k = 0; k < ev->system->nevents; k++)
        if (ev->shrinking[k] > 0 && ev->was_true[k] && ev->fired_at[k] == t && ev->sets_states[k] &&
            !is_decided(ev, k) && ev->next_gap[k] <= INDISTINCT * resolved)
            return report_zeno(ev, k, t);
    return LINNET_OK;
}

/* Counts an instant at which something happened. Too many in no time end the run. */
static linnet_status count_instant(ln_events *ev, double t) {
    ev->count++;
    if (t > ev->window_begin + NO_TIME * ev->span) {
        ev->window_begin = t;
        ev->in_window = 0;
    }
    if (++ev->in_window <= ev->instant_limit)
        return LINNET_OK;
    const linnet_event *event = NULL;
    const ln_instance *instance = ev->last_event >= 0
                                      ? ln_event_owner(ev->system, ev->last_event, &event)
                                      : ln_guard_owner(ev->system, ev->last_guard);
    const ln_mode_search *search = &ev->search;
    char none[80] = "";
    if (search->dead_end >= 0 && ev->crossed_at[search->dead_end] >= ev->window_begin)
        snprintf(none, sizeof none, " (none of the %d combinations of branches leads on)",
                 1 << search->tried);
    return ln_fail(ev->report, LINNET_FAILED, instance->place,
                   "%s (%s): %ld events from t = %.12g s to %.12g s without progress%s%s%s; it "
                   "chatters%s, or its events "
                   "come ever closer (Zeno): add a hysteresis or a threshold below which it rests",
                   instance->name, instance->block.type->name, ev->in_window, ev->window_begin, t,
                   event != NULL ? " (last: " : "", event != NULL ? event->name : "",
                   event != NULL ? ")" : "", none);
}

static linnet_status report_endless_rounds(const ln_events *ev, double t) {
    const linnet_event *event;
    const ln_instance *instance = ln_event_owner(ev->system, ev->last_event, &event);
    return ln_fail(ev->report, LINNET_FAILED, instance->place,
                   "%s (%s): events at t = %.9g s trigger each other without end (%d "
                   "rounds; last: %s); break that circle",
                   instance->name, instance->block.type->name, t, MOST_ROUNDS, event->name);
}

/* By more than the solver's rounding. */
static int has_moved(const ln_events *ev, const double *x) {
    for (int i = 0; i < ev->system->n; i++)
        if (fabs(x[i] - ev->x_before[i]) > 1e-9 * fabs(x[i]) + 1e-6 * ev->system->abstol[i])
            return 1;
    return 0;
}

/* Whose memories are others than before the instant. */
static void note_changed(ln_events *ev) {
    const ln_system *system = ev->system;
    for (int k = 0; k < system->nhybrid; k++) {
        const ln_instance *instance = ln_hybrid_instance(system, k);
        const size_t first = (size_t)instance->first_memory,
                     count = (size_t)instance->block.type->nmemories;
        ev->acted[k] |=
            memcmp(ev->m_before + first, system->memory + first, count * sizeof(double)) != 0;
    }
}

/* At the instant t. */
static void note_crossing(ln_events *ev, size_t k, double t) {
    static const double NEAR = 100; /* resolutions of crossings; a step between takes several */
    const double resolved = fmax(ev->resolution, 4 * DBL_EPSILON * fabs(t));
    ev->crossings[k] = t - ev->crossed_at[k] <= NEAR * resolved ? ev->crossings[k] + 1 : 1;
    ev->crossed_at[k] = t;
}

/* Guards whose mode has changed are in noise again, and those crossed in vain (no event acted). */
static void note_changed_modes(ln_events *ev, int acted, double t) {
    const size_t count = (size_t)ev->system->nguards;
    char *changed = ev->pivots;
    memset(changed, 0, count);
    ln_system_note_changed_modes(ev->system, ev->m_before, changed);
    for (size_t k = 0; k < count; k++) {
        const int stays = ev->crossed[k] && !changed[k] && !acted;
        if (changed[k] || ev->crossed[k])
            note_crossing(ev, k, t);
        ev->crossed[k] = 0;
        if (!changed[k] && !stays)
            continue;
        ev->in_noise[k] = 1;
        ev->mode_stayed[k] = (char)stays;
    }
}

linnet_status ln_events_iterate(ln_events *ev, ln_side side, double *x, ln_event_outcome *outcome) {
    ln_system *system = ev->system;
    const size_t memories = (size_t)system->network->nmemories * sizeof(double);
    const ln_moment moment = {side, x};
    int changed, fired, round = 0;
    *outcome = (ln_event_outcome){.only_ticks = 1};
    ev->last_event = -1; /* modes alone may chatter, long after an event */
    memcpy(ev->x_before, x, (size_t)system->n * sizeof *x);
    memcpy(ev->m_before, system->memory, memories);
    memset(ev->acted, 0, (size_t)system->nhybrid);
    LN_TRY(begin(ev, side, x, &changed, &fired));
    outcome->moved = has_moved(ev, x);
    outcome->only_ticks = !changed && !outcome->moved;
    ev->latest = side.t;
    for (; fired > 0; round++, fired = take_fired(ev, &moment)) {
        if (round == MOST_ROUNDS)
            return report_endless_rounds(ev, side.t);
        memcpy(ev->m_round, system->memory, memories);
        note_fired(ev, outcome);
        LN_TRY(act(ev, side, x, &changed, outcome));
        note_series(ev, side.t);
        changed = 1;
    }
    note_changed(ev);
    note_changed_modes(ev, round > 0, side.t);
    LN_TRY(check_series(ev, side.t));
    if (changed)
        outcome->moved = has_moved(ev, x); /* what came back within the instant has not jumped */
    outcome->changed = changed;
    return changed ? count_instant(ev, side.t) : LINNET_OK;
}

linnet_status ln_events_start(ln_events *ev, ln_side side, double *x) {
    int changed = 0;
    memcpy(ev->x_before, x, (size_t)ev->system->n * sizeof *x);
    LN_TRY(ln_agree_modes(ev, side, NULL, x, 0, &changed));
    const ln_moment moment = {side, x};
    ln_system_conditions(ev->system, &moment, ev->was_true);
    for (int k = 0; k < ev->system->nevents; k++) {
        const linnet_event *event;
        (void)ln_event_owner(ev->system, k, &event);
        if (event->flags & LINNET_TICK)
            ev->was_true[k] = 0;
    }
    return LINNET_OK;
}

linnet_status ln_end_run_by_event(const ln_event_outcome *outcome, double t,
                                  ln_statistics *statistics, ln_report *report) {
    const ln_instance *by = outcome->by;
    if (outcome->ends->flags & LINNET_FAILS)
        return ln_fail(report, LINNET_FAILED, by->place, "%s (%s): %s (at t = %.9g s)", by->name,
                       by->block.type->name, outcome->ends->message, t);
    snprintf(statistics->ended, sizeof statistics->ended, "%s: %s", by->name,
             outcome->ends->message);
    return LINNET_OK;
}
