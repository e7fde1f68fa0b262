/* SPDX-License-Identifier: MIT */
/* The system: a network as numbers,  d/dt q(x,t) + f(x,t) = 0,  q = E x + q_nl,  f = A x + f_nl -
 * s(t).
 *
 * Set-up stamps constant entries of E and A once and precomputes a slot for every entry that
 * changes, so that an evaluation neither searches nor allocates. No method of integration is known
 * here. */
#ifndef LN_SYSTEM_SYSTEM_H
#define LN_SYSTEM_SYSTEM_H

#include "system/matrix.h"
#include "base/side.h"
#include "network/network.h"

/* The relative tolerance that absolute ones belong to; they shrink with it. */
#define LN_DEFAULT_TOLERANCE 1e-4

/* An instance that is evaluated at every point: its gather and scatter lists. */
typedef struct ln_active ln_active;

typedef struct ln_system {
    ln_network *network; /* borrowed */
    ln_arena *arena;
    ln_profile *profile; /* borrowed, or NULL: where the time of evaluations is counted */
    int n;
    ln_matrix E, A; /* constant entries */
    /* of alpha (E + dq) + A + df; of a nonlinear system also the diagonal of each link's row, where
     * gmin stepping adds; of a linear one that of a link that is held at the start */
    ln_pattern pattern;
    const int *e_slot, *a_slot; /* position in `pattern` of each entry of E and A */
    double *s_constant;         /* n: sources that never change */
    /* Floating parts, of which only differences are stored (supernodes.c). n: the balance row of
     * the part that a row belongs to (of a balance row the row itself), or -1; NULL: there are no
     * such parts. */
    const int *balance_row;
    /* n, with balance_row: the common unknown of the part that an unknown belongs to (of a common
     * unknown itself), or -1. Its number is that of the part's balance row. Where a capacitor's
     * current is an unknown of its own, the capacitor's row is that of the current, its unknowns
     * are the potentials. */
    const int *common_unknown;
    int nparts;
    ln_active *nonlinear;
    int nnonlinear; /* instances with eval() */
    ln_active *sources;
    int nsources;         /* instances with a source() that varies */
    const char *dynamic;  /* n: 1 where the row carries q (an entry of E or q_nl) */
    const int *algebraic; /* rows without q, rising; a transformed system has more (transform.h) */
    int nalgebraic;
    const double *abstol, *nominal; /* n: per unknown */
    int linear;                     /* no instance with eval() */
    int linear_q;                   /* E alone: no eval() writes q */
    int has_junctions;              /* some block limits Newton's way: it has a junction */
    double *memory; /* network->nmemories: what changes only at events; modes among them */
    ln_active *hybrid;
    int nhybrid;              /* instances with modes or events */
    int nguards, nevents;     /* of all of them */
    struct ln_delays *delays; /* NULL: none (delay.h) */
    double *df, *dq;          /* values of the STATE entries after ln_system_eval() */
    int ndf, ndq;
    const int *df_slot, *dq_slot; /* their positions in `pattern` */
    const int *df_row, *df_col, *dq_row, *dq_col;
    struct ln_system_private *own;
} ln_system;

/* The rows that a flux into a row's node enters: its own, unless that is the balance of its part,
 * and that balance. Returns their number; row -1: none. */
static inline int ln_system_entered(const ln_system *system, int row, int entered[2]) {
    const int balance = row < 0 || system->balance_row == NULL ? -1 : system->balance_row[row];
    int count = 0;
    if (row >= 0 && row != balance)
        entered[count++] = row;
    if (balance >= 0)
        entered[count++] = balance;
    return count;
}

/* Are two rows of one part, so that what passes between their nodes does not cross its surface? */
static inline int ln_system_share_part(const ln_system *system, int row, int other) {
    return system->balance_row != NULL && row >= 0 && other >= 0 && system->balance_row[row] >= 0 &&
           system->balance_row[row] == system->balance_row[other];
}

linnet_status ln_system_new(ln_network *network, ln_report *report, ln_system **system);
void ln_system_free(ln_system *system);

/* Evaluations by so many threads, the caller's among them; 0: by as many as the machine has
 * processors where there are 16 000 devices or more, else by one. What is computed is the same, bit
 * for bit. Once for a system. LINNET_MEMORY is not reported. */
linnet_status ln_system_take_threads(ln_system *system, int threads);

/* A point (n values) and the side from which it is seen. */
typedef struct ln_moment {
    ln_side side;
    const double *x;
} ln_moment;

/* s(t), n values, both constant and varying sources. LINNET_RETRY where one of them is not finite,
 * which ln_system_blame() then tells: a shorter step may not come there. */
linnet_status ln_system_sources(ln_system *system, ln_side side, double *s);
/* The same where nothing else is tried: reported, LINNET_FAILED. */
linnet_status ln_system_final_sources(ln_system *system, ln_side side, double *s,
                                      ln_report *report);
/* The same with what eval() makes of the time alone in rows that depend on it: s(t) - f_nl(x, t),
 * with x and what delays give as they are at `from`, NAN where that has no value. */
linnet_status ln_system_driven(ln_system *system, const ln_moment *from, double t, double *s);
/* Rows in which ln_system_driven() varies, each once, rising; rows: room for n. Returns their
 * number. */
int ln_system_driven_rows(const ln_system *system, int *rows);
/* The earliest breakpoint of any source strictly after t, or INFINITY. */
double ln_system_next_breakpoint(const ln_system *system, double t);
/* The same of sources alone, without what comes back from delays. */
double ln_system_source_break(const ln_system *system, double t);
/* The same of source k alone. */
double ln_source_next_break(const ln_system *system, int k, double t);

/* held: n flags, 1 where an unknown is a signal that changes at events only (held.c). LINNET_MEMORY
 * is not reported. */
linnet_status ln_system_event_signals(ln_system *system, char *held);
/* follows: n flags, 1 where one algebraic row alone holds an unknown, linearly, and determines it
 * from others (followers.c): what it has been does not matter to any update of Newton's method.
 * LINNET_MEMORY is not reported. */
linnet_status ln_system_followers(const ln_system *system, char *follows);

/* Manner of evaluation; bits. */
typedef enum ln_manner {
    LN_LIMIT_OFF = 0, /* every block exactly at x */
    LN_LIMIT_ON = 1,  /* blocks may move their point, from where they were evaluated last */
    /* devices with SPICE's OFF are linearised at zero voltage */
    LN_DEVICES_OFF = 2,
    /* devices made of branches leave dq and df as they are: a residual of a kept Jacobian */
    LN_KEEP_SLOPES = 4,
} ln_manner;

/* Adds the nonlinear parts at at->x: q_nl to q and f_nl to f (n values each, either may be NULL),
 * and sets dq, df. With limiting, a block that moved its point contributes its tangent there;
 * *limited counts such blocks. LINNET_RETRY: a block refused the point or gave a value that is not
 * finite; ln_system_blame() then says which. */
linnet_status ln_system_eval(ln_system *system, const ln_moment *at, int manner, double *q,
                             double *f, int *limited);
/* How far an evaluation may leave its point: bits of ln_manner; and V, within which of where it was
 * evaluated last a device may rest, which then gives its tangent from there (SPICE's bypass). Only
 * while time, side and memories are those of that evaluation. 0: none rests. */
typedef struct ln_leeway {
    int manner;
    double rests;
} ln_leeway;
/* As ln_system_eval(), within this. */
linnet_status ln_system_eval_within(ln_system *system, const ln_moment *at, ln_leeway leeway,
                                    double *q, double *f, int *limited);
/* The way, V, within which a junction's tangent departs by this part of its current, of 1. */
double ln_rests_within(double part);
/* As ln_system_eval_within() without dq and df, which are then undefined, and without limiting:
 * for residuals of a kept Jacobian. */
linnet_status ln_system_value(ln_system *system, const ln_moment *at, double rests, double *q,
                              double *f);
/* How much a device's nonlinearity matters over the update dx: the largest change of a limited
 * device's current that its tangent does not tell, in units of 1 % of the current there plus
 * rounding; above 1 it may bend. sizes: per row, the sum of the other currents. x is where
 * ln_system_eval() was last called and no block limited. */
double ln_system_nonlinearity(const ln_system *system, const double *x, const double *dx,
                              const double *sizes);
/* The same, where what else flows is what the constant entries carry at x, and rounding of a
 * nominal flux at each link; sizes: n values, out. */
double ln_system_nonlinearity_here(const ln_system *system, const double *x, const double *dx,
                                   double *sizes);
/* Is each nonlinear block its own tangent over dx, in the rows that store nothing at x? A limited
 * device: what it gives changes by no more than this part of what flows there, or its nodes move by
 * no more than this part of the way over which it is exponential. Any other, whose curve may be
 * anything: at x - dx, where it is evaluated, its tangent has left no more than `left` of what it
 * gives and of what else flows there. x is where ln_system_eval() was last called. sizes: n values,
 * out. */
int ln_system_is_tangent(ln_system *system, const double *x, const double *dx, double part,
                         double left, double *sizes);
/* q = E x + q_nl(x), n values: what the point stores; sets dq and df where q_nl is there at all. As
 * ln_system_eval for the status; then q is E x alone. */
linnet_status ln_system_q(ln_system *system, ln_side side, const double *x, double *q);
/* Where the blocks that limit Newton's way were evaluated last: so many numbers; taken; put back,
 * for an iteration on another point to go on. */
size_t ln_system_places(const ln_system *system);
void ln_system_save_places(const ln_system *system, double *places);
void ln_system_restore_places(ln_system *system, const double *places);
/* May what a nonlinear instance gives depend on time? Devices' does not. */
int ln_system_is_told_time(const ln_system *system);
/* Does any instance ask to be off at first? */
int ln_system_asks_off(const ln_system *system);
/* After LINNET_RETRY: text such as "D1 (diode): current at port p is not finite: exp(2000)"; and
 * its place. */
void ln_system_blame(const ln_system *system, char text[256], ln_place *place);

/* How far two sides of each row may differ without a jump where events act at the ends of steps, in
 * a run as in generated code, into least (n values): a millionth of what A makes of the absolute
 * tolerances; with alpha, which makes rates of what is stored, and of alpha E. */
void ln_system_least_jumps(const ln_system *system, double alpha, double *least);
/* K = alpha (E + dq) + A + df at the positions of system->pattern. */
void ln_system_jacobian(const ln_system *system, double alpha, double *values);
/* q += dq x, n values each: of what q_nl(x) stores, how x changes it. */
void ln_system_add_stored(const ln_system *system, const double *x, double *q);
/* E + dq alone, likewise. The difference of two Jacobians would lose small capacitances beside
 * large conductances. */
void ln_system_mass_matrix(const ln_system *system, double *values);

/* x_start from start values and guesses: every start condition x[a] - x[b] = value is met unless it
 * contradicts another; what the model wrote wins over defaults; two that the model wrote and that
 * contradict each other are an error naming both (LINNET_MODEL). */
linnet_status ln_system_start_values(ln_system *system, double *x, ln_report *report);

/* ---- observation ---- */
/* To be called for every quantity that will be observed, before the system is built: a flux (or
 * power) that contains d/dt q becomes an unknown of its own, so that its value is the method's. */
linnet_status ln_observe_request(ln_network *network, const ln_quantity *quantity,
                                 ln_report *report);
/* read: n flags, 1 at rows without storage that fluxes enter which are read at a point and are no
 * unknowns, for they have modes: no error of an unknown tells by how much these miss zero there.
 * Returns their number. */
int ln_system_rows_read(const ln_system *system, char *read);
/* Value of a user's name at a point (see ln_network_find). */
double ln_system_observe(ln_system *system, const ln_quantity *quantity, ln_side side,
                         const double *x);

#endif
