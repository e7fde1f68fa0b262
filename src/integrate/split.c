/* SPDX-License-Identifier: MIT */
/* A network as an explicit method sees it. The states are z = E x on the differential rows of the
 * transform; each call finds the x that has these z and satisfies the algebra, and z' = -f there.
 * On a linear network that is one solve with one factorisation for the whole run. */
#include "integrate/stepper.h"

#include "base/sys.h"
#include "base/text.h"
#include "system/index.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct split {
    ln_ode ode;
    ln_consistency_solver consistency;
    /* per state: the row of E, which goes by the unknown of the same number: the link or the
     * variable it belongs to */
    int *row;
    double *absolute; /* per state: tolerance */
    double *x;        /* the last solution, the next guess */
} split;

static linnet_status solve_at(split *splitter, ln_side side, const double *z) {
    const char *means;
    for (int k = 0; k < splitter->ode.n; k++)
        splitter->consistency.q_star[splitter->row[k]] = z[k];
    splitter->ode.evaluations++;
    long before = splitter->consistency.newton.iterations;
    int done = ln_consistency_solve(&splitter->consistency, side, splitter->x, &means);
    splitter->ode.loop_iterations += splitter->consistency.newton.iterations - before;
    if (done)
        return LINNET_OK;
    if (splitter->consistency.outcome == LN_NEWTON_REFUSED)
        ln_system_blame(splitter->consistency.system, splitter->ode.blame,
                        &splitter->ode.blame_place);
    else
        snprintf(splitter->ode.blame, sizeof splitter->ode.blame,
                 "the algebraic part of the network has no solution at t = %.9g s", side.t);
    return LINNET_RETRY;
}

static linnet_status rates(ln_ode *ode, ln_side side, const double *z, double *dz) {
    split *splitter = (split *)ode;
    ln_system *system = splitter->consistency.system;
    LN_TRY(solve_at(splitter, side, z));
    ln_matrix_apply(&system->A, splitter->x, splitter->consistency.f);
    LN_TRY(ln_system_eval(system, &(ln_moment){side, splitter->x}, LN_LIMIT_OFF, NULL,
                          splitter->consistency.f, NULL));
    for (int k = 0; k < ode->n; k++)
        dz[k] =
            splitter->consistency.s[splitter->row[k]] - splitter->consistency.f[splitter->row[k]];
    return LINNET_OK;
}

static linnet_status unknowns(ln_ode *ode, ln_side side, const double *z, double *x) {
    split *splitter = (split *)ode;
    LN_TRY(solve_at(splitter, side, z));
    memcpy(x, splitter->x, (size_t)splitter->consistency.system->n * sizeof *x);
    return LINNET_OK;
}

static void states(ln_ode *ode, const double *x, double *z) {
    split *splitter = (split *)ode;
    ln_matrix_apply(&splitter->consistency.system->E, x, splitter->consistency.q);
    for (int k = 0; k < ode->n; k++)
        z[k] = splitter->consistency.q[splitter->row[k]];
    memcpy(splitter->x, x, (size_t)splitter->consistency.system->n * sizeof *x);
}

/* A state's tolerance: that of the unknowns in its row of E, times their coefficients. `sum`: work,
 * a value per row. */
static void make_tolerances(split *splitter, double *sum) {
    const ln_system *system = splitter->consistency.system;
    memset(sum, 0, (size_t)system->n * sizeof *sum);
    for (int j = 0; j < system->n; j++)
        for (int k = system->E.pattern.start[j]; k < system->E.pattern.start[j + 1]; k++)
            sum[system->E.pattern.row[k]] += fabs(system->E.value[k]) * system->abstol[j];
    for (int i = 0; i < splitter->ode.n; i++)
        splitter->absolute[i] = sum[splitter->row[i]];
}

static void release(ln_ode *ode) {
    split *splitter = (split *)ode;
    ln_consistency_free(&splitter->consistency);
    ln_sys->release(splitter);
}

/* Which equations keep the network from index 1. */
static linnet_status report_index(const split *splitter, ln_report *report) {
    const ln_system *system = splitter->consistency.system;
    const ln_row_transform *transform = splitter->consistency.transform;
    ln_index index;
    ln_text text = {0};
    ln_place place = LN_NOWHERE;
    ln_arena *arena = ln_arena_new();
    linnet_status status = arena == NULL || transform == NULL
                               ? LINNET_MEMORY
                               : ln_index_find(system, &transform->storage, arena, &index);
    ln_text_add(
        &text,
        "an explicit method needs a network of index 1, whose stored quantities fix all else");
    if (status == LINNET_OK) {
        ln_text_add(&text, "; here ");
        ln_index_describe(system, &index, &text, &place);
    }
    ln_text_add(&text, "; use an implicit method such as tr-bdf2");
    status = status == LINNET_MEMORY || text.failed
                 ? ln_no_memory(report)
                 : ln_fail(report, LINNET_MODEL, place, "%s", text.data);
    ln_arena_free(arena);
    ln_text_free(&text);
    return status;
}

/* Is the transformed matrix regular (LN_FACTORED)? Its values stay in newton.values. */
static ln_factored judge_index(split *splitter) {
    if (!ln_consistency_is_index_1(&splitter->consistency))
        return LN_SINGULAR;
    ln_system *system = splitter->consistency.system;
    if (!system->linear &&
        ln_system_eval(system, &(ln_moment){splitter->consistency.side, splitter->x}, LN_LIMIT_OFF,
                       NULL, NULL, NULL) != LINNET_OK)
        return LN_FACTORED; /* cannot be judged there: the start will tell */
    ln_row_transform_jacobian(splitter->consistency.transform, splitter->consistency.newton.values);
    return ln_linear_factor(splitter->consistency.matrix.linear,
                            splitter->consistency.newton.values);
}

linnet_status ln_split_new(ln_system *system, const ln_settings *settings, ln_report *report,
                           ln_ode **ode) {
    if (!system->linear_q)
        return ln_fail(report, LINNET_MODEL, LN_NOWHERE,
                       "an explicit method needs storage that is linear in the unknowns; use an "
                       "implicit method such as "
                       "tr-bdf2");
    split *splitter = ln_sys->allocate(sizeof *splitter);
    if (splitter == NULL)
        return ln_no_memory(report);
    *splitter =
        (split){.ode = {.rates = rates, .unknowns = unknowns, .states = states, .free = release}};
    linnet_status status = ln_consistency_init(&splitter->consistency, system, settings->linear,
                                               ln_side_left(settings->begin, 0), NULL, report);
    if (status == LINNET_OK) {
        splitter->x = LN_NEW(splitter->consistency.arena, double, system->n);
        splitter->row = LN_NEW(splitter->consistency.arena, int, system->n);
        splitter->absolute = LN_NEW(splitter->consistency.arena, double, system->n);
        if (splitter->x == NULL || splitter->row == NULL || splitter->absolute == NULL)
            status = ln_no_memory(report);
    }
    if (status == LINNET_OK)
        status = ln_system_start_values(system, splitter->x, report);
    const ln_factored judged = status == LINNET_OK ? judge_index(splitter) : LN_FACTORED;
    if (judged != LN_FACTORED)
        status = judged == LN_FACTOR_MEMORY ? ln_no_memory(report) : report_index(splitter, report);
    if (status != LINNET_OK) {
        release(&splitter->ode);
        return status;
    }
    const ln_row_transform *transform = splitter->consistency.transform;
    for (int k = 0; k < system->n; k++)
        if (transform->differential[k])
            splitter->row[splitter->ode.n++] = k;
    make_tolerances(splitter, splitter->consistency.f);
    splitter->ode.absolute = splitter->absolute;
    splitter->ode.unknown = splitter->row;
    *ode = &splitter->ode;
    return LINNET_OK;
}
