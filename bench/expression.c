/* SPDX-License-Identifier: MIT */
/* How long an instruction of a register program takes: nanoseconds per instruction of the body, for
 * programs as block diagrams make them. Built on demand: make bench/expression && bench/expression.
 */
#include "base/text.h"
#include "expression/ast.h"
#include "expression/graph.h"
#include "expression/program.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { UNKNOWNS = 64, PARAMETERS = 16 };

/* x0 x1 ... are unknowns, p0 p1 ... parameters. */
static int find(void *context, const char *name, int column, ln_value *value) {
    const char *end;
    (void)column;
    value->dimension = ln_dimension_any;
    if (strcmp(name, "t") == 0)
        value->node = ln_leaf_node(context, LN_LEAF_TIME, 0);
    else if (name[0] == 'x')
        value->node = ln_leaf_node(context, LN_LEAF_UNKNOWN, (int)ln_number_read(name + 1, &end));
    else if (name[0] == 'p')
        value->node = ln_leaf_node(context, LN_LEAF_PARAMETER, (int)ln_number_read(name + 1, &end));
    else
        return 0;
    return 1;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void measure(const char *title, const ln_program *program, double *file) {
    static double x[UNKNOWNS], parameters[PARAMETERS];
    for (int i = 0; i < UNKNOWNS; i++)
        x[i] = 0.3 + 0.01 * i;
    for (int i = 0; i < PARAMETERS; i++)
        parameters[i] = 1 + 0.1 * i;
    ln_program_start(program, file, parameters);
    double best = 1e9;
    int runs = 2000000 / (program->nbody + 10) + 1;
    for (int round = 0; round < 20; round++) {
        double begin = seconds();
        for (int i = 0; i < runs; i++) {
            ln_program_run(program, file, parameters, &(linnet_point){1e-3 * i, 1e-3 * i, x, NULL});
            x[0] = 0.3 + 1e-9 * file[program->output[0]];
        }
        double took = (seconds() - begin) / runs;
        if (took < best)
            best = took;
    }
    printf("%-34s %5d instructions %9.1f ns %7.2f ns each\n", title, program->nbody, 1e9 * best,
           1e9 * best / (program->nbody + program->nunknowns));
}

static void bench(const char *title, const char *const *texts, int count) {
    ln_arena *arena = ln_arena_new();
    ln_graph *graph = ln_graph_new();
    ln_names names = {find, graph, NULL, 0, NULL};
    ln_node nodes[256];
    for (int i = 0; i < count; i++) {
        ln_value value;
        const ln_ast *ast = ln_ast_parse(arena, texts[i], LN_NOWHERE, NULL);
        if (!ast || !ln_lower(graph, ast, &names, LN_NOWHERE, NULL, &value))
            return;
        nodes[i] = value.node;
    }
    const ln_program *program = ln_program_compile(arena, graph, nodes, count);
    double *file = program ? LN_NEW(arena, double, program->registers) : NULL;
    if (file)
        measure(title, program, file);
    ln_graph_free(graph);
    ln_arena_free(arena);
}

/* n states of a dense linear system: x' = A x with constant coefficients. */
static void bench_linear(int n) {
    static char text[64][64 * 16];
    const char *texts[64];
    for (int i = 0; i < n; i++) {
        text[i][0] = '\0';
        for (int j = 0; j < n; j++) {
            size_t used = strlen(text[i]);
            snprintf(text[i] + used, sizeof text[i] - used, "%s%d.5*x%d", j ? "+" : "",
                     (i + 2 * j) % 9, j);
        }
        texts[i] = text[i];
    }
    char title[64];
    snprintf(title, sizeof title, "dense linear system, %d states", n);
    bench(title, texts, n);
}

int main(void) {
    static const char *const pid[] = {
        "p0*(p3 - x0) + p1*x1 + p2*p4*((p3 - x0) - x2)", "p3 - x0", "p4*((p3 - x0) - x2)",
        "-3*x3 - 2*x0 + (p0*(p3 - x0) + p1*x1 + p2*p4*((p3 - x0) - x2))", "x3"};
    static const char *const polynomial[] = {"((((p0*x0 + p1)*x0 + p2)*x0 + p3)*x0 + p4)*x0 + p5"};
    static const char *const limits[] = {"clamp(x0 + x1, -1, 1)", "max(x1, x2, x3)",
                                         "if(x4 gt 0.2 and x5 lt 1, x6, x7)", "abs(x2 - x3)",
                                         "sign(x1)*x2"};
    static const char *const functions[] = {"sin(x0)",  "cos(x1)", "exp(-x2)",
                                            "sqrt(x3)", "log(x4)", "tanh(x5)"};
    bench("PID loop with second-order plant", pid, 5);
    bench("polynomial by Horner (one chain)", polynomial, 1);
    bench("limits and choices", limits, 5);
    bench("functions of libm", functions, 6);
    bench_linear(4);
    bench_linear(16);
    bench_linear(32);
    return 0;
}
