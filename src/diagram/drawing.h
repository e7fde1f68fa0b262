/* SPDX-License-Identifier: MIT */
/* A model as a picture: blocks with their symbols placed, links routed as wires.
 *
 * ln_drawing_make() goes from a model's tree to a drawing: parts and nets are gathered, oriented,
 * placed by Graphviz and a descent that straightens wires, and routed on a grid; writers turn the
 * drawing into SVG or TikZ. The tree is taken as it is: a model with errors, ports that join
 * nothing and types that do not exist are drawn as far as they can be told, so that an editor can
 * show a model half made.
 *
 * All lengths are pixels of the picture, x to the right, y downwards; ports, corners and middles of
 * parts lie on a grid of LN_GRID. */
#ifndef LN_DIAGRAM_DRAWING_H
#define LN_DIAGRAM_DRAWING_H

#include "base/arena.h"
#include "diagram/symbol.h"
#include "model/model.h"
#include <linnet/block.h>

typedef struct ln_text ln_text;

enum { LN_GRID = 10, LN_MOST_PARTS = 3000 };

typedef enum ln_heading { LN_EAST, LN_SOUTH, LN_WEST, LN_NORTH } ln_heading;

typedef struct ln_point_xy {
    int x, y;
} ln_point_xy;

typedef struct ln_box {
    int x0, y0, x1, y1;
} ln_box;

/* What is drawn at a pin in place of a wire. */
typedef enum ln_mark {
    LN_MARK_NONE,
    LN_MARK_REFERENCE, /* the symbol of a ground or the like */
    LN_MARK_BLOCK,     /* the same, as the block itself */
    LN_MARK_SUPPLY,    /* a bar with the link's name */
    LN_MARK_FLAG       /* the link's name: nothing else joins it */
} ln_mark;

/* Where a part's link is joined. */
typedef struct ln_pin {
    const char *port; /* "in", "in[2]" of a port that takes many */
    linnet_domain domain;
    unsigned flags;     /* of linnet_port */
    int net;            /* -1: it joins nothing */
    int x, y;           /* from the part's middle, as it is turned */
    ln_heading way;     /* the side it leaves to */
    int base_x, base_y; /* the same, unturned */
    ln_heading base_way;
    int placed, left; /* while the part is laid out */
    const char *sign; /* "+" or "-" of an input of a sum, a port's name in a box, or NULL */
    ln_mark marked;
    int mark_width; /* of its words, in pixels */
} ln_pin;

/* Words beside a part or in it. */
typedef enum ln_role { LN_ROLE_NAME, LN_ROLE_VALUE, LN_ROLE_INSIDE, LN_ROLE_PORT } ln_role;
typedef struct ln_label {
    const char *text; /* UTF-8; ^ raises what follows it, up to a blank or in braces */
    ln_role role;
    int x, y;  /* of the anchor on the baseline, from the part's middle */
    int align; /* -1: begins there, 0: in the middle, 1: ends there */
} ln_label;

typedef struct ln_drawn_part {
    const char *name; /* full id: "R1", "R[3]", "motor.R1" where components are drawn inside */
    const char *type;
    const char *doc;         /* of the type, or NULL */
    ln_place place;          /* where it is written */
    const ln_symbol *symbol; /* NULL: a box */
    int is_component;
    int is_reference; /* it holds its link at zero */
    ln_point_xy hint; /* where Graphviz would put it */
    int placed;
    ln_pin *pins;
    int npins;
    int turn;                              /* quarters of a turn clockwise */
    int mirrored;                          /* left and right exchanged, before it is turned */
    const char *frame;                     /* a path that is neither turned nor mirrored, or NULL */
    ln_box body;                           /* its strokes, from its middle */
    ln_box room;                           /* with labels and marks */
    const char *above, *below, *numerator; /* what stands inside */
    const char *value;                     /* beside it, or NULL */
    int borrows; /* the symbol is that of a type with other names of ports */
    ln_label labels[4];
    int nlabels;
    ln_point_xy at;      /* its middle */
    int fixed;           /* the model says where */
    int own_turn;        /* the model says how it is turned */
    int at_pin, at_part; /* a reference drawn at a pin of another part; -1 */
    int frames;          /* index of the component's frame it stands in, -1 */
    int loop;            /* 1, 2, ...: the first feedback loop it lies in; 0: none, or not asked */
    const ln_element *element;
} ln_drawn_part;

typedef struct ln_end_of_net {
    int part, pin;
} ln_end_of_net;

typedef struct ln_segment {
    ln_point_xy a, b; /* horizontal or vertical */
} ln_segment;

typedef struct ln_net {
    const char *name; /* full name of the link */
    int line;         /* where it is first named */
    linnet_domain domain;
    int reference; /* of a ground or the like: marks in place of wires */
    int supply;    /* 1 a supply above the reference, -1 below it: marks too */
    ln_end_of_net *ends;
    int nends;
    ln_segment *wires;
    int nwires;
    ln_point_xy *dots; /* where three or more meet */
    int ndots;
    int *flags; /* ends that bear the link's name in place of a wire */
    int nflags;
    ln_point_xy name_at; /* of its name, where there is room for it */
    int shows_name;
    int loop;
} ln_net;

/* The outline of a component whose inside is drawn. */
typedef struct ln_outline {
    const char *name, *type;
    int line;
    ln_box box;
    int outer; /* -1 */
} ln_outline;

typedef struct ln_drawing {
    ln_arena *arena;
    struct ln_catalogue *catalogue; /* names of ports are its own */
    const char *title;
    ln_drawn_part *parts;
    int nparts;
    ln_net *nets;
    int nnets;
    ln_outline *outlines;
    int noutlines;
    int nloops; /* that are told apart by colour */
    ln_box box; /* all of it */
} ln_drawing;

typedef struct ln_drawing_wish {
    int expand;                               /* components are drawn inside, not as boxes */
    int loops;                                /* feedback loops are coloured */
    const char *const *names, *const *values; /* parameters set: --set */
    int nsettings;
} ln_drawing_wish;

/* The drawing of a model, the caller's, to be freed by ln_drawing_free(). LINNET_MODEL where the
 * model has errors, which are reported: *drawing then shows what could be told, and is NULL for
 * more than LN_MOST_PARTS blocks. LINNET_IO, with NULL, where Graphviz is missing and blocks have
 * no place of their own. The model must outlive the drawing. */
linnet_status ln_drawing_make(const ln_model *model, const ln_drawing_wish *wish, ln_report *report,
                              ln_drawing **drawing);
void ln_drawing_free(ln_drawing *drawing);

/* The drawing as an SVG document with light and dark looks. Each block is one element
 * <g class="block" id="block-NAME" data-block="NAME" data-type data-line>, with an element
 * data-port="PORT" at each of its ports; each link one <g class="link" id="link-NAME"
 * data-link="NAME">; a block's transform is translate(x,y) of its middle. `part`: without the XML
 * declaration, to stand in a page. */
void ln_drawing_svg(const ln_drawing *drawing, int part, ln_text *out);
/* The drawing as a TikZ picture; a document of its own (class standalone). */
void ln_drawing_tikz(const ln_drawing *drawing, ln_text *out);

#endif
