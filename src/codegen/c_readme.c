/* SPDX-License-Identifier: MIT */
/* README.md of generated code: what was made of what, how it is called and built, what its statuses
 * mean, what a step costs, and each member that a caller sets or reads. */
#include "codegen/c_writer.h"

#include "base/text.h"

#include <linnet/linnet.h>

#include <math.h>
#include <string.h>

/* ---- what it is ---- */

/* The file in which the model begins; NULL: it has none. */
static const char *file_of(const ln_network *network) {
    const char *file = network->ninstances > 0 ? network->instances[0].place.file : NULL;
    const char *slash = file != NULL ? strrchr(file, '/') : NULL;
    return slash != NULL ? slash + 1 : file;
}

void ln_c_origin(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    const ln_settings *settings = w->request->settings;
    char digits[32];
    ln_comment_text(w->out, plan->network->name != NULL ? plan->network->name : w->name);
    ln_text_printf(w->out, ": made by linnet codegen (Linnet %s)", linnet_version());
    if (file_of(plan->network) != NULL) {
        ln_text_add(w->out, " from ");
        ln_comment_text(w->out, file_of(plan->network));
    }
    ln_number_format(digits, settings->step);
    ln_text_printf(w->out, "; do not edit. Method %s, step %s s.", settings->method->name, digits);
}

static void add_head(const ln_c_writer *w) {
    ln_c_add(w, "# $N\n\n");
    ln_c_origin(w);
    ln_c_add(
        w,
        "\n\n`$N.c` and `$N.h` are C99 and need `math.h`, and of `string.h` what compilers\n"
        "call of their own accord (memcpy, memmove, memset, memcmp), bare metal included; there is "
        "no heap and no\n"
        "global variable, so any number of models can run side by side.\n");
}

/* ---- how it is used ---- */

static void add_loop(const ln_c_writer *w) {
    ln_c_add(w, "\n## Use\n\n"
                "    #include \"$N.h\"\n\n"
                "    $N_t model;\n");
    ln_c_add(w, ln_c_takes_step(w) ? "    $N_init(&model, $U_STEP);\n" : "    $N_init(&model);\n");
    ln_c_add(w, "    for (;;) {\n");
    if (w->plan->ninputs > 0) {
        ln_text_add(w->out, "        model.inputs.");
        ln_member_print(&w->plan->inputs, w->plan->input[0], w->out);
        ln_text_add(w->out, " = ...;\n");
    }
    ln_c_add(w, "        if ($N_step(&model) != $U_OK) break;\n"
                "        ... model.outputs ...\n"
                "    }\n\n");
}

static void add_use(const ln_c_writer *w) {
    const ln_network_plan *network = w->plan->implicit;
    add_loop(w);
    if (network == NULL)
        ln_c_add(w, "`$N_step()` reads the inputs, writes the outputs as they are at `model.time`, "
                    "and then moves\nthe states and the time on by `model.dt`, the step that "
                    "`$N_init()` was given. `$N_evaluate()` writes\nthe outputs and moves "
                    "nothing on; `$N_evaluate_algebraic()` and `$N_derivatives()` change "
                    "nothing but\nwhat they are given to write into.\n");
    else
        ln_c_add(w, "`$N_step()` reads the inputs, moves the model on by `$U_STEP`, and writes the "
                    "outputs as they are\nat the end of the step; those of the start are there "
                    "after `$N_init()`. The step is fixed, for it\nis worked into the matrix.\n");
    if (network != NULL && network->is_hybrid)
        ln_c_add(w, "A step begins with `$N_evaluate(&model)`, which may also be called before it: "
                    "what happens at the time\n(samples, switches, other events) happens, and "
                    "`model.signals` and `model.outputs` are those after it.\n");
    if (network != NULL && !w->request->all_signals)
        ln_c_add(w, "`model.signals` holds what steps and outputs depend on; `linnet codegen "
                    "--all-signals` keeps the rest.\n");
    ln_c_add(w, "\nWhat a call returns; after any status but `$U_OK` and `$U_ENDED` the model "
                "stands as before the call:\n\n");
    for (int k = 0; k < LN_C_STATUSES; k++) {
        ln_c_add(w, "- `$U_");
        ln_text_printf(w->out, "%s`: %s\n", ln_c_statuses[k].name, ln_c_statuses[k].doc);
    }
}

/* ---- how it is built ---- */

static void add_build(const ln_c_writer *w) {
    ln_c_add(w, "\n## Build\n\n`make` builds `lib$N.a`");
    if (w->request->with_main)
        ln_c_add(w, " and `$N_main`, which runs the model and prints its outputs as CSV:\n\n"
                    "    ./$N_main [-t end]");
    if (w->request->with_main)
        ln_c_add(w, w->plan->ninputs > 0 ? " [-i inputs.csv] [-o outputs.csv]\n\n"
                                         : " [-o outputs.csv]\n\n");
    if (w->request->with_main && w->plan->ninputs > 0)
        ln_c_add(w, "The first line of `inputs.csv` names its columns, time in front and then any "
                    "inputs, by their names\nin the model; each value holds from its time until "
                    "the next line.\n\n");
    ln_c_add(w, w->request->with_main ? "Without make: compile" : ". Without make: compile");
    ln_c_add(w, " `$N.c` as C99 and link with the library of mathematics (`-lm`). Results equal\n"
                "Linnet's to the last bit where the compiler contracts no products and sums "
                "(`-ffp-contract=off`).\n"
                "For PlatformIO or Arduino the folder is a library: `library.json`, "
                "`library.properties`.\n");
}

/* ---- what it costs, and what it does not locate ---- */

static void add_numbers(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    ln_codegen_summary made = {.name = ""};
    ln_text cost = {0};
    ln_c_summarise(w, &made);
    ln_codegen_tell_cost(&made, &cost);
    if (cost.length > 0)
        ln_text_printf(w->out, "\n## Cost\n\n%c%s.\n", cost.data[0] - 'a' + 'A', cost.data + 1);
    ln_text_free(&cost);
    if (plan->implicit != NULL)
        ln_text_printf(w->out, "The elimination is written out: %d products.\n",
                       plan->implicit->fill);
    if (made.is_wide)
        ln_c_add(
            w,
            "\nBranches depend on the network (ideal diodes and switches, whose conductances are "
            "many digits apart): its\nequations are solved in double, and what is kept is "
            "float.\n");
    if (plan->nmemories > 0 || plan->nevents > 0)
        ln_text_add(w->out,
                    "\n## Events\n\nEvents, samples and conditions act at boundaries of steps: a "
                    "tick or an edge in time at the\nnearest one, a condition on signals at the "
                    "first one where it holds. Linnet finds them within\nsteps unless it runs "
                    "with `--events at-steps`.\n");
    else if (w->uses_time)
        ln_text_add(w->out, "\nEdges in time act at the nearest boundary of a step.\n");
}

/* ---- members ---- */

static void add_member(const ln_c_writer *w, const char *of, const ln_fields *fields,
                       ln_member member) {
    const ln_field *field = &fields->field[member.field];
    ln_text about = {0};
    ln_field_about(field, &about);
    ln_text_printf(w->out, "- `model.%s.", of);
    ln_member_print(fields, member, w->out);
    ln_text_add(w->out, "`: ");
    ln_comment_text(w->out, field->name);
    if (field->cols > 0)
        ln_text_printf(w->out, "[%d,%d]", member.row + 1, member.col + 1);
    else if (field->rows > 0)
        ln_text_printf(w->out, "[%d]", member.row + 1);
    if (about.length > 0)
        ln_text_printf(w->out, " (%s)", about.data);
    ln_text_free(&about);
}

static void add_number(const ln_c_writer *w, const char *what, double value) {
    char digits[32];
    ln_number_format(digits, value);
    ln_text_printf(w->out, "%s %s", what, digits);
}

static void add_inputs(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    if (plan->ninputs > 0)
        ln_text_add(w->out, "\n## Inputs\n\nThey hold during a step.\n\n");
    for (int k = 0; k < plan->ninputs; k++) {
        add_member(w, "inputs", &plan->inputs, plan->input[k]);
        add_number(w, "; at the start", plan->input_value[k]);
        ln_text_add(w->out, "\n");
    }
}

static void add_outputs(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    ln_text_add(w->out, "\n## Outputs\n\n");
    for (int k = 0; k < plan->noutputs; k++) {
        add_member(w, "outputs", &plan->outputs, plan->output[k]);
        ln_text_add(w->out, "\n");
    }
}

static void add_parameters(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    if (plan->nparameters > 0)
        ln_text_add(w->out, "\n## Parameters\n\nThey may be changed between steps.\n\n");
    for (int k = 0; k < plan->nparameters; k++) {
        const linnet_param *param = plan->parameter[k].param;
        add_member(w, "parameters", &plan->parameters, plan->parameter[k].member);
        add_number(w, "; at the start", plan->parameter[k].value);
        if (isfinite(param->min))
            add_number(w, param->flags & LINNET_OPEN_MIN ? ", above" : ", at least", param->min);
        if (isfinite(param->max))
            add_number(w, param->flags & LINNET_OPEN_MAX ? ", below" : ", at most", param->max);
        ln_text_add(w->out, "\n");
    }
}

void ln_c_readme(ln_c_writer *w) {
    add_head(w);
    add_use(w);
    add_build(w);
    add_numbers(w);
    add_inputs(w);
    add_outputs(w);
    add_parameters(w);
}
