/* SPDX-License-Identifier: MIT */
/* The point where a run stayed is linearised there; an eigenvalue that would have grown e-fold
 * within the run tells that it is unstable. */
#include "analysis/standing.h"

#include "analysis/modes.h"

/* Unknowns. All eigenvalues cost 25 n^3 operations or so: 50 ms there. */
enum { MOST = 120 };

/* The mode that grows fastest, NULL: none does so within the run beyond what rounding leaves. */
static const ln_eigenmode *growing(const ln_modes *modes, double span) {
    const ln_eigenmode *fastest = NULL;
    for (int k = 0; k < modes->count; k++) {
        const ln_eigenmode *mode = &modes->modes[k];
        if (mode->re > mode->uncertainty && mode->re * span > 1 &&
            (fastest == NULL || mode->re > fastest->re))
            fastest = mode;
    }
    return fastest;
}

static void tell(ln_report *report, const ln_eigenmode *mode) {
    ln_warn(
        report, LN_NOWHERE,
        "the run stands at its operating point, which is unstable: around it a disturbance grows "
        "e-fold in %.3g s (%s%s%s), and nothing disturbs it; start beside it (<start>; in a "
        "deck .ic, or UIC with ic=), or let a source push",
        -ln_mode_time(mode), mode->nstates > 0 ? mode->states[0].name : "",
        mode->nstates > 1 ? ", " : "", mode->nstates > 1 ? mode->states[1].name : "");
}

void ln_standing_warn(ln_simulation *simulation) {
    const ln_settings *settings = &simulation->settings;
    if (simulation->first == NULL || simulation->moved || simulation->system->n > MOST ||
        settings->start != LN_START_OPERATING_POINT)
        return;
    ln_report *quiet = ln_report_new(NULL, NULL);
    ln_small_signal small;
    ln_modes modes = {.count = 0};
    if (quiet == NULL)
        return;
    if (ln_small_signal_at_point(simulation->system, simulation->last, simulation->first, quiet,
                                 &small) == LINNET_OK &&
        ln_modes_find(&small, 0, 0, 0, &modes) == LINNET_OK) {
        const ln_eigenmode *mode = growing(&modes, settings->end - settings->begin);
        if (mode != NULL)
            tell(simulation->report, mode);
    }
    ln_modes_free(&modes);
    ln_small_signal_free(&small);
    ln_report_free(quiet);
}
