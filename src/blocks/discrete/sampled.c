/* SPDX-License-Identifier: MIT */
/* What the discrete types share; see sampled.h. */
#include "blocks/discrete/sampled.h"
#include "base/text.h"
#include "blocks/catalogue.h"
#include "blocks/equations.h"
#include "model/model.h"

ln_ticks ln_ticks_new(ln_equations *e, const ln_shape *shape, int clock, int period) {
    ln_ticks ticks = {e, 0, ln_param_item(e, period, 0)};
    ln_node offset = ln_param_item(e, period + 1, 0);
    ln_sample sample = ln_add_sample(e, ticks.period, offset, ln_sized_port(e, shape, clock, 0));
    ln_event event = {.event = {"tick", LINNET_JOINS, NULL},
                      .condition = sample.condition,
                      .quiet = 1,
                      .place = shape->place};
    ticks.event = ln_add_event(e, event);
    ln_end_sample(e, &sample, ticks.event);
    return ticks;
}

ln_node ln_ticks_memory(const ln_ticks *ticks, const char *name, int number, const char *doc,
                        ln_node start) {
    if (number > 0)
        name = ln_arena_printf(ticks->e->arena, "%s%d", name, number);
    if (name == NULL) {
        ticks->e->failed = 1;
        return LN_NONE;
    }
    return ln_add_memory(ticks->e, (linnet_memory){name, NULL, doc}, start);
}

void ln_ticks_set(const ln_ticks *ticks, ln_node memory, ln_node value) {
    ln_add_set(ticks->e, (ln_set){ticks->event, memory, value});
}

ln_node ln_ticks_first(const ln_ticks *ticks) {
    static const linnet_memory unnamed = {NULL, "", "1 before the first tick"};
    ln_node first = ln_add_memory(ticks->e, unnamed, ln_constant(ticks->e->graph, 1));
    ln_ticks_set(ticks, first, ln_constant(ticks->e->graph, 0));
    return first;
}

ln_node ln_ticks_elapsed(const ln_ticks *ticks) {
    static const linnet_memory unnamed = {NULL, "s", "time of the last tick"};
    ln_graph *g = ticks->e->graph;
    ln_node t = ln_leaf_node(g, LN_LEAF_TIME, 0), at = ln_add_memory(ticks->e, unnamed, t);
    ln_node own = ln_operation(g, LN_OP_LT, ln_constant(g, 0), ticks->period, LN_NONE);
    ln_ticks_set(ticks, at, t);
    return ln_operation(g, LN_OP_IF, own, ticks->period,
                        ln_operation(g, LN_OP_SUB, t, at, LN_NONE));
}

void ln_ticks_output(const ln_ticks *ticks, ln_node output, int number, ln_node value,
                     ln_node start) {
    ln_node y = ln_ticks_memory(ticks, "y", number, "output", start);
    ln_ticks_set(ticks, y, value);
    ln_add_equation(ticks->e, output, y);
}

int ln_ticks_line(const ln_ticks *ticks, ln_node u, int n, ln_node start, ln_node *taps) {
    taps[0] = u;
    for (int k = 1; k <= n; k++) {
        taps[k] = ln_ticks_memory(ticks, "x", k, "sample before", start);
        ln_ticks_set(ticks, taps[k], taps[k - 1]);
    }
    return !ticks->e->failed;
}

/* s(n)...s(1) with y = (b0 u + s1)/a0, s(i) <- b(i) u - a(i) y + s(i+1)  [A. V. Oppenheim, R. W.
 * Schafer, Discrete-Time Signal Processing, section 6.3] */
ln_node ln_ticks_section(const ln_ticks *ticks, const ln_section *section, ln_node u, int first,
                         const ln_node *start) {
    ln_graph *g = ticks->e->graph;
    const int n = section->order;
    ln_node *s = LN_NEW(ticks->e->arena, ln_node, n + 1);
    if (s == NULL) {
        ticks->e->failed = 1;
        return LN_NONE;
    }
    for (int i = 0; i < n; i++)
        s[i] = ln_ticks_memory(ticks, "s", first + i, "state", start != NULL ? start[i] : LN_NONE);
    s[n] = ln_constant(g, 0);
    ln_node y = ln_sum2(g, ln_product2(g, section->b[0], u), s[0]);
    y = ln_operation(g, LN_OP_DIV, y, section->a[0], LN_NONE);
    for (int i = 1; i <= n; i++) {
        ln_node next = ln_sum2(g, ln_product2(g, section->b[i], u), s[i]);
        ln_ticks_set(ticks, s[i - 1],
                     ln_operation(g, LN_OP_SUB, next, ln_product2(g, section->a[i], y), LN_NONE));
    }
    return y;
}
