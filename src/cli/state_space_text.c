/* SPDX-License-Identifier: MIT */
#include "cli/state_space_text.h"

#include "base/visible.h"

#include "result/document.h"
#include "result/matfile.h"
#include "model/model.h"
#include <stdio.h>
#include <string.h>

/* A matrix and what its rows and columns are. */
typedef struct matrix_view {
    const char *name;
    const double *values; /* column by column */
    const ln_state_label *rows, *cols;
    int nrows, ncols;
} matrix_view;

enum { MATRICES = 5 };

/* E first when there is one; returns how many. */
static int list_matrices(const ln_state_space *space, matrix_view views[MATRICES]) {
    const matrix_view all[MATRICES] = {
        {"E", space->E, space->states, space->states, space->n, space->n},
        {"A", space->A, space->states, space->states, space->n, space->n},
        {"B", space->B, space->states, space->inputs, space->n, space->ninputs},
        {"C", space->C, space->outputs, space->states, space->noutputs, space->n},
        {"D", space->D, space->outputs, space->inputs, space->noutputs, space->ninputs}};
    int first = space->E == NULL, count = MATRICES - first;
    memcpy(views, all + first, (size_t)count * sizeof *views);
    return count;
}

static double entry(const matrix_view *view, int row, int col) {
    return view->values[(size_t)col * (size_t)view->nrows + (size_t)row];
}

/* ---- text ---- */

static void put_labels(const char *title, const ln_state_label *labels, int count, ln_text *text) {
    ln_text_printf(text, "%-8s", title);
    for (int k = 0; k < count; k++)
        ln_text_printf(text, "%s%s%s%s%s", k > 0 ? ", " : "", labels[k].name,
                       labels[k].unit[0] != '\0' ? " [" : "", labels[k].unit,
                       labels[k].unit[0] != '\0' ? "]" : "");
    ln_text_add(text, "\n");
}

static void put_matrix(const matrix_view *view, ln_text *text) {
    size_t name = 0;
    for (int i = 0; i < view->nrows; i++)
        if (strlen(view->rows[i].name) > name)
            name = strlen(view->rows[i].name);
    ln_text_printf(text, "\n%-*s", (int)name + 4, view->name);
    for (int j = 0; j < view->ncols; j++)
        ln_text_printf(text, "  %14s", view->cols[j].name);
    ln_text_add(text, "\n");
    for (int i = 0; i < view->nrows; i++) {
        ln_text_printf(text, "    %-*s", (int)name, view->rows[i].name);
        for (int j = 0; j < view->ncols; j++)
            ln_text_printf(text, "  %14.8g", entry(view, i, j) + 0.0);
        ln_text_add(text, "\n");
    }
}

void ln_state_space_text(const ln_linear_point *point, const ln_state_space *space, ln_text *text) {
    matrix_view views[MATRICES];
    char where[96], delays[96];
    int count = list_matrices(space, views);
    ln_linear_point_text(point, where);
    ln_text_printf(text, "%s %s: %s, y = C x + D u\n",
                   point->model->path != NULL
                       ? ln_visible_in(point->model->arena, point->model->path)
                       : point->model->name,
                   where,
                   space->period > 0  ? "x[k+1] = A x[k] + B u[k]"
                   : space->E != NULL ? "E x' = A x + B u"
                                      : "x' = A x + B u");
    if (space->period > 0)
        ln_text_printf(
            text,
            "period %.9g s: x just before its first ticks, y just after them, u held throughout\n",
            space->period);
    ln_linear_point_delays(space->delays, space->pade_order, delays);
    ln_text_add(text, delays);
    put_labels("states", space->states, space->n, text);
    put_labels("inputs", space->inputs, space->ninputs, text);
    put_labels("outputs", space->outputs, space->noutputs, text);
    for (int k = 0; k < count; k++)
        put_matrix(&views[k], text);
}

/* ---- JSON ---- */

static void json_labels(const char *name, const ln_state_label *labels, int count, int values,
                        ln_json *json) {
    ln_json_begin(json, name, LN_JSON_LIST);
    for (int k = 0; k < count; k++) {
        ln_json_begin(json, NULL, LN_JSON_OBJECT);
        ln_json_text(json, "name", labels[k].name);
        ln_json_text(json, "unit", labels[k].unit);
        if (values)
            ln_json_number(json, "value", labels[k].value);
        ln_json_end(json);
    }
    ln_json_end(json);
}

static void json_matrix(const matrix_view *view, ln_json *json) {
    ln_json_begin(json, view->name, LN_JSON_LIST_LINES);
    for (int i = 0; i < view->nrows; i++) {
        ln_json_begin(json, NULL, LN_JSON_LIST);
        for (int j = 0; j < view->ncols; j++)
            ln_json_number(json, NULL, entry(view, i, j) + 0.0);
        ln_json_end(json);
    }
    ln_json_end(json);
}

void ln_state_space_json(const ln_linear_point *point, const ln_state_space *space, ln_text *text) {
    matrix_view views[MATRICES];
    const int count = list_matrices(space, views);
    ln_json json = {.out = text};
    ln_json_head(&json, point->model->name, point->model->origin);
    ln_json_flag(&json, "operating_point", point->small.at_rest);
    ln_json_number(&json, "time", point->small.at.side.t);
    ln_json_integer(&json, "pade_order", space->delays > 0 ? space->pade_order : 0);
    ln_json_number(&json, "period", space->period);
    json_labels("states", space->states, space->n, 1, &json);
    json_labels("inputs", space->inputs, space->ninputs, 0, &json);
    json_labels("outputs", space->outputs, space->noutputs, 1, &json);
    for (int k = 0; k < count; k++)
        json_matrix(&views[k], &json);
    ln_json_finish(&json);
}

/* ---- CSV and MATLAB ---- */

void ln_state_space_csv(const ln_state_space *space, ln_text *text) {
    matrix_view views[MATRICES];
    int count = list_matrices(space, views);
    ln_text_add(text, "matrix,row,column,value\n");
    for (int k = 0; k < count; k++)
        for (int i = 0; i < views[k].nrows; i++)
            for (int j = 0; j < views[k].ncols; j++) {
                ln_text_printf(text, "%s,", views[k].name);
                ln_csv_text(text, views[k].rows[i].name);
                ln_text_add(text, ",");
                ln_csv_text(text, views[k].cols[j].name);
                ln_text_add(text, ",");
                ln_csv_number(text, entry(&views[k], i, j) + 0.0);
                ln_text_add(text, "\n");
            }
}

linnet_status ln_state_space_mat(const ln_state_space *space, const char *path, ln_report *report) {
    matrix_view views[MATRICES];
    ln_mat_item items[MATRICES + 7];
    int count = list_matrices(space, views), n = 0;
    const struct {
        const char *names, *units;
        const ln_state_label *labels;
        int count;
    } lists[] = {{"states", "state_units", space->states, space->n},
                 {"inputs", "input_units", space->inputs, space->ninputs},
                 {"outputs", "output_units", space->outputs, space->noutputs}};
    for (int k = 0; k < count; k++)
        items[n++] = (ln_mat_item){.name = views[k].name,
                                   .rows = views[k].nrows,
                                   .cols = views[k].ncols,
                                   .values = views[k].values};
    for (int k = 0; k < 3; k++) {
        const char **names = LN_NEW(space->arena, const char *, lists[k].count),
                   **units = LN_NEW(space->arena, const char *, lists[k].count);
        if (names == NULL || units == NULL)
            return ln_no_memory(report);
        for (int i = 0; i < lists[k].count; i++) {
            names[i] = lists[k].labels[i].name;
            units[i] = lists[k].labels[i].unit;
        }
        items[n++] = (ln_mat_item){
            .name = lists[k].names, .rows = lists[k].count, .cols = 1, .texts = names};
        items[n++] = (ln_mat_item){
            .name = lists[k].units, .rows = lists[k].count, .cols = 1, .texts = units};
    }
    items[n++] = (ln_mat_item){.name = "period", .rows = 1, .cols = 1, .values = &space->period};
    return ln_matfile_write(path, items, n, report);
}
