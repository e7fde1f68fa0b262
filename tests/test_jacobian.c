/* SPDX-License-Identifier: MIT */
/* Over all examples and decks: the matrix of Newton's method is the derivative of what it solves.
 * At a point of no symmetry each column of alpha dq/dx + df/dx is held against differences of alpha
 * q + f; values without derivatives are the same as with them; a second look at a point gives the
 * same again. Rows that time alone changes are among those that are driven. */
#include "system_kit.h"

#include "integrate/dc_solver.h"
#include "reading/open.h"

#include <float.h>
#include <glob.h>

enum { MOST_UNKNOWNS = 150 };
static const double ALPHA = 3;

static int has_value(ln_system *system, ln_side side, const double *x, double *r, double *q) {
    ln_matrix_apply(&system->E, x, q);
    ln_matrix_apply(&system->A, x, r);
    if (ln_system_value(system, &(ln_moment){side, x}, 0, q, r) != LINNET_OK)
        return 0;
    for (int i = 0; i < system->n; i++)
        r[i] += ALPHA * q[i];
    return 1;
}

/* |J| |x| of a row, for its rounding. */
static void find_sizes(const ln_system *system, const double *K, const double *x, double *size) {
    memset(size, 0, (size_t)system->n * sizeof *size);
    for (int j = 0; j < system->n; j++)
        for (int k = system->pattern.start[j]; k < system->pattern.start[j + 1]; k++)
            size[system->pattern.row[k]] += fabs(K[k] * x[j]);
}

static double entry(const ln_system *system, const double *K, int i, int j) {
    const int at = ln_pattern_position(&system->pattern, i, j);
    return at < 0 ? 0 : K[at];
}

typedef struct work {
    double *x, *r, *q, *ahead, *behind, *K, *K_again, *size;
} work;

/* 1: compared; 0: a block has no value there. */
static int compare(const char *path, ln_system *system, ln_side side, work *at) {
    const int n = system->n;
    const size_t entries = (size_t)system->pattern.start[n];
    if (!has_value(system, side, at->x, at->r, at->q))
        return 0;
    /* with derivatives: the same values, twice */
    for (int again = 0; again < 2; again++) {
        ln_matrix_apply(&system->E, at->x, at->q);
        ln_matrix_apply(&system->A, at->x, at->ahead);
        const double rests = again && !system->linear ? ln_rests_within(1e-10) : 0;
        CU_ASSERT(ln_system_eval_within(system, &(ln_moment){side, at->x},
                                        (ln_leeway){LN_LIMIT_OFF, rests}, at->q, at->ahead,
                                        NULL) == LINNET_OK);
        ln_system_jacobian(system, ALPHA, again ? at->K_again : at->K);
        find_sizes(system, at->K, at->x, at->size);
        for (int i = 0; i < n; i++) {
            const double off = fabs(at->ahead[i] + ALPHA * at->q[i] - at->r[i]);
            if (!(off <= 1e-12 * (fabs(at->r[i]) + at->size[i])))
                printf("\n    %s: row %d is off by %g of %g\n", path, i, off, at->r[i]);
            CU_ASSERT(off <= 1e-12 * (fabs(at->r[i]) + at->size[i]));
        }
    }
    for (size_t k = 0; k < entries; k++)
        CU_ASSERT(fabs(at->K[k] - at->K_again[k]) <= 1e-12 * fabs(at->K[k]));
    for (int j = 0; j < n; j++) {
        const double h = 1e-6 * fmax(fabs(at->x[j]), system->nominal[j]), x = at->x[j];
        at->x[j] = x + h;
        int good = has_value(system, side, at->x, at->ahead, at->q);
        at->x[j] = x - h;
        good = good && has_value(system, side, at->x, at->behind, at->q);
        at->x[j] = x;
        for (int i = 0; good && i < n; i++) {
            const double exact = entry(system, at->K, i, j), right = (at->ahead[i] - at->r[i]) / h,
                         left = (at->r[i] - at->behind[i]) / h, middle = (right + left) / 2;
            const double rounding = 16 * DBL_EPSILON * (at->size[i] + fabs(at->r[i])) / h;
            /* beside a kink one side may be the one */
            const double off =
                fmin(fabs(exact - middle), fmin(fabs(exact - left), fabs(exact - right)));
            const double allowed = 1e-4 * fabs(exact) + rounding;
            if (!(off <= allowed))
                printf("\n    %s: d row %d (%s) / d %s is %g, by differences %g\n", path, i,
                       ln_network_unknown_name(system->network, i),
                       ln_network_unknown_name(system->network, j), exact, middle);
            CU_ASSERT(off <= allowed);
        }
    }
    return 1;
}

/* Between two times, all else the same, no other row changes than those by which steps are bounded.
 */
static void look_at_time(const char *path, ln_system *system, work *at) {
    int *rows = calloc((size_t)system->n + 1, sizeof *rows), known = 0;
    const ln_side early = ln_side_right(0.01, 0), late = ln_side_right(0.0137, 0);
    const int count = ln_system_driven_rows(system, rows);
    if (has_value(system, early, at->x, at->r, at->q) &&
        has_value(system, late, at->x, at->ahead, at->q) &&
        ln_system_sources(system, early, at->behind) == LINNET_OK &&
        ln_system_sources(system, late, at->q) == LINNET_OK)
        for (int i = 0; i < system->n; i++) {
            const int moves = at->r[i] != at->ahead[i] || at->behind[i] != at->q[i];
            const int is_known = known < count && rows[known] == i;
            known += is_known;
            if (moves && !is_known)
                printf("\n    %s: row %d is driven and not known\n", path, i);
            CU_ASSERT(!moves || is_known);
        }
    free(rows);
}

/* Points around the typical sizes: near them, then nearer to zero. */
static int look_at(const char *path, ln_system *system) {
    const size_t n = (size_t)system->n, entries = (size_t)system->pattern.start[n];
    double *all = calloc(6 * n + 2 * entries + 1, sizeof *all);
    work at = {all,         all + n,     all + 2 * n,           all + 3 * n,
               all + 4 * n, all + 6 * n, all + 6 * n + entries, all + 5 * n};
    int done_with = 0;
    for (int trial = 0; trial < 3 && !done_with; trial++) {
        static const double sizes[] = {1, 0.3, 0.02};
        for (int i = 0; i < system->n; i++)
            at.x[i] = system->nominal[i] * sizes[trial] * (0.7 + 0.6 * fmod(0.618034 * i, 1));
        done_with = compare(path, system, ln_side_right(0.01, 0), &at);
    }
    look_at_time(path, system, &at);
    free(all);
    return done_with;
}

static void look_at_all(const char *files) {
    const char *srcdir = getenv("srcdir");
    char pattern[1000];
    glob_t found;
    int compared = 0;
    snprintf(pattern, sizeof pattern, "%s/%s", srcdir != NULL ? srcdir : ".", files);
    CU_ASSERT_FATAL(glob(pattern, 0, NULL, &found) == 0);
    for (size_t k = 0; k < found.gl_pathc; k++) {
        bench rig = {.report = ln_report_new(hear, NULL), .arena = ln_arena_new()};
        const char *path = found.gl_pathv[k];
        if (!build_read(ln_model_open(path, NULL, rig.report, &rig.model), &rig))
            continue; /* it needs what is not here: a library, MPI */
        if (rig.system->n <= MOST_UNKNOWNS)
            compared +=
                look_at(path + strlen(path) - (strlen(path) < 40 ? strlen(path) : 40), rig.system);
        done(&rig);
    }
    printf("(%d of %d) ", compared, (int)found.gl_pathc);
    CU_ASSERT(compared > (int)found.gl_pathc * 3 / 4);
    globfree(&found);
}

/* The first row is a row, too. It is the balance of the part that floats on the capacitor, which a
 * conductance that time moves leaves by the other side. */
static void first_row(void) {
    bench rig = built("<block-type name='moved'><port name='p' domain='electrical'/><port name='n' "
                      "domain='electrical'/><equation>p.i = 1 A*(1 + sin(300*t))*sinh((p.v - "
                      "n.v)/(1 V))</equation>"
                      "<equation>n.i = -p.i</equation></block-type>",
                      "<capacitor id='C' p='a' n='b' C='1 mF'/><moved id='x' p='b' n='0'/>"
                      "<resistor id='R' p='a' n='0' R='1 Ohm'/>");
    CU_ASSERT(look_at("first row", rig.system));
    done(&rig);
}

static void examples(void) {
    look_at_all("models/examples/*/*.xml");
}
static void decks(void) {
    look_at_all("tests/spice/*.cir");
}

UNIT_MAIN({"examples", examples}, {"decks", decks}, {"first row", first_row})
