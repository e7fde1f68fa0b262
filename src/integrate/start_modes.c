/* SPDX-License-Identifier: MIT */
/* See the header. */
#include "integrate/start_modes.h"

#include "integrate/complementarity.h"

#include <string.h>

typedef struct mode_start {
    ln_run *run;
    ln_consistency_solver *consistency;
    int out_of_memory; /* in some trial */
} mode_start;

/* The start anew with the modes as they are. */
static int solve(void *context, ln_side side, const double *set, double *x) {
    mode_start *start = context;
    ln_run *run = start->run;
    (void)set;
    run->side = side;
    const linnet_status status = ln_start(run, start->consistency);
    const int done = status == LINNET_OK;
    start->out_of_memory |= status == LINNET_MEMORY;
    if (done && x != run->x)
        memcpy(x, run->x, (size_t)run->n * sizeof *x);
    return done;
}

static linnet_status is_unsolved(void *context) {
    (void)context;
    return LINNET_RETRY;
}

/* Modes by which there is a start, run->start_is_tried; without a word, since what trials have to
 * say is of none. *found: there are some. LINNET_MEMORY is not reported. */
static linnet_status find_modes(ln_run *run, ln_consistency_solver *consistency, ln_events *events,
                                ln_report *quiet, int *found) {
    mode_start start = {run, consistency, 0};
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
    *found = status == LINNET_OK;
    return start.out_of_memory ? LINNET_MEMORY : LINNET_OK;
}

linnet_status ln_start_with_modes(ln_run *run, ln_consistency_solver *consistency,
                                  ln_events *events) {
    run->side.modes = LN_MODES_FREE;
    run->start_is_tried = run->system->nguards > 0;
    linnet_status status = ln_start(run, consistency);
    if (status == LINNET_RETRY) {
        int found = 0;
        ln_report *quiet = ln_report_new(NULL, NULL);
        status =
            quiet == NULL ? LINNET_MEMORY : find_modes(run, consistency, events, quiet, &found);
        ln_report_free(quiet);
        if (status == LINNET_MEMORY)
            return ln_no_memory(run->report);
        run->side.modes = found ? LN_MODES_FROZEN : LN_MODES_FREE;
        run->start_is_tried = 0;
        status = ln_start(run, consistency); /* whose words are the user's */
    }
    run->start_is_tried = 0;
    run->side.modes = LN_MODES_FROZEN;
    return status;
}
