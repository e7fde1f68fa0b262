/* SPDX-License-Identifier: MIT */
/* What rounding takes away: the noise of a solution through the factorisation (convergence.h), and
 * the warning where it is more than the tolerance. */
#include "integrate/rounding.h"

#include "system/linearise.h"

#include <math.h>
#include <string.h>

/* The sizes of the terms of alpha q(x) + A x + f(x) - s at x, by their rows, for the noise; the
 * Jacobian's values are left in newton.values. 0: a block refuses the point. */
static int find_sizes(ln_run *run, double alpha, ln_side side, const double *x) {
    ln_system *system = run->system;
    ln_convergence *judge = &run->newton.convergence;
    judge->noise_is_known = 0;
    if (ln_system_sources(system, side, run->s) != LINNET_OK ||
        ln_system_eval(system, &(ln_moment){side, x}, LN_LIMIT_OFF, NULL, NULL, NULL) != LINNET_OK)
        return 0;
    ln_system_jacobian(system, alpha, run->newton.values);
    for (int i = 0; i < run->n; i++)
        judge->magnitude[i] = fabs(run->s[i]);
    ln_add_abs_product(&system->pattern, run->newton.values, 1, x, judge->magnitude);
    return 1;
}

/* The same of constant coefficients alone: of these each step loses the same. */
static void find_constant_sizes(ln_run *run, double alpha) {
    const ln_system *system = run->system;
    double *magnitude = run->newton.convergence.magnitude;
    memset(magnitude, 0, (size_t)run->n * sizeof *magnitude);
    ln_add_abs_product(&system->A.pattern, system->A.value, 1, run->x, magnitude);
    ln_add_abs_product(&system->E.pattern, system->E.value, alpha, run->x, magnitude);
}

/* Factors of a step of h that ends at x, and the sizes there; NULL: see ln_run_find_noise(). */
static ln_linear *factor_at(ln_run *run, double h, ln_side side, const double *x) {
    ln_step_factors *factors = h > 0 ? ln_run_factors_for(run, 1 / h) : NULL;
    if (factors == NULL || !find_sizes(run, 1 / h, side, x))
        return NULL;
    factors->matrix.usable =
        ln_linear_factor(factors->matrix.linear, run->newton.values) == LN_FACTORED;
    return factors->matrix.usable ? factors->matrix.linear : NULL;
}

int ln_run_find_noise(ln_run *run, double h, ln_side side, const double *x, double *noise) {
    ln_convergence *judge = &run->newton.convergence;
    ln_linear *linear = factor_at(run, h, side, x);
    if (linear != NULL)
        ln_convergence_find_noise(judge, linear);
    for (int i = 0; linear != NULL && i < run->n; i++)
        noise[i] = ln_convergence_noise(judge, i);
    judge->noise_is_known = 0; /* that of this point */
    return linear != NULL;
}

/* ---- the warning ---- */

/* The largest unknown of a unit. Volts that follow from a balance of kiloamperes are as good as
 * those are: what is small beside the largest has cancelled, or is at rest at the moment. */
typedef struct unit_size {
    const char *unit;
    double largest;
} unit_size;
/* More units than a model of all domains has; beyond them an unknown stands for itself. */
enum { MOST_UNITS = 64 };

static double size_of(const ln_run *run, int i) {
    return fmax(run->errors.peak[i], fabs(run->x[i]));
}

/* The entry of the unit of unknown i; NULL: there is no room for it. */
static unit_size *unit_of(const ln_run *run, unit_size *sizes, int *count, int i) {
    const char *unit = ln_network_unknown_unit(run->system->network, i);
    for (int k = 0; k < *count; k++)
        if (strcmp(sizes[k].unit, unit) == 0)
            return &sizes[k];
    if (*count == MOST_UNITS)
        return NULL;
    sizes[*count] = (unit_size){unit, 0};
    return &sizes[(*count)++];
}

/* How many times what the tolerance allows the noise of unknown i is, beside `largest`. Without the
 * margin that noise has where it is to be passed over. */
static double excess(const ln_run *run, int i, double largest) {
    const double tolerance =
        run->settings->tolerance > 0 ? run->settings->tolerance : LN_DEFAULT_TOLERANCE;
    return run->newton.convergence.noise[i] /
           (tolerance * (largest + run->system->abstol[i] / LN_DEFAULT_TOLERANCE));
}

/* Does the noise of an unknown exceed what is allowed by so many times, beside itself alone? */
static int is_noisy(const ln_run *run, double times) {
    for (int i = 0; i < run->n; i++)
        if (excess(run, i, size_of(run, i)) > times)
            return 1;
    return 0;
}

/* The unknown of which rounding leaves the least, -1: of all it leaves enough. */
static int find_noisiest(const ln_run *run) {
    unit_size sizes[MOST_UNITS];
    int count = 0, found = -1;
    double worst = 1;
    const int any = is_noisy(run, 1);
    for (int i = 0; any && i < run->n; i++) {
        unit_size *size = unit_of(run, sizes, &count, i);
        if (size != NULL)
            size->largest = fmax(size->largest, size_of(run, i));
    }
    for (int i = 0; any && i < run->n; i++) {
        const unit_size *size = unit_of(run, sizes, &count, i);
        const double times = excess(run, i, size != NULL ? size->largest : size_of(run, i));
        if (times > worst)
            worst = times, found = i;
    }
    return found;
}

/* The row whose rounding makes the most of unknown i: of K^-T e_i, by the sizes of the rows. */
static int find_row(ln_run *run, ln_linear *linear, int i) {
    double *weight = run->newton.trial, most = -1;
    const double *magnitude = run->newton.convergence.magnitude;
    int found = i;
    memset(weight, 0, (size_t)run->n * sizeof *weight);
    weight[i] = 1;
    ln_linear_solve_transposed(linear, weight);
    for (int k = 0; k < run->n; k++)
        if (fabs(weight[k]) * magnitude[k] > most)
            most = fabs(weight[k]) * magnitude[k], found = k;
    return found;
}

/* The block with the largest term in a row. */
typedef struct largest_term {
    const double *x;
    double alpha, size;
    int row, instance;
} largest_term;

static void look_at_entry(void *context, int instance, linnet_kind kind, int row, int unknown,
                          double value) {
    largest_term *term = context;
    const double size = fabs(value * term->x[unknown]) * (kind == LINNET_E ? term->alpha : 1);
    if (row == term->row && size > term->size)
        term->size = size, term->instance = instance;
}

static void warn(ln_run *run, int unknown, int row, double alpha) {
    const ln_network *network = run->system->network;
    const double *size = run->newton.convergence.magnitude;
    char name[160], sum[160];
    largest_term term = {run->x, alpha, 0, row, -1};
    ln_network_unknown_text(network, unknown, name);
    ln_network_row_text(network, row, sum);
    if (ln_system_entries(run->system, (ln_moment){run->side, run->x}, look_at_entry, &term) !=
        LINNET_OK)
        term.instance = -1;
    const ln_instance *block = term.instance >= 0 ? &network->instances[term.instance] : NULL;
    ln_warn(run->report, block != NULL ? block->place : ln_network_unknown_place(network, unknown),
            "rounding leaves %s, which is %.3g, uncertain by %.1g: terms of %.1g cancel in %s%s%s; "
            "look for a resistance of next to nothing there, or for a link that all but floats",
            name, run->x[unknown], run->newton.convergence.noise[unknown], size[row], sum,
            block != NULL ? ", the largest of " : "", block != NULL ? block->name : "");
}

static void solve_aside(void *factors, double *b) {
    ln_linear_solve_aside(factors, b);
}

/* Of the sizes at hand. */
static void warn_by(ln_run *run, double alpha, ln_linear *linear) {
    ln_convergence *judge = &run->newton.convergence;
    ln_convergence_find_noise_by(judge, solve_aside, linear);
    judge->noise_is_known = 0; /* that of this point */
    const int unknown = find_noisiest(run);
    if (unknown < 0)
        return;
    run->told_of_rounding = 1;
    warn(run, unknown, find_row(run, linear, unknown), alpha);
}

void ln_rounding_warn(ln_run *run, ln_linear *linear) {
    if (!run->told_of_rounding && find_sizes(run, 0, run->side, run->x))
        warn_by(run, 0, linear);
}

/* A linear network: can what all steps of a kept factorisation's length lose add up to too much
 * over the span? Its factors are those of every point. 1 also where there are none. */
static int may_add_up(ln_run *run, double span) {
    const ln_step_factors *kept = NULL;
    for (int k = 0; run->system->linear && k < LN_KEPT_FACTORS; k++)
        if (run->cache.factors[k].matrix.linear != NULL && run->cache.factors[k].matrix.usable)
            kept = &run->cache.factors[k];
    if (kept == NULL || !find_sizes(run, kept->alpha, run->side, run->x))
        return 1;
    ln_convergence_find_noise(&run->newton.convergence, kept->matrix.linear);
    run->newton.convergence.noise_is_known = 0;
    return is_noisy(run, 1 / fmax(1, span * kept->alpha));
}

/* One step over all of the run, or a tenth of it and so on: where rounding leaves nothing of what
 * determines an unknown, the matrix of a long step is singular. */
void ln_rounding_warn_at_end(ln_run *run) {
    enum { DECADES = 15 };
    double h = run->side.t - run->settings->begin;
    ln_linear *linear = NULL;
    if (run->told_of_rounding || !may_add_up(run, h))
        return;
    for (int k = 0; k < DECADES && linear == NULL; k++, h /= 10)
        linear = factor_at(run, h, run->side, run->x);
    if (linear == NULL)
        return;
    find_constant_sizes(run, 1 / (10 * h));
    warn_by(run, 1 / (10 * h), linear);
}
