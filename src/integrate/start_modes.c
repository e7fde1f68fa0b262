/* SPDX-License-Identifier: MIT */
/* See the header. */
#include "integrate/start_modes.h"

#include "integrate/complementarity.h"

#include <string.h>

typedef struct mode_start {
    ln_run *run;
    ln_consistency_solver *consistency;
} mode_start;

/* The start anew with the modes as they are. */
static int solve(void *context, ln_side side, const double *set, double *x) {
    mode_start *start = context;
    ln_run *run = start->run;
    (void)set;
    run->side = side;
    const int done = ln_start(run, start->consistency) == LINNET_OK;
    if (done && x != run->x)
        memcpy(x, run->x, (size_t)run->n * sizeof *x);
    return done;
}

static linnet_status is_unsolved(void *context) {
    (void)context;
    return LINNET_RETRY;
}

/* Modes by which there is a start, run->start_is_tried; without a word, since what trials have to
 * say is of none. 0: there are none. */
static int find_modes(ln_run *run, ln_consistency_solver *consistency, ln_events *events,
                      ln_report *quiet) {
    mode_start start = {run, consistency};
    const ln_algebra_solver algebra = events->algebra;
    ln_report *told = run->report;
    int changed = 0;
    events->algebra = (ln_algebra_solver){&start, solve, is_unsolved, NULL};
    memcpy(events->x_before, run->x, (size_t)run->n * sizeof *run->x);
    run->report = consistency->report = events->report = quiet;
    const linnet_status status =
        ln_agree_modes(events, ln_side_with(run->side, LN_MODES_FROZEN), NULL, run->x, 1, &changed);
    run->report = consistency->report = events->report = told;
    events->algebra = algebra;
    return status == LINNET_OK;
}

linnet_status ln_start_with_modes(ln_run *run, ln_consistency_solver *consistency,
                                  ln_events *events) {
    run->side.modes = LN_MODES_FREE;
    run->start_is_tried = run->system->nguards > 0;
    linnet_status status = ln_start(run, consistency);
    if (status == LINNET_RETRY) {
        ln_report *quiet = ln_report_new(NULL, NULL);
        if (quiet == NULL)
            return ln_no_memory(run->report);
        const int found = find_modes(run, consistency, events, quiet);
        ln_report_free(quiet);
        run->side.modes = found ? LN_MODES_FROZEN : LN_MODES_FREE;
        run->start_is_tried = 0;
        status = ln_start(run, consistency); /* whose words are the user's */
    }
    run->start_is_tried = 0;
    run->side.modes = LN_MODES_FROZEN;
    return status;
}
