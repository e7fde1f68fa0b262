/* SPDX-License-Identifier: MIT */
/* Onto hidden constraints by tiny steps, with start values held. */
#ifndef LN_INTEGRATE_PROJECT_H
#define LN_INTEGRATE_PROJECT_H

#include "integrate/rest.h"
#include "integrate/still.h"

/* The start values that the model wrote, at `wanted` (n values), of unknowns that store something,
 * as holds for ln_project(); in the run's arena. */
linnet_status ln_start_holds(ln_run *run, const double *wanted, const ln_hold **holds, int *count);

/* Where the index is above 1, tiny steps of backward Euler take run->x onto the hidden constraints,
 * and what they move is taken out by extrapolation from h and h/2 to zero; with the sources and
 * modes at run->side.within, and with what is held in the first of them. run->x keeps its place. 0
 * when Newton fails; run->x is then as it was. */
int ln_project(ln_run *run, ln_consistent *solver, const ln_hold *holds, int nholds);

#endif
