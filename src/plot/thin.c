/* SPDX-License-Identifier: MIT */
/* A curve thinned to what can be seen.
 *
 * Where x rises, a column of pixels shows no more of a curve than where it enters, its least, its
 * largest, and where it leaves (Jugel et al., "M4: a visualization-oriented time series data
 * aggregation", VLDB 2014): the drawn line is the same, and no peak is lost. Where x goes back and
 * forth (a locus), points closer than a third of a pixel to the last one drawn are left out. */
#include "plot/script.h"

#include <math.h>

static double at(const double *values, const ln_plot_curve *curve, size_t k) {
    return values[k * (curve->stride > 0 ? curve->stride : 1)];
}

/* The place along an axis, in the axis's own measure; NAN where there is none. */
static double place(const ln_plot_axis *axis, double value) {
    if (!isfinite(value) || fabs(value) > 1e300)
        return NAN;
    if (!axis->logarithmic)
        return value;
    return value > 0 ? log10(value) : NAN;
}

void ln_plot_range(const ln_plot_curve *curve, const ln_plot_axis *x, const ln_plot_axis *y,
                   double range_x[2], double range_y[2]) {
    for (size_t k = 0; k < curve->count; k++) {
        double a = at(curve->x, curve, k), b = at(curve->y, curve, k);
        if (isnan(place(x, a)) || isnan(place(y, b)))
            continue;
        range_x[0] = fmin(range_x[0], a);
        range_x[1] = fmax(range_x[1], a);
        range_y[0] = fmin(range_y[0], b);
        range_y[1] = fmax(range_y[1], b);
    }
}

static int rises(const ln_plot_curve *curve) {
    for (size_t k = 1; k < curve->count; k++)
        if (at(curve->x, curve, k) < at(curve->x, curve, k - 1))
            return 0;
    return 1;
}

/* Pixels per measure of an axis; 0 for a range without length. */
static double scale(const ln_plot_axis *axis, const double range[2], int pixels) {
    double length = place(axis, range[1]) - place(axis, range[0]);
    return length > 0 ? pixels / length : 0;
}

typedef struct thinning {
    const ln_plot_curve *curve;
    const ln_plot_view *view;
    double per_x, per_y; /* pixels per measure */
    ln_plot_emit *emit;
    void *context;
} thinning;

static double x_of(const thinning *thinner, size_t k) {
    return at(thinner->curve->x, thinner->curve, k);
}
static double y_of(const thinning *thinner, size_t k) {
    return at(thinner->curve->y, thinner->curve, k);
}
static void emit(const thinning *thinner, size_t k) {
    thinner->emit(thinner->context, x_of(thinner, k), y_of(thinner, k));
}

/* Points first..last lie in one column: enter, least, largest, leave, each once and in order. */
static void emit_column(const thinning *thinner, size_t first, size_t last) {
    size_t least = first, largest = first;
    for (size_t k = first; k <= last; k++) {
        if (y_of(thinner, k) < y_of(thinner, least))
            least = k;
        if (y_of(thinner, k) > y_of(thinner, largest))
            largest = k;
    }
    size_t one = least < largest ? least : largest, two = least < largest ? largest : least;
    emit(thinner, first);
    if (one > first && one < last)
        emit(thinner, one);
    if (two > one && two > first && two < last)
        emit(thinner, two);
    if (last > first)
        emit(thinner, last);
}

static int drawable(const thinning *thinner, size_t k) {
    return !isnan(place(thinner->view->x, x_of(thinner, k))) &&
           !isnan(place(thinner->view->y, y_of(thinner, k)));
}

/* The points first..end-1 are all drawable and rise in x. */
static void thin_rising(const thinning *thinner, size_t first, size_t end) {
    for (size_t k = first, next; k < end; k = next) {
        double column = floor(place(thinner->view->x, x_of(thinner, k)) * thinner->per_x);
        for (next = k + 1; next < end; next++)
            if (!(floor(place(thinner->view->x, x_of(thinner, next)) * thinner->per_x) <= column))
                break;
        emit_column(thinner, k, next - 1);
    }
}

static void thin_locus(const thinning *thinner, size_t first, size_t end) {
    const double near = 1.0 / 3;
    size_t drawn = first;
    for (size_t k = first; k < end; k++) {
        double dx = place(thinner->view->x, x_of(thinner, k)) -
                    place(thinner->view->x, x_of(thinner, drawn));
        double dy = place(thinner->view->y, y_of(thinner, k)) -
                    place(thinner->view->y, y_of(thinner, drawn));
        if (k > first && k + 1 < end && hypot(dx * thinner->per_x, dy * thinner->per_y) < near)
            continue;
        emit(thinner, k);
        drawn = k;
    }
}

static void emit_all(const thinning *thinner, size_t first, size_t end) {
    for (size_t k = first; k < end; k++)
        emit(thinner, k);
}

void ln_plot_thin(const ln_plot_curve *curve, const ln_plot_view *view, ln_plot_emit *take,
                  void *context) {
    thinning thinner = {curve,
                        view,
                        scale(view->x, view->range_x, view->pixels),
                        scale(view->y, view->range_y, view->pixels),
                        take,
                        context};
    int rising = rises(curve), few = curve->count <= 2 * (size_t)view->pixels;
    int before = 0; /* something was drawn: a gap may follow */
    for (size_t k = 0, end; k < curve->count; k = end + 1) {
        for (end = k; end < curve->count && drawable(&thinner, end); end++) {
        }
        if (end == k)
            continue;
        if (before)
            take(context, NAN, NAN);
        before = 1;
        (few ? emit_all : rising ? thin_rising : thin_locus)(&thinner, k, end);
    }
}
