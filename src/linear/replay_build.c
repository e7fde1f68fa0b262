/* SPDX-License-Identifier: MIT */
/* The list of an elimination, made from KLU's factors: the order of its columns, the place of each
 * number, what each product takes part in, and which neighbours are alike. */
#include "linear/replaying.h"

#include "base/sys.h"

#include <string.h>

/* Products for each number of the factors, above which KLU's search is a small part of the work
 * (bench/linear.c). */
enum { MOST_PRODUCTS = 12 };

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
    } parts[] = {{&replay->length, n},        {&replay->forward, n},    {&replay->backward, n},
                 {&replay->from_row, n},      {&replay->to, n},         {&replay->begin, n},
                 {&replay->turn, n},          {&replay->place, n},      {&replay->row_turn, n},
                 {&replay->target, entries},  {&replay->fill, numbers}, {&replay->at_row, numbers},
                 {&replay->hit, has.products}};
    size_t total = 1;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        total += parts[k].count;
    int *at = ln_sys->allocate(total * sizeof *at);
    replay->length = at; /* the storage of all of them */
    replay->columns = ln_sys->allocate((n + 1) * sizeof *replay->columns);
    replay->runs = ln_sys->allocate((n + 1) * sizeof *replay->runs);
    replay->sums = ln_sys->allocate((2 * n + 1) * sizeof *replay->sums);
    replay->terms = ln_sys->allocate((numbers + 1) * sizeof *replay->terms);
    replay->spots = ln_sys->allocate((entries + 1) * sizeof *replay->spots);
    replay->by = ln_sys->allocate((has.upper + 1) * sizeof *replay->by);
    replay->value = ln_sys->allocate((numbers + 3 * n + 1) * sizeof *replay->value);
    if (at == NULL || replay->columns == NULL || replay->terms == NULL || replay->spots == NULL ||
        replay->by == NULL || replay->runs == NULL || replay->sums == NULL ||
        replay->value == NULL) {
        ln_replay_free(replay);
        return NULL;
    }
    for (size_t k = 0; k < sizeof parts / sizeof *parts; at += parts[k++].count)
        *parts[k].array = at;
    replay->scale = replay->value + numbers;
    replay->x = replay->scale + n;
    replay->pivot = replay->x + n;
    return replay;
}

void ln_replay_free(ln_replay *replay) {
    if (replay == NULL)
        return;
    ln_sys->release(replay->columns);
    ln_sys->release(replay->terms);
    ln_sys->release(replay->spots);
    ln_sys->release(replay->by);
    ln_sys->release(replay->runs);
    ln_sys->release(replay->sums);
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
    int number, *hit;
    multiple *by;
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
        *at->by++ = (multiple){below, replay->columns[other].lower};
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

/* Entries row by row. */
static void sort_entries(ln_replay *replay, const ln_pattern *pattern) {
    const int n = replay->n, entries = pattern->start[n];
    int *next = replay->place;
    memset(replay->length, 0, (size_t)n * sizeof *replay->length);
    for (int p = 0; p < entries; p++)
        replay->length[replay->row_turn[pattern->row[p]]]++;
    for (int k = 0, total = 0; k < n; total += replay->length[k++])
        next[k] = total;
    for (int p = 0; p < entries; p++)
        replay->spots[next[replay->row_turn[pattern->row[p]]]++] = (spot){p, replay->target[p]};
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

/* ---- neighbours that are alike ---- */

/* So many pay for a loop of their own: to go from one loop to another costs as much as what a loop
 * saves in some columns (bridge rectifier: 9 columns, each of another shape). */
enum { ALIKE = 4 };

/* How many columns from `turn` on have its shape. */
static int columns_alike(const ln_replay *replay, int turn) {
    const column *col = &replay->columns[turn];
    int count = 1;
    while (turn + count < replay->n && col[count].upper == col->upper &&
           col[count].lower == col->lower)
        count++;
    return count;
}

static void list_runs(ln_replay *replay) {
    int count;
    replay->nruns = 0;
    for (int turn = 0; turn < replay->n; turn += count) {
        const column *col = &replay->columns[turn];
        run *last = replay->nruns > 0 ? &replay->runs[replay->nruns - 1] : NULL;
        count = columns_alike(replay, turn);
        if (count >= ALIKE)
            replay->runs[replay->nruns++] = (run){col->upper, col->lower, count};
        else if (last != NULL && last->upper == LN_MIXED)
            last->columns += count;
        else
            replay->runs[replay->nruns++] = (run){LN_MIXED, LN_MIXED, count};
    }
}

/* Rows from `turn` on, towards `end`, with as many terms. */
static int rows_alike(const int *terms, int turn, int end) {
    const int step = end > turn ? 1 : -1;
    int count = 1;
    while (turn + step * count != end && terms[turn + step * count] == terms[turn])
        count++;
    return count;
}

/* The sums of rows from `turn` to before `end`. */
static void add_sums(ln_replay *replay, sums_kind kind, const int *terms, int turn, int end) {
    const int step = end > turn ? 1 : -1;
    int count;
    for (; turn != end; turn += step * count) {
        sums *last = replay->nsums > 0 ? &replay->sums[replay->nsums - 1] : NULL;
        count = rows_alike(terms, turn, end);
        if (count >= ALIKE)
            replay->sums[replay->nsums++] = (sums){kind, terms[turn], count, turn};
        else if (last != NULL && last->kind == kind && last->count == LN_MIXED &&
                 turn == last->turn + step * last->rows)
            last->rows += count;
        else
            replay->sums[replay->nsums++] = (sums){kind, LN_MIXED, count, turn};
    }
}

/* Blocks of one row, which are neighbours, are taken together. */
static void list_sums(ln_replay *replay) {
    const int *first = replay->first;
    replay->nsums = 0;
    for (int block = replay->blocks; block-- > 0;) {
        const int end = first[block + 1];
        if (end - first[block] > 1) {
            add_sums(replay, FORWARD, replay->forward, first[block], end);
            add_sums(replay, BACKWARD, replay->backward, end - 1, first[block] - 1);
            continue;
        }
        while (block > 0 && first[block] - first[block - 1] == 1)
            block--;
        add_sums(replay, SINGLE, replay->forward, end - 1, first[block] - 1);
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
    list_runs(replay);
    list_sums(replay);
}
