/* SPDX-License-Identifier: MIT */
/* Newton iteration with kept factorisations, backtracking from refused points, and damping by the
 * natural monotonicity test (P. Deuflhard, Newton Methods for Nonlinear Problems, 2004,
 * section 3.3) where it starts from afar. */
#include "integrate/newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double RELATIVE = 1e-10, OF_ABSTOL = 1e-8; /* of the update, see the header */
static const double FLOOR = 1e4; /* stagnation below this many tolerances is rounding */
/* a stagnating update within so many times what eps makes is it */
static const double ROUNDING = 10;
static const double SLOW = 0.1;    /* a rate above it asks for a new factorisation */
enum { HALVINGS = 12, STUCK = 5 }; /* so many shortest steps in a row lead nowhere */

linnet_status ln_newton_init(ln_newton *newton, ln_arena *arena, int n, int nvalues) {
    *newton = (ln_newton){.n = n, .nvalues = nvalues, .loose = 1};
    newton->r = LN_NEW(arena, double, n);
    newton->dx = LN_NEW(arena, double, n);
    newton->trial = LN_NEW(arena, double, n);
    newton->values = LN_NEW(arena, double, nvalues > n ? nvalues : n);
    return newton->r && newton->dx && newton->trial && newton->values ? LINNET_OK : LINNET_MEMORY;
}

/* Largest |dx| in units of its tolerance; NaN or infinite if any is. The tolerance follows the
 * larger end of the update: were it that of x alone, the first update from x = 0 would be measured
 * in far smaller units than the next, and the rate between the two would say nothing. */
static double norm_of(const ln_newton *newton, const ln_equation_set *set, const double *x,
                      const double *dx) {
    const double *abstol = set->system->abstol;
    double largest = 0, test = 0;
    for (int i = 0; i < set->system->n; i++) {
        double scale = fmax(fabs(x[i]), fabs(x[i] - dx[i]));
        double size = fabs(dx[i]) / (RELATIVE * scale + OF_ABSTOL * abstol[i]);
        if (size > largest)
            largest = size;
        test += dx[i] * 0.0;
    }
    return test == 0 ? largest / newton->loose : NAN;
}

static ln_newton_outcome factor(ln_newton *newton, ln_equation_set *set, ln_linear *linear,
                                int *fresh) {
    set->jacobian(set, newton->values);
    *fresh = 0;
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
            double following = norm_of(newton, set, newton->trial, next);
            accept = following <= (1 - lambda / 4) * norm || following <= FLOOR / newton->loose;
        }
        if (!accept)
            continue;
        *shortest = k == HALVINGS - 1 ? *shortest + 1 : 0;
        memcpy(x, newton->trial, (size_t)newton->n * sizeof *x);
        return LN_NEWTON_CONVERGED;
    }
    return LN_NEWTON_REFUSED;
}

/* y: what eps |K| |x|, of one sign or of mixed ones (one sign alone would be as if x were a little
 * longer), makes of an update. */
static void made_by_rounding(const ln_newton *newton, const ln_pattern *pattern, ln_linear *linear,
                             const double *x, int mixed, double *y) {
    memset(y, 0, (size_t)newton->n * sizeof *y);
    for (int j = 0; j < newton->n; j++) {
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            y[pattern->row[k]] += DBL_EPSILON * fabs(newton->values[k]) * fabs(x[j]);
    }
    for (int i = 0; mixed && i < newton->n; i++)
        y[i] *= cos(1 + 2.4 * i);
    ln_linear_solve(linear, y);
}

/* Is the update in dx what rounding of the residual's terms can make of it, for every unknown?
 * Where a part hangs on the rest by megohms and stores much (a bridge rectifier's floating side),
 * or where a force follows from a length by two derivatives, that is far above any fixed floor.
 * Works in trial, r and values. */
static int is_rounding(ln_newton *newton, ln_equation_set *set, ln_linear *linear,
                       const double *x) {
    set->jacobian(set, newton->values);
    made_by_rounding(newton, set->pattern, linear, x, 0, newton->trial);
    made_by_rounding(newton, set->pattern, linear, x, 1, newton->r);
    for (int i = 0; i < newton->n; i++) {
        double least = FLOOR * (RELATIVE * fabs(x[i]) + OF_ABSTOL * set->system->abstol[i]);
        double made = fmax(fabs(newton->trial[i]), fabs(newton->r[i]));
        if (!(fabs(newton->dx[i]) <= fmax(least, ROUNDING * made)))
            return 0;
    }
    return 1;
}

ln_newton_outcome ln_newton_solve(ln_newton *newton, ln_equation_set *set, ln_linear *linear,
                                  int *fresh, double *x, int most, int damped) {
    int limited = 0, kept = *fresh, shortest = 0;
    double previous = 0;
    linnet_status status =
        set->residual(set, x, set->linear ? LN_LIMIT_OFF : LN_LIMIT_ON, newton->r, &limited);
    if (status == LINNET_MEMORY)
        return LN_NEWTON_MEMORY;
    if (status != LINNET_OK)
        return LN_NEWTON_REFUSED;
    for (int iteration = 0; iteration < most; iteration++) {
        newton->iterations++;
        if (!*fresh) {
            ln_newton_outcome outcome = factor(newton, set, linear, fresh);
            if (outcome != LN_NEWTON_CONVERGED)
                return outcome;
            kept = 0;
        }
        memcpy(newton->dx, newton->r, (size_t)newton->n * sizeof *newton->dx);
        ln_linear_solve(linear, newton->dx);
        double norm = norm_of(newton, set, x, newton->dx);
        newton->worst_norm = norm;
        if (!isfinite(norm))
            return LN_NEWTON_DIVERGED;
        double rate = previous > 0 ? norm / previous : set->linear ? 0 : 1;
        int small = norm * (rate < 1 ? rate / (1 - rate) : 1) <= 1 || norm == 0;
        int stagnates = iteration >= 2 && rate > 0.5 && !limited;
        int rounding =
            stagnates && (norm <= FLOOR / newton->loose || is_rounding(newton, set, linear, x));
        if (!limited && (small || rounding)) {
            for (int i = 0; i < newton->n; i++)
                x[i] -= newton->dx[i];
            return LN_NEWTON_CONVERGED;
        }
        /* the caller tries anew with a fresh one */
        if (kept && iteration > 0 && rate > 2)
            return LN_NEWTON_DIVERGED;
        ln_newton_outcome outcome =
            advance(newton, set, linear, x, norm, damped, &limited, &shortest);
        if (outcome != LN_NEWTON_CONVERGED)
            return outcome;
        if (shortest == STUCK)
            return LN_NEWTON_DIVERGED;
        if (damped || (iteration > 0 ? rate > SLOW : !kept))
            *fresh = 0;
        previous = limited ? 0 : norm;
    }
    return LN_NEWTON_DIVERGED;
}
