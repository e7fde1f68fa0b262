/* SPDX-License-Identifier: MIT */
/* Statistics of signals against closed forms: over windows that slide, of periods, of extremes
 * between steps. */
#include "harness.h"
#include "unit.h"

#define PI 3.14159265358979323846
#define MODEL(body) "<model xmlns='urn:linnet:model:1'>" body "</model>"
/* u = 1 + 2 sin(2 pi t + 0.3) + 0.5 sin(6 pi t - 1) */
#define PERIODIC                                                                                \
    "<function id='f' in='one' out='u' expression='u + 2*sin(2*pi*t + 0.3) + 0.5*sin(6*pi*t - " \
    "1)'/>"                                                                                     \
    "<constant id='c' out='one' value='1'/>"

static double integral(double t) {
    return t - cos(2 * PI * t + 0.3) / PI - cos(6 * PI * t - 1) / (12 * PI);
}

static const struct run {
    const char *method;
    double step, tolerance, within;
} runs[] = {{"rk4", 0.01, 0, 1e-7}, {"radau5", 0, 1e-8, 1e-5}, {"crank-nicolson", 1e-3, 0, 2e-5}};
enum { RUNS = sizeof runs / sizeof *runs };

static harness run(const char *xml, const char *signals, int r, double end) {
    return harness_run_with(xml, signals,
                            (ln_settings){.method = ln_method_find(runs[r].method),
                                          .end = end,
                                          .step = runs[r].step,
                                          .tolerance = runs[r].tolerance});
}

static void sliding(void) {
    static const char xml[] =
        MODEL(PERIODIC "<sliding-mean id='a' in='u' out='mean' window='0.25'/>"
                       "<sliding-mean id='b' in='u' out='whole' window='1' "
                       "before='5'/><sliding-rms id='r' in='u' out='rms' window='1'/>"
                       "<sliding-variance id='v' in='u' out='variance' window='1'/><gain id='g' "
                       "in='u' out='w' k='-3'/>"
                       "<sliding-rectified-mean id='m' in='w' out='abs' window='0.0625'/>");
    for (int r = 0; r < RUNS; r++) {
        harness h = run(xml, "mean whole rms variance abs u", r, 2.5);
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        for (size_t row = 1; row < h.rows; row++) {
            const double t = h.time[row], *y = h.value + 6 * row;
            CHECK_CLOSE(y[0], 4 * (integral(t) - integral(fmax(t - 0.25, 0))), runs[r].within);
            CHECK_CLOSE(y[1], t < 1 ? integral(t) - integral(0) + 5 * (1 - t) : 1, runs[r].within);
            if (t > 1)
                CHECK_CLOSE(y[2], sqrt(1 + 2 + 0.125), runs[r].within);
            if (t > 1)
                CHECK_CLOSE(y[3], 2.125, runs[r].within);
            CU_ASSERT(y[4] >= 0);
            /* u > 0 */
            if (t > 0.07 && t < 0.3)
                CHECK_CLOSE(y[4], 3 * 16 * (integral(t) - integral(t - 0.0625)), runs[r].within);
        }
        harness_free(&h);
    }
}

static void periods(void) {
    static const char xml[] = MODEL(
        PERIODIC "<harmonic id='a' in='u' magnitude='m1' phase='p1' frequency='1'/>"
                 "<harmonic id='b' in='u' magnitude='m3' phase='p3' frequency='1' number='3'/>"
                 "<harmonic id='d' in='u' magnitude='m2' frequency='1' number='2'/><distortion "
                 "id='e' in='u' out='thd' frequency='1'/>"
                 "<square id='s' out='q' frequency='1' amplitude='1'/><distortion id='k' in='q' "
                 "out='thq' frequency='1'/>"
                 "<harmonic id='l' in='q' magnitude='q5' frequency='1' number='5'/><spectrum "
                 "id='w' in='q' magnitude='all' frequency='1' n='7'/>");
    for (int r = 0; r < RUNS; r++) {
        harness h = run(xml, "m1 p1 m3 p3 m2 thd thq q5 all[7]", r, 2.5);
        const double expected[] = {
            2, 0.3, 0.5, -1, 0, 0.25, sqrt(PI * PI / 8 - 1), 4 / (5 * PI), 4 / (7 * PI)};
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        for (size_t row = 0; row < h.rows; row++)
            for (int k = 0; k < 9; k++) {
                const double within = r == 2 ? 1e-3 : 50 * runs[r].within;
                if (h.time[row] > 1)
                    CHECK_CLOSE(h.value[9 * row + (size_t)k], expected[k], within);
            }
        harness_free(&h);
    }
}

/* exp(-t) sin(10 t) turns at (atan(10) + k pi)/10; then at a jump; anew from 2 s on, and by windows
 * of 1.5 s. */
static void extremes(void) {
    static const char xml[] =
        MODEL("<block-type name='ringing'><output name='y'/><state name='x'/><state name='v' "
              "start='10'/><equation>der(x) = v</equation>"
              "<equation>der(v) = -2*v - 101*x</equation><equation>y = x</equation></block-type>"
              "<ringing id='f' y='v'/><step id='j0' out='j' delay='1' height='2'/><sum id='d0' "
              "in='v j' signs='+-' out='u'/>"
              "<step id='s' out='again' delay='2'/><extrema id='a' in='u' low='low' high='high' "
              "low_time='tl' high_time='th'/>"
              "<extrema id='b' in='u' reset='again' high='reset'/><extrema id='d' in='u' "
              "low='window' window='1.5'/>");
    const double first = atan(10.0) / 10;
#define U(t) (exp(-(t)) * sin(10 * (t)))
    for (int r = 0; r < RUNS; r++) {
        const double within = r == 2 ? 1e-3 : 1e-5;
        harness h = run(xml, "low high tl th reset window u", r, 4);
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        for (size_t row = 0; row < h.rows; row++) {
            const double t = h.time[row], *y = h.value + 7 * row;
            CHECK_CLOSE(y[1], t < first ? U(t) : U(first), within);
            if (t < 1 - 1e-9)
                CHECK_CLOSE(y[0], t < first + PI / 10 ? fmin(0, U(t)) : U(first + PI / 10), within);
            if (t > 2.3 && t < 2.9)
                CHECK_CLOSE(y[4], U(first + 6 * PI / 10) - 2, within);
            CU_ASSERT(y[5] <= y[6] + 1e-12);
        }
        CHECK_CLOSE(harness_last(&h, 3), first, r == 2 ? 1e-3 : 1e-5);
        harness_free(&h);
    }
}

/* The root mean square of what rests at zero and then rises (a lag behind a step, beside a mean of
 * the step): the root begins with an infinite slope. By every adaptive method. */
static void rises_from_zero(void) {
    static const char xml[] =
        MODEL("<step id='s' out='v' height='100' delay='0.24e-3'/><first-order id='L' in='v' "
              "out='i' T='1e-3'/><sliding-mean id='m' in='v' out='mean' window='20e-3'/>"
              "<sliding-rms id='r' in='i' out='rms' window='20e-3'/>");
    static const char *const methods[] = {"radau5", "tr-bdf2", "bdf2",
                                          "ida",    "rk45",    "backward-euler"};
    const double tau = (15 - 0.24), squares = 1e4 * (tau - 2 * (1 - exp(-tau)) +
                                                     0.5 * (1 - exp(-2 * tau))); /* in ms */
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        harness h = harness_run_with(
            xml, "rms mean",
            (ln_settings){.method = ln_method_find(methods[k]), .end = 15e-3, .tolerance = 1e-5});
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_last(&h, 0), sqrt(squares / 20), k == 5 ? 0.1 : 0.02);
        CHECK_CLOSE(harness_last(&h, 1), 100 * tau / 20, k == 5 ? 0.05 : 0.005);
        harness_free(&h);
    }
}

/* Since the start, whatever the scale of time: of 0.5 + sin(w t), 10 periods from nanoseconds to
 * years. The picosecond that stands for the start weighed 3e-4 after 0.15 ns. */
static void since_the_start(void) {
    static const char *const methods[] = {"radau5", "ida", "rk45", "rk4"};
    for (double period = 1e-9; period < 1e9; period *= 1e4)
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            char xml[512];
            (void)snprintf(xml, sizeof xml,
                           MODEL("<sine id='s' out='u' frequency='%.17g' offset='0.5'/>"
                                 "<mean id='m' in='u' out='mean'/><rms id='r' in='u' out='rms'/>"
                                 "<variance id='v' in='u' out='variance'/>"),
                           1 / period);
            const int fixed = k == 3;
            harness h = harness_run_with(xml, "mean rms variance u",
                                         (ln_settings){.method = ln_method_find(methods[k]),
                                                       .end = 10 * period,
                                                       .step = fixed ? period / 200 : 0,
                                                       .tolerance = fixed ? 0 : 1e-8});
            CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
            for (int j = 0; j < 4; j++)
                CHECK_CLOSE(h.value[j], j == 2 ? 0 : 0.5, 1e-12);
            for (size_t row = 1; row < h.rows; row++) {
                const double a = 2 * PI * h.time[row] / period, *y = h.value + 4 * row;
                const double mean = 0.5 + (1 - cos(a)) / a,
                             square = 0.25 + (1 - cos(a)) / a + 0.5 - sin(2 * a) / (4 * a);
                if (a < 1)
                    continue; /* the sums are within tolerance of the whole */
                CHECK_CLOSE(y[0], mean, 1e-4);
                CHECK_CLOSE(y[1], sqrt(square), 1e-4);
                CHECK_CLOSE(y[2], square - mean * mean, 1e-4);
            }
            harness_free(&h);
        }
}

/* Weights of rk45 are negative, too: an integral of squares went below zero, where the root mean
 * square had no value and the run ended. */
static void squares_within_a_step(void) {
    static const char xml[] =
        MODEL("<ground id='g' p='0'/>"
              "<sine-voltage id='V' p='a' n='0' amplitude='325 V' frequency='50 Hz'/>"
              "<constant id='f' out='f' value='0'/><triac id='T' p='a' n='b' fire='f'/>"
              "<inductor id='L' p='b' n='c' L='20 mH'/><resistor id='R' p='c' n='0' R='20 Ohm'/>"
              "<current-sensor id='s' p='c' n='x' out='i'/>"
              "<resistor id='Q' p='x' n='0' R='50 Ohm'/><rms id='r' in='i' out='rms'/>");
    harness h = harness_run_with(
        xml, "rms",
        (ln_settings){.method = ln_method_find("rk45"), .end = 60e-3, .tolerance = 1e-3});
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    CU_ASSERT(harness_last(&h, 0) >= 0 && harness_last(&h, 0) < 1e-2);
    harness_free(&h);
}

UNIT_MAIN({"rises from zero", rises_from_zero}, {"windows that slide", sliding},
          {"periods", periods}, {"extremes", extremes}, {"since the start", since_the_start},
          {"squares within a step", squares_within_a_step})
