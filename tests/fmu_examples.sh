#!/bin/sh
# SPDX-License-Identifier: MIT
# Ten examples as FMUs beside the simulation; tests/fmu_all.sh takes all.
FMU_EXAMPLES=ten
export FMU_EXAMPLES
. "${srcdir:-.}/tests/fmu_all.sh"
