/* SPDX-License-Identifier: MIT */
/* Parameters and functions of a deck: .param in the deck and in subcircuits, those of a .subckt
 * line and of its X card, .func.
 *
 * A scope is an instance of a circuit; a name is looked for in it, then in the scope where the
 * instance stands, last among the constants. So a parameter is known by where an instance stands,
 * not by where its .subckt is written, as in ngspice. value.c tells how a parameter gets its
 * value, and its states. */
#include "expression/graph.h"
#include "spice/deck.h"

#include <string.h>

ln_spice_param *ln_param_new(ln_spice *spice, const char *name, const char *text, ln_place place) {
    ln_spice_param *param = LN_SPICE_NEW(spice, ln_spice_param, 1);
    if (param != NULL)
        *param = (ln_spice_param){.name = name, .text = text, .place = place};
    return param;
}

/* The text of a value: in braces, or up to the next name=. */
static const char *value_text(ln_cursor *cursor) {
    const ln_spice_word *word = ln_peek(cursor);
    if (word != NULL && word->kind == '{')
        return cursor->at++, word->text;
    return ln_take_formula(cursor);
}

/* "a=1 b={2*a} c=a+b": *end is where the next entry is linked, which lets .param cards add to what
 * earlier ones gave. Expressions are kept as texts, for what they name may stand behind them. */
void ln_take_params(ln_cursor *cursor, ln_spice_param ***end) {
    while (ln_peek(cursor) != NULL) {
        /* LTspice takes one value behind its name: ".param w 2*l" */
        const int without = cursor->at == 1 && cursor->count > 2 && ln_peek_is(cursor, 'w');
        if (!ln_peek_pair(cursor) && !without) {
            ln_card_error(cursor, "'%.60s' is not understood; parameters are written name=value",
                          ln_peek(cursor)->text);
            return;
        }
        const char *name = ln_take_name(cursor, "a parameter");
        ln_skip(cursor, '=');
        const char *text = value_text(cursor);
        ln_spice_param *param =
            text != NULL ? ln_param_new(cursor->spice, name, text, cursor->card->place) : NULL;
        if (param == NULL)
            return;
        **end = param;
        *end = &param->next;
    }
}

/* .func name(a, b) {expression}, with or without '='. The body is parsed here and looked at when
 * the function is called; its other names are looked up where the call stands. Of two functions of
 * one name and number of arguments the last holds. */
void ln_take_function(ln_cursor *cursor, ln_circuit *circuit) {
    ln_spice *spice = cursor->spice;
    cursor->name = ".func";
    ln_spice_function *function = LN_SPICE_NEW(spice, ln_spice_function, 1);
    const char *name = ln_take_name(cursor, "the name of a function");
    if (function == NULL || name == NULL)
        return;
    function->name = name;
    function->formal = LN_SPICE_NEW(spice, const char *, 16);
    if (function->formal == NULL)
        return;
    if (!ln_skip(cursor, '('))
        ln_card_error(cursor, "write .func name(a, b) {expression}");
    while (ln_peek_is(cursor, 'w') && function->nformal < 16)
        function->formal[function->nformal++] = ln_take_name(cursor, "");
    if (!ln_skip(cursor, ')'))
        ln_card_error(cursor, "the arguments of a function are names, at most 16, in parentheses");
    ln_skip(cursor, '=');
    const char *text = value_text(cursor);
    function->body = text != NULL ? ln_formula_parse(spice, text, cursor->card->place) : NULL;
    if (function->body == NULL)
        return;
    ln_spice_function *same = ln_define(spice, &circuit->functions, name, function);
    while (same != function && same->nformal != function->nformal && same->next != NULL)
        same = same->next;
    if (same->nformal == function->nformal) {
        same->formal = function->formal;
        same->body = function->body;
    } else
        same->next = function;
}

/* `--set r=2k` and the cases of a sweep arrive here: the parameter is done (state 2) before any
 * expression asks for it, so all that follow from it follow the new value. Called again after each
 * .param card, which might have entered the name since. */
void ln_spice_take_values(ln_spice *spice) {
    const ln_model_options *options = ln_reader_options(spice->reader);
    for (int k = 0; options != NULL && k < options->nvalues; k++) {
        const ln_model_value *value = &options->values[k];
        if (strcmp(value->name, "temp") == 0)
            spice->settings.temperature = value->value;
        ln_spice_param *param = ln_param_named(&spice->deck, value->name);
        if (param != NULL)
            param->value = value->value, param->state = 2;
    }
}

/* A <parameter> for the user's --set and --vary, where the name is one in our language and nothing
 * else in the model bears it: a node, a constant or function, a recorded signal. */
static void parameter(ln_spice *spice, const char *name, double value) {
    if (ln_node_is_used(spice, name) || ln_is_reserved(name) ||
        ln_map_get(spice->asked.recorded, name) >= 0)
        return;
    for (const char *c = name; *c != '\0'; c++)
        if (!((*c >= 'a' && *c <= 'z') || *c == '_' || (c > name && *c >= '0' && *c <= '9')))
            return;
    ln_element *e = ln_emit(spice, "parameter", (ln_place){spice->tree.root->file, 1, 0});
    ln_emit_text(spice, e, "name", name);
    ln_emit_number(spice, e, "value", value);
}

/* Only parameters that an expression has asked for (state 2): the others have no value, and nothing
 * in the model would change with them. Of a name that .param gives twice the first entry holds the
 * last expression (circuit.c). */
void ln_spice_parameters(ln_spice *spice) {
    int has_temp = 0;
    for (const ln_spice_param *param = spice->deck.params; param != NULL; param = param->next) {
        const int is_first = ln_param_named(&spice->deck, param->name) == param;
        has_temp |= strcmp(param->name, "temp") == 0;
        if (param->state == 2 && is_first)
            parameter(spice, param->name, param->value);
    }
    if (!has_temp)
        parameter(spice, "temp", spice->settings.temperature);
}
