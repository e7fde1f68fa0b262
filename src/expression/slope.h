/* SPDX-License-Identifier: MIT */
/* How steeply an expression can rise or fall with a variable, whatever all its leaves are: by
 * interval arithmetic on the graph (R. E. Moore, Interval Analysis, 1966), with conditions used
 * where they stand, so that the two sides of n*abs(n), a saturation, a relay or a table are told
 * from each other. A jump counts as a slope without bound. */
#ifndef LN_EXPRESSION_SLOPE_H
#define LN_EXPRESSION_SLOPE_H

#include "expression/interval.h"

/* Bounds of d node/d variable (an UNKNOWN leaf). Parameters are values p[]; conditionals must stand
 * as such (no modes). What stands below DER does not count; a delay passes its input on. Wider than
 * the truth where the same quantity stands in several places, LN_ANYTHING where the way is too
 * long. Builds nodes in the graph. */
ln_interval ln_slope_bounds(ln_graph *graph, ln_node node, ln_node variable, const double *p);

#endif
