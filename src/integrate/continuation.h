/* SPDX-License-Identifier: MIT */
/* Solving equations from afar, along a path of neighbouring problems: each begins at the solution
 * of the one before. Gmin stepping, source stepping, pseudo-transients and jumps are such paths.
 *
 * There are two kinds. A homotopy has a position from 0, an easy problem, to 1, the real one; a
 * position that cannot be solved is approached by shorter steps, and each is begun where the last
 * two points lead [E. L. Allgower, K. Georg: Introduction to Numerical Continuation Methods, 2003,
 * chapter 2]. In pseudo-transient
 * continuation each problem is one step of backward Euler, of length tau in a pseudo-time; the
 * steps grow as they succeed and shrink where one cannot be solved [C. T. Kelley, D. E. Keyes, SIAM
 * J. Numer. Anal. 35 (1998) 508]. */
#ifndef LN_INTEGRATE_CONTINUATION_H
#define LN_INTEGRATE_CONTINUATION_H

typedef struct ln_continuation {
    int n;
    double *solved;        /* n: the last point of the path that was solved */
    double *solved_before; /* n: the one before it; of a homotopy only, else NULL */
    void *problem;
    /* Newton's method on the problem, from x to its solution. 1 on success. */
    int (*solve)(void *problem, double *x, int damped);
    /* how far the path led: 0 to 1; below 0: not even its first problem is solved. Out. */
    double reached;
} ln_continuation;

/* A homotopy from x = 0. set_position: makes the problem that of a position. On success x solves
 * the real problem, and 1 is returned. After a failure the problem is the real one, too. */
int ln_continue(ln_continuation *path, void (*set_position)(void *problem, double position),
                double *x);

/* Pseudo-time by its inverse step, 1/tau in units of the first one: from 1 on downwards as steps
 * succeed, upwards where they fail. */
typedef struct ln_pseudo_time {
    /* The problem becomes a step from path->solved of this inverse length; 0: the real one. */
    void (*set_inverse_step)(void *problem, double inverse_step);
    /* A step has led to x; may be NULL. */
    void (*accepted)(void *problem, const double *x);
    double smallest; /* where the path ends */
    double largest;  /* where it is given up */
    double
        try_below; /* the real problem is tried after every step of this inverse or a smaller one */
    int damped;    /* steps are solved with damping */
} ln_pseudo_time;

/* Pseudo-time from path->solved. On success x solves the real problem, and 1 is returned. After a
 * failure path->solved is where the path led, x what was tried last, and the problem the real one.
 */
int ln_continue_in_time(ln_continuation *path, const ln_pseudo_time *time, double *x);

#endif
