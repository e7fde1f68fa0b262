/* SPDX-License-Identifier: MIT */
/* Rows of a network as expressions, Q and F apart: see network_assembly.h. */
#include "codegen/network_assembly.h"

#include "blocks/native/native.h"
#include "system/active.h"
#include "blocks/equations.h"

#include <math.h>
#include <string.h>

linnet_status ln_assembly_refuse(const ln_assembly *all, int row, const char *what) {
    const ln_network *network = all->plan->network;
    const ln_instance *block = ln_network_row_block(network, row);
    char text[160];
    ln_network_row_text(network, row, text);
    return ln_fail(all->plan->report, LINNET_MODEL,
                   block != NULL ? block->place : ln_network_unknown_place(network, row),
                   "%s %s; generated code cannot carry that", text, what);
}

linnet_status ln_assembly_refuse_pivot(const ln_assembly *all, int row) {
    return ln_assembly_refuse(
        all, row,
        all->keeps_stored
            ? "has no pivot where conditions change and what is stored stays (index above 1: it "
              "is given by a derivative); let something that stores or gives way stand between, a "
              "mass, a capacitor, a filter"
            : "has no pivot: at the start, or where a branch of its conditions holds, the "
              "equations are singular");
}

/* ---- devices ---- */

const char *ln_network_plan_refuses(const linnet_block_class *class, const ln_instance *instance) {
    ln_carried carried;
    if (class->reference_port >= 0 || class->ndelays > 0 || ln_plan_is_linear(class) ||
        ln_class_residuals(class) != NULL)
        return NULL;
    if (!ln_native_carried(class, &carried))
        return "is computed by functions in C that the code cannot take along; put a type made of "
               "equations in its place";
    for (int k = 0; k < class->nports; k++)
        if (class->ports[k].domain == LINNET_THERMAL && instance->links[k] >= 0)
            return "has its temperature from a link, and the laws by which its parameters follow "
                   "that are not in generated code: leave the port heat open, and give the "
                   "temperature as temp";
    return NULL;
}

linnet_status ln_assembly_devices(ln_plan *plan, ln_network_plan *out) {
    const int count = plan->network->ninstances;
    out->devices = LN_NEW(plan->arena, ln_network_device, count);
    if (out->devices == NULL)
        return ln_no_memory(plan->report);
    for (int i = 0; i < count; i++) {
        ln_network_device *device = &out->devices[out->ndevices];
        if (!ln_native_carried(plan->network->instances[i].block.type, &device->carried))
            continue;
        device->instance = i;
        device->first = out->nflows;
        device->first_node = out->nnodes;
        out->nflows += LN_FLOW_VALUES * device->carried.nbranches;
        out->nnodes += device->carried.nnodes;
        out->ndevices++;
    }
    return LINNET_OK;
}

static const ln_network_device *device_of(const ln_network_plan *out, int instance) {
    for (int k = 0; k < out->ndevices; k++)
        if (out->devices[k].instance == instance)
            return &out->devices[k];
    return NULL;
}

static void add_node(ln_graph *graph, ln_node *sum, ln_op op, ln_node node) {
    if (*sum != LN_NONE)
        *sum = ln_operation(graph, op, *sum, node, LN_NONE);
    else
        *sum = op == LN_OP_ADD ? node : ln_operation(graph, LN_OP_NEG, node, LN_NONE, LN_NONE);
}

/* Kirchhoff's law at the device's nodes: what its branches carry away. */
static void device_rows(ln_plan *plan, const ln_network_device *device, int rows, ln_node *nodes) {
    const ln_carried *carried = &device->carried;
    ln_graph *graph = plan->graph;
    for (int k = 0; k < rows; k++)
        nodes[k] = LN_NONE;
    for (int b = 0; b < carried->nbranches; b++) {
        const ln_branch *branch = &carried->branches[b];
        const int from = carried->unknown[branch->from], to = carried->unknown[branch->to];
        if (from == to)
            continue;
        const int leaf = ln_network_flow(plan, device->first + LN_FLOW_VALUES * b);
        ln_node flow = ln_leaf_node(graph, LN_LEAF_UNKNOWN, leaf);
        if (branch->stores)
            flow = ln_operation(graph, LN_OP_DER, flow, LN_NONE, LN_NONE);
        add_node(graph, &nodes[from], carried->sign > 0 ? LN_OP_ADD : LN_OP_SUB, flow);
        add_node(graph, &nodes[to], carried->sign > 0 ? LN_OP_SUB : LN_OP_ADD, flow);
    }
}

int ln_assembly_slopes(const ln_assembly *all, int leaf, int *unknown, ln_node *slope) {
    const ln_plan *plan = all->plan;
    const int flow = leaf - ln_network_flow(plan, 0);
    int k = 0, count = 0;
    while (k + 1 < all->out->ndevices && all->out->devices[k + 1].first <= flow)
        k++;
    const ln_network_device *device = &all->out->devices[k];
    const ln_branch *branch = &device->carried.branches[(flow - device->first) / LN_FLOW_VALUES];
    for (int c = 0; c < branch->ncontrols; c++)
        for (int end = 0; end < 2; end++) {
            const ln_node value = ln_leaf_node(plan->graph, LN_LEAF_UNKNOWN, leaf + 1 + c);
            unknown[count] = ln_network_seen(plan, device, branch->control[c][end]);
            slope[count++] = (end == 0) == (device->carried.sign > 0)
                                 ? value
                                 : ln_operation(plan->graph, LN_OP_NEG, value, LN_NONE, LN_NONE);
        }
    return count;
}

/* What flows in a device's branches, into the sums of floating parts. */
static void float_device(const ln_assembly *all, const ln_network_device *device) {
    const ln_carried *carried = &device->carried;
    const ln_instance *instance = &all->plan->network->instances[device->instance];
    ln_graph *graph = ln_assembly_graph(all);
    for (int b = 0; b < carried->nbranches; b++) {
        const ln_branch *branch = &carried->branches[b];
        const int from = carried->unknown[carried->sign > 0 ? branch->from : branch->to];
        const int to = carried->unknown[carried->sign > 0 ? branch->to : branch->from];
        const ln_node flow = ln_leaf_node(
            graph, LN_LEAF_UNKNOWN, ln_network_flow(all->plan, device->first + LN_FLOW_VALUES * b));
        ln_assembly_float_flow(
            all, ln_diagram_unknown(all->plan->network, instance, from),
            ln_diagram_unknown(all->plan->network, instance, to),
            branch->stores ? ln_operation(graph, LN_OP_DER, flow, LN_NONE, LN_NONE) : flow);
    }
}

static void mark_nodes(const ln_assembly *all) {
    for (int d = 0; d < all->out->ndevices; d++) {
        const ln_network_device *device = &all->out->devices[d];
        for (int k = 0; k < device->carried.nnodes; k++) {
            const int u = ln_network_seen(all->plan, device, k);
            if (u >= 0)
                all->steers[u] = 1;
        }
    }
}

/* ---- rows ---- */

static void add_to(const ln_assembly *all, int row, ln_node node) {
    if (row >= 0)
        add_node(ln_assembly_graph(all), &all->flux[row], LN_OP_ADD, node);
}

linnet_status ln_assembly_instance(ln_plan *plan, const ln_network_plan *out, int index,
                                   ln_node *nodes) {
    const linnet_block_class *class = plan->network->instances[index].block.type;
    const ln_residuals *residuals = ln_diagram_residuals(&plan->diagram, index);
    const int count = class->nports + class->nvars;
    if (residuals == NULL) {
        device_rows(plan, device_of(out, index), count, nodes);
        return ln_graph_failed(plan->graph) ? ln_no_memory(plan->report) : LINNET_OK;
    }
    memcpy(nodes, residuals->row, (size_t)count * sizeof *nodes);
    return ln_plan_copy(plan, index, residuals->graph, nodes, count);
}

/* The contributions of an instance's rows; one of a port whose flux has a row of its own, which
 * says what the flux is, enters that of its link. */
static void add_rows(ln_assembly *all, int index, int *row, const ln_node *nodes, int count) {
    ln_plan *plan = all->plan;
    const ln_instance *instance = &plan->network->instances[index];
    for (int k = 0; k < count; k++) {
        const ln_extra *extra =
            k < instance->block.type->nports ? ln_find_extra(plan->network, index, k) : NULL;
        if (nodes[k] == LN_NONE)
            continue;
        if (extra == NULL) {
            add_to(all, row[k], nodes[k]);
            continue;
        }
        const ln_node leaf =
            ln_leaf_node(plan->graph, LN_LEAF_UNKNOWN, ln_plan_signal(plan, extra->unknown));
        add_to(all, extra->unknown, ln_assembly_two(all, LN_OP_SUB, nodes[k], leaf));
        row[k] = ln_diagram_unknown(plan->network, instance, k);
        add_to(all, row[k], leaf);
    }
}

static linnet_status add_instance(ln_assembly *all, int index) {
    ln_plan *plan = all->plan;
    const linnet_block_class *class = plan->network->instances[index].block.type;
    const int count = class->nports + class->nvars;
    const ln_network_device *device = device_of(all->out, index);
    ln_node *nodes = LN_NEW(plan->diagram.scratch, ln_node, count);
    int *row = LN_NEW(plan->diagram.scratch, int, count);
    if (nodes == NULL || row == NULL)
        return ln_no_memory(plan->report);
    if (class->reference_port >= 0)
        return LINNET_OK;
    ln_local_rows(plan->network, index, row);
    LN_TRY(ln_assembly_instance(plan, all->out, index, nodes));
    add_rows(all, index, row, nodes, count);
    if (device != NULL)
        float_device(all, device);
    else
        ln_assembly_float_rows(all, row, nodes, count);
    return LINNET_OK;
}

/* What blocks compute that come from outside in their place. */
static void replace_inputs(ln_assembly *all) {
    ln_plan *plan = all->plan;
    for (int k = 0; k < plan->ninputs; k++) {
        const int u = plan->input_unknown[k];
        all->flux[u] = ln_assembly_two(
            all, LN_OP_SUB, ln_leaf_node(plan->graph, LN_LEAF_UNKNOWN, ln_plan_signal(plan, u)),
            ln_leaf_node(plan->graph, LN_LEAF_PARAMETER, ln_plan_first_input(plan) + k));
    }
}

/* ---- Q and F ---- */

static ln_node without_derivatives(void *context, ln_graph *to, const ln_graph *from,
                                   ln_node leaf) {
    (void)context;
    return ln_node_op(from, leaf) == LN_OP_DER ? ln_constant(to, 0.0) : LN_NONE;
}

static ln_node as_before(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    const ln_plan *plan = context;
    const int flow = ln_network_flow(plan, 0);
    int index;
    if (ln_node_op(from, leaf) == LN_OP_DER)
        return LN_NONE;
    if (ln_node_leaf(from, leaf, &index) != LN_LEAF_UNKNOWN)
        return LN_NONE;
    return ln_leaf_node(to, LN_LEAF_UNKNOWN,
                        index < flow ? ln_plan_before(plan, index - ln_plan_signal(plan, 0))
                                     : ln_network_stored(plan, plan->implicit, index - flow));
}

linnet_status ln_assembly_before(ln_plan *plan, ln_node *nodes, int count) {
    ln_copy(plan->graph, plan->graph, nodes, count, as_before, plan);
    return ln_graph_failed(plan->graph) ? ln_no_memory(plan->report) : LINNET_OK;
}

/* weight (what - what before), numbers in one: a difference of neighbours has no rounding. */
static ln_node gone(ln_assembly *all, ln_node weight, ln_node what) {
    ln_graph *graph = ln_assembly_graph(all);
    const ln_node first = ln_node_op(graph, what) == LN_OP_MUL ? ln_node_arg(graph, what, 0) : what;
    if (ln_node_op(graph, what) == LN_OP_MUL && ln_node_op(graph, first) == LN_OP_CONSTANT) {
        weight = ln_assembly_two(all, LN_OP_MUL, weight, first);
        what = ln_node_arg(graph, what, 1);
    }
    ln_node before = what;
    if (ln_assembly_before(all->plan, &before, 1) != LINNET_OK)
        return LN_NONE;
    return ln_assembly_two(all, LN_OP_MUL, weight, ln_assembly_two(all, LN_OP_SUB, what, before));
}

/* Splits a row into Q and F. */
static linnet_status split_row(ln_assembly *all, int row) {
    enum { MOST = 256 };
    ln_graph *graph = ln_assembly_graph(all);
    ln_node der[MOST], node = all->flux[row];
    int count = 0;
    ln_walk walk;
    LN_TRY(ln_walk_new(&walk, &all->plan->diagram, graph));
    ln_walk_push(&walk, node, 1);
    for (ln_node part; (part = ln_walk_next(&walk, 1)) != LN_NONE;)
        if (ln_node_op(graph, part) == LN_OP_DER && count < MOST)
            der[count++] = part;
    if (count == MOST)
        return ln_assembly_refuse(all, row, "has too many derivatives");
    for (int k = 0; k < count; k++) {
        const ln_node coefficient = ln_derivative(graph, node, der[k]);
        if (coefficient == LN_NONE)
            return ln_no_memory(all->plan->report);
        if (ln_node_op(graph, coefficient) == LN_OP_CONSTANT &&
            ln_node_value(graph, coefficient) == 0.0)
            continue; /* both its ends join this link */
        if (!ln_is_usable(graph, coefficient))
            return ln_assembly_refuse(all, row, "has a derivative with a factor that varies");
        const ln_node what = ln_node_arg(graph, der[k], 0);
        const ln_node weight =
            ln_assembly_two(all, LN_OP_MUL, ln_constant(graph, all->out->alpha), coefficient);
        add_node(graph, &all->stored[row], LN_OP_ADD,
                 ln_assembly_two(all, LN_OP_MUL, coefficient, what));
        add_node(graph, &all->gone[row], LN_OP_ADD, gone(all, weight, what));
    }
    all->rest[row] = node;
    ln_copy(graph, graph, &all->rest[row], 1, without_derivatives, NULL);
    all->before[row] = all->stored[row];
    return count > 0 ? ln_assembly_before(all->plan, &all->before[row], 1) : LINNET_OK;
}

/* Into a port that is open nothing flows. */
static linnet_status give_extra(const ln_assembly *all, const ln_extra *extra) {
    const ln_plan *plan = all->plan;
    if (all->flux[extra->unknown] != LN_NONE)
        return LINNET_OK;
    if (plan->network->instances[extra->instance].links[extra->port] >= 0)
        return ln_assembly_refuse(all, extra->unknown, "records a flux that no equation gives");
    all->flux[extra->unknown] =
        ln_leaf_node(plan->graph, LN_LEAF_UNKNOWN, ln_plan_signal(plan, extra->unknown));
    return LINNET_OK;
}

linnet_status ln_assembly_rows(ln_assembly *all) {
    const ln_network *network = all->plan->network;
    for (int row = 0; row < all->n; row++)
        all->flux[row] = all->stored[row] = all->gone[row] = LN_NONE;
    mark_nodes(all);
    for (int i = 0; i < network->ninstances; i++)
        LN_TRY(add_instance(all, i));
    for (int k = 0; k < network->nextras; k++)
        LN_TRY(give_extra(all, &network->extras[k]));
    replace_inputs(all);
    for (int p = 0; p < all->storage->nparts; p++)
        all->flux[all->storage->common[p]] = all->floating[p];
    for (int row = 0; row < all->n; row++) {
        if (ln_graph_failed(ln_assembly_graph(all)))
            return ln_no_memory(all->plan->report);
        if (all->flux[row] == LN_NONE)
            return ln_assembly_refuse(all, row, "is given by no equation");
        LN_TRY(split_row(all, row));
    }
    return ln_graph_failed(ln_assembly_graph(all)) ? ln_no_memory(all->plan->report) : LINNET_OK;
}

/* ---- values ---- */

static void device_voltages(const ln_assembly *all, const ln_network_device *device, double *v) {
    for (int k = 0; k < device->carried.nnodes; k++)
        v[k] = device->carried.sign *
               ln_network_value(all->plan, all->x, ln_network_seen(all->plan, device, k));
}

/* Values and slopes of the device at the start; in samples 1 and 2 slopes of currents as those of
 * conductors and of insulators. */
static void device_values(const ln_assembly *all, const ln_network_device *device, int sample,
                          double *flows) {
    const ln_instance *instance = &all->plan->network->instances[device->instance];
    const ln_carried *carried = &device->carried;
    double v[LN_DEVICE_NODES];
    ln_flow flow[LN_DEVICE_BRANCHES] = {0}; /* a branch writes the slopes of its controls only */
    device_voltages(all, device, v);
    carried->flows(&instance->block, v, flow);
    for (int b = 0; b < carried->nbranches; b++) {
        double *at = flows + device->first + LN_FLOW_VALUES * b;
        at[0] = flow[b].value;
        memcpy(at + 1, flow[b].slope, sizeof flow[b].slope);
        if (carried->branches[b].stores || sample == 0 || sample == 3)
            continue;
        for (int c = 0; c < carried->branches[b].ncontrols; c++)
            at[1 + c] = sample == 1 ? 1.0 : 1e-12;
    }
}

linnet_status ln_assembly_start_devices(const ln_assembly *all) {
    ln_network_plan *out = all->out;
    out->start_flows = LN_NEW(all->plan->arena, double, out->nflows);
    out->start_seen = LN_NEW(all->plan->arena, double, out->nnodes);
    if (out->start_flows == NULL || out->start_seen == NULL)
        return ln_no_memory(all->plan->report);
    for (int k = 0; k < out->ndevices; k++) {
        device_values(all, &out->devices[k], 0, out->start_flows);
        device_voltages(all, &out->devices[k], out->start_seen + out->devices[k].first_node);
    }
    return LINNET_OK;
}

static void set_memories(const ln_assembly *all, int sample, double *m) {
    const ln_plan *plan = all->plan;
    const ln_network *network = plan->network;
    for (int k = 0; k < plan->nmemories; k++)
        m[k] = m[plan->nmemories + k] = all->system->memory[k];
    for (int i = 0; sample == 3 && i < network->ninstances; i++) {
        const linnet_block_class *class = network->instances[i].block.type;
        double *modes = m + network->instances[i].first_memory + class->nmemories - class->nmodes;
        for (int k = 0; k < class->nmodes; k++)
            modes[k] = modes[k] > 0 ? 0 : 1;
    }
}

static void set_unknowns(const ln_assembly *all, int sample, double *x) {
    const ln_plan *plan = all->plan;
    const size_t n = (size_t)all->n, nflows = (size_t)all->out->nflows;
    double *flows = x + ln_network_flow(plan, 0);
    memcpy(x, all->x, n * sizeof *x);
    memcpy(x + n, all->x, n * sizeof *x);
    for (int k = 0; k < all->out->ndevices; k++)
        device_values(all, &all->out->devices[k], sample, flows);
    memcpy(flows + nflows, flows, nflows * sizeof *flows);
    for (int u = all->n; u < all->nunknowns; u++)
        x[ln_network_leaf(plan, all->out, u)] = ln_network_value(plan, all->x, u);
}

/* Parts of a step are halves or shorter: the pace in each sample. */
static const double paces[LN_SAMPLES] = {2, 1 << 20, 1 << 10, 2};

linnet_status ln_assembly_evaluate(const ln_assembly *all, int sample, const ln_node *nodes,
                                   int count, double *value) {
    ln_plan *plan = all->plan;
    ln_arena *scratch = plan->diagram.scratch;
    ln_node *now = LN_NEW(scratch, ln_node, count);
    if (now == NULL)
        return ln_no_memory(plan->report);
    memcpy(now, nodes, (size_t)count * sizeof *now);
    LN_TRY(ln_plan_delays_at_start(plan, sample > 0, now, count));
    const ln_program *program = ln_program_compile(scratch, plan->graph, now, count);
    double *file = program == NULL ? NULL : LN_NEW(scratch, double, program->registers);
    double *x = LN_NEW(scratch, double, ln_network_leaf(plan, all->out, all->nunknowns));
    double *m = LN_NEW(scratch, double, ln_network_known(plan, 0));
    double *open = LN_NEW(scratch, double, plan->diagram.nparameters + plan->ninputs);
    if (file == NULL || x == NULL || m == NULL || open == NULL)
        return ln_no_memory(plan->report);
    set_unknowns(all, sample, x);
    memcpy(open, plan->diagram.parameters, (size_t)plan->diagram.nparameters * sizeof *open);
    for (int k = 0; k < plan->ninputs; k++)
        open[plan->diagram.nparameters + k] = plan->input_value[k];
    set_memories(all, sample, m);
    m[ln_network_pace(plan)] = paces[sample];
    ln_program_start(program, file, open);
    ln_program_run(program, file, open, &(linnet_point){all->side.t, all->side.within, x, m});
    for (int k = 0; k < count; k++)
        value[k] = file[program->output[k]];
    return LINNET_OK;
}
