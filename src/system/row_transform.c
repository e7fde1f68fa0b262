/* SPDX-License-Identifier: MIT */
/* The transformed rows, and the Jacobian's terms for them.
 *
 * A new row is a combination of old ones: sum_i c_i row_i. Differential rows take the storage part,
 * q = E x + q_nl, with the Jacobian E + dq; algebraic ones the rest, f = A x + f_nl - s, with the
 * Jacobian A + df. So the new Jacobian is a weighted sum of entries of four families, E, dq, A and
 * df, always in this order. Which entry adds to which position is found once; at each point the sum
 * is a single loop over `nterms`, without a search. */
#include "system/row_transform.h"

#include "base/sys.h"
#include "system/active.h"
#include <math.h>
#include <string.h>

/* ---- the Jacobian's terms ---- */

typedef struct by_rows { /* one family of entries (E, dq, A, df), by rows */
    int *start, *entry;
    const int *col;
} by_rows;

/* Counting sort: entry[start[i] .. start[i+1]-1] are the entries of row i, in their old order.
 * start[i + 2] counts row i; after the sums, start[i + 1] is where the next entry of row i goes,
 * and it ends as the start of row i + 1. 0: memory is short; the caller releases both arrays in any
 * case. */
static int list_by_rows(int n, int count, const int *row, by_rows *out) {
    out->start = ln_sys->allocate(((size_t)n + 2) * sizeof(int));
    out->entry = ln_sys->allocate(((size_t)count + 1) * sizeof(int));
    if (out->start == NULL || out->entry == NULL)
        return 0;
    memset(out->start, 0, ((size_t)n + 2) * sizeof(int));
    for (int k = 0; k < count; k++)
        out->start[row[k] + 2]++;
    for (int i = 0; i < n; i++)
        out->start[i + 2] += out->start[i + 1];
    for (int k = 0; k < count; k++)
        out->entry[out->start[row[k] + 1]++] = k;
    return 1;
}

/* The column of each entry of a pattern by columns. NULL: memory is short. */
static int *columns_of(const ln_pattern *pattern) {
    int *col = ln_sys->allocate(((size_t)pattern->start[pattern->n] + 1) * sizeof *col);
    for (int j = 0; col != NULL && j < pattern->n; j++)
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            col[k] = j;
    return col;
}

typedef struct term_builder {
    ln_scattered at;
    int *from;
    double *weight;
    size_t from_room, weight_room;
} term_builder;

/* All entries that one family has in an old row, times the weight, into a new row. offset: where
 * the family begins among all entries. */
static int add_family(term_builder *all, const by_rows *family, int offset, int new_row,
                      int old_row, double weight) {
    for (int k = family->start[old_row]; k < family->start[old_row + 1]; k++) {
        size_t count = all->at.count;
        if (!LN_GROW(all->from, count, all->from_room) ||
            !LN_GROW(all->weight, count, all->weight_room))
            return 0;
        all->from[count] = offset + family->entry[k];
        all->weight[count] = weight;
        if (!ln_scattered_add(&all->at, new_row, family->col[family->entry[k]]))
            return 0;
    }
    return 1;
}

static linnet_status make_terms(ln_row_transform *out, term_builder *all, const by_rows family[4],
                                const int offset[4]) {
    for (int k = 0; k < out->n; k++) {
        int first = out->differential[k] ? 0 : 2;
        for (int i = out->start[k]; i < out->start[k + 1]; i++)
            for (int which = first; which < first + 2; which++)
                if (!add_family(all, &family[which], offset[which], k, out->row[i],
                                out->coefficient[i]))
                    return LINNET_MEMORY;
    }
    int *position = LN_NEW(out->arena, int, all->at.count);
    out->position = position;
    return ln_scattered_pattern(&all->at, out->n, out->arena, &out->pattern, position);
}

static linnet_status make_jacobian(ln_row_transform *out) {
    const ln_system *s = out->system;
    int ne = s->E.pattern.start[s->n], na = s->A.pattern.start[s->n];
    /* differential rows use the first two families, algebraic ones the others */
    const int offset[4] = {0, ne, ne + s->ndq, ne + s->ndq + na};
    by_rows family[4] = {{0}};
    term_builder all = {.from = NULL};
    int *e_col = columns_of(&s->E.pattern), *a_col = columns_of(&s->A.pattern);
    linnet_status status = LINNET_MEMORY;
    if (e_col != NULL && a_col != NULL && list_by_rows(s->n, ne, s->E.pattern.row, &family[0]) &&
        list_by_rows(s->n, s->ndq, s->dq_row, &family[1]) &&
        list_by_rows(s->n, na, s->A.pattern.row, &family[2]) &&
        list_by_rows(s->n, s->ndf, s->df_row, &family[3])) {
        family[0].col = e_col;
        family[1].col = s->dq_col;
        family[2].col = a_col;
        family[3].col = s->df_col;
        status = make_terms(out, &all, family, offset);
    }
    out->nterms = (int)all.at.count;
    int *from = LN_NEW(out->arena, int, all.at.count);
    double *weight = LN_NEW(out->arena, double, all.at.count);
    if (from == NULL || weight == NULL)
        status = LINNET_MEMORY;
    else if (status == LINNET_OK && all.at.count > 0) {
        memcpy(from, all.from, all.at.count * sizeof *from);
        memcpy(weight, all.weight, all.at.count * sizeof *weight);
    }
    out->from = from;
    out->weight = weight;
    for (int k = 0; k < 4; k++) {
        ln_sys->release(family[k].start);
        ln_sys->release(family[k].entry);
    }
    ln_sys->release(e_col);
    ln_sys->release(a_col);
    ln_sys->release(all.from);
    ln_sys->release(all.weight);
    ln_scattered_free(&all.at);
    return status;
}

linnet_status ln_row_transform_new(ln_system *system, ln_row_transform **result) {
    ln_arena *arena = ln_arena_new();
    ln_row_transform *out = arena == NULL ? NULL : LN_NEW(arena, ln_row_transform, 1);
    if (out == NULL) {
        ln_arena_free(arena);
        return LINNET_MEMORY;
    }
    *out = (ln_row_transform){.system = system, .arena = arena, .n = system->n};
    ln_storage *rows = &out->storage;
    linnet_status status = ln_storage_split(system, arena, rows);
    out->rank = rows->rank;
    out->differential = rows->differential;
    out->start = rows->start;
    out->row = rows->row;
    out->coefficient = rows->coefficient;
    if (status == LINNET_OK)
        status = make_jacobian(out);
    if (status == LINNET_OK)
        *result = out;
    else
        ln_row_transform_free(out);
    return status;
}

void ln_row_transform_free(ln_row_transform *transform) {
    if (transform != NULL)
        ln_arena_free(transform->arena);
}

/* Zero at the x whose stored quantities are q_star and whose algebraic equations hold. */
void ln_row_transform_residual(const ln_row_transform *transform, const double *q,
                               const double *q_star, const double *f, double *r) {
    for (int k = 0; k < transform->n; k++) {
        double sum = 0;
        for (int i = transform->start[k]; i < transform->start[k + 1]; i++) {
            int row = transform->row[i];
            sum += transform->coefficient[i] *
                   (transform->differential[k] ? q[row] - q_star[row] : f[row]);
        }
        r[k] = sum;
    }
}

void ln_row_transform_jacobian(const ln_row_transform *transform, double *values) {
    const ln_system *s = transform->system;
    int ne = s->E.pattern.start[s->n], na = s->A.pattern.start[s->n];
    memset(values, 0, (size_t)transform->pattern.start[transform->n] * sizeof *values);
    for (int i = 0; i < transform->nterms; i++) {
        int from = transform->from[i];
        double value = from < ne                 ? s->E.value[from]
                       : from < ne + s->ndq      ? s->dq[from - ne]
                       : from < ne + s->ndq + na ? s->A.value[from - ne - s->ndq]
                                                 : s->df[from - ne - s->ndq - na];
        values[transform->position[i]] += transform->weight[i] * value;
    }
}
