/* SPDX-License-Identifier: MIT */
/* A SPICE expression to its tree, by recursive descent; value.c computes the tree and print.c says
 * it in our language.
 *
 * Precedence, from weak to strong: ?:, ||, &&, == !=, < > <= >=, + -, * / %, signs and !, ** and
 * ^. Operators of one level group from the left, the power too, as ngspice has it: 2**3**2 is 64.
 * Depth, terms and arguments are limited, for a deck is not trusted.
 *
 * Dialects differ in signs. `**` is the power everywhere; `^` is the power in ngspice, and so here,
 * but exclusive or in most expressions of LTspice and PSpice. `=` beside `==` and `<>` beside `!=`
 * are other writings of the same comparisons; `~` is PSpice's `!`. `&&`, `&`, `||` and `|` join
 * truth values here, never the bits of integers. The text is lower case already. */
#include "spice/deck.h"

#include <string.h>

enum { DEEPEST = 100, MOST_ARGS = 4096 };

typedef struct parser {
    ln_spice *spice;
    const char *text, *at;
    ln_place place;
    int depth, failed;
} parser;

/* Each function of the grammar takes its part of the text from `at` on and returns its tree, or
 * NULL once something failed. The callers go on without asking: node() returns NULL then, and every
 * loop ends on `failed`. */
static ln_formula *choice(parser *reader);

/* The first error only is told; what follows from it is not. */
static ln_formula *fail(parser *reader, const char *what) {
    if (!reader->failed)
        ln_spice_error(reader->spice, reader->place, "expression '%.80s': %s at '%.20s'",
                       reader->text, what, reader->at);
    reader->failed = 1;
    return NULL;
}

/* An operator with one, two or three operands. Its kind is the character of the operator, where
 * that is one and is not taken: 'p' + and 'm' -, for '-' is the sign; 'e' ==, 'u' !=, 'l' <=,
 * 'g' >=; '&' and '|' stand for the doubled ones, too. */
static ln_formula *node(parser *reader, char kind, ln_formula *a, ln_formula *b, ln_formula *c) {
    ln_formula *made = reader->failed ? NULL : LN_SPICE_NEW(reader->spice, ln_formula, 1);
    if (made == NULL || (made->args = LN_SPICE_NEW(reader->spice, ln_formula *, 3)) == NULL) {
        reader->failed = 1;
        return NULL;
    }
    made->kind = kind;
    made->args[0] = a;
    made->args[1] = b;
    made->args[2] = c;
    made->nargs = (a != NULL) + (b != NULL) + (c != NULL);
    return made;
}

static void blanks(parser *reader) {
    while (*reader->at == ' ' || *reader->at == '\t')
        reader->at++;
}

/* Is the operator next? It is then passed. */
static int is_next(parser *reader, const char *operator) {
    blanks(reader);
    const size_t length = strlen(operator);
    if (strncmp(reader->at, operator, length) != 0)
        return 0;
    reader->at += length;
    return 1;
}

/* Names begin with a letter; "x1.r2" and "v1#branch" are names, too. */
static int is_name(char c, int first) {
    return (c >= 'a' && c <= 'z') || c == '_' ||
           (!first && ((c >= '0' && c <= '9') || c == '.' || c == '#'));
}

/* v(...) and i(...) hold names of nodes, which may be anything. */
static ln_formula *node_name(parser *reader) {
    blanks(reader);
    const char *begin = reader->at;
    while (*reader->at != '\0' && strchr(" \t,()", *reader->at) == NULL)
        reader->at++;
    if (reader->at == begin)
        return fail(reader, "a name is missing");
    ln_formula *made = node(reader, 'n', NULL, NULL, NULL);
    if (made != NULL)
        made->name = ln_spice_text(reader->spice, "%.*s", (int)(reader->at - begin), begin);
    return made;
}

/* v(...), i(...) and what .print ac makes of them: vdb(out), ip(v1). */
static int holds_names(const char *name) {
    static const char *const parts[] = {"", "db", "m", "p", "r", "i", "g"};
    if (name[0] != 'v' && name[0] != 'i')
        return 0;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (strcmp(name + 1, parts[k]) == 0)
            return 1;
    return 0;
}

/* The arguments up to the parenthesis; those of v and i are names, not expressions. */
static ln_formula *call(parser *reader, const char *name) {
    ln_formula *made = node(reader, 'f', NULL, NULL, NULL);
    size_t count = 0, room = 0;
    ln_formula **args = NULL;
    const int names = holds_names(name);
    while (!reader->failed && !is_next(reader, ")")) {
        if (count > 0 && !is_next(reader, ","))
            fail(reader, "',' or ')' is missing");
        ln_formula *one = reader->failed ? NULL : names ? node_name(reader) : choice(reader);
        if (count >= MOST_ARGS)
            fail(reader, "too many arguments");
        if (count == room && !reader->failed) {
            ln_formula **longer = LN_SPICE_NEW(reader->spice, ln_formula *, room = 2 * room + 4);
            if (longer != NULL && count > 0)
                memcpy(longer, args, count * sizeof *args);
            args = longer;
            reader->failed |= longer == NULL;
        }
        if (!reader->failed)
            args[count++] = one;
    }
    if (reader->failed || made == NULL)
        return NULL;
    made->name = name;
    made->args = args;
    made->nargs = (int)count;
    return made;
}

/* A SPICE number with its suffix and unit: "4.7uF". */
static ln_formula *number(parser *reader) {
    const char *end = ln_spice_number_end(reader->at);
    const char *text = ln_spice_text(reader->spice, "%.*s", (int)(end - reader->at), reader->at);
    ln_formula *made = node(reader, '0', NULL, NULL, NULL);
    if (made != NULL && !ln_spice_number(text, &made->value))
        return fail(reader, "a number is not understood");
    reader->at = end;
    return made;
}

/* An expression behind its open bracket or apostrophe. */
static ln_formula *bracketed(parser *reader) {
    const char open = reader->at[-1], close = open == '(' ? ')' : open == '{' ? '}' : open;
    ln_formula *inner = choice(reader);
    blanks(reader);
    if (reader->failed || *reader->at++ == close)
        return inner;
    reader->at--;
    return fail(reader, close == ')'   ? "')' is missing"
                        : close == '}' ? "'}' is missing"
                                       : "an apostrophe is missing");
}

/* par('expression') is the expression: HSPICE's and ngspice's way to write it. */
static ln_formula *without_par(ln_formula *made) {
    const int is_par = made != NULL && made->nargs == 1 && strcmp(made->name, "par") == 0;
    return is_par ? made->args[0] : made;
}

/* An expression in parentheses, braces or apostrophes, a number, a call or a name. */
static ln_formula *primary(parser *reader) {
    blanks(reader);
    if (is_next(reader, "(") || is_next(reader, "{") || is_next(reader, "'"))
        return bracketed(reader);
    if ((*reader->at >= '0' && *reader->at <= '9') || *reader->at == '.')
        return number(reader);
    if (!is_name(*reader->at, 1))
        return fail(reader, *reader->at == '\0' ? "an operand is missing" : "unexpected character");
    const char *begin = reader->at;
    while (is_name(*reader->at, 0))
        reader->at++;
    const char *name = ln_spice_text(reader->spice, "%.*s", (int)(reader->at - begin), begin);
    if (is_next(reader, "("))
        return without_par(call(reader, name));
    ln_formula *made = node(reader, 'n', NULL, NULL, NULL);
    if (made != NULL)
        made->name = name;
    return made;
}

static ln_formula *unary(parser *reader);

/* From left to right; the exponent may have a sign, the base has its sign outside: -2^2 is -4, and
 * 2^-1 is 0.5. */
static ln_formula *power(parser *reader) {
    ln_formula *base = primary(reader);
    while (!reader->failed && (is_next(reader, "**") || is_next(reader, "^"))) {
        ln_formula *exponent =
            is_next(reader, "-") ? node(reader, '-', primary(reader), NULL, NULL) : primary(reader);
        base = node(reader, '^', base, exponent, NULL);
    }
    return base;
}

static ln_formula *unary(parser *reader) {
    if (++reader->depth > DEEPEST)
        return fail(reader, "it is nested deeper than 100");
    ln_formula *made;
    if (is_next(reader, "-"))
        made = node(reader, '-', unary(reader), NULL, NULL);
    else if (is_next(reader, "+"))
        made = unary(reader);
    else if (((reader->at[0] == '!' && reader->at[1] != '=') || reader->at[0] == '~') &&
             is_next(reader, reader->at[0] == '~' ? "~" : "!"))
        made = node(reader, '!', unary(reader), NULL, NULL);
    else
        made = power(reader);
    reader->depth--;
    return made;
}

/* Binary operators by level, from 0, the weakest, by precedence climbing; kinds of two characters
 * get one of their own. Longer operators stand before those that begin like them. Two cases look
 * at what follows: `*` is not the first half of `**`, and `<` not that of `<>`. */
static ln_formula *binary(parser *reader, int level) {
    static const struct {
        int level;
        const char *text;
        char kind;
    } operators[] = {{0, "||", '|'}, {0, "|", '|'},  {1, "&&", '&'}, {1, "&", '&'},  {2, "==", 'e'},
                     {2, "=", 'e'},  {2, "!=", 'u'}, {2, "<>", 'u'}, {3, "<=", 'l'}, {3, ">=", 'g'},
                     {3, "<", '<'},  {3, ">", '>'},  {4, "+", 'p'},  {4, "-", 'm'},  {5, "*", '*'},
                     {5, "/", '/'},  {5, "%", '%'}};
    enum { COUNT = sizeof operators / sizeof *operators };
    if (level > 5)
        return unary(reader);
    ln_formula *left = binary(reader, level + 1);
    for (int length = 0; !reader->failed; length++) {
        int found = -1;
        blanks(reader);
        for (int k = 0; k < COUNT && found < 0; k++)
            if (operators[k].level == level &&
                !(operators[k].kind == '*' && reader->at[0] == '*' && reader->at[1] == '*') &&
                !(level == 3 && strncmp(reader->at, "<>", 2) == 0) &&
                is_next(reader, operators[k].text))
                found = k;
        if (found < 0)
            break;
        if (length > 2000)
            return fail(reader, "more than 2000 terms");
        left = node(reader, operators[found].kind, left, binary(reader, level + 1), NULL);
    }
    return left;
}

/* condition ? value : value, the weakest of all and grouped from the right. */
static ln_formula *choice(parser *reader) {
    if (++reader->depth > DEEPEST)
        return fail(reader, "it is nested deeper than 100");
    ln_formula *condition = binary(reader, 0);
    if (!reader->failed && is_next(reader, "?")) {
        ln_formula *yes = choice(reader);
        if (!reader->failed && !is_next(reader, ":"))
            fail(reader, "':' is missing");
        ln_formula *no = reader->failed ? NULL : choice(reader);
        condition = node(reader, '?', condition, yes, no);
    }
    reader->depth--;
    return condition;
}

/* All of the text must be one expression: what is left behind it is an error, for "1k 5" is more
 * likely a lost operator than a value. */
ln_formula *ln_formula_parse(ln_spice *spice, const char *text, ln_place place) {
    parser reader = {.spice = spice, .text = text, .at = text, .place = place};
    ln_formula *made = choice(&reader);
    blanks(&reader);
    if (!reader.failed && *reader.at != '\0')
        fail(&reader, "something follows that is not understood");
    return reader.failed ? NULL : made;
}
