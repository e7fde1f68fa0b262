/* SPDX-License-Identifier: MIT */
/* See the header. */
#include "integrate/between.h"

#include <math.h>
#include <string.h>

/* alpha h of the equations between: of the implicit methods it is 1 to 4. */
static const double ALPHA_H = 3;
/* What the last step's polynomial missed counts this much for the next, so that an error that
 * passes through zero does not hide what follows. */
static const double FADES = 0.25;
/* An update of this part of what is allowed is the last; a polynomial that so many do not lead to a
 * solution from stays as it is. */
static const double DONE = 0.1;
enum { ITERATIONS = 6 };
/* The slope of the polynomial, from two points so far apart, in parts of the step: it is of degree
 * 5 at most, and what is left of its higher terms is 1e-6 of them. */
static const double APART = 1e-3;

/* Is there a row that stores nothing? */
static int has_algebra(const ln_run *run) {
    for (int i = 0; i < run->n; i++)
        if (!run->system->dynamic[i])
            return 1;
    return 0;
}

static linnet_status allocate(ln_between *between, const ln_run *run) {
    const ln_system *system = run->system;
    double **vectors[] = {&between->start[0], &between->start[1], &between->start[2],
                          &between->allowed,  &between->slope,    &between->q,
                          &between->base,     &between->f};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if ((*vectors[k] = LN_NEW(run->arena, double, run->n)) == NULL)
            return LINNET_MEMORY;
    between->values = LN_NEW(run->arena, double, system->pattern.start[run->n]);
    between->df = LN_NEW(run->arena, double, system->ndf);
    between->places = LN_NEW(run->arena, double, ln_system_places(system));
    between->linear = ln_linear_new(&system->pattern, run->settings->linear);
    return between->values && between->df && between->places && between->linear ? LINNET_OK
                                                                                : LINNET_MEMORY;
}

linnet_status ln_between_init(ln_between *between, ln_run *run, const ln_stepper_class *stepper,
                              void *stepper_data) {
    *between = (ln_between){.stepper = stepper, .stepper_data = stepper_data};
    if (!run->adaptive || run->system->linear || !run->system->linear_q || run->index != NULL ||
        stepper->explicit_ops != NULL || !has_algebra(run))
        return LINNET_OK;
    between->serves = 1;
    return allocate(between, run);
}

void ln_between_free(ln_between *between) {
    ln_linear_free(between->linear);
}

/* The first start goes; its memory becomes that of the last. */
static void drop_first(ln_between *between) {
    double *first = between->start[0];
    for (int k = 1; k < LN_STARTS; k++) {
        between->start[k - 1] = between->start[k];
        between->t[k - 1] = between->t[k];
    }
    between->start[LN_STARTS - 1] = first;
    between->count--;
}

static void add_first(ln_between *between, double t, const double *x, int n) {
    double *last = between->start[LN_STARTS - 1];
    for (int k = LN_STARTS - 1; k > 0; k--) {
        between->start[k] = between->start[k - 1];
        between->t[k] = between->t[k - 1];
    }
    between->start[0] = last;
    memcpy(last, x, (size_t)n * sizeof *x);
    between->t[0] = t;
    between->count += between->count < LN_STARTS;
}

void ln_between_begin_step(ln_between *between, const ln_run *run, int is_fresh) {
    if (!between->serves)
        return;
    between->is_judged = 0;
    while (between->count > 0 && (is_fresh || between->t[0] >= run->side.t))
        drop_first(between);
    add_first(between, run->side.t, run->x, run->n);
}

/* ---- how good the polynomial is ---- */

double ln_interpolation_product(const ln_interpolation *by, double before, double s) {
    double product = s * (s - 1);
    for (int k = 0; k < by->ninside; k++)
        product *= s - by->inside[k];
    return by->passes_step_before ? product * (s + before) : product;
}

double ln_interpolation_most(const ln_interpolation *by, double before) {
    enum { PARTS = 32 }; /* a maximum of a polynomial of degree 4 is met to a hundredth */
    double most = 0;
    for (int k = 1; k < PARTS; k++)
        most = fmax(most, fabs(ln_interpolation_product(by, before + 1, (double)k / PARTS)));
    return most;
}

static void find_allowed(ln_between *between, const ln_run *run) {
    for (int i = 0; i < run->n; i++)
        between->allowed[i] =
            LN_EXPECTED * run->settings->tolerance *
            ln_error_unit(run, i, ln_larger(run->errors.peak[i], fabs(run->x[i])));
}

/* How much the polynomial misses within the step, in units of what is allowed. Led back to the
 * first point behind its own, it misses that by the product of the distances to its points, as
 * within. What is stored counts, too: where it is tied to a source or to what is not stored, the
 * equations mend it. INFINITY: nobody can tell. */
static double find_excess(ln_between *between, ln_run *run, double h) {
    const ln_interpolation *by = &between->stepper->interpolation;
    const int back = by->passes_step_before ? 2 : 1;
    if (by->degree == 0 || between->count <= back)
        return INFINITY;
    const double t = between->t[back], before = (between->t[0] - between->t[1]) / h;
    if (between->stepper->interpolate(run, between->stepper_data, t, between->q) != LINNET_OK)
        return INFINITY;
    const double ratio = ln_interpolation_most(by, before) /
                         fabs(ln_interpolation_product(by, before, (t - between->t[0]) / h));
    double excess = 0;
    for (int i = 0; i < run->n; i++)
        excess = ln_larger(excess, ratio * fabs(between->q[i] - between->start[back][i]) /
                                       between->allowed[i]);
    return isfinite(excess) ? excess : INFINITY;
}

static void judge(ln_between *between, ln_run *run, double h) {
    find_allowed(between, run);
    const double before = isfinite(between->excess) ? FADES * between->excess : 0;
    between->excess = fmax(find_excess(between, run, h), before);
    between->is_judged = 1;
}

/* ---- the equations between ---- */

/* E p' - alpha E p to base, E the matrix of what is stored. */
static int find_base(ln_between *between, ln_run *run, ln_side side, double h, const double *p) {
    double *slope = between->slope, *later = between->base;
    const double begin = run->side.t - h, before = fmax(side.t - APART * h, begin),
                 after = fmin(side.t + APART * h, run->side.t);
    if (between->stepper->interpolate(run, between->stepper_data, before, slope) != LINNET_OK ||
        between->stepper->interpolate(run, between->stepper_data, after, later) != LINNET_OK)
        return 0;
    for (int i = 0; i < run->n; i++)
        slope[i] = (later[i] - slope[i]) / (after - before) - ALPHA_H / h * p[i];
    ln_matrix_apply(&run->system->E, slope, between->base);
    return 1;
}

/* One step of Newton's method: x and the largest update, in units of what is allowed. */
static int update(ln_between *between, ln_run *run, ln_side side, double alpha, double *x,
                  double *largest) {
    ln_system *system = run->system;
    double *f = between->f, *q = between->q;
    ln_matrix_apply(&system->E, x, q); /* linear: see ln_between_init() */
    ln_matrix_apply(&system->A, x, f);
    run->statistics->evaluations++;
    if (ln_system_eval(system, &(ln_moment){side, x}, LN_LIMIT_OFF, NULL, f, NULL) != LINNET_OK)
        return 0;
    for (int i = 0; i < run->n; i++)
        f[i] += alpha * q[i] + between->base[i] - run->s[i];
    ln_system_jacobian(system, alpha, between->values);
    if (ln_linear_factor(between->linear, between->values) != LN_FACTORED)
        return 0;
    ln_linear_solve(between->linear, f);
    *largest = 0;
    for (int i = 0; i < run->n; i++) {
        x[i] -= f[i];
        *largest = ln_larger(*largest, fabs(f[i]) / between->allowed[i]);
    }
    return isfinite(*largest);
}

static int solve(ln_between *between, ln_run *run, ln_side side, double h, double *x) {
    double largest = INFINITY;
    if (ln_system_sources(run->system, side, run->s) != LINNET_OK ||
        !find_base(between, run, side, h, x))
        return 0;
    for (int k = 0; k < ITERATIONS && largest > DONE; k++)
        if (!update(between, run, side, ALPHA_H / h, x, &largest))
            return 0;
    return largest <= DONE;
}

/* What a look elsewhere changes of the system is put back: the next step goes on from its own. */
static void look(ln_between *between, ln_run *run, ln_side side, double h, double *x) {
    ln_system *system = run->system;
    const size_t df = (size_t)system->ndf * sizeof(double), bytes = (size_t)run->n * sizeof *x;
    memcpy(between->df, system->df, df);
    ln_system_save_places(system, between->places);
    memcpy(run->guess, x, bytes);
    if (!solve(between, run, side, h, x))
        memcpy(x, run->guess, bytes);
    ln_system_restore_places(system, between->places);
    memcpy(system->df, between->df, df);
}

void ln_between_solve(ln_between *between, ln_run *run, ln_side side, double h, double *x) {
    if (!between->serves)
        return;
    if (!between->is_judged)
        judge(between, run, h);
    if (between->excess > 1)
        look(between, run, side, h, x);
}
