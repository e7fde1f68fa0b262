/* SPDX-License-Identifier: MIT */
/* S and W cards: switches between two resistances, closed by a voltage or a current.
 *
 * Those of ngspice (.model sw, csw; ngspice manual, 3.3.15, "Switches") jump at thresholds with
 * hysteresis and become a block with a memory. Those of PSpice (vswitch, iswitch) pass gradually
 * from one resistance to the other and become a behavioural resistance. */
#include "spice/deck.h"

#include <math.h>
#include <string.h>

enum { THRESHOLD, HYSTERESIS, ON, OFF, VALUES };

static const struct switch_kind {
    char letter;
    const char *type, *kinds[2], *names[VALUES + 1], *ours[VALUES];
} switches[] = {
    {'s',
     "voltage-controlled-switch",
     {"sw", NULL},
     {"vt", "vh", "ron", "roff", NULL},
     {"VT", "VH", "Ron", "Roff"}},
    {'w',
     "current-controlled-switch",
     {"csw", NULL},
     {"it", "ih", "ron", "roff", NULL},
     {"IT", "IH", "Ron", "Roff"}},
};

/* ON or OFF: the state between the thresholds at the start. Ideal switches of this kind close where
 * the control rises above VT + VH and open where it falls below VT - VH. */
static int take_state(ln_cursor *cursor, int *closed) {
    const int is_on = ln_take_word(cursor, "on");
    if (!is_on && !ln_take_word(cursor, "off"))
        return 0;
    *closed = is_on;
    return 1;
}

/* A switch, and what closes it: the voltage between two nodes, or a source's current. */
typedef struct switch_card {
    const struct switch_kind *kind;
    const char *p, *n, *control[2]; /* second NULL: a current */
    int closed;
} switch_card;

static int follows_current(const switch_card *card) {
    return card->control[1] == NULL;
}

/* ---- gradual ---- */

/* The controlling quantity as a number: "i1" or "((c1.v - c2.v)/(1 V))". */
static const char *control_of(const ln_cursor *cursor, const switch_card *card,
                              ln_controls *controls) {
    ln_spice *spice = cursor->spice;
    if (follows_current(card))
        return ln_spice_text(spice, "i%d", ln_control_current(cursor, controls, card->control[0]));
    const int a = ln_control_link(cursor, controls, card->control[0]),
              b = ln_control_link(cursor, controls, card->control[1]);
    return ln_spice_text(spice, "((%s%s)/(1 V))", a > 0 ? ln_spice_text(spice, "c%d.v", a) : "0 V",
                         b > 0 ? ln_spice_text(spice, " - c%d.v", b) : "");
}

/* The logarithm of the resistance follows the control on a cubic from OFF to ON (PSpice reference
 * guide, "Voltage-controlled switch"): ln R = ln sqrt(Ron Roff) + 3/2 ln(Ron/Roff) x
 * - 2 ln(Ron/Roff) x^3, x = (control - (on + off)/2)/(on - off) within -1/2 and 1/2. */
static void emit_passage(const ln_cursor *cursor, const switch_card *card, const double *v) {
    ln_spice *spice = cursor->spice;
    ln_controls controls = {0};
    char middle[32], span[32], mean[32], ratio[32];
    const char *control = control_of(cursor, card, &controls);
    ln_number_format(middle, (v[0] + v[1]) / 2);
    ln_number_format(span, v[0] - v[1]);
    ln_number_format(mean, log(v[2] * v[3]) / 2);
    ln_number_format(ratio, log(v[2] / v[3]));
    const char *x = ln_control_part(
        cursor, &controls, 'a',
        ln_spice_text(spice, "clamp((%s - (%s))/(%s), -0.5, 0.5)", control, middle, span));
    ln_emit_behavioural(
        cursor, 'r', card->p, card->n,
        ln_spice_text(spice, "exp((%s) + (%s)*%s*(1.5 - 2*%s^2))", mean, ratio, x, x), &controls);
    ln_controls_free(&controls);
}

/* The cursor stands on the name of the model. */
static void take_gradual(ln_cursor *cursor, const switch_card *card, const ln_spice_model *model) {
    static const char *const names[2][5] = {{"von", "voff", "ron", "roff", NULL},
                                            {"ion", "ioff", "ron", "roff", NULL}};
    const int is_current = follows_current(card);
    double v[4] = {is_current ? 1e-3 : 1, 0, 1, 1e6};
    cursor->at++;
    if (ln_model_values(cursor, model->name, model->kind, names[is_current], v) <= 0)
        return;
    ln_expect_end(cursor);
    if (v[0] == v[1] || !(v[2] > 0) || !(v[3] > 0))
        ln_card_error(cursor, "%s and %s must differ, and resistances be above 0",
                      names[is_current][0], names[is_current][1]);
    else
        emit_passage(cursor, card, v);
}

/* ---- with hysteresis ---- */

static void emit_switch(const ln_cursor *cursor, const switch_card *card, const double *v) {
    ln_spice *spice = cursor->spice;
    ln_element *element = ln_emit_branch(cursor, card->kind->type, card->p, card->n);
    if (follows_current(card)) {
        ln_emit_in_series(cursor, element,
                          ln_spice_text(spice, "%s%s", cursor->inside->prefix, card->control[0]));
    } else {
        ln_emit_text(spice, element, "cp", card->control[0]);
        ln_emit_text(spice, element, "cn", card->control[1]);
    }
    for (int k = 0; k < VALUES; k++)
        if (!isnan(v[k]))
            ln_emit_number(spice, element, card->kind->ours[k], v[k]);
    if (card->closed)
        ln_emit_text(spice, element, "start", "1");
}

static void take_hysteretic(ln_cursor *cursor, switch_card *card) {
    const struct switch_kind *kind = card->kind;
    double v[VALUES] = {NAN, NAN, NAN, NAN};
    const ln_spice_model *model = ln_take_model(cursor, kind->kinds);
    if (model == NULL || ln_model_values(cursor, model->name, kind->kinds[0], kind->names, v) <= 0)
        return;
    while (take_state(cursor, &card->closed))
        continue;
    ln_expect_end(cursor);
    if (v[HYSTERESIS] < 0) {
        ln_card_error(
            cursor, "%s=%g: a switch with a gradual passage (negative hysteresis) is not supported",
            kind->names[HYSTERESIS], v[HYSTERESIS]);
        return;
    }
    if (isnan(v[OFF]))
        v[OFF] = 1 / cursor->spice->settings.gmin; /* ngspice's default */
    emit_switch(cursor, card, v);
}

/* ---- the card ---- */

/* 0 reported. */
static int take_terminals(ln_cursor *cursor, char letter, switch_card *card) {
    card->p = ln_take_node(cursor, "the first node");
    card->n = card->p != NULL ? ln_take_node(cursor, "the second node") : NULL;
    if (card->n == NULL)
        return 0;
    if (letter == 'w')
        return (card->control[0] = ln_take_name(cursor, "the controlling source")) != NULL;
    card->control[0] = ln_take_node(cursor, "the positive controlling node");
    if (card->control[0] != NULL)
        card->control[1] = ln_take_node(cursor, "the negative controlling node");
    return card->control[1] != NULL;
}

void ln_card_switch(ln_cursor *cursor, char letter) {
    switch_card card = {.kind = &switches[letter == 'w']};
    if (!take_terminals(cursor, letter, &card))
        return;
    (void)take_state(cursor, &card.closed); /* ngspice takes it before the model too */
    const ln_spice_model *model =
        ln_peek_is(cursor, 'w') ? ln_model_named(cursor->inside->circuit, ln_peek(cursor)->text)
                                : NULL;
    if (model != NULL && strcmp(model->kind, letter == 's' ? "vswitch" : "iswitch") == 0)
        take_gradual(cursor, &card, model);
    else
        take_hysteretic(cursor, &card);
}
