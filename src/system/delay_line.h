/* SPDX-License-Identifier: MIT */
/* Private to the room `system`: what the delays of a system consist of (delay.h). */
#ifndef LN_SYSTEM_DELAY_LINE_H
#define LN_SYSTEM_DELAY_LINE_H

#include "system/delay.h"
#include "system/error_history.h"
#include "system/history.h"
#include "system/touched.h"

/* Two times of a breakpoint are one where they differ by less than this part of the lag: sums of
 * lags along different ways round differ by rounding. */
#define LN_SAME_LAG 1e-9

/* A propagated discontinuity: when a breakpoint of the input comes back, and how smooth the signal
 * is by then (order of a breakpoint: history.h). */
typedef struct returning_break {
    double t;
    int order;
} returning_break;

/* One delay. Where its time is fixed, breakpoints come back at times that are known beforehand:
 * those are stops, and a time beside them says which side is seen. Where it varies, the stretch
 * that is seen is a mode, kept in the first of its memories: it stands still within a step, and a
 * guard tells when it is left. */
typedef struct delay_line {
    ln_history history;
    returning_break *breakpoints;
    size_t nbreakpoints, breakpoints_room; /* of a fixed delay */
    int varies;
    /* order of the sharpest breakpoint that a varying delay has crossed since the last instant;
     * LN_SMOOTH_ORDER: none that a method notices */
    int crossed_order;
    double lag;       /* at the last accepted point */
    double t;         /* of that point, which is no point within a step */
    double lag_slope; /* by the last two: the past goes by at 1 - lag_slope */
    double foreseen;  /* ln_delays_foresee() */
    /* u'(t) is asked for, a rate (linnet_delay.rate): nothing is delayed, nothing comes back */
    int is_derivative;
    double slope; /* of a derivative: its rate at the last accepted point */
    double gain;
    /* of its input, and by how much breakpoints of it came late, s (delay_errors.c) */
    ln_error_history errors, late;
    int frozen;
    double frozen_value, frozen_slope; /* outputs at the point of linearisation */
} delay_line;

/* What an instant breaks. */
typedef struct ln_delay_breaks {
    ln_touched touched;
    char *source; /* per source: it breaks at the instant classified last */
    char *origin; /* per instance: the order by which what it drives breaks */
    char *acts;   /* per instance: it is an origin of the order at hand */
    /* per hybrid instance: the order by which the inputs of its delays break by others, and by
     * itself; whether they can by itself */
    char *order, *own_order, *by_self;
} ln_delay_breaks;

/* request, x and m belong to the arena and are scratch: every function of delay.h that evaluates a
 * delay, or asks for its lag, overwrites them with those of one instance. */
struct ln_delays {
    delay_line *all;
    int count;
    int *first;             /* per hybrid instance: its first delay */
    linnet_delay *request;  /* answers of the instance asked last */
    linnet_delay *answered; /* scratch: what outputs have been found for */
    double *x, *m;          /* unknowns and memories of the instance asked last */
    enum { PASSING, STARTING, RUNNING } phase;
    ln_delay_breaks breaks;
    double tolerance; /* of an adaptive run, else 0 */
    int locates;      /* steps end at events, however short that makes them */
    /* inputs are off by their noise: a rate answers to that at an instant, too */
    int noisy;
    double shift;      /* ln_delays_shift() */
    double negligible; /* part of a signal's size: a change below it is none to a rate */
};

static inline int ln_smaller_order(int a, int b) {
    return a < b ? a : b;
}
/* Memory from the arena of the system; 0 when it is short. */
int ln_delays_init_breaks(ln_delay_breaks *breaks, const ln_system *system);
/* The instant at t: the orders by which the inputs of each hybrid instance's delays break, into
 * delays->breaks.order and .own_order, LN_SMOOTH_ORDER where nothing that breaks leads to them.
 * acted: per hybrid instance. */
void ln_delays_find_orders(ln_system *system, double t, ln_point_kind what, const char *acted);
/* A breakpoint of this order, up to LN_SMOOTH_ORDER, at t: it comes back one lag later, unless it
 * is too smooth by then; those that come back at t leave the list. LINNET_MEMORY is not reported.
 */
linnet_status ln_delay_break_returns(delay_line *delay, double t, int order);

/* In system->memory the slot of a varying delay's value holds its mode, the number of the stretch
 * that it sees; the value stands there only in the copies that blocks are given. */
enum { LN_MODE = LN_VALUE };
/* The modes of an instance's delays in system->memory, LN_DELAY_OUTPUTS apart. */
double *ln_delays_modes(const ln_system *system, int index);
/* Lag and input of the delays of an instance at a point, into delays->request; their outputs there,
 * into delays->m. */
void ln_delays_request(const ln_system *system, int index, ln_side side, const double *x);
/* Lag and input of the delays of an instance at a point, as ln_delays_request(); their outputs
 * there, LN_DELAY_OUTPUTS each. */
const double *ln_delays_outputs(const ln_system *system, int index, ln_side side, const double *x);
/* What the tolerance of an instance's delays is a part of: the largest input so far of all of them,
 * plus the smallest absolute tolerance of the block's unknowns by the default relative one. */
double ln_delays_size(const ln_system *system, int index);

#endif
