/* SPDX-License-Identifier: MIT */
/* The devices of a network in its code: before each of Newton's updates the branches of every
 * device are evaluated by its own equations, which the code takes along (carry.c).
 *
 * As in the simulation a junction may be evaluated elsewhere than Newton wants it; then the tangent
 * there is what the update works with, and nothing has converged. */
#include "codegen/c_writer.h"

#include "system/diagram.h"
#include <string.h>

/* The tangent, at the voltages wanted, of what flows where the device was evaluated. */
static const char spread[] =
    "\n/* By branch: the nodes whose voltages control it; the first two alike: none. */\n"
    "typedef unsigned char controls_t[@C][2];\n"
    "\n/* Values, as the tangent at v_at has them at v, and slopes of a device's branches. */\n"
    "static void spread(const ln_flow *flow, const controls_t *controls, int count, const double "
    "*v, const double *v_at,\n"
    "    int moved, double *flows) {\n"
    "    for (int b = 0; b < count; b++, flows += @V) {\n"
    "        flows[0] = flow[b].value;\n"
    "        for (int c = 0; c < @C; c++) {\n"
    "            const int from = controls[b][c][0], to = controls[b][c][1];\n"
    "            flows[1 + c] = flow[b].slope[c];\n"
    "            if (moved) flows[0] += flow[b].slope[c] * ((v[from] - v_at[from]) - (v[to] - "
    "v_at[to]));\n"
    "        }\n"
    "    }\n"
    "}\n";

static void add_spread(const ln_c_writer *w) {
    const char *at = spread;
    for (const char *mark; (mark = strchr(at, '@')) != NULL; at = mark + 2) {
        ln_text_add_bytes(w->out, at, (size_t)(mark - at));
        ln_text_printf(w->out, "%d", mark[1] == 'C' ? LN_DEVICE_CONTROLS : (int)LN_FLOW_VALUES);
    }
    ln_text_add(w->out, at);
}

/* One function for each type: its tables may differ by where inner nodes are, its branches not. */
static void add_type(const ln_c_writer *w, const ln_carried *it) {
    ln_text_printf(w->out,
                   "\nstatic int %s_at(const double *parameters, const double *v, double "
                   "*seen, int limits, double *flows) {\n",
                   it->type);
    ln_text_add(w->out, "    static const controls_t controls[] = {");
    for (int b = 0; b < it->nbranches; b++) {
        ln_text_add(w->out, b > 0 ? ", {" : "{");
        for (int c = 0; c < LN_DEVICE_CONTROLS; c++) {
            const signed char *pair = it->branches[b].control[c];
            const int is_there = c < it->branches[b].ncontrols;
            ln_text_printf(w->out, "%s{%d, %d}", c > 0 ? ", " : "", is_there ? pair[0] : 0,
                           is_there ? pair[1] : 0);
        }
        ln_text_add(w->out, "}");
    }
    ln_text_printf(w->out,
                   "};\n"
                   "    const %s *const device = (const %s *)(const void *)parameters;\n"
                   "    double at[%d];\n    ln_flow flow[%d];\n"
                   "    memcpy(at, v, sizeof at);\n"
                   "    const int moved = limits && %s_limit(device, seen, at);\n"
                   "    %s_branches(device, at, flow);\n"
                   "    spread(flow, controls, %d, v, at, moved, flows);\n"
                   "    memcpy(seen, at, sizeof at);\n"
                   "    return moved;\n}\n",
                   it->type, it->type, it->nnodes, it->nbranches, it->type, it->type,
                   it->nbranches);
}

static void add_numbers(const ln_c_writer *w, const double *value, size_t count) {
    for (size_t k = 0; k < count; k++) {
        ln_text_add(w->out, k == 0 ? "" : k % 6 == 0 ? ",\n        " : ", ");
        ln_code_number(LN_C_DOUBLE, w->out, value[k]);
    }
}

/* The voltage of a node: an unknown, or the reference. */
static void add_voltage(const ln_c_writer *w, const ln_network_device *device, int node) {
    const ln_plan *plan = w->plan;
    const ln_instance *instance = &plan->network->instances[device->instance];
    const int u = ln_diagram_unknown(plan->network, instance, device->carried.unknown[node]);
    if (u < 0) {
        ln_text_add(w->out, "0.0");
        return;
    }
    ln_text_add(w->out, device->carried.sign < 0 ? "-" : "");
    ln_text_add(w->out, w->language == LN_C_FLOAT ? "(double)" : "");
    ln_c_unknown(w, w->out, u);
}

static void add_device(const ln_c_writer *w, const ln_network_device *device) {
    const ln_instance *instance = &w->plan->network->instances[device->instance];
    ln_text_add(w->out, "    { /* ");
    ln_comment_text(w->out, instance->block.type->name);
    ln_text_add(w->out, " ");
    ln_comment_text(w->out, instance->name);
    ln_text_add(w->out, " */\n        static const double parameters[] = {");
    add_numbers(w, instance->block.work, instance->block.type->nwork);
    ln_text_add(w->out, "};\n        const double v[] = {");
    for (int k = 0; k < device->carried.nnodes; k++) {
        ln_text_add(w->out, k > 0 ? ", " : "");
        add_voltage(w, device, k);
    }
    ln_text_printf(w->out,
                   "};\n        moved |= %s_at(parameters, v, states->seen + %d, limits, "
                   "states->flows + %d);\n    }\n",
                   device->carried.type, device->first_node, device->first);
}

void ln_c_devices(const ln_c_writer *w) {
    const ln_network_plan *plan = w->plan->implicit;
    if (plan->ndevices == 0)
        return;
    add_spread(w);
    for (int k = 0; k < plan->ndevices; k++) {
        int known = 0;
        for (int i = 0; i < k; i++)
            known |= strcmp(plan->devices[i].carried.type, plan->devices[k].carried.type) == 0;
        if (!known)
            add_type(w, &plan->devices[k].carried);
    }
    ln_c_add(w, "\n/* What flows in the devices at these signals; limits: junctions go no further "
                "than is safe from where they\n"
                " * were evaluated last. 1: one was held back. */\n"
                "static int devices_at(const $N_signals_t *signals, $N_states_t *states, int "
                "limits) {\n    int moved = 0;\n");
    for (int k = 0; k < plan->ndevices; k++)
        add_device(w, &plan->devices[k]);
    ln_text_add(w->out, "    return moved;\n}\n");
}
