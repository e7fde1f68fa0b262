/* SPDX-License-Identifier: MIT */
/* Eigenvalues of a small matrix in 256 bits: Arb's QR algorithm, on the matrix balanced by powers
 * of two (LAPACK's dgebal). */
#include "linear/spectrum.h"

#include "base/library.h"
#include "linear/lapack.h"

#include <acb_mat.h>
#include <string.h>

enum { BITS = 256 };
/* A value of multiplicity k is right to 2^(-BITS/k): an imaginary part of less than this is none.
 */
static const double REAL = 1e-13;
static const double ALIKE = 1e-6; /* values that are conjugate differ by less than this part */

typedef struct solving {
    int n;
    acb_mat_t F, right, left;
    acb_ptr value;
    double *scale; /* n: F_ij scale_j / scale_i was solved */
} solving;

/* clang-format off */
#define FUNCTIONS(X) \
    X(_acb_vec_clear) X(_acb_vec_init) X(acb_mat_approx_eig_qr) X(acb_mat_approx_inv) \
    X(acb_mat_clear) X(acb_mat_init) X(arb_add) X(arb_clear) X(arb_set_d) X(arf_get_d) \
    X(flint_cleanup)
/* clang-format on */

static struct { FUNCTIONS(LN_LIBRARY_MEMBER) } arb;
static const char *const function_names[] = {FUNCTIONS(LN_LIBRARY_NAME) NULL};
static ln_library library = {.file = LINNET_SONAME_ARB,
                             .package = "libflint-arb2",
                             .what = "eigenvalues in 256 bits",
                             .names = function_names,
                             .members = &arb};

static linnet_status balance(int n, const ln_wide *F, ln_arena *arena, double *scale) {
    double *copy = LN_NEW(arena, double, (size_t)n *(size_t)n);
    lapack_int low, high;
    if (copy == NULL || scale == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < n * n; k++)
        copy[k] = F[k].hi;
    return ln_lapack.LAPACKE_dgebal(LAPACK_COL_MAJOR, 'S', n, copy, n, &low, &high, scale) == 0
               ? LINNET_OK
               : LINNET_FAILED;
}

static void fill(solving *solution, const ln_wide *F) {
    arb_t part;
    arb_init(part);
    for (int j = 0; j < solution->n; j++)
        for (int i = 0; i < solution->n; i++) {
            const ln_wide value = F[j * solution->n + i];
            const double by = solution->scale[j] / solution->scale[i];
            arb_ptr entry = acb_realref(acb_mat_entry(solution->F, i, j));
            arb.arb_set_d(entry, value.hi * by);
            arb.arb_set_d(part, value.lo * by);
            arb.arb_add(entry, entry, part, BITS);
        }
    arb.arb_clear(part);
}

static double complex number(acb_srcptr from) {
    return arb.arf_get_d(arb_midref(acb_realref(from)), ARF_RND_NEAR) +
           I * arb.arf_get_d(arb_midref(acb_imagref(from)), ARF_RND_NEAR);
}

/* Vector k, its largest entry 1. */
static void take_vector(const solving *solution, int k, int is_left, int sign,
                        double complex *out) {
    double complex largest = 0;
    for (int i = 0; i < solution->n; i++) {
        double complex entry =
            is_left ? conj(number(acb_mat_entry(solution->left, k, i))) / solution->scale[i]
                    : number(acb_mat_entry(solution->right, i, k)) * solution->scale[i];
        if (sign < 0)
            entry = conj(entry);
        out[i] = entry;
        if (cabs(entry) > cabs(largest))
            largest = entry;
    }
    for (int i = 0; i < solution->n && largest != 0; i++)
        out[i] = sign == 0 ? creal(out[i] / largest) : out[i] / largest;
}

/* The modes found so far, with their right and left vectors (n each). */
typedef struct modes {
    int count;
    double complex *value, *right, *left;
} modes;

/* sign: -1 takes the conjugate of mode k, 0 what is real of it. */
static void take_mode(const solving *solution, int k, int sign, modes *found) {
    const int place = found->count++;
    const double complex s = number(solution->value + k);
    found->value[place] = sign == 0 ? creal(s) : sign > 0 ? s : conj(s);
    take_vector(solution, k, 0, sign, found->right + (size_t)place * (size_t)solution->n);
    take_vector(solution, k, 1, sign, found->left + (size_t)place * (size_t)solution->n);
}

/* The value that is the conjugate of value k but for rounding, among those that are free; -1: none.
 */
static int partner_of(const solving *solver, const char *taken, int k) {
    const double complex wanted = conj(number(solver->value + k));
    int best = -1;
    double least = ALIKE * cabs(wanted);
    for (int j = 0; j < solver->n; j++) {
        const double complex s = number(solver->value + j);
        if (j == k || taken[j] || cimag(s) * cimag(wanted) <= 0 || cabs(s - wanted) >= least)
            continue;
        least = cabs(s - wanted);
        best = j;
    }
    return best;
}

/* Real values, and of each pair the upper one with its conjugate. One without a partner is real: 0,
 * or one of several equal ones, whose angle means nothing. */
static void collect(const solving *solver, char *taken, modes *found) {
    for (int k = 0; k < solver->n; k++) {
        const double complex s = number(solver->value + k);
        if (taken[k])
            continue;
        const int other = fabs(cimag(s)) <= REAL * cabs(s) ? -1 : partner_of(solver, taken, k);
        const int upper = other >= 0 && cimag(s) < 0 ? other : k;
        taken[k] = 1;
        take_mode(solver, upper, other >= 0 ? 1 : 0, found);
        if (other < 0)
            continue;
        taken[other] = 1;
        take_mode(solver, upper, -1, found);
    }
}

linnet_status ln_spectrum_precise(int n, const ln_wide *F, ln_arena *arena, double complex *value,
                                  double complex *right, double complex *left) {
    solving solution = {.n = n, .scale = LN_NEW(arena, double, n)};
    char *taken = LN_NEW(arena, char, n);
    if (taken == NULL)
        return LINNET_MEMORY;
    LN_TRY(ln_library_load(&library, NULL));
    LN_TRY(balance(n, F, arena, solution.scale));
    arb.acb_mat_init(solution.F, n, n);
    arb.acb_mat_init(solution.right, n, n);
    arb.acb_mat_init(solution.left, n, n);
    solution.value = arb._acb_vec_init(n);
    fill(&solution, F);
    /* The left vectors are the rows of the inverse: those of arb.acb_mat_approx_eig_qr() itself
     * leave a matrix behind in Arb 2.23 at each call. */
    const int converged = arb.acb_mat_approx_eig_qr(solution.value, NULL, solution.right,
                                                    solution.F, NULL, 0, BITS) &&
                          arb.acb_mat_approx_inv(solution.left, solution.right, BITS);
    if (converged)
        collect(&solution, taken, &(modes){0, value, right, left});
    arb._acb_vec_clear(solution.value, n);
    arb.acb_mat_clear(solution.F);
    arb.acb_mat_clear(solution.right);
    arb.acb_mat_clear(solution.left);
    arb.flint_cleanup();
    return converged ? LINNET_OK : LINNET_FAILED;
}
