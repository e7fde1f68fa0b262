/* SPDX-License-Identifier: MIT */
/* For tests of linearised models: a model as text, linearised at rest or within its run. */
#ifndef TESTS_SMALL_SIGNAL_KIT_H
#define TESTS_SMALL_SIGNAL_KIT_H

#include "analysis/state_space.h"
#include "heard.h"
#include "model/model.h"
#include "unit.h"
#include <complex.h>
#include <stdio.h>
#include <string.h>

typedef struct bench {
    ln_report *report;
    ln_model *model;
    ln_simulation simulation;
    ln_small_signal small;
} bench;

/* t < 0: at rest. */
static inline bench linearised(const char *xml, const char *outputs, double t) {
    bench rig = {.report = ln_report_new(hear, NULL)};
    char names[128];
    snprintf(names, sizeof names, "%s", outputs);
    said[0] = '\0';
    CU_ASSERT_EQUAL_FATAL(
        ln_model_read_memory("test.xml", xml, strlen(xml), NULL, rig.report, &rig.model),
        LINNET_OK);
    linnet_status status =
        ln_simulation_prepare(&rig.simulation, rig.model, &(ln_request){0}, t >= 0,
                              &(ln_record_choice){ln_small_signal_choose, names}, rig.report);
    if (status == LINNET_OK)
        status = t < 0 ? ln_small_signal_at_rest(&rig.simulation, &rig.small)
                       : ln_small_signal_at_time(&rig.simulation, t, NULL, NULL, &rig.small);
    if (status != LINNET_OK)
        printf("\n    %s\n", said);
    CU_ASSERT_EQUAL_FATAL(status, LINNET_OK);
    return rig;
}

static inline void done(bench *rig) {
    ln_small_signal_free(&rig->small);
    ln_simulation_free(&rig->simulation);
    ln_model_free(rig->model);
    ln_report_free(rig->report);
}

/* C (s - A)^-1 B + D, or C (s E - A)^-1 B + D, of one input and output, by elimination. */
static inline double complex response_of(const ln_state_space *m, int input, int output,
                                         double complex s) {
    enum { MOST = 64 };
    double complex a[MOST][MOST + 1];
    const int n = m->n;
    CU_ASSERT_FATAL(n <= MOST);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            a[i][j] = s * (m->E != NULL ? m->E[j * n + i] : i == j) - m->A[j * n + i];
        a[i][n] = m->B[input * n + i];
    }
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k; i < n; i++)
            if (cabs(a[i][k]) > cabs(a[pivot][k]))
                pivot = i;
        for (int j = k; j <= n; j++) {
            double complex swap = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = swap;
        }
        for (int i = 0; i < n; i++) {
            if (i == k)
                continue;
            const double complex factor = a[i][k] / a[k][k];
            for (int j = k; j <= n; j++)
                a[i][j] -= factor * a[k][j];
        }
    }
    double complex y = m->D[input * m->noutputs + output];
    for (int k = 0; k < n; k++)
        y += m->C[k * m->noutputs + output] * a[k][n] / a[k][k];
    return y;
}

#endif
