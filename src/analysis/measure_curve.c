/* SPDX-License-Identifier: MIT */
/* Interpolation for measures: divided differences around each interval, cut off where they stop to
 * get smaller; beside a kink of the points on one side of it, as essentially non-oscillatory
 * schemes choose theirs (Harten, Osher, SIAM J. Numer. Anal. 24 (1987) 279). */
#include "analysis/measure_curve.h"

#include <math.h>
#include <string.h>

/* ---- the polynomial ---- */

static double evaluate(const ln_piece *piece, double t, double *slope) {
    double value = 0, derivative = 0;
    for (int k = piece->terms - 1; k >= 0; k--) {
        derivative = derivative * (t - piece->node[k]) + value;
        value = value * (t - piece->node[k]) + piece->c[k];
    }
    *slope = derivative;
    return value;
}

double ln_piece_at(const ln_piece *piece, double t) {
    double slope;
    if (t <= piece->t0)
        return piece->y0;
    return t >= piece->t1 ? piece->y1 : evaluate(piece, t, &slope);
}

/* The next point outwards from `at` that is not next to it: its index, or one outside. */
static int outwards(const ln_curve *curve, int at, int direction, double apart) {
    int next = at + direction;
    while (next >= 0 && next < curve->n && fabs(curve->t[next] - curve->t[at]) < apart)
        next += direction;
    return next;
}

/* A polynomial that grows point by point. */
typedef struct growing {
    int count;
    ln_piece piece;
    double last[LN_CURVE_POINTS]; /* divided differences that end at the last point, by order */
    double size[LN_CURVE_POINTS]; /* of each term, in the middle */
    double product;               /* of the distances of the middle from all points */
} growing;

static double middle_of(const ln_piece *piece) {
    return piece->t0 + (piece->t1 - piece->t0) / 2;
}

/* The differences that a point adds to; the last one is the term's. */
static double differences(const growing *polynomial, double t, double y,
                          double found[LN_CURVE_POINTS]) {
    const int count = polynomial->count;
    found[0] = y;
    for (int k = 1; k <= count; k++)
        found[k] =
            (found[k - 1] - polynomial->last[k - 1]) / (t - polynomial->piece.node[count - k]);
    return found[count];
}

static void take_point(growing *polynomial, const ln_curve *curve, int point) {
    double found[LN_CURVE_POINTS];
    const int count = polynomial->count;
    const double t = curve->t[point];
    polynomial->piece.c[count] = differences(polynomial, t, curve->y[point], found);
    polynomial->piece.node[count] = t;
    polynomial->size[count] = fabs(polynomial->piece.c[count] * polynomial->product);
    polynomial->product *= middle_of(&polynomial->piece) - t;
    memcpy(polynomial->last, found, (size_t)(count + 1) * sizeof *found);
    polynomial->piece.terms = ++polynomial->count;
}

static growing line_of(const ln_curve *curve, int j) {
    growing line = {
        .product = 1,
        .piece = {
            .t0 = curve->t[j], .y0 = curve->y[j], .t1 = curve->t[j + 1], .y1 = curve->y[j + 1]}};
    take_point(&line, curve, j);
    take_point(&line, curve, j + 1);
    return line;
}

/* Cuts the polynomial off where the points justify no more terms; returns about how far it may be
 * off then, the first terms that were left out or the last ones that were not. Terms are taken in
 * pairs, for one of a symmetric pair may vanish by chance; of a smooth signal each pair is several
 * times smaller than the one before, which a kink or noise does not show: there the line between
 * the two points is the honest choice. */
static double cut_off(growing *polynomial) {
    static const double smaller = 0.35;
    const int count = polynomial->count;
    double size[LN_CURVE_POINTS / 2] = {0};
    for (int k = 2; k < count; k++)
        size[k / 2] = fmax(size[k / 2], polynomial->size[k]);
    int terms = count < 4 ? count : 2;
    for (int pair = 1; 2 * pair + 1 < count; pair++) {
        /* nothing confirms the last pair but that it is small itself */
        int last = 2 * pair + 2 >= count;
        double bound = pair > 1 ? size[pair - 1] : INFINITY;
        if (!last && size[pair + 1] > smaller * size[pair] && pair == 1)
            break;
        if (!(size[pair] <= smaller * bound))
            break;
        terms = 2 * pair + 2;
    }
    polynomial->piece.terms = terms;
    return size[terms < count ? terms / 2 : (terms - 1) / 2];
}

/* The points nearest to interval j, on the left, on the right or by turns on both sides while there
 * are any. A sliver of a step, as before an event, would only bring rounding. */
static growing through(const ln_curve *curve, int j, int on_left, int on_right) {
    const double apart = 1e-2 * (curve->t[j + 1] - curve->t[j]);
    int left = on_left ? outwards(curve, j, -1, apart) : -1;
    int right = on_right ? outwards(curve, j + 1, 1, apart) : curve->n;
    growing polynomial = line_of(curve, j);
    while (left >= 0 || right < curve->n) {
        if (left >= 0) {
            take_point(&polynomial, curve, left);
            left = outwards(curve, left, -1, apart);
        }
        if (right < curve->n) {
            take_point(&polynomial, curve, right);
            right = outwards(curve, right, 1, apart);
        }
    }
    return polynomial;
}

/* On one side it takes a cubic and one point more, to confirm it; one term may vanish by chance. */
static ln_piece interpolate(const ln_curve *curve, int j) {
    enum { CONFIRMED = 5 };
    growing best = through(curve, j, 1, 1);
    double off = cut_off(&best);
    for (int side = 0; side < 2 && best.piece.terms < best.count; side++) {
        growing one = through(curve, j, side == 0, side == 1);
        if (one.count < CONFIRMED)
            continue;
        const double one_off = fmax(cut_off(&one), one.size[one.count - 2]);
        if (one.piece.terms > 2 && one_off < off) {
            best = one;
            off = one_off;
        }
    }
    return best.piece;
}

/* Do the points nearby let the signal get as far as y at t, between points j and j+1? What bends
 * one way stays inside of the lines through the points before and behind. */
static int is_in_reach(const ln_curve *curve, int j, double t, double y) {
    const double apart = 1e-2 * (curve->t[j + 1] - curve->t[j]);
    const double up = y > curve->y[j] ? 1 : -1;
    const int beyond[2] = {outwards(curve, j, -1, apart), outwards(curve, j + 1, 1, apart)};
    for (int side = 0; side < 2; side++) {
        const int near = j + side, far = beyond[side];
        if (far < 0 || far >= curve->n)
            continue;
        const double slope = (curve->y[near] - curve->y[far]) / (curve->t[near] - curve->t[far]);
        if (up * (curve->y[near] + slope * (t - curve->t[near]) - y) < 0)
            return 0;
    }
    return 1;
}

/* ---- pieces ---- */

/* Where the slope, of different signs at the ends, is zero. */
static double find_extremum(const ln_piece *piece, double slope0) {
    double low = piece->t0, high = piece->t1, slope;
    for (;;) {
        double middle = low + (high - low) / 2;
        if (!(middle > low && middle < high))
            return middle;
        (void)evaluate(piece, middle, &slope);
        if (slope == 0)
            return middle;
        if ((slope > 0) == (slope0 > 0))
            low = middle;
        else
            high = middle;
    }
}

static void give_interval(ln_curve *curve, int j) {
    ln_piece piece = interpolate(curve, j);
    double slope0, slope1;
    (void)evaluate(&piece, piece.t0, &slope0);
    (void)evaluate(&piece, piece.t1, &slope1);
    if (piece.terms > 2 && slope0 * slope1 < 0) {
        double t = find_extremum(&piece, slope0), slope, y = evaluate(&piece, t, &slope);
        ln_piece first = piece;
        if (is_in_reach(curve, j, t, y)) {
            first.t1 = piece.t0 = t;
            first.y1 = piece.y0 = y;
            curve->visit(curve->context, &first);
        } else {
            piece = line_of(curve, j).piece;
        }
    }
    curve->visit(curve->context, &piece);
}

void ln_curve_end(ln_curve *curve) {
    while (curve->done < curve->n - 1)
        give_interval(curve, curve->done++);
}

static void begin(ln_curve *curve, double t, double y) {
    curve->n = 1;
    curve->done = 0;
    curve->t[0] = t;
    curve->y[0] = y;
}

void ln_curve_add(ln_curve *curve, double t, double y) {
    enum { AHEAD = LN_CURVE_POINTS / 2 }; /* points wanted behind an interval's left end */
    if (curve->n == 0) {
        begin(curve, t, y);
        return;
    }
    if (t <= curve->t[curve->n - 1]) {
        ln_curve_end(curve);
        const ln_piece jump = {.t0 = t, .y0 = curve->y[curve->n - 1], .t1 = t, .y1 = y};
        curve->visit(curve->context, &jump);
        begin(curve, t, y);
        return;
    }
    if (curve->n == LN_CURVE_POINTS) {
        memmove(curve->t, curve->t + 1, (LN_CURVE_POINTS - 1) * sizeof *curve->t);
        memmove(curve->y, curve->y + 1, (LN_CURVE_POINTS - 1) * sizeof *curve->y);
        curve->n--;
        curve->done--;
    }
    curve->t[curve->n] = t;
    curve->y[curve->n++] = y;
    while (curve->n == LN_CURVE_POINTS && curve->done + AHEAD < curve->n)
        give_interval(curve, curve->done++);
}

/* ---- numbers ---- */

/* Bisection: the piece is monotone, and the last bit costs a microsecond. */
double ln_piece_root(const ln_piece *piece, double level) {
    double low = piece->t0, high = piece->t1;
    int rising = piece->y1 > piece->y0;
    for (;;) {
        double middle = low + (high - low) / 2;
        if (!(middle > low && middle < high))
            return high;
        if ((ln_piece_at(piece, middle) < level) == rising)
            low = middle;
        else
            high = middle;
    }
}

/* Gauss-Legendre with eight points (Abramowitz and Stegun, table 25.4): exact up to degree 15. */
double ln_piece_integral(const ln_piece *piece, double a, double b, int power) {
    static const double x[] = {0.1834346424956498049, 0.5255324099163289858, 0.7966664774136267396,
                               0.9602898564975362317};
    static const double w[] = {0.3626837833783619830, 0.3137066458778872873, 0.2223810344533744706,
                               0.1012285362903762591};
    double half = (b - a) / 2, middle = a + half, sum = 0;
    for (int k = 0; k < 4 && half > 0; k++)
        for (int side = -1; side <= 1; side += 2) {
            double y = ln_piece_at(piece, middle + side * half * x[k]);
            sum += w[k] * (power == 2 ? y * y : y);
        }
    return half * sum;
}
