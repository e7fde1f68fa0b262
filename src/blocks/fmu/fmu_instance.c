/* SPDX-License-Identifier: MIT */
/* An instance of an FMU in co-simulation: see fmu_instance.h. */
#include "blocks/fmu/fmu_calls.h"

#include "base/output.h"
#include "base/sys.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ln_fmu_instance {
    ln_fmu_library *library;
    void *handle; /* the FMU's */
    int started;  /* initialization is over */
    fmi2CallbackFunctions functions;
    char said[160]; /* the last thing it has complained of */
};

/* ---- what it says ---- */

static void hear_two(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                     fmi2String category, fmi2String message, ...) {
    ln_fmu_instance *fmu = environment;
    va_list arguments;
    (void)name, (void)category;
    if (fmu == NULL || status == fmi2OK || message == NULL)
        return;
    va_start(arguments, message);
    (void)vsnprintf(fmu->said, sizeof fmu->said, message, arguments);
    va_end(arguments);
}

static void hear_three(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                       fmi3String message) {
    ln_fmu_instance *fmu = environment;
    (void)category;
    if (fmu != NULL && status != fmi3OK && message != NULL)
        (void)snprintf(fmu->said, sizeof fmu->said, "%s", message);
}

/* 1 when a call went well; a warning is well enough. */
static int went_well(ln_fmu_instance *fmu, int status, const char *what, char why[256]) {
    if (status == (int)fmi2OK || status == (int)fmi2Warning)
        return 1;
    (void)snprintf(why, 256, "%.50s: %.60s fails with status %d%s%.90s",
                   fmu->library->about.identifier, what, status, fmu->said[0] != '\0' ? ": " : "",
                   fmu->said);
    return 0;
}

/* ---- its life ---- */

static void *make_handle(ln_fmu_instance *fmu, const char *name) {
    const ln_fmu_library *library = fmu->library;
    fmu->functions = (fmi2CallbackFunctions){hear_two, calloc, free, NULL, fmu};
    if (library->about.version == 2)
        /* cppcheck-suppress CastIntegerToAddressAtReturn ; the function returns a pointer */
        return library->two.fmi2Instantiate(name, fmi2CoSimulation, library->about.token,
                                            library->resources, &fmu->functions, fmi2False,
                                            fmi2False);
    /* cppcheck-suppress CastIntegerToAddressAtReturn ; likewise */
    return library->three.fmi3InstantiateCoSimulation(name, library->about.token,
                                                      library->resources, false, false, false,
                                                      false, NULL, 0, fmu, hear_three, NULL);
}

static int begin(ln_fmu_instance *fmu, double start, char why[256]) {
    const ln_fmu_library *library = fmu->library;
    if (library->about.version == 3)
        return went_well(
            fmu,
            (int)library->three.fmi3EnterInitializationMode(fmu->handle, false, 0, start, false, 0),
            "entering initialization", why);
    return went_well(fmu,
                     (int)library->two.fmi2SetupExperiment(fmu->handle, fmi2False, 0, start,
                                                           fmi2False, 0),
                     "setting up", why) &&
           went_well(fmu, (int)library->two.fmi2EnterInitializationMode(fmu->handle),
                     "entering initialization", why);
}

static ln_fmu_instance *make_instance(ln_fmu_library *library, const char *name, double start,
                                      const ln_fmu_slots *parameters, const double *values,
                                      char why[256]) {
    if (library->about.only_once && library->instances > 0) {
        (void)snprintf(why, 256, "%s allows one instance in a process", library->about.identifier);
        return NULL;
    }
    ln_fmu_instance *fmu = ln_sys->allocate(sizeof *fmu);
    if (fmu == NULL) {
        (void)snprintf(why, 256, "memory is short");
        return NULL;
    }
    *fmu = (ln_fmu_instance){.library = library};
    fmu->handle = make_handle(fmu, name);
    if (fmu->handle == NULL) {
        (void)snprintf(why, 256, "%.60s makes no instance%s%.150s", library->about.identifier,
                       fmu->said[0] != '\0' ? ": " : "", fmu->said);
        ln_sys->release(fmu);
        return NULL;
    }
    library->instances++;
    if (ln_fmu_set(fmu, parameters->slot, values, parameters->count, why) && begin(fmu, start, why))
        return fmu;
    ln_fmu_instance_free(fmu);
    return NULL;
}

ln_fmu_instance *ln_fmu_instance_new(ln_fmu_library *library, const char *name, double start,
                                     const ln_fmu_slots *parameters, const double *values,
                                     char why[256]) {
    ln_output_lend();
    ln_fmu_instance *made = make_instance(library, name, start, parameters, values, why);
    ln_output_take_back();
    return made;
}

void ln_fmu_instance_free(ln_fmu_instance *fmu) {
    if (fmu == NULL)
        return;
    const ln_fmu_library *library = fmu->library;
    ln_output_lend();
    if (library->about.version == 2) {
        if (fmu->started)
            (void)library->two.fmi2Terminate(fmu->handle);
        library->two.fmi2FreeInstance(fmu->handle);
    } else {
        if (fmu->started)
            (void)library->three.fmi3Terminate(fmu->handle);
        library->three.fmi3FreeInstance(fmu->handle);
    }
    ln_output_take_back();
    fmu->library->instances--;
    ln_sys->release(fmu);
}

/* ---- values ---- */

/* The whole of a variable through an array of its own type. */
#define THROUGH(type, get, set)                       \
    do {                                              \
        type *own = (type *)room;                     \
        for (size_t i = 0; writes && i < count; i++)  \
            own[i] = (type)values[i];                 \
        status = writes ? (int)set : (int)get;        \
        for (size_t i = 0; !writes && i < count; i++) \
            values[i] = (double)own[i];               \
    } while (0)

static int access_two(const ln_fmu_instance *fmu, const ln_fmi_variable *variable, double *values,
                      void *room, int writes) {
    const ln_fmi2_calls *call = &fmu->library->two;
    const unsigned *reference = &variable->reference;
    const size_t count = 1;
    int status;
    if (variable->type == LN_FMI_Float64)
        THROUGH(fmi2Real, call->fmi2GetReal(fmu->handle, reference, 1, own),
                call->fmi2SetReal(fmu->handle, reference, 1, own));
    else if (variable->type == LN_FMI_Int32)
        THROUGH(fmi2Integer, call->fmi2GetInteger(fmu->handle, reference, 1, own),
                call->fmi2SetInteger(fmu->handle, reference, 1, own));
    else
        THROUGH(fmi2Boolean, call->fmi2GetBoolean(fmu->handle, reference, 1, own),
                call->fmi2SetBoolean(fmu->handle, reference, 1, own));
    return status;
}

static int access_three(const ln_fmu_instance *fmu, const ln_fmi_variable *variable, double *values,
                        void *room, int writes) {
    const ln_fmi3_calls *call = &fmu->library->three;
    const size_t count = (size_t)variable->count;
    int status = fmi3Error;
    switch (variable->type) {
#define CASE(name)                                                                                 \
    case LN_FMI_##name:                                                                            \
        THROUGH(fmi3##name, call->fmi3Get##name(fmu->handle, &variable->reference, 1, own, count), \
                call->fmi3Set##name(fmu->handle, &variable->reference, 1, own, count));            \
        break;
        LN_FMI_TYPES(CASE)
#undef CASE
    default: break;
    }
    return status;
}

/* A value as one of the variable's type, whole where that is; 0: the type has none that is near. */
static int fit(ln_fmi_type type, double *value) {
    static const struct {
        double least, most;
    } ranges[] = {
        [LN_FMI_Float64] = {-DBL_MAX, DBL_MAX},
        [LN_FMI_Float32] = {-FLT_MAX, FLT_MAX},
        [LN_FMI_Int8] = {INT8_MIN, INT8_MAX},
        [LN_FMI_UInt8] = {0, UINT8_MAX},
        [LN_FMI_Int16] = {INT16_MIN, INT16_MAX},
        [LN_FMI_UInt16] = {0, UINT16_MAX},
        [LN_FMI_Int32] = {INT32_MIN, INT32_MAX},
        [LN_FMI_UInt32] = {0, UINT32_MAX},
        [LN_FMI_Int64] = {-0x1p63, 0x1.fffffffffffffp62}, /* the doubles just below 2^63, 2^64 */
        [LN_FMI_UInt64] = {0, 0x1.fffffffffffffp63}};
    if (type == LN_FMI_Boolean)
        *value = *value != 0;
    else if (type != LN_FMI_Float64 && type != LN_FMI_Float32)
        *value = round(*value);
    return type == LN_FMI_Boolean || (*value >= ranges[type].least && *value <= ranges[type].most);
}

static int access_variable(ln_fmu_instance *fmu, const ln_fmi_variable *variable, double *values,
                           int writes, char why[256]) {
    char what[96];
    for (int i = 0; writes && i < variable->count; i++) {
        const double value = values[i];
        if (!fit(variable->type, &values[i])) {
            (void)snprintf(why, 256, "setting %.100s: %g is no number of its type", variable->name,
                           value);
            return 0;
        }
    }
    void *room = ln_sys->allocate((size_t)variable->count * sizeof(double));
    if (room == NULL) {
        (void)snprintf(why, 256, "memory is short");
        return 0;
    }
    const int status = fmu->library->about.version == 2
                           ? access_two(fmu, variable, values, room, writes)
                           : access_three(fmu, variable, values, room, writes);
    ln_sys->release(room);
    (void)snprintf(what, sizeof what, "%s %.80s", writes ? "setting" : "getting", variable->name);
    return went_well(fmu, status, what, why);
}

/* Elements of one variable stand together: an array is set or got once, with its start values where
 * no slot names an element. */
static int access_lent(ln_fmu_instance *fmu, const ln_fmu_slot *slots, double *values, int count,
                       int writes, char why[256]) {
    for (int k = 0; k < count;) {
        const ln_fmi_variable *variable = slots[k].variable;
        int next = k;
        double *whole = ln_sys->allocate((size_t)variable->count * sizeof *whole);
        if (whole == NULL) {
            (void)snprintf(why, 256, "memory is short");
            return 0;
        }
        memcpy(whole, variable->start, (size_t)variable->count * sizeof *whole);
        for (int i = k; writes && i < count && slots[i].variable == variable; i++)
            whole[slots[i].element] = values[i];
        const int well = access_variable(fmu, variable, whole, writes, why);
        for (; next < count && slots[next].variable == variable; next++)
            if (!writes && well)
                values[next] = whole[slots[next].element];
        ln_sys->release(whole);
        if (!well)
            return 0;
        k = next;
    }
    return 1;
}

static int access_slots(ln_fmu_instance *fmu, const ln_fmu_slot *slots, double *values, int count,
                        int writes, char why[256]) {
    ln_output_lend();
    const int well = access_lent(fmu, slots, values, count, writes, why);
    ln_output_take_back();
    return well;
}

int ln_fmu_set(ln_fmu_instance *instance, const ln_fmu_slot *slots, const double *values, int count,
               char why[256]) {
    return access_slots(instance, slots, (double *)values, count, 1, why);
}

int ln_fmu_get(ln_fmu_instance *instance, const ln_fmu_slot *slots, double *values, int count,
               char why[256]) {
    return access_slots(instance, slots, values, count, 0, why);
}

/* ---- steps ---- */

static int start(ln_fmu_instance *fmu, char why[256]) {
    const ln_fmu_library *library = fmu->library;
    const int status = library->about.version == 2
                           ? (int)library->two.fmi2ExitInitializationMode(fmu->handle)
                           : (int)library->three.fmi3ExitInitializationMode(fmu->handle);
    fmu->started = went_well(fmu, status, "the end of initialization", why);
    return fmu->started;
}

static int step_lent(ln_fmu_instance *fmu, double time, double step, int *ended, char why[256]) {
    const ln_fmu_library *library = fmu->library;
    *ended = 0;
    if (!fmu->started && !start(fmu, why))
        return 0;
    if (library->about.version == 2) {
        const fmi2Status status = library->two.fmi2DoStep(fmu->handle, time, step, fmi2True);
        fmi2Boolean terminated = fmi2False;
        if (status == fmi2Discard &&
            library->two.fmi2GetBooleanStatus(fmu->handle, fmi2Terminated, &terminated) == fmi2OK)
            *ended = terminated;
        return *ended || went_well(fmu, (int)status, "a step", why);
    }
    bool event = false, terminate = false, early = false;
    double last = time;
    const fmi3Status status =
        library->three.fmi3DoStep(fmu->handle, time, step, true, &event, &terminate, &early, &last);
    *ended = terminate;
    return went_well(fmu, (int)status, "a step", why);
}

int ln_fmu_step(ln_fmu_instance *fmu, double time, double step, int *ended, char why[256]) {
    ln_output_lend();
    const int well = step_lent(fmu, time, step, ended, why);
    ln_output_take_back();
    return well;
}
