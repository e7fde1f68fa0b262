/* SPDX-License-Identifier: MIT */
/* The devices of a network in its code: before each of Newton's updates the branches of every
 * device are evaluated by its own equations, which the code takes along (carry.c).
 *
 * As in the simulation a junction may be evaluated elsewhere than Newton wants it; then the tangent
 * there is what the update works with, and nothing has converged. */
#include "codegen/c_writer.h"
#include "codegen/network_across.h"

#include "base/domain.h"
#include "base/text.h"
#include "system/diagram.h"
#include <float.h>
#include <string.h>

/* Roundings of voltages that a current is told by: both ends, their last change, their difference.
 */
enum { ROUNDING = 8 };

/* " + flows[1] * (...)": the tangent's change from where the device was seen. */
static void add_tangent(const ln_c_writer *w, const ln_branch *branch, int b, const char *from,
                        const char *to) {
    for (int c = 0; c < branch->ncontrols; c++) {
        const int here = branch->control[c][0], there = branch->control[c][1];
        ln_text_printf(w->out, " + flows[%d] * ((%s[%d] - %s[%d]) - (%s[%d] - %s[%d]))",
                       LN_FLOW_VALUES * b + 1 + c, to, here, from, here, to, there, from, there);
    }
}

double ln_c_flow_tolerance(const ln_c_writer *w, const ln_branch *branch) {
    return (w->language == LN_C_FLOAT ? 1e-4 : 1e-11) * ln_domain(LINNET_ELECTRICAL)->flux_abstol /
           (branch->stores ? w->plan->implicit->alpha : 1);
}

/* Is what the branch carries what the tangent had promised? */
static void add_check(const ln_c_writer *w, const ln_branch *branch, int b) {
    ln_text_printf(w->out, "    note_flow(flow[%d].value, flows[%d]", b, LN_FLOW_VALUES * b);
    add_tangent(w, branch, b, "seen", "at");
    ln_text_add(w->out, ", ");
    ln_code_number(LN_C_DOUBLE, w->out, ln_c_flow_tolerance(w, branch));
    for (int c = 0; c < branch->ncontrols; c++)
        ln_text_printf(w->out, "%s fabs(flow[%d].slope[%d]) * (fabs(at[%d]) + fabs(at[%d]))",
                       c == 0 ? "," : " +", b, c, branch->control[c][0], branch->control[c][1]);
    ln_text_add(w->out, branch->ncontrols == 0 ? ", 0.0, left);\n" : ", left);\n");
}

/* Values, as the tangent where the device was evaluated has them at the voltages wanted, and slopes
 * of its branches. */
static void add_branch(const ln_c_writer *w, const ln_branch *branch, int b) {
    const int first = LN_FLOW_VALUES * b;
    ln_text_printf(w->out, "    flows[%d] = flow[%d].value;\n", first, b);
    for (int c = 0; c < branch->ncontrols; c++)
        ln_text_printf(w->out, "    flows[%d] = flow[%d].slope[%d];\n", first + 1 + c, b, c);
    if (branch->ncontrols == 0)
        return;
    ln_text_printf(w->out, "    if (moved)\n        flows[%d] = flows[%d]", first, first);
    add_tangent(w, branch, b, "at", "v");
    ln_text_add(w->out, ";\n");
}

/* One function for each type: its tables may differ by where inner nodes are, its branches not. */
static void add_type(const ln_c_writer *w, const ln_carried *shape) {
    ln_text_printf(
        w->out,
        "\n/* A device at the voltages v of its nodes; 1: it was evaluated elsewhere. */\n"
        "static inline int %s_at(const double *parameters, const double *v, double *seen, int "
        "limits, double *flows, double *left) {\n"
        "    const %s *const device = (const %s *)(const void *)parameters;\n"
        "    double at[%d];\n"
        "    ln_flow flow[%d] = {{0.0, {0.0}}}; /* branches that its parameters leave out */\n"
        "    memcpy(at, v, sizeof at);\n"
        "    const int moved = limits && %s_limit(device, seen, at);\n"
        "    %s_branches(device, at, flow);\n",
        shape->type, shape->type, shape->type, shape->nnodes, shape->nbranches, shape->type,
        shape->type);
    for (int b = 0; b < shape->nbranches; b++)
        add_check(w, &shape->branches[b], b);
    for (int b = 0; b < shape->nbranches; b++)
        add_branch(w, &shape->branches[b], b);
    ln_text_add(w->out, "    memcpy(seen, at, sizeof at);\n    return moved;\n}\n");
}

static void add_numbers(const ln_c_writer *w, const double *value, size_t count) {
    for (size_t k = 0; k < count; k++) {
        ln_text_add(w->out, k == 0 ? "" : k % 6 == 0 ? ",\n        " : ", ");
        ln_code_number(LN_C_DOUBLE, w->out, value[k]);
    }
}

/* The voltage of a node: an unknown, or zero. */
static void add_voltage(const ln_c_writer *w, const ln_network_device *device, int node) {
    const int u = ln_network_seen(w->plan, device, node);
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
                   "};\n        moved |= %s_at(parameters, v, devices->seen + %d, limits, "
                   "devices->flows + %d, left);\n    }\n",
                   device->carried.type, device->first_node, device->first);
}

void ln_c_devices(const ln_c_writer *w) {
    const ln_network_plan *plan = w->plan->implicit;
    if (plan->ndevices == 0)
        return;
    ln_text_add(w->out,
                "\n/* How far what flows is from what the tangent had promised, where that is "
                "more than its tolerance, in\n"
                " * units of it; or more than the rounding of voltages that are by so much "
                "larger: sum of slope times\n * voltage. */\n"
                "static inline void note_flow(double value, double promised, double "
                "tolerance, double sum, double *left) {\n"
                "    const double apart = fabs(value - promised), least = tolerance + ");
    ln_code_number(LN_C_DOUBLE, w->out, w->language == LN_C_FLOAT ? 1e-6 : 1e-13);
    ln_text_add(w->out, " * fabs(value);\n    if (apart < least) return;\n"
                        "    const double most = least + ");
    ln_code_number(LN_C_DOUBLE, w->out,
                   ROUNDING * (w->language == LN_C_FLOAT ? (double)FLT_EPSILON : DBL_EPSILON));
    ln_text_add(w->out, " * sum;\n    if (apart < most) return;\n"
                        "    const double part = apart / most;\n"
                        "    if (!(part <= *left)) *left = part;\n}\n");
    for (int k = 0; k < plan->ndevices; k++) {
        int known = 0;
        for (int i = 0; i < k; i++)
            known |= strcmp(plan->devices[i].carried.type, plan->devices[k].carried.type) == 0;
        if (!known)
            add_type(w, &plan->devices[k].carried);
    }
    ln_c_add(w,
             "\n/* What flows in the devices at these signals; limits: junctions go no further "
             "than is safe from where they\n"
             " * were evaluated last. 1: one was held back. left: see note_flow(). */\n"
             "static inline int devices_at(const $N_signals_t *signals, $N_devices_t *devices, int "
             "limits,\n    double *left) {\n    int moved = 0;\n");
    for (int k = 0; k < plan->ndevices; k++)
        add_device(w, &plan->devices[k]);
    ln_text_add(w->out, "    return moved;\n}\n");
}
