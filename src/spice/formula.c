/* SPDX-License-Identifier: MIT */
/* SPICE expressions parsed to a tree, which value.c computes and print.c says in our language.
 *
 * Precedence, from weak to strong: ?:, ||, &&, == !=, < > <= >=, + -, * / %, signs and !, ** and ^ (from left to right, as
 * ngspice has it: 2**3**2 is 64). Depth and size are limited, for a deck is not trusted. */
#include "spice/deck.h"

#include <string.h>

enum { DEEPEST = 100, MOST_ARGS = 4096 };

typedef struct parser {
    ln_spice *spice;
    const char *text, *at;
    ln_place place;
    int depth, failed;
} parser;

static ln_formula *choice(parser *it);

static ln_formula *fail(parser *it, const char *what) {
    if (!it->failed)
        ln_spice_error(it->spice, it->place, "expression '%.80s': %s at '%.20s'", it->text, what, it->at);
    it->failed = 1;
    return NULL;
}

static ln_formula *node(parser *it, char kind, ln_formula *a, ln_formula *b, ln_formula *c) {
    ln_formula *made = it->failed ? NULL : LN_SPICE_NEW(it->spice, ln_formula, 1);
    if (made == NULL || (made->args = LN_SPICE_NEW(it->spice, ln_formula *, 3)) == NULL) {
        it->failed = 1;
        return NULL;
    }
    made->kind = kind;
    made->args[0] = a;
    made->args[1] = b;
    made->args[2] = c;
    made->nargs = (a != NULL) + (b != NULL) + (c != NULL);
    return made;
}

static void blanks(parser *it) {
    while (*it->at == ' ' || *it->at == '\t') it->at++;
}

/* Is the operator next? It is then passed. */
static int is_next(parser *it, const char *operator) {
    blanks(it);
    const size_t length = strlen(operator);
    if (strncmp(it->at, operator, length) != 0) return 0;
    it->at += length;
    return 1;
}

static int is_name(char c, int first) {
    return (c >= 'a' && c <= 'z') || c == '_' || (!first && ((c >= '0' && c <= '9') || c == '.' || c == '#'));
}

/* v(...) and i(...) hold names of nodes, which may be anything. */
static ln_formula *node_name(parser *it) {
    blanks(it);
    const char *begin = it->at;
    while (*it->at != '\0' && strchr(" \t,()", *it->at) == NULL) it->at++;
    if (it->at == begin) return fail(it, "a name is missing");
    ln_formula *made = node(it, 'n', NULL, NULL, NULL);
    if (made != NULL) made->name = ln_spice_text(it->spice, "%.*s", (int)(it->at - begin), begin);
    return made;
}

/* v(...), i(...) and what .print ac makes of them: vdb(out), ip(v1). */
static int holds_names(const char *name) {
    static const char *const parts[] = {"", "db", "m", "p", "r", "i", "g"};
    if (name[0] != 'v' && name[0] != 'i') return 0;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (strcmp(name + 1, parts[k]) == 0) return 1;
    return 0;
}

static ln_formula *call(parser *it, const char *name) {
    ln_formula *made = node(it, 'f', NULL, NULL, NULL);
    size_t count = 0, room = 0;
    ln_formula **args = NULL;
    const int names = holds_names(name);
    while (!it->failed && !is_next(it, ")")) {
        if (count > 0 && !is_next(it, ",")) fail(it, "',' or ')' is missing");
        ln_formula *one = it->failed ? NULL : names ? node_name(it) : choice(it);
        if (count >= MOST_ARGS) fail(it, "too many arguments");
        if (count == room && !it->failed) {
            ln_formula **longer = LN_SPICE_NEW(it->spice, ln_formula *, room = 2 * room + 4);
            if (longer != NULL && count > 0) memcpy(longer, args, count * sizeof *args);
            args = longer;
            it->failed |= longer == NULL;
        }
        if (!it->failed) args[count++] = one;
    }
    if (it->failed || made == NULL) return NULL;
    made->name = name;
    made->args = args;
    made->nargs = (int)count;
    return made;
}

static ln_formula *number(parser *it) {
    const char *end;
    ln_number_read(it->at, &end);
    while ((*end >= 'a' && *end <= 'z')) end++;
    const char *text = ln_spice_text(it->spice, "%.*s", (int)(end - it->at), it->at);
    ln_formula *made = node(it, '0', NULL, NULL, NULL);
    if (made != NULL && !ln_spice_number(text, &made->value)) return fail(it, "a number is not understood");
    it->at = end;
    return made;
}

static ln_formula *primary(parser *it) {
    blanks(it);
    if (is_next(it, "(") || is_next(it, "{")) {
        const char close = it->at[-1] == '(' ? ')' : '}';
        ln_formula *inner = choice(it);
        blanks(it);
        if (!it->failed && *it->at++ != close)
            return it->at--, fail(it, close == ')' ? "')' is missing" : "'}' is missing");
        return inner;
    }
    if ((*it->at >= '0' && *it->at <= '9') || *it->at == '.') return number(it);
    if (!is_name(*it->at, 1)) return fail(it, *it->at == '\0' ? "an operand is missing" : "unexpected character");
    const char *begin = it->at;
    while (is_name(*it->at, 0)) it->at++;
    const char *name = ln_spice_text(it->spice, "%.*s", (int)(it->at - begin), begin);
    if (is_next(it, "(")) return call(it, name);
    ln_formula *made = node(it, 'n', NULL, NULL, NULL);
    if (made != NULL) made->name = name;
    return made;
}

static ln_formula *unary(parser *it);

static ln_formula *power(parser *it) {
    ln_formula *base = primary(it);
    while (!it->failed && (is_next(it, "**") || is_next(it, "^"))) {
        ln_formula *exponent = is_next(it, "-") ? node(it, '-', primary(it), NULL, NULL) : primary(it);
        base = node(it, '^', base, exponent, NULL);
    }
    return base;
}

static ln_formula *unary(parser *it) {
    if (++it->depth > DEEPEST) return fail(it, "it is nested deeper than 100");
    ln_formula *made;
    if (is_next(it, "-")) made = node(it, '-', unary(it), NULL, NULL);
    else if (is_next(it, "+")) made = unary(it);
    else if (((it->at[0] == '!' && it->at[1] != '=') || it->at[0] == '~') && is_next(it, it->at[0] == '~' ? "~" : "!")) made = node(it, '!', unary(it), NULL, NULL);
    else made = power(it);
    it->depth--;
    return made;
}

/* Binary operators by level; kinds of two characters get one of their own. */
static ln_formula *binary(parser *it, int level) {
    static const struct { int level; const char *text; char kind; } operators[] = {
        {0, "||", '|'}, {0, "|", '|'}, {1, "&&", '&'}, {1, "&", '&'}, {2, "==", 'e'}, {2, "=", 'e'}, {2, "!=", 'u'}, {2, "<>", 'u'}, {3, "<=", 'l'}, {3, ">=", 'g'},
        {3, "<", '<'}, {3, ">", '>'}, {4, "+", 'p'}, {4, "-", 'm'}, {5, "*", '*'}, {5, "/", '/'}, {5, "%", '%'}};
    enum { COUNT = sizeof operators / sizeof *operators };
    if (level > 5) return unary(it);
    ln_formula *left = binary(it, level + 1);
    for (int length = 0; !it->failed; length++) {
        int found = -1;
        blanks(it);
        for (int k = 0; k < COUNT && found < 0; k++)
            if (operators[k].level == level && !(operators[k].kind == '*' && it->at[0] == '*' && it->at[1] == '*') &&
                !(level == 3 && strncmp(it->at, "<>", 2) == 0) && is_next(it, operators[k].text))
                found = k;
        if (found < 0) break;
        if (length > 2000) return fail(it, "more than 2000 terms");
        left = node(it, operators[found].kind, left, binary(it, level + 1), NULL);
    }
    return left;
}

static ln_formula *choice(parser *it) {
    if (++it->depth > DEEPEST) return fail(it, "it is nested deeper than 100");
    ln_formula *condition = binary(it, 0);
    if (!it->failed && is_next(it, "?")) {
        ln_formula *yes = choice(it);
        if (!it->failed && !is_next(it, ":")) fail(it, "':' is missing");
        ln_formula *no = it->failed ? NULL : choice(it);
        condition = node(it, '?', condition, yes, no);
    }
    it->depth--;
    return condition;
}

ln_formula *ln_formula_parse(ln_spice *spice, const char *text, ln_place place) {
    parser it = {.spice = spice, .text = text, .at = text, .place = place};
    ln_formula *made = choice(&it);
    blanks(&it);
    if (!it.failed && *it.at != '\0') fail(&it, "something follows that is not understood");
    return it.failed ? NULL : made;
}
