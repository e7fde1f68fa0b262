/* SPDX-License-Identifier: MIT */
/* See the header. */
/* Loops over all unknowns become vectors by -O3 only. The pragma would else lose the command line's
 * contraction. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "integrate/parabola.h"

#include "base/loops.h"

#include <math.h>

/* Newton's form on the nodes 0, inside, 1. */
typedef struct newton_form {
    double first, second;
} newton_form;

static newton_form form_of(const ln_parabola *p, const double *const of[3], int i) {
    const double first = (of[1][i] - of[0][i]) / p->inside;
    return (newton_form){first, (of[2][i] - of[1][i]) / (1 - p->inside) - first};
}

static double parabola_at(const ln_parabola *p, int i, double s) {
    const newton_form form = form_of(p, p->x, i);
    return p->x[0][i] + s * (form.first + (s - p->inside) * form.second);
}

/* The line through the last two, before them no further than the start. */
static double line_at(const ln_parabola *p, int i, double s) {
    const double a = p->x[0][i], b = p->x[1][i];
    const double value = p->x[2][i] + (s - 1) / (1 - p->inside) * (p->x[2][i] - b);
    return s < p->inside ? fmax(fmin(a, b), fmin(fmax(a, b), value)) : value;
}

/* What is not stored, and what sources do not determine alone. */
static int may_kink(const ln_run *run, int i) {
    return !run->errors.in_error_test[i] && run->predictor.origin[i] == LN_FROM_STATES;
}

/* The lines from point to point. */
static double lines_at(const ln_parabola *p, int i, double s) {
    const int k = s < p->inside ? 0 : 1;
    const double from = k == 0 ? 0 : p->inside, to = k == 0 ? p->inside : 1;
    return p->x[k][i] + (s - from) / (to - from) * (p->x[k + 1][i] - p->x[k][i]);
}

void ln_parabola_at(const ln_run *run, const ln_parabola *p, double s, double *x) {
    const ln_parabola points = *p;
    LN_APART
    for (int i = 0; i < run->n; i++)
        x[i] = parabola_at(&points, i, s);
    for (int i = 0; p->leaves_start && i < run->n; i++)
        if (!run->errors.in_error_test[i])
            x[i] = line_at(p, i, s);
    for (int i = 0; p->has_kink && i < run->n; i++)
        if (may_kink(run, i))
            x[i] = lines_at(p, i, s);
}

/* Of what is not stored; allowed (n values) becomes by how much it may be off. */
static int passes_ends(const ln_run *run, const ln_parabola *p, double *allowed) {
    const double at[] = {p->inside / 2, p->inside, (1 + p->inside) / 2};
    int passes = 0;
    for (int i = 0; i < run->n; i++) {
        const double a = p->x[0][i], b = p->x[2][i], low = fmin(a, b), high = fmax(a, b);
        allowed[i] = LN_EXPECTED * run->settings->tolerance *
                     ln_error_unit(run, i, fmax(run->errors.peak[i], fmax(fabs(low), fabs(high))));
        for (int k = 0; k < 3 && !run->errors.in_error_test[i]; k++) {
            const double value = parabola_at(p, i, at[k]);
            passes |= ln_larger(value - high, low - value) > allowed[i];
        }
    }
    return passes;
}

int ln_parabola_leaves_start(ln_run *run, const ln_parabola *p, ln_side side, double alpha,
                             double *work) {
    double *allowed = work, *q = work + run->n, *f = q + run->n, *off = f + run->n,
           *rate = run->guess;
    if (!passes_ends(run, p, allowed))
        return 0;
    for (int i = 0; i < run->n; i++) {
        const newton_form form = form_of(p, p->q, i);
        rate[i] = (form.first - p->inside * form.second) / p->h;
    }
    const ln_newton_outcome outcome = run->outcome;
    const ln_point_check at = {alpha, ln_side_at(side, p->t), rate, p->x[0], q, f};
    run->rests = 0;
    const double missed = ln_run_defect_norm(run, &at, NULL, allowed, off);
    run->outcome = outcome;
    return !(missed <= 1);
}

/* Where the parabola of a potential or flux that is not stored goes farthest beyond the points
 * beside it, in units of what is allowed; 0: nowhere beyond that. */
static double farthest_beyond(const ln_run *run, const ln_parabola *p, double *allowed) {
    const double at[2] = {p->inside / 2, (1 + p->inside) / 2};
    double farthest = 1, where = 0;
    for (int i = 0; i < run->n; i++) {
        const double peak = ln_larger(run->errors.peak[i], fabs(p->x[2][i]));
        allowed[i] = LN_EXPECTED * run->settings->tolerance * ln_error_unit(run, i, peak);
        for (int k = 0; k < 2 && may_kink(run, i); k++) {
            const double a = p->x[k][i], b = p->x[k + 1][i], value = parabola_at(p, i, at[k]);
            const double beyond = ln_larger(value - ln_larger(a, b), ln_smaller(a, b) - value);
            if (!(beyond > farthest * allowed[i]) ||
                !ln_network_is_physical(run->system->network, i))
                continue;
            farthest = beyond / allowed[i];
            where = at[k];
        }
    }
    return where;
}

int ln_parabola_has_kink(ln_run *run, const ln_parabola *p, ln_side side, double alpha,
                         double *work) {
    double *allowed = work, *q = work + run->n, *f = q + run->n, *off = f + run->n,
           *rate = run->guess, *x = run->w;
    const double s = farthest_beyond(run, p, allowed);
    if (s == 0)
        return 0;
    for (int i = 0; i < run->n; i++) {
        const newton_form form = form_of(p, p->q, i);
        rate[i] = (form.first + (2 * s - p->inside) * form.second) / p->h;
        x[i] = parabola_at(p, i, s);
    }
    const ln_newton_outcome outcome = run->outcome;
    const ln_point_check at = {alpha, ln_side_at(side, p->t + s * p->h), rate, x, q, f};
    run->rests = 0;
    const double missed = ln_run_defect_norm(run, &at, NULL, allowed, off);
    run->outcome = outcome;
    return !(missed <= 1);
}
