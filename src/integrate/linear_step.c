/* SPDX-License-Identifier: MIT */
/* Factors of a step. A step of a linear network: one right-hand side, one solution for the way from
 * the guess, so that rounding is that of the way and not of x, and the products with E and A where
 * it ends. */
/* Loops over all unknowns become vectors by -O3 only. The pragma would else lose the command line's
 * contraction. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "integrate/implicit.h"

#include "base/finite.h"

#include <string.h>

int ln_run_factor(ln_run *run, ln_linear *linear, const double *values) {
    const ln_factored done = ln_linear_factor(linear, values);
    if (done != LN_FACTORED)
        run->outcome = done == LN_SINGULAR ? LN_NEWTON_SINGULAR : LN_NEWTON_MEMORY;
    run->out_of_memory |= done == LN_FACTOR_MEMORY;
    return done == LN_FACTORED;
}

static void find_products(ln_run *run, const double *x) {
    ln_products *products = &run->products;
    const size_t bytes = (size_t)run->n * sizeof *x;
    if (products->known && memcmp(products->x, x, bytes) == 0)
        return;
    memcpy(products->x, x, bytes);
    ln_matrix_apply(&run->system->E, x, products->Ex);
    ln_matrix_apply(&run->system->A, x, products->Ax);
    products->known = 1;
}

ln_newton_outcome ln_run_solve_linear(ln_run *run, ln_step_factors *factors, const double *q_near,
                                      const double *w, ln_point at) {
    const ln_system *system = run->system;
    const double *Ex = run->products.Ex, *Ax = run->products.Ax, *s = run->s;
    ln_newton *newton = &run->newton;
    double *r = newton->r;
    const double alpha = factors->alpha;
    const int n = run->n;
    if (!factors->matrix.usable) {
        ln_system_jacobian(system, alpha, newton->values);
        if (!ln_run_factor(run, factors->matrix.linear, newton->values))
            return run->outcome;
        factors->matrix.usable = 1;
    }
    find_products(run, at.x);
    for (int i = 0; i < n; i++)
        r[i] = Ax[i] + (alpha * (Ex[i] - q_near[i]) + w[i] - s[i]);
    ln_linear_solve(factors->matrix.linear, r);
    for (int i = 0; i < n; i++)
        at.x[i] -= r[i];
    newton->iterations++;
    run->statistics->evaluations++;
    find_products(run, at.x);
    memcpy(at.q, Ex, (size_t)n * sizeof *at.q);
    for (int i = 0; i < n; i++)
        at.f[i] = Ax[i] - s[i];
    for (int k = 0; k < system->nalgebraic; k++)
        at.f[system->algebraic[k]] = 0;
    return ln_all_finite(at.x, (size_t)n) ? LN_NEWTON_CONVERGED : LN_NEWTON_DIVERGED;
}
