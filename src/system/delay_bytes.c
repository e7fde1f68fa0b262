/* SPDX-License-Identifier: MIT */
/* The past of all delays as bytes, and back: every value is looked at. */
#include "system/delay_line.h"

#include "base/sys.h"
#include "system/active.h"
#include <float.h>
#include <limits.h>
#include <math.h>

void ln_delays_save(const ln_delays *delays, ln_bytes *bytes) {
    ln_bytes_put_long(bytes, delays->count);
    for (int k = 0; k < delays->count; k++) {
        const delay_line *delay = &delays->all[k];
        ln_history_save(&delay->history, bytes);
        ln_bytes_put_long(bytes, (long long)delay->nbreakpoints);
        for (size_t i = 0; i < delay->nbreakpoints; i++) {
            ln_bytes_put_double(bytes, delay->breakpoints[i].t);
            ln_bytes_put_long(bytes, delay->breakpoints[i].order);
        }
        ln_bytes_put_double(bytes, delay->lag);
        ln_bytes_put_double(bytes, delay->lag_slope);
        ln_bytes_put_long(bytes, delay->is_derivative);
        ln_bytes_put_long(bytes, delay->varies);
        ln_bytes_put_double(bytes, delay->slope);
    }
}

/* Breaks that come back: none later than a delay from now, and no more than the file has bytes for.
 */
static int load_breaks(delay_line *delay, ln_bytes *bytes, double t) {
    double latest = t;
    const long long count =
        ln_bytes_get_within(bytes, 0, (long long)(bytes->length / sizeof(returning_break)));
    delay->nbreakpoints = 0;
    for (long long k = 0; k < count && !bytes->failed; k++) {
        if (!LN_GROW(delay->breakpoints, delay->nbreakpoints, delay->breakpoints_room))
            return 0;
        returning_break *one = &delay->breakpoints[delay->nbreakpoints++];
        one->t = ln_bytes_get_finite(bytes);
        one->order = (int)ln_bytes_get_within(bytes, 0, LN_SMOOTH_ORDER);
        latest = fmax(latest, one->t);
    }
    delay->lag = ln_bytes_get_finite(bytes);
    delay->lag_slope = ln_bytes_get_finite(bytes);
    delay->t = t;
    /* a break comes back a lag after it was, to the rounding of both and is_due()'s tolerance */
    const double rounding = LN_SAME_LAG * delay->lag + 8 * DBL_EPSILON * fmax(fabs(t), delay->lag);
    return !bytes->failed && delay->lag >= 0 && latest <= t + delay->lag + rounding;
}

static int load(delay_line *delay, ln_bytes *bytes, double t) {
    if (!ln_history_load(&delay->history, bytes, t) || !load_breaks(delay, bytes, t))
        return 0;
    delay->is_derivative = (int)ln_bytes_get_within(bytes, 0, 1);
    delay->varies = (int)ln_bytes_get_within(bytes, 0, 1);
    delay->slope = ln_bytes_get_finite(bytes);
    return !bytes->failed;
}

/* The stretch that a delay stands in is a memory: one that its past has. A constant lag stands in
 * none, and its memory is only to be an int. */
static int stands_in_past(const delay_line *delay, double mode) {
    const int last = delay->varies ? ln_history_last(&delay->history)->stretch : INT_MAX;
    return mode >= LN_BEFORE && mode <= last && mode == floor(mode);
}

/* Is that the past of this model? The delays of one instance, as they stand at the point. */
static int fits(const ln_system *system, int index, double t, const double *x) {
    const ln_delays *delays = system->delays;
    const linnet_block_class *type = system->hybrid[index].instance->block.type;
    const delay_line *all = &delays->all[delays->first[index]];
    for (int k = 0; k < type->ndelays; k++)
        if (!stands_in_past(&all[k], ln_delays_modes(system, index)[LN_DELAY_OUTPUTS * k]))
            return 0;
    ln_delays_request(system, index, (ln_side){t, t, LN_MODES_FROZEN}, x);
    for (int k = 0; k < type->ndelays; k++) {
        const linnet_delay *request = &delays->request[k];
        const int rate = request->rate != 0, varies = type->lags_vary && !rate;
        if (all[k].is_derivative != rate || all[k].varies != varies)
            return 0;
        if (!rate && !varies && !(fabs(all[k].lag - request->lag) <= LN_SAME_LAG * request->lag))
            return 0;
    }
    return 1;
}

int ln_delays_load(ln_system *system, ln_bytes *bytes, double t, const double *x) {
    ln_delays *delays = system->delays;
    if (ln_bytes_get_long(bytes) != delays->count)
        return 0;
    for (int k = 0; k < delays->count; k++)
        if (!load(&delays->all[k], bytes, t))
            return 0;
    delays->phase = RUNNING;
    for (int index = 0; index < system->nhybrid; index++)
        if (system->hybrid[index].instance->block.type->ndelays > 0 && !fits(system, index, t, x))
            return 0;
    return 1;
}
