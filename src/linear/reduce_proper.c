/* SPDX-License-Identifier: MIT */
/* From s z = F z + (G_0 + s G_1 + ...) u to matrices: the polynomial in s is divided by s - F from
 * its highest power down. A power of s moves from the states' rows into the outputs:
 *
 *     z = w + G_p s^(p-1) u    gives    G_(p-1) += F G_p,    H_(p-1) += C G_p. */
#include "linear/reduce.h"

#include <string.h>

static const double NOTHING = 1e-13; /* of the terms of a sum: what is left is rounding */

typedef struct dividing {
    const ln_reduced *reduced;
    ln_proper *out;
    int depth;
    double *G, *H;           /* per power: m x ninputs, noutputs x ninputs */
    double *G_size, *H_size; /* sizes of what has been summed */
} dividing;

static size_t g_at(const dividing *work, int power, int row, int input) {
    return ((size_t)power * (size_t)work->out->ninputs + (size_t)input) * (size_t)work->out->m +
           (size_t)row;
}

static size_t h_at(const dividing *work, int power, int row, int input) {
    return ((size_t)power * (size_t)work->out->ninputs + (size_t)input) *
               (size_t)work->out->noutputs +
           (size_t)row;
}

static void add(double *sum, double *size, double value) {
    *sum += value;
    *size += fabs(value);
    if (fabs(*sum) <= NOTHING * *size)
        *sum = 0;
}

static void fill(dividing *work) {
    ln_proper *out = work->out;
    const int m = out->m;
    for (int i = 0; i < m; i++)
        for (size_t k = 0; k < work->reduced->rows[i].count; k++) {
            const ln_reduced_entry *cell = &work->reduced->rows[i].items[k];
            const int column = cell->col - m;
            if (column < 0)
                out->A[(size_t)cell->col * (size_t)m + (size_t)i] = 0 - cell->a.hi;
            else
                add(&work->G[g_at(work, column % LN_REDUCED_DEPTH, i, column / LN_REDUCED_DEPTH)],
                    &work->G_size[g_at(work, column % LN_REDUCED_DEPTH, i,
                                       column / LN_REDUCED_DEPTH)],
                    -cell->a.hi);
        }
    for (int i = 0; i < out->noutputs; i++)
        for (size_t k = 0; k < work->reduced->outputs[i].count; k++) {
            const ln_reduced_entry *cell = &work->reduced->outputs[i].items[k];
            const int column = cell->col - m;
            if (column < 0)
                out->C[(size_t)cell->col * (size_t)out->noutputs + (size_t)i] = cell->a.hi;
            else
                add(&work->H[h_at(work, column % LN_REDUCED_DEPTH, i, column / LN_REDUCED_DEPTH)],
                    &work->H_size[h_at(work, column % LN_REDUCED_DEPTH, i,
                                       column / LN_REDUCED_DEPTH)],
                    cell->a.hi);
        }
}

/* One power of one input. */
static void divide(dividing *work, int power, int input) {
    ln_proper *out = work->out;
    for (int k = 0; k < out->m; k++) {
        const double g = work->G[g_at(work, power, k, input)];
        if (g == 0)
            continue;
        for (int i = 0; i < out->m; i++) {
            const size_t at = g_at(work, power - 1, i, input);
            add(&work->G[at], &work->G_size[at],
                out->A[(size_t)k * (size_t)out->m + (size_t)i] * g);
        }
        for (int i = 0; i < out->noutputs; i++) {
            const size_t at = h_at(work, power - 1, i, input);
            add(&work->H[at], &work->H_size[at],
                out->C[(size_t)k * (size_t)out->noutputs + (size_t)i] * g);
        }
    }
}

linnet_status ln_reduced_proper(const ln_reduced *reduced, const ln_border *border, ln_arena *arena,
                                ln_proper *out) {
    const size_t m = (size_t)reduced->m, inputs = (size_t)border->ninputs,
                 outputs = (size_t)border->noutputs;
    *out = (ln_proper){.m = reduced->m,
                       .ninputs = border->ninputs,
                       .noutputs = border->noutputs,
                       .A = LN_NEW(arena, double, m *m),
                       .B = LN_NEW(arena, double, m *inputs),
                       .C = LN_NEW(arena, double, outputs *m),
                       .D = LN_NEW(arena, double, outputs *inputs),
                       .improper = LN_NEW(arena, char, outputs *inputs)};
    dividing work = {.reduced = reduced,
                     .out = out,
                     .G = LN_NEW(arena, double, LN_REDUCED_DEPTH *m *inputs),
                     .H = LN_NEW(arena, double, LN_REDUCED_DEPTH *outputs *inputs),
                     .G_size = LN_NEW(arena, double, LN_REDUCED_DEPTH *m *inputs),
                     .H_size = LN_NEW(arena, double, LN_REDUCED_DEPTH *outputs *inputs)};
    if (!out->A || !out->B || !out->C || !out->D || !out->improper || !work.G || !work.H ||
        !work.G_size || !work.H_size)
        return LINNET_MEMORY;
    fill(&work);
    for (int power = LN_REDUCED_DEPTH - 1; power > 0; power--)
        for (int j = 0; j < border->ninputs; j++) {
            divide(&work, power, j);
            for (int i = 0; i < border->noutputs; i++)
                out->improper[(size_t)j * outputs + (size_t)i] |=
                    work.H[h_at(&work, power, i, j)] != 0;
        }
    memcpy(out->B, work.G, m * inputs * sizeof *out->B);
    memcpy(out->D, work.H, outputs * inputs * sizeof *out->D);
    return LINNET_OK;
}
