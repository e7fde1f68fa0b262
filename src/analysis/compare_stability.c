/* SPDX-License-Identifier: MIT */
/* Why an explicit run went wrong. A fixed step h is stable where |R(h lambda)| <= 1 for every
 * decaying natural mode lambda, R being the method's stability function [Hairer, Wanner II, IV.2].
 * The modes are those of the model linearised at points along an implicit run; the strictest one
 * sets the limit, and the blocks that contribute most to it are the ones to change. */
#include "analysis/compare_stability.h"

#include "base/sys.h"
#include "base/text.h"
#include "integrate/stability.h"
#include "linear/eigen.h"
#include "system/linearise.h"
#include <math.h>
#include <string.h>

enum { KEPT = 16, DENSE = 400 }; /* points of the run; size up to which all modes are found */
static const double lost = 1e-2; /* an error beyond it may be instability */

/* ---- points of a run ---- */

typedef struct sampling {
    const ln_comparing *all;
    ln_system *system;
    ln_side *sides;     /* of 2 KEPT points */
    double *x, *memory; /* n; nmemories: of each */
    int count;
    long seen, stride;
    double deadline;
} sampling;

static void copy_point(sampling *sampler, int to, int from) {
    size_t n = (size_t)sampler->system->n, m = (size_t)sampler->system->network->nmemories;
    sampler->sides[to] = sampler->sides[from];
    memcpy(sampler->x + (size_t)to * n, sampler->x + (size_t)from * n, n * sizeof(double));
    if (m > 0)
        memcpy(sampler->memory + (size_t)to * m, sampler->memory + (size_t)from * m,
               m * sizeof(double));
}

static linnet_status keep(void *context, ln_side side, const double *x) {
    sampling *sampler = context;
    size_t n = (size_t)sampler->system->n, m = (size_t)sampler->system->network->nmemories;
    if (sampler->seen++ % sampler->stride != 0)
        return LINNET_OK;
    if (sampler->count == 2 * KEPT) {
        for (int k = 0; k < KEPT; k++)
            copy_point(sampler, k, 2 * k);
        sampler->count = KEPT;
        sampler->stride *= 2;
    }
    sampler->sides[sampler->count] = side;
    memcpy(sampler->x + (size_t)sampler->count * n, x, n * sizeof *x);
    if (m > 0)
        memcpy(sampler->memory + (size_t)sampler->count * m, sampler->system->memory,
               m * sizeof(double));
    sampler->count++;
    return LINNET_OK;
}

static int stop(void *context) {
    const sampling *sampler = context;
    const ln_compare_watch *watch = sampler->all->watch;
    return (watch->stop != NULL && watch->stop(watch->context)) ||
           ln_sys->clock() > sampler->deadline;
}

/* A run that fails half way still has points to look at. */
static linnet_status sample(sampling *sampler, const ln_simulation *simulation, ln_arena *arena) {
    size_t n = (size_t)sampler->system->n, m = (size_t)sampler->system->network->nmemories;
    sampler->sides = LN_NEW(arena, ln_side, 2 * KEPT);
    sampler->x = LN_NEW(arena, double, 2 * KEPT * n);
    sampler->memory = LN_NEW(arena, double, 2 * KEPT * m);
    if (sampler->sides == NULL || sampler->x == NULL || sampler->memory == NULL)
        return LINNET_MEMORY;
    ln_settings settings = simulation->settings;
    settings.method = ln_method_find("radau5");
    settings.tolerance = 1e-4;
    settings.step = settings.interval = 0;
    ln_watcher watcher = {.context = sampler, .accept = keep, .stop = stop};
    ln_statistics statistics;
    ln_report *quiet = ln_report_new(NULL, NULL);
    sampler->deadline = ln_sys->clock() + sampler->all->comparison->options->limit;
    linnet_status status =
        quiet != NULL ? ln_integrate(sampler->system, &settings, &watcher, quiet, &statistics)
                      : LINNET_MEMORY;
    ln_report_free(quiet);
    return status == LINNET_MEMORY ? status : LINNET_OK;
}

/* ---- modes ---- */

typedef struct mode {
    double re, im, limit;
    int point; /* -1: none found */
} mode;

/* The pencil at a kept point; values live in the arena. */
static linnet_status pencil_at(const sampling *sampler, int point, ln_arena *arena,
                               ln_pencil *pencil) {
    ln_system *system = sampler->system;
    size_t entries = (size_t)system->pattern.start[system->n],
           m = (size_t)system->network->nmemories;
    double *E = LN_NEW(arena, double, entries), *A = LN_NEW(arena, double, entries);
    if (E == NULL || A == NULL)
        return LINNET_MEMORY;
    if (m > 0)
        memcpy(system->memory, sampler->memory + (size_t)point * m, m * sizeof(double));
    ln_moment at = {sampler->sides[point], sampler->x + (size_t)point * (size_t)system->n};
    LN_TRY(ln_system_linearise(system, at, E, A));
    *pencil = (ln_pencil){.pattern = &system->pattern, .E = E, .A = A};
    return LINNET_OK;
}

/* All modes of a small model; of a large one those that lie furthest left, from about where the
 * step ends to be stable. */
static linnet_status modes_of(const ln_pencil *pencil, double step, int vectors, ln_arena *arena,
                              ln_eigen *out) {
    if (pencil->pattern->n <= DENSE)
        return ln_eigen_dense(pencil, vectors, arena, out);
    double from = -3 / step;
    linnet_status status = LINNET_RETRY;
    for (int k = 0; k < 20; k++) {
        status = ln_eigen_near(pencil, &(ln_eigen_wish){from, 0, 6, vectors}, arena, out);
        if (status != LINNET_OK)
            break;
        double least = 0;
        for (int i = 0; i < out->count; i++)
            least = fmin(least, out->value[2 * i]);
        if (least > 1.2 * from)
            break; /* nothing lies beyond where was searched from */
        from = 4 * least;
    }
    return status;
}

/* The strictest decaying mode for the method over the kept points. */
static linnet_status strictest(const sampling *sampler, const ln_compare_row *row, mode *found) {
    *found = (mode){.limit = INFINITY, .point = -1};
    const ln_tableau *formula = ln_tableau_find(row->method->name);
    int n = sampler->system->n, every = n <= 60 ? 1 : n <= 150 ? 4 : KEPT;
    for (int point = 0; formula != NULL && point < sampler->count; point += every) {
        ln_arena *arena = ln_arena_new();
        ln_pencil pencil;
        ln_eigen modes;
        linnet_status status =
            arena != NULL ? pencil_at(sampler, point, arena, &pencil) : LINNET_MEMORY;
        if (status == LINNET_OK)
            status = modes_of(&pencil, row->size, 0, arena, &modes);
        int limiting = -1;
        double limit = status == LINNET_OK && modes.count > 0
                           ? ln_stable_step(formula, modes.value, modes.count, &limiting)
                           : INFINITY;
        if (limiting >= 0 && limit < found->limit)
            *found = (mode){modes.value[2 * limiting], modes.value[2 * limiting + 1], limit, point};
        ln_arena_free(arena);
        if (status == LINNET_MEMORY)
            return status;
    }
    return LINNET_OK;
}

/* ---- who sets it ---- */

/* The largest of count values that are not taken yet, if it is a good part of the largest; -1:
 * none. */
static int next_largest(const double *values, const char *taken, int count) {
    int best = -1;
    double most = 0;
    for (int k = 0; k < count; k++) {
        most = fmax(most, values[k]);
        if (!taken[k] && (best < 0 || values[k] > values[best]))
            best = k;
    }
    return best >= 0 && values[best] > 0.4 * most ? best : -1;
}

/* "C1 and R2": the block that stores most of the mode, then those that drive or drain it. */
static void name_blocks(const ln_network *network, const double *stored, const double *rest,
                        char *taken, ln_text *text) {
    int named = 0, chosen[4];
    for (int k = 0; k < 4; k++) {
        int block = next_largest(k < 2 ? stored : rest, taken, network->ninstances);
        if (block < 0)
            continue;
        taken[block] = 1;
        chosen[named++] = block;
    }
    for (int k = 0; k < named; k++)
        ln_text_printf(text, "%s%s",
                       k == 0           ? ""
                       : k + 1 == named ? " and "
                                        : ", ",
                       network->instances[chosen[k]].name);
}

/* Participation of each unknown: what it contributes to w^H E v, its own column of E taken. */
static void find_participations(const ln_pencil *pencil, const double *right, const double *left,
                                double *part) {
    const ln_pattern *pattern = pencil->pattern;
    for (int j = 0; j < pattern->n; j++) {
        double sum[2] = {0, 0};
        const double *v = right + 2 * (size_t)j;
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            const double *w = left + 2 * (size_t)pattern->row[k];
            sum[0] += pencil->E[k] * (w[0] * v[0] + w[1] * v[1]);
            sum[1] += pencil->E[k] * (w[0] * v[1] - w[1] * v[0]);
        }
        part[j] = hypot(sum[0], sum[1]);
    }
}

/* The three unknowns that take part most; taken: zeros, one for each. */
static void name_unknowns(const ln_network *network, const double *part, char *taken,
                          ln_text *text) {
    for (int k = 0; k < 3; k++) {
        int unknown = next_largest(part, taken, network->n);
        if (unknown < 0)
            continue;
        taken[unknown] = 1;
        ln_text_printf(text, "%s%s", k == 0 ? "" : ", ", ln_network_unknown_name(network, unknown));
    }
}

static linnet_status who(const sampling *sampler, const ln_compare_row *row, const mode *strict,
                         ln_arena *arena, ln_text *blocks, ln_text *unknowns) {
    ln_system *system = sampler->system;
    const ln_network *network = system->network;
    ln_pencil pencil;
    ln_eigen modes;
    LN_TRY(pencil_at(sampler, strict->point, arena, &pencil));
    LN_TRY(modes_of(&pencil, row->size, 1, arena, &modes));
    int best = 0;
    for (int k = 1; k < modes.count; k++)
        if (hypot(modes.value[2 * k] - strict->re, modes.value[2 * k + 1] - strict->im) <
            hypot(modes.value[2 * best] - strict->re, modes.value[2 * best + 1] - strict->im))
            best = k;
    const double *right = modes.right + 2 * (size_t)best * (size_t)modes.n;
    const double *left = modes.left + 2 * (size_t)best * (size_t)modes.n;
    double *stored = LN_NEW(arena, double, network->ninstances),
           *rest = LN_NEW(arena, double, network->ninstances),
           *part = LN_NEW(arena, double, system->n);
    char *taken = LN_NEW(arena, char, network->ninstances), *told = LN_NEW(arena, char, system->n);
    if (stored == NULL || rest == NULL || part == NULL || taken == NULL || told == NULL)
        return LINNET_MEMORY;
    ln_moment at = {sampler->sides[strict->point],
                    sampler->x + (size_t)strict->point * (size_t)system->n};
    LN_TRY(ln_system_shares(system, at, right, left, stored, rest));
    name_blocks(network, stored, rest, taken, blocks);
    find_participations(&pencil, right, left, part);
    name_unknowns(network, part, told, unknowns);
    return LINNET_OK;
}

/* "rk4 is unstable at step 1 ms: the limit is 2.78 us, set by C1 and R2 (out, ...)" */
static linnet_status tell(const sampling *sampler, ln_compare_row *row, const mode *strict) {
    ln_comparison *comparison = sampler->all->comparison;
    ln_arena *arena = ln_arena_new();
    ln_text blocks = {0}, unknowns = {0};
    linnet_status status =
        arena != NULL ? who(sampler, row, strict, arena, &blocks, &unknowns) : LINNET_MEMORY;
    ln_arena_free(arena);
    const char *by = status == LINNET_OK && blocks.data != NULL ? blocks.data : "a fast mode";
    const char *in =
        status == LINNET_OK && unknowns.data != NULL ? unknowns.data : "no single unknown";
    double size = hypot(strict->re, strict->im), t = sampler->sides[strict->point].t;
    const char *kind =
        fabs(strict->im) > size / 2 ? "oscillation of angular frequency" : "decay at a rate of";
    if (strict->limit > 0)
        row->remark =
            ln_arena_printf(comparison->arena,
                            "%s is unstable at step %.4g s: the limit is %.3g s, set by %s (%s "
                            "%.4g 1/s in %s at t = %.4g s)",
                            row->method->name, row->size, strict->limit, by, kind, size, in, t);
    else
        row->remark =
            ln_arena_printf(comparison->arena,
                            "%s is unstable at every step: %s hold%s an undamped oscillation "
                            "(angular frequency %.4g 1/s in %s)",
                            row->method->name, by, strchr(by, ' ') == NULL ? "s" : "", size, in);
    ln_text_free(&blocks);
    ln_text_free(&unknowns);
    return row->remark != NULL && status != LINNET_MEMORY ? LINNET_OK
                                                          : ln_no_memory(comparison->report);
}

/* ---- the whole ---- */

static int is_suspect(const ln_compare_row *row) {
    /* without a step it was refused */
    if (row->method->implicit || !row->fixed || row->work.steps == 0)
        return 0;
    return row->outcome == LN_COMPARE_FAILED ||
           (row->outcome == LN_COMPARE_RAN && row->has_errors && row->largest > lost);
}

/* Of an undamped oscillation an explicit method of low order is unstable at every step, and its
 * error yet of its order for a time: it is compared until it is as large as the solution. */
static int still_compares(const ln_compare_row *row, const mode *strict) {
    return strict->limit <= 0 && row->outcome == LN_COMPARE_RAN && row->largest <= 1;
}

linnet_status ln_compare_stability(ln_comparing *all, ln_simulation *simulation) {
    ln_comparison *comparison = all->comparison;
    int suspects = 0;
    for (int r = 0; r < comparison->nrows; r++)
        suspects += is_suspect(&comparison->rows[r]);
    if (suspects == 0 || simulation->system == NULL)
        return LINNET_OK;
    sampling points = {.all = all, .system = simulation->system, .stride = 1};
    if (sample(&points, simulation, comparison->arena) != LINNET_OK)
        return ln_no_memory(comparison->report);
    for (int r = 0; r < comparison->nrows; r++) {
        ln_compare_row *row = &comparison->rows[r];
        mode strict;
        if (!is_suspect(row))
            continue;
        if (strictest(&points, row, &strict) != LINNET_OK)
            return ln_no_memory(comparison->report);
        if (strict.point < 0 || row->size < 0.999 * strict.limit)
            continue;
        if (!still_compares(row, &strict))
            row->outcome = LN_COMPARE_UNSTABLE;
        row->limit = strict.limit;
        LN_TRY(tell(&points, row, &strict));
    }
    return LINNET_OK;
}
