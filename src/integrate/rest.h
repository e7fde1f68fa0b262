/* SPDX-License-Identifier: MIT */
/* Rest at a guard. What slows down as a root of its distance (a tank that runs empty, two that come
 * level, x' = -sign(x) sqrt(|x|)) arrives in finite time and stays: on either side of the guard's
 * zero the equations lead back to it, with slopes without bound. A crossing is located beside the
 * zero, by rounding; from there a method goes on to the other side by as much as its accuracy
 * leaves, and is taken back by the next crossing, without end. So at a crossing a stored unknown
 * that would be at rest at the zero, and is there but for noise, is put onto it. */
#ifndef LN_INTEGRATE_REST_H
#define LN_INTEGRATE_REST_H

#include "integrate/drive.h"

/* Puts run->x, at an instant seen from `side`, to rest where guards have it; returns whether
 * anything has moved. */
int ln_rest_at_guards(ln_drive *d, ln_side side);

#endif
