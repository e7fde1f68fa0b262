/* SPDX-License-Identifier: MIT */
/* Functions of SPICE that are said in our language by words around their arguments; those that take
 * more than words stand in print.c. Their values are ngspice's (ngspice manual, 5.1.1, "Syntax and
 * usage" of B sources), those of LTspice's and Xyce's names by their manuals.
 *
 * A row of u, 1, "if((", "", ") gt 0, 1, 0)" writes u(v(a)) as "if((((c1.v)/(1 V))) gt 0, 1, 0)".
 * log is the natural logarithm in sources, as ln; u(0) is 0 and sgn(0) is 0. ddt is a derivative
 * with respect to time in s; delay(x, T) takes T in s. The same functions of numbers alone are
 * computed by value.c, and both must agree. */
#include "spice/deck.h"

#include <math.h>
#include <string.h>

enum { ANY = -1 /* two arguments or more */ };

static const ln_function_words known[] = {{"sqrt", 1, "sqrt(", "", ")"},
                                          {"sin", 1, "sin(", "", ")"},
                                          {"cos", 1, "cos(", "", ")"},
                                          {"tan", 1, "tan(", "", ")"},
                                          {"asin", 1, "asin(", "", ")"},
                                          {"acos", 1, "acos(", "", ")"},
                                          {"atan", 1, "atan(", "", ")"},
                                          {"arctan", 1, "atan(", "", ")"},
                                          {"sinh", 1, "sinh(", "", ")"},
                                          {"cosh", 1, "cosh(", "", ")"},
                                          {"tanh", 1, "tanh(", "", ")"},
                                          {"exp", 1, "exp(", "", ")"},
                                          {"ln", 1, "log(", "", ")"},
                                          {"log", 1, "log(", "", ")"},
                                          {"log10", 1, "log10(", "", ")"},
                                          {"abs", 1, "abs(", "", ")"},
                                          {"floor", 1, "floor(", "", ")"},
                                          {"ceil", 1, "ceil(", "", ")"},
                                          {"int", 1, "trunc(", "", ")"},
                                          {"sgn", 1, "sign(", "", ")"},
                                          {"u", 1, "if((", "", ") gt 0, 1, 0)"},
                                          {"uramp", 1, "max(", "", ", 0)"},
                                          {"min", ANY, "min(", ", ", ")"},
                                          {"max", ANY, "max(", ", ", ")"},
                                          {"min", 1, "(", "", ")"},
                                          {"max", 1, "(", "", ")"},
                                          {"atan2", 2, "atan2(", ", ", ")"},
                                          {"hypot", 2, "hypot(", ", ", ")"},
                                          {"fmod", 2, "fmod(", ", ", ")"},
                                          {"mod", 2, "fmod(", ", ", ")"},
                                          {"asinh", 1, "asinh(", "", ")"},
                                          {"acosh", 1, "acosh(", "", ")"},
                                          {"atanh", 1, "atanh(", "", ")"},
                                          {"arcsin", 1, "asin(", "", ")"},
                                          {"arccos", 1, "acos(", "", ")"},
                                          {"m", 1, "abs(", "", ")"},
                                          {"limit", 3, "clamp(", ", ", ")"},
                                          {"stp", 1, "if((", "", ") gt 0, 1, 0)"},
                                          {"u2", 1, "clamp(", "", ", 0, 1)"},
                                          {"sqr", 1, "((", "", ")^2)"},
                                          {"sign", 1, "sign(", "", ")"},
                                          {"round", 1, "round(", "", ")"},
                                          {"trunc", 1, "trunc(", "", ")"},
                                          {"db", 1, "(20*log10(abs(", "", ")))"},
                                          {"buf", 1, "if((", "", ") gt 0.5, 1, 0)"},
                                          {"inv", 1, "if((", "", ") gt 0.5, 0, 1)"},
                                          {"ddt", 1, "(der(", "", ")*(1 s))"},
                                          {"delay", 2, "delay(", ", (1 s)*(", "))"},
                                          {"absdelay", 2, "delay(", ", (1 s)*(", "))"}};

const ln_function_words *ln_words_of_function(const ln_formula *formula) {
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(known[k].name, formula->name) == 0 &&
            (known[k].nargs == ANY ? formula->nargs >= 2 : known[k].nargs == formula->nargs))
            return &known[k];
    return NULL;
}

void ln_tell_of_odd_power(const ln_cursor *cursor, const ln_formula *formula) {
    const ln_formula *base = formula->args[0], *exponent = formula->args[1];
    ln_deck_settings *settings = &cursor->spice->settings;
    if (settings->told_of_powers || base->kind == '0' || exponent->kind != '0' ||
        fmod(exponent->value, 2) != 1 || exponent->value < 3 ||
        (formula->kind == 'f' && strcmp(formula->name, "pow") != 0))
        return;
    settings->told_of_powers = 1;
    ln_note(cursor->spice->report, cursor->card->place,
            "x^%g is |x|^%g, as in ngspice: below 0 it has no sign; pwr(x, %g) keeps it",
            exponent->value, exponent->value, exponent->value);
}
