/* SPDX-License-Identifier: MIT */
/* NAME.c: signals, rates and outputs of the diagram, and the functions its user calls. */
#include "codegen/c_writer.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the public functions' arguments ---- */

/* Behind those that every model has stand those that this one needs. */
void ln_c_arguments(const ln_c_writer *w, int algebraic) {
    if (algebraic)
        ln_c_add(w, "const $N_inputs_t *inputs, const $N_states_t *states,\n"
                    "    $N_signals_t *signals, $N_outputs_t *outputs");
    else
        ln_c_add(w, "$R t, const $N_inputs_t *inputs, const $N_signals_t *signals,\n"
                    "    const $N_states_t *states, $N_states_t *rates");
    if (w->plan->nmemories > 0)
        ln_c_add(w, ", const $N_memories_t *memories");
    if (w->plan->nparameters > 0)
        ln_c_add(w, ", const $N_parameters_t *parameters");
    if (w->plan->nlines > 0)
        ln_c_add(w, ", const $N_delay_lines_t *delay_lines");
    if (algebraic && w->uses_time)
        ln_c_add(w, ", $R t");
}

/* ---- signals ---- */

static void call_loops(ln_c_writer *w, ln_text *body, int for_rates) {
    int any = 0;
    for (int k = 0; k < w->plan->nloops; k++) {
        if (w->plan->loops[k].for_rates != for_rates)
            continue;
        ln_text_printf(
            body, "    %sstatus = loop_%d(at, signals);\n    if (status != %s_OK) return status;\n",
            any ? "" : "$", k + 1, w->upper);
        any = 1;
    }
}

static void add_signals(ln_c_writer *w, int for_rates) {
    ln_text body = {0}, loops = {0};
    const ln_code_cost before = w->cost;
    const long stages = for_rates ? w->stages : 1;
    w->reads = 0;
    ln_c_signals(w, for_rates ? &w->plan->needed : &w->plan->rest, &body);
    ln_c_add_cost(&w->step, &w->cost, &before, stages);
    call_loops(w, &loops, for_rates);
    ln_c_add(w, for_rates ? "\n/* Signals on which the states' rates depend. */\nstatic "
                            "$N_status_t signals_for_rates("
                          : "\n/* All other signals. */\nstatic $N_status_t other_signals(");
    ln_c_add(w, "const at_t *at, $N_signals_t *signals) {\n");
    if (body.data == NULL && loops.data == NULL)
        ln_c_add(w, "    (void)signals;\n");
    ln_text whole = {0};
    if (loops.data != NULL) { /* the first assignment declares */
        ln_c_add(w, "");
        ln_text_printf(&whole, "    %s_status_t ", w->name);
        ln_text_add(&whole, loops.data + strlen("    $"));
    }
    if (body.data != NULL)
        ln_text_add(&whole, body.data);
    if (body.failed || loops.failed)
        w->out->failed = 1;
    /* `at` is used by the calls of loops */
    if (loops.data != NULL && w->reads == 0) {
        ln_text_add(w->out, whole.data != NULL ? whole.data : "");
        ln_c_add(w, "    return $U_OK;\n}\n");
        ln_text_free(&whole);
    } else {
        ln_c_function(w, "", NULL, &whole, "    return $U_OK;\n}\n");
    }
    ln_text_free(&body);
    ln_text_free(&loops);
}

/* ---- rates ---- */

static void add_rates(ln_c_writer *w) {
    ln_text body = {0};
    const ln_code_cost before = w->cost;
    w->reads = 0;
    w->into = (ln_c_into){"rates->", "", &w->plan->states, w->plan->member};
    ln_c_part(w, &w->plan->rates, 0, &body);
    ln_c_add_cost(&w->step, &w->cost, &before, w->stages);
    const int reads_signals = (w->reads & LN_READS_SIGNALS) != 0;
    ln_c_function(
        w,
        "\n/* The rates of the states. */\n"
        "static void rates_of(const at_t *at, const $N_signals_t *signals, $N_states_t *rates) {\n",
        w->part->program == NULL ? "    (void)signals;\n    rates->unused = 0;\n"
        : reads_signals          ? NULL
                                 : "    (void)signals;\n",
        &body, "}\n");
}

/* ---- the start ---- */

static void add_init(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    ln_c_begin_init(w);
    for (int k = 0; k < plan->nenables; k++) {
        ln_text_add(w->out, "    model->enable_states.");
        ln_member_print(&plan->enable_states, plan->enable[k].member, w->out);
        ln_text_add(w->out, " = 1;\n");
    }
    ln_text_add(w->out, "}\n");
}

/* ---- the public functions that change nothing ---- */

static void add_public(const ln_c_writer *w) {
    const char *memories = w->plan->nmemories > 0 ? "memories->value" : "";
    ln_c_add(w, "\n$N_status_t $N_evaluate_algebraic(");
    ln_c_arguments(w, 1);
    const char *delay_lines =
        w->plan->nlines > 0 ? ", delay_lines, (t - delay_lines->last) / delay_lines->step" : "";
    ln_text_printf(w->out, ") {\n    const at_t at = {%s, %s, inputs, states%s%s%s%s};\n",
                   w->uses_time ? "t" : "0", w->uses_time ? "t" : "0",
                   memories[0] != '\0' ? ", " : "", memories,
                   w->plan->nparameters > 0 ? ", parameters" : "", delay_lines);
    ln_c_add(w, "    $N_status_t status = signals_for_rates(&at, signals);\n"
                "    if (status == $U_OK) status = other_signals(&at, signals);\n"
                "    return status == $U_OK ? outputs_of(&at, signals, outputs) : status;\n}\n"
                "\nvoid $N_derivatives(");
    ln_c_arguments(w, 0);
    ln_text_printf(w->out,
                   ") {\n    const at_t at = {t, t, inputs, states%s%s%s%s};\n    rates_of(&at, "
                   "signals, rates);\n}\n",
                   memories[0] != '\0' ? ", " : "", memories,
                   w->plan->nparameters > 0 ? ", parameters" : "", delay_lines);
}

/* ---- the file ---- */

static void add_at(const ln_c_writer *w) {
    ln_c_add(w, "\n/* Where the model is evaluated. Conditions on time alone are decided in the "
                "middle of the step. */\n"
                "typedef struct at_t {\n    $R t, decide;\n    const $N_inputs_t *inputs;\n    "
                "const $N_states_t *states;\n");
    if (w->plan->nmemories > 0)
        ln_c_add(w, "    const $R *memories;\n");
    if (w->plan->nparameters > 0)
        ln_c_add(w, "    const $N_parameters_t *parameters;\n");
    if (w->plan->nlines > 0)
        ln_c_add(w, "    const $N_delay_lines_t *delay_lines;\n    $R ahead; /* steps since their "
                    "last sample */\n");
    ln_c_add(w, "} at_t;\n");
    ln_c_recall(w);
}

void ln_c_source(ln_c_writer *w) {
    if (w->plan->implicit != NULL) {
        ln_c_network_source(w);
        return;
    }
    ln_text *const file = w->out;
    ln_text functions = {0};
    w->out = &functions;
    ln_c_loops(w);
    add_signals(w, 1);
    add_signals(w, 0);
    add_rates(w);
    ln_c_outputs(w);
    add_public(w);
    ln_c_hybrid(w);
    add_init(w);
    ln_c_enable_states(w);
    ln_c_remember(w);
    ln_c_step(w);
    if (ln_c_exchanges(w))
        ln_c_exchange(w);
    w->out = file;
    ln_c_add(w, "/* Made by linnet codegen; do not edit. See $N.h. */\n#include "
                "\"$N.h\"\n\n#include <math.h>\n#include <string.h>\n");
    ln_c_carried(w, file);
    ln_c_tables(w);
    ln_c_memories(w);
    add_at(w);
    if (functions.failed)
        file->failed = 1;
    if (functions.data != NULL)
        ln_text_add(file, functions.data);
    ln_text_free(&functions);
}
