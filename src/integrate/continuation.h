/* SPDX-License-Identifier: MIT */
/* Solving equations from afar, by a way of neighbouring problems: each begins at the solution of
 * the one before. Gmin stepping, source stepping, pseudo-transients and jumps are such ways.
 *
 * Two kinds of way. A homotopy has a position from 0, an easy problem, to 1, the real one; a
 * position that cannot be solved is approached by shorter steps, and each is begun where the last
 * two points lead [E. L. Allgower, K. Georg: Introduction to Numerical Continuation Methods, 2003,
 * chapter 2]. In pseudo-time something holds
 * the unknowns to where they are, ever more weakly; each problem is one step of backward Euler, and
 * one that cannot be solved makes it stronger again [C. T. Kelley, D. E. Keyes, SIAM J. Numer.
 * Anal. 35 (1998) 508]. */
#ifndef LN_INTEGRATE_CONTINUATION_H
#define LN_INTEGRATE_CONTINUATION_H

typedef struct ln_continuation {
    int n;
    double *solved;        /* n: the last point of the way that was solved */
    double *solved_before; /* n: the one before it; of a homotopy only, else NULL */
    void *problem;
    /* Newton's method on the problem, from x to its solution. 1 on success. */
    int (*solve)(void *problem, double *x, int damped);
    /* how far the way led: 0 to 1; below 0: not even its first problem is solved. Out. */
    double reached;
} ln_continuation;

/* A homotopy from x = 0. set: makes the problem that of a position. On success x solves the real
 * problem, and 1 is returned. After a failure the problem is the real one, too. */
int ln_continue(ln_continuation *way, void (*set)(void *problem, double position), double *x);

/* How strong what holds the unknowns is: from 1 on downwards, and upwards on failures. */
typedef struct ln_pseudo_time {
    /* The problem becomes that of a strength; 0: the real one. It holds to way->solved. */
    void (*set)(void *problem, double strength);
    /* A step has led to x; may be NULL. */
    void (*pass)(void *problem, const double *x);
    double weakest;   /* where the way ends */
    double strongest; /* where it is given up */
    double try_below; /* the real problem is tried after every step this weak or weaker */
    int damped;       /* steps are solved with damping */
} ln_pseudo_time;

/* Pseudo-time from way->solved. On success x solves the real problem, and 1 is returned. After a
 * failure way->solved is where the way led, x what was tried last, and the problem the real one. */
int ln_continue_in_time(ln_continuation *way, const ln_pseudo_time *time, double *x);

#endif
