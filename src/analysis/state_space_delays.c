/* SPDX-License-Identifier: MIT */
/* With e = C2 x + D21 u + D22 d read by the delays and d = out z + direct e given by them, d is
 * found from
 *
 *     (1 - direct D22) d = out z + direct (C2 x + D21 u)
 *
 * as G [x; z; u]; the rest is substitution. */
#include "analysis/state_space_delays.h"

#include "linear/linear.h"
#include <string.h>

linnet_status ln_raw_space_cut(ln_small_signal *small, const ln_space_ports *ports, int order,
                               ln_raw_space *raw) {
    if (small->nterms == 0)
        return LINNET_OK;
    LN_TRY(ln_pade_make(small, order, &raw->pade));
    size_t chains = (size_t)raw->pade.nchains;
    raw->delta = LN_NEW(small->arena, double, chains *(size_t)ports->ninputs);
    raw->epsilon = LN_NEW(small->arena, double, chains *(size_t)ports->noutputs);
    if (raw->delta == NULL || raw->epsilon == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < ports->ninputs; k++)
        LN_TRY(ln_pade_input(&raw->pade, ports->inputs[k], raw->delta + chains * (size_t)k));
    for (int k = 0; k < ports->noutputs; k++) {
        ln_quantity quantity;
        if (ln_network_find(small->system->network, ports->outputs[k].name, &quantity, NULL))
            LN_TRY(ln_pade_output(&raw->pade, &quantity, raw->epsilon + chains * (size_t)k));
    }
    raw->ninputs += raw->pade.nchains;
    raw->noutputs += raw->pade.nchains;
    return LINNET_OK;
}

linnet_status ln_raw_space_begin(ln_raw_space *raw, int unknowns, ln_state_space *out, double *B,
                                 double *C, double *D) {
    const size_t n = (size_t)raw->n, inputs = (size_t)raw->ninputs, outputs = (size_t)raw->noutputs;
    if (raw->pade.nchains == 0) {
        raw->A = out->A;
        raw->B = out->B;
        raw->C = out->C;
        raw->D = out->D;
        return LINNET_OK;
    }
    raw->A = LN_NEW(out->arena, double, n *n);
    raw->B = LN_NEW(out->arena, double, n *inputs);
    raw->C = LN_NEW(out->arena, double, outputs *n);
    raw->D = LN_NEW(out->arena, double, outputs *inputs);
    if (!raw->A || !raw->B || !raw->C || !raw->D)
        return LINNET_MEMORY;
    for (int k = 0; k < raw->pade.nchains; k++) {
        const ln_pade_chain *chain = &raw->pade.chains[k];
        double *b = B + (size_t)unknowns * (size_t)(out->ninputs + k),
               *c = C + (size_t)unknowns * (size_t)(out->noutputs + k);
        for (int i = 0; i < chain->nrows; i++)
            b[chain->rows[i]] = -chain->beta[i];
        for (int i = 0; i < chain->ncols; i++)
            c[chain->cols[i]] = chain->gamma[i];
        for (int j = 0; j < out->ninputs; j++)
            D[(size_t)(out->noutputs + k) * inputs + (size_t)j] =
                raw->delta[j * raw->pade.nchains + k];
        for (int i = 0; i < out->noutputs; i++)
            D[(size_t)i * inputs + (size_t)(out->ninputs + k)] =
                raw->epsilon[i * raw->pade.nchains + k];
    }
    return LINNET_OK;
}

/* ---- closing ---- */

typedef struct closing {
    const ln_raw_space *raw;
    ln_state_space *out;
    int n, m, chains, order; /* states without z, inputs asked for */
    /* nchains x (states with z, then inputs), column by column: what delays give, read */
    double *d, *e;
} closing;

static double raw_c(const closing *closure, int chain, int state) {
    return closure->raw->C[state * closure->raw->noutputs + closure->out->noutputs + chain];
}
static double raw_d(const closing *closure, int chain, int input) {
    return closure->raw->D[input * closure->raw->noutputs + closure->out->noutputs + chain];
}

/* The solver of 1 - direct D22; NULL when memory is short. *singular: the delays and the rest have
 * no solution. */
static ln_linear *factor_loop(const closing *closure, ln_arena *arena, int *singular) {
    const int c = closure->chains;
    int *start = LN_NEW(arena, int, c + 1), *row = LN_NEW(arena, int, c *c);
    double *values = LN_NEW(arena, double, c *c);
    ln_pattern *pattern = LN_NEW(arena, ln_pattern, 1);
    if (!start || !row || !values || !pattern)
        return NULL;
    for (int j = 0; j < c; j++) {
        start[j + 1] = (j + 1) * c;
        for (int i = 0; i < c; i++) {
            row[j * c + i] = i;
            values[j * c + i] =
                (i == j) - closure->raw->pade.direct * raw_d(closure, i, closure->m + j);
        }
    }
    *pattern = (ln_pattern){c, start, row};
    ln_linear *linear = ln_linear_new(pattern, LN_LINEAR_DENSE);
    const ln_factored factored =
        linear != NULL ? ln_linear_factor(linear, values) : LN_FACTOR_MEMORY;
    *singular = factored == LN_SINGULAR;
    if (factored == LN_FACTOR_MEMORY) {
        ln_linear_free(linear);
        return NULL;
    }
    return linear;
}

/* What the delays read without what they give, and from it what they give. */
static void fill_delays(closing *closure, ln_linear *linear) {
    const ln_pade *pade = &closure->raw->pade;
    const int c = closure->chains, states = closure->out->n;
    for (int col = 0; col < states + closure->m; col++) {
        double *e = closure->e + col * c, *d = closure->d + col * c;
        const int z = col - closure->n;
        for (int i = 0; i < c; i++) {
            if (col < closure->n)
                e[i] = raw_c(closure, i, col);
            else if (col >= states)
                e[i] = raw_d(closure, i, col - states);
            d[i] = pade->direct * e[i];
            if (col >= closure->n && col < states && z / closure->order == i)
                d[i] += pade->out[z % closure->order];
        }
        ln_linear_solve(linear, d);
        for (int i = 0; i < c; i++)
            for (int j = 0; j < c; j++)
                e[i] += raw_d(closure, i, closure->m + j) * d[j];
    }
}

/* One column of [A; C] (a state) or [B; D] (an input): col counts states, then inputs. */
static void fill_column(const closing *closure, int col, double *rates, double *seen) {
    const ln_raw_space *raw = closure->raw;
    const ln_pade *pade = &raw->pade;
    const int n = closure->n, p = raw->noutputs, states = closure->out->n;
    const double *d = closure->d + col * closure->chains, *e = closure->e + col * closure->chains;
    for (int i = 0; i < n; i++) {
        rates[i] = col < n        ? raw->A[col * n + i]
                   : col < states ? 0
                                  : raw->B[(col - states) * n + i];
        for (int j = 0; j < closure->chains; j++)
            rates[i] += raw->B[(closure->m + j) * n + i] * d[j];
    }
    for (int i = 0; i < closure->out->noutputs; i++) {
        seen[i] = col < n ? raw->C[col * p + i] : col < states ? 0 : raw->D[(col - states) * p + i];
        for (int j = 0; j < closure->chains; j++)
            seen[i] += raw->D[(closure->m + j) * p + i] * d[j];
    }
    for (int j = 0; j < closure->chains; j++)
        for (int k = 0; k < closure->order; k++) {
            const int z = col - n - j * closure->order;
            double rate = pade->in[k] * e[j];
            if (z >= 0 && z < closure->order && col < states)
                rate += pade->rate[k * closure->order + z];
            rates[n + j * closure->order + k] = rate / (pade->weight[k] * pade->chains[j].lag);
        }
}

static linnet_status label_delayed(const closing *closure) {
    const ln_small_signal *small = closure->raw->pade.exact;
    for (int j = 0; j < closure->chains; j++)
        for (int k = 0; k < closure->order; k++) {
            const ln_delay_term *term = &small->terms[closure->raw->pade.chains[j].term];
            const char *block = small->system->network->instances[term->instance].name;
            const char *name = ln_arena_printf(closure->out->arena, "%s.past[%d]", block, k + 1);
            if (name == NULL)
                return LINNET_MEMORY;
            closure->out->states[closure->n + j * closure->order + k] =
                (ln_state_label){name, "", 0};
        }
    return LINNET_OK;
}

linnet_status ln_raw_space_close(const ln_raw_space *raw, ln_report *report, ln_state_space *out) {
    closing closure = {raw,  out, raw->n, out->ninputs, raw->pade.nchains, raw->pade.order,
                       NULL, NULL};
    if (closure.chains == 0)
        return LINNET_OK;
    const size_t states = (size_t)out->n, cols = states + (size_t)out->ninputs;
    closure.d = LN_NEW(out->arena, double, (size_t)closure.chains *cols);
    closure.e = LN_NEW(out->arena, double, (size_t)closure.chains *cols);
    if (closure.d == NULL || closure.e == NULL)
        return LINNET_MEMORY;
    int singular = 0;
    ln_linear *linear = factor_loop(&closure, out->arena, &singular);
    if (linear == NULL)
        return LINNET_MEMORY;
    if (!singular) {
        fill_delays(&closure, linear);
        for (int col = 0; col < out->n; col++)
            fill_column(&closure, col, out->A + states * (size_t)col,
                        out->C + (size_t)out->noutputs * (size_t)col);
        for (int j = 0; j < out->ninputs; j++)
            fill_column(&closure, out->n + j, out->B + states * (size_t)j,
                        out->D + (size_t)out->noutputs * (size_t)j);
    }
    ln_linear_free(linear);
    if (singular)
        return ln_fail(report, LINNET_FAILED, LN_NOWHERE,
                       "a loop through delays passes everything on at once when their Pade "
                       "order is %d; choose another one",
                       raw->pade.order);
    return label_delayed(&closure);
}
