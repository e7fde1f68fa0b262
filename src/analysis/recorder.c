/* SPDX-License-Identifier: MIT */
/* Columns of a result. All expressions share one graph and one program, whose unknowns are the
 * quantities they name; conditions on time alone are decided beside the time, on the side that is
 * looked at: no step ends where they change, and at a breakpoint an expression has two sides too.
 */
#include "analysis/recorder.h"

#include "analysis/guard.h"
#include "analysis/unknown_name.h"
#include "base/sys.h"
#include <assert.h>
#include <math.h>
#include "base/text.h"
#include "expression/program.h"
#include "model/model.h"
#include "model/tree.h"
#include <stdio.h>
#include <string.h>

typedef struct column {
    ln_quantity quantity; /* expression < 0 */
    int expression;       /* index into the program's outputs, or -1 */
} column;

struct ln_recorder {
    ln_network *network;
    ln_report *report;
    ln_arena *arena;
    ln_map *index; /* name -> column */
    ln_column *titles;
    size_t ntitles, titles_room;
    column *columns;
    size_t ncolumns, columns_room;
    int failed; /* memory was short: there are no columns any more */
    ln_graph *graph;
    ln_node *nodes;
    size_t nnodes, nodes_room; /* one per expression */
    /* what the expressions name: UNKNOWN leaves */
    ln_quantity *inputs;
    size_t ninputs, inputs_room;
    const ln_program *program;
    double *file, *x, *values;   /* registers; ninputs; ncolumns */
    double *last_values, last_t; /* ncolumns: the point before, and its time */
};

ln_recorder *ln_recorder_new(ln_network *network, ln_report *report) {
    ln_recorder *recorder = ln_sys->allocate(sizeof *recorder);
    if (recorder == NULL) {
        (void)ln_no_memory(report);
        return NULL;
    }
    *recorder = (ln_recorder){.network = network,
                              .report = report,
                              .arena = ln_arena_new(),
                              .index = ln_map_new(),
                              .graph = ln_graph_new()};
    if (recorder->arena != NULL && recorder->index != NULL && recorder->graph != NULL)
        return recorder;
    ln_recorder_free(recorder);
    (void)ln_no_memory(report);
    return NULL;
}

void ln_recorder_free(ln_recorder *recorder) {
    if (recorder == NULL)
        return;
    ln_map_free(recorder->index);
    ln_graph_free(recorder->graph);
    ln_sys->release(recorder->titles);
    ln_sys->release(recorder->columns);
    ln_sys->release(recorder->nodes);
    ln_sys->release(recorder->inputs);
    ln_arena_free(recorder->arena);
    ln_sys->release(recorder);
}

/* ---- columns by name ---- */

/* Arrays that could not grow are gone: nothing is recorded any more. */
static linnet_status give_up(ln_recorder *recorder) {
    recorder->ntitles = recorder->ncolumns = recorder->nnodes = 0;
    recorder->failed = 1;
    return ln_no_memory(recorder->report);
}

static linnet_status append(ln_recorder *recorder, const char *name, const char *unit, column how) {
    char *copy = ln_arena_string(recorder->arena, name);
    if (copy == NULL || !LN_GROW(recorder->titles, recorder->ntitles, recorder->titles_room) ||
        !LN_GROW(recorder->columns, recorder->ncolumns, recorder->columns_room) ||
        ln_map_put(recorder->index, copy, (int)recorder->ncolumns) < 0)
        return give_up(recorder);
    recorder->titles[recorder->ntitles++] = (ln_column){copy, unit != NULL ? unit : "", 0};
    recorder->columns[recorder->ncolumns++] = how;
    return LINNET_OK;
}

static linnet_status append_quantity(ln_recorder *recorder, const char *name,
                                     const ln_quantity *quantity) {
    if (ln_map_get(recorder->index, name) >= 0)
        return LINNET_OK;
    return append(recorder, name, quantity->unit, (column){*quantity, -1});
}

typedef struct pattern_columns {
    ln_recorder *recorder;
    linnet_status status;
} pattern_columns;

static void add_match(void *context, const char *name, const ln_quantity *quantity) {
    pattern_columns *match = context;
    if (match->status == LINNET_OK)
        match->status = append_quantity(match->recorder, name, quantity);
}

static linnet_status add_one(ln_recorder *recorder, const char *name, ln_place place) {
    if (ln_map_get(recorder->index, name) >= 0)
        return LINNET_OK;
    pattern_columns match = {recorder, LINNET_OK};
    int matches = ln_network_match(recorder->network, name, add_match, &match);
    if (matches < 0)
        return ln_no_memory(recorder->report);
    if (matches > 0)
        return match.status;
    ln_quantity quantity;
    const char *nearest = NULL;
    if (strpbrk(name, "*?") == NULL)
        (void)ln_network_find(recorder->network, name, &quantity, &nearest);
    return ln_tell_unknown_name(recorder->network, recorder->report, name, nearest, place);
}

linnet_status ln_recorder_add(ln_recorder *recorder, const char *names, ln_place place) {
    linnet_status status = LINNET_OK;
    const char *const blanks = " \t\r\n,";
    for (const char *at = names + strspn(names, blanks); *at != '\0'; at += strspn(at, blanks)) {
        size_t length = ln_word_length(at);
        char *name = ln_arena_text(recorder->arena, at, length);
        if (name == NULL)
            return ln_no_memory(recorder->report);
        linnet_status one = add_one(recorder, name, place);
        if (one == LINNET_MEMORY)
            return one;
        if (status == LINNET_OK)
            status = one;
        at += length;
    }
    return status;
}

int ln_recorder_column(ln_recorder *recorder, const char *name, ln_place place) {
    if (recorder->failed)
        return -1;
    if (ln_map_get(recorder->index, name) < 0) {
        ln_quantity quantity;
        const char *nearest = NULL;
        if (!ln_network_find(recorder->network, name, &quantity, &nearest)) {
            (void)ln_tell_unknown_name(recorder->network, recorder->report, name, nearest, place);
            return -1;
        }
        if (append_quantity(recorder, name, &quantity) != LINNET_OK)
            return -1;
    }
    return ln_map_get(recorder->index, name);
}

linnet_status ln_recorder_add_links(ln_recorder *recorder) {
    const ln_network *network = recorder->network;
    for (int k = 0; k < network->nlinks; k++) {
        if (network->links[k].unknown < 0)
            continue;
        LN_TRY(add_one(recorder, network->links[k].name, network->links[k].place));
    }
    return LINNET_OK;
}

/* ---- what is recorded when nobody says ---- */

typedef struct choosing {
    pattern_columns match;
    const ln_instance *of;
} choosing;

static void add_state(void *context, const char *name, const ln_quantity *quantity) {
    choosing *choice = context;
    const int var = quantity->kind == LN_Q_UNKNOWN ? quantity->index - choice->of->first_own : -1;
    if (var < 0 || var >= choice->of->block.type->nvars)
        return;
    if (choice->of->block.type->vars[var].flags & LINNET_START_FIXED)
        add_match(&choice->match, name, quantity);
}

static linnet_status add_states(ln_recorder *recorder, const ln_instance *of) {
    choosing choice = {{recorder, LINNET_OK}, of};
    const char *pattern = ln_arena_printf(recorder->arena, "%s.*", of->name);
    if (pattern == NULL || ln_network_match(recorder->network, pattern, add_state, &choice) < 0)
        return ln_no_memory(recorder->report);
    return choice.match.status;
}

static int is_own_type(const ln_model *model, const char *type) {
    for (int k = 0; k < model->ndefinitions; k++)
        if (!model->definitions[k].is_component && strcmp(model->definitions[k].name, type) == 0)
            return 1;
    return 0;
}

linnet_status ln_recorder_add_default(ln_recorder *recorder) {
    const ln_network *network = recorder->network;
    LN_TRY(ln_recorder_add_links(recorder));
    for (int all = 0; all < 2 && (!all || recorder->ncolumns == 0); all++)
        for (int k = 0; k < network->ninstances; k++) {
            const ln_instance *instance = &network->instances[k];
            if (instance->block.type->nvars > 0 &&
                (all || is_own_type(network->model, instance->block.type->name)))
                LN_TRY(add_states(recorder, instance));
        }
    pattern_columns rest = {recorder, LINNET_OK};
    if (recorder->ncolumns == 0 && ln_network_match(network, "*", add_match, &rest) < 0)
        return ln_no_memory(recorder->report);
    return rest.status;
}

/* ---- expressions ---- */

/* ln_names over all that has a name: each quantity becomes an UNKNOWN leaf. */
typedef struct naming {
    ln_recorder *recorder;
    ln_place place;
} naming;

static int find_name(void *context, const char *name, int at, ln_value *value) {
    const naming *namer = context;
    ln_recorder *recorder = namer->recorder;
    *value = (ln_value){.node = LN_NONE, .dimension = ln_dimension_any};
    if (strcmp(name, "t") == 0) {
        value->node = ln_leaf_node(recorder->graph, LN_LEAF_TIME, 0);
        return 1;
    }
    ln_quantity quantity;
    const char *nearest = NULL;
    if (!ln_network_find(recorder->network, name, &quantity, &nearest)) {
        ln_place place = namer->place;
        place.column = at;
        (void)ln_tell_unknown_name(recorder->network, recorder->report, name, nearest, place);
        return -1;
    }
    double factor, offset;
    const char *wrong;
    if (quantity.unit != NULL && *quantity.unit != '\0')
        (void)ln_unit_read(quantity.unit, &factor, &offset, &value->dimension, &wrong);
    if (quantity.kind == LN_Q_CONSTANT) {
        value->constant = quantity.sign * quantity.value;
        return 1;
    }
    if (!LN_GROW(recorder->inputs, recorder->ninputs, recorder->inputs_room))
        return -1;
    value->node = ln_leaf_node(recorder->graph, LN_LEAF_UNKNOWN, (int)recorder->ninputs);
    recorder->inputs[recorder->ninputs++] = quantity;
    return 1;
}

/* The value in the unit that is asked for; *unit becomes the column's unit. */
static linnet_status convert(ln_recorder *recorder, const char *name, const char **unit,
                             ln_place place, ln_value *value) {
    char own[64] = "";
    if (!value->dimension.any)
        ln_dimension_text(value->dimension, own);
    if (*unit == NULL) { /* a plain number has none */
        const int is_plain = ln_dimension_fits(value->dimension, ln_dimension_none);
        *unit = ln_arena_string(recorder->arena, is_plain ? "" : own);
        return *unit != NULL ? LINNET_OK : ln_no_memory(recorder->report);
    }
    double factor, offset;
    ln_dimension dimension;
    const char *nearest = NULL;
    if (!ln_unit_read(*unit, &factor, &offset, &dimension, &nearest))
        return ln_fail(recorder->report, LINNET_MODEL, place, "%s: '%s' is no unit%s%s%s", name,
                       *unit, nearest != NULL ? "; did you mean '" : "",
                       nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
    if (!ln_dimension_fits(dimension, value->dimension))
        return ln_fail(recorder->report, LINNET_MODEL, place,
                       "%s: the expression is in %s, which does not fit the "
                       "unit %s",
                       name, own, *unit);
    if (value->dimension.any)
        return LINNET_OK;
    if (offset != 0)
        value->node = ln_operation(recorder->graph, LN_OP_SUB, value->node,
                                   ln_constant(recorder->graph, offset), LN_NONE);
    if (factor != 1)
        value->node = ln_operation(recorder->graph, LN_OP_DIV, value->node,
                                   ln_constant(recorder->graph, factor), LN_NONE);
    return LINNET_OK;
}

/* The value of an expression over everything that has a name. */
static linnet_status lower(ln_recorder *recorder, const char *name, const char *expression,
                           ln_place place, ln_value *value) {
    if (ln_map_get(recorder->index, name) >= 0)
        return ln_fail(recorder->report, LINNET_MODEL, place,
                       "record: '%s' is recorded twice; take another name", name);
    /* what fails without a word has failed for want of memory */
    int before = ln_report_errors(recorder->report);
    const ln_ast *ast = ln_ast_parse(recorder->arena, expression, place, recorder->report);
    if (ast == NULL)
        return ln_report_errors(recorder->report) > before ? LINNET_MODEL
                                                           : ln_no_memory(recorder->report);
    naming where = {recorder, place};
    ln_names names = {find_name, &where, NULL, 0, NULL, 0};
    if (!ln_lower(recorder->graph, ast, &names, place, recorder->report, value))
        return ln_report_errors(recorder->report) > before ? LINNET_MODEL
                                                           : ln_no_memory(recorder->report);
    if (!(ln_depends(recorder->graph, value->node) & LN_DEPENDS_DER))
        return LINNET_OK;
    return ln_fail(recorder->report, LINNET_MODEL, place,
                   "%s: der() has a meaning in equations only; record the flux "
                   "or the rate itself",
                   name);
}

static linnet_status append_node(ln_recorder *recorder, const char *name, const char *unit,
                                 ln_node node) {
    if (!LN_GROW(recorder->nodes, recorder->nnodes, recorder->nodes_room))
        return give_up(recorder);
    recorder->nodes[recorder->nnodes] = node;
    return append(recorder, name, unit, (column){.expression = (int)recorder->nnodes++});
}

linnet_status ln_recorder_add_expression(ln_recorder *recorder, const char *name,
                                         const char *expression, const char *unit, ln_place place) {
    ln_value value;
    LN_TRY(lower(recorder, name, expression, place, &value));
    LN_TRY(convert(recorder, name, &unit, place, &value));
    return append_node(recorder, name, unit, value.node);
}

linnet_status ln_recorder_add_condition(ln_recorder *recorder, const char *name,
                                        const char *condition, ln_place place) {
    ln_value value;
    LN_TRY(lower(recorder, name, condition, place, &value));
    return append_node(recorder, name, "", ln_guard(recorder->graph, value.node));
}

/* One signal under another name. */
static linnet_status add_as(ln_recorder *recorder, const char *name, const char *signal,
                            ln_place place) {
    ln_quantity quantity;
    const char *nearest = NULL;
    if (ln_map_get(recorder->index, name) >= 0)
        return ln_fail(recorder->report, LINNET_MODEL, place,
                       "record: '%s' is recorded twice; take another name", name);
    if (!ln_network_find(recorder->network, signal, &quantity, &nearest))
        return ln_tell_unknown_name(recorder->network, recorder->report, signal, nearest, place);
    return append_quantity(recorder, name, &quantity);
}

linnet_status ln_recorder_add_records(ln_recorder *recorder) {
    const ln_model *model = recorder->network->model;
    linnet_status status = LINNET_OK;
    for (int k = 0; k < model->nrecords; k++) {
        const ln_element *element = model->records[k];
        const char *signals = ln_attribute_of(element, "signals"),
                   *name = ln_attribute_of(element, "name");
        const char *expression = ln_attribute_of(element, "expression");
        ln_place place = ln_place_of(element);
        linnet_status one;
        if (signals != NULL && name == NULL && expression == NULL)
            one = ln_recorder_add(recorder, signals, place);
        else if (signals != NULL && name != NULL && expression == NULL)
            one = add_as(recorder, name, signals, place);
        else if (signals == NULL && name != NULL && expression != NULL)
            one = ln_recorder_add_expression(recorder, name, expression,
                                             ln_attribute_of(element, "unit"), place);
        else
            one = ln_fail(recorder->report, LINNET_MODEL, place,
                          "record: give either signals=\"...\", alone or with a name for "
                          "it, or name=\"...\" and expression=\"...\"");
        if (one == LINNET_MEMORY)
            return one;
        if (status == LINNET_OK)
            status = one;
    }
    return status;
}

/* ---- numbers ---- */

linnet_status ln_recorder_ready(ln_recorder *recorder) {
    for (size_t k = 0; k < recorder->ncolumns; k++)
        if (recorder->columns[k].expression < 0)
            LN_TRY(ln_observe_request(recorder->network, &recorder->columns[k].quantity,
                                      recorder->report));
    for (size_t k = 0; k < recorder->ninputs; k++)
        LN_TRY(ln_observe_request(recorder->network, &recorder->inputs[k], recorder->report));
    const ln_breakpoint *breakpoints;
    (void)ln_decide_time(recorder->graph, recorder->nodes, (int)recorder->nnodes, recorder->arena,
                         &breakpoints);
    recorder->program = ln_program_compile(recorder->arena, recorder->graph, recorder->nodes,
                                           (int)recorder->nnodes);
    recorder->x = LN_NEW(recorder->arena, double, recorder->ninputs);
    recorder->values = LN_NEW(recorder->arena, double, recorder->ncolumns);
    recorder->last_values = LN_NEW(recorder->arena, double, recorder->ncolumns);
    recorder->last_t = NAN;
    if (recorder->last_values == NULL || ln_graph_failed(recorder->graph) ||
        recorder->program == NULL || recorder->x == NULL || recorder->values == NULL)
        return ln_no_memory(recorder->report);
    recorder->file = LN_NEW(recorder->arena, double, recorder->program->registers);
    if (recorder->file == NULL)
        return ln_no_memory(recorder->report);
    ln_program_start(recorder->program, recorder->file, NULL);
    return LINNET_OK;
}

ln_node ln_recorder_expression(const ln_recorder *recorder, int index, const ln_graph **graph,
                               const ln_quantity **inputs) {
    *graph = recorder->graph;
    *inputs = recorder->inputs;
    return recorder->columns[index].expression < 0
               ? LN_NONE
               : recorder->nodes[recorder->columns[index].expression];
}

const ln_quantity *ln_recorder_quantity(const ln_recorder *recorder, int index) {
    assert(index >= 0 && (size_t)index < recorder->ncolumns);
    return &recorder->columns[index].quantity;
}

const ln_column *ln_recorder_columns(const ln_recorder *recorder, int *count) {
    assert(recorder->ntitles == recorder->ncolumns); /* a title each */
    *count = (int)recorder->ncolumns;
    return recorder->titles;
}

const double *ln_recorder_observe(ln_recorder *recorder, ln_system *system, ln_side side,
                                  const double *x) {
    for (size_t k = 0; k < recorder->ninputs; k++)
        recorder->x[k] = ln_system_observe(system, &recorder->inputs[k], side, x);
    if (recorder->nnodes > 0)
        ln_program_run(recorder->program, recorder->file, NULL,
                       &(linnet_point){side.t, ln_side_beside(side), recorder->x, NULL});
    for (size_t k = 0; k < recorder->ncolumns; k++) {
        const column *recorded = &recorder->columns[k];
        recorder->values[k] = recorded->expression >= 0
                                  ? recorder->file[recorder->program->output[recorded->expression]]
                                  : ln_system_observe(system, &recorded->quantity, side, x);
    }
    return recorder->values;
}

int ln_recorder_decisions(const ln_recorder *recorder, double *decision) {
    return ln_program_decisions(recorder->program, recorder->file, decision);
}

linnet_status ln_recorder_own_decisions(const ln_recorder *recorder, int index, char *own) {
    const int node = recorder->columns[index].expression;
    return ln_program_own_decisions(recorder->program, recorder->arena, node, own) ? LINNET_OK
                                                                                   : LINNET_MEMORY;
}

int ln_recorder_is_new(ln_recorder *recorder, double t) {
    const size_t bytes = recorder->ncolumns * sizeof *recorder->last_values;
    int is_new =
        t != recorder->last_t || memcmp(recorder->last_values, recorder->values, bytes) != 0;
    recorder->last_t = t;
    if (bytes > 0)
        memcpy(recorder->last_values, recorder->values, bytes);
    return is_new;
}

/* ---- what the columns are like ---- */

static int is_held(const ln_quantity *quantity, const char *held) {
    switch (quantity->kind) {
    case LN_Q_UNKNOWN: return held[quantity->index];
    case LN_Q_MEMORY:
    case LN_Q_CONSTANT:
    case LN_Q_ZERO: return 1;
    default: return 0;
    }
}

linnet_status ln_recorder_mark_held(ln_recorder *recorder, ln_system *system) {
    char *held = LN_NEW(recorder->arena, char, system->n + 1);
    if (held == NULL || ln_system_event_signals(system, held) != LINNET_OK)
        return ln_no_memory(recorder->report);
    int inputs = 1; /* is all that expressions name held? */
    for (size_t k = 0; k < recorder->ninputs; k++)
        inputs &= is_held(&recorder->inputs[k], held);
    for (size_t k = 0; k < recorder->ncolumns; k++) {
        const column *recorded = &recorder->columns[k];
        if (recorded->expression < 0)
            recorder->titles[k].held = is_held(&recorded->quantity, held);
        else
            recorder->titles[k].held =
                inputs && !(ln_depends(recorder->graph, recorder->nodes[recorded->expression]) &
                            (1u << LN_LEAF_TIME));
    }
    return LINNET_OK;
}

const double *ln_recorder_noise(const ln_recorder *recorder, ln_arena *arena) {
    double *noise = LN_NEW(arena, double, recorder->ncolumns + 1), nominal;
    for (size_t k = 0; noise != NULL && k < recorder->ncolumns; k++) {
        const column *recorded = &recorder->columns[k];
        noise[k] = 0;
        if (recorded->expression < 0 && recorded->quantity.kind == LN_Q_UNKNOWN)
            ln_network_unknown_scale(recorder->network, recorded->quantity.index, &noise[k],
                                     &nominal);
        else
            (void)ln_unit_scale(recorder->titles[k].unit, &noise[k], &nominal);
    }
    return noise;
}
