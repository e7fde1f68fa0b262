/* SPDX-License-Identifier: MIT */
/* NAME_step(): the formula of an explicit method, from the same table as the simulation's,
 * operation by operation. */
#include "codegen/c_writer.h"

#include "base/text.h"
#include "integrate/runge_kutta.h"

/* ---- sums of states ---- */

/* "to->x" or, of an array, the loop around it and "to->x[i]". */
static void begin_member(const ln_c_writer *w, const ln_field *field) {
    static const char index[] = "ij";
    const int sizes[2] = {field->rows, field->cols};
    ln_text_add(w->out, "    ");
    for (int k = 0; k < 2 && sizes[k] > 0; k++)
        ln_text_printf(w->out, "for (int %c = 0; %c < %d; %c++) ", index[k], index[k], sizes[k],
                       index[k]);
}

static void add_operand(const ln_c_writer *w, const char *what, const ln_field *field) {
    ln_text_printf(w->out, "%s->%s%s%s", what, field->identifier, field->rows > 0 ? "[i]" : "",
                   field->cols > 0 ? "[j]" : "");
}

/* to = from + h rate: what the stages between begin with. */
static void add_advance(const ln_c_writer *w) {
    ln_c_add(w, "\n/* to = from + h * rate */\n"
                "static void advance(const $N_states_t *from, $R h, const $N_states_t *rate, "
                "$N_states_t *to) {\n");
    for (size_t k = 0; k < w->plan->states.count; k++) {
        const ln_field *field = &w->plan->states.field[k];
        begin_member(w, field);
        add_operand(w, "to", field);
        ln_text_add(w->out, " = ");
        add_operand(w, "from", field);
        ln_text_add(w->out, " + h * ");
        add_operand(w, "rate", field);
        ln_text_add(w->out, ";\n");
    }
    ln_text_add(w->out, "}\n");
}

/* to = from + h sum_j b_j k_j, weights as the simulation has them. */
static void add_combine(const ln_c_writer *w, const ln_tableau *tableau) {
    ln_c_add(w, "\n/* The states at the end of the step. */\n"
                "static void combine(const $N_states_t *from, $R h");
    for (int s = 0; s < tableau->stages; s++) {
        ln_c_add(w, ", const $N_states_t *k");
        ln_text_printf(w->out, "%d", s + 1);
    }
    ln_c_add(w, ", $N_states_t *to) {\n");
    for (int s = 0; s < tableau->stages; s++) {
        ln_c_add(w, "    const $R w");
        ln_text_printf(w->out, "%d = h * ", s + 1);
        ln_c_number(w, tableau->b[s]);
        ln_text_add(w->out, ";\n");
    }
    for (size_t k = 0; k < w->plan->states.count; k++) {
        const ln_field *field = &w->plan->states.field[k];
        begin_member(w, field);
        add_operand(w, "to", field);
        ln_text_add(w->out, " = ");
        add_operand(w, "from", field);
        for (int s = 0; s < tableau->stages; s++) {
            const char name[] = {'k', (char)('1' + s), '\0'};
            ln_text_printf(w->out, " + w%d * ", s + 1);
            add_operand(w, name, field);
        }
        ln_text_add(w->out, ";\n");
    }
    ln_text_add(w->out, "}\n");
}

static void add_check(const ln_c_writer *w) {
    ln_c_add(w, "\nstatic int are_finite(const $N_states_t *states) {\n");
    for (size_t k = 0; k < w->plan->states.count; k++) {
        const ln_field *field = &w->plan->states.field[k];
        begin_member(w, field);
        ln_text_add(w->out, "if (!isfinite(");
        add_operand(w, "states", field);
        ln_text_add(w->out, ")) return 0;\n");
    }
    ln_text_add(w->out, "    return 1;\n}\n");
}

/* ---- the step ---- */

/* The value of a time constant of the table times the step: "h", "0.5 * h". */
static void add_part(const ln_c_writer *w, double part) {
    if (part != 1.0) {
        ln_c_number(w, part);
        ln_text_add(w->out, " * ");
    }
    ln_text_add(w->out, "h");
}

/* May branches be chosen anew within a step? The first stage has just chosen them. */
static int may_follow(const ln_c_writer *w, const ln_tableau *tableau) {
    return w->plan->modes.program != NULL && tableau->stages > 1;
}

/* A stage past the place where its branches change may have no value by those that the step began
 * with (integrate/follow.c): then by those of its own place, pass by pass, since each pass gives
 * values to more of what they depend on. */
static const char follow[] =
    "\n/* Rates where branches that were chosen at the begin of the step have no value: by those "
    "of the place itself. It is\n"
    " * rare: inlined it would take registers from the step that needs none of it. */\n"
    "#if defined(__GNUC__)\n__attribute__((noinline, cold))\n#endif\n"
    "static $N_status_t follow(const at_t *place, $N_signals_t *signals, $N_states_t *rates) {\n"
    "    at_t at = *place;\n"
    "    $R modes[MEMORIES], next[MEMORIES];\n"
    "    memcpy(modes, place->memories, sizeof modes);\n"
    "    at.memories = modes;\n"
    "    for (int pass = 0; pass <= PASSES; pass++) {\n"
    "        $N_status_t status = signals_for_rates(&at, signals);\n"
    "        if (status == $U_OK) rates_of(&at, signals, rates);\n"
    "        if (status == $U_OK && are_finite(rates)) return $U_OK;\n"
    "        if (status == $U_OK) (void)other_signals(&at, signals);\n"
    "        memcpy(next, modes, sizeof next);\n"
    "        modes_of(&at, signals, next);\n"
    "        if (memcmp(next, modes, sizeof next) == 0) break;\n"
    "        memcpy(modes, next, sizeof modes);\n"
    "    }\n"
    "    return $U_NOT_FINITE;\n"
    "}\n"
    "\nstatic $N_status_t rates_at(const at_t *at, int follows, $N_signals_t *signals, "
    "$N_states_t *rates) {\n"
    "    if (follows) return follow(at, signals, rates);\n"
    "    const $N_status_t status = signals_for_rates(at, signals);\n"
    "    if (status == $U_OK) rates_of(at, signals, rates);\n"
    "    return status;\n"
    "}\n";

/* Stage s > 0 begins where one rate leads: the methods here need no more. */
static void add_stage(const ln_c_writer *w, const ln_tableau *tableau, int s, const char *to) {
    int from = 0;
    while (from < s - 1 && tableau->a[s][from] == 0.0)
        from++;
    ln_text_add(w->out, "    advance(&model->states, ");
    add_part(w, tableau->a[s][from]);
    ln_text_printf(w->out, ", &k%d, %s);\n    at.t = t + ", from + 1, to);
    add_part(w, tableau->c[s]);
    if (w->plan->nlines > 0) {
        ln_text_add(w->out, ";\n    at.ahead = ");
        ln_c_number(w, tableau->c[s]);
    }
    if (may_follow(w, tableau))
        ln_text_printf(w->out,
                       ";\n    status = rates_at(&at, follows, &signals, &k%d);\n"
                       "    if (status != %s_OK) return status;\n",
                       s + 1, w->upper);
    else
        ln_text_printf(w->out,
                       ";\n    status = signals_for_rates(&at, &signals);\n"
                       "    if (status != %s_OK) return status;\n"
                       "    rates_of(&at, &signals, &k%d);\n",
                       w->upper, s + 1);
}

/* The time after the step. In double it is counted from the start, so that no rounding adds up, and
 * the step is exactly what lies between; in float that difference would lose too many digits. */
static void add_times(const ln_c_writer *w) {
    ln_c_add(w, "    const $R t = model->time, next = model->begin + ($R)(model->steps + 1) * "
                "model->dt;\n");
    ln_c_add(w, w->language == LN_C_FLOAT ? "    const $R h = model->dt;\n"
                                          : "    const $R h = next - t;\n");
}

static int is_hybrid(const ln_c_writer *w) {
    return w->plan->nmemories > 0 || w->plan->nevents > 0;
}

static void add_middle(const ln_c_writer *w, const char *type) {
    ln_c_add(w, type);
    ln_c_add(w, " at = place_of(model, t + ");
    ln_c_number(w, 0.5);
    ln_text_add(w->out, " * h);\n");
}

/* The boundary, the signals and outputs there. */
static void add_evaluate(ln_c_writer *w) {
    ln_c_add(w, "\n/* Where the model stands; decide: a time within the step that follows. */\n"
                "static at_t place_of(const $N_t *model, $R decide) {\n"
                "    const at_t at = {model->time, decide, &model->inputs, &model->states");
    ln_c_add(w, w->plan->nmemories > 0 ? ", model->memories.value" : "");
    ln_c_add(w, w->plan->nparameters > 0 ? ", &model->parameters" : "");
    ln_c_ahead(w);
    ln_c_add(w, "};\n    return at;\n}\n");
    ln_c_ranges(w);
    ln_c_add(w, "\n$N_status_t $N_evaluate($N_t *model) {\n");
    ln_c_check_ranges(w);
    ln_c_add(w, w->language == LN_C_FLOAT
                    ? "    const $R t = model->time, h = model->dt;\n"
                    : "    const $R t = model->time, h = model->begin + ($R)(model->steps + 1) * "
                      "model->dt - t;\n");
    add_middle(w, "    const at_t");
    ln_c_add(w, is_hybrid(w) ? "    const $N_status_t end = boundary(model, &at);\n"
                               "    if (end != $U_OK && end != $U_ENDED) return end;\n"
                             : "    $N_status_t status = signals_for_rates(&at, "
                               "&model->signals);\n"
                               "    if (status == $U_OK) status = other_signals(&at, "
                               "&model->signals);\n"
                               "    if (status != $U_OK) return status;\n");
    if (w->plan->nenables > 0)
        ln_c_add(w, "    $N_evaluate_enable_states(model);\n");
    ln_c_add(w, is_hybrid(w) ? "    const $N_status_t status = outputs_of(&at, &model->signals, "
                               "&model->outputs);\n"
                               "    return status != $U_OK ? status : end;\n}\n"
                             : "    return outputs_of(&at, &model->signals, &model->outputs);\n"
                               "}\n");
}

/* The rates of all stages and the states that they lead to. */
static void add_stages(const ln_c_writer *w, const ln_tableau *tableau, const char *to) {
    const int loops = w->plan->nloops > 0;
    for (int s = 0; s < tableau->stages; s++)
        ln_text_printf(w->out, "%sk%d", s > 0 ? ", " : "", s + 1);
    ln_text_add(w->out, ";\n");
    if (tableau->stages > 1)
        ln_c_add(w, loops ? "    $N_signals_t signals = model->signals; /* of the stages; loops "
                            "begin at the last solution */\n"
                          : "    $N_signals_t signals; /* of the stages */\n");
    ln_text_add(w->out, "    rates_of(&at, &model->signals, &k1);\n");
    if (tableau->stages > 1)
        ln_text_printf(w->out, "    at.states = %s;\n", to);
    for (int s = 1; s < tableau->stages; s++)
        add_stage(w, tableau, s, to);
    ln_text_add(w->out, "    combine(&model->states, h");
    for (int s = 0; s < tableau->stages; s++)
        ln_text_printf(w->out, ", &k%d", s + 1);
    ln_text_printf(w->out, ", %s);\n", to);
}

/* The same as a function that may be asked to follow. */
static void add_integrate(const ln_c_writer *w, const ln_tableau *tableau) {
    ln_c_add(w, follow);
    ln_c_add(w, "\n/* The states at the end of the step. follows: by the branches of each stage "
                "where those of the begin have no value. */\n"
                "static $N_status_t integrate(const $N_t *model, at_t at, $R t, $R h, int follows, "
                "$N_states_t *x) {\n"
                "    $N_status_t status;\n"
                "    $N_states_t ");
    add_stages(w, tableau, "x");
    ln_c_add(w, "    return are_finite(x) ? $U_OK : $U_NOT_FINITE;\n}\n");
}

static void add_integration(const ln_c_writer *w, const ln_tableau *tableau) {
    if (may_follow(w, tableau)) {
        ln_c_add(w, "    $N_states_t x;\n"
                    "    status = integrate(model, at, t, h, 0, &x);\n"
                    "    if (status != $U_OK) status = integrate(model, at, t, h, 1, &x);\n"
                    "    if (status != $U_OK) return status;\n");
    } else {
        ln_c_add(w, "    $N_states_t x, ");
        add_stages(w, tableau, "&x");
        ln_c_add(w, "    if (!are_finite(&x)) return $U_NOT_FINITE;\n");
    }
    ln_c_add(w, "    model->states = x;\n");
}

/* The operations of the sums above. */
static void count_sums(ln_c_writer *w, const ln_tableau *tableau) {
    const long states = w->plan->diagram.nstates;
    w->step.operations += states * (2L * (tableau->stages - 1) + 2L * tableau->stages + 2) +
                          tableau->stages + 2L * w->plan->noutputs;
}

/* Signals at the step's end as they are before what happens there. */
static void add_before(const ln_c_writer *w) {
    if (w->plan->nlines > 0) {
        ln_c_add(w, "    at.ahead = ");
        ln_c_number(w, 1.0);
        ln_c_add(w, ";\n");
    }
    ln_c_add(w, "    at.t = next;\n    at.states = &model->states;\n    model->memories.before "
                "= model->signals;\n"
                "    /* what fails here fails in the next step, too, and is told there */\n"
                "    if (signals_for_rates(&at, &model->memories.before) == $U_OK)\n"
                "        (void)other_signals(&at, &model->memories.before);\n");
}

void ln_c_step(ln_c_writer *w) {
    const ln_tableau *tableau = ln_tableau_find(w->request->settings->method->name);
    const int integrates = w->plan->diagram.nstates > 0;
    if (integrates) {
        if (tableau->stages > 1)
            add_advance(w);
        add_combine(w, tableau);
        add_check(w);
        count_sums(w, tableau);
    }
    add_evaluate(w);
    if (integrates && may_follow(w, tableau))
        add_integrate(w, tableau);
    ln_c_add(w, "\n$N_status_t $N_step($N_t *model) {\n");
    add_times(w);
    ln_c_add(w, integrates && tableau->stages > 1
                    ? "    $N_status_t status = $N_evaluate(model);\n"
                    : "    const $N_status_t status = $N_evaluate(model);\n");
    ln_c_add(w, "    if (status != $U_OK) return status;\n");
    if (integrates || w->plan->reads_before || w->plan->nlines > 0)
        add_middle(w, "    at_t");
    else
        ln_c_add(w, w->language == LN_C_FLOAT ? "    (void)t, (void)h;\n" : "    (void)h;\n");
    if (w->plan->nlines > 0) {
        ln_c_add(w, "    remember(&at, &model->signals, &model->delay_lines, model->steps);\n    "
                    "at.ahead = ");
        ln_c_number(w, 0.0);
        ln_c_add(w, ";\n");
    }
    if (integrates)
        add_integration(w, tableau);
    ln_c_add(w, "    model->time = next;\n    model->steps++;\n");
    if (w->plan->reads_before)
        add_before(w);
    if (w->plan->nchanges > 0)
        ln_c_add(w, "    note_changes(model, &at, &model->memories.before);\n");
    ln_c_add(w, "    return $U_OK;\n}\n");
}
