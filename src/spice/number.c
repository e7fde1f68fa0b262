/* SPDX-License-Identifier: MIT */
/* SPICE numbers. A number may bear a suffix (T G MEG K MIL M U N P F) and any letters behind it,
 * which mean nothing: 10u, 10uF and 10uOhm are one number. M is milli in every SPICE, as SPICE2
 * read punched cards without lower case; mega is MEG, and MIL 25.4e-6. LTspice's 4k7 for 4.7k is
 * not read. */
#include "spice/deck.h"

#include <math.h>
#include <string.h>

/* LTspice's micro, U+00B5 and U+03BC in UTF-8. */
#define MICRO "\xC2\xB5"
#define GREEK_MU "\xCE\xBC"

int ln_is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Behind a micro sign, where there is one. Two signs look alike, "micro sign" and the Greek letter
 * mu; files hold both. */
static const char *behind_micro(const char *text) {
    const int is_micro = strncmp(text, MICRO, 2) == 0 || strncmp(text, GREEK_MU, 2) == 0;
    return text + (is_micro ? 2 : 0);
}

/* Behind an ohm, U+03A9 or U+2126 in UTF-8: a letter like others. */
static const char *behind_ohm(const char *text) {
    static const char *const ohms[] = {"\xCE\xA9", "\xE2\x84\xA6"};
    for (size_t k = 0; k < sizeof ohms / sizeof *ohms; k++)
        if (strncmp(text, ohms[k], strlen(ohms[k])) == 0)
            return text + strlen(ohms[k]);
    return text;
}

const char *ln_spice_number_end(const char *text) {
    const char *end;
    (void)ln_number_read(text, &end);
    if (end == text)
        return text;
    for (end = behind_micro(end); ln_is_letter(*end);)
        end++;
    return behind_ohm(end);
}

int ln_spice_number(const char *text, double *value) {
    /* Letters that are no scale are a unit: 2A is two amperes (Xyce and ngspice agree; HSPICE's
     * atto is not among them). Times one, by the other: 10u is then the number 1e-5, as a product
     * with the nearest to 1e-6 is not */
    static const struct {
        const char *suffix;
        double times, by;
    } scales[] = {{"meg", 1e6, 1}, {"mil", 25.4, 1e6}, {"t", 1e12, 1},  {"g", 1e9, 1},
                  {"k", 1e3, 1},   {"m", 1, 1e3},      {"u", 1, 1e6},   {"n", 1, 1e9},
                  {"p", 1, 1e12},  {"f", 1, 1e15},     {MICRO, 1, 1e6}, {GREEK_MU, 1, 1e6}};
    const char *end;
    *value = ln_number_read(text, &end);
    if (end == text || !isfinite(*value))
        return 0;
    if (*ln_spice_number_end(text) != '\0')
        return 0;
    for (size_t k = 0; k < sizeof scales / sizeof *scales; k++)
        if (strncmp(end, scales[k].suffix, strlen(scales[k].suffix)) == 0) {
            *value = *value * scales[k].times / scales[k].by;
            break;
        }
    return 1;
}
