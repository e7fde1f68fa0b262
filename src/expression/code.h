/* SPDX-License-Identifier: MIT */
/* A program as source text for people: statements of C in double or float, or of Python.
 *
 * The text does what ln_program_run() does, operation by operation, so that its results are the
 * same to the last bit (where the compiler contracts nothing). Values that are used once stand
 * where they are used; values that are used more often, and long expressions, become locals. An
 * output is handed to the caller, who writes the statement that takes it over and may say by which
 * name it can be read from then on. */
#ifndef LN_EXPRESSION_CODE_H
#define LN_EXPRESSION_CODE_H

#include "expression/program.h"

/* Python: functions bear the names of C behind an underscore (share/python), so do quotients, for
 * an exception is raised where C gives a number that is not finite. */
typedef enum ln_language { LN_C_DOUBLE, LN_C_FLOAT, LN_PYTHON } ln_language;

/* What was written, for the cost that a user is told and for the functions that the text needs. */
typedef struct ln_code_cost {
    long operations; /* additions, products, comparisons, choices */
    long calls;      /* calls of functions of math.h and of expression/special.h */
    char used[LN_OPS];
} ln_code_cost;

/* How the caller wants it. The texts of leaves and names are operands: a name, a member, an
 * element. */
typedef struct ln_code {
    ln_language language;
    const char *indent; /* in front of every statement */
    const char *prefix; /* of locals, which are numbered */
    ln_leaf_print *leaf;
    /* The address of the table whose first value stands at this place among the parameters. */
    void (*table)(void *context, ln_text *out, int first);
    /* What is read of the delay line of that number a lag ago (ln_op_recalls); texts of operands.
     * May be NULL where there is none. */
    void (*recall)(void *context, ln_text *out, ln_op op, const char *lag, const char *number);
    /* The statement by which output k becomes `value`. */
    void (*assign)(void *context, ln_text *out, int output, const char *value);
    /* The name under which output k can be read after that; 0: it has none. */
    int (*name)(void *context, ln_text *out, int output);
    int truth; /* outputs are handed over as conditions */
    /* 1: in their order, when all is computed; they have no names then. 0: each as soon as it is
     * known. */
    int ordered;
    void *context;
} ln_code;

/* Appends the statements to `out` (which fails when memory is short) and adds to *cost. */
void ln_code_print(const ln_program *program, const ln_code *code, ln_text *out,
                   ln_code_cost *cost);

/* A number as a literal of the language. */
void ln_code_number(ln_language language, ln_text *out, double value);

#endif
