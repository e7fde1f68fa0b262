/* SPDX-License-Identifier: MIT */
/* The three stages of a radau5 step by Newton's method proper: each stage has its own Jacobian and
 * its own limiting, and all are solved for as one system of 3 n,
 *
 *     sum_j S_ij/h C(Y_j) dz_j + G(Y_i) dz_i = -f(Y_i) - sum_j S_ij (q(Y_j) - q0)/h,
 *
 * with C = dq/dx and G = df/dx. Where junctions switch within the step no one Jacobian serves all
 * stages, and the simplified method of radau5_stages.c leads nowhere; this one does, in a few
 * iterations that cost some five of its factorisations each. */
#include "integrate/radau5.h"

#include "system/commutation.h"

#include <math.h>
#include <string.h>

struct ln_radau5_coupled {
    ln_pattern pattern; /* of 3 n: unknown i of stage j is 3 i + j */
    ln_linear *linear;
    char *stores;                    /* per position of the system's pattern: part of dq/dx */
    double *storage[3], *statics[3]; /* dq/dx and df/dx of each stage, at these positions */
    double *values, *r;              /* of the pattern; 3 n */
    double *places[3];               /* where the blocks of each stage were evaluated last */
};

/* ---- set-up ---- */

static void mark_storage(const ln_system *system, char *stores) {
    const int ne = system->E.pattern.start[system->n];
    for (int k = 0; k < ne; k++)
        stores[system->e_slot[k]] = 1;
    for (int k = 0; k < system->ndq; k++)
        stores[system->dq_slot[k]] = 1;
}

/* Column by column, as fill() goes through them. */
static linnet_status make_pattern(ln_run *run, ln_radau5_coupled *all) {
    const ln_pattern *one = &run->system->pattern;
    const int n = run->n, entries = one->start[n];
    int count = 0;
    for (int k = 0; k < entries; k++)
        count += all->stores[k] ? 9 : 3;
    int *start = LN_NEW(run->arena, int, 3 * n + 1), *row = LN_NEW(run->arena, int, count);
    all->values = LN_NEW(run->arena, double, count);
    if (start == NULL || row == NULL || all->values == NULL)
        return LINNET_MEMORY;
    count = 0;
    for (int col = 0; col < n; col++) {
        for (int j = 0; j < 3; j++) {
            for (int k = one->start[col]; k < one->start[col + 1]; k++)
                for (int i = 0; i < 3; i++)
                    if (all->stores[k] || i == j)
                        row[count++] = 3 * one->row[k] + i;
            start[3 * col + j + 1] = count;
        }
    }
    all->pattern = (ln_pattern){3 * n, start, row};
    return LINNET_OK;
}

static linnet_status make(ln_run *run, ln_radau5 *radau) {
    const size_t n = (size_t)run->n, entries = (size_t)run->system->pattern.start[run->n],
                 places = ln_system_places(run->system);
    ln_radau5_coupled *all = LN_NEW(run->arena, ln_radau5_coupled, 1);
    int ok = all != NULL && (all->stores = LN_NEW(run->arena, char, entries)) != NULL &&
             (all->r = LN_NEW(run->arena, double, 3 * n)) != NULL;
    for (int j = 0; ok && j < 3; j++)
        ok = (all->storage[j] = LN_NEW(run->arena, double, entries)) != NULL &&
             (all->statics[j] = LN_NEW(run->arena, double, entries)) != NULL &&
             (all->places[j] = LN_NEW(run->arena, double, places)) != NULL;
    if (!ok)
        return LINNET_MEMORY;
    mark_storage(run->system, all->stores);
    LN_TRY(make_pattern(run, all));
    all->linear = ln_linear_new(&all->pattern, run->settings->linear);
    if (all->linear == NULL)
        return LINNET_MEMORY;
    ln_linear_profile(all->linear, run->settings->profile);
    radau->stages.coupled = all;
    return LINNET_OK;
}

void ln_radau5_coupled_free(ln_radau5_coupled *all) {
    if (all != NULL)
        ln_linear_free(all->linear);
}

void ln_radau5_coupled_count(ln_run *run, const ln_radau5_coupled *all) {
    if (all != NULL)
        ln_run_count_linear(run, all->linear);
}

int ln_radau5_may_couple(const ln_run *run, const ln_radau5 *radau) {
    const ln_system *system = run->system;
    return radau->stages.may_renew && ln_system_has_one_solution(system, radau->jacobian.stored);
}

int ln_radau5_begin_coupled(ln_run *run, ln_radau5 *radau) {
    if (radau->stages.coupled == NULL && make(run, radau) != LINNET_OK) {
        run->out_of_memory = 1;
        return 0;
    }
    /* limiting starts from here, not from afar */
    if (!ln_radau5_rates(run, run->side, run->x, NULL, radau->y))
        return 0;
    for (int j = 0; j < 3; j++)
        ln_system_save_places(run->system, radau->stages.coupled->places[j]);
    return 1;
}

/* ---- an iteration ---- */

/* q(Y_j) - q0 into dq[j], s - f(Y_j) into rate[j], and the Jacobian. 0 when a block refuses. */
static int evaluate(ln_run *run, ln_radau5 *radau, ln_side side, int j, int *limited) {
    ln_radau5_coupled *all = radau->stages.coupled;
    ln_system *system = run->system;
    double *q = radau->stages.q_increment[j], *g = radau->stages.rate[j];
    int moved = 0;
    for (int i = 0; i < run->n; i++)
        radau->y[i] = run->x[i] + radau->stages.z[j][i];
    if (ln_system_sources(system, side, run->s) != LINNET_OK)
        return 0;
    ln_matrix_apply(&system->A, radau->y, g);
    memset(q, 0, (size_t)run->n * sizeof *q);
    run->statistics->evaluations++;
    ln_system_restore_places(system, all->places[j]);
    if (ln_system_eval(system, &(ln_moment){side, radau->y}, LN_LIMIT_ON,
                       system->linear_q ? NULL : q, g, &moved) != LINNET_OK)
        return 0;
    ln_system_save_places(system, all->places[j]);
    *limited += moved;
    ln_system_jacobian(system, 0, all->statics[j]);
    ln_system_mass_matrix(system, all->storage[j]);
    for (int i = 0; i < run->n; i++)
        g[i] = run->s[i] - g[i];
    ln_radau5_q_increment(run, radau, j);
    return 1;
}

static void fill(const ln_run *run, const ln_radau5 *radau) {
    const ln_radau5_coupled *all = radau->stages.coupled;
    const int *start = run->system->pattern.start;
    double *value = all->values;
    for (int col = 0; col < run->n; col++)
        for (int j = 0; j < 3; j++)
            for (int k = start[col]; k < start[col + 1]; k++)
                for (int i = 0; i < 3; i++)
                    if (all->stores[k] || i == j)
                        *value++ = ln_radau5_S[i][j] / radau->h * all->storage[j][k] +
                                   (i == j ? all->statics[j][k] : 0);
}

int ln_radau5_solve_coupled(ln_run *run, ln_radau5 *radau, ln_side side, int *limited) {
    ln_radau5_coupled *all = radau->stages.coupled;
    *limited = 0;
    run->outcome = LN_NEWTON_REFUSED;
    for (int j = 0; j < 3; j++)
        if (!evaluate(run, radau, ln_side_at(side, run->side.t + ln_radau5_node[j + 1] * radau->h),
                      j, limited))
            return 0;
    fill(run, radau);
    for (int i = 0; i < run->n; i++)
        for (int j = 0; j < 3; j++)
            all->r[3 * i + j] =
                radau->stages.rate[j][i] - (ln_radau5_S[j][0] * radau->stages.q_increment[0][i] +
                                            ln_radau5_S[j][1] * radau->stages.q_increment[1][i] +
                                            ln_radau5_S[j][2] * radau->stages.q_increment[2][i]) /
                                               radau->h;
    if (!ln_run_factor(run, all->linear, all->values))
        return 0;
    ln_linear_solve(all->linear, all->r);
    run->outcome = LN_NEWTON_DIVERGED;
    for (int i = 0; i < run->n; i++)
        ln_radau5_transform(&all->r[3 * i], &radau->stages.real_update[i],
                            &radau->complex_update[2 * i]);
    return 1;
}
