/* SPDX-License-Identifier: MIT */
/* R, C and L cards to resistors, capacitors and inductors.
 *
 * A value is a number or a parameter, or follows from the geometry l= and w= and a .model of the
 * kind r, c or l. It is scaled by scale= and m= and by the temperature's factor
 * 1 + tc1 dT + tc2 dT^2, dT over the nominal temperature (ngspice manual, 3.3.1, "Resistors"). A
 * value that follows the circuit or time becomes a behavioural element (emit.c). */
#include "base/sys.h"
#include "base/words.h"
#include "spice/deck.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

/* What all three cards may say; NAN: not said. */
typedef struct passive {
    double value, ic, m, scale, tc1, tc2, temp, dtemp, tnom, l, w, tce;
    double rser, lser, rpar, cpar; /* LTspice's parasitics; 0, or NAN: there is none */
    const char *formula;           /* of what follows the circuit */
    int is_charge;                 /* the formula gives q, not c */
    const char *p, *n, *model;
} passive;

static const passive nothing_said = {.value = NAN,
                                     .ic = NAN,
                                     .m = 1,
                                     .scale = 1,
                                     .tc1 = NAN,
                                     .tc2 = NAN,
                                     .temp = NAN,
                                     .tnom = NAN,
                                     .l = NAN,
                                     .w = NAN,
                                     .tce = NAN,
                                     .rpar = NAN};

/* name=number on a card, and on the cards of which letters it may stand. */
static const struct word {
    const char *name;
    size_t member; /* of passive, a double */
    const char *letters;
} words[] = {{"ic", offsetof(passive, ic), "cl"},        {"m", offsetof(passive, m), "rcl"},
             {"scale", offsetof(passive, scale), "rcl"}, {"tc1", offsetof(passive, tc1), "rcl"},
             {"tc2", offsetof(passive, tc2), "rcl"},     {"temp", offsetof(passive, temp), "rcl"},
             {"dtemp", offsetof(passive, dtemp), "rcl"}, {"l", offsetof(passive, l), "rc"},
             {"w", offsetof(passive, w), "rcl"},         {"tce", offsetof(passive, tce), "rcl"},
             {"rser", offsetof(passive, rser), "cl"},    {"lser", offsetof(passive, lser), "c"},
             {"rpar", offsetof(passive, rpar), "cl"},    {"cpar", offsetof(passive, cpar), "cl"}};

/* The number of that name on a card of that letter, whose own letter is another name of its value
 * ("r=1k"); NULL: it has none. */
static double *member_named(passive *card, const char *name, char letter) {
    const struct word *row = LN_ROW(words, name);
    if (name[0] == letter && name[1] == '\0')
        return &card->value;
    return row != NULL && strchr(row->letters, letter) != NULL
               ? (double *)(void *)((char *)card + row->member)
               : NULL;
}

/* name=... of another form than a number: tc=tc1,tc2; ac= and noisy=, which say nothing here. 0: it
 * is none of them; -1: reported. */
static int take_special(ln_cursor *cursor, passive *card, char letter) {
    const char *name = ln_peek(cursor)->text;
    double idle;
    if (strcmp(name, "tc") == 0) {
        if (!ln_take_pair(cursor, &name, &card->tc1))
            return -1;
        if (!ln_peek_pair(cursor))
            (void)ln_take_optional(cursor, &card->tc2);
        return 1;
    }
    if (letter == 'r' && strcmp(name, "ac") == 0) {
        if (!ln_take_pair(cursor, &name, &idle))
            return -1;
        ln_warn(cursor->spice->report, cursor->card->place,
                "%s: ac=%g has no effect: the frequency response is that of the linearised "
                "circuit, with the resistance at rest",
                cursor->name, idle);
        return 1;
    }
    if (strcmp(name, "noisy") != 0)
        return 0;
    cursor->at += 3; /* there is no noise to leave out */
    return 1;
}

/* The name=value pairs behind the value. */
static void take_pairs(ln_cursor *cursor, passive *card, char letter) {
    while (ln_peek_pair(cursor)) {
        const char *name = ln_peek(cursor)->text;
        const int special = take_special(cursor, card, letter);
        if (special < 0)
            return;
        if (special > 0)
            continue;
        double *value = member_named(card, name, letter);
        if (value == NULL) {
            ln_card_error(cursor, "'%s' is no parameter that this card knows", name);
            cursor->at = cursor->count;
            return;
        }
        if (!ln_take_pair(cursor, &name, value))
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

/* Does a formula stand next: {...}, or behind "r=" or the "q=" of a capacitor's charge? */
static int begins_formula(const ln_cursor *cursor, passive *card, char letter) {
    const char own[] = {letter, '\0'};
    if (!ln_peek_pair(cursor))
        return ln_peek_is(cursor, '{');
    card->is_charge = letter == 'c' && ln_peek_word(cursor, "q");
    return (card->is_charge || ln_peek_word(cursor, own)) && cursor->at + 2 < cursor->count;
}

static int names_model(const ln_cursor *cursor) {
    return ln_peek_is(cursor, 'w') && !ln_peek_pair(cursor) &&
           ln_model_named(cursor->inside->circuit, ln_peek(cursor)->text) != NULL;
}

/* The value: "1k", "r={...}", "q={...}" of a capacitor, or a model's name with or without one
 * before or behind it. 0 reported. */
static int take_value(ln_cursor *cursor, passive *card, char letter) {
    const ln_spice_word *word = ln_peek(cursor);
    if (begins_formula(cursor, card, letter) && !take_following(cursor, card))
        return 0;
    if (card->formula == NULL && !ln_peek_pair(cursor) && !ln_take_optional(cursor, &card->value) &&
        ln_peek_is(cursor, 'w')) {
        card->model = ln_take_name(cursor, "a model");
        (void)ln_take_optional(cursor, &card->value);
    } else if (names_model(cursor)) {
        card->model = ln_take_name(cursor, "a model");
    }
    if (word != NULL && word->kind == 'w' && !isnan(card->value))
        ln_check_letters(cursor, word, letter);
    return 1;
}

/* The card behind its name; 0 reported. */
static int take(ln_cursor *cursor, passive *card, char letter) {
    *card = nothing_said;
    card->p = ln_take_node(cursor, "the first node");
    card->n = card->p != NULL ? ln_take_node(cursor, "the second node") : NULL;
    if (card->n == NULL || !take_value(cursor, card, letter))
        return 0;
    take_pairs(cursor, card, letter);
    card->m *= cursor->inside->m;
    return 1;
}

/* The first that is said. */
static double either(double first, double second) {
    return isnan(first) ? second : first;
}

/* The temperature's factor: 1 + tc1 dT + tc2 dT^2, tc1 in 1/K, tc2 in 1/K^2, or 1.01^(tce dT), tce
 * in percent a kelvin; the card's coefficients go before the model's. "R1 a b 1k TC=1m,2u" at 127
 * degC, dT = 100 K, is 1k (1 + 0.1 + 0.02) = 1.12k. */
static double warm(const ln_cursor *cursor, const passive *card, double tc1, double tc2) {
    const ln_deck_settings *settings = &cursor->spice->settings;
    const double temperature = either(card->temp, settings->temperature) + card->dtemp,
                 d = temperature - either(card->tnom, settings->nominal);
    const double a = either(card->tc1, either(tc1, 0)), b = either(card->tc2, either(tc2, 0));
    return isnan(card->tce) ? 1 + a * d + b * d * d : pow(1.01, card->tce * d);
}

/* The model's temperatures, in this order: PSpice's absolute one and that above the circuit's,
 * where the card says none; at which it was measured. */
#define TEMPERATURES "t_abs", "t_rel_global", "tnom"
static void take_temperatures(passive *card, const double *v) {
    if (isnan(card->temp)) {
        card->temp = v[0];
        card->dtemp += either(v[1], 0);
    }
    card->tnom = v[2];
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

/* Neither the card nor its model says one. */
static void no_value(const ln_cursor *cursor) {
    ln_card_error(cursor, "it has no value");
}

/* A value that follows the circuit: a behavioural element. m parallel elements divide resistances
 * and inductances, and multiply capacitances. */
static void follow(const ln_cursor *cursor, const passive *card, char kind) {
    ln_spice *spice = cursor->spice;
    ln_controls controls = {0};
    ln_text text = {0};
    const double factor = card->scale * (kind == 'r' || kind == 'l' ? 1 / card->m : card->m) *
                          warm(cursor, card, NAN, NAN);
    char digits[32];
    ln_number_format(digits, factor);
    if (!isnan(card->ic) && ln_start_acts(cursor, card->ic))
        ln_card_error(cursor, "ic= beside an expression that follows the circuit is not supported; "
                              "give .ic for its node");
    if (ln_formula_print(cursor, ln_formula_parse(spice, card->formula, cursor->card->place),
                         &controls, &text))
        ln_emit_behavioural(cursor, kind, card->p, card->n,
                            factor != 1 ? ln_spice_text(spice, "(%s)*(%s)", text.data, digits)
                                        : ln_spice_text(spice, "%s", text.data),
                            &controls);
    ln_spice_text_free(spice, &text);
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
        ln_element *part = ln_emit(spice, parts[k].type, cursor->card->place);
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
    passive card = {
        .p = *p, .n = n, .m = cursor->inside->m, .rser = rser, .rpar = NAN, .cpar = cpar};
    surround(cursor, &card);
    *p = card.p;
}

void ln_shunt(const ln_cursor *cursor, const char *p, const char *n, double rpar, double cpar) {
    passive card = {.p = p, .n = n, .m = cursor->inside->m, .rpar = rpar, .cpar = cpar};
    surround(cursor, &card);
}

/* A branch of a form that the block type does not have, with a number in it. */
static void emit_in_form(const ln_cursor *cursor, char kind, const passive *card, double value) {
    char digits[32];
    ln_controls none = {0};
    ln_number_format(digits, value);
    ln_emit_behavioural(cursor, kind, card->p, card->n,
                        ln_spice_text(cursor->spice, "(%s)", digits), &none);
}

/* Below so many ohms v = R i determines a resistor's current: its conductance would outweigh all
 * others of its nodes in their balance (1e-15 Ohm, by which macro models join nodes, leave 0.2 S of
 * what stands beside them unknown). */
static const double THIN = 1e-6;

/* The parameters of a .model in the order of its names; NAN: not said. */
enum {
    R_VALUE,
    R_TC1,
    R_TC2,
    RSH,
    R_DEFW,
    R_NARROW,
    R_L,
    R_W,
    R_TCE,
    R_SHORT,
    R_TEMPERATURES,
    R_COUNT = R_TEMPERATURES + 3
};

/* RSH (l - 2 short)/(w - 2 narrow): squares of a sheet, etched on both sides. The manual of ngspice
 * 39 (3.3.3, "Semiconductor resistors") takes each once; the program takes it twice, so do its
 * users. */
static double sheet(const passive *card, const double *v) {
    const double l = either(card->l, v[R_L]) - 2 * (isnan(v[R_SHORT]) ? 0 : v[R_SHORT]),
                 w = either(card->w, either(v[R_W], either(v[R_DEFW], 10e-6))) -
                     2 * (isnan(v[R_NARROW]) ? 0 : v[R_NARROW]);
    return v[RSH] * l / w;
}

void ln_card_resistor(ln_cursor *cursor, char letter) {
    static const char *const names[] = {"r", "tc1", "tc2", "rsh",   "defw",       "narrow",
                                        "l", "w",   "tce", "short", TEMPERATURES, NULL};
    passive card;
    double v[R_COUNT];
    if (!take(cursor, &card, letter) || !modelled(cursor, &card, "r", names, v))
        return;
    ln_spice *spice = cursor->spice;
    take_temperatures(&card, v + R_TEMPERATURES);
    if (isnan(card.tc1) && isnan(card.tc2))
        card.tce = either(card.tce, v[R_TCE]);
    if (card.formula != NULL) {
        follow(cursor, &card, 'r');
        return;
    }
    if (isnan(card.value) && !isnan(v[RSH]) && !isnan(either(card.l, v[R_L])))
        card.value = sheet(&card, v);
    double ohm = either(card.value, v[R_VALUE]) * card.scale / card.m *
                 warm(cursor, &card, v[R_TC1], v[R_TC2]);
    if (isnan(ohm)) {
        no_value(cursor);
        return;
    }
    if (ohm == 0) {
        ln_warn(spice->report, cursor->card->place,
                "%s: a resistance of 0 becomes 1 mOhm, as in ngspice", cursor->name);
        ohm = 1e-3;
    }
    if (fabs(ohm) < THIN) {
        emit_in_form(cursor, 'z', &card, ohm);
        return;
    }
    /* a resistor's R is positive; a conductor's G may have any sign */
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

/* What a capacitor to ground begins with goes before .ic of its node (ngspice manual, ".IC"). */
static void outweigh(const ln_cursor *cursor, const char *node, double value) {
    ln_spice *spice = cursor->spice;
    for (size_t k = 0; k < spice->settings.initial.count; k++) {
        ln_initial *initial = &spice->settings.initial.items[k];
        if (strcmp(initial->node, node) != 0 || initial->value == value)
            continue;
        ln_note(spice->report, initial->place,
                ".ic: v(%s)=%g gives way to ic= of %s, by which it is %g", node, initial->value,
                cursor->name, value);
        initial->value = value;
    }
}

/* In V; NAN: it is for the run to find. */
static double capacitor_start(const ln_cursor *cursor, const passive *card) {
    const ln_spice *spice = cursor->spice;
    if (isnan(card->ic))
        return spice->settings.uic ? voltage_at_start(spice, card->p, card->n) : NAN;
    if (!ln_start_acts(cursor, card->ic))
        return NAN;
    if (strcmp(card->n, "0") == 0)
        outweigh(cursor, card->p, card->ic);
    else if (strcmp(card->p, "0") == 0)
        outweigh(cursor, card->n, -card->ic);
    return card->ic;
}

enum {
    C_VALUE,
    C_TC1,
    C_TC2,
    CJ,
    CJSW,
    C_DEFW,
    C_DEFL,
    C_NARROW,
    C_SHORT,
    C_TEMPERATURES,
    C_COUNT = C_TEMPERATURES + 3
};

/* CJ l w + 2 CJSW (l + w): plate and edge (ngspice manual, 3.3.7, "Semiconductor capacitors"). */
static double plate(const passive *card, const double *v) {
    const double l = either(card->l, v[C_DEFL]) - (isnan(v[C_SHORT]) ? 0 : v[C_SHORT]),
                 w = either(card->w, either(v[C_DEFW], 10e-6)) -
                     (isnan(v[C_NARROW]) ? 0 : v[C_NARROW]);
    return v[CJ] * l * w + 2 * (isnan(v[CJSW]) ? 0 : v[CJSW]) * (l + w);
}

void ln_card_capacitor(ln_cursor *cursor, char letter) {
    static const char *const names[] = {"cap",  "tc1",    "tc2",   "cj",         "cjsw", "defw",
                                        "defl", "narrow", "short", TEMPERATURES, NULL};
    passive card;
    double v[C_COUNT];
    if (!take(cursor, &card, letter) || !modelled(cursor, &card, "c", names, v))
        return;
    ln_spice *spice = cursor->spice;
    take_temperatures(&card, v + C_TEMPERATURES);
    if (card.formula != NULL) {
        follow(cursor, &card, card.is_charge ? 'q' : 'c');
        return;
    }
    if (isnan(card.value) && !isnan(v[CJ]) && !isnan(either(card.l, v[C_DEFL])))
        card.value = plate(&card, v);
    const double farad = either(card.value, v[C_VALUE]) * card.scale * card.m *
                         warm(cursor, &card, v[C_TC1], v[C_TC2]);
    if (isnan(farad)) {
        no_value(cursor);
        return;
    }
    /* across what is in series, too: at first no current has charged it */
    const double start = capacitor_start(cursor, &card);
    surround(cursor, &card);
    if (farad < 0) {
        emit_in_form(cursor, 'c', &card, farad); /* of macro models; the block type's is positive */
        return;
    }
    if (farad == 0) {
        ln_emit_number(spice, ln_emit_branch(cursor, "conductor", card.p, card.n), "G", farad);
        return;
    }
    ln_element *element = ln_emit_branch(cursor, "capacitor", card.p, card.n);
    ln_emit_number(spice, element, "C", farad);
    if (!isnan(start))
        ln_emit_number(spice, element, "v0", start);
}

void ln_card_inductor(ln_cursor *cursor, char letter) {
    static const char *const names[] = {"ind", "tc1", "tc2", TEMPERATURES, NULL};
    enum { L_VALUE, L_TC1, L_TC2, L_TEMPERATURES, L_COUNT = L_TEMPERATURES + 3 };
    passive card;
    double v[L_COUNT];
    if (!take(cursor, &card, letter) || !modelled(cursor, &card, "l", names, v))
        return;
    ln_spice *spice = cursor->spice;
    take_temperatures(&card, v + L_TEMPERATURES);
    if (card.formula != NULL) {
        follow(cursor, &card, 'l');
        return;
    }
    const double henry = either(card.value, v[L_VALUE]) * card.scale / card.m *
                         warm(cursor, &card, v[L_TC1], v[L_TC2]);
    if (isnan(henry)) {
        no_value(cursor);
        return;
    }
    surround(cursor, &card);
    if (henry == 0) { /* a wire, whose current is known by name */
        ln_emit_number(spice, ln_emit_branch(cursor, "voltage-source", card.p, card.n), "V", 0);
        return;
    }
    ln_element *element = ln_emit_branch(cursor, "inductor", card.p, card.n);
    ln_emit_number(spice, element, "L", henry);
    const char *start = NULL;
    if (!isnan(card.ic) && ln_start_acts(cursor, card.ic)) {
        ln_emit_number(spice, element, "i0", card.ic);
        start = ln_attribute_of(element, "i0");
    }
    ln_inductors *inductors = &spice->inductors;
    const int fresh = (int)inductors->windings.count;
    if (ln_map_put(inductors->names, cursor->name, fresh) == fresh)
        LN_SPICE_ADD(spice, inductors->windings,
                     (ln_winding){cursor->name, element, henry, card.p, card.n, start, -1});
}
