/* SPDX-License-Identifier: MIT */
/* Private to the room: parameters of the instance at hand, in build->values, as instance.c asks for
 * them. */
#ifndef LN_NETWORK_VALUES_H
#define LN_NETWORK_VALUES_H

#include "network/flatten.h"

/* build->values anew, with room for so many parameters; 0 when memory is short (told). */
int ln_values_grow(ln_build *build, int room);
/* What the command line says takes the place of what is written. */
void ln_values_take_overrides(ln_build *build, const ln_kind *kind,
                              const ln_raw_instance *instance);
/* Evaluates parameter k and checks it: a number, a list, a list in place of a number, a text.
 * Errors are reported. */
linnet_status ln_values_take(ln_build *build, const ln_raw_instance *instance, const ln_kind *kind,
                             int k);
/* Then the defaults that name other parameters of the instance; scratch memory from the arena. */
linnet_status ln_values_take_dependent(ln_build *build, const ln_raw_instance *instance,
                                       const ln_kind *kind, ln_arena *arena);

#endif
