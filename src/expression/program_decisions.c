/* SPDX-License-Identifier: MIT */
/* What a program decides on its way: where comparisons turn and whole numbers step, its outputs
 * bend or jump. */
#include "expression/nodes.h"
#include "expression/program.h"

int ln_program_decisions(const ln_program *program, const double *file, double *decision) {
    const int body = program->registers - program->nbody;
    int count = 0;
    for (int i = 0; i < program->nbody; i++) {
        if (!ln_op_decides((ln_op)program->body[i].op))
            continue;
        if (decision != NULL)
            decision[count] = file[body + i];
        count++;
    }
    return count;
}

int ln_program_own_decisions(const ln_program *program, ln_arena *arena, int k, char *own) {
    const int body = program->registers - program->nbody;
    char *used = LN_NEW(arena, char, program->registers);
    int at = ln_program_decisions(program, NULL, NULL);
    if (used == NULL)
        return 0;
    if (k >= 0)
        used[program->output[k]] = 1;
    for (int i = program->nbody - 1; i >= 0; i--) {
        const ln_instruction *in = &program->body[i];
        const int operand[] = {in->a, in->b, in->c};
        if (ln_op_decides((ln_op)in->op))
            own[--at] = used[body + i];
        for (int j = 0; j < ln_op_arity((ln_op)in->op) && used[body + i]; j++)
            used[operand[j]] = 1;
    }
    return 1;
}
