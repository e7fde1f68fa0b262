/* SPDX-License-Identifier: MIT */
/* The events of an instant with the solver of consistent points for their algebra. */
#include "integrate/ticks.h"

#include "integrate/start.h"
#include "system/active.h"
#include <math.h>
#include <string.h>

static const double NEVER = 1e100; /* a block with a clock at its input has a period of its own that is longer        */

struct ln_ticking {
    ln_arena *arena;
    ln_system *system;
    ln_report *report;
    ln_consistent solver;
    ln_events events;
    double *q;                     /* what is stored at the instant                                                   */
};

static int settle(void *context, double t, double decide, const double *set, double *x) {
    ln_ticking *it = context;
    const size_t bytes = (size_t)it->system->n * sizeof *x;
    const double *from = set != NULL ? set : x;
    const char *means;
    if (set != NULL) {
        ln_matrix_apply(&it->system->E, from, it->q);
        if (!it->system->linear_q &&
            ln_system_eval(it->system, t, decide, from, LN_LIMIT_OFF, it->q, NULL, NULL) != LINNET_OK)
            return 0;
        memmove(x, set, bytes);
    }
    memcpy(it->solver.q_star, it->q, bytes);
    return ln_consistent_solve(&it->solver, t, decide, x, &means);
}

static linnet_status report(void *context) {
    ln_ticking *it = context;
    return ln_fail(it->report, LINNET_FAILED, LN_NOWHERE, "what the samples set leads to no consistent point");
}

static linnet_status begin(ln_ticking *it, const ln_settings *settings, double t, const double *x) {
    double *work = LN_NEW(it->arena, double, it->system->n);
    it->q = LN_NEW(it->arena, double, it->system->n);
    if (work == NULL || it->q == NULL) return LINNET_MEMORY;
    LN_TRY(ln_consistent_init(&it->solver, it->system, settings->linear, t, t, x, it->report));
    if (it->solver.transform == NULL)
        return ln_fail(it->report, LINNET_FAILED, LN_NOWHERE, "the index of the model is above 1: it cannot be sampled");
    LN_TRY(ln_events_init(&it->events, it->system, it->arena, settings, it->report));
    it->events.settler = (ln_settler){it, settle, report};
    it->events.most = 1000000000; /* time stands still here: many instants in no time are no chattering */
    memcpy(work, x, (size_t)it->system->n * sizeof *x);
    return ln_events_start(&it->events, t, t, work);
}

linnet_status ln_ticking_new(ln_system *system, const ln_settings *settings, double t, const double *x, ln_report *report_to,
                             ln_ticking **ticking) {
    ln_arena *arena = ln_arena_new();
    ln_ticking *it = arena != NULL ? LN_NEW(arena, ln_ticking, 1) : NULL;
    *ticking = it;
    if (it == NULL) {
        ln_arena_free(arena);
        return ln_no_memory(report_to);
    }
    *it = (ln_ticking){.arena = arena, .system = system, .report = report_to};
    linnet_status status = begin(it, settings, t, x);
    return status == LINNET_MEMORY ? ln_no_memory(report_to) : status;
}

void ln_ticking_free(ln_ticking *it) {
    if (it == NULL) return;
    ln_consistent_free(&it->solver);
    ln_arena_free(it->arena);
}

double ln_ticking_next(const ln_ticking *it, int instance, double t) {
    const ln_instance *block = ln_hybrid_instance(it->system, instance);
    const linnet_block_class *type = block->block.type;
    int ticks = 0;
    for (int k = 0; k < type->nevents; k++) ticks |= (type->events[k].flags & LINNET_TICK) != 0;
    if (!ticks || type->next_break == NULL) return INFINITY;
    const double next = type->next_break(&block->block, nextafter(t, -INFINITY), ln_memories_of(it->system, block));
    return next < NEVER ? next : INFINITY;
}

linnet_status ln_ticking_pass(ln_ticking *it, double t, double *x) {
    const double decide = t + 1e-12 * fmax(fabs(t), 1e-3);
    ln_happened happened;
    ln_matrix_apply(&it->system->E, x, it->q);
    if (!it->system->linear_q && ln_system_eval(it->system, t, t, x, LN_LIMIT_OFF, it->q, NULL, NULL) != LINNET_OK)
        return report(it);
    if (!settle(it, t, t, NULL, x)) return report(it); /* what varied memories do before the instant */
    return ln_events_instant(&it->events, t, decide, x, &happened);
}

char *ln_ticking_held(ln_ticking *it) { return it->events.held; }
