/* SPDX-License-Identifier: MIT */
/* The past of a signal: see history.h.
 *
 * Samples are the points that a run has accepted, whatever its method. A polynomial of degree 5
 * through six of them errs by a term of order 6 in their distance. */
#include "system/history.h"

#include "base/arena.h"
#include "base/sys.h"
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { NODES = 6 };

void ln_history_free(ln_history *history) {
    ln_sys->release(history->samples);
}

/* ---- samples ---- */

static int append(ln_history *history, ln_history_sample sample) {
    assert(history->count == 0 ||
           sample.t >= history->samples[history->count - 1].t); /* time never falls */
    history->peak = fmax(history->peak, fabs(sample.u));
    if (!LN_GROW(history->samples, history->count, history->room))
        return 0;
    history->samples[history->count++] = sample;
    return 1;
}

int ln_history_begin(ln_history *history, double t, double u, double before) {
    history->count = history->first_kept = 0;
    history->peak = 0;
    history->value_before = before;
    history->t_begin = t;
    history->no_reversal_before = t;
    history->reversal_stretch = 0;
    return append(history, (ln_history_sample){
                               .t = t, .u = u, .order = before == u ? 1 /* kink */ : 0 /* jump */});
}

/* A breakpoint up to LN_SPLIT_ORDER begins a new stretch with a sample at the same time, so the two
 * limits of a jump are both kept. A second sample at one time without that replaces the first. */
int ln_history_add(ln_history *history, double t, double u, int order) {
    ln_history_sample *last = &history->samples[history->count - 1];
    assert(history->count > 0 && order >= 0); /* begun */
    if (order <= LN_SPLIT_ORDER)
        return append(history, (ln_history_sample){t, u, last->stretch + 1, order, 0});
    if (last->t < t)
        return append(history, (ln_history_sample){t, u, last->stretch, last->order,
                                                   order == LN_WITHIN_STEP_ORDER});
    last->u = u;
    last->within_step = 0;
    history->peak = fmax(history->peak, fabs(u));
    return 1;
}

void ln_history_drop_within(ln_history *history) {
    while (history->samples[history->count - 1].within_step)
        history->count--;
}

/* Samples that no delay reaches any more are dropped, but for the NODES that an interpolation at
 * the oldest time needs. They are moved only when half of the array is free, which costs a constant
 * time a sample. */
void ln_history_forget(ln_history *history, double oldest) {
    while (history->first_kept + NODES < history->count &&
           history->samples[history->first_kept + NODES].t < oldest)
        history->first_kept++;
    if (history->first_kept < 1024 || history->first_kept < history->count / 2)
        return;
    memmove(history->samples, history->samples + history->first_kept,
            (history->count - history->first_kept) * sizeof *history->samples);
    history->count -= history->first_kept;
    history->first_kept = 0;
}

/* ---- stretches ---- */

size_t ln_history_later(const ln_history *history, double when) {
    size_t low = history->first_kept, high = history->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (history->samples[middle].t <= when)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first sample of a stretch, or of the next one that is still remembered. */
static size_t first_sample_of(const ln_history *history, int stretch) {
    size_t low = history->first_kept, high = history->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (history->samples[middle].stretch < stretch)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int ln_history_stretch(const ln_history *history, double when) {
    const size_t k = ln_history_later(history, when);
    if (k > history->first_kept)
        return history->samples[k - 1].stretch;
    return history->samples[history->first_kept].t == history->t_begin
               ? LN_BEFORE
               : history->samples[history->first_kept].stretch;
}

double ln_history_depth(const ln_history *history, int stretch, double when) {
    if (stretch == LN_BEFORE)
        return history->t_begin - when;
    const double begin =
        stretch == 0 ? history->t_begin : history->samples[first_sample_of(history, stretch)].t;
    const size_t next = first_sample_of(history, stretch + 1);
    return next < history->count ? fmin(when - begin, history->samples[next].t - when)
                                 : when - begin;
}

int ln_history_order_between(const ln_history *history, int one, int other) {
    const size_t k = first_sample_of(history, one > other ? one : other);
    return k < history->count ? history->samples[k].order : LN_SMOOTH_ORDER;
}

/* ---- interpolation ---- */

/* Value and derivative at `when` of the polynomial through n nodes, and the weight of the last
 * node: callers that want LN_WEIGHT put the step's end last. Lagrange's form, product by product,
 * the derivative by the product rule. */
static void interpolate(const double *t, const double *u, int n, double when, double *out) {
    out[LN_VALUE] = out[LN_WEIGHT] = out[LN_SLOPE] = 0;
    for (int i = 0; i < n; i++) {
        double basis = 1, slope = 0;
        for (int j = 0; j < n; j++) {
            if (j == i)
                continue;
            double part = 1 / (t[i] - t[j]);
            slope = slope * (when - t[j]) * part + basis * part;
            basis *= (when - t[j]) * part;
        }
        out[LN_VALUE] += u[i] * basis;
        out[LN_SLOPE] += u[i] * slope;
        out[LN_WEIGHT] = basis;
    }
}

/* Clustered nodes, as after a restart, add little and cost digits: the next one outwards lies at
 * least this part of the interval between samples that contains `when` beyond the last one. */
static const double LEAST_SPACING = 0.25;

/* Interpolates in the step at hand, between the last sample and the step's end (t, u), which is the
 * last node: so the delay is implicit. The slope at its end is asked for, too: a cluster behind a
 * long interval, of instants picoseconds apart, would make anything of it. */
static void interpolate_in_step(const ln_history *history, double when, double t, double u,
                                double *out) {
    double times[NODES], values[NODES];
    int n = 0;
    const ln_history_sample *last = ln_history_last(history);
    double apart = LEAST_SPACING * (t - last->t);
    for (size_t k = history->count; k > history->first_kept && n < NODES - 1; k--) {
        const ln_history_sample *sample = &history->samples[k - 1];
        if (sample->stretch != last->stretch)
            break;
        if (n > 0 && times[n - 1] - sample->t < apart)
            continue;
        if (n > 0)
            apart = fmax(apart, LEAST_SPACING * (times[n - 1] - sample->t));
        times[n] = sample->t;
        values[n++] = sample->u;
    }
    if (t > last->t) {
        times[n] = t;
        values[n++] = u;
    }
    interpolate(times, values, n, when, out);
    if (!(t > last->t))
        out[LN_WEIGHT] = 0;
}

/* By the points of the one step that has the interval between the samples right - 1 and right, its
 * ends among them. */
static void interpolate_step(const ln_history *history, size_t first, size_t right, double s,
                             double *out) {
    double times[NODES], values[NODES];
    size_t low = right - 1;
    int n = 0;
    while (low > first && history->samples[low].within_step && right - low < NODES - 1)
        low--;
    for (size_t k = low; n < NODES && k < history->count; k++) {
        times[n] = history->samples[k].t;
        values[n++] = history->samples[k].u;
        if (k >= right && !history->samples[k].within_step)
            break;
    }
    interpolate(times, values, n, s, out);
}

/* By the samples nearest to `when` that lie LEAST_SPACING apart, of those before `end` and not
 * before `first`. */
static void interpolate_steps(const ln_history *history, size_t first, size_t end, size_t right,
                              double when, double *out) {
    double times[NODES], values[NODES];
    const double apart =
        right > first ? LEAST_SPACING * (history->samples[right].t - history->samples[right - 1].t)
                      : 0;
    double leftmost = INFINITY, rightmost = -INFINITY;
    size_t low = right, high = right; /* the next candidates: low - 1 and high */
    int n = 0;
    while (n < NODES) {
        while (low > first && leftmost - history->samples[low - 1].t < apart)
            low--;
        while (high < end && history->samples[high].t - rightmost < apart)
            high++;
        const int down = low > first, up = high < end;
        if (!down && !up)
            break;
        const ln_history_sample *sample;
        if (down && (!up || when - history->samples[low - 1].t <= history->samples[high].t - when))
            leftmost = (sample = &history->samples[--low])->t;
        else
            rightmost = (sample = &history->samples[high++])->t;
        times[n] = sample->t;
        values[n++] = sample->u;
    }
    interpolate(times, values, n, when, out);
}

/* By the samples first <= k < end of one stretch. */
static void interpolate_samples(const ln_history *history, size_t first, size_t end, double when,
                                double *out) {
    size_t right = ln_history_later(history, when);
    right = right < first ? first : right < end ? right : end - 1;
    if (right > first &&
        (history->samples[right].within_step || history->samples[right - 1].within_step))
        interpolate_step(history, first, right, when, out);
    else
        interpolate_steps(history, first, end, right, when, out);
    out[LN_WEIGHT] = 0;
}

void ln_history_evaluate(const ln_history *history, int stretch, double when, double t, double u,
                         double *out) {
    const ln_history_sample *last = ln_history_last(history);
    if (stretch == LN_BEFORE) {
        out[LN_VALUE] = history->value_before;
        out[LN_WEIGHT] = out[LN_SLOPE] = 0;
    } else if (stretch == last->stretch && when >= last->t) {
        interpolate_in_step(history, when, t, u, out);
    } else {
        const size_t first = first_sample_of(history, stretch),
                     end = first_sample_of(history, stretch + 1);
        interpolate_samples(history, first < history->count ? first : first - 1,
                            end > first ? end : first + 1, when, out);
    }
}

/* The slope at the sample `at`, by the step with the interval between right - 1 and right. */
static double slope_by_step(const ln_history *history, size_t right, size_t at) {
    double out[LN_DELAY_OUTPUTS];
    interpolate_step(history, first_sample_of(history, history->samples[right].stretch), right,
                     history->samples[at].t, out);
    return out[LN_SLOPE];
}

double ln_history_slope_jump(const ln_history *history, double when) {
    /* a breakpoint comes back where rounding puts it */
    const double same = 1e-9 * (ln_history_last(history)->t - when);
    const size_t at = ln_history_later(history, when - same),
                 after = ln_history_later(history, when + same);
    if (!(at > history->first_kept) || !(at < after) || !(after < history->count) ||
        history->samples[at - 1].stretch != history->samples[at].stretch ||
        history->samples[after - 1].stretch != history->samples[after].stretch)
        return 0;
    return slope_by_step(history, after, after - 1) - slope_by_step(history, at, at);
}

/* A change of less than `noise` times the signal's size is none: the slope keeps its sign, lest
 * something at rest turn back and forth, and is at most what such noise could hide, noise divided
 * by the time since the oldest sample: what rests after a jump has no slope. */
double ln_history_rate(const ln_history *history, double t, double u, double noise, double slope) {
    static const double jump = 1e30;
    const ln_history_sample *last = ln_history_last(history);
    const double least = noise * fmax(history->peak, fabs(u));
    double out[LN_DELAY_OUTPUTS], change = fabs(u - last->u), since = last->t;
    if (!(t > last->t))
        return change > least ? copysign(jump, u - last->u) : slope;
    for (size_t k = history->count; k > history->first_kept && history->count - k < NODES - 1; k--)
        if (history->samples[k - 1].stretch == last->stretch) {
            change = fmax(change, fabs(u - history->samples[k - 1].u));
            since = history->samples[k - 1].t;
        }
    if (!(change > least))
        return copysign(fmin(fabs(slope), least / (t - since)), slope);
    interpolate_in_step(history, t, t, u, out);
    const int reverses = !(out[LN_SLOPE] * slope > 0);
    return reverses && t < history->no_reversal_before && last->stretch == history->reversal_stretch
               ? slope
               : out[LN_SLOPE];
}

double ln_history_rate_of_noise(const ln_history *history, double u, double slope) {
    const ln_history_sample *last = ln_history_last(history);
    if (history->count < history->first_kept + 2 || last[-1].stretch != last->stretch)
        return slope;
    return slope + (u - last->u) / (last->t - last[-1].t);
}

void ln_history_note_reversal(ln_history *history, double t) {
    const size_t back =
        history->count - history->first_kept < NODES ? history->count - history->first_kept : NODES;
    history->no_reversal_before = t + (t - history->samples[history->count - back].t) / 2;
    history->reversal_stretch = ln_history_last(history)->stretch;
}

double ln_history_span(const ln_history *history) {
    const ln_history_sample *last = ln_history_last(history);
    size_t k = history->count - 1;
    while (k > history->first_kept && history->count - k < NODES &&
           history->samples[k - 1].stretch == last->stretch)
        k--;
    return last->t - history->samples[k].t;
}

double ln_history_roughness(const ln_history *history) {
    double times[NODES], values[NODES], out[LN_DELAY_OUTPUTS];
    /* the third last sample, which has neighbours on both sides */
    const ln_history_sample *left_out = history->count >= history->first_kept + NODES
                                            ? &history->samples[history->count - 3]
                                            : NULL;
    int n = 0;
    for (size_t i = history->count; left_out != NULL && i > history->count - NODES; i--) {
        const ln_history_sample *sample = &history->samples[i - 1];
        if (sample->stretch != left_out->stretch)
            left_out = NULL;
        else if (sample != left_out)
            times[n] = sample->t, values[n++] = sample->u;
    }
    if (left_out == NULL)
        return 0;
    interpolate(times, values, n, left_out->t, out);
    return fabs(out[LN_VALUE] - left_out->u);
}

/* ---- to bytes and back ---- */

void ln_history_save(const ln_history *history, ln_bytes *bytes) {
    ln_bytes_put_long(bytes, (long long)(history->count - history->first_kept));
    for (size_t i = history->first_kept; i < history->count; i++) {
        ln_bytes_put_double(bytes, history->samples[i].t);
        ln_bytes_put_double(bytes, history->samples[i].u);
        ln_bytes_put_long(bytes, history->samples[i].stretch);
        ln_bytes_put_long(bytes, history->samples[i].order);
        ln_bytes_put_long(bytes, history->samples[i].within_step);
    }
    ln_bytes_put_double(bytes, history->value_before);
    ln_bytes_put_double(bytes, history->t_begin);
    ln_bytes_put_double(bytes, history->peak);
    ln_bytes_put_double(bytes, history->no_reversal_before);
    ln_bytes_put_long(bytes, history->reversal_stretch);
}

/* Samples rise in time, strictly within a stretch; stretches follow one another. */
static int follows(const ln_history_sample *sample, const ln_history_sample *before) {
    return sample->stretch == before->stretch
               ? sample->t > before->t
               : sample->stretch > before->stretch && sample->t >= before->t;
}

static int load_samples(ln_history *history, ln_bytes *bytes, double t) {
    const long long count =
        ln_bytes_get_within(bytes, 1, (long long)(bytes->length / sizeof(ln_history_sample)));
    for (long long k = 0; k < count && !bytes->failed; k++) {
        if (!LN_GROW(history->samples, history->count, history->room))
            return 0;
        ln_history_sample *sample = &history->samples[history->count++];
        sample->t = ln_bytes_get_finite(bytes);
        sample->u = ln_bytes_get_finite(bytes);
        sample->stretch = (int)ln_bytes_get_within(bytes, 0, INT_MAX / 2);
        sample->order = (int)ln_bytes_get_within(bytes, 0, LN_NO_BREAK_ORDER);
        sample->within_step = (int)ln_bytes_get_within(bytes, 0, 1);
        if (sample->t > t || (k > 0 && !follows(sample, sample - 1)))
            bytes->failed = 1;
    }
    /* a step has ended where a run is saved */
    return !bytes->failed && !ln_history_last(history)->within_step;
}

int ln_history_load(ln_history *history, ln_bytes *bytes, double t) {
    history->count = history->first_kept = 0;
    if (!load_samples(history, bytes, t))
        return 0;
    history->value_before = ln_bytes_get_finite(bytes);
    history->t_begin = ln_bytes_get_finite(bytes);
    history->peak = ln_bytes_get_finite(bytes);
    history->no_reversal_before = ln_bytes_get_finite(bytes);
    history->reversal_stretch = (int)ln_bytes_get_within(bytes, 0, INT_MAX / 2);
    return !bytes->failed && history->t_begin <= history->samples[0].t && history->peak >= 0;
}
