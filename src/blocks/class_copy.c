/* SPDX-License-Identifier: MIT */
/* Types in equations copied: see class_copy.h. */
#include "blocks/class_copy.h"

static int decides(ln_op which) {
    return which == LN_OP_LT || which == LN_OP_LE || which == LN_OP_FLOOR || which == LN_OP_CEIL ||
           which == LN_OP_ROUND || which == LN_OP_TRUNC || which == LN_OP_TABLE_MIDDLE;
}

static ln_node rebuild(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                       const ln_node arg[3]) {
    const ln_class_copy *copy = context;
    int index;
    if (ln_node_op(from, old) == LN_OP_LEAF && ln_node_leaf(from, old, &index) == LN_LEAF_UNKNOWN &&
        index >= (int)copy->from->nports && index < LN_FLUX)
        return ln_leaf_node(to, LN_LEAF_UNKNOWN, index + copy->inputs);
    ln_node made = ln_remake(to, from, old, arg);
    if (!copy->from->no_modes || made == LN_NONE || !decides(ln_node_op(from, old)))
        return made;
    return ln_operation(to, LN_OP_NOEVENT, made, LN_NONE, LN_NONE);
}

ln_node ln_class_copy_node(const ln_class_copy *copy, ln_node node) {
    if (node != LN_NONE)
        ln_rewrite(copy->e->graph, copy->from->graph, &node, 1, rebuild, (void *)(size_t)copy);
    return node;
}

static void copy_ports(const ln_class_copy *copy, linnet_port input, int numbered) {
    const char *name = input.name;
    for (size_t k = 0; k < copy->from->nports; k++)
        (void)ln_add_port(copy->e, copy->from->ports[k]);
    for (int k = 0; k < copy->inputs; k++) {
        if (numbered)
            input.name = ln_arena_printf(copy->e->arena, "%s[%d]", name, k + 1);
        copy->e->failed |= input.name == NULL;
        (void)ln_add_port(copy->e, input);
    }
}

void ln_class_copy_declarations(const ln_class_copy *copy, linnet_port input, int numbered) {
    const ln_equations *from = copy->from;
    ln_equations *e = copy->e;
    e->doc = from->doc, e->formula = from->formula, e->example = from->example,
    e->place = from->place;
    copy_ports(copy, input, numbered);
    for (size_t k = 0; k < from->nparams; k++) {
        (void)ln_add_param(e, from->params[k]);
        if (!e->failed)
            e->params[k].offset = from->params[k].offset;
    }
    for (size_t k = 0; k < from->nvariables; k++)
        (void)ln_add_variable(e, from->variables[k].var,
                              ln_class_copy_node(copy, from->variables[k].start),
                              from->variables[k].start_parameter);
    for (size_t k = 0; k < from->nmemories; k++) {
        (void)ln_add_memory(e, from->memories[k].memory,
                            ln_class_copy_node(copy, from->memories[k].start));
        if (!e->failed)
            e->memories[k].counts = from->memories[k].counts;
    }
    for (size_t k = 0; k < from->nconditions; k++) {
        ln_condition condition = from->conditions[k];
        condition.of = ln_class_copy_node(copy, condition.of);
        condition.value = ln_class_copy_node(copy, condition.value);
        ln_add_condition(e, condition);
    }
    for (size_t k = 0; k < from->nlets; k++)
        ln_add_let(e, (ln_named){from->lets[k].name, ln_class_copy_node(copy, from->lets[k].node),
                                 from->lets[k].doc});
    for (size_t k = 0; k < from->nperiods; k++)
        ln_add_period(e, (ln_period){ln_class_copy_node(copy, from->periods[k].node),
                                     from->periods[k].what, from->periods[k].zero});
}

int ln_class_copy_event(const ln_class_copy *copy, const char *name, unsigned flags,
                        ln_node condition) {
    const ln_event event = {
        .event = {name, flags, NULL}, .condition = condition, .place = copy->e->place};
    return ln_add_event(copy->e, event);
}

typedef struct node_query {
    const ln_equations *e;
    int found;
} node_query;

static ln_node look_for_others(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    node_query *at = context;
    int index;
    (void)to;
    if (ln_node_op(from, leaf) == LN_OP_DER) {
        at->found = 1;
    } else if (ln_node_leaf(from, leaf, &index) == LN_LEAF_UNKNOWN) {
        const int variable = index - (int)at->e->nports;
        at->found |= variable < 0 || index >= LN_FLUX ||
                     !(at->e->variables[variable].var.flags & LINNET_START_FIXED);
    }
    return LN_NONE;
}

int ln_class_copy_stands_still(const ln_class_copy *copy, ln_node node) {
    node_query at = {copy->e, 0};
    if (ln_depends(copy->e->graph, node) & (1u << LN_LEAF_TIME | 1u << LN_LEAF_DECIDE))
        return 0;
    ln_copy(copy->e->graph, copy->e->graph, &node, 1, look_for_others, &at);
    return !at.found;
}

ln_node ln_rename_leaf(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    const ln_renaming *pair = context;
    (void)to, (void)from;
    return leaf == pair->from ? pair->to : LN_NONE;
}
