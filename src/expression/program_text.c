/* SPDX-License-Identifier: MIT */
/* A program as text: which operation gave a value that is not finite, and the statements of C that
 * do the same. */
#include "expression/lower.h"
#include "expression/nodes.h"
#include "expression/program.h"

#include <stdio.h>
#include <string.h>

/* The first registers of the parts of the file, see program.h. */
typedef struct layout {
    int constants, parameters, start, memories, unknowns, body;
} layout;

static layout layout_of(const ln_program *program) {
    layout at = {.constants = 2};
    at.parameters = at.constants + program->nconstants;
    at.start = at.parameters + program->nparameters;
    at.memories = at.start + program->nstart;
    at.unknowns = at.memories + program->nmemories;
    at.body = at.unknowns + program->nunknowns;
    return at;
}

/* The instruction that fills the register, or NULL when it is filled from outside. */
static const ln_instruction *instruction_of(const ln_program *program, int reg) {
    layout at = layout_of(program);
    if (reg >= at.body)
        return &program->body[reg - at.body];
    return reg >= at.start && reg < at.memories ? &program->start[reg - at.start] : NULL;
}

/* Registers that count for the result: of an IF the branch taken. Returns their number. */
static int operands(const ln_instruction *in, const double *file, int regs[3]) {
    int n = ln_op_arity((ln_op)in->op);
    regs[0] = in->a;
    regs[1] = in->b;
    regs[2] = in->c;
    if (in->op != LN_OP_IF)
        return n;
    if (file[in->a] == 0)
        regs[1] = in->c;
    return 2;
}

static void describe(const ln_instruction *in, const double *file, char text[128]) {
    char number[3][32];
    const int regs[3] = {in->a, in->b, in->c};
    const char *operand[3] = {"", "", ""};
    ln_text out = {0};
    for (int i = 0; i < ln_op_arity((ln_op)in->op); i++) {
        ln_number_format(number[i], file[regs[i]]);
        operand[i] = number[i];
    }
    if (ln_op_has_table((ln_op)in->op))
        ln_text_printf(&out, "table at %s", number[0]);
    else
        ln_op_text((ln_op)in->op, operand, &out);
    snprintf(text, 128, "%s", out.data ? out.data : "an operation");
    ln_text_free(&out);
}

int ln_program_explain(const ln_program *program, const double *file, char text[128]) {
    int reg = -1;
    for (int i = 0; i < program->noutputs && reg < 0; i++)
        if (!isfinite(file[program->output[i]]))
            reg = program->output[i];
    while (reg >= 0) {
        const ln_instruction *in = instruction_of(program, reg);
        int regs[3], n = in ? operands(in, file, regs) : 0, next = -1;
        if (!in)
            return 0;
        for (int i = 0; i < n && next < 0; i++)
            if (!isfinite(file[regs[i]]))
                next = regs[i];
        if (next < 0) {
            describe(in, file, text);
            return 1;
        }
        reg = next;
    }
    return 0;
}

/* ---- C ---- */

typedef struct writer {
    const ln_program *program;
    layout at;
    ln_text *out;
    ln_leaf_print *leaf;
    void *context;
} writer;

static void print_literal(ln_text *out, double value) {
    char number[32];
    ln_number_format(number, fabs(value));
    const char *point = strpbrk(number, ".e") ? "" : ".0";
    if (isnan(value))
        ln_text_add(out, "NAN");
    else if (isinf(value))
        ln_text_add(out, value < 0 ? "(-INFINITY)" : "INFINITY");
    else if (signbit(value))
        ln_text_printf(out, "(-%s%s)", number, point);
    else
        ln_text_printf(out, "%s%s", number, point);
}

static void print_operand(const writer *w, ln_text *out, int reg) {
    if (reg >= w->at.body || (reg >= w->at.start && reg < w->at.memories))
        ln_text_printf(out, "r%d", reg);
    else if (reg >= w->at.unknowns)
        w->leaf(w->context, out, LN_LEAF_UNKNOWN, w->program->unknown[reg - w->at.unknowns]);
    else if (reg >= w->at.memories)
        w->leaf(w->context, out, LN_LEAF_MEMORY, w->program->memory[reg - w->at.memories]);
    else if (reg >= w->at.parameters)
        w->leaf(w->context, out, LN_LEAF_PARAMETER, w->program->parameter[reg - w->at.parameters]);
    else if (reg >= w->at.constants)
        print_literal(out, w->program->constant[reg - w->at.constants]);
    else
        w->leaf(w->context, out, reg == 0 ? LN_LEAF_TIME : LN_LEAF_DECIDE, 0);
}

static void print_table(const writer *w, const ln_instruction *in) {
    static const char *const called[] = {"linnet_table(", "linnet_table_slope(",
                                         "linnet_table_middle(", "linnet_table_room("};
    int two = ln_op_arity((ln_op)in->op) == 2;
    ln_program_table table = w->program->table[two ? in->c : in->b];
    ln_text_add(w->out, called[in->op - LN_OP_TABLE]);
    print_operand(w, w->out, in->a);
    if (two) {
        ln_text_add(w->out, ", ");
        print_operand(w, w->out, in->b);
    }
    ln_text_add(w->out, ", &");
    w->leaf(w->context, w->out, LN_LEAF_PARAMETER, table.first);
    ln_text_printf(w->out, ", %d)", table.points);
}

static void print_operation(const writer *w, const ln_instruction *in) {
    ln_text operand[3] = {{0}, {0}, {0}};
    const int regs[3] = {in->a, in->b, in->c};
    const char *texts[3] = {"", "", ""};
    for (int i = 0; i < ln_op_arity((ln_op)in->op); i++) {
        print_operand(w, &operand[i], regs[i]);
        if (operand[i].failed)
            w->out->failed = 1;
        texts[i] = operand[i].data ? operand[i].data : "";
    }
    ln_op_text((ln_op)in->op, texts, w->out);
    for (int i = 0; i < 3; i++)
        ln_text_free(&operand[i]);
}

static void print_part(const writer *w, const ln_instruction *in, int count, int first) {
    for (int i = 0; i < count; i++) {
        ln_text_printf(w->out, "    double r%d = ", first + i);
        if (ln_op_has_table((ln_op)in[i].op))
            print_table(w, &in[i]);
        else
            print_operation(w, &in[i]);
        ln_text_add(w->out, ";\n");
    }
}

void ln_program_print_c(const ln_program *program, int parts, ln_text *out, ln_leaf_print *leaf,
                        void *context) {
    writer w = {program, layout_of(program), out, leaf, context};
    if (parts & LN_PRINT_START)
        print_part(&w, program->start, program->nstart, w.at.start);
    if (parts & LN_PRINT_BODY)
        print_part(&w, program->body, program->nbody, w.at.body);
}

void ln_program_print_output(const ln_program *program, int output, ln_text *out,
                             ln_leaf_print *leaf, void *context) {
    writer w = {program, layout_of(program), out, leaf, context};
    print_operand(&w, out, program->output[output]);
}
