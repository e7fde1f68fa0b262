/* SPDX-License-Identifier: MIT */
/* Newton's method on whatever equations a step, a start or an operating point poses.
 *
 * Convergence is judged on the update of each unknown, |dx| <= tolerance_factor (1e-10 |x| + 1e-8
 * abstol), times the measured rate, so that the error left is far below any step's tolerance. A
 * step that knows its own error adds a part of it (ln_newton_allowance). A factorisation is kept
 * while it converges, or made at each point where the owner says that it costs less than the
 * iterations it saves. */
#ifndef LN_INTEGRATE_NEWTON_H
#define LN_INTEGRATE_NEWTON_H

#include "linear/convergence.h"
#include "linear/relaxation.h"
#include "system/system.h"

typedef struct ln_equation_set ln_equation_set;
/* The equations F(x) = 0 to be solved; the owner embeds this struct. */
struct ln_equation_set {
    ln_system *system;
    const ln_pattern *pattern; /* of the Jacobian */
    /* r = F(x), n values; also makes the values that jacobian() needs. As ln_system_eval for manner
     * and status. */
    linnet_status (*residual)(ln_equation_set *set, const double *x, int manner, double *r,
                              int *limited);
    /* Values of dF/dx at the last residual's point. */
    void (*jacobian)(ln_equation_set *set, double *values);
    int linear; /* F is affine: one iteration is exact */
    /* n each, may be NULL: terms of F that do not depend on x, for its rounding */
    const double *constant_terms[2];
    /* n, or NULL: q of the nonlinear blocks at the last residual's point. F has per_q times
     * its difference from a known q, and q rounds at its own size, which may far exceed dq/dx x (a
     * compressed liquid). */
    const double *q_nl;
    double per_q;
};

/* The matrix of Newton's method. usable: it is factored, and the factorisation may be used,
 * whatever point it was made at. */
typedef struct ln_newton_matrix {
    ln_linear *linear;
    int usable;
} ln_newton_matrix;

typedef enum ln_newton_outcome {
    LN_NEWTON_CONVERGED,
    LN_NEWTON_OK = LN_NEWTON_CONVERGED, /* of a part of an iteration: nothing has failed */
    LN_NEWTON_SINGULAR,                 /* the matrix; values are still in newton->values */
    LN_NEWTON_DIVERGED,                 /* or too slow */
    LN_NEWTON_REFUSED, /* a block gives no finite value near there: ln_system_blame() */
    LN_NEWTON_MEMORY
} ln_newton_outcome;

/* What an unknown follows from. */
typedef enum ln_error_origin {
    LN_FROM_STATES,           /* from stored quantities: it has the step's error */
    LN_FROM_SOURCES,          /* from sources alone: a step makes no error in it */
    LN_FROM_SOURCES_LINEARLY, /* likewise through linear rows: the first Newton update is exact */
} ln_error_origin;

/* The error that Newton's method may leave in a step. Fixed steps: a part of the step's error,
 * share * max(|x - predicted|, missed); missed is how far the predictions of the last steps
 * were from their ends. Adaptive steps: allowed[i]. origin: ln_error_origin, n each. */
typedef struct ln_newton_allowance {
    const double *predicted, *missed;
    const char *origin;
    double share;
    const double *allowed; /* n; NULL: a part of the error */
} ln_newton_allowance;

/* Where a step's error is not known a resting device departs by this part of its current from what
 * it would give, as much as Newton's method leaves (ln_rests_within()). */
#define LN_RESTS 1e-10

/* Newton to rounding: updates of 1e-15 of the unknown; what then remains is noise. */
#define LN_EXACT_TOLERANCE_FACTOR 1e-5
/* The iterations that it may take there, in generated code, too. */
enum { LN_EXACT_ITERATIONS = 50 };
/* An update to a point where the equations have no value is halved, tried so many times; generated
 * code does the same (codegen/c_newton.c). */
enum { LN_UPDATE_TRIES = 12 };
/* A fixed step of which there is no solution is halved so many times, from the third failure on by
 * backward Euler; generated code does the same (codegen/c_divided.c). Of its parts so many are
 * tried at most, since a step must end. Towards a point that only the shortest part crosses, a
 * trigger that flips, two parts of each length may lead on, each after a failure of a longer one;
 * and then back up, each twice as long as the one before. Random models with dry friction took
 * nine, a multivibrator 46. */
enum { LN_SHORTENINGS = 20, LN_EULER_AFTER = 3, LN_MOST_TRIES = 5 * LN_SHORTENINGS };

typedef struct ln_newton {
    int n;
    /* n: index of each unknown, or NULL. One of index 3 (a force that enforces a position
     * constraint) is not asked to converge: divided by h^2, the rounding of that position is more
     * than the force's tolerance in short steps, and an error of the force that moves nothing else
     * is none of the step. */
    const char *index;
    double *r, *dx, *trial; /* n each */
    /* n each, 1 or 0, doubles since they multiply: is the unknown in the norm of updates; may it
     * keep the error that the allowance grants. Made for weights_for, an allowance's origin
     * (update_norm.h), whose values must not change in place. */
    double *norm_weight, *allowance_weight;
    const char *weights_for;
    int weights_are_known;
    /* nvalues, n at least: values of a Jacobian, from which noise is estimated or by which a
     * singular matrix is reported; between these, work for whoever needs it */
    double *values;
    int nvalues;
    ln_convergence convergence;
    ln_relaxation relaxation;
    double tolerance_factor;              /* times the tolerance: 1; for steps at a large one more;
                                             LN_EXACT_TOLERANCE_FACTOR */
    const ln_newton_allowance *allowance; /* NULL: none */
    /* The largest part of what a device gives by which it may depart from its tangent over the last
     * update, in rows that store nothing (ln_system_is_tangent()); 0: any */
    double most_bend;
    double most_departure; /* the same of what is no device, at the end of that update */
    int renew;             /* a new factorisation at each point costs less than what it saves */
    long iterations;       /* since creation */
} ln_newton;

linnet_status ln_newton_init(ln_newton *newton, ln_arena *arena, int n, int nvalues);

/* Solves from x (in and out). matrix->usable becomes 1 after a factorisation, 0 when it went bad.
 * iterations: the most that are allowed. damped: judge each update by a second residual and shorten
 * it (for starts from afar). */
ln_newton_outcome ln_newton_solve(ln_newton *newton, ln_equation_set *set, ln_newton_matrix *matrix,
                                  double *x, int iterations, int damped);

#endif
