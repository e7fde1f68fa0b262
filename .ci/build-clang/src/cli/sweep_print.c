/* SPDX-License-Identifier: MIT */
/* Mean, standard deviation (of a sample: n - 1), extremes and their cases. What does not exist is
 * '-' or null. */
#include "cli/sweep_print.h"

#include "result/document.h"
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

static void member(ln_text *text, const char *name, double value) {
    ln_text_printf(text, ", \"%s\": ", name);
    ln_json_number(text, value);
}

void ln_sweep_json(const ln_sweep *sweep, const ln_sweep_statistics *statistics, ln_text *text) {
    ln_text_add(text, "{\"model\": ");
    ln_json_text(text, sweep->model->name);
    ln_text_printf(text, ", \"cases\": %ld, \"done\": %ld, \"failed\": %ld, \"measures\": [",
                   sweep->axes.cases, statistics->cases, statistics->failed);
    for (int i = 0; i < sweep->nmeasures; i++) {
        const ln_spread *spread = &statistics->spreads[i];
        int some = spread->n > 0;
        ln_text_add(text, i > 0 ? ",\n  {\"name\": " : "\n  {\"name\": ");
        ln_json_text(text, sweep->measures[i].name);
        ln_text_add(text, ", \"unit\": ");
        ln_json_text(text, sweep->measures[i].unit);
        ln_text_printf(text, ", \"n\": %ld", spread->n);
        member(text, "mean", some ? spread->mean : NAN);
        member(text, "std", deviation(spread));
        member(text, "min", some ? spread->least : NAN);
        member(text, "min_case", some ? (double)spread->least_case : NAN);
        member(text, "max", some ? spread->most : NAN);
        member(text, "max_case", some ? (double)spread->most_case : NAN);
        ln_text_add(text, "}");
    }
    ln_text_add(text, "]}\n");
}
