/* SPDX-License-Identifier: MIT */
/* What the step of a physical network remembers, and its start: the members of NAME_states_t, and
 * NAME_init(), which puts there what has been found at generation. */
#include "base/text.h"
#include "codegen/c_network.h"
#include "codegen/network_across.h"

/* ---- members ---- */

void ln_c_network_states(const ln_c_writer *w) {
    const ln_network_plan *plan = plan_of(w);
    if (plan->ndevices > 0)
        ln_text_printf(w->out,
                       "\n/* Devices: what flows in their branches, and its slopes; voltages at "
                       "which they were evaluated. */\n"
                       "typedef struct %s_devices {\n    double flows[%d], seen[%d];\n"
                       "} %s_devices_t;\n",
                       w->name, plan->nflows, plan->nnodes, w->name);
    ln_c_add(w, "\n/* What the method remembers. */\ntypedef struct $N_states {\n");
    if (has_rates(w)) {
        ln_text_printf(w->out, "    %s rates[%d]; /* of what is stored */\n", w->real,
                       plan->nrates);
        if (is_hybrid(w))
            ln_text_printf(w->out,
                           "    %s last_rates[%d]; /* before the last step */\n"
                           "    %s_signals_t last; /* likewise */\n",
                           w->real, plan->nrates, w->name);
    }
    if (plan->ndevices > 0)
        ln_c_add(w, "    $N_devices_t devices;\n");
    if (may_stay(w)) {
        ln_c_add(w, "    $N_signals_t left; /* before the last instant, as the following */\n");
        if (w->plan->ninputs > 0)
            ln_c_add(w, "    $N_inputs_t left_inputs;\n");
        if (w->plan->nparameters > 0)
            ln_c_add(w, "    $N_parameters_t left_parameters;\n");
        if (w->plan->nmemories > 0)
            ln_text_printf(w->out, "    %s left_memories[%d];\n", w->real, w->plan->nmemories);
    }
    if (ln_c_may_jump(w) && w->plan->nparameters > 0)
        ln_c_add(w, "    $N_parameters_t parameters; /* of the last step */\n");
    if (ln_c_may_jump(w))
        ln_c_add(w, "    $N_inputs_t inputs; /* of the last step */\n    int jumped;\n");
    else
        ln_c_add(w, "    int unused;\n");
    ln_c_add(w, "} $N_states_t;\n");
}

/* ---- the start ---- */

/* As they have been evaluated for the start. */
static void add_start_of_devices(const ln_c_writer *w) {
    const ln_network_plan *plan = plan_of(w);
    for (int part = 0; part < 2; part++) {
        const double *value = part == 0 ? plan->start_flows : plan->start_seen;
        for (int k = 0; k < (part == 0 ? plan->nflows : plan->nnodes); k++) {
            if (value[k] == 0.0)
                continue;
            ln_text_printf(w->out,
                           "    model->states.devices.%s[%d] = ", part == 0 ? "flows" : "seen", k);
            ln_code_number(LN_C_DOUBLE, w->out, value[k]);
            ln_text_add(w->out, ";\n");
        }
    }
}

void ln_c_network_init(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    ln_c_begin_init(w);
    for (int u = 0; u < ln_network_unknowns(plan); u++)
        if (plan_of(w)->shown[u])
            ln_c_value(w, "signals", &plan->signals, plan->member[u],
                       ln_network_value(plan, plan->start, u));
    for (int k = 0; has_rates(w) && k < plan_of(w)->nrates; k++) {
        if (plan_of(w)->start_rates[k] == 0.0)
            continue;
        ln_text_printf(w->out, "    model->states.rates[%d] = ", k);
        ln_c_number(w, plan_of(w)->start_rates[k]);
        ln_text_add(w->out, ";\n");
    }
    add_start_of_devices(w);
    if (ln_c_may_jump(w)) {
        ln_c_add(w, "    model->states.inputs = model->inputs;\n");
        if (plan->nparameters > 0)
            ln_c_add(w, "    model->states.parameters = model->parameters;\n");
        if (w->damps)
            ln_c_add(w, "    model->states.jumped = 1; /* the start is far from rest */\n");
    }
    ln_c_add(w, "    const at_t at = begin_of_step(model);\n"
                "    (void)outputs_of(&at, &model->signals, &model->outputs);\n}\n");
}
