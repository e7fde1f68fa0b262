/* SPDX-License-Identifier: MIT */
/* The functions of every class made of equations: they run the class's programs.
 *
 * work[] holds one register file per program, `parametric` first. prepare() fills in all that
 * follows from parameters, so that linear(), start(), guess() and next_breakpoint() only read
 * outputs, and the others run what depends on x and t. */
#include "base/domain.h"
#include "blocks/compile.h"

#include <math.h>
#include <stdio.h>

static const ln_compiled_type *compiled_of(const linnet_block *block) {
    return block->type->data;
}

/* First of the outputs of `parametric` that come behind the constant entries. */
static int sources_at(const ln_compiled_type *compiled) {
    return compiled->nlinear;
}
static int starts_at(const ln_compiled_type *compiled) {
    return compiled->nlinear + (compiled->source == NULL ? compiled->nsources : 0);
}
static int guesses_at(const ln_compiled_type *compiled) {
    return starts_at(compiled) + compiled->nstarts;
}

static double parametric(const linnet_block *block, int output) {
    return block->work[compiled_of(block)->parametric->output[output]];
}

/* ---- prepare ---- */

static void unknown_text(const linnet_block_class *class, int unknown, char text[64]) {
    if (unknown >= class->nports)
        snprintf(text, 64, "%s", class->vars[unknown - class->nports].name);
    else if (class->ports[unknown].domain == LINNET_SIGNAL)
        snprintf(text, 64, "%s", class->ports[unknown].name);
    else
        snprintf(text, 64, "%s.%s", class->ports[unknown].name,
                 ln_domain(class->ports[unknown].domain)->potential);
}

static void row_text(const linnet_block_class *class, int row, char text[128]) {
    if (row >= class->nports)
        snprintf(text, 128, "'%.120s'", class->rows[row - class->nports].name);
    else if (class->ports[row].domain == LINNET_SIGNAL)
        snprintf(text, 128, "output %s", class->ports[row].name);
    else
        snprintf(text, 128, "%s.%s", class->ports[row].name,
                 ln_domain(class->ports[row].domain)->flux);
}

/* What an output of `parametric` is for, said when it has no finite value. */
static void complain(const linnet_block *block, int output, char message[256]) {
    const linnet_block_class *class = block->type;
    const ln_compiled_type *compiled = compiled_of(block);
    char row[128], unknown[64];
    if (output < sources_at(compiled)) {
        const linnet_entry *entry = &class->entries[compiled->linear_entry[output]];
        row_text(class, entry->row, row);
        unknown_text(class, entry->col, unknown);
        snprintf(message, 256, "its parameters give the factor %g to %.60s in %.120s; change them",
                 parametric(block, output), unknown, row);
    } else if (output < starts_at(compiled)) {
        row_text(class, compiled->source_row[output - sources_at(compiled)], row);
        snprintf(message, 256, "its parameters give a source of %g in %.120s; change them",
                 parametric(block, output), row);
    } else {
        snprintf(message, 256, "its parameters give a start value of %g; change them",
                 parametric(block, output));
    }
}

static linnet_status prepare(const linnet_block *block, char message[256]) {
    const ln_compiled_type *compiled = compiled_of(block);
    ln_program_start(compiled->parametric, block->work, block->p);
    ln_program_run(compiled->parametric, block->work, block->p, &(linnet_point){.t = 0});
    if (compiled->source != NULL)
        ln_program_start(compiled->source, block->work + compiled->source_at, block->p);
    if (compiled->eval != NULL)
        ln_program_start(compiled->eval, block->work + compiled->eval_at, block->p);
    if (compiled->value != NULL)
        ln_program_start(compiled->value, block->work + compiled->value_at, block->p);
    if (compiled->observed != NULL)
        ln_program_start(compiled->observed, block->work + compiled->observed_at, block->p);
    if (compiled->breakpoints != NULL)
        ln_program_start(compiled->breakpoints->program, block->work + compiled->breakpoints_at,
                         block->p);
    LN_TRY(ln_hybrid_prepare(block, message));
    for (int k = 0; k < compiled->hybrid.nperiods; k++) {
        double value = parametric(block, guesses_at(compiled) + compiled->nguesses + k);
        const ln_period *period = &compiled->hybrid.periods[k];
        if ((value > 0 || (period->zero && value == 0)) && isfinite(value))
            continue;
        snprintf(message, 256, "%s comes to %g s; it must %s", period->what, value,
                 period->zero ? "not be negative" : "be above zero");
        return LINNET_MODEL;
    }
    for (int k = 0; k < guesses_at(compiled) + compiled->nguesses; k++) {
        if (isfinite(parametric(block, k)))
            continue;
        complain(block, k, message);
        return LINNET_MODEL;
    }
    return LINNET_OK;
}

/* ---- values of parameters alone ---- */

static void linear(const linnet_block *block, double *entry) {
    const ln_compiled_type *compiled = compiled_of(block);
    for (int k = 0; k < compiled->nlinear; k++)
        entry[compiled->linear_entry[k]] = parametric(block, k);
}

static void constant_source(const linnet_block *block, const linnet_point *point, double *s) {
    (void)point;
    const ln_compiled_type *compiled = compiled_of(block);
    for (int k = 0; k < compiled->nsources; k++)
        s[compiled->source_row[k]] = parametric(block, sources_at(compiled) + k);
}

static void start(const linnet_block *block, double *value) {
    const ln_compiled_type *compiled = compiled_of(block);
    for (int k = 0; k < compiled->nstarts; k++)
        value[k] = parametric(block, starts_at(compiled) + k);
}

static void guess(const linnet_block *block, double *x) {
    const ln_compiled_type *compiled = compiled_of(block);
    for (int k = 0; k < compiled->nguesses; k++)
        x[compiled->guess_unknown[k]] = parametric(block, guesses_at(compiled) + k);
}

static double next_breakpoint(const linnet_block *block, double t, const double *m) {
    const ln_compiled_type *compiled = compiled_of(block);
    return ln_breakpoints_next(compiled->breakpoints, block->work + compiled->breakpoints_at,
                               block->p, m, t);
}

/* ---- values at a point ---- */

static void varying_source(const linnet_block *block, const linnet_point *point, double *s) {
    const ln_compiled_type *compiled = compiled_of(block);
    double *file = block->work + compiled->source_at;
    ln_program_run(compiled->source, file, block->p, point);
    for (int k = 0; k < compiled->nsources; k++)
        s[compiled->source_row[k]] = file[compiled->source->output[k]];
}

static linnet_status eval(const linnet_block *block, const linnet_point *point, linnet_out *out) {
    const ln_compiled_type *compiled = compiled_of(block);
    double *file = block->work + compiled->eval_at;
    const int *output = compiled->eval->output;
    double check = 0; /* becomes NaN with any value that is not finite */
    ln_program_run(compiled->eval, file, block->p, point);
    for (int k = 0; k < compiled->nq; k++, output++)
        check += 0 * (out->q[compiled->q_row[k]] = file[*output]);
    for (int k = 0; k < compiled->nf; k++, output++)
        check += 0 * (out->f[compiled->f_row[k]] = file[*output]);
    /* a derivative may be infinite where the value is not: the caller looks at entries */
    for (int k = 0; k < compiled->nstate; k++, output++)
        out->entry[compiled->state_entry[k]] = file[*output];
    return check == 0 ? LINNET_OK : LINNET_RETRY;
}

/* A failure is met again by eval(), whose program explain() looks at. */
static linnet_status value(const linnet_block *block, const linnet_point *point, linnet_out *out) {
    const ln_compiled_type *compiled = compiled_of(block);
    double *file = block->work + compiled->value_at;
    const int *output = compiled->value->output;
    double check = 0;
    ln_program_run(compiled->value, file, block->p, point);
    for (int k = 0; k < compiled->nq; k++, output++)
        check += 0 * (out->q[compiled->q_row[k]] = file[*output]);
    for (int k = 0; k < compiled->nf; k++, output++)
        check += 0 * (out->f[compiled->f_row[k]] = file[*output]);
    return check == 0 ? LINNET_OK : eval(block, point, out);
}

static int explain(const linnet_block *block, char text[128]) {
    const ln_compiled_type *compiled = compiled_of(block);
    if (compiled->eval != NULL &&
        ln_program_explain(compiled->eval, block->work + compiled->eval_at, text))
        return 1;
    return compiled->source != NULL &&
           ln_program_explain(compiled->source, block->work + compiled->source_at, text);
}

static double observe(const linnet_block *block, const linnet_point *point, int index) {
    const ln_compiled_type *compiled = compiled_of(block);
    double *file = block->work + compiled->observed_at;
    ln_program_run(compiled->observed, file, block->p, point);
    return file[compiled->observed->output[index]];
}

void ln_runtime_functions(linnet_block_class *class, const ln_compiled_type *compiled) {
    class->prepare = prepare;
    if (compiled->nlinear > 0)
        class->linear = linear;
    if (compiled->nsources > 0)
        class->source = compiled->source != NULL ? varying_source : constant_source;
    if (compiled->eval != NULL)
        class->eval = eval;
    if (compiled->value != NULL)
        class->value = value;
    if (compiled->eval != NULL || compiled->source != NULL)
        class->explain = explain;
    if (compiled->nstarts > 0)
        class->start = start;
    if (compiled->nguesses > 0)
        class->guess = guess;
    if (compiled->breakpoints != NULL)
        class->next_breakpoint = next_breakpoint;
    if (compiled->observed != NULL)
        class->observe = observe;
    ln_hybrid_functions(class, &compiled->hybrid);
}

const ln_residuals *ln_class_residuals(const linnet_block_class *class) {
    if (class->prepare != prepare)
        return NULL;
    const ln_compiled_type *compiled = class->data;
    return &compiled->residuals;
}

const ln_equations *ln_class_equations(const linnet_block_class *class) {
    return class->prepare != prepare ? NULL : ((const ln_compiled_type *)class->data)->equations;
}
