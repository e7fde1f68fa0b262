/* SPDX-License-Identifier: MIT */
/* How long an update of Newton's method is, in units of what each unknown may be off: see newton.h.
 *
 * Unknowns are taken LANES at a time, each lane with a maximum of its own, so that the loop becomes
 * vectors; a maximum does not depend on the order. What does not count is multiplied by zero. */
/* By -O3 only. The pragma would else lose the command line's contraction. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "integrate/update_norm.h"

#include "base/finite.h"
#include "base/loops.h"

#include <math.h>

static const double RELATIVE = 1e-10, OF_ABSTOL = 1e-8; /* of the update, see newton.h */

/* OF_STEP: part of a step's error that Newton's method may leave; it then moves the result by a
 * tenth of its error at most (tests/newton.sh). */
static const double OF_STEP = 0.01;

enum { LANES = 4 };

/* What may be left beyond the tolerance: nothing, so much of each unknown, or a part of the step's
 * error. */
typedef enum criterion { AT_TOLERANCE, AT_ALLOWED, AT_PART } criterion;

typedef struct measure {
    double tolerance_factor, part; /* part: of the error */
    const double *abstol, *x, *dx, *norm_weight, *allowance_weight;
    const double *allowed, *predicted, *missed; /* of the allowance */
    double largest[LANES], longest[LANES];
} measure;

/* Unknowns i to i + width - 1. */
static inline void measure_some(measure *m, criterion what, int i, int width) {
    for (int l = 0; l < width; l++, i++) {
        const double end = m->x[i] - m->dx[i], abstol = m->abstol[i];
        const double size = ln_larger(fabs(m->x[i]), fabs(end)),
                     length = m->norm_weight[i] * fabs(m->dx[i]);
        const double unit = m->tolerance_factor * (RELATIVE * size + OF_ABSTOL * abstol);
        double met = unit;
        if (what == AT_ALLOWED)
            met = unit + m->allowance_weight[i] * m->allowed[i];
        if (what == AT_PART) {
            const double off = m->part * ln_larger(m->missed[i], fabs(end - m->predicted[i]));
            const double most = LN_DEFAULT_TOLERANCE * size + abstol;
            met = unit + m->allowance_weight[i] * (off < most ? off : most);
        }
        m->longest[l] = ln_larger(m->longest[l], length / unit);
        m->largest[l] = ln_larger(m->largest[l], length / met);
    }
}

static inline void measure_all(measure *m, criterion what, int n) {
    int i = 0;
    for (; i + LANES <= n; i += LANES)
        measure_some(m, what, i, LANES);
    measure_some(m, what, i, n - i);
}

/* What the first update makes exact counts, too, as what has a step's error: a source that moves a
 * transistor's gate by volts has not yet moved what the transistor opens to. */
void ln_update_weigh(ln_newton *newton) {
    const char *origin = newton->allowance != NULL ? newton->allowance->origin : NULL;
    if (newton->weights_are_known && newton->index == NULL && newton->weights_for == origin)
        return;
    for (int i = 0; i < newton->n; i++) {
        const int from = origin != NULL ? origin[i] : LN_FROM_SOURCES;
        newton->norm_weight[i] = newton->index == NULL || newton->index[i] < 3;
        newton->allowance_weight[i] = from == LN_FROM_STATES || from == LN_FROM_SOURCES_LINEARLY;
    }
    newton->weights_for = origin;
    newton->weights_are_known = newton->index == NULL;
}

double ln_update_norm(const ln_newton *newton, const double *abstol, const double *x,
                      const double *dx, double *length) {
    const ln_newton_allowance *allowance = newton->allowance;
    measure m = {.tolerance_factor = newton->tolerance_factor,
                 .abstol = abstol,
                 .x = x,
                 .dx = dx,
                 .norm_weight = newton->norm_weight,
                 .allowance_weight = newton->allowance_weight};
    if (allowance == NULL) {
        measure_all(&m, AT_TOLERANCE, newton->n);
    } else if (allowance->allowed != NULL) {
        m.allowed = allowance->allowed;
        measure_all(&m, AT_ALLOWED, newton->n);
    } else {
        m.predicted = allowance->predicted;
        m.missed = allowance->missed;
        m.part = OF_STEP * allowance->share;
        measure_all(&m, AT_PART, newton->n);
    }
    double largest = 0, longest = 0;
    for (int l = 0; l < LANES; l++) {
        largest = ln_larger(largest, m.largest[l]);
        longest = ln_larger(longest, m.longest[l]);
    }
    if (length != NULL)
        *length = longest;
    return ln_all_finite(dx, (size_t)newton->n) ? largest : NAN;
}

double ln_update_unit(const ln_newton *newton, double size, double abstol) {
    return newton->tolerance_factor * (RELATIVE * size + OF_ABSTOL * abstol);
}
