/* SPDX-License-Identifier: MIT */
/* The public API's small-signal analyses: each reaches its point, asks one analysis, and copies the
 * answer into memory of its own. */
#include "analysis/api_point.h"
#include "base/constants.h"

#include "analysis/sampled_loop.h"
#include "analysis/modes.h"
#include "analysis/pade.h"
#include "analysis/response.h"
#include "analysis/state_space.h"
#include <complex.h>
#include <math.h>
#include <string.h>

/* ---- modes ---- */

typedef struct owned_modes {
    linnet_modes modes; /* first: what the caller sees */
    ln_arena *arena;
} owned_modes;

void linnet_modes_free(linnet_modes *modes) {
    if (modes != NULL)
        ln_arena_free(((owned_modes *)modes)->arena); /* which holds the object itself */
}

static int copy_mode(ln_arena *arena, const ln_eigenmode *from, linnet_mode *to) {
    linnet_participant *states = LN_NEW(arena, linnet_participant, from->nstates);
    *to = (linnet_mode){from->re, from->im, from->nstates, states};
    for (int k = 0; states != NULL && k < from->nstates; k++) {
        states[k] = (linnet_participant){ln_arena_string(arena, from->states[k].name),
                                         from->states[k].share};
        if (states[k].name == NULL)
            return 0;
    }
    return states != NULL;
}

static linnet_status copy_modes(const ln_modes *from, linnet_modes **to, ln_report *report) {
    ln_arena *arena = ln_arena_new();
    owned_modes *own = arena != NULL ? LN_NEW(arena, owned_modes, 1) : NULL;
    linnet_mode *modes = own != NULL ? LN_NEW(arena, linnet_mode, from->count) : NULL;
    int whole = modes != NULL;
    for (int k = 0; whole && k < from->count; k++)
        whole = copy_mode(arena, &from->modes[k], &modes[k]);
    if (!whole) {
        ln_arena_free(arena);
        return ln_no_memory(report);
    }
    *own = (owned_modes){{from->count, modes, from->index}, arena};
    *to = &own->modes;
    return LINNET_OK;
}

linnet_status linnet_eigenvalues(linnet_model *model, const char *at, int count,
                                 linnet_modes **modes) {
    if (model == NULL || modes == NULL || count < 0)
        return LINNET_USAGE;
    *modes = NULL;
    ln_report *report = ln_api_begin(model);
    ln_api_point point;
    ln_small_signal expanded = {.means = ""};
    ln_modes found = {.count = 0};
    linnet_status status = ln_api_point_reach(&point, model, at, NULL, report);
    if (status == LINNET_OK)
        status = ln_pade_expand(&point.small, LN_PADE_ORDER, &expanded);
    if (status == LINNET_OK)
        status = ln_modes_find(&expanded, count, 0, 0, &found);
    if (status == LINNET_OK)
        status = copy_modes(&found, modes, report);
    ln_modes_free(&found);
    ln_small_signal_free(&expanded);
    ln_api_point_free(&point);
    return ln_api_end(report, status);
}

/* ---- frequency response ---- */

/* Columns NAME.re and NAME.im of each output. */
static linnet_status open_response(const ln_response *response, ln_arena *arena,
                                   linnet_result *result, ln_report *report) {
    ln_column *columns = LN_NEW(arena, ln_column, 2 * response->noutputs);
    if (columns == NULL)
        return ln_no_memory(report);
    for (int j = 0; j < response->noutputs; j++)
        for (int part = 0; part < 2; part++) {
            const char *name =
                ln_arena_printf(arena, "%s.%s", response->names[j], part == 0 ? "re" : "im");
            if (name == NULL)
                return ln_no_memory(report);
            columns[2 * j + part] = (ln_column){.name = name, .unit = response->units[j]};
        }
    return ln_result_open(result, columns, 2 * response->noutputs, report);
}

/* A frequency response as it is asked for: to an input at some frequencies (Hz), of outputs. */
typedef struct sweep {
    const char *input, *outputs;
    const double *frequencies;
    size_t count;
} sweep;

static linnet_status respond(ln_response *response, const sweep *asked, ln_arena *arena,
                             linnet_result *result, ln_report *report) {
    double complex *h = LN_NEW(arena, double complex, response->noutputs);
    double *row = LN_NEW(arena, double, 2 * response->noutputs);
    if (h == NULL || row == NULL)
        return ln_no_memory(report);
    LN_TRY(open_response(response, arena, result, report));
    for (size_t i = 0; i < asked->count; i++) {
        const double frequency = asked->frequencies[i];
        linnet_status status = ln_response_at(response, 2 * LN_PI * frequency * I, h, NULL);
        if (status != LINNET_OK && status != LINNET_RETRY)
            return status;
        for (int j = 0; j < response->noutputs; j++) {
            row[2 * j] = status == LINNET_OK ? creal(h[j]) : (double)NAN;
            row[2 * j + 1] = status == LINNET_OK ? cimag(h[j]) : (double)NAN;
        }
        LN_TRY(ln_result_row(result, frequency, row, report));
    }
    return LINNET_OK;
}

static linnet_status response_of(linnet_model *model, ln_api_point *point, const sweep *asked,
                                 linnet_result **result, ln_report *report) {
    ln_response response = {.ninputs = 0};
    linnet_status status = ln_response_begin(&response, &point->small, asked->input, asked->outputs,
                                             model->request.linear);
    if (status == LINNET_OK && (*result = ln_result_new()) == NULL)
        status = ln_no_memory(report);
    if (status == LINNET_OK)
        status = respond(&response, asked, point->small.arena, *result, report);
    ln_response_free(&response);
    return status;
}

linnet_status linnet_response(linnet_model *model, const char *at, const char *input,
                              const char *outputs, const double *frequencies, size_t count,
                              linnet_result **result) {
    if (model == NULL || result == NULL || input == NULL || outputs == NULL ||
        (frequencies == NULL && count > 0))
        return LINNET_USAGE;
    *result = NULL;
    const sweep asked = {input, outputs, frequencies, count};
    ln_report *report = ln_api_begin(model);
    ln_api_point point;
    linnet_status status = ln_api_point_reach(&point, model, at, outputs, report);
    if (status == LINNET_OK)
        status = response_of(model, &point, &asked, result, report);
    ln_api_point_free(&point);
    if (status != LINNET_OK) {
        linnet_result_free(*result);
        *result = NULL;
    }
    return ln_api_end(report, status);
}

/* ---- state matrices ---- */

typedef struct owned_space {
    linnet_state_space space; /* first: what the caller sees */
    ln_state_space made;      /* owns the numbers */
    ln_arena *arena;          /* and this the names, and the object itself */
} owned_space;

void linnet_state_space_free(linnet_state_space *matrices) {
    owned_space *own = (owned_space *)matrices;
    if (own == NULL)
        return;
    ln_state_space_free(&own->made);
    ln_arena_free(own->arena);
}

static const char *const *names_of(ln_arena *arena, const ln_state_label *labels, int count) {
    const char **names = LN_NEW(arena, const char *, count);
    for (int k = 0; names != NULL && k < count; k++)
        if ((names[k] = ln_arena_string(arena, labels[k].name)) == NULL)
            return NULL;
    return names;
}

/* Names separated by commas or blanks; -1 when memory is short. */
static int split(ln_arena *arena, const char *list, const char ***names) {
    char *rest = ln_arena_string(arena, list);
    *names = LN_NEW(arena, const char *, strlen(list) + 1);
    if (rest == NULL || *names == NULL)
        return -1;
    int count = 0;
    for (char *name; (name = strtok_r(rest, ", \t\n", &rest)) != NULL;)
        (*names)[count++] = name;
    return count;
}

static linnet_status make_space(ln_api_point *point, const char *inputs, owned_space *own,
                                ln_report *report) {
    const char **names;
    const int ninputs = split(own->arena, inputs, &names);
    int noutputs;
    const ln_column *outputs = ln_recorder_columns(point->simulation.recorder, &noutputs);
    if (ninputs < 0)
        return ln_no_memory(report);
    LN_TRY(ln_state_space_make(&point->small, &(ln_space_ports){names, ninputs, outputs, noutputs},
                               (ln_state_space_how){.pade_order = LN_PADE_ORDER}, &own->made));
    const ln_state_space *made = &own->made;
    own->space =
        (linnet_state_space){.nstates = made->n,
                             .ninputs = made->ninputs,
                             .noutputs = made->noutputs,
                             .states = names_of(own->arena, made->states, made->n),
                             .inputs = names_of(own->arena, made->inputs, made->ninputs),
                             .outputs = names_of(own->arena, made->outputs, made->noutputs),
                             .A = made->A,
                             .B = made->B,
                             .C = made->C,
                             .D = made->D};
    const linnet_state_space *space = &own->space;
    return space->states && space->inputs && space->outputs ? LINNET_OK : ln_no_memory(report);
}

linnet_status linnet_linearise(linnet_model *model, const char *at, const char *inputs,
                               const char *outputs, linnet_state_space **matrices) {
    if (model == NULL || matrices == NULL || inputs == NULL || outputs == NULL)
        return LINNET_USAGE;
    *matrices = NULL;
    ln_report *report = ln_api_begin(model);
    ln_arena *arena = ln_arena_new();
    owned_space *own = arena != NULL ? LN_NEW(arena, owned_space, 1) : NULL;
    if (own == NULL) {
        ln_arena_free(arena);
        return ln_api_end(report, ln_no_memory(report));
    }
    own->arena = arena;
    ln_api_point point;
    linnet_status status = ln_api_point_reach(&point, model, at, outputs, report);
    if (status == LINNET_OK)
        status = make_space(&point, inputs, own, report);
    ln_api_point_free(&point);
    if (status == LINNET_OK)
        *matrices = &own->space;
    else
        linnet_state_space_free(&own->space);
    return ln_api_end(report, status);
}

/* ---- margins ---- */

static double hertz(const ln_loop_crossing *crossing) {
    return crossing != NULL ? crossing->w / (2 * LN_PI) : (double)NAN;
}

static double margin_of(const ln_loop_crossing *crossing) {
    return crossing != NULL ? crossing->margin : (double)INFINITY;
}

static linnet_margins summary(const ln_margins *found) {
    const int growing = ln_margins_growing(found);
    return (linnet_margins){.stable = growing >= 0 ? growing + found->marginal == 0 : -1,
                            .gain = margin_of(found->gain),
                            .gain_at = hertz(found->gain),
                            .phase = margin_of(found->phase),
                            .phase_at = hertz(found->phase),
                            .delay = found->delay != NULL ? found->delay->delay : (double)INFINITY,
                            .delay_at = hertz(found->delay),
                            .modulus = margin_of(found->modulus),
                            .modulus_at = hertz(found->modulus)};
}

linnet_status linnet_loop_margins(linnet_model *model, const char *at, const char *signal,
                                  linnet_margins *margins) {
    if (model == NULL || signal == NULL || margins == NULL)
        return LINNET_USAGE;
    *margins = (linnet_margins){.stable = -1};
    ln_report *report = ln_api_begin(model);
    ln_api_point point;
    ln_margins found = {.ncrossings = 0};
    linnet_status status = ln_api_point_reach(&point, model, at, NULL, report);
    if (status == LINNET_OK)
        status = ln_margins_find_any(&point.small, &point.simulation.settings, signal,
                                     model->request.linear, &found);
    if (status == LINNET_OK)
        *margins = summary(&found);
    ln_margins_free(&found);
    ln_api_point_free(&point);
    return ln_api_end(report, status);
}
