/* SPDX-License-Identifier: MIT */
/* V and I cards: DC, AC and the waveforms SIN, PULSE, EXP, PWL and SFFM with ngspice's rules for
 * what is left out or zero (ngspice manual, 4.1). Transient and operating point take the waveform
 * where there is one. */
#include "spice/deck.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VALUES = 100000 };

typedef struct source {
    const char *p, *n;
    int is_current;
    double dc;
    int has_dc;
    const char *wave; /* "sin", NULL: none */
    double *values;
    int nvalues;
    double again;        /* of PWL: r=, the time from which it repeats; NAN: it does not */
    double delay;        /* of PWL: td= */
    double m;            /* of a current: so many in parallel */
    double ac, ac_phase; /* of the frequency response, degrees */
    double rser, cpar;   /* LTspice's, of a voltage: in series; across all of it */
} source;

/* The values of a waveform, in parentheses or not. */
static void take_values(ln_cursor *cursor, source *wave) {
    const int open = ln_skip(cursor, '(');
    wave->values = LN_SPICE_NEW(cursor->spice, double, cursor->count - cursor->at + 1);
    while (wave->values != NULL && ln_peek(cursor) != NULL && !ln_peek_is(cursor, ')') &&
           !ln_peek_pair(cursor) && wave->nvalues < MOST_VALUES) {
        if (ln_skip(cursor, '('))
            continue;
        if (ln_peek_is(cursor, 'w') && !open &&
            (strcmp(ln_peek(cursor)->text, "ac") == 0 ||
             strncmp(ln_peek(cursor)->text, "distof", 6) == 0 ||
             strcmp(ln_peek(cursor)->text, "dc") == 0))
            break;
        if (!ln_take_value(cursor, "a value of the waveform", &wave->values[wave->nvalues++]))
            return;
    }
    if (open && !ln_skip(cursor, ')'))
        ln_card_error(cursor, "the ')' of the waveform is missing");
}

/* A name=value of the source; 0: it has none of that name. */
static int take_pair(ln_cursor *cursor, source *wave) {
    const int is_lines = wave->wave != NULL && strcmp(wave->wave, "pwl") == 0;
    const struct {
        const char *name;
        int is_known;
        double *value;
    } known[] = {{"td", is_lines, &wave->delay},
                 {"r", is_lines, &wave->again},
                 {"rser", !wave->is_current, &wave->rser},
                 {"cpar", !wave->is_current, &wave->cpar},
                 {"m", wave->is_current, &wave->m}};
    const char *name = ln_peek(cursor)->text;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (!known[k].is_known || strcmp(known[k].name, name) != 0)
            continue;
        if (ln_take_pair(cursor, &name, known[k].value) && wave->again < 0)
            wave->again = NAN; /* r=-1: it does not repeat */
        return 1;
    }
    return 0;
}

static int take(ln_cursor *cursor, source *wave) {
    static const char *const waves[] = {"sin", "pulse",   "exp",      "pwl",     "sffm",
                                        "am",  "trnoise", "trrandom", "external"};
    wave->again = NAN;
    wave->p = ln_take_node(cursor, "the positive node");
    wave->n = wave->p != NULL ? ln_take_node(cursor, "the negative node") : NULL;
    if (wave->n == NULL)
        return 0;
    while (ln_peek(cursor) != NULL) {
        const ln_spice_word *word = ln_peek(cursor);
        const char *wanted = strcmp(word->text, "sine") == 0 ? "sin" : word->text; /* LTspice */
        int known = -1;
        for (int k = 0; k < (int)(sizeof waves / sizeof *waves); k++)
            if (word->kind == 'w' && strcmp(wanted, waves[k]) == 0)
                known = k;
        if (known == 8) {
            ln_card_error(cursor, "the waveform EXTERNAL comes from a program that drives ngspice; "
                                  "give one of SIN, PULSE, EXP, PWL, SFFM, AM, TRNOISE, TRRANDOM");
            return 0;
        }
        if (known >= 0) {
            cursor->at++;
            if (wave->wave != NULL)
                ln_card_error(cursor, "it has two waveforms, %s and %s", wave->wave, waves[known]);
            wave->wave = waves[known];
            wave->nvalues = 0;
            take_values(cursor, wave);
        } else if (word->kind == 'w' && strcmp(word->text, "ac") == 0) {
            cursor->at++;
            ln_skip(cursor, '=');
            wave->ac = 1;
            if (ln_take_optional(cursor, &wave->ac))
                (void)ln_take_optional(cursor, &wave->ac_phase);
        } else if (word->kind == 'w' &&
                   strncmp(word->text, "distof", 6) == 0) { /* there is no analysis of distortion */
            double idle;
            cursor->at++;
            while (ln_take_optional(cursor, &idle))
                continue;
        } else if (word->kind == 'w' && strcmp(word->text, "dc") == 0) {
            cursor->at++;
            ln_skip(cursor, '=');
            wave->has_dc = ln_take_value(cursor, "the DC value", &wave->dc);
        } else if (ln_peek_pair(cursor) && take_pair(cursor, wave)) {
            continue;
        } else if (!wave->has_dc && !ln_peek_pair(cursor) && word->kind != '=' &&
                   word->kind != ')' && word->kind != '(') {
            wave->has_dc = ln_take_value(cursor, "the source's value", &wave->dc);
            if (!wave->has_dc)
                return 0;
        } else {
            ln_expect_end(cursor);
            return 0;
        }
    }
    return 1;
}

/* ---- waveforms ---- */

/* The k-th value; `otherwise` when it is left out, or zero where zero means the same. */
static double at(const source *wave, int k, double otherwise, int zero_too) {
    return k < wave->nvalues && (!zero_too || wave->values[k] != 0) ? wave->values[k] : otherwise;
}

static ln_element *block(const ln_cursor *cursor, const source *signal_source, const char *wave) {
    return ln_emit_branch(cursor,
                          ln_spice_text(cursor->spice, "%s-%s", wave,
                                        signal_source->is_current ? "current" : "voltage"),
                          signal_source->p, signal_source->n);
}

static ln_element *block_of_dc(const ln_cursor *cursor, const source *wave) {
    return ln_emit_branch(cursor, wave->is_current ? "current-source" : "voltage-source", wave->p,
                          wave->n);
}

/* ngspice's operating points take the DC value of a source that has one, a run its waveform. */
static void at_rest(const ln_cursor *cursor, const char *parameter, double value) {
    char digits[32];
    ln_number_format(digits, value);
    ln_emit_at_rest(cursor, parameter, ln_spice_text(cursor->spice, "%s", digits));
}

static void sine(const ln_cursor *cursor, const source *wave) {
    ln_spice *spice = cursor->spice;
    ln_element *e = block(cursor, wave, "sine");
    ln_emit_number(spice, e, "offset", at(wave, 0, 0, 0));
    ln_emit_number(spice, e, "amplitude", at(wave, 1, 0, 0));
    ln_emit_number(spice, e, "frequency", at(wave, 2, 1 / spice->settings.tran_stop, 1));
    if (at(wave, 3, 0, 0) != 0)
        ln_emit_number(spice, e, "delay", wave->values[3]);
    if (at(wave, 4, 0, 0) != 0)
        ln_emit_number(spice, e, "damping", wave->values[4]);
    if (at(wave, 5, 0, 0) != 0)
        ln_emit_number(spice, e, "phase", wave->values[5] * 3.14159265358979323846 / 180);
    if (!wave->has_dc)
        return;
    at_rest(cursor, "offset", wave->dc);
    at_rest(cursor, "amplitude", 0);
}

static void pulse(const ln_cursor *cursor, const source *wave) {
    ln_spice *spice = cursor->spice;
    const double rise = at(wave, 3, spice->settings.tran_step, 1);
    double fall = at(wave, 4, spice->settings.tran_step, 1),
           width = at(wave, 5, spice->settings.tran_stop, 1),
           period = at(wave, 6, spice->settings.tran_stop, 1);
    if (rise + width >= period) { /* it does not come down before the next one begins */
        width = period - rise;
        fall = 0;
    } else if (rise + width + fall > period) {
        ln_card_error(cursor,
                      "PULSE: rise, width and fall take %g s, longer than the period of %g s",
                      rise + width + fall, period);
        return;
    }
    if (width < 0 || rise < 0 || fall < 0) {
        ln_card_error(cursor,
                      "PULSE: times must not be negative, and the rise not longer than the period");
        return;
    }
    ln_element *e = block(cursor, wave, "pulse");
    ln_emit_number(spice, e, "low", at(wave, 0, 0, 0));
    ln_emit_number(spice, e, "high", at(wave, 1, 0, 0));
    ln_emit_number(spice, e, "delay", at(wave, 2, 0, 0));
    ln_emit_number(spice, e, "rise", rise);
    ln_emit_number(spice, e, "fall", fall);
    ln_emit_number(spice, e, "width", width);
    ln_emit_number(spice, e, "period", period);
    if (wave->has_dc)
        at_rest(cursor, "low", wave->dc), at_rest(cursor, "delay", 0);
}

static void exponential(const ln_cursor *cursor, const source *wave) {
    ln_spice *spice = cursor->spice;
    ln_element *e = block(cursor, wave, "exponential");
    const double delay = at(wave, 2, spice->settings.tran_step, 1);
    ln_emit_number(spice, e, "low", at(wave, 0, 0, 0));
    ln_emit_number(spice, e, "high", at(wave, 1, 0, 0));
    ln_emit_number(spice, e, "delay1", delay);
    ln_emit_number(spice, e, "tau1", at(wave, 3, spice->settings.tran_step, 1));
    ln_emit_number(spice, e, "delay2", at(wave, 4, delay + spice->settings.tran_step, 1));
    ln_emit_number(spice, e, "tau2", at(wave, 5, spice->settings.tran_step, 1));
    if (wave->has_dc)
        at_rest(cursor, "low", wave->dc), at_rest(cursor, "delay1", 0);
}

/* One pass through the points, `shift` later, from the first that is not before `from` on; 0: the
 * text is long enough. */
static void add_points(const source *wave, double from, double shift, ln_text *points) {
    for (int k = 0; k < wave->nvalues; k += 2) {
        char time[32], value[32];
        if (wave->values[k] < from)
            continue;
        ln_number_format(time, wave->values[k] + wave->delay + shift);
        ln_number_format(value, wave->values[k + 1]);
        ln_text_printf(points, "%s%s %s", points->length > 0 ? "; " : "", time, value);
    }
}

static int has_point(const source *wave, double time) {
    for (int k = 0; k < wave->nvalues; k += 2)
        if (wave->values[k] == time)
            return 1;
    return 0;
}

/* Repetitions are written out to the end of the run. */
static void lines(const ln_cursor *cursor, const source *wave) {
    ln_spice *spice = cursor->spice;
    if (wave->nvalues < 2 || wave->nvalues % 2 != 0) {
        ln_card_error(cursor, "PWL needs pairs of time and value");
        return;
    }
    for (int k = 2; k < wave->nvalues; k += 2)
        if (wave->values[k] < wave->values[k - 2]) {
            ln_card_error(cursor, "PWL: the time %g stands behind %g; times rise", wave->values[k],
                          wave->values[k - 2]);
            return;
        }
    const double last = wave->values[wave->nvalues - 2], period = last - wave->again;
    if (!isnan(wave->again) && (!has_point(wave, wave->again) || !(period > 0) ||
                                spice->settings.tran_stop / period * wave->nvalues > MOST_VALUES)) {
        ln_card_error(cursor,
                      "PWL: r=%g must be a time of the list before its end, and not repeat more "
                      "often than %d points",
                      wave->again, (int)MOST_VALUES);
        return;
    }
    ln_text points = {0};
    add_points(wave, -INFINITY, 0, &points);
    for (int n = 1;
         !isnan(wave->again) && last + wave->delay + (n - 1) * period < spice->settings.tran_stop;
         n++)
        add_points(wave, wave->again, n * period, &points);
    if (points.failed)
        (void)ln_spice_no_memory(spice);
    else
        ln_emit_text(spice, block(cursor, wave, "piecewise-linear"), "points",
                     ln_spice_text(spice, "%s", points.data));
    ln_text_free(&points);
    if (!wave->has_dc && !ln_is_swept(cursor))
        return;
    ln_emit_at_rest(cursor, "points", "0 0; 1 0");
    ln_emit_offset(cursor, wave->is_current, wave->has_dc ? wave->dc : wave->values[1]);
}

/* VA (VO + sin(2 pi MF t)) sin(2 pi FC t), t counted from TD on, and zero before. */
static void amplitude(const ln_cursor *cursor, const source *wave) {
    char v[5][32];
    ln_controls none = {0};
    for (int k = 0; k < 5; k++)
        ln_number_format(v[k],
                         at(wave, k, k == 2 ? 1 / cursor->spice->settings.tran_stop : 0, k == 2));
    ln_emit_behavioural(cursor, wave->is_current ? 'i' : 'v', wave->p, wave->n,
                        ln_spice_text(cursor->spice,
                                      "if(t gt (%s)*(1 s), (%s)*((%s) + sin(2*pi*(%s)*(t - (%s)*(1 "
                                      "s))/(1 s)))*sin(2*pi*(%s)*(t - (%s)*(1 s))/(1 s)), 0)",
                                      v[4], v[0], v[1], v[2], v[4], v[3], v[4]),
                        &none);
}

/* VO + VA sin(2 pi FC t + MDI sin(2 pi FS t)) */
static void modulated(const ln_cursor *cursor, const source *wave) {
    ln_spice *spice = cursor->spice;
    char v[5][32];
    const double unless[] = {0, 0, 1 / spice->settings.tran_stop, 0, 1 / spice->settings.tran_stop};
    if (wave->nvalues > 5) {
        ln_card_error(cursor, "SFFM: at most five values are supported");
        return;
    }
    for (int k = 0; k < 5; k++)
        ln_number_format(v[k], at(wave, k, unless[k], k == 2 || k == 4));
    ln_controls none = {0};
    ln_emit_behavioural(cursor, wave->is_current ? 'i' : 'v', wave->p, wave->n,
                        ln_spice_text(spice, "(%s) + (%s)*sin(2*pi*(%s)*t + (%s)*sin(2*pi*(%s)*t))",
                                      v[0], v[1], v[2], v[3], v[4]),
                        &none);
}

static void random(const ln_cursor *cursor, const source *wave, const char *value, double period,
                   double delay) {
    ln_spice *spice = cursor->spice;
    ln_controls none = {0};
    char number[32], td[32], dc[32];
    if (!(period > 0)) {
        ln_card_error(cursor, "%s: the time from sample to sample must be above 0", wave->wave);
        return;
    }
    ln_number_format(number, period);
    ln_number_format(td, delay);
    ln_number_format(dc, wave->dc);
    const char *sample = ln_spice_text(spice, "%zu, floor((t - (%s)*(1 s))/((%s)*(1 s)))",
                                       spice->tree.blocks.count + 1, td, number);
    char *formula = ln_arena_string(spice->arena, value);
    const char *at = formula != NULL ? strchr(formula, '#') : NULL;
    if (at == NULL)
        return;
    ln_emit_behavioural(cursor, wave->is_current ? 'i' : 'v', wave->p, wave->n,
                        ln_spice_text(spice, "(%s) + if(t ge (%s)*(1 s), %.*s%s%s, 0)", dc, td,
                                      (int)(at - formula), formula, sample, at + 1),
                        &none);
}

/* TRNOISE(NA NT NALPHA NAMP ...): white noise of NA (rms), a number every NT. The numbers are
 * others than ngspice's. */
static void white_noise(const ln_cursor *cursor, const source *wave) {
    char na[32];
    for (int k = 2; k < wave->nvalues; k++)
        if (wave->values[k] != 0 && (k == 3 || k == 4)) {
            ln_card_error(cursor, "TRNOISE: there is white noise (the first two values) only, no "
                                  "1/f and no telegraph noise");
            return;
        }
    ln_number_format(na, at(wave, 0, 0, 0));
    if (at(wave, 0, 0, 0) == 0)
        ln_emit_number(cursor->spice, block_of_dc(cursor, wave), wave->is_current ? "I" : "V",
                       wave->dc);
    else
        random(cursor, wave, ln_spice_text(cursor->spice, "(%s)*normal(#)", na), at(wave, 1, 0, 0),
               0);
}

/* TRRANDOM(TYPE TS TD PARAM1 PARAM2) */
static void random_numbers(const ln_cursor *cursor, const source *wave) {
    static const char *const forms[] = {"(%2) + (%1)*(2*uniform(#) - 1)", "(%2) + (%1)*normal(#)",
                                        "(%2) - (%1)*log(1 - uniform(#))"};
    const double type = at(wave, 0, 1, 0);
    char a[32], b[32];
    ln_text text = {0};
    if (!(type == 1 || type == 2 || type == 3)) {
        ln_card_error(
            cursor, "TRRANDOM: of type %g there is nothing; 1 is uniform, 2 normal, 3 exponential",
            type);
        return;
    }
    ln_number_format(a, at(wave, 3, 1, 0));
    ln_number_format(b, at(wave, 4, 0, 0));
    for (const char *c = forms[(int)type - 1]; *c != '\0'; c++) {
        if (*c == '%')
            ln_text_add(&text, *++c == '1' ? a : b);
        else
            ln_text_add_bytes(&text, c, 1);
    }
    random(cursor, wave, ln_spice_text(cursor->spice, "%s", text.data), at(wave, 1, 0, 0),
           at(wave, 2, 0, 0));
    ln_text_free(&text);
}

/* Which values of a waveform are amplitudes: so many from the first, or every second. */
static void multiply(source *wave, double m) {
    const int pairs = wave->wave != NULL && strcmp(wave->wave, "pwl") == 0,
              is_am = wave->wave != NULL && strcmp(wave->wave, "am") == 0;
    wave->dc *= m;
    wave->ac *= m;
    for (int k = pairs; k < (pairs   ? wave->nvalues
                             : is_am ? 1
                                     : 2) &&
                        k < wave->nvalues;
         k += pairs ? 2 : 1)
        wave->values[k] *= m;
}

/* The block of the waveform; 0: reported. */
static int emit_wave(const ln_cursor *cursor, const source *wave) {
    static const struct {
        const char *name;
        int most;
        void (*emit)(const ln_cursor *, const source *);
    } waves[] = {{"sin", 6, sine},
                 {"pulse", 7, pulse},
                 {"exp", 6, exponential},
                 {"pwl", MOST_VALUES, lines},
                 {"sffm", 5, modulated},
                 {"am", 5, amplitude},
                 {"trnoise", 8, white_noise},
                 {"trrandom", 5, random_numbers}};
    for (size_t k = 0; k < sizeof waves / sizeof *waves; k++) {
        if (strcmp(waves[k].name, wave->wave) != 0)
            continue;
        if (wave->nvalues <= waves[k].most)
            return waves[k].emit(cursor, wave), 1;
        ln_card_error(cursor, "%s has %d values, at most %d are known", wave->wave, wave->nvalues,
                      waves[k].most);
    }
    return 0;
}

void ln_card_source(ln_cursor *cursor, int is_current) {
    source wave = {.is_current = is_current, .m = 1};
    if (!take(cursor, &wave))
        return;
    if (is_current)
        multiply(&wave, wave.m * cursor->inside->m);
    else
        ln_series_resistance(cursor, &wave.p, wave.n, wave.rser, wave.cpar);
    if (wave.wave == NULL)
        ln_emit_number(cursor->spice, block_of_dc(cursor, &wave), is_current ? "I" : "V", wave.dc);
    else if (!emit_wave(cursor, &wave))
        return;
    ln_drive(cursor, wave.ac, wave.ac_phase);
    if (cursor->spice->settings.startup)
        ln_emit_startup(cursor, is_current);
}
