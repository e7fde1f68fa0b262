/* SPDX-License-Identifier: MIT */
/* Columns of inputs and rows of outputs, with what the chains add that stand for delays (pade.h).
 */
#include "analysis/small_signal.h"

#include "analysis/pade.h"
#include "system/linearise.h"

/* What the states of delays add to the row of an output. */
static linnet_status add_delayed_output(const ln_small_signal *small_signal,
                                        const ln_quantity *output, const ln_input *inputs,
                                        int ninputs, double *c, double *d) {
    const ln_pade *pade = small_signal->pade;
    double *epsilon = LN_NEW(small_signal->arena, double, pade->nchains),
           *delta = LN_NEW(small_signal->arena, double, pade->nchains);
    if (epsilon == NULL || delta == NULL)
        return ln_no_memory(small_signal->report);
    LN_TRY(ln_pade_output(pade, output, epsilon));
    for (int k = 0; k < pade->nchains; k++) {
        const ln_pade_chain *chain = &pade->chains[k];
        for (int i = 0; i < chain->ncols; i++)
            c[chain->cols[i]] += epsilon[k] * (pade->direct - 1) * chain->gamma[i];
        for (int i = 0; i < pade->order; i++)
            c[pade->exact->n + k * pade->order + i] = epsilon[k] * pade->out[i];
    }
    for (int j = 0; j < ninputs; j++) {
        LN_TRY(ln_pade_input(pade, inputs[j].name, delta));
        for (int k = 0; k < pade->nchains; k++)
            d[j] += epsilon[k] * (pade->direct - 1) * delta[k];
    }
    return LINNET_OK;
}

linnet_status ln_small_signal_output(ln_small_signal *small_signal, const ln_quantity *output,
                                     const ln_input *inputs, int ninputs, double *c, double *d) {
    LN_TRY(ln_small_signal_plain_output(small_signal, output, inputs, ninputs, c, d));
    return small_signal->pade != NULL
               ? add_delayed_output(small_signal, output, inputs, ninputs, c, d)
               : LINNET_OK;
}

linnet_status ln_small_signal_column(ln_small_signal *small_signal, const ln_input *input,
                                     double *b) {
    const ln_pade *pade = small_signal->pade;
    ln_system_input_column(input, b, 1);
    if (pade == NULL)
        return LINNET_OK;
    double *delta = LN_NEW(small_signal->arena, double, pade->nchains);
    if (delta == NULL)
        return ln_no_memory(small_signal->report);
    LN_TRY(ln_pade_input(pade, input->name, delta));
    for (int k = 0; k < pade->nchains; k++) {
        const ln_pade_chain *chain = &pade->chains[k];
        for (int i = 0; i < chain->nrows; i++)
            b[chain->rows[i]] -= chain->beta[i] * (pade->direct - 1) * delta[k];
        for (int i = 0; i < pade->order; i++)
            b[pade->exact->n + k * pade->order + i] += pade->in[i] * delta[k];
    }
    return LINNET_OK;
}
