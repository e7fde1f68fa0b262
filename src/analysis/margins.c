/* SPDX-License-Identifier: MIT */
/* Where a loop is opened, how many modes of it grow, and its curve. */
#include "analysis/margins.h"

#include "analysis/loop_curve.h"
#include "base/sys.h"
#include "linear/reduce.h"
#include <math.h>
#include <string.h>

static const double tau = 6.283185307179586476925;

/* With transport delays L turns for ever. Nobody asks for a gain margin above 100, or for the five
 * thousandth turn. */
static const double FAINT = 0.01;
static const double NOTHING = 1e-9; /* |L| of which rounding begins to decide the angle */
/* |L| of a physical loop that is rounding of the potentials and fluxes from which it follows. */
static const double UNSEEN = 1e-12;
enum { MOST_TURNS = 5000 };

/* ---- where it is opened ---- */

typedef struct opening_place {
    ln_small_signal *small;
    ln_loop_probe *probe; /* at physical ports; NULL: at a signal, with */
    ln_response *response;
    const char **readers;
    int nreaders, unknown;
    double *b; /* the column of what is added to the signal, at all readers */
} opening_place;

/* Does this joint read the signal, and is it what is opened: any reader, or the one that is named?
 */
static int is_opened(const ln_network *network, const ln_joint *joint, const char *signal, int only,
                     ln_arena *arena, const char **name) {
    const ln_instance *instance = &network->instances[joint->instance];
    const linnet_port *port = &instance->block.type->ports[joint->port];
    if (!(port->flags & LINNET_INPUT))
        return 0;
    *name = ln_arena_printf(arena, "%s.%s", instance->name, port->name);
    return *name == NULL || !only || strcmp(*name, signal) == 0;
}

/* What is added to the signal enters every reader; b becomes the sum of their columns. */
static linnet_status add_reader(opening_place *place, const ln_link *link, const char *name,
                                ln_linear_kind kind) {
    ln_small_signal *small = place->small;
    ln_input input;
    if (place->nreaders == 0)
        LN_TRY(ln_response_begin(place->response, small, name, link->name, kind));
    else
        LN_TRY(ln_response_join(place->response, name));
    LN_TRY(ln_small_signal_input(small, name, &input));
    LN_TRY(ln_small_signal_column(small, &input, place->b));
    place->readers[place->nreaders++] = name;
    return LINNET_OK;
}

static linnet_status add_readers(opening_place *place, const ln_link *link, const char *signal,
                                 ln_linear_kind kind) {
    ln_small_signal *small = place->small;
    const ln_network *network = small->system->network;
    const char *name = NULL;
    int only = 0;
    place->readers = LN_NEW(small->arena, const char *, link->nports);
    place->b = LN_NEW(small->arena, double, small->n);
    place->unknown = link->unknown;
    if (place->readers == NULL || place->b == NULL)
        return ln_no_memory(small->report);
    for (int k = 0; k < link->nports && !only; k++)
        only =
            is_opened(network, &network->joints[link->first + k], signal, 1, small->arena, &name);
    for (int k = 0; k < link->nports; k++) {
        if (!is_opened(network, &network->joints[link->first + k], signal, only, small->arena,
                       &name))
            continue;
        if (name == NULL)
            return ln_no_memory(small->report);
        LN_TRY(add_reader(place, link, name, kind));
    }
    if (place->nreaders == 0)
        return ln_fail(small->report, LINNET_USAGE, LN_NOWHERE,
                       "nothing reads '%s': it is in no loop; linnet loops "
                       "lists those there are",
                       signal);
    place->response->d[0] = 0; /* what the driver gives, without what is added */
    return LINNET_OK;
}

static linnet_status begin_at_signal(opening_place *place, const char *signal,
                                     ln_linear_kind kind) {
    ln_small_signal *small = place->small;
    const ln_network *network = small->system->network;
    ln_quantity quantity;
    const char *nearest = NULL;
    if (!ln_network_find(network, signal, &quantity, &nearest))
        return ln_fail(small->report, LINNET_USAGE, LN_NOWHERE,
                       "there is no signal and no physical port '%s' to open a loop at%s%s%s",
                       signal, nearest != NULL ? "; did you mean '" : "",
                       nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
    for (int k = 0; quantity.kind == LN_Q_UNKNOWN && k < network->nlinks; k++)
        if (network->links[k].unknown == quantity.index &&
            network->links[k].domain == LINNET_SIGNAL)
            return add_readers(place, &network->links[k], signal, kind);
    return ln_fail(small->report, LINNET_USAGE, LN_NOWHERE,
                   "a loop is opened at a signal or a physical port, which '%s' is not; name a "
                   "signal link, a block's signal input or one of its physical ports",
                   signal);
}

static linnet_status begin(opening_place *place, const char *name, ln_linear_kind kind,
                           ln_loop_curve *curve) {
    const linnet_status status = ln_loop_probe_begin(place->small, name, kind, &place->probe);
    if (status == LINNET_RETRY)
        return begin_at_signal(place, name, kind);
    curve->at = ln_loop_at_probe;
    curve->probe = place->probe;
    return status;
}

/* ---- who grows ---- */

/* The natural modes, of the delays' approximants too: a cross-check, and where the curve is looked
 * at. *marginal: those on the axis, as pairs. */
static linnet_status use_modes(ln_small_signal *exact, ln_margins *out, ln_frequencies *list,
                               double **marginal) {
    ln_small_signal expanded;
    ln_modes modes = {.count = 0};
    linnet_status status = ln_pade_expand(exact, LN_MARGINS_PADE, &expanded);
    const int all = expanded.n <= LN_DENSE_MODES;
    if (status == LINNET_OK)
        status = all ? ln_modes_find(&expanded, 0, 0, 0, &modes)
                     : ln_modes_find(&expanded, 50, 1e-3, 0, &modes);
    out->growing = out->marginal = all ? 0 : -1;
    if (status == LINNET_OK)
        status = ln_frequencies_add(list, modes.values, modes.count);
    *marginal = status == LINNET_OK ? LN_NEW(out->arena, double, 2 * (size_t)modes.count) : NULL;
    if (status == LINNET_OK && *marginal == NULL)
        status = LINNET_MEMORY;
    for (int k = 0; status == LINNET_OK && all && k < modes.count; k++) {
        const ln_eigenmode *mode = &modes.modes[k];
        if (mode->re > 0)
            out->growing++;
        if (mode->re != 0)
            continue;
        (*marginal)[2 * out->marginal] = 0;
        (*marginal)[2 * out->marginal++ + 1] = mode->im;
    }
    ln_modes_free(&modes);
    ln_small_signal_free(&expanded);
    return status == LINNET_MEMORY ? ln_no_memory(exact->report) : status;
}

/* L at infinite frequency, if it has a value there: unless it differentiates, or delays turn it. */
static void read_end(const ln_opening *opening, const ln_proper *proper, ln_loop_curve *curve) {
    const int last = opening->ndelays, count = opening->count;
    int into = 0, out_of = 0;
    for (int k = 0; k < last; k++) {
        into |= proper->D[last * count + k] != 0 || proper->improper[last * count + k];
        out_of |= proper->D[k * count + last] != 0 || proper->improper[k * count + last];
    }
    curve->ends = !proper->improper[last * count + last] && !(into && out_of);
    curve->end = -proper->D[last * count + last];
}

static linnet_status find_end(const ln_opening *opening, ln_loop_curve *curve) {
    const ln_border border = {opening->count, opening->count, opening->B, opening->C, opening->D};
    ln_arena *scratch = ln_arena_new();
    ln_reduced reduced;
    ln_proper proper;
    linnet_status status =
        scratch == NULL ? LINNET_MEMORY : ln_reduce(&opening->open, &border, scratch, &reduced);
    if (status == LINNET_OK)
        status = ln_reduced_proper(&reduced, &border, scratch, &proper);
    if (status == LINNET_OK)
        read_end(opening, &proper, curve);
    ln_arena_free(scratch);
    return status == LINNET_MEMORY ? LINNET_MEMORY : LINNET_OK;
}

/* Beyond all natural frequencies L of a physical loop without delays is c s^r but for the ratio of
 * the frequencies: FAR_OUT of them away c is known to that part. */
static linnet_status find_end_of_probe(const ln_small_signal *small, const ln_frequencies *list,
                                       ln_loop_curve *curve) {
    static const double FAR_OUT = 1e8;
    const double w = FAR_OUT * (list->high > 0 ? list->high : 1);
    ln_loop_point point;
    if (small->nterms > 0)
        return LINNET_OK;
    const linnet_status status = curve->at(curve, w, &point);
    if (status != LINNET_OK)
        return status == LINNET_RETRY ? LINNET_OK : status;
    const double degree = point.L != 0 ? creal(point.dL / point.L) * w : -1;
    curve->ends = degree < 0.5;
    curve->end = degree > -0.5 ? creal(point.L) : 0;
    return LINNET_OK;
}

/* Nyquist's count on the exact curve. Of a physical loop the delays alone are opened: without them
 * nothing turns, and the natural modes are the count. */
static linnet_status count_turns(const opening_place *place, const double *marginal,
                                 ln_frequencies *list, ln_loop_curve *curve, ln_margins *out) {
    const ln_opened_loop loop = {place->b, place->readers, place->nreaders, place->unknown};
    ln_opening opening;
    ln_nyquist count;
    linnet_status status =
        ln_opening_make(place->small, place->probe != NULL ? NULL : &loop, &opening);
    if (status == LINNET_RETRY || place->small->n > LN_DENSE_MODES)
        return LINNET_OK; /* too large: only the modes are told */
    LN_TRY(status);
    LN_TRY(ln_nyquist_count(&opening, marginal, out->marginal, list, &count));
    out->unstable = count.turns_off ? -1 : count.unstable;
    return place->probe != NULL ? find_end_of_probe(place->small, list, curve)
                                : find_end(&opening, curve);
}

/* ---- the whole ---- */

/* Does anything come back, of which the largest |L| is told? */
static linnet_status is_closed(const ln_loop_curve *curve, double largest,
                               const ln_small_signal *small, const char *signal) {
    if (largest > (curve->probe != NULL ? UNSEEN : 0))
        return LINNET_OK;
    return ln_fail(small->report, LINNET_USAGE, LN_NOWHERE,
                   "nothing comes back to '%s': it is in no loop; linnet "
                   "loops lists those there are",
                   signal);
}

static double largest_of(const ln_loop_curve *curve) {
    double largest = 0;
    for (size_t k = 0; k < curve->count; k++)
        largest = fmax(largest, cabs(curve->points[k].L));
    return largest;
}

/* The range in which the curve is sampled. */
static void choose_range(const ln_small_signal *exact, const ln_frequencies *list, double *low,
                         double *high) {
    double longest = 0;
    for (int k = 0; k < exact->nterms; k++)
        longest = fmax(longest, exact->terms[k].lag);
    *low = list->high > 0 ? 1e-4 * list->low : longest > 0 ? 1e-3 / longest : 1e-3;
    *high = list->high > 0 ? 1e4 * list->high : 1e3;
    if (longest > 0)
        *high = fmin(fmax(*high, 100 / longest), MOST_TURNS * tau / longest);
}

static linnet_status find_in(opening_place *place, const char *signal, ln_loop_curve *curve,
                             ln_frequencies *list, ln_margins *out) {
    ln_small_signal *small = place->small;
    double low, high, *marginal = NULL;
    LN_TRY(use_modes(small, out, list, &marginal));
    LN_TRY(count_turns(place, marginal, list, curve, out));
    choose_range(small, list, &low, &high);
    curve->faint = small->nterms > 0 ? FAINT : NOTHING;
    LN_TRY(ln_loop_sample(curve, low, high, list->w, list->count));
    LN_TRY(is_closed(curve, largest_of(curve), small, signal));
    LN_TRY(ln_loop_crossings(curve, out));
    out->points = curve->points;
    out->npoints = (int)curve->count;
    curve->points = NULL;
    return LINNET_OK;
}

linnet_status ln_margins_find(ln_small_signal *small, const char *signal, ln_linear_kind kind,
                              ln_margins *out) {
    ln_response response = {.noutputs = 0};
    ln_loop_curve curve = {.at = ln_loop_at_signal, .response = &response, .end_w = INFINITY};
    ln_frequencies list = {.count = 0};
    opening_place place = {.small = small, .response = &response};
    *out = (ln_margins){.arena = ln_arena_new(), .delays = small->nterms, .unstable = -1};
    linnet_status status = out->arena != NULL ? begin(&place, signal, kind, &curve) : LINNET_MEMORY;
    if (status == LINNET_OK)
        status = find_in(&place, signal, &curve, &list, out);
    ln_sys->release(curve.points);
    ln_sys->release(list.w);
    ln_response_free(&response);
    ln_loop_probe_free(place.probe);
    if (status == LINNET_MEMORY)
        (void)ln_no_memory(small->report);
    return status;
}

static linnet_status sweep_curve(const ln_loop_curve *curve, const ln_loop_sweep *sweep,
                                 double *largest, ln_bode *out) {
    *largest = 0;
    for (int k = 0; k < sweep->count; k++) {
        ln_loop_point point = {.L = NAN, .dL = NAN};
        if (sweep->stop != NULL && sweep->stop(sweep->context))
            return LINNET_INTERRUPTED;
        const linnet_status status = curve->at(curve, tau * sweep->frequency[k], &point);
        if (status < 0)
            return status;
        out->poles += status != LINNET_OK;
        *largest = fmax(*largest, cabs(point.L));
        out->frequency[k] = sweep->frequency[k];
        ln_bode_put(out, 0, k, point.L, -I * point.dL);
    }
    return LINNET_OK;
}

linnet_status ln_loop_bode(ln_small_signal *small, const char *signal, ln_linear_kind kind,
                           const ln_loop_sweep *sweep, ln_bode *out) {
    ln_response response = {.noutputs = 0};
    ln_loop_curve curve = {.at = ln_loop_at_signal, .response = &response};
    opening_place place = {.small = small, .response = &response};
    double largest;
    linnet_status status = begin(&place, signal, kind, &curve);
    if (status == LINNET_OK)
        status = ln_bode_begin(small, sweep->count, 1, out);
    if (status == LINNET_OK)
        status = sweep_curve(&curve, sweep, &largest, out);
    if (status == LINNET_OK && out->poles < sweep->count)
        status = is_closed(&curve, largest, small, signal);
    ln_response_free(&response);
    ln_loop_probe_free(place.probe);
    return status;
}

int ln_margins_growing(const ln_margins *margins) {
    if (margins->unstable >= 0)
        return margins->unstable;
    return margins->delays > 0 ? -1 : margins->growing;
}

void ln_margins_free(ln_margins *margins) {
    ln_sys->release(margins->crossings);
    ln_sys->release(margins->points);
    ln_arena_free(margins->arena);
    *margins = (ln_margins){.ncrossings = 0};
}
