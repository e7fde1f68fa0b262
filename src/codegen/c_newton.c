/* SPDX-License-Identifier: MIT */
/* Newton's method of a physical network in C: updates are applied and measured; where they are
 * exact, applied only (network_plan.h). */
#include "codegen/c_writer.h"

static const ln_network_plan *plan_of(const ln_c_writer *w) {
    return w->plan->implicit;
}

static int is_hybrid(const ln_c_writer *w) {
    return plan_of(w)->settle.program != NULL;
}

static const char *size_of(const ln_c_writer *w) {
    return w->language == LN_C_FLOAT ? "fabsf" : "fabs";
}

/* A line for each signal: text, "signals->member", between, "update->member", between, a part of
 * its tolerance, end. */
static void for_all_signals(const ln_c_writer *w, const char *const part[4], double of_tolerance) {
    const ln_plan *plan = w->plan;
    for (int u = 0; u < plan->diagram.n; u++) {
        ln_text_add(w->out, part[0]);
        ln_member_print(&plan->signals, plan->member[u], w->out);
        ln_text_add(w->out, part[1]);
        ln_member_print(&plan->signals, plan->member[u], w->out);
        ln_text_add(w->out, part[2]);
        ln_c_number(w, of_tolerance * w->request->system->abstol[u]);
        ln_text_add(w->out, part[3]);
    }
}

/* Is every solver done after one update? */
static int is_direct(const ln_c_writer *w) {
    return plan_of(w)->linear && (!is_hybrid(w) || plan_of(w)->settles_at_once);
}

/* x less its update, which is exact; NaN where one is not finite. */
static void add_apply_once(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    if (!plan_of(w)->linear && !(is_hybrid(w) && plan_of(w)->settles_at_once))
        return;
    ln_c_add(w, "\n/* x less its update, which is exact; NaN where one is not finite. */\n"
                "static $R apply_once($N_signals_t *signals, const $N_signals_t *update) {\n"
                "    $R check = ");
    ln_c_number(w, 0.0);
    ln_text_add(w->out, ";\n");
    for (int u = 0; u < plan->diagram.n; u++) {
        ln_text_add(w->out, "    check += update->");
        ln_member_print(&plan->signals, plan->member[u], w->out);
        ln_text_add(w->out, " * ");
        ln_c_number(w, 0.0);
        ln_text_add(w->out, ";\n    signals->");
        ln_member_print(&plan->signals, plan->member[u], w->out);
        ln_text_add(w->out, " -= update->");
        ln_member_print(&plan->signals, plan->member[u], w->out);
        ln_text_add(w->out, ";\n");
    }
    ln_text_add(w->out, "    return check;\n}\n");
}

/* x less its update; the largest update in units of its tolerance, NaN where one is not finite. */
static void add_apply(const ln_c_writer *w) {
    if (is_direct(w))
        return;
    const int is_float = w->language == LN_C_FLOAT;
    const double relative = is_float ? 1e-6 : 1e-13, absolute = is_float ? 1e-4 : 1e-11;
    ln_c_add(w, "\nstatic void take_update($R *x, $R update, $R tolerance, $R *largest) {\n"
                "    *x -= update;\n");
    ln_text_printf(w->out, "    const %s size = %s(update), unit = ", w->real, size_of(w));
    ln_c_number(w, relative);
    ln_text_printf(w->out, " * %s(*x) + tolerance;\n", size_of(w));
    ln_c_add(w, "    if (!(size <= *largest * unit)) *largest = size / unit;\n}\n"
                "\n/* x less its update; the largest update in units of its tolerance. */\n"
                "static $R apply($N_signals_t *signals, const $N_signals_t *update) {\n"
                "    $R largest = ");
    ln_c_number(w, 0.0);
    ln_text_add(w->out, ";\n");
    for_all_signals(
        w,
        (const char *const[]){"    take_update(&signals->", ", update->", ", ", ", &largest);\n"},
        absolute);
    ln_text_add(w->out, "    return largest;\n}\n");
}

/* Has the instant moved signals? (integrate/event_iteration.c) */
static void add_moved(const ln_c_writer *w) {
    const int is_float = w->language == LN_C_FLOAT;
    if (!is_hybrid(w) || !ln_c_is_average(w))
        return;
    ln_c_add(w, "\nstatic int has_moved($R left, $R right, $R tolerance) {\n    return ");
    ln_text_printf(w->out, "%s(left - right) > ", size_of(w));
    ln_c_number(w, is_float ? 1e-5 : 1e-9);
    ln_text_printf(w->out, " * %s(right) + tolerance;\n}\n", size_of(w));
    ln_c_add(w, "\n/* Do signals jump? */\n"
                "static int have_moved(const $N_signals_t *left, const $N_signals_t *right) {\n"
                "    int moved = 0;\n");
    for_all_signals(
        w, (const char *const[]){"    moved |= has_moved(left->", ", right->", ", ", ");\n"},
        is_float ? 1e-2 : 1e-6);
    ln_text_add(w->out, "    return moved;\n}\n");
}

/* Newton's method from the values that the signals have, at which the devices have been evaluated.
 */
static void add_solver(const ln_c_writer *w, const char *name, const char *update, int linear,
                       int nknown) {
    const int devices = plan_of(w)->ndevices > 0;
    ln_text_printf(w->out, "static %s_status_t %s(", w->name, name);
    ln_c_add(w, "const at_t *at, $N_signals_t *signals");
    ln_c_add(w, devices ? ", $N_states_t *states) {\n" : ") {\n");
    ln_c_add(w, "    $N_signals_t update;\n");
    if (nknown > 0)
        ln_c_add(w, "    known_of(at, at->known);\n");
    if (linear) { /* one update is exact */
        ln_text_printf(w->out, "    %s(at, signals, &update);\n", update);
        ln_c_add(w, devices ? "    (void)states;\n" : "");
        ln_c_add(w, "    return isfinite(apply_once(signals, &update)) ? $U_OK : "
                    "$U_NOT_FINITE;\n}\n");
        return;
    }
    ln_text_printf(w->out, "    %s last = ", w->real);
    ln_c_number(w, 0.0);
    ln_text_printf(w->out,
                   ";\n    for (int k = 0; k < %d; k++) {\n        %s(at, signals, &update);\n",
                   LN_MOST_ITERATIONS, update);
    ln_c_add(w, "        const $R change = apply(signals, &update);\n"
                "        if (!isfinite(change)) return $U_NOT_FINITE;\n");
    if (devices)
        ln_c_add(w, "        const int moved = devices_at(signals, states, 1);\n");
    ln_c_add(w, devices ? "        if (!moved && has_converged(k, change, last)) return $U_OK;\n"
                        : "        if (has_converged(k, change, last)) return $U_OK;\n");
    ln_c_add(w, "        last = change;\n    }\n    return $U_NO_CONVERGENCE;\n}\n");
}

/* What an update leaves is about itself times the rate at which updates shrink; where they shrink
 * no more, rounding. */
static void add_convergence(const ln_c_writer *w) {
    if (is_direct(w))
        return;
    ln_c_add(w, "\n/* Is what update k leaves, itself times the rate of updates, within the "
                "tolerance; or all rounding? */\n"
                "static int has_converged(int k, $R change, $R last) {\n"
                "    if (k == 0) return change <= ");
    ln_c_number(w, 1.0);
    ln_c_add(w, ";\n    return change <= ");
    ln_c_number(w, 1.0);
    ln_c_add(w, " || (change < last ? change * (change / last) <= ");
    ln_c_number(w, 1.0);
    ln_c_add(w, " : change <= ");
    ln_c_number(w, w->language == LN_C_FLOAT ? 1e3 : 1e6);
    ln_c_add(w, ");\n}\n");
}

void ln_c_newton(const ln_c_writer *w) {
    add_apply_once(w);
    add_apply(w);
    add_moved(w);
    add_convergence(w);
    ln_c_add(w, "\n/* Newton's method from the values that the signals have. */\n");
    add_solver(w, "solve", "update_of", plan_of(w)->linear, plan_of(w)->nknown);
    if (!is_hybrid(w))
        return;
    ln_c_add(w, "\n/* The same of the algebra. */\n");
    add_solver(w, "settle", "settle_of", plan_of(w)->settles_at_once, 0);
}
