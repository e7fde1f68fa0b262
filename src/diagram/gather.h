/* SPDX-License-Identifier: MIT */
/* Private to the room `diagram`: a model's elements on their way to parts and nets. */
#ifndef LN_DIAGRAM_GATHER_H
#define LN_DIAGRAM_GATHER_H

#include "diagram/room.h"
#include "model/scope.h"
#include "base/text.h"
#include "blocks/catalogue.h"

/* A link's name while the model is walked; names of one link share a root. */
typedef struct ln_thread {
    const char *name;
    int line;
    int parent;
} ln_thread;

/* An end of a <link> element, at a block of the same level. */
typedef struct ln_loose_end {
    const char *block, *port;
    int thread;
} ln_loose_end;

/* The model, or the inside of a component that is drawn. */
typedef struct ln_scene {
    const struct ln_scene *outer;
    const ln_body *body;
    const char *prefix; /* "motor." */
    ln_scope *scope;
    const ln_pin *ports; /* of the component: inside, a port's name is the link it joins */
    int nports;
    int outline; /* -1 */
    ln_loose_end *ends;
    size_t nends, ends_room;
} ln_scene;

typedef struct ln_gathering {
    ln_drawing *drawing;
    ln_arena *arena;
    const ln_model *model;
    const ln_drawing_wish *wish;
    ln_catalogue *catalogue;
    ln_report *report, *silent;
    ln_drawn_part *parts;
    size_t nparts, parts_room;
    ln_thread *threads;
    size_t nthreads, threads_room;
    ln_outline *outlines;
    size_t noutlines, outlines_room;
    ln_map *thread_map, *part_map; /* by full names */
    linnet_status status;
    int repeats; /* turns taken */
} ln_gathering;

/* ---- gather_names.c ---- */
/* The scope of the model, or of a component's instance; parameters that cannot be evaluated stay
 * out. */
ln_scope *ln_scene_scope(ln_gathering *g, const ln_body *body, const ln_element *instance,
                         ln_scope *outer);
/* A name with its indices as numbers; as it is written where they cannot be told. */
const char *ln_scene_spell(ln_gathering *g, const ln_scene *scene, const char *text);
/* The thread of a name of `length` bytes; -1 when memory is short. */
int ln_thread_named(ln_gathering *g, const ln_scene *scene, const char *text, size_t length,
                    int line);
int ln_thread_root(ln_gathering *g, int thread);
void ln_thread_join(ln_gathering *g, int a, int b);
/* Names such as plant.out and x[2] joined with what they stand for; threads become nets. */
linnet_status ln_threads_make_nets(ln_gathering *g);

/* ---- gather_pins.c ---- */
/* The part's pins from its attributes and the scene's <link>s. 0 when memory is short. */
int ln_gather_pins(ln_gathering *g, const ln_scene *scene, ln_drawn_part *part,
                   const ln_type *type);

#endif
