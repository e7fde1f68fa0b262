/* SPDX-License-Identifier: MIT */
/* Mean, standard deviation (of a sample: n - 1), extremes and their cases. What does not exist is
 * '-' or null. */
#include "cli/sweep_print.h"

#include "base/text.h"
#include "result/document.h"
#include "model/model.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 7, CELL = 40 };

static double deviation(const ln_spread *spread) {
    return spread->n > 1 ? sqrt(spread->squares / (double)(spread->n - 1)) : NAN;
}

static void number(char cell[CELL], double value) {
    if (isfinite(value))
        snprintf(cell, CELL, "%.6g", value);
    else
        snprintf(cell, CELL, "-");
}

/* The cells of a measure, behind its name. */
static void fill(const ln_spread *spread, char cells[COLUMNS][CELL]) {
    char value[CELL];
    snprintf(cells[0], CELL, "%ld", spread->n);
    number(cells[1], spread->n > 0 ? spread->mean : NAN);
    number(cells[2], deviation(spread));
    number(value, spread->n > 0 ? spread->least : NAN);
    snprintf(cells[3], CELL, "%s", value);
    snprintf(cells[4], CELL, spread->n > 0 ? "%ld" : "-", spread->least_case);
    number(value, spread->n > 0 ? spread->most : NAN);
    snprintf(cells[5], CELL, "%s", value);
    snprintf(cells[6], CELL, spread->n > 0 ? "%ld" : "-", spread->most_case);
}

void ln_sweep_text(const ln_sweep *sweep, const ln_sweep_statistics *statistics, ln_arena *arena,
                   ln_text *text) {
    static const char *const titles[COLUMNS] = {"n",       "mean", "std",    "min",
                                                "in case", "max",  "in case"};
    int width[COLUMNS], first = (int)strlen("measure");
    char(*cells)[COLUMNS][CELL] = ln_arena_alloc(arena, (size_t)sweep->nmeasures, sizeof *cells);
    ln_text_printf(text, "%s: %ld of %ld cases, %ld failed\n", sweep->model->name,
                   statistics->cases, sweep->axes.cases, statistics->failed);
    if (cells == NULL || sweep->nmeasures == 0)
        return;
    for (int k = 0; k < COLUMNS; k++)
        width[k] = (int)strlen(titles[k]);
    for (int i = 0; i < sweep->nmeasures; i++) {
        int length = (int)(strlen(sweep->measures[i].name) + strlen(sweep->measures[i].unit)) + 3;
        if (length > first)
            first = length;
        fill(&statistics->spreads[i], cells[i]);
        for (int k = 0; k < COLUMNS; k++)
            if ((int)strlen(cells[i][k]) > width[k])
                width[k] = (int)strlen(cells[i][k]);
    }
    ln_text_printf(text, "  %-*s", first, "measure");
    for (int k = 0; k < COLUMNS; k++)
        ln_text_printf(text, "  %*s", width[k], titles[k]);
    for (int i = 0; i < sweep->nmeasures; i++) {
        const ln_measured *measured = &sweep->measures[i];
        int used = (int)(strlen(measured->name) +
                         (*measured->unit != '\0' ? strlen(measured->unit) + 3 : 0));
        ln_text_printf(text, "\n  %s%s%s%s%*s", measured->name, *measured->unit != '\0' ? " [" : "",
                       measured->unit, *measured->unit != '\0' ? "]" : "", first - used, "");
        for (int k = 0; k < COLUMNS; k++)
            ln_text_printf(text, "  %*s", width[k], cells[i][k]);
    }
    ln_text_add(text, "\n");
}

static void put_spread(const ln_sweep *sweep, int i, const ln_spread *spread, ln_json *json) {
    const int some = spread->n > 0;
    ln_json_begin(json, NULL, LN_JSON_OBJECT);
    ln_json_text(json, "name", sweep->measures[i].name);
    ln_json_text(json, "unit", sweep->measures[i].unit);
    ln_json_integer(json, "n", spread->n);
    ln_json_number(json, "mean", some ? spread->mean : NAN);
    ln_json_number(json, "std", deviation(spread));
    ln_json_number(json, "min", some ? spread->least : NAN);
    ln_json_number(json, "min_case", some ? (double)spread->least_case : NAN);
    ln_json_number(json, "max", some ? spread->most : NAN);
    ln_json_number(json, "max_case", some ? (double)spread->most_case : NAN);
    ln_json_end(json);
}

void ln_sweep_json(const ln_sweep *sweep, const ln_sweep_statistics *statistics, ln_text *text) {
    ln_json json = {.out = text};
    ln_json_head(&json, sweep->model->name, sweep->model->origin);
    ln_json_integer(&json, "cases", sweep->axes.cases);
    ln_json_integer(&json, "done", statistics->cases);
    ln_json_integer(&json, "failed", statistics->failed);
    ln_json_begin(&json, "measures", LN_JSON_LIST_LINES);
    for (int i = 0; i < sweep->nmeasures; i++)
        put_spread(sweep, i, &statistics->spreads[i], &json);
    ln_json_end(&json);
    ln_json_finish(&json);
}
