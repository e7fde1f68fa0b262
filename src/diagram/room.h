/* SPDX-License-Identifier: MIT */
/* Private to the room `diagram`: the steps from a model to a drawing, in their order. */
#ifndef LN_DIAGRAM_ROOM_H
#define LN_DIAGRAM_ROOM_H

#include "blocks/catalogue.h"
#include "diagram/drawing.h"

/* ---- gather.c: the model's blocks and links, as parts without pins' places, and nets ---- */
linnet_status ln_gather(ln_drawing *drawing, const ln_model *model, const ln_drawing_wish *wish,
                        ln_catalogue *catalogue, ln_report *report);

/* ---- face.c ---- */
/* Symbol, places of pins, strokes and labels of a part, unturned. 0 when memory is short. */
int ln_face_make(ln_drawing *drawing, ln_drawn_part *part, const ln_type *type);
/* Turns pins and body; labels are placed for how it stands now. */
int ln_face_turn(ln_drawing *drawing, ln_drawn_part *part, int turn, int mirrored);
/* What a label takes, from the part's middle. */
ln_box ln_label_box(const ln_label *label);
/* The value of a parameter as a reader likes it: "1 k\u03A9". */
const char *ln_value_text(ln_arena *arena, const char *written, const char *unit);
/* Characters of UTF-8 text, without markup. */
int ln_width_of(const char *text);

/* ---- orient.c: which way each part stands ---- */
int ln_orient(ln_drawing *drawing, int *depth);

/* ---- place.c, adjust.c, fold.c ---- */
linnet_status ln_place_parts(ln_drawing *drawing, ln_report *report);
void ln_adjust_parts(ln_drawing *drawing);
void ln_fold_parts(ln_drawing *drawing);
/* Puts references at the pins they belong to, and outlines around their parts. */
void ln_attach_marks(ln_drawing *drawing);
int ln_boxes_meet(ln_box a, ln_point_xy at, ln_box b, ln_point_xy bt, int space);

/* ---- route.c ---- */
linnet_status ln_route(ln_drawing *drawing, ln_report *report);
/* The point of a pin in the picture. */
ln_point_xy ln_pin_at(const ln_drawn_part *part, const ln_pin *pin);

/* ---- stroke.c ---- */
/* Calls `visit` for each command of a path with its points turned and mirrored; O gives its middle
 * and radius. */
typedef struct ln_stroke {
    char command; /* M L C Z O */
    double x[3], y[3], r;
} ln_stroke;
void ln_stroke_walk(const char *path, int turn, int mirrored,
                    void (*visit)(void *context, const ln_stroke *stroke), void *context);
ln_box ln_stroke_box(const char *path, int turn, int mirrored);
/* A mark for a reference: the strokes of its symbol from the pin, and how they are turned. */
const ln_symbol *ln_mark_of(linnet_domain domain);
/* How a mark at the pin is turned, and where its middle is: a ground hangs below, a wall stands
 * across. */
int ln_mark_place(const ln_pin *pin, ln_point_xy at, ln_point_xy *middle);
extern const int ln_heading_x[4], ln_heading_y[4];

/* ---- highlight.c ---- */
linnet_status ln_highlight_loops(ln_drawing *drawing, const ln_model *model,
                                 const ln_drawing_wish *wish, ln_report *report);

#endif
