/* SPDX-License-Identifier: MIT */
/* The flattened network as a model file: blocks and links under their full names, parameters as
 * numbers with units. */
#ifndef LN_NETWORK_FLAT_H
#define LN_NETWORK_FLAT_H

#include "base/arena.h"
#include "network/network.h"

typedef struct ln_text ln_text;

/* Appends the file. Its root says flat="yes": there names are taken as they are, dots and brackets
 * with them. What the model says about its run, record and references stands in it unchanged; names
 * that belong to a component itself (its ports and parameters) are gone. out->failed: memory was
 * short. */
void ln_flat_print(const ln_network *network, ln_text *out);

#endif
