/* SPDX-License-Identifier: MIT */
/* The variables of an FMU: time, inputs, parameters, states, what the model records, rates of
 * states, indicators. In FMI 3 a vector or matrix of which all elements are there is one variable;
 * in FMI 2 each element is one. Names differ: what is recorded under the name of an input, of a
 * parameter or of a state is that variable. */
#include "codegen/fmu_writer.h"
#include "base/text.h"

#include <string.h>

typedef struct variable_list {
    ln_fmu_writer *w;
    ln_arena *arena;
    ln_map *known;                /* names: references */
    const ln_plan_nature *nature; /* of outputs */
    int failed;
} variable_list;

/* One struct of the model, element by element. */
typedef struct elements {
    ln_fmu_kind kind;
    const char *of; /* "inputs" */
    const ln_fields *fields;
    int count;
} elements;

static const char *member_text(variable_list *list, const char *of, const ln_fields *fields,
                               ln_member member) {
    ln_text text = {0};
    if (of != NULL)
        ln_text_printf(&text, "%s.", of);
    ln_member_print(fields, member, &text);
    const char *kept = text.failed ? NULL : ln_arena_string(list->arena, text.data);
    ln_text_free(&text);
    return kept;
}

/* NULL: none. */
static const char *unit_of(const ln_field *field) {
    return field->unit != NULL && field->unit[0] != '\0' ? field->unit : NULL;
}

static ln_fmu_variable *add(variable_list *list, ln_fmu_variable variable) {
    ln_fmu_writer *w = list->w;
    ln_fmu_variable *added = &w->variable[w->nvariables];
    if (variable.name == NULL || variable.member == NULL ||
        ln_map_put(list->known, variable.name, w->nvariables) < 0) {
        list->failed = 1;
        return NULL;
    }
    *added = variable;
    added->count =
        (variable.rows > 0 ? variable.rows : 1) * (variable.cols > 0 ? variable.cols : 1);
    w->nvariables++;
    return added;
}

/* ---- elements and arrays ---- */

static ln_member member_of(const ln_plan *plan, ln_fmu_kind kind, int k) {
    return kind == LN_FMU_INPUT       ? plan->input[k]
           : kind == LN_FMU_PARAMETER ? plan->parameter[k].member
           : kind == LN_FMU_STATE     ? plan->member[plan->diagram.state[k]]
                                      : plan->output[k];
}

static double start_of(const ln_plan *plan, ln_fmu_kind kind, int k) {
    return kind == LN_FMU_INPUT       ? plan->input_value[k]
           : kind == LN_FMU_PARAMETER ? plan->parameter[k].value
                                      : plan->start[plan->diagram.state[k]];
}

/* "m[2,1]": the name of an element in the model. */
static const char *element_name(variable_list *list, const ln_field *field, ln_member member) {
    return field->cols > 0 ? ln_arena_printf(list->arena, "%s[%d,%d]", field->name, member.row + 1,
                                             member.col + 1)
           : field->rows > 0 ? ln_arena_printf(list->arena, "%s[%d]", field->name, member.row + 1)
                             : field->name;
}

/* What an importer may make of an output: what changes between events is a number. */
static void set_nature(const variable_list *list, ln_fmu_variable *variable,
                       ln_plan_nature nature) {
    variable->is_discrete = !nature.moves;
    if (list->w->version >= 3 && variable->is_discrete)
        variable->type = nature.kind == LN_PLAN_TRUTH   ? LN_FMU_BOOLEAN
                         : nature.kind == LN_PLAN_WHOLE ? LN_FMU_INT32
                                                        : LN_FMU_FLOAT64;
}

static void add_element(variable_list *list, const elements *of, int k) {
    const ln_plan *plan = list->w->c->plan;
    const ln_member member = member_of(plan, of->kind, k);
    const ln_field *field = &of->fields->field[member.field];
    const char *name = element_name(list, field, member);
    double *start = of->kind == LN_FMU_OUTPUT ? NULL : LN_NEW(list->arena, double, 1);
    if (name == NULL || (start == NULL && of->kind != LN_FMU_OUTPUT)) {
        list->failed = 1;
        return;
    }
    if (start != NULL)
        *start = start_of(plan, of->kind, k);
    const int known = ln_map_get(list->known, name);
    if (known >= 0) { /* recorded under the name of another variable */
        list->w->variable[known].is_output |= list->w->variable[known].kind == LN_FMU_STATE;
        return;
    }
    ln_fmu_variable *added =
        add(list, (ln_fmu_variable){.kind = of->kind,
                                    .name = name,
                                    .unit = unit_of(field),
                                    .about = field->about,
                                    .member = member_text(list, of->of, of->fields, member),
                                    .start = start,
                                    .of = -1});
    if (added != NULL && of->kind == LN_FMU_OUTPUT)
        set_nature(list, added, list->nature[k]);
    if (added != NULL && of->kind == LN_FMU_PARAMETER)
        added->param = list->w->c->plan->parameter[k].param;
}

/* The elements of a field that are there, among those of the struct. */
static int count_present(const ln_plan *plan, const elements *of, int field) {
    int count = 0;
    for (int k = 0; k < of->count; k++)
        count += member_of(plan, of->kind, k).field == field;
    return count;
}

/* That of all its elements. */
static ln_plan_nature nature_of_field(const variable_list *list, int index) {
    const ln_plan *plan = list->w->c->plan;
    ln_plan_nature all = {LN_PLAN_TRUTH, 0};
    for (int k = 0; k < plan->noutputs; k++) {
        if (plan->output[k].field != index)
            continue;
        all.moves |= list->nature[k].moves;
        if (list->nature[k].kind > all.kind)
            all.kind = list->nature[k].kind;
    }
    return all;
}

/* The start values of an array, by rows; NULL when memory is short. */
static double *starts_of(const variable_list *list, const elements *of, int index) {
    const ln_plan *plan = list->w->c->plan;
    const ln_field *field = &of->fields->field[index];
    const int cols = field->cols > 0 ? field->cols : 1;
    double *start = LN_NEW(list->arena, double, ln_field_size(field));
    for (int k = 0; k < of->count && start != NULL; k++) {
        const ln_member member = member_of(plan, of->kind, k);
        if (member.field == index)
            start[member.row * cols + member.col] = start_of(plan, of->kind, k);
    }
    return start;
}

static void add_array(variable_list *list, const elements *of, int index) {
    const ln_field *field = &of->fields->field[index];
    double *start = of->kind == LN_FMU_OUTPUT ? NULL : starts_of(list, of, index);
    if (start == NULL && of->kind != LN_FMU_OUTPUT) {
        list->failed = 1;
        return;
    }
    if (ln_map_get(list->known, field->name) >= 0)
        return;
    ln_fmu_variable *added = add(
        list,
        (ln_fmu_variable){.kind = of->kind,
                          .name = field->name,
                          .unit = unit_of(field),
                          .about = field->about,
                          .member = member_text(list, of->of, of->fields, (ln_member){index, 0, 0}),
                          .rows = field->rows,
                          .cols = field->cols,
                          .start = start,
                          .of = -1});
    if (added != NULL && of->kind == LN_FMU_OUTPUT)
        set_nature(list, added, nature_of_field(list, index));
    for (int k = 0; added != NULL && of->kind == LN_FMU_PARAMETER && k < of->count; k++)
        if (list->w->c->plan->parameter[k].member.field == index)
            added->param = list->w->c->plan->parameter[k].param; /* of all its elements the same */
}

/* Whole arrays where FMI knows them; states stay numbers, for their order is that of the rates. */
static void add_elements(variable_list *list, elements of) {
    const ln_plan *plan = list->w->c->plan;
    int last = -1;
    for (int k = 0; k < of.count && !list->failed; k++) {
        const int index = member_of(plan, of.kind, k).field;
        const ln_field *field = &of.fields->field[index];
        const int whole = list->w->version >= 3 && of.kind != LN_FMU_STATE && field->rows > 0 &&
                          count_present(plan, &of, index) == ln_field_size(field);
        if (!whole)
            add_element(list, &of, k);
        else if (index != last)
            add_array(list, &of, index);
        last = index;
    }
}

/* ---- what model exchange adds ---- */

static void add_rates(variable_list *list, int first) {
    const ln_plan *plan = list->w->c->plan;
    for (int k = 0; k < plan->diagram.nstates && !list->failed; k++) {
        const ln_fmu_variable *state = &list->w->variable[first + k];
        add(list, (ln_fmu_variable){.kind = LN_FMU_RATE,
                                    .name = ln_arena_printf(list->arena, "der(%s)", state->name),
                                    .about = state->about,
                                    .member = member_text(list, NULL, &plan->states,
                                                          plan->member[plan->diagram.state[k]]),
                                    .of = first + k});
    }
}

static void add_indicators(variable_list *list) {
    const ln_program *guards = list->w->c->plan->guards.program;
    if (list->w->version >= 3 && guards != NULL)
        add(list, (ln_fmu_variable){.kind = LN_FMU_INDICATOR,
                                    .name = "event indicators",
                                    .about = "how far each condition is from changing",
                                    .member = "",
                                    .rows = guards->noutputs,
                                    .of = -1});
}

/* A name for time that no signal bears. */
static const char *time_name(const variable_list *list) {
    const ln_plan *plan = list->w->c->plan;
    ln_quantity q;
    const char *name = "time";
    while (name != NULL && ln_network_find(plan->network, name, &q, NULL))
        name = ln_arena_printf(list->arena, "%s_", name);
    return name;
}

static void set_nominals(ln_fmu_writer *w) {
    const ln_plan *plan = w->c->plan;
    int state = 0;
    for (int k = 0; k < w->nvariables; k++) {
        double absolute;
        if (w->variable[k].kind == LN_FMU_STATE)
            ln_network_unknown_scale(plan->network, plan->diagram.state[state++], &absolute,
                                     &w->variable[k].nominal);
    }
}

linnet_status ln_fmu_variables(ln_fmu_writer *w, ln_report *report) {
    const ln_plan *plan = w->c->plan;
    const int states = plan->implicit == NULL ? plan->diagram.nstates : 0;
    const int most = 2 + plan->ninputs + plan->nparameters + plan->noutputs + 2 * states;
    variable_list list = {w, plan->arena, ln_map_new(), ln_plan_natures(plan), 0};
    w->variable = LN_NEW(plan->arena, ln_fmu_variable, most);
    w->nvariables = 0;
    if (w->variable == NULL || list.known == NULL || list.nature == NULL) {
        ln_map_free(list.known);
        return ln_no_memory(report);
    }
    add(&list, (ln_fmu_variable){.kind = LN_FMU_TIME,
                                 .name = time_name(&list),
                                 .unit = "s",
                                 .member = "time",
                                 .of = -1});
    add_elements(&list, (elements){LN_FMU_INPUT, "inputs", &plan->inputs, plan->ninputs});
    add_elements(&list,
                 (elements){LN_FMU_PARAMETER, "parameters", &plan->parameters, plan->nparameters});
    const int first = w->nvariables;
    add_elements(&list, (elements){LN_FMU_STATE, "states", &plan->states, states});
    add_elements(&list, (elements){LN_FMU_OUTPUT, "outputs", &plan->outputs, plan->noutputs});
    if (w->exchange) {
        add_rates(&list, first);
        add_indicators(&list);
    }
    ln_map_free(list.known);
    if (list.failed)
        return ln_no_memory(report);
    set_nominals(w);
    return LINNET_OK;
}
