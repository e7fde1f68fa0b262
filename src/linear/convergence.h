/* SPDX-License-Identifier: MIT */
/* When an iteration x <- x - K^-1 r(x) has converged: one judge for Newton's method, the stages of
 * radau5, the corrector of IDA and algebraic loops.
 *
 * The owner measures each update in units of the error that may be left: the norm. Behind an update
 * remains norm * rate / (1 - rate), where the rate is the quotient of the last two norms; before
 * there are two updates, the owner says what K is known to leave. Updates that stop falling have
 * converged only where they are noise: what the rounding of the residual's terms, eps (|K| |x| +
 * |w|), makes of an update by way of K^-1, unknown by unknown.
 *
 * Where every K is the Jacobian at its own point, convergence is quadratic: the rate is
 * proportional to the length of the update before it, by a factor that the curvature of r makes and
 * that changes little from one iteration to the next [Deuflhard, Newton Methods for Nonlinear
 * Problems, 2004, section 2.1]. That factor, omega/2, is measured wherever there are two updates,
 * so that it also tells what a first update leaves. */
#ifndef LN_LINEAR_CONVERGENCE_H
#define LN_LINEAR_CONVERGENCE_H

#include "base/arena.h"
#include "linear/linear.h"

typedef struct ln_convergence {
    int updates;      /* judged since ln_convergence_begin() */
    double norm;      /* of the last update, in units of the error that may be left */
    double rate;      /* of the last update against the one before it */
    double mean_rate; /* geometric mean of the last two rates */
    double remaining; /* what remains, as a multiple of the last update */
    /* quadratic: the rate divided by the length of the update before it, an estimate of omega/2
     * [Deuflhard, Newton Methods for Nonlinear Problems, 2.1]; and the length it was measured
     * on, 0: never */
    double half_omega, measured_length;
    double half_omega_measured; /* as it was measured last */
    int confirmations;          /* measurements in a row that told nothing new */
    double length;              /* of the last update, 0: it was no quadratic one */
    int n;
    double *noise;      /* n: of an update, from rounding; valid while noise_is_known */
    double *magnitude;  /* n: sum of the absolute terms of each row of r; the owner's to fill */
    double *probe;      /* n: work */
    int noise_is_known; /* for the present factorisation */
} ln_convergence;

typedef enum ln_verdict {
    LN_GOES_ON,   /* the updates fall */
    LN_CONVERGED, /* what remains is at most 1 */
    LN_STALLS,    /* the updates do not fall: noise, or a K of somewhere else */
    LN_RUNS_AWAY, /* the updates grow, or are not finite */
} ln_verdict;

/* What remains is never taken to be more than this multiple of an update. It is what an owner says
 * of a K that was made for another point. */
extern const double ln_convergence_worst;

/* Memory for n unknowns; 0 unknowns: no noise is asked for. LINNET_MEMORY is not reported. */
linnet_status ln_convergence_init(ln_convergence *judge, ln_arena *arena, int n);
/* A new iteration. remaining: what K leaves behind a first update, as a multiple of it: 0 where r
 * is linear, 1 where K is the Jacobian at this very point, ln_convergence_worst where nothing is
 * known. */
void ln_convergence_begin(ln_convergence *judge, double remaining);
/* After an update of this norm. */
ln_verdict ln_convergence_judge(ln_convergence *judge, double norm);
/* The same after an update by the Jacobian at its very point. length: of the update, in units that
 * stay the same from iteration to iteration. */
ln_verdict ln_convergence_judge_quadratic(ln_convergence *judge, double norm, double length);
/* After such an update: would the same factorisation, used once more at the next point, leave at
 * most 1? It leaves omega times the length, twice what a new one at that point begins with. */
int ln_convergence_may_reuse(const ln_convergence *judge);
/* After the update at that next point by the reused factorisation. */
ln_verdict ln_convergence_judge_reused(ln_convergence *judge, double norm);
/* In units of the error that may be left: what remains after so many more updates at the present
 * rate. */
double ln_convergence_expected(const ln_convergence *judge, int more);

/* sum += factor |K| |x|, row by row. */
void ln_add_abs_product(const ln_pattern *pattern, const double *K, double factor, const double *x,
                        double *sum);
/* Solves K x = b in place with some factorisation. */
typedef void ln_convergence_solve(void *factors, double *b);
/* noise from magnitude by way of the factorisation at hand. */
void ln_convergence_find_noise_by(ln_convergence *judge, ln_convergence_solve *solve,
                                  void *factors);
void ln_convergence_find_noise(ln_convergence *judge, ln_linear *linear);
/* Is an update of this size noise for unknown i? */
int ln_convergence_is_noise(const ln_convergence *judge, int i, double update);
/* The largest update of unknown i that counts as noise. */
double ln_convergence_noise(const ln_convergence *judge, int i);

#endif
