/* SPDX-License-Identifier: MIT */
/* The gate at the end of a run: see ending.h. */
#include "analysis/ending.h"

#include "base/finite.h"
#include "base/sys.h"
#include "base/text.h"
#include "system/delay.h"

#include <math.h>
#include <string.h>

/* ---- numbers ---- */

static linnet_status tell_no_number(const ln_simulation *simulation, ln_place place,
                                    const char *name, double value, double t) {
    return ln_fail(simulation->report, LINNET_FAILED, place,
                   "%s is %s at t = %.9g s; the rows before it stand: look for what grows without "
                   "bound, or for an expression without a value",
                   name, isnan(value) ? "not a number" : "infinite", t);
}

linnet_status ln_ending_row(const ln_simulation *simulation, double t, const double *x,
                            const double *values) {
    const ln_network *network = simulation->network;
    int ncolumns;
    const ln_column *columns = ln_recorder_columns(simulation->recorder, &ncolumns);
    if (!ln_all_finite(x, (size_t)network->n))
        for (int i = 0; i < network->n; i++) {
            char name[160];
            if (isfinite(x[i]))
                continue;
            ln_network_unknown_text(network, i, name);
            return tell_no_number(simulation, ln_network_unknown_place(network, i), name, x[i], t);
        }
    if (!ln_all_finite(values, (size_t)ncolumns))
        for (int k = 0; k < ncolumns; k++)
            if (!isfinite(values[k]))
                return tell_no_number(simulation, LN_NOWHERE, columns[k].name, values[k], t);
    return LINNET_OK;
}

/* ---- the last point ---- */

/* A row is not met when what is left of it is this part of its terms, and more than the absolute
 * tolerances of its unknowns make of it. Every method solves a row to the tolerance at least, and
 * no sensible tolerance is as large; a value that was never computed (a first guess that stayed)
 * leaves as much as its terms. */
static const double UNMET = 0.1;

/* How far unknown j may be off without a word: by the tolerance (1e-4 of a fixed step) of what it
 * has been, to which steps solve where it passes zero, too, and by its absolute tolerance, which
 * belongs to 1e-4. */
static double allowance(const ln_simulation *simulation, int j, double x) {
    const double tolerance = fmax(1e-4, simulation->settings.tolerance);
    return UNMET * fabs(x) + tolerance * simulation->peak[j] +
           simulation->system->abstol[j] * tolerance / 1e-4;
}

/* A x - s, row by row, and what may be left of it: the allowances through |A|, and a part of |s|.
 * Of rows that store nothing; the others' places are not touched, which are most of a large
 * network's memory. */
static linnet_status add_up(ln_simulation *simulation, ln_side side, const double *x, double *sum,
                            double *size) {
    ln_system *system = simulation->system;
    LN_TRY(ln_system_final_sources(system, side, sum, simulation->report));
    for (int i = 0; i < system->n; i++) {
        if (system->dynamic[i])
            continue;
        size[i] = UNMET * fabs(sum[i]);
        sum[i] = -sum[i];
    }
    for (int j = 0; j < system->n; j++)
        for (int k = system->A.pattern.start[j]; k < system->A.pattern.start[j + 1]; k++) {
            const int i = system->A.pattern.row[k];
            if (system->dynamic[i])
                continue;
            sum[i] += system->A.value[k] * x[j];
            size[i] += fabs(system->A.value[k]) * allowance(simulation, j, x[j]);
        }
    return LINNET_OK;
}

static linnet_status check_rows(ln_simulation *simulation, ln_side side, const double *x,
                                double *work) {
    ln_system *system = simulation->system;
    double *sum = work, *size = work + system->n, *f = work + 2 * system->n;
    LN_TRY(add_up(simulation, side, x, sum, size));
    /* within rounding of a crossing the run's branches may have no value where the point's have */
    const ln_moment at = {ln_side_with(side, LN_MODES_YIELDING), x};
    LN_TRY(ln_system_eval(system, &at, LN_LIMIT_OFF, NULL, f, NULL));
    for (int k = 0; k < system->ndf; k++) {
        const int j = system->df_col[k];
        size[system->df_row[k]] += fabs(system->df[k]) * allowance(simulation, j, x[j]);
    }
    if (system->delays != NULL)
        ln_delays_add_errors(system, simulation->settings.tolerance, size);
    for (int i = 0; i < system->n; i++) {
        char name[160];
        if (system->dynamic[i] || fabs(sum[i] + f[i]) <= size[i] + UNMET * fabs(f[i]))
            continue;
        ln_network_row_text(system->network, i, name);
        return ln_fail(
            simulation->report, LINNET_FAILED, ln_network_unknown_place(system->network, i),
            "%s is not satisfied at the end, t = %.9g s: %.3g is left of it; the result is "
            "not to be trusted: try another method or a shorter step",
            name, side.t, sum[i] + f[i]);
    }
    return LINNET_OK;
}

linnet_status ln_ending_point(ln_simulation *simulation, ln_side side, const double *x) {
    double *work = ln_sys_zeroed(3 * (size_t)simulation->system->n * sizeof *work);
    if (work == NULL)
        return ln_no_memory(simulation->report);
    const linnet_status status = check_rows(simulation, side, x, work);
    ln_sys->release(work);
    return status;
}

/* ---- what holds a run ---- */

static void add_dominants(const ln_statistics *run, ln_text *text) {
    for (int k = 0; k < LN_DOMINANTS && run->dominant[k].share > 0; k++)
        ln_text_printf(text, "%s%s (%.0f %%)", k == 0 ? ", set by the error of " : ", ",
                       run->dominant[k].name, 100 * run->dominant[k].share);
}

int ln_ending_hold(const ln_simulation *simulation, ln_text *text) {
    const ln_statistics *run = &simulation->statistics;
    const double span = run->t - simulation->settings.begin;
    const long all = run->steps + run->rejected;
    if (all == 0)
        return 0;
    ln_text_printf(text, "what holds the run: %ld steps of %.3g s on average", run->steps,
                   run->steps > 0 ? span / (double)run->steps : 0);
    add_dominants(run, text);
    if (run->rejected > run->steps / 10)
        ln_text_printf(text, "; %ld more were tried in vain", run->rejected);
    if (run->events > run->steps / 10)
        ln_text_printf(text, "; %ld events", run->events);
    if (run->breakpoints > run->steps / 10)
        ln_text_printf(text, "; %ld breakpoints of sources and delays", run->breakpoints);
    return !text->failed;
}

/* A run of very many steps that failed: most likely their limit, or near it. */
static void note_hold(const ln_simulation *simulation) {
    const long most = simulation->settings.max_steps;
    ln_text text = {0};
    if (simulation->statistics.steps < (most > 0 ? most : 1000000000L))
        return;
    if (ln_ending_hold(simulation, &text))
        ln_note(simulation->report, LN_NOWHERE, "%s", text.data);
    ln_text_free(&text);
}

/* ---- the status ---- */

linnet_status ln_ending_status(const ln_simulation *simulation, linnet_status status, int errors) {
    ln_report *report = simulation->report;
    const double t = simulation->statistics.t;
    char blame[256] = "";
    ln_place place = LN_NOWHERE;
    if (status == LINNET_OK || status == LINNET_INTERRUPTED || status == LINNET_IO)
        return status;
    if (status == LINNET_FAILED)
        note_hold(simulation);
    if (status < 0 && (report == NULL || ln_report_errors(report) > errors))
        return status;
    if (simulation->system != NULL)
        ln_system_blame(simulation->system, blame, &place);
    if (status == LINNET_MEMORY)
        return ln_no_memory(report);
    return ln_fail(report, status > 0 ? LINNET_FAILED : status, place,
                   "%s; the run stopped at t = %.9g s",
                   blame[0] != '\0' ? blame : "the equations have no value behind this point", t);
}
