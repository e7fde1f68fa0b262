/* SPDX-License-Identifier: MIT */
/* The native block types as a table, from the list in native.h; the catalogue reads it once. */
#include "blocks/native/native.h"

#include "blocks/native/device.h"

#define LN_ADDRESS(name) &ln_##name##_class,
const linnet_block_class *const ln_native_classes[] = {LN_NATIVES(LN_ADDRESS) NULL};

int ln_native_carried(const linnet_block_class *type, ln_carried *carried) {
    return ln_device_carried(type, carried) || ln_diode_carried(type, carried);
}
