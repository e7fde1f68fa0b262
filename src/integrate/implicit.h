/* SPDX-License-Identifier: MIT */
/* One implicit step, and all that a run of implicit steps keeps between them.
 *
 * Every method poses the same equations, and differs in the scalar alpha and the known vectors only
 * (doc/architecture.md, "The one form"):
 *
 *     alpha (q(x1) - q_near) + w + f(x1, t1) = 0    on dynamic rows,
 *     f(x1, t1) = 0                                 on the others.
 *
 * q_near is subtracted before scaling, so that rounding is that of the difference and not of
 * 2 q0/h, and an LC tank keeps its energy:
 *
 *     backward Euler   alpha = 1/h   q_near = q0   w = 0
 *     Crank-Nicolson   alpha = 2/h   q_near = q0   w = f0
 *
 * f on a dynamic row after a step is minus the derivative of q that the method itself has used. */
#ifndef LN_INTEGRATE_IMPLICIT_H
#define LN_INTEGRATE_IMPLICIT_H

#include "integrate/integrate.h"
#include "integrate/newton.h"
#include "integrate/predictor.h"

#include <math.h>

/* A factorisation and the alpha it was made for. */
typedef struct ln_step_factors {
    ln_newton_matrix matrix;
    double alpha;
    unsigned long used; /* clock of the last use */
} ln_step_factors;
enum { LN_KEPT_FACTORS = 4 };

/* Steps whose lengths differ by rounding only share a factorisation. */
static inline int ln_same_alpha(double a, double b) {
    return fabs(a - b) <= 1e-12 * fabs(b);
}

/* E x and A x of a linear network at the last point they were asked for, which is where the next
 * step begins. */
typedef struct ln_products {
    double *x, *Ex, *Ax; /* n each */
    int known;
} ln_products;

/* The last factorisations, the one least recently used is replaced. */
typedef struct ln_factor_cache {
    ln_step_factors factors[LN_KEPT_FACTORS];
    unsigned long clock; /* counts uses */
} ln_factor_cache;

/* How the unknowns count in the error test, and which of them have set the step so far. */
typedef struct ln_error_record {
    char *in_error_test; /* n: 1 for unknowns whose errors set the step */
    char *is_potential;  /* n: of a link; made with the former */
    /* entries of dq/dx by unknowns that are not among them, since all have been zero so far */
    int *unseen, nunseen;
    int stores; /* 0: nothing is stored, and all unknowns are in the error test */
    /* n: largest |x| so far; with fixed steps over the sampled steps only */
    double *peak;
    /* n: the part of its peak that an unknown's size counts for at least; 0: signals, and what has
     * a tolerance of its own */
    double *least_share;
    int *errs_least; /* n, of a floating part's common unknown: who errs least
                        (ln_error_find_least()) */
    /* steps rejected for their errors since one within which no floating part has jumped; it jumps
     * in the step being tried. Not of radau5 */
    int trials, jumps;
    int read_trials; /* the same of what is read without being stored; of all methods */
    int dominant;    /* unknown with the largest error in the last estimate */
    /* per unknown: steps it dominated, and had rejected; where Newton's method failed */
    long *dominations, *rejections, *unsolved;
} ln_error_record;

/* An entry of a row that time drives: of A and df, or of E and dq where it stores. */
typedef struct ln_source_term {
    int row, unknown, stores; /* row: its number among these */
    const double *value;      /* as it was evaluated last */
} ln_source_term;

/* What a source row does not notice: the tolerance of its terms as they are, and as large as they
 * have been. */
typedef struct ln_source_floor {
    double now, peak;
} ln_source_floor;

/* What bounds the length of an adaptive step beside its error. */
typedef struct ln_step_bound {
    double longest; /* s: allowed now */
    /* s: the first step after a restart may be this long at once; 0: the method begins with a tiny
     * one of its own */
    double first_h;
    ln_cause cause;                 /* why the method took no larger step */
    int *source_rows, nsource_rows; /* rows that time drives */
    ln_source_term *source_terms;   /* of these rows, row by row; the last has no row, -1 */
    double *source_values;          /* work of ln_source_step_bound(), as the next */
    ln_source_floor *source_floors;
} ln_step_bound;

/* How near to its solution Newton's method must bring a step. */
typedef struct ln_newton_accuracy {
    const ln_newton_allowance *allowance; /* of a step while it is tried; NULL: to its own limit */
    ln_newton_allowance fixed_allowance;  /* what allowance points to at steps of fixed length */
    double *allowed;                      /* n, adaptive: what may remain of each unknown's error */
    int predicts;  /* adaptive: the step's stages are solved from where the last steps lead */
    double *guard; /* nguards: work of ln_run_keeps_branch() */
} ln_newton_accuracy;

/* A run by an implicit method. Borrowed, and longer alive: system, settings, watcher, report,
 * statistics. Arrays are of the run's own arena, but for what newton and cache own; all live from
 * ln_run_init() to ln_run_free(). */
typedef struct ln_run {
    ln_system *system;
    const ln_settings *settings;
    const ln_watcher *watcher;
    ln_report *report;
    ln_statistics *statistics;
    ln_arena *arena;
    int n;        /* unknowns */
    int adaptive; /* the method controls its step */

    /* where the run stands */
    ln_side side;
    double *x, *q, *f; /* at side; f on dynamic rows only */
    /* fixed steps: 1 after a jump; a method that does not damp takes two halves of backward
     * Euler next, and clears it */
    int damp;
    int is_after_step;  /* a step has ended since the last restart: junctions stand where that leads
                         */
    long steps_at_leap; /* accepted before the last leap (leap.h) */
    double leapt_at;    /* s: when it was */
    long steps_at_near; /* before the last step that was found as leaps are; 0: there was none */
    /* what becomes of a step that cannot be taken: a message, or LINNET_FAILED and a note */
    enum { LN_NO_STEP_IS_TOLD, LN_NO_STEP_IS_TRIED, LN_NO_STEP_WAS_MET } no_step;
    int start_is_tried; /* no start found is LINNET_RETRY, and not reported (start_modes.h) */
    char *index;        /* per unknown: differentiation index 1, 2 or 3; NULL when all are 1 */
    char *index_apart;  /* the same, of what a floating part's members differ by; with index */
    struct ln_known_indices *known_indices; /* of modes seen before (index.c); NULL: none is kept */

    /* the step being tried */
    double *x1, *q1, *f1; /* its end */
    double *s, *w;        /* n: sources; known part of the derivative */
    ln_products products;
    ln_predictor predictor;
    ln_error_record errors;
    ln_step_bound bound;
    struct ln_global_error *global_error; /* NULL: not estimated (global_error.h) */

    /* its solution */
    ln_newton newton;
    ln_newton_accuracy accuracy;
    struct ln_few *few; /* NULL: nonlinear blocks are not few (few_nonlinear.h) */
    int renews;         /* the last one of a nonlinear network factored at each iteration */
    ln_factor_cache cache;
    double rests;              /* adaptive: V: of ln_system_eval_within() as a method allows now */
    double *guess;             /* n: work of ln_run_solve() */
    double *far_guess;         /* n: work of ln_continue(), where the run solves from afar */
    ln_newton_outcome outcome; /* of the last solve */
    /* memory was short within a step; whatever way was found around that, the run ends */
    int out_of_memory;
    int told_of_rounding; /* ln_rounding_warn() has warned */
    /* ways that did not help, for the message of a failure; NULL: none were tried */
    const char *tried;
} ln_run;

linnet_status ln_run_init(ln_run *run, ln_system *system, const ln_settings *settings,
                          const ln_watcher *watcher, ln_report *report, ln_statistics *statistics);
void ln_run_free(ln_run *run);

/* A step over which a frozen mode has no value (the root of what turns negative past its
 * crossing) is tried again with modes that follow: the crossing shows at its end, and is located
 * between. At adaptive steps only blocks follow that have no value else: what jumps elsewhere at
 * the same crossing would leave no step short enough. 1, and *side follows, when run->outcome asks
 * for that; 0 when it does not, or *side followed already. */
int ln_run_follow(const ln_run *run, ln_side *side);

/* The index of what an error test judges of unknown i: itself, or by how much it differs from
 * others of its floating part. A coil in series with a capacitor and a switch across it, and
 * nothing else, makes the potentials of both ends index 2; the voltage of the capacitor is a state.
 */
static inline int ln_run_index_of_judged(const ln_run *run, int i) {
    if (run->index == NULL)
        return 1;
    const int floats = run->system->nparts > 0 && run->system->common_unknown[i] >= 0;
    return floats ? run->index_apart[i] : run->index[i];
}

/* A point: unknowns, what is stored, and f; n values each, borrowed. */
typedef struct ln_point {
    double *x, *q, *f;
} ln_point;
/* The end of the step being tried. */
static inline ln_point ln_run_end(const ln_run *run) {
    return (ln_point){run->x1, run->q1, run->f1};
}

/* Solves alpha (q(x) - q_near) + w + f(x, t) = 0 from the guess in at.x. On success `at` is the
 * solution and 1 is returned; else 0 and run->outcome says why. w must be zero on rows without
 * q. */
int ln_run_solve(ln_run *run, double alpha, const double *q_near, const double *w, ln_side side,
                 ln_point at);
/* The same for a step of backward Euler of h from q that ends at `end`: w, run->w, is zero. */
int ln_run_solve_euler(ln_run *run, double h, const double *q, ln_side end, ln_point at);

/* The kept factors of alpha, which may have to be made yet, in the place of those least recently
 * used. NULL: memory is short, and the run is told. */
ln_step_factors *ln_run_factors_for(ln_run *run, double alpha);

/* The same on a linear network, with the factors of alpha (linear_step.c). */
ln_newton_outcome ln_run_solve_linear(ln_run *run, ln_step_factors *factors, const double *q_near,
                                      const double *w, ln_point at);

/* May Newton's method start where the last steps lead? With modes at adaptive steps only, and where
 * there are junctions, whose limiting leads to the one solution from any start: of a root with an
 * infinite slope the start decides which one is found. */
int ln_run_guesses(const ln_run *run);
/* Is a start in the branches that hold at `side`? Beyond a crossing their equations may lead to
 * another solution, or to none. */
int ln_run_keeps_branch(const ln_run *run, ln_side side, const double *start);
/* May it end at the error of a step, too? Not where crossings are located: to 1e-12 of a step,
 * which asks for more; and what it leaves of a coil's current is kilovolts in the first step behind
 * one. */
int ln_run_ends_by_error(const ln_run *run);

/* A method of one stage: its order, 1 or 2, and its local error per h^(order+1) x^(order+1). */
typedef struct ln_step_formula {
    double alpha;
    int order;
    double error;
} ln_step_formula;
/* One step of h from run->x into x1, q1, f1, as ln_run_solve() with run->q. Newton's method starts
 * where the last steps lead and ends where the step's own error hides what is left. The caller
 * commits the step; one whose length follows its error tells it to ln_predictor_note_step(), since
 * others of this length may be rejected. */
int ln_run_solve_step(ln_run *run, const ln_step_formula *formula, const double *w, double h,
                      ln_side side);
/* A step of h has been committed, by a method of this order; its start stands in x1. */
void ln_predictor_note_step(ln_run *run, double h, int order);

/* Factors; 0: run->outcome says whether the matrix is singular or memory is short, for which no
 * shorter step helps. */
int ln_run_factor(ln_run *run, ln_linear *linear, const double *values);

/* K(alpha) e = b in place with the factorisation of the last solve, made anew at its solution if
 * Newton has given it up. 0 when that is singular. */
int ln_run_solve_again(ln_run *run, double alpha, double *b);

/* The equation rate + f(x, t) = 0 at a point that a method has found. alpha: the factor of dq/dx
 * in the matrix by which the miss is measured. */
typedef struct ln_point_check {
    double alpha;
    ln_side side;
    const double *rate, *x;
    /* out, n each: what nonlinear blocks store there, q without E x; f with the sources */
    double *q_nl, *f;
} ln_point_check;

/* The factors of alpha that stand there, for ln_linear_solve_aside(); NULL: there are none. */
ln_linear *ln_run_usable_factors(const ln_run *run, double alpha);

/* Returns the size of the Newton update e (n values, out) that the point still needs, by the
 * Jacobian of this very point: the largest |e|/allowed, rounding left out; INFINITY where a
 * block refuses the point or the Jacobian is singular (run->outcome). near: factors of K(alpha)
 * at another point, which serve where they are near enough; may be NULL. */
double ln_run_defect_norm(ln_run *run, const ln_point_check *at, ln_linear *near,
                          const double *allowed, double *e);

/* f on the dynamic rows at (x, t) directly from the blocks, and q: at a start and after a
 * discontinuity. */
linnet_status ln_run_restart(ln_run *run, ln_side side);

/* One step of backward Euler of h from run->side.t into x1, q1, f1; 1 when it is solved. The other
 * also commits run->side.t, x, q, f. */
int ln_solve_backward_euler(ln_run *run, double h, ln_side side);
int ln_step_backward_euler(ln_run *run, double h, ln_side side);
/* Takes the point in x1, q1, f1, h further on. */
void ln_run_commit(ln_run *run, double h);

/* Does the row give an unknown of index above 1, which follows from the rate of what it stores?
 * That is no state: of the capacitor across an amplifier's output it tells the current that charges
 * it, and where the output jumps it jumps. */
int ln_run_gives_derived(const ln_run *run, int row);
/* Finds run->index at the present point, by structure (system/index.h), and how many states there
 * are beside the constraints, for the statistics. For networks whose index is above 1. */
linnet_status ln_run_find_index(ln_run *run);

/* Adds what a stepper's own solver has done to the statistics; after ln_run_count(). */
void ln_run_count_linear(ln_run *run, const ln_linear *linear);

/* Counts of the linear solvers, and the unknowns that dominated the error, into the statistics. */
void ln_run_count(ln_run *run);

#endif
