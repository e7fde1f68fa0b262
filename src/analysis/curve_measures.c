/* SPDX-License-Identifier: MIT */
/* The kinds of measures are those of runs: every measure gets its curve as points kept, and is
 * computed at the end. */
#include "analysis/curve_measures.h"

#include "analysis/measure_kind.h"
#include "base/sys.h"
#include "expression/ast.h"

#include <math.h>
#include <string.h>

/* ---- reading ---- */

static linnet_status wrong(const ln_measures *measures, const ln_measure *measure, const char *what,
                           const char *text) {
    return ln_fail(measures->report, LINNET_MODEL, measure->place, "measure %s: %s '%s'",
                   measure->result.name, what, text);
}

/* An attribute that is a number, with or without a unit; stays as it is where it is not given. */
static linnet_status read_number(const ln_measures *measures, const ln_measure *measure,
                                 const ln_element *element, const char *key, double *value) {
    ln_dimension dimension;
    const char *text = ln_attribute_of(element, key);
    if (text == NULL || ln_ast_literal(text, value, &dimension))
        return LINNET_OK;
    return wrong(measures, measure, "this is no number:", text);
}

static linnet_status read_options(const ln_measures *measures, ln_measure *measure,
                                  const ln_element *element) {
    const struct {
        const char *key;
        double *value;
    } numbers[] = {
        {"from", &measure->from},       {"to", &measure->to},       {"at", &measure->at},
        {"level", &measure->level},     {"low", &measure->low},     {"high", &measure->high},
        {"initial", &measure->initial}, {"final", &measure->final}, {"band", &measure->band}};
    double count = 1;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        LN_TRY(read_number(measures, measure, element, numbers[k].key, numbers[k].value));
    LN_TRY(read_number(measures, measure, element, "count", &count));
    measure->count = (int)count;
    const char *direction = ln_attribute_of(element, "direction"),
               *when = ln_attribute_of(element, "when");
    measure->direction = direction == NULL || strcmp(direction, "either") == 0 ? 0
                         : strcmp(direction, "falling") == 0                   ? -1
                                                                               : 1;
    measure->when = when != NULL ? ln_measure_index(measures, when) : -1;
    if (when != NULL && measure->when < 0)
        return wrong(measures, measure, "no measure before it is called", when);
    return LINNET_OK;
}

static const ln_measured_column *column_of(const ln_measured_curves *curves, const char *name,
                                           size_t length) {
    for (int k = 0; k < curves->ncolumns; k++)
        if (strlen(curves->columns[k].name) == length &&
            strncmp(curves->columns[k].name, name, length) == 0)
            return &curves->columns[k];
    return NULL;
}

/* The points of a signal: a column, or columns with signs between them. 0: one of them is not
 * there. */
static int sum_columns(const ln_measured_curves *curves, const char *signal, ln_measure *measure,
                       const char **unit) {
    const ln_measured_column *whole = column_of(curves, signal, strlen(signal));
    double sign = 1;
    for (int k = 0; k < curves->count; k++)
        measure->points[2 * k] = curves->x[k * curves->stride], measure->points[2 * k + 1] = 0;
    for (const char *at = signal; *at != '\0';) {
        const size_t length = whole != NULL ? strlen(signal) : strcspn(at, " ");
        const ln_measured_column *column = whole != NULL ? whole : column_of(curves, at, length);
        if (length == 1 && (*at == '-' || *at == '+'))
            sign = *at == '-' ? -1 : 1;
        else if (column == NULL)
            return 0;
        else {
            for (int k = 0; k < curves->count; k++)
                measure->points[2 * k + 1] += sign * column->values[k * column->stride];
            *unit = strchr(column->unit, ' ') == NULL ? column->unit
                                                      : ""; /* words: a number without a unit */
        }
        at += length;
        at += strspn(at, " ");
    }
    return 1;
}

static linnet_status read_signal(const ln_measures *measures, const ln_measured_curves *curves,
                                 ln_measure *measure, const ln_element *element) {
    const char *signal = ln_attribute_of(element, "signal"), *unit = "";
    if (signal == NULL || measure->kind->takes & LN_TAKES_CONDITION)
        return wrong(measures, measure, "of a curve there is no kind", measure->kind->name);
    measure->points = ln_sys->allocate((2 * (size_t)curves->count + 1) * sizeof *measure->points);
    if (measure->points == NULL)
        return ln_no_memory(measures->report);
    measure->npoints = 2 * (size_t)curves->count;
    if (!sum_columns(curves, signal, measure, &unit)) {
        measure->npoints = 0; /* it is not among what was asked for this time: no value */
        ln_note(measures->report, measure->place, "measure %s: '%s' is not among the results",
                measure->result.name, signal);
    }
    measure->waits = 1;
    const ln_measure_unit rule = measure->kind->unit;
    measure->result.unit = rule == LN_UNIT_SIGNAL ? unit : rule == LN_UNIT_TIME ? curves->unit : "";
    return LINNET_OK;
}

static linnet_status read_one(ln_measures *measures, const ln_measured_curves *curves,
                              const ln_element *element) {
    ln_measure *measure = &measures->items[measures->count];
    const char *kind = ln_attribute_of(element, "kind");
    *measure = ln_measure_of(ln_attribute_of(element, "name"), kind, ln_place_of(element));
    if (measure->kind == NULL)
        return wrong(measures, measure, "there is no kind", kind);
    if (measure->kind->takes & LN_TAKES_VALUE) {
        const char *unit = ln_attribute_of(element, "unit");
        measure->formula = ln_attribute_of(element, "value");
        if (measure->formula == NULL)
            return wrong(measures, measure, "there is no value to", kind);
        measure->result.unit = unit != NULL ? unit : "";
        LN_TRY(ln_measure_check(measures, measure));
    } else {
        LN_TRY(read_options(measures, measure, element));
        LN_TRY(read_signal(measures, curves, measure, element));
    }
    return ln_measure_keep(measures);
}

/* ---- the whole ---- */

static int is_meant(const ln_element *element, const char *analysis) {
    const char *of = ln_attribute_of(element, "analysis");
    return of != NULL && strcmp(of, analysis) == 0;
}

linnet_status ln_curve_measures_take(const ln_model *model, const ln_measured_curves *curves,
                                     ln_report *report, ln_measures **result) {
    int meant = 0;
    *result = NULL;
    for (int k = 0; k < model->nmeasures; k++)
        meant += is_meant(model->measures[k], curves->analysis);
    if (meant == 0 || curves->count == 0)
        return LINNET_OK;
    ln_arena *arena = ln_arena_new();
    ln_measures *measures = arena != NULL ? LN_NEW(arena, ln_measures, 1) : NULL;
    if (measures != NULL) {
        *measures = (ln_measures){.arena = arena, .report = report};
        measures->items = LN_NEW(arena, ln_measure, meant);
    }
    if (measures == NULL || measures->items == NULL) {
        ln_arena_free(arena);
        return ln_no_memory(report);
    }
    linnet_status status = LINNET_OK;
    for (int k = 0; k < model->nmeasures && status == LINNET_OK; k++)
        if (is_meant(model->measures[k], curves->analysis))
            status = read_one(measures, curves, model->measures[k]);
    if (status == LINNET_OK)
        ln_measures_finish(measures);
    if (status == LINNET_OK)
        *result = measures;
    else
        ln_measures_free(measures);
    return status;
}
