/* SPDX-License-Identifier: MIT */
/* Errors carried along with a run: see global_error.h. */
#include "integrate/global_error.h"

#include "base/loops.h"
#include "integrate/stepper.h"
#include "system/delay.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Linear networks of more unknowns go without: their steps are little else than solutions, of which
 * this takes two to three more. At this size a step's other work, output among it, hides them. */
enum { MOST_LINEAR = 32 };
/* A jump that comes a little early is off by its height for a moment, and the linearised equations
 * tell more than its height. What has been off for less than this part of the run is not told, nor
 * how far it was off for less. */
static const double FOR_LONG = 0.01;
static const double LEVEL = 3; /* from one to the next */

linnet_status ln_global_error_init(ln_run *run) {
    const int n = run->n;
    if (!run->adaptive || (run->system->linear && n > MOST_LINEAR))
        return LINNET_OK;
    ln_global_error *global = ln_arena_alloc(run->arena, 1, sizeof *global);
    if (global == NULL)
        return LINNET_MEMORY;
    double **vectors[] = {&global->error,        &global->saved,   &global->charge,
                          &global->saved_charge, &global->term,    &global->stored,
                          &global->low,          &global->high,    &global->largest,
                          &global->at,           &global->forcing, &global->acting};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if ((*vectors[k] = LN_NEW(run->arena, double, n)) == NULL)
            return LINNET_MEMORY;
    global->pair = LN_NEW(run->arena, double, 2 * n);
    global->off = LN_NEW(run->arena, double, (size_t)LN_ERROR_LEVELS *(size_t)n);
    if (global->pair == NULL || global->off == NULL)
        return LINNET_MEMORY;
    memcpy(global->low, run->x, (size_t)n * sizeof *run->x);
    memcpy(global->high, run->x, (size_t)n * sizeof *run->x);
    run->global_error = global;
    return LINNET_OK;
}

static void store(const ln_run *run, const double *dq, const double *x, double *stored) {
    const ln_system *system = run->system;
    ln_matrix_apply(&system->E, x, stored);
    for (int k = 0; k < system->ndq; k++)
        stored[system->dq_row[k]] += dq[k] * x[system->dq_col[k]];
}

/* What is not finite, or as large as nothing can be, says nothing any more: a model that doubles
 * its errors in each step. */
static void check(ln_global_error *global, int n) {
    for (int i = 0; i < n; i++)
        if (!(fabs(global->error[i]) < 1e100))
            global->lost = 1;
}

/* x <- alpha (alpha M + J)^-1 stored: with stored = M x what is stored, without what is far faster
 * than 1/alpha, and the rest as it follows from that: G x. */
static void keep_slow(const ln_run *run, ln_linear *factors, double alpha, const double *stored,
                      double *x) {
    for (int i = 0; i < run->n; i++)
        x[i] = alpha * stored[i];
    ln_linear_solve_aside(factors, x);
}

/* What acts throughout a step makes of it (R - 1)/z; global->term: what the step's matrix alone
 * would make of it. */
static void add_acting(const ln_run *run, ln_linear *factors, const ln_error_step *step,
                       const double c[3], int terms) {
    const ln_global_error *global = run->global_error;
    double *term = global->term, *stored = global->stored;
    for (int k = 0; k < terms; k++) {
        for (int i = 0; i < run->n; i++)
            global->error[i] += c[k] * term[i];
        if (k == terms - 1)
            return;
        store(run, step->dq, term, stored);
        keep_slow(run, factors, step->alpha, stored, term);
    }
}

double ln_global_error_part(const ln_run *run) {
    static const double PART = 1e-8; /* of what an error of 1 is */
    double size = 0;
    for (int i = 0; i < run->n; i++)
        size =
            fmax(size, fabs(run->global_error->error[i]) / ln_error_unit(run, i, fabs(run->x[i])));
    return size > 0 ? PART / size : 0;
}

const double *ln_global_error_acting(ln_run *run, double h) {
    ln_global_error *global = run->global_error;
    double *acting = global->acting;
    const double part = run->system->delays != NULL ? ln_global_error_part(run) : 0;
    if (!(part > 0))
        return global->forced ? global->forcing : NULL;
    memset(acting, 0, (size_t)run->n * sizeof *acting);
    ln_delays_add_error_rows(run->system, ln_side_at(run->side, run->side.t - h / 2), run->x, part,
                             acting);
    for (int i = 0; i < run->n; i++)
        acting[i] = (global->forced ? global->forcing[i] : 0) - acting[i];
    return acting;
}

linnet_status ln_global_error_record(ln_run *run) {
    ln_global_error *global = run->global_error;
    if (global == NULL || global->lost || run->system->delays == NULL)
        return LINNET_OK;
    const double known = ln_global_error_part(run), part = known > 0 ? known : 1;
    double *above = global->term, *below = global->stored;
    for (int i = 0; i < run->n; i++) {
        above[i] = run->x[i] + part * global->error[i];
        below[i] = run->x[i] - part * global->error[i];
    }
    return ln_delays_record_errors(run->system, run->side, above, below, part);
}

/* R is a polynomial in G = (1 + h M^-1 J / (alpha h))^-1 without a constant, so that what is
 * infinitely fast vanishes, and of order 2. For TR-BDF2, whose alpha h is 2 + sqrt(2), the third
 * coefficient is zero and R its own. */
void ln_global_error_step_by(ln_run *run, ln_linear *factors, const ln_error_step *step) {
    const double alpha = step->alpha, *dq = step->dq;
    ln_global_error *global = run->global_error;
    if (global == NULL || global->lost)
        return;
    const double p = alpha * step->h, c3 = 1 - 2 * p + p * p / 2, c2 = p - 1 - 2 * c3,
                 c[3] = {1 - c2 - c3, c2, c3}, acting[3] = {1, c2 + c3, c3};
    const int terms = fabs(c3) > 1e-9 ? 3 : 2, n = run->n;
    double *term = global->term, *stored = global->stored;
    if (step->local != NULL)
        memcpy(term, step->local, (size_t)n * sizeof *term);
    else
        keep_slow(run, factors, alpha, step->stored, term);
    memset(global->error, 0, (size_t)n * sizeof *term);
    add_acting(run, factors, step, acting, step->acts_throughout && factors != NULL ? terms : 1);
    memcpy(stored, global->charge, (size_t)n * sizeof *stored);
    for (int k = 0; k < terms && factors != NULL; k++) {
        keep_slow(run, factors, alpha, stored, term);
        for (int i = 0; i < n; i++)
            global->error[i] += c[k] * term[i];
        store(run, dq, term, stored);
    }
    const double *forcing = ln_global_error_acting(run, step->h);
    if (forcing != NULL && factors != NULL) {
        memcpy(term, forcing, (size_t)n * sizeof *term);
        ln_linear_solve_aside(factors, term);
        add_acting(run, factors, step, acting, terms);
    }
    store(run, dq, global->error, global->charge);
    check(global, n);
}

void ln_global_error_step(ln_run *run, double alpha, double h, const double *local) {
    ln_global_error_step_by(run, ln_run_usable_factors(run, alpha),
                            &(ln_error_step){alpha, h, local, NULL, run->system->dq, 0});
}

void ln_global_error_save(const ln_run *run) {
    const size_t size = (size_t)run->n * sizeof(double);
    ln_global_error *global = run->global_error;
    if (global == NULL)
        return;
    memcpy(global->saved, global->error, size);
    memcpy(global->saved_charge, global->charge, size);
}

void ln_global_error_restore(const ln_run *run) {
    const size_t size = (size_t)run->n * sizeof(double);
    ln_global_error *global = run->global_error;
    if (global == NULL)
        return;
    memcpy(global->error, global->saved, size);
    memcpy(global->charge, global->saved_charge, size);
}

void ln_global_error_jump(ln_run *run, const double *before) {
    ln_global_error *global = run->global_error;
    if (global == NULL)
        return;
    for (int i = 0; i < run->n; i++)
        if (fabs(run->x[i] - before[i]) > 1e-9 * fabs(before[i]) + 1e-6 * run->system->abstol[i])
            global->error[i] = 0;
    store(run, run->system->dq, global->error, global->charge);
}

static double shortest_told(const ln_run *run) {
    return FOR_LONG * (run->settings->end - run->settings->begin);
}

/* The least error that is told. */
static double threshold_to_tell(const ln_run *run, int i) {
    const ln_global_error *global = run->global_error;
    return LN_EXPECTED * run->settings->tolerance *
           (global->high[i] - global->low[i] + run->system->abstol[i] / 1e-4);
}

/* What is stored, and what is read of it, which may stand on a steep slope: a rod's speed behind a
 * valve. Not where junctions stand, at which potentials jump: the equations linearised tell nothing
 * of them. What is not stored may follow from derivatives (the potential of a coil that ends at a
 * blocking junction): the matrix of a step turns an error of what is stored into such, by 1/h, for
 * as long as the step is short. */
static int is_judged(const ln_run *run, int i) {
    const int is_read = !run->system->has_junctions && ln_error_is_of_read(run, i);
    return (run->errors.in_error_test[i] || is_read) && (run->index == NULL || run->index[i] == 1);
}

/* The error of unknown i was of this size for h. Above the first level at which it has not been for
 * long it is no larger than that level. */
static void note_size(const ln_run *run, int i, double size, double h) {
    ln_global_error *global = run->global_error;
    double *off = global->off + (size_t)i * LN_ERROR_LEVELS, level = threshold_to_tell(run, i);
    double told = 0;
    for (int k = 0; k < LN_ERROR_LEVELS && size > level; k++, level *= LEVEL) {
        off[k] += h;
        if (off[k] > shortest_told(run))
            told = fmin(size, LEVEL * level);
    }
    if (!(told > global->largest[i]))
        return;
    global->largest[i] = told;
    global->at[i] = run->side.t;
}

void ln_global_error_note(ln_run *run, double h) {
    ln_global_error *global = run->global_error;
    if (global == NULL || global->lost)
        return;
    ln_error_find_least(run, global->error);
    for (int i = 0; i < run->n; i++) {
        const double size = fabs(ln_error_of(run, global->error, i)), x = run->x[i];
        global->low[i] = ln_smaller(global->low[i], x);
        global->high[i] = ln_larger(global->high[i], x);
        if (is_judged(run, i))
            note_size(run, i, size, h);
    }
}

void ln_global_error_warn(const ln_run *run) {
    const ln_global_error *global = run->global_error;
    const double tolerance = run->settings->tolerance;
    double worst = 1;
    int which = -1;
    for (int i = 0; global != NULL && i < run->n; i++) {
        const double size = global->largest[i] / threshold_to_tell(run, i);
        if (!(size > worst))
            continue;
        worst = size;
        which = i;
    }
    if (which < 0)
        return;
    char name[160];
    const double range = global->high[which] - global->low[which], size = global->largest[which],
                 span = run->settings->end - run->settings->begin;
    ln_network_unknown_text(run->system->network, which, name);
    /* the equations linearised tell no more of an edge that comes early than that it does */
    ln_warn(
        run->report, ln_network_unknown_place(run->system->network, which),
        "the errors of the steps add up: at t = %.6g s %s is wrong by %s %.2g, %.2g of its "
        "range, where %.1g is to be expected of a tolerance of %g, which it exceeds for %.2g %% "
        "of the run; take a tighter one, and see --estimate-error",
        global->at[which], name, size < range ? "about" : "up to", fmin(size, range),
        fmin(worst * LN_EXPECTED * tolerance, 1), LN_EXPECTED * tolerance, tolerance,
        100 * fmin(global->off[(size_t)which * LN_ERROR_LEVELS] / span, 1));
}
