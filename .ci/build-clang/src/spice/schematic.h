/* SPDX-License-Identifier: MIT */
/* Private to the room `spice`: schematics of LTspice, read into the lines of a deck. */
#ifndef LN_SPICE_SCHEMATIC_H
#define LN_SPICE_SCHEMATIC_H

#include "spice/deck.h"

typedef struct ln_schematic_card {
    int line; /* of the schematic */
    const char *text;
} ln_schematic_card;

/* Zero-initialise; items are released by the caller, texts lie in the deck's arena. */
typedef struct ln_schematic {
    ln_schematic_card *items;
    size_t count, room;
} ln_schematic;

/* Reads the bytes of a schematic; what is wrong is told at its lines. */
void ln_schematic_read(ln_spice *spice, const char *path, const char *bytes, size_t length,
                       ln_schematic *cards);

#endif
