/* SPDX-License-Identifier: MIT */
/* The table of semiconductors: a row for each letter and level (ngspice manual, chapters 7 to 11).
 *
 * The parameters of a .model are those of the block type, whose names are SPICE's in capitals. A
 * row says what differs: other spellings, parameters that the level does not have, those of the
 * card. Levels of ngspice that have no equations here are refused with what comes nearest.
 *
 * A row reads: letter; level; block type; kinds of .model; least and most nodes; other spellings;
 * parameters of the type that are the card's or the simulator's (a .model that gives them is
 * wrong); effects that are not modelled, allowed as zero; parameters that SPICE itself ignores at
 * this level; parameters of the card; what IC= sets, in SPICE's order. SPICE3's nodes of Q may end
 * with the substrate; a name behind three nodes is the model where there is a .model of it. */
#include "blocks/native/native.h"
#include "spice/device.h"

#include <string.h>

#define NAMES(list) list, sizeof(list) / sizeof *(list)

/* Other spellings: of SPICE2, of PSpice and HSPICE, and of ngspice's own synonyms. */
static const linnet_alias diode_names[] = {
    {"js", "IS"},    {"cj0", "CJO"},  {"cj", "CJO"},   {"pb", "VJ"},   {"mj", "M"},
    {"vb", "BV"},    {"ib", "IBV"},   {"nz", "NBV"},   {"ik", "IKF"},  {"isw", "JSW"},
    {"cjp", "CJSW"}, {"vjsw", "PHP"}, {"trs", "TRS1"}, {"ctc", "CTA"}, {"tvj", "TPB"}};

static const linnet_alias bjt_names[] = {
    {"va", "VAF"}, {"ik", "IKF"}, {"c2", "ISE"},   {"vb", "VAR"},   {"c4", "ISC"},   {"pe", "VJE"},
    {"me", "MJE"}, {"pc", "VJC"}, {"mc", "MJC"},   {"ccs", "CJS"},  {"csub", "CJS"}, {"ps", "VJS"},
    {"ms", "MJS"}, {"nk", "NKF"}, {"trb", "TRB1"}, {"trc", "TRC1"}, {"tre", "TRE1"}};

static const linnet_alias jfet_names[] = {{"vt0", "VTO"}};

static const linnet_alias mos_names[] = {{"vt0", "VTO"}, {"uo", "U0"}};
static const linnet_alias mos3_names[] = {{"vt0", "VTO"}, {"uo", "U0"}, {"delvt0", "DELVTO"}};

/* Areas, perimeters and squares belong to one transistor, not to its process: to the M card, not to
 * .model. L and W may stand on both, and the card's hold. */
#define OF_TRANSISTOR "gmin m nrd nrs ad as pd ps"
static const char mos_card[] = "l w ad as pd ps nrd nrs m delvto";

static const ln_device_row devices[] = {
    {'d',
     1,
     &ln_spice_diode_class,
     {"d", NULL},
     2,
     2,
     NAMES(diode_names),
     "gmin",
     "rth0 cth0 lm lp wm wp xom xoi xm xp",
     "",
     "pj",
     {"v0"}},
    {'q',
     1,
     &ln_bjt_class,
     {"npn", "pnp"},
     3,
     4,
     NAMES(bjt_names),
     "gmin areab areac",
     "rth0",
     "",
     "areab areac",
     {"vbe0", "vce0"}},
    {'j',
     1,
     &ln_jfet_class,
     {"njf", "pjf"},
     3,
     3,
     NAMES(jfet_names),
     "gmin",
     "isr alpha vk",
     "",
     "",
     {"vds0", "vgs0"}},
    {'m',
     1,
     &ln_mosfet_class,
     {"nmos", "pmos"},
     4,
     4,
     NAMES(mos_names),
     OF_TRANSISTOR " xl wd xw delvto",
     "",
     "nfs delta eta theta kappa xj neff vmax ucrit uexp utra",
     mos_card,
     {"vds0", "vgs0", "vbs0"}},
    {'m',
     2,
     &ln_mosfet_class,
     {"nmos", "pmos"},
     4,
     4,
     NAMES(mos_names),
     OF_TRANSISTOR " xl wd xw delvto",
     "",
     "utra eta theta kappa",
     mos_card,
     {"vds0", "vgs0", "vbs0"}},
    {'m',
     3,
     &ln_mosfet_class,
     {"nmos", "pmos"},
     4,
     4,
     NAMES(mos3_names),
     OF_TRANSISTOR,
     "input_delta",
     "lambda neff ucrit uexp utra",
     mos_card,
     {"vds0", "vgs0", "vbs0"}},
};

/* ---- names ---- */

int ln_is_listed(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = list; *at != '\0'; at += strspn(at, " ")) {
        const size_t size = strcspn(at, " ");
        if (size == length && strncmp(at, word, size) == 0)
            return 1;
        at += size;
    }
    return 0;
}

static int is_lower(char c) {
    return c >= 'a' && c <= 'z';
}

/* Is `name` the capitals of the word? Words of a deck are lower case by now. */
static int is_capital(const char *name, const char *word) {
    for (; *name != '\0' && *word != '\0'; name++, word++)
        if (*name != (is_lower(*word) ? (char)(*word - 'a' + 'A') : *word))
            return 0;
    return *name == *word;
}

const char *ln_parameter_of_type(const ln_device_row *row, const char *word) {
    for (int k = 0; k < row->type->nparams; k++)
        if (is_capital(row->type->params[k].name, word))
            return row->type->params[k].name;
    return NULL;
}

const char *ln_parameter_of_model(const ln_device_row *row, const char *word) {
    for (int k = 0; k < row->nother_names; k++)
        if (strcmp(row->other_names[k].name, word) == 0)
            return row->other_names[k].param;
    return ln_is_listed(row->not_of_model, word) || ln_is_listed(row->other, word)
               ? NULL
               : ln_parameter_of_type(row, word);
}

/* ---- levels ---- */

const ln_device_row *ln_device_of_letter(char letter) {
    for (size_t k = 0; k < sizeof devices / sizeof *devices; k++)
        if (devices[k].letter == letter)
            return &devices[k];
    return NULL;
}

/* The level that a model asks for, 1 where it is silent. It is looked for before the parameters are
 * read, since it decides which of them there are; it may stand anywhere among them. */
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

/* Levels of ngspice that have no equations here. To compute such a device by level 1 would give a
 * result that looks like one. */
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

const ln_device_row *ln_device_of_level(const ln_cursor *cursor, const ln_device_row *first,
                                        const ln_spice_model *model) {
    const ln_device_row *known = model->given->device;
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
