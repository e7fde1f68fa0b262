/* SPDX-License-Identifier: MIT */
/* S and W cards: switches between two resistances, with hysteresis, closed by a voltage or a
 * current. */
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

/* ON or OFF: the state between the thresholds at the start. */
static int take_state(ln_cursor *cursor, int *closed) {
    if (!ln_peek_is(cursor, 'w'))
        return 0;
    const char *word = ln_peek(cursor)->text;
    if (strcmp(word, "on") != 0 && strcmp(word, "off") != 0)
        return 0;
    *closed = word[1] == 'n';
    cursor->at++;
    return 1;
}

/* PSpice's switches: the logarithm of the resistance follows the control on a cubic from OFF to ON
 * (PSpice reference guide, "Voltage-controlled switch"): ln R = ln sqrt(Ron Roff) + 3/2
 * ln(Ron/Roff) x - 2 ln(Ron/Roff) x^3, x from -1/2 to 1/2. */
static void passage(ln_cursor *cursor, const ln_spice_model *model, const char *p, const char *n,
                    const char *first, const char *second) {
    static const char *const names[2][5] = {{"von", "voff", "ron", "roff", NULL},
                                            {"ion", "ioff", "ron", "roff", NULL}};
    ln_spice *spice = cursor->spice;
    const int is_current = second == NULL;
    double v[4] = {is_current ? 1e-3 : 1, 0, 1, 1e6};
    ln_controls controls = {0};
    char text[4][32];
    cursor->at++;
    if (ln_model_values(cursor, model->name, model->kind, names[is_current], v) <= 0)
        return;
    ln_expect_end(cursor);
    if (v[0] == v[1] || !(v[2] > 0) || !(v[3] > 0)) {
        ln_card_error(cursor, "%s and %s must differ, and resistances be above 0",
                      names[is_current][0], names[is_current][1]);
        return;
    }
    int a = 0, b = 0;
    if (is_current)
        a = ln_control_current(cursor, &controls, first);
    else
        a = ln_control_link(cursor, &controls, first),
        b = ln_control_link(cursor, &controls, second);
    const char *control = is_current
                              ? ln_spice_text(spice, "i%d", a)
                              : ln_spice_text(spice, "((%s%s)/(1 V))",
                                              a > 0 ? ln_spice_text(spice, "c%d.v", a) : "0 V",
                                              b > 0 ? ln_spice_text(spice, " - c%d.v", b) : "");
    ln_number_format(text[0], (v[0] + v[1]) / 2);
    ln_number_format(text[1], v[0] - v[1]);
    ln_number_format(text[2], log(v[2] * v[3]) / 2);
    ln_number_format(text[3], log(v[2] / v[3]));
    const char *x = ln_control_part(
        cursor, &controls, 'a',
        ln_spice_text(spice, "clamp((%s - (%s))/(%s), -0.5, 0.5)", control, text[0], text[1]));
    ln_emit_behavioural(
        cursor, 'r', p, n,
        ln_spice_text(spice, "exp((%s) + (%s)*%s*(1.5 - 2*%s^2))", text[2], text[3], x, x),
        &controls);
    ln_controls_free(&controls);
}

void ln_card_switch(ln_cursor *cursor, char letter) {
    const struct switch_kind *row = &switches[letter == 'w'];
    ln_spice *spice = cursor->spice;
    double v[VALUES] = {NAN, NAN, NAN, NAN};
    int closed = 0;
    const char *p = ln_take_node(cursor, "the first node"),
               *n = p != NULL ? ln_take_node(cursor, "the second node") : NULL;
    if (n == NULL)
        return;
    const char *first = letter == 's' ? ln_take_node(cursor, "the positive controlling node")
                                      : ln_take_name(cursor, "the controlling source");
    const char *second = letter == 's' && first != NULL
                             ? ln_take_node(cursor, "the negative controlling node")
                             : first;
    if (second == NULL)
        return;
    (void)take_state(cursor, &closed); /* ngspice takes it before the model too */
    const ln_spice_model *gradual =
        ln_peek_is(cursor, 'w') ? ln_model_named(cursor->inside->circuit, ln_peek(cursor)->text)
                                : NULL;
    if (gradual != NULL && strcmp(gradual->kind, letter == 's' ? "vswitch" : "iswitch") == 0) {
        passage(cursor, gradual, p, n, first, letter == 's' ? second : NULL);
        return;
    }
    const ln_spice_model *model = ln_take_model(cursor, row->kinds);
    if (model == NULL || ln_model_values(cursor, model->name, row->kinds[0], row->names, v) <= 0)
        return;
    while (take_state(cursor, &closed))
        continue;
    ln_expect_end(cursor);
    if (v[HYSTERESIS] < 0) {
        ln_card_error(
            cursor, "%s=%g: a switch with a gradual passage (negative hysteresis) is not supported",
            row->names[HYSTERESIS], v[HYSTERESIS]);
        return;
    }
    ln_element *element = ln_emit_branch(cursor, row->type, p, n);
    if (letter == 's') {
        ln_emit_text(spice, element, "cp", first);
        ln_emit_text(spice, element, "cn", second);
    } else {
        ln_emit_in_series(cursor, element,
                          ln_spice_text(spice, "%s%s", cursor->inside->prefix, first));
    }
    if (isnan(v[OFF]))
        v[OFF] = 1 / spice->settings.gmin;
    for (int k = 0; k < VALUES; k++)
        if (!isnan(v[k]))
            ln_emit_number(spice, element, row->ours[k], v[k]);
    if (closed)
        ln_emit_text(spice, element, "start", "1");
}
