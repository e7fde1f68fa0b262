/* SPDX-License-Identifier: MIT */
/* radau5's three stages solved for, apart and as one system, each with its own Jacobian: where
 * Newton's method ends, the stages are those of collocation at Radau's nodes, and it ends
 * quadratically. */
#include "integrate/radau5.h"
#include "system_kit.h"

/* Radau IIA of order 5 [Hairer, Wanner: Solving ODEs II, table IV.5.6] */
static const double root6 = 2.449489742783178;
#define A_ROWS                                                                              \
    {                                                                                       \
        {(88 - 7 * root6) / 360, (296 - 169 * root6) / 1800, (-2 + 3 * root6) / 225},       \
            {(296 + 169 * root6) / 1800, (88 + 7 * root6) / 360, (-2 - 3 * root6) / 225}, { \
            (16 - root6) / 36, (16 + root6) / 36, 1.0 / 9                                   \
        }                                                                                   \
    }

/* q and f - s of all rows at a point */
static void evaluate(ln_system *system, ln_side side, const double *x, double *q, double *f) {
    double *s = calloc((size_t)system->n, sizeof *s);
    CU_ASSERT(ln_system_sources(system, side, s) == LINNET_OK);
    ln_matrix_apply(&system->E, x, q);
    ln_matrix_apply(&system->A, x, f);
    CU_ASSERT(ln_system_value(system, &(ln_moment){side, x}, 0, q, f) == LINNET_OK);
    for (int i = 0; i < system->n; i++)
        f[i] -= s[i];
    free(s);
}

/* z += T (a, b, c), by solving T^-1 z = (a, b, c) [Cramer]. Returns the largest change. */
static double add_update(ln_radau5 *radau, int i) {
    const double t[3][3] = {{ti11, ti12, ti13}, {ti21, ti22, ti23}, {ti31, ti32, ti33}};
    const double r[3] = {radau->stages.real_update[i], radau->complex_update[2 * i],
                         radau->complex_update[2 * i + 1]};
    double largest = 0;
    const double whole = t[0][0] * (t[1][1] * t[2][2] - t[1][2] * t[2][1]) -
                         t[0][1] * (t[1][0] * t[2][2] - t[1][2] * t[2][0]) +
                         t[0][2] * (t[1][0] * t[2][1] - t[1][1] * t[2][0]);
    for (int j = 0; j < 3; j++) {
        double m[3][3];
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++)
                m[k][l] = l == j ? r[k] : t[k][l];
        const double part = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                            m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                            m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
        radau->stages.z[j][i] += part / whole;
        largest = fmax(largest, fabs(part / whole));
    }
    return largest;
}

/* The stages of a step of h from x0. */
static void check_stages(ln_run *run, const double *x0, const ln_radau5 *radau, ln_side side,
                         double h, double within) {
    const double A[3][3] = A_ROWS, c[3] = {(4 - root6) / 10, (4 + root6) / 10, 1};
    const int n = run->n;
    double *all = calloc((size_t)(8 * n), sizeof *all), *q0 = all + 6 * n, *x = all + 7 * n;
    double *q[3], *f[3];
    evaluate(run->system, side, x0, q0, x);
    for (int j = 0; j < 3; j++) {
        q[j] = all + 2 * j * n;
        f[j] = q[j] + n;
        for (int i = 0; i < n; i++)
            x[i] = x0[i] + radau->stages.z[j][i];
        evaluate(run->system, ln_side_at(side, side.t + c[j] * h), x, q[j], f[j]);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++) {
            double moved = 0, size = fabs(q0[i]) + 1e-12; /* 1 nF, 1 mV */
            for (int k = 0; k < 3; k++) {
                moved -= h * A[j][k] * f[k][i];
                size += fabs(h * A[j][k] * f[k][i]);
            }
            const double off =
                run->system->dynamic[i] ? fabs(q[j][i] - q0[i] - moved) / size : fabs(f[j][i]);
            CHECK_CLOSE(off, 0, within);
        }
    free(all);
}

/* Two diodes with charges between a source of 1 kHz and capacitors, at rest. */
typedef struct rig {
    bench bench;
    ln_settings settings;
    ln_watcher watcher;
    ln_statistics statistics;
    ln_run run;
    const ln_stepper_class *class;
    ln_radau5 *radau;
} rig;

static void begin(rig *r, double tolerance, const char *more) {
    char text[1000];
    snprintf(
        text, sizeof text,
        "<sine-voltage id='V' p='a' n='0' amplitude='3' frequency='1 kHz'/><resistor id='R' p='a' "
        "n='b' R='10'/><spice-diode id='D1' p='b' n='c' is='1e-12' cjo='1 nF' tt='1 "
        "us'/><capacitor id='C' p='c' n='0' C='1 uF'/><resistor id='RL' p='c' n='0' "
        "R='1000'/><diode id='D2' p='0' n='b'/>%s",
        more);
    r->bench = built("", text);
    r->settings =
        (ln_settings){.method = ln_method_find("radau5"), .end = 1, .tolerance = tolerance};
    r->watcher = (ln_watcher){.context = NULL};
    ln_run *run = &r->run;
    CU_ASSERT_FATAL(ln_run_init(run, r->bench.system, &r->settings, &r->watcher, r->bench.report,
                                &r->statistics) == LINNET_OK);
    run->adaptive = 1;
    run->bound.longest = INFINITY;
    run->side = ln_side_right(0, 0);
    r->class = ln_stepper_of(r->settings.method);
    r->radau = calloc(1, r->class->size);
    CU_ASSERT_FATAL(r->class->create(run, r->radau) == LINNET_OK);
    ln_choose_error_test(run);
    CU_ASSERT_FATAL(ln_run_restart(run, run->side) == LINNET_OK);
    CU_ASSERT_FATAL(r->class->restart(run, r->radau) == LINNET_OK);
}

static void finish(rig *r) {
    if (r->class->release != NULL)
        r->class->release(r->radau);
    free(r->radau);
    ln_run_free(&r->run);
    done(&r->bench);
}

/* A step of h, a part of the source's period. */
static void solve(double h, const char *more) {
    rig r;
    begin(&r, 1e-6, more);
    ln_run *run = &r.run;
    ln_radau5 *radau = r.radau;
    CU_ASSERT_FATAL(
        ln_radau5_rates(run, run->side, run->x, radau->stages.q_nl_start, radau->rate_at_start));
    radau->h = h;
    for (int j = 0; j < 3; j++)
        memset(radau->stages.z[j], 0, (size_t)run->n * sizeof(double));
    CU_ASSERT_FATAL(ln_radau5_begin_coupled(run, radau));
    double largest = INFINITY, before = INFINITY;
    int updates = 0, limited = 1, was_limited = 1;
    for (; updates < 25 && largest > 1e-13; updates++) {
        before = largest;
        was_limited = limited;
        CU_ASSERT_FATAL(ln_radau5_solve_coupled(run, radau, run->side, &limited));
        largest = 0;
        for (int i = 0; i < run->n; i++)
            largest = fmax(largest, add_update(radau, i));
        /* exp(v/Vt): the next error is half of the square in units of Vt; currents of volts by ohms
         */
        if (!limited && !was_limited && before < 1e-3)
            CU_ASSERT(largest <= 100 * before * before + 1e-13);
    }
    CU_ASSERT(limited == 0 && updates < 20);
    check_stages(run, run->x, radau, run->side, h, 1e-9);
    finish(&r);
}

/* Also where the simplified method solves them: in every accepted step of a run, to what Newton's
 * method may leave, in three iterations a step or so, most steps with the factorisation of another.
 */
static void steps(void) {
    rig r;
    begin(&r, 1e-7, "");
    ln_run *run = &r.run;
    double *before = calloc((size_t)run->n, sizeof *before);
    for (int k = 0; k < 150; k++) {
        const ln_side side = run->side;
        memcpy(before, run->x, (size_t)run->n * sizeof *before);
        CU_ASSERT_FATAL(r.class->advance(run, r.radau, ln_side_right(1, 0)) == LINNET_OK);
        check_stages(run, before, r.radau, side, run->side.t - side.t, 1e-5);
        /* the end of the step is its last stage */
        for (int i = 0; i < run->n; i++)
            CHECK_CLOSE(before[i] + r.radau->stages.z[2][i], run->x[i], 1e-13);
    }
    CU_ASSERT(run->side.t > 1e-3); /* a period and more */
    CU_ASSERT(run->newton.iterations <= 5 * (r.statistics.steps + r.statistics.rejected));
    free(before);
    finish(&r);
}

static void collocation(void) {
    static const double steps[] = {1e-6, 1e-5, 1e-4, 2e-4};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        solve(steps[k], "");
        solve(steps[k],
              "<inductor id='L' p='b' n='d' L='1 mH'/><resistor id='RD' p='d' n='0' R='5'/>");
    }
}

UNIT_MAIN({"collocation", collocation}, {"steps", steps})
