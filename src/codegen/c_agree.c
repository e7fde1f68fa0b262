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

/* Do the equations, and the signals, stay as they were before the instant? */
void ln_c_stay(const ln_c_writer *w) {
    const int count = plan_of(w)->nequations, memories = w->plan->nmemories > 0;
    const int parameters = w->plan->nparameters > 0, given = w->plan->ninputs > 0 || parameters;
    if (!may_stay(w))
        return;
    ln_c_add(w, "\n/* Does an instant leave the equations as they were? */\n"
                "static int equations_stay(const $N_t *model, const at_t *at) {\n"
                "    const $N_states_t *const states = &model->states;\n"
                "    if (memcmp(&states->left, &model->signals, sizeof states->left) != 0) return "
                "0;\n");
    if (given)
        ln_c_add(w,
                 "    if (model->steps == 0) return 0; /* inputs may be others than at the start "
                 "*/\n");
    if (count == 0) {
        ln_c_add(w, "    (void)at;\n    return 1;\n}\n");
        return;
    }
    ln_text_printf(w->out, "    %s before[%d], after[%d];\n", w->real, count, count);
    ln_c_add(w, "    at_t left = *at;\n"
                "    if (model->steps > 0) left.decide = at->t - (at->decide - at->t);\n"
                "    left.inputs = &states->left_inputs;\n");
    ln_c_add(w, memories ? "    left.memories = states->left_memories;\n" : "");
    ln_c_add(w, parameters ? "    left.parameters = &states->left_parameters;\n" : "");
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
