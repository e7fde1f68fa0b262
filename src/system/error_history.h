/* SPDX-License-Identifier: MIT */
/* Private to the room `system`: what a quantity of a delay's input was at times past: an error that
 * a run carries along (integrate/global_error.h), or by how much a breakpoint came late. Between
 * the ends of steps an error is straight: each step adds to it, and no polynomial goes through
 * that. */
#ifndef LN_SYSTEM_ERROR_HISTORY_H
#define LN_SYSTEM_ERROR_HISTORY_H

#include <linnet/status.h>

#include <stddef.h>

typedef struct ln_error_sample {
    double t, value;
} ln_error_sample;

/* In the order of time; those before `first` are not asked for any more. */
typedef struct ln_error_history {
    ln_error_sample *samples;
    size_t count, room, first;
} ln_error_history;

/* Forgets all. */
void ln_error_history_begin(ln_error_history *history);
void ln_error_history_free(ln_error_history *history);
/* One after the last, or in its place where it is no later. LINNET_MEMORY is not reported. */
linnet_status ln_error_history_add(ln_error_history *history, double t, double value);
/* Samples before `oldest` will not be asked for. */
void ln_error_history_forget(ln_error_history *history, double oldest);
/* The value at `when`, in a step that ends at t: 0 before the first sample; behind the last one its
 * share of a value within the step, whose end's share is that of the Jacobian. */
double ln_error_history_at(const ln_error_history *history, double when, double t);
/* The value noted within `same` of t; 0: there is none. */
double ln_error_history_noted(const ln_error_history *history, double t, double same);

#endif
