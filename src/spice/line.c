/* SPDX-License-Identifier: MIT */
/* T, O and U cards: transmission lines without losses, with losses, and of resistance and capacitance. */
#include "spice/deck.h"

#include <math.h>
#include <string.h>

/* t1 p1 n1 p2 n2 z0=50 td=10n, or f= and nl= in place of td=; ic=v1,i1,v2,i2 with UIC. */
static void lossless(ln_cursor *cursor, const char *const *nodes) {
    static const char *const given[] = {"z0", "zo", "td", "f", "nl"}, *const ours[] = {"Z0", "Z0", "TD", "F", "NL"};
    static const char *const starts[] = {"v10", "i10", "v20", "i20"}, *const ports[] = {"p1", "n1", "p2", "n2"};
    ln_spice *spice = cursor->spice;
    ln_element *element = ln_emit_device(cursor, "transmission-line");
    for (int k = 0; k < 4; k++) ln_emit_text(spice, element, ports[k], nodes[k]);
    const char *name;
    double value;
    while (ln_take_pair(cursor, &name, &value)) {
        int k = 0;
        while (k < 5 && strcmp(given[k], name) != 0) k++;
        if (k < 5) ln_emit_number(spice, element, ours[k], value);
        else if (strcmp(name, "ic") == 0) {
            for (int j = 0; j < 4; j++) {
                if (spice->uic) ln_emit_number(spice, element, starts[j], value);
                if (j < 3 && !ln_take_optional(cursor, &value)) break;
            }
        } else if (strcmp(name, "rel") != 0 && strcmp(name, "abs") != 0) /* how ngspice finds breakpoints */
            ln_card_error(cursor, "'%s' is no parameter that this card knows", name);
    }
    if (ln_attribute_of(element, "TD") == NULL && ln_attribute_of(element, "F") == NULL)
        ln_card_error(cursor, "the delay is missing; give td=, or f= and nl=");
    ln_expect_end(cursor);
}

/* o1 p1 n1 p2 n2 model; u1 p1 p2 ref model l=1m n=6 */
static void modelled(ln_cursor *cursor, const char *const *nodes, int is_rc) {
    enum { KNOWN = 6 };
    static const char *const kinds[2][2] = {{"ltra", NULL}, {"urc", NULL}}, *const types[] = {"lossy-line", "rc-line"};
    static const char *const names[2][KNOWN + 1] = {{"r", "l", "g", "c", "len", "rel", NULL}, {"k", "fmax", "rperl", "cperl", "isperl", "rsperl", NULL}};
    static const char *const ports[2][4] = {{"p1", "n1", "p2", "n2"}, {"p1", "p2", "ref", NULL}}, *const lossy[] = {"R", "L", "G", "C", "LEN"};
    ln_spice *spice = cursor->spice;
    double v[KNOWN] = {NAN, NAN, NAN, NAN, NAN, NAN}, length = NAN, lumps = NAN, value;
    const ln_spice_model *model = ln_take_model(cursor, kinds[is_rc]);
    if (model == NULL || ln_model_values(cursor, model->name, kinds[is_rc][0], names[is_rc], v) <= 0) return;
    const char *name;
    while (is_rc && ln_take_pair(cursor, &name, &value)) {
        if (strcmp(name, "l") == 0) length = value;
        else if (strcmp(name, "n") == 0) lumps = value;
        else ln_card_error(cursor, "'%s' is no parameter that this card knows", name);
    }
    ln_expect_end(cursor);
    ln_element *element = ln_emit_device(cursor, types[is_rc]);
    for (int k = 0; k < 4 && ports[is_rc][k] != NULL; k++) ln_emit_text(spice, element, ports[is_rc][k], nodes[k]);
    for (int k = 0; k < 5 && !is_rc; k++)
        if (!isnan(v[k])) ln_emit_number(spice, element, lossy[k], v[k]);
    if (!is_rc) return;
    if (isnan(length)) ln_card_error(cursor, "the length l= is missing");
    if (v[4] > 0) ln_card_error(cursor, "isperl: a distributed line of diodes is not supported");
    /* the defaults are those of SPICE's URC model */
    ln_emit_number(spice, element, "R", (isnan(v[2]) ? 1000 : v[2]) * length);
    ln_emit_number(spice, element, "C", (isnan(v[3]) ? 1e-12 : v[3]) * length);
    ln_emit_number(spice, element, "K", isnan(v[0]) ? 1.5 : v[0]);
    ln_emit_number(spice, element, "FMAX", isnan(v[1]) ? 1e9 : v[1]);
    if (!isnan(lumps)) ln_emit_number(spice, element, "N", lumps);
}

void ln_card_line(ln_cursor *cursor, char letter) {
    const char *nodes[4] = {NULL};
    for (int k = 0; k < (letter == 'u' ? 3 : 4); k++)
        if ((nodes[k] = ln_take_node(cursor, "a node")) == NULL) return;
    if (letter == 't') lossless(cursor, nodes);
    else modelled(cursor, nodes, letter == 'u');
}
