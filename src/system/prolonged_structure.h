/* SPDX-License-Identifier: MIT */
/* What a prolonged system (prolonged.h) consists of: which rows are differentiated how often, and
 * which derivatives and impulses are its unknowns.
 *
 * A structure found at one point serves other points as long as the same entries are zero there
 * and, where rows have been combined or a part floats, as long as their values are the same. Where
 * the system turns out singular with the structure of another point, the structure is found anew.
 */
#ifndef LN_SYSTEM_PROLONGED_STRUCTURE_H
#define LN_SYSTEM_PROLONGED_STRUCTURE_H

#include "system/index.h"

typedef struct ln_prolonged_structure {
    ln_arena *arena;
    int n, most; /* unknowns of the system; the highest order of a row that is wanted */
    ln_storage storage;
    ln_index index;
    int *wanted; /* n: the highest order of each row that is wanted */
    /* Numbers of the unknowns: derivatives of orders 0 .. most + 1, then impulses of orders 1 ..
     * depth; n for each order, -1: there is none. */
    int *derivative, *impulse;
    int depth;            /* orders of impulses */
    int nderivatives;     /* unknowns that are no impulses */
    int size;             /* all unknowns */
    int plain;            /* the rows are those of the system, and nothing floats */
    int count;            /* entries of E and A by rows */
    char *present;        /* per entry, 1: it is not zero */
    double *value, *work; /* per entry: where the structure was found; work */
    char *leaks;          /* n: the leaks that were closed (leaks.h) */
    double *derivatives;  /* nderivatives: of the last point that was found; the owner's to fill */
} ln_prolonged_structure;

/* How many orders of impulses row k balances: those of its unknown, and what is stored in it. */
int ln_prolonged_balances(const ln_prolonged_structure *structure, int k);

/* By the dq and df of the last ln_system_eval(), and by E + dq and A + df by rows, assembled from
 * them; with leaks (n values) closed. LINNET_RETRY: the equations are singular, or have impulses of
 * derivatives. LINNET_MEMORY. Neither is reported. Owner: the caller. */
linnet_status ln_prolonged_structure_find(const ln_system *system, const ln_reassembly *E,
                                          const ln_reassembly *A, const char *leaks,
                                          ln_prolonged_structure **structure);
/* The same in an arena, without a note of where else it holds (count, present, value, work, leaks).
 * leaks may be NULL. */
linnet_status ln_prolonged_structure_number(const ln_system *system, const char *leaks,
                                            ln_arena *arena, ln_prolonged_structure *structure);
void ln_prolonged_structure_free(ln_prolonged_structure *structure);

/* Is it the structure of a point with these matrices and leaks, too? */
int ln_prolonged_structure_fits(const ln_prolonged_structure *structure, const ln_reassembly *E,
                                const ln_reassembly *A, const char *leaks);

#endif
