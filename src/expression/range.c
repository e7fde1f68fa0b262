/* SPDX-License-Identifier: MIT */
/* See the header. */
#include "expression/range.h"

#include "expression/nodes.h"
#include "expression/poles.h"

#include <string.h>

static ln_interval point(double value) {
    return isnan(value) ? LN_ANYTHING : (ln_interval){value, value};
}

/* One segment of a table is a straight line, the room in it rises to a middle and falls. */
static ln_interval in_table(ln_op op, ln_interval x, double segment, const double *table,
                            int points) {
    switch (op) {
    case LN_OP_TABLE:
        return ln_interval_hull(point(linnet_table(x.low, segment, table, points)),
                                point(linnet_table(x.high, segment, table, points)));
    case LN_OP_TABLE_ROOM: {
        const double middle = fmin(fmax(segment, x.low), x.high);
        return ln_interval_hull(
            ln_interval_hull(point(linnet_table_room(x.low, segment, table, points)),
                             point(linnet_table_room(x.high, segment, table, points))),
            point(linnet_table_room(middle, segment, table, points)));
    }
    case LN_OP_TABLE_SLOPE: return point(linnet_table_slope(segment, table, points));
    default: return point(linnet_table_middle(segment, table, points));
    }
}

static ln_interval of_table(const ln_program *program, const ln_instruction *in,
                            const ln_interval *range, const double *parameters) {
    const int takes_two = ln_op_arity((ln_op)in->op) == 2;
    const ln_interval segment = range[takes_two ? in->b : in->a];
    const ln_program_table *table = &program->table[takes_two ? in->c : in->b];
    if (!ln_interval_is_point(segment))
        return LN_ANYTHING;
    return in_table((ln_op)in->op, ln_poles_whole(range[in->a]), segment.low,
                    parameters + table->first, table->points);
}

/* The instruction that fills a register; NULL: none of the body does. */
static const ln_instruction *filled_by(const ln_program *program, int at) {
    const int body = program->registers - program->nbody;
    return at >= body ? &program->body[at - body] : NULL;
}

/* What `if(x lt y, yes, no)` is, by its operands. */
typedef enum choice { CHOICE, LESSER, LARGER, SIZE } choice;

static choice kind_of(const ln_program *program, const ln_instruction *in,
                      const ln_interval *range) {
    const ln_instruction *order = filled_by(program, in->a), *yes = filled_by(program, in->b);
    if (order == NULL || (order->op != LN_OP_LT && order->op != LN_OP_LE))
        return CHOICE;
    if (order->a == in->b && order->b == in->c)
        return LESSER;
    if (order->a != in->c)
        return CHOICE;
    if (order->b == in->b)
        return LARGER;
    const int with_zero = range[order->b].low == 0 && range[order->b].high == 0;
    return with_zero && yes != NULL && yes->op == LN_OP_NEG && yes->a == in->c ? SIZE : CHOICE;
}

static ln_interval chosen(const ln_program *program, const ln_instruction *in,
                          const ln_interval *range) {
    const ln_interval condition = range[in->a], yes = range[in->b], no = range[in->c];
    if (condition.low == 0 && condition.high == 0)
        return no;
    if (condition.low > 0 || condition.high < 0)
        return yes;
    const choice kind = kind_of(program, in, range);
    if (kind != SIZE && (ln_interval_is_outer(yes) || ln_interval_is_outer(no)))
        return LN_AROUND;
    switch (kind) {
    case LESSER: return (ln_interval){fmin(yes.low, no.low), fmin(yes.high, no.high)};
    case LARGER: return (ln_interval){fmax(yes.low, no.low), fmax(yes.high, no.high)};
    case SIZE: return ln_poles_size(range[in->c]);
    default: return ln_interval_hull(yes, no);
    }
}

/* The register whose value this one has: what an `if` takes whose condition is decided. */
static int value_of(const ln_program *program, int at, const ln_interval *range) {
    const ln_instruction *in;
    while ((in = filled_by(program, at)) != NULL && in->op == LN_OP_IF) {
        const ln_interval condition = range[in->a];
        if (condition.low <= 0 && condition.high >= 0 && !ln_interval_is_point(condition))
            break;
        at = condition.low == 0 ? in->c : in->b;
    }
    return at;
}

static ln_interval of_instruction(const ln_program *program, const ln_instruction *in,
                                  const ln_interval *range) {
    const ln_interval a = range[in->a], b = range[in->b], c = range[in->c];
    switch (in->op) {
    case LN_OP_IF: return chosen(program, in, range);
    case LN_OP_MULADD: return ln_poles_sum(ln_poles_product(a, b), c);
    case LN_OP_MULSUB: return ln_poles_sum(ln_poles_product(a, b), ln_poles_negative(c));
    case LN_OP_SUBMUL: return ln_poles_sum(c, ln_poles_negative(ln_poles_product(a, b)));
    default:
        return ln_poles_apply((ln_op)in->op, a, b,
                              value_of(program, in->a, range) == value_of(program, in->b, range));
    }
}

void ln_program_range(const ln_program *program, const double *file, const ln_box *box,
                      ln_interval *range) {
    const int body = program->registers - program->nbody;
    int at = body - program->nunknowns - program->nmemories;
    for (int i = 0; i < at; i++)
        range[i] = point(file[i]);
    range[LN_TIME_REGISTER] = box->t;
    range[LN_DECIDE_REGISTER] = point(box->decide);
    for (int i = 0; i < program->nmemories; i++)
        range[at++] = point(box->m[program->memory[i]]);
    for (int i = 0; i < program->nunknowns; i++) {
        const int k = program->unknown[i];
        range[at++] = ln_interval_hull(point(box->x[k]), point(box->x_end[k]));
    }
    for (int i = 0; i < program->nbody; i++) {
        const ln_instruction *in = &program->body[i];
        range[at++] = ln_op_has_table((ln_op)in->op) ? of_table(program, in, range, box->parameters)
                                                     : of_instruction(program, in, range);
    }
}
