/* SPDX-License-Identifier: MIT */
/* Private to the room `system`: what the delays of a system consist of (delay.h). */
#ifndef LN_SYSTEM_DELAY_LINE_H
#define LN_SYSTEM_DELAY_LINE_H

#include "system/delay.h"
#include "system/history.h"
#include "system/touched.h"

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
    int varies;
    /* level of the breakpoint at which a varying delay last changed its stretch, LN_MOST_LEVEL:
     * none since the last instant */
    int passed;
    double lag;   /* at the last accepted point */
    int rate;     /* of a rate: nothing comes back */
    double slope; /* of a rate: at the last accepted point */
    double gain;
    int held;
    double held_value, held_slope; /* what it gave where the system is linearised */
} delay_line;

struct ln_delays {
    delay_line *all;
    int count;
    int *first;          /* per hybrid instance: its first delay */
    linnet_delay *asked; /* of one instance */
    double *x, *m;       /* local arrays */
    enum { PASSING, STARTING, RUNNING } phase;
    ln_touched touched;
    double noise; /* part of a signal's size by which a step may err */
};

/* The stretches that the delays of an instance stand in while nothing is decided, LN_SLOTS apart.
 */
double *ln_delays_standing(const ln_system *system, int index);
/* The delays of an instance as they stand at a point, in delays->asked. */
void ln_delays_ask(const ln_system *system, int index, ln_side side, const double *x);

#endif
