/* SPDX-License-Identifier: MIT */
/* FMI 2.0 on an instance: what both interfaces have in common, and co-simulation. */
#include "fmi2_export.h"

/* ---- the importer ---- */

static void linnet_fmi2_log(const linnet_fmu_host *host, const char *name, linnet_fmu_status status,
                            const char *text) {
    static const char *const categories[] = {"logAll", "logStatusWarning", "logStatusDiscard",
                                             "logStatusError", "logStatusFatal"};
    const fmi2CallbackFunctions *functions = host->functions;
    if (functions != NULL && functions->logger != NULL)
        functions->logger(functions->componentEnvironment, name, (fmi2Status)status,
                          categories[status], "%s", text);
}

FMI2_EXPORT fmi2GetTypesPlatformType fmi2GetTypesPlatform;
const char *fmi2GetTypesPlatform(void) {
    return "default";
}

FMI2_EXPORT fmi2GetVersionType fmi2GetVersion;
const char *fmi2GetVersion(void) {
    return "2.0";
}

FMI2_EXPORT fmi2SetDebugLoggingType fmi2SetDebugLogging;
fmi2Status fmi2SetDebugLogging(fmi2Component component, fmi2Boolean on, size_t count,
                               const fmi2String categories[]) {
    (void)count, (void)categories;
    linnet_fmu_logging(component, on);
    return fmi2OK;
}

/* ---- the life of an instance ---- */

FMI2_EXPORT fmi2InstantiateType fmi2Instantiate;
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *functions, fmi2Boolean visible,
                              fmi2Boolean logging) {
    const linnet_fmu_host host = {.functions = functions, .log = linnet_fmi2_log};
    (void)resources, (void)visible;
    return linnet_fmu_new(name, guid, type == fmi2ModelExchange, logging, &host);
}

FMI2_EXPORT fmi2FreeInstanceType fmi2FreeInstance;
void fmi2FreeInstance(fmi2Component component) {
    linnet_fmu_free(component);
}

FMI2_EXPORT fmi2SetupExperimentType fmi2SetupExperiment;
fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean has_tolerance,
                               fmi2Real tolerance, fmi2Real start, fmi2Boolean has_stop,
                               fmi2Real stop) {
    (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
    return (fmi2Status)linnet_fmu_setup(component, start);
}

FMI2_EXPORT fmi2ModeType fmi2EnterInitializationMode;
fmi2Status fmi2EnterInitializationMode(fmi2Component component) {
    return (fmi2Status)linnet_fmu_initialize(component);
}

FMI2_EXPORT fmi2ModeType fmi2ExitInitializationMode;
fmi2Status fmi2ExitInitializationMode(fmi2Component component) {
    return (fmi2Status)linnet_fmu_initialized(component);
}

FMI2_EXPORT fmi2ModeType fmi2Terminate;
fmi2Status fmi2Terminate(fmi2Component component) {
    return (fmi2Status)linnet_fmu_terminate(component);
}

FMI2_EXPORT fmi2ModeType fmi2Reset;
fmi2Status fmi2Reset(fmi2Component component) {
    return (fmi2Status)linnet_fmu_reset(component);
}

/* ---- values: all variables are Reals ---- */

FMI2_EXPORT fmi2GetRealType fmi2GetReal;
fmi2Status fmi2GetReal(fmi2Component component, const fmi2ValueReference references[], size_t count,
                       fmi2Real values[]) {
    return (fmi2Status)linnet_fmu_get(component, LINNET_FMU_FLOAT64, references, count, values,
                                      count);
}

FMI2_EXPORT fmi2SetRealType fmi2SetReal;
fmi2Status fmi2SetReal(fmi2Component component, const fmi2ValueReference references[], size_t count,
                       const fmi2Real values[]) {
    return (fmi2Status)linnet_fmu_set(component, LINNET_FMU_FLOAT64, references, count, values,
                                      count);
}

static fmi2Status linnet_fmi2_none(fmi2Component component, size_t count, const char *what) {
    return count == 0 ? fmi2OK : (fmi2Status)linnet_fmu_refuse(component, what);
}

#define LINNET_FMI2_NONE(type, words)                                                        \
    FMI2_EXPORT fmi2Get##type##Type fmi2Get##type;                                           \
    fmi2Status fmi2Get##type(fmi2Component component, const fmi2ValueReference references[], \
                             size_t count, fmi2##type values[]) {                            \
        (void)references, (void)values;                                                      \
        return linnet_fmi2_none(component, count, words);                                    \
    }                                                                                        \
    FMI2_EXPORT fmi2Set##type##Type fmi2Set##type;                                           \
    fmi2Status fmi2Set##type(fmi2Component component, const fmi2ValueReference references[], \
                             size_t count, const fmi2##type values[]) {                      \
        (void)references, (void)values;                                                      \
        return linnet_fmi2_none(component, count, words);                                    \
    }
LINNET_FMI2_NONE(Integer, "integers")
LINNET_FMI2_NONE(Boolean, "booleans")
LINNET_FMI2_NONE(String, "strings")

/* ---- states of the whole instance ---- */

FMI2_EXPORT fmi2GetFMUstateType fmi2GetFMUstate;
fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2FMUstate *state) {
    return (fmi2Status)linnet_fmu_keep(component, state);
}

FMI2_EXPORT fmi2SetFMUstateType fmi2SetFMUstate;
fmi2Status fmi2SetFMUstate(fmi2Component component, fmi2FMUstate state) {
    return (fmi2Status)linnet_fmu_restore(component, state);
}

FMI2_EXPORT fmi2FreeFMUstateType fmi2FreeFMUstate;
fmi2Status fmi2FreeFMUstate(fmi2Component component, fmi2FMUstate *state) {
    (void)component;
    linnet_fmu_forget(state);
    return fmi2OK;
}

FMI2_EXPORT fmi2SerializedFMUstateSizeType fmi2SerializedFMUstateSize;
fmi2Status fmi2SerializedFMUstateSize(fmi2Component component, fmi2FMUstate state, size_t *size) {
    (void)component, (void)state;
    *size = linnet_fmu_size();
    return fmi2OK;
}

FMI2_EXPORT fmi2SerializeFMUstateType fmi2SerializeFMUstate;
fmi2Status fmi2SerializeFMUstate(fmi2Component component, fmi2FMUstate state, fmi2Byte bytes[],
                                 size_t size) {
    return (fmi2Status)linnet_fmu_write(component, state, bytes, size);
}

FMI2_EXPORT fmi2DeSerializeFMUstateType fmi2DeSerializeFMUstate;
fmi2Status fmi2DeSerializeFMUstate(fmi2Component component, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate *state) {
    return (fmi2Status)linnet_fmu_read(component, bytes, size, state);
}

FMI2_EXPORT fmi2GetDirectionalDerivativeType fmi2GetDirectionalDerivative;
fmi2Status fmi2GetDirectionalDerivative(fmi2Component component,
                                        const fmi2ValueReference unknowns[], size_t nunknowns,
                                        const fmi2ValueReference knowns[], size_t nknowns,
                                        const fmi2Real seed[], fmi2Real sensitivity[]) {
    (void)unknowns, (void)nunknowns, (void)knowns, (void)nknowns, (void)seed, (void)sensitivity;
    return (fmi2Status)linnet_fmu_refuse(component, "directional derivatives");
}

/* ---- co-simulation ---- */

FMI2_EXPORT fmi2DoStepType fmi2DoStep;
fmi2Status fmi2DoStep(fmi2Component component, fmi2Real time, fmi2Real step,
                      fmi2Boolean no_return) {
    (void)no_return;
    return (fmi2Status)linnet_fmu_step(component, time, step);
}

FMI2_EXPORT fmi2SetRealInputDerivativesType fmi2SetRealInputDerivatives;
fmi2Status fmi2SetRealInputDerivatives(fmi2Component component,
                                       const fmi2ValueReference references[], size_t count,
                                       const fmi2Integer order[], const fmi2Real values[]) {
    (void)references, (void)order, (void)values;
    return linnet_fmi2_none(component, count, "derivatives of inputs");
}

FMI2_EXPORT fmi2GetRealOutputDerivativesType fmi2GetRealOutputDerivatives;
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component component,
                                        const fmi2ValueReference references[], size_t count,
                                        const fmi2Integer order[], fmi2Real values[]) {
    (void)references, (void)order, (void)values;
    return linnet_fmi2_none(component, count, "derivatives of outputs");
}

FMI2_EXPORT fmi2ModeType fmi2CancelStep;
fmi2Status fmi2CancelStep(fmi2Component component) {
    return (fmi2Status)linnet_fmu_refuse(component, "step that is still going on");
}

/* A step is done when fmi2DoStep() returns, so that there is little to ask. */
FMI2_EXPORT fmi2GetStatusType fmi2GetStatus;
fmi2Status fmi2GetStatus(fmi2Component component, fmi2StatusKind kind, fmi2Status *value) {
    (void)component;
    *value = fmi2OK;
    return kind == fmi2DoStepStatus ? fmi2OK : fmi2Discard;
}

FMI2_EXPORT fmi2GetRealStatusType fmi2GetRealStatus;
fmi2Status fmi2GetRealStatus(fmi2Component component, fmi2StatusKind kind, fmi2Real *value) {
    *value = linnet_fmu_time(component);
    return kind == fmi2LastSuccessfulTime ? fmi2OK : fmi2Discard;
}

FMI2_EXPORT fmi2GetIntegerStatusType fmi2GetIntegerStatus;
fmi2Status fmi2GetIntegerStatus(fmi2Component component, fmi2StatusKind kind, fmi2Integer *value) {
    (void)component, (void)kind, (void)value;
    return fmi2Discard;
}

FMI2_EXPORT fmi2GetBooleanStatusType fmi2GetBooleanStatus;
fmi2Status fmi2GetBooleanStatus(fmi2Component component, fmi2StatusKind kind, fmi2Boolean *value) {
    *value = linnet_fmu_ended(component);
    return kind == fmi2Terminated ? fmi2OK : fmi2Discard;
}

FMI2_EXPORT fmi2GetStringStatusType fmi2GetStringStatus;
fmi2Status fmi2GetStringStatus(fmi2Component component, fmi2StatusKind kind, fmi2String *value) {
    (void)component, (void)kind, (void)value;
    return fmi2Discard;
}
