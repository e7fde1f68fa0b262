/* SPDX-License-Identifier: MIT */
/* M cards whose model is a VDMOS, LTspice's vertical power transistor: the block type vdmos-channel
 * with resistances in front of its nodes and the body diode from source to drain, elements of their
 * own ("M1.Rd", "M1.D"). Parameters and defaults as in ngspice, which also has LTspice's.
 *
 *     M1 d g s s IRF540
 *     .model IRF540 VDMOS(Rg=3 Vto=4 Rd=20m Kp=25 Cgdmax=1.2n Cgdmin=60p Cgs=1.2n Cjo=.6n Is=5p)
 *
 * The gate-drain capacitance falls from Cgdmax to Cgdmin as the drain rises, which gives a power
 * transistor its Miller plateau; Cjo, with VJ and M, is that of the body diode. Vendors' ratings
 * (Vds, Ron, Qg) are no parameters of the equations. */
#include "spice/deck.h"

#include <math.h>
#include <string.h>

/* Where a parameter of the model belongs. */
typedef enum owner { CHANNEL, DIODE, RESISTANCE, IDLE } owner;

static const struct parameter {
    const char *name, *ours;
    owner owner;
} parameters[] = {{"vto", "VTO", CHANNEL},
                  {"vth", "VTO", CHANNEL},
                  {"vt0", "VTO", CHANNEL},
                  {"kp", "KP", CHANNEL},
                  {"lambda", "LAMBDA", CHANNEL},
                  {"theta", "THETA", CHANNEL},
                  {"mtriode", "MTRIODE", CHANNEL},
                  {"ksubthres", "KSUBTHRES", CHANNEL},
                  {"subshift", "SUBSHIFT", CHANNEL},
                  {"cgs", "CGS", CHANNEL},
                  {"cgdmax", "CGDMAX", CHANNEL},
                  {"cgdmin", "CGDMIN", CHANNEL},
                  {"a", "A", CHANNEL},
                  {"is", "IS", DIODE},
                  {"n", "N", DIODE},
                  {"bv", "BV", DIODE},
                  {"ibv", "IBV", DIODE},
                  {"nbv", "NBV", DIODE},
                  {"cjo", "CJO", DIODE},
                  {"vj", "VJ", DIODE},
                  {"m", "M", DIODE},
                  {"fc", "FC", DIODE},
                  {"tt", "TT", DIODE},
                  {"eg", "EG", DIODE},
                  {"xti", "XTI", DIODE},
                  {"rb", "RS", DIODE},
                  {"rd", "Rd", RESISTANCE},
                  {"rs", "Rs", RESISTANCE},
                  {"rg", "Rg", RESISTANCE},
                  {"rds", "Rds", RESISTANCE},
                  /* ratings, noise, and what only the temperature brings in */
                  {"vds", NULL, IDLE},
                  {"ron", NULL, IDLE},
                  {"qg", NULL, IDLE},
                  {"mfg", NULL, IDLE},
                  {"phi", NULL, IDLE},
                  {"kf", NULL, IDLE},
                  {"af", NULL, IDLE},
                  {"l", NULL, IDLE},
                  {"w", NULL, IDLE}};
enum { PARAMETERS = sizeof parameters / sizeof *parameters };

typedef struct transistor {
    const char *d, *g, *s;
    double values[PARAMETERS], parallel;
    int is_p, diode_room;
} transistor;

const ln_spice_model *ln_vdmos_of(const ln_cursor *cursor) {
    for (int k = 4; k < 7 && k < cursor->count; k++) {
        const ln_spice_model *model =
            cursor->words[k].kind == 'w'
                ? ln_model_named(cursor->inside->circuit, cursor->words[k].text)
                : NULL;
        if (model != NULL && strncmp(model->kind, "vdmos", 5) == 0)
            return model;
    }
    return NULL;
}

/* ---- the model ---- */

/* "pchan" and "nchan" stand alone, "mfg=acme" has no number. 1: taken. */
static int take_word(ln_cursor *words, transistor *to) {
    const ln_spice_word *word = ln_peek(words);
    if (word == NULL || word->kind != 'w')
        return 0;
    if (ln_peek_pair(words) && strcmp(word->text, "mfg") == 0)
        return words->at += 3, 1;
    const int is_p = strcmp(word->text, "pchan") == 0;
    if (ln_peek_pair(words) || (!is_p && strcmp(word->text, "nchan") != 0))
        return 0;
    to->is_p = is_p;
    return words->at++, 1;
}

/* Values by the table; 0: memory is short. Errors are reported, and the reading goes on. */
static int take_model(const ln_cursor *cursor, const ln_spice_model *model, transistor *to) {
    ln_cursor words;
    const char *name, *known[PARAMETERS];
    double value;
    for (int k = 0; k < PARAMETERS; k++) {
        to->values[k] = NAN;
        known[k] = parameters[k].name;
    }
    to->is_p = strcmp(model->kind, "vdmosp") == 0;
    if (!ln_model_words(cursor, model, &words))
        return 0;
    for (;;) {
        if (ln_skip(&words, ')') || ln_skip(&words, '(') || take_word(&words, to))
            continue;
        if (!ln_model_next(&words, &name, &value))
            return 1;
        int k = 0;
        while (k < PARAMETERS && strcmp(parameters[k].name, name) != 0)
            k++;
        if (k < PARAMETERS)
            to->values[k] = value;
        else
            ln_model_unknown(&words, model->kind, name, known, PARAMETERS);
    }
}

/* What the body diode has where the model is silent, otherwise than a diode of its own (ngspice
 * manual, "VDMOS"). */
static void complete(transistor *of) {
    static const struct {
        const char *name;
        double value;
    } silent[] = {{"ibv", 1e-10}, {"vj", 0.8}};
    for (size_t j = 0; j < sizeof silent / sizeof *silent; j++)
        for (int k = 0; k < PARAMETERS; k++)
            if (strcmp(parameters[k].name, silent[j].name) == 0 && isnan(of->values[k]))
                of->values[k] = silent[j].value;
}

/* ---- elements ---- */

/* An element of the transistor: "M1.Rd". */
static ln_element *part(const ln_cursor *cursor, const char *type, const char *suffix) {
    ln_element *element = ln_emit(cursor->spice, type, cursor->card->place);
    ln_emit_text(cursor->spice, element, "id",
                 ln_spice_text(cursor->spice, "%s.%s", ln_block_id(cursor), suffix));
    return element;
}

/* The parameters that the model gives to this part, under the part's own names. */
static void put_values(const ln_cursor *cursor, const transistor *of, owner whose,
                       ln_element *element) {
    for (int k = 0; k < PARAMETERS; k++)
        if (parameters[k].owner == whose && !isnan(of->values[k]))
            ln_emit_number(cursor->spice, element, parameters[k].ours, of->values[k]);
}

/* NAN: the model does not say it. */
static double value_of(const transistor *of, const char *name) {
    for (int k = 0; k < PARAMETERS; k++)
        if (strcmp(parameters[k].name, name) == 0)
            return of->values[k];
    return NAN;
}

/* A resistance between two nodes, of so many in parallel; none where it is not given. */
static void resist(const ln_cursor *cursor, const transistor *of, const char *name, const char *p,
                   const char *n) {
    for (int k = 0; k < PARAMETERS; k++) {
        if (strcmp(parameters[k].name, name) != 0)
            continue;
        ln_element *element = part(cursor, "resistor", parameters[k].ours);
        ln_emit_text(cursor->spice, element, "p", p);
        ln_emit_text(cursor->spice, element, "n", n);
        ln_emit_number(cursor->spice, element, "R", of->values[k] / of->parallel);
    }
}

/* The inner node behind a resistance, the outer one where there is none. */
static const char *behind(const ln_cursor *cursor, const transistor *of, const char *name,
                          const char *outer) {
    const double ohm = value_of(of, name);
    if (isnan(ohm) || ohm == 0)
        return outer;
    const char *inner = ln_spice_text(cursor->spice, "%s.%s", cursor->name, name);
    resist(cursor, of, name, outer, inner);
    return inner;
}

/* The channel with its capacitances; of m transistors in parallel conductances and capacitances
 * count m times. */
static void put_channel(const ln_cursor *cursor, const transistor *of) {
    ln_spice *spice = cursor->spice;
    /* so many in parallel: charges and current count as often */
    static const char *const multiplied[] = {"kp", "cgs", "cgdmax", "cgdmin"};
    transistor all = *of;
    for (int k = 0; k < PARAMETERS; k++)
        for (size_t j = 0; j < sizeof multiplied / sizeof *multiplied; j++)
            if (strcmp(parameters[k].name, multiplied[j]) == 0)
                all.values[k] *= of->parallel;
    const char *const nodes[][2] = {{"d", behind(cursor, of, "rd", of->d)},
                                    {"g", behind(cursor, of, "rg", of->g)},
                                    {"s", behind(cursor, of, "rs", of->s)}};
    ln_element *element = ln_emit_block(cursor, "vdmos-channel");
    for (int k = 0; k < 3; k++)
        ln_emit_text(spice, element, nodes[k][0], nodes[k][1]);
    if (of->is_p)
        ln_emit_number(spice, element, "sign", -1);
    if (isnan(value_of(of, "kp")) && of->parallel != 1)
        ln_emit_number(spice, element, "KP", of->parallel);
    put_values(cursor, &all, CHANNEL, element);
}

/* The body diode, from source to drain of an n-channel transistor. */
static void put_diode(const ln_cursor *cursor, const transistor *of) {
    ln_spice *spice = cursor->spice;
    ln_element *element = part(cursor, "spice-diode", "D");
    ln_emit_text(spice, element, "p", of->is_p ? of->d : of->s);
    ln_emit_text(spice, element, "n", of->is_p ? of->s : of->d);
    put_values(cursor, of, DIODE, element);
    if (of->parallel != 1)
        ln_emit_number(spice, element, "parallel", of->parallel);
    ln_emit_number(spice, element, "temp", spice->settings.temperature + 273.15);
    if (spice->settings.gmin != 1e-12)
        ln_emit_number(spice, element, "GMIN", spice->settings.gmin);
    if (spice->settings.nominal != 27)
        ln_emit_number(spice, element, "tnom", spice->settings.nominal + 273.15);
}

/* Behind the model: m=, and what has no meaning for a power transistor. */
static void take_card(ln_cursor *cursor, transistor *to) {
    const char *name;
    double value;
    to->parallel = cursor->inside->m;
    while (ln_peek_pair(cursor)) {
        if (!ln_take_pair(cursor, &name, &value))
            return;
        if (strcmp(name, "m") == 0)
            to->parallel *= value;
        else
            ln_card_error(cursor, "'%s' is no parameter that a VDMOS transistor knows here", name);
    }
    ln_expect_end(cursor);
}

void ln_card_vdmos(ln_cursor *cursor, const ln_spice_model *model) {
    ln_spice *spice = cursor->spice;
    transistor all = {0};
    all.d = ln_take_node(cursor, "the drain");
    all.g = all.d != NULL ? ln_take_node(cursor, "the gate") : NULL;
    all.s = all.g != NULL ? ln_take_node(cursor, "the source") : NULL;
    if (all.s == NULL)
        return;
    /* LTspice's symbols write the source a second time, as the bulk */
    if (ln_peek_is(cursor, 'w') && strcmp(ln_peek(cursor)->text, model->name) != 0) {
        const char *bulk = ln_take_node(cursor, "the bulk");
        if (bulk != NULL && strcmp(bulk, all.s) != 0)
            ln_card_error(cursor, "a VDMOS transistor has drain, gate and source; its fourth node "
                                  "must be the source again");
    }
    cursor->at++;
    if (!take_model(cursor, model, &all))
        return;
    complete(&all);
    take_card(cursor, &all);
    if (spice->settings.temperature != spice->settings.nominal)
        ln_warn(spice->report, cursor->card->place,
                "%s: the channel of a VDMOS transistor is that at %g degC, whatever temp says",
                cursor->name, spice->settings.nominal);
    put_channel(cursor, &all);
    put_diode(cursor, &all);
    if (!isnan(value_of(&all, "rds")))
        resist(cursor, &all, "rds", all.d, all.s);
}
