/* SPDX-License-Identifier: MIT */
/* A trajectory as a picture: which signals share a panel, and what stands at the axes. */
#ifndef LN_CLI_PICTURE_H
#define LN_CLI_PICTURE_H

#include "base/arena.h"
#include "plot/plot.h"

/* Columns of numbers, row by row; the first is time. Everything is borrowed. */
typedef struct ln_trajectory {
    int ncolumns; /* with time */
    const char **names;
    const char **units; /* NULL: unknown */
    const double *data;
    size_t nrows;
} ln_trajectory;

typedef enum ln_panels { LN_PANELS_ALIKE, LN_PANELS_ONE, LN_PANELS_EACH } ln_panels;

typedef struct ln_picture {
    const char *title;   /* NULL: none */
    const char *signals; /* names and patterns; NULL: all */
    const char *against; /* the signal on the horizontal axis; NULL: time */
    /* ALIKE: signals of one unit share a panel; where units are unknown, of like size */
    ln_panels panels;
    int log_x, log_y;
    double from, to;   /* only these times */
    int width, height; /* 0: chosen */
} ln_picture;

/* Draws the trajectory. LINNET_USAGE, reported, when a name or pattern fits no column. */
linnet_status ln_picture_draw(const ln_picture *picture, const ln_trajectory *trajectory,
                              const char *path, ln_arena *arena, ln_report *report);

#endif
