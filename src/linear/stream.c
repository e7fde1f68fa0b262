/* SPDX-License-Identifier: MIT */
/* Solving over factors that are read once, front to back.
 *
 * With D = diag(U) the triangular systems of a diagonal block are
 *   z_k = (b_k / r_k - sum F_kj x_j - sum_{j<k} l_kj u_jj z_j) / u_kk,      x_k = z_k - sum_{j>k}
 * (u_kj / u_kk) x_j, so that after the first multiplication only sums of products remain. Each z_k
 * and x_k is one row of the stream: it reads slots of earlier rows and fills the next slot. By
 * rows, not by columns as KLU has them, because a sum stays in a register. Rows of a block are
 * sorted by the length of the chain they wait for and then by their number of entries: neighbours
 * are independent and loops alike, which is worth more than the order of elimination. Where each
 * row waits for the one or two before it alone, as in ladders, what it waits for stays in a
 * register: through memory a chain takes half as long again. */
/* As in matrix.c: short loops are unrolled by -O3 only. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "linear/stream.h"

#include "base/sys.h"
#include <string.h>

/* What the rows of a segment are, all of one length: z of a block, x of a block, or x of blocks
 * with one row, where z is x. */
typedef enum segment_kind { FORWARD, BACKWARD, SINGLE } segment_kind;
typedef struct segment {
    segment_kind kind;
    int length, rows;
    int stride; /* each row reads the one that stands so many before it, and no other; 0: any */
} segment;
enum {
    STRIDES = 2, /* of chains that stand in registers: twisted_order.c makes two of one */
    CHAIN = 8    /* rows that are worth a segment of their own */
};

struct ln_stream {
    int n, rows, segments, structured;
    segment *segment;
    /* per row */
    int *from;      /* row of b that starts it; BACKWARD: slot of its z */
    int *to;        /* unknown it gives; FORWARD: none */
    double *factor; /* FORWARD, SINGLE: 1 / (r_k u_kk) */
    double *x;      /* slots */
    /* per entry */
    int *slot; /* what it multiplies */
    double *value;
    /* index in slot and value of the factors' entries, in the order of for_entries */
    int *place;
    int *forward; /* per position, for the build: slot of z */
    int *ints;    /* the storage of all of these */
    double *doubles;
};

/* What the build works with, in the place of the numbers, which come later. */
typedef struct workshop {
    int *kind, *length, *next; /* per row */
    /* per position; backward: slot of x */
    int *backward, *forward_length, *backward_length, *level, *bucket, *sorted;
} workshop;

/* Takes `count` of a storage. */
static int *take(int **storage, size_t count) {
    int *taken = *storage;
    *storage += count;
    return taken;
}

static workshop workshop_in(void *storage, size_t n) {
    int *at = storage;
    return (workshop){.kind = take(&at, 2 * n),
                      .length = take(&at, 2 * n),
                      .next = take(&at, 2 * n),
                      .backward = take(&at, n),
                      .forward_length = take(&at, n),
                      .backward_length = take(&at, n),
                      .level = take(&at, n),
                      .sorted = take(&at, n),
                      .bucket = take(&at, n + 3)};
}

/* Numbers that such a workshop takes the place of. */
static size_t numbers_of_workshop(size_t n) {
    return 6 * n + 2;
}

static size_t entries_of(const ln_factors *factors) {
    size_t entries = (size_t)factors->beside_start[factors->n];
    for (int block = 0; block < factors->blocks; block++) {
        int first = factors->first[block], end = factors->first[block + 1];
        for (int k = first; k < end && end - first > 1; k++)
            entries += (size_t)factors->lower_length[k] + (size_t)factors->upper_length[k];
    }
    return entries;
}

ln_stream *ln_stream_new(const ln_factors *factors) {
    const size_t n = (size_t)factors->n, entries = entries_of(factors),
                 numbers = 4 * n + entries + 1, least = numbers_of_workshop(n);
    ln_stream *stream = ln_sys->allocate(sizeof *stream);
    if (stream == NULL)
        return NULL;
    *stream = (ln_stream){.n = factors->n};
    stream->segment = ln_sys->allocate((2 * n + 1) * sizeof *stream->segment);
    stream->ints = ln_sys->allocate((5 * n + 2 * entries + 1) * sizeof *stream->ints);
    stream->doubles =
        ln_sys->allocate((numbers > least ? numbers : least) * sizeof *stream->doubles);
    if (stream->segment == NULL || stream->ints == NULL || stream->doubles == NULL) {
        ln_stream_free(stream);
        return NULL;
    }
    int *at = stream->ints;
    stream->from = take(&at, 2 * n);
    stream->to = take(&at, 2 * n);
    stream->forward = take(&at, n);
    stream->slot = take(&at, entries);
    stream->place = take(&at, entries);
    stream->factor = stream->doubles;
    stream->x = stream->factor + 2 * n;
    stream->value = stream->x + 2 * n;
    return stream;
}

void ln_stream_free(ln_stream *stream) {
    if (stream == NULL)
        return;
    ln_sys->release(stream->segment);
    ln_sys->release(stream->ints);
    ln_sys->release(stream->doubles);
    ln_sys->release(stream);
}

/* ---- order of the rows ---- */

static void count_entries(const workshop *shop, const ln_factors *factors) {
    const size_t n = (size_t)factors->n;
    memset(shop->forward_length, 0, n * sizeof(int));
    memset(shop->backward_length, 0, n * sizeof(int));
    for (int p = 0; p < factors->beside_start[n]; p++)
        shop->forward_length[factors->beside_row[p]]++;
    for (int block = 0; block < factors->blocks; block++) {
        int first = factors->first[block], end = factors->first[block + 1];
        for (int k = first; k < end && end - first > 1; k++) {
            ln_factor_column lower = ln_lower_column(factors, block, k),
                             upper = ln_upper_column(factors, block, k);
            for (int p = 0; p < lower.length; p++)
                shop->forward_length[first + lower.row[p]]++;
            for (int p = 0; p < upper.length; p++)
                shop->backward_length[first + upper.row[p]]++;
        }
    }
}

static int larger(int a, int b) {
    return a > b ? a : b;
}
static int smaller(int a, int b) {
    return a < b ? a : b;
}

/* level[k]: how many rows of the block must come before row k, one after the other. */
static void find_levels(const workshop *shop, const ln_factors *factors, int block,
                        segment_kind kind) {
    int first = factors->first[block], end = factors->first[block + 1];
    for (int k = first; k < end; k++)
        shop->level[k] = 0;
    for (int s = first; s < end; s++) {
        int k = kind == FORWARD ? s : first + end - 1 - s;
        ln_factor_column column = kind == FORWARD ? ln_lower_column(factors, block, k)
                                                  : ln_upper_column(factors, block, k);
        for (int p = 0; p < column.length; p++) {
            int *level = &shop->level[first + column.row[p]];
            *level = larger(*level, shop->level[k] + 1);
        }
    }
}

/* Stable counting sort of `count` positions by their keys; keys from `most` on count as equal. */
static void sort_by(const int *key, int most, const int *from, int *to, int count, int *bucket) {
    memset(bucket, 0, ((size_t)most + 2) * sizeof *bucket);
    for (int s = 0; s < count; s++)
        bucket[smaller(key[from[s]], most) + 1]++;
    for (int k = 0; k <= most; k++)
        bucket[k + 1] += bucket[k];
    for (int s = 0; s < count; s++)
        to[bucket[smaller(key[from[s]], most)]++] = from[s];
}

static void add_rows(ln_stream *stream, const workshop *shop, const ln_factors *factors, int block,
                     segment_kind kind) {
    int first = factors->first[block], count = factors->first[block + 1] - first;
    const int *length = kind == BACKWARD ? shop->backward_length : shop->forward_length;
    int *order = shop->sorted, *spare = shop->next; /* next is not in use yet */
    for (int s = 0; s < count; s++)
        order[s] = kind == BACKWARD ? first + count - 1 - s : first + s;
    if (kind != SINGLE) {
        find_levels(shop, factors, block, kind);
        sort_by(length, count, order, spare, count, shop->bucket);
        sort_by(shop->level, count, spare, order, count, shop->bucket);
    }
    for (int s = 0; s < count; s++) {
        int k = order[s], slot = stream->rows++;
        shop->kind[slot] = (int)kind;
        shop->length[slot] = length[k];
        stream->from[slot] = kind == BACKWARD ? stream->forward[k] : factors->row[k];
        stream->to[slot] = factors->column[k];
        if (kind != BACKWARD)
            stream->forward[k] = slot;
        if (kind != FORWARD)
            shop->backward[k] = slot;
    }
}

/* ---- entries ---- */

/* The k-th entries of row `slot` in the order they are met. */
static void place_entry(ln_stream *stream, const workshop *shop, int entry, int row_slot,
                        int reads) {
    int place = shop->next[row_slot]++;
    stream->place[entry] = place;
    stream->slot[place] = reads;
}

/* ---- segments ---- */

/* `reads`: where the row's slots stand. */
static segment segment_of(const workshop *shop, int row, const int *reads) {
    const segment_kind kind = (segment_kind)shop->kind[row];
    const int length = shop->length[row], stride = length == 1 ? row - *reads : 0;
    return (segment){kind, length, 1, kind != SINGLE && stride <= STRIDES ? stride : 0};
}

static int is_same(const segment *a, const segment *b) {
    return a->kind == b->kind && a->length == b->length && a->stride == b->stride;
}

static void add_segment(ln_stream *stream, segment part) {
    segment *last = stream->segments > 0 ? &stream->segment[stream->segments - 1] : NULL;
    if (last != NULL && is_same(last, &part))
        last->rows += part.rows;
    else
        stream->segment[stream->segments++] = part;
}

/* Rows that are alike become segments; short chains then join what stands beside them. */
static void divide(ln_stream *stream, const workshop *shop) {
    const int *reads = stream->slot;
    stream->segments = 0;
    for (int row = 0; row < stream->rows; reads += shop->length[row++])
        add_segment(stream, segment_of(shop, row, reads));
    const segment *part = stream->segment, *end = part + stream->segments;
    stream->segments = 0;
    for (; part < end; part++) {
        segment of = *part;
        if (of.rows < CHAIN)
            of.stride = 0;
        add_segment(stream, of);
    }
}

static void structure(ln_stream *stream, const ln_factors *factors) {
    const workshop shop = workshop_in(stream->doubles, (size_t)stream->n);
    count_entries(&shop, factors);
    stream->rows = 0;
    for (int block = factors->blocks; block-- > 0;) {
        int single = factors->first[block + 1] - factors->first[block] == 1;
        if (!single)
            add_rows(stream, &shop, factors, block, FORWARD);
        add_rows(stream, &shop, factors, block, single ? SINGLE : BACKWARD);
    }
    for (int row = 0, total = 0; row < stream->rows; total += shop.length[row++])
        shop.next[row] = total;
    int entry = 0;
    for (int block = 0; block < factors->blocks; block++) {
        int first = factors->first[block], end = factors->first[block + 1];
        for (int k = first; k < end; k++) {
            for (int p = factors->beside_start[k]; p < factors->beside_start[k + 1]; p++)
                place_entry(stream, &shop, entry++, stream->forward[factors->beside_row[p]],
                            shop.backward[k]);
            if (end - first == 1)
                continue;
            ln_factor_column lower = ln_lower_column(factors, block, k),
                             upper = ln_upper_column(factors, block, k);
            for (int p = 0; p < lower.length; p++)
                place_entry(stream, &shop, entry++, stream->forward[first + lower.row[p]],
                            stream->forward[k]);
            for (int p = 0; p < upper.length; p++)
                place_entry(stream, &shop, entry++, shop.backward[first + upper.row[p]],
                            shop.backward[k]);
        }
    }
    divide(stream, &shop);
}

void ln_stream_build(ln_stream *stream, const ln_factors *factors) {
    if (!stream->structured)
        structure(stream, factors);
    stream->structured = 1;
    const double *pivot = factors->pivot;
    const int *place = stream->place;
    for (int k = 0; k < stream->n; k++)
        stream->factor[stream->forward[k]] = 1 / (factors->scale[k] * pivot[k]);
    for (int block = 0; block < factors->blocks; block++) {
        int first = factors->first[block], end = factors->first[block + 1];
        for (int k = first; k < end; k++) {
            for (int p = factors->beside_start[k]; p < factors->beside_start[k + 1]; p++)
                stream->value[*place++] = factors->beside_value[p] / pivot[factors->beside_row[p]];
            if (end - first == 1)
                continue;
            ln_factor_column lower = ln_lower_column(factors, block, k),
                             upper = ln_upper_column(factors, block, k);
            for (int p = 0; p < lower.length; p++)
                stream->value[*place++] = lower.value[p] * pivot[k] / pivot[first + lower.row[p]];
            for (int p = 0; p < upper.length; p++)
                stream->value[*place++] = upper.value[p] / pivot[first + upper.row[p]];
        }
    }
}

/* ---- solving ---- */

/* start - sum value[p] x[slot[p]]; four sums at a time hide the latency of the additions in long
 * rows */
static inline double row_sum(double start, int length, const int *slot, const double *value,
                             const double *x) {
    int p = 0;
    if (length >= 4) {
        double a = 0, b = 0, c = 0;
        for (; p + 4 <= length; p += 4) {
            start -= value[p] * x[slot[p]];
            a += value[p + 1] * x[slot[p + 1]];
            b += value[p + 2] * x[slot[p + 2]];
            c += value[p + 3] * x[slot[p + 3]];
        }
        start -= (a + b) + c;
    }
    for (; p < length; p++)
        start -= value[p] * x[slot[p]];
    return start;
}

/* How far a solution has come. */
typedef struct stretch {
    const int *from, *to, *slot;
    const double *value;
    double *x, *b;
    int row;
} stretch;

/* Rows of one kind and length; where these are constants, a row is one expression. */
static inline void solve_rows(stretch *at, segment_kind kind, int length, int rows) {
    const int *slot = at->slot, *from = at->from, *to = at->to;
    const double *value = at->value;
    double *x = at->x, *b = at->b;
    const int end = at->row + rows;
    for (int row = at->row; row < end; row++, slot += length, value += length) {
        x[row] = row_sum(x[kind == BACKWARD ? from[row] : row], length, slot, value, x);
        if (kind != FORWARD)
            b[to[row]] = x[row];
    }
    at->slot = slot;
    at->value = value;
    at->row = end;
}

/* Rows with one entry, of which each reads the row that stands `stride` before it. */
static inline void solve_chain(stretch *at, segment_kind kind, int stride, int rows) {
    const int *from = at->from, *to = at->to;
    const double *value = at->value;
    double *x = at->x, *b = at->b, before[STRIDES];
    const int begin = at->row, end = begin + rows;
    for (int k = 0; k < stride; k++)
        before[k] = x[begin - stride + k];
    int row = begin;
    for (; row + stride <= end; row += stride)
        for (int k = 0; k < stride; k++) {
            const double start = x[kind == BACKWARD ? from[row + k] : row + k];
            before[k] = start - *value++ * before[k];
            x[row + k] = before[k];
            if (kind == BACKWARD)
                b[to[row + k]] = before[k];
        }
    at->slot += row - begin;
    at->value = value;
    at->row = row;
    solve_rows(at, kind, 1, end - row);
}

static inline void solve_segment(stretch *at, const segment *part, segment_kind kind) {
    const int rows = part->rows;
    switch (part->stride) {
    case 1: solve_chain(at, kind, 1, rows); return;
    case 2: solve_chain(at, kind, 2, rows); return;
    }
    switch (part->length) {
    case 0: solve_rows(at, kind, 0, rows); break;
    case 1: solve_rows(at, kind, 1, rows); break;
    case 2: solve_rows(at, kind, 2, rows); break;
    case 3: solve_rows(at, kind, 3, rows); break;
    default: solve_rows(at, kind, part->length, rows);
    }
}

void ln_stream_solve(ln_stream *stream, double *b) {
    double *x = stream->x;
    const int *from = stream->from;
    const segment *const last = stream->segment + stream->segments;
    int row = 0;
    for (const segment *part = stream->segment; part < last; row += part++->rows)
        for (int r = row; part->kind != BACKWARD && r < row + part->rows; r++)
            x[r] = b[from[r]] * stream->factor[r];
    stretch at = {from, stream->to, stream->slot, stream->value, x, b, 0};
    for (const segment *part = stream->segment; part < last; part++)
        switch (part->kind) {
        case FORWARD: solve_segment(&at, part, FORWARD); break;
        case BACKWARD: solve_segment(&at, part, BACKWARD); break;
        case SINGLE: solve_segment(&at, part, SINGLE); break;
        }
}
