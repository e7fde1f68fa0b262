/* SPDX-License-Identifier: MIT */
/* How a program uses Linnet: a capacitor is discharged through a conductance of its own kind.
 *
 *     cc rc.c $(pkg-config --cflags --libs linnet) -lm -o rc && ./rc
 *
 * The program brings a native block type, a conductance with i = g v + k v^3, loads a model from
 * memory that uses it, sets a parameter, runs the model twice - once with a callback, once into
 * memory - and compares the voltage with the closed form. With u = 1/v^2 the equation C v' = -(g v
 * + k v^3) becomes u' = 2 (g u + k)/C, so
 *
 *     v(t) = 1/sqrt((1/v0^2 + k/g) exp(2 g t/C) - k/g). */
#include <linnet/linnet.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the block type ---- */

enum { P, N }; /* local unknowns (potentials) and rows (fluxes into the block) */
enum { G, K }; /* parameters */

static const linnet_port ports[] = {
    {"p", LINNET_ELECTRICAL, 0, "positive terminal"},
    {"n", LINNET_ELECTRICAL, 0, "negative terminal"},
};
static const linnet_param params[] = {
    {"g", "S", NULL, 0, INFINITY, LINNET_REQUIRED, "conductance at small voltages", G, 1, 1, NULL},
    {"k", "A/V^3", "0", 0, INFINITY, 0, "coefficient of the cube", K, 1, 1, NULL},
};
/* The current changes with the state, so all four derivatives do. */
static const linnet_entry entries[] = {
    {P, P, LINNET_A, LINNET_STATE},
    {P, N, LINNET_A, LINNET_STATE},
    {N, P, LINNET_A, LINNET_STATE},
    {N, N, LINNET_A, LINNET_STATE},
};

static linnet_status eval(const linnet_block *block, const linnet_point *point, linnet_out *out) {
    double v = point->x[P] - point->x[N];
    double current = block->p[G] * v + block->p[K] * v * v * v;
    double slope = block->p[G] + 3 * block->p[K] * v * v;
    out->f[P] = current;
    out->f[N] = -current;
    out->entry[0] = out->entry[3] = slope;
    out->entry[1] = out->entry[2] = -slope;
    return LINNET_OK;
}

static const linnet_block_class cubic_conductance = {
    .abi = LINNET_ABI,
    .name = "cubic-conductance",
    .doc = "Conductance that grows with the voltage",
    .formula = "p.i = g*v + k*v^3\nn.i = -p.i",
    .example = "<cubic-conductance id=\"G1\" p=\"a\" n=\"0\" g=\"1 mS\"/>",
    .ports = ports,
    .nports = 2,
    .params = params,
    .nparams = 2,
    .nvalues = 2,
    .entries = entries,
    .nentries = 4,
    .reference_port = -1,
    .nonlinear_rows = "11",
    .eval = eval};

/* ---- the model ---- */

static const char text[] =
    "<model name=\"discharge\" xmlns=\"urn:linnet:model:1\">\n"
    "  <parameter name=\"cube\" value=\"1e-4 A/V^3\"/>\n"
    "  <ground id=\"gnd\" p=\"0\"/>\n"
    "  <capacitor id=\"C1\" p=\"a\" n=\"0\" C=\"1 uF\" v0=\"5 V\"/>\n"
    "  <cubic-conductance id=\"G1\" p=\"a\" n=\"0\" g=\"1 mS\" k=\"cube\"/>\n"
    "  <simulation duration=\"2 ms\" step=\"1 us\"/>\n"
    "  <record signals=\"a G1.i\"/>\n"
    "</model>\n";

static double closed_form(double t) {
    const double g = 1e-3, k = 2e-4, c = 1e-6, v0 = 5;
    return 1 / sqrt((1 / (v0 * v0) + k / g) * exp(2 * g * t / c) - k / g);
}

/* ---- watching a run ---- */

static int print_some(void *context, double t, const double *values) {
    long *points = context;
    if ((*points)++ % 500 == 0)
        printf("  t = %6.4f ms   v = %8.5f V   i = %8.5f mA\n", 1e3 * t, values[0],
               1e3 * values[1]);
    return 0; /* go on */
}

static double worst_error(const linnet_result *result) {
    const double *t = linnet_result_time(result), *v = linnet_result_signal(result, "a");
    double worst = 0;
    for (size_t i = 0; v != NULL && i < linnet_result_rows(result); i++)
        worst = fmax(worst, fabs(v[i] - closed_form(t[i])));
    return v != NULL ? worst : INFINITY;
}

static linnet_status work(linnet_model *model, double *error) {
    linnet_status status = linnet_register(model, &cubic_conductance);
    if (status == LINNET_OK)
        status = linnet_load_text(model, "discharge.xml", text, strlen(text));
    if (status == LINNET_OK)
        status = linnet_set(model, "cube", "2e-4 A/V^3");
    long points = 0;
    linnet_watch watch = {.context = &points, .point = print_some};
    if (status == LINNET_OK)
        status = linnet_run(model, &watch);

    linnet_result *result = NULL;
    if (status == LINNET_OK)
        status = linnet_run_memory(model, NULL, &result);
    if (status == LINNET_OK)
        *error = worst_error(result);
    linnet_result_free(result);
    return status;
}

int main(void) {
    linnet_model *model = linnet_model_new();
    if (model == NULL)
        return 1;
    double error = INFINITY;
    printf("Linnet %s, a capacitor and a cubic conductance:\n", linnet_version());
    linnet_status status = work(model, &error);
    for (int i = 0; i < linnet_diagnostic_count(model); i++)
        fprintf(stderr, "%s\n", linnet_diagnostic_at(model, i)->text);
    linnet_statistics run = linnet_last_run(model);
    if (status == LINNET_OK)
        printf("  %s, %ld steps, %ld Newton iterations; largest error %.1e V\n", run.method,
               run.steps, run.newton, error);
    linnet_model_free(model);
    return status == LINNET_OK && error < 5e-5 ? 0 : 1;
}
