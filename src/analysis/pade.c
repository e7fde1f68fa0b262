/* SPDX-License-Identifier: MIT */
/* From delays to states: see pade.h. */
#include "analysis/pade.h"

#include "base/sys.h"
#include "linear/wide.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the approximant ---- */

/* The ladder's states are, from the input on, x1 of an inductor, x2 of a capacitor and so on; those
 * of the same parity as the order see the input and what comes back from the end. */
static linnet_status make_approximant(ln_pade *pade, ln_arena *arena) {
    const int n = pade->order;
    pade->weight = LN_NEW(arena, double, n);
    pade->rate = LN_NEW(arena, double, n *n);
    pade->in = LN_NEW(arena, double, n);
    pade->out = LN_NEW(arena, double, n);
    if (!pade->weight || !pade->rate || !pade->in || !pade->out)
        return LINNET_MEMORY;
    pade->direct = n % 2 ? -1 : 1;
    for (int k = 0; k < n; k++) {
        const int rules = (n - 1 - k) % 2 == 0;
        pade->weight[k] = 0.5 / (2 * k + 1);
        pade->in[k] = rules ? 1 : 0;
        pade->out[k] = rules ? -2 * pade->direct : 0;
        for (int j = 0; j < n; j++) {
            const int its_rules = (n - 1 - j) % 2 == 0;
            double *rate = &pade->rate[k * n + j];
            if (rules)
                *rate = its_rules || j < k ? -1 : 0;
            else
                *rate = its_rules && j > k ? 1 : 0;
        }
    }
    return LINNET_OK;
}

/* ---- the chains ---- */

static ln_delay_share *find(const ln_delay_shares *list, int term, int row, int col) {
    for (size_t k = 0; k < list->count; k++) {
        ln_delay_share *share = &list->items[k];
        if (share->term == term && share->row == row && share->col == col)
            return share;
    }
    return NULL;
}

/* The chain of the pivot's column and row: beta its shares of the column, gamma those of the row
 * over the pivot. 0: memory is short. */
static int make_chain(ln_pade *pade, ln_arena *arena, const ln_delay_share *shares, size_t count,
                      ln_delay_share pivot) {
    ln_pade_chain *chain = &pade->chains[pade->nchains++];
    int *rows = LN_NEW(arena, int, count), *cols = LN_NEW(arena, int, count);
    double *beta = LN_NEW(arena, double, count), *gamma = LN_NEW(arena, double, count);
    if (!LN_ALL_SET(rows, cols, beta, gamma))
        return 0;
    *chain = (ln_pade_chain){
        pivot.term, pade->exact->terms[pivot.term].lag, rows, cols, 0, 0, beta, gamma, 0, 0};
    for (size_t k = 0; k < count; k++) {
        const ln_delay_share *share = &shares[k];
        if (share->value == 0)
            continue;
        if (share->col == pivot.col) {
            if (share->row == pivot.row)
                chain->row = chain->nrows;
            rows[chain->nrows] = share->row;
            beta[chain->nrows++] = share->value;
        }
        if (share->row == pivot.row) {
            if (share->col == pivot.col)
                chain->col = chain->ncols;
            cols[chain->ncols] = share->col;
            gamma[chain->ncols++] = share->value / pivot.value;
        }
    }
    return 1;
}

/* What is left of a share without the chain; rounding beside the pivot counts as nothing. */
static void subtract(const ln_pade_chain *chain, double pivot, ln_delay_share *share) {
    for (int i = 0; i < chain->nrows; i++)
        for (int j = 0; j < chain->ncols; j++) {
            if (chain->rows[i] != share->row || chain->cols[j] != share->col)
                continue;
            share->value -= chain->beta[i] * chain->gamma[j];
            if (fabs(share->value) <= 1e-14 * fabs(pivot))
                share->value = 0;
        }
}

/* Takes the product through the largest share of the term out of the shares. */
static linnet_status split_off(ln_pade *pade, ln_arena *arena, ln_delay_share *shares, size_t count,
                               size_t largest) {
    const ln_delay_share pivot = shares[largest];
    if (!make_chain(pade, arena, shares, count, pivot))
        return LINNET_MEMORY;
    for (size_t k = 0; k < count; k++)
        subtract(&pade->chains[pade->nchains - 1], pivot.value, &shares[k]);
    return LINNET_OK;
}

/* The shares of a term, one after the other until nothing is left: nearly always one. */
static linnet_status make_chains(ln_pade *pade, ln_arena *arena, ln_delay_shares *a) {
    pade->chains = LN_NEW(arena, ln_pade_chain, a->count);
    if (pade->chains == NULL)
        return LINNET_MEMORY;
    for (size_t from = 0, end; from < a->count; from = end) {
        for (end = from; end < a->count && a->items[end].term == a->items[from].term;)
            end++;
        for (size_t round = from; round < end; round++) {
            size_t largest = from;
            for (size_t k = from; k < end; k++)
                if (fabs(a->items[k].value) > fabs(a->items[largest].value))
                    largest = k;
            if (a->items[largest].value == 0)
                break;
            LN_TRY(split_off(pade, arena, a->items + from, end - from, largest - from));
        }
    }
    return LINNET_OK;
}

linnet_status ln_pade_make(ln_small_signal *exact, int order, ln_pade *out) {
    ln_delay_shares a = {.items = NULL};
    *out = (ln_pade){.exact = exact, .order = order};
    linnet_status status = make_approximant(out, exact->arena);
    if (status == LINNET_OK)
        status = ln_delayed_matrix(exact, &a);
    if (status == LINNET_OK)
        status = make_chains(out, exact->arena, &a);
    ln_sys->release(a.items);
    return status == LINNET_MEMORY ? ln_no_memory(exact->report) : status;
}

/* ---- inputs and outputs ---- */

/* Shares that belong to no chain: a delay that shows outside, but changes nothing inside the model.
 */
static linnet_status check_rest(const ln_pade *pade, const ln_delay_shares *shares, double most,
                                const char *what) {
    const ln_network *network = pade->exact->system->network;
    for (size_t k = 0; k < shares->count; k++) {
        if (fabs(shares->items[k].value) <= 1e-12 * most)
            continue;
        const ln_instance *instance =
            &network->instances[pade->exact->terms[shares->items[k].term].instance];
        return ln_fail(pade->exact->report, LINNET_FAILED, instance->place,
                       "%s (%s): %s sees its delay, which moves nothing in the "
                       "model; linnet ac takes such a delay exactly",
                       instance->name, instance->block.type->name, what);
    }
    return LINNET_OK;
}

static double largest(const ln_delay_shares *shares) {
    double most = 0;
    for (size_t k = 0; k < shares->count; k++)
        most = fmax(most, fabs(shares->items[k].value));
    return most;
}

static linnet_status input_shares(const ln_pade *pade, const char *input, ln_delay_shares *b,
                                  double *delta) {
    LN_TRY(ln_delayed_input(pade->exact, input, 0, b));
    const double most = largest(b);
    for (int k = 0; k < pade->nchains; k++) {
        const ln_pade_chain *chain = &pade->chains[k];
        const ln_delay_share *pivot = find(b, chain->term, chain->rows[chain->row], 0);
        delta[k] = pivot != NULL ? -pivot->value / chain->beta[chain->row] : 0;
        for (int i = 0; i < chain->nrows && delta[k] != 0; i++) {
            ln_delay_share *share = find(b, chain->term, chain->rows[i], 0);
            if (share != NULL)
                share->value += chain->beta[i] * delta[k];
        }
    }
    return check_rest(pade, b, most, input);
}

linnet_status ln_pade_input(const ln_pade *pade, const char *input, double *delta) {
    ln_delay_shares b = {.items = NULL};
    linnet_status status = input_shares(pade, input, &b, delta);
    ln_sys->release(b.items);
    return status;
}

static linnet_status output_shares(const ln_pade *pade, const ln_quantity *output,
                                   ln_delay_shares *c, double *epsilon) {
    LN_TRY(ln_delayed_output(pade->exact, output, NULL, 0, (ln_output_shares){0, c, NULL}));
    const double most = largest(c);
    for (int k = 0; k < pade->nchains; k++) {
        const ln_pade_chain *chain = &pade->chains[k];
        const ln_delay_share *pivot = find(c, chain->term, 0, chain->cols[chain->col]);
        epsilon[k] = pivot != NULL ? pivot->value : 0;
        for (int j = 0; j < chain->ncols && epsilon[k] != 0; j++) {
            ln_delay_share *share = find(c, chain->term, 0, chain->cols[j]);
            if (share != NULL)
                share->value -= chain->gamma[j] * epsilon[k];
        }
    }
    return check_rest(pade, c, most, "an output");
}

linnet_status ln_pade_output(const ln_pade *pade, const ln_quantity *output, double *epsilon) {
    ln_delay_shares c = {.items = NULL};
    linnet_status status = output_shares(pade, output, &c, epsilon);
    ln_sys->release(c.items);
    return status;
}

/* ---- the model with z ---- */

typedef struct triplet {
    int col, row;
    ln_wide E, A;
    double E_size, A_size;
} triplet;
typedef struct triplets {
    triplet *items;
    size_t count, room;
} triplets;

static linnet_status put_triplet(triplets *list, triplet entry) {
    if (!LN_GROW(list->items, list->count, list->room))
        return LINNET_MEMORY;
    list->items[list->count++] = entry;
    return LINNET_OK;
}

static linnet_status put(triplets *list, int row, int col, double E, double A) {
    if (E == 0 && A == 0)
        return LINNET_OK;
    return put_triplet(list, (triplet){col, row, {E, 0}, {A, 0}, fabs(E), fabs(A)});
}

static int by_place(const void *left, const void *right) {
    const triplet *a = left, *b = right;
    return a->col != b->col ? a->col - b->col : a->row - b->row;
}

/* The rows and columns of one chain, whose states begin at unknown z. */
static linnet_status put_chain(const ln_pade *pade, const ln_pade_chain *chain, int z,
                               triplets *list) {
    for (int i = 0; i < chain->nrows; i++) {
        for (int j = 0; j < chain->ncols; j++)
            LN_TRY(put(list, chain->rows[i], chain->cols[j], 0,
                       chain->beta[i] * (pade->direct - 1) * chain->gamma[j]));
        for (int k = 0; k < pade->order; k++)
            LN_TRY(put(list, chain->rows[i], z + k, 0, chain->beta[i] * pade->out[k]));
    }
    for (int k = 0; k < pade->order; k++) {
        LN_TRY(put(list, z + k, z + k, chain->lag * pade->weight[k], 0));
        for (int j = 0; j < pade->order; j++)
            LN_TRY(put(list, z + k, z + j, 0, -pade->rate[k * pade->order + j]));
        for (int j = 0; j < chain->ncols; j++)
            LN_TRY(put(list, z + k, chain->cols[j], 0, -pade->in[k] * chain->gamma[j]));
    }
    return LINNET_OK;
}

static linnet_status list_entries(const ln_pade *pade, triplets *list) {
    ln_small_signal *exact = pade->exact;
    const ln_pencil *pencil;
    LN_TRY(ln_small_signal_exact(exact, &pencil));
    for (int j = 0; j < exact->n; j++)
        for (int k = exact->pattern->start[j]; k < exact->pattern->start[j + 1]; k++)
            LN_TRY(put_triplet(list, (triplet){j,
                                               exact->pattern->row[k],
                                               {exact->E[k], pencil->E_low[k]},
                                               {exact->A[k], pencil->A_low[k]},
                                               pencil->E_size[k],
                                               pencil->A_size[k]}));
    for (int k = 0; k < pade->nchains; k++)
        LN_TRY(put_chain(pade, &pade->chains[k], exact->n + k * pade->order, list));
    qsort(list->items, list->count, sizeof *list->items, by_place);
    return LINNET_OK;
}

/* Sorted triplets to columns; those of one place are summed. */
static linnet_status compress(const triplets *list, ln_small_signal *out) {
    int *start = LN_NEW(out->arena, int, out->n + 1), *row = LN_NEW(out->arena, int, list->count);
    ln_pattern *pattern = LN_NEW(out->arena, ln_pattern, 1);
    ln_pencil *pencil = LN_NEW(out->arena, ln_pencil, 1);
    double *values = LN_NEW(out->arena, double, 6 * list->count);
    if (!start || !row || !pattern || !pencil || !values)
        return LINNET_MEMORY;
    double *part[6];
    for (int k = 0; k < 6; k++)
        part[k] = values + (size_t)k * list->count;
    int count = 0;
    ln_wide E = {0, 0}, A = {0, 0};
    for (size_t k = 0; k < list->count; k++) {
        const triplet *entry = &list->items[k];
        if (k == 0 || by_place(entry, entry - 1) != 0) {
            E = A = (ln_wide){0, 0};
            row[count++] = entry->row;
            start[entry->col + 1]++;
        }
        E = ln_wide_add(E, entry->E);
        A = ln_wide_add(A, entry->A);
        part[0][count - 1] = E.hi;
        part[1][count - 1] = E.lo;
        part[2][count - 1] += entry->E_size;
        part[3][count - 1] = A.hi;
        part[4][count - 1] = A.lo;
        part[5][count - 1] += entry->A_size;
    }
    for (int j = 0; j < out->n; j++)
        start[j + 1] += start[j];
    *pattern = (ln_pattern){out->n, start, row};
    *pencil = (ln_pencil){pattern, part[0], part[3], part[1], part[4], part[2], part[5]};
    out->pattern = pattern;
    out->E = part[0];
    out->A = part[3];
    out->pencil = pencil;
    return LINNET_OK;
}

static linnet_status expand(ln_small_signal *exact, int order, ln_small_signal *out) {
    ln_pade *pade = LN_NEW(out->arena, ln_pade, 1);
    if (pade == NULL)
        return LINNET_MEMORY;
    LN_TRY(ln_pade_make(exact, order, pade));
    out->n = exact->n + pade->nchains * order;
    out->x = LN_NEW(out->arena, double, out->n);
    if (out->x == NULL)
        return LINNET_MEMORY;
    memcpy(out->x, exact->x, (size_t)exact->n * sizeof *out->x);
    out->at.x = out->x;
    out->pade = pade;
    triplets list = {.items = NULL};
    linnet_status status = list_entries(pade, &list);
    if (status == LINNET_OK)
        status = compress(&list, out);
    ln_sys->release(list.items);
    return status;
}

linnet_status ln_pade_expand(ln_small_signal *exact, int order, ln_small_signal *out) {
    *out = *exact;
    out->terms = NULL;
    out->nterms = 0;
    out->arena = ln_arena_new();
    linnet_status status = out->arena == NULL ? LINNET_MEMORY : expand(exact, order, out);
    return status == LINNET_MEMORY ? ln_no_memory(exact->report) : status;
}
