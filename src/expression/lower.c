/* SPDX-License-Identifier: MIT */
/* From the tree of an expression to graph nodes with units: one loop along the tree's reverse
 * Polish thread with a stack of values. */
#include "expression/functions.h"
#include "base/constants.h"
#include "expression/lower.h"
#include "expression/message.h"
#include "expression/nodes.h"

#include "base/sys.h"
#include "base/text.h"
#include "expression/graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct lowering {
    ln_graph *graph;
    const ln_names *names;
    ln_place place;
    ln_report *report;
    ln_origins *origins;
    ln_value *stack; /* ln_sys memory */
    size_t count, room;
} lowering;

/* Tells an error at a node of the tree; evaluates to 0. */
#define FAIL(l, ast, ...) \
    (ln_expression_error((l)->report, (l)->place, (ast)->text, (ast)->column, __VA_ARGS__), 0)

/* ---- names ---- */

static int is_unit(const char *name) {
    ln_unit unit;
    size_t length = strlen(name);
    return length > 0 && ln_unit_run(name, length, &unit) == length;
}

/* "; known here are a, b, c" while the list is short. */
static void list_known(const ln_names *names, char text[160]) {
    size_t used = 0;
    text[0] = '\0';
    if (!names || !names->known || names->nknown == 0 || names->nknown > 8)
        return;
    for (size_t i = 0; i < names->nknown && used < 160; i++)
        if (names->known[i])
            used += (size_t)snprintf(text + used, 160 - used, "%s%s",
                                     used ? ", " : "; known here: ", names->known[i]);
    if (used >= 160)
        text[0] = '\0';
}

static int unknown_name(const lowering *l, const ln_ast *ast) {
    const char *near = l->names && l->names->known
                           ? ln_nearest(ast->name, l->names->known, l->names->nknown)
                           : NULL;
    char known[160];
    if (strcmp(ast->name, "s") == 0 || strcmp(ast->name, "z") == 0)
        return FAIL(l, ast,
                    "unknown name '%s'; of a polynomial in %s write the coefficients, the highest "
                    "power first: 1 3 2",
                    ast->name, ast->name);
    if (near)
        return FAIL(l, ast, "unknown name '%s'; did you mean '%s'?", ast->name, near);
    if (strcmp(ast->name, "t") == 0)
        return FAIL(l, ast,
                    "unknown name 't'; what stands here does not change with time: take a type "
                    "with that waveform, or one that a signal drives");
    if (ln_find_function(ast->name))
        return FAIL(l, ast, "'%s' is a function; write %s(...)", ast->name, ast->name);
    if (is_unit(ast->name))
        return FAIL(l, ast,
                    "unknown name '%s'; a unit stands only directly behind a number, as one word: "
                    "kg.m^2",
                    ast->name);
    const size_t length = strlen(ast->name);
    if (ln_unit_is_power(ast->name, length))
        return FAIL(l, ast, "unknown name '%s'; the power of a unit is written %.*s^%s", ast->name,
                    (int)length - 1, ast->name, ast->name + length - 1);
    if (strcmp(ast->name, "inf") == 0 || strcmp(ast->name, "nan") == 0)
        return FAIL(l, ast, "unknown name '%s'; numbers must be finite", ast->name);
    list_known(l->names, known);
    return FAIL(l, ast, "unknown name '%s'%s%s", ast->name, known,
                known[0] == '\0' ? "; define it with <parameter name=... value=.../>" : "");
}

static int lower_name(const lowering *l, const ln_ast *ast, ln_value *value) {
    value->dimension = ln_dimension_plain;
    if (strcmp(ast->name, "pi") == 0) {
        value->node = ln_constant(l->graph, LN_PI);
        return 1;
    }
    if (strcmp(ast->name, "e") == 0) {
        value->node = ln_constant(l->graph, 2.71828182845904523536);
        return 1;
    }
    int found = l->names && l->names->find
                    ? l->names->find(l->names->context, ast->name, ast->column, value)
                    : 0;
    if (found == 0)
        return unknown_name(l, ast);
    if (found > 0 && value->node == LN_NONE && !l->graph->failed)
        value->node = ln_constant(l->graph, value->constant);
    return found > 0;
}

/* ---- units ---- */

static ln_dimension plain_of(const ln_value *args, int nargs) {
    for (int i = 0; i < nargs; i++)
        if (!args[i].dimension.any)
            return ln_dimension_none;
    return ln_dimension_plain;
}

/* All fit each other: their common unit. `format` takes two unit texts. */
static int common(const lowering *l, const ln_ast *ast, const ln_value *args, int nargs,
                  const char *what, ln_dimension *result) {
    *result = args[0].dimension;
    for (int i = 1; i < nargs; i++) {
        if (!ln_dimension_fits(*result, args[i].dimension)) {
            char first[64], second[64];
            ln_dimension_text(*result, first);
            ln_dimension_text(args[i].dimension, second);
            return FAIL(l, ast, "cannot %s: %s and %s do not fit", what, first, second);
        }
        *result = ln_dimension_merge(*result, args[i].dimension);
    }
    return 1;
}

static int check_sum(const lowering *l, const ln_ast *ast, const ln_value *args,
                     ln_dimension *result) {
    char left[64], right[64];
    *result = ln_dimension_merge(args[0].dimension, args[1].dimension);
    if (ln_dimension_fits(args[0].dimension, args[1].dimension))
        return 1;
    ln_dimension_text(args[0].dimension, left);
    ln_dimension_text(args[1].dimension, right);
    if (strcmp(ast->name, "-") == 0)
        return FAIL(l, ast, "cannot subtract %s from %s", right, left);
    return FAIL(l, ast, "cannot add %s and %s", left, right);
}

static int check_compare(const lowering *l, const ln_ast *ast, const ln_value *args,
                         ln_dimension *result) {
    char left[64], right[64];
    *result = ln_dimension_plain;
    if (ln_dimension_fits(args[0].dimension, args[1].dimension))
        return 1;
    ln_dimension_text(args[0].dimension, left);
    ln_dimension_text(args[1].dimension, right);
    return FAIL(l, ast, "cannot compare %s with %s", left, right);
}

static int check_plain(const lowering *l, const ln_ast *ast, const ln_value *args, int nargs) {
    for (int i = 0; i < nargs; i++) {
        char text[64];
        if (ln_dimension_fits(args[i].dimension, ln_dimension_none))
            continue;
        ln_dimension_text(args[i].dimension, text);
        return FAIL(l, ast->args[i], "%s needs a plain number, not %s; divide by a reference value",
                    ast->name, text);
    }
    return 1;
}

static int check_power(const lowering *l, const ln_ast *ast, const ln_value *args,
                       ln_dimension *result) {
    char text[64];
    ln_dimension base = args[0].dimension;
    ln_dimension_text(base, text);
    if (!ln_dimension_fits(args[1].dimension, ln_dimension_none)) {
        ln_dimension_text(args[1].dimension, text);
        return FAIL(l, ast->args[1], "an exponent is a plain number, not %s", text);
    }
    *result = base.any == LN_FREE ? base : plain_of(args, 2);
    if (base.any || ln_dimension_fits(base, ln_dimension_none))
        return 1;
    if (ln_node_op(l->graph, args[1].node) != LN_OP_CONSTANT)
        return FAIL(l, ast->args[1],
                    "the exponent of %s must be a constant; divide by a reference value first",
                    text);
    double exponent = ln_node_value(l->graph, args[1].node);
    if (ln_dimension_power(base, exponent, result))
        return 1;
    return FAIL(l, ast, "%s to the power %g has no unit; divide by a reference value first", text,
                exponent);
}

static int check_root(const lowering *l, const ln_ast *ast, const ln_value *args, int root,
                      ln_dimension *result) {
    char text[64];
    if (ln_dimension_power(args[0].dimension, 1.0 / root, result))
        return 1;
    ln_dimension_text(args[0].dimension, text);
    return FAIL(l, ast, "the root of %s has no unit; divide by a reference value first", text);
}

static int check_if(const lowering *l, const ln_ast *ast, const ln_value *args,
                    ln_dimension *result) {
    char text[64];
    if (!ln_dimension_fits(args[0].dimension, ln_dimension_none)) {
        ln_dimension_text(args[0].dimension, text);
        return FAIL(l, ast->args[0], "the condition of if is a comparison, not %s", text);
    }
    return common(l, ast, args + 1, 2, "choose", result);
}

static ln_dimension per_second(ln_dimension dimension) {
    ln_dimension second = ln_dimension_none;
    second.exponent[2] = 12;
    return dimension.any ? ln_dimension_any : ln_dimension_divide(dimension, second);
}

/* The arguments from `first` to below `end` are times. */
static int check_times(const lowering *l, const ln_ast *ast, const ln_value *args, int first,
                       int end) {
    const ln_dimension second =
        ln_dimension_divide(ln_dimension_none, per_second(ln_dimension_none));
    for (int i = first; i < end; i++) {
        char text[64];
        if (ln_dimension_fits(args[i].dimension, second))
            continue;
        ln_dimension_text(args[i].dimension, text);
        return FAIL(l, ast->args[i], "%s takes times in s, not %s", ast->name, text);
    }
    return 1;
}

/* Arguments of one unit, which the result has: max(a, b). */
static int check_keep(const lowering *l, const ln_ast *ast, const ln_value *args, int nargs,
                      ln_dimension *result) {
    char what[32];
    snprintf(what, sizeof what, "take %.20s", ast->name);
    return common(l, ast, args, nargs, what, result);
}

/* Arguments of one unit, of which the result has none: atan2(y, x). */
static int check_ratio(const lowering *l, const ln_ast *ast, const ln_value *args, int nargs,
                       ln_dimension *result) {
    if (!common(l, ast, args, nargs, ast->name, result))
        return 0;
    *result = plain_of(args, nargs);
    return 1;
}

/* The first two arguments of sample() are times, the third is a clock's count. */
static int clock_times(int nargs) {
    return nargs < 2 ? nargs : 2;
}

static int check_units(const lowering *l, const ln_ast *ast, ln_unit_rule rule,
                       const ln_value *args, int nargs, ln_dimension *result) {
    switch (rule) {
    case LN_RULE_PLAIN: *result = plain_of(args, nargs); return check_plain(l, ast, args, nargs);
    case LN_RULE_SUM: return check_sum(l, ast, args, result);
    case LN_RULE_KEEP: return check_keep(l, ast, args, nargs, result);
    case LN_RULE_PRODUCT:
        *result = ln_dimension_multiply(args[0].dimension, args[1].dimension);
        return 1;
    case LN_RULE_QUOTIENT:
        *result = ln_dimension_divide(args[0].dimension, args[1].dimension);
        return 1;
    case LN_RULE_POWER: return check_power(l, ast, args, result);
    case LN_RULE_SQRT: return check_root(l, ast, args, 2, result);
    case LN_RULE_CBRT: return check_root(l, ast, args, 3, result);
    case LN_RULE_COMPARE: return check_compare(l, ast, args, result);
    case LN_RULE_RATIO: return check_ratio(l, ast, args, nargs, result);
    case LN_RULE_IF: return check_if(l, ast, args, result);
    case LN_RULE_SAMPLE:
        *result = ln_dimension_plain;
        return check_times(l, ast, args, 0, clock_times(nargs));
    case LN_RULE_DELAY: *result = args[0].dimension; return check_times(l, ast, args, 1, 2);
    case LN_RULE_DER: *result = per_second(args[0].dimension); return 1;
    default: return 0;
    }
}

/* ---- calls ---- */

static int unknown_function(const lowering *l, const ln_ast *ast) {
    const char *near = ln_nearest_function(ast->name);
    ln_value value = {LN_NONE, ln_dimension_plain, 0};
    if (l->names && l->names->find &&
        l->names->find(l->names->context, ast->name, ast->column, &value) > 0)
        return FAIL(l, ast, "'%s' is no function; products need a star: %s*(...)", ast->name,
                    ast->name);
    if (near)
        return FAIL(l, ast, "unknown function '%s'; did you mean '%s'?", ast->name, near);
    return FAIL(l, ast, "unknown function '%s'", ast->name);
}

static int check_count(const lowering *l, const ln_ast *ast, const ln_known_function *function) {
    int n = ast->nargs;
    if (n >= function->least && (function->most < 0 || n <= function->most))
        return 1;
    return FAIL(l, ast, "%s needs %s%d argument%s, not %d", ast->name,
                function->most < 0 ? "at least " : "", function->least,
                function->least == 1 ? "" : "s", n);
}

/* sample(), pre() and rate() have a meaning where events are described, delay() where a run has a
 * past. */
static int check_place(const lowering *l, const ln_ast *ast, const ln_known_function *function) {
    const ln_event_names *events = l->names ? l->names->events : NULL;
    if (function->op == LN_OP_PRE && !(events && events->pre))
        return FAIL(
            l, ast,
            "pre() reads values before an instant, which only the value of a <set> can ask for");
    if (function->rule == LN_RULE_SAMPLE && !(events && events->sample))
        return FAIL(l, ast, "sample() stands in the condition of a <when> only");
    if (function->op == LN_OP_RATE && !events)
        return FAIL(l, ast,
                    "rate() stands in the conditions and <set> values of a <when> only; a "
                    "derivative is der()");
    if (function->op == LN_OP_DELAY && !(l->names && l->names->has_history))
        return FAIL(
            l, ast,
            "delay() stands in block types and functions of signals only, where a run has a past");
    return 1;
}

static int lower_sample(lowering *l, const ln_ast *ast, ln_value *value) {
    const ln_value *args = l->stack + l->count - (size_t)ast->nargs;
    const ln_event_names *events = l->names->events;
    ln_node offset = ast->nargs > 1 ? args[1].node : ln_constant(l->graph, 0);
    ln_node clock = ast->nargs > 2 ? args[2].node : LN_NONE;
    l->count -= (size_t)ast->nargs;
    value->node = events->sample(events->context, args[0].node, offset, clock, ast->column);
    return value->node != LN_NONE;
}

static int lower_call(lowering *l, const ln_ast *ast, ln_value *value) {
    const ln_known_function *function = ln_find_function(ast->name);
    const ln_value *args = ast->nargs > 0 ? l->stack + l->count - (size_t)ast->nargs : NULL;
    if (!function)
        return unknown_function(l, ast);
    if (!check_count(l, ast, function) || !check_place(l, ast, function))
        return 0;
    if (!check_units(l, ast, function->rule, args, ast->nargs, &value->dimension))
        return 0;
    if (function->rule == LN_RULE_SAMPLE)
        return lower_sample(l, ast, value);
    ln_node few[8], *nodes = few;
    if (ast->nargs > 8)
        nodes = ln_sys->allocate((size_t)ast->nargs * sizeof *nodes);
    if (!nodes)
        return ln_no_memory(l->report) == LINNET_OK;
    for (int i = 0; i < ast->nargs; i++)
        nodes[i] = args[i].node;
    value->node = ln_build_function(l->graph, function, nodes, ast->nargs);
    if (nodes != few)
        ln_sys->release(nodes);
    l->count -= (size_t)ast->nargs;
    return 1;
}

/* `x[3]`, as results name elements: the indices, which are on the stack, become part of the name.
 */
static int lower_element(lowering *l, const ln_ast *ast, ln_value *value) {
    ln_text name = {0};
    const ln_value *args = ast->nargs > 0 ? l->stack + l->count - (size_t)ast->nargs : NULL;
    int good = ast->nargs > 0;
    for (int i = 0; good && i < ast->nargs; i++) {
        good = ln_node_op(l->graph, args[i].node) == LN_OP_CONSTANT;
        double index = good ? ln_node_value(l->graph, args[i].node) : 0;
        good = good && index == floor(index) && fabs(index) < 1e9;
        if (good)
            ln_text_printf(&name, "%s%.0f", i > 0 ? "," : "[", index);
    }
    l->count -= (size_t)ast->nargs;
    ln_text whole = {0};
    if (good)
        ln_text_printf(&whole, "%s%s]", ast->name, name.data ? name.data : "");
    ln_ast named = *ast;
    named.name = whole.data;
    if (!good)
        (void)FAIL(l, ast, "an index of '%s' is a whole number here", ast->name);
    else if (whole.failed || name.failed)
        good = ln_no_memory(l->report) == LINNET_OK;
    else
        good = lower_name(l, &named, value);
    ln_text_free(&name);
    ln_text_free(&whole);
    return good;
}

/* One node of the tree: its arguments are on the stack, its value takes their place. */
static int lower_node(lowering *l, const ln_ast *ast) {
    ln_value value = {LN_NONE, ast->dimension, 0};
    int before = ln_graph_size(l->graph);
    if (ast->kind == LN_AST_NUMBER)
        value.node = ln_constant(l->graph, ast->value);
    else if (ast->kind == LN_AST_NAME && !lower_name(l, ast, &value))
        return 0;
    else if (ast->kind == LN_AST_CALL && !lower_call(l, ast, &value))
        return 0;
    else if (ast->kind == LN_AST_ELEMENT && !lower_element(l, ast, &value))
        return 0;
    if (value.node == LN_NONE)
        return ln_no_memory(l->report) == LINNET_OK;
    if (!LN_GROW(l->stack, l->count, l->room))
        return ln_no_memory(l->report) == LINNET_OK;
    l->stack[l->count++] = value;
    ln_origins *o = l->origins;
    if (!o || ln_graph_size(l->graph) == before)
        return 1;
    if (!LN_GROW(o->item, o->count, o->room))
        return ln_no_memory(l->report) == LINNET_OK;
    o->item[o->count++] = (ln_origin){before, ast};
    return 1;
}

int ln_lower_tracked(ln_graph *graph, const ln_ast *ast, const ln_names *names, ln_place place,
                     ln_report *report, ln_tracked *result) {
    lowering l = {.graph = graph,
                  .names = names,
                  .place = place,
                  .report = report,
                  .origins = result->origins};
    int good = 1;
    for (const ln_ast *node = ast->first; good; node = node->next) {
        if (node->kind == LN_AST_SUM)
            good = FAIL(&l, node, "a sum over an index stands only in a <block-type>");
        if (node == ast)
            break;
    }
    for (const ln_ast *node = ast->first; good; node = node->next) {
        good = lower_node(&l, node);
        if (node == ast)
            break;
    }
    if (good)
        result->value = l.stack[0];
    ln_sys->release(l.stack);
    return good;
}

int ln_lower(ln_graph *graph, const ln_ast *ast, const ln_names *names, ln_place place,
             ln_report *report, ln_value *result) {
    ln_tracked tracked = {.origins = NULL};
    const int good = ln_lower_tracked(graph, ast, names, place, report, &tracked);
    if (good)
        *result = tracked.value;
    return good;
}
