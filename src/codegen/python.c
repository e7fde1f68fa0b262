/* SPDX-License-Identifier: MIT */
/* NAME.py: a block diagram as plain Python, with the API and the operations of NAME.c. What does
 * not depend on the model (numbers as C has them, loops, boundaries, steps) is
 * share/python/runtime.py, which the file takes along; the model's programs are printed behind it.
 */
#include "codegen/python.h"

#include "integrate/runge_kutta.h"
#include "system/diagram.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

/* Text in which $N is the model's name. */
static void add(const ln_c_writer *w, const char *text) {
    ln_c_add(w, text);
}

/* A text of the model behind #. */
static void add_comment(const ln_c_writer *w, const char *text) {
    if (text == NULL || text[0] == '\0')
        return;
    ln_text_add(w->out, "  # ");
    ln_comment_text(w->out, text);
}

/* ---- structs ---- */

/* A number, or a list of lists of numbers, all 0. */
static void add_zero(const ln_c_writer *w, const ln_field *field) {
    const char *zero = "0.0";
    if (field->rows == 0)
        ln_text_add(w->out, zero);
    else if (field->cols == 0)
        ln_text_printf(w->out, "[%s] * %d", zero, field->rows);
    else
        ln_text_printf(w->out, "[[%s] * %d for _ in range(%d)]", zero, field->cols, field->rows);
}

static void add_struct(const ln_c_writer *w, const char *name, const ln_fields *fields) {
    ln_text_printf(w->out, "\n\nclass %s(_Struct):\n    def __init__(self):\n", name);
    for (size_t k = 0; k < fields->count; k++) {
        const ln_field *field = &fields->field[k];
        if (field->hidden)
            continue;
        ln_text_printf(w->out, "        self.%s = ", field->identifier);
        add_zero(w, field);
        if (strcmp(field->name, field->identifier) != 0)
            add_comment(w, field->name);
        ln_text about = {0};
        ln_field_about(field, &about);
        add_comment(w, about.data);
        ln_text_free(&about);
        ln_text_add(w->out, "\n");
    }
    if (fields->count == 0)
        ln_text_add(w->out, "        pass\n");
}

/* ---- functions ---- */

static void add_function(ln_c_writer *w, const char *head, const ln_text *body, const char *end) {
    add(w, head);
    ln_python_body(w, body, end);
}

static void add_part(ln_c_writer *w, const char *head, const ln_plan_part *part, ln_c_into into,
                     int named, const char *end) {
    ln_text body = {0};
    w->reads = 0;
    w->into = into;
    ln_c_part(w, part, named, &body);
    add_function(w, head, &body, end);
    ln_text_free(&body);
}

/* ---- signals ---- */

static void assign_signal(void *context, ln_text *out, int output, const char *value) {
    ln_c_writer *w = context;
    ln_text_add(out, "    ");
    ln_c_unknown(w, out, w->part->target[output]);
    ln_text_printf(out, " = %s\n", value);
}

static int name_signal(void *context, ln_text *out, int output) {
    ln_c_writer *w = context;
    ln_c_unknown(w, out, w->part->target[output]);
    return 1;
}

static void add_signals(ln_c_writer *w, int for_rates) {
    const ln_c_target target = {assign_signal, name_signal, 0, 0};
    ln_text body = {0};
    w->reads = 0;
    w->part = for_rates ? &w->plan->needed : &w->plan->rest;
    for (int k = 0; k < w->plan->nloops; k++)
        if (w->plan->loops[k].for_rates == for_rates)
            ln_text_printf(&body,
                           "    status = _loop_%d(at, signals)\n    if status != OK:\n        "
                           "return status\n",
                           k + 1);
    if (w->part->program != NULL)
        ln_c_program(w, w->part->program, &target, &body);
    add_function(w,
                 for_rates ? "\n\ndef _signals_for_rates(at, signals):\n"
                           : "\n\ndef _other_signals(at, signals):\n",
                 &body, "    return OK\n");
    ln_text_free(&body);
}

/* ---- loops ---- */

static void assign_residual(void *context, ln_text *out, int output, const char *value) {
    const ln_c_writer *w = context;
    const int count = w->loop->count;
    ln_text_printf(out, output < count ? "    residual[%d] = %s\n" : "    slopes[%d] = %s\n",
                   output < count ? output : output - count, value);
}

static void add_unknowns(const ln_c_writer *w, const ln_plan_loop *loop, const char *before,
                         const char *between) {
    for (int k = 0; k < loop->count; k++) {
        ln_text unknown = {0};
        ln_text_add(w->out, k > 0 ? between : before);
        ln_c_unknown(w, &unknown, loop->unknown[k]);
        ln_python_text(w, &unknown);
        ln_text_free(&unknown);
    }
}

static void add_loop(ln_c_writer *w, int k) {
    const ln_c_target target = {assign_residual, NULL, 0, 0};
    const ln_plan_loop *loop = w->loop = &w->plan->loops[k];
    ln_text body = {0};
    w->reads = 0;
    ln_c_program(w, loop->program, &target, &body);
    ln_text_printf(w->out, "\n\ndef _residual_%d(at, signals):\n", k + 1);
    ln_python_locals(w);
    ln_text_printf(w->out, "    residual, slopes = [0.0] * %d, [0.0] * %d\n", loop->count,
                   loop->count * loop->count);
    ln_python_text(w, &body);
    ln_text_free(&body);
    ln_text_printf(w->out,
                   "    return residual, slopes\n\n\ndef _loop_%d(at, signals):\n    def "
                   "put(values):\n        ",
                   k + 1);
    add_unknowns(w, loop, "", ", ");
    ln_text_add(w->out, loop->count == 1 ? ", = values\n" : " = values\n");
    ln_text_add(w->out, "\n    nominal = [");
    for (int i = 0; i < loop->count; i++) {
        ln_text_add(w->out, i > 0 ? ", " : "");
        ln_c_number(w, loop->nominal[i]);
    }
    ln_text_printf(
        w->out,
        "]\n    return _loop_solve(_Loop(nominal, %s, lambda: _residual_%d(at, signals), "
        "lambda: [",
        loop->affine ? "True" : "False", k + 1);
    add_unknowns(w, loop, "", ", ");
    ln_text_add(w->out, "], put))\n");
}

/* ---- outputs ---- */

static void add_outputs(ln_c_writer *w) {
    ln_text body = {0};
    w->reads = 0;
    w->into = (ln_c_into){"outputs->", "", &w->plan->outputs, w->plan->output};
    ln_c_part(w, &w->plan->observed, 1, &body);
    ln_text_add(&body, "    check = 0.0\n");
    for (int k = 0; k < w->plan->noutputs; k++) {
        ln_text_add(&body, "    check += outputs->");
        ln_member_print(&w->plan->outputs, w->plan->output[k], &body);
        ln_text_add(&body, " * 0.0\n");
    }
    add_function(w, "\n\ndef _outputs_of(at, signals, outputs):\n", &body,
                 "    return NOT_FINITE if math.isnan(check) else OK\n");
    ln_text_free(&body);
}

/* ---- events ---- */

static void assign_condition(void *context, ln_text *out, int output, const char *value) {
    const ln_c_writer *w = context;
    ln_text_printf(out, "    holds[%d] = bool(%s)\n", w->part->target[output], value);
}

static void assign_set(void *context, ln_text *out, int output, const char *value) {
    const ln_c_writer *w = context;
    const ln_plan_set *set = &w->plan->sets[w->part->target[output]];
    ln_text_printf(out, "    if fired[%d]:\n        ", set->event);
    if (set->memory >= 0) {
        ln_text_add(out, "upcoming[MEM_");
        ln_member_print(&w->plan->memories, w->plan->memory[set->memory], out);
        ln_text_add(out, "]");
    } else {
        ln_text_add(out, "new->");
        ln_member_print(w->plan->implicit != NULL ? &w->plan->signals : &w->plan->states,
                        w->plan->member[set->unknown], out);
    }
    ln_text_printf(out, " = %s\n", value);
}

static void add_events(ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    const ln_c_target condition = {assign_condition, NULL, 1, 0}, set = {assign_set, NULL, 0, 1};
    ln_text body = {0};
    add_part(w, "\n\ndef _modes_of(at, signals, modes):\n", &plan->modes,
             (ln_c_into){"modes[MEM_", "]", &plan->memories, plan->memory}, 0, "    return\n");
    w->reads = 0;
    w->part = &plan->conditions;
    ln_text_printf(&body, "    holds = [False] * %d\n", plan->nevents);
    if (w->part->program != NULL)
        ln_c_program(w, w->part->program, &condition, &body);
    add_function(w, "\n\ndef _conditions_of(at, signals):\n", &body, "    return holds\n");
    ln_text_free(&body);
    body = (ln_text){0};
    w->reads = 0;
    w->part = &plan->act;
    if (w->part->program != NULL)
        ln_c_program(w, w->part->program, &set, &body);
    w->reads &= ~(unsigned)LN_READS_BEFORE; /* an argument here */
    add_function(w,
                 "\n\ndef _act(at, signals, memories_before, before, states_before, fired, "
                 "upcoming, new):\n",
                 &body, "    return\n");
    ln_text_free(&body);
}

static void add_event_tables(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    static const struct {
        const char *name;
        unsigned flag;
    } tables[] = {{"_TICKS", LINNET_TICK}, {"_JOINS", LINNET_JOINS}};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        ln_text_printf(w->out, "%s = [", tables[i].name);
        for (int k = 0; k < plan->nevents; k++)
            ln_text_printf(w->out, "%s%s", k > 0 ? ", " : "",
                           plan->events[k].event->flags & tables[i].flag ? "True" : "False");
        ln_text_add(w->out, "]\n");
    }
    ln_text_add(w->out, "_ENDS = [");
    for (int k = 0; k < plan->nevents; k++) {
        const unsigned flags = plan->events[k].event->flags;
        ln_text_printf(w->out, "%s%s", k > 0 ? ", " : "",
                       flags & LINNET_FAILS  ? "FAILED"
                       : flags & LINNET_ENDS ? "ENDED"
                                             : "OK");
    }
    ln_text_add(w->out, "]\n_MODE_AT = [");
    for (int k = 0; plan->modes.program != NULL && k < plan->modes.program->noutputs; k++)
        ln_text_printf(w->out, "%s%d", k > 0 ? ", " : "", plan->modes.target[k]);
    ln_text_add(w->out, "]\n");
}

/* ---- what signals have been ---- */

/* What is remembered of delays, or looked at for rates. */
static void add_list(ln_c_writer *w, const char *name, const ln_plan_part *part, int count) {
    ln_text body = {0};
    w->reads = 0;
    ln_text_printf(&body, "    value = [0.0] * %d\n", count);
    w->into = (ln_c_into){"value[", "]", NULL, NULL};
    ln_c_part(w, part, 0, &body);
    ln_text_printf(w->out, "\n\ndef %s(at, signals):\n", name);
    add_function(w, "", &body, "    return value\n");
    ln_text_free(&body);
}

static void add_delays(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    ln_text_add(w->out, "# of each delay: samples kept, whether its time varies, what lies before "
                        "the first\n_DELAYS = [");
    for (int k = 0; k < plan->ndelays; k++) {
        const ln_plan_delay *delay = &plan->delays[k];
        ln_text_printf(w->out, "%s(%d, %s, ", k > 0 ? ", " : "", delay->size,
                       delay->varies ? "True" : "False");
        ln_c_number(w, delay->before);
        ln_text_add(w->out, ", ");
        ln_c_number(w, delay->begin);
        ln_text_add(w->out, ")");
    }
    ln_text_add(w->out, "]\n_CHANGE_AT = [");
    for (int k = 0; k < plan->nchanges; k++)
        ln_text_printf(w->out, "%s%d", k > 0 ? ", " : "", plan->change_memory[k]);
    ln_text_add(w->out, "]\n");
}

/* ---- constants ---- */

static void add_numbers(const ln_c_writer *w, const double *value, int count) {
    for (int k = 0; k < count; k++) {
        ln_text_add(w->out, k == 0 ? "" : k % 8 == 0 ? ",\n    " : ", ");
        ln_c_number(w, value[k]);
    }
}

static void add_method(const ln_c_writer *w) {
    const ln_tableau *tableau = ln_tableau_find(w->request->settings->method->name);
    if (tableau == NULL)
        return; /* of a network */
    ln_text_add(w->out,
                "# the method: of each later stage the rate that leads to it, how far, and when; "
                "the weights\n_STAGES = [");
    for (int s = 1; s < tableau->stages; s++) {
        int from = 0;
        while (from < s - 1 && tableau->a[s][from] == 0.0)
            from++;
        ln_text_printf(w->out, "%s(%d, ", s > 1 ? ", " : "", from);
        ln_c_number(w, tableau->a[s][from]);
        ln_text_add(w->out, ", ");
        ln_c_number(w, tableau->c[s]);
        ln_text_add(w->out, ")");
    }
    ln_text_add(w->out, "]\n_B = [");
    add_numbers(w, tableau->b, tableau->stages);
    ln_text_add(w->out, "]\n");
}

static void add_tables(const ln_c_writer *w, const ln_program *program, char *done) {
    for (int k = 0; program != NULL && k < program->ntables; k++) {
        const ln_program_table *table = &program->table[k];
        if (done[table->first])
            continue;
        done[table->first] = 1;
        ln_text_printf(w->out, "table_%d = [", table->first);
        add_numbers(w, w->plan->diagram.parameters + table->first, 2 * table->points);
        ln_text_add(w->out, "]\n");
    }
}

static void add_constants(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    char *done = LN_NEW(plan->arena, char, plan->diagram.nparameters + 1);
    if (done == NULL) {
        w->out->failed = 1;
        return;
    }
    ln_text_add(w->out, "STEP = ");
    ln_c_number(w, w->request->settings->step);
    ln_text_add(w->out, "  # the step that the code was made for, s\nBEGIN = ");
    ln_c_number(w, w->request->settings->begin);
    ln_text_add(
        w->out,
        "\n# how a call ended; after any status but OK and ENDED the states are those before\n");
    for (int k = 0; k < LN_C_STATUSES; k++)
        ln_text_printf(w->out, "%s = %d  # %s\n", ln_c_statuses[k].name, k, ln_c_statuses[k].doc);
    ln_text_add(w->out, "_SAID = [");
    for (int k = 0; k < LN_C_STATUSES; k++)
        ln_text_printf(w->out, "%s\"%s\"", k > 0 ? ",\n    " : "", ln_c_statuses[k].doc);
    ln_text_add(w->out, "]\n");
    for (int k = 0; k < plan->nmemories; k++) {
        ln_text_add(w->out, "MEM_");
        ln_member_print(&plan->memories, plan->memory[k], w->out);
        ln_text_printf(w->out, " = %d\n", k);
    }
    ln_text_add(w->out, "_START_MEMORIES = [");
    add_numbers(w, plan->start_memory, plan->nmemories);
    ln_text_printf(w->out, "]\n_COUNT = %d  # states\n_READS_BEFORE = %s\n", plan->diagram.nstates,
                   plan->reads_before ? "True" : "False");
    add_event_tables(w);
    add_delays(w);
    add_method(w);
    for (int k = 0; k < ln_plan_nprograms(plan); k++)
        add_tables(w, ln_plan_program(plan, k), done);
}

/* ---- the start ---- */

static void add_start(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    ln_text_add(w->out, "\n\ndef _start(model):\n");
    ln_c_start_values(w);
    if (plan->implicit != NULL)
        ln_python_start_signals(w);
    for (int k = 0; k < plan->nenables; k++)
        ln_c_value(w, "enable_states", &plan->enable_states, plan->enable[k].member, 1);
    ln_text_add(w->out, "    return model\n");
}

/* The states as a list, and back; which components are on. */
static void add_lists(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    ln_text_add(w->out, "\n\ndef _values(states):\n    return [");
    for (int k = 0; k < plan->diagram.nstates; k++) {
        ln_text_add(w->out, k > 0 ? ", states." : "states.");
        ln_member_print(&plan->states, plan->member[plan->diagram.state[k]], w->out);
    }
    ln_text_add(w->out, "]\n\n\ndef _put(states, values):\n");
    for (int k = 0; k < plan->diagram.nstates; k++) {
        ln_text_add(w->out, "    states.");
        ln_member_print(&plan->states, plan->member[plan->diagram.state[k]], w->out);
        ln_text_printf(w->out, " = values[%d]\n", k);
    }
    ln_text_add(w->out, "    return states\n\n\ndef _enable(enabled, signals, states):\n");
    for (int k = 0; k < plan->nenables; k++) {
        ln_text_add(w->out, "    enabled.");
        ln_member_print(&plan->enable_states, plan->enable[k].member, w->out);
        for (int i = 0; i < plan->enable[k].count; i++) {
            ln_text unknown = {0};
            ln_text_add(w->out, i > 0 ? " and " : " = int(");
            ln_c_unknown(w, &unknown, plan->enable[k].unknown[i]);
            ln_python_text(w, &unknown);
            ln_text_add(w->out, " > 0.5");
            ln_text_free(&unknown);
        }
        ln_text_add(w->out, ")\n");
    }
    ln_text_add(w->out, "    return enabled\n");
}

/* ---- the file ---- */

static void add_diagram(ln_c_writer *w) {
    for (int k = 0; k < w->plan->nloops; k++)
        add_loop(w, k);
    add_signals(w, 1);
    add_signals(w, 0);
    add_part(w, "\n\ndef _rates_of(at, signals, rates):\n", &w->plan->rates,
             (ln_c_into){"rates->", "", &w->plan->states, w->plan->member}, 0,
             "    return rates\n");
}

static void add_ranges(ln_c_writer *w) {
    ln_text body = {0};
    ln_c_asserts(w, &body);
    ln_text_add(w->out, "\n\ndef _are_in_range(parameters):\n");
    ln_python_text(w, &body);
    ln_text_add(w->out, "    return (\n        ");
    ln_c_bounds(w);
    ln_text_add(w->out, "\n    )\n");
    ln_text_free(&body);
}

/* No text of the model stands in a string. */
static void add_head(const ln_c_writer *w) {
    ln_text_add(w->out, "# ");
    ln_c_origin(w);
    ln_text_add(w->out, "\n");
    ln_c_add(w, "\"\"\"A model that is computed step by step, without packages:\n\n"
                "    import $N\n\n"
                "    model = $N.Model()\n"
                "    while model.step() == $N.OK:\n"
                "        ... model.outputs ...\n\n");
    ln_c_add(w, w->plan->implicit != NULL
                    ? "A step reads model.inputs, moves the model on by STEP and writes "
                      "model.outputs as they are at its end.\n"
                    : "A step reads model.inputs, writes model.outputs as they are at model.time "
                      "and moves states and time on\nby model.dt, which is STEP unless Model(dt) "
                      "gives another.\n");
    ln_c_add(w, "As a program: python3 $N.py [-t end] [-i inputs.csv] [-o outputs.csv]\n\"\"\"\n"
                "import copy\nimport csv\nimport math\nimport os\nimport struct\nimport sys\n\n");
}

void ln_python_source(ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    add_head(w);
    add_constants(w);
    ln_text_add(w->out, "\n\n");
    ln_text_add(w->out, ln_c_embedded("runtime.py"));
    static const char *const of_networks[] = {"devices.py", "equations.py", "network.py"};
    for (size_t k = 0; plan->implicit != NULL && k < sizeof of_networks / sizeof *of_networks;
         k++) {
        if (plan->implicit->ndevices == 0 && strcmp(of_networks[k], "equations.py") == 0)
            continue;
        ln_text_add(w->out, "\n\n");
        ln_text_add(w->out, ln_c_embedded(of_networks[k]));
    }
    add_struct(w, "Inputs", &plan->inputs);
    add_struct(w, "Outputs", &plan->outputs);
    add_struct(w, "Signals", &plan->signals);
    add_struct(w, "States", &plan->states);
    add_struct(w, "Parameters", &plan->parameters);
    add_struct(w, "EnableStates", &plan->enable_states);
    if (plan->implicit != NULL)
        ln_python_network(w);
    else
        add_diagram(w);
    add_outputs(w);
    add_ranges(w);
    add_list(w, "_delayed", &plan->remembered, plan->ndelays);
    add_list(w, "_changing", &plan->changing, plan->nchanges);
    add_events(w);
    add_lists(w);
    add_start(w);
    ln_python_program(w);
}
