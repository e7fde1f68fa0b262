/* SPDX-License-Identifier: MIT */
/* The table of units and the reader of unit texts.
 *
 * Two readers share one grammar: behind a number in an expression the run ends where the text stops
 * being a unit (ln_unit_run), in a unit attribute the whole text must be one (ln_unit_read), which
 * also knows `*` and a leading 1. unit = term { ("." | "*" | "/") term }      term = ( atom | "("
 * unit ")" ) [ "^" integer ] */
#include "expression/dimension.h"
#include "base/constants.h"

#include "base/foreign.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct known {
    const char *name;
    signed char m, kg, s, A, K, mol, cd; /* exponents */
    signed char prefixes;                /* takes prefixes */
    signed char decimal;                 /* SI value = 10^decimal * times / over */
    double times, over, offset;
} known;

static const known table[] = {
    /* name     m kg  s  A  K mol cd  prefixes decimal times over offset */
    {"m", 1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0},
    {"g", 0, 1, 0, 0, 0, 0, 0, 1, -3, 1, 1, 0},
    {"s", 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 1, 0},
    {"A", 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0},
    {"K", 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0},
    {"mol", 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 0},
    {"cd", 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0},
    {"Hz", 0, 0, -1, 0, 0, 0, 0, 1, 0, 1, 1, 0},
    {"N", 1, 1, -2, 0, 0, 0, 0, 1, 0, 1, 1, 0},
    {"Pa", -1, 1, -2, 0, 0, 0, 0, 1, 0, 1, 1, 0},
    {"J", 2, 1, -2, 0, 0, 0, 0, 1, 0, 1, 1, 0},
    {"W", 2, 1, -3, 0, 0, 0, 0, 1, 0, 1, 1, 0},
    {"C", 0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1, 0},
    {"V", 2, 1, -3, -1, 0, 0, 0, 1, 0, 1, 1, 0},
    {"F", -2, -1, 4, 2, 0, 0, 0, 1, 0, 1, 1, 0},
    {"Ohm", 2, 1, -3, -2, 0, 0, 0, 1, 0, 1, 1, 0},
    {"ohm", 2, 1, -3, -2, 0, 0, 0, 1, 0, 1, 1, 0},
    {"\xCE\xA9", 2, 1, -3, -2, 0, 0, 0, 1, 0, 1, 1, 0},     /* Greek capital omega */
    {"\xE2\x84\xA6", 2, 1, -3, -2, 0, 0, 0, 1, 0, 1, 1, 0}, /* the ohm sign */
    {"S", -2, -1, 3, 2, 0, 0, 0, 1, 0, 1, 1, 0},
    {"Wb", 2, 1, -2, -1, 0, 0, 0, 1, 0, 1, 1, 0},
    {"T", 0, 1, -2, -1, 0, 0, 0, 1, 0, 1, 1, 0},
    {"H", 2, 1, -2, -2, 0, 0, 0, 1, 0, 1, 1, 0},
    {"rad", 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0},
    {"sr", 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0},
    {"deg", 0, 0, 0, 0, 0, 0, 0, 0, 0, LN_PI, 180, 0},
    {"\xC2\xB0", 0, 0, 0, 0, 0, 0, 0, 0, 0, LN_PI, 180, 0}, /* degree sign */
    {"rev", 0, 0, 0, 0, 0, 0, 0, 0, 0, 2 * LN_PI, 1, 0},
    {"rpm", 0, 0, -1, 0, 0, 0, 0, 0, 0, 2 * LN_PI, 60, 0},
    {"%", 0, 0, 0, 0, 0, 0, 0, 0, -2, 1, 1, 0},
    {"degC", 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 273.15},
    {"\xC2\xB0"
     "C",
     0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 273.15},
    {"min", 0, 0, 1, 0, 0, 0, 0, 0, 0, 60, 1, 0},
    {"h", 0, 0, 1, 0, 0, 0, 0, 0, 0, 3600, 1, 0},
    {"d", 0, 0, 1, 0, 0, 0, 0, 0, 0, 86400, 1, 0},
    {"l", 3, 0, 0, 0, 0, 0, 0, 1, -3, 1, 1, 0},
    {"L", 3, 0, 0, 0, 0, 0, 0, 1, -3, 1, 1, 0},
    {"bar", -1, 1, -2, 0, 0, 0, 0, 1, 5, 1, 1, 0},
    {"atm", -1, 1, -2, 0, 0, 0, 0, 0, 0, 101325, 1, 0},
    {"psi", -1, 1, -2, 0, 0, 0, 0, 0, 0, 6894.757293168361, 1, 0},
    {"eV", 2, 1, -2, 0, 0, 0, 0, 1, -19, 1.602176634, 1, 0},
    {"Wh", 2, 1, -2, 0, 0, 0, 0, 1, 0, 3600, 1, 0},
    {"Ah", 0, 0, 1, 1, 0, 0, 0, 1, 0, 3600, 1, 0},
    {"in", 1, 0, 0, 0, 0, 0, 0, 0, -4, 254, 1, 0},
    {"ft", 1, 0, 0, 0, 0, 0, 0, 0, -4, 3048, 1, 0},
};
enum { ROWS = sizeof table / sizeof *table };

static const struct {
    const char *name;
    int decimal;
} prefixes[] = {
    {"y", -24},       {"z", -21},       {"a", -18}, {"f", -15}, {"p", -12}, {"n", -9}, {"u", -6},
    {"\xC2\xB5", -6}, {"\xCE\xBC", -6}, {"m", -3},  {"c", -2},  {"d", -1},  {"h", 2},  {"k", 3},
    {"M", 6},         {"G", 9},         {"T", 12},  {"P", 15},  {"E", 18},  {"Z", 21}, {"Y", 24},
};
enum { PREFIXES = sizeof prefixes / sizeof *prefixes };

static int is_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '%' || (c & 0x80) != 0;
}

static int is_digit(char c) {
    return c >= '0' && c <= '9';
}

static const known *find_known(const char *text, size_t length, int prefixed) {
    for (int i = 0; i < ROWS && length > 0; i++)
        if (table[i].name[0] == text[0] && strlen(table[i].name) == length &&
            memcmp(table[i].name, text, length) == 0 && (!prefixed || table[i].prefixes))
            return &table[i];
    return NULL;
}

/* The longest prefix text at the start of `text`, as its index, or -1. */
static int find_prefix(const char *text, size_t length) {
    for (int i = 0; i < PREFIXES; i++) {
        size_t size = strlen(prefixes[i].name);
        if (size <= length && memcmp(prefixes[i].name, text, size) == 0)
            return i;
    }
    return -1;
}

size_t ln_prefix_run(const char *text, size_t length, int *decimal) {
    int prefix = find_prefix(text, length);
    if (prefix < 0)
        return 0;
    *decimal = prefixes[prefix].decimal;
    return strlen(prefixes[prefix].name);
}

typedef struct reader {
    const char *at, *end;
    int run;              /* inside an expression: no `*`, and note where the run may end */
    int depth;            /* of parentheses */
    const char *accepted; /* run: end of the longest unit so far, and its value */
    ln_unit value;
} reader;

static const ln_unit one = {0, 1, 1, 0, {{0}, LN_DEFINITE}};

/* *unit *= factor^power. An offset has no meaning in a product. */
static int multiply(ln_unit *unit, const ln_unit *factor, int power) {
    ln_dimension raised;
    if (!ln_dimension_power(factor->dimension, power, &raised))
        return 0;
    unit->dimension = ln_dimension_multiply(unit->dimension, raised);
    unit->decimal += power * factor->decimal;
    for (int i = 0; i < (power < 0 ? -power : power); i++) {
        unit->times *= power > 0 ? factor->times : factor->over;
        unit->over *= power > 0 ? factor->over : factor->times;
    }
    return !unit->dimension.any;
}

static int read_atom(reader *r, ln_unit *unit) {
    const char *begin = r->at, *end = begin;
    while (end < r->end && is_letter(*end))
        end++;
    size_t length = (size_t)(end - begin);
    int decimal = 0;
    const known *row = find_known(begin, length, 0);
    if (!row) {
        size_t prefix = ln_prefix_run(begin, length, &decimal);
        if (prefix == 0 || prefix == length)
            return 0;
        row = find_known(begin + prefix, length - prefix, 1);
        if (!row)
            return 0;
    }
    const signed char exponents[7] = {row->m, row->kg, row->s, row->A, row->K, row->mol, row->cd};
    *unit = one;
    for (int i = 0; i < 7; i++)
        unit->dimension.exponent[i] = (short)(12 * exponents[i]);
    unit->decimal = decimal + row->decimal;
    unit->times = row->times;
    unit->over = row->over;
    unit->offset = row->offset;
    r->at = end;
    return 1;
}

/* "^" and an integer of at most two digits behind a term; 1 when there is none. 0 when it is no
 * such exponent. */
static int read_exponent(reader *r, int *power) {
    *power = 1;
    if (r->at >= r->end || *r->at != '^')
        return 1;
    const char *digit = r->at + 1;
    int sign = 1, value = 0;
    if (digit < r->end && (*digit == '-' || *digit == '+'))
        sign = *digit++ == '-' ? -1 : 1;
    const char *first = digit;
    while (digit < r->end && is_digit(*digit) && digit - first < 3)
        value = 10 * value + (*digit++ - '0');
    if (digit == first || digit - first > 2)
        return 0;
    *power = sign * value;
    r->at = digit;
    return 1;
}

static int read_unit(reader *r, ln_unit *unit);

static int read_term(reader *r, ln_unit *unit, int *power) {
    if (r->at < r->end && *r->at == '(') {
        if (++r->depth > 4)
            return 0;
        r->at++;
        if (!read_unit(r, unit) || r->at >= r->end || *r->at != ')')
            return 0;
        r->at++;
        r->depth--;
    } else if (!read_atom(r, unit)) {
        return 0;
    }
    return read_exponent(r, power);
}

/* Remembers that the run may end here, unless what follows belongs to a name, a call or another
 * exponent. */
static void accept(reader *r, const ln_unit *unit) {
    if (r->at < r->end && (is_letter(*r->at) || is_digit(*r->at) || strchr("_.^(`", *r->at)))
        return;
    r->accepted = r->at;
    r->value = *unit;
}

/* Does the run go on: a point, a stroke, outside of a run a star? */
static int goes_on(const reader *r) {
    return r->at < r->end && (*r->at == '.' || *r->at == '/' || (*r->at == '*' && !r->run));
}

/* "1/s"; within a run of letters behind a number the 1 would be the number's. */
static int begins_inverse(const reader *r) {
    return !r->run && r->at + 1 < r->end && r->at[0] == '1' && r->at[1] == '/';
}

/* Terms joined by points, stars and strokes. One with an offset (degC) stands alone. */
static int read_unit(reader *r, ln_unit *unit) {
    *unit = one;
    const int is_inverse = begins_inverse(r);
    int sign = is_inverse ? -1 : 1, terms = is_inverse;
    double offset = 0;
    if (is_inverse)
        r->at += 2;
    for (;;) {
        ln_unit term;
        int power;
        if (!read_term(r, &term, &power) || !multiply(unit, &term, sign * power))
            return 0;
        const int is_alone = terms == 0 && power == 1 && r->depth == 0;
        if (offset != 0 || (term.offset != 0 && !is_alone))
            return 0;
        offset = unit->offset = term.offset;
        terms++;
        if (r->depth == 0)
            accept(r, unit);
        if (!goes_on(r))
            return 1;
        sign = *r->at++ == '/' ? -1 : 1;
    }
}

size_t ln_unit_run(const char *text, size_t length, ln_unit *unit) {
    reader r = {.at = text, .end = text + length, .run = 1};
    ln_unit whole;
    if (length == 0 || !is_letter(*text))
        return 0;
    read_unit(&r, &whole);
    if (!r.accepted)
        return 0;
    *unit = r.value;
    return (size_t)(r.accepted - text);
}

int ln_unit_is_power(const char *text, size_t length) {
    ln_unit unit;
    return length > 1 && strchr("234", text[length - 1]) != NULL &&
           ln_unit_run(text, length - 1, &unit) == length - 1;
}

const char *ln_unit_nearest(const char *text) {
    const char *foreign = ln_foreign_word(LN_FOREIGN_UNIT, text);
    if (foreign != NULL)
        return foreign;
    static const char *const usual[] = {"kOhm", "MOhm", "mOhm", "mA",  "uA",    "kA",  "mV",  "kV",
                                        "uF",   "nF",   "pF",   "mH",  "uH",    "ms",  "us",  "mm",
                                        "cm",   "km",   "kg",   "kW",  "kHz",   "MHz", "kPa", "MPa",
                                        "kJ",   "kN",   "mol",  "kWh", "rad/s", "N.m"};
    enum { USUAL = sizeof usual / sizeof *usual };
    const char *names[ROWS + USUAL];
    for (int i = 0; i < USUAL; i++)
        names[i] = usual[i];
    for (int i = 0; i < ROWS; i++)
        names[USUAL + i] = table[i].name;
    /* "uf", "OHM": only the case of the letters is wrong */
    for (size_t i = 0; i < ROWS + USUAL; i++)
        if (strcasecmp(text, names[i]) == 0)
            return names[i];
    /* near to two letters is anything */
    return strlen(text) > 2 ? ln_nearest(text, names, ROWS + USUAL) : NULL;
}

int ln_unit_read(const char *text, double *factor, double *offset, ln_dimension *dimension,
                 const char **nearest) {
    reader r = {.at = text, .end = text + strlen(text)};
    ln_unit unit = one;
    if (nearest)
        *nearest = NULL;
    if (*text && (strcmp(text, "1") != 0) && (!read_unit(&r, &unit) || r.at != r.end)) {
        if (nearest)
            *nearest = ln_unit_nearest(text);
        return 0;
    }
    double decimal = pow(10, abs(unit.decimal)); /* exact up to 10^22 */
    *factor = (unit.decimal < 0 ? unit.times / decimal : unit.times * decimal) / unit.over;
    *offset = unit.offset;
    *dimension = unit.dimension;
    return 1;
}
