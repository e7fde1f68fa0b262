/* SPDX-License-Identifier: MIT */
/* Frequency responses written down and drawn. */
#include "cli/bode_view.h"
#include "base/text.h"

#include <math.h>

static size_t place_of(const ln_bode_view *view, int j, int k) {
    return (size_t)j * (size_t)view->bode->count + (size_t)k;
}

void ln_bode_text(const ln_bode_view *view, ln_text *text) {
    const ln_bode *bode = view->bode;
    for (int j = 0; j < bode->noutputs; j++) {
        ln_text_printf(text, "%s%s: %s%s%s%s\n\n%16s %16s %16s %16s\n", j > 0 ? "\n" : "",
                       view->model, view->is_loop ? "loop transfer " : "response of ",
                       view->response->names[j], view->is_loop ? ", opened at " : " to ",
                       view->response->input, "frequency [Hz]", "magnitude [dB]", "phase [deg]",
                       "group delay [s]");
        for (int k = 0; k < bode->count; k++) {
            size_t at = place_of(view, j, k);
            ln_text_printf(text, "%16.9g %16.9g %16.9g %16.9g\n", bode->frequency[k],
                           bode->decibel[at], bode->phase[at], bode->delay[at]);
        }
    }
}

void ln_bode_csv(const ln_bode_view *view, ln_text *text) {
    static const char *const parts[] = {"dB", "phase", "delay", "re", "im"};
    const ln_bode *bode = view->bode;
    ln_text_add(text, "frequency");
    for (int j = 0; j < bode->noutputs; j++)
        for (int part = 0; part < 5; part++)
            ln_text_printf(text, ",%s.%s", view->response->names[j], parts[part]);
    ln_text_add(text, "\n");
    for (int k = 0; k < bode->count; k++) {
        ln_csv_number(text, bode->frequency[k]);
        for (int j = 0; j < bode->noutputs; j++) {
            size_t at = place_of(view, j, k);
            const double cells[] = {bode->decibel[at], bode->phase[at], bode->delay[at],
                                    creal(bode->h[at]), cimag(bode->h[at])};
            for (int part = 0; part < 5; part++) {
                ln_text_add(text, ",");
                ln_csv_number(text, cells[part]);
            }
        }
        ln_text_add(text, "\n");
    }
}

void ln_bode_json(const ln_bode_view *view, ln_text *text) {
    const ln_bode *bode = view->bode;
    ln_json json = {.out = text};
    ln_json_head(&json, view->model, view->origin);
    ln_json_text(&json, view->is_loop ? "open" : "input", view->response->input);
    ln_json_numbers(&json, "frequency", bode->frequency, bode->count, 1);
    ln_json_begin(&json, "outputs", LN_JSON_LIST_LINES);
    for (int j = 0; j < bode->noutputs; j++) {
        const size_t at = place_of(view, j, 0);
        /* C11 6.2.5: laid out as an array of two */
        const double *pairs = (const double *)(bode->h + at);
        ln_json_begin(&json, NULL, LN_JSON_OBJECT_LINES);
        ln_json_text(&json, "name", view->response->names[j]);
        ln_json_text(&json, "unit", view->response->units[j]);
        ln_json_numbers(&json, "dB", bode->decibel + at, bode->count, 1);
        ln_json_numbers(&json, "phase", bode->phase + at, bode->count, 1);
        ln_json_numbers(&json, "delay", bode->delay + at, bode->count, 1);
        ln_json_numbers(&json, "re", pairs, bode->count, 2);
        ln_json_numbers(&json, "im", pairs + 1, bode->count, 2);
        ln_json_end(&json);
    }
    ln_json_end(&json);
    ln_json_finish(&json);
}

linnet_status ln_bode_result(const ln_bode_view *view, const char *path, int as_text, int is_next,
                             ln_report *report) {
    const ln_bode *bode = view->bode;
    const ln_result_head head = {.title = view->model,
                                 .origin = view->origin,
                                 .name = "AC Analysis",
                                 .first = {"frequency", "Hz"},
                                 .is_complex = 1,
                                 .is_next = is_next,
                                 .as_text = as_text};
    ln_column *columns = LN_NEW(view->arena, ln_column, bode->noutputs);
    double complex *row = LN_NEW(view->arena, double complex, bode->noutputs);
    ln_sink *sink = columns != NULL && row != NULL ? ln_sink_file(path, &head, report) : NULL;
    if (columns == NULL || row == NULL)
        return ln_no_memory(report);
    if (sink == NULL)
        return LINNET_IO;
    for (int j = 0; j < bode->noutputs; j++)
        columns[j] =
            (ln_column){.name = view->response->names[j], .unit = view->response->units[j]};
    linnet_status status = sink->open(sink, columns, bode->noutputs);
    for (int k = 0; k < bode->count && status == LINNET_OK; k++) {
        for (int j = 0; j < bode->noutputs; j++)
            row[j] = bode->h[place_of(view, j, k)];
        /* C11 6.2.5: pairs */
        status = sink->row(sink, bode->frequency[k], (const double *)row);
    }
    linnet_status closed = sink->close(sink, status == LINNET_OK);
    return status != LINNET_OK ? status : closed;
}

linnet_status ln_bode_plot(const ln_bode_view *view, const char *path, ln_report *report) {
    const ln_bode *bode = view->bode;
    size_t count = (size_t)bode->noutputs, points = (size_t)bode->count;
    ln_plot_curve *curves = LN_NEW(view->arena, ln_plot_curve, 3 * count);
    if (curves == NULL)
        return ln_no_memory(report);
    for (size_t j = 0; j < count; j++) {
        const char *name = view->response->names[j];
        const double *pairs = (const double *)(bode->h + j * points);
        int colour = (int)j + 1;
        curves[j] = (ln_plot_curve){.name = name,
                                    .x = bode->frequency,
                                    .y = bode->decibel + j * points,
                                    .count = points,
                                    .colour = colour};
        curves[count + j] = (ln_plot_curve){
            .x = bode->frequency, .y = bode->phase + j * points, .count = points, .colour = colour};
        curves[2 * count + j] = (ln_plot_curve){
            .x = pairs, .y = pairs + 1, .count = points, .stride = 2, .colour = colour};
    }
    const ln_plot_axis frequency = {.label = "frequency", .unit = "Hz", .logarithmic = 1};
    const ln_plot_panel panels[] = {{.title = "Bode",
                                     .x = frequency,
                                     .y = {.label = "magnitude", .unit = "dB"},
                                     .curves = curves,
                                     .ncurves = (int)count},
                                    {.x = frequency,
                                     .y = {.label = "phase", .unit = "deg", .tick = LN_PHASE_TICK},
                                     .curves = curves + count,
                                     .ncurves = (int)count},
                                    {.title = "Nyquist",
                                     .x = {.label = "real part"},
                                     .y = {.label = "imaginary part"},
                                     .curves = curves + 2 * count,
                                     .ncurves = (int)count,
                                     .square = 1}};
    return ln_plot_draw(
        &(ln_plot){.title = view->model, .panels = panels, .npanels = 3, .height = 900}, path,
        report);
}
