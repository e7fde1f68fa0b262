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

/* The step across, as a part of the one that was rejected: at most, for values within it are those
 * of a line; as long as its error, which falls with its length where there is a kink, lets it be;
 * at least. With 1e-1 at most potentials of converters were off by a tenth for a moment. */
static const double ACROSS = 1e-2, SAFE_ACROSS = 0.9, LEAST_ACROSS = 1e-6;
/* Shorter than so many roundings of t no step is made to be: its equations are next to singular. */
static const double LEAST_ROUNDINGS = 1e5;
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
    return ln_system_first_commutation(run->system,
                                       &(ln_way){run->x, ln_radau5_node + 1, radau->stages.z,
                                                 radau->jacobian.stored, sizes, CARRIES});
}

double ln_radau5_shorten_to_commutation(ln_run *run, ln_radau5 *radau, ln_side side, double error,
                                        double otherwise) {
    ln_radau5_commutation *at = &radau->commutation;
    const double across = fmax(LEAST_ACROSS, fmin(ACROSS, SAFE_ACROSS / error));
    const int was_across = at->crosses;
    at->beyond = at->crosses = 0;
    const double least = LEAST_ROUNDINGS * DBL_EPSILON * fabs(run->side.t) / radau->h;
    if (radau->first || across <= least || !ln_radau5_may_couple(run, radau))
        return otherwise;
    if (was_across && error > 1) {
        at->crosses = 1;
        return fmin(otherwise, fmax(SHRINK, SAFE_ACROSS / error));
    }
    const double first = find_first(run, radau, side);
    if (first >= 1)
        return otherwise;
    at->crosses = first <= across;
    at->beyond = at->crosses ? 0 : across * radau->h;
    return fmax(first, across);
}

void ln_radau5_pass_commutation(ln_radau5 *radau) {
    ln_radau5_commutation *at = &radau->commutation;
    at->crosses = at->beyond > 0;
    if (at->crosses)
        radau->h = fmin(radau->h, at->beyond);
    at->beyond = 0;
}
