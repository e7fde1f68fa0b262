/* SPDX-License-Identifier: MIT */
/* The judge of convergence: rates, and the noise of a residual. And runs that a wrong verdict sends
 * astray: a step is accepted only where its end meets the equations by its own Jacobian. */
#include "harness.h"
#include "system_kit.h"

#include "integrate/newton.h"
#include "linear/convergence.h"

#include <float.h>

/* Updates 1, r, r^2, ... times `first`: what remains behind the last is first r^n/(1 - r). */
static void test_rate(void) {
    ln_convergence judge;
    ln_verdict verdict = LN_GOES_ON;
    CU_ASSERT_EQUAL(ln_convergence_init(&judge, NULL, 0), LINNET_OK);
    ln_convergence_begin(&judge, ln_convergence_worst);
    double norm = 1e4;
    int updates = 0;
    for (; verdict == LN_GOES_ON && updates < 20; updates++, norm /= 4)
        verdict = ln_convergence_judge(&judge, norm);
    CU_ASSERT_EQUAL(verdict, LN_CONVERGED);
    CU_ASSERT_EQUAL(updates, 7); /* 1e4/4^6/3 = 0.81, and 3.3 one before */
    CHECK_CLOSE(judge.rate, 0.25, 1e-15);
    CHECK_CLOSE(ln_convergence_expected(&judge, 2), 1e4 / pow(4, 8) / 3, 1e-12);
}

/* A first update says nothing by itself of a K from elsewhere, and is the last of a linear one. */
static void test_first_update(void) {
    ln_convergence judge;
    CU_ASSERT_EQUAL(ln_convergence_init(&judge, NULL, 0), LINNET_OK);
    ln_convergence_begin(&judge, ln_convergence_worst);
    CU_ASSERT_EQUAL(ln_convergence_judge(&judge, 1), LN_GOES_ON);
    CU_ASSERT_EQUAL(ln_convergence_judge(&judge, 0.99), LN_STALLS);
    CU_ASSERT_EQUAL(ln_convergence_judge(&judge, 3), LN_RUNS_AWAY);
    CU_ASSERT_EQUAL(ln_convergence_judge(&judge, NAN), LN_RUNS_AWAY);
    ln_convergence_begin(&judge, 0);
    CU_ASSERT_EQUAL(ln_convergence_judge(&judge, 1e9), LN_CONVERGED);
}

/* Newton's method on x^2 = 2: the updates give omega/2 (half_omega), 1/(2 x), and that tells what
 * the first update of the next solution leaves; but not on a way ten times as long. */
static void test_quadratic(void) {
    ln_convergence judge;
    CU_ASSERT_EQUAL(ln_convergence_init(&judge, NULL, 0), LINNET_OK);
    ln_convergence_begin(&judge, 1);
    const double unit = 1e-7;
    double x = 1.42;
    ln_verdict verdict = LN_GOES_ON;
    for (int k = 0; verdict == LN_GOES_ON && k < 5; k++) {
        const double dx = (x * x - 2) / (2 * x);
        verdict = ln_convergence_judge_quadratic(&judge, fabs(dx) / unit, fabs(dx));
        x -= dx;
    }
    CU_ASSERT_EQUAL(verdict, LN_CONVERGED);
    CU_ASSERT_EQUAL(judge.updates, 2);
    CHECK_CLOSE(judge.half_omega, 1 / (2 * sqrt(2)), 1e-2);
    ln_convergence_begin(&judge, 1);
    CU_ASSERT_EQUAL(ln_convergence_judge_quadratic(&judge, 1e-4 / unit, 1e-4), LN_CONVERGED);
    ln_convergence_begin(&judge, 1);
    CU_ASSERT_EQUAL(ln_convergence_judge_quadratic(&judge, 1e-3 / unit, 1e-3), LN_GOES_ON);
    ln_convergence_begin(&judge, 1);
    CU_ASSERT_EQUAL(ln_convergence_judge_quadratic(&judge, 2, 0.06), LN_GOES_ON);
    /* what is not measured is trusted half as much each time */
    int unmeasured = 0;
    for (ln_convergence_begin(&judge, 1);
         ln_convergence_judge_quadratic(&judge, 1e-4 / unit, 1e-4) == LN_CONVERGED;
         ln_convergence_begin(&judge, 1))
        unmeasured++;
    CU_ASSERT(unmeasured > 1 && unmeasured < 10);
}

/* x^2 = 2 with the slope of the point before: asked, where the last update was short, that slope
 * serves again, and what it leaves then is what the judge says; from afar it is not. */
static void test_again(void) {
    ln_convergence judge;
    CU_ASSERT_EQUAL(ln_convergence_init(&judge, NULL, 0), LINNET_OK);
    ln_convergence_begin(&judge, 1);
    ln_convergence_judge_quadratic(&judge, 10, 1e-2);
    CU_ASSERT(!ln_convergence_may_reuse(&judge)); /* omega/2 is not known */
    int served = 0;
    for (double way = 1e-2; way > 1e-6; way /= 1.5) {
        const double unit = 1e-9;
        double x = sqrt(2) + way;
        const double slope = 2 * x, dx = (x * x - 2) / slope;
        ln_convergence_begin(&judge, 1);
        judge.half_omega = judge.half_omega_measured = 1 / (2 * sqrt(2));
        judge.measured_length = 1e-2;
        if (ln_convergence_judge_quadratic(&judge, dx / unit, dx) == LN_CONVERGED)
            break;
        const int serves = ln_convergence_may_reuse(&judge);
        x -= dx;
        const double more = (x * x - 2) / slope;
        const ln_verdict verdict = ln_convergence_judge_reused(&judge, fabs(more) / unit);
        CHECK_CLOSE(judge.half_omega_measured, 1 / (2 * sqrt(2)), 1e-2);
        x -= more;
        const double left = fabs(x - sqrt(2)) / unit;
        CU_ASSERT_EQUAL(verdict, left <= 1 ? LN_CONVERGED : LN_GOES_ON);
        CHECK_CLOSE(judge.norm * judge.remaining, left, 0.1 * left + 1e-6);
        CU_ASSERT(!serves || left <= 0.2);
        served += serves;
    }
    CU_ASSERT(served > 0);
}

/* Iterations of one update between two measurements, of a bend that is 0.4, or as given. */
static int between(ln_convergence *judge, double bend) {
    const double norm = 1000, way = 1e-4;
    for (int count = 0;; count++) {
        ln_convergence_begin(judge, 1);
        if (ln_convergence_judge_quadratic(judge, norm, way) == LN_CONVERGED)
            continue;
        ln_convergence_judge_quadratic(judge, norm * bend * way, bend * way * way);
        return count;
    }
}

/* The more often a bend was found again, the longer it is trusted, until another one is found. */
static void test_trust(void) {
    ln_convergence judge;
    CU_ASSERT_EQUAL(ln_convergence_init(&judge, NULL, 0), LINNET_OK);
    CU_ASSERT_EQUAL(between(&judge, 0.4), 0);
    const int first = between(&judge, 0.4);
    int last = first;
    for (int k = 0; k < 20; k++) {
        const int now = between(&judge, 0.4);
        CU_ASSERT(now >= last);
        last = now;
    }
    CU_ASSERT(last > 5 * first && last < 50);
    CU_ASSERT_EQUAL(between(&judge, 1.6), last);
    CU_ASSERT_EQUAL(between(&judge, 1.6), 2); /* 3.2e-4, 6.4e-4, 1.28e-3 */
    /* what is nearly linear is trusted longer, too, and what bends less than it did is no surprise
     */
    CU_ASSERT_EQUAL(ln_convergence_init(&judge, NULL, 0), LINNET_OK);
    (void)between(&judge, 1e-3);
    const int unknown = between(&judge, 1e-3);
    for (int k = 0; k < 20; k++)
        last = between(&judge, 1e-3);
    CU_ASSERT(last >= 2 * unknown && last < 100);
    const int confirmations = judge.confirmations;
    (void)between(&judge, 0.4); /* as much as a rate is taken to be at least */
    CU_ASSERT_EQUAL(judge.confirmations, 0);
    for (int k = 0; k < 3; k++)
        (void)between(&judge, 0.4 / (1 + 2 * k));
    CU_ASSERT(confirmations > 3 && judge.confirmations == 3);
}

/* Pairs of nodes tied by 1e6 S of which both hang on the ground by 1e-6 S: their difference is
 * known to rounding, what they have in common only to eps 1e6/1e-6 of itself. That must be seen in
 * every pair: probes that differ in their signs alone missed it in one of four. */
static void test_noise(void) {
    enum { PAIRS = 64, N = 2 * PAIRS };
    int start[N + 1], row[2 * N];
    double K[2 * N], x[N];
    for (int j = 0; j < N; j++) {
        start[j] = 2 * j;
        x[j] = 1;
        for (int k = 0; k < 2; k++) {
            row[2 * j + k] = j / 2 * 2 + k;
            K[2 * j + k] = row[2 * j + k] == j ? 1e6 + 1e-6 : -1e6;
        }
    }
    start[N] = 2 * N;
    const ln_pattern pattern = {N, start, row};
    ln_arena *arena = ln_arena_new();
    ln_linear *linear = ln_linear_new(&pattern, LN_LINEAR_SPARSE);
    ln_convergence judge;
    CU_ASSERT_EQUAL(ln_convergence_init(&judge, arena, N), LINNET_OK);
    CU_ASSERT_EQUAL(ln_linear_factor(linear, K), LN_FACTORED);
    ln_add_abs_product(&pattern, K, 1, x, judge.magnitude);
    CHECK_CLOSE(judge.magnitude[0], 2e6, 1);
    ln_convergence_find_noise(&judge, linear);
    for (int i = 0; i < N; i++) {
        CU_ASSERT(ln_convergence_is_noise(&judge, i, 1e12 * DBL_EPSILON));
        CU_ASSERT(!ln_convergence_is_noise(&judge, i, 1e3 * 1e12 * DBL_EPSILON));
    }
    ln_linear_free(linear);
    ln_arena_free(arena);
}

static const ln_side set_side = {0, 0, LN_MODES_FROZEN};

static linnet_status at_rest(ln_equation_set *set, const double *x, int manner, double *r,
                             int *limited) {
    ln_matrix_apply(&set->system->A, x, r);
    const linnet_status status =
        ln_system_eval(set->system, &(ln_moment){set_side, x}, manner, NULL, r, limited);
    for (int i = 0; i < set->system->n; i++)
        r[i] -= set->constant_terms[0][i];
    return status;
}

static void slope_at_rest(ln_equation_set *set, double *values) {
    ln_system_jacobian(set->system, 0, values);
}

/* A diode between two nodes at 155 V that hang on resistors of 10 kOhm, begun with 1.2 V across it:
 * 1e6 A. Each update takes kT/q off, less than what rounding makes of both potentials. */
static void test_hot_junction(void) {
    bench rig = built("", "<voltage-source id='V' p='a' n='0' V='310'/><resistor id='R1' p='a' "
                          "n='p' R='1e4'/><diode id='D' p='p' n='n'/><resistor id='R2' p='n' "
                          "n='0' R='1e4'/>");
    ln_system *system = rig.system;
    double x[8] = {0}, s[8];
    int p = -1, n = -1;
    for (int k = 0; k < rig.network->nlinks; k++) {
        const ln_link *link = &rig.network->links[k];
        p = strcmp(link->name, "p") == 0 ? link->unknown : p;
        n = strcmp(link->name, "n") == 0 ? link->unknown : n;
        if (link->unknown >= 0)
            x[link->unknown] = 310;
    }
    x[p] = 155.6;
    x[n] = 154.4;
    ln_newton newton;
    ln_newton_matrix matrix = {.linear = ln_linear_new(&system->pattern, LN_LINEAR_DENSE)};
    ln_equation_set set = {system, &system->pattern, at_rest, slope_at_rest, 0, {s}, NULL, 0};
    CU_ASSERT_EQUAL(ln_newton_init(&newton, rig.arena, system->n, system->pattern.start[system->n]),
                    LINNET_OK);
    CU_ASSERT_EQUAL(ln_system_sources(system, set_side, s), LINNET_OK);
    CU_ASSERT_EQUAL(
        ln_system_eval(system, &(ln_moment){set_side, x}, LN_LIMIT_OFF, NULL, NULL, NULL),
        LINNET_OK);
    CU_ASSERT_EQUAL(ln_newton_solve(&newton, &set, &matrix, x, 100, 0), LN_NEWTON_CONVERGED);
    CHECK_CLOSE(x[p] + x[n], 310, 1e-9);
    CHECK_CLOSE(x[p] - x[n], 0.0258520 * log(x[n] / 1e4 / 1e-14), 1e-3);
    ln_linear_free(matrix.linear);
    done(&rig);
}

/* A boost converter in discontinuous conduction. The coil's current ends at 7 V/47 uH, in the knee
 * of the diode: a step that left the diode at +0.63 V with -0.69 mA through it, which its Jacobian
 * of 40 S calls 17 uV, threw the switch node to -64 V in the next one. */
static void test_boost(void) {
    static const char *const diodes[] = {"<diode id='D1' p='sw' n='out'/>",
                                         "<spice-diode id='D1' p='sw' n='out' IS='1e-14'/>"};
    static const double tolerances[] = {1e-3, 1e-4, 1e-5};
    for (size_t d = 0; d < 2; d++)
        for (size_t k = 0; k < 3; k++) {
            char xml[800];
            snprintf(xml, sizeof xml,
                     "<model xmlns='urn:linnet:model:1'><ground id='g' p='0'/><voltage-source "
                     "id='V' p='in' n='0' V='5'/><inductor id='L1' p='in' n='sw' L='47 uH'/><pulse "
                     "id='pwm' out='gate' high='1' width='2.9 us' period='5 us'/><ideal-switch "
                     "id='S1' p='sw' n='0' in='gate'/>%s<capacitor id='C1' p='out' n='0' C='100 "
                     "uF'/><resistor id='R' p='out' n='0' R='24'/></model>",
                     diodes[d]);
            harness h = harness_run_with(xml, "sw L1.i",
                                         (ln_settings){.method = ln_method_find("radau5"),
                                                       .end = 2e-3,
                                                       .tolerance = tolerances[k]});
            CU_ASSERT_EQUAL(h.status, LINNET_OK);
            double least = 0, current = 0;
            for (size_t at = 0; at < h.rows; at++) {
                least = fmin(least, h.value[2 * at]);
                current = fmin(current, h.value[2 * at + 1]);
            }
            CHECK_CLOSE(least, 0, 1e-3);
            CHECK_CLOSE(current, 0, 1e-3);
            harness_free(&h);
        }
}

UNIT_MAIN({"rate", test_rate}, {"first update", test_first_update}, {"quadratic", test_quadratic},
          {"again", test_again}, {"trust", test_trust}, {"noise", test_noise},
          {"hot junction", test_hot_junction}, {"boost converter", test_boost})
