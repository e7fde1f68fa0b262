/* SPDX-License-Identifier: MIT */
/* Enabled blocks: see gate.h.
 *
 * `on`, all gates above one half, is a condition like any other: it has modes, so a switching instant is located.
 * What an output holds is taken by the event of switching off; until that has acted (`taken`) the output still follows,
 * so that nobody sees an older value in between. */
#include "blocks/gate.h"

#include "blocks/recast.h"

typedef struct gating {
    ln_recast copy;
    const ln_equations *from;
    ln_equations *e;
    ln_graph *g;
    int nports, ngates;            /* ports of `from`                                                               */
    ln_node on, kept_on;           /* all gates; those that reset outputs (LN_NONE: there are none)                 */
    ln_node taken;                 /* memory: 1 while held values count; LN_NONE: none is needed                    */
    int goes_off;                  /* the event of switching off                                                    */
} gating;

static ln_node op(const gating *it, ln_op which, ln_node a, ln_node b, ln_node c) {
    return ln_operation(it->g, which, a, b, c);
}

static ln_node gate_on(const gating *it, int gate) {
    ln_node signal = ln_leaf_node(it->g, LN_LEAF_UNKNOWN, it->nports + gate);
    return op(it, LN_OP_LT, ln_constant(it->g, 0.5), signal, LN_NONE);
}

/* ---- equations ---- */

static ln_node without_der(void *context, ln_graph *to, const ln_graph *from, ln_node old, const ln_node arg[3]) {
    (void)context;
    return ln_node_op(from, old) == LN_OP_DER ? ln_constant(to, 0) : ln_remake(to, from, old, arg);
}


typedef struct looking { const gating *it; int found; } looking;

/* A derivative of an input. */
static ln_node look_at_der(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    looking *at = context;
    (void)to;
    if (ln_node_op(from, leaf) != LN_OP_DER) return LN_NONE;
    for (int k = 0; k < at->it->nports; k++) {
        ln_node port = ln_leaf_node(at->it->g, LN_LEAF_UNKNOWN, k);
        if (at->it->e->ports[k].flags & LINNET_INPUT) at->found |= ln_contains(from, ln_node_arg(from, leaf, 0), port);
    }
    return LN_NONE;
}

static int has_der(const gating *it, ln_node node) { return (ln_depends(it->g, node) & LN_DEPENDS_DER) != 0; }

static int is_zero(const gating *it, ln_node node) {
    return ln_node_op(it->g, node) == LN_OP_CONSTANT && ln_node_value(it->g, node) == 0;
}

/* An equation of states: what is no derivative counts only while the block is on. One that holds the derivative of an
 * input defines an output (or a variable) and is none. */
static void freeze_states(gating *it, ln_equation *equation) {
    looking at = {it, 0};
    ln_node both[2] = {equation->left, equation->right}, rest[2] = {equation->left, equation->right};
    if (!has_der(it, both[0]) && !has_der(it, both[1])) return;
    ln_copy(it->g, it->g, both, 2, look_at_der, &at);
    if (at.found) return;
    ln_rewrite(it->g, it->g, rest, 2, without_der, NULL);
    if (rest[0] == LN_NONE || rest[1] == LN_NONE) return;
    ln_node zero = ln_constant(it->g, 0);
    if (is_zero(it, rest[0]) && !has_der(it, equation->right)) {
        equation->right = op(it, LN_OP_IF, it->on, equation->right, zero);
    } else if (is_zero(it, rest[1]) && !has_der(it, equation->left)) {
        equation->left = op(it, LN_OP_IF, it->on, equation->left, zero);
    } else {
        ln_node apart = op(it, LN_OP_SUB, rest[0], rest[1], LN_NONE);
        equation->right = op(it, LN_OP_ADD, equation->right, op(it, LN_OP_IF, it->on, zero, apart), LN_NONE);
    }
}

/* ---- outputs ---- */

/* A memory of the type's own. */
static ln_node own_memory(gating *it, const char *doc, double start) {
    const linnet_memory memory = {NULL, NULL, doc};
    return ln_add_memory(it->e, memory, ln_constant(it->g, start));
}

static void add_set(gating *it, int event, ln_node target, ln_node value) {
    ln_add_set(it->e, (ln_set){.event = event, .target = target, .value = value});
}

/* The events of switching, which are needed once something is held. The one at the start, of an instant that is told
 * once, is there because being on from the start is no turning on. */
static void prepare_holding(gating *it) {
    if (it->taken != LN_NONE) return;
    it->taken = own_memory(it, "1 while outputs are held", 1);
    it->goes_off = ln_recast_event(&it->copy, "switched off", 0, op(it, LN_OP_NOT, it->on, LN_NONE, LN_NONE));
    const int goes_on = ln_recast_event(&it->copy, "switched on", 0, it->on);
    const int starts = ln_recast_event(&it->copy, "on at the start", LINNET_TICK, it->on);
    add_set(it, it->goes_off, it->taken, ln_constant(it->g, 1));
    add_set(it, goes_on, it->taken, ln_constant(it->g, 0));
    add_set(it, starts, it->taken, ln_constant(it->g, 0));
}

/* What the output shows in place of `value`. */
static ln_node gated(gating *it, ln_node output, ln_node value) {
    if (!ln_recast_stands_still(&it->copy, value)) {
        prepare_holding(it);
        ln_node held = own_memory(it, "output as it is held", 0);
        ln_node follows = op(it, LN_OP_OR, it->on, op(it, LN_OP_NOT, it->taken, LN_NONE, LN_NONE), LN_NONE);
        add_set(it, it->goes_off, held, op(it, LN_OP_PRE, output, LN_NONE, LN_NONE));
        value = op(it, LN_OP_IF, follows, value, held);
    }
    return it->kept_on == LN_NONE ? value : op(it, LN_OP_IF, it->kept_on, value, ln_constant(it->g, 0));
}

/* The equation that gives the output explicitly, or -1. */
static int explicit_equation(const gating *it, ln_node output) {
    for (size_t k = 0; k < it->e->nequations; k++) {
        const ln_equation *equation = &it->e->equations[k];
        if (equation->left == output && !ln_contains(it->g, equation->right, output)) return (int)k;
    }
    return -1;
}

typedef struct renaming { ln_node from, to; } renaming;

static ln_node rename_leaf(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    const renaming *it = context;
    (void)to, (void)from;
    return leaf == it->from ? it->to : LN_NONE;
}

/* An output that equations define together gets a variable in its place. */
static void gate_implicit(gating *it, int port, ln_node output) {
    ln_equations *e = it->e;
    const char *name = ln_arena_printf(e->arena, "%s.inner", e->ports[port].name);
    const linnet_var var = {.name = name, .doc = "output while on"};
    if (name == NULL) e->failed = 1;
    renaming names = {output, ln_add_variable(e, var, LN_NONE, NULL)};
    for (size_t k = 0; k < e->nequations; k++) {
        ln_copy(it->g, it->g, &e->equations[k].left, 1, rename_leaf, &names);
        ln_copy(it->g, it->g, &e->equations[k].right, 1, rename_leaf, &names);
    }
    for (size_t k = 0; k < e->nconditions; k++) ln_copy(it->g, it->g, &e->conditions[k].of, 1, rename_leaf, &names);
    if (!e->failed) ln_add_equation(e, output, gated(it, output, names.to));
}

static void gate_outputs(gating *it) {
    for (int k = 0; k < it->nports && !it->e->failed; k++) {
        if (!(it->e->ports[k].flags & LINNET_OUTPUT)) continue;
        ln_node output = ln_leaf_node(it->g, LN_LEAF_UNKNOWN, k);
        const int equation = explicit_equation(it, output);
        if (equation < 0) gate_implicit(it, k, output);
        else it->e->equations[equation].right = gated(it, output, it->e->equations[equation].right);
    }
}

/* ---- events ---- */

/* The set of a memory that counts samples, which go on whatever happens. */
static int counts(const ln_equations *from, const ln_set *set) {
    int index;
    return ln_node_leaf(from->graph, set->target, &index) == LN_LEAF_MEMORY && from->memories[index].counts;
}

/* Events act while the block is on. A sample that passes while it is off is counted by an event of its own. */
static void gate_events(gating *it) {
    const ln_equations *from = it->from;
    for (size_t k = 0; k < from->nevents; k++) {
        ln_event event = from->events[k];
        event.condition = op(it, LN_OP_AND, ln_recast_node(&it->copy, event.condition), it->on, LN_NONE);
        (void)ln_add_event(it->e, event);
    }
    for (size_t k = 0; k < from->nsets; k++) {
        const ln_set *set = &from->sets[k];
        add_set(it, set->event, ln_recast_node(&it->copy, set->target), ln_recast_node(&it->copy, set->value));
    }
    for (size_t k = 0; k < from->nsets; k++) {
        const ln_set *set = &from->sets[k];
        if (!counts(from, set)) continue;
        ln_event passes = from->events[set->event];
        ln_node off = op(it, LN_OP_NOT, it->on, LN_NONE, LN_NONE);
        passes.event.flags &= ~(unsigned)(LINNET_ENDS | LINNET_FAILS);
        passes.condition = op(it, LN_OP_AND, ln_recast_node(&it->copy, passes.condition), off, LN_NONE);
        const int event = ln_add_event(it->e, passes);
        add_set(it, event, ln_recast_node(&it->copy, set->target), ln_recast_node(&it->copy, set->value));
    }
}

static void reset_states(gating *it, int gate) {
    const ln_equations *from = it->from;
    const int event = ln_recast_event(&it->copy, "switched on", 0, gate_on(it, gate));
    ln_node zero = ln_constant(it->g, 0);
    for (size_t k = 0; k < from->nvariables; k++) {
        ln_node start = ln_recast_node(&it->copy, from->variables[k].start);
        if (from->variables[k].var.flags & LINNET_START_FIXED)
            add_set(it, event, ln_leaf_node(it->g, LN_LEAF_UNKNOWN, it->nports + it->ngates + (int)k),
                    start == LN_NONE ? zero : start);
    }
    for (size_t k = 0; k < from->nmemories; k++) {
        ln_node start = ln_recast_node(&it->copy, from->memories[k].start);
        if (!from->memories[k].counts)
            add_set(it, event, ln_leaf_node(it->g, LN_LEAF_MEMORY, (int)k), start == LN_NONE ? zero : start);
    }
}

/* ---- the whole ---- */

ln_equations *ln_equations_gated(const ln_equations *from, const ln_gate *gates, int ngates) {
    ln_equations *e = ln_equations_new(from->name);
    if (e == NULL) return NULL;
    const linnet_port enable = {"enable", LINNET_SIGNAL, LINNET_INPUT, "switches the block on while above one half"};
    gating it = {.copy = {from, e, ngates}, .from = from, .e = e, .g = e->graph, .nports = (int)from->nports,
                 .ngates = ngates,
                 .on = LN_NONE, .kept_on = LN_NONE, .taken = LN_NONE, .goes_off = -1};
    ln_recast_face(&it.copy, enable, 1);
    for (int k = 0; k < ngates; k++) {
        ln_node on = gate_on(&it, k);
        it.on = k == 0 ? on : op(&it, LN_OP_AND, it.on, on, LN_NONE);
        if (!gates[k].resets_outputs) continue;
        it.kept_on = it.kept_on == LN_NONE ? on : op(&it, LN_OP_AND, it.kept_on, on, LN_NONE);
    }
    for (size_t k = 0; k < from->nequations; k++) {
        ln_equation equation = from->equations[k];
        equation.left = ln_recast_node(&it.copy, equation.left);
        equation.right = ln_recast_node(&it.copy, equation.right);
        freeze_states(&it, &equation);
        ln_add_written(e, equation);
    }
    gate_events(&it);
    for (int k = 0; k < ngates; k++)
        if (gates[k].resets_states) reset_states(&it, k);
    gate_outputs(&it);
    if (!e->failed && !ln_graph_failed(e->graph)) return e;
    ln_equations_free(e);
    return NULL;
}
