/* SPDX-License-Identifier: MIT */
/* The equations of `make bench-stiff` as a user of IDA would write them. Definitions and end
 * values: Bari/CWI test set for initial value problem solvers, closed forms (LC, RLC). */
#include "bench/stiff.h"

#include <math.h>
#include <stddef.h>

#define J(row, column) j[(column)*N + (row)]
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* ---- ROBER ---- */
#define N 3
static void rober_start(double *x, double *v) {
    x[0] = 1;
    v[0] = -0.04;
    v[1] = 0.04;
}
static int rober(double t, const double *x, const double *v, double *r) {
    (void)t;
    double r1 = 0.04 * x[0], r2 = 3e7 * x[1] * x[1], r3 = 1e4 * x[1] * x[2];
    r[0] = v[0] + r1 - r3;
    r[1] = v[1] - r1 + r2 + r3;
    r[2] = v[2] - r2;
    return 0;
}
static void rober_jacobian(double t, double c, const double *x, double *j) {
    (void)t;
    J(0, 0) = c + 0.04, J(0, 1) = -1e4 * x[2], J(0, 2) = -1e4 * x[1];
    J(1, 0) = -0.04, J(1, 1) = c + 6e7 * x[1] + 1e4 * x[2], J(1, 2) = 1e4 * x[1];
    J(2, 1) = -6e7 * x[1], J(2, 2) = c;
}
static const scored rober_end[] = {{"r.y1", 0, 0.2083340149701255e-07},
                                   {"r.y2", 1, 0.8333360770334713e-13},
                                   {"r.y3", 2, 0.9999999791665050}};
#undef N

/* ---- HIRES ---- */
#define N 8
static void hires_start(double *x, double *v) {
    x[0] = 1;
    x[7] = 0.0057;
    v[0] = -1.71 + 0.0007;
    v[1] = 1.71;
}
static int hires(double t, const double *x, const double *v, double *r) {
    (void)t;
    double a = 280 * x[5] * x[7] - 1.81 * x[6];
    r[0] = v[0] + 1.71 * x[0] - 0.43 * x[1] - 8.32 * x[2] - 0.0007;
    r[1] = v[1] - 1.71 * x[0] + 8.75 * x[1];
    r[2] = v[2] + 10.03 * x[2] - 0.43 * x[3] - 0.035 * x[4];
    r[3] = v[3] - 8.32 * x[1] - 1.71 * x[2] + 1.12 * x[3];
    r[4] = v[4] + 1.745 * x[4] - 0.43 * (x[5] + x[6]);
    r[5] = v[5] + 280 * x[5] * x[7] - 0.69 * x[3] - 1.71 * x[4] + 0.43 * x[5] - 0.69 * x[6];
    r[6] = v[6] - a;
    r[7] = v[7] + a;
    return 0;
}
static void hires_jacobian(double t, double c, const double *x, double *j) {
    (void)t;
    for (int i = 0; i < N; i++)
        J(i, i) = c;
    J(0, 0) += 1.71, J(0, 1) = -0.43, J(0, 2) = -8.32;
    J(1, 0) = -1.71, J(1, 1) += 8.75;
    J(2, 2) += 10.03, J(2, 3) = -0.43, J(2, 4) = -0.035;
    J(3, 1) = -8.32, J(3, 2) = -1.71, J(3, 3) += 1.12;
    J(4, 4) += 1.745, J(4, 5) = -0.43, J(4, 6) = -0.43;
    J(5, 5) += 280 * x[7] + 0.43, J(5, 7) = 280 * x[5], J(5, 3) = -0.69, J(5, 4) = -1.71,
                                       J(5, 6) = -0.69;
    J(6, 5) = -280 * x[7], J(6, 7) = -280 * x[5], J(6, 6) += 1.81;
    J(7, 5) = 280 * x[7], J(7, 7) += 280 * x[5], J(7, 6) = -1.81;
}
static const scored hires_end[] = {
    {"h.y1", 0, 7.371312573325668e-04}, {"h.y2", 1, 1.442485726316185e-04},
    {"h.y3", 2, 5.888729740967575e-05}, {"h.y4", 3, 1.175651343283149e-03},
    {"h.y5", 4, 2.386356198831330e-03}, {"h.y6", 5, 6.238968252742796e-03},
    {"h.y7", 6, 2.849998395185769e-03}, {"h.y8", 7, 2.850001604814231e-03}};
#undef N

/* ---- VDPOL, scaled and not ---- */
#define N 2
static void pol_start(double *x, double *v) {
    (void)v;
    x[0] = 2;
}
static void pol_scaled_start(double *x, double *v) {
    x[0] = 2;
    v[1] = -2e6;
}
static void pol_plain_start(double *x, double *v) {
    pol_start(x, v);
    v[1] = -2;
}
static int pol_scaled(double t, const double *x, const double *v, double *r) {
    (void)t;
    r[0] = v[0] - x[1];
    r[1] = v[1] - ((1 - x[0] * x[0]) * x[1] - x[0]) / 1e-6;
    return 0;
}
static void pol_scaled_jacobian(double t, double c, const double *x, double *j) {
    (void)t;
    J(0, 0) = c, J(0, 1) = -1;
    J(1, 0) = (2 * x[0] * x[1] + 1) / 1e-6, J(1, 1) = c - (1 - x[0] * x[0]) / 1e-6;
}
static int pol_plain(double t, const double *x, const double *v, double *r) {
    (void)t;
    r[0] = v[0] - x[1];
    r[1] = v[1] - 1000 * (1 - x[0] * x[0]) * x[1] + x[0];
    return 0;
}
static void pol_plain_jacobian(double t, double c, const double *x, double *j) {
    (void)t;
    J(0, 0) = c, J(0, 1) = -1;
    J(1, 0) = 2000 * x[0] * x[1] + 1, J(1, 1) = c - 1000 * (1 - x[0] * x[0]);
}
static const scored pol_scaled_end[] = {{"v.y1", 0, 1.706167732170483},
                                        {"v.y2", 1, -0.8928097010247975}};
static const scored pol_plain_end[] = {{"v.y", 0, 1.706167732170465},
                                       {"v.dy", 1, -0.8928097010248165e-3}};

/* ---- LC and RLC: capacitor's voltage, coil's current; L = 1 mH, C = 1 uF, 1 V ---- */
static void circuit_start(double *x, double *v) {
    (void)x;
    v[1] = 1e3;
}
static int circuit(double resistance, const double *x, const double *v, double *r) {
    r[0] = v[0] - x[1] / 1e-6;
    r[1] = v[1] - (1 - x[0] - resistance * x[1]) / 1e-3;
    return 0;
}
static void circuit_jacobian(double resistance, double c, double *j) {
    J(0, 0) = c, J(0, 1) = -1 / 1e-6;
    J(1, 0) = 1 / 1e-3, J(1, 1) = c + resistance / 1e-3;
}
static int lc(double t, const double *x, const double *v, double *r) {
    return (void)t, circuit(0, x, v, r);
}
static int rings(double t, const double *x, const double *v, double *r) {
    return (void)t, circuit(10, x, v, r);
}
static int creeps(double t, const double *x, const double *v, double *r) {
    return (void)t, circuit(1000, x, v, r);
}
static void lc_jacobian(double t, double c, const double *x, double *j) {
    (void)t, (void)x, circuit_jacobian(0, c, j);
}
static void rings_jacobian(double t, double c, const double *x, double *j) {
    (void)t, (void)x, circuit_jacobian(10, c, j);
}
static void creeps_jacobian(double t, double c, const double *x, double *j) {
    (void)t, (void)x, circuit_jacobian(1000, c, j);
}
static const scored lc_end[] = {{"out", 0, 1.477409638038681}, {"L1.i", 1, 0.02778632824803910}};
static const scored rings_end[] = {{"out", 0, 1.604565789000015},
                                   {"L1.i", 1, 3.708626692986789e-4}};
static const scored creeps_end[] = {{"out", 0, 0.09434577250788569},
                                    {"L1.i", 1, 9.065616975690499e-4}};
#undef N

/* ---- transistor amplifier: M y' = f ---- */
#define N 8
static const double amplifier_c[5] = {1e-6, 2e-6, 3e-6, 4e-6, 5e-6};
static double junction(double v) {
    return 1e-6 * (exp(v / 0.026) - 1);
}
static void amplifier_start(double *x, double *v) {
    static const double x0[] = {0, 3, 3, 6, 3, 3, 6, 0};
    static const double v0[] = {51.338775,   51.338775, -166.6667,    -24.9757667,
                                -24.9757667, -83.33333, -10.00564453, -10.00564453};
    for (int i = 0; i < N; i++)
        x[i] = x0[i], v[i] = v0[i];
}
static int amplifier(double t, const double *y, const double *v, double *r) {
    const double *C = amplifier_c, u = 0.1 * sin(200 * 3.14159265358979323846 * t), a = 0.99,
                 R = 9000;
    double g1 = junction(y[1] - y[2]), g2 = junction(y[4] - y[5]);
    if (!isfinite(g1) || !isfinite(g2))
        return 1;
    r[0] = -C[0] * (v[0] - v[1]) - (y[0] - u) / 1000;
    r[1] = C[0] * (v[0] - v[1]) - (y[1] / R + (y[1] - 6) / R + (1 - a) * g1);
    r[2] = -C[1] * v[2] - (y[2] / R - g1);
    r[3] = -C[2] * (v[3] - v[4]) - ((y[3] - 6) / R + a * g1);
    r[4] = C[2] * (v[3] - v[4]) - (y[4] / R + (y[4] - 6) / R + (1 - a) * g2);
    r[5] = -C[3] * v[5] - (y[5] / R - g2);
    r[6] = -C[4] * (v[6] - v[7]) - ((y[6] - 6) / R + a * g2);
    r[7] = C[4] * (v[6] - v[7]) - y[7] / R;
    return 0;
}
static void amplifier_pair(double c, double capacity, int k, double *j) {
    J(k, k) -= c * capacity, J(k, k + 1) += c * capacity;
    J(k + 1, k) += c * capacity, J(k + 1, k + 1) -= c * capacity;
}
static void amplifier_jacobian(double t, double c, const double *y, double *j) {
    (void)t;
    const double a = 0.99, R = 9000;
    double g1 = 1e-6 / 0.026 * exp((y[1] - y[2]) / 0.026),
           g2 = 1e-6 / 0.026 * exp((y[4] - y[5]) / 0.026);
    J(0, 0) = -1.0 / 1000, J(7, 7) = J(2, 2) = J(3, 3) = J(5, 5) = J(6, 6) = -1 / R,
         J(1, 1) = J(4, 4) = -2 / R;
    J(1, 1) -= (1 - a) * g1, J(1, 2) += (1 - a) * g1, J(2, 1) += g1, J(2, 2) -= g1,
        J(3, 1) -= a * g1, J(3, 2) += a * g1;
    J(4, 4) -= (1 - a) * g2, J(4, 5) += (1 - a) * g2, J(5, 4) += g2, J(5, 5) -= g2,
        J(6, 4) -= a * g2, J(6, 5) += a * g2;
    amplifier_pair(c, amplifier_c[0], 0, j);
    amplifier_pair(c, amplifier_c[2], 3, j);
    amplifier_pair(c, amplifier_c[4], 6, j);
    J(2, 2) -= c * amplifier_c[1], J(5, 5) -= c * amplifier_c[3];
}
static const scored amplifier_end[] = {
    {"y1", 0, -0.5562145012262709e-2}, {"y2", 1, 3.006522471903042}, {"y3", 2, 2.849958788608128},
    {"y4", 3, 2.926422536206241},      {"y5", 4, 2.704617865010554}, {"y6", 5, 2.761837778393145},
    {"y7", 6, 4.770927631616772},      {"y8", 7, 1.236995868091548}};
#undef N

/* ---- chemical Akzo Nobel ---- */
#define N 6
static void akzo_rates(const double *y, double *r) {
    double s = sqrt(y[1]), y1 = y[0], y3 = y[2], y4 = y[3], y5 = y[4], y6 = y[5];
    double r1 = 18.7 * y1 * y1 * y1 * y1 * s, r2 = 0.58 * y3 * y4, r3 = 0.58 / 34.4 * y1 * y5;
    double r4 = 0.09 * y1 * y4 * y4, r5 = 0.42 * y6 * y6 * s;
    r[0] = -2 * r1 + r2 - r3 - r4;
    r[1] = -0.5 * r1 - r4 - 0.5 * r5 + 3.3 * (0.9 / 737 - y[1]);
    r[2] = r1 - r2 + r3;
    r[3] = -r2 + r3 - 2 * r4;
    r[4] = r2 - r3 + r5;
    r[5] = 0;
}
static void akzo_start(double *x, double *v) {
    x[0] = 0.444, x[1] = 0.00123, x[3] = 0.007, x[5] = 115.83 * 0.444 * 0.007;
    akzo_rates(x, v);
    v[5] = 115.83 * (v[0] * x[3] + x[0] * v[3]);
}
static int akzo(double t, const double *y, const double *v, double *r) {
    (void)t;
    if (y[1] < 0)
        return 1;
    akzo_rates(y, r);
    for (int i = 0; i < 5; i++)
        r[i] = v[i] - r[i];
    r[5] = 115.83 * y[0] * y[3] - y[5];
    return 0;
}
static void akzo_jacobian(double t, double c, const double *y, double *j) {
    (void)t;
    double s = sqrt(y[1]), k = 0.58 / 34.4, cube = y[0] * y[0] * y[0];
    double d1[N] = {4 * 18.7 * cube * s, 18.7 * cube * y[0] / (2 * s)},
           d2[N] = {0, 0, 0.58 * y[3], 0.58 * y[2]};
    double d3[N] = {k * y[4], 0, 0, 0, k * y[0]},
           d4[N] = {0.09 * y[3] * y[3], 0, 0, 0.18 * y[0] * y[3]};
    double d5[N] = {0, 0.42 * y[5] * y[5] / (2 * s), 0, 0, 0, 0.84 * y[5] * s};
    for (int i = 0; i < N; i++) {
        J(0, i) = 2 * d1[i] - d2[i] + d3[i] + d4[i];
        J(1, i) = 0.5 * d1[i] + d4[i] + 0.5 * d5[i] + (i == 1 ? 3.3 : 0);
        J(2, i) = -d1[i] + d2[i] - d3[i];
        J(3, i) = d2[i] - d3[i] + 2 * d4[i];
        J(4, i) = -d2[i] + d3[i] - d5[i];
        if (i < 5)
            J(i, i) += c;
    }
    J(5, 0) = 115.83 * y[3], J(5, 3) = 115.83 * y[0], J(5, 5) = -1;
}
static const scored akzo_end[] = {
    {"tank.y1", 0, 0.1150794920661702},    {"tank.y2", 1, 0.1203831471567715e-2},
    {"tank.y3", 2, 0.1611562887407974},    {"tank.y4", 3, 0.3656156421249283e-3},
    {"tank.y5", 4, 0.1708010885264404e-1}, {"tank.y6", 5, 0.4873531310307455e-2}};
#undef N

/* ---- Pleiades: x, y, x', y' of seven bodies ---- */
#define N 28
static void stars_start(double *x, double *v) {
    static const double x0[14] = {3, 3, -1, -3, 2, -2, 2, 3, -3, 2, 0, 0, -4, 4};
    for (int i = 0; i < 14; i++)
        x[i] = x0[i];
    x[19] = 1.75, x[20] = -1.5, x[24] = -1.25, x[25] = 1;
    for (int i = 0; i < 14; i++)
        v[i] = x[14 + i];
}
static int stars(double t, const double *x, const double *v, double *r) {
    (void)t;
    const double *y = x + 7;
    for (int i = 0; i < 14; i++)
        r[i] = v[i] - x[14 + i];
    for (int i = 0; i < 7; i++) {
        double ax = 0, ay = 0;
        for (int k = 0; k < 7; k++) {
            double dx = x[k] - x[i], dy = y[k] - y[i], square = dx * dx + dy * dy,
                   cube = square * sqrt(square);
            if (k == i)
                continue;
            ax += (k + 1) * dx / cube;
            ay += (k + 1) * dy / cube;
        }
        r[14 + i] = v[14 + i] - ax;
        r[21 + i] = v[21 + i] - ay;
    }
    return 0;
}
static const scored stars_end[] = {
    {"s.x[1]", 0, 0.3706139143970502},   {"s.x[2]", 1, 3.237284092057233},
    {"s.x[3]", 2, -3.222559032418324},   {"s.x[4]", 3, 0.6597091455775310},
    {"s.x[5]", 4, 0.3425581707156584},   {"s.x[6]", 5, 1.562172101400631},
    {"s.x[7]", 6, -0.7003092922212495},  {"s.y[1]", 7, -3.943437585517392},
    {"s.y[2]", 8, -3.271380973972550},   {"s.y[3]", 9, 5.225081843456543},
    {"s.y[4]", 10, -2.590612434977470},  {"s.y[5]", 11, 1.198213693392275},
    {"s.y[6]", 12, -0.2429682344935824}, {"s.y[7]", 13, 1.091449240428980}};
#undef N

/* ---- beam: 40 angles and their speeds; the tridiagonal system for w is solved within ---- */
enum { PIECES = 40 };
static void beam_start(double *x, double *v) {
    (void)x, (void)v;
}
/* diag(1, 2, ..., 2, 3), -c[l] between l - 1 and l */
static void solve_beam(const double *c, double *w) {
    double pivot[PIECES];
    pivot[0] = 1;
    for (int l = 1; l < PIECES; l++) {
        pivot[l] = (l == PIECES - 1 ? 3 : 2) - c[l] * c[l] / pivot[l - 1];
        w[l] += c[l] / pivot[l - 1] * w[l - 1];
    }
    w[PIECES - 1] /= pivot[PIECES - 1];
    for (int l = PIECES - 2; l >= 0; l--)
        w[l] = (w[l] + c[l + 1] * w[l + 1]) / pivot[l];
}
static int beam(double t, const double *th, const double *rate, double *r) {
    enum { n = PIECES };
    const double *om = th + n, pi = 3.14159265358979323846, F = t <= pi ? 1.5 * sin(t) * sin(t) : 0;
    double s[n + 1] = {0}, c[n + 1] = {0}, v[n], w[n];
    for (int l = 1; l < n; l++)
        s[l] = sin(th[l] - th[l - 1]), c[l] = cos(th[l] - th[l - 1]);
    for (int l = 0; l < n; l++)
        v[l] = 2560000.0 *
                   ((l > 0 ? th[l - 1] : -th[0]) - 2 * th[l] + (l < n - 1 ? th[l + 1] : th[l])) +
               1600 * F * (cos(th[l]) + sin(th[l]));
    for (int l = 0; l < n; l++)
        w[l] =
            (l > 0 ? -s[l] * v[l - 1] : 0) + (l < n - 1 ? s[l + 1] * v[l + 1] : 0) + om[l] * om[l];
    solve_beam(c, w);
    for (int l = 0; l < n; l++) {
        double a = (l == 0 ? 1 : l == n - 1 ? 3 : 2) * v[l];
        if (l > 0)
            a += -c[l] * v[l - 1] - s[l] * w[l - 1];
        if (l < n - 1)
            a += -c[l + 1] * v[l + 1] + s[l + 1] * w[l + 1];
        r[l] = rate[l] - om[l];
        r[n + l] = rate[n + l] - a;
    }
    return 0;
}
static const scored beam_end[] = {{"b.th[1]", 0, -0.5792366591285007e-2},
                                  {"b.th[2]", 1, -0.1695298550721735e-1},
                                  {"b.th[3]", 2, -0.2769103312973094e-1},
                                  {"b.th[20]", 19, -0.1483595472463012},
                                  {"b.th[30]", 29, -0.1725821847462537}};

const problem problems[] = {
    {"hires",
     "hires",
     "h.y*",
     8,
     321.8122,
     0.01,
     hires_start,
     hires,
     hires_jacobian,
     COUNT(hires_end),
     hires_end,
     {{{3.19, 51, 651, 46, 0.08}, {2.88, 149, 713, 21, 0.11}},
      {{5.97, 132, 1562, 86, 0.20}, {5.50, 293, 1337, 32, 0.22}},
      {{8.40, 385, 4081, 184, 0.51}, {8.52, 610, 2583, 54, 0.44}}}},
    {"vdpol",
     "van-der-pol-scaled",
     "v.y*",
     2,
     2,
     1,
     pol_scaled_start,
     pol_scaled,
     pol_scaled_jacobian,
     COUNT(pol_scaled_end),
     pol_scaled_end,
     {{{5.14, 281, 2559, 251, 0.12}, {4.18, 692, 2731, 92, 0.19}},
      {{8.37, 720, 6602, 588, 0.33}, {6.35, 1522, 5740, 110, 0.42}},
      {{10.18, 2272, 18700, 1716, 0.93}, {10.11, 2755, 10100, 198, 0.79}}}},
    {"vdpolm",
     "van-der-pol",
     "v.y v.dy",
     2,
     2000,
     1,
     pol_plain_start,
     pol_plain,
     pol_plain_jacobian,
     COUNT(pol_plain_end),
     pol_plain_end,
     {{{3.52, 223, 1993, 210, 0.10}, {2.77, 512, 2157, 86, 0.14}},
      {{6.34, 502, 4591, 424, 0.21}, {5.59, 1108, 4142, 101, 0.30}},
      {{7.43, 1538, 12200, 1164, 0.59}, {8.48, 2183, 7819, 167, 0.62}}}},
    {"rober",
     "robertson",
     "r.y*",
     3,
     1e11,
     1e-6,
     rober_start,
     rober,
     rober_jacobian,
     COUNT(rober_end),
     rober_end,
     {{{1.94, 301, 3464, 301, 0.21}, {-14.9, 5943, 26700, 819, 2.26}},
      {{4.87, 585, 6638, 578, 0.39}, {1.65, 8159, 36200, 992, 3.15}},
      {{8.05, 1475, 16100, 1101, 0.94}, {6.22, 16400, 72700, 1885, 6.35}}}},
    {"transamp",
     "transistor-amplifier",
     "y1 y2 y3 y4 y5 y6 y7 y8",
     8,
     0.2,
     1,
     amplifier_start,
     amplifier,
     amplifier_jacobian,
     COUNT(amplifier_end),
     amplifier_end,
     {{{4.39, 712, 10500, 712, 1.68}, {5.59, 1664, 8666, 243, 2.02}},
      {{6.80, 1755, 29800, 1754, 4.71}, {8.91, 3665, 17300, 382, 4.30}},
      {{9.29, 4899, 85900, 4864, 13}, {11.62, 7915, 33300, 580, 8.66}}}},
    {"beam",
     "beam",
     "b.th[*] b.om[*]",
     80,
     5,
     1,
     beam_start,
     beam,
     NULL,
     COUNT(beam_end),
     beam_end,
     {{{2.48, 67, 4198, 65, 22}, {2.46, 205, 2239, 19, 7.04}},
      {{4.97, 280, 12300, 222, 75}, {6.39, 35200, 224000, 1351, 864}},
      {{6.71, 1663, 27200, 864, 274}, {9.21, 35600, 217000, 1246, 822}}}},
    {"lc",
     "lc-50-periods",
     "out L1.i",
     2,
     0.01,
     1e-3,
     circuit_start,
     lc,
     lc_jacobian,
     COUNT(lc_end),
     lc_end,
     {{{3.43, 1231, 5691, 856, 0.32}, {3.43, 1855, 6636, 250, 0.51}},
      {{5.92, 3275, 15000, 1411, 0.81}, {6.59, 3414, 12000, 363, 0.98}},
      {{8.42, 10100, 48400, 2843, 2.47}, {9.52, 6942, 23800, 459, 1.94}}}},
    {"rlcu",
     "rlc-ringing",
     "out L1.i",
     2,
     1e-4,
     1e-3,
     circuit_start,
     rings,
     rings_jacobian,
     COUNT(rings_end),
     rings_end,
     {{{3.64, 16, 75, 13, 0.01}, {4.49, 32, 126, 7, 0.01}},
      {{6.07, 40, 189, 23, 0.01}, {6.76, 57, 220, 10, 0.02}},
      {{8.60, 100, 492, 33, 0.03}, {10.09, 107, 398, 14, 0.03}}}},
    {"rlco",
     "rlc-creeping",
     "out L1.i",
     2,
     1e-4,
     1e-3,
     circuit_start,
     creeps,
     creeps_jacobian,
     COUNT(creeps_end),
     creeps_end,
     {{{9.14, 17, 76, 14, 0.01}, {5.70, 51, 195, 10, 0.01}},
      {{10.39, 40, 186, 25, 0.01}, {11.67, 112, 409, 16, 0.03}},
      {{12.53, 100, 483, 34, 0.03}, {12.11, 206, 742, 25, 0.06}}}},
    {"chemakzo",
     "chemical-akzo",
     "tank.y*",
     6,
     180,
     1,
     akzo_start,
     akzo,
     akzo_jacobian,
     COUNT(akzo_end),
     akzo_end,
     {{{0, 0, 0, 0, 0}, {3.92, 50, 246, 12, 0.03}},
      {{6.25, 43, 570, 43, 0.06}, {6.64, 127, 560, 17, 0.09}},
      {{7.99, 94, 1336, 91, 0.13}, {9.86, 274, 1146, 33, 0.18}}}},
    {"plei",
     "pleiades",
     "s.x[*] s.y[*] s.vx[*] s.vy[*]",
     28,
     3,
     1,
     stars_start,
     stars,
     NULL,
     COUNT(stars_end),
     stars_end,
     {{{2.01, 150, 4742, 150, 2.45}, {0.57, 385, 2919, 55, 1.60}},
      {{4.52, 396, 11200, 343, 5.81}, {3.72, 818, 4883, 75, 3.09}},
      {{7.05, 1235, 13500, 735, 12}, {6.67, 1840, 9841, 133, 6.66}}}},
};
const int nproblems = COUNT(problems);
