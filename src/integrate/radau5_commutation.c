/* SPDX-License-Identifier: MIT */
/* Steps of radau5 where junctions without charge commutate. A polynomial over the step has no kink
 * and no jump: the error test rejects a step that leads across, and told nothing but the error,
 * step control halves its way down to the instant, on both sides of it. The tangents at the step's
 * start tell when that is: a step ends there, and a short one leads across. */
#include "integrate/radau5.h"

#include "system/commutation.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The step across, as a part of the one that was rejected. ACROSS: at most, since values within it
 * are those of a line (with 1e-1 potentials of converters were off by a tenth for a moment).
 * SAFE_ACROSS: of the length at which its error, proportional to it at a kink, is just allowed.
 * LEAST_ACROSS: at least. */
static const double ACROSS = 1e-2, SAFE_ACROSS = 0.9, LEAST_ACROSS = 1e-6;
/* Shorter than so many roundings of t no step is made to be: its equations are next to singular. */
static const double ROUNDINGS_ACROSS = 1e5;
/* A step across that is still too long shrinks to this part of it at most. */
static const double SHRINK = 0.1;
/* A junction that blocks carries something from this part of what flows beside it on. Its voltage
 * goes with the logarithm of that: by 0.2 V a thousandfold. */
static const double CARRIES = 1e-4;

/* The part of the step that was tried at which the first junction commutates, by its tangent; 1:
 * none does. */
static double find_first(ln_run *run, ln_radau5 *radau, ln_side side) {
    double *sizes = run->x1;
    if (!ln_radau5_follow_tangents(run, radau, side))
        return 1;
    ln_matrix_apply(&run->system->A, run->x, sizes);
    for (int i = 0; i < run->n; i++)
        sizes[i] = fabs(sizes[i]);
    return ln_system_first_commutation(&(ln_way){run->system, run->x, ln_radau5_node + 1,
                                                 radau->stages.z, radau->jacobian.stored, sizes,
                                                 CARRIES});
}

double ln_radau5_shorten_to_commutation(ln_run *run, ln_radau5 *radau, ln_side side, double error,
                                        double otherwise) {
    ln_radau5_commutation *at = &radau->commutation;
    const double across = fmax(LEAST_ACROSS, fmin(ACROSS, SAFE_ACROSS / error));
    const int was_across = at->is_across;
    at->across_h = at->is_across = 0;
    const double least = ROUNDINGS_ACROSS * DBL_EPSILON * fabs(run->side.t) / radau->h;
    if (radau->first || across <= least || !run->system->has_junctions ||
        !ln_radau5_may_couple(run, radau))
        return otherwise;
    if (was_across && error > 1) {
        at->is_across = 1;
        return fmin(otherwise, fmax(SHRINK, SAFE_ACROSS / error));
    }
    const double first = find_first(run, radau, side);
    if (first >= 1)
        return otherwise;
    at->is_across = first <= across;
    at->across_h = at->is_across ? 0 : across * radau->h;
    return fmax(first, across);
}

void ln_radau5_pass_commutation(ln_radau5 *radau) {
    ln_radau5_commutation *at = &radau->commutation;
    at->is_across = at->across_h > 0;
    if (at->is_across)
        radau->h = fmin(radau->h, at->across_h);
    at->across_h = 0;
}
