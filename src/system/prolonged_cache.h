/* SPDX-License-Identifier: MIT */
/* Private to system/prolonged: what is kept from one consistent point to the next. */
#ifndef LN_SYSTEM_PROLONGED_CACHE_H
#define LN_SYSTEM_PROLONGED_CACHE_H

#include "system/prolonged.h"

/* cache->E and A become those of the last ln_system_eval(). LINNET_MEMORY is not reported. */
linnet_status ln_prolonged_sort_by_rows(ln_prolonged_cache *cache, const ln_system *system);
/* E, A, leaks and the structure at x (n values): that of the last point, if it is the same.
 * LINNET_RETRY: the equations are singular, or a block has no value there. LINNET_MEMORY. */
linnet_status ln_prolonged_take_structure(ln_prolonged_cache *cache, ln_system *system,
                                          const ln_consistency_conditions *given, const double *x);
/* The derivatives of the rows that the structure wants: those of the last point, if they are the
 * same. LINNET_MEMORY is not reported. */
linnet_status ln_prolonged_take_derivatives(ln_prolonged_cache *cache, ln_system *system);
void ln_prolonged_forget_factors(ln_prolonged_cache *cache);
void ln_prolonged_forget_structure(ln_prolonged_cache *cache);

#endif
