/* SPDX-License-Identifier: MIT */
/* Discrete time: every sampled block against its difference equation, computed here, by explicit,
 * implicit and adaptive methods, at a period of its own and on a clock; ticks at exact times;
 * several rates; data that flows within a tick. */
#include "harness.h"
#include "unit.h"

#include <complex.h>
#include <stdlib.h>

#define MODEL(blocks) "<model name='m' xmlns='urn:linnet:model:1'>" blocks "</model>"
static const double pi = 3.14159265358979323846;

static const struct {
    const char *method;
    double step, tolerance;
} runs[] = {{"rk4", 0.03, 0}, {"crank-nicolson", 0.03, 0}, {"radau5", 0, 1e-7}, {"rk45", 0, 1e-7}};
enum { RUNS = sizeof runs / sizeof *runs };

static harness run(const char *xml, const char *signals, size_t k, double end) {
    return harness_run_with(xml, signals,
                            (ln_settings){.method = ln_method_find(runs[k].method),
                                          .end = end,
                                          .step = runs[k].step,
                                          .tolerance = runs[k].tolerance});
}

/* ---- each block ---- */

enum { TICKS = 48 };
static const double T = 0.1, offset = 0.05, frequency = 0.7;
/* y: what a reference computes; y0 = 3 before the first tick where a block has it */
static double u[TICKS], y[TICKS];

static void hold(void) {
    memcpy(y, u, sizeof y);
}
static void delay(void) {
    for (int k = 0; k < TICKS; k++)
        y[k] = k < 1 ? 3 : u[k - 1];
}
static void delay5(void) {
    for (int k = 0; k < TICKS; k++)
        y[k] = k < 5 ? 3 : u[k - 5];
}
static void derivative(void) {
    for (int k = 0; k < TICKS; k++)
        y[k] = k < 1 ? 3 : 2 * (u[k] - u[k - 1]) / T;
}
static void forward(void) {
    for (int k = 0; k < TICKS; k++)
        y[k] = k < 1 ? 3 : y[k - 1] + T * 2 * u[k - 1];
}
static void backward(void) {
    for (int k = 0; k < TICKS; k++)
        y[k] = k < 1 ? 3 : y[k - 1] + T * 2 * u[k];
}
static void trapezoidal(void) {
    for (int k = 0; k < TICKS; k++)
        y[k] = k < 1 ? 3 : y[k - 1] + T * (u[k - 1] + u[k]);
}
static void limited(void) {
    for (int k = 0; k < TICKS; k++)
        y[k] = k < 1 ? 0 : fmin(fmax(y[k - 1] + T * 2 * u[k], -0.05), 0.3);
}
static void fir(void) {
    for (int k = 0; k < TICKS; k++)
        y[k] = 0.5 * u[k] - 0.25 * (k < 1 ? 2 : u[k - 1]) + 0.125 * (k < 2 ? 2 : u[k - 2]);
}
static void mean(void) {
    for (int k = 0; k < TICKS; k++) {
        y[k] = 0;
        for (int i = 0; i < 4 && i <= k; i++)
            y[k] += u[k - i];
        y[k] /= fmin(4, k + 1);
    }
}
/* (2 z + 1)/(4 z^2 - 2 z + 0.5): 4 y(k) = 2 y(k-1) - 0.5 y(k-2) + 2 u(k-1) + u(k-2) */
static void transfer(void) {
    for (int k = 0; k < TICKS; k++)
        y[k] = (2 * (k < 1 ? 0 : y[k - 1]) - 0.5 * (k < 2 ? 0 : y[k - 2]) +
                2 * (k < 1 ? 0 : u[k - 1]) + (k < 2 ? 0 : u[k - 2])) /
               4;
}
static void transfer_direct(void) { /* (z^2 - 1)/(z^2 - 0.5 z + 0.25) from s1 = 0.5, s2 = -1 */
    double s1 = 0.5, s2 = -1;
    for (int k = 0; k < TICKS; k++) {
        y[k] = u[k] + s1;
        s1 = 0.5 * y[k] + s2;
        s2 = -u[k] - 0.25 * y[k];
    }
}
static void space(void) {
    double x1 = 1, x2 = -1;
    for (int k = 0; k < TICKS; k++) {
        double n1 = 0.5 * x1 + 0.2 * x2 + u[k], n2 = -0.3 * x1 + 0.8 * x2 + 0.5 * u[k];
        y[k] = x1 + 2 * x2 + 0.1 * u[k];
        x1 = n1, x2 = n2;
    }
}
static void section(const double c[6], double *signal) {
    double s1 = 0, s2 = 0;
    for (int k = 0; k < TICKS; k++) {
        double in = signal[k], out = (c[0] * in + s1) / c[3];
        s1 = c[1] * in - c[4] * out + s2;
        s2 = c[2] * in - c[5] * out;
        signal[k] = out;
    }
}
static void sections(void) {
    memcpy(y, u, sizeof y);
    section((const double[]){0.2, 0.4, 0.1, 2, -1, 0.5}, y);
    section((const double[]){1, -1, 0.5, 1, 0.3, 0.2}, y);
    for (int k = 0; k < TICKS; k++)
        y[k] *= 3;
}
/* zeros -1, 0.2+-0.4i, poles 0.5+-0.3i, -0.4, gain 2 */
static void roots(void) {
    memcpy(y, u, sizeof y);
    section((const double[]){1, -0.4, 0.2, 1, -1, 0.34}, y);
    section((const double[]){1, 1, 0, 1, 0.4, 0}, y);
    for (int k = 0; k < TICKS; k++)
        y[k] *= 2;
}
static void pid(void) { /* kp 2, ki 3, kd 0.1, Tf 0.05, within -1 and 1, kb 1.5 */
    double i = 0.25, rate = 0, d = 0;
    for (int k = 0; k < TICKS; k++) {
        if (k > 0)
            i += rate * T, d = (0.05 * d + 0.1 * (u[k] - u[k - 1])) / (0.05 + T);
        double free = 2 * u[k] + i + d;
        y[k] = fmin(fmax(free, -1), 1);
        rate = 3 * u[k] + 1.5 * (y[k] - free);
    }
}
static void rising(void) {
    for (int k = 0; k < TICKS; k++)
        y[k] = k > 0 && u[k] > 0.2 && u[k - 1] <= 0.2;
}
static void falling(void) {
    for (int k = 0; k < TICKS; k++)
        y[k] = k > 0 && u[k] <= 0.2 && u[k - 1] > 0.2;
}

static const struct {
    const char *block, *signal;
    void (*reference)(void);
    double before;
} blocks[] = {
    {"<zero-order-hold id='b' in='u' y0='3' %s/>", "b.out", hold, 3},
    {"<first-order-hold-extrapolating id='b' in='u' y0='3' %s/>", "b.out", hold, 3},
    {"<first-order-hold-interpolating id='b' in='u' y0='3' %s/>", "b.out", delay, 3},
    {"<unit-delay id='b' in='u' y0='3' %s/>", "b.out", delay, 3},
    {"<sample-delay id='b' in='u' y0='3' n='5' %s/>", "b.out", delay5, 3},
    {"<sample-delay id='b' in='u' y0='3' n='1' %s/>", "b.out", delay, 3},
    {"<discrete-derivative id='b' in='u' y0='3' k='2' %s/>", "b.out", derivative, 3},
    {"<discrete-integrator id='b' in='u' y0='3' k='2' %s/>", "b.out", forward, 3},
    {"<discrete-integrator id='b' in='u' y0='3' k='2' method='backward' %s/>", "b.out", backward,
     3},
    {"<discrete-integrator id='b' in='u' y0='3' k='2' method='trapezoidal' %s/>", "b.out",
     trapezoidal, 3},
    {"<discrete-integrator id='b' in='u' k='2' method='backward' min='-0.05' max='0.3' %s/>",
     "b.out", limited, 0},
    {"<fir-filter id='b' in='u' y0='3' x0='2' coefficients='0.5 -0.25 0.125' %s/>", "b.out", fir,
     3},
    {"<moving-average id='b' in='u' y0='3' n='4' %s/>", "b.out", mean, 3},
    {"<discrete-transfer-function id='b' in='u' y0='3' numerator='0 2 1' denominator='4 -2 0.5' "
     "%s/>",
     "b.out", transfer, 3},
    {"<discrete-transfer-function id='b' in='u' y0='3' numerator='1 0 -1' denominator='1 -0.5 "
     "0.25' s0='0.5 -1' %s/>",
     "b.out", transfer_direct, 3},
    {"<discrete-state-space id='b' in='u' out='y' A='0.5 0.2; -0.3 0.8' B='1; 0.5' C='1 2' D='0.1' "
     "x0='1 -1' %s/>",
     "y", space, 0},
    {"<iir-filter id='b' in='u' sos='0.2 0.4 0.1 2 -1 0.5; 1 -1 0.5 1 0.3 0.2' gain='3' %s/>",
     "b.out", sections, 0},
    {"<iir-filter id='b' in='u' zeros='-1 0.2+0.4i 0.2-0.4i' poles='-0.4 0.5+0.3i 0.5-0.3i' "
     "gain='2' %s/>",
     "b.out", roots, 0},
    {"<discrete-pid id='b' in='u' y0='0.5' kp='2' ki='3' kd='0.1' Tf='0.05 s' min='-1' max='1' "
     "i0='0.25' %s/>",
     "b.out", pid, 0.5},
    {"<edge-detector id='b' in='u' threshold='0.2' %s/>", "b.rising", rising, 0},
    {"<edge-detector id='b' in='u' threshold='0.2' %s/>", "b.falling", falling, 0},
};

static void check_block(size_t b, size_t r, const char *when) {
    char block[256], xml[768];
    snprintf(block, sizeof block, blocks[b].block, when);
    snprintf(xml, sizeof xml,
             MODEL("<sine id='s' out='u' frequency='0.7 Hz'/>"
                   "<clock id='c' out='tick' period='0.1 s' offset='0.05 s'/>%s"),
             block);
    harness h = run(xml, blocks[b].signal, r, 4.8);
    CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
    double worst = fabs(h.value[0] - blocks[b].before);
    for (int k = 0; k < TICKS; k++)
        worst = fmax(worst, fabs(harness_at(&h, 0, offset + k * T) - y[k]));
    if (!(worst < 1e-11))
        printf("\n    %s by %s: %.3g\n", block, runs[r].method, worst);
    CU_ASSERT(worst < 1e-11);
    harness_free(&h);
}

static void test_blocks(void) {
    for (int k = 0; k < TICKS; k++)
        u[k] = sin(2 * pi * frequency * (offset + k * T));
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
        blocks[b].reference();
        for (size_t r = 0; r < RUNS; r++) {
            check_block(b, r, "period='0.1 s' offset='0.05 s'");
            check_block(b, r, "clock='tick'");
        }
    }
}

/* Between the ticks a hold stands or runs along a line. */
static void test_holds(void) {
    static const char xml[] =
        MODEL("<sine id='s' out='u' frequency='0.7 Hz'/>"
              "<zero-order-hold id='z' in='u' period='0.1 s'/><first-order-hold-extrapolating "
              "id='e' in='u' period='0.1 s'/>"
              "<first-order-hold-interpolating id='i' in='u' period='0.1 s'/>");
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(xml, "z.out e.out i.out", r, 2);
        for (size_t row = 0; row + 1 < h.rows; row++) {
            int k = (int)floor(h.time[row] / T + 1e-9);
            double s = h.time[row] - k * T, a = sin(2 * pi * 0.7 * (k - 1) * T),
                   b = sin(2 * pi * 0.7 * k * T);
            if (k == 0)
                continue;
            CHECK_CLOSE(h.value[3 * row], b, 1e-12);
            CHECK_CLOSE(h.value[3 * row + 1], b + s * (b - a) / T, 1e-12);
            CHECK_CLOSE(h.value[3 * row + 2], a + s * (b - a) / T, 1e-12);
        }
        harness_free(&h);
    }
}

/* ---- when ---- */

/* 5 s at 0.01 are 501 samples, whatever the method and the offset; a row for each with the value
 * after it. */
static void test_times(void) {
    static const struct {
        const char *when;
        double first;
        int count;
    } cases[] = {{"period='0.01 s'", 0, 501},
                 {"period='0.01 s' offset='3 ms'", 0.003, 500},
                 {"period='0.01 s' offset='-5 ms'", 0.005, 500}};
    for (size_t c = 0; c < 3; c++)
        for (size_t r = 0; r < RUNS; r++) {
            char xml[400];
            snprintf(xml, sizeof xml,
                     MODEL("<clock id='c' out='n' %s/><sine id='s' out='u' frequency='3 Hz'/>"
                           "<first-order id='f' in='u' out='y' T='0.1 s'/>"),
                     cases[c].when);
            harness h = run(xml, "n", r, 5);
            CU_ASSERT_EQUAL(harness_last(&h, 0), cases[c].count);
            for (int k = 0; k < cases[c].count; k++) {
                double t = cases[c].first + k * 0.01;
                int seen = 0;
                for (size_t row = 0; row < h.rows; row++)
                    seen += fabs(h.time[row] - t) < 4e-16 * (1 + fabs(t));
                if (seen != 1)
                    printf("\n    %s: t = %.17g %d times\n", runs[r].method, t, seen);
                CU_ASSERT_EQUAL(seen, 1);
            }
            harness_free(&h);
        }
}

/* The tick lists of MoDyPy (cases.md M8, M9): starts and ends within the run, before it and after.
 */
static void test_clock(void) {
    static const struct {
        const char *clock;
        double begin, end;
        int count;
        double ticks[12];
    } cases[] = {
        {"period='1 s'", 0, 3.5, 4, {0, 1, 2, 3}},
        {"period='1 s' offset='1.5 s'", 0, 4, 3, {1.5, 2.5, 3.5}},
        {"period='1 s' offset='0.5 s'", -1, 2, 2, {0.5, 1.5}},
        {"period='1 s' offset='0.5 s' end='2 s'", 0, 4, 2, {0.5, 1.5}},
        {"period='1 s' offset='0.5 s' end='2.5 s'", 0, 4, 3, {0.5, 1.5, 2.5}},
        {"period='0.1 s' end='0.3 s'", 0, 1, 4, {0, 0.1, 0.2, 0.1 * 3}}, /* 3*0.1 is above 0.3 */
        {"period='1 s' offset='-0.5 s'", 1, 3, 2, {1.5, 2.5}},
        {"period='1 s'", 0, 10, 11, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char xml[256];
        snprintf(xml, sizeof xml, MODEL("<clock id='c' out='n' %s/>"), cases[c].clock);
        harness h = harness_run_with(xml, "n",
                                     (ln_settings){.method = ln_method_find("rk4"),
                                                   .begin = cases[c].begin,
                                                   .end = cases[c].end,
                                                   .step = 0.7});
        int at = 0;
        double before = 0;
        for (size_t row = 0; row < h.rows; row++) {
            if (h.value[row] == before)
                continue;
            CHECK_CLOSE(h.value[row], before + 1, 0);
            if (at < cases[c].count)
                CHECK_CLOSE(h.time[row], cases[c].ticks[at], 0);
            before = h.value[row];
            at++;
        }
        CU_ASSERT_EQUAL(at, cases[c].count);
        harness_free(&h);
    }
}

/* Deviations stay within their bounds, fill them, and are the same by any method and step. */
static void test_jitter(void) {
    static const char xml[] =
        MODEL("<clock id='c' out='n' period='0.01 s' jitter='0.4' seed='7' offset='0.1 s'/>");
    double tick[2][1000], spread = 0, sum = 0;
    for (int r = 0; r < 2; r++) {
        harness h = run(xml, "n", r == 0 ? 0 : 2, 10.1 - 1e-6);
        size_t at = 0;
        for (size_t row = 1; row < h.rows; row++)
            if (h.value[row] != h.value[row - 1] && at < 1000)
                tick[r][at++] = h.time[row];
        CU_ASSERT_EQUAL(at, 1000);
        harness_free(&h);
    }
    for (int k = 0; k < 1000; k++) {
        double off = (tick[0][k] - 0.1) / 0.01 - k;
        CHECK_CLOSE(tick[0][k], tick[1][k], 1e-15);
        CU_ASSERT(fabs(off) <= 0.4);
        spread += off * off / 1000;
        sum += off / 1000;
    }
    CHECK_CLOSE(spread, 0.4 * 0.4 / 3, 0.005); /* the variance of an even distribution */
    CHECK_CLOSE(sum, 0, 0.03);
}

/* ---- how data flows ---- */

/* A counter on a clock, read at the same instant by a chain on the clock, by a period and by a
 * trigger: no delay but that of the unit-delay, whichever way each is driven and whatever the
 * order. */
static void test_flow(void) {
    static const char *const parts[] = {"<clock id='c' out='n' period='1 s'/>",
                                        "<zero-order-hold id='h1' in='n' out='a' clock='n'/>",
                                        "<zero-order-hold id='h2' in='a' out='b' period='1 s'/>",
                                        "<unit-delay id='d' in='b' out='e' clock='n'/>",
                                        "<greater id='g' in='b' threshold='2.5' out='high'/>",
                                        "<sample-and-hold id='s' in='b' trigger='high' out='f'/>",
                                        "<zero-order-hold id='h3' in='f' out='k' period='1 s'/>",
                                        "<sine id='w' out='u' frequency='1 Hz'/>",
                                        "<integrator id='i' in='u' out='v'/>"};
    enum { PARTS = sizeof parts / sizeof *parts };
    for (int turn = 0; turn < PARTS; turn++) {
        char xml[1200] = "<model name='m' xmlns='urn:linnet:model:1'>";
        for (int k = 0; k < PARTS; k++)
            strcat(xml, parts[(turn + (turn % 2 ? PARTS - k : k)) % PARTS]);
        strcat(xml, "</model>");
        for (size_t r = 0; r < 3; r++) {
            harness h = run(xml, "a b e f k", r, 4);
            CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
            for (int k = 0; k <= 4; k++) {
                CHECK_CLOSE(harness_at(&h, 0, k), k + 1, 0);
                CHECK_CLOSE(harness_at(&h, 1, k), k + 1, 0);
                CHECK_CLOSE(harness_at(&h, 2, k), k, 0);
                CHECK_CLOSE(harness_at(&h, 3, k), k < 2 ? 0 : 3, 0);
                CHECK_CLOSE(harness_at(&h, 4, k), k < 2 ? 0 : 3, 0);
            }
            harness_free(&h);
        }
    }
}

/* Two controllers at rates of 3 to 7 on one lag, against the exact solution from tick to tick. */
static void test_rates(void) {
    static const char xml[] =
        MODEL("<constant id='one' out='r' value='1'/><sum id='minus' in='r y' signs='+-' out='e'/>"
              "<gain id='k1' in='e' out='g1' k='0.8'/><gain id='k2' in='e' out='g2' k='0.5'/>"
              "<zero-order-hold id='h1' in='g1' out='a' period='0.3 s'/><zero-order-hold id='h2' "
              "in='g2' out='b' period='0.7 s'/>"
              "<sum id='plus' in='a b' out='u'/><first-order id='p' in='u' out='y' T='1 s'/>");
    static const double within[] = {1e-7, 3e-4, 1e-6, 1e-6};
    for (size_t r = 0; r < RUNS; r++) {
        harness h = run(xml, "y", r, 6.3);
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        double now = 0, a = 0, b = 0;
        for (int k = 0; k <= 63; k++) { /* in tenths of a second */
            if (k % 3 == 0)
                a = 0.8 * (1 - now);
            if (k % 7 == 0)
                b = 0.5 * (1 - now);
            if (k % 3 == 0 || k % 7 == 0)
                CHECK_CLOSE(harness_at(&h, 0, k * 0.1), now, within[r]);
            now = a + b + (now - a - b) * exp(-0.1);
        }
        harness_free(&h);
    }
}

/* A thermostat: the error of 0.1 K between two temperatures is known to 1e-13 K, and what the
 * controller takes back of its integral cancels; neither is a loop. By C dT/dt = q - G (T - T0)
 * between ticks and the controller's differences at them, by methods of networks. */
static void test_heated(void) {
    static const char form[] = MODEL(
        "<absolute-zero id='g' p='0'/><temperature-source id='a' p='air' n='0' T='293.15'/>"
        "<heat-capacity id='c' p='n' C='52.34' T0='445.7'/><thermal-conductance id='k' p='n' "
        "n='air' G='0.579'/><temperature-sensor id='s' p='n' out='T'/><signal-heat id='h' p='0' "
        "n='n' in='q'/><constant id='r' out='r' value='323.3'/><sum id='d' in='r T' signs='+-' "
        "out='e'/><discrete-pid id='pid' in='e' out='q' period='6.793 s' kp='%g' ki='0.08026' "
        "min='0' max='1600'/>");
    static const char *const methods[] = {"radau5", "bdf2", "tr-bdf2", "ida"};
    static const double gains[] = {1.1, 3.326, 10.5};
    char xml[1024];
    for (size_t k = 0; k < sizeof gains / sizeof *gains; k++) {
        const double kp = gains[k], ki = 0.08026, period = 6.793, air = 293.15, C = 52.34,
                     G = 0.579;
        snprintf(xml, sizeof xml, form, kp);
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            harness h = harness_run_with(
                xml, "n",
                (ln_settings){.method = ln_method_find(methods[m]), .end = 272, .tolerance = 1e-7});
            CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
            double now = 445.7, integral = 0, rate = 0;
            for (int tick = 0; tick <= 40; tick++) {
                CHECK_CLOSE(harness_at(&h, 0, tick * period), now, 2e-3);
                const double e = 323.3 - now;
                integral += tick == 0 ? 0 : rate * period;
                const double asked = kp * e + integral, q = fmin(fmax(asked, 0), 1600),
                             rests = air + q / G;
                rate = ki * e + ki / kp * (q - asked);
                now = rests + (now - rests) * exp(-G / C * period);
            }
            harness_free(&h);
        }
    }
}

/* A loop of sampled blocks without a delay: told by name where it has no rest, solved where it
 * comes to one. */
static void test_loop(void) {
    static const char form[] =
        MODEL("<constant id='c' out='r' value='1'/><sum id='s' in='r f' out='e'/>"
              "<zero-order-hold id='h' in='e' out='y' period='1 s'/><gain id='g' in='y' out='f' "
              "k='%g'/>");
    char xml[512];
    for (double gain = -0.5; gain < 0.6; gain += 0.25) {
        snprintf(xml, sizeof xml, form, gain);
        harness h = run(xml, "y", 0, 2);
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_last(&h, 0), 1 / (1 - gain), 1e-12);
        harness_free(&h);
    }
    snprintf(xml, sizeof xml, form, -2.0);
    harness_verbose = 0;
    harness h = run(xml, "y", 0, 2);
    CU_ASSERT_EQUAL(h.status, LINNET_FAILED);
    CU_ASSERT(strstr(ln_report_text(h.report, 0),
                     "h (zero-order-hold): at t = 0 s what it sets depends on itself") != NULL);
    harness_free(&h);
    harness_verbose = 1;
}

/* ---- logic that remembers ---- */

/* Signal k at time t, as it is there. */
static double at(const harness *h, int k, double t) {
    double value = NAN;
    for (size_t row = 0; row < h->rows && h->time[row] <= t + 1e-9; row++)
        value = h->value[row * (size_t)h->nsignals + (size_t)k];
    return value;
}

static void test_flip_flops(void) {
    /* trigger: rises at 1, 3, 5, ...; d true in (0.5, 2.5); j in (0.5, 5.5), k in (2.5, 20) */
    static const char xml[] =
        MODEL("<pulse id='t' out='s' width='1 s' period='2 s' delay='1 s'/><pulse id='pd' out='d' "
              "width='2 s' delay='0.5 s'/>"
              "<pulse id='pj' out='j' width='5 s' delay='0.5 s'/><pulse id='pk' out='k' width='20 "
              "s' delay='2.5 s'/>"
              "<pulse id='pr' out='r' width='1 s' delay='8.5 s'/>"
              "<d-flip-flop id='d1' d='d' trigger='s' q='q1'/><d-flip-flop id='d2' d='q1' "
              "trigger='s' q='q2'/>"
              "<d-flip-flop id='d3' d='q2' trigger='s' q='q3'/>"
              "<t-flip-flop id='t1' trigger='s' q='a' reset='r'/><t-flip-flop id='t2' "
              "trigger='t1.nq' q='b'/>"
              "<jk-flip-flop id='f1' j='j' k='k' trigger='s' q='f' q0='0'/><sr-flip-flop id='l1' "
              "set='d' reset='k' q='l'/>"
              "<counter id='n1' up='s' out='n' modulus='3' start='10'/><counter id='m1' up='s' "
              "down='d' reset='r' out='m' step='2'/>"
              "<sine id='w1' out='w' frequency='0.01 Hz'/><sample-and-hold id='h1' in='w' "
              "trigger='s' out='h' y0='-1'/>"
              "<track-and-hold id='g1' in='w' gate='s' out='g' y0='-1'/>");
    static const struct {
        int signal;
        double t, value;
    } expected[] = {{0, 0.9, 0},
                    {0, 1.5, 1},
                    {0, 2.9, 1},
                    {0, 3.5, 0}, /* q1 */
                    /* a shift register */
                    {1, 2.9, 0},
                    {1, 3.5, 1},
                    {1, 5.5, 0},
                    {2, 4.9, 0},
                    {2, 5.5, 1},
                    {2, 7.5, 0},
                    {3, 1.5, 1},
                    {3, 3.5, 0},
                    {3, 5.5, 1},
                    {3, 6.5, 1},
                    {3, 7.5, 0},
                    {3, 9.2, 1}, /* t1; reset at 8.5 */
                    {4, 2.5, 0},
                    {4, 3.5, 1},
                    {4, 6.5, 1},
                    {4, 7.5, 0}, /* t2: half of it */
                    /* set, change, change, reset */
                    {5, 1.5, 1},
                    {5, 3.5, 0},
                    {5, 5.5, 1},
                    {5, 7.5, 0},
                    {5, 9.5, 0},
                    {6, 0.4, 0},
                    {6, 0.6, 1},
                    {6, 2.4, 1},
                    {6, 2.6, 0},
                    {7, 0.5, 10},
                    {7, 1.5, 11},
                    {7, 3.5, 12},
                    {7, 5.5, 10},
                    {7, 7.5, 11},
                    {8, 0.7, -2},
                    {8, 1.5, 0},
                    {8, 3.5, 2},
                    {8, 7.5, 6},
                    {8, 8.7, 0},
                    {8, 9.5, 2}};
    for (size_t r = 0; r < 3; r++) {
        harness h = run(xml, "q1 q2 q3 a b f l n m h g", r, 10);
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
            double value = at(&h, expected[k].signal, expected[k].t);
            if (value != expected[k].value)
                printf("\n    %s: signal %d at %g is %g, not %g\n", runs[r].method,
                       expected[k].signal, expected[k].t, value, expected[k].value);
            CU_ASSERT_EQUAL(value, expected[k].value);
        }
        CHECK_CLOSE(at(&h, 9, 0.5), -1, 0);
        CHECK_CLOSE(at(&h, 9, 4), sin(2 * pi * 0.01 * 3), 1e-12);
        CHECK_CLOSE(at(&h, 10, 0.5), -1, 0);
        CHECK_CLOSE(at(&h, 10, 4.8), sin(2 * pi * 0.01 * 4), 1e-12);
        harness_free(&h);
    }
}

static void test_relay(void) {
    /* triangle between -1 and 1 of period 4 from 0 upwards: reaches 0.5 at 0.5, falls to -0.25
     * at 2.25 */
    static const char xml[] =
        MODEL("<triangle id='w' out='u' frequency='0.25 Hz'/>"
              "<hysteresis-relay id='r' in='u' out='y' off='-0.25' on='0.5' low='-3' high='7'/>"
              "<hysteresis-relay id='s' in='u' out='z' off='-0.25' on='0.5' start='1'/>");
    for (size_t r = 0; r < 3; r++) {
        harness h = run(xml, "y z", r, 6);
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        for (size_t row = 0; row < h.rows; row++) {
            double t = fmod(h.time[row], 4);
            if (fabs(t - 0.5) < 1e-6 || fabs(t - 2.25) < 1e-6)
                continue; /* both sides */
            CHECK_CLOSE(h.value[2 * row], t > 0.5 && t < 2.25 ? 7 : -3, 0);
            CHECK_CLOSE(h.value[2 * row + 1], (t > 0.5 && t < 2.25) || h.time[row] < 0.6 ? 1 : 0,
                        0);
        }
        harness_free(&h);
    }
}

/* Beyond a threshold at the start, it is in the state that belongs there and leaves it at the other
 * threshold only. */
static void test_relay_start(void) {
    static const char xml[] =
        MODEL("<ramp id='w' out='u' offset='%g' slope='%g'/>"
              "<hysteresis-relay id='r' in='u' out='y' off='-1' on='1' start='%d'/>");
    static const struct {
        double offset, slope;
        int start;
        double at, before, after;
    } cases[] = {{2, -1, 0, 3, 1, 0}, {-2, 1, 1, 3, 0, 1}, {0, 1, 0, 1, 0, 1}, {0, -1, 1, 1, 1, 0}};
    for (size_t r = 0; r < RUNS; r++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            char text[400];
            snprintf(text, sizeof text, xml, cases[c].offset, cases[c].slope, cases[c].start);
            harness h = run(text, "y", r, 4);
            CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
            for (size_t row = 0; row < h.rows; row++)
                if (fabs(h.time[row] - cases[c].at) > 1e-6)
                    CHECK_CLOSE(h.value[row],
                                h.time[row] < cases[c].at ? cases[c].before : cases[c].after, 0);
            harness_free(&h);
        }
}

/* Random numbers: moments, and the same whatever the step. */
static void test_noise(void) {
    static const char xml[] =
        MODEL("<clock id='c' out='tick' period='1 ms'/>"
              "<normal-noise id='n' out='y' clock='tick' mean='2' deviation='0.5' seed='3'/>"
              "<uniform-noise id='m' out='z' clock='tick' min='-3' max='3' seed='3'/>");
    double sum[3] = {0, 0, 0}, square[3] = {0, 0, 0}, cross = 0;
    enum { N = 10000 };
    harness h = harness_run(xml, "y z", "rk4", N * 1e-3, 1),
            other = harness_run(xml, "y z", "rk4", 0.1, 3.3e-4),
            implicit = harness_run(xml, "y z", "backward-euler", 0.1, 3.3e-4);
    for (int k = 0; k < N; k++) {
        double value = h.value[2 * k] - 2, flat = h.value[2 * k + 1], next = h.value[2 * k + 2] - 2;
        sum[0] += value, square[0] += value * value, cross += value * next;
        sum[1] += flat, square[1] += flat * flat;
        CU_ASSERT(fabs(flat) <= 3);
    }
    CHECK_CLOSE(sum[0] / N, 0, 0.02);
    CHECK_CLOSE(square[0] / N, 0.25, 0.01);
    CHECK_CLOSE(cross / N, 0, 0.01);
    CHECK_CLOSE(sum[1] / N, 0, 0.06);
    CHECK_CLOSE(square[1] / N, 3, 0.1);
    for (int k = 0; k < 100; k++)
        for (int j = 0; j < 2; j++) {
            CHECK_CLOSE(harness_at(&other, j, k * 1e-3), h.value[2 * k + j], 0);
            CHECK_CLOSE(harness_at(&implicit, j, k * 1e-3), h.value[2 * k + j], 1e-14);
        }
    harness_free(&h);
    harness_free(&other);
    harness_free(&implicit);
}

/* cases.md M24: a Butterworth high-pass of order 10 at 15 Hz, sampled at 1 kHz, on sines of 10 and
 * 20 Hz. Poles of the analog prototype, warped and moved by the bilinear transform; as zeros and
 * poles, as sections and as one fraction. */
static void butterworth(int order, double within) {
    enum { MOST = 10, SAMPLES = 1000 };
    const double warped = tan(pi * 15 / 1000);
    double complex pole[MOST];
    double gain = 1, sos[MOST / 2][6], a[MOST + 1] = {1}, b[MOST + 1] = {1};
    char poles[1024] = "", zeros[64] = "", rows[1024] = "", top[512] = "", bottom[512] = "",
         item[160];
    for (int k = 0; k < order / 2; k++) {
        /* high-pass: w/p */
        double complex p = warped / cexp(I * pi * (2 * k + order + 1) / (2.0 * order));
        pole[k] = (1 + p) / (1 - p);
        /* 1 at z = -1 */
        double section_gain = creal((1 - 2 * creal(pole[k]) * -1 + pow(cabs(pole[k]), 2)) / 4);
        gain *= section_gain;
        const double c[6] = {section_gain,        -2 * section_gain,    section_gain, 1,
                             -2 * creal(pole[k]), pow(cabs(pole[k]), 2)};
        memcpy(sos[k], c, sizeof c);
        snprintf(item, sizeof item, " %.17g%+.17gi %.17g%+.17gi", creal(pole[k]), cimag(pole[k]),
                 creal(pole[k]), -cimag(pole[k]));
        strcat(poles, item);
        strcat(zeros, " 1 1");
        snprintf(item, sizeof item, "%s%.17g, %.17g, %.17g, 1, %.17g, %.17g", k > 0 ? "; " : "",
                 c[0], c[1], c[2], c[4], c[5]);
        strcat(rows, item);
        for (int i = 2 * k + 2; i > 0; i--) {
            a[i] += c[4] * a[i - 1] + (i > 1 ? c[5] * a[i - 2] : 0);
            b[i] += -2 * b[i - 1] + (i > 1 ? b[i - 2] : 0);
        }
    }
    for (int k = 0; k <= order; k++) {
        snprintf(item, sizeof item, " %.17g", gain * b[k]), strcat(top, item);
        snprintf(item, sizeof item, " %.17g", a[k]), strcat(bottom, item);
    }
    char xml[6000];
    snprintf(
        xml, sizeof xml,
        MODEL("<sine id='s1' out='a' frequency='10 Hz'/><sine id='s2' out='b' frequency='20 Hz'/>"
              "<sum id='s' in='a b' out='u'/><iir-filter id='f' in='u' out='y' period='1 ms' "
              "sos='%s'/>"
              "<iir-filter id='g' in='u' out='z' period='1 ms' zeros='%s' poles='%s' gain='%.17g'/>"
              "<discrete-transfer-function id='h' in='u' out='w' period='1 ms' numerator='%s' "
              "denominator='%s'/>"),
        rows, zeros, poles, gain, top, bottom);
    harness h = harness_run(xml, "y z w", "rk4", (SAMPLES - 1) * 1e-3, 1);
    CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
    double s[MOST / 2][2] = {{0}}, worst[3] = {0};
    for (int n = 0; n < SAMPLES; n++) {
        double signal = sin(2 * pi * 10 * n * 1e-3) + sin(2 * pi * 20 * n * 1e-3);
        for (int k = 0; k < order / 2; k++) {
            double in = signal;
            signal = sos[k][0] * in + s[k][0];
            s[k][0] = sos[k][1] * in - sos[k][4] * signal + s[k][1];
            s[k][1] = sos[k][2] * in - sos[k][5] * signal;
        }
        for (int k = 0; k < 3; k++)
            worst[k] = fmax(worst[k], fabs(harness_at(&h, k, n * 1e-3) - signal));
    }
    if (worst[0] > 1e-12 || worst[1] > 1e-10 || worst[2] > within)
        printf("\n    %.3g %.3g %.3g\n", worst[0], worst[1], worst[2]);
    CU_ASSERT(worst[0] < 1e-12 && worst[1] < 1e-10 && worst[2] < within);
    harness_free(&h);
}

/* As one fraction the order of 10 is lost in the rounding of its coefficients: ten poles close
 * to 1. */
static void test_butterworth(void) {
    butterworth(10, 1e-3);
    butterworth(4, 1e-9);
}

/* ---- what is refused ---- */

static void test_errors(void) {
    static const struct {
        const char *block, *message;
    } cases[] = {
        {"<zero-order-hold id='h' in='u'/>",
         "h (zero-order-hold): it needs period=\"...\" [s] or a link at its input clock"},
        {"<zero-order-hold id='h' in='u' period='0 s'/>", "period = 0 s must be above 0 s"},
        {"<moving-average id='h' in='u' n='3' period='-1 s'/>", "period = -1 s must be above 0 s"},
        {"<zero-order-hold id='h' in='u' period='1 s' clock='c'/>",
         "it has both period and clock; keep one"},
        {"<zero-order-hold id='h' in='u' offset='1 s' clock='c'/>",
         "it has both offset and clock; keep one"},
        {"<zero-order-hold id='h' in='u' clock='nowhere'/>", "nowhere"},
        {"<clock id='d' period='0 s'/>", "period = 0 s must be above 0 s"},
        {"<clock id='d' period='1 s' jitter='0.6'/>",
         "jitter = 0.6 must be at least 0 and at most 0.5"},
        {"<sample-delay id='d' in='u' period='1 s' n='0'/>", "n = 0 must be"},
        {"<sample-delay id='d' in='u' period='1 s' n='1.5'/>", "a whole number"},
        {"<discrete-integrator id='d' in='u' period='1 s' method='forwards'/>",
         "did you mean 'forward'?"},
        {"<discrete-transfer-function id='d' in='u' period='1 s' numerator='1 0 0' denominator='1 "
         "1'/>",
         "samples that are still to come"},
        {"<discrete-transfer-function id='d' in='u' period='1 s' numerator='1' denominator='0 0'/>",
         "its denominator is zero"},
        {"<discrete-transfer-function id='d' in='u' period='1 s' numerator='1' denominator='1 1' "
         "s0='1 2'/>",
         "s0 has 2 values for 1 states"},
        {"<discrete-state-space id='d' in='u' out='y' period='1 s' A='1 2' B='1' C='1'/>",
         "A is 1 x 2 where 1 x 1 is needed"},
        {"<iir-filter id='d' in='u' period='1 s'/>", "give either sos, or poles and zeros"},
        {"<iir-filter id='d' in='u' period='1 s' sos='1 2 3'/>", "a section is a row of six"},
        {"<iir-filter id='d' in='u' period='1 s' poles='0.5+0.5i'/>",
         "a complex pole lacks its conjugate"},
        {"<iir-filter id='d' in='u' period='1 s' zeros='1' poles=''/>", ""},
        {"<fir-filter id='d' in='u' period='1 s'/>", "coefficients"},
    };
    harness_verbose = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char xml[512];
        snprintf(
            xml, sizeof xml,
            MODEL("<constant id='s' out='u' value='1'/><clock id='k' out='c' period='1 s'/>%s"),
            cases[k].block);
        harness h = run(xml, "u", 0, 1);
        int said = 0;
        for (int i = 0; ln_report_text(h.report, i) != NULL; i++)
            said |= strstr(ln_report_text(h.report, i), cases[k].message) != NULL;
        CU_ASSERT_EQUAL(h.status, LINNET_MODEL);
        CU_ASSERT(said);
        if (!said || h.status != LINNET_MODEL)
            printf("\n    %s: %s\n", cases[k].block,
                   ln_report_text(h.report, 0) != NULL ? ln_report_text(h.report, 0) : "accepted");
        harness_free(&h);
    }
    harness_verbose = 1;
}

UNIT_MAIN({"each block against its formula", test_blocks}, {"between the ticks", test_holds},
          {"times of ticks", test_times}, {"clock", test_clock}, {"jitter", test_jitter},
          {"data within a tick", test_flow}, {"several rates", test_rates},
          {"loops without delay", test_loop}, {"a thermostat", test_heated},
          {"flip-flops and counters", test_flip_flops}, {"relay", test_relay},
          {"relay at the start", test_relay_start}, {"noise", test_noise},
          {"Butterworth filter of order 10", test_butterworth}, {"what is refused", test_errors})
