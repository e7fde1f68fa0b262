/* SPDX-License-Identifier: MIT */
/* A parameter may stand anywhere in a model, so the network is built anew for each point, from
 * types compiled once. */
#include "analysis/dc_curve.h"

#include "analysis/simulation.h"
#include "base/sys.h"
#include "blocks/catalogue.h"
#include "integrate/operating_point.h"
#include "system/hybrid.h"
#include <string.h>

/* ---- reading ---- */

/* The numeric value of a swept parameter in a network, and its unit. */
static linnet_status look_up(const ln_network *network, const char *name, ln_report *report,
                             ln_quantity *quantity) {
    const char *nearest = NULL;
    if (ln_network_find(network, name, quantity, &nearest) && quantity->kind == LN_Q_CONSTANT)
        return LINNET_OK;
    return ln_fail(report, LINNET_USAGE, LN_NOWHERE,
                   "option --dc: '%s' is no parameter with a value that can be swept%s%s%s", name,
                   nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                   nearest != NULL ? "'?" : "");
}

/* A curve has an order, which random values have not. */
static linnet_status refuse_random(const ln_dc_curve *curve, const char *text) {
    static const char *const random[] = {"=uniform(", "=loguniform(", "=normal(", "=lognormal("};
    for (size_t k = 0; k < sizeof random / sizeof *random; k++)
        if (strstr(text, random[k]) != NULL)
            return ln_fail(curve->report, LINNET_USAGE, LN_NOWHERE,
                           "option --dc: '%s' gives random values; a curve needs a grid or "
                           "a list, such as V1.V=0:5:101",
                           text);
    return LINNET_OK;
}

static linnet_status read_axes(ln_dc_curve *curve, const ln_network *network,
                               const char *const *texts, int ntexts) {
    for (int k = 0; k < ntexts; k++)
        LN_TRY(refuse_random(curve, texts[k]));
    LN_TRY(ln_axes_read(network, &(ln_vary_plan){texts, ntexts, 0, 1}, curve->arena, curve->report,
                        &curve->axes));
    curve->swept = LN_NEW(curve->arena, ln_column, curve->axes.count);
    if (curve->swept == NULL)
        return ln_no_memory(curve->report);
    for (int k = 0; k < curve->axes.count; k++) {
        const ln_vary *axis = &curve->axes.items[k];
        ln_quantity quantity;
        LN_TRY(look_up(network, axis->name, curve->report, &quantity));
        const char *unit =
            ln_arena_string(curve->arena, quantity.unit != NULL ? quantity.unit : "");
        if (unit == NULL)
            return ln_no_memory(curve->report);
        curve->swept[k] = (ln_column){.name = axis->name, .unit = unit};
    }
    const long last = curve->axes.items[curve->axes.count - 1].count;
    curve->points = curve->axes.points / last * (curve->back ? 2 * last - 1 : last);
    return LINNET_OK;
}

linnet_status ln_dc_curve_prepare(ln_dc_curve *curve, const char *const *texts, int ntexts) {
    ln_simulation nominal;
    linnet_status status =
        ln_simulation_prepare(&nominal, curve->model, &curve->request, 0, NULL, curve->report);
    if (status == LINNET_OK)
        status = ln_report_status(curve->report, read_axes(curve, nominal.network, texts, ntexts));
    ln_simulation_free(&nominal);
    return status;
}

/* ---- one point ---- */

/* Where a search begins: unknowns and memories of a point, n of 0: none yet. */
typedef struct place {
    int n, nmemories;
    double *x, *memory;
    char *holds;
    int nevents;
} place;

typedef struct walk {
    ln_dc_curve *curve;
    ln_sink *sink;
    ln_catalogue *catalogue;
    ln_override *overrides;
    char (*values)[96];
    double *row;
    int ncolumns; /* recorded; 0 before the sink is open */
    int is_open;
    place here, first; /* the point before; the first one of the curve */
} walk;

static void copy_doubles(double *to, const double *from, int count) {
    if (count > 0)
        memcpy(to, from, (size_t)count * sizeof *to);
}

static linnet_status copy(place *to, const place *from, ln_arena *arena, ln_report *report) {
    if (to->x == NULL || to->n != from->n || to->nmemories != from->nmemories ||
        to->nevents != from->nevents)
        *to = (place){from->n,
                      from->nmemories,
                      LN_NEW(arena, double, from->n),
                      LN_NEW(arena, double, from->nmemories),
                      LN_NEW(arena, char, from->nevents),
                      from->nevents};
    if (to->x == NULL || to->memory == NULL || to->holds == NULL)
        return ln_no_memory(report);
    copy_doubles(to->x, from->x, from->n);
    copy_doubles(to->memory, from->memory, from->nmemories);
    if (from->nevents > 0)
        memcpy(to->holds, from->holds, (size_t)from->nevents);
    return LINNET_OK;
}

/* Conditions that have turned true since the point before act on memories (a switch closes); ticks
 * and ends do not. Returns 1 when a memory changed, for then the point is another. holds[nevents]:
 * in: as before; out: now. */
static int act(ln_system *system, double t, const double *x, char *holds, ln_arena *arena) {
    const size_t events = (size_t)system->nevents,
                 bytes = (size_t)system->network->nmemories * sizeof(double);
    char *now = LN_NEW(arena, char, events), *fired = LN_NEW(arena, char, events);
    double *memory = LN_NEW(arena, double, system->network->nmemories),
           *set = LN_NEW(arena, double, system->n);
    if (events == 0 || now == NULL || fired == NULL || memory == NULL || set == NULL)
        return 0;
    const ln_moment moment = {ln_side_left(t, 0), x};
    ln_system_conditions(system, &moment, now);
    int some = 0;
    for (int k = 0; k < system->nevents; k++) {
        const linnet_event *event;
        (void)ln_event_owner(system, k, &event);
        fired[k] =
            now[k] && !holds[k] && (event->flags & (LINNET_TICK | LINNET_ENDS | LINNET_FAILS)) == 0;
        some |= fired[k];
    }
    memcpy(holds, now, events);
    if (!some)
        return 0;
    const ln_before_event previous = {x, system->memory, system->memory};
    (void)ln_system_act(system, &moment, &previous, fired, &(ln_after_event){memory, set, NULL});
    const int changed = memcmp(memory, system->memory, bytes) != 0;
    memcpy(system->memory, memory, bytes);
    return changed;
}

/* The point of a prepared simulation, from where the last one was, and its events. */
static linnet_status find_point(walk *walker, ln_simulation *simulation, ln_arena *arena,
                                double *x) {
    enum { ROUNDS = 20 };
    ln_system *system = simulation->system;
    ln_settings *settings = &simulation->settings;
    const place *from = &walker->here;
    const int known = from->n == system->n && from->nmemories == system->network->nmemories &&
                      from->nevents == system->nevents;
    char *holds = LN_NEW(arena, char, system->nevents);
    double *memory = LN_NEW(arena, double, system->network->nmemories);
    if (holds == NULL || memory == NULL)
        return ln_no_memory(walker->curve->report);
    if (known && from->x != NULL) {
        settings->start_x = from->x;
        settings->start_memory = from->memory;
        if (system->nevents > 0)
            memcpy(holds, from->holds, (size_t)system->nevents);
    }
    int aided = 0;
    for (int round = 0; round < ROUNDS; round++) {
        ln_operating_point point;
        LN_TRY(ln_operating_point_find(system, settings, arena, simulation->report, x, &point));
        aided |= strcmp(point.means, "Newton") != 0;
        if (!act(system, settings->begin, x, holds, arena))
            break;
        copy_doubles(memory, system->memory, system->network->nmemories);
        settings->start_x = x;
        settings->start_memory = memory;
    }
    walker->curve->aided += aided;
    const place found = {system->n,      system->network->nmemories, x, system->memory, holds,
                         system->nevents};
    return copy(&walker->here, &found, walker->curve->arena, walker->curve->report);
}

/* ---- rows ---- */

static linnet_status open_sink(walk *walker, const ln_simulation *simulation) {
    ln_dc_curve *curve = walker->curve;
    const int outer = curve->axes.count - 1;
    int count;
    const ln_column *recorded = ln_recorder_columns(simulation->recorder, &count);
    ln_column *columns = LN_NEW(curve->arena, ln_column, outer + count);
    walker->row = LN_NEW(curve->arena, double, outer + count);
    if (columns == NULL || walker->row == NULL)
        return ln_no_memory(curve->report);
    for (int k = 0; k < outer; k++)
        columns[k] = curve->swept[k];
    for (int k = 0; k < count; k++) {
        columns[outer + k] = (ln_column){.name = ln_arena_string(curve->arena, recorded[k].name),
                                         .unit = ln_arena_string(curve->arena, recorded[k].unit)};
        if (columns[outer + k].name == NULL || columns[outer + k].unit == NULL)
            return ln_no_memory(curve->report);
    }
    walker->ncolumns = count;
    walker->is_open = 1;
    curve->columns = columns;
    return walker->sink->open(walker->sink, columns, outer + count);
}

static linnet_status put_row(walk *walker, const ln_simulation *simulation, const double *x) {
    ln_dc_curve *curve = walker->curve;
    const int outer = curve->axes.count - 1;
    const ln_side side = ln_side_left(simulation->settings.begin, 0);
    ln_quantity quantity;
    if (!walker->is_open)
        LN_TRY(open_sink(walker, simulation));
    const double *values = ln_recorder_observe(simulation->recorder, simulation->system, side, x);
    for (int k = 0; k < outer; k++) {
        LN_TRY(look_up(simulation->network, curve->swept[k].name, curve->report, &quantity));
        walker->row[k] = quantity.value;
    }
    if (walker->ncolumns > 0)
        memcpy(walker->row + outer, values, (size_t)walker->ncolumns * sizeof *values);
    LN_TRY(look_up(simulation->network, curve->swept[outer].name, curve->report, &quantity));
    return walker->sink->row(walker->sink, quantity.value, walker->row);
}

/* ---- all of them ---- */

/* The case of a point: there, and, if asked for, back again. */
static long case_of(const ln_dc_curve *curve, long point) {
    const long last = curve->axes.items[curve->axes.count - 1].count,
               length = curve->back ? 2 * last - 1 : last;
    const long on_curve = point % length;
    return point / length * last + (on_curve < last ? on_curve : 2 * (last - 1) - on_curve);
}

static linnet_status take_point(walk *walker, long point) {
    ln_dc_curve *curve = walker->curve;
    const long index = case_of(curve, point);
    ln_request request = curve->request;
    ln_simulation simulation;
    ln_arena *arena = ln_arena_new();
    for (int k = 0; k < request.noverrides; k++)
        walker->overrides[k] = request.overrides[k];
    for (int k = 0; k < curve->axes.count; k++)
        walker->overrides[request.noverrides + k] = (ln_override){
            curve->axes.items[k].name, ln_axis_value(&curve->axes, k, index, walker->values[k])};
    request.overrides = walker->overrides;
    request.noverrides += curve->axes.count;
    request.catalogue = walker->catalogue;
    linnet_status status =
        ln_simulation_prepare(&simulation, curve->model, &request, 0, NULL, curve->report);
    double *x =
        arena != NULL && status == LINNET_OK ? LN_NEW(arena, double, simulation.system->n) : NULL;
    if (status == LINNET_OK && x == NULL)
        status = ln_no_memory(curve->report);
    if (status == LINNET_OK) {
        status = find_point(walker, &simulation, arena, x);
        for (int k = 0; k < curve->axes.count && status == LINNET_FAILED; k++)
            ln_note(curve->report, LN_NOWHERE, "this is where %s = %s", curve->axes.items[k].name,
                    walker->overrides[request.noverrides - curve->axes.count + k].value);
    }
    if (status == LINNET_OK)
        status = put_row(walker, &simulation, x);
    ln_simulation_free(&simulation);
    ln_arena_free(arena);
    return status;
}

static linnet_status walk_all(walk *walker) {
    ln_dc_curve *curve = walker->curve;
    const long length =
        curve->points / (curve->axes.points / curve->axes.items[curve->axes.count - 1].count);
    linnet_status status = LINNET_OK;
    walker->catalogue = ln_catalogue_new(curve->model, curve->report, &status);
    if (walker->catalogue == NULL)
        return status;
    for (long point = 0; point < curve->points; point++) {
        if (curve->stop != NULL && curve->stop(curve->context))
            return LINNET_INTERRUPTED;
        if (point > 0 && point % length == 0)
            LN_TRY(copy(&walker->here, &walker->first, curve->arena, curve->report));
        LN_TRY(ln_report_status(curve->report, take_point(walker, point)));
        if (point % length == 0)
            LN_TRY(copy(&walker->first, &walker->here, curve->arena, curve->report));
        curve->done++;
        if (curve->show != NULL)
            curve->show(curve->context, curve->done, curve->points);
    }
    return LINNET_OK;
}

linnet_status ln_dc_curve_run(ln_dc_curve *curve, ln_sink *sink) {
    walk walker = {
        .curve = curve,
        .sink = sink,
        .overrides =
            LN_NEW(curve->arena, ln_override, curve->request.noverrides + curve->axes.count),
        .values = ln_arena_alloc(curve->arena, (size_t)curve->axes.count, sizeof *walker.values)};
    linnet_status status = walker.overrides != NULL && walker.values != NULL
                               ? walk_all(&walker)
                               : ln_no_memory(curve->report);
    linnet_status closed = sink->close(sink, status == LINNET_OK);
    ln_catalogue_free(walker.catalogue);
    return status != LINNET_OK ? status : closed;
}
