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

static double earlier(double a, double b) {
    return a < b ? a : b;
}

/* Moves every list past t. */
static void pass(ln_grid *grid, double t) {
    double past = t + grid->same;
    while (grid->next_point <= past)
        grid->next_point = multiple(grid, grid->step, ++grid->points_passed + 1);
    while (grid->next_output <= past)
        grid->next_output = multiple(grid, grid->interval, ++grid->outputs_passed + 1);
    while (grid->stops_passed < grid->nstops && grid->stops[grid->stops_passed] <= past)
        grid->stops_passed++;
    if (grid->next_breakpoint <= past) { /* those until then are one, be they 1e180 */
        const double next = grid->find_breakpoint(grid->context, past);
        grid->next_breakpoint = next > past ? next : INFINITY;
    }
}

void ln_grid_begin(ln_grid *grid, double begin, double end, double step,
                   double (*find_breakpoint)(const void *context, double t), const void *context) {
    double rounding = 16.0 * DBL_EPSILON * fmax(fabs(begin), fabs(end));
    *grid = (ln_grid){.begin = begin,
                      .end = end,
                      .step = step,
                      .find_breakpoint = find_breakpoint,
                      .context = context};
    grid->same = fmax(same_part * step, rounding);
    grid->next_point = multiple(grid, step, 1);
    grid->next_output = INFINITY;
    grid->next_breakpoint = find_breakpoint != NULL ? find_breakpoint(context, begin) : INFINITY;
    pass(grid, begin);
}

void ln_grid_set_outputs(ln_grid *grid, double interval, const double *stops, size_t nstops) {
    assert(ln_is_rising(stops, nstops));
    grid->interval = interval;
    grid->next_output = multiple(grid, interval, 1);
    grid->stops = stops;
    grid->nstops = nstops;
    pass(grid, grid->begin);
}

double ln_grid_next(ln_grid *grid, double t, int *why) {
    pass(grid, t);
    const double wanted = grid->next_output, on_grid = grid->next_point;
    double stop = grid->stops_passed < grid->nstops ? grid->stops[grid->stops_passed] : INFINITY;
    double first =
        earlier(earlier(grid->end, wanted), earlier(earlier(stop, on_grid), grid->next_breakpoint));
    const double same = first + grid->same;
    assert(first > t || grid->end <= t); /* every stop lies ahead */
    *why = (grid->end <= same ? LN_STOP_END : 0) |
           (wanted <= same || stop <= same ? LN_STOP_OUTPUT : 0) |
           (on_grid <= same ? LN_STOP_GRID : 0) |
           (grid->next_breakpoint <= same ? LN_STOP_BREAKPOINT : 0);
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
    grid->next_breakpoint =
        grid->find_breakpoint != NULL ? grid->find_breakpoint(grid->context, t) : INFINITY;
    pass(grid, t);
}

void ln_grid_skip(ln_grid *grid, double t) {
    if (grid->step > 0)
        grid->points_passed = (long)fmax(0, (t - grid->begin) / grid->step - 1);
    if (grid->interval > 0)
        grid->outputs_passed = (long)fmax(0, (t - grid->begin) / grid->interval - 1);
    grid->next_point = multiple(grid, grid->step, grid->points_passed + 1);
    grid->next_output = multiple(grid, grid->interval, grid->outputs_passed + 1);
    ln_grid_changed(grid, t);
}
