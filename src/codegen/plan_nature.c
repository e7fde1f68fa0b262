/* SPDX-License-Identifier: MIT */
/* Of what nature outputs are: truths, whole numbers or any; changing at events alone or at any
 * time.
 *
 * Found from the expressions: comparisons are truths, what is rounded is whole, sums and products
 * of whole numbers are, a memory is what it starts with and what events set it to. The least
 * natures with which all this holds are sought by going through the graph until nothing changes any
 * more. */
#include "codegen/plan.h"
#include "expression/nodes.h"

#include <math.h>

typedef struct nature_search {
    const ln_plan *plan;
    ln_plan_nature *node, *memory; /* per node of the graph, per memory */
    char *sought;                  /* per unknown: a loop's, found by iteration */
    int changed;
} nature_search;

static const ln_plan_nature anything = {LN_PLAN_REAL, 1};

static ln_plan_nature both(ln_plan_nature a, ln_plan_nature b) {
    return (ln_plan_nature){a.kind > b.kind ? a.kind : b.kind, a.moves || b.moves};
}

static void grow(nature_search *all, ln_plan_nature *what, ln_plan_nature by) {
    const ln_plan_nature now = both(*what, by);
    all->changed |= now.kind != what->kind || now.moves != what->moves;
    *what = now;
}

static ln_plan_nature of_number(double value) {
    const int is_truth = !(value < 0 || value > 0) || !(value < 1 || value > 1);
    const int is_whole =
        fabs(value) < 2147483648.0 && !(value < floor(value) || value > floor(value));
    return (ln_plan_nature){is_truth ? LN_PLAN_TRUTH : is_whole ? LN_PLAN_WHOLE : LN_PLAN_REAL, 0};
}

/* ---- nodes ---- */

/* A signal is what its value is. */
static ln_plan_nature of_unknown(const nature_search *all, int index) {
    const ln_plan *plan = all->plan;
    const int unknown = index - ln_plan_signal(plan, 0);
    if (unknown < 0 || unknown >= plan->diagram.n || plan->value == NULL || all->sought[unknown])
        return anything; /* a state, or of a network */
    return all->node[plan->value[unknown]];
}

static ln_plan_nature of_leaf(const nature_search *all, ln_node leaf) {
    const ln_plan *plan = all->plan;
    int index;
    if (ln_node_op(plan->graph, leaf) == LN_OP_DER)
        return anything;
    switch (ln_node_leaf(plan->graph, leaf, &index)) {
    case LN_LEAF_DECIDE: /* what is compared with it changes at a time event */
        return (ln_plan_nature){LN_PLAN_REAL, 0};
    case LN_LEAF_MEMORY:
        return index < 2 * plan->nmemories ? all->memory[index % plan->nmemories] : anything;
    case LN_LEAF_UNKNOWN: return of_unknown(all, index);
    case LN_LEAF_PARAMETER: /* one that is tuned is tuned at events */
        return (ln_plan_nature){LN_PLAN_REAL, index >= ln_plan_first_input(plan)};
    default: return anything;
    }
}

/* What an operation makes of arguments of which the widest is `most`: a real number where nothing
 * else is said. */
enum { MAKES_REAL, MAKES_TRUTH, AT_MOST_WHOLE, AT_LEAST_WHOLE, KEEPS };
static const unsigned char makes[LN_OPS] = {
    [LN_OP_LT] = MAKES_TRUTH,      [LN_OP_LE] = MAKES_TRUTH,     [LN_OP_EQ] = MAKES_TRUTH,
    [LN_OP_AND] = MAKES_TRUTH,     [LN_OP_OR] = MAKES_TRUTH,     [LN_OP_NOT] = MAKES_TRUTH,
    [LN_OP_FLOOR] = AT_MOST_WHOLE, [LN_OP_CEIL] = AT_MOST_WHOLE, [LN_OP_ROUND] = AT_MOST_WHOLE,
    [LN_OP_TRUNC] = AT_MOST_WHOLE, [LN_OP_ADD] = AT_LEAST_WHOLE, [LN_OP_SUB] = AT_LEAST_WHOLE,
    [LN_OP_NEG] = AT_LEAST_WHOLE,  [LN_OP_MUL] = KEEPS,          [LN_OP_PRE] = KEEPS,
    [LN_OP_NOEVENT] = KEEPS};

static ln_plan_kind kind_of(ln_op op, ln_plan_kind most) {
    switch (makes[op]) {
    case MAKES_TRUTH: return LN_PLAN_TRUTH;
    case AT_MOST_WHOLE: return most < LN_PLAN_WHOLE ? most : LN_PLAN_WHOLE;
    case AT_LEAST_WHOLE: return most > LN_PLAN_WHOLE ? most : LN_PLAN_WHOLE;
    case KEEPS: return most;
    default: return LN_PLAN_REAL;
    }
}

static ln_plan_nature of_node(const nature_search *all, ln_node node) {
    const ln_graph *graph = all->plan->graph;
    const ln_op op = ln_node_op(graph, node);
    if (op == LN_OP_CONSTANT)
        return of_number(ln_node_value(graph, node));
    if (op == LN_OP_LEAF || op == LN_OP_DER)
        return of_leaf(all, node);
    if (ln_op_recalls(op))
        return anything;
    ln_plan_nature made = {LN_PLAN_TRUTH, 0}, chosen = made;
    for (int k = 0; k < ln_op_arity(op); k++) {
        const ln_plan_nature argument = all->node[ln_node_arg(graph, node, k)];
        made = both(made, argument);
        if (k > 0)
            chosen = both(chosen, argument);
    }
    made.kind = (unsigned char)(op == LN_OP_IF ? chosen.kind : kind_of(op, made.kind));
    return made;
}

/* ---- the search ---- */

static void go_through(nature_search *all) {
    const ln_plan *plan = all->plan;
    all->changed = 0;
    for (ln_node k = 0; k < ln_graph_size(plan->graph); k++)
        grow(all, &all->node[k], of_node(all, k));
    for (int k = 0; plan->act.program != NULL && k < plan->act.program->noutputs; k++) {
        /* it is set at events, from whatever */
        const ln_plan_nature set = {all->node[plan->set_node[k]].kind, 0};
        if (plan->sets[k].memory >= 0)
            grow(all, &all->memory[plan->sets[k].memory], set);
    }
    for (int k = 0; k < plan->nmodes; k++) {
        const ln_plan_nature mode = {all->node[plan->mode_node[k]].kind, 0};
        grow(all, &all->memory[plan->modes.target[k]], mode);
    }
}

ln_plan_nature *ln_plan_natures(const ln_plan *plan) {
    nature_search all = {plan, LN_NEW(plan->arena, ln_plan_nature, ln_graph_size(plan->graph)),
                         LN_NEW(plan->arena, ln_plan_nature, plan->nmemories),
                         LN_NEW(plan->arena, char, plan->diagram.n), 1};
    ln_plan_nature *nature = LN_NEW(plan->arena, ln_plan_nature, plan->noutputs);
    if (!all.node || !all.memory || !all.sought || !nature)
        return NULL;
    for (int k = 0; k < plan->nloops; k++)
        for (int i = 0; i < plan->loops[k].count; i++)
            all.sought[plan->loops[k].unknown[i]] = 1;
    for (int k = 0; k < plan->nmemories; k++)
        all.memory[k] = of_number(plan->start_memory[k]);
    for (int k = 0; k < plan->nchanges; k++)
        all.memory[plan->change_memory[k]] = anything;
    while (all.changed)
        go_through(&all);
    for (int k = 0; k < plan->noutputs; k++)
        nature[k] = all.node[plan->output_node[k]];
    return nature;
}
