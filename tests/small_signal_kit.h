/* SPDX-License-Identifier: MIT */
/* For tests of linearised models: a model as text, linearised at rest or within its run. */
#ifndef TESTS_SMALL_SIGNAL_KIT_H
#define TESTS_SMALL_SIGNAL_KIT_H

#include "analysis/small_signal.h"
#include "unit.h"
#include <stdio.h>
#include <string.h>

static char said[512];

static inline void keep_message(void *context, ln_severity severity, ln_place place, const char *text) {
    (void)context;
    (void)severity;
    (void)place;
    snprintf(said, sizeof said, "%s", text);
}

typedef struct bench {
    ln_report *report;
    ln_model *model;
    ln_simulation simulation;
    ln_small_signal small;
} bench;

/* t < 0: at rest. */
static inline bench linearised(const char *xml, const char *outputs, double t) {
    bench it = {.report = ln_report_new(keep_message, NULL)};
    char names[128];
    snprintf(names, sizeof names, "%s", outputs);
    said[0] = '\0';
    CU_ASSERT_EQUAL_FATAL(ln_model_read_memory("test.xml", xml, strlen(xml), NULL, it.report, &it.model), LINNET_OK);
    linnet_status status =
        ln_simulation_prepare(&it.simulation, it.model, &(ln_request){0}, t >= 0, ln_small_signal_choose, names, it.report);
    if (status == LINNET_OK)
        status = t < 0 ? ln_small_signal_at_rest(&it.simulation, &it.small)
                       : ln_small_signal_at_time(&it.simulation, t, NULL, NULL, &it.small);
    if (status != LINNET_OK) printf("\n    %s\n", said);
    CU_ASSERT_EQUAL_FATAL(status, LINNET_OK);
    return it;
}

static inline void done(bench *it) {
    ln_small_signal_free(&it->small);
    ln_simulation_free(&it->simulation);
    ln_model_free(it->model);
    ln_report_free(it->report);
}

#endif
