/* SPDX-License-Identifier: MIT */
/* A program as text for messages: which operation gave a value that is not finite. */
#include "expression/lower.h"
#include "expression/nodes.h"
#include "expression/program.h"
#include "base/text.h"

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
