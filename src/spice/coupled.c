/* SPDX-License-Identifier: MIT */
/* K cards: inductors that couplings join, directly or over others, become one block of a generated
 * type, whose equations are
 *
 *     sum over b of M_ab der(i_b) = v_a,   M_ab = k_ab sqrt(L_a L_b),   k_aa = 1.
 *
 * with v_a the voltage of winding a, from its first node to its second, L in H. "K1 L1 L2 L3 0.99"
 * couples each pair. The currents of a group are its states; with k = 1 the matrix M is singular
 * and fewer of them are independent: an ideal transformer with its magnetising inductance. The
 * first node of each inductor is the dotted one, a negative k turns the second winding round.
 *
 * A K card may stand before its inductors and in several cards of a group, so groups are made when
 * all cards are read; the inductors' own elements are taken out then. */
#include "spice/deck.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

enum { MOST_OF_CARD = 32, MOST_OF_GROUP = 64 };

/* k1 l1 l2 [l3 ...] value: every pair of them. */
void ln_card_coupling(ln_cursor *cursor, char letter) {
    ln_spice *spice = cursor->spice;
    const char *names[MOST_OF_CARD];
    int count = 0;
    double k;
    (void)letter;
    while (ln_peek_is(cursor, 'w') && ln_peek(cursor)->text[0] == 'l' && count < MOST_OF_CARD)
        names[count++] = ln_spice_text(spice, "%s%s", cursor->inside->prefix,
                                       ln_take_name(cursor, "an inductor"));
    if (count < 2) {
        ln_card_error(cursor, "write K1 L1 L2 coupling");
        return;
    }
    if (!ln_take_value(cursor, "a coupling", &k))
        return;
    ln_expect_end(cursor);
    if (!(fabs(k) <= 1))
        ln_card_error(cursor, "a coupling of %g is not within -1 and 1", k);
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++)
            LN_SPICE_ADD(spice, spice->inductors.couplings,
                         (ln_coupling){.a = -1,
                                       .b = -1,
                                       .k = k,
                                       .place = cursor->card->place,
                                       .name = cursor->name,
                                       .names = {names[a], names[b]}});
}

/* ---- a group as a block ---- */

typedef struct group {
    ln_spice *spice;
    const ln_coupling *first;   /* whose name and place the group bears */
    int members[MOST_OF_GROUP]; /* indices of windings */
    int count;
    ln_element *type, *last; /* the generated type, its last child */
    ln_element *block;
} group;

/* The group's a-th winding. */
static const ln_winding *winding(const group *joined, int a) {
    return &joined->spice->inductors.windings.items[joined->members[a]];
}

static ln_element *add_child(group *joined, const char *what) {
    return joined->last =
               ln_emit_child(joined->spice, joined->type, joined->last, what, joined->first->place);
}

/* The element's name as that of a type: letters, digits and '-'. */
static const char *type_name(ln_spice *spice, const char *coupling) {
    const char *name = ln_spice_text(spice, "coupled-%s", coupling);
    char *plain = ln_arena_string(spice->arena, name);
    if (plain == NULL)
        return ln_spice_no_memory(spice), name;
    for (char *c = plain; *c != '\0'; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '-'))
            *c = '_';
    return plain;
}

/* Ports p1, n1, p2, ...: of the type, and joined to the block's links. */
static void add_ports(group *joined) {
    ln_spice *spice = joined->spice;
    for (int a = 0; a < joined->count; a++)
        for (int side = 0; side < 2; side++) {
            const char *port = ln_spice_text(spice, "%s%d", side ? "n" : "p", a + 1);
            ln_element *child = add_child(joined, "port");
            ln_emit_text(spice, child, "name", port);
            ln_emit_text(spice, child, "domain", "electrical");
            ln_emit_text(spice, joined->block, port,
                         side ? winding(joined, a)->n : winding(joined, a)->p);
        }
}

/* States i1, i2, ...: the currents. */
static void add_currents(group *joined) {
    ln_spice *spice = joined->spice;
    for (int a = 0; a < joined->count; a++) {
        const char *start = winding(joined, a)->start;
        ln_element *child = add_child(joined, "state");
        ln_emit_text(spice, child, "name", ln_spice_text(spice, "i%d", a + 1));
        ln_emit_text(spice, child, "unit", "A");
        ln_emit_text(spice, child, "start", start != NULL ? start : "0");
    }
}

/* k of two windings: of several couplings between them the last counts. */
static double coupling_of(const group *joined, int a, int b) {
    const ln_inductors *inductors = &joined->spice->inductors;
    const int first = joined->members[a], second = joined->members[b];
    double k = a == b ? 1 : 0;
    for (size_t j = 0; j < inductors->couplings.count; j++) {
        const ln_coupling *coupling = &inductors->couplings.items[j];
        if ((coupling->a == first && coupling->b == second) ||
            (coupling->a == second && coupling->b == first))
            k = coupling->k;
    }
    return k;
}

/* M of two windings, k sqrt(|La Lb|) as in SPICE3, where either inductance may be negative; of one
 * with itself L, sign and all. */
static double mutual(const group *joined, int a, int b, double k) {
    const double own = winding(joined, a)->henry;
    return a == b ? own : k * sqrt(fabs(own * winding(joined, b)->henry));
}

/* "(M_a1 H)*der(i1) + (M_a2 H)*der(i2) + ...", without those that are zero */
static const char *induced_voltage(const group *joined, int a) {
    ln_text sum = {0};
    for (int b = 0; b < joined->count; b++) {
        const double k = coupling_of(joined, a, b);
        char digits[32];
        ln_number_format(digits, mutual(joined, a, b, k));
        if (k != 0)
            ln_text_printf(&sum, "%s(%s H)*der(i%d)", sum.length > 0 ? " + " : "", digits, b + 1);
    }
    const char *text = ln_spice_text(joined->spice, "%s", sum.data);
    ln_spice_text_free(joined->spice, &sum);
    return text;
}

/* For each winding the voltage it has by all currents, and that its current goes through both of
 * its ports. */
static void add_equations(group *joined) {
    ln_spice *spice = joined->spice;
    for (int a = 0; a < joined->count; a++) {
        const char *lines[3] = {
            ln_spice_text(spice, "%s = p%d.v - n%d.v", induced_voltage(joined, a), a + 1, a + 1),
            ln_spice_text(spice, "p%d.i = i%d", a + 1, a + 1),
            ln_spice_text(spice, "n%d.i = -i%d", a + 1, a + 1)};
        for (int k = 0; k < 3; k++)
            add_child(joined, "equation")->text = lines[k];
    }
}

/* The inductors' elements lose their names, by which they are taken out; what records or follows
 * their currents finds those of the block. */
static void replace_inductors(const group *joined) {
    ln_spice *spice = joined->spice;
    for (int a = 0; a < joined->count; a++) {
        ln_emitted *known = ln_emitted_named(spice, winding(joined, a)->name);
        if (known != NULL) {
            known->ports = NULL;
            known->current = ln_spice_text(spice, "%s.coupled.i%d", joined->first->name, a + 1);
        }
        winding(joined, a)->element->name = NULL;
    }
}

/* The generated type and its one block "k1.coupled". */
static void make_group(group *joined) {
    ln_spice *spice = joined->spice;
    const ln_coupling *first = joined->first;
    const char *name = type_name(spice, first->name);
    joined->type = ln_emit(spice, "block-type", first->place);
    ln_emit_text(spice, joined->type, "name", name);
    ln_emit_text(spice, joined->type, "doc", "Made from a SPICE K card");
    joined->block = ln_emit(spice, name, first->place);
    ln_emit_text(spice, joined->block, "id", ln_spice_text(spice, "%s.coupled", first->name));
    add_ports(joined);
    add_currents(joined);
    add_equations(joined);
    replace_inductors(joined);
}

/* ---- which belong together ---- */

/* The coupling's first or second inductor; -1, reported. */
static int winding_of(ln_spice *spice, const ln_coupling *coupling, int side) {
    const int index = ln_map_get(spice->inductors.names, coupling->names[side]);
    if (index < 0)
        ln_spice_error(spice, coupling->place, "%s: '%s' is no inductor of this circuit",
                       coupling->name, coupling->names[side]);
    return index;
}

/* The couplings' inductors by name; 0 reported. */
static int find_windings(ln_spice *spice) {
    for (size_t k = 0; k < spice->inductors.couplings.count; k++) {
        ln_coupling *coupling = &spice->inductors.couplings.items[k];
        coupling->a = winding_of(spice, coupling, 0);
        coupling->b = winding_of(spice, coupling, 1);
        if (coupling->a < 0 || coupling->b < 0)
            return 0;
    }
    return 1;
}

/* A coupling with one end in group k brings the other end into it. 1: it did; -1: reported. */
static int join(group *joined, int k, const ln_coupling *coupling) {
    ln_winding *windings = joined->spice->inductors.windings.items;
    const int has_a = windings[coupling->a].group == k, has_b = windings[coupling->b].group == k;
    if (has_a == has_b)
        return 0;
    const int fresh = has_a ? coupling->b : coupling->a;
    if (joined->count == MOST_OF_GROUP) {
        ln_spice_error(joined->spice, coupling->place,
                       "more than %d inductors are coupled to one another, the limit",
                       MOST_OF_GROUP);
        return -1;
    }
    windings[fresh].group = k;
    joined->members[joined->count++] = fresh;
    return 1;
}

/* Everything that coupling k and those behind it join to its first inductor; 0 reported. */
static int gather(group *joined, size_t k) {
    const ln_inductors *inductors = &joined->spice->inductors;
    joined->first = &inductors->couplings.items[k];
    joined->members[0] = joined->first->a;
    joined->count = 1;
    inductors->windings.items[joined->first->a].group = (int)k;
    for (int grown = 1; grown > 0;) {
        grown = 0;
        for (size_t j = k; j < inductors->couplings.count; j++) {
            const int more = join(joined, (int)k, &inductors->couplings.items[j]);
            if (more < 0)
                return 0;
            grown += more;
        }
    }
    return 1;
}

/* Takes elements without a name out of the model. */
static void remove_nameless(ln_model_tree *tree) {
    ln_element **link = &tree->root->first;
    for (ln_element *element = tree->root->first; element != NULL; element = element->next) {
        if (element->name == NULL)
            continue;
        *link = element;
        link = &element->next;
        tree->last_child = element;
    }
    *link = NULL;
}

void ln_spice_couple(ln_spice *spice) {
    const ln_inductors *inductors = &spice->inductors;
    if (inductors->couplings.count == 0 || !find_windings(spice))
        return;
    for (size_t k = 0; k < inductors->couplings.count; k++) {
        group joined = {.spice = spice};
        if (inductors->windings.items[inductors->couplings.items[k].a].group >= 0)
            continue;
        if (!gather(&joined, k))
            return;
        make_group(&joined);
    }
    remove_nameless(&spice->tree);
}
