/* SPDX-License-Identifier: MIT */
/* Private to fmi2.c and fmi2_exchange.c: functions that the library shows. */
#ifndef LINNET_FMI2_EXPORT_H
#define LINNET_FMI2_EXPORT_H

#include "fmi2.h"
#include "fmu.h"

#ifdef _WIN32
#define FMI2_EXPORT __declspec(dllexport) extern
#elif defined __GNUC__
#define FMI2_EXPORT __attribute__((visibility("default"))) extern
#else
#define FMI2_EXPORT extern
#endif

#endif
