/* SPDX-License-Identifier: MIT */
/* All partial derivatives of one node at once, from a sum of many terms to the slope for each of
 * its variables.
 *
 * Most terms of a long sum hold few of its variables. ln_derivative() walks over the whole sum for
 * each variable; here each term is walked over for its own variables only. Sums are followed along
 * their first arguments, through changes of sign and products with what holds no variable. The
 * slopes are the nodes that ln_derivative() builds, for both add them up in the order of the sum.
 *
 * The slopes of a sum that stands within another one are a list of their own, at the end of one
 * common list; what stands in it is joined to the outer list when the inner sum is done. */
#include "base/invariant.h"
#include "base/sys.h"
#include "expression/nodes.h"

#include <assert.h>
#include <stdlib.h>

/* Sums within sums: beyond so many, a sum is taken as one term. It bounds the recursion. */
enum { DEEPEST = 64 };

typedef struct slope_entry {
    int variable; /* its index among the variables */
    ln_node slope;
    int outer; /* the place of the same variable in an outer list, or -1 */
} slope_entry;

typedef struct gradient {
    ln_graph *graph;
    const ln_node *variables; /* rising */
    int count;
    unsigned mask; /* what the variables depend on */
    int *place;    /* count: where each stands in the list at hand, or -1 */
    slope_entry *entry;
    size_t entries, entry_room;
    ln_node *spine; /* sums that wait for their first argument */
    size_t spines, spine_room;
    int depth, failed;
} gradient;

static int compare(const void *a, const void *b) {
    const ln_node left = *(const ln_node *)a, right = *(const ln_node *)b;
    return (left > right) - (left < right);
}

static void add_entry(gradient *all, int variable, ln_node slope) {
    all->failed |= slope == LN_NONE;
    if (all->failed || ln_is(all->graph, slope, 0))
        return;
    if (!LN_GROW(all->entry, all->entries, all->entry_room)) {
        all->failed = 1;
        return;
    }
    all->entry[all->entries] = (slope_entry){variable, slope, all->place[variable]};
    all->place[variable] = (int)all->entries++;
}

/* A term that is no sum: its own variables, each by a walk over the term. */
static void differentiate_term(gradient *all, ln_node term) {
    ln_graph *graph = all->graph;
    const int below = ln_below(graph, &term, 1, 0, all->mask);
    int *mine = ln_sys->allocate((size_t)(below > 0 ? below : 1) * sizeof *mine), count = 0;
    if (mine == NULL) {
        all->failed = 1;
        return;
    }
    for (int i = 0; i < below; i++) {
        const ln_node *at = bsearch(&graph->order[i], all->variables, (size_t)all->count,
                                    sizeof *all->variables, compare);
        if (at != NULL)
            mine[count++] = (int)(at - all->variables);
    }
    for (int i = 0; i < count && !all->failed; i++)
        add_entry(all, mine[i], ln_derivative(graph, term, all->variables[mine[i]]));
    ln_sys->release(mine);
}

static void differentiate_sum(gradient *all, ln_node node);

static int is_open(const gradient *all, ln_node node) {
    return node != LN_NONE && (ln_depends(all->graph, node) & all->mask) != 0;
}

/* The argument through which a change of sign or a constant factor is passed; -1: none. */
static int passed(const gradient *all, ln_node node) {
    const ln_cell *cell = &all->graph->cell[node];
    switch (cell->op) {
    case LN_OP_NEG: return 0;
    case LN_OP_MUL:
        if (!is_open(all, cell->arg[0]))
            return 1;
        return is_open(all, cell->arg[1]) ? -1 : 0;
    case LN_OP_DIV: return is_open(all, cell->arg[1]) ? -1 : 0;
    default: return -1;
    }
}

static int is_sum(const gradient *all, ln_node node) {
    const int op = all->graph->cell[node].op;
    return op == LN_OP_ADD || op == LN_OP_SUB;
}

/* The entries of a node, as a new list from all->entries on. */
static void differentiate(gradient *all, ln_node node) {
    ln_graph *graph = all->graph;
    const size_t begin = all->entries;
    const int which = passed(all, node);
    if (!is_open(all, node) || all->failed)
        return;
    if (all->depth >= DEEPEST || (which < 0 && !is_sum(all, node))) {
        differentiate_term(all, node);
        return;
    }
    all->depth++;
    if (which < 0)
        differentiate_sum(all, node);
    else
        differentiate(all, ln_node_arg(graph, node, which));
    all->depth--;
    for (size_t i = begin; which >= 0 && i < all->entries; i++) {
        all->entry[i].slope = ln_slope_through(graph, node, which, all->entry[i].slope);
        all->failed |= all->entry[i].slope == LN_NONE;
    }
}

/* Adds the entries from `middle` on to those from `begin` on, as `sum` adds its arguments. */
static void join(gradient *all, size_t begin, size_t middle, ln_node sum) {
    const size_t end = all->entries;
    for (size_t i = end; i-- > middle;) /* the outer list's places again */
        all->place[all->entry[i].variable] = all->entry[i].outer;
    all->entries = middle;
    for (size_t i = middle; i < end && !all->failed; i++) {
        const slope_entry right = all->entry[i];
        const int at = all->place[right.variable];
        const int is_known = at >= 0 && (size_t)at >= begin;
        const ln_node left = is_known ? all->entry[at].slope : ln_constant(all->graph, 0);
        const ln_node slope =
            ln_operation(all->graph, (ln_op)all->graph->cell[sum].op, left, right.slope, LN_NONE);
        all->failed |= slope == LN_NONE;
        if (is_known)
            all->entry[at].slope = slope;
        else
            add_entry(all, right.variable, slope);
    }
}

static void differentiate_sum(gradient *all, ln_node node) {
    const size_t waiting = all->spines, begin = all->entries;
    while (is_sum(all, node) && !all->failed) {
        if (!LN_GROW(all->spine, all->spines, all->spine_room)) {
            all->failed = 1;
            return;
        }
        all->spine[all->spines++] = node;
        node = ln_node_arg(all->graph, node, 0);
    }
    differentiate(all, node);
    while (all->spines > waiting && !all->failed) {
        const ln_node sum = all->spine[--all->spines];
        const size_t middle = all->entries;
        differentiate(all, ln_node_arg(all->graph, sum, 1));
        join(all, begin, middle, sum);
    }
}

int ln_gradient(ln_graph *graph, ln_node node, const ln_node *variables, int count,
                ln_node *slopes) {
    /* rising, as a term searches them; a variable that could not be made is LN_NONE, and fails */
    assert(count < 1 || variables[0] == LN_NONE || ln_is_strictly_rising(variables, (size_t)count));
    gradient all = {.graph = graph, .variables = variables, .count = count};
    all.place = ln_sys->allocate((size_t)(count > 0 ? count : 1) * sizeof *all.place);
    all.failed = all.place == NULL || node == LN_NONE;
    for (int k = 0; k < count; k++) {
        slopes[k] = ln_constant(graph, 0);
        all.failed |= slopes[k] == LN_NONE || variables[k] == LN_NONE;
        if (all.failed)
            break;
        all.place[k] = -1;
        all.mask |= ln_depends(graph, variables[k]);
    }
    if (!all.failed)
        differentiate(&all, node);
    for (size_t i = 0; i < all.entries && !all.failed; i++)
        slopes[all.entry[i].variable] = all.entry[i].slope;
    ln_sys->release(all.entry);
    ln_sys->release(all.spine);
    ln_sys->release(all.place);
    return !all.failed && !ln_graph_failed(graph);
}
