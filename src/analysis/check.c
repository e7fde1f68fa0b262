/* SPDX-License-Identifier: MIT */
/* Counting, and the one thing a run would find out first: how many states there are (the rank of
 * what is stored). */
#include "analysis/check.h"

#include "analysis/trim.h"
#include "analysis/verify.h"
#include "system/row_transform.h"
#include "model/model.h"

static linnet_status check_in(ln_simulation *simulation, const ln_model *model,
                              ln_references_choice *choice, const ln_request *request,
                              int need_settings, ln_report *report) {
    LN_TRY(ln_simulation_prepare(simulation, model, request, need_settings,
                                 &(ln_record_choice){ln_references_choose, choice}, report));
    if (model->trim != NULL)
        LN_TRY(ln_trim_check(model, request, report));
    double *x = LN_NEW(choice->arena, double, simulation->system->n);
    return x != NULL ? ln_system_start_values(simulation->system, x, report) : ln_no_memory(report);
}

linnet_status ln_check(ln_simulation *simulation, const ln_model *model,
                       const ln_model_options *options, const ln_request *request,
                       int need_settings, ln_report *report) {
    *simulation = (ln_simulation){.method_why = ""};
    ln_references references = {0};
    ln_references_choice choice = {options, ln_arena_new(), &references};
    if (choice.arena == NULL)
        return ln_no_memory(report);
    linnet_status status = check_in(simulation, model, &choice, request, need_settings, report);
    ln_arena_free(choice.arena);
    return status;
}

static linnet_status count_states(const ln_simulation *simulation, int *states) {
    ln_system *system = simulation->system;
    *states = -1;
    if (!system->linear_q) {
        ln_arena *arena = ln_arena_new();
        double *x = arena == NULL ? NULL : LN_NEW(arena, double, system->n);
        linnet_status status = x == NULL ? ln_no_memory(simulation->report)
                                         : ln_system_start_values(system, x, simulation->report);
        if (status == LINNET_OK)
            status =
                ln_system_eval(system, &(ln_moment){ln_side_left(simulation->settings.begin, 0), x},
                               LN_LIMIT_OFF, NULL, NULL, NULL);
        ln_arena_free(arena);
        if (status != LINNET_OK)
            return status == LINNET_RETRY ? LINNET_OK : status;
    }
    ln_row_transform *transform;
    linnet_status status = ln_row_transform_new(system, &transform);
    if (status == LINNET_RETRY)
        return LINNET_OK;
    if (status != LINNET_OK)
        return ln_no_memory(simulation->report);
    *states = transform->rank;
    ln_row_transform_free(transform);
    return LINNET_OK;
}

linnet_status ln_census_take(const ln_simulation *simulation, ln_census *census) {
    const ln_network *network = simulation->network;
    *census = (ln_census){.blocks = network->ninstances,
                          .links = network->nlinks,
                          .unknowns = network->n,
                          .nonlinear = simulation->system->nnonlinear};
    for (int k = 0; k < network->nlinks; k++)
        census->links_of[network->links[k].domain]++;
    return count_states(simulation, &census->states);
}
