/* SPDX-License-Identifier: MIT */
/* The choice of solver and its counts.
 *
 * Sparse is the start: on circuit matrices KLU beats LAPACK at nearly every size. The first
 * factorisation shows the fill; where the factors are nearly full and the matrix is not small,
 * dense LAPACK takes over (bench/linear.c measures the crossing; the figures stand in
 * doc/architecture.md). */
#include "linear/linear.h"

#include "base/sys.h"
#include "base/finite.h"
#include "linear/backend.h"

#include <assert.h>
#include <string.h>

static const double FULL = 0.4; /* nnz(L+U)/n^2 from which LAPACK wins ... */
enum { SMALL = 60 };            /* ... from this n on */

/* Real numbers, or pairs re, im. */
#define LN_COUNT(kind, word, doc) +1
enum { KINDS = 1 LN_LINEAR_BACKENDS(LN_COUNT) };
#undef LN_COUNT
typedef struct number_family {
    const ln_backend *backend[KINDS]; /* AUTO begins with the sparse one */
    int parts;
} number_family;
#define LN_REAL(kind, word, doc) [LN_LINEAR_##kind] = &ln_backend_##word,
#define LN_PAIRS(kind, word, doc) [LN_LINEAR_##kind] = &ln_backend_##word##_complex,
static const number_family real = {
    {[LN_LINEAR_AUTO] = &ln_backend_sparse, LN_LINEAR_BACKENDS(LN_REAL)}, 1};
static const number_family pairs = {
    {[LN_LINEAR_AUTO] = &ln_backend_sparse_complex, LN_LINEAR_BACKENDS(LN_PAIRS)}, 2};

#define LN_WORD(kind, word, doc) #word,
#define LN_DOC(kind, word, doc) doc,
static const char *const words[KINDS] = {"auto", LN_LINEAR_BACKENDS(LN_WORD)};
static const char *const docs[KINDS] = {"chosen by the fill", LN_LINEAR_BACKENDS(LN_DOC)};

int ln_linear_kind_find(const char *word) {
    for (int k = 0; k < KINDS; k++)
        if (strcmp(words[k], word) == 0)
            return k;
    return -1;
}

const char *ln_linear_kind_doc(ln_linear_kind kind) {
    return docs[kind];
}

struct ln_linear {
    const number_family *family;
    const ln_backend *backend;
    void *state; /* NULL: forgotten */
    const ln_pattern *pattern;
    int undecided; /* AUTO, before the first factorisation */
    double *held;  /* the matrix of the factors, */
    int is_held;   /* if it is kept */
    double *room;  /* for the next one */
    ln_linear_counts counts;
    ln_profile *profile; /* or NULL */
};

int ln_pattern_position(const ln_pattern *pattern, int row, int col) {
    for (int k = pattern->start[col]; k < pattern->start[col + 1]; k++)
        if (pattern->row[k] == row)
            return k;
    return -1;
}

#ifndef NDEBUG
/* The promise of ln_pattern: rows of each column within the matrix, rising. */
static int is_sorted(const ln_pattern *pattern) {
    for (int j = 0; j < pattern->n; j++)
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            if (pattern->row[k] < 0 || pattern->row[k] >= pattern->n ||
                (k > pattern->start[j] && pattern->row[k] <= pattern->row[k - 1]))
                return 0;
    return 1;
}
#endif

static ln_linear *create(const number_family *family, const ln_pattern *pattern,
                         ln_linear_kind kind) {
    assert(is_sorted(pattern));
    ln_linear *linear = ln_sys->allocate(sizeof *linear);
    if (linear == NULL)
        return NULL;
    *linear = (ln_linear){.family = family,
                          .backend = family->backend[kind],
                          .pattern = pattern,
                          .undecided = kind == LN_LINEAR_AUTO};
    const size_t count = (size_t)pattern->start[pattern->n] * (size_t)family->parts;
    linear->held = ln_sys->allocate((count > 0 ? count : 1) * sizeof *linear->held);
    linear->room = ln_sys->allocate((count > 0 ? count : 1) * sizeof *linear->room);
    if (linear->held != NULL && linear->room != NULL)
        linear->state = linear->backend->create(pattern);
    if (linear->state != NULL)
        return linear;
    ln_sys->release(linear->held);
    ln_sys->release(linear->room);
    ln_sys->release(linear);
    return NULL;
}

ln_linear *ln_linear_new(const ln_pattern *pattern, ln_linear_kind kind) {
    return create(&real, pattern, kind);
}
ln_linear *ln_linear_new_complex(const ln_pattern *pattern, ln_linear_kind kind) {
    return create(&pairs, pattern, kind);
}

void ln_linear_free(ln_linear *linear) {
    if (linear == NULL)
        return;
    ln_linear_forget(linear);
    ln_sys->release(linear->held);
    ln_sys->release(linear->room);
    ln_sys->release(linear);
}

void ln_linear_forget(ln_linear *linear) {
    if (linear->state != NULL)
        linear->backend->release(linear->state);
    linear->state = NULL;
    linear->is_held = 0;
}

double *ln_linear_room(ln_linear *linear) {
    return linear->room;
}

void ln_linear_profile(ln_linear *linear, ln_profile *profile) {
    linear->profile = profile;
}

ln_linear_kind ln_linear_chosen(const ln_linear *linear) {
    return linear->backend->kind;
}
ln_linear_counts ln_linear_count(const ln_linear *linear) {
    return linear->counts;
}

static int is_full(const ln_linear *linear) {
    double n = linear->pattern->n;
    return linear->pattern->n >= SMALL && (double)linear->counts.fill > FULL * n * n;
}

/* Goes over to the dense backend; keeps the sparse one when memory is short. */
static void become_dense(ln_linear *linear) {
    void *state = linear->family->backend[LN_LINEAR_DENSE]->create(linear->pattern);
    if (state == NULL)
        return;
    linear->backend->release(linear->state);
    linear->backend = linear->family->backend[LN_LINEAR_DENSE];
    linear->state = state;
}

/* By the backend, or by another where the fill asks for it. */
static ln_factored factor(ln_linear *linear, const double *values) {
    int again = 0;
    if (linear->state == NULL)
        linear->state = linear->backend->create(linear->pattern);
    if (linear->state == NULL)
        return LN_FACTOR_MEMORY;
    ln_factored outcome = linear->backend->factor(linear->state, values, &again);
    if (outcome != LN_FACTORED)
        return outcome;
    linear->counts.fill = linear->backend->fill(linear->state);
    if (linear->undecided) {
        linear->undecided = 0;
        if (is_full(linear)) {
            become_dense(linear);
            outcome = linear->backend->factor(linear->state, values, &again);
            if (outcome != LN_FACTORED)
                return outcome;
        }
    }
    if (again) {
        linear->counts.refactored++;
    } else {
        linear->counts.factored++;
        linear->counts.products = linear->backend->products(linear->state);
    }
    return LN_FACTORED;
}

/* The matrix is kept from the second one on: most linear networks have but one, and `held` stays
 * untouched, so that it takes no memory. One that was written into `room` is kept by an exchange.
 */
static void hold(ln_linear *linear, const double *values, size_t bytes) {
    linear->is_held = bytes > 0 && linear->counts.factored + linear->counts.refactored > 1;
    if (linear->is_held && values == linear->room) {
        double *kept = linear->held;
        linear->held = linear->room;
        linear->room = kept;
    } else if (linear->is_held) {
        memcpy(linear->held, values, bytes);
    }
}

/* Where nothing moved the matrix is bit for bit that of the factors. To see that takes little of a
 * refactorisation's time. */
ln_factored ln_linear_factor(ln_linear *linear, const double *values) {
    size_t count =
        (size_t)linear->pattern->start[linear->pattern->n] * (size_t)linear->family->parts;
    const size_t bytes = count * sizeof *values;
    if (linear->is_held && memcmp(linear->held, values, bytes) == 0)
        return LN_FACTORED;
    linear->is_held = 0;
    if (!ln_all_finite(values, count))
        return LN_SINGULAR;
    const ln_profile_part before = ln_profile_enter(linear->profile, LN_PART_FACTOR);
    const ln_factored outcome = factor(linear, values);
    ln_profile_leave(linear->profile, before);
    if (outcome == LN_FACTORED)
        hold(linear, values, bytes);
    return outcome;
}

void ln_linear_solve(ln_linear *linear, double *b) {
    assert(linear->state != NULL); /* there are factors */
    assert(linear->counts.factored + linear->counts.refactored > 0);
    const ln_profile_part before = ln_profile_enter(linear->profile, LN_PART_SOLVE);
    linear->counts.solved++;
    linear->backend->solve(linear->state, b);
    ln_profile_leave(linear->profile, before);
}

void ln_linear_solve_aside(const ln_linear *linear, double *b) {
    const ln_backend *backend = linear->backend;
    assert(linear->state != NULL); /* there are factors */
    const ln_profile_part before = ln_profile_enter(linear->profile, LN_PART_SOLVE);
    (backend->solve_aside != NULL ? backend->solve_aside : backend->solve)(linear->state, b);
    ln_profile_leave(linear->profile, before);
}

void ln_linear_solve_transposed(ln_linear *linear, double *b) {
    assert(linear->counts.factored + linear->counts.refactored > 0);
    linear->counts.solved++;
    linear->backend->solve_transposed(linear->state, b);
}
