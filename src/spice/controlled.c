/* SPDX-License-Identifier: MIT */
/* E, F, G, H and B cards. Linear ones between nodes become vcvs and vccs; all else (POLY,
 * expressions, tables, and what follows a current) is written as an expression and becomes a
 * behavioural source (emit.c). */
#include "base/sys.h"
#include "spice/deck.h"

#include <string.h>

static void emit_text(const ln_cursor *cursor, char kind, const char *p, const char *n,
                      ln_text *text, ln_controls *controls) {
    if (text->failed)
        (void)ln_spice_no_memory(cursor->spice);
    else if (text->length > 0)
        ln_emit_behavioural(cursor, kind, p, n, ln_spice_text(cursor->spice, "%s", text->data),
                            controls);
}

/* tc1, tc2, temp, dtemp and, of a current, m= behind an expression (ngspice manual, 5.1). */
static double take_factor(ln_cursor *cursor, char kind) {
    static const char *const names[] = {"tc1", "tc2",        "temp",     "dtemp",
                                        "m",   "reciproctc", "reciprocm"};
    const ln_spice *spice = cursor->spice;
    double v[] = {0, 0, spice->settings.temperature, 0, 1, 0, 0};
    const char *name;
    while (ln_peek_pair(cursor)) {
        size_t k = 0;
        while (k < 7 && strcmp(names[k], ln_peek(cursor)->text) != 0)
            k++;
        if (k == 7 || !ln_take_pair(cursor, &name, &v[k]))
            break;
    }
    ln_expect_end(cursor);
    const double d = v[2] + v[3] - spice->settings.nominal, warm = 1 + v[0] * d + v[1] * d * d;
    return (v[5] != 0 ? 1 / warm : warm) *
           (kind == 'v' ? 1
            : v[6] != 0 ? 1 / v[4]
                        : v[4]) *
           (kind == 'i' ? cursor->inside->m : 1);
}

static void expression(ln_cursor *cursor, char kind, const char *p, const char *n) {
    ln_text text = {0}, out = {0};
    ln_controls controls = {0};
    const char *formula = ln_take_formula(cursor);
    if (formula != NULL &&
        ln_formula_print(cursor, ln_formula_parse(cursor->spice, formula, cursor->card->place),
                         &controls, &text)) {
        const double factor = take_factor(cursor, kind);
        char digits[32];
        ln_number_format(digits, factor);
        if (factor != 1)
            ln_text_printf(&out, "(%s)*(%s)", text.data, digits);
        emit_text(cursor, kind, p, n, factor != 1 ? &out : &text, &controls);
    }
    ln_text_free(&text);
    ln_text_free(&out);
    ln_controls_free(&controls);
}

/* ---- polynomials ---- */

enum { MOST_INPUTS = 20, MOST_COEFFICIENTS = 1000 };

/* Input k of a polynomial: a voltage between two nodes or a source's current. 0 reported. */
static int input(ln_cursor *cursor, int is_current, ln_controls *controls, const char **text) {
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

/* The next product of inputs in SPICE's order: 1, x1, x2, x1^2, x1 x2, x2^2, x1^3, ...: indices
 * that do not fall. */
static void next_product(int *factors, int *degree, int inputs) {
    int k = *degree - 1;
    while (k >= 0 && factors[k] == inputs - 1)
        k--;
    if (k < 0) {
        ++*degree;
        memset(factors, 0, (size_t)*degree * sizeof *factors);
        return;
    }
    const int value = factors[k] + 1;
    for (; k < *degree; k++)
        factors[k] = value;
}

static void polynomial(ln_cursor *cursor, char kind, int is_current, const char *p, const char *n,
                       int inputs) {
    const char *texts[MOST_INPUTS];
    ln_controls controls = {0};
    ln_text out = {0};
    double coefficient;
    int factors[MOST_COEFFICIENTS + 1] = {0}, degree = 0, count = 0, fine = 1;
    for (int k = 0; k < inputs && fine; k++)
        fine = input(cursor, is_current, &controls, &texts[k]);
    double single[MOST_COEFFICIENTS];
    while (fine && count < MOST_COEFFICIENTS && ln_peek(cursor) != NULL && !ln_peek_pair(cursor)) {
        if (ln_skip(cursor, '(') || ln_skip(cursor, ')'))
            continue;
        fine = ln_take_value(cursor, "a coefficient", &coefficient);
        single[count++] = coefficient;
    }
    for (int k = 0; k < count && kind == 'i'; k++)
        single[k] *= cursor->inside->m;
    if (fine)
        ln_expect_end(cursor);
    if (fine && count == 0)
        ln_card_error(cursor, "the polynomial has no coefficients");
    /* one coefficient alone of one input is its gain */
    const int gain = inputs == 1 && count == 1;
    for (int k = 0; k < count && fine; k++) {
        char digits[32];
        if (gain)
            next_product(factors, &degree, inputs);
        ln_number_format(digits, single[k]);
        if (single[k] != 0 || (k == count - 1 && out.length == 0)) {
            ln_text_printf(&out, "%s(%s)", out.length > 0 ? " + " : "", digits);
            for (int j = 0; j < degree; j++)
                ln_text_printf(&out, "*%s", texts[factors[j]]);
        }
        next_product(factors, &degree, inputs);
    }
    if (fine)
        emit_text(cursor, kind, p, n, &out, &controls);
    ln_text_free(&out);
    ln_controls_free(&controls);
}

/* POLY(n) or poly n; 0: it is none. */
static int poly_inputs(ln_cursor *cursor) {
    double n = 0;
    if (!ln_peek_is(cursor, 'w') || strcmp(ln_peek(cursor)->text, "poly") != 0)
        return 0;
    cursor->at++;
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

/* TABLE {expression} = (x, y) (x, y) ...: straight lines, level beyond the ends; parentheses as
 * anybody likes. */
static void table(ln_cursor *cursor, char kind, const char *p, const char *n) {
    ln_spice *spice = cursor->spice;
    ln_text argument = {0}, out = {0};
    ln_controls controls = {0};
    double *points = LN_SPICE_NEW(spice, double, cursor->count + 2);
    int count = 0, fine = points != NULL;
    ln_skip(cursor, '=');
    if (!ln_peek_is(cursor, '{'))
        ln_card_error(cursor, "write TABLE {expression} = (x, y) (x, y) ...");
    else if (ln_formula_print(cursor,
                              ln_formula_parse(spice, ln_peek(cursor)->text, cursor->card->place),
                              &controls, &argument)) {
        cursor->at++;
        ln_skip(cursor, '=');
        while (fine && ln_peek(cursor) != NULL) {
            if (ln_skip(cursor, '(') || ln_skip(cursor, ')'))
                continue;
            fine = ln_take_value(cursor, count % 2 == 0 ? "x of a point" : "y of a point",
                                 &points[count]);
            count++;
        }
        for (int k = 2; fine && k + 1 < count; k += 2)
            if (!(points[k] > points[k - 2]))
                fine = 0, ln_card_error(cursor, "TABLE: x does not rise from %g to %g",
                                        points[k - 2], points[k]);
        if (fine && (count < 2 || count % 2 != 0))
            ln_card_error(cursor, "TABLE needs points (x, y)");
        else if (fine) {
            const char *x = ln_control_part(cursor, &controls, 'a',
                                            ln_spice_text(spice, "(%s)", argument.data));
            ln_print_lines(&out, x, points, count / 2, 1);
            emit_text(cursor, kind, p, n, &out, &controls);
        }
    }
    ln_text_free(&argument);
    ln_text_free(&out);
    ln_controls_free(&controls);
}

/* ---- cards ---- */

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
    ln_emit_text(spice, e, "p1", cp);
    ln_emit_text(spice, e, "n1", cn);
    ln_emit_text(spice, e, "p2", p);
    ln_emit_text(spice, e, "n2", n);
    ln_emit_number(spice, e, kind == 'v' ? "gain" : "G", gain);
}

void ln_card_controlled(ln_cursor *cursor, char letter) {
    const char kind = letter == 'e' || letter == 'h' ? 'v' : 'i';
    const int is_current = letter == 'f' || letter == 'h';
    const char *p = ln_take_node(cursor, "the positive node"),
               *n = p != NULL ? ln_take_node(cursor, "the negative node") : NULL;
    if (n == NULL)
        return;
    const ln_spice_word *word = ln_peek(cursor);
    const int poly = poly_inputs(cursor);
    if (poly < 0)
        return;
    if (poly > 0) {
        polynomial(cursor, kind, is_current, p, n, poly);
    } else if (is_current) {
        polynomial(cursor, kind, 1, p, n, 1);
    } else if (word != NULL && word->kind == 'w' && strcmp(word->text, "table") == 0) {
        cursor->at++;
        table(cursor, kind, p, n);
    } else if (word != NULL && word->kind == 'w' &&
               (strcmp(word->text, "value") == 0 ||
                (ln_peek_pair(cursor) && strcmp(word->text, kind == 'v' ? "vol" : "cur") == 0))) {
        cursor->at++;
        ln_skip(cursor, '=');
        expression(cursor, kind, p, n);
    } else if (word != NULL && word->kind == 'w' && strcmp(word->text, "laplace") == 0) {
        cursor->at++;
        ln_card_laplace(cursor, kind, p, n);
    } else {
        linear(cursor, kind, p, n);
    }
}

void ln_card_behavioural(ln_cursor *cursor) {
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
