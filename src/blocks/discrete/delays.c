/* SPDX-License-Identifier: MIT */
/* sample-delay, fir-filter, moving-average: samples of before, as many as the instance asks for. */
#include "blocks/discrete/sampled.h"
#include "blocks/equations.h"

#include <math.h>

enum { MOST_SAMPLES = 10000 };
enum { IN, CLOCK, OUT };
static const linnet_port ports[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT, "input"},
    LN_SAMPLED_PORT,
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "output, held from tick to tick"},
};

/* The samples of the input: now and at the n ticks before. */
typedef struct samples {
    int n;
    int start; /* the parameter whose value they have before the first tick; -1: they are 0 */
    ln_ticks ticks;
    ln_node *taps; /* n + 1: taps[k] is the input k ticks ago */
} samples;

/* Ports, parameters and the samples, of which n and start are given. PERIOD is the first
 * parameter. */
static linnet_status begin(const linnet_block_class *face, const ln_shape *shape, ln_equations *e,
                           samples *line, ln_report *report) {
    LN_TRY(ln_sized_begin(face, shape, e, report));
    line->ticks = ln_ticks_new(e, shape, CLOCK, 0);
    line->taps = LN_NEW(e->arena, ln_node, line->n + 1);
    ln_node before = line->start < 0 ? LN_NONE : ln_param_item(e, line->start, 0);
    if (line->taps == NULL ||
        !ln_ticks_line(&line->ticks, ln_sized_port(e, shape, IN, 0), line->n, before, line->taps))
        return ln_no_memory(report);
    return LINNET_OK;
}

/* clang-format off */
#define N_PARAMETER(text) \
    {.name = "n", .unit = "", .min = 1, .max = MOST_SAMPLES, \
     .flags = LINNET_REQUIRED | LINNET_INTEGER | LINNET_STRUCTURAL, \
     .doc = text}
/* clang-format on */

/* ---- sample-delay ---- */

enum { DELAY_N = 2, DELAY_Y0 };
static const linnet_param delay_params[] = {
    LN_SAMPLED_PARAMETERS,
    N_PARAMETER("number of ticks"),
    {.name = "y0", .default_text = "0", LN_FREE, .doc = "output until the input arrives"},
};
static const linnet_block_class delay_face = {
    .abi = LINNET_ABI,
    .name = "sample-delay",
    .doc = "Sampled input, n ticks late",
    .formula = "out(k) = in(k - n)\n"
               "(at tick k, held until the next)",
    .example = "<sample-delay id=\"d1\" in=\"u\" out=\"y\" period=\"10 ms\" n=\"5\"/>",
    .ports = ports,
    .nports = 3,
    .params = delay_params,
    .nparams = 4,
    .reference_port = -1};

static linnet_status describe_delay(const ln_shape *shape, ln_equations *e, ln_report *report) {
    samples line = {.n = (int)shape->values[DELAY_N][0], .start = DELAY_Y0};
    LN_TRY(begin(&delay_face, shape, e, &line, report));
    ln_ticks_output(&line.ticks, ln_sized_port(e, shape, OUT, 0), 0, line.taps[line.n],
                    ln_param_item(e, DELAY_Y0, 0));
    return LINNET_OK;
}

const ln_type ln_type_sample_delay = {"sample-delay", "discrete", &delay_face, describe_delay,
                                      NULL,           NULL,       NULL,        NULL};

/* ---- fir-filter ---- */

enum { FIR_B = 2, FIR_X0, FIR_Y0 };
static const linnet_param fir_params[] = {
    LN_SAMPLED_PARAMETERS,
    {.name = "coefficients",
     LN_FREE,
     .flags = LINNET_REQUIRED | LINNET_LIST,
     .doc = "of the input now, one tick ago, ..."},
    {.name = "x0", .default_text = "0", LN_FREE, .doc = "samples before the first tick"},
    {.name = "y0", .default_text = "0", LN_FREE, .doc = "output before the first tick"},
};
static const linnet_block_class fir_face = {
    .abi = LINNET_ABI,
    .name = "fir-filter",
    .doc = "Filter with a finite impulse response",
    .formula = "out(k) = sum(i = 1 .. n, c[i]*in(k + 1 - i))\n"
               "(at tick k, held until the next; c: coefficients)",
    .example =
        "<fir-filter id=\"f1\" in=\"u\" out=\"y\" period=\"1 ms\" coefficients=\"0.25 0.5 0.25\"/>",
    .ports = ports,
    .nports = 3,
    .params = fir_params,
    .nparams = 5,
    .reference_port = -1};

static linnet_status describe_fir(const ln_shape *shape, ln_equations *e, ln_report *report) {
    const int n = shape->rows[FIR_B] * shape->cols[FIR_B];
    if (n < 1 || n > MOST_SAMPLES)
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "it has %d coefficients; give from 1 to %d", n, MOST_SAMPLES);
    samples line = {.n = n - 1, .start = FIR_X0};
    ln_node y = ln_constant(e->graph, 0);
    LN_TRY(begin(&fir_face, shape, e, &line, report));
    for (int i = 0; i < n; i++)
        y = ln_sum2(e->graph, y, ln_product2(e->graph, ln_param_item(e, FIR_B, i), line.taps[i]));
    ln_ticks_output(&line.ticks, ln_sized_port(e, shape, OUT, 0), 0, y,
                    ln_param_item(e, FIR_Y0, 0));
    return LINNET_OK;
}

const ln_type ln_type_fir_filter = {"fir-filter", "discrete", &fir_face, describe_fir,
                                    NULL,         NULL,       NULL,      NULL};

/* ---- moving-average ---- */

enum { MEAN_N = 2, MEAN_Y0 };
static const linnet_param mean_params[] = {
    LN_SAMPLED_PARAMETERS,
    N_PARAMETER("number of samples in the mean"),
    {.name = "y0", .default_text = "0", LN_FREE, .doc = "output before the first tick"},
};
static const linnet_block_class mean_face = {
    .abi = LINNET_ABI,
    .name = "moving-average",
    .doc = "Mean of the last n samples",
    .formula = "out(k) = sum(i = 0 .. min(n, k + 1) - 1, in(k - i))/min(n, k + 1)\n"
               "(at tick k = 0, 1, ..., held until the next)",
    .example = "<moving-average id=\"f1\" in=\"u\" out=\"y\" period=\"1 ms\" n=\"8\"/>",
    .ports = ports,
    .nports = 3,
    .params = mean_params,
    .nparams = 4,
    .reference_port = -1};

static linnet_status describe_mean(const ln_shape *shape, ln_equations *e, ln_report *report) {
    const int n = (int)shape->values[MEAN_N][0];
    ln_graph *g = e->graph;
    samples line = {.n = n - 1, .start = -1};
    ln_node sum = ln_constant(g, 0), one = ln_constant(g, 1);
    LN_TRY(begin(&mean_face, shape, e, &line, report));
    for (int i = 0; i < n; i++)
        sum = ln_sum2(g, sum, line.taps[i]);
    ln_node count =
        ln_ticks_memory(&line.ticks, "count", 0, "number of samples in the mean", LN_NONE);
    ln_node more = ln_operation(g, LN_OP_LT, count, ln_constant(g, n), LN_NONE);
    ln_node now = ln_operation(g, LN_OP_IF, more, ln_sum2(g, count, one), count);
    ln_ticks_set(&line.ticks, count, now);
    ln_ticks_output(&line.ticks, ln_sized_port(e, shape, OUT, 0), 0,
                    ln_operation(g, LN_OP_DIV, sum, now, LN_NONE), ln_param_item(e, MEAN_Y0, 0));
    return LINNET_OK;
}

const ln_type ln_type_moving_average = {
    "moving-average", "discrete", &mean_face, describe_mean, NULL, NULL, NULL, NULL};
