/* SPDX-License-Identifier: MIT */
/* For tests of the numerics: a model as text, run by a method at a step, and the recorded signals
 * at the end or at any accepted time. Below the commands and the public API, so that a fault is
 * found in the room where it is. */
#ifndef TESTS_HARNESS_H
#define TESTS_HARNESS_H

#include "base/sys.h"
#include "blocks/catalogue.h"
#include "integrate/integrate.h"
#include "model/model.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HARNESS_SIGNALS = 16 };

typedef struct harness {
    ln_report *report;
    ln_model *model;
    ln_network *network;
    ln_system *system;
    ln_statistics statistics;
    linnet_status status;
    int nsignals;
    ln_quantity quantity[HARNESS_SIGNALS];
    size_t rows, time_room, value_room, values;
    double *time, *value; /* rows; rows x nsignals */
} harness;

static inline void harness_print(void *context, ln_severity severity, ln_place place,
                                 const char *text) {
    (void)severity;
    (void)place;
    if (*(int *)context)
        fprintf(stderr, "%s\n", text);
}
static int harness_verbose = 1;
/* Native types of the test's own; ends with NULL. */
static const linnet_block_class *const *harness_natives;

static inline linnet_status harness_build(const ln_model *model, ln_report *report,
                                          ln_network **network) {
    linnet_status status;
    ln_catalogue *catalogue = ln_catalogue_new(model, report, &status);
    if (catalogue == NULL)
        return status;
    for (int k = 0; harness_natives != NULL && harness_natives[k] != NULL; k++)
        (void)ln_catalogue_register(catalogue, harness_natives[k], report);
    status = ln_network_build(catalogue, model, NULL, 0, report, network);
    if (status == LINNET_OK)
        (*network)->owns_catalogue = 1;
    else
        ln_catalogue_free(catalogue);
    return status;
}

static inline linnet_status harness_accept(void *context, ln_side side, const double *x) {
    harness *h = context;
    size_t row = h->rows;
    if (!LN_GROW(h->time, row, h->time_room))
        return LINNET_MEMORY;
    h->time[h->rows++] = side.t;
    for (int k = 0; k < h->nsignals; k++) {
        size_t at = h->values;
        if (!LN_GROW(h->value, at, h->value_room))
            return LINNET_MEMORY;
        h->value[h->values++] = ln_system_observe(h->system, &h->quantity[k], side, x);
    }
    return LINNET_OK;
}

/* Reads and builds. `signals`: names separated by blanks. The report becomes the harness's. */
static inline harness harness_built(const char *xml, const char *signals, ln_report *report) {
    harness h = {.status = LINNET_OK, .report = report};
    h.status = ln_model_read_memory("test.xml", xml, strlen(xml), NULL, h.report, &h.model);
    if (h.status == LINNET_OK)
        h.status = harness_build(h.model, h.report, &h.network);
    char names[512];
    snprintf(names, sizeof names, "%s", signals);
    char *rest = names;
    for (char *name; h.status == LINNET_OK && (name = strtok_r(rest, " ", &rest)) != NULL;
         h.nsignals++) {
        const char *nearest = NULL;
        if (!ln_network_find(h.network, name, &h.quantity[h.nsignals], &nearest)) {
            fprintf(stderr, "harness: no signal %s\n", name);
            h.status = LINNET_USAGE;
        } else {
            h.status = ln_observe_request(h.network, &h.quantity[h.nsignals], h.report);
        }
    }
    if (h.status == LINNET_OK)
        h.status = ln_system_new(h.network, h.report, &h.system);
    return h;
}

/* The same, and runs. step 0: adaptive at `tolerance`. */
static inline harness harness_run_with(const char *xml, const char *signals, ln_settings settings) {
    harness h = harness_built(xml, signals, ln_report_new(harness_print, &harness_verbose));
    ln_watcher watcher = {.context = &h, .accept = harness_accept};
    if (h.status == LINNET_OK)
        h.status = ln_integrate(h.system, &settings, &watcher, h.report, &h.statistics);
    return h;
}

/* At a fixed step; a method that has none follows a tight tolerance, and tells the same times. */
static inline harness harness_run(const char *xml, const char *signals, const char *method,
                                  double end, double step) {
    ln_settings settings = {.method = ln_method_find(method), .end = end, .step = step};
    if (settings.method->steps == LN_STEPS_ADAPTIVE) {
        settings.tolerance = 1e-9;
        settings.interval = step;
    }
    return harness_run_with(xml, signals, settings);
}

/* Signal k in the last row. */
static inline double harness_last(const harness *h, int k) {
    return h->rows == 0 ? NAN : h->value[(h->rows - 1) * (size_t)h->nsignals + (size_t)k];
}

/* Signal k at the last row whose time is within 1e-9 of t; NAN when there is none. */
static inline double harness_at(const harness *h, int k, double t) {
    for (size_t row = h->rows; row-- > 0;)
        if (fabs(h->time[row] - t) <= 1e-9 * fmax(1, fabs(t)))
            return h->value[row * (size_t)h->nsignals + (size_t)k];
    return NAN;
}

static inline void harness_free(harness *h) {
    ln_system_free(h->system);
    ln_network_free(h->network);
    ln_model_free(h->model);
    ln_report_free(h->report);
    ln_sys->release(h->time);
    ln_sys->release(h->value);
    *h = (harness){.status = LINNET_OK};
}

/* Runs and returns signal 0 at the end; NAN after a failure. */
static inline double harness_end(const char *xml, const char *signal, const char *method,
                                 double end, double step) {
    harness h = harness_run(xml, signal, method, end, step);
    double value = h.status == LINNET_OK ? harness_last(&h, 0) : NAN;
    harness_free(&h);
    return value;
}

/* Observed order: log2 of the ratio of the errors at step and step/2 against `exact`. */
static inline double harness_order(const char *xml, const char *signal, const char *method,
                                   double end, double step, double exact) {
    double coarse = fabs(harness_end(xml, signal, method, end, step) - exact);
    double fine = fabs(harness_end(xml, signal, method, end, step / 2) - exact);
    return log2(coarse / fine);
}

#endif
