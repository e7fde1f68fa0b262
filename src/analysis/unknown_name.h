/* SPDX-License-Identifier: MIT */
/* What is said about a name that a user gives and that means nothing. */
#ifndef LN_ANALYSIS_UNKNOWN_NAME_H
#define LN_ANALYSIS_UNKNOWN_NAME_H

#include "network/network.h"

/* Reports that there is no such name, and what there is: the block's own names, the nearest one
 * (NULL: none), the links. LINNET_MODEL. */
linnet_status ln_tell_unknown_name(const ln_network *network, ln_report *report, const char *name,
                                   const char *nearest, ln_place place);

#endif
