/* SPDX-License-Identifier: MIT */
/* A model as an explicit method needs it: z' = g(t, z), and all unknowns x from z.
 *
 * Two implementations: a plain block diagram compiled to one program (diagram.c), and a
 * network whose x is split by the rank of E, the algebraic part solved at each call, above index 1
 * together with its derivatives (integrate/split.c). */
#ifndef LN_SYSTEM_ODE_H
#define LN_SYSTEM_ODE_H

#include "system/system.h"

typedef struct ln_ode ln_ode;
struct ln_ode {
    int n;                /* states z */
    const double *memory; /* of the network's instances, borrowed; NULL when there are none */
    /* dz = g(t, z). LINNET_RETRY with ode->blame set: not finite, or a loop did not
     * converge. */
    linnet_status (*rates)(ln_ode *ode, const ln_side *side, const double *z, double *dz);
    /* All unknowns of the network at (t, z), numbered as in the network. */
    linnet_status (*unknowns)(ln_ode *ode, const ln_side *side, const double *z, double *x);
    /* Where the algebra has several solutions, the one of the step's beginning counts. back: 0: the
     * rates asked for last were those of a point of the run; 1: the next ones are looked for from
     * there. NULL: nothing is looked for from anywhere. */
    void (*keep)(ln_ode *ode, int back);
    /* z of given unknowns. */
    void (*states)(ln_ode *ode, const double *x, double *z);
    /* n: absolute tolerance of each state; the network's unknown whose name it goes by */
    const double *absolute;
    const int *unknown;
    void (*free)(ln_ode *ode);
    char blame[256];
    ln_place blame_place;
    int out_of_memory; /* a LINNET_RETRY was for memory: shorter steps are another way, not a remedy
                        */
    long evaluations, loop_iterations;
    int loops;           /* algebraic loops solved by Newton in each evaluation */
    ln_profile *profile; /* borrowed, or NULL: where the time of steps' rates is counted */
};

/* ode->rates(), its time counted. */
static inline linnet_status ln_ode_rates(ln_ode *ode, const ln_side *side, const double *z,
                                         double *dz) {
    const ln_profile_part before = ln_profile_enter(ode->profile, LN_PART_DEVICES);
    const linnet_status status = ode->rates(ode, side, z, dz);
    ln_profile_leave(ode->profile, before);
    return status;
}

/* The diagram compiler. LINNET_USAGE with nothing reported: not a plain diagram in causal form (the
 * caller then uses the split). LINNET_MODEL: reported. Needs network->purely_signal. */
linnet_status ln_diagram_new(ln_network *network, ln_report *report, ln_ode **ode);

#endif
