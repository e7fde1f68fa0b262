/* SPDX-License-Identifier: MIT */
/* Schematic symbols: how a block looks, and where its ports are.
 *
 * Two tables say it all (symbols_physical.c, symbols_block.c): a row is a symbol, the types it
 * stands for, its ports and its strokes. A type of the user's own names a symbol by the attribute
 * `symbol`; a type that has none is a box with its name. Strokes are paths in the notation of SVG
 * with absolute coordinates: M x y, L x y, C x y x y x y (a Bezier curve), Z, and O x y r, a
 * circle; # in front: a frame, 40 wide and as high as the inputs ask for. The unit is one pixel of
 * the drawing, x to the right, y downwards, the origin in the middle; ports lie on a grid of ten.
 */
#ifndef LN_DIAGRAM_SYMBOL_H
#define LN_DIAGRAM_SYMBOL_H

#include <stddef.h>

enum {
    LN_SYMBOL_STANDS = 1,  /* a source: drawn upright, first port on top */
    LN_SYMBOL_BLOCK = 2,   /* a block of a diagram: name below, never turned on its side */
    LN_SYMBOL_MARK = 4,    /* a reference: drawn at each port that its link joins */
    LN_SYMBOL_THROUGH = 8, /* a port that is there twice: the link goes through */
    LN_SYMBOL_SUM = 16,    /* inputs around a circle, with signs */
    LN_SYMBOL_VALUE = 32,  /* the first value stands inside, in place of a label */
    LN_SYMBOL_FLIPS = 256, /* a transistor: top and bottom change places for a supply above */
    LN_SYMBOL_BOX = 128,   /* a box with the label in it */
    LN_SYMBOL_FIXED = 64 /* neither turned nor mirrored: its ports differ in more than their side */
};

typedef struct ln_symbol {
    const char *name;
    const char *types;   /* built-in types drawn so, separated by blanks */
    const char *when;    /* "type=pnp": only with this value of an attribute; NULL: always */
    const char *pins;    /* "p -30 0 n 30 0" */
    const char *lines;   /* strokes */
    const char *solid;   /* filled outlines, or NULL */
    const char *upright; /* strokes that do not turn with the symbol, or NULL */
    const char *label;   /* text in the middle, or NULL */
    int shown;           /* how many values stand beside it */
    unsigned flags;
} ln_symbol;

/* The symbol of a built-in type; `attribute` gives the value of an attribute of the block, or NULL.
 * NULL: the type is drawn as a box. O(symbols). */
const ln_symbol *ln_symbol_of(const char *type,
                              const char *(*attribute)(const void *block, const char *name),
                              const void *block);
/* The symbol of that name, or NULL. */
const ln_symbol *ln_symbol_named(const char *name);
/* All names, 0-based; NULL behind the last. */
const char *ln_symbol_name(int index);

#endif
