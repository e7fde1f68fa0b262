/* SPDX-License-Identifier: MIT */
/* Expressions as work: a register program compiled from graph nodes.
 *
 * The caller owns the register file (`registers` doubles, one file per instance, so that nothing is copied between
 * evaluations). Order of calls: ln_program_start() once after parameters are known: it loads constants and computes
 * everything that depends on parameters alone; then ln_program_run() at every point. Output k stands in
 * file[program->output[k]] after the run.
 * Both branches of an IF are computed and one is selected, EXCEPT that a non-finite value in the branch not taken
 * must not spread: selection is by value, never by multiplication. */
#ifndef LN_EXPRESSION_PROGRAM_H
#define LN_EXPRESSION_PROGRAM_H

#include "base/text.h"
#include "expression/graph.h"

typedef struct ln_instruction {
    unsigned short op;          /* ln_op; LEAF loads: a = leaf kind, b = index                       */
    int target;                 /* register                                                          */
    int a, b, c;                /* registers                                                         */
    int extra;                  /* TABLE: first parameter index; points in c (TABLE) or b (SLOPE)    */
    double value;               /* CONSTANT                                                          */
} ln_instruction;

typedef struct ln_program {
    int registers;              /* length of the file                                                */
    const ln_instruction *start; int nstart; /* constants, parameters and what depends on them alone */
    const ln_instruction *body; int nbody;   /* the rest, in order                                   */
    const int *output; int noutputs;         /* register of each output                              */
} ln_program;

/* Compiles `count` nodes; common subexpressions are computed once, dead ones not at all. NULL when memory is short.
 * The program lives in the arena; the graph may be freed afterwards. A DER below a node is an internal error (NULL). */
const ln_program *ln_program_compile(ln_arena *arena, const ln_graph *graph, const ln_node *nodes, int count);

/* parameters: the instance's values (LN_LEAF_PARAMETER indices); kept by the file's later runs for TABLE. */
void ln_program_start(const ln_program *program, double *file, const double *parameters);
/* x: unknowns (LN_LEAF_UNKNOWN indices); t, decide: as linnet_point. No allocation. */
void ln_program_run(const ln_program *program, double *file, const double *parameters, const double *x, double t,
                    double decide);

/* Names the first operation of the body (after a run) whose result is not finite while its operands are, as text such
 * as "sqrt(-0.3)" or "1 / 0"; returns 0 when there is none. */
int ln_program_explain(const ln_program *program, const double *file, char text[128]);

/* Prints the program as C99 statements, `double r7 = r3 * r4;`, body only or start only; leaf() prints an operand that
 * is a leaf (for instance "p[3]" or "x[2]"). */
void ln_program_print_c(const ln_program *program, ln_text *out,
                        void (*leaf)(void *context, ln_text *text, ln_leaf kind, int index), void *context);

#endif
