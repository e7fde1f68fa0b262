/* SPDX-License-Identifier: MIT */
/* FMI 3.0: functions that an FMU shows although it has neither clocks nor structural parameters nor
 * partitions nor an event mode in co-simulation. */
#include "fmi3_export.h"

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

FMI3_EXPORT fmi3ActivateModelPartitionType fmi3ActivateModelPartition;
fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference clock,
                                      fmi3Float64 time) {
    (void)clock, (void)time;
    return (fmi3Status)linnet_fmu_refuse(instance, "partitions");
}
