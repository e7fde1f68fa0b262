/* SPDX-License-Identifier: MIT */
/* The C interface of FMI 3.0, declared anew from the standard (Functional Mock-up Interface
 * Specification 3.0.1, sections 2 to 5): what an FMU exports and what an importer calls. Every
 * function has a type by which it is declared where it is defined and found where it is loaded. */
#ifndef FMI3_H
#define FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void *fmi3Instance;
typedef void *fmi3InstanceEnvironment;
typedef void *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef char fmi3Char;
typedef const fmi3Char *fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte *fmi3Binary;
typedef bool fmi3Clock;

typedef enum fmi3Status { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;

typedef enum fmi3DependencyKind {
    fmi3Independent,
    fmi3Constant,
    fmi3Fixed,
    fmi3Tunable,
    fmi3Discrete,
    fmi3Dependent
} fmi3DependencyKind;

typedef enum fmi3IntervalQualifier {
    fmi3IntervalNotYetKnown,
    fmi3IntervalUnchanged,
    fmi3IntervalChanged
} fmi3IntervalQualifier;

/* What the importer lends. */
typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment environment, fmi3Status status,
                                       fmi3String category, fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment environment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment environment,
                                               fmi3Float64 time, fmi3Boolean set_requested,
                                               fmi3Boolean get_allowed, fmi3Boolean step_finished,
                                               fmi3Boolean can_return_early,
                                               fmi3Boolean *early_return_requested,
                                               fmi3Float64 *early_return_time);
typedef void (*fmi3PreemptionCallback)(void);

/* ---- all interfaces ---- */
typedef const char *fmi3GetVersionType(void);
typedef fmi3Status fmi3SetDebugLoggingType(fmi3Instance instance, fmi3Boolean on, size_t count,
                                           const fmi3String categories[]);
typedef fmi3Instance fmi3InstantiateModelExchangeType(fmi3String name, fmi3String token,
                                                      fmi3String resources, fmi3Boolean visible,
                                                      fmi3Boolean logging,
                                                      fmi3InstanceEnvironment environment,
                                                      fmi3LogMessageCallback log);
typedef fmi3Instance
fmi3InstantiateCoSimulationType(fmi3String name, fmi3String token, fmi3String resources,
                                fmi3Boolean visible, fmi3Boolean logging, fmi3Boolean event_mode,
                                fmi3Boolean early_return, const fmi3ValueReference intermediate[],
                                size_t nintermediate, fmi3InstanceEnvironment environment,
                                fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update);
typedef fmi3Instance fmi3InstantiateScheduledExecutionType(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
    fmi3ClockUpdateCallback clock, fmi3PreemptionCallback lock, fmi3PreemptionCallback unlock);
typedef void fmi3FreeInstanceType(fmi3Instance instance);
typedef fmi3Status fmi3EnterInitializationModeType(fmi3Instance instance, fmi3Boolean has_tolerance,
                                                   fmi3Float64 tolerance, fmi3Float64 start,
                                                   fmi3Boolean has_stop, fmi3Float64 stop);
/* ExitInitializationMode, EnterEventMode, Terminate, Reset, EnterConfigurationMode,
 * ExitConfigurationMode, EvaluateDiscreteStates, EnterContinuousTimeMode, EnterStepMode */
typedef fmi3Status fmi3ModeType(fmi3Instance instance);

/* Get and set of one type of numbers: fmi3GetFloat64Type, fmi3SetFloat64Type and so on. */
#define FMI3_NUMBERS(X) \
    X(Float32)          \
    X(Float64)          \
    X(Int8) X(UInt8) X(Int16) X(UInt16) X(Int32) X(UInt32) X(Int64) X(UInt64) X(Boolean) X(String)
#define FMI3_ACCESS_TYPES(type)                                                           \
    typedef fmi3Status fmi3Get##type##Type(                                               \
        fmi3Instance instance, const fmi3ValueReference references[], size_t nreferences, \
        fmi3##type values[], size_t nvalues);                                             \
    typedef fmi3Status fmi3Set##type##Type(                                               \
        fmi3Instance instance, const fmi3ValueReference references[], size_t nreferences, \
        const fmi3##type values[], size_t nvalues);
FMI3_NUMBERS(FMI3_ACCESS_TYPES)
#undef FMI3_ACCESS_TYPES
typedef fmi3Status fmi3GetBinaryType(fmi3Instance instance, const fmi3ValueReference references[],
                                     size_t nreferences, size_t sizes[], fmi3Binary values[],
                                     size_t nvalues);
typedef fmi3Status fmi3SetBinaryType(fmi3Instance instance, const fmi3ValueReference references[],
                                     size_t nreferences, const size_t sizes[],
                                     const fmi3Binary values[], size_t nvalues);
typedef fmi3Status fmi3GetClockType(fmi3Instance instance, const fmi3ValueReference references[],
                                    size_t nreferences, fmi3Clock values[]);
typedef fmi3Status fmi3SetClockType(fmi3Instance instance, const fmi3ValueReference references[],
                                    size_t nreferences, const fmi3Clock values[]);

typedef fmi3Status fmi3GetNumberOfVariableDependenciesType(fmi3Instance instance,
                                                           fmi3ValueReference reference,
                                                           size_t *count);
typedef fmi3Status fmi3GetVariableDependenciesType(fmi3Instance instance,
                                                   fmi3ValueReference dependent,
                                                   size_t dependent_elements[],
                                                   fmi3ValueReference independents[],
                                                   size_t independent_elements[],
                                                   fmi3DependencyKind kinds[], size_t count);

typedef fmi3Status fmi3GetFMUStateType(fmi3Instance instance, fmi3FMUState *state);
typedef fmi3Status fmi3SetFMUStateType(fmi3Instance instance, fmi3FMUState state);
typedef fmi3Status fmi3FreeFMUStateType(fmi3Instance instance, fmi3FMUState *state);
typedef fmi3Status fmi3SerializedFMUStateSizeType(fmi3Instance instance, fmi3FMUState state,
                                                  size_t *size);
typedef fmi3Status fmi3SerializeFMUStateType(fmi3Instance instance, fmi3FMUState state,
                                             fmi3Byte bytes[], size_t size);
typedef fmi3Status fmi3DeserializeFMUStateType(fmi3Instance instance, const fmi3Byte bytes[],
                                               size_t size, fmi3FMUState *state);
/* GetDirectionalDerivative, GetAdjointDerivative */
typedef fmi3Status fmi3GetDerivativeType(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                         size_t nunknowns, const fmi3ValueReference knowns[],
                                         size_t nknowns, const fmi3Float64 seed[], size_t nseed,
                                         fmi3Float64 sensitivity[], size_t nsensitivity);

/* ---- clocks ---- */
typedef fmi3Status fmi3GetIntervalDecimalType(fmi3Instance instance,
                                              const fmi3ValueReference references[], size_t count,
                                              fmi3Float64 intervals[],
                                              fmi3IntervalQualifier qualifiers[]);
typedef fmi3Status fmi3GetIntervalFractionType(fmi3Instance instance,
                                               const fmi3ValueReference references[], size_t count,
                                               fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                               fmi3IntervalQualifier qualifiers[]);
typedef fmi3Status fmi3GetShiftDecimalType(fmi3Instance instance,
                                           const fmi3ValueReference references[], size_t count,
                                           fmi3Float64 shifts[]);
typedef fmi3Status fmi3GetShiftFractionType(fmi3Instance instance,
                                            const fmi3ValueReference references[], size_t count,
                                            fmi3UInt64 counters[], fmi3UInt64 resolutions[]);
/* SetIntervalDecimal, SetShiftDecimal */
typedef fmi3Status fmi3SetDecimalType(fmi3Instance instance, const fmi3ValueReference references[],
                                      size_t count, const fmi3Float64 values[]);
/* SetIntervalFraction, SetShiftFraction */
typedef fmi3Status fmi3SetFractionType(fmi3Instance instance, const fmi3ValueReference references[],
                                       size_t count, const fmi3UInt64 counters[],
                                       const fmi3UInt64 resolutions[]);
typedef fmi3Status fmi3UpdateDiscreteStatesType(fmi3Instance instance, fmi3Boolean *again,
                                                fmi3Boolean *terminate, fmi3Boolean *nominals,
                                                fmi3Boolean *states, fmi3Boolean *has_next,
                                                fmi3Float64 *next);

/* ---- model exchange ---- */
typedef fmi3Status fmi3CompletedIntegratorStepType(fmi3Instance instance, fmi3Boolean no_return,
                                                   fmi3Boolean *enter_event_mode,
                                                   fmi3Boolean *terminate);
typedef fmi3Status fmi3SetTimeType(fmi3Instance instance, fmi3Float64 time);
typedef fmi3Status fmi3SetContinuousStatesType(fmi3Instance instance, const fmi3Float64 x[],
                                               size_t count);
/* GetContinuousStateDerivatives, GetEventIndicators, GetContinuousStates,
 * GetNominalsOfContinuousStates */
typedef fmi3Status fmi3GetNumbersType(fmi3Instance instance, fmi3Float64 values[], size_t count);
/* GetNumberOfEventIndicators, GetNumberOfContinuousStates */
typedef fmi3Status fmi3GetNumberType(fmi3Instance instance, size_t *count);

/* ---- co-simulation, scheduled execution ---- */
typedef fmi3Status fmi3GetOutputDerivativesType(fmi3Instance instance,
                                                const fmi3ValueReference references[],
                                                size_t nreferences, const fmi3Int32 orders[],
                                                fmi3Float64 values[], size_t nvalues);
typedef fmi3Status fmi3DoStepType(fmi3Instance instance, fmi3Float64 time, fmi3Float64 step,
                                  fmi3Boolean no_return, fmi3Boolean *event_needed,
                                  fmi3Boolean *terminate, fmi3Boolean *early_return,
                                  fmi3Float64 *last_time);
typedef fmi3Status fmi3ActivateModelPartitionType(fmi3Instance instance, fmi3ValueReference clock,
                                                  fmi3Float64 time);

#endif
