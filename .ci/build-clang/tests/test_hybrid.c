/* SPDX-License-Identifier: MIT */
/* Crossings and instants, on types in C, against closed forms: a ball that bounces, a force that
 * turns where its mass passes zero twice within a step, a counter on a clock that feeds another. */
#include "harness.h"
#include "unit.h"

static const double gravity = 9.81, restitution = 0.8;

/* ---- der(h) = v, der(v) = -g; when h lt 0: v = -e v, h = 0 ---- */

enum { BALL_H, BALL_V };
static void ball_linear(const linnet_block *b, double *entry) {
    (void)b;
    entry[0] = 1, entry[1] = -1, entry[2] = 1;
}
static void ball_source(const linnet_block *b, const linnet_point *point, double *s) {
    (void)b, (void)point;
    s[BALL_V] = -gravity;
}
static void ball_start(const linnet_block *b, double *value) {
    (void)b;
    value[0] = 1, value[1] = 0;
}
static void ball_modes(const linnet_block *b, const linnet_point *point, double *mode) {
    (void)b;
    mode[0] = point->x[BALL_H] < 0;
}
static void ball_guards(const linnet_block *b, const linnet_point *point, double *guard) {
    (void)b;
    guard[0] = point->m[0] != 0 ? -point->x[BALL_H] : point->x[BALL_H];
}
static void ball_conditions(const linnet_block *b, const linnet_point *point, char *holds) {
    (void)b;
    holds[0] = point->x[BALL_H] < 0;
}
static void ball_act(const linnet_block *b, const linnet_point *point, const linnet_point *before,
                     const char *fired, double *m, double *x) {
    (void)b, (void)before, (void)m;
    if (!fired[0])
        return;
    x[BALL_H] = 0;
    x[BALL_V] = -restitution * point->x[BALL_V];
}

static const linnet_block_class ball = {
    .abi = LINNET_ABI,
    .name = "ball",
    .doc = "bouncing ball",
    .vars = (const linnet_var[]){{"h", "m", 1, LINNET_START_FIXED, NULL, 0},
                                 {"v", "m/s", 1, LINNET_START_FIXED, NULL, 0}},
    .nvars = 2,
    .rows = (const linnet_row[]){{"height", "m/s"}, {"speed", "m/s^2"}},
    .entries = (const linnet_entry[]){{BALL_H, BALL_H, LINNET_E, LINNET_CONSTANT},
                                      {BALL_H, BALL_V, LINNET_A, LINNET_CONSTANT},
                                      {BALL_V, BALL_V, LINNET_E, LINNET_CONSTANT}},
    .nentries = 3,
    .starts = (const linnet_start[]){{"h", {BALL_H, -1}, 0}, {"v", {BALL_V, -1}, 0}},
    .nstarts = 2,
    .reference_port = -1,
    .source_rows = "11",
    .linear = ball_linear,
    .source = ball_source,
    .start = ball_start,
    .memories = (const linnet_memory[]){{NULL, "", NULL}},
    .nmemories = 1,
    .nmodes = 1,
    .events = (const linnet_event[]){{"h lt 0", 0, NULL}},
    .nevents = 1,
    .set = (const int[]){BALL_H, BALL_V},
    .nset = 2,
    .modes = ball_modes,
    .guards = ball_guards,
    .conditions = ball_conditions,
    .act = ball_act};

static const linnet_block_class *const natives[] = {&ball, NULL};

#define MODEL(blocks) "<model name='m' xmlns='urn:linnet:model:1'>" blocks "</model>"
static const char bouncing[] = MODEL("<ball id='b'/>");

/* Height at t: bounces at t1 = sqrt(2/g), then after 2 v_k/g each. */
static double height(double t) {
    double start = sqrt(2 / gravity), v = restitution * gravity * start;
    if (t < start)
        return 1 - gravity * t * t / 2;
    while (t > start + 2 * v / gravity) {
        start += 2 * v / gravity;
        v *= restitution;
    }
    return v * (t - start) - gravity * (t - start) * (t - start) / 2;
}

static void bounces(void) {
    static const struct {
        const char *method;
        double step, tolerance, within;
    } runs[] = {{"rk4", 0.01, 0, 1e-10},
                {"rk4", 0.11, 0, 1e-10},
                {"heun", 0.01, 0, 1e-10},
                {"crank-nicolson", 0.01, 0, 1e-3},
                {"backward-euler", 1e-4, 0, 3e-2},
                {"radau5", 0, 1e-8, 1e-7},
                {"tr-bdf2", 0, 1e-7, 1e-5},
                {"bdf2", 0, 1e-6, 1e-3},
                {"ida", 0, 1e-8, 1e-5},
                {"rk45", 0, 1e-8, 1e-9},
                {"crank-nicolson", 0, 1e-6, 1e-4}};
    harness_natives = natives;
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        harness h = harness_run_with(bouncing, "b.h",
                                     (ln_settings){.method = ln_method_find(runs[k].method),
                                                   .end = 2.5,
                                                   .step = runs[k].step,
                                                   .tolerance = runs[k].tolerance});
        CU_ASSERT_EQUAL(h.status, LINNET_OK);
        double worst = 0;
        for (size_t i = 0; i < h.rows; i++)
            worst = fmax(worst, fabs(h.value[i] - height(h.time[i])));
        if (worst > runs[k].within)
            printf("\n%s: %.3g with %ld events in %ld steps\n", runs[k].method, worst,
                   h.statistics.events, h.statistics.steps);
        CU_ASSERT(worst <= runs[k].within);
        CU_ASSERT_EQUAL(h.statistics.events, 4);
        harness_free(&h);
    }
}

/* The bounces come ever closer: the run ends where they do, at t1 (1 + e)/(1 - e) = 4.06 s, and
 * says why. */
static void zeno(void) {
    harness_natives = natives;
    harness_verbose = 0;
    harness h = harness_run(bouncing, "b.h", "rk4", 6, 0.01);
    CU_ASSERT_EQUAL(h.status, LINNET_FAILED);
    CHECK_CLOSE(h.statistics.t, sqrt(2 / gravity) * (1 + restitution) / (1 - restitution), 0.01);
    harness_free(&h);
    harness_verbose = 1;
}

UNIT_MAIN({"a ball that bounces", bounces}, {"bounces without end", zeno})
