/* SPDX-License-Identifier: MIT */
/* What the signal inputs of a cluster of blocks do to its outputs: whether at all, whether at once, with which sign.
 *
 * The gain H(s) = -(s E + A)^-1 (s E_u + A_u) is computed at three real s: far below all rates of the cluster, for its
 * sign; and twice far above them, where what passes a state falls with s and what does not stays. Entries that change
 * with the state have no values here: some are drawn at random, and a sign that is not the same in all draws is not
 * decidable. What an event or a mode does is not among the entries: it acts on everything. */
#include "network/feedback_graph.h"

#include "base/sys.h"
#include "linear/linear.h"
#include "network/structure.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 12, SLOW = 0, FAST = 1, FASTER = 2, RATES = 3 };

/* An entry of the cluster's matrices; col < 0: that of input -1 - col. */
typedef struct item {
    int row, col, at;              /* at: position in the pattern                                                    */
    double e, a;
    char changes;
} item;

typedef struct solving {
    const ln_network *network;
    const ln_cluster *cluster;
    ln_arena *arena;
    int *place;                    /* global unknown -> row and column here                                          */
    item *items; size_t nitems, room;
    int n, changing;
    ln_pattern pattern;
    ln_linear *linear;
    double *values, *b;
    double s[RATES];
    double *h;                     /* of one draw: [rate][input][output]                                             */
} solving;

/* ---- collecting ---- */

static int number_unknowns(solving *all) {
    for (int k = 0; k < all->cluster->count; k++) {
        const ln_instance *it = &all->network->instances[all->cluster->instances[k]];
        const linnet_block_class *type = it->block.type;
        for (int j = 0; j < type->nports + type->nvars; j++) {
            int unknown = j < type->nports && (type->ports[j].flags & LINNET_INPUT) ? -1
                                                                                  : ln_unknown_at(all->network, it, j);
            if (unknown >= 0 && all->place[unknown] < 0) all->place[unknown] = all->n++;
        }
    }
    return all->n > 0;
}

static void forget_unknowns(const solving *all) {
    for (int k = 0; k < all->cluster->count; k++) {
        const ln_instance *it = &all->network->instances[all->cluster->instances[k]];
        for (int j = 0; j < it->block.type->nports + it->block.type->nvars; j++) {
            int unknown = ln_unknown_at(all->network, it, j);
            if (unknown >= 0) all->place[unknown] = -1;
        }
    }
}

/* Inputs of the block at hand stand together in the cluster's list, in the order of its ports. */
static int input_of(const linnet_block_class *type, int port, int first) {
    for (int j = 0; j < port; j++) first += (type->ports[j].flags & LINNET_INPUT) != 0;
    return first;
}

static int collect(solving *all, int instance, int first_input) {
    const ln_instance *it = &all->network->instances[instance];
    const linnet_block_class *type = it->block.type;
    linnet_block block = it->block;
    char message[256];
    block.work = LN_NEW(all->arena, double, type->nwork + 1);
    double *entry = LN_NEW(all->arena, double, type->nentries + 1);
    if (block.work == NULL || entry == NULL) return 0;
    if (type->prepare != NULL) (void)type->prepare(&block, message); /* the network's check has seen it succeed */
    if (type->linear != NULL) type->linear(&block, entry);
    for (int k = 0; k < type->nentries; k++) {
        const linnet_entry *e = &type->entries[k];
        int row = ln_row_at(all->network, it, e->row), changes = e->change == LINNET_STATE;
        int input = e->col < type->nports && (type->ports[e->col].flags & LINNET_INPUT);
        int unknown = input ? 0 : ln_unknown_at(all->network, it, e->col);
        if (row < 0 || unknown < 0 || (!changes && entry[k] == 0)) continue;
        if (!LN_GROW(all->items, all->nitems, all->room)) return 0;
        item *one = &all->items[all->nitems++];
        *one = (item){.row = all->place[row], .changes = (char)changes,
                      .col = input ? -1 - input_of(type, e->col, first_input) : all->place[unknown]};
        *(e->kind == LINNET_E ? &one->e : &one->a) = changes ? 1 : entry[k];
        all->changing += changes;
    }
    return 1;
}

static int collect_all(solving *all) {
    int first = 0;
    for (int k = 0; k < all->cluster->count; k++) {
        const linnet_block_class *type = all->network->instances[all->cluster->instances[k]].block.type;
        if (!collect(all, all->cluster->instances[k], first)) return 0;
        first = input_of(type, type->nports, first);
    }
    return 1;
}

/* ---- the matrix ---- */

static int by_place(const void *a, const void *b) {
    const item *x = a, *y = b;
    return x->col != y->col ? (x->col > y->col) - (x->col < y->col) : (x->row > y->row) - (x->row < y->row);
}

static int compress(solving *all) {
    qsort(all->items, all->nitems, sizeof *all->items, by_place);
    int *start = LN_NEW(all->arena, int, all->n + 2), *row = LN_NEW(all->arena, int, all->nitems + 1), count = 0;
    if (start == NULL || row == NULL) return 0;
    for (size_t k = 0; k < all->nitems; k++) {
        item *it = &all->items[k];
        if (it->col < 0) continue;
        if (k == 0 || it[-1].col != it->col || it[-1].row != it->row) {
            row[count++] = it->row;
            start[it->col + 1]++;
        }
        it->at = count - 1;
    }
    for (int j = 0; j < all->n; j++) start[j + 1] += start[j];
    all->pattern = (ln_pattern){all->n, start, row};
    all->values = LN_NEW(all->arena, double, count + 1);
    all->b = LN_NEW(all->arena, double, all->n);
    all->h = LN_NEW(all->arena, double, RATES * all->cluster->ninputs * all->cluster->noutputs);
    if (all->n > 1) all->linear = ln_linear_new(&all->pattern, LN_LINEAR_AUTO);
    return all->values && all->b && all->h && (all->n == 1 || all->linear);
}

/* The slowest and the fastest rate that a row with storage and something else suggests. */
static int choose_rates(solving *all) {
    double *e = LN_NEW(all->arena, double, all->n), *a = LN_NEW(all->arena, double, all->n);
    if (e == NULL || a == NULL) return 0;
    for (size_t k = 0; k < all->nitems; k++) {
        e[all->items[k].row] += fabs(all->items[k].e);
        a[all->items[k].row] += fabs(all->items[k].a);
    }
    double least = INFINITY, most = 0;
    for (int i = 0; i < all->n; i++) {
        if (e[i] == 0 || a[i] == 0) continue;
        least = fmin(least, a[i] / e[i]);
        most = fmax(most, a[i] / e[i]);
    }
    if (most == 0) least = most = 1;
    all->s[SLOW] = 1e-8 * least;
    all->s[FAST] = 1e8 * most;
    all->s[FASTER] = 1e10 * most;
    return 1;
}

/* ---- drawing ---- */

/* A number of either sign, its size between 1/32 and 32; the same at every run. */
static double drawn(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u; /* Numerical Recipes, 3rd ed., 7.1.5 */
    double size = exp2((double)(*seed >> 9 & 0x3ff) / 102.4 - 5);
    return *seed >> 31 ? size : -size;
}

static double value_of(const item *it, double s, unsigned *seed) {
    double value = s * it->e + it->a;
    return it->changes ? value * drawn(seed) : value;
}

/* H at one rate for a draw; 0 where the matrix is singular. */
static int solve(solving *all, int rate, unsigned draw) {
    int ninputs = all->cluster->ninputs, noutputs = all->cluster->noutputs, nvalues = all->pattern.start[all->n];
    double s = all->s[rate];
    unsigned seed = draw;
    for (int k = 0; k < nvalues; k++) all->values[k] = 0;
    for (size_t k = 0; k < all->nitems; k++) {
        double value = value_of(&all->items[k], s, &seed);
        if (all->items[k].col >= 0) all->values[all->items[k].at] += value;
    }
    if (all->n == 1 ? nvalues == 0 || all->values[0] == 0 : ln_linear_factor(all->linear, all->values) != LN_FACTORED)
        return 0;
    for (int u = 0; u < ninputs; u++) {
        for (int i = 0; i < all->n; i++) all->b[i] = 0;
        seed = draw;
        for (size_t k = 0; k < all->nitems; k++) {
            double value = value_of(&all->items[k], s, &seed);
            if (all->items[k].col == -1 - u) all->b[all->items[k].row] -= value;
        }
        if (all->n == 1) all->b[0] /= all->values[0];
        else ln_linear_solve(all->linear, all->b);
        for (int y = 0; y < noutputs; y++) {
            const ln_terminal *out = &all->cluster->outputs[y];
            int unknown = ln_unknown_at(all->network, &all->network->instances[out->instance], out->port);
            all->h[(rate * ninputs + u) * noutputs + y] = all->b[all->place[unknown]];
        }
    }
    return 1;
}

/* A gain after one more draw. */
static void judge(ln_gain *gain, double slow, double fast, double faster, int first) {
    signed char sign = (signed char)((slow > 0) - (slow < 0));
    gain->acts |= slow != 0 || fast != 0;
    gain->direct |= fast != 0 && fabs(faster) > 0.3 * fabs(fast);
    gain->sign = first || gain->sign == sign ? sign : 0;
}

static void draw_all(solving *all) {
    int nio = all->cluster->ninputs * all->cluster->noutputs, good = 0;
    unsigned draws = all->changing > 0 ? DRAWS : 1;
    for (unsigned draw = 0; draw < draws; draw++) {
        unsigned seed = 12345u + draw * 2654435769u; /* Knuth's multiplier spreads the seeds */
        if (!solve(all, SLOW, seed) || !solve(all, FAST, seed) || !solve(all, FASTER, seed)) continue;
        for (int k = 0; k < nio; k++)
            judge(&all->cluster->gains[k], all->h[k], all->h[FAST * nio + k], all->h[FASTER * nio + k], good == 0);
        good++;
    }
    for (int k = 0; good == 0 && k < nio; k++) all->cluster->gains[k] = (ln_gain){.acts = 1, .direct = 1};
}

/* ---- events and modes ---- */

static void add_events(const solving *all) {
    int events = 0, modes = 0;
    for (int k = 0; k < all->cluster->count; k++) {
        const linnet_block_class *type = all->network->instances[all->cluster->instances[k]].block.type;
        events += type->nevents;
        modes += type->nmodes;
    }
    for (int k = 0; (events > 0 || modes > 0) && k < all->cluster->ninputs * all->cluster->noutputs; k++) {
        ln_gain *gain = &all->cluster->gains[k];
        if (!gain->acts || events > 0) gain->sign = 0;
        gain->acts = 1;
        gain->direct |= modes > 0;
    }
}

static int fill(solving *all) {
    if (!number_unknowns(all)) return 1;
    if (!collect_all(all) || !compress(all) || !choose_rates(all)) return 0;
    draw_all(all);
    add_events(all);
    return 1;
}

linnet_status ln_cluster_gains(const ln_network *network, const ln_cluster *cluster, int *place, ln_report *report) {
    solving all = {.network = network, .cluster = cluster, .place = place, .arena = ln_arena_new()};
    int going = all.arena != NULL && fill(&all);
    if (all.arena != NULL) forget_unknowns(&all);
    ln_linear_free(all.linear);
    ln_sys->release(all.items);
    ln_arena_free(all.arena);
    return going ? LINNET_OK : ln_no_memory(report);
}
