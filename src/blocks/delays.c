/* SPDX-License-Identifier: MIT */
/* delay(x, T) and rate(x) in the equations and events of a type.
 *
 * The engine keeps the past of each (linnet_delay) and puts value, weight and slope into three
 * memories. A node DELAY or RATE is given the place of these as its third argument before anything
 * else is done, so that it can be derived (expression/derivative.c); as long as rows are taken
 * apart it counts as what it is, a function of unknowns. At the end a memory takes its place. */
#include "blocks/builder.h"

typedef struct numbering {
    ln_compile *c;
    int room;
    const char *wrong;
} numbering;

static int is_delayed(ln_op op) {
    return op == LN_OP_DELAY || op == LN_OP_RATE;
}

/* 1 when a delay stands below the node. */
static int holds_delay(ln_compile *c, ln_node node) {
    int count = ln_reach(c, node, 1);
    for (int k = 0; k < count; k++)
        if (is_delayed(ln_node_op(c->graph, c->list[k])))
            return 1;
    return 0;
}

/* Appends to c->delays; LN_NONE when memory is short. */
static ln_node keep(numbering *counter, ln_node delay) {
    ln_compile *c = counter->c;
    if (c->ndelays == counter->room) {
        const int room = counter->room > 0 ? 2 * counter->room : 8;
        ln_node *larger = LN_NEW(c->scratch, ln_node, room);
        if (larger == NULL)
            return LN_NONE;
        for (int k = 0; k < c->ndelays; k++)
            larger[k] = c->delays[k];
        c->delays = larger, counter->room = room;
    }
    return c->delays[c->ndelays++] = delay;
}

static ln_node number(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                      const ln_node arg[3]) {
    numbering *counter = context;
    const ln_op op = ln_node_op(from, old);
    if (op == LN_OP_PRE && holds_delay(counter->c, arg[0]))
        counter->wrong = "pre() of a delay() or rate(), of which nothing is kept from before the "
                         "instant; take it apart";
    if (!is_delayed(op))
        return ln_remake(to, from, old, arg);
    if (ln_depends(to, arg[0]) & LN_DEPENDS_DER)
        counter->wrong = "delay() or rate() of a derivative; give the derivative a <variable> and "
                         "an equation of its own";
    const int place =
        (int)counter->c->equations->nmemories + LN_DELAY_MEMORIES * counter->c->ndelays;
    return keep(counter, ln_operation(to, op, arg[0], arg[1], ln_constant(to, place)));
}

static void take(ln_node *expression, ln_node *node, int back) {
    if (back)
        *expression = *node;
    else
        *node = *expression;
}

/* Every expression of the type in which a delay may stand: into nodes[] (back: from there). Returns
 * their number. */
static size_t move(ln_equations *e, ln_node *nodes, int back) {
    size_t n = 0;
    for (size_t k = 0; k < e->nequations; k++) {
        take(&e->equations[k].left, &nodes[n++], back);
        take(&e->equations[k].right, &nodes[n++], back);
    }
    for (size_t k = 0; k < e->nlets; k++)
        take(&e->lets[k].node, &nodes[n++], back);
    for (size_t k = 0; k < e->nevents; k++)
        take(&e->events[k].condition, &nodes[n++], back);
    for (size_t k = 0; k < e->nsets; k++)
        take(&e->sets[k].value, &nodes[n++], back);
    return n;
}

linnet_status ln_number_delays(ln_compile *c) {
    ln_equations *e = c->equations;
    ln_node *nodes =
        LN_NEW(c->scratch, ln_node, 2 * e->nequations + e->nlets + e->nevents + e->nsets);
    numbering counter = {c, 0, NULL};
    int some = 0;
    if (nodes == NULL)
        return ln_no_memory(c->report);
    const size_t count = move(e, nodes, 0);
    for (size_t k = 0; k < count && !some; k++)
        some = nodes[k] != LN_NONE && holds_delay(c, nodes[k]);
    if (!some)
        return LINNET_OK;
    ln_rewrite(c->graph, c->graph, nodes, (int)count, number, &counter);
    if (ln_graph_failed(c->graph) || e->failed)
        return ln_no_memory(c->report);
    if (counter.wrong != NULL)
        return ln_fail(c->report, LINNET_MODEL, e->place, "block type '%s': %s", e->name,
                       counter.wrong);
    (void)move(e, nodes, 1);
    for (int k = 0; k < c->ndelays; k++) {
        ln_node lag = ln_node_op(c->graph, c->delays[k]) == LN_OP_DELAY
                          ? ln_node_arg(c->graph, c->delays[k], 1)
                          : LN_NONE;
        e->has_delay |= lag != LN_NONE;
        if (lag != LN_NONE && ln_is_parametric(c->graph, lag))
            ln_add_period(e, (ln_period){lag, "the time of delay()", 1});
    }
    return LINNET_OK;
}

/* ---- memories ---- */

static ln_node as_memory(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                         const ln_node arg[3]) {
    (void)context;
    const ln_op op = ln_node_op(from, old);
    if (!is_delayed(op))
        return ln_remake(to, from, old, arg);
    const int place = (int)ln_node_value(to, arg[2]);
    return ln_leaf_node(to, LN_LEAF_MEMORY,
                        op == LN_OP_RATE ? place + LN_DELAY_MEMORIES - 1 : place);
}

static void rewrite(ln_builder *b, ln_node *nodes, size_t count) {
    if (count > 0)
        ln_rewrite(b->c->graph, b->c->graph, nodes, (int)count, as_memory, NULL);
}

static int rewrite_list(ln_builder *b, ln_worklist *list) {
    ln_node *nodes = LN_NEW(b->c->scratch, ln_node, list->count);
    if (nodes == NULL)
        return 0;
    for (size_t k = 0; k < list->count; k++)
        nodes[k] = list->item[k].node;
    rewrite(b, nodes, list->count);
    for (size_t k = 0; k < list->count; k++)
        list->item[k].node = nodes[k];
    return 1;
}

static int rewrite_modes(ln_builder *b) {
    ln_compile *c = b->c;
    ln_node *nodes = LN_NEW(c->scratch, ln_node, 2 * (size_t)c->nmodes);
    if (nodes == NULL)
        return 0;
    for (int k = 0; k < c->nmodes; k++)
        nodes[2 * k] = c->modes[k].live, nodes[2 * k + 1] = c->modes[k].guard;
    rewrite(b, nodes, 2 * (size_t)c->nmodes);
    for (int k = 0; k < c->nmodes; k++)
        c->modes[k] = (ln_mode){nodes[2 * k], nodes[2 * k + 1]};
    return 1;
}

/* The rows as a whole, which whoever differentiates them reads. */
static int rewrite_residuals(ln_builder *b) {
    ln_compile *c = b->c;
    ln_node *nodes = LN_NEW(c->scratch, ln_node, c->nlines);
    if (nodes == NULL)
        return 0;
    for (size_t k = 0; k < c->nlines; k++)
        nodes[k] = c->lines[k].residual;
    rewrite(b, nodes, c->nlines);
    for (size_t k = 0; k < c->nlines; k++)
        c->lines[k].residual = nodes[k];
    return 1;
}

/* The delays themselves stay what they are, of arguments in which others have become memories. */
static void rewrite_delays(ln_builder *b, ln_node *delay) {
    ln_graph *g = b->c->graph;
    for (int k = 0; k < b->c->ndelays; k++) {
        const ln_op op = ln_node_op(g, delay[k]);
        ln_node argument[2] = {ln_node_arg(g, delay[k], 0), ln_node_arg(g, delay[k], 1)};
        rewrite(b, argument, op == LN_OP_RATE ? 1 : 2);
        delay[k] = ln_operation(g, op, argument[0], argument[1], ln_node_arg(g, delay[k], 2));
    }
}

int ln_delays_to_memories(ln_builder *b) {
    ln_compile *c = b->c;
    ln_worklist *const lists[] = {&b->source, &b->q, &b->f, &b->state};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        if (!rewrite_list(b, lists[k]))
            return 0;
    const size_t others = (size_t)(c->nextras - c->ndelays);
    rewrite(b, c->extras, others);
    rewrite_delays(b, c->extras + others);
    return rewrite_residuals(b) && rewrite_modes(b) && !ln_graph_failed(c->graph);
}
