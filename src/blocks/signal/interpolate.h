/* SPDX-License-Identifier: MIT */
/* Interpolation as polynomials, piece by piece: what tables of one and two arguments share.
 *
 * n knots make n + 1 pieces: piece 0 lies before the first knot, piece n behind the last. On each
 * the value is a cubic in d = x - origin whose coefficients follow linearly from values and slopes
 * at two neighbouring knots. */
#ifndef LN_BLOCKS_SIGNAL_INTERPOLATE_H
#define LN_BLOCKS_SIGNAL_INTERPOLATE_H

#include "blocks/signal/sized.h"
#include "expression/graph.h"
#include "model/model.h"

typedef enum ln_interpolation {
    LN_LINEAR,
    LN_PREVIOUS,
    LN_NEAREST,
    LN_NEXT,
    LN_MONOTONE,
    LN_AKIMA,
    LN_METHODS
} ln_interpolation;
typedef enum ln_outside { LN_HOLD, LN_EXTRAPOLATE, LN_REFUSE, LN_PERIODIC, LN_OUTSIDES } ln_outside;
extern const char *const ln_method_names[LN_METHODS], *const ln_outside_names[LN_OUTSIDES];

/* The index of a word among names; an unknown one is reported with the nearest. -1 then. */
int ln_choice(const ln_shape *shape, const char *parameter, const char *word,
              const char *const *names, int count, ln_report *report);

typedef struct ln_table_piece {
    double begin, origin; /* where it begins; -INFINITY: the first */
    int knot;             /* its values are those at this knot and the next */
    double m[4][4];       /* coefficient of d^row from: value, next value, slope, next slope */
} ln_table_piece;
/* Pieces over rising knots x[0..n-1] (n >= 2; equal ones make a piece of no length): n + 1 of them,
 * in the arena. */
ln_table_piece *ln_pieces(ln_arena *arena, ln_interpolation method, ln_outside outside,
                          const double *x, int n);

/* Slopes at the knots of values f[0], f[stride], ...; zero for methods that need none.
 * monotone: M. Steffen, A simple method for monotonic interpolation in one dimension, Astron.
 * Astrophys. 239 (1990) 443. akima: H. Akima, A new method of interpolation and smooth curve
 * fitting, J. ACM 17 (1970) 589. */
void ln_slopes(ln_interpolation method, const double *x, const double *f, int n, int stride,
               double *slope);

/* The argument as the table sees it: wrapped into the period, or as it is. When asked, a value
 * outside fails the run. */
ln_node ln_table_argument(ln_equations *e, ln_node x, const char *name, ln_outside outside,
                          double first, double last);

/* A constant table as a hidden parameter of the type: `count` values between begins[1..count-1], in
 * the arena; evaluated at a step node of ln_piece_step(). LN_NONE when memory is short. */
ln_node ln_stairs(ln_equations *e, const char *name, ln_node step, const double *begins,
                  const double *values, int count);
/* The node that steps from piece to piece with x. */
ln_node ln_piece_step(ln_equations *e, const char *name, ln_node x, const ln_table_piece *pieces,
                      int count);

#endif
