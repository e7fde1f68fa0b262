/* SPDX-License-Identifier: MIT */
/* The tables of a report: what the run took, measures, parameters, the operating point, modes. */
#include "cli/report.h"
#include "base/constants.h"

#include "plot/html.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    FOLDED = 40, /* a longer table is folded */
    MOST_ROWS = 2000,
    MOST_MODES = 200,
    MOST_STATES = 3 /* named beside a mode */
};

/* ---- cells ---- */

static void cell(ln_text *page, const char *text) {
    ln_text_add(page, "<td>");
    ln_html_text(page, text != NULL ? text : "");
    ln_text_add(page, "</td>");
}

/* Six digits: what is shown is for reading. */
static void number(ln_text *page, double value) {
    char text[40] = "\xE2\x80\x93";
    if (fabs(value) >= 1e300) /* a limit that is none */
        snprintf(text, sizeof text, "%s", value > 0 ? "\xE2\x88\x9E" : "\xE2\x88\x92\xE2\x88\x9E");
    else if (!isnan(value))
        snprintf(text, sizeof text, "%.6g", value + 0.0); /* 0, not -0 */
    for (char *at = text; *at != '\0'; at++)
        if (*at == ',')
            *at = '.'; /* some locale's */
    ln_text_printf(page, "<td class=\"n\">%s</td>", text);
}

static void begin_table(ln_reporting *r, const char *title, size_t rows, const char *heads) {
    ln_report_section(r, title);
    if (rows > FOLDED)
        ln_text_printf(r->page, "<details><summary>%zu rows</summary>\n", rows);
    ln_text_add(r->page, "<table>\n<tr>");
    for (const char *at = heads; *at != '\0';) {
        const size_t length = strcspn(at, "|");
        ln_text_add(r->page, "<th>");
        ln_text_add_bytes(r->page, at, length);
        ln_text_add(r->page, "</th>");
        at += length + (at[length] == '|');
    }
    ln_text_add(r->page, "</tr>\n");
}

static void end_table(ln_reporting *r, size_t rows, size_t shown) {
    ln_text_add(r->page, "</table>\n");
    if (shown < rows)
        ln_text_printf(r->page, "<p>%zu more are left out.</p>\n", rows - shown);
    if (rows > FOLDED)
        ln_text_add(r->page, "</details>\n");
}

/* ---- the run ---- */

static void count_row(ln_reporting *r, const char *name, double value) {
    ln_text_printf(r->page, "<tr><th>%s</th>", name);
    number(r->page, value);
    ln_text_add(r->page, "</tr>\n");
}

void ln_report_run(ln_reporting *r, const linnet_statistics *s) {
    begin_table(r, "Run", 0, "");
    ln_text_add(r->page, "<tr><th>method</th>");
    cell(r->page, s->method);
    ln_text_add(r->page, "</tr>\n");
    const struct {
        const char *name;
        double value;
    } rows[] = {{"time reached, s", s->t},
                {"blocks", s->blocks},
                {"links", s->links},
                {"unknowns", s->unknowns},
                {"states", s->states},
                {"nonlinear blocks", s->nonlinear},
                {"steps", (double)s->steps},
                {"steps rejected", (double)s->rejected},
                {"shortest step, s", s->smallest},
                {"longest step, s", s->largest},
                {"Newton iterations", (double)s->newton},
                {"factorisations", (double)(s->factored + s->refactored)},
                {"evaluations", (double)s->evaluations},
                {"recorded instants", (double)s->points},
                {"computing time, s", s->seconds}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        count_row(r, rows[k].name, rows[k].value);
    end_table(r, 0, 0);
}

void ln_report_measures(ln_reporting *r) {
    const int count = linnet_measured_count(r->model);
    if (count == 0)
        return;
    begin_table(r, "Measures", (size_t)count, "measure|value|unit");
    for (int k = 0; k < count; k++) {
        const linnet_item item = linnet_measured(r->model, k);
        ln_text_add(r->page, "<tr>");
        cell(r->page, item.name);
        number(r->page, item.value);
        cell(r->page, item.unit);
        ln_text_add(r->page, "</tr>\n");
    }
    end_table(r, (size_t)count, (size_t)count);
}

/* ---- parameters ---- */

void ln_report_parameters(ln_reporting *r) {
    linnet_list *list = NULL;
    const linnet_status status = linnet_list_names(r->model, LINNET_LIST_PARAMETERS, &list);
    ln_report_note_memory(r, status);
    if (status != LINNET_OK)
        return;
    size_t rows = 0, shown = 0;
    for (size_t k = 0; k < list->count; k++)
        rows += isnan(list->items[k].value) ? 0 : 1;
    if (rows > 0)
        begin_table(r, "Parameters", rows, "parameter|value|unit|of");
    for (size_t k = 0; k < list->count && shown < MOST_ROWS; k++) {
        const linnet_item *item = &list->items[k];
        if (isnan(item->value))
            continue;
        ln_text_add(r->page, "<tr>");
        cell(r->page, item->name);
        number(r->page, item->value);
        cell(r->page, item->unit);
        cell(r->page, item->type[0] != '\0' ? item->type : "the model");
        ln_text_add(r->page, "</tr>\n");
        shown++;
    }
    if (rows > 0)
        end_table(r, rows, shown);
    linnet_list_free(list);
}

/* ---- the operating point ---- */

void ln_report_point(ln_reporting *r) {
    linnet_result *point = NULL;
    const linnet_status status = linnet_operating_point(r->model, &point);
    ln_report_note_memory(r, status);
    ln_report_hear(r, "operating point");
    const size_t rows =
        status == LINNET_OK && point != NULL ? (size_t)linnet_result_count(point) : 0;
    if (rows > 0 && linnet_result_rows(point) > 0) {
        const size_t shown = rows < MOST_ROWS ? rows : MOST_ROWS;
        begin_table(r, "Operating point", rows, "quantity|value|unit");
        for (size_t k = 0; k < shown; k++) {
            const linnet_signal signal = linnet_result_name(point, (int)k);
            ln_text_add(r->page, "<tr>");
            cell(r->page, signal.name);
            number(r->page, linnet_result_values(point, (int)k)[0]);
            cell(r->page, signal.unit);
            ln_text_add(r->page, "</tr>\n");
        }
        end_table(r, rows, shown);
    }
    linnet_result_free(point);
}

/* ---- modes ---- */

static void mode_row(ln_reporting *r, const linnet_mode *mode) {
    const double size = hypot(mode->re, mode->im);
    ln_text_add(r->page, "<tr>");
    number(r->page, mode->re);
    number(r->page, mode->im);
    number(r->page, mode->im != 0 ? fabs(mode->im) / (2 * LN_PI) : NAN);
    number(r->page, size > 0 ? -mode->re / size : NAN);
    number(r->page, mode->re < 0 ? -1 / mode->re : NAN);
    ln_text_add(r->page, "<td>");
    for (int k = 0; k < mode->count && k < MOST_STATES; k++) {
        if (k > 0)
            ln_text_add(r->page, ", ");
        ln_html_text(r->page, mode->states[k].name);
        ln_text_printf(r->page, " %.0f %%", 100 * mode->states[k].share);
    }
    ln_text_add(r->page, "</td></tr>\n");
}

void ln_report_modes(ln_reporting *r) {
    linnet_modes *modes = NULL;
    const linnet_status status = linnet_eigenvalues(r->model, NULL, 0, &modes);
    ln_report_note_memory(r, status);
    ln_report_hear(r, "modes");
    if (status == LINNET_OK && modes != NULL && modes->count > 0) {
        const size_t count = (size_t)modes->count, shown = count < MOST_MODES ? count : MOST_MODES;
        begin_table(r, "Natural modes at the operating point", count,
                    "real, 1/s|imaginary, 1/s|frequency, Hz|damping|time constant, s|states");
        for (size_t k = 0; k < shown; k++)
            mode_row(r, &modes->modes[k]);
        end_table(r, count, shown);
    }
    linnet_modes_free(modes);
}
