/* SPDX-License-Identifier: MIT */
/* obliq-2's expressions, which are C over in(0), in(1), ..., in our language over u1, u2, ... By
 * recursive descent over the operators of C99, section 6.5, each level of precedence in one table.
 */
#include "foreign/foreign.h"

#include <math.h>
#include <string.h>

enum { DEPTH = 100 };

typedef struct reader {
    ln_draft *draft;
    const char *at, *who;
    int ninputs, line, depth, failed;
} reader;

/* A piece of our text: is it a condition, and, if it is a whole number, which one? */
typedef struct translated_term {
    const char *text;
    int is_condition, is_number;
    double value;
} translated_term;

static const translated_term nothing = {"0", 0, 1, 0};

static translated_term fail(reader *from, const char *format, const char *word) {
    if (!from->failed)
        ln_draft_error(from->draft, from->line, "%s: the expression %s '%.60s'", from->who, format,
                       word);
    from->failed = 1;
    return nothing;
}

static const char *value(reader *from, translated_term a) {
    return a.is_condition ? ln_draft_text(from->draft, "if(%s, 1, 0)", a.text) : a.text;
}

static const char *condition(reader *from, translated_term a) {
    return a.is_condition ? a.text : ln_draft_text(from->draft, "(%s ne 0)", a.text);
}

static void skip(reader *from) {
    from->at += strspn(from->at, " \t\r\n");
}

static translated_term parse_choice(reader *from);

/* ---- operands ---- */

static const struct function {
    const char *theirs, *ours;
    int nargs;
} functions[] = {
    {"sqrt", "sqrt", 1},    {"sin", "sin", 1},     {"cos", "cos", 1},     {"tan", "tan", 1},
    {"asin", "asin", 1},    {"acos", "acos", 1},   {"atan", "atan", 1},   {"atan2", "atan2", 2},
    {"exp", "exp", 1},      {"sinh", "sinh", 1},   {"cosh", "cosh", 1},   {"tanh", "tanh", 1},
    {"ceil", "ceil", 1},    {"floor", "floor", 1}, {"trunc", "trunc", 1}, {"round", "round", 1},
    {"lround", "round", 1}, {"log", "log", 1},     {"log2", "log2", 1},   {"log10", "log10", 1},
    {"abs", "abs", 1},      {"labs", "abs", 1},    {"fabs", "abs", 1},    {"pow", "pow", 2},
    {"fmax", "max", 2},     {"fmin", "min", 2},    {"fmod", "fmod", 2},   {"signbit", "", 1}};

/* "in(2)", its argument read. */
static translated_term input(reader *from, translated_term index) {
    if (!index.is_number || index.value < 0 || index.value >= from->ninputs)
        return fail(from, "reads an input that the block does not have: in", index.text);
    return (translated_term){ln_draft_text(from->draft, "u%d", (int)index.value + 1), 0, 0, 0};
}

static translated_term call(reader *from, const struct function *of, const translated_term *args) {
    const char *first = value(from, args[0]);
    if (of->ours[0] == '\0') /* signbit */
        return (translated_term){ln_draft_text(from->draft, "(%s lt 0)", first), 1, 0, 0};
    const char *more =
        of->nargs == 2 ? ln_draft_text(from->draft, ", %s", value(from, args[1])) : "";
    return (translated_term){ln_draft_text(from->draft, "%s(%s%s)", of->ours, first, more), 0, 0,
                             0};
}

/* Reads arguments up to the closing bracket; returns how many, 0 after an error. */
static int parse_arguments(reader *from, const char *name, translated_term args[2]) {
    int count = 0;
    do {
        from->at++; /* the bracket or comma */
        if (count == 2)
            return (void)fail(from, "has too many arguments for", name), 0;
        args[count++] = parse_choice(from);
        skip(from);
    } while (*from->at == ',' && !from->failed);
    if (*from->at != ')')
        return (void)fail(from, "lacks a ')' after the arguments of", name), 0;
    from->at++;
    return count;
}

static translated_term parse_call(reader *from, const char *name) {
    const struct function *found = NULL;
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (strcmp(functions[k].theirs, name) == 0)
            found = &functions[k];
    const int is_input = strcmp(name, "in") == 0;
    if (found == NULL && !is_input)
        return fail(from, "calls a function that is not known:", name);
    translated_term args[2] = {nothing, nothing};
    const int count = parse_arguments(from, name, args);
    if (count != (is_input ? 1 : found->nargs))
        return fail(from, "has too few or too many arguments for", name);
    return is_input ? input(from, args[0]) : call(from, found, args);
}

static translated_term parse_name(reader *from) {
    const char *begin = from->at;
    while ((*from->at | 32) >= 'a' && (*from->at | 32) <= 'z'         ? 1
           : from->at > begin && *from->at >= '0' && *from->at <= '9' ? 1
                                                                      : *from->at == '_')
        from->at++;
    const char *name = ln_draft_text(from->draft, "%.*s", (int)(from->at - begin), begin);
    skip(from);
    if (*from->at == '(')
        return parse_call(from, name);
    if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0)
        return (translated_term){name[0] == 't' ? "1" : "0", 0, 1, name[0] == 't'};
    return fail(from, "has a name that is not known:", name);
}

static translated_term parse_operand(reader *from) {
    skip(from);
    const char c = *from->at;
    if (c == '(') {
        from->at++;
        const translated_term inner = parse_choice(from);
        skip(from);
        if (*from->at != ')')
            return fail(from, "lacks a ')' before", from->at);
        from->at++;
        return (translated_term){ln_draft_text(from->draft, "(%s)", inner.text), inner.is_condition,
                                 inner.is_number, inner.value};
    }
    const char *end;
    const double number = ln_number_read(from->at, &end);
    if (end != from->at && c != '-' && c != '+') {
        const char *text = ln_draft_text(from->draft, "%.*s", (int)(end - from->at), from->at);
        from->at = end + strspn(end, "fFlLuU");
        return (translated_term){text, 0, 1, number};
    }
    if ((c | 32) >= 'a' && (c | 32) <= 'z')
        return parse_name(from);
    return fail(from, "lacks an operand before", from->at);
}

static translated_term parse_unary(reader *from) {
    skip(from);
    const char c = *from->at;
    if (c == '\0' || strchr("-+!~", c) == NULL)
        return parse_operand(from);
    if (from->at[1] == c && (c == '-' || c == '+'))
        return fail(from, "changes a value, which it may not:", from->at);
    if (++from->depth > DEPTH)
        return fail(from, "is nested too deeply at", from->at);
    from->at++;
    const translated_term a = parse_unary(from);
    from->depth--;
    if (c == '!')
        return (translated_term){ln_draft_text(from->draft, "(not %s)", condition(from, a)), 1, 0,
                                 0};
    if (c == '~') /* in two's complement */
        return (translated_term){ln_draft_text(from->draft, "(-trunc(%s) - 1)", value(from, a)), 0,
                                 a.is_number, -trunc(a.value) - 1};
    return (translated_term){ln_draft_text(from->draft, "(%c%s)", c == '-' ? '-' : '0',
                                           c == '-'
                                               ? value(from, a)
                                               : ln_draft_text(from->draft, "+%s", value(from, a))),
                             0, a.is_number, c == '-' ? -a.value : a.value};
}

/* ---- operators ---- */

/* By precedence, loosest first; longer ones stand before those they begin with. */
static const char *const levels[][5] = {
    {"||"},       {"&&"},     {"|"},          {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"},
    {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
enum { LEVELS = sizeof levels / sizeof *levels };

static const char *operator_at(reader *from, int level) {
    skip(from);
    for (int k = 0; k < 5 && levels[level][k] != NULL; k++) {
        const char *word = levels[level][k], *next = from->at + strlen(word);
        /* '|' is not the beginning of '||', '<' not that of '<<' */
        if (strncmp(from->at, word, strlen(word)) == 0 &&
            !(strlen(word) == 1 && strchr("|&<>", *word) != NULL && *next == *word))
            return word;
    }
    return NULL;
}

static translated_term bits(reader *from, const char *op, translated_term a, translated_term b) {
    if (!a.is_number || !b.is_number || !(fabs(a.value) < 0x1p53) || !(fabs(b.value) < 0x1p53))
        return fail(from, "joins the bits of signals, which has no counterpart here:", op);
    const long long x = (long long)a.value, y = (long long)b.value;
    const long long result = *op == '&' ? x & y : *op == '|' ? x | y : x ^ y;
    return (translated_term){ln_draft_text(from->draft, "%lld", result), 0, 1, (double)result};
}

static translated_term join(reader *from, const char *op, translated_term a, translated_term b) {
    static const char *const words[][2] = {{"==", "eq"}, {"!=", "ne"}, {"<=", "le"},
                                           {">=", "ge"}, {"<", "lt"},  {">", "gt"}};
    const char *x = value(from, a), *y = value(from, b);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (strcmp(op, words[k][0]) == 0)
            return (translated_term){ln_draft_text(from->draft, "(%s %s %s)", x, words[k][1], y), 1,
                                     0, 0};
    if (strcmp(op, "||") == 0 || strcmp(op, "&&") == 0)
        return (translated_term){ln_draft_text(from->draft, "(%s %s %s)", condition(from, a),
                                               *op == '|' ? "or" : "and", condition(from, b)),
                                 1, 0, 0};
    if (strlen(op) == 1 && strchr("|^&", *op) != NULL)
        return bits(from, op, a, b);
    if (strcmp(op, "<<") == 0)
        return (translated_term){ln_draft_text(from->draft, "(trunc(%s)*2^trunc(%s))", x, y), 0, 0,
                                 0};
    if (strcmp(op, ">>") == 0)
        return (translated_term){ln_draft_text(from->draft, "floor(trunc(%s)/2^trunc(%s))", x, y),
                                 0, 0, 0};
    if (*op == '%')
        return (translated_term){ln_draft_text(from->draft, "fmod(%s, %s)", x, y), 0, 0, 0};
    if (*op == '/' && b.is_number && b.value == 0)
        return fail(from, "divides by zero at", from->at);
    return (translated_term){ln_draft_text(from->draft, "(%s %s %s)", x, op, y), 0, 0, 0};
}

static translated_term parse_level(reader *from, int level) {
    if (level == LEVELS)
        return parse_unary(from);
    translated_term a = parse_level(from, level + 1);
    const char *op;
    while (!from->failed && (op = operator_at(from, level)) != NULL) {
        from->at += strlen(op);
        a = join(from, op, a, parse_level(from, level + 1));
    }
    return a;
}

static translated_term parse_choice(reader *from) {
    if (from->failed || ++from->depth > DEPTH)
        return fail(from, "is nested too deeply at", from->at);
    translated_term a = parse_level(from, 0);
    skip(from);
    if (*from->at == '?' && !from->failed) {
        from->at++;
        const translated_term yes = parse_choice(from);
        skip(from);
        if (*from->at != ':')
            return fail(from, "lacks the ':' of a choice before", from->at);
        from->at++;
        const translated_term no = parse_choice(from);
        a = (translated_term){ln_draft_text(from->draft, "if(%s, %s, %s)", condition(from, a),
                                            value(from, yes), value(from, no)),
                              0, 0, 0};
    }
    from->depth--;
    return a;
}

const char *ln_c_formula(ln_draft *draft, const char *text, int ninputs, const char *who,
                         int line) {
    reader from = {.draft = draft, .at = text, .who = who, .ninputs = ninputs, .line = line};
    const translated_term all = parse_choice(&from);
    skip(&from);
    if (!from.failed && *from.at != '\0')
        (void)fail(&from, "goes on where it should end:", from.at);
    return from.failed ? NULL : value(&from, all);
}
