/* SPDX-License-Identifier: MIT */
/* A physical loop, opened at a port without cutting it: double injection (M. Tian, V. Visvanathan,
 * J. Hantgan, K. Kundert, "Striving for small-signal stability", IEEE Circuits and Devices Magazine
 * 17 (1), 2001).
 *
 * The ports of a link are seen as two sides: those that are named, and the others. With Y the
 * admittances (flux by potential) of the model between both sides,
 *
 *     L = (Y12 + Y21)/(Y11 + Y22),      1 + L = (Y11 + Y12 + Y21 + Y22)/(Y11 + Y22),
 *
 * the loads of both sides included, and the same from either side. Y is never formed, since a side
 * may be an ideal source; what is looked at is the closed model:
 *
 *     - potential added in series (1): v1, what the link's potential becomes, i1, the flux into the
 *       named side;
 *     - flux brought into the link (2): v2, i2.
 *
 * Then Y22/Y = i1 v2 - v1 i2 with Y the sum of all four, and
 *
 *     q = (Y12 + Y21)/Y = i2 - v1 - 2 (i1 v2 - v1 i2),      L = q/(1 - q).
 *
 * Potential and flux are those of the link's domain; L is a number in each of them. */
#ifndef LN_ANALYSIS_LOOP_PROBE_H
#define LN_ANALYSIS_LOOP_PROBE_H

#include "analysis/small_signal.h"

#include <complex.h>

typedef struct ln_loop_probe ln_loop_probe;

/* The probe at "R1.p", a physical port of a block; at "amp.out", the port of a component, whose
 * inside is one side; or at a physical link that joins two ports. LINNET_RETRY, not reported: the
 * name means something else. LINNET_USAGE, reported: no loop can be opened there. The probe lives
 * in the arena of `small`; to be freed in any case. */
linnet_status ln_loop_probe_begin(ln_small_signal *small, const char *name, ln_linear_kind kind,
                                  ln_loop_probe **probe);
void ln_loop_probe_free(ln_loop_probe *probe);

/* q and its derivative by s. LINNET_RETRY: s is a pole of the model. */
linnet_status ln_loop_probe_at(ln_loop_probe *probe, double complex s, double complex *q,
                               double complex *dq);

#endif
