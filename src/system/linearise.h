/* SPDX-License-Identifier: MIT */
/* Where an input enters the linearised system, and what an output sees of it, both exact at a
 * point.
 *
 *     (s (E + dq) + A + df) X = B U,      Y = C X + D U
 *
 * X are the deviations of the unknowns from the point. An input adds u to something that the model
 * drives, which its name says:
 *
 * - "V1", a block with a source: u is added to its value, which is the drop p - n of an ideal
 *   source of potential, the flux into the first port of a source of flux, the signal at the output
 *   of a signal source;
 * - "y", a signal link: u is added to the signal, seen by all who read it (and by an output y);
 * - "out", a physical link: a flux u is brought into the link from outside;
 * - "G1.in", a signal input of a block: u is added to what this block alone reads.
 *
 * A flux counts as positive into the block (B is what s(t) gains: f = A x + f_nl - s). Memories are
 * frozen. */
#ifndef LN_SYSTEM_LINEARISE_H
#define LN_SYSTEM_LINEARISE_H

#include "system/system.h"

/* One row that an input enters. What enters a row of a floating part enters the part's balance as
 * well (ln_balance_row), by a share of its own. */
typedef struct ln_share {
    int instance, local; /* a local row of this instance; -1: the link's own row, a balance */
    int row;             /* global; -1: of a reference link, seen by outputs only */
    double value;        /* ds/du */
} ln_share;

typedef struct ln_input {
    const char *name, *unit; /* the unit of u, SI; NULL: none known */
    ln_share *shares;
    int nshares;
    /* unknown that is read as x + u, because its block keeps x for itself; -1: none */
    int added;
} ln_input;

/* Looks up an input. Its arrays and name live in the arena. An unknown name, or one at which
 * nothing can be added, is reported: LINNET_USAGE. */
linnet_status ln_system_input(ln_system *system, const char *name, ln_moment at, ln_arena *arena,
                              ln_report *report, ln_input *input);
/* The source that fixes the potential of the physical link of this name by a row of its own, as one
 * of voltage to ground does; its instance, or -1. */
int ln_system_holder(const ln_network *network, const char *link);
/* Adds the column's entries to b (n values, zeroed before by the caller; `stride` 2 for complex
 * pairs). */
void ln_system_input_column(const ln_input *input, double *b, int stride);

/* The row c (n values) of an output at a point, and its direct part d per input. */
typedef struct ln_output_row {
    ln_system *system;
    ln_moment at;
    const ln_input *inputs;
    int ninputs;
    double *c, *d;
} ln_output_row;
/* Fills out->c and out->d. A flux that stores must have
 * been requested (ln_observe_request). LINNET_RETRY: a block has no finite derivative there. */
linnet_status ln_system_output(const ln_output_row *out, const ln_quantity *output);

/* dE, dA: values of E + dq and A + df at the positions of system->pattern, at the point.
 * LINNET_RETRY: see ln_system_blame(). */
linnet_status ln_system_linearise(ln_system *system, ln_moment at, double *E, double *A);

/* Calls visit for every entry of E + dq at the point: which block stores, in which row, of which
 * unknown; col: the local unknown. Entries at reference links are left out. */
typedef void ln_storage_visit(void *context, int instance, int col, int row, int unknown,
                              double value);
linnet_status ln_system_storage(ln_system *system, ln_moment at, ln_storage_visit *visit,
                                void *context);

/* The same for every entry of E + dq and A + df, unsummed, those that join recorded fluxes
 * included, of the instance whose flux it is. */
typedef void ln_entry_visit(void *context, int instance, linnet_kind kind, int row, int unknown,
                            double value);
linnet_status ln_system_entries(ln_system *system, ln_moment at, ln_entry_visit *visit,
                                void *context);

/* What each instance contributes to a mode with right and left vectors (n pairs each, see
 * linear/eigen.h): |w^H E v| of what it stores, |w^H A v| of the rest; network->ninstances values
 * each. The fluxes that recording has made unknowns are not looked at. */
linnet_status ln_system_shares(ln_system *system, ln_moment at, const double *right,
                               const double *left, double *stored, double *rest);

/* ---- transport delays (delay_terms.c) ---- */

/* With delays the linearised system is
 *
 *     s (E + dq) + A + df + sum of (exp(-s lag) - 1) A_k,
 *
 * E, A as ln_system_linearise() gives them: every change comes through at once. A term is one delay
 * of a block, or several in a row within it. Inputs and outputs may see a delay too: their rows
 * have such terms as well. */
typedef struct ln_delay_term {
    int instance;
    unsigned delays;     /* bit i: the block's delay i takes part */
    double lag;          /* of all of them, s */
    const double *entry; /* of A_k: by the block's entries */
} ln_delay_term;

/* All terms that are not zero, in the arena. A block whose storage depends on a delay is refused by
 * name. */
linnet_status ln_system_delay_terms(ln_system *system, ln_moment at, ln_arena *arena,
                                    ln_report *report, ln_delay_term **terms, int *count);

/* What anything is worth by a term is a difference: probe is called with the block's delays passing
 * on or not, its results are to be added with the sign. */
typedef linnet_status ln_delay_probe(void *context, double sign);
linnet_status ln_system_delay_difference(ln_system *system, const ln_delay_term *term,
                                         ln_delay_probe *probe, void *context);
/* No delay passes a change on (0), or all do (1). */
void ln_system_delay_gain(ln_system *system, double gain);

/* The entries of E + dq and A + df of one block at the point, as its class lists them; they hold
 * until the next call of this room. NULL: it has no finite derivative there. */
const double *ln_system_block_entries(ln_system *system, int instance, ln_moment at);

/* ---- one block at a point; for the room itself ---- */
/* The balance of the floating part to which a row belongs (supernodes.c), if that is another row;
 * -1: what enters the row enters no other one. */
int ln_balance_row(const ln_system *system, int row);
/* Unknown of a local one, -1: none. */
int ln_local_unknown(const ln_network *network, const ln_instance *instance, int local);
/* Row of a local one, -1: none. */
int ln_local_row(const ln_network *network, int instance, int local);
/* All entries of the block at the point, constant and not, in system->own->entry. */
linnet_status ln_local_entries(ln_system *system, int instance, ln_moment at);

#endif
