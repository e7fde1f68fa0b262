/* SPDX-License-Identifier: MIT */
/* The delays of a system: see delay.h. */
#include "system/delay.h"

#include "base/sys.h"
#include "system/active.h"
#include "system/history.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* when a breakpoint comes back, and how smooth it is by then */
typedef struct comeback {
    double t;
    int level;
} comeback;

/* One delay. Where its time is fixed, breakpoints come back at times that are known beforehand:
 * those are stops, and a time beside them says which side is seen. Where it varies, the stretch
 * that is seen is a mode, kept in the first of its memories: it stands still within a step, and a
 * guard tells when it is left. */
typedef struct delay_line {
    ln_history history;
    comeback *breakpoints;
    size_t nbreakpoints, breakpoints_room; /* of a fixed delay */
    int varies, passed; /* passed: level of the breakpoint that was just left behind */
    double lag;         /* at the last accepted point */
    int rate;           /* of a rate: nothing comes back */
    double slope;       /* of a rate: at the last accepted point */
    double gain;
    int held;
    double held_value, held_slope; /* what it gave where the system is linearised */
} delay_line;

enum { NO_BREAK = LN_MOST_LEVEL + 1 };

struct ln_delays {
    delay_line *all;
    int count;
    int *first;          /* per hybrid instance: its first delay */
    linnet_delay *asked; /* of one instance */
    double *x, *m;       /* local arrays */
    enum { PASSING, STARTING, RUNNING } phase;
};

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
    *made = (ln_delays){.count = count};
    made->all = LN_NEW(system->arena, delay_line, count);
    made->first = LN_NEW(system->arena, int, system->nhybrid);
    made->asked = LN_NEW(system->arena, linnet_delay, most);
    made->x = LN_NEW(system->arena, double, locals);
    made->m = LN_NEW(system->arena, double, memories);
    if (!made->all || !made->first || !made->asked || !made->x || !made->m)
        return LINNET_MEMORY;
    for (int k = 0, at = 0; k < system->nhybrid; k++) {
        made->first[k] = at;
        at += system->hybrid[k].instance->block.type->ndelays;
    }
    for (int k = 0; k < count; k++)
        made->all[k] = (delay_line){.gain = 1, .passed = LN_MOST_LEVEL};
    *delays = made;
    return LINNET_OK;
}

void ln_delays_free(ln_delays *delays) {
    for (int k = 0; delays != NULL && k < delays->count; k++) {
        ln_history_free(&delays->all[k].history);
        ln_sys->release(delays->all[k].breakpoints);
    }
}

int ln_delays_count(const ln_delays *delays) {
    return delays == NULL ? 0 : delays->count;
}

void ln_delays_gain(ln_delays *delays, int k, double gain) {
    delays->all[k].gain = gain;
}

int ln_delays_first(const ln_delays *delays, int index) {
    return delays->first[index];
}

/* ---- looking back ---- */

/* The stretch of the past that is seen from a point. Where the delay is fixed, breakpoints come
 * back at stops: what is inside of a stretch now was inside of one then. A delay that varies has
 * just crossed a breakpoint, whatever the side. */
static int stretch_at(const delay_line *delay, const linnet_delay *asked, ln_side side) {
    return ln_history_stretch(&delay->history, (delay->varies ? side.t : side.within) - asked->lag);
}

/* Where the memories of an instance's delays stand. */
static int slots_at(const linnet_block_class *type) {
    return type->nmemories - type->nmodes - LN_SLOTS * type->ndelays;
}

/* The stretches that the delays of an instance stand in while nothing is decided, LN_SLOTS apart.
 */
static double *standing(const ln_system *system, int index) {
    const ln_instance *instance = system->hybrid[index].instance;
    return system->memory + instance->first_memory + slots_at(instance->block.type) + LN_VALUE;
}

static void look(const delay_line *delay, const linnet_delay *asked, int stands, ln_side side,
                 double *out) {
    const int stretch = delay->varies ? stands : stretch_at(delay, asked, side);
    ln_history_look(&delay->history, stretch, side.t - asked->lag, side.t, asked->input, out);
}

/* No run goes on: the input, or what the delay gave at the point that is linearised; its gain is
 * how much of a small change comes through. */
static void pass_on(const delay_line *h, const linnet_delay *asked, double *out) {
    out[LN_VALUE] = h->held ? h->held_value : asked->input;
    out[LN_WEIGHT] = h->gain;
    out[LN_SLOPE] = h->held ? h->held_slope : 0;
}

/* One delay as it is seen from the point. */
static void look_up(const ln_delays *delays, const delay_line *delay, const linnet_delay *asked,
                    int stands, const linnet_point *point, double *out) {
    if (asked->rate) {
        out[LN_VALUE] = asked->input, out[LN_WEIGHT] = 0;
        out[LN_SLOPE] = delays->phase == RUNNING
                            ? ln_history_rate(&delay->history, point->t, asked->input, delay->slope)
                            : 0;
    } else if (!(asked->lag >= 0)) {
        out[LN_VALUE] = out[LN_WEIGHT] = out[LN_SLOPE] = NAN;
    } else if (delays->phase == RUNNING) {
        look(delay, asked, stands, ln_side_of(point), out);
    } else if (delays->phase == PASSING || isnan(asked->before) || asked->lag == 0) {
        pass_on(delay, asked, out);
    } else {
        out[LN_VALUE] = asked->before, out[LN_WEIGHT] = out[LN_SLOPE] = 0;
    }
}

void ln_delays_look(const ln_system *system, int index, const linnet_point *point, double *m) {
    const ln_delays *delays = system->delays;
    const ln_instance *instance = system->hybrid[index].instance;
    const linnet_block_class *type = instance->block.type;
    const double *stands = standing(system, index);
    double *slot = m + slots_at(type);
    /* an input may be another delay's value */
    for (int pass = 0; pass < type->ndelays; pass++) {
        type->delays(&instance->block, point, delays->asked);
        for (int k = pass; k < type->ndelays; k++)
            look_up(delays, &delays->all[delays->first[index] + k], &delays->asked[k],
                    (int)stands[LN_SLOTS * k], point, slot + LN_SLOTS * k);
    }
}

int ln_delays_ask_ahead(const ln_system *system, int index) {
    for (int k = 0; k < system->hybrid[index].instance->block.type->ndelays; k++)
        if (system->delays->asked[k].lag < 0)
            return 1;
    return 0;
}

/* ---- the run ---- */

/* The delays of an instance as they stand at a point, in delays->asked. */
static void ask(const ln_system *system, int index, ln_side side, const double *x) {
    const ln_delays *delays = system->delays;
    const ln_active *active = &system->hybrid[index];
    const linnet_block_class *type = active->instance->block.type;
    const double *memory = system->memory + active->instance->first_memory;
    for (int j = 0; j < active->nlocal; j++)
        delays->x[j] = active->unknown[j] < 0 ? 0 : x[active->unknown[j]];
    memcpy(delays->m, memory, (size_t)type->nmemories * sizeof *memory);
    const linnet_point point = {side.t, side.within, delays->x, delays->m};
    ln_delays_look(system, index, &point, delays->m);
    type->delays(&active->instance->block, &point, delays->asked);
}

double ln_delays_lag(const ln_system *system, int k, double t, const double *x) {
    const ln_delays *delays = system->delays;
    int index = system->nhybrid - 1;
    while (delays->first[index] > k)
        index--;
    ask(system, index, ln_side_left(t, 0), x);
    return delays->asked[k - delays->first[index]].lag;
}

static void let_go(ln_delays *delays) {
    for (int k = 0; k < delays->count; k++)
        delays->all[k].held = 0;
}

void ln_delays_start(ln_system *system) {
    let_go(system->delays);
    system->delays->phase = STARTING;
}

void ln_delays_hold(ln_system *system, ln_side side, const double *x) {
    ln_delays *delays = system->delays;
    let_go(delays);
    for (int index = 0; index < system->nhybrid; index++) {
        const linnet_block_class *type = system->hybrid[index].instance->block.type;
        if (type->ndelays == 0)
            continue;
        ask(system, index, side, x);
        const double *slot = delays->m + slots_at(type);
        for (int k = 0; k < type->ndelays; k++, slot += LN_SLOTS) {
            delay_line *delay = &delays->all[delays->first[index] + k];
            delay->held = 1;
            delay->held_value = slot[LN_VALUE];
            delay->held_slope = slot[LN_SLOPE];
        }
    }
}

static linnet_status begin(delay_line *delay, const linnet_delay *asked, int varies, ln_side side,
                           double *stands) {
    const double before = isnan(asked->before) ? asked->input : asked->before;
    delay->nbreakpoints = 0;
    delay->lag = asked->lag;
    delay->rate = asked->rate;
    delay->varies = varies && !asked->rate;
    delay->slope = 0;
    delay->passed = LN_MOST_LEVEL;
    if (!ln_history_begin(&delay->history, side.t, asked->input, before))
        return LINNET_MEMORY;
    if (delay->varies)
        *stands = stretch_at(delay, asked, side);
    if (delay->rate || delay->varies)
        return LINNET_OK;
    if (!LN_GROW(delay->breakpoints, delay->nbreakpoints, delay->breakpoints_room))
        return LINNET_MEMORY;
    delay->breakpoints[delay->nbreakpoints++] =
        (comeback){side.t + asked->lag, ln_history_last(&delay->history)->level};
    return LINNET_OK;
}

linnet_status ln_delays_begin(ln_system *system, ln_side side, const double *x) {
    ln_delays *delays = system->delays;
    let_go(delays);
    for (int index = 0; index < system->nhybrid; index++) {
        const linnet_block_class *type = system->hybrid[index].instance->block.type;
        if (type->ndelays == 0)
            continue;
        ask(system, index, side, x);
        for (int k = 0; k < type->ndelays; k++)
            LN_TRY(begin(&delays->all[delays->first[index] + k], &delays->asked[k], type->lags_vary,
                         side, standing(system, index) + LN_SLOTS * k));
    }
    delays->phase = RUNNING;
    return LINNET_OK;
}

/* ---- breakpoints ---- */

/* 1 when the breakpoint is what happens at t. */
static int is_due(const comeback *break_back, double lag, double t) {
    return !(break_back->t > t + 1e-9 * lag);
}

/* 1 when a delay that varies has left a stretch since the last instant. */
static int has_passed(const ln_delays *delays) {
    for (int k = 0; k < delays->count; k++)
        if (delays->all[k].passed < LN_MOST_LEVEL)
            return 1;
    return 0;
}

/* How smooth all is at a breakpoint at t: a kink where it has an origin of its own; else by one
 * derivative more than what has come back, in whichever delay. */
static int level_at(const ln_delays *delays, double t, ln_break what) {
    int level = LN_MOST_LEVEL;
    if (what == LN_BREAK || (what == LN_CROSSED && !has_passed(delays)))
        return 1;
    for (int k = 0; k < delays->count; k++) {
        const delay_line *delay = &delays->all[k];
        if (delay->passed < level)
            level = delay->passed;
        for (size_t i = 0; i < delay->nbreakpoints; i++)
            if (is_due(&delay->breakpoints[i], delay->lag, t) &&
                delay->breakpoints[i].level < level)
                level = delay->breakpoints[i].level;
    }
    return level < LN_MOST_LEVEL ? level + 1 : 1;
}

/* The breakpoint at t comes back lag later. */
static linnet_status add_breakpoint(delay_line *h, double t, int level) {
    size_t kept = 0;
    for (size_t k = 0; k < h->nbreakpoints; k++)
        if (!is_due(&h->breakpoints[k], h->lag, t))
            h->breakpoints[kept++] = h->breakpoints[k];
    h->nbreakpoints = kept;
    if (level >= LN_MOST_LEVEL)
        return LINNET_OK;
    for (size_t k = 0; k < kept; k++) {
        /* two ways round of the same length */
        if (fabs(h->breakpoints[k].t - (t + h->lag)) > 1e-9 * h->lag)
            continue;
        if (level < h->breakpoints[k].level)
            h->breakpoints[k].level = level;
        return LINNET_OK;
    }
    if (!LN_GROW(h->breakpoints, h->nbreakpoints, h->breakpoints_room))
        return LINNET_MEMORY;
    h->breakpoints[h->nbreakpoints++] = (comeback){t + h->lag, level};
    return LINNET_OK;
}

/* A point of the trajectory, at a breakpoint if level says so. */
static linnet_status accept(delay_line *delay, const linnet_delay *asked, ln_side side, int level,
                            double *stands) {
    const ln_history_sample last = *ln_history_last(&delay->history);
    delay->lag = asked->lag;
    if (delay->rate)
        delay->slope = ln_history_rate(&delay->history, side.t, asked->input, delay->slope);
    if (level < LN_MOST_LEVEL && last.t == side.t &&
        fabs(last.u - asked->input) > 1e-9 * fabs(last.u))
        level = 0;
    if (level <= LN_MOST_LEVEL && !delay->rate && !delay->varies)
        LN_TRY(add_breakpoint(delay, side.t, level));
    if (!ln_history_add(&delay->history, side.t, asked->input, level))
        return LINNET_MEMORY;
    /* one without lag sees it at once */
    if (delay->varies && level <= LN_SPLITS)
        *stands = stretch_at(delay, asked, side);
    ln_history_forget(&delay->history, side.t - asked->most);
    return LINNET_OK;
}

ln_break ln_delays_cause(const ln_system *system, double t, double same, int crossed) {
    if (system->delays == NULL)
        return LN_NO_BREAK;
    if (ln_system_source_break(system, t - 2 * same) <= t + 2 * same)
        return LN_BREAK;
    return crossed ? LN_CROSSED : LN_ECHO;
}

linnet_status ln_delays_accept(ln_system *system, ln_side side, const double *x, ln_break what) {
    ln_delays *delays = system->delays;
    if (delays == NULL)
        return LINNET_OK;
    const int level = what != LN_NO_BREAK ? level_at(delays, side.t, what) : NO_BREAK;
    for (int index = 0; index < system->nhybrid; index++) {
        const int count = system->hybrid[index].instance->block.type->ndelays;
        if (count == 0)
            continue;
        ask(system, index, side, x);
        for (int k = 0; k < count; k++)
            LN_TRY(accept(&delays->all[delays->first[index] + k], &delays->asked[k], side, level,
                          standing(system, index) + LN_SLOTS * k));
    }
    for (int k = 0; what != LN_NO_BREAK && k < delays->count; k++)
        delays->all[k].passed = LN_MOST_LEVEL;
    return LINNET_OK;
}

/* ---- delays that vary ---- */

int ln_delays_decide(ln_system *system, int index, const linnet_point *point,
                     const char *may_change, int *which) {
    const ln_delays *delays = system->delays;
    const linnet_block *block = &system->hybrid[index].instance->block;
    double *stands = standing(system, index);
    int changed = 0;
    if (delays->phase != RUNNING)
        return 0;
    block->type->delays(block, point, delays->asked);
    for (int k = 0; k < block->type->ndelays; k++) {
        delay_line *delay = &delays->all[delays->first[index] + k];
        if (!delay->varies || !(delays->asked[k].lag >= 0) ||
            (may_change != NULL && !may_change[k]))
            continue;
        const int old = (int)stands[LN_SLOTS * k],
                  now = stretch_at(delay, &delays->asked[k], ln_side_of(point));
        if (now == old)
            continue;
        stands[LN_SLOTS * k] = now;
        delay->passed = ln_history_border(&delay->history, old, now);
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
    const double *stands = standing(system, index);
    block->type->delays(block, point, delays->asked);
    for (int k = 0; k < block->type->ndelays; k++) {
        const delay_line *delay = &delays->all[delays->first[index] + k];
        guard[k] = INFINITY;
        if (delays->phase == RUNNING && delay->varies)
            guard[k] = ln_history_inside(&delay->history, (int)stands[LN_SLOTS * k],
                                         point->t - delays->asked[k].lag);
    }
}

/* ---- what a run asks ---- */

static double size_of(const ln_system *system, int index) {
    const ln_active *active = &system->hybrid[index];
    const delay_line *its = &system->delays->all[system->delays->first[index]];
    double least = INFINITY, reach = 0;
    for (int j = 0; j < active->nlocal; j++)
        if (active->unknown[j] >= 0)
            least = fmin(least, system->abstol[active->unknown[j]]);
    for (int k = 0; k < active->instance->block.type->ndelays; k++)
        reach = fmax(reach, its[k].history.reach);
    return reach + (isfinite(least) ? least / LN_DEFAULT_TOLERANCE : 0);
}

double ln_delays_roughness(const ln_system *system) {
    const ln_delays *delays = system->delays;
    double worst = 0;
    for (int index = 0; index < system->nhybrid; index++) {
        const int count = system->hybrid[index].instance->block.type->ndelays;
        double rough = 0;
        for (int k = 0; k < count; k++)
            rough =
                fmax(rough, ln_history_roughness(&delays->all[delays->first[index] + k].history));
        if (rough > 0)
            worst = fmax(worst, rough / size_of(system, index));
    }
    return worst;
}

void ln_delays_end(ln_system *system) {
    system->delays->phase = PASSING;
}

double ln_delays_next_breakpoint(const ln_delays *delays, double t) {
    double next = INFINITY;
    for (int k = 0; k < delays->count; k++)
        for (size_t i = 0; i < delays->all[k].nbreakpoints; i++)
            if (delays->all[k].breakpoints[i].t > t && delays->all[k].breakpoints[i].t < next)
                next = delays->all[k].breakpoints[i].t;
    return next;
}

/* ---- to bytes and back ---- */

void ln_delays_save(const ln_delays *delays, ln_bytes *bytes) {
    ln_bytes_put_long(bytes, delays->count);
    for (int k = 0; k < delays->count; k++) {
        const delay_line *delay = &delays->all[k];
        ln_history_save(&delay->history, bytes);
        ln_bytes_put_long(bytes, (long long)delay->nbreakpoints);
        for (size_t i = 0; i < delay->nbreakpoints; i++) {
            ln_bytes_put_double(bytes, delay->breakpoints[i].t);
            ln_bytes_put_long(bytes, delay->breakpoints[i].level);
        }
        ln_bytes_put_double(bytes, delay->lag);
        ln_bytes_put_long(bytes, delay->rate);
        ln_bytes_put_long(bytes, delay->varies);
        ln_bytes_put_double(bytes, delay->slope);
    }
}

/* Breaks that come back: none later than a delay from now, and no more than the file has bytes for.
 */
static int load_breaks(delay_line *delay, ln_bytes *bytes, double t) {
    double latest = t;
    const long long count =
        ln_bytes_get_within(bytes, 0, (long long)(bytes->length / sizeof(comeback)));
    delay->nbreakpoints = 0;
    for (long long k = 0; k < count && !bytes->failed; k++) {
        if (!LN_GROW(delay->breakpoints, delay->nbreakpoints, delay->breakpoints_room))
            return 0;
        comeback *one = &delay->breakpoints[delay->nbreakpoints++];
        one->t = ln_bytes_get_finite(bytes);
        one->level = (int)ln_bytes_get_within(bytes, 0, LN_MOST_LEVEL);
        latest = fmax(latest, one->t);
    }
    delay->lag = ln_bytes_get_finite(bytes);
    /* a break comes back a lag after it was, to the rounding of both and is_due()'s tolerance */
    const double rounding = 1e-9 * delay->lag + 8 * DBL_EPSILON * fmax(fabs(t), delay->lag);
    return !bytes->failed && delay->lag >= 0 && latest <= t + delay->lag + rounding;
}

static int load(delay_line *delay, ln_bytes *bytes, double t) {
    if (!ln_history_load(&delay->history, bytes, t) || !load_breaks(delay, bytes, t))
        return 0;
    delay->rate = (int)ln_bytes_get_within(bytes, 0, 1);
    delay->varies = (int)ln_bytes_get_within(bytes, 0, 1);
    delay->slope = ln_bytes_get_finite(bytes);
    return !bytes->failed;
}

/* The stretch that a delay stands in is a memory: one that its past has. */
static int stands_in_past(const delay_line *delay, double stands) {
    return stands >= LN_BEFORE && stands <= ln_history_last(&delay->history)->stretch &&
           stands == floor(stands);
}

/* Is that the past of this model? The delays of one instance, as they stand at the point. */
static int fits(const ln_system *system, int index, double t, const double *x) {
    const ln_delays *delays = system->delays;
    const linnet_block_class *type = system->hybrid[index].instance->block.type;
    const delay_line *all = &delays->all[delays->first[index]];
    for (int k = 0; k < type->ndelays; k++)
        if (all[k].varies && !stands_in_past(&all[k], standing(system, index)[LN_SLOTS * k]))
            return 0;
    ask(system, index, (ln_side){t, t, LN_MODES_FROZEN}, x);
    for (int k = 0; k < type->ndelays; k++) {
        const linnet_delay *asked = &delays->asked[k];
        const int rate = asked->rate != 0, varies = type->lags_vary && !rate;
        if (all[k].rate != rate || all[k].varies != varies)
            return 0;
        if (!rate && !varies && !(fabs(all[k].lag - asked->lag) <= 1e-9 * asked->lag))
            return 0;
    }
    return 1;
}

int ln_delays_load(ln_system *system, ln_bytes *bytes, double t, const double *x) {
    ln_delays *delays = system->delays;
    if (ln_bytes_get_long(bytes) != delays->count)
        return 0;
    for (int k = 0; k < delays->count; k++)
        if (!load(&delays->all[k], bytes, t))
            return 0;
    delays->phase = RUNNING;
    for (int index = 0; index < system->nhybrid; index++)
        if (system->hybrid[index].instance->block.type->ndelays > 0 && !fits(system, index, t, x))
            return 0;
    return 1;
}
