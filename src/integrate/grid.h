/* SPDX-License-Identifier: MIT */
/* Where steps end: the fixed grid begin + k*step computed without accumulating rounding, the corners of sources, and
 * the end. A corner closer to a grid point than 1e-9 of the step is the grid point. Shared by all methods. */
#ifndef LN_INTEGRATE_GRID_H
#define LN_INTEGRATE_GRID_H

typedef struct ln_grid {
    double begin, end, step;      /* step 0: only corners and the end                                                 */
    long index;                   /* grid points passed                                                               */
    double corner;                /* next corner, or INFINITY                                                         */
    double (*next_break)(const void *context, double t);
    const void *context;
} ln_grid;

typedef enum ln_stop { LN_STOP_GRID = 1, LN_STOP_CORNER = 2, LN_STOP_END = 4 } ln_stop; /* bits                        */

void ln_grid_begin(ln_grid *grid, double begin, double end, double step,
                   double (*next_break)(const void *context, double t), const void *context);
/* The next time a step must not pass, strictly after t, and why (bits). */
double ln_grid_next(ln_grid *grid, double t, int *why);
/* Tells that `t` (a value given by ln_grid_next) was reached. */
void ln_grid_reached(ln_grid *grid, double t, int why);

#endif
