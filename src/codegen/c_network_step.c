/* SPDX-License-Identifier: MIT */
/* NAME_step() of a physical network: one solution by the method, and apart from it what is rare:
 * two halves where something has jumped, branches of the step's end, parts of the step
 * (c_divided.c). */
#include "base/text.h"
#include "codegen/c_network.h"

/* A solver of so many operations is not worth a second copy for what is rare. */
enum { MOST_OPERATIONS_WITHIN = 1000 };

static int has_devices(const ln_c_writer *w) {
    return plan_of(w)->ndevices > 0;
}

/* Are there steps that one solution does not make? */
static int has_apart(const ln_c_writer *w) {
    return plan_of(w)->divides || ln_c_may_follow(w) || ln_c_may_jump(w);
}

static int is_within(const ln_c_writer *w) {
    return w->iteration.operations + w->step.operations < MOST_OPERATIONS_WITHIN;
}

void ln_c_within(const ln_c_writer *w) {
    ln_c_add(w, is_within(w) ? "#if defined(__GNUC__) && !defined(__OPTIMIZE_SIZE__)\n"
                               "__attribute__((always_inline)) /* through memory, wide loads would "
                               "wait for narrow stores */\n#endif\nstatic inline "
                             : "static ");
}

static const char rare[] = "#if defined(__GNUC__)\n__attribute__((noinline, cold))\n#endif\n";

void ln_c_solve_apart(const ln_c_writer *w) {
    /* halves and parts call it; branches that are followed have a solver of their own */
    const int is_called = plan_of(w)->divides || ln_c_may_jump(w);
    if (!is_called || !is_within(w))
        return;
    ln_c_add(w, "\n/* The same for steps that are rare. */\n");
    ln_c_add(w, rare);
    ln_c_add(w, has_devices(w)
                    ? "static $N_status_t solve_apart(const at_t *at, $N_signals_t *signals, "
                      "$N_devices_t *devices) {\n    return solve(at, signals, devices);\n}\n"
                    : "static $N_status_t solve_apart(const at_t *at, $N_signals_t *signals) {\n"
                      "    return solve(at, signals);\n}\n");
}

const char *ln_c_rare_solver(const ln_c_writer *w) {
    return is_within(w) ? "solve_apart" : "solve";
}

/* One call of a solver. */
static void add_call(const ln_c_writer *w, const char *solver) {
    ln_text_printf(w->out, "status = %s(&at, &x%s%s);\n", solver,
                   has_devices(w) ? ", &devices" : "",
                   strcmp(solver, "solve_following") == 0 ? ", live" : "");
}

/* Its time, and of samples the place. */
static void add_end_of_step(const ln_c_writer *w) {
    ln_c_add(w, "    at.t = at.end;\n");
    if (w->plan->nlines > 0)
        ln_c_precise(w, "    at.ahead = @1;\n");
}

/* What a solution begins with. */
static void add_begin(const ln_c_writer *w) {
    ln_c_add(w, "    $N_signals_t x = model->signals;\n");
    if (has_devices(w)) {
        ln_c_add(w, "    $N_devices_t devices = model->states.devices;\n");
        ln_c_flows_at(w, "    ");
        ln_c_add(w, "    at.flows = devices.flows;\n");
        ln_c_add(w, has_charges(w) ? "    at.stored = stored;\n" : "");
    }
    if (plan_of(w)->nknown > 0)
        ln_text_printf(w->out, "    %s known[%d];\n    at.known = known;\n",
                       w->is_wide ? "double" : w->real, plan_of(w)->nknown);
}

/* ---- what is rare ---- */

/* By the method, or where something has jumped in two halves of backward Euler, which share the
 * matrix of Crank-Nicolson and damp what that would carry on. */
static void add_whole(const ln_c_writer *w, const char *solver) {
    if (!ln_c_may_jump(w)) {
        ln_text_add(w->out, "        ");
        add_call(w, solver);
        return;
    }
    ln_c_add(w,
             "        for (int part = halves ? 2 : 1; part > 0; part--) {\n"
             "            at.t = part == 2 ? model->time + (at.end - model->time) / 2 : at.end;\n");
    if (w->plan->nlines > 0)
        ln_c_precise(w, "            at.ahead = part == 2 ? @h : @1;\n");
    ln_text_add(w->out, "            ");
    add_call(w, solver);
    ln_c_add(w, "            if (status != $U_OK || part == 1) break;\n"
                "            half = x;\n"
                "            at.before = &half;\n");
    if (has_charges(w))
        ln_c_add(w, "            memcpy(stored, devices.flows, sizeof stored);\n");
    ln_c_add(w, "        }\n");
}

static void add_halves(const ln_c_writer *w) {
    if (!ln_c_may_jump(w))
        return;
    ln_c_add(w, "    $N_signals_t half;\n    const int halves = model->states.jumped;\n");
    if (has_rates(w))
        ln_text_printf(w->out, "    static const %s none[%d] = {0};\n", w->real,
                       plan_of(w)->nrates);
    ln_c_add(w, "    if (halves) {\n");
    ln_c_add(w, has_rates(w) ? "        at.rates = none;\n" : "");
    add_whole(w, ln_c_rare_solver(w));
    ln_c_add(w, "    }\n");
}

/* Branches that the step began with may have no value further on (a root of what has changed its
 * sign): then the step is solved with those of the point where Newton's method stands, and they are
 * the branches of its end (integrate/fixed_step.c). */
static void add_followed(const ln_c_writer *w) {
    if (!ln_c_may_follow(w))
        return;
    ln_c_add(w, "    $R live[MEMORIES];\n    int followed = 0;\n"
                "    if (status == $U_NOT_FINITE) {\n        x = model->signals;\n"
                "        at.before = &model->signals;\n");
    ln_c_add(w, has_devices(w) ? "        devices = model->states.devices;\n" : "");
    if (has_charges(w))
        ln_c_add(w, "        memcpy(stored, devices.flows, sizeof stored);\n");
    ln_c_add(w, "        memcpy(live, model->memories.value, sizeof live);\n");
    add_whole(w, "solve_following");
    ln_c_add(w, "        followed = status == $U_OK;\n    }\n"
                "    if (followed) at.memories = live;\n");
}

/* What has found no solution is divided. */
static void add_divided(const ln_c_writer *w) {
    if (plan_of(w)->divides) {
        if (has_rates(w))
            ln_c_add(w, "    const int divided = status != $U_OK;\n"
                        "    $N_states_t after = model->states;\n");
        ln_c_add(w, "    if (status != $U_OK) status = in_parts(model, &at, &x");
        ln_c_add(w, has_devices(w) ? ", &devices" : "");
        ln_c_add(w, has_rates(w) ? ", &after);\n" : ");\n");
    }
    ln_c_add(w, "    if (status != $U_OK) return status;\n");
}

/* The call that ends a step. */
static void add_end(const ln_c_writer *w, int apart) {
    ln_c_add(w, has_devices(w) ? "    const $N_status_t end = end_step(model, &at, &x, &devices"
                               : "    const $N_status_t end = end_step(model, &at, &x");
    if (plan_of(w)->divides && has_rates(w))
        ln_c_add(w, apart ? ", divided ? &after : 0);\n" : ", 0);\n");
    else
        ln_c_add(w, ");\n");
    if (apart && ln_c_may_follow(w))
        ln_c_add(w, "    if (followed && end == $U_OK) memcpy(model->memories.value, live, sizeof "
                    "live);\n");
    if (w->plan->nchanges > 0)
        ln_c_add(w, "    if (end == $U_OK) note_changes(model, &at, &model->signals);\n");
    ln_c_add(w, "    return end;\n}\n");
}

static void add_apart(const ln_c_writer *w) {
    if (!has_apart(w))
        return;
    ln_c_add(w, "\n/* A step that one solution does not make; status: why there is none. */\n");
    ln_c_add(w, rare);
    ln_c_add(w, "static $N_status_t step_apart($N_t *model, $N_status_t status) {\n"
                "    at_t at = begin_of_step(model);\n");
    add_end_of_step(w);
    add_begin(w);
    add_halves(w);
    add_followed(w);
    add_divided(w);
    add_end(w, 1);
}

/* ---- the step ---- */

/* What the method remembers of a step; parts of one have told it. */
static void add_remembered(const ln_c_writer *w) {
    const int told = plan_of(w)->divides && has_rates(w);
    const char *indent = told ? "        " : "    ";
    if (told)
        ln_c_add(w, "    if (after != 0) {\n        model->states = *after;\n    } else {\n");
    if (has_rates(w) && is_hybrid(w)) {
        ln_text_add(w->out, indent);
        ln_c_add(w, "memcpy(model->states.last_rates, model->states.rates, sizeof "
                    "model->states.rates);\n");
        ln_text_add(w->out, indent);
        ln_c_add(w, "model->states.last = model->signals;\n");
    }
    if (has_rates(w)) { /* each follows from itself */
        ln_text_add(w->out, indent);
        ln_c_add(w, "rates_of(at, x, model->states.rates);\n");
    }
    if (ln_c_may_jump(w)) {
        ln_text_add(w->out, indent);
        ln_c_add(w, "model->states.jumped = 0;\n");
    }
    if (told)
        ln_c_add(w, "    }\n");
    if (has_devices(w))
        ln_c_add(w, "    model->states.devices = *devices;\n");
}

/* The end of a step, which is refused where outputs are not finite. */
static void add_take(const ln_c_writer *w) {
    ln_c_add(w, "\n/* A step ends: outputs, what the method remembers, time. */\n");
    ln_c_within(w);
    ln_c_add(w, "$N_status_t end_step($N_t *model, const at_t *at, const $N_signals_t *x");
    ln_c_add(w, has_devices(w) ? ", const $N_devices_t *devices" : "");
    ln_c_add(w, plan_of(w)->divides && has_rates(w) ? ", const $N_states_t *after) {\n" : ") {\n");
    ln_c_add(w, "    const $N_status_t told = outputs_of(at, x, &model->outputs);\n"
                "    if (told != $U_OK) return told;\n");
    add_remembered(w);
    ln_c_add(w, "    model->signals = *x;\n    model->time = at->end;\n    model->steps++;\n"
                "    return $U_OK;\n}\n");
}

static void add_step(const ln_c_writer *w) {
    ln_c_add(w, "\n$N_status_t $N_step($N_t *model) {\n");
    if (is_hybrid(w))
        ln_c_add(w, "    const $N_status_t acted = $N_evaluate(model);\n"
                    "    if (acted != $U_OK) return acted;\n");
    else
        ln_c_check_ranges(w);
    ln_c_add(w, "    at_t at = begin_of_step(model);\n");
    if (!is_hybrid(w) && ln_c_may_jump(w))
        ln_c_add(w, "    model->states.jumped |= jumps_at(model, &at);\n");
    ln_c_add(w, w->plan->nlines > 0
                    ? "    remember(&at, &model->signals, &model->delay_lines, model->steps);\n"
                    : "");
    add_end_of_step(w);
    if (ln_c_may_jump(w))
        ln_c_add(w, "    if (model->states.jumped) return step_apart(model, $U_OK);\n");
    add_begin(w);
    ln_c_add(w, "    const $N_status_t ");
    add_call(w, "solve");
    ln_c_add(w, plan_of(w)->divides || ln_c_may_follow(w)
                    ? "    if (status != $U_OK) return step_apart(model, status);\n"
                    : "    if (status != $U_OK) return status;\n");
    add_end(w, 0);
}

void ln_c_network_step(const ln_c_writer *w) {
    add_take(w);
    add_apart(w);
    add_step(w);
}
