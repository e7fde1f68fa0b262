/* SPDX-License-Identifier: MIT */
/* Modes at an instant by principal pivots: random linear complementarity problems
 *
 *     w = q + M z,  w >= 0,  z >= 0,  w_i z_i = 0,      as z_i = max(0, z_i - w_i),
 *
 * whose solutions are found by solving for all modes. A P-matrix, of which every principal minor is
 * positive, has one for each q, and the pivots end [Murty 1974]; of another one there may be none
 * or several, what is found is one of them, and nothing is found where there is none. Where
 * commutations lie on the way of a step follows from the laws of the junctions. */
#include "harness.h"
#include "system/commutation.h"
#include "unit.h"

#include <stdlib.h>

enum { MOST = 14, MOST_RANDOM = 8, INSTANTS = 3, ROOM = 30000 };

static unsigned long long state = 20261127;
/* Uniform in -1 to 1 (xorshift64*). */
static double uniform(void) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (double)((state * 2685821657736338717ULL) >> 11) / (double)(1ULL << 52) - 1;
}

typedef struct problem {
    int n;
    double M[MOST][MOST], q[INSTANTS][MOST];
} problem;

/* B B' + D + a skew matrix: positive definite, so a P-matrix, which need not be symmetric. */
static problem draw_p_matrix(int n) {
    problem p = {.n = n};
    double B[MOST][MOST];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            B[i][j] = uniform();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                p.M[i][j] += B[i][k] * B[j][k];
    for (int i = 0; i < n; i++) {
        p.M[i][i] += 0.05;
        for (int j = 0; j < i; j++) {
            const double skew = 2 * uniform();
            p.M[i][j] += skew;
            p.M[j][i] -= skew;
        }
    }
    return p;
}

/* Any matrix with a positive diagonal, so that each conditional by itself has one branch. */
static problem draw_any(int n) {
    problem p = {.n = n};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            p.M[i][j] = i == j ? 0.55 + uniform() / 2 : uniform();
    return p;
}

/* At the start every z is 0; then q is any. */
static void draw_q(problem *p) {
    for (int i = 0; i < p->n; i++) {
        p->q[0][i] = 0.1 + fabs(uniform());
        for (int k = 1; k < INSTANTS; k++)
            p->q[k][i] = uniform();
    }
}

/* ---- all solutions ---- */

/* a x = b by Gauss with pivots, in place; 0: singular. */
static int solve(int n, double a[MOST][MOST], double *b) {
    for (int k = 0; k < n; k++) {
        int most = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[most][k]))
                most = i;
        if (fabs(a[most][k]) < 1e-12)
            return 0;
        for (int j = 0; j < n; j++) {
            const double swap = a[k][j];
            a[k][j] = a[most][j];
            a[most][j] = swap;
        }
        const double swap = b[k];
        b[k] = b[most];
        b[most] = swap;
        for (int i = 0; i < n; i++) {
            if (i == k)
                continue;
            const double part = a[i][k] / a[k][k];
            for (int j = k; j < n; j++)
                a[i][j] -= part * a[k][j];
            b[i] -= part * b[k];
        }
    }
    for (int k = 0; k < n; k++)
        b[k] /= a[k][k];
    return 1;
}

/* z of the modes, a bit for each that is positive; 0: it is no solution. */
static int solve_modes(const problem *p, const double *q, unsigned modes, double *z) {
    int list[MOST], count = 0;
    double a[MOST][MOST], b[MOST];
    for (int i = 0; i < p->n; i++)
        if (modes >> i & 1)
            list[count++] = i;
    for (int i = 0; i < count; i++) {
        b[i] = -q[list[i]];
        for (int j = 0; j < count; j++)
            a[i][j] = p->M[list[i]][list[j]];
    }
    if (!solve(count, a, b))
        return 0;
    memset(z, 0, MOST * sizeof *z);
    for (int i = 0; i < count; i++)
        z[list[i]] = b[i];
    for (int i = 0; i < p->n; i++) {
        double w = q[i];
        for (int j = 0; j < p->n; j++)
            w += p->M[i][j] * z[j];
        if (z[i] < 0 || (!(modes >> i & 1) && w < 0))
            return 0;
    }
    return 1;
}

/* How many solutions there are, and how far the nearest is from `found` (may be NULL). */
static int count_solutions(const problem *p, const double *q, const double *found, double *off) {
    int count = 0;
    *off = INFINITY;
    for (unsigned modes = 0; modes < 1U << p->n; modes++) {
        double z[MOST], most = 0;
        if (!solve_modes(p, q, modes, z))
            continue;
        count++;
        for (int i = 0; found != NULL && i < p->n; i++)
            most = fmax(most, fabs(z[i] - found[i]) / (1 + fabs(z[i])));
        *off = fmin(*off, most);
    }
    return count;
}

/* ---- the same as a model ---- */

static void write_model(const problem *p, char *xml) {
    char *at = xml;
    at += sprintf(at, "<model xmlns='urn:linnet:model:1'><block-type name='lcp'>");
    for (int i = 0; i < p->n; i++)
        at += sprintf(at, "<input name='q%d'/><output name='z%d'/>", i, i);
    for (int i = 0; i < p->n; i++) {
        at += sprintf(at, "<equation>z%d = max(0, z%d - q%d", i, i, i);
        for (int j = 0; j < p->n; j++)
            at += sprintf(at, " - (%.17g)*z%d", p->M[i][j], j);
        at += sprintf(at, ")</equation>");
    }
    at += sprintf(at, "</block-type>");
    for (int i = 0; i < p->n; i++) {
        at += sprintf(at, "<time-table id='s%d' out='q%d' points='", i, i);
        for (int k = 0; k < INSTANTS; k++)
            at += sprintf(at, "%s%d %.17g; %d %.17g", k ? "; " : "", k, p->q[k][i], k + 1,
                          p->q[k][i]);
        at += sprintf(at, "'/>");
    }
    at += sprintf(at, "<lcp id='l'");
    for (int i = 0; i < p->n; i++)
        at += sprintf(at, " q%d='q%d' z%d='z%d'", i, i, i, i);
    sprintf(at, "/></model>");
}

/* Runs it over the instants; returns behind how many of them it stood before it ended. */
static int run_model(const problem *p, harness *h) {
    static char xml[ROOM];
    char signals[MOST * 5] = "";
    for (int i = 0; i < p->n; i++)
        sprintf(signals + strlen(signals), "z%d ", i);
    write_model(p, xml);
    *h = harness_run(xml, signals, "backward-euler", INSTANTS, 0.25);
    int reached = 0;
    while (reached < INSTANTS && !isnan(harness_at(h, 0, reached + 0.5)))
        reached++;
    return reached;
}

static double off_at(const problem *p, const harness *h, int instant, int *solutions) {
    double found[MOST], off;
    for (int i = 0; i < p->n; i++)
        found[i] = harness_at(h, i, instant + 0.5);
    *solutions = count_solutions(p, p->q[instant], found, &off);
    return off;
}

static void p_matrices(void) {
    for (int n = 1; n <= MOST_RANDOM; n++)
        for (int trial = 0; trial < 12; trial++) {
            problem p = draw_p_matrix(n);
            harness h;
            draw_q(&p);
            CU_ASSERT_EQUAL(run_model(&p, &h), INSTANTS);
            CU_ASSERT_EQUAL(h.status, LINNET_OK);
            for (int k = 0; k < INSTANTS; k++) {
                int solutions;
                const double off = off_at(&p, &h, k, &solutions);
                if (!(off < 1e-9) || solutions != 1)
                    printf("\n    n = %d, trial %d, instant %d: off by %g, %d solutions\n", n,
                           trial, k, off, solutions);
                CU_ASSERT(solutions == 1 && off < 1e-9);
            }
            harness_free(&h);
        }
}

/* What is found is a solution; where there is none, no branch holds, and the run ends there. */
static void any_matrices(void) {
    int found = 0, none = 0, missed = 0;
    harness_verbose = 0;
    for (int n = 2; n <= MOST_RANDOM; n++)
        for (int trial = 0; trial < 24; trial++) {
            problem p = draw_any(n);
            harness h;
            int solutions;
            double off;
            draw_q(&p);
            const int reached = run_model(&p, &h);
            for (int k = 1; k < reached; k++, found++)
                CU_ASSERT(off_at(&p, &h, k, &solutions) < 1e-9);
            if (reached < INSTANTS && reached > 0) {
                CU_ASSERT_EQUAL(h.status, LINNET_FAILED);
                solutions = count_solutions(&p, p.q[reached], NULL, &off);
                none += solutions == 0;
                missed += solutions > 0;
            }
            harness_free(&h);
        }
    harness_verbose = 1;
    printf("\n    solved %d, without a solution %d, not found %d ... ", found, none, missed);
    CU_ASSERT(found > 100 && none > 10 && missed == 0);
}

/* Pivots of M = [[2, 2], [2, 1]] go round in circles from z = 0 at q = (-1, -2), where z = (0, 2)
 * is the one solution. Beside it stand M = -1 and q = 1, of which z = 0 and z = 1 are solutions,
 * and `others` conditionals with M = 1 and q = -1: few enough that all are tried, or so many that
 * those are which do not fit. What still holds is not left. */
static problem circles(int others) {
    problem p = {.n = 3 + others};
    const double M[2][2] = {{2, 2}, {2, 1}};
    for (int i = 0; i < p.n; i++) {
        p.M[i][i] = i == 2 ? -1 : 1;
        for (int k = 0; k < INSTANTS; k++)
            p.q[k][i] = i < 3 ? 1 : -1;
    }
    for (int i = 0; i < 2; i++)
        memcpy(p.M[i], M[i], sizeof M[i]);
    for (int k = 1; k < INSTANTS; k++)
        p.q[k][0] = -1, p.q[k][1] = -2;
    return p;
}

static void least_changes(void) {
    for (int others = 0; others <= MOST - 3; others += MOST - 3) {
        const problem p = circles(others);
        harness h;
        CU_ASSERT_EQUAL(run_model(&p, &h), INSTANTS);
        for (int k = 0; k < INSTANTS; k++)
            for (int i = 0; i < p.n; i++)
                CHECK_CLOSE(harness_at(&h, i, k + 0.5), i > 2 ? 1 : i == 1 && k > 0 ? 2 : 0, 1e-12);
        harness_free(&h);
    }
}

/* Two saturating amplifiers that feed each other, without a state. Each solution with one of them
 * between its limits leads on only while |s| rises: where y2 leaves its limit, at s = 8/3 and
 * y1 = -1/3, the solution turns back, and jumps to (1, -1). */
#define LATCH                                                                        \
    "<model xmlns='urn:linnet:model:1'><block-type name='latch'><input name='s'/>"   \
    "<output name='y1'/><output name='y2'/><equation>y1 = max(-1, min(1, s - 3*y2))" \
    "</equation><equation>y2 = max(-1, min(1, -3*y1))</equation></block-type>"       \
    "<time-table id='s' out='s' points='0 -3; 6 3; 12 -3; 18 3'/>"                   \
    "<latch id='l' s='s' y1='y1' y2='y2'/></model>"

static double up(double s) { /* y1 of the branch on which y2 stands at 1 */
    return fmax(-1, s - 3);
}

static void folds(void) {
    static const char *const methods[] = {"radau5", "tr-bdf2", "bdf2", "ida", "rk45"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        const ln_settings settings = {
            .method = ln_method_find(methods[m]), .end = 18, .tolerance = 1e-4, .interval = 0.35};
        harness h = harness_run_with(LATCH, "y1 y2", settings);
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        for (int i = 1; i * 0.35 < 18; i++) {
            const double t = i * 0.35;
            const double s = t < 6 ? t - 3 : t < 12 ? 9 - t : t - 15;
            const int high = (t > 3 + 8. / 3 && t < 9 + 8. / 3) || t > 15 + 8. / 3;
            CHECK_CLOSE(harness_at(&h, 0, t), high ? -up(-s) : up(s), 1e-6);
            CHECK_CLOSE(harness_at(&h, 1, t), high ? -1 : 1, 1e-6);
        }
        harness_free(&h);
    }
}

/* ---- junctions on the way of a step ---- */

static const double IS = 1e-14, VT = 25.85e-3, CARRIES = 1e-4;
#define JUNCTIONS                                                                          \
    "<model xmlns='urn:linnet:model:1'><ground id='gnd' p='0'/>"                           \
    "<resistor id='RA' p='a' n='0' R='1 kOhm'/><resistor id='RB' p='b' n='0' R='1 kOhm'/>" \
    "<resistor id='RC' p='c' n='0' R='1 kOhm'/><diode id='DA' p='a' n='0'/>"               \
    "<diode id='DB' p='0' n='b'/><diode id='DC' p='c' n='a'/></model>"

enum { A, B, C, LINKS };

/* Potentials at the start, and how far they have gone over the whole step; they go as s, or as
 * (2 s^2 + s)/3 where they bend. */
typedef struct way {
    double at[LINKS], gone[LINKS], size;
    int bends, stored[LINKS];
} way;

static double progress(const way *on, double s) {
    return on->bends ? (2 * s * s + s) / 3 : s;
}

static double first_on(const way *on) {
    static const double node[LN_WAY_NODES] = {0.2, 0.6, 1};
    static const char *const names[LINKS] = {"a", "b", "c"};
    double x[ROOM / 1000] = {0}, sizes[ROOM / 1000] = {0}, gone[LN_WAY_NODES][ROOM / 1000] = {{0}};
    char stored[ROOM / 1000] = {0};
    double *const moved[LN_WAY_NODES] = {gone[0], gone[1], gone[2]};
    harness h = harness_built(JUNCTIONS, "", ln_report_new(harness_print, &harness_verbose));
    CU_ASSERT_FATAL(h.status == LINNET_OK && h.system->n <= ROOM / 1000);
    for (int i = 0; i < h.system->n; i++)
        for (int k = 0; k < LINKS; k++)
            if (strcmp(ln_network_unknown_name(h.network, i), names[k]) == 0) {
                x[i] = on->at[k];
                stored[i] = (char)on->stored[k];
                sizes[i] = on->size;
                for (int j = 0; j < LN_WAY_NODES; j++)
                    gone[j][i] = on->gone[k] * progress(on, node[j]);
            }
    const ln_moment here = {ln_side_right(0, 0), x};
    CU_ASSERT(ln_system_eval(h.system, &here, LN_LIMIT_OFF, NULL, NULL, NULL) == LINNET_OK);
    const ln_way line = {h.system, x, node, moved, stored, sizes, CARRIES};
    const double first = ln_system_first_commutation(&line);
    CU_ASSERT_EQUAL(ln_system_has_one_solution(h.system, stored), 1);
    CU_ASSERT_EQUAL(ln_system_may_commutate(h.system, stored), 1);
    memset(stored, 1, sizeof stored);
    CU_ASSERT_EQUAL(ln_system_may_commutate(h.system, stored), 0);
    harness_free(&h);
    return first;
}

/* Where on the way a junction has gone by `by` of `all`. */
static double part_of(const way *on, double by, double all) {
    const double s = by / all;
    return on->bends ? (sqrt(1 + 24 * s) - 1) / 4 : s;
}

/* A conducting junction ends where its tangent's current does, kT/q below; one that blocks begins
 * where it carries a ten thousandth of what flows beside it. The tangent is known to 1e-6 of the
 * part. What lies between stored unknowns does neither. */
static void commutations(void) {
    const double carries = VT * log(CARRIES / IS);
    for (int bends = 0; bends < 2; bends++) {
        /* DA conducts at 0.6 V, and falls; DB blocks, DC sees what a gives */
        way on = {.at = {0.6, 0.1, -1}, .gone = {-0.5, 0, 0}, .size = 1e-3, .bends = bends};
        CHECK_CLOSE(first_on(&on), part_of(&on, VT, 0.5), 2e-6);
        on.stored[A] = 1; /* the other end is the ground */
        CU_ASSERT_EQUAL(first_on(&on), 1);
        /* DB begins to carry where b has fallen far enough below the ground */
        on = (way){.at = {0, 0.3, -1}, .gone = {0, -1.5, 0}, .size = 1, .bends = bends};
        CHECK_CLOSE(first_on(&on), part_of(&on, 0.3 + carries, 1.5), 2e-5);
        on.size = 1e-3; /* less flows beside it */
        CHECK_CLOSE(first_on(&on), part_of(&on, 0.3 + carries - VT * log(1e3), 1.5), 2e-5);
        /* DC, between two nodes, before DB */
        on.size = 1;
        on.gone[C] = 2.7;
        CHECK_CLOSE(first_on(&on), part_of(&on, 1 + carries, 2.7), 2e-5);
        /* nobody goes far enough; one that conducts more and more does not commutate */
        on = (way){.at = {0.6, 0.1, -1}, .gone = {0.05, -0.5, 0.5}, .size = 1, .bends = bends};
        CU_ASSERT_EQUAL(first_on(&on), 1);
    }
}

UNIT_MAIN({"P-matrices", p_matrices}, {"any matrices", any_matrices},
          {"least changes", least_changes}, {"folds", folds}, {"commutations", commutations})
