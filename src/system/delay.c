/* SPDX-License-Identifier: MIT */
/* The delays of a system: see delay.h. */
#include "system/delay.h"

#include "base/sys.h"
#include "system/active.h"
#include "system/history.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef struct comeback { double t; int level; } comeback;    /* when a break comes back, and how smooth it is by then */

/* One delay. Where its time is fixed, breaks come back at times that are known beforehand: those are stops, and a time
 * beside them says which side is seen. Where it varies, the stretch that is seen is a mode, kept in the first of its
 * memories: it stands still within a step, and a guard tells when it is left. */
typedef struct past {
    ln_history history;
    comeback *breaks; size_t nbreaks, breaks_room;            /* of a fixed delay                                      */
    int varies, passed;                                       /* passed: level of the break that was just left behind  */
    double lag;                                               /* at the last accepted point                            */
    int rate;                                                 /* of a rate: nothing comes back                         */
    double slope;                                             /* of a rate: at the last accepted point                 */
    double gain;
    int held; double held_value, held_slope;                  /* what it gave where the system is linearised           */
} past;

enum { NO_BREAK = LN_MOST_LEVEL + 1 };

struct ln_delays {
    past *all; int count;
    int *first;                                               /* per hybrid instance: its first delay                  */
    linnet_delay *asked;                                      /* of one instance                                       */
    double *x, *m;                                            /* local arrays                                          */
    enum { PASSING, STARTING, RUNNING } phase;
};

linnet_status ln_delays_new(const ln_system *system, ln_delays **delays) {
    int count = 0, most = 0, locals = 1, memories = 1;
    for (int k = 0; k < system->nhybrid; k++) {
        const linnet_block_class *type = system->hybrid[k].instance->block.type;
        count += type->ndelays;
        if (type->ndelays > most) most = type->ndelays;
        if (system->hybrid[k].nlocal > locals) locals = system->hybrid[k].nlocal;
        if (type->nmemories > memories) memories = type->nmemories;
    }
    if (count == 0) return LINNET_OK;
    ln_delays *it = LN_NEW(system->arena, ln_delays, 1);
    if (it == NULL) return LINNET_MEMORY;
    *it = (ln_delays){.count = count};
    it->all = LN_NEW(system->arena, past, count);
    it->first = LN_NEW(system->arena, int, system->nhybrid);
    it->asked = LN_NEW(system->arena, linnet_delay, most);
    it->x = LN_NEW(system->arena, double, locals);
    it->m = LN_NEW(system->arena, double, memories);
    if (!it->all || !it->first || !it->asked || !it->x || !it->m) return LINNET_MEMORY;
    for (int k = 0, at = 0; k < system->nhybrid; k++) {
        it->first[k] = at;
        at += system->hybrid[k].instance->block.type->ndelays;
    }
    for (int k = 0; k < count; k++) it->all[k] = (past){.gain = 1, .passed = LN_MOST_LEVEL};
    *delays = it;
    return LINNET_OK;
}

void ln_delays_free(ln_delays *delays) {
    for (int k = 0; delays != NULL && k < delays->count; k++) {
        ln_history_free(&delays->all[k].history);
        ln_sys->release(delays->all[k].breaks);
    }
}

int ln_delays_count(const ln_delays *delays) { return delays == NULL ? 0 : delays->count; }

void ln_delays_gain(ln_delays *delays, int k, double gain) { delays->all[k].gain = gain; }

int ln_delays_first(const ln_delays *delays, int index) { return delays->first[index]; }

/* ---- looking back ---- */

/* What rounding, and the merging of stops that are nearly one (grid.c), moves a time past by: a step that ends where a
 * break comes back is seen from within. */
static double nearly(double t, double decide, double lag) {
    return 4e-9 * fabs(t - decide) + 8 * DBL_EPSILON * fmax(fabs(t), lag);
}

/* The stretch of the past that is seen from a point. A delay that varies has just crossed a break, whatever the side. */
static int stretch_at(const past *it, const linnet_delay *asked, double t, double decide) {
    const double s = t - asked->lag;
    if (it->varies) return ln_history_stretch(&it->history, s, s, 0);
    return ln_history_stretch(&it->history, s, decide - asked->lag, nearly(t, decide, asked->lag));
}

/* Where the memories of an instance's delays stand. */
static int slots_at(const linnet_block_class *type) { return type->nmemories - type->nmodes - LN_SLOTS * type->ndelays; }

/* The stretches that the delays of an instance stand in while nothing is decided, LN_SLOTS apart. */
static double *standing(const ln_system *system, int index) {
    const ln_instance *instance = system->hybrid[index].instance;
    return system->memory + instance->first_memory + slots_at(instance->block.type) + LN_VALUE;
}

static void look(const past *it, const linnet_delay *asked, int stands, double t, double decide, double *out) {
    const int stretch = it->varies ? stands : stretch_at(it, asked, t, decide);
    ln_history_look(&it->history, stretch, t - asked->lag, t, asked->input, out);
}

/* No run goes on: the input, or what the delay gave at the point that is linearised; its gain is how much of a small
 * change comes through. */
static void pass_on(const past *h, const linnet_delay *asked, double *out) {
    out[LN_VALUE] = h->held ? h->held_value : asked->input;
    out[LN_WEIGHT] = h->gain;
    out[LN_SLOPE] = h->held ? h->held_slope : 0;
}

/* One delay as it is seen from the point. */
static void look_up(const ln_delays *delays, const past *it, const linnet_delay *asked, int stands,
                    const linnet_point *point, double *out) {
    if (asked->rate) {
        out[LN_VALUE] = asked->input, out[LN_WEIGHT] = 0;
        out[LN_SLOPE] = delays->phase == RUNNING ? ln_history_rate(&it->history, point->t, asked->input, it->slope) : 0;
    } else if (!(asked->lag >= 0)) {
        out[LN_VALUE] = out[LN_WEIGHT] = out[LN_SLOPE] = NAN;
    } else if (delays->phase == RUNNING) {
        look(it, asked, stands, point->t, point->decide, out);
    } else if (delays->phase == PASSING || isnan(asked->before) || asked->lag == 0) {
        pass_on(it, asked, out);
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
    for (int pass = 0; pass < type->ndelays; pass++) { /* an input may be another delay's value */
        type->delays(&instance->block, point, delays->asked);
        for (int k = pass; k < type->ndelays; k++)
            look_up(delays, &delays->all[delays->first[index] + k], &delays->asked[k], (int)stands[LN_SLOTS * k], point,
                    slot + LN_SLOTS * k);
    }
}

int ln_delays_ask_ahead(const ln_system *system, int index) {
    for (int k = 0; k < system->hybrid[index].instance->block.type->ndelays; k++)
        if (system->delays->asked[k].lag < 0) return 1;
    return 0;
}

/* ---- the run ---- */

/* The delays of an instance as they stand at a point, in delays->asked. */
static void ask(const ln_system *system, int index, double t, double decide, const double *x) {
    const ln_delays *delays = system->delays;
    const ln_active *active = &system->hybrid[index];
    const linnet_block_class *type = active->instance->block.type;
    const double *memory = system->memory + active->instance->first_memory;
    for (int j = 0; j < active->nlocal; j++) delays->x[j] = active->unknown[j] < 0 ? 0 : x[active->unknown[j]];
    memcpy(delays->m, memory, (size_t)type->nmemories * sizeof *memory);
    const linnet_point point = {t, decide, delays->x, delays->m};
    ln_delays_look(system, index, &point, delays->m);
    type->delays(&active->instance->block, &point, delays->asked);
}

double ln_delays_lag(const ln_system *system, int k, double t, const double *x) {
    const ln_delays *delays = system->delays;
    int index = system->nhybrid - 1;
    while (delays->first[index] > k) index--;
    ask(system, index, t, t, x);
    return delays->asked[k - delays->first[index]].lag;
}

static void let_go(ln_delays *delays) {
    for (int k = 0; k < delays->count; k++) delays->all[k].held = 0;
}

void ln_delays_start(ln_system *system) {
    let_go(system->delays);
    system->delays->phase = STARTING;
}

void ln_delays_hold(ln_system *system, double t, double decide, const double *x) {
    ln_delays *delays = system->delays;
    let_go(delays);
    for (int index = 0; index < system->nhybrid; index++) {
        const linnet_block_class *type = system->hybrid[index].instance->block.type;
        if (type->ndelays == 0) continue;
        ask(system, index, t, decide, x);
        const double *slot = delays->m + slots_at(type);
        for (int k = 0; k < type->ndelays; k++, slot += LN_SLOTS) {
            past *it = &delays->all[delays->first[index] + k];
            it->held = 1;
            it->held_value = slot[LN_VALUE];
            it->held_slope = slot[LN_SLOPE];
        }
    }
}

static linnet_status begin(past *it, const linnet_delay *asked, int varies, double t, double decide, double *stands) {
    const double before = isnan(asked->before) ? asked->input : asked->before;
    it->nbreaks = 0;
    it->lag = asked->lag;
    it->rate = asked->rate;
    it->varies = varies && !asked->rate;
    it->slope = 0;
    it->passed = LN_MOST_LEVEL;
    if (!ln_history_begin(&it->history, t, asked->input, before)) return LINNET_MEMORY;
    if (it->varies) *stands = stretch_at(it, asked, t, decide);
    if (it->rate || it->varies) return LINNET_OK;
    if (!LN_GROW(it->breaks, it->nbreaks, it->breaks_room)) return LINNET_MEMORY;
    it->breaks[it->nbreaks++] = (comeback){t + asked->lag, ln_history_last(&it->history)->level};
    return LINNET_OK;
}

linnet_status ln_delays_begin(ln_system *system, double t, double decide, const double *x) {
    ln_delays *delays = system->delays;
    let_go(delays);
    for (int index = 0; index < system->nhybrid; index++) {
        const linnet_block_class *type = system->hybrid[index].instance->block.type;
        if (type->ndelays == 0) continue;
        ask(system, index, t, decide, x);
        for (int k = 0; k < type->ndelays; k++)
            LN_TRY(begin(&delays->all[delays->first[index] + k], &delays->asked[k], type->lags_vary, t, decide,
                         standing(system, index) + LN_SLOTS * k));
    }
    delays->phase = RUNNING;
    return LINNET_OK;
}

/* ---- breaks ---- */

/* 1 when the break is what happens at t. */
static int is_due(const comeback *it, double lag, double t) { return !(it->t > t + 1e-9 * lag); }

/* How smooth all is at a break at t: by one derivative more than the one that has come back, in whichever delay; of
 * another origin (an event, a corner elsewhere) a kink. */
static int level_at(const ln_delays *delays, double t) {
    int level = LN_MOST_LEVEL;
    for (int k = 0; k < delays->count; k++) {
        const past *it = &delays->all[k];
        if (it->passed < level) level = it->passed;
        for (size_t i = 0; i < it->nbreaks; i++)
            if (is_due(&it->breaks[i], it->lag, t) && it->breaks[i].level < level) level = it->breaks[i].level;
    }
    return level < LN_MOST_LEVEL ? level + 1 : 1;
}

/* The break at t comes back lag later. */
static linnet_status add_break(past *h, double t, int level) {
    size_t kept = 0;
    for (size_t k = 0; k < h->nbreaks; k++)
        if (!is_due(&h->breaks[k], h->lag, t)) h->breaks[kept++] = h->breaks[k];
    h->nbreaks = kept;
    if (level >= LN_MOST_LEVEL) return LINNET_OK;
    for (size_t k = 0; k < kept; k++) {
        if (fabs(h->breaks[k].t - (t + h->lag)) > 1e-9 * h->lag) continue; /* two ways round of the same length */
        if (level < h->breaks[k].level) h->breaks[k].level = level;
        return LINNET_OK;
    }
    if (!LN_GROW(h->breaks, h->nbreaks, h->breaks_room)) return LINNET_MEMORY;
    h->breaks[h->nbreaks++] = (comeback){t + h->lag, level};
    return LINNET_OK;
}

/* A point of the trajectory, at a break if level says so. */
static linnet_status accept(past *it, const linnet_delay *asked, double t, double decide, int level, double *stands) {
    const ln_past_sample last = *ln_history_last(&it->history);
    it->lag = asked->lag;
    if (it->rate) it->slope = ln_history_rate(&it->history, t, asked->input, it->slope);
    if (level < LN_MOST_LEVEL && last.t == t && fabs(last.u - asked->input) > 1e-9 * fabs(last.u)) level = 0;
    if (level <= LN_MOST_LEVEL && !it->rate && !it->varies) LN_TRY(add_break(it, t, level));
    if (!ln_history_add(&it->history, t, asked->input, level)) return LINNET_MEMORY;
    if (it->varies && level <= LN_SPLITS) *stands = stretch_at(it, asked, t, decide); /* one without lag sees it at once */
    ln_history_forget(&it->history, t - asked->most);
    return LINNET_OK;
}

linnet_status ln_delays_accept(ln_system *system, double t, double decide, const double *x, int is_break) {
    ln_delays *delays = system->delays;
    const int level = is_break ? level_at(delays, t) : NO_BREAK;
    for (int index = 0; index < system->nhybrid; index++) {
        const int count = system->hybrid[index].instance->block.type->ndelays;
        if (count == 0) continue;
        ask(system, index, t, decide, x);
        for (int k = 0; k < count; k++)
            LN_TRY(accept(&delays->all[delays->first[index] + k], &delays->asked[k], t, decide, level,
                          standing(system, index) + LN_SLOTS * k));
    }
    for (int k = 0; is_break && k < delays->count; k++) delays->all[k].passed = LN_MOST_LEVEL;
    return LINNET_OK;
}

/* ---- delays that vary ---- */

int ln_delays_decide(ln_system *system, int index, const linnet_point *point, const char *eager, int *which) {
    const ln_delays *delays = system->delays;
    const linnet_block *block = &system->hybrid[index].instance->block;
    double *stands = standing(system, index);
    int changed = 0;
    if (delays->phase != RUNNING) return 0;
    block->type->delays(block, point, delays->asked);
    for (int k = 0; k < block->type->ndelays; k++) {
        past *it = &delays->all[delays->first[index] + k];
        if (!it->varies || !(delays->asked[k].lag >= 0) || (eager != NULL && !eager[k])) continue;
        const int old = (int)stands[LN_SLOTS * k], now = stretch_at(it, &delays->asked[k], point->t, point->decide);
        if (now == old) continue;
        stands[LN_SLOTS * k] = now;
        it->passed = ln_history_border(&it->history, old, now);
        if (which != NULL) *which = k;
        changed++;
    }
    return changed;
}

void ln_delays_guards(const ln_system *system, int index, const linnet_point *point, double *guard) {
    const ln_delays *delays = system->delays;
    const linnet_block *block = &system->hybrid[index].instance->block;
    const double *stands = standing(system, index);
    block->type->delays(block, point, delays->asked);
    for (int k = 0; k < block->type->ndelays; k++) {
        const past *it = &delays->all[delays->first[index] + k];
        guard[k] = INFINITY;
        if (delays->phase == RUNNING && it->varies)
            guard[k] = ln_history_inside(&it->history, (int)stands[LN_SLOTS * k], point->t - delays->asked[k].lag);
    }
}

/* ---- what a run asks ---- */

double ln_delays_roughness(const ln_delays *delays) {
    double worst = 0;
    for (int k = 0; k < delays->count; k++) worst = fmax(worst, ln_history_roughness(&delays->all[k].history));
    return worst;
}

void ln_delays_end(ln_system *system) { system->delays->phase = PASSING; }

double ln_delays_next_break(const ln_delays *delays, double t) {
    double next = INFINITY;
    for (int k = 0; k < delays->count; k++)
        for (size_t i = 0; i < delays->all[k].nbreaks; i++)
            if (delays->all[k].breaks[i].t > t && delays->all[k].breaks[i].t < next) next = delays->all[k].breaks[i].t;
    return next;
}

/* ---- to bytes and back ---- */

void ln_delays_save(const ln_delays *delays, ln_bytes *bytes) {
    ln_bytes_put_long(bytes, delays->count);
    for (int k = 0; k < delays->count; k++) {
        const past *it = &delays->all[k];
        ln_history_save(&it->history, bytes);
        ln_bytes_put_long(bytes, (long long)it->nbreaks);
        for (size_t i = 0; i < it->nbreaks; i++) {
            ln_bytes_put_double(bytes, it->breaks[i].t);
            ln_bytes_put_long(bytes, it->breaks[i].level);
        }
        ln_bytes_put_double(bytes, it->lag);
        ln_bytes_put_long(bytes, it->rate);
        ln_bytes_put_long(bytes, it->varies);
        ln_bytes_put_double(bytes, it->slope);
    }
}

static int load(past *it, ln_bytes *bytes) {
    if (!ln_history_load(&it->history, bytes)) return 0;
    it->nbreaks = 0;
    for (long long left = ln_bytes_get_long(bytes); left > 0 && !bytes->failed; left--) {
        if (!LN_GROW(it->breaks, it->nbreaks, it->breaks_room)) return 0;
        comeback *one = &it->breaks[it->nbreaks++];
        one->t = ln_bytes_get_double(bytes);
        one->level = (int)ln_bytes_get_long(bytes);
    }
    it->lag = ln_bytes_get_double(bytes);
    it->rate = ln_bytes_get_long(bytes) != 0;
    it->varies = ln_bytes_get_long(bytes) != 0;
    it->slope = ln_bytes_get_double(bytes);
    return !bytes->failed;
}

int ln_delays_load(ln_delays *delays, ln_bytes *bytes) {
    if (ln_bytes_get_long(bytes) != delays->count) return 0;
    for (int k = 0; k < delays->count; k++)
        if (!load(&delays->all[k], bytes)) return 0;
    delays->phase = RUNNING;
    return 1;
}
