/* SPDX-License-Identifier: MIT */
/* Private to the C of physical networks (c_network.c, c_newton.c, c_start.c): what its files ask of
 * the plan. */
#ifndef LN_CODEGEN_C_NETWORK_H
#define LN_CODEGEN_C_NETWORK_H

#include "codegen/c_writer.h"
#include "integrate/newton.h"

#include <string.h>

static inline const ln_network_plan *plan_of(const ln_c_writer *w) {
    return w->plan->implicit;
}

static inline int is_average(const ln_c_writer *w) { /* Crank-Nicolson */
    return plan_of(w)->averages;
}

/* Above an index of 1 signals stay at an instant that leaves the equations as they were. */
static inline int may_stay(const ln_c_writer *w) {
    return plan_of(w)->prolonged != NULL && plan_of(w)->is_hybrid;
}
static inline int is_hybrid(const ln_c_writer *w) { /* something happens between steps */
    return plan_of(w)->is_hybrid;
}

static inline int has_rates(const ln_c_writer *w) {
    return is_average(w) && plan_of(w)->nrates > 0;
}

/* Do devices store something? */
static inline int has_charges(const ln_c_writer *w) {
    for (int k = 0; k < plan_of(w)->ndevices; k++)
        for (int b = 0; b < plan_of(w)->devices[k].carried.nbranches; b++)
            if (plan_of(w)->devices[k].carried.branches[b].stores)
                return 1;
    return 0;
}

/* Does Newton's method judge signals by how far they move? */
static inline int judges_signals(const ln_network_solver *solver) {
    return solver->niterated > 0 && solver->bends;
}
static inline int judges_any(const ln_c_writer *w) {
    return judges_signals(&plan_of(w)->step) ||
           (is_hybrid(w) && judges_signals(&plan_of(w)->algebra));
}

/* Does a step of Crank-Nicolson take two halves of backward Euler where something jumps? */
static inline int ln_c_may_jump(const ln_c_writer *w) {
    return is_average(w) && (w->plan->ninputs > 0 || plan_of(w)->nedges > 0 ||
                             w->plan->nparameters > 0 || is_hybrid(w) || w->damps);
}

/* Does a step follow branches to where those of its begin have no value? */
static inline int ln_c_may_follow(const ln_c_writer *w) {
    return w->plan->modes.program != NULL && plan_of(w)->step.refuses;
}

/* The function that gives a size. */
static inline const char *size_of(const ln_c_writer *w) {
    return w->language == LN_C_FLOAT ? "fabsf" : "fabs";
}

/* c_noise.c: what the rest needs; is_noise() and is_noise_of_algebra(); have_moved() and
 * have_turned(). Nothing where nothing iterates, or jumps. */
void ln_c_noise_tools(const ln_c_writer *w);
void ln_c_noise_of_newton(const ln_c_writer *w);
void ln_c_noise_of_jumps(const ln_c_writer *w);
/* The line that says what is no jump, as `least`. */
void ln_c_least(const ln_c_writer *w, const double *least, int count);

/* c_agree.c: a copy of what devices store, as `stored`; nothing where they store nothing. */
void ln_c_flows_at(const ln_c_writer *w, const char *indent);

/* c_divided.c: in_parts(), the step in parts of it; nothing where it is never divided. */
void ln_c_divided_step(const ln_c_writer *w);

/* c_network_step.c: NAME_step(); how a function begins that it calls, for small ones stand within
 * it; the solver once more, out of line, and its name, for steps that are rare. */
void ln_c_network_step(const ln_c_writer *w);
void ln_c_within(const ln_c_writer *w);
void ln_c_solve_apart(const ln_c_writer *w);
const char *ln_c_rare_solver(const ln_c_writer *w);

/* c_start.c: NAME_init(). */
void ln_c_network_init(const ln_c_writer *w);

#endif
