/* SPDX-License-Identifier: MIT */
/* The differentiation index of every unknown, for networks whose index is above 1: how its error is
 * to be judged.
 *
 * A disturbance of the equations moves an unknown of index k by h^(1-k) as h -> 0 [Hairer, Wanner
 * II, VII.1]: the growth between two small h tells k. What grows may begin far below the rest (a
 * loop of picofarads), hence more than one h, and a disturbance of the constraints alone beside one
 * of all equations; and the start may be a special point (a pendulum that hangs straight), hence a
 * second point beside it. The largest counts. */
#include "integrate/implicit.h"

#include <math.h>
#include <string.h>

static const double RATIO = 8; /* of an h and the next smaller */
/* how far the second point is from the start, of the nominal size */
static const double ASIDE = 0.1;

/* What is disturbed, and at which h: amperes into every node would hide how a source answers across
 * picofarads; but a constraint may be spread over equations that store (a cutset with capacitors
 * inside). Constraints alone show every part that follows them quickly as if it did so at once (a
 * coil behind a capacitor), unless h is far below its time. */
enum disturbed { EVERYTHING, CONSTRAINTS };
static const struct look {
    double span; /* h, of the duration */
    enum disturbed which;
} LOOKS[] = {{1e-5, EVERYTHING}, {1e-9, EVERYTHING}, {1e-9, CONSTRAINTS}};

/* y = K(1/h)^-1 b with the parts of the last ln_system_eval(); 0 when it is singular. */
static int respond(ln_run *run, ln_linear *linear, double h, enum disturbed which, double *y) {
    ln_system_jacobian(run->system, 1 / h, run->newton.values);
    if (ln_linear_factor(linear, run->newton.values) != LN_FACTORED)
        return 0;
    for (int i = 0; i < run->n; i++)
        y[i] = which == CONSTRAINTS && run->system->dynamic[i] ? 0 : 1 + 0.5 * sin(1 + 3.0 * i);
    ln_linear_solve(linear, y);
    return 1;
}

/* The index that this growth tells; growth that is no whole power is rounding. */
static char told_by(double fine, double coarse) {
    double growth = coarse == 0 ? 0 : log(fabs(fine) / fabs(coarse)) / log(RATIO);
    return fabs(growth - 2) < 0.3 ? 3 : fabs(growth - 1) < 0.3 ? 2 : 1;
}

/* At the point x, from three h, for what grows only once is a part that is slower than the first
 * and faster than the last; nothing is learnt where a block refuses the point. */
static void look_at(ln_run *run, ln_linear *linear, const double *x, char *index) {
    const double span = run->settings->end - run->settings->begin;
    double *y[3] = {run->w, run->kept, run->q1};
    if (ln_system_eval(run->system, run->side, x, LN_LIMIT_OFF, NULL, NULL, NULL) != LINNET_OK)
        return;
    for (const struct look *view = LOOKS; view < LOOKS + sizeof LOOKS / sizeof *LOOKS; view++) {
        double h = view->span * span;
        for (int k = 0; k < 3; k++, h /= RATIO)
            if (!respond(run, linear, h, view->which, y[k]))
                return;
        for (int i = 0; i < run->n; i++) {
            char found = told_by(y[1][i], y[0][i]), again = told_by(y[2][i], y[1][i]);
            if (found == again && found > index[i])
                index[i] = found;
        }
    }
}

linnet_status ln_run_find_index(ln_run *run) {
    char *index = run->index != NULL ? run->index : LN_NEW(run->arena, char, run->n);
    ln_linear *linear = ln_linear_new(&run->system->pattern, run->settings->linear);
    if (index == NULL || linear == NULL) {
        ln_linear_free(linear);
        return ln_no_memory(run->report);
    }
    if (run->index == NULL)
        memset(index, 1, (size_t)run->n);
    look_at(run, linear, run->x, index);
    for (int i = 0; i < run->n; i++) {
        double absolute, nominal;
        ln_network_unknown_scale(run->system->network, i, &absolute, &nominal);
        run->x1[i] = run->x[i] + ASIDE * nominal * sin(1 + 0.7 * i);
    }
    look_at(run, linear, run->x1, index);
    run->index = index;
    ln_linear_free(linear);
    return LINNET_OK;
}
