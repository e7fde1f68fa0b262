/* SPDX-License-Identifier: MIT */
/* What the signal inputs of a cluster of blocks do to its outputs: whether at all, whether at once,
 * with which sign.
 *
 * The gain H(s) = -(s E + A)^-1 (s E_u + A_u) is computed at three real s: far below all rates of
 * the cluster, for its sign; and twice far above them, where what passes a state falls with s and
 * what does not stays. Of entries that change only bounds are known: some numbers within them are
 * drawn at random, and a sign that is not the same in all draws is not decidable; then it is looked
 * for at the start of a run, where they have values. What an event does is not among the entries:
 * it acts on everything, and the sign is that of entries with what events set (feedback_sets.c). */
#include "network/feedback_graph.h"

#include "base/sys.h"
#include "blocks/equations.h"
#include "linear/linear.h"
#include "network/structure.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 12, SLOW = 0, FAST = 1, FASTER = 2, RATES = 3 };

typedef struct solving {
    const ln_network *network;
    const ln_cluster *cluster;
    ln_arena *arena;
    int *place; /* global unknown -> row and column here */
    ln_gain_items items;
    ln_gain *gains;
    int n, changing;
    int out_of_memory; /* for a factorisation: nothing is known of the gains */
    ln_pattern pattern;
    ln_linear *linear;
    double *values, *b;
    double s[RATES];
    double *h; /* of one draw: [rate][input][output] */
} solving;

/* ---- unknowns ---- */

static int number_unknowns(solving *all) {
    for (int k = 0; k < all->cluster->count; k++) {
        const ln_instance *instance = &all->network->instances[all->cluster->instances[k]];
        const linnet_block_class *type = instance->block.type;
        for (int j = 0; j < type->nports + type->nvars; j++) {
            int unknown = j < type->nports && (type->ports[j].flags & LINNET_INPUT)
                              ? -1
                              : ln_unknown_at(all->network, instance, j);
            if (unknown >= 0 && all->place[unknown] < 0)
                all->place[unknown] = all->n++;
        }
    }
    return all->n > 0;
}

static void forget_unknowns(const solving *all) {
    for (int k = 0; k < all->cluster->count; k++) {
        const ln_instance *instance = &all->network->instances[all->cluster->instances[k]];
        for (int j = 0; j < instance->block.type->nports + instance->block.type->nvars; j++) {
            int unknown = ln_unknown_at(all->network, instance, j);
            if (unknown >= 0)
                all->place[unknown] = -1;
        }
    }
}

/* ---- the matrix ---- */

static int by_place(const void *a, const void *b) {
    const ln_gain_item *x = a, *y = b;
    return x->col != y->col ? (x->col > y->col) - (x->col < y->col)
                            : (x->row > y->row) - (x->row < y->row);
}

static int compress(solving *all) {
    ln_gain_items *items = &all->items;
    if (items->count > 0)
        qsort(items->item, items->count, sizeof *items->item, by_place);
    int *start = LN_NEW(all->arena, int, all->n + 2),
        *row = LN_NEW(all->arena, int, items->count + 1), count = 0;
    if (start == NULL || row == NULL)
        return 0;
    for (size_t k = 0; k < items->count; k++) {
        ln_gain_item *item = &items->item[k];
        all->changing += item->is.low < item->is.high;
        if (item->col < 0)
            continue;
        if (k == 0 || item[-1].col != item->col || item[-1].row != item->row) {
            row[count++] = item->row;
            start[item->col + 1]++;
        }
        item->at = count - 1;
    }
    for (int j = 0; j < all->n; j++)
        start[j + 1] += start[j];
    all->pattern = (ln_pattern){all->n, start, row};
    all->values = LN_NEW(all->arena, double, count + 1);
    all->b = LN_NEW(all->arena, double, all->n);
    all->h = LN_NEW(all->arena, double, RATES * all->cluster->ninputs * all->cluster->noutputs);
    if (all->n > 1)
        all->linear = ln_linear_new(&all->pattern, LN_LINEAR_AUTO);
    return all->values && all->b && all->h && (all->n == 1 || all->linear);
}

/* The slowest and the fastest rate that a row with storage and something else suggests. */
static int choose_rates(solving *all) {
    double *e = LN_NEW(all->arena, double, all->n), *a = LN_NEW(all->arena, double, all->n);
    if (e == NULL || a == NULL)
        return 0;
    for (size_t k = 0; k < all->items.count; k++) {
        const ln_gain_item *item = &all->items.item[k];
        (item->kind == LINNET_E ? e : a)[item->row] +=
            item->is.low == item->is.high ? fabs(item->is.low) : 1;
    }
    double least = INFINITY, most = 0;
    for (int i = 0; i < all->n; i++) {
        if (e[i] == 0 || a[i] == 0)
            continue;
        least = fmin(least, a[i] / e[i]);
        most = fmax(most, a[i] / e[i]);
    }
    if (most == 0)
        least = most = 1;
    all->s[SLOW] = 1e-8 * least;
    all->s[FAST] = 1e8 * most;
    all->s[FASTER] = 1e10 * most;
    return 1;
}

/* ---- drawing ---- */

/* A number within bounds, the same at every run. Where these are open its size, or its distance
 * from the end that is closed, is between 1/32 and 32. */
static double drawn(ln_interval is, unsigned *seed) {
    /* Numerical Recipes, 3rd ed., 7.1.5 */
    unsigned bits = *seed = *seed * 1664525u + 1013904223u;
    /* and mixed, as MurmurHash3 ends: neighbours differ in all */
    bits = (bits ^ bits >> 16) * 0x85ebca6bu;
    bits = (bits ^ bits >> 13) * 0xc2b2ae35u;
    bits ^= bits >> 16;
    const double part = ((double)(bits & 0x3ff) + 0.5) / 1024, size = exp2(10 * part - 5);
    if (isfinite(is.low) && isfinite(is.high))
        return is.low + (is.high - is.low) * part;
    if (isfinite(is.low))
        return is.low + size;
    if (isfinite(is.high))
        return is.high - size;
    return bits >> 31 ? size : -size;
}

static double value_of(const ln_gain_item *item, double s, unsigned *seed) {
    const double value = item->is.low < item->is.high ? drawn(item->is, seed) : item->is.low;
    return item->kind == LINNET_E ? s * value : value;
}

/* H at one rate for a draw; 0 where the matrix is singular. */
static int solve(solving *all, int rate, unsigned draw) {
    int ninputs = all->cluster->ninputs, noutputs = all->cluster->noutputs,
        nvalues = all->pattern.start[all->n];
    double s = all->s[rate];
    unsigned seed = draw;
    for (int k = 0; k < nvalues; k++)
        all->values[k] = 0;
    for (size_t k = 0; k < all->items.count; k++) {
        double value = value_of(&all->items.item[k], s, &seed);
        if (all->items.item[k].col >= 0)
            all->values[all->items.item[k].at] += value;
    }
    const ln_factored factored =
        all->n > 1 ? ln_linear_factor(all->linear, all->values)
                   : (nvalues == 0 || all->values[0] == 0 ? LN_SINGULAR : LN_FACTORED);
    all->out_of_memory |= factored == LN_FACTOR_MEMORY;
    if (factored != LN_FACTORED)
        return 0;
    for (int u = 0; u < ninputs; u++) {
        for (int i = 0; i < all->n; i++)
            all->b[i] = 0;
        seed = draw;
        for (size_t k = 0; k < all->items.count; k++) {
            double value = value_of(&all->items.item[k], s, &seed);
            if (all->items.item[k].col == -1 - u)
                all->b[all->items.item[k].row] -= value;
        }
        if (all->n == 1)
            all->b[0] /= all->values[0];
        else
            ln_linear_solve(all->linear, all->b);
        for (int y = 0; y < noutputs; y++) {
            const ln_terminal *out = &all->cluster->outputs[y];
            int unknown =
                ln_unknown_at(all->network, &all->network->instances[out->instance], out->port);
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
        if (!solve(all, SLOW, seed) || !solve(all, FAST, seed) || !solve(all, FASTER, seed))
            continue;
        for (int k = 0; k < nio; k++)
            judge(&all->gains[k], all->h[k], all->h[FAST * nio + k], all->h[FASTER * nio + k],
                  good == 0);
        good++;
    }
    for (int k = 0; good == 0 && k < nio; k++)
        all->gains[k] = (ln_gain){.acts = 1, .direct = 1};
}

/* ---- events ---- */

typedef struct acting {
    int events, modes; /* modes: of types in C */
    int closed;        /* events and modes of types in C, of which is not known what they do */
} acting;

/* Events that have nothing to set only watch. */
static acting count_acting(const ln_network *network, const ln_cluster *cluster) {
    acting count = {.events = 0};
    for (int k = 0; k < cluster->count; k++) {
        const linnet_block_class *type = network->instances[cluster->instances[k]].block.type;
        const int memories = type->nmemories - type->nmodes - LN_DELAY_MEMORIES * type->ndelays;
        const int events = memories > 0 || type->nset > 0 ? type->nevents : 0;
        count.events += events;
        if (ln_class_residuals(type) == NULL)
            count.modes += type->nmodes, count.closed += type->nmodes + events;
    }
    return count;
}

/* What events do, and modes of types in C, is not among the entries. */
static void add_events(const solving *all) {
    const acting count = count_acting(all->network, all->cluster);
    const int nio = all->cluster->ninputs * all->cluster->noutputs;
    for (int k = 0; (count.events > 0 || count.modes > 0) && k < nio; k++) {
        ln_gain *gain = &all->gains[k];
        if (!gain->acts || count.events > 0)
            gain->sign = 0;
        gain->acts = 1;
        gain->direct |= count.modes > 0;
    }
}

/* ---- all ---- */

static int fill(solving *all, const ln_feedback_point *point) {
    if (!number_unknowns(all))
        return 1;
    if (!ln_gain_items_collect(all->network, all->cluster, all->place, all->n, point, &all->items))
        return 0;
    all->n += all->items.extra;
    if (!compress(all) || !choose_rates(all))
        return 0;
    draw_all(all);
    if (all->items.open)
        memset(all->gains, 0,
               (size_t)(all->cluster->ninputs * all->cluster->noutputs) * sizeof *all->gains);
    if (!all->items.sets)
        add_events(all);
    return !all->out_of_memory;
}

/* The gains, with entries as they are everywhere, or at a point; sets: with what events set. */
static int solve_gains(const ln_gaining *all, const ln_cluster *cluster,
                       const ln_feedback_point *point, int sets, ln_gain *gains) {
    solving solution = {.network = all->network,
                        .cluster = cluster,
                        .place = all->place,
                        .items = {.sets = sets},
                        .gains = gains,
                        .arena = ln_arena_new()};
    int good = solution.arena != NULL && fill(&solution, point);
    forget_unknowns(&solution);
    ln_linear_free(solution.linear);
    ln_sys->release(solution.items.item);
    ln_arena_free(solution.arena);
    return good;
}

static const ln_feedback_point *start_point(ln_gaining *all) {
    const ln_feedback_start *start = all->start;
    if (all->sought == 0)
        all->sought = start != NULL && start->find(start->context, &all->point) ? 1 : -1;
    return all->sought > 0 ? &all->point : NULL;
}

static ln_gain *new_gains(const ln_cluster *cluster) {
    const size_t size = (size_t)(cluster->ninputs * cluster->noutputs) * sizeof(ln_gain);
    ln_gain *gains = ln_sys->allocate(size);
    if (gains != NULL)
        memset(gains, 0, size);
    return gains;
}

/* The signs where events set something. */
static int find_signs_of_sets(const ln_gaining *all, const ln_cluster *cluster) {
    const int count = cluster->ninputs * cluster->noutputs;
    const acting has = count_acting(all->network, cluster);
    if (count == 0 || has.events == 0 || has.closed > 0)
        return 1;
    ln_gain *gains = new_gains(cluster);
    const int good = gains != NULL && solve_gains(all, cluster, NULL, 1, gains);
    for (int k = 0; good && k < count; k++)
        cluster->gains[k].sign = gains[k].sign;
    ln_sys->release(gains);
    return good;
}

linnet_status ln_cluster_gains(ln_gaining *all, const ln_cluster *cluster, ln_report *report) {
    const int count = cluster->ninputs * cluster->noutputs;
    int undecided = 0;
    if (!solve_gains(all, cluster, NULL, 0, cluster->gains) || !find_signs_of_sets(all, cluster))
        return ln_no_memory(report);
    for (int k = 0; k < count; k++) {
        cluster->gains[k].start = cluster->gains[k].sign;
        undecided |= cluster->gains[k].acts && cluster->gains[k].sign == 0;
    }
    const ln_feedback_point *point = undecided ? start_point(all) : NULL;
    if (point == NULL)
        return LINNET_OK;
    ln_gain *gains = new_gains(cluster);
    if (gains == NULL)
        return ln_no_memory(report);
    const int good = solve_gains(all, cluster, point, 0, gains);
    for (int k = 0; good && k < count; k++)
        if (cluster->gains[k].sign == 0)
            cluster->gains[k].start = gains[k].sign;
    ln_sys->release(gains);
    return good ? LINNET_OK : ln_no_memory(report);
}
