/* SPDX-License-Identifier: MIT */
/* Private to measures: what one consists of, and the table of kinds. */
#ifndef LN_ANALYSIS_MEASURE_KIND_H
#define LN_ANALYSIS_MEASURE_KIND_H

#include "analysis/measure.h"
#include "analysis/measure_curve.h"
#include "base/text.h"

/* What a kind takes beside its signal, from and to. */
enum {
    LN_TAKES_AT = 1,
    LN_TAKES_LEVEL = 2,
    LN_TAKES_DIRECTION = 4,
    LN_TAKES_COUNT = 8,
    LN_TAKES_LOW_HIGH = 16,
    LN_TAKES_ENDS = 32,
    LN_TAKES_BAND = 64,
    LN_TAKES_CONDITION = 128,
    LN_TAKES_VALUE = 256
};
/* The unit of the value: that of the signal, s, Hz, of the signal's integral, none. */
typedef enum ln_measure_unit {
    LN_UNIT_SIGNAL,
    LN_UNIT_TIME,
    LN_UNIT_RATE,
    LN_UNIT_INTEGRAL,
    LN_UNIT_NONE
} ln_measure_unit;

typedef struct ln_measure ln_measure;
typedef struct ln_measure_kind {
    const char *name, *doc;
    unsigned takes;
    ln_measure_unit unit;
    /* Part of the signal within the window, [t0, t1] of the piece, with the values there. */
    void (*take)(ln_measure *measure, const ln_piece *piece, double t0, double y0, double t1,
                 double y1);
    double (*value)(const ln_measure *measure);
} ln_measure_kind;

struct ln_measure {
    ln_measured result;
    const ln_measure_kind *kind;
    int column;                                        /* of the measures' recorder */
    double from, to;                                   /* window */
    double at, level, low, high, initial, final, band; /* NAN: not given */
    int direction,
        count; /* of crossings: 1 rising, -1 falling, 0 either; which one, -1: the last */
    int waits; /* needs what is known at the end only */
    double *points;
    size_t npoints, room; /* waits: t, y, ... */
    const char *formula;  /* of other measures, else NULL */
    int when;             /* index of the measure whose value is `at`, -1: none */
    ln_place place;
    /* what was seen so far */
    int begun;
    double t_begin, y_begin, t_end, y_end;
    double least, most, t_least, t_most;
    double sum;
    double first, last; /* crossings */
    double side; /* of the level, where the signal was last: 1 above, -1 below, 0 on it so far */
    long crossings;
};

extern const ln_measure_kind ln_measure_kinds[];                /* ends with a NULL name */
const ln_measure_kind *ln_measure_kind_named(const char *name); /* or NULL */

/* A measure of which nothing but name and kind is given, over the whole signal. */
ln_measure ln_measure_of(const char *name, const char *kind, ln_place place);

/* A piece of the signal, as a curve gives it: context is the ln_measure. */
void ln_measure_take(void *context, const ln_piece *piece);

/* The index of a measure read so far, or -1. */
int ln_measure_index(const ln_measures *measures, const char *name);
/* The measure behind the last one is read, too. LINNET_MEMORY, reported. */
linnet_status ln_measure_keep(ln_measures *measures);
/* A formula, once it is read: does it name measures before it only? And at the end its value; NAN:
 * one has none. */
linnet_status ln_measure_check(const ln_measures *measures, const ln_measure *measure);
double ln_measure_compute(const ln_measures *measures, const ln_measure *measure);

struct ln_measures {
    ln_arena *arena;
    ln_report *report;
    ln_network *network;
    const ln_settings *settings;
    ln_recorder *recorder;
    ln_measure *items;
    int count;
    ln_map *names; /* indices into items; NULL: there are none */
    ln_curve *curves;
    int ncurves; /* by column */
    /* decisions of the columns' expressions (measure_point.c): at two points; per column, which of
     * them are its own; which columns are told of a change, and of what lies behind one */
    int ndecisions;
    double *decisions[2];
    char *own, *changed, *bent;
};

/* Part of ln_measures_ready(). */
linnet_status ln_measures_ready_points(ln_measures *measures);

#endif
