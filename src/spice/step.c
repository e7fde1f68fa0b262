/* SPDX-License-Identifier: MIT */
/* LTspice's .step: a parameter of the deck, the temperature or the value of an element, over a
 * list, evenly or by equal ratios. All of a deck become one <parameter-sweep>, which `linnet sweep`
 * performs.
 */
#include "spice/deck.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 10000 };

/* What varies, and the words of its values begin; NULL, reported. *per: points per decade or octave
 * follow, by which ratio; 0: evenly. */
static const char *take_name(ln_cursor *cursor, int *is_parameter, double *ratio) {
    cursor->name = cursor->words[0].text;
    cursor->at = 1;
    *ratio = ln_take_word(cursor, "dec") ? 10 : ln_take_word(cursor, "oct") ? 2 : 0;
    if (*ratio == 0)
        (void)ln_take_word(cursor, "lin");
    *is_parameter = ln_take_word(cursor, "param");
    const char *name = ln_take_name(cursor, "what is varied");
    if (name != NULL && ln_peek_is(cursor, '(')) {
        ln_card_error(cursor, "a parameter of a .model cannot be varied; write it as {name} in the "
                              "model and vary that");
        return NULL;
    }
    return name;
}

/* ", value" */
static void add(ln_text *list, double value) {
    char digits[32];
    ln_number_format(digits, value);
    ln_text_printf(list, "%s%s", list->length > 0 ? "," : "", digits);
}

/* from to by: with a ratio, `by` points in each decade or octave, v_k = from * ratio^(k/by); else
 * steps of it. 1e-9 of a step forgives the rounding of the quotient. 0 reported. */
static int take_range(ln_cursor *cursor, double ratio, ln_text *list) {
    double v[3];
    for (int k = 0; k < 3; k++)
        if (!ln_take_value(cursor, "start, end or step of .step", &v[k]))
            return 0;
    const double steps = ratio > 0 ? floor(log(v[1] / v[0]) / log(ratio) * v[2] + 1e-9)
                                   : floor((v[1] - v[0]) / v[2] + 1e-9);
    if (!(steps >= 0) || steps > MOST_STEPS) {
        ln_card_error(cursor, "from %g to %g by %g is no row of at most %d values", v[0], v[1],
                      v[2], (int)MOST_STEPS);
        return 0;
    }
    for (double k = 0; k <= steps; k++)
        add(list, ratio > 0 ? v[0] * pow(ratio, k / v[2]) : v[0] + k * v[2]);
    /* LTspice ends with the last value given */
    const double last = ratio > 0 ? v[0] * pow(ratio, steps / v[2]) : v[0] + steps * v[2];
    if (fabs(last - v[1]) > 1e-9 * fabs(v[1]))
        add(list, v[1]);
    return 1;
}

/* "1,2,3"; NULL, reported. */
static const char *take_values(ln_cursor *cursor, double ratio) {
    ln_text list = {0};
    double value;
    int fine = 1;
    if (!ln_take_word(cursor, "list"))
        fine = take_range(cursor, ratio, &list);
    else
        while (fine && ln_peek(cursor) != NULL)
            if ((fine = ln_take_value(cursor, "a value of the list", &value)))
                add(&list, value);
    if (fine)
        ln_expect_end(cursor);
    if (fine && list.length == 0)
        ln_card_error(cursor, "it has no values");
    const char *text =
        fine && list.length > 0 ? ln_spice_text(cursor->spice, "%s", list.data) : NULL;
    ln_text_free(&list);
    return text;
}

/* A parameter that only .step gives has its first value where the deck is run once. */
void ln_step_parameter(ln_spice *spice, ln_card *card) {
    ln_cursor cursor = ln_card_words(spice, NULL, card);
    int is_parameter;
    double ratio, value;
    const char *name = cursor.words != NULL ? take_name(&cursor, &is_parameter, &ratio) : NULL;
    if (name == NULL || !is_parameter)
        return;
    if (ln_param_named(&spice->deck, name) != NULL)
        return;
    (void)ln_take_word(&cursor, "list");
    if (!ln_take_value(&cursor, "a value", &value))
        return;
    char digits[32];
    ln_number_format(digits, value);
    ln_spice_param *param =
        ln_param_new(spice, name, ln_spice_text(spice, "%s", digits), card->place);
    if (param == NULL)
        return;
    *ln_params_end(&spice->deck) = param;
    (void)ln_define(spice, &spice->deck.every, name, param);
    spice->global.params = spice->deck.params;
}

/* The parameter has a value by now if something in the deck asked for it. */
static int is_used(const ln_spice *spice, const char *name) {
    const ln_spice_param *param = ln_param_named(&spice->deck, name);
    return param != NULL && param->state == 2;
}

void ln_step_sweep(ln_spice *spice, ln_card *card) {
    ln_cursor cursor = ln_card_words(spice, NULL, card);
    int is_parameter;
    double ratio;
    const char *name = cursor.words != NULL ? take_name(&cursor, &is_parameter, &ratio) : NULL;
    const char *values = name != NULL ? take_values(&cursor, ratio) : NULL;
    if (values == NULL)
        return;
    if (is_parameter && !is_used(spice, name)) {
        ln_warn(spice->report, card->place, ".step: nothing in the deck uses the parameter '%s'",
                name);
        return;
    }
    const char *swept = is_parameter ? name : ln_swept_by(&cursor, name);
    if (swept == NULL)
        return;
    const char *vary = ln_spice_text(spice, "%s=%s", swept, values);
    for (ln_element *e = spice->tree.root->first; e != NULL; e = e->next)
        if (strcmp(e->name, "parameter-sweep") == 0) {
            ln_attribute *given = (ln_attribute *)e->attributes;
            given->value = ln_spice_text(spice, "%s %s", given->value, vary);
            return;
        }
    ln_emit_text(spice, ln_emit(spice, "parameter-sweep", card->place), "vary", vary);
}
