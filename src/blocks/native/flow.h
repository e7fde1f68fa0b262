/* SPDX-License-Identifier: MIT */
/* What a branch of a device carries: what the equations of all devices give. */
#ifndef LN_BLOCKS_NATIVE_FLOW_H
#define LN_BLOCKS_NATIVE_FLOW_H

enum { LN_DEVICE_CONTROLS = 3 };

/* What flows from one node to another (A; C where it stores), and its derivatives to the control
 * voltages. */
typedef struct ln_flow {
    double value, slope[LN_DEVICE_CONTROLS];
} ln_flow;

#endif
