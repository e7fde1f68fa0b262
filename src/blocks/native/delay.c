/* SPDX-License-Identifier: MIT */
/* transport-delay and variable-delay:  out(t) = in(t - T).
 *
 * The engine keeps the past; here stands only what is asked of it, and what follows from its
 * answer: out - value = 0,    d value/d in = weight (not 0 when T is shorter than the step),    d
 * value/d T = -slope */
#include "blocks/native/native.h"

#include <math.h>

enum { IN, OUT, LAG }; /* local unknowns and rows */
/* parameters: of transport-delay the first two, of variable-delay the last two */
enum { DELAY, INITIAL, LONGEST = 0 };
enum { VALUE, WEIGHT, SLOPE }; /* memories */

static const linnet_port ports[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT, "input"},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT, "input, T ago"},
    {"lag", LINNET_SIGNAL, LINNET_INPUT, "delay T, not negative, s"},
};
static const linnet_memory memories[] = {
    {NULL, NULL, NULL}, {NULL, NULL, NULL}, {NULL, NULL, NULL}};
static const linnet_entry entries[] = {
    {OUT, OUT, LINNET_A, LINNET_CONSTANT},
    {OUT, IN, LINNET_A, LINNET_STATE},
    {OUT, LAG, LINNET_A, LINNET_STATE},
};

static void linear(const linnet_block *block, double *entry) {
    (void)block;
    entry[0] = 1;
}

static linnet_status eval(const linnet_block *block, const linnet_point *point, linnet_out *out) {
    out->f[OUT] = -point->m[VALUE];
    out->entry[1] = -point->m[WEIGHT];
    if (block->type->nports > LAG)
        out->entry[2] = point->m[SLOPE];
    return isfinite(point->m[VALUE]) ? LINNET_OK : LINNET_RETRY;
}

static void fixed_delay(const linnet_block *block, const linnet_point *point, linnet_delay *delay) {
    const double T = block->p[DELAY];
    *delay =
        (linnet_delay){.input = point->x[IN], .lag = T, .most = T, .before = block->p[INITIAL]};
}

static void varying_delay(const linnet_block *block, const linnet_point *point,
                          linnet_delay *delay) {
    const double longest = block->p[LONGEST], T = point->x[LAG];
    *delay = (linnet_delay){.input = point->x[IN],
                            .lag = T > longest ? longest : T,
                            .most = longest,
                            .before = block->p[INITIAL]};
}

/* clang-format off */
#define INITIAL_PARAMETER \
    {.name = "initial", .default_text = "0", .min = -INFINITY, .max = INFINITY, \
     .doc = "input before the start", \
     .offset = INITIAL, .rows = 1, .cols = 1}
/* clang-format on */

#define COMMON                                                                                  \
    .abi = LINNET_ABI, .ports = ports, .nparams = 2, .nvalues = 2, .entries = entries,          \
    .reference_port = -1, .memories = memories, .nmemories = 3, .ndelays = 1, .linear = linear, \
    .eval = eval

const linnet_block_class ln_transport_delay_class = {
    COMMON,
    .name = "transport-delay",
    .doc = "Pure delay by a constant time",
    .formula = "out(t) = in(t - delay)\n"
               "(before the start in is `initial`)",
    .example = "<transport-delay id=\"d1\" in=\"u\" out=\"y\" delay=\"20 ms\"/>",
    .nports = 2,
    .nentries = 2,
    .nonlinear_rows = "01",
    .delays = fixed_delay,
    .params = (const linnet_param[]){{.name = "delay",
                                      .unit = "s",
                                      .min = 0,
                                      .max = INFINITY,
                                      .flags = LINNET_REQUIRED,
                                      .doc = "how long",
                                      .offset = DELAY,
                                      .rows = 1,
                                      .cols = 1},
                                     INITIAL_PARAMETER},
};

const linnet_block_class ln_variable_delay_class = {
    COMMON,
    .name = "variable-delay",
    .doc = "Pure delay by a time that a signal gives",
    .formula = "out(t) = in(t - min(lag, longest))\n"
               "(before the start in is `initial`)",
    .example = "<variable-delay id=\"d1\" in=\"u\" lag=\"T\" out=\"y\" longest=\"2 s\"/>",
    .nports = 3,
    .nentries = 3,
    .nonlinear_rows = "010",
    .delays = varying_delay,
    .lags_vary = 1,
    .params = (const linnet_param[]){{.name = "longest",
                                      .unit = "s",
                                      .min = 0,
                                      .max = INFINITY,
                                      .flags = LINNET_REQUIRED | LINNET_OPEN_MIN,
                                      .doc = "longest delay, s",
                                      .offset = LONGEST,
                                      .rows = 1,
                                      .cols = 1},
                                     INITIAL_PARAMETER},
};
