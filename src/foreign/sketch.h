/* SPDX-License-Identifier: MIT */
/* A block diagram as other simulators store it: parts with numbered inputs and outputs, wires
 * between them, labels that join what bears the same one, diagrams within parts. From it our links:
 * an output is a link and named after its label, its port, or its block. */
#ifndef LN_FOREIGN_SKETCH_H
#define LN_FOREIGN_SKETCH_H

#include "foreign/document.h"
#include "foreign/draft.h"

typedef enum ln_role {
    LN_ROLE_BLOCK,
    LN_ROLE_INPUT,  /* what comes into a diagram within a part; its output 0 */
    LN_ROLE_OUTPUT, /* what goes out of it; its input 0 */
    LN_ROLE_SINK,   /* gives its input 0 a label */
    LN_ROLE_SOURCE, /* is what bears its label */
    LN_ROLE_VIEW,   /* shows or stores its inputs */
    LN_ROLE_NONE    /* a note */
} ln_role;

typedef struct ln_sketch_end {
    int part, port; /* part -1: open */
} ln_sketch_end;

typedef struct ln_foreign_part {
    const char *key;   /* as wires name it */
    const char *title; /* what its block is called, before it is made a name */
    const char *id;    /* its name in the model */
    const char *label; /* of all roles but blocks and notes */
    ln_role role;
    const char *type;
    const ln_datum *params;
    int line;
    struct ln_sketch *inside; /* the diagram within, or NULL */
    ln_sketch_end *inputs;
    int ninputs;
    ln_sketch_end enable;
    const char **outputs; /* links */
    int noutputs;
    int is_copied; /* an output whose link bears another name */
} ln_foreign_part;

typedef struct ln_sketch {
    ln_draft *draft;
    struct ln_sketch *outer;
    const char *component; /* what the type is called; NULL: the model */
    ln_foreign_part *parts;
    size_t nparts, room;
    ln_map *keys, *names, *sinks, *ports;
    const int *in, *out; /* parts that are ports, in the order of the outside */
    int nin, nout;
    int *uses; /* for each of the model's parameters, is it used within? */
    ln_nest body;
    const char *zero;   /* a link that is 0, made when it is needed */
    const char **views; /* names to record, seen from here */
    size_t nviews, view_room;
} ln_sketch;

/* What a system's blocks become: adds the elements of a block to the body. */
typedef void ln_sketch_emit(ln_sketch *sketch, ln_foreign_part *part);

/* A new diagram; NULL when memory is short. */
ln_sketch *ln_sketch_new(ln_draft *draft, ln_sketch *outer, const char *component);
/* Frees what stands outside the arena, within too. */
void ln_sketch_free(ln_sketch *sketch);

/* A new part; a second one of a key is an error. Pointers to parts hold until the next is added. */
ln_foreign_part *ln_sketch_add(ln_sketch *sketch, const char *key, int line);
ln_foreign_part *ln_sketch_part(const ln_sketch *sketch, const char *key);
/* Where a wire comes from or goes to; input -1 is `enable`. */
typedef struct ln_plug {
    const char *key;
    int port;
} ln_plug;
void ln_sketch_wire(ln_sketch *sketch, ln_plug from, ln_plug to, int line);

/* Names all links, when parts, wires and ports are complete; within too. */
void ln_sketch_name(ln_sketch *sketch);
/* Adds the elements of all parts to the body, components to `types`. */
void ln_sketch_write(ln_sketch *sketch, ln_nest *types, ln_sketch_emit *emit);

/* The link at an input, NULL where none is joined; the second gives a link that is 0. */
const char *ln_sketch_input(ln_sketch *sketch, const ln_foreign_part *part, int port);
const char *ln_sketch_joined(ln_sketch *sketch, const ln_foreign_part *part, int port);
/* All joined inputs as a list: "a b". */
const char *ln_sketch_inputs(ln_sketch *sketch, const ln_foreign_part *part);
/* A block with its id; `suffix` "" or what tells it from another block of the same part. */
ln_element *ln_sketch_block(ln_sketch *sketch, const ln_foreign_part *part, const char *type,
                            const char *suffix);

#endif
