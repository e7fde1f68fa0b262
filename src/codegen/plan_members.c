/* SPDX-License-Identifier: MIT */
/* The members of the structs of a plan: unknowns, inputs, memories and the parameters that stay
 * open, with what their comments say. */
#include "codegen/network_plan.h"
#include "codegen/plan.h"
#include "base/text.h"

#include <string.h>

/* ---- members ---- */

/* "gain g, model.xml:12": what stands in the comment of a member; NULL when memory is short. */
const char *ln_plan_about(ln_plan *plan, const ln_instance *block, ln_place place) {
    ln_text text = {0};
    if (block != NULL)
        ln_text_printf(&text, "%s %s", block->block.type->name, block->name);
    if (place.file != NULL) {
        const char *slash = strrchr(place.file, '/');
        ln_text_printf(&text, "%s%s:%d", text.length > 0 ? ", " : "",
                       slash != NULL ? slash + 1 : place.file, place.line);
    }
    const char *kept = text.failed         ? NULL
                       : text.data == NULL ? ""
                                           : ln_arena_string(plan->arena, text.data);
    ln_text_free(&text);
    return kept;
}

static const char *unit_of(const ln_network *network, int unknown) {
    ln_quantity quantity;
    const char *name = ln_network_unknown_name(network, unknown);
    return ln_network_find(network, name, &quantity, NULL) ? quantity.unit : NULL;
}

linnet_status ln_plan_add_unknowns(ln_plan *plan) {
    const ln_diagram *d = &plan->diagram;
    plan->member = LN_NEW(plan->arena, ln_member, d->n);
    plan->state_of = LN_NEW(plan->arena, int, d->n);
    if (plan->member == NULL || plan->state_of == NULL)
        return ln_no_memory(plan->report);
    for (int u = 0; u < d->n; u++)
        plan->state_of[u] = -1;
    for (int k = 0; k < d->nstates; k++)
        plan->state_of[d->state[k]] = k;
    for (int u = 0; u < d->n; u++) {
        const char *name = ln_network_unknown_name(plan->network, u);
        const ln_instance *block = ln_network_row_block(plan->network, u);
        const ln_place place =
            block != NULL ? block->place : ln_network_unknown_place(plan->network, u);
        const char *text = ln_plan_about(plan, block, place);
        ln_fields *fields = plan->state_of[u] >= 0 ? &plan->states : &plan->signals;
        plan->member[u] = ln_fields_add(fields, ln_arena_string(plan->arena, name), text);
        ln_fields_set_unit(fields, plan->member[u], unit_of(plan->network, u));
    }
    return LINNET_OK;
}

linnet_status ln_plan_add_inputs(ln_plan *plan) {
    plan->input = LN_NEW(plan->arena, ln_member, plan->ninputs);
    plan->input_value = LN_NEW(plan->arena, double, plan->ninputs);
    if (plan->input == NULL || plan->input_value == NULL)
        return ln_no_memory(plan->report);
    for (int k = 0; k < plan->ninputs; k++) {
        const int u = plan->input_unknown[k];
        const char *name = ln_arena_string(plan->arena, ln_network_unknown_name(plan->network, u));
        if (name == NULL)
            return ln_no_memory(plan->report);
        plan->input[k] =
            ln_fields_add(&plan->inputs, name,
                          ln_plan_about(plan, NULL, ln_network_unknown_place(plan->network, u)));
        ln_fields_set_unit(&plan->inputs, plan->input[k], unit_of(plan->network, u));
    }
    return LINNET_OK;
}

linnet_status ln_plan_add_memories(ln_plan *plan) {
    plan->nmemories = plan->network->nmemories;
    plan->memory = LN_NEW(plan->arena, ln_member, plan->nmemories);
    plan->start_memory = LN_NEW(plan->arena, double, plan->nmemories);
    if (plan->memory == NULL || plan->start_memory == NULL)
        return ln_no_memory(plan->report);
    for (int i = 0; i < plan->network->ninstances; i++) {
        const ln_instance *instance = &plan->network->instances[i];
        const linnet_block_class *class = instance->block.type;
        const int first_mode = class->nmemories - class->nmodes;
        for (int k = 0; k < class->nmemories; k++) {
            const char *own = class->memories[k].name;
            const char *name =
                own != NULL ? ln_arena_printf(plan->arena, "%s.%s", instance->name, own)
                : k < first_mode
                    ? ln_arena_printf(plan->arena, "%s.memory%d", instance->name, k + 1)
                    : ln_arena_printf(plan->arena, "%s.mode%d", instance->name, k - first_mode + 1);
            if (name == NULL)
                return ln_no_memory(plan->report);
            /* indices in the name of a block are no reason for an array: memories are elements of
             * one array anyway */
            plan->memory[instance->first_memory + k] =
                ln_fields_add(&plan->memories, ln_identifier(plan->arena, name),
                              ln_plan_about(plan, instance, instance->place));
        }
    }
    return LINNET_OK;
}

/* ---- enabled components ---- */

/* "on while a, b are above 0.5": the signals at the enables. */
static const char *about_gates(ln_plan *plan, const int *unknown, int count) {
    ln_text text = {0};
    for (int k = 0; k < count; k++)
        ln_text_printf(&text, "%s%s", k > 0 ? ", " : "on while ",
                       ln_network_unknown_name(plan->network, unknown[k]));
    ln_text_add(&text, count > 1 ? " are above 0.5" : " is above 0.5");
    const char *kept = text.failed ? NULL : ln_arena_string(plan->arena, text.data);
    ln_text_free(&text);
    return kept;
}

/* The member of what bears enable k of the instance; one that another instance told of stays. */
static linnet_status add_enable(ln_plan *plan, const ln_instance *instance, int k, int count) {
    const linnet_block_class *class = instance->block.type;
    const char *name = ln_arena_printf(plan->arena, "%s.enabled", instance->besides->enabled_by[k]);
    int *unknown = LN_NEW(plan->arena, int, k + 1);
    if (name == NULL || unknown == NULL)
        return ln_no_memory(plan->report);
    for (int i = 0; i <= k; i++)
        unknown[i] = ln_diagram_unknown(plan->network, instance, class->nports - count + i);
    const size_t known = plan->enable_states.count;
    const ln_member member =
        ln_fields_add(&plan->enable_states, name, about_gates(plan, unknown, k + 1));
    if (plan->enable_states.count > known)
        plan->enable[plan->nenables++] = (ln_plan_enable){member, unknown, k + 1};
    return LINNET_OK;
}

static size_t enables_of(const ln_instance *instance) {
    const char *const *enabled_by = instance->besides->enabled_by;
    size_t count = 0;
    while (enabled_by != NULL && enabled_by[count] != NULL)
        count++;
    return count;
}

linnet_status ln_plan_add_enables(ln_plan *plan) {
    const ln_network *network = plan->network;
    size_t most = 0;
    for (int i = 0; i < network->ninstances; i++)
        most += enables_of(&network->instances[i]);
    plan->enable = LN_NEW(plan->arena, ln_plan_enable, most);
    if (plan->enable == NULL)
        return ln_no_memory(plan->report);
    for (int i = 0; i < network->ninstances; i++) {
        const ln_instance *instance = &network->instances[i];
        const char *const *enabled_by = instance->besides->enabled_by;
        const int count = (int)enables_of(instance);
        for (int k = 0; k < count; k++) /* of a list of enables the last one has them all */
            if (k + 1 == count || strcmp(enabled_by[k], enabled_by[k + 1]) != 0)
                LN_TRY(add_enable(plan, instance, k, count));
    }
    return LINNET_OK;
}

/* ---- tunable parameters ---- */

static int is_tunable(const linnet_block_class *class, const linnet_param *param) {
    const unsigned fixed = LINNET_TEXT | LINNET_INTEGER | LINNET_FILE;
    if ((param->flags & fixed) || param->rows * param->cols < 1 || strchr(param->name, ' ') != NULL)
        return 0;
    for (int k = 0; k < class->nfixed; k++)
        if (&class->params[class->fixed[k].param] == param)
            return 0;
    return 1;
}

/* "g.k", "f.numerator[2]": the value `item` of a parameter. */
static const char *parameter_name(ln_plan *plan, const ln_instance *instance,
                                  const linnet_param *param, int item) {
    if (param->rows * param->cols == 1)
        return ln_arena_printf(plan->arena, "%s.%s", instance->name, param->name);
    if (param->rows == 1)
        return ln_arena_printf(plan->arena, "%s.%s[%d]", instance->name, param->name, item + 1);
    return ln_arena_printf(plan->arena, "%s.%s[%d,%d]", instance->name, param->name,
                           item / param->cols + 1, item % param->cols + 1);
}

/* "time constant; first-order lag, model.xml:12"; NULL when memory is short. */
static const char *about_parameter(ln_plan *plan, const ln_instance *instance,
                                   const linnet_param *param) {
    const char *about = ln_plan_about(plan, instance, instance->place);
    if (about == NULL || param->doc == NULL || param->doc[0] == '\0')
        return about;
    return ln_arena_printf(plan->arena, "%s; %s", param->doc, about);
}

/* Members for the parameters that some program reads. */
static linnet_status add_parameters(ln_plan *plan, const char *is_read) {
    plan->parameter = LN_NEW(plan->arena, ln_plan_parameter, plan->diagram.nparameters);
    if (plan->parameter == NULL)
        return ln_no_memory(plan->report);
    for (int i = 0; i < plan->network->ninstances; i++) {
        const ln_instance *instance = &plan->network->instances[i];
        const linnet_block_class *class = instance->block.type;
        for (int k = 0; k < class->nparams; k++) {
            const linnet_param *param = &class->params[k];
            for (int item = 0; item < param->rows * param->cols; item++) {
                const int place = plan->diagram.shift[i] + param->offset + item;
                if (!is_tunable(class, param) || !is_read[place])
                    continue;
                const char *name = parameter_name(plan, instance, param, item);
                if (name == NULL)
                    return ln_no_memory(plan->report);
                const ln_member member =
                    ln_fields_add(&plan->parameters, name, about_parameter(plan, instance, param));
                ln_fields_set_unit(&plan->parameters, member, param->unit);
                plan->parameter[plan->nparameters++] = (ln_plan_parameter){
                    member, param, place, instance->block.p[param->offset + item]};
            }
        }
    }
    return LINNET_OK;
}

int ln_plan_tunes(const void *context, int instance, int offset) {
    const ln_plan *plan = context;
    const linnet_block_class *class = plan->network->instances[instance].block.type;
    if (plan->fixed != NULL && plan->fixed[instance])
        return 0;
    for (int k = 0; k < class->nparams; k++) {
        const linnet_param *param = &class->params[k];
        if (offset >= param->offset && offset < param->offset + param->rows * param->cols)
            return is_tunable(class, param);
    }
    return 0;
}

/* ---- what the programs read ---- */

static void mark_reads(ln_plan *plan, const ln_program *program, char *is_read) {
    if (program == NULL)
        return;
    for (int k = 0; k < program->nparameters; k++)
        if (program->parameter[k] < plan->diagram.nparameters)
            is_read[program->parameter[k]] = 1;
}

enum { PARTS = 12, OF_NETWORK = 12 };

int ln_plan_nprograms(const ln_plan *plan) {
    return PARTS + (plan->implicit != NULL ? OF_NETWORK : 0) + plan->nloops;
}

/* The program number k of those of a network's steps. */
static const ln_program *network_program(const ln_network_plan *network, int k) {
    const ln_plan_part *const parts[OF_NETWORK] = {
        &network->step.update,    &network->step.rest,    &network->algebra.update,
        &network->algebra.rest,   &network->rates,        &network->fresh,
        &network->edges,          &network->sides,        &network->known,
        &network->shorter.update, &network->shorter.rest, &network->shorter_rates};
    return parts[k]->program;
}

const ln_program *ln_plan_program(const ln_plan *plan, int k) {
    const ln_plan_part *const parts[PARTS] = {
        &plan->needed,      &plan->rest,       &plan->rates,    &plan->observed,
        &plan->modes,       &plan->conditions, &plan->act,      &plan->guards,
        &plan->breakpoints, &plan->remembered, &plan->changing, &plan->asserts};
    const int own = plan->implicit != NULL ? OF_NETWORK : 0;
    if (k < PARTS)
        return parts[k]->program;
    return k < PARTS + own ? network_program(plan->implicit, k - PARTS)
                           : plan->loops[k - PARTS - own].program;
}

linnet_status ln_plan_find_parameters(ln_plan *plan) {
    char *is_read = LN_NEW(plan->diagram.scratch, char, plan->diagram.nparameters);
    if (is_read == NULL)
        return ln_no_memory(plan->report);
    for (int k = 0; k < ln_plan_nprograms(plan); k++)
        mark_reads(plan, ln_plan_program(plan, k), is_read);
    return add_parameters(plan, is_read);
}
