/* SPDX-License-Identifier: MIT */
/* E, F, G, H and B cards: controlled sources (ngspice manual, 4.2 and 5.1).
 *
 * A linear one between nodes becomes a vcvs or vccs. All else (POLY, expressions, tables, and what
 * follows a current) is written as an expression of the controlling quantities and becomes a
 * behavioural source (emit.c): kind 'v' of E and H, 'i' of F and G. */
#include "base/sys.h"
#include "base/words.h"
#include "spice/deck.h"
#include "base/text.h"

#include <string.h>

/* A behavioural source of the printed expression; nothing where an error has left none. */
static void emit_text(const ln_cursor *cursor, char kind, const char *p, const char *n,
                      ln_text *text, ln_controls *controls) {
    if (text->failed)
        (void)ln_spice_no_memory(cursor->spice);
    else if (text->length > 0)
        ln_emit_behavioural(cursor, kind, p, n, ln_spice_text(cursor->spice, "%s", text->data),
                            controls);
}

/* What may stand behind an expression: tc1, tc2, temp, dtemp and, of a current, m= (ngspice manual,
 * 5.1); LTspice's reciprocals of both, what stands across the source, and how far it lets a step
 * go, which is the error's affair here. */
enum { TC1, TC2, TEMP, DTEMP, M, RECIPROCTC, RECIPROCM, RPAR, CPAR, TRIPDV, TRIPDT, BEHIND };

static void take_behind(ln_cursor *cursor, double v[BEHIND]) {
    static const char *const names[BEHIND] = {"tc1",  "tc2",        "temp",      "dtemp",
                                              "m",    "reciproctc", "reciprocm", "rpar",
                                              "cpar", "tripdv",     "tripdt"};
    const char *name;
    while (ln_peek_pair(cursor)) {
        const int k = LN_WORD_INDEX(names, ln_peek(cursor)->text);
        if (k < 0 || !ln_take_pair(cursor, &name, &v[k]))
            break;
    }
    ln_expect_end(cursor);
}

/* By which the expression is multiplied. */
static double factor_of(const ln_cursor *cursor, char kind, const double v[BEHIND]) {
    const double d = v[TEMP] + v[DTEMP] - cursor->spice->settings.nominal,
                 warm = 1 + v[TC1] * d + v[TC2] * d * d,
                 factor = v[RECIPROCTC] != 0 ? 1 / warm : warm;
    if (kind == 'v')
        return factor;
    return factor * (v[RECIPROCM] != 0 ? 1 / v[M] : v[M]) * cursor->inside->m;
}

/* VALUE={...}, v=..., i=...: an expression of voltages, currents, parameters and time, as in
 * "B1 out 0 V=2*v(a,b) tc1=1m" or "E1 out 0 VALUE={v(a)*i(vs)}". */
static void expression(ln_cursor *cursor, char kind, const char *p, const char *n) {
    ln_text text = {0}, out = {0};
    ln_controls controls = {0};
    const char *formula = ln_take_formula(cursor);
    if (formula != NULL &&
        ln_formula_print(cursor, ln_formula_parse(cursor->spice, formula, cursor->card->place),
                         &controls, &text)) {
        double v[BEHIND] = {[TEMP] = cursor->spice->settings.temperature, [M] = 1};
        take_behind(cursor, v);
        ln_shunt(cursor, p, n, v[RPAR], v[CPAR]);
        const double factor = factor_of(cursor, kind, v);
        char digits[32];
        ln_number_format(digits, factor);
        if (factor != 1)
            ln_text_printf(&out, "(%s)*(%s)", text.data, digits);
        emit_text(cursor, kind, p, n, factor != 1 ? &out : &text, &controls);
    }
    ln_spice_text_free(cursor->spice, &text);
    ln_spice_text_free(cursor->spice, &out);
    ln_controls_free(&controls);
}

/* ---- polynomials ----
 *
 * "E1 out 0 POLY(2) a 0 b 0 0 1 2 3" is 0 + 1 v(a) + 2 v(b) + 3 v(a)^2: SPICE2's way to write what
 * is not linear, in which vendors' operational amplifiers are still written. */

enum { MOST_INPUTS = 20, MOST_COEFFICIENTS = 1000 };

typedef struct polynomial {
    const char *inputs[MOST_INPUTS]; /* their texts */
    int ninputs;
    double coefficients[MOST_COEFFICIENTS];
    int count;
} polynomial;

/* An input of a polynomial: a voltage between two nodes or a source's current. A node that is not
 * ground becomes a port of the generated type, a current its input; two grounds are the number 0. 0
 * reported. */
static int take_input(ln_cursor *cursor, int is_current, ln_controls *controls, const char **text) {
    ln_spice *spice = cursor->spice;
    ln_skip(cursor, '(');
    const char *first =
        ln_take_name(cursor, is_current ? "a controlling source" : "a controlling node");
    if (first == NULL)
        return 0;
    if (is_current) {
        *text = ln_spice_text(spice, "i%d", ln_control_current(cursor, controls, first));
        return 1;
    }
    const char *second = ln_take_name(cursor, "a controlling node");
    ln_skip(cursor, ')');
    if (second == NULL)
        return 0;
    const int p = ln_control_node(cursor, controls, first),
              n = ln_control_node(cursor, controls, second);
    const char *minus = n > 0 ? ln_spice_text(spice, " - c%d.v", n) : "";
    *text = p + n == 0 ? "0"
            : p > 0    ? ln_spice_text(spice, "((c%d.v%s)/(1 V))", p, minus)
                       : ln_spice_text(spice, "((%s)/(1 V))", minus);
    return 1;
}

/* 0 reported. */
static int take_coefficients(ln_cursor *cursor, polynomial *poly) {
    while (poly->count < MOST_COEFFICIENTS && ln_peek(cursor) != NULL && !ln_peek_pair(cursor)) {
        if (ln_skip(cursor, '(') || ln_skip(cursor, ')'))
            continue;
        if (!ln_take_value(cursor, "a coefficient", &poly->coefficients[poly->count]))
            return 0;
        poly->count++;
    }
    ln_expect_end(cursor);
    if (poly->count == 0)
        ln_card_error(cursor, "the polynomial has no coefficients");
    return poly->count > 0;
}

/* A product of inputs: their indices, which do not fall: {0, 0, 1} is x1^2 x2. */
typedef struct product {
    int factors[MOST_COEFFICIENTS + 1], degree;
} product;

/* The next product in SPICE's order: 1, x1, x2, x1^2, x1 x2, x2^2, x1^3, ... (ngspice manual,
 * "POLY sources"). */
static void next_product(product *of, int inputs) {
    int k = of->degree - 1;
    while (k >= 0 && of->factors[k] == inputs - 1)
        k--;
    if (k < 0) {
        of->degree++;
        memset(of->factors, 0, (size_t)of->degree * sizeof *of->factors);
        return;
    }
    const int value = of->factors[k] + 1;
    for (; k < of->degree; k++)
        of->factors[k] = value;
}

/* The sum of coefficients times products, without those that are zero, but for the last where all
 * are. One coefficient alone of one input is its gain, not the constant. */
static void print_polynomial(const polynomial *poly, ln_text *out) {
    product of = {.degree = 0};
    if (poly->ninputs == 1 && poly->count == 1)
        next_product(&of, poly->ninputs);
    for (int k = 0; k < poly->count; k++, next_product(&of, poly->ninputs)) {
        const double coefficient = poly->coefficients[k];
        char digits[32];
        if (coefficient == 0 && (k < poly->count - 1 || out->length > 0))
            continue;
        ln_number_format(digits, coefficient);
        ln_text_printf(out, "%s(%s)", out->length > 0 ? " + " : "", digits);
        for (int j = 0; j < of.degree; j++)
            ln_text_printf(out, "*%s", poly->inputs[of.factors[j]]);
    }
}

/* A source of `inputs` controlling currents or voltages. */
static void polynomial_source(ln_cursor *cursor, char kind, int is_current, const char *p,
                              const char *n, int inputs) {
    polynomial poly = {.ninputs = inputs};
    ln_controls controls = {0};
    ln_text out = {0};
    int fine = 1;
    for (int k = 0; k < inputs && fine; k++)
        fine = take_input(cursor, is_current, &controls, &poly.inputs[k]);
    if (fine && take_coefficients(cursor, &poly)) {
        for (int k = 0; k < poly.count && kind == 'i'; k++)
            poly.coefficients[k] *= cursor->inside->m;
        print_polynomial(&poly, &out);
        emit_text(cursor, kind, p, n, &out, &controls);
    }
    ln_spice_text_free(cursor->spice, &out);
    ln_controls_free(&controls);
}

/* POLY(n) or poly n; 0: it is none, -1: reported. */
static int poly_inputs(ln_cursor *cursor) {
    double n = 0;
    if (!ln_take_word(cursor, "poly"))
        return 0;
    ln_skip(cursor, '(');
    if (!ln_take_value(cursor, "the number of inputs", &n))
        return -1;
    ln_skip(cursor, ')');
    if (n >= 1 && n <= MOST_INPUTS)
        return (int)n;
    ln_card_error(cursor, "POLY takes 1 to %d inputs", MOST_INPUTS);
    return -1;
}

/* ---- tables ---- */

/* (x, y) (x, y) ..., parentheses as anybody likes: how many numbers, -1: reported. */
static int take_points(ln_cursor *cursor, double *points) {
    int count = 0;
    while (ln_peek(cursor) != NULL) {
        if (ln_skip(cursor, '(') || ln_skip(cursor, ')'))
            continue;
        if (!ln_take_value(cursor, count % 2 == 0 ? "x of a point" : "y of a point",
                           &points[count]))
            return -1;
        count++;
    }
    int rises = 1;
    for (int k = 2; rises && k + 1 < count; k += 2) {
        rises = points[k] > points[k - 2];
        if (!rises)
            ln_card_error(cursor, "TABLE: x does not rise from %g to %g", points[k - 2], points[k]);
    }
    if (!rises)
        return -1;
    if (count >= 2 && count % 2 == 0)
        return count;
    ln_card_error(cursor, "TABLE needs points (x, y)");
    return -1;
}

/* TABLE {expression} = (x, y) (x, y) ...: straight lines, level beyond the ends. */
static void table(ln_cursor *cursor, char kind, const char *p, const char *n) {
    ln_spice *spice = cursor->spice;
    ln_text argument = {0}, out = {0};
    ln_controls controls = {0};
    double *points = LN_SPICE_NEW(spice, double, cursor->count + 2);
    ln_skip(cursor, '=');
    if (!ln_peek_is(cursor, '{')) {
        ln_card_error(cursor, "write TABLE {expression} = (x, y) (x, y) ...");
    } else if (ln_formula_print(cursor,
                                ln_formula_parse(spice, ln_peek(cursor)->text, cursor->card->place),
                                &controls, &argument)) {
        cursor->at++;
        ln_skip(cursor, '=');
        const int count = points != NULL ? take_points(cursor, points) : -1;
        if (count > 0) {
            const char *x = ln_control_part(cursor, &controls, 'a',
                                            ln_spice_text(spice, "(%s)", argument.data));
            ln_print_lines(&out, x, points, count / 2, 1);
            emit_text(cursor, kind, p, n, &out, &controls);
        }
    }
    ln_spice_text_free(spice, &argument);
    ln_spice_text_free(spice, &out);
    ln_controls_free(&controls);
}

/* ---- cards ---- */

/* n+ n- nc+ nc- gain: a vcvs (gain in V/V) or vccs (in S), of which parallel instances (m) count in
 * a current only. Ports 1 sense, ports 2 drive: SPICE writes them the other way round. */
static void linear(ln_cursor *cursor, char kind, const char *p, const char *n) {
    ln_spice *spice = cursor->spice;
    double gain;
    ln_skip(cursor, '(');
    const char *cp = ln_take_node(cursor, "the positive controlling node"),
               *cn = cp != NULL ? ln_take_node(cursor, "the negative controlling node") : NULL;
    ln_skip(cursor, ')');
    if (cn == NULL || !ln_take_value(cursor, "the gain", &gain))
        return;
    const char *name;
    double m;
    if (kind == 'i')
        gain *= cursor->inside->m;
    while (kind == 'i' && ln_take_pair(cursor, &name, &m)) {
        if (strcmp(name, "m") == 0)
            gain *= m;
        else
            ln_card_error(cursor, "'%s' is no parameter that this card knows", name);
    }
    ln_expect_end(cursor);
    ln_element *e = ln_emit_block(cursor, kind == 'v' ? "vcvs" : "vccs");
    ln_name_current(cursor, e, "p2");
    ln_emit_text(spice, e, "p1", cp);
    ln_emit_text(spice, e, "n1", cn);
    ln_emit_text(spice, e, "p2", p);
    ln_emit_text(spice, e, "n2", n);
    ln_emit_number(spice, e, kind == 'v' ? "gain" : "G", gain);
}

/* VALUE = expression, or VOL = (CUR =) expression of ngspice. */
static int takes_expression(const ln_cursor *cursor, char kind) {
    return ln_peek_word(cursor, "value") ||
           (ln_peek_pair(cursor) && ln_peek_word(cursor, kind == 'v' ? "vol" : "cur"));
}

void ln_card_controlled(ln_cursor *cursor, char letter) {
    const char kind = letter == 'e' || letter == 'h' ? 'v' : 'i';
    const int is_current = letter == 'f' || letter == 'h';
    const char *p = ln_take_node(cursor, "the positive node"),
               *n = p != NULL ? ln_take_node(cursor, "the negative node") : NULL;
    if (n == NULL)
        return;
    const int inputs = poly_inputs(cursor);
    if (inputs < 0)
        return;
    if (inputs > 0 || is_current) {
        polynomial_source(cursor, kind, is_current, p, n, inputs > 0 ? inputs : 1);
    } else if (ln_take_word(cursor, "table")) {
        table(cursor, kind, p, n);
    } else if (takes_expression(cursor, kind)) {
        cursor->at++;
        ln_skip(cursor, '=');
        expression(cursor, kind, p, n);
    } else if (ln_take_word(cursor, "laplace")) {
        ln_card_laplace(cursor, kind, p, n);
    } else {
        linear(cursor, kind, p, n);
    }
}

void ln_card_behavioural(ln_cursor *cursor, char letter) {
    (void)letter;
    const char *p = ln_take_node(cursor, "the positive node"),
               *n = p != NULL ? ln_take_node(cursor, "the negative node") : NULL;
    if (n == NULL)
        return;
    const ln_spice_word *word = ln_peek(cursor);
    if (!ln_peek_pair(cursor) || (strcmp(word->text, "v") != 0 && strcmp(word->text, "i") != 0)) {
        ln_card_error(cursor, "write v=expression or i=expression behind the nodes");
        return;
    }
    cursor->at += 2;
    expression(cursor, word->text[0], p, n);
}
