/* SPDX-License-Identifier: MIT */
/* Units: text to factor and dimension, and the algebra of dimensions that checks an expression.
 *
 * Rules (design section 3): a unit stands as one run without blanks behind a number (`4.7 uF`, `5 m/s`, `10k`); a
 * prefix stands before a unit or directly on a number; m is milli, M is mega; `degC` is the only unit with an offset. */
#ifndef LN_EXPRESSION_DIMENSION_H
#define LN_EXPRESSION_DIMENSION_H

/* Exponents of m, kg, s, A, K, mol, cd, each times 12 (so that roots stay exact). `any`: fits every unit (a plain
 * number, `t`, a signal, and what is computed from those alone). */
typedef struct ln_dimension {
    short exponent[7];
    short any;
} ln_dimension;

extern const ln_dimension ln_dimension_any;  /* fits everything         */
extern const ln_dimension ln_dimension_none; /* dimensionless, definite */

/* Reads a unit ("kOhm", "N.m/rad", "m/s^2", "1/K", ""), setting the factor to SI and the offset (degC: 273.15).
 * Returns 0 when the text is no unit; then *nearest is the closest known unit or NULL (static storage). */
int ln_unit_read(const char *text, double *factor, double *offset, ln_dimension *dimension, const char **nearest);

/* 1 when the two may be added: equal, or either is `any`. */
int ln_dimension_fits(ln_dimension a, ln_dimension b);
ln_dimension ln_dimension_multiply(ln_dimension a, ln_dimension b);
ln_dimension ln_dimension_divide(ln_dimension a, ln_dimension b);
/* a to a constant power. Exponents must stay multiples of 1/12: returns 0 if not, else sets *result. */
int ln_dimension_power(ln_dimension a, double exponent, ln_dimension *result);
/* The sum of two that fit: the definite one. */
ln_dimension ln_dimension_merge(ln_dimension a, ln_dimension b);
/* Text as a user knows it ("V", "Ohm", "m/s^2", "kg.m^2/s^3"; "a plain number"); at most 64 bytes with NUL. */
void ln_dimension_text(ln_dimension dimension, char buffer[64]);

#endif
