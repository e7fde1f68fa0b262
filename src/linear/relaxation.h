/* SPDX-License-Identifier: MIT */
/* Where Newton's updates do not fall but lead to and fro across what they look for, as across a
 * square root's zero (from x to -x by every Jacobian, for its slope there is infinite), the part of
 * an update that the secant through the last two points asks for: Aitken's relaxation [Irons, Tuck,
 * A version of the Aitken accelerator for computer iteration, Int. J. Numer. Methods Eng. 1 (1969)
 * 275], along the last update. */
#ifndef LN_LINEAR_RELAXATION_H
#define LN_LINEAR_RELAXATION_H

#include "base/arena.h"
#include "linear/linear.h"

typedef struct ln_relaxation {
    int n;
    double *before; /* n: the last update, whole; valid while part > 0 */
    double part;    /* that was taken of it; 0: there was none */
    int turns;      /* updates in a row that led back and were no shorter */
    double turn;    /* squared length of the last update to be taken in part: infinite, there was
                       none; 0: parts lead nowhere */
} ln_relaxation;

/* Memory for n unknowns. LINNET_MEMORY is not reported. */
linnet_status ln_relaxation_init(ln_relaxation *relaxation, ln_arena *arena, int n);
/* A new iteration. */
void ln_relaxation_begin(ln_relaxation *relaxation);
/* The next update is not to be compared with the last. */
void ln_relaxation_forget(ln_relaxation *relaxation);
/* The part of this update that is to be taken, in (0, 1], and keeps it for the next. falls: the
 * updates fall, so that it is taken whole; weight: n, by which updates of unlike unknowns are
 * compared, unread if they fall. The first that leads back is taken whole, too: across a knee it
 * leads to the solution. Once an update to be taken in part is no shorter than half of the one
 * before it that was, the parts lead nowhere, and all others are taken whole. */
double ln_relaxation_part(ln_relaxation *relaxation, const double *update, const double *weight,
                          int falls);

#endif
