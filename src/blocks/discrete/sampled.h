/* SPDX-License-Identifier: MIT */
/* Discrete types whose size follows from the instance: what they share.
 *
 * Each acts at ticks, by a period and offset of its own or as the count at its input `clock`
 * changes. At a tick its memories take values made of its memories as before and of its inputs as
 * they are after the instant (block.h, act); its outputs are memories, so that they stand still in
 * between. */
#ifndef LN_BLOCKS_DISCRETE_SAMPLED_H
#define LN_BLOCKS_DISCRETE_SAMPLED_H

#include "blocks/signal/sized.h"
#include "expression/graph.h"
#include "model/model.h"

/* The port and the parameters of a face that say when. */
/* clang-format off */
#define LN_SAMPLED_PORT \
    {"clock", LINNET_SIGNAL, LINNET_INPUT | LINNET_OPTIONAL, \
     "clock whose ticks it acts at, instead of the period"}
/* clang-format on */
/* clang-format off */
#define LN_SAMPLED_PARAMETERS \
    {.name = "period", .unit = "s", .default_text = "0 s", .min = 0, .max = INFINITY, \
     .flags = LINNET_OPEN_MIN, \
     .unless = "clock", .doc = "time from tick to tick"}, \
    {.name = "offset", .unit = "s", .default_text = "0 s", LN_FREE, .unless = "clock", \
     .doc = "time of the first tick"}
/* clang-format on */

/* The ticks of an instance. */
typedef struct ln_ticks {
    ln_equations *e;
    int event;
    ln_node period;
} ln_ticks;

/* Adds the event of the ticks; clock: the face's port, period: the face's parameter, which offset
 * follows. */
ln_ticks ln_ticks_new(ln_equations *equations, const ln_shape *shape, int clock, int period);
/* A memory. name: may be followed by a number, counted from 1 (0: none). start: LN_NONE is 0. */
ln_node ln_ticks_memory(const ln_ticks *ticks, const char *name, int number, const char *doc,
                        ln_node start);
/* What it becomes at a tick. */
void ln_ticks_set(const ln_ticks *ticks, ln_node memory, ln_node value);
/* 1 at the first tick, else 0; makes a memory. */
ln_node ln_ticks_first(const ln_ticks *ticks);
/* The time since the tick before: the period, or measured; makes a memory. */
ln_node ln_ticks_elapsed(const ln_ticks *ticks);
/* A memory whose new value, at a tick and from it on, is an output: memory `y`, start y0. */
void ln_ticks_output(const ln_ticks *ticks, ln_node output, int number, ln_node value,
                     ln_node start);
/* A row of n memories through which u passes, one at each tick; taps[0] is u itself, taps[k] what
 * it was k ticks ago. */
int ln_ticks_line(const ln_ticks *ticks, ln_node u, int n, ln_node start, ln_node *taps);

/* A rational function of z in the transposed direct form II: coefficients highest power first,
 * order + 1 of each; returns its output at a tick. start: `order` nodes for its states, or NULL for
 * zeros. The states are s<first>, ... */
typedef struct ln_section {
    int order;
    const ln_node *b, *a;
} ln_section;
ln_node ln_ticks_section(const ln_ticks *ticks, const ln_section *section, ln_node u, int first,
                         const ln_node *start);

#endif
