/* SPDX-License-Identifier: MIT */
/* Chunks of devices that rest are held and cost nothing. What they give together, with its
 * derivatives, is what they give one by one, wherever the unknowns go and come back to. */
#include "system_kit.h"

#include "system/active.h"

enum { STAGES = 40 };
static const ln_side at_start = {0, 0, LN_MODES_FROZEN};

/* A line of resistors with a diode at each node. */
static bench line(void) {
    static char text[STAGES * 200];
    size_t length =
        (size_t)snprintf(text, sizeof text, "<voltage-source id='V' p='n0' n='0' V='1'/>");
    for (int k = 1; k <= STAGES; k++)
        length += (size_t)snprintf(
            text + length, sizeof text - length,
            "<resistor id='R%d' p='n%d' n='n%d' R='1e4'/><spice-diode id='D%d' p='n%d' n='0' "
            "is='1e-14' cjo='1 pF'/>",
            k, k - 1, k, k, k);
    return built("", text);
}

typedef struct point {
    double *f, *q, *K, *stored;
} point;

static point new_point(const bench *rig) {
    const size_t n = (size_t)rig->system->n, count = (size_t)rig->system->pattern.start[n];
    return (point){calloc(n, sizeof(double)), calloc(n, sizeof(double)),
                   calloc(count, sizeof(double)), calloc(n, sizeof(double))};
}

static void free_point(point *at) {
    free(at->f);
    free(at->q);
    free(at->K);
    free(at->stored);
}

static void look(ln_system *system, const double *x, int manner, point *out) {
    const size_t bytes = (size_t)system->n * sizeof(double);
    memset(out->f, 0, bytes);
    memset(out->q, 0, bytes);
    memset(out->stored, 0, bytes);
    CU_ASSERT_EQUAL(ln_system_eval(system, &(ln_moment){at_start, x}, manner, out->q, out->f, NULL),
                    LINNET_OK);
    ln_system_jacobian(system, 1e9, out->K);
    ln_system_add_stored(system, x, out->stored);
}

static double off(const double *a, const double *b, int count, double unit) {
    double most = 0;
    for (int k = 0; k < count; k++)
        most = fmax(most, fabs(a[k] - b[k]) / (unit + fabs(b[k])));
    return most;
}

/* Both ways of evaluation, in two systems: what rests gives its tangent within (0.72 uV/26 mV)^2/2
 * of its current, and the slopes of where it was evaluated. */
static void compare(ln_system *resting, ln_system *exact, const double *x, point *a, point *b) {
    const int n = resting->n;
    look(resting, x, LN_BYPASS, a);
    look(exact, x, LN_LIMIT_OFF, b);
    CHECK_CLOSE(off(a->f, b->f, n, 1e-14), 0, 1e-8);
    CHECK_CLOSE(off(a->q, b->q, n, 1e-18), 0, 1e-8);
    CHECK_CLOSE(off(a->stored, b->stored, n, 1e-18), 0, 1e-4);
    CHECK_CLOSE(off(a->K, b->K, resting->pattern.start[n], 1e-9), 0, 1e-4);
}

static void test_held(void) {
    bench one = line(), other = line();
    ln_system *system = one.system;
    const int n = system->n;
    double *x = calloc((size_t)n, sizeof *x);
    point a = new_point(&one), b = new_point(&other);
    for (int i = 0; i < n; i++)
        x[i] = 0.6 - 0.01 * i;
    for (int k = 0; k < 12; k++)
        compare(system, other.system, x, &a, &b);
    const int all = ln_resting_count(system);
    CU_ASSERT_EQUAL(all, STAGES / 8);
    /* within the range of rest they stay, wherever in it */
    for (int i = 0; i < n; i++)
        x[i] += i % 2 ? 3e-7 : -3e-7;
    compare(system, other.system, x, &a, &b);
    CU_ASSERT_EQUAL(ln_resting_count(system), all);
    /* a few nodes leave, by volts: their devices alone come back, and rest again */
    for (int k = 0; k < 30; k++) {
        for (int i = 10; i < 13; i++)
            x[i] = k < 15 ? 0.1 * k : 0.3;
        compare(system, other.system, x, &a, &b);
        CU_ASSERT(ln_resting_count(system) >= (k == 0 ? all - 3 : all - 4));
    }
    CU_ASSERT_EQUAL(ln_resting_count(system), all);
    /* where something else has changed, nothing does */
    look(system, x, LN_LIMIT_OFF, &a);
    CU_ASSERT_EQUAL(ln_resting_count(system), 0);
    compare(system, other.system, x, &a, &b);
    free(x);
    free_point(&a);
    free_point(&b);
    done(&one);
    done(&other);
}

/* A conductance of 1e10 S that was in a sum leaves nothing there when it has gone. */
static void test_gone(void) {
    bench one = line(), other = line();
    ln_system *system = one.system;
    const int n = system->n;
    double *x = calloc((size_t)n, sizeof *x);
    point a = new_point(&one), b = new_point(&other);
    for (int k = 0; k < 12; k++) {
        for (int i = 0; i < n; i++)
            x[i] = 1.0;
        look(system, x, LN_BYPASS, &a);
    }
    CU_ASSERT_EQUAL(ln_resting_count(system), STAGES / 8);
    for (int k = 0; k < 12; k++) {
        for (int i = 0; i < n; i++)
            x[i] = -1;
        compare(system, other.system, x, &a, &b);
    }
    CU_ASSERT_EQUAL(ln_resting_count(system), STAGES / 8);
    free(x);
    free_point(&a);
    free_point(&b);
    done(&one);
    done(&other);
}

/* Where blocks were evaluated last, from where limiting leads on, is kept and given back, of a
 * number of devices that fills its lanes and of such that do not; beside them one that stands
 * alone. */
static void test_places(void) {
    for (int count = 1; count <= 17; count++) {
        char text[17 * 200 + 300];
        size_t length = (size_t)snprintf(
            text, sizeof text,
            "<voltage-source id='V' p='n0' n='0' V='1'/><resistor id='R' p='n0' n='b' R='1'/>"
            "<diode id='D' p='b' n='0'/>");
        for (int k = 1; k <= count; k++)
            length += (size_t)snprintf(text + length, sizeof text - length,
                                       "<resistor id='R%d' p='n0' n='n%d' R='1'/><spice-diode "
                                       "id='D%d' p='n%d' n='0' is='1e-14'/>",
                                       k, k, k, k);
        bench rig = built("", text);
        ln_system *system = rig.system;
        const int n = system->n;
        double *x = calloc((size_t)n, sizeof *x),
               *places = calloc(ln_system_places(system), sizeof *places);
        point first = new_point(&rig), again = new_point(&rig);
        for (int i = 0; i < n; i++)
            x[i] = 0.5;
        look(system, x, LN_LIMIT_OFF, &first);
        ln_system_save_places(system, places);
        for (int i = 0; i < n; i++)
            x[i] = 0.5;
        look(system, x, LN_LIMIT_OFF, &again);
        for (int i = 0; i < n; i++)
            x[i] = 2;
        look(system, x, LN_LIMIT_ON, &first); /* from 0.5 V, evaluated */
        for (int i = 0; i < n; i++)
            x[i] = -5;
        look(system, x, LN_LIMIT_OFF, &again);
        ln_system_restore_places(system, places);
        for (int i = 0; i < n; i++)
            x[i] = 2;
        look(system, x, LN_LIMIT_ON, &again); /* from 0.5 V, given back */
        CHECK_CLOSE(off(again.f, first.f, n, 1e-14), 0, 1e-12);
        CHECK_CLOSE(off(again.K, first.K, system->pattern.start[n], 1e-14), 0, 1e-12);
        for (int i = 0; i < n; i++)
            x[i] = -5;
        look(system, x, LN_LIMIT_OFF, &again);
        for (int i = 0; i < n; i++)
            x[i] = 2;
        look(system, x, LN_LIMIT_ON, &again); /* from -5 V: elsewhere */
        CU_ASSERT(off(again.K, first.K, system->pattern.start[n], 1e-14) > 1e-3);
        free(x);
        free(places);
        free_point(&first);
        free_point(&again);
        done(&rig);
    }
}

UNIT_MAIN({"held", test_held}, {"gone", test_gone}, {"places", test_places})
