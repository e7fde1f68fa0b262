/* SPDX-License-Identifier: MIT */
/* .model cards: found by name from where a card stands, outwards; their words read in the scope of
 * the circuit that holds them, where their expressions have their parameters.
 *
 * ngspice writes "name = value", SPICE2 also "name value". Parentheses around them are optional,
 * and some decks close them early: "(is=1e-14) cje=1p)". */
#include "base/words.h"
#include "spice/deck.h"

#include <string.h>

/* The instance of the circuit that holds the model: the nearest outwards. A .model of the deck that
 * says bf={gain} means the deck's `gain`, though an instance that uses the model may have one. */
static const ln_inside *home_of(const ln_spice_model *model, const ln_inside *inside) {
    const ln_inside *at = inside;
    while (at != NULL && at->circuit != model->home)
        at = at->outer;
    return at != NULL ? at : inside;
}

int ln_model_words(const ln_cursor *cursor, const ln_spice_model *model, ln_cursor *words) {
    ln_spice *spice = cursor->spice;
    *words = ln_card_words(spice, home_of(model, cursor->inside), model->card);
    if (words->words == NULL)
        return 0;
    words->name = ln_spice_text(spice, ".model %s", model->name);
    words->at = 3; /* .model name kind */
    ln_skip(words, '(');
    return 1;
}

int ln_is_line_control(const char *name) {
    static const char *const words[] = {"nocontrol",  "steplimit",    "nosteplimit", "lininterp",
                                        "quadinterp", "mixedinterp",  "compactrel",  "compactabs",
                                        "truncnr",    "truncdontcut", "rel",         "abs"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcmp(words[k], name) == 0)
            return 1;
    return 0;
}

int ln_model_skip_idle(ln_cursor *words) {
    static const char *const idle[] = {
        "kf",       "af",     "ef",     "nlev",    "gdsnoi",  "mfg",     "type",   "vceo",
        "icrating", "iave",   "irms",   "ipk",     "vpk",     "diss",    "fv_max", "bv_max",
        "id_max",   "pd_max", "te_max", "vbe_max", "vbc_max", "vce_max", "ic_max", "ib_max"};
    if (!ln_peek_pair(words) || !LN_IS_AMONG(idle, ln_peek(words)->text))
        return 0;
    words->at += 3; /* name = anything: "mfg=acme" */
    return 1;
}

/* Pairs come as "bf=20", "bf = 20" and, from SPICE2, "bf 20"; words without a value are flags of
 * lossy lines ("lininterp"), which are passed over. */
int ln_model_next(ln_cursor *words, const char **name, double *value) {
    /* as in "(is=1e-14) cje=1p)" */
    while (ln_skip(words, ')') || ln_skip(words, '('))
        continue;
    /* flags */
    while (ln_peek_is(words, 'w') && !ln_peek_pair(words) &&
           ln_is_line_control(ln_peek(words)->text))
        words->at++;
    if (ln_peek_pair(words))
        return ln_take_pair(words, name, value);
    if (ln_peek_is(words, 'w') && words->at + 1 < words->count &&
        strchr("w{", words->words[words->at + 1].kind) != NULL) {
        *name = words->words[words->at++].text; /* "bf 20", as SPICE2 has it */
        return ln_take_value(words, *name, value);
    }
    ln_expect_end(words);
    return 0;
}

void ln_model_unknown(const ln_cursor *words, const char *kind, const char *name,
                      const char *const *known, size_t count) {
    const char *nearest = ln_nearest(name, known, count);
    ln_card_error(words, "a model of kind %s has no parameter '%s' here%s%s%s", kind, name,
                  nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                  nearest != NULL ? "'?" : "");
}

const ln_spice_model *ln_take_model(ln_cursor *cursor, const char *const *kinds) {
    const char *name = ln_take_name(cursor, "the model");
    const ln_spice_model *model =
        name != NULL ? ln_model_named(cursor->inside->circuit, name) : NULL;
    if (name != NULL && model == NULL)
        ln_card_error(cursor, "the model '%s' is not defined; a .model of this name is missing",
                      name);
    for (int k = 0; model != NULL && k < 2; k++)
        if (kinds[k] != NULL && strcmp(model->kind, kinds[k]) == 0)
            return model;
    if (model != NULL)
        ln_card_error(cursor, "the model '%s' (line %d) is of kind %s, not %s%s%s", name,
                      model->card->place.line, model->kind, kinds[0],
                      kinds[1] != NULL ? " or " : "", kinds[1] != NULL ? kinds[1] : "");
    return NULL;
}

/* Noise and ratings of .model r, c, l: nothing that is computed here follows from them. */
static int is_idle_of_passive(const char *name) {
    static const char *const words[] = {"kf", "af", "ef", "lf", "wf", "noisy", "bv_max", "di"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcmp(words[k], name) == 0)
            return 1;
    return 0;
}

int ln_model_values(const ln_cursor *cursor, const char *name, const char *kind,
                    const char *const *names, double *values) {
    const ln_spice_model *model = ln_model_named(cursor->inside->circuit, name);
    if (model == NULL)
        return 0;
    if (strcmp(model->kind, kind) != 0) {
        ln_card_error(cursor, "the model '%s' (line %d) is of kind %s, not %s", name,
                      model->card->place.line, model->kind, kind);
        return -1;
    }
    ln_cursor words;
    if (!ln_model_words(cursor, model, &words))
        return -1;
    size_t count = 0;
    while (names[count] != NULL)
        count++;
    const char *given;
    double value;
    while (ln_model_next(&words, &given, &value)) {
        size_t k = 0;
        while (k < count && strcmp(names[k], given) != 0)
            k++;
        if (k < count)
            values[k] = value;
        else if (strcmp(kind, "ltra") == 0 && ln_is_line_control(given))
            continue;
        else if (kind[1] == '\0' && is_idle_of_passive(given))
            continue;
        else if (strcmp(given, "level") != 0 || value != 1)
            ln_model_unknown(&words, kind, given, names, count);
    }
    return 1;
}
