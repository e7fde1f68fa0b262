/* SPDX-License-Identifier: MIT */
/* What a run has cost, for its statistics: the solvers' counts, and the unknowns that made it
 * short. */
#include "integrate/few_nonlinear.h"

#include <stdio.h>

static void name_unsolved(const ln_run *run, char name[64]) {
    int most = -1;
    for (int i = 0; i < run->n; i++)
        if (run->errors.unsolved[i] > (most < 0 ? 0 : run->errors.unsolved[most]))
            most = i;
    snprintf(name, 64, "%s", most < 0 ? "" : ln_network_unknown_name(run->system->network, most));
}

static void name_dominant(const ln_run *run, ln_dominant *out) {
    int taken[LN_DOMINANTS] = {0};
    for (int k = 0; k < LN_DOMINANTS; k++) {
        int most = -1;
        for (int i = 0; i < run->n; i++) {
            int seen = 0;
            for (int j = 0; j < k; j++)
                seen |= taken[j] == i;
            if (!seen && run->errors.dominations[i] > 0 &&
                (most < 0 || run->errors.dominations[i] > run->errors.dominations[most]))
                most = i;
        }
        if (most < 0)
            return;
        taken[k] = most;
        snprintf(out[k].name, sizeof out[k].name, "%s",
                 ln_network_unknown_name(run->system->network, most));
        out[k].share = (double)run->errors.dominations[most] / (double)run->statistics->steps;
        out[k].rejected = run->errors.rejections[most];
    }
}

void ln_run_count_linear(ln_run *run, const ln_linear *linear) {
    ln_statistics *out = run->statistics;
    ln_linear_counts counts = ln_linear_count(linear);
    out->factored += counts.factored;
    out->refactored += counts.refactored;
    out->solved += counts.solved;
    out->linear = ln_linear_chosen(linear);
}

void ln_run_count(ln_run *run) {
    ln_statistics *out = run->statistics;
    name_dominant(run, out->dominant);
    name_unsolved(run, out->unsolved_at);
    out->newton = run->newton.iterations;
    out->factored = out->refactored = out->solved = 0;
    for (int k = 0; k < LN_KEPT_FACTORS; k++)
        if (run->cache.factors[k].matrix.linear != NULL)
            ln_run_count_linear(run, run->cache.factors[k].matrix.linear);
    const ln_linear *few;
    for (int k = 0; (few = ln_few_factors(run, k)) != NULL; k++)
        ln_run_count_linear(run, few);
}
