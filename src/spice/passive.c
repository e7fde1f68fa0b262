/* SPDX-License-Identifier: MIT */
/* R, C, L and K cards. A value is a number or a parameter, or comes from a .model of the kind r, c
 * or l and l= and w=; it is scaled by scale= and m= and by 1 + tc1 dT + tc2 dT^2 over the nominal
 * temperature (ngspice manual, 3.3). */
#include "base/sys.h"
#include "spice/deck.h"

#include <math.h>
#include <string.h>

/* What all three cards may say; NAN: not said. The order is that of `words`. */
typedef struct passive {
    double value, ic, m, scale, tc1, tc2, temp, dtemp, l, w, tce;
    double rser, lser, rpar, cpar; /* LTspice's parasitics; 0, or NAN: there is none */
    const char *formula;           /* of what follows the circuit */
    int is_charge;                 /* the formula gives q, not c */
    const char *p, *n, *model;
} passive;

static const char *const words[] = {"",  "ic", "m",   "scale", "tc1",  "tc2",  "temp", "dtemp",
                                    "l", "w",  "tce", "rser",  "lser", "rpar", "cpar"};
enum { PARASITES = 11 }; /* from here on: of L and C only */

/* Has a card of this letter the k-th word? */
static int belongs(int k, char letter) {
    if (letter == 'r')
        return k != 1 && k < PARASITES;
    return letter == 'c' || strcmp(words[k], "lser") != 0;
}

/* name=value pairs; `own` is another name of the value ("r"). */
static void options(ln_cursor *cursor, passive *card, const char *own) {
    double *const values[] = {&card->value, &card->ic,   &card->m,     &card->scale, &card->tc1,
                              &card->tc2,   &card->temp, &card->dtemp, &card->l,     &card->w,
                              &card->tce,   &card->rser, &card->lser,  &card->rpar,  &card->cpar};
    enum { WORDS = sizeof words / sizeof *words };
    while (ln_peek_pair(cursor)) {
        const char *name = ln_peek(cursor)->text;
        int k = 1;
        while (k < WORDS && strcmp(words[k], name) != 0)
            k++;
        if (strcmp(name, own) == 0)
            k = 0;
        if (k == WORDS && strcmp(name, "tc") == 0) { /* tc=tc1,tc2 */
            if (!ln_take_pair(cursor, &name, &card->tc1))
                return;
            if (!ln_peek_pair(cursor))
                (void)ln_take_optional(cursor, &card->tc2);
            continue;
        }
        if (k == WORDS && own[0] == 'r' && strcmp(name, "ac") == 0) {
            double idle;
            if (!ln_take_pair(cursor, &name, &idle))
                return;
            ln_warn(cursor->spice->report, cursor->card->place,
                    "%s: ac=%g has no effect: the frequency response is that of the linearised "
                    "circuit, with the resistance at rest",
                    cursor->name, idle);
            continue;
        }
        if (k == WORDS && strcmp(name, "noisy") == 0) { /* there is no noise to leave out */
            cursor->at += 3;
            continue;
        }
        if (k == WORDS || !belongs(k, own[0])) {
            ln_card_error(cursor, "'%s' is no parameter that this card knows", name);
            cursor->at = cursor->count;
            return;
        }
        if (!ln_take_pair(cursor, &name, values[k]))
            return;
    }
    ln_expect_end(cursor);
}

/* A value that follows the circuit or time is a formula, and taken here; any other is left where it
 * stands, to be computed. 0 reported. */
static int take_following(ln_cursor *cursor, passive *card) {
    ln_spice *spice = cursor->spice;
    const int at = cursor->at, pair = ln_peek_pair(cursor);
    if (pair)
        cursor->at += 2;
    const char *text = ln_take_formula(cursor);
    const ln_formula *formula =
        text != NULL ? ln_formula_parse(spice, text, cursor->card->place) : NULL;
    if (formula == NULL)
        return 0;
    if (card->is_charge || ln_formula_follows(spice, cursor->inside->scope, formula))
        card->formula = text;
    else
        cursor->at = at;
    return 1;
}

static int take(ln_cursor *cursor, passive *card, const char *own) {
    *card = (passive){.value = NAN,
                      .ic = NAN,
                      .m = 1,
                      .scale = 1,
                      .tc1 = NAN,
                      .tc2 = NAN,
                      .temp = NAN,
                      .dtemp = 0,
                      .l = NAN,
                      .w = NAN,
                      .tce = NAN,
                      .rser = 0,
                      .lser = 0,
                      .rpar = NAN,
                      .cpar = 0};
    card->p = ln_take_node(cursor, "the first node");
    card->n = card->p != NULL ? ln_take_node(cursor, "the second node") : NULL;
    if (card->n == NULL)
        return 0;
    const ln_spice_word *word = ln_peek(cursor);
    const int charge = ln_peek_pair(cursor) && own[0] == 'c' && strcmp(word->text, "q") == 0;
    const int pair = ln_peek_pair(cursor) && (charge || strcmp(word->text, own) == 0);
    card->is_charge = charge;
    if (word != NULL && (word->kind == '{' || (pair && cursor->at + 2 < cursor->count))) {
        if (!take_following(cursor, card))
            return 0;
    }
    if (card->formula == NULL && word != NULL && !ln_peek_pair(cursor) &&
        !ln_take_optional(cursor, &card->value) && ln_peek_is(cursor, 'w')) {
        card->model = ln_take_name(cursor, "a model");
        (void)ln_take_optional(cursor, &card->value);
    }
    if (word != NULL && word->kind == 'w' && !isnan(card->value))
        ln_check_letters(cursor, word, own[0]);
    options(cursor, card, own);
    card->m *= cursor->inside->m;
    return 1;
}

/* The temperature's factor; card before model. */
static double warm(const ln_cursor *cursor, const passive *card, double tc1, double tc2) {
    const double temperature =
                     (isnan(card->temp) ? cursor->spice->settings.temperature : card->temp) +
                     card->dtemp,
                 d = temperature - cursor->spice->settings.nominal;
    const double a = isnan(card->tc1) ? isnan(tc1) ? 0 : tc1 : card->tc1,
                 b = isnan(card->tc2) ? isnan(tc2) ? 0 : tc2 : card->tc2;
    /* ngspice manual, 3.3.1 */
    return isnan(card->tce) ? 1 + a * d + b * d * d : pow(1.01, card->tce * d);
}

static double either(double first, double second) {
    return isnan(first) ? second : first;
}

/* "4k7" is written so on the bench. */
static void not_a_value(const ln_cursor *cursor, const char *text, const char *kind) {
    const size_t digits = strspn(text, "0123456789"), rest = strlen(text);
    const int on_bench = digits > 0 && digits + 2 <= rest &&
                         strspn(text + digits + 1, "0123456789") == rest - digits - 1;
    if (on_bench)
        ln_card_error(cursor, "'%.60s': a prefix stands behind all digits: %.*s.%s%c", text,
                      (int)digits, text, text + digits + 1, text[digits]);
    else
        ln_card_error(cursor, "'%.60s' is neither a number, a parameter nor a .model of kind %s",
                      text, kind);
}

/* The model's values, NAN where it is silent; 0 reported. */
static int modelled(const ln_cursor *cursor, const passive *card, const char *kind,
                    const char *const *names, double *values) {
    for (int k = 0; names[k] != NULL; k++)
        values[k] = NAN;
    if (card->model == NULL)
        return 1;
    int found = ln_model_values(cursor, card->model, kind, names, values);
    if (found == 0)
        not_a_value(cursor, card->model, kind);
    return found > 0;
}

static void no_value(const ln_cursor *cursor) {
    ln_card_error(cursor, "it has no value");
}

/* A value that follows the circuit: a behavioural element. */
static void follow(const ln_cursor *cursor, const passive *card, char kind) {
    ln_spice *spice = cursor->spice;
    ln_controls controls = {0};
    ln_text text = {0};
    const double factor = card->scale * (kind == 'r' || kind == 'l' ? 1 / card->m : card->m) *
                          warm(cursor, card, NAN, NAN);
    char digits[32];
    ln_number_format(digits, factor);
    if (spice->settings.uic && !isnan(card->ic))
        ln_card_error(cursor, "ic= beside an expression that follows the circuit is not supported; "
                              "give .ic for its node");
    if (ln_formula_print(cursor, ln_formula_parse(spice, card->formula, cursor->card->place),
                         &controls, &text))
        ln_emit_behavioural(cursor, kind, card->p, card->n,
                            factor != 1 ? ln_spice_text(spice, "(%s)*(%s)", text.data, digits)
                                        : ln_spice_text(spice, "%s", text.data),
                            &controls);
    ln_text_free(&text);
    ln_controls_free(&controls);
}

/* LTspice's parasitics, as elements of their own: what is in series stands between p and the
 * element, which then has another first node; what is parallel stands across all of it. Of m
 * elements in parallel there are m of each. */
static void surround(const ln_cursor *cursor, passive *card) {
    ln_spice *spice = cursor->spice;
    const struct {
        double value;
        const char *type, *parameter, *suffix;
    } parts[] = {{card->rpar / card->m, "resistor", "R", "Rpar"},
                 {card->cpar * card->m, "capacitor", "C", "Cpar"},
                 {card->rser / card->m, "resistor", "R", "Rser"},
                 {card->lser / card->m, "inductor", "L", "Lser"}};
    for (int k = 0; k < 4; k++) {
        if (isnan(parts[k].value) || parts[k].value == 0)
            continue;
        const char *end = card->n;
        if (k >= 2)
            end = ln_spice_text(spice, "%s.%s", cursor->name, parts[k].suffix);
        ln_element *part = ln_emit(spice, parts[k].type, cursor->card->place, 5);
        ln_emit_text(spice, part, "id",
                     ln_spice_text(spice, "%s.%s", ln_block_id(cursor), parts[k].suffix));
        ln_emit_text(spice, part, "p", card->p);
        ln_emit_text(spice, part, "n", end);
        ln_emit_number(spice, part, parts[k].parameter, parts[k].value);
        if (k >= 2)
            card->p = end;
    }
}

void ln_series_resistance(const ln_cursor *cursor, const char **p, const char *n, double rser,
                          double cpar) {
    passive card = {.p = *p, .n = n, .m = 1, .rser = rser, .rpar = NAN, .cpar = cpar};
    surround(cursor, &card);
    *p = card.p;
}

void ln_card_resistor(ln_cursor *cursor) {
    static const char *const names[] = {"r",      "tc1", "tc2", "rsh", "defw",
                                        "narrow", "l",   "w",   "tce", NULL};
    passive card;
    double v[9];
    if (!take(cursor, &card, "r") || !modelled(cursor, &card, "r", names, v))
        return;
    ln_spice *spice = cursor->spice;
    if (isnan(card.tc1) && isnan(card.tc2))
        card.tce = either(card.tce, v[8]);
    if (card.formula != NULL) {
        follow(cursor, &card, 'r');
        return;
    }
    const double narrow = isnan(v[5]) ? 0 : v[5];
    if (isnan(card.value) && !isnan(card.l) && !isnan(v[3]))
        card.value =
            v[3] * (card.l - narrow) / (either(card.w, either(v[7], either(v[4], 10e-6))) - narrow);
    double ohm = either(card.value, v[0]) * card.scale / card.m * warm(cursor, &card, v[1], v[2]);
    if (isnan(ohm)) {
        no_value(cursor);
        return;
    }
    if (ohm == 0) {
        ln_warn(spice->report, cursor->card->place,
                "%s: a resistance of 0 becomes 1 mOhm, as in ngspice", cursor->name);
        ohm = 1e-3;
    }
    ln_element *element =
        ln_emit_branch(cursor, ohm > 0 ? "resistor" : "conductor", card.p, card.n);
    ln_emit_number(spice, element, ohm > 0 ? "R" : "G", ohm > 0 ? ohm : 1 / ohm);
}

/* The voltage that .ic gives two nodes, with UIC; NAN: it gives none of them. */
static double voltage_at_start(const ln_spice *spice, const char *p, const char *n) {
    double value = 0;
    int given = 0;
    for (size_t k = 0; k < spice->settings.initial.count; k++) {
        const ln_initial *initial = &spice->settings.initial.items[k];
        if (strcmp(initial->node, p) == 0)
            value += initial->value, given = 1;
        if (strcmp(initial->node, n) == 0)
            value -= initial->value, given = 1;
    }
    return given ? value : NAN;
}

void ln_card_capacitor(ln_cursor *cursor) {
    static const char *const names[] = {"cap",  "tc1",  "tc2",    "cj",    "cjsw",
                                        "defw", "defl", "narrow", "short", NULL};
    passive card;
    double v[9];
    if (!take(cursor, &card, "c") || !modelled(cursor, &card, "c", names, v))
        return;
    ln_spice *spice = cursor->spice;
    if (card.formula != NULL) {
        follow(cursor, &card, card.is_charge ? 'q' : 'c');
        return;
    }
    if (isnan(card.value) && !isnan(v[3]) && !isnan(either(card.l, v[6]))) {
        const double l = either(card.l, v[6]) - (isnan(v[8]) ? 0 : v[8]),
                     w = either(card.w, either(v[5], 10e-6)) - (isnan(v[7]) ? 0 : v[7]);
        card.value = v[3] * l * w + 2 * (isnan(v[4]) ? 0 : v[4]) * (l + w);
    }
    const double farad =
        either(card.value, v[0]) * card.scale * card.m * warm(cursor, &card, v[1], v[2]);
    if (isnan(farad)) {
        no_value(cursor);
        return;
    }
    surround(cursor, &card);
    if (farad < 0) { /* of macro models; the block's is positive */
        char digits[32];
        ln_controls none = {0};
        ln_number_format(digits, farad);
        ln_emit_behavioural(cursor, 'c', card.p, card.n, ln_spice_text(spice, "(%s)", digits),
                            &none);
        return;
    }
    ln_element *element =
        ln_emit_branch(cursor, farad != 0 ? "capacitor" : "conductor", card.p, card.n);
    ln_emit_number(spice, element, farad != 0 ? "C" : "G", farad);
    const double start =
        spice->settings.uic ? either(card.ic, voltage_at_start(spice, card.p, card.n)) : NAN;
    if (farad != 0 && !isnan(start))
        ln_emit_number(spice, element, "v0", start);
}

void ln_card_inductor(ln_cursor *cursor) {
    static const char *const names[] = {"ind", "tc1", "tc2", NULL};
    passive card;
    double v[3];
    if (!take(cursor, &card, "l") || !modelled(cursor, &card, "l", names, v))
        return;
    ln_spice *spice = cursor->spice;
    if (card.formula != NULL) {
        follow(cursor, &card, 'l');
        return;
    }
    const double henry =
        either(card.value, v[0]) * card.scale / card.m * warm(cursor, &card, v[1], v[2]);
    if (isnan(henry)) {
        no_value(cursor);
        return;
    }
    surround(cursor, &card);
    if (henry == 0) {
        ln_emit_number(spice, ln_emit_branch(cursor, "voltage-source", card.p, card.n), "V", 0);
        return;
    }
    ln_element *element = ln_emit_branch(cursor, "inductor", card.p, card.n);
    ln_emit_number(spice, element, "L", henry);
    const char *start = NULL;
    if (spice->settings.uic && !isnan(card.ic)) {
        ln_emit_number(spice, element, "i0", card.ic);
        start = ln_attribute_of(element, "i0");
    }
    const int fresh = (int)spice->inductors.windings.count;
    if (ln_map_put(spice->inductors.names, cursor->name, fresh) == fresh)
        LN_SPICE_ADD(spice, spice->inductors.windings,
                     (ln_winding){cursor->name, element, henry, card.p, card.n, start, -1});
}

/* k1 l1 l2 [l3 ...] value: every pair of them. */
void ln_card_coupling(ln_cursor *cursor) {
    ln_spice *spice = cursor->spice;
    const char *names[32];
    int count = 0;
    double k;
    while (ln_peek_is(cursor, 'w') && ln_peek(cursor)->text[0] == 'l' && count < 32)
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
        for (int b = a + 1; b < count; b++) {
            /* inductors may stand behind their K: found by name at the end */
            LN_SPICE_ADD(spice, spice->inductors.couplings,
                         (ln_coupling){.a = -1,
                                       .b = -1,
                                       .k = k,
                                       .place = cursor->card->place,
                                       .name = cursor->name,
                                       .names = {names[a], names[b]}});
        }
}

/* ---- groups of coupled inductors ---- */

static int winding_of(ln_spice *spice, const ln_coupling *coupling, int side) {
    const int index = ln_map_get(spice->inductors.names, coupling->names[side]);
    if (index < 0)
        ln_spice_error(spice, coupling->place, "%s: '%s' is no inductor of this circuit",
                       coupling->name, coupling->names[side]);
    return index;
}

/* Equations of n windings: sum over b of M_ab der(i_b) = v_a, M_ab = k sqrt(L_a L_b). */
static void make_group(ln_spice *spice, const int *members, int count, const ln_coupling *first) {
    ln_element *type = ln_emit(spice, "block-type", first->place, 2), *last = NULL;
    const char *name = ln_spice_text(spice, "coupled-%s", members != NULL ? first->name : "");
    char *plain = ln_arena_string(spice->arena, name);
    for (char *c = plain; c != NULL && *c != '\0'; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '-'))
            *c = '_';
    ln_emit_text(spice, type, "name", plain);
    ln_emit_text(spice, type, "doc", "Made from a SPICE K card");
    ln_element *block = ln_emit(spice, plain != NULL ? plain : name, first->place, 2 * count + 1);
    ln_emit_text(spice, block, "id", ln_spice_text(spice, "%s.coupled", first->name));
    for (int a = 0; a < count; a++)
        for (int side = 0; side < 2; side++) {
            const ln_winding *w = &spice->inductors.windings.items[members[a]];
            const char *port = ln_spice_text(spice, "%s%d", side ? "n" : "p", a + 1);
            last = ln_emit_child(spice, type, last, "port", first->place, 2);
            ln_emit_text(spice, last, "name", port);
            ln_emit_text(spice, last, "domain", "electrical");
            ln_emit_text(spice, block, port, side ? w->n : w->p);
        }
    for (int a = 0; a < count; a++) {
        const ln_winding *w = &spice->inductors.windings.items[members[a]];
        last = ln_emit_child(spice, type, last, "state", first->place, 3);
        ln_emit_text(spice, last, "name", ln_spice_text(spice, "i%d", a + 1));
        ln_emit_text(spice, last, "unit", "A");
        ln_emit_text(spice, last, "start", w->start != NULL ? w->start : "0");
    }
    for (int a = 0; a < count; a++) {
        ln_text text = {0};
        for (int b = 0; b < count; b++) {
            double mutual = a == b ? 1 : 0;
            for (size_t k = 0; k < spice->inductors.couplings.count; k++) {
                const ln_coupling *coupling = &spice->inductors.couplings.items[k];
                if ((coupling->a == members[a] && coupling->b == members[b]) ||
                    (coupling->a == members[b] && coupling->b == members[a]))
                    mutual = coupling->k;
            }
            char digits[32];
            ln_number_format(digits,
                             mutual * sqrt(spice->inductors.windings.items[members[a]].henry *
                                           spice->inductors.windings.items[members[b]].henry));
            if (mutual != 0)
                ln_text_printf(&text, "%s(%s H)*der(i%d)", text.length > 0 ? " + " : "", digits,
                               b + 1);
        }
        const char *lines[3] = {ln_spice_text(spice, "%s = p%d.v - n%d.v", text.data, a + 1, a + 1),
                                ln_spice_text(spice, "p%d.i = i%d", a + 1, a + 1),
                                ln_spice_text(spice, "n%d.i = -i%d", a + 1, a + 1)};
        ln_text_free(&text);
        for (int k = 0; k < 3; k++) {
            last = ln_emit_child(spice, type, last, "equation", first->place, 0);
            last->text = lines[k];
        }
        ln_emitted *known =
            ln_emitted_named(spice, spice->inductors.windings.items[members[a]].name);
        if (known != NULL) {
            known->p = NULL;
            known->current = ln_spice_text(spice, "%s.coupled.i%d", first->name, a + 1);
        }
        /* taken out by ln_spice_couple */
        spice->inductors.windings.items[members[a]].element->name = NULL;
    }
}

/* Inductors that couplings join, directly or over others, become one block. */
void ln_spice_couple(ln_spice *spice) {
    if (spice->inductors.couplings.count == 0)
        return;
    for (size_t k = 0; k < spice->inductors.couplings.count; k++) {
        ln_coupling *coupling = &spice->inductors.couplings.items[k];
        coupling->a = winding_of(spice, coupling, 0);
        coupling->b = winding_of(spice, coupling, 1);
        if (coupling->a < 0 || coupling->b < 0)
            return;
    }
    enum { MOST = 64 };
    for (size_t k = 0; k < spice->inductors.couplings.count; k++) {
        if (spice->inductors.windings.items[spice->inductors.couplings.items[k].a].group >= 0)
            continue;
        int members[MOST], size = 1;
        members[0] = spice->inductors.couplings.items[k].a;
        spice->inductors.windings.items[members[0]].group = (int)k;
        for (int grown = 1; grown;) {
            grown = 0;
            for (size_t j = k; j < spice->inductors.couplings.count; j++) {
                ln_winding
                    *a = &spice->inductors.windings.items[spice->inductors.couplings.items[j].a],
                    *b = &spice->inductors.windings.items[spice->inductors.couplings.items[j].b];
                if ((a->group == (int)k) == (b->group == (int)k))
                    continue;
                ln_winding *fresh = a->group == (int)k ? b : a;
                if (size == MOST) {
                    ln_spice_error(spice, spice->inductors.couplings.items[j].place,
                                   "more than %d inductors are coupled to one another, the limit",
                                   MOST);
                    return;
                }
                fresh->group = (int)k;
                members[size++] = (int)(fresh - spice->inductors.windings.items);
                grown = 1;
            }
        }
        make_group(spice, members, size, &spice->inductors.couplings.items[k]);
    }
    ln_element **link = &spice->tree.root->first;
    for (ln_element *element = spice->tree.root->first; element != NULL; element = element->next) {
        if (element->name == NULL)
            continue;
        *link = element;
        link = &element->next;
        spice->tree.last_child = element;
    }
    *link = NULL;
}
