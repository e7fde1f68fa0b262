/* SPDX-License-Identifier: MIT */
/* Memories, modes and events of a type: their tables and programs.
 *
 * In the values of sets, pre() means the point before the instant: leaves below it are moved behind
 * those of the point itself, unknown k to n + k, memory k to the number of memories + k, as act()
 * lays them out. */
#include "blocks/builder.h"

#include <string.h>

typedef struct layout {
    int unknowns, memories;
} layout;

/* A leaf as it was before the instant. */
static ln_node move_leaf(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    const layout *offsets = context;
    int index;
    if (ln_node_op(from, leaf) == LN_OP_DER)
        return LN_NONE;
    ln_leaf kind = ln_node_leaf(from, leaf, &index);
    if (kind == LN_LEAF_UNKNOWN && index < offsets->unknowns)
        return ln_leaf_node(to, kind, index + offsets->unknowns);
    if (kind == LN_LEAF_MEMORY && index < offsets->memories)
        return ln_leaf_node(to, kind, index + offsets->memories);
    return LN_NONE;
}

static ln_node put_before(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                          const ln_node arg[3]) {
    if (ln_node_op(from, old) != LN_OP_PRE)
        return ln_remake(to, from, old, arg);
    ln_node before = arg[0];
    ln_copy(to, to, &before, 1, move_leaf, context);
    return before;
}

/* ---- programs ---- */

/* Does it depend on what changes within a step? */
static int moves(const ln_compile *c, ln_node node) {
    return (ln_depends(c->graph, node) & (1u << LN_LEAF_UNKNOWN | 1u << LN_LEAF_TIME)) != 0;
}

/* Outputs of ln_hybrid's `bends`, as they are collected. */
typedef struct bend_list {
    ln_node *node; /* NULL: they are counted */
    int *guard, *by;
    int count;
} bend_list;

static void add_bend(bend_list *list, ln_node node, int guard, int by) {
    if (list->node != NULL) {
        list->node[list->count] = node;
        list->guard[list->count] = guard;
        list->by[list->count] = by;
    }
    list->count++;
}

/* A guard with slopes that move. 0 when memory is short. */
static int add_bending(ln_compile *c, int guard, bend_list *list) {
    const ln_node its = c->modes[guard].guard;
    ln_node *variable;
    const int count = ln_parts(c, its, LN_PART_UNKNOWN, &variable);
    ln_node *slope = count < 0 ? NULL : LN_NEW(c->scratch, ln_node, count + 1);
    if (slope == NULL || !ln_gradient(c->graph, its, variable, count, slope))
        return 0;
    slope[count] = ln_derivative(c->graph, its, ln_leaf_node(c->graph, LN_LEAF_TIME, 0));
    int bends = 0;
    for (int k = 0; k <= count; k++)
        bends |= moves(c, slope[k]);
    if (!bends)
        return 1;
    add_bend(list, its, guard, LN_BEND_ITSELF);
    for (int k = 0; k <= count; k++)
        if (!ln_is_constant(c->graph, slope[k], 0))
            add_bend(list, slope[k], guard,
                     k < count ? ln_unknown_index(c->graph, variable[k]) : LN_BEND_BY_TIME);
    return 1;
}

static int collect_bends(ln_compile *c, bend_list *list) {
    list->count = 0;
    for (int k = 0; k < c->nmodes; k++)
        if (moves(c, c->modes[k].guard) && !add_bending(c, k, list))
            return 0;
    return 1;
}

static int compile_bends(ln_builder *b, ln_hybrid *hybrid) {
    ln_compile *c = b->c;
    bend_list list = {0};
    if (!collect_bends(c, &list))
        return 0;
    if (list.count == 0)
        return 1;
    list.node = LN_NEW(c->scratch, ln_node, list.count);
    list.guard = LN_NEW(c->arena, int, list.count);
    list.by = LN_NEW(c->arena, int, list.count);
    if (list.node == NULL || list.guard == NULL || list.by == NULL || !collect_bends(c, &list))
        return 0;
    hybrid->bend_guard = list.guard, hybrid->bend_by = list.by;
    hybrid->bends = ln_program_compile(c->arena, c->graph, list.node, list.count);
    return hybrid->bends != NULL;
}

static int compile_modes(ln_builder *b, ln_hybrid *hybrid) {
    ln_compile *c = b->c;
    ln_node *live = LN_NEW(c->scratch, ln_node, c->nmodes),
            *guard = LN_NEW(c->scratch, ln_node, c->nmodes);
    if (c->nmodes == 0)
        return 1;
    if (live == NULL || guard == NULL)
        return 0;
    for (int k = 0; k < c->nmodes; k++)
        live[k] = c->modes[k].live, guard[k] = c->modes[k].guard;
    hybrid->modes = ln_program_compile(c->arena, c->graph, live, c->nmodes);
    hybrid->guards = ln_program_compile(c->arena, c->graph, guard, c->nmodes);
    return hybrid->modes != NULL && hybrid->guards != NULL && compile_bends(b, hybrid);
}

static int compile_memories(ln_builder *b, ln_hybrid *hybrid) {
    ln_compile *c = b->c;
    const ln_equations *e = c->equations;
    ln_node *start = LN_NEW(c->scratch, ln_node, e->nmemories);
    if (e->nmemories == 0)
        return 1;
    if (start == NULL)
        return 0;
    for (size_t k = 0; k < e->nmemories; k++)
        start[k] =
            e->memories[k].start != LN_NONE ? e->memories[k].start : ln_constant(c->graph, 0);
    hybrid->remember = ln_program_compile(c->arena, c->graph, start, (int)e->nmemories);
    return hybrid->remember != NULL;
}

static int compile_sets(ln_builder *b, ln_hybrid *hybrid) {
    ln_compile *c = b->c;
    const ln_equations *e = c->equations;
    layout places = {(int)c->nlines, ln_first_mode(c) + c->nmodes};
    ln_node *value = c->extras + e->nlets + e->nevents;
    int *event = LN_NEW(c->arena, int, e->nsets), *memory = LN_NEW(c->arena, int, e->nsets);
    int *unknown = LN_NEW(c->arena, int, e->nsets);
    if (e->nsets == 0)
        return 1;
    if (event == NULL || memory == NULL || unknown == NULL)
        return 0;
    for (size_t k = 0; k < e->nsets; k++) {
        int index;
        int is_memory = ln_node_leaf(c->graph, e->sets[k].target, &index) == LN_LEAF_MEMORY;
        event[k] = e->sets[k].event;
        memory[k] = is_memory ? index : -1;
        unknown[k] = is_memory ? -1 : index;
    }
    ln_rewrite(c->graph, c->graph, value, (int)e->nsets, put_before, &places);
    hybrid->act = ln_program_compile(c->arena, c->graph, value, (int)e->nsets);
    hybrid->set_event = event, hybrid->set_memory = memory, hybrid->set_unknown = unknown,
    hybrid->nsets = (int)e->nsets;
    return hybrid->act != NULL;
}

/* Asserts about parameters alone. */
static int find_claims(ln_builder *b, ln_hybrid *hybrid) {
    ln_compile *c = b->c;
    const ln_equations *e = c->equations;
    int *claims = LN_NEW(c->arena, int, e->nevents);
    for (size_t k = 0; claims != NULL && k < e->nevents; k++)
        if ((e->events[k].event.flags & LINNET_FAILS) &&
            ln_is_parametric(c->graph, c->extras[e->nlets + k]))
            claims[hybrid->nclaims++] = (int)k;
    hybrid->claims = claims;
    return claims != NULL;
}

/* Input and lag of each delay. */
static int compile_delays(ln_builder *b, ln_hybrid *hybrid) {
    ln_compile *c = b->c;
    const ln_node *delay = c->extras + c->nextras - c->ndelays;
    ln_node *nodes = LN_NEW(c->scratch, ln_node, 2 * (size_t)c->ndelays);
    char *fixed = LN_NEW(c->arena, char, c->ndelays), *rate = LN_NEW(c->arena, char, c->ndelays);
    if (c->ndelays == 0)
        return 1;
    if (nodes == NULL || fixed == NULL || rate == NULL)
        return 0;
    for (int k = 0; k < c->ndelays; k++) {
        rate[k] = ln_node_op(c->graph, delay[k]) == LN_OP_RATE;
        ln_node lag = rate[k] ? ln_constant(c->graph, 0) : ln_node_arg(c->graph, delay[k], 1);
        fixed[k] = (char)ln_is_parametric(c->graph, lag);
        nodes[2 * k] = ln_node_arg(c->graph, delay[k], 0), nodes[2 * k + 1] = lag;
    }
    hybrid->delays = ln_program_compile(c->arena, c->graph, nodes, 2 * c->ndelays);
    hybrid->lag_is_fixed = fixed, hybrid->is_rate = rate;
    return hybrid->delays != NULL;
}

int ln_compile_hybrid(ln_builder *b, ln_hybrid *hybrid) {
    ln_compile *c = b->c;
    const ln_equations *e = c->equations;
    hybrid->periods = e->periods, hybrid->nperiods = (int)e->nperiods;
    if (e->nevents > 0) {
        hybrid->conditions =
            ln_program_compile(c->arena, c->graph, c->extras + e->nlets, (int)e->nevents);
        if (hybrid->conditions == NULL || !find_claims(b, hybrid))
            return 0;
    }
    return compile_memories(b, hybrid) && compile_delays(b, hybrid) && compile_modes(b, hybrid) &&
           compile_sets(b, hybrid);
}

/* ---- tables ---- */

/* 1 when all that decides in the event's own condition are comparisons of time with memories: it
 * can turn true at times only that the type itself has chosen. */
static int is_tick(ln_compile *c, const ln_event *event, ln_node condition) {
    if (event->gated && ln_node_op(c->graph, condition) == LN_OP_AND)
        condition = ln_node_arg(c->graph, condition, 0);
    int count = ln_reach(c, condition, 1), chosen = 0;
    for (int k = 0; k < count; k++) {
        ln_op op = ln_node_op(c->graph, c->list[k]);
        unsigned depends = ln_depends(c->graph, c->list[k]);
        const unsigned open = 1u << LN_LEAF_UNKNOWN | 1u << LN_LEAF_TIME;
        if (depends & open)
            return 0;
        if ((op != LN_OP_LT && op != LN_OP_LE && op != LN_OP_EQ) ||
            !(depends & 1u << LN_LEAF_DECIDE))
            continue;
        if (!(depends & 1u << LN_LEAF_MEMORY))
            return 0;
        chosen = 1;
    }
    return chosen;
}

/* Is the condition of the type's own memories alone, such as `mode eq 0`? */
static int is_decided(ln_compile *c, ln_node condition) {
    const unsigned depends = ln_depends(c->graph, condition);
    const unsigned open = 1u << LN_LEAF_UNKNOWN | 1u << LN_LEAF_TIME | 1u << LN_LEAF_DECIDE;
    const int count = ln_reach(c, condition, 1);
    int index;
    if (depends & open || !(depends & 1u << LN_LEAF_MEMORY))
        return 0;
    for (int k = 0; k < count; k++)
        if (ln_node_leaf(c->graph, c->list[k], &index) == LN_LEAF_MEMORY &&
            index >= (int)c->equations->nmemories)
            return 0; /* of a conditional or a delay, which follow unknowns */
    return 1;
}

static const linnet_memory *memory_table(ln_builder *b) {
    ln_compile *c = b->c;
    const ln_equations *e = c->equations;
    const size_t first_mode = (size_t)ln_first_mode(c), count = first_mode + (size_t)c->nmodes;
    linnet_memory *table = LN_NEW(c->arena, linnet_memory, count);
    for (size_t k = 0; table != NULL && k < count; k++)
        table[k] = k < e->nmemories
                       ? e->memories[k].memory
                       : (linnet_memory){NULL, NULL,
                                         k < first_mode ? "of a delay" : "mode of a conditional"};
    return table;
}

static const linnet_event *event_table(ln_builder *b) {
    const ln_equations *e = b->c->equations;
    linnet_event *table = LN_NEW(b->c->arena, linnet_event, e->nevents);
    for (size_t k = 0; table != NULL && k < e->nevents; k++) {
        table[k] = e->events[k].event;
        if (e->events[k].quiet || is_tick(b->c, &e->events[k], b->c->extras[e->nlets + k]))
            table[k].flags |= LINNET_TICK;
        const int ends = (table[k].flags & (LINNET_ENDS | LINNET_FAILS)) != 0;
        if (!ends && is_decided(b->c, b->c->extras[e->nlets + k]))
            table[k].flags |= LINNET_DECIDED;
    }
    return table;
}

/* The states that some event sets, each once. */
static const int *set_table(ln_builder *b, const ln_hybrid *hybrid, int *count) {
    int *table = LN_NEW(b->c->arena, int, hybrid->nsets);
    *count = 0;
    for (int k = 0; table != NULL && k < hybrid->nsets; k++) {
        int known = hybrid->set_unknown[k] < 0;
        for (int i = 0; i < *count && !known; i++)
            known = table[i] == hybrid->set_unknown[k];
        if (!known)
            table[(*count)++] = hybrid->set_unknown[k];
    }
    return table;
}

static size_t place(const ln_program *program, size_t *at) {
    size_t here = *at;
    *at += program != NULL ? (size_t)program->registers : 0;
    return here;
}

int ln_hybrid_tables(ln_builder *b, ln_hybrid *hybrid, linnet_block_class *class) {
    const ln_compile *c = b->c;
    hybrid->remember_at = place(hybrid->remember, &class->nwork);
    hybrid->modes_at = place(hybrid->modes, &class->nwork);
    hybrid->guards_at = place(hybrid->guards, &class->nwork);
    hybrid->conditions_at = place(hybrid->conditions, &class->nwork);
    hybrid->act_at = place(hybrid->act, &class->nwork);
    hybrid->delays_at = place(hybrid->delays, &class->nwork);
    hybrid->bends_at = place(hybrid->bends, &class->nwork);
    hybrid->ranges_at = place(hybrid->bends, &class->nwork);
    (void)place(hybrid->bends, &class->nwork);
    hybrid->both_at = class->nwork;
    class->nmodes = c->nmodes;
    class->ndelays = c->ndelays;
    for (int k = 0; k < c->ndelays; k++)
        class->lags_vary |= !hybrid->lag_is_fixed[k];
    class->nmemories = ln_first_mode(c) + c->nmodes;
    class->nevents = (int)c->equations->nevents;
    if (hybrid->act != NULL)
        class->nwork += 2 * (c->nlines + (size_t) class->nmemories);
    class->memories = memory_table(b);
    class->events = event_table(b);
    class->set = set_table(b, hybrid, &class->nset);
    return class->memories != NULL && class->events != NULL && class->set != NULL;
}
