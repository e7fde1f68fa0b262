/* SPDX-License-Identifier: MIT */
/* A signal between its recorded points, for measures. Points come in one by one; out come monotone
 * pieces, a little later, when the points on both sides of a piece are known. Between two points
 * stands the polynomial through up to eight points around them, never across a jump or a corner (an
 * instant that is recorded twice), of a degree that the points themselves justify. Nothing is
 * stored but these eight points. */
#ifndef LN_ANALYSIS_MEASURE_CURVE_H
#define LN_ANALYSIS_MEASURE_CURVE_H

enum { LN_CURVE_POINTS = 8 };

/* A stretch on which the signal rises or falls throughout; t0 == t1: a jump. The polynomial in
 * Newton's form. */
typedef struct ln_piece {
    double t0, y0, t1, y1;
    int terms; /* 0: a jump */
    double node[LN_CURVE_POINTS], c[LN_CURVE_POINTS];
} ln_piece;

typedef struct ln_curve {
    void (*visit)(void *context, const ln_piece *piece);
    void *context;
    int n, done; /* points held; intervals between them that were given out */
    double t[LN_CURVE_POINTS], y[LN_CURVE_POINTS];
} ln_curve;

/* The next point; times never fall. The same time again is a jump or a corner. */
void ln_curve_add(ln_curve *curve, double t, double y);
/* No more points: the rest is given out. */
void ln_curve_end(ln_curve *curve);

double ln_piece_at(const ln_piece *piece, double t);
/* Where a piece that passes the level has it. */
double ln_piece_root(const ln_piece *piece, double level);
/* The integral of y (power 1) or its square (2) from a to b within the piece. */
double ln_piece_integral(const ln_piece *piece, double a, double b, int power);

#endif
