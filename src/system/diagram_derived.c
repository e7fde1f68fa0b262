/* SPDX-License-Identifier: MIT */
/* Derivatives of signals in a diagram: out = der(in).
 *
 * Where `in` is what another block drives, its value is an expression of states and time, and so is
 * its derivative: the partial one with respect to time, and those with respect to states times
 * their rates. So such a row determines its own output, once the signal and the rates of the states
 * below it are known. */
#include "system/diagram.h"

#include <string.h>

/* More derivatives of one signal, one behind the other, are refused. */
enum { MOST_LEVELS = 8 };

/* ---- which rows ---- */

/* The unknown of der(unknown), which another block drives; -1: anything else. */
static int driven_signal(const ln_diagram *d, int row, ln_node der) {
    int unknown;
    const ln_node argument = ln_node_arg(d->rows, der, 0);
    if (ln_node_op(d->rows, argument) != LN_OP_LEAF ||
        ln_node_leaf(d->rows, argument, &unknown) != LN_LEAF_UNKNOWN)
        return -1;
    return d->row[unknown].instance != d->row[row].instance ? unknown : -1;
}

/* Calls visit with the unknown of every derivative in a row, -1 for one that is no driven signal's.
 */
static void each_derivative(const ln_diagram *d, ln_walk *walk, int row,
                            void (*visit)(void *context, int unknown), void *context) {
    const int stamp = ++walk->stamp;
    ln_walk_push(walk, d->row[row].node, stamp);
    for (ln_node part; (part = ln_walk_next(walk, stamp)) != LN_NONE;)
        if (ln_node_op(d->rows, part) == LN_OP_DER)
            visit(context, driven_signal(d, row, part));
}

static void find_other(void *context, int unknown) {
    *(int *)context |= unknown < 0;
}

int ln_diagram_derives(ln_diagram *d, ln_walk *walk, int row) {
    int other = 0;
    each_derivative(d, walk, row, find_other, &other);
    const ln_node own = ln_leaf_node(d->rows, LN_LEAF_UNKNOWN, row);
    return !other && ln_degree_in(d->rows, d->row[row].node, own) == LN_DEGREE_LINEAR &&
           ln_is_usable(d->rows, ln_derivative(d->rows, d->row[row].node, own));
}

static linnet_status refuse(const ln_diagram *d, int row, const char *why) {
    return ln_fail(d->report, LINNET_MODEL, ln_network_unknown_place(d->network, row),
                   "an explicit method cannot compute %s: %s; use an implicit method such as "
                   "tr-bdf2, or break the loop",
                   ln_network_unknown_name(d->network, row), why);
}

/* ---- what must be known before ---- */

/* level: per unknown, how many derivatives of it are asked for, less one; -1 none. */
typedef struct derivative_search {
    ln_diagram *d;
    ln_walk walk;
    signed char *level;
    int *queue, head, count, most;
    int *needs, nneeds; /* unknowns that a row needs besides its own uses */
    int level_now, failed;
} derivative_search;

static void ask(derivative_search *all, int unknown, int level) {
    if (level >= MOST_LEVELS || all->count == all->most)
        all->failed = 1;
    if (all->failed || all->level[unknown] >= level)
        return;
    all->level[unknown] = (signed char)level;
    all->queue[all->count++] = unknown;
}

static int needs(const derivative_search *all, int unknown) {
    for (int k = 0; k < all->nneeds; k++)
        if (all->needs[k] == unknown)
            return 1;
    return 0;
}

static void need(derivative_search *all, int unknown) {
    if (!needs(all, unknown))
        all->needs[all->nneeds++] = unknown;
}

static void ask_derivative(void *context, int unknown) {
    derivative_search *all = context;
    ask(all, unknown, all->level_now + 1);
}

static void need_derivative(void *context, int unknown) {
    derivative_search *all = context;
    need(all, unknown);
    ask(all, unknown, 0);
}

/* What the derivative of an unknown is made of: the rate of a state, else those of what its row
 * uses. */
static void look_below(derivative_search *all, int unknown) {
    ln_diagram *d = all->d;
    const int row = d->row_of[unknown], is_state = d->row[row].state == unknown;
    const int level = all->level[unknown];
    for (int k = 0; k < d->row[row].count; k++) {
        const int used = d->uses[d->row[row].first + k];
        if (is_state)
            need(all, used);
        if (!is_state || level > 0)
            ask(all, used, is_state ? level - 1 : level);
    }
    all->level_now = level;
    if (d->row[row].derives)
        each_derivative(d, &all->walk, row, ask_derivative, all);
}

/* The row's uses become those and its needs, at the end of all uses. */
static int add_needs(const derivative_search *all, int row, size_t *room) {
    ln_diagram *d = all->d;
    const int first = d->row[row].first, count = d->row[row].count;
    const int begin = (int)d->nuses;
    for (int k = 0; k < count + all->nneeds; k++) {
        if (!LN_GROW(d->uses, d->nuses, *room))
            return 0;
        d->uses[d->nuses++] = k < count ? d->uses[first + k] : all->needs[k - count];
    }
    all->d->row[row].later_first = begin;
    all->d->row[row].later_count = count + all->nneeds;
    return 1;
}

linnet_status ln_diagram_order_derivatives(ln_diagram *d) {
    derivative_search all = {.d = d, .most = d->n * MOST_LEVELS};
    size_t room = d->nuses;
    int any = 0;
    for (int row = 0; row < d->n; row++)
        any |= d->row[row].derives;
    if (!any)
        return LINNET_OK;
    all.level = LN_NEW(d->scratch, signed char, d->n);
    all.queue = LN_NEW(d->scratch, int, all.most);
    all.needs = LN_NEW(d->scratch, int, d->n);
    if (!all.level || !all.queue || !all.needs)
        return ln_no_memory(d->report);
    LN_TRY(ln_walk_new(&all.walk, d, d->rows));
    for (int row = 0; row < d->n; row++) {
        if (!d->row[row].derives)
            continue;
        memset(all.level, -1, (size_t)d->n);
        all.count = all.head = all.nneeds = 0;
        each_derivative(d, &all.walk, row, need_derivative, &all);
        while (all.head < all.count && !all.failed)
            look_below(&all, all.queue[all.head++]);
        if (all.failed)
            return ln_fail(d->report, LINNET_MODEL, ln_network_unknown_place(d->network, row),
                           "%s: more than %d derivatives one behind the other",
                           ln_network_unknown_name(d->network, row), MOST_LEVELS);
        if (needs(&all, row))
            return refuse(d, row, "what it derives moves by it");
        if (!add_needs(&all, row, &room))
            return ln_no_memory(d->report);
    }
    for (int row = 0; row < d->n; row++) {
        if (!d->row[row].derives)
            continue;
        d->row[row].first = d->row[row].later_first;
        d->row[row].count = d->row[row].later_count;
    }
    return LINNET_OK;
}

/* ---- values ---- */

/* d/dt of the value of an unknown, whose states' rates can be computed. LN_NONE: a loop that is
 * iterated determines it. */
static ln_node slope_of(ln_diagram *d, int unknown) {
    const ln_node value = d->value[unknown];
    if (value == LN_NONE || ln_has_leaf(d->graph, &value, 1, LN_LEAF_UNKNOWN, d->nstates))
        return LN_NONE;
    ln_node sum = ln_derivative(d->graph, value, ln_leaf_node(d->graph, LN_LEAF_TIME, 0));
    for (int k = 0; k < d->nstates; k++) {
        const ln_node state = ln_leaf_node(d->graph, LN_LEAF_UNKNOWN, k);
        if (!ln_contains(d->graph, value, state))
            continue;
        const ln_node part =
            ln_operation(d->graph, LN_OP_MUL, ln_derivative(d->graph, value, state),
                         ln_diagram_rate(d, k), LN_NONE);
        sum = ln_operation(d->graph, LN_OP_ADD, sum, part, LN_NONE);
    }
    return sum;
}

typedef struct slopes {
    ln_diagram *d;
    int failed;
} slopes;

static void find_slope(void *context, int unknown) {
    slopes *all = context;
    if (all->d->slope[unknown] == LN_NONE)
        all->d->slope[unknown] = slope_of(all->d, unknown);
    all->failed |= all->d->slope[unknown] == LN_NONE;
}

linnet_status ln_diagram_slopes(ln_diagram *d, ln_walk *walk, int row, int is_alone) {
    slopes all = {d, !is_alone};
    if (is_alone)
        each_derivative(d, walk, row, find_slope, &all);
    if (ln_graph_failed(d->graph))
        return ln_no_memory(d->report);
    if (!all.failed)
        return LINNET_OK;
    return refuse(d, row, "it is a derivative of what an algebraic loop determines");
}
