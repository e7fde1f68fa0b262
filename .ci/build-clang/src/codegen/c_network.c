/* SPDX-License-Identifier: MIT */
/* NAME.c of a physical network: Newton's method on the unrolled elimination, and the step of
 * backward Euler or Crank-Nicolson around it (network_plan.h). */
#include "codegen/c_writer.h"

#include <string.h>

static const ln_network_plan *plan_of(const ln_c_writer *w) {
    return w->plan->implicit;
}

static int is_average(const ln_c_writer *w) {
    return strcmp(w->request->settings->method->name, "crank-nicolson") == 0;
}

/* ---- programs ---- */

static void assign_update(void *context, ln_text *out, int output, const char *value) {
    const ln_c_writer *w = context;
    ln_text_add(out, "    update->");
    ln_member_print(&w->plan->signals, w->plan->member[w->part->target[output]], out);
    ln_text_printf(out, " = %s;\n", value);
}

static int name_update(void *context, ln_text *out, int output) {
    const ln_c_writer *w = context;
    ln_text_add(out, "update->");
    ln_member_print(&w->plan->signals, w->plan->member[w->part->target[output]], out);
    return 1;
}

static void assign_rate(void *context, ln_text *out, int output, const char *value) {
    const ln_c_writer *w = context;
    ln_text_printf(out, "    after[%d] = %s;\n", w->part->target[output], value);
}

static void assign_edge(void *context, ln_text *out, int output, const char *value) {
    const ln_c_writer *w = context;
    ln_text_printf(out, "    edges[%d] = %s;\n", w->part->target[output], value);
}

/* A function around the statements of a part. */
static void add_part(ln_c_writer *w, const ln_plan_part *part, const ln_c_target *target,
                     const char *head) {
    ln_text body = {0};
    w->reads = 0;
    w->part = part;
    ln_c_program(w, part->program, target, &body);
    ln_c_add(w, head);
    ln_c_locals(w);
    if (strstr(head, "*signals") != NULL && !(w->reads & LN_READS_SIGNALS))
        ln_c_add(w, "    (void)signals;\n");
    if (body.data != NULL)
        ln_text_add(w->out, body.data);
    if (body.failed)
        w->out->failed = 1;
    ln_text_add(w->out, "}\n");
    ln_text_free(&body);
}

static void add_update(ln_c_writer *w) {
    const ln_c_target target = {assign_update, name_update, 0};
    const ln_code_cost before = w->cost;
    add_part(
        w, &plan_of(w)->update, &target,
        "\n/* Newton's update: the inverse of the Jacobian times the residual, its elimination "
        "written out. */\n"
        "static void update_of(const at_t *at, const $N_signals_t *signals, "
        "$N_signals_t *update) {\n");
    w->iteration.operations = w->cost.operations - before.operations + 4L * w->plan->diagram.n;
    w->iteration.calls = w->cost.calls - before.calls;
}

static void add_rates(ln_c_writer *w) {
    const ln_c_target target = {assign_rate, NULL, 0};
    const ln_code_cost before = w->cost;
    if (!is_average(w) || plan_of(w)->nrates == 0)
        return;
    add_part(w, &plan_of(w)->rates, &target,
             "\n/* What flows into the stores after a step. */\n"
             "static void rates_of(const at_t *at, const $N_signals_t *signals, $R *after) {\n");
    w->step.operations += w->cost.operations - before.operations;
    w->step.calls += w->cost.calls - before.calls;
}

static void add_edges(ln_c_writer *w) {
    const ln_c_target target = {assign_edge, NULL, 0};
    if (is_average(w) && plan_of(w)->nedges > 0)
        add_part(w, &plan_of(w)->edges, &target,
                 "\n/* Equations in which time alone decides something, before a step. */\n"
                 "static void edges_of(const at_t *at, $R *edges) {\n");
}

/* Do the sides of an instant differ by more than rounding? (integrate/instant.c) */
static void add_differ(const ln_c_writer *w) {
    const char *size = w->language == LN_C_FLOAT ? "fabsf" : "fabs";
    if (!is_average(w) || plan_of(w)->nedges == 0)
        return;
    ln_c_add(w, "\nstatic int differ($R left, $R right) {\n    return ");
    ln_text_printf(w->out, "%s(left - right) > ", size);
    ln_c_number(w, w->language == LN_C_FLOAT ? 1e-5 : 1e-9);
    ln_text_printf(w->out, " * (%s(left) + %s(right));\n}\n", size, size);
}

/* ---- Newton's method ---- */

/* x less its update; the largest update in units of its tolerance, NaN where one is not finite. */
static void add_apply(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    const int is_float = w->language == LN_C_FLOAT;
    const double relative = is_float ? 1e-4 : 1e-10, absolute = is_float ? 1e-2 : 1e-8;
    ln_c_add(w, "\nstatic void take($R *x, $R update, $R tolerance, $R *largest) {\n"
                "    *x -= update;\n");
    ln_text_printf(w->out, "    const %s size = %s(update) / (", w->real,
                   is_float ? "fabsf" : "fabs");
    ln_c_number(w, relative);
    ln_text_printf(w->out, " * %s(*x) + tolerance);\n", is_float ? "fabsf" : "fabs");
    ln_c_add(w, "    if (!(size <= *largest)) *largest = size;\n}\n"
                "\n/* x less its update; the largest update in units of its tolerance. */\n"
                "static $R apply($N_signals_t *signals, const $N_signals_t *update) {\n"
                "    $R largest = ");
    ln_c_number(w, 0.0);
    ln_text_add(w->out, ";\n");
    for (int u = 0; u < plan->diagram.n; u++) {
        ln_text_add(w->out, "    take(&signals->");
        ln_member_print(&plan->signals, plan->member[u], w->out);
        ln_text_add(w->out, ", update->");
        ln_member_print(&plan->signals, plan->member[u], w->out);
        ln_text_add(w->out, ", ");
        ln_c_number(w, absolute * w->request->system->abstol[u]);
        ln_text_add(w->out, ", &largest);\n");
    }
    ln_text_add(w->out, "    return largest;\n}\n");
}

static void add_solve(const ln_c_writer *w) {
    ln_c_add(w, "\n/* Newton's method from the values that the signals have. */\n"
                "static $N_status_t solve(const at_t *at, $N_signals_t *signals) {\n"
                "    $N_signals_t update;\n");
    if (plan_of(w)->linear) { /* one update is exact */
        ln_c_add(w, "    update_of(at, signals, &update);\n"
                    "    return isfinite(apply(signals, &update)) ? $U_OK : $U_NOT_FINITE;\n}\n");
        return;
    }
    ln_text_printf(w->out, "    for (int k = 0; k < %d; k++) {\n", LN_MOST_ITERATIONS);
    ln_c_add(w, "        update_of(at, signals, &update);\n"
                "        const $R change = apply(signals, &update);\n"
                "        if (!isfinite(change)) return $U_NOT_FINITE;\n"
                "        if (change <= ");
    ln_c_number(w, 1.0);
    ln_c_add(w, ") return $U_OK;\n    }\n    return $U_NO_CONVERGENCE;\n}\n");
}

/* ---- the step ---- */

static void add_at(const ln_c_writer *w) {
    ln_c_add(w,
             "\n/* Where the network is solved. Conditions on time alone are decided in the middle "
             "of the step. */\n"
             "typedef struct at_t {\n    $R t, decide;\n    const $N_inputs_t *inputs;\n"
             "    const $N_signals_t *before; /* at the beginning of the step */\n"
             "    const $R *rates;            /* then; 0: backward Euler */\n} at_t;\n");
}

static int has_rates(const ln_c_writer *w) {
    return is_average(w) && plan_of(w)->nrates > 0;
}

static void add_init(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    ln_c_add(w, "\nvoid $N_init($N_t *model) {\n    memset(model, 0, sizeof *model);\n"
                "    model->dt = $U_STEP;\n    model->begin = model->time = ");
    ln_c_number(w, w->request->settings->begin);
    ln_text_add(w->out, ";\n");
    for (int k = 0; k < plan->ninputs; k++)
        ln_c_value(w, "inputs", &plan->inputs, plan->input[k], plan->input_value[k]);
    for (int u = 0; u < plan->diagram.n; u++)
        ln_c_value(w, "signals", &plan->signals, plan->member[u], plan->start[u]);
    for (int k = 0; has_rates(w) && k < plan_of(w)->nrates; k++) {
        if (plan_of(w)->start_rates[k] == 0.0)
            continue;
        ln_text_printf(w->out, "    model->states.rates[%d] = ", k);
        ln_c_number(w, plan_of(w)->start_rates[k]);
        ln_text_add(w->out, ";\n");
    }
    ln_c_add(w,
             "    const $N_signals_t *const x = &model->signals;\n"
             "    const at_t at = {model->time, model->time + model->dt / 2, &model->inputs, x, ");
    ln_c_add(w, has_rates(w) ? "model->states.rates};\n" : "0};\n");
    if (is_average(w)) {
        ln_c_add(w, "    model->states.inputs = model->inputs;\n");
        if (w->damps)
            ln_c_add(w, "    model->states.jumped = 1; /* the start is far from rest */\n");
    }
    ln_c_add(w, "    (void)outputs_of(&at, x, &model->outputs);\n}\n");
}

/* Without a jump one step of the method, else two halves of backward Euler, which share its matrix
 * and damp what Crank-Nicolson would carry on. */
static void add_average(const ln_c_writer *w) {
    const int rates = plan_of(w)->nrates, edges = plan_of(w)->nedges;
    ln_text_printf(w->out,
                   "    static const %s none[%d] = {0};\n    int jumped = model->states.jumped;\n",
                   w->real, rates > 0 ? rates : 1);
    ln_c_add(w, "    jumped |= memcmp(&model->states.inputs, &model->inputs, sizeof model->inputs) "
                "!= 0;\n");
    if (edges > 0) {
        ln_text_printf(w->out, "    %s left[%d], right[%d];\n", w->real, edges, edges);
        ln_c_add(w, "    at.t = t;\n    edges_of(&at, right);\n"
                    "    at.decide = t - (next - t) / 2;\n    edges_of(&at, left);\n"
                    "    at.t = next;\n    at.decide = t + (next - t) / 2;\n");
        ln_text_printf(w->out,
                       "    for (int k = 0; k < %d && model->steps > 0; k++) jumped |= "
                       "differ(left[k], right[k]);\n",
                       edges);
    }
    ln_c_add(w, "    $N_signals_t half;\n    at.rates = ");
    ln_c_add(w, rates > 0 ? "model->states.rates;\n" : "none;\n");
    ln_c_add(w, "    if (jumped) {\n"
                "        at.rates = none;\n"
                "        at.t = t + (next - t) / 2;\n"
                "        const $N_status_t first = solve(&at, &x);\n"
                "        if (first != $U_OK) return first;\n"
                "        half = x;\n"
                "        at.before = &half;\n"
                "        at.t = next;\n"
                "    }\n");
}

static void add_step(const ln_c_writer *w) {
    ln_c_add(w, "\n$N_status_t $N_step($N_t *model) {\n"
                "    const $R t = model->time, next = model->begin + ($R)(model->steps + 1) * "
                "$U_STEP;\n"
                "    $N_signals_t x = model->signals;\n"
                "    $N_outputs_t outputs;\n"
                "    at_t at = {next, t + (next - t) / 2, &model->inputs, &model->signals, 0};\n");
    if (is_average(w)) {
        add_average(w);
    } else {
        ln_text_printf(w->out, "    static const %s none[%d] = {0};\n    at.rates = none;\n",
                       w->real, plan_of(w)->nrates > 0 ? plan_of(w)->nrates : 1);
    }
    ln_c_add(w, "    $N_status_t status = solve(&at, &x);\n"
                "    if (status == $U_OK) status = outputs_of(&at, &x, &outputs);\n"
                "    if (status != $U_OK) return status;\n");
    if (has_rates(w)) {
        ln_text_printf(w->out, "    %s rates[%d];\n    rates_of(&at, &x, rates);\n", w->real,
                       plan_of(w)->nrates);
        ln_c_add(w, "    memcpy(model->states.rates, rates, sizeof rates);\n");
    }
    if (is_average(w))
        ln_c_add(w, "    model->states.inputs = model->inputs;\n    model->states.jumped = 0;\n");
    ln_c_add(w, "    model->signals = x;\n    model->outputs = outputs;\n    model->time = next;\n"
                "    model->steps++;\n    return $U_OK;\n}\n");
}

/* ---- the file ---- */

void ln_c_network_states(const ln_c_writer *w) {
    ln_c_add(w, "\n/* What the method remembers. */\ntypedef struct $N_states {\n");
    if (has_rates(w))
        ln_text_printf(w->out, "    %s rates[%d]; /* of what is stored */\n", w->real,
                       plan_of(w)->nrates);
    if (is_average(w))
        ln_c_add(w, "    $N_inputs_t inputs; /* of the last step */\n    int jumped;\n");
    else
        ln_c_add(w, "    int unused;\n");
    ln_c_add(w, "} $N_states_t;\n");
}

void ln_c_network_source(ln_c_writer *w) {
    ln_text *const file = w->out;
    ln_text functions = {0};
    w->out = &functions;
    add_update(w);
    add_rates(w);
    add_edges(w);
    add_differ(w);
    ln_c_outputs(w);
    add_apply(w);
    add_solve(w);
    add_init(w);
    add_step(w);
    w->out = file;
    ln_c_add(w, "/* Made by linnet codegen; do not edit. See $N.h. */\n#include \"$N.h\"\n\n"
                "#include <math.h>\n#include <string.h>\n");
    ln_c_carried(w, file);
    ln_c_tables(w);
    add_at(w);
    if (functions.failed)
        file->failed = 1;
    if (functions.data != NULL)
        ln_text_add(file, functions.data);
    ln_text_free(&functions);
}
