/* SPDX-License-Identifier: MIT */
/* Private to blocks/fmu: the functions of an FMU's library, by version, as members of a struct. */
#ifndef LN_BLOCKS_FMU_FMU_CALLS_H
#define LN_BLOCKS_FMU_FMU_CALLS_H

#include "blocks/fmu/fmu_instance.h"

#include <fmi/fmi2.h>
#include <fmi/fmi3.h>

/* X(type, name) */
#define LN_FMI2_CALLS(X)                            \
    X(fmi2InstantiateType, fmi2Instantiate)         \
    X(fmi2FreeInstanceType, fmi2FreeInstance)       \
    X(fmi2SetupExperimentType, fmi2SetupExperiment) \
    X(fmi2ModeType, fmi2EnterInitializationMode)    \
    X(fmi2ModeType, fmi2ExitInitializationMode)     \
    X(fmi2ModeType, fmi2Terminate)                  \
    X(fmi2GetRealType, fmi2GetReal)                 \
    X(fmi2SetRealType, fmi2SetReal)                 \
    X(fmi2GetIntegerType, fmi2GetInteger)           \
    X(fmi2SetIntegerType, fmi2SetInteger)           \
    X(fmi2GetBooleanType, fmi2GetBoolean)           \
    X(fmi2SetBooleanType, fmi2SetBoolean)           \
    X(fmi2DoStepType, fmi2DoStep)                   \
    X(fmi2GetBooleanStatusType, fmi2GetBooleanStatus)
#define LN_FMI3_CALLS(X)                                            \
    X(fmi3InstantiateCoSimulationType, fmi3InstantiateCoSimulation) \
    X(fmi3FreeInstanceType, fmi3FreeInstance)                       \
    X(fmi3EnterInitializationModeType, fmi3EnterInitializationMode) \
    X(fmi3ModeType, fmi3ExitInitializationMode)                     \
    X(fmi3ModeType, fmi3Terminate)                                  \
    X(fmi3DoStepType, fmi3DoStep)                                   \
    X(fmi3GetFloat64Type, fmi3GetFloat64)                           \
    X(fmi3SetFloat64Type, fmi3SetFloat64)                           \
    X(fmi3GetFloat32Type, fmi3GetFloat32)                           \
    X(fmi3SetFloat32Type, fmi3SetFloat32)                           \
    X(fmi3GetInt8Type, fmi3GetInt8)                                 \
    X(fmi3SetInt8Type, fmi3SetInt8)                                 \
    X(fmi3GetUInt8Type, fmi3GetUInt8)                               \
    X(fmi3SetUInt8Type, fmi3SetUInt8)                               \
    X(fmi3GetInt16Type, fmi3GetInt16)                               \
    X(fmi3SetInt16Type, fmi3SetInt16)                               \
    X(fmi3GetUInt16Type, fmi3GetUInt16)                             \
    X(fmi3SetUInt16Type, fmi3SetUInt16)                             \
    X(fmi3GetInt32Type, fmi3GetInt32)                               \
    X(fmi3SetInt32Type, fmi3SetInt32)                               \
    X(fmi3GetUInt32Type, fmi3GetUInt32)                             \
    X(fmi3SetUInt32Type, fmi3SetUInt32)                             \
    X(fmi3GetInt64Type, fmi3GetInt64)                               \
    X(fmi3SetInt64Type, fmi3SetInt64)                               \
    X(fmi3GetUInt64Type, fmi3GetUInt64)                             \
    X(fmi3SetUInt64Type, fmi3SetUInt64)                             \
    X(fmi3GetBooleanType, fmi3GetBoolean)                           \
    X(fmi3SetBooleanType, fmi3SetBoolean)

#define LN_FMI_MEMBER(type, name) type *name;
typedef struct ln_fmi2_calls {
    LN_FMI2_CALLS(LN_FMI_MEMBER)
} ln_fmi2_calls;
typedef struct ln_fmi3_calls {
    LN_FMI3_CALLS(LN_FMI_MEMBER)
} ln_fmi3_calls;

struct ln_fmu_library {
    ln_arena *arena;
    const char *path, *folder; /* of the FMU; where it is unpacked, NULL: not yet */
    const char **made;         /* files and folders that were made, in order */
    size_t nmade, made_room;
    ln_fmi_description about;
    const char *resources; /* as the version wants it: a URI, or a path */
    int instances;
    ln_fmi2_calls two; /* those of the version at hand */
    ln_fmi3_calls three;
};

#endif
