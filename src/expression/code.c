/* SPDX-License-Identifier: MIT */
/* From the registers of a program to statements: see code.h. Each register has a text, which is a
 * leaf, a literal, the name of a local, or a whole expression that its only user takes into its
 * own. */
#include "expression/code.h"

#include "base/text.h"

#include "expression/lower.h"
#include "expression/nodes.h"
#include <float.h>
#include <stdio.h>
#include <string.h>

/* Precedence of an expression of C, as far as it matters here. */
enum { CHOICE, OR, AND, EQUAL, COMPARE, SUM, PRODUCT, SIGN, ATOM };
/* An expression longer than this becomes a local: a line of code stays a line. */
enum { LONGEST = 72 };

typedef struct slot {
    const char *text;
    int binds;  /* precedence of the text */
    int truth;  /* an int that is 0 or 1 */
    int uses;   /* by instructions */
    int output; /* the first output that it is, or -1 */
} slot;

typedef struct coder {
    const ln_program *program;
    const ln_code *code;
    ln_arena *arena;
    ln_text *out;
    ln_code_cost *cost;
    slot *slots;
    int *next_output; /* per output: the next one of the same register, or -1 */
} coder;

/* ---- numbers ---- */

/* No literal that C would cut short; what keeps a divisor from zero (1e-300) still does. */
static double as_float(double value) {
    const double cut = (double)(float)value;
    return cut > 0 || cut < 0 || fabs(value) <= 0 ? cut : (double)FLT_MIN;
}

void ln_code_number(ln_language language, ln_text *out, double value) {
    char number[32];
    const int is_float = language == LN_C_FLOAT;
    if (isnan(value)) {
        ln_text_add(out, is_float ? "NAN" : language == LN_PYTHON ? "_NAN" : "(double)NAN");
        return;
    }
    if (signbit(value))
        ln_text_add(out, "-");
    if (is_float && fabs(value) < FLT_MIN)
        value = as_float(value);
    if (isinf(value) || (is_float && fabs(value) > (double)FLT_MAX)) {
        ln_text_add(out, is_float ? "HUGE_VALF" : language == LN_PYTHON ? "_INF" : "HUGE_VAL");
        return;
    }
    ln_number_format(number, fabs(value));
    ln_text_printf(out, "%s%s%s", number, strpbrk(number, ".e") ? "" : ".0", is_float ? "f" : "");
}

/* ---- texts of registers ---- */

/* Keeps what was written as the text of a register. */
static void keep(coder *c, slot *entry, ln_text *text, int binds, int truth) {
    const char *kept =
        text->failed || text->data == NULL ? NULL : ln_arena_string(c->arena, text->data);
    if (kept == NULL)
        c->out->failed = 1;
    entry->text = kept != NULL ? kept : "";
    entry->binds = binds;
    entry->truth = truth;
    ln_text_free(text);
}

static int is_python(const coder *c) {
    return c->code->language == LN_PYTHON;
}

/* A register as an operand of something that binds with `least`; `truth`: where C asks for a
 * condition. */
static void operand(const coder *c, ln_text *out, int reg, int least, int truth) {
    const slot *entry = &c->slots[reg];
    if (truth && !entry->truth) {
        const char *const open = EQUAL < least ? "(" : "", *const end = EQUAL < least ? ")" : "";
        ln_text_printf(out, entry->binds <= EQUAL ? "%s(%s) != 0%s" : "%s%s != 0%s", open,
                       entry->text, end);
    } else if (!truth && entry->truth) {
        ln_text_printf(out, "%s(%s)",
                       is_python(c)                      ? "float"
                       : c->code->language == LN_C_FLOAT ? "(float)"
                                                         : "(double)",
                       entry->text);
    } else {
        ln_text_printf(out, entry->binds < least ? "(%s)" : "%s", entry->text);
    }
}

static void number(const coder *c, ln_text *out, int reg, int least) {
    operand(c, out, reg, least, 0);
}

/* Two operands around a sign; the right one stands in parentheses where C would regroup. */
static void infix(const coder *c, ln_text *out, int a, const char *sign, int b, int row) {
    number(c, out, a, row);
    ln_text_add(out, sign);
    /* a sum of sums keeps its order; a number with a minus sign would read badly */
    const int minus = c->slots[b].text[0] == '-';
    number(c, out, b, minus ? ATOM : row + 1);
}

static void compare(const coder *c, ln_text *out, const ln_instruction *in, const char *sign) {
    number(c, out, in->a, SUM);
    ln_text_add(out, sign);
    number(c, out, in->b, SUM);
}

/* Operands of && and || stand in parentheses unless they are comparisons or atoms. */
static void logic(const coder *c, ln_text *out, const ln_instruction *in, const char *sign) {
    operand(c, out, in->a, EQUAL, 1);
    ln_text_add(out, sign);
    operand(c, out, in->b, EQUAL, 1);
}

/* ---- operations ---- */

static int is_special(ln_op op) {
    return op == LN_OP_SINC || op == LN_OP_POLYGAMMA || op == LN_OP_UNIFORM || op == LN_OP_NORMAL ||
           ln_op_has_table(op);
}

/* "sqrt" of "sqrt(a)". */
static int name_length(const char *text) {
    return (int)strcspn(text, "(");
}

static void argument(const coder *c, ln_text *out, int reg, int as_double) {
    if (as_double)
        ln_text_add(out, "(double)");
    number(c, out, reg, as_double ? SIGN : CHOICE);
}

/* A call; functions of special.h are in double whatever the language. */
static void call(const coder *c, ln_text *out, const ln_instruction *in) {
    static const char *const tables[] = {"linnet_table(", "linnet_table_slope(",
                                         "linnet_table_middle(", "linnet_table_room("};
    const ln_op op = (ln_op)in->op;
    const int arity = ln_op_arity(op), is_float = c->code->language == LN_C_FLOAT;
    if (ln_op_recalls(op)) {
        c->code->recall(c->code->context, out, op, c->slots[in->a].text, c->slots[in->b].text);
        return;
    }
    const int as_double = is_float && is_special(op);
    if (as_double)
        ln_text_add(out, "(float)");
    if (ln_op_has_table(op)) {
        ln_text_add(out, tables[op - LN_OP_TABLE]);
    } else {
        const char *text = ln_op_template(op);
        ln_text_add(out, is_python(c) && !is_special(op) ? "_" : "");
        ln_text_add_bytes(out, text, (size_t)name_length(text));
        ln_text_add(out, is_float && !as_double ? "f(" : "(");
    }
    argument(c, out, in->a, as_double);
    if (arity == 2) {
        ln_text_add(out, ", ");
        argument(c, out, in->b, as_double);
    }
    if (ln_op_has_table(op)) {
        const ln_program_table *table = &c->program->table[arity == 2 ? in->c : in->b];
        ln_text_add(out, ", ");
        c->code->table(c->code->context, out, table->first);
        ln_text_printf(out, ", %d", table->points);
    }
    ln_text_add(out, ")");
}

static void choice(const coder *c, ln_text *out, const ln_instruction *in) {
    if (is_python(c)) {
        ln_text_add(out, "(");
        number(c, out, in->b, OR);
        ln_text_add(out, " if ");
        operand(c, out, in->a, EQUAL, 1);
        ln_text_add(out, " else ");
        number(c, out, in->c, OR);
        ln_text_add(out, ")");
        return;
    }
    operand(c, out, in->a, EQUAL, 1);
    ln_text_add(out, " ? ");
    number(c, out, in->b, OR);
    ln_text_add(out, " : ");
    number(c, out, in->c, OR);
}

static void negation(const coder *c, ln_text *out, const ln_instruction *in) {
    ln_text_add(out, "-");
    number(c, out, in->a, c->slots[in->a].text[0] == '-' ? ATOM + 1 : SIGN);
}

/* A quotient; in Python by a function, unless the divisor is a number. */
static int quotient(const coder *c, ln_text *out, const ln_instruction *in) {
    const char first = c->slots[in->b].text[0];
    const int is_number = c->slots[in->b].binds == ATOM && first >= '1' && first <= '9';
    if (!is_python(c) || is_number) {
        infix(c, out, in->a, " / ", in->b, PRODUCT);
        return PRODUCT;
    }
    ln_text_add(out, "_div(");
    number(c, out, in->a, CHOICE);
    ln_text_add(out, ", ");
    number(c, out, in->b, CHOICE);
    ln_text_add(out, ")");
    return ATOM;
}

/* A product within a sum. */
static void fused(const coder *c, ln_text *out, const ln_instruction *in) {
    if (in->op == LN_OP_SUBMUL) {
        number(c, out, in->c, SUM);
        ln_text_add(out, " - ");
    }
    infix(c, out, in->a, " * ", in->b, PRODUCT);
    if (in->op == LN_OP_SUBMUL)
        return;
    ln_text_add(out, in->op == LN_OP_MULADD ? " + " : " - ");
    number(c, out, in->c, c->slots[in->c].text[0] == '-' ? ATOM : PRODUCT);
}

/* Operations that stand between their operands. */
typedef struct joining {
    ln_op op;
    const char *c, *python;
    int binds;
} joining;

static const joining joinings[] = {
    {LN_OP_ADD, " + ", " + ", SUM},      {LN_OP_SUB, " - ", " - ", SUM},
    {LN_OP_MUL, " * ", " * ", PRODUCT},  {LN_OP_LT, " < ", " < ", COMPARE},
    {LN_OP_LE, " <= ", " <= ", COMPARE}, {LN_OP_EQ, " == ", " == ", EQUAL},
    {LN_OP_AND, " && ", " and ", AND},   {LN_OP_OR, " || ", " or ", OR}};

static const joining *joining_of(int op) {
    for (size_t k = 0; k < sizeof joinings / sizeof *joinings; k++)
        if ((int)joinings[k].op == op)
            return &joinings[k];
    return NULL;
}

/* Returns whether it is a truth value. */
static int join(const coder *c, ln_text *text, const ln_instruction *in, const joining *by) {
    const char *between = is_python(c) ? by->python : by->c;
    if (by->binds == SUM || by->binds == PRODUCT) {
        infix(c, text, in->a, between, in->b, by->binds);
        return 0;
    }
    if (by->binds == AND || by->binds == OR)
        logic(c, text, in, between);
    else
        compare(c, text, in, between);
    return 1;
}

/* Returns its precedence. */
static int opposite(const coder *c, ln_text *text, const ln_instruction *in) {
    ln_text_add(text, is_python(c) ? "(not " : "!");
    operand(c, text, in->a, ATOM, 1);
    ln_text_add(text, is_python(c) ? ")" : "");
    return is_python(c) ? ATOM : SIGN;
}

/* How an operation is written: its precedence, whether it is a truth value, and the text. */
static void expression(coder *c, slot *entry, const ln_instruction *in) {
    ln_text text = {0};
    const joining *by = joining_of(in->op);
    int binds = ATOM, truth = 0;
    if (by != NULL) {
        truth = join(c, &text, in, by);
        keep(c, entry, &text, by->binds, truth);
        return;
    }
    switch (in->op) {
    case LN_OP_DIV: binds = quotient(c, &text, in); break;
    case LN_OP_NEG:
        negation(c, &text, in);
        binds = SIGN;
        break;
    case LN_OP_NOT:
        binds = opposite(c, &text, in);
        truth = 1;
        break;
    case LN_OP_IF:
        choice(c, &text, in);
        binds = is_python(c) ? ATOM : CHOICE;
        break;
    case LN_OP_MULADD:
    case LN_OP_MULSUB:
    case LN_OP_SUBMUL:
        fused(c, &text, in);
        binds = SUM;
        break;
    case LN_OP_NOEVENT:
    case LN_OP_PRE:
        ln_text_add(&text, c->slots[in->a].text);
        binds = c->slots[in->a].binds;
        truth = c->slots[in->a].truth;
        break;
    default: call(c, &text, in); break;
    }
    keep(c, entry, &text, binds, truth);
}

static void count(const coder *c, const ln_instruction *in) {
    const int fused = in->op == LN_OP_MULADD || in->op == LN_OP_MULSUB || in->op == LN_OP_SUBMUL;
    c->cost->used[in->op] = 1;
    if (in->op == LN_OP_NOEVENT || in->op == LN_OP_PRE)
        return;
    if (in->op <= LN_OP_IF && !ln_op_has_table((ln_op)in->op) && in->op != LN_OP_POW)
        c->cost->operations++;
    else if (fused)
        c->cost->operations += 2;
    else
        c->cost->calls++;
}

/* ---- statements ---- */

/* The register becomes a local of its own. */
static void make_local(coder *c, int reg) {
    slot *entry = &c->slots[reg];
    const char *type = entry->truth ? "int" : c->code->language == LN_C_FLOAT ? "float" : "double";
    ln_text name = {0};
    ln_text_printf(&name, "%s%d", c->code->prefix, reg);
    const char *own = name.data ? name.data : "";
    c->out->failed |= name.failed;
    if (is_python(c))
        ln_text_printf(c->out, "%s%s = %s\n", c->code->indent, own, entry->text);
    else
        ln_text_printf(c->out, "%sconst %s %s = %s;\n", c->code->indent, type, own, entry->text);
    keep(c, entry, &name, ATOM, entry->truth);
}

/* More than a name or a plain literal. */
static int is_expression(const slot *entry) {
    return entry->binds != ATOM || strchr(entry->text, '(') != NULL;
}

static void assign(coder *c, int output, const char *value) {
    c->code->assign(c->code->context, c->out, output, value != NULL ? value : "");
}

/* All outputs take over the values of their registers. */
static void assign_in_order(coder *c) {
    for (int k = 0; k < c->program->noutputs; k++) {
        ln_text value = {0};
        operand(c, &value, c->program->output[k], CHOICE, c->code->truth);
        assign(c, k, value.data);
        c->out->failed |= value.failed;
        ln_text_free(&value);
    }
}

/* The register's outputs take over its value; it is read by the name of the first that has one. */
static void assign_outputs(coder *c, int reg) {
    slot *entry = &c->slots[reg];
    for (int k = c->code->ordered ? -1 : entry->output; k >= 0; k = c->next_output[k]) {
        ln_text value = {0}, name = {0};
        operand(c, &value, reg, CHOICE, c->code->truth);
        const int named = c->code->name(c->code->context, &name, k) && name.data != NULL;
        /* an unknown on which a loop iterates is its own value */
        if (!named || value.data == NULL || strcmp(name.data, value.data) != 0)
            assign(c, k, value.data);
        c->out->failed |= value.failed | name.failed;
        if (named && is_expression(entry))
            keep(c, entry, &name, ATOM, 0);
        else
            ln_text_free(&name);
        ln_text_free(&value);
    }
}

static int is_named(const coder *c, int reg) {
    ln_text name = {0};
    const int k = c->slots[reg].output;
    const int named = k >= 0 && c->code->name(c->code->context, &name, k);
    c->out->failed |= name.failed;
    ln_text_free(&name);
    return named;
}

static void finish(coder *c, int reg) {
    slot *entry = &c->slots[reg];
    const int outputs = entry->output < 0 ? 0 : c->next_output[entry->output] < 0 ? 1 : 2;
    if (is_expression(entry)) {
        if (outputs == 0 && (entry->uses > 1 || strlen(entry->text) > LONGEST))
            make_local(c, reg);
        else if (outputs > 0 && entry->uses + outputs > 1 && !is_named(c, reg))
            make_local(c, reg);
    }
    if (outputs > 0)
        assign_outputs(c, reg);
}

static void instructions(coder *c, const ln_instruction *in, int count_of, int first) {
    for (int i = 0; i < count_of; i++) {
        expression(c, &c->slots[first + i], &in[i]);
        count(c, &in[i]);
        finish(c, first + i);
    }
}

/* ---- leaves ---- */

static void leaf(coder *c, int reg, ln_leaf kind, int index) {
    ln_text text = {0};
    if (c->slots[reg].uses > 0 || c->slots[reg].output >= 0)
        c->code->leaf(c->code->context, &text, kind, index);
    else
        ln_text_add(&text, "0");
    keep(c, &c->slots[reg], &text, ATOM, 0);
    if (c->slots[reg].output >= 0)
        assign_outputs(c, reg);
}

static void constant(coder *c, int reg, double value) {
    ln_text text = {0};
    ln_code_number(c->code->language, &text, value);
    const char first = text.data != NULL ? text.data[0] : '0';
    keep(c, &c->slots[reg], &text, first == '-' || first == '(' ? SIGN : ATOM, 0);
    if (c->slots[reg].output >= 0)
        assign_outputs(c, reg);
}

/* ---- uses ---- */

static void use_all(coder *c, const ln_instruction *in, int count_of) {
    for (int i = 0; i < count_of; i++) {
        const int operands[3] = {in[i].a, in[i].b, in[i].c};
        const int arity = ln_op_arity((ln_op)in[i].op);
        for (int k = 0; k < arity; k++)
            c->slots[operands[k]].uses++;
    }
}

static void find_outputs(coder *c) {
    for (int reg = 0; reg < c->program->registers; reg++)
        c->slots[reg].output = -1;
    for (int k = c->program->noutputs; k-- > 0;) {
        slot *entry = &c->slots[c->program->output[k]];
        c->next_output[k] = entry->output;
        entry->output = k;
    }
}

static void print(coder *c) {
    const ln_program *p = c->program;
    int reg = 0;
    use_all(c, p->start, p->nstart);
    use_all(c, p->body, p->nbody);
    find_outputs(c);
    leaf(c, reg++, LN_LEAF_TIME, 0);
    leaf(c, reg++, LN_LEAF_DECIDE, 0);
    for (int i = 0; i < p->nconstants; i++)
        constant(c, reg++, p->constant[i]);
    for (int i = 0; i < p->nparameters; i++)
        leaf(c, reg++, LN_LEAF_PARAMETER, p->parameter[i]);
    const int start = reg, memories = start + p->nstart,
              body = memories + p->nmemories + p->nunknowns;
    reg = memories;
    for (int i = 0; i < p->nmemories; i++)
        leaf(c, reg++, LN_LEAF_MEMORY, p->memory[i]);
    for (int i = 0; i < p->nunknowns; i++)
        leaf(c, reg++, LN_LEAF_UNKNOWN, p->unknown[i]);
    instructions(c, p->start, p->nstart, start);
    instructions(c, p->body, p->nbody, body);
    if (c->code->ordered)
        assign_in_order(c);
}

void ln_code_print(const ln_program *program, const ln_code *code, ln_text *out,
                   ln_code_cost *cost) {
    coder c = {.program = program, .code = code, .arena = ln_arena_new(), .out = out, .cost = cost};
    if (c.arena != NULL) {
        c.slots = LN_NEW(c.arena, slot, program->registers);
        c.next_output = LN_NEW(c.arena, int, program->noutputs);
    }
    if (c.arena == NULL || c.slots == NULL || c.next_output == NULL)
        out->failed = 1;
    else
        print(&c);
    ln_arena_free(c.arena);
}
