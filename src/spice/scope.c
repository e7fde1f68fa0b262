/* SPDX-License-Identifier: MIT */
/* Parameters and functions of a deck: .param in the deck and in subcircuits, those of a .subckt
 * line and of its X card, .func.
 *
 * A scope is an instance of a circuit; a name is looked for in it, then in the scope where the
 * instance stands, last among the constants. So a parameter is known by where an instance stands,
 * not by where its .subckt is written, as in ngspice.
 *
 * A parameter is computed when it is first needed, so their order in the deck does not matter;
 * state 1 marks one whose expression is being computed, by which one that needs itself is found
 * (".param a={b} b={a}"), state 2 one that has its value, state 3 one whose error is reported. A
 * parameter that follows the circuit or time, as Xyce has them (".param g={v(a)*1m}"), has no
 * value: its expression takes its place. */
#include "expression/graph.h"
#include "spice/deck.h"

#include <string.h>

/* The constants are those that ngspice knows in expressions, in SI (the 2019 values of CODATA,
 * exact but for pi and e), and `kelvin`, absolute zero in degC. They come last: a deck that calls
 * a parameter of its own `e` or `c` means its own. `temper` and `temp` are the circuit's
 * temperature, degC. */
int ln_scope_find(ln_spice *spice, const ln_spice_scope *scope, const char *name, double *value) {
    static const struct {
        const char *name;
        double value;
    } constants[] = {{"pi", 3.14159265358979323846},
                     {"boltz", 1.380649e-23},
                     {"echarge", 1.602176634e-19},
                     {"planck", 6.62607015e-34},
                     {"kelvin", -273.15},
                     {"c", 299792458.0},
                     {"e", 2.71828182845904523536},
                     {"true", 1},
                     {"false", 0},
                     {"yes", 1},
                     {"no", 0}};
    for (const ln_spice_scope *at = scope; at != NULL; at = at->outer)
        for (ln_spice_param *param = at->params; param != NULL; param = param->next) {
            if (strcmp(param->name, name) != 0)
                continue;
            if (param->state == 1 || param->state == 3) {
                if (param->state == 1)
                    ln_spice_error(spice, param->place, "parameter '%s' needs its own value", name);
                return -1;
            }
            if (param->state == 0) {
                param->state = 1;
                int fine = ln_text_value(spice, at, param->text, param->place, &param->value);
                param->state = fine ? 2 : 3;
                if (!fine)
                    return -1;
            }
            *value = param->value;
            return 1;
        }
    if (strcmp(name, "temper") == 0 || strcmp(name, "temp") == 0)
        return *value = spice->settings.temperature, 1;
    for (size_t k = 0; k < sizeof constants / sizeof *constants; k++)
        if (strcmp(constants[k].name, name) == 0)
            return *value = constants[k].value, 1;
    return 0;
}

/* Whether an expression is a number of the deck or an equation of the circuit. "R1 a b {r0*2}" is a
 * resistor; "R1 a b {1k+v(c)}", directly or by a parameter, needs a generated type. */
int ln_formula_follows(ln_spice *spice, const ln_spice_scope *scope, const ln_formula *formula) {
    if (formula->kind == 'f' &&
        (strcmp(formula->name, "v") == 0 || strcmp(formula->name, "i") == 0))
        return 1;
    if (formula->kind == 'n')
        return strcmp(formula->name, "time") == 0 ||
               ln_scope_follows(spice, scope, formula->name) != NULL;
    for (int k = 0; k < formula->nargs; k++)
        if (ln_formula_follows(spice, scope, formula->args[k]))
            return 1;
    return 0;
}

/* Parameters may follow one another, and in a circle: the depth ends the search then, and
 * ln_scope_find reports the circle when the value is asked for. A parameter that has its value
 * (state 2) was a number. */
const ln_formula *ln_scope_follows(ln_spice *spice, const ln_spice_scope *scope, const char *name) {
    enum { DEEPEST = 50 };
    const ln_formula *found = NULL;
    if (spice->effort.depth > DEEPEST)
        return NULL;
    for (const ln_spice_scope *at = scope; at != NULL; at = at->outer)
        for (const ln_spice_param *param = at->params; param != NULL; param = param->next) {
            if (strcmp(param->name, name) != 0)
                continue;
            if (param->text == NULL || param->state == 2)
                return NULL;
            spice->effort.depth++;
            const ln_formula *formula = ln_formula_parse(spice, param->text, param->place);
            if (formula != NULL && ln_formula_follows(spice, at, formula))
                found = formula;
            spice->effort.depth--;
            return found;
        }
    return NULL;
}

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
        if (!ln_peek_pair(cursor)) {
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
 * one name and number of arguments the last holds, for it is linked in front. */
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
    function->next = circuit->functions;
    circuit->functions = function;
}

/* Functions belong to the circuit's text, unlike parameters: the search goes outwards through the
 * .subckt definitions. */
const ln_spice_function *ln_function_named(const ln_spice_scope *scope, const char *name,
                                           int nargs) {
    for (const ln_circuit *circuit = scope->circuit; circuit != NULL; circuit = circuit->outer)
        for (const ln_spice_function *f = circuit->functions; f != NULL; f = f->next)
            if (strcmp(f->name, name) == 0 && f->nformal == nargs)
                return f;
    return NULL;
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
        for (ln_spice_param *param = spice->deck.params; param != NULL; param = param->next)
            if (strcmp(param->name, value->name) == 0)
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
        int is_first = 1;
        for (const ln_spice_param *other = spice->deck.params; other != param; other = other->next)
            is_first &= strcmp(other->name, param->name) != 0;
        has_temp |= strcmp(param->name, "temp") == 0;
        if (param->state == 2 && is_first)
            parameter(spice, param->name, param->value);
    }
    if (!has_temp)
        parameter(spice, "temp", spice->settings.temperature);
}
