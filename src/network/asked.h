/* SPDX-License-Identifier: MIT */
/* Private to the room `network`: which names of values somebody asks for. Some types have states
 * that nothing else needs (the position of a mass), so an instance has one only where it is asked
 * for: where its start value is given, or where a name of it stands in what the model wants to know
 * (<record>, <reference>, <measure>, analyses, ...), on the command line, or in a list of signals
 * of the API. Names are found as words of these texts, for the network they belong to is still
 * being made. A pattern asks for a state when its last part is the state's name ("*.x", not
 * "m1.*"). */
#ifndef LN_NETWORK_ASKED_H
#define LN_NETWORK_ASKED_H

#include "network/flatten.h"

typedef struct ln_asked ln_asked;

/* The states on request of an instance of the kind, whose parameters are at hand (build->values),
 * that it is to have, NULL behind the last; scratch memory. NULL where the type has no such
 * states. */
linnet_status ln_wanted_states(ln_build *build, const ln_kind *kind, const char *instance,
                               const char *const **wanted);
void ln_asked_free(ln_asked *asked);

#endif
