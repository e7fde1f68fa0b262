/* SPDX-License-Identifier: MIT */
/* Numbers as text and back, exact and independent of the locale; results are millions of them.
 *
 * Writing takes the fewest of 15, 16 or 17 digits that read back as the same number. The quick way
 * scales the number to 17 digits in front of the point and 56 bits behind it, errors of at most
 * two of the last included, and compares the distance to the rounded decimal with half the gap to
 * the neighbouring numbers (as in F. Loitsch, Printing floating-point numbers quickly and
 * accurately, PLDI 2010). What is too close to call, too large or too small goes through the C
 * library. */
#include "base/text.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static locale_t c_locale;
static pthread_once_t c_locale_made = PTHREAD_ONCE_INIT;
static void make_c_locale(void) {
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static double read_slowly(const char *text, char **end) {
    (void)pthread_once(&c_locale_made, make_c_locale);
    return c_locale != (locale_t)0 ? strtod_l(text, end, c_locale) : strtod(text, end);
}

static int format_slowly(char buffer[32], double value) {
    int length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        length = snprintf(buffer, 32, "%.*g", digits, value);
        for (char *c = buffer; *c != '\0'; c++) /* another locale's decimal sign */
            if (!(*c >= '0' && *c <= '9') && strchr("+-e.", *c) == NULL)
                *c = '.';
        if (read_slowly(buffer, NULL) == value)
            break;
    }
    return length;
}

/* ---- the quick way of writing ---- */

#ifdef __SIZEOF_INT128__
typedef unsigned __int128 wide;
enum { LEAST = -22, MOST = 38 }; /* of the power of ten a number is multiplied with */
static const uint64_t HUNDRED_QUADRILLION = 100000000000000000u; /* 1e17 */
/* 10^k = mantissa * 2^exponent, rounded down; the top bit is set */
typedef struct power {
    wide mantissa;
    int exponent;
} power;

static power powers[MOST - LEAST + 1];
static pthread_once_t powers_made = PTHREAD_ONCE_INIT;
static void make_powers(void) {
    wide five = 1;
    for (int k = 0; k <= MOST; k++, five *= 5) {
        int up = 0, bits = 0;
        wide top = five, quotient = 0, rest = 1;
        for (; !(top >> 127); up++)
            top <<= 1;
        powers[k - LEAST] = (power){top, k - up};
        if (k == 0 || -k < LEAST)
            continue;
        for (; !(quotient >> 127); bits++) { /* digits of 2^bits / 5^k */
            rest <<= 1;
            quotient = quotient << 1 | (rest >= five);
            if (rest >= five)
                rest -= five;
        }
        powers[-k - LEAST] = (power){quotient, -k - bits};
    }
}

/* Numbers of 17 digits, a digit a character; read and copied eight at a time, beyond the last too.
 */
enum { DIGITS = 17, ROOM = DIGITS + 8 };

/* The digits of a number below 1e8, a byte each, the first in the lowest: thousands, hundreds and
 * tens part in all lanes of a word at once (10486 / 2^20 and 103 / 2^10 divide by 100 and 10 here).
 */
static uint64_t eight_digits(uint32_t number) {
    const uint64_t fours = number / 10000 | (uint64_t)(number % 10000) << 32,
                   hundreds = fours * 10486 >> 20 & 0x0000007f0000007fu,
                   twos = hundreds | (fours - 100 * hundreds) << 16,
                   tens = twos * 103 >> 10 & 0x000f000f000f000fu;
    return tens | (twos - 10 * tens) << 8;
}

static void write_eight(char *text, uint64_t digits) {
    uint64_t characters = digits | 0x3030303030303030u;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    characters = __builtin_bswap64(characters);
#endif
    memcpy(text, &characters, sizeof characters);
}

/* Returns how many there are without the zeros behind. */
static int write_digits(char text[ROOM], uint64_t number) {
    const uint64_t first = number / 100000000, upper = eight_digits((uint32_t)(first % 100000000)),
                   lower = eight_digits((uint32_t)(number % 100000000));
    text[0] = (char)('0' + first / 100000000);
    write_eight(text + 1, upper);
    write_eight(text + 9, lower);
    if (lower != 0)
        return DIGITS - __builtin_clzll(lower) / 8;
    return upper != 0 ? DIGITS - 8 - __builtin_clzll(upper) / 8 : 1;
}

/* Up to seven characters more, for which there is room. */
static void copy_digits(char *out, const char *text, int count) {
    for (int k = 0; k < count; k += 8)
        memcpy(out + k, text + k, 8);
}

/* Digits with a point: 0.0001234, 12.34, 1200. Returns the length. */
static int write_plain(char *out, const char *text, int used, int exponent) {
    const int whole = exponent + 1; /* digits in front of the point */
    if (whole <= 0) {
        memcpy(out, "0.000000", 8);
        copy_digits(out + 2 - whole, text, used);
        return 2 - whole + used;
    }
    copy_digits(out, text, whole);
    if (used <= whole)
        return whole;
    out[whole] = '.';
    copy_digits(out + whole + 1, text + whole, used - whole);
    return used + 1;
}

/* d.ddde-05; an exponent has two digits, as printf writes one below 100. Returns the length. */
static int write_scientific(char *out, const char *text, int used, int exponent) {
    const int size = exponent < 0 ? -exponent : exponent; /* below 100 here */
    int length = used > 1 ? used + 1 : 1;
    out[0] = text[0];
    out[1] = '.';
    copy_digits(out + 2, text + 1, used - 1);
    out[length++] = 'e';
    out[length++] = exponent < 0 ? '-' : '+';
    out[length++] = (char)('0' + size / 10);
    out[length++] = (char)('0' + size % 10);
    return length;
}

/* Writes number * 10^(exponent - 16), of which `digits` digits count, as %.*g does. */
static int place_point(char *out, int negative, uint64_t number, int digits, int exponent) {
    char text[ROOM];
    const int used = write_digits(text, number);
    int length = negative;
    out[0] = '-';
    length += exponent >= -4 && exponent < digits
                  ? write_plain(out + length, text, used, exponent)
                  : write_scientific(out + length, text, used, exponent);
    out[length] = '\0';
    return length;
}

/* A number in [1e16, 1e17) and half the distance to the next; `part` and `gap` count 2^-POINT, to
 * within two of them. */
enum { POINT = 56 };
typedef struct scaled {
    uint64_t whole, part, gap;
    int exponent;
} scaled;

static scaled scale(uint64_t mantissa, int binary) {
    /* of ten; may be one too small: (binary + 52) * log10(2), rounded down */
    int exponent = ((binary + 52) * 78913 + (1 << 26)) / (1 << 18) - (1 << 8);
    for (;; exponent++) {
        const power *ten = &powers[16 - exponent - LEAST];
        const uint64_t m = mantissa << 11, high = (uint64_t)(ten->mantissa >> 64),
                       low = (uint64_t)ten->mantissa;
        const wide product = (wide)m * high + ((wide)m * low >> 64);
        const int shift = -(binary + 53 + ten->exponent) - POINT;
        const wide value = product >> shift;
        const uint64_t whole = (uint64_t)(value >> POINT);
        if (whole < HUNDRED_QUADRILLION)
            return (scaled){whole, (uint64_t)value & ((1ull << POINT) - 1),
                            (uint64_t)(ten->mantissa >> 54 >> shift), exponent};
    }
}

/* Rounded to a multiple of `unit`, as it is read back: 0 if as another number, -1 if that is too
 * close to call. */
static inline int round_to(const scaled *of, uint64_t unit, int is_power_of_two, uint64_t *number) {
    const uint64_t rest = of->whole % unit, below = (rest << POINT) + of->part,
                   above = (unit << POINT) - below;
    const int up = above < below;
    const uint64_t distance = up ? above : below, tie = up ? below - above : above - below;
    /* below a power of two neighbours are closer */
    const uint64_t half = !up && is_power_of_two ? of->gap / 2 : of->gap;
    *number = of->whole - rest + (up ? unit : 0);
    if (distance > half + 4)
        return 0;
    return distance + 4 >= half || tie <= 8 ? -1 : 1;
}

/* 0 when the C library must decide. */
static int format_quickly(char buffer[32], double value) {
    uint64_t bits, number;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t fraction = bits & 0xfffffffffffffu;
    if (!(fabs(value) >= 1e-21 && fabs(value) < 1e37))
        return 0;
    (void)pthread_once(&powers_made, make_powers);
    const scaled at = scale(fraction | 1ull << 52, (int)(bits >> 52 & 0x7ff) - 1075);
    int digits = 15, found = round_to(&at, 100, fraction == 0, &number);
    if (found == 0) {
        digits = 16;
        found = round_to(&at, 10, fraction == 0, &number);
    }
    if (found == 0) {
        digits = 17;
        found = round_to(&at, 1, fraction == 0, &number);
    }
    if (found <= 0)
        return 0;
    const int carry = number == HUNDRED_QUADRILLION;
    return place_point(buffer, value < 0, carry ? number / 10 : number, digits,
                       at.exponent + carry);
}
#else
static int format_quickly(char buffer[32], double value) {
    (void)buffer;
    (void)value;
    return 0;
}
#endif

int ln_number_format(char buffer[32], double value) {
    const int length = format_quickly(buffer, value);
    if (length > 0)
        return length;
    if (value == 0 && !signbit(value))
        return snprintf(buffer, 32, "0");
    if (isnan(value))
        return snprintf(buffer, 32, "nan");
    if (isinf(value))
        return snprintf(buffer, 32, value > 0 ? "inf" : "-inf");
    return format_slowly(buffer, value);
}

/* ---- reading ---- */

static int is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Where an exponent of ten behind a number ends; `text` itself if there is none. */
static const char *scan_exponent(const char *text, int *exponent) {
    const char *c = text;
    if (*c != 'e' && *c != 'E')
        return text;
    int negative = *++c == '-', value = 0;
    if (*c == '-' || *c == '+')
        c++;
    if (!is_digit(*c))
        return text;
    for (; is_digit(*c); c++)
        if (value < 100000)
            value = value * 10 + (*c - '0');
    *exponent += negative ? -value : value;
    return c;
}

/* The digits of a decimal number without its sign: digits * 10^exponent. */
typedef struct decimal {
    uint64_t digits; /* the first 19 that count */
    int count;       /* of all that count */
    int exponent;
} decimal;

/* Returns where they end; `text` begins with a digit or a point and a digit. */
static const char *scan_digits(const char *text, decimal *number) {
    const char *c = text;
    int point = 0;
    *number = (decimal){0, 0, 0};
    for (; is_digit(*c) || (*c == '.' && !point); c++) {
        if (*c == '.') {
            point = 1;
            continue;
        }
        number->exponent -= point;
        number->count += number->digits > 0 || *c > '0';
        if (number->count <= 19)
            number->digits = number->digits * 10 + (uint64_t)(*c - '0');
    }
    return c;
}

static int is_hexadecimal(const char *text) {
    return text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

double ln_number_read(const char *text, const char **end) {
    /* An integer below 2^53 times or over an exact power of ten is rounded once, and right (W.
     * Clinger, PLDI 1990). */
    static const double exact[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *c = text;
    const int negative = *c == '-';
    decimal number;
    if (*c == '+' || *c == '-')
        c++;
    if (!is_digit(c[*c == '.'])) {
        *end = text;
        return 0;
    }
    if (is_hexadecimal(c)) { /* not understood: the number is the zero */
        *end = c + 1;
        return negative ? -0.0 : 0.0;
    }
    c = scan_digits(c, &number);
    *end = scan_exponent(c, &number.exponent);
    const int size = number.exponent < 0 ? -number.exponent : number.exponent;
    if (FLT_EVAL_METHOD != 0 || number.count > 19 || number.digits > 1ull << 53 || size > 22)
        return read_slowly(text, NULL);
    const double value = number.exponent < 0 ? (double)number.digits / exact[size]
                                             : (double)number.digits * exact[size];
    return negative ? -value : value;
}
