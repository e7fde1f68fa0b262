/* SPDX-License-Identifier: MIT */
/* Loops of ideal potential sources.
 *
 * An own equation of a block with constant coefficients +c and -c at two potentials, or c at one,
 * and nothing else, fixes a difference, whatever its source says: an edge between two links, or
 * between a link and zero. Edges that close a loop fix the same difference twice. That is singular
 * also where the structure does not show it (between two floating links both equations could be
 * matched). */
#include "network/structure.h"

#include "base/sys.h"
#include "base/text.h"
#include <math.h>
#include <string.h>

/* ---- finding the edges ---- */

/* The node of a port: its link, or zero for a reference and for an open port. */
static int node_at(const ln_network *network, const ln_instance *instance, int port) {
    return ln_unknown_at(network, instance, port) < 0 ? network->nlinks : instance->links[port];
}

/* What an own row is made of: potentials with constant coefficients, or something else as well. */
typedef struct own_row {
    int port[2], count, has_more;
    double value[2];
} own_row;

static void add_entry(own_row *row, const linnet_block_class *type, const linnet_entry *entry,
                      double value) {
    const int is_potential =
        entry->col < type->nports && type->ports[entry->col].domain != LINNET_SIGNAL;
    if (entry->change == LINNET_CONSTANT && value == 0)
        return;
    row->has_more |= entry->kind != LINNET_A || entry->change != LINNET_CONSTANT ||
                     row->count == 2 || !is_potential;
    if (row->has_more)
        return;
    row->port[row->count] = entry->col;
    row->value[row->count++] = value;
}

/* Adds the edge of an own row, if it is one. 0 when memory is short. */
static int add_edge(ln_structure *all, int instance, const own_row *row) {
    const ln_network *network = all->network;
    const ln_instance *block = &network->instances[instance];
    if (row->has_more || row->count == 0 ||
        (row->count == 2 && fabs(row->value[0] + row->value[1]) > 1e-12 * fabs(row->value[0])))
        return 1;
    if (!LN_GROW(all->fixed, all->nfixed, all->fixed_room))
        return 0;
    ln_fixed edge = {instance, node_at(network, block, row->port[0]),
                     row->count == 2 ? node_at(network, block, row->port[1]) : network->nlinks};
    all->fixed[all->nfixed++] = edge;
    return 1;
}

int ln_add_fixed(ln_structure *all, int instance) {
    const linnet_block_class *type = all->network->instances[instance].block.type;
    const size_t count = type->nvars > 0 ? (size_t)type->nvars : 1;
    own_row *rows = ln_sys->allocate(count * sizeof *rows);
    int ok = rows != NULL;
    for (int v = 0; ok && v < type->nvars; v++) {
        const char *nonlinear = type->nonlinear_rows;
        rows[v] = (own_row){.has_more = nonlinear != NULL && nonlinear[type->nports + v] != '0'};
    }
    for (int k = 0; ok && k < type->nentries; k++)
        if (type->entries[k].row >= type->nports)
            add_entry(&rows[type->entries[k].row - type->nports], type, &type->entries[k],
                      all->entry[k]);
    for (int v = 0; ok && v < type->nvars; v++)
        ok = add_edge(all, instance, &rows[v]);
    ln_sys->release(rows);
    return ok;
}

/* ---- the spanning forest of the edges ---- */

typedef struct forest {
    int *start, *edge; /* edges at each node */
    int *up, *depth;   /* per node: edge towards its root (-1 at a root); -1: not reached */
    int *queue;
    char *in_tree; /* per edge */
} forest;

static int forest_allocate(forest *all, size_t nodes, size_t edges) {
    *all = (forest){ln_sys->allocate((nodes + 2) * sizeof(int)),
                    ln_sys->allocate((2 * edges + 1) * sizeof(int)),
                    ln_sys->allocate(nodes * sizeof(int)),
                    ln_sys->allocate(nodes * sizeof(int)),
                    ln_sys->allocate(nodes * sizeof(int)),
                    ln_sys->allocate(edges + 1)};
    return all->start && all->edge && all->up && all->depth && all->queue && all->in_tree;
}

static void forest_free(forest *all) {
    ln_sys->release(all->start);
    ln_sys->release(all->edge);
    ln_sys->release(all->up);
    ln_sys->release(all->depth);
    ln_sys->release(all->queue);
    ln_sys->release(all->in_tree);
}

static int other_end(const ln_fixed *edge, int node) {
    return edge->a == node ? edge->b : edge->a;
}

/* The edges at each node, in order. */
static void list_edges(forest *all, const ln_structure *from, int nodes) {
    memset(all->start, 0, ((size_t)nodes + 2) * sizeof(int));
    for (size_t e = 0; e < from->nfixed; e++) {
        all->start[from->fixed[e].a + 2]++;
        all->start[from->fixed[e].b + 2]++;
    }
    for (int v = 0; v < nodes; v++)
        all->start[v + 2] += all->start[v + 1];
    for (size_t e = 0; e < from->nfixed; e++) {
        all->edge[all->start[from->fixed[e].a + 1]++] = (int)e;
        all->edge[all->start[from->fixed[e].b + 1]++] = (int)e;
    }
}

/* Breadth first from every node not reached yet. */
static void grow(forest *all, const ln_structure *from, int nodes) {
    memset(all->in_tree, 0, from->nfixed);
    for (int v = 0; v < nodes; v++)
        all->depth[v] = -1;
    for (int root = 0; root < nodes; root++) {
        int head = 0, tail = 0;
        if (all->depth[root] >= 0)
            continue;
        all->depth[root] = 0;
        all->up[root] = -1;
        all->queue[tail++] = root;
        while (head < tail) {
            int node = all->queue[head++];
            for (int k = all->start[node]; k < all->start[node + 1]; k++) {
                int e = all->edge[k], next = other_end(&from->fixed[e], node);
                if (all->depth[next] >= 0)
                    continue;
                all->depth[next] = all->depth[node] + 1;
                all->up[next] = e;
                all->in_tree[e] = 1;
                all->queue[tail++] = next;
            }
        }
    }
}

/* ---- telling ---- */

static void add_member(ln_text *text, int *count, const char *name) {
    if (*count < 5)
        ln_text_printf(text, "%s%s", *count > 0 ? ", " : "", name);
    (*count)++;
}

static void tell_loop(ln_structure *all, const forest *tree, size_t closing) {
    const ln_network *network = all->network;
    const ln_fixed *edge = &all->fixed[closing];
    const ln_instance *block = &network->instances[edge->instance];
    all->status = LINNET_MODEL;
    if (edge->a == edge->b) {
        ln_error(all->report, block->place,
                 "%s (%s): both of its sides are at the same potential%s%s%s, which it "
                 "shall set apart; join it to another link",
                 block->name, block->block.type->name, edge->a < network->nlinks ? " (link '" : "",
                 edge->a < network->nlinks ? network->links[edge->a].name : "",
                 edge->a < network->nlinks ? "')" : "");
        return;
    }
    ln_text names = {0};
    int a = edge->a, b = edge->b, count = 0;
    add_member(&names, &count, block->name);
    while (a != b) {
        int *deeper = tree->depth[a] >= tree->depth[b] ? &a : &b;
        const ln_fixed *step = &all->fixed[tree->up[*deeper]];
        add_member(&names, &count, network->instances[step->instance].name);
        *deeper = other_end(step, *deeper);
    }
    if (count > 5)
        ln_text_printf(&names, " and %d more", count - 5);
    ln_error(all->report, block->place,
             "equations of %s fix the same difference of potential; remove one or put a "
             "resistance in series",
             names.data != NULL ? names.data : block->name);
    ln_text_free(&names);
}

int ln_check_loops(ln_structure *all) {
    if (all->nfixed == 0)
        return 1;
    forest tree;
    int nodes = all->network->nlinks + 1;
    int going = forest_allocate(&tree, (size_t)nodes, all->nfixed);
    if (going) {
        list_edges(&tree, all, nodes);
        grow(&tree, all, nodes);
    }
    int reported = 0;
    for (size_t e = 0; going && e < all->nfixed && reported < LN_STRUCTURE_MESSAGES; e++) {
        if (tree.in_tree[e])
            continue;
        tell_loop(all, &tree, e);
        reported++;
    }
    forest_free(&tree);
    return going;
}
