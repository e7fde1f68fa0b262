/* SPDX-License-Identifier: MIT */
/* Mathematical constants that C11's <math.h> does not have. */
#ifndef LN_BASE_CONSTANTS_H
#define LN_BASE_CONSTANTS_H

#define LN_PI 3.14159265358979323846

#endif
