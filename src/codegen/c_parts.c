/* SPDX-License-Identifier: MIT */
/* The parts of NAME.c that a block diagram and a physical network have in common: outputs, start
 * values, ranges of parameters, enabled components, tables. */
#include "codegen/c_writer.h"
#include "base/text.h"

#include <math.h>

/* ---- functions of the file ---- */

void ln_c_function(ln_c_writer *w, const char *head, const char *unused, ln_text *body,
                   const char *end) {
    ln_c_add(w, head);
    ln_c_locals(w);
    if (unused != NULL)
        ln_c_add(w, unused);
    if (body->data != NULL)
        ln_text_add(w->out, body->data);
    ln_c_add(w, end);
    if (body->failed)
        w->out->failed = 1;
    w->uses_time |= (w->reads & (LN_READS_TIME | LN_READS_DECIDE | LN_READS_DELAY_LINES)) != 0;
    ln_text_free(body);
    *body = (ln_text){0};
}

void ln_c_add_cost(ln_code_cost *sum, const ln_code_cost *now, const ln_code_cost *before,
                   long times) {
    sum->operations += times * (now->operations - before->operations);
    sum->calls += times * (now->calls - before->calls);
}

/* ---- outputs ---- */

/* Every output is finite; in a network those that are signals have been looked at. */
static void add_check(const ln_c_writer *w, ln_text *body) {
    const ln_plan *plan = w->plan;
    const ln_program *program = plan->observed.program;
    int count = 0;
    for (int k = 0; k < plan->noutputs; k++) {
        const int first = program->registers - program->nbody;
        if (plan->implicit != NULL && program->output[k] < first)
            continue;
        ln_text_add(body, count++ > 0 ? " || " : "    if (");
        ln_text_add(body, "!isfinite(outputs->");
        ln_member_print(&plan->outputs, plan->output[k], body);
        ln_text_add(body, ")");
    }
    if (count > 0)
        ln_text_printf(body, ")\n        return %s_NOT_FINITE;\n", w->upper);
    ln_text_printf(body, "    return %s_OK;\n", w->upper);
}

void ln_c_outputs(ln_c_writer *w) {
    ln_text body = {0};
    const ln_code_cost before = w->cost;
    w->reads = 0;
    w->into = (ln_c_into){"outputs->", "", &w->plan->outputs, w->plan->output};
    ln_c_part(w, &w->plan->observed, 1, &body);
    ln_c_add_cost(&w->step, &w->cost, &before, 1);
    const int reads_signals = (w->reads & LN_READS_SIGNALS) != 0;
    add_check(w, &body);
    ln_c_function(w,
                  "\n/* What the model records. */\n"
                  "static $N_status_t outputs_of(const at_t *at, const $N_signals_t *signals, "
                  "$N_outputs_t *outputs) {\n",
                  w->part->program == NULL ? "    (void)signals;\n    outputs->unused = 0;\n"
                  : reads_signals          ? NULL
                                           : "    (void)signals;\n",
                  &body, "}\n");
}

/* ---- the start ---- */

void ln_c_value(const ln_c_writer *w, const char *what, const ln_fields *fields, ln_member member,
                double value) {
    const int is_python = w->language == LN_PYTHON;
    if (value == 0.0 && !signbit(value))
        return; /* members begin at zero */
    ln_text_printf(w->out, is_python ? "    model.%s." : "    model->%s.", what);
    ln_member_print(fields, member, w->out);
    ln_text_add(w->out, " = ");
    ln_c_number(w, value);
    ln_text_add(w->out, is_python ? "\n" : ";\n");
}

void ln_c_start_values(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    for (int k = 0; k < plan->ninputs; k++)
        ln_c_value(w, "inputs", &plan->inputs, plan->input[k], plan->input_value[k]);
    for (int k = 0; k < plan->nparameters; k++)
        ln_c_value(w, "parameters", &plan->parameters, plan->parameter[k].member,
                   plan->parameter[k].value);
    for (int k = 0; k < plan->diagram.nstates; k++) {
        const int u = plan->diagram.state[k];
        ln_c_value(w, "states", &plan->states, plan->member[u], plan->start[u]);
    }
    for (int k = 0; k < plan->nloops; k++)
        for (int i = 0; i < plan->loops[k].count; i++) {
            const int u = plan->loops[k].unknown[i];
            ln_c_value(w, "signals", &plan->signals, plan->member[u], plan->start[u]);
        }
}

/* ---- ranges of parameters ---- */

/* Has the parameter a range? One that is absent, NaN or, as the period beside a clock, a default
 * beyond its range, is left alone: what is given has been checked. */
static int has_range(const ln_plan_parameter *p) {
    const double min = p->param->min, max = p->param->max;
    return (isfinite(min) || isfinite(max)) &&
           (p->param->flags & LINNET_OPEN_MIN ? p->value > min : p->value >= min) &&
           (p->param->flags & LINNET_OPEN_MAX ? p->value < max : p->value <= max);
}

static int has_ranges(const ln_plan *plan) {
    int any = plan->asserts.program != NULL;
    for (int k = 0; k < plan->nparameters; k++)
        any |= has_range(&plan->parameter[k]);
    return any;
}

/* "parameters->x > 0.0", behind "return " or "&&". */
static void add_bound(const ln_c_writer *w, int k, const char *sign, double bound, int *any) {
    const char *dot = w->language == LN_PYTHON ? "." : "->";
    const char *and = w->language == LN_PYTHON ? "\n        and " : " &&\n           ";
    ln_text_printf(w->out, "%sparameters%s", (*any)++ ? and : "", dot);
    ln_member_print(&w->plan->parameters, w->plan->parameter[k].member, w->out);
    ln_text_add(w->out, sign);
    ln_c_number(w, bound);
}

void ln_c_bounds(const ln_c_writer *w) {
    int any = 0;
    for (int k = 0; k < w->plan->nparameters; k++) {
        const ln_plan_parameter *p = &w->plan->parameter[k];
        if (!has_range(p))
            continue;
        if (isfinite(p->param->min))
            add_bound(w, k, p->param->flags & LINNET_OPEN_MIN ? " > " : " >= ", p->param->min,
                      &any);
        if (isfinite(p->param->max))
            add_bound(w, k, p->param->flags & LINNET_OPEN_MAX ? " < " : " <= ", p->param->max,
                      &any);
    }
    if (!any)
        ln_text_add(w->out, w->language == LN_PYTHON ? "True" : "1");
}

static void end_unless(void *context, ln_text *out, int output, const char *value) {
    const ln_c_writer *w = context;
    const ln_plan_event *asserted = &w->plan->asserted[w->part->target[output]];
    ln_text_printf(out,
                   w->language == LN_PYTHON ? "    if %s:\n        return False  # "
                                            : "    if (%s) return 0; /* ",
                   value);
    ln_comment_text(out, asserted->block->name);
    if (asserted->event->name != NULL) {
        ln_text_add(out, ": ");
        ln_comment_text(out, asserted->event->name);
    }
    ln_text_add(out, w->language == LN_PYTHON ? "\n" : " */\n");
}

void ln_c_asserts(ln_c_writer *w, ln_text *body) {
    const ln_c_target target = {end_unless, NULL, 1, 0};
    w->part = &w->plan->asserts;
    if (w->part->program != NULL)
        ln_c_program(w, w->part->program, &target, body);
}

void ln_c_ranges(ln_c_writer *w) {
    ln_text body = {0};
    if (!has_ranges(w->plan))
        return;
    ln_c_asserts(w, &body);
    ln_c_add(w, "\n/* Is every parameter in the range that its block allows? */\n"
                "static int are_in_range(const $N_parameters_t *parameters) {\n");
    if (body.data != NULL)
        ln_text_add(w->out, body.data);
    w->out->failed |= body.failed;
    ln_text_add(w->out, "    return ");
    ln_c_bounds(w);
    ln_text_add(w->out, ";\n}\n");
    ln_text_free(&body);
}

void ln_c_check_ranges(const ln_c_writer *w) {
    if (has_ranges(w->plan))
        ln_c_add(w, "    if (!are_in_range(&model->parameters)) return $U_OUT_OF_RANGE;\n");
}

static void start_memories(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    for (int k = 0; k < plan->nmemories; k++) {
        if (plan->start_memory[k] == 0.0 && !signbit(plan->start_memory[k]))
            continue;
        ln_text_add(w->out, "    model->memories.value[MEM_");
        ln_member_print(&plan->memories, plan->memory[k], w->out);
        ln_text_add(w->out, "] = ");
        ln_c_number(w, plan->start_memory[k]);
        ln_text_add(w->out, ";\n");
    }
}

void ln_c_begin_init(const ln_c_writer *w) {
    ln_c_add(w, w->plan->implicit != NULL
                    ? "\nvoid $N_init($N_t *model) {\n    memset(model, 0, sizeof *model);\n"
                      "    model->dt = $U_STEP;\n"
                    : "\nvoid $N_init($N_t *model, $R dt) {\n    memset(model, 0, sizeof "
                      "*model);\n    model->dt = dt;\n");
    ln_c_add(w, "    model->begin = model->time = ");
    ln_c_number(w, w->request->settings->begin);
    ln_text_add(w->out, ";\n");
    ln_c_start_values(w);
    start_memories(w);
    ln_c_start_delay_lines(w);
}

/* ---- enabled components ---- */

/* The comparison is that of blocks/enable.c. */
void ln_c_enable_states(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    if (plan->nenables == 0)
        return;
    ln_c_add(w, "\nvoid $N_evaluate_enable_states($N_t *model) {\n");
    for (int k = 0; k < plan->nenables; k++) {
        ln_text_add(w->out, "    model->enable_states.");
        ln_member_print(&plan->enable_states, plan->enable[k].member, w->out);
        for (int i = 0; i < plan->enable[k].count; i++) {
            ln_text_add(w->out, i > 0 ? " && " : " = ");
            ln_c_number(w, 0.5);
            ln_text_add(w->out, " < model->");
            ln_c_owned(w, w->out, plan->enable[k].unknown[i]);
        }
        ln_text_add(w->out, ";\n");
    }
    ln_text_add(w->out, "}\n");
}

/* ---- tables ---- */

/* The tables that a program looks up, once each. */
static void add_tables(const ln_c_writer *w, const ln_program *program, char *done) {
    for (int k = 0; program != NULL && k < program->ntables; k++) {
        const ln_program_table *table = &program->table[k];
        if (done[table->first])
            continue;
        done[table->first] = 1;
        ln_text_printf(w->out, "\nstatic const double table_%d[] = {", table->first);
        for (int i = 0; i < 2 * table->points; i++) {
            ln_text_add(w->out, i % 6 == 0 ? "\n    " : " ");
            ln_code_number(LN_C_DOUBLE, w->out, w->plan->diagram.parameters[table->first + i]);
            ln_text_add(w->out, ",");
        }
        ln_text_add(w->out, "\n};\n");
    }
}

void ln_c_tables(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    char *done = LN_NEW(plan->arena, char, plan->diagram.nparameters + 1);
    if (done == NULL) {
        w->out->failed = 1;
        return;
    }
    for (int k = 0; k < ln_plan_nprograms(plan); k++)
        add_tables(w, ln_plan_program(plan, k), done);
}
