/* SPDX-License-Identifier: MIT */
/* Parameters in scope: declared in any order, evaluated in the order in which they need each other.
 *
 * The order is found with a stack of our own, not by recursion: a chain of a hundred thousand
 * parameters is as good as one of three. A binding is opened when it comes to the top for the first
 * time and what it needs is put above it; it is evaluated when it is at the top again. Open
 * bindings are therefore the present path, and needing one of them closes a circle. */
#include "base/sys.h"
#include "model/binding.h"
#include "base/text.h"
#include "expression/ast.h"
#include "expression/graph.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the table ---- */

ln_scope *ln_scope_new(ln_arena *arena, const char *title, ln_report *report) {
    ln_scope *scope = LN_NEW(arena, ln_scope, 1);
    if (scope != NULL) {
        scope->arena = arena;
        scope->title = title;
        scope->report = report;
    }
    return scope;
}

static size_t hash(const char *name) {
    size_t h = 5381; /* Bernstein's */
    for (; *name != '\0'; name++)
        h = h * 33 ^ (unsigned char)*name;
    return h;
}

/* The slot of a name: the one that holds it, or the free one where it belongs. */
static int *slot_of(const ln_scope *scope, const char *name) {
    size_t mask = (size_t)scope->nslots - 1, at = hash(name) & mask;
    while (scope->slots[at] != 0 && strcmp(scope->bindings[scope->slots[at] - 1].name, name) != 0)
        at = (at + 1) & mask;
    return &scope->slots[at];
}

ln_binding *ln_scope_binding(const ln_scope *scope, const char *name) {
    for (; scope != NULL; scope = scope->outer) {
        int slot = scope->nslots == 0 ? 0 : *slot_of(scope, name);
        if (slot != 0)
            return &scope->bindings[slot - 1];
    }
    return NULL;
}

/* Room for one more binding, with at least half of the slots free. 0 when memory is short. */
static int make_room(ln_scope *scope) {
    if (scope->count < scope->room)
        return 1;
    if (scope->room > INT_MAX / 4)
        return 0;
    int room = scope->room > 0 ? 2 * scope->room : 8;
    ln_binding *bindings = LN_NEW(scope->arena, ln_binding, room);
    const char **names = LN_NEW(scope->arena, const char *, room);
    int *slots = LN_NEW(scope->arena, int, 2 * room);
    if (bindings == NULL || names == NULL || slots == NULL)
        return 0;
    if (scope->count > 0) {
        memcpy(bindings, scope->bindings, (size_t)scope->count * sizeof *bindings);
        memcpy((void *)names, (const void *)scope->names, (size_t)scope->count * sizeof *names);
    }
    scope->bindings = bindings;
    scope->names = names;
    scope->room = room;
    scope->slots = slots;
    scope->nslots = 2 * room;
    for (int k = 0; k < scope->count; k++)
        *slot_of(scope, bindings[k].name) = k + 1;
    return 1;
}

/* ---- declaring ---- */

linnet_status ln_scope_declare(ln_scope *scope, const char *name, ln_written written,
                               ln_scope *where, double min, double max) {
    if (ln_is_reserved(name))
        return ln_fail(scope->report, LINNET_MODEL, written.place,
                       "parameter '%s': the name is reserved in expressions; choose another", name);
    const ln_binding *old = ln_scope_binding(scope, name);
    if (old != NULL)
        return ln_fail(scope->report, LINNET_MODEL, written.place,
                       "parameter '%s' is already given at line %d", name, old->place.line);
    if (!make_room(scope))
        return ln_no_memory(scope->report);
    int k = scope->count++;
    scope->bindings[k] = (ln_binding){.name = name,
                                      .text = written.text,
                                      .unit = written.unit,
                                      .min = min,
                                      .max = max,
                                      .where = where,
                                      .place = written.place};
    scope->names[k] = name;
    *slot_of(scope, name) = k + 1;
    return LINNET_OK;
}

int ln_scope_override(ln_scope *scope, const char *name, const char *text, ln_place place) {
    ln_binding *binding = ln_scope_binding(scope, name);
    if (binding == NULL)
        return 0;
    binding->text = text;
    binding->where = scope;
    binding->place = place;
    binding->state = LN_BINDING_NEW;
    return 1;
}

/* ---- indices and texts ---- */

ln_scope *ln_scope_inside(ln_arena *arena, ln_scope *outer, const char *index) {
    ln_scope *scope = ln_scope_new(arena, outer->title, outer->report);
    if (scope == NULL)
        return NULL;
    if (ln_scope_declare(scope, index, (ln_written){"0", "", LN_NOWHERE}, scope, -INFINITY,
                         INFINITY) != LINNET_OK)
        return NULL;
    scope->outer = outer;
    scope->bindings[0].state = LN_BINDING_DONE;
    scope->bindings[0].dimension = ln_dimension_plain;
    return scope;
}

void ln_scope_count_to(ln_scope *scope, double value) {
    scope->bindings[0].value = value;
}

int ln_scope_number(const ln_scope *scope, const char *name, double *value) {
    const ln_binding *binding = ln_scope_binding(scope, name);
    if (binding == NULL || binding->state != LN_BINDING_DONE)
        return 0;
    *value = binding->value;
    return 1;
}

int ln_scope_add_text(ln_scope *scope, const char *name, const char *text) {
    ln_scope_text_of *item = LN_NEW(scope->arena, ln_scope_text_of, 1);
    if (item == NULL)
        return 0;
    *item = (ln_scope_text_of){name, text, scope->texts};
    scope->texts = item;
    return 1;
}

const char *ln_scope_text(const ln_scope *scope, const char *name) {
    for (; scope != NULL; scope = scope->outer)
        for (const ln_scope_text_of *item = scope->texts; item != NULL; item = item->next)
            if (strcmp(item->name, name) == 0)
                return item->text;
    return NULL;
}

/* ---- the order ---- */

/* A binding that waits, the scope it belongs to, and its tree. */
typedef struct waiting {
    ln_scope *scope;
    ln_binding *binding;
    const ln_ast *ast;
} waiting;

typedef struct agenda {
    waiting *items;
    size_t count, room;
    ln_arena *trees; /* of the bindings on the stack */
    ln_scope *where; /* scope of the names being visited */
    linnet_status status;
} agenda;

static void push(agenda *list, ln_scope *scope, ln_binding *binding) {
    if (list->status == LINNET_MEMORY)
        return;
    if (!LN_GROW(list->items, list->count, list->room)) {
        list->status = ln_no_memory(scope->report);
        return;
    }
    list->items[list->count++] = (waiting){scope, binding, NULL};
}

/* 'k' needs 'm' needs 'k': the open bindings from the one that is needed again. */
static void say_circle(const agenda *list, const ln_binding *again, ln_report *report) {
    ln_text path = {0};
    int inside = 0;
    for (size_t k = 0; k < list->count; k++) {
        const ln_binding *at = list->items[k].binding;
        if (at == again)
            inside = 1;
        if (inside && at->state == LN_BINDING_OPEN)
            ln_text_printf(&path, "'%s' needs ", at->name);
        if (path.length > 400)
            break;
    }
    if (path.length > 400)
        ln_text_add(&path, "... needs ");
    ln_subject before = ln_report_about(report, (ln_subject){0});
    ln_error(report, again->place,
             "parameters in a circle: %s'%s'; give one of them a value of its own",
             path.data != NULL ? path.data : "", again->name);
    ln_report_about(report, before);
    ln_text_free(&path);
}

static void need_name(void *context, const ln_ast *name) {
    agenda *list = context;
    ln_binding *binding = ln_scope_binding(list->where, name->name);
    if (binding == NULL || list->status == LINNET_MEMORY)
        return;
    if (binding->state == LN_BINDING_NEW)
        push(list, list->where, binding);
    if (binding->state == LN_BINDING_FAILED && list->status == LINNET_OK)
        list->status = LINNET_MODEL;
    if (binding->state == LN_BINDING_OPEN) {
        say_circle(list, binding, list->where->report);
        binding->state = LN_BINDING_FAILED;
        list->status = LINNET_MODEL;
    }
}

/* A value as the parameter's unit counts it. */
static void print_value(char text[80], const ln_scope *scope, const ln_binding *binding,
                        double value) {
    char shown[32];
    const char *unit = binding->unit != NULL ? binding->unit : "";
    if (unit[0] != '\0')
        value = (value - scope->unit.offset) / scope->unit.factor;
    snprintf(shown, sizeof shown, "%.15g", value);
    snprintf(text, 80, "%s%s%.31s", shown, unit[0] != '\0' ? " " : "", unit);
}

/* A bound that the caller moved by the smallest step to exclude it has more digits than anyone
 * writes. */
static int is_excluded(double *bound) {
    char shown[32];
    const char *end;
    snprintf(shown, sizeof shown, "%.15g", *bound);
    double round = fabs(*bound) < DBL_MIN ? 0 : ln_number_read(shown, &end);
    int excluded = round != *bound;
    *bound = round;
    return excluded;
}

static linnet_status check_range(ln_scope *scope, const ln_binding *binding) {
    char value[80], limit[80];
    int low = binding->value < binding->min;
    double bound = low ? binding->min : binding->max;
    if (!low && binding->value <= binding->max)
        return LINNET_OK;
    if (binding->unit != NULL)
        LN_TRY(ln_quantity_unit(scope, binding->unit, binding->place));
    int excluded = is_excluded(&bound);
    print_value(value, scope, binding, binding->value);
    print_value(limit, scope, binding, bound);
    return ln_fail(
        scope->report, LINNET_MODEL, binding->place, "%s is out of range; it must be %s %s", value,
        low ? (excluded ? "greater than" : "at least") : (excluded ? "less than" : "at most"),
        limit);
}

/* Parses a binding's expression and puts what it needs on the stack. */
static int open_tree(agenda *list, waiting *item) {
    const ln_binding *binding = item->binding;
    if (list->trees == NULL)
        list->trees = ln_arena_new();
    if (list->trees == NULL) {
        list->status = ln_no_memory(item->scope->report);
        return 0;
    }
    const ln_ast *ast =
        ln_ast_parse(list->trees, binding->text, binding->place, item->scope->report);
    item->ast = ast;
    if (ast == NULL)
        return 0;
    list->where = binding->where;
    ln_ast_names(ast, need_name, list); /* moves the stack: item is gone */
    return 1;
}

/* What is at the top is either opened or, with all it needs known, evaluated. */
static void advance(agenda *list) {
    size_t top = list->count - 1;
    waiting item = list->items[top];
    ln_binding *binding = item.binding;
    if (binding->state == LN_BINDING_NEW) {
        binding->state = LN_BINDING_OPEN;
        int literal = ln_quantity_literal(item.scope, binding->text, binding->unit, binding->place,
                                          &binding->value, &binding->dimension);
        if (literal != 0) {
            binding->state = literal > 0 && check_range(item.scope, binding) == LINNET_OK
                                 ? LN_BINDING_DONE
                                 : LN_BINDING_FAILED;
        } else if (open_tree(list, &list->items[top])) {
            return;
        } else {
            binding->state = LN_BINDING_FAILED;
        }
    } else if (binding->state == LN_BINDING_OPEN) {
        linnet_status status = ln_quantity_read(
            binding->where, item.ast, &(ln_written){binding->text, binding->unit, binding->place},
            &binding->value, &binding->dimension);
        if (status == LINNET_OK)
            status = check_range(item.scope, binding);
        binding->state = status == LINNET_OK ? LN_BINDING_DONE : LN_BINDING_FAILED;
    }
    if (binding->state == LN_BINDING_FAILED && list->status == LINNET_OK)
        list->status = LINNET_MODEL;
    list->count--;
}

static linnet_status run(agenda *list) {
    while (list->count > 0 && list->status != LINNET_MEMORY) {
        const waiting *top = &list->items[list->count - 1];
        ln_report *report = top->scope->report;
        const char *block = top->scope->title[0] != '\0' ? top->scope->title : NULL;
        ln_subject before = ln_report_about(report, (ln_subject){block, NULL, top->binding->name});
        advance(list);
        ln_report_about(report, before);
    }
    ln_arena_free(list->trees);
    ln_sys->release(list->items);
    return list->status;
}

linnet_status ln_scope_need(ln_scope *scope, const ln_ast *ast) {
    agenda list = {.where = scope};
    ln_ast_names(ast, need_name, &list);
    return run(&list);
}

linnet_status ln_scope_evaluate_binding(ln_scope *scope, ln_binding *binding) {
    agenda list = {.where = scope};
    if (binding->state == LN_BINDING_DONE)
        return LINNET_OK;
    if (binding->state != LN_BINDING_NEW)
        return LINNET_MODEL;
    push(&list, scope, binding);
    return run(&list);
}

linnet_status ln_scope_evaluate_all(ln_scope *scope) {
    linnet_status status = LINNET_OK;
    for (int k = 0; k < scope->count && status != LINNET_MEMORY; k++) {
        linnet_status one = ln_scope_evaluate_binding(scope, &scope->bindings[k]);
        if (one != LINNET_OK)
            status = one;
    }
    return status;
}

int ln_scope_count(const ln_scope *scope) {
    return scope->count;
}

ln_dimension ln_scope_dimension(const ln_scope *scope, int index) {
    return scope->bindings[index].dimension;
}

const char *ln_scope_name(const ln_scope *scope, int index, double *value, const char **unit) {
    const ln_binding *binding = &scope->bindings[index];
    *value = binding->value;
    *unit = binding->unit;
    return binding->name;
}

/* ---- expressions in a scope ---- */

static int find(void *context, const char *name, int column, ln_value *value) {
    (void)column;
    ln_scope *scope = context;
    ln_binding *binding = ln_scope_binding(scope, name);
    if (binding == NULL)
        return 0;
    if (ln_scope_evaluate_binding(scope, binding) != LINNET_OK)
        return -1;
    value->node = LN_NONE;
    value->constant = binding->value;
    value->dimension = binding->dimension;
    return 1;
}

ln_names ln_scope_names(ln_scope *scope) {
    const ln_scope *hints = scope; /* names for hints: those of the scope around repetitions */
    while (hints->outer != NULL)
        hints = hints->outer;
    return (ln_names){find, scope, hints->names, (size_t)hints->count, NULL, 0};
}

linnet_status ln_quantity_read(ln_scope *scope, const ln_ast *ast, const ln_written *written,
                               double *value, ln_dimension *dimension) {
    ln_names names = ln_scope_names(scope);
    if (!ln_evaluate(ast, &names, written->place, scope->report, value, dimension))
        return LINNET_MODEL;
    return ln_quantity_fit(scope, written, 0, value, dimension);
}
