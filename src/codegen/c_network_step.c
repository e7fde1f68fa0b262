/* SPDX-License-Identifier: MIT */
/* NAME_step() of a physical network: by the method, what else is tried where that finds no solution
 * (branches of the step's end; parts of the step, c_divided.c), and what is remembered. */
#include "base/text.h"
#include "codegen/c_network.h"

/* Is more tried where the solver fails? */
static int keeps_status(const ln_c_writer *w) {
    return plan_of(w)->divides || ln_c_may_follow(w);
}

/* One call of the solver; where it may fail and something else is tried then, its status is kept.
 */
static void add_call(const ln_c_writer *w, int follows, const char *indent) {
    ln_text_add(w->out, indent);
    ln_c_add(w, keeps_status(w) ? "status = " : "const $N_status_t status = ");
    ln_c_add(w, follows ? "solve_following(&at, &x" : "solve(&at, &x");
    ln_c_add(w, plan_of(w)->ndevices > 0 ? ", &devices" : "");
    ln_c_add(w, follows ? ", live);\n" : ");\n");
}

/* Without a jump one step of the method, else two halves of backward Euler, which share its matrix
 * and damp what Crank-Nicolson would carry on. */
static void add_average(const ln_c_writer *w, int follows) {
    ln_c_add(w, "    for (int part = parts; part > 0; part--) {\n"
                "        at.t = part == 2 ? t + (next - t) / 2 : next;\n");
    if (w->plan->nlines > 0) {
        ln_c_add(w, "        at.ahead = part == 2 ? ");
        ln_c_number(w, 0.5);
        ln_c_add(w, " : ");
        ln_c_number(w, 1.0);
        ln_c_add(w, ";\n");
    }
    add_call(w, follows, "        ");
    ln_c_add(w, keeps_status(w) ? "        if (status != $U_OK || part == 1) break;\n"
                                : "        if (status != $U_OK) return status;\n"
                                  "        if (part == 1) break;\n");
    ln_c_add(w, "        half = x;\n"
                "        at.before = &half;\n");
    if (has_charges(w))
        ln_c_add(w, "        memcpy(stored, devices.flows, sizeof stored);\n");
    ln_c_add(w, "    }\n");
}

static void add_parts(const ln_c_writer *w) {
    ln_c_add(w, "    $N_signals_t half;\n"
                "    const int parts = model->states.jumped ? 2 : 1;\n");
    ln_c_add(w, has_rates(w) ? "    at.rates = parts == 2 ? none : model->states.rates;\n"
                             : "    at.rates = none;\n");
    add_average(w, 0);
}

static void add_once(const ln_c_writer *w) {
    ln_c_add(w, "    at.t = next;\n    at.rates = none;\n    (void)t;\n");
    if (w->plan->nlines > 0) {
        ln_c_add(w, "    at.ahead = ");
        ln_c_number(w, 1.0);
        ln_c_add(w, ";\n");
    }
    add_call(w, 0, "    ");
    ln_c_add(w, keeps_status(w) ? "" : "    if (status != $U_OK) return status;\n");
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
    ln_c_add(w, plan_of(w)->ndevices > 0 ? "        devices = model->states.devices;\n" : "");
    if (has_charges(w))
        ln_c_add(w, "        memcpy(stored, devices.flows, sizeof stored);\n");
    ln_c_add(w, "        memcpy(live, model->memories.value, sizeof live);\n");
    if (is_average(w))
        add_average(w, 1);
    else
        add_call(w, 1, "        ");
    ln_c_add(w, "        followed = status == $U_OK;\n    }\n"
                "    if (followed) at.memories = live;\n");
}

/* What has found no solution is divided. */
static void add_divided(const ln_c_writer *w) {
    if (!plan_of(w)->divides) {
        ln_c_add(w, ln_c_may_follow(w) ? "    if (status != $U_OK) return status;\n" : "");
        return;
    }
    const char *devices = plan_of(w)->ndevices > 0 ? ", &devices" : "";
    ln_c_add(w, has_rates(w) ? "    const int divided = status != $U_OK;\n"
                               "    $N_states_t after;\n"
                               "    if (divided) {\n"
                               "        after = model->states;\n"
                               "       "
                             : "    if (status != $U_OK)");
    ln_text_printf(w->out, " status = in_parts(model, &at, &x%s%s);\n%s", devices,
                   has_rates(w) ? ", &after" : "", has_rates(w) ? "    }\n" : "");
    ln_c_add(w, "    if (status != $U_OK) return status;\n");
}

/* What the method remembers of a step; parts of one have told it. */
static void add_remembered(const ln_c_writer *w) {
    const char *indent = plan_of(w)->divides && has_rates(w) ? "        " : "    ";
    if (plan_of(w)->divides && has_rates(w))
        ln_c_add(w, "    if (divided) {\n        model->states = after;\n    } else {\n");
    if (has_rates(w) && is_hybrid(w)) {
        ln_text_add(w->out, indent);
        ln_c_add(w, "memcpy(model->states.last_rates, model->states.rates, sizeof "
                    "model->states.rates);\n");
        ln_text_add(w->out, indent);
        ln_c_add(w, "model->states.last = model->signals;\n");
    }
    if (has_rates(w)) { /* each follows from itself */
        ln_text_add(w->out, indent);
        ln_c_add(w, "rates_of(&at, &x, model->states.rates);\n");
    }
    if (is_average(w)) {
        ln_text_add(w->out, indent);
        ln_c_add(w, "model->states.jumped = 0;\n");
    }
    if (plan_of(w)->divides && has_rates(w))
        ln_c_add(w, "    }\n");
    if (plan_of(w)->ndevices > 0)
        ln_c_add(w, "    model->states.devices = devices;\n");
}

static void add_begin(const ln_c_writer *w) {
    const int rates = plan_of(w)->nrates;
    if (is_hybrid(w))
        ln_c_add(w, "    const $N_status_t end = $N_evaluate(model);\n"
                    "    if (end != $U_OK) return end;\n");
    else
        ln_c_check_ranges(w);
    ln_c_add(w, "    const $R t = model->time, next = end_of_step(model);\n"
                "    at_t at = begin_of_step(model);\n");
    if (!is_hybrid(w) && is_average(w))
        ln_c_add(w, "    model->states.jumped |= jumps_at(model, &at);\n");
    ln_c_add(w, w->plan->nlines > 0
                    ? "    remember(&at, &model->signals, &model->delay_lines, model->steps);\n"
                    : "");
    ln_c_add(w, "    $N_signals_t x = model->signals;\n");
    if (plan_of(w)->ndevices > 0) {
        ln_c_add(w, "    $N_devices_t devices = model->states.devices;\n");
        ln_c_flows_at(w, "    ");
        ln_c_add(w, "    at.flows = devices.flows;\n");
        ln_c_add(w, has_charges(w) ? "    at.stored = stored;\n" : "");
    }
    if (plan_of(w)->nknown > 0)
        ln_text_printf(w->out, "    %s known[%d];\n    at.known = known;\n", w->real,
                       plan_of(w)->nknown);
    ln_text_printf(w->out, "    static const %s none[%d] = {0};\n", w->real, rates > 0 ? rates : 1);
}

void ln_c_network_step(const ln_c_writer *w) {
    ln_c_add(w, "\n$N_status_t $N_step($N_t *model) {\n");
    add_begin(w);
    ln_c_add(w, keeps_status(w) ? "    $N_status_t status = $U_OK;\n" : "");
    if (is_average(w))
        add_parts(w);
    else
        add_once(w);
    add_followed(w);
    add_divided(w);
    ln_c_add(w, "    const $N_status_t told = outputs_of(&at, &x, &model->outputs);\n"
                "    if (told != $U_OK) return told;\n");
    add_remembered(w);
    if (ln_c_may_follow(w))
        ln_c_add(w, "    if (followed) memcpy(model->memories.value, live, sizeof live);\n");
    ln_c_add(w, "    model->signals = x;\n    model->time = next;\n    model->steps++;\n");
    if (w->plan->nchanges > 0)
        ln_c_add(w, "    note_changes(model, &at, &model->signals);\n");
    ln_c_add(w, "    return $U_OK;\n}\n");
}
