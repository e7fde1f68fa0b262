/* SPDX-License-Identifier: MIT */
/* Results as a picture: which signals share a panel, and what stands at the axes. */
#ifndef LN_CLI_PICTURE_H
#define LN_CLI_PICTURE_H

#include "base/arena.h"
#include "plot/plot.h"

/* Of a run for a picture, whose rows are kept in memory: 0.8 GB, several thousand rows a pixel. */
static const double LN_PICTURE_VALUES = 1e8;

/* A result: columns of numbers, row by row; the first is time, or frequency. Everything is
 * borrowed. */
typedef struct ln_trajectory {
    const char *name; /* in legends, where there are several results */
    int ncolumns;     /* with the first */
    const char **names;
    const char **units; /* NULL: unknown */
    const char *held;   /* per column: 1 for a stair; NULL: none is known to be */
    const double *data;
    size_t nrows;
    int marked;   /* rows are few and stand for themselves: each has its mark */
    double shade; /* where the picture has a scale of shades */
} ln_trajectory;

typedef enum ln_panels { LN_PANELS_ALIKE, LN_PANELS_ONE, LN_PANELS_EACH } ln_panels;

typedef struct ln_picture {
    const char *title;   /* NULL: none */
    const char *signals; /* names and patterns; NULL: all */
    const char *against; /* the signal on the horizontal axis; NULL: the first column */
    /* ALIKE: signals of one unit share a panel; where units are unknown or none, of like size */
    ln_panels panels;
    int log_x, log_y;
    double from, to;   /* only these times */
    int width, height; /* 0: chosen */
    int dark;
    int nyquist;      /* of frequency responses, in place of a Bode plot */
    int no_events;    /* events are not marked */
    const double *at; /* times whose values are told in the picture */
    int nat;
    const char *shade; /* what trajectory.shade is; NULL: curves have colours of their own */
} ln_picture;

/* The panels of the results, in the arena, to be drawn by ln_plot_draw() or in a page. As below. */
linnet_status ln_picture_make(const ln_picture *picture, const ln_trajectory *results, int count,
                              ln_arena *arena, ln_report *report, ln_plot *plot);
/* Draws the results, each with its own times. LINNET_USAGE, reported, when a name or pattern fits
 * no column of any, or trajectories and responses are mixed. */
linnet_status ln_picture_draw(const ln_picture *picture, const ln_trajectory *results, int count,
                              const char *path, ln_arena *arena, ln_report *report);

/* ---- private to picture.c and picture_response.c ---- */

/* A column of a result. */
typedef struct ln_choice {
    const ln_trajectory *of;
    int column;
    int name;    /* place of its name among the different names chosen */
    double size; /* largest finite value drawn, for the sharing of panels */
} ln_choice;

typedef struct ln_composition {
    const ln_picture *picture;
    const ln_trajectory *results;
    int count;
    ln_choice *chosen;
    int nchosen;
    int nnames; /* different names among those chosen */
    ln_arena *arena;
    ln_report *report;
} ln_composition;

/* The name of the k-th chosen column. */
const char *ln_chosen_name(const ln_composition *composition, int k);
/* Sets nnames and the place of each name; 0 when memory is short. */
int ln_composition_count_names(ln_composition *composition);
/* The style, colour and name of the k-th chosen curve, so that curves are told apart: several
 * results of one signal by colour; a few results of several signals by dashes. */
void ln_composition_look(const ln_composition *composition, int k, ln_plot_curve *curve);
/* Whether the results are frequency responses (as `linnet ac` writes them). */
int ln_is_response(const ln_trajectory *result);
/* A response among its columns: of "out.dB" the length of "out", if "out.phase" is there, too; 0:
 * the column is no magnitude. */
size_t ln_response_name(const ln_trajectory *result, int column);
/* The column of that name (of `length` bytes, with `suffix` behind), or -1. */
int ln_trajectory_find(const ln_trajectory *result, const char *name, size_t length,
                       const char *suffix);
/* The panels of a Bode or Nyquist plot of the chosen magnitudes. */
linnet_status ln_response_panels(const ln_composition *composition, ln_plot_panel **panels,
                                 int *npanels);

#endif
