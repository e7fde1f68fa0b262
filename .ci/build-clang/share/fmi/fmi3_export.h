/* SPDX-License-Identifier: MIT */
/* Private to fmi3.c and fmi3_exchange.c: functions that the library shows. */
#ifndef LINNET_FMI3_EXPORT_H
#define LINNET_FMI3_EXPORT_H

#include "fmi3.h"
#include "fmu.h"

#ifdef _WIN32
#define FMI3_EXPORT __declspec(dllexport) extern
#elif defined __GNUC__
#define FMI3_EXPORT __attribute__((visibility("default"))) extern
#else
#define FMI3_EXPORT extern
#endif

#endif
