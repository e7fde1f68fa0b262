/* SPDX-License-Identifier: MIT */
/* Delayed signals in C: rings of samples, one a step, of a size that is known, and the polynomial
 * through the six nearest of them, as in the simulation that lets events act at steps
 * (system/history.c). Places are counted in steps from the last sample, so that a float loses no
 * digits to the time. */
#include "codegen/c_writer.h"
#include "base/text.h"

void ln_c_delay_lines_struct(const ln_c_writer *w) {
    if (w->plan->nlines == 0)
        return;
    ln_c_add(w, "\n/* What delayed signals have been, a sample a step; for the code's own use. */\n"
                "typedef struct $N_delay_lines {\n    $R sample");
    ln_text_printf(w->out, "[%d];\n", w->plan->delay_samples);
    ln_c_add(w, "    $R last, step;            /* time of the last sample, time between two, s */\n"
                "    unsigned long long count; /* of samples */\n} $N_delay_lines_t;\n");
}

static const char recall[] =
    "\n/* A delayed signal, or its slope, as it was a time of lag ago: by the polynomial through "
    "the\n"
    " * six nearest samples. NaN: that is more than the longest delay ago, or within the step. */\n"
    "static $R recall(const at_t *at, int k, $R lag, int slope) {\n"
    "    enum { NODES = 6 };\n"
    "    const $N_delay_lines_t *const delay_lines = at->delay_lines;\n"
    "    const $R *const ring = delay_lines->sample + line_of[k].first;\n"
    "    const long long size = line_of[k].size, n = (long long)delay_lines->count - 1;\n"
    "    const $R back = lag / delay_lines->step - at->ahead; /* steps before the last sample */\n"
    "    const $R within = line_of[k].varies ? @r : (at->decide - at->t) / delay_lines->step;\n"
    "    if (n < 0 || ($R)n - back + within < @0) return slope ? @0 : line_of[k].before;\n"
    "    if (!(back > -@e && back < ($R)(size - NODES))) return ($R)NAN;\n"
    "    const long long steps = (long long)@ceil(back), oldest = n < size ? 0 : n - size + 1;\n"
    "    const $R part = ($R)steps - back; /* of a step, behind sample n - steps */\n"
    "    if (!slope && part < @n && n >= steps) return ring[(n - steps) % size];\n"
    "    long long first = n - steps - 2;\n"
    "    if (first > n - NODES + 1) first = n - NODES + 1;\n"
    "    if (first < oldest) first = oldest;\n"
    "    const int nodes = n - first + 1 < NODES ? (int)(n - first + 1) : NODES;\n"
    "    const $R s = ($R)(n - steps - first) + part;\n"
    "    $R sum = @0;\n"
    "    for (int i = 0; i < nodes; i++) {\n"
    "        $R basis = @1, rise = @0;\n"
    "        for (int j = 0; j < nodes; j++) {\n"
    "            if (j == i) continue;\n"
    "            const $R from = s - ($R)j, apart = ($R)(i - j);\n"
    "            rise = (rise * from + basis) / apart;\n"
    "            basis = basis * from / apart;\n"
    "        }\n"
    "        sum += ring[(first + i) % size] * (slope ? rise / delay_lines->step : basis);\n"
    "    }\n"
    "    return sum;\n"
    "}\n";

/* Lagrange's form, the step's end being the last node (system/history.c, interpolate_in_step). */
static const char recall_near[] =
    "\n/* The same of one that may lie within the step at hand, whose end then is a node, too; 0, "
    "1: "
    "what\n"
    " * the samples give of the signal and of its slope; 2, 3: how much of the signal as it is "
    "now. "
    "*/\n"
    "static $R recall_near(const at_t *at, int k, $R lag, int what) {\n"
    "    enum { NODES = 5 };\n"
    "    const $N_delay_lines_t *const delay_lines = at->delay_lines;\n"
    "    const $R *const ring = delay_lines->sample + line_of[k].first;\n"
    "    const long long size = line_of[k].size, n = (long long)delay_lines->count - 1;\n"
    "    const $R ago = lag / delay_lines->step, back = ago - at->ahead;\n"
    "    const $R within = line_of[k].varies ? @r : (at->decide - at->t) / delay_lines->step;\n"
    "    if (!(lag >= @0)) return ($R)NAN;\n"
    "    if (($R)n - back + within < @0 || !(back < @0)) return what < 2 ? recall(at, k, lag, "
    "what) : "
    "@0;\n"
    "    if (n < 0) return what == 0 ? line_of[k].begin : @0;\n"
    "    const int nodes = n + 1 < NODES ? (int)(n + 1) : NODES;\n"
    "    $R sum = @0, basis = @1, rise = @0;\n"
    "    for (int i = 0; what < 2 && i < nodes; i++) {\n"
    "        basis = @1, rise = @0;\n"
    "        for (int j = 0; j < nodes; j++) {\n"
    "            if (j == i) continue;\n"
    "            rise = (rise * (($R)j - back) + basis) / ($R)(j - i);\n"
    "            basis = basis * (($R)j - back) / ($R)(j - i);\n"
    "        }\n"
    "        rise = (rise * ago - basis) / (($R)i + at->ahead);\n"
    "        basis = basis * ago / (($R)i + at->ahead);\n"
    "        sum += ring[(n - i) % size] * (what == 1 ? rise / delay_lines->step : basis);\n"
    "    }\n"
    "    if (what < 2) return sum;\n"
    "    for (int j = 0; j < nodes; j++) {\n"
    "        rise = (rise * (($R)j - back) + basis) / (($R)j + at->ahead);\n"
    "        basis = basis * (($R)j - back) / (($R)j + at->ahead);\n"
    "    }\n"
    "    return what == 3 ? rise / delay_lines->step : basis;\n"
    "}\n";

void ln_c_recall(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    int any = 0, any_near = 0;
    for (int op = LN_OP_RECALL; op <= LN_OP_RECALL_WEIGHT_SLOPE; op++)
        any |= w->cost.used[op] > 0;
    for (int k = 0; k < plan->ndelays; k++)
        any_near |= plan->near[k];
    if (!any)
        return;
    ln_c_add(
        w, "\n/* Where the samples of a delay stand, and what lies before the first and there. */\n"
           "static const struct {\n    int first, size, varies;\n    $R before, begin;\n} "
           "line_of[] = {");
    for (int k = 0; k < plan->ndelays; k++) {
        const ln_plan_delay *delay = &plan->delays[k];
        ln_text_printf(w->out, "\n    {%d, %d, %d, ", delay->first, delay->size, delay->varies);
        ln_c_number(w, delay->before);
        ln_text_add(w->out, ", ");
        ln_c_number(w, delay->begin);
        ln_text_add(w->out, "},");
    }
    ln_text_add(w->out, "\n};\n");
    ln_c_precise(w, recall);
    if (any_near)
        ln_c_precise(w, recall_near);
}

void ln_c_remember(ln_c_writer *w) {
    ln_text body = {0};
    const ln_code_cost before = w->cost;
    if (w->plan->nlines == 0)
        return;
    w->reads = 0;
    w->into = (ln_c_into){"input[", "]", NULL, NULL};
    ln_c_part(w, &w->plan->remembered, 0, &body);
    w->step.operations += w->cost.operations - before.operations;
    w->step.calls += w->cost.calls - before.calls;
    ln_c_add(w,
             "\n/* A step begins: another sample of all that is delayed. */\n"
             "static void remember(const at_t *at, const $N_signals_t *signals, $N_delay_lines_t "
             "*delay_lines,\n    unsigned long long step) {\n");
    ln_text_printf(w->out, "    %s input[%d];\n", w->real, w->plan->ndelays);
    ln_c_locals(w);
    if (!(w->reads & LN_READS_SIGNALS))
        ln_c_add(w, "    (void)signals;\n");
    if (body.data != NULL)
        ln_text_add(w->out, body.data);
    for (int k = 0; k < w->plan->ndelays; k++)
        if (!w->plan->delays[k].is_rate)
            ln_text_printf(w->out, "    delay_lines->sample[%d + (int)(step %% %d)] = input[%d];\n",
                           w->plan->delays[k].first, w->plan->delays[k].size, k);
    ln_c_add(w, "    delay_lines->last = at->t;\n    delay_lines->count = step + 1;\n}\n");
    if (body.failed)
        w->out->failed = 1;
    ln_text_free(&body);
}

void ln_c_ahead(const ln_c_writer *w) {
    if (w->plan->nlines > 0)
        ln_c_add(w, ", &model->delay_lines, ($R)(model->steps + 1 - model->delay_lines.count)");
}

void ln_c_start_delay_lines(const ln_c_writer *w) {
    if (w->plan->nlines > 0)
        ln_c_add(w, "    model->delay_lines.step = model->dt;\n");
}
