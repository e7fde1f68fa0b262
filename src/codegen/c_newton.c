/* SPDX-License-Identifier: MIT */
/* Newton's method of a physical network in C: the next point is taken and the way there measured;
 * where the solution is exact, taken only (network_plan.h). */
#include "base/text.h"
#include "codegen/c_network.h"

static void add_take(const ln_c_writer *w) {
    if (!judges_any(w))
        return;
    ln_c_add(w, "\nstatic void take_next($R *x, $R next, $R tolerance, $R *largest) {\n");
    ln_text_printf(w->out, "    const %s part = %s(next - *x) / (", w->real, size_of(w));
    ln_c_number(w, w->language == LN_C_FLOAT ? 1e-6 : 1e-13);
    ln_text_printf(w->out, " * %s(next) + tolerance);\n    *x = next;\n", size_of(w));
    ln_c_add(w, "    if (part > *largest || isnan(part)) *largest = part;\n}\n");
}

/* The largest change in units of its tolerance, NaN where one is not finite. */
static void add_apply(const ln_c_writer *w, const ln_network_solver *solver, const char *name) {
    if (solver->niterated == 0)
        return;
    if (!solver->bends) {
        ln_text_printf(w->out, "\nstatic inline void %s(", name);
        ln_c_add(w, "$N_signals_t *signals, const $N_signals_t *next) {\n");
        ln_c_for_each(w, solver->iterates, "    signals->", " = next->", ";\n");
        ln_c_add(w, "}\n");
        return;
    }
    ln_c_add(w, "\n/* Goes there; returns the largest change in units of its tolerance. */\n");
    ln_text_printf(w->out, "static %s %s(", w->real, name);
    ln_c_add(w, "$N_signals_t *signals, const $N_signals_t *next) {\n    $R largest = ");
    ln_c_number(w, 0.0);
    ln_text_add(w->out, ";\n");
    ln_c_for_signals(
        w, solver->iterates,
        (ln_signal_line){"    take_next(&signals->", ", next->", NULL, ", ", ", &largest);\n"},
        w->language == LN_C_FLOAT ? 1e-4 : 1e-11);
    ln_text_add(w->out, "    return largest;\n}\n");
}

/* Half way back from a point where the equations have no value. */
static void add_back(const ln_c_writer *w, const ln_network_solver *solver, const char *name) {
    if (!solver->refuses)
        return;
    ln_text_printf(w->out, "\nstatic inline void %s(", name);
    ln_c_add(w, "$N_signals_t *signals, const $N_signals_t *from) {\n");
    ln_c_for_each(w, solver->iterates, "    halve(&signals->", ", from->", ");\n");
    ln_c_add(w, "}\n");
}

static void add_halve(const ln_c_writer *w) {
    const ln_network_plan *plan = plan_of(w);
    if (!plan->step.refuses && !plan->algebra.refuses)
        return;
    ln_c_precise(w,
                 "\nstatic void halve($R *x, $R from) {\n    *x = from + @h * (*x - from);\n}\n");
}

/* Has the instant moved signals? (integrate/event_iteration.c) */
static void add_moved(const ln_c_writer *w) {
    if (!is_hybrid(w) || !has_rates(w))
        return;
    ln_c_precise(w, "\nstatic int has_moved($R left, $R right, $R tolerance) {\n"
                    "    return @fabs(left - right) > @j * @fabs(right) + tolerance;\n}\n"
                    "\n/* Has an instant moved signals? */\n"
                    "static int have_moved(const $N_signals_t *left, const $N_signals_t *right) {\n"
                    "    int moved = 0;\n");
    ln_c_for_signals(
        w, plan_of(w)->shown,
        (ln_signal_line){"    moved |= has_moved(left->", ", right->", NULL, ", ", ");\n"},
        w->language == LN_C_FLOAT ? 1e-2 : 1e-6);
    ln_c_add(w, "    return moved;\n}\n");
}

/* What follows from the solution, and whether that is finite. */
static void add_rest(const ln_c_writer *w, const ln_network_solver *solver, const char *rest,
                     const char *indent) {
    const ln_plan_part *part = &solver->rest;
    const int count = part->program != NULL ? part->program->noutputs : 0;
    int checked = 0;
    if (count > 0)
        ln_text_printf(w->out, "%s%s(at, signals);\n", indent, rest);
    for (int k = 0; k < count; k++) {
        int twice = 0; /* another name of the same value */
        for (int i = 0; i < k; i++)
            twice |= part->program->output[i] == part->program->output[k];
        if (twice)
            continue;
        /* in lines, since compilers count the columns of long ones no more */
        if (checked++ == 0)
            ln_text_printf(w->out, "%sif (", indent);
        else
            ln_text_add(w->out, checked % 4 == 1 ? " ||\n        " : " || ");
        ln_text_add(w->out, "!isfinite(signals->");
        ln_member_print(&w->plan->signals, w->plan->member[part->target[k]], w->out);
        ln_text_add(w->out, ")");
    }
    if (checked > 0)
        ln_c_add(w, ") return $U_NOT_FINITE;\n");
    ln_text_add(w->out, indent);
    ln_c_add(w, "return $U_OK;\n");
}

/* The functions that a solver calls. */
typedef struct solver_names {
    const char *solve, *update, *apply, *back, *rest, *noise;
    int follows; /* modes are those of the point where Newton's method stands */
} solver_names;

/* Where the equations have no value at the point, that lies nearer to the one before. */
static void add_refused(const ln_c_writer *w, const ln_network_solver *solver, solver_names names) {
    if (!solver->refuses)
        return;
    ln_c_add(w, "        if (!isfinite(change)) {\n            if (count == 0 || ++refused == ");
    ln_text_printf(w->out, "%d) return %s_NOT_FINITE;\n", LN_UPDATE_TRIES, w->upper);
    ln_text_printf(w->out, "            *signals = here;\n            %s(signals, &from);\n",
                   names.back);
    ln_c_add(w, ln_c_may_follow(w) ? "            beyond = 1;\n" : "");
    if (plan_of(w)->ndevices > 0)
        ln_c_add(w, "            double left = 0.0;\n"
                    "            moved = devices_at(signals, devices, 1, &left);\n");
    ln_c_add(w, "            continue;\n        }\n        refused = 0;\n        from = here;\n");
}

/* Nothing is left where the method ends. Equations that bend, and those of devices, tell otherwise
 * what is: by how far signals have moved, and by what flows beside what the tangents had promised.
 */
static void add_end(const ln_c_writer *w, const ln_network_solver *solver, solver_names names) {
    const int devices = plan_of(w)->ndevices > 0;
    ln_c_add(w, devices ? "        if (!held && left <= 0.0" : "        if (");
    if (solver->bends)
        ln_text_printf(w->out, "%shas_converged(change, %s)", devices ? " && " : "",
                       solver->kinks ? "-1" : "last");
    ln_c_add(w, ") break;\n");
    if (devices)
        ln_c_add(w, solver->bends ? "        if (left > 0.0 && !(left <= (double)change)) change = "
                                    "($R)left;\n"
                                  : "        const double change = left;\n");
    if (devices || !solver->refuses)
        ln_c_add(w, "        if (!isfinite(change)) return $U_NOT_FINITE;\n");
    if (solver->bends) {
        ln_text_printf(w->out,
                       "        if (%sstalls(change, last) && %s(at, change, signals%s)) break;\n",
                       devices ? "!held && " : "", names.noise, devices ? ", devices" : "");
        return;
    }
    ln_c_add(w, "        if (!held && last >= 0.0 && change >= last && change <= ");
    ln_code_number(LN_C_DOUBLE, w->out, w->language == LN_C_FLOAT ? 10.0 : 1e4);
    ln_c_add(w, ") break; /* noise */\n");
}

/* Modes of the point, which may depend on all that follows from it. */
static void add_modes_there(const ln_c_writer *w, const ln_network_solver *solver,
                            solver_names names, const char *indent) {
    if (solver->rest.program != NULL)
        ln_text_printf(w->out, "%s%s(at, signals);\n", indent, names.rest);
    ln_text_printf(w->out, "%smodes_of(at, signals, modes);\n", indent);
}

static void add_head(const ln_c_writer *w, solver_names names, int nknown) {
    if (strcmp(names.solve, "solve") == 0)
        ln_c_within(w);
    else
        ln_text_add(w->out, "static ");
    ln_text_printf(w->out, "%s_status_t %s(", w->name, names.solve);
    ln_c_add(w, names.follows ? "const at_t *place, $N_signals_t *signals"
                              : "const at_t *at, $N_signals_t *signals");
    ln_c_add(w, plan_of(w)->ndevices > 0 ? ", $N_devices_t *devices" : "");
    ln_c_add(w, names.follows ? ", $R *modes) {\n    at_t own = *place;\n"
                                "    own.memories = modes;\n    const at_t *const at = &own;\n"
                              : ") {\n");
    if (nknown > 0 && !names.follows)
        ln_c_add(w, plan_of(w)->divides ? "    if (!at->is_part) known_of(at, at->known);\n"
                                        : "    known_of(at, at->known);\n");
}

/* Where there is nothing to iterate on. */
static void add_given(const ln_c_writer *w, const ln_network_solver *solver, solver_names names) {
    ln_c_add(w, plan_of(w)->ndevices > 0 ? "    (void)devices;\n" : "");
    if (solver->rest.program == NULL)
        ln_c_add(w, "    (void)at, (void)signals;\n");
    add_rest(w, solver, names.rest, "    ");
    ln_c_add(w, "}\n");
}

static void add_locals(const ln_c_writer *w, const ln_network_solver *solver) {
    ln_text_printf(w->out, "    %s_signals_t next;\n    %s last = -1;\n%s    int count = 0;\n",
                   w->name, solver->bends ? w->real : "double",
                   plan_of(w)->ndevices > 0 ? "    int held, moved = 0;\n" : "");
    if (solver->refuses)
        ln_c_add(w, ln_c_may_follow(w)
                        ? "    $N_signals_t from = *signals;\n    int refused = 0, beyond = 0;\n"
                        : "    $N_signals_t from = *signals;\n    int refused = 0;\n");
}

/* The next point, and how far it is. */
static void add_advance(const ln_c_writer *w, const ln_network_solver *solver, solver_names names,
                        int nknown) {
    if (names.follows)
        add_modes_there(w, solver, names, "        ");
    ln_c_add(w, names.follows && nknown > 0 ? "        known_of(at, at->known);\n" : "");
    ln_text_printf(w->out, "        %s(at, signals, &next);\n", names.update);
    if (solver->refuses)
        ln_c_add(w, "        const $N_signals_t here = *signals;\n");
    if (solver->bends)
        ln_text_printf(w->out, "        %s%s change = %s(signals, &next);\n",
                       plan_of(w)->ndevices > 0 ? "" : "const ", w->real, names.apply);
    else
        ln_text_printf(w->out, "        %s(signals, &next);\n", names.apply);
}

/* Newton's method from the values that the signals have, at which the devices have been evaluated.
 */
static void add_solver(const ln_c_writer *w, const ln_network_solver *solver, solver_names names,
                       int nknown) {
    const int devices = plan_of(w)->ndevices > 0;
    add_head(w, names, nknown);
    if (solver->niterated == 0) {
        add_given(w, solver, names);
        return;
    }
    add_locals(w, solver);
    ln_text_printf(w->out, "    for (; count < %d; count++) {\n", LN_EXACT_ITERATIONS);
    add_advance(w, solver, names, nknown);
    add_refused(w, solver, names);
    if (devices)
        ln_c_add(w, "        double left = 0.0;\n        held = moved;\n"
                    "        moved = devices_at(signals, devices, 1, &left);\n"
                    "        held |= moved;\n");
    add_end(w, solver, names);
    ln_c_add(w, devices ? "        last = moved ? -1 : change;\n    }\n"
                        : "        last = change;\n    }\n");
    ln_text_printf(w->out, "    if (count == %d) return ", LN_EXACT_ITERATIONS);
    ln_c_add(w, solver->refuses && ln_c_may_follow(w)
                    ? "beyond ? $U_NOT_FINITE : $U_NO_CONVERGENCE;\n"
                    : "$U_NO_CONVERGENCE;\n");
    if (names.follows)
        add_modes_there(w, solver, names, "    ");
    add_rest(w, solver, names.rest, "    ");
    ln_c_add(w, "}\n");
}

/* What a change leaves is about itself times the rate at which changes shrink; where they shrink no
 * more, it may be noise. A change that a device held back tells no rate, nor does one by equations
 * with kinks. */
static void add_convergence(const ln_c_writer *w) {
    if (!judges_any(w))
        return;
    ln_c_precise(w, "\n/* Is what a change leaves, itself times the rate of changes, within the "
                    "tolerance? last: the change\n"
                    " * before; negative: it tells no rate. */\n"
                    "static int has_converged($R change, $R last) {\n"
                    "    return change <= @1 || (change < last && change * change <= last);\n}\n"
                    "\nstatic int stalls($R change, $R last) {\n"
                    "    return last >= @0 && change >= last;\n}\n");
}

void ln_c_newton(const ln_c_writer *w) {
    add_take(w);
    add_apply(w, &plan_of(w)->step, "apply");
    if (is_hybrid(w))
        add_apply(w, &plan_of(w)->algebra, "apply_algebra");
    add_halve(w);
    add_back(w, &plan_of(w)->step, "back");
    add_back(w, &plan_of(w)->algebra, "back_algebra");
    add_moved(w);
    add_convergence(w);
    ln_c_noise_of_newton(w);
    ln_c_add(w, "\n/* The solution, by Newton's method from the values that the signals have where "
                "one is not enough. */\n");
    add_solver(w, &plan_of(w)->step,
               (solver_names){"solve", "update", "apply", "back", "rest", "is_noise", 0},
               plan_of(w)->nknown);
    ln_c_solve_apart(w);
    if (ln_c_may_follow(w)) {
        ln_c_add(w, "\nstatic void modes_of(const at_t *at, const $N_signals_t *signals, $R "
                    "*modes);\n"
                    "\n/* The same with branches as they stand at the point itself, into modes. "
                    "*/\n");
        add_solver(
            w, &plan_of(w)->step,
            (solver_names){"solve_following", "update", "apply", "back", "rest", "is_noise", 1},
            plan_of(w)->nknown);
    }
    if (is_hybrid(w)) {
        ln_c_add(w, "\n/* The same of the algebra. */\n");
        add_solver(w, &plan_of(w)->algebra,
                   (solver_names){"solve_algebra", "update_algebra", "apply_algebra",
                                  "back_algebra", "rest_algebra", "is_noise_of_algebra", 0},
                   0);
    }
}
