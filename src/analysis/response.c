/* SPDX-License-Identifier: MIT */
/* One factorisation a frequency serves the response and its derivative. The phase is unwrapped by
 * the exact slope (minus the group delay) at both ends of each interval, so that a coarse grid does
 * not lose whole turns, nor invent them. */
#include "analysis/response.h"
#include "base/constants.h"

#include "base/sys.h"
#include "base/text.h"
#include <math.h>
#include <string.h>

static const double degree = 180 / LN_PI;
static const char *const blanks = " \t,";

static int count_names(const char *names) {
    int count = 0;
    for (const char *at = names + strspn(names, blanks); *at != '\0';
         at += strspn(at, blanks), count++)
        at += strcspn(at, blanks);
    return count;
}

static void add_pair(double *pairs, int at, double complex value) {
    pairs[2 * at] += creal(value);
    pairs[2 * at + 1] += cimag(value);
}

/* NAME:SIZE@DEGREES: the name is cut off, the rest is the weight; 1 where nothing follows. */
static double complex take_weight(char *name) {
    char *colon = strrchr(name, ':');
    const char *end;
    if (colon == NULL)
        return 1;
    const double size = ln_number_read(colon + 1, &end);
    double degrees = 0;
    int fine = end != colon + 1;
    if (fine && *end == '@') {
        const char *angle = end + 1;
        degrees = ln_number_read(angle, &end);
        fine = end != angle;
    }
    if (!fine || *end != '\0')
        return 1;
    *colon = '\0';
    return size * (cos(degrees / degree) + I * sin(degrees / degree));
}

/* What an input adds to the rows, with the weight of the k-th. */
static linnet_status drive(ln_response *response, const ln_input *input, const char *name, int k) {
    const ln_small_signal *small = response->small;
    memset(response->column, 0, (size_t)small->n * sizeof *response->column);
    ln_system_input_column(input, response->column, 1);
    for (int i = 0; i < small->n; i++)
        add_pair(response->b, i, response->weights[k] * response->column[i]);
    return ln_delayed_input(response->small, name, k, &response->in_b);
}

static linnet_status read_inputs(ln_response *response, const char *inputs) {
    ln_small_signal *small = response->small;
    int k = 0;
    for (const char *at = inputs + strspn(inputs, blanks); *at != '\0';
         at += strspn(at, blanks), k++) {
        size_t length = strcspn(at, blanks);
        char *name = ln_arena_text(response->arena, at, length);
        if (name == NULL)
            return ln_no_memory(small->report);
        response->weights[k] = take_weight(name);
        LN_TRY(ln_small_signal_input(small, name, &response->inputs[k]));
        LN_TRY(drive(response, &response->inputs[k], name, k));
        at += length;
    }
    return LINNET_OK;
}

/* What an output sees of the inputs directly. */
static linnet_status read_output(ln_response *response, int k, const ln_quantity *quantity,
                                 double *direct) {
    ln_small_signal *small = response->small;
    LN_TRY(ln_small_signal_output(small, quantity, response->inputs, response->ninputs,
                                  response->c + (size_t)k * (size_t)small->n, direct));
    response->d[k] = 0;
    for (int j = 0; j < response->ninputs; j++)
        response->d[k] += response->weights[j] * direct[j];
    return LINNET_OK;
}

static linnet_status read_outputs(ln_response *response, const char *outputs) {
    ln_small_signal *small = response->small;
    double *direct = LN_NEW(response->arena, double, response->ninputs);
    if (direct == NULL)
        return ln_no_memory(small->report);
    const ln_network *network = small->system->network;
    int k = 0;
    for (const char *at = outputs + strspn(outputs, blanks); *at != '\0';
         at += strspn(at, blanks), k++) {
        size_t length = strcspn(at, blanks);
        const char *name = ln_arena_text(response->arena, at, length), *nearest = NULL;
        ln_quantity quantity;
        if (name == NULL)
            return ln_no_memory(small->report);
        if (!ln_network_find(network, name, &quantity, &nearest))
            return ln_fail(small->report, LINNET_USAGE, LN_NOWHERE, "there is no '%s'%s%s%s", name,
                           nearest != NULL ? "; did you mean '" : "",
                           nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
        response->names[k] = name;
        response->units[k] = quantity.unit != NULL ? quantity.unit : "";
        LN_TRY(read_output(response, k, &quantity, direct));
        LN_TRY(ln_delayed_output(small, &quantity, response->inputs, response->ninputs,
                                 (ln_output_shares){k, &response->in_c, &response->in_d}));
        at += length;
    }
    return LINNET_OK;
}

linnet_status ln_response_begin(ln_response *response, ln_small_signal *small, const char *input,
                                const char *outputs, ln_linear_kind kind) {
    *response = (ln_response){.small = small, .arena = small->arena, .input = input};
    ln_arena *arena = small->arena;
    response->noutputs = count_names(outputs);
    response->ninputs = count_names(input);
    if (response->noutputs == 0 || response->ninputs == 0)
        return ln_fail(small->report, LINNET_USAGE, LN_NOWHERE, "the %s is missing; name a signal",
                       response->noutputs == 0 ? "output" : "input");
    size_t n = (size_t)small->n, count = (size_t)response->noutputs;
    response->inputs = LN_NEW(arena, ln_input, response->ninputs);
    response->weights = LN_NEW(arena, double complex, response->ninputs);
    response->names = LN_NEW(arena, const char *, count);
    response->units = LN_NEW(arena, const char *, count);
    response->c = LN_NEW(arena, double, count *n);
    response->d = LN_NEW(arena, double complex, count);
    response->values = LN_NEW(arena, double, 2 * (size_t)small->pattern->start[small->n]);
    response->b = LN_NEW(arena, double, 2 * n);
    response->x = LN_NEW(arena, double, 2 * n);
    response->dx = LN_NEW(arena, double, 2 * n);
    response->column = LN_NEW(arena, double, n);
    response->factor = LN_NEW(arena, double complex, small->nterms);
    response->slope = LN_NEW(arena, double complex, small->nterms);
    response->solver = ln_linear_new_complex(small->pattern, kind);
    if (!LN_ALL_SET(response->inputs, response->weights, response->names, response->units,
                    response->c, response->d, response->values, response->b, response->x,
                    response->dx, response->column, response->factor, response->slope,
                    response->solver))
        return ln_no_memory(small->report);
    LN_TRY(ln_delayed_matrix(small, &response->in_a));
    LN_TRY(read_inputs(response, input));
    return read_outputs(response, outputs);
}

void ln_response_free(ln_response *response) {
    ln_linear_free(response->solver);
    ln_sys->release(response->in_a.items);
    ln_sys->release(response->in_b.items);
    ln_sys->release(response->in_c.items);
    ln_sys->release(response->in_d.items);
    *response = (ln_response){.noutputs = 0};
}

linnet_status ln_response_join(ln_response *response, const char *input) {
    ln_input more;
    LN_TRY(ln_small_signal_input(response->small, input, &more));
    return drive(response, &more, input, 0);
}

/* ---- at a frequency ---- */

static double complex pair(const double *pairs, int at) {
    return pairs[2 * at] + pairs[2 * at + 1] * I;
}

/* What delays add to the right-hand side. */
static void add_late(const ln_response *response, double *out, const double complex *factor) {
    for (size_t k = 0; k < response->in_b.count; k++) {
        const ln_delay_share *share = &response->in_b.items[k];
        add_pair(out, share->row,
                 factor[share->term] * share->value * response->weights[share->col]);
    }
}

/* b' - (s E + A)' x, the right-hand side of x'. */
static void fill_slope(ln_response *response) {
    memset(response->dx, 0, 2 * (size_t)response->small->n * sizeof *response->dx);
    ln_delayed_slope(response->small, &response->in_a, response->slope, response->x, response->dx);
    add_late(response, response->dx, response->slope);
}

/* c x of output k. */
static double complex seen(const ln_response *response, int k, const double *x) {
    const double *c = response->c + (size_t)k * (size_t)response->small->n;
    double complex sum = 0;
    for (int i = 0; i < response->small->n; i++)
        sum += c[i] * pair(x, i);
    return sum;
}

/* What delays add to it: their factors times c_k x, and times d_k. */
static double complex seen_late(const ln_response *response, int k, const double *x,
                                const double complex *factor, int direct) {
    double complex sum = 0;
    for (size_t i = 0; i < response->in_c.count; i++) {
        const ln_delay_share *share = &response->in_c.items[i];
        if (share->row == k)
            sum += factor[share->term] * share->value * pair(x, share->col);
    }
    for (size_t i = 0; i < response->in_d.count && direct; i++)
        if (response->in_d.items[i].row == k)
            sum += factor[response->in_d.items[i].term] * response->in_d.items[i].value *
                   response->weights[response->in_d.items[i].col];
    return sum;
}

linnet_status ln_response_at(ln_response *response, double complex s, double complex *h,
                             double complex *dh) {
    const ln_small_signal *small = response->small;
    ln_delayed_factors(small, s, response->factor, response->slope);
    ln_delayed_pencil(small, &response->in_a, s, response->factor, response->values);
    switch (ln_linear_factor(response->solver, response->values)) {
    case LN_FACTORED: break;
    case LN_SINGULAR: return LINNET_RETRY;
    default: return ln_no_memory(small->report);
    }
    memcpy(response->x, response->b, 2 * (size_t)small->n * sizeof *response->x);
    add_late(response, response->x, response->factor);
    ln_linear_solve(response->solver, response->x);
    for (int k = 0; k < response->noutputs; k++)
        h[k] = response->d[k] + seen(response, k, response->x) +
               seen_late(response, k, response->x, response->factor, 1);
    if (dh == NULL)
        return LINNET_OK;
    fill_slope(response);
    ln_linear_solve(response->solver, response->dx);
    for (int k = 0; k < response->noutputs; k++)
        dh[k] = seen(response, k, response->dx) +
                seen_late(response, k, response->dx, response->factor, 0) +
                seen_late(response, k, response->x, response->slope, 1);
    return LINNET_OK;
}

/* ---- sweeps ---- */

/* The branch of the angle nearest to what the slopes of both ends foretell. */
static double unwrap(double angle, double predicted) {
    return angle + 360 * round((predicted - angle) / 360);
}

linnet_status ln_bode_begin(ln_small_signal *small, int count, int noutputs, ln_bode *out) {
    const size_t all = (size_t)count * (size_t)noutputs;
    *out = (ln_bode){.count = count, .noutputs = noutputs};
    out->frequency = LN_NEW(small->arena, double, count);
    out->h = LN_NEW(small->arena, double complex, all);
    out->decibel = LN_NEW(small->arena, double, all);
    out->phase = LN_NEW(small->arena, double, all);
    out->delay = LN_NEW(small->arena, double, all);
    return LN_ALL_SET(out->frequency, out->h, out->decibel, out->phase, out->delay)
               ? LINNET_OK
               : ln_no_memory(small->report);
}

/* The turns between two points as the slopes at both foretell them, evenly over frequency (a dead
 * time) or over its logarithm (lags); of both the one that turns less. */
static double turn_between(const ln_bode *bode, int k, int next, int output) {
    const double *delay = bode->delay + (size_t)output * (size_t)bode->count;
    const double low = bode->frequency[k], high = bode->frequency[next];
    const double evenly = -(delay[k] + delay[next]) / 2 * (high - low);
    const double by_ratio = -(delay[k] * low + delay[next] * high) / 2 * log(high / low);
    return fabs(by_ratio) < fabs(evenly) ? by_ratio : evenly;
}

/* The phase follows from the last point that has one. */
void ln_bode_put(ln_bode *out, int output, int k, double complex h, double complex dh) {
    const size_t first = (size_t)output * (size_t)out->count, at = first + (size_t)k;
    out->h[at] = h;
    out->decibel[at] = 20 * log10(cabs(h));
    out->phase[at] = carg(h) * degree;
    out->delay[at] = h != 0 ? -creal(dh / h) : NAN; /* -d arg H(jw)/dw = -Im(j H'/H) */
    int before = k - 1;
    while (before >= 0 && isnan(out->phase[first + (size_t)before]))
        before--;
    if (before < 0)
        return;
    const double turn = 360 * turn_between(out, before, k, output);
    out->phase[at] =
        unwrap(out->phase[at], out->phase[first + (size_t)before] + (isfinite(turn) ? turn : 0));
}

linnet_status ln_bode_sweep(ln_response *response, const double *frequency, int count,
                            int (*stop)(void *context), void *context, ln_bode *out) {
    const double tau = 6.283185307179586476925;
    LN_TRY(ln_bode_begin(response->small, count, response->noutputs, out));
    double complex *h = LN_NEW(response->arena, double complex, response->noutputs);
    double complex *dh = LN_NEW(response->arena, double complex, response->noutputs);
    if (h == NULL || dh == NULL)
        return ln_no_memory(response->small->report);
    for (int k = 0; k < count; k++) {
        if (stop != NULL && stop(context))
            return LINNET_INTERRUPTED;
        out->frequency[k] = frequency[k];
        linnet_status status = ln_response_at(response, tau * frequency[k] * I, h, dh);
        if (status < 0)
            return status;
        if (status != LINNET_OK)
            out->poles++;
        for (int j = 0; j < response->noutputs; j++)
            if (status == LINNET_OK)
                ln_bode_put(out, j, k, h[j], dh[j]);
            else
                ln_bode_put(out, j, k, NAN, NAN);
    }
    return LINNET_OK;
}
