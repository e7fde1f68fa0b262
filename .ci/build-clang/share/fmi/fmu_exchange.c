/* SPDX-License-Identifier: MIT */
/* Model exchange: the importer integrates the states and looks for the zero crossings; the model
 * gives rates, indicators and what happens at an event. See fmu.h. */
#include "fmu_inside.h"

#include <math.h>
#include <string.h>

/* A time within the stretch between now and the next time event. */
static double linnet_fmu_between(const linnet_fmu *fmu) {
    const double t = fmu->now.model.time, next = model_next_time(&fmu->now.model);
    return isfinite(next) ? t + 0.5 * (next - t) : t + fmax(1.0, fabs(t));
}

/* The time right of an event: nearer than whatever the event may bring about by time alone, and
 * further than the rounding of a time that the importer has computed. */
static double linnet_fmu_after(const linnet_fmu *fmu) {
    const double t = fmu->now.model.time;
    return t + 1e-12 * fmax(fabs(t), 1e-3);
}

linnet_fmu_status linnet_fmu_observe(linnet_fmu *fmu) {
    if (!fmu->exchange || fmu->now.phase <= LINNET_FMU_INITIALIZING)
        fmu->now.decide = linnet_fmu_between(fmu);
    fmu->seen = fmu->now.model;
    const model_status_t status =
        model_observe(&fmu->seen, fmu->now.decide, &fmu->rates, fmu->indicators);
    fmu->now.model.signals = fmu->seen.signals; /* where loops begin the next time */
    fmu->is_seen = status == MODEL_OK;
    return status == MODEL_OK ? LINNET_FMU_OK : linnet_fmu_failed(fmu, status);
}

size_t linnet_fmu_states(void) {
    return MODEL_STATES;
}

size_t linnet_fmu_indicators(void) {
    return MODEL_INDICATORS;
}

void linnet_fmu_start_events(linnet_fmu *fmu) {
    fmu->now.phase = LINNET_FMU_EVENTS;
    fmu->now.decide = linnet_fmu_after(fmu);
}

linnet_fmu_status linnet_fmu_set_time(linnet_fmu *fmu, double time) {
    fmu->now.model.time = time;
    fmu->is_seen = 0;
    return LINNET_FMU_OK;
}

static linnet_fmu_status linnet_fmu_count(const linnet_fmu *fmu, size_t count, size_t there) {
    return count == there ? LINNET_FMU_OK
                          : linnet_fmu_tell(fmu, LINNET_FMU_ERROR,
                                            "%lu numbers are asked for, "
                                            "and there are %lu",
                                            (unsigned long)count, (unsigned long)there);
}

linnet_fmu_status linnet_fmu_set_states(linnet_fmu *fmu, const double *x, size_t count) {
    if (linnet_fmu_count(fmu, count, MODEL_STATES) != LINNET_FMU_OK)
        return LINNET_FMU_ERROR;
    for (size_t k = 0; k < count; k++)
        memcpy((char *)&fmu->now.model + model_state_at[k], &x[k], sizeof x[k]);
    fmu->is_seen = 0;
    return LINNET_FMU_OK;
}

linnet_fmu_status linnet_fmu_get_states(linnet_fmu *fmu, double *x, size_t count) {
    if (linnet_fmu_count(fmu, count, MODEL_STATES) != LINNET_FMU_OK)
        return LINNET_FMU_ERROR;
    for (size_t k = 0; k < count; k++)
        memcpy(&x[k], (const char *)&fmu->now.model + model_state_at[k], sizeof x[k]);
    return LINNET_FMU_OK;
}

linnet_fmu_status linnet_fmu_get_nominals(linnet_fmu *fmu, double *x, size_t count) {
    if (linnet_fmu_count(fmu, count, MODEL_STATES) != LINNET_FMU_OK)
        return LINNET_FMU_ERROR;
    for (size_t k = 0; k < count; k++)
        x[k] = model_nominals[k];
    return LINNET_FMU_OK;
}

linnet_fmu_status linnet_fmu_get_rates(linnet_fmu *fmu, double *rates, size_t count) {
    if (linnet_fmu_count(fmu, count, MODEL_STATES) != LINNET_FMU_OK ||
        linnet_fmu_look(fmu) != LINNET_FMU_OK)
        return LINNET_FMU_ERROR;
    const size_t shift = offsetof(model_t, states);
    for (size_t k = 0; k < count; k++)
        memcpy(&rates[k], (const char *)&fmu->rates + (model_state_at[k] - shift), sizeof rates[k]);
    return LINNET_FMU_OK;
}

linnet_fmu_status linnet_fmu_get_indicators(linnet_fmu *fmu, double *values, size_t count) {
    if (linnet_fmu_count(fmu, count, MODEL_INDICATORS) != LINNET_FMU_OK ||
        linnet_fmu_look(fmu) != LINNET_FMU_OK)
        return LINNET_FMU_ERROR;
    memcpy(values, fmu->indicators, count * sizeof *values);
    return LINNET_FMU_OK;
}

linnet_fmu_status linnet_fmu_enter_events(linnet_fmu *fmu) {
    if (fmu->now.phase == LINNET_FMU_EVENTS)
        return LINNET_FMU_OK;
    const linnet_fmu_status status = linnet_fmu_expect(fmu, LINNET_FMU_RUNNING, "an event");
    if (status != LINNET_FMU_OK)
        return status;
    const model_status_t seen = model_leave(&fmu->now.model, fmu->now.decide);
    fmu->now.phase = LINNET_FMU_EVENTS;
    fmu->now.decide = linnet_fmu_after(fmu);
    fmu->is_seen = 0;
    return seen == MODEL_OK ? LINNET_FMU_OK : linnet_fmu_failed(fmu, seen);
}

linnet_fmu_status linnet_fmu_happen(linnet_fmu *fmu, int *states_changed, double *next) {
    const model_states_t before = fmu->now.model.states;
    linnet_fmu_status status = linnet_fmu_expect(fmu, LINNET_FMU_EVENTS, "an event's round");
    if (status != LINNET_FMU_OK)
        return status;
    const model_status_t end = model_happen(&fmu->now.model, fmu->now.decide);
    fmu->is_seen = 0;
    if (end == MODEL_ENDED)
        fmu->now.ended = 1;
    else if (end != MODEL_OK)
        return linnet_fmu_failed(fmu, end);
    *states_changed = memcmp(&before, &fmu->now.model.states, sizeof before) != 0;
    *next = model_next_time(&fmu->now.model);
    fmu->now.decide = linnet_fmu_between(fmu);
    return status;
}

linnet_fmu_status linnet_fmu_go_on(linnet_fmu *fmu) {
    const linnet_fmu_status status = linnet_fmu_expect(fmu, LINNET_FMU_EVENTS, "going on");
    if (status == LINNET_FMU_OK)
        fmu->now.phase = LINNET_FMU_RUNNING;
    return status;
}
