/* SPDX-License-Identifier: MIT */
/* FMI 2.0 on an instance: model exchange. */
#include "fmi2_export.h"

#include <math.h>

FMI2_EXPORT fmi2ModeType fmi2EnterEventMode;
fmi2Status fmi2EnterEventMode(fmi2Component component) {
    return (fmi2Status)linnet_fmu_enter_events(component);
}

FMI2_EXPORT fmi2NewDiscreteStatesType fmi2NewDiscreteStates;
fmi2Status fmi2NewDiscreteStates(fmi2Component component, fmi2EventInfo *info) {
    double next = (double)INFINITY;
    int changed = 0;
    const linnet_fmu_status status = linnet_fmu_happen(component, &changed, &next);
    info->newDiscreteStatesNeeded = fmi2False;
    info->terminateSimulation = linnet_fmu_ended(component);
    info->nominalsOfContinuousStatesChanged = fmi2False;
    info->valuesOfContinuousStatesChanged = changed;
    info->nextEventTimeDefined = isfinite(next) != 0;
    info->nextEventTime = isfinite(next) ? next : 0;
    return (fmi2Status)status;
}

FMI2_EXPORT fmi2ModeType fmi2EnterContinuousTimeMode;
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component component) {
    return (fmi2Status)linnet_fmu_go_on(component);
}

FMI2_EXPORT fmi2CompletedIntegratorStepType fmi2CompletedIntegratorStep;
fmi2Status fmi2CompletedIntegratorStep(fmi2Component component, fmi2Boolean no_return,
                                       fmi2Boolean *enter_event_mode, fmi2Boolean *terminate) {
    (void)no_return;
    *enter_event_mode = fmi2False;
    *terminate = linnet_fmu_ended(component);
    return fmi2OK;
}

FMI2_EXPORT fmi2SetTimeType fmi2SetTime;
fmi2Status fmi2SetTime(fmi2Component component, fmi2Real time) {
    return (fmi2Status)linnet_fmu_set_time(component, time);
}

FMI2_EXPORT fmi2SetContinuousStatesType fmi2SetContinuousStates;
fmi2Status fmi2SetContinuousStates(fmi2Component component, const fmi2Real x[], size_t count) {
    return (fmi2Status)linnet_fmu_set_states(component, x, count);
}

FMI2_EXPORT fmi2GetNumbersType fmi2GetDerivatives;
fmi2Status fmi2GetDerivatives(fmi2Component component, fmi2Real values[], size_t count) {
    return (fmi2Status)linnet_fmu_get_rates(component, values, count);
}

FMI2_EXPORT fmi2GetNumbersType fmi2GetEventIndicators;
fmi2Status fmi2GetEventIndicators(fmi2Component component, fmi2Real values[], size_t count) {
    return (fmi2Status)linnet_fmu_get_indicators(component, values, count);
}

FMI2_EXPORT fmi2GetNumbersType fmi2GetContinuousStates;
fmi2Status fmi2GetContinuousStates(fmi2Component component, fmi2Real values[], size_t count) {
    return (fmi2Status)linnet_fmu_get_states(component, values, count);
}

FMI2_EXPORT fmi2GetNumbersType fmi2GetNominalsOfContinuousStates;
fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component component, fmi2Real values[],
                                             size_t count) {
    return (fmi2Status)linnet_fmu_get_nominals(component, values, count);
}
