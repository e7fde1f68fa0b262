/* SPDX-License-Identifier: MIT */
/* Operating points f(x) = 0 as a result of their own (operating_point.c), and what became of the
 * start values there (start_conditions.c). */
#ifndef LN_INTEGRATE_OPERATING_POINT_H
#define LN_INTEGRATE_OPERATING_POINT_H

#include "integrate/integrate.h"

typedef struct ln_operating_point {
    double *start; /* n: the start values it began from */
    /* n: 1 where the equations at rest leave the unknown free: it is what its start made it */
    char *free_unknown;
    int nfree;         /* combinations left free */
    const char *means; /* "Newton", "damped Newton", "gmin stepping", ... */
    char tried[256];   /* means tried before in vain, with how far they came; empty: none */
    long iterations;   /* of Newton */
} ln_operating_point;

/* x (n values) becomes the operating point at settings->begin; settings->end - begin, if positive,
 * is a time typical of the model. *point lives in the arena. LINNET_FAILED is reported with the
 * worst unknowns and blocks. */
linnet_status ln_operating_point_find(ln_system *system, const ln_settings *settings,
                                      ln_arena *arena, ln_report *report, double *x,
                                      ln_operating_point *point);

/* What became of one start condition, of a block or of a link. */
typedef struct ln_start_condition {
    const ln_instance *block; /* NULL: of a link */
    const ln_link *link;      /* NULL: of a block */
    const char *name;         /* "v0", may be "" */
    double wanted, found;
    int given; /* the model wrote it */
    /* 1: written by the model, or not met in a block that also has a stored variable without a
     * start condition; that variable's default 0 then yields (p = m v with a start of v) */
    int has_priority;
    int met;  /* found is wanted, within tolerance */
    int a, b; /* the unknowns it is about, x[a] - x[b]; -1: zero */
} ln_start_condition;
typedef linnet_status ln_start_condition_visit(void *context, const ln_start_condition *condition);

/* Visits the start conditions of all blocks in their order, then those of links; `wanted` is x as
 * it was to start, x what it became. Ends with the first status other than OK. */
linnet_status ln_visit_start_conditions(const ln_system *system, const double *wanted,
                                        const double *x, ln_start_condition_visit *visit,
                                        void *context);

#endif
