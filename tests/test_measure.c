/* SPDX-License-Identifier: MIT */
/* Measures against closed forms: curves alone, then whole runs. */
#include "unit.h"

#include "analysis/measure_curve.h"
#include "analysis/simulation.h"
#include "base/sys.h"
#include "model/model.h"
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- runs ---- */

typedef struct way {
    ln_report *report;
    ln_model *model;
    ln_simulation simulation;
    linnet_status status;
} way;

static way run(const char *xml, ln_request request) {
    way path = {.report = ln_report_new(NULL, NULL)};
    path.status = ln_model_read_memory("m.xml", xml, strlen(xml), NULL, path.report, &path.model);
    if (path.status == LINNET_OK)
        path.status =
            ln_simulation_prepare(&path.simulation, path.model, &request, 1, NULL, path.report);
    ln_sink sink = ln_sink_nowhere;
    if (path.status == LINNET_OK)
        path.status = ln_simulation_run(&path.simulation, &sink, NULL, NULL);
    return path;
}

static void end(way *path) {
    ln_simulation_free(&path->simulation);
    if (path->model != NULL)
        ln_model_free(path->model);
    ln_report_free(path->report);
}

static const ln_measured *named(const way *path, const char *name) {
    for (int k = 0; k < ln_measures_count(path->simulation.measures); k++)
        if (strcmp(ln_measures_at(path->simulation.measures, k)->name, name) == 0)
            return ln_measures_at(path->simulation.measures, k);
    printf("\n    no measure '%s': %s", name,
           ln_report_text(path->report, 0) != NULL ? ln_report_text(path->report, 0) : "");
    return NULL;
}

static double value(const way *path, const char *name) {
    const ln_measured *found = named(path, name);
    return found != NULL ? found->value : NAN;
}

#define SINE(simulation, more)                                                          \
    "<model name='sine' xmlns='urn:linnet:model:1'><sine id='s' out='y' amplitude='2' " \
    "frequency='3 Hz' offset='1'/>" simulation more "</model>"
#define MEASURE(name, kind, more) "<measure name='" name "' kind='" kind "' " more "/>"

/* y = 1 + 2 sin(6 pi t) at 24 points a period: what interpolation by lines or parabolas would miss
 * is 1e-2 to 1e-4. */
static void sine(void) {
    way path = run(
        SINE("<simulation duration='1 s' step='13.8888888888888888 ms' method='rk4'/>",
             MEASURE("most", "maximum", "signal='y'") MEASURE("least", "minimum", "signal='y'")
                 MEASURE("span", "peak-to-peak", "signal='y'") MEASURE("when", "time-of-maximum",
                                                                       "signal='y' to='0.2 s'")
                     MEASURE("mean", "mean", "signal='y'") MEASURE("rms", "rms", "signal='y'")
                         MEASURE("area", "integral", "signal='y' from='0.1 s' to='0.2 s'") MEASURE(
                             "f", "frequency", "signal='y'") MEASURE("T", "period",
                                                                     "signal='y' level='1'")
                             MEASURE("cross", "crossing",
                                     "signal='y' level='2' direction='falling' count='2'")
                                 MEASURE("final", "crossing",
                                         "signal='y' level='2' direction='falling' count='-1'")
                                     MEASURE("times", "crossings", "signal='y' level='2.9'")
                                         MEASURE("at", "value", "signal='y' at='0.123 s'") MEASURE(
                                             "first", "initial", "signal='y' from='50 ms'")
                                             MEASURE("last", "final", "signal='y' to='0.9 s'")
                                                 MEASURE("true", "first-time",
                                                         "condition='y gt 2.5' from='0.2 s'")
                                                     MEASURE("both", "first-time",
                                                             "condition='y gt 2.5 and t gt 0.2'")
                                                         MEASURE("long", "duration",
                                                                 "condition='y gt 2 or y lt 0'")
                                                             MEASURE("never", "first-time",
                                                                     "condition='y gt 4'")
                                                                 MEASURE("square", "maximum",
                                                                         "signal='y^2 - 1'")),
        (ln_request){.method = NULL});
    CU_ASSERT(path.status == LINNET_OK);
    const double w = 6 * pi;
    CHECK_CLOSE(value(&path, "most"), 3, 1e-7);
    CHECK_CLOSE(value(&path, "least"), -1, 1e-7);
    CHECK_CLOSE(value(&path, "span"), 4, 1e-7);
    CHECK_CLOSE(value(&path, "when"), 1.0 / 12, 1e-7);
    CHECK_CLOSE(value(&path, "mean"), 1, 1e-7);
    CHECK_CLOSE(value(&path, "rms"), sqrt(3), 1e-7);
    CHECK_CLOSE(value(&path, "area"), 0.1 + 2 / w * (cos(0.1 * w) - cos(0.2 * w)), 1e-8);
    CHECK_CLOSE(value(&path, "f"), 3, 1e-6);
    CHECK_CLOSE(value(&path, "T"), 1.0 / 3, 1e-7);
    CHECK_CLOSE(value(&path, "cross"), (5 * pi / 6 + 2 * pi) / w, 1e-7);
    CHECK_CLOSE(value(&path, "final"), (5 * pi / 6 + 4 * pi) / w, 1e-7);
    CHECK_CLOSE(value(&path, "times"), 6, 0);
    CHECK_CLOSE(value(&path, "at"), 1 + 2 * sin(0.123 * w), 1e-7);
    CHECK_CLOSE(value(&path, "first"), 1 + 2 * sin(0.05 * w), 1e-6);
    CHECK_CLOSE(value(&path, "last"), 1 + 2 * sin(0.9 * w), 1e-6);
    CHECK_CLOSE(value(&path, "true"), (asin(0.75) + 2 * pi) / w, 1e-7);
    /* its guard has a corner nearby */
    CHECK_CLOSE(value(&path, "both"), (asin(0.75) + 2 * pi) / w, 1e-4);
    CHECK_CLOSE(value(&path, "long"), 2.0 / 3, 1e-6);
    CU_ASSERT(isnan(value(&path, "never")));
    CHECK_CLOSE(value(&path, "square"), 8, 1e-6);
    end(&path);
}

/* A first-order and a second-order step response: y = 1 - e^-t; damping 0.2: overshoot exp(-pi
 * z/sqrt(1 - z^2)). */
static void steps(void) {
    way path = run(
        "<model name='steps' xmlns='urn:linnet:model:1'><step id='r' out='u' delay='1 s' "
        "height='2'/>"
        "<first-order id='a' in='u' out='x' T='1 s'/>"
        "<transfer-function id='b' in='u' out='y' numerator='1' denominator='1 0.4 1'/>"
        "<simulation duration='61 s' tolerance='1e-8'/>" MEASURE("rise", "rise-time", "signal='x'")
            MEASURE("rise2", "rise-time", "signal='x' low='20%' high='80%' final='2'")
                MEASURE("settle", "settling-time", "signal='x' from='1 s'")
                    MEASURE("settle5", "settling-time", "signal='x' from='1 s' band='5%' final='2'")
                        MEASURE("over", "overshoot", "signal='y'")
                            MEASURE("u", "rise-time", "signal='u'") MEASURE("jump", "crossing",
                                                                            "signal='u' level='1'")
                                MEASURE("after", "value", "signal='u' at='1 s'")
                                    MEASURE("mean", "mean", "signal='u'")
                                        MEASURE("peak", "time-of-maximum", "signal='y'") "</model>",
        (ln_request){.method = NULL});
    CU_ASSERT(path.status == LINNET_OK);
    CHECK_CLOSE(value(&path, "rise"), log(9), 1e-6);
    CHECK_CLOSE(value(&path, "rise2"), log(4), 1e-6);
    CHECK_CLOSE(value(&path, "settle"), log(50), 1e-5);
    CHECK_CLOSE(value(&path, "settle5"), log(20), 1e-6);
    /* what still swings after 60 s: 6e-6 */
    CHECK_CLOSE(value(&path, "over"), exp(-pi * 0.2 / sqrt(0.96)), 1e-4);
    CHECK_CLOSE(value(&path, "u"), 0, 0);
    CHECK_CLOSE(value(&path, "jump"), 1, 1e-12);
    CHECK_CLOSE(value(&path, "after"), 2, 0);
    CHECK_CLOSE(value(&path, "mean"), 120.0 / 61, 1e-9);
    CHECK_CLOSE(value(&path, "peak"), 1 + pi / sqrt(0.96), 1e-4);
    end(&path);
}

/* Units, and measures asked for beside the model; they add nothing to what is recorded. */
static void asked(void) {
    static const char *const texts[] = {"q = integral(R1.i, from=0, to=1ms)",
                                        "t63=crossing(out, level=0.5 V)", "e=maximum(in - out)",
                                        "maximum(C1.v)"};
    way path = run(
        "<model name='rc' xmlns='urn:linnet:model:1'><ground id='g' p='0'/>"
        "<voltage-source id='V1' p='in' n='0' V='1 V'/><resistor id='R1' p='in' n='out' R='1 "
        "kOhm'/>"
        "<capacitor id='C1' p='out' n='0' C='1 uF'/><simulation duration='5 ms' tolerance='1e-8'/>"
        "<record signals='out'/></model>",
        (ln_request){.measures = texts, .nmeasures = 4});
    CU_ASSERT(path.status == LINNET_OK);
    int ncolumns = 0;
    if (path.status == LINNET_OK)
        (void)ln_recorder_columns(path.simulation.recorder, &ncolumns);
    CHECK_CLOSE(ncolumns, 1, 0);
    CHECK_CLOSE(value(&path, "q") * 1e6, 1 - exp(-1), 1e-6);
    CHECK_CLOSE(value(&path, "t63") * 1e3, log(2), 1e-6);
    CHECK_CLOSE(value(&path, "e"), 1, 1e-9);
    CHECK_CLOSE(value(&path, "maximum(C1.v)"), 1 - exp(-5), 1e-6);
    if (named(&path, "q") != NULL)
        CHECK_TEXT(named(&path, "q")->unit, "C");
    end(&path);
}

/* ---- what is refused ---- */

/* ---- curves alone ---- */

typedef struct seen {
    double most, area;  /* the largest value; the integral */
    double level, when; /* where the level is passed last */
} seen;

static void look(void *context, const ln_piece *piece) {
    seen *result = context;
    result->most = fmax(result->most, fmax(piece->y0, piece->y1));
    result->area += ln_piece_integral(piece, piece->t0, piece->t1, 1);
    if ((piece->y0 - result->level) * (piece->y1 - result->level) <= 0)
        result->when = ln_piece_root(piece, result->level);
}

static seen curve_of(const double (*points)[2], int count, double level) {
    seen result = {.most = -INFINITY, .level = level, .when = NAN};
    ln_curve curve = {.visit = look, .context = &result};
    for (int k = 0; k < count; k++)
        ln_curve_add(&curve, points[k][0], points[k][1]);
    ln_curve_end(&curve);
    return result;
}

/* A diode lets go, and its potential falls: the steps of a run, in ps and V. A polynomial through
 * them rises by half between the two where the fall begins. */
static void falls(void) {
    static const double points[][2] = {
        {0, 18.4627},    {2.3, 18.4581},  {5.5, 18.4491}, {9.8, 18.4327},
        {15.5, 18.4040}, {22.5, 18.3613}, {28, 18.3219},  {31.9, 18.2883},
        {37.1, 18.1498}, {38.2, 2.718},   {38.4, -1.612}, {39, -13.40},
        {39.9, -33.56},  {41.2, -57.22},  {42.8, -65.43}, {44.1, -58.52}};
    CHECK_CLOSE(curve_of(points, 16, 0).most, 18.4627, 1e-12);
}

/* A slope that jumps between points of a smooth signal: y = t up to 1, exp(1 - t) from there on.
 * Each side is as smooth as without the other. */
static void kinks(void) {
    double points[41][2];
    for (int k = 0; k <= 40; k++) {
        const double t = points[k][0] = 0.1 * k;
        points[k][1] = k <= 10 ? t : exp(1 - t);
    }
    /* what a cubic through four points leaves: h^4/24 times 0.5 0.5 1.5 2.5 */
    CHECK_CLOSE(curve_of(points, 41, 0.95).when, 1 - log(0.95), 4e-6);
    CHECK_CLOSE(curve_of(points, 41, 0).area, 0.5 + 1 - exp(-3), 1e-6);
}

static void refuses(const char *text, const char *message) {
    const char *const texts[] = {text};
    way path = run(SINE("<simulation duration='1 s' step='10 ms'/>", ""),
                   (ln_request){.measures = texts, .nmeasures = 1, .prefix = "--"});
    CU_ASSERT(path.status == LINNET_USAGE);
    const char *told = ln_report_text(path.report, 0);
    if (told == NULL || strstr(told, message) == NULL) {
        printf("\n    %s: is \"%s\"\n    expected \"%s\" in it", text,
               told != NULL ? told : "(none)", message);
        CU_FAIL("message");
    }
    end(&path);
}

static void errors(void) {
    refuses("a=maxmum(y)", "did you mean 'maximum'?");
    refuses("a=maximum(z)", "there is no 'z'");
    refuses("maximum y", "write NAME=KIND(SIGNAL, OPTION=VALUE)");
    refuses("a=maximum(y, lvl=1)", "takes no 'lvl'");
    refuses("a=crossing(y)", "needs 'level'");
    refuses("a=value(y, at=2 s)", "outside of the run");
    refuses("a=crossing(y, level=1, direction=up)", "rising, falling or either");
    refuses("a=rise-time(y, low=90%, high=10%)", "low must be below high");
    refuses("a=mean(y, from=0.5 s, to=0.2 s)", "window is empty");
    refuses("a=mean(y, from=1 V)", "from=1 V");
}

/* What bends and jumps in the measure alone, of sin(t) over two periods: closed forms, in steps of
 * a sixteenth of a period. floor(x) + floor(-x) = -1 but at whole numbers. */
static void decisions(void) {
    static const char *const methods[] = {"rk45", "radau5", "ida"};
    for (int k = 0; k < 3; k++) {
        way path = run(
            "<model name='decisions' xmlns='urn:linnet:model:1'><block-type name='swing'>"
            "<output name='y'/><state name='p' start='1'/><state name='q'/>"
            "<equation>der(p) = -q</equation><equation>der(q) = p</equation>"
            "<equation>y = q</equation></block-type><swing id='a' y='y'/>" MEASURE(
                "half", "integral", "signal='max(y, 0)'") MEASURE("size", "mean", "signal='abs(y)'")
                MEASURE("most", "maximum", "signal='if(y gt 0.3, 1 - y, y)'") MEASURE(
                    "long", "duration", "condition='y gt 0.5 and y lt 0.8'")
                    MEASURE("stairs", "mean", "signal='floor(3.9*y)'") MEASURE(
                        "rise", "rise-time",
                        "signal='max(y, 0)' from='6 s' to='7.853981633974483 s'")
                        MEASURE(
                            "plain", "integral",
                            "signal='y' to='3.141592653589793 s'") "<simulation "
                                                                   "duration='12.566370614359172 "
                                                                   "s' tolerance='1e-6'/></model>",
            (ln_request){.method = methods[k]});
        CU_ASSERT(path.status == LINNET_OK);
        CHECK_CLOSE(value(&path, "half"), 4, 2e-5);
        CHECK_CLOSE(value(&path, "size"), 2 / pi, 5e-6);
        CHECK_CLOSE(value(&path, "most"), 0.7, 1e-6);
        CHECK_CLOSE(value(&path, "long"), 4 * (asin(0.8) - asin(0.5)), 2e-5);
        CHECK_CLOSE(value(&path, "stairs"), -0.5, 2e-5);
        CHECK_CLOSE(value(&path, "rise"), asin(0.9) - asin(0.1), 2e-5);
        CHECK_CLOSE(value(&path, "plain"), 2, 2e-5);
        end(&path);
    }
}

/* A signal that stands at a level passes it as it leaves: at the start (ngspice has 0 s for the
 * first rise of a sine from zero), behind a delay, and where it has come down to it before. What
 * rounding makes of the end of a fall is no rise. */
static void leaves(void) {
    way path = run(
        "<model xmlns='urn:linnet:model:1'><sine id='S' out='y' frequency='1 kHz'/>"
        "<pulse id='P' out='p' delay='100 us' rise='10 us' width='200 us' fall='10 us' "
        "period='1 ms'/><simulation duration='3 ms' tolerance='1e-6'/>"
        "<record signals='y'/>" MEASURE("r1", "crossing", "signal='y' level='0' direction='rising'")
            MEASURE("r2", "crossing", "signal='y' level='0' direction='rising' count='2'")
                MEASURE("f1", "crossing", "signal='y' level='0' direction='falling'")
                    MEASURE("p1", "crossing", "signal='p' level='0' direction='rising'") MEASURE(
                        "p2", "crossing", "signal='p' level='0' direction='rising' count='2'")
                        MEASURE("rises", "crossings", "signal='p' level='0' direction='rising'")
                            MEASURE("both", "crossings", "signal='p' level='0' direction='either'")
                                MEASURE("top", "crossings",
                                        "signal='p' level='1' direction='rising'") "</model>",
        (ln_request){.method = NULL});
    CU_ASSERT(path.status == LINNET_OK);
    CHECK_CLOSE(value(&path, "r1"), 0, 0);
    CHECK_CLOSE(value(&path, "r2"), 1e-3, 1e-9);
    CHECK_CLOSE(value(&path, "f1"), 0.5e-3, 1e-9);
    CHECK_CLOSE(value(&path, "p1"), 0.1e-3, 1e-12);
    CHECK_CLOSE(value(&path, "p2"), 1.1e-3, 1e-12);
    CHECK_CLOSE(value(&path, "rises"), 3, 0);
    CHECK_CLOSE(value(&path, "both"), 6, 0);
    CHECK_CLOSE(value(&path, "top"), 3, 0);
    end(&path);
}

UNIT_MAIN({"a sine", sine}, {"a signal that leaves a level", leaves}, {"step responses", steps},
          {"a fall", falls}, {"kinks", kinks}, {"decisions", decisions}, {"units and texts", asked},
          {"errors", errors})
