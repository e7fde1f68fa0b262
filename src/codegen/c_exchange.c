/* SPDX-License-Identifier: MIT */
/* What a program needs that integrates the states of a diagram itself (model exchange): rates and
 * outputs where it has put time and states, indicators that turn negative where a condition
 * changes, what happens at an event, and when time alone makes the next one. */
#include "codegen/c_writer.h"
#include "base/text.h"

void ln_c_exchange_prototypes(const ln_c_writer *w) {
    ln_c_add(w, "\n/* For a program that integrates the states itself. Between events conditions "
                "on time alone are decided at\n"
                " * `decide`, a time within the stretch from one such event to the next. */\n\n"
                "/* Signals, outputs and rates at model->time, and how far each condition is from "
                "changing. */\n"
                "$N_status_t $N_observe($N_t *model, $R decide, $N_states_t *rates, $R "
                "*indicators);\n"
                "\n/* Before the events at a time: keeps what pre() reads. */\n"
                "$N_status_t $N_leave($N_t *model, $R decide);\n"
                "\n/* What happens at the time; decide: after it. */\n"
                "$N_status_t $N_happen($N_t *model, $R decide);\n"
                "\n/* When time alone changes a condition next; INFINITY. */\n"
                "$R $N_next_time(const $N_t *model);\n");
}

/* ---- programs ---- */

static void assign_indicator(void *context, ln_text *out, int output, const char *value) {
    const ln_c_writer *w = context;
    ln_text_printf(out, "    indicators[%d] = %s;\n", w->part->target[output], value);
}

static void assign_breakpoint(void *context, ln_text *out, int output, const char *value) {
    const ln_c_writer *w = context;
    ln_text_printf(out, "    breakpoints[%d] = %s;\n", w->part->target[output], value);
}

/* A function that fills an array from the statements of a part. */
static void add_part(ln_c_writer *w, const ln_plan_part *part, const ln_c_target *target,
                     const char *head) {
    ln_text body = {0};
    w->reads = 0;
    w->part = part;
    if (part->program != NULL)
        ln_c_program(w, part->program, target, &body);
    ln_c_add(w, head);
    ln_c_locals(w);
    if (!(w->reads & LN_READS_SIGNALS))
        ln_c_add(w, "    (void)signals;\n");
    ln_text_add(w->out, body.data != NULL ? body.data : "");
    if (body.failed)
        w->out->failed = 1;
    ln_text_free(&body);
}

/* A guard without a value belongs to a condition that is not reached now (blocks/hybrid.c). */
static void add_indicators(ln_c_writer *w) {
    const ln_c_target target = {assign_indicator, NULL, 0, 0};
    const int count = w->plan->guards.program != NULL ? w->plan->guards.program->noutputs : 0;
    if (count == 0)
        return;
    add_part(w, &w->plan->guards, &target,
             "\n/* How far each condition is from changing; negative where it has. */\n"
             "static void indicators_of(const at_t *at, const $N_signals_t *signals, $R "
             "*indicators) {\n");
    ln_text_printf(w->out,
                   "    for (int k = 0; k < %d; k++)\n        if (isnan(indicators[k])) "
                   "indicators[k] = ",
                   count);
    ln_c_number(w, 1.0);
    ln_text_add(w->out, ";\n}\n");
}

static void add_breakpoint_table(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    ln_c_add(w, "\nstatic const struct {\n    int kind, points;\n    const double *table;\n} "
                "breakpoint_kinds[] = {");
    for (int k = 0; k < plan->nbreakpoints; k++) {
        const ln_plan_breakpoint *breakpoint = &plan->breakpoint[k];
        const int has_table = breakpoint->kind == LN_BREAKPOINT_TABLE;
        ln_text_printf(w->out, "%s{%d, %d, ", k > 0 ? ", " : "", (int)breakpoint->kind,
                       has_table ? breakpoint->points : 0);
        if (has_table)
            ln_c_table(NULL, w->out, breakpoint->table);
        else
            ln_text_add(w->out, "0");
        ln_text_add(w->out, "}");
    }
    ln_text_add(w->out, "};\n");
}

/* As ln_breakpoints_next(): each is looked for before the earliest of those in front of it. */
static void add_next_time(ln_c_writer *w) {
    const ln_c_target target = {assign_breakpoint, NULL, 0, 0};
    const int count = w->plan->nbreakpoints;
    if (count == 0) {
        ln_c_add(w, "\n$R $N_next_time(const $N_t *model) {\n    (void)model;\n    return "
                    "($R)INFINITY;\n}\n");
        return;
    }
    add_breakpoint_table(w);
    add_part(
        w, &w->plan->breakpoints, &target,
        "\n/* Conditions on time alone, as functions of time: scale and shift of each. */\n"
        "static void breakpoints_of(const at_t *at, const $N_signals_t *signals, $R *breakpoints) "
        "{\n");
    ln_c_add(w, "}\n\n$R $N_next_time(const $N_t *model) {\n"
                "    $R next = ($R)INFINITY;\n"
                "    const $R t = model->time;\n");
    ln_text_printf(w->out, "    for (int k = 0; k < %d; k++) {\n        double breakpoints[%d];\n",
                   count, 2 * count);
    ln_c_add(w, "        const $R between = isfinite(next) ? t + 0.5 * (next - t) : t + fmax(1.0, "
                "fabs(t));\n"
                "        at_t at = place_of(model, between);\n"
                "        at.t = between;\n"
                "        breakpoints_of(&at, &model->signals, breakpoints);\n"
                "        const $R found = linnet_next_breakpoint(breakpoint_kinds[k].kind, "
                "breakpoints[2 * k], "
                "breakpoints[2 * k + 1],\n"
                "            breakpoint_kinds[k].table, breakpoint_kinds[k].points, t);\n"
                "        if (found < next) next = found;\n"
                "    }\n"
                "    return next;\n}\n");
}

/* ---- functions ---- */

static void add_observe(const ln_c_writer *w) {
    ln_c_add(w, "\n$N_status_t $N_observe($N_t *model, $R decide, $N_states_t *rates, $R "
                "*indicators) {\n"
                "    const at_t at = place_of(model, decide);\n"
                "    $N_status_t status = signals_for_rates(&at, &model->signals);\n"
                "    if (status == $U_OK) status = other_signals(&at, &model->signals);\n"
                "    if (status == $U_OK) status = outputs_of(&at, &model->signals, "
                "&model->outputs);\n"
                "    if (status != $U_OK) return status;\n"
                "    rates_of(&at, &model->signals, rates);\n");
    ln_c_add(w, w->plan->guards.program != NULL
                    ? "    indicators_of(&at, &model->signals, indicators);\n"
                    : "    (void)indicators;\n");
    ln_c_add(w, "    return $U_OK;\n}\n");
}

static void add_events(const ln_c_writer *w) {
    const int is_hybrid = w->plan->nmemories > 0 || w->plan->nevents > 0;
    ln_c_add(w, "\n$N_status_t $N_leave($N_t *model, $R decide) {\n");
    ln_c_add(w, w->plan->reads_before
                    ? "    const at_t at = place_of(model, decide);\n"
                      "    $N_status_t status = signals_for_rates(&at, &model->signals);\n"
                      "    if (status == $U_OK) status = other_signals(&at, &model->signals);\n"
                      "    model->memories.before = model->signals;\n"
                      "    return status;\n}\n"
                    : "    (void)model, (void)decide;\n    return $U_OK;\n}\n");
    ln_c_add(w, "\n$N_status_t $N_happen($N_t *model, $R decide) {\n");
    ln_c_add(w, is_hybrid ? "    const at_t at = place_of(model, decide);\n"
                            "    return boundary(model, &at);\n}\n"
                          : "    (void)model, (void)decide;\n    return $U_OK;\n}\n");
}

void ln_c_exchange(ln_c_writer *w) {
    add_indicators(w);
    add_observe(w);
    add_events(w);
    add_next_time(w);
}
