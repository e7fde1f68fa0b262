/* SPDX-License-Identifier: MIT */
/* Signal blocks one by one against formulas of time that are computed here in another way. Each
 * runs by an explicit and an implicit method; at every accepted instant the value is that just
 * before or just after it. */
#include "harness.h"
#include "unit.h"

#define PI 3.14159265358979323846
#define MODEL(body) "<model xmlns='urn:linnet:model:1'>" body "</model>"

typedef double formula(double t);
typedef struct item {
    const char *blocks;
    formula *f;
} item;

/* u = 1.9 sin(2 pi t + 0.1), w = 0.7, c = cos(2 pi t) feed the blocks; y is looked at over [0, 2].
 */
#define INPUTS                                                                               \
    "<sine id='su' out='u' amplitude='1.9' frequency='1 Hz' phase='0.1'/><constant id='sw' " \
    "out='w' value='0.7'/>"                                                                  \
    "<sine id='sc' out='c' frequency='1 Hz' phase='90 deg'/>"
static double u(double t) {
    return 1.9 * sin(2 * PI * t + 0.1);
}
static double c(double t) {
    return cos(2 * PI * t);
}

static void follow(const item *entry, const char *method, double tolerance) {
    char xml[2048];
    snprintf(xml, sizeof xml, MODEL(INPUTS "%s"), entry->blocks);
    harness h = harness_run(xml, "y", method, 2, 0.01);
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    if (h.status != LINNET_OK)
        printf("\n    %s (%s): %s\n", entry->blocks, method, ln_report_text(h.report, 0));
    CU_ASSERT(h.rows > 100);
    int bad = 0;
    for (size_t row = 0; row < h.rows; row++) {
        double t = h.time[row], y = h.value[row], room = tolerance * fmax(1, fabs(y));
        if (fabs(y - entry->f(t - 1e-11)) <= room || fabs(y - entry->f(t + 1e-11)) <= room)
            continue;
        if (bad++ == 0)
            printf("\n    %s (%s): y(%.17g) = %.17g, expected %.17g\n", entry->blocks, method, t, y,
                   entry->f(t));
    }
    CU_ASSERT_EQUAL(bad, 0);
    harness_free(&h);
}

static void follow_all(const item *items, size_t count, double tolerance) {
    harness_verbose = 0; /* inputs that not every model reads */
    for (size_t k = 0; k < count; k++) {
        follow(&items[k], "rk4", tolerance);
        follow(&items[k], "backward-euler", tolerance);
    }
    harness_verbose = 1;
}
#define FOLLOW(items, tolerance) follow_all(items, sizeof items / sizeof *items, tolerance)

/* ---- waveforms ---- */

static double wave_square(double t) {
    if (t < 0.25)
        return 1;
    double position = fmod(2 * (t - 0.25) + 0.25, 1);
    return position < 0.3 ? 4 : -2;
}
static double wave_triangle(double t) {
    return 1 + 2 * asin(sin(2 * PI * 1.5 * t + PI / 3)) * 2 / PI;
}
static double wave_sawtooth(double t) {
    return t < 0.1 ? -1 : -1 + 3 * fmod(2.5 * (t - 0.1), 1);
}
static double wave_trapezoid(double t) {
    double s = fmod(t - 0.2, 0.8);
    if (t < 0.2 || t >= 0.2 + 2 * 0.8)
        return 0.5;
    return 0.5 + 2 * (s < 0.1 ? s / 0.1 : s < 0.3 ? 1 : s < 0.5 ? 1 - (s - 0.3) / 0.2 : 0);
}
static double wave_impulse(double t) {
    return t >= 0.3 && t < 0.35 ? 1 / 0.05 : 0;
}
static double wave_sinc(double t) { /* its series around the peak */
    double x = 2 * PI * 1.5 * (t - 0.5);
    return fabs(x) < 1e-4 ? 1 + 2 * (1 - x * x / 6) : 1 + 2 * sin(x) / x;
}
/* by integrating the acceleration */
static double path(double t, double way, double v, double a, int order) {
    double reached = fmin(v, sqrt(way * a)), top = reached / a, hold = way / reached - top;
    double s = fmin(fmax(t, 0), 2 * top + hold), x1 = a * top * top / 2;
    if (order == 2)
        return s < top ? a : s < top + hold ? 0 : -a;
    if (s < top)
        return order ? a * s : a * s * s / 2;
    if (s < top + hold)
        return order ? reached : x1 + reached * (s - top);
    double r = s - top - hold;
    return order ? reached - a * r : x1 + reached * hold + reached * r - a * r * r / 2;
}
static double move_long(double t) {
    return 0.25 - path(t - 0.2, 1.2, 1, 4, 0);
}
static double move_short(double t) {
    return path(t - 0.2, 0.25, 4, 4, 0);
}
static double move_rate(double t) {
    return -path(t - 0.2, 1.2, 1, 4, 1);
}
static double chirp_at(double cycles) {
    return 1 + 2 * sin(2 * PI * cycles + PI / 6);
}
/* The phase as the integral of the frequency, by Simpson's rule. */
static double integrate(formula *frequency, double end) {
    double sum = 0, h = end / 2000;
    for (int k = 0; k < 2000; k += 2)
        sum += frequency(k * h) + 4 * frequency((k + 1) * h) + frequency((k + 2) * h);
    return sum * h / 3;
}
static double s_of(double t) {
    return fmin(fmax(t - 0.35, 0), 1);
}
static double f_quadratic(double s) {
    return s < 1 ? 0.5 + 2.5 * s * s : 3;
}
static double f_exponential(double s) {
    return 0.5 * pow(6, s);
}
static double f_hyperbolic(double s) {
    return 1 / (2 + (1 / 3.0 - 2) * s);
}
static double swept(double t, formula *f) {
    return chirp_at(integrate(f, s_of(t)) + 3 * fmax(t - 1.35, 0));
}
static double chirp_quadratic(double t) {
    return swept(t, f_quadratic);
}
static double chirp_exponential(double t) {
    return swept(t, f_exponential);
}
static double chirp_hyperbolic(double t) {
    return swept(t, f_hyperbolic);
}
static double chirp_product(double t) {
    return chirp_at((0.5 + 2.5 * s_of(t)) * s_of(t) + 3 * fmax(t - 1.35, 0));
}
static double chirp_again(double t) {
    return sin(2 * PI * (fmod(t, 0.8) + 2 * pow(fmod(t, 0.8), 2) / 1.6));
}
static double sweep(double t) {
    return exp(log(2) + fmin(fmax(t - 0.5, 0), 1) * log(500));
}
#define CHIRP "offset='1' amplitude='2' f0='0.5' f1='3' duration='1' delay='0.35' phase='30 deg'/>"

static void waveforms(void) {
    static const item items[] = {
        {"<square id='s' out='y' frequency='2' amplitude='3' offset='1' duty='0.3' phase='90 deg' "
         "delay='0.25'/>",
         wave_square},
        {"<triangle id='s' out='y' frequency='1.5' amplitude='2' offset='1' phase='60 deg'/>",
         wave_triangle},
        {"<sawtooth id='s' out='y' frequency='2.5' amplitude='3' offset='-1' delay='0.1'/>",
         wave_sawtooth},
        {"<trapezoid id='s' out='y' rise='0.1' width='0.2' fall='0.2' period='0.8' count='2' "
         "delay='0.2' offset='0.5'"
         " amplitude='2'/>",
         wave_trapezoid},
        {"<impulse id='s' out='y' width='50 ms' delay='0.3 s'/>", wave_impulse},
        {"<sinc-pulse id='s' out='y' frequency='1.5' amplitude='2' offset='1' delay='0.5' "
         "begin='-1'/>",
         wave_sinc},
        {"<point-to-point id='s' out='y' distance='-1.2' speed='1' acceleration='4' offset='0.25' "
         "delay='0.2'/>",
         move_long},
        {"<point-to-point id='s' out='y' distance='0.25' speed='4' acceleration='4' delay='0.2'/>",
         move_short},
        {"<point-to-point id='s' rate='y' distance='-1.2' speed='1' acceleration='4' delay='0.2'/>",
         move_rate},
        {"<quadratic-chirp id='s' out='y' " CHIRP, chirp_quadratic},
        {"<exponential-chirp id='s' out='y' " CHIRP, chirp_exponential},
        {"<hyperbolic-chirp id='s' out='y' " CHIRP, chirp_hyperbolic},
        {"<product-chirp id='s' out='y' " CHIRP, chirp_product},
        {"<chirp id='s' out='y' f0='1' f1='3' duration='0.8' repeat='1'/>", chirp_again},
        {"<exponential-sweep id='s' out='y' from='2' to='1000' duration='1' delay='0.5'/>", sweep},
    };
    FOLLOW(items, 1e-8);
}

/* A chirp of equal frequencies is a sine, whatever its law. */
static double plain_sine(double t) {
    return sin(2 * PI * 2 * t);
}
static void chirps_of_one_frequency(void) {
    static const item items[] = {
        {"<quadratic-chirp id='s' out='y' f0='2' f1='2' duration='1'/>", plain_sine},
        {"<exponential-chirp id='s' out='y' f0='2' f1='2' duration='1'/>", plain_sine},
        {"<hyperbolic-chirp id='s' out='y' f0='2' f1='2' duration='1'/>", plain_sine},
    };
    FOLLOW(items, 1e-9);
}

/* ---- functions ---- */

static double f_abs(double t) {
    return fabs(u(t));
}
static double f_sign(double t) {
    return u(t) > 0 ? 1 : -1;
}
static double f_sqrt(double t) {
    return hypot(1, u(t));
}
static double f_exp(double t) {
    return pow(2.718281828459045, u(t));
}
static double f_log(double t) {
    return 3 * u(t);
}
static double f_tan(double t) {
    return sin(c(t)) / cos(c(t));
}
static double f_asin(double t) {
    return PI / 2 - acos(c(t));
}
static double f_atan2(double t) {
    return remainder(atan(tan(2 * PI * t)) + (c(t) < 0 ? PI : 0), 2 * PI);
}
static double f_tanh(double t) {
    return 1 - 2 / (exp(2 * u(t)) + 1);
}
static double f_floor(double t) {
    return u(t) < -1 ? -2 : u(t) < 0 ? -1 : u(t) < 1 ? 0 : 1;
}
static double f_quantizer(double t) {
    return 0.1 + 0.5 * (double)lrint((u(t) - 0.1) / 0.5);
}
static double f_wrap(double t) {
    return atan2(sin(20 * t), cos(20 * t));
}
static double f_limits(double t) {
    return u(t) < c(t) ? c(t) < 0.7 ? c(t) : 0.7 : u(t) > 0.7 ? 0.7 : u(t);
}
static double f_polynomial(double t) {
    return 2 * pow(u(t), 3) - u(t) + 0.5;
}
static double f_celsius(double t) {
    return (u(t) - 32 + 32) + 273.15;
}
static double f_rpm(double t) {
    return u(t) * 2 * PI / 60;
}
static double f_modulo(double t) {
    return fmod(u(t) + 3 * 1.5, 1.5);
}
static double f_coulomb(double t) {
    return (u(t) > 0 ? 3 : -3) + 0.25 * u(t);
}

static double f_acos(double t) {
    return PI / 2 - asin(0.9 * c(t));
}
static double f_atan(double t) {
    return atan2(u(t), 1);
}
static double f_ceil(double t) {
    return -floor(-u(t));
}
static double f_round(double t) {
    return u(t) < 0 ? -floor(0.5 - u(t)) : floor(0.5 + u(t));
}
static double f_trunc(double t) {
    return u(t) < 0 ? -floor(-u(t)) : floor(u(t));
}
static double f_square(double t) {
    return pow(u(t), 2);
}
static double f_reciprocal(double t) {
    return exp(-u(t));
}
static double f_log10(double t) {
    return u(t) / log(10);
}
/* the maximum of a and b: half their sum and their distance, rounded by w */
static double f_smooth(double t) {
    double least = (u(t) + 1.5 - sqrt(pow(u(t) - 1.5, 2) + 1e-4)) / 2;
    return (least - 1 + sqrt(pow(least + 1, 2) + 1e-4)) / 2;
}

static void functions(void) {
    static const item items[] = {
        {"<abs id='f' in='u' out='y'/>", f_abs},
        {"<polynomial id='a' in='u' coefficients='1 0 1' out='v'/><sqrt id='f' in='v' out='y'/>",
         f_sqrt},
        {"<constant id='k' value='1' out='a'/><hypot id='f' in='u' with='a' out='y'/>", f_sqrt},
        {"<exp id='f' in='u' out='y'/>", f_exp},
        {"<tan id='f' in='c' out='y'/>", f_tan},
        {"<sine id='g' frequency='1 Hz' out='v'/><atan2 id='f' in='v' x='c' out='y'/>", f_atan2},
        {"<tanh id='f' in='u' out='y'/>", f_tanh},
        {"<floor id='f' in='u' out='y'/>", f_floor},
        {"<quantizer id='f' in='u' step='0.5' offset='0.1' out='y'/>", f_quantizer},
        {"<ramp id='r' out='a' slope='20'/><wrap-angle id='f' in='a' out='y'/>", f_wrap},
        {"<variable-saturation id='f' in='u' low='c' high='w' out='y'/>", f_limits},
        {"<polynomial id='f' in='u' coefficients='2 0 -1 0.5' out='y'/>", f_polynomial},
        {"<convert id='f' in='u' from='degC' to='K' out='y'/>", f_celsius},
        {"<convert id='f' in='u' from='rpm' to='rad/s' out='y'/>", f_rpm},
        {"<modulo id='f' in='u' by='1.5' out='y'/>", f_modulo},
        {"<coulomb id='f' in='u' level='3' slope='0.25' out='y'/>", f_coulomb},
        {"<sign id='f' in='u' out='y'/>", f_sign},
        {"<gain id='g' in='c' k='0.9' out='v'/><acos id='f' in='v' out='y'/>", f_acos},
        {"<atan id='f' in='u' out='y'/>", f_atan},
        {"<ceil id='f' in='u' out='y'/>", f_ceil},
        {"<round id='f' in='u' out='y'/>", f_round},
        {"<trunc id='f' in='u' out='y'/>", f_trunc},
        {"<square-of id='f' in='u' out='y'/>", f_square},
        {"<exp id='e' in='u' out='v'/><reciprocal id='f' in='v' out='y'/>", f_reciprocal},
        {"<exp id='e' in='u' out='v'/><log10 id='f' in='v' out='y'/>", f_log10},
        {"<smooth-saturation id='f' in='u' min='-1' max='1.5' width='0.01' out='y'/>", f_smooth},
    };
    FOLLOW(items, 1e-7);
}

/* Without a value where all signals are zero, which is where an implicit start begins to look. */
static void functions_in_their_domain(void) {
    static const item items[] = {
        {"<exp id='e' in='u' out='v'/><power id='p' in='v' out='x' exponent='3'/><log id='f' "
         "in='x' out='y'/>",
         f_log},
        {"<sin id='a' in='c' out='s'/><cos id='b' in='c' out='k'/><division id='f' in='s' by='k' "
         "out='y'/>",
         f_tan},
        {"<asin id='f' in='c' out='y'/>", f_asin},
        {"<sinh id='a' in='u' out='s'/><cosh id='b' in='u' out='k'/><division id='f' in='s' by='k' "
         "out='y'/>",
         f_tanh},
    };
    harness_verbose = 0;
    for (size_t k = 0; k < sizeof items / sizeof *items; k++)
        follow(&items[k], "rk4", 1e-7);
    harness_verbose = 1;
}

/* ---- comparison and logic ---- */

static double l_greater(double t) {
    return u(t) > 0.7;
}
static double l_less(double t) {
    return u(t) < 0.5;
}
static double l_near(double t) {
    return fabs(u(t) - c(t)) <= 0.4;
}
static double l_interval(double t) {
    return u(t) >= -0.5 && u(t) <= 1;
}
static double l_not(double t) {
    return !(u(t) > 0.5);
}
static double l_and(double t) {
    return u(t) > 0.5 && c(t) > 0.5;
}
static double l_or(double t) {
    return u(t) > 0.5 || c(t) > 0.5;
}
static double l_nand(double t) {
    return l_and(t) == 0;
}
static double l_nor(double t) {
    return l_or(t) == 0;
}
static double l_xor(double t) {
    return ((u(t) > 0.5) + (c(t) > 0.5) + 1) % 2;
}
static double l_xnor(double t) {
    return 1 - l_xor(t);
}
static double l_switch(double t) {
    return u(t) > 0.7 ? c(t) : -u(t);
}
static double l_multi(double t) {
    return 2 * t < 1.5 ? u(t) : 2 * t < 2.5 ? c(t) : 0.7;
}
static double l_implies(double t) {
    return u(t) > 0.5 ? c(t) > 0.5 : 1;
}

static void logic(void) {
    static const item items[] = {
        {"<greater id='l' in='u' than='w' out='y'/>", l_greater},
        {"<greater-equal id='l' in='u' threshold='0.7' out='y'/>", l_greater},
        {"<less id='l' in='u' threshold='0.5' out='y'/>", l_less},
        {"<less-equal id='l' in='u' threshold='0.5' out='y'/>", l_less},
        {"<near id='l' in='u' to='c' within='0.4' out='y'/>", l_near},
        {"<interval id='l' in='u' min='-0.5' max='1' out='y'/>", l_interval},
        {"<not id='l' in='u' out='y'/>", l_not},
        {"<and id='l' in='u c w' out='y'/>", l_and},
        {"<or id='l' in='u c' out='y'/>", l_or},
        {"<nand id='l' in='u c' out='y'/>", l_nand},
        {"<nor id='l' in='u c' out='y'/>", l_nor},
        {"<xor id='l' in='u c w' out='y'/>", l_xor},
        {"<xnor id='l' in='u c w' out='y'/>", l_xnor},
        {"<implies id='l' in='u' that='c' out='y'/>", l_implies},
        {"<gain id='g' in='u' k='-1' out='m'/><switch id='l' condition='u' threshold='0.7' "
         "then='c' else='m' out='y'/>",
         l_switch},
        {"<ramp id='r' slope='2' out='n'/><multi-switch id='l' in='u c w' select='n' out='y'/>",
         l_multi},
    };
    FOLLOW(items, 1e-7);
}

/* ---- control and statistics ---- */

static double k_pi(double t) {
    return 2 * (0.7 + 0.7 * t / 0.5);
}
/* u > 0.5 from asin(0.5/1.9) on, half a period less twice that */
static double k_timer(double t) {
    double first = (asin(0.5 / 1.9) - 0.1) / (2 * PI),
           last = (PI - asin(0.5 / 1.9) - 0.1) / (2 * PI);
    double s = t - floor(t);
    return s > first && s < last ? s - first : 0;
}
/* 0.7 t until u passes 0.5, then from w = 0.7 anew, each period */
static double k_reset(double t) {
    double first = (asin(0.5 / 1.9) - 0.1) / (2 * PI);
    return t < first ? 0.7 * t : 0.7 + 0.7 * (t - first - floor(t - first));
}
static double k_limited(double t) { /* integral of 0.7 - 1.4 from t = 1 on, waits at 0.5 */
    double top = 0.5 / 0.7;
    return t < top ? 0.7 * t : t < 1 ? 0.5 : 0.5 - 0.7 * (t - 1);
}
static double k_mean(double t) {
    return t < 1e-6 ? 1 : sin(2 * PI * t) / (2 * PI * t);
}
static double k_rms(double t) {
    return t < 1e-6 ? 1 : sqrt(0.5 + sin(4 * PI * t) / (8 * PI * t));
}
static double k_variance(double t) {
    return t < 1e-6 ? 0 : k_rms(t) * k_rms(t) - k_mean(t) * k_mean(t);
}
static double k_window(double t) { /* mean of cos(2 pi t) over the last quarter */
    int n = (int)floor(t / 0.25) - 1;
    return n < 0 ? 0 : (sin(PI / 2 * (n + 1)) - sin(PI / 2 * n)) / (PI / 2);
}
static double k_window_rms(double t) {
    return t < 0.5 ? 0 : sqrt(0.5);
}

static void control(void) {
    static const item items[] = {
        {"<pi id='k' in='w' k='2' T='0.5 s' out='y'/>", k_pi},
        {"<timer id='k' in='u' out='y'/>", k_timer},
        {"<reset-integrator id='k' in='w' reset='u' to='w' out='y'/>", k_reset},
        {"<step id='s' delay='1' offset='0.7' height='-1.4' out='d'/><constant id='z' value='0' "
         "out='n'/>"
         "<reset-integrator id='k' in='d' reset='n' max='0.5' min='-9' out='y'/>",
         k_limited},
    };
    static const item integrals[] = {
        {"<mean id='k' in='c' out='y'/>", k_mean},
        {"<rms id='k' in='c' out='y'/>", k_rms},
        {"<variance id='k' in='c' out='y'/>", k_variance},
        {"<window-mean id='k' in='c' window='0.25' out='y'/>", k_window},
        {"<window-rms id='k' in='c' window='0.5' out='y'/>", k_window_rms},
    };
    FOLLOW(items, 1e-7);
    harness_verbose = 0;
    for (size_t k = 0; k < sizeof integrals / sizeof *integrals; k++)
        follow(&integrals[k], "rk4", 1e-6);
    harness_verbose = 1;
}

/* Where f passes zero between two points with values of different signs. */
static double zero_of(double (*f)(double), double low, double high) {
    const double sign = f(low) > 0 ? 1 : -1;
    for (int k = 0; k < 100; k++) {
        const double middle = (low + high) / 2;
        *(sign * f(middle) > 0 ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

/* sin(2 pi t) behind rates of +-2: from t = 0 on the line 2 t to where it meets the sine, down from
 * there at -2, and so on by turns. */
static double line_at, line_since, line_rate;
static double above_line(double t) {
    return sin(2 * M_PI * t) - line_at - line_rate * (t - line_since);
}

static double limited_sine(double end) {
    line_at = line_since = 0;
    line_rate = 2;
    for (;;) {
        /* it meets the line behind its extreme, half a period at most from where it has left it */
        const double extreme = floor(2 * line_since + 0.5) / 2 + 0.25;
        const double met = zero_of(above_line, fmax(extreme, line_since + 0.01), extreme + 0.5);
        if (met > end)
            return line_at + line_rate * (end - line_since);
        line_at = sin(2 * M_PI * met);
        line_since = met;
        line_rate = -line_rate;
    }
}

/* y at the end, adaptively. */
static double adaptive_end(const char *xml, const char *method, double end, double tolerance) {
    harness h = harness_run_with(
        xml, "y",
        (ln_settings){.method = ln_method_find(method), .end = end, .tolerance = tolerance});
    const double value = h.status == LINNET_OK ? harness_last(&h, 0) : NAN;
    harness_free(&h);
    return value;
}

static void limit_rates(const char *xml, double end, double exact, double tolerance) {
    static const char *const fixed[] = {"rk4", "euler", "crank-nicolson", "tr-bdf2", "bdf2"},
                             *const adaptive[] = {"rk45", "radau5", "ida", "tr-bdf2", "bdf2"};
    for (size_t m = 0; m < sizeof fixed / sizeof *fixed; m++)
        CHECK_CLOSE(harness_end(xml, "y", fixed[m], end, 1e-2), exact, tolerance);
    for (size_t m = 0; m < sizeof adaptive / sizeof *adaptive; m++)
        CHECK_CLOSE(adaptive_end(xml, adaptive[m], end, 1e-6), exact, tolerance);
}

/* A rate limiter on ramps, jumps and sines, alone and with its own output around it. */
static void rates(void) {
    limit_rates(
        MODEL("<ramp id='r' slope='3' out='u'/><rate-limiter id='k' in='u' rising='2' out='y'/>"),
        1, 2, 1e-11);
    limit_rates(
        MODEL("<ramp id='r' slope='3' out='u'/><rate-limiter id='k' in='u' rising='4' out='y'/>"),
        1, 3, 1e-11);
    limit_rates(MODEL("<constant id='c' value='1' out='u'/>"
                      "<rate-limiter id='k' in='u' rising='0.4' begins='1' y0='0.5' out='y'/>"),
                1, 0.9, 1e-11);
    /* jumps up by 2 at 0.5 and 1, then down by 4 at 1.5, at +-3 and -5 */
    limit_rates(
        MODEL("<step id='a' delay='0.5' height='2' out='a'/><step id='b' delay='1' height='2' "
              "out='b'/>"
              "<step id='c' delay='1.5' height='-4' out='c'/><sum id='s' in='a b c' out='u'/>"
              "<rate-limiter id='k' in='u' rising='3' falling='-5' out='y'/>"),
        2, 3 - 2.5, 1e-11);
    limit_rates(MODEL("<sine id='s' frequency='1 Hz' out='u'/>"
                      "<rate-limiter id='k' in='u' rising='2' out='y'/>"),
                2.9, limited_sine(2.9), 1e-9);
    /* c = 3 (u - y): between the rates y = 3/4 u, so it is the limiter of 3/4 u */
    limit_rates(MODEL("<sine id='s' frequency='1 Hz' amplitude='4/3' out='u'/>"
                      "<sum id='e' in='u y' signs='+-' out='e'/><gain id='g' k='3' in='e' out='c'/>"
                      "<rate-limiter id='k' in='c' rising='2' out='y'/>"),
                2.9, limited_sine(2.9), 1e-9);
}

/* x' = y, y the limiter of 5 (1 - x) from y = 0 on at 4: y = 4 t until 4 t = 5 - 10 t^2, from there
 * 1 - x falls as exp(-5 t). */
static void rate_in_a_loop(void) {
    const char *body =
        MODEL("<constant id='r' value='1' out='r'/><sum id='e' in='r y' signs='+-' out='e'/>"
              "<gain id='g' k='5' in='e' out='c'/>"
              "<rate-limiter id='k' in='c' rising='4' falling='-100' begins='1' out='v'/>"
              "<integrator id='i' in='v' out='y'/>");
    const double met = (-4 + sqrt(16 + 200)) / 20, rest = 1 - 2 * met * met;
    static const char *const methods[] = {"rk45", "tr-bdf2", "bdf2", "radau5", "ida"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        CHECK_CLOSE(adaptive_end(body, methods[m], 1, 1e-5), 1 - rest * exp(-5 * (1 - met)), 2e-4);
    CHECK_CLOSE(harness_end(body, "y", "rk4", 1, 1e-2), 1 - rest * exp(-5 * (1 - met)), 1e-7);
}

/* The play of width 1 on 2 sin(2 pi t) has plateaus of +-1.5 (case V21). */
static void play(void) {
    const char *xml = MODEL("<sine id='s' amplitude='2' frequency='1 Hz' out='u'/><backlash id='k' "
                            "in='u' width='1' out='y'/>");
    static const char *const methods[] = {"rk4", "crank-nicolson", "tr-bdf2"};
    for (int m = 0; m < 3; m++) {
        harness h = harness_run(xml, "y", methods[m], 2, 0.01);
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        CHECK_CLOSE(harness_at(&h, 0, 0.2), 2 * sin(0.4 * PI) - 0.5, 1e-12);
        CHECK_CLOSE(harness_at(&h, 0, 0.3), 1.5, 1e-12); /* the plateaus of case V21 */
        CHECK_CLOSE(harness_at(&h, 0, 0.7), 2 * sin(1.4 * PI) + 0.5, 1e-12);
        CHECK_CLOSE(harness_at(&h, 0, 0.8), -1.5, 1e-12);
        CHECK_CLOSE(harness_at(&h, 0, 1.3), 1.5, 1e-12);
        CU_ASSERT(h.statistics.events < 40);
        harness_free(&h);
    }
    /* Jumps: up by 3, down by less than the gap, down through it; and rest, at which nothing turns.
     */
    harness h = harness_run(MODEL("<piecewise-linear id='s' out='u' points='0 0; 1 0; 1 3; 2 3; 2 "
                                  "1.5; 3 1.5; 3 -2; 4 -2; 4.5 -2.5; 5 -2.5'/>"
                                  "<backlash id='k' in='u' width='2' out='y' y0='-5'/>"),
                            "y", "rk4", 5, 0.05);
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    static const double levels[][2] = {{0.5, -1}, {1.5, 2},      {2.5, 2},
                                       {3.5, -1}, {4.25, -1.25}, {5, -1.5}};
    for (int k = 0; k < 6; k++)
        CHECK_CLOSE(harness_at(&h, 0, levels[k][0]), levels[k][1], 1e-12);
    CU_ASSERT(h.statistics.events < 20);
    harness_free(&h);
}

/* A first-order plant under the two-degrees controller against its linear equations solved here by
 * small steps. */
static void two_degrees(void) {
    const char *xml = MODEL(
        "<constant id='s' value='1' out='r'/><pid-two-degrees id='k' set='r' in='y' out='v' k='3' "
        "Ti='0.4' Td='0.05' wp='0.6' wd='0.3' Nd='8'/><first-order id='p' in='v' T='1' out='y'/>");
    double y = 0, i = 0, d = 0;
    const double h = 1e-6, Td = 0.05, Nd = 8;
    for (int n = 0; n < 1000000; n++) {
        double v = 3 * (0.6 - y + i + Nd * (0.3 - y - d)),
               slope[3] = {v - y, (1 - y) / 0.4, (0.3 - y - d) * Nd / Td};
        y += h * slope[0], i += h * slope[1], d += h * slope[2];
    }
    CHECK_CLOSE(harness_end(xml, "y", "rk4", 1, 1e-3), y, 3e-6);
}

static void endings(void) {
    harness_verbose = 0;
    harness h =
        harness_run(MODEL("<ramp id='r' out='u'/><terminate id='k' in='u' threshold='0.7'/>"), "u",
                    "rk4", 2, 0.1);
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    CHECK_CLOSE(harness_last(&h, 0), 0.7, 1e-9);
    harness_free(&h);
    h = harness_run(
        MODEL("<ramp id='r' offset='1' slope='-1' out='u'/><assert-condition id='k' in='u' "
              "threshold='0.25'/>"),
        "u", "rk4", 2, 0.1);
    CU_ASSERT(h.status < 0);
    CHECK_CLOSE(harness_last(&h, 0), 0.25, 1e-9);
    harness_free(&h);
    harness_verbose = 1;
}

/* ---- noise ---- */

/* The same at other steps and methods, spread as it should be, and another with another seed. */
static void noise(void) {
    const char *xml =
        MODEL("<uniform-noise id='a' period='0.01' seed='7' min='-1' max='3' out='u'/>"
              "<uniform-noise id='b' period='0.01' seed='8' min='-1' max='3' out='v'/>"
              "<normal-noise id='n' period='0.01' seed='7' mean='2' deviation='3' out='w'/>");
    harness_verbose = 0;
    harness one = harness_run(xml, "u v w", "rk4", 100, 0.01),
            two = harness_run(xml, "u v w", "backward-euler", 100, 0.037);
    double sum[3] = {0}, square[3] = {0}, product = 0;
    int count = 0, differ = 0, last = -1;
    for (size_t row = 0; row < one.rows; row++) {
        const double *x = &one.value[3 * row];
        int n = (int)floor(one.time[row] * 100 + 0.5);
        if (n == last)
            continue;
        last = n, count++;
        for (int k = 0; k < 3; k++)
            sum[k] += x[k], square[k] += x[k] * x[k];
        product += (x[0] - 1) * (x[1] - 1);
        CU_ASSERT_FATAL(x[0] > -1 && x[0] < 3);
    }
    for (int k = 0; k < 400; k++) {
        /* between two samples: the value of the last row before */
        double t = 0.25 * k + 0.005, a = 0, b = 0;
        for (size_t row = 0; row < one.rows && one.time[row] < t; row++)
            a = one.value[3 * row];
        for (size_t row = 0; row < two.rows && two.time[row] < t; row++)
            b = two.value[3 * row];
        differ += fabs(a - b) > 1e-12; /* a Newton iteration rounds */
    }
    CU_ASSERT_EQUAL(differ, 0);
    CU_ASSERT_EQUAL(count, 10001);
    const double n = count;
    /* four standard deviations of the mean */
    CHECK_CLOSE(sum[0] / n, 1, 4 * sqrt(16 / 12.0 / n));
    CHECK_CLOSE(square[0] / n - 1, 16 / 12.0, 0.06);
    CHECK_CLOSE(sum[2] / n, 2, 4 * 3 / sqrt(n));
    CHECK_CLOSE((square[2] / n - 4) / 9, 1, 0.06);
    CHECK_CLOSE(product / n, 0, 4 * 16 / 12.0 / sqrt(n));
    harness_free(&one), harness_free(&two);
    harness_verbose = 1;
}

/* ---- bodies ---- */

/* Free rotation: energy and moment of momentum stay, and small products of inertia act as a turned
 * diagonal tensor. */
static void free_rotation(void) {
    const char *xml =
        MODEL("<rigid-body id='b' mass='1' Ixx='1' Iyy='2' Izz='3' Ixy='0.3' Ixz='-0.2' Iyz='0.1' "
              "rates='0.5 1 -0.7' gravity='0 0 9.81' velocity='1 0 0'/>");
    harness h =
        harness_run(xml, "b.h1 b.h2 b.h3 b.w[1] b.w[2] b.w[3] b.length b.x b.z", "rk4", 10, 0.01);
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    double momentum[2], energy[2];
    for (int end = 0; end < 2; end++) {
        const double *x = &h.value[end ? (h.rows - 1) * 9 : 0];
        momentum[end] = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
        energy[end] = x[0] * x[3] + x[1] * x[4] + x[2] * x[5];
    }
    CHECK_CLOSE(momentum[1] / momentum[0], 1, 1e-8);
    CHECK_CLOSE(energy[1] / energy[0], 1, 1e-8);
    CHECK_CLOSE(harness_last(&h, 6), 1, 1e-9);
    CHECK_CLOSE(harness_last(&h, 7), 10, 1e-12);
    CHECK_CLOSE(harness_last(&h, 8), 9.81 * 50, 1e-12);
    harness_free(&h);
}

/* Angles: a body turned about each axis alone, and about z while rolled. */
static void attitudes(void) {
    static const struct {
        const char *rates;
        double roll, pitch, yaw;
    } cases[] = {{"0.3 0 0", 0.3, 0, 0}, {"0 -0.4 0", 0, -0.4, 0}, {"0 0 0.7", 0, 0, 0.7}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char xml[512];
        snprintf(xml, sizeof xml,
                 MODEL("<rigid-body id='b' mass='1' Ixx='1' Iyy='2' Izz='3' rates='%s'/>"),
                 cases[k].rates);
        harness h = harness_run(xml, "b.roll b.pitch b.yaw", "rk4", 1, 0.01);
        CHECK_CLOSE(harness_last(&h, 0), cases[k].roll, 1e-9);
        CHECK_CLOSE(harness_last(&h, 1), cases[k].pitch, 1e-9);
        CHECK_CLOSE(harness_last(&h, 2), cases[k].yaw, 1e-9);
        harness_free(&h);
    }
}

/* Case M15: the moment of a thruster at (1, 1, 0). */
static void thruster(void) {
    harness h = harness_run(
        MODEL(
            "<constant id='a' value='3.67875' out='T'/><constant id='b' value='0.0528764' out='Q'/>"
            "<thruster id='k' thrust='T' torque='Q' arm='1 1 0'/>"),
        "k.fz k.mx k.my k.mz", "rk4", 0.1, 0.1);
    const double expected[] = {-3.67875, -3.67875, 3.67875, -0.0528764};
    for (int k = 0; k < 4; k++)
        CHECK_CLOSE(harness_last(&h, k), expected[k], 1e-15);
    harness_free(&h);
}

/* ---- what is refused ---- */

static void refusals(void) {
    static const struct {
        const char *block, *message;
    } items[] = {
        {"<convert id='x' in='w' from='degC' to='V' out='y'/>", "'degC' cannot become 'V'"},
        {"<convert id='x' in='w' from='metre' to='V' out='y'/>", "from: 'metre' is no unit"},
        {"<and id='x' in='' out='y'/>", "it has no input"},
        {"<square id='x' frequency='1' duty='1.5' out='y'/>",
         "duty = 1.5 must be at least 0 and at most 1"},
        {"<exponential-chirp id='x' f0='0' f1='1' duration='1' out='y'/>",
         "f0 = 0 Hz must be above 0 Hz"},
    };
    harness_verbose = 0;
    for (size_t k = 0; k < sizeof items / sizeof *items; k++) {
        char xml[1024];
        snprintf(xml, sizeof xml, MODEL(INPUTS "%s"), items[k].block);
        harness h = harness_run(xml, "y", "rk4", 1, 0.1);
        CU_ASSERT_EQUAL(h.status, LINNET_MODEL);
        int found = 0;
        for (int i = 0; ln_report_text(h.report, i) != NULL; i++)
            found |= strstr(ln_report_text(h.report, i), items[k].message) != NULL;
        CU_ASSERT(found);
        if (!found)
            printf("\n    %s: %s\n", items[k].block, ln_report_text(h.report, 0));
        harness_free(&h);
    }
    harness_verbose = 1;
}

UNIT_MAIN({"waveforms", waveforms}, {"chirps of one frequency", chirps_of_one_frequency},
          {"functions", functions}, {"functions in their domain", functions_in_their_domain},
          {"comparison and logic", logic}, {"control", control}, {"rates", rates},
          {"rate in a loop", rate_in_a_loop}, {"play", play}, {"two degrees", two_degrees},
          {"endings", endings}, {"noise", noise}, {"free rotation", free_rotation},
          {"attitudes", attitudes}, {"thruster", thruster}, {"refusals", refusals})
