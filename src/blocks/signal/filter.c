/* SPDX-License-Identifier: MIT */
/* analog-filter: Butterworth, Chebyshev (type I), Bessel and critically damped filters of any
 * order, low-, high-, band-pass and band-stop.
 *
 * The poles of the low-pass that is 3 dB down at 1 rad/s are known in closed form (L. D. Paarmann,
 * Design and Analysis of Analog Filters, 2001, chapters 3 and 4; Bessel's: bessel.c); s is then
 * replaced by s/w0, w0/s, (s^2 + w0^2)/(B s) or its inverse, and the poles go with it. The result
 * is a cascade of second-order sections with a gain of one in the pass band. */
#include "blocks/signal/bessel.h"
#include "base/constants.h"
#include "blocks/signal/interpolate.h"
#include "base/report.h"
#include "blocks/equations.h"
#include "expression/graph.h"
#include "model/model.h"

#include <complex.h>
#include <math.h>

enum { IN, OUT };
enum { DESIGN, PASS, ORDER, FREQUENCY, UPPER, RIPPLE };
typedef enum design { BUTTERWORTH, CHEBYSHEV, BESSEL, CRITICAL, DESIGNS } design;
typedef enum pass { LOW, HIGH, BAND, STOP, PASSES } pass;
static const char *const design_names[DESIGNS] = {"butterworth", "chebyshev", "bessel", "critical"};
static const char *const pass_names[PASSES] = {"low", "high", "band", "stop"};

static const linnet_port ports[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT, "input"},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "output"},
};
static const linnet_param params[] = {
    {.name = "design",
     .default_text = "butterworth",
     LN_FREE,
     .flags = LINNET_TEXT | LINNET_STRUCTURAL,
     .doc = "butterworth, chebyshev (ripple in the pass band), bessel (flat delay) or critical (no "
            "overshoot)"},
    {.name = "pass",
     .default_text = "low",
     LN_FREE,
     .flags = LINNET_TEXT | LINNET_STRUCTURAL,
     .doc = "what passes: low or high frequencies, a band, or all but a band (stop)"},
    {.name = "order",
     .default_text = "2",
     .unit = "",
     .min = 1,
     .max = 40,
     .flags = LINNET_STRUCTURAL | LINNET_INTEGER,
     .doc = "order; a band takes twice as many states"},
    {.name = "frequency",
     .unit = "Hz",
     .min = 0,
     .max = INFINITY,
     .flags = LINNET_REQUIRED | LINNET_STRUCTURAL | LINNET_OPEN_MIN,
     .doc = "where half the power passes; lower end of a band"},
    {.name = "upper",
     .unit = "Hz",
     .default_text = "0",
     .min = 0,
     .max = INFINITY,
     .flags = LINNET_STRUCTURAL,
     .doc = "upper end of the band"},
    {.name = "ripple",
     .unit = "",
     .default_text = "1",
     .min = 0,
     .max = 3,
     .flags = LINNET_STRUCTURAL | LINNET_OPEN_MIN,
     .doc = "ripple of a Chebyshev filter in decibels"},
};
static const linnet_block_class face = {
    .abi = LINNET_ABI,
    .name = "analog-filter",
    .doc = "Butterworth, Chebyshev, Bessel or critically damped filter of any order",
    .formula = "out = H(s)*in, abs(H) = 1 at most in the pass band, 3 dB down at its ends\n"
               "(Paarmann, Design and Analysis of Analog Filters, 2001, chapters 3, 4 and 6)",
    .example = "<analog-filter id=\"f1\" in=\"u\" out=\"y\" design=\"butterworth\" pass=\"low\" "
               "order=\"4\" frequency=\"10 Hz\"/>",
    .ports = ports,
    .nports = 2,
    .params = params,
    .nparams = 6,
    .reference_port = -1};

/* Pole k (from 0) of the low-pass of order n; those of a pair are k and n - 1 - k. *peak: its gain
 * at rest. */
static double complex prototype(design kind, int n, int k, double ripple, double *peak) {
    const double angle = LN_PI * (2 * k + 1) / (2 * n);
    *peak = 1;
    if (kind == CRITICAL)
        return -1 / sqrt(expm1(log(2) / n));
    if (kind == BUTTERWORTH)
        return -sin(angle) + I * cos(angle);
    const double size = sqrt(expm1(log(10) * ripple / 10)), a = asinh(1 / size) / n;
    /* 3 dB down there, the ripple ends at 1 */
    const double end = cosh(acosh(fmax(1 / size, 1)) / n);
    if (n % 2 == 0)
        *peak = 1 / sqrt(1 + size * size);
    return (-sinh(a) * sin(angle) + I * cosh(a) * cos(angle)) / end;
}

typedef struct roots {
    double complex *at;
    int count;
} roots;

static void add_root(roots *list, double complex root) {
    list->at[list->count++] = root;
}

/* The poles of s^2 - p B s + w0^2. */
static void add_band(roots *list, double complex pole, double w0, double width) {
    double complex middle = pole * width / 2, apart = csqrt(middle * middle - w0 * w0);
    add_root(list, middle + apart);
    add_root(list, middle - apart);
}

static void transform(pass kind, double complex pole, double low, double high, roots *poles,
                      roots *zeros) {
    const double w0 = sqrt(low * high);
    switch (kind) {
    case LOW: add_root(poles, pole * low); break;
    case HIGH:
        add_root(poles, low / pole);
        add_root(zeros, 0);
        break;
    case BAND:
        add_band(poles, pole, w0, high - low);
        add_root(zeros, 0);
        break;
    default:
        add_band(poles, 1 / pole, w0, high - low);
        add_root(zeros, I * w0);
        add_root(zeros, -I * w0);
    }
}

/* Real factors; of each pair of conjugates only the one above the axis counts. */
static int factors_of(const roots *list, ln_factor *factors) {
    int count = 0;
    for (int k = 0; k < list->count; k++) {
        const double re = creal(list->at[k]), im = cimag(list->at[k]);
        if (fabs(im) <= 1e-9 * cabs(list->at[k]))
            factors[count++] = (ln_factor){1, {1, -re, 0}};
        else if (im > 0)
            factors[count++] = (ln_factor){2, {1, -2 * re, re * re + im * im}};
    }
    return count;
}

/* Logarithm of the absolute value of the product of s - root. */
static double size_at(const roots *list, double complex s) {
    double sum = 0;
    for (int k = 0; k < list->count; k++)
        sum += log(cabs(s - list->at[k]));
    return sum;
}

/* The factor that makes the gain one at rest, in the middle of the band, or far above. */
static double gain_of(pass kind, double low, double high, const roots *poles, const roots *zeros) {
    if (kind == HIGH)
        return 1;
    const double complex s = kind == BAND ? I * sqrt(low * high) : 0;
    return exp(size_at(poles, s) - size_at(zeros, s));
}

/* What the parameters ask for; low, high: edges of the band, rad/s. */
typedef struct wish {
    design kind;
    pass passes;
    int order;
    double low, high;
} wish;

static linnet_status read_wish(const ln_shape *shape, wish *asked, ln_report *report) {
    const int kind =
        ln_choice(shape, "design", shape->texts[DESIGN], design_names, DESIGNS, report);
    const int passes = ln_choice(shape, "pass", shape->texts[PASS], pass_names, PASSES, report);
    if (kind < 0 || passes < 0)
        return LINNET_MODEL;
    *asked = (wish){(design)kind, (pass)passes, (int)shape->values[ORDER][0],
                    2 * LN_PI * shape->values[FREQUENCY][0], 2 * LN_PI * shape->values[UPPER][0]};
    if (passes >= BAND && !(asked->high > asked->low))
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "a band goes from frequency to upper, which must be above it");
    if (kind == BESSEL && asked->order > LN_BESSEL_MOST)
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "a Bessel filter has an order of at most %d here; put two in a row",
                       LN_BESSEL_MOST);
    return LINNET_OK;
}

/* The poles of the low-pass of 1 rad/s; peak: its gain at rest. */
static void find_prototype(const wish *asked, double ripple, double complex *pole, double *peak) {
    *peak = 1;
    if (asked->kind == BESSEL)
        ln_bessel_poles(asked->order, pole);
    for (int k = 0; k < asked->order && asked->kind != BESSEL; k++)
        pole[k] = prototype(asked->kind, asked->order, k, ripple, peak);
}

static linnet_status describe(const ln_shape *shape, ln_equations *e, ln_report *report) {
    wish asked;
    LN_TRY(read_wish(shape, &asked, report));
    LN_TRY(ln_sized_begin(&face, shape, e, report));
    const int n = asked.order;
    roots poles = {LN_NEW(e->arena, double complex, 2 * n), 0},
          zeros = {LN_NEW(e->arena, double complex, 2 * n), 0};
    ln_factor *pole_factors = LN_NEW(e->arena, ln_factor, 2 * n),
              *zero_factors = LN_NEW(e->arena, ln_factor, 2 * n);
    double complex *lowpass = LN_NEW(e->arena, double complex, n);
    if (poles.at == NULL || zeros.at == NULL || pole_factors == NULL || zero_factors == NULL ||
        lowpass == NULL)
        return ln_no_memory(report);
    double peak;
    find_prototype(&asked, shape->values[RIPPLE][0], lowpass, &peak);
    for (int k = 0; k < n; k++)
        transform(asked.passes, lowpass[k], asked.low, asked.high, &poles, &zeros);
    const double gain = peak * gain_of(asked.passes, asked.low, asked.high, &poles, &zeros);
    const int nzeros = factors_of(&zeros, zero_factors), npoles = factors_of(&poles, pole_factors);
    ln_node y = ln_add_cascade(e, zero_factors, nzeros, pole_factors, npoles,
                               ln_sized_port(e, shape, IN, 0));
    if (y == LN_NONE)
        return ln_no_memory(report);
    ln_add_equation(e, ln_sized_port(e, shape, OUT, 0),
                    ln_product2(e->graph, ln_constant(e->graph, gain), y));
    return LINNET_OK;
}

const ln_type ln_type_filter = {
    "analog-filter", "control", &face, describe, NULL, NULL, NULL, NULL};
