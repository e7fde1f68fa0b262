/* SPDX-License-Identifier: MIT */
/* Points at rest from afar: the equations with what is added to them on the way, first guesses, and
 * settling: a backward Euler step of great length keeps exactly the combinations that f leaves
 * free, because the left null space of A conserves q. The aids are in aids.c. */
#include "integrate/aids.h"

#include "base/domain.h"
#include <math.h>
#include <string.h>

/* ---- the equations ---- */

/* conductance that holds a first guess, in the domain's flux by its potential */
static const double HOLDING = 1e9;

static double held_at(const double *x, int unknown) {
    return unknown < 0 ? 0 : x[unknown];
}

static int is_conserved(const ln_link *link) {
    return link->unknown >= 0 && link->domain != LINNET_SIGNAL;
}

/* gmin, pull and holds. */
static void add_aids(const ln_still_equations *still, const double *x, double *r) {
    const ln_network *network = still->set.system->network;
    for (int k = 0; (still->gmin > 0 || still->pull > 0) && k < network->nlinks; k++) {
        const int i = network->links[k].unknown;
        if (!is_conserved(&network->links[k]))
            continue;
        r[i] += still->gmin * x[i];
        if (still->pull > 0)
            r[i] += still->pull * (x[i] - still->near[i]);
    }
    for (int k = 0; k < still->nholds; k++) {
        const ln_hold *hold = &still->holds[k];
        const double flux =
            hold->weight * (held_at(x, hold->a) - held_at(x, hold->b) - hold->value);
        if (hold->a >= 0)
            r[hold->a] += flux;
        if (hold->b >= 0)
            r[hold->b] -= flux;
    }
}

static linnet_status still_residual(ln_equation_set *set, const double *x, int manner, double *r,
                                    int *limited) {
    ln_still_equations *still = (ln_still_equations *)set;
    ln_system *system = set->system;
    ln_matrix_apply(&system->E, x, still->q);
    ln_matrix_apply(&system->A, x, r);
    linnet_status status =
        ln_system_eval(system, still->side, x, manner | still->devices, still->q, r, limited);
    for (int i = 0; i < system->n; i++)
        r[i] += still->alpha * (still->q[i] - still->q0[i]) - still->scale * still->s[i];
    add_aids(still, x, r);
    return status;
}

int ln_pattern_position(const ln_pattern *pattern, int row, int col) {
    for (int k = pattern->start[col]; k < pattern->start[col + 1]; k++)
        if (pattern->row[k] == row)
            return k;
    return -1;
}

static void add_entry(const ln_pattern *pattern, int row, int col, double value, double *values) {
    const int at = row < 0 || col < 0 ? -1 : ln_pattern_position(pattern, row, col);
    if (at >= 0)
        values[at] += value;
}

static void still_jacobian(ln_equation_set *set, double *values) {
    ln_still_equations *still = (ln_still_equations *)set;
    ln_system_jacobian(set->system, still->alpha, values);
    const ln_network *network = set->system->network;
    const double at_link = still->gmin + still->pull;
    for (int k = 0; at_link > 0 && k < network->nlinks; k++)
        if (is_conserved(&network->links[k]))
            add_entry(set->pattern, network->links[k].unknown, network->links[k].unknown, at_link,
                      values);
    for (int k = 0; k < still->nholds; k++) {
        const ln_hold *hold = &still->holds[k];
        add_entry(set->pattern, hold->a, hold->a, hold->weight, values);
        add_entry(set->pattern, hold->b, hold->b, hold->weight, values);
        add_entry(set->pattern, hold->a, hold->b, -hold->weight, values);
        add_entry(set->pattern, hold->b, hold->a, -hold->weight, values);
    }
}

linnet_status ln_still_guesses(ln_still *still, const ln_network *network, ln_arena *arena,
                               int hold) {
    ln_hold *holds = LN_NEW(arena, ln_hold, network->nlinks + 1);
    if (holds == NULL)
        return LINNET_MEMORY;
    int count = 0;
    for (int later = 0; later < 2; later++) {
        for (int k = 0; k < network->nlinks; k++) {
            const ln_link *link = &network->links[k];
            const ln_domain_info *domain = ln_domain(link->domain);
            const int throughout = hold && link->fixed;
            if (!link->has_guess || !is_conserved(link) || later == throughout)
                continue;
            const double weight = HOLDING * domain->flux_nominal / domain->potential_nominal;
            holds[count++] = (ln_hold){link->unknown, -1, link->guess, weight};
        }
        if (!later)
            still->nfixed = count;
    }
    still->guesses = still->equations.holds = holds;
    still->nguesses = count;
    still->equations.nholds = still->nfixed;
    return LINNET_OK;
}

int ln_still_begin(ln_still *still, ln_run *run, double alpha, ln_side side) {
    ln_system *system = run->system;
    *still = (ln_still){.run = run,
                        .linear = ln_linear_new(&system->pattern, run->settings->linear),
                        .good = run->kept};
    still->equations = (ln_still_equations){.set = {.system = system,
                                                    .pattern = &system->pattern,
                                                    .residual = still_residual,
                                                    .jacobian = still_jacobian,
                                                    .linear = system->linear,
                                                    .known = {run->s}},
                                            .alpha = alpha,
                                            .scale = 1,
                                            .side = side,
                                            .q0 = run->q,
                                            .s = run->s,
                                            .q = run->q1};
    return still->linear != NULL;
}

/* ---- the way ---- */

/* First guesses are held, and what asks to be off is, only on the way to a point at rest, and not
 * when it begins at a known point. */
static int is_guided(const ln_still *still) {
    return (still->nguesses > still->nfixed || ln_system_asks_off(still->run->system)) &&
           !(still->equations.alpha > 0) && !still->run->system->linear &&
           still->run->settings->start_x == NULL;
}

/* With guesses held and devices off, and then without. */
static int solve_guided(ln_still *still, double *x, const double *guess) {
    still->equations.nholds = still->nguesses;
    still->equations.devices = LN_DEVICES_OFF;
    const int found = ln_solve_by_aids(still, x, guess);
    still->equations.devices = 0;
    still->equations.nholds = still->nfixed;
    return found && ln_solve_directly(still, x);
}

int ln_still_solve(ln_still *still, double *x, const double *guess) {
    if (is_guided(still)) {
        if (solve_guided(still, x, guess))
            return 1;
        memcpy(x, guess, (size_t)still->run->n * sizeof *x);
    }
    return ln_solve_by_aids(still, x, guess);
}

/* What still changes between the last two points changes by less than 1e-9 of its size in the
 * model's time: what is left is the end of a decay that is no exponential one (a reaction of second
 * order), or rounding. */
static int is_slow(const ln_still *still, const double *x, const double *before) {
    const double *nominal = still->run->system->nominal;
    for (int i = 0; i < still->run->n; i++) {
        double rate = fabs(x[i] - before[i]) * still->equations.alpha;
        if (!(rate * still->span <= 1e-9 * fmax(fabs(x[i]), nominal[i])))
            return 0;
    }
    return 1;
}

int ln_still_settle(ln_still *still, double *x, double *q0) {
    size_t n = (size_t)still->run->n;
    double *before = still->run->f;
    still->equations.alpha = 1e-2 / still->span;
    int done = 0;
    for (int k = 0; k < 60; k++) {
        memcpy(before, x, n * sizeof *x);
        if (!ln_still_solve(still, x, before))
            break;
        double change = 0;
        for (size_t i = 0; i < n; i++) {
            double size =
                fabs(x[i] - before[i]) / (1e-9 * fabs(x[i]) + 1e-3 * still->run->system->abstol[i]);
            change = fmax(change, size);
        }
        ln_take_stored(still, x, q0);
        if ((done = k > 0 && change <= 1))
            break;
        if (k == 59 && (done = is_slow(still, x, before)))
            break;
        if (k == 59) {
            still->drifts = 1;
            still->outcome = LN_NEWTON_DIVERGED;
            for (size_t i = 0; i < n; i++)
                still->run->newton.dx[i] = (x[i] - before[i]) * still->equations.alpha;
            break;
        }
        if (still->equations.alpha > 1e-6 / still->span)
            still->equations.alpha /= 10;
    }
    still->equations.alpha = 0;
    return done;
}
