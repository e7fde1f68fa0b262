/* SPDX-License-Identifier: MIT */
/* Programs: parts, runs against the graph's own folding, explanations, printed C compiled and run,
 * memory that ends. */
#include "expression/code.h"
#include "expression_fixture.h"
#include "expression_tests.h"

#include "base/sys.h"
#include "base/text.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct compiled {
    fixture f;
    const ln_program *program;
    double *file;
} compiled;

static void compile(compiled *c, const char *const *texts, int count) {
    ln_node nodes[128];
    fixture_open(&c->f);
    for (int i = 0; i < count; i++)
        nodes[i] = fixture_lower(&c->f, texts[i], NULL);
    c->program = ln_program_compile(c->f.arena, c->f.graph, nodes, count);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c->program);
    c->file = LN_NEW(c->f.arena, double, c->program->registers);
}

void test_parts(void) {
    static const char *const texts[] = {"sin(p*q)*x + 3", "sin(p*q)*x + y", "2 + 3", "x", "p", "t"};
    const double parameters[FIXTURE_PARAMETERS] = {2, 0.5}, x[FIXTURE_UNKNOWNS] = {10, 20};
    compiled c;
    compile(&c, texts, 6);
    CU_ASSERT_EQUAL(c.program->nstart, 2);     /* p*q, sin: once */
    CU_ASSERT_EQUAL(c.program->nbody, 3);      /* the product is shared */
    CU_ASSERT_EQUAL(c.program->nconstants, 2); /* 3 and 5 */
    CU_ASSERT_EQUAL(c.program->nunknowns, 2);
    CU_ASSERT_EQUAL(c.program->nparameters, 2);
    ln_program_start(c.program, c.file, parameters);
    unsigned long before = ln_sys_allocations();
    for (int i = 0; i < 100; i++)
        ln_program_run(c.program, c.file, parameters, &(linnet_point){0.25, 0.2, x, NULL});
    CU_ASSERT_EQUAL(ln_sys_allocations(), before);
    const double expected[] = {sin(1) * 10 + 3, sin(1) * 10 + 20, 5, 10, 2, 0.25};
    for (int i = 0; i < 6; i++)
        CU_ASSERT_EQUAL(c.file[c.program->output[i]], expected[i]);
    fixture_close(&c.f);
}

/* Products go into the sums that use them alone, and only there. */
void test_fused(void) {
    static const char *const texts[] = {"x*y + z",         "x*y - z",     "z - x*y",
                                        "p*x + q*y + z*z", "x*y + x*y*z", "p*q + x"};
    static const int instructions[] = {1, 1, 1, 3, 2, 1};
    const double parameters[FIXTURE_PARAMETERS] = {2.1, 0.7}, x[FIXTURE_UNKNOWNS] = {0.1, 0.3, 1.7};
    const double expected[] = {0.1 * 0.3 + 1.7,
                               0.1 * 0.3 - 1.7,
                               1.7 - 0.1 * 0.3,
                               2.1 * 0.1 + 0.7 * 0.3 + 1.7 * 1.7,
                               0.1 * 0.3 + 0.1 * 0.3 * 1.7,
                               2.1 * 0.7 + 0.1};
    for (int i = 0; i < 6; i++) {
        compiled c;
        compile(&c, texts + i, 1);
        CU_ASSERT_EQUAL(c.program->nbody, instructions[i]);
        ln_program_start(c.program, c.file, parameters);
        ln_program_run(c.program, c.file, parameters, &(linnet_point){0, 0, x, NULL});
        CHECK_CLOSE(c.file[c.program->output[0]], expected[i], 2.3e-16);
        fixture_close(&c.f);
    }
}

void test_no_derivative(void) {
    fixture f;
    fixture_open(&f);
    ln_node node = fixture_lower(&f, "1 + der(x)", NULL), none = LN_NONE;
    CU_ASSERT_PTR_NULL(ln_program_compile(f.arena, f.graph, &node, 1));
    CU_ASSERT_PTR_NULL(ln_program_compile(f.arena, f.graph, &none, 1));
    CU_ASSERT_PTR_NOT_NULL(ln_program_compile(f.arena, f.graph, NULL, 0));
    fixture_close(&f);
}

void test_selection(void) {
    static const char *const texts[] = {"if(x gt 0, log(x), 5)", "if(x gt 0, 7, 1/(x - x))"};
    const double parameters[FIXTURE_PARAMETERS] = {0}, x[FIXTURE_UNKNOWNS] = {-1};
    compiled c;
    compile(&c, texts, 1);
    ln_program_start(c.program, c.file, parameters);
    ln_program_run(c.program, c.file, parameters, &(linnet_point){0, 0, x, NULL});
    CU_ASSERT_EQUAL(c.file[c.program->output[0]], 5);
    char text[128];
    /* the branch not taken is nobody's business */
    CU_ASSERT_FALSE(ln_program_explain(c.program, c.file, text));
    fixture_close(&c.f);
}

void test_explain(void) {
    static const struct {
        const char *text;
        double x, y;
        const char *why;
    } cases[] = {
        {"1 + sqrt(x + y)", -0.5, 0.25, "sqrt(-0.25)"},
        {"y*(1/x)", 0, 2, "1 / 0"},
        {"if(x lt 1, exp(y), sqrt(-y))", 0, 1000, "exp(1000)"},
        {"if(x lt 1, y, 1) + log(x)", 0, 1, "log(0)"},
        {"x^y", -8, 0.3, "pow(-8, 0.3)"},
        {"x*y", 1e200, 1e200, "1e+200 * 1e+200"},
        {"x*y + 1", 1e200, 1e200,
         "1e+200 * 1e+200 + 1"}, /* a product and its sum are one instruction */
        {"1 - x*y", 1e200, 1e200, "1 - 1e+200 * 1e+200"},
        {"1/p + x", 1, 1, "1 / 0"},
        {"x + y", 1, 1, NULL},
        {"x + y", INFINITY, 1, NULL},
    };
    const double parameters[FIXTURE_PARAMETERS] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double x[FIXTURE_UNKNOWNS] = {cases[i].x, cases[i].y};
        char text[128] = "";
        compiled c;
        compile(&c, &cases[i].text, 1);
        ln_program_start(c.program, c.file, parameters);
        ln_program_run(c.program, c.file, parameters, &(linnet_point){0, 0, x, NULL});
        CU_ASSERT_EQUAL(ln_program_explain(c.program, c.file, text), cases[i].why != NULL);
        if (cases[i].why)
            CHECK_TEXT(text, cases[i].why);
        fixture_close(&c.f);
    }
}

/* ---- printed C ---- */

static const char *const everything[] = {
    "x + y*p - 3/z",
    "-x",
    "x^y + 2^x + x^p",
    "x lt y",
    "x le y",
    "x eq y",
    "x gt 0 and y gt 0",
    "x lt 0 or not (y lt 0)",
    "if(x lt y, -3, 1e300)",
    "sqrt(x)",
    "cbrt(x)",
    "hypot(x, y)",
    "exp(x)",
    "exp2(x)",
    "expm1(x)",
    "log(x)",
    "log2(x)",
    "log10(x)",
    "log1p(x)",
    "sin(x)",
    "cos(x)",
    "tan(x)",
    "asin(x/3)",
    "acos(x/3)",
    "atan(x)",
    "atan2(x, y)",
    "sinh(x)",
    "cosh(x)",
    "tanh(x)",
    "asinh(x)",
    "acosh(1 + x)",
    "atanh(x/3)",
    "erf(x)",
    "erfc(x)",
    "tgamma(x)",
    "lgamma(x)",
    "sinc(x)",
    "floor(10*x)",
    "ceil(10*x)",
    "round(10*x)",
    "trunc(-10*x)",
    "mod(t, T)",
    "sin(2*pi*p*t)*q",
    "max(x, y, z) + min(p, q) + clamp(x, 0, 1)",
    "R*(p + q)*exp(-p) + 1",
    "p",
    "2.5",
    "t",
    "x",
};
enum { TEXTS = sizeof everything / sizeof *everything, POINTS = 3 };

static void c_leaf(void *context, ln_text *text, ln_leaf kind, int index) {
    (void)context;
    if (kind == LN_LEAF_TIME || kind == LN_LEAF_DECIDE)
        ln_text_add(text, kind == LN_LEAF_TIME ? "t" : "decide");
    else
        ln_text_printf(text, "%s[%d]", kind == LN_LEAF_PARAMETER ? "p" : "x", index);
}

static const double c_parameters[12] = {1.5, 0.7, 100, 0.02, 0, 1, 1, 3, 1, 5, 3, 1};
static const double c_points[POINTS][FIXTURE_UNKNOWNS] = {
    {0.3, 1.2, 2}, {1.7, 0.4, -0.5}, {2.9, 2.9, 0.1}};

/* All texts, their derivatives by x, and a table with its slope, as one program. */
static void compile_everything(compiled *c) {
    ln_node nodes[2 * TEXTS + 2];
    fixture_open(&c->f);
    for (int i = 0; i < TEXTS; i++) {
        nodes[2 * i] = fixture_lower(&c->f, everything[i], NULL);
        nodes[2 * i + 1] = ln_derivative(c->f.graph, nodes[2 * i], fixture_unknown(&c->f, 0));
    }
    nodes[2 * TEXTS] =
        ln_table(c->f.graph, fixture_unknown(&c->f, 0), fixture_unknown(&c->f, 0), 4, 4);
    nodes[2 * TEXTS + 1] = ln_derivative(c->f.graph, nodes[2 * TEXTS], fixture_unknown(&c->f, 0));
    c->program = ln_program_compile(c->f.arena, c->f.graph, nodes, 2 * TEXTS + 2);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c->program);
    c->file = LN_NEW(c->f.arena, double, c->program->registers);
    ln_program_start(c->program, c->file, c_parameters);
}

static void c_table(void *context, ln_text *text, int first) {
    (void)context;
    ln_text_printf(text, "&p[%d]", first);
}

static void c_assign(void *context, ln_text *text, int output, const char *value) {
    (void)context;
    ln_text_printf(text, "    out[%d] = %s;\n", output, value);
}

static int c_name(void *context, ln_text *text, int output) {
    (void)context;
    ln_text_printf(text, "out[%d]", output);
    return 1;
}

static void print_code(const ln_program *program, ln_leaf_print *leaf, ln_text *text) {
    const ln_code code = {.indent = "    ",
                          .prefix = "r",
                          .leaf = leaf,
                          .table = c_table,
                          .assign = c_assign,
                          .name = c_name};
    ln_code_cost cost = {0};
    ln_code_print(program, &code, text, &cost);
}

static void print_main(const compiled *c, ln_text *out) {
    ln_text_add(out, "#include <math.h>\n#include <stdio.h>\n#include \"expression/special.h\"\n"
                     "#include \"expression/special.c\"\n\nstatic const double p[] = {");
    for (int i = 0; i < 12; i++)
        ln_text_printf(out, "%.17g, ", c_parameters[i]);
    ln_text_add(out, "};\n\nstatic void evaluate(const double *x, double t, double decide) {\n    "
                     "(void)decide;\n");
    ln_text_printf(out, "    double out[%d];\n", c->program->noutputs);
    print_code(c->program, c_leaf, out);
    ln_text_printf(out, "    for (int i = 0; i < %d; i++) printf(\"%%.17g\\n\", out[i]);\n",
                   c->program->noutputs);
    ln_text_add(out, "}\n\nint main(void) {\n");
    for (int k = 0; k < POINTS; k++)
        ln_text_printf(out,
                       "    evaluate((const double[]){%.17g, %.17g, %.17g, 0, 0}, 0.33, 0.33);\n",
                       c_points[k][0], c_points[k][1], c_points[k][2]);
    ln_text_add(out, "    return 0;\n}\n");
}

/* Runs a command and reads its lines as numbers; their number. */
static int run_numbers(const char *command, double *numbers, int most) {
    FILE *pipe = popen(command, "r");
    int count = 0;
    char line[64];
    const char *end;
    while (pipe && count < most && fgets(line, sizeof line, pipe)) {
        int negative = line[0] == '-';
        numbers[count] = ln_number_read(line + negative, &end) * (negative ? -1 : 1);
        if (end == line + negative)
            numbers[count] = NAN; /* inf, nan */
        count++;
    }
    return pipe && pclose(pipe) == 0 ? count : -1;
}

/* Numbers as literals: read back they are the number, in single precision the nearest one, but that
 * nothing which is not zero becomes zero: a divisor may depend on it. */
void test_printed_numbers(void) {
    static const double values[] = {0,     1,      -1,    0.1,   -2.5e-7, 1e10,    123456789012.0,
                                    1e-30, -1e-30, 1e-39, 1e-44, 1e-300,  -1e-300, 1.17549e-38,
                                    3e38,  -3e38,  1.5,   1e22};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        for (ln_language language = LN_C_DOUBLE; language <= LN_PYTHON; language++) {
            ln_text text = {0};
            char *end;
            ln_code_number(language, &text, values[k]);
            CU_ASSERT_FATAL(!text.failed && text.data != NULL);
            CU_ASSERT(strpbrk(text.data, ".e") != NULL); /* no integer */
            if (language == LN_C_FLOAT) {
                const float is = strtof(text.data, &end), wanted = (float)values[k];
                CHECK_TEXT(end, "f");
                CU_ASSERT(is == wanted || (wanted == 0 && values[k] != 0 && fabsf(is) < 2e-38f &&
                                           is != 0 && (is > 0) == (values[k] > 0)));
            } else {
                CU_ASSERT(strtod(text.data, &end) == values[k] && *end == '\0');
            }
            ln_text_free(&text);
        }
    static const struct {
        ln_language language;
        double value;
        const char *text;
    } special[] = {{LN_C_DOUBLE, INFINITY, "HUGE_VAL"},
                   {LN_C_DOUBLE, -INFINITY, "-HUGE_VAL"},
                   {LN_C_DOUBLE, NAN, "(double)NAN"},
                   {LN_C_FLOAT, INFINITY, "HUGE_VALF"},
                   {LN_C_FLOAT, 1e39, "HUGE_VALF"},
                   {LN_C_FLOAT, -1e39, "-HUGE_VALF"},
                   {LN_C_FLOAT, NAN, "NAN"},
                   {LN_PYTHON, INFINITY, "_INF"},
                   {LN_PYTHON, -INFINITY, "-_INF"},
                   {LN_PYTHON, NAN, "_NAN"},
                   {LN_C_FLOAT, 3.4e38, "3.4e+38f"},
                   {LN_C_DOUBLE, -0.0, "-0.0"}};
    for (size_t k = 0; k < sizeof special / sizeof *special; k++) {
        ln_text text = {0};
        ln_code_number(special[k].language, &text, special[k].value);
        CHECK_TEXT(text.data, special[k].text);
        ln_text_free(&text);
    }
}

void test_printed_c(void) {
    enum { MOST = POINTS * (2 * TEXTS + 2) };
    static double numbers[MOST];
    char folder[] = "/tmp/linnet-expression-XXXXXX", command[512];
    compiled c;
    ln_text out = {0};
    if (system("cc --version >/dev/null 2>&1") != 0 || !mkdtemp(folder)) {
        printf("no C compiler here, ");
        return;
    }
    compile_everything(&c);
    print_main(&c, &out);
    CU_ASSERT_FALSE(out.failed);
    snprintf(command, sizeof command, "%s/program.c", folder);
    FILE *file = fopen(command, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fwrite(out.data, 1, out.length, file);
    fclose(file);
    snprintf(command, sizeof command,
             "cc -std=c99 -Wall -Wextra -Werror -I\"${srcdir:-.}/src\" -o %s/program %s/program.c "
             "-lm && "
             "%s/program",
             folder, folder, folder);
    int count = run_numbers(command, numbers, MOST);
    CU_ASSERT_EQUAL(count, MOST);
    for (int k = 0; k < POINTS && count == MOST; k++) {
        ln_program_run(c.program, c.file, c_parameters,
                       &(linnet_point){0.33, 0.33, c_points[k], NULL});
        for (int i = 0; i < c.program->noutputs; i++) {
            double ours = c.file[c.program->output[i]],
                   theirs = numbers[k * c.program->noutputs + i];
            CU_ASSERT_EQUAL(isfinite(theirs), isfinite(ours));
            if (isfinite(ours))
                CHECK_CLOSE(theirs, ours, 1e-14);
        }
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    CU_ASSERT_EQUAL(system(command), 0);
    ln_text_free(&out);
    fixture_close(&c.f);
}

/* ---- memory that ends ---- */

/* The whole way with every allocation from the k-th on failing: an error or success, never a crash
 * or a leak (the sanitizers and valgrind watch). Returns 1 when it got through. */
static int whole_way(void) {
    ln_arena *arena = ln_arena_new();
    ln_graph *graph = ln_graph_new();
    ln_report *report = ln_report_new(NULL, NULL);
    int done = 0, rows, cols;
    double value;
    ln_dimension dimension;
    if (arena && graph && report) {
        const ln_breakpoint *breakpoints = NULL;
        ln_value lowered;
        ln_text text = {0};
        const ln_ast *left = NULL, *right = NULL;
        const ln_ast *ast =
            ln_ast_parse(arena, "if(mod(2, 3) lt 1, max(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), sqrt(2 V))",
                         LN_NOWHERE, report);
        const ln_ast *bad = ln_ast_parse(arena, "1 + sqrt(0 - 1)", LN_NOWHERE, report);
        const ln_ast **list =
            ln_ast_parse_list(arena, "1, 2; 3, 4", LN_NOWHERE, report, &rows, &cols);
        int equation = ln_ast_parse_equation(arena, "1 = 2 + 3", LN_NOWHERE, report, &left, &right);
        int good = ast && bad && list && equation &&
                   ln_lower(graph, ast, NULL, LN_NOWHERE, report, &lowered);
        good = good && ln_evaluate(ast, NULL, LN_NOWHERE, report, &value, &dimension);
        if (bad)
            CU_ASSERT_FALSE(ln_evaluate(bad, NULL, LN_NOWHERE, report, &value, &dimension));
        ln_node t = ln_leaf_node(graph, LN_LEAF_TIME, 0),
                x = ln_leaf_node(graph, LN_LEAF_UNKNOWN, 0);
        ln_node period[2] = {t, ln_constant(graph, 2)};
        ln_node nodes[2] = {ln_function(graph, "mod", period, 2),
                            ln_operation(graph, LN_OP_MUL, x, x, LN_NONE)};
        nodes[1] = ln_derivative(graph, nodes[1], x);
        for (int i = 0; i < 200; i++)
            nodes[1] = ln_operation(graph, LN_OP_SIN, nodes[1], LN_NONE, LN_NONE);
        int count = ln_decide_time(graph, nodes, 2, arena, &breakpoints);
        if (!ln_graph_failed(graph)) {
            const ln_breakpoints *asked = ln_breakpoints_compile(arena, graph, breakpoints, count);
            const ln_program *program = ln_program_compile(arena, graph, nodes, 2);
            ln_node_print(graph, nodes[1], &text, fixture_leaf, NULL);
            if (program)
                print_code(program, fixture_leaf, &text);
            done = good && asked && program && !text.failed;
        } else {
            CU_ASSERT(nodes[0] == LN_NONE || nodes[1] == LN_NONE);
        }
        ln_text_free(&text);
    }
    ln_report_free(report);
    ln_graph_free(graph);
    ln_arena_free(arena);
    return done;
}

void test_memory(void) {
    long calls = 0;
    for (int done = 0; !done && calls < 2000; calls++) {
        fail_allocations_after(calls);
        done = whole_way();
        fail_no_allocations();
    }
    CU_ASSERT(calls > 20 && calls < 2000);
}

/* A million evaluations leave nothing behind. */
void test_million(void) {
    ln_arena *arena = ln_arena_new();
    const ln_ast *ast = ln_ast_parse(arena, "2*3 + sqrt(16)", LN_NOWHERE, NULL);
    size_t used = ln_arena_used(arena);
    double value = 0, sum = 0;
    ln_dimension dimension;
    for (int i = 0; i < 100000; i++) {
        if (!ln_evaluate(ast, NULL, LN_NOWHERE, NULL, &value, &dimension))
            break;
        sum += value;
    }
    CU_ASSERT_EQUAL(sum, 1e6);
    for (int i = 0; i < 1000000; i++)
        sum += ln_ast_literal("4.7 kOhm", &value, &dimension);
    CU_ASSERT_EQUAL(sum, 2e6);
    CU_ASSERT_EQUAL(ln_arena_used(arena), used);
    ln_graph *graph = ln_graph_new();
    ln_value lowered;
    int good = 1;
    for (int i = 0; i < 1000000 && good; i++)
        good = ln_lower(graph, ast, NULL, LN_NOWHERE, NULL, &lowered);
    CU_ASSERT(good);
    CU_ASSERT(ln_graph_size(graph) < 10);
    ln_graph_free(graph);
    ln_arena_free(arena);
}
