/* SPDX-License-Identifier: MIT */
/* The point, then its linearisation. */
#include "analysis/small_signal.h"

#include "analysis/pade.h"
#include "analysis/settings.h"
#include "linear/wide.h"
#include "system/delay.h"
#include <string.h>

/* ---- the linearisation at a point ---- */

static linnet_status begin(ln_system *system, ln_report *report, ln_small_signal *out) {
    size_t entries = (size_t)system->pattern.start[system->n];
    *out = (ln_small_signal){.system = system,
                             .report = report,
                             .n = system->n,
                             .pattern = &system->pattern,
                             .means = ""};
    out->arena = ln_arena_new();
    if (out->arena == NULL)
        return ln_no_memory(report);
    out->x = LN_NEW(out->arena, double, system->n);
    out->E = LN_NEW(out->arena, double, entries);
    out->A = LN_NEW(out->arena, double, entries);
    if (out->x == NULL || out->E == NULL || out->A == NULL)
        return ln_no_memory(report);
    out->at.x = out->x;
    return LINNET_OK;
}

/* A block that has no derivative at the point, by name. */
static linnet_status refused(ln_system *system, ln_report *report) {
    char text[256];
    ln_place place;
    ln_system_blame(system, text, &place);
    return ln_fail(report, LINNET_FAILED, place, "the model cannot be linearised here: %s", text);
}

static linnet_status finish(ln_small_signal *out) {
    linnet_status status = ln_system_linearise(out->system, out->at, out->E, out->A);
    if (status == LINNET_RETRY)
        return refused(out->system, out->report);
    LN_TRY(status);
    return ln_system_delay_terms(out->system, out->at, out->arena, out->report, &out->terms,
                                 &out->nterms);
}

linnet_status ln_small_signal_at_point(ln_system *system, ln_side side, const double *x,
                                       ln_report *report, ln_small_signal *out) {
    LN_TRY(begin(system, report, out));
    memcpy(out->x, x, (size_t)out->n * sizeof *x);
    out->at.side = side;
    return finish(out);
}

void ln_small_signal_free(ln_small_signal *small_signal) {
    ln_arena_free(small_signal->arena);
    *small_signal = (ln_small_signal){.means = ""};
}

/* ---- finding the point ---- */

static linnet_status at_rest(ln_simulation *simulation, ln_small_signal *out) {
    ln_settings settings = simulation->settings;
    settings.start = LN_START_OPERATING_POINT;
    LN_TRY(ln_integrate_start(simulation->system, &settings, simulation->report,
                              &simulation->statistics, &out->at.side, out->x));
    out->at_rest = 1;
    out->means = simulation->statistics.start_means;
    return finish(out);
}

linnet_status ln_small_signal_at_rest(ln_simulation *simulation, ln_small_signal *out) {
    LN_TRY(begin(simulation->system, simulation->report, out));
    return ln_report_status(simulation->report, at_rest(simulation, out));
}

typedef struct arriving {
    ln_small_signal *out;
    int (*stop)(void *context);
    void *context;
    int at_start, there; /* the first point is wanted, and has come */
} arriving;

static linnet_status keep_point(void *context, ln_side side, const double *x) {
    arriving *arrival = context;
    ln_small_signal *out = arrival->out;
    out->at.side = side;
    memcpy(out->x, x, (size_t)out->n * sizeof *x);
    if (out->system->delays != NULL)
        ln_delays_freeze(out->system, side, x);
    arrival->there = arrival->at_start;
    return arrival->there ? LINNET_INTERRUPTED : LINNET_OK;
}

static int forward_stop(void *context) {
    const arriving *arrival = context;
    return arrival->stop(arrival->context);
}

/* The run to t is the run the model asks for, cut there. */
static linnet_status at_time(ln_simulation *simulation, double t, arriving *arrival) {
    ln_small_signal *out = arrival->out;
    ln_settings settings = simulation->settings;
    if (t < settings.begin)
        return ln_fail(simulation->report, LINNET_USAGE, LN_NOWHERE,
                       "the run starts at %.9g s: no time before it can be reached",
                       settings.begin);
    if (!(settings.tolerance > 0) && (t - settings.begin) / settings.step > LN_MOST_STEPS)
        return ln_fail(simulation->report, LINNET_USAGE, LN_NOWHERE,
                       "to %.9g s there are %.3g steps, more than %.0e; take a longer step or an "
                       "earlier time",
                       t, (t - settings.begin) / settings.step, LN_MOST_STEPS);
    ln_watcher watcher = {.context = arrival,
                          .accept = keep_point,
                          .stop = arrival->stop != NULL ? forward_stop : NULL};
    arrival->at_start = t == settings.begin;
    if (!arrival->at_start)
        settings.end = t;
    while (settings.nstops > 0 && settings.stops[settings.nstops - 1] > t)
        settings.nstops--;
    linnet_status status = ln_integrate(simulation->system, &settings, &watcher, simulation->report,
                                        &simulation->statistics);
    if (status != LINNET_OK && !arrival->there)
        return status;
    if (out->at.side.t < t)
        return ln_fail(simulation->report, LINNET_FAILED, LN_NOWHERE,
                       "the run ended at %.9g s, before %.9g s", out->at.side.t, t);
    out->means = simulation->statistics.start_means;
    return finish(out);
}

linnet_status ln_small_signal_at_time(ln_simulation *simulation, double t,
                                      int (*stop)(void *context), void *context,
                                      ln_small_signal *out) {
    LN_TRY(begin(simulation->system, simulation->report, out));
    return ln_report_status(simulation->report,
                            at_time(simulation, t, &(arriving){out, stop, context, 0, 0}));
}

/* ---- inputs and outputs ---- */

linnet_status ln_small_signal_input(ln_small_signal *small_signal, const char *name,
                                    ln_input *input) {
    return ln_system_input(small_signal->system, name, small_signal->at, small_signal->arena,
                           small_signal->report, input);
}

linnet_status ln_small_signal_plain_output(ln_small_signal *small_signal, const ln_quantity *output,
                                           const ln_input *inputs, int ninputs, double *c,
                                           double *d) {
    memset(c, 0, (size_t)small_signal->n * sizeof *c);
    const ln_output_row row = {small_signal->system, small_signal->at, inputs, ninputs, c, d};
    const linnet_status status = ln_system_output(&row, output);
    return status != LINNET_RETRY ? status
                                  : ln_fail(small_signal->report, LINNET_FAILED, LN_NOWHERE,
                                            "an output has no finite derivative at this point");
}

/* ---- unknowns ---- */

/* The instance whose delay unknown i of an expanded model belongs to. */
static int delayed_instance(const ln_small_signal *small_signal, int unknown) {
    const ln_pade *pade = small_signal->pade;
    return pade->exact->terms[pade->chains[(unknown - pade->exact->n) / pade->order].term].instance;
}

const char *ln_small_signal_name(const ln_small_signal *small_signal, int unknown) {
    const ln_network *network = small_signal->system->network;
    if (unknown < small_signal->system->n) {
        /* where memory is short it names the block, which serves a message and is no name here */
        const char *name = ln_network_unknown_name(network, unknown);
        return ln_arena_failed(network->arena) ? NULL : name;
    }
    return ln_arena_printf(small_signal->arena, "%s.past",
                           network->instances[delayed_instance(small_signal, unknown)].name);
}

linnet_status ln_small_signal_storage(ln_small_signal *small_signal, ln_storage_visit *visit,
                                      void *context) {
    const ln_pade *pade = small_signal->pade;
    LN_TRY(ln_system_storage(small_signal->system, small_signal->at, visit, context));
    /* all of a block's past counts as one state of it */
    for (int i = small_signal->system->n; i < small_signal->n; i++) {
        const linnet_block_class *type =
            small_signal->system->network->instances[delayed_instance(small_signal, i)].block.type;
        const ln_pade_chain *chain = &pade->chains[(i - pade->exact->n) / pade->order];
        visit(context, delayed_instance(small_signal, i), type->nports + type->nvars, i, i,
              chain->lag * pade->weight[(i - pade->exact->n) % pade->order]);
    }
    return LINNET_OK;
}

/* ---- the pencil ---- */

/* Sums of the blocks' entries by place, as pairs of doubles, and of their sizes. */
typedef struct summing {
    const ln_pattern *pattern;
    ln_wide *sum[2];
    double *size[2];
} summing;

static void add_entry(void *context, int instance, linnet_kind kind, int row, int unknown,
                      double value) {
    summing *total = context;
    (void)instance;
    for (int k = total->pattern->start[unknown];
         value != 0 && k < total->pattern->start[unknown + 1]; k++) {
        if (total->pattern->row[k] != row)
            continue;
        total->sum[kind][k] = ln_wide_add(total->sum[kind][k], (ln_wide){value, 0});
        total->size[kind][k] += fabs(value);
    }
}

/* What E or A lacks of the sums. Where they differ by more than rounding (the point has moved on) E
 * or A stays as it is. */
static double *lacking(const ln_wide *sum, double *size, const double *value, int count,
                       ln_arena *arena) {
    double *low = LN_NEW(arena, double, count);
    for (int k = 0; low != NULL && k < count; k++) {
        low[k] = ln_wide_add(sum[k], (ln_wide){-value[k], 0}).hi;
        if (fabs(low[k]) <= 1e-12 * size[k])
            continue;
        low[k] = 0;
        size[k] = fabs(value[k]);
    }
    return low;
}

linnet_status ln_small_signal_exact(ln_small_signal *small_signal, const ln_pencil **pencil) {
    const int count = small_signal->pattern->start[small_signal->n];
    *pencil = small_signal->pencil;
    if (small_signal->pencil != NULL)
        return LINNET_OK;
    summing sums = {.pattern = small_signal->pattern};
    ln_pencil *exact = LN_NEW(small_signal->arena, ln_pencil, 1);
    for (int kind = 0; kind < 2; kind++) {
        sums.sum[kind] = LN_NEW(small_signal->arena, ln_wide, count);
        sums.size[kind] = LN_NEW(small_signal->arena, double, count);
        if (sums.sum[kind] == NULL || sums.size[kind] == NULL || exact == NULL)
            return ln_no_memory(small_signal->report);
    }
    LN_TRY(ln_system_entries(small_signal->system, small_signal->at, add_entry, &sums));
    *exact = (ln_pencil){.pattern = small_signal->pattern,
                         .E = small_signal->E,
                         .A = small_signal->A,
                         .E_low = lacking(sums.sum[LINNET_E], sums.size[LINNET_E], small_signal->E,
                                          count, small_signal->arena),
                         .A_low = lacking(sums.sum[LINNET_A], sums.size[LINNET_A], small_signal->A,
                                          count, small_signal->arena),
                         .E_size = sums.size[LINNET_E],
                         .A_size = sums.size[LINNET_A]};
    if (exact->E_low == NULL || exact->A_low == NULL)
        return ln_no_memory(small_signal->report);
    *pencil = small_signal->pencil = exact;
    return LINNET_OK;
}

void ln_small_signal_pencil(const ln_small_signal *small_signal, double re, double im,
                            double *values) {
    for (int k = 0; k < small_signal->pattern->start[small_signal->n]; k++) {
        values[2 * k] = re * small_signal->E[k] + small_signal->A[k];
        values[2 * k + 1] = im * small_signal->E[k];
    }
}

linnet_status ln_small_signal_choose(void *names, ln_simulation *simulation) {
    return names == NULL ? LINNET_OK : ln_recorder_add(simulation->recorder, names, LN_NOWHERE);
}
