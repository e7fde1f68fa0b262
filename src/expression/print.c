/* SPDX-License-Identifier: MIT */
/* Nodes as text: the language for messages, and single operations as C. A stack of pieces instead
 * of recursion, as a sum of ten thousand terms is ten thousand nodes deep. */
#include "expression/lower.h"
#include "expression/nodes.h"

#include "base/sys.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

/* Precedence as in the grammar of ast.h. */
enum { ANY, OR, AND, NOT, COMPARE, SUM, PRODUCT, SIGN, POWER, ATOM };
enum { MOST_BYTES = 65536 };

static const char *const names[LN_OPS] = {
#define LN_NAME(name, arity, expression) #name,
    LN_OP_LIST(LN_NAME)
#undef LN_NAME
};
static const char *const c_texts[LN_OPS] = {
#define LN_C_TEXT(name, arity, expression) #expression,
    LN_OP_LIST(LN_C_TEXT)
#undef LN_C_TEXT
};

const char *ln_op_template(ln_op op) {
    return c_texts[op];
}

static int is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

void ln_op_text(ln_op op, const char *const operand[3], ln_text *out) {
    const char *at = c_texts[op];
    while (*at) {
        size_t length = 1;
        while (is_word(*at) && is_word(at[length]))
            length++;
        if (length == 1 && *at >= 'a' && *at <= 'c')
            ln_text_add(out, operand[*at - 'a']);
        else
            ln_text_add_bytes(out, at, length);
        at += length;
    }
}

/* ---- the language ---- */

/* What remains to be printed: a node, in parentheses if it binds weaker than `least`, or fixed
 * text. */
typedef struct printed_node {
    ln_node node;
    int least;
    const char *text;
} printed_node;

typedef struct printer {
    const ln_graph *graph;
    ln_text *text;
    ln_leaf_print *leaf;
    void *context;
    printed_node *stack;
    size_t count, room;
    int failed;
} printer;

static void push(printer *p, printed_node item) {
    if (p->failed)
        return;
    if (!LN_GROW(p->stack, p->count, p->room)) {
        p->failed = p->text->failed = 1;
        return;
    }
    p->stack[p->count++] = item;
}

static void push_node(printer *p, ln_node node, int least) {
    push(p, (printed_node){node, least, NULL});
}
static void push_text(printer *p, const char *text) {
    push(p, (printed_node){LN_NONE, 0, text});
}

typedef struct infix {
    ln_op op;
    int row, left, right; /* precedence of the whole, least of the operands */
    const char *text;
} infix;

static const infix infixes[] = {
    {LN_OP_OR, OR, OR, AND, " or "},          {LN_OP_AND, AND, AND, NOT, " and "},
    {LN_OP_LT, COMPARE, SUM, SUM, " lt "},    {LN_OP_LE, COMPARE, SUM, SUM, " le "},
    {LN_OP_EQ, COMPARE, SUM, SUM, " eq "},    {LN_OP_ADD, SUM, SUM, PRODUCT, " + "},
    {LN_OP_SUB, SUM, SUM, PRODUCT, " - "},    {LN_OP_MUL, PRODUCT, PRODUCT, SIGN, "*"},
    {LN_OP_DIV, PRODUCT, PRODUCT, SIGN, "/"}, {LN_OP_POW, POWER, ATOM, POWER, "^"},
};

static const infix *infix_of(ln_op op) {
    for (size_t i = 0; i < sizeof infixes / sizeof *infixes; i++)
        if (infixes[i].op == op)
            return &infixes[i];
    return NULL;
}

static int row_of(const ln_graph *graph, ln_node node) {
    ln_op op = ln_node_op(graph, node);
    const infix *in = infix_of(op);
    if (in)
        return in->row;
    if (op == LN_OP_NEG)
        return SIGN;
    if (op == LN_OP_NOT)
        return NOT;
    return op == LN_OP_CONSTANT && ln_node_value(graph, node) < 0 ? SIGN : ATOM;
}

/* The operation's name in the language; the order of a derivative stands in brackets. */
static void print_function_name(printer *p, ln_node node) {
    ln_op op = ln_node_op(p->graph, node);
    for (const char *c = names[op]; *c; c++) {
        char lower = (char)tolower((unsigned char)*c);
        ln_text_add_bytes(p->text, &lower, 1);
    }
    if (op != LN_OP_SINC && op != LN_OP_POLYGAMMA)
        return;
    double order = ln_node_value(p->graph, ln_node_arg(p->graph, node, 0));
    if (op == LN_OP_POLYGAMMA || order > 0)
        ln_text_printf(p->text, "[%g]", order);
}

static void print_call(printer *p, ln_node node) {
    ln_op op = ln_node_op(p->graph, node);
    int first = op == LN_OP_SINC || op == LN_OP_POLYGAMMA,
        arity = op == LN_OP_TABLE ? 1 : ln_op_arity(op);
    print_function_name(p, node);
    push_text(p, ")");
    for (int i = arity - 1; i >= first; i--) {
        push_node(p, ln_node_arg(p->graph, node, i), ANY);
        push_text(p, i > first ? ", " : "(");
    }
}

static void print_node(printer *p, ln_node node) {
    char number[32];
    int index;
    ln_op op = ln_node_op(p->graph, node);
    const infix *in = infix_of(op);
    if (op == LN_OP_CONSTANT) {
        ln_number_format(number, ln_node_value(p->graph, node));
        ln_text_add(p->text, number);
    } else if (op == LN_OP_LEAF) {
        ln_leaf kind = ln_node_leaf(p->graph, node, &index);
        p->leaf(p->context, p->text, kind, index);
    } else if (in) {
        push_node(p, ln_node_arg(p->graph, node, 1), in->right);
        push_text(p, in->text);
        push_node(p, ln_node_arg(p->graph, node, 0), in->left);
    } else if (op == LN_OP_NEG || op == LN_OP_NOT) {
        ln_text_add(p->text, op == LN_OP_NEG ? "-" : "not ");
        push_node(p, ln_node_arg(p->graph, node, 0), op == LN_OP_NEG ? POWER : COMPARE);
    } else {
        print_call(p, node);
    }
}

void ln_node_print(const ln_graph *graph, ln_node node, ln_text *text, ln_leaf_print *leaf,
                   void *context) {
    printer p = {.graph = graph, .text = text, .leaf = leaf, .context = context};
    size_t before = text->length;
    push_node(&p, node, ANY);
    while (p.count > 0 && !p.failed && !text->failed) {
        printed_node item = p.stack[--p.count];
        if (text->length - before > MOST_BYTES) {
            ln_text_add(text, "...");
            break;
        }
        if (item.text) {
            ln_text_add(text, item.text);
        } else if (item.node != LN_NONE && row_of(graph, item.node) < item.least) {
            ln_text_add(text, "(");
            push_text(&p, ")");
            print_node(&p, item.node);
        } else if (item.node != LN_NONE) {
            print_node(&p, item.node);
        }
    }
    ln_sys->release(p.stack);
}
