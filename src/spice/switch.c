/* SPDX-License-Identifier: MIT */
/* S and W cards: switches between two resistances, with hysteresis, closed by a voltage or a current. */
#include "spice/deck.h"

#include <math.h>
#include <string.h>

enum { THRESHOLD, HYSTERESIS, ON, OFF, VALUES };

static const struct switch_kind {
    char letter;
    const char *type, *kinds[2], *names[VALUES + 1], *ours[VALUES];
} switches[] = {
    {'s', "voltage-controlled-switch", {"sw", NULL}, {"vt", "vh", "ron", "roff", NULL}, {"VT", "VH", "RON", "ROFF"}},
    {'w', "current-controlled-switch", {"csw", NULL}, {"it", "ih", "ron", "roff", NULL}, {"IT", "IH", "RON", "ROFF"}},
};

/* ON or OFF: the state between the thresholds at the start. */
static int take_state(ln_cursor *cursor, int *closed) {
    if (!ln_peek_is(cursor, 'w')) return 0;
    const char *word = ln_peek(cursor)->text;
    if (strcmp(word, "on") != 0 && strcmp(word, "off") != 0) return 0;
    *closed = word[1] == 'n';
    cursor->at++;
    return 1;
}

void ln_card_switch(ln_cursor *cursor, char letter) {
    const struct switch_kind *it = &switches[letter == 'w'];
    ln_spice *spice = cursor->spice;
    double v[VALUES] = {NAN, NAN, NAN, NAN};
    int closed = 0;
    const char *p = ln_take_node(cursor, "the first node"), *n = p != NULL ? ln_take_node(cursor, "the second node") : NULL;
    if (n == NULL) return;
    const char *first = letter == 's' ? ln_take_node(cursor, "the positive controlling node")
                                      : ln_take_name(cursor, "the controlling source");
    const char *second = letter == 's' && first != NULL ? ln_take_node(cursor, "the negative controlling node") : first;
    if (second == NULL) return;
    (void)take_state(cursor, &closed); /* ngspice takes it before the model too */
    const ln_spice_model *model = ln_take_model(cursor, it->kinds);
    if (model == NULL || ln_model_values(cursor, model->name, it->kinds[0], it->names, v) <= 0) return;
    while (take_state(cursor, &closed)) continue;
    ln_expect_end(cursor);
    if (v[HYSTERESIS] < 0) {
        ln_card_error(cursor, "%s=%g: a switch with a gradual passage (negative hysteresis) is not supported",
                      it->names[HYSTERESIS], v[HYSTERESIS]);
        return;
    }
    ln_element *element = ln_emit_branch(cursor, it->type, p, n);
    if (letter == 's') {
        ln_emit_text(spice, element, "cp", first);
        ln_emit_text(spice, element, "cn", second);
    } else {
        ln_emit_in_series(cursor, element, ln_spice_text(spice, "%s%s", cursor->inside->prefix, first));
    }
    if (isnan(v[OFF])) v[OFF] = 1 / spice->gmin;
    for (int k = 0; k < VALUES; k++)
        if (!isnan(v[k])) ln_emit_number(spice, element, it->ours[k], v[k]);
    if (closed) ln_emit_text(spice, element, "start", "1");
}
