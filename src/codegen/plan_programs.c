/* SPDX-License-Identifier: MIT */
/* What every part of a plan is made by: equations of a block type come into the plan's graph with
 * their leaves replaced by signals, states, memories and parameters of the model; nodes of that
 * graph become a program. */
#include "codegen/plan.h"

#include "base/sys.h"
#include <string.h>

typedef struct local_context {
    ln_plan *plan;
    int instance;
} local_context;

/* A leaf of a class's graph. Behind the local unknowns and memories stand those before the instant.
 */
static ln_node local_leaf(void *context, ln_graph *to, const ln_graph *from, ln_node leaf) {
    const local_context *local = context;
    ln_plan *plan = local->plan;
    const ln_instance *instance = &plan->network->instances[local->instance];
    const linnet_block_class *class = instance->block.type;
    const int count = class->nports + class->nvars;
    int index, unknown;
    if (ln_node_op(from, leaf) == LN_OP_DER)
        return LN_NONE;
    switch (ln_node_leaf(from, leaf, &index)) {
    case LN_LEAF_PARAMETER: return ln_diagram_parameter(&plan->diagram, to, local->instance, index);
    case LN_LEAF_MEMORY:
        if ((unknown = ln_diagram_recall(&plan->diagram, to, &plan->delay_nodes, local->instance,
                                         index)) != LN_NONE)
            return unknown;
        return ln_leaf_node(
            to, LN_LEAF_MEMORY,
            instance->first_memory +
                (index < class->nmemories ? index : index - class->nmemories + plan->nmemories));
    case LN_LEAF_UNKNOWN:
        unknown =
            ln_diagram_unknown(plan->network, instance, index < count ? index : index - count);
        if (unknown < 0)
            return ln_constant(to, 0.0);
        if (index >= count) {
            plan->reads_before = 1;
            return ln_leaf_node(to, LN_LEAF_UNKNOWN, ln_plan_before(plan, unknown));
        }
        return ln_leaf_node(to, LN_LEAF_UNKNOWN,
                            plan->state_of[unknown] >= 0 ? plan->state_of[unknown]
                                                         : ln_plan_signal(plan, unknown));
    default: return LN_NONE;
    }
}

linnet_status ln_plan_copy(ln_plan *plan, int instance, const ln_graph *from, ln_node *nodes,
                           int count) {
    local_context context = {plan, instance};
    ln_diagram_copy_delays(&plan->diagram, plan->graph, &plan->delay_nodes, instance, local_leaf,
                           &context);
    ln_copy_shifted(plan->graph, from, nodes, count,
                    &(ln_leaf_mapping){local_leaf, &context, plan->diagram.shift[instance]});
    return ln_graph_failed(plan->graph) ? ln_no_memory(plan->report) : LINNET_OK;
}

linnet_status ln_plan_compile(ln_plan *plan, const ln_node *nodes, const int *target, int count,
                              ln_plan_part *part) {
    if (count == 0)
        return LINNET_OK;
    int *kept = LN_NEW(plan->arena, int, count);
    part->program = ln_program_compile(plan->arena, plan->graph, nodes, count);
    if (kept == NULL || part->program == NULL)
        return ln_no_memory(plan->report);
    memcpy(kept, target, (size_t)count * sizeof *kept);
    part->target = kept;
    return LINNET_OK;
}
