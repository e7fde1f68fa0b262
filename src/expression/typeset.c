/* SPDX-License-Identifier: MIT */
/* Trees of expressions as TeX.
 *
 * The tree is read in reverse Polish order with a stack of finished pieces: a node takes its
 * operands from the stack, puts parentheses around those that bind weaker than it can bear, and
 * leaves one piece. What the languages of mathematics and of models write differently stands in one
 * table of templates. */
#include "expression/typeset.h"

#include "base/text.h"
#include "expression/parse.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* How tightly a piece holds together; a fraction needs no parentheses in a product. */
enum { LOOSE, OR, AND, NOT, COMPARE, SUM, SIGN, PRODUCT, FRACTION, POWER, ATOM };
enum { MOST_NODES = 1000 };

/* Stands for "..." while a line is parsed: an operand, as in "in[1] + in[2] + ...". */
#define DOTS "DOTS"

typedef struct typeset_node {
    const char *tex;
    int holds;
    int is_name; /* one symbol: a derivative of it is one fraction */
} typeset_node;

typedef struct typesetter {
    ln_arena *arena;
    typeset_node stack[MOST_NODES];
    int count;
} typesetter;

/* ---- names ---- */

static int is_greek(const char *name, size_t length) {
    static const char *const letters[] = {"alpha", "beta",  "gamma", "delta",  "epsilon", "zeta",
                                          "eta",   "theta", "kappa", "lambda", "mu",      "nu",
                                          "xi",    "pi",    "rho",   "sigma",  "tau",     "phi",
                                          "chi",   "psi",   "omega"};
    for (size_t k = 0; k < sizeof letters / sizeof *letters; k++)
        if (strlen(letters[k]) == length && memcmp(letters[k], name, length) == 0)
            return 1;
    return 0;
}

/* Upright words; what TeX reads otherwise is escaped. */
static void add_upright(ln_text *out, const char *word, size_t length) {
    ln_text_add(out, "\\text{");
    for (size_t k = 0; k < length; k++)
        ln_text_printf(out, "%s%c", strchr("_#$%&{}", word[k]) != NULL ? "\\" : "",
                       strchr("\\^~", word[k]) != NULL ? '?' : word[k]);
    ln_text_add(out, "}");
}

/* A word: one letter stands as it is, several in italics, other characters as text. */
static void add_word(ln_text *out, const char *word, size_t length) {
    if (length == strlen(DOTS) && memcmp(word, DOTS, length) == 0) {
        ln_text_add(out, "\\dots");
        return;
    }
    int plain = 1;
    for (size_t k = 0; k < length; k++)
        plain = plain && isalnum((unsigned char)word[k]);
    if (plain && is_greek(word, length))
        ln_text_printf(out, "\\%.*s ", (int)length, word);
    else if (plain && length == 1)
        ln_text_add_bytes(out, word, length);
    else if (plain)
        ln_text_printf(out, "\\mathit{%.*s}", (int)length, word);
    else
        add_upright(out, word, length);
}

/* A part of a name: what follows the first _, and digits at the end, are subscripts. */
static void add_part(const char *part, size_t length, ln_text *base, ln_text *below) {
    const char *bar = memchr(part, '_', length);
    size_t stem = bar != NULL && bar > part ? (size_t)(bar - part) : length;
    if (stem == length)
        while (stem > 1 && isdigit((unsigned char)part[stem - 1]))
            stem--;
    add_word(base, part, stem);
    size_t rest = stem < length && part[stem] == '_' ? stem + 1 : stem;
    if (rest >= length)
        return;
    ln_text_add(below, below->length > 0 ? "," : "");
    if (isdigit((unsigned char)part[rest]))
        ln_text_add_bytes(below, part + rest, length - rest);
    else
        add_upright(below, part + rest, length - rest);
}

static const char *finished(typesetter *t, ln_text *text) {
    const char *kept = text->failed ? NULL : ln_arena_text(t->arena, text->data, text->length);
    if (kept == NULL)
        ln_arena_fail(t->arena);
    ln_text_free(text);
    return kept;
}

/* `heat.T`: T with the subscript heat; `index`: more subscripts, or "". */
static const char *name_tex(typesetter *t, const char *name, const char *index) {
    ln_text base = {0}, below = {0}, whole = {0};
    const char *dot = strrchr(name, '.');
    add_part(dot != NULL ? dot + 1 : name, strlen(dot != NULL ? dot + 1 : name), &base, &below);
    if (dot != NULL) {
        ln_text port = {0}, subscript = {0};
        add_part(name, (size_t)(dot - name), &port, &subscript);
        ln_text_add(&below, below.length > 0 ? "," : "");
        ln_text_add_bytes(&below, port.data, port.length);
        if (subscript.length > 0)
            ln_text_printf(&below, "_{%s}", subscript.data);
        below.failed |= port.failed || subscript.failed;
        ln_text_free(&port);
        ln_text_free(&subscript);
    }
    ln_text_printf(&below, "%s%s", below.length > 0 && *index != '\0' ? "," : "", index);
    ln_text_add_bytes(&whole, base.data, base.length);
    if (below.length > 0)
        ln_text_printf(&whole, "_{%s}", below.data);
    whole.failed |= base.failed || below.failed;
    ln_text_free(&base);
    ln_text_free(&below);
    return finished(t, &whole);
}

/* ---- numbers, as written ---- */

/* The power of ten at `at`, "e-12" behind the digits in `text`, if there is one; returns where it
 * ends. */
static const char *add_power(ln_text *text, const char *at) {
    const char *power = at + 1 + (*at != '\0' && (at[1] == '+' || at[1] == '-'));
    if ((*at != 'e' && *at != 'E') || !isdigit((unsigned char)*power))
        return at;
    const size_t length = strspn(power, "0123456789");
    const int is_one = text->length == 1 && text->data[0] == '1';
    if (is_one)
        text->length = 0;
    ln_text_printf(text, "%s10^{%s%.*s}", is_one ? "" : "\\cdot ", at[1] == '-' ? "-" : "",
                   (int)length, power);
    return power + length;
}

static typeset_node number(typesetter *t, const ln_ast *ast) {
    const char *at = ast->text + ast->column - 1, *end = at + strlen(at);
    ln_lexer lexer = {.text = ast->text, .at = at, .end = end};
    ln_token token;
    if (!ln_lex(&lexer, &token))
        return (typeset_node){NULL, ATOM, 0};
    end = at + token.length;
    size_t digits = strspn(at, "0123456789.");
    ln_text text = {0};
    int holds = ATOM;
    ln_text_add_bytes(&text, at, digits);
    at += digits;
    const char *behind = add_power(&text, at);
    if (behind != at)
        holds = PRODUCT;
    at = behind;
    while (at < end && ln_is_blank(*at))
        at++;
    if (at < end) {
        ln_text_add(&text, "\\,\\mathrm{");
        for (; at < end; at++)
            ln_text_add(&text, *at == '%' ? "\\%" : *at == '.' ? "\\," : (char[]){*at, '\0'});
        ln_text_add(&text, "}");
        holds = PRODUCT;
    }
    return (typeset_node){finished(t, &text), holds, 0};
}

/* ---- operators and functions ---- */

typedef struct template {
    const char *name;
    const char *tex; /* #1, #2, #3: the operands */
    int holds;       /* the whole */
    int least[3];    /* what each operand must hold, else it stands in parentheses */
}
template;

static const template templates[] = {
    {"+", "#1 + #2", SUM, {SUM, PRODUCT}},
    {"-", "#1 - #2", SUM, {SUM, PRODUCT}},
    {"*", "#1\\,#2", PRODUCT, {SIGN, FRACTION}},
    {"/", "\\frac{#1}{#2}", FRACTION, {LOOSE}},
    {"* ", "#1\\cdot #2", PRODUCT, {SIGN, FRACTION}}, /* where digits would stand side by side */
    {"^", "{#1}^{#2}", POWER, {ATOM}},
    {"neg", "-#1", SIGN, {PRODUCT}},
    {"lt", "#1 < #2", COMPARE, {SUM, SUM}},
    {"le", "#1 \\le #2", COMPARE, {SUM, SUM}},
    {"gt", "#1 > #2", COMPARE, {SUM, SUM}},
    {"ge", "#1 \\ge #2", COMPARE, {SUM, SUM}},
    {"eq", "#1 = #2", COMPARE, {SUM, SUM}},
    {"ne", "#1 \\ne #2", COMPARE, {SUM, SUM}},
    {"and", "#1 \\;\\text{and}\\; #2", AND, {AND, NOT}},
    {"or", "#1 \\;\\text{or}\\; #2", OR, {OR, AND}},
    {"not", "\\text{not}\\; #1", NOT, {COMPARE}},
    {"exp", "\\mathrm{e}^{#1}", POWER, {LOOSE}},
    {"sqrt", "\\sqrt{#1}", ATOM, {LOOSE}},
    {"cbrt", "\\sqrt[3]{#1}", ATOM, {LOOSE}},
    {"abs", "\\left|#1\\right|", ATOM, {LOOSE}},
    {"floor", "\\left\\lfloor #1\\right\\rfloor ", ATOM, {LOOSE}},
    {"ceil", "\\left\\lceil #1\\right\\rceil ", ATOM, {LOOSE}},
    {"log", "\\ln\\left(#1\\right)", ATOM, {LOOSE}},
    {"log10", "\\log_{10}\\left(#1\\right)", ATOM, {LOOSE}},
    {"der", "\\frac{\\mathrm{d}}{\\mathrm{d}t}\\left(#1\\right)", PRODUCT, {LOOSE}},
    {"pre", "{#1}^{-}", POWER, {ATOM}},
    {"delay", "\\left.#1\\right|_{t - #2}", ATOM, {LOOSE, PRODUCT}},
};

/* Of a plain symbol. */
static const template derivative = {
    "der", "\\frac{\\mathrm{d}#1}{\\mathrm{d}t}", FRACTION, {LOOSE}};

static const template *template_of(const ln_ast *call, const typeset_node *operands) {
    if (strcmp(call->name, "der") == 0 && call->nargs == 1 && operands[0].is_name)
        return &derivative;
    const char *name = call->name;
    if (strcmp(name, "*") == 0 && operands[1].holds >= FRACTION &&
        isdigit((unsigned char)operands[1].tex[0]))
        name = "* ";
    for (size_t k = 0; k < sizeof templates / sizeof *templates; k++)
        if (strcmp(templates[k].name, name) == 0)
            return &templates[k];
    return NULL;
}

static void add_operand(ln_text *out, const typeset_node *operand, int least) {
    const int bare = operand->holds >= least;
    ln_text_printf(out, "%s%s%s", bare ? "" : "\\left(", operand->tex, bare ? "" : "\\right)");
}

/* A function that mathematics has no sign for: its name upright, operands behind. */
static typeset_node named_call(typesetter *t, const ln_ast *call, const typeset_node *operands) {
    ln_text text = {0};
    ln_text_add(&text, "\\operatorname{");
    for (const char *c = call->name; *c != '\0'; c++)
        ln_text_printf(&text, "%s%c", *c == '_' ? "\\" : "", *c);
    ln_text_add(&text, "}\\left(");
    for (int k = 0; k < call->nargs; k++)
        ln_text_printf(&text, "%s%s", k > 0 ? ",\\," : "", operands[k].tex);
    ln_text_add(&text, "\\right)");
    return (typeset_node){finished(t, &text), ATOM, 0};
}

/* A choice; one in place of "otherwise" goes on in the same list of cases. */
static typeset_node choice(typesetter *t, const typeset_node *operands) {
    static const char begin[] = "\\begin{cases} ";
    const char *rest = operands[2].tex;
    ln_text text = {0};
    ln_text_printf(&text, "%s%s & \\text{if } %s \\\\ ", begin, operands[1].tex, operands[0].tex);
    if (strncmp(rest, begin, strlen(begin)) == 0)
        ln_text_add(&text, rest + strlen(begin));
    else
        ln_text_printf(&text, "%s & \\text{otherwise} \\end{cases}", rest);
    return (typeset_node){finished(t, &text), LOOSE, 0};
}

static typeset_node call_piece(typesetter *t, const ln_ast *call, const typeset_node *operands) {
    if (strcmp(call->name, "noevent") == 0 && call->nargs == 1)
        return operands[0]; /* says how it is computed, not what it is */
    if (strcmp(call->name, "if") == 0 && call->nargs == 3)
        return choice(t, operands);
    if (strcmp(call->name, "/") == 0 && operands[0].holds == SIGN) { /* before the fraction */
        const typeset_node positive[] = {{operands[0].tex + 1, LOOSE, 0}, operands[1]},
                           quotient = call_piece(t, call, positive);
        return (typeset_node){
            quotient.tex != NULL ? ln_arena_printf(t->arena, "-%s", quotient.tex) : NULL, SIGN, 0};
    }
    const template *form = template_of(call, operands);
    if (form == NULL)
        return named_call(t, call, operands);
    ln_text text = {0};
    for (const char *c = form->tex; *c != '\0'; c++) {
        const int k = *c == '#' ? c[1] - '1' : -1;
        if (k < 0)
            ln_text_add_bytes(&text, c, 1);
        else {
            if (k < call->nargs)
                add_operand(&text, &operands[k], form->least[k]);
            c++;
        }
    }
    return (typeset_node){finished(t, &text), form->holds, 0};
}

static typeset_node element(typesetter *t, const ln_ast *ast, const typeset_node *operands) {
    ln_text index = {0};
    for (int k = 0; k < ast->nargs; k++)
        ln_text_printf(&index, "%s%s", k > 0 ? "," : "", operands[k].tex);
    const char *text = finished(t, &index);
    return (typeset_node){text != NULL ? name_tex(t, ast->name, text) : NULL, ATOM, 1};
}

static typeset_node sum(typesetter *t, const ln_ast *ast, const typeset_node *operands) {
    ln_text text = {0};
    ln_text_printf(&text, "\\sum_{%s=%s}^{%s} ", ast->name, operands[0].tex, operands[1].tex);
    add_operand(&text, &operands[2], PRODUCT);
    return (typeset_node){finished(t, &text), LOOSE, 0};
}

static typeset_node piece_of(typesetter *t, const ln_ast *node, const typeset_node *operands) {
    switch (node->kind) {
    case LN_AST_NUMBER: return number(t, node);
    case LN_AST_NAME: return (typeset_node){name_tex(t, node->name, ""), ATOM, 1};
    case LN_AST_ELEMENT: return element(t, node, operands);
    case LN_AST_SUM: return sum(t, node, operands);
    default: return call_piece(t, node, operands);
    }
}

const char *ln_typeset(ln_arena *arena, const ln_ast *ast) {
    typesetter t = {.arena = arena};
    int nodes = 0;
    for (const ln_ast *node = ast->first;; node = node->next) {
        t.count -= node->nargs;
        if (++nodes > MOST_NODES)
            return NULL;
        const typeset_node made = piece_of(&t, node, &t.stack[t.count]);
        if (made.tex == NULL)
            return NULL;
        t.stack[t.count++] = made;
        if (node == ast)
            return t.stack[0].tex;
    }
}

/* ---- lines ---- */

static const char *expression_tex(ln_arena *arena, const char *text) {
    const ln_ast *ast = ln_ast_parse(arena, text, LN_NOWHERE, NULL);
    return ast != NULL ? ln_typeset(arena, ast) : NULL;
}

static const char *equation_tex(ln_arena *arena, const char *text, const char *sign) {
    const ln_ast *left, *right;
    if (!ln_ast_parse_equation(arena, text, LN_NOWHERE, NULL, &left, &right))
        return NULL;
    const char *a = ln_typeset(arena, left), *b = ln_typeset(arena, right);
    return a != NULL && b != NULL ? ln_arena_printf(arena, "%s %s %s", a, sign, b) : NULL;
}

/* "a = b, c = d": each is set. */
static const char *settings_tex(ln_arena *arena, const char *text) {
    const char *made = NULL;
    for (int depth = 0; *text != '\0';) {
        size_t length = 0;
        for (; text[length] != '\0' && (depth > 0 || text[length] != ','); length++)
            depth += (strchr("([", text[length]) != NULL) - (strchr(")]", text[length]) != NULL);
        const char *one = ln_arena_text(arena, text, length),
                   *tex = one != NULL ? equation_tex(arena, one, "\\leftarrow") : NULL;
        if (tex == NULL)
            return NULL;
        made = made == NULL ? tex : ln_arena_printf(arena, "%s,\\quad %s", made, tex);
        text += length + (text[length] == ',');
    }
    return made;
}

static const char *when_tex(ln_arena *arena, const char *line) {
    const char *colon = strstr(line, ": "),
               *condition =
                   colon != NULL ? ln_arena_text(arena, line, (size_t)(colon - line)) : NULL,
               *when = condition != NULL ? expression_tex(arena, condition) : NULL,
               *set = when != NULL ? settings_tex(arena, colon + 2) : NULL;
    return set != NULL ? ln_arena_printf(arena, "\\text{when } %s:\\quad %s", when, set) : NULL;
}

/* "a = b   for i = 1 .. n, j = i .. n" */
static const char *family_tex(ln_arena *arena, const char *line, const char *ranges) {
    ln_index_range *range;
    int count;
    const char *equation = ln_arena_text(arena, line, (size_t)(ranges - line)),
               *made = equation != NULL ? equation_tex(arena, equation, "=") : NULL;
    if (made == NULL ||
        !ln_ast_parse_ranges(arena, ranges + strlen("   for "), LN_NOWHERE, NULL, &range, &count))
        return NULL;
    for (int k = 0; k < count && made != NULL; k++) {
        const char *from = ln_typeset(arena, range[k].from), *to = ln_typeset(arena, range[k].to);
        made = from == NULL || to == NULL ? NULL
                                          : ln_arena_printf(arena, "%s%s %s = %s, \\dots, %s", made,
                                                            k == 0 ? "\\quad\\text{for }" : ",\\;",
                                                            range[k].name, from, to);
    }
    return made;
}

/* The line with DOTS in the place of every "...". */
static const char *with_dots(ln_arena *arena, const char *line) {
    const char *dots = strstr(line, "...");
    while (line != NULL && dots != NULL) {
        line = ln_arena_printf(arena, "%.*s" DOTS "%s", (int)(dots - line), line, dots + 3);
        dots = line != NULL ? strstr(line, "...") : NULL;
    }
    return line;
}

const char *ln_typeset_line(ln_arena *arena, const char *text) {
    const char *line = with_dots(arena, text),
               *ranges = line != NULL ? strstr(line, "   for ") : NULL;
    if (line == NULL)
        return NULL;
    if (strncmp(line, "assert ", 7) == 0) {
        const char *tex = expression_tex(arena, line + 7);
        return tex != NULL ? ln_arena_printf(arena, "\\text{always } %s", tex) : NULL;
    }
    if (strncmp(line, "when ", 5) == 0)
        return when_tex(arena, line + 5);
    return ranges != NULL ? family_tex(arena, line, ranges) : equation_tex(arena, line, "=");
}
