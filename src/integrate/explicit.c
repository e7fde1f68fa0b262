/* SPDX-License-Identifier: MIT */
/* A run by an explicit method: the states walk from stop to stop (grid points, breakpoints, wanted
 * times, the end), and all unknowns are computed from them at every point that is told.
 *
 * Conditions on time alone are decided in the middle of the stretch between two stops, sources
 * included, so every stage of a step sees the same side of a breakpoint and the order of the method
 * holds across it. Where unknowns differ between the two sides of a breakpoint, the point is told
 * twice. The states themselves never jump. */
#include "integrate/explicit.h"
#include "integrate/pause.h"
#include "system/delay.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Beyond this a state counts as run away. */
static const double run_away = 1e300;

enum { SAMPLE = 64 }; /* one fixed step in so many is sampled for its error */

/* ---- failures ---- */

static ln_place place_of(const ln_explicit *run, int state) {
    return run->ode->place != NULL ? run->ode->place(run->ode, state) : LN_NOWHERE;
}

linnet_status ln_explicit_refused(const ln_explicit *run, double h) {
    return ln_fail(run->report, LINNET_FAILED, run->ode->blame_place,
                   "%s; the step of %.6g s from t = %.9g s cannot be taken, try a smaller step or "
                   "an implicit method "
                   "such as tr-bdf2",
                   run->ode->blame, h, run->side.t);
}

/* No state may run away, or have become NaN: names the first that has. */
static linnet_status check_bounded(const ln_explicit *run, double t, double h) {
    const double *z = run->rk.z1;
    for (int i = 0; i < run->ode->n; i++) {
        if (fabs(z[i]) <= run_away)
            continue;
        char name[160];
        run->ode->name(run->ode, i, name);
        return ln_fail(run->report, LINNET_FAILED, place_of(run, i),
                       "%s grows beyond all bounds at t = %.9g s; the step of %.6g s may be beyond "
                       "the stability limit "
                       "of %s, try a smaller step or an implicit method such as tr-bdf2",
                       name, t, h, run->settings->method->name);
    }
    return LINNET_OK;
}

static linnet_status check_limits(const ln_explicit *run) {
    const ln_settings *settings = run->settings;
    long most = settings->max_steps > 0 ? settings->max_steps : 1000000000L;
    if (run->watcher->stop != NULL && run->watcher->stop(run->watcher->context))
        return LINNET_INTERRUPTED;
    if (run->statistics->steps < most)
        return LINNET_OK;
    return ln_fail(run->report, LINNET_FAILED, LN_NOWHERE,
                   "stopped at t = %.9g s after %ld steps, the limit; take a larger step or a "
                   "shorter duration",
                   run->side.t, most);
}

/* ---- telling ---- */

/* Computes the unknowns at t as seen from a stretch. At a given point no shorter step can help. */
static linnet_status unknowns_at(ln_explicit *run, ln_side side, double *x) {
    linnet_status status = run->ode->unknowns(run->ode, side, run->rk.z, x);
    if (status != LINNET_RETRY)
        return status;
    return ln_fail(run->report, LINNET_FAILED, run->ode->blame_place,
                   "%s; keep its inputs where it has a value", run->ode->blame);
}

linnet_status ln_explicit_tell(ln_explicit *run, ln_side side, const double *x) {
    return run->watcher->accept(run->watcher->context, side, x);
}

/* The point that ends a step, `why` being the reason of a stop there, or 0: told where it is
 * wanted, and at a breakpoint also as it is seen from the other side. */
static linnet_status tell_point(ln_explicit *run, int why) {
    const ln_settings *settings = run->settings;
    const int wanted =
        settings->interval > 0 ? LN_STOP_OUTPUT | LN_STOP_BREAKPOINT | LN_STOP_END : 0;
    run->statistics->t = run->side.t;
    if (wanted != 0 && !(why & wanted))
        return LINNET_OK;
    LN_TRY(unknowns_at(run, run->side, run->x));
    LN_TRY(ln_explicit_tell(run, run->side, run->x));
    if (!(why & LN_STOP_BREAKPOINT) || (why & LN_STOP_END))
        return LINNET_OK;
    int next_why;
    const ln_side right =
        ln_side_between(run->side.t, ln_grid_next(&run->grid, run->side.t, &next_why));
    LN_TRY(unknowns_at(run, right, run->x_right));
    for (int i = 0; i < run->network->n; i++)
        if (run->x_right[i] != run->x[i])
            return ln_explicit_tell(run, right, run->x_right);
    return LINNET_OK;
}

static linnet_status remember(ln_explicit *run, ln_side side, ln_break what) {
    if (run->system == NULL || run->system->delays == NULL)
        return LINNET_OK;
    return ln_delays_accept(run->system, side, run->x, what) == LINNET_OK
               ? LINNET_OK
               : ln_no_memory(run->report);
}

/* The end of a step: told, and, at a breakpoint or an event of a hybrid system, what happens there.
 */
static linnet_status arrive(ln_explicit *run, int why, int crossed, int *ended) {
    const int breakpoint = (why & LN_STOP_BREAKPOINT) != 0;
    LN_TRY(remember(run, run->side, LN_NO_BREAK));
    if (run->system == NULL || !(breakpoint || crossed))
        return tell_point(run, why);
    const int quiet = run->settings->interval > 0 && !(why & (LN_STOP_OUTPUT | LN_STOP_END));
    if (!crossed)
        LN_TRY(unknowns_at(run, run->side, run->x));
    const int at_steps = run->settings->events_at_steps;
    const double t = run->side.t;
    int next_why;
    ln_side side = run->side;
    if (breakpoint)
        side = at_steps ? ln_side_between(t, ln_grid_next(&run->grid, t, &next_why))
                        : ln_side_right(t, run->grid.same);
    const ln_break what =
        at_steps ? LN_NO_BREAK : ln_delays_cause(run->system, t, run->grid.same, crossed);
    LN_TRY(ln_explicit_instant(run, side, quiet, ended));
    LN_TRY(remember(run, side, what));
    ln_grid_changed(&run->grid, run->side.t);
    return LINNET_OK;
}

void ln_explicit_take(ln_explicit *run, double t, double h) {
    ln_statistics *out = run->statistics;
    ln_runge_kutta_accept(&run->rk);
    run->side.t = t;
    out->steps++;
    if (out->smallest == 0 || h < out->smallest)
        out->smallest = h;
    if (h > out->largest)
        out->largest = h;
}

/* ---- fixed step ---- */

/* Local error of the step in rk.z1, by taking it in two halves [Hairer, Norsett, Wanner I, II.4,
 * eq. 4.4]. */
static void sample_error(ln_explicit *run, double h) {
    ln_runge_kutta *twice = &run->twice;
    size_t bytes = (size_t)run->ode->n * sizeof(double);
    memcpy(twice->z, run->rk.z, bytes);
    memcpy(twice->k[0], run->rk.k[0], bytes);
    if (ln_runge_kutta_step(twice, run->side, h / 2) != LINNET_OK)
        return;
    ln_runge_kutta_accept(twice);
    if (ln_runge_kutta_first(twice, ln_side_at(run->side, run->side.t + h / 2)) != LINNET_OK)
        return;
    if (ln_runge_kutta_step(twice, ln_side_at(run->side, run->side.t + h / 2), h / 2) != LINNET_OK)
        return;
    double parts = ldexp(1, run->settings->method->order) - 1;
    for (int i = 0; i < run->ode->n; i++) {
        run->reach[i] = fmax(run->reach[i], fabs(run->rk.z1[i]));
        double size = fabs(run->rk.z1[i] - twice->z1[i]) * (1 + 1 / parts) /
                      (run->reach[i] + run->absolute[i] / 1e-4);
        if (!(size > run->statistics->local_error))
            continue;
        char name[160];
        run->ode->name(run->ode, i, name);
        run->statistics->local_error = size;
        snprintf(run->statistics->local_error_of, sizeof run->statistics->local_error_of, "%.60s",
                 name);
    }
}

static linnet_status run_fixed(ln_explicit *run) {
    for (int ended = 0; run->side.t < run->grid.end && !ended &&
                        !ln_pause_is_due(run->settings->pause, run->side.t);) {
        LN_TRY(check_limits(run));
        int why, crossed = 0;
        double next = ln_grid_next(&run->grid, run->side.t, &why), h = next - run->side.t;
        run->side = ln_side_between(run->side.t, next);
        if (run->system != NULL)
            ln_explicit_depart(run);
        linnet_status status = ln_runge_kutta_first(&run->rk, run->side);
        if (status == LINNET_OK)
            status = ln_runge_kutta_step(&run->rk, run->side, h);
        if (status == LINNET_RETRY && (run->system == NULL || run->settings->events_at_steps))
            return ln_explicit_refused(run, h);
        if (status != LINNET_RETRY) {
            LN_TRY(status);
            LN_TRY(check_bounded(run, next, h));
            if (run->statistics->steps % SAMPLE == 0)
                sample_error(run, h);
            ln_explicit_take(run, next, h);
        }
        if (run->settings->events_at_steps) {
            why |= LN_STOP_BREAKPOINT;
        } else if (run->system != NULL) {
            LN_TRY(ln_explicit_find_root(run, next, status == LINNET_RETRY, &crossed));
            LN_TRY(ln_events_check_bounds(&run->events, run->side.t));
        }
        if (run->side.t < next)
            why = 0;
        else
            ln_grid_reached(&run->grid, next, why);
        LN_TRY(arrive(run, why, crossed, &ended));
    }
    return LINNET_OK;
}

/* ---- adaptive step: PI control [Hairer, Norsett, Wanner I, II.4; Hairer, Wanner II, IV.2] ---- */

static double norm(const ln_explicit *run, const double *v) {
    double sum = 0.0;
    for (int i = 0; i < run->ode->n; i++) {
        double part = v[i] / (run->absolute[i] + run->settings->tolerance * fabs(run->rk.z[i]));
        sum += part * part;
    }
    return run->ode->n > 0 ? sqrt(sum / run->ode->n) : 0.0;
}

/* First step from t: such that an explicit Euler step, then its second derivative, would cause a
 * small error [HNW I, II.4, algorithm for the starting step]. k[0] must be known; uses z1 and k[1].
 */
static double first_step(ln_explicit *run, double most) {
    ln_runge_kutta *rk = &run->rk;
    double d0 = norm(run, rk->z), d1 = norm(run, rk->k[0]);
    double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-5 * most : fmin(0.01 * d0 / d1, most);
    for (int i = 0; i < run->ode->n; i++)
        rk->z1[i] = rk->z[i] + h0 * rk->k[0][i];
    if (run->ode->rates(run->ode, ln_side_at(run->side, run->side.t + h0), rk->z1, rk->k[1]) !=
        LINNET_OK)
        return h0 / 100;
    for (int i = 0; i < run->ode->n; i++)
        rk->z1[i] = rk->k[1][i] - rk->k[0][i];
    double steepest = fmax(d1, norm(run, rk->z1) / h0);
    double h1 = steepest <= 1e-15 ? most : pow(0.01 / steepest, 1.0 / rk->tableau->order);
    return fmin(fmin(100 * h0, h1), most);
}

/* Tries a step of h; 1 when its error is small enough. run->h becomes the step wanted next in any
 * case. */
static linnet_status try_step(ln_explicit *run, double h, double most, int *accepted, int *worst) {
    static const double safety = 0.9, beta = 0.04, strongest_cut = 0.2, strongest_growth = 10.0;
    ln_runge_kutta *rk = &run->rk;
    *accepted = 0;
    *worst = -1;
    linnet_status status = ln_runge_kutta_step(rk, run->side, h);
    double error = 0.0;
    if (status == LINNET_OK)
        error = ln_runge_kutta_error(rk, h, run->settings->tolerance, run->absolute, worst);
    if (status == LINNET_RETRY || !isfinite(error)) {
        run->h = h / 4;
        return LINNET_OK;
    }
    LN_TRY(status);
    double factor = pow(fmax(error, 1e-10), -(1.0 / rk->tableau->order - 0.75 * beta)) * safety;
    if (error > 1.0) {
        run->h = h * fmax(strongest_cut, factor);
        return LINNET_OK;
    }
    *accepted = 1;
    factor = fmin(strongest_growth, fmax(strongest_cut, factor * pow(run->last_error, beta)));
    if (run->rejected)
        factor = fmin(factor, 1.0);
    run->last_error = fmax(error, 1e-4);
    run->h = fmin(h * factor, most);
    return LINNET_OK;
}

/* The step has shrunk to nothing. worst: the state whose error is largest, or -1 after a refusal.
 */
static linnet_status stuck(const ln_explicit *run, double h, int worst) {
    if (worst < 0 || worst >= run->ode->n)
        return ln_explicit_refused(run, h);
    char name[160];
    run->ode->name(run->ode, worst, name);
    return ln_fail(run->report, LINNET_FAILED, place_of(run, worst),
                   "the step has shrunk to %.3g s at t = %.9g s because of %s, which grows without "
                   "bound there or is "
                   "not smooth; loosen the tolerance, give a fixed step, or try an implicit method "
                   "such as tr-bdf2",
                   h, run->side.t, name);
}

/* Within the step just taken, by the formula's continuous extension. */
static linnet_status at_within(void *context, double t, const double **x) {
    ln_explicit *run = context;
    const double h = run->side.t - run->step_begin;
    *x = run->x_right;
    ln_runge_kutta_between(&run->rk, h, (t - run->step_begin) / h, run->z_between);
    linnet_status status =
        run->ode->unknowns(run->ode, ln_side_at(run->side, t), run->z_between, run->x_right);
    if (status == LINNET_RETRY)
        *x = NULL;
    return status == LINNET_RETRY ? LINNET_OK : status;
}

/* What lies within the step just taken, points of the output interval among it. */
static linnet_status tell_between(ln_explicit *run, double h) {
    const double interval = run->settings->interval, begin = run->settings->begin;
    const ln_stretch step = {run->side.t - h, run->side, run, at_within};
    run->step_begin = step.begin;
    if (run->watcher->within != NULL)
        LN_TRY(run->watcher->within(run->watcher->context, &step));
    for (; interval > 0; run->outputs++) {
        double t = begin + (double)(run->outputs + 1) * interval;
        if (t > run->side.t - 1e-9 * interval)
            return LINNET_OK;
        ln_runge_kutta_between(&run->rk, h, (t - (run->side.t - h)) / h, run->z_between);
        linnet_status status =
            run->ode->unknowns(run->ode, ln_side_at(run->side, t), run->z_between, run->x_right);
        if (status == LINNET_RETRY)
            return ln_fail(run->report, LINNET_FAILED, run->ode->blame_place, "%s",
                           run->ode->blame);
        LN_TRY(status);
        LN_TRY(run->watcher->accept(run->watcher->context, ln_side_at(run->side, t), run->x_right));
    }
    return LINNET_OK;
}

/* Is run->side.t itself a point of the output interval? Then it is counted as told. */
static int at_output(ln_explicit *run) {
    const double interval = run->settings->interval;
    double t = run->settings->begin + (double)(run->outputs + 1) * interval;
    int at = interval > 0 && t < run->side.t + 1e-9 * interval;
    run->outputs += at;
    return at;
}

/* One accepted step towards the stop, as long as the error allows. */
static linnet_status step_adaptive(ln_explicit *run, double stop, double most) {
    const double span = run->grid.end - run->grid.begin;
    for (;;) {
        LN_TRY(check_limits(run));
        double left = stop - run->side.t, wanted = run->h;
        double h = left <= wanted * (1 + 1e-9) ? left : left < 2 * wanted ? left / 2 : wanted;
        int accepted, worst;
        LN_TRY(try_step(run, h, most, &accepted, &worst));
        run->rejected = !accepted;
        if (accepted) {
            double next = h == left ? stop : run->side.t + h;
            LN_TRY(check_bounded(run, next, h));
            ln_explicit_take(run, next, h);
            /* cut by the stop, not by its error */
            if (h < wanted)
                run->h = fmax(run->h, fmin(wanted, most));
            return LINNET_OK;
        }
        run->statistics->rejected++;
        if (run->h < 1e-15 * span + 4 * DBL_EPSILON * fabs(run->side.t))
            return stuck(run, h, worst);
    }
}

/* k[0] at the right side of a breakpoint; if the rates jump there, the step is chosen anew. */
static linnet_status restart(ln_explicit *run, double most, int anew) {
    ln_runge_kutta *rk = &run->rk;
    const size_t bytes = (size_t)run->ode->n * sizeof(double);
    memcpy(run->k_left, rk->k[0], bytes);
    linnet_status status = ln_runge_kutta_first(rk, run->side);
    if (status == LINNET_RETRY)
        return ln_explicit_refused(run, run->h);
    LN_TRY(status);
    for (int i = 0; i < run->ode->n && !anew; i++)
        anew = rk->k[0][i] != run->k_left[i];
    if (!anew)
        return LINNET_OK;
    run->h = run->ode->n > 0 ? first_step(run, most) : most;
    run->last_error = 1e-4;
    run->rejected = 0;
    return LINNET_OK;
}

static linnet_status run_adaptive(ln_explicit *run) {
    const ln_settings *settings = run->settings;
    const double most =
        settings->step > 0 ? settings->step : (run->grid.end - run->grid.begin) / 50;
    int anew = 2; /* 1: something may jump here; 2: the step is chosen anew whatever happens */
    for (int ended = 0; run->side.t < run->grid.end && !ended &&
                        !ln_pause_is_due(run->settings->pause, run->side.t);) {
        int why, crossed = 0;
        const double stop = ln_grid_next(&run->grid, run->side.t, &why), before = run->side.t;
        run->side = ln_side_between(run->side.t, stop);
        if (anew)
            LN_TRY(restart(run, most, anew == 2));
        if (run->system != NULL)
            ln_explicit_depart(run);
        LN_TRY(step_adaptive(run, stop, most));
        if (run->system != NULL) {
            LN_TRY(ln_explicit_find_root(run, run->side.t, 0, &crossed));
            LN_TRY(ln_events_check_bounds(&run->events, run->side.t));
        }
        run->progress.same = run->grid.same;
        LN_TRY(ln_progress_step(&run->progress, run->side.t, run->side.t - before, "its error",
                                run->system != NULL ? &run->events : NULL, run->report));
        LN_TRY(tell_between(run, run->side.t - before));
        if (run->side.t < stop)
            why = 0;
        else
            ln_grid_reached(&run->grid, stop, why);
        if (at_output(run))
            why |= LN_STOP_OUTPUT;
        LN_TRY(arrive(run, why, crossed, &ended));
        anew = (why & LN_STOP_BREAKPOINT) || crossed;
    }
    return LINNET_OK;
}

/* ---- the run ---- */

static linnet_status prepare(ln_explicit *run, const double *x0) {
    const int n = run->ode->n;
    const ln_tableau *tableau = ln_tableau_find(run->settings->method->name);
    if (tableau == NULL)
        return ln_fail(run->report, LINNET_USAGE, LN_NOWHERE, "method %s is not an explicit one",
                       run->settings->method->name);
    run->adaptive = tableau->estimates && run->settings->tolerance > 0;
    if (!run->adaptive && !(run->settings->step > 0))
        return ln_fail(run->report, LINNET_USAGE, LN_NOWHERE,
                       "method %s needs a step; give one, or use rk45 with a tolerance",
                       tableau->method);
    run->x = LN_NEW(run->arena, double, run->network->n);
    run->x_right = LN_NEW(run->arena, double, run->network->n);
    run->absolute = LN_NEW(run->arena, double, n);
    run->k_left = LN_NEW(run->arena, double, n);
    run->reach = LN_NEW(run->arena, double, n);
    run->z_between = LN_NEW(run->arena, double, n);
    if (run->z_between == NULL || run->x == NULL || run->x_right == NULL || run->absolute == NULL ||
        run->k_left == NULL || run->reach == NULL ||
        ln_runge_kutta_init(&run->rk, run->arena, tableau, run->ode) != LINNET_OK ||
        ln_runge_kutta_init(&run->twice, run->arena, tableau, run->ode) != LINNET_OK)
        return ln_no_memory(run->report);
    /* absolute tolerances belong to the default relative one and shrink with it */
    double share = run->settings->tolerance > 0 ? run->settings->tolerance / 1e-4 : 1;
    for (int i = 0; i < n; i++)
        run->absolute[i] = share * run->ode->tolerance(run->ode, i);
    run->ode->states(run->ode, x0, run->rk.z);
    return run->system != NULL ? ln_explicit_init(run) : LINNET_OK;
}

static void count(ln_explicit *run) {
    ln_statistics *out = run->statistics;
    out->evaluations = run->ode->evaluations;
    out->newton = run->ode->loop_iterations;
    out->loops = run->ode->loops;
    out->breakpoints = run->grid.breakpoints;
}

/* The start: ticks act, and its point is told. */
static linnet_status depart(ln_explicit *run, int *ended) {
    if (run->system != NULL)
        LN_TRY(ln_explicit_begin(run, ended));
    return ln_explicit_tell(run, run->side, run->x);
}

/* Where a run goes on: the point has been told, and nothing happens there any more. */
static linnet_status go_on(ln_explicit *run) {
    const double interval = run->settings->interval;
    if (interval > 0)
        run->outputs = (long)floor((run->side.t - run->settings->begin) / interval + 1e-9);
    if (run->system == NULL)
        return LINNET_OK;
    if (!ln_pause_load_events(&run->settings->pause->state, &run->events))
        return ln_pause_unfit(run->report);
    ln_root_finder_begin(&run->finder, run->side, run->x);
    return LINNET_OK;
}

static linnet_status pause_here(ln_explicit *run, const ln_system *system) {
    ln_pause *pause = run->settings->pause;
    if (!ln_pause_is_due(pause, run->side.t) || run->side.t >= run->grid.end)
        return LINNET_OK;
    LN_TRY(unknowns_at(run, run->side, run->x));
    ln_bytes_clear(&pause->state);
    ln_pause_save(&pause->state, system, run->side.t, run->x);
    if (run->system != NULL)
        ln_pause_save_events(&pause->state, &run->events);
    pause->paused = 1;
    return LINNET_OK;
}

linnet_status ln_integrate_explicit(ln_ode *ode, const ln_network *network, ln_system *system,
                                    double (*next_breakpoint)(const void *, double),
                                    const void *breakpoint_context, const double *x0,
                                    const ln_settings *settings, const ln_watcher *watcher,
                                    ln_report *report, ln_statistics *statistics) {
    ln_explicit run = {.ode = ode,
                       .network = network,
                       .settings = settings,
                       .watcher = watcher,
                       .report = report,
                       .statistics = statistics,
                       .arena = ln_arena_new(),
                       .side.t = settings->begin};
    const int goes_on = settings->pause != NULL && settings->pause->state.length > 0;
    if (system != NULL && system->nhybrid > 0)
        run.system = system;
    if (goes_on)
        run.side.t = settings->pause->t;
    statistics->method = settings->method;
    statistics->unknowns = network->n;
    statistics->states = ode->n;
    statistics->t = settings->begin;
    if (run.arena == NULL)
        return ln_no_memory(report);
    linnet_status status = prepare(&run, x0);
    if (status == LINNET_OK) {
        int why;
        ln_grid_begin(&run.grid, settings->begin, settings->end, run.adaptive ? 0 : settings->step,
                      next_breakpoint, breakpoint_context);
        ln_grid_want(&run.grid, run.adaptive ? 0 : settings->interval, settings->stops,
                     settings->nstops);
        if (goes_on)
            ln_grid_skip(&run.grid, run.side.t);
        run.side = ln_side_between(run.side.t, ln_grid_next(&run.grid, run.side.t, &why));
        status = unknowns_at(&run, run.side, run.x);
    }
    int ended = 0;
    if (status == LINNET_OK)
        status = goes_on ? go_on(&run) : depart(&run, &ended);
    if (status == LINNET_OK && !ended)
        status = run.adaptive ? run_adaptive(&run) : run_fixed(&run);
    if (status == LINNET_OK && !ended)
        status = pause_here(&run, system);
    count(&run);
    ln_arena_free(run.arena);
    return status;
}
