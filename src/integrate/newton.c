/* SPDX-License-Identifier: MIT */
/* Newton iteration with kept factorisations, backtracking from refused points, and damping by the
 * natural monotonicity test (P. Deuflhard, Newton Methods for Nonlinear Problems, 2004,
 * section 3.3) where it starts from afar. */
#include "integrate/newton.h"

#include "integrate/update_norm.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double SETTLED =
    1e4; /* an update below so many tolerances (1e-6 relative) is not damped further */
static const double SLOW = 0.1;    /* a rate above it asks for a new factorisation */
enum { HALVINGS = 12, STUCK = 5 }; /* so many shortest steps in a row lead nowhere */

linnet_status ln_newton_init(ln_newton *newton, ln_arena *arena, int n, int nvalues) {
    *newton = (ln_newton){.n = n, .nvalues = nvalues, .loose = 1};
    newton->r = LN_NEW(arena, double, n);
    newton->dx = LN_NEW(arena, double, n);
    newton->trial = LN_NEW(arena, double, n);
    newton->counts = LN_NEW(arena, double, n);
    newton->from_states = LN_NEW(arena, double, n);
    newton->values = LN_NEW(arena, double, nvalues > n ? nvalues : n);
    if (ln_convergence_init(&newton->convergence, arena, n) != LINNET_OK)
        return LINNET_MEMORY;
    return newton->r && newton->dx && newton->trial && newton->counts && newton->from_states &&
                   newton->values
               ? LINNET_OK
               : LINNET_MEMORY;
}

static int settles(const ln_newton *newton, int i) {
    return newton->index == NULL || newton->index[i] < 3;
}

static ln_newton_outcome factor(ln_newton *newton, ln_equation_set *set, ln_linear *linear,
                                int *fresh) {
    set->jacobian(set, newton->values);
    *fresh = newton->convergence.noise_is_known = 0;
    switch (ln_linear_factor(linear, newton->values)) {
    case LN_FACTORED: *fresh = 1; return LN_NEWTON_CONVERGED;
    case LN_SINGULAR: return LN_NEWTON_SINGULAR;
    default: return LN_NEWTON_MEMORY;
    }
}

/* x of the next residual: x - lambda dx. Halves lambda while blocks refuse the point and, damped,
 * while the update that would follow is not shorter. Leaves x and r at the accepted point;
 * *shortest counts shortest steps in a row. */
static ln_newton_outcome advance(ln_newton *newton, ln_equation_set *set, ln_linear *linear,
                                 double *x, double norm, int damped, int *limited, int *shortest) {
    double lambda = 1;
    for (int k = 0; k < HALVINGS; k++, lambda /= 2) {
        for (int i = 0; i < newton->n; i++)
            newton->trial[i] = x[i] - lambda * newton->dx[i];
        linnet_status status = set->residual(set, newton->trial, LN_LIMIT_ON, newton->r, limited);
        if (status == LINNET_MEMORY)
            return LN_NEWTON_MEMORY;
        if (status != LINNET_OK)
            continue;
        int accept = !damped || *limited || k == HALVINGS - 1;
        if (!accept) {
            double *next = newton->values; /* free between factorisations; at least n long */
            memcpy(next, newton->r, (size_t)newton->n * sizeof *next);
            ln_linear_solve(linear, next);
            double following =
                ln_update_norm(newton, set->system->abstol, newton->trial, next, NULL);
            accept = following <= (1 - lambda / 4) * norm || following <= SETTLED / newton->loose;
        }
        if (!accept)
            continue;
        *shortest = k == HALVINGS - 1 ? *shortest + 1 : 0;
        memcpy(x, newton->trial, (size_t)newton->n * sizeof *x);
        return LN_NEWTON_CONVERGED;
    }
    return LN_NEWTON_REFUSED;
}

/* Is the update in dx noise, for every unknown that has not converged? The factorisation is that
 * of the point x. At 310 V, two potentials that err together can make a junction's update of
 * kT/q, over which its current changes by a factor, pure rounding. */
static int is_noise(ln_newton *newton, ln_equation_set *set, ln_linear *linear, const double *x) {
    ln_convergence *judge = &newton->convergence;
    const double *abstol = set->system->abstol;
    if (!judge->noise_is_known) {
        set->jacobian(set, newton->values);
        memset(judge->terms, 0, (size_t)newton->n * sizeof *judge->terms);
        ln_add_sizes(set->pattern, newton->values, 1, x, judge->terms);
        for (int k = 0; k < 2; k++)
            for (int i = 0; set->known[k] != NULL && i < newton->n; i++)
                judge->terms[i] += fabs(set->known[k][i]);
        for (int i = 0; set->stored != NULL && i < newton->n; i++)
            judge->terms[i] = fmax(judge->terms[i], set->per_stored * fabs(set->stored[i]));
        ln_convergence_find_noise(judge, linear);
    }
    for (int i = 0; i < newton->n; i++) {
        const double met = ln_update_unit(newton, fabs(x[i]), abstol[i]);
        if (settles(newton, i) &&
            !(fabs(newton->dx[i]) <= met || ln_convergence_is_noise(judge, i, newton->dx[i])))
            return 0;
    }
    return ln_system_bends_here(set->system, x, newton->dx, judge->terms) <= 1;
}

/* Has it, by the verdict on the last update? What stalls may be noise, but only by a Jacobian of
 * this very place: another one may hold a conductance that is no longer there, by which a large
 * residual is a small update. */
static int has_converged(ln_newton *newton, ln_equation_set *set, ln_linear *linear, int *fresh,
                         int is_here, const double *x, ln_verdict verdict) {
    if (verdict == LN_CONVERGED)
        return 1;
    if (verdict == LN_GOES_ON)
        return 0;
    if (!is_here)
        *fresh = 0;
    return is_here && is_noise(newton, set, linear, x);
}

/* On the update that has just been solved for; here: by the Jacobian of x. */
static ln_verdict judge_update(ln_newton *newton, const ln_equation_set *set, const double *x,
                               int here) {
    double way;
    const double norm = ln_update_norm(newton, set->system->abstol, x, newton->dx, &way);
    if (newton->loose <= LN_NEWTON_EXACT) {
        /* the rate from one update to the next may be that of other unknowns */
        const ln_verdict verdict = ln_convergence_judge(&newton->convergence, norm);
        return verdict == LN_CONVERGED && norm > 1 ? LN_GOES_ON : verdict;
    }
    return here && newton->allowance != NULL && !set->linear
               ? ln_convergence_judge_quadratic(&newton->convergence, norm, way)
               : ln_convergence_judge(&newton->convergence, norm);
}

ln_newton_outcome ln_newton_solve(ln_newton *newton, ln_equation_set *set, ln_linear *linear,
                                  int *fresh, double *x, int most, int damped) {
    ln_convergence *judge = &newton->convergence;
    int limited = 0, kept = *fresh, shortest = 0;
    linnet_status status =
        set->residual(set, x, set->linear ? LN_LIMIT_OFF : LN_LIMIT_ON, newton->r, &limited);
    if (status == LINNET_MEMORY)
        return LN_NEWTON_MEMORY;
    if (status != LINNET_OK)
        return LN_NEWTON_REFUSED;
    ln_update_mark(newton);
    ln_convergence_begin(judge, set->linear ? 0 : kept ? ln_convergence_worst : 1);
    for (int iteration = 0; iteration < most; iteration++) {
        const int here = !*fresh;
        newton->iterations++;
        if (here) {
            ln_newton_outcome outcome = factor(newton, set, linear, fresh);
            if (outcome != LN_NEWTON_CONVERGED)
                return outcome;
            kept = 0;
        }
        memcpy(newton->dx, newton->r, (size_t)newton->n * sizeof *newton->dx);
        ln_linear_solve(linear, newton->dx);
        const ln_verdict verdict = judge_update(newton, set, x, here);
        if (!isfinite(judge->norm))
            return LN_NEWTON_DIVERGED;
        const int own = here || set->linear; /* the Jacobian of this very point */
        if (!limited && has_converged(newton, set, linear, fresh, own, x, verdict)) {
            for (int i = 0; i < newton->n; i++)
                x[i] -= newton->dx[i];
            return LN_NEWTON_CONVERGED;
        }
        /* the caller tries anew with a fresh one */
        if (kept && verdict == LN_RUNS_AWAY)
            return LN_NEWTON_DIVERGED;
        if (!*fresh)
            continue; /* the same point with its own Jacobian */
        const int slow = judge->updates > 1 ? judge->rate > SLOW : !kept;
        ln_newton_outcome outcome =
            advance(newton, set, linear, x, judge->norm, damped, &limited, &shortest);
        if (outcome != LN_NEWTON_CONVERGED)
            return outcome;
        if (shortest == STUCK)
            return LN_NEWTON_DIVERGED;
        if (damped || slow || newton->renew)
            *fresh = 0;
        if (limited)
            ln_convergence_begin(judge, 1);
    }
    return LN_NEWTON_DIVERGED;
}
