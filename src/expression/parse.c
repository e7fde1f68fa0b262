/* SPDX-License-Identifier: MIT */
/* Tokens to a tree, by precedence climbing.
 *
 * Nodes are made in reverse Polish order and threaded in it (ln_ast.next), so that whoever walks a
 * tree needs a loop only. The parser itself recurses, at most LN_EXPRESSION_DEPTH parentheses,
 * signs and powers deep. */
#include "expression/parse.h"

#include "base/sys.h"

#include <string.h>

/* Precedence, weakest first; a prefix operator binds its operand at least as tightly as its own
 * row. */
enum { OR = 1, AND, NOT, COMPARE, SUM, PRODUCT, SIGN, POWER };

typedef struct parser {
    ln_arena *arena;
    ln_lexer *lexer;
    ln_token token;    /* the next one */
    ln_token previous; /* the one before it; END at the start */
    ln_ast *last;      /* node made last: end of the thread */
    int depth;
} parser;

static int precedence(const ln_token *token) {
    static const struct {
        const char *symbol;
        int row;
    } rows[] = {{"or", OR},      {"and", AND},    {"lt", COMPARE}, {"le", COMPARE}, {"gt", COMPARE},
                {"ge", COMPARE}, {"eq", COMPARE}, {"ne", COMPARE}, {"+", SUM},      {"-", SUM},
                {"*", PRODUCT},  {"/", PRODUCT},  {"^", POWER}};
    if (token->kind != LN_TOKEN_SYMBOL)
        return 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].symbol, token->symbol) == 0)
            return rows[i].row;
    return 0;
}

static int is_symbol(const parser *p, const char *symbol) {
    return p->token.kind == LN_TOKEN_SYMBOL && strcmp(p->token.symbol, symbol) == 0;
}

static int advance(parser *p) {
    p->previous = p->token;
    return ln_lex(p->lexer, &p->token);
}

static ln_ast *no_memory(parser *p) {
    ln_no_memory(p->lexer->report);
    return NULL;
}

static ln_ast *fail(parser *p, const char *what) {
    ln_lex_error(p->lexer, p->token.start, "%s", what);
    return NULL;
}

static ln_ast *new_node(parser *p, ln_ast_kind kind, const char *at) {
    ln_ast *node = LN_NEW(p->arena, ln_ast, 1);
    if (!node)
        return no_memory(p);
    node->kind = kind;
    node->column = (int)(at - p->lexer->text) + 1;
    node->text = p->lexer->text;
    node->first = node;
    if (p->last)
        p->last->next = node;
    p->last = node;
    return node;
}

static ln_ast *new_call(parser *p, const ln_token *token, const char *name,
                        const ln_ast *const *args, size_t nargs) {
    ln_ast *node = new_node(p, LN_AST_CALL, token->start);
    if (!node)
        return NULL;
    const ln_ast **copy = LN_NEW(p->arena, const ln_ast *, nargs);
    if (!copy)
        return no_memory(p);
    for (size_t i = 0; i < nargs; i++)
        copy[i] = args[i];
    node->name = name;
    node->args = copy;
    node->nargs = (int)nargs;
    if (nargs > 0)
        node->first = args[0]->first;
    return node;
}

static int enter(parser *p) {
    if (++p->depth <= LN_EXPRESSION_DEPTH)
        return 1;
    fail(p, "nested deeper than 200; name a part of it and use the name");
    return 0;
}

static ln_ast *parse_binary(parser *p, int weakest);

/* The text of a name without its backquotes. */
static const char *name_text(parser *p, const ln_token *token) {
    char *name = ln_arena_text(p->arena, token->start, token->length), *to = name;
    if (!name) {
        no_memory(p);
        return NULL;
    }
    for (const char *from = name; *from; from++)
        if (*from != '`')
            *to++ = *from;
    *to = '\0';
    return name;
}

/* `i = from .. to` */
static int parse_range(parser *p, ln_index_range *range) {
    static const char *const hint = "a range is missing; write i = 1 .. n";
    ln_token token = p->token;
    if (token.kind != LN_TOKEN_NAME || memchr(token.start, '.', token.length))
        return fail(p, hint) != NULL;
    range->name = name_text(p, &token);
    range->column = (int)(token.start - p->lexer->text) + 1;
    if (!range->name || !advance(p))
        return 0;
    if (!is_symbol(p, "="))
        return fail(p, hint) != NULL;
    if (!advance(p) || !(range->from = parse_binary(p, OR)))
        return 0;
    if (!is_symbol(p, ".."))
        return fail(p, "the .. of the range is missing; write i = 1 .. n") != NULL;
    return advance(p) && (range->to = parse_binary(p, OR)) != NULL;
}

/* `sum(i = from .. to, body)`; the parenthesis is the next token. */
static ln_ast *parse_sum(parser *p, const ln_token *token) {
    ln_index_range range;
    if (!advance(p) || !parse_range(p, &range))
        return NULL;
    if (!is_symbol(p, ","))
        return fail(p, "a comma is missing; write sum(i = 1 .. n, expression)");
    if (!advance(p))
        return NULL;
    const ln_ast *const args[3] = {range.from, range.to, parse_binary(p, OR)};
    if (!args[2])
        return NULL;
    if (!is_symbol(p, ")"))
        return fail(p, "an operator or ) is missing; write sum(i = 1 .. n, expression)");
    if (!advance(p))
        return NULL;
    ln_ast *node = new_call(p, token, range.name, args, 3);
    if (node)
        node->kind = LN_AST_SUM;
    return node;
}

static ln_ast *parse_group(parser *p) {
    if (!enter(p) || !advance(p))
        return NULL;
    if (is_symbol(p, ")"))
        return fail(p, "the parentheses are empty");
    ln_ast *inner = parse_binary(p, OR);
    if (!inner)
        return NULL;
    if (is_symbol(p, ","))
        return fail(p, "a comma stands only between arguments; the decimal sign is the point");
    if (!is_symbol(p, ")"))
        return fail(p, p->token.kind == LN_TOKEN_END
                           ? "a ) is missing"
                           : "an operator or ) is missing; products need a star");
    p->depth--;
    return advance(p) ? inner : NULL;
}

/* Arguments up to and with the closing parenthesis or bracket, into *args (ln_sys memory, the
 * caller's). */
static int parse_arguments(parser *p, const char *close, const ln_ast ***args, size_t *nargs) {
    size_t room = 0;
    if (!advance(p))
        return 0;
    while (!is_symbol(p, close)) {
        const ln_ast *arg = parse_binary(p, OR);
        if (!arg)
            return 0;
        if (!LN_GROW(*args, *nargs, room))
            return no_memory(p) != NULL;
        (*args)[(*nargs)++] = arg;
        if (is_symbol(p, close))
            break;
        if (!is_symbol(p, ",")) {
            ln_lex_error(p->lexer, p->token.start,
                         p->token.kind == LN_TOKEN_END ? "a %s is missing"
                                                       : "an operator, a comma or %s is missing",
                         close);
            return 0;
        }
        if (!advance(p))
            return 0;
        if (is_symbol(p, close))
            return fail(p, "an argument is missing behind the comma") != NULL;
    }
    return advance(p);
}

static ln_ast *parse_name(parser *p) {
    ln_token token = p->token;
    const char *name = name_text(p, &token);
    if (!name || !advance(p))
        return NULL;
    int element = is_symbol(p, "[");
    if (!element && !is_symbol(p, "(")) {
        ln_ast *node = new_node(p, LN_AST_NAME, token.start);
        if (node)
            node->name = name;
        return node;
    }
    const ln_ast **args = NULL;
    size_t nargs = 0;
    ln_ast *node = NULL;
    if (!enter(p))
        return NULL;
    if (!element && strcmp(name, "sum") == 0)
        node = parse_sum(p, &token);
    else if (parse_arguments(p, element ? "]" : ")", &args, &nargs))
        node = new_call(p, &token, name, args, nargs);
    if (node && element)
        node->kind = LN_AST_ELEMENT;
    p->depth--;
    ln_sys->release(args);
    return node;
}

static ln_ast *parse_number(parser *p, const char *at, int negative) {
    ln_ast *node = new_node(p, LN_AST_NUMBER, at);
    if (!node)
        return NULL;
    node->value = (negative ? -p->token.value : p->token.value) + p->token.offset;
    node->dimension = p->token.dimension;
    return advance(p) ? node : NULL;
}

static ln_ast *parse_primary(parser *p) {
    if (p->token.kind == LN_TOKEN_NUMBER)
        return parse_number(p, p->token.start, 0);
    if (p->token.kind == LN_TOKEN_NAME)
        return parse_name(p);
    if (is_symbol(p, "("))
        return parse_group(p);
    if (p->previous.kind == LN_TOKEN_END && is_symbol(p, "["))
        return fail(p, "lists have no brackets; write 1 3 2, and rows as 1 2; 3 4");
    if (p->previous.kind == LN_TOKEN_END)
        return fail(p, p->token.kind == LN_TOKEN_END ? "the expression is empty"
                                                     : "an operand is missing at the start");
    ln_lex_error(p->lexer, p->token.start, "an operand is missing behind '%.*s'",
                 (int)p->previous.length, p->previous.start);
    return NULL;
}

/* The operation that a sign or `not` stands for; NULL: it is none. */
static const char *prefix_name(const parser *p) {
    static const char *const symbols[][2] = {
        {"-", "neg"}, {"+", "+"}, {"not", "not"}, {"!", "not"}};
    for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++)
        if (is_symbol(p, symbols[k][0]))
            return symbols[k][1];
    return NULL;
}

/* A sign, `not`, or a primary. -2^2 is -(2^2); -5 degC is one number, five degrees below zero. The
 * word `not` binds weaker than comparisons, '!' as a sign does. */
static ln_ast *parse_prefix(parser *p, int weakest) {
    const char *name = prefix_name(p);
    const int is_word = is_symbol(p, "not");
    ln_token token = p->token;
    if (!name)
        return parse_primary(p);
    if (is_word && weakest > NOT)
        return fail(p, "'not' here needs parentheses: (not ...)");
    if (!enter(p) || !advance(p))
        return NULL;
    if (strcmp(name, "neg") == 0 && p->token.kind == LN_TOKEN_NUMBER && p->token.offset != 0) {
        p->depth--;
        return parse_number(p, token.start, 1);
    }
    const ln_ast *operand = parse_binary(p, is_word ? NOT : POWER);
    p->depth--;
    if (!operand)
        return NULL;
    return strcmp(name, "+") == 0 ? p->last : new_call(p, &token, name, &operand, 1);
}

static ln_ast *parse_binary(parser *p, int weakest) {
    int compared = 0;
    ln_ast *left = parse_prefix(p, weakest);
    while (left) {
        ln_token token = p->token;
        int row = precedence(&token);
        if (row == 0 || row < weakest)
            break;
        if (row == COMPARE && compared++)
            return fail(p, "comparisons do not chain; write (a lt b) and (b lt c)");
        if (row < COMPARE)
            compared = 0;
        if (!advance(p))
            return NULL;
        if (row == POWER && !enter(p))
            return NULL;
        const ln_ast *args[2] = {left, parse_binary(p, row == POWER ? POWER : row + 1)};
        if (row == POWER)
            p->depth--;
        left = args[1] ? new_call(p, &token, token.symbol, args, 2) : NULL;
    }
    return left;
}

/* Something that begins anew behind a complete expression. */
static void fail_number(parser *p) {
    const int is_number = p->token.kind == LN_TOKEN_NUMBER, length = (int)p->token.length;
    const char *at = p->token.start;
    ln_unit unit;
    if (is_number && p->previous.kind == LN_TOKEN_NAME &&
        ln_unit_run(p->previous.start, p->previous.length, &unit) == p->previous.length)
        ln_lex_error(p->lexer, at, "a unit stands behind its number: %.*s %.*s", length, at,
                     (int)p->previous.length, p->previous.start);
    else if (is_number && p->previous.kind == LN_TOKEN_NUMBER && strncmp(at, "1/", 2) == 0)
        ln_lex_error(p->lexer, at,
                     "a unit does not begin with 1/; write the number alone, which takes the unit "
                     "of its parameter, or divide: %.*s/(1 ...)",
                     (int)p->previous.length, p->previous.start);
    else
        ln_lex_error(p->lexer, at, "an operator is missing before '%.*s'; products need a star%s",
                     length, at,
                     p->token.kind == LN_TOKEN_NAME &&
                             ln_unit_run(at, p->token.length, &unit) == p->token.length
                         ? ", and a unit is one word: kg.m^2"
                         : "");
}

/* What stands behind a complete expression and does not belong there. */
static void fail_rest(parser *p) {
    if (is_symbol(p, ")"))
        fail(p, "there is a ) without its (");
    else if (is_symbol(p, "]"))
        fail(p, "there is a ] without its [");
    else if (is_symbol(p, ".."))
        fail(p, "a range stands only in sum(i = 1 .. n, expression) and for=\"i = 1 .. n\"");
    else if (is_symbol(p, ","))
        fail(p, "a comma stands only between arguments; the decimal sign is the point");
    else if (is_symbol(p, "="))
        fail(p, "a lone = stands only in equations; compare with == or eq");
    else
        fail_number(p);
}

static int begin(parser *p, ln_arena *arena, ln_lexer *lexer) {
    *p = (parser){.arena = arena, .lexer = lexer};
    if (lexer->end - lexer->at > LN_EXPRESSION_BYTES)
        return ln_lex_error(lexer, lexer->at,
                            "longer than %d bytes; name parts of it and use the names",
                            LN_EXPRESSION_BYTES);
    return ln_lex(lexer, &p->token);
}

const ln_ast *ln_parse_piece(ln_arena *arena, ln_lexer *lexer) {
    parser p;
    if (!begin(&p, arena, lexer))
        return NULL;
    const ln_ast *ast = parse_binary(&p, OR);
    if (!ast || p.token.kind == LN_TOKEN_END)
        return ast;
    fail_rest(&p);
    return NULL;
}

/* A lexer over a copy of the text in the arena, which the tree's messages quote. */
static int open_text(ln_lexer *lexer, ln_arena *arena, const char *text, ln_place place,
                     ln_report *report) {
    const char *copy = ln_arena_string(arena, text);
    if (!copy)
        return ln_no_memory(report) == LINNET_OK;
    *lexer = (ln_lexer){copy, copy, copy + strlen(copy), place, report};
    return 1;
}

const ln_ast *ln_ast_parse(ln_arena *arena, const char *text, ln_place place, ln_report *report) {
    ln_lexer lexer;
    return open_text(&lexer, arena, text, place, report) ? ln_parse_piece(arena, &lexer) : NULL;
}

int ln_ast_parse_equation(ln_arena *arena, const char *text, ln_place place, ln_report *report,
                          const ln_ast **left, const ln_ast **right) {
    ln_lexer lexer;
    parser p;
    if (!open_text(&lexer, arena, text, place, report) || !begin(&p, arena, &lexer))
        return 0;
    *left = parse_binary(&p, OR);
    if (!*left)
        return 0;
    if (p.token.kind == LN_TOKEN_END)
        return fail(&p, "an equation needs its = sign: left = right") != NULL;
    if (!is_symbol(&p, "="))
        return fail_rest(&p), 0;
    if (!advance(&p))
        return 0;
    *right = parse_binary(&p, OR);
    if (!*right)
        return 0;
    if (is_symbol(&p, "="))
        return fail(&p, "an equation has one = sign; compare with == or eq") != NULL;
    if (p.token.kind != LN_TOKEN_END)
        return fail_rest(&p), 0;
    return 1;
}

int ln_ast_parse_ranges(ln_arena *arena, const char *text, ln_place place, ln_report *report,
                        ln_index_range **ranges, int *count) {
    enum { MOST = 4 };
    ln_lexer lexer;
    parser p;
    *count = 0;
    *ranges = LN_NEW(arena, ln_index_range, MOST);
    if (!*ranges)
        return ln_no_memory(report) == LINNET_OK;
    if (!open_text(&lexer, arena, text, place, report) || !begin(&p, arena, &lexer))
        return 0;
    for (;;) {
        if (*count == MOST)
            return fail(&p, "more than four indices") != NULL;
        if (!parse_range(&p, &(*ranges)[*count]))
            return 0;
        ++*count;
        if (!is_symbol(&p, ","))
            break;
        if (!advance(&p))
            return 0;
    }
    if (p.token.kind != LN_TOKEN_END)
        return fail_rest(&p), 0;
    return 1;
}

void ln_ast_names(const ln_ast *ast, void (*visit)(void *context, const ln_ast *name),
                  void *context) {
    for (const ln_ast *node = ast->first;; node = node->next) {
        if (node->kind == LN_AST_NAME)
            visit(context, node);
        if (node == ast)
            break;
    }
}
