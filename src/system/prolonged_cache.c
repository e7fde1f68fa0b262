/* SPDX-License-Identifier: MIT */
/* See the header. */
#include "system/prolonged_cache.h"

#include "base/sys.h"
#include "system/leaks.h"
#include <string.h>

/* ---- matrices ---- */

/* A matrix by rows: the entries that are constant, and `count` that the last evaluation has found.
 */
static linnet_status assemble(ln_reassembly *rows, const ln_matrix *matrix, int count,
                              const int *row, const int *col, const double *value) {
    const ln_pattern *pattern = &matrix->pattern;
    int going = 1;
    ln_reassembly_begin(rows);
    for (int j = 0; j < pattern->n; j++)
        for (int k = pattern->start[j]; going && k < pattern->start[j + 1]; k++)
            going = ln_reassembly_add(rows, j, pattern->row[k], matrix->value[k]);
    for (int k = 0; going && k < count; k++)
        going = ln_reassembly_add(rows, col[k], row[k], value[k]);
    return going ? ln_reassembly_finish(rows, pattern->n) : LINNET_MEMORY;
}

linnet_status ln_prolonged_sort_by_rows(ln_prolonged_cache *cache, const ln_system *s) {
    LN_TRY(assemble(&cache->E, &s->E, s->ndq, s->dq_row, s->dq_col, s->dq));
    return assemble(&cache->A, &s->A, s->ndf, s->df_row, s->df_col, s->df);
}

linnet_status ln_prolonged_leaks(ln_system *system, const ln_consistency_conditions *given,
                                 ln_prolonged_cache *cache, const double *x, int *any) {
    const size_t n = (size_t)system->n;
    *any = 0;
    if (cache->leaks == NULL && (cache->leaks = ln_sys->allocate(n + 1)) == NULL)
        return LINNET_MEMORY;
    LN_TRY(ln_system_eval(system, &(ln_moment){given->side, x}, LN_LIMIT_OFF, NULL, NULL, NULL));
    LN_TRY(ln_prolonged_sort_by_rows(cache, system));
    memset(cache->leaks, 0, n);
    return given->relaxed > 0 ? ln_find_leaks(&cache->E.matrix, &cache->A.matrix, system->nominal,
                                              given->relaxed, cache->leaks, any)
                              : LINNET_OK;
}

/* ---- structure and derivatives ---- */

linnet_status ln_prolonged_take_structure(ln_prolonged_cache *cache, ln_system *system,
                                          const ln_consistency_conditions *given, const double *x) {
    int any;
    LN_TRY(ln_prolonged_leaks(system, given, cache, x, &any));
    if (cache->structure != NULL &&
        !ln_prolonged_structure_fits(cache->structure, &cache->E, &cache->A, cache->leaks))
        ln_prolonged_forget_structure(cache);
    return cache->structure != NULL ? LINNET_OK
                                    : ln_prolonged_structure_find(system, &cache->E, &cache->A,
                                                                  cache->leaks, &cache->structure);
}

static void forget_derivatives(ln_prolonged_cache *cache) {
    ln_derivatives_free(cache->derivatives);
    ln_sys->release(cache->wanted);
    ln_sys->release(cache->update);
    cache->derivatives = NULL;
    cache->wanted = NULL;
    cache->update = NULL;
}

linnet_status ln_prolonged_take_derivatives(ln_prolonged_cache *cache, ln_system *system) {
    const int *wanted = cache->structure->wanted;
    const size_t n = (size_t)system->n, bytes = n * sizeof *wanted;
    if (cache->derivatives != NULL && memcmp(cache->wanted, wanted, bytes) == 0)
        return LINNET_OK;
    forget_derivatives(cache);
    cache->wanted = ln_sys->allocate(bytes);
    cache->update = ln_sys->allocate(n * sizeof *cache->update);
    if (cache->wanted == NULL || cache->update == NULL)
        return LINNET_MEMORY;
    memcpy(cache->wanted, wanted, bytes);
    return ln_derivatives_new(system, wanted, &cache->derivatives);
}

/* ---- the end ---- */

void ln_prolonged_forget_factors(ln_prolonged_cache *cache) {
    ln_linear_free(cache->linear);
    cache->linear = NULL;
}

void ln_prolonged_forget_structure(ln_prolonged_cache *cache) {
    ln_prolonged_structure_free(cache->structure);
    cache->structure = NULL;
}

void ln_prolonged_forget(ln_prolonged_cache *cache) {
    ln_prolonged_forget_structure(cache);
    forget_derivatives(cache);
    ln_prolonged_forget_factors(cache);
    ln_reassembly_free(&cache->E);
    ln_reassembly_free(&cache->A);
    ln_reassembly_free(&cache->jacobian);
    ln_sys->release(cache->leaks);
    *cache = (ln_prolonged_cache){0};
}
