/* SPDX-License-Identifier: MIT */
/* First step of a class: which port fluxes are given explicitly.
 *
 * `p.i = expression` costs no unknown: the expression goes into the port's row of flux sums. It
 * does not count when the expression holds p.i itself, directly or through other explicit fluxes.
 * An equation like `p.i + n.i = 0` gives a flux as well: it is solved for the last port whose flux
 * has a number as its factor there. All other fluxes are unknowns.
 *
 * Invariant while definitions are collected: no accepted one holds a flux that is accepted, so one
 * replacement is enough and cycles cannot arise. */
#include "base/domain.h"
#include "blocks/compile.h"

static int is_physical(const ln_compile *c, int port) {
    return c->equations->ports[port].domain != LINNET_SIGNAL;
}

/* The port whose flux the node is, or -1. */
static int flux_port(const ln_compile *c, ln_node node) {
    int index = ln_unknown_index(c->graph, node);
    return index >= LN_FLUX ? index - LN_FLUX : -1;
}

static ln_node accepted_flux(void *context, ln_graph *to, const ln_graph *from, ln_node node) {
    (void)to, (void)from;
    const ln_compile *c = context;
    int port = flux_port(c, node);
    return port < 0 ? LN_NONE : c->flux[port];
}

/* 1 for the leaf of a signal output. */
static int is_output(const ln_compile *c, ln_node node) {
    int index = ln_unknown_index(c->graph, node);
    return index >= 0 && index < c->nports && c->equations->ports[index].flags & LINNET_OUTPUT;
}

/* Accepts `flux of port = expression` if it is not implicit. */
static int accept(ln_compile *c, int equation, int port, ln_node expression) {
    if (port < 0 || !is_physical(c, port) || c->flux[port] != LN_NONE)
        return 0;
    ln_node leaf = ln_flux_of(c->equations, port);
    ln_copy(c->graph, c->graph, &expression, 1, accepted_flux, c);
    if (expression == LN_NONE || ln_contains(c->graph, expression, leaf))
        return 0;
    for (int k = 0; k < c->nports; k++)
        if (c->flux[k] != LN_NONE)
            c->flux[k] = ln_replace(c->graph, c->flux[k], leaf, expression, 1);
    c->flux[port] = expression;
    c->used[equation] = 1;
    return 1;
}

/* Solves an equation for a flux that stands in it with a number as its factor. */
static int solve(ln_compile *c, int equation) {
    const ln_equation *own_equation = &c->equations->equations[equation];
    ln_node residual =
        ln_operation(c->graph, LN_OP_SUB, own_equation->left, own_equation->right, LN_NONE);
    ln_copy(c->graph, c->graph, &residual, 1, accepted_flux, c);
    for (int port = c->nports - 1; port >= 0; port--) {
        ln_node leaf = ln_flux_of(c->equations, port);
        if (!is_physical(c, port) || c->flux[port] != LN_NONE ||
            !ln_contains(c->graph, residual, leaf))
            continue;
        ln_sum sum;
        if (!ln_take_apart(c, residual, &sum))
            return 0;
        for (int k = 0; k < sum.nterms; k++) {
            ln_node factor = sum.terms[k].coefficient;
            if (sum.terms[k].part != leaf || ln_node_op(c->graph, factor) != LN_OP_CONSTANT)
                continue;
            sum.terms[k].coefficient = ln_constant(c->graph, 0);
            ln_node rest =
                ln_operation(c->graph, LN_OP_NEG, ln_put_together(c, &sum), LN_NONE, LN_NONE);
            if (accept(c, equation, port, ln_operation(c->graph, LN_OP_DIV, rest, factor, LN_NONE)))
                return 1;
            sum.terms[k].coefficient = factor;
        }
    }
    return 0;
}

/* A flux leaf becomes its definition, or the leaf of the unknown that stands for it. */
static void replace_all(ln_compile *c) {
    ln_equations *e = c->equations;
    for (size_t k = 0; k < e->nequations; k++) {
        ln_copy(c->graph, c->graph, &e->equations[k].left, 1, accepted_flux, c);
        ln_copy(c->graph, c->graph, &e->equations[k].right, 1, accepted_flux, c);
    }
    for (size_t k = 0; k < e->nconditions; k++)
        ln_copy(c->graph, c->graph, &e->conditions[k].of, 1, accepted_flux, c);
    ln_copy(c->graph, c->graph, c->extras, c->nextras, accepted_flux, c);
}

/* Fluxes without a definition become variables, named and scaled by the domain. */
static linnet_status add_unknown_fluxes(ln_compile *c, const char *is_unknown) {
    for (int port = 0; port < c->nports; port++) {
        if (!is_unknown[port])
            continue;
        const linnet_port *face = &c->equations->ports[port];
        const ln_domain_info *domain = ln_domain(face->domain);
        const char *name = ln_arena_printf(c->arena, "%s.%s", face->name, domain->flux);
        if (name == NULL)
            return ln_no_memory(c->report);
        linnet_var var = {name, domain->flux_unit,     domain->flux_nominal,
                          0,    "flux into the block", 0};
        int unknown = ln_new_unknown(c, var);
        if (unknown < 0)
            return LINNET_MEMORY;
        ln_node leaf = ln_unknown(c->graph, unknown);
        ln_node old = ln_flux_of(c->equations, port);
        for (int k = 0; k < c->nports; k++)
            if (c->flux[k] != LN_NONE)
                c->flux[k] = ln_replace(c->graph, c->flux[k], old, leaf, 1);
        c->flux[port] = leaf;
    }
    return LINNET_OK;
}

linnet_status ln_find_fluxes(ln_compile *c) {
    const ln_equations *e = c->equations;
    char *is_unknown = LN_NEW(c->scratch, char, c->nports);
    if (is_unknown == NULL)
        return ln_no_memory(c->report);
    for (int k = 0; k < c->nports; k++)
        c->flux[k] = LN_NONE;
    for (int k = 0; k < (int)e->nequations; k++) {
        const ln_equation *equation = &e->equations[k];
        if (equation->left == LN_NONE || equation->right == LN_NONE)
            return ln_no_memory(c->report);
        if (accept(c, k, flux_port(c, equation->left), equation->right) ||
            is_output(c, equation->left))
            continue;
        accept(c, k, flux_port(c, equation->right), equation->left);
    }
    for (int k = 0; k < (int)e->nequations; k++)
        if (!c->used[k] && !is_output(c, e->equations[k].left) &&
            !is_output(c, e->equations[k].right))
            solve(c, k);
    for (int k = 0; k < c->nports; k++)
        is_unknown[k] = is_physical(c, k) && c->flux[k] == LN_NONE;
    LN_TRY(add_unknown_fluxes(c, is_unknown));
    replace_all(c);
    return LINNET_OK;
}
