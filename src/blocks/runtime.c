/* SPDX-License-Identifier: MIT */
/* The functions of every class made of equations: they run the class's programs.
 *
 * work[] holds one register file per program, `settled` first. prepare() fills in all that follows from parameters, so
 * that linear(), start(), guess() and next_break() only read outputs, and the others run what depends on x and t. */
#include "base/domain.h"
#include "blocks/compile.h"

#include <math.h>
#include <stdio.h>

static const ln_compiled *compiled_of(const linnet_block *block) { return block->type->data; }

/* First of the outputs of `settled` that come behind the constant entries. */
static int sources_at(const ln_compiled *it) { return it->nlinear; }
static int starts_at(const ln_compiled *it) { return it->nlinear + (it->source == NULL ? it->nsources : 0); }
static int guesses_at(const ln_compiled *it) { return starts_at(it) + it->nstarts; }

static double settled(const linnet_block *block, int output) {
    return block->work[compiled_of(block)->settled->output[output]];
}

/* ---- prepare ---- */

static void unknown_text(const linnet_block_class *class, int unknown, char text[64]) {
    if (unknown >= class->nports) snprintf(text, 64, "%s", class->vars[unknown - class->nports].name);
    else if (class->ports[unknown].domain == LINNET_SIGNAL) snprintf(text, 64, "%s", class->ports[unknown].name);
    else snprintf(text, 64, "%s.%s", class->ports[unknown].name, ln_domain(class->ports[unknown].domain)->potential);
}

static void row_text(const linnet_block_class *class, int row, char text[128]) {
    if (row >= class->nports) snprintf(text, 128, "'%.120s'", class->rows[row - class->nports].name);
    else if (class->ports[row].domain == LINNET_SIGNAL) snprintf(text, 128, "output %s", class->ports[row].name);
    else snprintf(text, 128, "%s.%s", class->ports[row].name, ln_domain(class->ports[row].domain)->flux);
}

/* What an output of `settled` is for, said when it has no finite value. */
static void complain(const linnet_block *block, int output, char message[256]) {
    const linnet_block_class *class = block->type;
    const ln_compiled *it = compiled_of(block);
    char row[128], unknown[64];
    if (output < sources_at(it)) {
        const linnet_entry *entry = &class->entries[it->linear_entry[output]];
        row_text(class, entry->row, row);
        unknown_text(class, entry->col, unknown);
        snprintf(message, 256, "its parameters give the factor %g to %.60s in %.120s; change them",
                 settled(block, output), unknown, row);
    } else if (output < starts_at(it)) {
        row_text(class, it->source_row[output - sources_at(it)], row);
        snprintf(message, 256, "its parameters give a source of %g in %.120s; change them", settled(block, output),
                 row);
    } else {
        snprintf(message, 256, "its parameters give a start value of %g; change them", settled(block, output));
    }
}

static linnet_status prepare(const linnet_block *block, char message[256]) {
    const ln_compiled *it = compiled_of(block);
    ln_program_start(it->settled, block->work, block->p);
    ln_program_run(it->settled, block->work, block->p, NULL, NULL, 0, 0);
    if (it->source != NULL) ln_program_start(it->source, block->work + it->source_at, block->p);
    if (it->eval != NULL) ln_program_start(it->eval, block->work + it->eval_at, block->p);
    if (it->value != NULL) ln_program_start(it->value, block->work + it->value_at, block->p);
    if (it->observed != NULL) ln_program_start(it->observed, block->work + it->observed_at, block->p);
    if (it->corners != NULL) ln_program_start(it->corners->program, block->work + it->corners_at, block->p);
    LN_TRY(ln_hybrid_prepare(block, message));
    for (int k = 0; k < it->hybrid.nperiods; k++) {
        double value = settled(block, guesses_at(it) + it->nguesses + k);
        const ln_period *period = &it->hybrid.periods[k];
        if ((value > 0 || (period->zero && value == 0)) && isfinite(value)) continue;
        snprintf(message, 256, "%s comes to %g s; it must %s", period->what, value,
                 period->zero ? "not be negative" : "be above zero");
        return LINNET_MODEL;
    }
    for (int k = 0; k < guesses_at(it) + it->nguesses; k++) {
        if (isfinite(settled(block, k))) continue;
        complain(block, k, message);
        return LINNET_MODEL;
    }
    return LINNET_OK;
}

/* ---- values of parameters alone ---- */

static void linear(const linnet_block *block, double *entry) {
    const ln_compiled *it = compiled_of(block);
    for (int k = 0; k < it->nlinear; k++) entry[it->linear_entry[k]] = settled(block, k);
}

static void constant_source(const linnet_block *block, const linnet_point *point, double *s) {
    (void)point;
    const ln_compiled *it = compiled_of(block);
    for (int k = 0; k < it->nsources; k++) s[it->source_row[k]] = settled(block, sources_at(it) + k);
}

static void start(const linnet_block *block, double *value) {
    const ln_compiled *it = compiled_of(block);
    for (int k = 0; k < it->nstarts; k++) value[k] = settled(block, starts_at(it) + k);
}

static void guess(const linnet_block *block, double *x) {
    const ln_compiled *it = compiled_of(block);
    for (int k = 0; k < it->nguesses; k++) x[it->guess_unknown[k]] = settled(block, guesses_at(it) + k);
}

static double next_break(const linnet_block *block, double t, const double *m) {
    const ln_compiled *it = compiled_of(block);
    return ln_corners_next(it->corners, block->work + it->corners_at, block->p, m, t);
}

/* ---- values at a point ---- */

static void varying_source(const linnet_block *block, const linnet_point *point, double *s) {
    const ln_compiled *it = compiled_of(block);
    double *file = block->work + it->source_at;
    ln_program_run(it->source, file, block->p, NULL, point->m, point->t, point->decide);
    for (int k = 0; k < it->nsources; k++) s[it->source_row[k]] = file[it->source->output[k]];
}

static linnet_status eval(const linnet_block *block, const linnet_point *point, linnet_out *out) {
    const ln_compiled *it = compiled_of(block);
    double *file = block->work + it->eval_at;
    const int *output = it->eval->output;
    double check = 0; /* becomes NaN with any output that is not finite */
    ln_program_run(it->eval, file, block->p, point->x, point->m, point->t, point->decide);
    for (int k = 0; k < it->nq; k++, output++) check += 0 * (out->q[it->q_row[k]] = file[*output]);
    for (int k = 0; k < it->nf; k++, output++) check += 0 * (out->f[it->f_row[k]] = file[*output]);
    for (int k = 0; k < it->nstate; k++, output++) check += 0 * (out->entry[it->state_entry[k]] = file[*output]);
    return check == 0 ? LINNET_OK : LINNET_RETRY;
}

/* A failure is met again by eval(), whose program explain() looks at. */
static linnet_status value(const linnet_block *block, const linnet_point *point, linnet_out *out) {
    const ln_compiled *it = compiled_of(block);
    double *file = block->work + it->value_at;
    const int *output = it->value->output;
    double check = 0;
    ln_program_run(it->value, file, block->p, point->x, point->m, point->t, point->decide);
    for (int k = 0; k < it->nq; k++, output++) check += 0 * (out->q[it->q_row[k]] = file[*output]);
    for (int k = 0; k < it->nf; k++, output++) check += 0 * (out->f[it->f_row[k]] = file[*output]);
    return check == 0 ? LINNET_OK : eval(block, point, out);
}

static int explain(const linnet_block *block, char text[128]) {
    const ln_compiled *it = compiled_of(block);
    if (it->eval != NULL && ln_program_explain(it->eval, block->work + it->eval_at, text)) return 1;
    return it->source != NULL && ln_program_explain(it->source, block->work + it->source_at, text);
}

static double observe(const linnet_block *block, const linnet_point *point, int index) {
    const ln_compiled *it = compiled_of(block);
    double *file = block->work + it->observed_at;
    ln_program_run(it->observed, file, block->p, point->x, point->m, point->t, point->decide);
    return file[it->observed->output[index]];
}

void ln_runtime_functions(linnet_block_class *class, const ln_compiled *it) {
    class->prepare = prepare;
    if (it->nlinear > 0) class->linear = linear;
    if (it->nsources > 0) class->source = it->source != NULL ? varying_source : constant_source;
    if (it->eval != NULL) class->eval = eval;
    if (it->value != NULL) class->value = value;
    if (it->eval != NULL || it->source != NULL) class->explain = explain;
    if (it->nstarts > 0) class->start = start;
    if (it->nguesses > 0) class->guess = guess;
    if (it->corners != NULL) class->next_break = next_break;
    if (it->observed != NULL) class->observe = observe;
    ln_hybrid_functions(class, &it->hybrid);
}

const ln_residuals *ln_class_residuals(const linnet_block_class *class) {
    if (class->prepare != prepare) return NULL;
    const ln_compiled *it = class->data;
    return &it->residuals;
}

const ln_equations *ln_class_equations(const linnet_block_class *class) {
    return class->prepare != prepare ? NULL : ((const ln_compiled *)class->data)->equations;
}
