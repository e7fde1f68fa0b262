/* SPDX-License-Identifier: MIT */
/* The histories of delays: see delay.h. */
#include "system/delay.h"

#include "base/sys.h"
#include "system/active.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* A break up to level SPLITS is not interpolated across; a smoother one harms less than a stretch of few samples does. */
enum { NODES = 6, MOST_LEVEL = 6, SPLITS = 2, VALUE = 0, WEIGHT = 1, SLOPE = 2, SLOTS = 3 };

typedef struct sample { double t, u; int segment; } sample;   /* segments are what lies between breaks                 */
typedef struct comeback { double t; int level; } comeback;    /* when a break comes back, and how smooth it is by then */

typedef struct history {
    sample *samples; size_t count, room, first;               /* those from `first` on are still asked for             */
    comeback *breaks; size_t nbreaks, breaks_room;
    double before;
    double lag;                                               /* at the last accepted point                            */
    int rate;                                                 /* of a rate: nothing comes back                         */
    double slope;                                             /* of a rate: at the last accepted point                 */
    double gain;
    int held; double held_value, held_slope;                  /* what it gave where the system is linearised           */
    double reach;                                             /* largest |u| so far                                    */
} history;

struct ln_delays {
    history *all; int count;
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
    it->all = LN_NEW(system->arena, history, count);
    it->first = LN_NEW(system->arena, int, system->nhybrid);
    it->asked = LN_NEW(system->arena, linnet_delay, most);
    it->x = LN_NEW(system->arena, double, locals);
    it->m = LN_NEW(system->arena, double, memories);
    if (!it->all || !it->first || !it->asked || !it->x || !it->m) return LINNET_MEMORY;
    for (int k = 0, at = 0; k < system->nhybrid; k++) {
        it->first[k] = at;
        at += system->hybrid[k].instance->block.type->ndelays;
    }
    for (int k = 0; k < count; k++) it->all[k] = (history){.gain = 1};
    *delays = it;
    return LINNET_OK;
}

void ln_delays_free(ln_delays *delays) {
    for (int k = 0; delays != NULL && k < delays->count; k++) {
        ln_sys->release(delays->all[k].samples);
        ln_sys->release(delays->all[k].breaks);
    }
}

int ln_delays_count(const ln_delays *delays) { return delays == NULL ? 0 : delays->count; }

void ln_delays_gain(ln_delays *delays, int k, double gain) { delays->all[k].gain = gain; }

int ln_delays_first(const ln_delays *delays, int index) { return delays->first[index]; }

/* ---- looking back ---- */

/* Value and derivative at s of the polynomial through n nodes, and the weight of the last node [Berrut and Trefethen,
 * SIAM Rev. 46 (2004) 501: the Lagrange form; the derivative term by term]. */
static void interpolate(const double *t, const double *u, int n, double s, double out[SLOTS]) {
    out[VALUE] = out[WEIGHT] = out[SLOPE] = 0;
    for (int i = 0; i < n; i++) {
        double basis = 1, slope = 0;
        for (int j = 0; j < n; j++) {
            if (j == i) continue;
            double part = 1 / (t[i] - t[j]);
            slope = slope * (s - t[j]) * part + basis * part;
            basis *= (s - t[j]) * part;
        }
        out[VALUE] += u[i] * basis;
        out[SLOPE] += u[i] * slope;
        out[WEIGHT] = basis;
    }
}

/* The first sample of the stretch behind s: samples[i - 1].t <= s < samples[i].t, by bisection. */
static size_t find(const history *h, double s) {
    size_t low = h->first, high = h->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (h->samples[middle].t <= s) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Nodes that stand in a heap, as they do after a restart, say little and cost digits: the next one outwards must be apart
 * from the last by a part of the stretch that is interpolated. */
static const double APART = 0.25;

/* s lies behind the last sample, in the step at hand, at whose end the input is u. */
static void look_within(const history *h, double s, double t, double u, double out[SLOTS]) {
    double times[NODES], values[NODES];
    int n = 0;
    const sample *last = &h->samples[h->count - 1];
    const double apart = APART * (t - last->t);
    for (size_t k = h->count; k > h->first && n < NODES - 1; k--) {
        const sample *it = &h->samples[k - 1];
        if (it->segment != last->segment) break;
        if (n > 0 && times[n - 1] - it->t < apart) continue;
        times[n] = it->t;
        values[n++] = it->u;
    }
    if (t > last->t) {
        times[n] = t;
        values[n++] = u;
    }
    interpolate(times, values, n, s, out);
    if (!(t > last->t)) out[WEIGHT] = 0;
}

/* s lies between samples. */
static void look_between(const history *h, double s, double side, double out[SLOTS]) {
    double times[NODES], values[NODES];
    size_t right = find(h, s);
    /* at a break there are two samples of one time: which side, `side` says */
    while (right > h->first + 1 && h->samples[right - 1].t == s && side < s) right--;
    if (right == h->first) right++;
    if (right == h->count) right--;
    const int segment = h->samples[right].segment;
    const double apart = right > h->first ? APART * (h->samples[right].t - h->samples[right - 1].t) : 0;
    double leftmost = INFINITY, rightmost = -INFINITY;
    size_t low = right, high = right; /* the next candidates: low - 1 and high */
    int n = 0;
    while (n < NODES) {
        while (low > h->first && h->samples[low - 1].segment == segment && leftmost - h->samples[low - 1].t < apart) low--;
        while (high < h->count && h->samples[high].segment == segment && h->samples[high].t - rightmost < apart) high++;
        int down = low > h->first && h->samples[low - 1].segment == segment;
        int up = high < h->count && h->samples[high].segment == segment;
        if (!down && !up) break;
        const sample *it;
        if (down && (!up || s - h->samples[low - 1].t <= h->samples[high].t - s)) leftmost = (it = &h->samples[--low])->t;
        else rightmost = (it = &h->samples[high++])->t;
        times[n] = it->t;
        values[n++] = it->u;
    }
    interpolate(times, values, n, s, out);
    out[WEIGHT] = 0;
}

/* How fast u changes, at t: by the polynomial through u and the samples before it. What is no more than rounding or a
 * solver's tolerance is no change: then the last rate stays, lest something at rest turn back and forth. */
static double rate_at(const history *h, double t, double u) {
    static const double noise = 1e-9, jump = 1e30;
    const sample *last = &h->samples[h->count - 1];
    const double least = noise * fmax(h->reach, fabs(u));
    double out[SLOTS], change = fabs(u - last->u);
    if (!(t > last->t)) return change > least ? copysign(jump, u - last->u) : h->slope;
    for (size_t k = h->count; k > h->first && h->count - k < NODES - 1; k--)
        if (h->samples[k - 1].segment == last->segment) change = fmax(change, fabs(u - h->samples[k - 1].u));
    if (!(change > least)) return h->slope;
    look_within(h, t, t, u, out);
    return out[SLOPE];
}

/* s, or the break that it misses by no more than rounding and the merging of stops that are nearly one (grid.c): a step
 * that ends where a break comes back is seen from within. */
static double on_break(const history *h, double s, double t, double decide, double lag) {
    const double near = 4e-9 * fabs(t - decide) + 8 * DBL_EPSILON * fmax(fabs(t), lag);
    const size_t right = find(h, s - near);
    for (size_t k = right; k < h->count && h->samples[k].t <= s + near; k++)
        if (k == 0 || h->samples[k].segment != h->samples[k - 1].segment) return h->samples[k].t;
    return s;
}

static void look(const history *h, const linnet_delay *asked, double t, double decide, double out[SLOTS]) {
    const double side = decide - asked->lag, s = on_break(h, t - asked->lag, t, decide, asked->lag);
    const sample *last = &h->samples[h->count - 1];
    if (s < h->samples[0].t || (s == h->samples[0].t && side < s)) {
        out[VALUE] = h->before;
        out[WEIGHT] = out[SLOPE] = 0;
    } else if (s > last->t || (s == last->t && side >= s)) {
        look_within(h, s, t, asked->input, out);
    } else {
        look_between(h, s, side, out);
    }
}

/* No run goes on: the input, or what the delay gave at the point that is linearised; its gain is how much of a small
 * change comes through. */
static void pass_on(const history *h, const linnet_delay *asked, double out[SLOTS]) {
    out[VALUE] = h->held ? h->held_value : asked->input;
    out[WEIGHT] = h->gain;
    out[SLOPE] = h->held ? h->held_slope : 0;
}

void ln_delays_look(const ln_system *system, int index, const linnet_point *point, double *m) {
    const ln_delays *delays = system->delays;
    const ln_instance *instance = system->hybrid[index].instance;
    const linnet_block_class *type = instance->block.type;
    double *slot = m + type->nmemories - type->nmodes - SLOTS * type->ndelays;
    for (int pass = 0; pass < type->ndelays; pass++) { /* an input may be another delay's value */
        type->delays(&instance->block, point, delays->asked);
        for (int k = pass; k < type->ndelays; k++) {
            const history *h = &delays->all[delays->first[index] + k];
            const linnet_delay *asked = &delays->asked[k];
            double *out = slot + SLOTS * k;
            if (asked->rate) {
                out[VALUE] = asked->input, out[WEIGHT] = 0;
                out[SLOPE] = delays->phase == RUNNING ? rate_at(h, point->t, asked->input) : 0;
            } else if (!(asked->lag >= 0)) out[VALUE] = out[WEIGHT] = out[SLOPE] = NAN;
            else if (delays->phase == RUNNING) look(h, asked, point->t, point->decide, out);
            else if (delays->phase == PASSING || isnan(asked->before) || asked->lag == 0) pass_on(h, asked, out);
            else out[VALUE] = asked->before, out[WEIGHT] = out[SLOPE] = 0;
        }
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

static linnet_status add(history *h, double t, double u, int segment) {
    h->reach = fmax(h->reach, fabs(u));
    if (h->count > h->first && h->samples[h->count - 1].t == t && h->samples[h->count - 1].segment == segment) {
        h->samples[h->count - 1].u = u;
        return LINNET_OK;
    }
    if (!LN_GROW(h->samples, h->count, h->room)) return LINNET_MEMORY;
    h->samples[h->count++] = (sample){t, u, segment};
    return LINNET_OK;
}

/* Forgets samples that nobody will ask for, now and then, so that nothing is moved often. */
static void forget(history *h, double oldest) {
    while (h->first + NODES < h->count && h->samples[h->first + NODES].t < oldest) h->first++;
    if (h->first < 1024 || h->first < h->count / 2) return;
    memmove(h->samples, h->samples + h->first, (h->count - h->first) * sizeof *h->samples);
    h->count -= h->first;
    h->first = 0;
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
        const double *slot = delays->m + type->nmemories - type->nmodes - SLOTS * type->ndelays;
        for (int k = 0; k < type->ndelays; k++, slot += SLOTS) {
            history *h = &delays->all[delays->first[index] + k];
            h->held = 1;
            h->held_value = slot[VALUE];
            h->held_slope = slot[SLOPE];
        }
    }
}

linnet_status ln_delays_begin(ln_system *system, double t, double decide, const double *x) {
    ln_delays *delays = system->delays;
    let_go(delays);
    for (int index = 0; index < system->nhybrid; index++) {
        const int count = system->hybrid[index].instance->block.type->ndelays;
        if (count == 0) continue;
        ask(system, index, t, decide, x);
        for (int k = 0; k < count; k++) {
            history *h = &delays->all[delays->first[index] + k];
            const linnet_delay *asked = &delays->asked[k];
            h->count = h->first = h->nbreaks = 0;
            h->reach = 0;
            h->before = isnan(asked->before) ? asked->input : asked->before;
            h->lag = asked->lag;
            h->rate = asked->rate;
            h->slope = 0;
            if (add(h, t, asked->input, 0) != LINNET_OK) return LINNET_MEMORY;
            if (h->rate) continue;
            if (!LN_GROW(h->breaks, h->nbreaks, h->breaks_room)) return LINNET_MEMORY;
            h->breaks[h->nbreaks++] = (comeback){t + asked->lag, h->before == asked->input ? 1 : 0};
        }
    }
    delays->phase = RUNNING;
    return LINNET_OK;
}

/* 1 when the break is what happens at t. */
static int is_due(const comeback *it, const history *h, double t) { return !(it->t > t + 1e-9 * h->lag); }

/* How smooth all is at a break at t: by one derivative more than the one that has come back, in whichever delay; of
 * another origin (an event, a corner elsewhere) a kink. */
static int level_at(const ln_delays *delays, double t) {
    int level = 0;
    for (int k = 0; k < delays->count; k++)
        for (size_t i = 0; i < delays->all[k].nbreaks; i++) {
            const comeback *it = &delays->all[k].breaks[i];
            if (is_due(it, &delays->all[k], t) && (level == 0 || it->level + 1 < level)) level = it->level + 1;
        }
    return level > 0 ? level : 1;
}

/* The break at t comes back lag later. */
static linnet_status add_break(history *h, double t, int level) {
    size_t kept = 0;
    for (size_t k = 0; k < h->nbreaks; k++)
        if (!is_due(&h->breaks[k], h, t)) h->breaks[kept++] = h->breaks[k];
    h->nbreaks = kept;
    if (level >= MOST_LEVEL) return LINNET_OK;
    for (size_t k = 0; k < kept; k++) {
        if (fabs(h->breaks[k].t - (t + h->lag)) > 1e-9 * h->lag) continue; /* two ways round of the same length */
        if (level < h->breaks[k].level) h->breaks[k].level = level;
        return LINNET_OK;
    }
    if (!LN_GROW(h->breaks, h->nbreaks, h->breaks_room)) return LINNET_MEMORY;
    h->breaks[h->nbreaks++] = (comeback){t + h->lag, level};
    return LINNET_OK;
}

linnet_status ln_delays_accept(ln_system *system, double t, double decide, const double *x, int is_break) {
    ln_delays *delays = system->delays;
    const int level = is_break ? level_at(delays, t) : MOST_LEVEL;
    for (int index = 0; index < system->nhybrid; index++) {
        const int count = system->hybrid[index].instance->block.type->ndelays;
        if (count == 0) continue;
        ask(system, index, t, decide, x);
        for (int k = 0; k < count; k++) {
            history *h = &delays->all[delays->first[index] + k];
            const linnet_delay *asked = &delays->asked[k];
            const sample last = h->samples[h->count - 1];
            h->lag = asked->lag;
            if (h->rate) h->slope = rate_at(h, t, asked->input);
            const int jumps = last.t == t && fabs(last.u - asked->input) > 1e-9 * fabs(last.u);
            if (is_break && !h->rate && add_break(h, t, jumps ? 0 : level) != LINNET_OK) return LINNET_MEMORY;
            if (add(h, t, asked->input, last.segment + (is_break && (jumps || level <= SPLITS))) != LINNET_OK)
                return LINNET_MEMORY;
            forget(h, t - asked->most);
        }
    }
    return LINNET_OK;
}

double ln_delays_roughness(const ln_delays *delays) {
    double worst = 0;
    for (int k = 0; k < delays->count; k++) {
        const history *h = &delays->all[k];
        double times[NODES], values[NODES], out[SLOTS];
        const sample *left_out = h->count >= h->first + NODES ? &h->samples[h->count - 3] : NULL;
        int n = 0;
        for (size_t i = h->count; left_out != NULL && i > h->count - NODES; i--) {
            const sample *it = &h->samples[i - 1];
            if (it->segment != left_out->segment) left_out = NULL;
            else if (it != left_out) times[n] = it->t, values[n++] = it->u;
        }
        if (left_out == NULL || h->reach == 0) continue;
        interpolate(times, values, n, left_out->t, out);
        worst = fmax(worst, fabs(out[VALUE] - left_out->u) / h->reach);
    }
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
        const history *h = &delays->all[k];
        ln_bytes_put_long(bytes, (long long)(h->count - h->first));
        for (size_t i = h->first; i < h->count; i++) {
            ln_bytes_put_double(bytes, h->samples[i].t);
            ln_bytes_put_double(bytes, h->samples[i].u);
            ln_bytes_put_long(bytes, h->samples[i].segment);
        }
        ln_bytes_put_long(bytes, (long long)h->nbreaks);
        for (size_t i = 0; i < h->nbreaks; i++) {
            ln_bytes_put_double(bytes, h->breaks[i].t);
            ln_bytes_put_long(bytes, h->breaks[i].level);
        }
        ln_bytes_put_double(bytes, h->before);
        ln_bytes_put_double(bytes, h->lag);
        ln_bytes_put_double(bytes, h->reach);
        ln_bytes_put_long(bytes, h->rate);
        ln_bytes_put_double(bytes, h->slope);
    }
}

static int load_history(history *h, ln_bytes *bytes) {
    h->count = h->first = h->nbreaks = 0;
    for (long long left = ln_bytes_get_long(bytes); left > 0 && !bytes->failed; left--) {
        if (!LN_GROW(h->samples, h->count, h->room)) return 0;
        sample *it = &h->samples[h->count++];
        it->t = ln_bytes_get_double(bytes);
        it->u = ln_bytes_get_double(bytes);
        it->segment = (int)ln_bytes_get_long(bytes);
    }
    for (long long left = ln_bytes_get_long(bytes); left > 0 && !bytes->failed; left--) {
        if (!LN_GROW(h->breaks, h->nbreaks, h->breaks_room)) return 0;
        comeback *it = &h->breaks[h->nbreaks++];
        it->t = ln_bytes_get_double(bytes);
        it->level = (int)ln_bytes_get_long(bytes);
    }
    h->before = ln_bytes_get_double(bytes);
    h->lag = ln_bytes_get_double(bytes);
    h->reach = ln_bytes_get_double(bytes);
    h->rate = ln_bytes_get_long(bytes) != 0;
    h->slope = ln_bytes_get_double(bytes);
    return !bytes->failed && h->count > 0;
}

int ln_delays_load(ln_delays *delays, ln_bytes *bytes) {
    if (ln_bytes_get_long(bytes) != delays->count) return 0;
    for (int k = 0; k < delays->count; k++)
        if (!load_history(&delays->all[k], bytes)) return 0;
    delays->phase = RUNNING;
    return 1;
}
