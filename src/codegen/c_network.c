/* SPDX-License-Identifier: MIT */
/* NAME.c of a physical network: Newton's method on the unrolled elimination, the step of backward
 * Euler or Crank-Nicolson around it, and the algebra where events act (network_plan.h). */
#include "codegen/c_network.h"
#include "base/text.h"

#include <stdio.h>

/* ---- programs ---- */

/* A function around the statements of a part. */
static void add_part(ln_c_writer *w, const ln_plan_part *part, ln_c_into into, const char *head) {
    const ln_language language = w->language;
    ln_text body = {0};
    w->reads = 0;
    w->into = into;
    w->widens = w->is_wide;
    w->language = w->widens ? LN_C_DOUBLE : language;
    ln_c_part(w, part, into.fields != NULL && !w->widens, &body);
    w->widens = 0;
    w->language = language;
    ln_c_add(w, head);
    ln_c_locals(w);
    if (strstr(head, "const $N_signals_t *signals") != NULL && !(w->reads & LN_READS_SIGNALS))
        ln_c_add(w, "    (void)signals;\n");
    if (body.data != NULL)
        ln_text_add(w->out, body.data);
    if (body.failed)
        w->out->failed = 1;
    ln_text_add(w->out, "}\n");
    ln_text_free(&body);
}

/* What has been printed since then is a part of a step, `times` over. */
static void count(ln_c_writer *w, ln_code_cost before, ln_code_cost *in, int times) {
    in->operations += times * (w->cost.operations - before.operations);
    in->calls += times * (w->cost.calls - before.calls);
}

/* The programs of a solver; each ends with what is computed once. */
static void add_solver(ln_c_writer *w, const ln_network_solver *solver, const char *update,
                       const char *rest, ln_code_cost *iteration, ln_code_cost *once) {
    const int halves = ln_c_may_jump(w) ? 2 : 1;
    ln_code_cost before = w->cost;
    if (solver->update.program != NULL)
        add_part(w, &solver->update, (ln_c_into){"next->", "", &w->plan->signals, w->plan->member},
                 update);
    count(w, before, iteration, 1);
    iteration->operations += judges_signals(solver) ? 4L * solver->niterated : 0;
    before = w->cost;
    if (solver->rest.program != NULL)
        add_part(w, &solver->rest, (ln_c_into){"signals->", "", &w->plan->signals, w->plan->member},
                 rest);
    count(w, before, once, once == &w->step ? halves : 1);
}

static void add_known(ln_c_writer *w) {
    const ln_code_cost before = w->cost;
    if (plan_of(w)->nknown == 0)
        return;
    w->keeps_wide = 1;
    add_part(w, &plan_of(w)->known, (ln_c_into){"known[", "]", NULL, NULL},
             "\n/* What of that stays while Newton's method goes on. */\n"
             "static inline void known_of(const at_t *at, $K *known) {\n");
    w->keeps_wide = 0;
    count(w, before, &w->step, ln_c_may_jump(w) ? 2 : 1);
}

/* The head of a function of a solver: of the next point, or of what follows from it. */
static const char *head_of(char head[400], const char *comment, const char *name, int makes_next) {
    snprintf(head, 400,
             "\n/* %s */\nstatic inline void %s(const at_t *at, %s$N_signals_t *signals%s) {\n",
             comment, name, makes_next ? "const " : "", makes_next ? ", $N_signals_t *next" : "");
    return head;
}

/* One function for a step and for a part of one: of `program` and `of_part`, which may be none. */
static void add_either(const ln_c_writer *w, const char *name, const ln_plan_part *whole,
                       const ln_plan_part *part, int makes_next) {
    const char *arguments = makes_next ? "(at, signals, next)" : "(at, signals)";
    char head[400];
    if (whole->program == NULL && part->program == NULL)
        return;
    ln_c_add(w, head_of(head, "Of a step, or of a part of one.", name, makes_next));
    if (whole->program != NULL && part->program != NULL)
        ln_text_printf(w->out, "    if (at->is_part)\n        %s_part%s;\n    else\n", name,
                       arguments);
    else
        ln_text_printf(w->out, "    if (%sat->is_part)\n", part->program != NULL ? "" : "!");
    ln_text_printf(w->out, "        %s_%s%s;\n}\n", name, whole->program != NULL ? "whole" : "part",
                   arguments);
}

static void add_solvers(ln_c_writer *w) {
    const ln_network_plan *plan = plan_of(w);
    const int iterates = plan->step.niterated > 0, divides = plan->divides;
    char update[400], rest[400];
    add_solver(w, &plan->step,
               head_of(update,
                       "Where Newton's method goes next: the linearised equations solved, their "
                       "elimination written out.",
                       divides ? "update_whole" : "update", 1),
               head_of(rest,
                       iterates ? "What follows from the solution."
                                : "The solution of the step's equations, their elimination written "
                                  "out.",
                       divides ? "rest_whole" : "rest", 0),
               &w->iteration, iterates ? &w->step : &w->iteration);
    add_known(w);
    if (is_hybrid(w))
        add_solver(w, &plan->algebra,
                   head_of(update, "The same of the algebra, while what is stored stays as before.",
                           "update_algebra", 1),
                   head_of(rest,
                           "What follows from the algebra, while what is stored stays as before.",
                           "rest_algebra", 0),
                   &w->algebra, &w->algebra);
    if (!divides)
        return;
    add_solver(w, &plan->shorter,
               head_of(update, "The same of a part of a step.", "update_part", 1),
               head_of(rest, "What follows from the solution of a part of a step.", "rest_part", 0),
               &w->shorter, &w->shorter);
    add_either(w, "update", &plan->step.update, &plan->shorter.update, 1);
    add_either(w, "rest", &plan->step.rest, &plan->shorter.rest, 0);
}

static void add_rates(ln_c_writer *w) {
    const ln_c_into after = {"after[", "]", NULL, NULL};
    const ln_code_cost before = w->cost;
    if (!has_rates(w))
        return;
    add_part(
        w, &plan_of(w)->rates, after,
        "\n/* What flows into the stores after a step. */\n"
        "static inline void rates_of(const at_t *at, const $N_signals_t *signals, $R *after) {\n");
    w->step.operations += w->cost.operations - before.operations;
    w->step.calls += w->cost.calls - before.calls;
    if (plan_of(w)->divides) {
        const ln_code_cost whole = w->cost;
        add_part(w, &plan_of(w)->shorter_rates, after,
                 "\n/* The same after a part of a step. */\n"
                 "static void rates_of_part(const at_t *at, const $N_signals_t *signals, $R "
                 "*after) {\n");
        count(w, whole, &w->shorter, 1);
    }
    if (is_hybrid(w))
        add_part(w, &plan_of(w)->fresh, after,
                 "\n/* The same where something has happened, from the equations. */\n"
                 "static void fresh_rates_of(const at_t *at, const $N_signals_t *signals, $R "
                 "*after) {\n");
}

static void add_edges(ln_c_writer *w) {
    if (may_stay(w) && plan_of(w)->nequations > 0)
        add_part(w, &plan_of(w)->equations, (ln_c_into){"value[", "]", NULL, NULL},
                 "\n/* What memories and time change of the equations. */\n"
                 "static void equations_of(const at_t *at, const $N_signals_t *signals, $R *value) "
                 "{\n");
    if (is_average(w) && plan_of(w)->nedges > 0)
        add_part(w, &plan_of(w)->edges, (ln_c_into){"edges[", "]", NULL, NULL},
                 "\n/* Equations in which time alone decides something, before a step. */\n"
                 "static void edges_of(const at_t *at, $R *edges) {\n");
    if (is_average(w) && plan_of(w)->nsides > 0)
        add_part(w, &plan_of(w)->sides, (ln_c_into){"sides[", "]", NULL, NULL},
                 "\n/* What time decides in them. */\n"
                 "static void sides_of(const at_t *at, $R *sides) {\n");
}

/* Do the sides of an instant differ by more than rounding? (integrate/instant.c) */
static void add_differ(const ln_c_writer *w) {
    if (!is_average(w) || (plan_of(w)->nedges == 0 && !(is_hybrid(w) && has_rates(w))))
        return;
    ln_c_precise(w, "\n/* By more than rounding? */\n"
                    "static int differ($R left, $R right, $R size, $R noise) {\n"
                    "    return @fabs(left - right) > @j * (@fabs(left) + @fabs(right) + "
                    "@fabs(size)) + noise;\n}\n");
}

/* ---- the step ---- */

static void add_at(const ln_c_writer *w) {
    ln_c_add(w,
             "\n/* Where the network is solved. Conditions on time alone are decided in the middle "
             "of the step. */\n"
             "typedef struct at_t {\n    $R t, decide, end; /* end: of the step */\n    const "
             "$N_inputs_t *inputs;\n"
             "    const $N_signals_t *before; /* at the beginning of the step */\n"
             "    const $R *rates;            /* then; 0: backward Euler */\n");
    if (w->plan->nmemories > 0)
        ln_c_add(w, "    const $R *memories;\n");
    if (w->plan->nparameters > 0)
        ln_c_add(w, "    const $N_parameters_t *parameters;\n");
    if (plan_of(w)->ndevices > 0)
        ln_c_add(w, "    const double *flows; /* of devices */\n");
    if (has_charges(w))
        ln_c_add(w, "    const double *stored; /* of these, at the beginning */\n");
    if (plan_of(w)->nknown > 0)
        ln_c_add(w, "    $K *known; /* what stays while Newton's method goes on */\n");
    if (w->plan->nlines > 0)
        ln_c_add(w, "    const $N_delay_lines_t *delay_lines;\n    $R ahead; /* steps since their "
                    "last sample */\n");
    if (plan_of(w)->divides)
        ln_c_add(w, "    $R pace; /* so many parts like this one would be the step */\n"
                    "    int is_part;\n");
    ln_c_add(w, "} at_t;\n");
    ln_c_recall(w);
}

/* The place of a step's begin; rates are those of the model where there are. */
static void add_place(const ln_c_writer *w) {
    ln_c_add(w,
             "\n/* The begin of the step that follows. */\n"
             "static at_t begin_of_step(const $N_t *model) {\n"
             "    const $R t = model->time;\n"
             "    const $R end = model->begin + ($R)(model->steps + 1) * $U_STEP;\n"
             "    const at_t at = {t, t + (end - t) / 2, end, &model->inputs, &model->signals, ");
    ln_c_add(w, has_rates(w) ? "model->states.rates" : "0");
    ln_c_add(w, w->plan->nmemories > 0 ? ", model->memories.value" : "");
    ln_c_add(w, w->plan->nparameters > 0 ? ", &model->parameters" : "");
    ln_c_add(w, plan_of(w)->ndevices > 0 ? ", model->states.devices.flows" : "");
    ln_c_add(w, has_charges(w) ? ", model->states.devices.flows" : "");
    ln_c_add(w, plan_of(w)->nknown > 0 ? ", 0" : "");
    ln_c_ahead(w);
    if (plan_of(w)->divides) {
        ln_c_add(w, ", ");
        ln_c_number(w, 1.0);
        ln_c_add(w, ", 0");
    }
    ln_c_add(w, "};\n    return at;\n}\n");
}

/* After an instant rates are those of the equations; where they jump, the step that follows is
 * damped. */
static void add_after_instant(const ln_c_writer *w) {
    if (!is_hybrid(w) || !has_rates(w))
        return;
    ln_c_noise_of_jumps(w);
    ln_c_add(w, "\n/* After an instant that has changed something. */\n"
                "static void begin_anew($N_t *model, const at_t *at) {\n");
    ln_text_printf(w->out, "    %s rates[%d];\n", w->real, plan_of(w)->nrates);
    ln_c_add(w, "    fresh_rates_of(at, &model->signals, rates);\n"
                "    if (model->steps > 0) model->states.jumped |= have_turned(model, at, rates);\n"
                "    memcpy(model->states.rates, rates, sizeof rates);\n}\n");
}

/* May signals move at an instant where no memory changes, and nothing in time or given from outside
 * jumps? Else it is what Newton's method has left: as much as 1e-9 A in a switch of 10 uOhm. */
static int tells_moves(const ln_c_writer *w) {
    return w->plan->nlines > 0 || ln_c_sets_states(w->plan);
}

/* What was given as an instant acted. */
static void add_left_given(const ln_c_writer *w) {
    if (may_stay(w) && w->plan->ninputs > 0)
        ln_c_add(w, "    model->states.left_inputs = model->inputs;\n");
    if (may_stay(w) && w->plan->nparameters > 0)
        ln_c_add(w, "    model->states.left_parameters = model->parameters;\n");
}

static void add_instant(const ln_c_writer *w) {
    const int memories = w->plan->nmemories > 0;
    if (has_rates(w)) {
        ln_c_add(w, "    const $N_signals_t left = model->signals;\n");
        if (memories)
            ln_c_add(w, "    $R kept[MEMORIES];\n"
                        "    memcpy(kept, model->memories.value, sizeof kept);\n");
    }
    if (may_stay(w))
        ln_c_add(w, memories ? "    model->states.left = model->signals;\n"
                               "    memcpy(model->states.left_memories, model->memories.value, "
                               "sizeof model->states.left_memories);\n"
                             : "    model->states.left = model->signals;\n");
    ln_c_add(w, "    const $N_status_t end = boundary(model, &at);\n"
                "    if (end != $U_OK && end != $U_ENDED) return end;\n");
    add_left_given(w);
    if (has_rates(w) && w->plan->nchanges > 0)
        ln_c_add(w, "    for (int k = 0; k < CHANGES; k++) kept[change_at[k]] = "
                    "model->memories.value[change_at[k]];\n");
    if (has_rates(w)) {
        ln_c_add(w, memories ? "    if (memcmp(kept, model->memories.value, sizeof kept) != 0 || ("
                             : "    if (");
        ln_c_add(w, tells_moves(w) ? "" : "jumps && ");
        ln_c_add(w, memories ? "have_moved(&left, &model->signals)))\n"
                               "        begin_anew(model, &at);\n"
                             : "have_moved(&left, &model->signals)) begin_anew(model, &at);\n");
    }
    if (w->plan->nenables > 0)
        ln_c_add(w, "    $N_evaluate_enable_states(model);\n");
    ln_c_add(w, "    const $N_status_t status = outputs_of(&at, &model->signals, "
                "&model->outputs);\n"
                "    return status != $U_OK ? status : end;\n}\n");
}

static void add_evaluate(const ln_c_writer *w) {
    if (!is_hybrid(w))
        return;
    ln_c_add(w, "\n$N_status_t $N_evaluate($N_t *model) {\n");
    ln_c_check_ranges(w);
    ln_c_add(w, "    const at_t at = begin_of_step(model);\n");
    if (is_average(w) && has_rates(w) && !tells_moves(w))
        ln_c_add(w, "    const int jumps = jumps_at(model, &at);\n"
                    "    model->states.jumped |= jumps;\n");
    else if (ln_c_may_jump(w))
        ln_c_add(w, "    model->states.jumped |= jumps_at(model, &at);\n");
    add_instant(w);
}

/* ---- the file ---- */

static void add_functions(ln_c_writer *w) {
    add_solvers(w);
    add_rates(w);
    add_edges(w);
    add_differ(w);
    ln_c_outputs(w);
    ln_c_devices(w);
    ln_c_noise_tools(w);
    ln_c_newton(w);
    add_place(w);
    ln_c_stay(w);
    ln_c_hybrid(w);
    ln_c_enable_states(w);
    ln_c_network_init(w);
    ln_c_jumps(w);
    add_after_instant(w);
    ln_c_remember(w);
    ln_c_ranges(w);
    add_evaluate(w);
    ln_c_divided_step(w);
    ln_c_network_step(w);
}

void ln_c_network_source(ln_c_writer *w) {
    ln_text *const file = w->out;
    ln_text functions = {0};
    w->out = &functions;
    add_functions(w);
    w->out = file;
    ln_c_add(w, "/* Made by linnet codegen; do not edit. See $N.h. */\n#include \"$N.h\"\n\n"
                "#include <math.h>\n#include <string.h>\n");
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
