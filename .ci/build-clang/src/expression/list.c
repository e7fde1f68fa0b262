/* SPDX-License-Identifier: MIT */
/* Lists and matrices as text: "1 -2", "a, 2*b", "1 2; 3 4".
 *
 * A comma anywhere outside parentheses makes commas the separators of the whole text; without one,
 * blanks are, and no element may hold any. Rows are separated by ';'. */
#include "expression/parse.h"

#include "base/text.h"
#include "base/sys.h"

#include <string.h>

typedef struct list {
    ln_arena *arena;
    ln_lexer lexer; /* over the whole text */
    int commas;
    const ln_ast **items; /* ln_sys memory */
    size_t count, room;
    size_t row; /* items before the present row */
    int rows, cols;
} list;

/* The end of the piece that starts at `at`: the first separator outside parentheses and backquotes.
 */
static const char *piece_end(const char *at, const char *end, int commas) {
    int depth = 0, quoted = 0;
    for (; at < end; at++) {
        if (*at == '`')
            quoted = !quoted;
        if (quoted)
            continue;
        if (*at == '(' || *at == '[')
            depth++;
        if (*at == ')' || *at == ']')
            depth--;
        if (depth > 0)
            continue;
        if (*at == ';' || (commas ? *at == ',' : ln_is_blank(*at)))
            break;
    }
    return at;
}

static int has_commas(const char *at, const char *end) {
    for (; at < end; at++) {
        at = piece_end(at, end, 1);
        if (at < end && *at == ',')
            return 1;
    }
    return 0;
}

static const char *skip_blanks(const char *at, const char *end) {
    while (at < end && ln_is_blank(*at))
        at++;
    return at;
}

/* 1 when the element before this one, in this row, is a number without unit. */
static int behind_number(const list *l) {
    if (l->count == l->row)
        return 0;
    const ln_ast *before = l->items[l->count - 1];
    if (before->kind == LN_AST_CALL && before->nargs == 1)
        before = before->args[0];
    return before->kind == LN_AST_NUMBER && before->dimension.any;
}

/* Separated by blanks, "1 kOhm" would be 1 and a name kOhm: refused, as "1 m" might be meant either
 * way. */
static int check_unit(const list *l, const char *at, const char *end) {
    ln_unit unit;
    size_t length = (size_t)(end - at);
    if (l->commas || !behind_number(l) || ln_unit_run(at, length, &unit) != length)
        return 1;
    return ln_lex_error(
        &l->lexer, at,
        "'%.*s' looks like the unit of the number before it; leave the blank out, or "
        "separate the elements by commas",
        (int)length, at);
}

static int read_item(list *l, const char *at, const char *end) {
    ln_lexer lexer = l->lexer;
    lexer.at = at;
    lexer.end = end;
    if (skip_blanks(at, end) == end)
        return ln_lex_error(&lexer, at, "an element of the list is missing");
    if (!l->commas && end - at == 1 && strchr("+-*/^<>", *at))
        return ln_lex_error(
            &lexer, at, "blanks separate the elements here; write a%cb, or separate them by commas",
            *at);
    if (!check_unit(l, at, end))
        return 0;
    const ln_ast *ast = ln_parse_piece(l->arena, &lexer);
    if (!ast)
        return 0;
    if (!LN_GROW(l->items, l->count, l->room))
        return ln_no_memory(lexer.report) == LINNET_OK;
    l->items[l->count++] = ast;
    return 1;
}

/* Reads one row from `at`; *next is the ';' behind it or the end. */
static int read_row(list *l, const char *at, const char **next) {
    const char *end = l->lexer.end;
    l->row = l->count;
    for (;; at++) {
        at = skip_blanks(at, end);
        if (!l->commas && (at == end || *at == ';'))
            break;
        const char *stop = piece_end(at, end, l->commas);
        if (!read_item(l, at, stop))
            return 0;
        at = stop;
        if (at == end || *at == ';')
            break;
    }
    *next = at;
    return 1;
}

/* The row's length must be that of the first. */
static int check_row(list *l, const char *begin) {
    int cols = (int)(l->count - l->row);
    if (cols == 0)
        return ln_lex_error(&l->lexer, begin, "a row of the list is empty");
    if (l->rows == 0)
        l->cols = cols;
    l->rows++;
    if (cols == l->cols)
        return 1;
    return ln_lex_error(&l->lexer, begin, "row %d has %d elements, the first has %d", l->rows, cols,
                        l->cols);
}

static int read_rows(list *l) {
    const char *at = l->lexer.at;
    for (;;) {
        const char *begin = at;
        if (!read_row(l, begin, &at) || !check_row(l, begin))
            return 0;
        if (at == l->lexer.end)
            return 1;
        at++;
    }
}

/* A number and nothing else. */
static int is_number(const char *at, const char *end) {
    const char *stop;
    (void)ln_number_read(at + (*at == '-' || *at == '+'), &stop);
    return stop == end && stop > at + 1 - (*at != '-' && *at != '+');
}

int ln_is_list(const char *text) {
    const char *end = text + strlen(text), *stop;
    int count = 0, numbers = 0;
    if (strpbrk(text, ",; \t\r\n") == NULL)
        return 0;
    for (const char *at = skip_blanks(text, end); at < end; at = skip_blanks(stop, end), count++) {
        stop = piece_end(at, end, 0);
        if (stop == at || piece_end(at, stop, 1) < stop)
            return 1; /* a ';' or a ',' */
        numbers += is_number(at, stop);
    }
    return count > 1 && numbers == count;
}

const ln_ast **ln_ast_parse_list(ln_arena *arena, const char *text, ln_place place,
                                 ln_report *report, int *rows, int *cols) {
    const char *copy = ln_arena_string(arena, text);
    const ln_ast **result = NULL;
    if (!copy) {
        ln_no_memory(report);
        return NULL;
    }
    list l = {.arena = arena, .lexer = {copy, copy, copy + strlen(copy), place, report}};
    l.commas = has_commas(copy, l.lexer.end);
    if (read_rows(&l)) {
        result = LN_NEW(arena, const ln_ast *, l.count);
        if (result)
            memcpy(result, l.items, l.count * sizeof *result);
        else
            ln_no_memory(report);
        *rows = l.rows;
        *cols = l.cols;
    }
    ln_sys->release(l.items);
    return result;
}
