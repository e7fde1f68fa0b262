/* SPDX-License-Identifier: MIT */
/* Which equation becomes the row of which unknown.
 *
 * There must be as many equations as outputs, variables and unknown fluxes together. Equations that
 * say by their form what they define (`y = ...`, `der(x) = ...`) go there; a maximum matching
 * (augmenting paths, breadth first) gives the others to unknowns they hold, outputs first; what is
 * left over goes to what is left over (the equation of an ideal source, `p.v - n.v = V`, holds no
 * unknown of the block). */
#include "blocks/compile.h"
#include "base/text.h"

#include <string.h>

typedef struct target_matching {
    ln_compile *c;
    int n;             /* unknowns of the class: a target is an unknown that needs a row */
    char *is_target;   /* n */
    int *equation_of;  /* n: its equation, -1 */
    int *target_of;    /* nequations: -1 */
    ln_node *residual; /* nequations */
    /* unknown u stands in the equations held[start[u]] .. held[start[u + 1] - 1] */
    int *start, *held;
} target_matching;

static int is_output(const ln_compile *c, int unknown) {
    return unknown < c->nports && c->equations->ports[unknown].flags & LINNET_OUTPUT;
}

/* Says how many equations stand against which unknowns. */
static linnet_status complain(const target_matching *m, int equations, int unknowns) {
    const ln_compile *c = m->c;
    const ln_equations *e = c->equations;
    ln_text names = {0};
    for (int u = 0, shown = 0; u < m->n && shown < 12; u++) {
        if (!m->is_target[u])
            continue;
        ln_text_printf(&names, "%s%s", shown++ > 0 ? ", " : "", ln_unknown_name(c, u));
    }
    linnet_status status = ln_fail(
        c->report, LINNET_MODEL, e->place,
        "block type '%s' has %d equation%s for %d unknown%s%s%s%s%s; %s", e->name, equations,
        equations == 1 ? "" : "s", unknowns, unknowns == 1 ? "" : "s", unknowns > 0 ? " (" : "",
        names.data != NULL ? names.data : "", unknowns > 12 ? ", ..." : "", unknowns > 0 ? ")" : "",
        equations < unknowns ? "it needs one equation for each output, variable and flux"
                             : "remove equations, or declare what they determine as <variable>");
    ln_text_free(&names);
    return status;
}

static linnet_status check_balance(target_matching *m) {
    const ln_compile *c = m->c;
    int equations = 0, unknowns = 0;
    for (size_t k = 0; k < c->equations->nequations; k++)
        equations += !c->used[k];
    for (int u = 0; u < m->n; u++)
        unknowns += m->is_target[u] = is_output(c, u) || u >= c->nports;
    if (equations == unknowns)
        return LINNET_OK;
    /* without memory, fluxes were taken for implicit */
    if (ln_graph_failed(c->graph))
        return ln_no_memory(c->report);
    return complain(m, equations, unknowns);
}

/* Lists for each target the equations that hold it. */
static int list_holders(target_matching *m) {
    const ln_compile *c = m->c;
    size_t nequations = c->equations->nequations, count = 0;
    ln_node **parts = LN_NEW(c->scratch, ln_node *, nequations);
    int *nparts = LN_NEW(c->scratch, int, nequations);
    if (parts == NULL || nparts == NULL)
        return 0;
    for (size_t k = 0; k < nequations; k++) {
        if (c->used[k])
            continue;
        if ((nparts[k] = ln_parts(m->c, m->residual[k], LN_PART_UNKNOWN, &parts[k])) < 0)
            return 0;
        count += (size_t)nparts[k];
    }
    m->start = LN_NEW(c->scratch, int, m->n + 2);
    m->held = LN_NEW(c->scratch, int, count);
    if (m->start == NULL || m->held == NULL)
        return 0;
    for (size_t k = 0; k < nequations; k++)
        for (int i = 0; i < nparts[k]; i++)
            m->start[ln_unknown_index(c->graph, parts[k][i]) + 2]++;
    for (int u = 0; u < m->n; u++)
        m->start[u + 2] += m->start[u + 1];
    for (size_t k = 0; k < nequations; k++)
        for (int i = 0; i < nparts[k]; i++)
            m->held[m->start[ln_unknown_index(c->graph, parts[k][i]) + 1]++] = (int)k;
    return 1;
}

static void assign(target_matching *m, int target, int equation) {
    if (target < 0 || !m->is_target[target] || m->equation_of[target] >= 0 ||
        m->target_of[equation] >= 0)
        return;
    m->equation_of[target] = equation;
    m->target_of[equation] = target;
}

/* The unknown x of a side `x` or `der(x)`, or -1. */
static int subject(const ln_compile *c, ln_node side) {
    if (ln_node_op(c->graph, side) == LN_OP_DER)
        side = ln_node_arg(c->graph, side, 0);
    return ln_unknown_index(c->graph, side);
}

/* Equations that name what they define: outputs first, then variables; the left side counts before
 * the right. */
static void assign_by_form(target_matching *m) {
    const ln_compile *c = m->c;
    for (int pass = 0; pass < 4; pass++) {
        for (size_t k = 0; k < c->equations->nequations; k++) {
            if (c->used[k])
                continue;
            const ln_equation *equation = &c->equations->equations[k];
            int target = subject(c, pass % 2 == 0 ? equation->left : equation->right);
            if (target >= 0 && is_output(c, target) == (pass < 2))
                assign(m, target, (int)k);
        }
    }
}

/* Looks for an augmenting path from a free target; queue, from: scratch of n and nequations. */
static void augment(target_matching *m, int target, int *queue, int *from) {
    int head = 0, tail = 0;
    for (size_t k = 0; k < m->c->equations->nequations; k++)
        from[k] = -1;
    queue[tail++] = target;
    while (head < tail) {
        int u = queue[head++];
        for (int i = m->start[u]; i < m->start[u + 1]; i++) {
            int e = m->held[i];
            if (from[e] >= 0)
                continue;
            from[e] = u;
            if (m->target_of[e] >= 0) {
                queue[tail++] = m->target_of[e];
                continue;
            }
            /* flip: every target on the path takes the equation by which it was left */
            while (e >= 0) {
                int taker = from[e], next = m->equation_of[taker];
                m->equation_of[taker] = e;
                m->target_of[e] = taker;
                e = taker == target ? -1 : next;
            }
            return;
        }
    }
}

static linnet_status match(target_matching *m) {
    ln_compile *c = m->c;
    size_t nequations = c->equations->nequations;
    int *queue = LN_NEW(c->scratch, int, m->n + 1), *from = LN_NEW(c->scratch, int, nequations);
    if (queue == NULL || from == NULL || !list_holders(m))
        return ln_no_memory(c->report);
    assign_by_form(m);
    for (int u = 0; u < m->n; u++)
        if (m->is_target[u] && m->equation_of[u] < 0)
            augment(m, u, queue, from);
    for (int u = 0, k = 0; u < m->n; u++) {
        if (!m->is_target[u] || m->equation_of[u] >= 0)
            continue;
        while (c->used[k] || m->target_of[k] >= 0)
            k++;
        assign(m, u, k);
    }
    return LINNET_OK;
}

/* A variable that stands in no equation can have no value. */
static linnet_status check_variables(const target_matching *m) {
    const ln_compile *c = m->c;
    linnet_status status = LINNET_OK;
    for (int u = c->nports; u < c->nports + (int)c->equations->nvariables; u++) {
        int held = m->start[u + 1] > m->start[u];
        ln_node leaf = ln_unknown(c->graph, u);
        for (int port = 0; port < c->nports && !held; port++)
            held = c->flux[port] != LN_NONE && ln_contains(c->graph, c->flux[port], leaf);
        if (!held)
            status = ln_fail(c->report, LINNET_MODEL, c->equations->place,
                             "block type '%s': variable '%s' stands in no equation; remove it or "
                             "add its equation",
                             c->equations->name, c->lines[u].var.name);
    }
    return status;
}

static linnet_status set_rows(const target_matching *m) {
    ln_compile *c = m->c;
    for (int u = 0; u < m->n; u++) {
        ln_line *line = &c->lines[u];
        if (!m->is_target[u]) {
            /* a physical port: the flux into the block; an input: none */
            line->residual = c->flux[u];
            line->place = c->equations->place;
            continue;
        }
        const ln_equation *equation = &c->equations->equations[m->equation_of[u]];
        line->residual = m->residual[m->equation_of[u]];
        line->place = equation->place;
        line->row.unit = equation->unit;
        line->row.name = equation->text != NULL
                             ? equation->text
                             : ln_arena_printf(c->arena, "equation of %s", ln_unknown_name(c, u));
        if (line->row.name == NULL)
            return ln_no_memory(c->report);
    }
    return LINNET_OK;
}

linnet_status ln_match_rows(ln_compile *c) {
    size_t nequations = c->equations->nequations;
    target_matching m = {.c = c, .n = (int)c->nlines};
    m.is_target = LN_NEW(c->scratch, char, m.n);
    m.equation_of = LN_NEW(c->scratch, int, m.n);
    m.target_of = LN_NEW(c->scratch, int, nequations);
    m.residual = LN_NEW(c->scratch, ln_node, nequations);
    if (m.is_target == NULL || m.equation_of == NULL || m.target_of == NULL || m.residual == NULL)
        return ln_no_memory(c->report);
    LN_TRY(check_balance(&m));
    memset(m.equation_of, -1, (size_t)m.n * sizeof *m.equation_of);
    memset(m.target_of, -1, nequations * sizeof *m.target_of);
    for (size_t k = 0; k < nequations; k++) {
        const ln_equation *equation = &c->equations->equations[k];
        m.residual[k] = ln_operation(c->graph, LN_OP_SUB, equation->left, equation->right, LN_NONE);
    }
    LN_TRY(match(&m));
    LN_TRY(check_variables(&m));
    return set_rows(&m);
}
