/* SPDX-License-Identifier: MIT */
/* Fuzz targets of the small readers: expressions with their derivatives and programs, numbers and
 * units, tables. */
#include "fuzz.h"

#include "base/csv.h"
#include "base/sys.h"
#include "base/text.h"
#include "expression/program.h"

#include <math.h>
#include <string.h>

/* The bytes as a text that ends at the first NUL; from ln_sys, the caller's. */
static char *text_of(const uint8_t *data, size_t length) {
    char *text = ln_sys->allocate(length + 1);
    if (length > 0)
        memcpy(text, data, length);
    text[length] = '\0';
    return text;
}

/* ---- expressions ---- */

enum { NAMES = 4 };
static const char *const names[NAMES] = {"x", "y", "R", "T"};
static const char *const units[NAMES] = {"", "V", "Ohm", "s"};

typedef struct site {
    ln_graph *graph;
    ln_arena *arena;
    ln_report *report;
} site;

/* x, y are unknowns, R, T parameters, t the time. */
static int find_name(void *context, const char *name, int column, ln_value *value) {
    const site *at = context;
    double factor, offset;
    (void)column;
    *value = (ln_value){.node = LN_NONE, .dimension = ln_dimension_any};
    if (strcmp(name, "t") == 0)
        value->node = ln_leaf_node(at->graph, LN_LEAF_TIME, 0);
    for (int k = 0; k < NAMES && value->node == LN_NONE; k++)
        if (strcmp(name, names[k]) == 0) {
            value->node =
                ln_leaf_node(at->graph, k < 2 ? LN_LEAF_UNKNOWN : LN_LEAF_PARAMETER, k % 2);
            if (units[k][0] != '\0')
                (void)ln_unit_read(units[k], &factor, &offset, &value->dimension, NULL);
        }
    return value->node != LN_NONE;
}

static double run_program(const site *at, ln_node node, double x) {
    const double parameters[] = {50, 0.25}, unknowns[] = {x, -0.75};
    const ln_program *program = ln_program_compile(at->arena, at->graph, &node, 1);
    double *file =
        program != NULL ? LN_NEW(at->arena, double, (size_t)program->registers + 1) : NULL;
    char why[128];
    if (file == NULL)
        return NAN; /* der() is for equations */
    ln_program_start(program, file, parameters);
    ln_program_run(program, file, parameters, &(linnet_point){0.5, 0.5, unknowns, NULL});
    const double value = file[program->output[0]];
    if (isfinite(value) && ln_program_explain(program, file, why))
        fuzz_broken("a finite value is explained: %s", why);
    return value;
}

/* Value and derivative; a copy gives the same bits. */
static void look_at(const site *at, ln_node node) {
    if (ln_graph_size(at->graph) > 5000 || ln_depends(at->graph, node) & LN_DEPENDS_DER)
        return;
    const double here = run_program(at, node, 1.5);
    const ln_node slope =
        ln_derivative(at->graph, node, ln_leaf_node(at->graph, LN_LEAF_UNKNOWN, 0));
    if (slope != LN_NONE && ln_graph_size(at->graph) < 200000)
        (void)run_program(at, slope, 1.5);
    const double again = run_program(at, node, 1.5);
    if (memcmp(&here, &again, sizeof here) != 0 && !(isnan(here) && isnan(again)))
        fuzz_broken("the same expression is %.17g and %.17g", here, again);
}

void fuzz_expression(const uint8_t *data, size_t length) {
    char *text = text_of(data, length);
    site at = {ln_graph_new(), ln_arena_new(), ln_report_new(NULL, NULL)};
    const ln_place place = {"m.xml", 3, 0};
    ln_names scope = {find_name, &at, names, NAMES, NULL, 0};
    const ln_ast *left = NULL, *right = NULL, *whole;
    ln_value value;
    ln_index_range *ranges;
    int count;
    if (strchr(text, '=') != NULL &&
        ln_ast_parse_equation(at.arena, text, place, at.report, &left, &right))
        (void)ln_lower(at.graph, left, &scope, place, at.report, &value);
    if (strstr(text, "..") != NULL)
        (void)ln_ast_parse_ranges(at.arena, text, place, at.report, &ranges, &count);
    const int before = ln_report_errors(at.report);
    whole = ln_ast_parse(at.arena, text, place, at.report);
    const int good = whole != NULL && ln_lower(at.graph, whole, &scope, place, at.report, &value);
    if (!good && ln_report_errors(at.report) == before)
        fuzz_broken("an expression is refused without a word");
    if (good)
        look_at(&at, value.node);
    ln_graph_free(at.graph);
    ln_arena_free(at.arena);
    ln_report_free(at.report);
    ln_sys->release(text);
}

/* ---- numbers ---- */

/* A number that was read is written so that it reads back as itself. */
static void back_and_forth(double value) {
    char written[32];
    const char *end;
    if (ln_number_format(written, value) >= 32 || (isfinite(value) && written[0] == '\0'))
        fuzz_broken("a number has no text");
    const double again = isfinite(value) ? ln_number_read(written, &end) : value;
    if (isfinite(value) && (*end != '\0' || memcmp(&again, &value, sizeof value) != 0))
        fuzz_broken("%.17g is written as %s and read as %.17g", value, written, again);
}

void fuzz_number(const uint8_t *data, size_t length) {
    char *text = text_of(data, length), shown[64];
    ln_arena *arena = ln_arena_new();
    ln_report *report = ln_report_new(NULL, NULL);
    ln_dimension dimension;
    const char *end = text, *nearest;
    double value, factor, offset;
    int rows, cols;
    value = ln_number_read(text, &end);
    if (end < text || end > text + strlen(text))
        fuzz_broken("a number ends outside its text");
    back_and_forth(value);
    if (length >= sizeof value) {
        memcpy(&value, data, sizeof value);
        back_and_forth(value);
    }
    if (ln_ast_literal(text, &value, &dimension))
        ln_dimension_text(dimension, shown);
    if (ln_unit_read(text, &factor, &offset, &dimension, &nearest))
        ln_dimension_text(dimension, shown);
    if (ln_ast_parse_list(arena, text, LN_NOWHERE, report, &rows, &cols) == NULL &&
        ln_report_errors(report) == 0)
        fuzz_broken("a list is refused without a word");
    ln_arena_free(arena);
    ln_report_free(report);
    ln_sys->release(text);
}

/* ---- tables ---- */

typedef linnet_status table_reader(const char *path, ln_input_from from, ln_arena *arena,
                                   ln_report *report, ln_csv *csv);

static void read_table(table_reader *read, const char *path, int rises) {
    ln_arena *arena = ln_arena_new();
    ln_report *report = ln_report_new(NULL, NULL);
    ln_csv csv = {0};
    const linnet_status status = read(path, LN_FROM_MODEL, arena, report, &csv);
    fuzz_told(status, report, "a table");
    double sum = 0;
    for (size_t k = 0; status == LINNET_OK && k < csv.nrows * (size_t)csv.ncolumns; k++)
        sum += csv.data[k];
    for (int k = 0; status == LINNET_OK && k < csv.ncolumns; k++)
        sum += (double)strlen(csv.names[k]);
    for (size_t k = 1; status == LINNET_OK && rises && k < csv.nrows; k++)
        if (!(csv.data[k * (size_t)csv.ncolumns] >= csv.data[(k - 1) * (size_t)csv.ncolumns]))
            fuzz_broken("times fall (%g)", sum);
    ln_arena_free(arena);
    ln_report_free(report);
}

void fuzz_table(const uint8_t *data, size_t length) {
    const char *path = fuzz_file(data, length);
    read_table(ln_csv_read, path, 1);
    read_table(ln_csv_read_columns, path, 0);
    read_table(ln_csv_read_table, path, 0);
}
