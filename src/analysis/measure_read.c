/* SPDX-License-Identifier: MIT */
/* From <measure> elements and texts to measures. Both become a list of arguments first, so that an
 * option of a measure has one reader and one message. */
#include "analysis/measure_kind.h"

#include "base/foreign.h"

#include "base/sys.h"
#include "base/text.h"
#include "base/visible.h"
#include "expression/dimension.h"
#include "model/model.h"
#include "model/scope.h"
#include "model/tree.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 24 };

/* What is said of one measure. */
typedef struct said {
    const char *name, *kind;
    const char *keys[MOST], *values[MOST];
    int count;
    ln_place place;
    int by_request; /* a text, not the model, is to blame */
} said;

static const char *find(const said *given, const char *key) {
    for (int k = 0; k < given->count; k++)
        if (strcmp(given->keys[k], key) == 0)
            return given->values[k];
    return NULL;
}

static linnet_status wrong(const said *given) {
    return given->by_request ? LINNET_USAGE : LINNET_MODEL;
}

/* ---- a text: NAME=KIND(SIGNAL, KEY=VALUE, ...) ---- */

static char *trimmed(ln_arena *arena, const char *from, const char *to) {
    while (from < to && (*from == ' ' || *from == '\t'))
        from++;
    while (to > from && (to[-1] == ' ' || to[-1] == '\t'))
        to--;
    return ln_arena_text(arena, from, (size_t)(to - from));
}

/* The end of an argument: a comma outside of brackets, or `end`. */
static const char *argument_end(const char *at, const char *end) {
    int depth = 0;
    for (; at < end; at++) {
        if (*at == '(' || *at == '[')
            depth++;
        if (*at == ')' || *at == ']')
            depth--;
        if (*at == ',' && depth == 0)
            break;
    }
    return at;
}

/* One of "KEY=VALUE" or, in front of all, the signal. 0 when memory is short, -1 when it is wrong.
 */
static int read_argument(ln_arena *arena, const char *from, const char *to, const char *subject,
                         said *given) {
    const char *equals = memchr(from, '=', (size_t)(to - from));
    if (given->count >= MOST || (equals == NULL) != (given->count == 0))
        return -1;
    given->keys[given->count] = equals != NULL ? trimmed(arena, from, equals) : subject;
    given->values[given->count] = trimmed(arena, equals != NULL ? equals + 1 : from, to);
    if (given->keys[given->count] == NULL || given->values[given->count] == NULL)
        return 0;
    return *given->values[given->count++] != '\0' ? 1 : -1;
}

/* What stands first in a text, and every measure needs. */
static const char *subject_of(const ln_measure_kind *kind) {
    return kind->takes & LN_TAKES_CONDITION ? "condition"
           : kind->takes & LN_TAKES_VALUE   ? "value"
                                            : "signal";
}

/* "NAME=KIND" or "KIND", before the parenthesis. 0: memory is short. */
static int read_head(ln_arena *arena, const char *text, const char *open, said *given) {
    const char *equals = memchr(text, '=', (size_t)(open - text));
    const char *name = equals != NULL ? trimmed(arena, text, equals) : given->name;
    given->name = name != NULL ? ln_visible_in(arena, name) : NULL; /* a column's */
    given->kind = trimmed(arena, equals != NULL ? equals + 1 : text, open);
    return given->name != NULL && given->kind != NULL;
}

/* The arguments between the parentheses. 0: memory is short; -1: one cannot be read. */
static int read_arguments(ln_arena *arena, const char *at, const char *end, said *given) {
    const ln_measure_kind *kind = ln_measure_kind_named(given->kind);
    const char *subject = kind != NULL ? subject_of(kind) : "signal";
    int got = 1;
    while (got > 0 && at < end) {
        const char *stop = argument_end(at, end);
        got = read_argument(arena, at, stop, subject, given);
        at = stop + 1;
    }
    return got;
}

/* NAME=KIND(SIGNAL, OPTION=VALUE ...), as an option of a command has it. */
static linnet_status read_text(ln_measures *measures, const char *text, const char *prefix,
                               said *given) {
    *given = (said){
        .by_request = 1,
        .name = text,
        .place = {ln_arena_printf(measures->arena, "option %smeasure %s", prefix, text), 0, 0}};
    const char *open = strchr(text, '('), *end = text + strlen(text);
    while (end > text && end[-1] == ' ')
        end--;
    const int is_call = open != NULL && end > open + 1 && end[-1] == ')';
    if (is_call && !read_head(measures->arena, text, open, given))
        return ln_no_memory(measures->report);
    const int got = is_call ? read_arguments(measures->arena, open + 1, end - 1, given) : -1;
    if (got == 0)
        return ln_no_memory(measures->report);
    if (got > 0 && given->count > 0 && *given->name != '\0' && *given->kind != '\0')
        return LINNET_OK;
    return ln_fail(measures->report, LINNET_USAGE, given->place,
                   "cannot read '%s'; write NAME=KIND(SIGNAL, OPTION=VALUE), "
                   "such as t_rise=rise-time(out, low=20%%)",
                   text);
}

static void read_element(const ln_element *element, said *given) {
    *given = (said){.place = ln_place_of(element)};
    for (int k = 0; k < element->nattributes && given->count < MOST; k++) {
        const char *key = element->attributes[k].name, *value = element->attributes[k].value;
        if (strcmp(key, "name") == 0)
            given->name = value;
        else if (strcmp(key, "kind") == 0)
            given->kind = value;
        else if (strcmp(key, "doc") != 0 && strcmp(key, "analysis") != 0) {
            given->keys[given->count] = key;
            given->values[given->count++] = value;
        }
    }
}

/* ---- its signal ---- */

/* The column of a name, of a recorded expression, or of an expression. */
static int find_column(ln_measures *measures, const said *given, const char *text) {
    ln_recorder *recorder = measures->recorder;
    const ln_model *model = measures->network->model;
    ln_quantity quantity;
    const char *nearest = NULL, *unit = NULL, *expression = NULL;
    int count;
    const ln_column *columns = ln_recorder_columns(recorder, &count);
    for (int k = 0; k < count; k++)
        if (strcmp(columns[k].name, text) == 0)
            return k;
    for (int k = 0; k < model->nrecords && expression == NULL; k++) {
        const char *name = ln_attribute_of(model->records[k], "name");
        if (name == NULL || strcmp(name, text) != 0)
            continue;
        expression = ln_attribute_of(model->records[k], "expression");
        unit = ln_attribute_of(model->records[k], "unit");
    }
    if (expression == NULL && !ln_network_find(measures->network, text, &quantity, &nearest) &&
        strpbrk(text, "+*/^(` ") != NULL)
        expression = text;
    if (expression != NULL &&
        ln_recorder_add_expression(recorder, text, expression, unit, given->place) != LINNET_OK)
        return -1;
    return ln_recorder_column(recorder, text, given->place);
}

static int find_condition(ln_measures *measures, const said *given, const char *text) {
    char *name = ln_arena_printf(measures->arena, "%s holds", text);
    if (name == NULL)
        return -1;
    int count;
    const ln_column *columns = ln_recorder_columns(measures->recorder, &count);
    for (int k = 0; k < count; k++)
        if (strcmp(columns[k].name, name) == 0)
            return k;
    if (ln_recorder_add_condition(measures->recorder, name, text, given->place) != LINNET_OK)
        return -1;
    return ln_recorder_column(measures->recorder, name, given->place);
}

static const char *unit_of(ln_measures *measures, ln_measure_unit rule, const char *signal) {
    if (rule == LN_UNIT_TIME)
        return "s";
    if (rule == LN_UNIT_RATE)
        return "Hz";
    if (rule == LN_UNIT_NONE)
        return "";
    if (rule == LN_UNIT_SIGNAL)
        return signal;
    double factor, one, offset;
    const char *nearest;
    char text[64];
    ln_dimension dimension, second;
    if (*signal == '\0' || !ln_unit_read(signal, &factor, &offset, &dimension, &nearest) ||
        !ln_unit_read("s", &one, &offset, &second, &nearest))
        return "s";
    if (factor != 1)
        return ln_arena_printf(measures->arena, "%s.s", signal);
    ln_dimension_text(ln_dimension_multiply(dimension, second), text);
    return ln_arena_string(measures->arena, text);
}

/* ---- its options ---- */

typedef struct measure_reader {
    ln_measures *measures;
    const said *said;
    ln_measure *measure;
    const char *unit;
} measure_reader;

static linnet_status read_number(const measure_reader *reader, const char *key, const char *unit,
                                 double least, double most, double *value) {
    const char *text = find(reader->said, key);
    if (text == NULL)
        return LINNET_OK;
    linnet_status status = ln_scope_value(reader->measures->network->scope, text,
                                          *unit != '\0' ? unit : "", reader->said->place, value);
    if (status != LINNET_OK)
        return status == LINNET_MEMORY ? status : wrong(reader->said);
    if (*value >= least && *value <= most)
        return LINNET_OK;
    return ln_fail(reader->measures->report, wrong(reader->said), reader->said->place,
                   "measure %s: %s is %s; it must be from %g to %g", reader->said->name, key, text,
                   least, most);
}

static linnet_status read_direction(const measure_reader *reader) {
    const char *text = find(reader->said, "direction");
    if (text == NULL)
        return LINNET_OK;
    if (strcmp(text, "rising") == 0)
        reader->measure->direction = 1;
    else if (strcmp(text, "falling") == 0)
        reader->measure->direction = -1;
    else if (strcmp(text, "either") == 0)
        reader->measure->direction = 0;
    else
        return ln_fail(reader->measures->report, wrong(reader->said), reader->said->place,
                       "measure %s: direction is '%s'; it must be "
                       "rising, falling or either",
                       reader->said->name, text);
    return LINNET_OK;
}

/* Every option is one that the kind takes. */
static linnet_status check_keys(const measure_reader *reader) {
    static const struct {
        const char *key;
        unsigned takes;
    } keys[] = {{"signal", 0},
                {"condition", LN_TAKES_CONDITION},
                {"value", LN_TAKES_VALUE},
                {"unit", LN_TAKES_VALUE},
                {"from", 0},
                {"to", 0},
                {"at", LN_TAKES_AT},
                {"when", LN_TAKES_AT},
                {"level", LN_TAKES_LEVEL},
                {"direction", LN_TAKES_DIRECTION},
                {"count", LN_TAKES_COUNT},
                {"low", LN_TAKES_LOW_HIGH},
                {"high", LN_TAKES_LOW_HIGH},
                {"initial", LN_TAKES_ENDS},
                {"final", LN_TAKES_ENDS},
                {"band", LN_TAKES_BAND}};
    enum { KEYS = sizeof keys / sizeof *keys };
    const unsigned takes = reader->measure->kind->takes;
    for (int k = 0; k < reader->said->count; k++) {
        const char *names[KEYS];
        int known = 0;
        for (int i = 0; i < KEYS; i++) {
            int taken = keys[i].takes == 0
                            ? !(takes & LN_TAKES_VALUE) && (i > 0 || !(takes & LN_TAKES_CONDITION))
                            : (takes & keys[i].takes) != 0;
            names[i] = taken ? keys[i].key : NULL;
            if (taken && strcmp(keys[i].key, reader->said->keys[k]) == 0)
                known = 1;
        }
        if (known)
            continue;
        const char *nearest = ln_nearest(reader->said->keys[k], names, KEYS);
        return ln_fail(reader->measures->report, wrong(reader->said), reader->said->place,
                       "measure %s: the kind %s takes no '%s'%s%s%s", reader->said->name,
                       reader->measure->kind->name, reader->said->keys[k],
                       nearest ? "; did you mean '" : "", nearest ? nearest : "",
                       nearest ? "'?" : "");
    }
    return LINNET_OK;
}

/* A number that a measure may be given. */
typedef struct number_option {
    const char *key, *unit;
    double low, high;
    double *value;
} number_option;

static linnet_status read_numbers(const measure_reader *reader, double *count) {
    ln_measure *m = reader->measure;
    const double all = INFINITY;
    const number_option options[] = {{"from", "s", -all, all, &m->from},
                                     {"to", "s", -all, all, &m->to},
                                     {"at", "s", -all, all, &m->at},
                                     {"level", reader->unit, -all, all, &m->level},
                                     {"initial", reader->unit, -all, all, &m->initial},
                                     {"final", reader->unit, -all, all, &m->final},
                                     {"low", "", 0, 1, &m->low},
                                     {"high", "", 0, 1, &m->high},
                                     {"band", "", 1e-12, 1, &m->band},
                                     {"count", "", -1, 1e9, count}};
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        LN_TRY(read_number(reader, options[k].key, options[k].unit, options[k].low, options[k].high,
                           options[k].value));
    return LINNET_OK;
}

/* The key that the kind needs and that is not given; NULL: all are. */
static const char *lacking(const ln_measure *measure) {
    if ((measure->kind->takes & LN_TAKES_AT) && isnan(measure->at) && measure->when < 0)
        return "at";
    return (measure->kind->takes & LN_TAKES_COUNT) && isnan(measure->level) ? "level" : NULL;
}

/* What does not fit together in the options; NULL: all does. */
static const char *contradiction(const ln_measure *measure, double count,
                                 const ln_settings *settings) {
    const int is_outside = settings->end > settings->begin &&
                           (measure->from >= settings->end || measure->to <= settings->begin ||
                            measure->at > settings->end || measure->at < settings->begin);
    if (measure->low >= measure->high)
        return "low must be below high";
    if (count != floor(count) || count == 0)
        return "count must be a whole number from 1 on, or -1";
    if (is_outside)
        return "its time lies outside of the run";
    return measure->from >= measure->to ? "its window is empty: from must be before to" : NULL;
}

static linnet_status read_options(const measure_reader *reader) {
    ln_measure *measure = reader->measure;
    double count = 1;
    LN_TRY(read_numbers(reader, &count));
    LN_TRY(read_direction(reader));
    measure->count = (int)count;
    const char *lacks = lacking(measure),
               *wrong_with = contradiction(measure, count, reader->measures->settings);
    if (lacks != NULL)
        return ln_fail(reader->measures->report, wrong(reader->said), reader->said->place,
                       "measure %s: the kind %s needs '%s'", reader->said->name,
                       measure->kind->name, lacks);
    if (wrong_with != NULL)
        return ln_fail(reader->measures->report, wrong(reader->said), reader->said->place,
                       "measure %s: %s", reader->said->name, wrong_with);
    return LINNET_OK;
}

/* ---- the whole ---- */

static linnet_status refuse_kind(const ln_measures *measures, const said *given) {
    const char *names[64];
    size_t count = 0;
    while (count < 64 && ln_measure_kinds[count].name != NULL) {
        names[count] = ln_measure_kinds[count].name;
        count++;
    }
    const char *nearest = ln_foreign_word(LN_FOREIGN_MEASURE, given->kind);
    if (nearest == NULL)
        nearest = ln_nearest(given->kind, names, count);
    if (nearest != NULL)
        return ln_fail(measures->report, wrong(given), given->place,
                       "measure %s: there is no kind '%s'; did you mean '%s'?", given->name,
                       given->kind, nearest);
    return ln_fail(measures->report, wrong(given), given->place,
                   "measure %s: there is no kind '%s'; 'linnet sweep --help' lists them",
                   given->name, given->kind);
}

static linnet_status read_formula(ln_measures *measures, const said *given, ln_measure *measure,
                                  const char *formula) {
    const char *unit = find(given, "unit");
    measure->formula = formula;
    measure->result.unit = unit != NULL ? unit : "";
    measure->column = -1;
    linnet_status status = ln_measure_check(measures, measure);
    if (status != LINNET_OK)
        return status == LINNET_MEMORY ? status : wrong(given);
    return ln_measure_keep(measures);
}

/* when="t1": the value is taken at the time that the measure t1 finds. */
static linnet_status read_when(ln_measures *measures, const said *given, ln_measure *measure) {
    const char *name = find(given, "when");
    if (name == NULL)
        return LINNET_OK;
    measure->when = ln_measure_index(measures, name);
    if (measure->when >= 0 && strcmp(measures->items[measure->when].result.unit, "s") == 0 &&
        find(given, "at") == NULL)
        return LINNET_OK;
    return ln_fail(measures->report, wrong(given), given->place,
                   "measure %s: when is '%s'; it must name a measure before this one that "
                   "gives a time, without 'at'",
                   given->name, name);
}

/* Does it need what only the whole run gives: a final value, a level, another measure? */
static int waits(const ln_measure *measure) {
    const ln_measure_kind *kind = measure->kind;
    const int needs_final =
        (kind->takes & LN_TAKES_ENDS) && kind->take != NULL && isnan(measure->final);
    return needs_final || measure->when >= 0 ||
           ((kind->takes & LN_TAKES_LEVEL) && isnan(measure->level));
}

static linnet_status read_measure(ln_measures *measures, const said *given) {
    ln_measure *measure = &measures->items[measures->count];
    *measure = ln_measure_of(given->name, given->kind, given->place);
    if (measure->kind == NULL)
        return refuse_kind(measures, given);
    if (ln_measure_index(measures, given->name) >= 0)
        return ln_fail(measures->report, wrong(given), given->place,
                       "measure %s: there are two of the name; take another", given->name);
    const int condition = (measure->kind->takes & LN_TAKES_CONDITION) != 0;
    const char *key = subject_of(measure->kind), *subject = find(given, key), *unit = "";
    measure_reader options = {measures, given, measure, ""};
    LN_TRY(check_keys(&options));
    if (subject == NULL)
        return ln_fail(measures->report, wrong(given), given->place,
                       "measure %s: the kind %s needs '%s'", given->name, given->kind, key);
    if (measure->kind->takes & LN_TAKES_VALUE)
        return read_formula(measures, given, measure, subject);
    LN_TRY(read_when(measures, given, measure));
    measure->column = condition ? find_condition(measures, given, subject)
                                : find_column(measures, given, subject);
    if (measure->column < 0)
        return ln_report_status(measures->report, wrong(given));
    int count;
    if (!condition)
        unit = ln_recorder_columns(measures->recorder, &count)[measure->column].unit;
    options.unit = unit;
    measure->result.unit = unit_of(measures, measure->kind->unit, unit);
    if (measure->result.unit == NULL)
        return ln_no_memory(measures->report);
    measure->direction =
        (measure->kind->takes & LN_TAKES_COUNT) || measure->kind->unit == LN_UNIT_NONE ? 0 : 1;
    LN_TRY(read_options(&options));
    measure->waits = waits(measure);
    return ln_measure_keep(measures);
}

/* Others are measures of curves (curve_measures.h). */
static int is_of_run(const ln_element *element) {
    const char *analysis = ln_attribute_of(element, "analysis");
    return analysis == NULL || strcmp(analysis, "simulation") == 0;
}

static linnet_status read_all(ln_measures *measures, const ln_request *request) {
    const ln_model *model = measures->network->model;
    const char *prefix = request->prefix != NULL ? request->prefix : "";
    linnet_status status = LINNET_OK;
    for (int k = 0; k < model->nmeasures + request->nmeasures; k++) {
        said given;
        linnet_status one = LINNET_OK;
        if (k < model->nmeasures && !is_of_run(model->measures[k]))
            continue;
        if (k < model->nmeasures)
            read_element(model->measures[k], &given);
        else
            one = read_text(measures, request->measures[k - model->nmeasures], prefix, &given);
        if (one == LINNET_OK)
            one = read_measure(measures, &given);
        if (one == LINNET_MEMORY)
            return one;
        if (status == LINNET_OK)
            status = one;
    }
    return status;
}

linnet_status ln_measures_new(ln_network *network, const ln_settings *settings,
                              const ln_request *request, ln_report *report, ln_measures **result) {
    *result = NULL;
    int count = request->nmeasures;
    for (int k = 0; k < network->model->nmeasures; k++)
        count += is_of_run(network->model->measures[k]);
    if (count == 0)
        return LINNET_OK;
    ln_arena *arena = ln_arena_new();
    ln_measures *measures = arena != NULL ? LN_NEW(arena, ln_measures, 1) : NULL;
    if (measures != NULL) {
        *measures = (ln_measures){
            .arena = arena, .report = report, .network = network, .settings = settings};
        measures->items = LN_NEW(arena, ln_measure, count);
        measures->recorder = ln_recorder_new(network, report);
    }
    if (measures == NULL || measures->items == NULL || measures->recorder == NULL) {
        if (measures != NULL)
            ln_measures_free(measures);
        else
            ln_arena_free(arena);
        return ln_no_memory(report);
    }
    linnet_status status = read_all(measures, request);
    if (status == LINNET_OK)
        *result = measures;
    else
        ln_measures_free(measures);
    return status;
}
