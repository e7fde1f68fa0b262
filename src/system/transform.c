/* SPDX-License-Identifier: MIT */
/* Rank decisions part by part: rows of E are joined where they share a column; a part of one row is differential, a
 * larger one is split by a rank-revealing factorisation of its small dense matrix. */
#include "system/transform.h"

#include "base/sys.h"
#include "system/active.h"
#include <math.h>
#include <string.h>

enum { LARGEST_PART = 800 }; /* rows of a part whose rank is decided densely: about 0.3 s */

typedef struct builder {
    ln_system *system;
    ln_transform *out;
    int *parent;                   /* union-find over rows                                                            */
    int *owner;                    /* per column: a row that has it, -1                                               */
    int *row_start, *row_entry;    /* E by rows: index of entries in `entry`                                          */
    struct { int row, col; double value; } *entry;
    int nentries;
    int *first, *next;             /* rows of each part, chained by root, rising                                      */
    int *column_place;             /* work: place of a column in the dense part                                       */
    int *starts, *rows; double *coefficients; size_t nrows_room, ncoef_room, count;
    char *differential;
} builder;

static int find(int *parent, int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* Entries of E and dq that are not zero. */
static int collect(builder *b) {
    const ln_system *s = b->system;
    const ln_pattern *e = &s->E.pattern;
    b->entry = ln_sys->allocate(((size_t)e->start[s->n] + (size_t)s->ndq + 1) * sizeof *b->entry);
    if (b->entry == NULL) return 0;
    for (int j = 0; j < s->n; j++)
        for (int k = e->start[j]; k < e->start[j + 1]; k++)
            if (s->E.value[k] != 0) {
                b->entry[b->nentries].row = e->row[k];
                b->entry[b->nentries].col = j;
                b->entry[b->nentries++].value = s->E.value[k];
            }
    for (int k = 0; k < s->ndq; k++) {
        b->entry[b->nentries].row = s->dq_row[k];
        b->entry[b->nentries].col = s->dq_col[k];
        b->entry[b->nentries++].value = s->dq[k];
    }
    return 1;
}

static int join_rows(builder *b) {
    int n = b->system->n;
    size_t size = ((size_t)n + 1) * sizeof(int);
    b->parent = ln_sys->allocate(size);
    b->owner = ln_sys->allocate(size);
    b->first = ln_sys->allocate(size);
    b->next = ln_sys->allocate(size);
    b->column_place = ln_sys->allocate(size);
    b->row_start = ln_sys->allocate(size + sizeof(int));
    b->row_entry = ln_sys->allocate(((size_t)b->nentries + 1) * sizeof(int));
    if (!b->parent || !b->owner || !b->first || !b->next || !b->column_place || !b->row_start || !b->row_entry) return 0;
    for (int i = 0; i < n; i++) {
        b->parent[i] = i;
        b->owner[i] = b->first[i] = b->next[i] = b->column_place[i] = -1;
    }
    memset(b->row_start, 0, size + sizeof(int));
    for (int k = 0; k < b->nentries; k++) {
        int row = b->entry[k].row, *owner = &b->owner[b->entry[k].col];
        b->row_start[row + 2]++;
        if (*owner < 0) *owner = row;
        else b->parent[find(b->parent, row)] = find(b->parent, *owner);
    }
    for (int i = 0; i < n; i++) b->row_start[i + 2] += b->row_start[i + 1];
    for (int k = 0; k < b->nentries; k++) b->row_entry[b->row_start[b->entry[k].row + 1]++] = k;
    for (int i = n - 1; i >= 0; i--) {
        int root = find(b->parent, i);
        b->next[i] = b->first[root];
        b->first[root] = i;
    }
    return 1;
}

/* ---- the new rows ---- */

static int add_term(builder *b, int row, double coefficient) {
    if (!LN_GROW(b->rows, b->count, b->nrows_room) || !LN_GROW(b->coefficients, b->count, b->ncoef_room)) return 0;
    b->rows[b->count] = row;
    b->coefficients[b->count++] = coefficient;
    return 1;
}

/* Dense matrix of a part (its rows x its columns, column-major), each row and column scaled to largest entry about 1
 * so that farads and picofarads are judged alike; scale: per row. NULL when memory is short. */
static double *dense_part(builder *b, const int *rows, int m, double *scale, int *ncols) {
    int columns = 0;
    for (int i = 0; i < m; i++)
        for (int k = b->row_start[rows[i]]; k < b->row_start[rows[i] + 1]; k++) {
            int col = b->entry[b->row_entry[k]].col;
            if (b->column_place[col] < 0) b->column_place[col] = columns++;
        }
    double *matrix = ln_sys->allocate((size_t)m * (size_t)(columns + 1) * sizeof *matrix);
    if (matrix == NULL) return NULL;
    memset(matrix, 0, (size_t)m * (size_t)(columns + 1) * sizeof *matrix);
    for (int i = 0; i < m; i++)
        for (int k = b->row_start[rows[i]]; k < b->row_start[rows[i] + 1]; k++) {
            int entry = b->row_entry[k];
            matrix[(size_t)b->column_place[b->entry[entry].col] * (size_t)m + (size_t)i] += b->entry[entry].value;
        }
    for (int i = 0; i < m; i++) {
        double largest = 0;
        for (int j = 0; j < columns; j++) largest = fmax(largest, fabs(matrix[(size_t)j * (size_t)m + (size_t)i]));
        scale[i] = largest > 0 ? 1 / largest : 1;
        for (int j = 0; j < columns; j++) matrix[(size_t)j * (size_t)m + (size_t)i] *= scale[i];
    }
    for (int j = 0; j < columns; j++) {
        double largest = 0;
        for (int i = 0; i < m; i++) largest = fmax(largest, fabs(matrix[(size_t)j * (size_t)m + (size_t)i]));
        for (int i = 0; largest > 0 && i < m; i++) matrix[(size_t)j * (size_t)m + (size_t)i] /= largest;
    }
    for (int k = 0; k < m; k++)
        for (int i = b->row_start[rows[k]]; i < b->row_start[rows[k] + 1]; i++)
            b->column_place[b->entry[b->row_entry[i]].col] = -1;
    *ncols = columns;
    return matrix;
}

/* New rows of a part of m > 1 rows, in place of the old ones: starts[] of each is appended in order. */
static linnet_status split_part(builder *b, const int *rows, int m) {
    linnet_status status = LINNET_MEMORY;
    size_t size = (size_t)m;
    double *scale = ln_sys->allocate(size * sizeof *scale), *dependence = ln_sys->allocate(size * size * sizeof(double));
    int *order = ln_sys->allocate(size * sizeof *order);
    double *matrix = NULL;
    int columns = 0;
    if (scale != NULL && dependence != NULL && order != NULL) matrix = dense_part(b, rows, m, scale, &columns);
    if (matrix == NULL) goto done;
    int rank = ln_dense_row_basis(m, columns, matrix, 1e-13, order, dependence);
    if (rank < 0) goto done;
    for (int k = 0; k < m; k++) {
        int old = rows[order[k]];
        b->starts[rows[k]] = (int)b->count;
        b->differential[rows[k]] = k < rank;
        if (!add_term(b, old, 1.0)) goto done;
        for (int i = 0; k >= rank && i < rank; i++) {
            double c = dependence[(size_t)i * (size_t)(m - rank) + (size_t)(k - rank)];
            if (fabs(c) < 1e-12) continue;
            /* row = sum c * basis row held for the scaled rows */
            if (!add_term(b, rows[order[i]], -c * scale[order[i]] / scale[order[k]])) goto done;
        }
    }
    status = LINNET_OK;
done:
    ln_sys->release(scale);
    ln_sys->release(dependence);
    ln_sys->release(order);
    ln_sys->release(matrix);
    return status;
}

/* starts[] is filled part by part, so rows of one new row stand together but not in order: ends[] closes each. */
static linnet_status make_rows(builder *b, int *ends) {
    int n = b->system->n;
    int *part = ln_sys->allocate(((size_t)n + 1) * sizeof *part);
    linnet_status status = part == NULL ? LINNET_MEMORY : LINNET_OK;
    for (int root = 0; status == LINNET_OK && root < n; root++) {
        if (b->first[root] < 0) continue;
        int m = 0;
        for (int i = b->first[root]; i >= 0; i = b->next[i]) part[m++] = i;
        if (m == 1) {
            b->starts[part[0]] = (int)b->count;
            b->differential[part[0]] = b->row_start[part[0] + 1] > b->row_start[part[0]];
            if (!add_term(b, part[0], 1.0)) status = LINNET_MEMORY;
        } else if (m > LARGEST_PART) {
            status = LINNET_RETRY;
        } else {
            status = split_part(b, part, m);
        }
        for (int k = 0; k < m; k++) ends[part[k]] = k + 1 < m ? b->starts[part[k + 1]] : (int)b->count;
    }
    ln_sys->release(part);
    return status;
}

/* ---- the Jacobian's terms ---- */

typedef struct by_rows {           /* one family of entries (E, dq, A, df), by rows                                    */
    int *start, *entry;
    const int *col;
} by_rows;

static int list_by_rows(int n, int count, const int *row, by_rows *out) {
    out->start = ln_sys->allocate(((size_t)n + 2) * sizeof(int));
    out->entry = ln_sys->allocate(((size_t)count + 1) * sizeof(int));
    if (out->start == NULL || out->entry == NULL) return 0;
    memset(out->start, 0, ((size_t)n + 2) * sizeof(int));
    for (int k = 0; k < count; k++) out->start[row[k] + 2]++;
    for (int i = 0; i < n; i++) out->start[i + 2] += out->start[i + 1];
    for (int k = 0; k < count; k++) out->entry[out->start[row[k] + 1]++] = k;
    return 1;
}

static int *columns_of(const ln_pattern *pattern) {
    int *col = ln_sys->allocate(((size_t)pattern->start[pattern->n] + 1) * sizeof *col);
    for (int j = 0; col != NULL && j < pattern->n; j++)
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++) col[k] = j;
    return col;
}

typedef struct terms {
    ln_scattered at;
    int *from; double *weight; size_t from_room, weight_room;
} terms;

static int add_family(terms *all, const by_rows *family, int offset, int new_row, int old_row, double weight) {
    for (int k = family->start[old_row]; k < family->start[old_row + 1]; k++) {
        size_t count = all->at.count;
        if (!LN_GROW(all->from, count, all->from_room) || !LN_GROW(all->weight, count, all->weight_room)) return 0;
        all->from[count] = offset + family->entry[k];
        all->weight[count] = weight;
        if (!ln_scattered_add(&all->at, new_row, family->col[family->entry[k]])) return 0;
    }
    return 1;
}

static linnet_status make_terms(ln_transform *out, terms *all, const by_rows family[4], const int offset[4]) {
    for (int k = 0; k < out->n; k++) {
        int first = out->differential[k] ? 0 : 2;
        for (int i = out->start[k]; i < out->start[k + 1]; i++)
            for (int which = first; which < first + 2; which++)
                if (!add_family(all, &family[which], offset[which], k, out->row[i], out->coefficient[i]))
                    return LINNET_MEMORY;
    }
    return ln_scattered_pattern(&all->at, out->n, out->arena, &out->pattern, &out->place);
}

static linnet_status make_jacobian(ln_transform *out) {
    const ln_system *s = out->system;
    int ne = s->E.pattern.start[s->n], na = s->A.pattern.start[s->n];
    const int offset[4] = {0, ne + na, ne, ne + na + s->ndq}; /* of E, dq, A, df in E A dq df end to end */
    by_rows family[4] = {{0}};
    terms all = {.from = NULL};
    int *e_col = columns_of(&s->E.pattern), *a_col = columns_of(&s->A.pattern);
    linnet_status status = LINNET_MEMORY;
    if (e_col != NULL && a_col != NULL && list_by_rows(s->n, ne, s->E.pattern.row, &family[0]) &&
        list_by_rows(s->n, s->ndq, s->dq_row, &family[1]) && list_by_rows(s->n, na, s->A.pattern.row, &family[2]) &&
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
    if (from == NULL || weight == NULL) status = LINNET_MEMORY;
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

/* Brings the new rows into order of their numbers, with one closing start. */
static linnet_status order_rows(builder *b, const int *ends) {
    ln_transform *out = b->out;
    int *start = LN_NEW(out->arena, int, out->n + 1), *row = LN_NEW(out->arena, int, b->count);
    double *coefficient = LN_NEW(out->arena, double, b->count);
    if (start == NULL || row == NULL || coefficient == NULL) return LINNET_MEMORY;
    int count = 0;
    for (int k = 0; k < out->n; k++) {
        start[k] = count;
        for (int i = b->starts[k]; i < ends[k]; i++) {
            row[count] = b->rows[i];
            coefficient[count++] = b->coefficients[i];
        }
        out->rank += b->differential[k];
    }
    start[out->n] = count;
    out->start = start;
    out->row = row;
    out->coefficient = coefficient;
    out->differential = b->differential;
    return LINNET_OK;
}

linnet_status ln_transform_new(ln_system *system, ln_transform **result) {
    ln_arena *arena = ln_arena_new();
    ln_transform *out = arena == NULL ? NULL : LN_NEW(arena, ln_transform, 1);
    if (out == NULL) {
        ln_arena_free(arena);
        return LINNET_MEMORY;
    }
    *out = (ln_transform){.system = system, .arena = arena, .n = system->n};
    builder b = {.system = system, .out = out};
    b.starts = LN_NEW(arena, int, system->n);
    b.differential = LN_NEW(arena, char, system->n);
    int *ends = LN_NEW(arena, int, system->n);
    linnet_status status = b.starts && b.differential && ends && collect(&b) && join_rows(&b) ? LINNET_OK : LINNET_MEMORY;
    if (status == LINNET_OK) status = make_rows(&b, ends);
    if (status == LINNET_OK) status = order_rows(&b, ends);
    if (status == LINNET_OK) status = make_jacobian(out);
    ln_sys->release(b.entry);
    ln_sys->release(b.parent);
    ln_sys->release(b.owner);
    ln_sys->release(b.first);
    ln_sys->release(b.next);
    ln_sys->release(b.column_place);
    ln_sys->release(b.row_start);
    ln_sys->release(b.row_entry);
    ln_sys->release(b.rows);
    ln_sys->release(b.coefficients);
    if (status == LINNET_OK) *result = out;
    else ln_transform_free(out);
    return status;
}

void ln_transform_free(ln_transform *transform) {
    if (transform != NULL) ln_arena_free(transform->arena);
}

void ln_transform_residual(const ln_transform *transform, const double *q, const double *q_star, const double *f,
                           double *r) {
    for (int k = 0; k < transform->n; k++) {
        double sum = 0;
        for (int i = transform->start[k]; i < transform->start[k + 1]; i++) {
            int row = transform->row[i];
            sum += transform->coefficient[i] * (transform->differential[k] ? q[row] - q_star[row] : f[row]);
        }
        r[k] = sum;
    }
}

void ln_transform_jacobian(const ln_transform *transform, double *values) {
    const ln_system *s = transform->system;
    int ne = s->E.pattern.start[s->n], na = s->A.pattern.start[s->n];
    memset(values, 0, (size_t)transform->pattern.start[transform->n] * sizeof *values);
    for (int i = 0; i < transform->nterms; i++) {
        int from = transform->from[i];
        double value = from < ne                 ? s->E.value[from]
                       : from < ne + na          ? s->A.value[from - ne]
                       : from < ne + na + s->ndq ? s->dq[from - ne - na]
                                                 : s->df[from - ne - na - s->ndq];
        values[transform->place[i]] += transform->weight[i] * value;
    }
}
