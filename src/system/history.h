/* SPDX-License-Identifier: MIT */
/* Private to the room `system`: the past of one signal, as samples and the breakpoints between
 * them.
 *
 * Samples lie in stretches, which breakpoints divide: an event or a corner of a signal, up to a
 * jump of its second derivative. Between two samples of a stretch the signal is a polynomial
 * through the nearest ones of the same stretch, of degree 5; within a step of which points between
 * its ends are known, through these and its ends, as the method itself goes through the step:
 * across steps of very different sizes, where the signal is fast and then slow, a polynomial
 * leaves its samples by more than they differ [Runge's phenomenon; for the method's own
 * polynomial: Guglielmi and Hairer, Computing 67 (2001) 1]. Stretches are numbered from 0;
 * LN_BEFORE is what lies before the first sample, where the signal is constant. */
#ifndef LN_SYSTEM_HISTORY_H
#define LN_SYSTEM_HISTORY_H

#include "base/bytes.h"

#include <stddef.h>

/* How smooth a breakpoint is: 0 a jump, 1 a kink, ... The order is the
 * order of the first derivative that jumps. A breakpoint up to LN_SPLIT_ORDER begins a stretch: a
 * smoother one harms less than a stretch of few samples does. From LN_SMOOTH_ORDER on no method
 * notices.
 */
enum { LN_SPLIT_ORDER = 2, LN_SMOOTH_ORDER = 6 };
/* In the place of an order, what a sample without a breakpoint is: the end of a step; a point
 * within the step whose end follows. (LN_SMOOTH_ORDER is a breakpoint, which is not to return; the
 * delay still drops the one that has returned there.) */
enum { LN_NO_BREAK_ORDER = LN_SMOOTH_ORDER + 1, LN_WITHIN_STEP_ORDER };
/* The stretch before the first sample. */
enum { LN_BEFORE = -1 };
/* What is known of a signal at a time past: its value, how much of a change of the signal now comes
 * through, its slope. */
enum { LN_VALUE, LN_WEIGHT, LN_SLOPE, LN_DELAY_OUTPUTS };

typedef struct ln_history_sample {
    double t, u;
    int stretch, order; /* order: of the breakpoint that began the stretch */
    int within_step;    /* a point within a step, not its end */
} ln_history_sample;

typedef struct ln_history {
    /* those from first_kept on are still asked for, or are neighbours that an interpolation needs
     */
    ln_history_sample *samples;
    size_t count, room, first_kept;
    double value_before, t_begin; /* constant value before it began; s: when it began */
    double peak; /* largest |u| so far; of a rate no less than what makes its noise negligible */
    /* of a rate: its sign does not change before this time, in the stretch of its last change */
    double no_reversal_before;
    int reversal_stretch;
} ln_history;

void ln_history_free(ln_history *history);
/* Forgets all, and begins with the sample u at t; before it the signal was `before`. 0 when memory
 * is short. */
int ln_history_begin(ln_history *history, double t, double u, double before);
/* Adds a sample after the last one. A breakpoint of order up to LN_SPLIT_ORDER at t begins a new
 * stretch; at a higher order the sample joins the present stretch, and replaces one at the same
 * time; LN_WITHIN_STEP_ORDER: the step that it lies in has not ended. 0 when memory is short. */
int ln_history_add(ln_history *history, double t, double u, int order);
static inline const ln_history_sample *ln_history_last(const ln_history *history) {
    return &history->samples[history->count - 1];
}
/* Takes the points out again that were added within a step which has not ended. */
void ln_history_drop_within(ln_history *history);
/* Samples before `oldest` will not be asked for. */
void ln_history_forget(ln_history *history, double oldest);

/* The first sample later than `when`, count where there is none. */
size_t ln_history_later(const ln_history *history, double when);
/* The stretch in which `when` lies; at a breakpoint, the one that begins there. */
int ln_history_stretch(const ln_history *history, double when);
/* How far `when` lies from the nearer end of the stretch, s; negative outside. */
double ln_history_depth(const ln_history *history, int stretch, double when);
/* How much the slope jumps at `when`, where a breakpoint was, by the steps on both sides; 0 where
 * one of them is not known. */
double ln_history_slope_jump(const ln_history *history, double when);
/* The order of the breakpoint that begins the later one of two stretches. */
int ln_history_order_between(const ln_history *history, int one, int other);

/* Value, weight and slope at `when` by the samples of `stretch`: out[LN_DELAY_OUTPUTS]. t, u: the
 * end of the step at hand, which takes part if `when` lies after the last sample. */
void ln_history_evaluate(const ln_history *history, int stretch, double when, double t, double u,
                         double *out);
/* Its slope at t, where it is u; +-1e30 at a jump, which is finite. slope: the slope so far,
 * whose sign stays while the signal does not change by more than `noise` times its largest size. */
double ln_history_rate(const ln_history *history, double t, double u, double noise, double slope);
/* What `slope`, its rate at the last sample, would have been had it come out as u there, which is
 * off by noise. */
double ln_history_rate_of_noise(const ln_history *history, double u, double slope);
/* The slope has changed its sign at t, which is known to a part of the samples' distance only: a
 * smooth signal does not turn back within half of the time that the last of them span. */
void ln_history_note_reversal(ln_history *history, double t);
/* The difference between the third last sample and the interpolation by its neighbours, 0 where a
 * breakpoint lies among them. */
double ln_history_roughness(const ln_history *history);
/* The time that the last samples between breakpoints cover, as many as an interpolation takes. */
double ln_history_span(const ln_history *history);

/* As bytes, and back for a run that stands at t; 0: it cannot be a past, or memory is short. Bytes
 * are not trusted. */
void ln_history_save(const ln_history *history, ln_bytes *bytes);
int ln_history_load(ln_history *history, ln_bytes *bytes, double t);

#endif
