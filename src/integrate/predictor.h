/* SPDX-License-Identifier: MIT */
/* What the points before a step say about its end: a start value for Newton's method, and, from how
 * far the end lies off a polynomial, the local error of the step.
 *
 * Polynomials of degree 0, 1 and 2 run through the present point and the last ones [Hairer,
 * Norsett, Wanner: Solving ODEs I, III.5]. The start value is that of the degree that came nearest
 * at the last step. The polynomial whose degree is the order p of the method gives the error by
 * Milne's device: the polynomial and the method both miss the end by a multiple of
 * h^(p+1) x^(p+1), so the error is a known share of what lies between them. */
#ifndef LN_INTEGRATE_PREDICTOR_H
#define LN_INTEGRATE_PREDICTOR_H

#include "base/arena.h"
#include "integrate/newton.h"

/* Points of the past, so many that there is room for, the last one first. The last one goes, and
 * its memory is that of the oldest; a new one, of n values, takes the oldest one's. */
void ln_past_drop(int room, double **x, double *t);
void ln_past_add(int room, double **x, double *t, double time, const double *values, int n);

/* Points of a polynomial behind the present one; and so many are kept, those of two steps in two
 * stages, since the last step may be taken back. */
enum { LN_PREDICTOR_POINTS = 2, LN_PREDICTOR_KEPT = 4 };

typedef struct ln_predictor {
    int n, count; /* earlier points, without the present one */
    double *x[LN_PREDICTOR_KEPT], t[LN_PREDICTOR_KEPT]; /* the last one first */
    double *bends; /* n: 1 for the unknowns on which nonlinear parts depend, 0 for the others */
    char *origin;  /* n: ln_error_origin */
    int degree;    /* that served best at the last step */
    /* n each: the polynomial of the method's degree at the end of the step; how far the ends of the
     * last steps lay off it, times a tenth for each step since */
    double *predicted, *missed;
    const double *abstol;
} ln_predictor;

/* Memory; LINNET_MEMORY is not reported. */
linnet_status ln_predictor_init(ln_predictor *predictor, const ln_system *system, ln_arena *arena);
/* At a start and after a discontinuity. */
void ln_predictor_forget(ln_predictor *predictor);
/* The start value at t + h, from the point x at t, into guess (n values). Returns the factor by
 * which |end - predicted| becomes h^(order+1) |x^(order+1)| (Milne's device), 0 with too few
 * points. order: 1 or 2. */
double ln_predictor_guess(ln_predictor *predictor, double t, const double *x, double h, int order,
                          double *guess);
/* The point x (n values) of a first stage, at t + part h. */
typedef struct ln_inner_stage {
    double part;
    const double *x;
} ln_inner_stage;
/* The start value of a second stage: at t + h, after a first stage. Through x, stage->x and a
 * point before, by as many as the degree that served last asks for. */
void ln_predictor_go_on(const ln_predictor *predictor, double t, const double *x, double h,
                        const ln_inner_stage *stage, double *guess);
/* After a guess for the same step: it has come to x1. */
void ln_predictor_note(ln_predictor *predictor, double t, const double *x, double h, int order,
                       const double *x1);

#endif
