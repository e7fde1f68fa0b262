/* SPDX-License-Identifier: MIT */
/* Random networks and random loops against extended precision.
 *
 * Networks of resistors, inductors, capacitors and perhaps a source of voltage, with values over
 * many decades, written as models and linearised. The reference is the pencil of modified nodal
 * analysis, built here from the same values in 113 bits (__float128): the degree of its determinant
 * is the number of modes, each mode is polished by Newton's method on the determinant with the
 * others divided out (O. Aberth, 1973), and the sum of 1/(z - s) over all of them must be that of
 * the determinant's logarithmic derivative at points all over the plane. Loops of transfer
 * functions have a closed-loop polynomial, multiplied out in 113 bits, whose roots Aberth's
 * iteration finds.
 *
 * `make check` takes a sample; `make check-full` sets LINNET_FULL. */
#include "analysis/margins.h"
#include "heard.h"
#include "model/model.h"
#include "unit.h"
#include <stdarg.h>
#include <stdlib.h>

#ifdef __SIZEOF_FLOAT128__
typedef __float128 wide;
typedef _Complex float __attribute__((mode(TC))) cwide;
#else
typedef long double wide;
typedef _Complex long double cwide;
#endif

enum { MOST = 48 };

static unsigned long long seed = 1;
static double uniform(void) {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0;
}
static int below(int n) {
    return (int)(uniform() * n);
}
/* Evenly in the logarithm. */
static double between(double low, double high) {
    return low * exp(uniform() * log(high / low));
}

static int is_full(void) {
    return getenv("LINNET_FULL") != NULL;
}

static double size_of(cwide z) {
    return hypot((double)__real__ z, (double)__imag__ z);
}

/* ---- a model as text, and its modes ---- */

typedef struct text {
    char bytes[20000];
    size_t length;
} text;

__attribute__((format(printf, 2, 3))) static void say(text *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    out->length += (size_t)vsnprintf(out->bytes + out->length, sizeof out->bytes - out->length,
                                     format, arguments);
    va_end(arguments);
}

typedef struct bench {
    ln_report *report;
    ln_model *model;
    ln_simulation simulation;
    ln_small_signal small;
    ln_modes modes;
} bench;

static linnet_status linearise(bench *rig, const char *xml) {
    said[0] = '\0';
    *rig = (bench){.report = ln_report_new(hear, NULL), .small = {.means = ""}};
    LN_TRY(ln_model_read_memory("test.xml", xml, strlen(xml), NULL, rig->report, &rig->model));
    LN_TRY(ln_simulation_prepare(&rig->simulation, rig->model, &(ln_request){0}, 0,
                                 &(ln_record_choice){ln_small_signal_choose, NULL}, rig->report));
    double *zero = calloc((size_t)rig->simulation.system->n + 1, sizeof *zero);
    linnet_status status = ln_small_signal_at_point(rig->simulation.system, ln_side_left(0, 0),
                                                    zero, rig->report, &rig->small);
    free(zero);
    LN_TRY(status);
    return ln_modes_find(&rig->small, 0, 0, 0, &rig->modes);
}

static void finish(bench *rig) {
    ln_modes_free(&rig->modes);
    ln_small_signal_free(&rig->small);
    ln_simulation_free(&rig->simulation);
    ln_model_free(rig->model);
    ln_report_free(rig->report);
}

/* ---- the pencil of a network in 113 bits ---- */

typedef struct pencil {
    int n;
    wide E[MOST][MOST], A[MOST][MOST];
} pencil;

static void stamp(wide M[MOST][MOST], int p, int n, wide value) {
    if (p > 0)
        M[p - 1][p - 1] += value;
    if (n > 0)
        M[n - 1][n - 1] += value;
    if (p > 0 && n > 0) {
        M[p - 1][n - 1] -= value;
        M[n - 1][p - 1] -= value;
    }
}

static void stamp_branch(pencil *net, int p, int n, int row) {
    if (p > 0) {
        net->A[p - 1][row] += 1;
        net->A[row][p - 1] += 1;
    }
    if (n > 0) {
        net->A[n - 1][row] -= 1;
        net->A[row][n - 1] -= 1;
    }
}

/* Scales that bring the largest entries of rows and columns near to 1. */
static void equilibrate(cwide a[MOST][2 * MOST], int n, double *row, double *col) {
    for (int k = 0; k < n; k++)
        row[k] = col[k] = 1;
    for (int pass = 0; pass < 6; pass++) {
        for (int i = 0; i < n; i++) {
            double most = 0;
            for (int j = 0; j < n; j++)
                most = fmax(most, size_of(a[i][j]) * row[i] * col[j]);
            row[i] /= sqrt(most > 0 ? most : 1);
        }
        for (int j = 0; j < n; j++) {
            double most = 0;
            for (int i = 0; i < n; i++)
                most = fmax(most, size_of(a[i][j]) * row[i] * col[j]);
            col[j] /= sqrt(most > 0 ? most : 1);
        }
    }
}

/* trace((s E + A)^-1 E), the logarithmic derivative of the determinant, by elimination with
 * complete pivoting; NAN: singular. */
static cwide log_slope(const pencil *net, cwide s) {
    static cwide a[MOST][2 * MOST];
    double row[MOST], col[MOST];
    int used_row[MOST] = {0}, used_col[MOST] = {0};
    const int n = net->n;
    cwide sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i][j] = s * net->E[i][j] + net->A[i][j];
            a[i][n + j] = net->E[i][j];
        }
    equilibrate(a, n, row, col);
    for (int k = 0; k < n; k++) {
        int at_row = -1, at_col = -1;
        double best = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n && !used_row[i]; j++)
                if (!used_col[j] && size_of(a[i][j]) * row[i] * col[j] > best) {
                    best = size_of(a[i][j]) * row[i] * col[j];
                    at_row = i;
                    at_col = j;
                }
        if (at_row < 0)
            return (cwide)NAN;
        used_row[at_row] = 1;
        used_col[at_col] = at_row + 1;
        for (int i = 0; i < n; i++) {
            if (i == at_row || a[i][at_col] == 0)
                continue;
            const cwide factor = a[i][at_col] / a[at_row][at_col];
            for (int j = 0; j < 2 * n; j++)
                if (j >= n || !used_col[j] || j == at_col)
                    a[i][j] -= factor * a[at_row][j];
        }
    }
    for (int j = 0; j < n; j++)
        sum += a[used_col[j] - 1][n + j] / a[used_col[j] - 1][j];
    return sum;
}

/* ---- random networks ---- */

static void make_network(text *xml, pencil *net) {
    const int nodes = 2 + below(7), edges = nodes + below(2 * nodes);
    const int source = uniform() < 0.6; /* at node 1 */
    memset(net, 0, sizeof *net);
    net->n = nodes;
    say(xml, "<model xmlns='urn:linnet:model:1'><ground id='g' p='0'/>");
    if (source) {
        say(xml, "<voltage-source id='V' p='n1' n='0' V='1 V'/>");
        stamp_branch(net, 1, 0, net->n++);
    }
    for (int k = 0; k < edges; k++) { /* the first ones join each node to one before it */
        const int p = k < nodes ? k + 1 : 1 + below(nodes);
        int n = k < nodes ? below(k + 1) : below(nodes + 1);
        if (n == p)
            n = 0;
        char to[16] = "0";
        if (n > 0)
            snprintf(to, sizeof to, "n%d", n);
        const double which = uniform();
        if (which < 0.4) {
            const double R = between(1e-2, 1e7);
            say(xml, "<resistor id='R%d' p='n%d' n='%s' R='%.17g'/>", k, p, to, R);
            stamp(net->A, p, n, 1 / (wide)R);
        } else if (which < 0.75) {
            const double C = between(1e-13, 1e-2);
            say(xml, "<capacitor id='C%d' p='n%d' n='%s' C='%.17g'/>", k, p, to, C);
            stamp(net->E, p, n, C);
        } else {
            const double L = between(1e-9, 1);
            say(xml, "<inductor id='L%d' p='n%d' n='%s' L='%.17g'/>", k, p, to, L);
            stamp_branch(net, p, n, net->n);
            net->E[net->n][net->n] = -(wide)L;
            net->n++;
        }
    }
    say(xml, "</model>");
}

typedef struct tally {
    int networks, modes, uncertain, bad, miscounted, verdicts;
    double worst;
} tally;

/* The mode next to s in 113 bits: the others are divided out, those that are equal to it stay. */
static cwide polish(const pencil *net, const ln_modes *modes, int k) {
    const double *value = modes->values;
    cwide s = value[2 * k] + value[2 * k + 1] * (cwide)I;
    for (int round = 0; round < 60; round++) {
        cwide slope = log_slope(net, s);
        if (!(size_of(slope) < INFINITY))
            break;
        for (int j = 0; j < modes->count; j++) {
            const cwide other = value[2 * j] + value[2 * j + 1] * (cwide)I;
            if (j != k && size_of(s - other) > 1e-6 * size_of(other))
                slope -= 1 / (s - other);
        }
        const cwide step = 1 / slope;
        s -= step;
        if (size_of(step) <= 1e-24 * size_of(s))
            break;
    }
    return s;
}

/* Number of modes: z trace is that where z is large against all of them; a mode that is missing
 * up to 1e5 times the largest shows. -1: no whole number. */
static int degree_of(const pencil *net, double largest) {
    int degree = -1;
    for (double by = 1e3; by < 2e5; by *= 10) {
        const double now = (double)__real__(by * largest * log_slope(net, by * largest));
        if (fabs(now - round(now)) > 0.1 || (degree >= 0 && now > degree + 0.5) ||
            (degree >= 0 && now < degree - 0.5))
            return -1;
        degree = (int)round(now);
    }
    return degree;
}

/* Zero modes: z trace tends to their number where z is small. */
static int zeros_of(const pencil *net, double least) {
    const double z = 1e-9 * least;
    return (int)round((double)__real__(z * log_slope(net, z)));
}

static void check_modes(const pencil *net, const bench *rig, tally *sum, const char *xml) {
    const ln_modes *modes = &rig->modes;
    double largest = 0, least = INFINITY;
    int zero = 0;
    for (int k = 0; k < modes->count; k++) {
        const double size = hypot(modes->modes[k].re, modes->modes[k].im);
        largest = fmax(largest, size);
        if (size > 0)
            least = fmin(least, size);
        zero += size == 0;
    }
    const int degree = degree_of(net, fmax(largest, 1)),
              at_zero = zeros_of(net, isfinite(least) ? least : 1);
    if (degree != modes->count || at_zero != zero) {
        sum->miscounted++;
        printf("\n    %d modes, %d of them 0; %d and %d by the determinant: %s\n", modes->count,
               zero, degree, at_zero, is_full() ? xml : "");
        return;
    }
    for (int k = 0; k < modes->count; k++) {
        const ln_eigenmode *mode = &modes->modes[k];
        if (mode->re == 0 && mode->im == 0)
            continue;
        const cwide s = mode->re + mode->im * (cwide)I, exact = polish(net, modes, k);
        const double size = size_of(exact), off = size_of(s - exact) / size;
        const double allowed = fmax(1e-8, 10 * mode->uncertainty / size);
        sum->modes++;
        sum->uncertain += allowed > 1e-8;
        if (off > sum->worst && allowed <= 1e-8)
            sum->worst = off;
        if (off > allowed) {
            sum->bad++;
            printf("\n    mode %.17g %+.17gi is off by %g, uncertainty %g: %s\n", mode->re,
                   mode->im, off, mode->uncertainty / size, is_full() ? xml : "");
        }
        /* a passive network has no mode that grows */
        if (mode->re > 0) {
            sum->verdicts++;
            printf("\n    a mode grows: %.17g %+.17gi, exactly %g, uncertainty %g: %s\n", mode->re,
                   mode->im, (double)__real__ exact, mode->uncertainty, is_full() ? xml : "");
        }
    }
    for (int k = 0; k < 6; k++) { /* all of them, once each */
        const cwide z = between(0.1 * fmax(least, 1e-30), 10 * fmax(largest, 1)) *
                        (uniform() + (cwide)I * uniform());
        cwide told = 0;
        double most = 0;
        for (int j = 0; j < modes->count; j++) {
            const cwide part =
                1 / (z - (modes->values[2 * j] + modes->values[2 * j + 1] * (cwide)I));
            told += part;
            most = fmax(most, size_of(part));
        }
        if (modes->count > 0 && size_of(told - log_slope(net, z)) > 1e-3 * most)
            sum->miscounted++;
    }
}

static void networks(void) {
    const int count = is_full() ? 1000 : 60;
    tally sum = {0};
    for (int k = 0; k < count; k++) {
        static text xml;
        static pencil net;
        bench rig;
        seed = 1000003ull * (unsigned)k + 17;
        xml.length = 0;
        make_network(&xml, &net);
        const linnet_status status = linearise(&rig, xml.bytes);
        if (status != LINNET_OK)
            printf("\n    network %d: %s", k, said);
        CU_ASSERT_EQUAL(status, LINNET_OK);
        if (status == LINNET_OK)
            check_modes(&net, &rig, &sum, xml.bytes);
        sum.networks++;
        finish(&rig);
    }
    CU_ASSERT_EQUAL(sum.bad, 0);
    CU_ASSERT_EQUAL(sum.miscounted, 0);
    CU_ASSERT_EQUAL(sum.verdicts, 0);
    printf("%d networks, %d modes, %d told uncertain, the others within %.1g ", sum.networks,
           sum.modes, sum.uncertain, sum.worst);
}

/* ---- random loops ---- */

typedef struct polynomial {
    int degree;
    wide at[MOST]; /* at[k] s^k */
} polynomial;

static polynomial product(const polynomial *a, const polynomial *b) {
    polynomial out = {.degree = a->degree + b->degree};
    for (int i = 0; i <= a->degree; i++)
        for (int j = 0; j <= b->degree; j++)
            out.at[i + j] += a->at[i] * b->at[j];
    return out;
}

/* A random factor of order 1 or 2 with constant 1, roots near 1/T; sign: -1 for the right. */
static polynomial factor(int order, double T, double sign) {
    const double w = between(0.03, 30) / T, z = between(0.01, 2);
    polynomial out = {.degree = order, .at = {1}};
    out.at[1] = order == 1 ? sign / w : sign * 2 * z / w;
    if (order == 2)
        out.at[2] = 1 / (wide)w / w;
    return out;
}

static polynomial of_order(int order, double T, double right) {
    polynomial out = {.at = {1}};
    while (out.degree < order) {
        const int more = order - out.degree >= 2 && uniform() < 0.5 ? 2 : 1;
        const polynomial next = factor(more, T, uniform() < right ? -1 : 1);
        out = product(&out, &next);
    }
    for (int k = 0; k <= out.degree; k++)
        out.at[k] = (double)out.at[k]; /* as it is written down */
    return out;
}

static void say_polynomial(text *xml, const polynomial *p) {
    for (int k = p->degree; k >= 0; k--)
        say(xml, "%s%.17g", k < p->degree ? " " : "", (double)p->at[k]);
}

/* All roots by Aberth's iteration, from points on circles of the sizes that the coefficients say.
 */
static void roots_of(const polynomial *p, cwide *root) {
    const int n = p->degree;
    for (int k = 0; k < n; k++) {
        const wide a = p->at[k], b = p->at[k + 1];
        double size = a != 0 && b != 0 ? fabs((double)(a / b)) : 1;
        root[k] = size * (cos(2.4 * k + 0.3) + (cwide)I * sin(2.4 * k + 0.3));
    }
    for (int round = 0; round < 2000; round++) {
        double most = 0;
        for (int k = 0; k < n; k++) {
            cwide value = p->at[n], slope = 0, others = 0;
            for (int j = n - 1; j >= 0; j--) {
                slope = slope * root[k] + value;
                value = value * root[k] + p->at[j];
            }
            for (int j = 0; j < n; j++)
                if (j != k)
                    others += 1 / (root[k] - root[j]);
            if (value == 0)
                continue;
            const cwide newton = slope / value, step = 1 / (newton - others);
            root[k] -= step;
            most = fmax(most, size_of(step) / size_of(root[k]));
        }
        if (most < 1e-28)
            break;
    }
}

static void check_loop(int number, tally *sum) {
    static text xml;
    const double T = between(1e-9, 1e5);
    const int blocks = 1 + below(3);
    polynomial num = {.at = {1}}, den = {.at = {1}}, closed;
    bench rig;
    seed = 7919ull * (unsigned)number + 5;
    xml.length = 0;
    say(&xml, "<model xmlns='urn:linnet:model:1'><constant id='ref' out='r' value='0'/>"
              "<sum id='sm' in='r y' signs='+-' out='x0'/>");
    for (int k = 0; k < blocks; k++) {
        const int order = 1 + below(blocks == 1 ? 7 : 4);
        const polynomial d = of_order(order, T, 0.1), n = of_order(below(order + 1), T, 0.25);
        say(&xml, "<transfer-function id='G%d' in='x%d' out='x%d' numerator='", k, k, k + 1);
        say_polynomial(&xml, &n);
        say(&xml, "' denominator='");
        say_polynomial(&xml, &d);
        say(&xml, "'/>");
        num = product(&num, &n);
        den = product(&den, &d);
    }
    const double gain = between(1e-2, 1e2) * (uniform() < 0.2 ? -1 : 1);
    say(&xml, "<gain id='K' in='x%d' out='y' k='%.17g'/></model>", blocks, gain);
    closed = den;
    for (int k = 0; k <= num.degree; k++)
        closed.at[k] += gain * num.at[k];
    cwide root[MOST];
    roots_of(&closed, root);
    const linnet_status status = linearise(&rig, xml.bytes);
    CU_ASSERT_EQUAL(status, LINNET_OK);
    if (status != LINNET_OK || rig.modes.count != closed.degree) {
        printf("\n    loop %d: %d modes of %d %s", number, rig.modes.count, closed.degree, said);
        sum->miscounted++;
        finish(&rig);
        return;
    }
    int growing = 0, close = 0;
    for (int k = 0; k < closed.degree; k++) {
        const ln_eigenmode *mode = NULL;
        double off = INFINITY;
        for (int j = 0; j < rig.modes.count; j++) {
            const cwide s = rig.modes.modes[j].re + rig.modes.modes[j].im * (cwide)I;
            if (size_of(s - root[k]) >= off)
                continue;
            off = size_of(s - root[k]);
            mode = &rig.modes.modes[j];
        }
        const double size = size_of(root[k]), allowed = fmax(1e-8 * size, 10 * mode->uncertainty);
        growing += __real__ root[k] > 0;
        close |= fabs((double)__real__ root[k]) < allowed;
        sum->modes++;
        sum->uncertain += allowed > 1e-8 * size;
        if (allowed <= 1e-8 * size)
            sum->worst = fmax(sum->worst, off / size);
        if (off > allowed) {
            sum->bad++;
            printf("\n    loop %d: a mode of size %g is off by %g, uncertainty %g", number, size,
                   off / size, mode->uncertainty / size);
        }
    }
    ln_margins margins;
    CU_ASSERT_EQUAL(ln_margins_find(&rig.small, "x0", LN_LINEAR_AUTO, &margins), LINNET_OK);
    if (!close && (margins.unstable != growing || margins.growing != growing)) {
        sum->verdicts++;
        printf("\n    loop %d: %d grow; %d by Nyquist's count, %d of the modes: %s", number,
               growing, margins.unstable, margins.growing, is_full() ? xml.bytes : "");
    }
    ln_margins_free(&margins);
    sum->networks++;
    finish(&rig);
}

static void loops(void) {
    const int count = is_full() ? 300 : 25;
    tally sum = {0};
    for (int k = 0; k < count; k++)
        check_loop(k, &sum);
    CU_ASSERT_EQUAL(sum.bad, 0);
    CU_ASSERT_EQUAL(sum.miscounted, 0);
    CU_ASSERT_EQUAL(sum.verdicts, 0);
    printf("%d loops, %d modes, %d told uncertain, the others within %.1g ", sum.networks,
           sum.modes, sum.uncertain, sum.worst);
}

UNIT_MAIN({"random networks", networks}, {"random loops", loops})
