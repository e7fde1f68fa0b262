/* SPDX-License-Identifier: MIT */
/* Derivatives of rows with respect to time, along a motion whose series is known: equations are
 * differentiated exactly, native types are sampled: beside a diode, which bends over 26 mV where a
 * sample's distance is 1 mV, to 1e-6. */
#include "system/derivatives.h"
#include "system_kit.h"

/* Taylor coefficients of a function of time at the point. */
enum { TERMS = 6 };
typedef struct series {
    double c[TERMS];
} series;

static series plus(series a, double by, series b) {
    for (int k = 0; k < TERMS; k++)
        a.c[k] += by * b.c[k];
    return a;
}
static series times(series a, series b) {
    series is = {{0}};
    for (int k = 0; k < TERMS; k++)
        for (int j = 0; j <= k; j++)
            is.c[k] += a.c[j] * b.c[k - j];
    return is;
}
static series slope(series a) {
    series is = {{0}};
    for (int k = 0; k + 1 < TERMS; k++)
        is.c[k] = (k + 1) * a.c[k + 1];
    return is;
}
/* y' = a' y */
static series exponential(series a) {
    series is = {{exp(a.c[0])}};
    for (int k = 1; k < TERMS; k++) {
        for (int j = 1; j <= k; j++)
            is.c[k] += j * a.c[j] * is.c[k - j];
        is.c[k] /= k;
    }
    return is;
}
static series sine(double angle, double w) {
    series is;
    double factor = 1;
    for (int k = 0; k < TERMS; factor *= w / ++k)
        is.c[k] = factor * sin(angle + k * 1.57079632679489661923);
    return is;
}
static series constant(double value) {
    return (series){{value}};
}
static double factorial(int k) {
    return k < 2 ? 1 : k * factorial(k - 1);
}

static int unknown_of(const bench *rig, const char *name) {
    for (int i = 0; i < rig->system->n; i++)
        if (strcmp(ln_network_unknown_name(rig->network, i), name) == 0)
            return i;
    CU_FAIL_FATAL("no such unknown");
    return -1;
}

/* The orders 0 to most of all rows, n values each, for the motion of the unknowns; free() it. Each
 * row is asked for its own number of orders, from 0 on: what is not asked for is zero. */
static double *find(const bench *rig, const series *motion, double t, int most, const int *wanted) {
    const int n = rig->system->n;
    double *x = calloc((size_t)(n * (most + 2)), sizeof *x),
           *rows = calloc((size_t)(n * (most + 1)), sizeof *rows);
    ln_derivatives *derivatives = NULL;
    for (int order = 0; order < most + 2; order++)
        for (int i = 0; i < n; i++)
            x[order * n + i] = factorial(order) * motion[i].c[order];
    CU_ASSERT_FATAL(ln_derivatives_new(rig->system, wanted, &derivatives) == LINNET_OK);
    for (int again = 0; again < 2; again++) /* what is kept does not change what comes */
        CU_ASSERT_FATAL(ln_derivatives_find(derivatives, ln_side_right(t, 0), x, rows) ==
                        LINNET_OK);
    ln_derivatives_free(derivatives);
    free(x);
    return rows;
}

/* A row is what its series says, or the same with the other sign (equations may be written either
 * way), in all orders alike. */
static void check_row(const double *rows, int n, int row, int wanted, int most, series is,
                      double within) {
    const double sign = rows[row] * is.c[0] < 0 ? -1 : 1;
    double size = 1;
    for (int order = 0; order <= most; order++) {
        const double expected = factorial(order) * is.c[order];
        size = fmax(size, fabs(expected));
        CHECK_CLOSE(sign * rows[order * n + row] / size, order > wanted ? 0 : expected / size,
                    order > wanted ? 0 : within);
    }
}

static void equations(void) {
    static const char type[] =
        "<block-type name='e'><state name='x' start='1'/><state name='y'/><variable name='w'/>"
        "<equation>der(x) = y*w</equation><equation>der(y) = -x*x + sin(3*t)</equation>"
        "<equation>w = x*y + exp(y) + t*t</equation></block-type>";
    bench rig = built(type, "<e id='e'/>");
    const double t = 0.3;
    const int at[3] = {unknown_of(&rig, "e.x"), unknown_of(&rig, "e.y"), unknown_of(&rig, "e.w")};
    const series x = {{0.5, -1, 2, 0.3, -0.7, 0.1}}, y = {{-0.4, 0.2, 1, -2, 0.5, 0.6}},
                 w = {{2, 3, -0.5, 0.25, 1, -1}}, time = {{t, 1}};
    series motion[8] = {{{0}}};
    CU_ASSERT_FATAL(rig.system->n == 3);
    motion[at[0]] = x, motion[at[1]] = y, motion[at[2]] = w;
    for (int most = 0; most <= 3; most++)
        for (int less = 0; less < 3; less++) {
            int wanted[3] = {most, most, most};
            wanted[at[less]] = most / 2;
            double *rows = find(&rig, motion, t, most, wanted);
            check_row(rows, 3, at[0], wanted[at[0]], most, plus(slope(x), -1, times(y, w)), 1e-14);
            check_row(rows, 3, at[1], wanted[at[1]], most,
                      plus(plus(slope(y), 1, times(x, x)), -1, sine(3 * t, 3)), 1e-14);
            check_row(
                rows, 3, at[2], wanted[at[2]], most,
                plus(plus(plus(w, -1, times(x, y)), -1, exponential(y)), -1, times(time, time)),
                1e-14);
            free(rows);
        }
    done(&rig);
}

/* A diode with a resistor, a capacitor and a source of its own: C b' + (b - a)/R + Is (exp(b/Vt) -
 * 1)
 * + GMIN b = 0, a = 2 sin(w t), and the currents of a. */
static void native_types(void) {
    bench rig =
        built("", "<sine-voltage id='V' p='a' n='0' amplitude='2' frequency='0.5'/><resistor "
                  "id='R' p='a' n='b' R='0.25'/><diode id='D' p='b' n='0' Is='1e-3'/>"
                  "<capacitor id='C' p='b' n='0' C='3'/><inductor id='L' p='a' n='b' "
                  "L='2'/>");
    const double t = 0.3, pi = 3.14159265358979323846;
    const int a = unknown_of(&rig, "a"), b = unknown_of(&rig, "b"), v = unknown_of(&rig, "V.p.i"),
              l = unknown_of(&rig, "L.i");
    const series xa = {{0.2, -0.1, 0.5, 0.2}}, xb = {{0.1, 0.02, -0.03, 0.01}},
                 xv = {{1, 2, 3, -1}}, xl = {{-2, 0.5, 0.25, 1}};
    const int n = rig.system->n;
    series motion[8] = {{{0}}};
    CU_ASSERT_FATAL(n == 4);
    motion[a] = xa, motion[b] = xb, motion[v] = xv, motion[l] = xl;
    const series through_r = plus(constant(0), 4, plus(xa, -1, xb)), vt = constant(1 / 0.02585);
    series node_b = plus(constant(0), 3, slope(xb));
    node_b = plus(node_b, -1, through_r);
    node_b = plus(node_b, -1, xl);
    node_b = plus(node_b, 1e-3, plus(exponential(times(xb, vt)), -1, constant(1)));
    node_b = plus(node_b, 1e-12, xb);
    for (int most = 0; most <= 2; most++) {
        const int wanted[4] = {most, most, most, most};
        double *rows = find(&rig, motion, t, most, wanted);
        check_row(rows, n, b, most, most, node_b, 1e-6);
        check_row(rows, n, a, most, most, plus(plus(through_r, 1, xl), 1, xv), 2e-8);
        check_row(rows, n, v, most, most, plus(xa, -2, sine(pi * t, pi)), 2e-8);
        check_row(rows, n, l, most, most, plus(plus(xa, -1, xb), -2, slope(xl)), 2e-8);
        free(rows);
    }
    /* no more than twice, where the diode is in the row */
    ln_derivatives *derivatives = NULL;
    int wanted[4] = {0};
    wanted[b] = 3;
    CU_ASSERT(ln_derivatives_new(rig.system, wanted, &derivatives) == LINNET_RETRY);
    ln_derivatives_free(derivatives);
    done(&rig);
}

/* A diode that stores TT times its current beside a resistor: d/dt (TT i) + i + (b - a)/R, i = IS
 * (exp(b/Vt) - 1), with the temperature and the constants of SPICE. */
static void native_charges(void) {
    bench rig =
        built("", "<sine-voltage id='V' p='a' n='0' amplitude='2' frequency='0.5'/><resistor "
                  "id='R' p='a' n='b' R='0.25'/><spice-diode id='D' p='b' n='0' IS='1e-3' "
                  "TT='2 s'/>");
    const int a = unknown_of(&rig, "a"), b = unknown_of(&rig, "b"), v = unknown_of(&rig, "V.p.i");
    const series xa = {{0.2, -0.1, 0.5, 0.2}}, xb = {{0.1, 0.02, -0.03, 0.01}};
    const double thermal = 1.38064852e-23 * 300.15 / 1.6021766208e-19;
    series motion[8] = {{{0}}};
    CU_ASSERT_FATAL(rig.system->n == 3);
    motion[a] = xa, motion[b] = xb, motion[v] = (series){{1, 2, 3, -1}};
    const series current =
        times(constant(1e-3), plus(exponential(times(xb, constant(1 / thermal))), -1, constant(1)));
    const series node_b = plus(plus(current, 2, slope(current)), 4, plus(xb, -1, xa));
    for (int most = 0; most <= 2; most++) {
        const int wanted[3] = {most, most, most};
        double *rows = find(&rig, motion, 0.3, most, wanted);
        /* itself by slopes; differences over a millivolt: (0.001/Vt)^4 of the terms, ^2 of q''' */
        check_row(rows, 3, b, most, most, node_b, most == 0 ? 1e-9 : most == 1 ? 1e-5 : 1e-3);
        free(rows);
    }
    done(&rig);
}

UNIT_MAIN({"equations", equations}, {"native types", native_types},
          {"native charges", native_charges})
