/* SPDX-License-Identifier: MIT */
/* What happens at an instant: conditionals take other branches, events act, and act on each other.
 *
 * An instant is a sequence of rounds. In each, all events whose condition has turned true since the
 * round before fire together. They read their own memories and states as before the round, and
 * signals of other blocks as they follow from all memories set in this round: acting is repeated
 * until nothing changes any more, so that data flows through any number of discrete blocks without
 * delay and without regard to their order. Then the states they set take effect, and the next round
 * begins. Around everything that changes, modes are decided anew and the algebra is solved again.
 *
 * What can go wrong ends the run by name: memories that chase each other (a loop of discrete blocks
 * without delay), branches of which none is consistent, rounds without end, and instants without
 * end in no time (Zeno, chattering). */
#ifndef LN_INTEGRATE_EVENT_ITERATION_H
#define LN_INTEGRATE_EVENT_ITERATION_H

#include "integrate/integrate.h"
#include "system/hybrid.h"

/* What the instant needs of whoever integrates. */
typedef struct ln_algebra_solver {
    void *context;
    /* Makes x (n values) satisfy the algebra at `side` with the memories as they are. The states
     * stay, or become those of `set` (n values) if it is not NULL. 1 on success; else 0, to be told
     * by report(). */
    int (*solve)(void *context, ln_side side, const double *set, double *x);
    linnet_status (*report)(void *context);
    /* What rounding makes of the unknowns at a moment (n values), NULL: it is not known; or NULL */
    const double *(*noise)(void *context, const ln_moment *moment);
} ln_algebra_solver;

/* Work of the search for modes that agree with the algebra (complementarity.c). */
typedef struct ln_mode_search {
    /* per guard: its mode at the start, now, in the best solution; as pivots have left it */
    double *before, *trial, *best, *stays;
    double *x_best, *x_stays; /* n: the best solution; that of the pivots */
    int away;                 /* a guard that must not be zero within rounding; -1: none */
    int dead_end;       /* the last guard beyond which no combination of modes led; -1: none */
    int tried;          /* how many conditionals had all their combinations tried there */
    char *unfit;        /* per guard: its mode did not fit at some point */
    double least_moved; /* of the solutions so far, by movement(); INFINITY: none */
    int unsolved;       /* combinations of modes at which the algebra had no solution */
} ln_mode_search;

typedef struct ln_events {
    ln_system *system;
    ln_algebra_solver algebra;
    ln_report *report;
    /* per event: its condition was true before, is true now; it fires in this round */
    char *was_true, *is_true, *fired;
    /* per guard: its mode is to change (complementarity.c); also work of note_changed_modes() */
    char *pivots;
    /* per hybrid instance: an event of it has fired at the last instant, or a memory of it changed;
     * ln_events_iterate() clears it */
    char *acted;
    ln_mode_search search;
    struct ln_saltation *saltation;     /* NULL: no errors are carried (saltation.h) */
    double *guard, *guard_peak, *noise; /* per guard: now; the largest |guard| seen; work */
    /* per guard. in_noise: within noise of zero since its mode last changed, so that its sign
     * does not count; crossed: located at this instant; mode_stayed: crossed, but its mode did not
     * change because the overshoot was noise */
    char *in_noise, *crossed, *mode_stayed;
    double *m_before, *m_round, *m_next; /* per memory */
    /* per memory: the largest it was set to; changed in this round */
    double *m_peak;
    char *changed_in_round;
    /* per guard: how often in a row it has been crossed, or its mode has changed, at times as near
     * as their resolution; when last, s */
    int *crossings;
    double *crossed_at;
    double *x_before, *x_set, *x_pass; /* n each; x_pass: as a pass of act() found it */
    long count;                        /* instants at which something happened */
    long instant_limit;                /* so many of them in no time fail the run */
    long in_window;                    /* of them since window_begin, s */
    double window_begin;
    double span; /* of the run, s */
    double step; /* s: that led to the instant at hand, as long as the method took it */
    /* per event, s: when it fired last; how long after the time before; the gap from which on they
     * come closer; the step that led to it; how long after it the next firing would come, were the
     * series geometric */
    double *fired_at, *gap, *first_gap, *led_by, *next_gap;
    long *shrinking; /* per event: how often in a row a firing came sooner than the one before */
    /* per event, s: for how long its condition held when it was released last; and, in a series
     * that comes closer, the least part of a gap for which it held */
    double *held_for, *least_held;
    char *instance_sets; /* per hybrid instance: events have set states of it in this round */
    char *sets_states;   /* per event: its last firing has set states of its block */
    double latest;       /* s: of the instants */
    double resolution;   /* s: how well the last crossing is located, set by the root finder */
    /* x solves the algebra as an instant begins: not to be solved anew, which would cost the digits
     * by which a crossing was told (10 uOhm make 2e-9 A of the rounding of 7 V) */
    int x_is_consistent;
    int any_joins;              /* some event joins those that turned its condition true */
    int last_guard, last_event; /* what happened last, the event in this instant; -1 nothing */
} ln_events;

/* What an instant has done. */
typedef struct ln_event_outcome {
    int changed; /* a memory, mode or state has changed */
    /* nothing but ticks has acted: no other event, and before them neither a mode nor an unknown
     * had changed */
    int only_ticks;
    int moved; /* unknowns have jumped */
    /* an event that ends the run (LINNET_ENDS or LINNET_FAILS), or NULL */
    const linnet_event *ends;
    const ln_instance *by; /* its block */
} ln_event_outcome;

/* For a system with hybrid instances; memory from the arena. LINNET_MEMORY is not reported. */
linnet_status ln_events_init(ln_events *events, ln_system *system, ln_arena *arena,
                             const ln_settings *settings, ln_report *report);

/* The start: x is consistent; decides modes and what counts as true from the start on.
 * LINNET_FAILED is reported. */
linnet_status ln_events_start(ln_events *events, ln_side side, double *x);

/* The instant t, in x the unknowns before it. side: right of the instant, before any later
 * breakpoint. x becomes what they are after it. events->m_before and x_before keep what was before.
 * Failures are reported. */
linnet_status ln_events_iterate(ln_events *events, ln_side side, double *x,
                                ln_event_outcome *outcome);

/* After a step to t, before anything of it is recorded: LINNET_FAILED, reported, where the
 * firings of an event have come ever closer (Zeno) and its condition is no longer released, so that
 * a state has passed through the bound it was kept at. */
linnet_status ln_events_check_zeno(const ln_events *events, double t);

/* How long after the instant just passed one of the events that fired there is likely to fire
 * again, as their last two intervals tell; 0: it has fired once before, INFINITY: never. */
double ln_events_soonest(const ln_events *events);

/* The run ends by outcome->ends: what the statistics say of it, or LINNET_FAILED, reported. */
linnet_status ln_end_run_by_event(const ln_event_outcome *outcome, double t,
                                  ln_statistics *statistics, ln_report *report);

#endif
