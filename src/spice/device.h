/* SPDX-License-Identifier: MIT */
/* Private to the room `spice`: which block type a semiconductor card of SPICE is, by its letter and
 * its model's level, and how SPICE's names of parameters lead to those of the type. */
#ifndef LN_SPICE_DEVICE_H
#define LN_SPICE_DEVICE_H

#include "spice/deck.h"

#include <linnet/block.h>

/* A letter at a level. Lists of words hold blanks between them. */
typedef struct ln_device_row {
    char letter;
    int level;
    const linnet_block_class *type;
    const char *kinds[2]; /* of .model; two: said to the block as its type */
    int least, most;      /* nodes, the first ports of the type */
    const linnet_alias *other_names;
    int nother_names;
    const char *not_of_model; /* parameters of the type that no .model of this level gives */
    const char *absent;       /* without effect when zero, refused otherwise */
    const char *other;     /* of other levels: by SPICE's definition without effect at this one */
    const char *card;      /* parameters of the card */
    const char *starts[4]; /* what ic= gives, in SPICE's order */
} ln_device_row;

/* The row of a letter at its first level; NULL: no semiconductor has this letter. */
const ln_device_row *ln_device_of_letter(char letter);
/* The row of the same letter for the model's level; NULL, reported: it has no equations here. */
const ln_device_row *ln_device_of_level(const ln_cursor *cursor, const ln_device_row *first,
                                        const ln_spice_model *model);

/* Does the list hold the word? */
int ln_is_listed(const char *list, const char *word);
/* The type's parameter that is the word in capitals; NULL: it has none. */
const char *ln_parameter_of_type(const ln_device_row *row, const char *word);
/* The type's parameter that a word of .model sets; NULL: there is none. */
const char *ln_parameter_of_model(const ln_device_row *row, const char *word);

#endif
