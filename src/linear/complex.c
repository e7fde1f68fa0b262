/* SPDX-License-Identifier: MIT */
/* The choice between the two complex backends, and their counts. */
#include "linear/complex.h"

#include "base/sys.h"
#include "linear/backend.h"

struct ln_complex_linear {
    const ln_backend *backend;
    void *state;
    const ln_pattern *pattern;
    ln_linear_counts counts;
};

ln_complex_linear *ln_complex_new(const ln_pattern *pattern, ln_linear_kind kind) {
    ln_complex_linear *linear = ln_sys->allocate(sizeof *linear);
    if (linear == NULL) return NULL;
    *linear = (ln_complex_linear){
        .backend = kind == LN_LINEAR_DENSE ? &ln_backend_dense_complex : &ln_backend_sparse_complex, .pattern = pattern};
    linear->state = linear->backend->create(pattern);
    if (linear->state != NULL) return linear;
    ln_sys->release(linear);
    return NULL;
}

void ln_complex_free(ln_complex_linear *linear) {
    if (linear == NULL) return;
    linear->backend->release(linear->state);
    ln_sys->release(linear);
}

ln_factored ln_complex_factor(ln_complex_linear *linear, const double *values) {
    double test = 0;
    int again = 0, count = 2 * linear->pattern->start[linear->pattern->n];
    for (int k = 0; k < count; k++) test += values[k] * 0.0; /* NaN and infinities turn into NaN */
    if (test != 0) return LN_SINGULAR;
    ln_factored outcome = linear->backend->factor(linear->state, values, &again);
    if (outcome != LN_FACTORED) return outcome;
    linear->counts.fill = linear->backend->fill(linear->state);
    if (again) linear->counts.refactored++;
    else linear->counts.factored++;
    return LN_FACTORED;
}

void ln_complex_solve(ln_complex_linear *linear, double *b) {
    linear->counts.solved++;
    linear->backend->solve(linear->state, b);
}

ln_linear_counts ln_complex_count(const ln_complex_linear *linear) { return linear->counts; }
