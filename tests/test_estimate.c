/* SPDX-License-Identifier: MIT */
/* Estimated errors against true ones: a decay whose solution is known, at fixed and adaptive steps,
 * and a jump. */
#include "unit.h"

#include "analysis/estimate.h"
#include "base/sys.h"
#include "model/model.h"

static const char decay[] =
    "<model name='decay'><block-type name='decay'><output name='y'/><state name='x' start='1'/>"
    "<equation>der(x) = -x</equation><equation>y = x</equation></block-type><decay id='d' y='y'/>"
    "<simulation duration='2'/><record signals='y'/></model>";
/* a voltage that jumps at 0.3 s, in the middle of a step: both sides must find their partners */
static const char jump[] =
    "<model name='jump'><ground id='g' p='0'/><step-voltage id='V' p='a' n='0' height='1 V' "
    "delay='0.333 s'/>"
    "<resistor id='R' p='a' n='b' R='1 Ohm'/><capacitor id='C' p='b' n='0' C='1 F'/>"
    "<simulation duration='1 s'/><record signals='a b'/></model>";

static linnet_status ignore_open(ln_sink *sink, const ln_column *columns, int ncolumns) {
    (void)sink;
    (void)columns;
    (void)ncolumns;
    return LINNET_OK;
}
/* The true error of the first run goes to the sink behind the keeping one. */
typedef struct truth {
    ln_sink sink;
    double worst, worst_t;
    int closed;
} truth;
static linnet_status check_row(ln_sink *sink, double t, const double *values) {
    truth *exact = (truth *)sink;
    double off = fabs(values[0] - exp(-t));
    if (off > exact->worst) {
        exact->worst = off;
        exact->worst_t = t;
    }
    return LINNET_OK;
}
static linnet_status note_close(ln_sink *sink, int complete) {
    ((truth *)sink)->closed += complete;
    return LINNET_OK;
}

typedef struct twice {
    ln_estimate estimate;
    ln_arena *arena;
    truth truth;
    ln_simulation first, second;
    ln_points points;
    ln_model *model;
    ln_report *report;
    linnet_status status;
} twice;

static void run_twice(twice *pair, const char *xml, const char *method, const char *step,
                      const char *tolerance) {
    *pair =
        (twice){.arena = ln_arena_new(),
                .report = ln_report_new(NULL, NULL),
                .truth = {.sink = {.open = ignore_open, .row = check_row, .close = note_close}}};
    ln_request request = {.method = method, .step = step, .tolerance = tolerance}, again;
    CU_ASSERT_FATAL(ln_model_read_memory("t.xml", xml, strlen(xml), NULL, pair->report,
                                         &pair->model) == LINNET_OK);
    CU_ASSERT_FATAL(ln_simulation_prepare(&pair->first, pair->model, &request, 1, NULL,
                                          pair->report) == LINNET_OK);
    ln_sink *sink = ln_sink_keeping(&pair->truth.sink, &pair->points, pair->report);
    CU_ASSERT_FATAL(sink != NULL && ln_simulation_run(&pair->first, sink, NULL, NULL) == LINNET_OK);
    CU_ASSERT_FATAL(ln_estimate_request(&pair->first, &request, pair->arena, pair->report,
                                        &again) == LINNET_OK);
    CU_ASSERT_FATAL(ln_simulation_prepare(&pair->second, pair->model, &again, 1, NULL,
                                          pair->report) == LINNET_OK);
    pair->estimate.arena = pair->arena;
    pair->status =
        ln_estimate_errors(&pair->first, &pair->points, &pair->second, NULL, NULL, &pair->estimate);
    CU_ASSERT_FATAL(pair->status == LINNET_OK && pair->truth.closed == 1);
}

static void release(twice *pair) {
    ln_simulation_free(&pair->first);
    ln_simulation_free(&pair->second);
    ln_model_free(pair->model);
    ln_report_free(pair->report);
    ln_arena_free(pair->arena);
    ln_sys->release(pair->points.data);
}

static void fixed_steps(void) {
    const struct {
        const char *method, *step;
        double within;
    } cases[] = {{"backward-euler", "0.01", 0.02},
                 {"crank-nicolson", "0.01", 0.01},
                 {"tr-bdf2", "0.02", 0.01},
                 {"rk4", "0.05", 0.05},
                 {"backward-euler", "0.0001", 0.001}}; /* 20 000 points are more than are kept */
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        twice pair;
        run_twice(&pair, decay, cases[k].method, cases[k].step, NULL);
        const ln_estimate_signal *y = &pair.estimate.signals[0];
        CU_ASSERT(pair.estimate.fixed && pair.estimate.count == 1 && y->compared > 20);
        CHECK_CLOSE(y->error / pair.truth.worst, 1, cases[k].within);
        CHECK_CLOSE(y->t, pair.truth.worst_t, 0.05);
        CHECK_CLOSE(y->size, 1, 1e-12);
        release(&pair);
    }
}

static void adaptive_steps(void) {
    const char *methods[] = {"radau5", "tr-bdf2", "rk45"};
    for (int k = 0; k < 3; k++) {
        twice pair;
        run_twice(&pair, decay, methods[k], NULL, "1e-5");
        double ratio = pair.estimate.signals[0].error / pair.truth.worst;
        CU_ASSERT(!pair.estimate.fixed && ratio > 0.5 && ratio < 1.5);
        CHECK_CLOSE(pair.estimate.size, 1e-6, 1e-18);
        release(&pair);
    }
}

static void jumps(void) {
    twice pair;
    run_twice(&pair, jump, "crank-nicolson", "0.01 s", NULL);
    CU_ASSERT(pair.estimate.count == 2);
    CHECK_CLOSE(pair.estimate.signals[0].error, 0, 1e-12); /* not 1 V at the jump */
    CU_ASSERT(pair.estimate.signals[1].error > 1e-9 && pair.estimate.signals[1].error < 1e-4);
    release(&pair);
}

UNIT_MAIN({"fixed steps", fixed_steps}, {"adaptive steps", adaptive_steps}, {"jumps", jumps})
