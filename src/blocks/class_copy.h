/* SPDX-License-Identifier: MIT */
/* A type in equations copied into a graph of its own, with further inputs behind its ports: what
 * enable.c and trigger.c begin with. Strings are those of the original, which must outlive the
 * copy. */
#ifndef LN_BLOCKS_CLASS_TRANSFORM_H
#define LN_BLOCKS_CLASS_TRANSFORM_H

#include "blocks/equations.h"

typedef struct ln_class_copy {
    const ln_equations *from;
    ln_equations *e;
    int inputs; /* that are added: variables are numbered behind them */
} ln_class_copy;

/* A node of the original in the copy; LN_NONE stays. Conditions of a type without modes are under
 * NOEVENT then. */
ln_node ln_class_copy_node(const ln_class_copy *copy, ln_node node);
/* Begins: ports and the inputs, then parameters, variables, memories, start conditions, lets and
 * periods; equations and events are left to the caller. `input`: a port; where there may be many, a
 * number is put behind its name. */
void ln_class_copy_declarations(const ln_class_copy *copy, linnet_port input, int numbered);
/* An event of the copy. */
int ln_class_copy_event(const ln_class_copy *copy, const char *name, unsigned flags,
                        ln_node condition);
/* 1 when `node` of the copy follows from states and memories alone. */
int ln_class_copy_stands_still(const ln_class_copy *copy, ln_node node);

/* A leaf for another one, in ln_copy() of a graph to itself; context: ln_renaming. */
typedef struct ln_renaming {
    ln_node from, to;
} ln_renaming;
ln_node ln_rename_leaf(void *context, ln_graph *to, const ln_graph *from, ln_node leaf);

#endif
