/* SPDX-License-Identifier: MIT */
/* A model in any of the languages that Linnet reads, and which one a file is written in. */
#ifndef LN_READING_OPEN_H
#define LN_READING_OPEN_H

#include "model/model.h"

/* Reads a model. Vibesim's and obliq-2's diagrams are known by their suffix (.yaml .yml .json), a
 * SPICE deck by its suffix (.cir .sp .spi .spice .ckt .net, .asc of LTspice's schematics) or, for
 * any other suffix but .xml, by a first character other than '<'. "-" is the standard input. A pipe
 * is read once; what its model includes is looked for in the current folder. Otherwise as
 * ln_model_read(). */
linnet_status ln_model_open(const char *path, const ln_model_options *options, ln_report *report,
                            ln_model **model);

/* Is it a deck, a diagram of another simulator, by its suffix alone? */
int ln_deck_suffix(const char *path);
int ln_diagram_suffix(const char *path);
/* Is it an FMU? It is read as a model of one block, whose code is thereby allowed. */
int ln_fmu_suffix(const char *path);

#endif
