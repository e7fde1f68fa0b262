/* SPDX-License-Identifier: MIT */
/* Enabled blocks: see enable.h.
 *
 * `on`, all enables above one half, is a condition like any other: it has modes, so a switching
 * instant is located. What an output holds is taken by the event of switching off; until that has
 * acted (`taken`) the output still follows, so that nobody sees an older value in between. */
#include "blocks/enable.h"

#include "blocks/class_copy.h"

typedef struct enabling {
    ln_class_copy copy;
    const ln_equations *from;
    ln_equations *e;
    ln_graph *g;
    const ln_enable *enables;    /* the outermost first */
    int nports, nenables;        /* ports of `from` */
    ln_node on;                  /* all enables */
    struct hold_memory *holding; /* of the first k enables, for k from 0 to nenables */
    struct resetting *resets;    /* of each enable that resets states */
} enabling;

/* Whether states are to be reset: it has been done, has been in this round, or will be. */
enum { READY, RESET, DUE };
typedef struct resetting {
    ln_node due; /* memory: one of these */
    int event;   /* at which they are */
} resetting;

/* What outputs hold while some of the outer enables are off. */
typedef struct hold_memory {
    ln_node taken; /* memory: 1 while held values count; LN_NONE: none is needed */
    int goes_off;  /* the event of switching off */
} hold_memory;

static ln_node op(const enabling *enable, ln_op which, ln_node a, ln_node b, ln_node c) {
    return ln_operation(enable->g, which, a, b, c);
}

static ln_node enable_on(const enabling *enabled, int enable) {
    ln_node signal = ln_leaf_node(enabled->g, LN_LEAF_UNKNOWN, enabled->nports + enable);
    return op(enabled, LN_OP_LT, ln_constant(enabled->g, 0.5), signal, LN_NONE);
}

/* All enables from number `first` to before `end`. */
static ln_node enables_on(const enabling *enable, int first, int end) {
    ln_node on = enable_on(enable, first);
    for (int k = first + 1; k < end; k++)
        on = op(enable, LN_OP_AND, on, enable_on(enable, k), LN_NONE);
    return on;
}

/* Is the memory, which holds a whole number, above this one? */
static ln_node is_above(const enabling *enable, ln_node memory, int number) {
    return op(enable, LN_OP_LT, ln_constant(enable->g, number + 0.5), memory, LN_NONE);
}

/* ---- equations ---- */

static ln_node without_der(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                           const ln_node arg[3]) {
    (void)context;
    return ln_node_op(from, old) == LN_OP_DER ? ln_constant(to, 0) : ln_remake(to, from, old, arg);
}

typedef struct enable_query {
    const enabling *enable;
    int found;
} enable_query;

/* A derivative of an input. */
static ln_node look_at_der(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    enable_query *at = context;
    (void)to;
    if (ln_node_op(from, leaf) != LN_OP_DER)
        return LN_NONE;
    for (int k = 0; k < at->enable->nports; k++) {
        ln_node port = ln_leaf_node(at->enable->g, LN_LEAF_UNKNOWN, k);
        if (at->enable->e->ports[k].flags & LINNET_INPUT)
            at->found |= ln_contains(from, ln_node_arg(from, leaf, 0), port);
    }
    return LN_NONE;
}

static int has_der(const enabling *enable, ln_node node) {
    return (ln_depends(enable->g, node) & LN_DEPENDS_DER) != 0;
}

static int is_zero(const enabling *enable, ln_node node) {
    return ln_node_op(enable->g, node) == LN_OP_CONSTANT && ln_node_value(enable->g, node) == 0;
}

/* An equation of states: what is no derivative counts only while the block is on. One that holds
 * the derivative of an input defines an output (or a variable) and is none. */
static void freeze_states(enabling *enable, ln_equation *equation) {
    enable_query at = {enable, 0};
    ln_node both[2] = {equation->left, equation->right},
            rest[2] = {equation->left, equation->right};
    if (!has_der(enable, both[0]) && !has_der(enable, both[1]))
        return;
    ln_copy(enable->g, enable->g, both, 2, look_at_der, &at);
    if (at.found)
        return;
    ln_rewrite(enable->g, enable->g, rest, 2, without_der, NULL);
    if (rest[0] == LN_NONE || rest[1] == LN_NONE)
        return;
    ln_node zero = ln_constant(enable->g, 0);
    if (is_zero(enable, rest[0]) && !has_der(enable, equation->right)) {
        equation->right = op(enable, LN_OP_IF, enable->on, equation->right, zero);
    } else if (is_zero(enable, rest[1]) && !has_der(enable, equation->left)) {
        equation->left = op(enable, LN_OP_IF, enable->on, equation->left, zero);
    } else {
        ln_node apart = op(enable, LN_OP_SUB, rest[0], rest[1], LN_NONE);
        equation->right = op(enable, LN_OP_ADD, equation->right,
                             op(enable, LN_OP_IF, enable->on, zero, apart), LN_NONE);
    }
}

/* ---- outputs ---- */

/* A memory of the type's own. */
static ln_node own_memory(enabling *enable, const char *doc, double start) {
    const linnet_memory memory = {NULL, NULL, doc};
    return ln_add_memory(enable->e, memory, ln_constant(enable->g, start));
}

static void add_set(enabling *enable, int event, ln_node target, ln_node value) {
    ln_add_set(enable->e, (ln_set){.event = event, .target = target, .value = value});
}

/* The events of switching the first `count` enables, which are needed once something is held. The
 * one at the start, of an instant that is told once, is there because being on from the start is no
 * turning on. */
static const hold_memory *prepare_holding(enabling *enable, int count, ln_node on) {
    hold_memory *hold = &enable->holding[count];
    if (hold->taken != LN_NONE)
        return hold;
    hold->taken = own_memory(enable, "1 while outputs are held", 1);
    hold->goes_off = ln_class_copy_event(&enable->copy, "switched off", 0,
                                         op(enable, LN_OP_NOT, on, LN_NONE, LN_NONE));
    const int goes_on = ln_class_copy_event(&enable->copy, "switched on", 0, on);
    const int starts = ln_class_copy_event(&enable->copy, "on at the start", LINNET_TICK, on);
    add_set(enable, hold->goes_off, hold->taken, ln_constant(enable->g, 1));
    add_set(enable, goes_on, hold->taken, ln_constant(enable->g, 0));
    add_set(enable, starts, hold->taken, ln_constant(enable->g, 0));
    return hold;
}

/* `value` while the first `count` enables are on, then what the output was. */
static ln_node hold_output(enabling *enable, int count, ln_node output, ln_node value) {
    const ln_node on = enables_on(enable, 0, count);
    const hold_memory *hold = prepare_holding(enable, count, on);
    ln_node held_value = own_memory(enable, "output as it is held", 0);
    ln_node follows =
        op(enable, LN_OP_OR, on, op(enable, LN_OP_NOT, hold->taken, LN_NONE, LN_NONE), LN_NONE);
    add_set(enable, hold->goes_off, held_value, op(enable, LN_OP_PRE, output, LN_NONE, LN_NONE));
    return op(enable, LN_OP_IF, follows, value, held_value);
}

/* What the output shows in place of `value`: what each enable makes of what those within make of
 * it, neighbours that do the same taken together. */
static ln_node enabled(enabling *enable, ln_node output, ln_node value) {
    int still = ln_class_copy_stands_still(&enable->copy, value);
    for (int end = enable->nenables, first; end > 0; end = first) {
        const int resets = enable->enables[end - 1].resets_outputs;
        for (first = end - 1; first > 0 && enable->enables[first - 1].resets_outputs == resets;)
            first--;
        if (resets)
            value = op(enable, LN_OP_IF, enables_on(enable, first, end), value,
                       ln_constant(enable->g, 0));
        else if (!still)
            value = hold_output(enable, end, output, value);
        still = still && !resets;
    }
    return value;
}

/* The equation that gives the output explicitly, or -1. */
static int explicit_equation(const enabling *enable, ln_node output) {
    for (size_t k = 0; k < enable->e->nequations; k++) {
        const ln_equation *equation = &enable->e->equations[k];
        if (equation->left == output && !ln_contains(enable->g, equation->right, output))
            return (int)k;
    }
    return -1;
}

/* An output that equations define together gets a variable in its place. */
static void enable_implicit(enabling *enable, int port, ln_node output) {
    ln_equations *e = enable->e;
    const char *name = ln_arena_printf(e->arena, "%s.inner", e->ports[port].name);
    const linnet_var var = {.name = name, .doc = "output while on"};
    if (name == NULL)
        e->failed = 1;
    ln_renaming names = {output, ln_add_variable(e, var, LN_NONE, NULL)};
    for (size_t k = 0; k < e->nequations; k++) {
        ln_copy(enable->g, enable->g, &e->equations[k].left, 1, ln_rename_leaf, &names);
        ln_copy(enable->g, enable->g, &e->equations[k].right, 1, ln_rename_leaf, &names);
    }
    for (size_t k = 0; k < e->nconditions; k++)
        ln_copy(enable->g, enable->g, &e->conditions[k].of, 1, ln_rename_leaf, &names);
    if (!e->failed)
        ln_add_equation(e, output, enabled(enable, output, names.to));
}

static void enable_outputs(enabling *enable) {
    for (int k = 0; k < enable->nports && !enable->e->failed; k++) {
        if (!(enable->e->ports[k].flags & LINNET_OUTPUT))
            continue;
        ln_node output = ln_leaf_node(enable->g, LN_LEAF_UNKNOWN, k);
        const int equation = explicit_equation(enable, output);
        if (equation < 0)
            enable_implicit(enable, k, output);
        else
            enable->e->equations[equation].right =
                enabled(enable, output, enable->e->equations[equation].right);
    }
}

/* ---- events ---- */

/* The set of a memory that counts samples, which go on whatever happens. */
static int counts(const ln_equations *from, const ln_set *set) {
    int index;
    return ln_node_leaf(from->graph, set->target, &index) == LN_LEAF_MEMORY &&
           from->memories[index].counts;
}

/* The block is on, and what is to be reset has been: an event of that instant acts on it. */
static ln_node events_act(const enabling *enable) {
    ln_node act = enable->on;
    for (int k = 0; k < enable->nenables; k++)
        if (enable->enables[k].resets_states)
            act = op(enable, LN_OP_AND, act,
                     op(enable, LN_OP_NOT, is_above(enable, enable->resets[k].due, READY), LN_NONE,
                        LN_NONE),
                     LN_NONE);
    return act;
}

/* Events act while the block is on. A sample that passes while it is off is counted by an event of
 * its own. */
static void enable_events(enabling *enable) {
    const ln_equations *from = enable->from;
    const ln_node act = events_act(enable);
    for (size_t k = 0; k < from->nevents; k++) {
        ln_event event = from->events[k];
        event.condition =
            op(enable, LN_OP_AND, ln_class_copy_node(&enable->copy, event.condition), act, LN_NONE);
        event.gated = 1;
        (void)ln_add_event(enable->e, event);
    }
    for (size_t k = 0; k < from->nsets; k++) {
        const ln_set *set = &from->sets[k];
        add_set(enable, set->event, ln_class_copy_node(&enable->copy, set->target),
                ln_class_copy_node(&enable->copy, set->value));
    }
    for (size_t k = 0; k < from->nsets; k++) {
        const ln_set *set = &from->sets[k];
        if (!counts(from, set))
            continue;
        ln_event passes = from->events[set->event];
        ln_node off = op(enable, LN_OP_NOT, enable->on, LN_NONE, LN_NONE);
        passes.event.flags &= ~(unsigned)(LINNET_ENDS | LINNET_FAILS);
        passes.gated = 1;
        passes.condition = op(enable, LN_OP_AND,
                              ln_class_copy_node(&enable->copy, passes.condition), off, LN_NONE);
        const int event = ln_add_event(enable->e, passes);
        add_set(enable, event, ln_class_copy_node(&enable->copy, set->target),
                ln_class_copy_node(&enable->copy, set->value));
    }
}

/* An enable that resets states does so as it turns on, once it has been off; within other enables
 * that is as all are on: until then nothing moves. It is RESET for one round of the instant: what
 * joins that round, in which the reset has the last word, would be lost. */
static void add_reset(enabling *enabled, int enable) {
    resetting *by = &enabled->resets[enable];
    const ln_node off = op(enabled, LN_OP_NOT, enable_on(enabled, enable), LN_NONE, LN_NONE),
                  done = op(
                      enabled, LN_OP_AND, is_above(enabled, by->due, READY),
                      op(enabled, LN_OP_NOT, is_above(enabled, by->due, RESET), LN_NONE, LN_NONE),
                      LN_NONE);
    const int goes_off = ln_class_copy_event(&enabled->copy, "switched off", 0, off),
              starts = ln_class_copy_event(&enabled->copy, "off at the start", LINNET_TICK, off),
              is_ready = ln_class_copy_event(&enabled->copy, "states are reset", 0, done);
    by->event =
        ln_class_copy_event(&enabled->copy, "switched on", 0, enables_on(enabled, 0, enable + 1));
    add_set(enabled, goes_off, by->due, ln_constant(enabled->g, DUE));
    add_set(enabled, starts, by->due, ln_constant(enabled->g, DUE));
    add_set(enabled, is_ready, by->due, ln_constant(enabled->g, READY));
    add_set(enabled, by->event, by->due,
            op(enabled, LN_OP_IF, is_above(enabled, by->due, RESET), ln_constant(enabled->g, RESET),
               by->due));
}

/* start: of the type, LN_NONE: 0. */
static void reset(enabling *enable, const resetting *by, ln_node target, ln_node start) {
    ln_node value = ln_class_copy_node(&enable->copy, start);
    if (value == LN_NONE)
        value = ln_constant(enable->g, 0);
    add_set(enable, by->event, target,
            op(enable, LN_OP_IF, is_above(enable, by->due, RESET), value, target));
}

/* What the memory `index` of the type has seen, of an input (the count of a clock): it sees it anew
 * as states are reset, lest what is reset elsewhere be taken for news. LN_NONE: it sees nothing. */
static ln_node seen(const ln_equations *from, int index) {
    const unsigned own = 1u << LN_LEAF_MEMORY | 1u << LN_LEAF_TIME | 1u << LN_LEAF_DECIDE;
    int target;
    for (size_t k = 0; k < from->nsets; k++)
        if (ln_node_leaf(from->graph, from->sets[k].target, &target) == LN_LEAF_MEMORY &&
            target == index && !(ln_depends(from->graph, from->sets[k].value) & own))
            return from->sets[k].value;
    return LN_NONE;
}

static void reset_states(enabling *enabled, int enable) {
    const ln_equations *from = enabled->from;
    const resetting *by = &enabled->resets[enable];
    add_reset(enabled, enable);
    for (size_t k = 0; k < from->nvariables; k++)
        if (from->variables[k].var.flags & LINNET_START_FIXED)
            reset(enabled, by,
                  ln_leaf_node(enabled->g, LN_LEAF_UNKNOWN,
                               enabled->nports + enabled->nenables + (int)k),
                  from->variables[k].start);
    for (size_t k = 0; k < from->nmemories; k++) {
        const ln_node memory = ln_leaf_node(enabled->g, LN_LEAF_MEMORY, (int)k),
                      sees = from->memories[k].counts ? seen(from, (int)k) : LN_NONE;
        if (!from->memories[k].counts || sees != LN_NONE)
            reset(enabled, by, memory, sees != LN_NONE ? sees : from->memories[k].start);
    }
}

/* ---- the whole ---- */

ln_equations *ln_equations_enabled(const ln_equations *from, const ln_enable *enables,
                                   int nenables) {
    ln_equations *e = ln_equations_new(from->name);
    if (e == NULL)
        return NULL;
    const linnet_port enable_input = {"enable", LINNET_SIGNAL, LINNET_INPUT,
                                      "switches the block on while above one half"};
    enabling enable = {.copy = {from, e, nenables},
                       .from = from,
                       .e = e,
                       .g = e->graph,
                       .enables = enables,
                       .nports = (int)from->nports,
                       .nenables = nenables,
                       .holding = LN_NEW(e->arena, hold_memory, nenables + 1),
                       .resets = LN_NEW(e->arena, resetting, nenables + 1)};
    if (enable.holding == NULL || enable.resets == NULL) {
        ln_equations_free(e);
        return NULL;
    }
    for (int k = 0; k <= nenables; k++)
        enable.holding[k].taken = LN_NONE;
    ln_class_copy_declarations(&enable.copy, enable_input, 1);
    enable.on = enables_on(&enable, 0, nenables);
    for (size_t k = 0; k < from->nequations; k++) {
        ln_equation equation = from->equations[k];
        equation.left = ln_class_copy_node(&enable.copy, equation.left);
        equation.right = ln_class_copy_node(&enable.copy, equation.right);
        freeze_states(&enable, &equation);
        ln_add_written(e, equation);
    }
    for (int k = 0; k < nenables; k++)
        if (enables[k].resets_states)
            enable.resets[k].due = own_memory(&enable, "whether states are to be reset", READY);
    enable_events(&enable);
    for (int k = 0; k < nenables; k++)
        if (enables[k].resets_states)
            reset_states(&enable, k);
    enable_outputs(&enable);
    if (!e->failed && !ln_graph_failed(e->graph))
        return e;
    ln_equations_free(e);
    return NULL;
}
