/* SPDX-License-Identifier: MIT */
/* Text to tokens: numbers with prefix and unit, names, symbols and operator words.
 *
 * A unit belongs to the number before it, so the token is the SI value already. The decimal power
 * of a prefix goes into the number's text before it is read, so that `10 us` is the double nearest
 * to 1e-5. */
#include "expression/message.h"
#include "expression/parse.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int ln_lex_error(const ln_lexer *lexer, const char *at, const char *format, ...) {
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    ln_expression_error(lexer->report, lexer->place, lexer->text, (int)(at - lexer->text) + 1, "%s",
                        message);
    return 0;
}

static int is_digit(char c) {
    return c >= '0' && c <= '9';
}

static int is_name_start(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '`';
}

static int is_name_character(char c) {
    return is_name_start(c) || is_digit(c);
}

/* Bytes of the UTF-8 character at `at`, for messages. */
static int character_length(const char *at, const char *end) {
    int length = 1;
    while (at + length < end && length < 4 && ((unsigned char)at[length] & 0xC0) == 0x80)
        length++;
    return length;
}

/* Bytes of the word at `at`: name characters and whatever is not ASCII. */
static int word_length(const char *at, const char *end) {
    const char *p = at;
    while (p < end && (is_name_character(*p) || (*p & 0x80)))
        p++;
    return (int)(p - at);
}

/* ---- names and symbols ---- */

typedef struct spelling {
    const char *text, *symbol;
} spelling;

static const spelling words[] = {
    {"lt", "lt"}, {"le", "le"}, {"gt", "gt"},   {"ge", "ge"},   {"eq", "eq"},
    {"ne", "ne"}, {"or", "or"}, {"and", "and"}, {"not", "not"},
};
/* Longer ones first. */
static const spelling symbols[] = {
    {"<=", "le"}, {">=", "ge"}, {"==", "eq"}, {"!=", "ne"}, {"&&", "and"}, {"||", "or"},
    {"<", "lt"},  {">", "gt"},  {"+", "+"},   {"-", "-"},   {"*", "*"},    {"/", "/"},
    {"^", "^"},   {"!", "!"},   {"(", "("},   {")", ")"},   {",", ","},    {"=", "="},
    {"[", "["},   {"]", "]"},   {"..", ".."},
};
/* What other languages write. */
static const struct {
    const char *text, *hint;
} foreign[] = {
    {"++", "there is no increment; write a + b"},
    {"--", "there is no decrement; write a - b, or a - (-b)"},
    {"**", "a power is written with ^"},
    {"<>", "'not equal' is written ne or !="},
    {"=<", "'at most' is written le or <="},
    {"=>", "'at least' is written ge or >="},
    {"&", "'and' is written and or &&"},
    {"|", "'or' is written or or ||"},
    {"?", "a choice is written if(condition, a, b)"},
    {"%", "a remainder is written mod(a, b); a percentage is a number followed by %"},
};

static const char *operator_word(const char *at, size_t length) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].text) == length && memcmp(words[i].text, at, length) == 0)
            return words[i].symbol;
    return NULL;
}

static int starts_with(const ln_lexer *lexer, const char *text) {
    size_t length = strlen(text);
    return (size_t)(lexer->end - lexer->at) >= length && memcmp(lexer->at, text, length) == 0;
}

static int lex_symbol(ln_lexer *lexer, ln_token *token) {
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (starts_with(lexer, foreign[i].text) && !starts_with(lexer, "&&") &&
            !starts_with(lexer, "||"))
            return ln_lex_error(lexer, lexer->at, "'%s' is not understood; %s", foreign[i].text,
                                foreign[i].hint);
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        if (!starts_with(lexer, symbols[i].text))
            continue;
        token->kind = LN_TOKEN_SYMBOL;
        token->symbol = symbols[i].symbol;
        token->length = strlen(symbols[i].text);
        lexer->at += token->length;
        return 1;
    }
    return ln_lex_error(
        lexer, lexer->at,
        "'%.*s' is not understood; names are letters, digits and _, others stand in "
        "backquotes",
        character_length(lexer->at, lexer->end), lexer->at);
}

/* The two points of `1 .. n`, which end a number or name in front of them. */
static int is_range(const char *at, const char *end) {
    return end - at >= 2 && at[0] == '.' && at[1] == '.';
}

/* A name: parts joined by dots, each a word or text in backquotes. */
static int lex_name(ln_lexer *lexer, ln_token *token) {
    const char *at = lexer->at;
    for (;;) {
        if (at >= lexer->end || !is_name_start(*at))
            return ln_lex_error(lexer, at, "a name is missing behind the dot");
        if (*at == '`') {
            const char *close = memchr(at + 1, '`', (size_t)(lexer->end - at - 1));
            if (!close || close == at + 1)
                return ln_lex_error(lexer, at, "the backquote is not closed, or empty");
            at = close + 1;
        } else {
            while (at < lexer->end && is_name_character(*at) && *at != '`')
                at++;
        }
        if (at >= lexer->end || *at != '.' || is_range(at, lexer->end))
            break;
        at++;
    }
    token->kind = LN_TOKEN_NAME;
    token->length = (size_t)(at - lexer->at);
    const char *word = operator_word(lexer->at, token->length);
    if (word) {
        token->kind = LN_TOKEN_SYMBOL;
        token->symbol = word;
    }
    lexer->at = at;
    return 1;
}

/* ---- numbers ---- */

/* The number written at [begin, end) times 10^decimal, rounded once. */
static double read_scaled(const char *begin, const char *end, int decimal) {
    char buffer[80];
    const char *stop, *mantissa_end = begin;
    while (mantissa_end < end && *mantissa_end != 'e' && *mantissa_end != 'E')
        mantissa_end++;
    int exponent = 0, sign = 1;
    const char *digit = mantissa_end < end ? mantissa_end + 1 : end;
    if (digit < end && (*digit == '-' || *digit == '+'))
        sign = *digit++ == '-' ? -1 : 1;
    for (; digit < end; digit++)
        if (exponent < 100000)
            exponent = 10 * exponent + (*digit - '0');
    if (decimal == 0 || mantissa_end - begin > 60)
        return ln_number_read(begin, &stop) * pow(10, decimal);
    snprintf(buffer, sizeof buffer, "%.*se%d", (int)(mantissa_end - begin), begin,
             sign * exponent + decimal);
    return ln_number_read(buffer, &stop);
}

/* Is a power without its sign meant? Directly on its number a prefix with a digit is rather a
 * decimal point, as in 4k7. */
static int is_power(const char *at, int length) {
    int decimal;
    return ln_unit_is_power(at, (size_t)length) &&
           (length > 2 || ln_is_blank(at[-1]) || ln_prefix_run(at, 1, &decimal) != 1);
}

/* Tells what is wrong with the word of `length` bytes at `at`, which stands behind the number at
 * `number`. */
static int unknown_unit(const ln_lexer *lexer, const char *number, int digits, const char *at,
                        int length) {
    char name[64];
    ln_unit unit;
    int decimal, next = at + length < lexer->end ? at[length] : '\0';
    snprintf(name, sizeof name, "%.*s", length, at);
    if (next == '(')
        return ln_lex_error(lexer, at, "an operator is missing before '%s'; products need a star",
                            name);
    if (next == '^' && ln_unit_run(at, (size_t)length, &unit)) {
        if (unit.offset != 0)
            return ln_lex_error(lexer, at, "'%s' stands alone, as it has an offset; use K", name);
        return ln_lex_error(lexer, at, "the exponent of a unit is an integer; write (%.*s %s)^...",
                            digits, number, name);
    }
    if (ln_prefix_run(at, (size_t)length, &decimal) == (size_t)length)
        return ln_lex_error(lexer, at,
                            "'%s' is no unit; a prefix without unit stands directly on its number: "
                            "%.*s%s; products "
                            "need a star: %.*s*%s",
                            name, digits, number, name, digits, number, name);
    if (is_power(at, length))
        return ln_lex_error(lexer, at, "'%s' is no unit; a power is written %.*s^%c", name,
                            length - 1, name, name[length - 1]);
    if (ln_prefix_run(at, 1, &decimal) == 1 && strspn(at + 1, "0123456789") == (size_t)length - 1)
        return ln_lex_error(lexer, at,
                            "'%s' is no unit; a prefix stands behind all digits: %.*s.%s%c", name,
                            digits, number, name + 1, name[0]);
    const char *nearest = ln_unit_nearest(name);
    if (nearest && strcmp(nearest, name) != 0)
        return ln_lex_error(lexer, at,
                            "'%s' is no unit; did you mean '%s'? products need a star: %.*s*%s",
                            name, nearest, digits, number, name);
    return ln_lex_error(lexer, at, "'%s' is no unit; products need a star: %.*s*%s", name, digits,
                        number, name);
}

/* Can a prefix or unit stand here: a word, but no operator's, or %? */
static int begins_unit(const ln_lexer *lexer, const char *at) {
    const int word = word_length(at, lexer->end);
    return !is_digit(*at) && (word > 0 || *at == '%') && !operator_word(at, (size_t)word);
}

/* Is a prefix, as in "4.7k", complete here: no letter, point, parenthesis or % follows? */
static int ends_prefix(const ln_lexer *lexer, const char *behind) {
    return behind == lexer->end || !(word_length(behind, lexer->end) > 0 || strchr(".(%", *behind));
}

/* Takes the prefix or unit behind the number that ends at `end`; *after is where the token ends. */
static int read_unit_behind(const ln_lexer *lexer, const char *begin, const char *end,
                            const char **after, ln_unit *unit) {
    const char *at = end;
    *unit = (ln_unit){0, 1, 1, 0, ln_dimension_plain};
    *after = end;
    while (at < lexer->end && ln_is_blank(*at))
        at++;
    if (at == lexer->end || !begins_unit(lexer, at))
        return 1;
    const int word = word_length(at, lexer->end);
    size_t run = ln_unit_run(at, (size_t)(lexer->end - at), unit);
    if (run > 0) {
        *after = at + run;
        if (unit->offset == 0 || *after == lexer->end || **after != '/')
            return 1;
        return ln_lex_error(lexer, at, "'%.*s' stands alone, as it has an offset; use K", (int)run,
                            at);
    }
    size_t prefix = at == end ? ln_prefix_run(at, (size_t)(lexer->end - at), &unit->decimal) : 0;
    if (prefix > 0 && ends_prefix(lexer, at + prefix)) {
        *after = at + prefix;
        return 1;
    }
    return unknown_unit(lexer, begin, (int)(end - begin), at, word > 0 ? word : 1);
}

static int has_digit(const char *begin, const char *end) {
    for (; begin < end && *begin != 'e' && *begin != 'E'; begin++)
        if (*begin >= '1' && *begin <= '9')
            return 1;
    return 0;
}

/* The number's own text from `begin` to *end: "1..n" has the number 1. 0 reported. */
static int digits_of_number(const ln_lexer *lexer, const char *begin, const char **end) {
    const char *last = lexer->end;
    ln_number_read(begin, end);
    if (*end == begin)
        return ln_lex_error(lexer, begin, "a lone point is no number");
    if (is_range(*end - 1, last))
        --*end;
    const char next = *end < last ? **end : '\0';
    if (*end == begin + 1 && *begin == '0' && (next == 'x' || next == 'X'))
        return ln_lex_error(lexer, begin,
                            "hexadecimal numbers are not understood; write it in decimal");
    if ((is_digit(next) || next == '.') && !is_range(*end, last))
        return ln_lex_error(lexer, begin, "'%.*s' is no number; it has two points",
                            (int)(*end - begin) + 1, begin);
    return 1;
}

static int lex_number(ln_lexer *lexer, ln_token *token) {
    const char *begin = lexer->at, *end;
    ln_unit unit;
    if (!digits_of_number(lexer, begin, &end) ||
        !read_unit_behind(lexer, begin, end, &lexer->at, &unit))
        return 0;
    token->kind = LN_TOKEN_NUMBER;
    token->length = (size_t)(lexer->at - begin);
    token->value = read_scaled(begin, end, unit.decimal) * unit.times / unit.over;
    token->offset = unit.offset;
    token->dimension = unit.dimension;
    if (!isfinite(token->value))
        return ln_lex_error(lexer, begin, "the number is too large; at most about 1.8e308");
    if (token->value == 0 && has_digit(begin, end))
        return ln_lex_error(lexer, begin, "the number is too small; at least about 5e-324, or 0");
    return 1;
}

int ln_lex(ln_lexer *lexer, ln_token *token) {
    while (lexer->at < lexer->end && ln_is_blank(*lexer->at))
        lexer->at++;
    *token = (ln_token){.kind = LN_TOKEN_END, .start = lexer->at};
    if (lexer->at == lexer->end)
        return 1;
    char c = *lexer->at;
    int fraction = c == '.' && lexer->at + 1 < lexer->end && is_digit(lexer->at[1]);
    if (is_digit(c) || fraction)
        return lex_number(lexer, token);
    if (is_name_start(c))
        return lex_name(lexer, token);
    return lex_symbol(lexer, token);
}

int ln_ast_literal(const char *text, double *value, ln_dimension *dimension) {
    ln_lexer lexer = {text, text, text + strlen(text), LN_NOWHERE, NULL};
    ln_token token, end;
    int negative = 0;
    while (ln_is_blank(*lexer.at))
        lexer.at++;
    if (*lexer.at == '-' || *lexer.at == '+')
        negative = *lexer.at++ == '-';
    if (!is_digit(*lexer.at) && *lexer.at != '.')
        return 0;
    if (!ln_lex(&lexer, &token) || token.kind != LN_TOKEN_NUMBER)
        return 0;
    if (!ln_lex(&lexer, &end) || end.kind != LN_TOKEN_END)
        return 0;
    *value = (negative ? -token.value : token.value) + token.offset;
    *dimension = token.dimension;
    return 1;
}
