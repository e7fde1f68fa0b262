/* SPDX-License-Identifier: MIT */
/* FMI 3.0: functions that an FMU shows although it has neither clocks nor structural parameters nor
 * partitions nor an event mode in co-simulation, nor model exchange for each model. */
#include "fmi3_export.h"
#include "model.h"

static fmi3Status linnet_fmi3_no_clock(fmi3Instance instance, size_t count) {
    return count == 0 ? fmi3OK : (fmi3Status)linnet_fmu_refuse(instance, "clocks");
}

FMI3_EXPORT fmi3GetClockType fmi3GetClock;
fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference references[],
                        size_t nreferences, fmi3Clock values[]) {
    (void)references, (void)values;
    return linnet_fmi3_no_clock(instance, nreferences);
}

FMI3_EXPORT fmi3SetClockType fmi3SetClock;
fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference references[],
                        size_t nreferences, const fmi3Clock values[]) {
    (void)references, (void)values;
    return linnet_fmi3_no_clock(instance, nreferences);
}

FMI3_EXPORT fmi3GetIntervalDecimalType fmi3GetIntervalDecimal;
fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference references[],
                                  size_t count, fmi3Float64 intervals[],
                                  fmi3IntervalQualifier qualifiers[]) {
    (void)references, (void)intervals, (void)qualifiers;
    return linnet_fmi3_no_clock(instance, count);
}

FMI3_EXPORT fmi3GetIntervalFractionType fmi3GetIntervalFraction;
fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference references[],
                                   size_t count, fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                   fmi3IntervalQualifier qualifiers[]) {
    (void)references, (void)counters, (void)resolutions, (void)qualifiers;
    return linnet_fmi3_no_clock(instance, count);
}

FMI3_EXPORT fmi3GetShiftDecimalType fmi3GetShiftDecimal;
fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference references[],
                               size_t count, fmi3Float64 shifts[]) {
    (void)references, (void)shifts;
    return linnet_fmi3_no_clock(instance, count);
}

FMI3_EXPORT fmi3GetShiftFractionType fmi3GetShiftFraction;
fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference references[],
                                size_t count, fmi3UInt64 counters[], fmi3UInt64 resolutions[]) {
    (void)references, (void)counters, (void)resolutions;
    return linnet_fmi3_no_clock(instance, count);
}

#define LINNET_FMI3_NO_DECIMAL(call)                                                            \
    FMI3_EXPORT fmi3SetDecimalType call;                                                        \
    fmi3Status call(fmi3Instance instance, const fmi3ValueReference references[], size_t count, \
                    const fmi3Float64 values[]) {                                               \
        (void)references, (void)values;                                                         \
        return linnet_fmi3_no_clock(instance, count);                                           \
    }
LINNET_FMI3_NO_DECIMAL(fmi3SetIntervalDecimal)
LINNET_FMI3_NO_DECIMAL(fmi3SetShiftDecimal)

#define LINNET_FMI3_NO_FRACTION(call)                                                           \
    FMI3_EXPORT fmi3SetFractionType call;                                                       \
    fmi3Status call(fmi3Instance instance, const fmi3ValueReference references[], size_t count, \
                    const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]) {              \
        (void)references, (void)counters, (void)resolutions;                                    \
        return linnet_fmi3_no_clock(instance, count);                                           \
    }
LINNET_FMI3_NO_FRACTION(fmi3SetIntervalFraction)
LINNET_FMI3_NO_FRACTION(fmi3SetShiftFraction)

#define LINNET_FMI3_NO_MODE(call, words)                       \
    FMI3_EXPORT fmi3ModeType call;                             \
    fmi3Status call(fmi3Instance instance) {                   \
        return (fmi3Status)linnet_fmu_refuse(instance, words); \
    }
LINNET_FMI3_NO_MODE(fmi3EnterConfigurationMode, "structural parameters")
LINNET_FMI3_NO_MODE(fmi3ExitConfigurationMode, "structural parameters")
LINNET_FMI3_NO_MODE(fmi3EnterStepMode, "event mode in co-simulation")

/* Functions of model exchange in an FMU without it (else fmi3_exchange.c has them): importers load
 * all functions, whatever the kind. */
#if !MODEL_EXCHANGE
static fmi3Status linnet_fmi3_no_exchange(fmi3Instance instance) {
    return (fmi3Status)linnet_fmu_refuse(instance, "model exchange");
}

LINNET_FMI3_NO_MODE(fmi3EnterEventMode, "event mode")
LINNET_FMI3_NO_MODE(fmi3EvaluateDiscreteStates, "event mode")
LINNET_FMI3_NO_MODE(fmi3EnterContinuousTimeMode, "model exchange")

FMI3_EXPORT fmi3UpdateDiscreteStatesType fmi3UpdateDiscreteStates;
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean *again,
                                    fmi3Boolean *terminate, fmi3Boolean *nominals,
                                    fmi3Boolean *states, fmi3Boolean *has_next, fmi3Float64 *next) {
    *again = *terminate = *nominals = *states = *has_next = false;
    *next = 0;
    return (fmi3Status)linnet_fmu_refuse(instance, "event mode");
}

FMI3_EXPORT fmi3CompletedIntegratorStepType fmi3CompletedIntegratorStep;
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean no_return,
                                       fmi3Boolean *enter_event_mode, fmi3Boolean *terminate) {
    (void)no_return;
    *enter_event_mode = *terminate = false;
    return linnet_fmi3_no_exchange(instance);
}

FMI3_EXPORT fmi3SetTimeType fmi3SetTime;
fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time) {
    (void)time;
    return linnet_fmi3_no_exchange(instance);
}

FMI3_EXPORT fmi3SetContinuousStatesType fmi3SetContinuousStates;
fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 x[], size_t count) {
    (void)x, (void)count;
    return linnet_fmi3_no_exchange(instance);
}

#define LINNET_FMI3_NO_NUMBERS(call)                                             \
    FMI3_EXPORT fmi3GetNumbersType call;                                         \
    fmi3Status call(fmi3Instance instance, fmi3Float64 values[], size_t count) { \
        (void)values, (void)count;                                               \
        return linnet_fmi3_no_exchange(instance);                                \
    }
LINNET_FMI3_NO_NUMBERS(fmi3GetContinuousStateDerivatives)
LINNET_FMI3_NO_NUMBERS(fmi3GetEventIndicators)
LINNET_FMI3_NO_NUMBERS(fmi3GetContinuousStates)
LINNET_FMI3_NO_NUMBERS(fmi3GetNominalsOfContinuousStates)

#define LINNET_FMI3_NO_NUMBER(call)                         \
    FMI3_EXPORT fmi3GetNumberType call;                     \
    fmi3Status call(fmi3Instance instance, size_t *count) { \
        *count = 0;                                         \
        return linnet_fmi3_no_exchange(instance);           \
    }
LINNET_FMI3_NO_NUMBER(fmi3GetNumberOfEventIndicators)
LINNET_FMI3_NO_NUMBER(fmi3GetNumberOfContinuousStates)
#endif

FMI3_EXPORT fmi3ActivateModelPartitionType fmi3ActivateModelPartition;
fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference clock,
                                      fmi3Float64 time) {
    (void)clock, (void)time;
    return (fmi3Status)linnet_fmu_refuse(instance, "partitions");
}
