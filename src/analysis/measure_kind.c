/* SPDX-License-Identifier: MIT */
/* What is measured: a row of the table a kind, with what it does with each piece of the signal and
 * its value at the end. */
#include "analysis/measure_kind.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- all kinds ---- */

/* Cuts the piece at the window. What happens at its very end, a jump, is no longer in it; what
 * happens at its very beginning is: the step that a window is laid at belongs to it. */
void ln_measure_take(void *context, const ln_piece *piece) {
    ln_measure *measure = context;
    if (piece->t1 < measure->from || piece->t0 >= measure->to)
        return;
    double t0 = fmax(piece->t0, measure->from), t1 = fmin(piece->t1, measure->to);
    double y0 = piece->t0 < t0 ? ln_piece_at(piece, t0) : piece->y0;
    double y1 = piece->t1 > t1 ? ln_piece_at(piece, t1) : piece->y1;
    if (!measure->begun) {
        measure->begun = 1;
        measure->t_begin = measure->t_least = measure->t_most = t0;
        measure->y_begin = measure->least = measure->most = y0;
    }
    for (int end = 0; end < 2; end++) {
        double t = end ? t1 : t0, y = end ? y1 : y0;
        if (y < measure->least) {
            measure->least = y;
            measure->t_least = t;
        }
        if (y > measure->most) {
            measure->most = y;
            measure->t_most = t;
        }
    }
    measure->t_end = t1;
    measure->y_end = y1;
    if (measure->kind->take != NULL)
        measure->kind->take(measure, piece, t0, y0, t1, y1);
}

/* Where the signal starts, and where it ends up: as given, or as it was. */
static double initial_of(const ln_measure *measure) {
    return isnan(measure->initial) ? measure->y_begin : measure->initial;
}
static double final_of(const ln_measure *measure) {
    return isnan(measure->final) ? measure->y_end : measure->final;
}

/* ---- plain values ---- */

static double value_maximum(const ln_measure *measure) {
    return measure->most;
}
static double value_minimum(const ln_measure *measure) {
    return measure->least;
}
static double value_peak_to_peak(const ln_measure *measure) {
    return measure->most - measure->least;
}
static double value_time_of_maximum(const ln_measure *measure) {
    return measure->t_most;
}
static double value_time_of_minimum(const ln_measure *measure) {
    return measure->t_least;
}
static double value_initial(const ln_measure *measure) {
    return measure->y_begin;
}
static double value_final(const ln_measure *measure) {
    return measure->y_end;
}

static double value_overshoot(const ln_measure *measure) {
    double initial = initial_of(measure), final = final_of(measure), height = final - initial;
    double beyond = height > 0 ? measure->most - final : final - measure->least;
    return height != 0 ? fmax(0, beyond / fabs(height)) : NAN;
}

/* At a jump the later side counts. */
static void take_value(ln_measure *measure, const ln_piece *piece, double t0, double y0, double t1,
                       double y1) {
    if (!(t0 <= measure->at && measure->at <= t1))
        return;
    measure->sum = t0 == t1 ? y1 : measure->at == t0 ? y0 : ln_piece_at(piece, measure->at);
    measure->crossings = 1;
}
static double value_value(const ln_measure *measure) {
    return measure->crossings > 0 ? measure->sum : NAN;
}

/* ---- integrals ---- */

static void take_integral(ln_measure *measure, const ln_piece *piece, double t0, double y0,
                          double t1, double y1) {
    (void)y0;
    (void)y1;
    measure->sum += ln_piece_integral(piece, t0, t1, 1);
}
static void take_square(ln_measure *measure, const ln_piece *piece, double t0, double y0, double t1,
                        double y1) {
    (void)y0;
    (void)y1;
    measure->sum += ln_piece_integral(piece, t0, t1, 2);
}
static double value_integral(const ln_measure *measure) {
    return measure->sum;
}
static double value_mean(const ln_measure *measure) {
    return measure->t_end > measure->t_begin ? measure->sum / (measure->t_end - measure->t_begin)
                                             : measure->y_begin;
}
static double value_rms(const ln_measure *measure) {
    return measure->t_end > measure->t_begin
               ? sqrt(measure->sum / (measure->t_end - measure->t_begin))
               : fabs(measure->y_begin);
}

/* ---- crossings ---- */

/* 1 when the signal passes the level upwards (direction 1), downwards (-1) or either way (0)
 * between the two values. */
static int passes(double y0, double y1, double level, int direction) {
    return (direction >= 0 && y0 < level && y1 >= level) ||
           (direction <= 0 && y0 > level && y1 <= level);
}

static double when(const ln_piece *piece, double level) {
    return piece->t0 == piece->t1 ? piece->t1 : ln_piece_root(piece, level);
}

/* What rounding makes of a signal that stands at the level. */
static double noise_at_level(const ln_measure *measure) {
    return 1e-12 * (measure->most - measure->least) + 8 * DBL_EPSILON * fabs(measure->level);
}

/* Is the signal on the other side after this part, than it was (measure->side)? A level is passed
 * where it is reached, and where the signal leaves it for a side on which it was not last: a pulse
 * from zero passes zero as it begins. */
static int changes_side(const ln_measure *measure, double y0, double y1, int to) {
    const double noise = noise_at_level(measure), from = to * (measure->level - y0),
                 beyond = to * (y1 - measure->level);
    return measure->side * to <= 0 && (beyond > noise || (beyond >= -noise && from > noise));
}

static void take_crossing(ln_measure *measure, const ln_piece *piece, double t0, double y0,
                          double t1, double y1) {
    const double level = measure->level;
    if (measure->side == 0 && fabs(y0 - level) > noise_at_level(measure))
        measure->side = y0 > level ? 1 : -1;
    const int to = changes_side(measure, y0, y1, 1)    ? 1
                   : changes_side(measure, y0, y1, -1) ? -1
                                                       : 0;
    if (to == 0)
        return;
    measure->side = to;
    if (measure->direction == -to)
        return;
    measure->crossings++;
    measure->last = passes(y0, y1, level, to)                    ? when(piece, level)
                    : fabs(y0 - level) > noise_at_level(measure) ? t1
                                                                 : t0;
    if (measure->crossings == 1)
        measure->first = measure->last;
    if (measure->crossings == measure->count)
        measure->sum = measure->last;
}
static double value_crossing(const ln_measure *measure) {
    if (measure->count < 0)
        return measure->crossings > 0 ? measure->last : NAN;
    return measure->crossings >= measure->count ? measure->sum : NAN;
}
static double value_crossings(const ln_measure *measure) {
    return (double)measure->crossings;
}
static double value_period(const ln_measure *measure) {
    return measure->crossings > 1
               ? (measure->last - measure->first) / (double)(measure->crossings - 1)
               : NAN;
}
static double value_frequency(const ln_measure *measure) {
    return 1 / value_period(measure);
}

/* ---- steps ---- */

static void take_rise(ln_measure *measure, const ln_piece *piece, double t0, double y0, double t1,
                      double y1) {
    double initial = initial_of(measure), height = final_of(measure) - initial;
    double level[2] = {initial + measure->low * height, initial + measure->high * height},
           *reached[2] = {&measure->first, &measure->last};
    int direction = height > 0 ? 1 : -1;
    (void)t1;
    for (int k = 0; k < 2 && measure->crossings >= k; k++) {
        if (measure->crossings > k)
            continue;
        int beyond = (y0 - level[k]) * direction >= 0;
        if (!beyond && !passes(y0, y1, level[k], direction))
            continue;
        *reached[k] = beyond ? t0 : when(piece, level[k]);
        measure->crossings++;
    }
}
static double value_rise(const ln_measure *measure) {
    return measure->crossings == 2 ? measure->last - measure->first : NAN;
}

static void take_settling(ln_measure *measure, const ln_piece *piece, double t0, double y0,
                          double t1, double y1) {
    double final = final_of(measure), band = measure->band * fabs(final - initial_of(measure));
    (void)t1;
    if (!(fabs(y1 - final) <= band))
        measure->crossings = 0;
    else if (fabs(y0 - final) > band || measure->crossings == 0) {
        measure->last =
            fabs(y0 - final) > band ? when(piece, y0 > final ? final + band : final - band) : t0;
        measure->crossings = 1;
    }
}
static double value_settling(const ln_measure *measure) {
    return measure->crossings > 0 ? measure->last - measure->t_begin : NAN;
}

/* ---- conditions: the signal is a guard, above 0 where the condition holds ---- */

static void take_first(ln_measure *measure, const ln_piece *piece, double t0, double y0, double t1,
                       double y1) {
    (void)t1;
    if (measure->crossings > 0 || !(y0 > 0 || y1 > 0))
        return;
    measure->first = y0 > 0 ? t0 : when(piece, 0);
    measure->crossings = 1;
}
static double value_first(const ln_measure *measure) {
    return measure->crossings > 0 ? measure->first : NAN;
}

static void take_duration(ln_measure *measure, const ln_piece *piece, double t0, double y0,
                          double t1, double y1) {
    if (y0 > 0 && y1 > 0)
        measure->sum += t1 - t0;
    else if (y0 > 0)
        measure->sum += when(piece, 0) - t0;
    else if (y1 > 0)
        measure->sum += t1 - when(piece, 0);
}

/* ---- the table ---- */

const ln_measure_kind ln_measure_kinds[] = {
    {"maximum", "largest value", 0, LN_UNIT_SIGNAL, NULL, value_maximum},
    {"minimum", "least value", 0, LN_UNIT_SIGNAL, NULL, value_minimum},
    {"peak-to-peak", "largest less least value", 0, LN_UNIT_SIGNAL, NULL, value_peak_to_peak},
    {"time-of-maximum", "when it is largest", 0, LN_UNIT_TIME, NULL, value_time_of_maximum},
    {"time-of-minimum", "when it is least", 0, LN_UNIT_TIME, NULL, value_time_of_minimum},
    {"initial", "value at the beginning", 0, LN_UNIT_SIGNAL, NULL, value_initial},
    {"final", "value at the end", 0, LN_UNIT_SIGNAL, NULL, value_final},
    {"value", "value at a time: at, or when a measure before it says", LN_TAKES_AT, LN_UNIT_SIGNAL,
     take_value, value_value},
    {"mean", "average over time", 0, LN_UNIT_SIGNAL, take_integral, value_mean},
    {"rms", "root of the mean square", 0, LN_UNIT_SIGNAL, take_square, value_rms},
    {"integral", "integral over time", 0, LN_UNIT_INTEGRAL, take_integral, value_integral},
    {"rise-time", "from 10 % (low) to 90 % (high) of the way from initial to final; also a fall",
     LN_TAKES_LOW_HIGH | LN_TAKES_ENDS, LN_UNIT_TIME, take_rise, value_rise},
    {"settling-time", "until it stays within 2 % (band) of the step around final",
     LN_TAKES_BAND | LN_TAKES_ENDS, LN_UNIT_TIME, take_settling, value_settling},
    {"overshoot", "how far beyond final, as a part of the step from initial to final",
     LN_TAKES_ENDS, LN_UNIT_NONE, NULL, value_overshoot},
    {"frequency",
     "of crossings of level, upwards (direction); level: the middle between its extremes",
     LN_TAKES_LEVEL | LN_TAKES_DIRECTION, LN_UNIT_RATE, take_crossing, value_frequency},
    {"period", "1/frequency", LN_TAKES_LEVEL | LN_TAKES_DIRECTION, LN_UNIT_TIME, take_crossing,
     value_period},
    {"crossing",
     "when it passes level, rising, falling or either (direction), for the first or the count-th "
     "time; count=-1: the last time",
     LN_TAKES_LEVEL | LN_TAKES_DIRECTION | LN_TAKES_COUNT, LN_UNIT_TIME, take_crossing,
     value_crossing},
    {"crossings", "how often it passes level", LN_TAKES_LEVEL | LN_TAKES_DIRECTION, LN_UNIT_NONE,
     take_crossing, value_crossings},
    {"first-time", "when a condition first holds", LN_TAKES_CONDITION, LN_UNIT_TIME, take_first,
     value_first},
    {"duration", "how long a condition holds, in all", LN_TAKES_CONDITION, LN_UNIT_TIME,
     take_duration, value_integral},
    {"formula", "value of an expression of the measures before it, without units", LN_TAKES_VALUE,
     LN_UNIT_NONE, NULL, NULL},
    {NULL, NULL, 0, LN_UNIT_NONE, NULL, NULL}};

const char *ln_measure_kind_at(int index, const char **doc) {
    *doc = ln_measure_kinds[index].doc;
    return ln_measure_kinds[index].name;
}

const ln_measure_kind *ln_measure_kind_named(const char *name) {
    for (int k = 0; ln_measure_kinds[k].name != NULL; k++)
        if (strcmp(ln_measure_kinds[k].name, name) == 0)
            return &ln_measure_kinds[k];
    return NULL;
}

ln_measure ln_measure_of(const char *name, const char *kind, ln_place place) {
    return (ln_measure){.result = {name, "", NAN},
                        .kind = ln_measure_kind_named(kind),
                        .column = -1,
                        .from = -INFINITY,
                        .to = INFINITY,
                        .at = NAN,
                        .level = NAN,
                        .low = 0.1,
                        .high = 0.9,
                        .initial = NAN,
                        .final = NAN,
                        .band = 0.02,
                        .first = NAN,
                        .last = NAN,
                        .when = -1,
                        .place = place};
}
