/* SPDX-License-Identifier: MIT */
/* Private to the room `diagram`: the words of a part. */
#ifndef LN_DIAGRAM_FACE_H
#define LN_DIAGRAM_FACE_H

#include "diagram/room.h"

/* What stands above and below the line of a transfer function; 0 for other types. */
int ln_face_fraction(ln_arena *arena, const ln_drawn_part *part, const char **above,
                     const char **below);
/* The first values that the block gives, `shown` of them, as one text; NULL when it gives none. */
const char *ln_face_value(ln_arena *arena, const ln_drawn_part *part,
                          const linnet_block_class *face, int shown, int with_names);

#endif
