/* SPDX-License-Identifier: MIT */
/* With e = C2 x + D21 u + D22 d read by the delays and d = out z + direct e given by them, d is found from
 *
 *     (1 - direct D22) d = out z + direct (C2 x + D21 u)
 *
 * as G [x; z; u]; the rest is substitution. */
#include "analysis/state_space_delays.h"

#include "linear/linear.h"
#include <string.h>

linnet_status ln_raw_space_cut(ln_small_signal *small, const char *const *inputs, int ninputs, const ln_column *outputs,
                               int noutputs, int order, ln_raw_space *raw) {
    if (small->nterms == 0) return LINNET_OK;
    LN_TRY(ln_pade_make(small, order, &raw->pade));
    size_t chains = (size_t)raw->pade.nchains;
    raw->delta = LN_NEW(small->arena, double, chains * (size_t)ninputs);
    raw->epsilon = LN_NEW(small->arena, double, chains * (size_t)noutputs);
    if (raw->delta == NULL || raw->epsilon == NULL) return LINNET_MEMORY;
    for (int k = 0; k < ninputs; k++) LN_TRY(ln_pade_input(&raw->pade, inputs[k], raw->delta + chains * (size_t)k));
    for (int k = 0; k < noutputs; k++) {
        ln_quantity quantity;
        if (ln_network_find(small->system->network, outputs[k].name, &quantity, NULL))
            LN_TRY(ln_pade_output(&raw->pade, &quantity, raw->epsilon + chains * (size_t)k));
    }
    raw->ninputs += raw->pade.nchains;
    raw->noutputs += raw->pade.nchains;
    return LINNET_OK;
}

linnet_status ln_raw_space_begin(ln_raw_space *raw, int unknowns, ln_state_space *out, double *B, double *C, double *D) {
    const size_t n = (size_t)raw->n, inputs = (size_t)raw->ninputs, outputs = (size_t)raw->noutputs;
    if (raw->pade.nchains == 0) {
        raw->A = out->A;
        raw->B = out->B;
        raw->C = out->C;
        raw->D = out->D;
        return LINNET_OK;
    }
    raw->A = LN_NEW(out->arena, double, n * n);
    raw->B = LN_NEW(out->arena, double, n * inputs);
    raw->C = LN_NEW(out->arena, double, outputs * n);
    raw->D = LN_NEW(out->arena, double, outputs * inputs);
    if (!raw->A || !raw->B || !raw->C || !raw->D) return LINNET_MEMORY;
    for (int k = 0; k < raw->pade.nchains; k++) {
        const ln_pade_chain *chain = &raw->pade.chains[k];
        double *b = B + (size_t)unknowns * (size_t)(out->ninputs + k),
               *c = C + (size_t)unknowns * (size_t)(out->noutputs + k);
        for (int i = 0; i < chain->nrows; i++) b[chain->rows[i]] = -chain->beta[i];
        for (int i = 0; i < chain->ncols; i++) c[chain->cols[i]] = chain->gamma[i];
        for (int j = 0; j < out->ninputs; j++)
            D[(size_t)(out->noutputs + k) * inputs + (size_t)j] = raw->delta[j * raw->pade.nchains + k];
        for (int i = 0; i < out->noutputs; i++)
            D[(size_t)i * inputs + (size_t)(out->ninputs + k)] = raw->epsilon[i * raw->pade.nchains + k];
    }
    return LINNET_OK;
}

/* ---- closing ---- */

typedef struct closing {
    const ln_raw_space *raw;
    ln_state_space *out;
    int n, m, chains, order;       /* states without z, inputs asked for                                              */
    double *d, *e;                 /* nchains x (states with z, then inputs), column by column: what delays give, read */
} closing;

static double raw_c(const closing *it, int chain, int state) {
    return it->raw->C[state * it->raw->noutputs + it->out->noutputs + chain];
}
static double raw_d(const closing *it, int chain, int input) {
    return it->raw->D[input * it->raw->noutputs + it->out->noutputs + chain];
}

/* The solver of 1 - direct D22; NULL when memory is short. *singular: the delays and the rest have no solution. */
static ln_linear *factor_loop(const closing *it, ln_arena *arena, int *singular) {
    const int c = it->chains;
    int *start = LN_NEW(arena, int, c + 1), *row = LN_NEW(arena, int, c * c);
    double *values = LN_NEW(arena, double, c * c);
    ln_pattern *pattern = LN_NEW(arena, ln_pattern, 1);
    if (!start || !row || !values || !pattern) return NULL;
    for (int j = 0; j < c; j++) {
        start[j + 1] = (j + 1) * c;
        for (int i = 0; i < c; i++) {
            row[j * c + i] = i;
            values[j * c + i] = (i == j) - it->raw->pade.direct * raw_d(it, i, it->m + j);
        }
    }
    *pattern = (ln_pattern){c, start, row};
    ln_linear *linear = ln_linear_new(pattern, LN_LINEAR_DENSE);
    *singular = linear != NULL && ln_linear_factor(linear, values) != LN_FACTORED;
    return linear;
}

/* What the delays read without what they give, and from it what they give. */
static void fill_delays(closing *it, ln_linear *linear) {
    const ln_pade *pade = &it->raw->pade;
    const int c = it->chains, states = it->out->n;
    for (int col = 0; col < states + it->m; col++) {
        double *e = it->e + col * c, *d = it->d + col * c;
        const int z = col - it->n;
        for (int i = 0; i < c; i++) {
            if (col < it->n) e[i] = raw_c(it, i, col);
            else if (col >= states) e[i] = raw_d(it, i, col - states);
            d[i] = pade->direct * e[i];
            if (col >= it->n && col < states && z / it->order == i) d[i] += pade->out[z % it->order];
        }
        ln_linear_solve(linear, d);
        for (int i = 0; i < c; i++)
            for (int j = 0; j < c; j++) e[i] += raw_d(it, i, it->m + j) * d[j];
    }
}

/* One column of [A; C] (a state) or [B; D] (an input): col counts states, then inputs. */
static void fill_column(const closing *it, int col, double *rates, double *seen) {
    const ln_raw_space *raw = it->raw;
    const ln_pade *pade = &raw->pade;
    const int n = it->n, p = raw->noutputs, states = it->out->n;
    const double *d = it->d + col * it->chains, *e = it->e + col * it->chains;
    for (int i = 0; i < n; i++) {
        rates[i] = col < n ? raw->A[col * n + i] : col < states ? 0 : raw->B[(col - states) * n + i];
        for (int j = 0; j < it->chains; j++) rates[i] += raw->B[(it->m + j) * n + i] * d[j];
    }
    for (int i = 0; i < it->out->noutputs; i++) {
        seen[i] = col < n ? raw->C[col * p + i] : col < states ? 0 : raw->D[(col - states) * p + i];
        for (int j = 0; j < it->chains; j++) seen[i] += raw->D[(it->m + j) * p + i] * d[j];
    }
    for (int j = 0; j < it->chains; j++)
        for (int k = 0; k < it->order; k++) {
            const int z = col - n - j * it->order;
            double rate = pade->in[k] * e[j];
            if (z >= 0 && z < it->order && col < states) rate += pade->rate[k * it->order + z];
            rates[n + j * it->order + k] = rate / (pade->weight[k] * pade->chains[j].lag);
        }
}

static linnet_status label_past(const closing *it) {
    const ln_small_signal *small = it->raw->pade.exact;
    for (int j = 0; j < it->chains; j++)
        for (int k = 0; k < it->order; k++) {
            const ln_delay_term *term = &small->terms[it->raw->pade.chains[j].term];
            const char *block = small->system->network->instances[term->instance].name;
            const char *name = ln_arena_printf(it->out->arena, "%s.past[%d]", block, k + 1);
            if (name == NULL) return LINNET_MEMORY;
            it->out->states[it->n + j * it->order + k] = (ln_label){name, "", 0};
        }
    return LINNET_OK;
}

linnet_status ln_raw_space_close(const ln_raw_space *raw, ln_report *report, ln_state_space *out) {
    closing it = {raw, out, raw->n, out->ninputs, raw->pade.nchains, raw->pade.order, NULL, NULL};
    if (it.chains == 0) return LINNET_OK;
    const size_t states = (size_t)out->n, cols = states + (size_t)out->ninputs;
    it.d = LN_NEW(out->arena, double, (size_t)it.chains * cols);
    it.e = LN_NEW(out->arena, double, (size_t)it.chains * cols);
    if (it.d == NULL || it.e == NULL) return LINNET_MEMORY;
    int singular = 0;
    ln_linear *linear = factor_loop(&it, out->arena, &singular);
    if (linear == NULL) return LINNET_MEMORY;
    if (!singular) {
        fill_delays(&it, linear);
        for (int col = 0; col < out->n; col++)
            fill_column(&it, col, out->A + states * (size_t)col, out->C + (size_t)out->noutputs * (size_t)col);
        for (int j = 0; j < out->ninputs; j++)
            fill_column(&it, out->n + j, out->B + states * (size_t)j, out->D + (size_t)out->noutputs * (size_t)j);
    }
    ln_linear_free(linear);
    if (singular)
        return ln_fail(report, LINNET_FAILED, LN_NOWHERE,
                       "a loop through delays passes everything on at once when their Pade "
                       "order is %d; choose another one",
                       raw->pade.order);
    return label_past(&it);
}
