/* SPDX-License-Identifier: MIT */
/* Errors of the past: see error_history.h. */
#include "system/error_history.h"

#include "base/arena.h"
#include "base/sys.h"

#include <string.h>

/* The first sample later than t. */
static size_t later(const ln_error_history *history, double t) {
    size_t low = history->first, high = history->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (history->samples[middle].t > t)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void ln_error_history_begin(ln_error_history *history) {
    history->count = history->first = 0;
}

void ln_error_history_free(ln_error_history *history) {
    ln_sys->release(history->samples);
}

linnet_status ln_error_history_add(ln_error_history *history, double t, double value) {
    if (history->count > 0 && !(history->samples[history->count - 1].t < t))
        history->count--;
    if (!LN_GROW(history->samples, history->count, history->room))
        return LINNET_MEMORY;
    history->samples[history->count++] = (ln_error_sample){t, value};
    return LINNET_OK;
}

/* The last sample of those before stays, from which the next one is reached. Room is gained where
 * more than half of it is free. */
void ln_error_history_forget(ln_error_history *history, double oldest) {
    while (history->first + 1 < history->count && history->samples[history->first + 1].t < oldest)
        history->first++;
    if (history->first <= history->count / 2)
        return;
    history->count -= history->first;
    memmove(history->samples, history->samples + history->first,
            history->count * sizeof *history->samples);
    history->first = 0;
}

double ln_error_history_at(const ln_error_history *history, double when, double t) {
    const size_t next = later(history, when);
    if (next == history->first)
        return 0;
    const ln_error_sample *a = &history->samples[next - 1];
    if (next < history->count)
        return a->value + (a[1].value - a->value) * (when - a->t) / (a[1].t - a->t);
    return t > a->t ? a->value * (1 - (when - a->t) / (t - a->t)) : a->value;
}

double ln_error_history_noted(const ln_error_history *history, double t, double same) {
    const size_t next = later(history, t + same);
    return next > history->first && history->samples[next - 1].t > t - same
               ? history->samples[next - 1].value
               : 0;
}
