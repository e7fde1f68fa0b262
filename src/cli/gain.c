/* SPDX-License-Identifier: MIT */
/* <dc-gain>, SPICE's .tf: what a small constant change of a source does to an output at the
 * operating point, and what resistance the source and the output see. All three are responses at
 * frequency 0:
 *
 *     gain = dy/du,      input: u/i of a voltage, v/i of a current that drives,      output: v of a
 * current of 1 A put in there */
#include "cli/analyses.h"
#include "cli/linear_point.h"

#include "analysis/response.h"
#include "model/model.h"
#include "model/tree.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a change of 1 of `input` does to the difference of `a` and `b` (NULL: to `a`) at rest; NAN
 * at a pole. */
static linnet_status at_rest(ln_linear_point *point, const char *input, const char *a,
                             const char *b, double *gain) {
    char outputs[512];
    double complex h[2] = {0};
    ln_response response = {.noutputs = 0};
    snprintf(outputs, sizeof outputs, "%s%s%s", a, b != NULL ? " " : "", b != NULL ? b : "");
    linnet_status status =
        ln_response_begin(&response, &point->small, input, outputs, LN_LINEAR_AUTO);
    if (status == LINNET_OK)
        status = ln_response_at(&response, 0, h, NULL);
    ln_response_free(&response);
    *gain = status == LINNET_RETRY ? NAN : creal(h[0]) - (b != NULL ? creal(h[1]) : 0);
    return status == LINNET_RETRY ? LINNET_OK : status;
}

static int is_current(const char *signal) {
    const size_t length = strlen(signal);
    return length > 2 && strcmp(signal + length - 2, ".i") == 0;
}

/* What a source that drives sees; its current flows into p, so what it feeds has the other sign. */
static linnet_status seen_by(ln_linear_point *point, const char *source, double *resistance) {
    char v[300], i[300];
    double dv, di;
    snprintf(v, sizeof v, "%s.v", source);
    snprintf(i, sizeof i, "%s.i", source);
    LN_TRY(at_rest(point, source, v, NULL, &dv));
    LN_TRY(at_rest(point, source, i, NULL, &di));
    *resistance = di != 0 ? -dv / di : INFINITY;
    return LINNET_OK;
}

/* What the output sees: a current put in there, or, of a current, what its source sees. */
static linnet_status seen_at(ln_linear_point *point, const char *output, const char *minus,
                             double *resistance) {
    char input[600];
    if (is_current(output)) {
        snprintf(input, sizeof input, "%.*s", (int)strlen(output) - 2, output);
        return seen_by(point, input, resistance);
    }
    snprintf(input, sizeof input, "%s%s%s%s", output, minus != NULL ? " " : "",
             minus != NULL ? minus : "", minus != NULL ? ":-1" : "");
    return at_rest(point, input, output, minus, resistance);
}

static linnet_status work(const ln_job *job, ln_linear_point *point) {
    const ln_element *element = point->model->response;
    const char *input = ln_attribute_of(element, "input"),
               *output = ln_attribute_of(element, "output");
    const char *minus = ln_attribute_of(element, "minus");
    double gain, in, out;
    ln_text text = {0};
    LN_TRY(at_rest(point, input, output, minus, &gain));
    LN_TRY(seen_by(point, input, &in));
    LN_TRY(seen_at(point, output, minus, &out));
    ln_text_printf(&text,
                   "%s: gain at rest from %s to %s%s%s\n\n  gain               %.9g\n  input "
                   "resistance   %.9g Ohm\n"
                   "  output resistance  %.9g Ohm\n",
                   point->model->name, input, output, minus != NULL ? " minus " : "",
                   minus != NULL ? minus : "", gain, in, out);
    return ln_linear_write(job, &text);
}

linnet_status ln_gain_of_model(ln_job *job, const ln_model *model) {
    static const ln_linear_command itself = {"output", NULL, NULL, work};
    const char *input = ln_attribute_of(model->response, "input"),
               *minus = ln_attribute_of(model->response, "minus");
    const char *names =
        ln_arena_printf(job->arena, "%s %s %s.i %s.v", ln_attribute_of(model->response, "output"),
                        minus != NULL ? minus : "", input, input);
    if (names == NULL)
        return ln_no_memory(job->report);
    ln_job_give(job, "output", names);
    return ln_linear_command_on(&itself, job, model);
}
