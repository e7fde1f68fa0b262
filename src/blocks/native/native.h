/* SPDX-License-Identifier: MIT */
/* The block types written in C against <linnet/block.h>: those that need more than equations
 * (limiting, histories). One file per family; a new type is one object and one line in native.c. */
#ifndef LN_BLOCKS_NATIVE_NATIVE_H
#define LN_BLOCKS_NATIVE_NATIVE_H

#include <linnet/block.h>

extern const linnet_block_class ln_diode_class;
extern const linnet_block_class ln_zener_diode_class;
extern const linnet_block_class ln_spice_diode_class;
extern const linnet_block_class ln_bjt_class;
extern const linnet_block_class ln_mosfet_class;
extern const linnet_block_class ln_jfet_class;
extern const linnet_block_class ln_transmission_line_class;
extern const linnet_block_class ln_lossy_line_class;
extern const linnet_block_class ln_rc_line_class;
extern const linnet_block_class ln_transport_delay_class;
extern const linnet_block_class ln_variable_delay_class;

/* All of them; NULL behind the last. */
extern const linnet_block_class *const ln_native_classes[];

#endif
