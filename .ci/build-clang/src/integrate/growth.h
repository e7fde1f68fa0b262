/* SPDX-License-Identifier: MIT */
/* A watcher between a run and its own: it passes everything on, and notes what grows beyond all
 * measure. A run that ends with 1e65 rad/s, or with 1e70 A through a diode, has computed what the
 * model says, and it is not what anybody meant. */
#ifndef LN_INTEGRATE_GROWTH_H
#define LN_INTEGRATE_GROWTH_H

#include "integrate/integrate.h"

typedef struct ln_growth {
    const ln_system *system;
    const ln_watcher *watcher;
    double worst;        /* the largest |x| in units of its typical size, among the points told */
    int unknown;         /* which that is */
    double value, begin; /* its value there; s: when something first grew too far */
} ln_growth;

/* The watcher to give to the run in place of `watcher`; both live as long as the run. */
ln_watcher ln_growth_watch(ln_growth *growth, const ln_system *system, const ln_watcher *watcher);
/* After the run: a warning that names the unknown, if there is one. */
void ln_growth_warn(const ln_growth *growth, ln_report *report);

#endif
