/* SPDX-License-Identifier: MIT */
/* V and I cards: DC and AC values and the waveforms SIN, PULSE, EXP, PWL, SFFM, AM, TRNOISE and
 * TRRANDOM, to sources of our language.
 *
 * What is left out or zero has ngspice's values, of which some are times of .tran (ngspice manual,
 * 4.1, "Independent sources for voltage or current"). A run takes the waveform where there is one,
 * and so does the operating point it starts from, at t = 0; an operating point sought for itself
 * (.op, .dc) takes the DC value of a source that has both. */
#include "base/words.h"
#include "base/constants.h"
#include "spice/source.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VALUES = 100000 };

/* ---- waveforms ----
 *
 * Each becomes a block type whose corners (ends of ramps, points of PWL, the start of a sine) are
 * breakpoints: the run steps onto them. SPICE does the same. Times are s, values V or A. */

/* The value, whose zero means that it is left out. */
static double nonzero_or(const ln_source *src, int k, double otherwise) {
    const double value = ln_source_value(src, k, otherwise);
    return value != 0 ? value : otherwise;
}

/* A source of that waveform: "sine-voltage", "sine-current". */
static ln_element *block(const ln_cursor *cursor, const ln_source *src, const char *wave) {
    return ln_emit_branch(
        cursor,
        ln_spice_text(cursor->spice, "%s-%s", wave, src->is_current ? "current" : "voltage"),
        src->p, src->n);
}

static void emit_value_at_rest(const ln_cursor *cursor, const char *parameter, double value) {
    char digits[32];
    ln_number_format(digits, value);
    ln_emit_for_operating_point(cursor, parameter, ln_spice_text(cursor->spice, "%s", digits));
}

/* Has an operating point sought for itself another value: DC or that of a .dc sweep? */
static int needs_value_at_rest(const ln_cursor *cursor, const ln_source *src) {
    return src->has_dc || ln_is_swept(cursor);
}

/* VO + VA exp(-(t - TD) THETA) sin(2 pi FREQ (t - TD) + PHASE) from TD on (ngspice manual, 4.1.2).
 * FREQ is 1/TSTOP where it is left out or zero. After CYCLES periods it stands still (LTspice). */
static void emit_sine(const ln_cursor *cursor, const ln_source *src) {
    enum { VO, VA, FREQ, TD, THETA, PHASE, CYCLES };
    ln_spice *spice = cursor->spice;
    ln_element *e = block(cursor, src, "sine");
    ln_emit_number(spice, e, "offset", ln_source_value(src, VO, 0));
    ln_emit_number(spice, e, "amplitude", ln_source_value(src, VA, 0));
    ln_emit_number(spice, e, "frequency", nonzero_or(src, FREQ, 1 / spice->settings.tran_stop));
    if (ln_source_value(src, TD, 0) != 0)
        ln_emit_number(spice, e, "delay", src->values[TD]);
    if (ln_source_value(src, THETA, 0) != 0)
        ln_emit_number(spice, e, "damping", src->values[THETA]);
    if (ln_source_value(src, PHASE, 0) != 0)
        ln_emit_number(spice, e, "phase", src->values[PHASE] * LN_PI / 180);
    if (ln_source_value(src, CYCLES, 0) > 0)
        ln_emit_number(spice, e, "periods", src->values[CYCLES]);
    if (!src->has_dc)
        return;
    emit_value_at_rest(cursor, "offset", src->dc);
    emit_value_at_rest(cursor, "amplitude", 0);
}

/* V1 to V2 with delay, rise, fall, width, period and number of pulses (ngspice manual, 4.1.1): rise
 * and fall are TSTEP, width and period TSTOP where they are left out or zero. A period that is
 * shorter than the pulse cuts it off. */
static void emit_pulse(const ln_cursor *cursor, const ln_source *src) {
    enum { V1, V2, TD, TR, TF, PW, PER, NP };
    ln_spice *spice = cursor->spice;
    const double rise = nonzero_or(src, TR, spice->settings.tran_step);
    const double fall = nonzero_or(src, TF, spice->settings.tran_step);
    const double width = nonzero_or(src, PW, spice->settings.tran_stop);
    const double period = nonzero_or(src, PER, spice->settings.tran_stop);
    if (width < 0 || rise < 0 || fall < 0 || period < 0) {
        ln_card_error(cursor, "PULSE: times must not be negative");
        return;
    }
    ln_element *e = block(cursor, src, "pulse");
    ln_emit_number(spice, e, "low", ln_source_value(src, V1, 0));
    ln_emit_number(spice, e, "high", ln_source_value(src, V2, 0));
    ln_emit_number(spice, e, "delay", ln_source_value(src, TD, 0));
    ln_emit_number(spice, e, "rise", rise);
    ln_emit_number(spice, e, "fall", fall);
    ln_emit_number(spice, e, "width", width);
    ln_emit_number(spice, e, "period", period);
    if (ln_source_value(src, NP, 0) > 0)
        ln_emit_number(spice, e, "pulses", floor(src->values[NP]));
    if (src->has_dc)
        emit_value_at_rest(cursor, "low", src->dc), emit_value_at_rest(cursor, "delay", 0);
}

/* V1 to V2 from TD1 on with TAU1, back from TD2 on with TAU2 (ngspice manual, 4.1.3): TD1, TAU1
 * and TAU2 are TSTEP, TD2 is TD1 + TSTEP where they are left out or zero. */
static void emit_exp(const ln_cursor *cursor, const ln_source *src) {
    enum { V1, V2, TD1, TAU1, TD2, TAU2 };
    ln_spice *spice = cursor->spice;
    ln_element *e = block(cursor, src, "exponential");
    const double delay = nonzero_or(src, TD1, spice->settings.tran_step);
    ln_emit_number(spice, e, "low", ln_source_value(src, V1, 0));
    ln_emit_number(spice, e, "high", ln_source_value(src, V2, 0));
    ln_emit_number(spice, e, "delay1", delay);
    ln_emit_number(spice, e, "tau1", nonzero_or(src, TAU1, spice->settings.tran_step));
    ln_emit_number(spice, e, "delay2", nonzero_or(src, TD2, delay + spice->settings.tran_step));
    ln_emit_number(spice, e, "tau2", nonzero_or(src, TAU2, spice->settings.tran_step));
    if (src->has_dc)
        emit_value_at_rest(cursor, "low", src->dc), emit_value_at_rest(cursor, "delay1", 0);
}

static void add_point(ln_text *points, double time, double value) {
    char t[32], v[32];
    ln_number_format(t, time);
    ln_number_format(v, value);
    ln_text_printf(points, "%s%s %s", points->length > 0 ? "; " : "", t, v);
}

/* The points from number `first` on, each `shift` later. */
static void add_points(const ln_source *src, int first, double shift, ln_text *points) {
    for (int k = first; k < src->nvalues; k += 2)
        add_point(points, src->values[k] + src->delay + shift, src->values[k + 1]);
}

/* The last pass is written as it is. What ends before another begins at one time with it: of both
 * ends there the first value of this and the last of the next one count, a jump if they differ. */
static void add_repetitions(const ln_source *src, double end, ln_text *points) {
    const double last = src->values[src->nvalues - 2], period = last - src->repeat_from;
    int next = 0, stop = src->nvalues - 2; /* the first point behind the joint; of the end */
    while (src->values[next] <= src->repeat_from)
        next += 2;
    while (src->values[stop - 2] == last)
        stop -= 2;
    int first = 0;
    long n = 0;
    for (; last + src->delay + (double)n * period < end; n++, first = next) {
        const double shift = (double)n * period;
        for (int k = first; k <= stop; k += 2)
            add_point(points, src->values[k] + src->delay + shift, src->values[k + 1]);
        if (src->values[next - 1] != src->values[stop + 1])
            add_point(points, last + src->delay + shift, src->values[next - 1]);
    }
    add_points(src, first, (double)n * period, points);
}

/* Is the time one of the list? */
static int has_point(const ln_source *src, double time) {
    for (int k = 0; k < src->nvalues; k += 2)
        if (src->values[k] == time)
            return 1;
    return 0;
}

/* PWL(t1 v1 t2 v2 ...) [r=t] [td=t]: straight lines between points, the first and last value before
 * and behind them. Two points of one time are a jump. With r= the part from that time on repeats.
 * Repetitions are written out to the end of the run. */
static void emit_pwl(const ln_cursor *cursor, const ln_source *src) {
    ln_spice *spice = cursor->spice;
    if (src->nvalues < 2 || src->nvalues % 2 != 0) {
        ln_card_error(cursor, "PWL needs pairs of time and value");
        return;
    }
    for (int k = 2; k < src->nvalues; k += 2)
        if (src->values[k] < src->values[k - 2]) {
            ln_card_error(cursor, "PWL: the time %g stands behind %g; times rise", src->values[k],
                          src->values[k - 2]);
            return;
        }
    const double last = src->values[src->nvalues - 2], period = last - src->repeat_from;
    if (!isnan(src->repeat_from) &&
        (!has_point(src, src->repeat_from) || !(period > 0) ||
         spice->settings.tran_stop / period * src->nvalues > MOST_VALUES)) {
        ln_card_error(cursor,
                      "PWL: r=%g must be a time of the list before its end, and not repeat more "
                      "often than %d points",
                      src->repeat_from, (int)MOST_VALUES);
        return;
    }
    ln_text points = {0};
    if (isnan(src->repeat_from))
        add_points(src, 0, 0, &points);
    else
        add_repetitions(src, spice->settings.tran_stop, &points);
    if (points.failed)
        (void)ln_spice_no_memory(spice);
    else
        ln_emit_text(spice, block(cursor, src, "piecewise-linear"), "points",
                     ln_spice_text(spice, "%s", points.data));
    ln_text_free(&points);
    if (!needs_value_at_rest(cursor, src))
        return;
    ln_emit_for_operating_point(cursor, "points", "0 0; 1 0"); /* zero at all times */
    ln_emit_offset(cursor, src->is_current, 0, src->has_dc ? src->dc : src->values[1]);
}

/* AM(VA VO MF FC TD): VA (VO + sin(2 pi MF t)) sin(2 pi FC t), t counted from TD on, and zero
 * before (ngspice manual, 4.1, "Amplitude modulated source"). */
static void emit_am(const ln_cursor *cursor, const ln_source *src) {
    char v[5][32];
    ln_controls none = {0};
    for (int k = 0; k < 5; k++)
        ln_number_format(v[k], k == 2 ? nonzero_or(src, k, 1 / cursor->spice->settings.tran_stop)
                                      : ln_source_value(src, k, 0));
    ln_emit_behavioural(cursor, src->is_current ? 'i' : 'v', src->p, src->n,
                        ln_spice_text(cursor->spice,
                                      "if(t gt (%s)*(1 s), (%s)*((%s) + sin(2*pi*(%s)*(t - (%s)*(1 "
                                      "s))/(1 s)))*sin(2*pi*(%s)*(t - (%s)*(1 s))/(1 s)), 0)",
                                      v[4], v[0], v[1], v[2], v[4], v[3], v[4]),
                        &none);
    if (needs_value_at_rest(cursor, src))
        ln_emit_offset(cursor, src->is_current, 0, src->dc);
}

/* SFFM(VO VA FC MDI FS): VO + VA sin(2 pi FC t + MDI sin(2 pi FS t)). Where the DC value is another
 * than the waveform's, VO is taken out of the formula and stands in a source beside it
 * (ln_emit_offset), which an operating point sets to the DC value. */
static void emit_sffm(const ln_cursor *cursor, const ln_source *src) {
    ln_spice *spice = cursor->spice;
    char v[5][32];
    const double defaults[] = {0, 0, 1 / spice->settings.tran_stop, 0,
                               1 / spice->settings.tran_stop};
    const int has_value = needs_value_at_rest(cursor, src);
    const double offset = ln_source_value(src, 0, 0);
    for (int k = 0; k < 5; k++)
        ln_number_format(v[k], k == 0 && has_value ? 0 : nonzero_or(src, k, defaults[k]));
    ln_controls none = {0};
    ln_emit_behavioural(cursor, src->is_current ? 'i' : 'v', src->p, src->n,
                        ln_spice_text(spice, "(%s) + (%s)*sin(2*pi*(%s)*t + (%s)*sin(2*pi*(%s)*t))",
                                      v[0], v[1], v[2], v[3], v[4]),
                        &none);
    if (has_value)
        ln_emit_offset(cursor, src->is_current, offset, src->has_dc ? src->dc : offset);
}

enum {
    SCALES_FIRST = 1 << 0,
    SCALES_FIRST_TWO = 1 << 0 | 1 << 1,
    SCALES_PARAMETERS = 1 << 3 | 1 << 4
};
static const ln_waveform waves[] = {{"sin", 7, SCALES_FIRST_TWO, emit_sine},
                                    {"pulse", 8, SCALES_FIRST_TWO, emit_pulse},
                                    {"exp", 6, SCALES_FIRST_TWO, emit_exp},
                                    {"pwl", MOST_VALUES, 0, emit_pwl},
                                    {"sffm", 5, SCALES_FIRST_TWO, emit_sffm},
                                    {"am", 5, SCALES_FIRST, emit_am},
                                    {"trnoise", 8, SCALES_FIRST, ln_source_trnoise},
                                    {"trrandom", 5, SCALES_PARAMETERS, ln_source_trrandom}};

/* ---- the card ---- */

static int is_wave(const ln_source *src, const char *name) {
    return src->wave != NULL && strcmp(src->wave->name, name) == 0;
}

/* DISTOF1, DISTOF2: for an analysis of distortion, which there is not. */
static int is_distortion(const ln_cursor *cursor) {
    return ln_peek_is(cursor, 'w') && strncmp(ln_peek(cursor)->text, "distof", 6) == 0;
}

static int is_keyword(const ln_cursor *cursor) {
    return ln_peek_word(cursor, "ac") || ln_peek_word(cursor, "dc") || is_distortion(cursor);
}

/* The values of a waveform, in parentheses or not. */
static void take_values(ln_cursor *cursor, ln_source *src) {
    const int open = ln_skip(cursor, '(');
    src->values = LN_SPICE_NEW(cursor->spice, double, cursor->count - cursor->at + 1);
    while (src->values != NULL && ln_peek(cursor) != NULL && !ln_peek_is(cursor, ')') &&
           !ln_peek_pair(cursor) && src->nvalues < MOST_VALUES) {
        if (ln_skip(cursor, '('))
            continue;
        if (!open && is_keyword(cursor))
            break;
        if (!ln_take_value(cursor, "a value of the waveform", &src->values[src->nvalues++]))
            return;
    }
    if (src->nvalues == MOST_VALUES && ln_peek(cursor) != NULL && !ln_peek_is(cursor, ')')) {
        ln_card_error(cursor, "the waveform has more than %d values, the limit", (int)MOST_VALUES);
        cursor->at = cursor->count; /* of the rest nothing more is to be said */
    } else if (open && !ln_skip(cursor, ')'))
        ln_card_error(cursor, "the ')' of the waveform is missing");
}

/* The takers of an item of the card: 1 taken, 0 it is another item, -1 reported. */

static int take_wave(ln_cursor *cursor, ln_source *src) {
    if (!ln_peek_is(cursor, 'w'))
        return 0;
    const char *name = ln_peek(cursor)->text;
    const ln_waveform *wave = LN_ROW(waves, strcmp(name, "sine") == 0 ? "sin" : name); /* LTspice */
    if (strcmp(name, "external") == 0) {
        ln_card_error(cursor, "the waveform EXTERNAL comes from a program that drives ngspice; "
                              "give one of SIN, PULSE, EXP, PWL, SFFM, AM, TRNOISE, TRRANDOM");
        return -1;
    }
    if (wave == NULL)
        return 0;
    cursor->at++;
    if (src->wave != NULL)
        ln_card_error(cursor, "it has two waveforms, %s and %s", src->wave->name, wave->name);
    src->wave = wave;
    src->nvalues = 0;
    take_values(cursor, src);
    return 1;
}

/* DC value, AC [size [phase]] */
static int take_keyword(ln_cursor *cursor, ln_source *src) {
    double ignored;
    if (ln_take_word(cursor, "ac")) {
        ln_skip(cursor, '=');
        src->ac = 1;
        if (ln_take_optional(cursor, &src->ac))
            (void)ln_take_optional(cursor, &src->ac_phase);
        return 1;
    }
    if (ln_take_word(cursor, "dc")) {
        ln_skip(cursor, '=');
        src->has_dc = ln_take_value(cursor, "the DC value", &src->dc);
        return 1;
    }
    if (!is_distortion(cursor))
        return 0;
    cursor->at++;
    while (ln_take_optional(cursor, &ignored))
        continue;
    return 1;
}

static int take_pair(ln_cursor *cursor, ln_source *src) {
    const struct {
        const char *name;
        int applies;
        double *value;
    } known[] = {{"td", is_wave(src, "pwl"), &src->delay},
                 {"r", is_wave(src, "pwl"), &src->repeat_from},
                 {"rser", !src->is_current, &src->rser},
                 {"cpar", !src->is_current, &src->cpar},
                 {"m", src->is_current, &src->m}};
    if (!ln_peek_pair(cursor))
        return 0;
    const char *name = ln_peek(cursor)->text;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (!known[k].applies || strcmp(known[k].name, name) != 0)
            continue;
        if (ln_take_pair(cursor, &name, known[k].value) && src->repeat_from < 0)
            src->repeat_from = NAN; /* r=-1: it does not repeat */
        return 1;
    }
    return 0;
}

/* The DC value without its word. */
static int take_plain(ln_cursor *cursor, ln_source *src) {
    if (src->has_dc || ln_peek_pair(cursor) ||
        !(ln_peek_is(cursor, 'w') || ln_peek_is(cursor, '{')))
        return 0;
    src->has_dc = ln_take_value(cursor, "the source's value", &src->dc);
    return src->has_dc ? 1 : -1;
}

/* The card after its name; 0 reported. */
static int take(ln_cursor *cursor, ln_source *src) {
    static int (*const takers[])(ln_cursor * cursor, ln_source * src) = {take_wave, take_keyword,
                                                                         take_pair, take_plain};
    src->p = ln_take_node(cursor, "the positive node");
    src->n = src->p != NULL ? ln_take_node(cursor, "the negative node") : NULL;
    if (src->n == NULL)
        return 0;
    while (ln_peek(cursor) != NULL) {
        int taken = 0;
        for (size_t k = 0; taken == 0 && k < sizeof takers / sizeof *takers; k++)
            taken = takers[k](cursor, src);
        if (taken == 0)
            ln_expect_end(cursor);
        if (taken <= 0)
            return 0;
    }
    return 1;
}

/* m sources of a current in parallel: their amplitudes are so many times larger. Voltage sources
 * are not multiplied: any number of them in parallel is one. */
static void multiply(ln_source *src, double m) {
    src->dc *= m;
    src->ac *= m;
    src->m_total = m;
    const int is_lines = is_wave(src, "pwl");
    for (int k = 0; k < src->nvalues; k++)
        if (is_lines ? k % 2 == 1 : src->wave != NULL && k < 8 && src->wave->amplitudes >> k & 1)
            src->values[k] *= m;
}

void ln_card_source(ln_cursor *cursor, char letter) {
    const int is_current = letter == 'i';
    ln_source src = {.is_current = is_current, .m = 1, .m_total = 1, .repeat_from = NAN};
    if (!take(cursor, &src))
        return;
    if (is_current)
        multiply(&src, src.m * cursor->inside->m);
    else
        ln_series_resistance(cursor, &src.p, src.n, src.rser, src.cpar);
    if (src.wave != NULL && src.nvalues > src.wave->most) {
        ln_card_error(cursor, "%s has %d values, at most %d are known", src.wave->name, src.nvalues,
                      src.wave->most);
        return;
    }
    if (src.wave == NULL)
        ln_emit_number(cursor->spice, ln_source_constant(cursor, &src), is_current ? "I" : "V",
                       src.dc);
    else
        src.wave->emit(cursor, &src);
    ln_ac_input(cursor, src.ac, src.ac_phase);
    if (cursor->spice->settings.startup)
        ln_emit_startup(cursor, is_current);
}
