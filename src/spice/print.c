/* SPDX-License-Identifier: MIT */
/* A SPICE expression in our language, for the generated types of behavioural sources. Everything in
 * it is dimensionless: v(a,b) becomes (c1.v - c2.v)/(1 V), i(v1) an input that a current sensor
 * drives; parameters become their numbers.
 *
 *     B1 out 0 V={k*v(a)^2 + (v(b) > 1 ? 2 : 0)}  with .param k=3  becomes the formula
 *     ((3*((((c1.v)/(1 V)))^2)) + if((((c2.v)/(1 V)) gt 1), 2, 0))
 *
 * Text and not a graph is made, since a generated type is read as one of a model file is: with its
 * units checked, its Jacobian derived and its events found. Comparisons become conditions there,
 * whose crossings the solver locates; SPICE steps over them. Without controls the same printer
 * writes what .meas, .print and scripts ask for, in which nodes stand under their names. */
#include "spice/deck.h"
#include "base/text.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { DEEPEST = 1000, LONGEST = 200000 };

typedef struct writer {
    const ln_cursor *cursor;
    ln_controls *controls;
    ln_text *out;
    const ln_spice_function *function; /* whose body is written */
    const char **arguments;            /* their texts */
} writer;

static int write(const writer *printer, const ln_formula *formula);

/* A negative number in parentheses, so that it may stand behind any operator. */
static int number(const writer *printer, double value) {
    char digits[32];
    ln_number_format(digits, value);
    ln_text_printf(printer->out, value < 0 ? "(%s)" : "%s", digits);
    return 1;
}

/* A voltage or current of the model itself: `out`/(1 V). */
static int signal(const writer *printer, const char *text, char unit) {
    if (text == NULL)
        return 0;
    const char *quote = strchr(text, '`') != NULL ? "" : "`";
    if (strcmp(text, "0") == 0)
        ln_text_add(printer->out, "0");
    else
        ln_text_printf(printer->out, "((%s%s%s)/(1 %c))", quote, text, quote, unit);
    return 1;
}

/* A name in the model itself: what let defined, a measure, a node. 0: none of them; -1: reported.
 */
static int signal_named(const writer *printer, const char *name) {
    ln_spice *spice = printer->cursor->spice;
    const ln_inside top = {.circuit = &spice->deck, .scope = &spice->global, .prefix = "", .m = 1};
    const ln_formula *let = ln_let_named(spice, name);
    if (let != NULL)
        return write(printer, let) ? 1 : -1;
    if (ln_map_get(spice->asked.measures, name) >= 0)
        return ln_text_add(printer->out, name), 1;
    return ln_node_is_used(spice, ln_node_of(spice, &top, name))
               ? signal(printer, ln_signal_voltage(printer->cursor, name, NULL), 'V')
               : 0;
}

/* A name: the argument of the function whose body is written, time, a parameter that follows the
 * circuit, a signal, else a parameter's number. */
static int named(const writer *printer, const ln_formula *formula) {
    const ln_cursor *cursor = printer->cursor;
    double value;
    for (int k = 0; printer->function != NULL && k < printer->function->nformal; k++)
        if (strcmp(printer->function->formal[k], formula->name) == 0)
            return ln_text_add(printer->out, printer->arguments[k]), 1;
    if (printer->controls != NULL &&
        (strcmp(formula->name, "hertz") == 0 || strcmp(formula->name, "freq") == 0)) {
        ln_card_error(cursor,
                      "'%s' has no value: a source that depends on frequency is written as LAPLACE "
                      "{input} {expression of s}",
                      formula->name);
        return 0;
    }
    if (strcmp(formula->name, "time") == 0)
        return ln_text_add(printer->out, "t"), 1;
    const ln_formula *follows =
        printer->controls != NULL
            ? ln_scope_follows(cursor->spice,
                               cursor->inside != NULL ? cursor->inside->scope
                                                      : &cursor->spice->global,
                               formula->name)
            : NULL;
    if (follows != NULL) {
        ln_text_add(printer->out, "(");
        const int fine = write(printer, follows);
        ln_text_add(printer->out, ")");
        return fine;
    }
    const int found = printer->controls == NULL ? signal_named(printer, formula->name) : 0;
    if (found != 0)
        return found > 0;
    return ln_formula_value(cursor->spice,
                            cursor->inside != NULL ? cursor->inside->scope : &cursor->spice->global,
                            formula, cursor->card->place, &value) &&
           number(printer, value);
}

/* v(a), v(a,b), i(source) */
static int probe(const writer *printer, const ln_formula *formula) {
    const ln_cursor *cursor = printer->cursor;
    const int is_current = formula->name[0] == 'i';
    if (formula->nargs < 1 || formula->nargs > (is_current ? 1 : 2)) {
        ln_card_error(cursor, "write %s", is_current ? "i(source)" : "v(node) or v(node, node)");
        return 0;
    }
    if (printer->controls == NULL)
        return signal(printer,
                      is_current
                          ? ln_signal_current(cursor, formula->args[0]->name)
                          : ln_signal_voltage(cursor, formula->args[0]->name,
                                              formula->nargs > 1 ? formula->args[1]->name : NULL),
                      is_current ? 'A' : 'V');
    if (is_current) {
        int k = ln_control_current(cursor, printer->controls, formula->args[0]->name);
        if (k > 0)
            ln_text_printf(printer->out, "i%d", k);
        return k > 0;
    }
    int node[2] = {0, 0};
    for (int k = 0; k < formula->nargs; k++)
        node[k] = ln_control_node(cursor, printer->controls, formula->args[k]->name);
    ln_text_add(printer->out, "((");
    if (node[0] > 0)
        ln_text_printf(printer->out, "c%d.v", node[0]);
    if (node[1] > 0)
        ln_text_printf(printer->out, " - c%d.v", node[1]);
    ln_text_add(printer->out, node[0] + node[1] > 0 ? ")/(1 V))" : "0))");
    return 1;
}

/* Where the card at hand looks for parameters and functions. */
static const ln_spice_scope *scope_of(const ln_cursor *cursor) {
    return cursor->inside != NULL ? cursor->inside->scope : &cursor->spice->global;
}

/* A function of .func is written out: its body with the arguments' texts, each in parentheses, in
 * place of its formal names. An argument that the body names twice stands there twice, which is why
 * the length of the text is limited (write). */
static int own_function(const writer *printer, const ln_formula *formula,
                        const ln_spice_function *f) {
    const char *texts[16];
    int fine = 1;
    for (int k = 0; k < formula->nargs && fine; k++) {
        ln_text text = {0};
        writer inner = *printer;
        inner.out = &text;
        ln_text_add(&text, "(");
        fine = write(&inner, formula->args[k]);
        ln_text_add(&text, ")");
        texts[k] = ln_spice_text(printer->cursor->spice, "%s", text.data != NULL ? text.data : "");
        ln_text_free(&text);
    }
    writer body = *printer;
    body.function = f;
    body.arguments = texts;
    ln_text_add(printer->out, "(");
    fine = fine && write(&body, f->body);
    ln_text_add(printer->out, ")");
    return fine;
}

/* x^y, x**y and pow(x, y) are |x|^y in ngspice. It is written as (x^2 + 1e-200)^(y/2): abs() is an
 * event of two branches, and within a step, where branches are held, it would let a small negative
 * base through; 1e-200 keeps the derivative finite at x = 0 and is below the rounding of any x^2
 * that matters. Even powers are those of x itself. */
static int size_power(const writer *printer, const ln_formula *formula) {
    const ln_formula *base = formula->args[0], *exponent = formula->args[1];
    if (exponent->kind == '0' && fmod(exponent->value, 2) == 0) {
        ln_text_add(printer->out, "((");
        int fine = write(printer, base);
        ln_text_add(printer->out, ")^");
        fine = fine && write(printer, exponent);
        ln_text_add(printer->out, ")");
        return fine;
    }
    ln_tell_of_odd_power(printer->cursor, formula);
    ln_text_add(printer->out, "(((");
    int fine = write(printer, base);
    ln_text_add(printer->out, ")*(");
    fine = fine && write(printer, base);
    ln_text_add(printer->out, ") + 1e-200)^((");
    fine = fine && write(printer, exponent);
    ln_text_add(printer->out, ")/2))");
    return fine;
}

/* pwr(x, y) in a source: the power of the size with the sign of x (in .param it has no sign; so
 * does ngspice). */
static int signed_power(const writer *printer, const ln_formula *formula) {
    ln_text_add(printer->out, "(sign(");
    int fine = write(printer, formula->args[0]);
    ln_text_add(printer->out, ")*");
    fine = fine && size_power(printer, formula);
    ln_text_add(printer->out, ")");
    return fine;
}

/* sign(x, y): |x| with the sign of y. */
static int size_with_sign(const writer *printer, const ln_formula *formula) {
    ln_text_add(printer->out, "(abs(");
    int fine = write(printer, formula->args[0]);
    ln_text_add(printer->out, ")*sign(");
    fine = fine && write(printer, formula->args[1]);
    ln_text_add(printer->out, "))");
    return fine;
}

/* A formula that is used more than once: a name in the generated type, else its text. NULL,
 * reported. */
static const char *part(const writer *printer, const ln_formula *formula) {
    ln_text text = {0};
    writer inner = *printer;
    inner.out = &text;
    const char *made = NULL;
    if (write(&inner, formula))
        made = ln_spice_text(printer->cursor->spice, "(%s)", text.data);
    ln_spice_text_free(printer->cursor->spice, &text);
    return made != NULL && printer->controls != NULL
               ? ln_control_part(printer->cursor, printer->controls, 'a', made)
               : made;
}

/* y = y0 + sum over the lines k of s_k (x held between x_k and x_(k+1), less x_k): each line adds
 * its slope times how far x has come into its stretch. One expression so serves every x, without a
 * choice among the lines; the corners are those of clamp(), min() and max(), which are located as
 * events. points: x0 y0 x1 y1 ..., rising in x. A table is level beyond its ends, pwl() goes on
 * with the first and last slope. */
void ln_print_lines(ln_text *out, const char *x, const double *points, int n, int is_level) {
    char y[32], slope[32], from[32], to[32];
    ln_number_format(y, points[1]);
    ln_text_printf(out, "((%s)", y);
    for (int k = 0; k + 1 < n; k++) {
        const int open_left = k == 0 && !is_level, open_right = k + 2 == n && !is_level;
        ln_number_format(slope, (points[2 * k + 3] - points[2 * k + 1]) /
                                    (points[2 * k + 2] - points[2 * k]));
        ln_number_format(from, points[2 * k]);
        ln_number_format(to, points[2 * k + 2]);
        ln_text_printf(out, " + (%s)*(", slope);
        if (open_left && open_right)
            ln_text_add(out, x);
        else if (open_left)
            ln_text_printf(out, "min(%s, %s)", x, to);
        else if (open_right)
            ln_text_printf(out, "max(%s, %s)", x, from);
        else
            ln_text_printf(out, "clamp(%s, %s, %s)", x, from, to);
        ln_text_printf(out, " - (%s))", from);
    }
    ln_text_add(out, ")");
}

/* nint(x): halves go to the even neighbour, as in C's nearbyint() and in .param. */
static int nearest_integer(const writer *printer, const ln_formula *formula) {
    const char *x = part(printer, formula->args[0]);
    if (x == NULL)
        return 0;
    ln_text_printf(printer->out, "if(abs(%s - trunc(%s)) eq 0.5, 2*round((%s)/2), round(%s))", x, x,
                   x, x);
    return 1;
}

/* pwl(x, x0, y0, ...), table(...). */
static int on_lines(const writer *printer, const ln_formula *formula) {
    ln_spice *spice = printer->cursor->spice;
    const ln_spice_scope *scope = scope_of(printer->cursor);
    const int n = (formula->nargs - 1) / 2;
    const char *x = part(printer, formula->args[0]);
    double *points = LN_SPICE_NEW(spice, double, 2 * n);
    if (x == NULL || points == NULL)
        return 0;
    for (int k = 0; k < 2 * n; k++)
        if (!ln_formula_value(spice, scope, formula->args[k + 1], printer->cursor->card->place,
                              &points[k]))
            return 0;
    for (int k = 0; k + 1 < n; k++)
        if (!(points[2 * k + 2] > points[2 * k])) {
            ln_card_error(printer->cursor, "%s: x does not rise from %g to %g", formula->name,
                          points[2 * k], points[2 * k + 2]);
            return 0;
        }
    ln_print_lines(printer->out, x, points, n, formula->name[0] == 't');
    return 1;
}

/* idt(x), idt(x, start): a state, which has its start value at rest. */
static int integral(const writer *printer, const ln_formula *formula) {
    double start = 0;
    const ln_spice_scope *scope = scope_of(printer->cursor);
    if (printer->controls == NULL || formula->nargs < 1 || formula->nargs > 2) {
        ln_card_error(printer->cursor,
                      "%s(x) or %s(x, start) stands in expressions of sources only", formula->name,
                      formula->name);
        return 0;
    }
    if (formula->nargs > 1 && !ln_formula_value(printer->cursor->spice, scope, formula->args[1],
                                                printer->cursor->card->place, &start))
        return 0;
    const char *x = part(printer, formula->args[0]);
    char digits[32];
    ln_number_format(digits, start);
    const char *name =
        x != NULL ? ln_control_part(printer->cursor, printer->controls, 'h',
                                    ln_spice_text(printer->cursor->spice, "%s|%s", digits, x))
                  : NULL;
    if (name != NULL)
        ln_text_add(printer->out, name);
    return name != NULL;
}

/* A function of numbers alone is one: as ngspice computes it. */
static int is_number(const ln_formula *formula) {
    if (formula->kind == '0')
        return 1;
    if (formula->kind == 'n' || formula->nargs == 0 ||
        (formula->kind == 'f' &&
         (strcmp(formula->name, "v") == 0 || strcmp(formula->name, "i") == 0 ||
          strstr(formula->name, "dt") != NULL || strstr(formula->name, "delay") != NULL)))
        return 0;
    for (int k = 0; k < formula->nargs; k++)
        if (!is_number(formula->args[k]))
            return 0;
    return 1;
}

static int choice(const writer *printer, const ln_formula *formula) {
    return write(printer, &(ln_formula){.kind = '?', .args = formula->args, .nargs = 3});
}

/* Functions that take more than words around their arguments. */
static const struct special {
    const char *name;
    int least, most, odd; /* arguments; odd: an odd number of them only */
    int (*write)(const writer *printer, const ln_formula *formula);
} specials[] = {{"v", 0, INT_MAX, 0, probe},        {"i", 0, INT_MAX, 0, probe},
                {"nint", 1, 1, 0, nearest_integer}, {"pow", 2, 2, 0, size_power},
                {"sign", 2, 2, 0, size_with_sign},  {"pwl", 3, INT_MAX, 1, on_lines},
                {"table", 3, INT_MAX, 1, on_lines}, {"idt", 0, INT_MAX, 0, integral},
                {"sdt", 0, INT_MAX, 0, integral},   {"pwr", 2, 2, 0, signed_power},
                {"pwrs", 2, 2, 0, signed_power},    {"if", 3, 3, 0, choice},
                {"ternary_fcn", 3, 3, 0, choice}};

static const struct special *special_of(const ln_formula *formula) {
    for (size_t k = 0; k < sizeof specials / sizeof *specials; k++)
        if (strcmp(specials[k].name, formula->name) == 0 && formula->nargs >= specials[k].least &&
            formula->nargs <= specials[k].most && (!specials[k].odd || formula->nargs % 2 == 1))
            return &specials[k];
    return NULL;
}

/* The arguments with the function's words around them. */
static int in_words(const writer *printer, const ln_formula *formula,
                    const ln_function_words *word) {
    int fine = 1;
    ln_text_add(printer->out, word->before);
    for (int j = 0; j < formula->nargs && fine; j++) {
        if (j > 0)
            ln_text_add(printer->out, word->between);
        fine = write(printer, formula->args[j]);
    }
    ln_text_add(printer->out, word->after);
    return fine;
}

/* A function of numbers alone becomes its number; .func goes before functions of the simulator, as
 * in ngspice. */
static int call(const writer *printer, const ln_formula *formula) {
    const ln_cursor *cursor = printer->cursor;
    const ln_spice_scope *scope = scope_of(cursor);
    double value;
    if (printer->function == NULL && is_number(formula))
        return ln_formula_value(cursor->spice, scope, formula, cursor->card->place, &value) &&
               number(printer, value);
    const ln_spice_function *f = ln_function_named(scope, formula->name, formula->nargs);
    if (f != NULL)
        return own_function(printer, formula, f);
    const struct special *special = special_of(formula);
    if (special != NULL)
        return special->write(printer, formula);
    const ln_function_words *word = ln_words_of_function(formula);
    if (word != NULL)
        return in_words(printer, formula, word);
    ln_card_error(
        cursor, "function '%.60s' of %d argument%s is not supported in the expression of a source",
        formula->name, formula->nargs, formula->nargs == 1 ? "" : "s");
    return 0;
}

/* Comparisons and conjunctions: 1 or 0 as numbers, conditions within another. Our language keeps
 * the two apart, SPICE does not: condition() and operation() pass from one to the other. */
static int is_truth(char kind) {
    return strchr("<>lgeu&|!", kind) != NULL;
}

/* As a condition: a number counts as true unless it is zero. */
static int condition(const writer *printer, const ln_formula *formula) {
    static const struct {
        char kind;
        const char *text;
    } words[] = {{'<', " lt "}, {'>', " gt "}, {'l', " le "},  {'g', " ge "},
                 {'e', " eq "}, {'u', " ne "}, {'&', " and "}, {'|', " or "}};
    const int joins = formula->kind == '&' || formula->kind == '|';
    if (formula->kind == '!') {
        ln_text_add(printer->out, "not (");
        int fine = condition(printer, formula->args[0]);
        ln_text_add(printer->out, ")");
        return fine;
    }
    ln_text_add(printer->out, "(");
    int fine;
    if (is_truth(formula->kind)) {
        fine = joins ? condition(printer, formula->args[0]) : write(printer, formula->args[0]);
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (words[k].kind == formula->kind)
                ln_text_add(printer->out, words[k].text);
        fine = fine &&
               (joins ? condition(printer, formula->args[1]) : write(printer, formula->args[1]));
    } else {
        fine = write(printer, formula);
        ln_text_add(printer->out, " ne 0");
    }
    ln_text_add(printer->out, ")");
    return fine;
}

/* Operators and choices. A truth value used as a number is written as a choice of 1 and 0; % is
 * fmod. */
static int operation(const writer *printer, const ln_formula *formula) {
    const char *between = formula->kind == 'p'   ? " + "
                          : formula->kind == 'm' ? " - "
                          : formula->kind == '*' ? "*"
                                                 : "/";
    if (formula->kind == '?') {
        ln_text_add(printer->out, "if(");
        int fine = condition(printer, formula->args[0]);
        for (int k = 1; k < 3 && fine; k++) {
            ln_text_add(printer->out, ", ");
            fine = write(printer, formula->args[k]);
        }
        ln_text_add(printer->out, ")");
        return fine;
    }
    if (is_truth(formula->kind)) {
        ln_text_add(printer->out, "if(");
        int fine = condition(printer, formula);
        ln_text_add(printer->out, ", 1, 0)");
        return fine;
    }
    if (formula->kind == '^')
        return size_power(printer, formula);
    if (formula->kind == '%') {
        ln_formula remainder = *formula;
        remainder.kind = 'f';
        remainder.name = "fmod";
        return call(printer, &remainder);
    }
    ln_text_add(printer->out, formula->kind == '-' ? "(-" : "(");
    int fine = write(printer, formula->args[0]);
    if (formula->kind != '-') {
        ln_text_add(printer->out, between);
        fine = fine && write(printer, formula->args[1]);
    }
    ln_text_add(printer->out, ")");
    return fine;
}

/* An expression of any kind. Length is limited as well as depth: functions written out grow by the
 * power of their nesting. */
static int write(const writer *printer, const ln_formula *formula) {
    ln_spice *spice = printer->cursor->spice;
    if (spice->effort.depth > DEEPEST || printer->out->length > LONGEST) {
        ln_card_error(printer->cursor, "the expression is too deep or too long; simplify it");
        return 0;
    }
    spice->effort.depth++;
    int fine = formula->kind == '0'   ? number(printer, formula->value)
               : formula->kind == 'n' ? named(printer, formula)
               : formula->kind == 'f' ? call(printer, formula)
                                      : operation(printer, formula);
    spice->effort.depth--;
    return fine;
}

int ln_formula_print(const ln_cursor *cursor, const ln_formula *formula, ln_controls *controls,
                     ln_text *out) {
    const writer printer = {.cursor = cursor, .controls = controls, .out = out};
    if (formula == NULL || !write(&printer, formula))
        return 0;
    if (out->failed)
        (void)ln_spice_no_memory(cursor->spice);
    return !out->failed;
}
