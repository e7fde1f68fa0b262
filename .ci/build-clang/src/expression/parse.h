/* SPDX-License-Identifier: MIT */
/* Inside the reader of expressions: tokens (token.c) and the parser of a piece of text (parse.c),
 * which the list reader (list.c) uses for each element. */
#ifndef LN_EXPRESSION_PARSE_H
#define LN_EXPRESSION_PARSE_H

#include "expression/ast.h"

typedef enum ln_token_kind {
    LN_TOKEN_END,
    LN_TOKEN_NUMBER,
    LN_TOKEN_NAME,
    LN_TOKEN_SYMBOL
} ln_token_kind;

typedef struct ln_token {
    ln_token_kind kind;
    const char *start; /* in the text */
    size_t length;
    const char *symbol;     /* SYMBOL: its one name, "lt" for both < and lt; "(", ")", ",", "=" */
    double value;           /* NUMBER: in SI, less the offset */
    double offset;          /* NUMBER: of its unit (degC), to be added behind the sign */
    ln_dimension dimension; /* NUMBER */
} ln_token;

/* A text being read. `end` is where this reader stops; the text may go on (a list). */
typedef struct ln_lexer {
    const char *text, *at, *end;
    ln_place place;
    ln_report *report;
} ln_lexer;

/* Reads the next token; 0 after an error, reported. */
int ln_lex(ln_lexer *lexer, ln_token *token);
/* Tells an error at a byte of the text; returns 0. */
int ln_lex_error(const ln_lexer *lexer, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Blanks of the language. */
static inline int ln_is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Parses the expression between lexer->at and lexer->end. lexer->text must live as long as the
 * tree. */
const ln_ast *ln_parse_piece(ln_arena *arena, ln_lexer *lexer);

#endif
