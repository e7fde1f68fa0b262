/* SPDX-License-Identifier: MIT */
/* SPICE netlists as models: a second reader beside the XML one, in ngspice's dialect. What it makes
 * is an ordinary model, flat, with the places of the deck; nothing above knows the difference. */
#ifndef LN_SPICE_SPICE_H
#define LN_SPICE_SPICE_H

#include "model/model.h"

/* A deck, from its file or from the options' bytes, as an ln_tree_maker (model.h). */
const ln_element *ln_deck_tree(ln_reader *reader, ln_arena *arena, const char *path,
                               ln_report *report, linnet_status *status);

#endif
