/* SPDX-License-Identifier: MIT */
/* Private to the room `system`: the past of one signal, as samples and the breakpoints between
 * them.
 *
 * Samples lie in stretches, which breakpoints divide: an event or a corner of a signal, up to a
 * jump of its second derivative. Between two samples of a stretch the signal is a polynomial
 * through the nearest ones of the same stretch, of degree 5. Stretches are numbered from 0; BEFORE
 * is what lies before the first sample, where the signal is constant. */
#ifndef LN_SYSTEM_HISTORY_H
#define LN_SYSTEM_HISTORY_H

#include "base/bytes.h"

#include <stddef.h>

/* How smooth a breakpoint is: 0 a jump, 1 a kink, ... A breakpoint up to SPLITS begins a stretch: a
 * smoother one harms less than a stretch of few samples does. From MOST_LEVEL on no method notices.
 */
enum { LN_SPLITS = 2, LN_MOST_LEVEL = 6, LN_BEFORE = -1 };
/* What is known of a signal at a time past: its value, how much of a change of the signal now comes
 * through, its slope. */
enum { LN_VALUE, LN_WEIGHT, LN_SLOPE, LN_SLOTS };

typedef struct ln_history_sample {
    double t, u;
    int stretch, level; /* level: of the breakpoint that began the stretch */
} ln_history_sample;

typedef struct ln_history {
    /* those from `first` on are still asked for */
    ln_history_sample *samples;
    size_t count, room, first;
    double before, begin; /* the signal before its first sample; the time of that */
    double reach;         /* largest |u| so far */
    /* of a rate: until when it does not turn again, and the stretch in which it has turned */
    double turns_after;
    int turned_in;
} ln_history;

void ln_history_free(ln_history *history);
/* Forgets all, and begins with the sample u at t; before it the signal was `before`. 0 when memory
 * is short. */
int ln_history_begin(ln_history *history, double t, double u, double before);
/* Adds a sample after the last one. A breakpoint of level up to LN_SPLITS at t begins a new
 * stretch; at a higher level the sample joins the present stretch, and replaces one at the same
 * time. 0 when memory is short. */
int ln_history_add(ln_history *history, double t, double u, int level);
static inline const ln_history_sample *ln_history_last(const ln_history *history) {
    return &history->samples[history->count - 1];
}
/* Samples before `oldest` will not be asked for. */
void ln_history_forget(ln_history *history, double oldest);

/* The stretch in which s lies; at a breakpoint, the one that begins there. */
int ln_history_stretch(const ln_history *history, double s);
/* How far s lies inside a stretch; negative outside. */
double ln_history_inside(const ln_history *history, int stretch, double s);
/* How smooth the signal is where the two stretches meet. */
int ln_history_border(const ln_history *history, int one, int other);

/* Value, weight and slope at s by the samples of `stretch`: out[LN_SLOTS]. t, u: the end of the
 * step at hand, which takes part if s lies after the last sample. */
void ln_history_evaluate(const ln_history *history, int stretch, double s, double t, double u,
                         double *out);
/* Its slope at t, where it is u; +-1e30 at a jump. last: the slope that stays while the signal
 * does not change by more than `noise` times its largest size so far. */
double ln_history_rate(const ln_history *history, double t, double u, double noise, double last);
/* The slope has changed its sign at t, which is known to a part of the samples' distance only: a
 * smooth signal does not turn back within half of the time that the last of them span. */
void ln_history_turn(ln_history *history, double t);
/* The largest difference between a late sample and what the others around it say, 0 where a
 * breakpoint lies among them. */
double ln_history_roughness(const ln_history *history);
/* The time that the last samples between breakpoints cover, as many as a rate is told by. */
double ln_history_span(const ln_history *history);

/* As bytes, and back for a run that stands at t; 0: it cannot be a past, or memory is short. Bytes
 * are not trusted. */
void ln_history_save(const ln_history *history, ln_bytes *bytes);
int ln_history_load(ln_history *history, ln_bytes *bytes, double t);

#endif
