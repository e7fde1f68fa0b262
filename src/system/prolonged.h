/* SPDX-License-Identifier: MIT */
/* Consistent points of systems of any index: the equations together with their derivatives
 * (the prolonged system; in numerical texts, the derivative array).
 *
 * By the tables of index.h, row k is differentiated c[k] times; the rows and their derivatives then
 * determine, with what is free, the unknowns x[j] and their derivatives up to d[j] [Pryce 2001].
 * What is free is given by what was stored before, q*: a constraint that it does not meet moves it
 * at once, by impulses of the unknowns that enforce the constraint (the current through a
 * capacitor that a source charges, the force at a stop). They are the coefficients of 1/h, 1/h^2,
 * ... in a backward Euler step of length h -> 0 from q*:
 *
 *     q(x) - q* + A x[-1] = 0        E x[-1] + A x[-2] = 0        ...
 *
 * with impulses x[-1], ... of an unknown of index 2, x[-2] also of one of index 3, and so on. A
 * value that is held is one more row, x[a] - x[b] = value, with one more impulse, between a and b.
 * All these equations are solved at once, by Newton's method. */
#ifndef LN_SYSTEM_PROLONGED_H
#define LN_SYSTEM_PROLONGED_H

#include "system/derivatives.h"
#include "system/prolonged_structure.h"

/* x[a] - x[b] = value; b = -1: x[a] = value. */
typedef struct ln_held_difference {
    int a, b;
    double value;
} ln_held_difference;

/* What a consistent point is to meet: seen from a side, with q_star (n values) stored before and
 * with values that are held. */
typedef struct ln_consistency_conditions {
    ln_side side;
    const double *q_star;
    const ln_held_difference *held; /* nheld; NULL with 0 */
    int nheld;
    double relaxed; /* s: what is stored has relaxed through leaks (leaks.h) within it; 0: none */
} ln_consistency_conditions;

typedef enum ln_prolonged_outcome {
    LN_PROLONGED_SOLVED,
    LN_PROLONGED_SINGULAR, /* the equations, or what is held contradicts or repeats them */
    LN_PROLONGED_DIVERGED,
    LN_PROLONGED_REFUSED, /* a block has no value near there */
    LN_PROLONGED_MEMORY
} ln_prolonged_outcome;

/* What is kept from one point to the next: the structure, derivatives of the rows, E and A by rows,
 * how the equations are factored, and the last update of x (n). Zero-initialise. */
typedef struct ln_prolonged_cache {
    ln_prolonged_structure *structure;
    ln_derivatives *derivatives;
    int *wanted;
    char *leaks; /* n */
    double *update;
    ln_reassembly E, A, jacobian;
    ln_linear *linear; /* of the jacobian's pattern */
} ln_prolonged_cache;
void ln_prolonged_forget(ln_prolonged_cache *cache);

/* x (n values) becomes the point that meets what is given, from the guess in it. *iterations: of
 * Newton, added to. */
ln_prolonged_outcome ln_prolonged_solve(ln_system *system, const ln_consistency_conditions *given,
                                        ln_prolonged_cache *cache, double *x, long *iterations);

/* *any: 1 where there are leaks at x (n values), seen from a side. LINNET_RETRY: a block has no
 * value there. LINNET_MEMORY. */
linnet_status ln_prolonged_leaks(ln_system *system, const ln_consistency_conditions *given,
                                 ln_prolonged_cache *cache, const double *x, int *any);

/* *jumps: 1 where a differentiated row jumps between the two sides though the row itself does not
 * (the corner of a source across a capacitor): unknowns found from that derivative then jump. x: n
 * values, the point. LINNET_RETRY: it cannot be decided. LINNET_MEMORY. */
linnet_status ln_prolonged_slope_jumps(ln_system *system, ln_side left, ln_side right,
                                       ln_prolonged_cache *cache, const double *x, int *jumps);

#endif
