/* SPDX-License-Identifier: MIT */
/* Expressions as work: a register program compiled from graph nodes.
 *
 * The caller owns the register file (`registers` doubles, one file per instance, so that nothing is
 * copied between evaluations). Order of calls: ln_program_start() once after parameters are known:
 * it loads constants and computes everything that depends on parameters alone; then
 * ln_program_run() at every point. Output k stands in file[program->output[k]] after the run.
 *
 * Registers stand in the order in which they are filled, so that an instruction needs no target:
 * the i-th instruction writes the i-th register of its part:
 *
 *     t, decide | constants | parameters | start instructions | memories | unknowns |
 *     body instructions
 *
 * Both branches of an IF are computed and one is selected by value, never by multiplication, so
 * that a value that is not finite in the branch not taken does not spread. */
#ifndef LN_EXPRESSION_PROGRAM_H
#define LN_EXPRESSION_PROGRAM_H

#include "base/arena.h"
#include "expression/graph.h"

#include <linnet/block.h>

enum { LN_TIME_REGISTER, LN_DECIDE_REGISTER, LN_FIRST_REGISTER };

typedef struct ln_instruction {
    short op;    /* ln_op */
    short entry; /* the piece of code that runs it, see ln_program_run() */
    int a, b, c; /* registers; with a table: the operand behind the last is its index */
} ln_instruction;

/* A table's place among the parameters: x1 y1 x2 y2 ... */
typedef struct ln_program_table {
    int first, points;
} ln_program_table;

typedef struct ln_program {
    int registers; /* length of the file */
    const double *constant;
    int nconstants;
    /* LN_LEAF_PARAMETER index of each register */
    const int *parameter;
    int nparameters;
    const ln_instruction *start;
    int nstart; /* what depends on parameters alone */
    const int *memory;
    int nmemories; /* LN_LEAF_MEMORY index of each register */
    const int *unknown;
    int nunknowns; /* LN_LEAF_UNKNOWN index of each register */
    const ln_instruction *body;
    int nbody; /* the rest */
    const ln_program_table *table;
    int ntables;
    const int *output;
    int noutputs; /* register of each output */
} ln_program;

/* Compiles `count` nodes; common subexpressions are computed once, dead ones not at all. NULL when
 * memory is short. The program lives in the arena; the graph may be freed afterwards. A DER below a
 * node is an internal error (NULL). */
const ln_program *ln_program_compile(ln_arena *arena, const ln_graph *graph, const ln_node *nodes,
                                     int count);

/* parameters: the instance's values (LN_LEAF_PARAMETER indices). */
void ln_program_start(const ln_program *program, double *file, const double *parameters);
/* point->x: unknowns (LN_LEAF_UNKNOWN indices); point->m: memories (LN_LEAF_MEMORY indices); either
 * may be NULL when the program reads none. No allocation. */
void ln_program_run(const ln_program *program, double *file, const double *parameters,
                    const linnet_point *point);

/* After a run: the values of the operations that decide (comparisons, whole numbers) into
 * decision[] unless it is NULL; returns how many there are. */
int ln_program_decisions(const ln_program *program, const double *file, double *decision);
/* own[]: 1 for each of these that output k comes from, else 0; k < 0: none. 0 when memory is short.
 */
int ln_program_own_decisions(const ln_program *program, ln_arena *arena, int k, char *own);

/* After a run: follows the first output that is not finite down to the operation it comes from, one
 * whose result is not finite while its operands are, and writes it as "sqrt(-0.3)" or "1 / 0".
 * Returns 0 when every output is finite or the operands themselves (an unknown, a parameter) are
 * not. */
int ln_program_explain(const ln_program *program, const double *file, char text[128]);

/* Breakpoints (see ln_decide_time) ready to be asked: outputs 2k and 2k+1 of the program are the
 * k-th's scale and shift. */
typedef struct ln_breakpoints {
    const ln_breakpoint *breakpoint;
    int count;
    const ln_program *program;
} ln_breakpoints;
/* Lives in the arena; breakpoints[] must too. NULL when memory is short. */
const ln_breakpoints *ln_breakpoints_compile(ln_arena *arena, const ln_graph *graph,
                                             const ln_breakpoint *breakpoints, int count);
/* The earliest breakpoint strictly after t, INFINITY if none. file: registers of
 * breakpoints->program after ln_program_start(); m: memories, may be NULL when no breakpoint
 * depends on one. */
double ln_breakpoints_next(const ln_breakpoints *breakpoints, double *file,
                           const double *parameters, const double *m, double t);

#endif
