/* SPDX-License-Identifier: MIT */
/* A model as text, linearised at its operating point, with one of its loops opened. */
#ifndef LN_TESTS_LOOP_BENCH_H
#define LN_TESTS_LOOP_BENCH_H

#include "analysis/margins.h"
#include "heard.h"
#include "model/model.h"
#include <string.h>

typedef struct bench {
    ln_report *report;
    ln_model *model;
    ln_simulation simulation;
    ln_small_signal small;
    ln_margins margins;
    linnet_status status;
} bench;

static linnet_status find(bench *rig, const char *xml, const char *signal) {
    LN_TRY(ln_model_read_memory("test.xml", xml, strlen(xml), NULL, rig->report, &rig->model));
    LN_TRY(ln_simulation_prepare(&rig->simulation, rig->model, &(ln_request){0}, 0,
                                 &(ln_record_choice){ln_small_signal_choose, NULL}, rig->report));
    LN_TRY(ln_small_signal_at_rest(&rig->simulation, &rig->small));
    return ln_margins_find(&rig->small, signal, LN_LINEAR_AUTO, &rig->margins);
}

static bench opened(const char *xml, const char *signal) {
    bench rig = {.report = ln_report_new(hear, NULL)};
    said[0] = '\0';
    rig.status = find(&rig, xml, signal);
    return rig;
}

static void end(bench *rig) {
    ln_margins_free(&rig->margins);
    ln_small_signal_free(&rig->small);
    ln_simulation_free(&rig->simulation);
    ln_model_free(rig->model);
    ln_report_free(rig->report);
}

#endif
