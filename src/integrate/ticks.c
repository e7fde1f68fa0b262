/* SPDX-License-Identifier: MIT */
/* The events of an instant with the solver of consistent points for their algebra. */
#include "integrate/ticks.h"

#include "integrate/start.h"
#include "system/active.h"
#include <math.h>
#include <string.h>

/* s: a block whose clock is an input has a longer period, and no clock of its own */
static const double NEVER = 1e100;

struct ln_ticking {
    ln_arena *arena;
    ln_system *system;
    ln_report *report;
    ln_consistency_solver consistency;
    ln_events events;
    double *q; /* what is stored at the instant */
};

static int solve_algebra(void *context, ln_side side, const double *set, double *x) {
    ln_ticking *ticking = context;
    return ln_consistency_keep(&ticking->consistency, side, set, ticking->q, x);
}

static linnet_status report_unsolved(void *context) {
    ln_ticking *ticking = context;
    if (ticking->consistency.outcome == LN_NEWTON_MEMORY)
        return ln_no_memory(ticking->report);
    return ln_fail(ticking->report, LINNET_FAILED, LN_NOWHERE,
                   "what the samples set leads to no consistent point");
}

static linnet_status begin(ln_ticking *ticking, const ln_settings *settings, double t,
                           const double *x) {
    double *work = LN_NEW(ticking->arena, double, ticking->system->n);
    ticking->q = LN_NEW(ticking->arena, double, ticking->system->n);
    if (work == NULL || ticking->q == NULL)
        return LINNET_MEMORY;
    LN_TRY(ln_consistency_init(&ticking->consistency, ticking->system, settings->linear,
                               ln_side_left(t, 0), x, ticking->report));
    if (ticking->consistency.refused)
        return ln_fail(ticking->report, LINNET_FAILED, LN_NOWHERE,
                       "a block has no value at the point where samples are to be taken");
    LN_TRY(ln_events_init(&ticking->events, ticking->system, ticking->arena, settings,
                          ticking->report));
    ticking->events.algebra = (ln_algebra_solver){ticking, solve_algebra, report_unsolved, NULL};
    /* the time does not go on here: many instants in no time are no chattering */
    ticking->events.instant_limit = 1000000000;
    memcpy(work, x, (size_t)ticking->system->n * sizeof *x);
    return ln_events_start(&ticking->events, ln_side_left(t, 0), work);
}

linnet_status ln_ticking_new(ln_system *system, const ln_settings *settings, double t,
                             const double *x, ln_report *report_to, ln_ticking **ticking) {
    ln_arena *arena = ln_arena_new();
    ln_ticking *clock = arena != NULL ? LN_NEW(arena, ln_ticking, 1) : NULL;
    *ticking = clock;
    if (clock == NULL) {
        ln_arena_free(arena);
        return ln_no_memory(report_to);
    }
    *clock = (ln_ticking){.arena = arena, .system = system, .report = report_to};
    linnet_status status = begin(clock, settings, t, x);
    return status == LINNET_MEMORY ? ln_no_memory(report_to) : status;
}

void ln_ticking_free(ln_ticking *ticking) {
    if (ticking == NULL)
        return;
    ln_consistency_free(&ticking->consistency);
    ln_arena_free(ticking->arena);
}

double ln_tick_from(const ln_system *system, int instance, double t) {
    const ln_instance *block = ln_hybrid_instance(system, instance);
    const linnet_block_class *type = block->block.type;
    int ticks = 0;
    for (int k = 0; k < type->nevents; k++)
        ticks |= (type->events[k].flags & LINNET_TICK) != 0;
    if (!ticks || type->next_breakpoint == NULL)
        return INFINITY;
    const double next = type->next_breakpoint(&block->block, nextafter(t, -INFINITY),
                                              ln_memories_of(system, block));
    return next < NEVER ? next : INFINITY;
}

linnet_status ln_ticking_pass(ln_ticking *ticking, double t, double *x) {
    const ln_side left = ln_side_left(t, 0), right = ln_side_right(t, 0);
    ln_event_outcome outcome;
    if (ln_system_q(ticking->system, left, x, ticking->q) != LINNET_OK)
        return report_unsolved(ticking);
    /* what varied memories do before the instant */
    if (!solve_algebra(ticking, left, NULL, x))
        return report_unsolved(ticking);
    return ln_events_iterate(&ticking->events, right, x, &outcome);
}

char *ln_ticking_held(ln_ticking *ticking) {
    return ticking->events.was_true;
}
