/* SPDX-License-Identifier: MIT */
/* Explicit formulas: the order conditions of their tables, of their error estimates and of what
 * they tell within a step [Hairer, Norsett, Wanner, Solving ODEs I, II.2, II.4 and II.6]; a step of
 * them; the norm of an error, and what tells stiffness. */
#include "harness.h"
#include "integrate/runge_kutta.h"
#include "unit.h"

#include "base/arena.h"

/* The sums over a table's stages that the conditions of order up to 5 ask for, with the weights b,
 * and what they are to be: products of abscissas, and of A applied to such products. */
enum { CONDITIONS = 17 };
static const struct {
    int order;
    double wanted;
} conditions[CONDITIONS] = {
    {1, 1},        {2, 1.0 / 2},  {3, 1.0 / 3},  {3, 1.0 / 6},  {4, 1.0 / 4},  {4, 1.0 / 8},
    {4, 1.0 / 12}, {4, 1.0 / 24}, {5, 1.0 / 5},  {5, 1.0 / 10}, {5, 1.0 / 15}, {5, 1.0 / 30},
    {5, 1.0 / 20}, {5, 1.0 / 20}, {5, 1.0 / 40}, {5, 1.0 / 60}, {5, 1.0 / 120}};

typedef struct column {
    double of[LN_MOST_STAGES];
} column;

static column applied(const ln_tableau *tableau, column to) {
    column is = {{0}};
    for (int i = 0; i < tableau->stages; i++)
        for (int j = 0; j < i; j++)
            is.of[i] += tableau->a[i][j] * to.of[j];
    return is;
}
static column product(column a, column b) {
    for (int i = 0; i < LN_MOST_STAGES; i++)
        a.of[i] *= b.of[i];
    return a;
}

static void elementary(const ln_tableau *tableau, column is[CONDITIONS]) {
    column one, c;
    for (int i = 0; i < LN_MOST_STAGES; i++) {
        one.of[i] = i < tableau->stages;
        c.of[i] = tableau->c[i];
    }
    const column c2 = product(c, c), c3 = product(c2, c), ac = applied(tableau, c),
                 ac2 = applied(tableau, c2), aac = applied(tableau, ac);
    const column all[CONDITIONS] = {one,
                                    c,
                                    c2,
                                    ac,
                                    c3,
                                    product(c, ac),
                                    ac2,
                                    aac,
                                    product(c2, c2),
                                    product(c2, ac),
                                    product(c, ac2),
                                    product(c, aac),
                                    product(ac, ac),
                                    applied(tableau, c3),
                                    applied(tableau, product(c, ac)),
                                    applied(tableau, ac2),
                                    applied(tableau, aac)};
    memcpy(is, all, sizeof all);
}

static double weighted(const double *b, column by) {
    double sum = 0;
    for (int i = 0; i < LN_MOST_STAGES; i++)
        sum += b[i] * by.of[i];
    return sum;
}

static const char *const names[] = {"euler", "heun", "rk4", "rk45"};
enum { NAMES = 4 };

static void tables(void) {
    for (int m = 0; m < NAMES; m++) {
        const ln_tableau *tableau = ln_tableau_find(names[m]);
        column is[CONDITIONS];
        CU_ASSERT_FATAL(tableau != NULL);
        elementary(tableau, is);
        for (int i = 0; i < tableau->stages; i++) {
            double sum = 0;
            for (int j = 0; j < i; j++)
                sum += tableau->a[i][j];
            CHECK_CLOSE(sum, tableau->c[i], 1e-14);
        }
        double first_missed = 0;
        for (int k = 0; k < CONDITIONS; k++) {
            const double off = weighted(tableau->b, is[k]) - conditions[k].wanted;
            if (conditions[k].order <= tableau->order)
                CHECK_CLOSE(off, 0, 1e-15);
            else if (conditions[k].order == tableau->order + 1)
                first_missed = fmax(first_missed, fabs(off));
            /* the estimate: between the formula and another one, of order 4 */
            if (tableau->estimates && conditions[k].order < tableau->order)
                CHECK_CLOSE(weighted(tableau->e, is[k]), 0, 1e-15);
        }
        CU_ASSERT(tableau->order == 5 || first_missed > 1e-3); /* the order is no higher */
    }
    CU_ASSERT(ln_tableau_find("radau5") == NULL);
    /* of DOPRI5's pair, by which step sizes are what they are elsewhere */
    CHECK_CLOSE(ln_tableau_find("rk45")->e[6], -1.0 / 40, 0);
}

/* ---- steps ---- */

/* z' = z (3), 2 t, constant 1 */
static linnet_status rates(ln_ode *ode, const ln_side *side, const double *z, double *dz) {
    dz[0] = 3 * z[0];
    dz[1] = 2 * side->t;
    dz[2] = 1;
    ode->evaluations++;
    return LINNET_OK;
}

static void steps(void) {
    for (int m = 0; m < NAMES; m++) {
        ln_ode ode = {.n = 3, .rates = rates};
        ln_arena *arena = ln_arena_new();
        ln_runge_kutta rk;
        const ln_tableau *tableau = ln_tableau_find(names[m]);
        const double h = 0.25, t = 0.5, x = 3 * h;
        CU_ASSERT_FATAL(ln_runge_kutta_init(&rk, arena, tableau, &ode) == LINNET_OK);
        rk.z[0] = 2, rk.z[1] = t * t, rk.z[2] = -1;
        const ln_side side = ln_side_right(t, 0);
        CU_ASSERT(ln_runge_kutta_first(&rk, &side) == LINNET_OK);
        CU_ASSERT(ln_runge_kutta_step(&rk, &side, h) == LINNET_OK);
        double factor = 1, power = 1;
        for (int k = 1; k <= tableau->order; k++)
            factor += power *= x / k;
        if (tableau->order == 5)
            factor += pow(x, 6) / 600; /* of Dormand and Prince's formula */
        CHECK_CLOSE(rk.z1[0], 2 * factor, 1e-15);
        CHECK_CLOSE(rk.z1[1], tableau->order == 1 ? t * t + 2 * t * h : (t + h) * (t + h), 1e-15);
        CHECK_CLOSE(rk.z1[2], -1 + h, 1e-15);
        CU_ASSERT(ode.evaluations == tableau->stages);
        /* the last two stages stand at one time: they differ by h lambda */
        if (tableau->estimates) {
            const double absolute[] = {1e-3, 1e-3, 1e-3};
            int worst = -1;
            CHECK_CLOSE(ln_runge_kutta_stiffness(&rk, h, 1e-3, absolute, &worst), 3 * h, 1e-12);
            CU_ASSERT(worst == 0);
        }
        ln_runge_kutta_accept(&rk);
        CHECK_CLOSE(rk.z[0], 2 * factor, 1e-15);
        CU_ASSERT(!tableau->last_is_first || fabs(rk.k[0][0] - 6 * factor) < 1e-13);
        ln_arena_free(arena);
    }
}

/* Weights of each stage in what is told within a step, by rates of one stage alone. */
static void weights_at(ln_runge_kutta *rk, double theta, double *b) {
    const ln_tableau *tableau = rk->tableau;
    const double h = 0.125;
    for (int s = 0; s < tableau->stages; s++) {
        for (int i = 0; i < tableau->stages; i++)
            rk->k[i][0] = rk->k[i][1] = i == s;
        rk->z[0] = rk->z[1] = 5;
        rk->z1[0] = rk->z1[1] = 5 + h * tableau->b[s];
        ln_runge_kutta_accept(rk);
        double z[2];
        ln_runge_kutta_between(rk, h, theta, z);
        b[s] = (z[1] - 5) / h;
        CHECK_CLOSE(z[0], z[1], 0);
        ln_runge_kutta_accept(rk); /* back */
    }
}

/* b(theta): of order 4 by Dormand and Prince, of order 3 or the formula's by the cubic polynomial.
 */
static void between(void) {
    for (int m = 0; m < NAMES; m++) {
        ln_ode ode = {.n = 2};
        ln_arena *arena = ln_arena_new();
        ln_runge_kutta rk;
        const ln_tableau *tableau = ln_tableau_find(names[m]);
        const int order = tableau->order == 5 ? 4 : tableau->order == 4 ? 3 : tableau->order;
        column is[CONDITIONS];
        elementary(tableau, is);
        CU_ASSERT_FATAL(ln_runge_kutta_init(&rk, arena, tableau, &ode) == LINNET_OK);
        for (double theta = 0; theta <= 1; theta += 0.125) {
            double b[LN_MOST_STAGES] = {0};
            weights_at(&rk, theta, b);
            for (int k = 0; k < CONDITIONS; k++)
                if (conditions[k].order <= order)
                    CHECK_CLOSE(weighted(b, is[k]),
                                conditions[k].wanted * pow(theta, conditions[k].order), 1e-13);
            for (int s = 0; s < tableau->stages && (theta == 0 || theta == 1); s++)
                CHECK_CLOSE(b[s], theta * tableau->b[s], 1e-13);
        }
        ln_arena_free(arena);
    }
}

/* The root mean square of h sum(e k) / (absolute + relative max |z|). */
static void error_norms(void) {
    ln_ode ode = {.n = 3};
    ln_arena *arena = ln_arena_new();
    ln_runge_kutta rk;
    const ln_tableau *tableau = ln_tableau_find("rk45");
    const double absolute[] = {0.25, 0.5, 1};
    int worst;
    CU_ASSERT_FATAL(ln_runge_kutta_init(&rk, arena, tableau, &ode) == LINNET_OK);
    for (int who = 0; who < 3; who++) {
        double sum = 0;
        for (int i = 0; i < 3; i++) {
            rk.z[i] = i == who ? -3 : 1;
            rk.z1[i] = 2;
            for (int s = 0; s < 7; s++)
                rk.k[s][i] = s == 6 ? (i == who ? 40 : -4) : 0;
            const double part =
                (i == who ? 1 : 0.1) * 0.5 / (absolute[i] + 0.125 * (i == who ? 3 : 2));
            sum += part * part;
        }
        CHECK_CLOSE(ln_runge_kutta_error(&rk, 0.5, 0.125, absolute, &worst), sqrt(sum / 3), 1e-14);
        CU_ASSERT(worst == who);
        /* how stiff: sqrt(rates / states) h, in the same units, by the start of the next step */
        double rates = 0, states = 0;
        for (int i = 0; i < 3; i++) {
            const double unit = 1 / (absolute[i] + 0.125 * 2);
            rk.stage[i] = 2 - (i == who ? 0.5 : 0.25);
            rk.k[5][i] = rk.k[6][i] - (i == who ? 7 : 2);
            rates += pow(unit * (i == who ? 7 : 2), 2);
            states += pow(unit * (i == who ? 0.5 : 0.25), 2);
        }
        CHECK_CLOSE(ln_runge_kutta_stiffness(&rk, 0.5, 0.125, absolute, &worst),
                    0.5 * sqrt(rates / states), 1e-14);
        CU_ASSERT(worst == who || who == 2); /* the tolerance of the last is wide */
        for (int i = 0; i < 3; i++)
            rk.stage[i] = 2;
        CU_ASSERT(ln_runge_kutta_stiffness(&rk, 0.5, 0.125, absolute, &worst) == 0);
    }
    rk.k[6][1] = NAN;
    CU_ASSERT(isnan(ln_runge_kutta_error(&rk, 0.5, 0.125, absolute, &worst)));
    ode.n = 0;
    CU_ASSERT(ln_runge_kutta_error(&rk, 0.5, 0.125, absolute, &worst) == 0);
    ln_arena_free(arena);
}

/* ---- runs ---- */

#define ONE_STATE(equation)                                                             \
    "<model xmlns='urn:linnet:model:1'><block-type name='a'><state name='y' start='1' " \
    "absolute='1e-4'/><equation>der(y) = " equation "</equation></block-type><a id='s'/></model>"

/* The first step of rk45: algorithm of II.4, in units of what y may be off. */
static void first_step(void) {
    const double tolerance = 1e-6, unit = tolerance * (1 + 1), f0 = -2, d0 = 1 / unit,
                 d1 = fabs(f0) / unit, h0 = 0.01 * d0 / d1, f1 = -2 * (1 + h0 * f0) + sin(5 * h0),
                 d2 = fabs(f1 - f0) / unit / h0, h1 = pow(0.01 / fmax(d1, d2), 1.0 / 5);
    harness h = harness_run_with(
        ONE_STATE("-2*y + sin(5*t)"), "s.y",
        (ln_settings){.method = ln_method_find("rk45"), .end = 1, .tolerance = tolerance});
    CU_ASSERT_FATAL(h.status == LINNET_OK && h.rows > 2);
    CU_ASSERT(d2 > d1 && h1 < 100 * h0);
    CHECK_CLOSE(h.time[1] / h1, 1, 1e-12);
    harness_free(&h);
}

/* Of fixed steps the first is sampled: its error, by halves, is that of the formula. */
static void sampled_errors(void) {
    for (int m = 0; m < NAMES - 1; m++) {
        const double step = 0.1;
        double factor = 1, power = 1;
        for (int k = 1; k <= ln_tableau_find(names[m])->order; k++)
            factor += power *= -step / k;
        harness h = harness_run_with(
            ONE_STATE("-y"), "s.y",
            (ln_settings){.method = ln_method_find(names[m]), .end = step, .step = step});
        CU_ASSERT_FATAL(h.status == LINNET_OK);
        CHECK_CLOSE(harness_last(&h, 0), factor, 1e-15);
        /* relative to the size so far and its floor, 1 */
        CHECK_CLOSE(h.statistics.local_error / (fabs(factor - exp(-step)) / (factor + 1)), 1, 0.1);
        harness_free(&h);
    }
}

UNIT_MAIN({"tables", tables}, {"steps", steps}, {"between", between}, {"error norms", error_norms},
          {"first step", first_step}, {"sampled errors", sampled_errors})
