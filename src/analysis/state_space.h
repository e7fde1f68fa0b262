/* SPDX-License-Identifier: MIT */
/* A linearised model as matrices for chosen inputs and outputs:
 *
 *     x' = A x + B u,  y = C x + D u      or, in descriptor form,      E x' = A x + B u
 *
 * (the sign control engineers use; small_signal.h has s E + A instead). States are what the
 * transform of the system keeps as differential (system/row_transform.h): a row of E with one
 * unknown makes that unknown a state, one whose unknowns belong to a block's ports makes their
 * difference one ("C1.v"), any other row its stored quantity ("q(a)"). The descriptor form keeps
 * all unknowns. Transport delays are Pade approximants (pade.h), their states come last
 * ("d1.past[1]"). */
#ifndef LN_ANALYSIS_STATE_SPACE_H
#define LN_ANALYSIS_STATE_SPACE_H

#include "analysis/pade.h"

/* unit "" : none; value at the point */
typedef struct ln_state_label {
    const char *name, *unit;
    double value;
} ln_state_label;

typedef struct ln_state_space {
    ln_arena *arena; /* owned */
    int n, ninputs, noutputs;
    ln_state_label *states, *inputs, *outputs; /* value of an input: 0, a deviation */
    double *E; /* n x n, descriptor form only, else NULL. All matrices column by column */
    double *A, *B, *C, *D; /* n x n, n x ninputs, noutputs x n, noutputs x ninputs */
    double period;         /* > 0: discrete, x[k+1] = A x[k] + B u[k] (sampled.h) */
    /* for sampled.c: x of the unknowns is T x (n x unknowns); state k is row[k] of E x, divided by
     * scale[k] */
    double *T;
    const int *row;
    const double *scale;
    int delays, pade_order; /* delays that are approximated, 0: none */
} ln_state_space;

/* States, inputs, outputs, A, B, C and D of space->n, ninputs and noutputs, in its arena.
 * LINNET_MEMORY is not reported. */
linnet_status ln_state_space_allocate(ln_state_space *space);

enum { LN_STATE_SPACE_LARGEST = 4000 }; /* states */

typedef struct ln_state_space_how {
    int descriptor; /* E x' = A x + B u with all unknowns */
    int pade_order;
    /* memories that are inputs, too, behind those asked for */
    const int *memories;
    int nmemories;
} ln_state_space_how;

/* What is varied and what is looked at. */
typedef struct ln_space_ports {
    const char *const *inputs; /* names */
    int ninputs;
    const ln_column *outputs; /* of the recorder of the simulation that was linearised */
    int noutputs;
} ln_space_ports;

/* Failures are reported: outputs that see an input's derivative, and an index above 1 together with
 * delays, have no state space (LINNET_FAILED, with a hint at the descriptor form). T is NULL where
 * the index is above 1: the states are unknowns then. The result is the caller's in any case. */
linnet_status ln_state_space_make(ln_small_signal *small, const ln_space_ports *ports,
                                  ln_state_space_how how, ln_state_space *out);
void ln_state_space_free(ln_state_space *space);

#endif
