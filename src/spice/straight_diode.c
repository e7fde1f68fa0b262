/* SPDX-License-Identifier: MIT */
/* D cards whose model is LTspice's of straight lines: it conducts with Ron above Vfwd, blocks with
 * Roff, and breaks down with Rrev below -Vrev.
 *
 *     D1 in out clamp
 *     .model clamp D(Ron=0.1 Roff=1Meg Vfwd=0.4 Vrev=30)
 *
 * Corners are the events of the block type ideal-diode, one for each of the two; a corner that a
 * parabola rounds (Epsilon, the width in V that it takes) or a current that a limit bends (Ilimit,
 * by tanh) makes a behavioural branch. Names and defaults as in LTspice's manual ("D. Diode"). */
#include "base/words.h"
#include "spice/deck.h"

#include <math.h>
#include <string.h>

enum parameter { RON, ROFF, VFWD, VREV, RREV, ILIMIT, REVILIMIT, EPSILON, REVEPSILON, COUNT };
static const char *const names[COUNT] = {"ron",    "roff",      "vfwd",    "vrev",      "rrev",
                                         "ilimit", "revilimit", "epsilon", "revepsilon"};

static const ln_spice_model *model_of(const ln_cursor *cursor) {
    const int behind_nodes = 3;
    return cursor->count > behind_nodes && cursor->words[behind_nodes].kind == 'w'
               ? ln_model_named(cursor->inside->circuit, cursor->words[behind_nodes].text)
               : NULL;
}

/* LTspice takes this model where one of these is given. */
static int says_lines(ln_spice *spice, const ln_spice_model *model) {
    const ln_cursor words = ln_card_words(spice, NULL, model->card);
    for (int k = 3; words.words != NULL && k + 1 < words.count; k++)
        if (words.words[k].kind == 'w' && words.words[k + 1].kind == '=') {
            const int found = LN_WORD_INDEX(names, words.words[k].text);
            if (found >= 0 && found <= RREV)
                return 1;
        }
    return 0;
}

int ln_is_straight_diode(const ln_cursor *cursor) {
    const ln_spice_model *model = model_of(cursor);
    if (model == NULL || strcmp(model->kind, "d") != 0)
        return 0;
    if (model->given->is_straight == 0)
        model->given->is_straight = says_lines(cursor->spice, model) ? 1 : -1;
    return model->given->is_straight > 0;
}

/* NAN: not said; 0 reported. */
static int take_model(const ln_cursor *cursor, double *v) {
    ln_cursor words;
    const char *name;
    double value;
    for (int k = 0; k < COUNT; k++)
        v[k] = NAN;
    if (!ln_model_words(cursor, model_of(cursor), &words))
        return 0;
    for (;;) {
        if (ln_model_skip_idle(&words))
            continue;
        if (!ln_model_next(&words, &name, &value))
            return 1;
        const int k = LN_WORD_INDEX(names, name);
        if (k < 0)
            ln_model_unknown(&words, "d, of straight lines,", name, names, COUNT);
        else if (value < 0 || (value == 0 && (k == ROFF || k == ILIMIT || k == REVILIMIT)))
            ln_card_error(&words, "%s=%g must be %s 0", name, value,
                          value < 0 ? "at least" : "above");
        else
            v[k] = value;
    }
}

/* Behind the model: an area, OFF, temp= and dtemp=, of which this model knows nothing, and m=. */
static double take_parallel(ln_cursor *cursor) {
    double area = 1, m = 1, value;
    const char *name;
    (void)ln_take_optional(cursor, &area);
    (void)ln_take_word(cursor, "off");
    while (ln_peek_pair(cursor) && ln_take_pair(cursor, &name, &value)) {
        if (strcmp(name, "m") == 0)
            m = value;
        else if (strcmp(name, "area") == 0)
            area = value;
        else if (strcmp(name, "temp") != 0 && strcmp(name, "dtemp") != 0)
            ln_card_error(cursor, "'%s' is no parameter that this card knows", name);
    }
    ln_expect_end(cursor);
    if (area != 1)
        ln_warn(cursor->spice->report, cursor->card->place,
                "%s: a diode of straight lines has no area, in LTspice neither; m=%g counts",
                cursor->name, area);
    if (!(m > 0))
        ln_card_error(cursor, "m=%g must be above 0", m);
    return m * cursor->inside->m;
}

static double or_else(double value, double otherwise) {
    return isnan(value) ? otherwise : value;
}

/* The block of the card conducts forwards; the one beside it, ID.rev, where it breaks down. */
static void put_corners(const ln_cursor *cursor, const char *p, const char *n, const double *v,
                        double blocked) {
    ln_spice *spice = cursor->spice;
    ln_element *forward = ln_emit_branch(cursor, "ideal-diode", p, n);
    ln_emit_number(spice, forward, "Ron", v[RON]);
    ln_emit_number(spice, forward, "Goff", blocked);
    ln_emit_number(spice, forward, "Vknee", v[VFWD]);
    if (isnan(v[VREV]))
        return;
    ln_element *reverse = ln_emit(spice, "ideal-diode", cursor->card->place);
    ln_emit_text(spice, reverse, "id", ln_spice_text(spice, "%s.rev", ln_block_id(cursor)));
    ln_emit_text(spice, reverse, "p", n);
    ln_emit_text(spice, reverse, "n", p);
    ln_emit_number(spice, reverse, "Ron", v[RREV]);
    ln_emit_number(spice, reverse, "Goff", 0);
    ln_emit_number(spice, reverse, "Vknee", v[VREV]);
}

static const char *digits(ln_spice *spice, double value) {
    char text[32];
    ln_number_format(text, value);
    return ln_spice_text(spice, "(%s)", text);
}

/* What a side adds to the blocked current, by the voltage x beyond its threshold: slope soft(x), in
 * which a parabola over `width` leads from 0 to x, bent by the limit (NAN: there is none). */
static const char *side(ln_spice *spice, const char *x, double slope, double width, double limit) {
    const char *half = digits(spice, width / 2);
    const char *soft = ln_spice_text(spice, "max(%s - %s, 0)", x, half);
    if (width > 0)
        soft = ln_spice_text(spice, "(min(max(%s + %s, 0), %s)^2/%s + %s)", x, half,
                             digits(spice, width), digits(spice, 2 * width), soft);
    if (isnan(limit))
        return ln_spice_text(spice, "%s*%s", digits(spice, slope), soft);
    return ln_spice_text(spice, "%s*tanh(%s*%s)", digits(spice, limit),
                         digits(spice, slope / limit), soft);
}

static void put_curve(const ln_cursor *cursor, const char *p, const char *n, const double *v,
                      double blocked) {
    ln_spice *spice = cursor->spice;
    ln_controls none = {0};
    const char *across = "(p.v - n.v)/(1 V)";
    const char *formula =
        ln_spice_text(spice, "%s*%s + %s", digits(spice, blocked), across,
                      side(spice, ln_spice_text(spice, "(%s - %s)", across, digits(spice, v[VFWD])),
                           1 / v[RON] - blocked, or_else(v[EPSILON], 0), v[ILIMIT]));
    if (!isnan(v[VREV]))
        formula = ln_spice_text(
            spice, "%s - %s", formula,
            side(spice, ln_spice_text(spice, "(-%s - %s)", across, digits(spice, v[VREV])),
                 1 / v[RREV] - blocked, or_else(v[REVEPSILON], 0), v[REVILIMIT]));
    ln_emit_behavioural(cursor, 'i', p, n, formula, &none);
}

void ln_card_straight_diode(ln_cursor *cursor) {
    double v[COUNT];
    const char *p = ln_take_node(cursor, "the anode"),
               *n = p != NULL ? ln_take_node(cursor, "the cathode") : NULL;
    cursor->at++; /* the model */
    if (n == NULL || !take_model(cursor, v))
        return;
    const double m = take_parallel(cursor);
    if (!(m > 0))
        return;
    const double blocked = m * (isnan(v[ROFF]) ? cursor->spice->settings.gmin : 1 / v[ROFF]);
    v[RON] = or_else(v[RON], 1) / m;
    v[RREV] = isnan(v[RREV]) ? v[RON] : v[RREV] / m;
    v[VFWD] = or_else(v[VFWD], 0);
    v[ILIMIT] *= m, v[REVILIMIT] *= m;
    const int is_bent =
        v[EPSILON] > 0 || v[REVEPSILON] > 0 || !isnan(v[ILIMIT]) || !isnan(v[REVILIMIT]);
    if (is_bent && !(v[RON] > 0 && v[RREV] > 0))
        ln_card_error(cursor, "Ron and Rrev are above 0 where Epsilon or Ilimit round the corners");
    else
        (is_bent ? put_curve : put_corners)(cursor, p, n, v, blocked);
}
