/* SPDX-License-Identifier: MIT */
/* A rational function of s as states, for transfer-function and zero-pole-gain.
 *
 *     b0 s^n + ... + bn                 x1' = x2, ..., x(n-1)' = xn
 *     -----------------  u = y,         a0 xn' + a1 xn + ... + an x1 = u
 *     a0 s^n + ... + an                 y = (b0/a0) u + sum (bi - (b0/a0) ai) x(n+1-i)
 *
 * (controllable canonical form; T. Kailath, Linear Systems, 1980, section 2.1). a0 stays a factor
 * of q, so nothing is divided by it where b0 = 0, and 1e5/(1e-10 s + 1) keeps finite numbers. */
#include "blocks/signal/sized.h"
#include "expression/graph.h"
#include "model/model.h"
#include "blocks/equations.h"

#include <math.h>

/* Typical size of x[k+1] (k from 0) for an input of size one: w^k/|a_n| with the geometric mean w
 * of the poles' sizes; where the last coefficients vanish (poles at zero), the last one that does
 * not takes their place. In logarithms, for the powers of a high order would overflow. */
static double typical_size(const ln_rational *r, int k) {
    int last = r->order;
    while (last > 0 && r->a_value[last] == 0)
        last--;
    double log_a0 = log(fabs(r->a_value[0])), log_last = log(fabs(r->a_value[last]));
    double log_w = last > 0 ? (log_last - log_a0) / last : 0;
    double size = k * log_w - (log_last + (r->order - last) * log_w);
    return exp(fmin(fmax(size, -600), 600));
}

ln_node ln_add_rational(ln_equations *e, const ln_rational *r, ln_node u, int first,
                        const ln_node *start, const char *start_parameter) {
    ln_graph *g = e->graph;
    int n = r->order;
    ln_node y = ln_constant(g, 0), direct = y, left = LN_NONE, *x = LN_NEW(e->arena, ln_node, n);
    if (x == NULL)
        return LN_NONE;
    if (r->b_value[0] != 0) {
        direct = ln_operation(g, LN_OP_DIV, r->b[0], r->a[0], LN_NONE);
        y = ln_product2(g, direct, u);
    }
    for (int k = 0; k < n; k++) {
        const char *name = ln_arena_printf(e->arena, "x%d", first + k);
        linnet_var var = {
            name, NULL, typical_size(r, k), LINNET_START_FIXED, "state of the canonical form", 0};
        x[k] = name == NULL
                   ? LN_NONE
                   : ln_add_variable(e, var, start != NULL ? start[k] : LN_NONE, start_parameter);
        if (x[k] == LN_NONE)
            return LN_NONE;
    }
    for (int k = 0; k + 1 < n; k++)
        ln_add_equation(e, ln_der(e, x[k]), x[k + 1]);
    if (n > 0)
        left = ln_product2(g, r->a[0], ln_der(e, x[n - 1]));
    for (int i = 1; i <= n; i++) {
        ln_node factor = r->b_value[i] != 0 ? r->b[i] : ln_constant(g, 0);
        if (r->a_value[i] != 0) {
            left = ln_sum2(g, left, ln_product2(g, r->a[i], x[n - i]));
            factor = ln_operation(g, LN_OP_SUB, factor, ln_product2(g, direct, r->a[i]), LN_NONE);
        }
        y = ln_sum2(g, y, ln_product2(g, factor, x[n - i]));
    }
    if (n > 0)
        ln_add_equation(e, left, u);
    return y;
}
