/* SPDX-License-Identifier: MIT */
/* Delays against closed forms: a delayed sine, x' = -x(t - 1) piece by piece, a delay that varies,
 * one shorter than the step, and orders of the methods across the breaks that come back. */
#include "harness.h"
#include "unit.h"

#define MODEL(blocks) "<model name='m' xmlns='urn:linnet:model:1'>" blocks "</model>"
/* x' = -x(t - 1), x = 1 before: a polynomial of degree k on the k-th stretch. */
static const char feedback[] =
    MODEL("<integrator id='x' in='dx' out='y' y0='1'/><gain id='g' in='yd' out='dx' k='-1'/>"
          "<transport-delay id='d' in='y' out='yd' delay='1' initial='1'/>");

/* sum over k of (-1)^k (t - k + 1)^k / k!, for k up to floor(t) + 1 [Bellman and Cooke, 1963, by
 * the method of steps]. */
static double feedback_at(double t) {
    double sum = 0, factorial = 1;
    for (int k = 0; k <= floor(t) + 1; k++) {
        if (k > 0)
            factorial *= k;
        sum += (k % 2 ? -1 : 1) * pow(t - k + 1, k) / factorial;
    }
    return sum;
}

static void method_of_steps(void) {
    for (double t = 0.5; t < 6; t += 0.5) {
        CHECK_CLOSE(harness_end(feedback, "y", "rk4", t, 0.05), feedback_at(t), 1e-7);
        harness h = harness_run_with(
            feedback, "y",
            (ln_settings){.method = ln_method_find("radau5"), .end = t, .tolerance = 1e-8});
        CHECK_CLOSE(harness_last(&h, 0), feedback_at(t), 1e-7);
        harness_free(&h);
    }
    CU_ASSERT(harness_order(feedback, "y", "rk4", 4.5, 0.125, feedback_at(4.5)) > 3.7);
    CU_ASSERT(fabs(harness_order(feedback, "y", "crank-nicolson", 4.5, 0.125, feedback_at(4.5)) -
                   2) < 0.2);
}

/* 0.04 s delayed, steps of 0.1 s: the delay reaches into the step at hand. */
static const char shorter[] = MODEL(
    "<sine id='s' amplitude='1' frequency='0.2' out='u'/>"
    "<transport-delay id='d' in='u' out='y' delay='0.04'/><integrator id='i' in='y' out='z'/>");

static void shorter_than_a_step(void) {
    const double w = 2 * 3.14159265358979323846 * 0.2, exact = (1 - cos(w * (4 - 0.04))) / w;
    CHECK_CLOSE(harness_end(shorter, "z", "crank-nicolson", 4, 0.1), exact, 2e-3);
    CHECK_CLOSE(harness_end(shorter, "z", "rk4", 4, 0.1), exact, 5e-5);
    CHECK_CLOSE(harness_end(shorter, "y", "crank-nicolson", 4, 0.1), sin(w * (4 - 0.04)), 1e-6);
}

/* T = 0.1 + 0.05 t: y(t) = sin(2 (t - T)) once that is past the start. */
static const char varying[] = MODEL(
    "<function id='s' in='c' out='u' expression='sin(2*t)'/><constant id='c0' out='c' value='1'/>"
    "<ramp id='T0' out='r' slope='0.05'/><sum id='T1' in='r k' out='T' signs='++'/>"
    "<constant id='k0' out='k' value='0.1'/>"
    "<variable-delay id='d' in='u' lag='T' out='y' longest='1'/>");

static void varies(void) {
    const double t = 3, lag = 0.1 + 0.05 * t;
    CHECK_CLOSE(harness_end(varying, "y", "rk4", t, 0.01), sin(2 * (t - lag)), 1e-8);
    CHECK_CLOSE(harness_end(varying, "y", "crank-nicolson", t, 0.01), sin(2 * (t - lag)), 1e-8);
}

/* A step of 1 at 0.5 through a delay of 0.3 arrives at 0.8, on both sides told, whatever the grid.
 */
static const char edge[] =
    MODEL("<step id='s' delay='0.5' out='u'/><transport-delay id='d' in='u' out='y' delay='0.3'/>"
          "<integrator id='i' in='y' out='z'/>");

static void edge_arrives(void) {
    static const char *const methods[] = {"rk4", "crank-nicolson", "backward-euler", "heun"};
    for (int k = 0; k < 4; k++)
        CHECK_CLOSE(harness_end(edge, "z", methods[k], 2, 0.07), 1.2, 1e-9);
    harness h = harness_run(edge, "y", "rk4", 1, 0.07);
    int left = 0, right = 0;
    for (size_t i = 0; i < h.rows; i++) {
        if (fabs(h.time[i] - 0.8) > 1e-12)
            continue;
        left |= h.value[i] == 0;
        right |= h.value[i] == 1;
    }
    CU_ASSERT(left && right);
    harness_free(&h);
}

/* delay() in a type of one's own: x' = -x(t - 1) as above; a power of the past, the past of time, a
 * delay in a delay, a let, and one that a state gives. Negative ones, and such of derivatives, are
 * refused. */
static void in_equations(void) {
    static const char xml[] =
        MODEL("<block-type name='past'><parameter name='T' default='1'/><output name='y'/><output "
              "name='z'/><state name='x' start='1'/>"
              "<state name='lag' start='0.1'/><let name='twice' value='delay(delay(x, 0.5), T/2)'/>"
              "<equation>der(x) = -delay(x, T)</equation><equation>der(lag) = 0.05</equation>"
              "<equation>y = delay(x^2, 0.5 s) + sin(delay(t, 0.3))</equation><equation>z = "
              "delay(exp(t), lag)</equation></block-type>"
              "<past id='p' y='y' z='z'/>");
    static const struct {
        const char *method;
        double step, tolerance;
    } runs[] = {
        {"rk4", 0.05, 0}, {"radau5", 0, 1e-8}, {"tr-bdf2", 0, 1e-7}, {"crank-nicolson", 1e-3, 0}};
    for (int r = 0; r < 4; r++) {
        harness h = harness_run_with(xml, "p.x p.twice y z",
                                     (ln_settings){.method = ln_method_find(runs[r].method),
                                                   .end = 3,
                                                   .step = runs[r].step,
                                                   .tolerance = runs[r].tolerance});
        const double within = r == 0 ? 1e-7 : r == 1 ? 2e-6 : 1e-5, before = feedback_at(2.5);
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_last(&h, 0), feedback_at(3), within);
        CHECK_CLOSE(harness_last(&h, 1), feedback_at(2), within);
        CHECK_CLOSE(harness_last(&h, 2), before * before + sin(2.7), within);
        CHECK_CLOSE(harness_last(&h, 3), exp(3 - 0.25), 10 * within);
        harness_free(&h);
    }
    harness_verbose = 0;
    static const char *const wrong[] = {
        MODEL("<block-type name='p'><output name='y'/><equation>y = delay(t, -1 "
              "s)</equation></block-type><p id='p'/>"),
        MODEL("<block-type name='p'><output name='y'/><state name='x'/><equation>der(x) = "
              "1</equation>"
              "<equation>y = delay(der(x), 1 s)</equation></block-type><p id='p'/>"),
        MODEL("<block-type name='p'><output name='y'/><equation>y = delay(t, 2 "
              "m)</equation></block-type><p id='p'/>"),
        MODEL("<block-type name='p'><output name='y'/><equation>y = "
              "rate(t)</equation></block-type><p id='p'/>"),
        MODEL("<parameter name='a' value='delay(1, 2)'/><constant id='c' value='a'/>")};
    static const char *const says[] = {"negative", "derivative", "times in s", "rate()", "delay()"};
    for (int k = 0; k < 5; k++) {
        harness h = harness_run(wrong[k], "", "rk4", 1, 0.1);
        CU_ASSERT_EQUAL(h.status, LINNET_MODEL);
        const char *text = ln_report_text(h.report, 0);
        CU_ASSERT(text != NULL && strstr(text, says[k]) != NULL);
        harness_free(&h);
    }
    harness_verbose = 1;
}

/* exp(-t) sin(10 t) */
#define RING                                                                         \
    "<block-type name='ringing'><output name='y'/><state name='x'/><state name='v' " \
    "start='10'/><equation>der(x) = v</equation>"                                    \
    "<equation>der(v) = -2*v - 101*x</equation><equation>y = x</equation></block-type>"

/* rate() finds where a signal turns, whatever the steps; jumps count, rest does not. */
static void turns(void) {
    static const char xml[] =
        MODEL("<block-type name='peaks'><input name='u'/><output name='n'/><memory "
              "name='count'/><memory name='at'/><memory name='top'/>"
              "<equation>n = count</equation><when condition='rate(u) lt 0'><set name='count' "
              "value='count + 1'/><set name='at' value='t'/>"
              "<set name='top' value='pre(u)'/></when></block-type>" RING
              "<ringing id='r' y='u'/><peaks id='p' u='u' n='n'/>"
              "<piecewise-linear id='s' out='v' points='0 0; 0.5 1; 1 1; 1 2; 1.5 2; 1.5 1; 2 3; 3 "
              "0; 4 0'/><peaks id='q' u='v' n='m'/>");
    static const struct {
        const char *method;
        double step, tolerance;
    } runs[] = {
        {"rk4", 0.01, 0}, {"crank-nicolson", 1e-3, 0}, {"radau5", 0, 1e-8}, {"rk45", 0, 1e-6}};
    for (int r = 0; r < 4; r++) {
        harness h = harness_run_with(xml, "n p.at p.top m q.at q.top",
                                     (ln_settings){.method = ln_method_find(runs[r].method),
                                                   .end = 4,
                                                   .step = runs[r].step,
                                                   .tolerance = runs[r].tolerance});
        CU_ASSERT_EQUAL_FATAL(h.status, LINNET_OK);
        /* tan(10 t) = 10: the first at atan(10)/10, a period later the next; 4 s hold 7 of them */
        const double last = (atan(10.0) + 6 * 2 * acos(-1)) / 10;
        CHECK_CLOSE(harness_last(&h, 0), 7, 0);
        CHECK_CLOSE(harness_last(&h, 1), last, r == 1 ? 2e-2 : r == 3 ? 1e-3 : 1e-5);
        if (r != 1)
            CHECK_CLOSE(harness_last(&h, 2), exp(-last) * sin(10 * last), r == 3 ? 1e-5 : 1e-6);
        CHECK_CLOSE(harness_last(&h, 3), 2, 0);
        CHECK_CLOSE(harness_last(&h, 4), 2, 1e-6);
        CHECK_CLOSE(harness_last(&h, 5), 3, 1e-6);
        harness_free(&h);
    }
}

/* Edges through a delay that is shorter than the step come back at times that rounding and the grid
 * move a little: the next step sees the other side all the same. The integral of a square wave is a
 * triangle. */
static const char edges[] = MODEL(
    "<square id='s' frequency='1' out='u'/><transport-delay id='d' in='u' out='y' delay='0.013'/>"
    "<integrator id='i' in='y' out='z'/>");

static void edges_arrive(void) {
    static const char *const methods[] = {"rk4", "euler", "crank-nicolson", "bdf2"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        CHECK_CLOSE(harness_end(edges, "z", methods[k], 3, 0.05), 0.013, 1e-12);
        CHECK_CLOSE(harness_end(edges, "z", methods[k], 6.513, 0.05), 0.5, 1e-12);
    }
}

/* A delay that varies, of what has kinks and jumps: T = 0.5 + 0.2 sin t, u is a square wave of
 * period 2 and a triangle. y = u(t - T(t)) changes where t - T(t) is a whole number, and its
 * integral by t - T, of (1 - T') y, is that of u: a closed form. Steps of 0.125 and less, so also T
 * within a step. */
#define VARYING(source, lag, gain)                                             \
    MODEL(source "<function id='l' out='T' expression='" lag "'/>"             \
                 "<variable-delay id='d' in='u' lag='T' out='y' longest='5'/>" \
                 "<function id='f' in='y' out='z' expression='u1*(" gain       \
                 ")'/><integrator id='i' in='z' out='w'/>")
static const char square[] =
    VARYING("<square id='s' frequency='0.5' out='u'/>", "0.5 + 0.2*sin(t)", "1 - 0.2*cos(t)");
static const char triangle[] =
    VARYING("<triangle id='s' frequency='0.5' out='u'/>", "0.5 + 0.2*sin(t)", "1 - 0.2*cos(t)");
static const char shorter_still[] =
    VARYING("<triangle id='s' frequency='0.5' out='u'/>", "0.03 + 0.02*sin(t)", "1 - 0.02*cos(t)");

/* Integrals of the waves from 0 to s; before 0 they count as 0. */
static double square_integral(double s) {
    return s <= 0 ? 0 : fmin(fmod(s, 2), 2 - fmod(s, 2));
}
static double triangle_integral(double s) {
    const double phase = fmod(s, 2); /* 0 to 1 at 0.5, to -1 at 1.5 */
    if (s <= 0)
        return 0;
    if (phase <= 0.5)
        return phase * phase;
    if (phase <= 1.5)
        return 0.5 - (phase - 1) * (phase - 1);
    return (2 - phase) * (2 - phase);
}

/* Over three halvings of the step: where breaks lie on the grid varies from one to the next. */
static double order_over_three(const char *xml, const char *method, double end, double step,
                               double exact) {
    const double coarse = fabs(harness_end(xml, "w", method, end, step) - exact);
    const double fine = fabs(harness_end(xml, "w", method, end, step / 8) - exact);
    return log2(coarse / fine) / 3;
}

static void breaks_of_varying_delays(void) {
    for (double t = 2; t < 9; t += 1.3) {
        const double s = t - 0.5 - 0.2 * sin(t), short_s = t - 0.03 - 0.02 * sin(t);
        CHECK_CLOSE(harness_end(square, "w", "rk4", t, 0.02), square_integral(s), 1e-9);
        CHECK_CLOSE(harness_end(triangle, "w", "rk4", t, 0.02), triangle_integral(s), 1e-8);
        CHECK_CLOSE(harness_end(shorter_still, "w", "rk4", t, 0.125), triangle_integral(short_s),
                    1e-6);
        harness h = harness_run_with(
            square, "w",
            (ln_settings){.method = ln_method_find("radau5"), .end = t, .tolerance = 1e-8});
        CHECK_CLOSE(harness_last(&h, 0), square_integral(s), 1e-7);
        harness_free(&h);
        h = harness_run_with(
            triangle, "w",
            (ln_settings){.method = ln_method_find("rk45"), .end = t, .tolerance = 1e-8});
        CHECK_CLOSE(harness_last(&h, 0), triangle_integral(s), 1e-6);
        harness_free(&h);
    }
    const double s = 8.3 - 0.5 - 0.2 * sin(8.3);
    CU_ASSERT(order_over_three(square, "rk4", 8.3, 0.2, square_integral(s)) > 3.7);
    CU_ASSERT(order_over_three(triangle, "rk4", 8.3, 0.4, triangle_integral(s)) > 3.5);
    CU_ASSERT(order_over_three(square, "crank-nicolson", 8.3, 0.1, square_integral(s)) > 1.7);
    CU_ASSERT(order_over_three(triangle, "crank-nicolson", 8.3, 0.1, triangle_integral(s)) > 1.8);
}

/* x' = -x(t - T), T = t/2: x(t/2), the pantograph equation: x = sum (-1)^k 2^(-k(k-1)/2) t^k/k!
 * [Kato and McLeod, 1971]. Runs from a start at which T = 0. And a time that turns back: t - T
 * falls where T grows faster than t, so the wave is read backwards, and forwards again, across the
 * same kink. */
static const char pantograph[] =
    MODEL("<block-type name='p'><output name='y'/><state name='x' start='1'/>"
          "<equation>der(x) = -delay(x, t/2)</equation><equation>y = x</equation></block-type><p "
          "id='p'/>");
static const char backwards[] =
    VARYING("<triangle id='s' frequency='0.5' out='u'/>", "1 + 0.9*sin(2*t)", "1 - 1.8*cos(2*t)");

static void other_ways(void) {
    double exact = 0, term = 1;
    for (int k = 0; k < 30; k++) {
        exact += term * exp2(-0.5 * k * (k - 1));
        term *= -3.0 / (k + 1);
    }
    CHECK_CLOSE(harness_end(pantograph, "p.y", "rk4", 3, 0.01), exact, 1e-6);
    CHECK_CLOSE(harness_end(pantograph, "p.y", "crank-nicolson", 3, 0.005), exact, 1e-5);
    for (double t = 3; t < 8; t += 1.1)
        CHECK_CLOSE(harness_end(backwards, "w", "rk4", t, 0.02),
                    triangle_integral(t - 1 - 0.9 * sin(2 * t)), 1e-7);
    CU_ASSERT(order_over_three(backwards, "rk4", 7.9, 0.1,
                               triangle_integral(7.9 - 1 - 0.9 * sin(2 * 7.9))) > 3.5);
}

UNIT_MAIN({"edges arrive", edges_arrive}, {"the method of steps", method_of_steps},
          {"shorter than a step", shorter_than_a_step}, {"a delay that varies", varies},
          {"breaks of delays that vary", breaks_of_varying_delays},
          {"other ways of time", other_ways}, {"an edge arrives", edge_arrives},
          {"delays in equations", in_equations}, {"turns", turns})
