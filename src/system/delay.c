/* SPDX-License-Identifier: MIT */
/* The delays of a system: see delay.h.
 *
 * A block asks for u(t - T) by linnet_delay: its input u now, the time T, and what lies before the
 * start. It gets value, weight and slope into its memories. The weight is d u(t - T)/d u(t), which
 * is zero unless t - T lies within the step at hand: the block multiplies its Jacobian entries by
 * it, so Newton's method sees a delay shorter than the step as the algebraic term that it is
 * [Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, section II.17, on delays and
 * the breakpoints that they spread]. */
#include "system/delay_line.h"

#include "base/sys.h"
#include "system/active.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* ROUNDING: relative change of an input that is rounding. NEGLIGIBLE: a change below this part of
 * the run's relative tolerance is no change of a signal whose rate is asked. */
static const double ROUNDING = 1e-9, NEGLIGIBLE = 1e-2;
/* RATE_WEIGHT: the roughness of a signal whose slope is asked for counts so many times; with 10,
 * extremes of sums of sines were found twice. */
static const double RATE_WEIGHT = 100;

linnet_status ln_delays_new(const ln_system *system, ln_delays **delays) {
    int count = 0, most = 0, locals = 1, memories = 1;
    for (int k = 0; k < system->nhybrid; k++) {
        const linnet_block_class *type = system->hybrid[k].instance->block.type;
        count += type->ndelays;
        if (type->ndelays > most)
            most = type->ndelays;
        if (system->hybrid[k].nlocal > locals)
            locals = system->hybrid[k].nlocal;
        if (type->nmemories > memories)
            memories = type->nmemories;
    }
    if (count == 0)
        return LINNET_OK;
    ln_delays *made = LN_NEW(system->arena, ln_delays, 1);
    if (made == NULL)
        return LINNET_MEMORY;
    *made = (ln_delays){.count = count, .negligible = ROUNDING};
    made->all = LN_NEW(system->arena, delay_line, count);
    made->first = LN_NEW(system->arena, int, system->nhybrid);
    made->request = LN_NEW(system->arena, linnet_delay, most);
    made->answered = LN_NEW(system->arena, linnet_delay, most);
    made->x = LN_NEW(system->arena, double, locals);
    made->m = LN_NEW(system->arena, double, memories);
    if (!ln_delays_init_breaks(&made->breaks, system))
        return LINNET_MEMORY;
    if (ln_arena_failed(system->arena))
        return LINNET_MEMORY;
    for (int k = 0, at = 0; k < system->nhybrid; k++) {
        made->first[k] = at;
        at += system->hybrid[k].instance->block.type->ndelays;
    }
    for (int k = 0; k < count; k++)
        made->all[k] = (delay_line){.gain = 1, .crossed_order = LN_SMOOTH_ORDER};
    *delays = made;
    return LINNET_OK;
}

void ln_delays_free(ln_delays *delays) {
    for (int k = 0; delays != NULL && k < delays->count; k++) {
        ln_history_free(&delays->all[k].history);
        ln_error_history_free(&delays->all[k].errors);
        ln_error_history_free(&delays->all[k].late);
        ln_sys->release(delays->all[k].breakpoints);
    }
}

int ln_delays_count(const ln_delays *delays) {
    return delays == NULL ? 0 : delays->count;
}

void ln_delays_set_gain(ln_delays *delays, int k, double gain) {
    delays->all[k].gain = gain;
}

int ln_delays_first(const ln_delays *delays, int index) {
    return delays->first[index];
}

/* ---- looking back ---- */

/* The stretch of the past that is seen from a point. A fixed delay's breakpoints come back at
 * stops: what is inside of a stretch now was inside of one then. Of a varying one this decides the
 * mode, at a point that may lie just after a breakpoint: t itself decides, not the side. */
static int stretch_at(const delay_line *delay, const linnet_delay *request, ln_side side) {
    return ln_history_stretch(&delay->history,
                              (delay->varies ? side.t : side.within) - request->lag);
}

int ln_delays_first_memory(const linnet_block_class *type) {
    return type->nmemories - type->nmodes - LN_DELAY_OUTPUTS * type->ndelays;
}

double *ln_delays_modes(const ln_system *system, int index) {
    const ln_instance *instance = system->hybrid[index].instance;
    return system->memory + instance->first_memory + ln_delays_first_memory(instance->block.type) +
           LN_MODE;
}

static void interpolate_delayed(const ln_delays *delays, const delay_line *delay,
                                const linnet_delay *request, int mode, ln_side side, double *out) {
    const int stretch = delay->varies ? mode : stretch_at(delay, request, side);
    ln_history_evaluate(&delay->history, stretch, side.t - request->lag, side.t, request->input,
                        out);
    if (delays->shift < 0 || delays->shift > 0)
        out[LN_VALUE] +=
            delays->shift * ln_error_history_at(&delay->errors, side.t - request->lag, side.t);
}

/* Outputs without a run: the input, or what is frozen for a linearisation. */
static void pass_on(const delay_line *delay, const linnet_delay *request, double *out) {
    out[LN_VALUE] = delay->frozen ? delay->frozen_value : request->input;
    out[LN_WEIGHT] = delay->gain;
    out[LN_SLOPE] = delay->frozen ? delay->frozen_slope : 0;
}

/* At the start nothing is known of how a signal changes: that waits for the end of the first step.
 */
static int knows_rate(const ln_delays *delays, const delay_line *delay, double t) {
    return delays->phase == RUNNING &&
           (delay->history.count > 1 || !(t > ln_history_last(&delay->history)->t));
}

static double rate_at(const ln_delays *delays, const delay_line *delay, double t, double u) {
    if (!knows_rate(delays, delay, t))
        return 0;
    return delays->noisy && !(t > ln_history_last(&delay->history)->t)
               ? ln_history_rate_of_noise(&delay->history, u, delay->slope)
               : ln_history_rate(&delay->history, t, u, delays->negligible, delay->slope);
}

/* Outputs of one delay at the point, by the phase. */
static void value_at(const ln_delays *delays, const delay_line *delay, const linnet_delay *request,
                     int mode, const linnet_point *point, double *out) {
    if (request->rate) {
        out[LN_VALUE] = request->input, out[LN_WEIGHT] = 0;
        out[LN_SLOPE] = rate_at(delays, delay, point->t, request->input);
    } else if (!(request->lag >= 0)) {
        out[LN_VALUE] = out[LN_WEIGHT] = out[LN_SLOPE] = NAN;
    } else if (delays->phase == RUNNING) {
        interpolate_delayed(delays, delay, request, mode, ln_side_of(point), out);
    } else if (delays->phase == PASSING || isnan(request->before) || request->lag == 0) {
        pass_on(delay, request, out);
    } else {
        out[LN_VALUE] = request->before, out[LN_WEIGHT] = out[LN_SLOPE] = 0;
    }
}

static int asks_the_same(const linnet_delay *a, const linnet_delay *b) {
    return memcmp(&a->input, &b->input, sizeof a->input) == 0 &&
           memcmp(&a->lag, &b->lag, sizeof a->lag) == 0 &&
           memcmp(&a->before, &b->before, sizeof a->before) == 0;
}

void ln_delays_evaluate(const ln_system *system, int index, const linnet_point *point, double *m) {
    const ln_delays *delays = system->delays;
    const ln_instance *instance = system->hybrid[index].instance;
    const linnet_block_class *type = instance->block.type;
    const double *mode = ln_delays_modes(system, index);
    double *slot = m + ln_delays_first_memory(type);
    /* A delay may take the outputs of the delays before it: each pass makes one more final at
     * least, and asks anew only where that asks for something else. */
    for (int pass = 0, changed = 1; changed && pass < type->ndelays; pass++) {
        changed = 0;
        type->delays(&instance->block, point, delays->request);
        for (int k = pass; k < type->ndelays; k++) {
            if (pass > 0 && asks_the_same(&delays->request[k], &delays->answered[k]))
                continue;
            changed = 1;
            delays->answered[k] = delays->request[k];
            value_at(delays, &delays->all[delays->first[index] + k], &delays->request[k],
                     (int)mode[LN_DELAY_OUTPUTS * k], point, slot + LN_DELAY_OUTPUTS * k);
        }
    }
}

void ln_delays_evaluate_noisy(const ln_system *system, int index, const linnet_point *point,
                              double *m) {
    system->delays->noisy = 1;
    ln_delays_evaluate(system, index, point, m);
    system->delays->noisy = 0;
}

int ln_delays_any_negative(const ln_system *system, int index) {
    for (int k = 0; k < system->hybrid[index].instance->block.type->ndelays; k++)
        if (system->delays->request[k].lag < 0)
            return 1;
    return 0;
}

/* ---- the run ---- */

void ln_delays_request(const ln_system *system, int index, ln_side side, const double *x) {
    const ln_delays *delays = system->delays;
    const ln_active *active = &system->hybrid[index];
    const linnet_block_class *type = active->instance->block.type;
    const double *memory = system->memory + active->instance->first_memory;
    (void)ln_gather(active, x, delays->x);
    memcpy(delays->m, memory, (size_t)type->nmemories * sizeof *memory);
    const linnet_point point = {side.t, side.within, delays->x, delays->m};
    ln_delays_evaluate(system, index, &point, delays->m);
    type->delays(&active->instance->block, &point, delays->request);
}

const double *ln_delays_outputs(const ln_system *system, int index, ln_side side, const double *x) {
    ln_delays_request(system, index, side, x);
    return system->delays->m + ln_delays_first_memory(system->hybrid[index].instance->block.type);
}

double ln_delays_lag(const ln_system *system, int k, double t, const double *x) {
    const ln_delays *delays = system->delays;
    int index = system->nhybrid - 1;
    while (delays->first[index] > k)
        index--;
    ln_delays_request(system, index, ln_side_left(t, 0), x);
    return delays->request[k - delays->first[index]].lag;
}

static void thaw(ln_delays *delays) {
    for (int k = 0; k < delays->count; k++)
        delays->all[k].frozen = 0;
}

void ln_delays_set_tolerance(ln_system *system, double tolerance, int locates) {
    if (system->delays == NULL)
        return;
    system->delays->tolerance = tolerance;
    system->delays->locates = locates;
    system->delays->negligible = fmax(ROUNDING, NEGLIGIBLE * tolerance);
}

void ln_delays_enter_start_search(ln_system *system) {
    thaw(system->delays);
    system->delays->phase = STARTING;
}

void ln_delays_release(ln_system *system) {
    thaw(system->delays);
}

void ln_delays_freeze(ln_system *system, ln_side side, const double *x) {
    ln_delays *delays = system->delays;
    thaw(delays);
    for (int index = 0; index < system->nhybrid; index++) {
        const linnet_block_class *type = system->hybrid[index].instance->block.type;
        if (type->ndelays == 0)
            continue;
        const double *slot = ln_delays_outputs(system, index, side, x);
        for (int k = 0; k < type->ndelays; k++, slot += LN_DELAY_OUTPUTS) {
            delay_line *delay = &delays->all[delays->first[index] + k];
            delay->frozen = 1;
            delay->frozen_value = slot[LN_VALUE];
            delay->frozen_slope = slot[LN_SLOPE];
        }
    }
}

static linnet_status begin(delay_line *delay, const linnet_delay *request, int varies, ln_side side,
                           double *mode) {
    const double before = isnan(request->before) ? request->input : request->before;
    delay->nbreakpoints = 0;
    delay->lag = request->lag;
    delay->t = side.t;
    delay->lag_slope = 0;
    delay->is_derivative = request->rate;
    delay->varies = varies && !request->rate;
    delay->slope = 0;
    delay->crossed_order = LN_SMOOTH_ORDER;
    ln_error_history_begin(&delay->errors);
    ln_error_history_begin(&delay->late);
    if (!ln_history_begin(&delay->history, side.t, request->input, before))
        return LINNET_MEMORY;
    if (delay->varies)
        *mode = stretch_at(delay, request, side);
    if (delay->is_derivative || delay->varies)
        return LINNET_OK;
    if (!LN_GROW(delay->breakpoints, delay->nbreakpoints, delay->breakpoints_room))
        return LINNET_MEMORY;
    delay->breakpoints[delay->nbreakpoints++] =
        (returning_break){side.t + request->lag, ln_history_last(&delay->history)->order};
    return LINNET_OK;
}

/* What the noise of its unknowns makes of a rate's signal is no change of it, however small the
 * signal has been: one that has rested at zero begins in noise. */
static void count_noise(const ln_system *system, int index, ln_side side) {
    ln_delays *delays = system->delays;
    const ln_active *active = &system->hybrid[index];
    const linnet_block_class *type = active->instance->block.type;
    const linnet_point point = {side.t, side.within, delays->x, delays->m};
    for (int j = 0; j < active->nlocal; j++) {
        const double at = delays->x[j];
        if (active->unknown[j] < 0)
            continue;
        delays->x[j] = at + ln_system_noise_of(system, active->unknown[j], at);
        type->delays(&active->instance->block, &point, delays->request);
        for (int k = 0; k < type->ndelays; k++) {
            delay_line *delay = &delays->all[delays->first[index] + k];
            const double moved = delays->request[k].input - ln_history_last(&delay->history)->u;
            if (delay->is_derivative && isfinite(moved))
                delay->history.peak += fabs(moved) / delays->negligible;
        }
        delays->x[j] = at;
    }
}

linnet_status ln_delays_begin_run(ln_system *system, ln_side side, const double *x) {
    ln_delays *delays = system->delays;
    thaw(delays);
    for (int index = 0; index < system->nhybrid; index++) {
        const linnet_block_class *type = system->hybrid[index].instance->block.type;
        if (type->ndelays == 0)
            continue;
        ln_delays_request(system, index, side, x);
        for (int k = 0; k < type->ndelays; k++)
            LN_TRY(begin(&delays->all[delays->first[index] + k], &delays->request[k],
                         type->lags_vary, side,
                         ln_delays_modes(system, index) + LN_DELAY_OUTPUTS * k));
        if (delays->locates)
            count_noise(system, index, side);
    }
    delays->phase = RUNNING;
    return LINNET_OK;
}

/* ---- points of the trajectory ---- */

/* A point of the trajectory, at a breakpoint if order says so. */
static linnet_status accept(delay_line *delay, const linnet_delay *request, ln_side side, int order,
                            double noise, double *mode) {
    const ln_history_sample last = *ln_history_last(&delay->history);
    const double before = fmin(delay->t, side.t); /* rows are told back to there */
    if (order == LN_WITHIN_STEP_ORDER)            /* of a step that may be taken back */
        return ln_history_add(&delay->history, side.t, request->input, order) ? LINNET_OK
                                                                              : LINNET_MEMORY;
    if (side.t > delay->t)
        delay->lag_slope = (request->lag - delay->lag) / (side.t - delay->t);
    delay->lag = request->lag;
    delay->t = side.t;
    if (delay->is_derivative && last.t == side.t) /* it may have jumped */
        delay->slope =
            ln_history_rate(&delay->history, side.t, request->input, noise, delay->slope);
    if (order < LN_SMOOTH_ORDER && last.t == side.t &&
        fabs(last.u - request->input) > ROUNDING * delay->history.peak)
        order = 0;
    if (order <= LN_SMOOTH_ORDER && !delay->is_derivative && !delay->varies) {
        LN_TRY(ln_delay_break_returns(delay, side.t, order));
    }
    if (!ln_history_add(&delay->history, side.t, request->input, order))
        return LINNET_MEMORY;
    /* a varying delay of zero lag enters the new stretch at once */
    if (delay->varies && order <= LN_SPLIT_ORDER)
        *mode = stretch_at(delay, request, side);
    ln_history_forget(&delay->history, before - request->most);
    return LINNET_OK;
}

static int asks_rate(const ln_delays *delays, int index, int count) {
    for (int k = 0; k < count; k++)
        if (delays->all[delays->first[index] + k].is_derivative)
            return 1;
    return 0;
}

int ln_delays_note_rates(ln_system *system, ln_side side, const double *x) {
    ln_delays *delays = system->delays;
    int rates_begin = 0;
    for (int index = 0; delays != NULL && index < system->nhybrid; index++) {
        const int count = system->hybrid[index].instance->block.type->ndelays;
        if (!asks_rate(delays, index, count))
            continue;
        ln_delays_request(system, index, side, x);
        for (int k = 0; k < count; k++) {
            delay_line *delay = &delays->all[delays->first[index] + k];
            if (!delay->is_derivative)
                continue;
            rates_begin |= delay->history.count == 1;
            const double slope = ln_history_rate(&delay->history, side.t, delays->request[k].input,
                                                 delays->negligible, delay->slope);
            if (slope * delay->slope < 0)
                ln_history_note_reversal(&delay->history, side.t);
            delay->slope = slope;
        }
    }
    return rates_begin;
}

/* With what order a point is recorded for a delay. A rate is of a signal that comes from outside:
 * that its own block acts does not bend it. */
static int recorded_order(const ln_delays *delays, int index, int is_derivative,
                          ln_point_kind what) {
    const ln_delay_breaks *breaks = &delays->breaks;
    if (!ln_point_is_breakpoint(what))
        return what == LN_POINT_WITHIN ? LN_WITHIN_STEP_ORDER : LN_NO_BREAK_ORDER;
    return is_derivative ? breaks->order[index]
                         : ln_smaller_order(breaks->order[index], breaks->own_order[index]);
}

linnet_status ln_delays_record(ln_system *system, ln_side side, const double *x, ln_point_kind what,
                               const char *acted) {
    ln_delays *delays = system->delays;
    if (delays == NULL)
        return LINNET_OK;
    if (ln_point_is_breakpoint(what))
        ln_delays_find_orders(system, side.t, what, acted);
    for (int index = 0; index < system->nhybrid; index++) {
        const int count = system->hybrid[index].instance->block.type->ndelays;
        if (count == 0)
            continue;
        ln_delays_request(system, index, side, x);
        for (int k = 0; k < count; k++) {
            delay_line *delay = &delays->all[delays->first[index] + k];
            /* samples within a step are interpolated; their error exceeds a slope near zero */
            if (delay->is_derivative ? ln_point_is_within_step(what) : what == LN_STEP_END_TO_ACT)
                continue;
            LN_TRY(accept(delay, &delays->request[k], side,
                          recorded_order(delays, index, delay->is_derivative, what),
                          delays->negligible,
                          ln_delays_modes(system, index) + LN_DELAY_OUTPUTS * k));
        }
    }
    for (int k = 0; ln_point_is_breakpoint(what) && k < delays->count; k++)
        delays->all[k].crossed_order = LN_SMOOTH_ORDER;
    return LINNET_OK;
}

/* ---- delays that vary ---- */

int ln_delays_decide(ln_system *system, int index, const linnet_point *point,
                     const char *may_change, int *which) {
    const ln_delays *delays = system->delays;
    const linnet_block *block = &system->hybrid[index].instance->block;
    double *mode = ln_delays_modes(system, index);
    int changed = 0;
    if (delays->phase != RUNNING)
        return 0;
    block->type->delays(block, point, delays->request);
    for (int k = 0; k < block->type->ndelays; k++) {
        delay_line *delay = &delays->all[delays->first[index] + k];
        if (!delay->varies || !(delays->request[k].lag >= 0) ||
            (may_change != NULL && !may_change[k]))
            continue;
        const int old = (int)mode[LN_DELAY_OUTPUTS * k],
                  now = stretch_at(delay, &delays->request[k], ln_side_of(point));
        if (now == old)
            continue;
        mode[LN_DELAY_OUTPUTS * k] = now;
        delay->crossed_order = ln_smaller_order(
            delay->crossed_order, ln_history_order_between(&delay->history, old, now));
        if (which != NULL)
            *which = k;
        changed++;
    }
    return changed;
}

void ln_delays_guards(const ln_system *system, int index, const linnet_point *point,
                      double *guard) {
    const ln_delays *delays = system->delays;
    const linnet_block *block = &system->hybrid[index].instance->block;
    const double *mode = ln_delays_modes(system, index);
    block->type->delays(block, point, delays->request);
    for (int k = 0; k < block->type->ndelays; k++) {
        const delay_line *delay = &delays->all[delays->first[index] + k];
        guard[k] = INFINITY;
        if (delays->phase == RUNNING && delay->varies)
            guard[k] = ln_history_depth(&delay->history, (int)mode[LN_DELAY_OUTPUTS * k],
                                        point->t - delays->request[k].lag);
    }
}

/* ---- what a run asks ---- */

double ln_delays_size(const ln_system *system, int index) {
    const ln_active *active = &system->hybrid[index];
    const delay_line *lines = &system->delays->all[system->delays->first[index]];
    double smallest_abstol = INFINITY, peak = 0;
    for (int j = 0; j < active->nlocal; j++)
        if (active->unknown[j] >= 0)
            smallest_abstol = fmin(smallest_abstol, system->abstol[active->unknown[j]]);
    for (int k = 0; k < active->instance->block.type->ndelays; k++)
        peak = fmax(peak, lines[k].history.peak);
    return peak + (isfinite(smallest_abstol) ? smallest_abstol / LN_DEFAULT_TOLERANCE : 0);
}

double ln_delays_roughness(const ln_system *system) {
    const ln_delays *delays = system->delays;
    double worst = 0;
    for (int index = 0; index < system->nhybrid; index++) {
        const int count = system->hybrid[index].instance->block.type->ndelays;
        double rough = 0;
        for (int k = 0; k < count; k++) {
            const delay_line *delay = &delays->all[delays->first[index] + k];
            rough = fmax(rough, ln_history_roughness(&delay->history) *
                                    (delay->is_derivative ? RATE_WEIGHT : 1));
        }
        if (rough > 0)
            worst = fmax(worst, rough / ln_delays_size(system, index));
    }
    return worst;
}

void ln_delays_end(ln_system *system) {
    system->delays->phase = PASSING;
}
