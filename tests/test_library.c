/* SPDX-License-Identifier: MIT */
/* The built-in types one by one: what their formulas say, computed here independently.
 * (test_contract.c holds every type to the interface; whole networks are in test_networks.c.) */
#include "blocks/native/diode_equations.h"
#include "blocks/native/junction_equations.h"
#include "harness.h"
#include "unit.h"

#define PI 3.14159265358979323846
#define MODEL(body) "<model xmlns='urn:linnet:model:1'>" body "</model>"
#define GROUND "<ground id='gnd' p='0'/>"

/* ---- junctions ---- */

static void junctions(void) {
    double slope, up, down, unused;
    CHECK_CLOSE(ln_junction_current(0, 1e-14, 0.025, &slope), 0, 0);
    CHECK_CLOSE(slope, 1e-14 / 0.025, 1e-28);
    /* 1e-14 (e^28 - 1) */
    CHECK_CLOSE(ln_junction_current(0.7, 1e-14, 0.025, &slope) / 1.446257064290475e-2, 1, 1e-13);
    for (double v = -6; v < 0.9; v += 0.1) {
        double i = ln_junction_current(v, 1e-14, 0.025, &slope);
        up = ln_junction_current(v + 1e-6, 1e-14, 0.025, &unused);
        down = ln_junction_current(v - 1e-6, 1e-14, 0.025, &unused);
        CHECK_CLOSE((up - down) / 2e-6 / (slope + 1e-30), 1, v < -0.2 ? 1 : 1e-6);
        CU_ASSERT(i * v >= 0);
        i = ln_breakdown_current(v, 1e-3, 5.1, 0.025, &slope);
        up = ln_breakdown_current(v + 1e-6, 1e-3, 5.1, 0.025, &unused);
        down = ln_breakdown_current(v - 1e-6, 1e-3, 5.1, 0.025, &unused);
        if (v < -4.5)
            CHECK_CLOSE((up - down) / 2e-6 / slope, 1, 1e-6);
        CU_ASSERT(i * v >= 0);
    }
    CHECK_CLOSE(ln_breakdown_current(-5.1, 1e-3, 5.1, 0.025, &slope), -1e-3, 1e-18);
    CHECK_CLOSE(ln_breakdown_current(0, 1e-3, 5.1, 0.025, &slope), 0, 0);
    CU_ASSERT(isfinite(ln_junction_current(1e6, 1e-14, 0.025, &slope)) && isfinite(slope));
    CU_ASSERT(isfinite(ln_breakdown_current(-1e6, 1e-3, 5.1, 0.025, &slope)) && isfinite(slope));
}

/* Is a value within so much of what longer numbers say, relative? */
static int is_close(double value, long double exact, long double within) {
    return fabsl((long double)value - exact) <= within * fabsl(exact);
}

/* Both layers' charge and capacitance by long numbers, below the knee. */
static long double charge_of(const ln_depletion *layer, double v, long double *c) {
    const long double vj = layer->potential, m = layer->grading;
    const long double logarithm = log1pl(-(long double)v / vj);
    *c = layer->capacitance * expl(-m * logarithm);
    return -layer->capacitance * vj * expm1l((1 - m) * logarithm) / (1 - m);
}

static ln_depletion layer_of(double capacitance, double potential, double grading) {
    const ln_depletion layer = {
        .capacitance = capacitance, .potential = potential, .grading = grading, .forward = 0.5};
    return ln_depletion_linear(layer, 0, 0, LN_REFERENCE_TEMPERATURE);
}

/* From the knee on the capacitance is its tangent there, and the charge its integral. */
static void check_beyond(double v, const ln_depletion *layer) {
    const long double knee = layer->forward * layer->potential;
    double slope;
    if (v < knee)
        return;
    long double c;
    const long double q = charge_of(layer, (double)knee, &c), beyond = v - knee,
                      bend = c * layer->grading / (layer->potential - knee);
    CU_ASSERT(is_close(ln_depletion_charge(v, layer, &slope), q + beyond * (c + bend * beyond / 2),
                       2e-15L));
    CU_ASSERT(is_close(slope, c + bend * beyond, 2e-15L));
}

/* Digits of depletion charges and of e^x - 1, from the smallest voltages to reverse ones, for
 * layers that share a logarithm, abrupt ones, and such of two potentials. */
static void junction_digits(void) {
    static const double grading[] = {0.5, 0.33, 0.45, 0.2, 0.9};
    static const double potential[] = {0.8, 0.8, 0.7};
    for (double v = 1e-18; v < 60; v *= 1.37)
        for (int k = 0; k < 2 * 5 * 3; k++) {
            const double at = k % 2 ? -v : v;
            const ln_depletion floor = layer_of(2, 0.8, grading[k / 2 % 5]),
                               side = layer_of(1, potential[k / 10], grading[(k / 10 + k / 2) % 5]);
            long double wide[2];
            double slope;
            CU_ASSERT(is_close(ln_junction_less_one(at), expm1l(at), 4e-16L));
            if (at > 0.34) {
                check_beyond(at, &floor);
                continue;
            }
            const long double sum =
                charge_of(&floor, at, &wide[0]) + charge_of(&side, at, &wide[1]);
            CU_ASSERT(is_close(ln_depletion_charges(at, &floor, &side, &slope), sum, 8e-16L));
            CU_ASSERT(is_close(slope, wide[0] + wide[1], 1e-15L));
        }
}

static void junction_limits(void) {
    /* where the exponential carries the current on the tangent: e^(v/s) = e^(0.6/s) (1 + 4.4/s) */
    double v = ln_junction_limit(0.6, 5, 0.025);
    CHECK_CLOSE(exp(v / 0.025) / (exp(0.6 / 0.025) * (1 + 4.4 / 0.025)), 1, 1e-12);
    CHECK_CLOSE(ln_junction_limit(-20, 5, 0.025), 0.025 * log1p(5 / 0.025), 1e-15);
    CHECK_CLOSE(ln_junction_limit(0.6, 0.64, 0.025), 0.64, 0);
    CHECK_CLOSE(ln_junction_limit(0.6, -30, 0.025), -30, 0);
    /* behind the shift the breakdown looks like a junction of the saturation current */
    double shift = ln_breakdown_shift(1e-14, 1e-3, 5.1, 0.025), w = 0.3;
    CHECK_CLOSE(1e-14 * exp(w / 0.025) / (1e-3 * exp((w + shift - 5.1) / 0.025)), 1, 1e-12);
}

/* A Zener diode against its own formula solved by bisection, over both sides, from far away starts.
 */
static double zener(double v) {
    return 1e-14 * expm1(v / 0.02585) - 1e-3 * (exp(-(v + 5.1) / 0.02585) - exp(-5.1 / 0.02585)) +
           1e-12 * v;
}

static void zener_in_a_circuit(void) {
    for (double e = -200; e <= 200; e += 25) {
        char xml[512];
        snprintf(xml, sizeof xml,
                 MODEL(GROUND "<voltage-source id='V' p='a' n='0' V='%g'/>"
                              "<resistor id='R' p='a' n='z' R='100'/>"
                              "<zener-diode id='Z' p='z' n='0' BV='5.1'/>"),
                 e);
        double low = -7, high = 2;
        for (int k = 0; k < 100; k++) {
            double v = (low + high) / 2;
            if ((e - v) / 100 > zener(v))
                low = v;
            else
                high = v;
        }
        CHECK_CLOSE(harness_end(xml, "z", "backward-euler", 1, 1), low, 1e-9);
    }
}

/* ---- functions of time ---- */

typedef double time_function(double t);

static double f_step(double t) {
    return t < 0.35 ? 0.5 : 2.5;
}
static double f_ramp(double t) {
    return 1 + 2 * fmin(fmax(t - 0.35, 0), 0.5);
}
static double f_sine(double t) {
    double s = fmax(t - 0.35, 0);
    return 1 + 2 * exp(-0.5 * s) * sin(2 * PI * 1.5 * s + PI / 6);
}
static double f_train(double t) {
    if (t < 0.35)
        return -1;
    double s = fmod(t - 0.35, 0.5);
    if (s < 0.1)
        return -1 + 4 * s / 0.1;
    if (s < 0.25)
        return 3;
    return s < 0.3 ? 3 - 4 * (s - 0.25) / 0.05 : -1;
}
static double f_single(double t) {
    return t >= 0.35 && t < 0.95 ? 3 : -1;
}
static double f_exponential(double t) {
    double rise = 1 - exp(-fmax(t - 0.35, 0) / 0.2), fall = 1 - exp(-fmax(t - 0.95, 0) / 0.1);
    return -1 + 4 * (rise - fall);
}
static double f_chirp(double t) {
    double s = fmin(fmax(t - 0.35, 0), 1), beyond = fmax(t - 1.35, 0);
    return 1 + 2 * sin(2 * PI * (0.5 * s + (3 - 0.5) * s * s / 2 + 3 * beyond) + PI / 6);
}

static const struct wave {
    const char *type, *attributes;
    time_function *f;
} waves[] = {
    {"step", "offset='0.5' height='2' delay='0.35'", f_step},
    {"ramp", "offset='1' slope='2' delay='0.35' duration='0.5'", f_ramp},
    {"sine", "offset='1' amplitude='2' frequency='1.5' phase='30 deg' delay='0.35' damping='0.5'",
     f_sine},
    {"pulse", "low='-1' high='3' delay='0.35' rise='0.1' width='0.15' fall='50 ms' period='0.5'",
     f_train},
    {"pulse", "low='-1' high='3' delay='0.35' width='0.6'", f_single},
    {"exponential", "low='-1' high='3' delay1='0.35' tau1='0.2' delay2='0.95' tau2='0.1'",
     f_exponential},
    {"chirp", "offset='1' amplitude='2' f0='0.5' f1='3' duration='1' delay='0.35' phase='30 deg'",
     f_chirp},
};

/* At each accepted instant the value is that just before or just after it, and at a corner there is
 * an instant. */
static void check_wave(const char *xml, const char *signal, const struct wave *w) {
    harness h = harness_run(xml, signal, "backward-euler", 2, 0.04);
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    int found = 0;
    for (size_t row = 0; row < h.rows; row++) {
        double t = h.time[row], value = h.value[row];
        int good = fabs(value - w->f(t - 1e-11)) < 1e-8 || fabs(value - w->f(t + 1e-11)) < 1e-8;
        if (!good)
            printf("\n    %s at t = %.17g is %.17g, expected %.17g\n", w->type, t, value, w->f(t));
        CU_ASSERT(good);
        if (fabs(t - 0.35) < 1e-12)
            found = 1;
    }
    CU_ASSERT(found);
    harness_free(&h);
}

static void functions_of_time(void) {
    char xml[1024];
    harness_verbose = 0; /* links of one port */
    for (size_t k = 0; k < sizeof waves / sizeof *waves; k++) {
        const struct wave *w = &waves[k];
        snprintf(xml, sizeof xml, MODEL("<%s id='s' out='y' %s/>"), w->type, w->attributes);
        check_wave(xml, "y", w);
        if (w->f == f_chirp)
            continue;
        snprintf(xml, sizeof xml, MODEL(GROUND "<%s-voltage id='s' p='y' n='0' %s/>"), w->type,
                 w->attributes);
        check_wave(xml, "y", w);
        snprintf(xml, sizeof xml,
                 MODEL(GROUND "<%s-current id='s' p='0' n='y' %s/>"
                              "<resistor id='R' p='y' n='0' R='1'/>"),
                 w->type, w->attributes);
        check_wave(xml, "y", w);
    }
    harness_verbose = 1;
}

/* The area of a train of pulses is exact when every edge is a breakpoint: 3 rises, tops, falls less
 * the pauses. */
static void area_of_pulses(void) {
    const char *xml = MODEL(
        "<pulse id='s' out='u' low='-1' high='3' delay='0.35' rise='0.1' width='0.15' fall='0.05'"
        " period='0.5'/>"
        "<integrator id='i' in='u' out='y'/>");
    CHECK_CLOSE(harness_end(xml, "y", "heun", 1.85, 0.17), -1.85 + 3 * 4 * (0.05 + 0.15 + 0.025),
                1e-12);
}

/* Sources of the other domains, each on the element that makes its flux a potential. */
static void other_sources(void) {
    static const struct {
        const char *xml, *signal;
        double at;
    } cases[] = {
        {"<step-force id='s' p='0' n='a' height='2' delay='1'/><damper id='d' p='a' n='0' d='1'/>"
         "<fixed-point id='g' p='0'/>",
         "a", 2},
        {"<sine-force id='s' p='0' n='a' amplitude='2' frequency='0.125'/><damper id='d' p='a' "
         "n='0' d='1'/>"
         "<fixed-point id='g' p='0'/>",
         "a", 2},
        {"<sine-velocity id='s' p='a' n='0' amplitude='2' frequency='0.125'/><fixed-point id='g' "
         "p='0'/>",
         "a", 2},
        {"<velocity-source id='s' p='a' n='0' v='2'/><fixed-point id='g' p='0'/>", "a", 2},
        {"<step-torque id='s' p='0' n='a' height='2' delay='1'/><rotational-damper id='d' p='a' "
         "n='0' d='1'/>"
         "<fixed-shaft id='g' p='0'/>",
         "a", 2},
        {"<sine-torque id='s' p='0' n='a' amplitude='2' frequency='0.125'/>"
         "<rotational-damper id='d' p='a' n='0' d='1'/><fixed-shaft id='g' p='0'/>",
         "a", 2},
        {"<speed-source id='s' p='a' n='0' w='2'/><fixed-shaft id='g' p='0'/>", "a", 2},
        {"<step-heat id='s' p='0' n='a' height='2' delay='1'/><thermal-resistance id='d' p='a' "
         "n='0' R='1'/>"
         "<absolute-zero id='g' p='0'/>",
         "a", 2},
        {"<heat-source id='s' p='0' n='a' Q='2'/><thermal-conductance id='d' p='a' n='0' G='0.5'/>"
         "<absolute-zero id='g' p='0'/>",
         "a", 4},
        {"<sine-temperature id='s' p='a' n='0' offset='20 degC' amplitude='2' frequency='0.125'/>"
         "<absolute-zero id='g' p='0'/>",
         "a", 295.15},
        {"<step-flow id='s' p='0' n='a' height='2' delay='1'/><pipe-resistance id='d' p='a' n='0' "
         "R='3'/>"
         "<vacuum id='g' p='0'/>",
         "a", 6},
        {"<flow-source id='s' p='0' n='a' flow='2'/><pipe-resistance id='d' p='a' n='0' R='3'/>"
         "<vacuum id='g' p='0'/>",
         "a", 6},
        {"<pressure-source id='s' p='a' n='0' pressure='2 bar'/><vacuum id='g' p='0'/>", "a", 2e5},
        {"<constant id='c' out='u' value='7'/><signal-voltage id='s' p='a' n='0' in='u'/>" GROUND,
         "a", 7},
        {"<constant id='c' out='u' value='7'/><signal-current id='s' p='0' n='a' in='u'/>"
         "<resistor id='r' p='a' n='0' R='2'/>" GROUND,
         "a", 14},
        {"<constant id='c' out='u' value='7'/><signal-velocity id='s' p='a' n='0' in='u'/>"
         "<fixed-point id='g' p='0'/>",
         "a", 7},
        {"<constant id='c' out='u' value='7'/><signal-force id='s' p='0' n='a' in='u'/><mass "
         "id='m' p='a' m='2'/>"
         "<fixed-point id='g' p='0'/>",
         "a", 7},
        {"<constant id='c' out='u' value='7'/><signal-speed id='s' p='a' n='0' in='u'/>"
         "<fixed-shaft id='g' p='0'/>",
         "a", 7},
        {"<constant id='c' out='u' value='7'/><signal-torque id='s' p='0' n='a' in='u'/>"
         "<inertia id='m' p='a' J='2'/><fixed-shaft id='g' p='0'/>",
         "a", 7},
        {"<constant id='c' out='u' value='7'/><signal-temperature id='s' p='a' n='0' in='u'/>"
         "<absolute-zero id='g' p='0'/>",
         "a", 7},
        {"<constant id='c' out='u' value='7'/><signal-heat id='s' p='0' n='a' in='u'/>"
         "<heat-capacity id='m' p='a' C='2' T0='100'/><absolute-zero id='g' p='0'/>",
         "a", 107},
        {"<constant id='c' out='u' value='7'/><signal-pressure id='s' p='a' n='0' in='u'/>"
         "<vacuum id='g' p='0'/>",
         "a", 7},
        {"<constant id='c' out='u' value='7'/><signal-flow id='s' p='0' n='a' in='u'/>"
         "<tank id='m' p='a' A='9.80665'/><vacuum id='g' p='0'/>",
         "a", 14},
    };
    char xml[1024];
    harness_verbose = 0; /* links of one port */
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        snprintf(xml, sizeof xml, MODEL("%s"), cases[k].xml);
        CHECK_CLOSE(harness_end(xml, cases[k].signal, "backward-euler", 2, 0.5), cases[k].at,
                    1e-10);
    }
    harness_verbose = 1;
}

/* ---- sensors ---- */

static void sensors(void) {
    harness h = harness_run(
        MODEL(GROUND "<voltage-source id='V' p='a' n='0' V='10'/>"
                     "<current-sensor id='A' p='a' n='b' out='i'/>"
                     "<resistor id='R1' p='b' n='c' R='3'/><resistor id='R2' p='c' n='0' R='2'/>"
                     "<voltage-sensor id='V1' p='b' n='c' out='u'/>"
                     "<voltage-sensor id='V2' p='c' out='u2'/>"
                     "<power-sensor id='W' p1='0' n1='ret' p2='a' n2='0' out='none'/>"
                     "<resistor id='R3' p='ret' n='0' R='1'/>"),
        "i u u2 none R1.P V.P V.i", "backward-euler", 1, 1);
    static const double electrical[] = {2, 6, 4, 0, 12, -20, -2};
    for (int k = 0; k < 7; k++)
        CHECK_CLOSE(harness_last(&h, k), electrical[k], 1e-12);
    harness_free(&h);
    h = harness_run(
        MODEL("<fixed-point id='g' p='0'/><velocity-source id='s' p='a' n='0' v='3'/>"
              "<force-sensor id='F' p='a' n='b' out='f'/>"
              "<damper id='d' p='b' n='0' d='2'/><velocity-sensor id='V' p='b' out='v'/>"
              "<velocity-sensor id='r' p='0' n='b' out='rel'/>"
              "<position-sensor id='X' p='b' out='x' x0='1'/>"),
        "f v rel x", "backward-euler", 2, 0.5);
    static const double translational[] = {6, 3, -3, 7};
    for (int k = 0; k < 4; k++)
        CHECK_CLOSE(harness_last(&h, k), translational[k], 1e-10);
    harness_free(&h);
    h = harness_run(
        MODEL("<fixed-shaft id='g' p='0'/><speed-source id='s' p='a' n='0' w='3'/>"
              "<torque-sensor id='f' p='a' n='b' out='m'/>"
              "<rotational-damper id='d' p='b' n='0' d='2'/><speed-sensor id='v' p='b' out='w'/>"
              "<angle-sensor id='x' p='b' out='phi' phi0='180 deg'/>"),
        "m w phi", "backward-euler", 2, 0.5);
    static const double rotational[] = {6, 3, 6 + PI};
    for (int k = 0; k < 3; k++)
        CHECK_CLOSE(harness_last(&h, k), rotational[k], 1e-10);
    harness_free(&h);
    h = harness_run(
        MODEL("<absolute-zero id='g' p='0'/><temperature-source id='s' p='a' n='0' T='300'/>"
              "<heat-flow-sensor id='f' p='a' n='b' out='q'/>"
              "<thermal-conductance id='d' p='b' n='0' G='2'/>"
              "<temperature-sensor id='v' p='b' out='T'/>"),
        "q T", "backward-euler", 1, 1);
    CHECK_CLOSE(harness_last(&h, 0), 600, 1e-12);
    CHECK_CLOSE(harness_last(&h, 1), 300, 1e-12);
    harness_free(&h);
    h = harness_run(
        MODEL("<vacuum id='g' p='0'/><pressure-source id='s' p='a' n='0' pressure='1 bar'/>"
              "<flow-sensor id='f' p='a' n='b' out='m'/>"
              "<pipe-resistance id='d' p='b' n='0' R='5e4'/>"
              "<pressure-sensor id='v' p='b' out='p1'/>"),
        "m p1", "backward-euler", 1, 1);
    CHECK_CLOSE(harness_last(&h, 0), 2, 1e-12);
    CHECK_CLOSE(harness_last(&h, 1), 1e5, 1e-12);
    harness_free(&h);
}

/* ---- elements ---- */

/* At 50 Hz through 1 Ohm: Z matrix of the coupled coils; here only the open secondary, v2/v1 = k
 * sqrt(L2/L1). */
static void coupled_inductors(void) {
    harness h = harness_run(
        MODEL(GROUND "<ramp-voltage id='V' p='a' n='0' slope='1'/>"
                     "<coupled-inductors id='T' p1='a' n1='0' p2='b' n2='0' L1='4' L2='1' k='0.5'/>"
                     "<resistor id='R' p='b' n='0' R='1e9'/>"),
        "a b T.i1", "crank-nicolson", 1, 0.01);
    CHECK_CLOSE(harness_last(&h, 1), 0.25 * harness_last(&h, 0), 1e-7);
    CHECK_CLOSE(harness_last(&h, 2), 0.5 / 4, 1e-7);
    harness_free(&h);
}

static void electrical_elements(void) {
    static const struct {
        const char *xml, *signal;
        double at;
    } cases[] = {
        {"<voltage-source id='V' p='a' n='0' V='6'/><constant id='c' out='r' value='3'/>"
         "<variable-resistor id='R' p='a' n='0' in='r'/>",
         "R.i", 2},
        {"<current-source id='I' p='0' n='a' I='2'/><conductor id='G' p='a' n='0' G='4'/>", "a",
         0.5},
        {"<voltage-source id='V' p='a' n='0' V='1'/><vcvs id='E' p1='a' n1='0' p2='b' n2='0' "
         "gain='5'/>"
         "<resistor id='R' p='b' n='0' R='1'/>",
         "b", 5},
        {"<voltage-source id='V' p='a' n='0' V='1'/><vccs id='E' p1='a' n1='0' p2='b' n2='0' "
         "G='5'/>"
         "<resistor id='R' p='b' n='0' R='2'/>",
         "b", -10},
        {"<current-source id='V' p='0' n='a' I='1'/><ccvs id='E' p1='a' n1='0' p2='b' n2='0' "
         "R='5'/>"
         "<resistor id='R' p='b' n='0' R='2'/>",
         "b", 5},
        {"<current-source id='V' p='0' n='a' I='1'/><cccs id='E' p1='a' n1='0' p2='b' n2='0' "
         "gain='5'/>"
         "<resistor id='R' p='b' n='0' R='2'/>",
         "b", -10},
        {"<voltage-source id='V' p='a' n='0' V='1'/>"
         "<op-amp id='U' p='a' n='0' out='b' gain='1e5' Vmin='-2' Vmax='12'/>",
         "b", 12},
        {"<voltage-source id='V' p='a' n='0' V='-1'/>"
         "<op-amp id='U' p='a' n='0' out='b' gain='1e5' Vmin='-2' Vmax='12'/>",
         "b", -2},
        /* a follower round the middle of its range: b = 5 + 7 tanh(1e5 (a - b)/7) */
        {"<voltage-source id='V' p='a' n='0' V='5'/>"
         "<op-amp id='U' p='a' n='b' out='b' gain='1e5' Vmin='-2' Vmax='12'/>",
         "b", 5},
        {"<voltage-source id='V' p='a' n='0' V='10'/>"
         "<heating-resistor id='R' p='a' n='0' heat='T' R='2' alpha='0.01'/>"
         "<temperature-source id='t' p='T' n='z' T='343.15'/><absolute-zero id='g' p='z'/>",
         "R.heat.Q", -100. / 3},
    };
    char xml[1024];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        snprintf(xml, sizeof xml, MODEL(GROUND "%s"), cases[k].xml);
        CHECK_CLOSE(harness_end(xml, cases[k].signal, "backward-euler", 1, 1), cases[k].at, 1e-9);
    }
}

static void other_elements(void) {
    static const struct {
        const char *xml, *signal;
        double at;
    } cases[] = {
        {"<fixed-point id='g' p='0'/><velocity-source id='s' p='a' n='0' v='1e-3'/>"
         "<friction id='f' p='a' n='0' F='2'/>",
         "f.f", 2 * 0.7615941559557649},
        {"<mass id='m' p='a' m='3'/><weight id='w' p='a' m='3'/>", "a", -9.80665},
        {"<fixed-shaft id='g' p='0'/><speed-source id='s' p='a' n='0' w='-5'/>"
         "<rotational-friction id='f' p='a' n='0' torque='2'/>",
         "f.tau", -2},
        {"<absolute-zero id='g' p='0'/><temperature-source id='s' p='a' n='0' T='100'/>"
         "<convection id='c' p='a' n='0' h='5' A='0.5'/>",
         "c.Q", 250},
        {"<absolute-zero id='g' p='0'/><temperature-source id='s' p='a' n='0' T='1000'/>"
         "<radiation id='c' p='a' n='0' A='2' emissivity='0.5'/>",
         "c.Q", 56703.74419},
        {"<vacuum id='g' p='0'/><pressure-source id='s' p='a' n='0' pressure='1 bar'/>"
         "<laminar-pipe id='c' p='a' n='0' length='2' diameter='1 mm'/>",
         "c.m", PI * 1e-12 / 256e-6 * 1e5},
        {"<vacuum id='g' p='0'/><pressure-source id='s' p='a' n='0' pressure='4 bar'/>"
         "<turbulent-resistance id='c' p='a' n='0' dp='1 bar' flow='3' laminar='1e-6'/>",
         "c.m", 6},
        {"<flow-source id='s' p='0' n='a' flow='2'/><vacuum id='g' p='0'/>"
         "<fluid-volume id='c' p='a' V='1' beta='1 GPa' p0='1 bar'/>",
         "a", 1e5 + 2e6},
        {"<pressure-source id='s' p='a' n='0' pressure='3'/><vacuum id='g' p='0'/>"
         "<fluid-inertia id='c' p='a' n='0' length='2' A='4' flow0='1'/>",
         "c.m", 7},
    };
    char xml[1024];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        snprintf(xml, sizeof xml, MODEL("%s"), cases[k].xml);
        CHECK_CLOSE(harness_end(xml, cases[k].signal, "backward-euler", 1, 0.25), cases[k].at,
                    1e-9);
    }
}

/* What goes into a converter on one side comes out on the other. */
static void converters_keep_power(void) {
    harness h = harness_run(
        MODEL(GROUND "<fixed-shaft id='fs' p='f'/><fixed-point id='fp' p='w'/>"
                     "<voltage-source id='V' p='a' n='0' V='10'/>"
                     "<resistor id='R' p='a' n='b' R='1'/>"
                     "<motor-constant id='M' p='b' n='0' shaft='s' k='0.5'/>"
                     "<gear id='g' p='s' n='s2' ratio='4'/>"
                     "<rack-and-pinion id='x' shaft='s2' rod='r' radius='0.1'/>"
                     "<lever id='l' p='r' n='r2' ratio='-2'/><damper id='d' p='r2' n='w' d='30'/>"),
        "V.P R.P d.P M.shaft.tau s r r2", "backward-euler", 1, 0.5);
    CHECK_CLOSE(harness_last(&h, 0) + harness_last(&h, 1) + harness_last(&h, 2), 0, 1e-10);
    CHECK_CLOSE(harness_last(&h, 5), 0.1 * harness_last(&h, 4) / 4, 1e-10);
    CHECK_CLOSE(harness_last(&h, 6), -harness_last(&h, 5) / 2, 1e-10);
    /* d w seen from the shaft: 30 (0.1/4/2)^2 = 0.0046875; w = k V/(k^2 + R d') */
    CHECK_CLOSE(harness_last(&h, 4), 5 / (0.25 + 0.0046875), 1e-9);
    harness_free(&h);
    h = harness_run(MODEL(GROUND
                          "<fixed-point id='fp' p='w'/><voltage-source id='V' p='a' n='0' V='10'/>"
                          "<resistor id='R' p='a' n='b' R='2'/>"
                          "<linear-motor id='M' p='b' n='0' rod='r' k='5'/>"
                          "<damper id='d' p='r' n='w' d='10'/>"),
                    "r V.P R.P d.P", "backward-euler", 1, 0.5);
    CHECK_CLOSE(harness_last(&h, 0), 50 / (25. + 20), 1e-10);
    CHECK_CLOSE(harness_last(&h, 1) + harness_last(&h, 2) + harness_last(&h, 3), 0, 1e-10);
    harness_free(&h);
    /* pump -> piston: torque 3 at D = 0.01 makes 300 Pa above the ambient; A = 0.2 gives 60 N on a
     * damper of 20 */
    h = harness_run(
        MODEL("<fixed-shaft id='fs' p='f'/><fixed-point id='fp' p='w'/><vacuum id='g' p='0'/>"
              "<torque-source id='m' p='f' n='s' tau='3'/>"
              "<pump id='x' shaft='s' p='0' n='o' D='0.01' rho='800'/>"
              "<piston id='y' port='o' rod='r' A='0.2' rho='800' p_ambient='100'/>"
              "<damper id='d' p='r' n='w' d='20'/>"),
        "o r s x.p.m", "backward-euler", 1, 0.5);
    CHECK_CLOSE(harness_last(&h, 0), 300, 1e-10);
    CHECK_CLOSE(harness_last(&h, 1), 2, 1e-10);
    CHECK_CLOSE(harness_last(&h, 2), 40, 1e-9);
    CHECK_CLOSE(harness_last(&h, 3), 320, 1e-9);
    harness_free(&h);
}

/* ---- signals ---- */

static void signal_blocks(void) {
    static const struct {
        const char *xml;
        double at;
    } cases[] = {
        {"<division id='b' in='u' by='w' out='y'/>", -1.5},
        {"<power id='b' in='u' out='y' exponent='3'/>", -27},
        {"<saturation id='b' in='u' out='y' min='-2' max='2'/>", -2},
        {"<saturation id='b' in='u' out='y' max='2'/>", -3},
        {"<dead-zone id='b' in='u' out='y' min='-1' max='2'/>", -2},
        {"<gain id='b' in='w' out='y' k='2.5'/>", 5},
        {"<derivative id='b' in='u' out='y' k='2' T='0.5' x0='-2'/>",
         2 * (-3 + 2) / 0.5 * 0.1353352832366127},
        {"<first-order id='b' in='u' out='y' k='2' T='0.5' y0='1'/>", -6 + 7 * 0.1353352832366127},
        {"<low-pass id='b' in='u' out='y' frequency='0.25' k='2'/>", -6 * (1 - 0.2078795763507619)},
        {"<high-pass id='b' in='u' out='y' frequency='0.25' k='2'/>", -6 * 0.2078795763507619},
        {"<second-order id='b' in='u' out='y' w='2' d='1' k='1' y0='1' dy0='0'/>",
         -3 + 4 * 3 * 0.1353352832366127},
        {"<integrator id='b' in='u' out='y' k='2' y0='5'/>", -1},
    };
    char xml[1024];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        snprintf(xml, sizeof xml,
                 MODEL("<constant id='c' out='u' value='-3'/>"
                       "<constant id='d' out='w' value='2'/>%s"),
                 cases[k].xml);
        CHECK_CLOSE(harness_end(xml, "y", "rk4", 1, 1e-3), cases[k].at, 1e-9);
        CHECK_CLOSE(harness_end(xml, "y", "crank-nicolson", 1, 1e-3), cases[k].at, 1e-5);
    }
}

/* Drives an integrator of 1/s into its limit at 2 and, from t = 4 on, back at once; by every kind
 * of method. */
static void limits_of_an_integrator(void) {
    const char *xml = MODEL("<step id='s' out='u' offset='1' height='-2' delay='4'/>"
                            "<integrator id='i' in='u' out='y' min='-1' max='2'/>");
    static const char *const methods[] = {
        "rk4", "heun", "euler", "backward-euler", "crank-nicolson", "tr-bdf2"};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        harness h = harness_run(xml, "y", methods[k], 9, 0.05);
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        double highest = -1;
        for (size_t row = 0; row < h.rows; row++)
            highest = fmax(highest, h.value[row]);
        CU_ASSERT(highest <= 2 + 1e-9);
        CHECK_CLOSE(harness_at(&h, 0, 1), 1, 1e-9);
        CHECK_CLOSE(harness_at(&h, 0, 3), 2, 1e-3);
        /* an explicit step may carry the integral one step too far */
        CHECK_CLOSE(harness_at(&h, 0, 5), 1, 0.06);
        CHECK_CLOSE(harness_last(&h, 0), -1, 1e-3);
        harness_free(&h);
    }
}

/* A step of 1 into each part of the controller: kp + ki t + kd/Tf e^(-t/Tf). */
static void pid_parts(void) {
    static const struct {
        const char *attributes;
        double at;
    } cases[] = {
        {"kp='2'", 2},
        {"kp='2' i0='3'", 5},
        {"kp='0' ki='3'", 3},
        {"kp='0' ki='3' i0='1'", 4},
        {"kp='0' kd='3' Tf='0.5'", 6 * 0.1353352832366127},
        {"kp='2' ki='3' kd='3' Tf='0.5'", 5 + 6 * 0.1353352832366127},
        {"kp='2' ki='3' kd='3' Tf='0.5' x0='1'", 5},
        {"kp='2' max='1.5'", 1.5},
        {"kp='-2' min='-1.5'", -1.5},
    };
    char xml[512];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        snprintf(xml, sizeof xml,
                 MODEL("<constant id='s' out='e' value='1'/>"
                       "<pid id='c' in='e' out='y' %s/>"),
                 cases[k].attributes);
        CHECK_CLOSE(harness_end(xml, "y", "rk4", 1, 1e-3), cases[k].at, 1e-9);
    }
    /* at the limit 1 the integral settles where ki e = kb (u - 1), u = 2 + i; the default kb =
     * ki/kp makes it 1 */
    harness h = harness_run(MODEL("<constant id='s' out='e' value='1'/>"
                                  "<pid id='c' in='e' out='y' kp='2' ki='3' max='1'/>"),
                            "y c.i c.u", "rk4", 20, 1e-2);
    CHECK_CLOSE(harness_last(&h, 0), 1, 1e-12);
    CHECK_CLOSE(harness_last(&h, 1), 1, 1e-9);
    CHECK_CLOSE(harness_last(&h, 2), 3, 1e-9);
    harness_free(&h);
}

/* What a model does not ask for costs nothing: a loop of a pid without limits stays linear. */
static void loops_stay_linear(void) {
    const char *xml = MODEL(
        GROUND "<constant id='w' out='r' value='1'/><sum id='d' in='r y' signs='+-' out='e'/>"
               "<pid id='c' in='e' out='u' kp='2' ki='3'/>"
               "<integrator id='extra' in='e' out='z'/>"
               "<signal-voltage id='V' p='a' n='0' in='u'/><resistor id='R' p='a' n='b' R='1'/>"
               "<capacitor id='C' p='b' n='0' C='1'/><voltage-sensor id='m' p='b' out='y'/>");
    harness h = harness_run(xml, "b", "backward-euler", 1, 0.01);
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    CU_ASSERT_EQUAL(h.statistics.nonlinear, 0);
    CU_ASSERT(h.statistics.states == 3 && h.statistics.factored + h.statistics.refactored <= 2);
    harness_free(&h);
}

static void wrong_limits(void) {
    harness_verbose = 0;
    static const char *const models[] = {
        MODEL("<constant id='s' out='e' value='1'/><integrator id='i' in='e' out='y' min='2' "
              "max='1'/>"),
        MODEL("<constant id='s' out='e' value='1'/><pid id='i' in='e' out='y' kp='1' min='1' "
              "max='1'/>"),
    };
    for (size_t k = 0; k < 2; k++) {
        harness h = harness_run(models[k], "y", "rk4", 1, 0.1);
        CU_ASSERT_EQUAL(h.status, LINNET_MODEL);
        const char *text = ln_report_text(h.report, 0);
        CU_ASSERT(text != NULL && strstr(text, "i (") != NULL &&
                  strstr(text, "not below its max") != NULL);
        harness_free(&h);
    }
    harness_verbose = 1;
}

UNIT_MAIN({"junctions", junctions}, {"digits of junctions", junction_digits},
          {"junction limits", junction_limits}, {"Zener diode in a circuit", zener_in_a_circuit},
          {"functions of time", functions_of_time}, {"area of pulses", area_of_pulses},
          {"sources", other_sources}, {"sensors", sensors},
          {"coupled inductors", coupled_inductors}, {"electrical elements", electrical_elements},
          {"other elements", other_elements}, {"converters keep power", converters_keep_power},
          {"signal blocks", signal_blocks}, {"limits of an integrator", limits_of_an_integrator},
          {"parts of a pid", pid_parts}, {"loops stay linear", loops_stay_linear},
          {"wrong limits", wrong_limits})
