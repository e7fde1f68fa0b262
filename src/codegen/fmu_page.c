/* SPDX-License-Identifier: MIT */
/* documentation/index.html of an FMU: what it is, its variables, and what a user should know. */
#include "codegen/fmu_writer.h"

#include "base/text.h"
#include "plot/html.h"

#include <linnet/linnet.h>

static void add_row(const ln_fmu_variable *v, ln_text *out) {
    char digits[32];
    ln_text_add(out, "<tr><td><code>");
    ln_html_text(out, v->name);
    ln_text_add(out, "</code>");
    if (v->rows > 0)
        ln_text_printf(out, v->cols > 0 ? " (%d x %d)" : " (%d)", v->rows, v->cols);
    ln_text_add(out, "</td><td>");
    ln_html_text(out, v->unit != NULL ? v->unit : "");
    ln_text_add(out, "</td><td>");
    for (int i = 0; v->start != NULL && i < v->count; i++) {
        ln_number_format(digits, v->start[i]);
        ln_text_printf(out, "%s%s", i > 0 ? " " : "", digits);
    }
    ln_text_add(out, "</td><td>");
    ln_html_text(out, v->about != NULL ? v->about : "");
    ln_text_add(out, "</td></tr>\n");
}

static void add_table(const ln_fmu_writer *w, ln_text *out, const char *title, ln_fmu_kind kind) {
    int any = 0;
    for (int k = 0; k < w->nvariables; k++) {
        if (w->variable[k].kind != kind)
            continue;
        if (!any++)
            ln_text_printf(out,
                           "<h2>%s</h2>\n<table>\n<tr><th>name</th><th>unit</th><th>start</th>"
                           "<th>of</th></tr>\n",
                           title);
        add_row(&w->variable[k], out);
    }
    if (any)
        ln_text_add(out, "</table>\n");
}

static void add_notes(const ln_fmu_writer *w, ln_text *out) {
    const ln_c_writer *c = w->c;
    char digits[32];
    ln_number_format(digits, c->request->settings->step);
    ln_text_printf(out,
                   "<p>FMI %d.0, co-simulation%s. Between communication points the method %s "
                   "takes steps of %s s",
                   w->version, w->exchange ? " and model exchange" : "",
                   c->request->settings->method->name, digits);
    ln_text_add(out, c->plan->implicit != NULL
                         ? ", which are worked into its matrix: steps between communication points "
                           "must be multiples. The start is that of the model with its inputs at "
                           "their start values; outputs belong to the end of the last step.</p>\n"
                         : ", or a little less where whole steps do not fit. Inputs hold during a "
                           "step between communication points; outputs follow from the inputs as "
                           "they are.</p>\n");
    if (c->plan->nmemories > 0 || c->plan->nevents > 0)
        ln_text_add(out, "<p>In co-simulation events, samples and conditions act at the ends of "
                         "its own steps.</p>\n");
    ln_text_printf(out,
                   "<p>Made by <code>linnet export</code>, Linnet %s. All that was used to "
                   "make the binary stands in <code>sources/</code>.</p>\n",
                   linnet_version());
}

void ln_fmu_page(const ln_fmu_writer *w, ln_text *out) {
    const char *name = w->c->plan->network->name;
    name = name != NULL && name[0] != '\0' ? name : w->c->name;
    ln_text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>");
    ln_html_text(out, name);
    ln_text_add(out,
                "</title>\n<style>body { font-family: sans-serif; max-width: 50em; margin: 2em "
                "auto }\nth, td { text-align: left; padding: 0.2em 1em 0.2em 0 }</style></head>\n"
                "<body>\n<h1>");
    ln_html_text(out, name);
    ln_text_add(out, "</h1>\n");
    add_notes(w, out);
    add_table(w, out, "Inputs", LN_FMU_INPUT);
    add_table(w, out, "Outputs", LN_FMU_OUTPUT);
    add_table(w, out, "Parameters, which may be changed between steps", LN_FMU_PARAMETER);
    add_table(w, out, "States, which may be set before the start", LN_FMU_STATE);
    ln_text_add(out, "</body>\n</html>\n");
}
