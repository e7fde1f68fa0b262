/* SPDX-License-Identifier: MIT */
/* Explicit methods: steps of the states by a formula of runge_kutta.c, and all unknowns computed
 * from them where somebody asks. The states are those of a plain diagram, compiled to one program,
 * or of a network that split.c solves for them. rk45 controls its step (PI control: Hairer,
 * Norsett, Wanner I, II.4; Hairer, Wanner II, IV.2); of fixed steps the error is sampled. */
#include "integrate/follow.h"
#include "integrate/runge_kutta.h"
#include "integrate/stepper.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Beyond this a state counts as run away. */
static const double run_away = 1e300;

enum { SAMPLE = 64 }; /* one fixed step in so many is sampled for its error */

typedef struct explicit_steps {
    ln_ode *ode;
    ln_following following;
    int is_diagram;
    ln_runge_kutta rk;
    ln_runge_kutta twice;    /* fixed step: takes a sampled step in two halves */
    double *absolute, *peak; /* ode->n: tolerances; largest |z| at the samples */
    double *k_left;          /* ode->n: rates at the left side of a discontinuity */
    double *z_between;       /* ode->n: within a step */
    double begin;            /* of the last step */
    double h, last_error;    /* the step it wants; the error of the last accepted step */
    int rejected;            /* the last trial was */
    int first;               /* the step begins at an instant */
    int stiff, mild;         /* looks at which the step was as long as stability allows; and not */
    int has_warned;          /* of stiffness */
    struct {
        double t;
        long steps, rejected;
    } creep; /* where the steps at hand began, and how many there are, and were tried again */
    /* k[0]: known; to be looked at; not, since the step is taken again from its start; unknown */
    enum { GOES_ON, MAY_JUMP, TAKEN_AGAIN, BEGINS } rates;
} explicit_steps;

/* ---- failures ---- */

static linnet_status report_no_value(const ln_run *run, const void *stepper_data, double h) {
    const ln_ode *ode = ((const explicit_steps *)stepper_data)->ode;
    if (h == 0)
        return ln_fail(run->report, LINNET_FAILED, ode->blame_place,
                       "%s; keep its inputs where it has a value", ode->blame);
    return ln_fail(run->report, LINNET_FAILED, ode->blame_place,
                   "%s; the step of %.6g s from t = %.9g s cannot be taken, try a smaller step or "
                   "an implicit method such as tr-bdf2",
                   ode->blame, h, run->side.t);
}

static const char *name_of(const ln_run *run, const explicit_steps *steps, int state) {
    return ln_network_unknown_name(run->system->network, steps->ode->unknown[state]);
}
static ln_place place_of(const ln_run *run, const explicit_steps *steps, int state) {
    return ln_network_unknown_place(run->system->network, steps->ode->unknown[state]);
}

/* No state may run away, or have become NaN: names the first that has. */
static linnet_status check_bounded(const ln_run *run, const explicit_steps *steps, double h) {
    const double *z = steps->rk.z1;
    for (int i = 0; i < steps->ode->n; i++) {
        if (fabs(z[i]) <= run_away)
            continue;
        return ln_fail(run->report, LINNET_FAILED, place_of(run, steps, i),
                       "%s grows beyond all bounds at t = %.9g s; the step of %.6g s may be beyond "
                       "the stability limit of %s, try a smaller step or an implicit method such "
                       "as tr-bdf2",
                       name_of(run, steps, i), run->side.t + h, h, run->settings->method->name);
    }
    return LINNET_OK;
}

/* The step has shrunk to nothing. worst: the state whose error is largest, or -1 after a refusal.
 */
static linnet_status stuck(const ln_run *run, const explicit_steps *steps, double h, int worst) {
    if (worst < 0 || worst >= steps->ode->n)
        return report_no_value(run, steps, h);
    return ln_fail(run->report, LINNET_FAILED, place_of(run, steps, worst),
                   "the step has shrunk to %.3g s at t = %.9g s because of %s, which grows without "
                   "bound there or is not smooth; loosen the tolerance, give a fixed step, or try "
                   "an implicit method such as tr-bdf2",
                   h, run->side.t, name_of(run, steps, worst));
}

/* ---- what differs from implicit methods ---- */

static linnet_status start(ln_run *run, void *stepper_data, ln_consistency_solver *consistency) {
    const explicit_steps *steps = stepper_data;
    if (steps->is_diagram && run->settings->start == LN_START_VALUES) {
        const linnet_status is_explicit = ln_start_states(run, steps->ode);
        if (is_explicit != LINNET_RETRY)
            return is_explicit;
    }
    LN_TRY(ln_consistency_init(consistency, run->system, run->settings->linear, run->side, run->x,
                               run->report));
    run->side.modes = LN_MODES_FREE;
    const linnet_status status = ln_start(run, consistency);
    run->side.modes = LN_MODES_FROZEN;
    return status;
}

static void take(const ln_run *run, void *stepper_data, const double *x) {
    explicit_steps *steps = stepper_data;
    steps->ode->states(steps->ode, x, steps->rk.z);
    /* absolute tolerances belong to the default relative one and shrink with it */
    const double share =
        run->settings->tolerance > 0 ? run->settings->tolerance / LN_DEFAULT_TOLERANCE : 1;
    for (int i = 0; i < steps->ode->n; i++)
        steps->absolute[i] = share * steps->ode->absolute[i];
}

static linnet_status unknowns(ln_run *run, void *stepper_data, ln_side side, double *x) {
    explicit_steps *steps = stepper_data;
    ln_ode *ode = side.modes != LN_MODES_FROZEN ? &steps->following.ode : steps->ode;
    const linnet_status status = ode->unknowns(ode, &side, steps->rk.z, x);
    run->out_of_memory |= steps->ode->out_of_memory;
    return status;
}

/* ---- memory ---- */

/* What no diagram computes in causal order (a pendulum by its length) is split as a network is. */
static linnet_status make_states(ln_run *run, explicit_steps *steps) {
    linnet_status status = LINNET_USAGE;
    if (run->system->network->purely_signal) {
        ln_report *quiet = ln_report_new(NULL, NULL);
        if (quiet == NULL)
            return ln_no_memory(run->report);
        status = ln_diagram_new(run->system->network, quiet, &steps->ode);
        ln_report_free(quiet);
    }
    if (status == LINNET_MEMORY)
        return ln_no_memory(run->report);
    steps->is_diagram = status == LINNET_OK;
    if (status != LINNET_OK)
        LN_TRY(ln_split_new(run->system, run->settings, run->report, &steps->ode));
    steps->ode->memory = run->system->memory;
    steps->ode->profile = run->settings->profile;
    run->statistics->states = steps->ode->n;
    return ln_following_init(&steps->following, run, steps->ode);
}

static linnet_status create(ln_run *run, void *stepper_data) {
    explicit_steps *steps = stepper_data;
    const ln_tableau *tableau = ln_tableau_find(run->settings->method->name);
    double **vectors[] = {&steps->absolute, &steps->peak, &steps->k_left, &steps->z_between};
    LN_TRY(make_states(run, steps));
    const int n = steps->ode->n;
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if ((*vectors[k] = LN_NEW(run->arena, double, n)) == NULL)
            return ln_no_memory(run->report);
    if (ln_runge_kutta_init(&steps->rk, run->arena, tableau, steps->ode) != LINNET_OK ||
        ln_runge_kutta_init(&steps->twice, run->arena, tableau, steps->ode) != LINNET_OK)
        return ln_no_memory(run->report);
    steps->rates = BEGINS;
    return LINNET_OK;
}

static void release(void *stepper_data) {
    ln_ode *ode = ((explicit_steps *)stepper_data)->ode;
    if (ode != NULL)
        ode->free(ode);
}

static void count(ln_run *run, const void *stepper_data) {
    const ln_ode *ode = ((const explicit_steps *)stepper_data)->ode;
    run->statistics->evaluations = ode->evaluations;
    run->statistics->newton = ode->loop_iterations;
    run->statistics->loops = ode->loops;
}

/* ---- one step ---- */

static void accept(ln_run *run, explicit_steps *steps, double t, const ln_side *side) {
    steps->begin = run->side.t;
    ln_runge_kutta_accept(&steps->rk);
    run->side = ln_side_with(ln_side_at(*side, t), LN_MODES_FROZEN);
}

/* Local error of the step in rk.z1, by taking it in two halves [Hairer, Norsett, Wanner I, II.4,
 * eq. 4.4]. */
static void sample_error(ln_run *run, explicit_steps *steps, const ln_side *side, double h) {
    ln_runge_kutta *twice = &steps->twice;
    const ln_side middle = ln_side_at(*side, side->t + h / 2);
    const size_t bytes = (size_t)steps->ode->n * sizeof(double);
    memcpy(twice->z, steps->rk.z, bytes);
    memcpy(twice->k[0], steps->rk.k[0], bytes);
    if (ln_runge_kutta_step(twice, side, h / 2) != LINNET_OK)
        return;
    ln_runge_kutta_accept(twice);
    if (ln_runge_kutta_first(twice, &middle) != LINNET_OK ||
        ln_runge_kutta_step(twice, &middle, h / 2) != LINNET_OK)
        return;
    const double parts = ldexp(1, run->settings->method->order) - 1;
    for (int i = 0; i < steps->ode->n; i++) {
        const double z = steps->rk.z1[i];
        steps->peak[i] = fmax(steps->peak[i], fabs(z));
        ln_tell_local_error(run, steps->ode->unknown[i],
                            fabs(z - twice->z1[i]) * (1 + 1 / parts) /
                                (steps->peak[i] + steps->absolute[i] / LN_DEFAULT_TOLERANCE));
    }
}

/* From z to z1, with k[0] anew or as it stands. */
static linnet_status step(ln_run *run, explicit_steps *steps, const ln_side *side, double h,
                          int anew) {
    ln_runge_kutta *rk = &steps->rk;
    rk->ode = side->modes != LN_MODES_FROZEN ? &steps->following.ode : steps->ode;
    linnet_status status = anew ? ln_runge_kutta_first(rk, side) : LINNET_OK;
    if (status == LINNET_OK)
        status = ln_runge_kutta_step(rk, side, h);
    rk->ode = steps->ode;
    run->out_of_memory |= steps->ode->out_of_memory;
    run->outcome = status == LINNET_RETRY ? LN_NEWTON_REFUSED : LN_NEWTON_CONVERGED;
    return status;
}

/* From run->side.t; side: of the step. */
static linnet_status fixed_step(ln_run *run, explicit_steps *steps, double h, const ln_side *side) {
    LN_TRY(step(run, steps, side, h, 1));
    LN_TRY(check_bounded(run, steps, h));
    if (!run->adaptive && run->statistics->steps % SAMPLE == 0)
        sample_error(run, steps, side, h);
    accept(run, steps, side->t + h, side);
    return LINNET_OK;
}

static linnet_status fixed(ln_run *run, void *stepper_data, double h, ln_side side) {
    side = ln_side_at(side, run->side.t);
    return fixed_step(run, stepper_data, h, &side);
}

static linnet_status walk(ln_run *run, void *stepper_data, ln_grid *grid) {
    for (;;) {
        int why;
        const double from = run->side.t, target = ln_grid_next(grid, from, &why), h = target - from;
        if (why != LN_STOP_GRID)
            return LINNET_OK;
        LN_TRY(ln_check_limits(run));
        const ln_side side = ln_side_after(from, target);
        const linnet_status status = fixed_step(run, stepper_data, h, &side);
        if (status == LINNET_RETRY)
            return report_no_value(run, stepper_data, h);
        LN_TRY(status);
        ln_count_step(run, h);
        run->statistics->t = run->side.t = target;
    }
}

static const ln_explicit_class states = {start, take, unknowns, report_no_value, walk};

static linnet_status interpolate(ln_run *run, void *stepper_data, double t, double *x) {
    explicit_steps *steps = stepper_data;
    const double h = run->side.t - steps->begin;
    ln_runge_kutta_between(&steps->rk, h, (t - steps->begin) / h, steps->z_between);
    const ln_side side = ln_side_at(run->side, t);
    return steps->ode->unknowns(steps->ode, &side, steps->z_between, x);
}

/* ---- steps that follow the error ---- */

static double norm(const ln_run *run, const explicit_steps *steps, const double *v) {
    double sum = 0.0;
    for (int i = 0; i < steps->ode->n; i++) {
        double part = v[i] / (steps->absolute[i] + run->settings->tolerance * fabs(steps->rk.z[i]));
        sum += part * part;
    }
    return steps->ode->n > 0 ? sqrt(sum / steps->ode->n) : 0.0;
}

/* First step from here: such that an explicit Euler step, then its second derivative, would cause a
 * small error [HNW I, II.4, algorithm for the starting step]. k[0] must be known; uses z1 and k[1].
 */
static double first_step(const ln_run *run, explicit_steps *steps, ln_side side) {
    ln_runge_kutta *rk = &steps->rk;
    const double most = run->bound.longest, d0 = norm(run, steps, rk->z),
                 d1 = norm(run, steps, rk->k[0]);
    const double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-5 * most : fmin(0.01 * d0 / d1, most);
    if (steps->ode->n == 0)
        return most;
    for (int i = 0; i < steps->ode->n; i++)
        rk->z1[i] = rk->z[i] + h0 * rk->k[0][i];
    side = ln_side_at(side, side.t + h0);
    if (ln_ode_rates(steps->ode, &side, rk->z1, rk->k[1]) != LINNET_OK)
        return h0 / 100;
    for (int i = 0; i < steps->ode->n; i++)
        rk->z1[i] = rk->k[1][i] - rk->k[0][i];
    const double steepest = fmax(d1, norm(run, steps, rk->z1) / h0);
    const double h1 = steepest <= 1e-15 ? most : pow(0.01 / steepest, 1.0 / rk->tableau->order);
    return fmin(fmin(100 * h0, h1), most);
}

/* Where stability bounds the step and not accuracy, the run may take a million times the steps of
 * an implicit method: that is told, once. The rule and its numbers are those of DOPRI5 [HW II,
 * IV.2]: each 1000th step is looked at; 15 looks in a row, but for fewer than 6, show a step at the
 * border of the stability region, 3.3 on the negative real axis. */
static void look_for_stiffness(ln_run *run, explicit_steps *steps, double h) {
    enum { EACH = 1000, STIFF = 15, MILD = 6 };
    static const double BORDER = 3.25;
    int worst;
    if (steps->has_warned || (run->statistics->steps % EACH != EACH - 1 && steps->stiff == 0))
        return;
    if (ln_runge_kutta_stiffness(&steps->rk, h, run->settings->tolerance, steps->absolute, &worst) >
        BORDER) {
        steps->mild = 0;
        steps->stiff++;
    } else if (++steps->mild == MILD) {
        steps->stiff = steps->mild = 0;
    }
    if (steps->stiff < STIFF || worst >= steps->ode->n)
        return;
    steps->has_warned = 1;
    ln_warn(run->report, place_of(run, steps, worst),
            "%s is stiff at t = %.6g s: steps of %.3g s are as long as the stability of %s allows, "
            "accuracy allows longer ones; an implicit method such as radau5 takes them",
            name_of(run, steps, worst), run->side.t, h, run->settings->method->name);
}

/* Behind a singularity at a finite time (x' = -1/x at 0) a state may jump to and fro within its
 * tolerance, by steps that are tried again more often than not and lead nowhere. So many steps in
 * which nothing happens and half as many more are rejected, on less than this part of the run, are
 * such a place: the whole run would take ten million. Friction that slides without events looks the
 * same (1.4 rejected for each step) and may go on for longer. */
static int creeps(const ln_run *run, explicit_steps *steps) {
    enum { STEPS = 10000 };
    static const double PART = 1e-3;
    const double span = run->settings->end - run->settings->begin;
    if (++steps->creep.steps < STEPS)
        return 0;
    const int found =
        steps->creep.rejected > STEPS / 2 && run->side.t - steps->creep.t < PART * span;
    steps->creep.t = run->side.t;
    steps->creep.steps = steps->creep.rejected = 0;
    return found;
}

static void keep(const explicit_steps *steps, int back) {
    if (steps->ode->keep != NULL)
        steps->ode->keep(steps->ode, back);
}

/* k[0] where the driver has begun anew; if the rates jump there, the step is chosen anew. */
static linnet_status look_at_rates(ln_run *run, explicit_steps *steps, ln_side side) {
    const size_t bytes = (size_t)steps->ode->n * sizeof(double);
    const int goes_on = steps->rates == TAKEN_AGAIN;
    int jump = steps->rates == BEGINS;
    if (steps->rates == GOES_ON)
        return LINNET_OK;
    memcpy(steps->k_left, steps->rk.k[0], bytes);
    const linnet_status status = ln_runge_kutta_first(&steps->rk, &side);
    if (status == LINNET_RETRY)
        return report_no_value(run, steps, steps->h);
    LN_TRY(status);
    keep(steps, 0);
    for (int i = 0; i < steps->ode->n && !jump && !goes_on; i++)
        jump = steps->rk.k[0][i] != steps->k_left[i];
    steps->rates = GOES_ON;
    steps->first = !goes_on;
    if (!jump)
        return LINNET_OK;
    steps->h = first_step(run, steps, side);
    run->out_of_memory |= steps->ode->out_of_memory;
    steps->last_error = 1e-4;
    steps->rejected = 0;
    return LINNET_OK;
}

/* Tries a step of h; steps->rejected: 0 when its error is small enough. steps->h becomes the step
 * wanted next in any case. */
static linnet_status try_step(ln_run *run, explicit_steps *steps, double h, ln_side side,
                              int *worst) {
    static const double safety = 0.9, beta = 0.04, strongest_cut = 0.2, strongest_growth = 10.0;
    ln_runge_kutta *rk = &steps->rk;
    const int again = steps->rejected;
    steps->rejected = 1;
    *worst = -1;
    linnet_status status = step(run, steps, &side, h, 0);
    if (ln_run_follow(run, &side))
        status = step(run, steps, &side, h, 0);
    double error = 0.0;
    if (status == LINNET_OK)
        error = ln_runge_kutta_error(rk, h, run->settings->tolerance, steps->absolute, worst);
    if (status == LINNET_OK && steps->first)
        error = fmax(error,
                     ln_runge_kutta_start_error(rk, h, run->settings->tolerance, steps->absolute));
    if (status == LINNET_RETRY || !isfinite(error)) {
        steps->h = h / 4;
        return LINNET_OK;
    }
    LN_TRY(status);
    if (*worst < steps->ode->n)
        run->errors.dominant = steps->ode->unknown[*worst];
    double factor = pow(fmax(error, 1e-10), -(1.0 / rk->tableau->order - 0.75 * beta)) * safety;
    if (error > 1.0) {
        steps->h = h * fmax(strongest_cut, factor);
        ln_note_rejected(run);
        return LINNET_OK;
    }
    factor = fmin(strongest_growth, fmax(strongest_cut, factor * pow(steps->last_error, beta)));
    steps->last_error = fmax(error, 1e-4);
    steps->h = fmin(h * (again ? fmin(factor, 1) : factor), run->bound.longest);
    steps->rejected = 0;
    return LINNET_OK;
}

static linnet_status restart(ln_run *run, void *stepper_data) {
    explicit_steps *steps = stepper_data;
    if (steps->rates == GOES_ON)
        steps->rates = run->bound.first_h > 0 ? TAKEN_AGAIN : MAY_JUMP;
    steps->creep.t = run->side.t;
    steps->creep.steps = steps->creep.rejected = 0;
    return LINNET_OK;
}

static linnet_status advance(ln_run *run, void *stepper_data, ln_side stop) {
    explicit_steps *steps = stepper_data;
    const double span = run->settings->end - run->settings->begin, from = run->side.t;
    const ln_side side = ln_side_at(stop, from);
    LN_TRY(look_at_rates(run, steps, side));
    for (;;) {
        const double left = stop.t - from, wanted = fmin(steps->h, run->bound.longest);
        const double h = left <= wanted * (1 + 1e-9) ? left : left < 2 * wanted ? left / 2 : wanted;
        int worst;
        LN_TRY(ln_check_limits(run));
        keep(steps, 1);
        LN_TRY(try_step(run, steps, h, side, &worst));
        if (!steps->rejected) {
            keep(steps, 0);
            LN_TRY(check_bounded(run, steps, h));
            look_for_stiffness(run, steps, h);
            accept(run, steps, h == left ? stop.t : from + h, &stop);
            steps->first = 0;
            /* cut by the stop, not by its error */
            if (h < wanted)
                steps->h = fmax(steps->h, wanted);
            ln_count_step(run, h);
            return creeps(run, steps) ? stuck(run, steps, h, worst) : LINNET_OK;
        }
        run->statistics->rejected++;
        steps->creep.rejected++;
        if (steps->h < 1e-15 * span + 4 * DBL_EPSILON * fabs(from))
            return stuck(run, steps, h, worst);
    }
}

#define COMMON                                                                                 \
    .size = sizeof(explicit_steps), .explicit_ops = &states, .create = create, .count = count, \
    .release = release, .restart = restart, .fixed = fixed, .interpolate = interpolate

const ln_stepper_class ln_stepper_euler = {
    .method = {"euler", "explicit Euler, fixed step, order 1", 1, 0, 0}, COMMON};
const ln_stepper_class ln_stepper_heun = {
    .method = {"heun", "Heun's method, explicit, fixed step, order 2", 2, 0, 0}, COMMON};
const ln_stepper_class ln_stepper_rk4 = {
    .method = {"rk4", "classical Runge-Kutta, explicit, fixed step, order 4", 4, 0, 0}, COMMON};
const ln_stepper_class ln_stepper_rk45 = {
    .method = {"rk45", "Dormand-Prince 5(4), explicit, adaptive", 5, 0, 1},
    COMMON,
    .advance = advance};
