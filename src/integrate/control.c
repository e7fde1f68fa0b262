/* SPDX-License-Identifier: MIT */
/* Step control for methods with an error estimate of their own: the step follows the error
 * estimate, grows only when that pays for a new factorisation, and is cut so that it ends at stops.
 */
#include "integrate/layer.h"
#include "integrate/leap.h"
#include "integrate/stepper.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void ln_note_stored(ln_run *run) {
    const ln_system *system = run->system;
    ln_error_record *errors = &run->errors;
    int count = 0;
    for (int j = 0; j < errors->nunseen; j++) {
        const int k = errors->unseen[j], unknown = system->dq_col[k];
        const char is_stored = system->dq[k] < 0 || system->dq[k] > 0;
        errors->in_error_test[unknown] |= is_stored;
        errors->stores |= is_stored;
        if (!errors->in_error_test[unknown])
            errors->unseen[count++] = k;
    }
    errors->nunseen = count;
}

/* Of the entries of dq/dx those whose unknowns are not in the error test. */
static void list_unseen(ln_run *run) {
    ln_error_record *errors = &run->errors;
    errors->nunseen = 0;
    for (int k = 0; k < run->system->ndq; k++)
        if (!errors->in_error_test[run->system->dq_col[k]])
            errors->unseen[errors->nunseen++] = k;
}

/* The step follows the unknowns that are stored, and those the model gives a tolerance of their
 * own: the others are functions of them, solved for at every stage, and would make the step
 * follow what nobody asked for (a coil's voltage, an acceleration), and dilute radau5's root
 * mean square. The unknowns of a type's own equations whose index is above 1 (a force that keeps
 * a length) count, too; beside them others of index 1 do not: an ideal diode's voltage in a
 * converter with a node between coils vanishes within 1e-14 s. */
void ln_choose_error_test(ln_run *run) {
    const ln_system *system = run->system;
    int any = 0;
    run->errors.stores = 0;
    for (int i = 0; i < run->n; i++) {
        const int asked = ln_network_has_tolerance(system->network, i);
        const int physical = ln_network_is_physical(system->network, i);
        run->errors.in_error_test[i] =
            system->E.pattern.start[i + 1] > system->E.pattern.start[i] || asked ||
            (run->index != NULL && run->index[i] > 1 && !physical);
        run->errors.is_potential[i] = (char)ln_network_is_potential(system->network, i);
        run->errors.least_share[i] = physical && !asked ? LN_OF_REACH : 0;
    }
    list_unseen(run);
    ln_note_stored(run);
    for (int i = 0; i < run->n; i++)
        any |= run->errors.in_error_test[i];
    run->errors.stores |= any;
    if (!any)
        memset(run->errors.in_error_test, 1, (size_t)run->n);
}

int ln_run_has_index_3(const ln_run *run) {
    for (int i = 0; run->index != NULL && i < run->n; i++)
        if (run->index[i] > 2)
            return 1;
    return 0;
}

double ln_devices_rest_within(const ln_run *run, const char *stored, double left) {
    static const double SMALL = 0.1; /* as what Newton's method leaves is of the step's error */
    const ln_system *system = run->system;
    if (run->settings->evaluate_all || !system->has_junctions || system->nparts > 0)
        return 0;
    for (int k = 0; k < system->ndf; k++)
        if (!stored[system->df_col[k]])
            return 0;
    return ln_rests_within(SMALL * left);
}

void ln_control_begin(ln_control *control, int order, int quantised) {
    *control = (ln_control){.order = order, .quantised = quantised};
}

/* After a start: a small part of the run, the smaller the tighter the tolerance; the estimate soon
 * corrects it. */
static double first_step(const ln_run *run) {
    double span = run->settings->end - run->settings->begin;
    return fmin(run->bound.longest, 1e-3 * span) *
           fmin(1, fmax(1e-3, sqrt(run->settings->tolerance)));
}

void ln_control_restart(ln_control *control, ln_run *run) {
    ln_choose_error_test(run);
    control->h = run->bound.first_h > 0
                     ? fmin(run->bound.longest, fmax(run->bound.first_h, first_step(run)))
                     : 0;
    control->last_h = control->tried_h = control->rejected_h = 0;
    control->rejected = 0;
}

static inline double error_scale(const ln_run *run, int i) {
    return run->settings->tolerance *
           ln_error_unit(run, i, ln_larger(fabs(run->x[i]), fabs(run->x1[i])));
}

double ln_error_scale(const ln_run *run, int i) {
    return error_scale(run, i);
}

void ln_error_find_least(ln_run *run, const double *e) {
    const int *common_unknown = run->system->common_unknown;
    int *least = run->errors.errs_least;
    if (run->system->nparts == 0)
        return;
    for (int i = 0; i < run->n; i++)
        least[i] = common_unknown[i] == i ? i : -1;
    for (int i = 0; i < run->n; i++)
        if (common_unknown[i] >= 0 && fabs(e[i]) < fabs(e[least[common_unknown[i]]]))
            least[common_unknown[i]] = i;
}

static inline double error_of(const ln_run *run, const double *e, int i) {
    const int part = run->system->nparts > 0 ? run->system->common_unknown[i] : -1;
    return part < 0 ? e[i] : e[i] - e[run->errors.errs_least[part]];
}

double ln_error_of(const ln_run *run, const double *e, int i) {
    return error_of(run, e, i);
}

/* What floating parts have in common is read as other potentials are, within which radau5 looks
 * whether its polynomial holds (radau5_between.c): it may err by what is expected of the tolerance
 * (LN_EXPECTED), of its largest size so far, and is no reason for a still shorter step after so
 * many trials, for where it jumps no step is short enough. */
enum { MOST_COMMON_TRIALS = 3 };

/* run->errors.jumps becomes whether it errs by more. */
static double norm_of_common(ln_run *run, const double *e, double largest) {
    run->errors.jumps = 0;
    for (int i = 0; run->system->nparts > 0 && i < run->n; i++) {
        if (run->system->common_unknown[i] != i)
            continue;
        const int least = run->errors.errs_least[i];
        const double peak = fmax(run->errors.peak[least], fabs(run->x1[least]));
        const double size = fabs(e[least]) / (LN_EXPECTED * run->settings->tolerance *
                                              ln_error_unit(run, least, peak));
        run->errors.jumps |= size > 1;
        if (size <= largest || run->errors.trials >= MOST_COMMON_TRIALS)
            continue;
        largest = size;
        run->errors.dominant = least;
    }
    return largest;
}

/* What is read is no reason for a still shorter step after so many trials: it may jump where no
 * mode says so (noevent()), or follow from a rate that does (index 2). A layer may be thousands of
 * times shorter than the first step behind an instant (tests/switching.sh: an open diode). */
enum { MOST_READ_TRIALS = 8 };

int ln_error_is_of_read(const ln_run *run, int i) {
    return !run->system->has_junctions && !run->errors.in_error_test[i] &&
           (run->index == NULL || run->index[i] <= 2) && run->errors.is_potential[i];
}

/* Its equations are next to singular. */
int ln_error_read_is_blurred(double h, double t) {
    static const double ROUNDINGS = 1e5; /* of t */
    return h < ROUNDINGS * DBL_EPSILON * fabs(t);
}

double ln_error_of_read(ln_run *run, const double *e, double h, double tolerance) {
    ln_error_record *errors = &run->errors;
    double largest = 0;
    int dominant = 0;
    for (int i = 0; i < run->n; i++) {
        if (!ln_error_is_of_read(run, i))
            continue;
        const double size = ln_larger(errors->peak[i], fabs(run->x1[i]));
        const double error = fabs(e[i]) / (LN_EXPECTED * tolerance * ln_error_unit(run, i, size));
        if (!(error > largest))
            continue;
        largest = error;
        dominant = i;
    }
    errors->read_trials = largest > 1 ? errors->read_trials + 1 : 0;
    if (errors->read_trials > MOST_READ_TRIALS || ln_error_read_is_blurred(h, run->side.t))
        return 0;
    if (largest > 1)
        errors->dominant = dominant;
    return largest;
}

double ln_error_norm(ln_run *run, const double *e) {
    double largest = 0;
    ln_note_stored(run);
    ln_error_find_least(run, e);
    for (int i = 0; i < run->n; i++) {
        if (!run->errors.in_error_test[i] || ln_run_index_of_judged(run, i) > 1)
            continue;
        double size = fabs(error_of(run, e, i)) / error_scale(run, i);
        if (size <= largest)
            continue;
        largest = size;
        run->errors.dominant = i;
        if (isnan(size))
            return size;
    }
    return norm_of_common(run, e, largest);
}

void ln_count_step(ln_run *run, double h) {
    ln_statistics *out = run->statistics;
    out->steps++;
    if (out->smallest == 0 || h < out->smallest)
        out->smallest = h;
    if (h > out->largest)
        out->largest = h;
    if (!run->adaptive)
        return;
    for (int i = 0; i < run->n; i++)
        run->errors.peak[i] = ln_larger(run->errors.peak[i], fabs(run->x[i]));
}

void ln_note_unsolved(ln_run *run, const double *dx) {
    double largest = 0;
    int worst = -1;
    run->bound.cause = LN_BY_NEWTON;
    for (int i = 0; i < run->n; i++) {
        const double size = fabs(dx[i]) / ln_error_unit(run, i, fabs(run->x[i]));
        if (size <= largest)
            continue;
        largest = size;
        worst = i;
    }
    if (worst >= 0)
        run->errors.unsolved[worst]++;
}

void ln_note_rejected(ln_run *run) {
    run->bound.cause = LN_BY_ERROR;
    if (run->n > 0)
        run->errors.rejections[run->errors.dominant]++;
}

void ln_tell_local_error(ln_run *run, int unknown, double size) {
    ln_statistics *out = run->statistics;
    if (!(size > out->local_error))
        return;
    out->local_error = size;
    run->errors.dominant = unknown;
    snprintf(out->local_error_of, sizeof out->local_error_of, "%s",
             ln_network_unknown_name(run->system->network, unknown));
}

void ln_note_local_error(ln_run *run, const double *e) {
    const double *abstol = run->system->abstol;
    for (int i = 0; i < run->n; i++) {
        if (run->index != NULL && run->index[i] > 1)
            continue;
        run->errors.peak[i] = fmax(run->errors.peak[i], fmax(fabs(run->x[i]), fabs(run->x1[i])));
        ln_tell_local_error(run, i, fabs(e[i]) / (run->errors.peak[i] + abstol[i] / 1e-4));
    }
}

linnet_status ln_check_limits(const ln_run *run) {
    long most = run->settings->max_steps > 0 ? run->settings->max_steps : 1000000000L;
    if (run->watcher->stop != NULL && run->watcher->stop(run->watcher->context))
        return LINNET_INTERRUPTED;
    if (run->out_of_memory)
        return ln_no_memory(run->report);
    if (run->statistics->steps < most)
        return LINNET_OK;
    return ln_fail(run->report, LINNET_FAILED, LN_NOWHERE,
                   "stopped at t = %.9g s after %ld steps, the limit; take a larger step or a "
                   "shorter duration",
                   run->side.t, most);
}

double ln_quantise_step(double h) {
    return exp2(floor(2 * log2(h) + 1e-6) / 2);
}

static double quantised(const ln_control *control, double h) {
    return control->quantised ? ln_quantise_step(h) : h;
}

static const double SAFETY = 0.9; /* of a step that would meet the tolerance exactly */

/* From how the error changed since the step before [Gustafsson, see Hairer, Wanner: Solving ODEs
 * II, IV.8.21 f.]. */
static double predicted_growth(const ln_control *control, double h, double error, double power) {
    return SAFETY * h / control->last_h * pow(control->last_error / (error * error), power);
}

/* By how much the next step may differ after an accepted one of h: from the error, and from how it
 * changed. Where a factorisation is kept, small changes do not pay for a new one, and steps of one
 * length are best, as for formulas through several steps; `follows`: else, where there is a new one
 * at each iteration, the step follows its error, and the change counts only where that rises. */
static double growth(ln_control *control, double h, double error, int follows) {
    const double power = 1.0 / control->order;
    double factor = SAFETY * pow(error, -power);
    if (control->last_h > 0 && (!follows || error > control->last_error))
        factor = fmin(factor, predicted_growth(control, h, error, power));
    control->last_h = h;
    control->last_error = fmax(1e-2, error);
    factor = fmin(factor, control->rejected ? 1 : 4);
    control->rejected = 0;
    if (follows || factor < 1)
        return fmax(0.2, factor);
    return factor < 1.3 ? 1 : factor;
}

/* Part of the tolerance that Newton's method may leave in a step; 0.01 moved the results no less
 * than 0.05, with a tenth more iterations (doc/architecture.md). */
static const double OF_ERROR = 0.05;

/* Newton's method ends where the error of the step, as the last trial lets expect it, hides what it
 * leaves. The forces that keep a mechanism's constraint feel what is left of it divided by the
 * square of the step, while a step's own error lies within the constraint. */
static const ln_newton_allowance *choose_accuracy(const ln_control *control, ln_run *run, double h,
                                                  ln_newton_allowance *allowance) {
    if (!run->accuracy.predicts || !ln_run_ends_by_error(run))
        return NULL;
    const double expected = control->tried_error * pow(h / control->tried_h, control->order);
    const double part = OF_ERROR * run->settings->tolerance * fmin(1, expected);
    for (int i = 0; i < run->n; i++)
        run->accuracy.allowed[i] = part * ln_error_unit(run, i, fabs(run->x[i]));
    run->rests = ln_devices_rest_within(run, run->errors.in_error_test, part);
    *allowance =
        (ln_newton_allowance){.origin = run->predictor.origin, .allowed = run->accuracy.allowed};
    return allowance;
}

/* An exponential that changes by a part b departs from its tangent by b^2/2: over the last update a
 * junction may change by so much that this is what Newton's method may leave at the tolerance, and
 * by 1 % at any. */
static double most_bend(const ln_run *run) {
    static const double BEND = 0.01;
    return fmax(BEND, sqrt(2 * OF_ERROR * run->settings->tolerance));
}

/* Not in the first trial behind an instant, where nothing is known of the way. */
static int may_predict(const ln_control *control, const ln_run *run) {
    return ln_run_guesses(run) && control->tried_h > 0 && !control->undamped &&
           !ln_run_has_index_3(run);
}

/* One attempt; 1 when its equations were solved, with the error in control->tried_error. */
static int make_attempt(ln_control *control, ln_run *run, ln_attempt *attempt, void *stepper_data,
                        double h, ln_side *side) {
    ln_newton_allowance allowance;
    run->accuracy.predicts = may_predict(control, run);
    run->accuracy.allowance = choose_accuracy(control, run, h, &allowance);
    double error;
    control->shorter_h = 0;
    run->newton.most_bend = most_bend(run);
    run->newton.most_departure = OF_ERROR * run->settings->tolerance;
    const int made = attempt(run, stepper_data, h, *side, &error) ||
                     (ln_run_follow(run, side) && attempt(run, stepper_data, h, *side, &error));
    run->accuracy.allowance = NULL;
    run->accuracy.predicts = 0;
    run->newton.most_bend = 0;
    if (!made || !isfinite(error))
        return 0;
    control->tried_h = h;
    control->tried_error = fmax(error, ln_error_of_read(run, run->w, h, run->settings->tolerance));
    return 1;
}

/* A layer that the step passes has no such order: then two trials from one point tell how the error
 * falls. */
static double order_of_fall(const ln_control *control, double h, double error) {
    static const double LEAST = 0.1; /* 0.2 of a step is the shortest in any case */
    if (!(control->rejected_h > h))
        return control->order;
    const double measured = log(control->rejected_error / error) / log(control->rejected_h / h);
    return fmax(LEAST, fmin(measured, control->order));
}

static double shrunk(ln_control *control, double h, double error) {
    const double order = order_of_fall(control, h, error);
    control->rejected_h = h;
    control->rejected_error = error;
    return quantised(control, h * fmax(0.2, fmin(SAFETY, SAFETY * pow(error, -1 / order))));
}

/* The error that a next step as long may have: the same, in units of what the unknowns will be
 * there. A current on its way through zero has less allowed at each step than at the one before. */
static double error_ahead(const ln_run *run, double error) {
    double largest = error;
    for (int i = 0; i < run->n; i++) {
        if (!run->errors.in_error_test[i] || ln_run_index_of_judged(run, i) > 1)
            continue;
        const double end = run->x1[i], ahead = 2 * end - run->x[i];
        const double unit = ln_error_unit(run, i, ln_larger(fabs(end), fabs(ahead)));
        largest =
            ln_larger(largest, fabs(error_of(run, run->w, i)) / (run->settings->tolerance * unit));
    }
    return largest;
}

/* Is what unknown i errs by stored? Not what follows from slopes, nor what the members of a
 * floating part have in common. */
static int is_stored(const ln_run *run, int i) {
    return run->errors.in_error_test[i] && ln_run_index_of_judged(run, i) == 1 &&
           !ln_error_is_common(run, i) && !ln_run_gives_derived(run, i);
}

int ln_passes_layer(ln_run *run, double h, double error, const double *e) {
    double *left = run->guess;
    if (run->n == 0 || !isfinite(error) || h > ln_shortest_step(run->side.t) ||
        !ln_run_leaves_of(run, h, e, left))
        return 0;
    const double later = ln_error_norm(run, left); /* first: the dominant unknown is that of e */
    return later < ln_error_norm(run, e) && is_stored(run, run->errors.dominant);
}

/* One trial of h; 1 when accepted and committed. control->h becomes the next size in any case. */
static int try_step(ln_control *control, ln_run *run, ln_attempt *attempt, void *stepper_data,
                    double h, ln_side side) {
    if (!make_attempt(control, run, attempt, stepper_data, h, &side)) {
        control->h = h / 4;
        control->rejected = 1;
        ln_note_unsolved(run, run->newton.dx);
        return 0;
    }
    const double error = fmax(control->tried_error, 1e-9);
    if (error > 1)
        run->errors.trials++;
    else if (!run->errors.jumps)
        run->errors.trials = 0;
    const int passes = error <= 1 || ln_passes_layer(run, h, error, run->w);
    if (!passes || control->shorter_h > 0) {
        control->h = control->shorter_h > 0 ? control->shorter_h : shrunk(control, h, error);
        control->rejected = 1;
        ln_note_rejected(run);
        return 0;
    }
    control->rejected_h = 0;
    const int follows = run->renews && !control->multistep;
    double factor = growth(control, h, follows ? error_ahead(run, error) : error, follows);
    control->h = factor == 1 ? h : quantised(control, h * factor);
    ln_run_commit(run, h);
    run->side.within = side.within;
    ln_count_step(run, h);
    return 1;
}

linnet_status ln_no_step(ln_run *run, double h, ln_side stop) {
    char note[256];
    const ln_newton_outcome outcome = run->outcome;
    const size_t bytes = (size_t)run->n * sizeof *run->w;
    if (outcome == LN_NEWTON_CONVERGED) /* it is about the error */
        memset(run->newton.dx, 0, bytes);
    memcpy(run->w, run->newton.dx, bytes); /* what the message is about */
    if (ln_leap(run, stop, note))
        return LINNET_RETRY;
    if (run->no_step == LN_NO_STEP_IS_TRIED && outcome != LN_NEWTON_MEMORY) {
        run->no_step = LN_NO_STEP_WAS_MET;
        return LINNET_FAILED;
    }
    memcpy(run->newton.dx, run->w, bytes);
    run->tried = *note != '\0' ? note : NULL;
    linnet_status status = ln_report_no_convergence(
        run, &run->newton, outcome, &run->system->pattern, h, "the step cannot be taken");
    run->tried = NULL;
    return status;
}

linnet_status ln_control_advance(ln_control *control, ln_run *run, ln_attempt *attempt,
                                 void *stepper_data, ln_side stop) {
    if (control->h == 0)
        control->h = first_step(run);
    for (;;) {
        const double shortest = ln_shortest_step(run->side.t);
        control->h = fmax(control->h, shortest);
        double left = stop.t - run->side.t, wanted = fmin(control->h, run->bound.longest);
        assert(left > 0 && wanted > 0);
        double h = left <= wanted * (1 + 1e-9) ? left : left < 2 * wanted ? left / 2 : wanted;
        if (try_step(control, run, attempt, stepper_data, h, stop)) {
            /* cut by the stop time only */
            if (h < wanted)
                control->h = fmax(control->h, wanted);
            if (h == left)
                run->side.t = stop.t;
            return LINNET_OK;
        }
        run->statistics->rejected++;
        if ((control->h < shortest && h <= shortest) || run->outcome == LN_NEWTON_MEMORY)
            return ln_no_step(run, h, stop);
        LN_TRY(ln_check_limits(run));
    }
}
