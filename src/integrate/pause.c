/* SPDX-License-Identifier: MIT */
/* States of runs to bytes and back: see pause.h. */
#include "integrate/pause.h"

#include "system/delay.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- counts ---- */

enum { SINGLE = 11, COUNTS = SINGLE + LN_CAUSES };

static void list_counts(ln_statistics *statistics, long *list[COUNTS]) {
    long *const all[SINGLE] = {
        &statistics->steps,       &statistics->rejected,   &statistics->newton,
        &statistics->factored,    &statistics->refactored, &statistics->solved,
        &statistics->evaluations, &statistics->events,     &statistics->breakpoints,
        &statistics->damped,      &statistics->leaps};
    memcpy(list, all, sizeof all);
    for (int k = 0; k < LN_CAUSES; k++)
        list[SINGLE + k] = &statistics->by[k];
}

void ln_pause_add_counts(ln_statistics *sum, const ln_statistics *part) {
    long *into[COUNTS], *from[COUNTS];
    ln_statistics copy = *part;
    list_counts(sum, into);
    list_counts(&copy, from);
    for (int k = 0; k < COUNTS; k++)
        *into[k] += *from[k];
    if (part->smallest > 0 && (sum->smallest == 0 || part->smallest < sum->smallest))
        sum->smallest = part->smallest;
    sum->largest = fmax(sum->largest, part->largest);
    if (part->local_error <= sum->local_error)
        return;
    sum->local_error = part->local_error;
    memcpy(sum->local_error_of, part->local_error_of, sizeof sum->local_error_of);
}

void ln_pause_save_counts(ln_bytes *bytes, const ln_statistics *counts) {
    long *list[COUNTS];
    ln_statistics copy = *counts;
    list_counts(&copy, list);
    for (int k = 0; k < COUNTS; k++)
        ln_bytes_put_long(bytes, *list[k]);
    const double sizes[] = {counts->smallest, counts->largest, counts->local_error};
    ln_bytes_put(bytes, sizes, sizeof sizes);
    ln_bytes_put(bytes, counts->local_error_of, sizeof counts->local_error_of);
}

void ln_pause_load_counts(ln_bytes *bytes, ln_statistics *counts) {
    long *list[COUNTS];
    list_counts(counts, list);
    for (int k = 0; k < COUNTS; k++)
        *list[k] = (long)ln_bytes_get_within(bytes, 0, LONG_MAX / 2);
    counts->smallest = ln_bytes_get_finite(bytes);
    counts->largest = ln_bytes_get_finite(bytes);
    counts->local_error = ln_bytes_get_number(bytes);
    if (counts->smallest < 0 || counts->largest < 0 || counts->local_error < 0)
        bytes->failed = 1;
    ln_bytes_get(bytes, counts->local_error_of, sizeof counts->local_error_of);
    counts->local_error_of[sizeof counts->local_error_of - 1] = '\0';
}

/* ---- the state as bytes ---- */

static size_t size_of(int count) {
    return (size_t)count * sizeof(double);
}

void ln_pause_save(ln_bytes *bytes, const ln_system *system, double t, const double *x) {
    ln_bytes_put_long(bytes, system->n);
    ln_bytes_put_long(bytes, system->network->nmemories);
    ln_bytes_put_double(bytes, t);
    ln_bytes_put(bytes, x, size_of(system->n));
    ln_bytes_put(bytes, system->memory, size_of(system->network->nmemories));
    if (system->delays != NULL)
        ln_delays_save(system->delays, bytes);
}

int ln_pause_load(ln_pause *pause, ln_system *system, double *x) {
    ln_bytes *bytes = &pause->bytes;
    bytes->at = 0;
    if (ln_bytes_get_long(bytes) != system->n ||
        ln_bytes_get_long(bytes) != system->network->nmemories)
        return 0;
    pause->t = ln_bytes_get_finite(bytes);
    for (int k = 0; k < system->n; k++)
        x[k] = ln_bytes_get_finite(bytes);
    for (int k = 0; k < system->network->nmemories; k++)
        system->memory[k] = ln_bytes_get_number(bytes);
    if (bytes->failed)
        return 0;
    return system->delays == NULL || ln_delays_load(system, bytes, pause->t, x);
}

double ln_pause_time(const ln_pause *pause) {
    ln_bytes bytes = pause->bytes; /* read here without moving there */
    bytes.at = 0;
    (void)ln_bytes_get_long(&bytes);
    (void)ln_bytes_get_long(&bytes);
    const double t = ln_bytes_get_finite(&bytes);
    return bytes.failed ? NAN : t;
}

void ln_pause_save_events(ln_bytes *bytes, const ln_events *events) {
    ln_bytes_put_long(bytes, events->system->nevents);
    ln_bytes_put_long(bytes, events->in_window);
    ln_bytes_put_double(bytes, events->window_begin);
    ln_bytes_put(bytes, events->was_true, (size_t)events->system->nevents);
    ln_bytes_put(bytes, events->in_noise, (size_t)events->system->nguards);
    ln_bytes_put(bytes, events->mode_stayed, (size_t)events->system->nguards);
    ln_bytes_put(bytes, events->guard_peak, size_of(events->system->nguards));
}

static void get_flags(ln_bytes *bytes, char *flag, int count) {
    ln_bytes_get(bytes, flag, (size_t)count);
    for (int k = 0; k < count; k++)
        if (flag[k] != 0 && flag[k] != 1)
            bytes->failed = 1;
}

int ln_pause_load_events(ln_bytes *bytes, ln_events *events) {
    if (ln_bytes_get_long(bytes) != events->system->nevents)
        return 0;
    events->in_window = (long)ln_bytes_get_within(bytes, 0, LONG_MAX / 2);
    events->window_begin = ln_bytes_get_number(bytes);
    get_flags(bytes, events->was_true, events->system->nevents);
    get_flags(bytes, events->in_noise, events->system->nguards);
    get_flags(bytes, events->mode_stayed, events->system->nguards);
    for (int k = 0; k < events->system->nguards; k++)
        events->guard_peak[k] = fabs(ln_bytes_get_finite(bytes));
    return !bytes->failed && bytes->at == bytes->length;
}

linnet_status ln_pause_report_misfit(ln_report *report) {
    return ln_fail(report, LINNET_IO, LN_NOWHERE,
                   "the state to go on from does not fit this model");
}
