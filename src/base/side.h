/* SPDX-License-Identifier: MIT */
/* Sides of instants: the only place that makes them.
 *
 * At an instant (a breakpoint of a source, a tick, an event) two intervals of time meet. Conditions
 * on time alone, sources and delays are decided for an interval as a whole, at a time strictly
 * inside of it: so a step that ends at an instant sees its left side, and the next step its right
 * side. Modes belong to an interval too: they stand still on it, or, where a start is looked for,
 * they follow every evaluation. */
#ifndef LN_BASE_SIDE_H
#define LN_BASE_SIDE_H

#include <float.h>
#include <math.h>

/* Modes as they are; as they are but in a block that has no value so, which decides its own at each
 * evaluation; decided at each evaluation. */
typedef enum ln_mode_use { LN_MODES_FROZEN, LN_MODES_YIELDING, LN_MODES_FREE } ln_mode_use;

/* A time as it is seen from one interval. t < within: from the right of an instant at t; within <
 * t: from the left. */
typedef struct ln_side {
    double t;      /* s */
    double within; /* s: strictly inside of the interval */
    ln_mode_use modes;
} ln_side;

/* Times closer than this part of t differ by rounding: 8 operations on times, either way. */
#define LN_SAME_TIME (16 * DBL_EPSILON)

/* The right side of `begin`, of an interval that holds until `end`. */
static inline ln_side ln_side_after(double begin, double end) {
    return (ln_side){begin, begin + (end - begin) / 2, LN_MODES_FROZEN};
}

/* How far beside an instant at t nothing else happens, where nobody knows what comes next; `same`:
 * s, within which instants are merged to one. */
static inline double ln_side_gap(double t, double same) {
    return 2 * fmax(same, fmax(LN_SAME_TIME * fabs(t), DBL_MIN));
}

/* The right side, and the left side, of an instant at t. */
static inline ln_side ln_side_right(double t, double same) {
    return (ln_side){t, t + ln_side_gap(t, same), LN_MODES_FROZEN};
}
static inline ln_side ln_side_left(double t, double same) {
    return (ln_side){t, t - ln_side_gap(t, same), LN_MODES_FROZEN};
}

/* A time inside of the interval and beside t: by it a condition is decided that bounds no interval,
 * as those of a recorded expression, which holds as it is written but for the side at an instant.
 */
static inline double ln_side_beside(ln_side side) {
    const double way = side.within - side.t;
    return side.t + copysign(fmin(fabs(way), ln_side_gap(side.t, 0)), way);
}

/* Another time, seen from the same interval. It is made anew and not changed: a side goes to
 * functions as a copy, and where one number of it has just been stored the processor cannot load
 * it as a whole before that has reached the memory. */
static inline ln_side ln_side_at(ln_side side, double t) {
    return (ln_side){t, side.within, side.modes};
}

/* The same with modes that follow the evaluation, or with frozen ones. */
static inline ln_side ln_side_with(ln_side side, ln_mode_use modes) {
    return (ln_side){side.t, side.within, modes};
}

#endif
