/* SPDX-License-Identifier: MIT */
/* FMI 3.0 on an instance: model exchange. */
#include "fmi3_export.h"

#include <math.h>

FMI3_EXPORT fmi3ModeType fmi3EnterEventMode;
fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
    return (fmi3Status)linnet_fmu_enter_events(instance);
}

/* Discrete states follow at once from what happens: there is nothing to evaluate beforehand. */
FMI3_EXPORT fmi3ModeType fmi3EvaluateDiscreteStates;
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance) {
    (void)instance;
    return fmi3OK;
}

FMI3_EXPORT fmi3UpdateDiscreteStatesType fmi3UpdateDiscreteStates;
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean *again,
                                    fmi3Boolean *terminate, fmi3Boolean *nominals,
                                    fmi3Boolean *states, fmi3Boolean *has_next, fmi3Float64 *next) {
    double then = (double)INFINITY;
    int changed = 0;
    const linnet_fmu_status status = linnet_fmu_happen(instance, &changed, &then);
    *again = *nominals = false;
    *terminate = linnet_fmu_ended(instance) != 0;
    *states = changed != 0;
    *has_next = isfinite(then) != 0;
    *next = isfinite(then) ? then : 0;
    return (fmi3Status)status;
}

FMI3_EXPORT fmi3ModeType fmi3EnterContinuousTimeMode;
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance) {
    return (fmi3Status)linnet_fmu_go_on(instance);
}

FMI3_EXPORT fmi3CompletedIntegratorStepType fmi3CompletedIntegratorStep;
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean no_return,
                                       fmi3Boolean *enter_event_mode, fmi3Boolean *terminate) {
    (void)no_return;
    *enter_event_mode = false;
    *terminate = linnet_fmu_ended(instance) != 0;
    return fmi3OK;
}

FMI3_EXPORT fmi3SetTimeType fmi3SetTime;
fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time) {
    return (fmi3Status)linnet_fmu_set_time(instance, time);
}

FMI3_EXPORT fmi3SetContinuousStatesType fmi3SetContinuousStates;
fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 x[], size_t count) {
    return (fmi3Status)linnet_fmu_set_states(instance, x, count);
}

FMI3_EXPORT fmi3GetNumbersType fmi3GetContinuousStateDerivatives;
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64 values[],
                                             size_t count) {
    return (fmi3Status)linnet_fmu_get_rates(instance, values, count);
}

FMI3_EXPORT fmi3GetNumbersType fmi3GetEventIndicators;
fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 values[], size_t count) {
    return (fmi3Status)linnet_fmu_get_indicators(instance, values, count);
}

FMI3_EXPORT fmi3GetNumbersType fmi3GetContinuousStates;
fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 values[], size_t count) {
    return (fmi3Status)linnet_fmu_get_states(instance, values, count);
}

FMI3_EXPORT fmi3GetNumbersType fmi3GetNominalsOfContinuousStates;
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 values[],
                                             size_t count) {
    return (fmi3Status)linnet_fmu_get_nominals(instance, values, count);
}

FMI3_EXPORT fmi3GetNumberType fmi3GetNumberOfEventIndicators;
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t *count) {
    (void)instance;
    *count = linnet_fmu_indicators();
    return fmi3OK;
}

FMI3_EXPORT fmi3GetNumberType fmi3GetNumberOfContinuousStates;
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t *count) {
    (void)instance;
    *count = linnet_fmu_states();
    return fmi3OK;
}
