/* SPDX-License-Identifier: MIT */
/* See the header. */
#include "integrate/branch.h"

#include "system/commutation.h"

#include <math.h>
#include <string.h>

/* An unknown may have jumped that moved by so much of its largest value, and so many times as far
 * as over the last two steps. */
static const double FAR = 1e-2, ABRUPT = 2;
/* What is stored for so small a part of a step does not count as stored. */
static const double FAST = 1e-3;
/* Two solutions are the same within so much of what the step moved. */
static const double APART = 0.25;
/* Of equal coefficients. */
static const double ROUNDING = 1e-12;
/* The step is halved so often in the search for the fold. */
enum { HALVINGS = 7 };

/* Does each unknown act on another as that does on it, but for the sign? So do resistors, sources,
 * coils, transformers; not an amplifier, by whose feedback junctions, too, have several solutions.
 * The members of a floating part have other unknowns than rows, and are not looked at. */
static int is_reciprocal(const ln_system *system) {
    const ln_matrix *A = &system->A;
    const ln_pattern *pattern = &A->pattern;
    for (int j = 0; j < pattern->n; j++)
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
            const int i = pattern->row[k], back = ln_pattern_position(pattern, j, i);
            if (system->nparts > 0 &&
                (system->common_unknown[i] >= 0 || system->common_unknown[j] >= 0))
                continue;
            const double here = fabs(A->value[k]), there = back >= 0 ? fabs(A->value[back]) : 0;
            if (fabs(here - there) > ROUNDING * fmax(here, there))
                return 0;
        }
    return 1;
}

linnet_status ln_branch_init(ln_branch *branch, const ln_run *run, const ln_between *between) {
    *branch = (ln_branch){.moved = LN_NEW(run->arena, char, run->n)};
    if (branch->moved == NULL)
        return LINNET_MEMORY;
    /* whatever is stored: that may be next to nothing */
    branch->serves = between->serves && !(ln_system_has_one_solution(run->system, branch->moved) &&
                                          is_reciprocal(run->system));
    if (!branch->serves)
        return LINNET_OK;
    double **vectors[] = {&branch->a, &branch->b, &branch->xa, &branch->xb};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if ((*vectors[k] = LN_NEW(run->arena, double, run->n)) == NULL)
            return LINNET_MEMORY;
    return LINNET_OK;
}

static int is_stored(const ln_run *run, int i) {
    return run->errors.stores && run->errors.in_error_test[i];
}

/* The slope of unknown i over the step that began k + 1 steps before this one. */
static double slope(const ln_between *between, int i, int k) {
    return (between->start[k][i] - between->start[k + 1][i]) / (between->t[k] - between->t[k + 1]);
}

/* How far unknown i may come in a step of h, by its slopes over the last two steps and by how much
 * these differ, as at a turn; 0 where nothing is known of it. */
static double expected(const ln_between *between, int i, double h) {
    if (between->count < 2)
        return 0;
    const double last = slope(between, i, 0);
    if (between->count < LN_STARTS)
        return h * fabs(last);
    const double before = slope(between, i, 1);
    return h * (fmax(fabs(last), fabs(before)) + fabs(last - before));
}

/* Flags what moved far in the last step, and out of proportion to what it did before; not what
 * follows from a derivative, which moves as that does. Told: is some of it stored, and some not? */
static void find_moved(ln_branch *branch, const ln_between *between, const ln_run *run, double h,
                       int any[2]) {
    any[0] = any[1] = 0;
    for (int i = 0; i < run->n; i++) {
        const double moved = fabs(run->x[i] - between->start[0][i]);
        branch->moved[i] = (run->index == NULL || run->index[i] == 1) &&
                           moved > FAR * (run->errors.peak[i] + run->system->abstol[i] / 1e-4) &&
                           moved > ABRUPT * expected(between, i, h);
        any[is_stored(run, i)] |= branch->moved[i];
    }
}

/* What is stored for a time so short against the step does not hold what may jump: what a
 * transistor without charge has. Of what moved other that is stored stays out. How many are left.
 */
static int keep_fast(ln_branch *branch, ln_between *between, const ln_run *run, double h) {
    const ln_pattern *pattern = &run->system->pattern;
    double *stored = branch->xa, *values = between->values;
    int count = 0;
    ln_system_mass_matrix(run->system, values);
    for (int i = 0; i < run->n; i++) {
        const int at =
            branch->moved[i] && is_stored(run, i) ? ln_pattern_position(pattern, i, i) : -1;
        stored[i] = at >= 0 ? values[at] : 0;
    }
    ln_system_jacobian(run->system, 0, values);
    for (int i = 0; i < run->n; i++) {
        if (branch->moved[i] && is_stored(run, i)) {
            const int at = ln_pattern_position(pattern, i, i);
            branch->moved[i] = at >= 0 && fabs(stored[i]) < FAST * h * fabs(values[at]);
        }
        count += branch->moved[i];
    }
    return count;
}

/* Flags what may have jumped; 0: nothing may. */
static int may_have_jumped(ln_branch *branch, ln_between *between, const ln_run *run, double h) {
    int any[2];
    find_moved(branch, between, run, h, any);
    return any[1] ? keep_fast(branch, between, run, h) > 0 : any[0];
}

/* The last step, which is looked at. */
typedef struct branch_look {
    const ln_branch *branch;
    ln_between *between;
    ln_run *run;
    double h;
} branch_look;

/* How far x and y are apart, as parts of what the step moved: the most. */
static double apart(const branch_look *at, const double *x, const double *y) {
    const double *start = at->between->start[0], *end = at->run->x;
    double most = 0;
    for (int i = 0; i < at->run->n; i++)
        if (at->branch->moved[i])
            most = fmax(most, fabs(x[i] - y[i]) / fabs(end[i] - start[i]));
    return most;
}

/* Is x nearer to a than to b, in the mean over what moved? */
static int is_nearer(const branch_look *at, const double *x) {
    const ln_branch *branch = at->branch;
    double closer = 0;
    for (int i = 0; i < at->run->n; i++) {
        const double gap = branch->b[i] - branch->a[i];
        if (branch->moved[i] && fabs(gap) > 0)
            closer += 1 - 2 * (x[i] - branch->a[i]) / gap;
    }
    return closer > 0;
}

/* x at the part s of the step becomes the solution that Newton's method finds from there. */
static int solve(const branch_look *at, double s, double *x) {
    ln_run *run = at->run;
    return ln_between_solve_from(at->between, run,
                                 ln_side_at(run->side, run->side.t - (1 - s) * at->h), at->h, x);
}

/* The same, into x from `from`. */
static int solve_from(const branch_look *at, double s, const double *from, double *x) {
    memcpy(x, from, (size_t)at->run->n * sizeof *x);
    return solve(at, s, x);
}

/* Are there two solutions at the part s of the step, xa and xb? Newton's method ends at an update
 * that is small, which says nothing where a function bends within its tolerance (an angle at its
 * origin): so it goes on from both. */
static int are_two(const branch_look *at, double s) {
    double *xa = at->branch->xa, *xb = at->branch->xb;
    return apart(at, xa, xb) > APART && solve(at, s, xa) && solve(at, s, xb) &&
           apart(at, xa, xb) > APART;
}

/* Is there, at the part s of the step, another solution beside a, to which b belongs? Where the
 * step began what is stored is known. */
static int are_two_from(const branch_look *at, double s) {
    const ln_branch *branch = at->branch;
    for (int i = 0; i < at->run->n; i++) {
        const int known = !(s > 0) && is_stored(at->run, i) && !branch->moved[i];
        branch->xa[i] = branch->a[i];
        branch->xb[i] = known ? branch->a[i] : branch->b[i];
    }
    return solve(at, s, branch->xb) && are_two(at, s);
}

/* What is found at the part s of the step, xa, between a and b, the solutions before and behind it.
 */
typedef enum ln_found { FOUND_NONE, FOUND_BEFORE, FOUND_BEHIND, FOUND_TWO } ln_found;

/* From b it is not looked for where a leads there. */
static ln_found look_at(const branch_look *at, double s) {
    const ln_branch *branch = at->branch;
    const int from_a = solve_from(at, s, branch->a, branch->xa);
    if (from_a && apart(at, branch->xa, branch->b) <= APART)
        return FOUND_BEHIND;
    const int from_b = solve_from(at, s, branch->b, branch->xb);
    if (from_a && from_b && are_two(at, s))
        return FOUND_TWO;
    if (!from_a && !from_b)
        return FOUND_NONE;
    if (!from_a)
        memcpy(branch->xa, branch->xb, (size_t)at->run->n * sizeof *branch->xa);
    return is_nearer(at, branch->xa) ? FOUND_BEFORE : FOUND_BEHIND;
}

int ln_branch_has_jumped(ln_branch *branch, ln_between *between, ln_run *run, double h,
                         double *stays) {
    const branch_look at = {branch, between, run, h};
    const size_t bytes = (size_t)run->n * sizeof(double);
    double begin = 0, end = 1; /* parts of the step: of a and b */
    int two = 0;
    if (!may_have_jumped(branch, between, run, h))
        return 0;
    memcpy(branch->a, between->start[0], bytes);
    memcpy(branch->b, run->x, bytes);
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = (begin + end) / 2;
        if (!two && apart(&at, branch->a, branch->b) <= APART)
            return 0;
        const ln_found found = look_at(&at, middle);
        if (found == FOUND_NONE)
            break;
        two |= found == FOUND_TWO;
        *(found == FOUND_BEHIND ? &end : &begin) = middle;
        memcpy(found == FOUND_BEHIND ? branch->b : branch->a, branch->xa, bytes);
    }
    *stays = begin * h;
    return two || are_two_from(&at, begin);
}
