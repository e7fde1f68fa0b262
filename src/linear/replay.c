/* SPDX-License-Identifier: MIT */
/* See the header. The entries of the matrix, divided by the largest of their row, are put in their
 * places. Then each column has its turn: each of its numbers of U takes its multiple of a column of
 * L away; the numbers below the pivot are divided by it. Solving takes sums by rows.
 *
 * The numbers of a column stand together: U above the pivot, the pivot, L below it; columns in the
 * order of their turns. What stands beside the diagonal blocks follows behind all columns. All rows
 * and columns are named by their turns: KLU's pivot order, sorted within each block. */
#include "linear/replay.h"

#include "base/loops.h"
#include "base/sys.h"

#include <math.h>
#include <string.h>

/* Products for each number of the factors, above which KLU's search is a small part of the work
 * (bench/linear.c). */
enum { MOST_PRODUCTS = 12 };

/* One column: its position in KLU's order, its numbers above the pivot and below it. */
typedef struct column {
    int at, upper, lower;
} column;

/* Terms of a solution's sums: a number of the factors times an unknown. */
typedef struct term {
    int number, unknown;
} term;

struct ln_replay {
    int n, blocks, numbers, beside; /* numbers: of all columns; beside: of those behind them */
    const int *first;               /* KLU's: the first of each block */
    column *columns;
    double *scale;           /* n: of the rows */
    double *value;           /* the numbers */
    double *x;               /* n: work */
    term *terms;             /* in the order of their use */
    int *forward, *backward; /* n each: terms of each row's first sum and of its second */
    int *from_row, *to; /* n each: row of b that begins it, and unknown that the second one gives */
    int *length;        /* n: entries of each row of the matrix, */
    int *entry, *target; /* their indices in its values, row by row, and their places */
    int *fill, nfill;    /* places without an entry */
    /* of each number above a pivot: where the column of L stands that it multiplies, and how many
     * numbers that has; of each product: what it is taken from */
    int *by, *hit;
    int *begin, *at_row;                 /* first number of each column; row of each number */
    int *turn, *place, *row_turn, *work; /* of the build: n each; entries of the matrix */
};

/* ---- memory ---- */

typedef struct counts {
    size_t upper, lower, products;
} counts;

static counts count(const ln_factors *factors) {
    counts sum = {0};
    for (int block = 0; block < factors->blocks; block++) {
        const int first = factors->first[block], end = factors->first[block + 1];
        for (int k = first; k < end && end - first > 1; k++) {
            const ln_factor_column upper = ln_upper_column(factors, block, k);
            sum.upper += (size_t)upper.length;
            sum.lower += (size_t)factors->lower_length[k];
            for (int p = 0; p < upper.length; p++)
                sum.products += (size_t)factors->lower_length[first + upper.row[p]];
        }
    }
    return sum;
}

int ln_replay_serves(const ln_factors *factors) {
    const counts has = count(factors);
    return has.products <= MOST_PRODUCTS * (has.upper + has.lower + (size_t)factors->n);
}

ln_replay *ln_replay_new(const ln_factors *factors, const ln_pattern *pattern) {
    const counts has = count(factors);
    const size_t n = (size_t)factors->n, entries = (size_t)pattern->start[n],
                 beside = (size_t)factors->beside_start[n],
                 numbers = has.upper + has.lower + n + beside;
    ln_replay *replay = ln_sys->allocate(sizeof *replay);
    if (replay == NULL)
        return NULL;
    *replay = (ln_replay){.n = factors->n, .blocks = factors->blocks, .beside = (int)beside};
    replay->numbers = (int)(numbers - beside);
    struct {
        int **array;
        size_t count;
    } parts[] = {
        {&replay->length, n},        {&replay->forward, n},      {&replay->backward, n},
        {&replay->from_row, n},      {&replay->to, n},           {&replay->begin, n},
        {&replay->turn, n},          {&replay->place, n},        {&replay->row_turn, n},
        {&replay->work, entries},    {&replay->entry, entries},  {&replay->target, entries},
        {&replay->fill, numbers},    {&replay->at_row, numbers}, {&replay->by, 2 * has.upper},
        {&replay->hit, has.products}};
    size_t total = 1;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        total += parts[k].count;
    int *at = ln_sys->allocate(total * sizeof *at);
    replay->length = at; /* the storage of all of them */
    replay->columns = ln_sys->allocate((n + 1) * sizeof *replay->columns);
    replay->terms = ln_sys->allocate((numbers + 1) * sizeof *replay->terms);
    replay->value = ln_sys->allocate((numbers + 2 * n + 1) * sizeof *replay->value);
    if (at == NULL || replay->columns == NULL || replay->terms == NULL || replay->value == NULL) {
        ln_replay_free(replay);
        return NULL;
    }
    for (size_t k = 0; k < sizeof parts / sizeof *parts; at += parts[k++].count)
        *parts[k].array = at;
    replay->scale = replay->value + numbers;
    replay->x = replay->scale + n;
    return replay;
}

void ln_replay_free(ln_replay *replay) {
    if (replay == NULL)
        return;
    ln_sys->release(replay->columns);
    ln_sys->release(replay->terms);
    ln_sys->release(replay->value);
    ln_sys->release(replay->length);
    ln_sys->release(replay);
}

/* ---- turns ---- */

static int later(int a, int b) {
    return a > b ? a : b;
}

/* place[]: how many columns of the block each has to wait for, one after the other. */
static void find_levels(ln_replay *replay, const ln_factors *factors, int block) {
    const int first = factors->first[block], end = factors->first[block + 1];
    int *level = replay->place;
    for (int k = first; k < end; k++)
        level[k] = 0;
    for (int k = first; k < end && end - first > 1; k++) {
        const ln_factor_column upper = ln_upper_column(factors, block, k),
                               lower = ln_lower_column(factors, block, k);
        for (int p = 0; p < upper.length; p++)
            level[k] = later(level[k], level[first + upper.row[p]] + 1);
        for (int p = 0; p < lower.length; p++)
            level[first + lower.row[p]] = later(level[first + lower.row[p]], level[k] + 1);
    }
}

/* Columns that do not wait for each other become neighbours. */
static void give_turns(ln_replay *replay, const ln_factors *factors, int block) {
    const int first = factors->first[block], end = factors->first[block + 1];
    const int *level = replay->place;
    int *bucket = replay->begin;
    find_levels(replay, factors, block);
    for (int k = first; k < end; k++)
        bucket[k] = 0;
    for (int k = first; k < end; k++)
        bucket[first + level[k]]++;
    for (int l = first, total = first; l < end; l++) {
        total += bucket[l];
        bucket[l] = total - bucket[l];
    }
    for (int k = first; k < end; k++) {
        const int turn = replay->turn[k] = bucket[first + level[k]]++;
        replay->columns[turn].at = k;
        replay->from_row[turn] = factors->row[k];
        replay->to[turn] = factors->column[k];
        replay->row_turn[factors->row[k]] = turn;
    }
}

/* ---- the list ---- */

/* How far the lists have come. */
typedef struct ends {
    int number, *by, *hit;
} ends;

/* The rows of a column, from number `at` on; returns the number behind it. */
static int list_rows(ln_replay *replay, const ln_factors *factors, int block, int turn, int at) {
    const int first = factors->first[block], k = replay->columns[turn].at;
    column *col = &replay->columns[turn];
    col->upper = col->lower = 0;
    replay->begin[turn] = at;
    if (factors->first[block + 1] - first > 1) {
        const ln_factor_column upper = ln_upper_column(factors, block, k),
                               lower = ln_lower_column(factors, block, k);
        col->upper = upper.length;
        col->lower = lower.length;
        for (int p = 0; p < upper.length; p++)
            replay->at_row[at + p] = replay->turn[first + upper.row[p]];
        for (int p = 0; p < lower.length; p++)
            replay->at_row[at + upper.length + 1 + p] = replay->turn[first + lower.row[p]];
    }
    replay->at_row[at + col->upper] = turn;
    return at + col->upper + 1 + col->lower;
}

/* Its products; place[] of the rows of the column is known. */
static void list_products(const ln_replay *replay, int turn, ends *at) {
    for (int p = 0; p < replay->columns[turn].upper; p++) {
        const int other = replay->at_row[replay->begin[turn] + p];
        const int below = replay->begin[other] + replay->columns[other].upper + 1;
        *at->by++ = below;
        *at->by++ = replay->columns[other].lower;
        for (int q = 0; q < replay->columns[other].lower; q++)
            *at->hit++ = replay->place[replay->at_row[below + q]];
    }
}

/* What its entries are: target[], by index in the matrix. */
static void find_targets(ln_replay *replay, const ln_pattern *pattern, int turn, int first,
                         int beside) {
    const int j = replay->to[turn], begin = replay->begin[turn];
    const int end = begin + replay->columns[turn].upper + 1 + replay->columns[turn].lower;
    for (int p = pattern->start[j]; p < pattern->start[j + 1]; p++) {
        const int row = replay->row_turn[pattern->row[p]];
        if (row < first) {
            replay->at_row[beside] = row;
            replay->target[p] = beside++;
            continue;
        }
        replay->target[p] = replay->place[row];
        replay->place[row] = -1;
    }
    for (int p = begin; p < end; p++)
        if (replay->place[replay->at_row[p]] >= 0)
            replay->fill[replay->nfill++] = p;
}

static void list_block(ln_replay *replay, const ln_factors *factors, const ln_pattern *pattern,
                       int block, ends *at) {
    const int first = factors->first[block], end = factors->first[block + 1];
    for (int turn = first; turn < end; turn++) {
        const int begin = at->number;
        at->number = list_rows(replay, factors, block, turn, begin);
        for (int p = begin; p < at->number; p++)
            replay->place[replay->at_row[p]] = p;
        list_products(replay, turn, at);
        find_targets(replay, pattern, turn, first,
                     replay->numbers + factors->beside_start[replay->columns[turn].at]);
    }
}

/* Entries row by row: entry[], and target[] in the same order. */
static void sort_entries(ln_replay *replay, const ln_pattern *pattern) {
    const int n = replay->n, entries = pattern->start[n];
    int *next = replay->place, *sorted = replay->work;
    memset(replay->length, 0, (size_t)n * sizeof *replay->length);
    for (int p = 0; p < entries; p++)
        replay->length[replay->row_turn[pattern->row[p]]]++;
    for (int k = 0, total = 0; k < n; total += replay->length[k++])
        next[k] = total;
    for (int p = 0; p < entries; p++) {
        const int at = next[replay->row_turn[pattern->row[p]]]++;
        replay->entry[at] = p;
        sorted[at] = replay->target[p];
    }
    memcpy(replay->target, sorted, (size_t)entries * sizeof *sorted);
}

/* ---- the sums of a solution ---- */

static void count_terms(ln_replay *replay) {
    memset(replay->forward, 0, (size_t)replay->n * sizeof *replay->forward);
    memset(replay->backward, 0, (size_t)replay->n * sizeof *replay->backward);
    for (int turn = 0; turn < replay->n; turn++) {
        const int *row = replay->at_row + replay->begin[turn];
        const column *col = &replay->columns[turn];
        for (int p = 0; p < col->upper; p++)
            replay->backward[row[p]]++;
        for (int p = 0; p < col->lower; p++)
            replay->forward[row[col->upper + 1 + p]]++;
    }
    for (int p = 0; p < replay->beside; p++)
        replay->forward[replay->at_row[replay->numbers + p]]++;
}

/* Numbers first .. first + count - 1, of column `turn`, are terms of their rows. */
static void add_terms(ln_replay *replay, int first, int count, int turn, int *next) {
    for (int p = first; p < first + count; p++)
        replay->terms[next[replay->at_row[p]]++] = (term){p, turn};
}

/* Terms are added up in the order in which KLU takes columns. */
static void list_terms(ln_replay *replay, const ln_factors *factors) {
    int *forward = replay->place, *backward = replay->row_turn, total = 0;
    count_terms(replay);
    for (int block = replay->blocks; block-- > 0;) {
        const int first = factors->first[block], end = factors->first[block + 1];
        for (int turn = first; turn < end; total += replay->forward[turn++])
            forward[turn] = total;
        for (int turn = end; turn-- > first; total += replay->backward[turn])
            backward[turn] = total;
    }
    for (int block = replay->blocks; block-- > 0;) {
        const int first = factors->first[block], end = factors->first[block + 1];
        for (int k = first; k < end; k++) {
            const int turn = replay->turn[k];
            const column *col = &replay->columns[turn];
            add_terms(replay, replay->numbers + factors->beside_start[k],
                      factors->beside_start[k + 1] - factors->beside_start[k], turn, forward);
            add_terms(replay, replay->begin[turn] + col->upper + 1, col->lower, turn, forward);
        }
        for (int k = end; k-- > first;) {
            const int turn = replay->turn[k];
            add_terms(replay, replay->begin[turn], replay->columns[turn].upper, turn, backward);
        }
    }
}

void ln_replay_build(ln_replay *replay, const ln_factors *factors, const ln_pattern *pattern) {
    ends at = {.by = replay->by, .hit = replay->hit};
    replay->first = factors->first;
    replay->nfill = 0;
    for (int block = 0; block < factors->blocks; block++)
        give_turns(replay, factors, block);
    for (int block = 0; block < factors->blocks; block++)
        list_block(replay, factors, pattern, block, &at);
    sort_entries(replay, pattern);
    list_terms(replay, factors);
}

/* ---- use ---- */

static void scatter(ln_replay *replay, const double *values) {
    const int *entry = replay->entry, *target = replay->target;
    double *to = replay->value;
    for (int k = 0; k < replay->nfill; k++)
        to[replay->fill[k]] = 0;
    for (int k = 0; k < replay->n; k++) {
        const int length = replay->length[k];
        double size = 0;
        for (int p = 0; p < length; p++)
            size = ln_larger(size, fabs(values[entry[p]]));
        const double scale = replay->scale[k] = size > 0 ? size : 1;
        for (int p = 0; p < length; p++)
            to[target[p]] = values[entry[p]] / scale;
        entry += length;
        target += length;
    }
}

int ln_replay_run(ln_replay *replay, const double *values, double *growth, int *doubtful) {
    double *const number = replay->value, *own = number, multiplier = 0;
    const int *by = replay->by, *hit = replay->hit;
    int doubts = 0;
    scatter(replay, values);
    for (const column *col = replay->columns; col < replay->columns + replay->n; col++) {
        double above = 0;
        for (int p = col->upper; p > 0; p--) {
            const double times = *own++, *lower = number + by[0], *end = lower + by[1];
            above = ln_larger(above, fabs(times));
            for (by += 2; lower < end; lower++)
                number[*hit++] -= *lower * times;
        }
        const double pivot = *own++;
        if (pivot == 0)
            return 0;
        doubts |= !(fabs(pivot) >= LN_SMALL_PIVOT * above);
        for (int p = col->lower; p > 0; p--, own++) {
            *own /= pivot;
            multiplier = ln_larger(multiplier, fabs(*own));
        }
    }
    *growth = multiplier;
    *doubtful = doubts;
    return 1;
}

static inline double take_away(double sum, const term *terms, int count, const double *number,
                               const double *x) {
    for (const term *summand = terms; summand < terms + count; summand++)
        sum -= number[summand->number] * x[summand->unknown];
    return sum;
}

void ln_replay_solve(ln_replay *replay, double *b) {
    double *x = replay->x;
    const double *number = replay->value;
    const term *terms = replay->terms;
    for (int block = replay->blocks; block-- > 0;) {
        const int first = replay->first[block], end = replay->first[block + 1];
        for (int turn = first; turn < end; terms += replay->forward[turn++])
            x[turn] = take_away(b[replay->from_row[turn]] / replay->scale[turn], terms,
                                replay->forward[turn], number, x);
        for (int turn = end; turn-- > first; terms += replay->backward[turn])
            x[turn] = take_away(x[turn], terms, replay->backward[turn], number, x) /
                      number[replay->begin[turn] + replay->columns[turn].upper];
    }
    for (int turn = 0; turn < replay->n; turn++)
        b[replay->to[turn]] = x[turn];
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
