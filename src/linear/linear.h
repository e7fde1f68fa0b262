/* SPDX-License-Identifier: MIT */
/* Linear systems K x = b of one pattern and many values: analyse once, factor often, solve more
 * often.
 *
 * One interface over two libraries: the dense files alone include LAPACKE, sparse.c is the only one
 * that includes KLU. A matrix is n x n in compressed columns; the pattern is fixed at creation. */
#ifndef LN_LINEAR_LINEAR_H
#define LN_LINEAR_LINEAR_H

#include "base/profile.h"
#include "base/report.h"

/* The backends: kind, word in options, what it is; ln_backend_WORD is the one for real numbers,
 * ln_backend_WORD_complex that for pairs re, im (backend.h). */
/* clang-format off */
#define LN_LINEAR_BACKENDS(X) \
    X(DENSE, dense, "dense (LAPACK)") \
    X(SPARSE, sparse, "sparse (KLU)")
/* clang-format on */

#define LN_LINEAR_KIND(kind, word, doc) , LN_LINEAR_##kind
typedef enum ln_linear_kind { LN_LINEAR_AUTO LN_LINEAR_BACKENDS(LN_LINEAR_KIND) } ln_linear_kind;
#undef LN_LINEAR_KIND

/* "auto, dense, sparse" */
#define LN_LINEAR_WORD(kind, word, doc) ", " #word
#define LN_LINEAR_WORDS "auto" LN_LINEAR_BACKENDS(LN_LINEAR_WORD)
/* The kind of a word, -1: there is none; and what a kind is, "sparse (KLU)". */
int ln_linear_kind_find(const char *word);
const char *ln_linear_kind_doc(ln_linear_kind kind);

/* Compressed columns: rows of column j stand in row[start[j] .. start[j+1]-1], sorted, no
 * duplicates. */
typedef struct ln_pattern {
    int n;
    const int *start; /* n + 1 */
    const int *row;   /* start[n] */
} ln_pattern;
/* The position of an entry in a pattern, or -1. */
int ln_pattern_position(const ln_pattern *pattern, int row, int col);

/* Outcome of a factorisation. */
typedef enum ln_factored { LN_FACTORED, LN_SINGULAR, LN_FACTOR_MEMORY } ln_factored;

typedef struct ln_linear ln_linear;

/* A solver for this pattern (borrowed: must outlive the solver). AUTO: measured rule, see linear.c.
 * NULL when memory is short. Owner: caller. Also sets OpenBLAS to one thread when the systems are
 * small. */
ln_linear *ln_linear_new(const ln_pattern *pattern, ln_linear_kind kind);
/* The same for a complex K, for methods with complex coefficients and frequency response: values
 * and b are then pairs re, im. */
ln_linear *ln_linear_new_complex(const ln_pattern *pattern, ln_linear_kind kind);
void ln_linear_free(ln_linear *linear);
/* Gives back the memory of the factors: the next thing is a factorisation, from the pattern on. */
void ln_linear_forget(ln_linear *linear);
/* Factorisations and solutions are counted there (borrowed, may be NULL). */
void ln_linear_profile(ln_linear *linear, ln_profile *profile);
/* What AUTO chose. */
ln_linear_kind ln_linear_chosen(const ln_linear *linear);

/* Factors K with values[k] at pattern position k. A sparse refactorisation keeps its pivots while
 * they are good (growth is checked), else pivots anew. The very values of the last factorisation
 * leave it as it is, and are not counted. LN_SINGULAR: an entry is not finite, or a pivot is zero
 * or what rounding left of zero, in whatever units rows and columns are; ln_linear_null() then
 * tells more, and solving is not allowed. */
ln_factored ln_linear_factor(ln_linear *linear, const double *values);
/* Where values may be written for the next ln_linear_factor(), which then copies none of them. They
 * are the caller's until that has succeeded; the next matrix needs a new call of this. */
double *ln_linear_room(ln_linear *linear);
/* Solves in place: b (n values) becomes x. Allocates nothing. */
void ln_linear_solve(ln_linear *linear, double *b);
/* The same, for what only looks on: how often it is asked changes no digit of what others get, and
 * it is not counted. */
void ln_linear_solve_aside(const ln_linear *linear, double *b);
/* Solves K' x = b in place. */
void ln_linear_solve_transposed(ln_linear *linear, double *b);

/* Diagnosis of a singular matrix, only on failure: a basis of the null space as dense vectors,
 * right (unknowns left undetermined) and left (equations that depend on each other), each scaled to
 * largest entry 1 and with an entry of its own, so that separate causes come out as separate
 * vectors. Returns the number of vectors (at most `most`), columns of right and left (n x most,
 * column-major, caller's), 0 also where an entry is not finite; -1 when memory is short. `values`
 * as for ln_linear_factor. */
int ln_linear_null(const ln_pattern *pattern, const double *values, int most, double *right,
                   double *left);

/* Counts since creation: factorisations with new pivots, refactorisations, solves; entries of L+U;
 * multiplications of a factorisation, by its pattern. */
typedef struct ln_linear_counts {
    long factored, refactored, solved;
    long fill;
    double products;
} ln_linear_counts;
ln_linear_counts ln_linear_count(const ln_linear *linear);

/* Independent rows of a small dense matrix (rows x cols, column-major, destroyed) by QR with
 * pivoting of its transpose (LAPACKE dgeqp3). order: rows values, a permutation of the row numbers;
 * the first r rows in it are independent, and each other row order[r + k] is sum_i
 * dependence[i*(rows - r) + k] * row order[i]. dependence: room for rows*rows values. Diagonal
 * entries of R below tolerance times the first count as zero. Returns r, or -1 when memory is
 * short. */
int ln_dense_row_basis(int rows, int cols, double *matrix, double tolerance, int *order,
                       double *dependence);

/* The shortest x among those that make |A x - b| least (rows x cols, column-major, destroyed), by
 * singular values (LAPACKE dgelsd); those below tolerance times the largest count as zero. b:
 * max(rows, cols) values, its first cols become x. Returns the rank, or -1: memory is short, or no
 * singular values were found. */
int ln_dense_least_squares(int rows, int cols, double *A, double tolerance, double *b);

/* A_ij (n x n, column by column) becomes A_ij scale_j / scale_i with rows and columns of like size,
 * by powers of two (LAPACKE dgebal); scale: n values. */
void ln_dense_balance(int n, double *A, double *scale);

/* A (n x n, column by column) becomes exp(A). LINNET_FAILED: it is not finite. LINNET_MEMORY.
 * Neither is reported. */
linnet_status ln_dense_exponential(int n, double *A);

#endif
