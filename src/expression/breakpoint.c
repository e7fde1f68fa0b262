/* SPDX-License-Identifier: MIT */
/* Conditions on time alone: found and put on `decide`, and when they change. The reasoning is in
 * graph.h. */
#include "expression/nodes.h"
#include "expression/special.h"

enum {
    SETTLED = (1u << LN_LEAF_PARAMETER) | (1u << LN_LEAF_DECIDE) | (1u << LN_LEAF_MEMORY),
    TIMED = SETTLED | (1u << LN_LEAF_TIME)
};

typedef struct breakpoint_search {
    ln_arena *arena;
    ln_breakpoint *breakpoint;
    int count, room;
    ln_node put; /* what replaces the time in a substitution */
} breakpoint_search;

static ln_node put_for_time(void *context, ln_graph *to, const ln_graph *from, ln_node node) {
    (void)to;
    if (from->cell[node].op != LN_OP_LEAF || from->cell[node].at.leaf.kind != LN_LEAF_TIME)
        return LN_NONE;
    return *(const ln_node *)context;
}

static ln_node with_time(ln_graph *graph, ln_node node, ln_node time) {
    ln_copy(graph, graph, &node, 1, put_for_time, &time);
    return node;
}

/* Adds a breakpoint unless it is known. 0 when memory is short. */
static int add_breakpoint(breakpoint_search *s, ln_breakpoint breakpoint) {
    for (int i = 0; i < s->count; i++) {
        const ln_breakpoint *known = &s->breakpoint[i];
        if (known->kind == breakpoint.kind && known->scale == breakpoint.scale &&
            known->shift == breakpoint.shift && known->table_first == breakpoint.table_first &&
            known->table_points == breakpoint.table_points)
            return 1;
    }
    if (s->count == s->room) {
        int room = s->room ? 2 * s->room : 8;
        ln_breakpoint *larger = LN_NEW(s->arena, ln_breakpoint, room);
        if (!larger)
            return 0;
        for (int i = 0; i < s->count; i++)
            larger[i] = s->breakpoint[i];
        s->breakpoint = larger;
        s->room = room;
    }
    s->breakpoint[s->count++] = breakpoint;
    return 1;
}

/* When the operation, with these arguments, changes as a function g of time; 0 when it is no such
 * condition. */
static int condition(ln_graph *graph, ln_node old, const ln_node arg[3], ln_node *g,
                     ln_breakpoint *breakpoint) {
    const ln_cell *cell = &graph->cell[old];
    *g = arg[0];
    *breakpoint = (ln_breakpoint){0};
    switch ((ln_op)cell->op) {
    case LN_OP_LT:
    case LN_OP_LE:
    case LN_OP_EQ:
        breakpoint->kind = LN_BREAKPOINT_ZERO;
        *g = ln_operation(graph, LN_OP_SUB, arg[0], arg[1], LN_NONE);
        return 1;
    case LN_OP_FLOOR:
    case LN_OP_CEIL:
    case LN_OP_TRUNC: breakpoint->kind = LN_BREAKPOINT_INTEGER; return 1;
    case LN_OP_ROUND: breakpoint->kind = LN_BREAKPOINT_HALF; return 1;
    case LN_OP_TABLE:
        *g = arg[1];
        breakpoint->kind = LN_BREAKPOINT_TABLE;
        breakpoint->table_first = cell->at.table.first;
        breakpoint->table_points = cell->at.table.points;
        return 1;
    case LN_OP_TABLE_SLOPE:
    case LN_OP_TABLE_MIDDLE:
        breakpoint->kind = LN_BREAKPOINT_TABLE;
        breakpoint->table_first = cell->at.table.first;
        breakpoint->table_points = cell->at.table.points;
        return 1;
    default: return 0;
    }
}

/* Takes the time out of g: scale and shift. 0 when g is not affine in time. */
static int affine(ln_graph *graph, ln_node g, ln_breakpoint *breakpoint) {
    ln_node time = ln_leaf_node(graph, LN_LEAF_TIME, 0);
    if (g == LN_NONE || time == LN_NONE || (graph->cell[g].depends & ~(unsigned)TIMED))
        return 0;
    if (ln_degree_over(graph, g, time, SETTLED) != LN_DEGREE_LINEAR)
        return 0;
    breakpoint->scale = ln_derivative(graph, g, time);
    breakpoint->shift = with_time(graph, g, ln_constant(graph, 0));
    return breakpoint->scale != LN_NONE && breakpoint->shift != LN_NONE;
}

static ln_node decide(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                      const ln_node arg[3]) {
    breakpoint_search *s = context;
    ln_breakpoint breakpoint;
    ln_node g, moved[3] = {arg[0], arg[1], arg[2]};
    if (condition(to, old, arg, &g, &breakpoint) && affine(to, g, &breakpoint)) {
        ln_node decided = ln_leaf_node(to, LN_LEAF_DECIDE, 0);
        /* its value stays on the time, its segment does not */
        int is_table = from->cell[old].op == LN_OP_TABLE;
        for (int k = is_table ? 1 : 0; k < 2; k++)
            if (moved[k] != LN_NONE)
                moved[k] = with_time(to, moved[k], decided);
        if (!add_breakpoint(s, breakpoint))
            to->failed = 1;
    }
    return to->failed ? LN_NONE : ln_remake(to, from, old, moved);
}

int ln_decide_time(ln_graph *graph, ln_node *nodes, int count, ln_arena *arena,
                   const ln_breakpoint **breakpoints) {
    breakpoint_search s = {.arena = arena};
    ln_rewrite(graph, graph, nodes, count, decide, &s);
    *breakpoints = s.breakpoint;
    return s.count;
}

/* ---- when ---- */

double ln_breakpoint_next(ln_breakpoint_kind kind, double scale, double shift, const double *table,
                          int points, double t) {
    /* special.h counts the kinds in the same order */
    return linnet_next_breakpoint((int)kind, scale, shift, table, points, t);
}
