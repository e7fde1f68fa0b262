/* SPDX-License-Identifier: MIT */
/* A model with clocks, linearised over one base period P of all of them:
 *
 *     x[k+1] = A x[k] + B u[k],      y[k] = C x[k] + D u[k]
 *
 * x are the states and memories just before the ticks at t0 + k P, y the outputs just after them,
 * and inputs are held over the period. Between ticks the continuous part moves by the exponential
 * of its matrix, at the point where it was linearised; at a tick the derivatives of what the events
 * do are central differences of the events themselves, exact for whatever is linear. States that
 * neither others nor the outputs see (counts, values that are overwritten) are left out. Transport
 * delays of held signals are states (sampled_delays.c). */
#ifndef LN_ANALYSIS_SAMPLED_H
#define LN_ANALYSIS_SAMPLED_H

#include "analysis/state_space.h"

/* As ln_state_space_make(), with out->period. Failures are reported: no clocks, periods without a
 * common multiple, transport delays of other signals, an input that only continuous blocks would
 * see. */
linnet_status ln_sampled_make(ln_small_signal *small, const ln_settings *settings,
                              const ln_space_ports *ports, ln_state_space *out);

#endif
