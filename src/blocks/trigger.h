/* SPDX-License-Identifier: MIT */
/* Triggered blocks: the equations of a type turned into those of a type that acts only at edges of
 * a further input, "trigger", through one half. Between edges outputs keep their values; a sample
 * of the type stands for the edge, and its other events act at the first edge at which their
 * condition holds after one at which it did not. */
#ifndef LN_BLOCKS_TRIGGER_H
#define LN_BLOCKS_TRIGGER_H

typedef struct ln_equations ln_equations;

typedef enum ln_trigger_edge { LN_EDGE_RISING, LN_EDGE_FALLING, LN_EDGE_BOTH } ln_trigger_edge;

/* What cannot be triggered about the type: a text for messages, or NULL. */
const char *ln_equations_untriggerable(const ln_equations *from);
/* The same type with a trigger, of signal ports only; see enable.h. NULL when memory is short. */
ln_equations *ln_equations_triggered(const ln_equations *from, ln_trigger_edge edge);

#endif
