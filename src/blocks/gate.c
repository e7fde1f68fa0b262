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
    const ln_gate *gates;          /* the outermost first                                                           */
    int nports, ngates;            /* ports of `from`                                                               */
    ln_node on;                    /* all gates                                                                     */
    struct holding *holding;       /* of the first k gates, for k from 0 to ngates                                  */
} gating;

/* What outputs hold while some of the outer gates are off. */
typedef struct holding {
    ln_node taken;                 /* memory: 1 while held values count; LN_NONE: none is needed                    */
    int goes_off;                  /* the event of switching off                                                    */
} holding;

static ln_node op(const gating *it, ln_op which, ln_node a, ln_node b, ln_node c) {
    return ln_operation(it->g, which, a, b, c);
}

static ln_node gate_on(const gating *it, int gate) {
    ln_node signal = ln_leaf_node(it->g, LN_LEAF_UNKNOWN, it->nports + gate);
    return op(it, LN_OP_LT, ln_constant(it->g, 0.5), signal, LN_NONE);
}

/* All gates from number `first` to before `end`. */
static ln_node gates_on(const gating *it, int first, int end) {
    ln_node on = gate_on(it, first);
    for (int k = first + 1; k < end; k++) on = op(it, LN_OP_AND, on, gate_on(it, k), LN_NONE);
    return on;
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

/* The events of switching the first `count` gates, which are needed once something is held. The one at the start, of an
 * instant that is told once, is there because being on from the start is no turning on. */
static const holding *prepare_holding(gating *it, int count, ln_node on) {
    holding *its = &it->holding[count];
    if (its->taken != LN_NONE) return its;
    its->taken = own_memory(it, "1 while outputs are held", 1);
    its->goes_off = ln_recast_event(&it->copy, "switched off", 0, op(it, LN_OP_NOT, on, LN_NONE, LN_NONE));
    const int goes_on = ln_recast_event(&it->copy, "switched on", 0, on);
    const int starts = ln_recast_event(&it->copy, "on at the start", LINNET_TICK, on);
    add_set(it, its->goes_off, its->taken, ln_constant(it->g, 1));
    add_set(it, goes_on, its->taken, ln_constant(it->g, 0));
    add_set(it, starts, its->taken, ln_constant(it->g, 0));
    return its;
}

/* `value` while the first `count` gates are on, then what the output was. */
static ln_node held(gating *it, int count, ln_node output, ln_node value) {
    const ln_node on = gates_on(it, 0, count);
    const holding *its = prepare_holding(it, count, on);
    ln_node kept = own_memory(it, "output as it is held", 0);
    ln_node follows = op(it, LN_OP_OR, on, op(it, LN_OP_NOT, its->taken, LN_NONE, LN_NONE), LN_NONE);
    add_set(it, its->goes_off, kept, op(it, LN_OP_PRE, output, LN_NONE, LN_NONE));
    return op(it, LN_OP_IF, follows, value, kept);
}

/* What the output shows in place of `value`: what each gate makes of what those within make of it, neighbours that do the
 * same taken together. */
static ln_node gated(gating *it, ln_node output, ln_node value) {
    int still = ln_recast_stands_still(&it->copy, value);
    for (int end = it->ngates, first; end > 0; end = first) {
        const int resets = it->gates[end - 1].resets_outputs;
        for (first = end - 1; first > 0 && it->gates[first - 1].resets_outputs == resets;) first--;
        if (resets) value = op(it, LN_OP_IF, gates_on(it, first, end), value, ln_constant(it->g, 0));
        else if (!still) value = held(it, end, output, value);
        still = still && !resets;
    }
    return value;
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

/* The event at which a gate resets states, and the condition in it under which it does (LN_NONE: always). Within other
 * gates it is that of all being on, once this one has been off: until then nothing moves. */
static int resetting(gating *it, int gate, ln_node *due) {
    *due = LN_NONE;
    if (gate == 0) return ln_recast_event(&it->copy, "switched on", 0, gate_on(it, gate));
    *due = own_memory(it, "1 while states are to be reset", 0);
    const int off = ln_recast_event(&it->copy, "switched off", 0, op(it, LN_OP_NOT, gate_on(it, gate), LN_NONE, LN_NONE));
    const int event = ln_recast_event(&it->copy, "switched on", 0, gates_on(it, 0, gate + 1));
    add_set(it, off, *due, ln_constant(it->g, 1));
    add_set(it, event, *due, ln_constant(it->g, 0));
    return event;
}

static void reset(gating *it, int event, ln_node due, ln_node target, ln_node start) {
    ln_node value = ln_recast_node(&it->copy, start);
    if (value == LN_NONE) value = ln_constant(it->g, 0);
    add_set(it, event, target, due == LN_NONE ? value : op(it, LN_OP_IF, due, value, target));
}

static void reset_states(gating *it, int gate) {
    const ln_equations *from = it->from;
    ln_node due;
    const int event = resetting(it, gate, &due);
    for (size_t k = 0; k < from->nvariables; k++)
        if (from->variables[k].var.flags & LINNET_START_FIXED)
            reset(it, event, due, ln_leaf_node(it->g, LN_LEAF_UNKNOWN, it->nports + it->ngates + (int)k),
                  from->variables[k].start);
    for (size_t k = 0; k < from->nmemories; k++)
        if (!from->memories[k].counts)
            reset(it, event, due, ln_leaf_node(it->g, LN_LEAF_MEMORY, (int)k), from->memories[k].start);
}

/* ---- the whole ---- */

ln_equations *ln_equations_gated(const ln_equations *from, const ln_gate *gates, int ngates) {
    ln_equations *e = ln_equations_new(from->name);
    if (e == NULL) return NULL;
    const linnet_port enable = {"enable", LINNET_SIGNAL, LINNET_INPUT, "switches the block on while above one half"};
    gating it = {.copy = {from, e, ngates}, .from = from, .e = e, .g = e->graph, .gates = gates,
                 .nports = (int)from->nports, .ngates = ngates,
                 .holding = LN_NEW(e->arena, holding, ngates + 1)};
    if (it.holding == NULL) {
        ln_equations_free(e);
        return NULL;
    }
    for (int k = 0; k <= ngates; k++) it.holding[k].taken = LN_NONE;
    ln_recast_face(&it.copy, enable, 1);
    it.on = gates_on(&it, 0, ngates);
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
