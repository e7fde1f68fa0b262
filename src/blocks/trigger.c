/* SPDX-License-Identifier: MIT */
/* Triggered blocks: see trigger.h.
 *
 * All that the type does becomes sets of the edge's events. An output that follows from inputs is a
 * memory; what it takes is computed from the type's memories as they are after the edge, so nothing
 * comes an edge late. */
#include "blocks/trigger.h"

#include "blocks/class_copy.h"
#include "blocks/compile.h"

typedef struct triggering {
    ln_class_copy copy;
    ln_equations *e;
    ln_graph *g;
    int event[2], nevents; /* rising, falling */
    ln_node *after;        /* per memory of the type: what the edge makes of it */
} triggering;

/* An assertion about parameters alone: it is one about the model, and ends no run. */
static int is_of_parameters(const ln_equations *from, const ln_event *event) {
    return (event->event.flags & LINNET_FAILS) && ln_is_parametric(from->graph, event->condition);
}

const char *ln_equations_untriggerable(const ln_equations *from) {
    for (size_t k = 0; k < from->nequations; k++)
        if ((ln_depends(from->graph, from->equations[k].left) |
             ln_depends(from->graph, from->equations[k].right)) &
            LN_DEPENDS_DER)
            return "it has continuous states";
    if (from->has_delay)
        return "it has a delay()";
    for (size_t k = 0; k < from->nevents; k++)
        if ((from->events[k].event.flags & (LINNET_ENDS | LINNET_FAILS)) &&
            !is_of_parameters(from, &from->events[k]))
            return "it may end the run";
    return NULL;
}

static ln_node op(const triggering *subsystem, ln_op which, ln_node a, ln_node b, ln_node c) {
    return ln_operation(subsystem->g, which, a, b, c);
}

static void set_at_edges(triggering *subsystem, ln_node memory, ln_node value) {
    for (int k = 0; k < subsystem->nevents; k++)
        ln_add_set(subsystem->e, (ln_set){subsystem->event[k], memory, value});
}

/* ---- events ---- */

/* Whether the type's event acts at an edge: a sample always, others as their condition turns true
 * from edge to edge. */
static ln_node acts(triggering *subsystem, const ln_event *event) {
    static const linnet_memory past = {NULL, "", "condition at the last edge"};
    if (event->quiet)
        return ln_constant(subsystem->g, 1);
    ln_node condition = ln_class_copy_node(&subsystem->copy, event->condition),
            held = ln_add_memory(subsystem->e, past, LN_NONE);
    set_at_edges(subsystem, held,
                 op(subsystem, LN_OP_IF, condition, ln_constant(subsystem->g, 1),
                    ln_constant(subsystem->g, 0)));
    ln_node was = op(subsystem, LN_OP_LT, ln_constant(subsystem->g, 0.5), held, LN_NONE);
    return op(subsystem, LN_OP_AND, condition, op(subsystem, LN_OP_NOT, was, LN_NONE, LN_NONE),
              LN_NONE);
}

/* Later sets win; each reads what was before the edge. */
static void collect_sets(triggering *subsystem) {
    const ln_equations *from = subsystem->copy.from;
    for (size_t k = 0; k < from->nmemories; k++)
        subsystem->after[k] = ln_leaf_node(subsystem->g, LN_LEAF_MEMORY, (int)k);
    for (size_t i = 0; i < from->nevents; i++) {
        ln_node condition = acts(subsystem, &from->events[i]);
        for (size_t k = 0; k < from->nsets; k++) {
            const ln_set *set = &from->sets[k];
            int index;
            if (set->event != (int)i ||
                ln_node_leaf(from->graph, set->target, &index) != LN_LEAF_MEMORY)
                continue;
            if (!from->memories[index].counts)
                subsystem->after[index] =
                    op(subsystem, LN_OP_IF, condition,
                       ln_class_copy_node(&subsystem->copy, set->value), subsystem->after[index]);
        }
    }
    for (size_t k = 0; k < from->nmemories; k++)
        if (subsystem->after[k] != ln_leaf_node(subsystem->g, LN_LEAF_MEMORY, (int)k))
            set_at_edges(subsystem, ln_leaf_node(subsystem->g, LN_LEAF_MEMORY, (int)k),
                         subsystem->after[k]);
}

static ln_node as_after(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    const triggering *subsystem = context;
    int index;
    (void)to;
    if (ln_node_op(from, leaf) == LN_OP_DER || ln_node_leaf(from, leaf, &index) != LN_LEAF_MEMORY)
        return LN_NONE;
    return index < (int)subsystem->copy.from->nmemories ? subsystem->after[index] : LN_NONE;
}

/* ---- equations ---- */

/* What an output or variable of the type shows: its value at the last edge. */
static ln_node at_edges(triggering *subsystem, ln_node value) {
    static const linnet_memory kept = {NULL, NULL, "value at the last edge"};
    if (ln_class_copy_stands_still(&subsystem->copy, value))
        return value;
    ln_node held = ln_add_memory(subsystem->e, kept, LN_NONE), then = value;
    ln_copy(subsystem->g, subsystem->g, &then, 1, as_after, subsystem);
    set_at_edges(subsystem, held, then);
    return held;
}

static int is_output(const triggering *subsystem, ln_node node) {
    int index;
    return ln_node_op(subsystem->g, node) == LN_OP_LEAF &&
           ln_node_leaf(subsystem->g, node, &index) == LN_LEAF_UNKNOWN &&
           index < (int)subsystem->copy.from->nports &&
           (subsystem->e->ports[index].flags & LINNET_OUTPUT) != 0;
}

/* An output that no equation gives explicitly gets a variable in its place. */
static void name_inside(triggering *subsystem, int port) {
    ln_node output = ln_leaf_node(subsystem->g, LN_LEAF_UNKNOWN, port);
    for (size_t k = 0; k < subsystem->e->nequations; k++)
        if (subsystem->e->equations[k].left == output &&
            !ln_contains(subsystem->g, subsystem->e->equations[k].right, output))
            return;
    const char *name =
        ln_arena_printf(subsystem->e->arena, "%s.inner", subsystem->e->ports[port].name);
    const linnet_var var = {.name = name, .doc = "output as it would be now"};
    if (name == NULL)
        subsystem->e->failed = 1;
    ln_renaming names = {output, ln_add_variable(subsystem->e, var, LN_NONE, NULL)};
    for (size_t k = 0; k < subsystem->e->nequations; k++) {
        ln_copy(subsystem->g, subsystem->g, &subsystem->e->equations[k].left, 1, ln_rename_leaf,
                &names);
        ln_copy(subsystem->g, subsystem->g, &subsystem->e->equations[k].right, 1, ln_rename_leaf,
                &names);
    }
    if (!subsystem->e->failed)
        ln_add_equation(subsystem->e, output, names.to);
}

static void add_edges(triggering *subsystem, ln_trigger_edge edge) {
    ln_node half = ln_constant(subsystem->g, 0.5),
            signal = ln_leaf_node(subsystem->g, LN_LEAF_UNKNOWN, (int)subsystem->copy.from->nports);
    if (edge != LN_EDGE_FALLING)
        subsystem->event[subsystem->nevents++] =
            ln_class_copy_event(&subsystem->copy, "trigger rises", LINNET_JOINS,
                                op(subsystem, LN_OP_LT, half, signal, LN_NONE));
    if (edge != LN_EDGE_RISING)
        subsystem->event[subsystem->nevents++] =
            ln_class_copy_event(&subsystem->copy, "trigger falls", LINNET_JOINS,
                                op(subsystem, LN_OP_LE, signal, half, LN_NONE));
}

static void transform(triggering *subsystem, ln_trigger_edge edge) {
    const ln_equations *from = subsystem->copy.from;
    const linnet_port trigger = {"trigger", LINNET_SIGNAL, LINNET_INPUT,
                                 "the block acts at its edges"};
    ln_class_copy_declarations(&subsystem->copy, trigger, 0);
    if (subsystem->e->failed)
        return;
    add_edges(subsystem, edge);
    for (size_t k = 0; k < from->nevents; k++) {
        ln_event assertion = from->events[k];
        assertion.condition = ln_class_copy_node(&subsystem->copy, assertion.condition);
        if (is_of_parameters(from, &from->events[k]))
            (void)ln_add_event(subsystem->e, assertion);
    }
    collect_sets(subsystem);
    for (size_t k = 0; k < from->nequations; k++) {
        ln_equation equation = from->equations[k];
        equation.left = ln_class_copy_node(&subsystem->copy, equation.left);
        equation.right = ln_class_copy_node(&subsystem->copy, equation.right);
        ln_add_written(subsystem->e, equation);
    }
    for (int k = 0; k < (int)from->nports; k++)
        if (from->ports[k].flags & LINNET_OUTPUT)
            name_inside(subsystem, k);
    for (size_t k = 0; k < subsystem->e->nequations && !subsystem->e->failed; k++)
        if (is_output(subsystem, subsystem->e->equations[k].left))
            subsystem->e->equations[k].right =
                at_edges(subsystem, subsystem->e->equations[k].right);
}

ln_equations *ln_equations_triggered(const ln_equations *from, ln_trigger_edge edge) {
    ln_equations *e = ln_equations_new(from->name);
    if (e == NULL)
        return NULL;
    triggering subsystem = {.copy = {from, e, 1},
                            .e = e,
                            .g = e->graph,
                            .after = LN_NEW(e->arena, ln_node, from->nmemories)};
    if (subsystem.after == NULL)
        e->failed = 1;
    else
        transform(&subsystem, edge);
    if (!e->failed && !ln_graph_failed(e->graph))
        return e;
    ln_equations_free(e);
    return NULL;
}
