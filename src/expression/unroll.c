/* SPDX-License-Identifier: MIT */
/* Unrolling, a tree to a tree (see unroll.h).
 *
 * The new nodes are threaded as they are made, arguments first; what turns out to be a number takes
 * its arguments out of the thread again. Long chains of operators lean to the left and are walked
 * by a loop; all other recursion is as deep as the parser's. */
#include "expression/unroll.h"

#include "expression/functions.h"
#include "expression/message.h"

#include "base/sys.h"
#include "base/text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FAIL(u, ast, ...) fail((u), (ast)->text, (ast)->column, __VA_ARGS__)

const char *ln_unroll_indices(const ln_unroll *u, ln_arena *arena) {
    ln_text text = {0};
    for (int k = 0; k < u->nindices; k++)
        ln_text_printf(&text, "%s%s = %.0f", k > 0 ? ", " : "", u->index[k].name,
                       u->index[k].value);
    const char *kept = text.failed ? NULL : ln_arena_string(arena, text.data ? text.data : "");
    ln_text_free(&text);
    return kept;
}

/* Tells an error with the indices in effect; returns NULL. */
static ln_ast *__attribute__((format(printf, 4, 5)))
fail(const ln_unroll *u, const char *text, int column, const char *format, ...) {
    char message[400];
    const char *indices = ln_unroll_indices(u, u->arena);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    int some = indices && indices[0] != '\0';
    ln_expression_error(u->report, u->place, text, column, "%s%s%s%s", message, some ? " (" : "",
                        some ? indices : "", some ? ")" : "");
    return NULL;
}

static ln_ast *no_memory(const ln_unroll *u) {
    ln_no_memory(u->report);
    return NULL;
}

/* A copy of the node at the end of the thread, without arguments. */
static ln_ast *make(ln_unroll *u, const ln_ast *like) {
    if (++u->nodes > LN_UNROLL_NODES)
        return FAIL(u, like,
                    "the arrays of this type come to more than %d operations; make them smaller",
                    LN_UNROLL_NODES);
    ln_ast *node = LN_NEW(u->arena, ln_ast, 1);
    if (!node)
        return no_memory(u);
    *node = *like;
    node->first = node;
    node->next = NULL;
    if (u->last)
        u->last->next = node;
    u->last = node;
    return node;
}

static void go_back(ln_unroll *u, ln_ast *last) {
    u->last = last;
    if (last)
        last->next = NULL;
}

static ln_ast *make_number(ln_unroll *u, const ln_ast *like, double value, ln_dimension dimension) {
    ln_ast *node = make(u, like);
    if (!node)
        return NULL;
    node->kind = LN_AST_NUMBER;
    node->value = value;
    node->dimension = dimension;
    node->args = NULL;
    node->nargs = 0;
    return node;
}

static int is_plain_number(const ln_ast *ast) {
    return ast->kind == LN_AST_NUMBER && ast->dimension.any;
}

/* The value of a function of plain numbers; 0 when it has none, -1 where memory is short. */
static int compute(ln_unroll *u, const char *name, const ln_ast *const *args, int nargs,
                   double *value) {
    ln_node few[4], result;
    if (nargs > 4) /* no function has none: see ln_function() */
        return 0;
    for (int i = 0; i < nargs; i++)
        if (!is_plain_number(args[i]))
            return 0;
    if (!u->graph && !(u->graph = ln_graph_new()))
        return -1;
    for (int i = 0; i < nargs; i++)
        few[i] = ln_constant(u->graph, args[i]->value);
    result = ln_function(u->graph, name, few, nargs);
    if (ln_graph_failed(u->graph))
        return -1;
    if (result == LN_NONE || ln_node_op(u->graph, result) != LN_OP_CONSTANT)
        return 0;
    *value = ln_node_value(u->graph, result);
    return isfinite(*value);
}

/* The call with its new arguments, which are the end of the thread behind `before`. */
static ln_ast *make_call(ln_unroll *u, const ln_ast *ast, const ln_ast *const *args, int nargs,
                         ln_ast *before) {
    double value;
    const int computed = compute(u, ast->name, args, nargs, &value);
    if (computed < 0)
        return no_memory(u);
    if (computed) {
        go_back(u, before);
        return make_number(u, ast, value, ln_dimension_plain);
    }
    ln_ast *node = make(u, ast);
    const ln_ast **copy = LN_NEW(u->arena, const ln_ast *, nargs);
    if (!node)
        return NULL;
    if (!copy)
        return no_memory(u);
    for (int i = 0; i < nargs; i++)
        copy[i] = args[i];
    node->args = copy;
    if (nargs > 0)
        node->first = args[0]->first;
    return node;
}

static ln_ast *unroll(ln_unroll *u, const ln_ast *ast);

/* ---- names and elements ---- */

const ln_array *ln_array_find(const ln_array *arrays, size_t count, const char *name) {
    for (size_t k = 0; k < count; k++)
        if (strcmp(arrays[k].name, name) == 0)
            return &arrays[k];
    return NULL;
}

static ln_ast *unroll_name(ln_unroll *u, const ln_ast *ast) {
    for (int k = u->nindices; k-- > 0;)
        if (strcmp(u->index[k].name, ast->name) == 0)
            return make_number(u, ast, u->index[k].value, ln_dimension_plain);
    for (size_t k = 0; k < u->nconstants; k++)
        if (strcmp(u->constants[k].name, ast->name) == 0)
            return make_number(u, ast, u->constants[k].value, u->constants[k].dimension);
    const ln_array *array = ln_array_find(u->arrays, u->narrays, ast->name);
    if (!array)
        return make(u, ast);
    const char *const indices = array->dimensions == 1 ? "i" : "i, j";
    return FAIL(u, ast, "'%s' is an array; write an element, %s[%s]", ast->name, ast->name,
                indices);
}

static ln_ast *no_array(ln_unroll *u, const ln_ast *ast) {
    const char **names = LN_NEW(u->arena, const char *, u->narrays);
    if (!names)
        return no_memory(u);
    for (size_t k = 0; k < u->narrays; k++)
        names[k] = u->arrays[k].name;
    const char *near = ln_nearest(ast->name, names, u->narrays);
    if (near)
        return FAIL(u, ast, "'%s' is no array; did you mean '%s'?", ast->name, near);
    return FAIL(u, ast, "'%s' is no array; arrays are declared with size=\"...\"", ast->name);
}

/* Index number k of the element into index[k]. */
static int read_index(ln_unroll *u, const ln_ast *ast, const ln_array *array, int k, int index[2]) {
    double value;
    if (!ln_unroll_number(u, ast->args[k], &value))
        return 0;
    if (value != floor(value))
        return FAIL(u, ast->args[k], "an index is a whole number, not %g", value) != NULL;
    if (!(value >= 1 && value <= array->size[k])) {
        if (array->dimensions == 1)
            FAIL(u, ast, "%s[%.0f] is outside; its elements are %s[1] to %s[%d]", ast->name, value,
                 ast->name, ast->name, array->size[0]);
        else
            FAIL(u, ast, "%s index %.0f of '%s' is outside; it goes from 1 to %d",
                 k == 0 ? "the first" : "the second", value, ast->name, array->size[k]);
        return 0;
    }
    index[k] = (int)value;
    return 1;
}

static ln_ast *unroll_element(ln_unroll *u, const ln_ast *ast) {
    const ln_array *array = ln_array_find(u->arrays, u->narrays, ast->name);
    int index[2] = {1, 1};
    if (!array)
        return no_array(u, ast);
    if (ast->nargs != array->dimensions)
        return FAIL(u, ast, "'%s' takes %s, not %d", ast->name,
                    array->dimensions == 1 ? "one index" : "two indices", ast->nargs);
    for (int k = 0; k < ast->nargs; k++)
        if (!read_index(u, ast, array, k, index))
            return NULL;
    ln_ast *node = make(u, ast);
    if (!node)
        return NULL;
    node->kind = LN_AST_NAME;
    node->name = array->dimensions == 1
                     ? ln_arena_printf(u->arena, "%s[%d]", ast->name, index[0])
                     : ln_arena_printf(u->arena, "%s[%d,%d]", ast->name, index[0], index[1]);
    node->args = NULL;
    node->nargs = 0;
    return node->name ? node : no_memory(u);
}

/* ---- sums ---- */

int ln_unroll_push(ln_unroll *u, const char *name, double value, const char *text, int column) {
    ln_value known;
    int taken = ln_is_reserved(name) || ln_array_find(u->arrays, u->narrays, name) ||
                (u->names && u->names->find(u->names->context, name, column, &known) > 0);
    for (int k = 0; k < u->nindices && !taken; k++)
        taken = strcmp(u->index[k].name, name) == 0;
    for (size_t k = 0; k < u->nconstants && !taken; k++)
        taken = strcmp(u->constants[k].name, name) == 0;
    if (taken)
        return fail(u, text, column, "the name '%s' is taken; choose another index", name) != NULL;
    if (u->nindices == LN_UNROLL_INDICES)
        return fail(u, text, column, "more than %d indices at once", LN_UNROLL_INDICES) != NULL;
    u->index[u->nindices++] = (ln_bound){name, value, ln_dimension_plain};
    return 1;
}

void ln_unroll_pop(ln_unroll *u) {
    assert(u->nindices > 0); /* as many as were pushed */
    u->nindices--;
}

/* Both ends of a range, whole numbers not too far apart. */
static int read_range(ln_unroll *u, const ln_ast *from, const ln_ast *to, double ends[2]) {
    const ln_ast *const sides[2] = {from, to};
    for (int k = 0; k < 2; k++) {
        if (!ln_unroll_number(u, sides[k], &ends[k]))
            return 0;
        if (ends[k] != floor(ends[k]))
            return FAIL(u, sides[k], "the end of a range is a whole number, not %g", ends[k]) !=
                   NULL;
    }
    if (ends[1] - ends[0] < LN_ARRAY_ELEMENTS)
        return 1;
    return FAIL(u, from, "the range from %.0f to %.0f has more than %d values", ends[0], ends[1],
                LN_ARRAY_ELEMENTS) != NULL;
}

static ln_ast *unroll_sum(ln_unroll *u, const ln_ast *ast) {
    ln_ast *before = u->last, *sum = NULL;
    ln_ast plus = {
        .kind = LN_AST_CALL, .column = ast->column, .name = "+", .nargs = 2, .text = ast->text};
    double ends[2];
    if (!read_range(u, ast->args[0], ast->args[1], ends))
        return NULL;
    for (double value = ends[0]; value <= ends[1]; value++) {
        if (!ln_unroll_push(u, ast->name, value, ast->text, ast->column))
            return NULL;
        ln_ast *term = unroll(u, ast->args[2]);
        ln_unroll_pop(u);
        const ln_ast *const args[2] = {sum, term};
        if (term && sum)
            term = make_call(u, &plus, args, 2, before);
        if (!term)
            return NULL;
        sum = term;
    }
    return sum ? sum : make_number(u, ast, 0, ln_dimension_plain);
}

/* ---- calls ---- */

static ln_ast *unroll_if(ln_unroll *u, const ln_ast *ast) {
    ln_ast *before = u->last;
    const ln_ast *args[3];
    for (int i = 0; i < 3; i++) {
        args[i] = unroll(u, ast->args[i]);
        if (!args[i])
            return NULL;
        if (i > 0 || !is_plain_number(args[0]))
            continue;
        go_back(u, before);
        return unroll(u, ast->args[args[0]->value != 0 ? 1 : 2]);
    }
    return make_call(u, ast, args, 3, before);
}

static ln_ast *unroll_call(ln_unroll *u, const ln_ast *ast) {
    ln_ast *before = u->last;
    const ln_ast **args = LN_NEW(u->arena, const ln_ast *, ast->nargs);
    if (!args)
        return no_memory(u);
    for (int i = 0; i < ast->nargs; i++)
        if (!(args[i] = unroll(u, ast->args[i])))
            return NULL;
    return make_call(u, ast, args, ast->nargs, before);
}

/* 1 when the left side of `and`, `or` decides alone. */
static int is_decided(const ln_ast *ast, const ln_ast *left) {
    if (!is_plain_number(left))
        return 0;
    return left->value != 0 ? strcmp(ast->name, "or") == 0 : strcmp(ast->name, "and") == 0;
}

static int is_binary(const ln_ast *ast) {
    return ast->kind == LN_AST_CALL && ast->nargs == 2;
}

/* Calls of two arguments nested in the first one. */
static ln_ast *unroll_chain(ln_unroll *u, const ln_ast *ast) {
    ln_ast *before = u->last, *left;
    const ln_ast *bottom = ast;
    size_t depth = 0;
    for (; is_binary(bottom); bottom = bottom->args[0])
        depth++;
    const ln_ast **chain = LN_NEW(u->arena, const ln_ast *, depth);
    if (!chain)
        return no_memory(u);
    for (size_t k = depth; k-- > 0; ast = ast->args[0])
        chain[k] = ast;
    left = unroll(u, bottom);
    for (size_t k = 0; left && k < depth; k++) {
        if (is_decided(chain[k], left)) {
            left->value = left->value != 0;
            continue;
        }
        const ln_ast *const args[2] = {left, unroll(u, chain[k]->args[1])};
        left = args[1] ? make_call(u, chain[k], args, 2, before) : NULL;
    }
    return left;
}

static ln_ast *unroll(ln_unroll *u, const ln_ast *ast) {
    switch (ast->kind) {
    case LN_AST_NUMBER: return make(u, ast);
    case LN_AST_NAME: return unroll_name(u, ast);
    case LN_AST_ELEMENT: return unroll_element(u, ast);
    case LN_AST_SUM: return unroll_sum(u, ast);
    default: break;
    }
    if (ast->nargs == 2)
        return unroll_chain(u, ast);
    return ast->nargs == 3 && strcmp(ast->name, "if") == 0 ? unroll_if(u, ast)
                                                           : unroll_call(u, ast);
}

const ln_ast *ln_unroll_tree(ln_unroll *u, const ln_ast *ast) {
    u->last = NULL;
    return unroll(u, ast);
}

int ln_unroll_number(ln_unroll *u, const ln_ast *ast, double *value) {
    ln_ast *before = u->last;
    const ln_ast *result = unroll(u, ast);
    go_back(u, before);
    if (!result)
        return 0;
    *value = result->value;
    if (is_plain_number(result))
        return 1;
    return FAIL(u, ast, "an index may be made of numbers and other indices only") != NULL;
}

/* ---- for ---- */

typedef struct loops {
    ln_unroll *unroll;
    const ln_index_range *ranges;
    int nranges;
    const ln_ast *where;
    const char *text;
    int (*visit)(void *context);
    void *context;
} loops;

static int holds(const loops *all) {
    double value = 1;
    return all->where && !ln_unroll_number(all->unroll, all->where, &value) ? -1 : value != 0;
}

/* Runs range number k and those inside it; at most four deep. */
static int run(const loops *all, int k) {
    ln_unroll *u = all->unroll;
    double ends[2];
    if (k == all->nranges) {
        int here = holds(all);
        return here > 0 ? all->visit(all->context) : here == 0;
    }
    const ln_index_range *range = &all->ranges[k];
    if (!read_range(u, range->from, range->to, ends))
        return 0;
    for (double value = ends[0]; value <= ends[1]; value++) {
        if (!ln_unroll_push(u, range->name, value, all->text, range->column))
            return 0;
        int good = run(all, k + 1);
        ln_unroll_pop(u);
        if (!good)
            return 0;
    }
    return 1;
}

int ln_unroll_for(ln_unroll *u, const char *ranges, const char *where, int (*visit)(void *context),
                  void *context) {
    ln_index_range *list;
    ln_arena *own = u->arena = ln_arena_new();
    loops all = {.unroll = u, .text = ranges, .visit = visit, .context = context};
    int good = own ? ln_ast_parse_ranges(own, ranges, u->place, u->report, &list, &all.nranges)
                   : ln_no_memory(u->report) == LINNET_OK;
    if (good && where)
        good = (all.where = ln_ast_parse(own, where, u->place, u->report)) != NULL;
    if (good)
        all.ranges = list;
    u->last = NULL;
    good = good && run(&all, 0);
    ln_arena_free(own);
    u->arena = NULL;
    return good;
}

void ln_unroll_free(ln_unroll *u) {
    ln_graph_free(u->graph);
    u->graph = NULL;
}
