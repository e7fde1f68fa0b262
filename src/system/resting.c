/* SPDX-License-Identifier: MIT */
/* Chunks of devices that have rested for some time cost nothing: what they give together is a sum
 * of values and a matrix of slopes, and only an unknown that leaves the range in which all its
 * devices rest brings them back, one by one.
 *
 * The sums count the way from a point of reference, where each unknown stood when the first chunk
 * on it was held, so that nothing of size cancels. A chunk that is let go is subtracted: what it
 * added is computed again from the same numbers, and sums are kept in two doubles [T. J. Dekker, A
 * floating-point technique for extending the available precision, Numer. Math. 18, 1971], so that
 * 1e-32 of the largest that was ever in them may stay. Where parts of the network store differences
 * alone (supernodes.c), no chunk is held. */
/* As in batch.c: the loops are over many numbers side by side. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "system/batch.h"

#include <math.h>
#include <string.h>

/* Numbers in two parts: what a double holds of them, and what is beyond it. */
typedef struct wide {
    double *value, *from_outside;
} wide;

struct ln_resting {
    int count;       /* chunks held */
    int n, nentries; /* rows; positions of system->pattern */
    /* n: of the places of all devices held on the unknown the least and the largest; else infinite,
     * the other way round */
    double *low, *high;
    double *reference; /* n */
    int *held;         /* n: lanes held on the unknown */
    /* the chunks on unknown i: of[start[i]] to of[start[i + 1] - 1] */
    int *start;
    struct seat {
        const ln_batch *batch;
        ln_chunk *chunk;
    } * of;
    wide f, q;   /* n: what the chunks give where all unknowns are at their reference */
    wide df, dq; /* nentries: and its derivatives */
};

/* ---- set-up ---- */

static int new_wide(ln_arena *arena, wide *sums, int count) {
    *sums = (wide){LN_NEW(arena, double, count), LN_NEW(arena, double, count)};
    return sums->value != NULL && sums->from_outside != NULL;
}

/* Does a chunk's list name the unknown before entry k? */
static int is_named(const ln_scatter *gather, int k) {
    for (int i = 0; i < k; i++)
        if (gather->from[i] == gather->from[k])
            return 1;
    return 0;
}

/* Counts the chunks on each unknown behind its place, or, with `of`, puts them there. */
static void list_chunks(const ln_system *system, struct ln_resting *resting) {
    for (int b = 0; b < system->own->nbatches; b++) {
        const ln_batch *batch = &system->own->batches[b];
        for (int c = 0; c < ln_batch_chunks(batch); c++) {
            const ln_scatter *gather = &batch->chunks[c].gather;
            for (int k = 0; k < gather->count; k++) {
                if (is_named(gather, k))
                    continue;
                if (resting->of == NULL)
                    resting->start[gather->from[k] + 2]++;
                else
                    resting->of[resting->start[gather->from[k] + 1]++] =
                        (struct seat){batch, &batch->chunks[c]};
            }
        }
    }
}

static void forget_unknown(struct ln_resting *resting, int i) {
    resting->low[i] = INFINITY;
    resting->high[i] = -INFINITY;
    resting->reference[i] = 0;
    resting->held[i] = 0;
}

static int allocate(struct ln_resting *resting, ln_arena *arena) {
    const int n = resting->n, nentries = resting->nentries;
    resting->low = LN_NEW(arena, double, n);
    resting->high = LN_NEW(arena, double, n);
    resting->reference = LN_NEW(arena, double, n);
    resting->held = LN_NEW(arena, int, n);
    resting->start = LN_NEW(arena, int, n + 2);
    return resting->low && resting->high && resting->reference && resting->held && resting->start &&
           new_wide(arena, &resting->f, n) && new_wide(arena, &resting->q, n) &&
           new_wide(arena, &resting->df, nentries) && new_wide(arena, &resting->dq, nentries);
}

/* The chunks of each unknown: counted first, then listed. */
static int list_by_unknown(ln_system *system, struct ln_resting *resting) {
    list_chunks(system, resting);
    for (int i = 0; i < resting->n; i++)
        resting->start[i + 2] += resting->start[i + 1];
    resting->of = LN_NEW(system->arena, struct seat, resting->start[resting->n + 1]);
    if (resting->of == NULL)
        return 0;
    list_chunks(system, resting);
    return 1;
}

linnet_status ln_resting_new(ln_system *system) {
    if (system->own->nbatches == 0 || system->nparts > 0)
        return LINNET_OK;
    struct ln_resting *resting = LN_NEW(system->arena, struct ln_resting, 1);
    if (resting == NULL)
        return LINNET_MEMORY;
    *resting = (struct ln_resting){.n = system->n, .nentries = system->pattern.start[system->n]};
    if (!allocate(resting, system->arena) || !list_by_unknown(system, resting))
        return LINNET_MEMORY;
    for (int i = 0; i < resting->n; i++)
        forget_unknown(resting, i);
    system->own->resting = resting;
    return LINNET_OK;
}

/* ---- sums ---- */

static void add_wide(const wide *sums, int k, double value) {
    const double before = sums->value[k], sum = before + value, way = sum - before;
    const double lost = (before - (sum - way)) + (value - way) + sums->from_outside[k];
    sums->value[k] = sum + lost;
    sums->from_outside[k] = lost - (sums->value[k] - sum);
}

static void add_values(const wide *sums, const ln_chunk *chunk, const ln_batch *batch, int first,
                       int end, double sign) {
    const double *value = batch->work + first * chunk->count;
    for (int k = first; k < end; k++)
        for (int l = 0; l < chunk->count; l++)
            add_wide(sums, chunk->row[k][l], sign * *value++);
}

static void add_entries(const wide *sums, const ln_chunk *chunk, const ln_lane_sums *list,
                        const int *slot, double *entry, double sign) {
    ln_lanes_sum(list, chunk->flows, chunk->count, entry);
    for (int k = 0; k < list->count * chunk->count; k++)
        add_wide(sums, slot[k], sign * entry[k]);
}

/* The chunk joins the sums (1) or leaves them (-1). */
static void add_chunk(const ln_system *system, const struct seat *seat, double sign) {
    const struct ln_resting *resting = system->own->resting;
    const ln_chunk *chunk = seat->chunk;
    const ln_batch *batch = seat->batch;
    ln_chunk_values(batch, seat->chunk, resting->reference);
    add_values(&resting->f, chunk, batch, 0, batch->nf, sign);
    add_values(&resting->q, chunk, batch, batch->nf, batch->values.count, sign);
    add_entries(&resting->df, chunk, &batch->df, system->df_slot + chunk->first_df, batch->work,
                sign);
    add_entries(&resting->dq, chunk, &batch->dq, system->dq_slot + chunk->first_dq, batch->work,
                sign);
}

/* ---- holding and letting go ---- */

static void narrow(struct ln_resting *resting, const ln_batch *batch, const ln_chunk *chunk,
                   const double *x) {
    const ln_scatter *gather = &chunk->gather;
    const double *place = chunk->place[0];
    for (int k = 0; k < gather->count; k++) {
        const int i = gather->from[k];
        const double at = batch->shape->sign * place[gather->to[k]];
        if (resting->held[i]++ == 0)
            resting->reference[i] = x[i];
        resting->low[i] = fmin(resting->low[i], at);
        resting->high[i] = fmax(resting->high[i], at);
    }
}

/* From now on the chunk, which has just been visited, is held. */
static void hold(ln_system *system, const ln_batch *batch, ln_chunk *chunk, const ln_look *at) {
    struct ln_resting *resting = system->own->resting;
    narrow(resting, batch, chunk, at->x);
    add_chunk(system, &(struct seat){batch, chunk}, 1);
    chunk->held = 1;
    resting->count++;
}

static void let_go(ln_system *system, const struct seat *seat) {
    struct ln_resting *resting = system->own->resting;
    const ln_scatter *gather = &seat->chunk->gather;
    add_chunk(system, seat, -1);
    for (int k = 0; k < gather->count; k++)
        if (--resting->held[gather->from[k]] == 0)
            forget_unknown(resting, gather->from[k]);
    seat->chunk->held = seat->chunk->quiet = 0;
    resting->count--;
}

static void clear(const wide *sums, int count) {
    memset(sums->value, 0, (size_t)count * sizeof *sums->value);
    memset(sums->from_outside, 0, (size_t)count * sizeof *sums->from_outside);
}

void ln_resting_drop(ln_system *system) {
    struct ln_resting *resting = system->own->resting;
    if (resting == NULL || resting->count == 0)
        return;
    for (int k = 0; k < resting->start[resting->n]; k++)
        resting->of[k].chunk->held = resting->of[k].chunk->quiet = 0;
    for (int i = 0; i < resting->n; i++)
        forget_unknown(resting, i);
    clear(&resting->f, resting->n);
    clear(&resting->q, resting->n);
    clear(&resting->df, resting->nentries);
    clear(&resting->dq, resting->nentries);
    resting->count = 0;
}

static void let_go_moved(ln_system *system, const double *x, double rests) {
    struct ln_resting *resting = system->own->resting;
    for (int i = 0; i < resting->n; i++) {
        if (x[i] >= resting->high[i] - rests && x[i] <= resting->low[i] + rests)
            continue;
        for (int k = resting->start[i]; k < resting->start[i + 1]; k++)
            if (resting->of[k].chunk->held)
                let_go(system, &resting->of[k]);
    }
}

/* ---- what they give ---- */

static void give(const ln_system *system, const ln_look *at) {
    const struct ln_resting *resting = system->own->resting;
    const ln_pattern *pattern = &system->pattern;
    for (int i = 0; i < resting->n; i++) {
        if (at->f != NULL)
            at->f[i] += resting->f.value[i];
        if (at->q != NULL)
            at->q[i] += resting->q.value[i];
    }
    for (int j = 0; j < resting->n; j++) {
        const double way = resting->held[j] > 0 ? at->x[j] - resting->reference[j] : 0;
        for (int k = pattern->start[j]; way != 0 && k < pattern->start[j + 1]; k++) {
            if (at->f != NULL)
                at->f[pattern->row[k]] += resting->df.value[k] * way;
            if (at->q != NULL)
                at->q[pattern->row[k]] += resting->dq.value[k] * way;
        }
    }
}

/* Before the chunks are visited: those that are held and no longer rest at this point are let go,
 * and what the others give is added to at->q and at->f. Returns whether chunks may be held now. */
static int begin(ln_system *system, ln_look *at) {
    struct ln_resting *resting = system->own->resting;
    if (resting == NULL)
        return 0;
    if (!(at->rests > 0)) {
        ln_resting_drop(system);
        return 0;
    }
    if (resting->count > 0)
        let_go_moved(system, at->x, at->rests);
    if (resting->count > 0)
        give(system, at);
    return at->entries;
}

int ln_resting_count(const ln_system *system) {
    return system->own->resting == NULL ? 0 : system->own->resting->count;
}

/* ---- slopes of all ---- */

/* values += df + alpha dq, of `count` entries at the same places. */
static void add_both(const double *df, const double *dq, const int *slot, double alpha, int count,
                     double *values) {
    for (int k = 0; k < count; k++)
        values[slot[k]] = values[slot[k]] + df[k] + alpha * dq[k];
}

/* values += factor slopes, of `count` entries. */
static void add_slopes(const double *slopes, const int *slot, double factor, int count,
                       double *values) {
    for (int k = 0; k < count; k++)
        values[slot[k]] += factor * slopes[k];
}

/* y += dq x, of `count` entries from number `first` on. */
static void apply_dq(const ln_system *system, int first, int count, const double *x, double *y) {
    for (int k = first; k < first + count; k++)
        y[system->dq_row[k]] += system->dq[k] * x[system->dq_col[k]];
}

static void add_slopes_of(const ln_system *system, const ln_batch *batch, const ln_chunk *chunk,
                          double alpha, double *values) {
    const double *df = system->df + chunk->first_df, *dq = system->dq + chunk->first_dq;
    const int *f_slot = system->df_slot + chunk->first_df,
              *q_slot = system->dq_slot + chunk->first_dq;
    const int count = chunk->count, shared = batch->shared * count;
    add_both(df, dq, f_slot, alpha, shared, values);
    add_slopes(df + shared, f_slot + shared, 1, batch->df.count * count - shared, values);
    add_slopes(dq + shared, q_slot + shared, alpha, batch->dq.count * count - shared, values);
}

void ln_add_slopes(const ln_system *system, double alpha, double *values) {
    const struct ln_system_private *own = system->own;
    const int f = own->single_df, q = own->single_dq;
    for (int k = 0; ln_resting_count(system) > 0 && k < own->resting->nentries; k++)
        values[k] += own->resting->df.value[k] + alpha * own->resting->dq.value[k];
    for (int b = 0; b < own->nbatches; b++) {
        const ln_batch *batch = &own->batches[b];
        for (int c = 0; c < ln_batch_chunks(batch); c++)
            if (!batch->chunks[c].held)
                add_slopes_of(system, batch, &batch->chunks[c], alpha, values);
    }
    add_slopes(system->df + f, system->df_slot + f, 1, system->ndf - f, values);
    add_slopes(system->dq + q, system->dq_slot + q, alpha, system->ndq - q, values);
}

void ln_system_add_stored(const ln_system *system, const double *x, double *q) {
    const struct ln_system_private *own = system->own;
    const ln_pattern *pattern = &system->pattern;
    if (ln_resting_count(system) == 0) {
        apply_dq(system, 0, system->ndq, x, q);
        return;
    }
    for (int j = 0; j < system->n; j++)
        for (int k = pattern->start[j]; own->resting->held[j] > 0 && k < pattern->start[j + 1]; k++)
            q[pattern->row[k]] += own->resting->dq.value[k] * x[j];
    for (int b = 0; b < own->nbatches; b++) {
        const ln_batch *batch = &own->batches[b];
        for (int c = 0; c < ln_batch_chunks(batch); c++)
            if (!batch->chunks[c].held)
                apply_dq(system, batch->chunks[c].first_dq,
                         batch->dq.count * batch->chunks[c].count, x, q);
    }
    apply_dq(system, own->single_dq, system->ndq - own->single_dq, x, q);
}

linnet_status ln_batches_visit(ln_system *system, ln_look *at) {
    const int rests = begin(system, at), looked = ln_threads_look(system, at);
    ln_seen one;
    for (int k = 0; k < system->own->nbatches; k++) {
        const ln_batch *batch = &system->own->batches[k];
        for (int c = 0; c < ln_batch_chunks(batch); c++) {
            ln_chunk *chunk = &batch->chunks[c];
            if (chunk->held)
                continue;
            if (!looked) {
                one.values = batch->work;
                ln_chunk_look(system, batch, chunk, at, &one);
            }
            LN_TRY(ln_chunk_give(system, batch, chunk, at, looked ? chunk->seen : &one));
            if (rests && chunk->quiet >= LN_QUIET)
                hold(system, batch, chunk, at);
        }
    }
    return LINNET_OK;
}
