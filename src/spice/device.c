/* SPDX-License-Identifier: MIT */
/* The cards of semiconductors: D, Q, J and M. A row of the table says which block type carries the
 * equations and under which names its parameters are given; what SPICE knows and the block does not
 * is refused, by name. */
#include "spice/deck.h"

#include <string.h>

enum { MOST_NAMES = 150 };

/* Lists of words: "vto vt0=vto" - a name, or a name with the one that the block has, in capitals
 * there. */
typedef struct device {
    char letter;
    int level;
    const char *type, *kinds[2]; /* of .model; two: said to the block as its type */
    const char *ports[5];
    int least;         /* ports that must be given */
    const char *model; /* parameters of .model */
    /* those that say nothing when they are zero, and are refused otherwise */
    const char *absent;
    /* those of other levels, which by SPICE's definition say nothing at this one */
    const char *other;
    const char *card;      /* parameters of the card */
    const char *starts[4]; /* what ic= gives, in SPICE's order */
} device;

/* Noise is not simulated, and ratings do not enter the equations. */
static const char idle[] = "kf af ef nlev gdsnoi mfg type vceo icrating iave vpk fv_max bv_max "
                           "id_max pd_max te_max vbe_max vbc_max vce_max ic_max ib_max";

static const char mos_card[] = "l w ad as pd ps nrd nrs m delvto";

static const device devices[] = {
    {'d',
     1,
     "spice-diode",
     {"d", NULL},
     {"p", "n", NULL},
     2,
     "is js=is rs n tt cjo cj0=cjo cj=cjo vj pb=vj m mj=m fc bv vb=bv ibv ib=ibv nbv nz=nbv ikf "
     "ik=ikf ikr isr nr jsw isw=jsw ns cjsw cjp=cjsw php "
     "vjsw=php mjsw fcs eg xti trs1 trs=trs1 trs2 ttt1 ttt2 tm1 tm2 tcv "
     "tlev tlevc cta ctc=cta ctp tpb tvj=tpb tphp jtun jtunsw ntun xtitun keg pj",
     "rth0 cth0 lm lp wm wp xom xoi xm xp",
     "",
     "pj",
     {"v0"}},
    {'q',
     1,
     "bjt",
     {"npn", "pnp"},
     {"c", "b", "e", "s", NULL},
     3,
     "is bf nf vaf va=vaf ikf ik=ikf ise c2=ise ne br nr var vb=var ikr isc c4=isc nc rb irb rbm "
     "re rc cje vje pe=vje mje me=mje tf xtf vtf itf "
     "ptf cjc vjc pc=vjc mjc mc=mjc xcjc tr cjs ccs=cjs csub=cjs vjs ps=vjs mjs ms=mjs xtb eg xti "
     "fc subs nkf nk=nkf iss ns ibe ibc "
     "rco vo gamma qco quasimod vg cn d tlev tlevc tbf1 tbf2 tbr1 tbr2 tikf1 tikf2 tikr1 tikr2 "
     "tirb1 tirb2 tnc1 tnc2 tne1 tne2 tnf1 tnf2 "
     "tnr1 tnr2 trb1 trb=trb1 trb2 trc1 trc=trc1 trc2 tre1 tre=tre1 tre2 trm1 trm2 tvaf1 tvaf2 "
     "tvar1 tvar2 ctc cte cts tvjc tvje tvjs "
     "titf1 titf2 ttf1 ttf2 ttr1 ttr2 tmje1 tmje2 tmjc1 tmjc2 tmjs1 tmjs2 tns1 tns2 tis1 tis2 "
     "tise1 tise2 tisc1 tisc2 tiss1 tiss2",
     "rth0",
     "",
     "areab areac",
     {"vbe0", "vce0"}},
    {'j',
     1,
     "jfet",
     {"njf", "pjf"},
     {"d", "g", "s", NULL},
     3,
     "vto vt0=vto beta lambda b rd rs cgs cgd pb is fc eg xti tcv vtotc bex betatce",
     "isr alpha vk",
     "",
     "",
     {"vds0", "vgs0"}},
    {'m',
     1,
     "mosfet",
     {"nmos", "pmos"},
     {"d", "g", "s", "b", NULL},
     4,
     "vto vt0=vto kp gamma phi lambda rd rs rsh cbd cbs is js pb cgso cgdo cgbo cj mj cjsw mjsw "
     "tox ld u0 uo=u0 fc l w nsub nss tpg xqc",
     "",
     "nfs delta eta theta kappa xj neff vmax ucrit uexp utra",
     mos_card,
     {"vds0", "vgs0", "vbs0"}},
    {'m',
     2,
     "mosfet",
     {"nmos", "pmos"},
     {"d", "g", "s", "b", NULL},
     4,
     "vto vt0=vto kp gamma phi lambda rd rs rsh cbd cbs is js pb cgso cgdo cgbo cj mj cjsw mjsw "
     "tox ld u0 uo=u0 fc l w nsub nss tpg "
     "delta uexp ucrit vmax xj neff nfs xqc",
     "",
     "utra eta theta kappa",
     mos_card,
     {"vds0", "vgs0", "vbs0"}},
    {'m',
     3,
     "mosfet",
     {"nmos", "pmos"},
     {"d", "g", "s", "b", NULL},
     4,
     "vto vt0=vto kp gamma phi rd rs rsh cbd cbs is js pb cgso cgdo cgbo cj mj cjsw mjsw tox ld u0 "
     "uo=u0 fc l w nsub nss tpg "
     "xl wd xw delvto delvt0=delvto theta eta kappa vmax xj delta nfs xqc",
     "input_delta",
     "lambda neff ucrit uexp utra",
     mos_card,
     {"vds0", "vgs0", "vbs0"}},
};

/* ---- lists of words ---- */

/* The block's name of a word in a list, in capitals; NULL: it is not there. */
static const char *listed(ln_spice *spice, const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = list; *at != '\0'; at += strspn(at, " ")) {
        const size_t size = strcspn(at, " ="), whole = strcspn(at, " ");
        if (size == length && strncmp(at, name, size) == 0) {
            const char *ours = size < whole ? at + size + 1 : at;
            char *copy = ln_arena_text(spice->arena, ours, (size_t)(at + whole - ours));
            for (char *c = copy; c != NULL && *c != '\0'; c++)
                if (*c >= 'a' && *c <= 'z')
                    *c = (char)(*c - 'a' + 'A');
            return copy != NULL ? copy : (ln_spice_no_memory(spice), "");
        }
        at += whole;
    }
    return NULL;
}

static size_t words_of(ln_spice *spice, const char *list, const char **names) {
    size_t count = 0;
    for (const char *at = list; *at != '\0' && count < MOST_NAMES; at += strspn(at, " ")) {
        names[count++] = ln_spice_text(spice, "%.*s", (int)strcspn(at, " ="), at);
        at += strcspn(at, " ");
    }
    return count;
}

/* ---- .model ---- */

/* A parameter stands once, the last word of it counting. */
static void set(ln_spice *spice, ln_element *element, const char *name, double value) {
    for (int k = 0; k < element->nattributes; k++) {
        if (strcmp(element->attributes[k].name, name) != 0)
            continue;
        char digits[32];
        ln_number_format(digits, value);
        ((ln_attribute *)element->attributes)[k].value = ln_spice_text(spice, "%s", digits);
        return;
    }
    ln_emit_number(spice, element, name, value);
}

static int is_idle(ln_spice *spice, ln_cursor *words) {
    if (!ln_peek_pair(words) || listed(spice, idle, ln_peek(words)->text) == NULL)
        return 0;
    words->at += 3; /* name = anything: "mfg=acme" */
    return 1;
}

static void note_once(ln_spice *spice, ln_place place, const char *text) {
    if (ln_map_get(spice->told, text) < 0)
        ln_note(spice->report, place, "%s", text);
    if (ln_map_put(spice->told, text, 1) < 0)
        (void)ln_spice_no_memory(spice);
}

/* XQC above a half asks SPICE2 for Meyer's capacitances, which are those of no charge. 1 if that is
 * said. */
static int is_meyer(ln_cursor *words, const ln_spice_model *model, const char *name, double value) {
    if (strcmp(name, "xqc") != 0 || !(value > 0.5))
        return 0;
    note_once(words->spice, words->card->place,
              ln_spice_text(words->spice,
                            ".model %s: xqc=%g asks for capacitances after Meyer, which lose "
                            "charge; charges with xqc=0, "
                            "which are nearest, take their place",
                            model->name, value));
    return 1;
}

/* What its first device was given by a model of the deck itself, for all others. In a subcircuit a
 * model's words are read in each instance anew, whose parameters they may hold. */
static void keep_given(ln_spice *spice, const device *row, const ln_spice_model *model,
                       const ln_element *element, int first, double area) {
    const int count = element->nattributes - first;
    ln_attribute *kept = LN_SPICE_NEW(spice, ln_attribute, count);
    if (model->home->outer != NULL || kept == NULL || element->attributes == NULL)
        return;
    memcpy(kept, element->attributes + first, (size_t)count * sizeof *kept);
    *model->given = (ln_model_given){row, kept, count, area};
}

/* 1 when what the model gives is known from another device. */
static int give_again(const device *row, const ln_spice_model *model, ln_element *element,
                      double *area) {
    const ln_model_given *given = model->given;
    if (given->device != row || element->attributes == NULL)
        return 0;
    memcpy((ln_attribute *)element->attributes + element->nattributes, given->attributes,
           (size_t)given->nattributes * sizeof *given->attributes);
    element->nattributes += given->nattributes;
    *area = given->area;
    return 1;
}

/* *area: what instances without one have. */
static void model_parameters(const ln_cursor *cursor, const device *row,
                             const ln_spice_model *model, ln_element *element, double *area) {
    ln_spice *spice = cursor->spice;
    ln_cursor words;
    const char *name, *ours;
    double value;
    const int first = element->nattributes;
    if (give_again(row, model, element, area) || !ln_model_words(cursor, model, &words))
        return;
    for (;;) {
        if (is_idle(spice, &words))
            continue;
        if (!ln_model_next(&words, &name, &value))
            break;
        if (strcmp(name, "level") == 0)
            continue; /* chosen by it */
        if (is_meyer(&words, model, name, value))
            continue;
        if (strcmp(name, "tnom") == 0 || strcmp(name, "tref") == 0)
            set(spice, element, "tnom", value + 273.15);
        else if (row->letter == 'd' && strcmp(name, "area") == 0)
            *area = value;
        else if ((ours = listed(spice, row->model, name)) != NULL)
            set(spice, element, ours, value);
        else if (listed(spice, row->absent, name) != NULL) {
            if (value != 0)
                ln_card_error(&words, "%s=%g: the block type %s has nothing like it", name, value,
                              row->type);
        } else if (listed(spice, row->other, name) != NULL) {
            note_once(
                spice, words.card->place,
                ln_spice_text(spice,
                              ".model %s: '%s' is no parameter of level %d and has no effect on it",
                              model->name, name, row->level));
        } else {
            const char *known[MOST_NAMES];
            const size_t count = words_of(spice, row->model, known);
            ln_model_unknown(&words, model->kind, name, known, count);
        }
    }
    keep_given(spice, row, model, element, first, *area);
}

/* The level that a model asks for, 1 where it is silent. */
static double level_of(const ln_cursor *cursor, const ln_spice_model *model) {
    ln_cursor words;
    double level = 1;
    if (!ln_model_words(cursor, model, &words))
        return level;
    while (words.at < words.count) {
        if (strcmp(words.words[words.at++].text, "level") != 0)
            continue;
        (void)ln_skip(&words, '=');
        (void)ln_take_optional(&words, &level);
    }
    return level;
}

/* Levels of ngspice that have no equations here. */
static const struct {
    char letter;
    double level;
    const char *name, *instead;
} foreign[] = {
#define NEAREST "; level 3 with parameters fitted to the same curves comes nearest"
    {'m', 4, " (BSIM1)", NEAREST},
    {'m', 5, " (BSIM2)", NEAREST},
    {'m', 6, " (Sakurai and Newton)", NEAREST},
    {'m', 8, " (BSIM3)", NEAREST},
    {'m', 49, " (BSIM3)", NEAREST},
    {'m', 9, " (level 3 as changed for ngspice's level 9)", "; level 3 has nearly its equations"},
    {'m', 10, " (BSIM3SOI)", NEAREST},
    {'m', 58, " (BSIM3SOI)", NEAREST},
    {'m', 14, " (BSIM4)", NEAREST},
    {'m', 54, " (BSIM4)", NEAREST},
    {'m', 44, " (EKV)", NEAREST},
    {'m', 68, " (HiSIM2)", NEAREST},
    {'m', 73, " (HiSIM-HV)", NEAREST},
    {'q', 4, " (VBIC)", "; level 1 has quasi-saturation and excess phase"},
    {'q', 9, " (VBIC)", "; level 1 has quasi-saturation and excess phase"},
    {'q', 8, " (HICUM)", "; level 1 has quasi-saturation and excess phase"},
    {'j', 2, " (Parker and Skellern)", "; level 1 has their doping tail, B"},
    {'d', 3, " (a diode with capacitors of metal and polysilicon)",
     "; level 1 and capacitors beside it"},
};

static const device *of_level(const ln_cursor *cursor, const device *first,
                              const ln_spice_model *model) {
    const device *known = model->given->device;
    if (known != NULL && known->letter == first->letter)
        return known;
    const double level = level_of(cursor, model);
    for (size_t k = 0; k < sizeof devices / sizeof *devices; k++)
        if (devices[k].letter == first->letter && devices[k].level == level)
            return &devices[k];
    const char *what = "", *instead = "";
    for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++)
        if (foreign[k].letter == first->letter && foreign[k].level == level)
            what = foreign[k].name, instead = foreign[k].instead;
    ln_card_error(cursor, "the model '%s' (line %d) is of level %g%s, which is not supported%s",
                  model->name, model->card->place.line, level, what, instead);
    return NULL;
}

/* ---- the card ---- */

/* ic=vbe,vce or icvbe=..., which have a meaning with UIC only. 0: it is another parameter. */
static int take_start(ln_cursor *cursor, const device *row, const char *name, double value,
                      ln_element *element) {
    ln_spice *spice = cursor->spice;
    const int list = name[2] == '\0';
    int k = 0;
    while (!list && row->starts[k] != NULL &&
           strncmp(row->starts[k], name + 2, strlen(row->starts[k]) - 1) != 0)
        k++;
    if (row->starts[k] == NULL)
        return 0;
    do {
        if (row->starts[k] == NULL) {
            ln_card_error(cursor, "ic= has too many values");
            return 1;
        }
        if (spice->settings.uic)
            ln_emit_number(spice, element, row->starts[k], value);
        k++;
    } while (list && ln_peek(cursor) != NULL && !ln_peek_pair(cursor) &&
             ln_take_optional(cursor, &value));
    return 1;
}

/* .options scale: lengths on a transistor's card are in this unit, areas in its square. */
static double scale_of(const ln_spice *spice, const device *row, const char *name) {
    if (row->letter != 'm')
        return 1;
    if (name[0] == 'a')
        return spice->settings.scale * spice->settings.scale; /* ad, as */
    return strcmp(name, "l") == 0 || strcmp(name, "w") == 0 || name[0] == 'p'
               ? spice->settings.scale
               : 1;
}

/* MOS transistors in parallel: m= of the card times that of the instance. */
static void scale_parallel(ln_spice *spice, ln_element *element, double m) {
    const char *given = ln_attribute_of(element, "M"), *end;
    set(spice, element, "M", given != NULL ? m * ln_number_read(given, &end) : m);
}

/* Behind the model: an area, OFF, IC=... and name=value. */
static void card_parameters(ln_cursor *cursor, const device *row, double area,
                            ln_element *element) {
    ln_spice *spice = cursor->spice;
    double m = 1, temperature = spice->settings.temperature, value;
    const int has_area = row->letter != 'm';
    if (has_area)
        (void)ln_take_optional(cursor, &area);
    while (ln_peek(cursor) != NULL) {
        const char *name = ln_peek(cursor)->text, *ours;
        if (strcmp(name, "off") == 0 && !ln_peek_pair(cursor)) {
            cursor->at++;
            ln_emit_number(spice, element, "off", 1);
            continue;
        }
        if (!ln_take_pair(cursor, &name, &value)) {
            ln_expect_end(cursor);
            break;
        }
        if (strncmp(name, "ic", 2) == 0 && take_start(cursor, row, name, value, element)) {
            continue;
        } else if (has_area && strcmp(name, "area") == 0)
            area = value;
        else if (has_area && strcmp(name, "m") == 0)
            m = value;
        else if (strcmp(name, "temp") == 0)
            temperature = value;
        else if (strcmp(name, "dtemp") == 0)
            temperature += value;
        else if ((ours = listed(spice, row->card, name)) != NULL)
            set(spice, element, ours, value * scale_of(spice, row, name));
        else
            ln_card_error(cursor, "'%s' is no parameter that this card knows", name);
    }
    m *= cursor->inside->m;
    if (!has_area && cursor->inside->m != 1)
        scale_parallel(spice, element, cursor->inside->m);
    if (!has_area)
        m = 1;
    if (row->letter == 'd' && m != 1) {
        ln_emit_number(spice, element, "parallel", m); /* which multiplies more than the area */
        m = 1;
    }
    if (area * m != 1)
        ln_emit_number(spice, element, "area", area * m);
    ln_emit_number(spice, element, "temp", temperature + 273.15);
    if (spice->settings.gmin != 1e-12)
        ln_emit_number(spice, element, "GMIN", spice->settings.gmin);
    if (ln_attribute_of(element, "tnom") == NULL && spice->settings.nominal != 27)
        ln_emit_number(spice, element, "tnom", spice->settings.nominal + 273.15);
}

/* The model stands behind the nodes, of which the last may be left out. */
static int take_nodes(ln_cursor *cursor, const device *row, const char **nodes) {
    int count = 0;
    for (; row->ports[count] != NULL; count++) {
        if (count >= row->least && ln_peek_is(cursor, 'w') &&
            ln_model_named(cursor->inside->circuit, ln_peek(cursor)->text) != NULL)
            break;
        if ((nodes[count] = ln_take_node(cursor, "a node")) == NULL)
            return 0;
    }
    return count;
}

/* Nothing stands behind the nodes: no name, or one that no .model has and that was taken for the
 * last node. */
static void no_model(const ln_cursor *cursor, const device *row, int count) {
    const char *last = cursor->words[cursor->at - 1].text;
    if (count > row->least)
        ln_card_error(cursor,
                      "the model is missing; if '%.60s' is its name: the deck has no .model of it "
                      "(.model %.60s %s)",
                      last, last, row->kinds[0]);
    else
        ln_card_error(cursor,
                      "the model is missing; write its name behind the nodes, and "
                      ".model NAME %s",
                      row->kinds[0]);
}

static void semiconductor(ln_cursor *cursor, const device *row) {
    ln_spice *spice = cursor->spice;
    const char *nodes[5] = {NULL};
    const ln_spice_model *power = row->letter == 'm' ? ln_vdmos_of(cursor) : NULL;
    if (power != NULL) {
        ln_card_vdmos(cursor, power);
        return;
    }
    const int count = take_nodes(cursor, row, nodes);
    if (count > 0 && ln_peek(cursor) == NULL) {
        no_model(cursor, row, count);
        return;
    }
    const ln_spice_model *model = count > 0 ? ln_take_model(cursor, row->kinds) : NULL;
    if (model == NULL || (row = of_level(cursor, row, model)) == NULL)
        return;
    ln_element *element = ln_emit_device(cursor, row->type);
    for (int k = 0; k < count; k++)
        ln_emit_text(spice, element, row->ports[k], nodes[k]);
    if (row->kinds[1] != NULL)
        ln_emit_text(spice, element, "type", model->kind);
    if (row->level != 1)
        ln_emit_number(spice, element, "LEVEL", row->level);
    double area = 1;
    model_parameters(cursor, row, model, element, &area);
    card_parameters(cursor, row, area, element);
}

int ln_card_device(ln_cursor *cursor, char letter) {
    for (size_t k = 0; k < sizeof devices / sizeof *devices; k++)
        if (devices[k].letter == letter)
            return semiconductor(cursor, &devices[k]), 1;
    return 0;
}
