/* SPDX-License-Identifier: MIT */
/* TR-BDF2: a trapezoidal stage to t + gamma h and a BDF2 stage to t + h; L-stable, order 2, with an
 * embedded error estimate of order 3 [Bank et al., IEEE Trans. CAD 4 (1985) 436; Hosea, Shampine,
 * Appl. Numer. Math. 20 (1996) 21, eq. 4 and 13]. gamma = 2 - sqrt(2), for which both stages share
 * alpha = 2/(gamma h). With q' = -f on dynamic rows:
 *
 *   stage 1:     q_near = q0,   w = f0
 *   stage 2:     q_near = q_g,  w = -(1 - gamma)/(gamma h) (q_g - q0)
 *   error of q:  2 k h (q0'/gamma - q_g'/(gamma(1-gamma)) + q1'/(1-gamma)),  k = (-3 gamma^2 + 4
 * gamma - 2)/(12 (2-gamma))
 *
 * and the error of x is K^-1 alpha (error of q), which damps stiff components. Between the ends, x
 * is the parabola through x0, x_g and x1.
 *
 * f0 right of an instant may be that of a layer which the first step passes (parabola.h). The
 * trapezoidal stage gives it back with the other sign: where f is constrained, as the voltage of a
 * coil that ends at a blocking junction is, f_g = 2 f - f0. Then the stages are those of the
 * two-stage SDIRK method, which asks for no f0, with g = gamma/2: it has the same alpha, the same
 * stability function and so the same error of linear problems [Alexander, SIAM J. Numer. Anal. 14
 * (1977) 1006]:
 *
 *   stage 1:     q_near = q0,   w = 0                                  at t + g h
 *   stage 2:     q_near = q_g,  w = (2 - 1/g) alpha (q_g - q0)         at t + h
 *   error of q:  as above, with g for gamma but in k */
/* Loops over all unknowns become vectors by -O3 only. The pragma would else lose the command line's
 * contraction. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "base/loops.h"
#include "integrate/across.h"
#include "integrate/global_error.h"
#include "integrate/parabola.h"

#include <math.h>
#include <string.h>

typedef struct tr_bdf2 {
    ln_control control;
    ln_across across;
    double *x0, *xg, *qg, *fg; /* the start and the inner point of the last step */
    double *work;              /* 4 n: of ln_parabola_leaves_start() */
    double t0, h;
    double inside;    /* where the inner point lies, in parts of the step */
    int first;        /* the next step is the first after an instant */
    int leaves_start; /* the step at hand (ln_parabola) */
    int has_kink;     /* the last step (ln_parabola) */
} tr_bdf2;

#define GAMMA 0.58578643762690495119831 /* 2 - sqrt(2) */
static const double gamma_ = GAMMA;

static linnet_status create(ln_run *run, void *stepper_data) {
    tr_bdf2 *scheme = stepper_data;
    double **vectors[] = {&scheme->x0, &scheme->xg, &scheme->qg, &scheme->fg};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if ((*vectors[k] = LN_NEW(run->arena, double, run->n)) == NULL)
            return ln_no_memory(run->report);
    if ((scheme->work = LN_NEW(run->arena, double, 4 * (size_t)run->n)) == NULL)
        return ln_no_memory(run->report);
    if (ln_across_init(&scheme->across, run) != LINNET_OK)
        return ln_no_memory(run->report);
    ln_control_begin(&scheme->control, 3, run->system->linear);
    return LINNET_OK;
}

static linnet_status restart(ln_run *run, void *stepper_data) {
    tr_bdf2 *scheme = stepper_data;
    ln_control_restart(&scheme->control, run);
    ln_across_restart(&scheme->across);
    scheme->first = run->adaptive;
    scheme->leaves_start = 0;
    return LINNET_OK;
}

/* Where the last steps lead; a step of fixed length starts from its own start. */
static void guess_inner(ln_run *run, tr_bdf2 *scheme, double h, ln_side at) {
    if (run->accuracy.predicts)
        (void)ln_predictor_guess(&run->predictor, run->side.t, run->x, scheme->inside * h, 2,
                                 scheme->xg);
    if (!run->accuracy.predicts || !ln_run_keeps_branch(run, at, scheme->xg))
        memcpy(scheme->xg, run->x, (size_t)run->n * sizeof *run->x);
}

static void guess_end(ln_run *run, const tr_bdf2 *scheme, double h, ln_side at) {
    if (run->accuracy.predicts)
        ln_predictor_go_on(&run->predictor, run->side.t, run->x, h,
                           &(ln_inner_stage){scheme->inside, scheme->xg}, run->x1);
    if (!run->accuracy.predicts || !ln_run_keeps_branch(run, at, run->x1))
        memcpy(run->x1, scheme->xg, (size_t)run->n * sizeof *run->x1);
}

/* The stage inside the step: trapezoidal, or of backward Euler where the step leaves its start. */
static int solve_inner(ln_run *run, tr_bdf2 *scheme, double alpha, double h, ln_side side) {
    const ln_side at = ln_side_at(side, run->side.t + scheme->inside * h);
    const ln_point inner = {scheme->xg, scheme->qg, scheme->fg};
    guess_inner(run, scheme, h, at);
    return scheme->leaves_start ? ln_run_solve_euler(run, scheme->inside * h, run->q, at, inner)
                                : ln_run_solve(run, alpha, run->q, run->f, at, inner);
}

/* Both stages; the new point is in x1, q1, f1. */
static int two_stages(ln_run *run, tr_bdf2 *scheme, double h, ln_side side) {
    const double g = gamma_ / (scheme->leaves_start ? 2 : 1), alpha = 2 / (gamma_ * h);
    const double weight = (scheme->leaves_start ? 2 - 1 / g : g - 1) / (g * h);
    scheme->inside = g;
    if (!solve_inner(run, scheme, alpha, h, side))
        return 0;
    guess_end(run, scheme, h, ln_side_at(side, run->side.t + h));
    const double *start = run->q, *inner = scheme->qg;
    double *w = run->w;
    LN_APART
    for (int i = 0; i < run->n; i++)
        w[i] = weight * (inner[i] - start[i]);
    if (!ln_run_solve(run, alpha, scheme->qg, run->w, ln_side_at(side, run->side.t + h),
                      ln_run_end(run)))
        return 0;
    scheme->t0 = run->side.t;
    scheme->h = h;
    return 1;
}

/* The local error of x into run->w. */
static int estimate(ln_run *run, const tr_bdf2 *scheme) {
    const double g = gamma_, c = scheme->inside, alpha = 2 / (g * scheme->h),
                 k = (-3 * g * g + 4 * g - 2) / (12 * (2 - g));
    const double factor = -2 * k * scheme->h * alpha;
    const double *start = run->f, *inner = scheme->fg, *end = run->f1;
    double *w = run->w;
    LN_APART
    for (int i = 0; i < run->n; i++)
        w[i] = factor * (start[i] / c - inner[i] / (c * (1 - c)) + end[i] / (1 - c));
    return ln_run_solve_again(run, alpha, w);
}

/* Both stages of an adaptive step: the first after an instant is taken anew where it turns out to
 * leave its start. */
static int solve_adaptive(ln_run *run, tr_bdf2 *scheme, double h, ln_side side) {
    if (!two_stages(run, scheme, h, side))
        return 0;
    if (!scheme->first || scheme->leaves_start)
        return 1;
    const ln_parabola points = {run->side.t,
                                h,
                                scheme->inside,
                                {run->x, scheme->xg, run->x1},
                                {run->q, scheme->qg, run->q1},
                                0,
                                0};
    scheme->leaves_start =
        ln_parabola_leaves_start(run, &points, side, 2 / (gamma_ * h), scheme->work);
    return !scheme->leaves_start || two_stages(run, scheme, h, side);
}

/* Across a commutation: backward Euler, and a line. */
static int lead_across(ln_run *run, tr_bdf2 *scheme, double h, ln_side side) {
    if (!ln_solve_backward_euler(run, h, side))
        return 0;
    scheme->t0 = run->side.t;
    scheme->h = h;
    scheme->inside = gamma_;
    for (int i = 0; i < run->n; i++) {
        scheme->xg[i] = run->x[i] + gamma_ * (run->x1[i] - run->x[i]);
        run->w[i] = 0.5 * (run->f[i] - run->f1[i]);
    }
    return ln_run_solve_again(run, 1 / h, run->w);
}

static int attempt(ln_run *run, void *stepper_data, double h, ln_side side, double *error) {
    tr_bdf2 *scheme = stepper_data;
    const int across = scheme->across.state == LN_IS_ACROSS;
    if (across ? !lead_across(run, scheme, h, side)
               : !solve_adaptive(run, scheme, h, side) || !estimate(run, scheme))
        return 0;
    *error = ln_error_norm(run, run->w);
    scheme->control.shorter_h = ln_across_shorten(&scheme->across, run, h, side, run->w, *error);
    return 1;
}

/* The step just taken, whose start stands in x1, as two: the inner point is one of those that later
 * stages start from, and the nearest to them but for the step's end. */
static void note_stages(ln_run *run, const tr_bdf2 *scheme) {
    const double first = scheme->inside * scheme->h, inner = scheme->t0 + first;
    if (!ln_run_guesses(run))
        return;
    ln_predictor_note(&run->predictor, scheme->t0, run->x1, first, 2, scheme->xg);
    ln_predictor_note(&run->predictor, inner, scheme->xg, scheme->h - first, 2, run->x);
}

/* Of the step just taken, whose start stands in x1, q1. */
static int has_kink(ln_run *run, tr_bdf2 *scheme) {
    const ln_parabola points = {scheme->t0,
                                scheme->h,
                                scheme->inside,
                                {scheme->x0, scheme->xg, run->x},
                                {run->q1, scheme->qg, run->q},
                                scheme->leaves_start,
                                0};
    return ln_across_may(&scheme->across, run) && !scheme->leaves_start &&
           ln_parabola_has_kink(run, &points, run->side, 2 / (gamma_ * scheme->h), scheme->work);
}

static linnet_status advance(ln_run *run, void *stepper_data, ln_side stop) {
    tr_bdf2 *scheme = stepper_data;
    memcpy(scheme->x0, run->x, (size_t)run->n * sizeof *scheme->x0);
    scheme->leaves_start = scheme->across.state == LN_IS_BEHIND;
    LN_TRY(ln_control_advance(&scheme->control, run, attempt, scheme, stop));
    const int across = scheme->across.state == LN_IS_ACROSS;
    ln_global_error_step(run, across ? 1 / scheme->h : 2 / (gamma_ * scheme->h), scheme->h, run->w);
    if (across)
        ln_predictor_forget(&run->predictor);
    else if (!scheme->leaves_start)
        note_stages(run, scheme);
    scheme->has_kink = across || has_kink(run, scheme);
    ln_across_note_step(&scheme->across, &scheme->control.h);
    scheme->first = 0;
    return LINNET_OK;
}

static void last(const void *stepper_data, ln_interpolation *by) {
    const tr_bdf2 *scheme = stepper_data;
    by->inside[0] = scheme->inside;
    by->has_kink = scheme->has_kink;
}

static linnet_status interpolate(ln_run *run, void *stepper_data, double t, double *x) {
    const tr_bdf2 *scheme = stepper_data;
    const ln_parabola points = {scheme->t0,      scheme->h,
                                scheme->inside,  {scheme->x0, scheme->xg, run->x},
                                {NULL},          scheme->leaves_start,
                                scheme->has_kink};
    ln_parabola_at(run, &points, (t - scheme->t0) / scheme->h, x);
    return LINNET_OK;
}

/* With a fixed step: the same two stages without the estimate. */
static linnet_status fixed(ln_run *run, void *stepper_data, double h, ln_side side) {
    tr_bdf2 *scheme = stepper_data;
    if (!two_stages(run, scheme, h, side))
        return LINNET_RETRY;
    if (run->statistics->steps % LN_SAMPLE == 0 && estimate(run, scheme))
        ln_note_local_error(run, run->w);
    ln_run_commit(run, h);
    run->side.within = side.within;
    return LINNET_OK;
}

const ln_stepper_class ln_stepper_tr_bdf2 = {
    .method = {"tr-bdf2", "TR-BDF2, adaptive or fixed step: L-stable, order 2, error estimate", 2,
               1, 1},
    .size = sizeof(tr_bdf2),
    .create = create,
    .restart = restart,
    .advance = advance,
    .interpolate = interpolate,
    .interpolation = {.degree = 2, .ninside = 1, .inside = {GAMMA}},
    .last = last,
    .fixed = fixed};
