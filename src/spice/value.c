/* SPDX-License-Identifier: MIT */
/* The value of a SPICE expression of numbers and parameters, by walking its tree (formula.c).
 *
 * The functions are ngspice's (ngspice manual, 2.9.5 ".param expressions"): log and ln are natural,
 * a negative base of ^ and pwr counts by its size. Work and depth are limited: functions of
 * functions grow without bound.
 *
 * A parameter is computed when it is first needed, so their order in the deck does not matter;
 * state 1 marks one whose expression is being computed, by which one that needs itself is found
 * (".param a={b} b={a}"), state 2 one that has its value, state 3 one whose error is reported. A
 * parameter that follows the circuit or time, as Xyce has them (".param g={v(a)*1m}"), has no
 * value: its expression takes its place. */
#include "base/words.h"
#include "base/constants.h"
#include "spice/deck.h"

#include <math.h>
#include <string.h>

enum { DEEPEST = 4000 };
static const size_t MOST_WORK = 10000000;

/* Where names are looked up: the arguments of a function, or a scope. */
typedef struct names {
    ln_spice *spice;
    const ln_spice_scope *scope;
    const ln_spice_function *function; /* or NULL */
    const double *arguments;
    ln_place place;
} names;

static int evaluate(const names *lookup, const ln_formula *formula, double *value);

/* A name without a value: `time` and `hertz` have one in expressions of sources only. */
static int unknown(const names *lookup, const char *name) {
    if (strcmp(name, "time") == 0 || strcmp(name, "hertz") == 0)
        ln_spice_error(
            lookup->spice, lookup->place,
            "'%s' has no value here; only the expressions of B, E and G sources follow it", name);
    else
        ln_spice_error(lookup->spice, lookup->place,
                       "unknown parameter '%.100s'; define it with .param", name);
    return 0;
}

/* Where a name is looked for: among the arguments of the function whose body is computed, then in
 * the scope of the card, last among the constants. */
static int named(const names *lookup, const char *name, double *value) {
    for (int k = 0; lookup->function != NULL && k < lookup->function->nformal; k++)
        if (strcmp(lookup->function->formal[k], name) == 0) {
            *value = lookup->arguments[k];
            return 1;
        }
    int found = ln_scope_find(lookup->spice, lookup->scope, name, value);
    return found > 0 ? 1 : found < 0 ? 0 : unknown(lookup, name);
}

static double step_of(double x) {
    return x > 0 ? 1 : 0;
}
static double ramp_of(double x) {
    return x > 0 ? x : 0;
}
static double sign_of(double x) {
    return x > 0 ? 1 : x < 0 ? -1 : 0;
}
static double decibels_of(double x) {
    return 20 * log10(fabs(x));
}
static double square_of(double x) {
    return x * x;
}
static double clipped_of(double x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}
static double truth_of(double x) {
    return x > 0.5 ? 1 : 0;
}
static double falsehood_of(double x) {
    return x > 0.5 ? 0 : 1;
}

typedef struct function_of_one {
    const char *name;
    double (*of)(double);
} function_of_one;
static const function_of_one one_argument[] = {
    {"sqrt", sqrt},       {"sin", sin},       {"cos", cos},        {"tan", tan},
    {"asin", asin},       {"acos", acos},     {"atan", atan},      {"arctan", atan},
    {"sinh", sinh},       {"cosh", cosh},     {"tanh", tanh},      {"asinh", asinh},
    {"acosh", acosh},     {"atanh", atanh},   {"exp", exp},        {"ln", log},
    {"log", log},         {"log10", log10},   {"abs", fabs},       {"floor", floor},
    {"ceil", ceil},       {"int", trunc},     {"nint", nearbyint}, {"u", step_of},
    {"uramp", ramp_of},   {"sgn", sign_of},   {"sign", sign_of},   {"stp", step_of},
    {"sqr", square_of},   {"u2", clipped_of}, {"arccos", acos},    {"arcsin", asin},
    {"db", decibels_of},  {"round", round},   {"trunc", trunc},    {"buf", truth_of},
    {"inv", falsehood_of}};

static double size_power(double x, double y) {
    return pow(fabs(x), y);
}
static double signed_power(double x, double y) {
    return sign_of(x) * pow(fabs(x), y);
}
static double size_with_sign(double x, double y) {
    return sign_of(y) * fabs(x);
}

typedef struct function_of_two {
    const char *name;
    double (*of)(double, double);
} function_of_two;
static const function_of_two two_arguments[] = {
    {"pow", pow},     {"pwr", size_power}, {"pwrs", signed_power}, {"atan2", atan2},
    {"hypot", hypot}, {"fmod", fmod},      {"mod", fmod},          {"sign", size_with_sign}};

/* Random values of a Monte Carlo run, of at most so many arguments; a single run has the nominal
 * one. */
static int is_random(const char *name, int nargs) {
    static const struct random {
        const char *name;
        int most;
    } known[] = {{"agauss", 3}, {"gauss", 3}, {"aunif", 2}, {"unif", 2}, {"limit", 2}};
    const struct random *row = LN_ROW(known, name);
    return row != NULL && nargs <= row->most;
}

/* Told once for each function. */
static void note_random(const names *lookup, const char *name) {
    if (ln_map_get(lookup->spice->noted, name) >= 0)
        return;
    if (ln_map_put(lookup->spice->noted, name, 1) < 0)
        (void)ln_spice_no_memory(lookup->spice);
    ln_note(lookup->spice->report, lookup->place,
            "%s(...) has its nominal value here; `linnet sweep --vary` draws random ones", name);
}

/* pwl(x, x0, y0, x1, y1, ...) and table(...): straight lines; a table is level beyond its ends,
 * pwl goes on with its first and last slope (as ln_print_lines writes them). a: the arguments. */
static double on_lines(const double *a, int nargs, int is_level) {
    const int n = (nargs - 1) / 2;
    const double *p = a + 1;
    int k = 0;
    while (k + 2 < n && a[0] > p[2 * k + 2])
        k++;
    if (n == 1 || (is_level && a[0] <= p[0]))
        return p[1];
    if (is_level && a[0] >= p[2 * n - 2])
        return p[2 * n - 1];
    return p[2 * k + 1] +
           (p[2 * k + 3] - p[2 * k + 1]) * (a[0] - p[2 * k]) / (p[2 * k + 2] - p[2 * k]);
}

/* Functions of any number of arguments. */
static int of_many(const char *name, const double *a, int nargs, double *value) {
    const int is_table = strcmp(name, "table") == 0 || strcmp(name, "tablefile") == 0;
    if ((strcmp(name, "max") == 0 || strcmp(name, "min") == 0) && nargs >= 1) {
        *value = a[0];
        for (int k = 1; k < nargs; k++)
            *value = name[1] == 'a' ? fmax(*value, a[k]) : fmin(*value, a[k]);
    } else if ((is_table || strcmp(name, "pwl") == 0) && nargs >= 3 && nargs % 2 == 1) {
        *value = on_lines(a, nargs, is_table);
    } else if (strcmp(name, "limit") == 0 && nargs == 3) {
        *value = fmin(fmax(a[0], fmin(a[1], a[2])), fmax(a[1], a[2]));
    } else {
        return 0;
    }
    return 1;
}

/* A function of .func: its body with the arguments' values. 0: there is none of this name and
 * number, -1: reported. */
static int own_function(const names *lookup, const ln_formula *formula, double *value) {
    const ln_spice_function *f = ln_function_named(lookup->scope, formula->name, formula->nargs);
    if (f == NULL)
        return 0;
    double arguments[16];
    for (int k = 0; k < formula->nargs; k++)
        if (!evaluate(lookup, formula->args[k], &arguments[k]))
            return -1;
    const names inner = {lookup->spice, lookup->scope, f, arguments, lookup->place};
    return evaluate(&inner, f->body, value) ? 1 : -1;
}

/* A function of numbers that every deck has; 0: there is none of this name and number. */
static int known_function(const names *lookup, const ln_formula *formula, const double *a,
                          double *value) {
    const char *name = formula->name;
    const int nargs = formula->nargs;
    if (is_random(name, nargs))
        return note_random(lookup, name), *value = a[0], 1;
    if (of_many(name, a, nargs, value))
        return 1;
    if (nargs == 3 && (strcmp(name, "if") == 0 || strcmp(name, "ternary_fcn") == 0))
        return *value = a[0] != 0 ? a[1] : a[2], 1;
    const function_of_one *one = nargs == 1 ? LN_ROW(one_argument, name) : NULL;
    const function_of_two *two = nargs == 2 ? LN_ROW(two_arguments, name) : NULL;
    if (one != NULL)
        *value = one->of(a[0]);
    if (two != NULL)
        *value = two->of(a[0], a[1]);
    return one != NULL || two != NULL;
}

/* v and i have values in a running circuit only, and are unknown here. */
static int call(const names *lookup, const ln_formula *formula, double *value) {
    ln_spice *spice = lookup->spice;
    const int own = own_function(lookup, formula, value);
    if (own != 0)
        return own > 0;
    const int is_probe = strcmp(formula->name, "v") == 0 || strcmp(formula->name, "i") == 0;
    double few[3], *a = few;
    if (formula->nargs > 3 && !is_probe)
        a = LN_SPICE_NEW(spice, double, formula->nargs);
    if (a == NULL)
        return 0;
    for (int k = 0; k < formula->nargs && !is_probe; k++)
        if (!evaluate(lookup, formula->args[k], &a[k]))
            return 0;
    if (formula->nargs >= 1 && !is_probe && known_function(lookup, formula, a, value))
        return 1;
    ln_spice_error(spice, lookup->place, "there is no function '%.60s' of %d argument%s",
                   formula->name, formula->nargs, formula->nargs == 1 ? "" : "s");
    return 0;
}

static double compare(char kind, double a, double b) {
    switch (kind) {
    case '<': return a < b;
    case '>': return a > b;
    case 'l': return a <= b;
    case 'g': return a >= b;
    case 'e': return a == b;
    case 'u': return a != b;
    case '&': return a != 0 && b != 0;
    default: return a != 0 || b != 0; /* '|' */
    }
}

/* Kinds of two operands (formula.c); comparisons and conjunctions give 1 or 0. ngspice takes the
 * absolute value of a power's base, so (-2)^3 is 8 in a deck. */
static double operate(char kind, double a, double b) {
    switch (kind) {
    case 'p': return a + b;
    case 'm': return a - b;
    case '*': return a * b;
    case '/': return a / b;
    case '%': return fmod(a, b);
    case '^': return pow(fabs(a), b);
    default: return compare(kind, a, b);
    }
}

/* Of a choice only the branch that is taken is computed: the other may have no value. */
static int operation(const names *lookup, const ln_formula *formula, double *value) {
    double a, b = 0;
    if (!evaluate(lookup, formula->args[0], &a))
        return 0;
    if (formula->kind == '?')
        return evaluate(lookup, formula->args[a != 0 ? 1 : 2], value);
    if (formula->nargs == 2 && !evaluate(lookup, formula->args[1], &b))
        return 0;
    *value = formula->kind == '-'   ? -a
             : formula->kind == '!' ? a == 0
                                    : operate(formula->kind, a, b);
    return 1;
}

/* Work and depth are counted here, where every node passes. */
static int evaluate(const names *lookup, const ln_formula *formula, double *value) {
    ln_spice *spice = lookup->spice;
    if (spice->effort.formulas++ > MOST_WORK || spice->effort.depth > DEEPEST) {
        if (spice->effort.formulas < 2 * MOST_WORK)
            ln_spice_error(
                spice, lookup->place,
                "the expressions of this deck are too deep or too much work; simplify them");
        spice->effort.formulas = 2 * MOST_WORK;
        return 0;
    }
    spice->effort.depth++;
    int fine = 1;
    if (formula->kind == '0')
        *value = formula->value;
    else if (formula->kind == 'n')
        fine = named(lookup, formula->name, value);
    else if (formula->kind == 'f')
        fine = call(lookup, formula, value);
    else
        fine = operation(lookup, formula, value);
    spice->effort.depth--;
    return fine;
}

int ln_formula_value(ln_spice *spice, const ln_spice_scope *scope, const ln_formula *formula,
                     ln_place place, double *value) {
    const names lookup = {spice, scope, NULL, NULL, place};
    if (formula == NULL || !evaluate(&lookup, formula, value))
        return 0;
    if (isfinite(*value))
        return 1;
    ln_spice_error(spice, place, "an expression is %s",
                   isnan(*value) ? "not a number" : "infinite");
    return 0;
}

int ln_text_value(ln_spice *spice, const ln_spice_scope *scope, const char *text, ln_place place,
                  double *value) {
    return ln_formula_value(spice, scope, ln_formula_parse(spice, text, place), place, value);
}

/* ---- parameters ---- */

/* As ln_scope_find, of a parameter in its scope. */
static int param_value(ln_spice *spice, const ln_spice_scope *scope, ln_spice_param *param,
                       double *value) {
    if (param->state == 1)
        ln_spice_error(spice, param->place, "parameter '%s' needs its own value", param->name);
    if (param->state == 1 || param->state == 3)
        return -1;
    if (param->state == 0) {
        param->state = 1;
        const int fine = ln_text_value(spice, scope, param->text, param->place, &param->value);
        param->state = fine ? 2 : 3;
        if (!fine)
            return -1;
    }
    *value = param->value;
    return 1;
}

/* The constants are those that ngspice knows in expressions, in SI (the 2019 values of CODATA,
 * exact but for pi and e), and `kelvin`, absolute zero in degC. They come last: a deck that calls
 * a parameter of its own `e` or `c` means its own. `temper` and `temp` are the circuit's
 * temperature, degC. */
int ln_scope_find(ln_spice *spice, const ln_spice_scope *scope, const char *name, double *value) {
    static const struct {
        const char *name;
        double value;
    } constants[] = {{"pi", LN_PI},
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
    for (const ln_spice_scope *at = scope; at != NULL; at = at->outer) {
        ln_spice_param *param = ln_scope_param(at, name);
        if (param != NULL)
            return param_value(spice, at, param, value);
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
    enum { MOST_FOLLOWED = 50 };
    const ln_formula *found = NULL;
    if (spice->effort.depth > MOST_FOLLOWED)
        return NULL;
    for (const ln_spice_scope *at = scope; at != NULL; at = at->outer) {
        const ln_spice_param *param = ln_scope_param(at, name);
        if (param == NULL)
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
