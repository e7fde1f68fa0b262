/* SPDX-License-Identifier: MIT */
/* A run from start to end: which step, what when it fails, what at a corner, who is told.
 *
 * Fixed step: the run walks from stop to stop (grid point, corner of a source, asked-for time); between two stops it
 * takes one step, or, when Newton fails, shorter ones. Adaptive: a stepper advances by accepted steps and is asked for
 * values between them. `decide` is the middle of the stretch at hand, so that conditions on time alone are constant
 * within it. */
#include "integrate/grid.h"
#include "integrate/start.h"
#include "integrate/stepper.h"

#include <math.h>
#include <string.h>

enum { SHORTENINGS = 20, EULER_AFTER = 3 };

static const ln_stepper_class *const steppers[] = {
    &ln_stepper_backward_euler, &ln_stepper_crank_nicolson, &ln_stepper_tr_bdf2, &ln_stepper_bdf2, &ln_stepper_radau5,
    &ln_stepper_ida};

typedef struct drive {
    ln_run run;
    ln_consistent solver;
    ln_grid grid;
    const ln_stepper_class *stepper; /* NULL: a one-stage method with a fixed step                                    */
    void *state;                   /* of the stepper                                                                  */
    int damp;                      /* the next step of Crank-Nicolson is two halves of backward Euler                  */
    double *between;               /* n: x at a wanted time within a step                                             */
    double *f_before, last_h;      /* n: f one point before the last; the last step, 0 after a discontinuity           */
    long outputs;                  /* adaptive: points of the interval told                                           */
} drive;

static double next_break(const void *context, double t) { return ln_system_next_break(context, t); }

/* ---- telling ---- */

static linnet_status accept(const drive *d, double t, double decide, const double *x) {
    d->run.statistics->t = t;
    return d->run.watcher->accept(d->run.watcher->context, t, decide, x);
}

/* The point a fixed step has reached, `why` being what stopped it there. */
static linnet_status tell(const drive *d, int why) {
    const int wanted = LN_STOP_OUTPUT | LN_STOP_CORNER | LN_STOP_END;
    d->run.statistics->t = d->run.t;
    if (d->run.settings->interval > 0 && !(why & wanted)) return LINNET_OK;
    return accept(d, d->run.t, d->run.decide, d->run.x);
}

/* ---- fixed steps ---- */

/* Local error of the one-stage step just taken, from how f changed: backward Euler h^2/2 q'' = h/2 (f0 - f1),
 * Crank-Nicolson -h^3/12 q''' = h/12 (f1 - 2 f0 + f_before); of x it is K^-1 alpha times that. */
static void sample_error(drive *d, double h, int order) {
    ln_run *run = &d->run;
    double *e = run->w, alpha = order / h;
    for (int i = 0; i < run->n; i++)
        e[i] = alpha * (order == 1 ? h / 2 * (run->f1[i] - run->f[i])
                                   : h / 12 * (run->f[i] - 2 * run->f1[i] + d->f_before[i]));
    if (ln_run_solve_again(run, alpha, e)) ln_note_local_error(run, e);
}

/* A step by a one-stage method, now and then with its error; needs the step before it to be of the same h. */
static int one_stage(drive *d, double h, double decide, int order) {
    ln_run *run = &d->run;
    int sampled = run->statistics->steps % LN_SAMPLE == LN_SAMPLE - 1 && d->last_h == h;
    if (sampled) memcpy(d->f_before, run->f1, (size_t)run->n * sizeof *run->f1);
    if (!(order == 1 ? ln_step_backward_euler(run, h, decide) : ln_step_crank_nicolson(run, h, decide))) return 0;
    if (sampled) sample_error(d, h, order);
    d->last_h = h;
    return 1;
}

/* One step of h by the method, or by backward Euler if asked; committed. */
static int fixed_step(drive *d, double h, double decide, int euler) {
    ln_run *run = &d->run;
    if (euler || run->settings->method->order == 1) return one_stage(d, h, decide, 1);
    if (d->stepper != NULL) return d->stepper->fixed(run, d->state, h, decide);
    if (!d->damp) return one_stage(d, h, decide, 2);
    /* two halves of backward Euler share alpha = 2/h with the steps that follow */
    if (!ln_step_backward_euler(run, h / 2, decide)) return 0;
    d->damp = 0;
    d->last_h = 0;
    run->statistics->damped++;
    return ln_step_backward_euler(run, h / 2, decide);
}

/* From run->t to `target`: one step, or shorter ones while Newton fails; they grow again as they succeed. */
static linnet_status walk(drive *d, double target, double nominal) {
    ln_run *run = &d->run;
    double left = target - run->t, decide = run->t + left / 2;
    double whole = fabs(left - nominal) <= 1e-9 * nominal ? nominal : left, h = whole;
    int failures = 0;
    while (target - run->t > 1e-9 * whole) {
        left = target - run->t;
        if (h > left * (1 + 1e-9)) h = left;
        double before = run->t;
        if (fixed_step(d, h, decide, failures >= EULER_AFTER)) {
            ln_note_step(run, run->t - before);
            if (failures > 0 && h < whole) {
                h *= 2;
                failures--;
            }
            continue;
        }
        if (run->outcome == LN_NEWTON_MEMORY || run->outcome == LN_NEWTON_SINGULAR || failures >= SHORTENINGS)
            return ln_report_no_convergence(run, &run->newton, run->outcome, &run->system->pattern, run->t, h,
                                            "the step cannot be taken");
        run->statistics->rejected++;
        failures++;
        h /= 2;
    }
    run->t = target;
    return LINNET_OK;
}

/* ---- corners ---- */

/* Do sources or nonlinear parts jump here when their conditions on time are decided anew? */
static linnet_status jumps_here(drive *d, double decide, int *jumps) {
    ln_run *run = &d->run;
    ln_system *system = run->system;
    double *before = run->w, *after = run->s, *f = run->f1, *f_after = run->q1;
    size_t bytes = (size_t)run->n * sizeof(double);
    LN_TRY(ln_system_sources(system, run->t, run->decide, before, run->report));
    LN_TRY(ln_system_sources(system, run->t, decide, after, run->report));
    memset(f, 0, bytes);
    memset(f_after, 0, bytes);
    if (!system->linear) {
        LN_TRY(ln_system_eval(system, run->t, run->decide, run->x, LN_LIMIT_OFF, NULL, f, NULL));
        LN_TRY(ln_system_eval(system, run->t, decide, run->x, LN_LIMIT_OFF, NULL, f_after, NULL));
    }
    *jumps = 0;
    for (int i = 0; i < run->n && !*jumps; i++) {
        double size = fabs(before[i]) + fabs(after[i]) + fabs(f[i]) + fabs(f_after[i]);
        *jumps = fabs(after[i] - before[i] - f_after[i] + f[i]) > 1e-9 * size;
    }
    return LINNET_OK;
}

/* At a corner the step before it has been taken with its left side. If something jumps, the point right of the corner
 * keeps what is stored, satisfies the algebra anew, and the next step is damped; it is told as a second point of the
 * same time. */
static linnet_status pass_corner(drive *d, double decide) {
    ln_run *run = &d->run;
    int jumps;
    run->statistics->breakpoints++;
    LN_TRY(jumps_here(d, decide, &jumps));
    if (!jumps) return LINNET_OK;
    run->decide = decide;
    if (d->solver.transform != NULL) {
        const char *means;
        memcpy(d->solver.q_star, run->q, (size_t)run->n * sizeof *run->q);
        if (!ln_consistent_solve(&d->solver, run->t, decide, run->x, &means))
            return ln_report_no_convergence(run, &d->solver.newton, d->solver.outcome, &d->solver.transform->pattern,
                                            run->t, 0, "no consistent point after a discontinuity");
    }
    LN_TRY(ln_run_restart(run));
    d->damp = 1;
    d->last_h = 0;
    if (d->stepper != NULL) LN_TRY(d->stepper->restart(run, d->state));
    return accept(d, run->t, run->decide, run->x);
}

/* The middle of the stretch that begins at t. */
static double decide_after(drive *d, double t) {
    int why;
    double next = t < d->grid.end ? ln_grid_next(&d->grid, t, &why) : INFINITY;
    if (!isfinite(next)) next = t + (d->run.settings->step > 0 ? d->run.settings->step : 1e-6 * fmax(1, fabs(t)));
    return t + (next - t) / 2;
}

/* ---- the two drivers ---- */

static linnet_status drive_fixed(drive *d) {
    ln_run *run = &d->run;
    while (run->t < run->settings->end) {
        LN_TRY(ln_check_limits(run));
        int why;
        double target = ln_grid_next(&d->grid, run->t, &why);
        LN_TRY(walk(d, target, run->settings->step));
        ln_grid_reached(&d->grid, target, why);
        LN_TRY(tell(d, why));
        if ((why & LN_STOP_CORNER) && run->t < run->settings->end) LN_TRY(pass_corner(d, decide_after(d, run->t)));
    }
    return LINNET_OK;
}

/* Points of the output interval within the step just taken, by the method's own interpolation; and the step's end if
 * there is no interval, if it is such a point, or if it is a stop. */
static linnet_status tell_step(drive *d, int stop) {
    ln_run *run = &d->run;
    double interval = run->settings->interval;
    if (!(interval > 0)) return accept(d, run->t, run->decide, run->x);
    for (;; d->outputs++) {
        double t = run->settings->begin + (double)(d->outputs + 1) * interval;
        if (t > run->t - 1e-9 * interval) {
            stop |= t < run->t + 1e-9 * interval;
            d->outputs += t < run->t + 1e-9 * interval;
            return stop ? accept(d, run->t, run->decide, run->x) : LINNET_OK;
        }
        d->stepper->interpolate(run, d->state, t, d->between);
        LN_TRY(accept(d, t, run->decide, d->between));
    }
}

/* The longest step from here: what the user allows, else a fiftieth of the run for a method of low order, whose points are
 * looked at, and the error alone decides for others; not so long that it passes over what a source does. Steppers grow by a factor of 8 at
 * most, so no more is looked at. */
static double longest_step(drive *d, double target, double decide) {
    ln_run *run = &d->run;
    const ln_settings *settings = run->settings;
    double span = settings->end - settings->begin, left = target - run->t;
    double most = settings->step > 0 ? settings->step : span / (settings->method->order > 2 ? 1 : 50);
    double near = fmin(fmin(most, left), d->last_h > 0 ? 10 * d->last_h : 1e-3 * span);
    double resolved = ln_resolved_step(run, near, decide);
    return resolved < near ? resolved : most;
}

static linnet_status drive_adaptive(drive *d) {
    ln_run *run = &d->run;
    while (run->t < run->settings->end) {
        int why;
        double target = ln_grid_next(&d->grid, run->t, &why), decide = run->t + (target - run->t) / 2;
        while (run->t < target) {
            LN_TRY(ln_check_limits(run));
            double before = run->t;
            run->most = longest_step(d, target, decide);
            LN_TRY(d->stepper->advance(run, d->state, target, decide));
            d->last_h = run->t - before;
            LN_TRY(tell_step(d, run->t == target));
        }
        ln_grid_reached(&d->grid, target, why);
        if ((why & LN_STOP_CORNER) && run->t < run->settings->end) LN_TRY(pass_corner(d, decide_after(d, run->t)));
    }
    return LINNET_OK;
}

/* Crank-Nicolson averages f at both ends of a step. Where the start lies absurdly far from where the equations pull it
 * (a source that drives a diode into an empty capacitor), f at the start would drown the step: then the first step is
 * damped. Told by a trial of backward Euler: explicit Euler would go thousands of times further. */
static int start_is_violent(drive *d, double h) {
    ln_run *run = &d->run;
    double pulled = 0, gone = 0;
    memcpy(run->x1, run->x, (size_t)run->n * sizeof *run->x);
    memset(run->w, 0, (size_t)run->n * sizeof *run->w);
    if (!ln_run_solve(run, 1 / h, run->q, run->w, run->t + h, run->decide, run->x1, run->q1, run->f1)) return 1;
    for (int i = 0; i < run->n; i++) {
        if (fabs(run->f[i]) * h <= pulled) continue;
        pulled = fabs(run->f[i]) * h;
        gone = fabs(run->q1[i] - run->q[i]);
    }
    return pulled > 1e4 * gone;
}

/* ---- assembling a run ---- */

/* The stepper of the method; none where the driver steps itself: backward Euler and Crank-Nicolson with a fixed step. */
static linnet_status make_stepper(drive *d) {
    ln_run *run = &d->run;
    const char *name = run->settings->method->name;
    d->f_before = LN_NEW(run->arena, double, run->n);
    if (d->f_before == NULL) return ln_no_memory(run->report);
    for (size_t k = 0; k < sizeof steppers / sizeof *steppers; k++)
        if (strcmp(steppers[k]->method, name) == 0) d->stepper = steppers[k];
    if (run->settings->tolerance == 0 && d->stepper != NULL && d->stepper->fixed == NULL) d->stepper = NULL;
    if (d->stepper == NULL) return LINNET_OK;
    d->state = ln_arena_alloc(run->arena, 1, d->stepper->size);
    d->between = LN_NEW(run->arena, double, run->n);
    if (d->state == NULL || d->between == NULL) return ln_no_memory(run->report);
    return d->stepper->create(run, d->state);
}

static linnet_status run_implicit(drive *d) {
    ln_run *run = &d->run;
    run->decide = decide_after(d, run->t);
    LN_TRY(make_stepper(d));
    if (ln_resolve_init(run) != LINNET_OK) return ln_no_memory(run->report);
    run->most = run->settings->end - run->settings->begin;
    LN_TRY(ln_consistent_init(&d->solver, run->system, run->settings->linear, run->t, run->decide, run->x, run->report));
    LN_TRY(ln_start(run, &d->solver));
    d->damp = d->solver.transform == NULL;
    run->statistics->states = d->solver.transform != NULL ? d->solver.transform->rank : 0;
    if (d->solver.transform == NULL) LN_TRY(ln_run_find_index(run));
    LN_TRY(ln_run_restart(run));
    if (d->stepper != NULL) LN_TRY(d->stepper->restart(run, d->state));
    LN_TRY(accept(d, run->t, run->decide, run->x));
    int averages = run->settings->tolerance == 0 && d->stepper == NULL && run->settings->method->order == 2;
    if (averages && !run->system->linear && !d->damp) d->damp = start_is_violent(d, run->settings->step / 2);
    linnet_status status = run->settings->tolerance > 0 ? drive_adaptive(d) : drive_fixed(d);
    ln_run_count(run);
    if (d->stepper != NULL && d->stepper->count != NULL) d->stepper->count(run, d->state);
    return status;
}

/* Explicit: a plain diagram as one program, else the split network. */
static linnet_status run_explicit(drive *d) {
    ln_run *run = &d->run;
    ln_system *system = run->system;
    ln_ode *ode = NULL;
    linnet_status status = LINNET_USAGE;
    if (system->network->purely_signal) status = ln_diagram_new(system->network, run->report, &ode);
    const int is_diagram = status == LINNET_OK;
    if (status == LINNET_USAGE) status = ln_split_new(system, run->settings, run->report, &ode);
    LN_TRY(status);
    run->decide = decide_after(d, run->t);
    if (is_diagram && run->settings->start == LN_START_VALUES) {
        status = ln_start_states(run, ode);
    } else {
        status = ln_consistent_init(&d->solver, system, run->settings->linear, run->t, run->decide, run->x, run->report);
        if (status == LINNET_OK) status = ln_start(run, &d->solver);
    }
    if (status == LINNET_OK)
        status = ln_integrate_explicit(ode, system->network, next_break, system, run->x, run->settings, run->watcher,
                                       run->report, run->statistics);
    ode->free(ode);
    return status;
}

linnet_status ln_integrate(ln_system *system, const ln_settings *settings, const ln_watcher *watcher,
                           ln_report *report, ln_statistics *statistics) {
    *statistics = (ln_statistics){.method = settings->method, .unknowns = system->n, .nonlinear = system->nnonlinear,
                                  .linear = settings->linear, .start_means = "", .t = settings->begin};
    if (!(settings->end > settings->begin))
        return ln_fail(report, LINNET_MODEL, LN_NOWHERE, "the duration must be positive");
    drive d = {.damp = 0};
    linnet_status status = ln_run_init(&d.run, system, settings, watcher, report, statistics);
    if (status == LINNET_OK) {
        int adaptive = settings->method->implicit && settings->tolerance > 0;
        d.run.t = settings->begin;
        ln_grid_begin(&d.grid, settings->begin, settings->end, adaptive ? 0 : settings->step, next_break, system);
        ln_grid_want(&d.grid, adaptive ? 0 : settings->interval, settings->stops, settings->nstops);
        status = settings->method->implicit ? run_implicit(&d) : run_explicit(&d);
    }
    if (d.state != NULL && d.stepper->release != NULL) d.stepper->release(d.state);
    ln_consistent_free(&d.solver);
    ln_run_free(&d.run);
    return status;
}
