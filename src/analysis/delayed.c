/* SPDX-License-Identifier: MIT */
/* Which values a delay changes is found by asking for them with the delay's gain at 1 and at 0; all
 * are exact. */
#include "analysis/delayed.h"

#include "base/sys.h"
#include <math.h>

/* Adds to the share at that place, found among those from `from` on, or appends one. */
static linnet_status add(ln_delay_shares *list, size_t from, ln_delay_share share) {
    for (size_t k = from; k < list->count; k++)
        if (list->items[k].row == share.row && list->items[k].col == share.col) {
            list->items[k].value += share.value;
            return LINNET_OK;
        }
    if (!LN_GROW(list->items, list->count, list->room))
        return LINNET_MEMORY;
    list->items[list->count++] = share;
    return LINNET_OK;
}

/* Differences that are none, and those that are rounding. */
static void drop_zeros(ln_delay_shares *list, size_t from) {
    size_t kept = from;
    double most = 0;
    for (size_t k = from; k < list->count; k++)
        most = fmax(most, fabs(list->items[k].value));
    for (size_t k = from; k < list->count; k++)
        if (fabs(list->items[k].value) > 1e-15 * most)
            list->items[kept++] = list->items[k];
    list->count = kept;
}

/* Adds to the share, and to that of the balance in which its row takes part. */
static linnet_status add_entry(const ln_system *system, ln_delay_shares *list, size_t from,
                               ln_delay_share share) {
    const int balance = ln_balance_row(system, share.row);
    LN_TRY(add(list, from, share));
    share.row = balance;
    return balance >= 0 ? add(list, from, share) : LINNET_OK;
}

linnet_status ln_delayed_matrix(const ln_small_signal *small, ln_delay_shares *a) {
    const ln_network *network = small->system->network;
    for (int k = 0; k < small->nterms; k++) {
        const ln_delay_term *term = &small->terms[k];
        const ln_instance *instance = &network->instances[term->instance];
        size_t from = a->count;
        for (int i = 0; i < instance->block.type->nentries; i++) {
            const linnet_entry *e = &instance->block.type->entries[i];
            int row = ln_local_row(network, term->instance, e->row),
                col = ln_local_unknown(network, instance, e->col);
            if (row >= 0 && col >= 0 && term->entry[i] != 0 &&
                add_entry(small->system, a, from, (ln_delay_share){k, row, col, term->entry[i]}) !=
                    LINNET_OK)
                return ln_no_memory(small->report);
        }
        drop_zeros(a, from);
    }
    return LINNET_OK;
}

/* ---- inputs ---- */

typedef struct input_probe {
    ln_small_signal *small;
    const char *name;
    int term, col;
    size_t from;
    ln_delay_shares *b;
} input_probe;

static linnet_status probe_input(void *context, double sign) {
    input_probe *probe = context;
    ln_input input;
    LN_TRY(ln_small_signal_input(probe->small, probe->name, &input));
    for (int k = 0; k < input.nshares; k++) {
        const ln_share *share = &input.shares[k];
        if (share->instance != probe->small->terms[probe->term].instance || share->row < 0)
            continue;
        if (add(probe->b, probe->from,
                (ln_delay_share){probe->term, share->row, probe->col, sign * share->value}) !=
            LINNET_OK)
            return ln_no_memory(probe->small->report);
    }
    return LINNET_OK;
}

linnet_status ln_delayed_input(ln_small_signal *small, const char *input, int col,
                               ln_delay_shares *b) {
    for (int k = 0; k < small->nterms; k++) {
        input_probe probe = {small, input, k, col, b->count, b};
        LN_TRY(ln_system_delay_difference(small->system, &small->terms[k], probe_input, &probe));
        drop_zeros(b, probe.from);
    }
    return LINNET_OK;
}

/* ---- outputs ---- */

typedef struct output_probe {
    ln_small_signal *small;
    const ln_quantity *output;
    const ln_input *inputs;
    ln_input *now; /* the inputs as they are with the gains of the moment */
    int ninputs, term;
    double *c_row, *d_row; /* room */
    size_t from_c, from_d;
    ln_output_shares to;
} output_probe;

/* A block's delay can show in the columns of its own unknowns only. */
static linnet_status probe_output(void *context, double sign) {
    output_probe *probe = context;
    const ln_network *network = probe->small->system->network;
    const ln_instance *block = &network->instances[probe->small->terms[probe->term].instance];
    for (int k = 0; k < probe->ninputs; k++)
        LN_TRY(ln_small_signal_input(probe->small, probe->inputs[k].name, &probe->now[k]));
    LN_TRY(ln_small_signal_plain_output(probe->small, probe->output, probe->now, probe->ninputs,
                                        probe->c_row, probe->d_row));
    linnet_status status = LINNET_OK;
    for (int j = 0; j < block->block.type->nports + block->block.type->nvars && status == LINNET_OK;
         j++) {
        int col = ln_local_unknown(network, block, j), again = 0;
        for (int i = 0; i < j; i++)
            again |= ln_local_unknown(network, block, i) == col;
        if (col < 0 || again || probe->c_row[col] == 0)
            continue;
        status = add(probe->to.c, probe->from_c,
                     (ln_delay_share){probe->term, probe->to.row, col, sign * probe->c_row[col]});
    }
    for (int k = 0; k < probe->ninputs && status == LINNET_OK; k++)
        if (probe->d_row[k] != 0)
            status = add(probe->to.d, probe->from_d,
                         (ln_delay_share){probe->term, probe->to.row, k, sign * probe->d_row[k]});
    return status == LINNET_OK ? status : ln_no_memory(probe->small->report);
}

linnet_status ln_delayed_output(ln_small_signal *small, const ln_quantity *output,
                                const ln_input *inputs, int ninputs, ln_output_shares shares) {
    ln_delay_shares *c = shares.c, *d = shares.d;
    if (small->nterms == 0)
        return LINNET_OK;
    output_probe probe = {
        .small = small, .output = output, .inputs = inputs, .ninputs = ninputs, .to = shares};
    probe.now = LN_NEW(small->arena, ln_input, ninputs);
    probe.c_row = LN_NEW(small->arena, double, small->n);
    probe.d_row = LN_NEW(small->arena, double, ninputs);
    if (probe.now == NULL || probe.c_row == NULL || probe.d_row == NULL)
        return ln_no_memory(small->report);
    for (int k = 0; k < small->nterms; k++) {
        probe.term = k;
        probe.from_c = c->count;
        probe.from_d = d != NULL ? d->count : 0;
        LN_TRY(ln_system_delay_difference(small->system, &small->terms[k], probe_output, &probe));
        drop_zeros(c, probe.from_c);
        if (d != NULL)
            drop_zeros(d, probe.from_d);
    }
    return LINNET_OK;
}

/* ---- the factors ---- */

void ln_delayed_factors(const ln_small_signal *small, double complex s, double complex *factor,
                        double complex *slope) {
    for (int k = 0; k < small->nterms; k++) {
        const double T = small->terms[k].lag;
        const double complex passed = cexp(-s * T);
        factor[k] = passed - 1;
        slope[k] = -T * passed;
    }
}

static void add_pair(double *pairs, int at, double complex value) {
    pairs[2 * at] += creal(value);
    pairs[2 * at + 1] += cimag(value);
}

void ln_delayed_pencil(const ln_small_signal *small, const ln_delay_shares *a, double complex s,
                       const double complex *factor, double *values) {
    const ln_pattern *pattern = small->pattern;
    ln_small_signal_pencil(small, creal(s), cimag(s), values);
    for (size_t k = 0; k < a->count; k++) {
        const ln_delay_share *share = &a->items[k];
        int at = pattern->start[share->col];
        while (pattern->row[at] != share->row)
            at++;
        add_pair(values, at, factor[share->term] * share->value);
    }
}

void ln_delayed_slope(const ln_small_signal *small, const ln_delay_shares *a,
                      const double complex *slope, const double *x, double *out) {
    const ln_pattern *pattern = small->pattern;
    for (int col = 0; col < small->n; col++)
        for (int k = pattern->start[col]; k < pattern->start[col + 1]; k++)
            add_pair(out, pattern->row[k], -small->E[k] * (x[2 * col] + x[2 * col + 1] * I));
    for (size_t k = 0; k < a->count; k++) {
        const ln_delay_share *share = &a->items[k];
        add_pair(out, share->row,
                 -slope[share->term] * share->value *
                     (x[2 * share->col] + x[2 * share->col + 1] * I));
    }
}
