/* SPDX-License-Identifier: MIT */
/* See the header. */
#include "integrate/rest.h"

#include "system/active.h"

#include <math.h>
#include <string.h>

/* What is left of the equations at x, without what is stored, to d->work; 0: they have no value. */
static int find_rates(ln_drive *d, ln_side side, const double *x) {
    ln_run *run = &d->run;
    const ln_side free = ln_side_with(side, LN_MODES_FREE);
    if (ln_system_sources(run->system, free, run->s) != LINNET_OK)
        return 0;
    ln_matrix_apply(&run->system->A, x, d->work);
    if (ln_system_value(run->system, &(ln_moment){free, x}, 0, NULL, d->work) != LINNET_OK)
        return 0;
    for (int i = 0; i < run->n; i++)
        d->work[i] -= run->s[i];
    return 1;
}

/* Would unknown j move by no more than its noise for all of the run, by what d->work leaves? */
static int is_still(const ln_drive *d, int j, double noise) {
    const ln_run *run = &d->run;
    const ln_matrix *E = &run->system->E;
    const double span = run->settings->end - run->settings->begin;
    for (int k = E->pattern.start[j]; k < E->pattern.start[j + 1]; k++)
        if (!(fabs(d->work[E->pattern.row[k]]) * span <= fabs(E->value[k]) * noise))
            return 0;
    return 1;
}

static int are_all_still(const ln_drive *d) {
    const ln_run *run = &d->run;
    for (int i = 0; i < run->n; i++)
        if (!is_still(d, i, ln_system_noise_of(run->system, i, run->x[i])))
            return 0;
    return 1;
}

/* A point ahead, by another step like the last one, to d->between: what is stored by itself goes on
 * as d->work has it, all else as it went in that step; unknown j stays. 0: that is not known. */
static int look_ahead(ln_drive *d, int j) {
    const ln_run *run = &d->run;
    const ln_matrix *E = &run->system->E;
    const double h = run->side.t - d->step_begin;
    const double *begin = NULL;
    if (!(h > 0) || d->leapt || ln_drive_interpolate(d, d->step_begin, &begin) != LINNET_OK ||
        begin == NULL)
        return 0;
    for (int i = 0; i < run->n; i++) {
        const int first = E->pattern.start[i], is_alone = E->pattern.start[i + 1] - first == 1;
        const double way =
            is_alone ? -h * d->work[E->pattern.row[first]] / E->value[first] : run->x[i] - begin[i];
        d->between[i] = run->x[i] + (i == j ? 0 : way);
    }
    return 1;
}

/* Would unknown j, as it is in run->x, move by no more than noise for all of the run: by its rate,
 * and by what the others make of that? A ball is at rest at the top of each bounce, and falls. */
static int rests(ln_drive *d, ln_side side, int j, double noise) {
    const ln_run *run = &d->run;
    const ln_matrix *E = &run->system->E;
    const double span = run->settings->end - run->settings->begin, h = run->side.t - d->step_begin;
    if (E->pattern.start[j] == E->pattern.start[j + 1] || !find_rates(d, side, run->x) ||
        !is_still(d, j, noise))
        return 0;
    if (are_all_still(d))
        return 1;
    if (!look_ahead(d, j) || !find_rates(d, side, d->between))
        return 0;
    for (int k = E->pattern.start[j]; k < E->pattern.start[j + 1]; k++)
        if (!(fabs(d->work[E->pattern.row[k]]) / h * span * span / 2 <= fabs(E->value[k]) * noise))
            return 0;
    return 1;
}

int ln_rest_at_guards(ln_drive *d, ln_side side) {
    ln_run *run = &d->run;
    double *zero = d->noise;
    int moved = 0;
    if (!run->adaptive || !ln_is_hybrid(d) ||
        memchr(d->events.crossed, 1, (size_t)run->system->nguards) == NULL)
        return 0;
    ln_system_guard_zeros(run->system, &(ln_moment){side, run->x}, d->events.crossed, zero);
    for (int j = 0; j < run->n; j++) {
        const double before = run->x[j];
        if (isnan(zero[j]))
            continue;
        run->x[j] = zero[j];
        if (rests(d, side, j, ln_system_noise_of(run->system, j, before))) {
            moved = 1;
            ln_system_guard_zeros(run->system, &(ln_moment){side, run->x}, d->events.crossed, zero);
        } else
            run->x[j] = before;
    }
    if (moved && d->stepper->explicit_ops != NULL)
        d->stepper->explicit_ops->take(run, d->stepper_data, run->x);
    else if (moved) /* what the algebra is to keep */
        (void)ln_system_q(run->system, side, run->x, run->q);
    return moved;
}
