/* SPDX-License-Identifier: MIT */
/* The part of NAME.py that is a physical network's: its programs, what Newton's method goes over,
 * and what the step remembers. What does not depend on the model (Newton's method, the step,
 * instants) is share/python/network.py, which does what c_network.c and c_newton.c make C do. */
#include "codegen/python.h"

#include "codegen/c_network.h"
#include "codegen/network_across.h"
#include "base/text.h"

/* ---- programs ---- */

/* A function whose outputs are a list. */
static void add_values(ln_c_writer *w, const char *name, const ln_plan_part *part, int count) {
    ln_text body = {0};
    w->reads = 0;
    w->into = (ln_c_into){"value[", "]", NULL, NULL};
    ln_text_printf(&body, "    value = [0.0] * %d\n", count);
    ln_c_part(w, part, 0, &body);
    ln_text_printf(w->out, "\n\ndef %s:\n", name);
    ln_python_body(w, &body, "    return value\n");
    ln_text_free(&body);
}

/* One whose outputs are signals. */
static void add_rest(ln_c_writer *w, const char *name, const ln_plan_part *part) {
    ln_text body = {0};
    w->reads = 0;
    w->into = (ln_c_into){"signals->", "", &w->plan->signals, w->plan->member};
    ln_c_part(w, part, 1, &body);
    ln_text_printf(w->out, "\n\ndef %s(at, signals):\n", name);
    ln_python_body(w, &body, "    return\n");
    ln_text_free(&body);
}

/* ---- lists of signals ---- */

static void add_member(const ln_c_writer *w, int unknown) {
    ln_text_add(w->out, "signals.");
    ln_member_print(&w->plan->signals, w->plan->member[unknown], w->out);
}

/* "def NAME(signals): return [signals.a, ...]": those of a set. */
static void add_list(const ln_c_writer *w, const char *name, const char *set) {
    ln_text_printf(w->out, "\n\ndef %s(signals):\n    return [", name);
    for (int u = 0, any = 0; u < ln_network_unknowns(w->plan); u++)
        if (set[u]) {
            ln_text_add(w->out, any++ ? ", " : "");
            add_member(w, u);
        }
    ln_text_add(w->out, "]\n");
}

static void add_tolerances(const ln_c_writer *w, const char *set, double part) {
    ln_text_add(w->out, "[");
    for (int u = 0, any = 0; u < ln_network_unknowns(w->plan); u++)
        if (set[u]) {
            ln_text_add(w->out, any++ ? ", " : "");
            ln_c_number(w, part * ln_c_abstol(w, u));
        }
    ln_text_add(w->out, "]");
}

/* What a program computes: names of values that must be finite. */
static void add_follows(const ln_c_writer *w, const char *name, const ln_plan_part *part) {
    ln_text_printf(w->out, "\n\ndef %s(signals):\n    return [", name);
    for (int k = 0; part->program != NULL && k < part->program->noutputs; k++) {
        ln_text_add(w->out, k > 0 ? ", " : "");
        add_member(w, part->target[k]);
    }
    ln_text_add(w->out, "]\n");
}

/* ---- solvers ---- */

static void add_solver(ln_c_writer *w, const ln_network_solver *solver, const char *name) {
    const int n = ln_network_unknowns(w->plan);
    ln_text text = {0};
    ln_text_printf(&text, "_update_%s(at, signals)", name);
    add_values(w, text.data != NULL ? text.data : "", &solver->update, n);
    text.length = 0;
    ln_text_printf(&text, "_rest_%s", name);
    add_rest(w, text.data != NULL ? text.data : "", &solver->rest);
    text.length = 0;
    ln_text_printf(&text, "_follows_%s", name);
    add_follows(w, text.data != NULL ? text.data : "", &solver->rest);
    text.length = 0;
    ln_text_printf(&text, "_get_%s", name);
    add_list(w, text.data != NULL ? text.data : "", solver->iterates);
    w->out->failed |= text.failed;
    ln_text_free(&text);
    ln_text_printf(w->out, "\n\ndef _put_%s(signals, values):\n", name);
    for (int u = 0, count = 0; u < n; u++)
        if (solver->iterates[u]) {
            ln_text_add(w->out, "    ");
            add_member(w, u);
            ln_text_printf(w->out, " = values[%d]\n", count++);
        }
    ln_text_printf(w->out, "    return\n\n\n_%s = _Solver([",
                   solver == &plan_of(w)->step      ? "SOLVER"
                   : solver == &plan_of(w)->algebra ? "ALGEBRA"
                                                    : "SHORTER");
    for (int u = 0, any = 0; u < n; u++)
        if (solver->iterates[u])
            ln_text_printf(w->out, "%s%d", any++ ? ", " : "", u);
    ln_text_add(w->out, "], ");
    add_tolerances(w, solver->iterates, 1e-11);
    ln_text_printf(w->out, ", _get_%s, _put_%s, _update_%s, _rest_%s, _follows_%s, %s, %s, %s)\n",
                   name, name, name, name, name, solver->bends ? "True" : "False",
                   solver->kinks ? "True" : "False", solver->refuses ? "True" : "False");
}

/* ---- the whole ---- */

static void add_least(const ln_c_writer *w, const char *name, const double *least, int count) {
    ln_text_printf(w->out, "%s = [", name);
    for (int k = 0; k < count; k++) {
        ln_text_add(w->out, k > 0 ? ", " : "");
        ln_c_number(w, least[k]);
    }
    ln_text_add(w->out, "]\n");
}

/* What the network is, as names that the runtime asks. */
static void add_truths(const ln_c_writer *w) {
    const struct {
        const char *name;
        int holds;
    } truths[] = {{"AVERAGE", is_average(w)},
                  {"IS_HYBRID", is_hybrid(w)},
                  {"MAY_STAY", may_stay(w)},
                  {"MAY_FOLLOW", ln_c_may_follow(w)},
                  {"TELLS_MOVES", w->plan->nlines > 0 || ln_c_sets_states(w->plan)},
                  {"DAMPS", w->damps}};
    ln_text_add(w->out, "\n");
    for (size_t k = 0; k < sizeof truths / sizeof *truths; k++)
        ln_text_printf(w->out, "_%s = %s\n", truths[k].name, truths[k].holds ? "True" : "False");
}

void ln_python_network(ln_c_writer *w) {
    const ln_network_plan *network = plan_of(w);
    const int rates = network->nrates, average = has_rates(w);
    add_solver(w, &network->step, "step");
    if (network->is_hybrid)
        add_solver(w, &network->algebra, "algebra");
    if (network->divides) {
        add_solver(w, &network->shorter, "part");
        add_values(w, "_rates_of_part(at, signals)", &network->shorter_rates, rates);
    }
    ln_text_printf(
        w->out, "\n\n_UPDATE_TRIES = %d\n_MOST_TRIES, _SHORTENINGS, _EULER_AFTER = %d, %d, %d\n%s",
        LN_UPDATE_TRIES, LN_MOST_TRIES, LN_SHORTENINGS, LN_EULER_AFTER,
        network->divides ? "" : "_SHORTER = _rates_of_part = None\n");
    add_values(w, "_known_of(at)", &network->known, network->nknown);
    add_values(w, "_rates_of(at, signals)", average ? &network->rates : &(ln_plan_part){0}, rates);
    add_values(w, "_fresh_rates_of(at, signals)", average ? &network->fresh : &(ln_plan_part){0},
               rates);
    add_values(w, "_edges_of(at)", &network->edges, network->nedges);
    add_values(w, "_equations_of(at, signals)", &network->equations, network->nequations);
    add_values(w, "_sides_of(at)", &network->sides, network->nsides);
    add_list(w, "_shown_of", network->shown);
    ln_text_add(w->out, "\n\n_MOVES = ");
    add_tolerances(w, network->shown, 1e-6);
    add_truths(w);
    ln_text_add(w->out, "_START_RATES = [");
    for (int k = 0; k < rates; k++) {
        ln_text_add(w->out, k > 0 ? ", " : "");
        ln_c_number(w, average ? network->start_rates[k] : 0.0);
    }
    ln_text_add(w->out, "]\n");
    add_least(w, "_LEAST_EDGE", network->least_edge, network->nedges);
    add_least(w, "_LEAST_RATE", network->least_rate, rates);
    ln_python_devices(w);
}

void ln_python_start_signals(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    for (int u = 0; u < ln_network_unknowns(plan); u++)
        if (plan_of(w)->shown[u])
            ln_c_value(w, "signals", &plan->signals, plan->member[u],
                       ln_network_value(plan, plan->start, u));
}
