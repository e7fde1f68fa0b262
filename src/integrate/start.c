/* SPDX-License-Identifier: MIT */
/* The start of a run: start values made consistent, or an operating point; what the model wrote is held to. */
#include "integrate/start.h"

#include "system/hybrid.h"
#include <math.h>
#include <string.h>

/* Three steps of backward Euler of h from x, in place: the first brings the point onto the constraints, the others give
 * what holds it there (a flux, index 2; a force behind a hidden velocity, index 3). */
static linnet_status tiny_steps(ln_run *run, double h) {
    double t = run->t;
    LN_TRY(ln_run_restart(run));
    for (int k = 0; k < 3; k++)
        if (!ln_step_backward_euler(run, h, run->decide))
            return ln_report_no_convergence(run, &run->newton, run->outcome, &run->system->pattern, t, h,
                                            "no consistent start found");
    run->t = t;
    return LINNET_OK;
}

/* Index above 1: tiny steps of backward Euler project the start onto the hidden constraints. What they move in 3 h is
 * taken out by extrapolation from h and h/2 to zero. */
static linnet_status project(ln_run *run) {
    double span = run->settings->step > 0 ? run->settings->step : 1e-3 * (run->settings->end - run->settings->begin);
    double *start = LN_NEW(run->arena, double, run->n), *coarse = LN_NEW(run->arena, double, run->n);
    if (start == NULL || coarse == NULL) return ln_no_memory(run->report);
    size_t bytes = (size_t)run->n * sizeof *start;
    memcpy(start, run->x, bytes);
    LN_TRY(tiny_steps(run, 1e-5 * span));
    memcpy(coarse, run->x, bytes);
    memcpy(run->x, start, bytes);
    LN_TRY(tiny_steps(run, 0.5e-5 * span));
    for (int i = 0; i < run->n; i++) run->x[i] = 2 * run->x[i] - coarse[i];
    run->statistics->start_means = "start values, projected by backward Euler (index 2)";
    return LINNET_OK;
}

/* What a block's written start condition became, if the algebra overruled it. */
static linnet_status check_given(const ln_run *run, const double *wanted) {
    const ln_network *network = run->system->network;
    for (int i = 0; i < network->ninstances; i++) {
        const ln_instance *it = &network->instances[i];
        const linnet_block_class *type = it->block.type;
        for (int k = 0; it->given != 0 && k < type->nstarts && k < 32; k++) {
            if (!(it->given >> k & 1u)) continue;
            double found = 0, expected = 0, tolerance = 0;
            for (int side = 0; side < 2; side++) {
                int col = type->starts[k].col[side];
                if (col < 0) continue;
                int unknown = col >= type->nports ? it->first_own + col - type->nports
                              : it->links[col] < 0 ? -1 : network->links[it->links[col]].unknown;
                if (unknown < 0) continue;
                double sign = side == 0 ? 1 : -1;
                found += sign * run->x[unknown];
                expected += sign * wanted[unknown];
                tolerance += run->system->abstol[unknown] + 1e-6 * fabs(wanted[unknown]);
            }
            if (fabs(found - expected) > tolerance)
                return ln_fail(run->report, LINNET_MODEL, it->place,
                               "%s (%s): its start value %s = %.9g contradicts what it is joined to, which holds it at "
                               "%.9g; leave it out or change the other", it->name, type->name,
                               type->starts[k].name != NULL ? type->starts[k].name : "", expected, found);
        }
    }
    return LINNET_OK;
}

linnet_status ln_start(ln_run *run, ln_consistent *solver) {
    ln_system *system = run->system;
    LN_TRY(ln_system_start_values(system, run->x, run->report));
    if (run->settings->start == LN_START_OPERATING_POINT) return ln_operating_point(run, solver);
    run->statistics->start_means = "start values";
    double *wanted = LN_NEW(run->arena, double, run->n);
    if (wanted == NULL) return ln_no_memory(run->report);
    memcpy(wanted, run->x, (size_t)run->n * sizeof *wanted);
    if (solver->transform == NULL) LN_TRY(project(run));
    else {
        ln_matrix_apply(&system->E, run->x, solver->q_star);
        if (!system->linear_q)
            (void)ln_system_eval(system, run->t, run->decide, run->x, LN_LIMIT_OFF, solver->q_star, NULL, NULL);
        if (!ln_consistent_solve(solver, run->t, run->decide, run->x, &run->statistics->start_means)) {
            if (solver->outcome != LN_NEWTON_SINGULAR)
                return ln_report_no_convergence(run, &solver->newton, solver->outcome, &solver->transform->pattern,
                                                run->t, 0, "no consistent start found");
            ln_transform_free(solver->transform);
            solver->transform = NULL;
            memcpy(run->x, wanted, (size_t)run->n * sizeof *run->x);
            LN_TRY(project(run));
        }
    }
    return check_given(run, wanted);
}

linnet_status ln_start_states(ln_run *run, ln_ode *ode) {
    LN_TRY(ln_system_start_values(run->system, run->x, run->report));
    run->statistics->start_means = "start values";
    double *wanted = LN_NEW(run->arena, double, run->n), *z = LN_NEW(run->arena, double, ode->n);
    if (wanted == NULL || z == NULL) return ln_no_memory(run->report);
    memcpy(wanted, run->x, (size_t)run->n * sizeof *wanted);
    ode->states(ode, run->x, z);
    linnet_status status = ode->unknowns(ode, run->t, run->decide, z, run->x);
    if (status == LINNET_RETRY)
        return ln_fail(run->report, LINNET_FAILED, ode->blame_place, "no consistent start found: %s", ode->blame);
    LN_TRY(status);
    return check_given(run, wanted);
}

linnet_status ln_integrate_start(ln_system *system, const ln_settings *settings, ln_report *report,
                                 ln_statistics *statistics, double *decide, double *x) {
    ln_run run;
    ln_consistent solver = {0};
    *statistics = (ln_statistics){.method = settings->method, .unknowns = system->n, .nonlinear = system->nnonlinear,
                                  .linear = settings->linear, .start_means = "", .t = settings->begin};
    linnet_status status = ln_run_init(&run, system, settings, NULL, report, statistics);
    if (status == LINNET_OK) {
        double corner = ln_system_next_break(system, settings->begin);
        run.t = settings->begin;
        run.decide = *decide = isfinite(corner) ? run.t + (corner - run.t) / 2 : run.t + 1;
        status = ln_consistent_init(&solver, system, settings->linear, run.t, run.decide, run.x, report);
    }
    ln_system_remember(system, settings->begin);
    system->live = 1;
    if (status == LINNET_OK) status = ln_start(&run, &solver);
    system->live = 0;
    if (status == LINNET_OK) (void)ln_system_decide_modes(system, &(ln_moment){run.t, run.decide, run.x}, NULL, NULL);
    if (status == LINNET_OK) memcpy(x, run.x, (size_t)system->n * sizeof *x);
    ln_consistent_free(&solver);
    ln_run_free(&run);
    return status;
}
