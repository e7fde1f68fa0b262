/* SPDX-License-Identifier: MIT */
/* Private to the room `network`: the structure of a numbered network, seen through the entries of
 * its blocks. */
#ifndef LN_NETWORK_STRUCTURE_H
#define LN_NETWORK_STRUCTURE_H

#include "network/names.h"

/* How many messages of one check are told; a model with more such mistakes repeats itself. */
enum { LN_STRUCTURE_MESSAGES = 50 };

typedef struct ln_structure {
    ln_network *network;
    ln_report *report;
    linnet_status status;  /* of the check at hand */
    double *work, *entry;  /* room for the largest class; entries twice */
    int *of_row;           /* room for the largest class: the entries of one row */
    double *x, *m, *q, *f; /* a point with memories, and what eval() writes there */
    /* Parts: links joined by blocks whose equations see only the difference of their potentials. */
    int *part; /* per link: towards the root of its part */
    /* per link, valid at roots: some equation sees the part's absolute potential */
    char *anchored;
    /* Ideal potential sources: equations that fix the difference of two links, or of one and zero.
     */
    struct ln_fixed *fixed;
    size_t nfixed, fixed_room;
} ln_structure;

typedef struct ln_fixed {
    int instance, a, b;
} ln_fixed; /* link b = nlinks: zero */

/* Global unknown of a local one, and row of a local row; -1: none. (Extra fluxes come later and
 * change nothing.) */
int ln_unknown_at(const ln_network *network, const ln_instance *instance, int local);
int ln_row_at(const ln_network *network, const ln_instance *instance, int local);

/* What one instance's equations join, anchor and fix; structure->entry holds its entries. */
int ln_join_parts(ln_structure *structure, int instance);
int ln_add_fixed(ln_structure *structure, int instance);

/* The checks; each reports what it finds into structure->status. 0: memory is short. */
int ln_check_parts(ln_structure *structure);
int ln_check_loops(ln_structure *structure);
int ln_check_matching(ln_structure *structure);

#endif
