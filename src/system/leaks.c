/* SPDX-License-Identifier: MIT */
/* Time constants of single rows: of a state m in row i with slopes a_ij of what is not stored,
 * whose own rate is A_kj x_j / E_km, the quotient of a_ij and a_im A_kj / E_km. */
#include "system/leaks.h"

#include "base/sys.h"
#include <math.h>
#include <string.h>

typedef struct leak_finder {
    const ln_matrix *E, *A;
    const double *nominal;
    char *stored; /* n: has the unknown an entry in E? */
    double *rate; /* n, 1/s: what an unknown of its size that is not stored makes of each state */
} leak_finder;

static linnet_status begin(leak_finder *all) {
    const ln_pattern *pattern = &all->E->pattern;
    const size_t n = (size_t)pattern->n;
    all->stored = ln_sys->allocate(n + 1);
    all->rate = ln_sys->allocate((n + 1) * sizeof *all->rate);
    if (all->stored == NULL || all->rate == NULL)
        return LINNET_MEMORY;
    memset(all->stored, 0, n);
    memset(all->rate, 0, n * sizeof *all->rate);
    for (int k = 0; k < pattern->start[n]; k++)
        all->stored[pattern->row[k]] |= all->E->value[k] < 0 || all->E->value[k] > 0;
    return LINNET_OK;
}

static void end(leak_finder *all) {
    ln_sys->release(all->stored);
    ln_sys->release(all->rate);
}

static double flow_of(const leak_finder *all, int k) {
    return fabs(all->A->value[k]) * all->nominal[all->A->pattern.row[k]];
}

/* The rates of what row i stores; 1 where it stores anything. */
static int find_rates(leak_finder *all, int i) {
    const ln_pattern *A = &all->A->pattern, *E = &all->E->pattern;
    double most = 0;
    int stores = 0;
    for (int k = A->start[i]; k < A->start[i + 1]; k++)
        if (!all->stored[A->row[k]])
            most = fmax(most, flow_of(all, k));
    for (int k = E->start[i]; k < E->start[i + 1]; k++) {
        const double size = fabs(all->E->value[k]);
        if (!(size > 0))
            continue;
        stores = 1;
        all->rate[E->row[k]] = fmax(all->rate[E->row[k]], most / size);
    }
    return stores;
}

/* Is row i, which stores nothing, a leak? */
static char is_leak(const leak_finder *all, int i, double within) {
    const ln_pattern *A = &all->A->pattern;
    double by_states = 0, by_others = 0;
    for (int k = A->start[i]; k < A->start[i + 1]; k++)
        if (all->stored[A->row[k]])
            by_states = fmax(by_states, fabs(all->A->value[k]) * all->rate[A->row[k]]);
        else
            by_others = fmax(by_others, flow_of(all, k));
    return by_others > 0 && by_others <= within * by_states;
}

linnet_status ln_find_leaks(const ln_matrix *E, const ln_matrix *A, const double *nominal,
                            double within, char *leaks, int *any) {
    leak_finder all = {.E = E, .A = A, .nominal = nominal};
    const linnet_status status = begin(&all);
    const int n = status == LINNET_OK ? E->pattern.n : 0;
    *any = 0;
    for (int i = 0; i < n; i++)
        leaks[i] = (char)!find_rates(&all, i);
    for (int i = 0; i < n; i++) {
        leaks[i] &= is_leak(&all, i, within);
        *any |= leaks[i];
    }
    end(&all);
    return status;
}

linnet_status ln_close_leaks(const ln_matrix *E, ln_matrix *A, const char *leaks) {
    leak_finder all = {.E = E, .A = A};
    const linnet_status status = begin(&all);
    for (int i = 0; status == LINNET_OK && i < A->pattern.n; i++)
        for (int k = A->pattern.start[i]; leaks[i] && k < A->pattern.start[i + 1]; k++)
            if (!all.stored[A->pattern.row[k]])
                A->value[k] = 0;
    end(&all);
    return status;
}
