/* SPDX-License-Identifier: MIT */
/* obliq-2's blocks in ours. Its documentation counts, where its simulator deviates from it. */
#include "foreign/foreign.h"

#include <string.h>

static const char *text_of(const ln_foreign_part *part, const char *key, const char *otherwise) {
    return ln_datum_text(part->params, key, otherwise);
}

static void put_out(ln_sketch *sketch, const ln_foreign_part *part, ln_element *element) {
    ln_draft_put(sketch->draft, element, "out", part->outputs != NULL ? part->outputs[0] : NULL);
}

static void put_in(ln_sketch *sketch, const ln_foreign_part *part, ln_element *element) {
    ln_draft_put(sketch->draft, element, "in", ln_sketch_joined(sketch, part, 0));
}

/* "true" is 1 here. */
static const char *number_of(const ln_datum *datum) {
    return strcmp(datum->text, "true") == 0    ? "1"
           : strcmp(datum->text, "false") == 0 ? "0"
                                               : datum->text;
}

/* A number, a list of numbers, or rows of them: "1 2; 3 4". */
static const char *values_of(ln_draft *draft, const ln_datum *datum) {
    ln_text text = {0};
    if (datum->kind == LN_DATUM_TEXT)
        return number_of(datum);
    for (const ln_datum *row = datum->first; row != NULL; row = row->next) {
        if (row != datum->first)
            ln_text_add(&text, row->kind == LN_DATUM_LIST ? "; " : " ");
        if (row->kind != LN_DATUM_LIST)
            ln_text_add(&text, number_of(row));
        for (const ln_datum *item = row->first; item != NULL; item = item->next)
            ln_text_printf(&text, "%s%s", item != row->first ? " " : "", number_of(item));
    }
    return ln_draft_keep(draft, &text);
}

/* The sizes of "double[2][3]": how many there are, 0 for a number. */
static int sizes_of(const char *type, int sizes[2]) {
    int count = 0;
    for (const char *at = strchr(type, '['); at != NULL && count < 2; at = strchr(at + 1, '[')) {
        const char *end;
        const double size = ln_number_read(at + 1, &end);
        sizes[count++] = size >= 1 && size <= 1e4 ? (int)size : 1;
    }
    return count;
}

/* As many of one value as a type has elements. */
static const char *filled(ln_draft *draft, const char *type, const char *value) {
    int sizes[2] = {1, 1};
    const int count = sizes_of(type, sizes);
    ln_text text = {0};
    for (int row = 0; row < (count == 2 ? sizes[0] : 1); row++)
        for (int k = 0; k < (count == 2 ? sizes[1] : sizes[0]); k++)
            ln_text_printf(&text, "%s%s", k > 0 ? " " : row > 0 ? "; " : "", value);
    return ln_draft_keep(draft, &text);
}

/* ---- sources ---- */

static void emit_constant(ln_sketch *sketch, ln_foreign_part *part) {
    const char *type = text_of(part, "dataType", "double");
    const ln_datum *value = ln_datum_of(part->params, "value");
    ln_element *element = ln_sketch_block(sketch, part, "constant", "");
    put_out(sketch, part, element);
    int sizes[2];
    const char *text = value == NULL ? "0" : values_of(sketch->draft, value);
    if (value != NULL && value->kind == LN_DATUM_TEXT && strchr(text, '[') != NULL)
        ln_draft_error(sketch->draft, part->line,
                       "%.80s (source): a list written as text; write it as a list of JSON",
                       part->title);
    if (sizes_of(type, sizes) > 0 && (value == NULL || value->kind == LN_DATUM_TEXT))
        text = filled(sketch->draft, type, text);
    ln_draft_put(sketch->draft, element, "value", text);
}

static const struct wave {
    const char *theirs, *ours;
    struct {
        const char *theirs, *ours, *otherwise;
    } values[4];
} waves[] = {
    {"step", "step", {{"stepTime", "delay", "1"}, {"stepValue", "height", "1"}}},
    {"ramp", "ramp", {{"startTime", "delay", "0"}, {"slope", "slope", "1"}}},
    {"sine",
     "sine",
     {{"amplitude", "amplitude", "1"},
      {"frequency", "frequency", "1"},
      {"phase", "phase", "0"},
      {"offset", "offset", "0"}}},
    {"square",
     "square",
     {{"amplitude", "amplitude", "1"},
      {"frequency", "frequency", "1"},
      {"phase", "phase", "0"},
      {"offset", "offset", "0"}}},
    /* from -a: a quarter of a period before ours */
    {"triangle",
     "triangle",
     {{"amplitude", "amplitude", "1"}, {"frequency", "frequency", "1"}, {"offset", "offset", "0"}}},
    /* the frequency itself rises evenly in sin(2 pi f(t) t) */
    {"chirp",
     "product-chirp",
     {{"f0", "f0", "0.1"},
      {"f1", "f1", "10"},
      {"duration", "duration", "10"},
      {"amplitude", "amplitude", "1"}}},
    {"noise", "uniform-noise", {{NULL}}},
};

static void put_noise(ln_sketch *sketch, const ln_foreign_part *part, ln_element *element) {
    ln_draft *draft = sketch->draft;
    const double mean = ln_datum_number(part->params, "mean", 0),
                 amplitude = ln_datum_number(part->params, "amplitude", 1);
    ln_draft_put(draft, element, "period", LN_OBLIQ_STEP);
    if (sketch->uses != NULL)
        sketch->uses[0] = 1;
    ln_draft_put(draft, element, "seed", ln_draft_text(draft, "%d", part->line));
    ln_draft_put(draft, element, "min", ln_draft_text(draft, "%.17g", mean - amplitude));
    ln_draft_put(draft, element, "max", ln_draft_text(draft, "%.17g", mean + amplitude));
}

static void emit_source(ln_sketch *sketch, ln_foreign_part *part) {
    const char *kind = text_of(part, "signalType", "constant"),
               *type = text_of(part, "dataType", "double");
    const struct wave *wave = NULL;
    for (size_t k = 0; k < sizeof waves / sizeof *waves; k++)
        if (strcmp(waves[k].theirs, kind) == 0)
            wave = &waves[k];
    if (strcmp(kind, "constant") == 0) {
        emit_constant(sketch, part);
        return;
    }
    if (wave == NULL) {
        ln_draft_error(sketch->draft, part->line,
                       "%.80s (source): the signal type '%.60s' of "
                       "obliq-2 has no counterpart here",
                       part->title, kind);
        return;
    }
    int sizes[2];
    const int is_scalar = sizes_of(type, sizes) == 0;
    ln_element *element = ln_sketch_block(sketch, part, wave->ours, is_scalar ? "" : "wave");
    for (int k = 0; k < 4 && wave->values[k].theirs != NULL; k++)
        ln_draft_put(sketch->draft, element, wave->values[k].ours,
                     text_of(part, wave->values[k].theirs, wave->values[k].otherwise));
    if (strcmp(kind, "triangle") == 0)
        ln_draft_put(sketch->draft, element, "phase", "-90deg");
    if (strcmp(kind, "noise") == 0)
        put_noise(sketch, part, element);
    if (is_scalar) {
        put_out(sketch, part, element);
        return;
    }
    /* every element is the same wave */
    const char *link = element->nattributes > 0 ? element->attributes[0].value : "";
    ln_draft_put(sketch->draft, element, "out", link);
    ln_element *gain = ln_sketch_block(sketch, part, "gain", "");
    ln_draft_put(sketch->draft, gain, "in", link);
    ln_draft_put(sketch->draft, gain, "k", filled(sketch->draft, type, "1"));
    put_out(sketch, part, gain);
}

/* An input of the model itself: a value from outside, that of the file's test. */
static void emit_input(ln_sketch *sketch, ln_foreign_part *part) {
    ln_element *element = ln_sketch_block(sketch, part, "external-input", "");
    const char *type = text_of(part, "dataType", "double");
    const ln_datum *tests = ln_datum_of(sketch->draft->metadata, "testInputs"),
                   *given = ln_datum_of(tests, text_of(part, "portName", part->title));
    int sizes[2];
    const char *value =
        given != NULL ? values_of(sketch->draft, given) : text_of(part, "defaultValue", "0");
    if (sizes_of(type, sizes) > 0 && (given == NULL || given->kind == LN_DATUM_TEXT))
        value = filled(sketch->draft, type, value);
    ln_draft_put(sketch->draft, element, "value", value);
    put_out(sketch, part, element);
}

/* ---- arithmetic ---- */

/* Blocks of all their inputs. */
static void emit_many(ln_sketch *sketch, ln_foreign_part *part) {
    static const struct {
        const char *theirs, *ours;
        int nothing;
    } kinds[] = {{"sum", "sum", 0},
                 {"multiply", "product", 1},
                 {"matrix_multiply", "matrix-product", 1},
                 {"cross", "cross", 0},
                 {"dot", "dot", 0}};
    size_t kind = 0;
    while (kind + 1 < sizeof kinds / sizeof *kinds && strcmp(kinds[kind].theirs, part->type) != 0)
        kind++;
    const char *signs = text_of(part, "signs", "");
    ln_text inputs = {0}, used = {0};
    for (int k = 0; k < part->ninputs; k++)
        if (ln_sketch_input(sketch, part, k) != NULL) {
            ln_text_printf(&inputs, "%s%s", inputs.length > 0 ? " " : "",
                           ln_sketch_input(sketch, part, k));
            ln_text_add(&used, k < (int)strlen(signs) && signs[k] == '-' ? "-" : "+");
        }
    const char *list = ln_draft_keep(sketch->draft, &inputs),
               *sign_list = ln_draft_keep(sketch->draft, &used);
    ln_element *element =
        ln_sketch_block(sketch, part, list[0] == '\0' ? "constant" : kinds[kind].ours, "");
    if (list[0] == '\0')
        ln_draft_put(sketch->draft, element, "value", kinds[kind].nothing ? "1" : "0");
    else
        ln_draft_put(sketch->draft, element, "in", list);
    if (kind == 0 && list[0] != '\0')
        ln_draft_put(sketch->draft, element, "signs", sign_list);
    put_out(sketch, part, element);
}

static void emit_gain(ln_sketch *sketch, ln_foreign_part *part) {
    ln_element *element = ln_sketch_block(sketch, part, "gain", "");
    put_in(sketch, part, element);
    ln_draft_put(sketch->draft, element, "k",
                 strcmp(part->type, "uminus") == 0
                     ? "-1"
                     : text_of(part, "gain", text_of(part, "factor", "1")));
    put_out(sketch, part, element);
}

/* One input, one output, and a type of ours. */
static void emit_one(ln_sketch *sketch, ln_foreign_part *part) {
    ln_element *element =
        ln_sketch_block(sketch, part, strcmp(part->type, "mag") == 0 ? "norm" : part->type, "");
    put_in(sketch, part, element);
    put_out(sketch, part, element);
}

/* ---- expressions ---- */

static const char *who_of(ln_sketch *sketch, const ln_foreign_part *part) {
    return ln_draft_text(sketch->draft, "%.80s (%.40s)", part->title, part->type);
}

static void emit_function(ln_sketch *sketch, const ln_foreign_part *part, int ninputs,
                          const char *expression) {
    ln_element *element = ln_sketch_block(sketch, part, "function", "");
    ln_text inputs = {0};
    for (int k = 0; k < ninputs; k++)
        ln_text_printf(&inputs, "%s%s", k > 0 ? " " : "", ln_sketch_joined(sketch, part, k));
    ln_draft_put(sketch->draft, element, "in", ln_draft_keep(sketch->draft, &inputs));
    ln_draft_put(sketch->draft, element, "expression", expression);
    put_out(sketch, part, element);
}

static void emit_evaluate(ln_sketch *sketch, ln_foreign_part *part) {
    const int ninputs = (int)ln_datum_number(part->params, "numInputs", 2);
    if (ninputs < 0 || ninputs > 100) {
        ln_draft_error(sketch->draft, part->line, "%s: a block of %d inputs", who_of(sketch, part),
                       ninputs);
        return;
    }
    emit_function(sketch, part, ninputs,
                  ln_c_formula(sketch->draft, text_of(part, "expression", "in(0)+in(1)"), ninputs,
                               who_of(sketch, part), part->line));
}

/* "> 0": an operator and a constant; equal means within the machine's epsilon. */
static void emit_condition(ln_sketch *sketch, ln_foreign_part *part) {
    ln_draft *draft = sketch->draft;
    const char *text = text_of(part, "condition", "> 0");
    text += strspn(text, " ");
    const size_t length = strspn(text, "<>=!");
    const char *limit = ln_c_formula(draft, text + length, 0, who_of(sketch, part), part->line),
               *op = ln_draft_text(draft, "%.*s", (int)length, text);
    const int is_equal = strcmp(op, "==") == 0;
    if (limit == NULL)
        return;
    const char *expression =
        ln_c_formula(draft,
                     is_equal || strcmp(op, "!=") == 0
                         ? ln_draft_text(draft, "fabs(in(0) - (%s)) %s 2.220446049250313e-16",
                                         limit, is_equal ? "<=" : ">")
                         : ln_draft_text(draft, "in(0) %s (%s)", op, limit),
                     1, who_of(sketch, part), part->line);
    emit_function(sketch, part, 1, expression);
}

static void emit_if(ln_sketch *sketch, ln_foreign_part *part) {
    emit_function(sketch, part, 3, "if(u2 ne 0, u3, u1)");
}

static void emit_trig(ln_sketch *sketch, ln_foreign_part *part) {
    const char *function = text_of(part, "function", "sin");
    static const char *const names[] = {"sin", "cos", "tan", "asin", "acos", "atan"};
    ln_element *element;
    if (strcmp(function, "sincos") == 0) {
        for (int k = 0; k < 2; k++) {
            element = ln_sketch_block(sketch, part, names[k], k == 0 ? "" : "cos");
            put_in(sketch, part, element);
            ln_draft_put(sketch->draft, element, "out",
                         part->outputs == NULL || k >= part->noutputs ? NULL : part->outputs[k]);
        }
        return;
    }
    if (strcmp(function, "atan2") == 0) {
        element = ln_sketch_block(sketch, part, "atan2", "");
        put_in(sketch, part, element);
        ln_draft_put(sketch->draft, element, "x", ln_sketch_joined(sketch, part, 1));
        put_out(sketch, part, element);
        return;
    }
    size_t kind = 0;
    while (kind < sizeof names / sizeof *names && strcmp(names[kind], function) != 0)
        kind++;
    if (kind == sizeof names / sizeof *names) {
        ln_draft_error(sketch->draft, part->line, "%s: the function '%.40s' is not known",
                       who_of(sketch, part), function);
        return;
    }
    element = ln_sketch_block(sketch, part, names[kind], "");
    put_in(sketch, part, element);
    put_out(sketch, part, element);
}

/* ---- dynamics and tables ---- */

/* A parameter that is a list, as text; told when it is not there. */
static const char *list_of(ln_sketch *sketch, const ln_foreign_part *part, const char *key,
                           const char *otherwise) {
    const ln_datum *list = ln_datum_of(part->params, key);
    if (list == NULL && otherwise == NULL)
        ln_draft_error(sketch->draft, part->line, "%s: the parameter '%s' is missing",
                       who_of(sketch, part), key);
    return list != NULL ? values_of(sketch->draft, list) : otherwise;
}

static void emit_rational(ln_sketch *sketch, ln_foreign_part *part) {
    ln_element *element = ln_sketch_block(sketch, part, "transfer-function", "");
    put_in(sketch, part, element);
    ln_draft_put(sketch->draft, element, "numerator", list_of(sketch, part, "numerator", "1"));
    ln_draft_put(sketch->draft, element, "denominator",
                 list_of(sketch, part, "denominator", "1 1"));
    put_out(sketch, part, element);
}

static const char *outside_of(const ln_foreign_part *part) {
    return strcmp(text_of(part, "extrapolation", "clamp"), "extrapolate") == 0 ? "extrapolate"
                                                                               : "hold";
}

static void emit_lookup(ln_sketch *sketch, ln_foreign_part *part) {
    const ln_datum *inputs = ln_datum_of(part->params, "inputValues"),
                   *outputs = ln_datum_of(part->params, "outputValues");
    if (ln_datum_count(inputs) != ln_datum_count(outputs) || ln_datum_count(inputs) < 2) {
        ln_draft_error(sketch->draft, part->line,
                       "%s: inputValues has %d and outputValues %d values; both need the same "
                       "number of at least 2",
                       who_of(sketch, part), ln_datum_count(inputs), ln_datum_count(outputs));
        return;
    }
    ln_text points = {0};
    const ln_datum *output = outputs->first;
    for (const ln_datum *input = inputs->first; input != NULL; input = input->next) {
        ln_text_printf(&points, "%s%s %s", input != inputs->first ? "; " : "", number_of(input),
                       number_of(output));
        output = output->next;
    }
    ln_element *element = ln_sketch_block(sketch, part, "lookup", "");
    put_in(sketch, part, element);
    ln_draft_put(sketch->draft, element, "points", ln_draft_keep(sketch->draft, &points));
    ln_draft_put(sketch->draft, element, "outside", outside_of(part));
    put_out(sketch, part, element);
}

static void emit_lookup_2d(ln_sketch *sketch, ln_foreign_part *part) {
    ln_element *element = ln_sketch_block(sketch, part, "lookup-2d", "");
    put_in(sketch, part, element);
    ln_draft_put(sketch->draft, element, "by", ln_sketch_joined(sketch, part, 1));
    ln_draft_put(sketch->draft, element, "x", list_of(sketch, part, "input1Values", NULL));
    ln_draft_put(sketch->draft, element, "y", list_of(sketch, part, "input2Values", NULL));
    ln_draft_put(sketch->draft, element, "values", list_of(sketch, part, "outputTable", NULL));
    ln_draft_put(sketch->draft, element, "outside", outside_of(part));
    put_out(sketch, part, element);
}

/* ---- vectors ---- */

static void emit_mux(ln_sketch *sketch, ln_foreign_part *part) {
    ln_draft *draft = sketch->draft;
    const int rows = (int)ln_datum_number(part->params, "rows", 2),
              columns = (int)ln_datum_number(part->params, "cols", 2),
              is_matrix = rows > 1 && columns > 1;
    if (rows < 1 || columns < 1 || rows > 100 || columns > 100) {
        ln_draft_error(draft, part->line, "%s: rows and cols must be from 1 to 100",
                       who_of(sketch, part));
        return;
    }
    ln_text inputs = {0};
    for (int k = 0; k < rows * columns; k++)
        ln_text_printf(&inputs, "%s%s", k > 0 ? " " : "", ln_sketch_joined(sketch, part, k));
    ln_element *element = ln_sketch_block(sketch, part, "mux", is_matrix ? "list" : "");
    ln_draft_put(draft, element, "in", ln_draft_keep(draft, &inputs));
    if (!is_matrix) {
        put_out(sketch, part, element);
        return;
    }
    const char *link = element->nattributes > 0 ? element->attributes[0].value : "";
    ln_draft_put(draft, element, "out", link);
    element = ln_sketch_block(sketch, part, "reshape", "");
    ln_draft_put(draft, element, "in", link);
    ln_draft_put(draft, element, "rows", ln_draft_text(draft, "%d", rows));
    ln_draft_put(draft, element, "columns", ln_draft_text(draft, "%d", columns));
    put_out(sketch, part, element);
}

static void emit_demux(ln_sketch *sketch, ln_foreign_part *part) {
    ln_element *element = ln_sketch_block(sketch, part, "demux", "");
    put_in(sketch, part, element);
    ln_text outputs = {0};
    for (int k = 0; part->outputs != NULL && k < part->noutputs; k++)
        ln_text_printf(&outputs, "%s%s", k > 0 ? " " : "", part->outputs[k]);
    ln_draft_put(sketch->draft, element, "out", ln_draft_keep(sketch->draft, &outputs));
}

void ln_obliq_block(ln_sketch *sketch, ln_foreign_part *part) {
    static const struct {
        const char *type;
        ln_sketch_emit *emit;
    } kinds[] = {{"source", emit_source},
                 {"input_port", emit_input},
                 {"sum", emit_many},
                 {"multiply", emit_many},
                 {"matrix_multiply", emit_many},
                 {"cross", emit_many},
                 {"dot", emit_many},
                 {"scale", emit_gain},
                 {"uminus", emit_gain},
                 {"abs", emit_one},
                 {"mag", emit_one},
                 {"transpose", emit_one},
                 {"evaluate", emit_evaluate},
                 {"condition", emit_condition},
                 {"if", emit_if},
                 {"trig", emit_trig},
                 {"transfer_function", emit_rational},
                 {"lookup_1d", emit_lookup},
                 {"lookup_2d", emit_lookup_2d},
                 {"mux", emit_mux},
                 {"demux", emit_demux}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (strcmp(kinds[k].type, part->type) == 0) {
            kinds[k].emit(sketch, part);
            return;
        }
    ln_draft_error(sketch->draft, part->line,
                   "%.80s: the block type '%.80s' of obliq-2 has no counterpart here", part->title,
                   part->type);
}
