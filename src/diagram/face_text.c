/* SPDX-License-Identifier: MIT */
/* What stands beside and in a part: values with their units, polynomials as fractions. */
#include "diagram/face.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

int ln_width_of(const char *text) {
    int count = 0;
    for (; *text != '\0'; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80 && strchr("^{}", *text) == NULL;
    return count;
}

/* ---- values ---- */

/* Whether it is a number and its unit, "1e-4 N.m.s/rad", no expression. */
static int is_quantity(const char *text) {
    const char *end;
    (void)ln_number_read(text, &end);
    return end != text && *end == ' ' &&
           end[1 + strspn(end + 1,
                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ./^-1234")] == '\0';
}

/* Whether the u at this place of the text is the prefix micro: after a number, before a unit. */
static int is_micro(const char *text, const char *at) {
    return at > text && (at[-1] == ' ' || (at[-1] >= '0' && at[-1] <= '9')) && at[1] != '\0' &&
           strchr("FHVAsmWSg", at[1]) != NULL;
}

/* The sign that is printed for what is written at this place, and how many letters it takes;
 * NULL: the letter itself. A quantity has signs for the powers and products of its unit, too. */
static const char *sign_of(const char *text, const char *at, int quantity, int *taken) {
    static const struct {
        const char *written, *sign;
        int of_quantity;
    } signs[] = {{"Ohm", "\xCE\xA9", 0}, {"^2", "\xC2\xB2", 1}, {"^3", "\xC2\xB3", 1}};
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
        *taken = (int)strlen(signs[k].written);
        if (strncmp(at, signs[k].written, (size_t)*taken) == 0 &&
            (quantity || !signs[k].of_quantity))
            return signs[k].sign;
    }
    *taken = 1;
    if (*at == '.' && quantity && strchr(text, ' ') < at)
        return "\xC2\xB7";
    return *at == 'u' && is_micro(text, at) ? "\xC2\xB5" : NULL;
}

/* Text with Ohm and micro as they are printed, and the unit of a quantity with its powers and
 * products: "1.6 cm^3" and "N.m". */
static const char *printed(ln_arena *arena, const char *text) {
    const int quantity = is_quantity(text);
    char *out = ln_arena_alloc(arena, 2 * strlen(text) + 1, 1); /* a sign takes two bytes */
    size_t used = 0;
    int taken;
    if (out == NULL)
        return text;
    for (const char *at = text; *at != '\0'; at += taken) {
        const char *sign = sign_of(text, at, quantity, &taken);
        if (sign == NULL)
            out[used++] = *at;
        for (; sign != NULL && *sign != '\0'; sign++)
            out[used++] = *sign;
    }
    out[used] = '\0';
    return out;
}

/* A plain number in a unit that takes prefixes: 1e-07 F as 100 nF. */
static const char *engineering(ln_arena *arena, double value, const char *unit) {
    static const char *const prefixes[] = {"f", "p", "n", "u", "m", "", "k", "M", "G"};
    int k = 5;
    char digits[32];
    while (k > 0 && value != 0 && fabs(value) < 0.9999999) {
        value *= 1000;
        k--;
    }
    while (k < 8 && fabs(value) >= 999.99999) {
        value /= 1000;
        k++;
    }
    ln_number_format(digits, nearbyint(value * 1e6) / 1e6);
    return ln_arena_printf(arena, "%s %s%s", digits, prefixes[k], unit);
}

const char *ln_value_text(ln_arena *arena, const char *written, const char *unit) {
    static const char *const scaled[] = {"Ohm", "F", "H",  "V", "A", "Hz", "s", "W",
                                         "S",   "N", "Pa", "m", "J", "T",  "Wb"};
    const char *end;
    const double value = ln_number_read(written, &end);
    const char *text = written;
    if (end != written && *end == '\0' && unit != NULL && unit[0] != '\0') {
        text = NULL;
        for (size_t k = 0; k < sizeof scaled / sizeof *scaled; k++)
            if (strcmp(scaled[k], unit) == 0)
                text = engineering(arena, value, unit);
        if (text == NULL)
            text = ln_arena_printf(arena, "%s %s", written, unit);
    }
    return text != NULL ? printed(arena, text) : NULL;
}

/* ---- polynomials ---- */

/* The coefficients of a list of plain numbers, the highest power first; their count, or 0. */
static int coefficients(const char *text, double *values, int room) {
    int count = 0;
    const char *end;
    while (text != NULL) {
        text += strspn(text, " \t\r\n,");
        if (*text == '\0')
            return count;
        if (count == room)
            return 0;
        values[count++] = ln_number_read(text, &end);
        if (end == text || (*end != '\0' && strchr(" \t\r\n,", *end) == NULL))
            return 0;
        text = end;
    }
    return 0;
}

/* "s^2 + 3 s + 2" of the coefficients; NULL when they are no plain numbers. */
static const char *polynomial(ln_arena *arena, const char *list, char variable) {
    double values[6];
    const int count = coefficients(list, values, 6);
    ln_text out = {0};
    for (int k = 0; k < count; k++) {
        const int power = count - 1 - k;
        char digits[32];
        if (values[k] == 0 && count > 1)
            continue;
        if (out.length > 0)
            ln_text_add(&out, values[k] < 0 ? " \xE2\x88\x92 " : " + ");
        else if (values[k] < 0)
            ln_text_add(&out, "\xE2\x88\x92");
        ln_number_format(digits, fabs(values[k]));
        if (fabs(values[k]) != 1 || power == 0)
            ln_text_printf(&out, power > 0 ? "%s " : "%s", digits);
        if (power > 0)
            ln_text_printf(&out, "%c", variable);
        if (power > 1)
            ln_text_printf(&out, "^%d", power);
    }
    if (out.failed)
        ln_arena_fail(arena);
    const char *result = out.failed || out.length == 0 ? NULL : ln_arena_string(arena, out.data);
    ln_text_free(&out);
    return result;
}

static const char *given(const ln_drawn_part *part, const char *name, const char *standard) {
    const char *value = ln_attribute_of(part->element, name);
    return value != NULL ? value : standard;
}

int ln_face_fraction(ln_arena *arena, const ln_drawn_part *part, const char **above,
                     const char **below) {
    static const struct {
        const char *type;
        char variable;
    } rational[] = {{"transfer-function", 's'}, {"discrete-transfer-function", 'z'}};
    *above = *below = NULL;
    for (size_t k = 0; k < 2; k++)
        if (strcmp(part->type, rational[k].type) == 0) {
            const char v = rational[k].variable;
            *above = polynomial(arena, given(part, "numerator", "1"), v);
            *below = polynomial(arena, given(part, "denominator", "1"), v);
            if (*above == NULL || *below == NULL) {
                *above = ln_arena_printf(arena, "B(%c)", v);
                *below = ln_arena_printf(arena, "A(%c)", v);
            }
        }
    if (strcmp(part->type, "first-order") == 0) {
        *above = printed(arena, given(part, "k", "1"));
        *below = ln_arena_printf(arena, "1 + %s s", printed(arena, given(part, "T", "T")));
    }
    return *above != NULL && *below != NULL;
}

/* ---- values beside a part ---- */

/* Text that would not fit is cut, with an ellipsis. */
static const char *cut(ln_arena *arena, const char *text, int most) {
    if (text == NULL || ln_width_of(text) <= most)
        return text;
    size_t length = 0;
    for (int count = 0; count < most - 1; count++)
        do
            length++;
        while (((unsigned char)text[length] & 0xC0) == 0x80);
    return ln_arena_printf(arena, "%.*s\xE2\x80\xA6", (int)length, text);
}

const char *ln_face_value(ln_arena *arena, const ln_drawn_part *part,
                          const linnet_block_class *face, int shown, int with_names) {
    const char *text = NULL;
    for (int k = 0; face != NULL && k < face->nparams && shown > 0; k++) {
        const linnet_param *param = &face->params[k];
        const char *written = ln_attribute_of(part->element, param->name);
        if (written == NULL || (param->flags & LINNET_MATRIX))
            continue;
        const char *value = cut(arena, ln_value_text(arena, written, param->unit), 18);
        if (value == NULL)
            return NULL;
        if (with_names)
            value = ln_arena_printf(arena, "%s = %s", param->name, value);
        text = text == NULL ? value : ln_arena_printf(arena, "%s, %s", text, value);
        shown--;
    }
    return cut(arena, text, 30);
}
