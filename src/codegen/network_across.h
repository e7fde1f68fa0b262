/* SPDX-License-Identifier: MIT */
/* Differences of potentials in the place of potentials, where devices read nothing else
 * (network_across.c). Unknowns of the code are those of the network and, behind them, these. */
#ifndef LN_CODEGEN_NETWORK_ACROSS_H
#define LN_CODEGEN_NETWORK_ACROSS_H

#include "codegen/network_plan.h"

/* What a device's node is that is a reference, or the one from which others are counted. */
enum { LN_SEEN_AS_ZERO = -1 };

/* Finds out->across and out->seen_as, and makes members of them. LINNET_MEMORY is reported. */
linnet_status ln_network_find_across(ln_plan *plan, ln_network_plan *out);

/* The unknown of the code that a node of a device is for it, or LN_SEEN_AS_ZERO. */
int ln_network_seen(const ln_plan *plan, const ln_network_device *device, int node);

/* The value of an unknown of the code, from those of the network. */
double ln_network_value(const ln_plan *plan, const double *x, int unknown);

#endif
