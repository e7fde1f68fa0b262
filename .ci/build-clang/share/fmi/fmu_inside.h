/* SPDX-License-Identifier: MIT */
/* Private to fmu.c and fmu_exchange.c: what an instance consists of. */
#ifndef LINNET_FMU_INSIDE_H
#define LINNET_FMU_INSIDE_H

#include "fmu.h"

#include "model.h"

typedef enum linnet_fmu_phase {
    LINNET_FMU_NEW,
    LINNET_FMU_INITIALIZING,
    LINNET_FMU_RUNNING, /* steps of a co-simulation; continuous time of a model exchange */
    LINNET_FMU_EVENTS,  /* of a model exchange */
    LINNET_FMU_DONE
} linnet_fmu_phase;

/* What makes up the state of an instance. */
typedef struct linnet_fmu_kept {
    model_t model;
    linnet_fmu_phase phase;
    int ended;
    double decide; /* model exchange: a time within the stretch between two time events */
} linnet_fmu_kept;

struct linnet_fmu {
    linnet_fmu_kept now;
    model_t seen; /* the model with its outputs, while is_seen */
    int is_seen;
#if MODEL_EXCHANGE
    model_states_t rates;
    double indicators[MODEL_INDICATORS + 1];
#endif
    int exchange, logging;
    linnet_fmu_host host;
    char name[128];
};

/* Tells the importer and returns the status; a warning only where it wants to hear. */
linnet_fmu_status linnet_fmu_tell(const linnet_fmu *fmu, linnet_fmu_status status,
                                  const char *format, ...);
/* What went wrong in the model, in words. */
linnet_fmu_status linnet_fmu_failed(const linnet_fmu *fmu, model_status_t status);
linnet_fmu_status linnet_fmu_expect(const linnet_fmu *fmu, linnet_fmu_phase phase,
                                    const char *call);
/* Makes fmu->seen the model with its outputs. */
linnet_fmu_status linnet_fmu_look(linnet_fmu *fmu);
/* fmu_exchange.c: outputs, rates and indicators where the importer has put the model; the beginning
 * of its first events. */
linnet_fmu_status linnet_fmu_observe(linnet_fmu *fmu);
void linnet_fmu_start_events(linnet_fmu *fmu);

#endif
