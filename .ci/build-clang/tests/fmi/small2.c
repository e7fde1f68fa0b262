/* SPDX-License-Identifier: MIT */
/* A small FMU of FMI 2.0 for the tests of the importer, by hand: adds up its input times a gain,
 * counts its steps, tells whether the sum is positive, and ends itself beyond a limit. */
#include <fmi2.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { U, GAIN, LIMIT, SUM, DIRECT, COUNT = 0, POSITIVE = 0 };

typedef struct small {
    double real[5];
    int count, ended;
    const fmi2CallbackFunctions *functions;
} small;

fmi2InstantiateType fmi2Instantiate;
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *functions, fmi2Boolean visible,
                              fmi2Boolean logging) {
    char path[4096];
    (void)visible, (void)logging;
    if (type != fmi2CoSimulation || strcmp(guid, "small") != 0) {
        functions->logger(functions->componentEnvironment, name, fmi2Error, "logStatusError",
                          "the token %s is wrong", guid);
        return NULL;
    }
    small *it = functions->allocateMemory(1, sizeof *it);
    it->functions = functions;
    it->real[GAIN] = 1, it->real[LIMIT] = 100;
    snprintf(path, sizeof path, "%s/begin.txt", resources + strlen("file://"));
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        if (fscanf(file, "%lf", &it->real[SUM]) != 1)
            it->real[SUM] = -1;
        fclose(file);
    }
    return it;
}

fmi2FreeInstanceType fmi2FreeInstance;
void fmi2FreeInstance(fmi2Component it) {
    ((small *)it)->functions->freeMemory(it);
}

fmi2SetupExperimentType fmi2SetupExperiment;
fmi2Status fmi2SetupExperiment(fmi2Component it, fmi2Boolean has_tolerance, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean has_stop, fmi2Real stop) {
    (void)it, (void)has_tolerance, (void)tolerance, (void)start, (void)has_stop, (void)stop;
    return fmi2OK;
}

#define DONE(name)                      \
    fmi2ModeType name;                  \
    fmi2Status name(fmi2Component it) { \
        (void)it;                       \
        return fmi2OK;                  \
    }
DONE(fmi2EnterInitializationMode)
DONE(fmi2ExitInitializationMode)
DONE(fmi2Terminate)

fmi2GetRealType fmi2GetReal;
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real v[]) {
    small *it = c;
    it->real[DIRECT] = 2 * it->real[U];
    for (size_t k = 0; k < n; k++)
        v[k] = it->real[r[k]];
    return fmi2OK;
}

fmi2SetRealType fmi2SetReal;
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n,
                       const fmi2Real v[]) {
    small *it = c;
    for (size_t k = 0; k < n; k++) {
        if (r[k] == GAIN && v[k] < 0) {
            it->functions->logger(it->functions->componentEnvironment, "small", fmi2Error,
                                  "logStatusError", "a gain of %g is negative", v[k]);
            return fmi2Error;
        }
        it->real[r[k]] = v[k];
    }
    return fmi2OK;
}

fmi2GetIntegerType fmi2GetInteger;
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n,
                          fmi2Integer v[]) {
    for (size_t k = 0; k < n; k++)
        v[k] = r[k] == COUNT ? ((small *)c)->count : 0;
    return fmi2OK;
}

fmi2SetIntegerType fmi2SetInteger;
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n,
                          const fmi2Integer v[]) {
    (void)c, (void)r, (void)n, (void)v;
    return fmi2Error;
}

fmi2GetBooleanType fmi2GetBoolean;
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference r[], size_t n,
                          fmi2Boolean v[]) {
    for (size_t k = 0; k < n; k++)
        v[k] = r[k] == POSITIVE && ((small *)c)->real[SUM] > 0;
    return fmi2OK;
}

fmi2SetBooleanType fmi2SetBoolean;
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference r[], size_t n,
                          const fmi2Boolean v[]) {
    (void)c, (void)r, (void)n, (void)v;
    return fmi2Error;
}

fmi2DoStepType fmi2DoStep;
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real step, fmi2Boolean no_return) {
    small *it = c;
    (void)time, (void)no_return;
    it->real[SUM] += it->real[GAIN] * it->real[U] * step;
    it->count++;
    it->ended = it->real[SUM] > it->real[LIMIT];
    return it->ended ? fmi2Discard : fmi2OK;
}

fmi2GetBooleanStatusType fmi2GetBooleanStatus;
fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean *value) {
    *value = ((small *)c)->ended;
    return kind == fmi2Terminated ? fmi2OK : fmi2Discard;
}
