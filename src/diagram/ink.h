/* SPDX-License-Identifier: MIT */
/* Private to the room `diagram`: a drawing as a sequence of strokes and words, whatever language
 * they are written in. */
#ifndef LN_DIAGRAM_INK_H
#define LN_DIAGRAM_INK_H

#include "diagram/room.h"

typedef enum ln_style {
    LN_STYLE_SYMBOL, /* strokes of a symbol */
    LN_STYLE_SOLID,  /* filled */
    LN_STYLE_FRAME,  /* the outline of a box, with its ground */
    LN_STYLE_WIRE,
    LN_STYLE_ARROW,   /* where a signal enters, and dots */
    LN_STYLE_OUTLINE, /* of a component drawn inside */
    LN_STYLE_OPEN     /* a port that joins nothing */
} ln_style;

/* What a group of strokes belongs to. */
typedef struct ln_group {
    const ln_drawn_part *part; /* one of these three, others NULL */
    const ln_net *net;
    const ln_outline *outline;
    ln_point_xy at; /* strokes count from here */
    int loop;
} ln_group;

typedef struct ln_ink {
    void (*begin)(void *context, const ln_group *group);
    void (*end)(void *context);
    void (*path)(void *context, ln_style style, const char *path, int turn, int mirrored);
    /* role LN_ROLE_...; -1: the name of a link */
    void (*words)(void *context, int role, int x, int y, int align, const char *text);
    void (*port)(void *context, const ln_pin *pin, int x, int y);
} ln_ink;

/* Draws all: outlines, links, blocks. `scratch` for short texts. */
void ln_ink_draw(const ln_drawing *drawing, const ln_ink *ink, void *context);

#endif
