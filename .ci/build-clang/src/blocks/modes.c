/* SPDX-License-Identifier: MIT */
/* Conditionals become modes.
 *
 * What is left after the conditions on time alone: each comparison, step function and table segment
 * that depends on an unknown or on time in another way is replaced, in rows and lets, by a memory
 * that stands still within a step, so that they are smooth there. Its guard is a distance that is
 * continuous in x and t while all modes stand still:
 *
 *     a < b, a <= b      b - a while it holds, a - b while not (0 at equality, which either side
 * may have) floor(u) = m       min(u - m, m + 1 - u);    ceil, round and trunc likewise a table's
 * segment  the distance to its nearer end; the mode is an abscissa inside the segment
 *
 * A guard is made of modes where conditions nest; what decides a mode is the condition as it
 * stands, without any. What comes to depend on memories and parameters alone stays as it stands,
 * and so do equality and what noevent() marks. Conditions of events keep their form, and only lend
 * their comparisons, so that crossings are seen. */
#include "blocks/compile.h"

static ln_node two(ln_graph *g, ln_op op, ln_node a, ln_node b) {
    return ln_operation(g, op, a, b, LN_NONE);
}
static ln_node neg(ln_graph *g, ln_node a) {
    return ln_operation(g, LN_OP_NEG, a, LN_NONE, LN_NONE);
}

static ln_node least(ln_graph *g, ln_node a, ln_node b) {
    const ln_node both[2] = {a, b};
    return ln_function(g, "min", both, 2);
}

/* How far u lies inside [from, from + 1]. */
static ln_node inside(ln_graph *g, ln_node u, ln_node from) {
    return least(g, two(g, LN_OP_SUB, u, from),
                 two(g, LN_OP_SUB, two(g, LN_OP_ADD, from, ln_constant(g, 1)), u));
}

/* trunc(u) = m: [m, m + 1] above zero, [m - 1, m] below, (-1, 1) for zero. */
static ln_node inside_trunc(ln_graph *g, ln_node u, ln_node m) {
    ln_node zero = ln_constant(g, 0), one = ln_constant(g, 1);
    ln_node around = least(g, two(g, LN_OP_ADD, u, one), two(g, LN_OP_SUB, one, u));
    ln_node below = ln_operation(g, LN_OP_IF, two(g, LN_OP_LT, m, zero),
                                 inside(g, u, two(g, LN_OP_SUB, m, one)), around);
    return ln_operation(g, LN_OP_IF, two(g, LN_OP_LT, zero, m), inside(g, u, m), below);
}

/* The guard of an operation with these arguments; LN_NONE when it is none that decides. */
static ln_node guard_of(ln_graph *g, ln_op op, const ln_node arg[3], ln_node mode) {
    switch (op) {
    case LN_OP_LT:
    case LN_OP_LE: {
        ln_node apart = two(g, LN_OP_SUB, arg[1], arg[0]);
        return ln_operation(g, LN_OP_IF, mode, apart, neg(g, apart));
    }
    case LN_OP_FLOOR: return inside(g, arg[0], mode);
    case LN_OP_CEIL: return inside(g, arg[0], two(g, LN_OP_SUB, mode, ln_constant(g, 1)));
    case LN_OP_ROUND: return inside(g, arg[0], two(g, LN_OP_SUB, mode, ln_constant(g, 0.5)));
    case LN_OP_TRUNC: return inside_trunc(g, arg[0], mode);
    default: return LN_NONE;
    }
}

/* The leaf of a new mode that is decided by `live`. */
static ln_node mode_leaf(ln_compile *c, ln_node live) {
    const int k = c->nmodes;
    if (k == c->modes_room) {
        int room = k > 0 ? 2 * k : 8;
        ln_mode *larger = LN_NEW(c->scratch, ln_mode, room);
        if (larger == NULL) {
            c->equations->failed = 1;
            return LN_NONE;
        }
        for (int i = 0; i < k; i++)
            larger[i] = c->modes[i];
        c->modes = larger;
        c->modes_room = room;
    }
    c->modes[c->nmodes++] = (ln_mode){live, LN_NONE};
    return ln_leaf_node(c->graph, LN_LEAF_MEMORY, ln_first_mode(c) + k);
}

/* ---- noevent() stands aside ---- */

/* The operand of NOEVENT number k is the unknown ASIDE + k while modes are sought. */
enum { ASIDE = 1 << 24 };

static ln_node set_aside(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                         const ln_node arg[3]) {
    (void)context;
    if (ln_node_op(from, old) != LN_OP_NOEVENT)
        return ln_remake(to, from, old, arg);
    return ln_leaf_node(to, LN_LEAF_UNKNOWN, ASIDE + ln_node_arg(from, old, 0));
}

static int is_aside(const ln_graph *g, ln_node node) {
    return ln_unknown_index(g, node) >= ASIDE;
}

static ln_node put_back(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    (void)context, (void)to;
    return is_aside(from, leaf) ? ln_unknown_index(from, leaf) - ASIDE : LN_NONE;
}

/* ---- rows ---- */

static int varies(const ln_graph *g, ln_node node) {
    return (ln_depends(g, node) & (1u << LN_LEAF_UNKNOWN | 1u << LN_LEAF_TIME)) != 0;
}

/* A table whose segment depends on what varies. */
static ln_node freeze_table(ln_compile *c, ln_node old, const ln_node arg[3]) {
    ln_graph *g = c->graph;
    ln_node mode = mode_leaf(c, ln_table_mode(g, old, ln_node_arg(g, old, 1)));
    const ln_node moved[3] = {arg[0], mode, LN_NONE};
    if (mode == LN_NONE)
        return LN_NONE;
    c->modes[c->nmodes - 1].guard = ln_table_room(g, old, arg[1], mode);
    return ln_remake(g, g, old, moved);
}

static ln_node freeze(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                      const ln_node arg[3]) {
    ln_compile *c = context;
    ln_op op = ln_node_op(from, old);
    if (op == LN_OP_TABLE && varies(to, arg[1]) && !is_aside(to, arg[1]))
        return freeze_table(c, old, arg);
    ln_node plain = ln_remake(to, from, old, arg);
    if (plain == LN_NONE || !varies(to, plain))
        return plain;
    switch (op) {
    case LN_OP_LT:
    case LN_OP_LE:
    case LN_OP_FLOOR:
    case LN_OP_CEIL:
    case LN_OP_ROUND:
    case LN_OP_TRUNC:
    case LN_OP_TABLE_MIDDLE: break;
    default: return plain;
    }
    ln_node mode = mode_leaf(c, old);
    if (mode == LN_NONE)
        return LN_NONE;
    c->modes[c->nmodes - 1].guard = op == LN_OP_TABLE_MIDDLE ? ln_table_room(to, old, arg[0], mode)
                                                             : guard_of(to, op, arg, mode);
    return mode;
}

/* noevent() comes back in what decides the modes and in their guards. 0 when memory is short. */
static int end_modes(ln_compile *c) {
    const int n = c->nmodes;
    ln_node *nodes = LN_NEW(c->scratch, ln_node, 2 * (size_t)n);
    if (nodes == NULL)
        return 0;
    for (int k = 0; k < n; k++)
        nodes[k] = c->modes[k].live, nodes[n + k] = c->modes[k].guard;
    ln_copy(c->graph, c->graph, nodes, 2 * n, put_back, NULL);
    for (int k = 0; k < n; k++)
        c->modes[k] = (ln_mode){nodes[k], nodes[n + k]};
    return 1;
}

linnet_status ln_find_modes(ln_compile *c) {
    const ln_equations *e = c->equations;
    if (e->no_modes)
        return LINNET_OK;
    size_t count = 0;
    ln_node *nodes = LN_NEW(c->scratch, ln_node, c->nlines + (size_t)c->nextras);
    if (nodes == NULL)
        return ln_no_memory(c->report);
    for (size_t k = 0; k < c->nlines; k++)
        nodes[count++] = c->lines[k].residual;
    for (size_t k = 0; k < e->nlets; k++)
        nodes[count++] = c->extras[k];
    for (size_t k = 0; k < e->nevents; k++)
        if (!e->events[k].quiet)
            nodes[count++] = c->extras[e->nlets + k];
    ln_node *delays = c->extras + c->nextras - c->ndelays;
    const size_t first_delay = count;
    for (int k = 0; k < c->ndelays; k++)
        nodes[count++] = delays[k];
    ln_rewrite(c->graph, c->graph, nodes, (int)count, set_aside, NULL);
    ln_rewrite(c->graph, c->graph, nodes, (int)count, freeze, c);
    ln_copy(c->graph, c->graph, nodes, (int)count, put_back, NULL);
    if (!end_modes(c))
        return ln_no_memory(c->report);
    if (ln_graph_failed(c->graph) || c->equations->failed)
        return ln_no_memory(c->report);
    for (size_t k = 0; k < c->nlines; k++)
        c->lines[k].residual = nodes[k];
    for (size_t k = 0; k < e->nlets; k++)
        c->extras[k] = nodes[c->nlines + k];
    for (int k = 0; k < c->ndelays; k++)
        delays[k] = nodes[first_delay + (size_t)k];
    return LINNET_OK;
}
