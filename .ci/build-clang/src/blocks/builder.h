/* SPDX-License-Identifier: MIT */
/* Private to blocks: what becomes tables and programs of a class, as rows.c and starts.c collect it
 * for class.c. */
#ifndef LN_BLOCKS_BUILDER_H
#define LN_BLOCKS_BUILDER_H

#include "blocks/compile.h"

/* Nodes to compile, each with the row or entry it belongs to. */
typedef struct ln_worklist {
    struct {
        ln_node node;
        int place;
    } * item;
    size_t count, room;
} ln_worklist;

typedef struct ln_builder {
    ln_compile *c;
    linnet_entry *entries;
    size_t nentries, entries_room;
    ln_worklist linear, source, q, f, state, start, guess, periods;
    linnet_start *starts;
    size_t nstarts, starts_room;
    const ln_breakpoint *breakpoints;
    int nbreakpoints;
    int source_varies, failed;
} ln_builder;

/* Appends a node to a list; marks the builder as failed when memory is short or the node is
 * LN_NONE. */
void ln_put(ln_builder *builder, ln_worklist *list, ln_node node, int place);

/* events.c: the programs; then, when class->nwork counts all other registers, the tables. 0 when
 * memory is short. */
int ln_compile_hybrid(ln_builder *builder, ln_hybrid *hybrid);
int ln_hybrid_tables(ln_builder *builder, ln_hybrid *hybrid, linnet_block_class *class);
/* delays.c: DELAY and RATE nodes become memories in all that is collected, in conditions, modes and
 * delays. 0 when memory is short. */
int ln_delays_to_memories(ln_builder *builder);
/* rows.c: all rows. LINNET_MODEL when one determines nothing. */
linnet_status ln_split_rows(ln_builder *builder);
/* starts.c: start conditions and guesses. LINNET_MODEL when one is not of the form x or x - y. */
linnet_status ln_collect_starts(ln_builder *builder);

#endif
