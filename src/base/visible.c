/* SPDX-License-Identifier: MIT */
/* Text from outside: see visible.h. */
#include "base/visible.h"
#include "base/text.h"

#include <string.h>

/* ---- characters ---- */

/* How many bytes a character has by its first one, and what its second one may be (Unicode 15,
 * table 3-7): it excludes surrogates, numbers beyond U+10FFFF and forms that are longer than
 * needed. */
static const struct {
    unsigned char first, last; /* of first bytes */
    unsigned char least, most; /* of second bytes */
    int length;
} well_formed[] = {
    {0x00, 0x7F, 0x80, 0xBF, 1}, {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
    {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
    {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};

int ln_utf8_length(const char *bytes, size_t length) {
    const unsigned char *c = (const unsigned char *)bytes;
    for (size_t row = 0; row < sizeof well_formed / sizeof *well_formed; row++) {
        const int wanted = well_formed[row].length;
        if (c[0] < well_formed[row].first || c[0] > well_formed[row].last)
            continue;
        if ((size_t)wanted > length ||
            (wanted > 1 && (c[1] < well_formed[row].least || c[1] > well_formed[row].most)))
            return 0;
        for (int k = 2; k < wanted; k++)
            if ((c[k] & 0xC0) != 0x80)
                return 0;
        return wanted;
    }
    return 0;
}

/* The number of the character that stands in `length` bytes. */
static unsigned long code_of(const char *bytes, int length) {
    const unsigned char *c = (const unsigned char *)bytes;
    unsigned long code = length == 1 ? c[0] : c[0] & (0x7Fu >> length);
    for (int k = 1; k < length; k++)
        code = code << 6 | (c[k] & 0x3Fu);
    return code;
}

static int is_blank(unsigned long code) {
    return code == '\t' || code == '\n' || code == '\r' || code == '\f';
}

static int is_control(unsigned long code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

/* Marks of direction, of no width, and ends of line that are no newline (Unicode 15, chapters 9.1
 * and 23.2). */
static int is_deceptive(unsigned long code) {
    return (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2060 && code <= 0x206F) || code == 0x61C || code == 0xFEFF;
}

/* The character at `text`, which has `length` bytes, escaped if need be. */
static void add_character(ln_text *out, const char *text, int length, int lines) {
    const unsigned long code = length > 0 ? code_of(text, length) : (unsigned char)*text;
    if (length == 0 || (is_control(code) && !(lines && (code == '\n' || code == '\t'))))
        ln_text_printf(out, "\\x%02lx", code);
    else if (is_deceptive(code))
        ln_text_printf(out, "\\u%04lx", code);
    else
        ln_text_add_bytes(out, text, (size_t)length);
}

/* ---- texts ---- */

void ln_visible_add(ln_text *out, const char *text, int lines) {
    for (size_t left = strlen(text); left > 0 && !out->failed;) {
        size_t plain = 0;
        while (plain < left && text[plain] >= ' ' && text[plain] < 0x7F)
            plain++;
        ln_text_add_bytes(out, text, plain);
        text += plain, left -= plain;
        if (left == 0)
            break;
        const int length = ln_utf8_length(text, left), step = length > 0 ? length : 1;
        add_character(out, text, length, lines);
        text += step, left -= (size_t)step;
    }
    if (out->data == NULL)
        ln_text_add(out, "");
}

int ln_visible_is(const char *text, int lines) {
    for (size_t left = strlen(text); left > 0;) {
        const int length = ln_utf8_length(text, left);
        const unsigned long code = length > 0 ? code_of(text, length) : 0;
        if (length == 0 || is_deceptive(code) ||
            (is_control(code) && !(lines && (code == '\n' || code == '\t'))))
            return 0;
        text += length, left -= (size_t)length;
    }
    return 1;
}

const char *ln_visible_in(ln_arena *arena, const char *text) {
    ln_text clean = {0};
    if (ln_visible_is(text, 0))
        return text;
    ln_visible_add(&clean, text, 0);
    const char *copy = clean.failed ? NULL : ln_arena_string(arena, clean.data);
    if (copy == NULL)
        ln_arena_fail(arena);
    ln_text_free(&clean);
    return copy != NULL ? copy : "?";
}

/* ---- files ---- */

static int is_utf8(const char *bytes, size_t length) {
    for (size_t at = 0; at < length;) {
        const int one = ln_utf8_length(bytes + at, length - at);
        if (one == 0)
            return 0;
        at += (size_t)one;
    }
    return 1;
}

/* The file is plain ASCII without control characters, as most are. */
static int is_plain(const char *bytes, size_t length) {
    for (size_t at = 0; at < length; at++)
        if ((bytes[at] < ' ' && !is_blank((unsigned char)bytes[at])) || bytes[at] == 0x7F)
            return 0;
    return 1;
}

static void add_latin1(ln_text *out, unsigned char byte) {
    const char two[2] = {(char)(0xC0 | byte >> 6), (char)(0x80 | (byte & 0x3F))};
    if (is_control(byte))
        ln_text_printf(out, "\\x%02x", byte);
    else
        ln_text_add_bytes(out, two, 2);
}

void ln_visible_clean(ln_text *text) {
    while (text->length > 0 && text->data[text->length - 1] == 0x1A)
        text->data[--text->length] = '\0';
    if (text->failed || is_plain(text->data, text->length))
        return;
    const int utf8 = is_utf8(text->data, text->length);
    ln_text clean = {0};
    ln_text_add(&clean, "");
    for (size_t at = 0; at < text->length;) {
        const char *from = text->data + at;
        const int length = utf8 ? ln_utf8_length(from, text->length - at) : 1;
        const unsigned long code = utf8 ? code_of(from, length) : (unsigned char)*from;
        if (is_blank(code) || (code >= ' ' && code < 0x7F))
            ln_text_add_bytes(&clean, from, 1);
        else if (!utf8)
            add_latin1(&clean, (unsigned char)*from);
        else
            add_character(&clean, from, length, 0);
        at += (size_t)length;
    }
    ln_text_free(text);
    *text = clean;
}
