/* SPDX-License-Identifier: MIT */
/* The random waveforms of V and I cards, TRNOISE and TRRANDOM: a number every so many s. Its draw
 * is made of the source's number and the sample's, so that every run draws the same. */
#include "base/text.h"
#include "spice/source.h"

/* Signs in the text of a random value, and what stands for them: the number of the sample (floor of
 * the time since the delay in periods), what makes its draw and the next one their own (the
 * source's number and the sample's, so that every run draws the same), the part of the period that
 * is over. */
static void fill_in(const char *value, size_t number, const char *periods, ln_text *text) {
    for (const char *c = value; *c != '\0'; c++)
        switch (*c) {
        case '@': ln_text_printf(text, "floor(%s)", periods); break;
        case '#': ln_text_printf(text, "%zu, floor(%s)", number, periods); break;
        case '&': ln_text_printf(text, "%zu, floor(%s) + 1", number, periods); break;
        case '~': ln_text_printf(text, "(%s - floor(%s))", periods, periods); break;
        default: ln_text_add_bytes(text, c, 1);
        }
}

/* A value drawn anew every `period` behind `delay`, about the DC value; an operating point has the
 * DC value alone. */
static void emit_random(const ln_cursor *cursor, const ln_source *src, const char *value,
                        double period, double delay) {
    ln_spice *spice = cursor->spice;
    ln_controls none = {0};
    ln_text text = {0};
    char period_text[32], td[32], dc[32];
    if (!(period > 0)) {
        ln_card_error(cursor, "%s: the time from sample to sample must be above 0",
                      src->wave->name);
        return;
    }
    ln_number_format(period_text, period);
    ln_number_format(td, delay);
    ln_number_format(dc, ln_is_swept(cursor) ? 0 : src->dc);
    const char *periods = ln_spice_text(spice, "(t - (%s)*(1 s))/((%s)*(1 s))", td, period_text);
    ln_text_printf(&text, "(%s) + if(t gt (%s)*(1 s), ", dc, td);
    fill_in(value, spice->tree.blocks.count + 1, periods, &text);
    ln_text_add(&text, ", 0)");
    if (text.failed)
        (void)ln_spice_no_memory(spice);
    else
        ln_emit_behavioural(cursor, src->is_current ? 'i' : 'v', src->p, src->n,
                            ln_spice_text(spice, "%s", text.data), &none);
    ln_spice_text_free(spice, &text);
    if (ln_is_swept(cursor))
        ln_emit_offset(cursor, src->is_current, src->dc, src->dc);
}

/* TRNOISE(NA NT NALPHA NAMP ...): white noise of NA (rms), a number every NT, straight lines
 * between them, from 0 on. The numbers are others than ngspice's. */
void ln_source_trnoise(const ln_cursor *cursor, const ln_source *src) {
    enum { NA, NT, NALPHA, NAMP, RTSAM };
    char na[32];
    if (ln_source_value(src, NAMP, 0) != 0 || ln_source_value(src, RTSAM, 0) != 0) {
        ln_card_error(cursor, "TRNOISE: there is white noise (the first two values) only, no "
                              "1/f and no telegraph noise");
        return;
    }
    ln_number_format(na, ln_source_value(src, NA, 0));
    if (ln_source_value(src, NA, 0) == 0)
        ln_emit_number(cursor->spice, ln_source_constant(cursor, src), src->is_current ? "I" : "V",
                       src->dc);
    else
        emit_random(
            cursor, src,
            ln_spice_text(cursor->spice, "(%s)*(min(@, 1)*normal(#)*(1 - ~) + normal(&)*~)", na),
            ln_source_value(src, NT, 0), 0);
}

/* TRRANDOM(TYPE TS TD PARAM1 PARAM2): a random number every TS from TD on. PARAM1 is the range of a
 * uniform (1), the standard deviation of a normal (2) and the mean of an exponential distribution
 * (3), drawn as -log(1 - u); PARAM2 is added, the mean or offset. */
void ln_source_trrandom(const ln_cursor *cursor, const ln_source *src) {
    enum { TYPE, TS, TD, PARAM1, PARAM2 };
    static const char *const forms[] = {"(%2) + (%1)*(2*uniform(#) - 1)", "(%2) + (%1)*normal(#)",
                                        "(%2) - (%1)*log(1 - uniform(#))"};
    const double type = ln_source_value(src, TYPE, 1);
    char a[32], b[32];
    ln_text text = {0};
    if (!(type == 1 || type == 2 || type == 3)) {
        ln_card_error(
            cursor, "TRRANDOM: of type %g there is nothing; 1 is uniform, 2 normal, 3 exponential",
            type);
        return;
    }
    /* PARAM1 is 1 where it is left out, times m as a given one is */
    ln_number_format(a, ln_source_value(src, PARAM1, src->m_total));
    ln_number_format(b, ln_source_value(src, PARAM2, 0));
    for (const char *c = forms[(int)type - 1]; *c != '\0'; c++) {
        if (*c == '%')
            ln_text_add(&text, *++c == '1' ? a : b);
        else
            ln_text_add_bytes(&text, c, 1);
    }
    if (text.failed)
        (void)ln_spice_no_memory(cursor->spice);
    else
        emit_random(cursor, src, ln_spice_text(cursor->spice, "%s", text.data),
                    ln_source_value(src, TS, 0), ln_source_value(src, TD, 0));
    ln_spice_text_free(cursor->spice, &text);
}
