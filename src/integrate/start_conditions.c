/* SPDX-License-Identifier: MIT */
/* What became of start conditions: those of blocks (v0 of a capacitor), and those the model wrote
 * for links. */
#include "integrate/operating_point.h"

#include <math.h>

/* The unknown behind a local column; -1: zero. */
static int unknown_of(const ln_network *network, const ln_instance *instance, int col) {
    int nports = instance->block.type->nports;
    if (col < 0)
        return -1;
    if (col >= nports)
        return instance->first_own + col - nports;
    return instance->links[col] < 0 ? -1 : network->links[instance->links[col]].unknown;
}

/* found, wanted and met, from the unknowns. */
static void judge(const ln_system *system, const double *wanted, const double *x,
                  ln_start_condition *condition) {
    const int sides[2] = {condition->a, condition->b};
    double tolerance = 0;
    for (int side = 0; side < 2; side++) {
        const int unknown = sides[side];
        if (unknown < 0)
            continue;
        const double sign = side == 0 ? 1 : -1;
        condition->found += sign * x[unknown];
        condition->wanted += sign * wanted[unknown];
        tolerance += system->abstol[unknown] + 1e-6 * fabs(wanted[unknown]);
    }
    condition->met = fabs(condition->found - condition->wanted) <= tolerance;
}

static int has_start(const linnet_block_class *type, int col) {
    for (int k = 0; k < type->nstarts; k++)
        if (type->starts[k].col[0] == col || type->starts[k].col[1] == col)
            return 1;
    return 0;
}

/* Does the block store a variable of its own without a start condition? */
static int leaves_open(const ln_system *system, const ln_instance *instance) {
    const linnet_block_class *type = instance->block.type;
    const int *start = system->E.pattern.start;
    for (int j = 0; j < type->nvars; j++) {
        const int unknown = instance->first_own + j;
        if (start[unknown + 1] > start[unknown] && !has_start(type, type->nports + j))
            return 1;
    }
    return 0;
}

static ln_start_condition condition_of(const ln_system *system, const ln_instance *instance, int k,
                                       const double *wanted, const double *x) {
    const linnet_start *start = &instance->block.type->starts[k];
    ln_start_condition condition = {.block = instance,
                                    .name = start->name != NULL ? start->name : "",
                                    .given = ln_is_given(instance, k),
                                    .a = unknown_of(system->network, instance, start->col[0]),
                                    .b = unknown_of(system->network, instance, start->col[1])};
    judge(system, wanted, x, &condition);
    condition.has_priority = condition.given || (!condition.met && leaves_open(system, instance));
    return condition;
}

static ln_start_condition condition_of_link(const ln_system *system, const ln_link *link,
                                            const double *wanted, const double *x) {
    ln_start_condition condition = {
        .link = link, .name = "", .given = 1, .has_priority = 1, .a = link->unknown, .b = -1};
    judge(system, wanted, x, &condition);
    return condition;
}

linnet_status ln_visit_start_conditions(const ln_system *system, const double *wanted,
                                        const double *x, ln_start_condition_visit *visit,
                                        void *context) {
    const ln_network *network = system->network;
    for (int i = 0; i < network->ninstances; i++) {
        const ln_instance *instance = &network->instances[i];
        for (int k = 0; k < instance->block.type->nstarts; k++) {
            const unsigned flags = instance->block.type->starts[k].flags;
            if (flags & LINNET_START_INNER ||
                (flags & LINNET_START_OPTIONAL && !ln_is_given(instance, k)))
                continue;
            ln_start_condition condition = condition_of(system, instance, k, wanted, x);
            LN_TRY(visit(context, &condition));
        }
    }
    for (int k = 0; k < network->nlinks; k++) {
        if (!ln_link_is_fixed(&network->links[k]) || network->links[k].unknown < 0)
            continue;
        ln_start_condition condition = condition_of_link(system, &network->links[k], wanted, x);
        LN_TRY(visit(context, &condition));
    }
    return LINNET_OK;
}
