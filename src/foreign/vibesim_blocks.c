/* SPDX-License-Identifier: MIT */
/* Vibesim's blocks in ours. Its documentation counts: what its simulator computes a step late acts
 * at once here, and what it computes by Euler's method is integrated. */
#include "foreign/foreign.h"

#include <string.h>

/* Blocks that differ by names only: inputs in their order, parameters with their defaults. */
static const struct plain {
    const char *type, *ours, *inputs[2];
    struct {
        const char *theirs, *ours, *otherwise;
    } values[4];
} plain_blocks[] = {
    {"constant", "constant", {NULL}, {{"value", "value", "1"}}},
    {"step", "step", {NULL}, {{"stepTime", "delay", "0"}}},
    {"ramp", "ramp", {NULL}, {{"slope", "slope", "1"}, {"start", "delay", "0"}}},
    {"sine",
     "sine",
     {NULL},
     {{"amp", "amplitude", "1"}, {"freq", "frequency", "1"}, {"phase", "phase", "0"}}},
    {"integrator",
     "integrator",
     {"in"},
     {{"initial", "y0", "0"}, {"min", "min", "-inf"}, {"max", "max", "inf"}}},
    {"delay", "transport-delay", {"in"}, {{"delay", "delay", "0.1"}}},
    {"stateSpace",
     "state-space",
     {"in"},
     {{"A", "A", "1"}, {"B", "B", "1"}, {"C", "C", "1"}, {"D", "D", "0"}}},
    {"lpf", "low-pass", {"in"}, {{"cutoff", "frequency", "1"}}},
    {"hpf", "high-pass", {"in"}, {{"cutoff", "frequency", "1"}}},
    {"derivative", "derivative", {"in"}, {{"", "T", LN_VIBESIM_FILTER}}},
    {"gain", "gain", {"in"}, {{"gain", "k", "1"}}},
    {"abs", "abs", {"in"}, {{NULL}}},
    {"userFunc", "function", {"in"}, {{"expr", "expression", "u"}}},
    {"zoh", "zero-order-hold", {"in"}, {{"ts", "period", "0.1"}}},
    {"foh", "first-order-hold-interpolating", {"in"}, {{"ts", "period", "0.1"}}},
    {"ddelay", "sample-delay", {"in"}, {{"steps", "n", "1"}, {"ts", "period", "0.1"}}},
    {"saturation", "saturation", {"in"}, {{"min", "min", "-1"}, {"max", "max", "1"}}},
    {"backlash", "backlash", {"in"}, {{"width", "width", "1"}}},
};

static void put_out(ln_sketch *sketch, const ln_foreign_part *part, ln_element *element) {
    ln_draft_put(sketch->draft, element, "out", part->outputs != NULL ? part->outputs[0] : NULL);
}

static void put_in(ln_sketch *sketch, const ln_foreign_part *part, ln_element *element) {
    ln_draft_put(sketch->draft, element, "in", ln_sketch_joined(sketch, part, 0));
}

/* A limit that is none, which ours have by default. */
static int is_infinite(const char *value) {
    return strcmp(value, "-1e308") == 0 || strcmp(value, "1e308") == 0;
}

static int emit_plain(ln_sketch *sketch, ln_foreign_part *part) {
    const struct plain *plain = NULL;
    for (size_t k = 0; k < sizeof plain_blocks / sizeof *plain_blocks; k++)
        if (strcmp(plain_blocks[k].type, part->type) == 0)
            plain = &plain_blocks[k];
    if (plain == NULL)
        return 0;
    ln_element *element = ln_sketch_block(sketch, part, plain->ours, "");
    for (int k = 0; k < 2 && plain->inputs[k] != NULL; k++)
        ln_draft_put(sketch->draft, element, plain->inputs[k], ln_sketch_joined(sketch, part, k));
    for (int k = 0; k < 4 && plain->values[k].theirs != NULL; k++) {
        const char *value =
            ln_vibesim_value(sketch, part, plain->values[k].theirs, plain->values[k].otherwise);
        if (!is_infinite(value))
            ln_draft_put(sketch->draft, element, plain->values[k].ours, value);
    }
    put_out(sketch, part, element);
    return 1;
}

/* ---- sources ---- */

static void emit_impulse(ln_sketch *sketch, ln_foreign_part *part) {
    ln_element *element = ln_sketch_block(sketch, part, "impulse", "");
    ln_draft_put(sketch->draft, element, "area", ln_vibesim_value(sketch, part, "amp", "1"));
    ln_draft_put(sketch->draft, element, "width", ln_vibesim_formula(sketch, LN_VIBESIM_STEP));
    /* around its time, but whole at the start of the run */
    ln_draft_put(sketch->draft, element, "delay",
                 ln_draft_text(sketch->draft, "max((%s) - %s/2, 0)",
                               ln_vibesim_value(sketch, part, "time", "0"), LN_VIBESIM_STEP));
    put_out(sketch, part, element);
}

/* Goes on sweeping beyond t1, as our chirp does not. */
static void emit_chirp(ln_sketch *sketch, ln_foreign_part *part) {
    ln_element *element = ln_sketch_block(sketch, part, "function", "");
    const char *f0 = ln_vibesim_value(sketch, part, "f0", "1");
    ln_draft_put(sketch->draft, element, "expression",
                 ln_draft_text(sketch->draft,
                               "(%s)*sin(2*pi*((%s)*t + ((%s) - (%s))*t^2/(2*(%s))))",
                               ln_vibesim_value(sketch, part, "amp", "1"), f0,
                               ln_vibesim_value(sketch, part, "f1", "5"), f0,
                               ln_vibesim_value(sketch, part, "t1", "10")));
    put_out(sketch, part, element);
}

static void emit_noise(ln_sketch *sketch, ln_foreign_part *part) {
    ln_element *element = ln_sketch_block(sketch, part, "uniform-noise", "");
    const char *amplitude = ln_vibesim_value(sketch, part, "amp", "1");
    ln_draft_put(sketch->draft, element, "period", ln_vibesim_formula(sketch, LN_VIBESIM_STEP));
    ln_draft_put(sketch->draft, element, "seed", ln_draft_text(sketch->draft, "%d", part->line));
    ln_draft_put(sketch->draft, element, "min", ln_draft_text(sketch->draft, "-(%s)", amplitude));
    ln_draft_put(sketch->draft, element, "max", amplitude);
    put_out(sketch, part, element);
}

static void emit_file(ln_sketch *sketch, ln_foreign_part *part) {
    ln_element *element = ln_sketch_block(sketch, part, "time-table", "");
    ln_draft_put(sketch->draft, element, "file", ln_datum_text(part->params, "path", "signal.csv"));
    ln_draft_put(sketch->draft, element, "method", "previous");
    put_out(sketch, part, element);
}

/* ---- lists of coefficients ---- */

static const char *list_of(ln_sketch *sketch, const ln_foreign_part *part, const char *key,
                           const char *otherwise, int count) {
    const ln_datum *list = ln_datum_of(part->params, key);
    if (list == NULL || list->kind != LN_DATUM_LIST)
        return otherwise;
    ln_text text = {0};
    for (const ln_datum *item = list->first; item != NULL; item = item->next)
        ln_text_printf(&text, "%s%s", item != list->first ? ", " : "",
                       ln_vibesim_formula(sketch, item->text));
    for (int k = ln_datum_count(list); k < count; k++)
        ln_text_add(&text, ", 0");
    return ln_draft_keep(sketch->draft, &text);
}

static void emit_rational(ln_sketch *sketch, ln_foreign_part *part) {
    const int is_discrete = part->type[0] == 'd';
    ln_element *element = ln_sketch_block(
        sketch, part, is_discrete ? "discrete-transfer-function" : "transfer-function", "");
    /* powers of 1/z from the absolute term on: as powers of z, both lists are of one length */
    const int numerator = ln_datum_count(ln_datum_of(part->params, "num")),
              denominator = ln_datum_count(ln_datum_of(part->params, "den")),
              length = !is_discrete              ? 0
                       : numerator > denominator ? numerator
                                                 : denominator;
    put_in(sketch, part, element);
    ln_draft_put(sketch->draft, element, "numerator",
                 list_of(sketch, part, "num", is_discrete ? "1, 0" : "3", length));
    ln_draft_put(sketch->draft, element, "denominator",
                 list_of(sketch, part, "den", is_discrete ? "1, -0.5" : "1, 3", length));
    if (is_discrete)
        ln_draft_put(sketch->draft, element, "period", ln_vibesim_value(sketch, part, "ts", "0.1"));
    put_out(sketch, part, element);
}

static void emit_discrete_state_space(ln_sketch *sketch, ln_foreign_part *part) {
    static const char *const names[] = {"A", "B", "C", "D"};
    ln_element *element = ln_sketch_block(sketch, part, "discrete-state-space", "");
    put_in(sketch, part, element);
    for (int k = 0; k < 4; k++)
        ln_draft_put(sketch->draft, element, names[k],
                     ln_vibesim_value(sketch, part, names[k], k < 3 ? "1" : "0"));
    ln_draft_put(sketch->draft, element, "period", ln_vibesim_value(sketch, part, "ts", "0.1"));
    put_out(sketch, part, element);
}

/* ---- control ---- */

/* Limits are those of the integral, not of the output: without them it is our pid. */
static void emit_pid(ln_sketch *sketch, ln_foreign_part *part) {
    ln_draft *draft = sketch->draft;
    const char *kp = ln_vibesim_value(sketch, part, "kp", "1"),
               *ki = ln_vibesim_value(sketch, part, "ki", "0"),
               *kd = ln_vibesim_value(sketch, part, "kd", "0"),
               *low = ln_vibesim_value(sketch, part, "min", "-inf"),
               *high = ln_vibesim_value(sketch, part, "max", "inf"),
               *in = ln_sketch_joined(sketch, part, 0),
               *filter = ln_vibesim_formula(sketch, LN_VIBESIM_FILTER);
    if (is_infinite(low) && is_infinite(high)) {
        ln_element *element = ln_sketch_block(sketch, part, "pid", "");
        const char *const pairs[][2] = {
            {"in", in}, {"kp", kp}, {"ki", ki}, {"kd", kd}, {"Tf", filter}};
        for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
            ln_draft_put(draft, element, pairs[k][0], pairs[k][1]);
        put_out(sketch, part, element);
        return;
    }
    const char *integral =
                   ln_draft_unique(draft, sketch->names, ln_draft_text(draft, "%s_I", part->id)),
               *slope =
                   ln_draft_unique(draft, sketch->names, ln_draft_text(draft, "%s_D", part->id));
    const char *const parts[][10] = {
        {"integrator", "id", integral, "in", in, "min", low, "max", high, NULL},
        {"derivative", "id", slope, "in", in, "T", filter, NULL}};
    for (int k = 0; k < 2; k++) {
        ln_element *element = ln_draft_add(draft, &sketch->body, parts[k][0], part->line, 8);
        for (int j = 1; parts[k][j] != NULL; j += 2)
            ln_draft_put(draft, element, parts[k][j], parts[k][j + 1]);
        ln_draft_put(draft, element, "out", k == 0 ? integral : slope);
    }
    ln_element *element = ln_sketch_block(sketch, part, "function", "");
    ln_draft_put(draft, element, "in", ln_draft_text(draft, "%s %s %s", in, integral, slope));
    ln_draft_put(draft, element, "expression",
                 ln_draft_text(draft, "(%s)*u1 + (%s)*u2 + (%s)*u3", kp, ki, kd));
    put_out(sketch, part, element);
}

static void emit_rate(ln_sketch *sketch, ln_foreign_part *part) {
    ln_element *element = ln_sketch_block(sketch, part, "rate-limiter", "");
    put_in(sketch, part, element);
    ln_draft_put(sketch->draft, element, "rising", ln_vibesim_value(sketch, part, "rise", "1"));
    ln_draft_put(
        sketch->draft, element, "falling",
        ln_draft_text(sketch->draft, "-(%s)", ln_vibesim_value(sketch, part, "fall", "1")));
    ln_draft_put(sketch->draft, element, "begins", "1");
    put_out(sketch, part, element);
}

/* ---- many inputs ---- */

/* The factor of an input, "1" where the file has none; *is_sign: it is 1 or -1. */
static const char *factor_of(ln_sketch *sketch, const ln_foreign_part *part, int input,
                             int *is_sign) {
    const ln_datum *list = ln_datum_of(part->params, "signs"),
                   *item = list != NULL ? list->first : NULL;
    for (int k = 0; item != NULL && k < input; k++)
        item = item->next;
    const char *factor = item != NULL ? ln_vibesim_formula(sketch, item->text) : "1";
    *is_sign = strcmp(factor, "1") == 0 || strcmp(factor, "-1") == 0;
    return factor;
}

static void emit_sum(ln_sketch *sketch, ln_foreign_part *part) {
    ln_text signs = {0}, terms = {0};
    int all_signs = 1, count = 0, is_sign;
    for (int k = 0; k < part->ninputs; k++) {
        if (ln_sketch_input(sketch, part, k) == NULL)
            continue;
        const char *factor = factor_of(sketch, part, k, &is_sign);
        ln_text_add(&signs, factor[0] == '-' ? "-" : "+");
        ln_text_printf(&terms, "%s(%s)*u%d", count > 0 ? " + " : "", factor, count + 1);
        all_signs = all_signs && is_sign;
        count++;
    }
    const char *sign_text = ln_draft_keep(sketch->draft, &signs),
               *term_text = ln_draft_keep(sketch->draft, &terms);
    ln_element *element = ln_sketch_block(sketch, part,
                                          count == 0  ? "constant"
                                          : all_signs ? "sum"
                                                      : "function",
                                          "");
    if (count == 0) {
        ln_draft_put(sketch->draft, element, "value", "0");
    } else {
        ln_draft_put(sketch->draft, element, "in", ln_sketch_inputs(sketch, part));
        ln_draft_put(sketch->draft, element, all_signs ? "signs" : "expression",
                     all_signs ? sign_text : term_text);
    }
    put_out(sketch, part, element);
}

/* An input that is open counts 1 in a product; a least or greatest needs all. */
static void emit_many(ln_sketch *sketch, ln_foreign_part *part) {
    const int is_product = part->type[1] == 'u';
    const char *inputs = ln_sketch_inputs(sketch, part);
    if (inputs[0] == '\0' && is_product) {
        ln_element *element = ln_sketch_block(sketch, part, "constant", "");
        ln_draft_put(sketch->draft, element, "value", "1");
        put_out(sketch, part, element);
        return;
    }
    ln_element *element = ln_sketch_block(sketch, part, is_product ? "product" : part->type, "");
    ln_draft_put(sketch->draft, element, "in",
                 is_product
                     ? inputs
                     : ln_draft_text(sketch->draft, "%s %s", ln_sketch_joined(sketch, part, 0),
                                     ln_sketch_joined(sketch, part, 1)));
    put_out(sketch, part, element);
}

static void emit_switch(ln_sketch *sketch, ln_foreign_part *part) {
    const char *condition = ln_datum_text(part->params, "condition", "ge");
    ln_element *element = ln_sketch_block(sketch, part, "function", "");
    if (strcmp(condition, "ge") != 0 && strcmp(condition, "gt") != 0 &&
        strcmp(condition, "ne") != 0)
        ln_draft_error(sketch->draft, part->line,
                       "%.80s (switch): the condition '%.40s' is not one of ge, gt, ne",
                       part->title, condition);
    ln_draft_put(sketch->draft, element, "in",
                 ln_draft_text(sketch->draft, "%s %s %s", ln_sketch_joined(sketch, part, 0),
                               ln_sketch_joined(sketch, part, 1),
                               ln_sketch_joined(sketch, part, 2)));
    ln_draft_put(sketch->draft, element, "expression",
                 ln_draft_text(sketch->draft, "if(u2 %s (%s), u1, u3)", condition,
                               ln_vibesim_value(sketch, part, "threshold", "0")));
    put_out(sketch, part, element);
}

/* A source of a label that nothing bears: a value from outside. */
static void emit_open_label(ln_sketch *sketch, ln_foreign_part *part) {
    ln_element *element = ln_sketch_block(sketch, part, "external-input", "");
    ln_note(sketch->draft->report, (ln_place){sketch->draft->file, part->line, 0},
            "no block gives the label '%.80s': it is an external input, 0 in a run", part->title);
    put_out(sketch, part, element);
}

void ln_vibesim_block(ln_sketch *sketch, ln_foreign_part *part) {
    static const struct {
        const char *type;
        ln_sketch_emit *emit;
    } special[] = {{"impulse", emit_impulse},
                   {"chirp", emit_chirp},
                   {"noise", emit_noise},
                   {"fileSource", emit_file},
                   {"labelSource", emit_open_label},
                   {"tf", emit_rational},
                   {"dtf", emit_rational},
                   {"dstateSpace", emit_discrete_state_space},
                   {"pid", emit_pid},
                   {"rate", emit_rate},
                   {"sum", emit_sum},
                   {"mult", emit_many},
                   {"min", emit_many},
                   {"max", emit_many},
                   {"switch", emit_switch}};
    if (emit_plain(sketch, part))
        return;
    for (size_t k = 0; k < sizeof special / sizeof *special; k++)
        if (strcmp(special[k].type, part->type) == 0) {
            special[k].emit(sketch, part);
            return;
        }
    ln_draft_error(sketch->draft, part->line,
                   "%.80s: the block type '%.80s' of Vibesim has no counterpart here", part->title,
                   part->type);
}
