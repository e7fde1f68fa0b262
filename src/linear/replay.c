/* SPDX-License-Identifier: MIT */
/* See the header. The entries of the matrix, divided by the largest of their row, are put in their
 * places. Then each column has its turn: each of its numbers of U takes its multiple of a column of
 * L away; the numbers below the pivot are divided by it. Solving takes sums by rows. Neighbours of
 * one shape are one loop, of which nothing is left where the shape is a small one. */
/* As in stream.c: short loops are unrolled by -O3 only. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "linear/replaying.h"

#include "base/loops.h"
#include "base/pairs.h"

#include <math.h>
#include <string.h>

/* The numbers of a row of the matrix, divided by the largest of them, in their places; returns
 * that. Where `length` is a constant they stay in registers. */
static inline double scale_row(const spot *spots, int length, const double *values, double *to) {
    double size = 0;
    for (int p = 0; p < length; p++)
        size = ln_larger(size, fabs(values[spots[p].entry]));
    const double scale = size > 0 ? size : 1;
    int p = 0;
    for (; p + 2 <= length; p += 2) {
        const ln_pair both = {values[spots[p].entry], values[spots[p + 1].entry]},
                      scaled = both / ln_pair_of(scale);
        to[spots[p].target] = scaled[0];
        to[spots[p + 1].target] = scaled[1];
    }
    for (; p < length; p++)
        to[spots[p].target] = values[spots[p].entry] / scale;
    return scale;
}

static inline double scale_one(const spot *spots, int length, const double *values, double *to) {
    switch (length) {
    case 1: return scale_row(spots, 1, values, to);
    case 2: return scale_row(spots, 2, values, to);
    case 3: return scale_row(spots, 3, values, to);
    case 4: return scale_row(spots, 4, values, to);
    case 5: return scale_row(spots, 5, values, to);
    case 6: return scale_row(spots, 6, values, to);
    case 7: return scale_row(spots, 7, values, to);
    case 8: return scale_row(spots, 8, values, to);
    default: return scale_row(spots, length, values, to);
    }
}

static void scatter(ln_replay *replay, const double *values) {
    const spot *spots = replay->spots;
    double *to = replay->value;
    for (int k = 0; k < replay->nfill; k++)
        to[replay->fill[k]] = 0;
    for (int k = 0; k < replay->n; k++) {
        replay->scale[k] = scale_one(spots, replay->length[k], values, to);
        spots += replay->length[k];
    }
}

/* A multiple of a column of L is taken away. */
static inline void take_column(const double *lower, int length, double times, const int *hit,
                               double *number) {
    for (int p = 0; p < length; p++)
        number[hit[p]] -= lower[p] * times;
}

/* A column of L is divided by its pivot, one number at a time: numbers that have just been stored
 * cannot be loaded as pairs at once. Returns the largest multiplier so far. */
static inline double divide_column(double *lower, int length, double pivot, double largest) {
    for (int p = 0; p < length; p++) {
        lower[p] /= pivot;
        largest = ln_larger(largest, fabs(lower[p]));
    }
    return largest;
}

/* How far an elimination has come. */
typedef struct elimination {
    const column *col;            /* that has its turn */
    double *number, *own, *pivot; /* all of them; those of the column */
    const multiple *by;
    const int *hit;
    double multiplier; /* the largest */
    int doubts;
} elimination;

/* Columns of one shape, or of their own (LN_MIXED); where it is a constant, nothing is left of the
 * loops over their numbers. 0 when a pivot is zero. */
static inline int eliminate(elimination *at, int all_upper, int all_lower, int columns) {
    const column *col = at->col;
    double *const number = at->number, *own = at->own, *pivots = at->pivot,
                  multiplier = at->multiplier;
    const multiple *by = at->by;
    const int *hit = at->hit;
    int doubts = at->doubts;
    for (const double *const end = pivots + columns; pivots < end; pivots++, col++) {
        const int upper = all_upper == LN_MIXED ? col->upper : all_upper,
                  lower = all_upper == LN_MIXED ? col->lower : all_lower;
        double above = 0;
        for (int p = 0; p < upper; p++) {
            above = ln_larger(above, fabs(own[p]));
            take_column(number + by[p].lower, by[p].length, own[p], hit, number);
            hit += by[p].length;
        }
        by += upper;
        own += upper;
        const double pivot = *pivots = *own++;
        if (pivot == 0)
            return 0;
        if (upper > 0)
            doubts |= !(fabs(pivot) >= LN_SMALL_PIVOT * above);
        multiplier = divide_column(own, lower, pivot, multiplier);
        own += lower;
    }
    *at = (elimination){col, number, own, pivots, by, hit, multiplier, doubts};
    return 1;
}

static inline int eliminate_below(elimination *at, int upper, int lower, int columns) {
    switch (lower) {
    case 0: return eliminate(at, upper, 0, columns);
    case 1: return eliminate(at, upper, 1, columns);
    case 2: return eliminate(at, upper, 2, columns);
    case 3: return eliminate(at, upper, 3, columns);
    case 4: return eliminate(at, upper, 4, columns);
    default: return eliminate(at, upper, lower, columns);
    }
}

static int eliminate_run(elimination *at, const run *of) {
    switch (of->upper) {
    case LN_MIXED: return eliminate(at, LN_MIXED, LN_MIXED, of->columns);
    case 0: return eliminate_below(at, 0, of->lower, of->columns);
    case 1: return eliminate_below(at, 1, of->lower, of->columns);
    case 2: return eliminate_below(at, 2, of->lower, of->columns);
    default: return eliminate_below(at, of->upper, of->lower, of->columns);
    }
}

int ln_replay_run(ln_replay *replay, const double *values, double *growth, int *doubtful) {
    elimination at = {.col = replay->columns,
                      .number = replay->value,
                      .own = replay->value,
                      .pivot = replay->pivot,
                      .by = replay->by,
                      .hit = replay->hit};
    scatter(replay, values);
    for (const run *of = replay->runs; of < replay->runs + replay->nruns; of++)
        if (!eliminate_run(&at, of))
            return 0;
    *growth = at.multiplier;
    *doubtful = at.doubts;
    return 1;
}

/* Rows with as many terms; where kind and count are constants, a row is one expression. */
static inline const term *sum_rows(const ln_replay *replay, const sums *of, sums_kind kind,
                                   int all_count, const term *terms, const double *b) {
    const double *number = replay->value;
    double *x = replay->x;
    const int *counts = kind == BACKWARD ? replay->backward : replay->forward;
    for (int k = 0, turn = of->turn; k < of->rows; k++) {
        const int count = all_count == LN_MIXED ? counts[turn] : all_count;
        double sum = kind == BACKWARD ? x[turn] : b[replay->from_row[turn]] / replay->scale[turn];
        for (int p = 0; p < count; p++)
            sum -= number[terms[p].number] * x[terms[p].unknown];
        x[turn] = kind == FORWARD ? sum : sum / replay->pivot[turn];
        turn += kind == FORWARD ? 1 : -1;
        terms += count;
    }
    return terms;
}

static inline const term *sum_any(const ln_replay *replay, const sums *of, sums_kind kind,
                                  const term *terms, const double *b) {
    switch (of->count) {
    case LN_MIXED: return sum_rows(replay, of, kind, LN_MIXED, terms, b);
    case 0: return sum_rows(replay, of, kind, 0, terms, b);
    case 1: return sum_rows(replay, of, kind, 1, terms, b);
    case 2: return sum_rows(replay, of, kind, 2, terms, b);
    case 3: return sum_rows(replay, of, kind, 3, terms, b);
    case 4: return sum_rows(replay, of, kind, 4, terms, b);
    default: return sum_rows(replay, of, kind, of->count, terms, b);
    }
}

void ln_replay_solve(ln_replay *replay, double *b) {
    const term *terms = replay->terms;
    for (const sums *of = replay->sums; of < replay->sums + replay->nsums; of++)
        switch (of->kind) {
        case FORWARD: terms = sum_any(replay, of, FORWARD, terms, b); break;
        case BACKWARD: terms = sum_any(replay, of, BACKWARD, terms, b); break;
        case SINGLE: terms = sum_any(replay, of, SINGLE, terms, b); break;
        }
    for (int turn = 0; turn < replay->n; turn++)
        b[replay->to[turn]] = replay->x[turn];
}

/* The view is of const numbers, since nobody else writes them. */
static const double *copy(const double *from, const double *to, int count) {
    if (count > 0)
        memcpy((double *)to, from, (size_t)count * sizeof *to);
    return from + count;
}

static void copy_column(const ln_replay *replay, const ln_factors *factors, int block, int turn) {
    const column *col = &replay->columns[turn];
    const double *from = replay->value + replay->begin[turn];
    const int inner = factors->first[block + 1] - factors->first[block] > 1;
    if (inner)
        from = copy(from, ln_upper_column(factors, block, col->at).value, col->upper);
    from = copy(from, &factors->pivot[col->at], 1);
    (void)copy(&replay->scale[turn], &factors->scale[col->at], 1);
    if (inner)
        (void)copy(from, ln_lower_column(factors, block, col->at).value, col->lower);
}

void ln_replay_copy(const ln_replay *replay, const ln_factors *factors) {
    for (int block = 0; block < factors->blocks; block++)
        for (int turn = factors->first[block]; turn < factors->first[block + 1]; turn++)
            copy_column(replay, factors, block, turn);
    (void)copy(replay->value + replay->numbers, factors->beside_value, replay->beside);
}
