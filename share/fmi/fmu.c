/* SPDX-License-Identifier: MIT */
/* An instance of an FMU: see fmu.h. */
#include "fmu_inside.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

linnet_fmu_status linnet_fmu_tell(const linnet_fmu *fmu, linnet_fmu_status status,
                                  const char *format, ...) {
    char text[256];
    va_list arguments;
    if (fmu->host.log == NULL || (status == LINNET_FMU_WARNING && !fmu->logging))
        return status;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fmu->host.log(&fmu->host, fmu->name, status, text);
    return status;
}

linnet_fmu_status linnet_fmu_refuse(linnet_fmu *fmu, const char *what) {
    return fmu == NULL ? LINNET_FMU_ERROR
                       : linnet_fmu_tell(fmu, LINNET_FMU_ERROR, "this FMU has no %s", what);
}

linnet_fmu_status linnet_fmu_failed(const linnet_fmu *fmu, model_status_t status) {
    static const char *const words[] = MODEL_WORDS;
    const unsigned number = (unsigned)status;
    return linnet_fmu_tell(fmu, LINNET_FMU_ERROR, "at t = %.9g s %s", fmu->now.model.time,
                           number < sizeof words / sizeof *words ? words[number] : "it fails");
}

/* ---- the life of an instance ---- */

static void linnet_fmu_begin(linnet_fmu *fmu) {
    memset(&fmu->now, 0, sizeof fmu->now);
    model_init(&fmu->now.model);
    fmu->is_seen = 0;
}

linnet_fmu *linnet_fmu_new(const char *name, const char *token, int exchange, int logging,
                           const linnet_fmu_host *host) {
    linnet_fmu probe = {.logging = logging, .host = *host};
    (void)snprintf(probe.name, sizeof probe.name, "%s", name != NULL ? name : "");
    if (token == NULL || strcmp(token, MODEL_TOKEN) != 0) {
        (void)linnet_fmu_tell(&probe, LINNET_FMU_ERROR,
                              "the description is another FMU's: it says "
                              "%s, and this is " MODEL_TOKEN,
                              token != NULL ? token : "nothing");
        return NULL;
    }
    if (exchange && !MODEL_EXCHANGE) {
        (void)linnet_fmu_refuse(&probe, "model exchange");
        return NULL;
    }
    linnet_fmu *fmu = malloc(sizeof *fmu);
    if (fmu == NULL) {
        (void)linnet_fmu_tell(&probe, LINNET_FMU_ERROR, "memory is short");
        return NULL;
    }
    *fmu = probe;
    fmu->exchange = exchange;
    linnet_fmu_begin(fmu);
    return fmu;
}

void linnet_fmu_free(linnet_fmu *fmu) {
    free(fmu);
}

void linnet_fmu_logging(linnet_fmu *fmu, int on) {
    fmu->logging = on;
}

linnet_fmu_status linnet_fmu_expect(const linnet_fmu *fmu, linnet_fmu_phase phase,
                                    const char *call) {
    return fmu->now.phase == phase
               ? LINNET_FMU_OK
               : linnet_fmu_tell(fmu, LINNET_FMU_ERROR, "%s is not allowed now", call);
}

linnet_fmu_status linnet_fmu_setup(linnet_fmu *fmu, double start) {
    const linnet_fmu_status status = linnet_fmu_expect(fmu, LINNET_FMU_NEW, "setting up");
    if (status != LINNET_FMU_OK)
        return status;
    const double begin = fmu->now.model.begin;
    fmu->now.model.begin = fmu->now.model.time = start;
    return start == begin ? LINNET_FMU_OK
                          : linnet_fmu_tell(fmu, LINNET_FMU_WARNING,
                                            "the model begins at %g s; "
                                            "its samples are counted from there",
                                            begin);
}

linnet_fmu_status linnet_fmu_initialize(linnet_fmu *fmu) {
    const linnet_fmu_status status = linnet_fmu_expect(fmu, LINNET_FMU_NEW, "initializing");
    if (status == LINNET_FMU_OK)
        fmu->now.phase = LINNET_FMU_INITIALIZING;
    return status;
}

linnet_fmu_status linnet_fmu_reset(linnet_fmu *fmu) {
    linnet_fmu_begin(fmu);
    return LINNET_FMU_OK;
}

linnet_fmu_status linnet_fmu_terminate(linnet_fmu *fmu) {
    fmu->now.phase = LINNET_FMU_DONE;
    return LINNET_FMU_OK;
}

/* ---- what follows from inputs and states ---- */

linnet_fmu_status linnet_fmu_look(linnet_fmu *fmu) {
    if (fmu->is_seen)
        return LINNET_FMU_OK;
#if MODEL_EXCHANGE
    if (fmu->exchange)
        return linnet_fmu_observe(fmu);
#endif
    fmu->seen = fmu->now.model;
    const model_status_t status = model_evaluate(&fmu->seen);
    fmu->is_seen = status == MODEL_OK || status == MODEL_ENDED;
    return fmu->is_seen ? LINNET_FMU_OK : linnet_fmu_failed(fmu, status);
}

/* ---- values ---- */

static linnet_fmu_status linnet_fmu_unknown(const linnet_fmu *fmu, unsigned reference) {
    return linnet_fmu_tell(fmu, LINNET_FMU_ERROR, "there is no variable %u of that type",
                           reference);
}

static const model_variable *linnet_fmu_variable(unsigned reference, linnet_fmu_type type) {
    return reference < sizeof model_variables / sizeof *model_variables &&
                   model_variables[reference].type == (int)type
               ? &model_variables[reference]
               : NULL;
}

/* A whole number as an integer; one that is beyond them is the last of them. */
static int32_t linnet_fmu_integer(double value) {
    return value >= INT32_MAX ? INT32_MAX : value <= INT32_MIN ? INT32_MIN : (int32_t)value;
}

/* Numbers of the model as values of the variable's type, from number `done` on. */
static void linnet_fmu_copy(const model_variable *it, const void *from, void *values, size_t done) {
    for (size_t k = 0; k < it->count; k++) {
        double value;
        memcpy(&value, (const char *)from + k * sizeof value, sizeof value);
        switch (it->type) {
        case LINNET_FMU_INT32: ((int32_t *)values)[done + k] = linnet_fmu_integer(value); break;
        case LINNET_FMU_BOOLEAN: ((bool *)values)[done + k] = value < 0 || value > 0; break;
        default: ((double *)values)[done + k] = value; break;
        }
    }
}

/* Computes what variables of that kind need. */
static linnet_fmu_status linnet_fmu_provide(linnet_fmu *fmu, model_kind kind) {
    if (kind == MODEL_OUTPUT)
        return linnet_fmu_look(fmu);
#if MODEL_EXCHANGE
    if (kind == MODEL_RATE || kind == MODEL_INDICATOR) {
        if (fmu->exchange)
            return linnet_fmu_look(fmu);
        const linnet_fmu_status status = linnet_fmu_observe(fmu);
        fmu->is_seen = 0; /* without the events of a step */
        return status;
    }
#endif
    return LINNET_FMU_OK;
}

/* Where the variable's numbers stand. */
static const void *linnet_fmu_place(const linnet_fmu *fmu, const model_variable *it) {
    const void *base = &fmu->now.model;
    if (it->kind == MODEL_OUTPUT)
        base = &fmu->seen;
#if MODEL_EXCHANGE
    if (it->kind == MODEL_RATE)
        base = &fmu->rates;
    if (it->kind == MODEL_INDICATOR)
        base = fmu->indicators;
#endif
    return (const char *)base + it->offset;
}

linnet_fmu_status linnet_fmu_get(linnet_fmu *fmu, linnet_fmu_type type, const unsigned *references,
                                 size_t nreferences, void *values, size_t nvalues) {
    size_t done = 0;
    for (size_t k = 0; k < nreferences; k++) {
        const model_variable *it = linnet_fmu_variable(references[k], type);
        if (it == NULL || it->count > nvalues - done)
            return linnet_fmu_unknown(fmu, references[k]);
        const linnet_fmu_status status = linnet_fmu_provide(fmu, it->kind);
        if (status != LINNET_FMU_OK)
            return status;
        linnet_fmu_copy(it, linnet_fmu_place(fmu, it), values, done);
        done += it->count;
    }
    return done == nvalues ? LINNET_FMU_OK
                           : linnet_fmu_tell(fmu, LINNET_FMU_ERROR,
                                             "%lu values are asked for, "
                                             "and there are %lu",
                                             (unsigned long)nvalues, (unsigned long)done);
}

linnet_fmu_status linnet_fmu_set(linnet_fmu *fmu, linnet_fmu_type type, const unsigned *references,
                                 size_t nreferences, const double *values, size_t nvalues) {
    size_t done = 0;
    for (size_t k = 0; k < nreferences; k++) {
        const model_variable *it = linnet_fmu_variable(references[k], type);
        if (it == NULL || it->count > nvalues - done)
            return linnet_fmu_unknown(fmu, references[k]);
        const int early = fmu->now.phase <= LINNET_FMU_INITIALIZING;
        if (it->kind != MODEL_INPUT && it->kind != MODEL_PARAMETER &&
            !(it->kind == MODEL_STATE && early))
            return linnet_fmu_tell(fmu, LINNET_FMU_ERROR, "variable %u cannot be set now",
                                   references[k]);
        memcpy((char *)&fmu->now.model + it->offset, values + done, it->count * sizeof *values);
        done += it->count;
    }
    fmu->is_seen = 0;
    return LINNET_FMU_OK;
}

/* ---- states of the whole instance ---- */

linnet_fmu_status linnet_fmu_keep(linnet_fmu *fmu, void **state) {
    if (*state == NULL)
        *state = malloc(sizeof fmu->now);
    if (*state == NULL)
        return linnet_fmu_tell(fmu, LINNET_FMU_ERROR, "memory is short");
    memcpy(*state, &fmu->now, sizeof fmu->now);
    return LINNET_FMU_OK;
}

linnet_fmu_status linnet_fmu_restore(linnet_fmu *fmu, const void *state) {
    if (state == NULL)
        return linnet_fmu_tell(fmu, LINNET_FMU_ERROR, "there is no state to go back to");
    memcpy(&fmu->now, state, sizeof fmu->now);
    fmu->is_seen = 0;
    return LINNET_FMU_OK;
}

void linnet_fmu_forget(void **state) {
    free(*state);
    *state = NULL;
}

/* As bytes: the model's token, then the state as it stands in memory: the same binary reads it. */
size_t linnet_fmu_size(void) {
    return sizeof MODEL_TOKEN + sizeof(linnet_fmu_kept);
}

linnet_fmu_status linnet_fmu_write(linnet_fmu *fmu, const void *state, void *bytes, size_t size) {
    if (state == NULL || size < linnet_fmu_size())
        return linnet_fmu_tell(fmu, LINNET_FMU_ERROR, "there is no room for the state");
    memcpy(bytes, MODEL_TOKEN, sizeof MODEL_TOKEN);
    memcpy((char *)bytes + sizeof MODEL_TOKEN, state, sizeof(linnet_fmu_kept));
    return LINNET_FMU_OK;
}

linnet_fmu_status linnet_fmu_read(linnet_fmu *fmu, const void *bytes, size_t size, void **state) {
    if (size != linnet_fmu_size() || memcmp(bytes, MODEL_TOKEN, sizeof MODEL_TOKEN) != 0)
        return linnet_fmu_tell(fmu, LINNET_FMU_ERROR, "the state is another FMU's");
    const linnet_fmu_status status = linnet_fmu_keep(fmu, state);
    if (status == LINNET_FMU_OK)
        memcpy(*state, (const char *)bytes + sizeof MODEL_TOKEN, sizeof(linnet_fmu_kept));
    return status;
}

/* ---- co-simulation ---- */

/* So many steps of the model make one between communication points; 0: they do not fit. A step that
 * can be changed is made a little shorter, and time is counted anew from here. */
static unsigned long long linnet_fmu_divide(linnet_fmu *fmu, double time, double step) {
    const double wanted = step / MODEL_STEP;
    if (!(wanted < 1e15))
        return 0;
#if MODEL_STEP_IS_FIXED
    (void)fmu, (void)time;
    const double count = floor(wanted + 0.5);
    if (count < 1 || fabs(count - wanted) > 1e-6 * count)
        return 0;
#else
    model_t *const model = &fmu->now.model;
    const double count = fmax(1.0, ceil(wanted * (1 - 1e-9)));
    if (fabs(count * model->dt - step) > 1e-9 * step) {
        model->begin = model->time = time;
        model->steps = 0;
        model->dt = step / count;
    }
#endif
    return (unsigned long long)count;
}

linnet_fmu_status linnet_fmu_step(linnet_fmu *fmu, double time, double step) {
    model_t *model = &fmu->now.model;
    linnet_fmu_status status = linnet_fmu_expect(fmu, LINNET_FMU_RUNNING, "a step");
    if (status != LINNET_FMU_OK)
        return status;
    if (!(step > 0) || fabs(time - model->time) > 1e-6 * step)
        return linnet_fmu_tell(fmu, LINNET_FMU_ERROR,
                               "a step from %.9g s by %g s is asked for, "
                               "and the model is at %.9g s",
                               time, step, model->time);
    const unsigned long long count = linnet_fmu_divide(fmu, time, step);
    if (count == 0)
        return linnet_fmu_tell(fmu, LINNET_FMU_ERROR,
                               "steps between communication points must be "
                               "multiples of %g s, not %g s",
                               MODEL_STEP, step);
    fmu->is_seen = 0;
    for (unsigned long long k = 0; k < count; k++) {
        const model_status_t made = model_step(model);
        if (made == MODEL_ENDED) {
            fmu->now.ended = 1;
            return linnet_fmu_tell(fmu, LINNET_FMU_DISCARD, "the model has ended itself at %.9g s",
                                   model->time);
        }
        if (made != MODEL_OK)
            return linnet_fmu_failed(fmu, made);
    }
    return status;
}

int linnet_fmu_ended(const linnet_fmu *fmu) {
    return fmu->now.ended;
}

double linnet_fmu_time(const linnet_fmu *fmu) {
    return fmu->now.model.time;
}

linnet_fmu_status linnet_fmu_initialized(linnet_fmu *fmu) {
    const linnet_fmu_status status =
        linnet_fmu_expect(fmu, LINNET_FMU_INITIALIZING, "the end of initializing");
    if (status != LINNET_FMU_OK)
        return status;
    fmu->now.phase = LINNET_FMU_RUNNING;
    fmu->is_seen = 0;
#if MODEL_EXCHANGE
    if (fmu->exchange)
        linnet_fmu_start_events(fmu);
#endif
    return status;
}
