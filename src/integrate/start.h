/* SPDX-License-Identifier: MIT */
/* Where a run starts, and where it goes on after a discontinuity: a point that satisfies every
 * algebraic equation. */
#ifndef LN_INTEGRATE_START_H
#define LN_INTEGRATE_START_H

#include "integrate/implicit.h"
#include "system/prolonged.h"
#include "system/row_transform.h"

/* The solver for consistent points; made once, used at the start, at discontinuities and by
 * explicit methods. */
typedef struct ln_consistency_solver {
    ln_system *system;
    ln_report *report;
    ln_arena *arena;
    ln_row_transform *transform; /* NULL: see ln_consistency_is_index_1() */
    ln_newton_matrix matrix;
    ln_newton newton;
    double *q, *f, *s, *q_star; /* n each */
    /* x as ln_consistency_solve() or ln_project() were given it, to which a caller may go back;
     * work of ln_euler_start */
    double *guess;
    double *solved, *solved_before; /* private: of source stepping */
    double *left;                   /* n: what the algebra may miss (ln_consistency_note_left()) */
    double *x_left, *left_size;     /* n: where it missed that; sizes of the rows' terms there */
    int misses;                     /* it may miss something */
    ln_prolonged_cache cache;       /* private: of ln_project() */
    double scale;                   /* of the sources and of q_star, 1 but during source stepping */
    ln_side side;
    ln_newton_outcome outcome;
    int out_of_memory; /* in some solution; whatever way was found around that */
    int refused;       /* a block gave no value at the point of ln_consistency_init() */
} ln_consistency_solver;

/* Does what is stored determine all else? Then ln_consistency_solve() finds consistent points. 0:
 * the index is above 1, or nobody knows, since a block refused the point (refused) or
 * ln_consistency_init() has not been called (explicit methods); ln_project() finds points then. */
static inline int ln_consistency_is_index_1(const ln_consistency_solver *consistency) {
    return consistency->transform != NULL;
}

/* x: a point whose dq gives the rank of a nonlinear q; LINNET_OK with `refused` where a block has
 * no value there. Index above 1 shows at the start only, as a singular algebra
 * (LN_NEWTON_SINGULAR); start.c says so by ln_consistency_drop_transform(). */
linnet_status ln_consistency_init(ln_consistency_solver *consistency, ln_system *system,
                                  ln_linear_kind kind, ln_side side, const double *x,
                                  ln_report *report);
void ln_consistency_free(ln_consistency_solver *consistency);
/* The algebra has turned out to be singular with what is stored kept: the index is above 1. */
void ln_consistency_drop_transform(ln_consistency_solver *consistency);
/* Gives back the memory of the factors, where no consistent point is wanted soon: the next one
 * begins with a factorisation, from the pattern on. */
void ln_consistency_forget_factors(ln_consistency_solver *consistency);

/* Finds x at `side` with the stored quantities consistency->q_star: from the guess in x; with
 * source stepping when Newton fails. 1 on success. *means names what was needed; it stays as it is
 * where Newton's method alone served. */
int ln_consistency_solve(ln_consistency_solver *consistency, ln_side side, double *x,
                         const char **means);

/* Finds x at `side` with the stored quantities q (n values), which become those of `set` (n values)
 * if it is not NULL; x then begins there. 1 on success. */
int ln_consistency_keep(ln_consistency_solver *consistency, ln_side side, const double *set,
                        double *q, double *x);
/* Notes what x (n values), the left side of an instant, misses of the algebra: as much may be
 * missed on the right from now on, so that what does not jump stays. Newton's method has left it
 * there, below the tolerance; of a diode that blocks 0.1 nA are 100 V. Rows that miss more than
 * this part of their terms are met, and those of signals, which a quantizer takes to the last
 * digit, as well as those that are other equations on the right. */
void ln_consistency_note_left(ln_consistency_solver *consistency, ln_side side, const double *x,
                              double part);
/* Adds what rounding makes of x (n values) where it solves the algebra to noise (n values). 0: not
 * known, for there is no such algebra, a block refuses the point or the matrix is singular. */
int ln_consistency_add_noise(ln_consistency_solver *consistency, ln_side side, const double *x,
                             double *noise);

/* run->x becomes an operating point, from the start values in it; *statistics->start_means says
 * how. `consistency` serves a first guess where zero is refused. hold: links whose start is fixed
 * are still held there at the end; else they are let go as first guesses are. LINNET_FAILED is
 * reported. */
linnet_status ln_start_at_rest(ln_run *run, ln_consistency_solver *consistency, int hold);

/* Memories as the model or settings->start_memory say. */
void ln_start_memories(ln_system *system, const ln_settings *settings);
/* Where finding a start begins, into run->x: settings->start_x, or the model's start values. */
linnet_status ln_start_point(ln_run *run);
/* Sets run->x at run->side.t by settings->start, and in the statistics what was needed. An
 * operating point leaves run->side on the left side of t: sources may jump as the run begins.
 * LINNET_FAILED is reported; LINNET_RETRY: there is none, and run->start_is_tried. */
linnet_status ln_start(ln_run *run, ln_consistency_solver *consistency);
/* The same by start values for a diagram, whose unknowns follow from its states: nothing is
 * iterated, and nothing but the diagram itself must have a value there. LINNET_RETRY: a start value
 * is lost so, which ln_start() may hold. */
linnet_status ln_start_states(ln_run *run, ln_ode *ode);

/* The worst unknowns of the last failed iteration, a hint, and what it was about ("no consistent
 * start"). */
linnet_status ln_report_no_convergence(const ln_run *run, const ln_newton *newton,
                                       ln_newton_outcome outcome, const ln_pattern *pattern,
                                       double h, const char *what);

/* The same where a point was found at every step of the search but never came to rest; newton->dx:
 * rates of change. */
linnet_status ln_report_drift(const ln_run *run, const ln_newton *newton);

/* Warns after a run whose fixed step had sampled errors as large as the solution: beyond stability,
 * or past what moves. */
void ln_warn_of_step(const ln_settings *settings, const ln_statistics *statistics,
                     ln_report *report);
/* Warns before a run of Crank-Nicolson on a network with unknowns of index 3, which it gets wrong
 * at every step: their ringing is driven by that of the unknowns they are derived from, and grows
 * as fast as the step's error falls. */
void ln_warn_of_ringing(const ln_run *run);

#endif
