/* SPDX-License-Identifier: MIT */
/* An instance of an FMU, whatever the version of FMI: fmi2.c and fmi3.c give it their interfaces.
 *
 * The model behind it is generated code (model.h, made by linnet export). Between two communication
 * points it takes steps of its own, of the length the model asks for or, where the method allows
 * it, a little less so that whole steps fit. Outputs are computed when they are asked for, from the
 * inputs as they are then, on a copy: looking changes nothing. */
#ifndef LINNET_FMU_H
#define LINNET_FMU_H

#include <stddef.h>

typedef struct linnet_fmu linnet_fmu;

/* FMI 2 and 3 number these alike. */
typedef enum linnet_fmu_status {
    LINNET_FMU_OK,
    LINNET_FMU_WARNING,
    LINNET_FMU_DISCARD,
    LINNET_FMU_ERROR,
    LINNET_FMU_FATAL
} linnet_fmu_status;

/* Tells the importer something; `logger` is its function, of a type that the version knows. */
typedef struct linnet_fmu_host {
    void *environment;
    const void *functions; /* FMI 2: its callbacks */
    void (*log)(const struct linnet_fmu_host *host, const char *name, linnet_fmu_status status,
                const char *text);
    void (*logger)(void); /* FMI 3: its callback */
} linnet_fmu_host;

/* The instance, at the model's start; NULL: memory is short, the token is another model's, or the
 * interface is not there (exchange: model exchange is wanted). */
linnet_fmu *linnet_fmu_new(const char *name, const char *token, int exchange, int logging,
                           const linnet_fmu_host *host);
void linnet_fmu_free(linnet_fmu *fmu);
void linnet_fmu_logging(linnet_fmu *fmu, int on);

/* ---- the life of an instance ---- */
linnet_fmu_status linnet_fmu_setup(linnet_fmu *fmu, double start);
linnet_fmu_status linnet_fmu_initialize(linnet_fmu *fmu);
linnet_fmu_status linnet_fmu_initialized(linnet_fmu *fmu);
linnet_fmu_status linnet_fmu_reset(linnet_fmu *fmu);
linnet_fmu_status linnet_fmu_terminate(linnet_fmu *fmu);
/* Refuses what the FMU has not, with a word. */
linnet_fmu_status linnet_fmu_refuse(linnet_fmu *fmu, const char *what);

/* ---- values; a variable may be an array ---- */
/* As the interface has them: doubles, int32_t, bool. */
typedef enum linnet_fmu_type {
    LINNET_FMU_FLOAT64,
    LINNET_FMU_INT32,
    LINNET_FMU_BOOLEAN
} linnet_fmu_type;
/* values: nvalues of the type, which is that of all variables. */
linnet_fmu_status linnet_fmu_get(linnet_fmu *fmu, linnet_fmu_type type, const unsigned *references,
                                 size_t nreferences, void *values, size_t nvalues);
linnet_fmu_status linnet_fmu_set(linnet_fmu *fmu, linnet_fmu_type type, const unsigned *references,
                                 size_t nreferences, const double *values, size_t nvalues);

/* ---- states of the whole instance ---- */
linnet_fmu_status linnet_fmu_keep(linnet_fmu *fmu, void **state);
linnet_fmu_status linnet_fmu_restore(linnet_fmu *fmu, const void *state);
void linnet_fmu_forget(void **state);
size_t linnet_fmu_size(void);
linnet_fmu_status linnet_fmu_write(linnet_fmu *fmu, const void *state, void *bytes, size_t size);
linnet_fmu_status linnet_fmu_read(linnet_fmu *fmu, const void *bytes, size_t size, void **state);

/* ---- co-simulation ---- */
/* From `time` on by `step`. DISCARD: the model has ended itself, see linnet_fmu_ended(). */
linnet_fmu_status linnet_fmu_step(linnet_fmu *fmu, double time, double step);
int linnet_fmu_ended(const linnet_fmu *fmu);
double linnet_fmu_time(const linnet_fmu *fmu);

/* ---- model exchange ---- */
size_t linnet_fmu_states(void);
size_t linnet_fmu_indicators(void);
linnet_fmu_status linnet_fmu_set_time(linnet_fmu *fmu, double time);
linnet_fmu_status linnet_fmu_set_states(linnet_fmu *fmu, const double *x, size_t count);
linnet_fmu_status linnet_fmu_get_states(linnet_fmu *fmu, double *x, size_t count);
linnet_fmu_status linnet_fmu_get_nominals(linnet_fmu *fmu, double *x, size_t count);
linnet_fmu_status linnet_fmu_get_rates(linnet_fmu *fmu, double *rates, size_t count);
linnet_fmu_status linnet_fmu_get_indicators(linnet_fmu *fmu, double *values, size_t count);
linnet_fmu_status linnet_fmu_enter_events(linnet_fmu *fmu);
/* All that happens at the time. *next: when something happens next by time alone; INFINITY. */
linnet_fmu_status linnet_fmu_happen(linnet_fmu *fmu, int *states_changed, double *next);
linnet_fmu_status linnet_fmu_go_on(linnet_fmu *fmu);

#endif
