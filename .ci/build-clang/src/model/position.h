/* SPDX-License-Identifier: MIT */
/* Where a block is drawn: the attribute `at` of its element, "x,y" or "x,y,turn". It means nothing
 * to a simulation; a picture and an editor follow it, and every reader and writer keeps it. */
#ifndef LN_MODEL_POSITION_H
#define LN_MODEL_POSITION_H

typedef struct ln_position {
    int x, y;     /* the block's middle in the picture, to the right and downwards */
    int has_turn; /* 0: as it stands best */
    int turn;     /* quarters of a turn, clockwise: 0 to 3 */
    int mirrored; /* left and right exchanged before it is turned: an m behind the turn */
} ln_position;

/* Reads "120,80", "120,80,90" or "120,80,270m". 0 when it is none: anything else, numbers beyond
 * 100 000, turns other than 0, 90, 180 and 270. */
int ln_position_read(const char *text, ln_position *position);

#endif
