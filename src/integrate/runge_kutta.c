/* SPDX-License-Identifier: MIT */
/* Explicit Runge-Kutta formulas: a new one is a new table. Coefficients: Hairer, Norsett, Wanner,
 * Solving Ordinary Differential Equations I, 2nd edition, II.1 (Heun, classical) and table 5.2
 * (Dormand-Prince). */
#include "integrate/runge_kutta.h"

#include <math.h>
#include <string.h>

static const ln_tableau tableaux[] = {
    {.method = "euler", .order = 1, .stages = 1, .b = {1.0}},
    {.method = "heun",
     .order = 2,
     .stages = 2,
     .c = {0.0, 1.0},
     .a = {{0.0}, {1.0}},
     .b = {0.5, 0.5}},
    {.method = "rk4",
     .order = 4,
     .stages = 4,
     .c = {0.0, 0.5, 0.5, 1.0},
     .a = {{0.0}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}},
     .b = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}},
    {.method = "rk45",
     .order = 5,
     .stages = 7,
     .estimates = 1,
     .last_is_first = 1,
     .c = {0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0},
     .a = {{0.0},
           {1.0 / 5.0},
           {3.0 / 40.0, 9.0 / 40.0},
           {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
           {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
           {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
           {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}},
     .b = {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0, 0.0},
     .e = {71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0,
           -1.0 / 40.0}},
};

const ln_tableau *ln_tableau_find(const char *method) {
    for (size_t k = 0; k < sizeof tableaux / sizeof *tableaux; k++)
        if (strcmp(tableaux[k].method, method) == 0)
            return &tableaux[k];
    return NULL;
}

linnet_status ln_runge_kutta_init(ln_runge_kutta *rk, ln_arena *arena, const ln_tableau *tableau,
                                  ln_ode *ode) {
    *rk = (ln_runge_kutta){.tableau = tableau, .ode = ode};
    double **vectors[3 + LN_MOST_STAGES] = {&rk->z, &rk->z1, &rk->stage};
    for (int s = 0; s < tableau->stages; s++)
        vectors[3 + s] = &rk->k[s];
    for (int v = 0; v < 3 + tableau->stages; v++)
        if ((*vectors[v] = LN_NEW(arena, double, ode->n)) == NULL)
            return LINNET_MEMORY;
    return LINNET_OK;
}

/* out = z + h sum_j weight[j] k[j], the terms of each state in their order. Most rows begin with
 * zeros and have one weight behind them. */
static void combine(const ln_runge_kutta *rk, double h, const double *weight, int terms,
                    double *out) {
    const int n = rk->ode->n;
    const double *z = rk->z;
    int first = 0;
    while (first < terms - 1 && weight[first] == 0.0)
        first++;
    const double w = h * weight[first], *k = rk->k[first];
    for (int i = 0; i < n; i++) {
        double sum = z[i] + w * k[i];
        for (int j = first + 1; j < terms; j++)
            sum += h * weight[j] * rk->k[j][i];
        out[i] = sum;
    }
}

linnet_status ln_runge_kutta_first(ln_runge_kutta *rk, const ln_side *side) {
    return ln_ode_rates(rk->ode, side, rk->z, rk->k[0]);
}

linnet_status ln_runge_kutta_step(ln_runge_kutta *rk, const ln_side *side, double h) {
    const ln_tableau *tableau = rk->tableau;
    ln_ode *ode = rk->ode;
    for (int s = 1; s < tableau->stages; s++) {
        double *stage = tableau->last_is_first && s == tableau->stages - 1 ? rk->z1 : rk->stage;
        combine(rk, h, tableau->a[s], s, stage);
        const ln_side at = ln_side_at(*side, side->t + tableau->c[s] * h);
        LN_TRY(ln_ode_rates(ode, &at, stage, rk->k[s]));
    }
    if (!tableau->last_is_first)
        combine(rk, h, tableau->b, tableau->stages, rk->z1);
    return LINNET_OK;
}

static void swap(double **a, double **b) {
    double *kept = *a;
    *a = *b;
    *b = kept;
}

void ln_runge_kutta_accept(ln_runge_kutta *rk) {
    swap(&rk->z, &rk->z1);
    if (rk->tableau->last_is_first)
        swap(&rk->k[0], &rk->k[rk->tableau->stages - 1]);
}

void ln_runge_kutta_between(const ln_runge_kutta *rk, double h, double theta, double *z) {
    /* after the step was accepted: z1 is where it began; k[0] and the last k are the rates at its
     * start and its end, or the other way round where they have changed places */
    static const double d[] = {69997945.0 / 29380423,         0,
                               87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                               701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                               -12715105075.0 / 11282082432};
    const int swapped = rk->tableau->last_is_first;
    const double *first = rk->k[swapped ? rk->tableau->stages - 1 : 0];
    const double *last = rk->k[swapped ? 0 : rk->tableau->stages - 1];
    for (int i = 0; i < rk->ode->n; i++) {
        const double from = rk->z1[i], way = rk->z[i] - from;
        const double start = h * first[i] - way, end = way - h * last[i] - start;
        double bend = 0;
        for (int s = 0; swapped && s < rk->tableau->stages; s++)
            bend += d[s] * rk->k[s][i];
        z[i] =
            from + theta * (way + (1 - theta) * (start + theta * (end + (1 - theta) * h * bend)));
    }
}

double ln_runge_kutta_error(const ln_runge_kutta *rk, double h, double relative,
                            const double *absolute, int *worst) {
    const ln_tableau *tableau = rk->tableau;
    const int n = rk->ode->n;
    double sum = 0.0, largest = -1.0;
    *worst = 0;
    for (int i = 0; i < n; i++) {
        double estimate = 0.0;
        for (int s = 0; s < tableau->stages; s++)
            estimate += tableau->e[s] * rk->k[s][i];
        double size = fmax(fabs(rk->z[i]), fabs(rk->z1[i]));
        double part = h * estimate / (absolute[i] + relative * size);
        sum += part * part;
        if (!(fabs(part) <= largest)) {
            largest = fabs(part);
            *worst = i;
        }
    }
    return n > 0 ? sqrt(sum / n) : 0.0;
}

double ln_runge_kutta_start_error(const ln_runge_kutta *rk, double h, double relative,
                                  const double *absolute) {
    const double *c = rk->tableau->c, part = c[1] / (c[2] - c[1]), weight = h * rk->tableau->b[0];
    const int n = rk->ode->n;
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        const double second = rk->k[1][i], leads_back = second - part * (rk->k[2][i] - second);
        const double size = fmax(fabs(rk->z[i]), fabs(rk->z1[i]));
        const double off = weight * (rk->k[0][i] - leads_back) / (absolute[i] + relative * size);
        sum += off * off;
    }
    return n > 0 ? sqrt(sum / n) : 0.0;
}

double ln_runge_kutta_stiffness(const ln_runge_kutta *rk, double h, double relative,
                                const double *absolute, int *worst) {
    const int last = rk->tableau->stages - 1;
    double rates = 0, states = 0, largest = -1;
    *worst = 0;
    for (int i = 0; i < rk->ode->n; i++) {
        const double unit = 1 / (absolute[i] + relative * fabs(rk->z1[i]));
        const double moved = unit * (rk->z1[i] - rk->stage[i]);
        const double changed = unit * (rk->k[last][i] - rk->k[last - 1][i]);
        states += moved * moved;
        rates += changed * changed;
        if (fabs(changed) > largest) {
            largest = fabs(changed);
            *worst = i;
        }
    }
    return states > 0 ? h * sqrt(rates / states) : 0;
}
