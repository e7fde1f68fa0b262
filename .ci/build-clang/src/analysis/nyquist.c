/* SPDX-License-Identifier: MIT */
/* Nyquist's count: F is sampled along the axis until its angle between neighbours is certain. */
#include "analysis/nyquist.h"

#include "base/sys.h"
#include "linear/reduce.h"
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double tau = 6.283185307179586476925;
static const double TURN = 0.6, GROWTH = 1.0; /* rad and ln|F| between neighbours */
static const double LATE_TURN = 0.7;          /* rad by which a delay turns between neighbours */
static const double FAR = 1e-3; /* where all but a part of this of the angle has been turned */
static const double NARROWEST = 1e-13; /* relative width of an interval */
static const double WHOLE = 0.1;       /* of half a turn: how far the sum may be from whole */
enum { PER_DECADE = 20, ROUNDS = 48, MOST = 400000 };

/* ---- frequencies ---- */

static int add_frequency(ln_frequencies *list, double w) {
    if (!(w > 0) || !isfinite(w))
        return 1;
    if (!LN_GROW(list->w, list->count, list->room))
        return 0;
    list->w[list->count++] = w;
    return 1;
}

linnet_status ln_frequencies_add(ln_frequencies *list, const double *value, int count) {
    for (int k = 0; k < count; k++) {
        const double re = fabs(value[2 * k]), im = value[2 * k + 1], size = hypot(re, im);
        if (size == 0 || im < 0)
            continue;
        list->low = list->low > 0 ? fmin(list->low, size) : size;
        list->high = fmax(list->high, size);
        if (!add_frequency(list, size))
            return LINNET_MEMORY;
        for (double by = -3; by <= 3 && im > 0; by += 1)
            if (!add_frequency(list, im + by * re))
                return LINNET_MEMORY;
    }
    return LINNET_OK;
}

/* ---- F ---- */

typedef struct sample {
    double w;
    double complex F;  /* freed of what lies on the axis */
    double late;       /* |F/F0 - 1|, F0 without delays */
    double complex by; /* F/F0 */
} sample;

typedef struct counting {
    const ln_opening *opening;
    ln_linear *solver;
    double *values;
    double complex *x, *G, *work; /* n; count x count twice */
    const double *zeros;          /* on the axis, of the closed model */
    int nzeros;
    double complex *poles; /* on the axis, of the opened model */
    int npoles;
    double scale; /* rad/s, typical */
    sample *samples;
    size_t count, room;
} counting;

/* By elimination; the matrix is destroyed. */
static double complex determinant(double complex *a, int n) {
    double complex product = 1;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (cabs(a[i * n + k]) > cabs(a[pivot * n + k]))
                pivot = i;
        if (a[pivot * n + k] == 0)
            return 0;
        for (int j = 0; j < n && pivot != k; j++) {
            const double complex kept = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = kept;
        }
        product *= pivot != k ? -a[k * n + k] : a[k * n + k];
        for (int i = k + 1; i < n; i++) {
            const double complex factor = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
        }
    }
    return product;
}

/* G at s. LINNET_RETRY: a pole. */
static linnet_status gain_at(counting *count, double complex s) {
    const ln_opening *opening = count->opening;
    const ln_pencil *pencil = &opening->open;
    const int n = pencil->pattern->n, size = opening->count;
    for (int k = 0; k < pencil->pattern->start[n]; k++) {
        count->values[2 * k] = creal(s) * pencil->E[k] + pencil->A[k];
        count->values[2 * k + 1] = cimag(s) * pencil->E[k];
    }
    const ln_factored outcome = ln_linear_factor(count->solver, count->values);
    if (outcome != LN_FACTORED)
        return outcome == LN_SINGULAR ? LINNET_RETRY : LINNET_MEMORY;
    for (int j = 0; j < size; j++) {
        for (int i = 0; i < n; i++)
            count->x[i] = opening->B[(size_t)j * (size_t)n + (size_t)i];
        ln_linear_solve(count->solver, (double *)count->x);
        for (int k = 0; k < size; k++) {
            double complex sum = opening->D[k * size + j];
            for (int i = 0; i < n; i++)
                sum += opening->C[(size_t)k * (size_t)n + (size_t)i] * count->x[i];
            count->G[k * size + j] = sum;
        }
    }
    return LINNET_OK;
}

/* det(1 - G Lambda), the delays passing `late` (1) or nothing (0). */
static double complex closed(const counting *count, double complex s, int late) {
    const ln_opening *opening = count->opening;
    const int size = opening->count;
    for (int j = 0; j < size; j++) {
        const double complex passed = j == opening->ndelays ? 1
                                      : late                ? cexp(-s * opening->lag[j])
                                                            : 0;
        for (int k = 0; k < size; k++)
            count->work[k * size + j] = (k == j) - count->G[k * size + j] * passed;
    }
    return determinant(count->work, size);
}

static linnet_status sample_at(counting *count, double w, sample *out) {
    const double complex s = w * I;
    LN_TRY(gain_at(count, s));
    double complex F = closed(count, s, 1);
    *out = (sample){.w = w, .by = 1};
    if (count->opening->ndelays > 0) {
        out->by = F / closed(count, s, 0);
        out->late = cabs(out->by - 1);
    }
    for (int k = 0; k < count->npoles; k++)
        F *= (s - count->poles[k]) / (s + count->scale);
    for (int k = 0; k < count->nzeros; k++)
        F *= (s + count->scale) / (s - (count->zeros[2 * k] + count->zeros[2 * k + 1] * I));
    out->F = F;
    return isfinite(creal(F)) && isfinite(cimag(F)) && F != 0 ? LINNET_OK : LINNET_RETRY;
}

/* ---- the curve ---- */

static int by_frequency(const void *left, const void *right) {
    const double a = ((const sample *)left)->w, b = ((const sample *)right)->w;
    return (a > b) - (a < b);
}

static linnet_status add_sample(counting *count, double w) {
    sample one;
    linnet_status status = sample_at(count, w, &one);
    for (int k = 0; status == LINNET_RETRY && k < 3; k++)
        status = sample_at(count, w *= 1 + 1e-9, &one);
    if (status == LINNET_RETRY)
        return LINNET_OK;
    LN_TRY(status);
    if (!LN_GROW(count->samples, count->count, count->room))
        return LINNET_MEMORY;
    count->samples[count->count++] = one;
    return LINNET_OK;
}

static double longest_lag(const ln_opening *opening) {
    double longest = 0;
    for (int k = 0; k < opening->ndelays; k++)
        longest = fmax(longest, opening->lag[k]);
    return longest;
}

/* Whether delays change F by less than itself between a and b, so that they cannot turn it around 0
 * however often they turn: their part of the angle is that of F/F0 at the ends. */
static int is_tame(const sample *a, const sample *b) {
    return fmax(a->late, b->late) + 4 * fabs(a->late - b->late) < 1;
}

static int is_coarse(const counting *count, const sample *a, const sample *b) {
    if (b->w - a->w <= NARROWEST * b->w)
        return 0;
    const int tame = is_tame(a, b);
    const double complex ratio = tame ? b->F / b->by / (a->F / a->by) : b->F / a->F;
    if (fabs(carg(ratio)) > TURN || fabs(log(cabs(ratio))) > GROWTH)
        return 1;
    return !tame && (b->w - a->w) * longest_lag(count->opening) > LATE_TURN;
}

static double angle_between(const sample *a, const sample *b) {
    if (is_tame(a, b))
        return carg(b->F / b->by / (a->F / a->by)) + carg(b->by) - carg(a->by);
    return carg(b->F / a->F);
}

static linnet_status halve(counting *count, int *more) {
    const size_t before = count->count;
    *more = 0;
    for (size_t k = 0; k + 1 < before && count->count < MOST; k++) {
        const sample *a = &count->samples[k], *b = &count->samples[k + 1];
        if (!is_coarse(count, a, b))
            continue;
        LN_TRY(add_sample(count, b->w < 2 * a->w ? (a->w + b->w) / 2 : sqrt(a->w) * sqrt(b->w)));
        *more = 1;
    }
    qsort(count->samples, count->count, sizeof *count->samples, by_frequency);
    return LINNET_OK;
}

static linnet_status follow(counting *count, const ln_frequencies *list) {
    const double low = FAR * list->low, high = list->high / FAR;
    const int steps = (int)ceil(log10(high / low) * PER_DECADE);
    int more = 1;
    for (int k = 0; k <= steps; k++)
        LN_TRY(add_sample(count, low * pow(high / low, (double)k / steps)));
    for (size_t k = 0; k < list->count; k++)
        LN_TRY(add_sample(count, list->w[k]));
    if (count->count > 0)
        qsort(count->samples, count->count, sizeof *count->samples, by_frequency);
    for (int round = 0; round < ROUNDS && more; round++)
        LN_TRY(halve(count, &more));
    return LINNET_OK;
}

/* ---- the count ---- */

/* The nearest to `angle` of the whole multiples of half a turn, from `first` on. */
static double nearest_half(double angle, double first) {
    return first + round((angle - first) / (tau / 2)) * (tau / 2);
}

static void add_up(const counting *count, int growing, int degrees, ln_nyquist *out) {
    const sample *first = &count->samples[0], *last = &count->samples[count->count - 1];
    double angle = carg(first->F);
    const double begin = nearest_half(angle, 0);
    for (size_t k = 1; k < count->count; k++)
        angle += angle_between(&count->samples[k - 1], &count->samples[k]);
    angle -= carg(last->by);
    const double end = nearest_half(angle, degrees * tau / 4);
    const double turned = (end - begin) / (tau / 2);
    const double number = growing + degrees / 2.0 - turned;
    const double most = fmax(fabs(carg(first->F) - begin), fabs(angle - end));
    double late = 0;
    for (size_t k = 0; k < count->count; k++)
        if (count->samples[k].w > 0.1 * last->w)
            late = fmax(late, count->samples[k].late);
    out->unstable = late >= 1 ? LN_NYQUIST_ENDLESS : (int)lround(number);
    out->turns_off = late < 1 && (most > WHOLE * tau / 2 || number < -0.25 ||
                                  fabs(number - round(number)) > 0.25 || count->count >= MOST);
}

/* Poles on the axis, and how many grow. */
static linnet_status sort_poles(counting *count, const ln_eigen *open, ln_arena *arena,
                                int *growing) {
    count->poles = LN_NEW(arena, double complex, open->count);
    if (count->poles == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < open->count; k++) {
        if (open->value[2 * k] > 0)
            ++*growing;
        if (open->value[2 * k] == 0)
            count->poles[count->npoles++] = open->value[2 * k + 1] * I;
    }
    return LINNET_OK;
}

static linnet_status prepare(counting *count, ln_arena *arena) {
    const ln_opening *opening = count->opening;
    const ln_pattern *pattern = opening->open.pattern;
    const size_t size = (size_t)opening->count * (size_t)opening->count;
    count->values = LN_NEW(arena, double, 2 * (size_t)pattern->start[pattern->n]);
    count->x = LN_NEW(arena, double complex, pattern->n);
    count->G = LN_NEW(arena, double complex, size);
    count->work = LN_NEW(arena, double complex, size);
    count->solver = ln_linear_new_complex(pattern, LN_LINEAR_AUTO);
    return count->values && count->x && count->G && count->work && count->solver ? LINNET_OK
                                                                                 : LINNET_MEMORY;
}

static linnet_status work_out(counting *count, ln_frequencies *list, ln_nyquist *out) {
    ln_arena *arena = count->opening->exact->arena;
    int growing = 0, degree = 0;
    LN_TRY(ln_eigen_dense(&count->opening->open, 1, arena, &out->open));
    LN_TRY(ln_reduced_degree(&count->opening->cut, &degree));
    LN_TRY(sort_poles(count, &out->open, arena, &growing));
    LN_TRY(ln_frequencies_add(list, out->open.value, out->open.count));
    const double longest = longest_lag(count->opening);
    if (list->high == 0)
        list->low = list->high = longest > 0 ? 1 / longest : 1;
    if (longest > 0)
        list->high = fmax(list->high, 1 / longest);
    if (longest > 0)
        list->low = fmin(list->low, 1 / longest);
    count->scale = sqrt(list->low) * sqrt(list->high);
    LN_TRY(prepare(count, arena));
    LN_TRY(follow(count, list));
    if (count->count > 1)
        add_up(count, growing, degree - out->open.count, out);
    return LINNET_OK;
}

linnet_status ln_nyquist_count(const ln_opening *opening, const double *marginal, int nmarginal,
                               ln_frequencies *list, ln_nyquist *out) {
    counting count = {.opening = opening, .zeros = marginal, .nzeros = nmarginal};
    *out = (ln_nyquist){.unstable = -1};
    linnet_status status = work_out(&count, list, out);
    ln_sys->release(count.samples);
    ln_linear_free(count.solver);
    if (status == LINNET_MEMORY)
        return ln_no_memory(opening->exact->report);
    return status == LINNET_RETRY || status == LINNET_FAILED ? LINNET_OK : status;
}
