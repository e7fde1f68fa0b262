/* SPDX-License-Identifier: MIT */
/* Backward Euler, Crank-Nicolson and BDF2 with steps that follow the error. Each step is one solve;
 * the points before give the error, the parabola to interpolate with, and half of BDF2 [variable
 * step: Hairer, Norsett, Wanner: Solving ODEs I, III.5]. With r = h / (step before), q' = -f on
 * dynamic rows, divided differences f[..] and the point tb, qb before t0, q0: */
/* clang-format off */
/*
 *     backward Euler   alpha = 1/h               w = 0
 *                      K e = -h/2 f[t0, t1]
 *     Crank-Nicolson   alpha = 2/h               w = f0
 *                      K e = -h^2/3 f[tb, t0, t1]
 *     BDF2             alpha = (1+2r)/((1+r) h)  w = -r^2/((1+r) h) (q0 - qb)
 *                      K e = -h^2/3 (1+r)/r f[tb, t0, t1]
 */
/* clang-format on */
/* K^-1 turns the error of the equations into that of x and damps stiff components. The last two
 * begin, after a start and after each discontinuity, with two halves of backward Euler, which damp
 * what Crank-Nicolson would carry on and make the first point of the past. With adaptive steps
 * Crank-Nicolson does so again when something rings (rings()). With fixed steps it does so only
 * after a jump (run->damp): at a smooth start the halves would cost digits. */
#include "integrate/across.h"
#include "integrate/global_error.h"
#include "integrate/parabola.h"

#include <math.h>
#include <string.h>

enum kind { EULER, AVERAGE, BDF2 };
static const double MOST_RATIO = 2.4; /* BDF2 is stable while r < 1 + sqrt(2) */
static const double GROW = 2;         /* per step, of BDF2 */
static const double RINGS = 1e-2;     /* of the tolerance: what rings below that is left alone */
enum { TURNS = 6 };

typedef struct one_stage {
    ln_control control;
    ln_across across;
    enum kind kind;
    double *older, *q_older; /* x and q further back, and how far from the present point */
    double h_older;
    double *x, *q, *f; /* the point before the present one */
    double h_before;   /* how far back it lies; 0: there is none */
    double t;          /* the present point, to be sure that nobody else has stepped */
    double *error;     /* n: of the last step */
    double *work;      /* 4 n: of ln_parabola_leaves_start() */
    char *turns;       /* n: how often in a row it has turned round */
    int damp;          /* the next step is two halves of backward Euler, as the first */
    int began;         /* the step at hand is such */
    int leaves_start;  /* of the last step, which was such (ln_parabola) */
    int has_kink;      /* the last step, or the one before it (ln_parabola) */
    int looked;        /* at the start */
} one_stage;

static linnet_status create(ln_run *run, one_stage *scheme, enum kind kind) {
    double **vectors[] = {&scheme->older, &scheme->q_older, &scheme->x,
                          &scheme->q,     &scheme->f,       &scheme->error};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if ((*vectors[k] = LN_NEW(run->arena, double, run->n)) == NULL)
            return ln_no_memory(run->report);
    scheme->turns = LN_NEW(run->arena, char, run->n);
    scheme->work = LN_NEW(run->arena, double, 4 * (size_t)run->n);
    if (ln_across_init(&scheme->across, run) != LINNET_OK || ln_arena_failed(run->arena))
        return ln_no_memory(run->report);
    scheme->kind = kind;
    ln_control_begin(&scheme->control, kind == EULER ? 2 : 3, run->system->linear && kind != BDF2);
    scheme->control.undamped = kind == AVERAGE;
    scheme->control.multistep = kind == BDF2;
    return LINNET_OK;
}

static linnet_status create_euler(ln_run *run, void *stepper_data) {
    return create(run, stepper_data, EULER);
}
static linnet_status create_average(ln_run *run, void *stepper_data) {
    return create(run, stepper_data, AVERAGE);
}
static linnet_status create_bdf2(ln_run *run, void *stepper_data) {
    return create(run, stepper_data, BDF2);
}

/* ---- one step ---- */

int ln_solve_backward_euler(ln_run *run, double h, ln_side side) {
    memcpy(run->x1, run->x, (size_t)run->n * sizeof *run->x);
    return ln_run_solve_euler(run, h, run->q, ln_side_at(side, run->side.t + h), ln_run_end(run));
}

int ln_step_backward_euler(ln_run *run, double h, ln_side side) {
    if (!ln_solve_backward_euler(run, h, side))
        return 0;
    ln_run_commit(run, h);
    run->side.within = side.within;
    return 1;
}

/* The first step: two halves of backward Euler; the middle becomes the history point. estimate()
 * gives the error of both. */
static int begin(ln_run *run, one_stage *scheme, double h, ln_side side) {
    const size_t bytes = (size_t)run->n * sizeof(double);
    const ln_side middle = ln_side_at(side, run->side.t + h / 2);
    const ln_side end = ln_side_at(side, run->side.t + h / 2 + h / 2);
    memcpy(scheme->x, run->x, bytes);
    if (!ln_run_solve_euler(run, h / 2, run->q, middle,
                            (ln_point){scheme->x, scheme->q, scheme->f}))
        return 0;
    memcpy(run->x1, scheme->x, bytes);
    return ln_run_solve_euler(run, h / 2, scheme->q, end, ln_run_end(run));
}

/* Crank-Nicolson averages f at both ends of a step. Where the start lies absurdly far from where
 * the equations pull it (a source that drives a diode into an empty capacitor), f at the start
 * would drown the step: then the first step is damped. Told by a trial of backward Euler of h:
 * explicit Euler would go thousands of times further. */
static int starts_violently(ln_run *run, double h, ln_side side) {
    double pulled = 0, gone = 0;
    if (!ln_solve_backward_euler(run, h, side))
        return 1;
    for (int i = 0; i < run->n; i++) {
        if (fabs(run->f[i]) * h <= pulled)
            continue;
        pulled = fabs(run->f[i]) * h;
        gone = fabs(run->q1[i] - run->q[i]);
    }
    return pulled > 1e4 * gone;
}

static linnet_status restart(ln_run *run, void *stepper_data) {
    one_stage *scheme = stepper_data;
    scheme->h_before = 0;
    scheme->damp = 0;
    ln_across_restart(&scheme->across);
    ln_control_restart(&scheme->control, run);
    if (scheme->kind != EULER)
        scheme->control.h = 0; /* the first step has order 1 */
    if (!run->adaptive && scheme->kind == AVERAGE && !run->system->linear && !scheme->looked &&
        !run->damp)
        run->damp = starts_violently(run, run->settings->step / 2, run->side);
    scheme->looked = 1;
    return LINNET_OK;
}

/* Behind other slopes the next step is taken in two halves, as the first one is. */
static linnet_status resume(ln_run *run, void *stepper_data, ln_resumption what) {
    (void)run;
    if (what != LN_RESUME_PROJECTED)
        ((one_stage *)stepper_data)->h_before = 0;
    return LINNET_OK;
}

static double alpha_of(const one_stage *scheme, double h) {
    if (scheme->kind == EULER)
        return 1 / h;
    if (scheme->kind == AVERAGE || scheme->h_before == 0)
        return 2 / h;
    double r = h / scheme->h_before;
    return (1 + 2 * r) / ((1 + r) * h);
}

/* Local errors per h^(order+1) x^(order+1); that of BDF2 follows from its alpha and the step
 * before. */
static ln_step_formula formula_of(const one_stage *scheme, double h) {
    const double alpha = alpha_of(scheme, h), r = h / scheme->h_before;
    if (scheme->kind == EULER)
        return (ln_step_formula){alpha, 1, 1.0 / 2};
    return (ln_step_formula){
        alpha, 2, scheme->kind == AVERAGE ? 1.0 / 12 : (1 + r) * (1 + r) / (6 * r * (1 + 2 * r))};
}

static int step(ln_run *run, one_stage *scheme, double h, ln_side side) {
    scheme->began = scheme->kind != EULER && scheme->h_before == 0 &&
                    (run->adaptive || run->damp || scheme->kind == BDF2);
    const double *w = run->f;
    if (scheme->began) {
        memcpy(run->x1, run->x, (size_t)run->n * sizeof *run->x);
        return begin(run, scheme, h, side);
    }
    if (scheme->kind == EULER)
        memset(run->w, 0, (size_t)run->n * sizeof *run->w);
    if (scheme->kind == BDF2) {
        double r = h / scheme->h_before;
        for (int i = 0; i < run->n; i++)
            run->w[i] = -r * r / ((1 + r) * h) * (run->q[i] - scheme->q[i]);
    }
    if (scheme->kind != AVERAGE)
        w = run->w;
    const ln_step_formula formula = formula_of(scheme, h);
    return ln_run_solve_step(run, &formula, w, h, side);
}

/* The local error of x into run->w. */
static int estimate(ln_run *run, const one_stage *scheme, double h) {
    double *e = run->w, back = scheme->h_before;
    /* the two halves together have half the error of one step */
    if (scheme->kind == EULER || back == 0) {
        for (int i = 0; i < run->n; i++)
            e[i] = 0.5 * (run->f[i] - run->f1[i]);
    } else {
        double part = h * h / 3 / (h + back) * (scheme->kind == BDF2 ? 1 + back / h : 1);
        for (int i = 0; i < run->n; i++)
            e[i] = -part * ((run->f1[i] - run->f[i]) / h - (run->f[i] - scheme->f[i]) / back);
    }
    return ln_run_solve_again(run, alpha_of(scheme, h), e);
}

static int attempt(ln_run *run, void *stepper_data, double h, ln_side side, double *error) {
    one_stage *scheme = stepper_data;
    if (scheme->across.state == LN_IS_ACROSS || scheme->across.state == LN_IS_BEHIND)
        scheme->h_before = 0;
    if (!step(run, scheme, h, side) || !estimate(run, scheme, h))
        return 0;
    *error = ln_error_norm(run, run->w);
    if (scheme->kind == BDF2)
        scheme->control.shorter_h =
            ln_across_shorten(&scheme->across, run, h, side, run->w, *error);
    return 1;
}

/* After a committed step of h, whose start now stands in x1, q1, f1: history moves on by one point.
 */
static void remember(const ln_run *run, one_stage *scheme, double h) {
    const size_t bytes = (size_t)run->n * sizeof(double);
    memcpy(scheme->older, scheme->began ? run->x1 : scheme->x, bytes);
    memcpy(scheme->q_older, scheme->began ? run->q1 : scheme->q, bytes);
    scheme->h_older = scheme->began ? h : scheme->h_before + h;
    scheme->h_before = scheme->began ? h / 2 : h;
    scheme->t = run->side.t;
    if (scheme->began)
        return;
    memcpy(scheme->x, run->x1, bytes);
    memcpy(scheme->q, run->q1, bytes);
    memcpy(scheme->f, run->f1, bytes);
}

/* Does Crank-Nicolson carry on what it cannot damp? A component far faster than the step changes
 * its sign at every step and keeps its size; the estimate sees that, but below the tolerance no
 * step is rejected for it, and what depends on its square drifts (Robertson's reactions end below
 * zero). The error of a smooth component does not turn round. Takes the estimate of the step just
 * accepted, in run->w. */
static int rings(const ln_run *run, one_stage *scheme) {
    int found = 0;
    if (scheme->kind != AVERAGE)
        return 0;
    for (int i = 0; i < run->n; i++) {
        if (run->index != NULL && run->index[i] > 1)
            continue;
        double now = run->w[i], before = scheme->error[i];
        int turned = now * before < 0 && fabs(now) > 0.5 * fabs(before) &&
                     fabs(now) > RINGS * ln_error_scale(run, i);
        scheme->turns[i] = turned ? (char)(scheme->turns[i] + 1) : 0;
        scheme->error[i] = now;
        found |= scheme->turns[i] >= TURNS;
    }
    if (!found)
        return 0;
    memset(scheme->turns, 0, (size_t)run->n);
    return 1;
}

/* The present point and the two before it, which are those of the last step where that was in two
 * halves. */
static ln_parabola points_of(const ln_run *run, const one_stage *scheme) {
    return (ln_parabola){scheme->t - scheme->h_older,
                         scheme->h_older,
                         1 - scheme->h_before / scheme->h_older,
                         {scheme->older, scheme->x, run->x},
                         {scheme->q_older, scheme->q, run->q},
                         scheme->leaves_start,
                         scheme->has_kink};
}

static int has_kink(ln_run *run, one_stage *scheme, double alpha) {
    const ln_parabola points = points_of(run, scheme);
    return ln_across_may(&scheme->across, run) && !scheme->leaves_start &&
           ln_parabola_has_kink(run, &points, run->side, alpha, scheme->work);
}

static int leaves_start(ln_run *run, const one_stage *scheme, double alpha) {
    const ln_parabola points = points_of(run, scheme);
    return ln_parabola_leaves_start(run, &points, run->side, alpha, scheme->work);
}

static linnet_status advance(ln_run *run, void *stepper_data, ln_side stop) {
    one_stage *scheme = stepper_data;
    double before = run->side.t;
    if (scheme->damp)
        scheme->h_before = 0;
    if (scheme->kind == BDF2 && scheme->h_before > 0)
        scheme->control.h = fmin(scheme->control.h, GROW * scheme->h_before);
    LN_TRY(ln_control_advance(&scheme->control, run, attempt, scheme, stop));
    const double h = run->side.t - before, tried = scheme->control.tried_h;
    const double alpha = alpha_of(scheme, tried);
    ln_global_error_step_by(
        run, ln_run_usable_factors(run, alpha),
        &(ln_error_step){alpha, tried, run->w, NULL, run->system->dq, scheme->kind == BDF2});
    int damp = rings(run, scheme);
    remember(run, scheme, h);
    scheme->leaves_start = scheme->began && leaves_start(run, scheme, alpha);
    const int across = scheme->across.state == LN_IS_ACROSS;
    scheme->has_kink = across || (scheme->kind == BDF2 && has_kink(run, scheme, alpha));
    if (!scheme->leaves_start)
        ln_predictor_note_step(run, h, scheme->kind == EULER ? 1 : 2);
    ln_across_note_step(&scheme->across, &scheme->control.h);
    scheme->damp = damp;
    return LINNET_OK;
}

/* With a fixed step, now and then with its error. Only BDF2 needs the history at every step; the
 * others find the point before the present one in x1, q1 and f1, where the last step has left it.
 */
static linnet_status fixed(ln_run *run, void *stepper_data, double h, ln_side side) {
    one_stage *scheme = stepper_data;
    const int keeps = scheme->kind == BDF2;
    if (fabs(run->side.t - scheme->t) > 1e-9 * h || (keeps && h > MOST_RATIO * scheme->h_before))
        scheme->h_before = 0;
    const int sampled = run->statistics->steps % LN_SAMPLE == LN_SAMPLE - 1 &&
                        (keeps ? scheme->h_before > 0 : scheme->h_before == h);
    if (sampled && !keeps)
        memcpy(scheme->f, run->f1, (size_t)run->n * sizeof *run->f);
    if (!step(run, scheme, h, side)) {
        scheme->t = keeps ? scheme->t : NAN;
        return LINNET_RETRY;
    }
    if (sampled && estimate(run, scheme, h))
        ln_note_local_error(run, run->w);
    run->statistics->damped += scheme->began && run->damp;
    run->damp = 0;
    ln_run_commit(run, h);
    run->side.within = side.within;
    if (keeps)
        remember(run, scheme, h);
    scheme->h_before = scheme->began ? scheme->h_before : h;
    scheme->t = run->side.t;
    return LINNET_OK;
}

/* A line for order 1, else the parabola through the present point and the two before it. */
static linnet_status interpolate(ln_run *run, void *stepper_data, double t, double *x) {
    const one_stage *scheme = stepper_data;
    const ln_parabola points = points_of(run, scheme);
    const double s = (t - scheme->t) / scheme->h_before;
    if (scheme->kind != EULER)
        ln_parabola_at(run, &points, 1 + (t - scheme->t) / points.h, x);
    for (int i = 0; scheme->kind == EULER && i < run->n; i++)
        x[i] = run->x[i] + s * (run->x[i] - scheme->x[i]);
    return LINNET_OK;
}

static void last(const void *stepper_data, ln_interpolation *by) {
    by->has_kink = ((const one_stage *)stepper_data)->has_kink;
}

const ln_stepper_class ln_stepper_backward_euler = {
    .method = {"backward-euler", "fully implicit Euler, adaptive or fixed step: L-stable, order 1",
               1, 1, 1},
    .size = sizeof(one_stage),
    .create = create_euler,
    .restart = restart,
    .advance = advance,
    .fixed = fixed,
    .interpolate = interpolate,
    .interpolation = {.degree = 1}};
const ln_stepper_class ln_stepper_crank_nicolson = {
    .method = {"crank-nicolson",
               "trapezoidal rule, adaptive or fixed step: A-stable, order 2; damped after "
               "discontinuities",
               2, 1, 1},
    .size = sizeof(one_stage),
    .create = create_average,
    .restart = restart,
    .resume = resume,
    .advance = advance,
    .fixed = fixed,
    .interpolate = interpolate,
    .interpolation = {.degree = 2, .passes_step_before = 1},
    .last = last};
const ln_stepper_class ln_stepper_bdf2 = {
    .method = {"bdf2",
               "two-step BDF, adaptive or fixed step: L-stable, order 2, one solve per step", 2, 1,
               1},
    .size = sizeof(one_stage),
    .create = create_bdf2,
    .restart = restart,
    .resume = resume,
    .advance = advance,
    .fixed = fixed,
    .interpolate = interpolate,
    .interpolation = {.degree = 2, .passes_step_before = 1},
    .last = last};
