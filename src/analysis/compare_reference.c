/* SPDX-License-Identifier: MIT */
/* The reference of a comparison at the points its runs kept, and the errors against it.
 *
 * It is computed after the runs, by radau5 at the tightest tolerance that it reaches, and made to
 * step onto every kept point. A second method of another family steps onto the same points; by how
 * much the two differ is how far the reference can be trusted. */
#include "analysis/compare_run.h"

#include "base/sys.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- points ---- */

static int compare_times(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* The times that any row kept, each once, rising, without the start and the end, where every run is
 * anyway. */
static double *gather(const ln_comparison *comparison, size_t *count) {
    size_t width = (size_t)comparison->nsignals + 1, room = 0, n = 0;
    for (int r = 0; r < comparison->nrows; r++)
        room += comparison->rows[r].nsamples;
    double *times = LN_NEW(comparison->arena, double, room);
    *count = 0;
    if (times == NULL)
        return NULL;
    for (int r = 0; r < comparison->nrows; r++)
        for (size_t k = 0;
             comparison->rows[r].outcome == LN_COMPARE_RAN && k < comparison->rows[r].nsamples; k++)
            times[n++] = comparison->rows[r].samples[k * width];
    qsort(times, n, sizeof *times, compare_times);
    for (size_t k = 0; k < n; k++)
        if (*count == 0 || !ln_compare_same_time(comparison, times[*count - 1], times[k]))
            times[(*count)++] = times[k];
    return times;
}

/* The rows of the truth at t: first and one behind the last. */
static size_t find(const ln_comparison *comparison, const double *truth, size_t ntruth, double t,
                   size_t *end) {
    size_t width = (size_t)comparison->nsignals + 1, low = 0, high = ntruth;
    while (low < high) { /* the first that is at t or behind it */
        size_t middle = low + (high - low) / 2;
        double at = truth[middle * width];
        if (at < t && !ln_compare_same_time(comparison, at, t))
            low = middle + 1;
        else
            high = middle;
    }
    for (*end = low; *end < ntruth && ln_compare_same_time(comparison, truth[*end * width], t);
         ++*end) {
    }
    return low;
}

/* The reference value nearest to a value at t: where a signal jumps there are two. NAN when there
 * is none. */
static double nearest(const ln_comparison *comparison, const double *truth, size_t ntruth, double t,
                      int signal, double value) {
    size_t end, width = (size_t)comparison->nsignals + 1;
    double best = NAN;
    for (size_t k = find(comparison, truth, ntruth, t, &end); k < end; k++) {
        double reference = truth[k * width + (size_t)signal + 1];
        if (isnan(best) || fabs(value - reference) < fabs(value - best))
            best = reference;
    }
    return best;
}

static void note_samples(const ln_comparison *comparison, ln_compare_row *row, const double *truth,
                         size_t ntruth) {
    size_t width = (size_t)comparison->nsignals + 1;
    for (size_t k = 0; k < row->nsamples; k++) {
        const double *point = row->samples + k * width;
        int at_end = ln_compare_same_time(comparison, point[0], comparison->end);
        for (int s = 0; s < comparison->nsignals; s++) {
            double reference = nearest(comparison, truth, ntruth, point[0], s, point[s + 1]);
            if (!isnan(reference))
                ln_compare_note(&row->errors[s], point[0], point[s + 1], reference, at_end);
        }
    }
}

/* ---- computing the reference ---- */

/* A method with the tolerances at which it is tried, loosening; NULL ends them. */
typedef struct trial {
    const char *method, *tolerances[6];
} trial;

/* Runs a method at falling demands until it comes to its end. */
static linnet_status run_tightest(ln_comparing *all, const trial *tried, const double *times,
                                  size_t count, long max_steps, ln_compare_row *row) {
    linnet_status status = LINNET_OK;
    for (int k = 0; tried->tolerances[k] != NULL; k++) {
        ln_compare_task task = {.method = tried->method,
                                .tolerance = tried->tolerances[k],
                                .stops = times,
                                .nstops = count,
                                .limit = 4 * all->comparison->options->limit,
                                .max_steps = max_steps};
        *row = (ln_compare_row){.text = tried->tolerances[k]};
        status = ln_compare_run(all, &task, row);
        if (status != LINNET_OK || row->outcome == LN_COMPARE_RAN)
            break;
    }
    return status;
}

/* The largest size of each signal, by which errors are measured. */
static void take_sizes(const ln_comparison *comparison, double *size) {
    size_t width = (size_t)comparison->nsignals + 1;
    for (int s = 0; s < comparison->nsignals; s++)
        size[s] = 0;
    for (size_t k = 0; k < comparison->ntruth; k++)
        for (int s = 0; s < comparison->nsignals; s++) {
            double value = fabs(comparison->truth[k * width + (size_t)s + 1]);
            if (value > size[s])
                size[s] = value;
        }
}

/* By how much two runs over the same points differ, relative to each signal's size. */
static double difference(const ln_comparison *comparison, const ln_compare_row *other,
                         const double *size) {
    size_t width = (size_t)comparison->nsignals + 1;
    double worst = 0;
    for (size_t k = 0; k < other->nsamples; k++)
        for (int s = 0; s < comparison->nsignals; s++) {
            double value = other->samples[k * width + (size_t)s + 1];
            double reference = nearest(comparison, comparison->truth, comparison->ntruth,
                                       other->samples[k * width], s, value);
            double off = fabs(value - reference) / (size[s] > 0 ? size[s] : 1);
            if (off > worst)
                worst = off;
        }
    return worst;
}

/* The least error of any run, before it is known how good the reference is. */
static double least_error(const ln_comparison *comparison, const double *size) {
    double least = INFINITY;
    for (int r = 0; r < comparison->nrows; r++)
        if (comparison->rows[r].outcome == LN_COMPARE_RAN)
            least = fmin(least, difference(comparison, &comparison->rows[r], size));
    return least;
}

/* Methods of other families, until one agrees well enough: to a tenth of the best run's error. */
static linnet_status confirm(ln_comparing *all, const ln_compare_row *first, const double *times,
                             size_t count) {
    static const trial others[] = {{"ida", {"1e-12", "1e-11", "1e-10", NULL}},
                                   {"rk45", {"1e-12", "1e-10", NULL}},
                                   {"tr-bdf2", {"1e-9", "1e-7", NULL}}};
    ln_comparison *comparison = all->comparison;
    double *size = LN_NEW(comparison->arena, double, comparison->nsignals);
    if (size == NULL)
        return ln_no_memory(comparison->report);
    take_sizes(comparison, size);
    const double needed = fmax(least_error(comparison, size) / 10, 1e-13);
    comparison->doubt = INFINITY;
    for (size_t k = 0; k < sizeof others / sizeof *others && comparison->doubt > needed; k++) {
        ln_compare_row second;
        long most = 100 * first->work.steps + 20000;
        LN_TRY(run_tightest(all, &others[k], times, count, most, &second));
        double differ =
            second.outcome == LN_COMPARE_RAN ? difference(comparison, &second, size) : INFINITY;
        if (!(differ < comparison->doubt))
            continue;
        comparison->doubt = differ;
        comparison->reference = ln_arena_printf(
            comparison->arena, "radau5 at a tolerance of %s; %s at %s differs from it by %.1e",
            first->text, others[k].method, second.text, comparison->doubt);
        if (comparison->reference == NULL)
            return ln_no_memory(comparison->report);
    }
    if (isfinite(comparison->doubt))
        return LINNET_OK;
    comparison->doubt = 0;
    ln_warn(comparison->report, LN_NOWHERE,
            "the reference, radau5 at a tolerance of %s, is not confirmed: no second method came "
            "to the end",
            first->text);
    comparison->reference = ln_arena_printf(
        comparison->arena, "radau5 at a tolerance of %s, not confirmed by a second method",
        first->text);
    return comparison->reference != NULL ? LINNET_OK : ln_no_memory(comparison->report);
}

linnet_status ln_compare_truth(ln_comparing *all) {
    static const trial tight = {"radau5", {"1e-12", "1e-11", "1e-10", "1e-9", "1e-8", NULL}};
    ln_comparison *comparison = all->comparison;
    comparison->has_reference = 1;
    if (all->source != LN_TRUTH_COMPUTED)
        return LINNET_OK;
    comparison->has_reference = 0;
    size_t count;
    double *times = gather(comparison, &count);
    if (times == NULL)
        return ln_no_memory(comparison->report);
    if (count == 0)
        return LINNET_OK;
    if (all->watch->tell != NULL)
        all->watch->tell(all->watch->context, NULL, comparison->nrows, comparison->nrows);
    ln_compare_row first;
    LN_TRY(run_tightest(all, &tight, times, count, 0, &first));
    if (first.outcome != LN_COMPARE_RAN) {
        ln_warn(comparison->report, LN_NOWHERE,
                "the reference cannot be computed: %s; give one with --reference FILE",
                first.remark);
        return LINNET_OK;
    }
    comparison->truth = first.samples;
    comparison->ntruth = first.nsamples;
    comparison->has_reference = 1;
    comparison->reference = "radau5";
    return confirm(all, &first, times, count);
}

/* ---- judging ---- */

/* A signal that ends below this part of its size just passes through zero: an error relative to
 * that says nothing. */
static const double passing = 1e-9;

static void judge_row(const ln_comparison *comparison, ln_compare_row *row) {
    double relative = 0;
    int ends = 0;
    row->has_errors = 0;
    row->worst_signal = -1;
    for (int s = 0; s < comparison->nsignals; s++) {
        const ln_compare_error *error = &row->errors[s];
        double size = error->size > 0 ? error->size : 1;
        if (error->compared == 0)
            continue;
        row->has_errors = 1;
        if (row->worst_signal < 0 || error->largest / size > row->largest) {
            row->largest = error->largest / size;
            row->largest_t = error->largest_t;
            row->worst_signal = s;
        }
        if (!error->has_end)
            continue;
        ends++;
        row->end = fmax(row->end, error->end / size);
        double own = fabs(error->end_reference);
        relative = fmax(relative, error->end / (own > passing * size ? own : size));
    }
    row->has_end = ends > 0;
    row->scd = relative > 0 ? -log10(relative) : -log10(DBL_EPSILON);
    if (!row->has_errors || (row->largest <= DBL_MAX && row->end <= DBL_MAX && relative <= DBL_MAX))
        return;
    row->has_errors = row->has_end = 0;
    row->outcome = LN_COMPARE_FAILED;
    row->remark = "its values are not finite";
}

/* What stands for the step: the step itself, or the mean one of an adaptive run. */
static double step_of(const ln_compare_row *row) {
    return row->fixed ? row->size : row->work.steps > 0 ? 1.0 / (double)row->work.steps : 0;
}

/* Errors that rounding or the reference's own error may have made say nothing of an order; nor do
 * those of a run that has lost the solution. */
static int shows_order(const ln_comparison *comparison, const ln_compare_row *row) {
    return row->outcome == LN_COMPARE_RAN && row->has_errors &&
           row->largest > fmax(5 * comparison->doubt, 1e-13) && row->largest < 1 &&
           step_of(row) > 0;
}

static int alike(const ln_compare_row *a, const ln_compare_row *b) {
    return a->method == b->method && a->fixed == b->fixed;
}

/* Logarithm of the ratio of steps below which they tell nothing: mean steps are no more than a
 * hint. */
static double least_ratio(const ln_compare_row *row) {
    return row->fixed ? 0.02 : 0.25;
}

static void find_orders(const ln_comparison *comparison) {
    for (int r = 1; r < comparison->nrows; r++) {
        ln_compare_row *row = &comparison->rows[r], *before = &comparison->rows[r - 1];
        if (!alike(row, before) || !shows_order(comparison, row) ||
            !shows_order(comparison, before))
            continue;
        double steps = log(step_of(before) / step_of(row));
        if (fabs(steps) < least_ratio(row))
            continue; /* as good as the same step */
        row->order = log(before->largest / row->largest) / steps;
        row->has_order = 1;
    }
}

/* The slope of log(error) over log(step) by least squares. */
static void summarise(const ln_comparison *comparison, int first, int end,
                      ln_compare_summary *summary) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0, low = INFINITY, high = -INFINITY;
    *summary = (ln_compare_summary){.method = comparison->rows[first].method,
                                    .fixed = comparison->rows[first].fixed};
    for (int r = first; r < end; r++) {
        summary->rows++;
        if (!shows_order(comparison, &comparison->rows[r]))
            continue;
        double u = log(step_of(&comparison->rows[r])), v = log(comparison->rows[r].largest);
        n++;
        low = fmin(low, u);
        high = fmax(high, u);
        x += u;
        y += v;
        xx += u * u;
        xy += u * v;
    }
    double spread = n * xx - x * x;
    summary->has_order = n >= 2 && high - low >= least_ratio(&comparison->rows[first]);
    if (summary->has_order)
        summary->order = (n * xy - x * y) / spread;
}

static void doubt(const ln_comparison *comparison) {
    double least = INFINITY;
    for (int r = 0; r < comparison->nrows; r++)
        if (comparison->rows[r].outcome == LN_COMPARE_RAN && comparison->rows[r].has_errors)
            least = fmin(least, comparison->rows[r].largest);
    const double rounding = 1e-11; /* what is below it hardly matters */
    if (comparison->doubt > rounding && least < 3 * comparison->doubt)
        ln_warn(comparison->report, LN_NOWHERE,
                "the two methods that make the reference differ by %.1e, the best run from it by "
                "%.1e: errors near the former say nothing; give a better one with --reference FILE",
                comparison->doubt, least);
}

void ln_compare_judge(ln_comparing *all) {
    ln_comparison *comparison = all->comparison;
    for (int r = 0; r < comparison->nrows && comparison->has_reference; r++) {
        ln_compare_row *row = &comparison->rows[r];
        if (row->outcome != LN_COMPARE_RAN)
            continue;
        if (comparison->truth != NULL)
            note_samples(comparison, row, comparison->truth, comparison->ntruth);
        judge_row(comparison, row);
    }
    if (comparison->doubt > 0)
        doubt(comparison);
}

void ln_compare_orders(ln_comparing *all) {
    ln_comparison *comparison = all->comparison;
    find_orders(comparison);
    comparison->nsummaries = 0;
    for (int first = 0, end; first < comparison->nrows; first = end) {
        for (end = first + 1;
             end < comparison->nrows && alike(&comparison->rows[first], &comparison->rows[end]);
             end++) {
        }
        summarise(comparison, first, end, &comparison->summaries[comparison->nsummaries++]);
    }
}
