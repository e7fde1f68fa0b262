/* SPDX-License-Identifier: MIT */
/* A run from start to end: which step, what when it fails, what at a corner, who is told.
 *
 * Fixed step: the run walks from stop to stop (grid point, corner of a source, asked-for time); between two stops it
 * takes one step, or, when Newton fails, shorter ones. Adaptive: the step follows the error estimate and is cut at stops.
 * `decide` is the middle of the stretch at hand, so that conditions on time alone are constant within it. */
#include "base/text.h"
#include "integrate/grid.h"
#include "integrate/start.h"

#include <math.h>
#include <string.h>

enum { SHORTENINGS = 20, EULER_AFTER = 3 };

/* Corners of sources, the output interval and asked-for times, as one list of stops. */
typedef struct stops {
    const ln_system *system;
    const ln_settings *settings;
} stops;

static double next_output(const ln_settings *settings, double t) {
    if (!(settings->interval > 0)) return INFINITY;
    double k = floor((t - settings->begin) / settings->interval * (1 + 1e-12)) + 1;
    double next = settings->begin + k * settings->interval;
    return next - t > 1e-9 * settings->interval ? next : settings->begin + (k + 1) * settings->interval;
}

static double next_stop(const void *context, double t) {
    const stops *all = context;
    double next = fmin(ln_system_next_break(all->system, t), next_output(all->settings, t));
    for (size_t k = 0; k < all->settings->nstops; k++)
        if (all->settings->stops[k] > t) {
            next = fmin(next, all->settings->stops[k]);
            break;
        }
    return next;
}

typedef struct drive {
    ln_run run;
    ln_consistent solver;
    ln_grid grid;
    stops stops;
    const ln_watcher *watcher;
    int damp;                      /* the next step of Crank-Nicolson is two halves of backward Euler                  */
    double h;                      /* adaptive: the step the error estimate allows                                    */
} drive;

/* ---- telling ---- */

/* Is t a time at which results are wanted? */
static int is_output(const ln_settings *settings, double t) {
    if (!(settings->interval > 0) || t <= settings->begin || t >= settings->end) return 1;
    double k = (t - settings->begin) / settings->interval;
    if (fabs(k - round(k)) <= 1e-9 * fmax(1, k)) return 1;
    for (size_t i = 0; i < settings->nstops; i++)
        if (settings->stops[i] == t) return 1;
    return 0;
}

static linnet_status tell(drive *d, int always) {
    ln_run *run = &d->run;
    run->statistics->t = run->t;
    if (!always && !is_output(run->settings, run->t)) return LINNET_OK;
    return d->watcher->accept(d->watcher->context, run->t, run->decide, run->x);
}

static linnet_status check_limits(drive *d) {
    const ln_settings *settings = d->run.settings;
    long most = settings->max_steps > 0 ? settings->max_steps : 1000000000L;
    if (d->watcher->stop != NULL && d->watcher->stop(d->watcher->context)) return LINNET_INTERRUPTED;
    if (d->run.statistics->steps < most) return LINNET_OK;
    return ln_fail(d->run.report, LINNET_FAILED, LN_NOWHERE,
                   "stopped at t = %.9g s after %ld steps, the limit; take a larger step or a shorter duration",
                   d->run.t, most);
}

static void note_step(drive *d, double h) {
    ln_statistics *out = d->run.statistics;
    out->steps++;
    if (out->smallest == 0 || h < out->smallest) out->smallest = h;
    if (h > out->largest) out->largest = h;
}

/* ---- steps ---- */

/* One step of a fixed-step method, `euler`: by backward Euler whatever the method. */
static int fixed_step(drive *d, double h, double decide, int euler) {
    ln_run *run = &d->run;
    double error;
    if (euler || run->settings->method->order == 1) return ln_step_backward_euler(run, h, decide);
    if (run->settings->method->adaptive) {
        if (!ln_step_tr_bdf2(run, h, decide, &error)) return 0;
        ln_run_commit(run, h);
        run->decide = decide;
        return 1;
    }
    if (!d->damp) return ln_step_crank_nicolson(run, h, decide);
    /* two halves of backward Euler share alpha = 2/h with the steps that follow */
    if (!ln_step_backward_euler(run, h / 2, decide)) return 0;
    d->damp = 0;
    run->statistics->damped++;
    return ln_step_backward_euler(run, h / 2, decide);
}

static linnet_status step_failed(drive *d, double h) {
    ln_run *run = &d->run;
    return ln_report_no_convergence(run, &run->newton, run->outcome, &run->system->pattern, run->t, h,
                                    "the step cannot be taken");
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
            note_step(d, run->t - before);
            if (failures > 0 && h < whole) {
                h *= 2;
                failures--;
            }
            continue;
        }
        if (run->outcome == LN_NEWTON_MEMORY || run->outcome == LN_NEWTON_SINGULAR || failures >= SHORTENINGS)
            return step_failed(d, h);
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
    double *before = run->w, *after = run->s, *f = run->stage_f, *f_after = run->stage_q;
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
    d->h = 0;
    return tell(d, 1);
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
    const ln_settings *settings = run->settings;
    while (run->t < settings->end) {
        LN_TRY(check_limits(d));
        int why;
        double target = ln_grid_next(&d->grid, run->t, &why);
        LN_TRY(walk(d, target, settings->step));
        ln_grid_reached(&d->grid, target, why);
        LN_TRY(tell(d, 0));
        if ((why & LN_STOP_CORNER) && run->t < settings->end) LN_TRY(pass_corner(d, decide_after(d, run->t)));
    }
    return LINNET_OK;
}

/* First step: a small fraction of the time in which the solution would change by its own size [Hairer, Norsett, Wanner,
 * Solving ODEs I, II.4, simplified to one evaluation]. */
static double first_step(drive *d, double most) {
    ln_run *run = &d->run;
    const ln_settings *settings = run->settings;
    double h = fmin(most, 1e-3 * (settings->end - settings->begin));
    return h * fmin(1, fmax(1e-3, sqrt(settings->tolerance)));
}

/* A trial of h; returns 1 when accepted and committed; d->h is the next size in any case. */
static int try_adaptive(drive *d, double h, double decide, double most) {
    ln_run *run = &d->run;
    double error;
    if (!ln_step_tr_bdf2(run, h, decide, &error) || !isfinite(error)) {
        d->h = h / 4;
        return 0;
    }
    double factor = 0.9 / cbrt(fmax(error, 1e-6));
    if (error > 1) {
        d->h = h * fmax(0.2, factor);
        return 0;
    }
    /* grow only when it pays for a new factorisation */
    d->h = factor < 1 ? h * factor : factor < 1.5 ? h : h * fmin(factor, 4);
    d->h = fmin(d->h, most);
    ln_run_commit(run, h);
    run->decide = decide;
    note_step(d, h);
    return 1;
}

static linnet_status drive_adaptive(drive *d) {
    ln_run *run = &d->run;
    const ln_settings *settings = run->settings;
    double span = settings->end - settings->begin, most = settings->step > 0 ? settings->step : span / 50;
    double least = 1e-15 * span;
    while (run->t < settings->end) {
        int why;
        double target = ln_grid_next(&d->grid, run->t, &why), decide = run->t + (target - run->t) / 2;
        while (run->t < target) {
            LN_TRY(check_limits(d));
            if (d->h == 0) d->h = first_step(d, most);
            double left = target - run->t, wanted = d->h;
            double h = left <= wanted * (1 + 1e-9) ? left : left < 2 * wanted ? left / 2 : wanted;
            if (!try_adaptive(d, h, decide, most)) {
                run->statistics->rejected++;
                if (d->h < least || run->outcome == LN_NEWTON_MEMORY) return step_failed(d, h);
                continue;
            }
            if (h < wanted && d->h < wanted) d->h = fmax(d->h, fmin(wanted, most)); /* cut by the stop, not by error */
            if (h == left) run->t = target;
            else LN_TRY(tell(d, 0));
        }
        ln_grid_reached(&d->grid, target, why);
        LN_TRY(tell(d, 0));
        if ((why & LN_STOP_CORNER) && run->t < settings->end) LN_TRY(pass_corner(d, decide_after(d, run->t)));
    }
    return LINNET_OK;
}

/* ---- assembling a run ---- */

static linnet_status run_implicit(drive *d) {
    ln_run *run = &d->run;
    run->decide = decide_after(d, run->t);
    LN_TRY(ln_consistent_init(&d->solver, run->system, run->settings->linear, run->t, run->decide, run->x, run->report));
    LN_TRY(ln_start(run, &d->solver));
    d->damp = d->solver.transform == NULL;
    run->statistics->states = d->solver.transform != NULL ? d->solver.transform->rank : 0;
    LN_TRY(ln_run_restart(run));
    LN_TRY(tell(d, 1));
    linnet_status status = run->settings->tolerance > 0 ? drive_adaptive(d) : drive_fixed(d);
    ln_run_count(run);
    return status;
}

/* Explicit: a plain diagram as one program, else the split network. */
static linnet_status run_explicit(drive *d) {
    ln_run *run = &d->run;
    ln_system *system = run->system;
    ln_ode *ode = NULL;
    linnet_status status = LINNET_USAGE;
    if (system->network->purely_signal) status = ln_diagram_new(system->network, run->report, &ode);
    if (status == LINNET_USAGE) status = ln_split_new(system, run->settings, run->report, &ode);
    LN_TRY(status);
    run->decide = decide_after(d, run->t);
    status = ln_consistent_init(&d->solver, system, run->settings->linear, run->t, run->decide, run->x, run->report);
    if (status == LINNET_OK) status = ln_start(run, &d->solver);
    if (status == LINNET_OK)
        status = ln_integrate_explicit(ode, system->network, next_stop, &d->stops, run->x, run->settings, d->watcher,
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
    drive d = {.watcher = watcher, .stops = {system, settings}};
    linnet_status status = ln_run_init(&d.run, system, settings, report, statistics);
    if (status == LINNET_OK) {
        d.run.t = settings->begin;
        ln_grid_begin(&d.grid, settings->begin, settings->end, settings->tolerance > 0 ? 0 : settings->step, next_stop,
                      &d.stops);
        status = settings->method->implicit ? run_implicit(&d) : run_explicit(&d);
    }
    ln_consistent_free(&d.solver);
    ln_run_free(&d.run);
    return status;
}
