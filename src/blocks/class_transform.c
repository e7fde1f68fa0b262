/* SPDX-License-Identifier: MIT */
/* Types in equations copied: see class_transform.h. */
#include "blocks/class_transform.h"

static int decides(ln_op which) {
    return which == LN_OP_LT || which == LN_OP_LE || which == LN_OP_FLOOR || which == LN_OP_CEIL ||
           which == LN_OP_ROUND || which == LN_OP_TRUNC || which == LN_OP_TABLE_MIDDLE;
}

static ln_node rebuild(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                       const ln_node arg[3]) {
    const ln_class_transform *transform = context;
    int index;
    if (ln_node_op(from, old) == LN_OP_LEAF && ln_node_leaf(from, old, &index) == LN_LEAF_UNKNOWN &&
        index >= (int)transform->from->nports && index < LN_FLUX)
        return ln_leaf_node(to, LN_LEAF_UNKNOWN, index + transform->inputs);
    ln_node made = ln_remake(to, from, old, arg);
    if (!transform->from->no_modes || made == LN_NONE || !decides(ln_node_op(from, old)))
        return made;
    return ln_operation(to, LN_OP_NOEVENT, made, LN_NONE, LN_NONE);
}

ln_node ln_transform_node(const ln_class_transform *transform, ln_node node) {
    if (node != LN_NONE)
        ln_rewrite(transform->e->graph, transform->from->graph, &node, 1, rebuild,
                   (void *)(size_t)transform);
    return node;
}

static void copy_ports(const ln_class_transform *transform, linnet_port input, int numbered) {
    const char *name = input.name;
    for (size_t k = 0; k < transform->from->nports; k++)
        (void)ln_add_port(transform->e, transform->from->ports[k]);
    for (int k = 0; k < transform->inputs; k++) {
        if (numbered)
            input.name = ln_arena_printf(transform->e->arena, "%s[%d]", name, k + 1);
        transform->e->failed |= input.name == NULL;
        (void)ln_add_port(transform->e, input);
    }
}

void ln_transform_face(const ln_class_transform *transform, linnet_port input, int numbered) {
    const ln_equations *from = transform->from;
    ln_equations *e = transform->e;
    e->doc = from->doc, e->formula = from->formula, e->example = from->example,
    e->place = from->place;
    copy_ports(transform, input, numbered);
    for (size_t k = 0; k < from->nparams; k++) {
        (void)ln_add_param(e, from->params[k]);
        if (!e->failed)
            e->params[k].offset = from->params[k].offset;
    }
    for (size_t k = 0; k < from->nvariables; k++)
        (void)ln_add_variable(e, from->variables[k].var,
                              ln_transform_node(transform, from->variables[k].start),
                              from->variables[k].start_parameter);
    for (size_t k = 0; k < from->nmemories; k++) {
        (void)ln_add_memory(e, from->memories[k].memory,
                            ln_transform_node(transform, from->memories[k].start));
        if (!e->failed)
            e->memories[k].counts = from->memories[k].counts;
    }
    for (size_t k = 0; k < from->nconditions; k++) {
        ln_condition condition = from->conditions[k];
        condition.of = ln_transform_node(transform, condition.of);
        condition.value = ln_transform_node(transform, condition.value);
        ln_add_condition(e, condition);
    }
    for (size_t k = 0; k < from->nlets; k++)
        ln_add_let(e,
                   (ln_named){from->lets[k].name, ln_transform_node(transform, from->lets[k].node),
                              from->lets[k].doc});
    for (size_t k = 0; k < from->nperiods; k++)
        ln_add_period(e, (ln_period){ln_transform_node(transform, from->periods[k].node),
                                     from->periods[k].what, from->periods[k].zero});
}

int ln_transform_event(const ln_class_transform *transform, const char *name, unsigned flags,
                       ln_node condition) {
    const ln_event event = {
        .event = {name, flags, NULL}, .condition = condition, .place = transform->e->place};
    return ln_add_event(transform->e, event);
}

typedef struct looking {
    const ln_equations *e;
    int found;
} looking;

static ln_node look_for_others(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    looking *at = context;
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

int ln_transform_stands_still(const ln_class_transform *transform, ln_node node) {
    looking at = {transform->e, 0};
    if (ln_depends(transform->e->graph, node) & (1u << LN_LEAF_TIME | 1u << LN_LEAF_DECIDE))
        return 0;
    ln_copy(transform->e->graph, transform->e->graph, &node, 1, look_for_others, &at);
    return !at.found;
}

ln_node ln_rename_leaf(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    const ln_renaming *pair = context;
    (void)to, (void)from;
    return leaf == pair->from ? pair->to : LN_NONE;
}
