/* SPDX-License-Identifier: MIT */
/* The C interface of FMI 2.0, declared anew from the standard (Functional Mock-up Interface for
 * Model Exchange and Co-Simulation, version 2.0.5, sections 2.1, 3.2, 4.2): what an FMU exports and
 * what an importer calls. Every function has a type, fmi2DoStepType, by which it is declared where
 * it is defined and found where it is loaded. */
#ifndef FMI2_H
#define FMI2_H

#include <stddef.h>

typedef void *fmi2Component;
typedef void *fmi2ComponentEnvironment;
typedef void *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef char fmi2Char;
typedef const fmi2Char *fmi2String;
typedef char fmi2Byte;

enum { fmi2False = 0, fmi2True = 1 };

typedef enum fmi2Status {
    fmi2OK,
    fmi2Warning,
    fmi2Discard,
    fmi2Error,
    fmi2Fatal,
    fmi2Pending
} fmi2Status;

typedef enum fmi2Type { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;

typedef enum fmi2StatusKind {
    fmi2DoStepStatus,
    fmi2PendingStatus,
    fmi2LastSuccessfulTime,
    fmi2Terminated
} fmi2StatusKind;

typedef struct fmi2EventInfo {
    fmi2Boolean newDiscreteStatesNeeded;
    fmi2Boolean terminateSimulation;
    fmi2Boolean nominalsOfContinuousStatesChanged;
    fmi2Boolean valuesOfContinuousStatesChanged;
    fmi2Boolean nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

/* What the importer lends. */
typedef void (*fmi2CallbackLogger)(fmi2ComponentEnvironment environment, fmi2String name,
                                   fmi2Status status, fmi2String category, fmi2String message, ...);
typedef void *(*fmi2CallbackAllocateMemory)(size_t count, size_t size);
typedef void (*fmi2CallbackFreeMemory)(void *block);
typedef void (*fmi2StepFinished)(fmi2ComponentEnvironment environment, fmi2Status status);
typedef struct fmi2CallbackFunctions {
    fmi2CallbackLogger logger;
    fmi2CallbackAllocateMemory allocateMemory;
    fmi2CallbackFreeMemory freeMemory;
    fmi2StepFinished stepFinished;
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

/* ---- both interfaces ---- */
typedef const char *fmi2GetTypesPlatformType(void);
typedef const char *fmi2GetVersionType(void);
typedef fmi2Status fmi2SetDebugLoggingType(fmi2Component component, fmi2Boolean on, size_t count,
                                           const fmi2String categories[]);
typedef fmi2Component fmi2InstantiateType(fmi2String name, fmi2Type type, fmi2String guid,
                                          fmi2String resources,
                                          const fmi2CallbackFunctions *functions,
                                          fmi2Boolean visible, fmi2Boolean logging);
typedef void fmi2FreeInstanceType(fmi2Component component);
typedef fmi2Status fmi2SetupExperimentType(fmi2Component component, fmi2Boolean has_tolerance,
                                           fmi2Real tolerance, fmi2Real start, fmi2Boolean has_stop,
                                           fmi2Real stop);
/* EnterInitializationMode, ExitInitializationMode, Terminate, Reset, EnterEventMode,
 * EnterContinuousTimeMode, CancelStep */
typedef fmi2Status fmi2ModeType(fmi2Component component);

typedef fmi2Status fmi2GetRealType(fmi2Component component, const fmi2ValueReference references[],
                                   size_t count, fmi2Real values[]);
typedef fmi2Status fmi2GetIntegerType(fmi2Component component,
                                      const fmi2ValueReference references[], size_t count,
                                      fmi2Integer values[]);
typedef fmi2Status fmi2GetBooleanType(fmi2Component component,
                                      const fmi2ValueReference references[], size_t count,
                                      fmi2Boolean values[]);
typedef fmi2Status fmi2GetStringType(fmi2Component component, const fmi2ValueReference references[],
                                     size_t count, fmi2String values[]);
typedef fmi2Status fmi2SetRealType(fmi2Component component, const fmi2ValueReference references[],
                                   size_t count, const fmi2Real values[]);
typedef fmi2Status fmi2SetIntegerType(fmi2Component component,
                                      const fmi2ValueReference references[], size_t count,
                                      const fmi2Integer values[]);
typedef fmi2Status fmi2SetBooleanType(fmi2Component component,
                                      const fmi2ValueReference references[], size_t count,
                                      const fmi2Boolean values[]);
typedef fmi2Status fmi2SetStringType(fmi2Component component, const fmi2ValueReference references[],
                                     size_t count, const fmi2String values[]);

typedef fmi2Status fmi2GetFMUstateType(fmi2Component component, fmi2FMUstate *state);
typedef fmi2Status fmi2SetFMUstateType(fmi2Component component, fmi2FMUstate state);
typedef fmi2Status fmi2FreeFMUstateType(fmi2Component component, fmi2FMUstate *state);
typedef fmi2Status fmi2SerializedFMUstateSizeType(fmi2Component component, fmi2FMUstate state,
                                                  size_t *size);
typedef fmi2Status fmi2SerializeFMUstateType(fmi2Component component, fmi2FMUstate state,
                                             fmi2Byte bytes[], size_t size);
typedef fmi2Status fmi2DeSerializeFMUstateType(fmi2Component component, const fmi2Byte bytes[],
                                               size_t size, fmi2FMUstate *state);
typedef fmi2Status
fmi2GetDirectionalDerivativeType(fmi2Component component, const fmi2ValueReference unknowns[],
                                 size_t nunknowns, const fmi2ValueReference knowns[],
                                 size_t nknowns, const fmi2Real seed[], fmi2Real sensitivity[]);

/* ---- model exchange ---- */
typedef fmi2Status fmi2NewDiscreteStatesType(fmi2Component component, fmi2EventInfo *info);
typedef fmi2Status fmi2CompletedIntegratorStepType(fmi2Component component, fmi2Boolean no_return,
                                                   fmi2Boolean *enter_event_mode,
                                                   fmi2Boolean *terminate);
typedef fmi2Status fmi2SetTimeType(fmi2Component component, fmi2Real time);
typedef fmi2Status fmi2SetContinuousStatesType(fmi2Component component, const fmi2Real x[],
                                               size_t count);
/* GetDerivatives, GetEventIndicators, GetContinuousStates, GetNominalsOfContinuousStates */
typedef fmi2Status fmi2GetNumbersType(fmi2Component component, fmi2Real values[], size_t count);

/* ---- co-simulation ---- */
typedef fmi2Status fmi2SetRealInputDerivativesType(fmi2Component component,
                                                   const fmi2ValueReference references[],
                                                   size_t count, const fmi2Integer order[],
                                                   const fmi2Real values[]);
typedef fmi2Status fmi2GetRealOutputDerivativesType(fmi2Component component,
                                                    const fmi2ValueReference references[],
                                                    size_t count, const fmi2Integer order[],
                                                    fmi2Real values[]);
typedef fmi2Status fmi2DoStepType(fmi2Component component, fmi2Real time, fmi2Real step,
                                  fmi2Boolean no_return);
typedef fmi2Status fmi2GetStatusType(fmi2Component component, fmi2StatusKind kind,
                                     fmi2Status *value);
typedef fmi2Status fmi2GetRealStatusType(fmi2Component component, fmi2StatusKind kind,
                                         fmi2Real *value);
typedef fmi2Status fmi2GetIntegerStatusType(fmi2Component component, fmi2StatusKind kind,
                                            fmi2Integer *value);
typedef fmi2Status fmi2GetBooleanStatusType(fmi2Component component, fmi2StatusKind kind,
                                            fmi2Boolean *value);
typedef fmi2Status fmi2GetStringStatusType(fmi2Component component, fmi2StatusKind kind,
                                           fmi2String *value);

#endif
