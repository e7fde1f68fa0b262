/* SPDX-License-Identifier: MIT */
/* SPICE netlists as models: a second reader beside the XML one, in ngspice's dialect. What it makes
 * is an ordinary model, flat, with the places of the deck; nothing above knows the difference. */
#ifndef LN_SPICE_SPICE_H
#define LN_SPICE_SPICE_H

#include "model/model.h"

/* Reads a model in either language: a deck is known by its suffix (.cir .sp .spi .spice .ckt .net)
 * or, for any suffix but .xml, by a first character other than '<'. "-" is the standard input. A
 * pipe is read once; what its model includes is looked for in the current folder. Otherwise as
 * ln_model_read(). */
linnet_status ln_model_open(const char *path, const ln_model_options *options, ln_report *report,
                            ln_model **model);

/* Is it a deck, by its suffix alone? */
int ln_deck_suffix(const char *path);

#endif
