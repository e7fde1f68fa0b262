/* SPDX-License-Identifier: MIT */
/* The times at which steps end. Every point is computed from its number, so that 500 steps of 0.01
 * end at 5 exactly and no rounding adds up; points that differ by rounding only are merged, so that
 * no step is ever shorter than that. */
#include "base/invariant.h"
#include "integrate/grid.h"

#include <assert.h>
#include <float.h>
#include <math.h>

/* Part of the step below which two times are one. */
static const double same_part = 1e-9;

static double multiple(const ln_grid *grid, double step, long k) {
    return step > 0.0 ? grid->begin + (double)k * step : INFINITY;
}

static double least(double a, double b) {
    return a < b ? a : b;
}

/* Moves every list behind t. */
static void pass(ln_grid *grid, double t) {
    double behind = t + grid->same;
    while (grid->on_grid <= behind)
        grid->on_grid = multiple(grid, grid->step, ++grid->index + 1);
    while (grid->wanted <= behind)
        grid->wanted = multiple(grid, grid->interval, ++grid->output + 1);
    while (grid->stop < grid->nstops && grid->stops[grid->stop] <= behind)
        grid->stop++;
    while (grid->breakpoint <= behind) {
        double next = grid->next_breakpoint(grid->context, fmax(grid->breakpoint, t));
        grid->breakpoint = next > grid->breakpoint ? next : INFINITY;
    }
}

void ln_grid_begin(ln_grid *grid, double begin, double end, double step,
                   double (*next_breakpoint)(const void *context, double t), const void *context) {
    double rounding = 16.0 * DBL_EPSILON * fmax(fabs(begin), fabs(end));
    *grid = (ln_grid){.begin = begin,
                      .end = end,
                      .step = step,
                      .next_breakpoint = next_breakpoint,
                      .context = context};
    grid->same = fmax(same_part * step, rounding);
    grid->on_grid = multiple(grid, step, 1);
    grid->wanted = INFINITY;
    grid->breakpoint = next_breakpoint != NULL ? next_breakpoint(context, begin) : INFINITY;
    pass(grid, begin);
}

void ln_grid_want(ln_grid *grid, double interval, const double *stops, size_t nstops) {
    assert(ln_is_rising(stops, nstops));
    grid->interval = interval;
    grid->wanted = multiple(grid, interval, 1);
    grid->stops = stops;
    grid->nstops = nstops;
    pass(grid, grid->begin);
}

double ln_grid_next(ln_grid *grid, double t, int *why) {
    pass(grid, t);
    const double wanted = grid->wanted, on_grid = grid->on_grid;
    double stop = grid->stop < grid->nstops ? grid->stops[grid->stop] : INFINITY;
    double first = least(least(grid->end, wanted), least(least(stop, on_grid), grid->breakpoint));
    const double same = first + grid->same;
    assert(first > t || grid->end <= t); /* every stop lies ahead */
    *why = (grid->end <= same ? LN_STOP_END : 0) |
           (wanted <= same || stop <= same ? LN_STOP_OUTPUT : 0) |
           (on_grid <= same ? LN_STOP_GRID : 0) |
           (grid->breakpoint <= same ? LN_STOP_BREAKPOINT : 0);
    /* in order of precedence among times that are one */
    if (grid->end <= same)
        return grid->end;
    if (wanted <= same)
        return wanted;
    if (stop <= same)
        return stop;
    return on_grid <= same ? on_grid : first;
}

void ln_grid_changed(ln_grid *grid, double t) {
    grid->breakpoint =
        grid->next_breakpoint != NULL ? grid->next_breakpoint(grid->context, t) : INFINITY;
    pass(grid, t);
}

void ln_grid_skip(ln_grid *grid, double t) {
    if (grid->step > 0)
        grid->index = (long)fmax(0, (t - grid->begin) / grid->step - 1);
    if (grid->interval > 0)
        grid->output = (long)fmax(0, (t - grid->begin) / grid->interval - 1);
    grid->on_grid = multiple(grid, grid->step, grid->index + 1);
    grid->wanted = multiple(grid, grid->interval, grid->output + 1);
    ln_grid_changed(grid, t);
}
