/* SPDX-License-Identifier: MIT */
/* See the header. */
/* Loops over all unknowns become vectors by -O3 only. The pragma would else lose the command line's
 * contraction. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "integrate/growth.h"

#include <math.h>

/* Times the typical size of an unknown: of its domain's potential and flux, 1 of a signal. Nobody
 * builds gigaamperes or teravolts; on the way to overflow at 1e308 there is nothing else to see. */
static const double BEYOND = 1e12;

/* Has no unknown more than `worst` times its typical size? At most points nothing has grown. The
 * counts are doubles, as wide as what is compared, and side by side, so that the loop becomes
 * vectors. */
static int has_not_grown(const double *x, const double *nominal, int n, double worst) {
    enum { LANES = 4 };
    double beyond[LANES] = {0};
    int i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++)
            beyond[l] += fabs(x[i + l]) > worst * nominal[i + l] ? 1.0 : 0.0;
    for (; i < n; i++)
        beyond[0] += fabs(x[i]) > worst * nominal[i] ? 1.0 : 0.0;
    return beyond[0] + beyond[1] + beyond[2] + beyond[3] == 0;
}

static linnet_status accept(void *context, ln_side side, const double *x) {
    ln_growth *growth = context;
    const double *nominal = growth->system->nominal;
    const double before = growth->worst;
    const int n = has_not_grown(x, nominal, growth->system->n, before) ? 0 : growth->system->n;
    for (int i = 0; i < n; i++) {
        if (!(fabs(x[i]) > growth->worst * nominal[i]))
            continue;
        growth->worst = fabs(x[i]) / nominal[i];
        growth->unknown = i;
        growth->value = x[i];
    }
    if (!(before > BEYOND) && growth->worst > BEYOND)
        growth->begin = side.t;
    return growth->watcher->accept(growth->watcher->context, side, x);
}

static int stop(void *context) {
    const ln_growth *growth = context;
    return growth->watcher->stop(growth->watcher->context);
}

static linnet_status within(void *context, const ln_step_view *step) {
    const ln_growth *growth = context;
    return growth->watcher->within(growth->watcher->context, step);
}

ln_watcher ln_growth_watch(ln_growth *growth, const ln_system *system, const ln_watcher *watcher) {
    *growth = (ln_growth){.system = system, .watcher = watcher};
    return (ln_watcher){.context = growth,
                        .accept = accept,
                        .stop = watcher->stop != NULL ? stop : NULL,
                        .within = watcher->within != NULL ? within : NULL};
}

void ln_growth_warn(const ln_growth *growth, ln_report *report) {
    char name[160];
    if (!(growth->worst > BEYOND))
        return;
    ln_network_unknown_text(growth->system->network, growth->unknown, name);
    ln_warn(
        report, ln_network_unknown_place(growth->system->network, growth->unknown),
        "%s reaches %.3g, %.0e times what is typical; beyond %.0e times from t = %.4g s on: look "
        "for a feedback of the wrong sign, or for a source that nothing limits",
        name, growth->value, growth->worst, BEYOND, growth->begin);
}
