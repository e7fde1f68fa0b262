/* SPDX-License-Identifier: MIT */
/* T, O, Y and U cards: transmission lines without losses, with losses, and of resistance and
 * capacitance (ngspice manual, chapter 6, "Transmission lines").
 *
 * T and lossy lines become blocks with delays: what enters one end arrives at the other one after
 * the travelling time. U, the distributed RC line, becomes a ladder. Values of .model are per unit
 * of length: Ohm/m, H/m, S/m, F/m; the block's parameters are the same, beside the length in m. */
#include "spice/deck.h"
#include "spice/device.h"

#include <math.h>
#include <string.h>

/* t1 p1 n1 p2 n2 z0=50 td=10n, or f= and nl= in place of td=: the length nl in wave lengths at the
 * frequency f, which makes td = nl/f (nl is 0.25 where it is not given). ic=v1,i1,v2,i2 holds with
 * UIC. */
static void lossless(ln_cursor *cursor, const char *const *nodes) {
    static const char *const given[] = {"z0", "zo", "td", "f", "nl"}, *const ours[] = {"Z0", "Z0",
                                                                                       "TD", "F",
                                                                                       "NL"};
    static const char *const starts[] = {"v10", "i10", "v20", "i20"}, *const ports[] = {"p1", "n1",
                                                                                        "p2", "n2"};
    ln_spice *spice = cursor->spice;
    ln_element *element = ln_emit_block(cursor, "transmission-line");
    for (int k = 0; k < 4; k++)
        ln_emit_text(spice, element, ports[k], nodes[k]);
    const char *name;
    double value;
    while (ln_take_pair(cursor, &name, &value)) {
        int k = 0;
        while (k < 5 && strcmp(given[k], name) != 0)
            k++;
        if (k < 5)
            ln_emit_number(spice, element, ours[k], value);
        else if (strcmp(name, "ic") == 0) {
            for (int j = 0; j < 4; j++) {
                if (ln_start_acts(cursor, value))
                    ln_emit_number(spice, element, starts[j], value);
                if (j < 3 && !ln_take_optional(cursor, &value))
                    break;
            }
        } else if (strcmp(name, "rel") != 0 &&
                   strcmp(name, "abs") != 0) /* how ngspice finds breakpoints */
            ln_card_error(cursor, "'%s' is no parameter that this card knows", name);
    }
    if (ln_attribute_of(element, "TD") == NULL && ln_attribute_of(element, "F") == NULL)
        ln_card_error(cursor, "the delay is missing; give td=, or f= and nl=");
    ln_expect_end(cursor);
}

/* o1 p1 n1 p2 n2 model; y1 p1 n1 p2 n2 model len=; u1 p1 p2 ref model l=1m n=6 */
static const struct line {
    char letter;
    const char *kinds[2], *type, *names[7], *ports[4], *ours[6];
} lines[] = {
    {'o',
     {"ltra", NULL},
     "lossy-line",
     {"r", "l", "g", "c", "len", "rel", NULL},
     {"p1", "n1", "p2", "n2"},
     {"R", "L", "G", "C", "LEN", NULL}},
    {'y',
     {"txl", NULL},
     "lossy-line",
     {"r", "l", "g", "c", "length", NULL},
     {"p1", "n1", "p2", "n2"},
     {"R", "L", "G", "C", "LEN", NULL}},
    {'u',
     {"urc", NULL},
     "rc-line",
     {"k", "fmax", "rperl", "cperl", "isperl", "rsperl", NULL},
     {"p1", "p2", "ref", NULL},
     {NULL}},
};

/* The parameters of a line of resistance and capacitance; the defaults are those of SPICE's URC
 * model: a ladder of N sections whose sizes grow from both ends to the middle by the factor K,
 * where N follows from FMAX (Gertzberg, Transmission Line Models for SPICE, Berkeley, 1974). */
static void rc_line(const ln_cursor *cursor, ln_element *element, const double *v, double length,
                    double lumps) {
    ln_spice *spice = cursor->spice;
    if (isnan(length))
        ln_card_error(cursor, "the length l= is missing");
    if (v[4] > 0)
        ln_card_error(cursor, "isperl: a distributed line of diodes is not supported");
    ln_emit_number(spice, element, "R", (isnan(v[2]) ? 1000 : v[2]) * length);
    ln_emit_number(spice, element, "C", (isnan(v[3]) ? 1e-12 : v[3]) * length);
    ln_emit_number(spice, element, "K", isnan(v[0]) ? 1.5 : v[0]);
    ln_emit_number(spice, element, "FMAX", isnan(v[1]) ? 1e9 : v[1]);
    if (!isnan(lumps))
        ln_emit_number(spice, element, "N", lumps);
}

/* A lossy line without inductance: v holds R, L, G, C and the length. Its ladder has lumps of one
 * size, SAME to either side: the error falls as 1/SAME^2, to 1e-4 of a step there. */
static void without_inductance(const ln_cursor *cursor, const char *const *nodes, const double *v) {
    enum { R, L, G, C, LENGTH, SAME = 40 };
    ln_spice *spice = cursor->spice;
    const double length = isnan(v[LENGTH]) ? 1 : v[LENGTH];
    if (!(v[R] > 0) || !(v[C] > 0) || v[G] > 0 || strcmp(nodes[1], nodes[3]) != 0) {
        ln_card_error(cursor,
                      "a lossy line has l= and c= in its .model, or r= and c= alone and one "
                      "node for both returns (an RC line)");
        return;
    }
    ln_element *element = ln_emit_block(cursor, "rc-line");
    ln_emit_text(spice, element, "p1", nodes[0]);
    ln_emit_text(spice, element, "p2", nodes[2]);
    ln_emit_text(spice, element, "ref", nodes[1]);
    ln_emit_number(spice, element, "R", v[R] * length);
    ln_emit_number(spice, element, "C", v[C] * length);
    ln_emit_number(spice, element, "K", 1);
    ln_emit_number(spice, element, "N", SAME);
}

/* Behind the model: the length, and of an RC line the number of lumps. */
static void take_sizes(ln_cursor *cursor, const struct line *kind, double *length, double *lumps) {
    const char *name;
    double value;
    while (kind->letter != 'o' && ln_take_pair(cursor, &name, &value)) {
        if (ln_is_listed("l len length", name))
            *length = value;
        else if (strcmp(name, "n") == 0 && kind->letter == 'u')
            *lumps = value;
        else
            ln_card_error(cursor, "'%s' is no parameter that this card knows", name);
    }
    ln_expect_end(cursor);
}

/* A line whose .model gives R, L, G, C per length, or the parameters of an RC line; its length
 * stands on the card or in the model. */
static void modelled(ln_cursor *cursor, const char *const *nodes, const struct line *kind) {
    ln_spice *spice = cursor->spice;
    double v[6] = {NAN, NAN, NAN, NAN, NAN, NAN}, length = NAN, lumps = NAN;
    const ln_spice_model *model = ln_take_model(cursor, kind->kinds);
    if (model == NULL || ln_model_values(cursor, model->name, kind->kinds[0], kind->names, v) <= 0)
        return;
    take_sizes(cursor, kind, &length, &lumps);
    if (kind->letter == 'y' && !isnan(length))
        v[4] = length;
    if (kind->letter != 'u' && !(v[1] > 0)) {
        without_inductance(cursor, nodes, v);
        return;
    }
    ln_element *element = ln_emit_block(cursor, kind->type);
    for (int k = 0; k < 4 && kind->ports[k] != NULL; k++)
        ln_emit_text(spice, element, kind->ports[k], nodes[k]);
    for (int k = 0; kind->ours[k] != NULL; k++)
        if (!isnan(v[k]))
            ln_emit_number(spice, element, kind->ours[k], v[k]);
    if (kind->letter == 'u')
        rc_line(cursor, element, v, length, lumps);
}

void ln_card_line(ln_cursor *cursor, char letter) {
    const char *nodes[4] = {NULL};
    for (int k = 0; k < (letter == 'u' ? 3 : 4); k++)
        if ((nodes[k] = ln_take_node(cursor, "a node")) == NULL)
            return;
    if (letter == 't')
        lossless(cursor, nodes);
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        if (lines[k].letter == letter)
            modelled(cursor, nodes, &lines[k]);
}
