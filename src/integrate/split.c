/* SPDX-License-Identifier: MIT */
/* A network as an explicit method sees it. The states are z = E x on the differential rows of the transform; each call
 * finds the x that has these z and satisfies the algebra, and z' = -f there. On a linear network that is one solve with
 * one factorisation for the whole run. */
#include "integrate/start.h"


#include "base/sys.h"
#include "base/text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct split {
    ln_ode ode;
    ln_consistent solver;
    int *row;                      /* per state: the row of E                                                         */
    double *absolute;              /* per state: tolerance                                                            */
    double *x;                     /* the last solution, the next guess                                               */
} split;

static linnet_status solve_at(split *it, double t, double decide, const double *z) {
    const char *means;
    for (int k = 0; k < it->ode.n; k++) it->solver.q_star[it->row[k]] = z[k];
    it->ode.evaluations++;
    long before = it->solver.newton.iterations;
    int done = ln_consistent_solve(&it->solver, t, decide, it->x, &means);
    it->ode.loop_iterations += it->solver.newton.iterations - before;
    if (done) return LINNET_OK;
    if (it->solver.outcome == LN_NEWTON_REFUSED) ln_system_blame(it->solver.system, it->ode.blame, &it->ode.blame_place);
    else
        snprintf(it->ode.blame, sizeof it->ode.blame, "the algebraic part of the network has no solution at t = %.9g s", t);
    return LINNET_RETRY;
}

static linnet_status rates(ln_ode *ode, double t, double decide, const double *z, double *dz) {
    split *it = (split *)ode;
    ln_system *system = it->solver.system;
    LN_TRY(solve_at(it, t, decide, z));
    ln_matrix_apply(&system->A, it->x, it->solver.f);
    LN_TRY(ln_system_eval(system, t, decide, it->x, LN_LIMIT_OFF, NULL, it->solver.f, NULL));
    for (int k = 0; k < ode->n; k++) dz[k] = it->solver.s[it->row[k]] - it->solver.f[it->row[k]];
    return LINNET_OK;
}

static linnet_status unknowns(ln_ode *ode, double t, double decide, const double *z, double *x) {
    split *it = (split *)ode;
    LN_TRY(solve_at(it, t, decide, z));
    memcpy(x, it->x, (size_t)it->solver.system->n * sizeof *x);
    return LINNET_OK;
}

static void states(ln_ode *ode, const double *x, double *z) {
    split *it = (split *)ode;
    ln_matrix_apply(&it->solver.system->E, x, it->solver.q);
    for (int k = 0; k < ode->n; k++) z[k] = it->solver.q[it->row[k]];
    memcpy(it->x, x, (size_t)it->solver.system->n * sizeof *x);
}

static double tolerance(const ln_ode *ode, int i) { return ((const split *)ode)->absolute[i]; }

/* A state's tolerance: that of the unknowns in its row of E, times their coefficients. `sum`: work, a value per row. */
static void make_tolerances(split *it, double *sum) {
    const ln_system *system = it->solver.system;
    memset(sum, 0, (size_t)system->n * sizeof *sum);
    for (int j = 0; j < system->n; j++)
        for (int k = system->E.pattern.start[j]; k < system->E.pattern.start[j + 1]; k++)
            sum[system->E.pattern.row[k]] += fabs(system->E.value[k]) * system->abstol[j];
    for (int i = 0; i < it->ode.n; i++) it->absolute[i] = sum[it->row[i]];
}

/* The stored quantity of a row goes by the unknown of the same number: the link or the variable it belongs to. */
static void name(const ln_ode *ode, int i, char text[160]) {
    const split *it = (const split *)ode;
    snprintf(text, 160, "%s", ln_network_unknown_name(it->solver.system->network, it->row[i]));
}

static void release(ln_ode *ode) {
    split *it = (split *)ode;
    ln_consistent_free(&it->solver);
    ln_sys->release(it);
}

/* Which blocks keep the network from index 1: those whose unknowns the transformed equations leave open. */
static linnet_status refuse(split *it, ln_report *report) {
    const ln_system *system = it->solver.system;
    size_t n = (size_t)system->n;
    ln_text text = {0};
    ln_place place = LN_NOWHERE;
    ln_text_add(&text, "an explicit method needs a network of index 1, whose stored quantities fix all else");
    double *right = LN_NEW(it->solver.arena, double, n), *left = LN_NEW(it->solver.arena, double, n);
    int found = right == NULL || left == NULL || it->solver.transform == NULL
                    ? -1 : ln_linear_null(&it->solver.transform->pattern, it->solver.newton.values, 1, right, left);
    int named = 0;
    for (size_t i = 0; found > 0 && i < n && named < 5; i++) {
        if (!(right[i] > 1e-3 || right[i] < -1e-3)) continue;
        char one[160];
        ln_network_unknown_text(system->network, (int)i, one);
        ln_text_printf(&text, "%s%s", named++ == 0 ? "; here it is higher at " : ", ", one);
        if (named == 1) place = ln_network_unknown_place(system->network, (int)i);
    }
    ln_text_add(&text, "; use an implicit method such as tr-bdf2, or put a small resistance in the loop");
    linnet_status status = text.failed ? ln_no_memory(report) : ln_fail(report, LINNET_MODEL, place, "%s", text.data);
    ln_text_free(&text);
    return status;
}

/* Is the transformed matrix regular? Its values stay in newton.values. */
static int has_index_1(split *it) {
    if (it->solver.transform == NULL) return 0;
    ln_system *system = it->solver.system;
    if (!system->linear &&
        ln_system_eval(system, it->solver.t, it->solver.decide, it->x, LN_LIMIT_OFF, NULL, NULL, NULL) != LINNET_OK)
        return 1; /* cannot be judged there: the start will tell */
    ln_transform_jacobian(it->solver.transform, it->solver.newton.values);
    return ln_linear_factor(it->solver.linear, it->solver.newton.values) == LN_FACTORED;
}

linnet_status ln_split_new(ln_system *system, const ln_settings *settings, ln_report *report, ln_ode **ode) {
    if (!system->linear_q)
        return ln_fail(report, LINNET_MODEL, LN_NOWHERE,
                       "an explicit method needs storage that is linear in the unknowns; use an implicit method such as "
                       "tr-bdf2");
    split *it = ln_sys->allocate(sizeof *it);
    if (it == NULL) return ln_no_memory(report);
    *it = (split){.ode = {.rates = rates, .unknowns = unknowns, .states = states, .tolerance = tolerance, .name = name,
                          .free = release}};
    linnet_status status =
        ln_consistent_init(&it->solver, system, settings->linear, settings->begin, settings->begin, NULL, report);
    if (status == LINNET_OK) {
        it->x = LN_NEW(it->solver.arena, double, system->n);
        it->row = LN_NEW(it->solver.arena, int, system->n);
        it->absolute = LN_NEW(it->solver.arena, double, system->n);
        if (it->x == NULL || it->row == NULL || it->absolute == NULL) status = ln_no_memory(report);
    }
    if (status == LINNET_OK) status = ln_system_start_values(system, it->x, report);
    if (status == LINNET_OK && !has_index_1(it)) status = refuse(it, report);
    if (status != LINNET_OK) {
        release(&it->ode);
        return status;
    }
    const ln_transform *transform = it->solver.transform;
    for (int k = 0; k < system->n; k++)
        if (transform->differential[k]) it->row[it->ode.n++] = k;
    make_tolerances(it, it->solver.f);
    *ode = &it->ode;
    return LINNET_OK;
}
