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

void ln_pause_save_counts(ln_bytes *state, const ln_statistics *counts) {
    long *list[COUNTS];
    ln_statistics copy = *counts;
    list_counts(&copy, list);
    for (int k = 0; k < COUNTS; k++)
        ln_bytes_put_long(state, *list[k]);
    const double sizes[] = {counts->smallest, counts->largest, counts->local_error};
    ln_bytes_put(state, sizes, sizeof sizes);
    ln_bytes_put(state, counts->local_error_of, sizeof counts->local_error_of);
}

void ln_pause_load_counts(ln_bytes *state, ln_statistics *counts) {
    long *list[COUNTS];
    list_counts(counts, list);
    for (int k = 0; k < COUNTS; k++)
        *list[k] = (long)ln_bytes_get_within(state, 0, LONG_MAX / 2);
    counts->smallest = ln_bytes_get_finite(state);
    counts->largest = ln_bytes_get_finite(state);
    counts->local_error = ln_bytes_get_number(state);
    if (counts->smallest < 0 || counts->largest < 0 || counts->local_error < 0)
        state->failed = 1;
    ln_bytes_get(state, counts->local_error_of, sizeof counts->local_error_of);
    counts->local_error_of[sizeof counts->local_error_of - 1] = '\0';
}

/* ---- the state ---- */

static size_t size_of(int count) {
    return (size_t)count * sizeof(double);
}

void ln_pause_save(ln_bytes *state, const ln_system *system, double t, const double *x) {
    ln_bytes_put_long(state, system->n);
    ln_bytes_put_long(state, system->network->nmemories);
    ln_bytes_put_double(state, t);
    ln_bytes_put(state, x, size_of(system->n));
    ln_bytes_put(state, system->memory, size_of(system->network->nmemories));
    if (system->delays != NULL)
        ln_delays_save(system->delays, state);
}

int ln_pause_load(ln_pause *pause, ln_system *system, double *x) {
    ln_bytes *state = &pause->state;
    state->at = 0;
    if (ln_bytes_get_long(state) != system->n ||
        ln_bytes_get_long(state) != system->network->nmemories)
        return 0;
    pause->t = ln_bytes_get_finite(state);
    for (int k = 0; k < system->n; k++)
        x[k] = ln_bytes_get_finite(state);
    for (int k = 0; k < system->network->nmemories; k++)
        system->memory[k] = ln_bytes_get_number(state);
    if (state->failed)
        return 0;
    return system->delays == NULL || ln_delays_load(system, state, pause->t, x);
}

double ln_pause_time(const ln_pause *pause) {
    ln_bytes state = pause->state; /* read here without moving there */
    state.at = 0;
    (void)ln_bytes_get_long(&state);
    (void)ln_bytes_get_long(&state);
    const double t = ln_bytes_get_finite(&state);
    return state.failed ? NAN : t;
}

void ln_pause_save_events(ln_bytes *state, const ln_events *events) {
    ln_bytes_put_long(state, events->system->nevents);
    ln_bytes_put_long(state, events->in_window);
    ln_bytes_put_double(state, events->window_begin);
    ln_bytes_put(state, events->was_true, (size_t)events->system->nevents);
    ln_bytes_put(state, events->in_noise, (size_t)events->system->nguards);
    ln_bytes_put(state, events->mode_stayed, (size_t)events->system->nguards);
    ln_bytes_put(state, events->reach, size_of(events->system->nguards));
}

static void get_flags(ln_bytes *state, char *flag, int count) {
    ln_bytes_get(state, flag, (size_t)count);
    for (int k = 0; k < count; k++)
        if (flag[k] != 0 && flag[k] != 1)
            state->failed = 1;
}

int ln_pause_load_events(ln_bytes *state, ln_events *events) {
    if (ln_bytes_get_long(state) != events->system->nevents)
        return 0;
    events->in_window = (long)ln_bytes_get_within(state, 0, LONG_MAX / 2);
    events->window_begin = ln_bytes_get_number(state);
    get_flags(state, events->was_true, events->system->nevents);
    get_flags(state, events->in_noise, events->system->nguards);
    get_flags(state, events->mode_stayed, events->system->nguards);
    for (int k = 0; k < events->system->nguards; k++)
        events->reach[k] = fabs(ln_bytes_get_finite(state));
    return !state->failed && state->at == state->length;
}

linnet_status ln_pause_report_misfit(ln_report *report) {
    return ln_fail(report, LINNET_IO, LN_NOWHERE,
                   "the state to go on from does not fit this model");
}
