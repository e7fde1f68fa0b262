/* SPDX-License-Identifier: MIT */
/* radau5's two parts: radau5.c takes steps and judges them, radau5_stages.c solves a step's three
 * stages. */
#ifndef LN_INTEGRATE_RADAU5_H
#define LN_INTEGRATE_RADAU5_H

#include "integrate/across.h"
#include "integrate/stepper.h"
#include "linear/convergence.h"
#include "linear/relaxation.h"

#define LN_ROOT6 2.44948974278317809819728407470589
/* The nodes but the last, 1; the coefficients of the error estimate [IV.8]. */
static const double c1 = (4 - LN_ROOT6) / 10, c2 = (4 + LN_ROOT6) / 10;
/* The nodes with the step's start before them, in parts of the step. */
static const double ln_radau5_node[4] = {0, (4 - LN_ROOT6) / 10, (4 + LN_ROOT6) / 10, 1};
static const double d1 = -(13 + 7 * LN_ROOT6) / 3, d2 = (-13 + 7 * LN_ROOT6) / 3, d3 = -1.0 / 3;
/* S, the inverse of the method's matrix: derivatives at the nodes of the polynomials that
 * interpolate there and at 0. */
static const double ln_radau5_S[3][3] = {
    {(4 + LN_ROOT6) / 2, (-36 + 29 * LN_ROOT6) / 30, (6 - 4 * LN_ROOT6) / 15},
    {(-36 - 29 * LN_ROOT6) / 30, (4 - LN_ROOT6) / 2, (6 + 4 * LN_ROOT6) / 15},
    {(-3 + 8 * LN_ROOT6) / 3, (-3 - 8 * LN_ROOT6) / 3, 5}};
/* The eigenvalues of S: gamma and alpha +- i beta [IV.8]. */
static const double gamma_ = 3.6378342527444957322, alpha_ = 2.6810828736277521338,
                    beta_ = 3.0504301992474105694;
/* From the transformed increments to those of the stages [IV.8]. */
static const double t11 = 9.1232394870892942792e-02, t12 = -0.14125529502095420843,
                    t13 = -3.0029194105147424492e-02, t21 = 0.24171793270710701896,
                    t22 = 0.20412935229379993199, t23 = 0.38294211275726193779,
                    t31 = 0.96604818261509293619;

/* RADAU5's TI, T^-1, which makes the stages independent of one another [IV.8]. */
static const double ti11 = 4.3255798900631553510, ti12 = 0.33919925181580986954,
                    ti13 = 0.54177053993587487119, ti21 = -4.1787185915519047273,
                    ti22 = -0.32768282076106238708, ti23 = 0.47662355450055045196,
                    ti31 = -0.50287263494578687595, ti32 = 2.5719269498556054292,
                    ti33 = -0.59603920482822492497;

enum { LN_RADAU5_NEWTON = 7 }; /* iterations at most */
/* RADAU5's THET: a rate of convergence up to which the Jacobian serves another step */
static const double KEEP_JACOBIAN = 1e-3;

/* Factorisations of K1 and K2 and the step they were made for. */
typedef struct ln_radau5_pair {
    ln_linear *real, *complex; /* owned */
    double h;                  /* 0: none */
    unsigned long used;        /* clock of the last use */
} ln_radau5_pair;
enum { LN_RADAU5_PAIRS = 12 };

/* The last pairs of factorisations; the one least recently used is replaced. */
typedef struct ln_radau5_cache {
    ln_radau5_pair pairs[LN_RADAU5_PAIRS];
    ln_radau5_pair *in_use;
    ln_linear *real, *complex; /* of in_use */
    int npairs, most_pairs;    /* made; to be kept, 0: not known yet */
    unsigned long clock;       /* counts uses */
    int quantised_h; /* steps from a few sizes an octave, to meet kept factorisations again */
} ln_radau5_cache;

/* The Jacobian of the stages, kept from step to step while Newton's method converges with it. */
typedef struct ln_radau5_matrices {
    ln_matrix q_by_x; /* storage as a matrix */
    /* E + dq and A + df at the pattern's positions */
    double *storage, *statics;
    double *values;    /* 2 per position: work */
    char *stored;      /* n: 1 where a derivative has been seen */
    double h_factored; /* the step it was factored for, 0: none */
    int at_start;      /* it is of the present point */
    int valid;
} ln_radau5_matrices;

/* What the stages need to be solved with a Jacobian for each (radau5_coupled.c). */
typedef struct ln_radau5_coupled ln_radau5_coupled;

/* The three stages of the step being tried, and how Newton's method does on them. */
typedef struct ln_radau5_stages {
    double *z[3], *w[3];    /* n each: increments of the stages; the same times T^-1 */
    double *q_increment[3]; /* n each: q(Y_j) - q0 */
    /* n each: the rates -f(Y_j), until they are transformed; from then on the real part of the
     * update (its right-hand side, then its solution, as complex_update), and work, as run->x1 is
     */
    union {
        double *rate[3];
        struct {
            double *real_update, *work[2];
        };
    };
    double *q_nl_start; /* n: what nonlinear blocks store at the step's start, q without E x */
    /* Newton's; what it has left is carried to the next step */
    ln_convergence convergence;
    ln_relaxation relaxation;
    double *whole, *weight;  /* 3n each, work of ln_radau5_update_part() */
    double newton_tolerance; /* in units of the step's reduced tolerance */
    char *follows;           /* n: ln_system_followers(), unless errors of it set the step */
    double following;        /* norm of their last update, in units of the tolerance */
    double theta;            /* rate of convergence of the last iteration */
    int switching;           /* of the last steps' stages: no one Jacobian served */
    int may_renew; /* Newton may go on with the Jacobian of another point than the start */
    ln_radau5_coupled *coupled; /* NULL: not needed yet */
} ln_radau5_stages;

/* The evaluation at the end of the stages, which is that of the next step's start. */
typedef struct ln_radau5_end {
    /* q_nl and f are valid, and the system's dq and df are those there: any other evaluation with
     * derivatives clears it */
    int evaluated;
    double *q_nl, *f; /* n each: q without E x, and f with the sources */
} ln_radau5_end;

/* The last accepted step. */
typedef struct ln_radau5_last {
    double h;
    double *differences[3]; /* n each: the divided differences of its collocation polynomial */
    /* n: what is told within the step departs from that by this times s (1 - s)^2 (s - 0.4), s the
     * part of the step (keep_defect() of radau5.c); and whether it does */
    double *quartic;
    int has_quartic;
    double h_controlled, error; /* of the last that the predictive controller saw */
    /* it was three Euler steps: the next failure falls back to Euler at once, without a rejection
     * before; `differences` are of the polynomial through their ends */
    int by_euler;
} ln_radau5_last;

/* The error of the step being tried. */
typedef struct ln_radau5_estimate {
    double *error, *scale; /* n each; scale: the tolerance of each unknown */
    /* The step passes a stiff layer at its start, as its second filter has told; n: by how much
     * each unknown has left the start behind it. */
    int has_layer;
    double *layer;
} ln_radau5_estimate;

/* What is known of junctions that commutate (radau5_commutation.c). */
typedef struct ln_radau5_commutation {
    /* s: the step to try ends where a junction commutates, and the one after it leads across and is
     * this long; 0: no junction does */
    double across_h;
    int is_across; /* the step to try is that step */
} ln_radau5_commutation;

/* All between steps. Arrays are of the run's arena; ln_radau5's end frees what caches own. */
typedef struct ln_radau5 {
    double h;    /* the step to try */
    double rtol; /* reduced: 0.1 rtol^(2/3) (radau5.c) */
    long accepted;
    int first;        /* the step to try is the first after a start or an event */
    int leaves_start; /* what is not stored leaves the step's start at once: its polynomial is that
                         of the stages alone */
    int rejected;     /* trials from the present point */
    int unsolved;     /* the stages of the last of these had no solution, and may start elsewhere */
    double *rate_at_start; /* n: -f at the present point */
    /* n: work; from the last update of the stages to the error estimate it holds d1 dz1 + d2 dz2 +
     * d3 dz3, and nothing between may write it */
    double *y;
    char *is_physical;      /* n: ln_network_is_physical() */
    double *complex_update; /* 2 n: the complex right-hand side, then its solution */
    ln_radau5_cache cache;
    ln_radau5_matrices jacobian;
    ln_radau5_stages stages;
    ln_radau5_end end;
    ln_radau5_last last;
    ln_radau5_estimate estimate;
    ln_radau5_commutation commutation;
    ln_across across;
} ln_radau5;

/* g = -f on all rows, and what nonlinear blocks store, q without E x, at (x, t); q_nl may be
 * NULL. 0 when a block refuses. */
int ln_radau5_rates(ln_run *run, ln_side side, const double *x, double *q_nl, double *g);
/* q_increment[j] = E z_j + q_nl(Y_j) - q_nl(x), where it holds q_nl(Y_j) before; y is work. The
 * difference of E Y_j and E x would be rounded at the size of x: capacitors that hang on nothing
 * but each other make 1e-16 of their q_nl, divided by a step of 1e-11 s, into microvolts of their
 * conductances. */
void ln_radau5_q_increment(const ln_run *run, ln_radau5 *radau, int j);
/* Makes the Jacobian at the point of the last evaluation with derivatives the kept one. */
void ln_radau5_take_jacobian(ln_run *run, ln_radau5 *radau);
/* Makes the Jacobian at (x, t) the kept one. 0 when a block refuses. */
int ln_radau5_jacobian(ln_run *run, ln_radau5 *radau, ln_side side, const double *x);
/* Makes one more pair of solvers the one in use. 0: no memory. */
int ln_radau5_add_pair(ln_run *run, ln_radau5 *radau);
/* Factors K1 and K2 for the kept Jacobian and radau->h, unless they are. 0, and the run's outcome,
 * when singular. */
int ln_radau5_factor(ln_run *run, ln_radau5 *radau);
/* First guesses of the increments z and w: the last step's collocation polynomial, continued; none
 * where it led nowhere. It carries on what Newton's method has left of unknowns that are not
 * stored, the same at any length of the step: 0.1 mV beside a node at which an amplifier of 1e5 is
 * at its limit, so that no step was short enough. */
void ln_radau5_guess(const ln_run *run, ln_radau5 *radau);
/* Others, where a polynomial leads nowhere: implicit Euler steps from node to node, each solved
 * with the blocks' limiting, so that junctions are found on their side of the knee. 0 when one of
 * them has no solution. */
int ln_radau5_guess_by_euler(ln_run *run, ln_radau5 *radau, ln_side side);
/* Solves for z from these guesses. 1: solved. 0: not; *shrink is by how much to shorten the step.
 */
int ln_radau5_solve(ln_run *run, ln_radau5 *radau, ln_side side, double *shrink);

/* The increments z of the step to try by the tangents at its start, where the devices are evaluated
 * last. 0: there are none. */
int ln_radau5_follow_tangents(ln_run *run, ln_radau5 *radau, ln_side side);
/* The factor by which to shorten a step that was rejected, with this error, in units of the
 * tolerance (1 or less: for another reason): to the first commutation in it, or to the short step
 * across one; `otherwise` where no junction commutates. */
double ln_radau5_shorten_to_commutation(ln_run *run, ln_radau5 *radau, ln_side side, double error,
                                        double otherwise);
/* After an accepted step: the next may be one across. */
void ln_radau5_pass_commutation(ln_radau5 *radau);

/* The norm of an error of x (n values), in units of what is allowed of what is stored. */
double ln_radau5_error_norm(ln_run *run, ln_radau5 *radau, const double *e);
/* The error of the step whose stages are solved, also of what is read (ln_error_of_read()), into
 * estimate.error; its norm. The step's end is in run->x1. */
double ln_radau5_error(ln_run *run, ln_radau5 *radau, ln_side side);

/* After an accepted step, with its error: what errors add up to. */
void ln_radau5_sum_errors(ln_run *run, ln_radau5 *radau);
/* The same after one of Euler's, before which nothing is known. */
void ln_radau5_begin_sum(ln_run *run, const ln_radau5 *radau);

/* Does the polynomial through the stages hold between them, within ten times the tolerance? Another
 * evaluation, and a solution, only where it leaves the range of the stages. Decides leaves_start.
 * 0: run->errors.dominant is farthest off. */
int ln_radau5_holds_between(ln_run *run, ln_radau5 *radau, ln_side side);

/* Is such a value of unknown i, solved for with the real matrix of this step, no more than
 * rounding? */
int ln_radau5_is_rounding(ln_run *run, ln_radau5 *radau, int i, double value);
/* Is the last update of the stages noise, for every unknown that is not converged by itself? */
int ln_radau5_update_is_noise(ln_run *run, ln_radau5 *radau);

/* An update of the stages is what stands in real_update and complex_update. First: memory, of which
 * linear equations need none. */
linnet_status ln_radau5_update_init(ln_radau5 *radau, ln_run *run);
/* Counts an update. Its norm in units of what Newton may leave: of judged unknowns a small part of
 * the tolerance, of the others, which no step builds on, the tolerance. What only follows stands
 * apart, in `following`: its updates tell nothing of the rate. */
double ln_radau5_update_norm(ln_run *run, ln_radau5 *radau);
/* As ln_relaxation_part(); 1 where Newton may not renew its Jacobian. */
double ln_radau5_update_part(ln_radau5 *radau, int n, int falls);
void ln_radau5_shorten_update(ln_radau5 *radau, int n, double part);
/* Adds the update to w, and to z; y is how d1 z1 + d2 z2 + d3 z3 has changed. */
void ln_radau5_move_stages(ln_radau5 *radau, int n);

/* w = T^-1 z of all n unknowns; the divided differences of the collocation polynomial. */
void ln_radau5_transform_stages(ln_radau5 *radau, int n);
void ln_radau5_find_differences(ln_radau5 *radau, int n);

/* An update of the stages, z_1 to z_3 of one unknown, transformed: its real part, and its complex
 * one. */
static inline void ln_radau5_transform(const double *z, double *real, double *complex) {
    *real = ti11 * z[0] + ti12 * z[1] + ti13 * z[2];
    complex[0] = ti21 * z[0] + ti22 * z[1] + ti23 * z[2];
    complex[1] = ti31 * z[0] + ti32 * z[1] + ti33 * z[2];
}

/* May stages be solved with a Jacobian each, from a poor guess? Only where the equations have one
 * solution at a time: what is not stored may have several, of which only the nearest continues the
 * solution. */
int ln_radau5_may_couple(const ln_run *run, const ln_radau5 *radau);
/* Newton's method with a Jacobian and limiting for each stage, from the guesses at hand. First: 0
 * when memory is short or the start has no value. */
int ln_radau5_begin_coupled(ln_run *run, ln_radau5 *radau);
/* An update, transformed, into real_update and complex_update; q_increment as before it. *limited:
 * how many blocks were evaluated elsewhere. 0, and the run's outcome, when a block refuses or the
 * matrix is singular. */
int ln_radau5_solve_coupled(ln_run *run, ln_radau5 *radau, ln_side side, int *limited);
void ln_radau5_coupled_free(ln_radau5_coupled *coupled);
void ln_radau5_coupled_count(ln_run *run, const ln_radau5_coupled *coupled);

#endif
