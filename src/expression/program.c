/* SPDX-License-Identifier: MIT */
/* Compiling nodes to a register program and running it.
 *
 * The order of instructions is the depth-first order of the walk, so that a value is used soon
 * after it is made. A product that only one sum uses becomes one instruction with it: sums of
 * products are what control diagrams and linear systems consist of, and each instruction costs its
 * dispatch. */
#include "expression/program.h"

#include "expression/nodes.h"

#include <assert.h>
#include <string.h>

/* The parts of the register file after t and decide. */
enum { CONSTANTS, PARAMETERS, START, MEMORIES, UNKNOWNS, BODY, PARTS };

typedef struct compiler {
    const ln_graph *graph;
    ln_arena *arena;
    /* registers of each part: how many, and the next to give out */
    int count[PARTS], next[PARTS];
    int tables;
    double *constant;
    int *parameter, *memory, *unknown, *output;
    ln_instruction *start, *body;
    ln_program_table *table;
} compiler;

static int part_of(const ln_cell *cell) {
    if (cell->op == LN_OP_CONSTANT)
        return CONSTANTS;
    if (cell->op == LN_OP_LEAF)
        return cell->at.leaf.kind == LN_LEAF_PARAMETER ? PARAMETERS
               : cell->at.leaf.kind == LN_LEAF_MEMORY  ? MEMORIES
                                                       : UNKNOWNS;
    return (cell->depends & ~(1u << LN_LEAF_PARAMETER)) == 0 ? START : BODY;
}

static int is_time(const ln_cell *cell) {
    return cell->op == LN_OP_LEAF &&
           (cell->at.leaf.kind == LN_LEAF_TIME || cell->at.leaf.kind == LN_LEAF_DECIDE);
}

static int is_table(const ln_cell *cell) {
    return ln_op_has_table((ln_op)cell->op);
}

/* memo of a product that its only user, a sum, computes. */
enum { FUSED = -1 };

/* Counts in each memo how often the node is used; an output counts twice, as it must have a
 * register. */
static void count_uses(const compiler *c, int nodes, const ln_node *outputs, int noutputs) {
    ln_cell *cell = c->graph->cell;
    for (int i = 0; i < nodes; i++)
        cell[c->graph->order[i]].memo = 0;
    for (int i = 0; i < noutputs; i++)
        cell[outputs[i]].memo += 2;
    for (int i = 0; i < nodes; i++)
        for (int k = 0; k < 3; k++) {
            ln_node arg = cell[c->graph->order[i]].arg[k];
            if (arg != LN_NONE)
                cell[arg].memo++;
        }
}

/* Which argument of a sum in the body is a product that nobody else uses, or -1. */
static int product_in(const compiler *c, const ln_cell *sum) {
    if ((sum->op != LN_OP_ADD && sum->op != LN_OP_SUB) || part_of(sum) != BODY)
        return -1;
    for (int k = 0; k < 2; k++) {
        const ln_cell *product = &c->graph->cell[sum->arg[k]];
        if (product->op == LN_OP_MUL && part_of(product) == BODY &&
            (product->memo == 1 || product->memo == FUSED))
            return k;
    }
    return -1;
}

static void fuse_products(const compiler *c, int nodes) {
    for (int i = 0; i < nodes; i++) {
        const ln_cell *sum = &c->graph->cell[c->graph->order[i]];
        int k = product_in(c, sum);
        if (k >= 0)
            c->graph->cell[sum->arg[k]].memo = FUSED;
    }
}

/* How many registers each part has. 0 when there is a DER. */
static int count_parts(compiler *c, int nodes) {
    for (int i = 0; i < nodes; i++) {
        const ln_cell *cell = &c->graph->cell[c->graph->order[i]];
        if (cell->op == LN_OP_DER)
            return 0;
        c->tables += is_table(cell);
        if (!is_time(cell) && cell->memo != FUSED)
            c->count[part_of(cell)]++;
    }
    for (int part = 0, at = LN_FIRST_REGISTER; part < PARTS; at += c->count[part++])
        c->next[part] = at;
    return 1;
}

static int allocate(compiler *c, int outputs) {
    c->constant = LN_NEW(c->arena, double, c->count[CONSTANTS]);
    c->parameter = LN_NEW(c->arena, int, c->count[PARAMETERS]);
    c->start = LN_NEW(c->arena, ln_instruction, c->count[START] + 1); /* one more: the end */
    c->memory = LN_NEW(c->arena, int, c->count[MEMORIES]);
    c->unknown = LN_NEW(c->arena, int, c->count[UNKNOWNS]);
    c->body = LN_NEW(c->arena, ln_instruction, c->count[BODY] + 1);
    c->table = LN_NEW(c->arena, ln_program_table, c->tables);
    c->output = LN_NEW(c->arena, int, outputs);
    return c->constant && c->parameter && c->start && c->memory && c->unknown && c->body &&
           c->table && c->output;
}

static int register_of(const compiler *c, ln_node node) {
    return node == LN_NONE ? 0 : c->graph->cell[node].memo;
}

/* A sum with the product it computes itself. */
static ln_instruction fused(const compiler *c, const ln_cell *sum, int k) {
    const ln_cell *product = &c->graph->cell[sum->arg[k]];
    short op = sum->op == LN_OP_ADD ? LN_OP_MULADD : k == 0 ? LN_OP_MULSUB : LN_OP_SUBMUL;
    return (ln_instruction){op, op, register_of(c, product->arg[0]),
                            register_of(c, product->arg[1]), register_of(c, sum->arg[1 - k])};
}

static ln_instruction instruction(compiler *c, const ln_cell *cell, int *tables) {
    for (int k = 0; k < 2 && (cell->op == LN_OP_ADD || cell->op == LN_OP_SUB); k++)
        if (c->graph->cell[cell->arg[k]].memo == FUSED)
            return fused(c, cell, k);
    ln_instruction in = {cell->op, cell->op, register_of(c, cell->arg[0]),
                         register_of(c, cell->arg[1]), register_of(c, cell->arg[2])};
    if (!is_table(cell))
        return in;
    c->table[*tables] = (ln_program_table){cell->at.table.first, cell->at.table.points};
    *(ln_op_arity((ln_op)cell->op) == 2 ? &in.c : &in.b) = (*tables)++;
    return in;
}

/* Gives every node its register and writes what fills it. */
static void emit(compiler *c, int nodes) {
    int tables = 0, first[PARTS];
    memcpy(first, c->next, sizeof first);
    for (int i = 0; i < nodes; i++) {
        ln_cell *cell = &c->graph->cell[c->graph->order[i]];
        if (cell->memo == FUSED)
            continue;
        if (is_time(cell)) {
            cell->memo = cell->at.leaf.kind == LN_LEAF_TIME ? LN_TIME_REGISTER : LN_DECIDE_REGISTER;
            continue;
        }
        int part = part_of(cell), at = c->next[part]++, index = at - first[part];
        switch (part) {
        case CONSTANTS: c->constant[index] = cell->at.value; break;
        case PARAMETERS: c->parameter[index] = cell->at.leaf.index; break;
        case MEMORIES: c->memory[index] = cell->at.leaf.index; break;
        case UNKNOWNS: c->unknown[index] = cell->at.leaf.index; break;
        case START: c->start[index] = instruction(c, cell, &tables); break;
        default: c->body[index] = instruction(c, cell, &tables); break;
        }
        cell->memo = at;
    }
}

/* How an instruction finds its operands: all in the file, or one of them as the value that was
 * computed just before, which is still at hand. A program is mostly a chain, and storing and
 * loading along it is what it would wait for. */
enum {
    FROM_FILE,
    LAST_IS_A = LN_OPS,
    LAST_IS_B = 2 * LN_OPS,
    LAST_IS_C = 3 * LN_OPS,
    END = 4 * LN_OPS,
    ENTRIES
};

/* Sets the entries of instructions of which the first fills register `first`. */
static void set_entries(ln_instruction *in, int count, int first) {
    for (int i = 1; i < count; i++) {
        int last = first + i - 1, arity = ln_op_arity((ln_op)in[i].op);
        if (ln_op_has_table((ln_op)in[i].op))
            continue;
        int from = arity > 0 && in[i].a == last   ? LAST_IS_A
                   : arity > 1 && in[i].b == last ? LAST_IS_B
                   : arity > 2 && in[i].c == last ? LAST_IS_C
                                                  : FROM_FILE;
        in[i].entry = (short)(in[i].op + from);
    }
    in[count].entry = END;
}

const ln_program *ln_program_compile(ln_arena *arena, const ln_graph *graph, const ln_node *nodes,
                                     int count) {
    compiler c = {.graph = graph, .arena = arena};
    for (int i = 0; i < count; i++)
        if (nodes[i] == LN_NONE)
            return NULL;
    int reached = ln_below(graph, nodes, count, 0, 0);
    ln_program *program = LN_NEW(arena, ln_program, 1);
    count_uses(&c, reached, nodes, count);
    fuse_products(&c, reached);
    if (!count_parts(&c, reached) || !program || !allocate(&c, count))
        return NULL;
    emit(&c, reached);
    set_entries(c.start, c.count[START], c.next[START] - c.count[START]);
    set_entries(c.body, c.count[BODY], c.next[BODY] - c.count[BODY]);
    for (int i = 0; i < count; i++)
        c.output[i] = register_of(&c, nodes[i]);
    *program = (ln_program){
        .registers = c.next[BODY],
        .constant = c.constant,
        .nconstants = c.count[CONSTANTS],
        .parameter = c.parameter,
        .nparameters = c.count[PARAMETERS],
        .start = c.start,
        .nstart = c.count[START],
        .memory = c.memory,
        .nmemories = c.count[MEMORIES],
        .unknown = c.unknown,
        .nunknowns = c.count[UNKNOWNS],
        .body = c.body,
        .nbody = c.count[BODY],
        .table = c.table,
        .ntables = c.tables,
        .output = c.output,
        .noutputs = count,
    };
    return program;
}

/* ---- running ---- */

/* Each operation as a function of three operands; what it does not use, the compiler drops. */
#define LN_DO(name, arity, expression)                             \
    static inline double do_##name(double a, double b, double c) { \
        (void)a, (void)b, (void)c;                                 \
        return expression;                                         \
    }
LN_OP_MATH(LN_DO)
LN_OP_FUSED(LN_DO)
#undef LN_DO

/* Runs up to the end; instruction i writes out[i]. Where the compiler can, each piece of code jumps
 * to the next one itself instead of coming back to one common jump: the processor then foresees
 * where each goes. */
static void execute(const ln_instruction *in, const double *file, double *out,
                    const ln_program_table *tables, const double *parameters) {
    double last = 0;
#ifdef __GNUC__
    static const void *const code[ENTRIES] = {
/* clang-format off */
#define LN_DO(name, arity, expression) \
    [LN_OP_##name] = &&file_##name, [LN_OP_##name + LAST_IS_A] = &&a_##name, \
    [LN_OP_##name + LAST_IS_B] = &&b_##name, [LN_OP_##name + LAST_IS_C] = &&c_##name,
        /* clang-format on */
        LN_OP_MATH(LN_DO) LN_OP_FUSED(LN_DO)
#undef LN_DO
            [LN_OP_TABLE] = &&table,
        [LN_OP_TABLE_SLOPE] = &&slope, [LN_OP_TABLE_MIDDLE] = &&middle, [LN_OP_TABLE_ROOM] = &&room,
        [END] = &&end};
#define PIECE(label, entry) \
    label:
#define NEXT       \
    *out++ = last; \
    in++;          \
    goto *code[in->entry]
    goto *code[in->entry];
#else
#define PIECE(label, entry) case entry:
#define NEXT       \
    *out++ = last; \
    in++;          \
    break
    for (;;)
        switch (in->entry) {
#endif
#define LN_DO(name, arity, expression)                                                          \
    PIECE(file_##name, LN_OP_##name) last = do_##name(file[in->a], file[in->b], file[in->c]);   \
    NEXT;                                                                                       \
    PIECE(a_##name, LN_OP_##name + LAST_IS_A) last = do_##name(last, file[in->b], file[in->c]); \
    NEXT;                                                                                       \
    PIECE(b_##name, LN_OP_##name + LAST_IS_B) last = do_##name(file[in->a], last, file[in->c]); \
    NEXT;                                                                                       \
    PIECE(c_##name, LN_OP_##name + LAST_IS_C) last = do_##name(file[in->a], file[in->b], last); \
    NEXT;
    LN_OP_MATH(LN_DO)
    LN_OP_FUSED(LN_DO)
#undef LN_DO
    PIECE(table, LN_OP_TABLE)
    last = linnet_table(file[in->a], file[in->b], parameters + tables[in->c].first,
                        tables[in->c].points);
    NEXT;
    PIECE(slope, LN_OP_TABLE_SLOPE)
    last = linnet_table_slope(file[in->a], parameters + tables[in->b].first, tables[in->b].points);
    NEXT;
    PIECE(middle, LN_OP_TABLE_MIDDLE)
    last = linnet_table_middle(file[in->a], parameters + tables[in->b].first, tables[in->b].points);
    NEXT;
    PIECE(room, LN_OP_TABLE_ROOM)
    last = linnet_table_room(file[in->a], file[in->b], parameters + tables[in->c].first,
                             tables[in->c].points);
    NEXT;
    PIECE(end, END)
    return;
#ifndef __GNUC__
}
#endif
#undef NEXT
#undef PIECE
}

void ln_program_start(const ln_program *program, double *file, const double *parameters) {
    double *at = file + LN_FIRST_REGISTER;
    for (int i = 0; i < program->nconstants; i++)
        *at++ = program->constant[i];
    for (int i = 0; i < program->nparameters; i++)
        *at++ = parameters[program->parameter[i]];
    file[LN_TIME_REGISTER] = file[LN_DECIDE_REGISTER] = 0;
    execute(program->start, file, at, program->table, parameters);
}

void ln_program_run(const ln_program *program, double *file, const double *parameters,
                    const linnet_point *point) {
    double *at =
        file + (program->registers - program->nbody - program->nunknowns - program->nmemories);
    assert(at >= file); /* leaves stand in front of the body */
    file[LN_TIME_REGISTER] = point->t;
    file[LN_DECIDE_REGISTER] = point->decide;
    for (int i = 0; i < program->nmemories; i++)
        *at++ = point->m[program->memory[i]];
    for (int i = 0; i < program->nunknowns; i++)
        *at++ = point->x[program->unknown[i]];
    execute(program->body, file, at, program->table, parameters);
}

/* ---- breakpoints ---- */

const ln_breakpoints *ln_breakpoints_compile(ln_arena *arena, const ln_graph *graph,
                                             const ln_breakpoint *breakpoints, int count) {
    ln_breakpoints *result = LN_NEW(arena, ln_breakpoints, 1);
    ln_node *nodes = LN_NEW(arena, ln_node, 2 * (size_t)count);
    if (!result || !nodes)
        return NULL;
    for (int i = 0; i < count; i++) {
        nodes[2 * i] = breakpoints[i].scale;
        nodes[2 * i + 1] = breakpoints[i].shift;
    }
    *result =
        (ln_breakpoints){breakpoints, count, ln_program_compile(arena, graph, nodes, 2 * count)};
    return result->program ? result : NULL;
}

/* Breakpoints stand behind those they depend on, so up to `next`, the earliest of those before,
 * scale and shift are what they are at any time between. */
double ln_breakpoints_next(const ln_breakpoints *breakpoints, double *file,
                           const double *parameters, const double *m, double t) {
    const ln_program *program = breakpoints->program;
    double next = INFINITY;
    for (int i = 0; i < breakpoints->count; i++) {
        double between = isfinite(next) ? t + 0.5 * (next - t) : t + fmax(1, fabs(t));
        const ln_breakpoint *breakpoint = &breakpoints->breakpoint[i];
        if (i == 0 || program->nbody > 0)
            ln_program_run(program, file, parameters, &(linnet_point){between, between, NULL, m});
        double found = ln_breakpoint_next(
            breakpoint->kind, file[program->output[2 * i]], file[program->output[2 * i + 1]],
            parameters + breakpoint->table_first, breakpoint->table_points, t);
        if (found < next)
            next = found;
    }
    return next;
}
