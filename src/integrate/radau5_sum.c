/* SPDX-License-Identifier: MIT */
/* What the errors of radau5's steps add up to (global_error.h). */
/* Loops over all unknowns become vectors by -O3 only. The pragma would else lose the command line's
 * contraction. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "integrate/global_error.h"
#include "integrate/radau5.h"

#include <string.h>

/* R(z) = a gamma/(gamma - z) + 2 Re(b mu/(mu - z)), mu = alpha + i beta: a and b. */
static const double PART_REAL = 5.0297778578124166625, PART_RE = -2.0148889289062083312,
                    PART_IM = 0.73650755504079681413;
/* The error of the step, z^6/7200, over that of the embedded formula, -4.58e-3 z^4, and over the
 * square of -z/(gamma - z), which is 1 - P of find_slow() for this matrix. */
static const double OF_EMBEDDED = -0.40118722696532987223;

/* slow <- P x, P = K1^-1 (gamma/h) C, which keeps slow components and takes stiff ones to zero. */
static void find_slow(ln_radau5 *radau, const double *x, double *slow, int n) {
    ln_matrix_apply(&radau->jacobian.q_by_x, x, slow);
    for (int i = 0; i < n; i++)
        slow[i] *= gamma_ / radau->last.h;
    ln_linear_solve_aside(radau->cache.real, slow);
}

/* error <- R error + local, where the embedded formula, of order 3, tells no error of this method:
 * two orders of h follow from the equations themselves, as they are where sources stand still. A
 * stiff component has no such error: one more P removes it. A step has one Jacobian, of its start:
 * where Newton's rate tells that another would serve it better, the sum begins anew. A spike
 * passed with it would leave a good part of the error that it has for a moment. */
void ln_radau5_sum_errors(ln_run *run, ln_radau5 *radau) {
    ln_global_error *global = run->global_error;
    const double h = radau->last.h;
    const int n = run->n;
    if (global == NULL || global->lost)
        return;
    if (!run->system->linear && radau->stages.theta > KEEP_JACOBIAN)
        memset(global->charge, 0, (size_t)n * sizeof *global->charge);
    const double *acting = ln_global_error_acting(run, radau->last.h);
    double *local = global->term, *slow = global->stored, *pair = global->pair;
    memcpy(local, radau->estimate.error, (size_t)n * sizeof *local);
    for (int power = 0; power < 2; power++) {
        find_slow(radau, local, slow, n);
        for (int i = 0; i < n; i++)
            local[i] -= slow[i];
    }
    ln_matrix_apply(&radau->jacobian.q_by_x, local, slow);
    for (int i = 0; i < n; i++) {
        const double carried = global->charge[i], forcing = acting != NULL ? acting[i] : 0;
        pair[2 * i] = alpha_ / h * carried + forcing;
        pair[2 * i + 1] = beta_ / h * carried;
        slow[i] = gamma_ / h * (PART_REAL * carried + OF_EMBEDDED * slow[i]) + PART_REAL * forcing;
    }
    ln_linear_solve_aside(radau->cache.complex, pair);
    ln_linear_solve_aside(radau->cache.real, slow);
    for (int i = 0; i < n; i++)
        global->error[i] = slow[i] + 2 * (PART_RE * pair[2 * i] - PART_IM * pair[2 * i + 1]);
    ln_matrix_apply(&radau->jacobian.q_by_x, global->error, global->charge);
}

void ln_radau5_begin_sum(ln_run *run, const ln_radau5 *radau) {
    if (run->global_error == NULL)
        return;
    memcpy(run->global_error->error, radau->estimate.error,
           (size_t)run->n * sizeof *radau->estimate.error);
    ln_matrix_apply(&radau->jacobian.q_by_x, run->global_error->error, run->global_error->charge);
}
