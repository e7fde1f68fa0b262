/* SPDX-License-Identifier: MIT */
/* From <simulation> and a request to ln_settings. Each value has one source (the request before the
 * model), is read with its unit and checked alone; then the rules choose what nobody said, and what
 * does not go together is refused. */
#include "analysis/settings.h"

#include "base/foreign.h"
#include "base/text.h"
#include "model/model.h"
#include "model/scope.h"
#include "model/tree.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double default_tolerance = 1e-4;

/* What is being filled, and what went wrong so far. */
typedef struct making {
    const ln_network *network;
    const ln_request *request;
    ln_report *report;
    linnet_status status; /* the first failure */
} making;

/* One value and who says it. */
typedef struct said {
    const char *name, *text; /* text NULL: nobody */
    int by_request;
    ln_place place;
} said;

static said find(const making *maker, const char *name, const char *requested) {
    const ln_element *simulation = maker->network->model->simulation;
    said value = {.name = name, .place = LN_NOWHERE};
    if (requested != NULL) {
        value.text = requested;
        value.by_request = 1;
    } else if (simulation != NULL) {
        value.text = ln_attribute_of(simulation, name);
        value.place = ln_place_of(simulation);
    }
    return value;
}

static void blame(making *maker, const said *value) {
    if (maker->status == LINNET_OK)
        maker->status = value->by_request ? LINNET_USAGE : LINNET_MODEL;
}

/* "option --step" or "simulation: step", for messages. */
static const char *title(const making *maker, const said *value, char buffer[64]) {
    const char *prefix = maker->request->prefix != NULL ? maker->request->prefix : "";
    snprintf(buffer, 64, value->by_request ? "option %s%s" : "simulation: %s%s",
             value->by_request ? prefix : "", value->name);
    return buffer;
}

/* Reads a number in `unit`; `allowed` says in words what it must be, low < value < high. 0 if
 * nobody says it or it is wrong. */
static double number(making *maker, const said *value, const char *unit, double low, double high,
                     const char *allowed) {
    if (value->text == NULL)
        return 0;
    char name[64];
    double result = 0;
    ln_place place = value->place;
    if (value->by_request)
        place.file = title(maker, value, name);
    linnet_status status = ln_scope_value(maker->network->scope, value->text, unit, place, &result);
    if (status == LINNET_MEMORY)
        maker->status = status;
    if (status != LINNET_OK) {
        blame(maker, value);
        return 0;
    }
    if (result > low && result < high)
        return result;
    ln_error(maker->report, value->place, "%s is %s; it must be %s", title(maker, value, name),
             value->text, allowed);
    blame(maker, value);
    return 0;
}

/* ---- method ---- */

enum { ANY, FIXED, ADAPTIVE };

static int can(const ln_method *method, int what) {
    return what == ANY || (what == ADAPTIVE ? method->steps != LN_STEPS_FIXED
                                            : method->steps != LN_STEPS_ADAPTIVE);
}

/* "backward-euler, radau5 or rk45" */
static void list_methods(int what, ln_text *text) {
    int last = -1;
    for (int k = 0; ln_method_at(k) != NULL; k++)
        if (can(ln_method_at(k), what))
            last = k;
    for (int k = 0, first = 1; k <= last; k++) {
        if (!can(ln_method_at(k), what))
            continue;
        ln_text_printf(text, "%s%s", first ? "" : k == last ? " or " : ", ", ln_method_at(k)->name);
        first = 0;
    }
}

static void refuse_method(making *maker, const said *value, const char *what, int alternatives) {
    char name[64];
    ln_text list = {0};
    list_methods(alternatives, &list);
    ln_error(maker->report, value->place, "%s: '%s' %s %s", title(maker, value, name), value->text,
             what, list.data != NULL ? list.data : "");
    ln_text_free(&list);
    blame(maker, value);
}

const char *ln_method_meant(const char *name) {
    const char *names[64], *foreign = ln_foreign_word(LN_FOREIGN_METHOD, name);
    int count = 0;
    while (count < 64 && ln_method_at(count) != NULL) {
        names[count] = ln_method_at(count)->name;
        count++;
    }
    return foreign != NULL ? foreign : ln_nearest(name, names, (size_t)count);
}

static const ln_method *named_method(making *maker, const said *value) {
    const ln_method *method = ln_method_find(value->text);
    if (method != NULL)
        return method;
    const char *nearest = ln_method_meant(value->text);
    char what[128];
    snprintf(what, sizeof what,
             nearest != NULL ? "is no method; did you mean '%s'? Known are" : "is no method; take",
             nearest != NULL ? nearest : "");
    refuse_method(maker, value, what, ANY);
    return NULL;
}

/* From this tolerance on, circuits of semiconductors get tr-bdf2. For an error of 1e-2 it takes
 * half of radau5's work on inverters, diodes and rectifiers, for one of 1e-3 as much or more
 * (measured: doc/architecture.md). */
static const double LOOSE = 5e-3;

static int has_semiconductors(const ln_network *network) {
    for (int k = 0; k < network->ninstances; k++)
        if (network->instances[k].block.type->limit != NULL)
            return 1;
    return 0;
}

/* Linear networks of at least so many unknowns in which nodes alone store (resistors and
 * capacitors, heat, liquids) do not ring: their steps are as many by either method, and tr-bdf2's
 * take half the work. Below, what a step costs beside its solutions hides that. */
enum { MANY_UNKNOWNS = 20 };

/* Does the type add nothing but constant terms, and store by its potentials alone? */
static int stores_at_nodes(const linnet_block_class *type) {
    if (type->eval != NULL || type->nmemories > 0)
        return 0;
    for (int k = 0; k < type->nentries; k++)
        if (type->entries[k].kind == LINNET_E &&
            (type->entries[k].row >= type->nports || type->entries[k].col >= type->nports))
            return 0;
    return 1;
}

static int only_nodes_store(const ln_network *network) {
    if (network->n < MANY_UNKNOWNS || network->only_signals)
        return 0;
    for (int k = 0; k < network->ninstances; k++)
        if (!stores_at_nodes(network->instances[k].block.type))
            return 0;
    return 1;
}

static const char *method_for(const ln_network *network, double tolerance, const char **why) {
    *why = tolerance > 0           ? "default for a tolerance"
           : network->only_signals ? "default for a block diagram at a fixed step"
                                   : "default for a physical network at a fixed step";
    if (tolerance >= LOOSE && has_semiconductors(network)) {
        *why = "default for semiconductors at a loose tolerance";
        return "tr-bdf2";
    }
    if (tolerance >= LOOSE && only_nodes_store(network)) {
        *why = "default for a network whose nodes alone store, at a loose tolerance";
        return "tr-bdf2";
    }
    return tolerance > 0 ? "radau5" : network->only_signals ? "rk4" : "crank-nicolson";
}

/* The method asked for, or the one of the rule: at a fixed step a diagram explicit, anything
 * physical implicit; a tolerance is kept by radau5, for nobody knows beforehand whether a diagram
 * is stiff, and an explicit method on a stiff one never ends (measured: doc/stiff.md). */
static void choose_method(making *maker, const said *value, ln_settings *settings,
                          const char **why) {
    int adaptive = settings->tolerance > 0;
    if (value->text == NULL) {
        settings->method = ln_method_find(method_for(maker->network, settings->tolerance, why));
        return;
    }
    *why = value->by_request ? "as asked for" : "as the model says";
    settings->method = named_method(maker, value);
    if (settings->method == NULL)
        return;
    if (adaptive && !can(settings->method, ADAPTIVE))
        refuse_method(maker, value,
                      settings->step > 0
                          ? "cannot keep a tolerance; leave the tolerance out, or take"
                          : "needs a fixed step; give a step, or take",
                      ADAPTIVE);
    else if (!adaptive && !can(settings->method, FIXED))
        refuse_method(maker, value,
                      "chooses its own steps; give a tolerance beside the step, or take", FIXED);
}

/* ---- the whole ---- */

static void read_stepping(making *maker, ln_settings *settings) {
    const ln_request *request = maker->request;
    said step = find(maker, "step", request->step),
         tolerance = find(maker, "tolerance", request->tolerance);
    if (request->step != NULL || request->tolerance != NULL) {
        if (request->step == NULL)
            step.text = NULL;
        if (request->tolerance == NULL)
            tolerance.text = NULL;
    }
    settings->step = number(maker, &step, "s", 0, INFINITY, "a time above 0");
    settings->tolerance = number(maker, &tolerance, "", 0, 1, "a number above 0 and below 1");
    if (step.text == NULL && tolerance.text == NULL)
        settings->tolerance = default_tolerance;
    double span = settings->end - settings->begin;
    if (settings->step > span * (1 + 1e-9) && !(settings->tolerance > 0))
        ln_warn(maker->report, step.place,
                "the step of %g s is longer than the run of %g s: one step of %g s is taken",
                settings->step, span, span);
    if (settings->tolerance > 0 || !(settings->step > 0) || span / settings->step <= LN_MOST_STEPS)
        return;
    char name[64];
    ln_error(maker->report, step.place,
             "%s is %s: that makes %.3g steps, more than %.0e; take a longer step or a "
             "shorter duration",
             title(maker, &step, name), step.text, span / settings->step, LN_MOST_STEPS);
    blame(maker, &step);
}

/* Who says what is recorded: the request before the model, be it by interval or by points. */
static said said_interval(const making *maker) {
    said interval = find(maker, "interval", maker->request->interval);
    if (maker->request->points != NULL && maker->request->interval == NULL)
        interval.text = NULL;
    return interval;
}

static int is_steps(const said *interval) {
    return interval->text != NULL && strcmp(interval->text, "steps") == 0;
}

static void check_rows(making *maker, const said *interval, const ln_settings *settings) {
    const double rows = (settings->end - settings->begin) / settings->interval;
    char name[64];
    if (!(settings->interval > 0 && rows > LN_MOST_STEPS))
        return;
    ln_error(maker->report, interval->place,
             "%s is %s: that makes %.3g rows, more than %.0e; take a longer interval or a "
             "shorter duration",
             title(maker, interval, name), interval->text, rows, LN_MOST_STEPS);
    blame(maker, interval);
}

/* Rows: the steps alone, an interval, so many points; else the steps and as much between those of
 * an adaptive method as a straight line needs: no finer than the tolerance, and no finer than can
 * be seen. */
static void read_rows(making *maker, ln_settings *settings) {
    static const double seen = 1e-3;
    const said interval = said_interval(maker);
    said points = find(maker, "points", maker->request->points);
    check_rows(maker, &interval, settings);
    if (interval.text != NULL && interval.by_request && !points.by_request)
        points.text = NULL;
    if (interval.text != NULL && points.text != NULL) {
        const char *prefix =
            points.by_request && maker->request->prefix != NULL ? maker->request->prefix : "";
        ln_error(maker->report, points.place,
                 "%spoints and %sinterval both say what is recorded; give one of them", prefix,
                 prefix);
        blame(maker, &points);
    } else if (points.text != NULL) {
        const double count =
            number(maker, &points, "", 1.99, LN_MOST_STEPS + 1, "a whole number from 2 on");
        if (count > 1)
            settings->interval = (settings->end - settings->begin) / (floor(count + 0.5) - 1);
    } else if (interval.text == NULL && settings->tolerance > 0) {
        settings->resolution = fmax(settings->tolerance, seen);
    }
}

static void read_times(making *maker, ln_settings *settings) {
    const ln_request *request = maker->request;
    said begin = find(maker, "start-time", request->start_time),
         duration = find(maker, "duration", request->duration);
    said interval = said_interval(maker);
    if (begin.by_request && request->start_time_option != NULL)
        begin.name = request->start_time_option;
    settings->begin = number(maker, &begin, "s", -INFINITY, INFINITY, "a time");
    const double span = number(maker, &duration, "s", 0, INFINITY, "a time above 0");
    settings->end = settings->begin + span;
    if (span > 0 && !(settings->end > settings->begin && isfinite(settings->end))) {
        char name[64];
        ln_error(maker->report, duration.place,
                 "%s is %s: a run from t = %g s on ends at %g s, which is no later time that a "
                 "number can tell",
                 title(maker, &duration, name), duration.text, settings->begin, settings->end);
        blame(maker, &duration);
    }
    if (!is_steps(&interval))
        settings->interval = number(maker, &interval, "s", 0, INFINITY, "a time above 0, or steps");
    said from = find(maker, "record-from", NULL);
    settings->record_from = from.text != NULL
                                ? number(maker, &from, "s", -INFINITY, INFINITY, "a time")
                                : settings->begin;
    if (duration.text != NULL)
        return;
    const char *prefix = request->prefix != NULL ? request->prefix : "";
    const ln_element *simulation = maker->network->model->simulation;
    if (simulation != NULL)
        ln_error(maker->report, ln_place_of(simulation),
                 "simulation: it has no duration; add duration=\"...\" or give "
                 "the option %sduration",
                 prefix);
    else
        ln_error(maker->report, (ln_place){maker->network->model->path, 0, 0},
                 "the model has no <simulation> element; "
                 "add <simulation duration=\"...\"/> (to a SPICE deck .tran), or give the option "
                 "%sduration",
                 prefix);
    blame(maker, &duration);
}

static void read_start(making *maker, ln_settings *settings) {
    static const char *const kinds[] = {"values", "operating-point"};
    said start = find(maker, "start", maker->request->start);
    if (start.text == NULL || strcmp(start.text, kinds[0]) == 0)
        return;
    if (strcmp(start.text, kinds[1]) == 0) {
        settings->start = LN_START_OPERATING_POINT;
        return;
    }
    char name[64];
    ln_error(maker->report, start.place, "%s is '%s'; it must be 'values' or 'operating-point'",
             title(maker, &start, name), start.text);
    blame(maker, &start);
}

static void read_events(making *maker, ln_settings *settings) {
    said limit = find(maker, "event-limit", maker->request->event_limit),
         ticks = find(maker, "ticks", maker->request->ticks);
    settings->event_limit = (long)number(maker, &limit, "", 0.99, 1e15, "a whole number above 0");
    settings->only_after_ticks = ticks.text != NULL && strcmp(ticks.text, "after") == 0;
    if (ticks.text == NULL || settings->only_after_ticks)
        return;
    settings->record_before_ticks = strcmp(ticks.text, "both") == 0;
    if (settings->record_before_ticks)
        return;
    char name[64];
    ln_error(maker->report, ticks.place, "%s is '%s'; it must be 'after' or 'both'",
             title(maker, &ticks, name), ticks.text);
    blame(maker, &ticks);
}

/* Where events act: a choice of the request alone. */
static void read_where(making *maker, ln_settings *settings) {
    const said where = find(maker, "events", maker->request->events);
    char name[64];
    if (where.text == NULL || strcmp(where.text, "located") == 0)
        return;
    settings->events_at_steps = strcmp(where.text, "at-steps") == 0;
    if (settings->events_at_steps && !(settings->tolerance > 0))
        return;
    ln_error(maker->report, where.place,
             settings->events_at_steps ? "%s is '%s'; that needs a fixed step, give one"
                                       : "%s is '%s'; it must be 'located' or 'at-steps'",
             title(maker, &where, name), where.text);
    blame(maker, &where);
}

static void read_newton(making *maker, ln_settings *settings) {
    const said how = find(maker, "newton", maker->request->newton);
    char name[64];
    if (how.text == NULL || strcmp(how.text, "step") == 0)
        return;
    settings->newton_exact = strcmp(how.text, "exact") == 0;
    if (settings->newton_exact)
        return;
    ln_error(maker->report, how.place, "%s is '%s'; it must be 'step' or 'exact'",
             title(maker, &how, name), how.text);
    blame(maker, &how);
}

static void read_bypass(making *maker, ln_settings *settings) {
    const said how = find(maker, "bypass", maker->request->bypass);
    char name[64];
    if (how.text == NULL || strcmp(how.text, "on") == 0)
        return;
    settings->evaluate_all = strcmp(how.text, "off") == 0;
    if (settings->evaluate_all)
        return;
    ln_error(maker->report, how.place, "%s is '%s'; it must be 'on' or 'off'",
             title(maker, &how, name), how.text);
    blame(maker, &how);
}

/* A choice of the request alone, since it is one of the machine. */
static void read_threads(making *maker, ln_settings *settings) {
    const said threads = {
        .name = "threads", .text = maker->request->threads, .by_request = 1, .place = LN_NOWHERE};
    const double count = number(maker, &threads, "", 0.99, 1025, "a whole number, 1 to 1024");
    char name[64];
    settings->threads = (int)count;
    if (count == settings->threads)
        return;
    ln_error(maker->report, threads.place, "%s is '%s'; it must be a whole number, 1 to 1024",
             title(maker, &threads, name), threads.text);
    blame(maker, &threads);
}

linnet_status ln_settings_time(const ln_network *network, const ln_request *request,
                               const char *name, const char *text, ln_report *report,
                               double *time) {
    making maker = {.network = network, .request = request, .report = report};
    const said value = find(&maker, name, text);
    *time = number(&maker, &value, "s", 0, INFINITY, "positive");
    return maker.status;
}

linnet_status ln_settings_make(const ln_network *network, const ln_request *request,
                               ln_report *report, ln_settings *settings, const char **why) {
    making maker = {network, request, report, LINNET_OK};
    *settings = (ln_settings){.linear = request->linear};
    *why = "";
    read_times(&maker, settings);
    read_stepping(&maker, settings);
    read_rows(&maker, settings);
    read_start(&maker, settings);
    read_events(&maker, settings);
    read_where(&maker, settings);
    read_newton(&maker, settings);
    read_bypass(&maker, settings);
    read_threads(&maker, settings);
    said method = find(&maker, "method", request->method);
    choose_method(&maker, &method, settings, why);
    return maker.status;
}
