/* SPDX-License-Identifier: MIT */
/* Chunks of devices that rest are held and cost nothing. What they give together, with its
 * derivatives, is what they give one by one, wherever the unknowns go and come back to. */
#include "system_kit.h"

#include "blocks/native/device.h"
#include "system/active.h"

enum { STAGES = 40 };
static const ln_side at_start = {0, 0, LN_MODES_FROZEN};

/* A line of resistors with a diode at each node. */
static bench line(int stages) {
    static char text[STAGES * 200];
    size_t length =
        (size_t)snprintf(text, sizeof text, "<voltage-source id='V' p='n0' n='0' V='1'/>");
    for (int k = 1; k <= stages; k++)
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

static void look_within(ln_system *system, const double *x, double rests, int manner, point *out) {
    const size_t bytes = (size_t)system->n * sizeof(double);
    memset(out->f, 0, bytes);
    memset(out->q, 0, bytes);
    memset(out->stored, 0, bytes);
    CU_ASSERT_EQUAL(ln_system_eval_within(system, &(ln_moment){at_start, x},
                                          (ln_leeway){manner, rests}, out->q, out->f, NULL),
                    LINNET_OK);
    ln_system_jacobian(system, 1e9, out->K);
    ln_system_add_stored(system, x, out->stored);
}

static void look(ln_system *system, const double *x, int manner, point *out) {
    look_within(system, x, 0, manner, out);
}

static double off(const double *a, const double *b, int count, double unit) {
    double most = 0;
    for (int k = 0; k < count; k++)
        most = fmax(most, fabs(a[k] - b[k]) / (unit + fabs(b[k])));
    return most;
}

/* Two systems of one line of diodes, a point that falls along it, and what each gives there. */
typedef struct twins {
    bench one, other;
    int n;
    double *x;
    point a, b;
} twins;

static twins new_twins(int stages) {
    twins t = {.one = line(stages), .other = line(stages)};
    t.n = t.one.system->n;
    t.x = calloc((size_t)t.n, sizeof *t.x);
    t.a = new_point(&t.one);
    t.b = new_point(&t.other);
    for (int i = 0; i < t.n; i++)
        t.x[i] = 0.6 - 0.01 * i;
    return t;
}

static void free_twins(twins *t) {
    free(t->x);
    free_point(&t->a);
    free_point(&t->b);
    done(&t->one);
    done(&t->other);
}

/* Both ways of evaluation, in two systems: what rests, within 0.36 uV, gives its tangent within
 * (0.72 uV/26 mV)^2/2 of its current, and the slopes of where it was evaluated. */
static void compare(twins *t) {
    const int n = t->n;
    const point *a = &t->a, *b = &t->b;
    look_within(t->one.system, t->x, ln_rests_within(1e-10), LN_LIMIT_OFF, &t->a);
    look(t->other.system, t->x, LN_LIMIT_OFF, &t->b);
    CHECK_CLOSE(off(a->f, b->f, n, 1e-14), 0, 1e-8);
    CHECK_CLOSE(off(a->q, b->q, n, 1e-18), 0, 1e-8);
    CHECK_CLOSE(off(a->stored, b->stored, n, 1e-18), 0, 1e-4);
    CHECK_CLOSE(off(a->K, b->K, t->one.system->pattern.start[n], 1e-9), 0, 1e-4);
}

static void test_held(void) {
    twins t = new_twins(STAGES);
    ln_system *system = t.one.system;
    for (int k = 0; k < 12; k++)
        compare(&t);
    const int all = ln_resting_count(system);
    CU_ASSERT_EQUAL(all, STAGES / 8);
    /* within the range of rest they stay, wherever in it */
    for (int i = 0; i < t.n; i++)
        t.x[i] += i % 2 ? 3e-7 : -3e-7;
    compare(&t);
    CU_ASSERT_EQUAL(ln_resting_count(system), all);
    /* a few nodes leave, by volts: their devices alone come back, and rest again */
    for (int k = 0; k < 30; k++) {
        for (int i = 10; i < 13; i++)
            t.x[i] = k < 15 ? 0.1 * k : 0.3;
        compare(&t);
        CU_ASSERT(ln_resting_count(system) >= (k == 0 ? all - 3 : all - 4));
    }
    CU_ASSERT_EQUAL(ln_resting_count(system), all);
    /* where something else has changed, nothing does */
    look(system, t.x, LN_LIMIT_OFF, &t.a);
    CU_ASSERT_EQUAL(ln_resting_count(system), 0);
    compare(&t);
    free_twins(&t);
}

/* One group of devices that rests, alone, is in the sums as any. */
static void test_one(void) {
    twins t = new_twins(8);
    for (int k = 0; k < 12; k++)
        compare(&t);
    CU_ASSERT_EQUAL(ln_resting_count(t.one.system), 1);
    free_twins(&t);
}

/* How near a device must be to rest may change from look to look. */
static void test_narrower(void) {
    twins t = new_twins(STAGES);
    ln_system *system = t.one.system;
    for (int k = 0; k < 12; k++)
        look_within(system, t.x, ln_rests_within(1e-6), LN_LIMIT_OFF, &t.a);
    for (int i = 0; i < t.n; i++)
        t.x[i] += 2e-5;
    look(t.other.system, t.x, LN_LIMIT_OFF, &t.b);
    look_within(system, t.x, ln_rests_within(1e-6), LN_LIMIT_OFF, &t.a);
    CU_ASSERT_EQUAL(ln_resting_count(system), STAGES / 8);
    CHECK_CLOSE(off(t.a.f, t.b.f, t.n, 1e-14), 0, 2e-6);
    CU_ASSERT(off(t.a.f, t.b.f, t.n, 1e-14) > 1e-8);
    look_within(system, t.x, ln_rests_within(1e-10), LN_LIMIT_OFF, &t.a);
    CU_ASSERT_EQUAL(ln_resting_count(system), 0);
    CHECK_CLOSE(off(t.a.f, t.b.f, t.n, 1e-14), 0, 1e-12);
    free_twins(&t);
}

/* A conductance of 1e10 S that was in a sum leaves nothing there when it has gone. */
static void test_gone(void) {
    twins t = new_twins(STAGES);
    ln_system *system = t.one.system;
    for (int i = 0; i < t.n; i++)
        t.x[i] = 1;
    for (int k = 0; k < 12; k++)
        look_within(system, t.x, ln_rests_within(1e-10), LN_LIMIT_OFF, &t.a);
    CU_ASSERT_EQUAL(ln_resting_count(system), STAGES / 8);
    for (int i = 0; i < t.n; i++)
        t.x[i] = -1;
    for (int k = 0; k < 12; k++)
        compare(&t);
    CU_ASSERT_EQUAL(ln_resting_count(system), STAGES / 8);
    free_twins(&t);
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

/* A number between -1 and 1, the same in every run. */
static double any(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608.0 - 1;
}

/* From many places a device goes in many directions; as far as it says that nothing is limited,
 * nothing is, and somewhere farther away something is. */
static void check_unlimited(const linnet_block *block) {
    enum { TRIALS = 20000 };
    const ln_device_shape *shape = ln_device_shape_of(block->type);
    const ln_device *device = shape->device;
    const double most = device->unlimited(block);
    unsigned state = 7;
    int within = 0, beyond = 0;
    CU_ASSERT(most > 0);
    for (int trial = 0; trial < TRIALS; trial++) {
        double old[LN_DEVICE_NODES], way[LN_DEVICE_NODES], near[LN_DEVICE_NODES],
            far[LN_DEVICE_NODES], sum = 0;
        for (int k = 0; k < shape->nnodes; k++) {
            old[k] = (trial % 2 ? 1 : 6) * any(&state);
            way[k] = any(&state);
            sum += fabs(way[k]);
        }
        for (int k = 0; k < shape->nnodes; k++) {
            near[k] = old[k] + most * way[k] / sum;
            far[k] = old[k] + 100 * most * way[k] / sum;
        }
        within += device->limit(block, old, near);
        beyond += device->limit(block, old, far);
    }
    CU_ASSERT_EQUAL(within, 0);
    CU_ASSERT(beyond > 0);
}

static void test_unlimited(void) {
    bench rig = built(
        "",
        "<voltage-source id='V' p='a' n='0' V='1'/>"
        "<spice-diode id='D1' p='a' n='0' is='1e-14' bv='5 V'/>"
        "<bjt id='Q1' c='a' b='a' e='0' IS='1e-15' RB='100 Ohm' RE='1 Ohm' RC='5 Ohm'/>"
        "<jfet id='J1' d='a' g='a' s='0' VTO='-2 V' BETA='1e-3' RD='10 Ohm' RS='10 Ohm'/>"
        "<mosfet id='M1' d='a' g='a' s='0' b='0' L='2 um' W='10 um' VTO='0.7 V' KP='60e-6'/>"
        "<mosfet id='M2' d='a' g='a' s='0' b='0' type='pmos' L='2 um' W='10 um' VTO='-0.7 V'/>");
    int count = 0;
    for (int k = 0; k < rig.system->nnonlinear; k++)
        if (ln_device_shape_of(rig.system->nonlinear[k].instance->block.type) != NULL) {
            check_unlimited(&rig.system->nonlinear[k].instance->block);
            count++;
        }
    CU_ASSERT_EQUAL(count, 5);
    done(&rig);
}

UNIT_MAIN({"held", test_held}, {"one", test_one}, {"narrower", test_narrower}, {"gone", test_gone},
          {"places", test_places}, {"unlimited", test_unlimited})
