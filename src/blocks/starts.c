/* SPDX-License-Identifier: MIT */
/* Start values: states begin at theirs, <start> conditions fix an unknown or a difference of two; a
 * start value of a variable is a first guess only. */
#include "base/sys.h"
#include "blocks/builder.h"

static linnet_status put_start(ln_builder *b, const char *name, int first, int second,
                               ln_node value, ln_place place) {
    ln_compile *c = b->c;
    if (value == LN_NONE)
        value = ln_constant(c->graph, 0);
    if (!ln_is_parametric(c->graph, value))
        return ln_fail(c->report, LINNET_MODEL, place,
                       "block type '%s': the start value of '%s' may depend on parameters only",
                       c->equations->name, name);
    if (!LN_GROW(b->starts, b->nstarts, b->starts_room))
        return ln_no_memory(c->report);
    b->starts[b->nstarts++] = (linnet_start){name, {first, second}, 0};
    ln_put(b, &b->start, value, 0);
    return LINNET_OK;
}

/* The condition `x` or `x - y`. */
static linnet_status put_condition(ln_builder *b, const ln_condition *condition) {
    ln_graph *g = b->c->graph;
    int first = ln_unknown_index(g, condition->of), second = -1;
    if (first < 0 && ln_node_op(g, condition->of) == LN_OP_SUB) {
        first = ln_unknown_index(g, ln_node_arg(g, condition->of, 0));
        second = ln_unknown_index(g, ln_node_arg(g, condition->of, 1));
        if (second < 0)
            first = -1;
    }
    if (first < 0)
        return ln_fail(b->c->report, LINNET_MODEL, condition->place,
                       "block type '%s': <start of=\"...\"> takes one unknown or the difference of "
                       "two ('p.v - n.v'); "
                       "a flux counts only where no equation gives it explicitly",
                       b->c->equations->name);
    const char *name = condition->parameter != NULL
                           ? condition->parameter
                           : ln_arena_string(b->c->arena, ln_unknown_name(b->c, first));
    if (name == NULL)
        return ln_no_memory(b->c->report);
    return put_start(b, name, first, second, condition->value, condition->place);
}

linnet_status ln_collect_starts(ln_builder *b) {
    const ln_equations *e = b->c->equations;
    linnet_status status = LINNET_OK;
    for (int k = 0; k < (int)e->nvariables; k++) {
        const ln_variable *variable = &e->variables[k];
        int unknown = b->c->nports + k;
        if (variable->start != LN_NONE && ln_is_parametric(b->c->graph, variable->start))
            ln_put(b, &b->guess, variable->start, unknown);
        if (!(variable->var.flags & LINNET_START_FIXED))
            continue;
        const char *name =
            variable->start_parameter != NULL ? variable->start_parameter : variable->var.name;
        linnet_status one = put_start(b, name, unknown, -1, variable->start, e->place);
        if (one != LINNET_OK)
            status = one;
    }
    for (size_t k = 0; k < e->nconditions; k++) {
        linnet_status one = put_condition(b, &e->conditions[k]);
        if (one != LINNET_OK)
            status = one;
    }
    return status;
}
