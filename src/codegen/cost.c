/* SPDX-License-Identifier: MIT */
/* What generated code costs at most: operations and calls are counted where programs are printed,
 * iterations, probes for noise and rounds of events have fixed bounds in the code. */
#include "codegen/c_network.h"

#include "base/text.h"

#include <stdio.h>

/* The most times that a solver's update is computed, and that each device is evaluated. */
typedef struct bound {
    int updates, evaluations;
} bound;

/* An update that does not shrink any more is probed: by one more update, and by one for each probe,
 * the devices before and after these (c_noise.c). */
static bound of_solver(const ln_network_solver *solver) {
    const int probed = judges_signals(solver) ? LN_EXACT_ITERATIONS - 1 : 0;
    if (solver->niterated == 0)
        return (bound){1, 0};
    return (bound){LN_EXACT_ITERATIONS + probed * (1 + LN_NOISE_PROBES),
                   LN_EXACT_ITERATIONS + probed * (1 + 2 * LN_NOISE_PROBES)};
}

/* How many times the algebra is solved at one instant: each round of events in passes, each pass
 * once more for modes; each probe for jumps once (c_hybrid.c). An event that follows begins the
 * passes anew. */
static double solutions_of(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    const double modes = plan->modes.program != NULL ? LN_MOST_PASSES : 1;
    const double passes = plan->nmemories > 0 ? LN_MOST_PASSES * (1.0 + plan->nevents) + 1 : 1;
    const double rounds = plan->nevents > 0 ? LN_MOST_ROUNDS * passes + 1 : 1;
    return rounds * modes + (plan->implicit != NULL && has_rates(w) ? LN_NOISE_PROBES : 0);
}

static void summarise_network(const ln_c_writer *w, ln_codegen_summary *out) {
    const ln_network_plan *network = plan_of(w);
    const int halves = ln_c_may_jump(w) ? 2 : 1;
    const int ways = ln_c_may_follow(w) ? 2 : 1; /* with branches of the begin, and of the point */
    const bound step = of_solver(&network->step), algebra = of_solver(&network->algebra);
    out->iterations = network->step.niterated == 0 ? halves : ways * halves * step.updates;
    out->devices = network->ndevices;
    out->evaluations = ways * halves * step.evaluations;
    if (network->divides) {
        out->tries = LN_MOST_TRIES;
        out->try_iterations = halves * of_solver(&network->shorter).updates;
        out->try_evaluations = halves * of_solver(&network->shorter).evaluations;
        out->try_operations = w->shorter.operations;
        out->try_calls = w->shorter.calls;
    }
    for (int u = 0; u < w->plan->diagram.n; u++)
        out->signals -= !network->shown[u];
    if (!network->is_hybrid)
        return;
    out->solutions = solutions_of(w);
    out->solution_iterations = algebra.updates;
    out->algebra_operations = w->algebra.operations;
    out->algebra_calls = w->algebra.calls;
}

/* What a diagram computes more than once. */
static void summarise_diagram(const ln_c_writer *w, ln_codegen_summary *out) {
    const ln_plan *plan = w->plan;
    if (plan->nmemories > 0 || plan->nevents > 0)
        out->solutions = solutions_of(w);
    if (plan->modes.program != NULL && out->states > 0)
        out->stages = (w->stages - 1) * (LN_MOST_PASSES + 1);
}

void ln_c_summarise(const ln_c_writer *w, ln_codegen_summary *out) {
    const ln_plan *plan = w->plan;
    snprintf(out->name, sizeof out->name, "%s", w->name);
    out->states = plan->diagram.nstates;
    out->signals = plan->diagram.n - plan->diagram.nstates;
    out->memories = plan->nmemories;
    out->inputs = plan->ninputs;
    out->outputs = plan->noutputs;
    out->parameters = plan->nparameters;
    out->loops = plan->nloops;
    out->events = plan->nevents;
    out->operations = w->step.operations, out->calls = w->step.calls;
    out->iteration_operations = w->iteration.operations, out->iteration_calls = w->iteration.calls;
    out->iterations = plan->nloops > 0 ? 50 : 0;
    if (plan->implicit != NULL)
        summarise_network(w, out);
    else
        summarise_diagram(w, out);
    out->is_wide = w->is_wide;
    out->at_boundaries = plan->nmemories > 0 || plan->nevents > 0 || w->uses_time;
}

/* "12 operations and 1 call of functions" */
static void tell_work(ln_text *out, const char *before, long operations, long calls) {
    ln_text_printf(out, "%s%ld operation%s and %ld call%s of functions", before, operations,
                   operations == 1 ? "" : "s", calls, calls == 1 ? "" : "s");
}

static void tell_iterations(ln_text *out, int most, long operations, long calls) {
    ln_text_printf(out, "at most %d iteration%s of ", most, most == 1 ? "" : "s");
    tell_work(out, "", operations, calls);
}

void ln_codegen_tell_cost(const ln_codegen_summary *made, ln_text *out) {
    tell_work(out, "a step takes ", made->operations, made->calls);
    if (made->iterations > 0) {
        ln_text_add(out, ", and ");
        tell_iterations(out, made->iterations, made->iteration_operations, made->iteration_calls);
    }
    if (made->loops > 1)
        ln_text_printf(out, " for each of its %d loops, all together", made->loops);
    if (made->devices > 0)
        ln_text_printf(out, ", and %d %s evaluated at most %d times", made->devices,
                       made->devices == 1 ? "device is" : "devices are each", made->evaluations);
    if (made->tries > 0) {
        ln_text_printf(out,
                       "; a step of which these find no solution is divided, at most %d parts are "
                       "tried, each with ",
                       made->tries);
        tell_iterations(out, made->try_iterations, made->try_operations, made->try_calls);
    }
    if (made->tries > 0 && made->devices > 0)
        ln_text_printf(out, " and at most %d evaluations of a device", made->try_evaluations);
    if (made->stages > 0)
        ln_text_printf(out,
                       "; where branches that a step began with have no value, rates are computed "
                       "at most %d times more",
                       made->stages);
    if (made->solutions > 0 && made->solution_iterations == 0) {
        ln_text_printf(out,
                       "; what happens at an instant between steps takes the signals at most %g "
                       "times more",
                       made->solutions);
    } else if (made->solutions > 0) {
        ln_text_printf(out,
                       "; what happens at an instant between steps is solved at most %g times, "
                       "each with ",
                       made->solutions);
        tell_iterations(out, made->solution_iterations, made->algebra_operations,
                        made->algebra_calls);
    }
}
