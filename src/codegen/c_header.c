/* SPDX-License-Identifier: MIT */
/* NAME.h: what the user of generated code sees. */
#include "base/text.h"
#include "codegen/c_writer.h"

#include <string.h>

static void add_member(const ln_c_writer *w, const char *type, const ln_field *field) {
    ln_text_printf(w->out, "    %s %s", type, field->identifier);
    if (field->rows > 0)
        ln_text_printf(w->out, "[%d]", field->rows);
    if (field->cols > 0)
        ln_text_printf(w->out, "[%d]", field->cols);
    ln_text_add(w->out, ";");
    const int renamed = strcmp(field->name, field->identifier) != 0;
    ln_text about = {0};
    ln_field_about(field, &about);
    if (renamed || about.length > 0) {
        ln_text_add(w->out, " /* ");
        if (renamed)
            ln_comment_text(w->out, field->name);
        if (renamed && about.length > 0)
            ln_text_add(w->out, ": ");
        if (about.length > 0)
            ln_text_add(w->out, about.data);
        ln_text_add(w->out, " */");
    }
    ln_text_free(&about);
    ln_text_add(w->out, "\n");
}

/* A struct; C does not allow an empty one. */
static void add_struct_of(const ln_c_writer *w, const char *type, const char *what, const char *doc,
                          const ln_fields *fields) {
    ln_text_printf(w->out, "\n/* %s */\ntypedef struct %s_%s {\n", doc, w->name, what);
    int count = 0;
    for (size_t k = 0; k < fields->count; k++) {
        if (fields->field[k].hidden)
            continue;
        add_member(w, type, &fields->field[k]);
        count++;
    }
    if (count == 0)
        ln_text_add(w->out, "    int unused;\n");
    ln_text_printf(w->out, "} %s_%s_t;\n", w->name, what);
}

static void add_struct(const ln_c_writer *w, const char *what, const char *doc,
                       const ln_fields *fields) {
    add_struct_of(w, w->real, what, doc, fields);
}

static void add_head(const ln_c_writer *w) {
    const ln_settings *settings = w->request->settings;
    ln_text_add(w->out, "/* ");
    ln_c_origin(w);
    ln_text_add(w->out, " */\n");
    ln_c_add(w, "#ifndef $U_H\n#define $U_H\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    ln_c_add(w, "/* The step that the code was made for, s. */\n#define $U_STEP ");
    ln_c_number(w, settings->step);
    ln_c_add(w,
             "\n\n/* How a call ended. After any status but $U_OK and $U_ENDED the state is that "
             "before the call; `outputs`\n * may hold what is not finite. */\n"
             "typedef enum $N_status {\n");
    for (int k = 0; k < LN_C_STATUSES; k++) {
        ln_c_add(w, "    $U_");
        ln_text_printf(w->out, "%s%s /* %s */\n", ln_c_statuses[k].name,
                       k + 1 < LN_C_STATUSES ? "," : "", ln_c_statuses[k].doc);
    }
    ln_c_add(w, "} $N_status_t;\n");
}

static void add_model(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    if (plan->nmemories > 0 || plan->nevents > 0) {
        ln_c_add(w, "\n/* What changes at boundaries of steps only; for the code's own use. */\n"
                    "typedef struct $N_memories {\n");
        if (plan->nmemories > 0) {
            ln_c_add(w, "    $R value");
            ln_text_printf(w->out, "[%d];\n", plan->nmemories);
            ln_c_add(w, "    $R peak");
            ln_text_printf(w->out, "[%d]; /* the largest each has been */\n", plan->nmemories);
        }
        if (plan->nevents > 0)
            ln_text_printf(w->out,
                           "    unsigned char held[%d]; /* the conditions of events that hold */\n",
                           plan->nevents);
        ln_text_add(w->out, "    int started;\n");
        if (plan->reads_before && plan->implicit == NULL)
            ln_c_add(w, "    $N_signals_t before; /* signals as the last step ended */\n");
        ln_c_add(w, "} $N_memories_t;\n");
    }
    ln_c_delay_lines_struct(w);
    ln_c_changes_struct(w);
    ln_c_add(w,
             plan->implicit == NULL
                 ? "\n/* The model: set `inputs`, call $N_step(), read `outputs`, which belong to "
                   "the time before the step. */\n"
                 : "\n/* The model: set `inputs`, call $N_step(), read `outputs`, which belong to "
                   "the end of the step. */\n");
    ln_c_add(w, "typedef struct $N {\n"
                "    $N_inputs_t inputs;\n"
                "    $N_outputs_t outputs;\n"
                "    $N_signals_t signals;\n"
                "    $N_states_t states;\n");
    if (plan->nparameters > 0)
        ln_c_add(w, "    $N_parameters_t parameters; /* may be changed between steps */\n");
    if (plan->nmemories > 0 || plan->nevents > 0)
        ln_c_add(w, "    $N_memories_t memories;\n");
    if (plan->nenables > 0)
        ln_c_add(w, "    $N_enable_states_t enable_states;\n");
    if (plan->nlines > 0)
        ln_c_add(w, "    $N_delay_lines_t delay_lines;\n");
    if (plan->nchanges > 0)
        ln_c_add(w, "    $N_changes_t changes;\n");
    ln_c_add(w, "    $R begin;                   /* the time at which steps are counted from, s "
                "*/\n"
                "    $R time;                    /* s */\n"
                "    $R dt;                      /* step, s */\n"
                "    unsigned long long steps;       /* taken since the start */\n"
                "} $N_t;\n");
}

static const char enable_prototype[] =
    "\n/* Which enabled components are on, from the signals as they stand; a step does so at its "
    "begin. */\n"
    "void $N_evaluate_enable_states($N_t *model);\n";

static void add_prototypes(const ln_c_writer *w) {
    ln_c_add(w, "\n/* The start: states and memories as in the model, inputs and parameters at "
                "their default. dt: the step, s. */\n"
                "void $N_init($N_t *model, $R dt);\n"
                "\n/* Signals and outputs at a time, from inputs and states; nothing else changes. "
                "signals: on entry the values\n"
                " * near which algebraic loops look for a solution. */\n"
                "$N_status_t $N_evaluate_algebraic(");
    ln_c_arguments(w, 1);
    ln_c_add(w, ");\n\n/* The rates of the states. */\nvoid $N_derivatives(");
    ln_c_arguments(w, 0);
    ln_c_add(w, ");\n\n/* What happens at the time, and signals and outputs there; a step begins "
                "with it. */\n"
                "$N_status_t $N_evaluate($N_t *model);\n"
                "\n/* One step: what happens at the time, outputs there, and the states dt later. "
                "*/\n"
                "$N_status_t $N_step($N_t *model);\n");
    if (w->plan->nenables > 0)
        ln_c_add(w, enable_prototype);
    if (ln_c_exchanges(w))
        ln_c_exchange_prototypes(w);
    ln_c_add(w, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

static void add_network_prototypes(const ln_c_writer *w) {
    ln_c_add(w,
             "\n/* The start, as in the model, with its outputs; inputs at their default. */\n"
             "void $N_init($N_t *model);\n"
             "\n/* One step of $U_STEP with the inputs as they are; outputs belong to its end. */\n"
             "$N_status_t $N_step($N_t *model);\n");
    if (w->plan->implicit->is_hybrid)
        ln_c_add(w, "\n/* What happens at the time, with signals and outputs after it; a step "
                    "begins with it. */\n"
                    "$N_status_t $N_evaluate($N_t *model);\n");
    if (w->plan->nenables > 0)
        ln_c_add(w, enable_prototype);
    ln_c_add(w, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}

void ln_c_header(ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    add_head(w);
    add_struct(w, "inputs", "From outside; constant during a step.", &plan->inputs);
    add_struct(w, "outputs", "What the model records.", &plan->outputs);
    add_struct(w, "signals",
               plan->implicit == NULL || w->request->all_signals
                   ? "All signals and potentials of the model."
                   : "Signals and potentials on which steps and outputs depend.",
               &plan->signals);
    if (plan->nparameters > 0)
        add_struct(w, "parameters", "Parameters of blocks, in SI units.", &plan->parameters);
    if (plan->implicit != NULL)
        ln_c_network_states(w);
    else
        add_struct(w, "states", "What the method integrates.", &plan->states);
    if (plan->nenables > 0)
        add_struct_of(
            w, "int", "enable_states",
            "1: the enabled component is on, and all that it stands in. Written by the code; the "
            "enabling signals decide.",
            &plan->enable_states);
    add_model(w);
    if (plan->implicit != NULL)
        add_network_prototypes(w);
    else
        add_prototypes(w);
}
