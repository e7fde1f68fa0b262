/* SPDX-License-Identifier: MIT */
/* A row taken apart: node = sum(coefficient * part) + nonlinear + known.
 *
 * Parts are unknowns and DER nodes; a coefficient depends on parameters only. Factors are carried
 * from the sum's root towards its leaves, each node once (as in reverse differentiation), through +
 * - and products with one parametric factor. What cannot be passed joins `nonlinear`; there, a
 * partial derivative that turns out to be parametric makes its unknown linear after all (`if(R gt
 * 0, v/R, v)`), unless the unknown decides a condition or stands in a step function, whose
 * derivative says nothing. */
#include "blocks/compile.h"

#include "base/sys.h"

#include <stdlib.h>
#include <string.h>

int ln_compare_falling(const void *a, const void *b) {
    ln_node left = *(const ln_node *)a, right = *(const ln_node *)b;
    return (left < right) - (left > right);
}

int ln_is_constant(const ln_graph *graph, ln_node node, double value) {
    return ln_node_op(graph, node) == LN_OP_CONSTANT && ln_node_value(graph, node) == value;
}

int ln_is_parametric(const ln_graph *graph, ln_node node) {
    return (ln_depends(graph, node) & ~(1u << LN_LEAF_PARAMETER)) == 0;
}

int ln_unknown_index(const ln_graph *graph, ln_node node) {
    int index;
    if (ln_node_op(graph, node) != LN_OP_LEAF)
        return -1;
    return ln_node_leaf(graph, node, &index) == LN_LEAF_UNKNOWN ? index : -1;
}

typedef struct replacement {
    ln_node part, by;
    int into_der;
} replacement;

static ln_node map_part(void *context, ln_graph *to, const ln_graph *from, ln_node node) {
    (void)to;
    const replacement *swap = context;
    if (node == swap->part)
        return swap->by;
    return !swap->into_der && ln_node_op(from, node) == LN_OP_DER ? node : LN_NONE;
}

ln_node ln_replace(ln_graph *graph, ln_node node, ln_node part, ln_node by, int into_der) {
    replacement swap = {part, by, into_der};
    ln_copy(graph, graph, &node, 1, map_part, &swap);
    return node;
}

/* ---- searching ---- */

/* Memory is short: no step may mistake that for a property of the equations, so the last one looks
 * at this mark. */
static int no_memory(ln_compile *c) {
    c->equations->failed = 1;
    return 0;
}

static int make_room(ln_compile *c) {
    size_t size = (size_t)ln_graph_size(c->graph), old = c->stamp_room;
    if (size > old) {
        c->stamp = ln_grow(c->stamp, &c->stamp_room, size, sizeof *c->stamp);
        if (c->stamp_room < size)
            return no_memory(c);
        memset(c->stamp + old, 0, (c->stamp_room - old) * sizeof *c->stamp);
    }
    if (size > c->list_room)
        c->list = ln_grow(c->list, &c->list_room, size, sizeof *c->list);
    return c->list_room >= size || no_memory(c);
}

int ln_reach(ln_compile *c, ln_node node, int into_der) {
    if (node == LN_NONE || !make_room(c))
        return -1;
    int count = 1, mark = ++c->search;
    c->list[0] = node;
    c->stamp[node] = mark;
    for (int k = 0; k < count; k++) {
        if (!into_der && ln_node_op(c->graph, c->list[k]) == LN_OP_DER)
            continue;
        for (int which = 0; which < 3; which++) {
            ln_node argument = ln_node_arg(c->graph, c->list[k], which);
            if (argument == LN_NONE || c->stamp[argument] == mark)
                continue;
            c->stamp[argument] = mark;
            c->list[count++] = argument;
        }
    }
    qsort(c->list, (size_t)count, sizeof *c->list, ln_compare_falling);
    return count;
}

int ln_parts(ln_compile *c, ln_node node, ln_part_kind kind, ln_node **parts) {
    int reached = ln_reach(c, node, kind == LN_PART_UNKNOWN), count = 0;
    if (reached < 0 || ((*parts = LN_NEW(c->scratch, ln_node, reached)) == NULL && !no_memory(c)))
        return -1;
    for (int k = reached - 1; k >= 0; k--) {
        ln_node n = c->list[k];
        int is_der = ln_node_op(c->graph, n) == LN_OP_DER;
        if (kind == LN_PART_DER ? is_der : ln_unknown_index(c->graph, n) >= 0)
            (*parts)[count++] = n;
    }
    return count;
}

/* What decides something in a node: its condition, the segment of a table, or all of a step
 * function; LN_NONE: nothing does. */
static ln_node decider_of(const ln_graph *g, ln_node node) {
    /* the number of the argument that decides, + 1; ALL: the node itself */
    enum { ALL = 4 };
    static const char deciding[LN_OPS] = {
        [LN_OP_IF] = 1,
        [LN_OP_TABLE_SLOPE] = 1,
        [LN_OP_TABLE_MIDDLE] = 1,
        [LN_OP_TABLE] = 2,
        [LN_OP_LT] = ALL,
        [LN_OP_LE] = ALL,
        [LN_OP_EQ] = ALL,
        [LN_OP_AND] = ALL,
        [LN_OP_OR] = ALL,
        [LN_OP_NOT] = ALL,
        [LN_OP_FLOOR] = ALL,
        [LN_OP_CEIL] = ALL,
        [LN_OP_ROUND] = ALL,
        [LN_OP_TRUNC] = ALL,
        [LN_OP_UNIFORM] = ALL,
        [LN_OP_NORMAL] = ALL,
        /* jumps across the negative axis, and at zero it has no derivative */
        [LN_OP_ATAN2] = ALL,
        [LN_OP_NOEVENT] = ALL};
    const int which = deciding[ln_node_op(g, node)];
    if (which == 0)
        return LN_NONE;
    return which == ALL ? node : ln_node_arg(g, node, which - 1);
}

/* 1 when `part` decides something in `node`: a condition, a step function, a segment of a table. */
static int decides(ln_compile *c, ln_node node, ln_node part) {
    int count = ln_reach(c, node, 0);
    if (count < 0)
        return 1;
    for (int k = 0; k < count; k++) {
        const ln_node decider = decider_of(c->graph, c->list[k]);
        if (decider != LN_NONE && ln_contains(c->graph, decider, part))
            return 1;
    }
    return 0;
}

/* ---- taking apart ---- */

static ln_node add(ln_graph *g, ln_node a, ln_node b) {
    return ln_operation(g, LN_OP_ADD, a, b, LN_NONE);
}
static ln_node multiply(ln_graph *g, ln_node a, ln_node b) {
    return ln_operation(g, LN_OP_MUL, a, b, LN_NONE);
}

/* Factor of each node that was reached, found by its place in the falling list. */
typedef struct factors {
    ln_node *node, *factor;
    int count;
} factors;

static ln_node *place_of(const factors *all, ln_node node) {
    ln_node *at = bsearch(&node, all->node, (size_t)all->count, sizeof node, ln_compare_falling);
    return &all->factor[at - all->node];
}

static void give(ln_graph *g, factors *all, ln_node node, ln_node factor) {
    ln_node *slot = place_of(all, node);
    *slot = *slot == LN_NONE ? factor : add(g, *slot, factor);
}

/* Hands the factor of a node on to its arguments; 0 when it cannot be passed. */
static int pass_on(ln_graph *g, factors *all, ln_node node, ln_node factor) {
    ln_node a = ln_node_arg(g, node, 0), b = ln_node_arg(g, node, 1);
    switch (ln_node_op(g, node)) {
    case LN_OP_ADD:
        give(g, all, a, factor);
        give(g, all, b, factor);
        return 1;
    case LN_OP_SUB:
        give(g, all, a, factor);
        give(g, all, b, ln_operation(g, LN_OP_NEG, factor, LN_NONE, LN_NONE));
        return 1;
    case LN_OP_NEG: give(g, all, a, ln_operation(g, LN_OP_NEG, factor, LN_NONE, LN_NONE)); return 1;
    case LN_OP_MUL:
        if (ln_is_parametric(g, a))
            give(g, all, b, multiply(g, factor, a));
        else if (ln_is_parametric(g, b))
            give(g, all, a, multiply(g, factor, b));
        else
            return 0;
        return 1;
    case LN_OP_DIV:
        if (!ln_is_parametric(g, b))
            return 0;
        give(g, all, a, ln_operation(g, LN_OP_DIV, factor, b, LN_NONE));
        return 1;
    default: return 0;
    }
}

static int walk(ln_compile *c, ln_node root, ln_sum *sum) {
    ln_graph *g = c->graph;
    const unsigned open = 1u << LN_LEAF_UNKNOWN | LN_DEPENDS_DER;
    factors all = {.count = ln_reach(c, root, 0)};
    if (all.count < 0)
        return 0;
    all.node = LN_NEW(c->scratch, ln_node, all.count);
    all.factor = LN_NEW(c->scratch, ln_node, all.count);
    sum->terms = LN_NEW(c->scratch, ln_term, all.count);
    if (all.node == NULL || all.factor == NULL || sum->terms == NULL)
        return no_memory(c);
    memcpy(all.node, c->list, (size_t)all.count * sizeof *all.node);
    for (int k = 0; k < all.count; k++)
        all.factor[k] = LN_NONE;
    all.factor[0] = ln_constant(g, 1);
    for (int k = 0; k < all.count; k++) {
        ln_node node = all.node[k], factor = all.factor[k];
        if (factor == LN_NONE || ln_is_constant(g, factor, 0))
            continue;
        if (!(ln_depends(g, node) & open))
            sum->known = add(g, sum->known, multiply(g, factor, node));
        else if (ln_unknown_index(g, node) >= 0 || ln_node_op(g, node) == LN_OP_DER)
            sum->terms[sum->nterms++] = (ln_term){node, factor};
        else if (!pass_on(g, &all, node, factor))
            sum->nonlinear = add(g, sum->nonlinear, multiply(g, factor, node));
    }
    return 1;
}

/* Parts of the nonlinear sum in which it is linear after all. */
static int find_more(ln_compile *c, ln_part_kind kind, ln_sum *sum) {
    ln_node *parts;
    int count = ln_parts(c, sum->nonlinear, kind, &parts);
    if (count < 0)
        return 0;
    ln_term *terms = LN_NEW(c->scratch, ln_term, sum->nterms + count);
    ln_node *slopes = LN_NEW(c->scratch, ln_node, count);
    if (terms == NULL || slopes == NULL)
        return no_memory(c);
    memcpy(terms, sum->terms, (size_t)sum->nterms * sizeof *terms);
    sum->terms = terms;
    if (!ln_gradient(c->graph, sum->nonlinear, parts, count, slopes))
        return 0;
    for (int k = 0; k < count; k++) {
        const ln_node slope = slopes[k];
        if (!ln_is_parametric(c->graph, slope) || decides(c, sum->nonlinear, parts[k]))
            continue;
        sum->nonlinear =
            ln_replace(c->graph, sum->nonlinear, parts[k], ln_constant(c->graph, 0), 0);
        int at = 0;
        while (at < sum->nterms && terms[at].part != parts[k])
            at++;
        if (at == sum->nterms)
            terms[sum->nterms++] = (ln_term){parts[k], slope};
        else
            terms[at].coefficient = add(c->graph, terms[at].coefficient, slope);
    }
    return 1;
}

int ln_take_apart(ln_compile *c, ln_node node, ln_sum *sum) {
    ln_node zero = ln_constant(c->graph, 0);
    *sum = (ln_sum){.nonlinear = zero, .known = zero};
    if (node == LN_NONE || !walk(c, node, sum))
        return 0;
    if (sum->nonlinear == zero)
        return !ln_graph_failed(c->graph);
    if (!find_more(c, LN_PART_DER, sum) || !find_more(c, LN_PART_FREE_UNKNOWN, sum))
        return 0;
    if (!(ln_depends(c->graph, sum->nonlinear) & (1u << LN_LEAF_UNKNOWN | LN_DEPENDS_DER))) {
        sum->known = add(c->graph, sum->known, sum->nonlinear);
        sum->nonlinear = zero;
    }
    return !ln_graph_failed(c->graph);
}

ln_node ln_put_together(ln_compile *c, const ln_sum *sum) {
    ln_node all = add(c->graph, sum->nonlinear, sum->known);
    for (int k = sum->nterms - 1; k >= 0; k--)
        all = add(c->graph, multiply(c->graph, sum->terms[k].coefficient, sum->terms[k].part), all);
    return all;
}

/* ---- selecting terms ---- */

/* The argument of an open node through which pass_on() goes: 0 or 1; 2 for both, -1 for neither. */
static int passed(const ln_graph *g, ln_node node) {
    switch (ln_node_op(g, node)) {
    case LN_OP_ADD:
    case LN_OP_SUB: return 2;
    case LN_OP_NEG: return 0;
    case LN_OP_MUL:
        if (ln_is_parametric(g, ln_node_arg(g, node, 0)))
            return 1;
        return ln_is_parametric(g, ln_node_arg(g, node, 1)) ? 0 : -1;
    case LN_OP_DIV: return ln_is_parametric(g, ln_node_arg(g, node, 1)) ? 0 : -1;
    default: return -1;
    }
}

/* all->factor[] as walk() finds it; LN_NONE for what stands inside terms. */
static void give_factors(ln_graph *g, factors *all) {
    const unsigned open = 1u << LN_LEAF_UNKNOWN | LN_DEPENDS_DER;
    for (int k = 0; k < all->count; k++)
        all->factor[k] = k == 0 ? ln_constant(g, 1) : LN_NONE;
    for (int k = 0; k < all->count; k++)
        if (all->factor[k] != LN_NONE && (ln_depends(g, all->node[k]) & open))
            (void)pass_on(g, all, all->node[k], all->factor[k]);
}

ln_node ln_select_terms(ln_compile *c, ln_node root, ln_select *wanted, const void *context) {
    const unsigned open = 1u << LN_LEAF_UNKNOWN | LN_DEPENDS_DER;
    ln_graph *g = c->graph;
    const ln_node zero = ln_constant(g, 0);
    factors all = {.count = ln_reach(c, root, 0)};
    if (all.count < 0)
        return LN_NONE;
    all.node = LN_NEW(c->scratch, ln_node, all.count);
    all.factor = LN_NEW(c->scratch, ln_node, all.count);
    if (all.node == NULL || all.factor == NULL) {
        (void)no_memory(c);
        return LN_NONE;
    }
    memcpy(all.node, c->list, (size_t)all.count * sizeof *all.node);
    give_factors(g, &all);
    for (int k = all.count - 1; k >= 0; k--) { /* arguments first */
        ln_node node = all.node[k], arg[2];
        if (all.factor[k] == LN_NONE)
            continue;
        int which = ln_depends(g, node) & open ? passed(g, node) : -1;
        for (int i = 0; which >= 0 && i < 2; i++) {
            arg[i] = ln_node_arg(g, node, i);
            if (which == 2 || which == i)
                arg[i] = *place_of(&all, arg[i]);
        }
        if (which >= 0)
            all.factor[k] = ln_operation(g, ln_node_op(g, node), arg[0], arg[1], LN_NONE);
        else
            all.factor[k] =
                !ln_is_constant(g, all.factor[k], 0) && wanted(context, g, node) ? node : zero;
    }
    return all.factor[0];
}
