/* SPDX-License-Identifier: MIT */
/* Where junctions commutate on the way of a step: where the current of one that conducts ends, or
 * one that blocks begins to carry. To a network without charges there that is a kink, or a jump of
 * potentials, which no polynomial over the step has. */
#ifndef LN_SYSTEM_COMMUTATION_H
#define LN_SYSTEM_COMMUTATION_H

#include "system/system.h"

enum { LN_WAY_NODES = 3 };

/* The way of a step by the tangents at its start, where the devices were evaluated last: how far x
 * has moved at the nodes, which are parts of the step, rising to 1. stored: n, the unknowns that
 * are; junctions between them, also those that store themselves, have neither kink nor jump. Of a
 * floating part only differences are stored: one from it to elsewhere has. */
typedef struct ln_way {
    const ln_system *system;
    const double *x, *node;
    double *const *moved;
    const char *stored;
    /* n, per row: what flows there, A, and which part of that a junction that blocks may carry */
    const double *sizes;
    double small;
} ln_way;

/* The part of the way at which the first junction commutates; 1: none does. */
double ln_system_first_commutation(const ln_way *way);

/* Is there a junction without charge over which the voltage is not stored (n values: which unknowns
 * are)? */
int ln_system_may_commutate(const ln_system *system, const char *stored);

/* Is what nonlinear blocks depend on stored (n values), or are they junctions from node to node, or
 * affine between instants? Then the equations have one solution at a time, also from afar: the
 * currents of junctions rise with their voltages. */
int ln_system_has_one_solution(const ln_system *system, const char *stored);

#endif
