/* SPDX-License-Identifier: MIT */
/* The breakpoints of delays: which inputs an instant breaks, how sharply, and when that comes back.
 * A break matters where a way of links leads from what breaks, and nowhere else: a network of
 * delays in which each break is one of all signals has as many of them as there are sums of lags.
 */
#include "system/delay_line.h"

#include "system/active.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Is the breakpoint due at t, or overdue? */
static int is_due(const returning_break *back, double lag, double t) {
    return !(back->t > t + LN_SAME_LAG * lag);
}

/* The order of what comes back: 1 (a kink) where the samples by now show a jump of the slope that
 * adds up to more than the tolerance over one lag; else the order it was recorded with. Jumps are
 * seen when they are recorded. */
static int order_of(const ln_delays *delays, const delay_line *delay, const returning_break *back) {
    if (back->order <= 1 || !(delays->tolerance > 0))
        return back->order;
    const double jump = ln_history_slope_jump(&delay->history, back->t - delay->lag);
    return fabs(jump) * delay->lag > delays->tolerance * delay->history.peak ? 1 : back->order;
}

/* ---- what an instant breaks ---- */

/* May a break that comes from the block reach the inputs of its delays inside of it: by time, by
 * memories, by its own unknowns, by another of its delays, by a physical port, or by an output that
 * they read? That of a transport delay does not. */
static int breaks_itself(const linnet_block_class *type) {
    int physical = 0, reads_output = 0;
    for (int k = 0; k < type->nports; k++)
        physical |= type->ports[k].domain != LINNET_SIGNAL;
    for (int k = 0; k < type->nentries; k++) {
        const linnet_entry *entry = &type->entries[k];
        reads_output |= entry->change == LINNET_STATE && entry->col < type->nports &&
                        (type->ports[entry->col].flags & LINNET_OUTPUT) != 0;
    }
    return physical || reads_output || type->next_breakpoint != NULL || type->nvars > 0 ||
           type->ndelays > 1 || type->nmemories > LN_DELAY_OUTPUTS * type->ndelays;
}

int ln_delays_init_breaks(ln_delay_breaks *breaks, const ln_system *system) {
    const int n = system->network->ninstances;
    breaks->origin = LN_NEW(system->arena, char, n);
    breaks->acts = LN_NEW(system->arena, char, n);
    breaks->order = LN_NEW(system->arena, char, system->nhybrid);
    breaks->own_order = LN_NEW(system->arena, char, system->nhybrid);
    breaks->by_self = LN_NEW(system->arena, char, system->nhybrid);
    breaks->source = LN_NEW(system->arena, char, system->nsources);
    if (!breaks->source || !breaks->origin || !breaks->acts || !breaks->order ||
        !breaks->own_order || !breaks->by_self ||
        !ln_touched_init(&breaks->touched, system, system->arena))
        return 0;
    for (int index = 0; index < system->nhybrid; index++)
        breaks->by_self[index] = (char)breaks_itself(system->hybrid[index].instance->block.type);
    return 1;
}

ln_point_kind ln_delays_classify_point(const ln_system *system, double t, double same,
                                       int crossed) {
    if (system->delays == NULL)
        return LN_STEP_END;
    int some = 0;
    for (int k = 0; k < system->nsources; k++) {
        const int breaks = ln_source_next_break(system, k, t - 2 * same) <= t + 2 * same;
        some |= breaks;
        system->delays->breaks.source[k] = (char)breaks;
    }
    return some ? LN_SOURCE_BREAK : crossed ? LN_CROSSED_GUARD : LN_RETURNED_BREAK;
}

/* By what its delays give back at t the instance drives with a break one order smoother than this:
 * what enters an integrator with a jump leaves it with a kink. Equations without an integrator on
 * the way (neutral ones, lines between resistances) hand jumps on as jumps, which accept() sees by
 * the jump itself, and kinks as kinks, which stand in the past when they come back. */
static int given_back(const ln_delays *delays, int index, int count, double t) {
    int order = LN_SMOOTH_ORDER;
    for (int k = delays->first[index]; k < delays->first[index] + count; k++) {
        const delay_line *delay = &delays->all[k];
        order = ln_smaller_order(order, delay->crossed_order);
        for (size_t i = 0; i < delay->nbreakpoints; i++)
            if (is_due(&delay->breakpoints[i], delay->lag, t))
                order = ln_smaller_order(order, order_of(delays, delay, &delay->breakpoints[i]));
    }
    return order;
}

/* Where breaks come from: sources with a corner or jump, what has acted, what comes back. Returns
 * 0 where nothing is known to break. */
static int find_origins(ln_system *system, double t, ln_point_kind what, const char *acted) {
    const ln_delays *delays = system->delays;
    const ln_network *network = system->network;
    char *origin = delays->breaks.origin;
    int some = 0;
    memset(origin, LN_SMOOTH_ORDER, (size_t)network->ninstances);
    for (int index = 0; index < system->nhybrid; index++) {
        const ln_instance *instance = system->hybrid[index].instance;
        const int back = given_back(delays, index, instance->block.type->ndelays, t);
        if (back < LN_SMOOTH_ORDER)
            origin[instance - network->instances] = (char)(back + 1);
        else if (acted[index])
            origin[instance - network->instances] = 1;
        some |= back < LN_SMOOTH_ORDER || acted[index];
    }
    for (int k = 0; what == LN_SOURCE_BREAK && k < system->nsources; k++)
        if (delays->breaks.source[k])
            origin[system->sources[k].instance - network->instances] = 1;
    return some || what == LN_SOURCE_BREAK;
}

void ln_delays_find_orders(ln_system *system, double t, ln_point_kind what, const char *acted) {
    ln_delay_breaks *breaks = &system->delays->breaks;
    const ln_network *network = system->network;
    /* the user has changed something in a pause: all may break */
    const int all = !find_origins(system, t, what, acted) && what == LN_RETURNED_BREAK;
    memset(breaks->order, all ? 1 : LN_SMOOTH_ORDER, (size_t)system->nhybrid);
    memset(breaks->own_order, LN_SMOOTH_ORDER, (size_t)system->nhybrid);
    for (int order = 1; order < LN_SMOOTH_ORDER; order++) {
        int some = 0;
        for (int k = 0; k < network->ninstances; k++)
            some |= breaks->acts[k] = breaks->origin[k] == order;
        if (!some)
            continue;
        ln_touched_find(&breaks->touched, system, breaks->acts);
        for (int index = 0; index < system->nhybrid; index++) {
            const ptrdiff_t k = system->hybrid[index].instance - network->instances;
            if (breaks->touched.reached[k])
                breaks->order[index] = (char)ln_smaller_order(breaks->order[index], order);
            if (breaks->acts[k] && breaks->by_self[index])
                breaks->own_order[index] = (char)order;
        }
    }
}

/* ---- when they come back ---- */

/* Breakpoints that come back at t leave the list. */
static void drop_returned(delay_line *delay, double t) {
    size_t left = 0;
    for (size_t k = 0; k < delay->nbreakpoints; k++)
        if (!is_due(&delay->breakpoints[k], delay->lag, t))
            delay->breakpoints[left++] = delay->breakpoints[k];
    delay->nbreakpoints = left;
}

static linnet_status add_returning(delay_line *delay, double t, int order) {
    if (order >= LN_SMOOTH_ORDER)
        return LINNET_OK;
    for (size_t k = 0; k < delay->nbreakpoints; k++) {
        /* two ways round of the same length */
        if (fabs(delay->breakpoints[k].t - (t + delay->lag)) > LN_SAME_LAG * delay->lag)
            continue;
        if (order < delay->breakpoints[k].order)
            delay->breakpoints[k].order = order;
        return LINNET_OK;
    }
    if (!LN_GROW(delay->breakpoints, delay->nbreakpoints, delay->breakpoints_room))
        return LINNET_MEMORY;
    delay->breakpoints[delay->nbreakpoints++] = (returning_break){t + delay->lag, order};
    return LINNET_OK;
}

linnet_status ln_delay_break_returns(delay_line *delay, double t, int order) {
    drop_returned(delay, t);
    return add_returning(delay, t, order);
}

double ln_delays_next_breakpoint(const ln_delays *delays, double t) {
    double next = INFINITY;
    for (int k = 0; k < delays->count; k++)
        for (size_t i = 0; i < delays->all[k].nbreakpoints; i++)
            if (delays->all[k].breakpoints[i].t > t && delays->all[k].breakpoints[i].t < next)
                next = delays->all[k].breakpoints[i].t;
    return next;
}
