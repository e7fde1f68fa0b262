/* SPDX-License-Identifier: MIT */
/* E and G cards with LAPLACE {input} {expression of s}: the expression is brought to a fraction of
 * two polynomials, and the source gets the states of its controllable canonical form (Kailath,
 * Linear Systems, 1980, section 2.1), in a time scale in which first and last coefficient of the
 * denominator are alike.
 *
 *     E1 out 0 LAPLACE {v(in)} = {1/(1 + s*1m)}        a low pass of 1 ms
 *
 * PSpice and LTspice allow any expression of s, sqrt(s) and exp(-s*T) included. They take its
 * impulse response from an inverse Fourier transform and convolve, which costs a sum over the past
 * at every step and depends on the length and resolution of the window. A fraction of polynomials
 * is a linear differential equation of finite order, exact under every method here, with an
 * operating point, eigenvalues and a frequency response. What is no such fraction is refused. */
#include "spice/deck.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

/* The highest order of a polynomial. In double precision the roots of one of degree 20 may depend
 * on the last digits of its coefficients (Wilkinson, Numer. Math. 1, 1959), so more would not mean
 * what is written; higher orders are written as several sources in a row. */
enum { HIGHEST = 20 };

/* c[0] + c[1] s + ... */
typedef struct poly {
    int degree;
    double c[HIGHEST + 1];
} poly;
/* up(s)/down(s). Common factors are not cancelled: one of a right half-plane would be a mode that
 * the user wrote. */
typedef struct fraction {
    poly up, down;
} fraction;

/* 0: the degree becomes too high. */
static int times(const poly *a, const poly *b, poly *out) {
    poly product = {.degree = a->degree + b->degree};
    if (product.degree > HIGHEST)
        return 0;
    for (int i = 0; i <= a->degree; i++)
        for (int j = 0; j <= b->degree; j++)
            product.c[i + j] += a->c[i] * b->c[j];
    *out = product;
    return 1;
}

static void add(const poly *a, double sign, const poly *b, poly *out) {
    poly sum = {.degree = a->degree > b->degree ? a->degree : b->degree};
    for (int i = 0; i <= sum.degree; i++)
        sum.c[i] = (i <= a->degree ? a->c[i] : 0) + sign * (i <= b->degree ? b->c[i] : 0);
    *out = sum;
}

/* value/1 */
static fraction constant(double value) {
    return (fraction){.up = {.c = {value}}, .down = {.c = {1}}};
}

/* 0: the degree becomes too high. */
static int multiply(const fraction *a, const fraction *b, fraction *out) {
    fraction product;
    if (!times(&a->up, &b->up, &product.up) || !times(&a->down, &b->down, &product.down))
        return 0;
    *out = product;
    return 1;
}

/* The sum, difference, product or quotient of two fractions. 0: the degree becomes too high. */
static int combine(char kind, const fraction *a, const fraction *b, fraction *out) {
    poly left, right, down;
    if (kind == '*')
        return multiply(a, b, out);
    if (kind == '/')
        return multiply(a, &(fraction){b->down, b->up}, out);
    /* keeps sums over one denominator small */
    if (memcmp(&a->down, &b->down, sizeof a->down) == 0) {
        add(&a->up, kind == 'm' ? -1 : 1, &b->up, &left);
        *out = (fraction){left, a->down};
        return 1;
    }
    if (!times(&a->up, &b->down, &left) || !times(&b->up, &a->down, &right) ||
        !times(&a->down, &b->down, &down))
        return 0;
    add(&left, kind == 'm' ? -1 : 1, &right, &left);
    *out = (fraction){left, down};
    return 1;
}

/* Does s stand in it? */
static int has_s(const ln_formula *formula) {
    if (formula->kind == 'n')
        return strcmp(formula->name, "s") == 0;
    for (int k = 0; k < formula->nargs; k++)
        if (has_s(formula->args[k]))
            return 1;
    return 0;
}

static int fraction_of(const ln_cursor *cursor, const ln_formula *formula, int depth,
                       fraction *out);

/* base^n for a whole number n that is written as one; (1 + s*T)^-3 turns the fraction over. */
static int power(const ln_cursor *cursor, const ln_formula *formula, int depth, fraction *out) {
    fraction base;
    const ln_formula *exponent = formula->args[1];
    const double sign = exponent->kind == '-' ? -1 : 1;
    if (exponent->kind == '-')
        exponent = exponent->args[0];
    const double n = exponent->kind == '0' ? sign * exponent->value : NAN;
    if (!(n == floor(n)) || fabs(n) > HIGHEST ||
        !fraction_of(cursor, formula->args[0], depth, &base))
        return 0;
    *out = constant(1);
    for (int k = 0; k < (int)fabs(n); k++)
        if (!multiply(out, &base, out))
            return 0;
    if (n < 0)
        *out = (fraction){out->down, out->up};
    return 1;
}

/* The fraction that an expression is, from the leaves up. A part without s is a number of
 * parameters, of any functions; a part with s is s itself or made by + - * / ^ and signs. 0: no
 * fraction, to be reported by the caller. */
static int fraction_of(const ln_cursor *cursor, const ln_formula *formula, int depth,
                       fraction *out) {
    enum { DEEPEST = 200 };
    fraction a, b;
    double value;
    if (depth > DEEPEST)
        return 0;
    if (!has_s(formula)) {
        if (!ln_formula_value(cursor->spice, cursor->inside->scope, formula, cursor->card->place,
                              &value))
            return 0;
        *out = constant(value);
        return 1;
    }
    if (formula->kind == 'n') {
        *out = (fraction){.up = {.degree = 1, .c = {0, 1}}, .down = {.c = {1}}};
        return 1;
    }
    if (formula->kind == '^')
        return power(cursor, formula, depth + 1, out);
    if (formula->kind == 'f' || strchr("pm*/-", formula->kind) == NULL)
        return 0;
    if (!fraction_of(cursor, formula->args[0], depth + 1, &a))
        return 0;
    if (formula->kind == '-')
        return combine('*', &a, &(fraction){.up = {.c = {-1}}, .down = {.c = {1}}}, out);
    return fraction_of(cursor, formula->args[1], depth + 1, &b) &&
           combine(formula->kind, &a, &b, out);
}

/* Leading coefficients that came out zero do not count for the degree: s - s + 1 is of order 0. */
static void trim(poly *polynomial) {
    while (polynomial->degree > 0 && polynomial->c[polynomial->degree] == 0)
        polynomial->degree--;
}

/* A behavioural source from p to n: kind 'v' of a voltage, 'i' of a current. */
typedef struct source {
    char kind;
    const char *p, *n;
} source;

/* The state equations of H(s) = sum bk s^k / sum ak s^k, k = 0 ... n, an != 0, for the input u.
 *
 * With s' = tau s the coefficients are ak/tau^k and bk/tau^k, again called a and b. In controllable
 * canonical form
 *     tau dz_k/dt = z_(k+1),  k = 1 ... n-1
 *     tau dz_n/dt = (u - a0 z_1 - ... - a_(n-1) z_n)/an
 *     y = d u + sum (b_k - d a_k) z_(k+1),  d = b_n/a_n
 * where z_1 is u/(sum a_k s'^k).
 * tau = |an/a0|^(1/n) is the geometric mean of the time constants. Without it the states of a
 * filter at 1 GHz differ by factors of 1e9 from one to the next, and no tolerance fits all. An
 * integrator (a0 = 0) has no such mean; it keeps tau = 1 s. */
static void emit(const ln_cursor *cursor, const source *to, const fraction *h, const char *u,
                 ln_controls *controls) {
    ln_spice *spice = cursor->spice;
    const int order = h->down.degree;
    const double tau = order > 0 && h->down.c[0] != 0
                           ? pow(fabs(h->down.c[order] / h->down.c[0]), 1.0 / order)
                           : 1;
    double a[HIGHEST + 1], b[HIGHEST + 1] = {0}, scale = 1;
    for (int k = 0; k <= order; k++, scale /= tau) {
        a[k] = h->down.c[k] * scale;
        b[k] = k <= h->up.degree ? h->up.c[k] * scale : 0;
    }
    const double through = b[order] / a[order];
    ln_text out = {0}, last = {0};
    char digits[32], rate[32];
    ln_number_format(rate, 1 / tau);
    const size_t first = controls->parts.count;
    ln_number_format(digits, through);
    ln_text_printf(&out, "(%s)*%s", digits, u);
    ln_number_format(digits, 1 / a[order]);
    ln_text_printf(&last, "(%s)*((%s)*%s", rate, digits, u);
    for (int k = 0; k < order; k++) {
        const char *z = ln_spice_text(spice, "state%zu", first + (size_t)k + 1);
        ln_number_format(digits, b[k] - through * a[k]);
        ln_text_printf(&out, " + (%s)*%s", digits, z);
        ln_number_format(digits, a[k] / a[order]);
        ln_text_printf(&last, " - (%s)*%s", digits, z);
    }
    ln_text_add(&last, ")");
    for (int k = 0; k < order; k++)
        (void)ln_control_part(
            cursor, controls, 's',
            k + 1 < order ? ln_spice_text(spice, "(%s)*state%zu", rate, first + (size_t)k + 2)
                          : ln_spice_text(spice, "%s", last.data));
    ln_emit_behavioural(cursor, to->kind, to->p, to->n, ln_spice_text(spice, "%s", out.data),
                        controls);
    ln_spice_text_free(spice, &out);
    ln_spice_text_free(spice, &last);
}

/* Behind LAPLACE: {input} {transfer function}, with '=' before either or not (PSpice writes one
 * between them). A numerator of higher order than the denominator would differentiate the input,
 * and its gain at high frequencies would be without bound; s alone is one. */
void ln_card_laplace(ln_cursor *cursor, char kind, const char *p, const char *n) {
    ln_spice *spice = cursor->spice;
    ln_text input = {0};
    ln_controls controls = {0};
    fraction h;
    const char *texts[2];
    for (int k = 0; k < 2; k++) {
        ln_skip(cursor, '=');
        texts[k] = ln_peek_is(cursor, '{') ? ln_peek(cursor)->text : NULL;
        if (texts[k] == NULL) {
            ln_card_error(cursor, "write LAPLACE {input} = {expression of s}");
            return;
        }
        cursor->at++;
    }
    ln_expect_end(cursor);
    const ln_formula *transfer = ln_formula_parse(spice, texts[1], cursor->card->place);
    if (transfer == NULL)
        return;
    if (!fraction_of(cursor, transfer, 0, &h)) {
        ln_card_error(cursor,
                      "LAPLACE: '%.80s' is no fraction of polynomials of s, at most of order %d; "
                      "exp(-s*T) is a T card or delay(x, T)",
                      texts[1], HIGHEST);
        return;
    }
    trim(&h.up);
    trim(&h.down);
    if (h.up.degree > h.down.degree || (h.down.degree == 0 && h.down.c[0] == 0))
        ln_card_error(cursor,
                      "LAPLACE: the numerator '%.80s' is of higher order than the denominator; use "
                      "ddt(x) for a derivative",
                      texts[1]);
    else if (ln_formula_print(cursor, ln_formula_parse(spice, texts[0], cursor->card->place),
                              &controls, &input))
        emit(cursor, &(source){kind, p, n}, &h,
             ln_control_part(cursor, &controls, 'a', ln_spice_text(spice, "(%s)", input.data)),
             &controls);
    ln_spice_text_free(cursor->spice, &input);
    ln_controls_free(&controls);
}
