/* SPDX-License-Identifier: MIT */
/* Private to the room `network`: what can be said of single links. */
#ifndef LN_NETWORK_CHECK_H
#define LN_NETWORK_CHECK_H

#include "network/flatten.h"

/* Domains, drivers, loose ends: sets each link's domain. 0 ends the build. */
int ln_check_links(ln_build *build);
/* <start link value>; rank[raw link] is its index in the network. */
int ln_take_guesses(ln_build *build, const int *rank);

#endif
