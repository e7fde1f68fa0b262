/* SPDX-License-Identifier: MIT */
/* What delays ask of the steps of a run: that their points are recorded, that they are no longer
 * than what comes back can be followed, and that they foresee what they send on themselves. */
#include "integrate/drive.h"

#include "integrate/global_error.h"
#include "system/delay.h"

#include <float.h>
#include <math.h>

double ln_drive_lookahead_bound(const ln_drive *d, double most) {
    const ln_run *run = &d->run;
    return ln_delays_lookahead_bound(run->system, run->side, run->x, most,
                                     run->settings->method->order > 2 ? 3 : 2,
                                     run->settings->tolerance);
}

/* an adaptive step is recorded for delays at the ends of so many parts of it */
enum { SAMPLES_PER_STEP = 4 };
/* The roughness of samples is not measured over a step that an event has cut to less than this part
 * of the length that the method took: its interpolation error, of sixth order, is below CUT^6 of
 * the full one's, 1e-6, and what would be measured is rounding. */
static const double CUT = 0.1;
/* Nor over one of fewer roundings of the time: its samples lie where rounding has put them, beside
 * those of the steps before, between which a polynomial tells nothing. */
static const double LEAST_ROUNDINGS = 1000;

/* Back: the longest next step whose delayed inputs are still interpolated well, after one of h
 * seconds: no error estimate sees delayed values. The leave-one-out error of the samples is taken
 * as 10 times the interpolation error; it falls as h^6, since the polynomials are of degree 5. A
 * rate is evaluated at the end of the step itself, beyond all samples, and reaches no farther
 * forwards than the samples reach back: steps that outgrew them fivefold made spurious extrema (40
 * events where there are 30). */
static double interpolation_bound_after(const ln_drive *d, double h) {
    const ln_system *system = d->run.system;
    const double excess = ln_delays_roughness(system) / (10 * d->run.settings->tolerance);
    const double interpolated =
        excess > 0 ? h * fmin(5, fmax(0.2, 0.9 * pow(excess, -1.0 / 6))) : INFINITY;
    return fmin(interpolated, ln_delays_rates_span(system));
}

/* Adaptive: samples within the step just taken. */
static linnet_status record_within(ln_drive *d) {
    const ln_run *run = &d->run;
    const double from = d->step_begin;
    for (int k = 1; run->adaptive && k < SAMPLES_PER_STEP; k++) {
        const double t = from + (run->side.t - from) * k / SAMPLES_PER_STEP, *x;
        LN_TRY(ln_drive_interpolate(d, t, &x));
        if (x != NULL && ln_delays_record(run->system, ln_side_at(run->side, t), x, LN_POINT_WITHIN,
                                          NULL) != LINNET_OK)
            return ln_no_memory(run->report); /* a delay that ran out of memory has no past */
    }
    return LINNET_OK;
}

linnet_status ln_drive_forecast_is_off(ln_drive *d, int *off) {
    ln_run *run = &d->run;
    *off = 0;
    if (run->system->delays == NULL || !run->adaptive || d->leapt ||
        !(ln_delays_shortest(run->system) < run->side.t - d->step_begin))
        return LINNET_OK;
    LN_TRY(ln_drive_compute_unknowns(d));
    ln_delays_foresee(run->system, run->side, run->x);
    LN_TRY(record_within(d));
    *off = ln_delays_forecast_error(run->system, run->side, run->x) > run->settings->tolerance;
    return LINNET_OK;
}

linnet_status ln_drive_record_part(ln_drive *d) {
    if (d->run.system->delays == NULL)
        return LINNET_OK;
    LN_TRY(record_within(d));
    return ln_delays_record(d->run.system, d->run.side, d->run.x, LN_PART_END, NULL) == LINNET_OK
               ? LINNET_OK
               : ln_no_memory(d->run.report);
}

linnet_status ln_drive_record_for_delays(ln_drive *d, int *crossed) {
    ln_run *run = &d->run;
    const double h = run->side.t - d->step_begin;
    if (run->system->delays == NULL)
        return LINNET_OK;
    LN_TRY(ln_drive_compute_unknowns(d));
    *crossed |= ln_delays_note_rates(run->system, run->side, run->x) && !d->events_at_steps;
    LN_TRY(record_within(d));
    if (ln_delays_record(run->system, run->side, run->x,
                         d->events_at_steps ? LN_STEP_END_TO_ACT : LN_STEP_END, NULL) != LINNET_OK)
        return ln_no_memory(run->report);
    if (ln_global_error_record(run) != LINNET_OK)
        return ln_no_memory(run->report);
    const double least = fmax(CUT * d->uncut_h, LEAST_ROUNDINGS * DBL_EPSILON * fabs(run->side.t));
    if (run->adaptive && h >= least)
        d->interpolation_bound = interpolation_bound_after(d, h);
    return LINNET_OK;
}
