/* SPDX-License-Identifier: MIT */
/* Each form is written into a text first, so that a file appears whole or not at all. */
#include "cli/compare_print.h"

#include "cli/terminal.h"
#include "plot/plot.h"
#include "result/document.h"
#include "model/model.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const outcomes[] = {[LN_COMPARE_NOT_RUN] = "not run",
                                       [LN_COMPARE_RAN] = "ran",
                                       [LN_COMPARE_UNSTABLE] = "unstable",
                                       [LN_COMPARE_FAILED] = "failed"};

/* ---- the table ---- */

enum { COLUMNS = 12 };
typedef char cells[COLUMNS][32];

static void fill(const ln_compare_row *row, cells cell) {
    char time[32];
    memset(cell, 0, sizeof(cells));
    snprintf(cell[0], 32, "%s", row->method->name);
    if (row->fixed)
        snprintf(cell[1], 32, "%s", ln_time_text(time, row->size, 6));
    else
        snprintf(cell[1], 32, "%.31s", row->text);
    int known = row->outcome == LN_COMPARE_RAN && row->has_errors;
    snprintf(cell[2], 32, known ? "%.2e" : "-", row->largest);
    snprintf(cell[3], 32, known && row->has_end ? "%.2e" : "-", row->end);
    snprintf(cell[4], 32, known && row->has_end ? "%.2f" : "-", row->scd);
    snprintf(cell[5], 32, row->has_order ? "%.2f" : "-", row->order);
    if (row->outcome == LN_COMPARE_NOT_RUN)
        return;
    const long counts[] = {row->work.steps, row->work.rejected, row->work.evaluations,
                           row->work.factored + row->work.refactored, row->work.solved};
    for (int k = 0; k < 5; k++)
        snprintf(cell[6 + k], 32, "%ld", counts[k]);
    snprintf(cell[11], 32, "%s", ln_time_text(time, row->seconds, 3));
}

/* Numbers stand right, words left; remarks follow below the rows they are about. */
static void add_line(ln_text *text, cells cell, const int *widths) {
    for (int k = 0; k < COLUMNS; k++) {
        if (k < 2)
            ln_text_printf(text, "%-*s%s", widths[k], cell[k], "  ");
        else
            ln_text_printf(text, "%*s%s", widths[k], cell[k], k + 1 < COLUMNS ? "  " : "");
    }
    while (text->length > 0 && text->data[text->length - 1] == ' ')
        text->data[--text->length] = '\0';
    ln_text_add(text, "\n");
}

static void add_summaries(const ln_comparison *comparison, ln_text *text) {
    for (int k = 0; k < comparison->nsummaries; k++) {
        const ln_compare_summary *summary = &comparison->summaries[k];
        if (summary->has_order)
            ln_text_printf(text, "order of %s%s over its %s: %.2f (theory %d)\n",
                           summary->method->name, summary->fixed ? "" : " by tolerance",
                           summary->fixed ? "steps" : "mean steps", summary->order,
                           summary->method->order);
    }
}

void ln_compare_text(const ln_comparison *comparison, ln_text *text) {
    static const char *const titles[COLUMNS] = {"method",      "step/tol", "max error", "end error",
                                                "scd",         "order",    "steps",     "rejected",
                                                "evaluations", "factored", "solves",    "time"};
    int widths[COLUMNS] = {0};
    cells cell;
    for (int k = 0; k < COLUMNS; k++)
        widths[k] = (int)strlen(titles[k]);
    for (int r = 0; r < comparison->nrows; r++) {
        fill(&comparison->rows[r], cell);
        for (int k = 0; k < COLUMNS; k++)
            if ((int)strlen(cell[k]) > widths[k])
                widths[k] = (int)strlen(cell[k]);
    }
    ln_text_printf(text, "%s\n", comparison->model->name);
    if (comparison->has_reference && comparison->reference != NULL)
        ln_text_printf(text, "reference: %s\n", comparison->reference);
    ln_text_printf(text, "errors of %d signal%s, relative to each one's largest size\n\n",
                   comparison->nsignals, comparison->nsignals == 1 ? "" : "s");
    for (int k = 0; k < COLUMNS; k++)
        snprintf(cell[k], 32, "%s", titles[k]);
    add_line(text, cell, widths);
    for (int r = 0; r < comparison->nrows; r++) {
        fill(&comparison->rows[r], cell);
        add_line(text, cell, widths);
        if (comparison->rows[r].remark != NULL)
            ln_text_printf(text, "    %s\n", comparison->rows[r].remark);
    }
    ln_text_add(text, "\n");
    add_summaries(comparison, text);
}

/* ---- CSV ---- */

static void add_number(ln_text *text, double value) {
    char buffer[32];
    ln_number_format(buffer, value);
    ln_text_add(text, buffer);
}

static void add_csv_number(ln_text *text, double value, int known) {
    ln_text_add(text, ",");
    if (known && isfinite(value))
        add_number(text, value);
}

void ln_compare_csv(const ln_comparison *comparison, ln_text *text) {
    ln_text_add(text,
                "method,step,tolerance,outcome,max_error,max_error_time,max_error_signal,end_error,"
                "scd,order,steps,"
                "rejected,evaluations,factorisations,solves,seconds,stability_limit,remark\n");
    for (int r = 0; r < comparison->nrows; r++) {
        const ln_compare_row *row = &comparison->rows[r];
        int known = row->outcome == LN_COMPARE_RAN && row->has_errors, ends = known && row->has_end;
        int ran = row->outcome != LN_COMPARE_NOT_RUN;
        ln_text_add(text, row->method->name);
        add_csv_number(text, row->size, row->fixed);
        add_csv_number(text, row->size, !row->fixed);
        ln_text_printf(text, ",%s", outcomes[row->outcome]);
        add_csv_number(text, row->largest, known);
        add_csv_number(text, row->largest_t, known);
        ln_text_add(text, ",");
        if (known && row->worst_signal >= 0)
            ln_csv_text(text, comparison->names[row->worst_signal]);
        add_csv_number(text, row->end, ends);
        add_csv_number(text, row->scd, ends);
        add_csv_number(text, row->order, row->has_order);
        const long counts[] = {row->work.steps, row->work.rejected, row->work.evaluations,
                               row->work.factored + row->work.refactored, row->work.solved};
        for (int k = 0; k < 5; k++)
            add_csv_number(text, (double)counts[k], ran);
        add_csv_number(text, row->seconds, ran);
        add_csv_number(text, row->limit, row->outcome == LN_COMPARE_UNSTABLE);
        ln_text_add(text, ",");
        if (row->remark != NULL)
            ln_csv_text(text, row->remark);
        ln_text_add(text, "\n");
    }
}

/* ---- JSON ---- */

/* A number that is known only where the row has it. */
static void add_known(ln_json *json, const char *name, double value, int known) {
    ln_json_number(json, name, known ? value : NAN);
}

static void add_json_errors(const ln_comparison *comparison, const ln_compare_row *row,
                            ln_json *json) {
    ln_json_begin(json, "errors", LN_JSON_LIST);
    for (int s = 0; row->errors != NULL && s < comparison->nsignals; s++) {
        const ln_compare_error *error = &row->errors[s];
        if (error->compared == 0 || !isfinite(error->largest))
            continue;
        ln_json_begin(json, NULL, LN_JSON_OBJECT);
        ln_json_text(json, "signal", comparison->names[s]);
        ln_json_number(json, "largest", error->largest);
        ln_json_number(json, "time", error->largest_t);
        add_known(json, "end", error->end, error->has_end);
        add_known(json, "end_reference", error->end_reference, error->has_end);
        ln_json_number(json, "size", error->size);
        ln_json_integer(json, "points", error->compared);
        ln_json_end(json);
    }
    ln_json_end(json);
}

static void add_json_work(const ln_compare_row *row, ln_json *json) {
    const int ran = row->outcome != LN_COMPARE_NOT_RUN;
    add_known(json, "steps", (double)row->work.steps, ran);
    add_known(json, "rejected", (double)row->work.rejected, ran);
    add_known(json, "evaluations", (double)row->work.evaluations, ran);
    add_known(json, "factorisations", (double)(row->work.factored + row->work.refactored), ran);
    add_known(json, "solves", (double)row->work.solved, ran);
    add_known(json, "seconds", row->seconds, ran);
}

static void add_json_row(const ln_comparison *comparison, const ln_compare_row *row,
                         ln_json *json) {
    const int known = row->outcome == LN_COMPARE_RAN && row->has_errors,
              ends = known && row->has_end;
    ln_json_begin(json, NULL, LN_JSON_OBJECT);
    ln_json_text(json, "method", row->method->name);
    add_known(json, "step", row->size, row->fixed);
    add_known(json, "tolerance", row->size, !row->fixed);
    ln_json_text(json, "outcome", outcomes[row->outcome]);
    add_known(json, "max_error", row->largest, known);
    add_known(json, "max_error_time", row->largest_t, known);
    ln_json_text(json, "max_error_signal",
                 known && row->worst_signal >= 0 ? comparison->names[row->worst_signal] : NULL);
    add_known(json, "end_error", row->end, ends);
    add_known(json, "scd", row->scd, ends);
    add_known(json, "order", row->order, row->has_order);
    add_json_work(row, json);
    add_known(json, "stability_limit", row->limit, row->outcome == LN_COMPARE_UNSTABLE);
    ln_json_text(json, "remark", row->remark);
    if (known)
        add_json_errors(comparison, row, json);
    ln_json_end(json);
}

static void add_json_summary(const ln_compare_summary *summary, ln_json *json) {
    ln_json_begin(json, NULL, LN_JSON_OBJECT);
    ln_json_text(json, "method", summary->method->name);
    ln_json_text(json, "by", summary->fixed ? "step" : "tolerance");
    ln_json_integer(json, "rows", summary->rows);
    add_known(json, "order", summary->order, summary->has_order);
    ln_json_integer(json, "theory", summary->method->order);
    ln_json_end(json);
}

void ln_compare_json(const ln_comparison *comparison, linnet_status status, ln_text *text) {
    ln_json json = {.out = text};
    ln_json_head(&json, comparison->model->name, comparison->model->origin);
    ln_json_text(&json, "reference", comparison->has_reference ? comparison->reference : NULL);
    add_known(&json, "reference_difference", comparison->doubt, comparison->doubt > 0);
    ln_json_flag(&json, "complete", status == LINNET_OK);
    ln_json_begin(&json, "rows", LN_JSON_LIST_LINES);
    for (int r = 0; r < comparison->nrows; r++)
        add_json_row(comparison, &comparison->rows[r], &json);
    ln_json_end(&json);
    ln_json_begin(&json, "methods", LN_JSON_LIST_LINES);
    for (int k = 0; k < comparison->nsummaries; k++)
        add_json_summary(&comparison->summaries[k], &json);
    ln_json_end(&json);
    ln_json_finish(&json);
}

/* ---- the picture ---- */

static int can_be_drawn(const ln_compare_row *row) {
    return row->outcome == LN_COMPARE_RAN && row->has_errors && row->largest > 0;
}

/* x of all rows: what the work was. Curves: one per method and way of stepping. */
static linnet_status fill_panel(const ln_comparison *comparison, const double *x, const double *y,
                                ln_plot_panel *panel) {
    ln_plot_curve *curves = LN_NEW(comparison->arena, ln_plot_curve, comparison->nsummaries);
    if (curves == NULL)
        return ln_no_memory(comparison->report);
    int n = 0, first = 0;
    for (int k = 0; k < comparison->nsummaries; first += comparison->summaries[k++].rows) {
        const ln_compare_summary *summary = &comparison->summaries[k];
        int twice = (k > 0 && comparison->summaries[k - 1].method == summary->method) ||
                    (k + 1 < comparison->nsummaries &&
                     comparison->summaries[k + 1].method == summary->method);
        const char *name = ln_arena_printf(comparison->arena, "%s%s", summary->method->name,
                                           !twice           ? ""
                                           : summary->fixed ? ", steps"
                                                            : ", tolerances");
        if (name == NULL)
            return ln_no_memory(comparison->report);
        curves[n++] = (ln_plot_curve){.name = name,
                                      .x = x + first,
                                      .y = y + first,
                                      .count = (size_t)summary->rows,
                                      .style = LN_PLOT_LINES_POINTS,
                                      .colour = k + 1};
    }
    panel->curves = curves;
    panel->ncurves = n;
    return LINNET_OK;
}

linnet_status ln_compare_draw(const ln_comparison *comparison, const char *path) {
    double *error = LN_NEW(comparison->arena, double, comparison->nrows),
           *time = LN_NEW(comparison->arena, double, comparison->nrows),
           *work = LN_NEW(comparison->arena, double, comparison->nrows);
    if (error == NULL || time == NULL || work == NULL)
        return ln_no_memory(comparison->report);
    for (int r = 0; r < comparison->nrows; r++) {
        /* a gap */
        error[r] = can_be_drawn(&comparison->rows[r]) ? comparison->rows[r].largest : NAN;
        time[r] = comparison->rows[r].seconds;
        work[r] = (double)comparison->rows[r].work.evaluations;
    }
    ln_plot_panel panels[2] = {{.x = {.label = "time of the run", .unit = "s", .logarithmic = 1},
                                .y = {.label = "largest relative error", .logarithmic = 1}},
                               {.x = {.label = "evaluations", .logarithmic = 1},
                                .y = {.label = "largest relative error", .logarithmic = 1}}};
    LN_TRY(fill_panel(comparison, time, error, &panels[0]));
    LN_TRY(fill_panel(comparison, work, error, &panels[1]));
    const char *title =
        ln_arena_printf(comparison->arena, "%s: work and precision", comparison->model->name);
    ln_plot plot = {.title = title, .panels = panels, .npanels = 2};
    return ln_plot_draw(&plot, path, comparison->report);
}
