/* SPDX-License-Identifier: MIT */
/* FMI 3.0 on an instance: what all interfaces have in common, and co-simulation. */
#include "fmi3_export.h"

/* ---- the importer ---- */

static void linnet_fmi3_log(const linnet_fmu_host *host, const char *name, linnet_fmu_status status,
                            const char *text) {
    static const char *const categories[] = {"logEvents", "logStatusWarning", "logStatusDiscard",
                                             "logStatusError", "logStatusFatal"};
    const fmi3LogMessageCallback log = (fmi3LogMessageCallback)host->logger;
    (void)name;
    if (log != NULL)
        log(host->environment, (fmi3Status)status, categories[status], text);
}

FMI3_EXPORT fmi3GetVersionType fmi3GetVersion;
const char *fmi3GetVersion(void) {
    return "3.0";
}

FMI3_EXPORT fmi3SetDebugLoggingType fmi3SetDebugLogging;
fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean on, size_t count,
                               const fmi3String categories[]) {
    (void)count, (void)categories;
    linnet_fmu_logging(instance, on);
    return fmi3OK;
}

/* ---- the life of an instance ---- */

static linnet_fmu_host linnet_fmi3_host(fmi3InstanceEnvironment environment,
                                        fmi3LogMessageCallback log) {
    return (linnet_fmu_host){
        .environment = environment, .log = linnet_fmi3_log, .logger = (void (*)(void))log};
}

FMI3_EXPORT fmi3InstantiateModelExchangeType fmi3InstantiateModelExchange;
fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                          fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log) {
    const linnet_fmu_host host = linnet_fmi3_host(environment, log);
    (void)resources, (void)visible;
    return linnet_fmu_new(name, token, 1, logging, &host);
}

FMI3_EXPORT fmi3InstantiateCoSimulationType fmi3InstantiateCoSimulation;
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging,
                                         fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference intermediate[],
                                         size_t nintermediate, fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update) {
    const linnet_fmu_host host = linnet_fmi3_host(environment, log);
    (void)resources, (void)visible, (void)event_mode, (void)early_return;
    (void)intermediate, (void)nintermediate, (void)update;
    return linnet_fmu_new(name, token, 0, logging, &host);
}

FMI3_EXPORT fmi3InstantiateScheduledExecutionType fmi3InstantiateScheduledExecution;
fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
    fmi3ClockUpdateCallback clock, fmi3PreemptionCallback lock, fmi3PreemptionCallback unlock) {
    (void)name, (void)token, (void)resources, (void)visible, (void)logging;
    (void)clock, (void)lock, (void)unlock;
    if (log != NULL)
        log(environment, fmi3Error, "logStatusError", "this FMU has no scheduled execution");
    return NULL;
}

FMI3_EXPORT fmi3FreeInstanceType fmi3FreeInstance;
void fmi3FreeInstance(fmi3Instance instance) {
    linnet_fmu_free(instance);
}

FMI3_EXPORT fmi3EnterInitializationModeType fmi3EnterInitializationMode;
fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean has_tolerance,
                                       fmi3Float64 tolerance, fmi3Float64 start,
                                       fmi3Boolean has_stop, fmi3Float64 stop) {
    (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
    const linnet_fmu_status status = linnet_fmu_setup(instance, start);
    return status > LINNET_FMU_WARNING ? (fmi3Status)status
                                       : (fmi3Status)linnet_fmu_initialize(instance);
}

FMI3_EXPORT fmi3ModeType fmi3ExitInitializationMode;
fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
    return (fmi3Status)linnet_fmu_initialized(instance);
}

FMI3_EXPORT fmi3ModeType fmi3Terminate;
fmi3Status fmi3Terminate(fmi3Instance instance) {
    return (fmi3Status)linnet_fmu_terminate(instance);
}

FMI3_EXPORT fmi3ModeType fmi3Reset;
fmi3Status fmi3Reset(fmi3Instance instance) {
    return (fmi3Status)linnet_fmu_reset(instance);
}

/* ---- values: outputs may be integers and truths; what can be set is of Float64 ---- */

#define LINNET_FMI3_GET(name, type)                                                        \
    FMI3_EXPORT fmi3Get##name##Type fmi3Get##name;                                         \
    fmi3Status fmi3Get##name(fmi3Instance instance, const fmi3ValueReference references[], \
                             size_t nreferences, fmi3##name values[], size_t nvalues) {    \
        return (fmi3Status)linnet_fmu_get(instance, type, references, nreferences, values, \
                                          nvalues);                                        \
    }
LINNET_FMI3_GET(Float64, LINNET_FMU_FLOAT64)
LINNET_FMI3_GET(Int32, LINNET_FMU_INT32)
LINNET_FMI3_GET(Boolean, LINNET_FMU_BOOLEAN)

FMI3_EXPORT fmi3SetFloat64Type fmi3SetFloat64;
fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[],
                          size_t nreferences, const fmi3Float64 values[], size_t nvalues) {
    return (fmi3Status)linnet_fmu_set(instance, LINNET_FMU_FLOAT64, references, nreferences, values,
                                      nvalues);
}

static fmi3Status linnet_fmi3_none(fmi3Instance instance, size_t count, const char *what) {
    return count == 0 ? fmi3OK : (fmi3Status)linnet_fmu_refuse(instance, what);
}

#define LINNET_FMI3_NO_GET(type)                                                           \
    FMI3_EXPORT fmi3Get##type##Type fmi3Get##type;                                         \
    fmi3Status fmi3Get##type(fmi3Instance instance, const fmi3ValueReference references[], \
                             size_t nreferences, fmi3##type values[], size_t nvalues) {    \
        (void)references, (void)values, (void)nvalues;                                     \
        return linnet_fmi3_none(instance, nreferences, "variables of type " #type);        \
    }
#define LINNET_FMI3_NO_SET(type)                                                              \
    FMI3_EXPORT fmi3Set##type##Type fmi3Set##type;                                            \
    fmi3Status fmi3Set##type(fmi3Instance instance, const fmi3ValueReference references[],    \
                             size_t nreferences, const fmi3##type values[], size_t nvalues) { \
        (void)references, (void)values, (void)nvalues;                                        \
        return linnet_fmi3_none(instance, nreferences, "variables of type " #type);           \
    }
#define LINNET_FMI3_NONE(type) LINNET_FMI3_NO_GET(type) LINNET_FMI3_NO_SET(type)
LINNET_FMI3_NO_SET(Int32)
LINNET_FMI3_NO_SET(Boolean)
LINNET_FMI3_NONE(Float32)
LINNET_FMI3_NONE(Int8)
LINNET_FMI3_NONE(UInt8)
LINNET_FMI3_NONE(Int16)
LINNET_FMI3_NONE(UInt16)
LINNET_FMI3_NONE(UInt32)
LINNET_FMI3_NONE(Int64)
LINNET_FMI3_NONE(UInt64)
LINNET_FMI3_NONE(String)

FMI3_EXPORT fmi3GetBinaryType fmi3GetBinary;
fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference references[],
                         size_t nreferences, size_t sizes[], fmi3Binary values[], size_t nvalues) {
    (void)references, (void)sizes, (void)values, (void)nvalues;
    return linnet_fmi3_none(instance, nreferences, "binary variables");
}

FMI3_EXPORT fmi3SetBinaryType fmi3SetBinary;
fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference references[],
                         size_t nreferences, const size_t sizes[], const fmi3Binary values[],
                         size_t nvalues) {
    (void)references, (void)sizes, (void)values, (void)nvalues;
    return linnet_fmi3_none(instance, nreferences, "binary variables");
}

FMI3_EXPORT fmi3GetNumberOfVariableDependenciesType fmi3GetNumberOfVariableDependencies;
fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference reference,
                                               size_t *count) {
    (void)reference, (void)count;
    return (fmi3Status)linnet_fmu_refuse(instance, "dependencies that change");
}

FMI3_EXPORT fmi3GetVariableDependenciesType fmi3GetVariableDependencies;
fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference dependent,
                                       size_t dependent_elements[],
                                       fmi3ValueReference independents[],
                                       size_t independent_elements[], fmi3DependencyKind kinds[],
                                       size_t count) {
    (void)dependent, (void)dependent_elements, (void)independents, (void)independent_elements;
    (void)kinds, (void)count;
    return (fmi3Status)linnet_fmu_refuse(instance, "dependencies that change");
}

/* ---- states of the whole instance ---- */

FMI3_EXPORT fmi3GetFMUStateType fmi3GetFMUState;
fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState *state) {
    return (fmi3Status)linnet_fmu_keep(instance, state);
}

FMI3_EXPORT fmi3SetFMUStateType fmi3SetFMUState;
fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state) {
    return (fmi3Status)linnet_fmu_restore(instance, state);
}

FMI3_EXPORT fmi3FreeFMUStateType fmi3FreeFMUState;
fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState *state) {
    (void)instance;
    linnet_fmu_forget(state);
    return fmi3OK;
}

FMI3_EXPORT fmi3SerializedFMUStateSizeType fmi3SerializedFMUStateSize;
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, size_t *size) {
    (void)instance, (void)state;
    *size = linnet_fmu_size();
    return fmi3OK;
}

FMI3_EXPORT fmi3SerializeFMUStateType fmi3SerializeFMUState;
fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[],
                                 size_t size) {
    return (fmi3Status)linnet_fmu_write(instance, state, bytes, size);
}

FMI3_EXPORT fmi3DeserializeFMUStateType fmi3DeserializeFMUState;
fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[], size_t size,
                                   fmi3FMUState *state) {
    return (fmi3Status)linnet_fmu_read(instance, bytes, size, state);
}

#define LINNET_FMI3_NO_DERIVATIVE(call)                                                           \
    FMI3_EXPORT fmi3GetDerivativeType call;                                                       \
    fmi3Status call(fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nunknowns, \
                    const fmi3ValueReference knowns[], size_t nknowns, const fmi3Float64 seed[],  \
                    size_t nseed, fmi3Float64 sensitivity[], size_t nsensitivity) {               \
        (void)unknowns, (void)nunknowns, (void)knowns, (void)nknowns, (void)seed, (void)nseed;    \
        (void)sensitivity, (void)nsensitivity;                                                    \
        return (fmi3Status)linnet_fmu_refuse(instance, "such derivatives");                       \
    }
LINNET_FMI3_NO_DERIVATIVE(fmi3GetDirectionalDerivative)
LINNET_FMI3_NO_DERIVATIVE(fmi3GetAdjointDerivative)

/* ---- co-simulation ---- */

FMI3_EXPORT fmi3DoStepType fmi3DoStep;
fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 time, fmi3Float64 step,
                      fmi3Boolean no_return, fmi3Boolean *event_needed, fmi3Boolean *terminate,
                      fmi3Boolean *early_return, fmi3Float64 *last_time) {
    (void)no_return;
    const linnet_fmu_status status = linnet_fmu_step(instance, time, step);
    *event_needed = false;
    *terminate = linnet_fmu_ended(instance) != 0;
    *early_return = *terminate;
    *last_time = linnet_fmu_time(instance);
    return status == LINNET_FMU_DISCARD ? fmi3OK : (fmi3Status)status;
}

FMI3_EXPORT fmi3GetOutputDerivativesType fmi3GetOutputDerivatives;
fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference references[],
                                    size_t nreferences, const fmi3Int32 orders[],
                                    fmi3Float64 values[], size_t nvalues) {
    (void)references, (void)orders, (void)values, (void)nvalues;
    return linnet_fmi3_none(instance, nreferences, "derivatives of outputs");
}
