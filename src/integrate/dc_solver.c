/* SPDX-License-Identifier: MIT */
/* Points at rest from afar: the equations with what is added to them on the way, first guesses, and
 * long steps: a backward Euler step of great length keeps exactly the combinations that f leaves
 * free, because the left null space of A conserves q. What is solved from afar goes along paths of
 * neighbouring problems (continuation.c), in the order of their cost: damping by the natural
 * monotonicity test (newton.c); gmin stepping (a conductance from each link to its reference);
 * source stepping (all sources from zero to full); pseudo-time (steps of backward Euler, with a
 * conductance from each link to where it was, as not all have a capacitance). */
#include "integrate/continuation.h"
#include "integrate/dc_solver.h"

#include "base/domain.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the equations ---- */

/* Conductances, each in units of the domain's nominal flux by its nominal potential: 1 mS, or 3
 * mW/K. */
enum {
    /* holds a first guess: the difference left is far below any tolerance */
    HOLD_CONDUCTANCE = 1000000000,
    FIRST_CONDUCTANCE = 1000 /* where gmin stepping and pseudo-time begin: 1 S */
};

static double nominal_conductance(const ln_link *link) {
    const ln_domain_info *domain = ln_domain(link->domain);
    return domain->flux_nominal / domain->potential_nominal;
}

static double held_at(const double *x, int unknown) {
    return unknown < 0 ? 0 : x[unknown];
}

static int is_physical_link(const ln_link *link) {
    return link->unknown >= 0 && link->domain != LINNET_SIGNAL;
}

/* What flows into a row's node. */
static void add_flux(const ln_system *system, int row, double flux, double *r) {
    int entered[2];
    const int count = ln_system_entered(system, row, entered);
    for (int k = 0; k < count; k++)
        r[entered[k]] += flux;
}

/* What is added to the equations on the way: gmin, the conductance of pseudo-time, holds. */
static void add_conductances(const ln_dc_equations *dc, const double *x, double *r) {
    const ln_system *system = dc->set.system;
    const ln_network *network = system->network;
    for (int k = 0; (dc->gmin > 0 || dc->pseudo_conductance > 0) && k < network->nlinks; k++) {
        const int i = network->links[k].unknown;
        if (!is_physical_link(&network->links[k]))
            continue;
        const double unit = nominal_conductance(&network->links[k]);
        add_flux(system, i, unit * dc->gmin * x[i], r);
        if (dc->pseudo_conductance > 0)
            add_flux(system, i, unit * dc->pseudo_conductance * (x[i] - dc->anchor[i]), r);
    }
    for (int k = 0; k < dc->nholds; k++) {
        const ln_hold_conductance *hold = &dc->holds[k];
        const double flux =
            hold->weight * (held_at(x, hold->a) - held_at(x, hold->b) - hold->value);
        add_flux(system, hold->a, flux, r);
        add_flux(system, hold->b, -flux, r);
    }
}

static linnet_status dc_residual(ln_equation_set *set, const double *x, int manner, double *r,
                                 int *limited) {
    ln_dc_equations *dc = (ln_dc_equations *)set;
    ln_system *system = set->system;
    ln_matrix_apply(&system->E, x, dc->q);
    ln_matrix_apply(&system->A, x, r);
    linnet_status status =
        ln_system_eval_within(system, &(ln_moment){dc->side, x},
                              (ln_leeway){manner | dc->manner, dc->rests}, dc->q, r, limited);
    for (int i = 0; i < system->n; i++)
        r[i] += dc->alpha * (dc->q[i] - dc->q0[i]) - dc->scale * dc->s[i];
    add_conductances(dc, x, r);
    return status;
}

static void add_entry(const ln_system *system, int row, int col, double value, double *values) {
    int entered[2];
    const int count = ln_system_entered(system, row, entered);
    for (int k = 0; k < count; k++) {
        const int at = col < 0 ? -1 : ln_pattern_position(&system->pattern, entered[k], col);
        if (at >= 0)
            values[at] += value;
    }
}

static void dc_jacobian(ln_equation_set *set, double *values) {
    ln_dc_equations *dc = (ln_dc_equations *)set;
    ln_system_jacobian(set->system, dc->alpha, values);
    const ln_network *network = set->system->network;
    const double at_link = dc->gmin + dc->pseudo_conductance;
    for (int k = 0; at_link > 0 && k < network->nlinks; k++)
        if (is_physical_link(&network->links[k]))
            add_entry(set->system, network->links[k].unknown, network->links[k].unknown,
                      at_link * nominal_conductance(&network->links[k]), values);
    for (int k = 0; k < dc->nholds; k++) {
        const ln_hold_conductance *hold = &dc->holds[k];
        add_entry(set->system, hold->a, hold->a, hold->weight, values);
        add_entry(set->system, hold->b, hold->b, hold->weight, values);
        add_entry(set->system, hold->a, hold->b, -hold->weight, values);
        add_entry(set->system, hold->b, hold->a, -hold->weight, values);
    }
}

linnet_status ln_dc_make_holds(ln_dc_solver *solver, const ln_network *network, ln_arena *arena,
                               int hold_fixed) {
    ln_hold_conductance *holds = LN_NEW(arena, ln_hold_conductance, network->nlinks + 1);
    if (holds == NULL)
        return LINNET_MEMORY;
    int count = 0;
    /* first those that are held to the end, then those that are let go */
    for (int let_go = 0; let_go < 2; let_go++) {
        for (int k = 0; k < network->nlinks; k++) {
            const ln_link *link = &network->links[k];
            const int to_the_end = hold_fixed && ln_link_is_fixed(link);
            if (link->start == NULL || !is_physical_link(link) || to_the_end == let_go)
                continue;
            holds[count++] = (ln_hold_conductance){link->unknown, -1, link->start->value,
                                                   HOLD_CONDUCTANCE * nominal_conductance(link)};
        }
        if (!let_go)
            solver->nfixed = count;
    }
    solver->equations.holds = solver->holds = holds;
    solver->nholds = count;
    solver->equations.nholds = solver->nfixed;
    return LINNET_OK;
}

void ln_dc_drop_hold(ln_dc_solver *solver, int k) {
    memmove(solver->holds + k, solver->holds + k + 1,
            (size_t)(solver->nholds - k - 1) * sizeof *solver->holds);
    solver->nholds--;
    solver->nfixed -= k < solver->nfixed;
    solver->equations.nholds = solver->nfixed;
}

int ln_dc_begin(ln_dc_solver *solver, ln_run *run, double alpha, ln_side side) {
    ln_system *system = run->system;
    *solver = (ln_dc_solver){.run = run,
                             .linear = ln_linear_new(&system->pattern, run->settings->linear),
                             .solved = run->guess,
                             .solved_before = run->far_guess};
    solver->equations = (ln_dc_equations){.set = {.system = system,
                                                  .pattern = &system->pattern,
                                                  .residual = dc_residual,
                                                  .jacobian = dc_jacobian,
                                                  .linear = system->linear,
                                                  .constant_terms = {run->s}},
                                          .alpha = alpha,
                                          .scale = 1,
                                          .side = side,
                                          .q0 = run->q,
                                          .s = run->s,
                                          .q = run->q1};
    return solver->linear != NULL;
}

/* ---- strategies ---- */

/* of Newton's method: junctions limit their steps, from afar each may take dozens of iterations */
enum { ITERATIONS = 100 };

static int solve_within(ln_dc_solver *solver, double *x, int iterations, int damped) {
    ln_newton_matrix matrix = {.linear = solver->linear};
    if (solver->out_of_memory)
        return 0; /* another way would lead elsewhere than where there is memory */
    solver->outcome = ln_newton_solve(&solver->run->newton, &solver->equations.set, &matrix, x,
                                      iterations, damped);
    solver->out_of_memory = solver->outcome == LN_NEWTON_MEMORY;
    return solver->outcome == LN_NEWTON_CONVERGED;
}

/* Newton from x alone. */
static int solve_once(void *problem, double *x, int damped) {
    return solve_within(problem, x, ITERATIONS, damped);
}

/* A step of a homotopy that takes many more iterations than the one before has gone astray: a
 * shorter one costs less. */
static int solve_on_homotopy(void *problem, double *x, int damped) {
    enum { AT_LEAST = 20, TIMES = 4 };
    ln_dc_solver *solver = problem;
    const long begun = solver->run->newton.iterations;
    const int limit =
        solver->last_iterations * TIMES > AT_LEAST ? solver->last_iterations * TIMES : AT_LEAST;
    const int iterations =
        damped || solver->last_iterations == 0 || limit > ITERATIONS ? ITERATIONS : limit;
    const int done = solve_within(solver, x, iterations, damped);
    if (done)
        solver->last_iterations = (int)(solver->run->newton.iterations - begun);
    return done;
}

static ln_continuation path_of(ln_dc_solver *solver) {
    return (ln_continuation){solver->run->n, solver->solved, solver->solved_before,
                             solver,         solve_once,     0};
}

static int try_newton(ln_dc_solver *solver, double *x, const double *guess) {
    (void)guess;
    return solve_once(solver, x, 0);
}

static int try_damped_newton(ln_dc_solver *solver, double *x, const double *guess) {
    memcpy(x, guess, (size_t)solver->run->n * sizeof *x);
    return solve_once(solver, x, 1);
}

/* Newton, then damped, from x alone; solver->solved is work. */
static int solve_directly(ln_dc_solver *solver, double *x) {
    memcpy(solver->solved, x, (size_t)solver->run->n * sizeof *x);
    return try_newton(solver, x, NULL) || try_damped_newton(solver, x, solver->solved);
}

static int follow_homotopy(ln_dc_solver *solver, double *x,
                           void (*set_position)(void *problem, double position)) {
    ln_continuation path = path_of(solver);
    path.solve = solve_on_homotopy;
    solver->last_iterations = 0;
    const int done = ln_continue(&path, set_position, x);
    solver->reached = path.reached;
    return done;
}

/* down by twelve decades, to 1e-12 S, then none */
enum { DECADES = 12 };

/* Within a homotopy devices may rest; at its end they are evaluated. */
static void set_rests(ln_dc_solver *solver, double position) {
    const int may = position < 1 && !solver->run->settings->evaluate_all;
    solver->equations.rests = may ? ln_rests_within(LN_RESTS) : 0;
}

static void set_gmin(void *problem, double position) {
    ln_dc_solver *solver = problem;
    set_rests(solver, position);
    solver->equations.gmin = position >= 1 ? 0 : FIRST_CONDUCTANCE * pow(10, -DECADES * position);
}

static int step_gmin(ln_dc_solver *solver, double *x, const double *guess) {
    (void)guess;
    return follow_homotopy(solver, x, set_gmin);
}

static void set_sources(void *problem, double position) {
    ln_dc_solver *solver = problem;
    set_rests(solver, position);
    solver->equations.scale = position;
}

static int step_sources(ln_dc_solver *solver, double *x, const double *guess) {
    (void)guess;
    return follow_homotopy(solver, x, set_sources);
}

static int go_in_time(ln_dc_solver *solver, const ln_pseudo_time *time, double *x,
                      const double *guess) {
    ln_dc_equations *equations = &solver->equations;
    ln_continuation path = path_of(solver);
    memcpy(solver->solved, guess, (size_t)solver->run->n * sizeof *x);
    equations->anchor = solver->solved;
    const int done = ln_continue_in_time(&path, time, x);
    solver->reached = path.reached;
    return done;
}

static void set_links_slow(void *problem, double inverse_step) {
    ln_dc_solver *solver = problem;
    solver->equations.pseudo_conductance = FIRST_CONDUCTANCE * inverse_step;
}

/* Where alpha is the problem's own (a step): links alone are slow, as if each had a capacitance
 * that vanishes in pseudo-time. A state that cannot go on (of a latch) moves to where it would
 * settle. The conductance grows up to 1000 S (1 mS times FIRST_CONDUCTANCE times `largest`):
 * beyond that, links without a series resistance diverge. */
int ln_dc_relax(ln_dc_solver *solver, double *x, const double *guess) {
    static const ln_pseudo_time links = {
        .set_inverse_step = set_links_slow, .smallest = 1e-13, .largest = 1e3, .try_below = 1e-13};
    solver->means = "pseudo-transient continuation";
    return go_in_time(solver, &links, x, guess);
}

/* The first step is a thousandth of the model's time. One as long as that time has a conductance of
 * 1 uS at each link. */
static void set_alpha(void *problem, double inverse_step) {
    static const double FIRST = 1e3, CONDUCTANCE = 1e-3;
    ln_dc_solver *solver = problem;
    solver->equations.alpha = FIRST * inverse_step / solver->span;
    solver->equations.pseudo_conductance = CONDUCTANCE * FIRST * inverse_step;
}

static void accept_point(void *problem, const double *x) {
    ln_dc_solver *solver = problem;
    (void)ln_system_q(solver->run->system, solver->equations.side, x, solver->run->f);
}

/* The operating point (alpha = 0, so that run->f is free for q0): steps of backward Euler from
 * `guess`. Once they are longer than the model's time, Newton alone is tried from where they led.
 */
static int pseudo_time_at_rest(ln_dc_solver *solver, double *x, const double *guess) {
    static const ln_pseudo_time all = {.set_inverse_step = set_alpha,
                                       .accepted = accept_point,
                                       .smallest = 1e-15,
                                       .largest = 1e21,
                                       .try_below = 1e-3,
                                       .damped = 1};
    ln_dc_equations *equations = &solver->equations;
    const double *start_q = equations->q0;
    memcpy(solver->run->f, start_q, (size_t)solver->run->n * sizeof *start_q);
    equations->q0 = solver->run->f;
    const int done = go_in_time(solver, &all, x, guess);
    equations->q0 = start_q;
    return done;
}

static int pseudo_transient(ln_dc_solver *solver, double *x, const double *guess) {
    return solver->equations.alpha > 0 ? ln_dc_relax(solver, x, guess)
                                       : pseudo_time_at_rest(solver, x, guess);
}

/* In the order of what they cost. */
static const struct strategy {
    const char *means;
    int (*solve)(ln_dc_solver *solver, double *x, const double *guess);
} strategies[] = {
    {"Newton", try_newton},
    {"damped Newton", try_damped_newton},
    {"gmin stepping", step_gmin},
    {"source stepping", step_sources},
    {"pseudo-transient continuation", pseudo_transient},
};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

/* At the end of a homotopy the error of the last update was estimated by the rate of the ones
 * before; Newton's method from the point itself leaves no estimate. */
static void refine(ln_dc_solver *solver, double *x) {
    const size_t bytes = (size_t)solver->run->n * sizeof *x;
    memcpy(solver->solved, x, bytes);
    if (!try_newton(solver, x, NULL))
        memcpy(x, solver->solved, bytes);
    if (!solver->out_of_memory)
        solver->outcome = LN_NEWTON_CONVERGED;
}

/* What was tried in vain, and how far it came: "Newton, gmin stepping (down to 1e-05 of its
 * start)". */
static void note_tried(ln_dc_solver *solver, int k) {
    char *text = solver->tried;
    const size_t at = k == 0 ? 0 : strlen(text), room = sizeof solver->tried - at;
    const double far = solver->reached;
    (void)snprintf(text + at, room, "%s%s", k > 0 ? ", " : "", strategies[k].means);
    const size_t end = strlen(text), left = sizeof solver->tried - end;
    if (far < 0)
        (void)snprintf(text + end, left, " (not even its first step)");
    else if (strategies[k].solve == step_gmin && far < 1)
        (void)snprintf(text + end, left, " (down to %.2g of its start)", pow(10, -DECADES * far));
    else if (strategies[k].solve == step_gmin)
        (void)snprintf(text + end, left, " (down to 0, where the last step fails)");
    else if (strategies[k].solve == step_sources)
        (void)snprintf(text + end, left, " (up to %.3g %%)", 100 * far);
}

/* By the first strategy that serves; solver->means says which. */
static int solve_by_strategies(ln_dc_solver *solver, double *x, const double *guess) {
    solver->tried[0] = '\0';
    for (int k = 0; k < STRATEGIES; k++) {
        solver->means = strategies[k].means;
        solver->by_plain_newton = k == 0;
        solver->reached = 0;
        if (strategies[k].solve(solver, x, guess)) {
            if (k > 0)
                refine(solver, x);
            return !solver->out_of_memory;
        }
        if (solver->out_of_memory)
            return 0;
        note_tried(solver, k);
        if (solver->run->system->linear)
            return 0;
        /* a singular Jacobian at rest may mean free combinations: find_rest() then takes long
         * steps, each of which may use every strategy */
        if (k == 0 && solver->outcome == LN_NEWTON_SINGULAR && !(solver->equations.alpha > 0) &&
            !solver->ignores_singular_start)
            return 0;
    }
    return 0;
}

/* ---- to a point at rest ---- */

/* First guesses are held, and devices are off that ask for it, only on the way to an operating
 * point, and not from a known point. */
static int is_guided(const ln_dc_solver *solver) {
    return (solver->nholds > solver->nfixed || ln_system_asks_off(solver->run->system)) &&
           !(solver->equations.alpha > 0) && !solver->run->system->linear &&
           solver->run->settings->start_x == NULL;
}

/* With first guesses held and devices off, and then without. */
static int solve_guided(ln_dc_solver *solver, double *x, const double *guess) {
    solver->equations.nholds = solver->nholds;
    solver->equations.manner = LN_DEVICES_OFF;
    const int found = solve_by_strategies(solver, x, guess);
    solver->equations.manner = 0;
    solver->equations.nholds = solver->nfixed;
    return found && solve_directly(solver, x);
}

int ln_dc_solve(ln_dc_solver *solver, double *x, const double *guess) {
    if (is_guided(solver)) {
        if (solve_guided(solver, x, guess))
            return 1;
        memcpy(x, guess, (size_t)solver->run->n * sizeof *x);
    }
    return solve_by_strategies(solver, x, guess);
}

/* Does everything change by less than 1e-9 of its size in the model's time, by the last two points?
 * What is left is rounding, or the end of a decay that is not exponential (a reaction of second
 * order). */
static int is_slow(const ln_dc_solver *solver, const double *x, const double *before) {
    const double *nominal = solver->run->system->nominal;
    for (int i = 0; i < solver->run->n; i++) {
        double rate = fabs(x[i] - before[i]) * solver->equations.alpha;
        if (!(rate * solver->span <= 1e-9 * fmax(fabs(x[i]), nominal[i])))
            return 0;
    }
    return 1;
}

/* The steps grow tenfold from 100 to 1e6 times the model's time. They end where x no longer
 * changes, to 1e-9 or a thousandth of its absolute tolerance; LONG_STEPS is chosen, seven lead to
 * the longest and the others wait for slow decays. */
int ln_dc_long_steps(ln_dc_solver *solver, double *x, double *q0) {
    enum { LONG_STEPS = 60 };
    static const double FIRST_ALPHA = 1e-2, LAST_ALPHA = 1e-6;
    size_t n = (size_t)solver->run->n;
    double *before = solver->run->f;
    solver->equations.alpha = FIRST_ALPHA / solver->span;
    int done = 0;
    for (int k = 0; k < LONG_STEPS; k++) {
        memcpy(before, x, n * sizeof *x);
        if (!ln_dc_solve(solver, x, before))
            break;
        double change = 0;
        for (size_t i = 0; i < n; i++) {
            double size = fabs(x[i] - before[i]) /
                          (1e-9 * fabs(x[i]) + 1e-3 * solver->run->system->abstol[i]);
            change = fmax(change, size);
        }
        (void)ln_system_q(solver->run->system, solver->equations.side, x, q0);
        if ((done = k > 0 && change <= 1))
            break;
        if (k > 0 && (k == LONG_STEPS - 1 || solver->accepts_slow) &&
            (done = is_slow(solver, x, before)))
            break;
        if (k == LONG_STEPS - 1) {
            solver->never_rests = 1;
            solver->outcome = LN_NEWTON_DIVERGED;
            for (size_t i = 0; i < n; i++)
                solver->run->newton.dx[i] = (x[i] - before[i]) * solver->equations.alpha;
            break;
        }
        if (solver->equations.alpha > LAST_ALPHA / solver->span)
            solver->equations.alpha /= 10;
    }
    solver->equations.alpha = 0;
    return done;
}
