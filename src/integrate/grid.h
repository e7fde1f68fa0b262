/* SPDX-License-Identifier: MIT */
/* Where steps end: the fixed grid begin + k*step computed without accumulating rounding, the
 * breakpoints of sources, the times at which a user wants values, and the end. Times closer
 * together than 1e-9 of the step are one time; its value is that of the end, else of a wanted time,
 * else of the grid, else of the breakpoint. Shared by all methods. */
#ifndef LN_INTEGRATE_GRID_H
#define LN_INTEGRATE_GRID_H

#include <stddef.h>

typedef struct ln_grid {
    double begin, end, step; /* step 0: no fixed grid */
    double interval;         /* wanted times begin + k*interval; 0: none */
    const double *stops;     /* further wanted times, rising (borrowed) */
    size_t nstops;
    double same; /* times closer than this are one */
    /* passed so far: points of the grid, points of the interval, stops */
    long points_passed, outputs_passed;
    size_t stops_passed;
    /* the next time of each kind, INFINITY: none */
    double next_point, next_output, next_breakpoint;
    double (*find_breakpoint)(const void *context, double t);
    const void *context;
} ln_grid;

/* Bits. OUTPUT: a wanted time. */
typedef enum ln_stop {
    LN_STOP_GRID = 1,
    LN_STOP_BREAKPOINT = 2,
    LN_STOP_END = 4,
    LN_STOP_OUTPUT = 8
} ln_stop;

/* find_breakpoint may be NULL: no breakpoints. It gives the earliest breakpoint strictly after t,
 * or INFINITY. */
void ln_grid_begin(ln_grid *grid, double begin, double end, double step,
                   double (*find_breakpoint)(const void *context, double t), const void *context);
/* The wanted times, set right after ln_grid_begin(); interval 0 and nstops 0: none. */
void ln_grid_set_outputs(ln_grid *grid, double interval, const double *stops, size_t nstops);
/* The next time a step must not pass, strictly after t, and why (bits). */
double ln_grid_next(ln_grid *grid, double t, int *why);
/* What find_breakpoint() says has changed: asks anew for breakpoints after t. */
void ln_grid_changed(ln_grid *grid, double t);

/* As if all times up to t had been reached. */
void ln_grid_skip(ln_grid *grid, double t);

#endif
