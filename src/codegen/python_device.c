/* SPDX-License-Identifier: MIT */
/* The devices of a network in Python: their parameters, the signals they read, and of the branches
 * of each type by what they are controlled. Their equations (share/python/equations.py) are those
 * that C takes along, translated. */
#include "codegen/python.h"

#include "codegen/c_network.h"
#include "codegen/network_across.h"
#include "base/text.h"

/* "([(0, 1), (2, 3)], tolerance)": a branch. */
static void add_branch(const ln_c_writer *w, const ln_branch *branch) {
    ln_text_add(w->out, "    ([");
    for (int c = 0; c < branch->ncontrols; c++)
        ln_text_printf(w->out, "%s(%d, %d)", c > 0 ? ", " : "", branch->control[c][0],
                       branch->control[c][1]);
    ln_text_add(w->out, "], ");
    ln_c_number(w, ln_c_flow_tolerance(w, branch));
    ln_text_add(w->out, "),\n");
}

/* Once for each type. */
static void add_shapes(const ln_c_writer *w) {
    const ln_network_plan *plan = plan_of(w);
    for (int k = 0; k < plan->ndevices; k++) {
        const ln_carried *shape = &plan->devices[k].carried;
        int known = 0;
        for (int i = 0; i < k; i++)
            known |= strcmp(plan->devices[i].carried.type, shape->type) == 0;
        if (known)
            continue;
        ln_text_printf(w->out, "_SHAPE_%s = [\n", shape->type);
        for (int b = 0; b < shape->nbranches; b++)
            add_branch(w, &shape->branches[b]);
        ln_text_add(w->out, "]\n");
    }
}

static void add_numbers(const ln_c_writer *w, const double *value, int count) {
    for (int k = 0; k < count; k++) {
        ln_text_add(w->out, k == 0 ? "" : k % 6 == 0 ? ",\n        " : ", ");
        ln_c_number(w, value[k]);
    }
}

static void add_voltages(const ln_c_writer *w, const ln_network_device *device) {
    for (int k = 0; k < device->carried.nnodes; k++) {
        const int u = ln_network_seen(w->plan, device, k);
        ln_text unknown = {0};
        ln_text_add(w->out, k > 0 ? ", " : "");
        if (u < 0) {
            ln_text_add(w->out, "0.0");
            continue;
        }
        ln_text_add(w->out, device->carried.sign < 0 ? "-" : "");
        ln_c_unknown(w, &unknown, u);
        ln_python_text(w, &unknown);
        ln_text_free(&unknown);
    }
}

static void add_device(const ln_c_writer *w, const ln_network_device *device) {
    const ln_instance *instance = &w->plan->network->instances[device->instance];
    const char *type = device->carried.type;
    ln_text_add(w->out, "    # ");
    ln_comment_text(w->out, instance->name);
    ln_text_printf(w->out, "\n    _Device(_%s_branches, _%s_limit, _%s.of(iter([", type, type,
                   type);
    add_numbers(w, instance->block.work, (int)instance->block.type->nwork);
    ln_text_add(w->out, "])),\n        lambda signals: [");
    add_voltages(w, device);
    ln_text_printf(w->out, "], _SHAPE_%s, %d, %d),\n", type, device->first, device->first_node);
}

void ln_python_devices(const ln_c_writer *w) {
    const ln_network_plan *plan = plan_of(w);
    add_shapes(w);
    ln_text_add(w->out, "_DEVICES = [\n");
    for (int k = 0; k < plan->ndevices; k++)
        add_device(w, &plan->devices[k]);
    ln_text_add(w->out, "]\n_CURRENT_AT = [");
    for (int k = 0, any = 0; k < plan->ndevices; k++)
        for (int b = 0; b < plan->devices[k].carried.nbranches; b++)
            if (!plan->devices[k].carried.branches[b].stores)
                ln_text_printf(w->out, "%s%d", any++ ? ", " : "",
                               plan->devices[k].first + LN_FLOW_VALUES * b);
    ln_text_add(w->out, "]\n_START_FLOWS = [");
    add_numbers(w, plan->start_flows, plan->nflows);
    ln_text_add(w->out, "]\n_START_SEEN = [");
    add_numbers(w, plan->start_seen, plan->nnodes);
    ln_text_add(w->out, "]\n");
}
