/* SPDX-License-Identifier: MIT */
/* How far a step may go before it passes over what a delay gives back within it.
 *
 * What a delay gives in the coming step is known before it is taken, like a source. Where nothing
 * that is stored lies between a delay and the next, as along lines that end in resistances, no
 * error estimate sees it: the algebra is exact at a method's stages, and between them the method's
 * polynomial stands for it, in the result and in what is delayed again. So a step is no longer than
 * such a polynomial meets the samples that were recorded; these lie closer where the signal is
 * faster. */
#include "system/delay_line.h"

#include "system/active.h"
#include <math.h>

/* of a method's polynomial between its stages: radau5's */
enum { MOST_DEGREE = 3, MOST_NODES = MOST_DEGREE + 1 };

/* A window of the past: seen through the delay while a step of h from side.t is taken. */
typedef struct window {
    const ln_history *history;
    int stretch;
    double begin, h;
    int degree;
} window;

/* The signal at s, not later than the last sample but by rounding: no step is at hand, and its end,
 * given as (s, 0), takes no part. */
static double past(const window *w, double s) {
    double out[LN_DELAY_OUTPUTS];
    s = fmin(s, ln_history_last(w->history)->t);
    ln_history_evaluate(w->history, w->stretch, s, s, 0, out);
    return out[LN_VALUE];
}

/* The polynomial of the method's degree through even points of the window, at s (Lagrange). */
static double follow(const window *w, const double *value, double s) {
    double sum = 0;
    for (int j = 0; j <= w->degree; j++) {
        double product = value[j];
        for (int k = 0; k <= w->degree; k++)
            if (k != j)
                product *= ((s - w->begin) / w->h * w->degree - k) / (j - k);
        sum += product;
    }
    return sum;
}

/* Does it meet all samples within the window? */
static int is_followed(const window *w, double error) {
    double value[MOST_NODES];
    const ln_history *history = w->history;
    size_t k = ln_history_later(history, w->begin);
    const double end = w->begin + w->h;
    if (k >= history->count || !(history->samples[k].t < end))
        return 1; /* nothing is known to happen in it */
    for (int j = 0; j <= w->degree; j++)
        value[j] = past(w, w->begin + w->h * j / w->degree);
    for (; k < history->count && history->samples[k].t < end; k++)
        if (history->samples[k].stretch == w->stretch &&
            !(fabs(follow(w, value, history->samples[k].t) - history->samples[k].u) <= error))
            return 0;
    return 1;
}

/* Would a step of h, through which the past from `seen_from` on is seen, be followed? Beyond the
 * last sample a signal is what the step makes of it, by a polynomial through the samples before:
 * where the delay leads back to itself, that could grow with every turn. So a step longer than the
 * delay is followed only where the last h of the signal was, or half of it if a breakpoint is
 * nearer. */
static int is_step_followed(const delay_line *delay, double seen_from, double h, int degree,
                            double error) {
    const ln_history *history = &delay->history;
    const ln_history_sample *last = ln_history_last(history);
    const double seen = h * fmax(0, 1 - delay->lag_slope);
    const int is_known = seen_from + seen <= last->t;
    window w = {history, ln_history_stretch(history, seen_from), seen_from, seen, degree};
    if (!is_known) {
        w.stretch = last->stretch;
        w.h = fmin(h, ln_history_depth(history, last->stretch, last->t));
        w.begin = last->t - w.h;
    }
    return w.stretch == LN_BEFORE || ((is_known || h <= 2 * w.h) && is_followed(&w, error));
}

static double bound_of(const delay_line *delay, const linnet_delay *request, ln_side side,
                       double most, int degree, double error) {
    const double seen_from = side.t - request->lag;
    while (!is_step_followed(delay, seen_from, most, degree, error))
        most = most > request->lag && most < 2 * request->lag ? request->lag : most / 2;
    return most;
}

double ln_delays_lookahead_bound(const ln_system *system, ln_side side, const double *x,
                                 double most, int degree, double tolerance) {
    const ln_delays *delays = system->delays;
    if (degree > MOST_DEGREE)
        degree = MOST_DEGREE;
    for (int index = 0; index < system->nhybrid; index++) {
        const int count = system->hybrid[index].instance->block.type->ndelays;
        if (count == 0)
            continue;
        ln_delays_request(system, index, side, x);
        const double error = tolerance * ln_delays_size(system, index);
        for (int k = 0; k < count; k++) {
            const delay_line *delay = &delays->all[delays->first[index] + k];
            if (!delay->is_derivative && delays->request[k].lag > 0)
                most = bound_of(delay, &delays->request[k], side, most, degree, error);
        }
    }
    return most;
}

double ln_delays_rates_span(const ln_system *system) {
    double least = INFINITY;
    for (int k = 0; k < system->delays->count; k++) {
        const delay_line *delay = &system->delays->all[k];
        const double span = delay->is_derivative ? ln_history_span(&delay->history) : 0;
        if (span > 0)
            least = fmin(least, span);
    }
    return least;
}

/* ---- steps that are longer than a delay ---- */

double ln_delays_shortest(const ln_system *system) {
    double shortest = INFINITY;
    for (int k = 0; k < ln_delays_count(system->delays); k++) {
        const delay_line *delay = &system->delays->all[k];
        if (!delay->is_derivative && delay->lag > 0)
            shortest = fmin(shortest, delay->lag);
    }
    return shortest;
}

void ln_delays_foresee(ln_system *system, ln_side side, const double *x) {
    for (int index = 0; index < system->nhybrid; index++) {
        const int count = system->hybrid[index].instance->block.type->ndelays;
        if (count == 0)
            continue;
        const double *output = ln_delays_outputs(system, index, side, x);
        for (int k = 0; k < count; k++)
            system->delays->all[system->delays->first[index] + k].foreseen =
                output[LN_DELAY_OUTPUTS * k + LN_VALUE];
    }
}

double ln_delays_forecast_error(ln_system *system, ln_side side, const double *x) {
    ln_delays *delays = system->delays;
    double worst = 0;
    for (int index = 0; index < system->nhybrid; index++) {
        const int count = system->hybrid[index].instance->block.type->ndelays;
        if (count == 0)
            continue;
        const double *output = ln_delays_outputs(system, index, side, x);
        const double size = ln_delays_size(system, index);
        for (int k = 0; k < count; k++) {
            const delay_line *delay = &delays->all[delays->first[index] + k];
            if (!delay->is_derivative)
                worst = fmax(
                    worst, fabs(output[LN_DELAY_OUTPUTS * k + LN_VALUE] - delay->foreseen) / size);
        }
    }
    for (int k = 0; k < delays->count; k++)
        ln_history_drop_within(&delays->all[k].history);
    return worst;
}

void ln_delays_add_errors(const ln_system *system, double tolerance, double *error) {
    for (int index = 0; index < system->nhybrid; index++) {
        const ln_active *active = &system->hybrid[index];
        if (active->instance->block.type->ndelays == 0)
            continue;
        for (int j = 0; j < active->nlocal; j++)
            if (active->row[j] >= 0)
                error[active->row[j]] += tolerance * ln_delays_size(system, index);
    }
}
