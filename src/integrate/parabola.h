/* SPDX-License-Identifier: MIT */
/* Within a step of three points: what a user sees there, where events are sought and what delays
 * remember.
 *
 * The first step after an instant begins at a point that a stiff part leaves at once: a coil whose
 * switch has opened ends at a diode that does not conduct, and its potential falls from there
 * within 1e-16 s. That point is consistent, and the other two are as well; a polynomial through all
 * three has the step's length for that fall, and passes the other two by most of it. So what is not
 * stored goes by the two alone where the parabola does not meet the equations. */
#ifndef LN_INTEGRATE_PARABOLA_H
#define LN_INTEGRATE_PARABOLA_H

#include "integrate/stepper.h"

/* Three points of a step from t on, in parts of it: 0, inside, 1. x, q: n each, borrowed. */
typedef struct ln_parabola {
    double t, h, inside;
    const double *x[3], *q[3];
    int leaves_start; /* what is not stored does not go by the start (ln_parabola_leaves_start()) */
    int has_kink;     /* what is not stored goes by lines between the points */
} ln_parabola;

/* x (n values) at the part s of the step; needs no q. */
void ln_parabola_at(const ln_run *run, const ln_parabola *parabola, double s, double *x);

/* Does the step's first point lie in a layer that the step has passed? It does where the parabola
 * passes the range of its ends, by more than ten times the tolerance, and its slope at the start is
 * not what the equations give there. side: of the step. alpha: of its matrix. work: 4 n values. */
int ln_parabola_leaves_start(ln_run *run, const ln_parabola *parabola, ln_side side, double alpha,
                             double *work);
/* Is there a kink within the step? The parabola passes the range of its points, by more than ten
 * times the tolerance, and does not meet the equations there. Arguments as before. */
int ln_parabola_has_kink(ln_run *run, const ln_parabola *parabola, ln_side side, double alpha,
                         double *work);

#endif
