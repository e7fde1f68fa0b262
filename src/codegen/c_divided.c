/* SPDX-License-Identifier: MIT */
/* in_parts(): a step of a network in parts, where Newton's method has found no solution of a whole
 * one. As in the simulation (integrate/fixed_step.c) a part that fails is halved, from the third
 * failure on it is one of backward Euler, and a part that is solved lets the next one be twice as
 * long. The simulation goes on so until a part is too short; the code has a bound on what it tries,
 * for a step must end. */
#include "base/text.h"
#include "codegen/c_network.h"

static void add_try(const ln_c_writer *w) {
    ln_c_add(w,
             "\n/* A part of a step from at->before, its end at `done` of the whole. */\n"
             "static $N_status_t try_part(const $N_t *model, at_t *at, $R done, $N_signals_t *x");
    ln_c_add(w, plan_of(w)->ndevices > 0 ? ", $N_devices_t *devices) {\n" : ") {\n");
    ln_c_precise(
        w, "    at->t = done < @1 ? model->time + done * (at->end - model->time) : at->end;\n");
    if (w->plan->nlines > 0)
        ln_c_add(w, "    at->ahead = done;\n");
    ln_text_printf(w->out, "    return %s(at, x%s);\n}\n", ln_c_rare_solver(w),
                   plan_of(w)->ndevices > 0 ? ", devices" : "");
}

/* The first half of a part in which something has jumped. */
static void add_half(const ln_c_writer *w, const char *more) {
    ln_c_add(w, "        if (halves) {\n            status = try_part(model, at, done + part / 2");
    ln_text_printf(w->out, "%s);\n            half = *x;\n            at->before = &half;\n", more);
    if (has_charges(w))
        ln_c_add(w, "            memcpy(stored, devices->flows, sizeof stored);\n");
    ln_c_add(w, "        }\n");
}

/* Of Crank-Nicolson: by the method, by two halves of backward Euler where something has jumped, or
 * by backward Euler. */
static void add_kinds(const ln_c_writer *w) {
    const char *more = plan_of(w)->ndevices > 0 ? ", x, devices" : ", x";
    const int jumps = ln_c_may_jump(w);
    ln_c_add(w, jumps ? "        const int euler = failures >= EULER_AFTER, "
                        "halves = !euler && after->jumped;\n"
                        "        at->rates = euler || halves ? none : after->rates;\n"
                      : "        const int euler = failures >= EULER_AFTER;\n"
                        "        at->rates = euler ? none : after->rates;\n");
    ln_c_precise(w, "        at->pace = (euler ? @h : @1) / part;\n");
    if (jumps)
        add_half(w, more);
    ln_c_add(w, "        if (status == $U_OK) status = try_part(model, at, done + part");
    ln_text_printf(w->out, "%s);\n", more);
}

static void add_accepted(const ln_c_writer *w) {
    if (has_rates(w)) {
        if (is_hybrid(w))
            ln_c_add(w, "        memcpy(after->last_rates, after->rates, sizeof after->rates);\n"
                        "        after->last = begin;\n");
        ln_c_add(w, "        rates_of_part(at, x, after->rates);\n");
        if (ln_c_may_jump(w))
            ln_c_add(w, "        if (!euler) after->jumped = 0;\n");
    }
    ln_c_add(w, "        begin = *x; /* at->before */\n        done += part;\n");
    ln_c_add(w, plan_of(w)->ndevices > 0 ? "        first = *devices;\n" : "");
    ln_c_add(w, "        if (failures > 0) {\n            part *= 2;\n            failures--;\n"
                "        }\n");
}

/* Devices as they were where a part begins; what of them is stored there. */
static void add_begin_of_devices(const ln_c_writer *w) {
    if (plan_of(w)->ndevices == 0)
        return;
    ln_c_add(w, "    $N_devices_t first = model->states.devices;\n");
    if (!has_charges(w))
        return;
    ln_text_printf(w->out, "    double stored[%d];\n", plan_of(w)->nflows);
    ln_c_add(w, "    at->stored = stored;\n");
}

void ln_c_divided_step(const ln_c_writer *w) {
    if (!plan_of(w)->divides)
        return;
    add_try(w);
    ln_text_printf(
        w->out,
        "\n/* A step of which there is no solution in one, in parts. It is rare: inlined it "
        "would take\n"
        " * registers from the step that is not. */\n"
        "#if defined(__GNUC__)\n__attribute__((noinline, cold))\n#endif\n"
        "static %s_status_t in_parts(const %s_t *model, at_t *at, %s_signals_t *x",
        w->name, w->name, w->name);
    ln_c_add(w, plan_of(w)->ndevices > 0 ? ", $N_devices_t *devices" : "");
    ln_c_add(w, has_rates(w) ? ", $N_states_t *after) {\n" : ") {\n");
    ln_text_printf(w->out, "    enum { TRIES = %d, SHORTENINGS = %d", LN_MOST_TRIES,
                   LN_SHORTENINGS);
    if (has_rates(w))
        ln_text_printf(w->out, ", EULER_AFTER = %d };\n    static const %s none[%d] = {0};\n",
                       LN_EULER_AFTER, w->real, plan_of(w)->nrates);
    else
        ln_text_add(w->out, " };\n");
    ln_c_add(w, has_rates(w) && ln_c_may_jump(w)
                    ? "    $N_signals_t begin = model->signals, half;\n"
                    : "    $N_signals_t begin = model->signals;\n");
    add_begin_of_devices(w);
    ln_c_precise(w, "    at->is_part = 1;\n    $R done = @0, part = @h;\n    int failures = 1;\n"
                    "    for (int count = 0; count < TRIES && failures <= SHORTENINGS; count++) {\n"
                    "        $N_status_t status = $U_OK;\n"
                    "        if (part > @1 - done) part = @1 - done;\n"
                    "        *x = begin;\n"
                    "        at->before = &begin;\n");
    ln_c_add(w, plan_of(w)->ndevices > 0 ? "        *devices = first;\n" : "");
    ln_c_add(w, has_charges(w) ? "        memcpy(stored, first.flows, sizeof stored);\n" : "");
    if (has_rates(w))
        add_kinds(w);
    else
        ln_c_precise(w, plan_of(w)->ndevices > 0
                            ? "        at->pace = @1 / part;\n"
                              "        status = try_part(model, at, done + part, x, devices);\n"
                            : "        at->pace = @1 / part;\n"
                              "        status = try_part(model, at, done + part, x);\n");
    ln_c_add(w, "        if (status != $U_OK) {\n            part /= 2;\n            failures++;\n"
                "            continue;\n        }\n");
    add_accepted(w);
    ln_c_precise(w, "        if (done < @1) continue;\n"
                    "        at->before = &model->signals;\n        at->is_part = 0;\n");
    ln_c_add(w, has_charges(w) ? "        at->stored = model->states.devices.flows;\n" : "");
    ln_c_add(w, "        return $U_OK;\n    }\n    return $U_NO_CONVERGENCE;\n}\n");
}
