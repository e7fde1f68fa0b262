/* SPDX-License-Identifier: MIT */
/* See the header. */
#include "integrate/rest.h"

#include "system/active.h"

#include <math.h>
#include <string.h>

/* What is left of the equations at x, without what is stored, to d->work; 0: they have no value. */
static int find_rates(ln_drive *d, ln_side side) {
    ln_run *run = &d->run;
    const ln_side free = ln_side_with(side, LN_MODES_FREE);
    if (ln_system_sources(run->system, free, run->s) != LINNET_OK)
        return 0;
    ln_matrix_apply(&run->system->A, run->x, d->work);
    if (ln_system_value(run->system, &(ln_moment){free, run->x}, 0, NULL, d->work) != LINNET_OK)
        return 0;
    for (int i = 0; i < run->n; i++)
        d->work[i] -= run->s[i];
    return 1;
}

/* Would unknown j, as it is in run->x, move by no more than noise for all of the run? */
static int rests(ln_drive *d, ln_side side, int j, double noise) {
    const ln_run *run = &d->run;
    const ln_matrix *E = &run->system->E;
    const double span = run->settings->end - run->settings->begin;
    const int first = E->pattern.start[j], end = E->pattern.start[j + 1];
    if (first == end || !find_rates(d, side))
        return 0;
    for (int k = first; k < end; k++)
        if (!(fabs(d->work[E->pattern.row[k]]) * span <= fabs(E->value[k]) * noise))
            return 0;
    return 1;
}

int ln_rest_at_guards(ln_drive *d, ln_side side) {
    ln_run *run = &d->run;
    double *zero = d->noise;
    int moved = 0;
    if (!run->adaptive || memchr(d->events.crossed, 1, (size_t)run->system->nguards) == NULL)
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
