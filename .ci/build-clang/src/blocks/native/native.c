/* SPDX-License-Identifier: MIT */
/* The native block types as a table, from the list in native.h; the catalogue reads it once. */
#include "blocks/native/native.h"

#define LN_ADDRESS(name) &ln_##name##_class,
const linnet_block_class *const ln_native_classes[] = {LN_NATIVES(LN_ADDRESS) NULL};
