/* SPDX-License-Identifier: MIT */
#include "expression_fixture.h"

#include "base/sys.h"
#include "base/text.h"

static const char *const unknown_names[] = {"x", "y", "z", "v", "i"};
static const char *const parameter_names[] = {"p", "q", "R", "T"};
static const char *const known[] = {"x", "y", "z", "v", "i", "p", "q", "R", "T", "food"};

static ln_dimension unit(const char *text) {
    double factor, offset;
    ln_dimension dimension;
    ln_unit_read(text, &factor, &offset, &dimension, NULL);
    return dimension;
}

static int find(void *context, const char *name, int column, ln_value *value) {
    static const char *const units[] = {"V", "A", "Ohm", "s"};
    fixture *f = context;
    (void)column;
    value->dimension = ln_dimension_any;
    for (int k = 0; k < FIXTURE_UNKNOWNS; k++) {
        if (strcmp(name, unknown_names[k]))
            continue;
        value->node = ln_leaf_node(f->graph, LN_LEAF_UNKNOWN, k);
        if (k >= 3)
            value->dimension = unit(units[k - 3]);
        return 1;
    }
    for (int k = 0; k < FIXTURE_PARAMETERS; k++) {
        if (strcmp(name, parameter_names[k]))
            continue;
        value->node = ln_leaf_node(f->graph, LN_LEAF_PARAMETER, k);
        if (k >= 2)
            value->dimension = unit(units[k]);
        return 1;
    }
    if (strcmp(name, "t"))
        return 0;
    value->node = ln_leaf_node(f->graph, LN_LEAF_TIME, 0);
    return 1;
}

void fixture_open(fixture *f) {
    *f = (fixture){ln_arena_new(), ln_report_new(NULL, NULL), ln_graph_new(), {0}};
    f->names = (ln_names){find, f, known, sizeof known / sizeof *known, NULL, 0};
}

void fixture_close(fixture *f) {
    ln_graph_free(f->graph);
    ln_report_free(f->report);
    ln_arena_free(f->arena);
}

ln_node fixture_lower(fixture *f, const char *text, ln_dimension *dimension) {
    ln_place place = {"m.xml", 3, 0};
    ln_value value;
    const ln_ast *ast = ln_ast_parse(f->arena, text, place, f->report);
    if (!ast || !ln_lower(f->graph, ast, &f->names, place, f->report, &value))
        return LN_NONE;
    if (dimension)
        *dimension = value.dimension;
    return value.node;
}

ln_node fixture_unknown(fixture *f, int index) {
    return ln_leaf_node(f->graph, LN_LEAF_UNKNOWN, index);
}

ln_node fixture_time(fixture *f) {
    return ln_leaf_node(f->graph, LN_LEAF_TIME, 0);
}

double fixture_run(fixture *f, ln_node node, const double *parameters, const double *x, double t) {
    const ln_program *program = ln_program_compile(f->arena, f->graph, &node, 1);
    double *file = program ? LN_NEW(f->arena, double, program->registers) : NULL;
    if (!file)
        return NAN;
    ln_program_start(program, file, parameters);
    ln_program_run(program, file, parameters, &(linnet_point){t, t, x, NULL});
    return file[program->output[0]];
}

const char *fixture_message(const fixture *f) {
    const char *last = "";
    for (int i = 0; ln_report_text(f->report, i); i++)
        last = ln_report_text(f->report, i);
    return last;
}

void fixture_leaf(void *context, ln_text *text, ln_leaf kind, int index) {
    (void)context;
    ln_text_add(text, kind == LN_LEAF_UNKNOWN     ? unknown_names[index]
                      : kind == LN_LEAF_PARAMETER ? parameter_names[index]
                      : kind == LN_LEAF_TIME      ? "t"
                                                  : "decide");
}

double value_of(const char *text) {
    fixture f;
    double value = NAN;
    ln_dimension dimension;
    fixture_open(&f);
    const ln_ast *ast = ln_ast_parse(f.arena, text, LN_NOWHERE, f.report);
    if (!ast || !ln_evaluate(ast, NULL, LN_NOWHERE, f.report, &value, &dimension))
        printf("\n    \"%s\": %s\n", text, fixture_message(&f));
    fixture_close(&f);
    return value;
}

/* ln_evaluate() works in a graph of its own, in which the fixture's leaves have no place. */
static int find_constant(void *context, const char *name, int column, ln_value *value) {
    fixture *f = context;
    ln_value leaf = {LN_NONE, ln_dimension_any, 0};
    if (strcmp(name, "t") == 0 || find(f, name, column, &leaf) == 0)
        return 0;
    *value = (ln_value){LN_NONE, leaf.dimension, 1};
    return 1;
}

const char *message_of(const char *text, char buffer[512]) {
    fixture f;
    double value;
    ln_dimension dimension;
    ln_place place = {"m.xml", 3, 0};
    fixture_open(&f);
    ln_names names = f.names;
    names.find = find_constant;
    const ln_ast *ast = ln_ast_parse(f.arena, text, place, f.report);
    int good = ast && ln_evaluate(ast, &names, place, f.report, &value, &dimension);
    snprintf(buffer, 512, "%s", fixture_message(&f));
    CU_ASSERT_EQUAL(good, buffer[0] == '\0');
    CU_ASSERT_EQUAL(ln_report_errors(f.report), !good);
    fixture_close(&f);
    return buffer;
}

/* ---- memory that ends ---- */

static long calls_left;

static void *failing_allocate(size_t bytes) {
    return calls_left-- > 0 ? ln_sys_real.allocate(bytes) : NULL;
}

static void *failing_resize(void *block, size_t bytes) {
    return calls_left-- > 0 ? ln_sys_real.resize(block, bytes) : NULL;
}

static ln_sys_table failing;

void fail_allocations_after(long calls) {
    failing = ln_sys_real;
    failing.allocate = failing_allocate;
    failing.resize = failing_resize;
    calls_left = calls;
    ln_sys = &failing;
}

void fail_no_allocations(void) {
    ln_sys = &ln_sys_real;
}
