/* SPDX-License-Identifier: MIT */
/* Units: text to factor and dimension, and the algebra of dimensions that checks an expression.
 *
 * Rules (design section 3): a unit stands as one run without blanks inside behind a number (`4.7
 * uF`, `5 m/s`); a prefix stands before a unit or directly on a number (`10k`), a unit reading
 * winning where there is one (`10m` are ten metres, `1T` one tesla); m is milli, M is mega; `degC`
 * is the only unit with an offset and stands alone. The run behind a number is the longest that is
 * a unit: in `10 V/R1` it is V, and R1 a name; `10 V/C` is volt per coulomb, `10 V / C` divides by
 * the name C. */
#ifndef LN_EXPRESSION_DIMENSION_H
#define LN_EXPRESSION_DIMENSION_H

#include <stddef.h>

/* What fits every unit, in two kinds that differ in products: two times an ohm is an ohm, but a
 * signal times an ohm may be anything. */
typedef enum ln_any {
    LN_DEFINITE, /* has the exponents */
    LN_PLAIN,    /* a plain number, and what is computed from such: dimensionless as a factor */
    LN_FREE      /* `t`, a signal, a name without unit: unknown as a factor */
} ln_any;

enum { LN_QUANTITIES = 7, LN_EXPONENT_SCALE = 12 };

/* Exponents of m, kg, s, A, K, mol, cd, each times 12 (so that roots stay exact); all zero where
 * `any` is not 0. */
typedef struct ln_dimension {
    short exponent[LN_QUANTITIES];
    short any; /* ln_any */
} ln_dimension;

extern const ln_dimension ln_dimension_any;   /* fits everything; LN_FREE */
extern const ln_dimension ln_dimension_plain; /* fits everything; LN_PLAIN */
extern const ln_dimension ln_dimension_none;  /* dimensionless, definite */

/* A unit as numbers: value in SI = value * 10^decimal * times / over + offset. Three parts, so that
 * `10 us` is exactly 1e-5 and `36 km/h` exactly 10. */
typedef struct ln_unit {
    int decimal;
    double times, over, offset;
    ln_dimension dimension;
} ln_unit;

/* Reads the unit that stands at `text` behind a number: the longest run of at most `length` bytes
 * that is a unit and where nothing follows that would belong to a name. Returns its length, 0 when
 * there is none. */
size_t ln_unit_run(const char *text, size_t length, ln_unit *unit);
/* Is it a unit with the digit of a power directly behind it, as m2 or cm3? */
int ln_unit_is_power(const char *text, size_t length);
/* Reads a prefix directly on a number ("k", "u"): its length in bytes and power of ten; 0 when
 * there is none. */
size_t ln_prefix_run(const char *text, size_t length, int *decimal);
/* The known unit closest to `text`, or NULL (static storage). */
const char *ln_unit_nearest(const char *text);

/* Reads a unit ("kOhm", "N.m/rad", "N*m", "m/s^2", "1/K", ""), setting the factor to SI and the
 * offset (degC: 273.15). Returns 0 when the text is no unit; then *nearest is the closest known
 * unit or NULL (static storage). */
int ln_unit_read(const char *text, double *factor, double *offset, ln_dimension *dimension,
                 const char **nearest);

/* 1 when the two may be added: equal, or either is `any`. */
int ln_dimension_fits(ln_dimension a, ln_dimension b);
ln_dimension ln_dimension_multiply(ln_dimension a, ln_dimension b);
ln_dimension ln_dimension_divide(ln_dimension a, ln_dimension b);
/* a to a constant power. Exponents must stay multiples of 1/12: returns 0 if not, else sets
 * *result. */
int ln_dimension_power(ln_dimension a, double exponent, ln_dimension *result);
/* The sum of two that fit: the definite one; of two that are not, the free one. */
ln_dimension ln_dimension_merge(ln_dimension a, ln_dimension b);
/* Text as a user knows it ("V", "Ohm", "m/s^2", "kg.m^3/s"; "a plain number"); at most 64 bytes
 * with NUL. */
void ln_dimension_text(ln_dimension dimension, char buffer[64]);

#endif
