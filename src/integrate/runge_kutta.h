/* SPDX-License-Identifier: MIT */
/* Explicit Runge-Kutta formulas as tables, and the one step they all share. */
#ifndef LN_INTEGRATE_RUNGE_KUTTA_H
#define LN_INTEGRATE_RUNGE_KUTTA_H

#include "system/ode.h"

enum { LN_MOST_STAGES = 7 };

/* k_s = g(t + c_s h, z + h sum_j a_sj k_j),  z1 = z + h sum_s b_s k_s,  error estimate h sum_s e_s
 * k_s. */
typedef struct ln_tableau {
    const char *method;
    int order, stages;
    int estimates; /* e is given */
    /* the last stage is evaluated at z1: it is the first stage of the next step */
    int last_is_first;
    double c[LN_MOST_STAGES], a[LN_MOST_STAGES][LN_MOST_STAGES - 1], b[LN_MOST_STAGES],
        e[LN_MOST_STAGES];
} ln_tableau;
/* The formula of that method, or NULL. */
const ln_tableau *ln_tableau_find(const char *method);

typedef struct ln_runge_kutta {
    const ln_tableau *tableau;
    ln_ode *ode;
    /* ode->n: the state at the step's start and, once it is computed, at its end */
    double *z, *z1;
    double *stage, *k[LN_MOST_STAGES];
} ln_runge_kutta;

linnet_status ln_runge_kutta_init(ln_runge_kutta *rk, ln_arena *arena, const ln_tableau *tableau,
                                  ln_ode *ode);
/* Sets k[0] = g(t, z). */
linnet_status ln_runge_kutta_first(ln_runge_kutta *rk, const ln_side *side);
/* |h lambda| of the component that the step of h, computed but not accepted, has amplified most, in
 * units of `absolute` and `relative`: the last two stages stand at the same time and differ by what
 * is stiff [HW II, IV.2, stiffness detection]. 0 where they do not. *worst: the state whose rates
 * differ most. Only for a formula with an error estimate. */
double ln_runge_kutta_stiffness(const ln_runge_kutta *rk, double h, double relative,
                                const double *absolute, int *worst);
/* One step of h from (t, z), k[0] being known: sets z1 and the other k. LINNET_RETRY: ode->blame.
 * No allocation. */
linnet_status ln_runge_kutta_step(ln_runge_kutta *rk, const ln_side *side, double h);
/* Makes z1 the state; k[0] too when last_is_first. */
void ln_runge_kutta_accept(ln_runge_kutta *rk);
/* State at the part `theta` (0..1) of the step of h that was last accepted, by the continuous
 * extension of order 4 of Dormand and Prince [Hairer, Norsett, Wanner I, II.6, the code DOPRI5]:
 * for formulas with seven stages, the last of which is the first of the next step. z: n values. */
void ln_runge_kutta_between(const ln_runge_kutta *rk, double h, double theta, double *z);
/* Root mean square over the states of estimate / (absolute + relative |z|); *worst: the state that
 * has the largest. */
double ln_runge_kutta_error(const ln_runge_kutta *rk, double h, double relative,
                            const double *absolute, int *worst);
/* The same of what the first stage alone may have wrong, by where the next two lead back to: rates
 * that jump just behind the start of a step weigh in the estimate above a 74th of what they weigh
 * in the formula. Of a smooth solution it is of order 3. */
double ln_runge_kutta_start_error(const ln_runge_kutta *rk, double h, double relative,
                                  const double *absolute);

#endif
