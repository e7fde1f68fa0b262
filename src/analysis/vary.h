/* SPDX-License-Identifier: MIT */
/* What a sweep varies: each --vary becomes an axis, and the axes make the cases.
 *
 * Lists, grids and corners form a product, the last axis the fastest; random axes draw anew for
 * each case. With random axes every point of the product is repeated --cases times. A draw depends
 * on the seed, the number of the case and the name of the parameter alone (a counter-based
 * generator), so no order of work and no other axis changes it. */
#ifndef LN_ANALYSIS_VARY_H
#define LN_ANALYSIS_VARY_H

#include "network/network.h"

typedef enum ln_vary_kind {
    LN_VARY_LIST,
    LN_VARY_GRID,
    LN_VARY_LOG_GRID,
    LN_VARY_UNIFORM,
    LN_VARY_LOG_UNIFORM,
    LN_VARY_NORMAL,
    LN_VARY_LOG_NORMAL
} ln_vary_kind;

typedef struct ln_vary {
    const char *name; /* of the parameter: "load", "R1.R" */
    ln_vary_kind kind;
    const char *const *values; /* LIST: as a model would say them */
    long count;                /* of a LIST or grid; random: 0 */
    double a, b;               /* a grid's ends; random: the two parameters of the distribution */
    const char *unit;          /* of a and b; "": bare numbers, which take the parameter's unit */
} ln_vary;

typedef struct ln_axes {
    const ln_vary *items;
    int count;
    long points, draws; /* of the product; of each point (1 without random axes) */
    long cases;
    unsigned long long seed;
} ln_axes;

/* What is varied, as it is asked for. */
typedef struct ln_vary_plan {
    const char *const *texts; /* NAME=VALUES */
    int ntexts;
    long draws; /* cases of random values; 0: none are asked for */
    unsigned long long seed;
} ln_vary_plan;

/* Reads NAME=VALUES texts. `nominal` is the model's network without variation, for values with
 * parameters in them and for tolerances around the model's own value. Lives in the arena.
 * LINNET_USAGE when a text is wrong (reported). */
linnet_status ln_axes_read(const ln_network *nominal, const ln_vary_plan *plan, ln_arena *arena,
                           ln_report *report, ln_axes *axes);

/* The value of an axis in a case (from 0), as text for a parameter, into the buffer or elsewhere.
 * Safe in any thread. */
const char *ln_axis_value(const ln_axes *axes, int axis, long index, char buffer[96]);

/* A uniform number above 0 and below 1 with 53 bits, and one of the standard normal distribution:
 * functions of seed, case and name. */
double ln_draw_uniform(unsigned long long seed, unsigned long long index, const char *name);
double ln_draw_normal(unsigned long long seed, unsigned long long index, const char *name);

#endif
