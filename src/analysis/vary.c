/* SPDX-License-Identifier: MIT */
/* Reading of axes, and the values of a case. */
#include "analysis/vary.h"

#include "base/text.h"
#include "expression/ast.h"
#include "expression/dimension.h"
#include "expression/graph.h"
#include "model/scope.h"
#include "expression/nodes.h"
#include "network/network.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const long most_cases = 1000000000;

typedef struct variation_reader {
    const ln_network *nominal;
    ln_arena *arena;
    ln_report *report;
    const char *text; /* the whole NAME=VALUES */
    ln_vary *vary;
} variation_reader;

static linnet_status refuse(const variation_reader *reader, const char *what) {
    return ln_fail(
        reader->report, LINNET_USAGE, LN_NOWHERE,
        "--vary %s: %s; write NAME=FROM:TO:N, NAME=log:FROM:TO:N, NAME=A,B,C, "
        "NAME=corner:LOW,HIGH, "
        "NAME=uniform(A,B), loguniform(A,B), normal(MEAN,SIGMA) or lognormal(MEDIAN,SIGMA)",
        reader->text, what);
}

/* ---- numbers ---- */

typedef struct number {
    double value;
    ln_dimension dimension;
} number;

/* An expression as in the model, of its parameters. 0 when it is none; `quietly`: without a word.
 */
static int evaluate(const variation_reader *reader, const char *text, int quietly, number *result) {
    if (ln_ast_literal(text, &result->value, &result->dimension))
        return 1;
    ln_report *report = quietly ? NULL : reader->report;
    const ln_place place = {"option --vary", 0, 0};
    const ln_ast *ast = ln_ast_parse(reader->arena, text, place, report);
    ln_graph *graph = ast != NULL ? ln_graph_new() : NULL;
    ln_names names = ln_scope_names(reader->nominal->scope);
    ln_value value;
    int found = graph != NULL && ln_lower(graph, ast, &names, place, report, &value) &&
                ln_node_op(graph, value.node) == LN_OP_CONSTANT;
    if (found)
        *result = (number){ln_node_value(graph, value.node), value.dimension};
    ln_graph_free(graph);
    return found;
}

static char *piece(const variation_reader *reader, const char *from, const char *to) {
    while (from < to && *from == ' ')
        from++;
    while (to > from && to[-1] == ' ')
        to--;
    return ln_arena_text(reader->arena, from, (size_t)(to - from));
}

/* Splits at a character outside of brackets into at most `most` pieces; -1 when there are more, or
 * memory is short. */
static int split(const variation_reader *reader, const char *text, char at, char **pieces,
                 int most) {
    int count = 0, depth = 0;
    const char *from = text;
    for (const char *c = text;; c++) {
        if (*c == '(' || *c == '[')
            depth++;
        if (*c == ')' || *c == ']')
            depth--;
        if (*c != '\0' && (*c != at || depth != 0))
            continue;
        if (count == most || (pieces[count++] = piece(reader, from, c)) == NULL)
            return -1;
        if (*c == '\0')
            return count;
        from = c + 1;
    }
}

static int count_pieces(const char *text, char at) {
    int count = 1;
    for (; *text != '\0'; text++)
        count += *text == at;
    return count;
}

/* The common unit of two numbers; NULL when they do not fit. */
static const char *unit_of(const variation_reader *reader, const number *a, const number *b) {
    char text[64] = "";
    const ln_dimension *which = a->dimension.any ? &b->dimension : &a->dimension;
    if (!ln_dimension_fits(a->dimension, b->dimension))
        return NULL;
    if (!which->any)
        ln_dimension_text(*which, text);
    return ln_arena_string(reader->arena, text);
}

static const char *with_unit(double value, const char *unit, char buffer[96]) {
    char digits[32];
    (void)ln_number_format(digits, value);
    snprintf(buffer, 96, "%s%s%s", digits, *unit != '\0' ? " " : "", unit);
    return buffer;
}

/* Two numbers, or one tolerance around the model's own value: low and high, or value and deviation.
 */
static linnet_status read_pair(const variation_reader *reader, const char *inside, int deviation,
                               number *a, number *b) {
    char *texts[2];
    int count = split(reader, inside, ',', texts, 2);
    if (count < 1)
        return refuse(reader, "two values are wanted here, or one tolerance such as 5%");
    if (!evaluate(reader, texts[0], 0, a) || (count == 2 && !evaluate(reader, texts[1], 0, b)))
        return refuse(reader, "a value cannot be read");
    if (count == 2)
        return LINNET_OK;
    ln_quantity quantity;
    const char *nearest = NULL, *wrong;
    double factor, offset, part = a->value;
    if (!ln_network_find(reader->nominal, reader->vary->name, &quantity, &nearest) ||
        quantity.kind != LN_Q_CONSTANT)
        return refuse(reader, "a tolerance alone needs a parameter of the model, a number");
    if (!(part > 0) || !ln_dimension_fits(a->dimension, ln_dimension_none))
        return refuse(reader, "a tolerance is a positive number such as 5%");
    *a = *b = (number){quantity.value, ln_dimension_any};
    if (quantity.unit != NULL && *quantity.unit != '\0')
        (void)ln_unit_read(quantity.unit, &factor, &offset, &a->dimension, &wrong);
    b->dimension = a->dimension;
    b->value = deviation ? part * fabs(a->value) : a->value + part * fabs(a->value);
    if (!deviation)
        a->value -= part * fabs(a->value);
    return LINNET_OK;
}

/* ---- the forms ---- */

static linnet_status take_list(const variation_reader *reader, char **values, int count) {
    for (int k = 0; k < count; k++)
        if (*values[k] == '\0')
            return refuse(reader, "a value is missing");
    reader->vary->kind = LN_VARY_LIST;
    reader->vary->values = (const char *const *)values;
    reader->vary->count = count;
    return LINNET_OK;
}

static linnet_status read_list(const variation_reader *reader, const char *text) {
    int count = count_pieces(text, ',');
    char **values = LN_NEW(reader->arena, char *, count);
    if (values == NULL || (count = split(reader, text, ',', values, count)) < 0)
        return ln_no_memory(reader->report);
    return take_list(reader, values, count);
}

static linnet_status read_corner(const variation_reader *reader, const char *text) {
    number low, high;
    char **values = LN_NEW(reader->arena, char *, 2), buffer[96];
    if (values == NULL)
        return ln_no_memory(reader->report);
    LN_TRY(read_pair(reader, text, 0, &low, &high));
    const char *unit = unit_of(reader, &low, &high);
    if (unit == NULL)
        return refuse(reader, "the units of the two values do not fit");
    values[0] = ln_arena_string(reader->arena, with_unit(low.value, unit, buffer));
    values[1] = ln_arena_string(reader->arena, with_unit(high.value, unit, buffer));
    if (values[0] == NULL || values[1] == NULL)
        return ln_no_memory(reader->report);
    return take_list(reader, values, 2);
}

/* FROM:TO:COUNT, evenly or by equal ratios; the values are made case by case. */
static linnet_status read_grid(const variation_reader *reader, const char *text, int logarithmic) {
    char *texts[3];
    number from, to, count;
    if (split(reader, text, ':', texts, 3) != 3)
        return refuse(reader, "a grid has three parts");
    if (!evaluate(reader, texts[0], 0, &from) || !evaluate(reader, texts[1], 0, &to) ||
        !evaluate(reader, texts[2], 0, &count))
        return refuse(reader, "a value cannot be read");
    if (!(count.value >= 1 && count.value <= (double)most_cases) ||
        count.value != floor(count.value))
        return refuse(reader, "the number of values must be a whole one, at least 1");
    if (logarithmic && !(from.value > 0 && to.value > 0))
        return refuse(reader, "a logarithmic grid lies above 0");
    reader->vary->unit = unit_of(reader, &from, &to);
    if (reader->vary->unit == NULL)
        return refuse(reader, "the units of the two ends do not fit");
    reader->vary->kind = logarithmic ? LN_VARY_LOG_GRID : LN_VARY_GRID;
    reader->vary->a = from.value;
    reader->vary->b = to.value;
    reader->vary->count = (long)count.value;
    return LINNET_OK;
}

/* A distribution of two numbers: ends, or middle and deviation. */
typedef struct distribution {
    const char *name; /* with the parenthesis */
    ln_vary_kind kind;
    int deviation; /* the second number is one */
    int logarithmic;
} distribution;

static const distribution *distribution_of(const char *text) {
    static const distribution kinds[] = {{"uniform(", LN_VARY_UNIFORM, 0, 0},
                                         {"loguniform(", LN_VARY_LOG_UNIFORM, 0, 1},
                                         {"normal(", LN_VARY_NORMAL, 1, 0},
                                         {"lognormal(", LN_VARY_LOG_NORMAL, 1, 1}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (strncmp(text, kinds[k].name, strlen(kinds[k].name)) == 0 &&
            text[strlen(text) - 1] == ')')
            return &kinds[k];
    return NULL;
}

/* What is wrong with two numbers of one unit; NULL: nothing. */
static const char *wrong_with(const distribution *of, double a, double b) {
    if (of->deviation && !(b >= 0))
        return "the deviation must not be negative";
    if (!of->deviation && !(a < b))
        return "the first value must be below the second";
    return of->logarithmic && !(a > 0) ? "its values must lie above 0" : NULL;
}

/* "uniform(1 kOhm, 2 kOhm)" */
static linnet_status read_random(const variation_reader *reader, const char *text,
                                 const distribution *of) {
    const char *inside = piece(reader, text + strlen(of->name), text + strlen(text) - 1);
    /* the deviation of a logarithm has no unit */
    const int is_log_normal = of->kind == LN_VARY_LOG_NORMAL;
    number a, b;
    if (inside == NULL)
        return ln_no_memory(reader->report);
    if (is_log_normal && strchr(inside, ',') == NULL)
        return refuse(reader,
                      "a lognormal distribution has a median and the deviation of its logarithm");
    LN_TRY(read_pair(reader, inside, of->kind == LN_VARY_NORMAL, &a, &b));
    const char *unit = unit_of(reader, &a, is_log_normal ? &a : &b);
    const char *wrong =
        unit == NULL ? "the units of the two values do not fit" : wrong_with(of, a.value, b.value);
    if (wrong != NULL)
        return refuse(reader, wrong);
    reader->vary->kind = of->kind;
    reader->vary->a = a.value;
    reader->vary->b = b.value;
    reader->vary->unit = unit;
    return LINNET_OK;
}

static linnet_status read_one(const variation_reader *reader) {
    const char *equals = strchr(reader->text, '=');
    for (const char *c = reader->text; *c != '\0'; c++)
        if ((unsigned char)*c < ' ')
            return refuse(reader, "it holds a control character");
    if (equals == NULL || equals == reader->text || equals[1] == '\0')
        return refuse(reader, "name or values are missing");
    reader->vary->name = piece(reader, reader->text, equals);
    const char *values = piece(reader, equals + 1, equals + strlen(equals));
    if (reader->vary->name == NULL || values == NULL)
        return ln_no_memory(reader->report);
    if (*reader->vary->name == '\0' || *values == '\0')
        return refuse(reader, "name or values are missing");
    const distribution *of = distribution_of(values);
    if (of != NULL)
        return read_random(reader, values, of);
    if (strncmp(values, "log:", 4) == 0)
        return read_grid(reader, values + 4, 1);
    if (strncmp(values, "corner:", 7) == 0)
        return read_corner(reader, values + 7);
    return strchr(values, ':') != NULL ? read_grid(reader, values, 0) : read_list(reader, values);
}

static int is_random(const ln_vary *vary) {
    return vary->kind > LN_VARY_LOG_GRID;
}

linnet_status ln_axes_read(const ln_network *nominal, const ln_vary_plan *plan, ln_arena *arena,
                           ln_report *report, ln_axes *axes) {
    const int ntexts = plan->ntexts;
    const long draws = plan->draws;
    ln_vary *items = LN_NEW(arena, ln_vary, ntexts);
    if (items == NULL)
        return ln_no_memory(report);
    *axes = (ln_axes){.items = items, .count = ntexts, .points = 1, .draws = 1, .seed = plan->seed};
    int random = 0;
    for (int k = 0; k < ntexts; k++) {
        variation_reader reader = {nominal, arena, report, plan->texts[k], &items[k]};
        LN_TRY(read_one(&reader));
        for (int i = 0; i < k; i++)
            if (strcmp(items[i].name, items[k].name) == 0)
                return refuse(&reader, "this parameter is varied twice");
        if (is_random(&items[k]))
            random++;
        else if (items[k].count > most_cases / axes->points)
            return refuse(&reader, "that makes more than 1e9 cases");
        else
            axes->points *= items[k].count;
    }
    if (random > 0 && draws == 0)
        return ln_fail(report, LINNET_USAGE, LN_NOWHERE,
                       "--cases is missing: random values need the number of cases");
    if (random == 0 && draws > 0)
        return ln_fail(report, LINNET_USAGE, LN_NOWHERE,
                       "--cases %ld: nothing is random; lists and grids say themselves "
                       "how many cases there are",
                       draws);
    if (random > 0)
        axes->draws = draws;
    if (axes->draws > most_cases / axes->points)
        return ln_fail(report, LINNET_USAGE, LN_NOWHERE,
                       "--cases %ld: that makes more than 1e9 cases", draws);
    axes->cases = axes->points * axes->draws;
    return LINNET_OK;
}

/* ---- the values of a case ---- */

static double grid_value(const ln_vary *on, long k) {
    const double part = on->count > 1 ? (double)k / (double)(on->count - 1) : 0;
    if (k == 0 || k == on->count - 1)
        return k == 0 ? on->a : on->b;
    return on->kind == LN_VARY_LOG_GRID ? on->a * pow(on->b / on->a, part)
                                        : on->a + part * (on->b - on->a);
}

const char *ln_axis_value(const ln_axes *axes, int axis, long index, char buffer[96]) {
    const ln_vary *vary = &axes->items[axis];
    const unsigned long long which = (unsigned long long)index;
    double value = 0;
    if (!is_random(vary)) {
        long point = index / axes->draws;
        for (int k = axes->count - 1; k > axis; k--)
            if (!is_random(&axes->items[k]))
                point /= axes->items[k].count;
        if (vary->kind == LN_VARY_LIST)
            return vary->values[point % vary->count];
        value = grid_value(vary, point % vary->count);
    }
    if (vary->kind == LN_VARY_UNIFORM)
        value = vary->a + (vary->b - vary->a) * ln_draw_uniform(axes->seed, which, vary->name);
    if (vary->kind == LN_VARY_LOG_UNIFORM)
        value = vary->a * pow(vary->b / vary->a, ln_draw_uniform(axes->seed, which, vary->name));
    if (vary->kind == LN_VARY_NORMAL)
        value = vary->a + vary->b * ln_draw_normal(axes->seed, which, vary->name);
    if (vary->kind == LN_VARY_LOG_NORMAL)
        value = vary->a * exp(vary->b * ln_draw_normal(axes->seed, which, vary->name));
    return with_unit(value, vary->unit, buffer);
}
