/* SPDX-License-Identifier: MIT */
/* agree(): signals and modes of a physical network at an instant, solved in turn until neither
 * changes the other. */
#include "base/text.h"
#include "codegen/c_network.h"

void ln_c_flows_at(const ln_c_writer *w, const char *indent) {
    if (!has_charges(w))
        return;
    ln_text_printf(w->out, "%sdouble stored[%d];\n", indent, plan_of(w)->nflows);
    ln_text_printf(w->out, "%smemcpy(stored, model->states.devices.flows, sizeof stored);\n",
                   indent);
}

void ln_c_stay(const ln_c_writer *w) {
    const int count = plan_of(w)->nequations, inputs = w->plan->ninputs > 0;
    const int parameters = w->plan->nparameters > 0;
    if (!may_stay(w))
        return;
    ln_c_add(w, "\n/* Does an instant leave the equations as they were? */\n"
                "static int equations_stay(const $N_t *model, const at_t *at) {\n"
                "    const $N_states_t *const states = &model->states;\n"
                "    if (memcmp(&states->left, &model->signals, sizeof states->left) != 0) return "
                "0;\n");
    if (inputs || parameters) /* they may be others than at the start */
        ln_c_add(w, "    if (model->steps == 0) return 0;\n");
    if (inputs)
        ln_c_add(w, "    if (memcmp(&states->left_inputs, &model->inputs, sizeof "
                    "states->left_inputs) != 0) return 0;\n");
    if (parameters)
        ln_c_add(w, "    if (memcmp(&states->left_parameters, &model->parameters, sizeof "
                    "states->left_parameters) != 0) return 0;\n");
    if (count == 0) {
        ln_c_add(w, "    (void)at;\n    return 1;\n}\n");
        return;
    }
    ln_text_printf(w->out, "    %s before[%d], after[%d];\n", w->real, count, count);
    ln_c_add(w, "    at_t left = *at;\n"
                "    if (model->steps > 0) left.decide = at->t - (at->decide - at->t);\n");
    ln_c_add(w, w->plan->nmemories > 0 ? "    left.memories = states->left_memories;\n" : "");
    ln_c_add(w, "    equations_of(&left, &model->signals, before);\n"
                "    equations_of(at, &model->signals, after);\n"
                "    return memcmp(before, after, sizeof before) == 0;\n}\n");
}

void ln_c_agree(const ln_c_writer *w) {
    const int devices = plan_of(w)->ndevices > 0, modes = w->plan->modes.program != NULL;
    ln_c_add(w, "($N_t *model, const at_t *place) {\n"
                "    const $N_signals_t hold = model->signals;\n"
                "    at_t at = *place;\n");
    if (devices)
        ln_c_add(w, "    double moved = 0.0;\n    (void)devices_at(&hold, &model->states.devices, "
                    "0, &moved);\n");
    ln_c_flows_at(w, "    ");
    ln_c_add(w, devices ? "    at.flows = model->states.devices.flows;\n" : "");
    ln_c_add(w, has_charges(w) ? "    at.stored = stored;\n" : "");
    ln_c_add(w, "    at.before = &hold;\n");
    ln_c_add(w, modes ? "    for (int pass = 0; pass < PASSES; pass++) {\n    " : "");
    ln_c_add(w, may_stay(w) ? "    const $N_status_t status = equations_stay(model, &at) ? $U_OK : "
                              "solve_algebra(&at, &model->signals"
                            : "    const $N_status_t status = solve_algebra(&at, &model->signals");
    ln_c_add(w, devices ? ", &model->states.devices);\n" : ");\n");
    if (!modes) {
        ln_c_add(w, "    return status;\n}\n");
        return;
    }
    ln_c_add(w, "        if (status != $U_OK) return status;\n"
                "        $R modes[MEMORIES];\n        int changed = 0;\n"
                "        memcpy(modes, model->memories.value, sizeof modes);\n"
                "        modes_of(&at, &model->signals, modes);\n"
                "        for (int k = 0; k < MEMORIES; k++) changed |= modes[k] < "
                "model->memories.value[k] ||\n"
                "                                                      modes[k] > "
                "model->memories.value[k];\n"
                "        if (!changed) return $U_OK;\n"
                "        memcpy(model->memories.value, modes, sizeof modes);\n"
                "    }\n    return $U_EVENTS_UNSETTLED;\n}\n");
}

/* ---- what jumps ---- */

/* The equations before the step are compared where time decides otherwise on its two sides. */
static void add_compared_sides(const ln_c_writer *w) {
    const int edges = plan_of(w)->nedges, sides = plan_of(w)->nsides;
    ln_c_add(w, "    at_t at = *begin;\n"
                "    const $R right_of = at.decide, left_of = at.t - (at.decide - at.t);\n");
    if (sides > 0) {
        ln_text_printf(w->out, "    %s before[%d], after[%d];\n", w->real, sides, sides);
        /* one by one: a comparison of bytes in wide words waits for the narrow stores just made */
        ln_c_add(w, "    sides_of(&at, after);\n    at.decide = left_of;\n    sides_of(&at, "
                    "before);\n"
                    "    int same = 1;\n");
        ln_text_printf(w->out,
                       "    for (int k = 0; k < %d; k++) same &= before[k] == after[k];\n"
                       "    if (same) return jumped;\n",
                       sides);
    }
    ln_c_least(w, plan_of(w)->least_edge, edges);
    ln_text_printf(w->out, "    %s left[%d], right[%d];\n", w->real, edges, edges);
    ln_c_add(w, "    at.decide = right_of;\n    edges_of(&at, right);\n"
                "    at.decide = left_of;\n    edges_of(&at, left);\n");
    ln_text_printf(w->out,
                   "    for (int k = 0; k < %d && model->steps > 0; k++) jumped |= "
                   "differ(left[k], right[k], 0, least[k]);\n",
                   edges);
}

/* Does an edge of time, or an input, make the network jump at the begin of a step? */
void ln_c_jumps(const ln_c_writer *w) {
    const int inputs = w->plan->ninputs > 0, edges = plan_of(w)->nedges > 0;
    const int parameters = w->plan->nparameters > 0, any = inputs || edges || parameters;
    if (!ln_c_may_jump(w))
        return;
    ln_c_add(w, "\n/* Does something jump where the step begins? */\n"
                "static int jumps_at($N_t *model, const at_t *begin) {\n");
    ln_c_add(w, any ? "    int jumped = 0;\n" : "    const int jumped = 0;\n    (void)model;\n");
    if (!edges)
        ln_c_add(w, "    (void)begin;\n");
    if (inputs)
        ln_c_add(w, "    jumped |= memcmp(&model->states.inputs, &model->inputs, sizeof "
                    "model->inputs) != 0;\n"
                    "    model->states.inputs = model->inputs;\n");
    if (parameters)
        ln_c_add(w, "    jumped |= memcmp(&model->states.parameters, &model->parameters, sizeof "
                    "model->parameters) != 0;\n"
                    "    model->states.parameters = model->parameters;\n");
    if (edges)
        add_compared_sides(w);
    ln_c_add(w, "    return jumped;\n}\n");
}
