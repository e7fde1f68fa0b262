/* SPDX-License-Identifier: MIT */
/* The start of a run: start values made consistent, or an operating point; start values that the
 * model wrote must be met. */
#include "integrate/follow.h"
#include "integrate/project.h"
#include "integrate/operating_point.h"
#include "integrate/start.h"

#include "system/hybrid.h"
#include <math.h>
#include <string.h>

/* ---- what was given ---- */

/* A start value that the model or a file gave must be met; that of a link, where the circuit
 * determines the potential, is only a guess. */
static linnet_status report_condition(void *context, const ln_start_condition *condition) {
    const ln_run *run = context;
    if (condition->met || (!condition->has_priority && run->settings->start_x == NULL))
        return LINNET_OK;
    if (condition->block != NULL && !condition->given && run->settings->start_x == NULL) {
        ln_warn(run->report, condition->block->place,
                "%s (%s): its start value %s = %.9g cannot hold; its equations put it at %.9g",
                condition->block->name, condition->block->block.type->name, condition->name,
                condition->wanted, condition->found);
        return LINNET_OK;
    }
    if (condition->link != NULL) {
        ln_warn(run->report, condition->link->start->place,
                "link %s: its start %.9g cannot hold; what it is joined to puts it at %.9g (a "
                "source, a coil at rest, or nothing that stores)",
                condition->link->name, condition->wanted, condition->found);
        return LINNET_OK;
    }
    return ln_fail(
        run->report, LINNET_MODEL, condition->block->place,
        "%s (%s): its start value %s = %.9g contradicts what it is joined to, which holds it at "
        "%.9g; leave it out or change the other",
        condition->block->name, condition->block->block.type->name, condition->name,
        condition->wanted, condition->found);
}

static linnet_status check_given(ln_run *run, const double *wanted) {
    return ln_visit_start_conditions(run->system, wanted, run->x, report_condition, run);
}

static linnet_status note_lost(void *context, const ln_start_condition *condition) {
    *(int *)context |= condition->has_priority && !condition->met;
    return LINNET_OK;
}

/* A stored quantity may depend on what is known only when the algebra is solved: a charge, on a
 * capacitance that a signal gives. So a start value that is not met is put in, what is stored is
 * computed again, and the algebra is solved again. */
typedef struct ln_correction {
    double *x;
    int missed;
} ln_correction;

static linnet_status correct_condition(void *context, const ln_start_condition *condition) {
    ln_correction *correction = context;
    if (condition->met || !condition->has_priority)
        return LINNET_OK;
    correction->missed++;
    if (condition->a >= 0)
        correction->x[condition->a] += condition->wanted - condition->found;
    else if (condition->b >= 0)
        correction->x[condition->b] -= condition->wanted - condition->found;
    return LINNET_OK;
}

static void correct_given(ln_run *run, ln_consistency_solver *consistency, const double *wanted) {
    ln_system *system = run->system;
    const size_t bytes = (size_t)run->n * sizeof *run->x;
    if (system->linear_q || !ln_consistency_is_index_1(consistency))
        return;
    for (int pass = 0; pass < 5; pass++) {
        ln_correction correction = {run->x1, 0};
        const char *means;
        memcpy(run->x1, run->x, bytes);
        if (ln_visit_start_conditions(system, wanted, run->x, correct_condition, &correction) !=
                LINNET_OK ||
            correction.missed == 0)
            return;
        if (ln_system_q(system, run->side, run->x1, consistency->q_star) != LINNET_OK ||
            !ln_consistency_solve(consistency, run->side, run->x1, &means))
            return;
        memcpy(run->x, run->x1, bytes);
    }
}

/* ---- starting ---- */

/* The unknowns of a diagram at its start values in causal order, modes included: 1 when they all
 * have values. */
static int evaluate_diagram(ln_run *run, ln_ode *ode, double *z, double *x) {
    ode->memory = run->system->memory;
    ode->states(ode, run->x, z);
    for (int pass = 0; pass < 20; pass++) {
        if (ode->unknowns(ode, &run->side, z, x) != LINNET_OK)
            return 0;
        if (ln_system_decide_modes(run->system, &(ln_moment){run->side, x}, NULL, NULL) == 0)
            return 1;
    }
    return 0;
}

/* Zero is a poor guess for the signals of a diagram: log(u) refuses it. They follow from the states
 * where a diagram is causal; where it is not, the guess stays. */
static linnet_status guess_by_diagram(ln_run *run) {
    ln_system *system = run->system;
    if (!system->network->purely_signal || system->linear || system->delays != NULL)
        return LINNET_OK;
    ln_ode *ode = NULL;
    ln_report *quiet = ln_report_new(NULL, NULL);
    if (quiet == NULL)
        return ln_no_memory(run->report);
    linnet_status status = ln_diagram_new(system->network, quiet, &ode);
    ln_report_free(quiet);
    if (status != LINNET_OK)
        return status == LINNET_MEMORY ? ln_no_memory(run->report) : LINNET_OK;
    double *x = LN_NEW(run->arena, double, run->n), *z = LN_NEW(run->arena, double, ode->n);
    const int known = x != NULL && z != NULL && evaluate_diagram(run, ode, z, x);
    if (known)
        memcpy(run->x, x, (size_t)run->n * sizeof *x);
    ode->free(ode);
    return x != NULL && z != NULL ? LINNET_OK : ln_no_memory(run->report);
}

/* Behind an operating point, for which nobody had to know: whether the algebra can be solved with
 * stored quantities kept is tried here. It cannot with a source across a capacitor, as at a gate.
 */
static void try_index_1(ln_run *run, ln_consistency_solver *consistency) {
    const size_t bytes = (size_t)run->n * sizeof *run->x;
    const char *means;
    if (!ln_consistency_is_index_1(consistency))
        return;
    if (ln_system_q(run->system, run->side, run->x, consistency->q_star) != LINNET_OK)
        return;
    memcpy(run->x1, run->x, bytes);
    if (!ln_consistency_solve(consistency, run->side, run->x1, &means) &&
        consistency->outcome == LN_NEWTON_SINGULAR) {
        ln_consistency_drop_transform(consistency);
    }
}

/* Everything else made consistent with `wanted`, from the guess in run->x. By ln_project_start():
 * where the index is above 1 and where a given start value is lost otherwise. */
static linnet_status make_consistent(ln_run *run, ln_consistency_solver *consistency,
                                     const double *wanted) {
    ln_system *system = run->system;
    const size_t bytes = (size_t)run->n * sizeof *wanted;
    int lost = 0;
    if (!ln_consistency_is_index_1(consistency))
        return ln_project_start(run, consistency, wanted);
    (void)ln_system_q(system, run->side, run->x, consistency->q_star);
    if (!ln_consistency_solve(consistency, run->side, run->x, &run->statistics->start_means)) {
        if (consistency->outcome != LN_NEWTON_SINGULAR)
            return run->start_is_tried
                       ? LINNET_RETRY
                       : ln_report_no_convergence(run, &consistency->newton, consistency->outcome,
                                                  &consistency->transform->pattern, 0,
                                                  "no consistent start found");
        ln_consistency_drop_transform(consistency);
        memcpy(run->x, wanted, bytes);
        return ln_project_start(run, consistency, wanted);
    }
    /* a nonlinear charge may move a value that was given */
    correct_given(run, consistency, wanted);
    if (run->settings->start_x == NULL)
        LN_TRY(ln_visit_start_conditions(system, wanted, run->x, note_lost, &lost));
    if (!lost)
        return LINNET_OK;
    memcpy(run->x, wanted, bytes);
    return ln_project_start(run, consistency, wanted);
}

/* Which rows store, and how many of them are independent, is decided where the run starts: at zero
 * a product such as m v seems to store nothing. */
static linnet_status decide_rank(ln_run *run, ln_consistency_solver *consistency) {
    ln_consistency_solver here;
    if (run->system->linear_q)
        return LINNET_OK;
    linnet_status status = ln_consistency_init(&here, run->system, run->settings->linear, run->side,
                                               run->x, run->report);
    /* a block refused the point: what was known before stays */
    if (status != LINNET_OK || here.refused) {
        ln_consistency_free(&here);
        return status;
    }
    here.newton.tolerance_factor = consistency->newton.tolerance_factor;
    ln_consistency_free(consistency);
    *consistency = here;
    return LINNET_OK;
}

static int has_fixed_links(const ln_network *network) {
    for (int k = 0; k < network->nlinks; k++)
        if (ln_link_is_fixed(&network->links[k]) && network->links[k].unknown >= 0)
            return 1;
    return 0;
}

static linnet_status check_link(void *context, const ln_start_condition *condition) {
    return condition->link != NULL ? report_condition(context, condition) : LINNET_OK;
}

/* Puts the start of links with a fixed one into x. */
static void put_fixed_starts(const ln_run *run, double *x) {
    const ln_network *network = run->system->network;
    for (int k = 0; k < network->nlinks; k++) {
        const ln_link *link = &network->links[k];
        if (ln_link_is_fixed(link) && link->unknown >= 0)
            x[link->unknown] = link->start->value;
    }
}

/* After an operating point with links held: lets them go, and reports those that do not stay. */
static linnet_status let_go(ln_run *run, ln_consistency_solver *consistency, double *wanted) {
    /* the way to the point is what was hard */
    const char *means = run->statistics->start_means;
    const size_t bytes = (size_t)run->n * sizeof *wanted;
    /* what a finite conductance left open; and where the point at rest has no room for a start, as
     * across a coil, what is stored begins there all the same */
    put_fixed_starts(run, run->x);
    memcpy(wanted, run->x, bytes);
    LN_TRY(make_consistent(run, consistency, wanted));
    run->statistics->start_means = means;
    put_fixed_starts(run, wanted);
    return ln_visit_start_conditions(run->system, wanted, run->x, check_link, run);
}

linnet_status ln_start(ln_run *run, ln_consistency_solver *consistency) {
    double *wanted = LN_NEW(run->arena, double, run->n);
    if (wanted == NULL)
        return ln_no_memory(run->report);
    LN_TRY(ln_start_point(run));
    if (run->settings->start == LN_START_OPERATING_POINT) {
        /* before anything happens */
        run->side = ln_side_with(ln_side_left(run->side.t, 0), run->side.modes);
        LN_TRY(ln_start_at_rest(run, consistency, 1));
        if (has_fixed_links(run->system->network))
            return let_go(run, consistency, wanted);
        try_index_1(run, consistency);
        return LINNET_OK;
    }
    run->statistics->start_means =
        run->settings->start_x != NULL ? "values from a file" : "start values";
    memcpy(wanted, run->x, (size_t)run->n * sizeof *wanted);
    LN_TRY(guess_by_diagram(run));
    LN_TRY(decide_rank(run, consistency));
    LN_TRY(make_consistent(run, consistency, wanted));
    return check_given(run, wanted);
}

linnet_status ln_start_states(ln_run *run, ln_ode *ode) {
    LN_TRY(ln_start_point(run));
    run->statistics->start_means =
        run->settings->start_x != NULL ? "values from a file" : "start values";
    double *wanted = LN_NEW(run->arena, double, run->n), *z = LN_NEW(run->arena, double, ode->n);
    if (wanted == NULL || z == NULL)
        return ln_no_memory(run->report);
    memcpy(wanted, run->x, (size_t)run->n * sizeof *wanted);
    ode->states(ode, run->x, z);
    linnet_status status = ln_unknowns_by_modes(run, ode, &run->side, z, run->x);
    if (status == LINNET_RETRY)
        return ln_fail(run->report, LINNET_FAILED, ode->blame_place,
                       "no consistent start found: %s", ode->blame);
    LN_TRY(status);
    int lost = 0;
    LN_TRY(ln_visit_start_conditions(run->system, wanted, run->x, note_lost, &lost));
    return lost ? LINNET_RETRY : LINNET_OK;
}

linnet_status ln_integrate_start(ln_system *system, const ln_settings *settings, ln_report *report,
                                 ln_statistics *statistics, ln_side *side, double *x) {
    ln_run run;
    ln_consistency_solver consistency = {0};
    linnet_status status = ln_run_init(&run, system, settings, NULL, report, statistics);
    if (status == LINNET_OK) {
        const double begin = settings->begin,
                     breakpoint = settings->events_at_steps
                                      ? begin + settings->step
                                      : ln_system_next_breakpoint(system, begin);
        run.side =
            isfinite(breakpoint) ? ln_side_after(begin, breakpoint) : ln_side_right(begin, 0);
        run.side.modes = LN_MODES_FREE;
        status =
            ln_consistency_init(&consistency, system, settings->linear, run.side, run.x, report);
        if (settings->newton_exact)
            consistency.newton.tolerance_factor = LN_EXACT_TOLERANCE_FACTOR;
    }
    ln_start_memories(system, settings);
    if (status == LINNET_OK)
        status = ln_start(&run, &consistency);
    run.side.modes = LN_MODES_FROZEN;
    *side = run.side;
    if (status == LINNET_OK)
        (void)ln_system_decide_modes(system, &(ln_moment){run.side, run.x}, NULL, NULL);
    if (status == LINNET_OK)
        memcpy(x, run.x, (size_t)system->n * sizeof *x);
    ln_consistency_free(&consistency);
    ln_run_free(&run);
    return status;
}
