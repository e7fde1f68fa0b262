/* SPDX-License-Identifier: MIT */
/* Interpolation for measures: divided differences around each interval, cut off where they stop to
 * get smaller. */
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

/* The next point outwards from `at` that is not next to it: a sliver of a step, as before an event,
 * would only bring rounding. Its index, or one outside. */
static int outwards(const ln_curve *curve, int at, int direction, double apart) {
    int next = at + direction;
    while (next >= 0 && next < curve->n && fabs(curve->t[next] - curve->t[at]) < apart)
        next += direction;
    return next;
}

/* The points nearest to interval j, both sides by turns while there are any. Returns their number.
 */
static int choose_nodes(const ln_curve *curve, int j, int chosen[LN_CURVE_POINTS]) {
    const double apart = 1e-2 * (curve->t[j + 1] - curve->t[j]);
    int left = outwards(curve, j, -1, apart), right = outwards(curve, j + 1, 1, apart), count = 2;
    chosen[0] = j;
    chosen[1] = j + 1;
    while (left >= 0 || right < curve->n) {
        if (left >= 0) {
            chosen[count++] = left;
            left = outwards(curve, left, -1, apart);
        }
        if (right < curve->n) {
            chosen[count++] = right;
            right = outwards(curve, right, 1, apart);
        }
    }
    return count;
}

/* How many terms the points justify. Terms are taken in pairs, for one of a symmetric pair may
 * vanish by chance; of a smooth signal each pair is several times smaller than the one before,
 * which a kink or noise does not show: there the line between the two points is the honest choice.
 */
static int justified(const ln_piece *piece, int count) {
    static const double smaller = 0.35;
    double middle = piece->t0 + (piece->t1 - piece->t0) / 2, size[LN_CURVE_POINTS / 2] = {0};
    double product = (middle - piece->node[0]) * (middle - piece->node[1]);
    for (int k = 2; k < count; k++) {
        size[k / 2] = fmax(size[k / 2], fabs(piece->c[k] * product));
        product *= middle - piece->node[k];
    }
    int terms = count < 4 ? count : 2;
    for (int pair = 1; 2 * pair + 1 < count; pair++) {
        /* nothing confirms the last pair but that it is small itself */
        int last = 2 * pair + 3 >= count;
        double bound = pair > 1 ? size[pair - 1] : INFINITY;
        if (!last && size[pair + 1] > smaller * size[pair] && pair == 1)
            break;
        if (!(size[pair] <= smaller * bound))
            break;
        terms = 2 * pair + 2;
    }
    return terms;
}

/* Divided differences over the chosen points, in place. */
static void interpolate(const ln_curve *curve, int j, ln_piece *piece) {
    int chosen[LN_CURVE_POINTS], count = choose_nodes(curve, j, chosen);
    *piece = (ln_piece){
        .t0 = curve->t[j], .y0 = curve->y[j], .t1 = curve->t[j + 1], .y1 = curve->y[j + 1]};
    for (int k = 0; k < count; k++) {
        piece->node[k] = curve->t[chosen[k]];
        piece->c[k] = curve->y[chosen[k]];
    }
    for (int order = 1; order < count; order++)
        for (int k = count - 1; k >= order; k--)
            piece->c[k] =
                (piece->c[k] - piece->c[k - 1]) / (piece->node[k] - piece->node[k - order]);
    piece->terms = justified(piece, count);
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
    ln_piece piece;
    double slope0, slope1;
    interpolate(curve, j, &piece);
    (void)evaluate(&piece, piece.t0, &slope0);
    (void)evaluate(&piece, piece.t1, &slope1);
    if (piece.terms > 2 && slope0 * slope1 < 0) {
        double t = find_extremum(&piece, slope0), slope, y = evaluate(&piece, t, &slope);
        ln_piece first = piece;
        first.t1 = piece.t0 = t;
        first.y1 = piece.y0 = y;
        curve->visit(curve->context, &first);
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
