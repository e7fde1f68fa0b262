/* SPDX-License-Identifier: MIT */
/* Delays: values of the past, for blocks that ask for u(t - T). A request may ask for the slope
 * u'(t) of its signal instead (linnet_delay.rate): nothing is delayed then, and no breakpoint
 * comes back.
 *
 * Each delay keeps its input at the points a run has accepted. Between them the value is that of a
 * polynomial through the nearest ones that no breakpoint separates, of degree 5, so it is as
 * accurate as the methods are. Where t - T lies within the step at hand, the input at the step's
 * end takes part as a node: the delay is then implicit, whatever the ratio of step and delay, and
 * its weight tells Newton so. A breakpoint (an event, the corner of a source) in the input comes
 * back as a breakpoint T later, and again after every further way round, until it is smoother than
 * any method notices: where T is fixed at a time that is known, where it varies at a crossing that
 * is located.
 */
#ifndef LN_SYSTEM_DELAY_H
#define LN_SYSTEM_DELAY_H

#include "base/bytes.h"
#include "system/system.h"

typedef struct ln_delays ln_delays;

/* For a system whose classes have delays; else *delays stays NULL. LINNET_MEMORY is not reported.
 */
linnet_status ln_delays_new(const ln_system *system, ln_delays **delays);
void ln_delays_free(ln_delays *delays);
int ln_delays_count(const ln_delays *delays);

/* Puts value, weight and slope of the delays of hybrid instance `index` into its memories m (a copy
 * of them), as seen from the point, whose m is that copy. Without a run the value is the input and
 * the slope 0, or both are the frozen ones (ln_delays_freeze); the weight is the gain
 * (ln_delays_set_gain). Writes the scratch of system->delays. */
void ln_delays_evaluate(const ln_system *system, int index, const linnet_point *point, double *m);

/* The same at a point whose unknowns are off by their noise. */
void ln_delays_evaluate_noisy(const ln_system *system, int index, const linnet_point *point,
                              double *m);

/* 1 when a delay of the instance is negative: it asks for the future. To be called after
 * ln_delays_evaluate() of the same instance. */
int ln_delays_any_negative(const ln_system *system, int index);

/* The run that comes follows a relative tolerance (0: a fixed step): what changes by less than a
 * part of it is no change to a rate. It locates events, and steps may be as short as that takes:
 * then no change is what noise of the unknowns makes, either. */
void ln_delays_set_tolerance(ln_system *system, double tolerance, int locates);
/* A start is looked for: what a delay gives is what its block says lies before it. */
void ln_delays_enter_start_search(ln_system *system);
/* The run begins: what lies before it is constant. */
linnet_status ln_delays_begin_run(ln_system *system, ln_side side, const double *x);
/* What a point of the trajectory is. The order of the kinds counts: the predicates below. */
typedef enum ln_point_kind {
    LN_POINT_WITHIN,    /* within a step, interpolated */
    LN_PART_END,        /* the end of a part of a step that is taken again in several */
    LN_STEP_END,        /* the end of a step */
    LN_STEP_END_TO_ACT, /* the end of a step at which events will act: only rates are recorded now,
                           delays when they have acted */
    LN_RETURNED_BREAK,  /* an instant at which only delayed breakpoints return */
    LN_CROSSED_GUARD,   /* an instant at which a guard was crossed */
    LN_SOURCE_BREAK     /* an instant at which a source or a clock acts */
} ln_point_kind;
static inline int ln_point_is_breakpoint(ln_point_kind kind) {
    return kind > LN_STEP_END_TO_ACT;
}
/* Of such points rates know nothing. */
static inline int ln_point_is_within_step(ln_point_kind kind) {
    return kind <= LN_PART_END;
}
/* Which of the last three kinds the instant at t is, asked before the instant acts; same: s, within
 * which instants are merged to one. Without delays nothing is classified: LN_STEP_END, which
 * ln_delays_record() does not read then. */
ln_point_kind ln_delays_classify_point(const ln_system *system, double t, double same, int crossed);
/* A point of the trajectory; after a breakpoint the step that follows begins anew, with another
 * right-hand side: `side` and x are right of it. acted: per hybrid instance, what has acted there;
 * asked for where something has been crossed. LINNET_MEMORY is not reported. */
linnet_status ln_delays_record(ln_system *system, ln_side side, const double *x, ln_point_kind what,
                               const char *acted);
/* A step has ended: the slopes of the signals of which a rate is asked, as the step itself has
 * seen them; before its points are accepted. Returns 1 when a rate becomes known here, at the end
 * of the run's first step: that end is an instant, at which conditions on rates are decided. */
int ln_delays_note_rates(ln_system *system, ln_side side, const double *x);
/* The memory in which the outputs of an instance's delays begin: those before are the type's own.
 */
int ln_delays_first_memory(const linnet_block_class *type);
/* The stretches that the varying delays of hybrid instance `index` see are decided at the point,
 * and their guards there, one for each of its delays, as for modes (hybrid.h). */
int ln_delays_decide(ln_system *system, int index, const linnet_point *point,
                     const char *may_change, int *which);
void ln_delays_guards(const ln_system *system, int index, const linnet_point *point, double *guard);
/* How well the last samples tell the delayed inputs: the largest leave-one-out error, the
 * difference between a sample and the interpolation by its neighbours, which is taken as 10 times
 * the interpolation error. It is relative to the
 * largest input so far of all delays of the block (a matched line's reflected wave is noise of the
 * other wave), plus the smallest absolute tolerance of the block's unknowns by the default relative
 * one. Inputs with a breakpoint among the last samples do not count. */
double ln_delays_roughness(const ln_system *system);
/* The longest step from x at side.t, at most `most`, over which a polynomial of this degree gives
 * what every delay gives back to `tolerance` of its size (delay_bound.c). */
double ln_delays_lookahead_bound(const ln_system *system, ln_side side, const double *x,
                                 double most, int degree, double tolerance);
/* The shortest delay at the last accepted point, INFINITY: there is none. A longer step foresees
 * what is delayed, by a polynomial through its end and what was before it: at its end, x at `side`,
 * ln_delays_foresee() notes what; and when points within it have been recorded
 * (LN_POINT_WITHIN), ln_delays_forecast_error() says by how much that was wrong, relative as a
 * roughness, and takes these points out again. */
double ln_delays_shortest(const ln_system *system);
void ln_delays_foresee(ln_system *system, ln_side side, const double *x);
double ln_delays_forecast_error(ln_system *system, ln_side side, const double *x);
/* What a step may leave in rows that take delayed values: `tolerance` of their size is added to
 * error (n rows). */
void ln_delays_add_errors(const ln_system *system, double tolerance, double *error);
/* The shortest time over which signals whose rates are asked are known by their last samples;
 * INFINITY: there is none. */
double ln_delays_rates_span(const ln_system *system);
/* Errors that a run carries along (integrate/global_error.h) come back as values do. At side.t,
 * an accepted point, whose x is off by e, the inputs of all delays are off by what is recorded
 * here; above, below: x + part e and x - part e (n values each). LINNET_MEMORY is not reported. */
linnet_status ln_delays_record_errors(ln_system *system, ln_side side, const double *above,
                                      const double *below, double part);
/* rows (n values) += what errors of delayed values make of f at x. */
void ln_delays_add_error_rows(ln_system *system, ln_side side, const double *x, double part,
                              double *rows);
/* From now on delayed values are off by this part of their errors; 0: they are not. */
void ln_delays_shift(ln_system *system, double part);
/* What breaks at t came late by so much, s: what comes back of it will. LINNET_MEMORY is not
 * reported. */
linnet_status ln_delays_record_late(ln_system *system, double t, double late);
/* By how much what comes back at t is late, s. */
double ln_delays_find_late(const ln_system *system, double t);
/* The past as bytes, and back for a run that stands at x(t), whose memories are loaded: it goes on.
 * 0: it does not fit (every value is looked at: bytes are not trusted), or memory is short. */
void ln_delays_save(const ln_delays *delays, ln_bytes *bytes);
int ln_delays_load(ln_system *system, ln_bytes *bytes, double t, const double *x);
/* The run is over: delays pass their input on again. */
void ln_delays_end(ln_system *system);
/* The earliest time after t at which a breakpoint comes back, or INFINITY. */
double ln_delays_next_breakpoint(const ln_delays *delays, double t);

/* The system will be linearised at this point of the run: from the run's end on, value and slope of
 * each delay are frozen as they are here, until the next start or run. */
void ln_delays_freeze(ln_system *system, ln_side side, const double *x);
/* They are not frozen any more. */
void ln_delays_release(ln_system *system);
/* For small signals: a change of the input of delay k (0-based, of all) comes through times `gain`,
 * which is 1 when new. */
void ln_delays_set_gain(ln_delays *delays, int k, double gain);
/* The lag of delay k at the point, s. */
double ln_delays_lag(const ln_system *system, int k, double t, const double *x);
/* The number of the first delay of hybrid instance `index`. */
int ln_delays_first(const ln_delays *delays, int index);

#endif
