/* SPDX-License-Identifier: MIT */
/* The block types written in C against <linnet/block.h>: those that need more than equations
 * (limiting, histories). A new type is a file with an object ln_NAME_class and one line here. */
#ifndef LN_BLOCKS_NATIVE_NATIVE_H
#define LN_BLOCKS_NATIVE_NATIVE_H

#include <linnet/block.h>

/* clang-format off */
#define LN_NATIVES(X) \
    X(diode) \
    X(zener_diode) \
    X(spice_diode) \
    X(bjt) \
    X(mosfet) \
    X(jfet) \
    X(transmission_line) \
    X(lossy_line) \
    X(rc_line) \
    X(transport_delay) \
    X(variable_delay)
/* clang-format on */

#define LN_DECLARE_NATIVE(name) extern const linnet_block_class ln_##name##_class;
LN_NATIVES(LN_DECLARE_NATIVE)
#undef LN_DECLARE_NATIVE

/* All of them; NULL behind the last. */
extern const linnet_block_class *const ln_native_classes[];

#endif
