/* SPDX-License-Identifier: MIT */
/* An order of elimination for long chains that a processor can work on from two ends. */
#ifndef LN_LINEAR_TWISTED_ORDER_H
#define LN_LINEAR_TWISTED_ORDER_H

/* order: the n columns of a square pattern (compressed columns; its structure is taken as
 * symmetric) in the order of elimination. Where each elimination waits for the one before, its
 * second half is turned round if that costs no fill. Returns 1 if so, 0 if not, -1 when
 * memory is short. Costs O(entries of the factors), and only where these are few. */
int ln_twisted_order(int n, const int *start, const int *row, int *order);

#endif
