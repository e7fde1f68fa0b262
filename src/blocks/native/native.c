/* SPDX-License-Identifier: MIT */
/* The list of native block types; the catalogue reads it once. */
#include "blocks/native/native.h"

const linnet_block_class *const ln_native_classes[] = {
    &ln_diode_class,
    &ln_zener_diode_class,
    &ln_spice_diode_class,
    &ln_bjt_class,
    &ln_mosfet_class,
    &ln_jfet_class,
    &ln_transmission_line_class,
    &ln_lossy_line_class,
    &ln_rc_line_class,
    &ln_transport_delay_class,
    &ln_variable_delay_class,
    NULL,
};
